/* The layout of a union in two parts: what is there most of the time, and beside it the boxes that
 * are there for few states only, such as a derivative before it is expanded. One layout of both
 * would be as wide as both and hold the place of what is gone for all states.
 *
 * Invariant: each slot has one place; edges between the parts are curves of our own. */
#include "viz/page/page_parts.h"

enum { MAIN, ASIDE, LEAST_NODES = 8, GAP = 70, TIP = 9, BEND = 60 };

/* ---- which part ---- */

static int outermost(const Union *u, int box)
{
    while (box && u->boxes.at[box - 1].box)
        box = u->boxes.at[box - 1].box;
    return box;
}

static size_t nodes_in(const Union *u, int box)
{
    size_t n = 0;
    for (size_t i = 0; i < u->nodes.len; i++)
        n += outermost(u, u->nodes.at[i].box) == box;
    return n;
}

/* A box that is there for at most half of the states and gone at the end, or for a third. */
static bool is_brief(const Union *u, int box)
{
    const Slot *s = &u->boxes.at[box - 1];
    int states = (int)u->states.len;
    bool leaves = s->last < states - 1;
    return s->box == 0 && s->life * (leaves ? 2 : 3) <= states && nodes_in(u, box) >= LEAST_NODES;
}

/* The part of each slot; whether there is anything aside. */
static bool find_parts(const Union *u, int *part)
{
    bool any = false;
    for (size_t i = 0; i < u->boxes.len; i++) {
        int out = outermost(u, (int)i + 1);
        part[u->nodes.len + i] = is_brief(u, out) ? ASIDE : MAIN;
        any = any || part[u->nodes.len + i] == ASIDE;
    }
    for (size_t i = 0; i < u->nodes.len; i++) {
        int box = u->nodes.at[i].box;
        part[i] = box ? part[u->nodes.len + (size_t)box - 1] : MAIN;
    }
    return any;
}

/* ---- one part ---- */

static void lay_part(const Union *u, const int *part, int which, Layout *out)
{
    LayGraph g;
    union_graph(u, part, which, &g);
    lay_out(&g, out);
    lay_graph_free(&g);
}

/* Takes the places of a part over, moved to the right. */
static void take_list(PlacesList *to, PlacesList *from, size_t *next, bool route, int dx)
{
    if (*next >= from->len)
        return;
    Places *p = &from->at[(*next)++];
    for (size_t i = 0; i < p->len; i += route ? 2 : p->len)
        p->at[i] += dx;
    to->at[to->len - 1] = *p;
    *p = (Places){0};
}

static void join(const Union *u, const int *part, Layout of[2], Layout *out)
{
    size_t nodes[2] = {0}, boxes[2] = {0}, edges[2] = {0};
    const int dx[2] = {0, of[MAIN].width + GAP};
    Places none = {0};
    out->width = dx[ASIDE] + of[ASIDE].width;
    out->height = of[MAIN].height > of[ASIDE].height ? of[MAIN].height : of[ASIDE].height;
    for (size_t i = 0; i < u->nodes.len; i++) {
        vec_push(&out->nodes, none);
        take_list(&out->nodes, &of[part[i]].nodes, &nodes[part[i]], false, dx[part[i]]);
    }
    for (size_t i = 0; i < u->boxes.len; i++) {
        int k = part[u->nodes.len + i];
        vec_push(&out->boxes, none);
        take_list(&out->boxes, &of[k].boxes, &boxes[k], false, dx[k]);
    }
    for (size_t i = 0; i < u->edges.len; i++) {
        vec_push(&out->edges, none);
        for (int k = MAIN; k <= ASIDE; k++)
            if (union_holds(u, part, k, &u->edges.at[i].edge))
                take_list(&out->edges, &of[k].edges, &edges[k], true, dx[k]);
    }
}

/* ---- between the parts ---- */

static const Places *place_of(const Layout *l, int node, int box)
{
    return box ? &l->boxes.at[box - 1] : node ? &l->nodes.at[node - 1] : NULL;
}

/* From the lower border of one to the upper border of the other. */
static void bridge(const Layout *l, const SceneEdge *e, Places *out)
{
    const Places *a = place_of(l, e->from, e->from_box), *b = place_of(l, e->to, e->to_box);
    if (!a || !b || !a->len || !b->len)
        return;
    int x = a->at[0] + a->at[2] / 2, y = a->at[1] + a->at[3], to_x = b->at[0] + b->at[2] / 2;
    int to_y = b->at[1], drop = abs(to_y - y) / 3;
    drop = drop < BEND ? BEND : drop;
    const int way[] = {x, y, x, y + drop, to_x, to_y - TIP - drop, to_x, to_y - TIP, to_x, to_y};
    for (size_t i = 0; i < COUNT_OF(way); i++)
        vec_push(out, way[i]);
}

static void bridge_all(const Union *u, const int *part, Layout *l)
{
    for (size_t i = 0; i < u->edges.len; i++) {
        const SceneEdge *e = &u->edges.at[i].edge;
        if (!union_holds(u, part, MAIN, e) && !union_holds(u, part, ASIDE, e))
            bridge(l, e, &l->edges.at[i]);
    }
}

void union_layout(const Union *u, Layout *out)
{
    int *part = xcalloc(u->nodes.len + u->boxes.len + 1, sizeof *part);
    Layout of[2] = {{0}};
    *out = (Layout){0};
    bool two = find_parts(u, part);
    lay_part(u, part, MAIN, two ? &of[MAIN] : out);
    if (two) {
        lay_part(u, part, ASIDE, &of[ASIDE]);
        join(u, part, of, out);
        bridge_all(u, part, out);
    }
    layout_free(&of[MAIN]);
    layout_free(&of[ASIDE]);
    free(part);
}
