/* What the values do not allow: code and message of an error say the same on every path, that of
 * scalars, of arrays, of fused operators, of constants folded when the graph is built, in branches,
 * loops, functions and lanes, with all passes and with none. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "run_text.h"

/* k = 0, u = [1, 2, 3] (whole numbers), v the same (floats), m singular. */
static const char inputs[] = "k : i64 = 0\nu : i64[3] = [1, 2, 3]\nv : f64[n] = [1, 2, 3]\n"
                             "m : f64[2, 2] = [[1, 2], [2, 4]]\n"
                             "f(a) = a // k\ng(a) = u[a]\n";

typedef struct {
    const char *code, *message;
    const char *programs[20];
} Error;

static const Error errors[] = {
    {"zero-divisor",
     "integer division by zero",
     {"7 // k",
      "7 % k",
      "[7, 8] // k",
      "u // k",
      "u % [1, k, 2]",
      "7 // 0",
      "[7, 8] // 0",
      "[7, 8] % [0, 1]",
      "i32(7) // i32(k)",
      "sum(u // k * 2 + u)",
      "max((u + 1) % k)",
      "scan t for 2 from s = 7 { s[t] = s[t-1] // k }",
      "scan t over u { r[t] = u[t] % k }",
      "(scan t from s = 7 { s[t] = s[t-1] // k; until s[t] == 0 }).final",
      "if k == 0 then 7 // k else 1",
      "if k == 0 then u // k else u",
      "f(7)",
      "f(u)",
      "vmap(f)(u)",
      "grad(a -> a * f64(7 // k))(2.0)"}},
    {"negative-exponent",
     "integer to a negative power",
     {"2 ^ (k - 1)", "[2, 3] ^ (k - 1)", "2 ^ -1", "[2, 3] ^ -1", "u ^ (k - 1) + u",
      "sum(u ^ (k - 1) * 2)", "scan t for 2 from s = 2 { s[t] = s[t-1] ^ (k - 1) }",
      "scan t over u { r[t] = u[t] ^ (k - 1) }", "if k == 0 then 2 ^ (k - 1) else 1",
      "vmap(a -> a ^ (k - 1))(u)", "i32(2) ^ i32(k - 1)"}},
    {"shift-range",
     "shift by a negative number or by all bits",
     {"left_shift(1, k - 1)", "left_shift(u, k - 1)", "left_shift(1, 64)",
      "right_shift([1, 2], -1)", "sum(left_shift(u, k - 1) * 2)",
      "scan t for 2 from s = 2 { s[t] = left_shift(s[t-1], k - 1) }",
      "if k == 0 then right_shift(1, k + 64) else 1"}},
    {"index",
     "index 5 is out of range for axis 0 of i64[3]",
     {"u[k + 5]", "u[5]", "u[[0, k + 5]]", "u with [k + 5] = 1", "u with [[0, k + 5]] = 1",
      "[1, 2, 3][k + 5]", "sum(u[[0, k + 5]] * 2 + 1)", "scan t for 2 { r[t] = u[t + 5] }",
      "scan t for 2 from s = 0 { s[t] = s[t-1] + u[t + 5] }",
      "(scan t from s = 0 { s[t] = s[t-1] + u[k + 5]; until s[t] > 9 }).final",
      "if k == 0 then u[k + 5] else 1", "if k == 0 then u[5] else 1", "g(k + 5)",
      "vmap(g)([1, 5])"}},
    {"empty",
     "min: there is no element to choose from",
     {"min(u[k + 3:])", "min(v[k + 3:])", "min(u[3:])", "min(v[k + 3:] * 2 + 1)",
      "min(zeros((2, 0)), axis=1)", "scan t for 2 { r[t] = min(v[k + 3:]) }",
      "scan t for 2 from s = 0.0 { s[t] = sin(s[t-1]) + min(v[k + 3:]) }",
      "if k == 0 then min(v[k + 3:]) else 1.0"}},
    {"singular",
     "solve: singular matrix",
     {"solve(m, [1.0, 2])", "solve([[1.0, 2], [2, 4]], [1.0, 2])", "solve(m * 2, [1.0, 2]) + 1",
      "scan t for 2 { r[t] = solve(m, [1.0, 2]) }", "solve(stack((m, m)), ones((2, 2, 1)))",
      "scan t for 2 from s = [1.0, 2] { s[t] = solve(m, s[t-1]) }",
      "if k == 0 then solve(m, [1.0, 2]) else [1.0, 2]",
      "vmap(b -> solve(m, b))([[1.0, 2], [3, 4]])"}},
    {"not-positive-definite",
     "cholesky: matrix is not positive definite",
     {"cholesky(-m)", "cholesky(-stack((m, m)))", "cholesky([[1.0, 2], [2, 1]])",
      "scan t for 2 { r[t] = cholesky(-m) }", "if k == 0 then cholesky(-m) else m"}},
    {"shape-mismatch",
     "shapes (2,) and (3,) do not match: axis 0 is 2 and 3",
     {"v + zeros(k + 2)", "v * 2 + zeros(k + 2) * 3", "sum(v * zeros(k + 2))",
      "scan t for 2 { r[t] = v + zeros(k + 2) }", "if k == 0 then v + zeros(k + 2) else v"}},
    {"check",
     "the number of steps is negative",
     {"scan t for k - 1 { r[t] = t }", "scan t for k - 1 from s = 1 { s[t] = s[t-1] * 2 }",
      "(scan t for k - 1 from s = 1.0 { s[t] = sin(s[t-1]) }).final",
      "sum(scan t for k - 1 { r[t] = u[0] * t })",
      "if k == 0 then (scan t for k - 1 from s = 1.0 { s[t] = sin(s[t-1]) }).final else 1.0"}},
};

/* The first error of an expression, or NULL. */
static const Diag *error_of(Session *s, const char *text)
{
    Node **roots = NULL;
    Tensor *out = NULL;
    if (run_roots(s, text, &roots) == 1 && session_evaluate(s, 1, roots, &out))
        tensor_unref(out);
    free(roots);
    for (size_t i = 0; i < s->diags.list.len; i++)
        if (!s->diags.list.at[i].note)
            return &s->diags.list.at[i];
    return NULL;
}

static void begin(Session *s, bool passes)
{
    assert_true(session_init(s));
    for (size_t i = 0; i < s->options.pipeline.len; i++)
        s->options.pipeline.at[i].off =
            !passes && strcmp(s->options.pipeline.at[i].pass->name, "differentiate") != 0;
    assert_true(run_statements(s, inputs));
}

static u32 check_all(bool passes)
{
    u32 failed = 0;
    Session s;
    begin(&s, passes);
    for (size_t i = 0; i < COUNT_OF(errors); i++)
        for (size_t k = 0; k < COUNT_OF(errors[i].programs) && errors[i].programs[k]; k++) {
            const Diag *d = error_of(&s, errors[i].programs[k]);
            size_t len = strlen(errors[i].message); /* then perhaps the row of a loop */
            if (!d || strcmp(d->code, errors[i].code) ||
                strncmp(d->message, errors[i].message, len) ||
                (d->message[len] && d->message[len] != ',')) {
                fprintf(stderr, "%s (passes %s)\n    %s: %s\n", errors[i].programs[k],
                        passes ? "on" : "off", d ? d->code : "no error", d ? d->message : "");
                failed++;
            }
            diags_clear(&s.diags);
        }
    session_free(&s);
    return failed;
}

static void errors_are_the_same_on_every_path(void **state)
{
    (void)state;
    assert_int_equal(check_all(true) + check_all(false), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_the_same_on_every_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
