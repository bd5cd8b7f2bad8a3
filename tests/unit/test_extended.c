/* What the derivative of a loop leaves: one forward loop, in the place of the one that was there,
 * which keeps what is read and nothing else; constant cotangents are no sequences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph/control.h"
#include "run_text.h"

static const char sums[] = "scan t over x from s = 0.5 { s[t] = tanh(s[t-1] * x[t]) }";

/* The loop's rows meet others, so their cotangents differ. */
static const char products[] = "(scan t over x from s = 0.5 { s[t] = tanh(s[t+1] * x[t]) }) * x";

/* A loop in a loop, of which only the last number counts. */
static const char nested[] = "(scan t over x from s = 0.5 { s[t] = (scan i over x from r = s[t-1] "
                             "{ r[i] = tanh(r[i-1] * x[t] + x[i]) }).final }).final";

typedef struct {
    ScanShape forward, backward;
    int count;
} Loops;

/* The two loops among what the roots reach, the one that the other reads first. */
static Loops loops_of(int n, Node *const *roots)
{
    NodeVec order = {0};
    Loops l = {.count = 0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_SCAN) {
            *(l.count++ ? &l.backward : &l.forward) = scan_shape(order.at[i]);
            assert_true(l.count <= 2);
        }
    vec_free(&order);
    return l;
}

/* What a derivative of the sum of what the text says becomes. */
static Loops expanded(Session *s, const char *derivative, const char *text)
{
    Text whole = {0};
    assert_true(session_init(s));
    run_statements(s, "x : f64[4]");
    pipeline_clear(&s->options.pipeline);
    pipeline_add(&s->options.pipeline, pass_named("differentiate"));
    text_printf(&whole, "%s(sum(%s), x)", derivative, text);
    Exploration *x = run_pipeline(s, text_str(&whole));
    assert_non_null(x);
    Loops l = loops_of(x->nroots, x->roots);
    assert_int_equal(l.count, 2);
    text_free(&whole);
    return l;
}

static void test_one_forward_loop(void **state)
{
    (void)state;
    Session s;
    Loops l = expanded(&s, "grad", sums);
    assert_int_equal(l.forward.nouts, 1);  /* the state before each step; nobody reads y */
    assert_int_equal(l.backward.nseqs, 2); /* that and x; the cotangent of each row is 1 */
    assert_int_equal(l.backward.ncaptures, 0);
    assert_true(l.backward.reverse);
    session_free(&s);
    l = expanded(&s, "value_and_grad", sums);
    assert_int_equal(l.forward.nouts, 2); /* y, too: the loss is asked for */
    session_free(&s);
}

static void test_cotangents_by_row(void **state)
{
    (void)state;
    Session s;
    Loops l = expanded(&s, "grad", products);
    assert_int_equal(l.forward.nouts, 2);  /* y is a factor of what x gets */
    assert_int_equal(l.backward.nseqs, 3); /* the state, x, what comes in */
    assert_false(l.backward.reverse);
    session_free(&s);
}

/* The inner loop keeps its states once, in the body of the outer one, which keeps their rows. */
static void test_loop_in_a_loop(void **state)
{
    (void)state;
    Session s;
    Loops l = expanded(&s, "grad", nested);
    int inner = 0;
    NodeVec order = {0};
    nodes_topo(l.forward.body->nouts, l.forward.body->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        inner += order.at[i]->op == OP_SCAN;
    assert_int_equal(inner, 1);
    vec_free(&order);
    session_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_forward_loop),
                                       cmocka_unit_test(test_cotangents_by_row),
                                       cmocka_unit_test(test_loop_in_a_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
