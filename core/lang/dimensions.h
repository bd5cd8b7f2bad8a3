/* Names of dimensions: `x : f64[batch n, feature d]`.
 *
 * Invariant: no node, type or step contains them. The store knows those that the declaration of an
 * input gave (graph/leaves.c); those of every other node follow from its operator and from the
 * names of its operands, and are found when somebody asks. An operator without a rule here gives
 * dimensions without names, and a dimension without a name matches any other. */
#ifndef GRADUS_DIMENSIONS_H
#define GRADUS_DIMENSIONS_H

#include "lang/elab.h"

/* By axis; NULL each where there is none. */
typedef struct {
    Symbol at[MAX_RANK];
} DimNames;

/* Two names that met. */
typedef struct {
    Node *at; /* where; NULL: nowhere */
    const Node *side[2];
    DimNames names[2]; /* of both sides, as they stand there */
    Symbol name[2];
} DimClash;

/* What is found of nodes, until a collection or another declaration. */
typedef struct Dimensions {
    Store *st;
    Elab *e; /* whose variables of open bodies are of something; NULL: nobody's */
    MAP(Node *, const DimNames *) of;
    MAP(u64, const DimNames *const *) bodies; /* of a graph whose parameters have these names */
    MAP(Node *, Node *) like;                 /* a state's variable -> its initial value */
    NodeSet done;
    Arena arena;
    const DimNames *const *params; /* inside a body: of its parameters */
    int nparams;
    struct Dimensions *outermost; /* NULL: this is it */
    DimClash clash;
    u32 age;
} Dimensions;

/* Are there any names at all? */
static inline bool dimensions_exist(const Store *st) { return st->dimensions.len > 0; }
/* Of a tensor, or of each part of a tuple-typed node, one after the other; NULL: none has a name.
 */
const DimNames *dimensions_of(Dimensions *d, Node *n);
/* The context of the results of the body of `owner`, to be ended. */
Dimensions dimensions_within(Dimensions *d, const Node *owner, const Graph *body);
void dimensions_end(Dimensions *d);
/* "f64[batch n, 3]"; names NULL: as type_print, or with numbers as type_print_numbered. */
void dimensions_type_print(Text *out, const Type *t, const DimNames *names, Numbering *num);

/* ---- the elaborator ---- */
/* The names in a value; NULL: none. */
const DimNames *dimensions_of_value(Elab *e, const Value *v);
/* The variable of a state has the names of what it starts with. */
void dimensions_note_state(Elab *e, Node *variable, Node *init);
/* Do a and b have the same names, so that one may stand for the other? false after a diagnostic
 * that says `what`: "the branches of `if` have different dimensions". */
bool dimensions_same(Elab *e, Node *a, Node *b, Span span, const char *what);
/* What x was elaborated to: do names that meet agree? false after a diagnostic. */
bool dimensions_agree(Elab *e, const Expr *x, Value *v);
/* The argument x for a parameter of f: axis=batch, axis=(batch, feature): the numbers of the
 * dimensions that `of` calls so, or NULL: it is to be read as any expression. *failed after a
 * diagnostic. */
Value *dimensions_as_axis(Elab *e, const Value *f, const char *parameter, const Expr *x, Value *of,
                          bool *failed);
/* x[feature=0]: the same subscripts by place; NULL after a diagnostic. */
Sub *dimensions_in_order(Elab *e, Node *x, Sub *subs, int *nsubs, Span span);
void dimensions_forget(Elab *e); /* the elaborator ends */

/* ---- for dimensions.c ---- */
const DimNames *dimensions_infer(Dimensions *d, Node *n); /* its operands are known */
/* What a variable of an open body is of, without `axis` (-1: all of it); NULL: nothing. */
Node *dimensions_source(Dimensions *d, Node *n, int *axis);
DimNames *dimensions_new(Dimensions *d, int n);
/* Of the outputs of a body whose parameters have these names (NULL each: none). */
const DimNames *const *dimensions_of_body(Dimensions *d, const Graph *g,
                                          const DimNames *const *params);

#endif
