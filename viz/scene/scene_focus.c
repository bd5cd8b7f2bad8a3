/* Cutting a drawing down to what is near a node. */
#include "viz/scene/scene_cut.h"
#include "viz/scene/scene_parts.h"

/* The node, or the boxes of its inner graphs with all that is in them. */
static bool find_start(const SceneCut *c, i64 id)
{
    bool found = false;
    for (int i = 1; i <= (int)c->s->boxes.len; i++) {
        const SceneBox *b = scene_box_at(c->s, i);
        if (b->owner_id == id || (b->parent && *cut_box(c, b->parent) == 0))
            *cut_box(c, i) = 0, found = true;
    }
    for (int i = 1; i <= (int)c->s->nodes.len; i++) {
        const SceneNode *n = scene_node_at(c->s, i);
        if (n->id == id || (n->box && *cut_box(c, n->box) == 0))
            *cut_node(c, i) = 0, found = true;
    }
    return found;
}

Scene *focus_cut(Builder *b, Scene *whole)
{
    i64 id = (i64)number_of(b->num, b->options->focus);
    SceneCut c;
    cut_begin(&c, whole, false);
    if (find_start(&c, id)) {
        cut_make(&c, b->options->depth);
        for (size_t i = 0; i < c.out->nodes.len; i++)
            c.out->nodes.at[i].focus = c.out->nodes.at[i].id == id;
        scene_set_note(c.out,
                       label_text(b, "depth %d around %%%lld; %zu of %zu nodes", b->options->depth,
                                  (long long)id, c.out->nodes.len, whole->nodes.len));
    }
    cut_end(&c);
    scene_free(whole);
    return c.out;
}
