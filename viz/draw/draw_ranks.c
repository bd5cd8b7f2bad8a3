/* Wishes about ranks: what enters a box stands at its top, what leaves it goes on below it; in the
 * half that computes cotangents the other way round.
 *
 * Invariant: these are wishes. dot drops those that contradict each other, and a layout with less
 * effort goes without. */
#include "viz/draw/draw_dot.h"

#include <limits.h>

/* Does it flow from bottom to top? What computes cotangents does, beside what they belong to. */
bool is_upward(const Build *b, int from, int to)
{
    return b->p->rows || (b->p->effort <= EFFORT_LESS && runs_up(b->s, from) && runs_up(b->s, to));
}

/* From a cotangent to its value, in the halves: these stand on one height if they can. */
bool is_beside(const Build *b, int from, int to)
{
    return b->p->effort <= EFFORT_LESS && runs_up(b->s, from) && !runs_up(b->s, to);
}

/* ---- ranks: what enters a box stands at its top, what leaves it goes on below it ---- */

enum { MAX_PUSHES = 8 }; /* per edge that leaves a box */

Agnode_t *end_of(const Build *b, int code, int anchor, char letter)
{
    char name[32];
    if (anchor)
        snprintf(name, sizeof name, "%c%d", letter, anchor);
    else
        snprintf(name, sizeof name, "%c%d", code > 0 ? 'n' : 'c', abs(code));
    return agnode(b->g, name, 0);
}

static void push(Build *b, Agnode_t *above, Agnode_t *below, bool up)
{
    Agedge_t *v = up ? agedge(b->g, below, above, NULL, 1) : agedge(b->g, above, below, NULL, 1);
    put_attr(b, v, "style", "invis");
    put_attr(b, v, "weight", "2");
}

static void push_below(Build *b, int box, int from, int to, const bool *goes_on)
{
    Agnode_t *below = end_of(b, to, 0, 0);
    int pushed = 0;
    if (b->p->boxes[box - 1].bottom) {
        push(b, end_of(b, 0, box, 'z'), below, runs_up(b->s, -box));
        pushed = MAX_PUSHES;
    }
    for (int k = (int)b->s->nodes.len; k >= 1 && pushed < MAX_PUSHES; k--) {
        if (k == from || goes_on[k] || scene_node_at(b->s, k)->box != box ||
            !b->p->nodes[k - 1].drawn)
            continue;
        push(b, end_of(b, k, 0, 0), below, runs_up(b->s, -box));
        pushed++;
    }
}

static bool enters(SceneRole r) { return r >= ROLE_PARAM && r <= ROLE_SEQUENCE; }

/* Each row is a point of a chain, and what is of its rank. */
static Agnode_t *chain_point(Build *b, int row)
{
    char name[32];
    snprintf(name, sizeof name, "r%d", row);
    Agnode_t *v = agnode(b->g, name, 1);
    put_attr(b, v, "style", "invis");
    put_attr(b, v, "shape", "point");
    put_attr(b, v, "width", "0.02");
    put_attr(b, v, "height", "0.02");
    return v;
}

static void put_in_given_row(Build *b, Agnode_t *v, int row)
{
    char name[32];
    snprintf(name, sizeof name, "row_%d", row);
    Agraph_t *all = agsubg(b->g, name, 1);
    put_attr(b, all, "rank", "same");
    agsubnode(all, v, 1);
    agsubnode(all, chain_point(b, row), 1);
}

void fill_given_rows(Build *b)
{
    const Picture *p = b->p;
    size_t nodes = b->s->nodes.len, all = nodes + b->s->boxes.len;
    int low = INT_MAX, high = INT_MIN;
    for (size_t i = 0; i < all; i++) {
        bool node = i < nodes;
        if (node ? !p->nodes[i].drawn
                 : !p->boxes[i - nodes].drawn || !b->s->boxes.at[i - nodes].closed)
            continue;
        int row = p->rows->of[i], code = node ? (int)i + 1 : -(int)(i - nodes) - 1;
        put_in_given_row(b, end_of(b, code, 0, 0), row);
        low = row < low ? row : low;
        high = row > high ? row : high;
    }
    for (int row = low; row < high; row++) {
        Agedge_t *e = agedge(b->g, chain_point(b, row), chain_point(b, row + 1), NULL, 1);
        put_attr(b, e, "style", "invis");
    }
}

void put_in_row(Build *b, Agnode_t *v, int box, bool first)
{
    char name[32];
    if (b->p->rows) {
        put_in_given_row(b, v, (first ? b->p->rows->bottom : b->p->rows->top)[box]);
        return;
    }
    snprintf(name, sizeof name, "%s_%d", first ? "top" : "end", box);
    Agraph_t *row = agsubg(b->clusters[box - 1], name, 1);
    put_attr(b, row, "rank", first != runs_up(b->s, -box) ? "min" : "max");
    agsubnode(row, v, 1);
}

static bool is_first(const Build *b, int node) { return enters(scene_node_at(b->s, node)->role); }

bool has_row(const Build *b, int code)
{
    return code > 0 && b->p->nodes[code - 1].drawn && scene_node_at(b->s, code)->box &&
           (is_first(b, code) || b->p->nodes[code - 1].last);
}

void fill_rows(Build *b)
{
    for (int k = 1; (size_t)k <= b->s->nodes.len; k++)
        if (has_row(b, k))
            put_in_row(b, end_of(b, k, 0, 0), scene_node_at(b->s, k)->box, is_first(b, k));
}

static bool is_region(SceneBoxKind k)
{
    return k == BOX_GROUP || k == BOX_FORWARD || k == BOX_ADJOINT || k == BOX_FRAME;
}

/* Invisible edges from the last nodes of each loop or call to what comes after it, so that all of
 * it is below. */
void lower_consumers(Build *b)
{
    size_t n = b->s->nodes.len;
    bool *goes_on = xcalloc(n + 1, sizeof *goes_on); /* has a user in its own box */
    for (size_t i = 0; i < b->s->edges.len; i++) {
        int from = b->p->from[i], to = b->p->to[i];
        if (b->p->edges[i].drawn && from > 0 &&
            box_holds(b->s, scene_node_at(b->s, from)->box, to) &&
            b->s->edges.at[i].kind != EDGE_LOOPBACK)
            goes_on[from] = true;
    }
    for (size_t i = 0; i < b->s->edges.len; i++) {
        int from = b->p->from[i], to = b->p->to[i];
        int box = from > 0 ? scene_node_at(b->s, from)->box : 0;
        if (!b->p->edges[i].drawn || box == 0 || box_holds(b->s, box, to) || b->p->anchor_to[i] ||
            b->p->port[i] || b->p->nodes[from - 1].last || b->s->edges.at[i].kind == EDGE_ADJOINT ||
            is_region(scene_box_at(b->s, box)->kind) || is_beside(b, from, to) ||
            is_beside(b, to, from))
            continue;
        push_below(b, box, from, to, goes_on);
    }
    free(goes_on);
}

/* ---- crowds of inputs ---- */

/* Inputs that only `reader` reads, by their order. */
static int crowd_of(const Build *b, const int *only, int reader, int *crowd)
{
    int n = 0;
    for (int k = 1; (size_t)k <= b->s->nodes.len; k++)
        if (only[k] == reader)
            crowd[n++] = k;
    return n;
}

/* The only reader of each input; 0: there are more, or it is no input. */
static int *only_readers(const Build *b)
{
    enum { SEVERAL = INT_MAX };
    int *only = xcalloc(b->s->nodes.len + 1, sizeof *only);
    for (size_t i = 0; i < b->s->edges.len; i++) {
        int from = b->p->from[i], to = b->p->to[i];
        SceneRole role = from > 0 ? scene_node_at(b->s, from)->role : ROLE_NONE;
        if (!b->p->edges[i].drawn || to == 0 || (role != ROLE_INPUT && role != ROLE_SHARED))
            continue;
        only[from] = only[from] && only[from] != to ? SEVERAL : to;
    }
    for (size_t k = 0; k <= b->s->nodes.len; k++)
        only[k] = only[k] == SEVERAL ? 0 : only[k];
    return only;
}

void wrap_crowds(Build *b)
{
    enum { WIDEST = 12, MOST_PASSES = 3000 }; /* of edges through rows */
    int *only = only_readers(b), *crowd = xcalloc(b->s->nodes.len + 1, sizeof *crowd);
    for (int k = 1; (size_t)k <= b->s->nodes.len; k++) {
        int reader = only[k];
        int n = reader ? crowd_of(b, only, reader, crowd) : 0, rows = (n + WIDEST - 1) / WIDEST;
        for (int i = 0; i < n; i++)
            only[crowd[i]] = 0;
        rows = n > 0 && rows > MOST_PASSES / n ? MOST_PASSES / n + 1 : rows;
        int wide = rows ? (n + rows - 1) / rows : 0;
        for (int i = wide; i < n && rows > 1; i++)
            push(b, end_of(b, crowd[i - wide], 0, 0), end_of(b, crowd[i], 0, 0), false);
    }
    free(only);
    free(crowd);
}

/* ---- the forward half of a gradient ---- */

static bool is_loop(const Build *b, int box)
{
    SceneBoxKind k = scene_box_at(b->s, box)->kind;
    return (k == BOX_SCAN || k == BOX_LOOP) && b->p->boxes[box - 1].drawn &&
           !scene_box_at(b->s, box)->closed;
}

/* What reaches a loop's inside: by number of node. */
static bool *feeds_loops(const Build *b)
{
    bool *feeds = xcalloc(b->s->nodes.len + 1, 1);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = b->s->edges.len; i-- > 0;) {
            int from = b->p->from[i], to = b->p->to[i];
            if (!b->p->edges[i].drawn || from <= 0 || feeds[from] || to == 0)
                continue;
            int box = to > 0 ? scene_node_at(b->s, to)->box : 0;
            feeds[from] = (to > 0 && feeds[to]) || (box && is_loop(b, box));
            more = more || feeds[from];
        }
    }
    return feeds;
}

/* Inputs of loops stand above the half, not beside it. */
static void lift_inputs(Build *b)
{
    bool *feeds = feeds_loops(b);
    Agraph_t *row = NULL;
    for (int k = 1; (size_t)k <= b->s->nodes.len; k++) {
        const SceneNode *n = scene_node_at(b->s, k);
        bool inside = n->box && scene_box_at(b->s, n->box)->kind != BOX_FRAME;
        if (!b->p->nodes[k - 1].drawn || inside || !feeds[k] ||
            (n->role != ROLE_INPUT && n->role != ROLE_SHARED))
            continue;
        if (!row)
            put_attr(b, row = agsubg(home_of(b, n->box), (char[]){"inputs"}, 1), "rank",
                     n->box ? "min" : "source");
        agsubnode(row, end_of(b, k, 0, 0), 1);
    }
    free(feeds);
}

static int first_in(const Build *b, int box, bool last)
{
    for (int k = 1; (size_t)k <= b->s->nodes.len; k++) {
        const SceneNode *n = scene_node_at(b->s, k);
        if (b->p->nodes[k - 1].drawn && n->box == box &&
            (last ? b->p->nodes[k - 1].last : enters(n->role)))
            return k;
    }
    return 0;
}

/* The first loop of the other half that reads traces of this one; 0: none. */
static int traced_by(const Build *b, int loop)
{
    for (size_t i = 0; i < b->s->edges.len; i++) {
        const SceneEdge *e = &b->s->edges.at[i];
        if (e->kind == EDGE_SEQUENCE && e->from && e->to && runs_up(b->s, e->to) &&
            box_holds(b->s, loop, e->from))
            return scene_node_at(b->s, e->to)->box;
    }
    return 0;
}

/* Loops stand below each other, in the order that the way back takes from its end, so that nothing
 * is between their traces and the other half. */
static void stack_loops(Build *b)
{
    int above = 0;
    for (int back = (int)b->s->boxes.len; back >= 1; back--)
        for (int k = 1; (size_t)k <= b->s->boxes.len; k++) {
            if (!is_loop(b, k) || !scene_box_at(b->s, k)->parent || traced_by(b, k) != back ||
                scene_box_at(b->s, scene_box_at(b->s, k)->parent)->kind != BOX_FORWARD)
                continue;
            int from = above ? first_in(b, above, true) : 0, to = first_in(b, k, false);
            if (from && to)
                push(b, end_of(b, from, 0, 0), end_of(b, to, 0, 0), false);
            above = k;
        }
}

void arrange_forward(Build *b)
{
    lift_inputs(b);
    stack_loops(b);
}
