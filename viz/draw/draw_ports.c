/* The last row of a loop: next states and whatever else leaves it stand there or have a port there,
 * so that nothing crosses the sides of its box and all that reads it goes on below.
 *
 * A node that leaves and that nothing in the box reads is put into the last row itself (`last`).
 * Any other gets a port, an invisible point, that all its edges out of the box share; dot draws the
 * way to it once. A loop back begins there as well: draw_lanes.c.
 *
 * Invariant: ports follow from scene and effort alone; what has less effort has none. */
#include "viz/draw/picture.h"

#include <math.h>

static bool is_loop(const Scene *s, int box)
{
    SceneBoxKind k = scene_box_at(s, box)->kind;
    return k == BOX_SCAN || k == BOX_LOOP;
}

/* The port of `code` at the end of `box`, made where there is none; its number from 1. */
static int port_at(Picture *p, int code, int before, int box)
{
    for (size_t i = 0; i < p->ports.len; i++)
        if (p->ports.at[i].from == code && p->ports.at[i].box == box)
            return (int)i + 1;
    vec_push(&p->ports, ((Port){.from = code, .before = before, .box = box}));
    return (int)p->ports.len;
}

static bool has_readers(const Picture *p, int code, int box)
{
    const Scene *s = p->scene;
    for (size_t i = 0; i < s->edges.len; i++) {
        SceneEdgeKind k = s->edges.at[i].kind;
        if (p->edges[i].drawn && p->from[i] == code && p->to[i] && k != EDGE_LOOPBACK &&
            k != EDGE_ADJOINT && (box_holds(s, box, p->to[i]) || p->anchor_to[i] == box))
            return true;
    }
    return false;
}

/* The port at which what edge k carries leaves `box`; 0: the node itself stands in the last row. */
static int leave(Picture *p, int code, int before, int box)
{
    const Scene *s = p->scene;
    bool enters = code > 0 && scene_node_at(s, code)->role >= ROLE_PARAM &&
                  scene_node_at(s, code)->role <= ROLE_SEQUENCE;
    if (!before && home_of_code(s, code) == box && code > 0 && !enters &&
        !has_readers(p, code, box)) {
        p->nodes[code - 1].last = true;
        return 0;
    }
    return port_at(p, code, before, box);
}

bool has_lane(const Picture *p, int k)
{
    int from = p->from[k - 1], to = p->to[k - 1];
    return p->effort <= EFFORT_LESS && scene_edge_at(p->scene, k)->kind == EDGE_LOOPBACK && from &&
           to > 0 && from != to && scene_node_at(p->scene, to)->box &&
           box_holds(p->scene, scene_node_at(p->scene, to)->box, from);
}

void ports_plan(Picture *p)
{
    const Scene *s = p->scene;
    p->port = xcalloc(s->edges.len + 1, sizeof *p->port);
    if (p->effort > EFFORT_LESS)
        return;
    for (int k = 1; (size_t)k <= s->edges.len; k++) {
        const SceneEdge *e = scene_edge_at(s, k);
        int from = p->from[k - 1], to = p->to[k - 1], port = 0;
        bool lane = has_lane(p, k);
        if (!p->edges[k - 1].drawn || !from || !to || p->anchor_from[k - 1] ||
            p->anchor_to[k - 1] || runs_up(s, from) != runs_up(s, to) || e->kind == EDGE_ADJOINT ||
            (e->kind == EDGE_LOOPBACK && !lane))
            continue;
        int last = lane ? scene_node_at(s, to)->box : 0;
        bool hop = lane && from > 0 && home_of_code(s, from) == last &&
                   scene_node_at(s, from)->role >= ROLE_PARAM &&
                   scene_node_at(s, from)->role <= ROLE_SEQUENCE; /* along the first row */
        for (int b = home_of_code(s, from); b && !hop; b = scene_box_at(s, b)->parent) {
            bool inside = lane ? b == scene_box_at(s, last)->parent : box_holds(s, b, to);
            if (inside)
                break;
            if (is_loop(s, b))
                port = leave(p, from, port, b);
        }
        p->port[k - 1] = port;
    }
}

/* ---- ways ---- */

static void add_point(Route *r, Point q)
{
    r->at = xrealloc(r->at, (size_t)(r->n + 1) * sizeof *r->at);
    r->at[r->n++] = q;
}

/* Goes on along `more`; a short straight piece joins the two. */
static void append(Route *r, const Point *more, int n)
{
    if (r->n > 0 && n > 0) {
        add_point(r, r->at[r->n - 1]);
        add_point(r, more[0]);
    }
    for (int i = 0; i < n; i++)
        add_point(r, more[i]);
}

static void way_to(const Picture *p, int port, Route *r)
{
    const Port *q = &p->ports.at[port - 1];
    if (q->before)
        way_to(p, q->before, r);
    append(r, q->way, q->n);
}

void ports_join(Picture *p)
{
    for (size_t i = 0; i < p->scene->edges.len; i++) {
        Route *r = &p->edges[i];
        if (!r->drawn || !p->port[i] || (r->n == 0 && !has_lane(p, (int)i + 1)))
            continue;
        Route whole = *r;
        whole.at = NULL, whole.n = 0;
        way_to(p, p->port[i], &whole);
        append(&whole, r->at, r->n);
        free(r->at);
        *r = whole;
    }
}
