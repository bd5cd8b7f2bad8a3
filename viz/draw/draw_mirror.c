/* The rows of the adjoint half: a cotangent stands at the height of what it belongs to.
 *
 * That is known where there is a link. A loop that runs backwards has its first row where the last
 * row of the forward loop is, and its last one where that begins. What has no link stands just
 * above the value whose trace it reads, or beside what reads the same captured value, as far as its
 * operands let it.
 *
 * Invariant: each unit of the half has one row, above those of its operands in the half; captured
 * values stand below their readers. Rows are counted downwards, as in the forward half. */
#include "viz/draw/halves.h"

typedef VEC(int) IntVec;

typedef struct {
    Halves *h;
    IntVec *ins, *outs; /* edges in the half by unit */
    IntVec order;       /* units, operands first */
    int *link;          /* by unit: the row of what it belongs to */
    int *ceiling;       /* by unit: it had better not stand above that row */
    bool *anchored;
    bool *used; /* of the forward half */
} Mirror;

static bool is_loop(const Halves *h, int box)
{
    SceneBoxKind k = scene_box_at(h->s, box)->kind;
    return h->p->boxes[box - 1].drawn && !scene_box_at(h->s, box)->closed &&
           (k == BOX_SCAN || k == BOX_LOOP);
}

static int loop_around(const Halves *h, int code)
{
    int box = home_of_code(h->s, code);
    while (box && !is_loop(h, box))
        box = scene_box_at(h->s, box)->parent;
    return box;
}

static bool flows(const Halves *h, int k)
{
    SceneEdgeKind kind = scene_edge_at(h->s, k)->kind;
    return h->p->edges[k - 1].drawn && h->p->from[k - 1] && h->p->to[k - 1] &&
           kind != EDGE_LOOPBACK && kind != EDGE_ADJOINT && !h->p->anchor_to[k - 1] &&
           !h->p->anchor_from[k - 1];
}

/* ---- what is known ---- */

static void collect_edges(Mirror *m)
{
    Halves *h = m->h;
    for (int k = 1; (size_t)k <= h->s->edges.len; k++) {
        if (!flows(h, k) || crosses(h, k))
            continue;
        size_t from = unit_of(h, h->p->from[k - 1]), to = unit_of(h, h->p->to[k - 1]);
        if (!h->right[from] || from == to || h->column[from])
            continue;
        vec_push(&m->outs[from], k);
        vec_push(&m->ins[to], k);
    }
}

static void sort_units(Mirror *m)
{
    Halves *h = m->h;
    int *waits = xcalloc(units(h) + 1, sizeof *waits);
    for (size_t u = 0; u < units(h); u++) {
        waits[u] = (int)m->ins[u].len;
        if (is_unit(h, u) && h->right[u] && !h->column[u] && !waits[u])
            vec_push(&m->order, (int)u);
    }
    for (size_t i = 0; i < m->order.len; i++) {
        const IntVec *out = &m->outs[m->order.at[i]];
        for (size_t j = 0; j < out->len; j++) {
            size_t to = unit_of(h, h->p->to[out->at[j] - 1]);
            if (--waits[to] == 0)
                vec_push(&m->order, (int)to);
        }
    }
    free(waits);
}

static void find_links(Mirror *m)
{
    Halves *h = m->h;
    for (size_t u = 0; u < units(h); u++)
        m->link[u] = NO_ROW;
    for (int k = 1; (size_t)k <= h->s->edges.len; k++) {
        int from = h->p->from[k - 1], to = h->p->to[k - 1];
        if (!h->p->edges[k - 1].drawn || scene_edge_at(h->s, k)->kind != EDGE_ADJOINT || !from ||
            !to || !crosses(h, k) || !h->right[unit_of(h, from)])
            continue;
        m->link[unit_of(h, from)] = h->row[unit_of(h, to)];
    }
}

/* The loop from which most sequences of `box` come. */
static int pair_of(const Halves *h, int box)
{
    int best = 0, most = 0;
    int *count = xcalloc(h->s->boxes.len + 1, sizeof *count);
    for (int k = 1; (size_t)k <= h->s->edges.len; k++) {
        int to = h->p->to[k - 1], from = h->p->from[k - 1];
        int loop =
            flows(h, k) && to > 0 && h->column[unit_of(h, to)] && home_of_code(h->s, to) == box
                ? loop_around(h, from)
                : 0;
        if (loop && ++count[loop] > most)
            most = count[best = loop];
    }
    free(count);
    return best;
}

static void bound(const Halves *h, int box, int *top, int *bottom)
{
    *top = INT_MAX, *bottom = NO_ROW;
    for (size_t u = 0; u < units(h); u++)
        if (is_unit(h, u) && box_holds(h->s, box, code_of(h, u)) && h->row[u] != NO_ROW) {
            *top = h->row[u] < *top ? h->row[u] : *top;
            *bottom = h->row[u] > *bottom ? h->row[u] : *bottom;
        }
}

static bool is_param(const Halves *h, int code)
{
    SceneRole r = code > 0 ? scene_node_at(h->s, code)->role : ROLE_NONE;
    return r >= ROLE_PARAM && r <= ROLE_SEQUENCE && is_loop(h, home_of_code(h->s, code));
}

/* Where something other than a parameter belongs to the last row of the forward loop, parameters
 * stand one lower. */
static void make_room_below(const Mirror *m, int box)
{
    const Halves *h = m->h;
    for (size_t i = 0; i < m->order.len; i++) {
        int u = m->order.at[i];
        if (m->link[u] == h->bottom[box] && !is_param(h, code_of(h, (size_t)u)) &&
            box_holds(h->s, box, code_of(h, (size_t)u))) {
            h->bottom[box]++;
            return;
        }
    }
}

static void find_pairs(const Mirror *m)
{
    Halves *h = m->h;
    for (int box = 1; (size_t)box <= h->s->boxes.len; box++) {
        h->top[box] = h->bottom[box] = NO_ROW;
        if (!is_loop(h, box) || !runs_up(h->s, -box))
            continue;
        h->pair[box] = pair_of(h, box);
        if (!h->pair[box])
            continue;
        bound(h, h->pair[box], &h->top[box], &h->bottom[box]);
        make_room_below(m, box);
    }
}

/* The highest row that leaves room above for its readers in its loop, and for what these belong to.
 */
static void find_ceilings(Mirror *m)
{
    const Halves *h = m->h;
    for (size_t i = m->order.len; i-- > 0;) {
        int u = m->order.at[i], loop = loop_around(h, code_of(h, (size_t)u));
        m->ceiling[u] = loop ? h->top[loop] : NO_ROW;
        for (size_t j = 0; j < m->outs[u].len && loop; j++) {
            int to = h->p->to[m->outs[u].at[j] - 1];
            size_t reader = unit_of(h, to);
            int row = m->link[reader] > m->ceiling[reader] ? m->link[reader] : m->ceiling[reader];
            if (loop_around(h, to) == loop && row != NO_ROW && row >= m->ceiling[u])
                m->ceiling[u] = row + 1;
        }
    }
}

/* ---- wishes ---- */

/* The row of what reads, in the forward loop, the value that is captured as node c. */
static int reader_of_same(const Halves *h, int c, int loop)
{
    for (int k = 1; (size_t)k <= h->s->edges.len; k++) {
        int from = h->p->from[k - 1], to = h->p->to[k - 1];
        if (flows(h, k) && from > 0 && scene_node_at(h->s, from)->box == loop &&
            scene_node_at(h->s, from)->role == ROLE_CAPTURE && scene_node_at(h->s, from)->id &&
            scene_node_at(h->s, from)->id == scene_node_at(h->s, c)->id)
            return h->row[unit_of(h, to)];
    }
    return NO_ROW;
}

static bool enters(SceneRole r) { return r >= ROLE_PARAM && r <= ROLE_CAPTURE; }

/* Which units of the forward half a loop goes on with, or something after it: the others are
 * computed for the way back only. */
static void find_used(Mirror *m)
{
    const Halves *h = m->h;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = h->s->edges.len; i-- > 0;) {
            int from = h->p->from[i], to = h->p->to[i];
            if (!h->p->edges[i].drawn || !from || !to || crosses(h, (int)i + 1) ||
                m->used[unit_of(h, from)])
                continue;
            bool leaves = loop_around(h, from) != loop_around(h, to) ||
                          scene_edge_at(h->s, (int)i + 1)->kind == EDGE_LOOPBACK;
            m->used[unit_of(h, from)] = leaves || m->used[unit_of(h, to)];
            more = more || m->used[unit_of(h, from)];
        }
    }
}

/* The used value of its loop that a node is computed from; the node itself if it is used. */
static int value_behind(const Mirror *m, int of)
{
    const Halves *h = m->h;
    for (bool found = true; found && !m->used[unit_of(h, of)];) {
        found = false;
        for (int k = 1; (size_t)k <= h->s->edges.len && !found; k++) {
            int from = h->p->from[k - 1];
            if (h->p->to[k - 1] != of || !flows(h, k) || from <= 0 ||
                home_of_code(h->s, from) != home_of_code(h->s, of) ||
                enters(scene_node_at(h->s, from)->role))
                continue;
            of = from;
            found = true;
        }
    }
    return of;
}

/* Just above the first of the values whose traces edge k brings to it; those that the forward loop
 * itself uses go first. */
static void wish_by_trace(const Mirror *m, int k, int *wish, bool *used)
{
    const Halves *h = m->h;
    int from = h->p->from[k - 1];
    for (int j = 1; (size_t)j <= h->s->edges.len; j++) {
        int of = h->p->from[j - 1];
        if (h->p->to[j - 1] != from || !flows(h, j) || of <= 0 ||
            enters(scene_node_at(h->s, of)->role))
            continue;
        bool uses = m->used[unit_of(h, of)];
        int row = h->row[unit_of(h, value_behind(m, of))] - 1;
        if (*wish == NO_ROW || uses > *used || (uses == *used && row < *wish))
            *wish = row;
        *used = *used || uses;
    }
}

/* Where u would stand; NO_ROW: anywhere. */
static int wish_of(const Mirror *m, int u)
{
    const Halves *h = m->h;
    bool used = false;
    int wish = NO_ROW, loop = loop_around(h, code_of(h, (size_t)u));
    if (!loop || !h->pair[loop])
        return NO_ROW;
    for (int k = 1; (size_t)k <= h->s->edges.len; k++) {
        int from = h->p->from[k - 1];
        if (!flows(h, k) || h->p->to[k - 1] != code_of(h, (size_t)u) || from <= 0)
            continue;
        if (h->column[unit_of(h, from)])
            wish_by_trace(m, k, &wish, &used);
        else if (scene_node_at(h->s, from)->role == ROLE_CAPTURE) {
            int row = reader_of_same(h, from, h->pair[loop]);
            wish = wish == NO_ROW || (row != NO_ROW && row < wish) ? row : wish;
        }
    }
    return wish != NO_ROW && wish < m->ceiling[u] ? m->ceiling[u] : wish;
}

/* ---- rows ---- */

/* The row of operand edge k as its reader sees it: of a loop that it leaves, the last one. */
static int row_over(const Halves *h, int k)
{
    int from = h->p->from[k - 1], to = h->p->to[k - 1], row = h->row[unit_of(h, from)];
    for (int b = home_of_code(h->s, from); b && !box_holds(h->s, b, to);
         b = scene_box_at(h->s, b)->parent)
        row = h->top[b] != NO_ROW && h->top[b] < row ? h->top[b] : row;
    return row;
}

/* Upwards: what has a place, and what reads that. */
static void place_up(Mirror *m)
{
    Halves *h = m->h;
    for (size_t i = 0; i < m->order.len; i++) {
        int u = m->order.at[i], code = code_of(h, (size_t)u), below = INT_MAX;
        bool fed = false;
        for (size_t j = 0; j < m->ins[u].len; j++) {
            int k = m->ins[u].at[j];
            if (!m->anchored[unit_of(h, h->p->from[k - 1])])
                continue;
            int row = row_over(h, k);
            below = row < below ? row : below;
            fed = true;
        }
        int wish = m->link[u] != NO_ROW ? m->link[u] : wish_of(m, u);
        if (is_param(h, code) && h->bottom[home_of_code(h->s, code)] != NO_ROW)
            wish = h->bottom[home_of_code(h->s, code)], fed = false;
        m->anchored[u] = fed || wish != NO_ROW;
        h->row[u] = !m->anchored[u]                      ? NO_ROW
                    : !fed                               ? wish
                    : wish != NO_ROW && wish < below - 1 ? wish
                                                         : below - 1;
    }
}

/* Downwards: what has no place yet, just below its readers; nothing above or beside one. */
static void place_down(Mirror *m)
{
    Halves *h = m->h;
    for (size_t i = m->order.len; i-- > 0;) {
        int u = m->order.at[i], lowest = NO_ROW;
        for (size_t j = 0; j < m->outs[u].len; j++) {
            int to = h->p->to[m->outs[u].at[j] - 1];
            int row = h->row[unit_of(h, to)];
            lowest = row > lowest ? row : lowest;
        }
        bool free_to_move = !is_param(h, code_of(h, (size_t)u)) ||
                            h->bottom[home_of_code(h->s, code_of(h, (size_t)u))] == NO_ROW;
        if (lowest != NO_ROW && h->row[u] <= lowest && free_to_move)
            h->row[u] = lowest + 1;
        if (h->row[u] == NO_ROW)
            h->row[u] = 0;
        m->anchored[u] = true;
    }
}

/* What leaves a loop and is read by nothing in it stands in its last row, if it belongs nowhere
 * else. */
static void lift_last(Mirror *m)
{
    Halves *h = m->h;
    for (size_t i = 0; i < m->order.len; i++) {
        int code = code_of(h, (size_t)m->order.at[i]), loop = loop_around(h, code);
        if (code > 0 && h->p->nodes[code - 1].last && m->link[m->order.at[i]] == NO_ROW && loop &&
            loop == home_of_code(h->s, code) && h->top[loop] != NO_ROW &&
            h->row[m->order.at[i]] > h->top[loop])
            h->row[m->order.at[i]] = h->top[loop];
    }
}

static void bound_loops(Halves *h)
{
    for (int box = 1; (size_t)box <= h->s->boxes.len; box++) {
        int top, bottom;
        if (!is_loop(h, box) || !runs_up(h->s, -box))
            continue;
        bound(h, box, &top, &bottom);
        if (bottom == NO_ROW)
            continue;
        h->top[box] = top;
        h->bottom[box] = bottom;
    }
}

void mirror_rows(Halves *h)
{
    size_t n = units(h) + 1;
    Mirror m = {h,
                xcalloc(n, sizeof(IntVec)),
                xcalloc(n, sizeof(IntVec)),
                {0},
                xcalloc(n, sizeof(int)),
                xcalloc(n, sizeof(int)),
                xcalloc(n, 1),
                xcalloc(n, 1)};
    find_links(&m);
    collect_edges(&m);
    sort_units(&m);
    find_pairs(&m);
    find_ceilings(&m);
    find_used(&m);
    for (int i = 0; i < 3; i++) { /* loops inside have their rows after the first time */
        memset(m.anchored, 0, n);
        place_up(&m);
        place_down(&m);
        bound_loops(h);
        lift_last(&m);
    }
    for (size_t u = 0; u < n; u++) {
        vec_free(&m.ins[u]);
        vec_free(&m.outs[u]);
    }
    free(m.ins);
    free(m.outs);
    vec_free(&m.order);
    free(m.link);
    free(m.ceiling);
    free(m.anchored);
    free(m.used);
}
