/* What dot does not do by itself: an edge to the border of its own box really ends
 * there, and the tab of a box sits where no edge crosses it, if there is such a place.
 *
 * Invariant: everything is computed as for a drawing from top to bottom; for one from
 * left to right x and y change places. */
#include "viz/draw/picture.h"

#include <math.h>

static bool sideways(const Picture *p) { return p->scene->direction == DIR_LR; }

static Point turned(const Picture *p, double x, double y)
{
    return sideways(p) ? (Point){y, x} : (Point){x, y};
}

static Rect rect_of(const Picture *p, const Item *i)
{
    if (sideways(p))
        return (Rect){i->y, i->x, i->y + i->h, i->x + i->w};
    return (Rect){i->x, i->y, i->x + i->w, i->y + i->h};
}

static const double tip_length = 7;

/* ---- ends at a border ---- */

static void refine_border(const Picture *p, int k)
{
    Route *r = &p->edges[k - 1];
    if (r->n < 4)
        return;
    Rect frame = rect_of(p, &p->boxes[p->anchor_to[k - 1] - 1]);
    Point last = r->has_tip ? r->tip : r->at[r->n - 1];
    Point end = sideways(p) ? turned(p, last.x, last.y) : last;
    r->at = xrealloc(r->at, (size_t)(r->n + 3) * sizeof *r->at);
    Point from = r->at[r->n - 1];
    r->at[r->n] = from;
    r->at[r->n + 1] = r->at[r->n + 2] = turned(p, end.x, frame.y1 - tip_length);
    r->n += 3;
    r->tip = turned(p, end.x, frame.y1);
    r->has_tip = true;
}

/* ---- corners for tabs ---- */

Point bezier_at(const Point *q, double t)
{
    double u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
    return (Point){a * q[0].x + b * q[1].x + c * q[2].x + d * q[3].x,
                   a * q[0].y + b * q[1].y + c * q[2].y + d * q[3].y};
}

/* What a route takes of the strip between two heights. */
typedef struct {
    double x0, x1;
} Reach;
typedef VEC(Reach) Reaches;

static Reach reach_in(const Route *r, double y0, double y1)
{
    Reach reach = {1e30, -1e30};
    for (int i = 0; i + 3 < r->n; i += 3) {
        const Point *q = &r->at[i];
        if (fmin(fmin(q[0].y, q[1].y), fmin(q[2].y, q[3].y)) > y1 ||
            fmax(fmax(q[0].y, q[1].y), fmax(q[2].y, q[3].y)) < y0)
            continue;
        for (int j = 0; j <= 60; j++) {
            Point at = bezier_at(q, j / 60.0);
            if (at.y < y0 || at.y > y1)
                continue;
            reach.x0 = fmin(reach.x0, at.x - 3);
            reach.x1 = fmax(reach.x1, at.x + 3);
        }
    }
    return reach;
}

/* Routes behind a tab from x to x + w (these are worse), and behind what follows it up to x + all.
 */
static int crossings(const Reaches *r, double x, double w, double all)
{
    int n = 0;
    for (size_t i = 0; i < r->len; i++) {
        bool behind = r->at[i].x0 < x + w && r->at[i].x1 > x;
        n += behind ? 4 : r->at[i].x0 < x + all && r->at[i].x1 > x;
    }
    return n;
}

/* In the left corner, else the right one, else where the fewest edges run behind it. */
static void place_tab(Picture *p, int k)
{
    Item *i = &p->boxes[k - 1];
    double w = tab_width(scene_box_at(p->scene, k), &i->text),
           more = block_row_width(&i->text, true);
    double all = w + (more > 0 ? more + 8 : 0), room = i->w - all;
    Reaches reaches = {0};
    for (size_t e = 0; e < p->scene->edges.len; e++) {
        Reach r = p->edges[e].drawn ? reach_in(&p->edges[e], i->y - 2, i->y + TAB_HEIGHT + 2)
                                    : (Reach){1, 0};
        if (r.x0 <= r.x1)
            vec_push(&reaches, r);
    }
    int best = crossings(&reaches, i->x, w, all);
    int right =
        crossings(&reaches, i->x + i->w - w, w, w) + crossings(&reaches, i->x + room, 0, all - w);
    if (right < best) { /* what is written beside it then stands left of it */
        best = right;
        i->tab_x = i->w - w;
    }
    for (double x = 12; x < room - 12 && best > 0; x += 6) {
        int here = crossings(&reaches, i->x + x, w, all);
        if (here < best) {
            best = here;
            i->tab_x = x;
        }
    }
    vec_free(&reaches);
}

void tabs_place(Picture *p)
{
    const Scene *s = p->scene;
    for (size_t k = 1; k <= s->boxes.len; k++) {
        p->boxes[k - 1].tab_x = 0;
        if (s->boxes.len <= 1000 && p->boxes[k - 1].drawn && !s->boxes.at[k - 1].closed)
            place_tab(p, (int)k);
    }
}

void routes_refine(Picture *p)
{
    const Scene *s = p->scene;
    for (size_t k = 1; k <= s->edges.len; k++)
        if (p->edges[k - 1].drawn && p->edges[k - 1].at_border)
            refine_border(p, (int)k);
    tabs_place(p);
}
