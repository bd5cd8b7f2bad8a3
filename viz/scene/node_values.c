/* See node_values.h. */
#include "viz/scene/node_values.h"

#include "tensor/brief.h"

static SceneUnroll *scene_of(NodeValues *v, int scan)
{
    return map_get(&v->unrolled, v->of.scans.at[scan].u.scan);
}

static void add_scan(Arena *arena, NodeValues *v, const UnrolledScan *from)
{
    SceneUnroll *u = arena_alloc(arena, sizeof *u);
    *u = (SceneUnroll){.u = from->u, .rest = from->rest};
    map_put(&v->unrolled, from->u.scan, u);
}

/* The gradients inside a step. */
static NodeTexts *step_gradients(Arena *arena, SceneUnroll *u, int step)
{
    size_t size = ((size_t)u->u.k + 1) * sizeof *u->grad;
    if (!u->grad)
        u->grad = memset(arena_alloc(arena, size), 0, size);
    return &u->grad[step];
}

bool node_values(const Evaluator *e, Arena *arena, int digits, int n, Node *const *roots,
                 const GraphWishes *wishes, NodeValues *out)
{
    *out = (NodeValues){.data = {0}};
    if (!graph_values(e, n, roots, wishes, &out->of))
        return false;
    for (size_t i = 0; i < out->of.scans.len; i++)
        add_scan(arena, out, &out->of.scans.at[i]);
    for (size_t i = 0; i < out->of.values.len; i++) {
        const NodeValue *v = &out->of.values.at[i];
        Text t = {0};
        brief_put(&t, v->value, digits ? digits : BRIEF_DIGITS, BRIEF_ENTRIES);
        map_put(v->scan >= 0  ? step_gradients(arena, scene_of(out, v->scan), v->step)
                : v->gradient ? &out->grad
                              : &out->data,
                v->node, text_keep(&t, arena));
    }
    return true;
}

void node_values_free(NodeValues *v)
{
    for (size_t i = 0; i < v->of.scans.len; i++) {
        SceneUnroll *u = scene_of(v, (int)i);
        for (int k = 0; u && u->grad && k < u->u.k; k++)
            map_free(&u->grad[k]);
    }
    graph_values_free(&v->of);
    map_free(&v->data);
    map_free(&v->grad);
    map_free(&v->unrolled);
}
