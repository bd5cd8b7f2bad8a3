/* Rows: every edge leads downwards, but for those that have to be turned to have no circles; what
 * could stand in several rows stands near those it has more to do with.
 *
 * Invariant: pieces lead from a row to the next one. */
#include "viz/page/lay_grid.h"

enum { BALANCE_SWEEPS = 4, MOST_BENDS = 30000, FREE_SPAN = 24 };

/* ---- circles ---- */

typedef struct {
    int *in, *out; /* weights of links that are left */
    bool *gone;
    IntVec ready; /* cells to take next: sinks and sources */
} Peel;

static void links_of(const Grid *g, int **start, int **list)
{
    int n = (int)g->cells.len;
    *start = xcalloc((size_t)n + 2, sizeof **start);
    *list = xcalloc(2 * g->links.len + 1, sizeof **list);
    for (size_t i = 0; i < g->links.len; i++)
        if (!is_side(g, &g->links.at[i])) {
            (*start)[g->links.at[i].from + 1]++;
            (*start)[g->links.at[i].to + 1]++;
        }
    for (int c = 0; c < n; c++)
        (*start)[c + 1] += (*start)[c];
    int *next = xmalloc(((size_t)n + 1) * sizeof *next);
    memcpy(next, *start, ((size_t)n + 1) * sizeof *next);
    for (size_t i = 0; i < g->links.len; i++)
        if (!is_side(g, &g->links.at[i])) {
            (*list)[next[g->links.at[i].from]++] = (int)i;
            (*list)[next[g->links.at[i].to]++] = (int)i;
        }
    free(next);
}

static void take_away(const Grid *g, Peel *p, int c, const int *start, const int *list)
{
    p->gone[c] = true;
    for (int k = start[c]; k < start[c + 1]; k++) {
        const Link *l = &g->links.at[list[k]];
        int other = l->from == c ? l->to : l->from;
        if (l->turned || p->gone[other])
            continue;
        int *left = l->from == c ? &p->in[other] : &p->out[other];
        *left -= l->weight;
        if (*left == 0)
            vec_push(&p->ready, other);
    }
}

/* The cell that most weight leaves and least enters. */
static int best_start(const Grid *g, const Peel *p)
{
    int best = -1;
    for (int c = 0; c < (int)g->cells.len; c++)
        if (!p->gone[c] && (best < 0 || p->out[c] - p->in[c] > p->out[best] - p->in[best]))
            best = c;
    return best;
}

/* An order of the cells in which few links lead back (after Eades, Lin and Smyth): place by cell.
 */
static int *peeled(const Grid *g, const int *start, const int *list)
{
    int n = (int)g->cells.len, first = 0, last = n - 1;
    int *place = xcalloc((size_t)n + 1, sizeof *place);
    Peel p = {.in = xcalloc((size_t)n + 1, sizeof(int)),
              .out = xcalloc((size_t)n + 1, sizeof(int)),
              .gone = xcalloc((size_t)n + 1, sizeof(bool))};
    for (size_t i = 0; i < g->links.len; i++) {
        const Link *l = &g->links.at[i];
        if (l->turned || is_side(g, l))
            continue;
        p.out[l->from] += l->weight;
        p.in[l->to] += l->weight;
    }
    for (int c = 0; c < n; c++)
        if (!p.in[c] || !p.out[c])
            vec_push(&p.ready, c);
    for (size_t next = 0; first <= last;) {
        int c = next < p.ready.len ? p.ready.at[next++] : best_start(g, &p);
        if (p.gone[c])
            continue;
        place[c] = p.in[c] && !p.out[c] ? last-- : first++;
        take_away(g, &p, c, start, list);
    }
    free(p.in);
    free(p.out);
    free(p.gone);
    vec_free(&p.ready);
    return place;
}

/* Turns what would make a circle; the order from above. */
static int *make_acyclic(Grid *g, const int *start, const int *list)
{
    int n = (int)g->cells.len;
    for (size_t i = 0; i < g->links.len; i++) {
        Link *l = &g->links.at[i];
        Pin from = g->cells.at[l->from].pin, to = g->cells.at[l->to].pin;
        l->turned = (to == PIN_HEAD && from != PIN_TOP) || to == PIN_TOP || from == PIN_BOTTOM;
    }
    int *place = peeled(g, start, list);
    int *order = xcalloc((size_t)n + 1, sizeof *order);
    for (int c = 0; c < n; c++)
        order[place[c]] = c;
    for (size_t i = 0; i < g->links.len; i++) {
        Link *l = &g->links.at[i];
        if (!l->turned && !is_side(g, l))
            l->turned = place[l->from] > place[l->to];
    }
    free(place);
    return order;
}

/* ---- rows ---- */

/* The rows in which a cell may stand, and the weight that pulls it up and down. */
typedef struct {
    int low, high, above, below;
} Room;

static Room room_of(const Grid *g, int c, const int *start, const int *list)
{
    Room r = {.low = 1, .high = INT32_MAX};
    for (int k = start[c]; k < start[c + 1]; k++) {
        const Link *l = &g->links.at[list[k]];
        int up = link_up(l), down = link_down(l);
        if (up == down)
            continue;
        if (down == c) {
            int row = g->cells.at[up].row + 1;
            r.low = row > r.low ? row : r.low;
            r.above += l->weight;
        } else if (g->cells.at[down].pin != PIN_BOTTOM) {
            int row = g->cells.at[down].row - 1;
            r.high = row < r.high ? row : r.high;
            r.below += l->weight;
        }
    }
    return r;
}

static int last_row(const Grid *g)
{
    int last = 1;
    for (size_t c = 0; c < g->cells.len; c++)
        if (g->cells.at[c].pin != PIN_BOTTOM && g->cells.at[c].row > last)
            last = g->cells.at[c].row;
    return last;
}

static void balance(Grid *g, const int *order, const int *start, const int *list)
{
    int n = (int)g->cells.len;
    for (int sweep = 0; sweep < BALANCE_SWEEPS; sweep++)
        for (int i = 0; i < n; i++) {
            int c = order[sweep % 2 ? i : n - 1 - i];
            Cell *cell = &g->cells.at[c];
            if (cell->pin != PIN_NONE && cell->pin != PIN_FOOT)
                continue;
            Room r = room_of(g, c, start, list);
            if (r.below > r.above && r.high != INT32_MAX && r.high >= r.low)
                cell->row = r.high;
            else if (r.above || r.below)
                cell->row = r.low;
        }
}

static void assign_rows(Grid *g, const int *order, const int *start, const int *list)
{
    int n = (int)g->cells.len;
    for (int i = 0; i < n; i++) {
        Cell *c = &g->cells.at[order[i]];
        c->row = 0;
    }
    for (int i = 0; i < n; i++) {
        Cell *c = &g->cells.at[order[i]];
        c->row = c->pin == PIN_TOP    ? 0
                 : c->pin == PIN_HEAD ? 1
                                      : room_of(g, order[i], start, list).low;
    }
    balance(g, order, start, list);
    int last = last_row(g);
    for (int c = 0; c < n; c++) {
        Cell *cell = &g->cells.at[c];
        if (cell->pin == PIN_FOOT && room_of(g, c, start, list).high == INT32_MAX)
            cell->row = last;
        if (cell->pin == PIN_BOTTOM)
            cell->row = last + 1;
    }
    g->rows = last + 2;
}

/* ---- bends ---- */

static void add_piece(Grid *g, int up, int down, int link, int weight)
{
    vec_push(&g->pieces, ((Piece){.up = up, .down = down, .link = link, .weight = weight}));
}

/* Of square ways: the bend in a row of another link that brings the same value, or -1. */
static int shared_bend(const Grid *g, int k, int row)
{
    const Link *l = &g->links.at[k];
    for (size_t j = 0; g->square && !l->turned && j < g->links.len; j++) {
        const Link *o = &g->links.at[j];
        int at = row - g->cells.at[o->from].row - 1;
        if (o->from == l->from && o->from_port == l->from_port && !o->turned && !o->flat &&
            at < o->bends)
            return o->bend + at;
    }
    return -1;
}

/* Where a way is at a height; -1: nowhere. */
static double way_at(const Places *way, double y)
{
    for (size_t k = 0; k + 7 < way->len; k += 6) {
        const int *a = way->at + k, *b = a + 6;
        if (a[1] != b[1] && (y - a[1]) * (y - b[1]) <= 0)
            return a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]);
    }
    return -1;
}

/* The bend of a link in a row would best be where the way of its edge was. */
static int bend_wish(const Link *l, const double *heights, int row)
{
    double x = l->was && heights[row] > 0 ? way_at(l->was, heights[row]) : -1;
    return x < 0 ? 0 : (int)x + 1;
}

/* At which height the rows were, by the cells in them that were somewhere; between two such rows,
 * as far from both. 0: not known. */
static double *heights_were(const Grid *g)
{
    double *y = xcalloc((size_t)g->rows + 2, sizeof *y);
    int *n = xcalloc((size_t)g->rows + 2, sizeof *n), last = -1;
    for (size_t c = 0; c < g->cells.len; c++)
        if (g->cells.at[c].wish_y && !g->cells.at[c].side) {
            y[g->cells.at[c].row] += g->cells.at[c].wish_y;
            n[g->cells.at[c].row]++;
        }
    for (int r = 0; r < g->rows; r++) {
        if (!n[r])
            continue;
        y[r] /= n[r];
        for (int k = last + 1; last >= 0 && k < r; k++)
            y[k] = y[last] + (y[r] - y[last]) * (k - last) / (r - last);
        last = r;
    }
    free(n);
    return y;
}

static void split(Grid *g, int k, const double *heights)
{
    enum { STRAIGHT = 8, HALF = 3 }; /* how much an edge wants to be straight between its ends */
    Link *l = &g->links.at[k];
    int up = link_up(l), down = link_down(l);
    int from = g->cells.at[up].row, span = g->cells.at[down].row - from;
    l->flat = span <= 0 || is_side(g, l);
    if (l->flat || (span > FREE_SPAN && g->cells.len > MOST_BENDS))
        return;
    int last = up, bend = (int)g->cells.len;
    for (int i = 1; i < span; i++) {
        int shared = shared_bend(g, k, from + i), c = shared >= 0 ? shared : (int)g->cells.len;
        if (shared < 0) {
            int wish = g->quick ? bend_wish(l, heights, from + i) : 0;
            vec_push(&g->cells, ((Cell){.bend = true, .row = from + i, .wish = wish}));
            add_piece(g, last, c, k, i == 1 ? HALF * l->weight : STRAIGHT * l->weight);
        }
        last = c;
    }
    l->bend = bend;
    l->bends = (int)g->cells.len - bend;
    add_piece(g, last, down, k, span == 1 ? l->weight : HALF * l->weight);
}

static int span_of(const Grid *g, const Link *l)
{
    return g->cells.at[link_down(l)].row - g->cells.at[link_up(l)].row;
}

/* Square ways of one value share their bends: the longest first. */
static void split_all(Grid *g)
{
    int longest = 0;
    double *heights = heights_were(g);
    for (size_t k = 0; k < g->links.len; k++) {
        int span = span_of(g, &g->links.at[k]);
        longest = span > longest ? span : longest;
    }
    for (int span = g->square ? longest : -1; span >= 0; span--)
        for (size_t k = 0; k < g->links.len; k++)
            if (span_of(g, &g->links.at[k]) == span)
                split(g, (int)k, heights);
    for (size_t k = 0; k < g->links.len && !g->square; k++)
        split(g, (int)k, heights);
    free(heights);
}

static void index_pieces(Grid *g)
{
    size_t n = g->cells.len, m = g->pieces.len;
    g->up_start = xcalloc(n + 2, sizeof(int));
    g->down_start = xcalloc(n + 2, sizeof(int));
    g->ups = xcalloc(m + 1, sizeof(int));
    g->downs = xcalloc(m + 1, sizeof(int));
    for (size_t i = 0; i < m; i++) {
        g->up_start[g->pieces.at[i].down + 2]++;
        g->down_start[g->pieces.at[i].up + 2]++;
    }
    for (size_t c = 2; c < n + 2; c++) {
        g->up_start[c] += g->up_start[c - 1];
        g->down_start[c] += g->down_start[c - 1];
    }
    for (size_t i = 0; i < m; i++) {
        g->ups[g->up_start[g->pieces.at[i].down + 1]++] = (int)i;
        g->downs[g->down_start[g->pieces.at[i].up + 1]++] = (int)i;
    }
}

/* What is tied to nothing but what stands at the side stands there, too. */
static void find_companions(Grid *g)
{
    size_t n = g->cells.len;
    bool *tied = xcalloc(n + 1, sizeof *tied), *other = xcalloc(n + 1, sizeof *other);
    for (size_t i = 0; i < g->links.len; i++) {
        const Link *l = &g->links.at[i];
        tied[l->to] = tied[l->to] || g->cells.at[l->from].side;
        other[l->from] = true;
        other[l->to] = other[l->to] || !g->cells.at[l->from].side;
    }
    for (size_t c = 0; c < n; c++)
        if (!g->cells.at[c].side && tied[c] && !other[c])
            g->cells.at[c].side = BELOW_ASIDE;
    free(tied);
    free(other);
}

void grid_rank(Grid *g)
{
    int *start, *list;
    find_companions(g);
    links_of(g, &start, &list);
    int *order = make_acyclic(g, start, list);
    assign_rows(g, order, start, list);
    free(order);
    free(start);
    free(list);
    split_all(g);
    index_pieces(g);
}

void grid_free(Grid *g)
{
    for (int r = 0; g->row && r < g->rows; r++)
        vec_free(&g->row[r]);
    free(g->row);
    free(g->ups);
    free(g->downs);
    free(g->up_start);
    free(g->down_start);
    free(g->row_y);
    free(g->row_h);
    vec_free(&g->cells);
    vec_free(&g->links);
    vec_free(&g->pieces);
}
