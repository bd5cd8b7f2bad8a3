/* Cutting a scene.  See scene_cut.h. */
#include "viz/scene/scene_cut.h"

static int outermost(const SceneCut *c, int box)
{
    while (c->whole && box && scene_box_at(c->s, box)->parent)
        box = scene_box_at(c->s, box)->parent;
    return box;
}

int *cut_box(const SceneCut *c, int box)
{
    return &c->distance[(int)c->s->nodes.len + outermost(c, box) - 1];
}

int *cut_node(const SceneCut *c, int node)
{
    int box = c->whole ? scene_node_at(c->s, node)->box : 0;
    return box ? cut_box(c, box) : &c->distance[node - 1];
}

static int *at_end(const SceneCut *c, int node, int box)
{
    return box ? cut_box(c, box) : cut_node(c, node);
}

void cut_begin(SceneCut *c, const Scene *s, bool whole)
{
    size_t n = s->nodes.len + s->boxes.len;
    *c = (SceneCut){.s = s, .whole = whole, .distance = xmalloc((n + 1) * sizeof *c->distance)};
    for (size_t i = 0; i < n; i++)
        c->distance[i] = -1;
    c->out = scene_new(s->title);
    c->out->style = s->style;
    c->out->listed = s->listed;
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

void cut_make(SceneCut *c, int depth)
{
    int *box_of = xcalloc(c->s->boxes.len + 1, sizeof *box_of),
        *node_of = xcalloc(c->s->nodes.len + 1, sizeof *node_of);
    spread(c, depth);
    keep_boxes_around(c);
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

void cut_end(SceneCut *c) { free(c->distance); }
