/* Where the small things of edges go: texts at their ends, badges of marks, texts along them.
 *
 * Each is tried at many places along its own line, on either side and on it, and takes the free
 * one that costs least: lines that it would cover, and how far it is from where one looks for it.
 * What finds no free place is not shown; the title of the edge tells it all the same.
 *
 * Invariant: nothing that is shown lies on a node, on the tab of a box or on something shown before
 * it. */
#include "viz/draw/picture.h"

#include <math.h>

enum { OF_NO_EDGE = -1, MAX_CELLS = 100000 };

typedef struct {
    Point at;
    int edge; /* index; OF_NO_EDGE: the frame of a box */
} Spot;       /* something that may be covered, but had better not be */

typedef struct {
    VEC(Rect) rects; /* what must not be covered */
    VEC(Spot) spots;
} Cell;

typedef struct {
    Picture *p;
    Rect all;
    double side; /* of a cell */
    int columns, rows;
    Cell *cells;
} Field;

/* The line of a route as points at about equal distances. */
typedef struct {
    VEC(Point) at;
} Track;

static const double spacing = 6; /* of the points of tracks */

/* ---- tracks ---- */

static void walk_to(Track *t, Point to)
{
    Point from = t->at.at[t->at.len - 1];
    int steps = (int)fmin(hypot(to.x - from.x, to.y - from.y) / spacing, 2000);
    for (int i = 1; i <= steps; i++)
        vec_push(&t->at, ((Point){from.x + (to.x - from.x) * i / (steps + 1),
                                  from.y + (to.y - from.y) * i / (steps + 1)}));
    vec_push(&t->at, to);
}

static Track track_of(const Route *r)
{
    Track t = {0};
    if (r->n < 2)
        return t;
    vec_push(&t.at, r->at[0]);
    if (r->n < 4)
        walk_to(&t, r->at[r->n - 1]);
    for (int i = 0; i + 3 < r->n; i += 3) {
        const Point *q = &r->at[i];
        double reach = hypot(q[1].x - q[0].x, q[1].y - q[0].y) +
                       hypot(q[2].x - q[1].x, q[2].y - q[1].y) +
                       hypot(q[3].x - q[2].x, q[3].y - q[2].y);
        int pieces = (int)fmin(fmax(reach / 16, 1), 40);
        for (int k = 1; k <= pieces; k++)
            walk_to(&t, bezier_at(q, (double)k / pieces));
    }
    if (r->has_tip)
        walk_to(&t, r->tip);
    return t;
}

/* ---- the field ---- */

static int cell_index(const Field *f, double x, double y)
{
    int c = (int)fmin(fmax((x - f->all.x0) / f->side, 0), f->columns - 1),
        r = (int)fmin(fmax((y - f->all.y0) / f->side, 0), f->rows - 1);
    return r * f->columns + c;
}

static void block(Field *f, Rect r)
{
    int a = cell_index(f, r.x0, r.y0), z = cell_index(f, r.x1, r.y1), n = f->columns;
    for (int row = a / n; row <= z / n; row++)
        for (int c = a % n; c <= z % n; c++)
            vec_push(&f->cells[row * n + c].rects, r);
}

static void lay_track(Field *f, const Track *t, int edge)
{
    for (size_t i = 0; i < t->at.len; i++)
        vec_push(&f->cells[cell_index(f, t->at.at[i].x, t->at.at[i].y)].spots,
                 ((Spot){t->at.at[i], edge}));
}

static bool overlap(Rect a, Rect b)
{
    return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

/* What it costs to cover r; a negative number: it cannot be. Its own line is no obstacle. */
static double price(const Field *f, Rect r, int edge)
{
    double cost = 0;
    int a = cell_index(f, r.x0, r.y0), z = cell_index(f, r.x1, r.y1), n = f->columns;
    for (int row = a / n; row <= z / n; row++)
        for (int c = a % n; c <= z % n; c++) {
            const Cell *cell = &f->cells[row * n + c];
            for (size_t i = 0; i < cell->rects.len; i++)
                if (overlap(r, cell->rects.at[i]))
                    return -1;
            for (size_t i = 0; i < cell->spots.len; i++) {
                const Spot *s = &cell->spots.at[i];
                if (s->at.x > r.x0 && s->at.x < r.x1 && s->at.y > r.y0 && s->at.y < r.y1)
                    cost += s->edge == edge ? 1 : 5;
            }
        }
    return cost;
}

static Rect widened(const Item *i, double by)
{
    return (Rect){i->x - by, i->y - by, i->x + i->w + by, i->y + i->h + by};
}

static void block_badge(Field *f, Point at)
{
    block(f, (Rect){at.x - 8, at.y - 8, at.x + 8, at.y + 8});
}

static void block_item(Field *f, const Item *i, SceneRole role, SceneMark mark)
{
    Rect r = widened(i, 1.5);
    if (role == ROLE_SEQUENCE)
        r.x1 += 3.5, r.y1 += 3.5;
    block(f, r);
    if (mark != MARK_NONE)
        block_badge(f, (Point){i->x + 1, i->y + 1});
}

/* Its tab is in the way; its frame is only unwelcome. */
static void block_box(Field *f, const Item *i, const SceneBox *b)
{
    double w = tab_width(b, &i->text), more = block_row_width(&i->text, true);
    bool last = i->tab_x > 1 && i->tab_x + w > i->w - 1;
    double x0 = i->x + i->tab_x - (last && more > 0 ? more + 10 : 0),
           x1 = i->x + i->tab_x + w + (!last && more > 0 ? more + 10 : 0);
    block(f, (Rect){x0 - 1, i->y - 1, x1 + 1, i->y + TAB_HEIGHT + 1});
    Track t = {0};
    vec_push(&t.at, ((Point){i->x, i->y}));
    walk_to(&t, (Point){i->x + i->w, i->y});
    walk_to(&t, (Point){i->x + i->w, i->y + i->h});
    walk_to(&t, (Point){i->x, i->y + i->h});
    walk_to(&t, (Point){i->x, i->y});
    lay_track(f, &t, OF_NO_EDGE);
    vec_free(&t.at);
}

static void stretch(Rect *r, double x, double y)
{
    r->x0 = fmin(r->x0, x), r->y0 = fmin(r->y0, y);
    r->x1 = fmax(r->x1, x), r->y1 = fmax(r->y1, y);
}

static Field field_new(Picture *p, const Track *tracks)
{
    const Scene *s = p->scene;
    Field f = {.p = p, .all = {0, 0, 1, 1}};
    for (size_t i = 0; i < s->nodes.len + s->boxes.len; i++) {
        const Item *item = i < s->nodes.len ? &p->nodes[i] : &p->boxes[i - s->nodes.len];
        if (item->drawn) {
            stretch(&f.all, item->x, item->y);
            stretch(&f.all, item->x + item->w, item->y + item->h);
        }
    }
    double area = (f.all.x1 - f.all.x0) * (f.all.y1 - f.all.y0);
    f.side = fmax(48, sqrt(area / MAX_CELLS));
    f.columns = (int)((f.all.x1 - f.all.x0) / f.side) + 1;
    f.rows = (int)((f.all.y1 - f.all.y0) / f.side) + 1;
    f.cells = xcalloc((size_t)f.columns * (size_t)f.rows, sizeof *f.cells);
    for (size_t i = 0; i < s->nodes.len; i++)
        if (p->nodes[i].drawn)
            block_item(&f, &p->nodes[i], s->nodes.at[i].role, s->nodes.at[i].mark);
    for (size_t i = 0; i < s->boxes.len; i++) {
        if (p->boxes[i].drawn && s->boxes.at[i].closed)
            block_item(&f, &p->boxes[i], ROLE_SEQUENCE, s->boxes.at[i].mark);
        else if (p->boxes[i].drawn)
            block_box(&f, &p->boxes[i], &s->boxes.at[i]);
    }
    for (size_t i = 0; i < s->edges.len; i++)
        lay_track(&f, &tracks[i], (int)i);
    return f;
}

static void field_free(Field *f)
{
    for (int i = 0; i < f->columns * f->rows; i++) {
        vec_free(&f->cells[i].rects);
        vec_free(&f->cells[i].spots);
    }
    free(f->cells);
}

/* ---- places ---- */

typedef struct {
    Point at;
    double cost;
    bool found;
} Best;

static Rect rect_of(const Small *s, Point at)
{
    double h = s->mono ? 7 : 6;
    return (Rect){at.x - s->w / 2 - 1, at.y - h, at.x + s->w / 2 + 1, at.y + h};
}

static void consider(const Field *f, const Small *s, Point at, int edge, double extra, Best *best)
{
    if (best->found && extra >= best->cost)
        return;
    double cost = price(f, rect_of(s, at), edge);
    if (cost >= 0 && (!best->found || cost + extra < best->cost))
        *best = (Best){at, cost + extra, true};
}

/* Beside the line at point i of its track, on both sides, and on it. */
static void consider_at(const Field *f, const Small *s, const Track *t, size_t i, int edge,
                        double extra, bool on_line, Best *best)
{
    Point a = t->at.at[i > 0 ? i - 1 : 0], z = t->at.at[i + 1 < t->at.len ? i + 1 : i],
          q = t->at.at[i];
    double dx = z.x - a.x, dy = z.y - a.y, len = fmax(hypot(dx, dy), 0.01);
    double nx = fabs(dy) / len, ny = (dy > 0 ? -1 : 1) * dx / len; /* to the right */
    double off = fabs(nx) * s->w / 2 + fabs(ny) * 6 + 4;
    for (int ring = 0; ring < 3; ring++) {
        double far = off + 9 * ring, more = extra + 6 * ring;
        consider(f, s, (Point){q.x + nx * far, q.y + ny * far}, edge, more, best);
        consider(f, s, (Point){q.x - nx * far, q.y - ny * far}, edge, more + 0.5, best);
    }
    if (on_line)
        consider(f, s, q, edge, extra + 4, best);
}

static void take(Field *f, Small *s, const Best *best)
{
    s->shown = best->found;
    if (!best->found)
        return;
    s->at = best->at;
    block(f, rect_of(s, best->at));
}

/* Texts at the ends of edges, so far. */
typedef struct {
    const char *text;
    Point end;
} Told;
typedef VEC(Told) Tolds;

/* Two edges that meet in a point say it once. */
static bool is_told(Tolds *all, const char *text, Point end)
{
    for (size_t i = 0; i < all->len; i++)
        if (hypot(all->at[i].end.x - end.x, all->at[i].end.y - end.y) < 6 &&
            strcmp(all->at[i].text, text) == 0)
            return true;
    vec_push(all, ((Told){text, end}));
    return false;
}

static void place_end(Field *f, Small *s, const Track *t, int edge, bool head, Tolds *told)
{
    static const double far[] = {8, 13, 19, 26, 34, 44, 58, 75, 95};
    size_t n = t->at.len;
    if (!s->text || n < 2 || is_told(told, s->text, t->at.at[head ? n - 1 : 0]))
        return;
    Best best = {0};
    double gone = 0;
    size_t k = 0;
    for (size_t i = 1; i < n && k < COUNT_OF(far); i++) {
        Point a = t->at.at[head ? n - i : i - 1], z = t->at.at[head ? n - i - 1 : i];
        gone += hypot(a.x - z.x, a.y - z.y);
        if (gone < far[k])
            continue;
        while (k < COUNT_OF(far) && far[k] <= gone)
            k++;
        consider_at(f, s, t, head ? n - i - 1 : i, edge, gone * 0.25, false, &best);
    }
    take(f, s, &best);
}

static void place_middle(Field *f, Small *s, const Track *t, int edge)
{
    static const double shares[] = {0.5,  0.42, 0.58, 0.34, 0.66, 0.26, 0.74,
                                    0.18, 0.82, 0.12, 0.88, 0.06, 0.94};
    Best best = {0};
    for (size_t k = 0; s->text && t->at.len > 1 && k < COUNT_OF(shares); k++)
        consider_at(f, s, t, (size_t)(shares[k] * (double)(t->at.len - 1)), edge,
                    24 * fabs(shares[k] - 0.5), true, &best);
    take(f, s, &best);
}

/* ---- badges ---- */

/* Then the end has the badge, which says enough. */
static bool end_is_marked(const Picture *p, size_t k, SceneMark m)
{
    const Scene *s = p->scene;
    int ends[2] = {p->from[k], p->to[k]};
    for (int i = 0; i < 2; i++)
        if ((ends[i] > 0 && scene_node_at(s, ends[i])->mark == m) ||
            (ends[i] < 0 && scene_box_at(s, -ends[i])->mark == m))
            return true;
    return false;
}

static void place_badge(Field *f, size_t k, const Track *t)
{
    static const double shares[] = {0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82};
    Route *r = &f->p->edges[k];
    SceneMark m = f->p->scene->edges.at[k].mark;
    if (m == MARK_NONE || t->at.len < 2 || end_is_marked(f->p, k, m))
        return;
    Small s = {.w = 14, .mono = true};
    Best best = {0};
    for (size_t i = 0; i < COUNT_OF(shares) && !best.found; i++)
        consider(f, &s, t->at.at[(size_t)(shares[i] * (double)(t->at.len - 1))], (int)k, 0, &best);
    r->has_badge = true; /* a mark is never left out */
    r->badge = best.found ? best.at : t->at.at[t->at.len / 2];
    block_badge(f, r->badge);
}

void labels_place(Picture *p)
{
    size_t n = p->scene->edges.len;
    Track *tracks = xcalloc(n + 1, sizeof *tracks);
    for (size_t k = 0; k < n; k++)
        if (p->edges[k].drawn)
            tracks[k] = track_of(&p->edges[k]);
    Field f = field_new(p, tracks);
    Tolds told = {0};
    for (size_t k = 0; k < n; k++)
        if (p->edges[k].drawn)
            place_badge(&f, k, &tracks[k]);
    for (size_t k = 0; k < n; k++) {
        Route *r = &p->edges[k];
        if (!r->drawn)
            continue;
        place_end(&f, &r->head, &tracks[k], (int)k, true, &told);
        place_end(&f, &r->tail, &tracks[k], (int)k, false, &told);
    }
    for (size_t k = 0; k < n; k++)
        if (p->edges[k].drawn)
            place_middle(&f, &p->edges[k].label, &tracks[k], (int)k);
    for (size_t k = 0; k < n; k++)
        vec_free(&tracks[k].at);
    free(tracks);
    vec_free(&told);
    field_free(&f);
}
