/* The rules in C of the passes. */
#ifndef GRADUS_CODE_RULES_H
#define GRADUS_CODE_RULES_H

#include "rewrite/site.h"

/* Each table ends with a row without a name. */
extern const CodeRule elementwise_rules[], structural_rules[], derivative_rules[], loop_rules[],
    product_rules[], fuse_rules[], branch_rules[], view_rules[], through_rules[], diagonal_rules[],
    position_rules[], choice_rules[], write_rules[], quotient_rules[], simplify_rules[],
    determinant_rules[], one_hot_rules[], padded_rules[], reshaped_rules[], textbook_rules[],
    kron_rules[], whole_power_rules[];

/* Rules on constants (fold.c). */
bool fold_constants(Site *site);
bool fold_operands(Site *site);
bool fold_sign(Site *site);
/* Rules of sweeps over a whole graph. */
bool order_operands(Site *site); /* order.c */
bool same_sum(Site *site);
bool same_order(Site *site);
bool view_once(Site *site);         /* through.c */
bool index_elementwise(Site *site); /* lift.c */
bool concat_apart(Site *site);      /* apart.c */

#endif
