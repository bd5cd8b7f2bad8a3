/* Expressions as formulas: signs, tuples, arrays, indexing, choices. */
#include "emit/math.h"

enum { MOST_SHOWN = 10, FIRST_SHOWN = 6 }; /* items of an array; more are dots */

/* ---- lists ---- */

/* Items [0, n) with `between`; of many only the first and the last. */
static const char *joined(MathWriter *w, Expr *const *items, int n, const char *between,
                          const char *(*one)(MathWriter *, const Expr *))
{
    Text out = {0};
    bool many = n > MOST_SHOWN;
    for (int i = 0; i < n; i++) {
        text_put(&out, i ? between : "");
        if (many && i == FIRST_SHOWN) {
            text_printf(&out, "%s%s", math_form(w, M_DOTS, NULL, NULL, NULL), between);
            i = n - 1;
        }
        text_put(&out, one(w, items[i]));
    }
    const char *text = arena_strndup(&w->arena, text_str(&out), out.len);
    text_free(&out);
    return text;
}

static const char *item(MathWriter *w, const Expr *e) { return math_expr(w, e, NULL).text; }

const char *math_list(MathWriter *w, Expr *const *items, int n)
{
    return joined(w, items, n, ", ", item);
}

static const char *line_of_matrix(MathWriter *w, const Expr *e)
{
    return joined(w, e->items, e->nitems, math_form(w, M_NEXT_CELL, NULL, NULL, NULL), item);
}

static bool is_matrix(const Expr *e)
{
    for (int i = 0; i < e->nitems; i++) {
        const Expr *line = e->items[i];
        if (line->kind != E_ARRAY || !line->nitems || line->items[0]->kind == E_ARRAY)
            return false;
    }
    return e->nitems > 0 && e->nitems <= MOST_SHOWN;
}

static Piece array(MathWriter *w, const Expr *e)
{
    if (!is_matrix(e))
        return math_piece(
            math_form(w, M_PARENTHESES, math_list(w, e->items, e->nitems), NULL, NULL),
            LEVEL_POSTFIX);
    const char *lines =
        joined(w, e->items, e->nitems, math_form(w, M_NEXT_LINE, NULL, NULL, NULL), line_of_matrix);
    return math_piece(math_form(w, M_MATRIX, lines, NULL, NULL), LEVEL_POSTFIX);
}

/* ---- signs ---- */

static Piece infix(MathWriter *w, MathForm form, AstOp op, Piece a, Piece b)
{
    const Sign *sign = ast_sign(op);
    const char *left = math_at(w, a, sign->left), *right = math_at(w, b, sign->right);
    return math_piece(math_form(w, form, left, right, NULL), sign->level);
}

/* a + b, a - b, between which a row may be broken. */
static Piece sum(MathWriter *w, const Expr *e, Piece a, Piece b)
{
    const Sign *sign = ast_sign(e->op);
    Piece left = math_operand(w, a, (Tightness)((int)sign->left + e->flag));
    Piece right = math_operand(w, b, sign->right);
    Piece p = math_beside(w, left, math_text(w, "%s ", sign->sign), right);
    p.level = sign->level;
    return p;
}

static bool starts_with_digit(const char *s) { return *s >= '0' && *s <= '9'; }

/* Of numbers side by side, element by element of arrays with a circle. */
static Piece product(MathWriter *w, const Expr *e, Piece a, Piece b, bool arrays)
{
    const Sign *sign = ast_sign(e->op);
    Tightness need = a.big ? LEVEL_POW : sign->left;
    const char *left = math_at(w, a, (Tightness)((int)need + e->flag));
    const char *right = math_at(w, b, b.text[0] == '-' ? LEVEL_POSTFIX : sign->right);
    bool dot = starts_with_digit(right) || b.level < sign->right || a.level < LEVEL_POSTFIX;
    MathForm form = arrays ? M_CIRCLED : dot && e->op == AST_MUL ? M_DOT : M_SIDE_BY_SIDE;
    return math_piece(math_form(w, form, left, right, NULL), LEVEL_MUL);
}

static Piece power(MathWriter *w, Piece a, Piece b, bool arrays)
{
    if (!arrays)
        return math_piece(math_form(w, M_POWER, math_at(w, a, LEVEL_POSTFIX), b.text, NULL),
                          LEVEL_POW);
    return math_piece(math_form(w, M_ARRAY_POWER, math_at(w, a, LEVEL_POSTFIX),
                                math_at(w, b, LEVEL_POSTFIX), NULL),
                      LEVEL_POW);
}

static Piece matrix_product(MathWriter *w, const Expr *e, const Indices *ix)
{
    Piece a = math_expr(w, e->items[0], NULL), b = math_expr(w, e->items[1], NULL), p;
    if (math_rank(e->items[0]) == 1 && math_rank(e->items[1]) == 1) {
        const char *left = math_form(w, M_TRANSPOSED, math_at(w, a, LEVEL_POSTFIX), NULL, NULL);
        p = product(w, e, math_piece(left, LEVEL_POW), b, false);
    } else {
        p = product(w, e, a, b, false);
    }
    return math_with_indices(w, p, ix);
}

static Piece binary(MathWriter *w, const Expr *e, const Indices *ix)
{
    static const struct {
        AstOp op;
        MathForm form;
    } rows[] = {{AST_OR, M_EITHER},
                {AST_AND, M_BOTH},
                {AST_EQ, M_EQUAL},
                {AST_NE, M_UNEQUAL},
                {AST_LT, M_LESS},
                {AST_LE, M_AT_MOST},
                {AST_GT, M_GREATER},
                {AST_GE, M_AT_LEAST},
                {AST_BITOR, M_BITS_OR},
                {AST_BITAND, M_BITS_AND},
                {AST_LSHIFT, M_SHIFTED_LEFT},
                {AST_MOD, M_MODULO},
                {AST_RSHIFT, M_SHIFTED_RIGHT}};
    if (e->op == AST_MATMUL)
        return matrix_product(w, e, ix);
    Piece a = math_expr(w, e->items[0], ix), b = math_expr(w, e->items[1], ix);
    bool whole = !ix && math_rank(e->items[0]) > 0;
    if (e->op == AST_ADD || e->op == AST_SUB)
        return sum(w, e, a, b);
    if (e->op == AST_MUL)
        return product(w, e, a, b, whole && math_rank(e->items[1]) > 0);
    if (e->op == AST_POW)
        return power(w, a, b, whole && math_rank(e->items[0]) > 1);
    if (e->op == AST_DIV || e->op == AST_FLOORDIV)
        return math_piece(
            math_form(w, e->op == AST_DIV ? M_FRACTION : M_FLOOR_QUOTIENT, a.text, b.text, NULL),
            e->op == AST_DIV ? LEVEL_POW : LEVEL_POSTFIX);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].op == e->op)
            return infix(w, rows[i].form, e->op, a, b);
    return math_piece("", LEVEL_POSTFIX);
}

Piece math_chain(MathWriter *w, const Expr *call, AstOp op, const Indices *ix)
{
    Expr sign = {.op = op};
    Piece all = math_expr(w, call->args[0].value, ix);
    bool array = !ix && math_rank(call->args[0].value) > 0;
    for (int i = 1; i < call->nargs; i++) {
        Piece p = math_expr(w, call->args[i].value, ix);
        bool more = !ix && math_rank(call->args[i].value) > 0;
        all = op == AST_ADD ? sum(w, &sign, all, p) : product(w, &sign, all, p, array && more);
        array = array || more;
    }
    return all;
}

static Piece transposed(MathWriter *w, const Expr *e, const Indices *ix)
{
    if (ix && ix->n >= 2 && math_rank(e->items[0]) == ix->n) {
        Indices turned = *ix;
        int i = ix->n - 2, j = ix->n - 1;
        turned.at[i] = ix->at[j], turned.at[j] = ix->at[i];
        turned.size[i] = ix->size[j], turned.size[j] = ix->size[i];
        return math_expr(w, e->items[0], &turned);
    }
    Piece a = math_expr(w, e->items[0], NULL);
    Piece p =
        math_piece(math_form(w, M_TRANSPOSED, math_at(w, a, LEVEL_POSTFIX), NULL, NULL), LEVEL_POW);
    return math_with_indices(w, p, ix);
}

static Piece unary(MathWriter *w, const Expr *e, const Indices *ix)
{
    if (e->op == AST_TRANSPOSE)
        return transposed(w, e, ix);
    const Sign *sign = ast_sign(e->op);
    Piece a = math_expr(w, e->items[0], ix);
    const char *operand = math_at(w, a, a.text[0] == '-' ? LEVEL_POSTFIX : sign->right);
    MathForm form = e->op == AST_NEG ? M_NEGATIVE : e->op == AST_NOT ? M_NOT : M_BITS_NOT;
    return math_piece(math_form(w, form, "", operand, NULL), sign->level);
}

/* ---- indexing ---- */

/* A row of a trace by its number; one that is counted from the end, by that from the start, since
 * numbers below 0 are those of what was before the loop. */
static const char *row_text(MathWriter *w, const Expr *row, const Type *t, Piece base)
{
    bool from_end = base.trace && row->kind == E_UNARY && row->op == AST_NEG &&
                    row->items[0]->kind == E_INT && t && t->rank;
    i64 back = from_end ? strtoll(row->items[0]->text, NULL, 10) : 0;
    const char *number =
        from_end ? math_size(w, size_add(w->st, t->dims[0], size_const(w->st, base.first - back)),
                             LEVEL_ADD)
                 : NULL;
    return number ? number : math_row_number(w, math_expr(w, row, NULL).text, base.first);
}

const char *math_row_number(MathWriter *w, const char *row, int first)
{
    char *end;
    long long k = strtoll(row, &end, 10);
    if (!first)
        return row;
    return *row && !*end ? math_text(w, "%lld", k + first)
                         : math_text(w, "%s %s %d", row, first < 0 ? "-" : "+", abs(first));
}

/* `base`: what it is of, if it is the first subscript. */
static const char *sub_text(MathWriter *w, const Sub *s, const Type *t, Piece base)
{
    switch (s->kind) {
    case SUB_ELLIPSIS: return math_form(w, M_DOTS, NULL, NULL, NULL);
    case SUB_NEWAXIS: return math_word(w, M_WORD, "new");
    case SUB_INDEX: return row_text(w, s->index, t, base);
    case SUB_SLICE: break;
    }
    if (!s->start && !s->stop && !s->step)
        return math_form(w, M_ALL_OF, NULL, NULL, NULL);
    const char *text = math_form(w, M_RANGE,
                                 s->start                 ? row_text(w, s->start, t, base)
                                 : base.first && !s->step ? math_row_number(w, "0", base.first)
                                                          : "",
                                 s->stop ? row_text(w, s->stop, t, base) : "", NULL);
    return s->step ? math_form(w, M_RANGE, text, math_expr(w, s->step, NULL).text, NULL) : text;
}

/* i, 1:n of base */
static const char *subs_text(MathWriter *w, const Expr *e, Piece base)
{
    const char *text = "";
    const Type *t = base.trace ? math_type(e->items[0]) : NULL;
    for (int i = 0; i < e->nsubs; i++)
        text = math_text(w, "%s%s%s", text, i ? ", " : "",
                         sub_text(w, &e->subs[i], t, i ? (Piece){.text = ""} : base));
    return text;
}

static Piece indexed(MathWriter *w, const Expr *e, const Indices *ix)
{
    Piece p;
    if (ix && math_element(w, e, ix, &p))
        return p;
    bool simple = true; /* x[t-1], whose elements are x with more subscripts */
    for (int i = 0; i < e->nsubs; i++)
        simple = simple && e->subs[i].kind == SUB_INDEX && !math_rank(e->subs[i].index);
    p = math_expr(w, e->items[0], NULL);
    p = math_indexed(w, p, subs_text(w, e, p));
    if (!simple)
        p.base = NULL;
    return math_with_indices(w, p, ix);
}

/* ---- the rest ---- */

static Piece choice(MathWriter *w, const Expr *e, const Indices *ix)
{
    const char *condition = math_expr(w, e->items[0], NULL).text;
    const char *then = math_inside(w, e, 0, e->items[1], ix).text;
    const char *otherwise = math_inside(w, e, 1, e->items[2], ix).text;
    return math_piece(math_form(w, M_CASES, then, condition, otherwise), LEVEL_ANY);
}

static Piece function(MathWriter *w, const Expr *e)
{
    const char *params = "";
    for (int i = 0; i < e->nparams; i++)
        params =
            math_text(w, "%s%s%s", params, i ? ", " : "", math_name(w, e->params[i].name).text);
    if (e->nparams != 1)
        params = math_form(w, M_PARENTHESES, params, NULL, NULL);
    return math_piece(math_form(w, M_MAPS_TO, params, math_expr(w, e->items[0], NULL).text, NULL),
                      LEVEL_ANY);
}

static Piece changed(MathWriter *w, const Expr *e)
{
    const char *base = math_expr(w, e->items[0], NULL).text;
    const char *value = math_expr(w, e->items[1], NULL).text;
    const char *how =
        math_form(w, e->flag ? M_INCREASED : M_GIVEN,
                  math_text(w, "[%s]", subs_text(w, e, (Piece){.text = ""})), value, NULL);
    return math_piece(math_form(w, M_CHANGED, base, how, NULL), LEVEL_POW);
}

static Piece block(MathWriter *w, const Expr *e, const Indices *ix)
{
    for (int i = 0; i < e->nstmts; i++)
        math_define(w, e->stmts[i]);
    return math_expr(w, e->items[0], ix);
}

Piece math_inside(MathWriter *w, const Expr *owner, int k, const Expr *e, const Indices *ix)
{
    const Node *n = owner->of;
    n = n && n->op == OP_PROJ ? n->ops[0] : n;
    int slots[4];
    if (!n || k >= node_graphs(n, slots))
        return math_expr(w, e, ix);
    GraphPlace inside = {n, n->attrs[slots[k]].graph, w->place};
    w->place = &inside;
    Piece p = math_expr(w, e, ix);
    w->place = inside.outer;
    return p;
}

/* Those whose elements are not made of elements. */
static Piece whole(MathWriter *w, const Expr *e)
{
    switch (e->kind) {
    case E_INT:
    case E_FLOAT: return math_number(w, e->text);
    case E_BOOL: return math_name(w, e->flag ? "true" : "false");
    case E_STRING: return math_piece(math_word(w, M_STRING, e->text), LEVEL_POSTFIX);
    case E_NAME: return math_name(w, e->text);
    case E_TUPLE:
        return math_piece(
            math_form(w, M_PARENTHESES, math_list(w, e->items, e->nitems), NULL, NULL),
            LEVEL_POSTFIX);
    case E_ARRAY: return array(w, e);
    case E_LAMBDA: return function(w, e);
    case E_FIELD: return math_field(w, e);
    case E_WITH: return changed(w, e);
    case E_SCAN: return math_loop(w, e, NULL);
    default: return math_piece("?", LEVEL_POSTFIX);
    }
}

static Piece written(MathWriter *w, const Expr *e, const Indices *ix)
{
    switch (e->kind) {
    case E_UNARY: return unary(w, e, ix);
    case E_BINARY: return binary(w, e, ix);
    case E_IF: return choice(w, e, ix);
    case E_CALL: return math_call(w, e, ix);
    case E_INDEX: return indexed(w, e, ix);
    case E_BLOCK: return block(w, e, ix);
    default: return math_with_indices(w, whole(w, e), ix);
    }
}

Piece math_expr(MathWriter *w, const Expr *e, const Indices *ix)
{
    const Node *at = w->at, *user = w->user;
    if (e->of && e->of != at) {
        w->user = at;
        w->at = e->of;
    }
    Piece p = written(w, e, ix ? math_reaching(w, e, ix) : NULL);
    w->at = at;
    w->user = user;
    return p;
}
