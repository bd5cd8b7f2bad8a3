/* Coordinates: each row as near as its order allows to the middles of what its cells are tied to,
 * above and below by turns (least squares under the order: neighbours that would overlap are taken
 * as one, the pool-adjacent-violators way); then edges over several rows are made straight where
 * there is room.
 *
 * Invariant: cells of a row stand in its order and at least `apart` from each other. */
#include "viz/page/lay_grid.h"

#include <math.h>

enum { TURNS = 14, BOTH_TURNS = 4, ROUNDS = 8, QUICK_ROUNDS = 3 };
enum { ROW_GAP = 24, PORT_ROW_GAP = 12, SLANT_GAP = 30, SLANT = 9, TALL = 150, SIDE_GAP = 70 };

/* ---- across ---- */

static double apart(const Grid *g, const Cell *a, const Cell *b)
{
    const LayMetric *m = g->metric;
    bool thin_a = a->w == 0, thin_b = b->w == 0;
    double gap = thin_a && thin_b ? m->bend_gap : thin_a || thin_b ? m->mixed_gap : m->node_gap;
    if (a->pin == PIN_TOP || a->pin == PIN_BOTTOM)
        gap = m->port_gap;
    return (a->w + b->w) / 2.0 + gap;
}

/* A run of cells that touch: the first of them wants to stand at sum / weight. */
typedef struct {
    double sum, weight;
    int count;
} Run;

typedef struct {
    double x, weight;
} Pull;

static Pull pull_of(const Grid *g, int c, bool above, bool below)
{
    Pull p = {0};
    for (int k = g->up_start[c]; above && k < g->up_start[c + 1]; k++) {
        const Piece *e = &g->pieces.at[g->ups[k]];
        p.x += e->weight * (g->cells.at[e->up].x + piece_up_dx(g, e) - piece_down_dx(g, e));
        p.weight += e->weight;
    }
    for (int k = g->down_start[c]; below && k < g->down_start[c + 1]; k++) {
        const Piece *e = &g->pieces.at[g->downs[k]];
        p.x += e->weight * (g->cells.at[e->down].x + piece_down_dx(g, e) - piece_up_dx(g, e));
        p.weight += e->weight;
    }
    return p.weight > 0 ? (Pull){p.x / p.weight, p.weight} : (Pull){g->cells.at[c].x, 0.05};
}

static void place_row(Grid *g, int r, bool above, bool below, Run *runs)
{
    const IntVec *row = &g->row[r];
    double shift = 0; /* of this cell against the first, when all touch */
    int n = 0;
    for (size_t i = 0; i < row->len; i++) {
        const Cell *c = &g->cells.at[row->at[i]];
        if (i)
            shift += apart(g, &g->cells.at[row->at[i - 1]], c);
        Pull p = pull_of(g, row->at[i], above, below);
        runs[n++] = (Run){(p.x - shift) * p.weight, p.weight, 1};
        while (n > 1 &&
               runs[n - 2].sum / runs[n - 2].weight >= runs[n - 1].sum / runs[n - 1].weight) {
            runs[n - 2].sum += runs[n - 1].sum;
            runs[n - 2].weight += runs[n - 1].weight;
            runs[n - 2].count += runs[n - 1].count;
            n--;
        }
    }
    shift = 0;
    size_t i = 0;
    for (int k = 0; k < n; k++)
        for (int left = runs[k].count; left > 0; left--, i++) {
            if (i)
                shift += apart(g, &g->cells.at[row->at[i - 1]], &g->cells.at[row->at[i]]);
            g->cells.at[row->at[i]].x = runs[k].sum / runs[k].weight + shift;
        }
}

static void pack_row(Grid *g, int r)
{
    const IntVec *row = &g->row[r];
    double x = 0;
    for (size_t i = 0; i < row->len; i++) {
        if (i)
            x += apart(g, &g->cells.at[row->at[i - 1]], &g->cells.at[row->at[i]]);
        g->cells.at[row->at[i]].x = x;
    }
    for (size_t i = 0; i < row->len; i++)
        g->cells.at[row->at[i]].x -= x / 2;
}

/* Where a cell may stand between its neighbours. */
static void free_room(const Grid *g, int c, double *low, double *high)
{
    const Cell *cell = &g->cells.at[c];
    const IntVec *row = &g->row[cell->row];
    const Cell *left = cell->at ? &g->cells.at[row->at[cell->at - 1]] : NULL;
    const Cell *right =
        (size_t)cell->at + 1 < row->len ? &g->cells.at[row->at[cell->at + 1]] : NULL;
    double a = left ? left->x + apart(g, left, cell) : -1e9;
    double b = right ? right->x - apart(g, cell, right) : 1e9;
    *low = fmax(*low, a);
    *high = fmin(*high, b);
}

/* The bends of a link stand in as few lines as there is room for, the first at its upper end. */
static void straighten(Grid *g, const Link *l)
{
    double up = g->cells.at[link_up(l)].x + link_up_dx(l);
    double down = g->cells.at[link_down(l)].x + link_down_dx(l);
    for (int i = 0; i < l->bends;) {
        double low = -1e9, high = 1e9;
        int j = i;
        for (; j < l->bends; j++) {
            double a = low, b = high;
            free_room(g, l->bend + j, &a, &b);
            if (a > b)
                break;
            low = a;
            high = b;
        }
        double mean = 0;
        for (int k = i; k < j; k++)
            mean += g->cells.at[l->bend + k].x / (j - i);
        double x = down >= low && down <= high && j == l->bends ? down
                   : up >= low && up <= high                    ? up
                                                                : fmin(fmax(mean, low), high);
        for (int k = i; k < j; k++)
            g->cells.at[l->bend + k].x = x;
        up = x;
        i = j > i ? j : i + 1;
    }
}

/* Where the bends of a link are on the average. */
static double middle_of(const Grid *g, const Link *l)
{
    double sum = 0;
    for (int i = 0; i < l->bends; i++)
        sum += g->cells.at[l->bend + i].x;
    return l->bends ? sum / l->bends : 0;
}

typedef struct {
    double x;
    size_t link;
} Standing;

static int compare_standing(const void *a, const void *b)
{
    const Standing *x = a, *y = b;
    return x->x != y->x ? (x->x > y->x) - (x->x < y->x) : (x->link > y->link) - (x->link < y->link);
}

/* From the right and from the left by turns, so that in a bundle the outermost makes room for those
 * beside it. */
static void straighten_all(Grid *g)
{
    Standing *at = xmalloc((g->links.len + 1) * sizeof *at);
    for (int round = 0; round < (g->stands ? QUICK_ROUNDS : ROUNDS); round++) {
        size_t n = 0;
        for (size_t k = 0; k < g->links.len; k++)
            if (g->links.at[k].bends)
                at[n++] = (Standing){middle_of(g, &g->links.at[k]), k};
        qsort(at, n, sizeof *at, compare_standing);
        for (size_t k = 0; k < n; k++)
            straighten(g, &g->links.at[at[round % 2 ? k : n - 1 - k].link]);
    }
    free(at);
}

/* How far a cell reaches from its middle, which in letters takes a column. */
static double half(const Grid *g, const Cell *c, bool right)
{
    return !g->square ? c->w / 2.0 : right ? c->w / 2 + 1 : c->w / 2;
}

static void place_across(Grid *g)
{
    Run *runs = xmalloc((g->cells.len + 1) * sizeof *runs);
    int first = g->stands ? TURNS - BOTH_TURNS : 0;
    for (int r = 0; r < g->rows && !g->stands; r++)
        pack_row(g, r);
    for (int turn = first; turn < TURNS; turn++) {
        bool both = turn >= TURNS - BOTH_TURNS, down = turn % 2 == 0;
        for (int i = 0; i < g->rows; i++)
            place_row(g, down ? i : g->rows - 1 - i, both || down, both || !down, runs);
    }
    free(runs);
    straighten_all(g);
    double least = 1e9, most = -1e9;
    for (size_t c = 0; c < g->cells.len; c++) {
        const Cell *cell = &g->cells.at[c];
        if (cell->side)
            continue;
        least = fmin(least, cell->x - half(g, cell, false));
        most = fmax(most, cell->x + half(g, cell, true));
    }
    for (size_t c = 0; c < g->cells.len; c++)
        g->cells.at[c].x = floor(g->cells.at[c].x - least + 0.5);
    g->width = most > least ? (int)ceil(most - least) : 0;
    if (g->square)
        grid_enter(g);
}

/* ---- down ---- */

/* The room below a row: more where edges run far to the side. */
static int gap_below(Grid *g, int r)
{
    if (g->square) {
        int tracks = grid_tracks(g, r);
        return tracks ? tracks : g->row_h[r] && g->row_h[r + 1];
    }
    double far = 0;
    for (size_t i = 0; i < g->row[r].len; i++) {
        int c = g->row[r].at[i];
        for (int k = g->down_start[c]; k < g->down_start[c + 1]; k++) {
            const Piece *p = &g->pieces.at[g->downs[k]];
            far = fmax(far, fabs(g->cells.at[p->up].x + piece_up_dx(g, p) - g->cells.at[p->down].x -
                                 piece_down_dx(g, p)));
        }
    }
    int least = g->row_h[r] && g->row_h[r + 1] ? ROW_GAP : PORT_ROW_GAP;
    return least + (int)fmin(far / SLANT, SLANT_GAP);
}

static void place_down(Grid *g)
{
    int y = 0;
    g->row_y = xcalloc((size_t)g->rows + 1, sizeof(int));
    g->row_h = xcalloc((size_t)g->rows + 1, sizeof(int));
    for (size_t c = 0; c < g->cells.len; c++) {
        Cell *cell = &g->cells.at[c];
        if (cell->side)
            continue;
        g->row_h[cell->row] = cell->h > g->row_h[cell->row] ? cell->h : g->row_h[cell->row];
    }
    for (int r = 0; r < g->rows; r++) {
        g->row_y[r] = y;
        y += g->row_h[r];
        g->height = y;
        if (r + 1 < g->rows && g->row[r].len)
            y += gap_below(g, r);
    }
    for (size_t c = 0; c < g->cells.len; c++) {
        Cell *cell = &g->cells.at[c];
        int room = g->row_h[cell->row];
        cell->y = g->row_y[cell->row] + (g->square || room > TALL ? 0 : (room - cell->h) / 2);
    }
}

/* ---- at the side ---- */

/* One below the other; what comes from them in a line below all. */
static void place_aside(Grid *g)
{
    int left = g->width + SIDE_GAP, x = left, y = 0, line = 0;
    for (size_t c = 0; c < g->cells.len; c++) {
        Cell *cell = &g->cells.at[c];
        if (cell->side != ASIDE)
            continue;
        cell->x = left + cell->w / 2;
        cell->y = y + SIDE_GAP;
        y = cell->y + cell->h;
        g->width = left + cell->w > g->width ? left + cell->w : g->width;
    }
    for (size_t c = 0; c < g->cells.len; c++) {
        Cell *cell = &g->cells.at[c];
        if (cell->side != BELOW_ASIDE)
            continue;
        cell->x = x + cell->w / 2;
        cell->y = y + SIDE_GAP;
        x += cell->w + g->metric->node_gap;
        line = cell->h + SIDE_GAP > line ? cell->h + SIDE_GAP : line;
        g->width = x - g->metric->node_gap > g->width ? x - g->metric->node_gap : g->width;
    }
    g->height = y + line > g->height ? y + line : g->height;
}

void grid_place(Grid *g)
{
    place_across(g);
    place_down(g);
    place_aside(g);
}
