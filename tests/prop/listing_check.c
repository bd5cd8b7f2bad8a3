/* See listing_check.h. */
#include "listing_check.h"
#include "meaning.h"
#include "run_text.h"
#include "surface/surface.h"

#include <ctype.h>

typedef struct {
    Session s;
    RuleSet none; /* reading takes no rules, and making those that are embedded takes long */
    int n;
    Node **roots;
} Reader;

/* Shared variables that are not declared need values: zeros, every size 3. */
static void with_values(Text *out, const char *listing)
{
    for (const char *line = listing; *line;) {
        size_t n = strcspn(line, "\n");
        const char *open = memchr(line, '[', n), *colon = memchr(line, ':', n);
        text_putn(out, line, n);
        if (!strncmp(line, "shared ", 7) && colon) {
            size_t word = strcspn(colon + 2, "[\n");
            text_put(out, " = zeros((");
            for (const char *c = open ? open + 1 : line + n; c < line + n && *c != ']'; c++)
                text_putc(out, isalpha((unsigned char)*c) ? '3' : *c);
            text_printf(out, "%s), dtype=%.*s)", open ? "," : "", (int)word, colon + 2);
        }
        text_putc(out, '\n');
        line += n + (line[n] == '\n');
    }
}

/* Definitions are made; the expression, which comes last, is not evaluated. */
static bool read_listing(Reader *r, const char *listing)
{
    Text text = {0};
    Session *s = &r->s;
    bool ok = session_open(s, &r->none);
    with_values(&text, listing);
    const Source *src = session_source(s, "listing", text_str(&text), text.len);
    Parser p;
    Stmt *stmt;
    parser_init(&p, src, &s->arena, &s->diags, false);
    while (ok && parse_statement(&p, &stmt) == PARSE_OK) {
        Value *v = stmt->kind == S_EXPR ? session_value(s, stmt->span) : NULL;
        if (v)
            r->n = session_roots(s, v, stmt->span, &r->roots);
        else if (stmt->kind != S_EXPR)
            session_run(s, stmt, run_nothing, NULL);
    }
    text_free(&text);
    return ok && !s->diags.errors && r->roots;
}

/* The part W of the tuple p is an input of its own in a listing, called p_W. false: interrupted. */
static bool rename_parts(Store *st, int n, Node *const *roots, Node **out)
{
    NodeVec order = {0};
    NodeMap memo = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *leaf = order.at[i];
        if ((leaf->op != OP_INPUT && leaf->op != OP_SHARED) || !strchr(leaf->attrs[0].name, '.'))
            continue;
        char *name = xstrdup(leaf->attrs[0].name);
        for (char *dot; (dot = strchr(name, '.')) != NULL;)
            *dot = '_';
        map_put(&memo, leaf, node_input(st, leaf->op, symbol(st, name), leaf->type));
        free(name);
    }
    bool ok = true;
    for (int i = 0; i < n && ok; i++)
        ok = (out[i] = node_substitute(st, roots[i], &memo)) != NULL;
    map_free(&memo);
    vec_free(&order);
    return ok;
}

static bool same_graph(Store *st, int n, Node *const *written, Reader *r)
{
    Node **roots = xmalloc(((size_t)n + 1) * sizeof *roots);
    bool same = rename_parts(st, n, written, roots) &&
                graph_meaning(st, n, roots) == graph_meaning(&r->s.st, r->n, r->roots);
    free(roots);
    return same;
}

static void put_errors(Text *out, const Diags *diags)
{
    for (size_t i = 0; i < diags->list.len; i++)
        text_printf(out, "  %s\n", diags->list.at[i].message);
}

static void put_graph(Text *out, Store *st, int n, Node *const *roots)
{
    Numbering num = {0};
    graph_print(st, out, n, roots, &num);
    map_free(&num.of);
}

ListingFault listing_check(Store *st, int n, Node *const *roots, Text *why)
{
    Reader r = {.n = 0};
    size_t before = why->len;
    if (!listing_print(st, why, n, roots, NULL)) {
        put_errors(why, st->diags);
        diags_clear(st->diags);
        return LISTING_UNSAID;
    }
    ListingFault fault = LISTING_SAME;
    if (!read_listing(&r, text_str(why) + before)) {
        fault = LISTING_UNREAD;
        text_put(why, "\n---- it cannot be read:\n");
        put_errors(why, &r.s.diags);
    } else if (!same_graph(st, n, roots, &r)) {
        fault = LISTING_OTHER;
        text_put(why, "\n---- it is another graph:\n");
        put_graph(why, st, n, roots);
        text_put(why, "---- read:\n");
        put_graph(why, &r.s.st, r.n, r.roots);
    } else {
        why->len = before;
    }
    session_free(&r.s);
    free(r.roots);
    return fault;
}
