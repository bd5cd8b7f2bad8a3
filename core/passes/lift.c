/* Reading one position, or a part, of what is computed element by element: the operators are
 * applied to that alone, however many stand above one another.
 *
 * Whether something else needs the other elements is seen from the whole graph only, so this is a
 * sweep and not a rule tried node by node. In the body of a loop what reads captures only stays as
 * it is: it may leave the loop, where all elements are computed once.
 *
 * What several parts are read of is computed once, until the last pass: there it is computed for
 * each part, if these have no more elements than all of it, and is never stored.
 *
 * Invariant: no more elements are computed than before, and what may fail is computed as before. */
#include "passes/passes.h"

typedef struct {
    Store *st;
    Engine *e; /* its sweep has rebuilt what is below; NULL: the graph is as it stands */
    const Node *owner;
    NodeVec order;
    NodeCounts uses;  /* node -> by how many operands and roots */
    bool shared;      /* several parts of one value are computed apart */
    NodeCounts reads; /* node -> how many of its uses read a part that is known to be there */
    MAP(const Node *, i64) read; /* node -> elements of these parts */
} Lift;

static void use(Lift *l, const Node *n) { map_put(&l->uses, n, map_get(&l->uses, n) + 1); }

/* Positions that are known: the first and the last along the axis. */
static bool known_inside(const Node *read)
{
    i64 first, last, size, axis = read->attrs[0].i;
    if (!node_const_i64(read->ops[1], &first) ||
        !size_is_const(read->ops[0]->type->dims[axis], &size))
        return false;
    if (read->op == OP_INDEX)
        return first >= -size && first < size;
    return size_is_const(read->type->dims[axis], &last) && last > 0 && first >= 0 &&
           !__builtin_mul_overflow(last - 1, read->attrs[1].i, &last) &&
           !__builtin_add_overflow(first, last, &last) && first < size && last >= 0 && last < size;
}

static void count_read(Lift *l, const Node *read)
{
    i64 count;
    if ((read->op != OP_INDEX && read->op != OP_SLICE) || !known_inside(read) ||
        !type_count(read->type, 0, &count))
        return;
    const Node *x = read->ops[0];
    map_put(&l->reads, x, map_get(&l->reads, x) + 1);
    map_put(&l->read, x, map_get(&l->read, x) + count);
}

static void lift_find(Lift *l, int nroots, Node *const *roots)
{
    nodes_topo(nroots, roots, &l->order);
    for (int i = 0; i < nroots; i++)
        use(l, roots[i]);
    for (size_t i = 0; i < l->order.len; i++)
        for (u32 k = 0; k < l->order.at[i]->nops; k++)
            use(l, l->order.at[i]->ops[k]);
    for (size_t i = 0; l->shared && i < l->order.len; i++)
        count_read(l, l->order.at[i]);
}

static void lift_free(Lift *l)
{
    vec_free(&l->order);
    map_free(&l->uses);
    map_free(&l->reads);
    map_free(&l->read);
}

static bool used_once(const Lift *l, const Node *n) { return map_get(&l->uses, n) == 1; }

/* Is it read once; or are several parts read of it, with no more elements than it has? The last
 * pass looks for these only, so that the order of passes still decides about the others. */
static bool read_in_parts(const Lift *l, const Node *n)
{
    i64 count;
    if (used_once(l, n) || !l->shared)
        return used_once(l, n) && !l->shared;
    return map_get(&l->reads, n) == map_get(&l->uses, n) && type_count(n->type, 0, &count) &&
           map_get(&l->read, n) <= count;
}

static bool is_scalar(const Node *n) { return n->type->kind == TYPE_TENSOR && n->type->rank == 0; }

static bool can_move(const Lift *l, const Node *n)
{
    return op_is_elementwise(n->op) && !is_scalar(n) && node_is_total(l->st, n);
}

/* The operators below a read, each before its operands; nothing else uses them. */
static void group_below(const Lift *l, Node *read, NodeVec *group)
{
    NodeCounts inside = {0}; /* uses by the group */
    if (!read_in_parts(l, read->ops[0]) || !can_move(l, read->ops[0]))
        return;
    vec_push(group, read->ops[0]);
    for (size_t i = 0; i < group->len; i++)
        for (u32 k = 0; k < group->at[i]->nops; k++) {
            Node *n = group->at[i]->ops[k];
            u32 uses = map_get(&inside, n) + 1;
            map_put(&inside, n, uses);
            if (uses == map_get(&l->uses, n) && can_move(l, n))
                vec_push(group, n);
        }
    map_free(&inside);
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

/* Numbers that count up, from the first that is read on. */
static Node *counted_from(const Lift *l, const Node *read)
{
    Store *st = l->st;
    if (read->op == OP_INDEX)
        return became(l, read->ops[1]);
    Node *count = node1(st, OP_IOTA, NULL, became(l, read->ops[2]));
    Node *steps = count ? build_mul(st, count, node_i64(st, read->attrs[1].i)) : NULL;
    return steps ? build_add(st, steps, became(l, read->ops[1])) : NULL;
}

/* What `read` does, of x. */
static Node *read_at(const Lift *l, const Node *read, Node *x)
{
    Node *ops[3] = {x};
    i64 first;
    if (is_scalar(x))
        return x;
    if (l->shared && x->op == OP_IOTA && known_inside(read) &&
        node_const_i64(read->ops[1], &first) && first >= 0)
        return counted_from(l, read);
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

static bool sweep_as(Engine *e, bool shared)
{
    Lift l = {.st = e->st, .e = e, .owner = e->owner, .shared = shared};
    if (!worth_a_walk(&engine_reached(e)->order))
        return false;
    lift_find(&l, e->nroots, e->roots);
    bool changed = engine_walk(e, &l.order, at_place, &l);
    lift_free(&l);
    return changed;
}

static bool sweep(Engine *e) { return sweep_as(e, false); }
static bool sweep_shared(Engine *e) { return sweep_as(e, true); }

static bool is_on(Engine *e)
{
    return engine_rule(e, "index-elementwise") || engine_rule(e, "slice-elementwise");
}

bool index_lift(Engine *e) { return is_on(e) && engine_sweep_with(e, sweep, 1, false); }

bool index_lift_shared(Engine *e)
{
    return is_on(e) && engine_sweep_with(e, sweep_shared, 1, false);
}
