/* Cutting a scene.  See scene_cut.h.
 *
 * Invariant: boxes around what is kept are kept; an edge is kept if both its ends are. */
#include "viz/scene/scene_cut.h"

typedef struct {
    const Scene *s;
    bool whole;    /* an outermost frame is kept or left out with all that is in it */
    int *distance; /* of nodes, then of boxes, by number - 1; -1: not reached */
    Scene *out;
} SceneCut;

static int *cut_box(const SceneCut *c, int box)
{
    box = c->whole ? scene_outermost(c->s, box) : box;
    return &c->distance[(int)c->s->nodes.len + box - 1];
}

/* Its distance; with `whole`, that of its frame. */
static int *cut_node(const SceneCut *c, int node)
{
    int box = c->whole ? scene_node_at(c->s, node)->box : 0;
    return box ? cut_box(c, box) : &c->distance[node - 1];
}

static int *at_end(const SceneCut *c, int node, int box)
{
    return box ? cut_box(c, box) : cut_node(c, node);
}

static void spread(SceneCut *c, int depth)
{
    for (int d = 0; d < depth; d++)
        for (size_t i = 0; i < c->s->edges.len; i++) {
            const SceneEdge *e = &c->s->edges.at[i];
            int *a = at_end(c, e->from, e->from_box), *z = at_end(c, e->to, e->to_box);
            if (*a == d && *z < 0)
                *z = d + 1;
            if (*z == d && *a < 0)
                *a = d + 1;
        }
}

static void keep_boxes_around(SceneCut *c)
{
    for (int i = 1; i <= (int)c->s->nodes.len; i++)
        for (int box = scene_node_at(c->s, i)->box; *cut_node(c, i) >= 0 && box;
             box = scene_box_at(c->s, box)->parent)
            if (*cut_box(c, box) < 0)
                *cut_box(c, box) = *cut_node(c, i);
}

static void copy_edges(SceneCut *c, const int *box_of, const int *node_of)
{
    for (size_t i = 0; i < c->s->edges.len; i++) {
        SceneEdge e = c->s->edges.at[i];
        e.from = node_of[e.from];
        e.to = node_of[e.to];
        bool left = e.from_box ? !box_of[e.from_box] : !e.from,
             cut = e.to_box ? !box_of[e.to_box] : !e.to;
        e.from_box = box_of[e.from_box];
        e.to_box = box_of[e.to_box];
        if (!left && !cut)
            scene_edge(c->out, &e);
        else if (!c->whole && left && !cut && e.to)
            scene_node_at(c->out, e.to)->elided++;
        else if (!c->whole && cut && !left && e.from)
            scene_node_at(c->out, e.from)->elided++;
    }
}

/* What is reached, copied. Nodes count the edges that are cut, unless frames are kept whole. */
static void copy_reached(SceneCut *c)
{
    int *box_of = xcalloc(c->s->boxes.len + 1, sizeof *box_of),
        *node_of = xcalloc(c->s->nodes.len + 1, sizeof *node_of);
    for (int i = 1; i <= (int)c->s->boxes.len; i++) {
        SceneBox b = *scene_box_at(c->s, i);
        b.parent = box_of[b.parent];
        b.owner = 0;
        box_of[i] = *cut_box(c, i) < 0 ? 0 : scene_box(c->out, &b);
    }
    for (int i = 1; i <= (int)c->s->nodes.len; i++) {
        SceneNode n = *scene_node_at(c->s, i);
        n.box = box_of[n.box];
        n.elided = 0;
        node_of[i] = *cut_node(c, i) < 0 ? 0 : scene_node(c->out, &n);
    }
    copy_edges(c, box_of, node_of);
    free(box_of);
    free(node_of);
}

/* ---- the focus ---- */

/* In a graph the node, or the boxes of its inner graphs with all that is in them. */
static bool box_starts(const SceneCut *c, int k, i64 id)
{
    const SceneBox *b = scene_box_at(c->s, k);
    return c->whole ? b->focus : b->owner_id == id || (b->parent && *cut_box(c, b->parent) == 0);
}

static bool node_starts(const SceneCut *c, int k, i64 id)
{
    const SceneNode *n = scene_node_at(c->s, k);
    return c->whole ? n->focus : n->id == id || (n->box && *cut_box(c, n->box) == 0);
}

static bool find_start(const SceneCut *c, i64 id)
{
    bool any = false;
    for (int k = 1; k <= (int)c->s->boxes.len; k++)
        if (box_starts(c, k, id))
            *cut_box(c, k) = 0, any = true;
    for (int k = 1; k <= (int)c->s->nodes.len; k++)
        if (node_starts(c, k, id))
            *cut_node(c, k) = 0, any = true;
    return any;
}

static void show_focus(const SceneCut *c, i64 id)
{
    for (size_t i = 0; i < c->out->nodes.len; i++) {
        SceneNode *n = &c->out->nodes.at[i];
        n->focus = c->whole ? n->focus : n->id == id;
        n->lit |= c->whole && n->focus;
    }
    for (size_t i = 0; i < c->out->boxes.len && c->whole; i++)
        c->out->boxes.at[i].lit |= c->out->boxes.at[i].focus;
}

/* Nodes; of a figure formulas outside of frames, and outermost frames. */
static size_t count_pieces(const SceneCut *c, const Scene *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->nodes.len; i++)
        n += !c->whole || !s->nodes.at[i].box;
    for (size_t i = 0; i < s->boxes.len && c->whole; i++)
        n += !s->boxes.at[i].parent;
    return n;
}

static void put_note(const SceneCut *c, i64 id, int depth)
{
    Text t = {0};
    text_printf(&t, "depth %d around %%%lld; %zu of %zu %s", depth, (long long)id,
                count_pieces(c, c->out), count_pieces(c, c->s),
                c->whole ? "formulas and frames" : "nodes");
    scene_set_note(c->out, c->s->note);
    scene_set_note(c->out, text_str(&t));
    text_free(&t);
}

Scene *scene_cut(Scene *s, i64 id, int depth)
{
    size_t n = s->nodes.len + s->boxes.len;
    SceneCut c = {.s = s,
                  .whole = s->style == STYLE_FIGURE,
                  .distance = xmalloc((n + 1) * sizeof *c.distance),
                  .out = scene_new(s->title)};
    for (size_t i = 0; i < n; i++)
        c.distance[i] = -1;
    c.out->style = s->style;
    c.out->listed = s->listed;
    if (find_start(&c, id)) {
        spread(&c, depth);
        keep_boxes_around(&c);
        copy_reached(&c);
        show_focus(&c, id);
        put_note(&c, id, depth);
        scene_set_notation(c.out, s->notation);
    }
    free(c.distance);
    scene_free(s);
    return c.out;
}
