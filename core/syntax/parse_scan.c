/* scan: the header's clauses and the items of the body.
 *
 * Invariant: the words of clauses are ordinary names everywhere else, and
 * newlines are skipped from the word `scan` to the `{` only (p->header; brackets
 * inside the header have their own rules). */
#include "syntax/parse_internal.h"

typedef VEC(Bind) BindVec;
typedef VEC(ScanItem) ItemVec;
typedef VEC(Target) TargetVec;

/* All clauses while they are read; repeated clauses add up. */
typedef struct {
    BindVec over, from, using_names, keep;
    ScanExpr *s;
} Clauses;

/* ---- clauses ---- */

/* In a rule `rest...` stands for other sequences, states or equations; `name` was just read. */
static bool at_rest(Parser *p, Token name)
{
    Token mark = parser_peek(p);
    return p->rule_mode && mark.kind == T_ELLIPSIS && mark.start == name.end;
}

static bool parse_bind_name(Parser *p, Bind *b, const char *what)
{
    Token t = parser_peek(p);
    if (t.kind != T_NAME) {
        parser_unexpected(p, what);
        return false;
    }
    parser_take(p);
    *b = (Bind){.name = parser_text(p, t), .span = parser_span(p, t)};
    if (at_rest(p, t)) {
        parser_take(p);
        b->span = parser_span_from(p, t.start);
        b->name = arena_strndup(p->arena, p->src->text + t.start, p->last_end - t.start);
    }
    return true;
}

/* t, t-3, t+1: how far from the index variable; false if it is none of them. */
static bool offset_of(const Expr *x, const char *index, i64 *offset)
{
    *offset = 0;
    if (x && x->kind == E_NAME)
        return !strcmp(x->text, index);
    if (!x || x->kind != E_BINARY || (x->op != AST_ADD && x->op != AST_SUB) ||
        x->items[0]->kind != E_NAME || strcmp(x->items[0]->text, index) ||
        x->items[1]->kind != E_INT || strlen(x->items[1]->text) > 9)
        return false;
    i64 k = strtoll(x->items[1]->text, NULL, 10);
    *offset = x->op == AST_ADD ? k : -k;
    return true;
}

/* After the name of a sequence: [t-1], what it is called in the body. */
static bool parse_bind_offset(Parser *p, const ScanExpr *s, Bind *b)
{
    Token open, at = parser_peek(p);
    u32 outside = parser_open(p, &open);
    Expr *x = parse_expr(p);
    if (!x || !parser_close(p, open, outside))
        return false;
    b->indexed = true;
    if (offset_of(x, s->index, &b->offset) && parser_kind(p) == T_ASSIGN)
        return true;
    return parser_fail(p, at, "give it a name, as in `over w = u[1:]`",
                       "a sequence is a name or `name = expression`") != NULL;
}

/* Does a sequence begin as a name does that stands alone or before `=`? */
static bool begins_bind(Parser *p, const ScanExpr *s)
{
    Token next = parser_ahead(p, 1);
    bool tapped = next.kind == T_LBRACKET && token_is(p, parser_ahead(p, 2), s->index);
    bool clause = token_is_word((TokenKind)next.kind) && next.kind != T_WITH &&
                  next.kind != T_AND && next.kind != T_OR;
    return p->rule_mode || tapped || clause || next.kind == T_ASSIGN || next.kind == T_COMMA ||
           next.kind == T_LBRACE || next.kind == T_NEWLINE || next.kind == T_EOF;
}

/* A bracket, a number or a sign: an expression that is no name. */
static bool begins_operand(Token t)
{
    return t.kind == T_LPAREN || t.kind == T_LBRACKET || t.kind == T_INT || t.kind == T_FLOAT ||
           t.kind == T_MINUS;
}

/* A name that does not occur in the text. */
static const char *free_name(const char *text)
{
    static const char *const names[] = {"w", "u", "v", "row", "seq"};
    size_t i = 0;
    while (i + 1 < COUNT_OF(names) && strstr(text, names[i]))
        i++;
    return names[i];
}

enum { MOST_QUOTED = 60 };

/* over X', over arange(5): what to write instead, in full. */
static bool needs_name(Parser *p, const ScanExpr *s)
{
    Expr *x = parse_expr(p);
    if (!x)
        return false;
    u32 len = x->span.end - x->span.start;
    const char *text = arena_strndup(p->arena, p->src->text + x->span.start, len);
    const char *name = free_name(text);
    bool fits = len <= MOST_QUOTED && !strchr(text, '\n');
    Text hint = {0};
    if (x->kind == E_INT)
        text_printf(&hint, "a number of steps is given by `for %s`", text);
    else
        text_printf(&hint, "give it a name: `over %s = %s`, and read %s[%s]", name,
                    fits ? text : "...", name, s->index);
    parser_fail_span(p, x->span, text_str(&hint), "a sequence is a name or `name = expression`");
    text_free(&hint);
    return false;
}

/* NAME [= expr] {, NAME [= expr]}; `must`: every name needs a value. */
static bool parse_binds(Parser *p, const ScanExpr *s, BindVec *v, bool must, const char *what)
{
    do {
        Bind b;
        Token first = parser_peek(p);
        if (!must && (first.kind == T_NAME ? !begins_bind(p, s) : begins_operand(first)))
            return needs_name(p, s);
        if (!parse_bind_name(p, &b, what))
            return false;
        bool tapped = parser_kind(p) == T_LBRACKET && token_is(p, parser_ahead(p, 1), s->index);
        if (!must && tapped && !parse_bind_offset(p, s, &b))
            return false;
        if (parser_accept(p, T_ASSIGN)) {
            b.init = parse_expr(p);
            if (!b.init)
                return false;
        } else if (must && !strstr(b.name, "...")) {
            parser_unexpected(p, "`=` and the state's first value (`from s = s0`)");
            return false;
        }
        vec_push(v, b);
    } while (parser_accept(p, T_COMMA));
    return true;
}

/* NAME {, NAME}, or `()` for none. */
static bool parse_names(Parser *p, BindVec *v, const char *what)
{
    if (parser_kind(p) == T_LPAREN) {
        Token open;
        u32 outside = parser_open(p, &open);
        return parser_close(p, open, outside);
    }
    do {
        Bind b;
        if (!parse_bind_name(p, &b, what))
            return false;
        vec_push(v, b);
    } while (parser_accept(p, T_COMMA));
    return true;
}

static bool twice(Parser *p, Token word)
{
    parser_fail_span(p, parser_span(p, word), NULL, "this scan has two `%s` clauses",
                     parser_text(p, word));
    return false;
}

static bool parse_once(Parser *p, Expr **e, Token word)
{
    if (*e)
        return twice(p, word);
    *e = parse_expr(p);
    return *e != NULL;
}

static bool parse_zip(Parser *p, Clauses *c)
{
    if (!parser_at_word(p, "strict")) {
        parser_unexpected(p, "`strict` after `zip`");
        return false;
    }
    parser_take(p);
    c->s->zip_strict = true;
    return true;
}

static bool parse_checkpoint(Parser *p, Clauses *c, Token word)
{
    if (c->s->checkpoint || c->s->checkpoint_auto)
        return twice(p, word);
    if (parser_at_word(p, "auto")) {
        parser_take(p);
        c->s->checkpoint_auto = true;
        return true;
    }
    c->s->checkpoint = parse_expr(p);
    return c->s->checkpoint != NULL;
}

enum { OVER, FOR, FROM, USING, ZIP, CHECKPOINT, KEEP, REVERSE, IF, DOWN, GROWS };
static const char *const clause_words[] = {"over", "for",     "from", "using", "zip",  "checkpoint",
                                           "keep", "reverse", "if",   "down",  "grows"};

/* The last ones are those of a loop alone. */
static bool clause_fits(const ScanExpr *s, size_t which)
{
    return which <= REVERSE || (s->loop && which < COUNT_OF(clause_words));
}

/* Which clause a word begins; COUNT_OF(clause_words) if none. */
static size_t clause_of(const Parser *p, Token word)
{
    size_t which = 0;
    while (which < COUNT_OF(clause_words) && !token_is(p, word, clause_words[which]))
        which++;
    return which;
}

static void no_clause(Parser *p, Token found)
{
    static const char expected[] =
        "`{` or a clause (over, for, from, using, zip strict, checkpoint, keep, reverse)";
    Token before = p->tokens[p->pos - 1];
    if (token_is(p, found, "in"))
        parser_fail(p, found, "a sequence is named by `over`: scan t over xs { ... }",
                    "expected %s, but found `in`", expected);
    else if (clause_of(p, before) < COUNT_OF(clause_words))
        parser_fail(p, before,
                    p->tokens[p->pos - 2].kind == T_COMMA
                        ? "there is no comma between clauses"
                        : "the index variable comes first: scan t for n { ... }",
                    "the word `%s` is in the wrong place", parser_text(p, before));
    else
        parser_unexpected(p, expected);
}

static bool parse_clause(Parser *p, Clauses *c)
{
    Token word = parser_peek(p);
    size_t which = clause_of(p, word);
    if (!clause_fits(c->s, which)) {
        no_clause(p, word);
        return false;
    }
    parser_take(p);
    switch (which) {
    case OVER:
        return parse_binds(p, c->s, &c->over, false,
                           "a name, as in `over xs` or `over x = xs[1:]`");
    case FOR: return parse_once(p, &c->s->count, word);
    case FROM: return parse_binds(p, c->s, &c->from, true, "a name, as in `from x = 0.0`");
    case USING:
        c->s->has_using = true;
        return parse_names(p, &c->using_names, "a name, or `()` for no captures");
    case ZIP: return parse_zip(p, c);
    case CHECKPOINT: return parse_checkpoint(p, c, word);
    case KEEP:
        c->s->has_keep = true;
        return parse_names(p, &c->keep, "a name, or `()` for no rows at all");
    case REVERSE: return c->s->reverse = true;
    case IF: return parse_once(p, &c->s->go, word);
    case DOWN: return c->s->down = true;
    default: return c->s->grows = true;
    }
}

static bool parse_header(Parser *p, ScanExpr *s)
{
    Clauses c = {.s = s};
    Bind index;
    bool ok = parse_bind_name(p, &index, "the index variable of the scan (`scan t ...`)");
    if (ok) {
        s->index = index.name;
        s->index_span = index.span;
    }
    while (ok && parser_kind(p) != T_LBRACE)
        ok = parse_clause(p, &c);
    s->nover = (int)c.over.len;
    s->over = parser_keep(p, c.over.at, c.over.len, sizeof(Bind));
    s->nfrom = (int)c.from.len;
    s->from = parser_keep(p, c.from.at, c.from.len, sizeof(Bind));
    s->nusing = (int)c.using_names.len;
    s->using_names = parser_keep(p, c.using_names.at, c.using_names.len, sizeof(Bind));
    s->nkeep = (int)c.keep.len;
    s->keep = parser_keep(p, c.keep.at, c.keep.len, sizeof(Bind));
    return ok;
}

/* ---- body ---- */

static const char item_forms[] =
    "an item of a scan is `s[t] = e`, `name = e`, `f(x) = e`, `check(c, \"message\")` or `until c`";

bool expr_is_step_before(const Expr *e, const char *index)
{
    return e->kind == E_BINARY && e->op == AST_SUB && e->items[0]->kind == E_NAME &&
           strcmp(e->items[0]->text, index) == 0 && e->items[1]->kind == E_INT &&
           strcmp(e->items[1]->text, "1") == 0;
}

/* Takes a left side, read as an expression, for a target: x[t] or x. */
static bool target_of(Parser *p, const ScanExpr *s, const Expr *e, Target *out)
{
    const Expr *name = e->kind == E_INDEX ? e->items[0] : e;
    if (name->kind != E_NAME || strcmp(name->text, "None") == 0) {
        parser_fail_span(p, e->span, item_forms,
                         "this is not allowed to the left of `=` in a scan");
        return false;
    }
    *out = (Target){.name = name->text, .span = e->span, .indexed = e->kind == E_INDEX};
    if (!out->indexed)
        return true;
    const Expr *index = e->nsubs == 1 && e->subs[0].kind == SUB_INDEX ? e->subs[0].index : NULL;
    if (offset_of(index, s->index, &out->offset)) {
        out->earlier = p->rule_mode && out->offset == -1;
        return true;
    }
    Text hint = {0};
    text_printf(&hint, "write `%s[%s] = ...`", name->text, s->index);
    parser_fail_span(p, e->span, text_str(&hint),
                     "the left side must be indexed by `%s` alone, the scan's variable", s->index);
    text_free(&hint);
    return false;
}

static bool parse_targets(Parser *p, const ScanExpr *s, TargetVec *v)
{
    do {
        Expr *e = parse_expr(p);
        if (!e)
            return false;
        TokenKind k = parser_kind(p);
        if (k == T_STORE) {
            parser_fail(p, parser_peek(p), "write `=`",
                        "`:=` is not allowed inside a scan; write an equation with `=`");
            return false;
        }
        if (k != T_COMMA && k != T_ASSIGN) {
            parser_fail(p, parser_peek(p), item_forms,
                        "expected `=` after the left side of an equation");
            return false;
        }
        Target t;
        if (!target_of(p, s, e, &t))
            return false;
        vec_push(v, t);
    } while (parser_accept(p, T_COMMA));
    return parser_expect(p, T_ASSIGN, "`=`");
}

/* `check(c, "message")` by itself. */
static bool parse_check(Parser *p, ScanItem *item)
{
    u32 start = parser_peek(p).start;
    *item = (ScanItem){.check = true, .value = parse_expr(p)};
    item->span = parser_span_from(p, start);
    if (item->value && !expr_is_check(item->value))
        parser_fail_span(p, item->span, "write `check(x[t] > 0, \"x is negative\")`",
                         "a check in a scan takes a condition and a message");
    return item->value && expr_is_check(item->value);
}

/* f(x) = e: a function of the body. */
static bool parse_function(Parser *p, ScanItem *item)
{
    Stmt *f = parse_simple(p);
    if (!f)
        return false;
    if (f->kind != S_FUNCTION)
        return parser_fail_span(p, f->span, item_forms, "this has no use in a scan") != NULL;
    *item = (ScanItem){.span = f->span, .value = f->value, .function = f};
    return true;
}

static bool begins_function(Parser *p, const ScanExpr *s)
{
    return parser_kind(p) == T_NAME && parser_ahead(p, 1).kind == T_LPAREN && !p->rule_mode &&
           !s->loop;
}

static bool parse_item(Parser *p, const ScanExpr *s, ScanItem *item)
{
    u32 start = parser_peek(p).start;
    if (parser_at_word(p, "check") && parser_ahead(p, 1).kind == T_LPAREN)
        return parse_check(p, item);
    if (begins_function(p, s))
        return parse_function(p, item);
    bool ends = s->loop ? parser_at_word(p, "while") && parser_ahead(p, 1).kind != T_ASSIGN
                        : parser_kind(p) == T_UNTIL;
    if (ends)
        parser_take(p);
    *item = (ScanItem){.until = ends};
    bool ok = true, rest = p->rule_mode && parser_ahead(p, 1).kind == T_ELLIPSIS;
    if (!item->until && !rest) {
        TargetVec v = {0};
        ok = parse_targets(p, s, &v);
        item->ntargets = (int)v.len;
        item->targets = parser_keep(p, v.at, v.len, sizeof *v.at);
    }
    item->value = ok ? parse_expr(p) : NULL;
    if (item->value && item->ntargets > 1 && parser_kind(p) == T_COMMA)
        item->value = expr_tuple_rest(p, item->value);
    item->span = parser_span_from(p, start);
    return item->value != NULL;
}

static bool skip_separators(Parser *p)
{
    bool any = false;
    while (parser_kind(p) == T_NEWLINE || parser_kind(p) == T_SEMI) {
        parser_take(p);
        any = true;
    }
    return any;
}

static bool parse_items(Parser *p, const ScanExpr *s, ItemVec *v)
{
    skip_separators(p);
    while (parser_kind(p) != T_RBRACE) {
        Token t = parser_peek(p);
        if (v->len && v->at[v->len - 1].until && t.kind != T_EOF) {
            parser_fail(p, t, "move `until` to the end", "nothing can follow `until` in a scan");
            return false;
        }
        ScanItem item;
        if (!parse_item(p, s, &item))
            return false;
        vec_push(v, item);
        if (!skip_separators(p))
            break;
    }
    bool none = s->has_keep && !s->nkeep; /* only the number of steps is wanted */
    if (v->len == 0 && !none && parser_kind(p) == T_RBRACE)
        parser_fail(p, parser_peek(p), item_forms, "the body of this scan is empty");
    return !p->failed;
}

static bool parse_body(Parser *p, ScanExpr *s)
{
    Token open;
    u32 outside = parser_open(p, &open);
    p->header = false;
    ItemVec v = {0};
    bool ok = parse_items(p, s, &v);
    s->nitems = (int)v.len;
    s->items = parser_keep(p, v.at, v.len, sizeof *v.at);
    return ok && parser_close(p, open, outside);
}

Expr *parse_scan(Parser *p)
{
    bool outer_header = p->header;
    Token word = parser_peek(p);
    Expr *e = expr_new(p, E_SCAN, word.start);
    e->op_span = parser_span(p, parser_take(p));
    e->scan = arena_alloc(p->arena, sizeof *e->scan);
    e->scan->loop = word.kind != T_SCAN;
    p->header = true;
    if (!parse_header(p, e->scan) || !parse_body(p, e->scan))
        return NULL;
    p->header = outer_header;
    return expr_finish(p, e);
}
