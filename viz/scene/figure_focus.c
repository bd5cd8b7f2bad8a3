/* A figure cut down to what is near a node: frames are kept or left out as wholes.
 *
 * Invariant: what is kept is as it was; formulas still name what is left out. */
#include "viz/scene/figure_parts.h"

/* Pieces are the outermost frames (by number, from 1) and after them the nodes outside of all. */
typedef struct {
    const Scene *s;
    int boxes;
    int *distance; /* by piece; -1: not reached */
} Near;

static int piece_of(const Near *n, int node, int box)
{
    box = node ? scene_node_at(n->s, node)->box : box;
    while (box && scene_box_at(n->s, box)->parent)
        box = scene_box_at(n->s, box)->parent;
    return box ? box : n->boxes + node;
}

static bool find_start(Near *n)
{
    bool any = false;
    for (int k = 1; k <= (int)n->s->nodes.len; k++)
        if (scene_node_at(n->s, k)->focus)
            n->distance[piece_of(n, k, 0)] = 0, any = true;
    for (int k = 1; k <= n->boxes; k++)
        if (scene_box_at(n->s, k)->focus)
            n->distance[piece_of(n, 0, k)] = 0, any = true;
    return any;
}

static void spread(Near *n, int depth)
{
    for (int d = 0; d < depth; d++)
        for (size_t i = 0; i < n->s->edges.len; i++) {
            const SceneEdge *e = &n->s->edges.at[i];
            int a = piece_of(n, e->from_box ? 0 : e->from, e->from_box),
                z = piece_of(n, e->to_box ? 0 : e->to, e->to_box);
            if (n->distance[a] == d && n->distance[z] < 0)
                n->distance[z] = d + 1;
            if (n->distance[z] == d && n->distance[a] < 0)
                n->distance[a] = d + 1;
        }
}

static void copy_boxes(const Near *n, Scene *out, int *box_of)
{
    for (int k = 1; k <= n->boxes; k++) {
        SceneBox b = *scene_box_at(n->s, k);
        if (n->distance[piece_of(n, 0, k)] < 0)
            continue;
        b.parent = box_of[b.parent];
        b.lit |= b.focus;
        box_of[k] = scene_box(out, &b);
    }
}

static void copy_nodes(const Near *n, Scene *out, const int *box_of, int *node_of)
{
    for (int k = 1; k <= (int)n->s->nodes.len; k++) {
        SceneNode c = *scene_node_at(n->s, k);
        if (n->distance[piece_of(n, k, 0)] < 0)
            continue;
        c.box = box_of[c.box];
        c.lit |= c.focus;
        node_of[k] = scene_node(out, &c);
    }
}

static void copy_edges(const Near *n, Scene *out, const int *box_of, const int *node_of)
{
    for (size_t i = 0; i < n->s->edges.len; i++) {
        SceneEdge e = n->s->edges.at[i];
        e.from = node_of[e.from];
        e.to = node_of[e.to];
        e.from_box = box_of[e.from_box];
        e.to_box = box_of[e.to_box];
        if ((e.from || e.from_box) && (e.to || e.to_box))
            scene_edge(out, &e);
    }
}

static void tell_depth(const Near *n, Scene *out, const FigureOptions *o)
{
    Text t = {0};
    size_t kept = 0, all = 0;
    for (int k = 1; k <= n->boxes + (int)n->s->nodes.len; k++) {
        bool own = k <= n->boxes ? !scene_box_at(n->s, k)->parent
                                 : !scene_node_at(n->s, k - n->boxes)->box;
        all += own;
        kept += own && n->distance[k] >= 0;
    }
    text_printf(&t, "depth %d around %%%u; %zu of %zu formulas and frames", o->depth, o->focus,
                kept, all);
    scene_set_note(out, text_str(&t));
    text_free(&t);
}

Scene *figure_focus_cut(Scene *whole, const FigureOptions *o)
{
    size_t nodes = whole->nodes.len + 1, boxes = whole->boxes.len + 1;
    Near n = {.s = whole, .boxes = (int)whole->boxes.len};
    n.distance = xmalloc((nodes + boxes) * sizeof *n.distance);
    for (size_t i = 0; i < nodes + boxes; i++)
        n.distance[i] = -1;
    int *node_of = xcalloc(nodes, sizeof *node_of), *box_of = xcalloc(boxes, sizeof *box_of);
    Scene *out = scene_new(whole->title);
    out->style = whole->style;
    out->listed = whole->listed;
    if (find_start(&n)) {
        spread(&n, o->depth);
        copy_boxes(&n, out, box_of);
        copy_nodes(&n, out, box_of, node_of);
        copy_edges(&n, out, box_of, node_of);
        scene_set_note(out, whole->note);
        scene_set_notation(out, whole->notation);
        tell_depth(&n, out, o);
    }
    free(n.distance);
    free(node_of);
    free(box_of);
    scene_free(whole);
    return out;
}
