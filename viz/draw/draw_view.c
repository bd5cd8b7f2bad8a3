/* A picture turned, stretched, and ways of straight pieces. See draw_view.h. */
#include "viz/draw/draw_view.h"

#include <math.h>

static const double tip_length = 7, corner = 8;

Point seen(View v, Point q)
{
    Point r = v.swap ? (Point){q.y, q.x} : q;
    r.y = v.up ? -r.y : r.y;
    return r;
}

Point unseen(View v, Point q)
{
    q.y = v.up ? -q.y : q.y;
    return v.swap ? (Point){q.y, q.x} : q;
}

Rect rect_of(View v, const Item *i)
{
    Point a = seen(v, (Point){i->x, i->y}), z = seen(v, (Point){i->x + i->w, i->y + i->h});
    return (Rect){fmin(a.x, z.x), fmin(a.y, z.y), fmax(a.x, z.x), fmax(a.y, z.y)};
}

void set_rect(View v, Item *i, Rect r)
{
    Point a = unseen(v, (Point){r.x0, r.y0}), z = unseen(v, (Point){r.x1, r.y1});
    i->x = fmin(a.x, z.x), i->y = fmin(a.y, z.y);
    i->w = fabs(a.x - z.x), i->h = fabs(a.y - z.y);
}

Item *item_at(const Picture *p, int code)
{
    return code > 0 ? &p->nodes[code - 1] : &p->boxes[-code - 1];
}

/* ---- room ---- */

static double moved(const Stretch *s, double x)
{
    bool inside = s->d < 0 && x > s->cut && x < s->cut + s->strip;
    return inside       ? s->cut + (x - s->cut) * (s->strip + s->d) / s->strip
           : x > s->cut ? x + s->d
                        : x;
}

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
    double begin = starts ? shift_of(s, item_at(p, from)) : 0,
           end = ends ? shift_of(s, item_at(p, to)) : moved(s, at) - at;
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

void stretch(Picture *p, const Stretch *s)
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

/* ---- ways ---- */

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

void corner_put(Corners *c, double x, double y)
{
    const Point *last = c->n ? &c->at[c->n - 1] : NULL;
    bool same = last && fabs(last->x - x) < 0.01 && fabs(last->y - y) < 0.01;
    if (c->n < (int)COUNT_OF(c->at) && !same)
        c->at[c->n++] = (Point){x, y};
}

void route_follow(View v, Route *r, Point *at, int n)
{
    Point tip = at[n - 1];
    at[n - 1] = toward(tip, at[n - 2], tip_length);
    r->tip = unseen(v, tip);
    r->has_tip = true;
    if (r->n == 0) {
        r->at = xcalloc(1, sizeof *r->at);
        r->at[r->n++] = unseen(v, at[0]);
    }
    for (int i = 1; i < n; i++) {
        Point here = at[i], last = seen(v, r->at[r->n - 1]);
        bool ends = i == n - 1;
        Point stop = ends ? here : toward(here, last, corner);
        add_piece(r, unseen(v, last), unseen(v, stop), unseen(v, stop));
        if (!ends)
            add_piece(r, unseen(v, here), unseen(v, here),
                      unseen(v, toward(here, at[i + 1], corner)));
    }
}
