/* Types as they are written after `:`; tuples of them nest. */
#include "syntax/parse_internal.h"

typedef VEC(Expr *) ExprVec;

/* A size, before which its dimension's name may stand: `n`, `batch n`, `batch 3`, `batch ?`. */
static Expr *parse_dim(Parser *p, const char **name)
{
    TokenKind after = (TokenKind)parser_ahead(p, 1).kind;
    bool named =
        parser_kind(p) == T_NAME && (after == T_NAME || after == T_INT || after == T_QUESTION);
    *name = named ? parser_text(p, parser_take(p)) : NULL;
    Token t = parser_peek(p);
    if (t.kind != T_QUESTION)
        return parse_expr(p);
    parser_take(p);
    return expr_finish(p, expr_new(p, E_UNKNOWN_SIZE, t.start));
}

static bool parse_dims(Parser *p, TypeExpr *type)
{
    Token open;
    u32 outside = parser_open(p, &open);
    ExprVec v = {0};
    VEC(const char *) names = {0};
    bool named = false;
    while (parser_kind(p) != T_RBRACKET) {
        const char *name;
        Expr *e = parse_dim(p, &name);
        if (!e)
            break;
        vec_push(&v, e);
        vec_push(&names, name);
        named = named || name;
        if (!parser_accept(p, T_COMMA))
            break;
    }
    type->ndims = (int)v.len;
    type->dims = parser_keep(p, v.at, v.len, sizeof *v.at);
    type->dim_names = parser_keep(p, names.at, names.len, sizeof *names.at);
    type->dim_names = named ? type->dim_names : NULL;
    return !p->failed && !p->incomplete && parser_close(p, open, outside);
}

/* One part of a type in parentheses: `W: f64[2, 2]`, or without a name. */
static TypeExpr *type_part(Parser *p, TypeExpr *whole, const char **name)
{
    Token t = parser_peek(p);
    bool named = token_is_word((TokenKind)t.kind) && parser_ahead(p, 1).kind == T_COLON;
    *name = NULL;
    if (named) {
        *name = parser_text(p, parser_take(p));
        parser_take(p);
    }
    for (int i = 0; i < whole->nparts && named && whole->names; i++)
        if (!strcmp(whole->names[i], *name))
            return parser_fail(p, t, "give one of them another name",
                               "two parts of this tuple have the name `%s`", *name);
    if (whole->nparts && named != (whole->names != NULL))
        return parser_fail(p, t, "name all of them: `(W: f64[2, 2], b: f64)`",
                           "either all parts of a tuple have names or none");
    return parse_type(p);
}

/* (W: f64[2, 2], b: f64), (f64, i64), (f64,) */
static TypeExpr *parse_tuple_type(Parser *p, u32 start)
{
    Token open;
    u32 outside = parser_open(p, &open);
    VEC(TypeExpr *) parts = {0};
    VEC(const char *) names = {0};
    TypeExpr *type = arena_alloc(p->arena, sizeof *type);
    bool ok = parser_enter(p), comma = true;
    while (ok && comma && parser_kind(p) != T_RPAREN) {
        const char *name;
        TypeExpr *part = type_part(p, type, &name);
        ok = part != NULL;
        if (!ok)
            break;
        vec_push(&parts, part);
        vec_push(&names, name);
        type->nparts = (int)parts.len;
        type->parts = parts.at;
        type->names = name ? names.at : NULL;
        comma = parser_accept(p, T_COMMA);
    }
    bool lone = type->nparts == 1 && !type->names && !comma;
    type->parts = parser_keep(p, parts.at, parts.len, sizeof *parts.at);
    bool named = type->names != NULL;
    type->names = parser_keep(p, names.at, names.len, sizeof *names.at);
    type->names = named ? type->names : NULL;
    parser_leave(p);
    if (!ok || !parser_close(p, open, outside))
        return NULL;
    type->span = parser_span_from(p, start);
    if (!type->nparts || lone)
        return parser_fail_span(p, type->span, "name it, `(W: f64)`, or write a comma, `(f64,)`",
                                lone ? "a tuple of one part has a name or a comma"
                                     : "the type of a tuple has at least one part");
    return type;
}

TypeExpr *parse_type(Parser *p)
{
    Token t = parser_peek(p);
    if (t.kind == T_LPAREN)
        return parse_tuple_type(p, t.start);
    if (t.kind == T_ASSIGN)
        return parser_fail(p, t, "did you mean `:=`?", "expected a type after `:`, but found `=`");
    if (t.kind == T_COLON)
        return parser_fail(p, t, "one colon is enough: `x : f64[n]`",
                           "expected a type after `:`, but found `:`");
    if (t.kind != T_NAME)
        return parser_unexpected(p, "a type such as `f64[n, 3]` after `:`");
    TypeExpr *type = arena_alloc(p->arena, sizeof *type);
    type->dtype = parser_text(p, parser_take(p));
    if (parser_kind(p) == T_LBRACKET && !parse_dims(p, type))
        return NULL;
    type->span = parser_span_from(p, t.start);
    return type;
}
