/* A graph with a gradient: the half that computes values, the half that computes cotangents, and
 * links from each cotangent to what it belongs to, in loops by name.
 *
 * Invariant: the forward half is closed under operands, so values cross from it to the adjoint half
 * only; inputs and constants stand outside of both. */
#include "graph/name.h"
#include "viz/scene/scene_parts.h"

/* Finds the forward half; false: all that is no leaf stands in one half. */
static bool find_halves(Builder *b, int nroots, Node *const *roots)
{
    NodeVec order = {0};
    bool any[2] = {false, false};
    for (int i = 0; i < b->options->npairs; i++)
        nodes_topo_more(b->options->primal[i], &b->forward, &order);
    order.len = 0;
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->nops)
            any[map_has(&b->forward, order.at[i])] = true;
    vec_free(&order);
    return any[0] && any[1];
}

void halves_begin(Builder *b, int nroots, Node *const *roots)
{
    if (!b->options->halves || !b->options->npairs || !find_halves(b, nroots, roots))
        return;
    b->halves[0] = scene_box(b->scene, &(SceneBox){.kind = BOX_FORWARD, .title = "forward"});
    b->halves[1] = scene_box(
        b->scene,
        &(SceneBox){.kind = BOX_ADJOINT, .title = "adjoint", .subtitle = "runs the other way"});
}

int half_of(const Builder *b, const Node *n)
{
    return !b->halves[0] || !n->nops ? 0 : b->halves[!map_has(&b->forward, n)];
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

static int loop_around(const Scene *s, int box)
{
    while (box && scene_box_at(s, box)->kind != BOX_SCAN && scene_box_at(s, box)->kind != BOX_LOOP)
        box = scene_box_at(s, box)->parent;
    return box;
}

/* The loop whose traces enter `back`; 0: none. The last one, which keeps them. */
static int loop_of_traces(const Scene *s, int back)
{
    int loop = 0;
    for (size_t i = 0; i < s->edges.len; i++) {
        const SceneEdge *e = &s->edges.at[i];
        if (e->kind != EDGE_SEQUENCE || !e->from || !e->to || scene_node_at(s, e->to)->box != back)
            continue;
        int from = loop_around(s, scene_node_at(s, e->from)->box);
        loop = from && from != back ? from : loop;
    }
    return loop;
}

/* The node of that name in a loop. */
static int node_named(const Builder *b, int loop, Symbol name)
{
    for (size_t i = 0; i < b->called.len; i++)
        if (map_val(&b->called, i) == name &&
            scene_node_at(b->scene, map_key(&b->called, i))->box == loop)
            return map_key(&b->called, i);
    return 0;
}

/* Whose cotangent it is, d_h[t] or carry_h[t]; NULL: of none. */
static Symbol cotangent_of(const Builder *b, int node)
{
    Symbol name = map_get(&b->called, node);
    Name n = name ? name_data(b->st, name) : (Name){0};
    bool is = n.kind == NAME_COTANGENT || n.kind == NAME_CARRIED;
    return is && !n.tap && !n.again ? name_with_index(b->st, n.base, name) : NULL;
}

static void link_loops(Builder *b)
{
    const Scene *s = b->scene;
    int back = 0, loop = 0;
    for (int k = 1; (size_t)k <= s->nodes.len; k++) {
        const SceneNode *n = scene_node_at(s, k);
        Symbol name = n->box ? cotangent_of(b, k) : NULL;
        if (!name)
            continue;
        if (back != n->box)
            loop = loop_of_traces(s, back = n->box);
        int of = loop ? node_named(b, loop, name) : 0;
        bool states = of && n->role == ROLE_STATE && scene_node_at(s, of)->role == ROLE_STATE;
        if (of && (states || b->halves[0])) /* lines across loops, where these are not beside */
            link_nodes(b, k, of);
    }
}

void adjoint_links(Builder *b, Frame *f)
{
    const SceneOptions *o = b->options;
    NodeSet linked = {0};
    for (int i = o->npairs - 1; i >= 0; i--) {
        if (!o->adjoint[i])
            continue;
        int to = drawn_as(f, o->primal[i]), from = drawn_as(f, o->adjoint[i]);
        if (!to || !from || to == from || map_has(&b->forward, o->adjoint[i]) ||
            map_has(&linked, o->adjoint[i]))
            continue;
        set_add(&linked, o->adjoint[i]); /* sums hand theirs on: it is the sum's */
        link_nodes(b, from, to);
    }
    map_free(&linked);
    if (o->npairs)
        link_loops(b);
}
