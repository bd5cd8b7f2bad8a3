/* What kinds of numbers an expression can be where a condition holds: whatever is computed is of a
 * kind that is said to be possible, and guards of derivatives are understood. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "rewrite/kinds.h"
#include "run_text.h"

static const double samples[] = {-INFINITY, -DBL_MAX, -2.5,         -1,  -0.5, -DBL_TRUE_MIN,
                                 -0.0,      0.0,      DBL_TRUE_MIN, 0.5, 1,    2.5,
                                 3,         DBL_MAX,  INFINITY,     NAN};

static u32 kind_of(double x)
{
    if (isnan(x))
        return KIND_NAN;
    if (isinf(x))
        return x > 0 ? KIND_INFINITY : KIND_MINUS_INFINITY;
    if (x == 0)
        return signbit(x) ? KIND_MINUS_ZERO : KIND_PLUS_ZERO;
    return x > 0 ? KIND_POSITIVE : KIND_NEGATIVE;
}

static double computed(OpId op, double x, double z)
{
    switch (op) {
    case OP_NEG: return -x;
    case OP_ABS: return fabs(x);
    case OP_SQR: return x * x;
    case OP_RELU: return x <= 0 ? 0 : x;
    case OP_RECIPROCAL: return 1 / x;
    case OP_SQRT: return sqrt(x);
    case OP_RSQRT: return 1 / sqrt(x);
    case OP_EXP: return exp(x);
    case OP_LOG: return log(x);
    case OP_SIN: return sin(x);
    case OP_COS: return cos(x);
    case OP_ADD: return x + z;
    case OP_SUB: return x - z;
    case OP_MUL: return x * z;
    case OP_DIV: return x / z;
    case OP_POW: return pow(x, z);
    default: return hypot(x, z);
    }
}

/* Of y, which is a sample by a condition that only says so much, and of constants. */
static void holds_what_is_computed(void **state)
{
    (void)state;
    static const OpId ops[] = {OP_NEG,   OP_ABS, OP_SQR, OP_RELU, OP_RECIPROCAL, OP_SQRT,
                               OP_RSQRT, OP_EXP, OP_LOG, OP_SIN,  OP_COS,        OP_ADD,
                               OP_SUB,   OP_MUL, OP_DIV, OP_POW,  OP_HYPOT};
    enum { FUNCTIONS = 11 };
    Session s;
    assert_true(session_init(&s));
    assert_true(run_statements(&s, "y : f64"));
    Node **roots = NULL;
    assert_int_equal(run_roots(&s, "y > 0", &roots), 1);
    Facts facts = {0};
    Store *st = &s.st;
    for (size_t k = 0; k < COUNT_OF(ops); k++)
        for (size_t i = 0; i < COUNT_OF(samples); i++)
            for (size_t j = 0; j < COUNT_OF(samples); j++) {
                Node *pair[] = {node_number(st, DT_F64, samples[i]),
                                node_number(st, DT_F64, samples[j])};
                Node *n = node_make(st, ops[k], NULL, k < FUNCTIONS ? 1 : 2, pair);
                u32 kinds = kinds_where(&facts, roots[0], true, n),
                    is = kind_of(computed(ops[k], samples[i], samples[j]));
                if (!(kinds & is))
                    fail_msg("operator %zu of %g and %g: kinds %x, computed %x", k, samples[i],
                             samples[j], kinds, is);
            }
    facts_free(&facts);
    free(roots);
    session_free(&s);
}

/* where(condition, 0, value): of which kinds is the value where the 0 is taken? */
static void understands_guards(void **state)
{
    (void)state;
    static const struct {
        const char *declared, *guarded;
        u32 kinds;
    } rows[] = {
        {"x : f64", "where(x == 0, 0, 1 / x)", KIND_INFINITY | KIND_MINUS_INFINITY},
        {"x : f64", "where(x == 0, 0, x / x)", KIND_NAN},
        {"x : f64", "where(x == 0, 0, log(x))", KIND_MINUS_INFINITY},
        {"x : f64", "where(isinf(x), 0, x / hypot(x, 1) / hypot(x, 1))", KIND_NAN},
        {"x : f64", "where(isinf(x), 0, 1 / hypot(x, 1))", KIND_PLUS_ZERO},
        {"x : f64", "where(not (x > 0), 0, relu(x))", KIND_PLUS_ZERO | KIND_NAN},
        {"x : f64\ny : f64", "where((y == 0) and not (abs(x) > 0), 0, y * x ^ (y - 1))", KIND_NAN},
        {"x : f64\ny : f64", "where((x == 0) and (y >= 0), 0, x ^ y * log(x))",
         KIND_NAN | KIND_MINUS_INFINITY},
        {"u : f64[n]", "where(u == 0, 0, 1 / u)", KIND_INFINITY | KIND_MINUS_INFINITY},
        {"u : f64[n]\ny : f64", "where(y == 0, 0, 1 / (sqr(u) + 1) / sqr(y))",
         KIND_INFINITY | KIND_NAN},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Session s;
        Node **roots = NULL;
        Facts facts = {0};
        assert_true(session_init(&s));
        assert_true(run_statements(&s, rows[i].declared));
        assert_int_equal(run_roots(&s, rows[i].guarded, &roots), 1);
        assert_int_equal(roots[0]->op, OP_WHERE);
        Node *const *ops = roots[0]->ops;
        assert_int_equal(kinds_where(&facts, ops[0], true, ops[2]), rows[i].kinds);
        facts_free(&facts);
        free(roots);
        session_free(&s);
    }
}

/* Element i of a condition says nothing of element i of what is turned round. */
static void keeps_to_its_elements(void **state)
{
    (void)state;
    static const char *const guarded[] = {"where(u == 0, 0, 1 / flip(u))",
                                          "where(u[0] == 0, 0, 1 / u)",
                                          "where((u == 0)[:, None], 0, 1 / a)"};
    Session s;
    Facts facts = {0};
    assert_true(session_init(&s));
    assert_true(run_statements(&s, "u : f64[n]\na : f64[n, n]"));
    for (size_t i = 0; i < COUNT_OF(guarded); i++) {
        Node **roots = NULL;
        assert_int_equal(run_roots(&s, guarded[i], &roots), 1);
        Node *const *ops = roots[0]->ops;
        assert_true(kinds_where(&facts, ops[0], true, ops[2]) & KIND_POSITIVE);
        free(roots);
    }
    facts_free(&facts);
    session_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds_what_is_computed),
                                       cmocka_unit_test(understands_guards),
                                       cmocka_unit_test(keeps_to_its_elements)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
