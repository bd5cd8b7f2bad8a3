/* Planner and virtual machine: what runs, what is kept, what fails, and where memory goes. */
#include "vm_bench.h"

/* p[t] = p[t-1] * x, traced */
static Node *powers(Bench *b, Node *x, Node *n)
{
    Node *next = binary(b, OP_MUL, param(b, 0, F64), param(b, 1, F64));
    Graph *g = body_of(b, LIST(Type *, F64, F64), LIST(Node *, next, next));
    return scan(b, g, n, LIST(Node *, num(b, 1)), 0, NULL, LIST(Node *, x), false, false);
}

/* ---- tests ---- */

static void test_scalars(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    Node *x = given(b, "x", F64, 3, 0), *k = given(b, "k", I64, 7, 0);
    expect1(b, binary(b, OP_ADD, binary(b, OP_MUL, x, x), num(b, 1)), 10);
    expect1(b, binary(b, OP_SUB, num(b, 1), binary(b, OP_MUL, x, x)), -8);
    expect1(b, node1(&b->st, OP_EXP, NULL, x), elem_scalar1(EL_EXP)(3));
    expect1(b, binary(b, OP_FLOORDIV, k, whole(b, 2)), 3);
    expect1(b, binary(b, OP_MUL, k, k), 49);
    expect1(b, binary(b, OP_ADD, node_cast(&b->st, k, DT_F64), x), 10);
    Node *f = node_cast(&b->st, x, DT_F32);
    expect1(b, binary(b, OP_MUL, f, f), 9);
    Node *i = node_cast(&b->st, k, DT_I32);
    expect1(b, binary(b, OP_SUB, i, binary(b, OP_MUL, i, i)), -42);
    Node *c = binary(b, OP_LT, x, num(b, 4));
    expect1(b, node3(&b->st, OP_WHERE, NULL, c, x, num(b, 4)), 3);
    expect1(b, node1(&b->st, OP_LOGICAL_NOT, NULL, c), 0);
    Node *three[] = {x, num(b, 0.1), binary(b, OP_MUL, x, x)};
    Node *sum = node_make(&b->st, OP_ADD, NULL, 3, three);
    double want = 0;
    for (u32 j = 0; j < 3; j++)
        want = j ? want + (sum->ops[j] == x          ? 3
                           : sum->ops[j] == three[1] ? 0.1
                                                     : 9)
                 : (sum->ops[j] == x          ? 3
                    : sum->ops[j] == three[1] ? 0.1
                                              : 9);
    expect1(b, sum, want);
    refused(b, binary(b, OP_FLOORDIV, k, binary(b, OP_SUB, k, k)), "zero-divisor",
            "division by zero");
    Node *missing = node_input(&b->st, OP_INPUT, symbol(&b->st, "missing"), F64);
    refused(b, binary(b, OP_ADD, missing, x), "no-value", "`missing`");
    assert_ptr_equal(b->env.fault, missing);
    close_bench(b);
}

static void test_arrays(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    Node *v = given(b, "v", TYPE(b, DT_F64, 4), 1, 1);
    Node *w = binary(b, OP_MUL, binary(b, OP_ADD, v, num(b, 1)), v);
    assert_true(run1(b, w));
    assert_true(at(b, 0, 3) == 20 && at(b, 0, 0) == 2);
    expect1(b, sum_all(b, w), 2 + 6 + 12 + 20);
    expect1(b, index_of(b, w, whole(b, -1)), 20);
    refused(b, index_of(b, w, given(b, "i", I64, 4, 0)), "index", "4");
    expect1(b, node1(&b->st, OP_DIM, &(Attr){.i = 0}, v), 4);
    Node *both[] = {w, v, w, num(b, 5)};
    assert_true(run(b, 4, both));
    assert_true(at(b, 2, 1) == 6 && at(b, 1, 1) == 2 && at(b, 3, 0) == 5);
    Tensor *kept = map_get(&b->values, v);
    assert_ptr_equal(b->out[1], kept);
    assert_true(tensor_f64_at(kept, 3) == 4);
    close_bench(b);
}

static void test_powers(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    for (i64 n = 0; n < 4; n++) {
        Node *s =
            powers(b, given(b, "x", F64, 3, 0), given(b, n ? "n" : "none", I64, (double)n, 0));
        Node *parts[] = {result(b, s, 0), result(b, s, 1), result(b, s, 2), result(b, s, 3)};
        map_put(&b->values, s->ops[0], map_get(&b->values, s->ops[0]));
        assert_true(run(b, 4, parts));
        assert_int_equal(b->out[1]->rank, 1);
        double p = 1;
        for (i64 i = 0; i < b->out[1]->shape[0]; i++)
            assert_true(at(b, 1, i) == (p *= 3));
        assert_true(at(b, 0, 0) == p);
        assert_int_equal((i64)at(b, 2, 0), b->out[1]->shape[0]);
        assert_true(at(b, 3, 0) == 0);
        for (size_t i = 0; i < b->values.len;
             i++) /* inputs are one node by name: give n its next value */
            tensor_unref(map_val(&b->values, i));
        map_free(&b->values);
    }
    Node *x = given(b, "x", F64, 3, 0);
    refused(b, result(b, powers(b, x, whole(b, -2)), 0), "check", "steps is negative");
    close_bench(b);
}

/* Doubles until above a limit: a while loop whose trace grows. */
static void test_until(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    Node *p = param(b, 0, F64), *next = binary(b, OP_ADD, p, num(b, 1));
    Node *stop = binary(b, OP_GT, next, param(b, 1, F64));
    Graph *g = body_of(b, LIST(Type *, F64, F64), LIST(Node *, next, p, stop));
    const i64 limits[] = {SCAN_UNBOUNDED, 100000, 5};
    for (int k = 0; k < 3; k++) {
        Node *limit = num(b, 5000.5);
        Node *s = scan(b, g, whole(b, limits[k]), LIST(Node *, num(b, 0)), 0, NULL,
                       LIST(Node *, limit), false, true);
        Node *parts[] = {result(b, s, 0), result(b, s, 1), result(b, s, 2), result(b, s, 3)};
        double steps = k < 2 ? 5001 : 5;
        assert_true(run(b, 4, parts));
        assert_true(at(b, 0, 0) == steps && at(b, 2, 0) == steps && at(b, 3, 0) == (k < 2));
        assert_int_equal(b->out[1]->shape[0], (i64)steps);
        for (i64 i = 0; i < (i64)steps; i++)
            assert_true(at(b, 1, i) == (double)i);
    }
    Node *before = binary(b, OP_GT, p, num(b, 3)); /* of the state as it was */
    Graph *h = body_of(b, LIST(Type *, F64), LIST(Node *, next, before));
    Node *s = scan(b, h, whole(b, 100), LIST(Node *, num(b, 0)), 0, NULL, 0, NULL, false, true);
    expect1(b, result(b, s, 0), 5);
    Graph *early =
        body_of(b, LIST(Type *, F64),
                LIST(Node *, next, binary(b, OP_GT, binary(b, OP_MUL, p, p), num(b, 9.5))));
    s = scan(b, early, whole(b, 100), LIST(Node *, num(b, 0)), 0, NULL, 0, NULL, false, true);
    expect1(b, result(b, s, 0), 5);
    close_bench(b);
}

/* G[t] = r[t] + gamma * G[t+1]; over rows of tensors too. */
static void test_reverse(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    Type *row = TYPE(b, DT_F64, 3);
    for (int rank = 0; rank < 2; rank++) {
        Type *t = rank ? row : F64;
        Node *next =
            binary(b, OP_ADD, param(b, 1, t), binary(b, OP_MUL, param(b, 2, F64), param(b, 0, t)));
        Graph *g = body_of(b, LIST(Type *, t, t, F64), LIST(Node *, next, next));
        Node *r = rank ? given(b, "R", TYPE(b, DT_F64, 5, 3), 1, 0.5)
                       : given(b, "r", TYPE(b, DT_F64, 5), 1, 0.5);
        Node *init = rank ? given(b, "G0", row, 0, 0) : num(b, 0);
        Node *s = scan(b, g, whole(b, 4), LIST(Node *, init), LIST(Node *, r),
                       LIST(Node *, num(b, 0.5)), true, false);
        Node *parts[] = {result(b, s, 0), result(b, s, 1)};
        assert_true(run(b, 2, parts));
        i64 width = rank ? 3 : 1;
        for (i64 j = 0; j < width; j++) {
            double G = 0;
            for (i64 i = 3; i >= 0; i--) {
                G = 1 + 0.5 * (double)(i * width + j) + 0.5 * G;
                assert_true(at(b, 1, i * width + j) == G);
            }
            assert_true(at(b, 0, j) == G);
        }
        Node *far = scan(b, g, whole(b, 6), LIST(Node *, init), LIST(Node *, r),
                         LIST(Node *, num(b, 0.5)), true, false);
        refused(b, result(b, far, 0), "check",
                rank ? "6 steps, but only 5 rows of R" : "rows of r");
    }
    close_bench(b);
}

/* States that take each other's values, shifted and swapped, scalars and arrays. */
static void test_simultaneous(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    for (int rank = 0; rank < 2; rank++) {
        Type *t = rank ? TYPE(b, DT_F64, 2) : F64;
        Node *p = param(b, 0, t), *q = param(b, 1, t), *r = param(b, 2, t), *c = param(b, 3, t);
        Node *one = rank ? given(b, "one", t, 1, 0) : num(b, 1);
        Node *two = rank ? given(b, "two", t, 2, 0) : num(b, 2);
        Node *three = rank ? given(b, "three", t, 3, 0) : num(b, 3);
        Graph *g =
            body_of(b, LIST(Type *, t, t, t, t), LIST(Node *, q, p, binary(b, OP_ADD, p, c), r));
        Node *s = scan(b, g, whole(b, 3), LIST(Node *, one, two, three), 0, NULL, LIST(Node *, two),
                       false, false);
        Node *parts[] = {result(b, s, 0), result(b, s, 1), result(b, s, 2), result(b, s, 3)};
        assert_true(run(b, 4, parts));
        i64 width = rank ? 2 : 1;
        assert_true(at(b, 0, 0) == 2 && at(b, 1, 0) == 1 && at(b, 2, 0) == 3);
        assert_true(at(b, 3, 0) == 3 && at(b, 3, width) == 3 && at(b, 3, 2 * width) == 4);
    }
    close_bench(b);
}

/* sum over i of sum over j of x[i] * x[j], an inner scan per row */
static void test_nested(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    Type *t = TYPE(b, DT_F64, 6);
    Node *inner_next =
        binary(b, OP_ADD, param(b, 0, F64), binary(b, OP_MUL, param(b, 1, F64), param(b, 2, F64)));
    Graph *inner = body_of(b, LIST(Type *, F64, F64, F64), LIST(Node *, inner_next));
    Node *xs = param(b, 2, t);
    Node *in = scan(b, inner, whole(b, 6), LIST(Node *, num(b, 0)), LIST(Node *, xs),
                    LIST(Node *, param(b, 1, F64)), false, false);
    Node *next = binary(b, OP_ADD, param(b, 0, F64), result(b, in, 0));
    Graph *g = body_of(b, LIST(Type *, F64, F64, t), LIST(Node *, next, next));
    Node *x = given(b, "x", t, 1, 1);
    Node *s = scan(b, g, whole(b, 6), LIST(Node *, num(b, 0)), LIST(Node *, x), LIST(Node *, x),
                   false, false);
    expect1(b, result(b, s, 0), 21 * 21);
    Node *trace = result(b, s, 1);
    assert_true(run1(b, trace));
    assert_true(at(b, 0, 0) == 21 && at(b, 0, 5) == 441);
    close_bench(b);
}

/* A trace of matrices (d0 + 1, k) with zero steps: its shape comes from what is known. */
static void test_zero_steps(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    Store *st = &b->st;
    Type *vec = type_tensor(st, DT_F64, 1, (Size *[]){size_param(st, 0)});
    Node *p = param(b, 0, vec), *k = param(b, 1, I64);
    Node *longer = node2(st, OP_CONCAT, &(Attr){.i = 0}, p, p);
    Node *rows[] = {longer, k};
    Attr axes = {.ints = intlist(st, 1, (i64[]){1})};
    Node *dims[] = {longer, k, node1(st, OP_DIM, &(Attr){.i = 0}, longer)};
    Node *table = node_make(st, OP_BROADCAST, &axes, 3, dims);
    (void)rows;
    Graph *g = body_of(b, LIST(Type *, vec, I64), LIST(Node *, p, table));
    Node *x = given(b, "x", TYPE(b, DT_F64, 3), 1, 1);
    Node *kk = given(b, "k", I64, 5, 0), *n = given(b, "n", I64, 0, 0);
    Node *s = scan(b, g, n, LIST(Node *, x), 0, NULL, LIST(Node *, kk), false, false);
    Node *parts[] = {result(b, s, 0), result(b, s, 1)};
    assert_true(run(b, 2, parts));
    assert_int_equal(b->out[1]->rank, 3);
    assert_int_equal(b->out[1]->shape[0], 0);
    assert_int_equal(b->out[1]->shape[1], 5);
    assert_int_equal(b->out[1]->shape[2], 6);
    assert_true(at(b, 0, 2) == 3);
    close_bench(b);
}

/* What nobody uses does not run: it would fail. */
static void test_only_needed(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    Node *p = param(b, 0, I64), *q = param(b, 1, I64);
    Node *bad = binary(b, OP_FLOORDIV, p, binary(b, OP_SUB, p, p));
    Graph *g =
        body_of(b, LIST(Type *, I64, I64),
                LIST(Node *, binary(b, OP_ADD, p, whole(b, 1)), binary(b, OP_ADD, q, bad), bad, p));
    Node *missing = node_input(&b->st, OP_INPUT, symbol(&b->st, "missing"), I64);
    Node *s =
        scan(b, g, whole(b, 3), LIST(Node *, whole(b, 0), missing), 0, NULL, 0, NULL, false, false);
    expect1(b, result(b, s, 0), 3);
    expect1(b, result(b, s, 4), 3); /* steps alone: the loop does not run */
    assert_int_equal(b->asked, 0);
    assert_true(run1(b, result(b, s, 3)));
    assert_true(at(b, 0, 2) == 2);
    refused(b, result(b, s, 2), "zero-divisor", "zero");
    refused(b, result(b, s, 1), "no-value", "missing");
    Program *plan = plan_build(&b->st, 1, (Node *[]){result(b, s, 3)});
    Text listing = {0};
    program_print(&listing, plan);
    assert_null(strstr(text_str(&listing), "floordiv"));
    assert_non_null(strstr(text_str(&listing), "add"));
    text_free(&listing);
    program_free(plan);
    Graph *f = body_of(b, LIST(Type *, I64, I64), LIST(Node *, bad, q));
    Node *call = node2(&b->st, OP_CALL, (Attr[]){{.graph = f}, {.name = symbol(&b->st, "f")}},
                       missing, whole(b, 4));
    expect1(b, result(b, call, 1), 4);
    close_bench(b);
}

static void test_ifelse(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    Type *t = TYPE(b, DT_F64, 3);
    Node *x = given(b, "x", t, 1, 1), *c = given(b, "c", type_scalar(&b->st, DT_BOOL), 1, 0);
    Node *y = binary(b, OP_ADD, x, num(b, 1)), *z = binary(b, OP_MUL, x, x);
    Graph *yes =
        body_of(b, LIST(Type *, t),
                LIST(Node *, binary(b, OP_ADD, param(b, 0, t), num(b, 10)), param(b, 0, t)));
    Node *bad = index_of(b, param(b, 0, t), param(b, 1, I64));
    Graph *no = body_of(b, LIST(Type *, t, I64),
                        LIST(Node *, binary(b, OP_MUL, param(b, 0, t), bad), param(b, 0, t)));
    Attr attrs[] = {{.graph = yes},
                    {.graph = no},
                    {.ints = intlist(&b->st, 1, (i64[]){0})},
                    {.ints = intlist(&b->st, 2, (i64[]){1, 2})}};
    for (int k = 0; k < 2; k++) {
        Node *cond = k ? node1(&b->st, OP_LOGICAL_NOT, NULL, c) : c;
        Node *ops[] = {cond, y, z, given(b, "i", I64, 7, 0)};
        Node *n = node_make(&b->st, OP_IFELSE, attrs, 4, ops);
        Node *first = result(b, n, 0), *second = result(b, n, 1);
        if (k)
            refused(b, first, "index", "7");
        else
            assert_true(run1(b, first) && at(b, 0, 2) == 14);
        assert_true(run1(b, second) && at(b, 0, 2) == (k ? 9 : 4));
        if (!k) {
            tensor_unref(map_get(&b->values, ops[3]));
            map_put(&b->values, ops[3], NULL);
        }
    }
    close_bench(b);
}

/* Filling one row per step keeps one copy of the array, however it is read in between. */
static void test_in_place(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    enum { ROWS = 400, COLS = 1000 };
    Type *t = TYPE(b, DT_F64, ROWS, COLS), *row = TYPE(b, DT_F64, COLS);
    for (int read = 0; read < 4; read++) {
        Node *a = param(b, 0, t), *i = param(b, 1, I64);
        Node *next = binary(b, OP_ADD, i, whole(b, 1));
        Node *from = read == 2 ? index_of(b, a, next) : read ? index_of(b, a, i) : param(b, 2, row);
        Node *set = set_row(b, a, i, read == 3 ? from : binary(b, OP_ADD, from, num(b, 1)));
        Node *other = read == 2 ? sum_all(b, index_of(b, a, next)) : num(b, 2);
        Graph *g = read == 2 ? body_of(b, LIST(Type *, t, I64), LIST(Node *, set, next, other))
                   : read    ? body_of(b, LIST(Type *, t, I64), LIST(Node *, set, next, i))
                             : body_of(b, LIST(Type *, t, I64, row), LIST(Node *, set, next, i));
        Node *x = given(b, "x", t, 0, 0), *v = given(b, "v", row, 1, 1);
        Node *s = scan(b, g, whole(b, ROWS - 1), LIST(Node *, x, whole(b, 0)), 0, NULL,
                       read ? 0 : 1, &v, false, false);
        Node *parts[] = {result(b, s, 0), result(b, s, 2)};
        heap_free(&b->st.heap);
        drop_results(b);
        size_t before = b->st.heap.peak = b->st.heap.live;
        assert_true(run(b, 2, parts));
        size_t used = b->st.heap.peak - before, array = ROWS * COLS * 8;
        if (used > array + array / 10)
            fail_msg("%zu bytes for an array of %zu (%d)", used, array, read);
        assert_true(at(b, 0, 5 * COLS) == (read == 3 ? 0 : read ? 1 : 2));
        assert_true(tensor_f64_at(map_get(&b->values, x), 5 * COLS) == 0);
        tensor_unref(map_get(&b->values, x));
        map_put(&b->values, x, NULL);
        tensor_unref(map_get(&b->values, v));
        map_put(&b->values, v, NULL);
    }
    close_bench(b);
}

static void test_shape_errors(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    Store *st = &b->st;
    Type *vec = type_tensor(st, DT_F64, 1, (Size *[]){size_param(st, 0)});
    Node *p = param(b, 0, vec), *k = param(b, 1, I64);
    Node *part = node3(st, OP_SLICE, (Attr[]){{.i = 0}, {.i = 1}}, p, whole(b, 0), k);
    Graph *g = body_of(b, LIST(Type *, vec, I64), LIST(Node *, part));
    Node *x = given(b, "x", TYPE(b, DT_F64, 3), 1, 1), *kk = given(b, "k", I64, 2, 0);
    Node *s = scan(b, g, whole(b, 2), LIST(Node *, x), 0, NULL, LIST(Node *, kk), false, false);
    refused(b, result(b, s, 0), "shape-mismatch", "(3,) to (2,)");
    Node *t = node3(st, OP_SLICE, (Attr[]){{.i = 0}, {.i = 1}}, param(b, 1, vec), whole(b, 0),
                    param(b, 0, I64));
    Graph *shrinking = body_of(b, LIST(Type *, I64, vec),
                               LIST(Node *, binary(b, OP_SUB, param(b, 0, I64), whole(b, 1)), t));
    Node *s2 =
        scan(b, shrinking, whole(b, 2), LIST(Node *, kk), 0, NULL, LIST(Node *, x), false, false);
    refused(b, result(b, s2, 1), "shape-mismatch", "(2,) to (1,)");
    assert_true(run1(b, result(b, s2, 0)));
    close_bench(b);
}

static void test_check(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    Node *x = given(b, "x", TYPE(b, DT_F64, 3), 1, 1), *k = given(b, "k", I64, 2, 0);
    Attr message[] = {{.name = symbol(&b->st, "k must be 2")}, {.i = 0}};
    Node *good = node2(&b->st, OP_CHECK, message, binary(b, OP_EQ, k, whole(b, 2)), x);
    Node *bad = node2(&b->st, OP_CHECK, message, binary(b, OP_EQ, k, whole(b, 3)), x);
    expect1(b, sum_all(b, good), 6);
    refused(b, sum_all(b, bad), "check", "k must be 2");
    Node *far = index_of(b, x, binary(b, OP_ADD, k, whole(b, 5))); /* fails too, but says less */
    Node *guarded = node2(&b->st, OP_CHECK, message, binary(b, OP_EQ, k, whole(b, 3)), far);
    refused(b, guarded, "check", "k must be 2");
    assert_ptr_equal(b->env.fault, guarded);
    close_bench(b);
}

static void test_interrupt(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    Type *t = TYPE(b, DT_F64, 100);
    Node *p = param(b, 0, t), *next = binary(b, OP_ADD, p, num(b, 1));
    Graph *g = body_of(b, LIST(Type *, t), LIST(Node *, next, next));
    Node *x = given(b, "x", t, 1, 1);
    Node *s = scan(b, g, whole(b, SCAN_UNBOUNDED), LIST(Node *, x), 0, NULL, 0, NULL, false, false);
    b->interrupt = 1;
    refused(b, result(b, s, 0), "interrupted", "interrupted");
    Node *one = binary(b, OP_ADD, param(b, 0, F64), num(b, 1));
    Graph *h = body_of(b, LIST(Type *, F64), LIST(Node *, one, one));
    Node *s2 = scan(b, h, whole(b, SCAN_UNBOUNDED), LIST(Node *, num(b, 0)), 0, NULL, 0, NULL,
                    false, false);
    refused(b, result(b, s2, 1), "interrupted", "interrupted");
    b->interrupt = 0;
    b->st.heap.limit = b->st.heap.live + 100000;
    refused(b, result(b, s2, 1), "memory", "out of memory");
    refused(b, result(b, s, 1), "memory", "out of memory");
    b->st.heap.limit = 0;
    close_bench(b);
}

static void test_long_chain(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    Node *x = given(b, "x", F64, 0, 0), *v = given(b, "v", TYPE(b, DT_F64, 2), 0, 0);
    for (int i = 0; i < 100000; i++) {
        x = binary(b, OP_ADD, x, num(b, 1));
        v = binary(b, OP_ADD, v, num(b, 1));
    }
    Node *both[] = {x, v};
    size_t before = b->st.heap.live;
    b->st.heap.peak = before;
    assert_true(run(b, 2, both));
    assert_true(at(b, 0, 0) == 100000 && at(b, 1, 1) == 100000);
    assert_true(b->st.heap.peak - before < 1000);
    close_bench(b);
}

static void test_refused_plan(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    Node *x = given(b, "x", F64, 1, 0);
    Graph *g = body_of(b, LIST(Type *, F64),
                       LIST(Node *, binary(b, OP_MUL, param(b, 0, F64), param(b, 0, F64))));
    Node *grad = node1(&b->st, OP_GRAD, (Attr[]){{.graph = g}, {.i = 1}, {.i = -1}}, x);
    Node *root = binary(b, OP_ADD, result(b, grad, 0), x);
    assert_null(plan_build(&b->st, 1, &root));
    assert_int_equal(b->diags.list.len, 1);
    assert_string_equal(b->diags.list.at[0].code, "not-expanded");
    close_bench(b);
}

#define TEST(name) cmocka_unit_test(test_##name)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(scalars),     TEST(arrays),       TEST(powers),     TEST(until),
        TEST(reverse),     TEST(simultaneous), TEST(nested),     TEST(zero_steps),
        TEST(only_needed), TEST(ifelse),       TEST(in_place),   TEST(shape_errors),
        TEST(check),       TEST(interrupt),    TEST(long_chain), TEST(refused_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
