/* See node_values.h. */
#include "repl/commands/node_values.h"

#include "repl/commands/show.h"

static SceneUnroll *scene_of(NodeValues *v, int scan)
{
    return map_get(&v->unrolled, v->of.scans.at[scan].u.scan);
}

static void add_scan(Call *c, NodeValues *v, const UnrolledScan *from)
{
    SceneUnroll *u = arena_alloc(&c->arena, sizeof *u);
    *u = (SceneUnroll){.u = from->u, .rest = from->rest};
    map_put(&v->unrolled, from->u.scan, u);
}

/* The gradients inside a step. */
static NodeTexts *step_gradients(Call *c, SceneUnroll *u, int step)
{
    size_t size = ((size_t)u->u.k + 1) * sizeof *u->grad;
    if (!u->grad)
        u->grad = memset(arena_alloc(&c->arena, size), 0, size);
    return &u->grad[step];
}

bool node_values(Call *c, int n, Node *const *roots, const GraphWishes *wishes, NodeValues *out)
{
    *out = (NodeValues){.data = {0}};
    Evaluator e = session_evaluator(&c->r->s);
    if (!graph_values(&e, n, roots, wishes, &out->of))
        return false;
    for (size_t i = 0; i < out->of.scans.len; i++)
        add_scan(c, out, &out->of.scans.at[i]);
    for (size_t i = 0; i < out->of.values.len; i++) {
        const NodeValue *v = &out->of.values.at[i];
        Text t = {0};
        show_brief(c->r, &t, v->value);
        map_put(v->scan >= 0  ? step_gradients(c, scene_of(out, v->scan), v->step)
                : v->gradient ? &out->grad
                              : &out->data,
                v->node, report_take(&c->report, &t));
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
