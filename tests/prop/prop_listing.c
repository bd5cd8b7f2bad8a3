/* What :graph prints is the graph: read in a fresh session it is the same graph again, before and
 * after every step. On the examples and golden programs, on scans of every kind, on random
 * programs. GRADUS_SEED and GRADUS_CASES choose. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "corpus.h"
#include "effort.h"
#include "surface/surface.h"
#include "meaning.h"
#include "passes/passes.h"
#include "program_gen.h"
#include "rewrite/history.h"
#include "scan_gen.h"
#include <ctype.h>

typedef struct {
    Session s;
    int n;
    Node **roots;
} Reader;

static void keep_roots(void *ctx, Result *r)
{
    Reader *reader = ctx;
    if (r->kind != RESULT_VALUE && r->kind != RESULT_GRAPH)
        return;
    free(reader->roots);
    reader->n = r->n;
    reader->roots = xmalloc(((size_t)r->n + 1) * sizeof *reader->roots);
    memcpy(reader->roots, r->roots, (size_t)r->n * sizeof *r->roots);
}

static void run_text(Session *s, const char *text, Emit emit, void *ctx)
{
    const Source *src = session_source(s, "listing", text, strlen(text));
    Parser p;
    parser_init(&p, src, &s->arena, &s->diags, false);
    Stmt *stmt;
    while (parse_statement(&p, &stmt) == PARSE_OK)
        session_run(s, stmt, emit, ctx);
}

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

typedef struct {
    u32 states, unread, different, unsaid, told;
} Count;

static void tell(Count *c, const char *what, const char *where, const char *text, const char *more)
{
    if (c->told++ < from_env("GRADUS_SHOW", 5))
        fprintf(stderr, "---- %s: %s\n%s\n%s\n", where, what, text, more);
}

static void first_error(Session *s, Text *out)
{
    for (size_t i = 0; i < s->diags.list.len; i++)
        text_printf(out, "  %s\n", s->diags.list.at[i].message);
}

static void compare(Count *c, Session *s, int n, Node *const *roots, Reader *r, const char *where,
                    const char *text)
{
    if (graph_meaning(&s->st, n, roots) == graph_meaning(&r->s.st, r->n, r->roots))
        return;
    Text both = {0};
    Numbering a = {0}, b = {0};
    c->different++;
    graph_print(&s->st, &both, n, roots, &a);
    text_put(&both, "---- read:\n");
    graph_print(&r->s.st, &both, r->n, r->roots, &b);
    tell(c, "it is another graph", where, text, text_str(&both));
    map_free(&a.of);
    map_free(&b.of);
    text_free(&both);
}

/* The part W of the tuple p is an input of its own in a listing, called p_W. */
static void rename_parts(Store *st, int n, Node *const *roots, Node **out)
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
    for (int i = 0; i < n; i++)
        out[i] = node_substitute(st, roots[i], &memo);
    map_free(&memo);
    vec_free(&order);
}

static void check(Count *c, Session *s, int n, Node *const *written, const char *where)
{
    Reader r = {.n = 0};
    Text text = {0}, why = {0};
    Node **roots = xmalloc(((size_t)n + 1) * sizeof *roots);
    rename_parts(&s->st, n, written, roots);
    c->states++;
    bool ok = listing_print(&s->st, &text, n, written, NULL) && session_init(&r.s);
    if (ok) {
        Text valued = {0};
        with_values(&valued, text_str(&text));
        run_text(&r.s, text_str(&valued), keep_roots, &r);
        text_free(&valued);
        if (r.s.diags.errors || !r.n) {
            c->unread++;
            first_error(&r.s, &why);
            tell(c, "it cannot be read", where, text_str(&text), text_str(&why));
        } else {
            compare(c, s, n, roots, &r, where, text_str(&text));
        }
        session_free(&r.s);
    } else {
        c->unsaid++;
        first_error(s, &why);
        tell(c, "it cannot be said", where, text_str(&text), text_str(&why));
        diags_clear(&s->diags);
    }
    free(r.roots);
    free(roots);
    text_free(&text);
    text_free(&why);
}

static void check_states(Count *c, Session *s, Exploration *x, const char *where)
{
    Node **roots = xmalloc(((size_t)x->nroots + 1) * sizeof *roots);
    for (u32 k = 0; k <= x->log.at.len; k++) {
        char place[300];
        snprintf(place, sizeof place, "%.250s, after step %u", where, k);
        if (exploration_replay(x, k, roots))
            check(c, s, x->nroots, roots, place);
    }
    free(roots);
}

static void visit(Corpus *c, int n, Node *const *roots)
{
    Exploration *x = session_explore(&c->s, n, roots);
    if (x)
        check_states(c->ctx, &c->s, x, c->file);
    diags_clear(&c->s.diags);
}

static void explore_text(Count *c, const char *head, const char *expression, const char *where)
{
    Session s;
    assert_true(session_init(&s));
    run_text(&s, head, keep_roots, &(Reader){0});
    const Source *src = session_source(&s, "case", expression, strlen(expression));
    Value *v = session_value(&s, source_whole(src));
    Node **roots = NULL;
    int n = v ? session_roots(&s, v, (Span){0}, &roots) : -1;
    Exploration *x = n >= 0 ? session_explore(&s, n, roots) : NULL;
    if (x)
        check_states(c, &s, x, where);
    free(roots);
    session_free(&s);
}

static void told_all(const Count *c, const char *of)
{
    print_message("%s: %u states; %u cannot be said, %u not be read, %u are other graphs\n", of,
                  c->states, c->unsaid, c->unread, c->different);
    assert_int_equal(c->unsaid + c->unread + c->different, 0);
}

static void test_corpus(void **state)
{
    (void)state;
    Count count = {0};
    Corpus c = {.on_roots = visit, .ctx = &count};
    corpus_run(&c);
    told_all(&count, "examples and golden programs");
}

static void test_random(void **state)
{
    (void)state;
    Count count = {0};
    unsigned seed = from_env("GRADUS_SEED", 1), cases = effort_cases(100);
    for (unsigned i = 0; i < cases; i++) {
        Text program = {0};
        char where[64];
        program_gen(&program, seed + i);
        snprintf(where, sizeof where, "random program %u", seed + i);
        explore_text(&count, program_header, text_str(&program), where);
        text_free(&program);
    }
    told_all(&count, "random programs");
}

static void test_scans(void **state)
{
    (void)state;
    Count count = {0};
    unsigned seed = from_env("GRADUS_SEED", 1), cases = effort_cases(240);
    for (unsigned i = 0; i < cases; i++) {
        ScanCase c;
        Text head = {0}, e = {0};
        char where[64];
        scan_case_make(&c, seed + i);
        text_printf(&head, "%s\n%s\n%s\n", text_str(&c.inputs), text_str(&c.definitions),
                    text_str(&c.scan));
        text_printf(&e, i % 2 && c.nwanted ? "grad(%s, %s, unconnected=zero)" : "%s",
                    text_str(&c.loss[0]), c.wanted[0]);
        snprintf(where, sizeof where, "scan %u", seed + i);
        explore_text(&count, text_str(&head), text_str(&e), where);
        text_free(&head);
        text_free(&e);
        scan_case_free(&c);
    }
    told_all(&count, "scans");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_scans),
                                       cmocka_unit_test(test_corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
