/* The forms of an e-graph in the order of what they cost: the cheapest, the next one, and so on.
 *
 * What a form costs here is what its tree costs: as model.h counts it, operators that run in one
 * sweep together, but a subterm that is used twice counts twice. So the order can be found exactly:
 * a form is an e-node with a rank for each operand, its place among the forms of that operand's
 * class, and each form leads to those in which one rank is one higher (lazy k-best parsing: Huang &
 * Chiang, Better k-best parsing, IWPT 2005). They are taken by the cost of the cheapest form of the
 * roots that has them inside (Pauls & Klein, K-best A* parsing, ACL 2009), so that of a class only
 * what some answer is made of is looked at, and e-graphs with circles are no special case.
 *
 * Two forms differ unless only operands of a sum or a product, or of another operator that
 * eg_any_order knows, are in another order: operands of one class have ranks that do not fall.  A
 * form in which a term is made of one that it equals, such as x * 1 or -(-x) for x, is none, nor is
 * a constant that is computed from others.
 *
 * The e-graph must have been rebuilt when it is opened; terms that are added later, without unions,
 * are no part of the answer and do no harm. */
#ifndef GRADUS_EGRAPH_BEST_H
#define GRADUS_EGRAPH_BEST_H

#include "egraph/extract.h"

typedef struct BestForms BestForms;
/* `o` is of the e-graph as it is, and lives as long. */
BestForms *best_open(EGraph *g, const Onward *o, const CostModel *m, int n, Node *const *roots);
/* The next form of the roots in out[0..n), and what its trees cost. False: there is none, the store
 * stops, or too much was looked at without finding one. */
bool best_next(BestForms *b, Node **out, double *cost);
bool best_gave_up(const BestForms *b);
void best_close(BestForms *b);

#endif
