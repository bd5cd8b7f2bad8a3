/* Derivatives of the operators against finite differences, and where they are defined by
 * decision: ties, zeros, branches not taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tensor/kernels.h"
#include "tests/unit/ops_run.h"

/* dy/dx of a scalar y (or of the sum of y). */
static Node *gradient(Run *r, Node *y, Node *x)
{
    Node *dx;
    assert_non_null(y);
    if (!reverse(r, y, 1, &x, &dx))
        fail_msg("no derivative: %s", r->diags.list.len ? r->diags.list.at[0].message : "?");
    return dx;
}

/* ---- elementwise ---- */

static void check_row(Run *r, OpId op)
{
    const ElemInfo *info = elem_info((ElemId)(op - OP_NEG));
    Node *x = random_input(r, SHAPE(4), info->lo, info->hi);
    if (info->arity == 1) {
        check_gradient(r, build_elementwise(&r->st, op, 1, &x), 1, &x);
        return;
    }
    Node *z = random_input(r, SHAPE(4), info->lo, info->hi),
         *s = random_input(r, SCALAR, info->lo, info->hi);
    Node *pairs[][2] = {{x, z}, {x, s}, {s, x}};
    for (size_t k = 0; k < COUNT_OF(pairs); k++)
        check_gradient(r, build_elementwise(&r->st, op, 2, pairs[k]), 2, pairs[k]);
}

static void test_elementwise(void **state)
{
    Run *r = *state;
    for (int op = OP_NEG; op < OP_COUNT; op++) {
        const ElemInfo *info = elem_info((ElemId)(op - OP_NEG));
        if (elem_operand_dtype((ElemId)(op - OP_NEG), DT_F64) == DT_F64 && *info->dx)
            check_row(r, (OpId)op);
    }
}

static void test_second_order(void **state)
{
    Run *r = *state;
    const OpId ops[] = {OP_EXP, OP_TANH, OP_SQRT, OP_LOG, OP_SIGMOID, OP_RECIPROCAL, OP_SIN};
    for (size_t k = 0; k < COUNT_OF(ops); k++) {
        Node *x = random_input(r, SHAPE(3), 0.3, 2);
        check_gradient2(r, op1(r, ops[k], NULL, x), 1, &x);
    }
    Node *x = random_input(r, SHAPE(3), 0.3, 2), *z = random_input(r, SCALAR, 0.3, 2);
    check_gradient2(r, op2(r, OP_POW, NULL, x, z), 2, NODES(x, z));
    check_gradient2(r, op2(r, OP_DIV, NULL, z, x), 2, NODES(x, z));
}

static void test_nary(void **state)
{
    Run *r = *state;
    Node *x = random_input(r, SHAPE(3), 1, 2), *y = random_input(r, SHAPE(3), 1, 2),
         *s = random_input(r, SCALAR, 1, 2);
    Node *column = random_input(r, SHAPE(2, 1), 1, 2), *ops[] = {x, s, y, x, column};
    check_gradient2(r, build_elementwise(&r->st, OP_MUL, 4, ops), 3, NODES(x, y, s));
    check_gradient(r, build_elementwise(&r->st, OP_ADD, 4, ops), 3, NODES(x, y, s));
    check_gradient(r, build_elementwise(&r->st, OP_MUL, 5, ops), 4, NODES(x, y, s, column));
}

static void test_missing(void **state)
{
    Run *r = *state;
    Node *x = random_input(r, SHAPE(3), 1, 2), *dx;
    assert_false(reverse(r, op2(r, OP_POLYGAMMA, NULL, x, x), 1, &x, &dx));
    expect_refused(r, NULL, "no-derivative");
    Attr most[] = {INT(0), INT(STORE_MAX)};
    assert_false(
        reverse(r, op3(r, OP_SET_INDEX, most, x, dim(r, 0), node_f64(&r->st, 1)), 1, &x, &dx));
    expect_refused(r, NULL, "no-derivative");
    /* nothing flows through whole numbers, comparisons and stop_gradient */
    Node *whole = node_cast(&r->st, node_cast(&r->st, x, DT_I64), DT_F64);
    expect(r, gradient(r, whole, x), "f64[3]", V(0, 0, 0));
    expect(r, gradient(r, op1(r, OP_FLOOR, NULL, x), x), "f64[3]", V(0, 0, 0));
    expect(r, gradient(r, op1(r, OP_STOP_GRADIENT, NULL, x), x), "f64[3]", V(0, 0, 0));
    Node *f = node_cast(&r->st, x, DT_F32);
    assert_int_equal(node_dtype(gradient(r, op1(r, OP_EXP, NULL, f), x)), DT_F64);
}

static void test_ties(void **state)
{
    Run *r = *state;
    Node *x = input(r, DT_F64, SHAPE(4), V(2, 1, 2, 2)),
         *z = input(r, DT_F64, SHAPE(4), V(2, 2, 0, 2));
    expect(r, gradient(r, op1(r, OP_MAX, ATTRS(AXES(0)), x), x), "f64[4]",
           V(1.0 / 3, 0, 1.0 / 3, 1.0 / 3));
    expect(r, gradient(r, op2(r, OP_MAXIMUM, NULL, x, z), x), "f64[4]", V(0.5, 0, 1, 0.5));
    expect(r, gradient(r, op2(r, OP_MINIMUM, NULL, x, z), z), "f64[4]", V(0.5, 0, 1, 0.5));
    Node *zero = input(r, DT_F64, SHAPE(2), V(0, -1));
    expect(r, gradient(r, op1(r, OP_RELU, NULL, zero), zero), "f64[2]", V(0, 0));
    expect(r, gradient(r, op1(r, OP_ABS, NULL, zero), zero), "f64[2]", V(0, -1));
    Node *power = input(r, DT_F64, SHAPE(2), V(0, 2));
    expect(r, gradient(r, op2(r, OP_POW, NULL, zero, power), zero), "f64[2]", V(0, -2));
    expect(r, gradient(r, op2(r, OP_POW, NULL, input(r, DT_F64, SHAPE(2), V(0, 1)), power), power),
           "f64[2]", V(0, 0));
}

/* What the branch not taken would make infinite or NaN does not leak, at any order. */
static void test_branches(void **state)
{
    Run *r = *state;
    Store *st = &r->st;
    Node *x = input(r, DT_F64, SHAPE(3), V(0, 4, 1)), *zero = node_f64(st, 0);
    Node *positive = op2(r, OP_GT, NULL, x, zero);
    Node *y =
        op3(r, OP_WHERE, NULL, positive, op1(r, OP_SQRT, NULL, op1(r, OP_SQR, NULL, x)), zero);
    expect(r, gradient(r, y, x), "f64[3]", V(0, 1, 1));
    Node *root = op1(r, OP_SQRT, NULL, x);
    Node *guarded =
        op3(r, OP_WHERE, NULL, positive, build_mul(st, root, op1(r, OP_LOG, NULL, x)), zero);
    Node *first = gradient(r, guarded, x), *second_order = gradient(r, first, x);
    expect(r, first, "f64[3]", V(0, log(4) / 4 + 0.5, 1));
    expect(r, second_order, "f64[3]", V(0, -log(4) / 32, 0));
    Node *inverted =
        op3(r, OP_WHERE, NULL, op2(r, OP_LE, NULL, x, zero), zero, op1(r, OP_LOG, NULL, x));
    Node *both = op3(r, OP_WHERE, NULL, op2(r, OP_LT, NULL, x, node_f64(st, 3)), inverted, zero);
    expect(r, gradient(r, both, x), "f64[3]", V(0, 0, 1));
    /* a scalar choice, with a scalar that stands for every element */
    Node *s = input(r, DT_F64, SCALAR, V(0));
    Node *scaled =
        op3(r, OP_WHERE, NULL, op2(r, OP_GT, NULL, s, zero), op2(r, OP_DIV, NULL, x, s), zero);
    expect(r, gradient(r, scaled, s), "f64", V(0));
    /* one value used by two branches; through a sum, a product and what moves elements */
    Node *above = op3(r, OP_WHERE, NULL, op2(r, OP_GT, NULL, x, node_f64(st, 2)), root, zero);
    Node *two = build_add(st, above, op3(r, OP_WHERE, NULL, positive, root, zero));
    expect(r, gradient(r, two, x), "f64[3]", V(0, 0.5, 0.5));
    Node *no = op2(r, OP_GT, NULL, s, zero), *total = build_sum_all(st, root);
    expect(r, gradient(r, op3(r, OP_WHERE, NULL, no, total, zero), x), "f64[3]", V(0, 0, 0));
    Node *infinite = op1(r, OP_RECIPROCAL, NULL, build_mul(st, x, s));
    Node *dot = op2(r, OP_MATMUL, NULL, root, infinite);
    expect(r, gradient(r, op3(r, OP_WHERE, NULL, no, dot, zero), x), "f64[3]", V(0, 0, 0));
    Node *column = build_swap_last(st, build_expand(st, root, 0));
    Node *part = build_slice(st, column, 0, dim(r, 0), dim(r, 2), 1);
    expect(r, gradient(r, op3(r, OP_WHERE, NULL, no, part, zero), x), "f64[3]", V(0, 0, 0));
    Node *some = op3(r, OP_WHERE, NULL, op2(r, OP_GT, NULL, column, zero), column, zero);
    expect(r, gradient(r, some, x), "f64[3]", V(0, 0.25, 0.5));
}

static void test_where_cast_check(void **state)
{
    Run *r = *state;
    Node *c = input(r, DT_BOOL, SHAPE(3), V(1, 0, 1)), *x = random_input(r, SHAPE(3), 0, 1),
         *s = random_input(r, SCALAR, 0, 1);
    check_gradient(r, op3(r, OP_WHERE, NULL, c, x, s), 2, NODES(x, s));
    check_gradient(r, op3(r, OP_WHERE, NULL, c, s, x), 2, NODES(x, s));
    check_gradient(r, op3(r, OP_WHERE, NULL, node_bool(&r->st, true), s, x), 2, NODES(x, s));
    check_gradient(r, op2(r, OP_CHECK, (Attr[2]){{0}}, node_bool(&r->st, true), x), 1, &x);
    Node *some = op2(r, OP_ADD, NULL, op1(r, OP_IOTA, NULL, unknown(r, 3)), dim(r, 1));
    Node *y = build_mul(&r->st, x, some);
    check_gradient(r, y, 1, &x);
    check_gradient(r, op2(r, OP_MATCH_SHAPE, NULL, x, some), 1, &x);
}

/* ---- reductions ---- */

static void test_reductions(void **state)
{
    Run *r = *state;
    Node *x = random_input(r, SHAPE(2, 3, 2), 0.5, 2);
    const OpId ops[] = {OP_SUM, OP_PROD, OP_MAX, OP_MIN, OP_PTP};
    for (size_t k = 0; k < COUNT_OF(ops); k++) {
        check_gradient(r, op1(r, ops[k], ATTRS(AXES(1)), x), 1, &x);
        check_gradient(r, op1(r, ops[k], ATTRS(AXES(0, 2)), x), 1, &x);
        check_gradient(r, op1(r, ops[k], ATTRS(AXES(0, 1, 2)), x), 1, &x);
    }
    Node *z = input(r, DT_F64, SHAPE(2, 4), V(0, 2, 3, 4, 0, 5, 0, 6));
    check_gradient2(r, op1(r, OP_PROD, ATTRS(AXES(1)), z), 1, &z);
    check_gradient(r, op1(r, OP_PROD, ATTRS(AXES(0, 1)), z), 1, &z);
    Node *empty = input(r, DT_F64, SHAPE(0, 2), V(0));
    expect(r, gradient(r, op1(r, OP_PROD, ATTRS(AXES(0)), empty), empty), "f64[0, 2]", V(0));
}

static void test_cumulative(void **state)
{
    Run *r = *state;
    const OpId ops[] = {OP_CUMSUM, OP_CUMPROD, OP_CUMMAX};
    for (size_t k = 0; k < COUNT_OF(ops); k++)
        for (int axis = 0; axis < 3; axis++)
            for (int back = 0; back < 2; back++) {
                Node *x = random_input(r, SHAPE(2, 3, 4), 0.5, 2);
                check_gradient(r, op1(r, ops[k], ATTRS(INT(axis), INT(back)), x), 1, &x);
            }
    Node *z = input(r, DT_F64, SHAPE(3, 4), V(1, 0, 3, 4, 0, 5, 0, 6, 2, 3, 4, 0));
    check_gradient(r, op1(r, OP_CUMPROD, ATTRS(INT(1), INT(0)), z), 1, &z);
    check_gradient(r, op1(r, OP_CUMPROD, ATTRS(INT(1), INT(1)), z), 1, &z);
    Node *x = random_input(r, SHAPE(4), 0.5, 2);
    check_gradient2(r, op1(r, OP_CUMPROD, ATTRS(INT(0), INT(0)), x), 1, &x);
    Node *m = input(r, DT_F64, SHAPE(6), V(1, 1, 0, 3, 3, 2)),
         *y = op1(r, OP_CUMMAX, ATTRS(INT(0), INT(0)), m);
    expect(r, gradient(r, y, m), "f64[6]", V(3, 0, 0, 3, 0, 0));
    Node *n = input(r, DT_F64, SHAPE(4), V(1, NAN, 5, NAN));
    expect(r, gradient(r, op1(r, OP_CUMMAX, ATTRS(INT(0), INT(0)), n), n), "f64[4]", V(1, 3, 0, 0));
}

/* ---- shapes ---- */

static void test_shapes(void **state)
{
    Run *r = *state;
    Store *st = &r->st;
    Node *x = random_input(r, SHAPE(2, 3), 0, 1), *y = random_input(r, SHAPE(2, 2), 0, 1);
    Node *c = random_input(r, SHAPE(2, 1), 0, 1), *dims[] = {dim(r, 4), dim(r, 2), dim(r, 3)};
    check_gradient(r, build_reshape(st, x, 1, NODES(dim(r, 6))), 1, &x);
    check_gradient(r, build_reshape(st, x, 1, NODES(unknown(r, 6))), 1, &x);
    check_gradient(r, build_swap_last(st, x), 1, &x);
    check_gradient(r, op1(r, OP_TRANSPOSE, ATTRS(AXES(2, 0, 1)), build_expand(st, x, 1)), 1, &x);
    check_gradient(r, build_broadcast_to(st, c, 3, dims), 1, &c);
    check_gradient(r, build_broadcast_to(st, x, 3, dims), 1, &x);
    check_gradient(r, build_full(st, op1(r, OP_SUM, ATTRS(AXES(0, 1)), c), 3, dims), 1, &c);
    check_gradient(r, build_expand(st, x, 1), 1, &x);
    check_gradient(r, build_squeeze(st, c, 1), 1, &c);
    check_gradient(r, op3(r, OP_CONCAT, ATTRS(INT(1)), x, y, x), 2, NODES(x, y));
    check_gradient(r, op1(r, OP_FLIP, ATTRS(AXES(0, 1)), x), 1, &x);
}

/* ---- indexing ---- */

static void test_reading(void **state)
{
    Run *r = *state;
    Store *st = &r->st;
    Node *x = random_input(r, SHAPE(3, 4), 0, 1),
         *idx = constant(r, DT_I64, SHAPE(2, 2), V(0, 2, -1, 0));
    check_gradient(r, build_index(st, x, 0, dim(r, -1)), 1, &x);
    check_gradient(r, build_index(st, x, 1, unknown(r, 2)), 1, &x);
    check_gradient(r, build_slice(st, x, 1, dim(r, 0), dim(r, 2), 2), 1, &x);
    check_gradient(r, build_slice(st, x, 0, unknown(r, 2), unknown(r, 2), -1), 1, &x);
    check_gradient(r, op2(r, OP_GATHER, ATTRS(INT(0)), x, idx), 1, &x);
    check_gradient(r, op2(r, OP_GATHER, ATTRS(INT(1)), x, idx), 1, &x);
    check_gradient2(r, op1(r, OP_SQR, NULL, op2(r, OP_GATHER, ATTRS(INT(1)), x, idx)), 1, &x);
}

static void test_writing(void **state)
{
    Run *r = *state;
    Node *x = random_input(r, SHAPE(3, 4), 0, 1), *row = random_input(r, SHAPE(4), 0, 1);
    Node *s = random_input(r, SCALAR, 0, 1), *part = random_input(r, SHAPE(3, 2), 0, 1);
    Node *rows = random_input(r, SHAPE(2, 2, 4), 0, 1),
         *idx = constant(r, DT_I64, SHAPE(2, 2), V(0, 2, -1, 0));
    Node *columns = random_input(r, SHAPE(3, 2, 2), 0, 1), *one = dim(r, 1);
    for (int mode = STORE_SET; mode <= STORE_ADD; mode++) {
        Attr at0[] = {INT(0), INT(mode)}, at1[] = {INT(1), INT(mode)},
             slice[] = {INT(1), INT(-2), INT(mode)};
        check_gradient(r, op3(r, OP_SET_INDEX, at0, x, one, row), 2, NODES(x, row));
        check_gradient(r, op3(r, OP_SET_INDEX, at1, x, unknown(r, 2), s), 2, NODES(x, s));
        check_gradient(r, op3(r, OP_SET_SLICE, slice, x, dim(r, 3), part), 2, NODES(x, part));
        check_gradient(r, op3(r, OP_SCATTER, at0, x, idx, rows), 2, NODES(x, rows));
        check_gradient(r, op3(r, OP_SCATTER, at1, x, idx, columns), 2, NODES(x, columns));
        check_gradient(r, op3(r, OP_SCATTER, at1, x, idx, s), 2, NODES(x, s));
        check_gradient(r, op3(r, OP_SCATTER, at0, x, one, row), 2, NODES(x, row));
    }
}

/* ---- products ---- */

static void test_matmul(void **state)
{
    Run *r = *state;
    Node *v3 = random_input(r, SHAPE(3), 0, 1), *w3 = random_input(r, SHAPE(3), 0, 1);
    Node *a = random_input(r, SHAPE(2, 3), 0, 1), *b = random_input(r, SHAPE(3, 4), 0, 1);
    Node *ba = random_input(r, SHAPE(2, 5, 2, 3), 0, 1),
         *bb = random_input(r, SHAPE(2, 5, 3, 4), 0, 1);
    Node *pairs[][2] = {{v3, w3}, {v3, b},  {a, v3},  {a, b},  {ba, b},
                        {a, bb},  {ba, bb}, {ba, v3}, {v3, bb}};
    for (size_t k = 0; k < COUNT_OF(pairs); k++)
        check_gradient(r, op2(r, OP_MATMUL, NULL, pairs[k][0], pairs[k][1]), 2, pairs[k]);
    for (size_t k = 0; k < 4; k++)
        check_gradient2(r, op2(r, OP_MATMUL, NULL, pairs[k][0], pairs[k][1]), 2, pairs[k]);
}

#define TEST_OF(f) cmocka_unit_test_setup_teardown(f, open_run, close_run)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_OF(test_elementwise),      TEST_OF(test_second_order), TEST_OF(test_nary),
        TEST_OF(test_missing),          TEST_OF(test_ties),         TEST_OF(test_branches),
        TEST_OF(test_where_cast_check), TEST_OF(test_reductions),   TEST_OF(test_cumulative),
        TEST_OF(test_shapes),           TEST_OF(test_reading),      TEST_OF(test_writing),
        TEST_OF(test_matmul),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
