/* The elaborator: syntax trees -> nodes.
 *
 * Invariant: values exist only while a graph is built. Bodies (of scans, functions,
 * branches) are elaborated open, over the outer nodes themselves with holes for what
 * the body binds, and closed when complete; an OpenScope notes which outer names they
 * mention, because those, and only those, are captured where they stand. */
#ifndef GRADUS_ELAB_H
#define GRADUS_ELAB_H

#include "syntax/ast.h"
#include "graph/walk.h"
#include "ops/build.h"

typedef struct Value Value;
typedef struct Env Env;
typedef struct Elab Elab;
typedef struct Args Args;
typedef VEC(Value *) ValueVec;

typedef enum {
    V_NODE,     /* node; weak: a number that takes the dtype of its context */
    V_TUPLE,    /* items, names */
    V_RECORD,   /* the result of a scan */
    V_FUNCTION, /* params, body, env */
    V_BUILTIN,  /* builtin */
    V_DERIVED,  /* builtin applied to a function: grad(f), vmap(f) */
    V_STRING,   /* text */
    V_NONE,
    V_TAPPED /* inside a scan body: a state, sequence or output of that scan */
} ValueKind;

typedef struct {
    const char *name;      /* "sum" */
    const char *signature; /* "x, axis=None, keepdims=false" */
    Value *(*apply)(Elab *e, Args *args);
    const char *doc;
} Builtin;

typedef struct {
    Symbol name;
    Value *form; /* of a tuple: its structure; NULL: one tensor */
    int n;       /* tensors */
    int *traces; /* of each, index among the scan's results */
    int *finals; /* the same; NULL for an output that is not a state */
} Equation;

typedef struct {
    Node *scan;
    int nequations;
    Equation *equations;
    int steps; /* index of the result `steps`; `stopped` follows */
} Record;

/* How a derivative is taken. */
typedef struct {
    bool zero;      /* what is not connected has derivative zero instead of being an error */
    bool keep;      /* or is differentiated by all the same */
    i64 truncate;   /* only the last so many executed steps of each loop; -1: all */
    i64 checkpoint; /* the policy of loops that have none: CHECKPOINT_NONE, _AUTO or k >= 1 */
} DeriveOptions;

struct Value {
    ValueKind kind;
    Node *node;
    bool weak;
    int nitems;
    Value **items;
    Symbol *names; /* of the items; NULL: they have none */
    Record *record;
    const Builtin *builtin;
    Value *function;           /* V_DERIVED */
    Value *in_axes, *out_axes; /* V_DERIVED by vmap; NULL: not given */
    DeriveOptions derive;      /* V_DERIVED by grad and the like */
    const char *text;          /* V_STRING; V_FUNCTION: its name */
    const char *doc;           /* V_FUNCTION: the comment above its definition, or NULL */
    int nparams;
    Bind *params;
    Expr *body;
    Env *env;
    Value *more; /* V_FUNCTION of the prelude: the one of this name that takes more arguments */
    Value *(*of_tuples)(Elab *e, int n, Value **args, Span span); /* and what to do with tuples */
    int active; /* V_FUNCTION: calls that are being elaborated (without end: recursion, an error) */
    struct ScanBody *scan;
    int slot;
};

/* What a body that is being elaborated has taken from outside. */
typedef struct OpenScope {
    Outside outside;
    bool strict; /* `using` was given */
    int nusing;
    Bind *using_names;
    Span span;
    Env *env;                    /* its outermost environment */
    struct OpenScope *enclosing; /* that was being elaborated when this one was entered */
} OpenScope;

/* A function whose body, or a default of whose arguments, is being elaborated. */
typedef struct Calling {
    const Value *function;
    u32 serial; /* as of an environment */
    struct Calling *caller;
} Calling;

struct Env {
    Env *parent;
    u32 serial; /* in order of their making: an inner one has a larger one */
    struct {
        Symbol name;
        Value *value;
    } * at;
    int len, cap;
    bool lasts; /* longer than the arena of a statement: its tables are freed by its owner */
    int *slots; /* of a large environment: name -> position + 1, by open addressing */
    int nslots; /* a power of two, at least twice cap; 0: few names, looked through in order */
};

/* What the elaborator asks of the session it works for. */
typedef struct {
    void *session;
    /* What a global name is to stand for: v or a copy that lasts; `old` is let go. NULL: v itself.
     */
    Value *(*keep)(void *session, Symbol name, Value *v, Value *old);
    /* A global name is looked up; false: this text meant to give it anew and failed, so its older
     * meaning is of no use. May be NULL. */
    bool (*used)(void *session, Symbol name);
    /* What in the statement was built from an older meaning of a name; NULL: nothing. */
    Symbol (*older)(void *session, Symbol name);
    bool (*size_known)(void *session, Symbol name);
    bool (*name_failed)(void *session,
                        Symbol name); /* its definition had an error, reported already */
    /* What a name like %12 stands for; NULL after a diagnostic. */
    Node *(*numbered)(void *session, Expr *x);
    /* An input or size without a value that x needs; false: there is none. */
    bool (*missing)(void *session, Node *x, Node **first);
    /* The value of x now, a reference; NULL after a diagnostic. */
    Tensor *(*evaluate)(void *session, Node *x);
} ElabHost;

struct Elab {
    Store *st;
    Arena *arena;
    Env *env;
    Env *globals;
    int depth;
    OpenScope *open;       /* the innermost body, also around a function's body */
    Calling *calling;      /* the innermost function */
    u32 env_count;         /* and calls */
    u32 calls;             /* of functions, in this statement */
    u32 blamed;            /* calls that a note has pointed to, in this statement */
    const Expr *statement; /* the expression that is a statement of its own; NULL: there is none */
    const Source *prelude; /* a place in it is told only of what has no other */
    bool unplaced;         /* what is built is not of the program's text: no places are noted */
    u32 files;             /* that were read so far, each time it was */
    int in_branch;         /* inside a branch of `if`: certain index errors are only notes */
    MAP(Node *, struct View *)
    views; /* variable of an open body -> what it is a part of (views.c) */
    MAP(u64, size_t)
    drawn; /* hash of a draw of random numbers -> where it was first written, + 1 */
    const Source *drawn_in;        /* in this text; only compared */
    struct Dimensions *dimensions; /* what is known of their names (dimensions.h); NULL: nothing */
    const ElabHost *host;          /* who the text belongs to; NULL: nobody, as for the prelude */
};

/* ---- values ---- */
Value *value_node(Elab *e, Node *n); /* NULL for NULL */
Value *value_weak(Elab *e, Node *n);
/* What a builtin gave of weak numbers alone, weak. */
Value *weak_where_all_are(Elab *e, const Args *a, Value *v);
/* f32 meets what is f64 by no declaration, which would surprise: a note. */
void note_widening(Elab *e, int n, Value *const *v, Node *const *nodes, const Span *spans);
bool value_is_number(const Value *v); /* weak, and the same wherever it stands */
Value *value_tuple(Elab *e, int n, Value **items);
Value *value_tuple_like(Elab *e, const Value *like, Value **items); /* of its names */
bool value_is_function(const Value *v);
Value *value_of_kind(Elab *e, ValueKind kind);
/* A record as what it stands for: the trace, or the tuple of traces. Others: themselves. */
Value *value_plain(Elab *e, Value *v);
/* "f64[n]", "(f64, i64[3])", "function(x, scale=1)". (value_text.c) */
void value_type_print(Elab *e, Text *out, Value *v);
/* The same of a value whose leaves have these tensors, from *used on. */
void value_type_print_of(Elab *e, Text *out, Value *v, Tensor *const *tensors, int *used);
void value_signature_print(Text *out, const Value *f); /* "(x, scale=1)" of a function */
/* The node of a value, with its default dtype; NULL after a diagnostic at span. */
Node *value_to_node(Elab *e, Value *v, Span span, const char *what);
/* All nodes in a value in order; false if it holds something that is not a node. */
bool value_nodes(Elab *e, Value *v, NodeVec *out);
Value *value_rebuild(Elab *e, Value *like, Node *const *nodes, int *used);
/* The tensors of a value in order, those of tuples one by one; false if it has something else. */
bool value_leaves(Elab *e, Value *v, ValueVec *out);
/* What an equation's results are: the rows, or the last state. */
Value *equation_value(Elab *e, const Record *r, const Equation *q, const int *results);
/* The same structure over the nodes, or over the values, whatever stood there. */
Value *value_in_form(Elab *e, Value *like, Node *const *nodes, int *used);
Value *value_of_leaves(Elab *e, Value *like, Value *const *leaves, int *used);
Node *weak_retype(Store *st, Node *n, DType d);
/* v as a node that has dtype d if it is weak (a weak float stays f64 next to integers). */
Node *value_as(Elab *e, Value *v, DType d, Span span, const char *what);
/* The nodes of numbers that meet, weak ones in the dtype to which the others promote (a weak float
 * next to integers stays f64). DT_COUNT: they have no common dtype, or an out is NULL after a
 * diagnostic. */
DType values_meet(Elab *e, int n, Value *const *v, const Span *spans, const char *what, Node **out);
/* The same of n arguments from the first on. */
DType args_meet(Elab *e, Args *a, int first, int n, Node **out);
const char *value_describe(Elab *e, Value *v); /* "a tuple", "f64[3]", "a function" */
/* A constant whole number; false after a diagnostic. */
bool value_const_int(Elab *e, Value *v, i64 *out, Span span, const char *what);

/* ---- tuples (tuple.c) ---- */
/* "(W: f64[2, 2], b: f64)" in the arena. */
const char *tuple_structure(Elab *e, Value *v);
/* Do the values have one structure: the same number of parts, with the same names in the same
 * order? What the parts are does not count. */
bool tuple_same(Elab *e, Value *a, Value *b);
/* The same; after a diagnostic that shows both, false. `what`: "the state p starts as %s but its
 * equation gives %s". */
bool tuple_check(Elab *e, Value *a, Value *b, Span span, const char *hint, const char *what);
/* The tensors of a tuple, or the one that v is; false after a diagnostic. */
bool tuple_leaves(Elab *e, Value *v, Span span, const char *what, ValueVec *out);
/* The place of the part, or -1. */
int tuple_part(const Value *v, const char *name);
/* The part of that name; NULL after a diagnostic that says which there are. */
Value *tuple_field(Elab *e, Value *v, const char *name, Span span);
Value *tuple_item(Elab *e, Value *v, Expr *x); /* x = v[k]; the same */
/* What names a part: "p.W", "p.0". */
Symbol tuple_path(Elab *e, const char *whole, const Value *v, int i);
/* Those of its tensors, in order: "p.a.W". */
typedef VEC(Symbol) SymbolVec;
void tuple_paths(Elab *e, const char *whole, Value *v, SymbolVec *out);
/* Tuples are vectors: p + q, p - q, c * p, p / c, -p; anything else is an error. */
Value *tuple_binary(Elab *e, AstOp op, Value *a, Value *b, const Span at[3]);
Value *tuple_unary(Elab *e, AstOp op, Value *v, Span at, Span span);
/* p with .W = v, of a part that keeps its type; `path` is "W" or "a.W". */
Value *tuple_with(Elab *e, Value *v, const char *path, Value *part, bool add, const Span at[3]);
/* What a function of the prelude does instead with tuples among its arguments (NULL: the same);
 * that returns NULL after a diagnostic. */
Value *(*tuple_form_of(const char *name))(Elab *e, int n, Value **args, Span span);
Value *elab_binary(Elab *e, AstOp op, Value *a, Value *b, Span sa, Span sb, Span sop);
/* Are these two integers or two bools? Mixed they are a mistake: x > 0 & mask is x > (0 & mask).
 * false after a diagnostic. */
bool elab_have_bits(Elab *e, const Node *a, const Node *b, Span span, const char *what);
Value *elab_prefixed(Elab *e, AstOp op, Value *v, Span at, Span span); /* -v, v', not v */

/* ---- environments ---- */
Env *env_new(Elab *e, Env *parent);
/* A body is elaborated from here on, in an environment of its own within `parent`. */
void scope_enter(Elab *e, OpenScope *open, Env *parent);
void scope_leave(Elab *e, OpenScope *open, Env *saved);
void env_set(Elab *e, Env *env, Symbol name, Value *v);
Value *env_own(const Env *env, Symbol name);
/* What the name stood for before, as it was kept; NULL: nothing bears it. The name is known. */
void env_restore(Env *env, Symbol name, Value *v);
void env_call(Elab *e, const Value *function, Calling *calling); /* until env_return */
void env_return(Elab *e);
/* May the bodies with `using` that are being elaborated take `name` of `home` from outside? false
 * after a diagnostic. */
bool env_may_capture(Elab *e, const Env *home, Symbol name, Span span);
/* Looks a name up; crossing open scopes mentions the node there. NULL if unknown. */
Value *env_lookup(Elab *e, Symbol name, Span span, bool *refused);
/* `n` is used inside the current scopes although defined in `home`: mention it where it comes from
 * outside. */
void env_mention(Elab *e, const Env *home, Node *n);
/* The same of what a body captured that it does not mention. */
void env_mention_captured(Elab *e, Node *n);

/* ---- views (views.c) ---- */
/* The variable of an open body is position at + offset of the source along the axis (`at` NULL: all
 * of the source). */
void view_note(Elab *e, Node *variable, Node *source, int axis, Node *at, i64 offset);
/* What the variable is a part of, along *axis (-1: it is all of it); NULL: it is no view. */
Node *view_of(Elab *e, const Node *variable, int *axis);
/* n with the variables that depend on x read as what they are of, and x left alone; n itself if
 * there are none. NULL after a diagnostic. */
Node *view_through(Elab *e, Node *n, const Node *x);

/* ---- elaboration; NULL after a diagnostic ---- */
void elab_start(Elab *e); /* a statement or an expression of a command begins */
Value *elab_expr(Elab *e, Expr *x);
Node *elab_node(Elab *e, Expr *x, const char *what);
Value *elab_array(Elab *e, Expr *x);
Value *elab_index(Elab *e, Expr *x);
Value *elab_field(Elab *e, Expr *x);
/* x at one position of an axis; refused if that is certainly out of range, except in a branch. */
Node *elab_position(Elab *e, Node *x, int axis, Node *i);
/* x[mask] and x with [mask] = value (elab_mask.c); the mask is of bools. */
Value *elab_masked(Elab *e, Node *x, Node *mask, Span span);
Node *elab_write_masked(Elab *e, Node *x, Node *mask, Value *value, bool add, Span span);
/* x[subs]; weak where x is. */
Value *elab_part(Elab *e, Value *base, Sub *subs, int nsubs, Span span);
Value *elab_with(Elab *e, Expr *x);
Value *elab_scan(Elab *e, Expr *x);
Value *elab_tap(Elab *e, Value *tapped, Expr *x); /* x = tapped[...] */
Value *elab_whole(Elab *e, Value *tapped,
                  Span span);         /* a sequence's name alone: the whole outer value */
Value *elab_name(Elab *e, Expr *x);   /* as elab_expr, but a state or sequence stays V_TAPPED */
Value *elab_called(Elab *e, Expr *x); /* the function of a call */
bool name_is_value(const char *name); /* pi, e, nan, inf, None, zero, keep: no size is called so */
Value *elab_call(Elab *e, Expr *x);
/* What is called is v, no function; if it hides one of the language, the error says so. NULL. */
Value *elab_not_callable(Elab *e, const Expr *called, Value *v);
/* Notes that a definition hides the function that it calls: rng = rng(1). (hidden.c) */
void note_hidden(Elab *e, const Stmt *s);
const char *hint_recursion(const Value *f); /* what to do where f calls itself */
Value *elab_fused(Elab *e, Expr *x);        /* fused(expression), which stands as a body does */
Value *elab_fits(Elab *e, Expr *x);         /* fits(a + b): of operands that have one shape */
/* Applies a function value to argument values. */
Value *elab_apply(Elab *e, Value *f, int n, Value **args, Span span);
bool elab_define(Elab *e, const Stmt *s); /* S_DEFINE, S_FUNCTION into the current environment */
void *elab_error(Elab *e, Span span, const char *code, const char *hint, const char *fmt, ...)
    PRINTF_LIKE(5, 6);

/* Closes an open scope into a call-like graph: value in, graph and captures out. */
bool elab_close(Elab *e, OpenScope *open, int nfixed, Node *const *fixed, int nseqs,
                Node *const *seqs, int nouts, Node *const *outs, Closed *out);

/* x @ y of one dtype; batches broadcast as in NumPy. */
Node *matmul_broadcast(Elab *e, Node *x, Node *y);
/* x repeated along the batch axes that `other` has and it lacks, or has at length 1; the last two
 * stay. */
Node *with_batch(Elab *e, Node *x, Node *other);

/* ---- arguments of a builtin ---- */
struct Args {
    const Builtin *builtin;
    Span span; /* of the call */
    int n;
    Value *at[12]; /* by place in the signature; NULL: not given */
    Span spans[12];
    int nrest; /* signature ends in "..." */
    Value **rest;
};
const char *arg_name(const Args *a, int i, char name[32]); /* its name in the signature */
Node *arg_node(Elab *e, Args *a, int i);
Node *arg_tensor(Elab *e, Args *a, int i); /* no tuple */
bool arg_int(Elab *e, Args *a, int i, i64 fallback, i64 *out);
bool arg_bool(Elab *e, Args *a, int i, bool fallback, bool *out);
/* An int, a tuple of ints or None (all): sorted, non-negative axes. */
const IntList *arg_axes(Elab *e, Args *a, int i, int rank);
bool arg_axis(Elab *e, Args *a, int i, i64 fallback, int rank, int *out);
/* A shape: an integer, a tuple of integers, or an i64 vector; up to MAX_RANK scalar i64 nodes. -1
 * after a diagnostic. */
int arg_shape(Elab *e, Args *a, int i, Node **dims);
bool arg_dtype(Elab *e, Args *a, int i, DType fallback, DType *out);
const Builtin *builtin_by_name(const char *name);
extern const Builtin builtins[];
extern const size_t builtin_count;
/* The chapters of builtins.def; the rows of elem.def are in the first, `elementwise`. */
typedef struct {
    const char *name, *title; /* "reduce", "Reductions and running sums" */
} BuiltinGroup;
const BuiltinGroup *builtin_group(size_t k); /* NULL after the last */
const BuiltinGroup *builtin_group_of(const Builtin *b);

/* ---- derivatives (derive.c) ---- */
static const DeriveOptions whole_derivative = {.truncate = -1};
/* Derivatives of `loss` with respect to nodes of the graph, each the total one, so that a node may
 * depend on another or be wanted twice; outs[i]; value (may be NULL): the loss
 * read off the same node. */
bool derive_grad(Elab *e, Node *loss, int n, Node *const *wrt, DeriveOptions o, Node **outs,
                 Node **value, Span span);
/* Whether y can be differentiated by each of x and depends on it (`zero`: need not); else a
 * diagnostic. */
bool derive_connected(Elab *e, Node *y, int n, Node *const *x, bool zero, Span span);
/* Vector-Jacobian product; vectors: one per y. */
bool derive_vjp(Elab *e, int ny, Node *const *y, int nx, Node *const *x, Node *const *ybar,
                DeriveOptions o, Node **outs, Span span);
/* The vectors of a product, a node of its type for each of the nodes x, which are those of `form`:
 * a tuple of the same structure, or a list that has as many; false after a diagnostic at span. */
bool derive_vectors(Elab *e, Value *v, Value *form, Node *const *x, Span span, const char *what,
                    Node **out);
/* jvp of a value: a tensor, or a tuple of them, which gives a tuple of tangents. */
Value *derive_push(Elab *e, Value *y, int nx, Node *const *x, Node *const *dx, DeriveOptions o,
                   Span at, Span span);
/* What is differentiated by: one node, or those of a tuple or of a list in brackets, which may
 * nest; and room for what is found for each. */
typedef struct {
    Value *form;
    int n;
    Node **x, **outs;
} Wrt;
/* jacobian(y, x) and hessian(loss, x) (jacobian.c); `at` is where y stands. */
Value *derive_jacobian(Elab *e, Value *y, const Wrt *w, DeriveOptions o, Span at, Span span);
Value *derive_hessian(Elab *e, Node *loss, const Wrt *w, DeriveOptions o, Span span);
/* A derivative of a function, applied (derive_function.c). */
Value *derive_apply(Elab *e, Value *derived, int n, Value **args, Span span);
/* What of the ys depends on the xs (all different) as a closed graph: its first parameters stand
 * for the xs; args (to be freed) are the xs, then what it captures. */
typedef struct {
    Closed closed;
    NodeVec args;
} Abstracted;
bool derive_abstract(Elab *e, int ny, Node *const *y, int nx, Node *const *x, Abstracted *out);

/* ---- batching (vmap.c) ---- */
/* vmap(f, in_axes, out_axes)(args...) */
Value *vmap_apply(Elab *e, Value *mapped, int n, Value **args, Span span);
/* `out`, which was computed from the hole `lane`, for every row of `whole`, stacked. */
Node *vmap_rows(Elab *e, Node *out, Node *lane, Node *whole, Span span);

#endif
