/* What the passes give without saturation, as what it is to be at least as good as.
 *
 * Rules in C and those on loops change a graph as a whole, or only where its owner knows more; an
 * e-graph sees one term at a time. So the passes can find what it does not, and then it goes on
 * from there. */
#ifndef GRADUS_USUAL_H
#define GRADUS_USUAL_H

#include "egraph/saturator.h"

/* Do the usual passes, those whose rules take part in saturation, make something cheaper than
 * `cost` of these roots? Nothing is recorded, and what rules count stays as it is. */
bool usual_is_cheaper(Engine *e, const CostModel *m, Node *const *roots, double cost);
/* Runs them on the roots of e, as steps of the pass that runs. */
void usual_apply(Engine *e);
/* Do the rules of this pass take part? */
bool saturation_takes(const char *pass);
/* Is it among the rules and passes of a list, "a,b"? All are of NULL. */
bool saturation_names(const char *list, const Rule *r);

#endif
