/* Wishes about ranks: what enters a box stands at its top, what leaves it goes on below it; in the
 * half that computes cotangents the other way round.
 *
 * Invariant: these are wishes. dot drops those that contradict each other, and a layout with less
 * effort goes without. */
#include "viz/draw/draw_dot.h"

/* Does it flow from bottom to top? What computes cotangents does, beside what they belong to. */
bool is_upward(const Build *b, int from, int to)
{
    return b->p->effort <= EFFORT_LESS && runs_up(b->s, from) && runs_up(b->s, to);
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

void put_in_row(Build *b, Agnode_t *v, int box, bool first)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%d", first ? "top" : "end", box);
    Agraph_t *row = agsubg(b->clusters[box - 1], name, 1);
    put_attr(b, row, "rank", first != runs_up(b->s, -box) ? "min" : "max");
    agsubnode(row, v, 1);
}

void fill_rows(Build *b)
{
    for (size_t i = 0; i < b->s->nodes.len; i++) {
        const SceneNode *n = &b->s->nodes.at[i];
        const Item *item = &b->p->nodes[i];
        bool first = enters(n->role) && !item->deep;
        if (item->drawn && n->box && (first || item->last))
            put_in_row(b, end_of(b, (int)i + 1, 0, 0), n->box, first);
    }
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
