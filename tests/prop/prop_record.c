/* The record of steps. On the examples and on all programs and expressions of the golden tests:
 * every step tells its rule, reason, classes and pass. On large graphs: what recording costs, that
 * it is linear, how long a replay of one of many steps takes and how long an origin. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "corpus.h"
#include "effort.h"
#include "rewrite/history.h"
#include "rewrite/things.h"
#include "steps_check.h"
#include <math.h>
#include <time.h>

/* ---- every step tells what it is ---- */

typedef struct {
    u32 explored, steps, silent;
} Told;

static void tell_roots(Corpus *c, int n, Node *const *roots)
{
    Told *told = c->ctx;
    Text why = {0};
    Exploration *x = session_explore(&c->s, n, roots);
    if (x && !steps_tell(&c->s.st, &x->log, &told->steps, &why)) {
        print_error("%s: %s\n", c->file, text_str(&why));
        told->silent++;
    }
    told->explored += x != NULL;
    text_free(&why);
}

static void test_steps_tell(void **state)
{
    (void)state;
    Told told = {0};
    Corpus c = {.on_roots = tell_roots, .ctx = &told};
    corpus_run(&c);
    print_message("%u files, %u expressions, %u steps: %u tell nothing of rule, reason, class or "
                  "pass\n",
                  c.files, told.explored, told.steps, told.silent);
    assert_true(told.steps > 1000 || !effort_is_full());
    assert_int_equal(told.silent, 0);
}

/* ---- large graphs ---- */

/* log(1 + exp(..)) and x * 1 on top of each other: about two steps for every five nodes. */
static Node *chain(Store *st, int n)
{
    Node *x = node_input(st, OP_INPUT, symbol(st, "x"), type_scalar(st, DT_F64)), *y = x;
    for (int i = 0; i < n; i++) {
        Node *one = node_f64(st, 1), *e = node1(st, OP_EXP, NULL, y);
        y = node1(st, OP_LOG, NULL, node2(st, OP_ADD, NULL, one, e));
        y = node1(st, OP_SIN, NULL, node2(st, OP_MUL, NULL, node2(st, OP_SUB, NULL, y, x), one));
    }
    return y;
}

typedef struct {
    double seconds;
    size_t bytes;
    u32 steps;
} Cost;

/* Of this process: the machine may be busy. */
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Keeps the least of the runs so far. */
static void run_once(int n, bool unrecorded, Cost *best)
{
    Session s;
    assert_true(session_init(&s));
    s.options.unrecorded = unrecorded;
    Node *y = chain(&s.st, n);
    size_t before = s.st.bytes + s.st.scratch.total;
    double start = cpu_seconds();
    Exploration *x = explore(&s.st, s.rules, &s.options, 1, &y);
    double took = cpu_seconds() - start;
    if (best->seconds == 0 || took < best->seconds)
        *best = (Cost){took, s.st.bytes + s.st.scratch.total + x->log.arena.total - before,
                       (u32)x->log.at.len};
    exploration_free(x);
    session_free(&s);
}

static void test_cost(void **state)
{
    (void)state;
    Cost small = {0}, large = {0}, plain = {0};
    int n = effort_keeps_all() ? 2000 : 500;
    for (int round = 0; round < (effort_keeps_all() ? 6 : 1); round++) {
        run_once(n, false, &small);
        run_once(8 * n, false, &large);
        run_once(8 * n, true, &plain);
    }
    double growth = large.seconds / large.steps / (small.seconds / small.steps);
    print_message("%u steps: %.0f ms, %.2f us a step, %zu bytes a step; without a record %.0f ms: "
                  "recording costs %.2f times as much\n",
                  large.steps, 1e3 * large.seconds, 1e6 * large.seconds / large.steps,
                  large.bytes / large.steps, 1e3 * plain.seconds, large.seconds / plain.seconds);
    print_message("a step costs %.2f times as much with 8 times as many\n", growth);
    assert_int_equal(plain.steps, 0);
    assert_true(large.steps > 15u * (unsigned)n);
    /* times are for reading; what is kept of a step does not grow with their number */
    assert_true(large.bytes / large.steps < 2 * (small.bytes / small.steps));
}

static void test_replay(void **state)
{
    (void)state;
    Session s;
    assert_true(session_init(&s));
    int n = effort_keeps_all() ? 3400 : 850;
    Node *y = chain(&s.st, n), *root = NULL;
    Exploration *x = explore(&s.st, s.rules, &s.options, 1, &y);
    u32 steps = (u32)x->log.at.len;
    assert_true(steps > 2u * (unsigned)n);
    double worst = 0;
    for (u32 k = 0; k <= steps; k += steps / 40) {
        double best = 1e9;
        for (int round = 0; round < (effort_keeps_all() ? 3 : 1); round++) {
            double start = cpu_seconds();
            assert_true(exploration_replay(x, k, &root));
            best = fmin(best, cpu_seconds() - start);
        }
        worst = fmax(worst, best);
    }
    double start = cpu_seconds();
    const Things *t = exploration_things(x);
    double numbering = cpu_seconds() - start, longest = 0;
    u32 asked = 0;
    for (u32 k = 1; k < t->listed.len; k += t->listed.len / 150, asked++) {
        start = cpu_seconds();
        int links = 0;
        for (const Occurrence *o = thing_numbered(x, k)->last; o && links < 1000; links++)
            o = thing_before(t, o);
        longest = fmax(longest, cpu_seconds() - start);
    }
    print_message("%u steps: any state within %.1f ms; numbers and origins of all in %.1f ms, then "
                  "each of %u chains of origins within %.3f ms\n",
                  steps, 1e3 * worst, 1e3 * numbering, asked, 1e3 * longest);
    assert_true(exploration_replay(x, 0, &root) && root == y);
    assert_true(exploration_replay(x, steps, &root) && root == x->roots[0]);
    assert_true(asked > 100);
    exploration_free(x);
    session_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps_tell),
                                       cmocka_unit_test(test_cost), cmocka_unit_test(test_replay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
