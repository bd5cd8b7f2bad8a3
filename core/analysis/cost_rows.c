/* Rows of a program's cost.  See cost_rows.h. */
#include "analysis/cost_rows.h"

#include "analysis/step_text.h"
#include "graph/control.h"
#include "graph/provenance.h"
#include "rewrite/things.h"
#include "surface/surface.h"

/* Of the node itself, or of what it was before steps changed it. */
static const Span *span_over_steps(const CostPlaces *k, const Graph *within, const Node *n)
{
    const Things *things = exploration_things(k->x);
    const Span *s = node_span(k->x->st, n);
    const Occurrence *o = thing_occurrence(things, within, n);
    for (; o && (!s || s->src == k->prelude); o = thing_before(things, o))
        s = node_span(k->x->st, o->node) ? node_span(k->x->st, o->node)
                                         : node_span(k->x->st, o->thing->first->node);
    return s && s->src != k->prelude ? s : NULL;
}

/* Or of what it was computed from. */
static const Span *span_below(const CostPlaces *k, const Graph *within, const Node *n, int depth)
{
    const Span *s = span_over_steps(k, within, n);
    for (u32 i = 0; !s && depth && i < n->nops; i++)
        s = span_below(k, within, n->ops[i], depth - 1);
    return s;
}

const Span *cost_span(const CostPlaces *k, const CostRow *row, const Node *n)
{
    enum { DEPTH = 4 };
    const Graph *within = n != row->node ? row->node->attrs[0].graph : row->graph;
    const Span *s = span_over_steps(k, within, n);
    s = s ? s : span_below(k, row->graph, row->node, node_is_loop(row->node) ? 0 : DEPTH);
    for (; !s && row->parent != NO_ROW; row = &k->cost->rows[row->parent])
        s = span_over_steps(k, k->cost->rows[row->parent].graph, k->cost->rows[row->parent].node);
    return s;
}

typedef struct {
    double weight;
    u32 row, place;
} Weighed;

static int by_weight(const void *pa, const void *pb)
{
    const Weighed *a = pa, *b = pb;
    return a->weight != b->weight ? (a->weight < b->weight ? 1 : -1)
                                  : (a->place > b->place) - (a->place < b->place);
}

#define NEARLY_ALL 0.999

u32 cost_order(const ProgramCost *cost, const double *weight, u32 *order)
{
    Weighed *all = xcalloc((size_t)cost->norder + 1, sizeof *all);
    u32 n = 0;
    double sum = 0, told = 0;
    for (u32 i = 0; i < cost->norder; i++)
        all[i] = (Weighed){weight[cost->order[i]], cost->order[i], i};
    qsort(all, cost->norder, sizeof *all, by_weight);
    for (u32 i = 0; i < cost->norder; i++)
        sum += all[i].weight;
    for (; n < cost->norder && n < MOST_COST_ROWS && all[n].weight > 0; n++) {
        order[n] = all[n].row;
        told += all[n].weight;
        if (told > NEARLY_ALL * sum && n >= 2)
            return free(all), n + 1;
    }
    free(all);
    return n;
}

/* ---- by line ---- */

typedef struct {
    const CostPlaces *k;
    CostLines *of;
    const CostRow *row; /* at hand */
    double weight;      /* of it */
} Lines;

static void add_part(void *ctx, const Node *n, double part)
{
    Lines *l = ctx;
    const Span *s = cost_span(l->k, l->row, n);
    int line, column, length;
    if (!s)
        return;
    span_locate(*s, &line, &column, &length);
    for (size_t i = 0; i < l->of->len; i++)
        if (l->of->at[i].src == s->src && l->of->at[i].line == line) {
            l->of->at[i].weight += part * l->weight;
            return;
        }
    vec_push(l->of, ((CostLine){s->src, line, part * l->weight}));
}

static int heavier_line(const void *pa, const void *pb)
{
    const CostLine *a = pa, *b = pb;
    return a->weight != b->weight ? (a->weight < b->weight ? 1 : -1)
                                  : (a->line > b->line) - (a->line < b->line);
}

void cost_lines(const CostPlaces *k, const double *weight, CostLines *out)
{
    const ProgramCost *cost = k->cost;
    for (u32 i = 0; i < cost->norder; i++) {
        Lines l = {k, out, &cost->rows[cost->order[i]], weight[cost->order[i]]};
        cost_parts(l.row, add_part, &l);
    }
    if (out->len)
        qsort(out->at, out->len, sizeof *out->at, heavier_line);
}

/* ---- in words ---- */

void cost_put_row(Text *out, Store *st, const CostRow *row)
{
    enum { ROOM = 44 };
    NodeVec inside = {0};
    Node *n = (Node *)(uintptr_t)row->node;
    if (n->op == OP_FUSED) {
        const Graph *g = n->attrs[0].graph;
        nodes_topo(g->nouts, g->outs, &inside);
        text_put(out, "fused: ");
        put_operators(out, &inside);
    } else if (node_is_loop(n)) {
        put_called(out, st, n, NULL);
    } else {
        text_put(out, row->trace ? "row of the trace: " : "");
        node_source_within(st, out, n, ROOM, row->graph);
    }
    vec_free(&inside);
}
