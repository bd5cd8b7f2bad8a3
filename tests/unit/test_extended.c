/* What the derivative of a loop leaves: one forward loop, in the place of the one that was there,
 * which keeps what is read and nothing else; constant cotangents are no sequences. */
#include "vm_bench.h"

/* The only root of a text. */
static Node *gradient_of(Bench *b, const char *text)
{
    Node **roots = NULL;
    Source *src = arena_alloc(&b->st.arena, sizeof *src);
    *src = (Source){.name = "gradient",
                    .text = arena_strndup(&b->st.arena, text, strlen(text)),
                    .len = strlen(text)};
    int n = graph_read(&b->st, src, &roots);
    assert_int_equal(n, 1);
    Node *d = roots[0];
    free(roots);
    return d;
}

static const char sums[] =
    "%1 : f64[4] = input{name=x}()\n"
    "@1 = graph(p0: f64, p1: f64) {\n  %2 = mul(p0, p1)\n  %3 = tanh(%2)\n  return %3, %3\n}\n"
    "@2 = graph(p0: f64[4]) {\n  %4 = scan{body=@1, reverse=false, stop=false}(n=4, init=0.5, "
    "seq=p0)\n  %5 = %4.1\n  %6 = sum{axes=(0,)}(%5)\n  return %6\n}\n"
    "%7 = grad{body=@2, wrt=1}(%1)\nreturn %7\n";

/* The same, but the loss is a product with the loop's rows, so their cotangents differ. */
static const char products[] =
    "%1 : f64[4] = input{name=x}()\n"
    "@1 = graph(p0: f64, p1: f64) {\n  %2 = mul(p0, p1)\n  %3 = tanh(%2)\n  return %3, %3\n}\n"
    "@2 = graph(p0: f64[4]) {\n  %4 = scan{body=@1, reverse=true, stop=false}(n=4, init=0.5, "
    "seq=p0)\n  %5 = %4.1\n  %6 = mul(%5, p0)\n  %7 = sum{axes=(0,)}(%6)\n  return %7\n}\n"
    "%8 = grad{body=@2, wrt=1}(%1)\nreturn %8\n";

/* A loop in a loop, of which only the last number counts. */
static const char nested[] =
    "%1 : f64[4] = input{name=x}()\n"
    "@1 = graph(p0: f64, p1: f64, p2: f64) {\n  %2 = mul(p0, p1)\n  %3 = add(%2, p2)\n"
    "  %4 = tanh(%3)\n  return %4\n}\n"
    "@3 = graph(p0: f64, p1: f64, p2: f64[d0]) {\n  %5 = dim{axis=0}(p2)\n"
    "  %6 = scan{body=@1, reverse=false, stop=false}(n=%5, init=p0, seq=p2, capture=p1)\n"
    "  %7 = %6.0\n  return %7\n}\n"
    "@2 = graph(p0: f64[4]) {\n  %8 = scan{body=@3, reverse=false, stop=false}(n=4, init=0.5, "
    "seq=p0, capture=p0)\n  %9 = %8.0\n  return %9\n}\n"
    "%10 = grad{body=@2, wrt=1}(%1)\nreturn %10\n";

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

static Loops expanded(Bench *b, const char *text, bool value)
{
    Node *d = gradient_of(b, text);
    Node *roots[] = {node_proj(&b->st, d, 0), node_proj(&b->st, d, 1)};
    int n = value ? 2 : 1;
    rewrite(b, "differentiate", n, roots);
    Loops l = loops_of(n, roots);
    assert_int_equal(l.count, 2);
    return l;
}

static void test_one_forward_loop(void **state)
{
    (void)state;
    Bench bench, *b = &bench;
    open_bench(b);
    Loops l = expanded(b, sums, false);
    assert_int_equal(l.forward.nouts, 1);  /* the state before each step; nobody reads y */
    assert_int_equal(l.backward.nseqs, 2); /* that and x; the cotangent of each row is 1 */
    assert_int_equal(l.backward.ncaptures, 0);
    assert_true(l.backward.reverse);
    l = expanded(b, sums, true);
    assert_int_equal(l.forward.nouts, 2); /* y, too: the loss is asked for */
    close_bench(b);
}

static void test_cotangents_by_row(void **state)
{
    (void)state;
    Bench bench, *b = &bench;
    open_bench(b);
    Loops l = expanded(b, products, false);
    assert_int_equal(l.forward.nouts, 2);  /* y is a factor of what x gets */
    assert_int_equal(l.backward.nseqs, 3); /* the state, x, what comes in */
    assert_false(l.backward.reverse);
    close_bench(b);
}

/* The inner loop keeps its states once, in the body of the outer one, which keeps their rows. */
static void test_loop_in_a_loop(void **state)
{
    (void)state;
    Bench bench, *b = &bench;
    open_bench(b);
    Loops l = expanded(b, nested, false);
    int inner = 0;
    NodeVec order = {0};
    nodes_topo(l.forward.body->nouts, l.forward.body->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        inner += order.at[i]->op == OP_SCAN;
    assert_int_equal(inner, 1);
    vec_free(&order);
    close_bench(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_forward_loop),
                                       cmocka_unit_test(test_cotangents_by_row),
                                       cmocka_unit_test(test_loop_in_a_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
