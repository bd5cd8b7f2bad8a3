/* Fused operators in figures.
 *
 * Invariant: as of every node that owns graphs, each result that something reads has a text and a
 * line. */
#include "viz/scene/figure_parts.h"

/* Names of the results, so that the formulas begin with them. */
static void name_results(Fig *f, Level *l, Level *in, const NodeVec *results)
{
    for (size_t i = 0; i < results->len; i++) {
        Node *r = results->at[i], *out = in->graph->outs[r->attrs[0].i];
        Symbol name = level_name_to_draw(f, l, r);
        if (name)
            map_put(&in->next, out, figure_name(f, name));
    }
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
    NodeVec results = {0};
    level_results(l, n, &results);
    level_open(&in, f, g->nouts, g->outs);
    for (int i = 0; i < g->nparams; i++) {
        bool loose;
        const Phrase *text = figure_operand(f, l, n->ops[i], &wires, &loose);
        level_call(&in, g->param_nodes[i], text, loose);
    }
    name_results(f, l, &in, &results);
    in.alone = results.len == 1 && in.item.len <= 1;
    level_draw(f, &in);
    if (in.list)
        wires_draw(f, &wires, &(SceneEdge){.to = in.list});
    for (size_t i = 0; i < results.len; i++) {
        Node *out = g->outs[results.at[i]->attrs[0].i];
        bool loose = false;
        const Phrase *text = told_result(f, &in, out, &loose);
        if (text)
            level_call(l, results.at[i], text, loose);
        else
            map_put(&l->plain, results.at[i], in.list);
        if (in.list)
            map_put(&l->wire, results.at[i], in.list);
    }
    vec_free(&results);
    vec_free(&wires);
    level_close(&in);
}
