/* The table of operators: one row each in ops/all.def (which gathers ops.def and
 * the elementwise rows of elem.def), functions in the file of the family. */
#ifndef GRADUS_OPS_H
#define GRADUS_OPS_H

#include "graph/graph.h"

typedef enum {
    CLASS_STRUCTURAL,
    CLASS_CONTROL,
    CLASS_IMPLICIT,
    CLASS_ELEMENTWISE,
    CLASS_COMPOSITE,
    CLASS_REDUCE,
    CLASS_SHAPE,
    CLASS_INDEX,
    CLASS_LINALG,
    CLASS_RANDOM,
    CLASS_COUNT
} OpClass;
const char *class_name(OpClass c);

enum {
    TOTAL = 0,
    PARTIAL = 1,   /* may fail at run time: never hoisted or speculated without proof */
    COMMUTES = 2,  /* operands are sorted when built */
    NARY = 4,      /* flattened by a rule */
    EXPENSIVE = 8, /* worth keeping for a reverse loop */
    HIDDEN = 16,   /* not a function users call by name */
    TUPLE_RESULT = 32
};

struct Vjp;
struct Batch;
struct Jvp;
struct EvalArgs;
typedef struct {
    const char *name;
    int min_ops, max_ops; /* max_ops -1: any number */
    OpClass cls;
    u32 flags;
    const char *schema;                 /* "axes:I keepdims:b": attributes, in order */
    Type *(*infer)(Store *st, Node *n); /* n is a probe: op, attrs, ops set */
    bool (*vjp)(struct Vjp *v, Node *n, Node *dy);
    bool (*jvp)(struct Jvp *j, Node *n);     /* some operand has a tangent */
    bool (*batch)(struct Batch *b, Node *n); /* some operand is batched */
    int (*eval)(struct EvalArgs *e);
    const char *form; /* printed form: "%0 + %1", or "" for name(...) */
    const char *rule; /* the differential in words; "": none, or that of elem.def */
    const char *doc;
} OpInfo;

extern const OpInfo op_table[OP_COUNT];

/* Attribute kinds and names of an operator; names are static strings, not interned. */
int op_attr_count(OpId op);
char op_attr_kind(OpId op, int i);
void op_attr_name(OpId op, int i, char out[32]);
/* The attribute that a keyword names (`axis` is good for `axes` too); -1: none. */
int op_attr_index(OpId op, const char *keyword);
bool type_has_floats(const Type *t);
/* Reports that n has no derivative, with `why` (may be NULL) as the hint; false. */
bool derivative_missing(Store *st, const Node *n, const char *why);
/* Adds to that report in whose equation n stands: the first in `order` (operands before users) that
 * has a name and depends on n. Says it once. */
void derivative_missing_place(Store *st, const NodeVec *order, const Node *n);
/* The value of a number that need not be written; false if it must be. */
bool op_attr_default(OpId op, int i, i64 *value);
/* OP_COUNT if there is none. */
OpId op_by_name(const char *name);
static inline const OpInfo *node_info(const Node *n) { return &op_table[n->op]; }
static inline bool op_is_elementwise(OpId op) { return op_table[op].cls == CLASS_ELEMENTWISE; }

/* Shape helpers shared by the families. NULL after a diagnostic. */
/* The common shape of elementwise operands: scalars adapt, others must agree. */
bool common_shape(Store *st, Node *n, u32 first, u32 count, int *rank, Size **dims);
const char *shape_text(Store *st, const Type *t); /* in st->scratch, for messages */

/* Results of evaluating one node: 0, or a message in `error`. */
typedef struct EvalArgs {
    Store *st;
    Heap *heap;
    const Node *node;
    int nin, nout;
    Tensor **in; /* owned by the caller; in[i] may be overwritten in place if tensor_writable(in[i])
                    and moved[i] */
    bool *moved; /* this is the operand's last use */
    Tensor **out; /* to fill, one reference each */
    Text *error;
    const char *code; /* of the error; "run-time" unless set */
} EvalArgs;
int eval_fail(EvalArgs *e, const char *code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* A fresh result, or the moved operand's own memory if it fits; NULL after eval_fail. */
Tensor *eval_new(EvalArgs *e, DType d, int rank, const i64 *shape);
/* Operand k as an integer (scalars). */
i64 eval_int(const EvalArgs *e, int k);

#endif
