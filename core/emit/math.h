/* What the files that write mathematics share: math.c (the file, its rows), math_words.c (names,
 * numbers, types), math_expr.c (expressions), math_calls.c (functions), math_sums.c (elements and
 * reductions), math_loops.c (recurrences).
 *
 * They write the trees of a listing (surface/surface.h), so that what stands in the formulas is
 * what :graph shows. Invariant: a piece stands for one value, and is put in parentheses
 * by whoever needs it to bind more tightly; rows that a piece needs are put before it. */
#ifndef GRADUS_MATH_H
#define GRADUS_MATH_H

#include "emit/export.h"
#include "graph/control.h"
#include "surface/surface.h"
#include "syntax/ast.h"

/* Rows of math.def. */
typedef enum {
#define FORM(ID, LATEX, TYPST) M_##ID,
#include "emit/math.def"
    MATH_FORMS
} MathForm;

/* A blank of a text, where its row may be broken; from the last to the first. */
typedef struct Break {
    size_t at;
    const struct Break *before;
} Break;

typedef struct {
    const char *text;
    const Break *breaks; /* none in what another form encloses */
    Tightness level;
    const char *base, *subs; /* of a name with these subscripts, or NULL each */
    bool big;                /* a sum: what follows would be read as part of it */
    bool trace;              /* of a loop, read outside of it: row 0 bears this number */
    int first;
} Piece;

/* Subscripts that go to each element of an array, and the sizes of these axes (NULL: not known). */
typedef struct {
    int n;
    const char *at[MAX_RANK];
    const Size *size[MAX_RANK];
} Indices;

typedef struct MathLoop {
    const ScanExpr *scan;
    const char *record; /* what the whole is called, or NULL */
    const struct MathLoop *outer;
} MathLoop;

typedef struct {
    const char *text; /* without its place */
    int depth;        /* of loops around it */
} MathRow;

typedef struct {
    Store *st;
    GraphTrees trees;
    const Expr *asked; /* the expression as it was asked for; NULL: it has no tree */
    bool typst;
    Arena arena;
    MAP(Symbol, Symbol) derived;     /* spelling -> the derived name that is bound */
    MAP(Symbol, i64) bound;          /* Symbol -> how many things of the text have that name */
    MAP(Symbol, ScanExpr *) records; /* Symbol of a loop as a whole -> its ScanExpr */
    SymbolSet whole;                 /* Symbol of such a one that is used as a value of its own */
    MAP(Symbol, const char *)
    lengths;               /* Symbol of what is defined as the length of an axis -> its text */
    const Node *at, *user; /* what the expression that is written stands for, and what reads it */
    const MathLoop *loop;
    const GraphPlace *place; /* of the graph in which things stand; NULL: the outermost */
    int depth;               /* of loops around the row that is written */
    int sums;                /* indices of sums in use */
    bool in_size;            /* names are those of sizes */
    VEC(MathRow) rows;
} MathWriter;

/* ---- forms and rows (math.c) ---- */
const char *math_text(MathWriter *w, const char *fmt, ...) PRINTF_LIKE(2, 3); /* lasts */
/* A form of the table with these texts as they are. */
const char *math_form(MathWriter *w, MathForm form, const char *a, const char *b, const char *c);
/* The same of pieces, with parentheses where the form asks for them. */
const char *math_fill(MathWriter *w, const char *form, const Piece *operands, int n);
Piece math_piece(const char *text, Tightness level);
/* As it stands where things must bind as tightly as that. */
const char *math_at(MathWriter *w, Piece p, Tightness need);
Piece math_operand(MathWriter *w, Piece p, Tightness need); /* the same as a piece */
/* a, a blank at which a row may be broken, b. */
Piece math_beside(MathWriter *w, Piece a, const char *b_begins, Piece b);
/* p behind a text that is not broken. */
Piece math_behind(MathWriter *w, const char *before, Piece p);
void math_row(MathWriter *w, Piece p);
Piece math_equation(MathWriter *w, const char *left, Piece right);

/* ---- names, numbers, types (math_words.c) ---- */
Symbol math_symbol(const MathWriter *w, const char *name);
/* What a name means where the writer is. */
Piece math_name(MathWriter *w, const char *name);
/* An equation or state of that loop. */
Piece math_part(MathWriter *w, const ScanExpr *scan, const char *record, const char *name);
Piece math_number(MathWriter *w, const char *text);
Piece math_indexed(MathWriter *w, Piece p, const char *subs);          /* p with these subscripts */
const char *math_word(MathWriter *w, MathForm form, const char *word); /* in letters of text */
/* The type of what e stands for; NULL: a tuple, a function, not known. */
const Type *math_type(const Expr *e);
int math_rank(const Expr *e);                            /* -1: not known */
const char *math_declared(MathWriter *w, const Stmt *s); /* "x in R^n" */
/* A size where the writer is; NULL: it has no text that can be read. */
const char *math_size(MathWriter *w, Size *size, Tightness need);
/* The length that dim(x, axis=k) is; NULL: it is none, or not known. */
const char *math_length(MathWriter *w, const Expr *e);
/* Notes the names of a statement. */
void math_note(MathWriter *w, const Stmt *s);

/* ---- expressions; indices may be NULL: the whole value ---- */
Piece math_expr(MathWriter *w, const Expr *e, const Indices *ix); /* math_expr.c */
/* e, which stands in graph k of the node that `owner` stands for. */
Piece math_inside(MathWriter *w, const Expr *owner, int k, const Expr *e, const Indices *ix);
const char *math_list(MathWriter *w, Expr *const *items, int n); /* with commas */
/* The number that row `row` bears, a text, of a trace whose row 0 bears the number `first`. */
const char *math_row_number(MathWriter *w, const char *row, int first);
/* The arguments of a call with that sign between them. */
Piece math_chain(MathWriter *w, const Expr *call, AstOp op, const Indices *ix);
Piece math_call(MathWriter *w, const Expr *e, const Indices *ix); /* math_calls.c */
/* A sum, product and the like over axes; false: it is none, or has no such form. */
bool math_reduction(MathWriter *w, const Expr *e, const Indices *ix, Piece *out); /* math_sums.c */
/* The indices that reach e, which is broadcast to what has these; NULL: none do. */
const Indices *math_reaching(MathWriter *w, const Expr *e, const Indices *ix);
/* x[..] element by element, in *out; false: only as a whole. */
bool math_element(MathWriter *w, const Expr *e, const Indices *ix, Piece *out);
/* The same of expand_dims(..) and broadcast(..). */
bool math_view(MathWriter *w, const Expr *call, const Indices *ix, Piece *out);
Piece math_with_indices(MathWriter *w, Piece p, const Indices *ix);
/* The rows of a loop, and what it is as a value. */
Piece math_loop(MathWriter *w, const Expr *e, const char *record); /* math_loops.c */
Piece math_field(MathWriter *w, const Expr *e);
/* The rows of definitions. */
void math_define(MathWriter *w, const Stmt *s);

#endif
