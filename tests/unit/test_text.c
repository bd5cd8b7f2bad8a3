/* Texts of graphs: the listing reads back as the same graph; SSA text has its numbers and order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/prop/listing_check.h"
#include "text_help.h"
#include "surface/surface.h"

#include <math.h>

/* Tuples are told by their parts. */
static void results_of(Store *st, Node *n, NodeVec *out)
{
    if (n->type->kind != TYPE_TUPLE)
        vec_push(out, n);
    for (int i = 0; n->type->kind == TYPE_TUPLE && i < n->type->nitems; i++)
        results_of(st, node_proj(st, n, i), out);
}

static void round_trip(World *w, int n, Node *const *roots)
{
    NodeVec results = {0};
    Text why = {0};
    world_is_fine(w);
    for (int i = 0; i < n; i++)
        assert_non_null(roots[i]);
    if (!graph_verify(&w->st, n, roots, &why))
        fail_msg("%s", text_str(&why));
    for (int i = 0; i < n; i++)
        results_of(&w->st, roots[i], &results);
    if (listing_check(&w->st, (int)results.len, results.at, &why))
        print_error("%s\n", text_str(&why)), fail();
    free(print_text(&w->st, n, roots));
    text_free(&why);
    vec_free(&results);
}

/* ---- round trips ---- */

static void test_scalar_constants(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    static const double f64s[] = {0.0,    -0.0, 1,           0.1,      -2.5,     1e300,
                                  5e-324, 1e22, 123456789.0, INFINITY, -INFINITY};
    static const i64 i64s[] = {0, 1, -1, INT64_MAX, INT64_MIN};
    NodeVec all = {0};
    for (size_t i = 0; i < COUNT_OF(f64s); i++) {
        vec_push(&all, node_f64(st, f64s[i]));
        vec_push(&all, node_number(st, DT_F32, f64s[i]));
    }
    for (size_t i = 0; i < COUNT_OF(i64s); i++) {
        vec_push(&all, node_i64(st, i64s[i]));
        i32 low = (i32)i64s[i];
        vec_push(&all, tensor_node(st, DT_I32, 0, NULL, &low));
    }
    vec_push(&all, node_bool(st, true));
    vec_push(&all, node_bool(st, false));
    static const u64 nans[] = {0x7ff8000000000000u, 0xfff8000000000000u};
    static const u32 nans32[] = {0x7fc00000u, 0xffc00000u};
    for (size_t i = 0; i < COUNT_OF(nans); i++) {
        vec_push(&all, tensor_node(st, DT_F64, 0, NULL, &nans[i]));
        vec_push(&all, tensor_node(st, DT_F32, 0, NULL, &nans32[i]));
    }
    RngState rng = {{1, 0xffffffff}, {2, 3, 4, 5}};
    vec_push(&all, tensor_node(st, DT_RNG, 0, NULL, &rng));
    round_trip(w, (int)all.len, all.at);
    Node *t = node_make(st, OP_TUPLE, NULL, (u32)all.len, all.at);
    round_trip(w, 1, &t);
    vec_free(&all);
    world_free(w);
}

static void test_tensor_constants(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    const double f[] = {1, -0.0, NAN, INFINITY, 0.1, 6};
    const float g[] = {1, -0.0f, 0.1f, INFINITY, 5, 6};
    const i64 k[] = {1, -2, INT64_MIN, INT64_MAX, 5, 6};
    const i32 h[] = {1, -2, INT32_MIN, INT32_MAX, 5, 6};
    const u8 b[] = {1, 0, 1, 1, 0, 0};
    const RngState r[] = {{{1, 2}, {3, 4, 5, 6}}, {{7, 8}, {9, 10, 11, 12}}};
    const void *data[] = {b, h, k, g, f};
    static const i64 shapes[][4] = {{6}, {2, 3}, {1, 3, 2}, {3, 1, 1, 2}};
    NodeVec all = {0};
    for (int d = 0; d < DT_RNG; d++)
        for (int rank = 1; rank <= 4; rank++)
            vec_push(&all, tensor_node(st, (DType)d, rank, shapes[rank - 1], data[d]));
    vec_push(&all, tensor_node(st, DT_RNG, 1, (i64[]){2}, r));
    static const i64 empties[][3] = {{0}, {0, 3}, {2, 0}, {2, 0, 1000000}, {0, 0, 0}};
    static const int ranks[] = {1, 2, 2, 3, 3};
    for (int d = 0; d < DT_COUNT; d++)
        for (size_t i = 0; i < COUNT_OF(ranks); i++)
            vec_push(&all, tensor_node(st, (DType)d, ranks[i], empties[i], NULL));
    double many[100];
    for (int i = 0; i < 100; i++)
        many[i] = 1.0 / (i + 1);
    Node *big = tensor_node(st, DT_F64, 1, (i64[]){100}, many);
    vec_push(&all, big);
    vec_push(&all, build_mul(st, big, node_f64(st, 2)));
    round_trip(w, (int)all.len, all.at);
    vec_free(&all);
    world_free(w);
}

static void test_types(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Size *n = size_name(st, symbol(st, "n")), *m = size_name(st, symbol(st, "größe"));
    Size *sizes[] = {
        n,
        m,
        size_const(st, 0),
        size_const(st, 7),
        size_add(st, size_mul(st, n, m), size_const(st, -3)),
        size_sub(st, size_const(st, 3), size_scale(st, n, 2)),
        size_scale(st, size_mul(st, n, size_mul(st, n, m)), 5),
        size_name(st, symbol(st, "d0")),
        size_name(st, symbol(st, "r12")),
        size_name(st, symbol(st, "p3")),
    };
    NodeVec all = {0};
    Size *others[] = {
        size_max(st, n, m),
        size_min(st, size_scale(st, n, 3), size_add(st, m, size_const(st, 4))),
        size_floordiv(st, size_add(st, n, m), size_const(st, 2)),
        size_max(st, size_floordiv(st, n, size_const(st, 3)), size_sub(st, m, n)),
    };
    for (size_t i = 0; i < COUNT_OF(others); i++)
        vec_push(&all, size_to_node(st, others[i]));
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        char name[16];
        snprintf(name, sizeof name, "x%zu", i);
        Size *dims[] = {sizes[i], n};
        vec_push(&all, input_of(st, name, (DType)(i % DT_COUNT), 1 + (int)(i % 2), dims));
        vec_push(&all, size_to_node(st, sizes[i]));
    }
    vec_push(&all, node_input(st, OP_SHARED, symbol(st, "w"), type_scalar(st, DT_F32)));
    Node *unit = node_make(st, OP_TUPLE, NULL, 0, NULL),
         *one = node1(st, OP_TUPLE, NULL, all.at[0]);
    vec_push(&all, unit);
    vec_push(&all, one);
    vec_push(&all, node2(st, OP_TUPLE, NULL, one, unit));
    round_trip(w, (int)all.len, all.at);
    vec_free(&all);
    world_free(w);
}

/* Sizes that are values of nodes. */
static void test_dependent_sizes(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Node *k = input_of(st, "k", DT_I64, 0, NULL), *x = vector_input(st, "x", "n");
    Node *k2 =
        build_elementwise(st, OP_FLOORDIV, 2, (Node *[]){k, input_of(st, "j", DT_I64, 0, NULL)});
    Node *z = build_full(st, node_f64(st, 1), 1, &k2);
    Node *roots[] = {z, build_add(st, z, z), build_slice(st, x, 0, k, k2, 1),
                     node1(st, OP_IOTA, NULL, k2)};
    round_trip(w, 4, roots);
    world_free(w);
}

static void test_scans(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Node *x = vector_input(st, "x", "n"), *W = vector_input(st, "W", "n"),
         *u = sequence_input(st, "u");
    Node *plain = rnn_scan(st, x, u, W, NULL, node_dim(st, u, 0));
    Node *until = rnn_scan(st, x, u, W, scalar_input(st, "limit"), node_i64(st, 10));
    Node *roots[8] = {plain, until};
    assert_non_null(until);
    for (int i = 0; i < until->type->nitems; i++)
        roots[2 + i] = node_proj(st, until, i);
    round_trip(w, 2 + until->type->nitems, roots);
    /* a trace whose length only the run knows, used with another of that length */
    Node *trace = node_proj(st, until, 1);
    Node *twice = build_mul(st, trace, node_f64(st, 2));
    round_trip(w, 1, &twice);
    world_free(w);
}

static void test_owners_of_graphs(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Node *x = vector_input(st, "x", "n"), *W = vector_input(st, "W", "n"),
         *u = sequence_input(st, "u");
    Node *k = input_of(st, "k", DT_I64, 0, NULL);
    Node *c = build_elementwise(st, OP_GT, 2, (Node *[]){k, node_i64(st, 3)});
    Node *grad = square_gradient(st, OP_GRAD, x, W, NULL);
    Node *vjp = square_gradient(st, OP_VJP, x, W, scalar_input(st, "seed"));
    Node *jvp = square_gradient(st, OP_JVP, x, W, W);
    Node *nest = nested_scan(st, x, u, W, k), *branch = choice_node(st, c, x, W);
    Attr call[] = {{.graph = grad->attrs[0].graph}, {.name = symbol(st, "loss of f")}};
    Attr bare[] = {call[0], {.name = NULL}};
    Node *roots[] = {grad,
                     node_proj(st, vjp, 0),
                     node_proj(st, vjp, 1),
                     node_proj(st, jvp, 0),
                     nest,
                     node_proj(st, branch, 0),
                     node_proj(st, grad, 0),
                     node2(st, OP_CALL, call, x, W),
                     node2(st, OP_CALL, bare, W, x)};
    node_set_name(st, roots[5], symbol(st, "chosen"));
    /* what a derivative keeps, and through how many steps it goes */
    ScanShape kept = scan_shape(nest);
    kept.checkpoint = CHECKPOINT_AUTO;
    Node *automatic = scan_node(st, &kept);
    kept.checkpoint = 4;
    Node *fourth = scan_node(st, &kept);
    Node *short_grad =
        node_with_attrs(st, grad, (Attr[]){grad->attrs[0], grad->attrs[1], {.i = 3}});
    assert_true(automatic != nest && fourth != automatic && short_grad != grad);
    round_trip(w, 3, (Node *[]){automatic, fourth, short_grad});
    node_set_name(st, nest, symbol(st, "nest"));
    round_trip(w, (int)COUNT_OF(roots), roots);
    /* a gradient of a loop in a branch of a loop */
    Node *s = node_hole(st, x->type, NULL);
    Node *b = choice_node(st, c, s, node_proj(st, nested_scan(st, s, u, W, k), 0));
    Node *g = node_proj(st, square_gradient(st, OP_GRAD, node_proj(st, b, 0), s, NULL), 0);
    Closed closed;
    close_body(st, 1, &s, 0, NULL, 1, &g, &closed);
    ScanShape shape = {.body = closed.graph,
                       .nstates = 1,
                       .ncaptures = closed.ncaptures,
                       .n = k,
                       .inits = &x,
                       .captures = closed.captures};
    Node *deep = scan_node(st, &shape);
    round_trip(w, 1, &deep);
    world_free(w);
}

static void test_attributes(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Node *x = vector_input(st, "x", "n"), *u = sequence_input(st, "u"),
         *k = input_of(st, "k", DT_I64, 0, NULL);
    Attr message[] = {{.name = symbol(st, "x must be \"positive\"\n")}, {.i = 0}},
         cum[] = {{.i = 0}, {.i = 1}};
    Node *cond = build_elementwise(st, OP_GT, 2, (Node *[]){k, node_i64(st, 0)});
    Attr axis0 = {.i = 0}, set[] = {{.i = 0}, {.i = 1}};
    Node *roots[] = {
        build_sum_all(st, u),
        reduce_axis(st, OP_SUM, u, 1),
        node1(st, OP_CUMSUM, cum, x),
        build_swap_last(st, u),
        node_cast(st, x, DT_F32),
        node_cast(st, u, DT_BOOL),
        node2(st, OP_CHECK, message, cond, x),
        build_expand(st, x, 1),
        build_index(st, u, 1, k),
        node3(st, OP_SET_INDEX, set, x, k, node_f64(st, 1)),
        node1(st, OP_STOP_GRADIENT, NULL, x),
        node1(st, OP_RNG, NULL, k),
        node2(st, OP_BERNOULLI, NULL, node1(st, OP_RNG, NULL, k), x),
        node2(st, OP_CONCAT, &axis0, x, x),
        node1(st, OP_DIM, &axis0, x),
        node_make(
            st, OP_ADD, NULL, 5,
            (Node *[]){x, node_f64(st, 1), scalar_input(st, "a"), x, node1(st, OP_EXP, NULL, x)}),
    };
    round_trip(w, (int)COUNT_OF(roots), roots);
    world_free(w);
}

static void test_numbers_stay(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Numbering num = {0};
    Node *x = vector_input(st, "x", "n"), *y = vector_input(st, "y", "n");
    Node *a = build_add(st, x, y), *b = build_mul(st, y, a);
    Text t = {0};
    graph_print(st, &t, 1, &a, &num);
    assert_string_equal(text_str(&t),
                        "%1 : f64[n] = input{name=x}()\n%2 : f64[n] = input{name=y}()\n"
                        "%3 : f64[n] = add(%1, %2)\nreturn %3\n");
    t.len = 0;
    graph_print(st, &t, 1, &b, &num);
    assert_non_null(strstr(text_str(&t), "%4 : f64[n] = mul(%2, %3)\nreturn %4\n"));
    Graph *g1 = graph_make(st, 1, &x->type, 1, (Node *[]){node_param(st, 0, x->type)});
    Graph *g2 = graph_make(st, 2, (Type *[]){x->type, x->type}, 1, g1->outs);
    assert_int_equal(number_of_graph(&num, g1), 1);
    assert_int_equal(number_of_graph(&num, g2), 2);
    assert_int_equal(number_of_graph(&num, g1), 1);
    assert_int_equal(number_of(&num, b), 4);
    text_free(&t);
    map_free(&num.of);
    world_free(w);
}

/* Operands are printed as the source has them, whatever order the node keeps. */
static void test_source_order(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Node *x = vector_input(st, "x", "n"), *y = vector_input(st, "y", "n");
    Node *n = node3(st, OP_MUL, NULL, y, node_f64(st, 2), x);
    Text t = {0};
    Numbering num = {0};
    graph_print(st, &t, 1, &n, &num);
    assert_non_null(strstr(text_str(&t), "%1 : f64[n] = input{name=y}()"));
    assert_non_null(strstr(text_str(&t), "= mul(%1, 2.0, %2)"));
    t.len = 0;
    node_source(st, &t, n, true);
    assert_string_equal(text_str(&t), "y * 2 * x");
    text_free(&t);
    map_free(&num.of);
    world_free(w);
}

static void test_deep_chain(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Node *x = vector_input(st, "x", "n"), *n = x;
    for (int i = 0; i < 100000; i++)
        n = i % 3 ? node1(st, OP_TANH, NULL, n) : build_add(st, n, x);
    round_trip(w, 1, &n);
    Text t = {0};
    node_source(st, &t, n, true);
    assert_true(t.len > 100);
    t.len = 0;
    node_source_limited(st, &t, n, true, 60);
    assert_true(t.len > 20 && t.len <= 63);
    assert_non_null(strstr(text_str(&t), "…"));
    text_free(&t);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalar_constants),
        cmocka_unit_test(test_tensor_constants),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_dependent_sizes),
        cmocka_unit_test(test_scans),
        cmocka_unit_test(test_owners_of_graphs),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_numbers_stay),
        cmocka_unit_test(test_source_order),
        cmocka_unit_test(test_deep_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
