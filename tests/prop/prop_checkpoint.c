/* What the reverse of a loop keeps changes memory, never a value: each body below is run without a
 * policy and with several, for a number of steps, in each direction, stopped early or not, with
 * loop rewrites on and off; values, gradients and second derivatives must agree. Truncated
 * gradients against closed forms. Memory by the bytes that the evaluator counts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include "effort.h"
#include "scan_run.h"

static void fail_with(Session *s, const char *text)
{
    print_error("%s\n", text);
    for (size_t i = 0; i < s->diags.list.len; i++)
        print_error("  %s\n", s->diags.list.at[i].message);
    assert_true(false);
}

static void assert_near(double got, double want, double error)
{
    if (!(fabs(got - want) <= error)) {
        print_error("%.17g, not %.17g\n", got, want);
        assert_true(false);
    }
}

/* ---- bodies: `>` stands for the tap that the direction calls for ---- */

typedef struct {
    const char *clauses, *body, *states;
} Body;

static const char inputs[] =
    "a : f64 = 0.7\nb : f64[3] = [0.3, -0.8, 0.5]\nW : f64[3,3] = [[0.2,-0.4,0.1],[0.5,0.3,-0.2],"
    "[-0.1,0.6,0.4]]\nu : f64[20,3] = 0.1 * reshape(sin(f64(arange(60))), (20, 3))\n"
    "c : f64[20] = cos(f64(arange(20)))\nn : i64 = 1\n";

static const Body bodies[] = {
    {"from x = a", "x[t] = sin(a * x[>1]) + 0.3 * x[>1]", "x"},
    {"over c from x = a", "x[t] = c[t] * tanh(x[>1]) + 0.01 * a * f64(t)", "x"},
    {"over u, c from h = b", "h[t] = tanh(h[>1] @ W + u[t] * c[t]); o[t] = sum(h[t] * u[t])", "h"},
    {"from x = [a, 0.5 * a, a * a]", "x[t] = a * x[>1] - 0.4 * x[>3] * x[>2]", "x"},
    {"over c from x = a, y = b", "x[t] = x[>1] * c[t] + 0.2 * sum(y[>1]); y[t] = cos(y[>1]) * x[t]",
     "x, y"},
    {"from x = a, r = rng(7)", "e, q = uniform(r[>1], ()); x[t], r[t] = (a * x[>1] * e + 0.1, q)",
     "x"},
    {"over c from x = b", "y[t] = a * c[t]; x[t] = x[>1] with [t % 3] += a * sin(x[>1][0])", "x"},
};

static const char *const policies[] = {"checkpoint 1", "checkpoint 2", "checkpoint 3",
                                       "checkpoint auto"};

typedef struct {
    const Body *b;
    int n, stop; /* stop: after step t == stop; -1: never */
    bool reverse, symbolic;
} Case;

static void put_scan(Text *out, const Case *c, const char *name, const char *policy)
{
    text_printf(out, "%s = scan t for ", name);
    if (c->symbolic)
        text_put(out, "n ");
    else
        text_printf(out, "%d ", c->n);
    text_printf(out, "%s %s { ", c->b->clauses, policy);
    for (const char *p = c->b->body; *p; p++)
        if (*p == '>')
            text_put(out, c->reverse ? "t+" : "t-");
        else
            text_putc(out, *p);
    if (c->stop >= 0)
        text_printf(out, "; until t == %d", c->stop);
    text_put(out, " }\n");
}

/* Everything of the scan `name` as one tuple of f64 values. */
static void put_results(Text *out, const Body *b, const char *name)
{
    bool two = strstr(b->states, ", ") != NULL, outs = strstr(b->body, "o[t]") != NULL;
    const char *first = strstr(b->body, "h[t]") ? "h" : "x";
    text_printf(out, "(%s.%s, %s.final.%s, f64(%s.steps)", name, first, name, first, name);
    if (two)
        text_printf(out, ", %s.y, %s.final.y", name, name);
    if (outs)
        text_printf(out, ", %s.o", name);
    text_put(out, ")");
}

static void put_loss(Text *out, const Body *b, const char *name)
{
    const char *first = strstr(b->body, "h[t]") ? "h" : "x";
    text_printf(out, "(sum(%s.%s * %s.%s) + sum(cos(%s.final.%s))", name, first, name, first, name,
                first);
    if (strstr(b->states, ", "))
        text_printf(out, " + sum(sin(%s.y))", name);
    if (strstr(b->body, "o[t]"))
        text_printf(out, " + sum(%s.o * %s.o)", name, name);
    text_put(out, ")");
}

static int differentiate_by(const Body *b, const char *wanted[4])
{
    int n = 0;
    static const char *const names[] = {"a", "b", "W", "u", "c"};
    for (size_t i = 0; i < COUNT_OF(names) && n < 4; i++) {
        bool used = *names[i] == 'a'   ? strchr(b->clauses, 'a') || strstr(b->body, "a *")
                    : *names[i] == 'b' ? strstr(b->clauses, "= b") != NULL
                    : *names[i] == 'W' ? strchr(b->body, 'W') != NULL
                    : *names[i] == 'u' ? strstr(b->body, "u[t]") != NULL
                                       : strstr(b->body, "c[t]") != NULL;
        if (used)
            wanted[n++] = names[i];
    }
    return n;
}

static void put_derivatives(Text *out, const Body *b, const char *name)
{
    const char *wanted[4];
    int n = differentiate_by(b, wanted);
    Text loss = {0};
    put_loss(&loss, b, name);
    text_put(out, "(");
    for (int i = 0; i < n; i++)
        text_printf(out, "grad(%s, %s, unconnected=zero), ", text_str(&loss), wanted[i]);
    for (int i = 0; i < n; i++)
        text_printf(out, "grad(sum(sin(grad(%s, %s, unconnected=zero))), %s, unconnected=zero), ",
                    text_str(&loss), wanted[i], wanted[(i + 1) % n]);
    text_printf(out, "jvp(grad(%s, %s, unconnected=zero), %s, ones_like(%s)))", text_str(&loss),
                wanted[0], wanted[0], wanted[0]);
    text_free(&loss);
}

static u32 compare(Session *s, const Case *c, bool loops)
{
    u32 compared = 0;
    for (int derivatives = 0; derivatives < 2; derivatives++) {
        Values want = {0};
        Text text = {0};
        (derivatives ? put_derivatives : put_results)(&text, c->b, "S0");
        if (!run_values(s, text_str(&text), loops, &want))
            fail_with(s, text_str(&text));
        for (size_t p = 0; p < COUNT_OF(policies); p++) {
            Values got = {0};
            char name[16];
            snprintf(name, sizeof name, "S%zu", p + 1);
            text.len = 0;
            (derivatives ? put_derivatives : put_results)(&text, c->b, name);
            if (!run_values(s, text_str(&text), loops, &got))
                fail_with(s, text_str(&text));
            assert_int_equal(got.n, want.n);
            for (int i = 0; i < got.n; i++, compared++) {
                double e = values_error(want.at[i], got.at[i]);
                if (!(e <= 1e-11)) {
                    print_error("%s, n = %d, stop %d, reverse %d, %s, item %d: error %g\n%s\n",
                                c->b->body, c->n, c->stop, c->reverse, policies[p], i, e,
                                text_str(&text));
                    assert_true(false);
                }
            }
            values_free(&got);
        }
        values_free(&want);
        text_free(&text);
    }
    return compared;
}

static void policies_agree(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 2, 3, 7, 10, 17};
    u32 seen = 0, cases = 0, compared = 0;
    for (size_t b = 0; b < COUNT_OF(bodies); b++)
        for (size_t k = 0; k < COUNT_OF(counts); k++)
            for (int kind = 0; kind < 4; kind++) { /* forward, backward, two places to stop */
                Case c = {.b = &bodies[b], .n = counts[k], .reverse = kind == 1};
                c.stop = kind == 2 ? 0 : kind == 3 ? 2 * c.n / 3 : -1;
                c.symbolic = (b + k + (size_t)kind) % 2;
                if ((kind >= 2 && c.n < 2) || !effort_takes(seen++))
                    continue;
                Session s;
                Text text = {0}, scan = {0};
                assert_true(session_init(&s));
                text_put(&text, inputs);
                text_printf(&text, "n := %d\n", c.n);
                put_scan(&scan, &c, "S0", "");
                text_put(&text, text_str(&scan));
                for (size_t p = 0; p < COUNT_OF(policies); p++) {
                    char name[16];
                    snprintf(name, sizeof name, "S%zu", p + 1);
                    scan.len = 0;
                    put_scan(&scan, &c, name, policies[p]);
                    text_put(&text, text_str(&scan));
                }
                if (!run_statements(&s, text_str(&text)))
                    fail_with(&s, text_str(&text));
                compared += compare(&s, &c, (b + k) % 3 != 0);
                cases++;
                text_free(&text);
                text_free(&scan);
                session_free(&s);
            }
    print_message("%u loops, %u values compared\n", cases, compared);
    assert_true((cases > 150 && compared > 5000) || !effort_is_full());
}

/* ---- truncation ---- */

static double number(Session *s, const char *text)
{
    Values v = {0};
    if (!run_values(s, text, true, &v))
        fail_with(s, text);
    assert_int_equal(v.n, 1);
    double x = tensor_f64_at(v.at[0], 0);
    values_free(&v);
    return x;
}

/* x_n = r^n x_0: through the last k steps d x_n / d r is k r^(n-1) x_0, and d x_n / d x_0 is 0
 * unless k >= n. */
static void truncated_powers(void **state)
{
    (void)state;
    static const char *const forms[][2] = {{"n", "x[t] = r * x[t-1]"},
                                           {"n", "x[t] = r * x[t+1]"},
                                           {"100", "x[t] = r * x[t-1]; until t == n - 1"}};
    u32 seen = 0, checked = 0;
    for (int n = 0; n <= 7; n++)
        for (int k = 0; k <= 9; k++)
            for (size_t f = 0; f < COUNT_OF(forms); f++) {
                /* a loop with `until` takes a step before it asks */
                if ((n == 0 && f == 2) || !effort_takes(seen++))
                    continue;
                Session s;
                char text[300], form[200], count[16];
                assert_true(session_init(&s));
                snprintf(count, sizeof count, "%d", n);
                snprintf(form, sizeof form, "P = scan t for %s from x = x0 %s { %s }\n",
                         f == 0 && k % 3 == 0 ? count : forms[f][0], k % 2 ? "checkpoint 2" : "",
                         forms[f][1]);
                snprintf(text, sizeof text, "r : f64 = 1.3\nx0 : f64 = 0.9\nn : i64 = %d\n%s", n,
                         form);
                if (!run_statements(&s, text))
                    fail_with(&s, text);
                int through = k < n ? k : n;
                snprintf(text, sizeof text, "grad(P.final, r, truncate=%d)", k);
                assert_near(number(&s, text), n ? through * pow(1.3, n - 1) * 0.9 : 0, 1e-12);
                snprintf(text, sizeof text, "grad(P.final, x0, truncate=%d)", k);
                assert_near(number(&s, text), k >= n ? pow(1.3, n) : 0, 1e-12);
                /* d/dr of the sum of rows n-k.. of the trace, row i through i - (n - k) + 1 steps
                 */
                double want = 0;
                for (int i = n - through; i < n; i++)
                    want += (i - (n - through) + 1) * pow(1.3, i) * 0.9;
                snprintf(text, sizeof text, "grad(sum(P), r, truncate=%d)", k);
                assert_near(number(&s, text), want, 1e-11);
                checked += 3;
                session_free(&s);
            }
    print_message("%u truncated derivatives\n", checked);
    u32 percent = effort_percent() < 100 ? effort_percent() : 100;
    assert_true(checked * 100 > 600 * percent);
}

/* ---- named cases ---- */

static void named_cases(void **state)
{
    (void)state;
    for (size_t p = 0; p < COUNT_OF(policies); p++) {
        Session s;
        char text[700];
        assert_true(session_init(&s));
        snprintf(text, sizeof text,
                 "x : f64 = 0.95\nA : f64 = 2\nu : f64[m] = f64(arange(20))\n"
                 "W : f64[2,2] = [[1,2],[3,4]]\nW0 : f64[2,2] = [[5,6],[7,8]]\n"
                 "P = scan t for 5 from y = x %s { y[t] = y[t-1] * y[t-1] }\n"
                 "U = scan t over u from q = 0.0 %s { q[t] = u[t] * u[t]; until t == 5 }\n"
                 "M = scan t for 3 from S = W0 %s { S[t] = S[t-1] + W' @ W }\n"
                 "N = scan t over u from z = A %s { z[t] = z[t-1] * 2; o[t] = u[t] * A }\n",
                 policies[p], policies[p], policies[p], policies[p]);
        if (!run_statements(&s, text))
            fail_with(&s, text);
        assert_near(number(&s, "grad(grad(grad(P.final, x), x), x)"), 29760 * pow(0.95, 29), 1e-7);
        for (int i = 0; i < 20; i++) {
            snprintf(text, sizeof text, "grad(sum(U), u)[%d]", i);
            assert_near(number(&s, text), i <= 5 ? 2 * i : 0, 0);
        }
        /* d sum(3 W'W + W0) / dW[0,1] = 6 (w00 + w01), by W0: 1 */
        assert_near(number(&s, "grad(sum(M.final), W)[0,1]"), 18, 1e-12);
        assert_near(number(&s, "grad(sum(M.final), W0)[0,1]"), 1, 0);
        assert_near(number(&s, "grad(sum(N.o), A)"), 190, 1e-12);
        session_free(&s);
    }
}

/* ---- memory ---- */

/* How often each of n steps runs forward for a gradient: all steps of all loops but those of the
 * way back, of which there are n too, over n. Segments count as steps of their own. */
static double sweeps_of(Session *s, const char *text, int n)
{
    Values v = {0};
    if (!run_values(s, text, true, &v))
        fail_with(s, text);
    values_free(&v);
    return ((double)s->run_steps - n) / n;
}

static size_t peak_of(Session *s, const char *text)
{
    Values v = {0};
    if (!run_values(s, text, true, &v))
        fail_with(s, text);
    values_free(&v);
    return s->st.heap.peak - s->st.heap.live; /* inputs and constants are there before */
}

static void memory_of_a_million_steps(void **state)
{
    (void)state;
    Session s;
    assert_true(session_init(&s));
    static const char program[] =
        "r : f64 = 3.2\n"
        "P = scan t for 1000000 from x = 0.3 { x[t] = r * x[t-1] * (1 - x[t-1]) }\n"
        "Q = scan t for 1000000 from x = 0.3 checkpoint auto { x[t] = r * x[t-1] * (1 - x[t-1]) }\n"
        "T = scan t for 1000000 from x = 0.3 checkpoint auto "
        "{ x[t] = r * x[t-1] * (1 - x[t-1]) + 0.0 * f64(t) }\n"
        "K = scan t for 1000000 from x = 0.3 checkpoint 100 { x[t] = r * x[t-1] * (1 - x[t-1]) }\n";
    if (!run_statements(&s, program))
        fail_with(&s, program);
    size_t plain = peak_of(&s, "grad(P.final, r)"), automatic = peak_of(&s, "grad(Q.final, r)"),
           index = peak_of(&s, "grad(T.final, r)"), hundred = peak_of(&s, "grad(K.final, r)"),
           second = peak_of(&s, "grad(grad(Q.final, r), r)");
    print_message("bytes: plain %zu, auto %zu, with the index %zu, 100 %zu, second order %zu\n",
                  plain, automatic, index, hundred, second);
    assert_true(plain >= 8000000);
    assert_true(automatic * 50 <= plain && index * 50 <= plain && second * 50 <= plain);
    assert_true(hundred <= plain / 50);
    double once = sweeps_of(&s, "grad(P.final, r)", 1000000),
           twice = sweeps_of(&s, "grad(Q.final, r)", 1000000),
           indexed = sweeps_of(&s, "grad(T.final, r)", 1000000),
           second_order = sweeps_of(&s, "grad(grad(Q.final, r), r)", 1000000);
    print_message(
        "forward sweeps: plain %.3f, auto %.3f, with the index %.3f, second order and its "
        "way back %.3f\n",
        once, twice, indexed, second_order);
    assert_true(once == 1 && twice <= 2.01 && indexed <= 2.01);
    session_free(&s);
}

/* Loops whose number of steps is not known before: they are run once to count, keeping nothing. */
static void memory_under_until(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "for 1000000 from x = x0 %s { x[t] = r * x[t-1] * (1 - x[t-1]); until t == 199999 }",
        "from x = x0 %s { x[t] = r * x[t-1] * (1 - x[t-1]); until t == 199999 }",
        "from x = x0 %s { x[t] = x[t-1] - 0.000001 * r * x[t-1] ^ 2; until x[t] < 0.25 }",
        "over u from x = x0 %s { x[t] = 0.5 * r * x[t-1] * u[t]; until t == 199999 }"};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        Session s;
        char text[600], form[300];
        assert_true(session_init(&s));
        int n =
            snprintf(text, sizeof text,
                     "r : f64 = 3.2\nx0 : f64 = 0.3\nu : f64[300000] = cos(f64(arange(300000)))\n");
        for (int automatic = 0; automatic < 2; automatic++) {
            snprintf(form, sizeof form, forms[i], automatic ? "checkpoint auto" : "");
            n += snprintf(text + n, sizeof text - (size_t)n, "%c = scan t %s\n",
                          automatic ? 'A' : 'P', form);
        }
        if (!run_statements(&s, text))
            fail_with(&s, text);
        double steps = number(&s, "A.steps");
        assert_true(steps > 100000);
        assert_near(number(&s, "grad(A.final, r) - grad(P.final, r)"), 0, 1e-12);
        assert_near(number(&s, "grad(A.final, x0) - grad(P.final, x0)"), 0, 1e-12);
        size_t plain = peak_of(&s, "grad(P.final, r)"), automatic = peak_of(&s, "grad(A.final, r)");
        double sweeps = sweeps_of(&s, "grad(A.final, r)", (int)steps);
        print_message("until: bytes plain %zu, auto %zu, forward sweeps %.3f\n", plain, automatic,
                      sweeps);
        assert_true(automatic * 50 <= plain && sweeps <= 3.02);
        session_free(&s);
    }
}

/* Where a state is no scalar nothing is counted first: segments grow as the loop goes. */
static void memory_of_growing_segments(void **state)
{
    (void)state;
    Session s;
    assert_true(session_init(&s));
    static const char program[] =
        "r : f64 = 3.2\nx0 : f64[4] = [0.3, 0.4, 0.5, 0.6]\n"
        "P = scan t from x = x0 { x[t] = r * x[t-1] * (1 - x[t-1]); until t == 199999 }\n"
        "A = scan t from x = x0 checkpoint auto { x[t] = r * x[t-1] * (1 - x[t-1]); until t == "
        "199999 }\n"
        "E = scan t for 200000 from x = x0 checkpoint auto { x[t] = r * x[t-1] * (1 - x[t-1]); "
        "until x[t][0] > 2 }\n"
        "Z = scan t for 0 from x = x0 checkpoint auto { x[t] = r * x[t-1] * (1 - x[t-1]); until "
        "x[t][0] > 2 }\n"
        "at(g) = max(abs(g))\n";
    if (!run_statements(&s, program))
        fail_with(&s, program);
    assert_near(number(&s, "grad(sum(A.final), r) - grad(sum(P.final), r)"), 0, 1e-12);
    assert_near(number(&s, "at(grad(sum(A.final), x0) - grad(sum(P.final), x0))"), 0, 1e-12);
    assert_near(number(&s, "grad(sum(E.final), r) - grad(sum(P.final), r)"), 0, 1e-12);
    assert_near(number(&s, "at(jvp(E.final, x0, x0) - jvp(P.final, x0, x0))"), 0, 1e-12);
    assert_near(number(&s, "sum(grad(sum(Z.final), x0))"), 4, 0);
    assert_near(number(&s, "grad(f64(A.steps) * sum(A.final), r) / 200000 - "
                           "grad(sum(P.final), r)"),
                0, 1e-12);
    size_t plain = peak_of(&s, "grad(sum(P.final), r)"),
           automatic = peak_of(&s, "grad(sum(A.final), r)");
    double sweeps = sweeps_of(&s, "grad(sum(A.final), r)", 200000),
           full = sweeps_of(&s, "grad(sum(E.final), r)", 200000);
    print_message("growing segments: bytes plain %zu, auto %zu, forward sweeps %.3f, to the last "
                  "step %.3f\n",
                  plain, automatic, sweeps, full);
    assert_true(automatic * 50 <= plain && sweeps <= 2.02 && full <= 2.02);
    session_free(&s);
}

/* A loop that writes a row of an array and reads one keeps the rows it read, not the arrays. */
static void memory_of_rows(void **state)
{
    (void)state;
    Session s;
    assert_true(session_init(&s));
    static const char program[] =
        "v : f64 = 0.5\nw : f64[m] = ones(2000)\n"
        "Z = scan t for 2000 from x = ones(2000) "
        "{ x[t] = x[t-1] with [t] = v * w[t] * sin(x[t-1][maximum(t-1, 0)]) + 1.0 }\n";
    if (!run_statements(&s, program))
        fail_with(&s, program);
    assert_true(peak_of(&s, "grad(sum(Z.final), v)") < 40 * 2000 * 8);
    assert_true(peak_of(&s, "sum(grad(sum(Z.final), w))") < 40 * 2000 * 8);
    session_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_agree),     cmocka_unit_test(truncated_powers),
        cmocka_unit_test(named_cases),        cmocka_unit_test(memory_of_a_million_steps),
        cmocka_unit_test(memory_under_until), cmocka_unit_test(memory_of_growing_segments),
        cmocka_unit_test(memory_of_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
