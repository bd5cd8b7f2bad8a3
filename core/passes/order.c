/* The order of the operands of sums and products.
 *
 * Three floats or more are added in the order in which they stand, so x + y + z and z + y + x are
 * two nodes: sums of the same terms become one where both are there (class R).
 *
 * Fusing groups operators of two operands: before it each sum becomes a chain of two operands at a
 * time, from left to right, which is how it is computed anyway (class E). */
#include "passes/passes.h"

static Node *chain(Store *st, OpId op, u32 n, Node *const *ops)
{
    Node *all = ops[0];
    for (u32 k = 1; k < n && all; k++)
        all = node2(st, op, NULL, all, ops[k]);
    return all;
}

bool order_operands(Site *site)
{
    Node *n = site->node;
    Node *all = n->nops > 2 ? chain(site->st, n->op, n->nops, n->ops) : NULL;
    if (!all)
        return site_refuse(site, NULL, "it has two operands, so there is one order");
    site_put(site, n, all);
    return true;
}

static const Rule *rule_for(Engine *e, const Node *n)
{
    return n->nops < 3       ? NULL
           : n->op == OP_ADD ? engine_rule(e, "order-sum")
           : n->op == OP_MUL ? engine_rule(e, "order-product")
                             : NULL;
}

static Node *fix_one(Engine *e, size_t place, Node *now, void *ctx)
{
    (void)place, (void)ctx;
    const Rule *rule = rule_for(e, now);
    double since = now_seconds();
    Node *all = rule ? chain(e->st, now->op, now->nops, now->ops) : NULL;
    if (!all || all->type != now->type)
        return now;
    engine_put_one(e, rule, now, all, since);
    return all;
}

static NodeVec order_of(Engine *e)
{
    const NodeVec *all = &engine_reached(e)->order;
    NodeVec order = {0};
    for (size_t i = 0; i < all->len; i++)
        vec_push(&order, all->at[i]);
    return order;
}

static bool has_many(const Node *n) { return n->nops > 2 && (n->op == OP_ADD || n->op == OP_MUL); }

static bool sweep(Engine *e)
{
    if (!engine_any(e, has_many))
        return false;
    NodeVec order = order_of(e);
    bool changed = engine_walk(e, &order, fix_one, NULL);
    vec_free(&order);
    return changed;
}

bool order_fix(Engine *e) { return engine_sweep_with(e, sweep, 1, false); }

/* ---- sums of the same terms ---- */

static bool keeps_order(const Node *n)
{
    return n->nops > 2 && (n->op == OP_ADD || n->op == OP_MUL) &&
           !operands_sorted(n->op, n->nops, n->ops);
}

static int by_age(const void *a, const void *b)
{
    const Node *x = *(Node *const *)a, *y = *(Node *const *)b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static bool same_terms(const Node *a, const Node *b)
{
    if (a->op != b->op || a->nops != b->nops || a->type != b->type)
        return false;
    size_t bytes = a->nops * sizeof(Node *);
    Node **x = xmalloc(bytes), **y = xmalloc(bytes);
    memcpy(x, a->ops, bytes);
    memcpy(y, b->ops, bytes);
    qsort(x, a->nops, sizeof *x, by_age);
    qsort(y, a->nops, sizeof *y, by_age);
    bool same = !memcmp(x, y, bytes);
    free(x);
    free(y);
    return same;
}

/* Equal for sums of the same terms. */
static u64 terms_key(const Node *n)
{
    u64 h = hash_mix((u64)n->op, n->nops);
    for (u32 i = 0; i < n->nops; i++)
        h += hash_mix(n->ops[i]->shash, 0x61);
    return h | 1;
}

/* The rule at one node: the first sum of the same terms in the graph, operands first. */
bool same_sum(Site *site)
{
    Node *n = site->node;
    NodeVec order = {0};
    if (!keeps_order(n))
        return site_refuse(site, NULL, "the order of its operands does not count");
    Node *const *roots, *first = NULL;
    int nroots = site_roots(site, 0, &roots);
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len && !first && order.at[i] != n; i++)
        first = same_terms(n, order.at[i]) ? order.at[i] : NULL;
    vec_free(&order);
    if (!first)
        return site_refuse(site, NULL, "no other one of the same terms comes before it");
    site_put(site, n, first);
    return true;
}

typedef MAP(u64, Node *) TermsMap; /* key -> the first one */

static Node *share_one(Engine *e, size_t place, Node *now, void *ctx)
{
    (void)place;
    TermsMap *sums = ctx;
    const Rule *rule =
        keeps_order(now) ? engine_rule(e, now->op == OP_ADD ? "same-sum" : "same-product") : NULL;
    double since = now_seconds();
    if (!rule)
        return now;
    u64 key = terms_key(now);
    Node *first = map_get(sums, key);
    if (!first)
        map_put(sums, key, now);
    if (!first || first == now || !same_terms(first, now) || engine_judged(e, now))
        return now;
    engine_put_one(e, rule, now, first, since);
    return first;
}

/* Are there two sums, or a body that may have some? */
static bool worth_a_walk(const NodeVec *order)
{
    int slots[4];
    size_t sums = 0;
    for (size_t i = 0; i < order->len && sums < 2; i++)
        sums += node_graphs(order->at[i], slots) ? 2 : keeps_order(order->at[i]);
    return sums > 1;
}

static bool share_sweep(Engine *e)
{
    if (!worth_a_walk(&engine_reached(e)->order))
        return false;
    TermsMap sums = {0};
    NodeVec order = order_of(e);
    bool changed = engine_walk(e, &order, share_one, &sums);
    map_free(&sums);
    vec_free(&order);
    return changed;
}

bool order_share(Engine *e) { return engine_sweep_with(e, share_sweep, 1, false); }
