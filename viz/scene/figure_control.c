/* Branches and calls of figures, derivatives as written.
 *
 * Invariant: every result of such a node that something reads has a text and a line. */
#include "viz/scene/figure_parts.h"
#include "graph/provenance.h"

/* The name of a result without one: a letter, at the line that leaves, if more than that line
 * tells it. */
static const Phrase *result_name(Fig *f, const Level *l, const Node *r, const Phrase **at_line)
{
    Symbol name = l->graph ? level_name(f, l, r) : node_result_name(f->st, r);
    const Phrase *text = name ? figure_name(f, name) : figure_letter(f);
    bool root = map_has(&l->root, r), read = map_get(&l->uses, r) > root;
    bool inside = l->graph && !(root && !name); /* else it is named where it leaves this one */
    *at_line = read || inside ? text : figure_say(f, "");
    return text;
}

/* ---- if ---- */

/* Ends of the branch, by result, are in ends. */
static void draw_branch(Inner *around, int slot, int *ends)
{
    const Graph *g = around->owner->attrs[slot].graph;
    Inner in = inner_begin(
        around->f, &around->in, around->owner, g,
        &(SceneBox){.kind = slot ? BOX_ELSE : BOX_THEN, .title = slot ? "else" : "then"});
    in.outer = around->outer;
    for (int i = 0; i < g->nparams; i++) {
        const Phrase *text = inner_operand_text(&in, entry_of(in.owner, slot, i).operand);
        map_put(&in.in.text, g->param_nodes[i], text);
    }
    level_open(&in.in, in.f, g->nouts, g->outs);
    level_draw(in.f, &in.in);
    for (int i = 0; i < g->nouts; i++)
        ends[i] = inner_leave(&in, g->outs[i], figure_say(in.f, ""), EDGE_DATA);
    inner_end(&in);
}

/* A box with a box for each branch; what leaves the branches meets at the ends of the outer one. */
static void draw_if(Fig *f, Level *l, Node *n)
{
    IfShape s = if_shape(n);
    Wires wires = {0};
    int *ends[2];
    const Phrase *test = figure_formula(f, l, s.condition, &wires);
    Inner in = inner_begin(
        f, l, n, NULL, &(SceneBox){.kind = BOX_GROUP, .title_words = *figure_say(f, "if @", test)});
    for (int k = 0; k < 2; k++) {
        ends[k] = xcalloc((size_t)n->type->nitems + 1, sizeof *ends[k]);
        draw_branch(&in, k, ends[k]);
    }
    for (int i = 0; i < s.noperands; i++)
        wire_add(&wires, level_value(f, l, s.operands[i]));
    wires_draw(f, &wires, &(SceneEdge){.to_box = in.in.box});
    for (int k = 0; k < n->type->nitems; k++) {
        Node *r = level_result(l, n, k);
        if (!r)
            continue;
        const Phrase *told, *text = result_name(f, l, r, &told);
        int at = figure_end(f, in.in.box, ROLE_OUTPUT, told);
        figure_edge(f, ends[0][k], at, EDGE_DATA);
        figure_edge(f, ends[1][k], at, EDGE_DATA);
        level_name_result(l, r, text, at);
    }
    free(ends[0]);
    free(ends[1]);
    inner_end(&in);
}

/* ---- calls, derivatives as written ---- */

/* An index that nothing is called. */
static const Phrase *lane_index(Fig *f)
{
    for (char c = 'i'; c <= 'n'; c++) {
        Symbol index = symbol(f->st, (char[]){c, '\0'});
        if (set_add(&f->names.taken, index))
            return figure_name(f, index);
    }
    return figure_letter(f);
}

/* How many lanes there are, or NULL. */
static const Phrase *lanes_text(Fig *f, const Level *l, const Node *n)
{
    const IntList *axes = n->attrs[1].ints;
    for (u32 i = 0; i < axes->n; i++)
        if (axes->at[i] >= 0)
            return figure_size(f, l, n->ops[i]->type->dims[axes->at[i]]);
    return NULL;
}

static const Phrase *vmap_title(Fig *f, const Level *l, const Node *n, const Phrase *lane)
{
    const IntList *axes = n->attrs[2].ints;
    const Phrase *count = lanes_text(f, l, n);
    const Phrase *title =
        count ? figure_say(f, "for each @ < @", lane, count) : figure_say(f, "for each @", lane);
    for (u32 i = 0; i < axes->n; i++)
        if (axes->at[i])
            title =
                figure_say(f, "@@", title,
                           figure_text(f, ", axis %lld of result %u", (long long)axes->at[i], i));
    return title;
}

/* "gradient by W, b", "vjp by W of dy" */
static const Phrase *derivative_title(Fig *f, Level *l, const Node *n, Wires *wires)
{
    const Graph *g = n->attrs[0].graph;
    Pretty t = {0};
    pretty_words(&t, n->op == OP_GRAD ? "gradient" : op_table[n->op].name);
    for (i64 i = 0; i < n->attrs[1].i; i++) {
        pretty_words(&t, i ? ", " : " by ");
        Symbol name = param_symbol(f->st, g, (int)i);
        pretty_phrase(&t, name ? figure_name(f, name) : figure_formula(f, l, n->ops[i], NULL));
    }
    for (u32 i = (u32)g->nparams; i < n->nops; i++) {
        pretty_words(&t, i > (u32)g->nparams ? ", " : n->op == OP_VJP ? " of " : " along ");
        pretty_phrase(&t, figure_formula(f, l, n->ops[i], wires));
    }
    if (n->attrs[2].i >= 0)
        pretty_phrase(&t, figure_text(f, ", truncated to %lld steps", (long long)n->attrs[2].i));
    return figure_keep(f, &t);
}

static const Phrase *call_title(Fig *f, Level *l, const Node *n, const Phrase *lane, Wires *wires)
{
    if (n->op == OP_CALL)
        return figure_text(f, "%s", n->attrs[1].name ? n->attrs[1].name : op_table[n->op].name);
    return n->op == OP_VMAP ? vmap_title(f, l, n, lane) : derivative_title(f, l, n, wires);
}

/* "A[:, i]": what a lane is given of an operand. */
static void enter_lane(Inner *in, int i, const Entry *e, const Phrase *lane, Wires *wires)
{
    bool loose;
    Pretty t = {0};
    const Phrase *of = figure_operand(in->f, in->outer, e->operand, wires, &loose);
    pretty_phrase(&t, loose ? figure_say(in->f, "(@)", of) : of);
    pretty_words(&t, "[");
    for (i64 k = 0; k < e->lane; k++)
        pretty_words(&t, ":, ");
    pretty_phrase(&t, lane);
    pretty_words(&t, "]");
    map_put(&in->in.text, in->in.graph->param_nodes[i], figure_keep(in->f, &t));
}

/* Is it read by nothing that is drawn, but perhaps told in a title: how often a loop runs? */
static bool is_only_told(const Inner *in, int i, Node *operand)
{
    return !map_has(&in->in.uses, in->in.graph->param_nodes[i]) &&
           !map_has(&in->outer->item, level_core(in->outer, operand));
}

/* What is computed enters a call by a line, under the name that it has in there. */
static void enter_argument(Inner *in, int i, Node *operand)
{
    Fig *f = in->f;
    int from = f->folded == FIGURE_FOLDS || figure_is_leaf(operand) ||
                       !map_has(&in->in.uses, in->in.graph->param_nodes[i])
                   ? 0
                   : level_value(f, in->outer, operand);
    if (from)
        figure_edge(f, from, inner_port(in, ROLE_PARAM, i, operand), EDGE_DATA);
    else
        inner_capture(in, i, operand);
}

/* Lanes are a call, too. */
static SceneBoxKind kind_of_call(const Node *n)
{
    return n->op == OP_VMAP ? BOX_CALL : box_kind_of(n);
}

/* A result of the graph leaves by a line, a derivative of it leaves the frame. */
static int leave_call(Inner *in, const Node *result, const Phrase *text, const Phrase *told)
{
    const Graph *g = in->in.graph;
    i64 k = result->attrs[0].i;
    if (kind_of_call(in->owner) == BOX_CALL && k < g->nouts)
        return inner_leave(in, g->outs[k], told, EDGE_DATA);
    return figure_end(in->f, in->in.box, ROLE_OUTPUT, text);
}

static void draw_call(Fig *f, Level *l, Node *n)
{
    const Graph *g = n->attrs[0].graph;
    const Phrase *lane = n->op == OP_VMAP ? lane_index(f) : NULL;
    Wires wires = {0};
    const Phrase *title = call_title(f, l, n, lane, &wires);
    Inner in = inner_begin(f, l, n, g, &(SceneBox){.kind = kind_of_call(n), .title_words = *title});
    level_open(&in.in, f, g->nouts, g->outs);
    for (int i = 0; i < g->nparams; i++) {
        Entry e = entry_of(n, 0, i);
        if (e.lane >= 0)
            enter_lane(&in, i, &e, lane, &wires);
        else if (is_only_told(&in, i, e.operand))
            map_put(&in.in.text, g->param_nodes[i], inner_operand_text(&in, e.operand));
        else
            enter_argument(&in, i, e.operand);
    }
    wires_draw(f, &wires, &(SceneEdge){.to_box = in.in.box, .kind = EDGE_CAPTURE});
    level_draw(f, &in.in);
    for (int k = 0; k < n->type->nitems; k++) {
        Node *r = level_result(l, n, k);
        if (!r)
            continue;
        const Phrase *told, *text = result_name(f, l, r, &told);
        level_name_result(l, r, text, leave_call(&in, r, text, told));
    }
    inner_end(&in);
}

void figure_control(Fig *f, Level *l, Node *n)
{
    if (node_is_loop(n))
        figure_loop(f, l, n);
    else if (n->op == OP_FUSED)
        figure_fused(f, l, n);
    else if (n->op == OP_IFELSE)
        draw_if(f, l, n);
    else
        draw_call(f, l, n);
}
