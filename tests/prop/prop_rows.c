/* What loops keep and how many steps they take, measured: bytes at the peak of an evaluation and
 * steps that ran, for every way to read some rows of a trace. Nothing depends on time. And what is
 * hoisted out of a loop that may take no step: it runs only if there is one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "scan_run.h"

enum { STEPS = 20000, FEW = 512, ROOTS = 16384 /* a few times sqrt(STEPS) rows */ };

/* A trace of all steps has 160,000 bytes. */
static const char program[] =
    "k : i64 = 20000\ni : i64 = 77\na : f64 = 0.9\nb : f64 = 0.3\n"
    "S = scan t for k from h = b checkpoint auto { h[t] = tanh(h[t-1] * a + 0.1) }\n"
    "M = scan t for k from h = b, g = a checkpoint auto { h[t] = tanh(h[t-1] * a + g[t-1]); "
    "g[t] = sin(g[t-1] + 0.1); o[t] = h[t] * g[t] }\n"
    "R = scan t for k from h = b checkpoint auto { h[t] = tanh(h[t+1] * a + 0.1) }\n"
    "U = scan t for k from h = b checkpoint auto { h[t] = tanh(h[t-1] * a + 0.1); o[t] = "
    "cos(h[t]); "
    "until h[t] > 100 }\n"
    "W = scan t from h = b, n = 0 checkpoint auto { h[t] = tanh(h[t-1] * a + 0.1); n[t] = n[t-1] + "
    "1; "
    "until n[t] + i64(h[t]) >= k }\n"
    "C = scan t for 20000 from h = b checkpoint auto { h[t] = tanh(h[t-1] * a + 0.1) }\n"
    "B = scan t for k from h = b checkpoint auto { h[t] = tanh(h[t-1] * a + 0.1); o[t] = h[t]; "
    "until h[t] < -1 }\n"
    "T = scan t for k from h = b { h[t] = tanh(h[t-1] * a + f64(t)) }\n"
    "X = scan t for k from h = b { h[t] = tanh(h[t-1] * a + f64(t)); until h[t] > 9 }\n"
    "last(x) = x[-1]\n"
    "run(v) = scan t for k from h = b checkpoint auto { h[t] = tanh(h[t-1] * v + 0.1) }\n"
    "vs = [0.5, 0.7, 0.9]\n";

typedef struct {
    const char *text;
    size_t bytes; /* at most */
    u64 steps;    /* at most; 0: any number */
} Limit;

static const Limit limits[] = {
    /* the last row */
    {"S[-1]", FEW, STEPS},
    {"S[size(S, 0) - 1]", FEW, STEPS},
    {"S[k - 1]", FEW, STEPS},
    {"S[-1:]", FEW, STEPS},
    {"sum(S[-1:])", FEW, STEPS},
    {"last(S)", FEW, STEPS},
    {"C[-1] + C[19999]", FEW, STEPS},
    {"(M.h[-1], M.g[-1], M.o[-1])", FEW, STEPS},
    {"R[0]", FEW, STEPS},
    {"U.h[-1]", FEW, STEPS},
    {"U.o[-1]", FEW, STEPS},
    {"W.h[-1]", FEW, STEPS},
    /* a few rows */
    {"S[-3:]", FEW, STEPS},
    {"C[-3:]", FEW, STEPS},
    {"S[-3:-1]", FEW, STEPS},
    {"S[-20::4]", FEW, STEPS},
    {"S[-2]", FEW, STEPS - 1},
    {"S[-2] - S[-1]", FEW, STEPS},
    {"(S[-2], S.final, S.steps)", FEW, STEPS},
    {"S[4]", FEW, 5},
    {"S[i]", FEW, 78},
    {"S[i - 80]", FEW, STEPS - 2},
    {"S[4:7]", FEW, 7},
    {"S[:9]", FEW, 9},
    {"S[[0, 50, 1000]]", FEW, 1001},
    {"C[[0, -1, -700]]", FEW, STEPS},
    {"(S[0], S[400], S[4000:4004], S.final)", FEW, STEPS},
    {"M.o[-4:]", FEW, STEPS},
    {"(M.h[3], M.o[2:5])", FEW, 5},
    {"R[:3]", FEW, STEPS},
    {"R[-3]", FEW, 3},
    {"R[5]", FEW, STEPS - 5},
    {"U.h[-2]", FEW, STEPS},
    {"U.h[-3:]", FEW, STEPS},
    {"(U.o[-2:], U.steps)", FEW, STEPS},
    {"U.h[4]", FEW, 5},
    {"U.h[[1, 3]]", FEW, 4},
    {"(T[4], T.final)", FEW, STEPS},
    {"(T[-300:-298], T.final)", FEW, STEPS},
    {"X[4]", FEW, 5},
    {"W.h[-2:]", FEW, STEPS},
    {"W.h[7]", FEW, 8},
    {"(B.h[-2], B.o[-1])", FEW, STEPS},
    /* gradients: what the policy keeps, and nothing of the trace */
    {"grad(S.final, a)", ROOTS, 0},
    {"grad(S[-1], a)", ROOTS, 0},
    {"grad(S[k - 1], a)", ROOTS, 0},
    {"grad(sum(S[-1:]), a)", ROOTS, 0},
    {"grad(last(S), a)", ROOTS, 0},
    {"grad(sqr(M.h[-1]) + M.g[-1], [a, b])", 2 * ROOTS, 0},
    {"grad(sum(S[-3:]), a)", ROOTS, 0},
    {"grad(S[-2], a)", ROOTS, 0},
    {"grad(S[i], a)", ROOTS, 300},
    {"grad(S[4] + sum(S[2:7]), a)", ROOTS, 60},
    {"grad(S[400] + S.final, a)", ROOTS, 0},
    {"grad(R[0], a)", ROOTS, 0},
    {"grad(sum(R[:3]), a)", ROOTS, 0},
    {"grad(U.h[-1], a)", ROOTS, 0},
    {"grad(sum(U.o[-2:]), a)", 2 * ROOTS, 0},
    {"grad(W.h[-1], a)", ROOTS, 0},
    {"grad(U.h[4], a)", ROOTS, 60},
    {"jvp(S[-3:], a, 1.0)", FEW, 0},
    {"vjp(S[-2:], a, [1.0, 2.0])", ROOTS, 0},
    {"grad(grad(v -> sum(run(v)[-3:])))(a)", 4 * ROOTS, 0},
    {"grad(grad(v -> run(v)[-1]))(a)", 4 * ROOTS, 0},
    {"vmap(v -> run(v)[-1])(vs)", FEW, 0},
    {"vmap(v -> run(v)[-3:])(vs)", FEW, 0},
    {"vmap(v -> grad(w -> sum(run(w)[-3:]))(v))(vs)", 4 * ROOTS, 0},
    {"vmap(v -> run(v)[4])(vs)", FEW, 5},
};

static void fail_with(Session *s, const char *text)
{
    fprintf(stderr, "%s\n", text);
    for (size_t i = 0; i < s->diags.list.len; i++)
        fprintf(stderr, "  %s\n", s->diags.list.at[i].message);
    fail();
}

static void rows_not_read_are_not_kept(void **state)
{
    (void)state;
    Session s;
    int wrong = 0;
    assert_true(session_init(&s));
    if (!run_statements(&s, program))
        fail_with(&s, program);
    for (size_t i = 0; i < COUNT_OF(limits); i++) {
        const Limit *l = &limits[i];
        Values v = {0};
        if (!run_values(&s, l->text, true, &v))
            fail_with(&s, l->text);
        values_free(&v);
        size_t bytes = s.st.heap.peak - s.st.heap.live;
        if (bytes <= l->bytes && (!l->steps || s.run_steps <= l->steps))
            continue;
        fprintf(stderr, "%s: %zu bytes, %llu steps\n", l->text, bytes,
                (unsigned long long)s.run_steps);
        wrong++;
    }
    session_free(&s);
    assert_int_equal(wrong, 0);
}

/* What is read as a whole, or what somebody else reads as a whole, is one loop. */
static void loops_run_once(void **state)
{
    (void)state;
    static const Limit once[] = {
        {"(S, sum(S[-3:]))", 8 * STEPS + FEW, STEPS},
        {"(S[1:], S[:-1])", 24 * STEPS + FEW, STEPS},
        {"sum(S[5:] * S[:-5])", 24 * STEPS + FEW, STEPS},
        {"(P, grad(sum(P[-3:]), a))", 64 * STEPS + FEW, 2 * STEPS},
        {"(sum(P[-3:]), grad(sum(P), a))", 64 * STEPS + FEW, 2 * STEPS},
        {"(sum(P[-3:]), grad(sum(P[-3:]), a))", 64 * STEPS + FEW, 2 * STEPS},
    };
    Session s;
    assert_true(session_init(&s));
    if (!run_statements(&s, program) ||
        !run_statements(&s, "P = scan t for k from h = b { h[t] = tanh(h[t-1] * a + 0.1) }\n"))
        fail_with(&s, program);
    for (size_t i = 0; i < COUNT_OF(once); i++) {
        Values v = {0};
        if (!run_values(&s, once[i].text, true, &v))
            fail_with(&s, once[i].text);
        values_free(&v);
        print_message("%s: %llu steps\n", once[i].text, (unsigned long long)s.run_steps);
        assert_true(s.run_steps <= once[i].steps);
    }
    session_free(&s);
}

/* ---- what is hoisted ---- */

static u32 count_op(Graph *g, int nroots, Node *const *roots, OpId op, bool in_loops)
{
    NodeVec order = {0};
    u32 count = 0;
    nodes_topo(g ? g->nouts : nroots, g ? g->outs : roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        int slots[4], graphs = node_graphs(n, slots);
        bool loop = n->op == OP_SCAN || n->op == OP_LOOP;
        count += n->op == op;
        for (int k = 0; k < graphs && (in_loops || !loop); k++)
            count += count_op(n->attrs[slots[k]].graph, 0, NULL, op, in_loops);
    }
    vec_free(&order);
    return count;
}

typedef struct {
    const char *text;
    OpId op; /* stands outside of all loops, and there once */
} Hoisted;

/* With no step the matrix is singular and the divisor zero: whatever runs is an error. */
static const Hoisted hoisted[] = {
    {"(scan t for n from h = c { h[t] = tanh(h[t-1]) + solve(A, c) }).final", OP_SOLVE},
    {"(scan t for n from h = c { h[t] = tanh(h[t+1]) + solve(A, c) }).final", OP_SOLVE},
    {"(scan t over u from h = c { h[t] = tanh(h[t-1] + u[t]) + solve(A, c) }).final", OP_SOLVE},
    {"(scan t over u from h = c { h[t] = tanh(h[t-1] + u[t]) + solve(A, c); until h[t, 0] > 9 "
     "}).final",
     OP_SOLVE},
    {"(scan t for n from h = c { h[t] = tanh(h[t-1]) * f64(6 // n) + f64(t) }).final", OP_FLOORDIV},
    {"(scan t for n from h = c, g = c { h[t] = tanh(h[t-1]) + solve(A, c); g[t] = sin(g[t-1] * "
     "sum(solve(A, c))) }).final.g",
     OP_SOLVE},
    {"if n >= 1 then (scan t for n from h = c { h[t] = tanh(h[t-1]) + solve(A, c) }).final else c",
     OP_SOLVE},
    {"(scan t for n from h = c { h[t] = (scan j for n from g = h[t-1] { g[j] = tanh(g[j-1]) + "
     "solve(A, c) }).final }).final",
     OP_SOLVE},
    {"grad(sum((scan t for n from h = c { h[t] = tanh(h[t-1] + solve(A, c)) }).final), c)",
     OP_COUNT},
    {"(scan t for n from h = c { h[t] = tanh(h[t-1]) + (scan j for 3 from g = c { g[j] = "
     "sin(g[j-1]) + "
     "f64(6 // n) }).final }).final",
     OP_FLOORDIV},
};

static void hoisted_only_if_there_is_a_step(void **state)
{
    (void)state;
    static const char singular[] = "n : i64 = 0\nc : f64[3] = [1, 2, 3]\n"
                                   "A : f64[3, 3] = zeros((3, 3))\nu : f64[T, 3] = zeros((0, 3))\n";
    static const char regular[] = "n := 2\nA := [[2, 0, 1], [0, 3, 0], [1, 0, 4]]\n"
                                  "u := ones((2, 3))\n";
    for (size_t i = 0; i < COUNT_OF(hoisted); i++) {
        const Hoisted *h = &hoisted[i];
        Session s;
        u32 loops = 0;
        assert_true(session_init(&s));
        Values v = {0}, want = {0};
        if (!run_statements(&s, singular) || !run_values(&s, h->text, true, &v))
            fail_with(&s, h->text);
        values_free(&v);
        if (!run_statements(&s, regular) || !run_values(&s, h->text, true, &v) ||
            !run_unrolled(&s, h->text, &loops, &want))
            fail_with(&s, h->text);
        if (values_error(v.at[0], want.at[0]) > 1e-12)
            fail_with(&s, h->text);
        values_free(&v);
        values_free(&want);
        Exploration *x = run_explored(&s, h->text);
        if (!x || (h->op != OP_COUNT && (count_op(NULL, x->nroots, x->roots, h->op, false) != 1 ||
                                         count_op(NULL, x->nroots, x->roots, h->op, true) != 1)))
            fail_with(&s, h->text);
        exploration_free(x);
        session_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_not_read_are_not_kept),
        cmocka_unit_test(loops_run_once),
        cmocka_unit_test(hoisted_only_if_there_is_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
