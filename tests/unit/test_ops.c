/* The operators: types of good and bad operands, values, and what happens to memory.
 * Derivatives are in test_ops_grad.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tensor/kernels.h"
#include "tests/unit/ops_run.h"

/* ---- the table ---- */

static void test_table(void **state)
{
    Run *r = *state;
    assert_int_equal(op_by_name("matmul"), OP_MATMUL);
    assert_int_equal(op_by_name("relu"), OP_RELU);
    assert_int_equal(op_by_name("no such"), OP_COUNT);
    assert_int_equal(op_attr_count(OP_SET_SLICE), 3);
    assert_int_equal(op_attr_count(OP_ADD), 0);
    assert_int_equal(op_attr_kind(OP_SET_SLICE, 2), 'i');
    assert_int_equal(op_attr_kind(OP_SUM, 0), 'I');
    assert_int_equal(op_attr_kind(OP_SUM, 1), 0);
    assert_string_equal(op_attr_name(OP_SET_SLICE, 2), "mode");
    assert_string_equal(class_name(CLASS_RANDOM), "random");
    assert_int_equal(op_table[OP_ADD].flags, COMMUTES | NARY);
    assert_int_equal(op_table[OP_SUB].flags, TOTAL);
    assert_int_equal(op_table[OP_FLOORDIV].flags, PARTIAL);
    for (int op = 0; op < OP_COUNT; op++) {
        assert_non_null(op_table[op].name);
        assert_true(op_table[op].doc[0]);
        assert_int_equal(op_by_name(op_table[op].name), op);
    }
    (void)r;
}

/* A row whose columns contradict each other; the first to be found is named. */
static const char *wrong_row(OpId op)
{
    const OpInfo *row = &op_table[op];
    u32 f = row->flags;
    for (int i = 0; i < row->nattrs; i++) {
        const OpAttr *a = &row->attrs[i];
        if (!*a->name || strspn(a->name, "abcdefghijklmnopqrstuvwxyz_") != strlen(a->name))
            return "an attribute's name";
        if (!strchr("ibdIstvgzp", a->kind))
            return "an attribute's kind";
        if (a->optional && !strchr("ibdpI", a->kind))
            return "a usual value of what is neither a number nor a list";
        if (a->optional && a->kind == 'I' && a->usual)
            return "a usual list that is not the empty one";
        if (op_attr_index(op, a->name) != i)
            return "two attributes of one name";
    }
    if (!row->infer || !row->vjp || !row->jvp || !row->batch || !row->eval || !row->total ||
        !row->facts)
        return "a missing function";
    if (row->max_ops >= 0 && row->max_ops < row->min_ops)
        return "fewer operands than it needs";
    if (f & BY_SHAPE && !(f & PARTIAL))
        return "what cannot fail does not fail by its shape";
    if (f & (COMMUTES | ANY_ORDER) && row->min_ops != 2)
        return "an order of operands that are not two";
    if (f & (MOVES | MIXES | READS | UPDATES | ALIASES) && !row->min_ops)
        return "what is said of operand 0, without one";
    if (f & UPDATES && (row->min_ops != 3 || row->nattrs < 2))
        return "updates without (x, where, v) and a mode";
    if (f & SIZES && row->max_ops >= 0)
        return "sizes that cannot be any number of operands";
    return NULL;
}

static void test_rows_are_sound(void **state)
{
    (void)state;
    for (int op = 0; op < OP_COUNT; op++) {
        const char *wrong = wrong_row((OpId)op);
        if (wrong)
            fail_msg("row %s of the table: %s", op_table[op].name, wrong);
    }
}

static void test_flags_of_rows(void **state)
{
    (void)state;
    assert_true(op_table[OP_MAXIMUM].flags & ANY_ORDER);
    assert_false(op_table[OP_SUB].flags & ANY_ORDER);
    assert_true(op_table[OP_SCATTER].flags & UPDATES);
    assert_true(op_table[OP_GATHER].flags & MOVES && op_table[OP_GATHER].flags & READS);
    assert_false(op_table[OP_SORT].flags & MOVES); /* in an order that depends on the values */
    assert_false(op_table[OP_INDEX].flags & BY_SHAPE);
    Text text = {0};
    op_attrs_print(&text, OP_LOOP);
    assert_string_equal(text_str(&text),
                        "body:g states:i down:b?0 grows:b?0 counter:i?-1 walked:I");
    text.len = 0;
    op_attrs_print(&text, OP_EYE);
    assert_string_equal(text_str(&text), "dtype:d?f64");
    text_free(&text);
}

static void test_promotion(void **state)
{
    (void)state;
    assert_int_equal(promote(DT_BOOL, DT_I32), DT_I32);
    assert_int_equal(promote(DT_I32, DT_I64), DT_I64);
    assert_int_equal(promote(DT_F32, DT_I32), DT_F64);
    assert_int_equal(promote(DT_I64, DT_F32), DT_F64);
    assert_int_equal(promote(DT_BOOL, DT_F32), DT_F32);
    assert_int_equal(promote(DT_F32, DT_F32), DT_F32);
    assert_int_equal(promote(DT_RNG, DT_F64), DT_COUNT);
}

/* ---- structural ---- */

static void test_structural(void **state)
{
    Run *r = *state;
    Node *x = input(r, DT_F64, SHAPE(2), V(1, 2)), *k = dim(r, 3);
    Node *pair[] = {x, k}, *t = node_make(&r->st, OP_TUPLE, NULL, 2, pair);
    assert_string_equal(shape_text(&r->st, t->type), "(f64[2], i64)");
    assert_ptr_equal(node_proj(&r->st, t, 1), k);
    expect_refused(r, op1(r, OP_PROJ, ATTRS(INT(2)), t), "index");
    expect_refused(r, op1(r, OP_PROJ, ATTRS(INT(0)), x), "type-mismatch");
    expect_refused(r, op1(r, OP_EXP, NULL, t), "type-mismatch");
    Attr message[] = {{.name = symbol(&r->st, "k is 3")}, {.i = 0}};
    Node *yes = node_bool(&r->st, true), *no = node_bool(&r->st, false);
    expect(r, op2(r, OP_CHECK, message, yes, x), "f64[2]", V(1, 2));
    expect_fails(r, op2(r, OP_CHECK, message, no, x), "check", "k is 3");
    expect_refused(r, op2(r, OP_CHECK, message, k, x), "type-mismatch");
    expect(r, op1(r, OP_STOP_GRADIENT, NULL, x), "f64[2]", V(1, 2));
}

static void test_match_shape(void **state)
{
    Run *r = *state;
    Node *x = input(r, DT_F64, SHAPE(2), V(1, 2)), *y = input(r, DT_F64, SHAPE(3), V(1, 2, 3));
    Node *two = op1(r, OP_IOTA, NULL, unknown(r, 2)), *three = op1(r, OP_IOTA, NULL, unknown(r, 3));
    expect_refused(r, op2(r, OP_MATCH_SHAPE, NULL, x, y), "shape-mismatch");
    expect_refused(r, op2(r, OP_MATCH_SHAPE, NULL, x, dim(r, 1)), "shape-mismatch");
    expect(r, op2(r, OP_MATCH_SHAPE, NULL, two, x), "i64[2]", V(0, 1));
    expect_fails(r, op2(r, OP_MATCH_SHAPE, NULL, three, x), "shape-mismatch",
                 "(3,) and (2,) do not match: axis 0 is 3 and 2");
    Node *sum = build_add(&r->st, x, three); /* matched, since nobody knows */
    assert_string_equal(shape_text(&r->st, sum->type), "f64[2]");
    expect_fails(r, sum, "shape-mismatch", "(3,) and (2,)");
    expect(r, build_add(&r->st, two, x), "f64[2]", V(1, 3));
}

/* ---- elementwise ---- */

static void test_elementwise_types(void **state)
{
    Run *r = *state;
    Store *st = &r->st;
    Node *x = input(r, DT_F64, SHAPE(2, 3), V(1, 2, 3, 4, 5, 6)), *s = node_f64(st, 10);
    Node *row = input(r, DT_F64, SHAPE(3), V(1, 2, 3)), *k = dim(r, 2);
    Node *column = input(r, DT_F64, SHAPE(2, 1), V(10, 20)),
         *f = input(r, DT_F32, SHAPE(3), V(1, 2, 3));
    expect(r, build_add(st, x, s), "f64[2, 3]", V(11, 12, 13, 14, 15, 16));
    expect(r, build_mul(st, x, row), "f64[2, 3]", V(1, 4, 9, 4, 10, 18));
    expect(r, build_mul(st, column, row), "f64[2, 3]", V(10, 20, 30, 20, 40, 60));
    expect(r, build_sub(st, row, f), "f64[3]", V(0, 0, 0));
    expect(r, build_mul(st, f, f), "f32[3]", V(1, 4, 9));
    expect(r, build_add(st, f, k), "f64[3]", V(3, 4, 5));
    expect(r, build_add(st, node_bool(st, true), node_bool(st, true)), "i64", V(2));
    expect(r, build_neg(st, k), "i64", V(-2));
    expect_refused(r, op2(r, OP_ADD, NULL, x, row), "shape-mismatch");
    expect_refused(r, op2(r, OP_SUB, NULL, x, k), "type-mismatch");
    expect_refused(r, op1(r, OP_EXP, NULL, k), "type-mismatch");
    expect_refused(r, op1(r, OP_LOGICAL_NOT, NULL, k), "type-mismatch");
    expect_refused(r, build_add(st, op1(r, OP_RNG, NULL, k), k), "type-mismatch");
    assert_null(build_add(st, x, NULL));
    assert_int_equal(r->diags.errors, 0);
    Node *half = build_elementwise(st, OP_DIV, 2, (Node *[]){k, dim(r, 4)});
    expect(r, half, "f64", V(0.5));
}

static void test_shape_errors(void **state)
{
    Run *r = *state;
    Store *st = &r->st;
    Node *x = random_input(r, SHAPE(3), 0, 1), *y = random_input(r, SHAPE(4), 0, 1);
    Node *m = random_input(r, SHAPE(3, 4), 0, 1), *w = random_input(r, SHAPE(4, 3), 0, 1);
    assert_null(build_add(st, x, y));
    assert_string_equal(r->diags.list.at[0].message,
                        "add: shapes f64[3] and f64[4] do not match: axis 0 is 3 and 4");
    expect_refused(r, NULL, "shape-mismatch");
    assert_null(build_mul(st, m, w));
    assert_string_equal(r->diags.list.at[0].hint, "transpose one of them: x'");
    expect_refused(r, NULL, "shape-mismatch");
    assert_null(build_mul(st, x, m));
    assert_non_null(strstr(r->diags.list.at[0].hint, "x[:, None]"));
    expect_refused(r, NULL, "shape-mismatch");
}

/* Any number of operands, from left to right: floats in the order in which they are given, whatever
 * they are; integers, and pairs, in one that they bring with them. */
static void test_nary(void **state)
{
    Run *r = *state;
    Node *x = input(r, DT_F64, SHAPE(2), V(1, 2)), *y = input(r, DT_F64, SHAPE(2), V(10, 20));
    Node *s = node_f64(&r->st, 100), *ops[] = {y, s, x, x};
    expect(r, build_elementwise(&r->st, OP_ADD, 4, ops), "f64[2]", V(112, 124));
    expect(r, build_elementwise(&r->st, OP_MUL, 4, ops), "f64[2]", V(1000, 8000));
    Node *back[] = {x, x, s, y}, *tenth = node_f64(&r->st, 0.1), *fifth = node_f64(&r->st, 0.2),
         *z = node_f64(&r->st, 0.3);
    assert_ptr_not_equal(node_make(&r->st, OP_MUL, NULL, 4, ops),
                         node_make(&r->st, OP_MUL, NULL, 4, back));
    assert_ptr_equal(op2(r, OP_MUL, NULL, x, y), op2(r, OP_MUL, NULL, y, x));
    expect(r, node_make(&r->st, OP_ADD, NULL, 3, (Node *[]){tenth, fifth, z}), "f64",
           V(0.1 + 0.2 + 0.3));
    expect(r, node_make(&r->st, OP_ADD, NULL, 3, (Node *[]){z, fifth, tenth}), "f64",
           V(0.3 + 0.2 + 0.1));
    Node *whole[] = {dim(r, 2), input(r, DT_I64, SHAPE(2), V(3, 4)), dim(r, 5)},
         *turned[] = {whole[2], whole[0], whole[1]};
    assert_ptr_equal(node_make(&r->st, OP_ADD, NULL, 3, whole),
                     node_make(&r->st, OP_ADD, NULL, 3, turned));
    expect_refused(r, node_make(&r->st, OP_SUB, NULL, 4, ops), "arity");
}

static void test_integers(void **state)
{
    Run *r = *state;
    Node *x = input(r, DT_I64, SHAPE(2), V(7, -7)), *zero = dim(r, 0), *two = dim(r, 2);
    expect(r, op2(r, OP_FLOORDIV, NULL, x, two), "i64[2]", V(3, -4));
    expect(r, op2(r, OP_MOD, NULL, x, two), "i64[2]", V(1, 1));
    expect(r, op2(r, OP_POW, NULL, x, two), "i64[2]", V(49, 49));
    expect_fails(r, op2(r, OP_FLOORDIV, NULL, x, zero), "zero-divisor", "division by zero");
    expect_fails(r, op2(r, OP_POW, NULL, two, x), "negative-exponent", "negative power");
    expect_fails(r, op2(r, OP_LEFT_SHIFT, NULL, two, x), "shift-range", "by all bits");
    expect(r, op2(r, OP_LT, NULL, x, two), "bool[2]", V(0, 1));
}

static void test_where_and_cast(void **state)
{
    Run *r = *state;
    Node *c = input(r, DT_BOOL, SHAPE(3), V(1, 0, 1)), *x = input(r, DT_F64, SHAPE(3), V(1, 2, 3));
    Node *zero = node_f64(&r->st, 0), *k = dim(r, 0);
    expect(r, op3(r, OP_WHERE, NULL, c, x, zero), "f64[3]", V(1, 0, 3));
    expect(r, op3(r, OP_WHERE, NULL, node_bool(&r->st, false), x, zero), "f64[3]", V(0, 0, 0));
    expect(r, op3(r, OP_WHERE, NULL, c, zero, node_f64(&r->st, 5)), "f64[3]", V(0, 5, 0));
    expect_refused(r, op3(r, OP_WHERE, NULL, x, x, zero), "type-mismatch");
    expect_refused(r, op3(r, OP_WHERE, NULL, c, x, k), "type-mismatch");
    Node *mixed[] = {c, x, k};
    expect(r, build_elementwise(&r->st, OP_WHERE, 3, mixed), "f64[3]", V(1, 0, 3));
    expect(r, node_cast(&r->st, x, DT_I32), "i32[3]", V(1, 2, 3));
    expect(r, node_cast(&r->st, node_f64(&r->st, -2.7), DT_I64), "i64", V(-2));
    expect_refused(r, node_cast(&r->st, x, DT_RNG), "type-mismatch");
}

/* ---- reductions ---- */

static void test_reductions(void **state)
{
    Run *r = *state;
    Node *x = input(r, DT_F64, SHAPE(2, 3), V(1, 5, 3, 4, 2, 6)), *k = node_cast(&r->st, x, DT_I32);
    Node *cube = input(r, DT_F64, SHAPE(2, 3, 2), V(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    expect(r, op1(r, OP_SUM, ATTRS(AXES(0)), x), "f64[3]", V(5, 7, 9));
    expect(r, op1(r, OP_SUM, ATTRS(AXES(0, 1)), x), "f64", V(21));
    expect(r, op1(r, OP_SUM, ATTRS(AXES(0, 2)), cube), "f64[3]", V(18, 26, 34));
    expect(r, op1(r, OP_SUM, ATTRS(AXES(1)), k), "i64[2]", V(9, 12));
    expect(r, op1(r, OP_PROD, ATTRS(AXES(1)), x), "f64[2]", V(15, 48));
    expect(r, op1(r, OP_MAX, ATTRS(AXES(1)), k), "i32[2]", V(5, 6));
    expect(r, op1(r, OP_MIN, ATTRS(AXES(0, 1)), x), "f64", V(1));
    expect(r, op1(r, OP_ARGMAX, ATTRS(INT(1)), x), "i64[2]", V(1, 2));
    expect(r, op1(r, OP_ARGMIN, ATTRS(INT(0)), x), "i64[3]", V(0, 1, 0));
    expect(r, op1(r, OP_ANY, ATTRS(AXES(0)), x), "bool[3]", V(1, 1, 1));
    expect(r, op1(r, OP_ALL, ATTRS(AXES(0, 1)), x), "bool", V(1));
    Attr none = {.ints = intlist(&r->st, 0, NULL)};
    expect(r, op1(r, OP_SUM, &none, k), "i64[2, 3]", V(1, 5, 3, 4, 2, 6));
    expect_refused(r, op1(r, OP_SUM, ATTRS(AXES(2)), x), "axis");
    expect_refused(r, op1(r, OP_SUM, ATTRS(AXES(1, 0)), x), "axis");
    expect_refused(r, op1(r, OP_ARGMAX, ATTRS(INT(-1)), x), "axis");
    Node *empty = input(r, DT_F64, SHAPE(0, 2), V(0)),
         *wide = input(r, DT_F64, SHAPE(0, 2, 0), V(0));
    expect(r, op1(r, OP_PROD, ATTRS(AXES(0)), empty), "f64[2]", V(1, 1));
    expect(r, op1(r, OP_MAX, ATTRS(AXES(1)), empty), "f64[0]", V(0));
    expect_fails(r, op1(r, OP_MAX, ATTRS(AXES(0)), empty), "empty", "max");
    expect_fails(r, op1(r, OP_MIN, ATTRS(AXES(0, 2)), wide), "empty", "min");
    expect_fails(r, op1(r, OP_ARGMAX, ATTRS(INT(0)), empty), "empty", "argmax");
}

static void test_cumulative(void **state)
{
    Run *r = *state;
    Node *x = input(r, DT_F64, SHAPE(2, 3), V(1, 5, 3, 4, 2, 6)), *k = node_cast(&r->st, x, DT_I32);
    expect(r, op1(r, OP_CUMSUM, ATTRS(INT(1), INT(0)), x), "f64[2, 3]", V(1, 6, 9, 4, 6, 12));
    expect(r, op1(r, OP_CUMSUM, ATTRS(INT(0), INT(1)), k), "i64[2, 3]", V(5, 7, 9, 4, 2, 6));
    expect(r, op1(r, OP_CUMPROD, ATTRS(INT(1), INT(0)), x), "f64[2, 3]", V(1, 5, 15, 4, 8, 48));
    expect(r, op1(r, OP_CUMMAX, ATTRS(INT(1), INT(0)), x), "f64[2, 3]", V(1, 5, 5, 4, 4, 6));
    expect_refused(r, op1(r, OP_CUMSUM, ATTRS(INT(0), INT(0)), dim(r, 1)), "axis");
}

/* ---- shapes ---- */

static void test_shapes(void **state)
{
    Run *r = *state;
    Store *st = &r->st;
    Node *x = input(r, DT_F64, SHAPE(2, 3), V(1, 2, 3, 4, 5, 6)), *two[] = {dim(r, 3), dim(r, 2)};
    expect(r, op1(r, OP_DIM, ATTRS(INT(1)), x), "i64", V(3));
    expect(r, build_reshape(st, x, 2, two), "f64[3, 2]", V(1, 2, 3, 4, 5, 6));
    expect_refused(r, build_reshape(st, x, 1, two), "shape-mismatch");
    expect_refused(r, op2(r, OP_RESHAPE, NULL, x, dim(r, -6)), "negative-size");
    expect_fails(r, op2(r, OP_RESHAPE, NULL, x, unknown(r, 5)), "shape-mismatch", "(2, 3)");
    expect(r, build_swap_last(st, x), "f64[3, 2]", V(1, 4, 2, 5, 3, 6));
    expect_refused(r, build_swap_last(st, dim(r, 1)), "rank");
    expect_refused(r, op1(r, OP_TRANSPOSE, ATTRS(AXES(0, 0)), x), "axis");
    expect(r, build_expand(st, x, 1), "f64[2, 1, 3]", V(1, 2, 3, 4, 5, 6));
    expect(r, build_squeeze(st, build_expand(st, x, 2), 2), "f64[2, 3]", V(1, 2, 3, 4, 5, 6));
    expect_refused(r, build_squeeze(st, x, 0), "shape-mismatch");
    Node *some = op1(r, OP_IOTA, NULL, unknown(r, 2));
    expect_fails(r, build_squeeze(st, some, 0), "shape-mismatch", "length 2");
    expect(r, op2(r, OP_CONCAT, ATTRS(INT(0)), x, x), "f64[4, 3]",
           V(1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6));
    expect(
        r,
        op2(r, OP_CONCAT, ATTRS(INT(1)), x, build_expand(st, build_index(st, x, 1, dim(r, 0)), 1)),
        "f64[2, 4]", V(1, 2, 3, 1, 4, 5, 6, 4));
    expect_refused(r, op2(r, OP_CONCAT, ATTRS(INT(1)), x, build_swap_last(st, x)),
                   "shape-mismatch");
    expect(r, op1(r, OP_FLIP, ATTRS(AXES(1)), x), "f64[2, 3]", V(3, 2, 1, 6, 5, 4));
    expect(r, op1(r, OP_FLIP, ATTRS(AXES(0, 1)), x), "f64[2, 3]", V(6, 5, 4, 3, 2, 1));
    expect(r, op1(r, OP_IOTA, NULL, dim(r, 3)), "i64[3]", V(0, 1, 2));
    assert_int_equal(value(r, op1(r, OP_IOTA, NULL, unknown(r, 0)))->count, 0);
    expect_refused(r, op1(r, OP_IOTA, NULL, dim(r, -1)), "negative-size");
    expect_fails(r, op1(r, OP_IOTA, NULL, unknown(r, -1)), "check", "steps is negative");
}

static void test_broadcast(void **state)
{
    Run *r = *state;
    Store *st = &r->st;
    Node *row = input(r, DT_F64, SHAPE(3), V(1, 2, 3)),
         *column = input(r, DT_F64, SHAPE(2, 1), V(1, 2));
    Node *dims[] = {dim(r, 2), dim(r, 3)}, *s = node_f64(st, 7);
    expect(r, build_broadcast_to(st, row, 2, dims), "f64[2, 3]", V(1, 2, 3, 1, 2, 3));
    expect(r, build_broadcast_to(st, column, 2, dims), "f64[2, 3]", V(1, 1, 1, 2, 2, 2));
    expect(r, build_full(st, s, 2, dims), "f64[2, 3]", V(7, 7, 7, 7, 7, 7));
    assert_ptr_equal(build_full(st, s, 0, NULL), s);
    expect_refused(r, build_broadcast_to(st, row, 1, dims), "shape-mismatch");
    expect_refused(r, build_broadcast_to(st, column, 1, dims), "shape-mismatch");
    Node *ops[] = {build_index(st, column, 1, dim(r, 0)), dim(r, 2), dim(r, 3)};
    expect(r, node_make(st, OP_BROADCAST, ATTRS(AXES(0)), 3, ops), "f64[2, 3]",
           V(1, 1, 1, 2, 2, 2));
    expect(r, build_zeros_like(st, row), "f64[3]", V(0, 0, 0));
    expect(r, build_ones_like(st, node_cast(st, row, DT_BOOL)), "bool[3]", V(1, 1, 1));
    expect_refused(r, build_zeros_like(st, op1(r, OP_RNG, NULL, dim(r, 1))), "type-mismatch");
    /* a size that merely happens to be 1 is not repeated */
    Node *one = op1(r, OP_IOTA, NULL, unknown(r, 1)), *three[] = {dim(r, 3)};
    expect_fails(r, build_broadcast_to(st, one, 1, three), "shape-mismatch", "known to be 1");
    const IntList *axes = AXES(0).ints;
    Node *x = input(r, DT_F64, SHAPE(2, 3), V(1, 2, 3, 4, 5, 6));
    expect(r, build_unreduce(st, build_sum(st, x, axes), axes, x), "f64[2, 3]",
           V(5, 7, 9, 5, 7, 9));
    assert_ptr_equal(build_like(st, x, x), x);
    expect(r, build_like(st, s, row), "f64[3]", V(7, 7, 7));
    expect(r, build_sum_all(st, x), "f64", V(21));
}

/* ---- indexing ---- */

static void test_reading(void **state)
{
    Run *r = *state;
    Store *st = &r->st;
    Node *x = input(r, DT_F64, SHAPE(3, 2), V(1, 2, 3, 4, 5, 6));
    expect(r, build_index(st, x, 0, dim(r, 1)), "f64[2]", V(3, 4));
    expect(r, build_index(st, x, 1, dim(r, -1)), "f64[3]", V(2, 4, 6));
    expect_fails(r, build_index(st, x, 0, dim(r, 3)), "index", "index 3 is out of range");
    expect_fails(r, build_index(st, x, 0, dim(r, -4)), "index", "index -4");
    expect_refused(r, build_index(st, x, 2, dim(r, 0)), "axis");
    expect_refused(r, build_index(st, x, 0, node_f64(st, 1)), "type-mismatch");
    expect_fails(r, build_index(st, x, 0, unknown(r, 3)), "index",
                 "index 3 is out of range for axis 0 of f64[3, 2]");
    expect_fails(r, build_index(st, x, 1, unknown(r, -3)), "index", "index -3");
    expect(r, build_slice(st, x, 0, dim(r, 1), dim(r, 2), 1), "f64[2, 2]", V(3, 4, 5, 6));
    expect(r, build_slice(st, x, 0, dim(r, 2), dim(r, 2), -2), "f64[2, 2]", V(5, 6, 1, 2));
    expect(r, build_slice(st, x, 1, dim(r, 1), dim(r, 1), 1), "f64[3, 1]", V(2, 4, 6));
    expect(r, build_slice(st, x, 0, dim(r, 3), dim(r, 0), 1), "f64[0, 2]", V(0));
    expect_refused(r, build_slice(st, x, 0, dim(r, 2), dim(r, 2), 1), "index");
    expect_refused(r, build_slice(st, x, 0, dim(r, -1), dim(r, 1), 1), "index");
    expect_refused(r, build_slice(st, x, 0, dim(r, 0), dim(r, 1), 0), "index");
    expect_fails(r, build_slice(st, x, 0, unknown(r, 2), dim(r, 2), 1), "index", "leaves axis 0");
    expect_fails(r, build_slice(st, x, 0, unknown(r, 1), dim(r, 2), -2), "index", "leaves axis 0");
    Node *idx = constant(r, DT_I64, SHAPE(2, 2), V(0, 2, -1, 0));
    expect(r, op2(r, OP_GATHER, ATTRS(INT(0)), x, idx), "f64[2, 2, 2]", V(1, 2, 5, 6, 5, 6, 1, 2));
    expect(r, op2(r, OP_GATHER, ATTRS(INT(1)), x, constant(r, DT_I32, SHAPE(1), V(1))), "f64[3, 1]",
           V(2, 4, 6));
    expect(r, op2(r, OP_GATHER, ATTRS(INT(0)), x, dim(r, 2)), "f64[2]", V(5, 6));
    expect_fails(r, op2(r, OP_GATHER, ATTRS(INT(1)), x, idx), "index", "index 2 is out of range");
    expect_refused(r, op2(r, OP_GATHER, ATTRS(INT(0)), x, node_bool(st, true)), "type-mismatch");
}

static void test_writing(void **state)
{
    Run *r = *state;
    Node *x = input(r, DT_F64, SHAPE(3, 2), V(1, 2, 3, 4, 5, 6)),
         *row = input(r, DT_F64, SHAPE(2), V(7, 8));
    Node *s = node_f64(&r->st, 10), *one = dim(r, 1);
    expect(r, op3(r, OP_SET_INDEX, ATTRS(INT(0), INT(0)), x, one, row), "f64[3, 2]",
           V(1, 2, 7, 8, 5, 6));
    expect(r, op3(r, OP_SET_INDEX, ATTRS(INT(0), INT(1)), x, dim(r, -1), s), "f64[3, 2]",
           V(1, 2, 3, 4, 15, 16));
    expect(r, op3(r, OP_SET_INDEX, ATTRS(INT(1), INT(0)), x, one, s), "f64[3, 2]",
           V(1, 10, 3, 10, 5, 10));
    expect(r, op3(r, OP_SET_INDEX, ATTRS(INT(0), INT(2)), x, one, node_f64(&r->st, 3.5)),
           "f64[3, 2]", V(1, 2, 3.5, 4, 5, 6));
    expect_refused(r, op3(r, OP_SET_INDEX, ATTRS(INT(0), INT(0)), x, one, x), "shape-mismatch");
    expect_refused(r, op3(r, OP_SET_INDEX, ATTRS(INT(0), INT(0)), x, one, one), "type-mismatch");
    expect_refused(r, op3(r, OP_SET_INDEX, ATTRS(INT(0), INT(9)), x, one, s), "type-mismatch");
    Node *part = input(r, DT_F64, SHAPE(2, 2), V(-1, -2, -3, -4));
    expect(r, op3(r, OP_SET_SLICE, ATTRS(INT(0), INT(2), INT(0)), x, dim(r, 0), part), "f64[3, 2]",
           V(-1, -2, 3, 4, -3, -4));
    expect(r, op3(r, OP_SET_SLICE, ATTRS(INT(0), INT(-1), INT(1)), x, one, part), "f64[3, 2]",
           V(-2, -2, 2, 2, 5, 6));
    expect_refused(r, op3(r, OP_SET_SLICE, ATTRS(INT(0), INT(1), INT(0)), x, dim(r, 2), part),
                   "index");
    expect_refused(r, op3(r, OP_SET_SLICE, ATTRS(INT(0), INT(1), INT(0)), x, one, s),
                   "shape-mismatch");
    expect_fails(r, op3(r, OP_SET_SLICE, ATTRS(INT(0), INT(1), INT(0)), x, unknown(r, 2), part),
                 "index", "leaves axis 0");
    Node *idx = constant(r, DT_I64, SHAPE(2), V(2, 2));
    expect(r, op3(r, OP_SCATTER, ATTRS(INT(0), INT(0)), x, idx, part), "f64[3, 2]",
           V(1, 2, 3, 4, -3, -4));
    expect(r, op3(r, OP_SCATTER, ATTRS(INT(0), INT(1)), x, idx, part), "f64[3, 2]",
           V(1, 2, 3, 4, 1, 0));
    expect(r, op3(r, OP_SCATTER, ATTRS(INT(0), INT(1)), x, idx, s), "f64[3, 2]",
           V(1, 2, 3, 4, 25, 26));
    expect_fails(r, op3(r, OP_SCATTER, ATTRS(INT(1), INT(0)), x, idx, s), "index", "index 2");
    expect_refused(r, op3(r, OP_SCATTER, ATTRS(INT(0), INT(0)), x, idx, x), "shape-mismatch");
    expect(r, x, "f64[3, 2]", V(1, 2, 3, 4, 5, 6)); /* nobody wrote to it */
}

/* What is moved and seen by nobody else is changed in place; anything else is copied. */
static void test_in_place(void **state)
{
    Run *r = *state;
    Heap *heap = &r->st.heap;
    Node *x = input(r, DT_F64, SHAPE(4), V(1, 2, 3, 4));
    Node *n = op3(r, OP_SET_INDEX, ATTRS(INT(0), INT(0)), x, dim(r, 1), node_f64(&r->st, 9));
    Node *twice = build_add(&r->st, x, x);
    for (int shared = 0; shared < 2; shared++) {
        Tensor *a = tensor_copy(heap, value(r, x)), *b = tensor_copy(heap, value(r, x));
        Tensor *in[] = {a, value(r, n->ops[1]), value(r, n->ops[2])}, *out[1] = {NULL};
        bool moved[] = {!shared, false, false};
        EvalArgs e = {.st = &r->st,
                      .heap = heap,
                      .node = n,
                      .nin = 3,
                      .nout = 1,
                      .in = in,
                      .moved = moved,
                      .out = out};
        assert_int_equal(node_info(n)->eval(&e), 0);
        assert_int_equal(out[0]->data == a->data, !shared);
        assert_true(tensor_f64_at(a, 1) == (shared ? 2 : 9));
        tensor_unref(out[0]);
        Tensor *in2[] = {b, value(r, x)};
        EvalArgs e2 = {.st = &r->st,
                       .heap = heap,
                       .node = twice,
                       .nin = 2,
                       .nout = 1,
                       .in = in2,
                       .moved = moved,
                       .out = out};
        assert_int_equal(node_info(twice)->eval(&e2), 0);
        assert_int_equal(out[0]->data == b->data, !shared);
        assert_true(tensor_f64_at(out[0], 3) == 8);
        tensor_unref(out[0]);
        tensor_unref(a);
        tensor_unref(b);
    }
    Node *big = random_input(r, SHAPE(4, 100), 0, 1);
    Tensor *row = value(r, build_index(&r->st, big, 0, dim(r, 2)));
    assert_ptr_equal(row->data, (double *)value(r, big)->data + 200);
}

/* ---- products ---- */

static void test_matmul(void **state)
{
    Run *r = *state;
    Node *a = input(r, DT_F64, SHAPE(2, 3), V(1, 2, 3, 4, 5, 6)),
         *v = input(r, DT_F64, SHAPE(3), V(1, 0, 2));
    Node *b = build_swap_last(&r->st, a), *u = input(r, DT_F64, SHAPE(2), V(1, -1));
    expect(r, op2(r, OP_MATMUL, NULL, a, b), "f64[2, 2]", V(14, 32, 32, 77));
    expect(r, op2(r, OP_MATMUL, NULL, a, v), "f64[2]", V(7, 16));
    expect(r, op2(r, OP_MATMUL, NULL, u, a), "f64[3]", V(-3, -3, -3));
    expect(r, op2(r, OP_MATMUL, NULL, v, v), "f64", V(5));
    expect(r, op2(r, OP_MATMUL, NULL, node_cast(&r->st, a, DT_I32), node_cast(&r->st, v, DT_I32)),
           "i32[2]", V(7, 16));
    expect(r, op2(r, OP_MATMUL, NULL, node_cast(&r->st, a, DT_BOOL), node_cast(&r->st, v, DT_BOOL)),
           "i64[2]", V(2, 2));
    expect_refused(r, op2(r, OP_MATMUL, NULL, a, a), "shape-mismatch");
    expect_refused(r, op2(r, OP_MATMUL, NULL, a, node_f64(&r->st, 1)), "rank");
    expect_refused(r, op2(r, OP_MATMUL, NULL, a, node_cast(&r->st, v, DT_I64)), "type-mismatch");
    Node *some = node_cast(&r->st, op1(r, OP_IOTA, NULL, unknown(r, 2)), DT_F64);
    expect_fails(r, op2(r, OP_MATMUL, NULL, a, some), "shape-mismatch", "(2, 3) and (2,)");
    Node *batch = input(r, DT_F64, SHAPE(2, 1, 3), V(1, 2, 3, 4, 5, 6));
    expect(r, op2(r, OP_MATMUL, NULL, batch, b), "f64[2, 1, 2]", V(14, 32, 32, 77));
    expect(r, op2(r, OP_MATMUL, NULL, batch, v), "f64[2, 1]", V(7, 16));
    Node *tall = input(r, DT_F64, SHAPE(2, 3, 1), V(1, 2, 3, 4, 5, 6));
    expect(r, op2(r, OP_MATMUL, NULL, batch, tall), "f64[2, 1, 1]", V(14, 77));
    expect(r, op2(r, OP_MATMUL, NULL, a, tall), "f64[2, 2, 1]", V(14, 32, 32, 77));
    expect(r, op2(r, OP_MATMUL, NULL, v, tall), "f64[2, 1]", V(7, 16));
    expect_refused(r,
                   op2(r, OP_MATMUL, NULL, batch,
                       input(r, DT_F64, SHAPE(3, 3, 1), V(1, 2, 3, 4, 5, 6, 7, 8, 9))),
                   "shape-mismatch");
}

/* ---- random ---- */

static void test_random(void **state)
{
    Run *r = *state;
    Store *st = &r->st;
    Node *seed = op1(r, OP_RNG, NULL, dim(r, 7)), *draw[] = {seed, dim(r, 2), dim(r, 50)};
    const OpId ops[] = {OP_UNIFORM, OP_NORMAL};
    for (size_t k = 0; k < COUNT_OF(ops); k++) {
        Node *n = node_make(st, ops[k], NULL, 3, draw);
        assert_string_equal(shape_text(st, n->type), "(f64[2, 50], rng)");
        Tensor *t = value(r, node_proj(st, n, 0)), *next = value(r, node_proj(st, n, 1));
        double sum = 0;
        for (i64 i = 0; i < t->count; i++)
            sum += tensor_f64_at(t, i);
        assert_true(fabs(sum / 100 - (k ? 0 : 0.5)) < 0.3);
        assert_false(tensor_same_bits(next, value(r, seed)));
    }
    Node *p = constant(r, DT_F64, SHAPE(3), V(0, 1, 1));
    Node *coin = op2(r, OP_BERNOULLI, NULL, seed, p);
    expect(r, node_proj(st, coin, 0), "bool[3]", V(0, 1, 1));
    assert_non_null(value(r, node_proj(st, coin, 1)));
    expect_refused(r, op2(r, OP_BERNOULLI, NULL, seed, dim(r, 1)), "type-mismatch");
    Node *dice[] = {seed, dim(r, 5), dim(r, 6), dim(r, 4)},
         *bad[] = {seed, dim(r, 5), unknown(r, 5)};
    expect(r, node_proj(st, node_make(st, OP_RANDINT, NULL, 4, dice), 0), "i64[4]", V(5, 5, 5, 5));
    expect_fails(r, node_make(st, OP_RANDINT, NULL, 3, bad), "range", "[5, 5)");
    bad[2] = bad[1];
    expect_refused(r, node_make(st, OP_RANDINT, NULL, 3, bad), "range");
    Node *many = op2(r, OP_SPLIT_RNG, NULL, seed, dim(r, 3));
    assert_string_equal(shape_text(st, many->type), "rng[3]");
    Node *first = build_index(st, many, 0, dim(r, 0)),
         *second_state = build_index(st, many, 0, dim(r, 1));
    assert_false(tensor_same_bits(value(r, first), value(r, second_state)));
    expect_refused(r, op1(r, OP_UNIFORM, NULL, dim(r, 1)), "type-mismatch");
    expect_refused(r, op1(r, OP_RNG, NULL, node_f64(st, 1)), "type-mismatch");
}

#define TEST_OF(f) cmocka_unit_test_setup_teardown(f, open_run, close_run)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_OF(test_table),
        TEST_OF(test_rows_are_sound),
        TEST_OF(test_flags_of_rows),
        TEST_OF(test_promotion),
        TEST_OF(test_structural),
        TEST_OF(test_match_shape),
        TEST_OF(test_elementwise_types),
        TEST_OF(test_shape_errors),
        TEST_OF(test_nary),
        TEST_OF(test_integers),
        TEST_OF(test_where_and_cast),
        TEST_OF(test_reductions),
        TEST_OF(test_cumulative),
        TEST_OF(test_shapes),
        TEST_OF(test_broadcast),
        TEST_OF(test_reading),
        TEST_OF(test_writing),
        TEST_OF(test_in_place),
        TEST_OF(test_matmul),
        TEST_OF(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
