/* Finding what a pattern matches.  See find.h. */
#include "rewrite/find.h"

#include "rewrite/facts_body.h"
#include "rewrite/pattern_parts.h"
#include "syntax/parse.h"

/* ---- reading ---- */

typedef struct {
    Span part;
    size_t at;
    Arena *arena;
    Diags *diags;
} Reader;

static bool reader_error(const Reader *r, const char *what)
{
    bool more = r->at < r->part.end;
    Span here = {r->part.src, more ? (u32)r->at : r->part.start, r->part.end};
    diag_add(r->diags, "pattern", here, "exp(a) * exp(b) if finite(a) in y", "%s", what);
    return false;
}

static void skip_blanks(Reader *r)
{
    while (r->at < r->part.end && strchr(" \t", r->part.src->text[r->at]))
        r->at++;
}

/* Is this word next? Then it is passed over. */
static bool next_is(Reader *r, const char *word, bool pass)
{
    size_t n = strlen(word);
    skip_blanks(r);
    const char *s = r->part.src->text + r->at;
    bool is = r->at + n <= r->part.end && !strncmp(s, word, n) &&
              (r->at + n == r->part.end || strchr(" \t(", s[n]));
    r->at += is && pass ? n : 0;
    return is;
}

static const Expr *read_part(Reader *r, const char *missing)
{
    size_t end = r->at, errors = r->diags->errors;
    skip_blanks(r);
    if (r->at >= r->part.end) {
        reader_error(r, missing);
        return NULL;
    }
    Expr *x = parse_expression_at(r->part.src, r->at, &end, r->arena, r->diags);
    if (!x && r->diags->errors == errors)
        reader_error(r, missing);
    r->at = end;
    if (x && end > r->part.end) {
        r->at = r->part.end;
        reader_error(r, "there is more text after its end");
        return NULL;
    }
    return x;
}

/* The variables of a guard count for nothing but the guard: no right side does without them. */
static bool compile(PatternQuery *q, const Expr *left, const Expr *guard, Diags *diags)
{
    Rule *k = &q->rule;
    k->vars = arena_alloc(&q->arena, sizeof *k->vars);
    k->pattern = pattern_compile(&q->arena, left, k->vars, diags);
    if (!k->pattern || (guard && !guard_check(guard, k->vars, diags)))
        return false;
    k->guard = (Expr *)(uintptr_t)guard;
    k->root = k->pattern->op;
    q->parts = pattern_parts(k->pattern);
    return true;
}

/* The text up to where the query may go on, so that nothing behind it is read. */
static const Source *shortened(PatternQuery *q, Span part)
{
    Source *src = arena_alloc(&q->arena, sizeof *src);
    *src = *part.src;
    src->len = part.end;
    src->text = arena_strndup(&q->arena, part.src->text, part.end);
    return src;
}

static bool read_query(PatternQuery *q, Span part, Diags *diags)
{
    Reader r = {part, part.start, &q->arena, diags};
    const Expr *left = read_part(&r, "a pattern is missing"), *guard = NULL;
    if (!left)
        return false;
    if (next_is(&r, "if", true) && !(guard = read_part(&r, "a condition is missing after `if`")))
        return false;
    skip_blanks(&r);
    q->end = r.at;
    return (r.at >= part.end || next_is(&r, "in", false) ||
            reader_error(&r, "only `if` or `in` may follow the pattern")) &&
           compile(q, left, guard, diags);
}

bool query_read(PatternQuery *q, Span part, Diags *diags)
{
    *q = (PatternQuery){.rule = {.name = "", .pass = "", .reason = ""}};
    size_t first = diags->list.len;
    const Source *src = shortened(q, part);
    bool ok = read_query(q, (Span){src, part.start, part.end}, diags);
    for (size_t i = first; i < diags->list.len; i++) /* offsets are the same */
        if (diags->list.at[i].span.src == src)
            diags->list.at[i].span.src = part.src;
    return ok;
}

void query_free(PatternQuery *q)
{
    for (size_t i = 0; i < q->inside.len; i++)
        facts_free(map_val(&q->inside, i));
    facts_free(&q->outermost);
    map_free(&q->owners);
    map_free(&q->inside);
    arena_free(&q->arena);
}

/* ---- what is known where ---- */

void query_owner(PatternQuery *q, Node *owner, const Graph *within)
{
    int slots[4];
    for (int i = 0, n = node_graphs(owner, slots); i < n; i++) {
        const Graph *g = owner->attrs[slots[i]].graph;
        if (map_has(&q->owners, g))
            continue;
        Standing *at = arena_alloc(&q->arena, sizeof *at);
        *at = (Standing){owner, within};
        map_put(&q->owners, g, at);
    }
}

/* Owners stand in graphs that have owners: those are asked first. */
static Facts *facts_in(PatternQuery *q, Store *st, const Graph *g)
{
    if (!g)
        return &q->outermost;
    Facts *known = map_get(&q->inside, g);
    if (known)
        return known;
    Facts *in = arena_alloc(&q->arena, sizeof *in);
    const Standing *at = map_get(&q->owners, g);
    in->within = g;
    map_put(&q->inside, g, in);
    if (at) {
        Facts *out = facts_in(q, st, at->within);
        facts_enter(in, st, out, at->node, g, facts_given(&q->arena, out, at->node, g));
    }
    return in;
}

/* ---- matching ---- */

bool query_matches(PatternQuery *q, Store *st, const Graph *within, Node *n, QueryTry *t)
{
    const Rule *k = &q->rule;
    u32 temps = st->temp_count;
    DiagTry trial;
    if (n->op != k->root && !t->failed)
        return false;
    t->match.within = within;
    diag_try_begin(&trial, &st->diags);
    bool found = rule_matches(st, k, facts_in(q, st, within), n, &t->match, t->failed);
    diag_try_end(&trial);
    t->reached = t->match.matched < q->parts ? t->match.matched : q->parts;
    st->temp_count = temps;
    return found;
}

void query_find(PatternQuery *q, Store *st, int nroots, Node *const *roots, StandingVec *out)
{
    StandingVec all = {0};
    nodes_standing(nroots, roots, NULL, &all);
    for (size_t i = 0; i < all.len; i++)
        query_owner(q, all.at[i].node, all.at[i].within);
    for (size_t i = 0; i < all.len && !store_stops(st); i++) {
        QueryTry t = {.reached = 0};
        if (query_matches(q, st, all.at[i].within, all.at[i].node, &t))
            vec_push(out, all.at[i]);
    }
    vec_free(&all);
}

bool query_bound(const PatternQuery *q, const Match *m, int k, BoundName *out)
{
    const RuleVars *v = q->rule.vars;
    int at = 0;
    for (; at < v->n; at++)
        if (*v->names[at] && m->b.bound >> at & 1 && k-- == 0)
            break;
    if (at == v->n)
        return false;
    *out = (BoundName){v->names[at], &m->b.at[at]};
    return true;
}
