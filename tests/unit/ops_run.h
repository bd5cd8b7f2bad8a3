/* A tiny evaluator and reverse mode for the tests of the operators: nodes are evaluated
 * one by one by their own functions, without plan or program.
 *
 * Invariant: inputs are INPUT nodes with a value each; everything is freed by run_close. */
#ifndef GRADUS_TESTS_OPS_RUN_H
#define GRADUS_TESTS_OPS_RUN_H

#include "grad/vjp.h"

typedef struct {
    Store st;
    Diags diags;
    TensorMap given; /* of inputs */
    TensorMap memo;  /* the first results */
    TensorMap memo2; /* the second ones */
    Text error;      /* of the last evaluation that failed */
    const char *code;
    u64 random;
    int inputs;
} Run;

void run_open(Run *r);
void run_close(Run *r);
void run_forget(Run *r); /* drops computed values, keeps the inputs' */

/* Tensors and nodes; shapes end at a negative number. */
#define SHAPE(...) ((const i64[]){__VA_ARGS__, -1})
#define SCALAR ((const i64[]){-1})
Node *constant(Run *r, DType d, const i64 *shape, const double *values);
Node *input(Run *r, DType d, const i64 *shape, const double *values);
Node *random_input(Run *r, const i64 *shape, double lo, double hi);
double random_in(Run *r, double lo, double hi);

Tensor *value(Run *r, Node *n);  /* owned by the run; NULL: r->error says why */
Tensor *second(Run *r, Node *n); /* the second result of a draw */
/* Fails the test unless n has this type (as printed) and these values. */
void expect(Run *r, Node *n, const char *type, const double *values);
/* Building n failed with this code (and nothing else was reported). */
void expect_refused(Run *r, const Node *n, const char *code);
/* Evaluating n fails with this code and a message with this in it. */
void expect_fails(Run *r, Node *n, const char *code, const char *words);

/* dloss/dx[i], zero where nothing flows. false after a diagnostic. */
bool reverse(Run *r, Node *loss, int n, Node *const *x, Node **dx);
/* The derivative of a random linear function of y against finite differences. */
void check_gradient(Run *r, Node *y, int n, Node *const *x);
/* The same, and for the derivative itself. */
void check_gradient2(Run *r, Node *y, int n, Node *const *x);

/* ---- short forms, for tests whose `Run *r` is their state ---- */

#define V(...) ((const double[]){__VA_ARGS__})
#define INT(k) ((Attr){.i = (k)})
#define ATTRS(...) ((const Attr[]){__VA_ARGS__})
#define NODES(...) ((Node *const[]){__VA_ARGS__})
#define AXES(...)                                                                     \
    ((Attr){.ints = intlist(&r->st, sizeof((const i64[]){__VA_ARGS__}) / sizeof(i64), \
                            (const i64[]){__VA_ARGS__})})
int open_run(void **state); /* set-up and tear-down of cmocka */
int close_run(void **state);
Node *op1(Run *r, OpId op, const Attr *attrs, Node *a);
Node *op2(Run *r, OpId op, const Attr *attrs, Node *a, Node *b);
Node *op3(Run *r, OpId op, const Attr *attrs, Node *a, Node *b, Node *c);
Node *dim(Run *r, i64 k);
/* An i64 whose value is unknown when the graph is built. */
Node *unknown(Run *r, double k);

#endif
