/* Is one program over these sources as accurate as another?
 *
 * Both are run on small arrays of sample values, with a bound of the error of each element beside
 * it (running error analysis: Higham, Accuracy and Stability of Numerical Algorithms, section 3.3).
 */
#ifndef GRADUS_FORM_ACCURACY_H
#define GRADUS_FORM_ACCURACY_H

#include "algebra/back.h"
#include "rewrite/facts.h"

/* Is the bound of the error of `now` about that of `was`, or a unit in the last place, in all
 * samples? `facts` may be NULL. False also where a node is of a kind that is not run here. */
bool is_as_accurate(Store *st, Facts *facts, Node *now, Node *was, const Sources *from);

/* Is the operator one that is run here? */
bool accuracy_runs(OpId op);

#endif
