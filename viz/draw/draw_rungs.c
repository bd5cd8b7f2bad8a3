/* The ways between the two halves of a gradient: rungs.
 *
 * A way leaves its node at the side, if nothing stands beside it, or downwards into the gap below
 * its row; it crosses to the other half there, straight, and ends in a sequence that stands at this
 * height in a column at the side of its loop. From there, and to whatever else reads it, it goes on
 * along the gap below the reader's row, if need be through a lane in front, and enters from below.
 *
 * Invariant: each gap is as high as what runs along it (rungs_plan), so ways run along no node. */
#include "viz/draw/halves.h"

#include <math.h>

static const double apart = 9, between = 6, tip_room = 12;

static Rect rect_at(const Halves *h, int code) { return rect_of(h->view, item_at(h->p, code)); }

static double middle(Rect r) { return (r.y0 + r.y1) / 2; }

/* Is the way from it to the side of its half free? */
static bool side_is_free(const Halves *h, int code)
{
    Rect r = rect_at(h, code);
    bool right = h->right[unit_of(h, code)];
    for (size_t u = 0; u < units(h); u++) {
        if (!is_unit(h, u) || h->right[u] != right || code_of(h, u) == code || h->column[u])
            continue;
        Rect o = rect_at(h, code_of(h, u));
        bool beside = right ? o.x0 < r.x0 : o.x1 > r.x1;
        if (beside && o.y0 < middle(r) + 4 && o.y1 > middle(r) - 4)
            return false;
    }
    return true;
}

/* ---- the plan ---- */

static int run_at(Halves *h, int of, int row, bool level, double height)
{
    for (size_t i = 0; i < h->runs.len; i++) {
        Run *r = &h->runs.at[i];
        if (r->of != of || r->row != row || r->level != level)
            continue;
        r->h = fmax(r->h, level ? 0 : height);
        return (int)i + 1;
    }
    Run r = {of, row, level, level ? 0 : height, 0, 0};
    r.x = of < LINK_RUN ? rect_at(h, of).x1 : -1e9;
    vec_push(&h->runs, r);
    return (int)h->runs.len;
}

static bool is_column(const Halves *h, int code) { return code && h->column[unit_of(h, code)]; }

static double height_of(const Halves *h, int code)
{
    Rect r = rect_at(h, code);
    return is_column(h, code) ? r.y1 - r.y0 + between : apart;
}

/* Where a way to `to` ends that comes along run `from`. */
static int entry_for(Halves *h, int of, int k, int from)
{
    int to = h->p->to[k - 1], row = h->row[unit_of(h, to)];
    const Run *r = &h->runs.at[from - 1];
    int box = scene_edge_at(h->s, k)->to_box;
    if (box && !scene_hidden_by(h->s, box))
        row = h->bottom[box] != NO_ROW ? h->bottom[box] : row;
    else if (side_is_free(h, to))
        return r->level && r->row == row ? from : run_at(h, to, row, true, 0);
    return !r->level && r->row == row ? from : run_at(h, of, row, false, apart);
}

/* Does something of the adjoint half stand in that row, outside of the loop that `to` enters? */
static bool is_blocked(const Halves *h, int to, int row)
{
    double frame = rect_of(h->view, &h->p->boxes[home_of_code(h->s, to) - 1]).x0;
    for (size_t u = 0; u < units(h); u++)
        if (is_unit(h, u) && h->right[u] && !h->column[u] && h->row[u] == row &&
            rect_at(h, code_of(h, u)).x0 < frame)
            return true;
    return false;
}

/* A way that goes back leaves it at its side. */
static bool loops_back(const Halves *h, int code)
{
    for (size_t i = 0; i < h->s->edges.len; i++)
        if (h->p->from[i] == code && h->p->edges[i].drawn &&
            h->s->edges.at[i].kind == EDGE_LOOPBACK)
            return true;
    return false;
}

static void forget_label(Small *label)
{
    free(label->text);
    *label = (Small){0};
}

/* An edge from half to half. The first sequence that takes a trace has its rung. */
static void plan_crossing(Halves *h, int k, int *taken)
{
    int of = h->p->from[k - 1], to = h->p->to[k - 1], row = h->row[unit_of(h, of)];
    bool frame = scene_edge_at(h->s, k)->from_box && of > 0;
    bool level = !frame && side_is_free(h, of) && !loops_back(h, of) &&
                 !(is_column(h, to) && is_blocked(h, to, row));
    size_t known = h->runs.len;
    int out = h->out[k - 1] = run_at(h, of, row, level, apart);
    if ((size_t)out <= known)
        forget_label(&h->p->edges[k - 1].label); /* it stands there once */
    if (!is_column(h, to)) {
        h->in[k - 1] = entry_for(h, of, k, out);
        return;
    }
    int low = h->top[home_of_code(h->s, to)], high = h->bottom[home_of_code(h->s, to)];
    if (row < low || row > high) { /* its loop does not reach that far */
        h->in[k - 1] = run_at(h, to, row < low ? low : high, false, height_of(h, to));
    } else if (!taken[out]) {
        taken[out] = to;
        h->in[k - 1] = run_at(h, of, row, level, height_of(h, to));
    } else {
        h->in[k - 1] = run_at(h, to, row, false, height_of(h, to));
        h->runs.at[h->in[k - 1] - 1].x = h->runs.at[out - 1].x - 0.01;
    }
}

/* A link is drawn where it is a straight line; else not, if heights tell it, or what enters a loop.
 */
static void plan_link(Halves *h, int k)
{
    int from = h->p->from[k - 1], to = h->p->to[k - 1];
    int a = h->row[unit_of(h, from)], b = h->row[unit_of(h, to)];
    bool straight = a == b && side_is_free(h, from) && side_is_free(h, to);
    SceneRole role = from > 0 ? scene_node_at(h->s, from)->role : ROLE_NONE;
    bool told = home_of_code(h->s, from) &&
                scene_box_at(h->s, home_of_code(h->s, from))->kind != BOX_ADJOINT &&
                (a == b || (role >= ROLE_PARAM && role <= ROLE_CAPTURE));
    if (straight) {
        h->out[k - 1] = h->in[k - 1] = run_at(h, LINK_RUN + k, a, true, 0);
    } else if (told) {
        h->out[k - 1] = -1; /* not drawn */
    } else {
        h->out[k - 1] = run_at(h, LINK_RUN + k, a, false, apart);
        h->in[k - 1] = run_at(h, LINK_RUN + k, b, false, apart);
    }
}

static int entry_of_column(const Halves *h, int code)
{
    for (size_t i = 0; i < h->s->edges.len; i++)
        if (h->p->to[i] == code && h->in[i])
            return h->in[i];
    return 0;
}

static int by_height(const void *a, const void *b)
{
    const Run *const *x = a, *const *y = b;
    if ((*x)->row != (*y)->row)
        return (*x)->row < (*y)->row ? -1 : 1;
    if ((*x)->x < (*y)->x || (*x)->x > (*y)->x)
        return (*x)->x > (*y)->x ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

/* Puts the runs of each gap below each other; y counts from the row. */
static void stack_runs(Halves *h, double *wanted)
{
    Run **order = xcalloc(h->runs.len + 1, sizeof(Run *));
    size_t n = 0;
    for (size_t i = 0; i < h->runs.len; i++)
        if (!h->runs.at[i].level)
            order[n++] = &h->runs.at[i];
    qsort(order, n, sizeof *order, by_height);
    for (size_t i = 0; i < n; i++) {
        double *used = &wanted[order[i]->row - h->low];
        order[i]->y = h->reach[order[i]->row - h->low] + tip_room + *used + order[i]->h / 2;
        *used += order[i]->h;
    }
    free(order);
}

void rungs_plan(Halves *h, double *wanted)
{
    size_t n = h->s->edges.len;
    int *taken = xcalloc(n + 2, sizeof *taken);
    for (int k = 1; (size_t)k <= n; k++)
        if (h->p->edges[k - 1].drawn && crosses(h, k) &&
            scene_edge_at(h->s, k)->kind != EDGE_ADJOINT)
            plan_crossing(h, k, taken);
    for (int k = 1; (size_t)k <= n; k++) {
        int from = h->p->from[k - 1];
        if (!h->p->edges[k - 1].drawn || !is_column(h, from) || !h->p->to[k - 1] ||
            scene_edge_at(h->s, k)->kind == EDGE_LOOPBACK)
            continue;
        h->out[k - 1] = entry_of_column(h, from);
        h->in[k - 1] = h->out[k - 1] ? entry_for(h, from, k, h->out[k - 1]) : 0;
    }
    for (int k = 1; (size_t)k <= n; k++)
        if (h->p->edges[k - 1].drawn && crosses(h, k) &&
            scene_edge_at(h->s, k)->kind == EDGE_ADJOINT)
            plan_link(h, k);
    stack_runs(h, wanted);
    free(taken);
}

/* ---- lanes and columns ---- */

/* Room in front of each loop with a column, and the column in it. */
static double *column_lanes(Halves *h)
{
    double *lane = xcalloc(units(h) + 1, sizeof *lane);
    for (int box = (int)h->s->boxes.len; box >= 1; box--) {
        double widest = 0, lanes = 0;
        for (size_t u = 0; u < h->s->nodes.len; u++)
            if (h->column[u] && home_of_code(h->s, (int)u + 1) == box) {
                Rect r = rect_at(h, (int)u + 1);
                widest = fmax(widest, r.x1 - r.x0);
                lanes++;
            }
        if (lanes == 0)
            continue;
        double left = rect_of(h->view, &h->p->boxes[box - 1]).x0 + (h->view.swap ? TAB_HEIGHT : 0);
        for (size_t u = 0; u < h->s->nodes.len; u++)
            h->p->nodes[u].drawn = h->p->nodes[u].drawn && !(h->column[u]); /* they have no place */
        stretch(h->p, &(Stretch){h->view, false, left + 8, widest + 24 + lanes * apart, 0});
        double x = left + 22 + widest + 10;
        for (size_t u = 0; u < h->s->nodes.len; u++) {
            if (!h->column[u] || home_of_code(h->s, (int)u + 1) != box)
                continue;
            Rect r = rect_at(h, (int)u + 1);
            double w = r.x1 - r.x0, ht = r.y1 - r.y0;
            int run = entry_of_column(h, (int)u + 1);
            double y = run ? h->runs.at[run - 1].y : 0;
            set_rect(h->view, &h->p->nodes[u],
                     (Rect){left + 22, y - ht / 2, left + 22 + w, y + ht / 2});
            lane[u] = x += apart;
        }
    }
    for (size_t u = 0; u < h->s->nodes.len; u++)
        h->p->nodes[u].drawn = h->p->nodes[u].drawn || h->column[u];
    return lane;
}

static Rect extent(const Halves *h, bool right)
{
    Rect all = {1e30, 1e30, -1e30, -1e30};
    const Scene *s = h->s;
    for (size_t u = 0; u < units(h); u++) {
        const Item *i = item_at(h->p, code_of(h, u));
        if (!i->drawn || h->right[u] != right)
            continue;
        Rect r = rect_of(h->view, i);
        all =
            (Rect){fmin(all.x0, r.x0), fmin(all.y0, r.y0), fmax(all.x1, r.x1), fmax(all.y1, r.y1)};
    }
    for (size_t k = 0; k < s->edges.len; k++) {
        const Route *r = &h->p->edges[k];
        bool here = r->drawn && h->p->from[k] && h->right[unit_of(h, h->p->from[k])] == right;
        for (int i = 0; i < r->n && here; i++) {
            Point q = seen(h->view, r->at[i]);
            all.x0 = fmin(all.x0, q.x - 3);
            all.x1 = fmax(all.x1, q.x + 3);
        }
    }
    return all;
}

/* Lanes between the halves, one for each start that has ways to several heights. */
static double *middle_lanes(Halves *h, double *width)
{
    double *lane = xcalloc(h->s->edges.len + 1, sizeof *lane);
    double x = 0;
    for (size_t k = 0; k < h->s->edges.len; k++) {
        if (h->out[k] <= 0 || h->out[k] == h->in[k] || is_column(h, h->p->from[k]))
            continue;
        for (size_t j = 0; j < k && lane[k] <= 0; j++)
            if (h->out[j] == h->out[k] && !is_column(h, h->p->from[j]))
                lane[k] = lane[j];
        if (lane[k] <= 0)
            lane[k] = x += apart;
    }
    *width = x;
    return lane;
}

static void move_half(Halves *h, double dx)
{
    for (size_t u = 0; u < units(h); u++) {
        Item *i = item_at(h->p, code_of(h, u));
        if (!i->drawn || !h->right[u])
            continue;
        Rect r = rect_of(h->view, i);
        set_rect(h->view, i, (Rect){r.x0 + dx, r.y0, r.x1 + dx, r.y1});
    }
    for (size_t k = 0; k < h->s->edges.len; k++) {
        Route *r = &h->p->edges[k];
        if (!r->drawn || !h->p->from[k] || !h->right[unit_of(h, h->p->from[k])])
            continue;
        Point *tip = &r->tip;
        for (int i = 0; i <= r->n; i++) {
            Point *at = i < r->n ? &r->at[i] : tip, q = seen(h->view, *at);
            q.x += dx;
            *at = unseen(h->view, q);
        }
    }
}

/* ---- ways ---- */

static void start(const Halves *h, int k, Corners *c)
{
    int from = h->p->from[k - 1], box = scene_edge_at(h->s, k)->from_box;
    const Run *run = &h->runs.at[h->out[k - 1] - 1];
    Rect r = rect_at(h, from);
    if (box && !scene_hidden_by(h->s, box)) {
        corner_put(c, rect_of(h->view, &h->p->boxes[box - 1]).x1, run->y);
    } else if (run->level || is_column(h, from)) {
        corner_put(c, r.x1, run->y);
    } else {
        double x = r.x0 + (r.x1 - r.x0) * 0.8;
        corner_put(c, x, r.y1);
        corner_put(c, x, run->y);
    }
}

/* The so many-th way that enters a node from below, of all. */
static double entry_x(const Halves *h, int k, Rect r)
{
    int n = 0, at = 0;
    for (size_t j = 0; j < h->s->edges.len; j++) {
        if (!h->in[j] || h->p->to[j] != h->p->to[k - 1] || h->runs.at[h->in[j] - 1].level)
            continue;
        at += j < (size_t)k - 1;
        n++;
    }
    return r.x0 + (r.x1 - r.x0) * 0.42 * (at + 0.6) / n;
}

static void end(const Halves *h, int k, Corners *c)
{
    int to = h->p->to[k - 1], box = scene_edge_at(h->s, k)->to_box;
    const Run *run = &h->runs.at[h->in[k - 1] - 1];
    Rect r = rect_at(h, to);
    if (box && !scene_hidden_by(h->s, box)) {
        corner_put(c, rect_of(h->view, &h->p->boxes[box - 1]).x0, run->y);
    } else if (run->level || is_column(h, to)) {
        corner_put(c, r.x0, run->y);
    } else {
        double x = entry_x(h, k, r);
        corner_put(c, x, run->y);
        corner_put(c, x, r.y1);
    }
}

static void link_way(const Halves *h, int k, double lane, Corners *c)
{
    Rect a = rect_at(h, h->p->from[k - 1]), b = rect_at(h, h->p->to[k - 1]);
    const Run *out = &h->runs.at[h->out[k - 1] - 1], *in = &h->runs.at[h->in[k - 1] - 1];
    if (out->level) {
        corner_put(c, a.x0, out->y + 6); /* beside a value that goes the other way */
        corner_put(c, b.x1, out->y + 6);
        return;
    }
    double x = a.x0 + (a.x1 - a.x0) * 0.6, z = b.x0 + (b.x1 - b.x0) * 0.6;
    corner_put(c, x, a.y1);
    corner_put(c, x, out->y);
    corner_put(c, lane, out->y);
    corner_put(c, lane, in->y);
    corner_put(c, z, in->y);
    corner_put(c, z, b.y1);
}

static void draw_way(Halves *h, int k, double lane)
{
    Corners c = {0};
    Route *r = &h->p->edges[k - 1];
    if (scene_edge_at(h->s, k)->kind == EDGE_ADJOINT) {
        link_way(h, k, lane, &c);
    } else {
        start(h, k, &c);
        if (h->out[k - 1] != h->in[k - 1]) {
            corner_put(&c, lane, h->runs.at[h->out[k - 1] - 1].y);
            corner_put(&c, lane, h->runs.at[h->in[k - 1] - 1].y);
        }
        end(h, k, &c);
    }
    if (c.n >= 2)
        route_follow(h->view, r, c.at, c.n);
}

void rungs_draw(Halves *h)
{
    double width, *lane = middle_lanes(h, &width);
    Rect left = extent(h, false), right = extent(h, true);
    double from = left.x1 + 16;
    move_half(h, from + width + 22 - right.x0);
    double *front = column_lanes(h);
    for (int k = 1; (size_t)k <= h->s->edges.len; k++)
        if (h->p->edges[k - 1].drawn && h->out[k - 1] > 0 && h->in[k - 1] > 0)
            draw_way(h, k,
                     is_column(h, h->p->from[k - 1]) ? front[unit_of(h, h->p->from[k - 1])]
                                                     : from + lane[k - 1]);
    free(front);
    free(lane);
}
