/* Edges as curves: straight down through each row, and from row to row in a bow that starts and
 * ends upright.
 *
 * Invariant: an edge has 1 + 3k points and the tip, or 2 and the tip. */
#include "viz/page/lay_levels.h"

#include <math.h>

enum { SHORT = 20, CORNER = 8 };

/* A part that runs straight up or down. */
typedef struct {
    double x, from, to;
} Stretch;

typedef VEC(Stretch) Stretches;

typedef struct {
    Places *out;
    double x, y;
} Pen;

/* ---- the pen ---- */

static void put_point(Pen *p, double x, double y)
{
    vec_push(p->out, (int)lround(x));
    vec_push(p->out, (int)lround(y));
    p->x = x;
    p->y = y;
}

static void curve_to(Pen *p, double x, double y)
{
    double x0 = p->x, y0 = p->y, half = (y - y0) / 2;
    put_point(p, x0, y0 + half);
    put_point(p, x, y - half);
    put_point(p, x, y);
}

static void line_to(Pen *p, double x, double y)
{
    double x0 = p->x, y0 = p->y;
    if (fabs(x - x0) + fabs(y - y0) < 1)
        return;
    put_point(p, x0 + (x - x0) / 3, y0 + (y - y0) / 3);
    put_point(p, x - (x - x0) / 3, y - (y - y0) / 3);
    put_point(p, x, y);
}

/* To near a corner, and round it towards the next one. */
static void turn_at(Pen *p, double x, double y, double nx, double ny)
{
    double in = fmin(CORNER, (fabs(x - p->x) + fabs(y - p->y)) / 2);
    double out = fmin(CORNER, (fabs(nx - x) + fabs(ny - y)) / 2);
    double ax = x - (x > p->x   ? in
                     : x < p->x ? -in
                                : 0),
           ay = y - (y > p->y   ? in
                     : y < p->y ? -in
                                : 0);
    double bx = x + (nx > x ? out : nx < x ? -out : 0), by = y + (ny > y ? out : ny < y ? -out : 0);
    line_to(p, ax, ay);
    put_point(p, (ax + 2 * x) / 3, (ay + 2 * y) / 3);
    put_point(p, (bx + 2 * x) / 3, (by + 2 * y) / 3);
    put_point(p, bx, by);
}

/* ---- stretches ---- */

static void add_stretch(Stretches *s, double x, double from, double to)
{
    Stretch *last = s->len ? &s->at[s->len - 1] : NULL;
    if (last && fabs(last->x - x) < 2)
        last->to = to;
    else
        vec_push(s, ((Stretch){x, from, to}));
}

/* The ends of a link on its cells: a port reaches to the border of the box. */
static double lower_end(const Level *l, const Cell *c)
{
    return c->pin == PIN_TOP ? -l->top : c->y + c->h;
}
static double upper_end(const Level *l, const Cell *c)
{
    return c->pin == PIN_BOTTOM ? l->h - l->top : c->y;
}

static void collect(const Levels *v, const RoutePart *part, Stretches *out)
{
    const Level *l = &v->levels[part->box];
    const Grid *g = &l->grid;
    const Link *link = &g->links.at[part->link];
    const Cell *up = &g->cells.at[link_up(link)], *down = &g->cells.at[link_down(link)];
    Stretches s = {0};
    bool plain = link->flat || link->bends < down->row - up->row - 1;
    vec_push(&s, ((Stretch){up->x + link_up_dx(link), lower_end(l, up),
                            plain ? lower_end(l, up) : g->row_y[up->row] + g->row_h[up->row]}));
    for (int i = 0; i < link->bends; i++) {
        const Cell *c = &g->cells.at[link->bend + i];
        vec_push(&s, ((Stretch){c->x, g->row_y[c->row], g->row_y[c->row] + g->row_h[c->row]}));
    }
    vec_push(&s, ((Stretch){down->x + link_down_dx(link),
                            plain ? upper_end(l, down) : g->row_y[down->row], upper_end(l, down)}));
    for (size_t i = 0; i < s.len; i++) {
        const Stretch *a = &s.at[link->turned ? s.len - 1 - i : i];
        add_stretch(out, a->x + l->x, l->y + (link->turned ? a->to : a->from),
                    l->y + (link->turned ? a->from : a->to));
    }
    vec_free(&s);
}

/* From where the pen is, along them. */
static void draw(Pen *p, const Stretches *s, bool first, bool last)
{
    for (size_t i = 0; i < s->len; i++) {
        const Stretch *a = &s->at[i];
        bool starts = first && i == 0, ends = last && i + 1 == s->len;
        if (fabs(a->to - a->from) > SHORT) {
            if (starts)
                put_point(p, a->x, a->from);
            else
                curve_to(p, a->x, a->from);
            line_to(p, a->x, a->to);
        } else {
            double y = starts ? a->from : ends ? a->to : (a->from + a->to) / 2;
            if (starts)
                put_point(p, a->x, y);
            else
                curve_to(p, a->x, y);
        }
    }
}

/* Makes room for the tip before the last end; the tip. */
static double shorten(Stretches *s)
{
    Stretch *last = &s->at[s->len - 1];
    double tip = last->to, before = s->len > 1 ? s->at[s->len - 2].to : last->from;
    double back = tip >= (last->from == tip ? before : last->from) ? TIP : -TIP;
    last->to -= back;
    if ((back > 0 && last->from > last->to) || (back < 0 && last->from < last->to))
        last->from = last->to;
    return tip;
}

static void put_simple(Pen *p, const Stretches *s, double tip)
{
    put_point(p, s->at[0].x, s->at[0].from);
    put_point(p, s->at[0].x, s->at[0].to);
    put_point(p, s->at[0].x, tip);
}

/* The parts of a route from `first` to before `end`; `tipped`: an arrow ends there. */
static void put_flow(const Levels *v, const Route *r, size_t first, size_t end, bool tipped, Pen *p)
{
    Stretches s = {0};
    if (first == end)
        return;
    for (size_t i = first; i < end; i++)
        collect(v, &r->parts.at[i], &s);
    if (!tipped) {
        draw(p, &s, true, true);
        vec_free(&s);
        return;
    }
    double tip = shorten(&s);
    if (s.len == 1) {
        put_simple(p, &s, tip);
    } else {
        draw(p, &s, true, true);
        put_point(p, p->x, tip);
    }
    vec_free(&s);
}

/* ---- loops ---- */

/* Out through the borders and down to the lane, by the lane, and up to the state: its last part. */
static void put_loop(const Levels *v, const Route *r, Pen *p)
{
    size_t last = r->parts.len - 1;
    const Level *l = &v->levels[r->parts.at[last].box];
    const Loop *loop = &l->loops.at[r->lane];
    Stretches down = {0}, up = {0};
    for (size_t i = 0; i < last; i++)
        collect(v, &r->parts.at[i], &down);
    collect(v, &r->parts.at[last], &up);
    double out = (loop->lane + 1) * v->metric->lane_x, away = (loop->track + 1) * v->metric->lane_y,
           bottom = l->y + l->grid.height + away, top = l->y - away,
           side = loop->left ? l->x - out : l->x + l->grid.width + out;
    double tail = l->x + l->grid.cells.at[loop->tail].x,
           head = l->x + l->grid.cells.at[loop->head].x;
    down.at[down.len - 1].to = l->y + l->grid.height;
    up.at[0].from = l->y;
    double tip = shorten(&up);
    draw(p, &down, true, false);
    turn_at(p, tail, bottom, side, bottom);
    turn_at(p, side, bottom, side, top);
    turn_at(p, side, top, head, top);
    turn_at(p, head, top, head, l->y);
    line_to(p, head, l->y);
    draw(p, &up, false, true);
    put_point(p, p->x, tip);
    vec_free(&down);
    vec_free(&up);
}

/* ---- plain curves ---- */

static const Places *place_of(const Layout *l, int node, int box)
{
    return box ? &l->boxes.at[box - 1] : &l->nodes.at[node - 1];
}

static void put_plain(const LayEdge *e, const Layout *places, Pen *p)
{
    const Places *a = place_of(places, e->from, e->from_box),
                 *b = place_of(places, e->to, e->to_box);
    put_point(p, a->at[0] + a->at[2] / 2.0, a->at[1] + a->at[3]);
    curve_to(p, b->at[0] + b->at[2] / 2.0, b->at[1] - TIP);
    put_point(p, p->x, b->at[1]);
}

/* ---- folds ---- */

/* The fold that an end stands in, or is; 0: none. */
static int fold_of(const Levels *v, int box)
{
    while (box && !v->g->boxes.at[box - 1].fold)
        box = v->g->boxes.at[box - 1].box;
    return box;
}

static int end_fold(const Levels *v, int node, int box)
{
    return fold_of(v, box ? v->g->boxes.at[box - 1].box : v->g->nodes.at[node - 1].box);
}

/* Up to the border of the fold that it leaves, between the borders, from that of the one it enters.
 */
static void put_cut(const Levels *v, const LayEdge *e, const Route *r, int from, int to,
                    Places *out, Places *tail, Places *head)
{
    size_t n = r->parts.len, leaves = 0, enters = n;
    Pen a = {.out = tail}, b = {.out = out}, c = {.out = head};
    while (from && leaves < n && fold_of(v, r->parts.at[leaves].box) == from)
        leaves++;
    while (to && enters > leaves && fold_of(v, r->parts.at[enters - 1].box) == to)
        enters--;
    bool stub = e->to_box && fold_of(v, e->to_box) == from;
    put_flow(v, r, 0, leaves, stub, &a);
    put_flow(v, r, leaves, enters, enters == n, &b);
    put_flow(v, r, enters, n, true, &c);
}

void route_put(const Levels *v, int edge, const Layout *places, Places *out, Places *tail,
               Places *head)
{
    const Route *r = &v->routes[edge];
    const LayEdge *e = &v->g->edges.at[edge];
    Pen p = {.out = out};
    int from = end_fold(v, e->from, e->from_box), to = end_fold(v, e->to, e->to_box);
    if (r->loop && r->parts.len >= 2)
        put_loop(v, r, &p);
    else if (r->parts.len && from != to)
        put_cut(v, e, r, from, to, out, tail, head);
    else if (r->parts.len)
        put_flow(v, r, 0, r->parts.len, true, &p);
    else
        put_plain(e, places, &p);
}
