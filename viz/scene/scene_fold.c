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

/* ---- crowds of inputs ---- */

typedef struct {
    int reader; /* the only node that reads it; 0: another number of them, or it is no plain source
                 */
    bool entered;
} Source;

static Source *sources_of(const Scene *s)
{
    Source *at = xcalloc(s->nodes.len + 1, sizeof *at);
    bool *several = xcalloc(s->nodes.len + 1, 1);
    for (size_t i = 0; i < s->edges.len; i++) {
        const SceneEdge *e = &s->edges.at[i];
        at[e->to].entered = true;
        several[e->from] = several[e->from] || e->to_box || e->from_box || e->mark ||
                           e->kind != EDGE_DATA ||
                           (at[e->from].reader && at[e->from].reader != e->to);
        at[e->from].reader = e->to;
    }
    for (int k = 1; (size_t)k <= s->nodes.len; k++) {
        const SceneNode *n = scene_node_at(s, k);
        bool plain = (n->role == ROLE_INPUT || n->role == ROLE_SHARED) && !n->mark && !n->focus &&
                     !n->lit && !n->value && !n->grad && !at[k].entered && !several[k];
        at[k].reader = plain ? at[k].reader : 0;
    }
    free(several);
    return at;
}

/* What stands for several inputs: "500 inputs: a0 … a499", with their type if they share one. */
static void name_crowd(Scene *s, int first, int last, size_t count, bool same_type)
{
    SceneNode *n = scene_node_at(s, first);
    Text t = {0};
    text_printf(&t, "%zu inputs: %s \xE2\x80\xA6 %s", count, scene_node_name(n),
                scene_node_name(scene_node_at(s, last)));
    n->label = arena_strndup(&s->arena, text_str(&t), t.len);
    n->detail = same_type ? n->detail : "of several types";
    n->tooltip = NULL;
    n->id = 0;
    text_free(&t);
}

static bool same_text(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : "") == 0; }

/* Sets into[k] for what a crowd of one reader swallows; how many inputs it has, 0: too few. */
static size_t gather(Scene *s, const Source *at, int reader, size_t limit, int *into)
{
    int first = 0, last = 0;
    size_t count = 0;
    bool same = true;
    for (int k = 1; (size_t)k <= s->nodes.len; k++) {
        if (at[k].reader != reader)
            continue;
        first = first ? first : k;
        last = k;
        count++;
        same = same && same_text(scene_node_at(s, first)->detail, scene_node_at(s, k)->detail) &&
               scene_node_at(s, first)->box == scene_node_at(s, k)->box;
    }
    if (count <= limit)
        return 0;
    for (int k = first; k <= last; k++)
        if (at[k].reader == reader)
            into[k] = first;
    name_crowd(s, first, last, count, same);
    return count;
}

/* Takes out the nodes that are swallowed, and all but the first edge of each crowd. */
static void swallow(Scene *s, const int *into)
{
    int *number = xcalloc(s->nodes.len + 1, sizeof *number);
    bool *joined = xcalloc(s->nodes.len + 1, 1);
    size_t nodes = 0, edges = 0;
    for (int k = 1; (size_t)k <= s->nodes.len; k++) {
        if (into[k] && into[k] != k)
            continue;
        s->nodes.at[nodes++] = *scene_node_at(s, k);
        number[k] = (int)nodes;
    }
    for (size_t i = 0; i < s->edges.len; i++) {
        SceneEdge e = s->edges.at[i];
        int crowd = into[e.from];
        if (crowd && joined[crowd])
            continue;
        if (crowd) {
            joined[crowd] = true;
            e.head = NULL;
        }
        e.from = number[crowd ? crowd : e.from];
        e.to = number[e.to];
        s->edges.at[edges++] = e;
    }
    for (size_t i = 0; i < s->boxes.len; i++)
        s->boxes.at[i].owner = number[s->boxes.at[i].owner];
    s->nodes.len = nodes;
    s->edges.len = edges;
    free(number);
    free(joined);
}

void scene_fold_crowds(Scene *s, size_t limit)
{
    Source *at = sources_of(s);
    int *into = xcalloc(s->nodes.len + 1, sizeof *into);
    size_t folded = 0, crowds = 0;
    for (int k = 1; (size_t)k <= s->nodes.len; k++) {
        if (!at[k].reader || into[k])
            continue;
        size_t n = gather(s, at, at[k].reader, limit, into);
        folded += n;
        crowds += n > 0;
        for (int j = k; !n && (size_t)j <= s->nodes.len; j++) /* looked at once */
            if (j != k && at[j].reader == at[k].reader)
                at[j].reader = 0;
    }
    if (folded) {
        swallow(s, into);
        Text t = {0};
        text_printf(&t,
                    "%zu inputs drawn as %zu node%s, as more than %zu have the same only reader; "
                    "inner=open draws them all",
                    folded, crowds, crowds == 1 ? "" : "s", limit);
        scene_set_note(s, text_str(&t));
        text_free(&t);
    }
    free(at);
    free(into);
}
