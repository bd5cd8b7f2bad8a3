/* Branches and calls of figures, derivatives as written.
 *
 * Invariant: every result of such a node that something reads has a text and a line. */
#include "viz/scene/figure_parts.h"
#include "graph/provenance.h"

/* The name of a result without one: a letter, at the line that leaves, if more than that line
 * tells it. */
static const char *result_name(Fig *f, const Level *l, const Node *r, const char **at_line)
{
    Symbol name = l->graph ? level_name(f, l, r) : node_result_name(f->st, r);
    const char *text = name ? figure_name(f, name) : figure_letter(f);
    bool read = map_get(&l->uses, r) > map_has(&l->root, r);
    *at_line = read || l->graph ? text : "";
    return text;
}

/* ---- if ---- */

/* Ends of the branch, by result, are in ends. */
static void draw_branch(Inner *around, Graph *g, const IntList *map, bool taken, int *ends)
{
    IfShape s = if_shape(around->owner);
    Inner in = inner_begin(
        around->f, &around->in, around->owner, g,
        &(SceneBox){.kind = taken ? BOX_THEN : BOX_ELSE, .title = taken ? "then" : "else"});
    in.outer = around->outer;
    for (int i = 0; i < g->nparams; i++) {
        const char *text = inner_operand_text(&in, s.operands[map->at[i]]);
        map_put(&in.in.text, g->param_nodes[i], text);
    }
    level_open(&in.in, in.f, g->nouts, g->outs);
    level_draw(in.f, &in.in, g->nouts, g->outs);
    for (int i = 0; i < g->nouts; i++)
        ends[i] = inner_leave(&in, g->outs[i], "", EDGE_DATA);
    inner_end(&in);
}

/* A box with a box for each branch; what leaves the branches meets at the ends of the outer one. */
static void draw_if(Fig *f, Level *l, Node *n)
{
    IfShape s = if_shape(n);
    Wires wires = {0};
    NodeVec results = {0};
    int *ends[2];
    const char *test = figure_formula(f, l, s.condition, &wires);
    Inner in = inner_begin(f, l, n, NULL,
                           &(SceneBox){.kind = BOX_GROUP, .title = figure_text(f, "if %s", test)});
    for (int k = 0; k < 2; k++) {
        ends[k] = xcalloc((size_t)n->type->nitems + 1, sizeof *ends[k]);
        draw_branch(&in, k ? s.else_graph : s.then_graph, k ? s.else_args : s.then_args, k == 0,
                    ends[k]);
    }
    for (int i = 0; i < s.noperands; i++)
        wire_add(&wires, level_value(f, l, s.operands[i]));
    for (size_t i = 0; i < wires.len; i++)
        scene_edge(f->scene, &(SceneEdge){.from = wires.at[i], .to_box = in.in.box});
    level_results(l, n, &results);
    for (size_t i = 0; i < results.len; i++) {
        i64 k = results.at[i]->attrs[0].i;
        const char *told, *text = result_name(f, l, results.at[i], &told);
        int at = figure_end(f, in.in.box, ROLE_OUTPUT, told);
        figure_edge(f, ends[0][k], at, EDGE_DATA);
        figure_edge(f, ends[1][k], at, EDGE_DATA);
        level_name_result(l, results.at[i], text, at);
    }
    free(ends[0]);
    free(ends[1]);
    vec_free(&results);
    vec_free(&wires);
    inner_end(&in);
}

/* ---- calls, derivatives as written ---- */

static const char *call_title(Fig *f, const Node *n)
{
    if (n->op == OP_CALL && n->attrs[1].name)
        return n->attrs[1].name;
    if (n->op == OP_VMAP)
        return "for each lane";
    Text by = {0};
    for (i64 i = 0; n->op == OP_GRAD && i < n->attrs[1].i; i++) {
        const Symbol *names = graph_names(f->st, n->attrs[0].graph);
        text_printf(&by, "%s%s", i ? ", " : "gradient by ",
                    names && names[i] ? figure_name(f, names[i]) : "it");
    }
    const char *title = by.len ? figure_text(f, "%s", text_str(&by)) : NULL;
    text_free(&by);
    if (title)
        return title;
    return figure_text(f, "%s", op_table[n->op].name);
}

/* Is it read by nothing that is drawn, but perhaps told in a title: how often a loop runs? */
static bool is_only_told(const Inner *in, int i, Node *operand)
{
    return !map_has(&in->in.uses, in->in.graph->param_nodes[i]) &&
           !map_has(&in->outer->item, figure_core(operand));
}

static void draw_call(Fig *f, Level *l, Node *n)
{
    const Graph *g = n->attrs[0].graph;
    Inner in = inner_begin(f, l, n, g, &(SceneBox){.kind = BOX_CALL, .title = call_title(f, n)});
    level_open(&in.in, f, g->nouts, g->outs);
    for (int i = 0; i < g->nparams; i++) {
        if ((u32)i < n->nops && is_only_told(&in, i, n->ops[i]))
            map_put(&in.in.text, g->param_nodes[i], inner_operand_text(&in, n->ops[i]));
        else if ((u32)i < n->nops)
            inner_capture(&in, i, n->ops[i]);
        else
            inner_call_param(&in, i, NULL);
    }
    level_draw(f, &in.in, g->nouts, g->outs);
    NodeVec results = {0};
    level_results(l, n, &results);
    for (size_t i = 0; i < results.len; i++) {
        Node *r = results.at[i];
        const char *told, *text = result_name(f, l, r, &told);
        i64 k = r->attrs[0].i;
        bool of_body = n->op != OP_GRAD && n->op != OP_VJP && n->op != OP_JVP && k < g->nouts;
        Node *value = of_body ? g->outs[k] : g->outs[0];
        int at = inner_leave(&in, value, of_body ? told : text, EDGE_DATA);
        level_name_result(l, r, text, at);
    }
    vec_free(&results);
    inner_end(&in);
}

void figure_control(Fig *f, Level *l, Node *n)
{
    if (n->op == OP_SCAN)
        figure_scan(f, l, n);
    else if (n->op == OP_LOOP)
        figure_loop(f, l, n);
    else if (n->op == OP_FUSED)
        figure_fused(f, l, n);
    else if (n->op == OP_IFELSE)
        draw_if(f, l, n);
    else
        draw_call(f, l, n);
}
