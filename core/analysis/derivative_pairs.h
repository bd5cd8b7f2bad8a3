/* Values and their adjoints, as the steps that expanded derivatives recorded them. */
#ifndef GRADUS_DERIVATIVE_PAIRS_H
#define GRADUS_DERIVATIVE_PAIRS_H

#include "rewrite/exploration.h"

/* Those of every derivative that was expanded, as they are in the state after so many steps: a
 * value in `primal`, and at the same place its cotangent in `adjoint`; NULL: it is kept for the way
 * back, or has no node of its own. The lists are added to. False: the steps do not replay. */
bool derivative_pairs(Exploration *x, u32 state, NodeVec *primal, NodeVec *adjoint);

#endif
