/* The operator `loop`, read from graph text: loops with and without a counter, and the ways in
 * which a loop's own test can be wrong. */
#include "vm_bench.h"

#include "grad/vjp.h"

static Node *loop_of(Bench *b, const char *body, const char *flags, const char *operands)
{
    Text t = {0};
    Node **roots = NULL;
    text_printf(&t,
                "%%1 : f64[4] = input{name=u}()\n%%2 : i64 = input{name=k}()\n%s"
                "%%9 = loop{body=@1, %s}(%s)\nreturn %%9\n",
                body, flags, operands);
    Source *src = arena_alloc(&b->st.arena, sizeof *src);
    *src = (Source){.name = "loop", .text = arena_strndup(&b->st.arena, t.at, t.len), .len = t.len};
    int n = graph_read(&b->st, src, &roots);
    Node *loop = n == 1 ? roots[0] : NULL;
    if (loop) {
        Text why = {0};
        if (!graph_verify(&b->st, 1, roots, &why))
            fail_msg("%s", text_str(&why));
        text_free(&why);
    }
    free(roots);
    text_free(&t);
    return loop;
}

/* s + u[i], i + 1, the trace of s, and on while i + 1 < 4. */
static const char sums[] = "@1 = graph(p0: f64, p1: i64, p2: f64[d0]) {\n"
                           "  %3 = index{axis=0}(p2, p1)\n  %4 = add(p0, %3)\n  %5 = add(p1, 1)\n"
                           "  %6 = lt(%5, 4)\n  return %4, %5, %4, %6\n}\n";

static void test_counted(void **state)
{
    (void)state;
    Bench bench, *b = &bench;
    open_bench(b);
    given(b, "u", TYPE(b, DT_F64, 4), 1, 1);
    for (int way = 0; way < 3;
         way++) { /* planned by its counter, without, and with none recorded */
        b->flags = way == 1 ? PLAN_UNCOUNTED : 0;
        Node *l = loop_of(b, sums, way == 2 ? "down=false" : "down=false, counter=1",
                          "rows=4, go=true, init=0.0, init=0, capture=%1");
        Node *all[] = {node_proj(&b->st, l, 0), node_proj(&b->st, l, 1), node_proj(&b->st, l, 2),
                       node_proj(&b->st, l, 3)};
        assert_true(run(b, 4, all));
        assert_true(at(b, 0, 0) == 10 && at(b, 1, 0) == 4 && at(b, 3, 0) == 4);
        assert_true(at(b, 2, 0) == 1 && at(b, 2, 3) == 10);
        assert_int_equal(b->out[2]->shape[0], 4);
    }
    close_bench(b);
}

static void records(const Node *l, int counter, u32 walked)
{
    LoopShape s = loop_shape(l);
    assert_int_equal(s.counter, counter);
    assert_int_equal(s.walked->n, walked);
}

/* What a loop records of itself stays true when it is edited: an operand that starts it elsewhere,
 * a body that counts otherwise or reads no rows. */
static void test_records(void **state)
{
    (void)state;
    Bench bench, *b = &bench;
    Store *st = &b->st;
    open_bench(b);
    Node *l = loop_of(b, sums, "counter=1", "rows=4, go=true, init=0.0, init=0, capture=%1");
    records(l, 1, 1);
    assert_int_equal(loop_shape(l).walked->at[0], 0);
    records(loop_of(b, sums, "grows=false", "rows=4, go=true, init=0.0, init=0, capture=%1"), -1,
            0);
    static const struct {
        u32 operand;
        int value;
    } edits[] = {{0, 5}, {1, 0}, {3, 1}}; /* rows, go, where it starts */
    for (size_t i = 0; i < COUNT_OF(edits); i++) {
        Node *ops[5];
        memcpy(ops, l->ops, sizeof ops);
        ops[edits[i].operand] =
            edits[i].operand == 1 ? node_bool(st, false) : node_i64(st, edits[i].value);
        records(node_with_operands(st, l, ops), -1, 0);
    }
    static const struct {
        const char *body;
        int counter;
    } bodies[] = {{"@1 = graph(p0: f64, p1: i64, p2: f64[d0]) {\n" /* by twos */
                   "  %3 = index{axis=0}(p2, p1)\n  %4 = add(p0, %3)\n  %5 = add(p1, 2)\n"
                   "  %6 = lt(%5, 4)\n  return %4, %5, %4, %6\n}\n",
                   -1},
                  {"@1 = graph(p0: f64, p1: i64, p2: f64[d0]) {\n" /* not the row of the step */
                   "  %5 = add(p1, 1)\n  %3 = index{axis=0}(p2, %5)\n  %4 = add(p0, %3)\n"
                   "  %6 = lt(%5, 4)\n  return %4, %5, %4, %6\n}\n",
                   1}};
    for (size_t i = 0; i < COUNT_OF(bodies); i++) {
        Attr attrs[LOOP_ATTRS];
        memcpy(attrs, l->attrs, sizeof attrs);
        attrs[0] = loop_of(b, bodies[i].body, "grows=false",
                           "rows=4, go=true, init=0.0, init=0, capture=%1")
                       ->attrs[0];
        records(node_with_attrs(st, l, attrs), bodies[i].counter, 0);
    }
    close_bench(b);
}

/* The counter starts at 1: nothing counts the steps, yet the same language of loops. */
static void test_other_counters(void **state)
{
    (void)state;
    Bench bench, *b = &bench;
    open_bench(b);
    given(b, "u", TYPE(b, DT_F64, 4), 1, 1);
    Node *l =
        loop_of(b, sums, "down=false, grows=true", "rows=9, go=true, init=0.0, init=1, capture=%1");
    Node *some[] = {node_proj(&b->st, l, 0), node_proj(&b->st, l, 2), node_proj(&b->st, l, 3)};
    assert_true(run(b, 3, some));
    assert_true(at(b, 0, 0) == 9 && at(b, 2, 0) == 3 && at(b, 1, 0) == 2);
    assert_int_equal(b->out[1]->shape[0], 3);
    l = loop_of(b, sums, "down=false, grows=true",
                "rows=9, go=false, init=0.5, init=1, capture=%1");
    Node *none[] = {node_proj(&b->st, l, 0), node_proj(&b->st, l, 2), node_proj(&b->st, l, 3)};
    assert_true(run(b, 3, none));
    assert_true(at(b, 0, 0) == 0.5 && at(b, 2, 0) == 0);
    assert_int_equal(b->out[1]->shape[0], 0);
    /* backwards, by a test that is not the planner's: row 3 is written first */
    static const char down[] = "@1 = graph(p0: f64, p1: i64) {\n  %3 = mul(p0, 2.0)\n"
                               "  %4 = add(p1, 2)\n  %5 = lt(%4, 8)\n  return %3, %4, %3, %5\n}\n";
    l = loop_of(b, down, "down=true, grows=false", "rows=4, go=true, init=1.0, init=0");
    assert_true(run1(b, node_proj(&b->st, l, 2)));
    assert_true(at(b, 0, 3) == 2 && at(b, 0, 0) == 16);
    close_bench(b);
}

static void test_wrong_tests(void **state)
{
    (void)state;
    Bench bench, *b = &bench;
    open_bench(b);
    given(b, "u", TYPE(b, DT_F64, 4), 1, 1);
    given(b, "k", I64, -3, 0);
    static const struct {
        const char *flags, *operands, *code, *words;
    } cases[] = {
        {"down=false, grows=true", "rows=2, go=true, init=0.0, init=0, capture=%1", "check",
         "goes on after the 2 steps"},
        {"down=false, grows=false", "rows=2, go=true, init=0.0, init=0, capture=%1", "check",
         "goes on after the 2 steps"},
        {"down=false, grows=false", "rows=9, go=true, init=0.0, init=0, capture=%1", "check",
         "ends after 4 of the 9 steps"},
        {"down=false, grows=false", "rows=4, go=false, init=0.0, init=0, capture=%1", "check",
         "ends after 0 of the 4 steps"},
        {"down=false, grows=true", "rows=0, go=true, init=0.0, init=0, capture=%1", "check",
         "goes on after the 0 steps"},
        {"down=false, grows=true", "rows=%2, go=true, init=0.0, init=0, capture=%1", "check",
         "negative number of times"},
        {"down=false, grows=true", "rows=9, go=true, init=0.0, init=-9, capture=%1", "index", "-9"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Node *l = loop_of(b, sums, cases[i].flags, cases[i].operands);
        refused(b, node_proj(&b->st, l, 2), cases[i].code, cases[i].words);
    }
    close_bench(b);
}

static void test_refused_texts(void **state)
{
    (void)state;
    Bench bench, *b = &bench;
    open_bench(b);
    static const char *const wrong[][2] = {
        {"down=false, grows=false", "rows=4, init=0.0, init=0, capture=%1"},
        {"down=false, grows=false", "rows=4, go=1, init=0.0, init=0, capture=%1"},
        {"down=false, grows=false", "rows=4.0, go=true, init=0.0, init=0, capture=%1"},
        {"down=false, grows=false", "rows=4, go=true, init=0, init=0, capture=%1"},
        {"down=false, grows=false", "rows=4, go=true, init=0.0, init=0"},
        {"down=true, grows=true", "rows=4, go=true, init=0.0, init=0, capture=%1"},
        {"until=true", "rows=4, go=true, init=0.0, init=0, capture=%1"},
        {"counter=0", "rows=4, go=true, init=0.0, init=0, capture=%1"},
        {"counter=2", "rows=4, go=true, init=0.0, init=0, capture=%1"},
        {"counter=1", "rows=4, go=true, init=0.0, init=1, capture=%1"},
        {"counter=1", "rows=5, go=true, init=0.0, init=0, capture=%1"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        size_t before = b->diags.errors;
        assert_null(loop_of(b, sums, wrong[i][0], wrong[i][1]));
        assert_true(b->diags.errors > before);
    }
    /* a derivative is taken of the scan, before it is lowered */
    Node *l = loop_of(b, sums, "down=false, grows=false",
                      "rows=4, go=true, init=0.0, init=0, capture=%1");
    Node *y = node_proj(&b->st, l, 0), *one = num(b, 1), *x = l->ops[4], *bar = NULL;
    size_t before = b->diags.errors;
    assert_false(vjp_pull(&b->st, 1, &y, &one, 1, &x, &bar, NULL));
    assert_true(b->diags.errors > before);
    close_bench(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counted), cmocka_unit_test(test_records),
        cmocka_unit_test(test_other_counters), cmocka_unit_test(test_wrong_tests),
        cmocka_unit_test(test_refused_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
