/* Fixing the order of sums and products.
 *
 * The operands of an n-ary node are kept in an order that depends on structure, so whatever
 * replaces nodes below it may shift them, and with them the rounding. Before a pass that must not
 * change a bit, each sum becomes a chain of two operands at a time, in the order that it has: two
 * operands give the same bits either way.
 *
 * Invariant: the order is that of the graph as it was when the sweep began, so the sweep as a whole
 * is exact. A single step of it is of class R: what was fixed below a sum may have shifted its
 * operands, and the step puts them back. */
#include "passes/passes.h"

static Node *chain(Store *st, OpId op, u32 n, Node *const *ops)
{
    Node *all = ops[0];
    for (u32 k = 1; k < n && all; k++)
        all = node2(st, op, NULL, all, ops[k]);
    return all;
}

/* The rule at one node, as it stands. */
bool order_operands(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)why;
    Node *all = n->nops > 2 ? chain(e->st, n->op, n->nops, n->ops) : NULL;
    if (all)
        vec_push(out, ((Change){n, all}));
    return all != NULL;
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
    const NodeVec *order = ctx;
    const Node *was = order->at[place];
    const Rule *rule = rule_for(e, was);
    if (!rule)
        return now;
    double since = now_seconds();
    Node **ops = xmalloc(was->nops * sizeof *ops);
    for (u32 k = 0; k < was->nops; k++)
        ops[k] = engine_became(e, was->ops[k]);
    Node *all = chain(e->st, was->op, was->nops, ops);
    free(ops);
    if (!all || all->type != now->type)
        return now;
    Changes one = {0};
    vec_push(&one, ((Change){now, all}));
    engine_record(e, rule, &one, NULL, since);
    vec_free(&one);
    return all;
}

static bool sweep(Engine *e)
{
    NodeVec order = {0};
    nodes_topo(e->nroots, e->roots, &order);
    bool changed = engine_walk(e, &order, fix_one, &order);
    vec_free(&order);
    return changed;
}

bool order_fix(Engine *e)
{
    e->groups = "order";
    e->sweep = sweep;
    map_clear(e->bodies);
    bool changed = engine_saturate(e, 1);
    e->sweep = NULL;
    return changed;
}
