/* A figure cut down to what is near a node: frames are kept or left out as wholes.
 *
 * Invariant: what is kept is as it was; formulas still name what is left out. */
#include "viz/scene/figure_parts.h"
#include "viz/scene/scene_cut.h"

static bool find_start(const SceneCut *c)
{
    bool any = false;
    for (int k = 1; k <= (int)c->s->nodes.len; k++)
        if (scene_node_at(c->s, k)->focus)
            *cut_node(c, k) = 0, any = true;
    for (int k = 1; k <= (int)c->s->boxes.len; k++)
        if (scene_box_at(c->s, k)->focus)
            *cut_box(c, k) = 0, any = true;
    return any;
}

/* Formulas outside of frames, and outermost frames. */
static size_t count_pieces(const Scene *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->nodes.len; i++)
        n += !s->nodes.at[i].box;
    for (size_t i = 0; i < s->boxes.len; i++)
        n += !s->boxes.at[i].parent;
    return n;
}

static void light_focus(Scene *s)
{
    for (size_t i = 0; i < s->nodes.len; i++)
        s->nodes.at[i].lit |= s->nodes.at[i].focus;
    for (size_t i = 0; i < s->boxes.len; i++)
        s->boxes.at[i].lit |= s->boxes.at[i].focus;
}

Scene *figure_focus_cut(Scene *whole, const FigureOptions *o)
{
    SceneCut c;
    cut_begin(&c, whole, true);
    if (find_start(&c)) {
        cut_make(&c, o->depth);
        light_focus(c.out);
        scene_set_note(c.out, whole->note);
        scene_set_notation(c.out, whole->notation);
        Text t = {0};
        text_printf(&t, "depth %d around %%%u; %zu of %zu formulas and frames", o->depth, o->focus,
                    count_pieces(c.out), count_pieces(whole));
        scene_set_note(c.out, text_str(&t));
        text_free(&t);
    }
    cut_end(&c);
    scene_free(whole);
    return c.out;
}
