/* What the parts of the writer of C share: export_c.c (the file), export_values.c (names, sizes),
 * export_elem.c (elementwise operators and reductions), export_shape.c (shapes, indexing,
 * products), export_loops.c (scans, branches, calls).
 *
 * Invariant: a node is written where it is first needed, so what only a branch needs is in the
 * branch. After a failure everything returns something, and x->why says what failed. */
#ifndef GRADUS_EXPORT_WRITE_H
#define GRADUS_EXPORT_WRITE_H

#include "emit/elem_text.h"
#include "emit/export.h"
#include "graph/control.h"

/* Precedence: how tightly a text binds, and how tightly one that is put into another has to. Texts
 * carry theirs (CValue); c_signs.def has both for the signs; `wrapped`, which compares them, is all
 * that writes parentheses for precedence. */
enum {
    PREC_OTHER, /* x ? y : z, comparisons, bits */
    PREC_SUM,
    PREC_PRODUCT,
    PREC_ATOM /* a name, a number, f(x), x[i], a cast of one */
};

/* A value in C. Of an array: a name; or, if `element`, an expression of one element, at `i`. */
typedef struct CValue {
    DType dtype;
    int rank;
    int prec; /* of `text` as an expression */
    bool element;
    const char *text;
    const char *dim[MAX_RANK];
} CValue;

typedef struct {
    Export *x;
    Store *st;
    Arena arena;
    Text body; /* of the function */
    int depth;
    u32 rooms;                       /* arrays, each with memory of its own */
    MAP(Symbol, int) taken;          /* names in use -> the number to try next behind them */
    MAP(Symbol, const char *) sizes; /* of named sizes -> their names in C */
    bool helpers[64];                /* functions that the file needs */
    int branches;                    /* around what is written: memory there must last */
    const Node *result;              /* that is written to its place now */
    bool failed;
} CWriter;

/* Where values are: in a block of the text, of one graph. */
typedef struct CScope {
    struct CScope *up; /* a block around, of the same graph */
    const Graph *graph;
    PtrMap values;        /* node -> CValue *; tuple -> CValue ** */
    NodeCounts *uses;     /* Node -> how often it is an operand in this graph */
    struct CScope *outer; /* of a branch: where its arguments are computed when they are needed */
    Node *const *args;    /* by parameter */
} CScope;

/* export_names.c: words of C, of its library, and of what is written around expressions. */
bool is_reserved(const char *name);

/* export_values.c */
const char *word(CWriter *w, const char *fmt, ...) PRINTF_LIKE(2, 3); /* lasts */
void line(CWriter *w, const char *fmt, ...) PRINTF_LIKE(2, 3);
void close_brace(CWriter *w, const char *after);
void *cannot(CWriter *w, const Node *n, const char *fmt, ...) PRINTF_LIKE(3, 4); /* NULL */
const char *fresh_name(CWriter *w, const char *like);        /* an identifier like that, taken */
const char *size_named(CWriter *w, Symbol name);             /* the one that stands for it */
const char *told_name(CWriter *w, CScope *s, const Node *n); /* its own, or that of its operator */
const char *bytes_of_array(CWriter *w, const CValue *v, int from); /* from that axis on */
bool cannot_fail(CWriter *w, const Node *n);                       /* proved */
const char *name_for(CWriter *w, CScope *s, const Node *n);
const char *size_text(CWriter *w, CScope *s, const Size *size);      /* NULL after a failure */
const char *count_of(CWriter *w, const CValue *v, int from, int to); /* product of dims */
const char *element_of(CWriter *w, const CValue *v);                 /* at i */
/* The one that writes parentheses. */
const char *wrapped(CWriter *w, const char *text, int prec, int least);
const char *element_at(CWriter *w, const CValue *v, int least); /* the element at i, so tight */
CValue *value_new_c(CWriter *w, DType d, int rank);
CValue *scalar_value(CWriter *w, DType d, const char *text, int prec);
/* A new array with room for these dims, named after n. */
CValue *array_value(CWriter *w, CScope *s, const Node *n, DType d, int rank,
                    const char *const *dims);
CValue *array_named(CWriter *w, const char *name, DType d, int rank, const char *const *dims);
CValue *need(CWriter *w, CScope *s, Node *n);       /* never NULL */
CValue *need_array(CWriter *w, CScope *s, Node *n); /* the same with a name */
void bind(CScope *s, const Node *n, CValue *v);
u32 uses_of(const CScope *s, const Node *n);
void count_uses(NodeCounts *uses, int nroots, Node *const *roots);
void scope_end(CScope *s);

/* By kind of operator; NULL: it is none of these. */
CValue *write_elementwise(CWriter *w, CScope *s, Node *n);
CValue *write_reduction(CWriter *w, CScope *s, Node *n);
CValue *write_shape(CWriter *w, CScope *s, Node *n);
/* Ends the function with that error where the condition holds; NULL. */
CValue *failing(CWriter *w, const char *condition, const char *message);
/* The place in x whose index along axis a is at[a]. */
const char *place_in(CWriter *w, const CValue *x, const char *const *at);
CValue *write_linalg(CWriter *w, CScope *s, Node *n);
CValue *write_control(CWriter *w, CScope *s, Node *n);
/* export_random.c: states of generators, what is drawn (two results), orders */
CValue *write_generator(CWriter *w, CScope *s, Node *n);
CValue **write_draw(CWriter *w, CScope *s, Node *n);
CValue *write_sort(CWriter *w, CScope *s, Node *n);   /* sort, argsort */
CValue *write_search(CWriter *w, CScope *s, Node *n); /* searchsorted */
CValue **write_slogdet(CWriter *w, CScope *s, Node *n);
CValue **write_dft(CWriter *w, CScope *s, Node *n);
const char *state_literal(CWriter *w, const Tensor *t, i64 i); /* the i-th, in braces */
void put_philox(Text *out);
void put_special(Text *out);
void put_sorts(Text *out);
bool is_taken_over(const char *name);          /* it means something in their sources */
bool is_function_taken_over(const char *name); /* a function of theirs that is not called here */
/* Results of operators with several. */
CValue *result_of(CWriter *w, CScope *s, Node *tuple, i64 index);
/* The functions that were used. */
void put_helpers(const CWriter *w, Text *out);
void c_string(Text *out, const char *s);
bool is_helper(const char *name);
void use_helper(CWriter *w, const char *name);
bool uses_helper(const CWriter *w, const char *name);

#endif
