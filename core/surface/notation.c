/* Trees in the signs of a book, for figures.
 *
 * Invariant: what has no row in notation.def and no form here is written as in the language. */
#include "surface/tree.h"

#define MINUS "−"

typedef struct {
    const char *name;
    Tightness level;
    const char *form;
} CallRow;
static const CallRow calls[] = {
#define CALL(NAME, LEVEL, LATEX, TYPST, FIGURE) {NAME, LEVEL_##LEVEL, FIGURE},
#include "surface/notation.def"
};
static const char *const signs[][2] = {
#define SIGN(TREE, WITHIN, ALONE) [AST_##TREE] = {WITHIN, ALONE},
#include "surface/notation.def"
};

static const char *sign_text(AstOp op, bool alone)
{
    return (size_t)op < COUNT_OF(signs) ? signs[op][alone] : NULL;
}

const char *reading_sign(AstOp op)
{
    const char *text = sign_text(op, true);
    return text ? text : ast_op_text(op);
}

/* ---- calls ---- */

/* How many operands a form has. */
static int operands_of(const char *form)
{
    int n = 0;
    for (const char *f = strchr(form, '@'); f; f = strchr(f + 1, '@')) {
        int k = (f[1] | 32) - 'a' + 1;
        n = k > n ? k : n;
    }
    return n;
}

/* The row of a call that gives no more than the row's form has room for. */
static const CallRow *row_of(const Expr *e)
{
    const Expr *f = e->kind == E_CALL ? e->items[0] : NULL;
    for (size_t i = 0; f && f->kind == E_NAME && i < COUNT_OF(calls); i++)
        if (calls[i].form && !strcmp(f->text, calls[i].name)) {
            bool fits = operands_of(calls[i].form) == e->nargs;
            for (int k = 0; k < e->nargs; k++)
                fits = fits && !e->args[k].name;
            return fits ? &calls[i] : NULL;
        }
    return NULL;
}

static void fill(Printer *p, const CallRow *row, const Expr *e)
{
    for (const char *f = row->form; *f;) {
        size_t len = strcspn(f, "@");
        char before[32];
        snprintf(before, sizeof before, "%.*s", (int)len, f);
        pretty_words(p->l, before);
        f += len;
        if (!*f)
            continue;
        bool tight = f[1] <= 'Z';
        ast_put(p, e->args[(f[1] | 32) - 'a'].value, tight ? LEVEL_POSTFIX : LEVEL_ANY);
        f += 2;
    }
}

/* Matrices side by side, vectors and matrices one below the other. */
static bool is_block(const Expr *e)
{
    const Node *n = e->of;
    return e->kind == E_CALL && n && n->op == OP_CONCAT && n->type->rank <= 2 && n->nops > 1 &&
           n->nops <= 8 && e->args[0].value->kind == E_TUPLE;
}

static void put_block(Printer *p, const Expr *e)
{
    const Expr *parts = e->args[0].value;
    const Node *n = e->of;
    pretty_open(p->l, "[");
    for (int i = 0; i < parts->nitems; i++) {
        pretty_words(p->l, !i ? "" : n->attrs[0].i ? " " : "; "); /* by its axis */
        ast_put(p, parts->items[i], n->attrs[0].i ? LEVEL_POSTFIX : LEVEL_ANY);
    }
    pretty_close(p->l, "]");
}

/* I, and below the line how many rows. */
static bool is_identity(const Expr *e)
{
    const Node *n = e->of;
    return e->kind == E_CALL && n && n->op == OP_EYE && e->nargs == 1 && !e->args[0].name;
}

static void put_identity(Printer *p, const Expr *e)
{
    pretty_put(p->l, "I");
    size_t part = pretty_part(p->l, PHRASE_BELOW);
    pretty_open(p->l, "(");
    ast_put(p, e->args[0].value, LEVEL_ANY);
    pretty_close(p->l, ")");
    pretty_part_end(p->l, part);
}

/* ---- signs ---- */

static bool is_number(const Expr *e)
{
    return e->kind == E_INT || e->kind == E_FLOAT || e->kind == E_ARRAY ||
           (e->kind == E_UNARY && e->op == AST_NEG && is_number(e->items[0]));
}

static int rank_of(const Expr *e)
{
    const Node *n = e->of;
    return n && n->type->kind == TYPE_TENSOR ? n->type->rank : 0;
}

static const char *product_sign(const Expr *a, const Expr *b)
{
    if (is_number(a) && !is_number(b))
        return "\u2009"; /* a thin blank */
    return rank_of(a) && rank_of(b) ? " ⊙ " : " · ";
}

/* Item i: 2 x, not x 2. */
static const Expr *item_of(const Expr *e, int i)
{
    bool turned =
        e->op == AST_MUL && e->nitems == 2 && is_number(e->items[1]) && !is_number(e->items[0]);
    return e->items[turned ? 1 - i : i];
}

/* What the item has to bind as tightly as: nothing stands between the factors of a matrix product,
 * and not much behind a number. */
static Tightness place_of(const Expr *e, int i)
{
    const Sign *sign = ast_sign(e->op);
    const Expr *item = item_of(e, i);
    if (e->op == AST_MATMUL)
        return !i && item->kind == E_BINARY && item->op == AST_MATMUL ? LEVEL_MUL : LEVEL_POW;
    if (e->op == AST_MUL && i)
        return LEVEL_POW;
    return i ? sign->right : (Tightness)((int)sign->left + e->flag);
}

/* The exponent is a part of its own, with the brackets around it. */
static void put_power(Printer *p, const Expr *e)
{
    ast_put(p, e->items[0], place_of(e, 0));
    size_t part = pretty_part(p->l, PHRASE_ABOVE);
    pretty_put(p->l, ast_op_text(e->op));
    ast_put(p, e->items[1], place_of(e, 1));
    pretty_part_end(p->l, part);
}

static void put_binary(Printer *p, const Expr *e)
{
    const char *sign = sign_text(e->op, false);
    char usual[16];
    snprintf(usual, sizeof usual, " %s ", ast_op_text(e->op));
    if (e->op == AST_POW) {
        put_power(p, e);
        return;
    }
    for (int i = 0; i < e->nitems; i++) {
        if (i)
            pretty_words(p->l, sign               ? sign
                               : e->op != AST_MUL ? usual
                                                  : product_sign(item_of(e, i - 1), item_of(e, i)));
        ast_put(p, item_of(e, i), place_of(e, i));
    }
}

static void put_name(Printer *p, const Expr *e)
{
    if (e->phrase)
        pretty_phrase(p->l, e->phrase);
    else
        pretty_variable(p->l, e->text);
}

static void put_call(Printer *p, const Expr *e)
{
    book_function(p->l, e->items[0]->text);
    ast_put_args(p, e);
}

static bool put_unary(Printer *p, const Expr *e)
{
    const Sign *sign = ast_sign(e->op);
    if (e->op != AST_NEG && e->op != AST_TRANSPOSE)
        return false;
    pretty_put(p->l, e->op == AST_NEG ? MINUS : "");
    ast_put(p, e->items[0], e->op == AST_NEG ? (Tightness)((int)sign->right + 1) : sign->left);
    pretty_put(p->l, e->op == AST_TRANSPOSE ? "ᵀ" : "");
    return true;
}

/* ---- all ---- */

static Tightness level(const Expr *e)
{
    const CallRow *row = row_of(e);
    if (row)
        return row->level;
    bool sum = (e->kind == E_UNARY && is_number(e)) || (e->kind == E_NAME && e->flag);
    return sum ? LEVEL_ADD : ast_level(e);
}

static bool put(Printer *p, const Expr *e)
{
    const CallRow *row = row_of(e);
    if (row)
        fill(p, row, e);
    else if (is_block(e))
        put_block(p, e);
    else if (is_identity(e))
        put_identity(p, e);
    else if (e->kind == E_BINARY)
        put_binary(p, e);
    else if (e->kind == E_NAME)
        put_name(p, e);
    else if (e->kind == E_CALL && e->items[0]->kind == E_NAME)
        put_call(p, e);
    else
        return e->kind == E_UNARY && put_unary(p, e);
    return true;
}

const Notation figure_notation = {level, put};
