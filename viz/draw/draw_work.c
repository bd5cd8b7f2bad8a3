/* How much work dot will have with a graph, told from the graph alone, so that the same scene is
 * drawn the same way on every machine, however busy it is.
 *
 * dot spends its time on what it makes of an edge over several ranks, a node on each rank between:
 * the network simplex and the search for crossings grow about as the square of how many nodes there
 * are then. The ranks are guessed as dot's would be: longest paths, the wishes of draw_ranks.c
 * kept.
 *
 * Invariant: counts only; no clock, no address. */
#include "viz/draw/picture.h"

#include <graphviz/cgraph.h>
#include <limits.h>

typedef struct {
    int tail, head, least; /* ranks between the two, at least */
    bool bound;            /* it takes part in ranking */
} Link;

typedef struct {
    int n; /* nodes */
    VEC(Link) links;
    int *rank;
    int *ins, *outs; /* links that are bound */
    int *order;      /* nodes, each after what it depends on as far as there are no cycles */
    int *place;
} Ranks;

static int number(Agnode_t *v) { return (int)AGSEQ(v) - 1; }

static const char *attribute(void *object, const char *name)
{
    const char *v = agget(object, (char *)(uintptr_t)name);
    return v ? v : "";
}

static void collect(Ranks *r, Agraph_t *g)
{
    for (Agnode_t *v = agfstnode(g); v; v = agnxtnode(g, v))
        r->n = number(v) >= r->n ? number(v) + 1 : r->n;
    size_t size = (size_t)r->n + 1;
    r->rank = xcalloc(size, sizeof *r->rank);
    r->ins = xcalloc(size, sizeof *r->ins);
    r->outs = xcalloc(size, sizeof *r->outs);
    r->order = xcalloc(size, sizeof *r->order);
    r->place = xcalloc(size, sizeof *r->place);
    for (Agnode_t *v = agfstnode(g); v; v = agnxtnode(g, v))
        for (Agedge_t *e = agfstout(g, v); e; e = agnxtout(g, e)) {
            const char *least = attribute(e, "minlen");
            Link l = {number(agtail(e)), number(aghead(e)), *least ? atoi(least) : 1,
                      strcmp(attribute(e, "constraint"), "false") != 0};
            if (l.tail == l.head)
                continue;
            vec_push(&r->links, l);
            r->outs[l.tail] += l.bound;
            r->ins[l.head] += l.bound;
        }
}

/* The links by tail: those of node v are at[from[v]] .. at[from[v + 1] - 1]. */
static int *links_by_tail(const Ranks *r, int **from)
{
    int *at = xcalloc(r->links.len + 1, sizeof *at), *start = xcalloc((size_t)r->n + 2, sizeof *at);
    for (size_t i = 0; i < r->links.len; i++)
        start[r->links.at[i].tail + 2]++;
    for (int v = 2; v <= r->n + 1; v++)
        start[v] += start[v - 1];
    for (size_t i = 0; i < r->links.len; i++)
        at[start[r->links.at[i].tail + 1]++] = (int)i;
    *from = start;
    return at;
}

/* Longest paths. Where only cycles are left, their first node goes next. */
static void rank_down(Ranks *r)
{
    int *from, *at = links_by_tail(r, &from), *waits = xcalloc((size_t)r->n + 1, sizeof *waits);
    int done = 0, last = 0, next = 0;
    memcpy(waits, r->ins, (size_t)r->n * sizeof *waits);
    for (int v = 0; v < r->n; v++)
        r->place[v] = -1;
    for (int v = 0; v < r->n; v++)
        if (waits[v] == 0)
            r->place[r->order[last] = v] = last, last++;
    while (done < r->n) {
        for (; done == last && r->place[next] >= 0; next++)
            continue;
        if (done == last)
            r->place[r->order[last] = next] = last, last++;
        int v = r->order[done++];
        for (int i = from[v]; i < from[v + 1]; i++) {
            const Link *l = &r->links.at[at[i]];
            if (!l->bound || r->place[l->head] >= 0)
                continue;
            if (r->rank[l->head] < r->rank[v] + l->least)
                r->rank[l->head] = r->rank[v] + l->least;
            if (--waits[l->head] == 0)
                r->place[r->order[last] = l->head] = last, last++;
        }
    }
    free(at);
    free(from);
    free(waits);
}

/* What has more users than operands stands just above the first of them. */
static void pull_down(Ranks *r)
{
    int *from, *at = links_by_tail(r, &from);
    for (int k = r->n - 1; k >= 0; k--) {
        int v = r->order[k], lowest = INT_MAX;
        for (int i = from[v]; i < from[v + 1]; i++) {
            const Link *l = &r->links.at[at[i]];
            if (l->bound && r->place[l->head] > k && r->rank[l->head] - l->least < lowest)
                lowest = r->rank[l->head] - l->least;
        }
        if (lowest != INT_MAX && r->outs[v] >= r->ins[v] && lowest > r->rank[v])
            r->rank[v] = lowest;
    }
    free(at);
    free(from);
}

/* What is to stand at the top or bottom of a cluster does. */
static void pin(Ranks *r, Agraph_t *cluster)
{
    int low = INT_MAX, high = INT_MIN;
    for (Agnode_t *v = agfstnode(cluster); v; v = agnxtnode(cluster, v)) {
        int rank = r->rank[number(v)];
        low = rank < low ? rank : low;
        high = rank > high ? rank : high;
    }
    for (Agraph_t *s = agfstsubg(cluster); s; s = agnxtsubg(s)) {
        const char *where = attribute(s, "rank");
        bool top = strcmp(where, "min") == 0;
        if (!top && strcmp(where, "max") != 0)
            pin(r, s);
        else
            for (Agnode_t *v = agfstnode(s); v; v = agnxtnode(s, v))
                r->rank[number(v)] = top ? low : high;
    }
}

double layout_work(void *graph)
{
    Ranks r = {0};
    collect(&r, graph);
    rank_down(&r);
    pull_down(&r);
    pin(&r, graph);
    double nodes = r.n;
    for (size_t i = 0; i < r.links.len; i++)
        nodes += abs(r.rank[r.links.at[i].tail] - r.rank[r.links.at[i].head]);
    vec_free(&r.links);
    free(r.rank);
    free(r.ins);
    free(r.outs);
    free(r.order);
    free(r.place);
    return nodes * nodes;
}
