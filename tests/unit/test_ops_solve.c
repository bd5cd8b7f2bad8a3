/* Factorisations, linear systems, triangles, sorting, and draws without repetition:
 * types, values, derivatives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tests/unit/ops_run.h"

/* A positive definite matrix (or two of them) that is not symmetric above the diagonal. */
static Node *matrix(Run *r) { return input(r, DT_F64, SHAPE(3, 3), V(4, 1, 2, 2, 5, 1, 1, 3, 6)); }
static Node *pair_of(Run *r)
{
    return input(r, DT_F64, SHAPE(2, 2, 2), V(4, 1, 2, 5, 3, 0.5, 1, 2));
}

static void test_triangle(void **state)
{
    Run *r = *state;
    Node *x = input(r, DT_F64, SHAPE(2, 3), V(1, 2, 3, 4, 5, 6));
    expect(r, op1(r, OP_TRIANGLE, ATTRS(INT(1), INT(0)), x), "f64[2, 3]", V(1, 0, 0, 4, 5, 0));
    expect(r, op1(r, OP_TRIANGLE, ATTRS(INT(0), INT(1)), x), "f64[2, 3]", V(0, 2, 3, 0, 0, 6));
    check_gradient(r, op1(r, OP_TRIANGLE, ATTRS(INT(1), INT(-1)), x), 1, &x);
    expect_refused(r, op1(r, OP_TRIANGLE, ATTRS(INT(1), INT(0)), dim(r, 1)), "type-mismatch");
    Node *empty = input(r, DT_F64, SHAPE(0, 3), V(0));
    expect(r, op1(r, OP_TRIANGLE, ATTRS(INT(1), INT(0)), empty), "f64[0, 3]", V(0));
}

static void test_cholesky(void **state)
{
    Run *r = *state;
    Node *a = input(r, DT_F64, SHAPE(2, 2), V(4, 99, 2, 5)), *two = pair_of(r), *m = matrix(r);
    expect(r, op1(r, OP_CHOLESKY, NULL, a), "f64[2, 2]", V(2, 0, 1, 2));
    check_gradient2(r, op1(r, OP_CHOLESKY, NULL, m), 1, &m);
    check_gradient(r, op1(r, OP_CHOLESKY, NULL, two), 1, &two);
    Node *bad = input(r, DT_F64, SHAPE(2, 2), V(1, 2, 2, 1));
    expect_fails(r, op1(r, OP_CHOLESKY, NULL, bad), "not-positive-definite", "cholesky");
    expect_refused(r, op1(r, OP_CHOLESKY, NULL, input(r, DT_F64, SHAPE(1, 2), V(1, 2))),
                   "shape-mismatch");
    expect_refused(r, op1(r, OP_INV, NULL, node_cast(&r->st, a, DT_I64)), "type-mismatch");
}

static void test_solve(void **state)
{
    Run *r = *state;
    Node *a = input(r, DT_F64, SHAPE(2, 2), V(2, 0, 1, 4)),
         *b = input(r, DT_F64, SHAPE(2), V(2, 9));
    expect(r, op2(r, OP_SOLVE, NULL, a, b), "f64[2]", V(1, 2));
    expect(r, a, "f64[2, 2]", V(2, 0, 1, 4)); /* LAPACK worked on a copy */
    Node *m = matrix(r), *v3 = random_input(r, SHAPE(3), 0, 1),
         *rhs = random_input(r, SHAPE(3, 2), 0, 1);
    Node *two = pair_of(r), *batch = random_input(r, SHAPE(2, 2, 3), 0, 1);
    check_gradient2(r, op2(r, OP_SOLVE, NULL, m, v3), 2, NODES(m, v3));
    check_gradient(r, op2(r, OP_SOLVE, NULL, m, rhs), 2, NODES(m, rhs));
    check_gradient(r, op2(r, OP_SOLVE, NULL, two, batch), 2, NODES(two, batch));
    check_gradient(r, op2(r, OP_SOLVE, NULL, m, m), 1, &m);
    Node *singular = input(r, DT_F64, SHAPE(2, 2), V(1, 2, 2, 4));
    expect_fails(r, op2(r, OP_SOLVE, NULL, singular, b), "singular", "solve");
    expect_refused(r, op2(r, OP_SOLVE, NULL, a, v3), "shape-mismatch");
    expect_refused(r, op2(r, OP_SOLVE, NULL, two, b), "shape-mismatch");
    expect_refused(r, op2(r, OP_SOLVE, NULL, a, dim(r, 1)), "type-mismatch");
}

static void test_solve_triangular(void **state)
{
    Run *r = *state;
    Node *m = matrix(r), *v3 = random_input(r, SHAPE(3), 0, 1),
         *rhs = random_input(r, SHAPE(3, 2), 0, 1);
    for (int k = 0; k < 8; k++) {
        Attr a[] = {INT(k & 1), INT(k >> 1 & 1), INT(k >> 2)};
        check_gradient(r, op2(r, OP_SOLVE_TRIANGULAR, a, m, v3), 2, NODES(m, v3));
        check_gradient(r, op2(r, OP_SOLVE_TRIANGULAR, a, m, rhs), 2, NODES(m, rhs));
    }
    Node *two = pair_of(r), *batch = random_input(r, SHAPE(2, 2, 3), 0, 1);
    Attr lower[] = {INT(1), INT(0), INT(0)};
    check_gradient2(r, op2(r, OP_SOLVE_TRIANGULAR, lower, two, batch), 2, NODES(two, batch));
    Node *singular = input(r, DT_F64, SHAPE(2, 2), V(1, 0, 2, 0)),
         *b = input(r, DT_F64, SHAPE(2), V(1, 1));
    expect_fails(r, op2(r, OP_SOLVE_TRIANGULAR, lower, singular, b), "singular",
                 "solve_triangular");
}

static void test_inv_det(void **state)
{
    Run *r = *state;
    Node *a = input(r, DT_F64, SHAPE(2, 2), V(2, 0, 1, 4)), *m = matrix(r), *two = pair_of(r);
    expect(r, op1(r, OP_INV, NULL, a), "f64[2, 2]", V(0.5, 0, -0.125, 0.25));
    expect(r, op1(r, OP_DET, NULL, two), "f64[2]", V(18, 5.5));
    check_gradient2(r, op1(r, OP_INV, NULL, m), 1, &m);
    check_gradient(r, op1(r, OP_INV, NULL, two), 1, &two);
    check_gradient2(r, op1(r, OP_DET, NULL, m), 1, &m);
    check_gradient(r, op1(r, OP_DET, NULL, two), 1, &two);
    Node *log_det = op1(r, OP_SLOGDET, NULL, two);
    assert_string_equal(shape_text(&r->st, log_det->type), "(f64[2], f64[2])");
    expect(r, node_proj(&r->st, log_det, 0), "f64[2]", V(1, 1));
    expect(r, node_proj(&r->st, log_det, 1), "f64[2]", V(log(18), log(5.5)));
    check_gradient2(r, node_proj(&r->st, log_det, 1), 1, &two);
    check_gradient(r, node_proj(&r->st, op1(r, OP_SLOGDET, NULL, m), 1), 1, &m);
    Node *singular = input(r, DT_F64, SHAPE(2, 2), V(1, 2, 2, 4));
    expect(r, op1(r, OP_DET, NULL, singular), "f64", V(0));
    expect_fails(r, op1(r, OP_INV, NULL, singular), "singular", "inv");
    Node *none = input(r, DT_F64, SHAPE(0, 0), V(0));
    expect(r, op1(r, OP_DET, NULL, none), "f64", V(1));
    Node *f = node_cast(&r->st, a, DT_F32);
    expect(r, op1(r, OP_INV, NULL, f), "f32[2, 2]", V(0.5, 0, -0.125, 0.25));
}

static void test_sort(void **state)
{
    Run *r = *state;
    Node *x = input(r, DT_F64, SHAPE(2, 3), V(3, NAN, 1, 2, 2, 0)), *axis1 = NULL;
    expect(r, op1(r, OP_SORT, ATTRS(INT(1)), x), "f64[2, 3]", V(1, 3, NAN, 0, 2, 2));
    expect(r, op1(r, OP_ARGSORT, ATTRS(INT(1)), x), "i64[2, 3]", V(2, 0, 1, 2, 0, 1));
    expect(r, op1(r, OP_SORT, ATTRS(INT(0)), node_cast(&r->st, x, DT_I32)), "i32[2, 3]",
           V(2, 0, 0, 3, 2, 1));
    for (int axis = 0; axis < 3; axis++) {
        axis1 = random_input(r, SHAPE(2, 3, 4), 0, 1);
        check_gradient(r, op1(r, OP_SQR, NULL, op1(r, OP_SORT, ATTRS(INT(axis)), axis1)), 1,
                       &axis1);
    }
    Node *sorted = input(r, DT_F64, SHAPE(4), V(1, 2, 2, 3)),
         *v = input(r, DT_F64, SHAPE(3), V(2, 0, 9));
    expect(r, op2(r, OP_SEARCHSORTED, ATTRS(INT(0)), sorted, v), "i64[3]", V(1, 0, 4));
    expect(r, op2(r, OP_SEARCHSORTED, ATTRS(INT(1)), sorted, v), "i64[3]", V(3, 0, 4));
    expect_refused(r, op2(r, OP_SEARCHSORTED, ATTRS(INT(0)), x, v), "type-mismatch");
    expect_refused(r, op1(r, OP_SORT, ATTRS(INT(2)), x), "axis");
}

static void test_draws(void **state)
{
    Run *r = *state;
    Store *st = &r->st;
    Node *seed = op1(r, OP_RNG, NULL, dim(r, 7)),
         *order = op2(r, OP_PERMUTATION, NULL, seed, dim(r, 5));
    assert_string_equal(shape_text(st, order->type), "(i64[5], rng)");
    expect(r, op1(r, OP_SORT, ATTRS(INT(0)), node_proj(st, order, 0)), "i64[5]", V(0, 1, 2, 3, 4));
    Node *p = constant(r, DT_F64, SHAPE(2, 3), V(0, 1, 0, 0, 0, 2));
    Node *choice = op2(r, OP_CATEGORICAL, NULL, seed, p);
    expect(r, node_proj(st, choice, 0), "i64[2]", V(1, 2));
    assert_non_null(value(r, node_proj(st, choice, 1)));
    expect_refused(r, op2(r, OP_CATEGORICAL, NULL, seed, dim(r, 1)), "type-mismatch");
    expect_refused(r, op2(r, OP_PERMUTATION, NULL, seed, dim(r, -1)), "negative-size");
}

#define TEST_OF(f) cmocka_unit_test_setup_teardown(f, open_run, close_run)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_OF(test_triangle), TEST_OF(test_cholesky),
        TEST_OF(test_solve),    TEST_OF(test_solve_triangular),
        TEST_OF(test_inv_det),  TEST_OF(test_sort),
        TEST_OF(test_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
