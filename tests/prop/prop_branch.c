/* `if` runs one branch. Each guarded pair below is a condition and two branches of which each works
 * only where the condition chooses it: elsewhere it fails (an index, a division, a check, a loop
 * without end) or gives NaN. The pair stands alone, behind a function, inside another `if`, in the
 * body of a scan, in its `until`, and in a scan that runs backwards; it is evaluated at points on
 * both sides, and its values, gradients, second derivatives and tangents must be those of the
 * branch that the condition chooses, written without any `if`; so must those of the same thing
 * under vmap, where the lanes choose differently. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include "effort.h"
#include "scan_run.h"

/* In terms of x; u has three elements, zero is 0 when it runs. */
typedef struct {
    const char *condition, *yes, *no;
} Pair;

static const Pair pairs[] = {
    {"x > 0.5", "log(x - 0.5)", "sqrt(0.6 - x)"},
    {"x > 0.5", "x * u[3 - i64(4 * x)]", "sin(x) * u[i64(9 * x)]"},
    {"x > 0.5", "x ^ 3 / f64(6 // i64(2 * x))", "x * f64(6 // (i64(2 * x) - 1))"},
    {"x > 0.5", "cos(x) * max(u[3 - i64(2 * x):])",
     "x * sum(match_shape(u, zeros(3 + i64(2 * x))))"},
    {"x > 0.5", "x ^ 1.5 * (x - 0.5) ^ 0.5", "(0.5 - x) ^ 1.5"},
    {"x > 0.5", "x * (scan t from s = x { s[t] = s[t-1] * 1.5; until s[t] > 4 }).final",
     "(scan t from s = x { s[t] = s[t-1] * x; until s[t] < 0.01 }).final"},
    {"x > 0.5", "(scan t for i64(4 * x) - 1 from s = x { s[t] = s[t-1] * sin(x) }).final",
     "(scan t for 1 - i64(4 * x) from s = x { s[t] = s[t-1] * cos(x) }).final"},
    {"not (x <= 0.5)", "norm(x * u)", "exp(x) / (f64(zero) + 1)"},
    {"x > 0.5", "acos(1.5 - x) * x", "log1p(-x - 0.45)"},
};

static const double points[] = {0.9, 0.1, 0.75, 0.2, 0.6, 0.05};
enum { POINTS = COUNT_OF(points) };

/* Where the pair stands: P is the pair. */
typedef struct {
    const char *name, *text;
} Setting;

static const Setting settings[] = {
    {"alone", "P"},
    {"sum", "P * x + sin(P)"},
    {"function", "f(x) * 2"},
    {"nested", "(if x < 2 then (if x > -1 then P else u[7 + zero]) else u[8 + zero])"},
    {"scan", "(scan j for 3 from s = x { s[j] = 0.3 * s[j-1] + P }).final"},
    {"trace", "sum(sqr(scan j over u from s = x { s[j] = 0.3 * s[j-1] * u[j] + P }))"},
    {"backwards", "sum(scan j for 3 from s = x { s[j] = sin(s[j+1]) + P * f64(j) })"},
    {"until",
     "sum(scan j for 6 from s = x { s[j] = 0.3 * s[j-1] + P; until j >= (if x > 0.5 then 1 "
     "else 2) })"},
    {"checkpointed", "(scan j for 5 from s = x checkpoint 2 { s[j] = 0.3 * s[j-1] + P }).final"},
    {"inner scan", "sum(scan j for 2 { o[j] = (scan k for 2 from s = x { s[k] = 0.5 * s[k-1] * P + "
                   "f64(j) }).final })"},
};

/* The place with the pair put in: form 0 as an `if`, 1 and 2 as its branches. */
static void put_place(Text *out, const Setting *place, const Pair *pair, int form)
{
    for (const char *p = place->text; *p; p++)
        if (*p != 'P')
            text_putc(out, *p);
        else if (form)
            text_printf(out, "(%s)", form == 1 ? pair->yes : pair->no);
        else
            text_printf(out, "(if %s then %s else %s)", pair->condition, pair->yes, pair->no);
}

typedef struct {
    u32 cases, compared, failed;
} Tally;

static void report(Session *s, Text *program, const char *all, const char *each, double error)
{
    fprintf(stderr, "%s%s\n%s\nerror %g\n", text_str(program), all, each, error);
    for (size_t i = 0; i < s->diags.list.len; i++)
        fprintf(stderr, "  %s\n", s->diags.list.at[i].message);
}

static void compare(Session *s, Text *program, const char *all, const char *each, Tally *t)
{
    Values a = {0}, b = {0};
    double error = INFINITY;
    bool ok = run_values(s, each, true, &b) && run_values(s, all, true, &a) && a.n == b.n;
    for (int i = 0; ok && i < a.n; i++, t->compared++) {
        error = values_error(a.at[i], b.at[i]);
        ok = error <= 1e-10;
    }
    if (!ok) {
        t->failed++;
        report(s, program, all, each, error);
    }
    diags_clear(&s->diags);
    values_free(&a);
    values_free(&b);
}

/* The derivatives of F at a point, a tuple; F is a function of x. */
static void put_all(Text *out, const char *f, const char *at)
{
    text_printf(out,
                "(%s(%s), grad(%s)(%s), grad(grad(%s))(%s), jvp(%s)(%s, 1.5), "
                "jvp(grad(%s))(%s, 0.5))",
                f, at, f, at, f, at, f, at, f, at);
}

static void put_batch(Text *out, const char *f)
{
    text_printf(out,
                "(vmap(%s)(xs), vmap(grad(%s))(xs), vmap(grad(grad(%s)))(xs), "
                "jvp(vmap(%s)(xs), xs, 1.5 * ones(%d)), grad(sum(vmap(%s)(xs)), xs))",
                f, f, f, f, (int)POINTS, f);
}

/* The stack of what the chosen branch gives at each point. */
static void put_lanes(Text *out)
{
    static const char *const forms[] = {"%s(xs[%d])", "grad(%s)(xs[%d])", "grad(grad(%s))(xs[%d])",
                                        "jvp(%s)(xs[%d], 1.5)", "grad(%s)(xs[%d])"};
    for (size_t k = 0; k < COUNT_OF(forms); k++) {
        text_put(out, k ? ")), stack((" : "(stack((");
        for (int i = 0; i < POINTS; i++) {
            text_put(out, i ? ", " : "");
            text_printf(out, forms[k], points[i] > 0.5 ? "Y" : "N", i);
        }
    }
    text_put(out, ")))");
}

static void check_pair(const Setting *place, const Pair *pair, Tally *t)
{
    Session s;
    Text program = {0}, all = {0}, each = {0};
    text_put(&program, "u : f64[3] = [1.5, -0.5, 0.7]\nzero : i64 = 0\nxs : f64[n] = [");
    for (int i = 0; i < POINTS; i++)
        text_printf(&program, "%s%g", i ? ", " : "", points[i]);
    text_printf(&program, "]\nf(x) = if %s then %s else %s\n", pair->condition, pair->yes,
                pair->no);
    for (int form = 0; form < 3; form++) {
        bool call = !strcmp(place->name, "function") && form;
        text_printf(&program, "%c(x) = ", "FYN"[form]);
        if (call)
            text_printf(&program, "2 * (%s)", form == 1 ? pair->yes : pair->no);
        else
            put_place(&program, place, pair, form);
        text_put(&program, "\n");
    }
    assert_true(session_init(&s));
    if (!run_statements(&s, text_str(&program)))
        report(&s, &program, "does not build", "", 0), t->failed++;
    for (int i = 0; i < POINTS; i++) {
        char at[16];
        snprintf(at, sizeof at, "xs[%d]", i);
        all.len = each.len = 0;
        put_all(&all, "F", at);
        put_all(&each, points[i] > 0.5 ? "Y" : "N", at);
        compare(&s, &program, text_str(&all), text_str(&each), t);
    }
    all.len = each.len = 0;
    put_batch(&all, "F");
    put_lanes(&each);
    compare(&s, &program, text_str(&all), text_str(&each), t);
    t->cases++;
    text_free(&program);
    text_free(&all);
    text_free(&each);
    session_free(&s);
}

static void test_one_branch_runs(void **state)
{
    (void)state;
    Tally t = {0};
    for (size_t p = 0; p < COUNT_OF(settings) && t.failed < 10; p++)
        for (size_t k = 0; k < COUNT_OF(pairs) && t.failed < 10; k++)
            if (effort_takes((u32)(p * COUNT_OF(pairs) + k)))
                check_pair(&settings[p], &pairs[k], &t);
    print_message("%u conditionals at %d points and as lanes, %u values compared\n", t.cases,
                  (int)POINTS, t.compared);
    assert_int_equal(t.failed, 0);
    if (effort_is_full())
        assert_int_equal(t.cases, COUNT_OF(settings) * COUNT_OF(pairs));
}

/* Each branch really fails on the other side: else the test above shows nothing. */
static void test_the_other_branch_fails(void **state)
{
    (void)state;
    u32 checked = 0;
    for (size_t k = 0; k < COUNT_OF(pairs); k++) {
        if (strstr(pairs[k].yes, "until") || strstr(pairs[k].yes, "norm"))
            continue; /* one would not end; one is harmless in one direction */
        for (int side = 0; side < 2; side++) {
            Session s;
            Text text = {0};
            Values v = {0};
            text_printf(&text,
                        "u : f64[3] = [1.5, -0.5, 0.7]\nzero : i64 = 0\nx : f64 = %s\ny = %s\n",
                        side ? "0.1" : "0.9", side ? pairs[k].yes : pairs[k].no);
            assert_true(session_init(&s));
            assert_true(run_statements(&s, text_str(&text)));
            bool ok = run_values(&s, "y", true, &v);
            if (ok && isfinite(tensor_f64_at(v.at[0], 0))) {
                print_error("%s", text_str(&text));
                assert_true(false);
            }
            values_free(&v);
            text_free(&text);
            session_free(&s);
            checked++;
        }
    }
    print_message("%u branches fail where they are not to run\n", checked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_other_branch_fails),
                                       cmocka_unit_test(test_one_branch_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
