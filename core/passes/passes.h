/* The passes: what runs each. */
#ifndef GRADUS_PASSES_H
#define GRADUS_PASSES_H

#include "passes/code_rules.h"
#include "rewrite/engine.h"

/* Most passes end long before, as nothing fires any more; rules that undo one another end here. */
enum {
    PASS_SWEEPS = 20,   /* of a phase */
    SPECIAL_ROUNDS = 3, /* of cheaper operators and what they leave: the second finds little */
    PASS_ROUNDS = 20 /* of expanding what is innermost: what stands in one another is seldom deep */
};

/* ---- how a pass goes through a graph; true if it changed ---- */
bool pass_saturate(Engine *e, const Phase *phases);      /* sweeps by rules until none fires */
bool pass_canonicalize(Engine *e, const Phase *phases);  /* then what loops keep */
bool pass_stabilize(Engine *e, const Phase *phases);     /* and what that brought in straightened */
bool pass_differentiate(Engine *e, const Phase *phases); /* innermost first */
bool pass_simplify(Engine *e, const Phase *phases);      /* simplify.c */
bool pass_loops(Engine *e, const Phase *phases);
bool pass_specialize(Engine *e, const Phase *phases);
bool pass_lower(Engine *e, const Phase *phases);
bool pass_census(Engine *e, const Phase *phases); /* census.c */
bool fuse_groups(Engine *e, const Phase *phases); /* fuse.c */

/* Expands every implicit derivative in place, unrecorded: for evaluating an intermediate graph. */
bool derivatives_expand(Store *st, const RuleSet *rs, const Options *options, int nroots,
                        Node **roots);

/* ---- parts of them that are not rules alone ---- */
bool products_add(Engine *e); /* products.c */
bool order_fix(Engine *e);    /* order.c */
bool order_share(Engine *e);  /* order.c */
bool index_lift(Engine *e);   /* lift.c */
bool index_lift_shared(Engine *e);
bool concats_apart(Engine *e); /* apart.c */
bool branches_sink(Engine *e); /* branches.c */

#endif
