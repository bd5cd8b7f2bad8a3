/* How many nodes of each class there are, in closed graphs too; a body that several share counts
 * once. It changes nothing: `:set passes .. census ..` puts it wherever one wants to know.
 *
 * Invariant: what it tells depends on the graph alone. */
#include "passes/passes.h"

static void count_classes(int nroots, Node *const *roots, GraphSet *seen, u32 count[CLASS_COUNT])
{
    NodeVec order = {0};
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        int slots[4], graphs = node_graphs(n, slots);
        count[op_table[n->op].cls]++;
        for (int k = 0; k < graphs; k++) {
            Graph *g = n->attrs[slots[k]].graph;
            if (!set_add(seen, g))
                continue;
            count_classes(g->nouts, g->outs, seen, count);
        }
    }
    vec_free(&order);
}

bool pass_census(Engine *e, const Phase *phases)
{
    u32 count[CLASS_COUNT] = {0};
    GraphSet seen = {0};
    Text told = {0};
    (void)phases;
    count_classes(e->nroots, e->roots, &seen, count);
    for (int k = 0; k < CLASS_COUNT; k++)
        if (count[k])
            text_printf(&told, "%s%u %s", told.len ? ", " : "", count[k], class_name((OpClass)k));
    e->told = text_take(&told);
    map_free(&seen);
    return false;
}
