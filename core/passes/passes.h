/* The passes: what runs each, and their rules in C. */
#ifndef GRADUS_PASSES_H
#define GRADUS_PASSES_H

#include "rewrite/rewrite.h"

/* ---- how a pass goes through a graph; true if it changed ---- */
bool pass_saturate(Engine *e, const Phase *phases);      /* sweeps by rules until none fires */
bool pass_canonicalize(Engine *e, const Phase *phases);  /* then what loops keep */
bool pass_differentiate(Engine *e, const Phase *phases); /* innermost first */
bool pass_loops(Engine *e, const Phase *phases);
bool pass_specialize(Engine *e, const Phase *phases);
bool pass_lower(Engine *e, const Phase *phases);
bool fuse_groups(Engine *e, const Phase *phases); /* fuse.c */

/* ---- parts of them that are not rules alone ---- */
bool products_add(Engine *e);  /* products.c */
bool order_fix(Engine *e);     /* order.c */
bool order_share(Engine *e);   /* order.c */
bool branches_sink(Engine *e); /* branches.c */
bool order_operands(Site *site);
bool same_sum(Site *site);

/* ---- rules in C: each table ends with a row without a name ---- */
extern const CodeRule elementwise_rules[], structural_rules[], derivative_rules[], loop_rules[],
    product_rules[], fuse_rules[], branch_rules[];

#endif
