/* Matrix products as the library computes them: transposed operands read as they lie, outer
 * products, and sums taken along.
 *
 * The first rules look at one product. `product-add` needs to know who else uses the product, which
 * would be computed twice: it goes through the graph in a sweep of its own.
 *
 * Invariant: a product is computed as often as before. */
#include "passes/passes.h"

#include "graph/provenance.h"
#include "graph/walk.h"
#include "ops/fused.h"

/* ---- one product ---- */

static Node *unswapped(Node *n) { return node_swaps_last(n) ? n->ops[0] : n; }

static bool replace(Site *site, Node *before, Node *after)
{
    if (!after || after->type != before->type)
        return false;
    site_put(site, before, after);
    return true;
}

/* a' @ b reads a as it lies in memory instead of copying it first; batches alike. */
static bool matmul_gemm(Site *site)
{
    Node *n = site->node;
    Node *a = n->ops[0], *b = n->ops[1];
    bool ta = node_swaps_last(a), tb = node_swaps_last(b);
    if (node_rank(a) < 2 || node_rank(b) < 2 || (!ta && !tb))
        return site_refuse(site, NULL, "no operand is a transposed matrix, or one is a vector");
    Attr flags[] = {{.i = ta}, {.i = tb}};
    if (n->type->rank > 2)
        site_why(site, "it is a batched product");
    return replace(site, n, node2(site->st, OP_GEMM, flags, unswapped(a), unswapped(b)));
}

/* M' @ x, x @ M and x @ M' */
static bool matmul_gemv(Site *site)
{
    Node *n = site->node;
    bool left = node_rank(n->ops[0]) == 1; /* the vector */
    Node *m = n->ops[left], *x = n->ops[!left];
    if (node_rank(m) != 2 || node_rank(x) != 1 || !node_swaps_last(m))
        return site_refuse(site, NULL, "it is not a transposed matrix times a vector");
    Attr flag = {.i = !left};
    return replace(site, n, node2(site->st, OP_GEMV, &flag, unswapped(m), x));
}

static bool adds_axis(const Node *n, i64 axis)
{
    return n->op == OP_EXPAND_DIMS && n->type->rank == 2 && n->attrs[0].ints->n == 1 &&
           n->attrs[0].ints->at[0] == axis;
}

/* A column times a row. */
static bool matmul_ger(Site *site)
{
    Node *n = site->node;
    Node *a = n->ops[0], *b = n->ops[1];
    if (!adds_axis(a, 1) || !adds_axis(b, 0))
        return site_refuse(site, NULL, "it is not an outer product");
    return replace(site, n, node2(site->st, OP_GER, NULL, a->ops[0], b->ops[0]));
}

/* ---- sums taken along ---- */

/* A term of a sum: factor * value. */
typedef struct {
    Node *value, *factor; /* factor NULL: 1 */
    bool negative;
} Term;

typedef struct {
    Store *st;
    Engine *e; /* NULL: everything is as it stands */
    NodeVec order;
    u32 *uses;         /* by place */
    bool *loose;       /* by place: some user would run together with it anyway */
    NodeCounts places; /* node -> 1 + place */
    const Rule *rule;
} Sums;

static Node *became(const Sums *s, Node *n) { return s->e ? engine_became(s->e, n) : n; }

static u32 place_of(const Sums *s, const Node *n) { return map_get(&s->places, n) - 1; }

static bool is_product(const Node *n)
{
    bool form = n->op == OP_MATMUL ||
                ((n->op == OP_GEMM || n->op == OP_GEMV || n->op == OP_GER) && n->nops == 2);
    return form && n->type->rank && dtype_is_float(node_dtype(n)) &&
           (n->op != OP_MATMUL || node_rank(n->ops[0]) > 1 || node_rank(n->ops[1]) == 2);
}

static Term term_of(const Sums *s, Node *n, bool negative)
{
    Term t = {.value = n, .negative = negative};
    if (n->op != OP_MUL || n->nops != 2 || s->uses[place_of(s, n)] > 1)
        return t;
    for (int k = 0; k < 2; k++)
        if (!node_rank(n->ops[k]) && node_rank(n->ops[!k]))
            t.factor = n->ops[k], t.value = n->ops[!k];
    return t;
}

static bool may_take(const Sums *s, const Term *t)
{
    return is_product(t->value) && s->uses[place_of(s, t->value)] == 1;
}

/* factor or -factor as a scalar of dtype d. */
static Node *factor_now(const Sums *s, const Term *t, DType d)
{
    Store *st = s->st;
    if (!t->factor)
        return node_number(st, d, t->negative ? -1 : 1);
    double k;
    Node *now = became(s, t->factor);
    if (!t->negative)
        return now;
    return node_const_f64(now, &k) ? node_number(st, d, -k) : node1(st, OP_NEG, NULL, now);
}

/* alpha * product + beta * c */
static Node *accumulate(const Sums *s, const Term *product, const Term *c, Node *onto)
{
    Store *st = s->st;
    Node *p = product->value, *ops[5];
    bool plain = !product->factor && !product->negative && !c->factor && !c->negative;
    Attr flags[2] = {{.i = 0}, {.i = 0}};
    OpId op = p->op;
    ops[0] = became(s, p->ops[0]);
    ops[1] = became(s, p->ops[1]);
    if (op == OP_MATMUL) {
        bool left = node_rank(p->ops[0]) == 1, right = node_rank(p->ops[1]) == 1;
        op = left || right ? OP_GEMV : OP_GEMM;
        flags[0].i = left;
        if (left) { /* x @ M = M' x */
            Node *x = ops[0];
            ops[0] = ops[1];
            ops[1] = x;
        }
        if (op == OP_GEMV && node_rank(ops[0]) != 2)
            return NULL;
    } else {
        memcpy(flags, p->attrs, p->nattrs * sizeof *flags);
    }
    ops[2] = onto;
    ops[3] = factor_now(s, product, node_dtype(p));
    ops[4] = factor_now(s, c, node_dtype(p));
    return node_make(st, op, flags, plain ? 3 : 5, ops);
}

/* What is added is worth taking along: it is a product too, so one array less is written; or the
 * sum would be a pass of its own over the elements. What is repeated is not: it would be stored for
 * the product, and sums read it where it lies. */
static bool worth_taking(const Sums *s, const Node *sum, const Term *c)
{
    return may_take(s, c) || (!fused_elementwise(c->value) && c->value->op != OP_BROADCAST &&
                              !s->loose[place_of(s, sum)]);
}

/* Places are those of the operands as shown. */
static Node *rest_of(const Sums *s, Node *sum, u32 a, u32 b, Node *all)
{
    Store *st = s->st;
    for (u32 k = 0; k < sum->nops && all; k++)
        if (k != a && k != b)
            all = node2(st, sum->op, NULL, all, became(s, node_operand_shown(st, sum, k)));
    return all;
}

static Node *taken(const Sums *s, Node *sum)
{
    for (u32 a = 0; a < sum->nops; a++) {
        Term product = term_of(s, node_operand_shown(s->st, sum, a), sum->op == OP_SUB && a == 1);
        if (!may_take(s, &product) || product.value->type != sum->type)
            continue;
        for (u32 b = 0; b < sum->nops; b++) {
            Term c = term_of(s, node_operand_shown(s->st, sum, b), sum->op == OP_SUB && b == 1);
            if (b == a || c.value->type != sum->type || !worth_taking(s, sum, &c))
                continue;
            Node *all = accumulate(s, &product, &c, became(s, c.value));
            all = all && all->type == sum->type ? rest_of(s, sum, a, b, all) : NULL;
            if (all && all->type == sum->type)
                return all;
        }
    }
    return NULL;
}

static bool is_sum(const Node *n)
{
    return (n->op == OP_ADD || n->op == OP_SUB) && n->type->rank && dtype_is_float(node_dtype(n));
}

static Node *at_place(Engine *e, size_t place, Node *now, void *ctx)
{
    const Sums *s = ctx;
    Node *was = s->order.at[place];
    double since = now_seconds();
    Node *after = is_sum(was) ? taken(s, was) : NULL;
    if (!after || after == now)
        return now;
    engine_put_one(e, s->rule, now, after, since);
    return after;
}

static void count_uses(Sums *s, int nroots, Node *const *roots)
{
    size_t n = s->order.len + 1;
    s->uses = xcalloc(n, sizeof *s->uses);
    s->loose = xcalloc(n, sizeof *s->loose);
    for (size_t i = 0; i < s->order.len; i++)
        map_put(&s->places, s->order.at[i], (u32)i + 1);
    for (int i = 0; i < nroots; i++)
        s->uses[place_of(s, roots[i])]++;
    for (size_t i = 0; i < s->order.len; i++) {
        const Node *user = s->order.at[i];
        bool together = fused_elementwise(user) || fused_reduction(user, NULL);
        for (u32 k = 0; k < user->nops; k++) {
            u32 p = place_of(s, user->ops[k]);
            s->uses[p]++;
            s->loose[p] = s->loose[p] || together;
        }
    }
}

static bool sweep(Engine *e)
{
    Sums s = {.st = e->st, .e = e, .rule = engine_rule(e, "product-add")};
    nodes_topo(e->nroots, e->roots, &s.order);
    count_uses(&s, e->nroots, e->roots);
    bool changed = s.rule && engine_walk(e, &s.order, at_place, &s);
    free(s.uses);
    free(s.loose);
    map_free(&s.places);
    vec_free(&s.order);
    return changed;
}

/* ---- is there anything to do? ---- */

static bool may_add(const Node *n)
{
    bool found = false;
    for (u32 k = 0; is_sum(n) && k < n->nops && !found; k++)
        found = is_product(n->ops[k]) || n->ops[k]->op == OP_MUL;
    return found;
}

bool products_add(Engine *e)
{
    return engine_rule(e, "product-add") && engine_any(e, may_add) &&
           engine_sweep_with(e, sweep, 1, false);
}

/* The rule at one node, as if nothing else used the product. */
static bool add_here(Site *site)
{
    Node *n = site->node;
    Sums s = {.st = site->st};
    nodes_topo(1, &n, &s.order);
    count_uses(&s, 1, &n);
    Node *after = is_sum(n) ? taken(&s, n) : NULL;
    free(s.uses);
    free(s.loose);
    map_free(&s.places);
    vec_free(&s.order);
    return after && replace(site, n, after);
}

const CodeRule product_rules[] = {{"gemm", "specialize", HAZARD_R, OP_MATMUL, matmul_gemm,
                                   "the transposed matrix is read in place, without a copy", NULL},
                                  {"gemv", "specialize", HAZARD_R, OP_MATMUL, matmul_gemv,
                                   "the transposed matrix is read in place, without a copy", NULL},
                                  {"ger", "specialize", HAZARD_E, OP_MATMUL, matmul_ger,
                                   "a column times a row is an outer product", NULL},
                                  {"product-add", "accumulate", HAZARD_R, OP_COUNT, add_here,
                                   "the product is accumulated into the sum, without a temporary",
                                   NULL},
                                  {0}};
