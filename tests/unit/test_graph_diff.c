/* What two graphs differ in, asked without text: places, paths, and what does not count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/graph_diff.h"
#include "session/session.h"

#include "../run_text.h"

static const char header[] =
    "x : f64[3]\nz : f64[3]\nu : f64[T, n]\nv : f64[S, m]\nV : f64[n, n]\nW : f64[m, m]\n"
    "H = scan t over u from h = zeros(n), c = ones(n) { h[t] = tanh(h[t-1] @ V + c[t-1]); c[t] = "
    "c[t-1] * u[t] }\n";

typedef struct {
    Session s;
    GraphDiff d;
    Node **roots[2];
} Case;

static void begin(Case *c, const char *a, const char *b, bool names)
{
    const char *text[] = {a, b};
    assert_true(session_init(&c->s));
    assert_true(run_statements(&c->s, header));
    c->d = (GraphDiff){.st = &c->s.st, .names = names};
    for (int i = 0; i < 2; i++) {
        c->d.nroots[i] = run_roots(&c->s, text[i], &c->roots[i]);
        assert_true(c->d.nroots[i] > 0);
        c->d.roots[i] = c->roots[i];
    }
    assert_true(graph_diff(&c->d));
}

static void end(Case *c)
{
    graph_diff_free(&c->d);
    free(c->roots[0]);
    free(c->roots[1]);
    session_free(&c->s);
}

/* So many nodes differ, at these paths, separated by "; ". */
static void check(const char *a, const char *b, u32 differ, const char *paths)
{
    Case c;
    Text t = {0};
    begin(&c, a, b, false);
    for (size_t i = 0; i < c.d.places.len; i++) {
        Text path = {0};
        diff_put_path(&c.d, &path, c.d.places.at[i]);
        text_printf(&t, "%s%s", i ? "; " : "", text_str(&path));
        text_free(&path);
    }
    assert_string_equal(text_str(&t), paths);
    assert_int_equal(c.d.differ, differ);
    text_free(&t);
    end(&c);
}

static void test_places(void **state)
{
    (void)state;
    check("tanh(x) + exp(x)", "exp(x) + tanh(x)", 0, "");
    check("tanh(x) + exp(x)", "sin(x) + tanh(x)", 1, "operand 2 of +");
    check("exp(tanh(x))", "exp(sqr(tanh(x)))", 1, "operand 1 of exp");
    check("exp(sqr(tanh(x)))", "exp(tanh(x))", 1, "operand 1 of exp");
    check("x - z", "z - x", 2, "operand 1 of -; operand 2 of -");
    check("(x, z)", "(x, exp(z))", 1, "result 2");
    check("sum(x) * 2.0", "sum(x) * 3.0", 1, "operand 2 of *");
}

/* One node that several read is one place; one reader that reads another node, too. */
static void test_shared(void **state)
{
    (void)state;
    check("exp(tanh(x)) * sin(tanh(x))", "exp(sqr(x)) * sin(sqr(x))", 1, "operand 1 of sin");
    check("exp(tanh(x)) * sin(tanh(x))", "exp(x) * sin(tanh(x))", 1, "operand 1 of exp");
}

static void test_loops(void **state)
{
    (void)state;
    check("H.h",
          "(scan t over u from h = zeros(n), c = ones(n) { h[t] = tanh(h[t-1] @ V + "
          "c[t-1]); c[t] = c[t-1] + u[t] }).h",
          1, "in scan h, c, equation of c[t]");
    check("H.h",
          "(scan t over u from h = ones(n), c = ones(n) { h[t] = tanh(h[t-1] @ V + "
          "c[t-1]); c[t] = c[t-1] * u[t] }).h",
          1, "in scan h, c, initial value of h, operand 1 of broadcast");
    check("H.h",
          "(scan t over u from h = zeros(n), c = ones(n) { h[t] = tanh(h[t-1] @ V' + "
          "c[t-1]); c[t] = c[t-1] * u[t] }).h",
          1, "in scan h, c, equation of h[t], operand 2 of @");
    check("H.h", "H.c", 1, "");
}

static void test_names(void **state)
{
    (void)state;
    static const char other[] = "(scan k over v from p = zeros(m), q = ones(m) { p[k] = "
                                "tanh(q[k-1] + p[k-1] @ W); q[k] = q[k-1] * v[k] }).p";
    check("H.h", other, 0, "");
    Case c;
    begin(&c, "H.h", other, false);
    assert_int_equal(c.d.renamed.len, 4); /* u is v, V is W, and so are T and S, n and m */
    end(&c);
    begin(&c, "tanh(x)", "tanh(z)", true);
    assert_int_equal(c.d.places.len, 1);
    end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_shared),
                                       cmocka_unit_test(test_loops), cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
