/* Loops back keep off nodes where the way to their port is a curve: room that was made in the
 * picture bends it, and it may come to touch what it went past.
 *
 * A curve is pushed away from where it lies deepest in a node with a margin around it, by its inner
 * control points: a point at t of a cubic curve moves 3 t (1 - t) times as far as these.
 *
 * Invariant: ends of pieces stay where they are, and straight pieces are left alone. */
#include "viz/draw/draw_view.h"

#include <math.h>

enum { SAMPLES = 16, TURNS = 4 };

static const double margin = 3;

typedef struct {
    double depth, t;
    Point out; /* how far to go, the shortest way */
} Touch;

static Point on_curve(const Point *c, double t)
{
    double u = 1 - t, a = u * u * u, b = 3 * t * u * u, d = 3 * t * t * u, e = t * t * t;
    return (Point){a * c[0].x + b * c[1].x + d * c[2].x + e * c[3].x,
                   a * c[0].y + b * c[1].y + d * c[2].y + e * c[3].y};
}

static bool is_bent(const Point *c)
{
    bool line = c[0].x == c[1].x && c[0].y == c[1].y;
    bool corner = c[1].x == c[2].x && c[1].y == c[2].y;
    return !line && !corner;
}

/* How deep q lies in r, by the shortest way out of it. */
static Touch touch(Rect r, Point q, double t)
{
    double ways[] = {q.x - r.x0, r.x1 - q.x, q.y - r.y0, r.y1 - q.y};
    int least = 0;
    for (int i = 1; i < 4; i++)
        least = ways[i] < ways[least] ? i : least;
    double d = ways[least], side = least % 2 ? d : -d;
    return (Touch){d, t, least < 2 ? (Point){side, 0} : (Point){0, side}};
}

static Touch deepest(const Picture *p, int edge, const Point *curve)
{
    Touch most = {0};
    for (int code = 1; (size_t)code <= p->scene->nodes.len; code++) {
        const Item *n = &p->nodes[code - 1];
        if (!n->drawn || code == p->from[edge - 1] || code == p->to[edge - 1])
            continue;
        Rect r = {n->x - margin, n->y - margin, n->x + n->w + margin, n->y + n->h + margin};
        for (int k = 1; k < SAMPLES; k++) {
            double t = k / (double)SAMPLES;
            Touch at = touch(r, on_curve(curve, t), t);
            most = at.depth > most.depth ? at : most;
        }
    }
    return most;
}

static bool push_away(const Picture *p, int edge)
{
    Route *r = &p->edges[edge - 1];
    bool moved = false;
    for (int i = 0; i + 3 < r->n; i += 3) {
        Point *c = &r->at[i];
        Touch at = is_bent(c) ? deepest(p, edge, c) : (Touch){0};
        if (at.depth <= 0)
            continue;
        double times = fmin(1 / (3 * at.t * (1 - at.t)), 2);
        for (int k = 1; k <= 2; k++) {
            c[k].x += at.out.x * times;
            c[k].y += at.out.y * times;
        }
        moved = true;
    }
    return moved;
}

void loops_clear(Picture *p)
{
    for (int k = 1; (size_t)k <= p->scene->edges.len; k++)
        if (p->edges[k - 1].drawn && has_lane(p, k))
            for (int turn = 0; turn < TURNS && push_away(p, k); turn++)
                ;
}
