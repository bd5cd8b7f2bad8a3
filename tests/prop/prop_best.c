/* The K cheapest forms of an e-graph are those that brute force finds: all trees of e-nodes that
 * cost no more than the K-th one.
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
#include "session/equal.h"

#include "../effort.h"
#include "../run_text.h"

enum { MOST_TERMS = 190, FORMS = 6 };

/* A tree: what it costs, and a hash of it, whatever the order of operands where that does not
 * count. */
typedef struct {
    double cost;
    u64 shape;
} Tree;
typedef VEC(Tree) Trees;

typedef struct {
    EGraph *g;
    CostModel m;
    double *least[2]; /* by the term that stands for the class: of any tree, alone and in a sweep */
    bool *open;       /* classes that the tree under way goes through */
    u32 tried, most;
    u32 compared, large; /* large: with too many trees to try them all */
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

/* A number is no other form than itself, however it is computed. */
static bool takes_part(EGraph *g, TermId t)
{
    bool number = eg_node(g, t)->op == OP_CONST;
    return !eg_term(g, t)->dup && (number || !class_has(eg_class(g, t), OP_CONST));
}

static double weight(const Brute *b, TermId t, int mode)
{
    Node *n = eg_node(b->g, t);
    return mode ? node_cost_joined(b->g->st, &b->m, n) : node_cost(b->g->st, &b->m, n);
}

static double *least_of(const Brute *b, TermId t, u32 i)
{
    const Node *n = eg_node(b->g, t);
    bool along = node_takes_along(n, n->ops[i]->type);
    return &b->least[along][eg_find(b->g, eg_term(b->g, t)->kids[i])];
}

/* Bellman and Ford. */
static void find_least(Brute *b)
{
    size_t n = b->g->terms.len + 1;
    b->open = xcalloc(n, sizeof *b->open);
    for (int mode = 0; mode < 2; mode++) {
        b->least[mode] = xmalloc(n * sizeof(double));
        for (size_t i = 0; i < n; i++)
            b->least[mode][i] = 1e300;
    }
    for (bool more = true; more;) {
        more = false;
        for (TermId t = 0; t < b->g->terms.len; t++)
            for (int mode = 0; mode < 2 && takes_part(b->g, t); mode++) {
                double sum = weight(b, t, mode), *at = &b->least[mode][eg_find(b->g, t)];
                for (u32 i = 0; i < eg_node(b->g, t)->nops; i++)
                    sum += *least_of(b, t, i);
                more = more || sum < *at;
                *at = fmin(*at, sum);
            }
    }
}

static bool has_shape(const Trees *all, u64 shape)
{
    for (size_t i = 0; i < all->len; i++)
        if (all->at[i].shape == shape)
            return true;
    return false;
}

static void trees_of(Brute *b, TermId class, int mode, double most, Trees *out);

/* All ways to choose trees for its operands from the i-th on; `rest`: what those cost at least. */
static void combine(Brute *b, TermId t, u32 i, double sum, double rest, double most, u64 *parts,
                    Trees *out)
{
    Node *n = eg_node(b->g, t);
    if (b->tried++ > b->most)
        return;
    if (i == n->nops) {
        u64 mine[16];
        memcpy(mine, parts, n->nops * sizeof *mine);
        u64 shape = shape_of(n, mine);
        if (!has_shape(out, shape))
            vec_push(out, ((Tree){sum, shape}));
        return;
    }
    Trees trees = {0};
    double least = *least_of(b, t, i);
    rest -= least;
    trees_of(b, eg_find(b->g, eg_term(b->g, t)->kids[i]), node_takes_along(n, n->ops[i]->type),
             most - sum - rest, &trees);
    for (size_t k = 0; k < trees.len; k++) {
        parts[i] = trees.at[k].shape;
        if (sum + trees.at[k].cost + rest <= most)
            combine(b, t, i + 1, sum + trees.at[k].cost, rest, most, parts, out);
    }
    vec_free(&trees);
}

/* All that cost no more than that and have no term of a class inside another one of it. */
static void trees_of(Brute *b, TermId class, int mode, double most, Trees *out)
{
    u64 parts[16];
    const TermList *terms = &b->g->classes.at[class]->terms;
    if (b->open[class])
        return;
    b->open[class] = true;
    for (size_t i = 0; i < terms->len; i++) {
        TermId t = terms->at[i];
        double rest = 0;
        for (u32 k = 0; k < eg_node(b->g, t)->nops; k++)
            rest += *least_of(b, t, k);
        if (takes_part(b->g, t) && weight(b, t, mode) + rest <= most)
            combine(b, t, 0, weight(b, t, mode), rest, most, parts, out);
    }
    b->open[class] = false;
}

static bool same_cost(double a, double b) { return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)); }

/* What was found is there, once; and of what costs less than the last one nothing else is. */
static void compare(Brute *b, u64 seed, TermId class, const Tree *found, u32 n, bool more)
{
    Trees all = {0};
    double last = n ? found[n - 1].cost : 0, most = more ? last * (1 + 1e-9) : 1e200;
    u32 below = 0, wanted = 0;
    b->tried = 0;
    trees_of(b, class, 0, most, &all);
    if (b->tried <= b->most) {
        for (u32 i = 0; i < n; i++)
            if (!has_shape(&all, found[i].shape))
                fail_msg("seed %llu: form %u is none", (unsigned long long)seed, i);
        for (u32 i = 0; i < n; i++)
            below += found[i].cost < last * (1 - 1e-9);
        for (size_t i = 0; i < all.len; i++)
            wanted += all.at[i].cost < last * (1 - 1e-9);
        if (below != wanted || all.len < n || (!more && all.len != n))
            fail_msg("seed %llu: %u forms below %g, not %u; %u, not %zu, at all",
                     (unsigned long long)seed, below, last, wanted, n, all.len);
    }
    vec_free(&all);
}

/* How many forms there are, FORMS at most. */
static u32 check_class(Brute *b, u64 seed, Node *root)
{
    Onward onward;
    onward_open(&onward, b->g, false);
    BestForms *best = best_open(b->g, &onward, &b->m, 1, &root);
    TermId class = eg_find(b->g, eg_add(b->g, root));
    Tree found[FORMS];
    double cost;
    Node *out;
    u32 n = 0;
    for (; n < FORMS && best_next(best, &out, &cost); n++) {
        found[n] = (Tree){cost, shape_of_tree(out)};
        assert_true(same_cost(cost, cost_of_tree(b, out, false)));
        assert_true(!n || cost >= found[n - 1].cost * (1 - 1e-9));
        assert_int_equal(eg_find(b->g, eg_add(b->g, out)), class);
        for (u32 k = 0; k < n; k++)
            assert_true(found[k].shape != found[n].shape);
    }
    compare(b, seed, class, found, n, n == FORMS || best_gave_up(best));
    b->compared += b->tried <= b->most;
    b->large += b->tried > b->most;
    best_close(best);
    onward_close(&onward);
    return n;
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
    u32 cases = effort_cases(60), forms = 0, most = 0, compared = 0, large = 0;
    for (u64 seed = 1; seed <= cases; seed++) {
        World *w = xcalloc(1, sizeof *w);
        make_world(w, seed);
        assert_true(w->g.live < 200);
        most = w->g.live > most ? w->g.live : most;
        Brute b = {.g = &w->g, .m = {.kind = (CostKind)(seed % 4), .assumed = 10}, .most = 20000};
        find_least(&b);
        for (u32 i = 0; i < w->n; i += 1 + roll(w, 4))
            forms += check_class(&b, seed, w->at[i]);
        compared += b.compared;
        large += b.large;
        free(b.least[0]);
        free(b.least[1]);
        free(b.open);
        eg_free(&w->g);
        session_free(&w->s);
        free(w);
    }
    print_message("%u forms of %u classes of %u e-graphs of up to %u e-nodes; %u were too large\n",
                  forms, compared, cases, most, large);
    assert_true(compared > 20 * large);
    assert_true(forms > 20 * cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
