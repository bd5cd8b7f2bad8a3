/* What an operator is: a row of the table, and its attributes.
 *
 * Invariant: op_table[OP_X] is the row of X. The rows stand in ops/ops.def and ops/elem.def, their
 * functions in the file of the family; core/registry.c puts both together. */
#ifndef GRADUS_OP_H
#define GRADUS_OP_H

#include "graph/graph.h"
#include "syntax/sign.h"

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
/* The value of a number that need not be written; false if it must be. */
bool op_attr_default(OpId op, int i, i64 *value);
/* OP_COUNT if there is none. */
OpId op_by_name(const char *name);
/* The operator that a sign of the syntax stands for; OP_COUNT if it is not one (transposition). */
OpId op_of_sign(AstOp sign);
/* How an operator is written between (infix) or before its operand; NULL: as name(...). */
const Sign *op_infix(OpId op);
const Sign *op_prefix(OpId op);
/* "%0 + %1", "-%0": that with places for the operands; "" for name(...). */
const char *op_form(OpId op, char out[16]);
static inline const OpInfo *node_info(const Node *n) { return &op_table[n->op]; }
static inline bool op_is_elementwise(OpId op) { return op_table[op].cls == CLASS_ELEMENTWISE; }
bool type_has_floats(const Type *t);

#endif
