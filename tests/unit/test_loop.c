/* The operator `loop`: loops with and without a counter, and the ways in which a loop's own test
 * can be wrong. */
#include "vm_bench.h"

#include "grad/vjp.h"

/* s + u[i], i + by, the trace of s, and on while i + by < 4; or with the row of the next step. */
static Graph *sums_body(Bench *b, i64 by, bool next_row)
{
    Size *length = size_param(&b->st, 0);
    Type *params[] = {F64, I64, type_tensor(&b->st, DT_F64, 1, &length)};
    Node *next = binary(b, OP_ADD, param(b, 1, I64), whole(b, by));
    Node *row = index_of(b, param(b, 2, params[2]), next_row ? next : param(b, 1, I64));
    Node *sum = binary(b, OP_ADD, param(b, 0, F64), row);
    return body_of(b, 3, params, LIST(Node *, sum, next, sum, binary(b, OP_LT, next, whole(b, 4))));
}

/* Twice s, i + 2, the trace of s, and on while i + 2 < 8. */
static Graph *doubling_body(Bench *b)
{
    Node *next = binary(b, OP_ADD, param(b, 1, I64), whole(b, 2));
    Node *twice = binary(b, OP_MUL, param(b, 0, F64), num(b, 2));
    return body_of(b, LIST(Type *, F64, I64),
                   LIST(Node *, twice, next, twice, binary(b, OP_LT, next, whole(b, 8))));
}

enum { FIXED, GROWS = 1, DOWN = 2 };

/* NULL after a diagnostic; u is the input of that name, or NULL: nothing is captured. */
static Node *loop_from(Bench *b, Graph *body, u32 flags, int counter, Node *rows, Node *go,
                       Node *first, Node *start, Node *u)
{
    Node *inits[] = {first, start};
    LoopShape shape = {.body = body,
                       .nstates = 2,
                       .ncaptures = u != NULL,
                       .down = (flags & DOWN) != 0,
                       .grows = (flags & GROWS) != 0,
                       .counter = counter,
                       .rows = rows,
                       .go = go,
                       .inits = inits,
                       .captures = &u};
    Node *loop = loop_node(&b->st, &shape);
    Text why = {0};
    if (loop && !graph_verify(&b->st, 1, &loop, &why))
        fail_msg("%s", text_str(&why));
    text_free(&why);
    return loop;
}

/* The sums of the rows of u from `start` on. */
static Node *sums(Bench *b, u32 flags, int counter, Node *rows, bool go, i64 start)
{
    return loop_from(b, sums_body(b, 1, false), flags, counter, rows, node_bool(&b->st, go),
                     num(b, 0), whole(b, start), given(b, "u", TYPE(b, DT_F64, 4), 1, 1));
}

static void test_counted(void **state)
{
    (void)state;
    Bench bench, *b = &bench;
    open_bench(b);
    for (int way = 0; way < 3;
         way++) { /* planned by its counter, without, and with none recorded */
        b->flags = way == 1 ? PLAN_UNCOUNTED : 0;
        Node *l = sums(b, FIXED, way == 2 ? -1 : 1, whole(b, 4), true, 0);
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
    Node *l = sums(b, FIXED, 1, whole(b, 4), true, 0);
    records(l, 1, 1);
    assert_int_equal(loop_shape(l).walked->at[0], 0);
    records(sums(b, FIXED, -1, whole(b, 4), true, 0), -1, 0);
    records(sums(b, FIXED, 0, whole(b, 4), true, 0), -1, 0);
    records(sums(b, FIXED, 2, whole(b, 4), true, 0), -1, 0);
    records(sums(b, FIXED, 1, whole(b, 4), true, 1), -1, 0);
    records(sums(b, FIXED, 1, whole(b, 5), true, 0), -1, 0);
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
        i64 by;
        bool next_row;
        int counter;
    } bodies[] = {{2, false, -1}, {1, true, 1}};
    for (size_t i = 0; i < COUNT_OF(bodies); i++) {
        Attr attrs[LOOP_ATTRS];
        memcpy(attrs, l->attrs, sizeof attrs);
        attrs[0].graph = sums_body(b, bodies[i].by, bodies[i].next_row);
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
    Node *l = sums(b, GROWS, -1, whole(b, 9), true, 1);
    Node *some[] = {node_proj(&b->st, l, 0), node_proj(&b->st, l, 2), node_proj(&b->st, l, 3)};
    assert_true(run(b, 3, some));
    assert_true(at(b, 0, 0) == 9 && at(b, 2, 0) == 3 && at(b, 1, 0) == 2);
    assert_int_equal(b->out[1]->shape[0], 3);
    l = sums(b, GROWS, -1, whole(b, 9), false, 1);
    Node *none[] = {node_proj(&b->st, l, 0), node_proj(&b->st, l, 2), node_proj(&b->st, l, 3)};
    assert_true(run(b, 3, none));
    assert_true(at(b, 0, 0) == 0 && at(b, 2, 0) == 0);
    assert_int_equal(b->out[1]->shape[0], 0);
    /* backwards, by a test that is not the planner's: row 3 is written first */
    l = loop_from(b, doubling_body(b), DOWN, -1, whole(b, 4), node_bool(&b->st, true), num(b, 1),
                  whole(b, 0), NULL);
    assert_true(run1(b, node_proj(&b->st, l, 2)));
    assert_true(at(b, 0, 3) == 2 && at(b, 0, 0) == 16);
    close_bench(b);
}

static void test_wrong_tests(void **state)
{
    (void)state;
    Bench bench, *b = &bench;
    open_bench(b);
    static const struct {
        i64 rows, start;
        u32 flags;
        bool stays; /* no first step */
        const char *code, *words;
    } cases[] = {
        {2, 0, GROWS, false, "check", "did not stop within its limit of 2 steps"},
        {2, 0, FIXED, false, "check", "did not stop within its limit of 2 steps"},
        {9, 0, FIXED, false, "check", "stopped after 4 of its 9 steps"},
        {4, 0, FIXED, true, "check", "stopped after 0 of its 4 steps"},
        {0, 0, GROWS, false, "check", "did not stop within its limit of 0 steps"},
        {-3, 0, GROWS, false, "check", "steps is negative"},
        {9, -9, GROWS, false, "index", "-9"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Node *rows = cases[i].rows < 0 ? given(b, "k", I64, (double)cases[i].rows, 0)
                                       : whole(b, cases[i].rows);
        Node *l = sums(b, cases[i].flags, -1, rows, !cases[i].stays, cases[i].start);
        refused(b, node_proj(&b->st, l, 2), cases[i].code, cases[i].words);
    }
    close_bench(b);
}

static void test_refused_operands(void **state)
{
    (void)state;
    Bench bench, *b = &bench;
    open_bench(b);
    Node *u = given(b, "u", TYPE(b, DT_F64, 4), 1, 1), *yes = node_bool(&b->st, true);
    Node *zero = num(b, 0), *none = whole(b, 0), *four = whole(b, 4);
    const struct {
        u32 flags;
        Node *rows, *go, *first, *capture;
    } wrong[] = {
        {FIXED, four, whole(b, 1), zero, u}, {FIXED, num(b, 4), yes, zero, u},
        {FIXED, four, yes, none, u},         {FIXED, four, yes, zero, NULL},
        {DOWN | GROWS, four, yes, zero, u},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_null(loop_from(b, sums_body(b, 1, false), wrong[i].flags, -1, wrong[i].rows,
                              wrong[i].go, wrong[i].first, none, wrong[i].capture));
    /* a derivative is taken of the scan, before it is lowered */
    Node *l = sums(b, FIXED, -1, four, true, 0);
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
        cmocka_unit_test(test_refused_operands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
