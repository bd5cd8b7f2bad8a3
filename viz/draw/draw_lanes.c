/* Next states go back to the first row of their loop on ways of their own: out of the last row,
 * along a track below it, up a lane at the side, along a track above the first row, and into the
 * state from above. Where nothing stands between a node and the lane, it is left or entered at its
 * side. The picture is stretched to make room for tracks and lanes, so they lie on nothing.
 *
 * Invariant: everything is computed as for a loop that is drawn from top to bottom; a View turns
 * other drawings into such a one and back. Boxes are done from the inside out. */
#include "viz/draw/draw_view.h"

#include <math.h>

static const double apart = 9, above_row = 14; /* of a track, with room for a tip */

/* ---- the loops of one box ---- */

typedef struct {
    int edge;
    bool right, hops; /* hops: along the first row */
    bool side_tail, side_head;
    double order;
    int lane, below, above; /* counted outwards; -1: none */
} Loop;

typedef VEC(Loop) Loops;

typedef struct {
    Picture *p;
    View view;
    int box;
    Loops loops;
    double top, bottom; /* of what stands in the box */
} Yard;

/* Does anything stand directly in the box between x0 and x1, at the height of r? */
static bool is_taken(const Yard *y, Rect r, double x0, double x1, int but)
{
    const Scene *s = y->p->scene;
    for (size_t i = 0; i < s->nodes.len + s->boxes.len; i++) {
        int code = i < s->nodes.len ? (int)i + 1 : -(int)(i - s->nodes.len) - 1;
        if (!item_at(y->p, code)->drawn || home_of_code(s, code) != y->box || code == but)
            continue;
        Rect o = rect_of(y->view, item_at(y->p, code));
        if (o.x0 < x1 && o.x1 > x0 && o.y0 < r.y1 && o.y1 > r.y0)
            return true;
    }
    return false;
}

static bool side_is_free(const Yard *y, int code, bool right)
{
    Rect r = rect_of(y->view, item_at(y->p, code)),
         frame = rect_of(y->view, &y->p->boxes[y->box - 1]);
    return home_of_code(y->p->scene, code) == y->box &&
           !is_taken(y, r, right ? r.x1 : frame.x0, right ? frame.x1 : r.x0, code);
}

/* Where it begins: at the end of the way to its port, or at its node. */
static double tail_x(const Yard *y, int edge)
{
    const Route *r = &y->p->edges[edge - 1];
    if (r->n)
        return seen(y->view, r->at[r->n - 1]).x;
    Rect f = rect_of(y->view, item_at(y->p, y->p->from[edge - 1]));
    return (f.x0 + f.x1) / 2;
}

static double head_x(const Yard *y, int edge)
{
    Rect t = rect_of(y->view, item_at(y->p, y->p->to[edge - 1]));
    return (t.x0 + t.x1) / 2;
}

static Loop loop_of(const Yard *y, int edge)
{
    const Picture *p = y->p;
    int from = p->from[edge - 1], to = p->to[edge - 1];
    Rect frame = rect_of(y->view, &p->boxes[y->box - 1]);
    Loop l = {.edge = edge, .lane = -1, .below = -1, .above = -1, .order = head_x(y, edge)};
    l.hops = from > 0 && home_of_code(p->scene, from) == y->box && p->edges[edge - 1].n == 0 &&
             scene_node_at(p->scene, from)->role >= ROLE_PARAM &&
             scene_node_at(p->scene, from)->role <= ROLE_SEQUENCE;
    l.right = l.hops ? head_x(y, edge) > tail_x(y, edge)
                     : head_x(y, edge) + tail_x(y, edge) > frame.x0 + frame.x1;
    if (!l.hops && !side_is_free(y, to, l.right) && side_is_free(y, to, !l.right))
        l.right = !l.right;
    l.side_head = !l.hops && side_is_free(y, to, l.right);
    l.side_tail = !l.hops && side_is_free(y, from, l.right);
    return l;
}

static void measure(Yard *y)
{
    const Scene *s = y->p->scene;
    y->top = 1e30, y->bottom = -1e30;
    for (size_t i = 0; i < s->nodes.len + s->boxes.len; i++) {
        int code = i < s->nodes.len ? (int)i + 1 : -(int)(i - s->nodes.len) - 1;
        if (!item_at(y->p, code)->drawn || home_of_code(s, code) != y->box)
            continue;
        Rect r = rect_of(y->view, item_at(y->p, code));
        y->top = fmin(y->top, r.y0);
        y->bottom = fmax(y->bottom, r.y1);
    }
    for (size_t i = 0; i < y->loops.len; i++) {
        const Route *r = &y->p->edges[y->loops.at[i].edge - 1];
        if (r->n)
            y->bottom = fmax(y->bottom, seen(y->view, r->at[r->n - 1]).y);
    }
}

/* How many loops of the same side are further out: right of it on the left, left of it on the
 * right. */
static int further_out(const Yard *y, const Loop *l, double (*place)(const Yard *, int),
                       bool (*counts)(const Loop *))
{
    int n = 0;
    double at = place(y, l->edge);
    for (size_t i = 0; i < y->loops.len; i++) {
        const Loop *o = &y->loops.at[i];
        double other = place(y, o->edge);
        if (o == l || o->right != l->right || !counts(o))
            continue;
        bool tie = fabs(other - at) < 0.01;
        n += tie ? o->edge < l->edge : l->right ? other < at : other > at;
    }
    return n;
}

static bool has_side(const Loop *l) { return !l->hops; }
static bool goes_below(const Loop *l) { return !l->hops && !l->side_tail; }
static bool goes_above(const Loop *l) { return !l->side_head; }

/* Counts lanes and tracks from the inside; returns how many tracks or lanes that makes. */
static void assign(Yard *y, int *lanes, int *below, int *above)
{
    int count[2][3] = {{0}};
    for (size_t i = 0; i < y->loops.len; i++) {
        const Loop *l = &y->loops.at[i];
        count[l->right][0] += has_side(l);
        count[l->right][1] += goes_below(l);
        count[l->right][2] += goes_above(l);
    }
    for (size_t i = 0; i < y->loops.len; i++) {
        Loop *l = &y->loops.at[i];
        const int *n = count[l->right];
        if (has_side(l))
            l->lane = n[0] - 1 - further_out(y, l, head_x, has_side);
        if (goes_below(l)) /* the left side's tracks lie below those of the right one */
            l->below =
                n[1] - 1 - further_out(y, l, tail_x, goes_below) + (l->right ? 0 : count[1][1]);
        if (goes_above(l))
            l->above =
                n[2] - 1 - further_out(y, l, head_x, goes_above) + (l->right ? 0 : count[1][2]);
    }
    lanes[0] = count[0][0], lanes[1] = count[1][0];
    *below = count[0][1] + count[1][1];
    *above = count[0][2] + count[1][2];
}

static void make_room(Yard *y, const int *lanes, int below, int above)
{
    measure(y);
    if (above)
        stretch(y->p, &(Stretch){y->view, true, y->top - 3, above * apart + 7, 0});
    measure(y);
    if (below)
        stretch(y->p, &(Stretch){y->view, true, y->bottom + 3, below * apart, 0});
    Rect frame = rect_of(y->view, &y->p->boxes[y->box - 1]);
    if (lanes[1] > 1)
        stretch(y->p, &(Stretch){y->view, false, frame.x1 - 4, (lanes[1] - 1) * apart, 0});
    if (lanes[0] > 1)
        stretch(y->p, &(Stretch){y->view, false, frame.x0 + 4, (lanes[0] - 1) * apart, 0});
    measure(y);
}

/* ---- ways ---- */

static void hop(const Yard *y, const Loop *l, Rect f, Rect t, Corners *c)
{
    double dir = l->right ? 1 : -1, a = l->right ? f.x1 : t.x1, z = l->right ? t.x0 : f.x0;
    if (!is_taken(y, f, a, z, 0)) {
        corner_put(c, l->right ? a : z, (f.y0 + f.y1) / 2);
        corner_put(c, l->right ? z : a, (f.y0 + f.y1) / 2);
        return;
    }
    double track = y->top - 5 - apart * (l->above + 1);
    corner_put(c, (f.x0 + f.x1) / 2 + dir * (f.x1 - f.x0) / 4, f.y0);
    corner_put(c, (f.x0 + f.x1) / 2 + dir * (f.x1 - f.x0) / 4, track);
    corner_put(c, (t.x0 + t.x1) / 2 - dir * (t.x1 - t.x0) / 4, track);
    corner_put(c, (t.x0 + t.x1) / 2 - dir * (t.x1 - t.x0) / 4, t.y0);
}

static void around(const Yard *y, const Loop *l, Rect f, Rect t, Corners *c)
{
    const Picture *p = y->p;
    Route *r = &p->edges[l->edge - 1];
    Rect frame = rect_of(y->view, &y->p->boxes[y->box - 1]);
    double dir = l->right ? 1 : -1, edge = l->right ? frame.x1 : frame.x0;
    int inner = l->lane, all = 0;
    for (size_t i = 0; i < y->loops.len; i++)
        all += y->loops.at[i].right == l->right && has_side(&y->loops.at[i]);
    double tab = y->view.swap && !l->right ? TAB_HEIGHT : 0; /* that stands on this side then */
    double lane = edge - dir * (8 + tab + apart * (all - 1 - inner));
    double track = y->bottom + 4 + apart * l->below;
    if (l->side_tail) {
        r->n = 0;
        corner_put(c, l->right ? f.x1 : f.x0, (f.y0 + f.y1) / 2);
        corner_put(c, lane, (f.y0 + f.y1) / 2);
    } else {
        Point start = r->n ? seen(y->view, r->at[r->n - 1])
                           : (Point){(f.x0 + f.x1) / 2 + dir * (f.x1 - f.x0) / 4, f.y1};
        Rect way = {start.x - 2, start.y + 2, start.x + 2, track};
        if (r->n == 0 && is_taken(y, way, start.x - 2, start.x + 2, p->from[l->edge - 1]))
            track = start.y + 5; /* in the gap below its row */
        corner_put(c, start.x, start.y);
        corner_put(c, start.x, track);
        corner_put(c, lane, track);
    }
    if (l->side_head) {
        corner_put(c, lane, (t.y0 + t.y1) / 2);
        corner_put(c, l->right ? t.x1 : t.x0, (t.y0 + t.y1) / 2);
    } else {
        double above = y->top - 5 - apart * (l->above + 1),
               x = (t.x0 + t.x1) / 2 + dir * (t.x1 - t.x0) / 4;
        if (is_taken(y, (Rect){x - 2, above, x + 2, t.y0 - 2}, x - 2, x + 2, p->to[l->edge - 1]))
            above = t.y0 - above_row; /* in the gap above its row */
        corner_put(c, lane, above);
        corner_put(c, x, above);
        corner_put(c, x, t.y0);
    }
}

static void draw_loop(const Yard *y, const Loop *l)
{
    const Picture *p = y->p;
    Rect f = rect_of(y->view, item_at(p, p->from[l->edge - 1])),
         t = rect_of(y->view, item_at(p, p->to[l->edge - 1]));
    Route *r = &p->edges[l->edge - 1];
    Corners c = {0};
    if (l->hops)
        hop(y, l, f, t, &c);
    else
        around(y, l, f, t, &c);
    if (r->n == 0) {
        free(r->at);
        r->at = NULL;
    }
    route_follow(y->view, r, c.at, c.n);
}

void lanes_route(Picture *p)
{
    const Scene *s = p->scene;
    for (int box = (int)s->boxes.len; box >= 1; box--) {
        if (!p->boxes[box - 1].drawn || !p->boxes[box - 1].loops)
            continue;
        Yard y = {.p = p, .view = {s->direction == DIR_LR, runs_up(s, -box)}, .box = box};
        for (int k = 1; (size_t)k <= s->edges.len; k++)
            if (p->edges[k - 1].drawn && has_lane(p, k) &&
                scene_node_at(s, p->to[k - 1])->box == box)
                vec_push(&y.loops, loop_of(&y, k));
        int lanes[2] = {0}, below = 0, above = 0;
        assign(&y, lanes, &below, &above);
        make_room(&y, lanes, below, above);
        for (size_t i = 0; i < y.loops.len; i++)
            draw_loop(&y, &y.loops.at[i]);
        vec_free(&y.loops);
    }
}
