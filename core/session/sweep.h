/* What an expression gives for each of several values of an input. */
#ifndef GRADUS_SWEEP_H
#define GRADUS_SWEEP_H

#include "session/session.h"

/* Values from `low` to `high` for a scalar input: `most` of them, of whole numbers no more than
 * there are. Returns how many; `at` may be NULL. */
int sweep_points(const Node *x, double low, double high, int most, double *at);
/* One number for each of n values of the input; planned once, derivatives expanded. False after a
 * diagnostic about `span`, where the expression stands. */
bool session_sweep(Session *s, Node *root, Span span, const Node *x, int n, const double *at,
                   double *y);

#endif
