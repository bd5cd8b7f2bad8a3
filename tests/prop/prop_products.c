/* Sums of random matrix products, with transposed operands, factors, batches, vectors and empty
 * axes: what the pass `specialize` makes of them gives the same values but for rounding, NaN where
 * the plain form gives NaN, and each form that the library knows is met. GRADUS_SEED and
 * GRADUS_CASES choose. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "effort.h"
#include "tests/unit/vm_bench.h"

typedef struct {
    Bench *b;
    u64 seed;
    DType d;
    i64 m, k, n, batch;
    int serial;
} Gen;

static u32 roll(Gen *g, u32 n)
{
    g->seed = g->seed * 6364136223846793005u + 1442695040888963407u;
    return (u32)(g->seed >> 33) % n;
}

/* A new input, or the transpose of one. */
static Node *matrix(Gen *g, int batched, i64 rows, i64 cols)
{
    char name[16];
    bool swap = roll(g, 2);
    i64 dims[] = {g->batch, swap ? cols : rows, swap ? rows : cols};
    snprintf(name, sizeof name, "m%d", g->serial++);
    Node *x = given(g->b, name, dims_type(g->b, g->d, 2 + batched, dims + !batched),
                    -1 + 0.1 * (double)roll(g, 9), 0.07);
    return swap ? build_swap_last(&g->b->st, x) : x;
}

static Node *vector(Gen *g, i64 n)
{
    char name[16];
    snprintf(name, sizeof name, "v%d", g->serial++);
    return given(g->b, name, dims_type(g->b, g->d, 1, &n), 0.3, -0.11);
}

static Node *scalar(Gen *g)
{
    char name[16];
    snprintf(name, sizeof name, "s%d", g->serial++);
    double value = (double)roll(g, 5) - 2; /* 0 too */
    return roll(g, 2) ? node_number(&g->b->st, g->d, value)
                      : given(g->b, name, type_scalar(&g->b->st, g->d), value, 0);
}

static Node *product(Gen *g, int kind)
{
    Store *st = &g->b->st;
    switch (kind) {
    case 0: return node2(st, OP_MATMUL, NULL, matrix(g, 0, g->m, g->k), matrix(g, 0, g->k, g->n));
    case 1: {
        int left = (int)roll(g, 3), right = left ? (int)roll(g, 2) : 1;
        left = left > 0;
        return node2(st, OP_MATMUL, NULL, matrix(g, left, g->m, g->k),
                     matrix(g, right, g->k, g->n));
    }
    case 2:
        return roll(g, 2) ? node2(st, OP_MATMUL, NULL, matrix(g, 0, g->m, g->k), vector(g, g->k))
                          : node2(st, OP_MATMUL, NULL, vector(g, g->k), matrix(g, 0, g->k, g->m));
    default:
        return node2(st, OP_MATMUL, NULL, build_expand(st, vector(g, g->m), 1),
                     build_expand(st, vector(g, g->n), 0));
    }
}

static Node *addend(Gen *g, int kind)
{
    if (roll(g, 3) == 0)
        return product(g, kind);
    i64 dims[] = {g->batch, g->m, g->n};
    char name[16];
    snprintf(name, sizeof name, "c%d", g->serial++);
    int rank = kind == 1 ? 3 : kind == 2 ? 1 : 2;
    return given(g->b, name, dims_type(g->b, g->d, rank, kind == 1 ? dims : dims + 1), 0.9, -0.2);
}

static Node *scaled(Gen *g, Node *x)
{
    return roll(g, 3) ? x : node2(&g->b->st, OP_MUL, NULL, scalar(g), x);
}

static Node *random_sum(Gen *g, int kind)
{
    Store *st = &g->b->st;
    Node *x = scaled(g, product(g, kind)), *z = scaled(g, addend(g, kind));
    switch (roll(g, 6)) {
    case 0: return x;
    case 1: return node2(st, OP_SUB, NULL, x, z);
    case 2: return node2(st, OP_SUB, NULL, z, x);
    case 3: return node3(st, OP_ADD, NULL, z, x, addend(g, kind));
    case 4: return node2(st, OP_ADD, NULL, node1(st, OP_TANH, NULL, x), z);
    default: return node2(st, OP_ADD, NULL, x, z);
    }
}

/* ---- what must hold ---- */

static bool near(const Tensor *a, const Tensor *b)
{
    double scale = 1, tolerance = a->dtype == DT_F32 ? 1e-5 : 1e-13;
    if (a->rank != b->rank || memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape))
        return false;
    for (i64 i = 0; i < a->count; i++)
        if (isfinite(tensor_f64_at(a, i)))
            scale = fmax(scale, fabs(tensor_f64_at(a, i)));
    for (i64 i = 0; i < a->count; i++) {
        double x = tensor_f64_at(a, i), y = tensor_f64_at(b, i);
        if (isnan(x) != isnan(y) || (!isnan(x) && fabs(x - y) > tolerance * scale))
            return false;
    }
    return true;
}

typedef struct {
    u32 gemm, gemv, ger, batched, added, scaled;
} Seen;

static void look(int n, Node *const *roots, Seen *seen)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        const Node *x = order.at[i];
        bool form = x->op == OP_GEMM || x->op == OP_GEMV || x->op == OP_GER;
        seen->gemm += x->op == OP_GEMM && x->type->rank == 2;
        seen->batched += x->op == OP_GEMM && x->type->rank == 3;
        seen->gemv += x->op == OP_GEMV;
        seen->ger += x->op == OP_GER;
        seen->added += form && x->nops == 3;
        seen->scaled += form && x->nops == 5;
    }
    vec_free(&order);
}

static void spoil(Bench *b, Node *root)
{
    NodeVec order = {0};
    nodes_topo(1, &root, &order);
    for (size_t i = 0; i < order.len; i++) {
        Tensor *t = order.at[i]->op == OP_INPUT ? map_get(&b->values, order.at[i]) : NULL;
        if (!t || !t->rank || !t->count)
            continue;
        if (t->dtype == DT_F32)
            *(float *)t->data = NAN;
        else
            *(double *)t->data = NAN;
        break;
    }
    vec_free(&order);
}

static void test_products(void **state)
{
    static const i64 sizes[] = {3, 1, 4, 0, 17, 2};
    (void)state;
    unsigned first = from_env("GRADUS_SEED", 1), cases = effort_cases(1200);
    Seen seen = {0};
    for (u64 seed = first; seed < first + cases; seed++) {
        Bench bench;
        open_bench(&bench);
        Gen g = {.b = &bench, .seed = seed * 7919, .d = seed % 4 ? DT_F64 : DT_F32, .batch = 2};
        g.m = sizes[roll(&g, 6)];
        g.k = sizes[roll(&g, 6)];
        g.n = sizes[roll(&g, 6)];
        Node *root = random_sum(&g, (int)seed % 4);
        if (!root)
            fail_msg("seed %llu: %s", (unsigned long long)seed, bench.diags.list.at[0].message);
        if (seed % 3 == 0)
            spoil(&bench, root);
        assert_true(run1(&bench, root));
        Tensor *plain = bench.out[0];
        bench.out[0] = NULL;
        Node *special = root;
        rewrite(&bench, "specialize", 1, &special);
        look(1, &special, &seen);
        if (!run1(&bench, special) || !near(plain, bench.out[0]))
            fail_msg("seed %llu: the value changes %s", (unsigned long long)seed,
                     text_str(&bench.env.error));
        tensor_unref(plain);
        close_bench(&bench);
    }
    print_message("%u sums: %u gemm, %u batched, %u gemv, %u ger; %u with an addend, %u scaled\n",
                  cases, seen.gemm, seen.batched, seen.gemv, seen.ger, seen.added, seen.scaled);
    if (effort_is_full())
        assert_true(seen.gemm && seen.batched && seen.gemv && seen.ger && seen.added &&
                    seen.scaled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
