/* What the operators' functions and their callers share: shapes, evaluation, reports. */
#ifndef GRADUS_OPS_H
#define GRADUS_OPS_H

#include "graph/op.h"

/* Reports that n has no derivative, with `why` (may be NULL) as the hint; false. */
bool derivative_missing(Store *st, const Node *n, const char *why);
/* Adds to that report in whose equation n stands: the first in `order` (operands before users) that
 * has a name and depends on n. Says it once. */
void derivative_missing_place(Store *st, const NodeVec *order, const Node *n);

/* Is it proved that it cannot fail if its operands are there (total.c)? */
bool node_is_total(Store *st, const Node *n);
bool elem_is_total(const Node *n);           /* the same of an elementwise operator */
bool nodes_are_total(Store *st, Node *root); /* everything that root reaches */
/* The same as node_is_total; a loop, a branch or a call where its graphs are: however long it
 * takes. */
bool node_surely_runs(Store *st, const Node *n);
/* The same of a closed graph and those in it: no step and no branch can fail. */
bool graph_is_total(Store *st, const Graph *g);

/* Shape helpers shared by the families. NULL after a diagnostic. */
/* The common shape of elementwise operands: scalars adapt, others must agree. */
bool common_shape(Store *st, Node *n, u32 first, u32 count, int *rank, Size **dims);
/* The one that says more: a constant, then one without node values, then b. */
Size *size_prefer(Size *a, Size *b);
Type *type_without_axis(Store *st, const Type *t, int axis, DType d);
const char *shape_text(Store *st, const Type *t); /* in st->scratch, for messages */

/* What went wrong at n when a kernel gave this status; kstatus_code tells the error's code. */
void status_error(Text *out, const Node *n, int status);

/* Results of evaluating one node: 0, or a message in `error`. */
typedef struct EvalArgs {
    Store *st;
    Heap *heap;
    const Node *node;
    int nin, nout;
    Tensor **in; /* owned by the caller; in[i] may be overwritten in place if tensor_writable(in[i])
                    and moved[i] */
    bool *moved; /* this is the operand's last use */
    Tensor **out;   /* to fill, one reference each */
    Destination to; /* of the only result */
    Text *error;
    const char *code;           /* of the error; "check" unless set */
    const Interrupt *interrupt; /* NULL: nobody can */
} EvalArgs;
/* A check whose message has {a}, and {b} or {b+3}, for what its condition a <= b compares. */
bool check_tells_sides(const Node *check);
/* x, after making sure of something. The second is for what takes the place of an index: its error
 * has the code that the index would have had. NULL if an operand is. */
Node *node_check(Store *st, Symbol message, Node *holds, Node *x);
Node *node_check_index(Store *st, Symbol message, Node *holds, Node *x);
const char *check_code(const Node *check); /* of the error if it fails */
/* What it says when it fails, with both sides or (NULL) without numbers. */
void check_message(Text *out, const Node *check, const i64 *sides);
int eval_fail(EvalArgs *e, const char *code, const char *fmt, ...) PRINTF_LIKE(3, 4);
int eval_index_error(EvalArgs *e, i64 index, int axis); /* of operand 0 */
/* To be asked by what takes long, every EVAL_PIECE elements; true after eval_fail. Even. */
enum { EVAL_PIECE = 1 << 18 };
bool eval_interrupted(EvalArgs *e);
/* A fresh result, or the moved operand's own memory if it fits; NULL after eval_fail. */
Tensor *eval_new(EvalArgs *e, DType d, int rank, const i64 *shape);
/* Operand k as an integer (scalars). */
i64 eval_int(const EvalArgs *e, int k);

#endif
