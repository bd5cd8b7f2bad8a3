/* Composite operators by what the prelude says of them. */
#ifndef GRADUS_COMPOSITE_H
#define GRADUS_COMPOSITE_H

#include "graph/store.h"

/* A composite node as its definition says, one level deep; NULL after a diagnostic. */
Node *composite_open(Store *st, Node *n);
/* What the roots are without composites (where not `all`: without those that are defined in C,
 * ops/definitions.h), in inner graphs too, unrecorded; false after a diagnostic. */
bool composites_open(Store *st, int n, Node *const *roots, bool all, Node **out);
/* What the prelude says of an operator: its definition, or its derivative; NULL if nothing. */
const struct Stmt *composite_text(Store *st, OpId op, bool derivative);

#endif
