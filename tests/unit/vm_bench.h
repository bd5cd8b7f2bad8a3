/* What the tests of the planner and the virtual machine share: a store with inputs that
 * have values, short names for building graphs, and running them.
 *
 * Invariant: close_bench fails the test if a run left references behind. */
#ifndef GRADUS_TESTS_VM_BENCH_H
#define GRADUS_TESTS_VM_BENCH_H

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "tensor/kernels.h"
#include "exec/plan.h"
#include "exec/vm.h"
#include "graph/control.h"
#include "rewrite/exploration.h"

enum { MANY = 16 };

typedef struct {
    Store st;
    Diags diags;
    TensorMap values; /* of inputs */
    VmEnv env;
    u32 flags;
    bool fused; /* run what the pass `fuse` makes of the roots */
    RuleSet rules;
    Options options; /* with one pass alone, once it was asked for */
    Tensor *out[MANY];
    volatile sig_atomic_t interrupt;
    int asked; /* how often a leaf was asked for */
} Bench;

#define TYPE(b, d, ...) \
    dims_type(b, d, (int)COUNT_OF(((const i64[]){__VA_ARGS__})), (const i64[]){__VA_ARGS__})
#define F64 type_scalar(&b->st, DT_F64)
#define I64 type_scalar(&b->st, DT_I64)
#define LIST(T, ...) \
    (int)COUNT_OF(((T[]){__VA_ARGS__})), (T[]) { __VA_ARGS__ }

void open_bench(Bench *b);
void drop_results(Bench *b);
void close_bench(Bench *b);
Type *dims_type(Bench *b, DType d, int rank, const i64 *dims);
Node *given(Bench *b, const char *name, Type *t, double start, double step);
bool run(Bench *b, int n, Node *const *roots);
bool run1(Bench *b, Node *root);
/* Replaces roots by what one pass makes of them. */
void rewrite(Bench *b, const char *pass, int n, Node **roots);
void fuse(Bench *b, int n, Node **roots);
double at(Bench *b, int result, i64 i);
void expect1(Bench *b, Node *root, double want);
void refused(Bench *b, Node *root, const char *code, const char *words);
Node *binary(Bench *b, OpId op, Node *x, Node *z);
Node *num(Bench *b, double x);
Node *whole(Bench *b, i64 x);
Node *param(Bench *b, i64 i, Type *t);
Node *index_of(Bench *b, Node *x, Node *i);
Node *set_row(Bench *b, Node *x, Node *i, Node *v);
Node *sum_all(Bench *b, Node *x);
Node *scan(Bench *b, Graph *body, Node *n, int ninits, Node **inits, int nseqs, Node **seqs,
           int ncaptures, Node **captures, bool reverse, bool stop);
Graph *body_of(Bench *b, int nparams, Type **params, int nouts, Node **outs);
Node *result(Bench *b, Node *n, i64 k);

#endif
