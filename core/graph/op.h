/* What an operator is: a row of the table, and its attributes.
 *
 * Invariant: op_table[OP_X] is the row of X. The rows stand in ops/ops.def and ops/elem.def, their
 * functions in the file of the family; core/registry.c puts both together. */
#ifndef GRADUS_OP_H
#define GRADUS_OP_H

#include "graph/store.h"
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
    PARTIAL = 1 << 0,   /* may fail at run time: never hoisted or speculated without proof */
    COMMUTES = 1 << 1,  /* operands are sorted when built */
    NARY = 1 << 2,      /* flattened by a rule */
    EXPENSIVE = 1 << 3, /* worth keeping for a reverse loop */
    HIDDEN = 1 << 4,    /* not a function users call by name */
    TUPLE_RESULT = 1 << 5,
    BY_SHAPE = 1 << 6,  /* with PARTIAL: fails because of shapes only, whatever the values are */
    ANY_ORDER = 1 << 7, /* f(x, z) = f(z, x), though operands stay in the order they have */
    MOVES = 1 << 8,     /* each element is an element of operand 0, in the order of a fixed plan */
    MIXES = 1 << 9,     /* sums of elements of operand 0: linear, but no plan of elements */
    READS = 1 << 10,    /* looks at a part of operand 0 only; operand 1, if any, says where */
    UPDATES = 1 << 11,  /* (x, where, v): changes x in place if it can; the last attribute is how */
    ALIASES = 1 << 12, /* the result may share the memory of operand 0 (of a check: of operand 1) */
    SIZES = 1 << 13    /* the operands from min_ops on are the sizes of the result */
};

/* How an operator is written in the language. A new one that is called by its name or has a sign
 * needs nothing of the printers. */
typedef enum {
    FORM_call,     /* name(a, b, attribute=..) */
    FORM_name,     /* what it is called: an input */
    FORM_param,    /* what it stands for, or its name in the graph */
    FORM_hole,     /* its name */
    FORM_constant, /* its value */
    FORM_size,     /* n + 1 */
    FORM_tuple,    /* (a, b) */
    FORM_result,   /* of what gives several: S.final, x[0] */
    FORM_dtype,    /* f64(x) */
    FORM_quote,    /* x' where it swaps the last axes, else a call */
    FORM_scan,
    FORM_loop,
    FORM_choice,     /* if c then a else b */
    FORM_fused,      /* fused(a + b) */
    FORM_applied,    /* f(a, b), a function of the program */
    FORM_derivative, /* grad(y, x), vjp(y, x, ybar), jvp(y, x, dx) */
    FORM_lanes,      /* vmap(x -> y)(xs) */
    FORM_COUNT
} OpForm;

/* Kinds of attributes; see AttrValue. A letter that is not here does not compile. */
enum {
    ATTR_KIND_i = 'i',
    ATTR_KIND_b = 'b',
    ATTR_KIND_d = 'd',
    ATTR_KIND_I = 'I',
    ATTR_KIND_s = 's',
    ATTR_KIND_t = 't',
    ATTR_KIND_v = 'v',
    ATTR_KIND_g = 'g',
    ATTR_KIND_z = 'z',
    ATTR_KIND_p = 'p'
};

typedef struct {
    const char *name;
    char kind;
    bool optional; /* `usual` if it is not written */
    i64 usual;
} OpAttr;

struct Vjp;
struct Batch;
struct Jvp;
struct EvalArgs;
struct Fact;
struct Facts;
typedef struct {
    const char *name;
    int min_ops, max_ops; /* max_ops -1: any number */
    OpClass cls;
    u32 flags;
    int nattrs;
    const OpAttr *attrs;
    Type *(*infer)(Store *st, Node *n); /* n is a probe: op, attrs, ops set */
    bool (*vjp)(struct Vjp *v, Node *n, Node *dy);
    bool (*jvp)(struct Jvp *j, Node *n);     /* some operand has a tangent */
    bool (*batch)(struct Batch *b, Node *n); /* some operand is batched */
    int (*eval)(struct EvalArgs *e);
    bool (*total)(Store *st, const Node *n);              /* it cannot fail: proved */
    struct Fact (*facts)(struct Facts *f, const Node *n); /* of the result (the first of several) */
    const char *rule; /* the differential in words; "": none, or that of elem.def */
    const char *doc;
    OpForm form;
    const char *word; /* what it is called in the language; NULL: its name */
} OpInfo;

extern const OpInfo op_table[OP_COUNT];

/* What is known of operators on numbers (ops/traits.def). */
enum {
    ENTIRE = 1 << 0,        /* where its operands are finite it has no pole */
    POLE_AT_ZERO = 1 << 1,  /* none but where an operand is 0 */
    UNDERFLOWS = 1 << 2,    /* gives 0 of what is not 0 only because its result is too small */
    NEVER_ZERO = 1 << 3,    /* gives 0 only because its result is too small */
    PLUS_ZERO = 1 << 4,     /* never gives -0 */
    ZERO_OF_FIRST = 1 << 5, /* gives -0 only if operand 0 has one */
    SIGN_OF_FIRST = 1 << 6, /* has the sign of operand 0, that of its zeros, too */
    DECIDES = 1 << 7,       /* a small change of what it reads may change its value as a whole */
    RISES = 1 << 8          /* never less than any operand, and NaN where one is */
};
extern const u32 op_traits[OP_COUNT];

/* Attribute kinds and names of an operator; names are static strings, not interned. Beyond the last
 * one: 0 and "". */
static inline int op_attr_count(OpId op) { return op_table[op].nattrs; }
static inline char op_attr_kind(OpId op, int i)
{
    return i < op_table[op].nattrs ? op_table[op].attrs[i].kind : '\0';
}
static inline const char *op_attr_name(OpId op, int i)
{
    return i < op_table[op].nattrs ? op_table[op].attrs[i].name : "";
}
/* "axes:I ddof:i?0": all of them, for people. */
void op_attrs_print(Text *out, OpId op);
/* The attribute that a keyword names (`axis` is good for `axes` too); -1: none. */
int op_attr_index(OpId op, const char *keyword);
/* The value of a number that need not be written; false if it must be. */
bool op_attr_default(OpId op, int i, i64 *value);
/* Does an attribute of n have the value that is not written? Of a list that is the empty one. */
bool node_attr_is_usual(const Node *n, int i);
/* OP_COUNT if there is none. */
OpId op_by_name(const char *name);
/* The operator that a sign of the syntax stands for; OP_COUNT if it is not one (transposition). */
OpId op_of_sign(AstOp sign);
/* How an operator is written between its operands (infix) or before the one it has. */
bool op_sign(OpId op, bool infix, AstOp *sign); /* false: as name(...) */
const Sign *op_infix(OpId op);                  /* its row, or NULL */
/* "%0 + %1", "-%0": that with places for the operands; "" for name(...). */
const char *op_form(OpId op, char out[16]);
static inline const char *op_word(OpId op)
{
    return op_table[op].word ? op_table[op].word : op_table[op].name;
}
static inline const OpInfo *node_info(const Node *n) { return &op_table[n->op]; }
/* A derivative or a batch that is yet to be expanded. */
static inline bool node_is_implicit(const Node *n) { return node_info(n)->cls == CLASS_IMPLICIT; }
static inline bool op_is_elementwise(OpId op) { return op_table[op].cls == CLASS_ELEMENTWISE; }
bool type_has_floats(const Type *t);

#endif
