/* Every rule in text, without a line of code per rule: its left side is built on random and on
 * hard values (NaN, infinities, zeros of both signs), the rule fires, both sides have one type
 * and, within the rule's classes, one value, and rewriting them comes to an end. A rule that never
 * fires is a failure. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lang/session.h"
#include "rewrite/rule_check.h"

enum { INSTANCES = 200 };

static bool check_rule(const Rule *r, const RuleSet *all, unsigned *compared)
{
    RuleCheck check;
    Text loop = {0};
    rule_check(r, INSTANCES, &check);
    *compared += check.instances;
    bool ok = check.fired && !check.refuted && rule_check_ends(r, all, &loop);
    if (!check.fired)
        print_error("%s (%s) does not fire on its own left side: %s\n", r->name, r->text,
                    text_str(&check.says));
    else if (check.refuted)
        print_error("%s (%s): %s\n", r->name, r->text, text_str(&check.says));
    else if (!ok)
        print_error("%s (%s): %s\n", r->name, r->text, text_str(&loop));
    text_free(&check.says);
    text_free(&loop);
    return ok;
}

static void test_each_rule(void **state)
{
    (void)state;
    Session s;
    assert_true(session_init(&s));
    unsigned compared = 0, bad = 0, rules = 0;
    for (size_t i = 0; i < s.rules.all.len; i++) {
        const Rule *r = s.rules.all.at[i];
        if (r->fn)
            continue;
        rules++;
        bad += !check_rule(r, &s.rules, &compared);
    }
    print_message("%u rules, %u bad, %u comparisons\n", rules, bad, compared);
    assert_int_equal(bad, 0);
    session_free(&s);
}

/* Rules that must be refused: what is wrong with them has to be found. */
static void test_wrong_rules(void **state)
{
    static const char *const wrong[] = {
        "w [E]: sin(x) => x",
        "w [E]: x / x => ones_like(x)",
        "w [R]: exp(x) * exp(z) => exp(x + z)",
        "w [E]: 0 + x => x",
        "w [R]: sqrt(sqr(x)) => x",
        "w [R]: log(x * z) => log(x) + log(z)",
        "w [R]: sum(x, axis=A) => prod(x, axis=A)",
        "w [E]: (x + y) + z => x + (y - z)",
        "w [E]: maximum(x, y) => y",
        "w [E]: x:int // z:int => x",
        "w [D E]: abs(x) => x if finite(x)",
        "w [E]: tanh(x) => tanh(0 + x)",
        "w [E]: x - z => -(z - x)",
        "w [R]: tanh(x) => tanh(1 * x)",
        "w [R]: tanh(x) => tanh(tanh(x))",
        "w [E]: c:const * x => x",
        "w [E]: c:const * x => x * c",
        "w [R]: sin(x) => sin(x + 0 * sin(x))",
        "w [E]: x:any - z:any => z - x",
        "w [R]: x @ z => z @ x",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        Session s;
        assert_true(session_init(&s));
        const Source *src = session_source(&s, "wrong", wrong[i], strlen(wrong[i]));
        Text loop = {0};
        RuleCheck check = {0};
        assert_true(ruleset_add_text(&s.rules, src, "canonicalize", &s.diags));
        const Rule *r = rule_by_name(&s.rules, "w");
        rule_check(r, INSTANCES, &check);
        bool accepted = check.fired && !check.refuted && rule_check_ends(r, &s.rules, &loop);
        if (accepted)
            print_error("accepted: %s\n", wrong[i]);
        print_message("%s: %s%s\n", wrong[i], text_str(&check.says), text_str(&loop));
        assert_false(accepted);
        text_free(&check.says);
        text_free(&loop);
        session_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_rule),
                                       cmocka_unit_test(test_wrong_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
