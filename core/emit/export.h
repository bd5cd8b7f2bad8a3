/* An expression as a program in C: `:export`.
 *
 * Invariant: the text depends on the graph, its names and (with values) the values only. */
#ifndef GRADUS_EXPORT_H
#define GRADUS_EXPORT_H

#include "graph/graph.h"

typedef struct {
    Store *st;
    int n;
    Node *const
        *roots; /* derivatives expanded, composites opened, no loops lowered, nothing fused */
    const char *source;      /* the expression as it was asked for */
    const char *definitions; /* what it stands for, in the language; may be NULL */
    const char *function;    /* its name in the file */
    bool values;             /* it also evaluates itself at these values when run: */
    Tensor *(*leaf)(void *ctx, const Node *input_or_shared); /* borrowed; NULL: none */
    bool (*size)(void *ctx, Symbol name, i64 *out);
    void *ctx;
    /* After a failure: what the target cannot say. */
    const Node *fault; /* may be NULL */
    Text why;
} Export;

/* C11: one function, inputs and outputs as pointers with sizes. False after filling x->why. */
bool export_c(Export *x, Text *out);

#endif
