/* Sums and products of several operands become chains.
 *
 * Fusing groups operators of two operands: before it each sum becomes a chain of two operands at a
 * time, from left to right, which is how it is computed anyway.
 *
 * Invariant: not a bit changes. */
#include "rewrite/rewrite.h"

static Node *chain(Store *st, OpId op, u32 n, Node *const *ops)
{
    Node *all = ops[0];
    for (u32 k = 1; k < n && all; k++)
        all = node2(st, op, NULL, all, ops[k]);
    return all;
}

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
    (void)place, (void)ctx;
    const Rule *rule = rule_for(e, now);
    double since = now_seconds();
    Node *all = rule ? chain(e->st, now->op, now->nops, now->ops) : NULL;
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
    bool changed = engine_walk(e, &order, fix_one, NULL);
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
