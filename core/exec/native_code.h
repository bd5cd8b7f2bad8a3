/* What native code and the virtual machine share: the functions of the machine that the code calls,
 * and what a writer of code gives.
 *
 * Invariant: the text of the code has no addresses; it refers to functions and things of the
 * program by their place in a table, which is made anew with the text, in the same order. */
#ifndef GRADUS_NATIVE_CODE_H
#define GRADUS_NATIVE_CODE_H

#include "exec/native.h"
#include "exec/vm_code.h"

/* name, result, parameters as the code sees them. An int is 0 after a failure, whose message is
 * there. */
// clang-format off
#define HOST_FUNCTIONS(HOST)                                                                      \
    /* loops: the first step and how many there are until `more`, which gives as many again; 0: */ \
    /* the loop is over, -1: failed */                                                            \
    HOST(begin, i64, (void *vm, void *loop, i64 *step))                                           \
    HOST(begin_few, i64, (void *vm, void *loop, i64 most, i64 *step)) /* at most so many */       \
    HOST(more, i64, (void *vm, void *loop))                                                       \
    HOST(stop, int, (void *loop, i64 left))                                                       \
    HOST(steps, int, (void *vm, i64 n))                                                           \
    HOST(poll, int, (void *vm, const void *node, i64 work))                                       \
    /* failures: always 0 */                                                                      \
    HOST(in_row, int, (void *vm, i64 step))                                                       \
    HOST(check, int, (void *vm, const void *node))                                                \
    HOST(check_le, int, (void *vm, const void *node, i64 a, i64 b))                               \
    HOST(status, int, (void *vm, const void *node, int status))                                   \
    HOST(index_failed, int, (void *vm, const void *wide, Reg *r))                                 \
    /* the same of an array of that shape */                                                     \
    HOST(outside, int, (void *vm, const void *wide, i64 index, const i64 *shape))                 \
    /* instructions */                                                                            \
    HOST(array, int, (void *vm, const void *wide, Reg *r))                                        \
    HOST(put, int, (void *vm, const void *wide, Reg *r))                                          \
    HOST(fused, int, (void *vm, const void *wide, Reg *r))                                        \
    HOST(call, int, (void *vm, const void *wide, Reg *r))                                         \
    HOST(delay, int, (const void *wide, Reg *r))                                                  \
    HOST(branch, int, (void *vm, const void *wide, Reg *r))                                       \
    HOST(scan, int, (void *vm, const void *wide, Reg *r))                                         \
    /* the part that the instruction `at` begins; 0: it is still to be run, -1: failed */         \
    HOST(rows, i64, (void *vm, const void *block, i64 at, Reg *r))                                \
    HOST(leaf, int, (void *vm, const void *node, Reg *d))                                         \
    HOST(size, int, (void *vm, const void *node, Reg *d))                                         \
    HOST(make_room, int, (void *vm, const void *node, Reg *d))                                    \
    HOST(drop, int, (Reg *a))                                                                     \
    HOST(share, int, (Reg *d, const Reg *a))                                                      \
    HOST(state, int, (void *vm, void *loop, i64 state, const Reg *next, const void *node))        \
    HOST(element, int, (void *vm, const void *loop, Reg *view, const Reg *sequence, i64 step))    \
    HOST(row, int, (void *vm, void *loop, i64 trace, const Reg *row, i64 step, const void *node)) \
    /* of loops over arrays of known shapes: where the rows of a trace are, with room for *room; */ \
    /* a state after the last step; a product: dtype, batch, m, k, n, astep, bstep, alead, blead, */ \
    /* ta, tb of a Product, added to c or not */                                                  \
    HOST(trace_rows, void *, (void *vm, void *loop, i64 trace, i64 step, i64 *room))              \
    HOST(last_state, int, (void *vm, void *loop, Reg *value, const void *data))                   \
    /* kernel_reduce of at least one element; peak_settle of peaks that are there */               \
    HOST(reduced, int, (int op, int dtype, i64 outer, i64 axis, i64 inner, const void *x, void *out)) \
    HOST(settled, int, (int dtype, i64 n, void *largest))                                          \
    HOST(product, int, (const i64 *form, const void *a, const void *b, int add, void *c))         \
    /* of a small matrix (factor.h): dtype, n, right sides; in place but for a; a KStatus */       \
    HOST(solve, int, (int dtype, i64 n, i64 count, const void *a, void *b))                        \
    HOST(inv, int, (int dtype, i64 n, void *a))                                                    \
    HOST(cholesky, int, (int dtype, i64 n, void *a))                                               \
    HOST(det, int, (int dtype, i64 n, const void *a, void *value))                                 \
    /* n normal or uniform numbers from a state; `next` 0: the state after them is not wanted */   \
    HOST(draw, int, (int normal, i64 n, const void *from, void *next, void *out))
// clang-format on

enum {
#define HOST(NAME, RESULT, PARAMS) HOST_##NAME,
    HOST_FUNCTIONS(HOST)
#undef HOST
        HOST_COUNT
};
typedef void (*AnyFunction)(void);
/* The functions, in that order. */
void native_host(AnyFunction out[HOST_COUNT]);

/* What a block's code leaves to the machine: how often that stands there. */
typedef struct {
    const Block *block;
    const Node *node;
    InsOp op;
} NativeLeft;

struct NativeText {
    Text c;
    VEC(const void *) table;
    VEC(void *) slots;   /* where the address of each function goes: a NativeTiles, .. */
    VEC(Block *) blocks; /* loops that are written */
    VEC(bool) heavy;     /* of each: as in Block, of its code in C */
    VEC(NativeLeft) left;
    u32 tiles;   /* fused groups that are written */
    u32 columns; /* those of them with reductions by columns */
    u32 shorts;  /* fused groups on short rows */
    u32 rows;    /* parts by rows that are written */
    u32 feeds;   /* groups whose elements go into arrays in order */
    u32 strided; /* fused groups on rows of operands that are smaller or have strides */
};

/* The functions of a loaded program. */
struct NativeProgram {
    NativeState state;
    void *library;
    const void **table;
    double spent; /* by the machine on what could be native, in predicted nanoseconds */
    bool looked;  /* in the folder, in vain */
};

/* Before the machine spends so many nanoseconds more on that, as predicted (ops/cost.h): loads the
 * program's code if that is worth it. */
void native_consider(Native *n, const Program *p, double nanoseconds);
void program_native_free(Program *p);

/* native_build.c: the library made of a text, from the folder or compiled; NULL, with a note in
 * n->note if it is for ever. */
void *native_library(Native *n, const char *text, size_t len, bool compile, bool *cached);

#endif
