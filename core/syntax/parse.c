/* The statement parser, and the ways into the parser.
 *
 * Invariant: parse_statement() always moves forward or returns PARSE_END (or
 * PARSE_INCOMPLETE, after which the parser is spent), and a statement with a
 * mistake adds exactly one error. */
#include "syntax/parse_internal.h"

#include "base/utf8.h"

#define REPEAT_LOOKAHEAD 10000 /* tokens of a count in parentheses */

typedef VEC(Stmt *) StmtVec;
typedef VEC(Expr *) ExprVec;

static Stmt *parse_stmt(Parser *p);

static Stmt *stmt_new(Parser *p, StmtKind kind, u32 start)
{
    Stmt *s = arena_alloc(p->arena, sizeof *s);
    s->kind = kind;
    s->span = (Span){p->src, start, start};
    return s;
}

static Stmt *stmt_finish(Parser *p, Stmt *s)
{
    s->span = parser_span_from(p, s->span.start);
    return s;
}

static void set_name(Parser *p, Stmt *s, Token t)
{
    s->nnames = 1;
    s->names = arena_alloc(p->arena, sizeof *s->names);
    s->names[0] = (Bind){.name = parser_text(p, t), .span = parser_span(p, t)};
}

/* ---- statements in braces ---- */

/* `until c`, at the end of what is in braces. */
static bool parse_until(Parser *p, Expr **until)
{
    parser_take(p);
    if (!(*until = parse_expr(p)))
        return false;
    while (parser_accept(p, T_NEWLINE) || parser_accept(p, T_SEMI))
        continue;
    Token t = parser_peek(p);
    return t.kind == T_RBRACE || t.kind == T_EOF ||
           parser_fail(p, t, "move `until` to the end", "nothing can follow `until`") != NULL;
}

/* From the `{` to the `}`, with `until` at the end where it may be (else NULL); false after an
 * error. */
static bool parse_braced(Parser *p, StmtVec *v, Expr **until)
{
    Token open;
    u32 outside = parser_open(p, &open);
    bool header = p->header;
    size_t stmt_start = p->stmt_start;
    p->header = false;
    for (;;) {
        while (parser_accept(p, T_NEWLINE) || parser_accept(p, T_SEMI))
            continue;
        if (parser_kind(p) == T_RBRACE)
            break;
        p->stmt_start = p->pos;
        if (until && parser_kind(p) == T_UNTIL) {
            if (!parse_until(p, until))
                return false;
            break;
        }
        Stmt *s = parser_kind(p) == T_EOF ? parser_unexpected(p, "`}`") : parse_stmt(p);
        if (!s)
            return false;
        vec_push(v, s);
        TokenKind k = parser_kind(p);
        if (k != T_NEWLINE && k != T_SEMI)
            break;
    }
    p->stmt_start = stmt_start;
    p->header = header;
    return parser_close(p, open, outside);
}

static const char block_forms[] = "a block is `{ name = e; ...; result }`";

bool expr_is_check(const Expr *e)
{
    return e->kind == E_CALL && e->nargs == 2 && e->items[0]->kind == E_NAME &&
           strcmp(e->items[0]->text, "check") == 0 && !e->args[0].name && !e->args[1].name &&
           e->args[1].value->kind == E_STRING;
}

/* Definitions, then one expression. */
static bool check_block(Parser *p, const StmtVec *v, Span all)
{
    for (size_t i = 0; i < v->len; i++) {
        Stmt *s = v->at[i];
        bool last = i + 1 == v->len, check = s->kind == S_EXPR && expr_is_check(s->value);
        bool definition = s->kind == S_DEFINE || s->kind == S_FUNCTION || check;
        if (last ? s->kind == S_EXPR && !check : definition)
            continue;
        if (last && definition)
            parser_fail_span(p, s->span, block_forms,
                             "a block must end with an expression, its value");
        else if (s->kind == S_EXPR)
            parser_fail_span(p, s->span, block_forms,
                             "this expression is not the last of its block, so it has no use");
        else
            parser_fail_span(p, s->span, block_forms,
                             "a block may contain only definitions and the final expression");
        return false;
    }
    if (v->len == 0)
        parser_fail_span(p, all, block_forms, "this block is empty");
    return v->len > 0;
}

Expr *parse_block(Parser *p)
{
    Expr *e = expr_new(p, E_BLOCK, parser_peek(p).start);
    StmtVec v = {0};
    bool ok = parse_braced(p, &v, NULL) && check_block(p, &v, parser_span_from(p, e->span.start));
    size_t n = v.len;
    Stmt **all = parser_keep(p, v.at, n, sizeof *v.at);
    if (!ok)
        return NULL;
    e->nstmts = (int)n - 1;
    e->stmts = n > 1 ? all : NULL;
    e->nitems = 1;
    e->items = expr_operands(p, 1);
    e->items[0] = all[n - 1]->value;
    return expr_finish(p, e);
}

static Stmt *parse_body_of(Parser *p, Stmt *s)
{
    if (parser_kind(p) != T_LBRACE)
        return parser_unexpected(p, "`{`");
    StmtVec v = {0};
    bool ok = parse_braced(p, &v, s->kind == S_REPEAT ? &s->until : NULL);
    s->nbody = (int)v.len;
    s->body = parser_keep(p, v.at, v.len, sizeof *v.at);
    return ok ? stmt_finish(p, s) : NULL;
}

/* ---- repeat, in, commands ---- */

/* `repeat (k) { ... }` is the statement, `repeat(x, n)` the function: the statement has a `{` after
 * what could be a whole expression. */
static bool repeat_is_statement(Parser *p)
{
    TokenKind next = (TokenKind)parser_ahead(p, 1).kind;
    if (next != T_LPAREN)
        return next == T_INT || next == T_FLOAT || token_is_word(next)
                   ? next != T_WITH && next != T_AND && next != T_OR
                   : next == T_LBRACE;
    u32 level = parser_peek(p).open;
    int scans = 0;
    TokenKind prev = T_NAME;
    for (size_t k = 1; k < REPEAT_LOOKAHEAD; k++) {
        Token t = parser_ahead(p, k);
        if (t.open < level || t.kind == T_EOF ||
            (t.open == level && (t.kind == T_NEWLINE || t.kind == T_SEMI)))
            return false;
        scans += t.kind == T_SCAN && t.open == level;
        if (t.kind == T_LBRACE && t.open == level + 1 && token_ends_expression(prev) &&
            scans-- == 0)
            return true;
        prev = (TokenKind)t.kind;
    }
    return false;
}

static Stmt *parse_repeat(Parser *p)
{
    Stmt *s = stmt_new(p, S_REPEAT, parser_take(p).start);
    if (parser_kind(p) == T_LBRACE)
        return parser_fail(p, parser_peek(p), "write `repeat 100 { ... }`",
                           "`repeat` needs a count");
    s->value = parse_expr(p);
    return s->value ? parse_body_of(p, s) : NULL;
}

static Stmt *parse_in(Parser *p)
{
    Stmt *s = stmt_new(p, S_IN, parser_take(p).start);
    set_name(p, s, parser_take(p));
    return parse_body_of(p, s);
}

static bool command_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '?';
}

static Stmt *parse_command(Parser *p)
{
    Token t = parser_take(p);
    Stmt *s = stmt_new(p, S_COMMAND, t.start);
    const char *text = p->src->text;
    u32 word = t.start + 1, end = word;
    while (end < t.end && command_letter(text[end]))
        end++;
    if (end == word)
        return parser_fail_span(p, parser_span(p, t), "`:help` lists the commands",
                                "a command needs its name right after the `:`");
    u32 rest = end;
    while (rest < t.end && (text[rest] == ' ' || text[rest] == '\t'))
        rest++;
    if (rest < t.end && text[rest] == '#')
        rest = t.end; /* a comment right after the name */
    s->command = arena_strndup(p->arena, text + word, end - word);
    s->rest = arena_strndup(p->arena, text + rest, t.end - rest);
    s->rest_span = (Span){p->src, rest, t.end};
    return stmt_finish(p, s);
}

/* ---- declarations ---- */

/* [shared] NAME : type [= value] */
static Stmt *parse_declaration(Parser *p, bool shared)
{
    Stmt *s = stmt_new(p, shared ? S_SHARED : S_INPUT, parser_peek(p).start);
    if (shared)
        parser_take(p);
    set_name(p, s, parser_take(p));
    if (parser_kind(p) == T_ASSIGN)
        return parser_fail(p, parser_peek(p), "write `shared W : f64[2, 2] = ...`",
                           "a shared variable needs a type");
    if (!parser_expect(p, T_COLON, "`:` and a type") || !(s->type = parse_type(p)))
        return NULL;
    if (parser_kind(p) == T_STORE)
        return parser_fail(p, parser_peek(p), "write `=`",
                           "a declaration gives its value with `=`");
    if (parser_accept(p, T_ASSIGN) && !(s->value = parse_expr(p)))
        return NULL;
    return stmt_finish(p, s);
}

/* ---- definitions and stores ---- */

/* p.W, p[0], p.a.W: the path of a part of a tuple, with points; false: something else. */
static bool put_path(Text *out, const Expr *e)
{
    bool field = e->kind == E_FIELD && !e->flag;
    bool item = e->kind == E_INDEX && e->nsubs == 1 && e->subs[0].kind == SUB_INDEX &&
                e->subs[0].index->kind == E_INT;
    if (!field && !item && (e->kind != E_NAME || !strcmp(e->text, "None")))
        return false;
    if ((field || item) && !put_path(out, e->items[0]))
        return false;
    text_printf(out, "%s%s", field || item ? "." : "", item ? e->subs[0].index->text : e->text);
    return true;
}

static const char *path_of(Parser *p, const Expr *e)
{
    Text path = {0};
    const char *kept = put_path(&path, e) ? arena_strndup(p->arena, path.at, path.len) : NULL;
    text_free(&path);
    return kept;
}

/* The left sides must be names; of a store, parts of tuples too. */
static bool names_of(Parser *p, Stmt *s, const ExprVec *left, const char *mark)
{
    s->nnames = (int)left->len;
    s->names = arena_alloc(p->arena, left->len * sizeof *s->names);
    for (size_t i = 0; i < left->len; i++) {
        const Expr *e = left->at[i];
        const char *path = *mark == ':' || e->kind == E_NAME ? path_of(p, e) : NULL;
        if (path) {
            s->names[i] = (Bind){.name = path, .span = e->span};
            continue;
        }
        const char *hint =
            e->kind == E_FIELD   ? "write `q = p with .W = v` for a copy, `p.W := v` for a store"
            : e->kind == E_INDEX ? "values do not change; write `y = x with [i] = v` or "
                                   "`x := x with [i] = v`"
            : e->kind == E_CALL  ? "a function is defined by `f(x, y=1) = expression`"
            : *mark == '='       ? "to compare write `==`"
                                 : NULL;
        parser_fail_span(p, e->span, hint, "only names are allowed to the left of `%s`", mark);
        return false;
    }
    return true;
}

/* f(x, w, scale=1), read as a call, becomes parameters. */
static bool params_of(Parser *p, Stmt *s, const Expr *call)
{
    if (call->nargs > PARSE_MAX_PARAMS) {
        parser_fail_span(p, call->span, NULL, "more than %d parameters", PARSE_MAX_PARAMS);
        return false;
    }
    s->nparams = call->nargs;
    s->params = arena_alloc(p->arena, (size_t)call->nargs * sizeof *s->params);
    for (int i = 0; i < call->nargs; i++) {
        const Arg *a = &call->args[i];
        Bind b = {.name = a->name, .span = a->name_span, .init = a->value};
        if (!a->name) {
            if (a->value->kind != E_NAME || strcmp(a->value->text, "None") == 0) {
                parser_fail_span(p, a->value->span,
                                 "a function is defined by `f(x, y=1) = expression`",
                                 "a parameter must be a name");
                return false;
            }
            b = (Bind){.name = a->value->text, .span = a->value->span};
        }
        for (int k = 0; k < i; k++)
            if (strcmp(s->params[k].name, b.name) == 0 && strcmp(b.name, "_") != 0) {
                parser_fail_span(p, b.span, NULL, "two parameters bear the name `%s`", b.name);
                return false;
            }
        s->params[i] = b;
    }
    return true;
}

static bool is_function_head(const Expr *e)
{
    return e->kind == E_CALL && e->items[0]->kind == E_NAME &&
           strcmp(e->items[0]->text, "None") != 0;
}

/* The comment lines right above the statement, without `#`; NULL if there are none. */
static const char *doc_above(Parser *p, u32 start)
{
    const char *text = p->src->text;
    size_t line = start;
    while (line > 0 && (text[line - 1] == ' ' || text[line - 1] == '\t'))
        line--;
    size_t first = line; /* where the comment begins */
    while (first > 0 && text[first - 1] == '\n') {
        size_t begin = first - 1;
        while (begin > 0 && text[begin - 1] != '\n')
            begin--;
        size_t mark = begin;
        while (mark < first && (text[mark] == ' ' || text[mark] == '\t'))
            mark++;
        if (text[mark] != '#')
            break;
        first = begin;
    }
    Text doc = {0};
    for (size_t i = first; i < line;) {
        const char *nl = memchr(text + i, '\n', line - i);
        size_t end = nl ? (size_t)(nl - text) : line, from = i;
        while (text[from] != '#')
            from++;
        from += text[from + 1] == ' ' ? 2 : 1;
        size_t to = end > from && text[end - 1] == '\r' ? end - 1 : end;
        text_put(&doc, i > first ? "\n" : "");
        if (to > from)
            utf8_put_safe(&doc, text + from, to - from);
        i = end + 1;
    }
    const char *kept = first < line ? arena_strndup(p->arena, doc.at, doc.len) : NULL;
    text_free(&doc);
    return kept;
}

/* After the left sides, at `=`. */
static Stmt *parse_definition(Parser *p, const ExprVec *left, u32 start)
{
    bool function = left->len == 1 && is_function_head(left->at[0]);
    Stmt *s = stmt_new(p, function ? S_FUNCTION : S_DEFINE, start);
    if (function) {
        const Expr *call = left->at[0];
        s->nnames = 1;
        s->names = arena_alloc(p->arena, sizeof *s->names);
        s->names[0] = (Bind){.name = call->items[0]->text, .span = call->items[0]->span};
        if (!params_of(p, s, call))
            return NULL;
        s->doc = doc_above(p, start);
    } else if (!names_of(p, s, left, "=")) {
        return NULL;
    }
    parser_take(p);
    s->value = parse_expr(p);
    if (s->value && s->nnames > 1 && parser_kind(p) == T_COMMA)
        s->value = expr_tuple_rest(p, s->value);
    return s->value ? stmt_finish(p, s) : NULL;
}

static void expressions(Parser *p, ExprVec *out)
{
    do {
        Expr *e = parse_expr(p);
        if (!e)
            break;
        vec_push(out, e);
    } while (parser_accept(p, T_COMMA));
}

static Stmt *parse_store(Parser *p, const ExprVec *left, u32 start)
{
    Stmt *s = stmt_new(p, S_ASSIGN, start);
    if (!names_of(p, s, left, ":="))
        return NULL;
    parser_take(p);
    ExprVec v = {0};
    expressions(p, &v);
    s->nvalues = (int)v.len;
    s->values = parser_keep(p, v.at, v.len, sizeof *v.at);
    if (p->failed || p->incomplete)
        return NULL;
    stmt_finish(p, s);
    if (s->nvalues == s->nnames || s->nvalues == 1)
        return s;
    const char *hint = s->nnames == 1 ? "a tuple is written in parentheses: `(a, b)`" : NULL;
    return parser_fail_span(p, s->span, hint, "%d name%s left of `:=`, but %d values right of it",
                            s->nnames, s->nnames == 1 ? "" : "s", s->nvalues);
}

/* (a, b) = ..., (a, b) := ...: the names without the parentheses. */
static void open_left(Parser *p, ExprVec *left)
{
    TokenKind k = parser_kind(p);
    const Expr *e = left->len == 1 ? left->at[0] : NULL;
    if (!e || (k != T_ASSIGN && k != T_STORE) || e->kind != E_TUPLE || e->nitems < 2)
        return;
    left->len = 0;
    for (int i = 0; i < e->nitems; i++)
        vec_push(left, e->items[i]);
}

/* An expression, or what begins like one: definitions and stores. */
Stmt *parse_simple(Parser *p)
{
    u32 start = parser_peek(p).start;
    ExprVec left = {0};
    expressions(p, &left);
    if (!p->failed && !p->incomplete)
        open_left(p, &left);
    Stmt *s = NULL;
    if (!p->failed && !p->incomplete) {
        TokenKind k = parser_kind(p);
        if (k == T_ASSIGN) {
            s = parse_definition(p, &left, start);
        } else if (k == T_STORE) {
            s = parse_store(p, &left, start);
        } else if (left.len > 1) {
            parser_fail(p, parser_peek(p), "a tuple is written in parentheses: `(a, b)`",
                        "expected `=` or `:=` after the names");
        } else {
            s = stmt_new(p, S_EXPR, start);
            s->value = left.at[0];
            stmt_finish(p, s);
        }
    }
    vec_free(&left);
    return s;
}

/* `composite f(...) = e` and `derivative f(...) = e`: only the prelude may say so. */
static Stmt *parse_composite(Parser *p, StmtKind kind)
{
    u32 start = parser_peek(p).start;
    parser_take(p);
    Stmt *s = parse_simple(p);
    if (!s)
        return NULL;
    if (s->kind != S_FUNCTION)
        return parser_fail_span(p, s->span, NULL, "expected `f(x, axis) = ...`");
    s->kind = kind;
    s->doc = doc_above(p, start);
    s->span.start = start;
    return s;
}

static Stmt *parse_stmt(Parser *p)
{
    Stmt *s = NULL;
    Token t = parser_peek(p);
    TokenKind next = t.kind == T_NAME ? (TokenKind)parser_ahead(p, 1).kind : T_EOF;
    if (!parser_enter(p))
        s = NULL;
    else if (t.kind == T_COMMAND)
        s = parse_command(p);
    else if (next == T_COLON)
        s = parse_declaration(p, false);
    else if (next == T_NAME && token_is(p, t, "shared"))
        s = parse_declaration(p, true);
    else if (next == T_NAME && token_is(p, t, "in"))
        s = parse_in(p);
    else if (next == T_NAME && token_is(p, t, "composite"))
        s = parse_composite(p, S_COMPOSITE);
    else if (next == T_NAME && token_is(p, t, "derivative"))
        s = parse_composite(p, S_DERIVATIVE);
    else if (t.kind == T_NAME && token_is(p, t, "repeat") && repeat_is_statement(p))
        s = parse_repeat(p);
    else
        s = parse_simple(p);
    parser_leave(p);
    return s;
}

/* ---- the ways in ---- */

void parser_init(Parser *p, const Source *src, Arena *arena, Diags *diags, bool interactive)
{
    *p = (Parser){
        .src = src, .arena = arena, .own = arena, .diags = diags, .interactive = interactive};
}

/* Forgets the tokens of the statement before, except those read ahead. */
static void begin_statement(Parser *p)
{
    while (parser_accept(p, T_NEWLINE) || parser_accept(p, T_SEMI))
        continue;
    size_t left = p->count - p->pos;
    if (left)
        memmove(p->tokens, p->tokens + p->pos, left * sizeof *p->tokens);
    p->count = left;
    p->pos = p->stmt_start = 0;
    p->depth = 0;
    p->header = p->failed = p->failed_in_header = false;
    p->bracket = UINT32_MAX;
}

ParseStatus parse_statement(Parser *p, Stmt **out)
{
    *out = NULL;
    if (!p->lexed) {
        parser_start(p, source_whole(p->src), true);
        if (p->failed)
            return PARSE_ERROR;
    }
    if (p->gave_up || p->incomplete)
        return PARSE_END;
    begin_statement(p);
    if (parser_kind(p) == T_EOF)
        return PARSE_END;
    Stmt *s = parse_stmt(p);
    if (s) {
        TokenKind k = parser_kind(p);
        if (k == T_NEWLINE || k == T_SEMI || k == T_EOF) {
            *out = s;
            return PARSE_OK;
        }
        parser_unexpected(p, "the end of the statement");
    }
    if (p->incomplete)
        return PARSE_INCOMPLETE;
    parser_recover(p);
    return PARSE_ERROR;
}

Expr *parse_expression(Span part, Arena *arena, Diags *diags)
{
    Parser p;
    parser_init(&p, part.src, arena, diags, false);
    parser_start(&p, part, false);
    if (p.failed)
        return NULL;
    Expr *e = parse_expr(&p);
    while (e && (parser_accept(&p, T_NEWLINE) || parser_accept(&p, T_SEMI)))
        continue;
    if (e && parser_kind(&p) != T_EOF)
        return parser_unexpected(&p, "the end of the expression");
    return e;
}

Expr *parse_expression_at(const Source *src, size_t start, size_t *end, Arena *arena, Diags *diags)
{
    Parser p;
    parser_init(&p, src, arena, diags, false);
    Span part = source_whole(src);
    part.start = (u32)start;
    parser_start(&p, part, false);
    p.rule_mode = true;
    Expr *e = p.failed ? NULL : parse_expr(&p);
    *end = p.last_end;
    return e;
}
