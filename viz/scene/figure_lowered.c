/* What runs, in figures: loops with their counters, and fused operators.
 *
 * Invariant: as of every node that owns graphs, each result that something reads has a text and a
 * line. */
#include "viz/scene/figure_parts.h"

/* ---- loops ---- */

/* "x[t]" of the state x[t-1]; of one without an index "row′". */
static const Phrase *next_name(Inner *in, Symbol name, bool down)
{
    Symbol next = name ? name_shifted(in->f->st, name, down ? -1 : 1) : NULL;
    if (!next)
        return NULL;
    return next == name ? figure_say(in->f, "@\u2032", figure_name(in->f, name))
                        : figure_name(in->f, next);
}

static void enter_states(Inner *in, const LoopShape *s, int *ports)
{
    for (int i = 0; i < s->nstates; i++) {
        ports[i] = inner_port(in, ROLE_STATE, i, NULL);
        inner_feed(in, i, s->inits[i], ports[i], EDGE_STATE);
    }
    for (int i = 0; i < s->ncaptures; i++)
        inner_capture(in, s->nstates + i, s->captures[i]);
}

/* What follows each state is called after it. */
static void name_next(Inner *in, const LoopShape *s, const Phrase **next)
{
    const Symbol *names = in->names;
    for (int i = 0; i < s->nstates; i++) {
        Node *out = s->body->outs[i];
        next[i] = names ? next_name(in, names[i], s->down) : NULL;
        if (next[i] && !level_name(in->f, &in->in, out))
            map_put(&in->in.next, out, next[i]);
    }
}

static void leave_states(Inner *in, const LoopShape *s, const int *ports, const Phrase **next,
                         int *ends)
{
    for (int i = 0; i < s->nstates; i++) {
        const Phrase *text = next[i] ? next[i] : figure_say(in->f, "");
        ends[i] = inner_leave(in, s->body->outs[i], text, EDGE_STATE);
        figure_edge(in->f, ends[i], ports[i], EDGE_LOOPBACK);
    }
}

static void leave_results(Inner *in, const LoopShape *s, int *ends)
{
    Fig *f = in->f;
    NodeVec results = {0};
    const Symbol *names = in->names;
    level_results(in->outer, in->owner, &results);
    for (size_t i = 0; i < results.len; i++) {
        int k = (int)results.at[i]->attrs[0].i;
        if (k >= s->steps) {
            level_name_result(in->outer, results.at[i], figure_text(f, "steps"), 0);
            continue;
        }
        Node *out = s->body->outs[k];
        Symbol name = k < s->nstates && names ? names[k] : level_name(f, &in->in, out);
        const Phrase *base = name ? figure_operand_name(f, name_base(f->st, name)) : NULL;
        const Phrase *inside = base ? NULL : level_text(f, &in->in, out);
        base = base ? base : inside ? inside : figure_text(f, "result %d", k);
        for (int j = 0; j < s->nstates && !ends[k]; j++)
            ends[k] = s->body->outs[j] == out ? ends[j] : 0;
        if (!ends[k])
            ends[k] = inner_leave(in, out, name ? figure_name(f, name) : base, EDGE_DATA);
        if (k < s->nstates && !s->down)
            base = figure_say(f, "final\u00A0@", base);
        level_name_result(in->outer, results.at[i], base, ends[k]);
    }
    vec_free(&results);
}

void figure_loop(Fig *f, Level *l, Node *n)
{
    LoopShape s = loop_shape(n);
    Inner in = inner_begin(f, l, n, s.body, &(SceneBox){.kind = BOX_SCAN});
    Node *test = s.body->outs[s.body->nouts - 1];
    int *ports = xcalloc((size_t)s.body->nouts + 1, sizeof *ports);
    int *ends = xcalloc((size_t)s.body->nouts + 1, sizeof *ends);
    const Phrase **next = xcalloc((size_t)s.nstates + 1, sizeof *next);
    int drawn = s.body->nouts - 1; /* the test is in the title */
    map_put(&l->wire, n, in.in.box);
    level_open(&in.in, f, drawn, s.body->outs);
    enter_states(&in, &s, ports);
    name_next(&in, &s, next);
    level_draw(f, &in.in, drawn, s.body->outs);
    leave_states(&in, &s, ports, next, ends);
    leave_results(&in, &s, ends);
    Wires wires = {0};
    const Phrase *runs = figure_formula(f, &in.in, test, &wires);
    const Phrase *rows = figure_formula(f, l, s.rows, &wires);
    figure_set_title(f, in.in.box,
                     s.grows ? figure_say(f, "repeat while @, at most @ steps", runs, rows)
                             : figure_say(f, "repeat while @", runs));
    vec_free(&wires);
    free(ports);
    free(ends);
    free(next);
    inner_end(&in);
}

/* ---- fused operators ---- */

/* Names of the results, so that the formulas begin with them. */
static void name_results(Fig *f, Level *l, Level *in, const NodeVec *results)
{
    for (size_t i = 0; i < results->len; i++) {
        Node *r = results->at[i], *out = in->graph->outs[r->attrs[0].i];
        Symbol name = level_name(f, l, r);
        if (!name && !l->graph && map_get(&l->uses, r) == 1)
            name = node_result_name(f->st, r);
        if (name)
            map_put(&in->next, out, figure_name(f, name));
    }
}

/* What formulas outside call a result: by its name, or written out where it only changes the form
 * of others. NULL: it is the one line of the list, which gets a letter when one calls it. */
static const Phrase *told_result(Fig *f, Level *in, Node *out, bool *loose)
{
    Wires wires = {0};
    Node *core = level_core(in, out);
    const Phrase *text = map_get(&in->text, core);
    if (!text && !map_has(&in->plain, core))
        text = figure_operand(f, in, out, &wires, loose);
    vec_free(&wires);
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
    level_draw(f, &in, g->nouts, g->outs);
    for (size_t i = 0; i < wires.len && in.list; i++)
        figure_edge(f, wires.at[i], in.list, EDGE_DATA);
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
