/* Graphs as programs in other languages.
 *
 * Invariant: what is written computes the same values, up to the rounding of the target's own
 * functions; what a target cannot say is a diagnostic that names the node, never left out. */
#ifndef GRADUS_EMIT_H
#define GRADUS_EMIT_H

#include "graph/graph.h"

typedef enum { PYTHON_NUMPY, PYTHON_NUMBA, PYTHON_JAX, PYTHON_TORCH, PYTHON_TARGETS } PythonTarget;
extern const char *const python_targets[PYTHON_TARGETS]; /* "numpy", .. */

typedef struct {
    Store *st;
    int nroots; /* what the function returns: several as a tuple */
    Node *const *roots;
    const char *name;   /* of the function: an identifier, or what becomes one */
    const char *origin; /* what it was made from, for the comment at its head */
    const char *result; /* the name under which `main` shows the value; NULL: none */
    /* The value of an input; NULL: the file has no main. */
    Tensor *(*value)(void *ctx, const Node *leaf);
    i64 (*size)(void *ctx, Symbol name); /* .. of a size that no input has */
    void *ctx;
} EmitRequest;

/* One function of the inputs that the roots read, in the order in which these were declared.
 * Loops stay loops. Derivatives have to be expanded, functions inlined, and nothing lowered yet.
 * False after a diagnostic. */
bool emit_python(const EmitRequest *rq, PythonTarget target, Text *out);

#endif
