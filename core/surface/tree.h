/* Building the syntax tree of a node; nobody outside of core/surface includes this.
 *
 * Invariant: each tree refers to the node that it stands for (`of`), and lives in the arena of its
 * builder; no parentheses stand in it, the printer puts them. */
#ifndef GRADUS_TREE_H
#define GRADUS_TREE_H

#include "graph/op.h"
#include "surface/surface.h"
#include "syntax/ast_print.h"

/* Inside an inner graph: what its parameters stand for. */
typedef struct Env {
    Node *const *args;
    const IntList *map; /* parameter -> argument, or NULL: the same */
    i64 nargs;
    const struct Env *outer;
    const Graph *graph;
} Env;

struct Frame;
typedef struct Builder {
    Store *st;
    Arena arena;
    Node *root;
    struct Frame *frame; /* of a listing, in which nothing is left out; NULL: one line */
    Numbering *num;      /* deeper parts are %k; NULL: `…` */
    bool names;
    int depth;           /* levels to build */
    size_t limit, width; /* characters, and how many there are so far at least */
    bool elided, full;
    const Graph *within;   /* whose parameters have names; NULL: what num says */
    const NodeSet *marked; /* or NULL */
    const NodeSet *places; /* marked, even where an operator around one is not written; or NULL */
    const NodeSet *leaves; /* shown by name or number, results of loops by name; NULL: nothing is */
    const Reading *reading; /* as people write it; NULL: as it is */
    NodeSet leads;          /* nodes with a marked one below them */
} Builder;

/* The tree of n; parameters are looked up in env. */
Expr *tree_of(Builder *b, Node *n, int depth, const Env *env);
/* Operand i of n in source order, one level deeper. */
Expr *tree_at(Builder *b, Node *n, u32 i, int depth, const Env *env);
/* One is written alone, several as a tuple. */
Expr *tree_one_or_tuple(Builder *b, Node *n, u32 from, u32 to, int depth, const Env *env);
/* x[:, None]: the axes in the list of n are new, or (`old`) all others are; in a row with those of
 * x, if these come before. */
Expr *tree_new_axes(Builder *b, Node *n, bool old, int depth, const Env *env);
/* n as it is written everywhere, without the forms of a listing. */
Expr *tree_usual(Builder *b, Node *n, int depth, const Env *env);
/* Operator, operands and attributes, all of them: name(a, b, axis=0). */
Expr *tree_raw(Builder *b, Node *n, const char *name);
/* %k of n, which stands in the graph of env. */
Expr *tree_number(Builder *b, const Node *n, const Env *env);
/* The name that a parameter has in the graph that is being shown, else p0. */
const char *tree_parameter(Builder *b, const Node *n);
/* Would n be shown by its name? */
bool tree_is_named(const Builder *b, const Node *n);

/* For the printer, which knows no nodes. */
static inline const HashTable *tree_keys(const NodeSet *marked)
{
    return marked ? &marked->table : NULL;
}

/* The only element of t; weak: what stands beside it tells its dtype. */
Expr *tree_literal(Builder *b, const Tensor *t, bool weak);
/* ---- as people write it (reading.c; notation.c: in which signs) ---- */
extern const Notation figure_notation;
/* n if it is called something, or has a form of its own there; NULL: it is written as usual. */
Expr *reading_form(Builder *b, Node *n, int depth, const Env *env);
/* What stands in place of the operand `op` of `user`. */
Node *reading_operand(Builder *b, const Node *user, Node *op, const Env *env);
/* A[:, None]: op, an operand of user, repeated along other axes than the first; NULL: it is not. */
Expr *reading_spread(Builder *b, const Node *user, Node *op, int depth, const Env *env);
/* Operand i of user as a size, if it is one of symbols alone; else NULL. */
Expr *reading_size(Builder *b, const Node *user, u32 i);
Expr *reading_array(Builder *b, const Tensor *t, bool weak);

/* ---- broadcasts that are not written (quiet.c) ---- */
/* Does n, an elementwise operator, repeat its operands by itself as they are repeated here? */
bool quiet_broadcasts(Store *st, const Node *n);
/* The operand `op` of such a node, as it is written. */
Node *quiet_operand(Node *op);

/* ---- pieces ---- */
Expr *tree_new(Builder *b, ExprKind kind, const char *text);
Expr *tree_text(Builder *b, ExprKind kind, Text *text); /* takes the text */
Expr *tree_int(Builder *b, i64 k);
Expr *tree_size(Builder *b, const Size *s);
Expr *tree_operator(Builder *b, AstOp op, Expr *x, Expr *y); /* y NULL: a prefix */
Expr *tree_field(Builder *b, Expr *of, const char *field);
Expr *tree_index(Builder *b, Expr *of, i64 k); /* of[k] */
Expr *tree_call(Builder *b, const char *name);
void tree_item(Builder *b, Expr *e, Expr *item);
void tree_param(Builder *b, Expr *lambda, const char *name);
/* One more of n names. */
void tree_bind(Builder *b, Bind **binds, int *n, const char *name, Expr *init);
/* One more statement of a block; it has no names yet. */
Stmt *tree_stmt(Builder *b, Expr *block, StmtKind kind, Expr *value);
void tree_arg(Builder *b, Expr *call, const char *name, Expr *value); /* name NULL: by place */
void tree_arg_int(Builder *b, Expr *call, const char *name, i64 value);
void tree_arg_text(Builder *b, Expr *call, const char *name, const char *value);
/* The axes of a vmap: a number if they are all the same, else a tuple; nothing where they are 0.
 * What every lane gets whole (-1) is taken inside. */
void tree_arg_axes(Builder *b, Expr *call, const char *name, const IntList *axes);
/* Operands [from, to). */
void tree_args(Builder *b, Expr *call, Node *n, u32 from, u32 to, int depth, const Env *env);
void tree_items(Builder *b, Expr *e, Node *n, u32 from, u32 to, int depth, const Env *env);

/* ---- a listing's own forms (listing_nodes.c); NULL: it has none for n ---- */
Expr *listing_named(Builder *b, Node *n);
Expr *listing_form(Builder *b, Node *n);
/* The operand `op` of n, or what is written in its place. */
Node *listing_operand(const Builder *b, const Node *n, Node *op);
/* Would part, the first operand of n, be read as more operands of n? */
bool listing_nested(const Builder *b, const Node *n, const Node *part);

/* 0: replaces, 1: adds, more: something else. */
static inline i64 tree_store_mode(const Node *n) { return n->attrs[n->nattrs - 1].i; }
/* x[i], x[a:b], x[indices] of base; base with [i] = value if there is one */
Expr *tree_subscript(Builder *b, Node *n, Expr *base, Expr *value, int depth, const Env *env);
typedef Expr *(*TreeForm)(Builder *b, Node *n, int depth, const Env *env);
/* How operators that own graphs are written; NULL for other forms. */
TreeForm tree_control(OpForm form);
Expr *tree_projection(Builder *b, Node *n, int depth, const Env *env);

#endif
