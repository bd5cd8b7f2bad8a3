/* The child steps of one that expands a vmap: an operator each, operands first; what is left of the
 * function stays a vmap (batch/batch.h). */
#include "batch/batch.h"
#include "passes/openers.h"

/* The state of the sweep, told as what was done to get there. */
static void put_state(Opening *o, VmapSweep *s, const char *name, const char *reason)
{
    Node **results = xcalloc((size_t)s->nouts + 1, sizeof *results),
         **to = xcalloc((size_t)o->n + 1, sizeof *to);
    bool ok = vmap_state(s, results);
    for (int i = 0; i < o->n && ok; i++)
        to[i] = results[o->start[i]->attrs[0].i];
    if (ok)
        open_part(o, name, reason, to);
    free(results);
    free(to);
}

static bool parts_open(Opening *o)
{
    VmapSweep s;
    Node *n;
    bool ok = vmap_begin(&s, o->st, o->start[0]->ops[0]);
    if (ok)
        put_state(o, &s, "lanes", "the batch axis comes first: each argument has it as axis 0");
    while (ok && (n = vmap_next(&s))) {
        char name[64];
        snprintf(name, sizeof name, "vmap %.50s", node_info(n)->name);
        put_state(o, &s, name, batch_rule(n));
    }
    ok = ok && !s.failed;
    vmap_end(&s);
    return ok &&
           open_last(o, "vmap", "a loop over the batch elements, because their shapes differ");
}

static bool has_parts(const Step *s)
{
    const Node *n = s->changes[0].before;
    if (n->op != OP_PROJ || n->ops[0]->op != OP_VMAP)
        return false;
    const Graph *g = n->ops[0]->attrs[0].graph;
    NodeVec order = {0};
    size_t operators = 0;
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        operators += order.at[i]->op != OP_PARAM && order.at[i]->op != OP_CONST &&
                     order.at[i]->op != OP_PROJ;
    vec_free(&order);
    return operators > 1;
}

const Opener open_vmap = {has_parts, parts_open};
