/* Grades of `:equal` (core/session/equal.h): no pair gets a wrong one, what is shown is so, and few
 * pairs get none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/base.h"
#include "effort.h"
#include "graded_pairs.h"
#include "ops/build.h"

#include "../run_text.h"

enum { MOST_UNKNOWN = 6, NODES = 1200 };

static Node *side(Session *s, const char *text)
{
    Node **roots = NULL;
    if (run_roots(s, text, &roots) != 1)
        fail_msg("%s: %s", text, s->diags.list.len ? s->diags.list.at[0].message : "not one value");
    Node *r = roots[0];
    free(roots);
    return r;
}

/* As the command does it: a number beside an array is as many of it. */
static Node *adapt(Session *s, Node *n, Node *like)
{
    double x;
    if (node_const_f64(n, &x) && n->type->dtype != DT_BOOL)
        n = node_number(&s->st, like->type->dtype, x);
    return n->type == like->type ? n : build_like(&s->st, n, like);
}

/* What an answer shows is so: the witness differs, in the way that it says. */
static bool shows_difference(const Witness *w)
{
    if (!w)
        return false;
    if (!w->sides[0] || !w->sides[1])
        return w->sides[0] != w->sides[1];
    return !tensor_same_bits(w->sides[0], w->sides[1]);
}

static void check_shown(const GradedPair *p, const SidesCompared *e)
{
    if (e->verdict == VERDICT_EXCEPT && !shows_difference(e->but))
        fail_msg("%s, %s: the exception shows none", p->left, p->right);
    if ((e->verdict == VERDICT_IF || e->verdict == VERDICT_DIFFERENT) &&
        !shows_difference(e->against))
        fail_msg("%s, %s: the counterexample shows none", p->left, p->right);
    if (e->verdict == VERDICT_IF && !e->given.n)
        fail_msg("%s, %s: nothing is assumed", p->left, p->right);
}

static EqualVerdict verdict_of(Session *s, const GradedPair *p, bool turned)
{
    SidesCompared e;
    Node *a = side(s, p->left), *b = adapt(s, side(s, p->right), a);
    Node *sides[] = {turned ? b : a, turned ? a : b};
    Saturating how = s->options.saturating;
    how.nodes = NODES;
    if (!session_equal(s, &how, sides, &e))
        fail_msg("%s, %s: %s", p->left, p->right,
                 s->diags.list.len ? s->diags.list.at[0].message : "it cannot be compared");
    check_shown(p, &e);
    EqualVerdict v = e.verdict;
    equal_free(&e);
    return v;
}

/* Each `step`-th pair; `turned`: the right side first. */
static void check_pairs(bool turned, size_t step)
{
    static const char *const names[] = {"equal", "rounding",  "except",
                                        "if",    "different", "unknown"};
    Session s;
    size_t unknown = 0, wrong = 0;
    assert_true(session_init(&s));
    assert_true(run_statements(&s, graded_inputs));
    for (size_t i = 0; i < COUNT_OF(graded_pairs); i += step) {
        const GradedPair *p = &graded_pairs[i];
        if (!effort_takes((u32)(i / step)))
            continue;
        EqualVerdict v = verdict_of(&s, p, turned);
        unknown += v == VERDICT_UNKNOWN;
        if (v == VERDICT_UNKNOWN)
            print_message("unknown: %s, %s\n", p->left, p->right);
        else if (!(p->grades >> v & 1)) {
            wrong++;
            print_message("%s: %s, %s\n", names[v], p->left, p->right);
        }
    }
    print_message("%zu pairs, %zu with a wrong grade, %zu unknown\n", COUNT_OF(graded_pairs), wrong,
                  unknown);
    assert_int_equal(wrong, 0);
    assert_true(unknown <= MOST_UNKNOWN);
    session_free(&s);
}

static void test_grades(void **state)
{
    (void)state;
    check_pairs(false, 1);
}

static void test_grades_turned(void **state)
{
    (void)state;
    check_pairs(true, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_grades),
                                       cmocka_unit_test(test_grades_turned)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
