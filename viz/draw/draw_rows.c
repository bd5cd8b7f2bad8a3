/* A layout without Graphviz, for what dot cannot do or not in time: rows by
 * longest path, inner graphs first and then taken as one block, straight edges.
 *
 * Invariant: it always ends, in time about linear in nodes and edges, and blocks
 * never overlap. Cycles among blocks are cut at the block that was added first. */
#include "viz/draw/picture.h"

#include <math.h>

/* A node or box among those that stand directly in one box. */
typedef struct {
    int rank, waiting;
    double w, h, x, y; /* along the row and across; x, y relative to the box */
    double pull;       /* mean place of what it comes from */
} Unit;

typedef VEC(int) IntVec;

typedef struct {
    Picture *p;
    bool sideways;
    Unit *units; /* node k at k - 1, box k at nodes + k - 1 */
    size_t nodes;
    IntVec *members;      /* units by box number; 0 the outermost */
    IntVec *edges;        /* edge numbers by the innermost box that holds both ends */
    int *source, *target; /* by edge: the units in that box that it joins */
} Rows;

static const double gap = 24, row_gap = 44, pad = 18, widest = 1800, tab_h = TAB_HEIGHT + 6;

static int unit_of(const Rows *r, int code)
{
    return code > 0 ? code - 1 : (int)r->nodes - code - 1;
}

static int depth_of(const Scene *s, int code)
{
    int d = 0;
    for (int b = home_of_code(s, code); b; b = scene_box_at(s, b)->parent)
        d++;
    return d;
}

/* Files edge k under the innermost box with both ends. */
static void file_edge(Rows *r, int k)
{
    const Scene *s = r->p->scene;
    int a = r->p->from[k - 1], b = r->p->to[k - 1];
    SceneEdgeKind kind = scene_edge_at(s, k)->kind;
    if (!r->p->edges[k - 1].drawn || a == 0 || b == 0 || kind == EDGE_LOOPBACK ||
        kind == EDGE_ADJOINT)
        return;
    int da = depth_of(s, a), db = depth_of(s, b);
    while (home_of_code(s, a) != home_of_code(s, b)) {
        if (da >= db) {
            a = -home_of_code(s, a);
            da--;
        } else {
            b = -home_of_code(s, b);
            db--;
        }
    }
    if (a == b)
        return;
    r->source[k - 1] = unit_of(r, a);
    r->target[k - 1] = unit_of(r, b);
    vec_push(&r->edges[home_of_code(s, a)], k);
}

/* ---- one box ---- */

/* Successors of each member as lists of edges: first by unit, next by edge. */
static void rank_members(Rows *r, int box, int *first, int *next)
{
    IntVec *m = &r->members[box], *e = &r->edges[box];
    for (size_t i = e->len; i-- > 0;) {
        int k = e->at[i];
        next[k - 1] = first[r->source[k - 1]];
        first[r->source[k - 1]] = k;
        r->units[r->target[k - 1]].waiting++;
    }
    IntVec ready = {0};
    size_t seen = 0, oldest = 0;
    for (size_t i = 0; i < m->len; i++)
        if (r->units[m->at[i]].waiting == 0)
            vec_push(&ready, m->at[i]);
    while (seen < ready.len || oldest < m->len) {
        if (seen == ready.len) { /* a cycle: go on with the oldest that waits */
            Unit *u = &r->units[m->at[oldest++]];
            if (u->waiting > 0) {
                u->waiting = 0;
                vec_push(&ready, m->at[oldest - 1]);
            }
            continue;
        }
        int at = ready.at[seen++];
        for (int k = first[at]; k; k = next[k - 1]) {
            Unit *t = &r->units[r->target[k - 1]];
            if (t->waiting == 0)
                continue;
            t->rank = t->rank > r->units[at].rank ? t->rank : r->units[at].rank + 1;
            if (--t->waiting == 0)
                vec_push(&ready, r->target[k - 1]);
        }
    }
    vec_free(&ready);
}

typedef struct {
    int unit, rank;
    double pull;
} Place;

static int by_place(const void *a, const void *b)
{
    const Place *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->pull < y->pull || x->pull > y->pull)
        return x->pull < y->pull ? -1 : 1;
    return x->unit < y->unit ? -1 : x->unit > y->unit;
}

/* Puts the units at[0..n) of one rank in rows; returns the y below them. */
static double put_rank(Rows *r, const Place *at, size_t n, double y, double *width)
{
    size_t i = 0;
    while (i < n) {
        double x = 0, tallest = 0;
        size_t start = i;
        for (; i < n && (i == start || x + r->units[at[i].unit].w < widest); i++) {
            Unit *u = &r->units[at[i].unit];
            u->x = x;
            u->y = y;
            x += u->w + gap;
            tallest = fmax(tallest, u->h);
        }
        for (size_t j = start; j < i; j++) {
            r->units[at[j].unit].x -= (x - gap) / 2; /* rows are centred at 0 */
            r->units[at[j].unit].y += (tallest - r->units[at[j].unit].h) / 2;
        }
        *width = fmax(*width, x - gap);
        y += tallest + row_gap;
    }
    return y;
}

/* Positions of all members, centred in x; the size of the box's contents. */
static void place_members(Rows *r, int box, const int *first, const int *next, double *w, double *h)
{
    IntVec *m = &r->members[box];
    Place *at = xcalloc(m->len + 1, sizeof *at);
    for (size_t i = 0; i < m->len; i++)
        at[i] = (Place){m->at[i], r->units[m->at[i]].rank, 0};
    qsort(at, m->len, sizeof *at, by_place);
    double y = 0;
    *w = 0;
    for (size_t i = 0; i < m->len;) {
        size_t j = i;
        for (; j < m->len && at[j].rank == at[i].rank; j++)
            at[j].pull = r->units[at[j].unit].pull;
        qsort(at + i, j - i, sizeof *at, by_place);
        y = put_rank(r, at + i, j - i, y, w);
        for (; i < j; i++) {
            const Unit *u = &r->units[at[i].unit];
            for (int k = first[at[i].unit]; k; k = next[k - 1]) {
                Unit *t = &r->units[r->target[k - 1]];
                t->pull = (t->pull + u->x + u->w / 2) / 2;
            }
        }
    }
    *h = fmax(y - row_gap, 0);
    free(at);
}

static void lay_out_box(Rows *r, int box, int *first, int *next)
{
    double w = 0, h = 0;
    rank_members(r, box, first, next);
    place_members(r, box, first, next, &w, &h);
    if (box == 0)
        return;
    Item *item = &r->p->boxes[box - 1];
    double tab_w = item->w;
    Unit *u = &r->units[unit_of(r, -box)];
    u->w = fmax(w + 2 * pad + (r->sideways ? 2 * tab_h : 0), r->sideways ? 0 : tab_w + 8);
    u->h = fmax(h + 2 * pad + (r->sideways ? 0 : tab_h), r->sideways ? tab_w + 8 : 0);
}

/* ---- the whole ---- */

/* From places relative to each box to places on the page; outer boxes come before inner ones. */
static void place_item(Rows *r, int code)
{
    Unit *u = &r->units[unit_of(r, code)];
    int parent = home_of_code(r->p->scene, code);
    if (parent) {
        const Unit *b = &r->units[unit_of(r, -parent)];
        u->x += b->x + b->w / 2;
        u->y += b->y + pad + (r->sideways ? 0 : tab_h);
    }
    Item *i = code > 0 ? &r->p->nodes[code - 1] : &r->p->boxes[-code - 1];
    bool open = code < 0 && !scene_box_at(r->p->scene, -code)->closed;
    i->x = r->sideways ? u->y : u->x;
    i->y = r->sideways ? u->x : u->y;
    if (open) {
        i->w = r->sideways ? u->h : u->w;
        i->h = r->sideways ? u->w : u->h;
    }
}

static void add_unit(Rows *r, int code, const Item *i)
{
    Unit *u = &r->units[unit_of(r, code)];
    u->w = r->sideways ? i->h : i->w;
    u->h = r->sideways ? i->w : i->h;
    if (i->drawn)
        vec_push(&r->members[home_of_code(r->p->scene, code)], unit_of(r, code));
}

static void run(Rows *r)
{
    const Scene *s = r->p->scene;
    size_t boxes = s->boxes.len, units = r->nodes + boxes;
    int *first = xcalloc(units + 1, sizeof *first), *next = xcalloc(s->edges.len + 1, sizeof *next);
    for (size_t k = 1; k <= r->nodes; k++)
        add_unit(r, (int)k, &r->p->nodes[k - 1]);
    for (size_t k = 1; k <= boxes; k++)
        add_unit(r, -(int)k, &r->p->boxes[k - 1]);
    for (size_t k = 1; k <= s->edges.len; k++)
        file_edge(r, (int)k);
    for (size_t k = boxes; k >= 1; k--)
        if (r->p->boxes[k - 1].drawn && !s->boxes.at[k - 1].closed)
            lay_out_box(r, (int)k, first, next);
    lay_out_box(r, 0, first, next);
    for (size_t k = 1; k <= boxes; k++)
        if (r->p->boxes[k - 1].drawn)
            place_item(r, -(int)k);
    for (size_t k = 1; k <= r->nodes; k++)
        if (r->p->nodes[k - 1].drawn)
            place_item(r, (int)k);
    free(first);
    free(next);
}

void rows_layout(Picture *p)
{
    const Scene *s = p->scene;
    Rows r = {.p = p, .sideways = s->direction == DIR_LR, .nodes = s->nodes.len};
    r.units = xcalloc(s->nodes.len + s->boxes.len + 1, sizeof *r.units);
    r.members = xcalloc(s->boxes.len + 1, sizeof *r.members);
    r.edges = xcalloc(s->boxes.len + 1, sizeof *r.edges);
    r.source = xcalloc(s->edges.len + 1, sizeof *r.source);
    r.target = xcalloc(s->edges.len + 1, sizeof *r.target);
    run(&r);
    for (size_t i = 0; i <= s->boxes.len; i++) {
        vec_free(&r.members[i]);
        vec_free(&r.edges[i]);
    }
    free(r.units);
    free(r.members);
    free(r.edges);
    free(r.source);
    free(r.target);
}
