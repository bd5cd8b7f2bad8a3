/* A graph with a gradient: the half that computes values, the half that computes cotangents, and
 * links from each cotangent to what it belongs to.
 *
 * Invariant: the forward half is closed under operands, so values cross from it to the adjoint half
 * only; inputs and constants stand outside of both. */
#include "viz/scene/scene_parts.h"

static bool is_leaf(const Node *n)
{
    return n->op == OP_INPUT || n->op == OP_SHARED || n->op == OP_CONST || n->op == OP_SIZE ||
           n->nops == 0;
}

void halves_begin(Builder *b, int nroots, Node *const *roots)
{
    const SceneOptions *o = b->options;
    if (!o->halves || !o->npairs)
        return;
    NodeVec order = {0};
    nodes_topo(o->npairs, o->primal, &order);
    for (size_t i = 0; i < order.len; i++)
        map_put(&b->forward, order.at[i], order.at[i]);
    order.len = 0;
    size_t forward = 0, adjoint = 0;
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        if (!is_leaf(order.at[i]))
            *(map_has(&b->forward, order.at[i]) ? &forward : &adjoint) += 1;
    vec_free(&order);
    if (!forward || !adjoint)
        return;
    b->halves[0] = scene_box(b->scene, &(SceneBox){.kind = BOX_FORWARD, .title = "forward"});
    b->halves[1] = scene_box(
        b->scene,
        &(SceneBox){.kind = BOX_ADJOINT, .title = "adjoint", .subtitle = "runs the other way"});
}

int half_of(const Builder *b, const Node *n)
{
    return !b->halves[0] || is_leaf(n) ? 0 : b->halves[!map_has(&b->forward, n)];
}

bool is_half(const Builder *b, int box)
{
    return box && (box == b->halves[0] || box == b->halves[1]);
}

/* ---- links ---- */

static void link_nodes(Builder *b, int adjoint, int primal)
{
    SceneEdge e = {.from = adjoint, .to = primal, .kind = EDGE_ADJOINT};
    scene_edge(b->scene, &e);
}

/* The node that a value is drawn as; 0: none of its own. */
static int drawn_as(const Frame *f, Node *n)
{
    const End *e = map_get(&f->ends, n);
    return e && !e->box ? e->node : 0;
}

/* The state of the forward loop that a state "d h[t-1]" belongs to. */
static int state_named(const Scene *s, const char *name)
{
    for (size_t i = 0; i < s->nodes.len; i++) {
        const SceneNode *n = &s->nodes.at[i];
        if (n->role == ROLE_STATE && n->label && !strcmp(n->label, name))
            return (int)i + 1;
    }
    return 0;
}

static void link_states(Builder *b)
{
    const Scene *s = b->scene;
    for (int k = 1; (size_t)k <= s->nodes.len; k++) {
        const SceneNode *n = scene_node_at(s, k);
        int of = n->role == ROLE_STATE && n->label && !strncmp(n->label, "d ", 2)
                     ? state_named(s, n->label + 2)
                     : 0;
        if (of)
            link_nodes(b, k, of);
    }
}

void adjoint_links(Builder *b, Frame *f)
{
    const SceneOptions *o = b->options;
    PtrMap linked = {0};
    for (int i = o->npairs - 1; i >= 0; i--) {
        if (!o->adjoint[i])
            continue;
        int to = drawn_as(f, o->primal[i]), from = drawn_as(f, o->adjoint[i]);
        if (!to || !from || to == from || map_has(&b->forward, o->adjoint[i]) ||
            map_has(&linked, o->adjoint[i]))
            continue;
        map_put(&linked, o->adjoint[i], o->adjoint[i]); /* sums hand theirs on: it is the sum's */
        link_nodes(b, from, to);
    }
    map_free(&linked);
    if (o->npairs)
        link_states(b);
}
