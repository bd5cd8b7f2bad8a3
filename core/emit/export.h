/* An expression as a program in another language: `:export`.
 *
 * Invariant: the text depends on the graph, its names and (with values) the values only. */
#ifndef GRADUS_EXPORT_H
#define GRADUS_EXPORT_H

#include "graph/store.h"

typedef struct {
    Store *st;
    int n;
    Node *const *roots;      /* derivatives expanded (unless native), composites opened, no loops
                                lowered, nothing fused */
    const char *source;      /* the expression as it was asked for */
    const char *definitions; /* what it stands for, in the language; may be NULL */
    const char *function;    /* its name in the file */
    u32 nstates;             /* more than 0: the derivation is written, state by state */
    /* The roots of the k-th, and what led to it (nothing: it is as written). */
    bool (*state)(void *states, u32 k, Node **roots, Text *step);
    void *states;
    bool native; /* grad is left to the target */
    bool blas;   /* products of matrices by CBLAS, in C */
    bool values; /* it also evaluates itself at these values when run: */
    Tensor *(*leaf)(void *ctx, const Node *input_or_shared); /* borrowed; NULL: none */
    bool (*size)(void *ctx, Symbol name, i64 *out);
    void *ctx;
    /* After a failure: what the target cannot say (NULL: the expression), and why. */
    const Node *fault;
    Text why;
} Export;

/* A target is a row; the first one with an extension is what a file that ends so gets. */
typedef struct {
    const char *name;      /* of `to=` */
    const char *extension; /* "c" */
    const char *doc;
    bool (*write)(Export *x, Text *out); /* false after filling x->why */
    bool composites;     /* softmax and the like stand as they are (of formulas: all) */
    bool differentiates; /* it can take derivatives itself */
    bool mathematics;    /* formulas: of the trees, nothing that runs */
} ExportTarget;
extern const ExportTarget export_targets[];
extern const size_t export_target_count;
/* That of this name, else (NULL) by the end of the file's name, else the first. */
const ExportTarget *export_target_of(const char *to, const char *file);

/* Is the source a name?  Then what is printed bears it. */
bool export_is_name(const char *source);

bool export_c(Export *x, Text *out);     /* export_c.c */
bool export_numpy(Export *x, Text *out); /* python.c */
bool export_numba(Export *x, Text *out);
bool export_jax(Export *x, Text *out);
bool export_torch(Export *x, Text *out);
bool export_latex(Export *x, Text *out); /* math.c */
bool export_typst(Export *x, Text *out);

#endif
