/* The values of nodes at once: for drawings and pages that show them. */
#ifndef GRADUS_KNOWN_VALUES_H
#define GRADUS_KNOWN_VALUES_H

#include "session/session.h"

/* Evaluates those of the nodes (NULLs are fine) that depend on nothing unknown: no input without a
 * value, no parameter of an inner graph. at[i] gets a reference or NULL. What fails or needs more
 * work than that (VmEnv.work_limit) leaves all without a value, quietly: false. */
bool known_values(Session *s, int n, Node *const *nodes, u64 work, Tensor **at);

/* The value of a size or of another number, if that is known without much work: false. */
bool known_number(Session *s, Node *n, double *x);

#endif
