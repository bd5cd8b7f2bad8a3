/* The layout of reverse mode: boxes in ranks, and between them pairs of lines, one forward and one
 * back beside it, with the factor between the two.
 *
 * Ranks go from left to right, or downwards where that is too wide; `a` counts along that way, `c`
 * across it, so both are one layout. A line over several ranks passes those between in slots of its
 * own. Between two ranks each line that turns has a track of its own.
 *
 * Invariant: lines meet boxes at right angles, no two lie on each other, and no line passes a box
 * or a factor. */
#include "viz/draw/figure.h"

#include <math.h>

enum { SWEEPS = 4 };

/* A box, or a place where a line passes. */
typedef struct {
    int node; /* of the scene; 0: a line passes */
    int rank, order;
    double a, c, along, across; /* begin and size */
    double wish;                /* for sorting */
} Slot;

/* A pair of lines, or one, from a rank to the next. */
typedef struct {
    int from, to;     /* slots */
    int edge;         /* of the pair, from 0 */
    double out, in;   /* where it meets the slots: of the forward line, from their begin */
    double tracks[2]; /* of the lines forward and back: where they turn */
} Link;

/* An edge of the graph: its line forward and, if something is propagated, its line back. */
typedef struct {
    int from, to; /* nodes */
    bool back;
    Phrase factor;
    double spread;        /* between its two lines; 0: there is one */
    double width, height; /* of the factor */
} Pair;

typedef struct {
    Figure *f;
    bool down;
    VEC(Slot) slots; /* those of nodes first, in their order */
    VEC(Link) links; /* by edge, from the first rank on */
    VEC(Pair) pairs;
    int ranks;
} Ranks;

static Slot *slot(Ranks *r, int k) { return &r->slots.at[k]; }

/* ---- what is there ---- */

static Pair *pair_between(Ranks *r, int from, int to)
{
    for (size_t i = 0; i < r->pairs.len; i++)
        if (r->pairs.at[i].from == from && r->pairs.at[i].to == to)
            return &r->pairs.at[i];
    return NULL;
}

static void measure_factor(Ranks *r, Pair *p, const Phrase *words)
{
    p->back = true;
    p->factor = figure_typeset(r->f, words);
    p->width = figure_width(r->f, &p->factor);
    p->height = figure_line_height(r->f);
    p->spread = r->down ? p->width + r->f->size * 0.8 : r->f->size * 1.7;
}

static void find_pairs(Ranks *r)
{
    const Scene *s = r->f->scene;
    for (size_t i = 0; i < s->edges.len; i++)
        if (s->edges.at[i].kind == EDGE_DATA)
            vec_push(&r->pairs, ((Pair){.from = s->edges.at[i].from, .to = s->edges.at[i].to}));
    for (size_t i = 0; i < s->edges.len; i++) {
        const SceneEdge *e = &s->edges.at[i];
        Pair *p = e->kind == EDGE_ADJOINT ? pair_between(r, e->to, e->from) : NULL;
        if (p)
            measure_factor(r, p, &e->words);
    }
}

/* ---- ranks ---- */

/* As early as can be; what reads nothing right before the first that reads it. Operands stand
 * before users in the scene. */
static void find_ranks(Ranks *r)
{
    size_t n = r->f->scene->nodes.len;
    bool *reads = xcalloc(n + 1, 1);
    for (size_t k = 0; k < n; k++)
        vec_push(&r->slots, ((Slot){.node = (int)k + 1}));
    for (size_t k = 1; k <= n; k++)
        for (size_t i = 0; i < r->pairs.len; i++)
            if (r->pairs.at[i].to == (int)k) {
                int from = slot(r, r->pairs.at[i].from - 1)->rank;
                slot(r, (int)k - 1)->rank =
                    from + 1 > slot(r, (int)k - 1)->rank ? from + 1 : slot(r, (int)k - 1)->rank;
                reads[k] = true;
            }
    for (size_t k = 1; k <= n; k++) {
        int first = -1;
        for (size_t i = 0; i < r->pairs.len && !reads[k]; i++) {
            int to = slot(r, r->pairs.at[i].to - 1)->rank;
            if (r->pairs.at[i].from == (int)k && (first < 0 || to < first))
                first = to;
        }
        slot(r, (int)k - 1)->rank = first > 0 ? first - 1 : slot(r, (int)k - 1)->rank;
    }
    for (size_t k = 0; k < n; k++)
        r->ranks = slot(r, (int)k)->rank >= r->ranks ? slot(r, (int)k)->rank + 1 : r->ranks;
    free(reads);
}

/* Lines that pass ranks get slots there. */
static void find_links(Ranks *r)
{
    for (size_t i = 0; i < r->pairs.len; i++) {
        int at = r->pairs.at[i].from - 1, to = r->pairs.at[i].to - 1;
        while (slot(r, at)->rank + 1 < slot(r, to)->rank) {
            vec_push(&r->slots, ((Slot){.rank = slot(r, at)->rank + 1}));
            int next = (int)r->slots.len - 1;
            vec_push(&r->links, ((Link){.from = at, .to = next, .edge = (int)i}));
            at = next;
        }
        vec_push(&r->links, ((Link){.from = at, .to = to, .edge = (int)i}));
    }
}

/* ---- order in ranks ---- */

typedef VEC(int) Members;

static void members_of(Ranks *r, int rank, Members *out)
{
    out->len = 0;
    for (size_t k = 0; k < r->slots.len; k++) {
        if (slot(r, (int)k)->rank != rank)
            continue;
        size_t i = out->len; /* stable, by order */
        vec_push(out, (int)k);
        for (; i > 0 && slot(r, out->at[i - 1])->order > slot(r, (int)k)->order; i--)
            out->at[i] = out->at[i - 1];
        out->at[i] = (int)k;
    }
}

/* By where their neighbours on that side stand, in the middle. */
static void sort_rank(Ranks *r, int rank, bool by_operands)
{
    Members m = {0};
    members_of(r, rank, &m);
    for (size_t i = 0; i < m.len; i++) {
        double sum = 0, count = 0;
        for (size_t k = 0; k < r->links.len; k++) {
            const Link *l = &r->links.at[k];
            if ((by_operands ? l->to : l->from) != m.at[i])
                continue;
            sum += slot(r, by_operands ? l->from : l->to)->order;
            count++;
        }
        slot(r, m.at[i])->wish = count > 0 ? sum / count : slot(r, m.at[i])->order;
    }
    for (size_t i = 1; i < m.len; i++)
        for (size_t k = i; k > 0 && slot(r, m.at[k - 1])->wish > slot(r, m.at[k])->wish + 1e-9;
             k--) {
            int other = m.at[k];
            m.at[k] = m.at[k - 1];
            m.at[k - 1] = other;
        }
    for (size_t i = 0; i < m.len; i++)
        slot(r, m.at[i])->order = (int)i;
    vec_free(&m);
}

static int crossings(Ranks *r)
{
    int n = 0;
    for (size_t i = 0; i < r->links.len; i++)
        for (size_t k = 0; k < i; k++) {
            const Slot *a = slot(r, r->links.at[i].from), *b = slot(r, r->links.at[k].from),
                       *x = slot(r, r->links.at[i].to), *y = slot(r, r->links.at[k].to);
            n += a->rank == b->rank && (a->order - b->order) * (x->order - y->order) < 0;
        }
    return n;
}

static void keep_orders(Ranks *r, int *orders, bool back)
{
    for (size_t k = 0; k < r->slots.len; k++)
        if (back)
            slot(r, (int)k)->order = orders[k];
        else
            orders[k] = slot(r, (int)k)->order;
}

/* As declared, unless lines cross less otherwise. */
static void find_order(Ranks *r)
{
    int *best = xcalloc(r->slots.len + 1, sizeof *best);
    for (size_t k = 0; k < r->slots.len; k++)
        slot(r, (int)k)->order = (int)k;
    for (int rank = 0; rank < r->ranks; rank++)
        sort_rank(r, rank, true);
    int least = crossings(r);
    keep_orders(r, best, false);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int rank = r->ranks - 1; rank-- > 0;)
            sort_rank(r, rank, false);
        for (int rank = 1; rank < r->ranks; rank++)
            sort_rank(r, rank, true);
        int now = crossings(r);
        if (now < least) {
            least = now;
            keep_orders(r, best, false);
        }
    }
    keep_orders(r, best, true);
    free(best);
}

/* ---- sizes, and where lines meet slots ---- */

static double gap_of(const Ranks *r) { return r->f->size * 0.9; }

/* How far the two lines of a pair are from each other there: beside the factor as far as that
 * needs, and where a line passes ranks close together. */
static double spread_at(const Ranks *r, const Link *l, bool entering)
{
    const Pair *p = &r->pairs.at[l->edge];
    bool from = r->slots.at[l->from].node, to = r->slots.at[l->to].node;
    bool wide = to && (entering || from);
    return wide ? p->spread : p->back ? r->f->size * 0.8 : 0;
}

/* Of a pair with what keeps it from the next one. */
static double room_of(const Ranks *r, const Link *l, bool entering)
{
    return spread_at(r, l, entering) + gap_of(r);
}

/* The links of a slot on that side, in the order of their other ends. */
static void links_at(Ranks *r, int k, bool entering, Members *out)
{
    out->len = 0;
    for (size_t i = 0; i < r->links.len; i++) {
        const Link *l = &r->links.at[i];
        if ((entering ? l->to : l->from) != k)
            continue;
        int other = slot(r, entering ? l->from : l->to)->order;
        size_t at = out->len;
        vec_push(out, (int)i);
        for (; at > 0; at--) {
            const Link *before = &r->links.at[out->at[at - 1]];
            if (slot(r, entering ? before->from : before->to)->order <= other)
                break;
            out->at[at] = out->at[at - 1];
        }
        out->at[at] = (int)i;
    }
}

static double room_at(Ranks *r, int k, bool entering)
{
    Members m = {0};
    double room = 0;
    links_at(r, k, entering, &m);
    for (size_t i = 0; i < m.len; i++)
        room += room_of(r, &r->links.at[m.at[i]], entering);
    vec_free(&m);
    return room;
}

static void meet(Ranks *r, int k, bool entering)
{
    Members m = {0};
    links_at(r, k, entering, &m);
    double at = (slot(r, k)->across - room_at(r, k, entering)) / 2;
    for (size_t i = 0; i < m.len; i++) {
        Link *l = &r->links.at[m.at[i]];
        *(entering ? &l->in : &l->out) = at + gap_of(r) / 2;
        at += room_of(r, l, entering);
    }
    vec_free(&m);
}

static void measure(Ranks *r)
{
    for (size_t k = 0; k < r->slots.len; k++) {
        Slot *s = slot(r, (int)k);
        const FigNode *n = s->node ? &r->f->nodes[s->node - 1] : NULL;
        s->along = n ? (r->down ? n->h : n->w) : 0;
        s->across = fmax(n ? (r->down ? n->w : n->h) : 0,
                         fmax(room_at(r, (int)k, true), room_at(r, (int)k, false)));
        meet(r, (int)k, true);
        meet(r, (int)k, false);
    }
}

/* ---- places across ---- */

/* Where it would stand if the middle one of its lines on that side were straight. */
static double wished(Ranks *r, int k, bool entering)
{
    Members m = {0};
    links_at(r, k, entering, &m);
    double at = slot(r, k)->c;
    if (m.len) {
        const Link *l = &r->links.at[m.at[(m.len - 1) / 2]];
        at = entering ? slot(r, l->from)->c + l->out - l->in : slot(r, l->to)->c + l->in - l->out;
    }
    vec_free(&m);
    return at;
}

/* A rank as near to its wishes as the order lets it be: pushed from the one end where it has to be,
 * and from the other, and in the middle of both; at last from the one end alone, so that lines are
 * straight where that can be. */
static void place_rank(Ranks *r, int rank, bool entering, bool last)
{
    Members m = {0};
    members_of(r, rank, &m);
    double *low = xcalloc(m.len + 1, sizeof *low), *high = xcalloc(m.len + 1, sizeof *high);
    for (size_t i = 0; i < m.len; i++) {
        low[i] = high[i] = wished(r, m.at[i], entering);
        if (i)
            low[i] = fmax(low[i], low[i - 1] + slot(r, m.at[i - 1])->across + gap_of(r));
    }
    for (size_t i = m.len; i-- > 1;)
        high[i - 1] = fmin(high[i - 1], high[i] - slot(r, m.at[i - 1])->across - gap_of(r));
    for (size_t i = 0; i < m.len; i++)
        slot(r, m.at[i])->c = last ? low[i] : (low[i] + high[i]) / 2;
    free(low);
    free(high);
    vec_free(&m);
}

/* Inputs to where their lines are straight, as far as their neighbours leave room. */
static void settle_inputs(Ranks *r, int rank)
{
    Members m = {0};
    members_of(r, rank, &m);
    for (size_t i = m.len; i-- > 0;) {
        Slot *s = slot(r, m.at[i]);
        double at = wished(r, m.at[i], false);
        if (room_at(r, m.at[i], true) > 0)
            continue;
        if (i + 1 < m.len)
            at = fmin(at, slot(r, m.at[i + 1])->c - gap_of(r) - s->across);
        if (i > 0)
            at = fmax(at, slot(r, m.at[i - 1])->c + slot(r, m.at[i - 1])->across + gap_of(r));
        s->c = at;
    }
    vec_free(&m);
}

static void place_across(Ranks *r)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool last = sweep + 1 == SWEEPS;
        for (int rank = 0; rank < r->ranks; rank++)
            place_rank(r, rank, true, last);
        for (int rank = r->ranks; rank-- > 0;)
            if (last)
                settle_inputs(r, rank);
            else
                place_rank(r, rank, false, false);
    }
    double least = 1e9;
    for (size_t k = 0; k < r->slots.len; k++)
        least = fmin(least, slot(r, (int)k)->c);
    for (size_t k = 0; k < r->slots.len; k++)
        slot(r, (int)k)->c -= least;
}

/* ---- tracks between ranks ---- */

/* One line between two ranks. */
typedef struct {
    Link *link;
    int which;     /* 0: forward, 1: back */
    double c0, c1; /* at the earlier rank, at the later one */
    int track;     /* -1: straight; -2: not known yet */
} Wire;
typedef VEC(Wire) Wires;

static void wires_between(Ranks *r, int rank, Wires *out)
{
    for (size_t i = 0; i < r->links.len; i++) {
        Link *l = &r->links.at[i];
        const Pair *p = &r->pairs.at[l->edge];
        if (slot(r, l->from)->rank != rank)
            continue;
        for (int which = 0; which <= p->back; which++) {
            double c0 = slot(r, l->from)->c + l->out + (which ? spread_at(r, l, false) : 0),
                   c1 = slot(r, l->to)->c + l->in + (which ? spread_at(r, l, true) : 0);
            vec_push(out, ((Wire){l, which, c0, c1, fabs(c0 - c1) < 0.3 ? -1 : -2}));
        }
    }
}

/* Has a to turn before b, so that they do not lie on each other? */
static bool turns_before(const Ranks *r, const Wire *a, const Wire *b)
{
    return fabs(a->c0 - b->c1) < r->f->size * 0.3;
}

static bool share(const Wire *a, const Wire *b, double room)
{
    return fmin(a->c0, a->c1) <= fmax(b->c0, b->c1) + room &&
           fmin(b->c0, b->c1) <= fmax(a->c0, a->c1) + room;
}

/* The first track behind all that turn before it, where no other is in its way; -2: one that turns
 * before it has none yet. */
static int track_for(const Ranks *r, const Wires *w, size_t k)
{
    int track = 0;
    for (size_t i = 0; i < w->len; i++)
        if (i != k && w->at[i].track != -1 && turns_before(r, &w->at[i], &w->at[k])) {
            if (w->at[i].track == -2)
                return -2;
            track = w->at[i].track + 1 > track ? w->at[i].track + 1 : track;
        }
    for (bool free = false; !free; track += !free) {
        free = true;
        for (size_t i = 0; i < w->len && free; i++)
            free =
                i == k || w->at[i].track != track || !share(&w->at[i], &w->at[k], r->f->size * 0.3);
    }
    return track;
}

/* How many tracks there are. Where lines turn before each other in a circle, the first goes first.
 */
static int find_tracks(const Ranks *r, Wires *w)
{
    int most = 0;
    for (bool left = true; left;) {
        size_t waiting = w->len, done = 0;
        left = false;
        for (size_t k = 0; k < w->len; k++) {
            if (w->at[k].track != -2)
                continue;
            w->at[k].track = track_for(r, w, k);
            waiting = w->at[k].track == -2 && waiting == w->len ? k : waiting;
            left |= w->at[k].track == -2;
            done += w->at[k].track != -2;
            most = w->at[k].track >= most ? w->at[k].track + 1 : most;
        }
        if (left && !done)
            w->at[waiting].track = most++;
    }
    return most;
}

/* What factors need along, before the rank. */
static double factor_room(Ranks *r, int rank)
{
    double room = 0;
    for (size_t i = 0; i < r->links.len; i++) {
        const Link *l = &r->links.at[i];
        const Pair *p = &r->pairs.at[l->edge];
        if (slot(r, l->to)->rank == rank && slot(r, l->to)->node && p->back)
            room = fmax(room, r->down ? p->height : p->width);
    }
    return room + r->f->size * 1.3; /* arrows */
}

static double track_step(const Ranks *r) { return r->f->size * 0.65; }

/* From one rank to the next; returns where that begins. */
static double place_gap(Ranks *r, int rank, double end)
{
    Wires w = {0};
    wires_between(r, rank, &w);
    int tracks = find_tracks(r, &w);
    double first = end + r->f->size * 0.8;
    for (size_t i = 0; i < w.len; i++)
        w.at[i].link->tracks[w.at[i].which] =
            w.at[i].track < 0 ? NAN : first + w.at[i].track * track_step(r);
    vec_free(&w);
    return first + fmax(tracks - 1, 0) * track_step(r) + factor_room(r, rank + 1);
}

static void place_along(Ranks *r)
{
    double at = 0;
    for (int rank = 0; rank < r->ranks; rank++) {
        double most = 0;
        for (size_t k = 0; k < r->slots.len; k++)
            if (slot(r, (int)k)->rank == rank) {
                slot(r, (int)k)->a = at;
                most = fmax(most, slot(r, (int)k)->along);
            }
        for (size_t k = 0; k < r->slots.len; k++)
            if (slot(r, (int)k)->rank == rank && !slot(r, (int)k)->node)
                slot(r, (int)k)->along = most;
        at = rank + 1 < r->ranks ? place_gap(r, rank, at + most) : at + most;
    }
}

/* ---- what is drawn ---- */

static void point(const Ranks *r, FigLine *l, double a, double c)
{
    figure_point(l, r->down ? c : a, r->down ? a : c);
}

static void put_nodes(Ranks *r)
{
    Figure *f = r->f;
    for (size_t k = 0; k < f->scene->nodes.len; k++) {
        const Slot *s = slot(r, (int)k);
        FigNode *n = &f->nodes[k];
        n->placed = true;
        *(r->down ? &n->y : &n->x) = s->a;
        *(r->down ? &n->x : &n->y) = s->c;
        *(r->down ? &n->w : &n->h) = s->across;
    }
}

/* The part of a line that one link is, from the earlier rank to the later one or back. */
static void put_link(Ranks *r, FigLine *line, const Link *l, bool back)
{
    const Slot *from = slot(r, l->from), *to = slot(r, l->to);
    double turn = l->tracks[back], c0 = from->c + l->out + (back ? spread_at(r, l, false) : 0),
           c1 = isnan(turn) ? c0 : to->c + l->in + (back ? spread_at(r, l, true) : 0);
    double a[] = {from->a + from->along, turn, turn, to->a}, c[] = {c0, c0, c1, c1};
    for (int i = 0; i < 4; i++) {
        int k = back ? 3 - i : i;
        if (!isnan(a[k]))
            point(r, line, a[k], c[k]);
    }
}

static void put_line(Ranks *r, int edge, bool back)
{
    FigLine *line = figure_line(r->f, 0);
    size_t n = r->links.len;
    for (size_t i = 0; i < n; i++) {
        const Link *l = &r->links.at[back ? n - 1 - i : i];
        if (l->edge == edge)
            put_link(r, line, l, back);
    }
    line->arrow = true;
    line->dashed = back;
}

static void put_factor(Ranks *r, const Link *l)
{
    const Slot *to = slot(r, l->to);
    const Pair *p = &r->pairs.at[l->edge];
    double size = r->f->size, c = to->c + l->in + p->spread / 2;
    if (!to->node || !p->back)
        return;
    if (r->down)
        figure_label(r->f, 0, c, to->a - size * 0.9, 0, &p->factor);
    else
        figure_label(r->f, 0, to->a - size * 0.8, c + size * 0.32, 1, &p->factor);
}

static void put_all(Ranks *r)
{
    put_nodes(r);
    for (size_t i = 0; i < r->pairs.len; i++) {
        put_line(r, (int)i, false);
        if (r->pairs.at[i].back)
            put_line(r, (int)i, true);
    }
    for (size_t i = 0; i < r->links.len; i++)
        put_factor(r, &r->links.at[i]);
    double a = 0, c = 0;
    for (size_t k = 0; k < r->slots.len; k++) {
        a = fmax(a, slot(r, (int)k)->a + slot(r, (int)k)->along);
        c = fmax(c, slot(r, (int)k)->c + slot(r, (int)k)->across);
    }
    r->f->boxes[0].w = r->down ? c : a;
    r->f->boxes[0].h = r->down ? a : c;
}

bool figure_is_reverse(const Scene *s)
{
    for (size_t i = 0; i < s->edges.len; i++)
        if (s->edges.at[i].kind == EDGE_ADJOINT)
            return true;
    return false;
}

void figure_reverse(Figure *f, bool down)
{
    Ranks r = {.f = f, .down = down};
    find_pairs(&r);
    find_ranks(&r);
    find_links(&r);
    find_order(&r);
    measure(&r);
    place_across(&r);
    place_along(&r);
    put_all(&r);
    vec_free(&r.slots);
    vec_free(&r.links);
    vec_free(&r.pairs);
}
