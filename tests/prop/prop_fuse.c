/* On random graphs of elementwise operators, reductions, broadcasts and casts, with values that are
 * used twice, results inside of groups, and paths that leave a group and come back: what the pass
 * `fuse` makes of them has the same bits, is well formed, reads back from its text, and any state
 * on the way is reached by replaying the steps. GRADUS_SEED and GRADUS_CASES choose. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "passes/groups.h"
#include "effort.h"
#include "listing_check.h"
#include "rewrite/history.h"
#include "tests/unit/vm_bench.h"

enum { RANKS = 3, KINDS = 5, ROOTS = 6 };

typedef struct {
    Bench *b;
    u64 seed;
    NodeVec of[RANKS][KINDS]; /* by rank and dtype: bool i32 i64 f32 f64 */
    NodeVec arrays;           /* all that are elementwise or reductions */
    i64 dims[2];
} Pool;

static const DType kinds[KINDS] = {DT_BOOL, DT_I32, DT_I64, DT_F32, DT_F64};

static u32 roll(Pool *p, u32 n)
{
    p->seed = p->seed * 6364136223846793005u + 1442695040888963407u;
    return (u32)(p->seed >> 33) % n;
}

static int kind_at(DType d)
{
    for (int k = 0; k < KINDS; k++)
        if (kinds[k] == d)
            return k;
    fail_msg("no pool for %s", dtype_name(d));
    return 0;
}

static void keep(Pool *p, Node *n)
{
    if (!n)
        fail_msg("%s", p->b->diags.list.at[0].message);
    /* a sum of rows has a length of its own: it is a result at most */
    if (node_rank(n) != 1 || size_is(n->type->dims[0], p->dims[1]))
        vec_push(&p->of[node_rank(n)][kind_at(node_dtype(n))], n);
    if (node_rank(n))
        vec_push(&p->arrays, n);
}

static Node *pick(Pool *p, int rank, int kind)
{
    NodeVec *v = &p->of[rank][kind];
    assert_true(v->len > 0);
    u32 recent = v->len > 6 && roll(p, 2) ? (u32)v->len - 6 : 0; /* chains rather than bushes */
    return v->at[recent + roll(p, (u32)v->len - recent)];
}

/* Now and then a scalar in the place of an array. */
static Node *operand(Pool *p, int rank, int kind) { return pick(p, roll(p, 4) ? rank : 0, kind); }

static Node *any_unary(Pool *p, int rank, int kind)
{
    static const OpId floats[] = {OP_TANH, OP_NEG, OP_ABS, OP_SQRT, OP_EXP, OP_SIGMOID, OP_SQR};
    static const OpId ints[] = {OP_NEG, OP_ABS, OP_SQR};
    OpId op = kind >= 3 ? floats[roll(p, 7)] : ints[roll(p, 3)];
    return node1(&p->b->st, kind ? op : OP_LOGICAL_NOT, NULL, pick(p, rank, kind));
}

static Node *any_binary(Pool *p, int rank, int kind)
{
    static const OpId numbers[] = {OP_ADD, OP_SUB, OP_MUL, OP_MAXIMUM, OP_MINIMUM, OP_DIV};
    static const OpId bools[] = {OP_LOGICAL_AND, OP_LOGICAL_OR};
    OpId op = kind ? numbers[roll(p, kind >= 3 ? 6 : 5)] : bools[roll(p, 2)];
    return node2(&p->b->st, op, NULL, pick(p, rank, kind), operand(p, rank, kind));
}

static Node *any_reduction(Pool *p, int rank, int kind)
{
    static const OpId numbers[] = {OP_SUM, OP_PROD, OP_MIN, OP_MAX, OP_SUM, OP_SUM};
    static const OpId bools[] = {OP_ANY, OP_ALL};
    static const i64 which[][2] = {{0, 1}, {1, 0}, {0, 0}};
    u32 way = rank == 1 ? 2 : roll(p, 3); /* both axes, the last, the first */
    Attr a = {.ints = intlist(&p->b->st, way == 0 ? 2 : 1, which[way])};
    return node1(&p->b->st, kind ? numbers[roll(p, 6)] : bools[roll(p, 2)], &a,
                 pick(p, rank, kind));
}

/* What is not elementwise, but keeps the shape: a way out of a group and back. */
static Node *detour(Pool *p, int rank, int kind)
{
    Store *st = &p->b->st;
    i64 last = rank - 1;
    Attr flip = {.ints = intlist(st, 1, &last)};
    Node *x = pick(p, rank, kind);
    if (rank == 2 && roll(p, 2)) {
        Node *dims[] = {node_i64(st, p->dims[0]), node_i64(st, p->dims[1])};
        return build_broadcast_to(st, pick(p, 1, kind), 2, dims);
    }
    return node1(st, OP_FLIP, &flip, x);
}

static void grow(Pool *p)
{
    Store *st = &p->b->st;
    int rank = roll(p, 3) ? 1 + (int)roll(p, 2) : 1, kind = roll(p, 3) ? 4 : (int)roll(p, KINDS);
    Node *x = pick(p, rank, kind), *z = operand(p, rank, kind);
    switch (roll(p, 12)) {
    case 0:
    case 1: keep(p, any_unary(p, rank, kind)); return;
    case 2: keep(p, node2(st, roll(p, 2) ? OP_LT : OP_GE, NULL, x, z)); return;
    case 3: keep(p, node3(st, OP_WHERE, NULL, operand(p, rank, 0), x, z)); return;
    case 4: keep(p, node_cast(st, x, kinds[roll(p, KINDS)])); return;
    case 5: keep(p, any_reduction(p, rank, kind)); return;
    case 6: keep(p, detour(p, rank, kind)); return;
    case 7:
        kind = kind ? kind : 2;
        keep(p, node_make(st, roll(p, 2) ? OP_ADD : OP_MUL, NULL, 4,
                          (Node *[]){pick(p, rank, kind), operand(p, rank, kind),
                                     pick(p, rank, kind), operand(p, rank, kind)}));
        return;
    default: keep(p, any_binary(p, rank, kind)); return;
    }
}

static void fill(Pool *p, bool as_params)
{
    Store *st = &p->b->st;
    int next = 0;
    for (int r = 0; r < RANKS; r++)
        for (int k = 0; k < KINDS; k++) {
            char name[24];
            snprintf(name, sizeof name, "x%d%d", r, k);
            Type *t = dims_type(p->b, kinds[k], r, p->dims + (r == 1));
            double start = kinds[k] == DT_BOOL ? 0 : -2;
            Node *x = as_params ? node_param(st, next++, t)
                                : given(p->b, name, t, start, kinds[k] >= DT_F32 ? 0.013 : 1);
            vec_push(&p->of[r][k], x);
        }
    vec_push(&p->of[0][4], num(p->b, 0.5));
    vec_push(&p->of[0][4], num(p->b, 1.25));
}

static void pool_free(Pool *p)
{
    for (int r = 0; r < RANKS; r++)
        for (int k = 0; k < KINDS; k++)
            vec_free(&p->of[r][k]);
    vec_free(&p->arrays);
}

/* ---- what must hold ---- */

/* Bit for bit, but for which NaN of two operands wins. */
static bool same_values(const Tensor *a, const Tensor *b)
{
    if (a->dtype != b->dtype || a->rank != b->rank ||
        memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape))
        return false;
    size_t size = dtype_size(a->dtype);
    for (i64 i = 0; i < a->count; i++)
        if (memcmp((char *)a->data + (size_t)i * size, (char *)b->data + (size_t)i * size, size) &&
            !(dtype_is_float(a->dtype) && tensor_f64_at(a, i) != tensor_f64_at(a, i) &&
              tensor_f64_at(b, i) != tensor_f64_at(b, i)))
            return false;
    return true;
}

static u32 check_sizes(int n, Node *const *roots)
{
    NodeVec order = {0};
    u32 fused = 0;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        int slots[4], count = node_graphs(order.at[i], slots);
        for (int k = 0; k < count; k++) {
            Graph *g = order.at[i]->attrs[slots[k]].graph;
            if (order.at[i]->op == OP_FUSED) {
                fused++;
                assert_true(graph_node_count(g) - (u32)g->nparams <= 2 * GROUP_MEMBERS);
            } else {
                fused += check_sizes(g->nouts, g->outs);
            }
        }
    }
    vec_free(&order);
    return fused;
}

static void check_text(Store *st, int n, Node *const *roots, u64 seed)
{
    Text why = {0};
    if (listing_check(st, n, roots, &why))
        fail_msg("seed %llu: %s", (unsigned long long)seed, text_str(&why));
    text_free(&why);
}

static void check_replay(Exploration *x, u64 seed)
{
    Node *roots[ROOTS];
    Walk w;
    walk_begin(&w, x->st, &x->log, x->nroots, x->start);
    for (u32 k = 0; k <= x->log.at.len; k++) {
        bool ok = exploration_replay(x, k, roots) && (k == 0 || walk_next(&w));
        if (!ok || memcmp(roots, w.roots, (size_t)x->nroots * sizeof *roots))
            fail_msg("seed %llu: step %u does not replay", (unsigned long long)seed, k);
    }
    for (int i = 0; i < x->nroots; i++)
        assert_ptr_equal(roots[i], x->roots[i]);
    walk_end(&w);
}

static u32 check_case(Bench *b, int n, Node **roots, u64 seed)
{
    Tensor *plain[ROOTS] = {NULL};
    bool ok = run(b, n, roots);
    Text error = {0};
    text_put(&error, ok ? "" : text_str(&b->env.error));
    memcpy(plain, b->out, (size_t)n * sizeof *plain);
    memset(b->out, 0, sizeof b->out);
    Node *fused[ROOTS];
    memcpy(fused, roots, (size_t)n * sizeof *fused);
    fuse(b, n, fused); /* leaves that pass alone in the options */
    Exploration *x = explore(&b->st, &b->rules, &b->options, n, roots);
    check_replay(x, seed);
    exploration_free(x);
    check_text(&b->st, n, fused, seed);
    bool same = run(b, n, fused) == ok;
    for (int i = 0; i < n && same && ok; i++)
        same = same_values(plain[i], b->out[i]);
    if (!same || (!ok && strcmp(text_str(&error), text_str(&b->env.error))))
        fail_msg("seed %llu: fused values differ (%s / %s)", (unsigned long long)seed,
                 text_str(&error), ok ? "" : text_str(&b->env.error));
    for (int i = 0; i < n; i++)
        tensor_unref(plain[i]);
    text_free(&error);
    return check_sizes(n, fused);
}

static void test_straight(void **state)
{
    static const i64 lengths[] = {5, 1, 300, 0, 1023, 1024, 1025, 2500};
    (void)state;
    unsigned first = from_env("GRADUS_SEED", 1), cases = effort_cases(400);
    u32 fused = 0;
    for (u64 seed = first; seed < first + cases; seed++) {
        Bench bench;
        open_bench(&bench);
        Pool p = {.b = &bench, .seed = seed * 7919 + 3, .dims = {1 + (i64)seed % 4, 0}};
        p.dims[1] = lengths[seed % 8];
        fill(&p, false);
        for (u32 i = 0, nodes = 5 + roll(&p, seed % 10 ? 60 : 700); i < nodes; i++)
            grow(&p);
        Node *roots[ROOTS];
        for (int i = 0; i < ROOTS; i++)
            roots[i] =
                i < 4 && p.arrays.len ? p.arrays.at[roll(&p, (u32)p.arrays.len)] : pick(&p, 0, 4);
        fused += check_case(&bench, 1 + (int)roll(&p, ROOTS), roots, seed);
        pool_free(&p);
        close_bench(&bench);
    }
    print_message("%u graphs, %u fused nodes\n", cases, fused);
    assert_true(fused > cases);
}

/* The same inside the body of a loop and a branch of an `if`. */
static void test_inside(void **state)
{
    (void)state;
    unsigned first = from_env("GRADUS_SEED", 1), cases = effort_cases(400) / 4;
    u32 fused = 0;
    for (u64 seed = first; seed < first + cases; seed++) {
        Bench bench, *b = &bench;
        open_bench(b);
        Pool p = {.b = b, .seed = seed * 104729, .dims = {2, 7}}, outer = {.b = b, .dims = {2, 7}};
        fill(&p, true);
        fill(&outer, false);
        for (u32 i = 0, nodes = 5 + roll(&p, 60); i < nodes; i++)
            grow(&p);
        NodeVec inits = {0}, outs = {0};
        Type *types[RANKS * KINDS];
        for (int i = 0; i < RANKS * KINDS; i++) {
            vec_push(&inits, outer.of[i / KINDS][i % KINDS].at[0]);
            vec_push(&outs, pick(&p, i / KINDS, i % KINDS));
            types[i] = inits.at[i]->type;
        }
        Graph *g = body_of(b, RANKS * KINDS, types, (int)outs.len, outs.at);
        Node *s = scan(b, g, whole(b, 3), (int)inits.len, inits.at, 0, NULL, 0, NULL, false, false);
        i64 all[RANKS * KINDS];
        for (int i = 0; i < RANKS * KINDS; i++)
            all[i] = i;
        const IntList *args = intlist(&b->st, RANKS * KINDS, all);
        NodeVec ops = {0};
        vec_push(&ops, outer.of[0][0].at[0]);
        for (int i = 0; i < RANKS * KINDS; i++)
            vec_push(&ops, inits.at[i]);
        Attr a[] = {{.graph = g}, {.graph = g}, {.ints = args}, {.ints = args}};
        Node *branch = node_make(&b->st, OP_IFELSE, a, (u32)ops.len, ops.at);
        Node *roots[] = {result(b, s, 4),      result(b, s, 9),       result(b, s, 14),
                         result(b, branch, 9), result(b, branch, 14), result(b, s, 5)};
        fused += check_case(b, ROOTS, roots, seed);
        vec_free(&ops);
        vec_free(&inits);
        vec_free(&outs);
        pool_free(&p);
        pool_free(&outer);
        close_bench(b);
    }
    print_message("%u bodies, %u fused nodes\n", cases, fused);
    assert_true(fused > cases / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_straight),
                                       cmocka_unit_test(test_inside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
