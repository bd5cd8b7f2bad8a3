/* Choosing one term of each class: the cheapest expression.
 *
 * What is shared counts once. First the cheapest tree of each part of a class (onward.h), bottom-up
 * to a fixpoint, then e-nodes are exchanged as long as that makes the whole cheaper; small ones are
 * searched exhaustively, and then the answer is exact. Only what steps of a program may lead to is
 * chosen. */
#ifndef GRADUS_EXTRACT_H
#define GRADUS_EXTRACT_H

#include "egraph/model.h"
#include "egraph/onward.h"

typedef MAP(TermId, TermId) Choices; /* class (id of what stands for it) + 1 -> term + 1 */

typedef struct {
    double cost;
    bool exact;     /* nothing in the e-graph is cheaper */
    Choices chosen; /* of a class that is there by several terms the last one */
} Extracted;
/* By term: not to be used; those beyond its end may be. */
typedef VEC(u8) Banned;
/* The cheapest nodes for these roots in out[0..n); `banned` may be NULL. `o` is of the e-graph as
 * it is. False: there is none. Free e->chosen. */
bool eg_extract(EGraph *g, const Onward *o, const CostModel *m, const Banned *banned, int n,
                Node *const *roots, Node **out, Extracted *e);
/* Only what the best trees cost, shared parts once. Their terms go to `chosen`, as in Extracted, if
 * that is not NULL. */
double eg_estimate(EGraph *g, const Onward *o, const CostModel *m, int n, Node *const *roots,
                   Choices *chosen);
/* What a term costs; asked once of the model, however often something is taken out. */
const TermCost *eg_term_cost(EGraph *g, const CostModel *m, TermId t);

#endif
