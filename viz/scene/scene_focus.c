/* Cutting a scene down to what is near a node. */
#include "viz/scene/scene_parts.h"

/* Vertices: nodes 1..n, then boxes n+1..; distances along edges in either direction. */
typedef struct {
    const Scene *s;
    int *distance; /* -1: not reached */
    int nodes;
} Reach;

static int vertex(const Reach *r, int node, int box) { return node ? node : r->nodes + box; }

static void spread(Reach *r, int depth)
{
    for (int d = 0; d < depth; d++) {
        bool any = false;
        for (size_t i = 0; i < r->s->edges.len; i++) {
            const SceneEdge *e = &r->s->edges.at[i];
            int a = vertex(r, e->from, e->from_box), z = vertex(r, e->to, e->to_box);
            if (r->distance[a] == d && r->distance[z] < 0)
                r->distance[z] = d + 1, any = true;
            if (r->distance[z] == d && r->distance[a] < 0)
                r->distance[a] = d + 1, any = true;
        }
        if (!any)
            return;
    }
}

static bool find_start(Reach *r, i64 id)
{
    bool found = false;
    for (size_t i = 0; i < r->s->boxes.len; i++) {
        const SceneBox *b = &r->s->boxes.at[i];
        bool inside = b->parent && r->distance[r->nodes + b->parent] == 0;
        if (b->owner_id == id || inside) {
            r->distance[r->nodes + (int)i + 1] = 0;
            found = true;
        }
    }
    for (size_t i = 0; i < r->s->nodes.len; i++) {
        const SceneNode *n = &r->s->nodes.at[i];
        if (n->id == id || (n->box && r->distance[r->nodes + n->box] == 0)) {
            r->distance[i + 1] = 0;
            found = true;
        }
    }
    return found;
}

/* Boxes around what is kept are kept. */
static void reach_boxes(Reach *r)
{
    for (int i = 1; i <= r->nodes; i++)
        for (int box = scene_node_at(r->s, i)->box; r->distance[i] >= 0 && box;
             box = scene_box_at(r->s, box)->parent)
            if (r->distance[r->nodes + box] < 0)
                r->distance[r->nodes + box] = r->distance[i];
}

static void copy_boxes(const Reach *r, Scene *out, int *box_of)
{
    for (int i = 1; i <= (int)r->s->boxes.len; i++) {
        SceneBox b = *scene_box_at(r->s, i);
        if (r->distance[r->nodes + i] < 0)
            continue;
        b.parent = box_of[b.parent];
        b.owner = 0;
        box_of[i] = scene_box(out, &b);
    }
}

static void copy_nodes(const Reach *r, Scene *out, const int *box_of, int *node_of, i64 id)
{
    for (int i = 1; i <= r->nodes; i++) {
        SceneNode n = *scene_node_at(r->s, i);
        if (r->distance[i] < 0)
            continue;
        n.box = box_of[n.box];
        n.focus = n.id == id;
        n.elided = 0;
        node_of[i] = scene_node(out, &n);
    }
}

static void copy_edges(const Reach *r, Scene *out, const int *box_of, const int *node_of)
{
    for (size_t i = 0; i < r->s->edges.len; i++) {
        SceneEdge e = r->s->edges.at[i];
        int from = node_of[e.from], to = node_of[e.to];
        bool left = e.from_box ? !box_of[e.from_box] : !from,
             cut = e.to_box ? !box_of[e.to_box] : !to;
        if (left && !cut && to)
            scene_node_at(out, to)->elided++;
        if (cut && !left && from)
            scene_node_at(out, from)->elided++;
        if (left || cut)
            continue;
        e.from = from;
        e.to = to;
        e.from_box = box_of[e.from_box];
        e.to_box = box_of[e.to_box];
        scene_edge(out, &e);
    }
}

Scene *focus_cut(Builder *b, Scene *whole)
{
    Reach r = {.s = whole, .nodes = (int)whole->nodes.len};
    size_t count = whole->nodes.len + whole->boxes.len + 1;
    i64 id = (i64)number_of(b->num, b->options->focus);
    r.distance = xmalloc(count * sizeof *r.distance);
    for (size_t i = 0; i < count; i++)
        r.distance[i] = -1;
    int *node_of = xcalloc(whole->nodes.len + 1, sizeof *node_of);
    int *box_of = xcalloc(whole->boxes.len + 1, sizeof *box_of);
    Scene *out = scene_new(whole->title);
    if (find_start(&r, id)) {
        spread(&r, b->options->depth);
        reach_boxes(&r);
        copy_boxes(&r, out, box_of);
        copy_nodes(&r, out, box_of, node_of, id);
        copy_edges(&r, out, box_of, node_of);
        scene_set_note(out,
                       label_text(b, "depth %d around %%%lld; %zu of %zu nodes", b->options->depth,
                                  (long long)id, out->nodes.len, whole->nodes.len));
    }
    free(r.distance);
    free(node_of);
    free(box_of);
    scene_free(whole);
    return out;
}
