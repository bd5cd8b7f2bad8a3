/* What depends on what through real numbers, in a closed graph.
 *
 * A result of a loop depends on an operand if some number of steps carries the one to the other: of
 * two states that never meet, neither depends on the other. */
#include "grad/vjp.h"

static void graph_dependence(const Graph *g, bool *on);

bool *scan_dependence(const Node *scan)
{
    ScanShape s = scan_shape(scan);
    size_t width = (size_t)s.body->nparams, height = (size_t)s.body->nouts;
    bool *on = xcalloc(width * height + 1, sizeof *on);
    graph_dependence(s.body, on);
    for (size_t k = 0; k < (size_t)s.nstates; k++)
        on[k * width + k] = true;                  /* no step */
    for (size_t k = 0; k < (size_t)s.nstates; k++) /* paths through state k */
        for (size_t o = 0; o < height; o++)
            for (size_t p = 0; p < width && on[o * width + k]; p++)
                on[o * width + p] = on[o * width + p] || on[k * width + p];
    return on;
}

/* Of a result of a loop. */
static bool result_active(const Node *result, const NodeSet *active, const bool *on)
{
    const Node *scan = result->ops[0];
    ScanShape s = scan_shape(scan);
    size_t width = (size_t)s.body->nparams, row = (size_t)result->attrs[0].i;
    for (int p = 0; p < s.body->nparams; p++) {
        if (on[row * width + (size_t)p] && map_has(active, scan->ops[1 + p]))
            return true;
    }
    return false;
}

typedef MAP(Node *, bool *) LoopFlags; /* scan -> on */

/* Adds what depends on those that are there. */
static void spread(NodeSet *active, const NodeVec *order, const LoopFlags *loops)
{
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        if (n->op == OP_STOP_GRADIENT || !type_has_floats(n->type))
            continue;
        const bool *on = n->op == OP_PROJ ? map_get(loops, n->ops[0]) : NULL;
        bool is = on && result_active(n, active, on);
        for (u32 k = 0; !on && k < n->nops && !is; k++)
            is = map_has(active, n->ops[k]);
        if (is)
            set_add(active, n);
    }
}

/* Which parameters each output depends on, as in scan_dependence. */
static void graph_dependence(const Graph *g, bool *on)
{
    int count = g->nparams;
    NodeVec order = {0};
    LoopFlags loops = {0};
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_SCAN)
            map_put(&loops, order.at[i], scan_dependence(order.at[i]));
    for (int p = 0; p < count; p++) {
        NodeSet active = {0};
        if (type_has_floats(g->params[p]))
            set_add(&active, g->param_nodes[p]);
        spread(&active, &order, &loops);
        for (int o = 0; o < g->nouts; o++)
            on[o * count + p] = map_has(&active, g->outs[o]);
        map_free(&active);
    }
    for (size_t i = 0; i < order.len; i++)
        free(map_get(&loops, order.at[i]));
    map_free(&loops);
    vec_free(&order);
}
