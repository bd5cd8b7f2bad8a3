/* Costs: what a profile counts is what ran, and what is predicted is what it counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/cost.h"
#include "tests/repl_test.h"

static double no_size(void *ctx, const SizeAtom *a)
{
    (void)a;
    return *(double *)ctx;
}

/* The program of a name, priced with that value for sizes that are not known; freed by `done`. */
typedef struct {
    Program *p;
    ProgramCost cost;
} Priced;

static Priced priced(const char *name, double size)
{
    Session *s = &repl.s;
    Node *root = env_own(s->elab.globals, symbol(&s->st, name))->node;
    Exploration *x = session_explore(s, 1, &root);
    Priced r = {.p = plan_build(&s->st, x->nroots, x->roots)};
    assert_non_null(r.p);
    program_cost(r.p, no_size, &size, &r.cost);
    return r;
}

static void done(Priced *r)
{
    program_cost_free(&r->cost);
    program_free(r->p);
}

static void counts_follow_sizes(void **state)
{
    (void)state;
    run("x : f64[n]\nA : f64[n, n]\ny = sum(exp(x) * 2)\nz = A @ A");
    for (double n = 100; n < 1e6; n *= 10) {
        Priced y = priced("y", n), z = priced("z", n);
        assert_true(y.cost.flops >= 2 * n && y.cost.flops <= 3 * n + 2);
        assert_true(y.cost.bytes >= 8 * n && y.cost.bytes < 8 * n + 100);
        assert_true(z.cost.flops == 2 * n * n * n);
        assert_true(z.cost.peak == 8 * n * n);
        done(&y);
        done(&z);
    }
}

/* Of the loop's steps, each side of a branch, a loop in a loop. */
static void a_profile_counts_what_ran(void **state)
{
    static const struct {
        const char *name;
        double steps; /* of the row with most calls */
    } cases[] = {{"a", 1000}, {"b", 50}, {"c", 30 * 20}};
    (void)state;
    run("x : f64[4] = [1, 2, 3, 4]\n"
        "a = sum(scan t for 1000 from s = 0.5 { s[t] = 3.7 * s[t-1] * (1 - s[t-1]) })\n"
        "b = sum(scan t for 50 from s = x { s[t] = tanh(s[t-1] @ outer(x, x)) })\n"
        "c = sum(scan t for 30 from s = x {\n"
        "  r = scan u for 20 from q = s[t-1] { q[u] = cumsum(q[u-1]) * 0.1 }\n"
        "  s[t] = r.final })\n");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Priced r = priced(cases[i].name, 100);
        Profile f;
        Tensor *value = NULL;
        double *seconds = xcalloc(r.cost.n + 1, sizeof *seconds), predicted = 0, most = 0, sum = 0;
        double *calls = xcalloc(r.cost.n + 1, sizeof *calls);
        program_profile(r.p);
        profile_begin(r.p, &f);
        assert_true(session_run_measured(&repl.s, r.p, &f, &value));
        profile_share(r.p, &f, &r.cost, seconds, calls);
        for (u32 k = 0; k < r.cost.norder; k++) {
            u32 row = r.cost.order[k];
            most = calls[row] > most ? calls[row] : most;
            predicted = r.cost.rows[row].calls > predicted ? r.cost.rows[row].calls : predicted;
            sum += seconds[row];
            assert_true(seconds[row] >= 0);
        }
        if (most != cases[i].steps || predicted != cases[i].steps)
            fail_msg("%s: %g calls, %g predicted, not %g", cases[i].name, most, predicted,
                     cases[i].steps);
        assert_true(sum > 0 && sum <= repl.s.run_seconds);
        tensor_unref(value);
        profile_free(&f);
        free(seconds);
        free(calls);
        done(&r);
    }
}

/* Products, fused groups, views, a gradient with the states it keeps. */
static void peaks_are_those_of_a_run(void **state)
{
    static const char *const names[] = {"p", "q", "r", "u"};
    (void)state;
    run("x : f64[1000] = linspace(0.1, 2, 1000)\n"
        "A : f64[60, 60] = reshape(linspace(0, 1, 3600), (60, 60))\n"
        "k : f64 = 0.5\n"
        "p = A @ A + A'\nq = softmax(A, axis=1)\nr = sort(exp(x) * x)[10:20]\n"
        "h = scan t over x from s = k { s[t] = tanh(s[t-1] * x[t]) }\nu = grad(sum(h), k)");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        Priced r = priced(names[i], 0);
        Node *root = env_own(repl.s.elab.globals, symbol(&repl.s.st, names[i]))->node;
        Tensor *value = NULL;
        size_t live = repl.s.st.heap.live;
        assert_true(session_evaluate(&repl.s, 1, &root, &value));
        double peak = (double)(repl.s.st.heap.peak - live);
        if (r.cost.peak < 0.9 * peak || r.cost.peak > 1.1 * peak)
            fail_msg("%s: %g bytes predicted, %g taken", names[i], r.cost.peak, peak);
        tensor_unref(value);
        done(&r);
    }
}

/* A profile changes no value. */
static void values_stay(void **state)
{
    (void)state;
    run("x : f64[4] = [1, 2, 3, 4]\n"
        "h = scan t for 20 from s = x { s[t] = if sum(s[t-1]) > 1 then sin(s[t-1]) else s[t-1] * 2 "
        "}\n"
        "y = sum(h)");
    Node *root = env_own(repl.s.elab.globals, symbol(&repl.s.st, "y"))->node;
    Tensor *plain = NULL, *measured = NULL;
    Priced r = priced("y", 100);
    Profile f;
    program_profile(r.p);
    profile_begin(r.p, &f);
    assert_true(session_evaluate(&repl.s, 1, &root, &plain));
    assert_true(session_run_measured(&repl.s, r.p, &f, &measured));
    assert_true(tensor_f64_at(plain, 0) == tensor_f64_at(measured, 0));
    tensor_unref(plain);
    tensor_unref(measured);
    profile_free(&f);
    done(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(counts_follow_sizes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_profile_counts_what_ran, set_up, tear_down),
        cmocka_unit_test_setup_teardown(peaks_are_those_of_a_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(values_stay, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
