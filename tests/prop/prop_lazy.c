/* What the value does not need is not computed and not checked. Each place below is a program in
 * which BAD stands where nothing needs it: it fails, or never ends. With all passes on, all off and
 * each off in turn the program must give the value that it has with 1.0 in that place. A long loop
 * in that place must not run, and where several may need it and do, it must run once: its steps are
 * counted. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "effort.h"
#include <signal.h>
#include <unistd.h>
#include "scan_run.h"

/* x = 0.5, u = [1, 2, 3], zero = 0. */
static const char inputs[] = "x : f64 = 0.5\nu : f64[3] = [1, 2, 3]\nzero : i64 = 0\n";

static const char *const bad[] = {
    "f64(1 // 0)",
    "f64(1 // zero)",
    "f64(3 % zero)",
    "f64(2 ^ (zero - 1))",
    "f64(sum([6, 7] // zero))",
    "sum(u * f64([6, 7, 8] // [1, zero, 1]))",
    "u[5 + zero]",
    "u[[0, 7 + zero]][0]",
    "(u with [7 + zero] = 1.0)[0]",
    "min(u[3 + zero:])",
    "f64(argmax(u[3 + zero:]))",
    "sum(zeros(zero - 1))",
    "sum(match_shape(u, zeros(2 + zero)))",
    "sum(u[zero:2 + zero] + u)",
    "solve(outer(u, u) * 0.0, u)[0]",
    "sum(inv(outer(u, u) * 0.0))",
    "cholesky(-outer(u, u))[0, 0]",
    "sum(scan i for 3 { row[i] = u[i + 1 + zero] })",
    "sum(scan i over u for 4 + zero { row[i] = u[i] })",
    "f64((scan i from n = 1 { n[i] = n[i-1] * 3; until n[i] == zero }).final)",
};

/* Statements, then the expression; BAD is never needed. */
typedef struct {
    const char *name, *before, *value;
} Setting;

static const Setting places[] = {
    {"branch", "", "if x > 5 then BAD else x"},
    {"named", "h = BAD", "if x > 5 then h else x"},
    {"condition known", "h = BAD", "if false then h else x"},
    {"two named", "h = BAD\ng = h * 2", "if x > 5 then g + h else x"},
    {"argument", "f(c, v) = if c then v else 1.5", "f(x > 5, BAD)"},
    {"argument, named", "h = BAD\nf(c, v) = if c then v * 2 else 1.5", "f(x > 5, h + 1) * x"},
    {"through two functions", "f(c, v) = if c then v else 1.5\ng(c, v) = f(c, v + 1) * 2\nh = BAD",
     "g(x > 5, h)"},
    {"argument nobody uses", "k(v, w) = v * 2", "k(x, BAD)"},
    {"two choices", "h = BAD", "(if x > 5 then h else x) + (if x > 6 then h * 2 else 1.0)"},
    {"a choice after a choice", "h = BAD\na = if x > 5 then h else x",
     "if a > 5 then h + a else a * 2"},
    {"both inner branches", "h = BAD", "if x > 5 then (if x > 6 then h else -h) else x"},
    {"a branch in a branch", "h = BAD", "if x < 5 then (if x > 4 then h else x) else 2.0"},
    {"or of branches", "h = BAD", "if x > 5 then h else (if x > 4 then h * 3 else x)"},
    {"tuple", "t = (BAD, x)", "t[1] * 2"},
    {"tuple, shared", "t = (BAD, x)", "t[1] * 2 + (if x > 5 then t[0] else 1.0)"},
    {"result of a function", "k(v) = (v + BAD, v * 2)\np, q = k(x)", "q"},
    {"definition in a block", "", "{ h = BAD; g = h + 1; if x > 5 then g else x }"},
    {"body", "",
     "(scan t for 4 from s = x { s[t] = if s[t-1] > 100 then BAD else s[t-1] * 2 }).final"},
    {"body, named outside", "h = BAD",
     "(scan t for 4 from s = x { s[t] = if s[t-1] > 100 then h else s[t-1] * 2 }).final"},
    {"body, named inside", "",
     "(scan t for 4 from s = x { h = BAD * s[t-1]; s[t] = if s[t-1] > 100 then h else s[t-1] * 2 "
     "}).final"},
    {"body, trace", "h = BAD",
     "sum(scan t over u from s = x { s[t] = if s[t-1] > 100 then h * u[t] else s[t-1] + u[t] })"},
    {"body, argument", "f(c, v) = if c then v else 1.5\nh = BAD",
     "(scan t for 4 from s = x { s[t] = s[t-1] + f(t > 9, h) }).final"},
    {"map", "h = BAD", "sum(scan t over u { row[t] = if u[t] > 100 then h else u[t] })"},
    {"inner loop", "h = BAD",
     "sum(scan t for 2 from s = x { s[t] = s[t-1] + (scan i for 2 from r = x { r[i] = if r[i-1] > "
     "100 then h else r[i-1] + 1 }).final })"},
    {"backwards", "h = BAD",
     "sum(scan t over u from s = x { s[t] = if s[t+1] > 100 then h else s[t+1] + u[t] })"},
    {"condition that stays", "h = BAD",
     "(scan t for 4 from s = x { s[t] = if x > 5 then h * s[t-1] else s[t-1] + 1 }).final"},
    {"until", "h = BAD",
     "sum(scan t for 6 from s = x { s[t] = s[t-1] + 1; until s[t] > (if x > 5 then h else 3.0) })"},
    {"no step", "", "(scan t for zero from s = x { s[t] = s[t-1] + BAD }).final"},
    {"no step, no state", "", "sum(scan t for zero { row[t] = BAD * f64(t) })"},
    {"no step, trace", "", "sum(scan t for zero from s = x { s[t] = s[t-1] * BAD })"},
    {"no step, inner loop", "",
     "sum(scan t for 3 from s = x { s[t] = s[t-1] + (scan q for zero from r = x { r[q] = r[q-1] + "
     "BAD }).final })"},
    {"output nobody reads", "S = scan t for 3 from s = x { s[t] = s[t-1] * 2; o[t] = BAD + s[t] }",
     "S.final.s"},
    {"state nobody reads",
     "S = scan t for 3 from s = x, r = x { s[t] = s[t-1] * 2; r[t] = r[t-1] + BAD }", "sum(S.s)"},
    {"fold", "h = BAD", "foldl((a, v) -> if v > 50 then h else a + v, u, 0.0)"},
    {"loop in a branch", "h = BAD",
     "if x > 5 then (scan t for 4 from s = x { s[t] = s[t-1] + h }).final else x"},
    {"beside a loop like it", "h = BAD",
     "(scan t over u from s = x { s[t] = s[t-1] + u[t] }).final + (if x > 5 then (scan t over u "
     "from "
     "s = h { s[t] = s[t-1] * u[t] }).final else 0.0) + (if x > 6 then (scan t over u from s = h { "
     "s[t] = s[t-1] * u[t] }).final else 0.0)"},
    {"beside elementwise work", "h = u * BAD",
     "sum(exp(u) * 2) + (if x > 5 then sum(exp(h)) else 0.0) + (if x > 6 then sum(h) else 1.0)"},
    {"gradient", "", "grad(if x > 5 then BAD * x else x * x, x)"},
    {"gradient, named", "h = BAD * x", "grad(if x > 5 then h else x * x, x)"},
    {"gradient of two choices", "h = BAD * x",
     "grad((if x > 5 then h else x) + (if x > 6 then h * h else x * x), x)"},
    {"gradient of a choice after a choice", "h = BAD * x\na = if x > 5 then h else x * x",
     "grad(if a > 5 then h + a else a * 2, x)"},
    {"gradient of a function", "f(c, v) = if c then v else x * x",
     "grad(v -> f(v > 5, BAD * v) * v)(x)"},
    {"second derivative", "h = BAD * x ^ 2",
     "grad(grad(v -> { g = BAD * v; if v > 5 then g else v ^ 3 }))(x)"},
    {"tangent", "h = BAD * x", "jvp(if x > 5 then h else x * x, x, 1.0)"},
    {"gradient of a body", "h = BAD * x",
     "grad((scan t for 3 from s = x { s[t] = if s[t-1] > 100 then h * s[t-1] else s[t-1] * x "
     "}).final, x)"},
    {"checkpoints", "h = BAD * x",
     "grad((scan t for 5 from s = x checkpoint 2 { s[t] = if s[t-1] > 100 then h else s[t-1] * x "
     "}).final, x)"},
    {"gradient inside a body", "h = BAD * x",
     "sum(scan t for 2 { o[t] = grad(if x > 5 then h else x * x, x) })"},
    {"gradient in a branch", "h = BAD * x", "if x > 5 then grad(h, x) else x"},
    {"lanes", "", "sum(vmap(v -> if v > 5 then BAD else v)(u))"},
    {"lanes, named", "", "sum(vmap(v -> { h = BAD * v; if v > 5 then h else v })(u))"},
    {"lanes, two choices", "",
     "sum(vmap(v -> { h = BAD * v; (if v > 5 then h else v) + (if v > 6 then h else 1.0) })(u))"},
    {"lanes, one of them", "", "sum(vmap(v -> if v > 5 then BAD * v else v * 2)(u * 1.5))"},
    {"lanes of a loop", "",
     "sum(vmap(v -> (scan t for 3 from s = v { s[t] = if s[t-1] > 99 then BAD else s[t-1] + v "
     "}).final)(u))"},
    {"gradient of lanes", "",
     "sum(grad(sum(vmap(v -> { h = BAD * v; if v > 5 then h else v * v })(u)), u))"},
};

static void put(Text *out, const char *text, const char *what)
{
    for (const char *p = text; *p; p++)
        if (!strncmp(p, "BAD", 3)) {
            text_printf(out, "(%s)", what);
            p += 2;
        } else {
            text_putc(out, *p);
        }
}

/* ---- evaluating under other passes ---- */

/* A loop without end that runs after all. */
static volatile sig_atomic_t too_long;
static void on_alarm(int number)
{
    (void)number;
    too_long = 1;
}

enum { ALL_ON = -1, ALL_OFF = -2 };

/* A derivative cannot do without its pass. */
static void choose_passes(Session *s, int off)
{
    for (size_t i = 0; i < s->options.pipeline.len; i++) {
        PassUse *p = &s->options.pipeline.at[i];
        p->off = strcmp(p->pass->name, "differentiate") && (off == ALL_OFF || off == (int)i);
    }
}

static bool value_of_text(Session *s, const char *text, int off, double *value)
{
    Node **roots = NULL;
    Tensor *out = NULL;
    int n = run_roots(s, text, &roots);
    choose_passes(s, off);
    if (n != 1) {
        free(roots);
        return false;
    }
    Exploration *x = explore(&s->st, s->rules, &s->options, 1, roots);
    too_long = 0;
    s->st.interrupt = &too_long;
    alarm(1);
    bool ok = x && !x->failed && session_evaluate_raw(s, 1, x->roots, NULL, &out);
    alarm(0);
    if (ok)
        *value = tensor_f64_at(out, 0);
    tensor_unref(out);
    exploration_free(x);
    free(roots);
    return ok;
}

static void say(Session *s, const char *place, const char *what, int off)
{
    const char *pass = off == ALL_ON    ? "all passes"
                       : off == ALL_OFF ? "no passes"
                                        : s->options.pipeline.at[off].pass->name;
    fprintf(stderr, "%s: %s (%s%s)\n", place, what, off >= 0 ? "without " : "", pass);
    for (size_t i = 0; i < s->diags.list.len; i++)
        fprintf(stderr, "    %s\n", s->diags.list.at[i].message);
}

/* A new session with the statements of a place. Notes of what is certainly wrong are welcome. */
static void begin(Session *s, const char *before, const char *what)
{
    Text text = {0};
    assert_true(session_init(s));
    text_put(&text, inputs);
    put(&text, before, what);
    run_statements(s, text_str(&text));
    text_free(&text);
}

static u32 check_place(const Setting *p, const char *what, double want)
{
    Session s;
    Text text = {0};
    u32 failed = 0;
    begin(&s, p->before, what);
    put(&text, p->value, what);
    for (int off = ALL_OFF; off < (int)s.options.pipeline.len; off++) {
        double got = 0;
        bool ok = !s.diags.errors && value_of_text(&s, text_str(&text), off, &got);
        if (!ok || got != want) {
            say(&s, p->name, what, off);
            failed++;
        }
        diags_clear(&s.diags);
    }
    text_free(&text);
    session_free(&s);
    return failed;
}

static void nothing_unneeded_fails(void **state)
{
    (void)state;
    u32 failed = 0;
    signal(SIGALRM, on_alarm);
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        if (!effort_keeps((u32)i))
            continue;
        Session s;
        Text text = {0};
        double want = 0;
        begin(&s, places[i].before, "1.0");
        put(&text, places[i].value, "1.0");
        assert_true(value_of_text(&s, text_str(&text), ALL_ON, &want));
        for (size_t b = 0; b < COUNT_OF(bad); b++)
            failed += check_place(&places[i], bad[b], want);
        text_free(&text);
        session_free(&s);
    }
    assert_int_equal(failed, 0);
}

/* ---- work ---- */

enum { LONG = 1000 };
static const char work[] = "(scan w for 1000 + zero from z = x { z[w] = sin(z[w-1]) * 0.1 }).final";

/* Here BAD is needed, by several. */
static const Setting shared[] = {
    {"always and by a choice", "h = BAD", "h + (if x < 5 then h * 2 else 1.0)"},
    {"both branches", "h = BAD", "if x < 5 then h else -h"},
    {"two choices", "h = BAD", "(if x < 5 then h else x) + (if x < 6 then h * 2 else 1.0)"},
    {"a choice after a choice", "h = BAD\na = if x < 5 then h else x",
     "if a < 5 then h + a else a * 2"},
    {"one of two choices", "h = BAD", "(if x > 5 then h else x) + (if x < 6 then h * 2 else 1.0)"},
    {"arguments", "h = BAD\nf(c, v) = if c then v * 2 else 1.5", "f(x < 5, h) + f(x < 6, h + 1)"},
    {"argument, often", "f(c, v) = if c then v * v + v else 1.5", "f(x < 5, BAD)"},
    {"inner choices", "h = BAD",
     "if x < 5 then (if x < 4 then h else x) + (if x < 3 then h * 2 else 2.0) else 2.0"},
    {"body", "h = BAD",
     "(scan t for 4 from s = x { s[t] = if s[t-1] < 100 then h + sin(s[t-1]) else x }).final"},
    {"body, trace", "h = BAD",
     "sum(scan t over u from s = x { s[t] = if s[t-1] < 100 then h * u[t] else s[t-1] })"},
    {"inner loop", "h = BAD",
     "sum(scan t for 3 from s = x { s[t] = sin(s[t-1]) + (scan i for 2 from r = x { r[i] = if "
     "r[i-1] < 100 then h + sin(r[i-1]) else r[i-1] + 1 }).final })"},
    {"two loops", "h = BAD",
     "(scan t for 4 from s = x { s[t] = if s[t-1] < 100 then h + sin(s[t-1]) else x }).final + "
     "(scan t for 3 from s = x { s[t] = if s[t-1] < 9 then h * cos(s[t-1]) else x }).final"},
};

static u32 check_work(const Setting *p, u64 low, u64 high)
{
    Session s;
    Text text = {0};
    u32 failed = 0;
    begin(&s, p->before, work);
    put(&text, p->value, work);
    for (int off = ALL_OFF; off < (int)s.options.pipeline.len; off++) {
        double got;
        bool ok = value_of_text(&s, text_str(&text), off, &got);
        if (!ok || s.run_steps < low || s.run_steps >= high) {
            say(&s, p->name, "work", off);
            fprintf(stderr, "    %llu steps\n", (unsigned long long)s.run_steps);
            failed++;
        }
        diags_clear(&s.diags);
    }
    text_free(&text);
    session_free(&s);
    return failed;
}

static void nothing_unneeded_runs(void **state)
{
    (void)state;
    u32 failed = 0;
    for (size_t i = 0; i < COUNT_OF(places); i++)
        failed += effort_keeps((u32)i) && check_work(&places[i], 0, LONG);
    assert_int_equal(failed, 0);
}

static void nothing_runs_twice(void **state)
{
    (void)state;
    u32 failed = 0;
    for (size_t i = 0; i < COUNT_OF(shared); i++)
        failed += effort_keeps((u32)i) && check_work(&shared[i], LONG, 2 * LONG);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_unneeded_fails),
        cmocka_unit_test(nothing_unneeded_runs),
        cmocka_unit_test(nothing_runs_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
