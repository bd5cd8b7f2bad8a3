/* Ways that run only upright and level, as lines of text do: where they enter and leave cells, and
 * on which line between two rows each runs to the side.
 *
 * Invariant: a value that leaves a cell at one column runs to the side on one track, whatever it
 * leads to; ways of different values on one track do not meet. Made for graphs that fit on a
 * screen: work is quadratic in the ways between two rows. */
#include "viz/page/lay_grid.h"

/* ---- entering ---- */

typedef struct {
    int want, piece;
    bool fixed; /* by a port inside */
} EntryPin;

/* The end of a link at the upper or lower cell of a piece. */
static double *end_dx(Grid *g, const Piece *p, bool upper)
{
    Link *l = &g->links.at[p->link];
    return upper != l->turned ? &l->from_dx : &l->to_dx;
}

static bool end_is_port(const Grid *g, const Piece *p, bool upper)
{
    const Link *l = &g->links.at[p->link];
    return (upper != l->turned ? l->from_port : l->to_port) >= 0;
}

static int compare_pins(const void *a, const void *b)
{
    const EntryPin *p = a, *q = b;
    return p->want != q->want ? p->want - q->want : p->piece - q->piece;
}

static bool is_taken(const EntryPin *pins, int n, int self, int x)
{
    for (int i = 0; i < n; i++)
        if (i != self && pins[i].fixed && pins[i].want == x)
            return true;
    return false;
}

/* The free column nearest to x. */
static int near_free(const EntryPin *pins, int n, int self, int x, int low, int high)
{
    x = x < low ? low : x > high ? high : x;
    for (int d = 0; d <= high - low; d++) {
        if (x - d >= low && !is_taken(pins, n, self, x - d))
            return x - d;
        if (x + d <= high && !is_taken(pins, n, self, x + d))
            return x + d;
    }
    return x;
}

/* Pins in their order, a column between them where there is room, each as near as can be to where
 * its line comes from. */
static void spread_pins(EntryPin *pins, int n, int low, int high)
{
    int gap = high - low >= 2 * (n - 1) ? 2 : 1;
    for (int i = 0, least = low; i < n; i++, least = pins[i - 1].want + gap)
        pins[i].want = pins[i].want < least ? least : pins[i].want;
    for (int i = n - 1, most = high; i >= 0; i--, most = pins[i + 1].want - gap)
        pins[i].want = pins[i].want > most ? most : pins[i].want;
}

static void enter(Grid *g, int c, EntryPin *pins)
{
    const Cell *cell = &g->cells.at[c];
    int n = 0, fixed = 0, low = (int)cell->x - cell->w / 2 + 1,
        high = (int)cell->x + cell->w / 2 - 1;
    for (int k = g->up_start[c]; k < g->up_start[c + 1]; k++) {
        const Piece *p = &g->pieces.at[g->ups[k]];
        bool port = end_is_port(g, p, false);
        pins[n++] = (EntryPin){port ? piece_x2(g, p) : piece_x1(g, p), g->ups[k], port};
        fixed += port;
    }
    qsort(pins, (size_t)n, sizeof *pins, compare_pins);
    if (!fixed)
        spread_pins(pins, n, low, high);
    for (int i = 0; i < n; i++) {
        if (pins[i].fixed)
            continue;
        if (fixed) {
            pins[i].want = near_free(pins, n, i, pins[i].want, low, high);
            pins[i].fixed = true;
        }
        *end_dx(g, &g->pieces.at[pins[i].piece], false) = pins[i].want - cell->x;
    }
}

/* ---- leaving ---- */

/* Straight above one of the places that it leads to, the nearest to the middle, if there is any. */
static void leave(Grid *g, int c)
{
    const Cell *cell = &g->cells.at[c];
    int reach = cell->w / 2 - 1, best = reach + 1;
    for (int k = g->down_start[c]; k < g->down_start[c + 1]; k++) {
        const Piece *p = &g->pieces.at[g->downs[k]];
        int dx = piece_x2(g, p) - (int)cell->x;
        if (end_is_port(g, p, true))
            return;
        best = abs(dx) < abs(best) ? dx : best;
    }
    for (int k = g->down_start[c]; k < g->down_start[c + 1] && abs(best) <= reach; k++)
        *end_dx(g, &g->pieces.at[g->downs[k]], true) = best;
}

void grid_enter(Grid *g)
{
    EntryPin *pins = xmalloc((g->pieces.len + 1) * sizeof *pins);
    for (size_t c = 0; c < g->cells.len; c++) {
        const Cell *cell = &g->cells.at[c];
        bool thin = cell->bend || cell->pin == PIN_TOP || cell->pin == PIN_BOTTOM;
        if (!thin)
            enter(g, (int)c, pins);
        else if (!cell->bend)
            for (int k = g->up_start[c]; k < g->up_start[c + 1]; k++)
                *end_dx(g, &g->pieces.at[g->ups[k]], false) = 0;
    }
    for (size_t c = 0; c < g->cells.len; c++)
        if (!g->cells.at[c].bend && g->cells.at[c].w > 2 && g->cells.at[c].pin != PIN_BOTTOM)
            leave(g, (int)c);
    free(pins);
}

/* ---- tracks ---- */

/* Are both the same value, on its way from the same place? */
static bool same_way(const Grid *g, const Piece *a, const Piece *b)
{
    return a->up == b->up && piece_x1(g, a) == piece_x1(g, b);
}

/* A value between two rows. */
typedef struct {
    const Piece *first;
    int x, low, high; /* where it leaves, and all columns that it reaches */
    int track;
    bool placed;
} Way;

typedef struct {
    Grid *g;
    VEC(Way) ways;
    VEC(Piece *) pieces;
} Channel;

static void add_to_way(Channel *ch, Piece *p)
{
    int x1 = piece_x1(ch->g, p), x2 = piece_x2(ch->g, p);
    size_t w = 0;
    while (w < ch->ways.len && !same_way(ch->g, ch->ways.at[w].first, p))
        w++;
    if (w == ch->ways.len)
        vec_push(&ch->ways, ((Way){p, x1, x1, x1, 0, false}));
    Way *way = &ch->ways.at[w];
    way->low = x2 < way->low ? x2 : way->low;
    way->high = x2 > way->high ? x2 : way->high;
    vec_push(&ch->pieces, p);
}

/* Those to the right from the right, then those to the left from the left: neighbours do not
 * cross. */
static int compare_ways(const void *a, const void *b)
{
    const Way *p = a, *q = b;
    bool p_left = p->x - p->low > p->high - p->x, q_left = q->x - q->low > q->high - q->x;
    if (p_left != q_left)
        return p_left - q_left;
    return p_left ? p->x - q->x : q->x - p->x;
}

/* Does `b` come down in a column to which `a` leads? Then it has to turn above it. */
static bool has_to_wait(const Channel *ch, const Way *a, const Way *b)
{
    for (size_t i = 0; i < ch->pieces.len; i++)
        if (same_way(ch->g, ch->pieces.at[i], a->first) &&
            piece_x2(ch->g, ch->pieces.at[i]) == b->x)
            return true;
    return false;
}

/* ---- ways that wait for each other ---- */

static Way *leaving_at(Channel *ch, const Way *but, int x)
{
    for (size_t i = 0; i < ch->ways.len; i++)
        if (&ch->ways.at[i] != but && !ch->ways.at[i].placed && ch->ways.at[i].x == x)
            return &ch->ways.at[i];
    return NULL;
}

/* Is the column, or the one beside it, where a piece enters that cell, or any (-1)? */
static bool enters_near(const Channel *ch, int cell, int x)
{
    for (size_t i = 0; i < ch->pieces.len; i++)
        if ((cell < 0 || ch->pieces.at[i]->down == cell) &&
            abs(piece_x2(ch->g, ch->pieces.at[i]) - x) < 2)
            return true;
    return false;
}

/* How far from its middle a cell is entered or left where we like. */
static int reach_of(const Channel *ch, const Piece *p, bool upper)
{
    const Cell *cell = &ch->g->cells.at[upper ? p->up : p->down];
    return cell->bend || end_is_port(ch->g, p, upper) ? 0 : cell->w / 2 - 1;
}

/* The column nearest to where that end is that it has for itself; -1: none. */
static int free_column(Channel *ch, const Way *w, const Piece *p, bool upper)
{
    int middle = (int)ch->g->cells.at[upper ? p->up : p->down].x, reach = reach_of(ch, p, upper);
    int now = upper ? piece_x1(ch->g, p) : piece_x2(ch->g, p);
    for (int d = 1; d <= 2 * reach; d++)
        for (int x = now - d; x <= now + d; x += 2 * d)
            if (abs(x - middle) <= reach && !leaving_at(ch, w, x) &&
                !enters_near(ch, upper ? -1 : p->down, x))
                return x;
    return -1;
}

static void measure_way(const Channel *ch, Way *w)
{
    w->x = w->low = w->high = piece_x1(ch->g, w->first);
    for (size_t i = 0; i < ch->pieces.len; i++) {
        int x = piece_x2(ch->g, ch->pieces.at[i]);
        if (!same_way(ch->g, ch->pieces.at[i], w->first))
            continue;
        w->low = x < w->low ? x : w->low;
        w->high = x > w->high ? x : w->high;
    }
}

static void move_way(Channel *ch, Way *w, int x)
{
    int now = w->x, up = w->first->up;
    for (size_t i = 0; i < ch->pieces.len && x >= 0; i++) {
        Piece *p = ch->pieces.at[i];
        if (p->up == up && piece_x1(ch->g, p) == now)
            *end_dx(ch->g, p, true) = x - ch->g->cells.at[up].x;
    }
    measure_way(ch, w);
}

/* Of the way and one that comes down where it enters a cell, one moves aside. */
static void step_aside(Channel *ch, Way *w)
{
    for (size_t i = 0; i < ch->pieces.len; i++) {
        Piece *p = ch->pieces.at[i];
        bool own = same_way(ch->g, p, w->first);
        Way *other = own ? leaving_at(ch, w, piece_x2(ch->g, p)) : NULL;
        int x = other ? free_column(ch, w, p, false) : -1;
        if (x >= 0)
            *end_dx(ch->g, p, false) = x - ch->g->cells.at[p->down].x;
        else if (other)
            move_way(ch, other, free_column(ch, other, other->first, true));
    }
    measure_way(ch, w);
}

static Way *next_way(Channel *ch)
{
    Way *any = NULL;
    for (size_t i = 0; i < ch->ways.len; i++) {
        Way *w = &ch->ways.at[i];
        bool waits = w->placed;
        for (size_t j = 0; j < ch->ways.len && !waits; j++)
            waits = j != i && !ch->ways.at[j].placed && has_to_wait(ch, w, &ch->ways.at[j]);
        if (!waits)
            return w;
        any = any || w->placed ? any : w;
    }
    if (any) /* they wait for each other */
        step_aside(ch, any);
    return any;
}

static int place_ways(Channel *ch)
{
    int tracks = 0;
    if (ch->ways.len)
        qsort(ch->ways.at, ch->ways.len, sizeof *ch->ways.at, compare_ways);
    for (Way *w; (w = next_way(ch));) {
        w->placed = true;
        if (w->low == w->high)
            continue;
        for (size_t j = 0; j < ch->ways.len; j++) {
            const Way *q = &ch->ways.at[j];
            if (q != w && q->placed && q->low < q->high && q->low <= w->high + 1 &&
                w->low <= q->high + 1 && q->track >= w->track)
                w->track = q->track + 1;
        }
        tracks = w->track + 1 > tracks ? w->track + 1 : tracks;
    }
    return tracks;
}

int grid_tracks(Grid *g, int r)
{
    Channel ch = {.g = g};
    for (size_t i = 0; i < g->row[r].len; i++) {
        int c = g->row[r].at[i];
        for (int k = g->down_start[c]; k < g->down_start[c + 1]; k++)
            add_to_way(&ch, &g->pieces.at[g->downs[k]]);
    }
    int tracks = place_ways(&ch);
    for (size_t i = 0; i < ch.pieces.len; i++)
        for (size_t w = 0; w < ch.ways.len; w++)
            if (same_way(g, ch.pieces.at[i], ch.ways.at[w].first))
                ch.pieces.at[i]->track = ch.ways.at[w].track;
    vec_free(&ch.ways);
    vec_free(&ch.pieces);
    return tracks;
}
