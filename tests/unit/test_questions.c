/* core/analysis: questions about rules and steps, as nodes, things and numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/cost_rows.h"
#include "analysis/state_diff.h"
#include "analysis/step_change.h"
#include "analysis/step_cursor.h"
#include "analysis/step_view.h"
#include "analysis/unfired.h"
#include "passes/passes.h"
#include "rewrite/history.h"

#include "../run_text.h"

typedef struct {
    Session s;
    Node **roots;
    int n;
    Exploration *x;
} Asked;

static void open_asked(Asked *a, const char *expression)
{
    assert_true(session_init(&a->s));
    assert_true(run_statements(&a->s, "x : f64 = 2.0\ny : f64 = 3.0\n"));
    a->n = run_roots(&a->s, expression, &a->roots);
    assert_true(a->n > 0);
    a->x = session_explore(&a->s, a->n, a->roots);
    assert_non_null(a->x);
    things_of_states(a->x);
}

static void close_asked(Asked *a)
{
    free(a->roots);
    session_free(&a->s);
}

static UnfiredQuestion ask(Asked *a, const char *rule)
{
    UnfiredQuestion q = {.x = a->x,
                         .rules = a->s.rules,
                         .options = &a->s.options,
                         .k = rule_by_name(a->s.rules, rule)};
    assert_non_null(q.k);
    return q;
}

static bool reads(const Node *n, const Node *operand)
{
    for (u32 i = 0; i < n->nops; i++)
        if (n->ops[i] == operand)
            return true;
    return false;
}

/* Where it fired no more is asked; where another form stands, what is missing is told. */
static void test_unfired_text(void **state)
{
    (void)state;
    Asked a;
    open_asked(&a, "log(1 + x) + log(x + y)");
    UnfiredQuestion q = ask(&a, "log1p");
    unfired_find(&q);
    assert_int_equal(q.found.len, 2);
    assert_true(q.found.at[0].verdict == VERDICT_FIRED);
    const Unfired *u = &q.found.at[1];
    assert_true(u->at.node->op == OP_LOG && u->at.node->ops[0]->op == OP_ADD);
    assert_true(u->at.thing && !u->at.within && !u->at.step && u->verdict != VERDICT_FIRED &&
                *u->why);
    unfired_free(&q);
    close_asked(&a);
}

/* In one state: the rule is off where it would fire, and something else is missing elsewhere. */
static void test_unfired_state(void **state)
{
    (void)state;
    Asked a;
    open_asked(&a, "log(1 + x) + log(x + y)");
    rule_switch(&a.s.options, rule_by_name(a.s.rules, "log1p"), true);
    a.x = session_explore(&a.s, a.n, a.roots);
    things_of_states(a.x);
    UnfiredQuestion q = ask(&a, "log1p");
    q.roots = a.x->start;
    unfired_find(&q);
    assert_int_equal(q.found.len, 2);
    const Unfired *at = &q.found.at[0]; /* what fits is told first */
    const Node *sum = at->at.node->ops[0], *other = q.found.at[1].at.node;
    assert_true(at->verdict == VERDICT_RULE_OFF && !*at->why);
    assert_true(q.found.at[1].verdict == VERDICT_NEAR && *q.found.at[1].why);
    assert_true(sum->ops[0]->op == OP_CONST || sum->ops[1]->op == OP_CONST);
    unfired_free(&q);
    q = ask(&a, "log1p"); /* of one node alone */
    q.roots = a.x->start;
    q.only = thing_of(a.x->things, NULL, other);
    unfired_find(&q);
    assert_int_equal(q.found.len, 1);
    assert_true(q.found.at[0].at.node == other && q.found.at[0].verdict == VERDICT_NEAR);
    unfired_free(&q);
    close_asked(&a);
}

/* A rule in C is run on states; it refuses where it looked. */
static void test_unfired_code(void **state)
{
    (void)state;
    Asked a;
    open_asked(&a, "(scan t for 5 from h = x { h[t] = h[t-1] * y }).h + "
                   "(scan t for 6 from g = y { g[t] = g[t-1] + x }).g[-1]");
    UnfiredQuestion q = ask(&a, "reduce");
    assert_null(q.k->text);
    q.roots = a.x->start;
    unfired_find(&q);
    for (size_t i = 0; i < q.found.len; i++)
        assert_true(q.found.at[i].verdict != VERDICT_FIRED && *q.found.at[i].why);
    assert_true(q.found.len > 0 && !q.partly);
    unfired_free(&q);
    close_asked(&a);
}

static void test_diff(void **state)
{
    (void)state;
    Asked a;
    StateDiff d;
    open_asked(&a, "(x * 1 + y) * x");
    state_diff(a.x, a.x->start, a.x->roots, &d);
    assert_int_equal(d.removed.len, 1);
    assert_true(d.removed.at[0].node->op == OP_MUL && !d.removed.at[0].within);
    assert_int_equal(d.added.len, 0);
    assert_int_equal(d.changed.len, 1);
    assert_true(reads(d.changed.at[0].before.node, d.removed.at[0].node));
    assert_true(!reads(d.changed.at[0].after.node, d.removed.at[0].node) && !d.other_results);
    state_diff_free(&d);
    state_diff(a.x, a.x->start, a.x->start, &d); /* a state is not different from itself */
    assert_true(!d.removed.len && !d.added.len && !d.changed.len && !d.other_results);
    state_diff_free(&d);
    close_asked(&a);
}

/* What a step made leads back to what it replaced; the last step comes first. */
static void test_life(void **state)
{
    (void)state;
    Asked a;
    Life l;
    open_asked(&a, "exp(log(1 + x) * 1)");
    const Thing *root = thing_of(a.x->things, NULL, a.x->roots[0]);
    assert_non_null(root);
    life_of(a.x->things, root, &l);
    assert_true(l.steps.len > 0 && l.steps.at[0].at == root->last && l.first);
    assert_true(!l.first->origin && l.first->node == a.x->start[0]);
    for (size_t i = 0; i < l.steps.len; i++) {
        const LifeStep *s = &l.steps.at[i];
        assert_true(s->at->origin && s->was && !s->within && !s->was_within);
        assert_true(i + 1 == l.steps.len ? s->was == l.first : s->was == l.steps.at[i + 1].at);
        assert_true(!s->differs || s->was->node != s->at->node);
    }
    life_free(&l);
    close_asked(&a);
}

/* The signs of the lines in a row. */
static ChangeLines change_of(Asked *a, const Step *s, char *signs)
{
    ChangeLines lines = {.of = {0}};
    change_of_step(&(Telling){a->x, NULL, 80, 4, &lines, NULL, 0}, s);
    change_mark(&lines);
    for (size_t i = 0; i < lines.of.len; i++)
        *signs++ = lines.of.at[i].sign;
    *signs = '\0';
    return lines;
}

static const Step *step_of(const Asked *a, const char *rule)
{
    for (size_t i = 0; i < a->x->log.at.len; i++)
        if (!strcmp(step_rule(&a->x->log.at.at[i]), rule))
            return &a->x->log.at.at[i];
    fail_msg("no step of %s", rule);
    return NULL;
}

/* A replacement is a line before and one after, in which what differs is marked. */
static void test_change(void **state)
{
    (void)state;
    Asked a;
    char signs[32];
    open_asked(&a, "log(1 + x) * 1 + y");
    ChangeLines lines = change_of(&a, step_of(&a, "mul-one"), signs);
    assert_string_equal(signs, "-+");
    assert_true(lines.of.at[0].marks.len == 2 && !lines.of.at[1].marks.len);
    assert_true(lines.of.at[0].marks.at[0].opens && !lines.of.at[0].marks.at[1].opens);
    assert_true(!lines.of.at[0].head && !lines.of.at[1].head); /* they have no names */
    change_free(&lines);
    lines = change_of(&a, step_of(&a, "log1p"), signs);
    assert_string_equal(signs, "-+");
    change_free(&lines);
    close_asked(&a);
}

/* What happens to a loop has a line of words for each of its parts that changed. */
static void test_change_of_loops(void **state)
{
    (void)state;
    Asked a;
    char signs[32];
    open_asked(&a, "(scan t for 6 from g = y { a[t] = sin(g[t-1]) * x ; g[t] = a[t] + x }).g[-1]");
    ChangeLines lines = change_of(&a, step_of(&a, "dead-results"), signs);
    assert_string_equal(signs, ".");
    change_free(&lines);
    lines = change_of(&a, step_of(&a, "tail"), signs);
    assert_string_equal(signs, "-+");
    change_free(&lines);
    close_asked(&a);
}

/* Steps in a row of one rule and for one reason; never those on loops. */
static void test_alike(void **state)
{
    (void)state;
    Asked a;
    open_asked(&a, "x * 1 + y * 1 + log(1 + x)");
    const StepLog *log = &a.x->log;
    assert_true(log->at.len >= 3);
    assert_true(steps_alike(&log->at.at[0], &log->at.at[1]));
    assert_false(steps_alike(&log->at.at[0], step_of(&a, "log1p")));
    close_asked(&a);
    open_asked(&a, "(scan t for 6 from g = y { g[t] = sin(g[t-1]) * x }).g[-1]");
    const Step *dead = step_of(&a, "dead-results");
    assert_false(steps_alike(dead, dead));
    close_asked(&a);
}

/* The largest first; what comes after nearly all of the weight is left out, but never the third. */
static void test_cost_order(void **state)
{
    (void)state;
    u32 rows[] = {0, 1, 2, 3, 4}, order[MOST_COST_ROWS];
    const double weight[] = {1, 5000, 0, 90, 0.5}, little[] = {0, 7, 0, 0, 0};
    ProgramCost cost = {.order = rows, .norder = COUNT_OF(rows)};
    assert_int_equal(cost_order(&cost, weight, order), 3);
    assert_true(order[0] == 1 && order[1] == 3 && order[2] == 0);
    assert_int_equal(cost_order(&cost, little, order), 1);
    assert_true(order[0] == 1);
}

/* A cursor goes on and back, into the steps of a body and out again, and along where it has been.
 */
static void test_cursor(void **state)
{
    (void)state;
    Asked a;
    Place p;
    StepTrail trail = {.of = {0}};
    open_asked(&a, "sum(scan t for 5 from h = x { h[t] = (h[t-1] * 1 + y) * 1 })");
    StepCursor c = cursor_at_start(a.x);
    assert_null(cursor_step(&c));
    assert_false(cursor_back(&c) || cursor_out(&c) || cursor_in(&c));
    trail_note(&trail, &c);
    assert_true(cursor_until(&c, "mul-one"));
    assert_int_equal(c.depth, 1);
    assert_string_equal(step_rule(cursor_step(&c)), "mul-one");
    trail_note(&trail, &c);
    cursor_place(&c, &p);
    assert_int_equal(p.n, 2);
    assert_ptr_equal(place_step(a.x, &p), cursor_step(&c));
    assert_true(cursor_find(&c, "mul-one", 80));
    assert_true(cursor_out(&c));
    assert_false(cursor_out(&c));
    assert_true(trail_move(&trail, &c, true));
    assert_null(cursor_step(&c));
    assert_false(trail_move(&trail, &c, true));
    assert_true(trail_move(&trail, &c, false));
    assert_int_equal(c.depth, 1);
    assert_false(cursor_goto(&c, &(Place){1, {1000}}));
    while (cursor_goto(&c, &(Place){1, {0}}) && c.depth)
        continue;
    u32 n = 0;
    for (; cursor_next(&c); n++)
        continue;
    assert_int_equal(n, a.x->log.at.len);
    vec_free(&trail.of);
    close_asked(&a);
}

static void count_run(StepView *v, const StepRun *run)
{
    *(u32 *)v->ctx += view_hides(v, run) ? 0 : run->count;
    view_inside(v, run);
}

static u32 count_steps(Exploration *x, const char *hidden, u32 *of_hidden)
{
    Arena arena = {0};
    u32 n = 0;
    StepView v = {.x = x, .arena = &arena, .show = count_run, .ctx = &n};
    if (hidden)
        view_hide(&v, hidden);
    view_log(&v, &x->log, 0, (u32)x->log.at.len, "");
    *of_hidden = hidden ? v.hidden.at[0].steps : 0;
    view_end(&v);
    arena_free(&arena);
    return n;
}

/* What is hidden and what is not are all steps, those of bodies included. */
static void test_hidden_steps(void **state)
{
    (void)state;
    Asked a;
    u32 none, hidden;
    open_asked(&a, "sum(scan t for 5 from h = x { h[t] = (h[t-1] * 1 + y) * 1 })");
    u32 all = count_steps(a.x, NULL, &none), left = count_steps(a.x, "mul-one", &hidden);
    assert_true(all > a.x->log.at.len); /* those inside, too */
    assert_true(hidden > 0);
    assert_int_equal(all, left + hidden);
    close_asked(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cursor),
        cmocka_unit_test(test_hidden_steps),
        cmocka_unit_test(test_unfired_text),
        cmocka_unit_test(test_unfired_state),
        cmocka_unit_test(test_unfired_code),
        cmocka_unit_test(test_diff),
        cmocka_unit_test(test_life),
        cmocka_unit_test(test_change),
        cmocka_unit_test(test_change_of_loops),
        cmocka_unit_test(test_alike),
        cmocka_unit_test(test_cost_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
