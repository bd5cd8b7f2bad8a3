/* What is computed of a joined array is computed of its parts where these are computed themselves:
 * it then belongs to the passes over them, and what is joined is not passed over again.
 *
 * Whether something else needs the join is seen from the whole graph only, so this is a sweep, the
 * last one before operators become groups: everywhere else one operator is simpler than several.
 *
 * Invariant: an element goes through the same operations (class E). */
#include "ops/fused.h"
#include "passes/passes.h"

enum {
    APART_PARTS = 16, /* of a join, at most: each becomes an operator of its own */
    APART_WORTH =
        1024 /* elements of a part on average: below that, operators cost more than passes */
};

typedef struct {
    Store *st;
    NodeVec order;
    NodeCounts uses; /* node -> by how many operands and roots */
} Apart;

static void find_uses(Apart *a, int nroots, Node *const *roots)
{
    nodes_topo(nroots, roots, &a->order);
    for (int i = 0; i < nroots; i++)
        map_put(&a->uses, roots[i], map_get(&a->uses, roots[i]) + 1);
    for (size_t i = 0; i < a->order.len; i++)
        for (u32 k = 0; k < a->order.at[i]->nops; k++) {
            const Node *x = a->order.at[i]->ops[k];
            map_put(&a->uses, x, map_get(&a->uses, x) + 1);
        }
}

static void apart_free(Apart *a)
{
    vec_free(&a->order);
    map_free(&a->uses);
}

/* The only array that an elementwise operator takes. */
static bool only_array(const Node *n, u32 *which)
{
    u32 arrays = 0;
    for (u32 k = 0; k < n->nops; k++)
        if (n->ops[k]->type->rank)
            arrays++, *which = k;
    return fused_elementwise(n) && arrays == 1;
}

/* Are most elements of the join computed for it alone? */
static bool is_computed(const Apart *a, const Node *join)
{
    i64 all, part, computed = 0;
    if (join->nops > APART_PARTS || !type_count(join->type, 0, &all) ||
        all < (i64)join->nops * APART_WORTH)
        return false;
    for (u32 k = 0; k < join->nops; k++)
        if (fused_elementwise(join->ops[k]) && map_get(&a->uses, join->ops[k]) == 1 &&
            type_count(join->ops[k]->type, 0, &part))
            computed += part;
    return 2 * computed > all;
}

static Node *over_parts(Store *st, Node *n, u32 which)
{
    Node *join = n->ops[which], *parts[APART_PARTS], *ops[4];
    if (n->nops > COUNT_OF(ops))
        return NULL;
    memcpy(ops, n->ops, n->nops * sizeof *ops);
    for (u32 k = 0; k < join->nops; k++) {
        ops[which] = join->ops[k];
        if (!(parts[k] = node_make(st, n->op, n->attrs, n->nops, ops)))
            return NULL;
    }
    return node_make(st, join->op, join->attrs, join->nops, parts);
}

/* `was`: n before its operands were rebuilt; NULL: it does not fit. */
static Node *apart_of(const Apart *a, const Node *was, Node *n)
{
    u32 which = 0;
    if (!only_array(was, &which) || n->op != was->op || n->ops[which]->op != OP_CONCAT ||
        map_get(&a->uses, was->ops[which]) != 1)
        return NULL;
    const Node *join = was->ops[which];
    while (join->op != OP_CONCAT && only_array(join, &which) &&
           map_get(&a->uses, join->ops[which]) == 1)
        join = join->ops[which];
    if (join->op != OP_CONCAT || !is_computed(a, join))
        return NULL;
    only_array(was, &which);
    return over_parts(a->st, n, which);
}

bool concat_apart(Site *site)
{
    Node *const *roots;
    Apart a = {.st = site->st};
    int nroots = site_roots(site, 0, &roots);
    find_uses(&a, nroots, roots);
    Node *after = apart_of(&a, site->node, site->node);
    apart_free(&a);
    if (!after)
        return site_refuse(site, NULL,
                           "it takes no large join whose parts are computed for it alone");
    site_put(site, site->node, after);
    return true;
}

static Node *at_place(Engine *e, size_t place, Node *now, void *ctx)
{
    const Apart *a = ctx;
    double since = now_seconds();
    Node *after = apart_of(a, a->order.at[place], now);
    bool fits = after && after->type == now->type;
    if (fits)
        engine_put_one(e, engine_rule(e, "concat-apart"), now, after, since);
    return fits ? after : now;
}

static bool joins(const Node *n)
{
    int slots[4];
    return n->op == OP_CONCAT || node_graphs(n, slots);
}

static bool sweep(Engine *e)
{
    Apart a = {.st = e->st};
    if (!engine_any(e, joins))
        return false;
    find_uses(&a, e->nroots, e->roots);
    bool changed = engine_walk(e, &a.order, at_place, &a);
    apart_free(&a);
    return changed;
}

bool concats_apart(Engine *e)
{
    return engine_rule(e, "concat-apart") && engine_sweep_with(e, sweep, 1, false);
}
