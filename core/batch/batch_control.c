/* Batching of calls, branches and loops.
 *
 * A loop whose number of steps or stop differs from lane to lane runs until the last lane
 * is done. Invariant: a lane that is done is frozen. Its states stay as they were after its
 * last step and its rows of the traces are zero; its body is not evaluated again where that
 * could fail or run for ever: then each step is a loop over the lanes with an `if` inside. */
#include "graph/names.h"
#include "batch/batch.h"
#include "ops/elem.h"
#include "ops/functions.h"

/* ---- what can go wrong in one lane only ---- */

static bool graph_may_fail(Store *st, const Graph *g);

/* `depends`: do the values of operand k differ from lane to lane? Shapes never do. */
static bool node_may_fail(Store *st, const Node *n, const bool *depends)
{
    u32 flags = op_table[n->op].flags;
    if (!(flags & PARTIAL) || flags & BY_SHAPE || node_is_total(st, n))
        return false;
    if (flags & (READS | UPDATES))
        return depends[1];
    switch (n->op) {
    case OP_CHECK: return depends[0];
    case OP_SCAN: return depends[0] || scan_shape(n).stop || graph_may_fail(st, scan_shape(n).body);
    case OP_IFELSE:
        return graph_may_fail(st, if_shape(n).then_graph) ||
               graph_may_fail(st, if_shape(n).else_graph);
    case OP_CALL: return graph_may_fail(st, n->attrs[0].graph);
    default: return true;
    }
}

static bool order_may_fail(Store *st, const NodeVec *order, const Batch *b)
{
    bool fails = false;
    for (size_t i = 0; i < order->len && !fails; i++) {
        Node *n = order->at[i];
        bool *depends = xcalloc(n->nops + 1, sizeof *depends), any = false;
        for (u32 k = 0; k < n->nops; k++) {
            depends[k] = !b || batch_has(b, n->ops[k]) || map_has(&b->ragged, n->ops[k]);
            any = any || depends[k];
        }
        fails = any && node_may_fail(st, n, depends);
        free(depends);
    }
    return fails;
}

static bool graph_may_fail(Store *st, const Graph *g)
{
    NodeVec order = {0};
    nodes_topo(g->nouts, g->outs, &order);
    bool fails = order_may_fail(st, &order, NULL);
    vec_free(&order);
    return fails;
}

bool batch_may_fail(const Batch *b, int n, Node *const *outs)
{
    NodeVec order = {0};
    NodeSet seen = {0};
    for (size_t i = 0; i < b->seeds.len; i++)
        set_add(&seen, b->seeds.at[i]);
    for (int i = 0; i < n; i++)
        nodes_topo_more(outs[i], &seen, &order);
    bool fails = order_may_fail(b->st, &order, b);
    map_free(&seen);
    vec_free(&order);
    return fails;
}

/* ---- calls ---- */

bool batch_call(Batch *b, Node *n)
{
    Graph *g = n->attrs[0].graph;
    size_t count = (size_t)g->nouts + 1;
    Node **outs = xcalloc(2 * count, sizeof *outs), **values = outs + count;
    bool *batched = xcalloc(count, sizeof *batched);
    Node **args = xcalloc(n->nops + 1, sizeof *args);
    u32 temps = b->st->temp_count;
    Batch in = {.st = b->st, .lanes = b->lanes};
    for (u32 i = 0; i < n->nops; i++) {
        Node *v = args[i] = batch_value(b, n->ops[i]);
        if (batch_has(b, n->ops[i]))
            args[i] = node_temp(b->st, type_without_axis(b->st, v->type, 0, v->type->dtype),
                                node_told(b->st, n->ops[i]));
        batch_seed(&in, args[i], v, batch_has(b, n->ops[i]));
    }
    bool ok = graph_instantiate(b->st, g, args, outs) &&
              batch_outputs(&in, g->nouts, outs, values, batched);
    for (int i = 0; i < g->nouts && ok; i++)
        ok = batch_set(b, node_proj(b->st, n, i), values[i], batched[i]);
    b->st->temp_count = temps;
    batch_free(&in);
    free(outs);
    free(batched);
    free(args);
    return ok;
}

/* ---- branches ---- */

typedef struct {
    Node *hole, *value;
} Binding;
typedef VEC(Binding) Bindings;

/* An `if` of open outputs a and z; of the holes among what it captures, those that are bound. */
static Node *if_bound(Store *st, Node *condition, int n, Node *const *a, Node *const *z,
                      const NodeSet *whole, const Bindings *bound)
{
    CloseRequest sides[2] = {{.nouts = n, .outs = a, .mentioned = whole},
                             {.nouts = n, .outs = z, .mentioned = whole}};
    IfParts p;
    if_open(&p, condition);
    bool ok = if_branch(st, &p, 0, &sides[0]) && if_branch(st, &p, 1, &sides[1]);
    for (size_t i = 1; i < p.ops.len; i++)
        for (size_t k = 0; k < bound->len; k++)
            if (bound->at[k].hole == p.ops.at[i]) {
                p.ops.at[i] = bound->at[k].value;
                break;
            }
    Node *r = ok ? if_node(st, &p) : NULL;
    if_parts_free(&p);
    return r;
}

Node *batch_if(const Batch *b, Node *condition, int n, Node *const *a, Node *const *z)
{
    NodeSet whole = {0};
    for (size_t i = 0; i < b->seeds.len; i++)
        set_add(&whole, b->seeds.at[i]);
    Node *r = build_if(b->st, condition, n, a, z, &whole);
    map_free(&whole);
    return r;
}

/* The outputs of one branch in all lanes, over holes for the batched operands. */
static bool side_outputs(Batch *b, const IfShape *s, Graph *g, const IntList *map, Bindings *bound,
                         NodeSet *whole, Node **values, bool *batched)
{
    Store *st = b->st;
    Batch in = {.st = st, .lanes = b->lanes};
    Node **args = xcalloc(map->n + 1, sizeof *args),
         **outs = xcalloc((size_t)g->nouts + 1, sizeof *outs);
    set_add(whole, b->lanes);
    for (u32 i = 0; i < map->n; i++) {
        const Node *o = s->operands[map->at[i]];
        Node *v = args[i] = batch_value(b, o);
        if (!batch_has(b, o)) {
            set_add(whole, v);
            batch_seed(&in, v, v, false);
            continue;
        }
        Symbol name = node_told(st, o);
        args[i] = node_temp(st, type_without_axis(st, v->type, 0, v->type->dtype), name);
        Node *hole = node_temp(st, v->type, name);
        batch_seed(&in, args[i], hole, true);
        vec_push(bound, ((Binding){hole, v}));
    }
    bool ok =
        graph_instantiate(st, g, args, outs) && batch_outputs(&in, g->nouts, outs, values, batched);
    batch_free(&in);
    free(args);
    free(outs);
    return ok;
}

static bool is_open(const Node *n) { return n->op == OP_HOLE || n->op == OP_PARAM; }

/* Can it be computed at once, without harm? What stands for a value outside may wait there until a
 * lane needs it, unless the condition needs it anyway. */
static bool is_at_hand(const Batch *b, Node *x, const NodeSet *asked, bool inside)
{
    NodeVec order = {0};
    bool ok = true;
    nodes_topo(1, &x, &order);
    for (size_t i = 0; i < order.len && ok; i++) {
        Node *n = order.at[i], *outside = inside && is_open(n) ? batch_value(b, n) : n;
        if (map_has(asked, n))
            continue;
        ok = is_open(n) ? outside && outside != n && is_at_hand(b, outside, asked, false)
                        : node_is_total(b->st, n);
    }
    vec_free(&order);
    return ok;
}

static bool takes_little(const Batch *b, const IfShape *s)
{
    const IntList *const maps[] = {s->then_args, s->else_args};
    NodeVec order = {0};
    NodeSet asked = {0};
    bool ok = true;
    nodes_topo(1, &s->condition, &order);
    for (size_t i = 0; i < order.len; i++)
        set_add(&asked, order.at[i]);
    for (int k = 0; k < 2; k++)
        for (u32 i = 0; i < maps[k]->n && ok; i++)
            ok = is_at_hand(b, s->operands[maps[k]->at[i]], &asked, true);
    vec_free(&order);
    map_free(&asked);
    return ok;
}

/* Is it so little, and so harmless, that all lanes may compute it? */
static bool is_elementwise(Store *st, const Graph *g)
{
    NodeVec order = {0};
    nodes_topo(g->nouts, g->outs, &order);
    bool ok = true;
    for (size_t i = 0; i < order.len && ok; i++) {
        const Node *n = order.at[i];
        ok = n->type->kind == TYPE_TENSOR && node_dtype(n) != DT_RNG &&
             (n->op == OP_PARAM || n->op == OP_CONST ||
              (op_is_elementwise(n->op) && node_is_total(st, n)));
    }
    vec_free(&order);
    return ok;
}

static bool instantiate_side(Store *st, const IfShape *s, Graph *g, const IntList *map, Node **outs)
{
    Node **args = xcalloc(map->n + 1, sizeof *args);
    for (u32 i = 0; i < map->n; i++)
        args[i] = s->operands[map->at[i]];
    bool ok = graph_instantiate(st, g, args, outs);
    free(args);
    return ok;
}

/* All lanes compute both sides, and each takes its own. */
static bool choose(Batch *b, Node *n, const IfShape *s)
{
    int count = s->then_graph->nouts;
    size_t room = (size_t)count + 1;
    Node **t = xcalloc(3 * room, sizeof *t), **f = t + room, **values = f + room;
    bool *batched = xcalloc(room, sizeof *batched);
    bool ok = instantiate_side(b->st, s, s->then_graph, s->then_args, t) &&
              instantiate_side(b->st, s, s->else_graph, s->else_args, f);
    for (int i = 0; i < count && ok; i++) {
        Node *choice[] = {s->condition, t[i], f[i]};
        ok = (t[i] = build_elementwise(b->st, OP_WHERE, 3, choice)) != NULL;
    }
    ok = ok && batch_outputs(b, count, t, values, batched);
    for (int i = 0; i < count && ok; i++)
        ok = batch_set(b, node_proj(b->st, n, i), values[i], batched[i]);
    free(t);
    free(batched);
    return ok;
}

bool batch_ifelse(Batch *b, Node *n)
{
    IfShape s = if_shape(n);
    if (batch_has(b, s.condition))
        return is_elementwise(b->st, s.then_graph) && is_elementwise(b->st, s.else_graph) &&
                       takes_little(b, &s)
                   ? choose(b, n, &s)
                   : batch_lanes(b, n); /* each lane runs its own branch, and only that */
    int count = s.then_graph->nouts;
    size_t room = (size_t)count + 1;
    u32 temps = b->st->temp_count;
    Node **t = xcalloc(2 * room, sizeof *t), **f = t + room;
    bool *tb = xcalloc(2 * room, sizeof *tb), *fb = tb + room;
    Bindings bound = {0};
    NodeSet whole = {0};
    bool ok = side_outputs(b, &s, s.then_graph, s.then_args, &bound, &whole, t, tb) &&
              side_outputs(b, &s, s.else_graph, s.else_args, &bound, &whole, f, fb);
    for (int i = 0; i < count && ok; i++) {
        if (tb[i] && !fb[i])
            f[i] = batch_repeat(b, f[i]);
        if (fb[i] && !tb[i])
            t[i] = batch_repeat(b, t[i]);
        ok = t[i] && f[i];
    }
    Node *r = ok ? if_bound(b->st, batch_value(b, s.condition), count, t, f, &whole, &bound) : NULL;
    for (int i = 0; i < count && r; i++)
        if (!batch_set(b, node_proj(b->st, n, i), node_proj(b->st, r, i), tb[i] || fb[i]))
            r = NULL;
    b->st->temp_count = temps;
    vec_free(&bound);
    map_free(&whole);
    free(t);
    free(tb);
    return r != NULL;
}
