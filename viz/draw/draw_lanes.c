/* Next states go back to the first row of their loop on ways of their own: out of the last row,
 * along a track below it, up a lane at the side, along a track above the first row, and into the
 * state from above. Where nothing stands between a node and the lane, it is left or entered at its
 * side. The picture is stretched to make room for tracks and lanes, so they lie on nothing.
 *
 * Invariant: everything is computed as for a loop that is drawn from top to bottom; a View turns
 * other drawings into such a one and back. Boxes are done from the inside out. */
#include "viz/draw/picture.h"

#include <math.h>

static const double apart = 9, tip_length = 7, corner = 8;

typedef struct {
    bool swap, up;
} View;

static Point seen(View v, Point q)
{
    Point r = v.swap ? (Point){q.y, q.x} : q;
    r.y = v.up ? -r.y : r.y;
    return r;
}

static Point unseen(View v, Point q)
{
    q.y = v.up ? -q.y : q.y;
    return v.swap ? (Point){q.y, q.x} : q;
}

static Rect rect_of(View v, const Item *i)
{
    Point a = seen(v, (Point){i->x, i->y}), z = seen(v, (Point){i->x + i->w, i->y + i->h});
    return (Rect){fmin(a.x, z.x), fmin(a.y, z.y), fmax(a.x, z.x), fmax(a.y, z.y)};
}

static void set_rect(View v, Item *i, Rect r)
{
    Point a = unseen(v, (Point){r.x0, r.y0}), z = unseen(v, (Point){r.x1, r.y1});
    i->x = fmin(a.x, z.x), i->y = fmin(a.y, z.y);
    i->w = fabs(a.x - z.x), i->h = fabs(a.y - z.y);
}

static const Item *item_of(const Picture *p, int code)
{
    return code > 0 ? &p->nodes[code - 1] : &p->boxes[-code - 1];
}

static int home(const Scene *s, int code)
{
    return code > 0 ? scene_node_at(s, code)->box : scene_box_at(s, -code)->parent;
}

/* ---- room ---- */

/* Room of d at `cut`: what is beyond it moves, open boxes across it grow. */
typedef struct {
    View view;
    bool down; /* a horizontal cut */
    double cut, d;
} Stretch;

static double moved(const Stretch *s, double x) { return x > s->cut ? x + s->d : x; }

static void stretch_item(const Stretch *s, Item *i, bool open)
{
    Rect r = rect_of(s->view, i);
    double *a = s->down ? &r.y0 : &r.x0, *z = s->down ? &r.y1 : &r.x1;
    double shift = moved(s, (*a + *z) / 2) - (*a + *z) / 2;
    *a = open ? moved(s, *a) : *a + shift;
    *z = open ? moved(s, *z) : *z + shift;
    set_rect(s->view, i, r);
}

static void stretch_point(const Stretch *s, Point *q)
{
    Point r = seen(s->view, *q);
    *(s->down ? &r.y : &r.x) = moved(s, s->down ? r.y : r.x);
    *q = unseen(s->view, r);
}

/* How far a node or closed box moves. */
static double shift_of(const Stretch *s, const Item *i)
{
    Rect r = rect_of(s->view, i);
    double at = s->down ? (r.y0 + r.y1) / 2 : (r.x0 + r.x1) / 2;
    return moved(s, at) - at;
}

static void shift_point(const Stretch *s, Point *q, double d)
{
    Point r = seen(s->view, *q);
    *(s->down ? &r.y : &r.x) += d;
    *q = unseen(s->view, r);
}

/* The ends go with what they touch. */
static void stretch_route(const Stretch *s, Picture *p, int k)
{
    Route *r = &p->edges[k - 1];
    int from = p->from[k - 1], to = p->to[k - 1], head = r->n > 2 ? 2 : 1;
    Point tip = seen(s->view, r->tip);
    double at = s->down ? tip.y : tip.x;
    bool starts = from && !p->anchor_from[k - 1] && !scene_edge_at(p->scene, k)->from_box,
         ends = to && !p->anchor_to[k - 1] && !scene_edge_at(p->scene, k)->to_box;
    double begin = starts ? shift_of(s, item_of(p, from)) : 0,
           end = ends ? shift_of(s, item_of(p, to)) : moved(s, at) - at;
    for (int i = 0; i < r->n; i++) {
        if (starts && i < head)
            shift_point(s, &r->at[i], begin);
        else if (r->has_tip && i >= r->n - head)
            shift_point(s, &r->at[i], end);
        else
            stretch_point(s, &r->at[i]);
    }
    shift_point(s, &r->tip, end);
}

static void stretch(Picture *p, const Stretch *s)
{
    const Scene *scene = p->scene;
    for (int k = 1; (size_t)k <= scene->edges.len; k++)
        if (p->edges[k - 1].drawn)
            stretch_route(s, p, k);
    for (size_t i = 0; i < scene->nodes.len; i++)
        if (p->nodes[i].drawn)
            stretch_item(s, &p->nodes[i], false);
    for (size_t i = 0; i < scene->boxes.len; i++)
        if (p->boxes[i].drawn)
            stretch_item(s, &p->boxes[i], !scene->boxes.at[i].closed);
}

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
        if (!item_of(y->p, code)->drawn || home(s, code) != y->box || code == but)
            continue;
        Rect o = rect_of(y->view, item_of(y->p, code));
        if (o.x0 < x1 && o.x1 > x0 && o.y0 < r.y1 && o.y1 > r.y0)
            return true;
    }
    return false;
}

static bool side_is_free(const Yard *y, int code, bool right)
{
    Rect r = rect_of(y->view, item_of(y->p, code)),
         frame = rect_of(y->view, &y->p->boxes[y->box - 1]);
    return home(y->p->scene, code) == y->box &&
           !is_taken(y, r, right ? r.x1 : frame.x0, right ? frame.x1 : r.x0, code);
}

/* Where it begins: at the end of the way to its port, or at its node. */
static double tail_x(const Yard *y, int edge)
{
    const Route *r = &y->p->edges[edge - 1];
    if (r->n)
        return seen(y->view, r->at[r->n - 1]).x;
    Rect f = rect_of(y->view, item_of(y->p, y->p->from[edge - 1]));
    return (f.x0 + f.x1) / 2;
}

static double head_x(const Yard *y, int edge)
{
    Rect t = rect_of(y->view, item_of(y->p, y->p->to[edge - 1]));
    return (t.x0 + t.x1) / 2;
}

static Loop loop_of(const Yard *y, int edge)
{
    const Picture *p = y->p;
    int from = p->from[edge - 1], to = p->to[edge - 1];
    Rect frame = rect_of(y->view, &p->boxes[y->box - 1]);
    Loop l = {.edge = edge, .lane = -1, .below = -1, .above = -1, .order = head_x(y, edge)};
    l.hops = from > 0 && home(p->scene, from) == y->box && p->edges[edge - 1].n == 0 &&
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
        if (!item_of(y->p, code)->drawn || home(s, code) != y->box)
            continue;
        Rect r = rect_of(y->view, item_of(y->p, code));
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
        stretch(y->p, &(Stretch){y->view, true, y->top - 3, above * apart + 7});
    measure(y);
    if (below)
        stretch(y->p, &(Stretch){y->view, true, y->bottom + 3, below * apart});
    Rect frame = rect_of(y->view, &y->p->boxes[y->box - 1]);
    if (lanes[1] > 1)
        stretch(y->p, &(Stretch){y->view, false, frame.x1 - 4, (lanes[1] - 1) * apart});
    if (lanes[0] > 1)
        stretch(y->p, &(Stretch){y->view, false, frame.x0 + 4, (lanes[0] - 1) * apart});
    measure(y);
}

/* ---- ways ---- */

typedef struct {
    Point at[8];
    int n;
} Corners;

static void put(Corners *c, double x, double y)
{
    if (c->n < 8)
        c->at[c->n++] = (Point){x, y};
}

static void add_piece(Route *r, Point a, Point b, Point c)
{
    r->at = xrealloc(r->at, (size_t)(r->n + 3) * sizeof *r->at);
    r->at[r->n++] = a, r->at[r->n++] = b, r->at[r->n++] = c;
}

static Point toward(Point a, Point b, double d)
{
    double len = fmax(hypot(b.x - a.x, b.y - a.y), 0.01);
    d = fmin(d, len / 2);
    return (Point){a.x + (b.x - a.x) * d / len, a.y + (b.y - a.y) * d / len};
}

/* Straight pieces with round corners, after what the route has already. */
static void follow(const Yard *y, Route *r, Corners *c)
{
    Point tip = c->at[c->n - 1];
    c->at[c->n - 1] = toward(tip, c->at[c->n - 2], tip_length);
    r->tip = unseen(y->view, tip);
    r->has_tip = true;
    if (r->n == 0) {
        r->at = xcalloc(1, sizeof *r->at);
        r->at[r->n++] = unseen(y->view, c->at[0]);
    }
    for (int i = 1; i < c->n; i++) {
        Point at = c->at[i], last = seen(y->view, r->at[r->n - 1]);
        bool ends = i == c->n - 1;
        Point stop = ends ? at : toward(at, last, corner);
        add_piece(r, unseen(y->view, last), unseen(y->view, stop), unseen(y->view, stop));
        if (!ends)
            add_piece(r, unseen(y->view, at), unseen(y->view, at),
                      unseen(y->view, toward(at, c->at[i + 1], corner)));
    }
}

static void hop(const Yard *y, const Loop *l, Rect f, Rect t, Corners *c)
{
    double dir = l->right ? 1 : -1, a = l->right ? f.x1 : t.x1, z = l->right ? t.x0 : f.x0;
    if (!is_taken(y, f, a, z, 0)) {
        put(c, l->right ? a : z, (f.y0 + f.y1) / 2);
        put(c, l->right ? z : a, (f.y0 + f.y1) / 2);
        return;
    }
    double track = y->top - 5 - apart * (l->above + 1);
    put(c, (f.x0 + f.x1) / 2 + dir * (f.x1 - f.x0) / 4, f.y0);
    put(c, (f.x0 + f.x1) / 2 + dir * (f.x1 - f.x0) / 4, track);
    put(c, (t.x0 + t.x1) / 2 - dir * (t.x1 - t.x0) / 4, track);
    put(c, (t.x0 + t.x1) / 2 - dir * (t.x1 - t.x0) / 4, t.y0);
}

static void around(const Yard *y, const Loop *l, Rect f, Rect t, Corners *c)
{
    Route *r = &y->p->edges[l->edge - 1];
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
        put(c, l->right ? f.x1 : f.x0, (f.y0 + f.y1) / 2);
        put(c, lane, (f.y0 + f.y1) / 2);
    } else {
        Point start = r->n ? seen(y->view, r->at[r->n - 1])
                           : (Point){(f.x0 + f.x1) / 2 + dir * (f.x1 - f.x0) / 4, f.y1};
        put(c, start.x, start.y);
        put(c, start.x, track);
        put(c, lane, track);
    }
    if (l->side_head) {
        put(c, lane, (t.y0 + t.y1) / 2);
        put(c, l->right ? t.x1 : t.x0, (t.y0 + t.y1) / 2);
    } else {
        double above = y->top - 5 - apart * (l->above + 1),
               x = (t.x0 + t.x1) / 2 + dir * (t.x1 - t.x0) / 4;
        put(c, lane, above);
        put(c, x, above);
        put(c, x, t.y0);
    }
}

static void draw_loop(const Yard *y, const Loop *l)
{
    const Picture *p = y->p;
    Rect f = rect_of(y->view, item_of(p, p->from[l->edge - 1])),
         t = rect_of(y->view, item_of(p, p->to[l->edge - 1]));
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
    follow(y, r, &c);
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
