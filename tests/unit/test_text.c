/* Graph text: what is printed reads back as the same nodes; what is not graph text is
 * refused with one diagnostic, whatever it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ops/ops.h"
#include "text_help.h"

#include <math.h>

/* Prints, reads into the same store (same nodes) and into an empty one (same text). */
static void round_trip(World *w, int n, Node *const *roots)
{
    for (int i = 0; i < n; i++)
        assert_non_null(roots[i]);
    world_is_fine(w);
    Text why = {0};
    if (!graph_verify(&w->st, n, roots, &why))
        fail_msg("%s", text_str(&why));
    text_free(&why);
    char *text = print_text(&w->st, n, roots);
    Node **back = NULL;
    int m = read_text(&w->st, text, strlen(text), &back);
    if (m != n)
        print_error("%s", text);
    world_is_fine(w);
    assert_int_equal(m, n);
    for (int i = 0; i < n; i++)
        if (back[i] != roots[i])
            fail_msg("root %d is another node after:\n%s", i, text);
    free(back);
    World *other = world_new();
    m = read_text(&other->st, text, strlen(text), &back);
    world_is_fine(other);
    assert_int_equal(m, n);
    char *again = print_text(&other->st, n, back), *mine = print_text(&w->st, n, roots);
    for (char *s = mine; (s = strstr(s, "  # "));) /* names are not read back */
        memmove(s, s + strcspn(s, "\n"), strlen(s + strcspn(s, "\n")) + 1);
    assert_string_equal(again, mine);
    free(back);
    free(again);
    free(mine);
    free(text);
    world_free(other);
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
    static const u64 nans[] = {0x7ff8000000000000u, 0xfff8000000000000u, 0x7ff0000000000001u,
                               0xffffffffffffffffu};
    static const u32 nans32[] = {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu};
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
    Node *k = input_of(st, "k", DT_I64, 0, NULL);
    Size *sizes[] = {
        n,
        m,
        size_const(st, 0),
        size_const(st, 7),
        size_add(st, size_mul(st, n, m), size_const(st, -3)),
        size_sub(st, size_const(st, 3), size_scale(st, n, 2)),
        size_scale(st, size_mul(st, n, size_mul(st, n, m)), 5),
        size_max(st, n, m),
        size_min(st, size_scale(st, n, 3), size_add(st, m, size_const(st, 4))),
        size_floordiv(st, size_add(st, n, m), size_const(st, 2)),
        size_max(st, size_floordiv(st, n, size_const(st, 3)), size_sub(st, m, n)),
        size_name(st, symbol(st, "d0")),
        size_name(st, symbol(st, "r12")),
        size_name(st, symbol(st, "p3")),
        size_name(st, symbol(st, "max")),
        size_name(st, symbol(st, "two words")),
        size_name(st, symbol(st, "a\"b\\c\n")),
        size_name(st, symbol(st, ".0012abcd")),
        size_name(st, symbol(st, ".x")),
        size_param(st, 3),
        size_of_node(st, k),
        size_add(st, size_mul(st, size_of_node(st, k), n), size_of_node(st, k)),
    };
    NodeVec all = {0};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        char name[16];
        snprintf(name, sizeof name, "x%zu", i);
        Size *dims[] = {sizes[i], n};
        vec_push(&all, input_of(st, name, (DType)(i % DT_COUNT), 1 + (int)(i % 2), dims));
        vec_push(&all, size_to_node(st, sizes[i]));
    }
    vec_push(&all, node_input(st, OP_SHARED, symbol(st, "odd name"), type_scalar(st, DT_RNG)));
    Node *unit = node_make(st, OP_TUPLE, NULL, 0, NULL),
         *one = node1(st, OP_TUPLE, NULL, all.at[0]);
    vec_push(&all, unit);
    vec_push(&all, one);
    vec_push(&all, node2(st, OP_TUPLE, NULL, one, unit));
    round_trip(w, (int)all.len, all.at);
    vec_free(&all);
    world_free(w);
}

/* A size that is the value of a node, seen before that node is an operand. */
static void test_dependent_sizes(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Node *k = input_of(st, "k", DT_I64, 0, NULL), *x = vector_input(st, "x", "n");
    Node *k2 =
        build_elementwise(st, OP_FLOORDIV, 2, (Node *[]){k, input_of(st, "j", DT_I64, 0, NULL)});
    Node *z = build_full(st, node_f64(st, 1), 1, &k2);
    Size *dims[] = {size_of_node(st, k2)};
    Node *late = input_of(st, "late", DT_F64, 1, dims);
    Node *roots[] = {late, build_add(st, z, late), build_slice(st, x, 0, k, k2, 1),
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
                     vjp,
                     jvp,
                     nest,
                     node_proj(st, branch, 0),
                     node_proj(st, grad, 0),
                     node2(st, OP_CALL, call, x, W),
                     node2(st, OP_CALL, bare, W, x)};
    node_set_name(st, roots[4], symbol(st, "chosen"));
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
    /* the body alone, with its parameters open */
    round_trip(w, closed.graph->nouts, closed.graph->outs);
    world_free(w);
}

static void test_attributes(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Node *x = vector_input(st, "x", "n"), *u = sequence_input(st, "u"),
         *k = input_of(st, "k", DT_I64, 0, NULL);
    Attr message = {.name = symbol(st, "x must be \"positive\"\n")}, cum[] = {{.i = 0}, {.i = 1}};
    Node *cond = build_elementwise(st, OP_GT, 2, (Node *[]){k, node_i64(st, 0)});
    Attr axis0 = {.i = 0}, set[] = {{.i = 0}, {.i = 1}};
    Node *roots[] = {
        build_sum_all(st, u),
        reduce_axis(st, OP_SUM, u, 1),
        node1(st, OP_CUMSUM, cum, x),
        build_swap_last(st, u),
        node_cast(st, x, DT_F32),
        node_cast(st, u, DT_BOOL),
        node2(st, OP_CHECK, &message, cond, x),
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

/* ---- what is no graph text ---- */

static void test_mistakes(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "x",
        "%1",
        "%1 = 3",
        "return %1",
        "return 1 2",
        "return 1,",
        "return nan(",
        "return f32(1.0",
        "return i32(3000000000)",
        "return 99999999999999999999",
        "return 1e",
        "return f99(1)",
        "return \"x\"",
        "%1 : f64[ = input{name=x}()\nreturn %1",
        "%1 : f64[n = input{name=x}()\nreturn %1",
        "%1 : f64[1,2,3,4,5,6,7,8,9] = input{name=x}()\nreturn %1",
        "%1 : f64[d99999999] = input{name=x}()\nreturn %1",
        "%1 : f64[%2] = input{name=x}()\nreturn %1",
        "%1 : f64[?] = input{name=x}()\nreturn %1",
        "%1 : f64[max(n)] = input{name=x}()\nreturn %1",
        "%1 = input{name=x}()\nreturn %1",
        "%1 : f64 = input{}()\nreturn %1",
        "%1 : f64 = input{name=x, name=y}()\nreturn %1",
        "%1 : f64 = input{name=x, size=n}()\nreturn %1",
        "%1 : f64 = input{name=x}(2.0)\nreturn %1",
        "%1 : f64 = input{name=\"x}()\nreturn %1",
        "%1 : f64 = input{name=x}()\n%1 : f64 = input{name=y}()\nreturn %1",
        "%1 : f32 = neg(2.0)\nreturn %1",
        "%1 = add(2.0)\n%2 = frob(%1)\nreturn %2",
        "%1 = sum{axes=(1,)}(2.0)\nreturn %1",
        "%1 = sum{axes=(0}(2.0)\nreturn %1",
        "%1 = cast{dtype=f16}(2.0)\nreturn %1",
        "%1 = proj{index=0}(2.0)\nreturn %1",
        "%1 = tuple(1)\n%2 = %1.1\nreturn %2",
        "%1 = tuple(1)\n%2 = %1.-1\nreturn %2",
        "%1 : f64[2] = const{value=[1.0]}()\nreturn %1",
        "%1 : f64[2, 2] = const{value=[[1.0, 2.0], [3.0]]}()\nreturn %1",
        "%1 : f64[n] = const{value=[1.0]}()\nreturn %1",
        "%1 : f64[9999999999, 9999999999] = const{value=[]}()\nreturn %1",
        "%1 = const{value=[[[[[[[[[1]]]]]]]]]}()\nreturn %1",
        "p0 : f64 = neg(1.0)\nreturn p0",
        "p0 : f64 = param{index=1}()\nreturn p0",
        "return p0",
        "@1 = graph(p1: f64) { return p1 }\nreturn 1",
        "@1 = graph(p0: f64) { return p1 }\nreturn 1",
        "@1 = graph(p0: f64) { return p0\nreturn 1",
        "@1 = graph(p0: f64) { @2 = graph() { return 1 } return p0 }\nreturn 1",
        "@1 = graph(p0: f64) { %1 : f64 = input{name=x}() return %1 }\nreturn 1",
        "@1 = graph(p0: f64) { %1 = neg(p0) return %1 }\n@2 = graph(p0: i64) { return %1 }\nreturn "
        "1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = scan{body=@2}(n=1, init=1.0)\nreturn %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = scan{body=@1, reverse=false, "
        "stop=false}(init=1.0)\nreturn %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = scan{body=@1, reverse=false, stop=false}(n=1, "
        "seq=1.0, init=1.0)\n"
        "return %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = scan{body=@1, reverse=false, stop=true}(n=1, "
        "init=1.0)\nreturn %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = scan{body=@1, reverse=false, "
        "stop=false}(n=1)\nreturn %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = ifelse{then=@1, else=@1, then_args=(1,), "
        "else_args=(0,)}(true, 1.0)\n"
        "return %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = grad{body=@1, wrt=2}(1.0)\nreturn %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = grad{body=@1, wrt=-1}(1.0)\nreturn %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = vjp{body=@1, wrt=1}(1.0)\nreturn %1",
        "@1 = graph(p0: f64) { return }\n%1 = grad{body=@1, wrt=0}(1.0)\nreturn %1",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        World *w = world_new();
        Node **roots = NULL;
        int n = read_text(&w->st, texts[i], strlen(texts[i]), &roots);
        if (n != -1 || w->diags.errors != 1)
            fail_msg("%d roots, %zu errors: %s", n, w->diags.errors, texts[i]);
        free(roots);
        world_free(w);
    }
}

/* The place of a mistake is where it is, not where the text begins. */
static void test_place(void **state)
{
    (void)state;
    World *w = world_new();
    Node **roots = NULL;
    char text[] = "%1 : f64[n] = input{name=x}()\n%2 : f64 = tanh(%1)\nreturn %2\n";
    Source src = {.name = (char *)(uintptr_t) "g", .text = text, .len = strlen(text)};
    assert_int_equal(graph_read(&w->st, &src, &roots), -1);
    int line, column, length;
    span_locate(w->diags.list.at[0].span, &line, &column, &length);
    assert_int_equal(line, 2);
    assert_int_equal(column, 1);
    assert_non_null(strstr(w->diags.list.at[0].message, "f64[n]"));
    free(roots);
    world_free(w);
}

static u64 next_random(u64 *seed) { return *seed = hash_mix(*seed, 0x5eed); }

static char *sample_text(World *w, size_t *len)
{
    Store *st = &w->st;
    Node *x = vector_input(st, "x", "n"), *W = vector_input(st, "W", "n"),
         *u = sequence_input(st, "u");
    Node *k = input_of(st, "k", DT_I64, 0, NULL);
    Node *c = build_elementwise(st, OP_GT, 2, (Node *[]){k, node_i64(st, 3)});
    Node *roots[] = {nested_scan(st, x, u, W, k),
                     rnn_scan(st, x, u, W, scalar_input(st, "limit"), k),
                     choice_node(st, c, x, W),
                     square_gradient(st, OP_VJP, x, W, node_f64(st, NAN)),
                     tensor_node(st, DT_F32, 2, (i64[]){2, 2}, (float[]){1, 2, INFINITY, NAN}),
                     build_full(st, node_f64(st, 2), 1, &k)};
    char *text = print_text(st, (int)COUNT_OF(roots), roots);
    *len = strlen(text);
    return text;
}

/* A few bytes or pieces of the text changed, moved, doubled or dropped. */
static void mutate(Text *t, u64 *seed)
{
    for (u64 edits = 1 + next_random(seed) % 4; edits > 0 && t->len > 0; edits--) {
        size_t at = next_random(seed) % t->len, n = 1 + next_random(seed) % 12;
        size_t from = next_random(seed) % t->len;
        n = n < t->len - at ? n : t->len - at;
        n = n < t->len - from ? n : t->len - from;
        switch (next_random(seed) % 5) {
        case 0: t->at[at] = (char)(next_random(seed) % 256); break;
        case 1: t->at[at] = "()[]{}%@,.:=#\"-0123456789pdrn? \n"[next_random(seed) % 32]; break;
        case 2:
            memmove(t->at + at, t->at + at + n, t->len - at - n);
            t->len -= n;
            break;
        case 3: memmove(t->at + at, t->at + from, n); break;
        default: {
            char *tail = xmalloc(t->len - at);
            size_t rest = t->len - at;
            memcpy(tail, t->at + at, rest);
            t->len = at;
            text_putn(t, t->at + (from < at ? from : 0), from < at && from + n <= at ? n : 0);
            text_putn(t, tail, rest);
            free(tail);
        }
        }
    }
}

/* Reads a text that may say anything: nodes that can be printed, or one error. */
static bool survives(World *w, const char *text, size_t len, u64 seed)
{
    Node **roots = NULL;
    diags_clear(&w->diags);
    int n = read_text(&w->st, text, len, &roots);
    if (n < 0 && w->diags.errors != 1)
        fail_msg("seed %llu: %zu errors", (unsigned long long)seed, w->diags.errors);
    if (n >= 0) {
        free(print_text(&w->st, n, roots));
        Text t = {0};
        for (int i = 0; i < n; i++)
            node_source_limited(&w->st, &t, roots[i], true, 200);
        text_free(&t);
    }
    free(roots);
    return n >= 0;
}

/* GRADUS_CASES=1000000 GRADUS_SEED=7: longer, elsewhere. */
static u64 from_environment(const char *name, u64 otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void test_mutations(void **state)
{
    (void)state;
    World *w = world_new();
    size_t len;
    char *text = sample_text(w, &len);
    u64 from = from_environment("GRADUS_SEED", 0), n = from_environment("GRADUS_CASES", 20000),
        accepted = 0;
    for (u64 i = from; i < from + n; i++) {
        u64 seed = i;
        if (i % 50 == 0) {
            world_free(w);
            w = world_new();
        }
        Text t = {0};
        text_putn(&t, text, len);
        mutate(&t, &seed);
        accepted += survives(w, text_str(&t), t.len, i);
        text_free(&t);
    }
    assert_true(accepted > n / 200);
    free(text);
    world_free(w);
}

static void random_attr(Text *t, char kind, u64 *seed)
{
    static const char *const types[] = {"bool", "i32", "i64", "f32", "f64", "rng"};
    int small = (int)(next_random(seed) % 5) - (next_random(seed) % 8 == 0);
    switch (kind) {
    case 'b': text_put(t, small % 2 ? "true" : "false"); return;
    case 'd': text_put(t, types[next_random(seed) % COUNT_OF(types)]); return;
    case 'I':
        text_putc(t, '(');
        for (u64 n = next_random(seed) % 4; n > 0; n--)
            text_printf(t, "%d, ", (int)(next_random(seed) % 4) - (next_random(seed) % 16 == 0));
        text_putc(t, ')');
        return;
    case 'g': text_printf(t, "@%d", (int)(1 + next_random(seed) % 4)); return;
    case 'z': text_put(t, small > 1 ? "max(n, %3)+2*m" : "floordiv(n, m)*n-1"); return;
    case 'v': text_put(t, small > 1 ? "[1, 2]" : "i32([[1], [2]])"); return;
    default: text_printf(t, "%d", small);
    }
}

/* Well-formed lines whose operators, attributes and operands do not go together. */
static void random_line(Text *t, u64 number, u64 *seed)
{
    OpId op = (OpId)(next_random(seed) % OP_COUNT);
    const OpInfo *info = &op_table[op];
    text_printf(t, "%%%llu = %s{", (unsigned long long)number, info->name);
    for (int i = 0; i < op_attr_count(op); i++) {
        char name[32], kind = op_attr_kind(op, i);
        op_attr_name(op, i, name);
        if (kind == 't' || (op == OP_SCAN && (i == 1 || i == 2)))
            continue;
        text_printf(t, "%s=", name);
        if (kind == 's')
            text_put(t, "word");
        else
            random_attr(t, kind, seed);
        text_put(t, ", ");
    }
    text_put(t, "}(");
    u64 nops = (u64)info->min_ops + (next_random(seed) % 3 ? next_random(seed) % 3 : 0);
    for (u64 i = 0; i < nops; i++) {
        static const char *const constants[] = {"2",        "1.5",    "true", "-1",
                                                "f32(0.5)", "i32(7)", "nan",  "0"};
        if (op == OP_SCAN)
            text_put(t, i == 0 ? "n=" : i == 1 ? "init=" : "capture=");
        if (next_random(seed) % 3)
            text_printf(t, "%%%llu, ", (unsigned long long)(1 + next_random(seed) % (number - 1)));
        else
            text_printf(t, "%s, ", constants[next_random(seed) % COUNT_OF(constants)]);
    }
    text_put(t, ")\n");
}

static const char some_inputs[] =
    "%1 : f64 = input{name=a}()\n%2 : f64[n] = input{name=x}()\n"
    "%3 : i64 = input{name=k}()\n%4 : i64[n, 3] = input{name=i}()\n"
    "%5 : f64[n, m] = input{name=A}()\n%6 : rng = input{name=r}()\n"
    "%7 : (f64, i64[m]) = input{name=t}()\n%8 : bool[n] = input{name=b}()\n"
    "%9 : f64[%3] = input{name=y}()\n%10 : f64[0] = const{value=[]}()\n"
    "@1 = graph(p0: f64) { return p0 }\n"
    "@2 = graph(p0: f64[d0], p1: f64[d0]) { %20 = mul(p0, p1) return %20, p0 }\n"
    "@3 = graph(p0: f64[p1], p1: i64) { %21 = neg(p0) return %21 }\n"
    "@4 = graph() { return 1.0, true, 3 }\n";

static void test_random_lines(void **state)
{
    (void)state;
    World *w = world_new();
    u64 from = from_environment("GRADUS_SEED", 0), n = from_environment("GRADUS_CASES", 20000),
        accepted = 0;
    for (u64 i = from; i < from + n; i++) {
        u64 seed = hash_mix(i, 3);
        if (i % 50 == 0) {
            world_free(w);
            w = world_new();
        }
        Text t = {0};
        text_put(&t, some_inputs);
        u64 lines = 1 + next_random(&seed) % 3;
        for (u64 k = 0; k < lines; k++)
            random_line(&t, 11 + k, &seed);
        text_printf(&t, "return %%%llu", (unsigned long long)(10 + lines));
        accepted += survives(w, text_str(&t), t.len, i);
        text_free(&t);
    }
    assert_true(accepted > n / 50);
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
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_place),
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_random_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
