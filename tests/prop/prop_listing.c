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
#include "listing_check.h"
#include "program_gen.h"
#include "rewrite/history.h"
#include "run_text.h"
#include "scan_gen.h"

typedef struct {
    u32 states, of[LISTING_OTHER + 1]; /* by fault */
    u32 told;
} Count;

static void check(Count *c, Session *s, int n, Node *const *roots, const char *where)
{
    Text why = {0};
    ListingFault fault = listing_check(&s->st, n, roots, &why);
    c->states++;
    c->of[fault]++;
    if (fault && c->told++ < from_env("GRADUS_SHOW", 5))
        fprintf(stderr, "---- %s:\n%s\n", where, text_str(&why));
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
    run_statements(&s, head);
    Exploration *x = run_pipeline(&s, expression);
    if (x)
        check_states(c, &s, x, where);
    session_free(&s);
}

static void told_all(const Count *c, const char *of)
{
    print_message("%s: %u states; %u cannot be said, %u not be read, %u are other graphs\n", of,
                  c->states, c->of[LISTING_UNSAID], c->of[LISTING_UNREAD], c->of[LISTING_OTHER]);
    assert_int_equal(c->states, c->of[LISTING_SAME]);
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
