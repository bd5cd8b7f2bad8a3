/* A gradient in two halves beside each other: the forward half as dot lays it out, then the adjoint
 * half in rows that mirror it (draw_mirror.c), then both at the same heights, with ways between
 * them (draw_rungs.c).
 *
 * Invariant: what stands in one row has one height in both halves. */
#include "viz/draw/halves.h"

#include <math.h>

bool is_unit(const Halves *h, size_t u)
{
    int code = code_of(h, u);
    return item_at(h->p, code)->drawn && (code > 0 || scene_box_at(h->s, -code)->closed);
}

bool crosses(const Halves *h, int k)
{
    int from = h->p->from[k - 1], to = h->p->to[k - 1];
    return from && to && h->right[unit_of(h, from)] != h->right[unit_of(h, to)];
}

bool has_halves(const Picture *p)
{
    bool forward = false, adjoint = false;
    for (size_t i = 0; i < p->scene->boxes.len; i++) {
        const SceneBox *b = &p->scene->boxes.at[i];
        forward = forward || (p->boxes[i].drawn && !b->closed && b->kind == BOX_FORWARD);
        adjoint = adjoint || (p->boxes[i].drawn && !b->closed && b->kind == BOX_ADJOINT);
    }
    return forward && adjoint && p->effort <= EFFORT_LESS;
}

/* ---- who stands where ---- */

static bool in_forward(const Scene *s, int code)
{
    for (int at = code > 0 ? scene_node_at(s, code)->box : -code; at;
         at = scene_box_at(s, at)->parent)
        if (scene_box_at(s, at)->kind == BOX_FORWARD)
            return true;
    return false;
}

/* What stands in neither half goes with what it comes from, else with what reads it. */
static void find_sides(Halves *h)
{
    const Scene *s = h->s;
    enum { READ_LEFT = 1, READ_RIGHT = 2, FROM_RIGHT = 4 };
    u8 *has = xcalloc(units(h) + 1, 1);
    for (int k = 1; (size_t)k <= s->edges.len; k++) {
        int from = h->p->from[k - 1], to = h->p->to[k - 1];
        if (!h->p->edges[k - 1].drawn || !from || !to || scene_edge_at(s, k)->kind == EDGE_ADJOINT)
            continue;
        has[unit_of(h, from)] |= runs_up(s, to) ? READ_RIGHT : READ_LEFT;
        has[unit_of(h, to)] |= runs_up(s, from) ? FROM_RIGHT : 0;
    }
    for (size_t u = 0; u < units(h); u++) {
        int code = code_of(h, u);
        bool neutral = !in_forward(s, code) && !runs_up(s, code);
        h->right[u] =
            neutral ? (has[u] & FROM_RIGHT) || (has[u] & 3) == READ_RIGHT : runs_up(s, code);
    }
    free(has);
}

static void find_columns(Halves *h)
{
    for (int k = 1; (size_t)k <= h->s->edges.len; k++) {
        int to = h->p->to[k - 1];
        if (!h->p->edges[k - 1].drawn || !crosses(h, k) || to <= 0 || !h->right[unit_of(h, to)])
            continue;
        const SceneNode *n = scene_node_at(h->s, to);
        SceneBoxKind kind = n->box ? scene_box_at(h->s, n->box)->kind : BOX_GROUP;
        h->column[unit_of(h, to)] = n->role == ROLE_SEQUENCE && scene_edge_at(h->s, k)->from &&
                                    (kind == BOX_SCAN || kind == BOX_LOOP);
    }
}

/* ---- one half at a time ---- */

typedef struct {
    bool *units, *edges;
} Shown;

static Shown shown_now(const Halves *h)
{
    Shown all = {xcalloc(units(h) + 1, 1), xcalloc(h->s->edges.len + 1, 1)};
    for (size_t u = 0; u < units(h); u++)
        all.units[u] = item_at(h->p, code_of(h, u))->drawn;
    for (size_t k = 0; k < h->s->edges.len; k++)
        all.edges[k] = h->p->edges[k].drawn;
    return all;
}

static void show_half(Halves *h, const Shown *all, bool right)
{
    for (size_t u = 0; u < units(h); u++)
        item_at(h->p, code_of(h, u))->drawn =
            all->units[u] && h->right[u] == right && !h->column[u];
    for (int k = 1; (size_t)k <= h->s->edges.len; k++) {
        int from = h->p->from[k - 1], to = h->p->to[k - 1];
        h->p->edges[k - 1].drawn = all->edges[k - 1] && from && to && !crosses(h, k) &&
                                   h->right[unit_of(h, from)] == right &&
                                   !h->column[unit_of(h, from)] && !h->column[unit_of(h, to)];
    }
}

static void show_all(Halves *h, const Shown *all)
{
    for (size_t u = 0; u < units(h); u++)
        item_at(h->p, code_of(h, u))->drawn = all->units[u];
    for (size_t k = 0; k < h->s->edges.len; k++)
        h->p->edges[k].drawn = all->edges[k];
}

static void shown_free(Shown *all)
{
    free(all->units);
    free(all->edges);
}

static bool lay_out_adjoint(Halves *h, Text *error)
{
    GivenRows rows = {h->row, h->top, h->bottom};
    h->p->rows = &rows;
    bool ok = layout_part(h->p, NULL, error);
    h->p->rows = NULL;
    return ok;
}

/* ---- the same heights ---- */

static void span_rows(Halves *h)
{
    h->low = INT_MAX, h->high = INT_MIN;
    for (size_t u = 0; u < units(h); u++)
        if (is_unit(h, u) && !h->column[u] && h->row[u] != NO_ROW) {
            h->low = h->row[u] < h->low ? h->row[u] : h->low;
            h->high = h->row[u] > h->high ? h->row[u] : h->high;
        }
    if (h->low > h->high)
        h->low = h->high = 0;
    h->reach = xcalloc((size_t)(h->high - h->low) + 2, sizeof *h->reach);
    for (size_t u = 0; u < units(h); u++)
        if (is_unit(h, u) && !h->column[u] && h->row[u] != NO_ROW) {
            Rect r = rect_of(h->view, item_at(h->p, code_of(h, u)));
            double *reach = &h->reach[h->row[u] - h->low];
            *reach = fmax(*reach, (r.y1 - r.y0) / 2);
        }
}

/* The heights of a half's rows; NAN where it has none there. */
static double *heights(const Halves *h, bool right)
{
    size_t n = (size_t)(h->high - h->low) + 1;
    double *at = xcalloc(n + 1, sizeof *at);
    for (size_t i = 0; i < n; i++)
        at[i] = NAN;
    for (size_t u = 0; u < units(h); u++)
        if (is_unit(h, u) && !h->column[u] && h->right[u] == right && h->row[u] != NO_ROW) {
            Rect r = rect_of(h->view, item_at(h->p, code_of(h, u)));
            at[h->row[u] - h->low] = (r.y0 + r.y1) / 2;
        }
    return at;
}

/* Where each row is: as far below the one before as either half wants. */
static void set_centres(Halves *h, const double *a, const double *b, const double *wanted)
{
    static const double widest = 84; /* room enough for the borders of boxes */
    size_t n = (size_t)(h->high - h->low) + 1;
    h->centre = xcalloc(n + 1, sizeof *h->centre);
    for (size_t i = 1; i < n; i++) {
        double least = h->centre[i - 1] + h->reach[i - 1] + h->reach[i] + 24 + wanted[i - 1];
        for (int half = 0; half < 2; half++) {
            const double *at = half ? b : a;
            size_t j = i;
            while (j-- > 0 && isnan(at[j]))
                continue;
            if (isnan(at[i]) || j >= i)
                continue;
            double gap = fmin(at[i] - at[j], h->reach[i] + h->reach[j] + widest * (double)(i - j));
            least = fmax(least, h->centre[j] + gap + wanted[i - 1]);
        }
        h->centre[i] = least;
    }
}

typedef struct {
    double from, to;
} Span;

static int by_start(const void *a, const void *b)
{
    const Span *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* How much narrower the boxes across x can become, for the sake of what stands in their corners. */
static double room_for_tabs(const Halves *h, double x)
{
    double room = 1e9;
    for (int k = 1; (size_t)k <= h->s->boxes.len; k++) {
        const Item *i = &h->p->boxes[k - 1];
        Rect r = rect_of(h->view, i);
        double tab =
            tab_width(scene_box_at(h->s, k), &i->text) + block_row_width(&i->text, true) + 30;
        if (i->drawn && !scene_box_at(h->s, k)->closed && !h->view.swap && r.x0 < x && r.x1 > x)
            room = fmin(room, r.x1 - r.x0 - tab);
    }
    return fmax(room, 0);
}

/* Where things stand, and the borders of boxes. */
static size_t find_spans(const Halves *h, Span *at)
{
    static const double beside = 8;
    size_t n = 0;
    for (size_t u = 0; u < units(h); u++) {
        const Item *i = item_at(h->p, code_of(h, u));
        Rect r = rect_of(h->view, i);
        if (is_unit(h, u)) {
            at[n++] = (Span){r.x0 - beside, r.x1 + beside};
        } else if (i->drawn) {
            at[n++] = (Span){r.x0 - beside, r.x0 + beside};
            at[n++] = (Span){r.x1 - beside, r.x1 + beside};
        }
    }
    return n;
}

/* Makes strips narrower in which nothing stands, of what is shown. */
static void squeeze(Halves *h)
{
    static const double most = 36;
    Span *at = xcalloc(2 * units(h) + 1, sizeof *at);
    size_t n = find_spans(h, at);
    qsort(at, n, sizeof *at, by_start);
    double end = n ? at[0].to : 0, gone = 0;
    for (size_t i = 1; i < n; i++) {
        double strip = at[i].from - end, cut = end - gone;
        double d = fmin(strip - most, room_for_tabs(h, cut + strip / 2));
        if (d > 0) {
            stretch(h->p, &(Stretch){h->view, false, cut, -d, strip});
            gone += d;
        }
        end = fmax(end, at[i].to);
    }
    free(at);
}

static void shift_half(Halves *h, double d)
{
    stretch(h->p, &(Stretch){h->view, true, -1e9, d, 0});
}

/* Half of the height of a row in the half that is shown. */
static double reach_shown(const Halves *h, int row)
{
    double reach = 0;
    for (size_t u = 0; u < units(h); u++)
        if (is_unit(h, u) && h->row[u] == row) {
            Rect r = rect_of(h->view, item_at(h->p, code_of(h, u)));
            reach = fmax(reach, (r.y1 - r.y0) / 2);
        }
    return reach;
}

/* Stretches what is shown so that its rows, now at `at`, are where they should be. */
static void fit_half(Halves *h, double *at)
{
    size_t n = (size_t)(h->high - h->low) + 1, last = n;
    for (size_t i = 0; i < n; i++) {
        if (isnan(at[i]))
            continue;
        double d = h->centre[i] - at[i], reach = reach_shown(h, h->low + (int)i);
        if (last == n) {
            shift_half(h, d);
        } else {
            double cut = at[last] + reach_shown(h, h->low + (int)last) + 3;
            stretch(h->p, &(Stretch){h->view, true, cut, d, at[i] - reach - 3 - cut});
        }
        for (size_t j = i; j < n; j++)
            at[j] += d;
        last = i;
    }
}

static void same_heights(Halves *h, const Shown *all)
{
    double *a = heights(h, false), *b = heights(h, true);
    double *wanted = xcalloc((size_t)(h->high - h->low) + 2, sizeof *wanted);
    rungs_plan(h, wanted);
    set_centres(h, a, b, wanted);
    show_half(h, all, false);
    fit_half(h, a);
    squeeze(h);
    show_half(h, all, true);
    fit_half(h, b);
    squeeze(h);
    for (size_t i = 0; i < h->runs.len; i++)
        h->runs.at[i].y += h->centre[h->runs.at[i].row - h->low];
    free(wanted);
    free(a);
    free(b);
}

/* ---- the whole ---- */

static void halves_free(Halves *h)
{
    free(h->right);
    free(h->column);
    free(h->row);
    free(h->top);
    free(h->bottom);
    free(h->pair);
    free(h->out);
    free(h->in);
    free(h->centre);
    free(h->reach);
    vec_free(&h->runs);
}

static bool lay_out(Halves *h, const Shown *all, Text *error)
{
    show_half(h, all, false);
    h->p->forward_half = true;
    bool ok = layout_part(h->p, h->row, error);
    h->p->forward_half = false;
    show_all(h, all);
    if (!ok)
        return false;
    mirror_rows(h);
    show_half(h, all, true);
    if (!lay_out_adjoint(h, error))
        return false;
    show_all(h, all);
    span_rows(h);
    same_heights(h, all);
    show_all(h, all);
    for (size_t k = 0; k < h->s->edges.len; k++) /* links that heights tell */
        h->p->edges[k].drawn = h->p->edges[k].drawn && !(h->out[k] < 0);
    rungs_draw(h);
    return true;
}

bool halves_layout(Picture *p, Text *error)
{
    const Scene *s = p->scene;
    size_t n = s->nodes.len + s->boxes.len + 1;
    Halves h = {.p = p,
                .s = s,
                .view = {s->direction == DIR_LR, false},
                .right = xcalloc(n, 1),
                .column = xcalloc(n, 1),
                .row = xcalloc(n, sizeof(int)),
                .top = xcalloc(s->boxes.len + 1, sizeof(int)),
                .bottom = xcalloc(s->boxes.len + 1, sizeof(int)),
                .pair = xcalloc(s->boxes.len + 1, sizeof(int)),
                .out = xcalloc(s->edges.len + 1, sizeof(int)),
                .in = xcalloc(s->edges.len + 1, sizeof(int))};
    for (size_t u = 0; u < n; u++)
        h.row[u] = NO_ROW;
    find_sides(&h);
    find_columns(&h);
    Shown all = shown_now(&h);
    bool ok = lay_out(&h, &all, error);
    show_all(&h, &all);
    for (size_t k = 0; k < s->edges.len && ok; k++)
        p->edges[k].drawn = p->edges[k].drawn && h.out[k] >= 0;
    shown_free(&all);
    halves_free(&h);
    return ok;
}
