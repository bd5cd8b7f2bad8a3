/* Reading one position, or a part, of what is computed element by element: the operators are
 * applied to that alone, however many stand above one another.
 *
 * Whether something else needs the other elements is seen from the whole graph only, so this is a
 * sweep and not a rule tried node by node. In the body of a loop what reads captures only stays as
 * it is: it may leave the loop, where all elements are computed once.
 *
 * Invariant: nothing is computed twice, and what may fail is computed as before. */
#include "passes/passes.h"

typedef struct {
    Store *st;
    Engine *e; /* its sweep has rebuilt what is below; NULL: the graph is as it stands */
    const Node *owner;
    NodeVec order;
    NodeCounts uses; /* node -> by how many operands and roots */
} Lift;

static void use(Lift *l, const Node *n) { map_put(&l->uses, n, map_get(&l->uses, n) + 1); }

static void lift_find(Lift *l, int nroots, Node *const *roots)
{
    nodes_topo(nroots, roots, &l->order);
    for (int i = 0; i < nroots; i++)
        use(l, roots[i]);
    for (size_t i = 0; i < l->order.len; i++)
        for (u32 k = 0; k < l->order.at[i]->nops; k++)
            use(l, l->order.at[i]->ops[k]);
}

static void lift_free(Lift *l)
{
    vec_free(&l->order);
    map_free(&l->uses);
}

static bool used_once(const Lift *l, const Node *n) { return map_get(&l->uses, n) == 1; }

static bool is_scalar(const Node *n) { return n->type->kind == TYPE_TENSOR && n->type->rank == 0; }

static bool moves(const Lift *l, const Node *n)
{
    return op_is_elementwise(n->op) && !is_scalar(n) && used_once(l, n) && node_is_total(l->st, n);
}

/* The operators below a read, each before its operands; nothing else uses them. */
static void group_below(const Lift *l, Node *read, NodeVec *group)
{
    if (!moves(l, read->ops[0]))
        return;
    vec_push(group, read->ops[0]);
    for (size_t i = 0; i < group->len; i++)
        for (u32 k = 0; k < group->at[i]->nops; k++)
            if (moves(l, group->at[i]->ops[k]))
                vec_push(group, group->at[i]->ops[k]);
}

/* Do its elements change from step to step, as far as the body of this loop goes? */
static bool changes_in_loop(const Lift *l, Node *n)
{
    if (!l->owner || l->owner->op != OP_SCAN)
        return true;
    i64 captures = l->owner->attrs[1].i + l->owner->attrs[2].i;
    NodeVec below = {0};
    bool changes = false;
    nodes_topo(1, &n, &below);
    for (size_t i = 0; i < below.len && !changes; i++)
        changes = below.at[i]->op == OP_PARAM && below.at[i]->attrs[0].i < captures;
    vec_free(&below);
    return changes;
}

static Node *became(const Lift *l, Node *n) { return l->e ? engine_became(l->e, n) : n; }

/* The name of the rule by which this reads before it is computed; NULL: it does not. */
static const char *rule_of(const Node *read)
{
    if (read->op == OP_INDEX)
        return "index-elementwise";
    return read->op == OP_SLICE ? "slice-elementwise" : NULL;
}

/* What `read` does, of x. */
static Node *read_at(const Lift *l, const Node *read, Node *x)
{
    Node *ops[3] = {x};
    if (is_scalar(x))
        return x;
    for (u32 i = 1; i < read->nops; i++)
        ops[i] = became(l, read->ops[i]);
    return node_make(l->st, read->op, read->attrs, read->nops, ops);
}

/* The group applied to what the read finds in its operands; NULL: nothing moves. */
static Node *lift_one(const Lift *l, Node *read)
{
    NodeVec group = {0};
    NodeMap lifted = {0};
    Node *last = NULL;
    group_below(l, read, &group);
    bool moved = group.len && changes_in_loop(l, read->ops[0]);
    for (size_t i = group.len; moved && i-- > 0;) {
        Node *n = group.at[i], *few[4], **ops = few;
        if (n->nops > COUNT_OF(few))
            ops = xmalloc(n->nops * sizeof *ops);
        for (u32 k = 0; k < n->nops; k++) {
            Node *below = map_get(&lifted, n->ops[k]);
            ops[k] = below ? below : read_at(l, read, became(l, n->ops[k]));
        }
        last = node_make(l->st, n->op, n->attrs, n->nops, ops);
        map_put(&lifted, n, last);
        moved = last != NULL;
        if (ops != few)
            free(ops);
    }
    vec_free(&group);
    map_free(&lifted);
    return moved ? last : NULL;
}

bool index_elementwise(Site *site)
{
    Node *n = site->node, *const * roots;
    Lift l = {.st = site->st, .owner = site_owner(site, 0)};
    int nroots = site_roots(site, 0, &roots);
    if (!op_is_elementwise(n->ops[0]->op))
        return site_refuse(site, n->ops[0], "its operand is not an elementwise operator");
    lift_find(&l, nroots, roots);
    Node *after = lift_one(&l, n);
    if (after)
        site_put(site, n, after);
    else if (!used_once(&l, n->ops[0]))
        site_refuse(site, n->ops[0], "its operand is also used elsewhere");
    else if (!node_is_total(site->st, n->ops[0]))
        site_refuse(site, n->ops[0], "it could raise an error at a position that is not read");
    else
        site_refuse(site, n->ops[0], "it is loop-invariant, so it can be hoisted");
    lift_free(&l);
    return after != NULL;
}

static Node *at_place(Engine *e, size_t place, Node *now, void *ctx)
{
    const Lift *l = ctx;
    Node *read = l->order.at[place];
    const char *name = now->op == read->op ? rule_of(read) : NULL;
    const Rule *rule = name ? engine_rule(e, name) : NULL;
    if (!rule)
        return now;
    double since = now_seconds();
    Node *after = lift_one(l, read);
    bool fits = after && after != now && after->type == now->type;
    if (fits)
        engine_put_one(e, rule, now, after, since);
    return fits ? after : now;
}

/* Is there one, or a body that may have one? */
static bool worth_a_walk(const NodeVec *order)
{
    int slots[4];
    for (size_t i = 0; i < order->len; i++) {
        const Node *n = order->at[i];
        if ((rule_of(n) && op_is_elementwise(n->ops[0]->op)) || node_graphs(n, slots))
            return true;
    }
    return false;
}

static bool sweep(Engine *e)
{
    Lift l = {.st = e->st, .e = e, .owner = e->owner};
    if (!worth_a_walk(&engine_reached(e)->order))
        return false;
    lift_find(&l, e->nroots, e->roots);
    bool changed = engine_walk(e, &l.order, at_place, &l);
    lift_free(&l);
    return changed;
}

bool index_lift(Engine *e)
{
    bool on = engine_rule(e, "index-elementwise") || engine_rule(e, "slice-elementwise");
    return on && engine_sweep_with(e, sweep, 1, false);
}
