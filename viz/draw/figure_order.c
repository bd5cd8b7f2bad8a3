/* Which cell of a column stands above which, and at what height.
 *
 * States are rails: the cells on the way of a state from one side to the other stand at one height,
 * wherever the order allows that.
 *
 * Invariant: cells of one column keep their order and a distance; the work is bounded by counts. */
#include "viz/draw/figure_cells.h"

#include <math.h>

enum { SWEEPS = 12, MOST_COMPARED = 400 };

/* ---- neighbours ---- */

/* The cell of the column before it that reader r of net n is reached from. */
static int place_before(const LevelLayout *l, const Net *n, int cell)
{
    int column = l->cells.at[cell].column - 1 - n->first;
    return column >= 0 && column < (int)n->places.len ? n->places.at[column] : -1;
}

typedef struct {
    int from, to, net;
} Link;
typedef VEC(Link) Links;

/* All pairs of cells in neighbouring columns that a line joins. */
static Links links_of(const LevelLayout *l)
{
    Links links = {0};
    for (size_t i = 0; i < l->nets.len; i++) {
        const Net *n = &l->nets.at[i];
        for (size_t k = 1; k < n->places.len; k++)
            vec_push(&links, ((Link){n->places.at[k - 1], n->places.at[k], (int)i}));
        for (size_t k = 0; k < n->readers.len; k++) {
            int before = place_before(l, n, n->readers.at[k].cell);
            if (before >= 0)
                vec_push(&links, ((Link){before, n->readers.at[k].cell, (int)i}));
        }
    }
    return links;
}

/* ---- rails ---- */

static bool is_state_end(const LevelLayout *l, int node)
{
    bool state = false;
    for (size_t k = 0; k < l->s->edges.len; k++)
        state = state || (l->s->edges.at[k].to == node && l->s->edges.at[k].kind == EDGE_STATE);
    return state && scene_node_at(l->s, node)->role == ROLE_OUTPUT;
}

/* In one step of a loop, the j-th state leaves at the j-th end of one. */
static int leaves_step_at(const LevelLayout *l, int state)
{
    int before = 0;
    for (int k = 1; k < state; k++)
        before +=
            scene_node_at(l->s, k)->box == l->box && scene_node_at(l->s, k)->role == ROLE_STATE;
    for (int k = 1; (size_t)k <= l->s->nodes.len; k++)
        if (scene_node_at(l->s, k)->box == l->box && is_state_end(l, k) && before-- == 0)
            return k;
    return 0;
}

/* The end that a state leaves at, or 0. */
static int leaves_at(const LevelLayout *l, int state)
{
    if (l->box && scene_box_at(l->s, l->box)->kind == BOX_STEP)
        return leaves_step_at(l, state);
    for (size_t k = 0; k < l->s->edges.len; k++) {
        const SceneEdge *e = &l->s->edges.at[k];
        if (e->kind == EDGE_LOOPBACK && e->to == state)
            return e->from;
    }
    return 0;
}

static int cell_of_node(const LevelLayout *l, int node)
{
    for (size_t i = 0; i < l->cells.len; i++)
        if (l->cells.at[i].node == node)
            return (int)i;
    return -1;
}

/* Cells from `from` to `to` along links, over circles only if asked so; the way is in `way`, from
 * the end to the start. Shortest, the first of equals. */
static bool find_way(const LevelLayout *l, const Links *links, int from, int to, bool circles,
                     const bool *taken, IntVec *way)
{
    size_t n = l->cells.len;
    int *came = xmalloc(n * sizeof *came);
    IntVec queue = {0};
    for (size_t i = 0; i < n; i++)
        came[i] = -1;
    came[from] = from;
    vec_push(&queue, from);
    for (size_t k = 0; k < queue.len && came[to] < 0; k++)
        for (size_t i = 0; i < links->len; i++) {
            int next = links->at[i].to;
            const Cell *c = &l->cells.at[next];
            bool passes = next == to || !c->node || !circles || level_is_circle(l, c);
            if (links->at[i].from != queue.at[k] || came[next] >= 0 || taken[next] || !passes)
                continue;
            came[next] = queue.at[k];
            vec_push(&queue, next);
        }
    bool found = came[to] >= 0;
    for (int c = to; found && c != from; c = came[c])
        vec_push(way, c);
    if (found)
        vec_push(way, from);
    free(came);
    vec_free(&queue);
    return found;
}

typedef struct {
    int in, out; /* cells */
    bool circles;
    IntVec way;
} Rail;
typedef VEC(Rail) Rails;

/* The height that what enters a step left the step before at. */
static double height_before(const LevelLayout *l, int state)
{
    for (size_t k = 0; k < l->s->edges.len; k++) {
        const SceneEdge *e = &l->s->edges.at[k];
        if (!e->to_box && e->to == state && e->kind == EDGE_STATE)
            return l->f->nodes[e->from - 1].y;
    }
    return 0;
}

/* All steps have their states in one order. */
static void sort_rails(const LevelLayout *l, Rails *rails)
{
    for (size_t i = 1; i < rails->len; i++)
        for (size_t k = i; k; k--) {
            Rail *a = &rails->at[k - 1], b = rails->at[k];
            if (height_before(l, l->cells.at[a->in].node) <=
                height_before(l, l->cells.at[b.in].node))
                break;
            rails->at[k] = *a;
            *a = b;
        }
}

/* Those over circles only come first: they are drawn above. */
static Rails rails_of(const LevelLayout *l, const Links *links)
{
    Rails rails = {0};
    bool *taken = xcalloc(l->cells.len + 1, sizeof *taken);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < l->cells.len; i++) {
            const Cell *c = &l->cells.at[i];
            if (!c->node || scene_node_at(l->s, c->node)->role != ROLE_STATE || taken[i])
                continue;
            int end = leaves_at(l, c->node);
            Rail r = {.in = (int)i, .out = end ? cell_of_node(l, end) : -1, .circles = pass == 0};
            if (r.out < 0)
                continue;
            bool found = find_way(l, links, r.in, r.out, r.circles, taken, &r.way);
            if (!found && pass == 0) {
                vec_free(&r.way);
                continue;
            }
            for (size_t k = 0; k < r.way.len; k++)
                taken[r.way.at[k]] = true;
            taken[i] = true;
            vec_push(&rails, r);
        }
    free(taken);
    if (l->box && scene_box_at(l->s, l->box)->kind == BOX_STEP)
        sort_rails(l, &rails);
    return rails;
}

/* ---- order ---- */

static void sort_column(LevelLayout *l, int c)
{
    IntVec *v = &l->columns[c];
    for (size_t i = 1; i < v->len; i++)
        for (size_t k = i; k; k--) {
            Cell *a = &l->cells.at[v->at[k - 1]], *b = &l->cells.at[v->at[k]];
            if (!(a->low > b->low || (a->low == b->low && a->weight > b->weight + 1e-9)))
                break;
            int swap = v->at[k];
            v->at[k] = v->at[k - 1];
            v->at[k - 1] = swap;
        }
}

/* Ranks in all columns, from 0 to 1, so that columns of different lengths compare. */
static void rank_all(LevelLayout *l, double *rank)
{
    for (int c = 0; c < l->ncolumns; c++)
        for (size_t i = 0; i < l->columns[c].len; i++)
            rank[l->columns[c].at[i]] = ((double)i + 0.5) / (double)l->columns[c].len;
}

/* Does it lead a state out? */
static bool ends_rail(const LevelLayout *l, const Link *k)
{
    const Cell *c = &l->cells.at[k->to];
    return c->node && l->box && scene_node_at(l->s, c->node)->role == ROLE_OUTPUT;
}

static size_t crossings(const LevelLayout *l, const Links *links, const double *rank)
{
    size_t count = 0;
    size_t n = links->len < MOST_COMPARED ? links->len : MOST_COMPARED;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++) {
            const Link *a = &links->at[i], *b = &links->at[k];
            if (l->cells.at[a->from].column != l->cells.at[b->from].column || a->net == b->net)
                continue;
            double d = (rank[a->from] - rank[b->from]) * (rank[a->to] - rank[b->to]);
            count += d < 0 ? (ends_rail(l, a) || ends_rail(l, b) ? 4 : 1) : 0;
        }
    return count;
}

static void sweep(LevelLayout *l, const Links *links, double *rank, bool right, bool with_ends)
{
    int from = right ? 1 : l->ncolumns - 2, step = right ? 1 : -1;
    for (int c = from; c >= (with_ends ? 0 : 1) && c < l->ncolumns - (with_ends ? 0 : 1);
         c += step) {
        for (size_t i = 0; i < l->columns[c].len; i++) {
            int at = l->columns[c].at[i];
            double sum = 0;
            int count = 0;
            for (size_t k = 0; k < links->len; k++) {
                int other = right && links->at[k].to == at      ? links->at[k].from
                            : !right && links->at[k].from == at ? links->at[k].to
                                                                : -1;
                if (other >= 0) {
                    sum += rank[other];
                    count++;
                }
            }
            l->cells.at[at].weight = count ? sum / count : rank[at];
        }
        sort_column(l, c);
        rank_all(l, rank);
    }
}

static void copy_order(const LevelLayout *l, IntVec *to, bool back)
{
    for (int c = 0; c < l->ncolumns; c++) {
        if (!back) {
            to[c].len = 0;
            for (size_t i = 0; i < l->columns[c].len; i++)
                vec_push(&to[c], l->columns[c].at[i]);
        }
        for (size_t i = 0; back && i < to[c].len; i++)
            l->columns[c].at[i] = to[c].at[i];
    }
}

/* What enters or leaves a row of steps stands as the states do in them. */
static double weight_in_row(const LevelLayout *l, const Cell *c, double weight)
{
    if (!c->node || scene_node_at(l->s, c->node)->role == ROLE_NONE)
        return weight;
    for (size_t i = 0; i < l->nets.len; i++) {
        const Net *n = &l->nets.at[i];
        if (n->node == c->node && n->readers.len && n->readers.at[0].node)
            return 1e6 + l->f->nodes[n->readers.at[0].node - 1].y;
        for (size_t k = 0; k < n->readers.len; k++)
            if (n->readers.at[k].node == c->node)
                return 1e6 + l->f->nodes[n->node - 1].y;
    }
    return weight;
}

/* What is only given to ends in a frame stands in the order of these ends. */
static void order_givers(LevelLayout *l)
{
    size_t first = l->cells.len;
    for (size_t i = 0; i < l->nets.len; i++) {
        const Net *n = &l->nets.at[i];
        const Cell *c = &l->cells.at[n->source];
        bool giver = c->node && scene_node_at(l->s, c->node)->role == ROLE_INPUT &&
                     n->readers.len == 1 && n->readers.at[0].node &&
                     l->cells.at[n->readers.at[0].cell].box;
        if (!giver)
            continue;
        first = (size_t)n->source < first ? (size_t)n->source : first;
        l->cells.at[n->source].weight =
            1e6 + (double)first + 1e-4 * l->f->nodes[n->readers.at[0].node - 1].y;
    }
}

/* Rails over circles are above everything, other rails below; the two sides are in the order of the
 * rails. */
static void begin_order(LevelLayout *l, const Rails *rails)
{
    for (size_t i = 0; i < l->cells.len; i++) {
        Cell *c = &l->cells.at[i];
        bool row = l->f->boxes[l->box].row, passes = !c->node && !c->box && row;
        c->weight = passes ? (double)i - 1e6 : 1e6 + (double)i; /* above a row of steps */
        if (row)
            c->weight = weight_in_row(l, c, c->weight);
        vec_push(&l->columns[c->column], (int)i);
    }
    if (!l->box)
        order_givers(l);
    for (size_t k = 0; k < rails->len; k++) {
        const Rail *r = &rails->at[k];
        for (size_t i = 0; i < r->way.len; i++)
            l->cells.at[r->way.at[i]].weight = (double)k + (r->circles ? 0 : 2e6);
        l->cells.at[r->in].weight = l->cells.at[r->out].weight = (double)k;
    }
    for (int c = 0; c < l->ncolumns; c++)
        sort_column(l, c);
}

static void rails_free(Rails *rails)
{
    for (size_t i = 0; i < rails->len; i++)
        vec_free(&rails->at[i].way);
    vec_free(rails);
}

/* Cells of circle rails are kept at the top and those of other rails where lines draw them. */
void level_order(LevelLayout *l)
{
    Links links = links_of(l);
    Rails rails = rails_of(l, &links);
    double *rank = xcalloc(l->cells.len + 1, sizeof *rank);
    IntVec *best = xcalloc((size_t)l->ncolumns, sizeof *best);
    begin_order(l, &rails);
    rank_all(l, rank);
    size_t fewest = crossings(l, &links, rank);
    copy_order(l, best, false);
    for (int i = 0;
         i < SWEEPS && fewest && !l->f->boxes[l->box].row && links.len < MOST_COMPARED * 4; i++) {
        sweep(l, &links, rank, i % 2 == 0, !l->box);
        size_t now = crossings(l, &links, rank);
        if (now < fewest) {
            fewest = now;
            copy_order(l, best, false);
        }
    }
    copy_order(l, best, true);
    for (int c = 0; c < l->ncolumns; c++)
        vec_free(&best[c]);
    free(best);
    free(rank);
    rails_free(&rails);
    vec_free(&links);
}

/* ---- heights ---- */

static double distance(const LevelLayout *l, const Cell *a, const Cell *b)
{
    double gap = (a->node || a->box) && (b->node || b->box) ? 0.75 : 0.55;
    bool ends = a->w == 0 && b->w == 0 && a->h > 0 && b->h > 0;
    return (a->h + b->h) / 2 + (ends ? 0.5 : gap) * l->f->size;
}

/* Heights from the top, or, if the groups go round in a circle, false. */
static bool heights_from_top(LevelLayout *l, double *y)
{
    size_t n = l->cells.len;
    for (size_t i = 0; i < n; i++)
        y[i] = -1e6;
    bool changed = true;
    for (size_t round = 0; changed; round++) {
        if (round > n + 1)
            return false;
        changed = false;
        for (int c = 0; c < l->ncolumns; c++)
            for (size_t i = 0; i < l->columns[c].len; i++) {
                int b = l->columns[c].at[i], g = l->cells.at[b].group;
                double least = l->cells.at[b].h / 2;
                if (i) {
                    const Cell *a = &l->cells.at[l->columns[c].at[i - 1]];
                    least = y[a->group] + a->shift + distance(l, a, &l->cells.at[b]);
                }
                if (y[g] + l->cells.at[b].shift < least - 1e-9) {
                    y[g] = least - l->cells.at[b].shift;
                    changed = true;
                }
            }
    }
    return true;
}

/* Puts b so that its middle is `by` below that of a, unless the order forbids it. */
static bool join(LevelLayout *l, int a, int b, double by, double *y)
{
    int from = l->cells.at[b].group, to = l->cells.at[a].group;
    if (from == to)
        return true;
    double move = l->cells.at[a].shift + by - l->cells.at[b].shift;
    IntVec moved = {0};
    for (size_t i = 0; i < l->cells.len; i++)
        if (l->cells.at[i].group == from) {
            l->cells.at[i].group = to;
            l->cells.at[i].shift += move;
            vec_push(&moved, (int)i);
        }
    bool ok = heights_from_top(l, y);
    for (size_t i = 0; i < moved.len && !ok; i++) {
        l->cells.at[moved.at[i]].group = from;
        l->cells.at[moved.at[i]].shift -= move;
    }
    vec_free(&moved);
    return ok;
}

/* How far below its middle the line of this link leaves, or enters, the cell. */
static double end_of(const LevelLayout *l, const Link *k, bool leaves)
{
    const Net *n = &l->nets.at[k->net];
    const Cell *c = &l->cells.at[leaves ? k->from : k->to];
    if (leaves)
        return k->from == n->source && !n->below ? level_leaving(l, n) : 0;
    if (!c->box)
        return 0;
    int node = 0;
    for (size_t i = 0; i < n->readers.len; i++)
        if (n->readers.at[i].cell == k->to)
            node = n->readers.at[i].node;
    return node ? l->f->nodes[node - 1].y - c->h / 2 : 0;
}

static int readers_of_place(const Links *links, int from)
{
    int count = 0;
    for (size_t i = 0; i < links->len; i++)
        count += links->at[i].from == from;
    return count;
}

/* Puts b so that the line from a is straight. */
static void join_link(LevelLayout *l, const Links *links, int a, int b, double *y)
{
    for (size_t i = 0; i < links->len; i++)
        if (links->at[i].from == a && links->at[i].to == b) {
            join(l, a, b, end_of(l, &links->at[i], true) - end_of(l, &links->at[i], false), y);
            return;
        }
}

/* The only cell that `to` is reached from, or -1. */
static int only_source(const Links *links, int to)
{
    int found = -1;
    for (size_t i = 0; i < links->len; i++)
        if (links->at[i].to == to)
            found = found < 0 ? links->at[i].from : -2;
    return found;
}

static void join_rails(LevelLayout *l, const Links *links, const Rails *rails, double *y)
{
    for (size_t i = 0; i < rails->len; i++) {
        const IntVec *way = &rails->at[i].way;
        join(l, rails->at[i].in, rails->at[i].out, 0, y);
        for (size_t k = 1; k < way->len; k++) /* from the end to the start */
            join_link(l, links, way->at[k], way->at[k - 1], y);
        int source = only_source(links, rails->at[i].out);
        for (int c = rails->at[i].out; !way->len && source >= 0; source = only_source(links, c)) {
            join_link(l, links, source, c, y);
            c = l->cells.at[source].node ? -1 : source;
        }
    }
}

/* In a row of steps the states are straight lines through all of them. */
static void join_steps(LevelLayout *l, const Links *links, double *y)
{
    for (size_t i = 0; i < links->len; i++) {
        const Link *k = &links->at[i];
        const Net *n = &l->nets.at[k->net];
        bool state = false;
        for (size_t r = 0; r < n->readers.len; r++)
            state = state || (n->readers.at[r].cell == k->to &&
                              scene_edge_at(l->s, n->readers.at[r].edge)->kind == EDGE_STATE);
        if (state)
            join(l, k->from, k->to, end_of(l, k, true) - end_of(l, k, false), y);
    }
}

static void join_all(LevelLayout *l, const Links *links, const Rails *rails, double *y)
{
    if (l->f->boxes[l->box].row)
        join_steps(l, links, y);
    join_rails(l, links, rails, y);
    for (int pass = 0; pass < 2 && links->len < MOST_COMPARED; pass++)
        for (size_t i = 0; i < links->len; i++) {
            const Link *k = &links->at[i];
            const Cell *b = &l->cells.at[k->to];
            bool passing = !b->node && !b->box;
            bool alone =
                readers_of_place(links, k->from) == 1 || l->cells.at[k->from].box || b->box;
            if (pass == 0 ? passing : alone)
                join(l, k->from, k->to, end_of(l, k, true) - end_of(l, k, false), y);
        }
}

/* How far group g may go up (or down) from where it is. */
static double room(const LevelLayout *l, const double *y, int g, bool up)
{
    double room = 1e9;
    for (int c = 0; c < l->ncolumns; c++)
        for (size_t i = 0; i < l->columns[c].len; i++) {
            const Cell *b = &l->cells.at[l->columns[c].at[i]];
            size_t other = up ? i - 1 : i + 1;
            if (b->group != g)
                continue;
            if (up && i == 0)
                room = fmin(room, y[g] + b->shift - b->h / 2);
            if (other >= l->columns[c].len)
                continue;
            const Cell *a = &l->cells.at[l->columns[c].at[other]];
            double apart = fabs(y[g] + b->shift - y[a->group] - a->shift);
            if (a->group != g)
                room = fmin(room, apart - distance(l, a, b));
        }
    return fmax(room, 0);
}

static double height_of(const LevelLayout *l, const double *y, int cell)
{
    return y[l->cells.at[cell].group] + l->cells.at[cell].shift;
}

/* How far, on average, group g is from being straight with its neighbours. */
static double pull(const LevelLayout *l, const Links *links, const double *y, int g)
{
    double sum = 0;
    int count = 0;
    for (size_t i = 0; i < links->len; i++) {
        const Link *k = &links->at[i];
        bool from = l->cells.at[k->from].group == g, to = l->cells.at[k->to].group == g;
        if (from == to)
            continue;
        double by = height_of(l, y, k->from) + end_of(l, k, true) - height_of(l, y, k->to) -
                    end_of(l, k, false);
        sum += from ? -by : by;
        count++;
    }
    return count ? sum / count : 0;
}

/* Groups go towards what they are joined with, as far as there is room. */
static void relax(LevelLayout *l, const Links *links, double *y)
{
    double low = 0;
    for (size_t i = 0; i < l->cells.len; i++)
        low = fmax(low, height_of(l, y, (int)i) + l->cells.at[i].h / 2);
    for (size_t g = 0; g < l->cells.len; g++) {
        double by = pull(l, links, y, (int)g), down = room(l, y, (int)g, false);
        for (size_t i = 0; i < l->cells.len; i++)
            if (l->cells.at[i].group == (int)g)
                down = fmin(down, low - height_of(l, y, (int)i) - l->cells.at[i].h / 2);
        y[g] += by < 0 ? -fmin(-by, room(l, y, (int)g, true)) : fmin(by, fmax(down, 0));
    }
}

void level_heights(LevelLayout *l)
{
    Links links = links_of(l);
    Rails rails = rails_of(l, &links);
    double *y = xcalloc(l->cells.len + 1, sizeof *y);
    for (size_t i = 0; i < l->cells.len; i++)
        l->cells.at[i].group = (int)i;
    join_all(l, &links, &rails, y);
    heights_from_top(l, y);
    for (int i = 0; i < 6 && links.len < MOST_COMPARED * 4; i++)
        relax(l, &links, y);
    for (size_t i = 0; i < l->cells.len; i++) {
        Cell *c = &l->cells.at[i];
        c->y = y[c->group] + c->shift;
        l->height = fmax(l->height, c->y + c->h / 2);
    }
    free(y);
    rails_free(&rails);
    vec_free(&links);
}
