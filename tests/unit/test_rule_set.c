/* One set of rules for several sessions: what one of them sets, adds or counts is not seen by
 * another, and the set itself stays as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../run_text.h"

static const char text[] = "log(exp(x)) + 0 * x";

static u32 steps_of(Session *s, const char *expr)
{
    Node **roots = NULL;
    assert_int_equal(run_roots(s, expr, &roots), 1);
    Exploration *x = session_explore(s, 1, roots);
    assert_non_null(x);
    free(roots);
    return (u32)x->log.at.len;
}

static void open_on(Session *s, const RuleSet *rules)
{
    assert_true(session_open(s, rules));
    assert_true(run_statements(s, "x : f64[3]\n"));
}

static const Rule *fires_first(Session *s, const char *expr)
{
    Node **roots = NULL;
    assert_int_equal(run_roots(s, expr, &roots), 1);
    Exploration *x = session_explore(s, 1, roots);
    free(roots);
    assert_true(x && x->log.at.len);
    return x->log.at.at[0].rule;
}

static void test_options_are_apart(void **state)
{
    RuleSet *rules = *state;
    Session a, b;
    open_on(&a, rules);
    open_on(&b, rules);
    u32 usual = steps_of(&a, text);
    const Rule *first = fires_first(&a, text);
    assert_true(usual > 0);
    rule_switch(&a.options, first, true);
    pipeline_switch(&a.options.pipeline, "stabilize", true);
    a.options.allowed = HAZARD_E;
    a.options.step_limit = 1;
    session_outdate(&a);
    assert_true(rule_is_off(&a.options, first) && !rule_is_off(&b.options, first));
    assert_true(steps_of(&a, text) < usual);
    assert_int_equal(steps_of(&b, text), usual);
    session_free(&a);
    assert_int_equal(steps_of(&b, text), usual); /* what a borrowed is still there */
    session_free(&b);
}

static void test_counts_are_apart(void **state)
{
    RuleSet *rules = *state;
    Session a, b;
    open_on(&a, rules);
    open_on(&b, rules);
    const Rule *first = fires_first(&a, text);
    assert_true(session_rule_fired(&a, first) > 0);
    assert_int_equal(session_rule_fired(&b, first), 0);
    steps_of(&b, text);
    assert_int_equal(session_rule_fired(&b, first), session_rule_fired(&a, first));
    session_free(&a);
    session_free(&b);
}

/* A rule that one session adds is its own, and an exploration inside the other goes on without. */
static void test_own_rules_are_apart(void **state)
{
    RuleSet *rules = *state;
    size_t before = rules->all.len;
    Session a, b;
    open_on(&a, rules);
    open_on(&b, rules);
    const char line[] = "mine [R]: erf(atan(x)) => tanh(x)";
    const Source *src = session_source(&a, "mine", line, strlen(line));
    assert_true(ruleset_add_text(session_own_rules(&a), src, "canonicalize", &a.diags));
    const Rule *mine = rule_by_name(a.rules, "mine");
    assert_non_null(mine);
    assert_null(rule_by_name(b.rules, "mine"));
    assert_ptr_equal(b.rules, rules);
    assert_int_equal(rules->all.len, before);
    assert_ptr_equal(fires_first(&a, "erf(atan(x))"), mine);
    assert_ptr_not_equal(fires_first(&b, "erf(atan(x))"), mine);
    assert_int_equal(session_rule_fired(&a, mine), 1);
    assert_int_equal(session_rule_fired(&b, mine), 0);
    for (size_t i = 0; i < before; i++) /* the others are the same ones, not copies */
        assert_ptr_equal(a.rules->all.at[i], rules->all.at[i]);
    session_free(&a);
    session_free(&b);
}

static int read_rules(void **state)
{
    static RuleSet rules;
    Diags diags = {0};
    assert_true(ruleset_init(&rules, &diags));
    diags_free(&diags);
    *state = &rules;
    return 0;
}

static int drop_rules(void **state)
{
    ruleset_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_options_are_apart),
                                       cmocka_unit_test(test_counts_are_apart),
                                       cmocka_unit_test(test_own_rules_are_apart)};
    return cmocka_run_group_tests(tests, read_rules, drop_rules);
}
