/* The order of the operands of sums, products and comparisons.
 *
 * Three floats or more are added in the order in which they stand, so x + y + z and z + y + x are
 * two nodes: sums of the same terms become one where both are there (class R). So do x > y and
 * y < x (class E); where only one of them is there it stays as it was written.
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
        return site_refuse(site, NULL, "it has only two operands, so the order cannot matter");
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

/* ---- sums of the same terms, comparisons of the same two ---- */

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

static bool is_comparison(OpId op)
{
    return op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE;
}

static bool same_comparison(Store *st, const Node *a, const Node *b)
{
    return is_comparison(b->op) && build_turned(st, a) == b;
}

/* Equal for sums of the same terms, and for a comparison from either side. */
static u64 terms_key(const Node *n)
{
    bool turns = n->op == OP_GT || n->op == OP_GE;
    OpId op = n->op == OP_GT ? OP_LT : n->op == OP_GE ? OP_LE : n->op;
    u64 h = hash_mix((u64)op, n->nops);
    for (u32 i = 0; i < n->nops; i++)
        h += hash_mix(n->ops[i]->shash, is_comparison(op) && (i == 0) == turns ? 0x62 : 0x61);
    return h | 1;
}

/* The rule at one node: the first in the graph that is the same value, operands first. */
static bool becomes_first(Site *site, const char *none)
{
    Node *n = site->node;
    NodeVec order = {0};
    Node *const *roots, *first = NULL;
    int nroots = site_roots(site, 0, &roots);
    bool compares = is_comparison(n->op);
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len && !first && order.at[i] != n; i++) {
        Node *o = order.at[i];
        first = (compares ? same_comparison(site->st, n, o) : same_terms(n, o)) ? o : NULL;
    }
    vec_free(&order);
    if (!first)
        return site_refuse(site, NULL, none);
    site_put(site, n, first);
    return true;
}

bool same_sum(Site *site)
{
    if (!keeps_order(site->node))
        return site_refuse(site, NULL, "its operands are already in canonical order");
    return becomes_first(site, "no earlier node has the same terms");
}

bool same_order(Site *site)
{
    return becomes_first(site, "no earlier node is the mirrored comparison");
}

static const char *rule_of_same(const Node *n)
{
    switch (n->op) {
    case OP_LT: return "same-less";
    case OP_LE: return "same-at-most";
    case OP_GT: return "same-greater";
    case OP_GE: return "same-at-least";
    default: return !keeps_order(n) ? NULL : n->op == OP_ADD ? "same-sum" : "same-product";
    }
}

typedef MAP(u64, Node *) TermsMap; /* key -> the first one */

static Node *share_one(Engine *e, size_t place, Node *now, void *ctx)
{
    (void)place;
    TermsMap *sums = ctx;
    const char *name = rule_of_same(now);
    const Rule *rule = name ? engine_rule(e, name) : NULL;
    double since = now_seconds();
    if (!rule)
        return now;
    u64 key = terms_key(now);
    Node *first = map_get(sums, key);
    if (!first)
        map_put(sums, key, now);
    if (!first || first == now || engine_judged(e, now))
        return now;
    if (!(is_comparison(now->op) ? same_comparison(e->st, now, first) : same_terms(first, now)))
        return now;
    engine_put_one(e, rule, now, first, since);
    return first;
}

/* Are there two sums or comparisons, or a body that may have some? */
static bool worth_a_walk(const NodeVec *order)
{
    int slots[4];
    size_t sums = 0;
    for (size_t i = 0; i < order->len && sums < 2; i++)
        sums += node_graphs(order->at[i], slots) ? 2 : rule_of_same(order->at[i]) != NULL;
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
