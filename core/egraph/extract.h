/* Choosing one term of each class: the cheapest expression.
 *
 * What is shared counts once. First the cheapest tree of each class (bottom-up, to a fixpoint),
 * then e-nodes are exchanged as long as that makes the whole cheaper; small ones are searched
 * exhaustively, and then the answer is exact. */
#ifndef GRADUS_EXTRACT_H
#define GRADUS_EXTRACT_H

#include "egraph/egraph.h"
#include "egraph/model.h"

typedef MAP(TermId, TermId) Choices; /* class (id of what stands for it) + 1 -> term + 1 */

typedef struct {
    double cost;
    bool exact; /* nothing in the e-graph is cheaper */
    Choices chosen;
} Extracted;
/* By term: not to be used; those beyond its end may be. */
typedef VEC(u8) Banned;
/* The cheapest nodes for these roots in out[0..n); `banned` may be NULL. False: there is none. Free
 * e->chosen. */
bool eg_extract(EGraph *g, const CostModel *m, const Banned *banned, int n, Node *const *roots,
                Node **out, Extracted *e);
/* Only what the best trees cost, shared parts once. Their terms go to `chosen`, as in Extracted, if
 * that is not NULL. */
double eg_estimate(EGraph *g, const CostModel *m, int n, Node *const *roots, Choices *chosen);
/* What a term costs; asked once of the model, however often something is taken out. */
const TermCost *eg_term_cost(EGraph *g, const CostModel *m, TermId t);
/* Bans what the roots cannot become by steps that a program may take (onward.c). After a rebuild.
 */
void eg_ban_unreachable(EGraph *g, int n, Node *const *roots, Banned *out);

#endif
