/* What a step added and removed, and cutting a scene down to what is near a node. */
#include "viz/scene_parts.h"

/* ---- diff ---- */

static void put_all(PtrMap *set, int n, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        map_put(set, order.at[i], order.at[i]);
    vec_free(&order);
}

static void subtract(PtrMap *out, const PtrMap *from, const PtrMap *what)
{
    for (size_t i = 0; i < from->cap; i++)
        if (from->keys && from->keys[i] && !map_has(what, from->keys[i]))
            map_put(out, from->keys[i], from->vals[i]);
}

/* Where the step took the nodes of the graph before it: users of what changed are rebuilt. */
static PtrMap moved_by(Builder *b, int nroots)
{
    PtrMap moved = {0};
    const Step *s = b->options->step;
    for (int i = 0; s && i < s->nchanges; i++)
        map_put(&moved, s->changes[i].before, s->changes[i].after);
    for (int i = 0; i < nroots; i++)
        node_substitute(b->st, b->options->before[i], &moved);
    return moved;
}

static bool is_change(const Step *s, const Node *before)
{
    for (int i = 0; s && i < s->nchanges; i++)
        if (s->changes[i].before == before)
            return true;
    return false;
}

void diff_begin(Builder *b, int nroots, Node *const *roots)
{
    const Step *s = b->options->step;
    PtrMap before = {0}, after = {0}, moved = moved_by(b, nroots);
    put_all(&before, nroots, b->options->before);
    put_all(&after, nroots, roots);
    /* A user that was only rebuilt over new operands is the same node to those who look. */
    for (size_t i = 0; i < moved.cap; i++)
        if (moved.keys && moved.keys[i] && !is_change(s, moved.keys[i]))
            map_put(&before, moved.vals[i], moved.vals[i]);
    if (s && s->inner && s->nchanges == 1) {
        PtrMap was = {0}, is = {0};
        map_put(&before, s->changes[0].after, s->changes[0].after);
        map_put(&b->changed, s->changes[0].after, b);
        put_all(&was, s->inner_before->nouts, s->inner_before->outs);
        put_all(&is, s->inner_after->nouts, s->inner_after->outs);
        subtract(&b->fresh_inner, &is, &was);
        map_free(&was);
        map_free(&is);
    }
    subtract(&b->fresh, &after, &before);
    map_free(&before);
    map_free(&after);
    map_free(&moved);
}

static int draw_ghost(Builder *b, const Node *n)
{
    SceneNode s = {.id = node_is_inline(n) ? 0 : (i64)number_of(b->num, n),
                   .op = op_table[n->op].name,
                   .label = label_node(b, n),
                   .detail = label_type(b, n->type),
                   .tooltip = "removed by this step",
                   .cls = label_class(n),
                   .mark = MARK_REMOVED};
    return scene_node(b->scene, &s);
}

/* Where a node of the graph before is drawn now: a ghost, or what it was rebuilt as. */
static bool old_end(Builder *b, Frame *f, const PtrMap *ghosts, const PtrMap *moved, Node *n,
                    End *out)
{
    if (n->op == OP_PROJ)
        n = map_has(ghosts, n->ops[0]) ? n->ops[0] : n;
    void *ghost = map_get(ghosts, n);
    Node *now = map_has(moved, n) ? map_get(moved, n) : n;
    if (ghost) {
        *out = (End){.node = (int)(uintptr_t)ghost};
        return true;
    }
    if (!map_has(&f->ends, now) && !(now->op == OP_PROJ && (map_has(&f->ends, now->ops[0]) ||
                                                            map_has(&f->results, now->ops[0]))))
        return false;
    *out = frame_end(b, f, now);
    return true;
}

void diff_ghosts(Builder *b, Frame *f, int nroots, Node *const *roots)
{
    PtrMap after = {0}, ghosts = {0}, moved = moved_by(b, nroots);
    NodeVec order = {0};
    put_all(&after, nroots, roots);
    nodes_topo(nroots, b->options->before, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        bool rebuilt = map_has(&moved, n) && !is_change(b->options->step, n) &&
                       map_has(&after, map_get(&moved, n));
        bool inner = is_change(b->options->step, n) && b->options->step->inner;
        if (!map_has(&after, n) && !rebuilt && !inner && n->op != OP_PROJ && n->op != OP_TUPLE &&
            !label_folds(n))
            map_put(&ghosts, n, (void *)(uintptr_t)draw_ghost(b, n));
    }
    for (size_t i = 0; i < order.len; i++)
        for (u32 k = 0; k < order.at[i]->nops; k++) {
            Node *user = order.at[i], *op = source_operand(b->st, user, k);
            Node *base = op->op == OP_PROJ ? op->ops[0] : op;
            End from, to;
            bool touches = map_has(&ghosts, user) || map_has(&ghosts, base);
            if (touches && user->op != OP_PROJ && !label_folds(op) &&
                old_end(b, f, &ghosts, &moved, op, &from) &&
                old_end(b, f, &ghosts, &moved, user, &to)) {
                from.tail = to.tail = NULL;
                from.kind = EDGE_DATA;
                frame_edge(b, f, from, to, op, NULL, EDGE_DATA, MARK_REMOVED);
            }
        }
    vec_free(&order);
    map_free(&after);
    map_free(&ghosts);
    map_free(&moved);
}

/* ---- focus ---- */

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
