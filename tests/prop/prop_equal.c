/* What `:equal` sees of values, on random programs and what the passes make of them: those are
 * equal, so no difference may be taken for more than rounding, an overflow or an exception. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../effort.h"
#include "../run_text.h"
#include "program_gen.h"
#include "session/equal.h"

typedef struct {
    u32 compared, left_out, points;
} Tally;

/* The roots after these passes of the usual ones; NULL: an error. */
static Exploration *after_passes(Session *s, const char *const *names, int n, Node *const *roots)
{
    Options o = s->options;
    pipeline_clear(&o.pipeline);
    for (u32 i = 0; i < s->options.pipeline.len; i++)
        for (const char *const *name = names; *name; name++)
            if (!strcmp(s->options.pipeline.at[i].pass->name, *name))
                pipeline_add(&o.pipeline, s->options.pipeline.at[i].pass);
    Exploration *x = session_explore_apart(s, &o, n, roots);
    return x && !x->failed ? x : NULL;
}

static void put_witness(const Witness *w, Text *out)
{
    for (size_t i = 0; i < w->inputs.len; i++) {
        text_printf(out, "%s = ", w->inputs.at[i].leaf->attrs[0].name);
        tensor_print(out, w->inputs.at[i].value, 0, 0);
        text_putc(out, '\n');
    }
    for (int k = 0; k < 2; k++) {
        text_put(out, k ? "after: " : "before: ");
        tensor_print(out, w->sides[k], 0, 0);
        text_putc(out, '\n');
    }
}

static void compare(Session *s, const char *of, Node *before, Node *after, Tally *t)
{
    Evidence e;
    Node *sides[] = {before, after};
    if (before->type != after->type || !session_compare_values(s, sides, NULL, &e)) {
        t->left_out++;
        return;
    }
    const Witness *w = evidence_of(&e, DIFFER_VALUE, EXTREME);
    if (w) {
        Text shown = {0};
        put_witness(w, &shown);
        fail_msg("%s: taken for different:\n%s", of, text_str(&shown));
    }
    t->compared++;
    t->points += (u32)e.tried;
    evidence_free(&e);
}

static void check(Session *s, const char *of, int n, Node *const *roots, Tally *t)
{
    static const char *const few[] = {"inline", "differentiate", NULL},
                             *const most[] = {"inline",    "differentiate", "canonicalize",
                                              "stabilize", "specialize",    "loops",
                                              NULL};
    Exploration *before = after_passes(s, few, n, roots);
    Exploration *after = before ? after_passes(s, most, n, roots) : NULL;
    diags_clear(&s->diags);
    for (int i = 0; after && i < n; i++)
        compare(s, of, before->roots[i], after->roots[i], t);
}

static void test_random(void **state)
{
    (void)state;
    Tally t = {0};
    u32 cases = effort_cases(60);
    for (u32 seed = 1; seed <= cases; seed++) {
        Session s;
        Text text = {0};
        Node **roots = NULL;
        assert_true(session_init(&s));
        assert_true(run_statements(&s, program_header));
        program_gen(&text, seed + 5000);
        int n = run_roots(&s, text_str(&text), &roots);
        if (n > 0)
            check(&s, text_str(&text), n, roots, &t);
        free(roots);
        text_free(&text);
        session_free(&s);
    }
    print_message("%u values compared at %u points, %u left out\n", t.compared, t.points,
                  t.left_out);
    assert_true(t.compared > cases / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
