/* The order within rows: each row by the middles of what its cells are tied to in the row before,
 * down and up by turns; the best order met is kept. Then neighbours change places where that helps.
 *
 * Invariant: row[r] holds each cell of row r once; cell.at is its place there. */
#include "viz/page/lay_grid.h"

#include <math.h>

enum {
    SWEEPS = 16,
    PATIENCE = 5,
    WISHED_PATIENCE = 2,
    SWAP_ROUNDS = 6,
    SWAP_WORK = 4000000,
    BOTH_MOST = 1500
};

double piece_up_dx(const Grid *g, const Piece *p)
{
    return g->cells.at[p->up].bend ? 0 : link_up_dx(&g->links.at[p->link]);
}

double piece_down_dx(const Grid *g, const Piece *p)
{
    return g->cells.at[p->down].bend ? 0 : link_down_dx(&g->links.at[p->link]);
}

/* Sweeps read these so often that they are not computed again each time. */
static double in_widths(const Cell *c, double dx) { return c->w ? dx / (c->w + 1) : 0; }

static void fix_pieces(Grid *g)
{
    for (size_t k = 0; k < g->pieces.len; k++) {
        Piece *p = &g->pieces.at[k];
        p->up_off = in_widths(&g->cells.at[p->up], piece_up_dx(g, p));
        p->down_off = in_widths(&g->cells.at[p->down], piece_down_dx(g, p));
    }
}

/* A place in a row, finer than the cell. */
static double up_spot(const Grid *g, const Piece *p) { return g->cells.at[p->up].at + p->up_off; }
static double down_spot(const Grid *g, const Piece *p)
{
    return g->cells.at[p->down].at + p->down_off;
}

/* ---- the first order ---- */

/* A cell, then what it leads to, deep first. */
static void visit(Grid *g, bool *seen, IntVec *stack, int root)
{
    vec_push(stack, root);
    while (stack->len) {
        int c = stack->at[--stack->len];
        if (seen[c])
            continue;
        seen[c] = true;
        g->cells.at[c].at = (int)g->row[g->cells.at[c].row].len;
        vec_push(&g->row[g->cells.at[c].row], c);
        for (int k = g->down_start[c + 1] - 1; k >= g->down_start[c]; k--)
            vec_push(stack, g->pieces.at[g->downs[k]].down);
    }
}

static void first_order(Grid *g)
{
    bool *seen = xcalloc(g->cells.len + 1, sizeof *seen);
    IntVec stack = {0};
    g->row = xcalloc((size_t)g->rows + 1, sizeof *g->row);
    for (int sources = 1; sources >= 0; sources--)
        for (size_t c = 0; c < g->cells.len; c++)
            if (!seen[c] && !g->cells.at[c].side &&
                (!sources || g->up_start[c] == g->up_start[c + 1]))
                visit(g, seen, &stack, (int)c);
    vec_free(&stack);
    free(seen);
}

/* ---- the order that is wished for ---- */

/* Cells without a wish stand where what they are tied to above, or below, stands on average. */
static void pass_wishes(Grid *g, double *at, bool from_above)
{
    for (int i = 0; i < g->rows; i++) {
        const IntVec *row = &g->row[from_above ? i : g->rows - 1 - i];
        for (size_t k = 0; k < row->len; k++) {
            int c = row->at[k], n = 0;
            double sum = 0;
            const int *start = from_above ? g->up_start : g->down_start;
            for (int p = start[c]; at[c] < 0 && p < start[c + 1]; p++) {
                int other =
                    from_above ? g->pieces.at[g->ups[p]].up : g->pieces.at[g->downs[p]].down;
                sum += at[other] < 0 ? 0 : at[other];
                n += at[other] >= 0;
            }
            at[c] = n ? sum / n : at[c];
        }
    }
}

/* Moves a cell to the left of those that wish to be right of it; what has no wish stays. */
static void sort_by_wish(Grid *g, IntVec *row, const double *at)
{
    for (size_t i = 1; i < row->len; i++) {
        int c = row->at[i];
        size_t k = i;
        for (; k > 0 && at[c] >= 0 && at[row->at[k - 1]] > at[c]; k--)
            row->at[k] = row->at[k - 1];
        row->at[k] = c;
    }
    for (size_t i = 0; i < row->len; i++)
        g->cells.at[row->at[i]].at = (int)i;
}

/* Where cells are wished to be is where placing starts. */
static void stand_at_wishes(Grid *g, const double *at)
{
    g->stands = true;
    for (size_t c = 0; c < g->cells.len; c++)
        g->cells.at[c].x = at[c] < 0 ? 0 : at[c];
}

/* Orders the rows as is wished. False if nothing is. */
static bool wished_order(Grid *g)
{
    double *at = xmalloc((g->cells.len + 1) * sizeof *at);
    bool any = false;
    for (size_t c = 0; c < g->cells.len; c++) {
        at[c] = g->cells.at[c].wish ? g->cells.at[c].wish : -1;
        any = any || (g->cells.at[c].wish && !g->cells.at[c].side);
    }
    if (any) {
        pass_wishes(g, at, true);
        pass_wishes(g, at, false);
        for (int r = 0; r < g->rows; r++)
            sort_by_wish(g, &g->row[r], at);
        if (g->quick)
            stand_at_wishes(g, at);
    }
    free(at);
    return any;
}

/* ---- crossings ---- */

typedef struct {
    double up, down;
} Line;

static int compare_lines(const void *a, const void *b)
{
    const Line *p = a, *q = b;
    if (p->up != q->up)
        return p->up < q->up ? -1 : 1;
    return p->down < q->down ? -1 : p->down > q->down;
}

/* Sorts by `down` and counts the pairs that were the wrong way round. */
static i64 inversions(Line *at, Line *spare, size_t n)
{
    if (n < 2)
        return 0;
    size_t half = n / 2, i = 0, j = half, k = 0;
    i64 count = inversions(at, spare, half) + inversions(at + half, spare, n - half);
    while (i < half || j < n)
        if (j == n || (i < half && at[i].down <= at[j].down)) {
            spare[k++] = at[i++];
        } else {
            count += (i64)(half - i);
            spare[k++] = at[j++];
        }
    memcpy(at, spare, n * sizeof *at);
    return count;
}

/* The other end of a port's way stands in a row of its own, outside. */
static bool is_led(const Grid *g, int c, bool above)
{
    return g->cells.at[c].led && (g->cells.at[c].pin == (above ? PIN_TOP : PIN_BOTTOM));
}

static i64 border_crossings(const Grid *g, int r, bool above, Line *lines, Line *spare)
{
    size_t n = 0;
    for (size_t i = 0; i < g->row[r].len; i++) {
        const Cell *c = &g->cells.at[g->row[r].at[i]];
        if (is_led(g, g->row[r].at[i], above))
            lines[n++] = (Line){c->at, c->outer};
    }
    return inversions(lines, spare, n);
}

static i64 crossings(const Grid *g, Line *lines, Line *spare)
{
    i64 count = border_crossings(g, 0, true, lines, spare) +
                border_crossings(g, g->rows - 1, false, lines, spare);
    for (int r = 0; r + 1 < g->rows; r++) {
        size_t n = 0;
        for (size_t i = 0; i < g->row[r].len; i++) {
            int c = g->row[r].at[i];
            for (int k = g->down_start[c]; k < g->down_start[c + 1]; k++) {
                const Piece *p = &g->pieces.at[g->downs[k]];
                lines[n++] = (Line){up_spot(g, p), down_spot(g, p)};
            }
        }
        qsort(lines, n, sizeof *lines, compare_lines);
        count += inversions(lines, spare, n);
    }
    return count;
}

i64 grid_crossings(Grid *g)
{
    fix_pieces(g);
    size_t m = g->pieces.len + g->cells.len + 1;
    Line *lines = xmalloc(m * sizeof *lines), *spare = xmalloc(m * sizeof *spare);
    i64 count = crossings(g, lines, spare);
    free(lines);
    free(spare);
    return count;
}

/* ---- middles ---- */

typedef struct {
    double want;
    int cell, was;
} Wish;

static int compare_wishes(const void *a, const void *b)
{
    const Wish *p = a, *q = b;
    if (p->want != q->want)
        return p->want < q->want ? -1 : 1;
    return p->was - q->was;
}

static bool is_tied(const Grid *g, int c, bool from_above)
{
    const int *start = from_above ? g->up_start : g->down_start;
    return start[c] != start[c + 1] || is_led(g, c, from_above);
}

static double wish(const Grid *g, int c, bool from_above)
{
    const int *start = from_above ? g->up_start : g->down_start;
    const int *list = from_above ? g->ups : g->downs;
    double sum = 0;
    if (is_led(g, c, from_above))
        return g->cells.at[c].outer;
    for (int k = start[c]; k < start[c + 1]; k++) {
        const Piece *p = &g->pieces.at[list[k]];
        sum += from_above ? up_spot(g, p) - piece_down_dx(g, p) / 400
                          : down_spot(g, p) - piece_up_dx(g, p) / 400;
    }
    return sum / (start[c + 1] - start[c]);
}

/* Cells that want nothing keep their place; the others are sorted among themselves. */
static void sort_row(Grid *g, int r, bool from_above, Wish *wishes)
{
    IntVec *row = &g->row[r];
    size_t n = 0;
    for (size_t i = 0; i < row->len; i++)
        if (is_tied(g, row->at[i], from_above))
            wishes[n++] = (Wish){wish(g, row->at[i], from_above), row->at[i], (int)i};
    qsort(wishes, n, sizeof *wishes, compare_wishes);
    size_t next = 0;
    for (size_t i = 0; i < row->len; i++)
        if (is_tied(g, row->at[i], from_above))
            row->at[i] = wishes[next++].cell;
    for (size_t i = 0; i < row->len; i++)
        g->cells.at[row->at[i]].at = (int)i;
}

/* ---- neighbours ---- */

/* Crossings of the pieces of two cells on one side, if a stands left of b. */
static i64 pair_crossings(const Grid *g, int a, int b, bool above, i64 *work)
{
    const int *start = above ? g->up_start : g->down_start, *list = above ? g->ups : g->downs;
    i64 count =
        is_led(g, a, above) && is_led(g, b, above) && g->cells.at[a].outer > g->cells.at[b].outer;
    for (int i = start[a]; i < start[a + 1]; i++)
        for (int j = start[b]; j < start[b + 1]; j++) {
            const Piece *p = &g->pieces.at[list[i]], *q = &g->pieces.at[list[j]];
            count += above ? up_spot(g, p) > up_spot(g, q) : down_spot(g, p) > down_spot(g, q);
        }
    *work -= 1 + (i64)(start[a + 1] - start[a]) * (start[b + 1] - start[b]);
    return count;
}

/* From where to where the other ends of a cell's pieces on one side stand. */
typedef struct {
    double from, to;
} Span;

static Span span_of(const Grid *g, int c, bool above)
{
    const int *start = above ? g->up_start : g->down_start, *list = above ? g->ups : g->downs;
    Span s = {INFINITY, -INFINITY};
    if (is_led(g, c, above))
        s.from = s.to = g->cells.at[c].outer;
    for (int k = start[c]; k < start[c + 1]; k++) {
        const Piece *p = &g->pieces.at[list[k]];
        double at = above ? up_spot(g, p) : down_spot(g, p);
        s.from = at < s.from ? at : s.from;
        s.to = at > s.to ? at : s.to;
    }
    return s;
}

/* They do not change while the cells of the row change places. */
typedef struct {
    Span above, below;
} Reach;

static void reach_row(const Grid *g, const IntVec *row, Reach *reach)
{
    for (size_t i = 0; i < row->len; i++)
        reach[i] = (Reach){span_of(g, row->at[i], true), span_of(g, row->at[i], false)};
}

/* Can no pieces of the two cross, the first being on the left? */
static bool keeps_clear(const Reach *a, const Reach *b)
{
    return a->above.to <= b->above.from && a->below.to <= b->below.from;
}

static bool swap_row(Grid *g, IntVec *row, bool even, Reach *reach, i64 *work)
{
    bool any = false;
    reach_row(g, row, reach);
    for (size_t i = 0; i + 1 < row->len && *work > 0; i++) {
        int a = row->at[i], b = row->at[i + 1];
        if (keeps_clear(&reach[i], &reach[i + 1])) {
            (*work)--;
            continue;
        }
        i64 now = pair_crossings(g, a, b, true, work) + pair_crossings(g, a, b, false, work);
        if (!now)
            continue;
        i64 then = pair_crossings(g, b, a, true, work) + pair_crossings(g, b, a, false, work);
        if (then > now || (then == now && !even))
            continue;
        row->at[i] = b;
        row->at[i + 1] = a;
        g->cells.at[b].at = (int)i;
        g->cells.at[a].at = (int)i + 1;
        Reach left = reach[i];
        reach[i] = reach[i + 1];
        reach[i + 1] = left;
        any = true;
    }
    return any;
}

/* ---- sweeps and swaps ---- */

static void keep(const Grid *g, int *best)
{
    for (size_t c = 0; c < g->cells.len; c++)
        best[c] = g->cells.at[c].at;
}

static void restore(Grid *g, const int *best)
{
    for (size_t c = 0; c < g->cells.len; c++) {
        g->cells.at[c].at = best[c];
        if (!g->cells.at[c].side)
            g->row[g->cells.at[c].row].at[best[c]] = (int)c;
    }
}

/* A row is looked at again only when it or one beside it has changed since. */
static void swap_all(Grid *g, bool even, i64 *work)
{
    bool any = true, *still = xcalloc((size_t)g->rows + 2, sizeof *still); /* of row r at r + 1 */
    Reach *reach = xmalloc((g->cells.len + 1) * sizeof *reach);
    for (int round = 0; round < SWAP_ROUNDS && any; round++) {
        any = false;
        for (int r = 0; r < g->rows; r++) {
            if (still[r + 1])
                continue;
            still[r + 1] = true;
            if (swap_row(g, &g->row[r], even && !round, reach, work)) {
                still[r] = still[r + 1] = still[r + 2] = false;
                any = true;
            }
        }
    }
    free(still);
    free(reach);
}

/* From the order at hand, until so many sweeps did not help; how many crossings are left. */
static i64 sweep_all(Grid *g, int patience)
{
    i64 work = SWAP_WORK;
    size_t m = g->pieces.len + g->cells.len + 1;
    Line *lines = xmalloc(m * sizeof *lines), *spare = xmalloc(m * sizeof *spare);
    Wish *wishes = xmalloc(m * sizeof *wishes);
    int *best = xmalloc((g->cells.len + 1) * sizeof *best), idle = 0;
    i64 least = crossings(g, lines, spare);
    keep(g, best);
    for (int sweep = 0; sweep < SWEEPS && least && idle < patience; sweep++, idle++) {
        bool down = sweep % 2 == 0;
        for (int i = 0; i < g->rows; i++)
            sort_row(g, down ? i : g->rows - 1 - i, down, wishes);
        swap_all(g, sweep % 4 > 1, &work);
        i64 now = crossings(g, lines, spare);
        if (now < least) {
            least = now;
            idle = -1;
            keep(g, best);
        }
    }
    restore(g, best);
    free(lines);
    free(spare);
    free(wishes);
    free(best);
    return least;
}

/* Each row the other way round. */
static void turn_around(Grid *g)
{
    for (int r = 0; r < g->rows; r++) {
        int n = (int)g->row[r].len;
        for (int i = 0; i < n / 2; i++) {
            int c = g->row[r].at[i];
            g->row[r].at[i] = g->row[r].at[n - 1 - i];
            g->row[r].at[n - 1 - i] = c;
        }
        for (int i = 0; i < n; i++)
            g->cells.at[g->row[r].at[i]].at = i;
    }
}

/* Sweeps end where no single one helps; a start from the other side often ends elsewhere. */
static void sweep_from_both(Grid *g)
{
    size_t m = g->cells.len + 1;
    int *start = xmalloc(m * sizeof *start), *best = xmalloc(m * sizeof *best);
    keep(g, start);
    i64 least = sweep_all(g, PATIENCE);
    keep(g, best);
    if (least && g->cells.len <= BOTH_MOST) {
        restore(g, start);
        turn_around(g);
        if (sweep_all(g, PATIENCE) >= least)
            restore(g, best);
    }
    free(start);
    free(best);
}

/* From the order that is wished for only neighbours change places, unless sweeps leave far fewer
 * crossings: who reads knows where things stand. */
static void keep_wished(Grid *g)
{
    enum { WORTH = 2 };
    i64 work = SWAP_WORK;
    swap_all(g, false, &work);
    if (g->quick)
        return;
    i64 least = grid_crossings(g);
    int *wished = xmalloc((g->cells.len + 1) * sizeof *wished);
    keep(g, wished);
    if (sweep_all(g, WISHED_PATIENCE) * WORTH > least)
        restore(g, wished);
    free(wished);
}

/* ---- side by side ---- */

/* Edges that come to a cell from above end beside each other, in the order of where they come from.
 */
static void spread(Grid *g, int c, Wish *wishes)
{
    enum { MARGIN = 24, MOST = 13 };
    int n = 0;
    for (int k = g->up_start[c]; k < g->up_start[c + 1]; k++) {
        const Piece *p = &g->pieces.at[g->ups[k]];
        wishes[n] = (Wish){up_spot(g, p), p->link, n};
        n++;
    }
    qsort(wishes, (size_t)n, sizeof *wishes, compare_wishes);
    double room = (g->cells.at[c].w - MARGIN) / (double)(n > 1 ? n - 1 : 1);
    double step = room > MOST ? MOST : room > 0 ? room : 0;
    for (int i = 0; i < n; i++) {
        Link *l = &g->links.at[wishes[i].cell];
        double dx = step * (i - (n - 1) / 2.0);
        if (l->turned && l->from_port < 0)
            l->from_dx = dx;
        else if (!l->turned && l->to_port < 0)
            l->to_dx = dx;
    }
}

void grid_order(Grid *g)
{
    fix_pieces(g);
    first_order(g);
    if (wished_order(g))
        keep_wished(g);
    else
        sweep_from_both(g);
    Wish *wishes = xmalloc((g->pieces.len + 1) * sizeof *wishes);
    for (size_t c = 0; c < g->cells.len; c++)
        if (!g->cells.at[c].bend && g->cells.at[c].w)
            spread(g, (int)c, wishes);
    free(wishes);
}
