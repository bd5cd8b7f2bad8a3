/* The `try` and `not` lines of the shipped rules: each holds, and no rule is without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rewrite/rule_example.h"
#include "session/example_check.h"

static RuleSet rules;
static Diags diags;

static int read_rules(void **state)
{
    (void)state;
    return ruleset_init(&rules, &diags) ? 0 : -1;
}

static int free_rules(void **state)
{
    (void)state;
    ruleset_free(&rules);
    diags_free(&diags);
    return 0;
}

static bool has(const Rule *k, bool fires)
{
    for (const RuleExample *e = rule_examples(k); e; e = e->next)
        if (e->fires == fires)
            return true;
    return false;
}

static void check_all(void **state)
{
    (void)state;
    int failed = 0;
    for (size_t i = 0; i < rules.all.len; i++)
        for (const RuleExample *e = rule_examples(rules.all.at[i]); e; e = e->next) {
            ExampleOutcome o;
            if (e->rule != rules.all.at[i]) /* that of `<=>` is checked with the first */
                break;
            example_check(&rules, e, &o);
            if (!o.held) {
                print_error("%s: %s %.*s\n    %s\n", e->rule->name, e->fires ? "try" : "not",
                            (int)(e->text.end - e->text.start), e->text.src->text + e->text.start,
                            text_str(&o.says));
                failed++;
            }
            example_outcome_free(&o);
        }
    assert_int_equal(failed, 0);
}

static int count_without(bool fires)
{
    int n = 0;
    for (size_t i = 0; i < rules.all.len; i++)
        if (!has(rules.all.at[i], fires)) {
            print_message("%s has no `%s`\n", rules.all.at[i]->name, fires ? "try" : "not");
            n++;
        }
    return n;
}

static void each_has_both(void **state)
{
    (void)state;
    assert_int_equal(count_without(true), 0);
    assert_int_equal(count_without(false), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_all),
        cmocka_unit_test(each_has_both),
    };
    return cmocka_run_group_tests(tests, read_rules, free_rules);
}
