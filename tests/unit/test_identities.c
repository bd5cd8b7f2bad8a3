/* What :equal proves: identities of textbooks, each proof replayed and audited; nothing that only
 * looks like one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base.h"
#include "effort.h"
#include "identities.h"
#include "session/equal.h"
#include "rewrite/history.h"

#include "../run_text.h"

enum { WANTED = 83 };

static Node *side(Session *s, const char *text)
{
    Node **roots = NULL;
    int n = run_roots(s, text, &roots);
    assert_int_equal(n, 1);
    Node *r = roots[0];
    free(roots);
    return r;
}

/* No state comes again: that would be a detour. */
static void check_states(const Identity *id, Exploration *x)
{
    size_t n = x->log.at.len;
    Node **states = xmalloc((2 * n + 2) * sizeof *states);
    for (u32 k = 0; k <= n; k++) {
        assert_true(exploration_replay(x, k, &states[2 * k]));
        for (u32 i = 0; i < k; i++)
            if (!memcmp(&states[2 * i], &states[2 * k], 2 * sizeof *states))
                fail_msg("%s = %s: after step %u as after step %u", id->left, id->right, k, i);
    }
    free(states);
}

/* A proof leads from the left side to the right one, and each step keeps the value. */
static void check_proof(Session *s, const Identity *id, SidesCompared *e)
{
    Node *roots[2];
    assert_true(exploration_replay(e->x, (u32)e->x->log.at.len, roots));
    assert_ptr_equal(roots[0], roots[1]);
    check_states(id, e->x);
    Audit audit = {0};
    session_audit(s, e->x, &audit);
    for (size_t i = 0; i < audit.rows.len; i++)
        if (audit.rows.at[i].breaks)
            fail_msg("%s = %s: step %zu, %s: %s", id->left, id->right, i + 1,
                     step_rule(audit.rows.at[i].step), audit.rows.at[i].breaks);
    audit_free(&audit);
}

static EqualVerdict compare(Session *s, const Identity *id)
{
    SidesCompared e;
    Node *sides[] = {side(s, id->left), side(s, id->right)};
    Saturating how = s->options.saturating;
    if (!session_equal(s, &how, sides, &e))
        fail_msg("%s = %s: %s", id->left, id->right,
                 s->diags.list.len ? s->diags.list.at[0].message : "it cannot be compared");
    if (verdict_is_equal(e.verdict))
        check_proof(s, id, &e);
    EqualVerdict verdict = e.verdict;
    equal_free(&e);
    return verdict;
}

static void test_identities(void **state)
{
    (void)state;
    Session s;
    size_t tried = 0, proved = 0;
    assert_true(session_init(&s));
    assert_true(run_statements(&s, identity_inputs));
    for (size_t i = 0; i < COUNT_OF(identities); i++) {
        if (!effort_takes((u32)i))
            continue;
        EqualVerdict verdict = compare(&s, &identities[i]);
        tried++;
        proved += verdict_is_equal(verdict);
        if (!verdict_is_equal(verdict))
            print_message("%s: %s = %s\n", verdict == VERDICT_UNKNOWN ? "not proved" : "refuted",
                          identities[i].left, identities[i].right);
        assert_true(verdict_is_equal(verdict) || verdict == VERDICT_UNKNOWN);
    }
    print_message("%zu of %zu proved\n", proved, tried);
    assert_true(COUNT_OF(identities) >= 70 && tried - proved <= COUNT_OF(identities) - WANTED);
    session_free(&s);
}

/* From left to right, and back. */
static void test_one_step(void **state)
{
    (void)state;
    Session s;
    assert_true(session_init(&s));
    assert_true(run_statements(&s, identity_inputs));
    for (size_t i = 0; i < 2 * COUNT_OF(one_step); i++) {
        SidesCompared e;
        const Identity *id = &one_step[i / 2];
        Node *sides[] = {side(&s, id->left), side(&s, id->right)};
        Node *turned[] = {sides[1], sides[0]};
        Saturating how = s.options.saturating;
        assert_true(session_equal(&s, &how, i % 2 ? turned : sides, &e));
        assert_true(verdict_is_equal(e.verdict));
        check_proof(&s, id, &e);
        if (e.x->log.at.len != 1)
            fail_msg("%s = %s: %zu steps", id->left, id->right, e.x->log.at.len);
        equal_free(&e);
    }
    session_free(&s);
}

/* The proofs alone, without values: the rules must not prove what is wrong. */
static void test_near_misses(void **state)
{
    (void)state;
    Session s;
    assert_true(COUNT_OF(near_misses) >= 70);
    assert_true(session_init(&s));
    assert_true(run_statements(&s, identity_inputs));
    for (size_t i = 0; i < COUNT_OF(near_misses); i++) {
        if (!effort_takes((u32)i))
            continue;
        Growth growth;
        Node *sides[] = {side(&s, near_misses[i].left), side(&s, near_misses[i].right)};
        Saturating how = s.options.saturating;
        how.equate = true;
        how.nodes = 1500;
        Exploration *x = session_saturate(&s, &how, 2, sides, &growth);
        if (!x)
            fail_msg("%s = %s: %s", near_misses[i].left, near_misses[i].right,
                     s.diags.list.len ? s.diags.list.at[0].message : "it cannot be compared");
        if (x->roots[0] == x->roots[1])
            fail_msg("proved: %s = %s", near_misses[i].left, near_misses[i].right);
        growth_free(&growth);
        EqualVerdict verdict = compare(&s, &near_misses[i]);
        if (verdict != VERDICT_DIFFERENT && verdict != VERDICT_IF)
            fail_msg("not refuted: %s = %s", near_misses[i].left, near_misses[i].right);
    }
    session_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_identities),
                                       cmocka_unit_test(test_one_step),
                                       cmocka_unit_test(test_near_misses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
