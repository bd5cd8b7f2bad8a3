/* The syntax tree: what the parser builds and the elaborator, the printer and the
 * rule compiler read.
 *
 * Invariant: every node carries the span it came from and lives in the arena of
 * the parse; nothing in the tree is changed after parsing. */
#ifndef GRADUS_AST_H
#define GRADUS_AST_H

#include "base/base.h"
#include "base/diag.h"
#include "base/pretty.h"
#include "syntax/sign.h"

typedef struct Expr Expr;
typedef struct Stmt Stmt;

#define AST_MAX_HEIGHT 2000 /* longer chains and deeper nests are refused by the parser */

/* ---- Types as written: f64[n, 3], f64[batch n, 3], f64[?], rng, (W: f64[2, 2], b: f64) ---- */
typedef struct TypeExpr TypeExpr;
struct TypeExpr {
    Span span;
    const char *dtype; /* as written; the elaborator checks it; NULL: a tuple */
    int ndims;
    Expr **dims; /* a dimension `?` is an E_UNKNOWN_SIZE */
    const char *const
        *dim_names; /* by dimension, NULL each where there is none; NULL: none has one */
    int nparts;
    TypeExpr **parts;
    const char **names; /* of the parts; NULL: they have none */
};

typedef enum {
    E_INT,          /* integer literal: text (digits; the elaborator checks the range) */
    E_FLOAT,        /* text */
    E_BOOL,         /* flag */
    E_STRING,       /* text, unescaped */
    E_NAME,         /* text */
    E_UNKNOWN_SIZE, /* `?`, only inside a TypeExpr */
    E_TUPLE,        /* items: (a, b), (k,), (); or args, each with a name: (W=1, b=2) */
    E_ARRAY,        /* items: [1, 2]; of a graph: text, the whole literal */
    E_UNARY,        /* op, items[0]: AST_NEG AST_NOT AST_TRANSPOSE (postfix '); flag: -(-a) */
    E_BINARY,       /* op, items: two, of a graph more; flag: (a + b) + c, with these parentheses */
    E_IF,           /* items: condition, then, else; flag: (if ..) within the first two */
    E_LAMBDA,       /* params, items[0] = body */
    E_CALL,         /* items[0] = callee, args */
    E_INDEX,        /* items[0] = base, subs */
    E_FIELD, /* items[0] = record, text = field; flag: s.("last"), never an equation's name */
    E_WITH,  /* items[0] = base, subs or text = the part of a tuple (`W` or `a.W`),
                items[1] = value, flag = true for += */
    E_BLOCK, /* stmts (definitions), items[0] = final expression; text: its context, or NULL */
    E_SCAN,  /* scan */
    E_SIZE   /* only of a graph: text; flag: not an atom, it binds like a sum */
} ExprKind;

typedef struct {
    const char *name; /* keyword, or NULL if positional */
    Span name_span;
    Expr *value;
} Arg;

typedef enum { SUB_INDEX, SUB_SLICE, SUB_ELLIPSIS, SUB_NEWAXIS } SubKind;
typedef struct {
    SubKind kind;
    Span span;
    const char *name; /* of the dimension, feature=0; NULL: by place */
    Span name_span;
    Expr *index;               /* SUB_INDEX */
    Expr *start, *stop, *step; /* SUB_SLICE; each may be NULL */
} Sub;

typedef struct {
    const char *name;
    Span span;
    Expr *init;   /* default value of a parameter / right side of a binding; NULL if absent */
    bool indexed; /* a sequence called as in the body: over c[t-1] = E */
    i64 offset;   /* -1 there */
} Bind;

/* One thing on the left of `=` in a scan body: x[t], x[t-1] (indexed) or x. */
typedef struct {
    const char *name;
    Span span;
    bool indexed; /* NAME "[" t "]" where t is the scan's index variable */
    i64 offset;
    bool earlier; /* in a rule: the offset is -1 */
} Target;

typedef struct {
    Span span;
    bool until;   /* `until value`; in a loop `while value` */
    bool check;   /* value is `check(condition, "message")` */
    int ntargets; /* else targets "=" value; 0, in a rule: the rest of the items, value its name */
    Target *targets;
    Expr *value;
    Stmt *function; /* f(x) = value, of the body alone; else NULL */
} ScanItem;

typedef struct {
    const char *index; /* the index variable's name */
    Span index_span;
    int nover;
    Bind *over;  /* init NULL: the sequence is the outer name itself */
    Expr *count; /* `for`, or NULL */
    int nfrom;
    Bind *from;
    bool has_using;
    int nusing;
    Bind *using_names; /* names only */
    bool has_keep;     /* only these traces, in this order */
    int nkeep;
    Bind *keep; /* names only */
    bool reverse;
    bool loop; /* what a scan runs as: `loop t for rows if go ...` */
    bool down, grows;
    Expr *go; /* of a loop */
    bool zip_strict;
    bool checkpoint_auto;
    Expr *checkpoint; /* or NULL */
    int nitems;
    ScanItem *items;
    const void *of; /* of a graph: the node of the loop */
} ScanExpr;

/* Ordered so that it packs into 128 bytes: a long array literal has millions. */
struct Expr {
    ExprKind kind;
    AstOp op;
    Span span;
    union {
        Span op_span;   /* of a text: the operator's token, for messages */
        const void *of; /* of a graph: the node that it stands for, or NULL */
    };
    const char *text;
    const Phrase *phrase; /* of a name in a figure: how it is written, in place of the text */
    Expr **items;
    Arg *args;
    Sub *subs;
    Bind *params;
    Stmt **stmts;
    ScanExpr *scan;
    int nitems;
    int nargs;
    int nsubs;
    int nparams;
    int nstmts;
    int height; /* of the tree below: at most AST_MAX_HEIGHT, so walking it by recursion is safe */
    bool flag;
};

typedef enum {
    S_INPUT,      /* names[0] : type [= value] */
    S_SHARED,     /* shared names[0] : type [= value] */
    S_DEFINE,     /* names = value; more than one name: value is a tuple; "_" discards */
    S_FUNCTION,   /* names[0](params) = value */
    S_COMPOSITE,  /* composite names[0](params) = value: what a composite operator means */
    S_DERIVATIVE, /* derivative names[0](params) = value: and how a cotangent is pulled back */
    S_ASSIGN,     /* names := values; several: simultaneous */
    S_REPEAT,     /* repeat value { body; until } */
    S_IN,         /* in names[0] { body } */
    S_EXPR,       /* value */
    S_COMMAND     /* :text rest-of-line (raw, unparsed) */
} StmtKind;

struct Stmt {
    StmtKind kind;
    Span span;
    int nnames;
    Bind *names; /* init unused */
    TypeExpr *type;
    Expr *value;
    int nvalues; /* S_ASSIGN: as many as names, or one tuple-valued */
    Expr **values;
    int nparams;
    Bind *params;
    int nbody;
    Stmt **body;
    Expr *until;         /* S_REPEAT: tested after each round; or NULL */
    const char *command; /* S_COMMAND: the word after ':' */
    const char *rest;    /* S_COMMAND: what follows, trimmed */
    Span rest_span;
    const void *of;  /* of a graph: where a function is called (surface/surface.h) */
    const char *doc; /* comment lines directly above a function definition, or NULL */
};

/* `check(condition, "message")`, which is a statement: it has no value. */
bool expr_is_check(const Expr *e);
bool expr_is_step_before(const Expr *e, const char *index); /* t - 1 */

/* Source text of a tree; parsing it again gives the same tree, and printing that the same text. */
void ast_print_expr(Text *out, const Expr *e);
void ast_print_stmt(Text *out, const Stmt *s);
/* Trees of graphs, laid out; what is of a key of `marked` (may be NULL) is marked. Blocks and scans
 * in a statement have a line for each definition. */
void ast_lay_expr(Pretty *l, const Expr *e, Tightness place, const HashTable *marked);
void ast_lay_stmt(Pretty *l, const Stmt *s, const HashTable *marked);

#endif
