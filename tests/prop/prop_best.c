/* The K cheapest forms of an e-graph are those that brute force finds: lists of the cheapest forms
 * of each class, made of the lists of its operands' classes in all ways, until nothing gets less.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/base.h"
#include "egraph/best.h"
#include "ops/build.h"
#include "ops/fused.h"
#include "session/equal.h"

#include "../effort.h"
#include "../run_text.h"

enum { MOST_TERMS = 150, FORMS = 6 };

typedef struct {
    double cost;
    u64 shape; /* hash of the form, whatever the order of operands where that does not count */
} Found;

/* The cheapest forms of a class: as it stands alone, and in one sweep with what uses it. */
typedef struct {
    Found at[2][FORMS];
    int n[2];
} Row;

typedef struct {
    EGraph *g;
    CostModel m;
    Row *rows; /* by the term that stands for the class */
} Brute;

static int by_hash(const void *a, const void *b)
{
    u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return x < y ? -1 : x > y;
}

static u64 shape_of(const Node *n, u64 *parts)
{
    u64 h = hash_mix((u64)n->op, n->nops ? 1 : (u64)(uintptr_t)n);
    for (u32 i = 0; i < n->nattrs; i++)
        h = hash_mix(h, n->attrs[i].bits);
    if (eg_any_order(n->op, n->nops))
        qsort(parts, n->nops, sizeof *parts, by_hash);
    for (u32 i = 0; i < n->nops; i++)
        h = hash_mix(h, parts[i]);
    return h;
}

static u64 shape_of_tree(const Node *n)
{
    u64 parts[16];
    assert_true(n->nops <= COUNT_OF(parts));
    for (u32 i = 0; i < n->nops; i++)
        parts[i] = shape_of_tree(n->ops[i]);
    return shape_of(n, parts);
}

static double cost_of_tree(const Brute *b, Node *n, bool joins)
{
    double sum = joins ? node_cost_joined(b->g->st, &b->m, n) : node_cost(b->g->st, &b->m, n);
    for (u32 i = 0; i < n->nops; i++)
        sum += cost_of_tree(b, n->ops[i], node_joins(n, n->ops[i]));
    return sum;
}

/* True if it is new, and among the cheapest ones. */
static bool keep(Row *row, int mode, Found x)
{
    Found *at = row->at[mode];
    int *n = &row->n[mode], i;
    for (i = 0; i < *n; i++)
        if (at[i].shape == x.shape)
            return false;
    if (*n == FORMS && x.cost >= at[FORMS - 1].cost * (1 - 1e-12))
        return false;
    *n += *n < FORMS;
    for (i = *n - 1; i > 0 && at[i - 1].cost > x.cost; i--)
        at[i] = at[i - 1];
    at[i] = x;
    return true;
}

/* All ways to choose forms for its operands from the i-th on. */
static bool combine(Brute *b, TermId t, int mode, u32 i, double sum, u64 *parts)
{
    Node *n = eg_node(b->g, t);
    u64 mine[16];
    if (i == n->nops) {
        memcpy(mine, parts, n->nops * sizeof *mine);
        return keep(&b->rows[eg_find(b->g, t)], mode, (Found){sum, shape_of(n, mine)});
    }
    const Row *row = &b->rows[eg_find(b->g, eg_term(b->g, t)->kids[i])];
    bool along = node_takes_along(n, n->ops[i]->type), more = false;
    Found copy[FORMS];
    int count = row->n[along];
    memcpy(copy, row->at[along], sizeof copy);
    for (int k = 0; k < count; k++) {
        parts[i] = copy[k].shape;
        more = combine(b, t, mode, i + 1, sum + copy[k].cost, parts) || more;
    }
    return more;
}

static void find_all(Brute *b)
{
    u64 parts[16];
    b->rows = xcalloc(b->g->terms.len + 1, sizeof *b->rows);
    for (bool more = true; more;) {
        more = false;
        for (TermId t = 0; t < b->g->terms.len; t++) {
            if (eg_term(b->g, t)->dup)
                continue;
            Node *n = eg_node(b->g, t);
            more = combine(b, t, 0, 0, node_cost(b->g->st, &b->m, n), parts) || more;
            more = combine(b, t, 1, 0, node_cost_joined(b->g->st, &b->m, n), parts) || more;
        }
    }
}

static bool same_cost(double a, double b) { return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)); }

/* How many forms were compared. */
static u32 check_class(Brute *b, u64 seed, Node *root)
{
    BestForms *best = best_open(b->g, &b->m, NULL, 1, &root);
    TermId class = eg_find(b->g, eg_add(b->g, root));
    const Row *row = &b->rows[class];
    u64 seen[FORMS];
    double cost;
    Node *out;
    int n = 0;
    for (; n < FORMS && best_next(best, &out, &cost); n++) {
        if (n >= row->n[0] || !same_cost(cost, row->at[0][n].cost))
            fail_msg("seed %llu: form %d costs %.17g, not %.17g", (unsigned long long)seed, n,
                     cost, n < row->n[0] ? row->at[0][n].cost : NAN);
        assert_true(same_cost(cost, cost_of_tree(b, out, false)));
        assert_int_equal(eg_find(b->g, eg_add(b->g, out)), class);
        seen[n] = shape_of_tree(out);
        for (int k = 0; k < n; k++)
            assert_true(seen[k] != seen[n]);
    }
    assert_int_equal(n, row->n[0]);
    best_close(best);
    return (u32)n;
}

/* ---- random e-graphs ---- */

typedef struct {
    Session s;
    EGraph g;
    u64 state;
    Node *at[MOST_TERMS];
    u32 n;
} World;

static const Rule given = {.name = "given", .pass = "saturate", .classes = HAZARD_E};

static u32 roll(World *w, u32 n)
{
    w->state = hash_mix(w->state, 0x9e37);
    return (u32)(w->state >> 20) % n;
}

/* Vectors, numbers, and sums of vectors: what runs in one sweep, and what does not. */
static void make_world(World *w, u64 seed)
{
    static const OpId ops[] = {OP_ADD, OP_MUL, OP_SUB, OP_EXP, OP_NEG, OP_ADD};
    assert_true(session_init(&w->s));
    assert_true(run_statements(&w->s, "x : f64[50]; y : f64[50]; a : f64; b : f64"));
    Store *st = &w->s.st;
    w->state = seed;
    eg_init(&w->g, st);
    static const char *const names[] = {"x", "y", "a", "b", "sum(x)", "sum(exp(y))"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        Node **roots = NULL;
        assert_int_equal(run_roots(&w->s, names[i], &roots), 1);
        w->at[w->n++] = roots[0];
        free(roots);
    }
    for (u32 end = 20 + roll(w, MOST_TERMS - 20); w->n < end;) {
        OpId op = ops[roll(w, COUNT_OF(ops))];
        Node *x[3];
        u32 count = op == OP_EXP || op == OP_NEG ? 1 : op == OP_ADD ? 2 + roll(w, 2) : 2;
        for (u32 k = 0; k < count; k++)
            do
                x[k] = w->at[roll(w, w->n)];
            while (k && x[k]->type != x[0]->type);
        w->at[w->n++] = node_make(st, op, NULL, count, x);
    }
    for (u32 i = 0; i < w->n; i++)
        eg_add(&w->g, w->at[i]);
    for (u32 k = 2 + roll(w, w->n / 4); k > 0; k--) {
        Node *x = w->at[roll(w, w->n)], *y = w->at[roll(w, w->n)];
        if (x->type == y->type)
            eg_union(&w->g, &(Equality){eg_add(&w->g, x), eg_add(&w->g, y), .rule = &given});
    }
    eg_rebuild(&w->g);
}

static void test_random(void **state)
{
    (void)state;
    u32 cases = effort_cases(60), forms = 0, most = 0;
    for (u64 seed = 1; seed <= cases; seed++) {
        World *w = xcalloc(1, sizeof *w);
        make_world(w, seed);
        assert_true(w->g.live < 200);
        most = w->g.live > most ? w->g.live : most;
        Brute b = {.g = &w->g, .m = {.kind = (CostKind)(seed % 4), .assumed = 10}};
        find_all(&b);
        for (u32 i = 0; i < w->n; i += 1 + roll(w, 4))
            forms += check_class(&b, seed, w->at[i]);
        free(b.rows);
        eg_free(&w->g);
        session_free(&w->s);
        free(w);
    }
    print_message("%u forms of %u e-graphs of up to %u e-nodes\n", forms, cases, most);
    assert_true(forms > 20 * cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
