/* Closing inner graphs so that a picture stays readable.
 *
 * Invariant: what is closed says how many nodes it holds, and the picture says that something was
 * closed. */
#include "viz/scene/scene.h"

static int depth_of(const Scene *s, int box)
{
    int d = 0;
    for (int b = scene_box_at(s, box)->parent; b; b = scene_box_at(s, b)->parent)
        d++;
    return d;
}

/* Nodes in each box at any depth, by number. */
static size_t *counts_inside(const Scene *s)
{
    size_t *inside = xcalloc(s->boxes.len + 1, sizeof *inside);
    for (size_t i = 0; i < s->nodes.len; i++)
        for (int b = s->nodes.at[i].box; b; b = scene_box_at(s, b)->parent)
            inside[b]++;
    return inside;
}

size_t scene_hidden_nodes(const Scene *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->nodes.len; i++)
        n += scene_hidden_by(s, s->nodes.at[i].box) != 0;
    return n;
}

static int innermost_open(const Scene *s, const size_t *inside)
{
    int best = 0, best_depth = -1;
    for (int k = 1; (size_t)k <= s->boxes.len; k++) {
        const SceneBox *b = scene_box_at(s, k);
        if (b->closed || b->kind == BOX_FRAME || scene_hidden_by(s, b->parent))
            continue;
        int d = depth_of(s, k);
        if (d > best_depth || (d == best_depth && inside[k] > inside[best])) {
            best = k;
            best_depth = d;
        }
    }
    return best;
}

static void close_box(Scene *s, int k, size_t inside)
{
    SceneBox *b = scene_box_at(s, k);
    Text t = {0};
    text_printf(&t, "%s%s%zu node%s inside", b->subtitle ? b->subtitle : "",
                b->subtitle && *b->subtitle ? ", " : "", inside, inside == 1 ? "" : "s");
    b->subtitle = arena_strndup(&s->arena, text_str(&t), t.len);
    b->closed = true;
    text_free(&t);
}

void scene_close(Scene *s)
{
    size_t *inside = counts_inside(s);
    for (int k = 1; (size_t)k <= s->boxes.len; k++) {
        const SceneBox *b = scene_box_at(s, k);
        if (!b->closed && b->kind != BOX_FRAME && !scene_hidden_by(s, b->parent))
            close_box(s, k, inside[k]);
    }
    free(inside);
}

void scene_fold(Scene *s, size_t limit)
{
    size_t visible = s->nodes.len - scene_hidden_nodes(s), before = visible, closed = 0;
    size_t *inside = counts_inside(s);
    int k;
    while (visible > limit && (k = innermost_open(s, inside)) != 0) {
        close_box(s, k, inside[k]);
        closed++;
        visible = s->nodes.len - scene_hidden_nodes(s);
    }
    if (closed) {
        Text t = {0};
        text_printf(&t, "%zu inner graph%s with %zu nodes drawn closed, to show at most %zu nodes",
                    closed, closed == 1 ? "" : "s", before - visible, limit);
        scene_set_note(s, text_str(&t));
        text_free(&t);
    }
    free(inside);
}
