/* What the nodes of closed graphs read: see reads.h. */
#include "graph/reads.h"

static u64 *set_at(const GraphReads *r, size_t place) { return r->sets + place * r->words; }

static GraphReads *find_reads(const Graph *g)
{
    GraphReads *r = xcalloc(1, sizeof *r);
    nodes_topo(g->nouts, g->outs, &r->order);
    r->words = (u32)(g->nparams + 63) / 64 + 1;
    r->sets = xcalloc((r->order.len + 1) * r->words, sizeof *r->sets);
    for (size_t i = 0; i < r->order.len; i++) {
        const Node *n = r->order.at[i];
        u64 *set = set_at(r, i);
        map_put(&r->places, n, i + 1);
        if (n->op == OP_PARAM)
            set[n->attrs[0].i / 64] |= (u64)1 << n->attrs[0].i % 64;
        for (u32 k = 0; k < n->nops; k++) {
            const u64 *from = set_at(r, map_get(&r->places, n->ops[k]) - 1);
            for (u32 w = 0; w < r->words; w++)
                set[w] |= from[w];
        }
    }
    return r;
}

const GraphReads *graph_reads(Graph *g)
{
    if (!g->reads)
        g->reads = find_reads(g);
    return g->reads;
}

/* NULL: it is not in the body. */
static const u64 *set_of(const GraphReads *r, const Node *n)
{
    uintptr_t place = map_get(&r->places, n);
    return place ? set_at(r, place - 1) : NULL;
}

bool reads_param(const GraphReads *r, const Node *n, int param)
{
    return reads_among(r, n, param, param + 1);
}

bool reads_among(const GraphReads *r, const Node *n, int from, int to)
{
    const u64 *set = set_of(r, n);
    for (int i = from; set && i < to; i++)
        if (set[i / 64] >> i % 64 & 1)
            return true;
    return false;
}

bool reads_alike(const GraphReads *r, const Node *a, const Node *b, int from, int to)
{
    for (int i = from; i < to; i++)
        if (reads_param(r, a, i) != reads_param(r, b, i))
            return false;
    return true;
}

void graph_reads_free(GraphReads *r)
{
    if (!r)
        return;
    vec_free(&r->order);
    free(r->sets);
    map_free(&r->places);
    free(r);
}
