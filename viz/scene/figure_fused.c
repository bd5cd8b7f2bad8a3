/* Fused operators in figures.
 *
 * Invariant: as of every node that owns graphs, each result that something reads has a text and a
 * line. */
#include "viz/scene/figure_parts.h"

/* Names of the results, so that the formulas begin with them; how many there are. */
static int name_results(Fig *f, Level *l, Level *in, const Node *owner)
{
    int count = 0;
    for (int k = 0; k < in->graph->nouts; k++) {
        Node *r = level_result(l, owner, k);
        Symbol name = r ? level_name_to_draw(f, l, r) : NULL;
        count += r != NULL;
        if (name)
            map_put(&in->next, in->graph->outs[k], figure_name(f, name));
    }
    return count;
}

/* What formulas outside call a result: by its name, or written out where it only changes the form
 * of others. NULL: it is the one line of the list, which gets a letter when one calls it. */
static const Phrase *told_result(Fig *f, Level *in, Node *out, bool *loose)
{
    Node *core = level_core(in, out);
    const Phrase *text = map_get(&in->text, core);
    if (!text && !map_has(&in->plain, core))
        text = figure_operand(f, in, out, NULL, loose);
    return text;
}

/* As formulas in one node. */
void figure_fused(Fig *f, Level *l, Node *n)
{
    const Graph *g = n->attrs[0].graph;
    Level in = {.graph = g, .box = l->box, .lists = true};
    Wires wires = {0};
    level_open(&in, f, g->nouts, g->outs);
    for (int i = 0; i < g->nparams; i++) {
        bool loose;
        const Phrase *text = figure_operand(f, l, n->ops[i], &wires, &loose);
        level_call(&in, g->param_nodes[i], text, loose);
    }
    in.alone = name_results(f, l, &in, n) == 1 && in.item.len <= 1;
    level_draw(f, &in);
    if (in.list)
        wires_draw(f, &wires, &(SceneEdge){.to = in.list});
    for (int k = 0; k < g->nouts; k++) {
        Node *r = level_result(l, n, k);
        bool loose = false;
        const Phrase *text = r ? told_result(f, &in, g->outs[k], &loose) : NULL;
        if (text)
            level_call(l, r, text, loose);
        else if (r)
            map_put(&l->plain, r, in.list);
        if (r && in.list)
            map_put(&l->wire, r, in.list);
    }
    vec_free(&wires);
    level_close(&in);
}
