/* The loosest forms of expressions: a choice and a function. */
#include "syntax/parse_internal.h"

/* At the prompt the line after `if c` may begin with `then`, so there the end of the text is no
 * mistake. */
static bool expect_branch(Parser *p, TokenKind kind, const char *what)
{
    if (p->interactive && parser_kind(p) == T_NEWLINE && parser_ahead(p, 1).kind == T_EOF)
        p->incomplete = true;
    return !p->incomplete && parser_expect(p, kind, what);
}

Expr *parse_if(Parser *p)
{
    Expr *e = expr_new(p, E_IF, parser_peek(p).start);
    e->op_span = parser_span(p, parser_take(p));
    e->nitems = 3;
    e->items = expr_operands(p, 3);
    if (!(e->items[0] = parse_expr(p)) || !expect_branch(p, T_THEN, "`then`"))
        return NULL;
    if (!(e->items[1] = parse_expr(p)) || !expect_branch(p, T_ELSE, "`else` (every `if` has one)"))
        return NULL;
    e->items[2] = parse_expr(p);
    return e->items[2] ? expr_finish(p, e) : NULL;
}

static bool is_name(const Expr *e) { return e->kind == E_NAME && strcmp(e->text, "None") != 0; }

static bool param_repeated(const Bind *b, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(b[i].name, name) == 0 && strcmp(name, "_") != 0)
            return true;
    return false;
}

/* At `->`, after `left`: a name, or names in parentheses. */
Expr *parse_lambda(Parser *p, Expr *left, u32 start)
{
    bool tuple = left->kind == E_TUPLE && !left->nargs;
    int n = tuple ? left->nitems : 1;
    Expr **names = tuple ? left->items : &left;
    if (n > PARSE_MAX_PARAMS)
        return parser_fail_span(p, left->span, NULL, "more than %d parameters", PARSE_MAX_PARAMS);
    Expr *e = expr_new(p, E_LAMBDA, start);
    e->params = arena_alloc(p->arena, (size_t)n * sizeof *e->params);
    for (int i = 0; i < n; i++) {
        if (!is_name(names[i]))
            return parser_fail_span(p, names[i]->span,
                                    "a function is written `x -> e` or `(x, y) -> e`",
                                    "only names are allowed to the left of `->`");
        if (param_repeated(e->params, i, names[i]->text))
            return parser_fail_span(p, names[i]->span, NULL, "two parameters bear the name `%s`",
                                    names[i]->text);
        e->params[i] = (Bind){.name = names[i]->text, .span = names[i]->span};
    }
    e->nparams = n;
    e->op_span = parser_span(p, parser_take(p));
    e->nitems = 1;
    e->items = expr_operands(p, 1);
    e->items[0] = parse_expr(p);
    return e->items[0] ? expr_finish(p, e) : NULL;
}
