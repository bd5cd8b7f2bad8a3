/* Expressions print as people write them; broken graphs are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "text_help.h"
#include "surface/surface.h"

/* ---- expressions ---- */

static void expect_source(Store *st, Node *n, const char *want)
{
    Text t = {0};
    assert_non_null(n);
    node_source(st, &t, n, true);
    assert_string_equal(text_str(&t), want);
    text_free(&t);
}

static Node *binary(Store *st, OpId op, Node *a, Node *b)
{
    return build_elementwise(st, op, 2, (Node *[]){a, b});
}

static void test_expressions(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Node *x = vector_input(st, "x", "n"), *y = vector_input(st, "y", "n"),
         *a = scalar_input(st, "a");
    Node *u = sequence_input(st, "u"), *k = input_of(st, "k", DT_I64, 0, NULL),
         *two = node_f64(st, 2);
    Node *sum = build_add(st, x, y), *negative = build_neg(st, x),
         *pow = binary(st, OP_POW, x, two);
    Attr axis1 = {.i = 1}, set[] = {{.i = 0}, {.i = 0}}, increase[] = {{.i = 0}, {.i = 1}};
    expect_source(st, build_mul(st, sum, x), "(x + y) * x");
    expect_source(st, build_add(st, build_mul(st, x, y), two), "x * y + 2");
    expect_source(st, build_sub(st, x, build_sub(st, y, x)), "x - (y - x)");
    expect_source(st, build_sub(st, build_sub(st, x, y), x), "x - y - x");
    expect_source(st, build_neg(st, pow), "-x^2");
    expect_source(st, binary(st, OP_POW, negative, two), "(-x)^2");
    expect_source(st, binary(st, OP_POW, x, node_f64(st, -1)), "x^-1");
    expect_source(st, binary(st, OP_POW, node_f64(st, -0.5), x), "(-0.5)^x");
    expect_source(st, binary(st, OP_DIV, x, binary(st, OP_MUL, y, two)), "x / (y * 2)");
    expect_source(st, node1(st, OP_TANH, NULL, sum), "tanh(x + y)");
    expect_source(st, binary(st, OP_LT, sum, two), "x + y < 2");
    expect_source(st, node_cast(st, build_add(st, k, node_i64(st, 1)), DT_F32), "f32(k + 1)");
    expect_source(st, node_number(st, DT_F32, 0.5), "f32(0.5)");
    expect_source(st, two, "2.0");
    expect_source(st, reduce_axis(st, OP_SUM, u, 0), "sum(u, axis=0)");
    expect_source(st, build_sum_all(st, u), "sum(u)");
    expect_source(st, build_swap_last(st, u), "u'");
    expect_source(st, node2(st, OP_MATMUL, NULL, u, x), "u @ x");
    expect_source(st, node2(st, OP_INDEX, &axis1, u, k), "u[:, k]");
    expect_source(st, build_slice(st, x, 0, node_i64(st, 1), node_i64(st, 3), 1), "x[1:4]");
    expect_source(st, build_slice(st, x, 0, node_i64(st, 1), node_i64(st, 3), 2), "x[1:7:2]");
    expect_source(st, node3(st, OP_SET_INDEX, set, x, k, two), "x with [k] = 2.0");
    expect_source(st, node3(st, OP_SET_INDEX, increase, x, k, a), "x with [k] += a");
    expect_source(st, node1(st, OP_IOTA, NULL, node_dim(st, x, 0)), "arange(n)");
    Node *c = binary(st, OP_GT, x, y);
    expect_source(st, node3(st, OP_WHERE, NULL, c, x, two), "where(x > y, x, 2)");
    Node *branch = node_proj(st, choice_node(st, binary(st, OP_GT, k, node_i64(st, 3)), x, y), 0);
    expect_source(st, branch, "if k > 3 then x * y else exp(y)");
    expect_source(st, build_neg(st, branch), "-(if k > 3 then x * y else exp(y))");
    Node *g = node_proj(st, square_gradient(st, OP_GRAD, x, y, NULL), 0);
    expect_source(st, g, "grad(sum(x * x * y), x)");
    expect_source(st, node_proj(st, rnn_scan(st, x, u, y, NULL, node_dim(st, u, 0)), 0),
                  "scan(steps, from=x, over=u, using=y, reverse=true).final");
    node_set_name(st, sum, symbol(st, "s"));
    expect_source(st, sum, "x + y");
    expect_source(st, node1(st, OP_EXP, NULL, sum), "exp(s)");
    world_is_fine(w);
    world_free(w);
}

static void test_numbered(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Node *x = vector_input(st, "x", "n");
    Node *n = node1(st, OP_LOG, NULL, build_add(st, node_f64(st, 1), node1(st, OP_EXP, NULL, x)));
    Numbering num = {0};
    Text t = {0};
    node_source_numbered(st, &t, n, &num, 2);
    assert_string_equal(text_str(&t), "log(1 + %1)");
    t.len = 0;
    node_source_limited(st, &t, n, true, 12);
    assert_string_equal(text_str(&t), "log(1 + …)");
    text_free(&t);
    map_free(&num.of);
    world_free(w);
}

/* ---- broken graphs ---- */

static void expect_broken(Store *st, Node *n, const char *what)
{
    Text why = {0};
    assert_false(graph_verify(st, 1, &n, &why));
    if (!strstr(text_str(&why), what))
        fail_msg("`%s` does not say `%s`", text_str(&why), what);
    text_free(&why);
}

static void test_verify(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Node *x = vector_input(st, "x", "n"), *y = vector_input(st, "y", "n"),
         *a = scalar_input(st, "a");
    Node *s = build_add(st, x, y);
    expect_broken(st, node1(st, OP_EXP, NULL, node_hole(st, x->type, NULL)), "hole");
    Node *t = node1(st, OP_TANH, NULL, x);
    t->type = a->type;
    expect_broken(st, t, "its type is f64, but operator and operands give f64[n]");
    t->type = x->type;
    s->ops[0] = y, s->ops[1] = x;
    expect_broken(st, s, "not sorted");
    s->ops[0] = x, s->ops[1] = y;
    Graph *g = graph_make(st, 1, &x->type, 1, (Node *[]){node1(st, OP_EXP, NULL, x)});
    Attr call[] = {{.graph = g}, {.name = NULL}};
    expect_broken(st, node1(st, OP_CALL, call, x), "captures");
    call[0].graph = graph_make(st, 1, &x->type, 1, (Node *[]){node_param(st, 1, x->type)});
    expect_broken(st, node1(st, OP_CALL, call, x), "parameter 1");
    call[0].graph = graph_make(st, 1, &x->type, 1, (Node *[]){node_param(st, 0, a->type)});
    expect_broken(st, node1(st, OP_CALL, call, x), "another type");
    world_is_fine(w);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_numbered),
        cmocka_unit_test(test_verify),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
