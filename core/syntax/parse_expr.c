/* The expression parser: precedence climbing over the table of the language.
 *
 * Invariant: every function consumes at least one token or fails, recursion is
 * counted by parser_enter(), and the height of every finished node is limited,
 * so neither the parser nor a later walk can exhaust the stack. */
#include "syntax/parse_internal.h"

typedef VEC(Expr *) ExprVec;
typedef VEC(Sub) SubVec;

/* ---- nodes ---- */

Expr *expr_new(Parser *p, ExprKind kind, u32 start)
{
    Expr *e = arena_alloc(p->arena, sizeof *e);
    e->kind = kind;
    e->span = (Span){p->src, start, start};
    return e;
}

static void stand_above(int *height, const Expr *e)
{
    if (e && e->height >= *height)
        *height = e->height + 1;
}

static void raise_binds(int *height, const Bind *b, int n)
{
    for (int i = 0; i < n; i++)
        stand_above(height, b[i].init);
}

static void raise_scan(int *h, const ScanExpr *s)
{
    raise_binds(h, s->over, s->nover);
    raise_binds(h, s->from, s->nfrom);
    stand_above(h, s->count);
    stand_above(h, s->go);
    stand_above(h, s->checkpoint);
    for (int i = 0; i < s->nitems; i++) {
        const Stmt *f = s->items[i].function;
        stand_above(h, s->items[i].value);
        raise_binds(h, f ? f->params : NULL, f ? f->nparams : 0);
    }
}

static int height_above(const Expr *e)
{
    int h = 0;
    for (int i = 0; i < e->nitems; i++)
        stand_above(&h, e->items[i]);
    for (int i = 0; i < e->nargs; i++)
        stand_above(&h, e->args[i].value);
    for (int i = 0; i < e->nsubs; i++) {
        stand_above(&h, e->subs[i].index);
        stand_above(&h, e->subs[i].start);
        stand_above(&h, e->subs[i].stop);
        stand_above(&h, e->subs[i].step);
    }
    raise_binds(&h, e->params, e->nparams);
    for (int i = 0; i < e->nstmts; i++) {
        stand_above(&h, e->stmts[i]->value);
        raise_binds(&h, e->stmts[i]->params, e->stmts[i]->nparams);
    }
    if (e->scan)
        raise_scan(&h, e->scan);
    return h;
}

Expr *expr_finish(Parser *p, Expr *e)
{
    e->span = parser_span_from(p, e->span.start);
    e->height = height_above(e);
    if (e->height <= AST_MAX_HEIGHT)
        return e;
    u32 at = e->span.end > 0 ? e->span.end - 1 : 0;
    return parser_fail_span(
        p, (Span){p->src, at, e->span.end},
        "split it: name a part with a definition, or use sum, prod or scan",
        "the expression is too long a chain here (more than %d operations inside each other)",
        AST_MAX_HEIGHT);
}

Expr **expr_operands(Parser *p, int n) { return arena_alloc(p->arena, (size_t)n * sizeof(Expr *)); }

static Expr *unary_node(Parser *p, AstOp op, Token t, u32 start, Expr *operand)
{
    Expr *e = expr_new(p, E_UNARY, start);
    e->op = op;
    e->op_span = parser_span(p, t);
    e->nitems = 1;
    e->items = expr_operands(p, 1);
    e->items[0] = operand;
    return expr_finish(p, e);
}

static Expr *leaf_node(Parser *p, ExprKind kind)
{
    Token t = parser_take(p);
    Expr *e = expr_new(p, kind, t.start);
    if (kind == E_STRING)
        e->text = lex_unescape(p->src, t, p->arena);
    else if (kind == E_BOOL)
        e->flag = t.kind == T_TRUE;
    else if (kind == E_INT || kind == E_FLOAT)
        e->text = lex_digits(p->src, t, p->arena);
    else
        e->text = parser_text(p, t);
    return expr_finish(p, e);
}

/* ---- lists ---- */

/* Expressions up to the closing bracket of `open`, after `v` holds what was read already; a comma
 * may end the list. Everything goes to e->items. */
static Expr *finish_list(Parser *p, Expr *e, Token open, u32 outside, ExprVec *v)
{
    TokenKind close = (TokenKind)(open.kind + 1);
    while (parser_kind(p) != close && !parser_stops(p)) {
        Expr *item = parse_expr(p);
        if (!item)
            break;
        vec_push(v, item);
        if (!parser_accept(p, T_COMMA))
            break;
    }
    e->nitems = (int)v->len;
    e->items = parser_keep(p, v->at, v->len, sizeof *v->at);
    if (p->failed || p->incomplete || !parser_close(p, open, outside))
        return NULL;
    return expr_finish(p, e);
}

static bool parse_args(Parser *p, Expr *e, Token open, u32 outside);

/* Any word may stand before `=`, keywords too. */
static bool begins_named(Parser *p)
{
    return token_is_word(parser_kind(p)) && parser_ahead(p, 1).kind == T_ASSIGN;
}

/* (W=1, b=2), after the bracket; all parts have names. */
static Expr *parse_named_tuple(Parser *p, Token open, u32 outside)
{
    Expr *e = expr_new(p, E_TUPLE, open.start);
    if (!parse_args(p, e, open, outside))
        return NULL;
    for (int i = 0; i < e->nargs; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(e->args[i].name, e->args[k].name))
                return parser_fail_span(p, e->args[i].name_span, "give one of them another name",
                                        "two parts of this tuple bear the name `%s`",
                                        e->args[i].name);
    return expr_finish(p, e);
}

/* (e), (), (a, b), (k,), (W=1, b=2) */
static Expr *parse_paren(Parser *p)
{
    Token open;
    u32 outside = parser_open(p, &open);
    ExprVec v = {0};
    if (begins_named(p) && !p->rule_mode)
        return parse_named_tuple(p, open, outside);
    if (parser_kind(p) != T_RPAREN) {
        Expr *first = parse_expr(p);
        if (!first)
            return NULL;
        if (!parser_accept(p, T_COMMA))
            return parser_close(p, open, outside) ? first : NULL;
        vec_push(&v, first);
    }
    return finish_list(p, expr_new(p, E_TUPLE, open.start), open, outside, &v);
}

static Expr *parse_array(Parser *p)
{
    Token open;
    u32 outside = parser_open(p, &open);
    ExprVec v = {0};
    return finish_list(p, expr_new(p, E_ARRAY, open.start), open, outside, &v);
}

Expr *expr_tuple_rest(Parser *p, Expr *first)
{
    Expr *e = expr_new(p, E_TUPLE, first->span.start);
    ExprVec v = {0};
    vec_push(&v, first);
    while (parser_accept(p, T_COMMA) && !parser_stops(p)) {
        Expr *item = parse_expr(p);
        if (!item)
            break;
        vec_push(&v, item);
    }
    e->nitems = (int)v.len;
    e->items = parser_keep(p, v.at, v.len, sizeof *v.at);
    return p->failed || p->incomplete ? NULL : expr_finish(p, e);
}

/* ---- subscripts: x[i, a:b:c, ..., None] ---- */

static bool slice_part(Parser *p, Expr **part)
{
    TokenKind k = parser_kind(p);
    if (k == T_COLON || k == T_COMMA || k == T_RBRACKET)
        return true;
    *part = parse_expr(p);
    return *part != NULL;
}

/* feature=0 */
static void parse_dimension(Parser *p, Sub *s)
{
    if (!begins_named(p) || p->rule_mode)
        return;
    Token t = parser_take(p);
    s->name = parser_text(p, t);
    s->name_span = parser_span(p, t);
    parser_take(p);
}

static bool parse_sub(Parser *p, Sub *s)
{
    u32 start = parser_peek(p).start;
    *s = (Sub){.kind = SUB_INDEX};
    parse_dimension(p, s);
    Token t = parser_peek(p);
    TokenKind after = (TokenKind)parser_ahead(p, 1).kind;
    if (t.kind == T_ELLIPSIS || (t.kind == T_NONE && (after == T_COMMA || after == T_RBRACKET))) {
        parser_take(p);
        s->kind = t.kind == T_ELLIPSIS ? SUB_ELLIPSIS : SUB_NEWAXIS;
    } else if (t.kind != T_COLON && !(s->index = parse_expr(p))) {
        return false;
    } else if (parser_accept(p, T_COLON)) {
        s->kind = SUB_SLICE;
        s->start = s->index;
        s->index = NULL;
        if (!slice_part(p, &s->stop) || (parser_accept(p, T_COLON) && !slice_part(p, &s->step)))
            return false;
    }
    s->span = parser_span_from(p, start);
    return true;
}

/* From the `[` to the `]`. */
static bool parse_subs(Parser *p, Expr *e)
{
    Token open;
    u32 outside = parser_open(p, &open);
    SubVec v = {0};
    bool ok = true;
    if (parser_kind(p) == T_RBRACKET)
        ok = parser_unexpected(p, "an index") != NULL;
    while (ok && parser_kind(p) != T_RBRACKET) {
        Sub s;
        ok = parse_sub(p, &s);
        if (ok)
            vec_push(&v, s);
        if (!ok || !parser_accept(p, T_COMMA))
            break;
    }
    e->nsubs = (int)v.len;
    e->subs = parser_keep(p, v.at, v.len, sizeof *v.at);
    return ok && parser_close(p, open, outside);
}

/* ---- postfix: f(...), x[...], x', s.final ---- */

static bool parse_arg(Parser *p, Arg *a, bool named)
{
    Token t = parser_peek(p);
    *a = (Arg){0};
    if (begins_named(p)) {
        a->name = parser_text(p, t);
        a->name_span = parser_span(p, t);
        parser_take(p);
        parser_take(p);
    }
    a->value = parse_expr(p);
    if (a->value && named && !a->name)
        parser_fail_span(p, a->value->span, "give it a name too, or move it to the front",
                         "an argument or part without a name cannot follow one with a name");
    return !p->failed && !p->incomplete;
}

/* After the bracket, up to the one that closes it. */
static bool parse_args(Parser *p, Expr *e, Token open, u32 outside)
{
    VEC(Arg) v = {0};
    bool ok = true, named = false;
    while (ok && parser_kind(p) != T_RPAREN) {
        Arg a;
        ok = parse_arg(p, &a, named);
        named = named || a.name;
        if (ok)
            vec_push(&v, a);
        if (!ok || !parser_accept(p, T_COMMA))
            break;
    }
    e->nargs = (int)v.len;
    e->args = parser_keep(p, v.at, v.len, sizeof *v.at);
    return ok && parser_close(p, open, outside);
}

static Expr *postfix_node(Parser *p, ExprKind kind, Expr *base, u32 start)
{
    Expr *e = expr_new(p, kind, start);
    e->nitems = 1;
    e->items = expr_operands(p, 1);
    e->items[0] = base;
    return e;
}

/* S.("last"): the field of every scan, even where an equation bears its name. */
static Expr *parse_quoted_field(Parser *p, Expr *e)
{
    Token open;
    u32 outside = parser_open(p, &open);
    Token t = parser_peek(p);
    if (t.kind != T_STRING)
        return parser_unexpected(p, "a field in quotes, as in S.(\"last\")");
    e->op_span = parser_span(p, t);
    e->text = lex_unescape(p->src, parser_take(p), p->arena);
    e->flag = true;
    return parser_close(p, open, outside) ? expr_finish(p, e) : NULL;
}

static Expr *parse_field(Parser *p, Expr *base, u32 start)
{
    parser_take(p);
    Token t = parser_peek(p);
    Expr *e = postfix_node(p, E_FIELD, base, start);
    if (t.kind == T_LPAREN)
        return parse_quoted_field(p, e);
    if (!token_is_word((TokenKind)t.kind))
        return parser_unexpected(p, "a field name after `.`");
    e->op_span = parser_span(p, t);
    e->text = parser_text(p, parser_take(p));
    return expr_finish(p, e);
}

static bool parse_call(Parser *p, Expr *e)
{
    Token open;
    u32 outside = parser_open(p, &open);
    return parse_args(p, e, open, outside);
}

static Expr *parse_postfix(Parser *p, Expr *base, u32 start)
{
    Expr *e = base;
    while (e) {
        Token t = parser_peek(p);
        Expr *outer;
        switch ((TokenKind)t.kind) {
        case T_LPAREN:
            outer = postfix_node(p, E_CALL, e, start);
            e = parse_call(p, outer) ? expr_finish(p, outer) : NULL;
            break;
        case T_LBRACKET:
            outer = postfix_node(p, E_INDEX, e, start);
            e = parse_subs(p, outer) ? expr_finish(p, outer) : NULL;
            break;
        case T_QUOTE: e = unary_node(p, AST_TRANSPOSE, parser_take(p), start, e); break;
        case T_DOT: e = parse_field(p, e, start); break;
        default: return e;
        }
    }
    return NULL;
}

/* ---- primaries ---- */

/* In rules a name may carry an annotation (x:any) or stand for the other operands (rest...). */
static Expr *parse_name(Parser *p)
{
    Token t = parser_peek(p);
    if (!p->rule_mode)
        return leaf_node(p, E_NAME);
    Token mark = parser_ahead(p, 1);
    bool joined = mark.start == t.end;
    if (joined && mark.kind == T_ELLIPSIS) {
        parser_take(p);
    } else if (joined && mark.kind == T_COLON) {
        Token kind = parser_ahead(p, 2);
        if (!token_is_word((TokenKind)kind.kind) || kind.start != mark.end)
            return leaf_node(p, E_NAME);
        parser_take(p);
        parser_take(p);
    } else {
        return leaf_node(p, E_NAME);
    }
    parser_take(p);
    Expr *e = expr_new(p, E_NAME, t.start);
    e->text = arena_strndup(p->arena, p->src->text + t.start, p->last_end - t.start);
    return expr_finish(p, e);
}

/* %12, without a blank: a node by its number. */
static Expr *parse_numbered(Parser *p)
{
    Token mark = parser_peek(p), number = parser_ahead(p, 1);
    if (p->rule_mode || number.kind != T_INT || number.start != mark.end)
        return parser_unexpected(p, "an expression");
    parser_take(p);
    parser_take(p);
    Expr *e = expr_new(p, E_NAME, mark.start);
    e->text = arena_strndup(p->arena, p->src->text + mark.start, p->last_end - mark.start);
    return expr_finish(p, e);
}

/* `loop t ...`: a name in front of a name, which is nothing else. */
static bool begins_loop(Parser *p)
{
    Token next = parser_ahead(p, 1);
    return parser_at_word(p, "loop") && next.kind == T_NAME && !p->header && !p->rule_mode;
}

/* in NAME { .. } */
static bool begins_context(Parser *p)
{
    return parser_at_word(p, "in") && parser_ahead(p, 1).kind == T_NAME &&
           parser_ahead(p, 2).kind == T_LBRACE && !p->header && !p->rule_mode;
}

static Expr *parse_context(Parser *p)
{
    u32 start = parser_take(p).start;
    const char *name = parser_text(p, parser_take(p));
    Expr *e = parse_block(p);
    if (!e)
        return NULL;
    e->span.start = start;
    e->text = name;
    return e;
}

static Expr *parse_primary(Parser *p)
{
    if (begins_context(p))
        return parse_context(p);
    switch (parser_kind(p)) {
    case T_NAME: return begins_loop(p) ? parse_scan(p) : parse_name(p);
    case T_NONE: return leaf_node(p, E_NAME);
    case T_INT: return leaf_node(p, E_INT);
    case T_FLOAT: return leaf_node(p, E_FLOAT);
    case T_STRING: return leaf_node(p, E_STRING);
    case T_TRUE:
    case T_FALSE: return leaf_node(p, E_BOOL);
    case T_LPAREN: return parse_paren(p);
    case T_LBRACKET: return parse_array(p);
    case T_LBRACE: return parse_block(p);
    case T_SCAN: return parse_scan(p);
    case T_PERCENT: return parse_numbered(p);
    default: return parser_unexpected(p, "an expression");
    }
}

/* ---- operators ---- */

typedef struct {
    u8 token, op, level;
} BinaryOp;

static const BinaryOp *binary_op(TokenKind kind)
{
    static const BinaryOp table[] = {
#define INFIX(TREE, TOKEN, SIGN, LEVEL, LEFT, RIGHT, OPERATOR) \
    {T_##TOKEN, AST_##TREE, LEVEL_##LEVEL},
#define WORD INFIX
#define PREFIX(TREE, TOKEN, SIGN, LEVEL, OPERAND, OPERATOR)
#include "syntax/syntax.def"
        {T_WITH, 0, LEVEL_WITH},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++)
        if (table[i].token == kind)
            return &table[i];
    return NULL;
}

typedef struct {
    u8 token, op, level;
} PrefixOp;

static const PrefixOp *prefix_op(TokenKind kind)
{
    static const PrefixOp table[] = {
#define WORD(TREE, TOKEN, SIGN, LEVEL, LEFT, RIGHT, OPERATOR)
#define INFIX(TREE, TOKEN, SIGN, LEVEL, LEFT, RIGHT, OPERATOR)
#define PREFIX(TREE, TOKEN, SIGN, LEVEL, OPERAND, OPERATOR) {T_##TOKEN, AST_##TREE, LEVEL_##LEVEL},
#include "syntax/syntax.def"
    };
    for (size_t i = 0; i < COUNT_OF(table); i++)
        if (table[i].token == kind)
            return &table[i];
    return NULL;
}

static Expr *parse_binary(Parser *p, int level);

static Expr *parse_prefix(Parser *p, int level)
{
    Token t = parser_peek(p);
    const PrefixOp *op = prefix_op((TokenKind)t.kind);
    if (!op || op->level < level)
        return parse_postfix(p, parse_primary(p), t.start);
    parser_take(p);
    Expr *operand = parse_binary(p, op->level);
    return operand ? unary_node(p, (AstOp)op->op, t, t.start, operand) : NULL;
}

/* .W or .a.W: a part of a tuple, in e->text without the first point. */
static bool parse_part(Parser *p, Expr *e)
{
    Text path = {0};
    while (parser_accept(p, T_DOT)) {
        if (!token_is_word(parser_kind(p))) {
            text_free(&path);
            return parser_unexpected(p, "the name of a part after `.`");
        }
        text_printf(&path, "%s%s", path.len ? "." : "", parser_text(p, parser_take(p)));
    }
    e->text = arena_strndup(p->arena, path.at, path.len);
    text_free(&path);
    return true;
}

/* After `base`: with [i] = v, with [i] += v, with .W = v */
static Expr *parse_with(Parser *p, Expr *base, u32 start)
{
    Expr *e = expr_new(p, E_WITH, start);
    e->op_span = parser_span(p, parser_take(p));
    if (parser_kind(p) != T_LBRACKET && parser_kind(p) != T_DOT)
        return parser_unexpected(p, "`[` or `.` after `with`");
    if (!(parser_kind(p) == T_DOT ? parse_part(p, e) : parse_subs(p, e)))
        return NULL;
    e->flag = parser_kind(p) == T_INCREASE;
    if (!parser_accept(p, T_INCREASE) && !parser_expect(p, T_ASSIGN,
                                                        e->text ? "`=` or `+=` after `with .part`"
                                                                : "`=` or `+=` after `with [...]`"))
        return NULL;
    Expr *value = parse_binary(p, LEVEL_ADD);
    if (!value)
        return NULL;
    e->nitems = 2;
    e->items = expr_operands(p, 2);
    e->items[0] = base;
    e->items[1] = value;
    return expr_finish(p, e);
}

static Expr *binary_node(Parser *p, const BinaryOp *op, Expr *left, u32 start)
{
    Token t = parser_take(p);
    int right_level = op->level == LEVEL_POW ? LEVEL_NEG : op->level + 1;
    Expr *right = parse_binary(p, right_level);
    if (!right)
        return NULL;
    Expr *e = expr_new(p, E_BINARY, start);
    e->op = (AstOp)op->op;
    bool chains = e->op == AST_ADD || e->op == AST_MUL;
    e->flag = chains && left->kind == E_BINARY && left->op == e->op && left->span.start > start;
    e->op_span = parser_span(p, t);
    e->nitems = 2;
    e->items = expr_operands(p, 2);
    e->items[0] = left;
    e->items[1] = right;
    return expr_finish(p, e);
}

/* a > 0 & b > 0 */
static const char *chain_hint(const Expr *compared)
{
    const Expr *right = compared->kind == E_BINARY ? compared->items[1] : compared;
    bool bits = right->kind == E_BINARY && (right->op == AST_BITAND || right->op == AST_BITOR);
    return bits ? "`&` and `|` bind more tightly than comparisons: write `a < b and c < d`, or "
                  "`(a < b) & (c < d)`"
                : "write `a < b and b < c`";
}

/* Operators at `level` or tighter. */
static Expr *parse_binary(Parser *p, int level)
{
    u32 start = parser_peek(p).start;
    Expr *e = parser_enter(p) ? parse_prefix(p, level) : NULL;
    bool compared = false;
    while (e) {
        Token t = parser_peek(p);
        const BinaryOp *op = binary_op((TokenKind)t.kind);
        if (!op || op->level < level)
            break;
        if (op->level == LEVEL_COMPARE && compared) {
            e = parser_fail(p, t, chain_hint(e), "comparisons cannot be chained");
            break;
        }
        compared = op->level == LEVEL_COMPARE || (compared && op->level > LEVEL_COMPARE);
        e = op->level == LEVEL_WITH ? parse_with(p, e, start) : binary_node(p, op, e, start);
    }
    parser_leave(p);
    return e;
}

/* ---- all of them ---- */

Expr *parse_expr(Parser *p)
{
    Token t = parser_peek(p);
    Expr *e = NULL;
    if (parser_enter(p))
        e = t.kind == T_IF ? parse_if(p) : parse_binary(p, LEVEL_OR);
    if (e && parser_kind(p) == T_ARROW)
        e = parse_lambda(p, e, t.start);
    parser_leave(p);
    return e;
}
