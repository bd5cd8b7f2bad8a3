/* The states of a loop so far, as points of curves.
 *
 * Rows lie to the right of each other by their index, whichever way the loop goes through them. */
#include "viz/film/film.h"

#include <math.h>

typedef struct {
    double low, high;
} Range;

/* Of the elements that are drawn, over all that is known of the loop: it stays from step to step.
 */
static void widen(Range *r, const Tensor *v)
{
    i64 n = v && v->count < PLAY_ELEMENTS ? v->count : PLAY_ELEMENTS;
    for (i64 i = 0; v && i < n; i++) {
        double x = tensor_f64_at(v, i);
        r->low = isfinite(x) && x < r->low ? x : r->low;
        r->high = isfinite(x) && x > r->high ? x : r->high;
    }
}

bool play_has_curve(const Tensor *v) { return v && v->count && v->dtype != DT_RNG; }

static void add_point(const LoopProbe *r, const Range *range, i64 done, double y, PlayPoints *out)
{
    i64 place = r->s.reverse ? r->steps - done : done;
    double span = range->high - range->low;
    PlayPoint p = {.x = (double)place / (double)r->steps, .there = isfinite(y)};
    if (p.there)
        p.y = span > 0 ? (y - range->low) / span : 0.5;
    vec_push(out, p);
}

void play_points(const PlayTrack *t, int state, int element, PlayPoints *out)
{
    const LoopProbe *r = &t->r;
    Range range = {INFINITY, -INFINITY};
    const Tensor *last = loop_probe_after(r, state), *v;
    if (!play_has_curve(last) || element >= last->count)
        return;
    for (i64 k = 0; (v = loop_probe_mark(r, k, state)); k++)
        widen(&range, v);
    widen(&range, loop_probe_end(r, state));
    widen(&range, last);
    for (i64 k = 0; k * r->stride <= t->step && (v = loop_probe_mark(r, k, state)); k++)
        add_point(r, &range, k * r->stride, tensor_f64_at(v, element), out);
    add_point(r, &range, t->step + 1, tensor_f64_at(last, element), out);
}
