/* Equality saturation against the passes, on all programs that tests have and on random ones: what
 * comes out never costs more than what they give, and its steps lead there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corpus.h"
#include "../effort.h"
#include "program_gen.h"
#include "rewrite/history.h"
#include "../run_text.h"
#include "session/equal.h"

typedef struct {
    u32 seen, compared, cheaper, helped, audited, told;
} Tally;

/* What the passes cost before anything is fused or lowered: that comes after saturation, too. */
static double cost_of_passes(Session *s, const CostModel *m, int n, Node *const *roots)
{
    size_t all = s->options.pipeline.len, len = 0;
    while (len < all && strcmp(s->options.pipeline.at[len].pass->name, "fuse") != 0)
        len++;
    assert_true(len < all);
    s->options.pipeline.len = len;
    session_outdate(s);
    Exploration *x = session_explore(s, n, roots);
    s->options.pipeline.len = all;
    session_outdate(s);
    return x && !x->failed ? roots_cost(&s->st, m, n, x->roots) : -1;
}

/* No step, in bodies either, changes values by more than its classes allow: what it rests on, such
 * as what the owner of a body knows, is true. */
static void check_values(Session *s, const char *of, Exploration *x, Tally *t)
{
    Audit audit = {0};
    if (session_audit(s, x, &audit))
        for (size_t i = 0; i < audit.rows.len; i++) {
            const AuditRow *row = &audit.rows.at[i];
            if (row->breaks)
                fail_msg("%s: step %zu, %s: %s", of, i + 1, step_rule(row->step), row->breaks);
            t->audited++;
            t->told += row->step->evidence && (strstr(row->step->evidence, ", as outside it") ||
                                               strstr(row->step->evidence, ", as it "));
        }
    diags_clear(&s->diags);
    audit_free(&audit);
}

static void check(Session *s, const char *of, int n, Node *const *roots, Tally *t)
{
    Saturating how = s->options.saturating;
    CostModel m = cost_model(&how);
    Growth growth;
    how.nodes = 200;
    how.iterations = 6;
    double usual = cost_of_passes(s, &m, n, roots);
    Exploration *x = usual >= 0 ? session_saturate(s, &how, n, roots, &growth) : NULL;
    t->seen++;
    if (!x) {
        diags_clear(&s->diags);
        if (usual >= 0)
            growth_free(&growth);
        return;
    }
    double cost = roots_cost(&s->st, &m, n, x->roots);
    if (cost > usual * (1 + 1e-9))
        fail_msg("%s: saturation leads to cost %.12g, the passes to %.12g", of, cost, usual);
    if (growth.stop != SATURATE_INTERRUPT && growth.before < cost * (1 - 1e-9))
        fail_msg("%s: saturation makes cost %.12g of %.12g", of, cost, growth.before);
    Node **again = xmalloc(((size_t)n + 1) * sizeof *again);
    if (!exploration_replay(x, (u32)x->log.at.len, again) ||
        memcmp(again, x->roots, (size_t)n * sizeof *again) != 0)
        fail_msg("%s: its steps do not lead to the result", of);
    free(again);
    check_values(s, of, x, t);
    t->compared++;
    t->cheaper += cost < usual * (1 - 1e-9);
    t->helped += x->passes.len && x->passes.at[x->passes.len - 1].told &&
                 !strncmp(x->passes.at[x->passes.len - 1].told, "from", 4);
    growth_free(&growth);
}

static void tell(const char *what, const Tally *t)
{
    print_message("%u %s, %u compared: %u cheaper than by the passes, %u go on from there\n",
                  t->seen, what, t->compared, t->cheaper, t->helped);
    print_message("%u steps audited, %u rest on what classes or owners know\n", t->audited,
                  t->told);
    assert_true(t->compared > 0);
    assert_true(!effort_is_full() || (t->cheaper > 0 && t->helped > 0));
}

static void on_roots(Corpus *c, int n, Node *const *roots)
{
    if (effort_takes(c->seen++))
        check(&c->s, c->file, n, roots, c->ctx);
}

static void test_corpus(void **state)
{
    (void)state;
    Tally t = {0};
    Corpus c = {.on_roots = on_roots, .ctx = &t};
    corpus_run(&c);
    tell("expressions of examples and goldens", &t);
}

static void test_random(void **state)
{
    (void)state;
    Tally t = {0};
    u32 cases = effort_cases(100);
    for (u32 seed = 1; seed <= cases; seed++) {
        Session s;
        Text text = {0};
        Node **roots = NULL;
        assert_true(session_init(&s));
        assert_true(run_statements(&s, program_header));
        program_gen(&text, seed);
        int n = run_roots(&s, text_str(&text), &roots);
        if (n > 0)
            check(&s, text_str(&text), n, roots, &t);
        free(roots);
        text_free(&text);
        session_free(&s);
    }
    tell("random programs", &t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_corpus),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
