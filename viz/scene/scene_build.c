/* Drawing a graph as a scene: a scene node for each node, an edge for each operand.
 * See scene_build.h; nodes that own graphs are in scene_control.c.
 *
 * Inputs that only bodies read are drawn there: see scene_control.c.
 *
 * Invariant: operands are drawn before users, and every value that an edge leaves has an
 * End in its frame. */
#include "graph/names.h"
#include "rewrite/things.h"
#include "viz/scene/scene_cut.h"
#include "viz/scene/scene_parts.h"

/* ---- ends and edges ---- */

End frame_set_end(Builder *b, Frame *f, const Node *n, End e)
{
    End *kept = arena_alloc(&b->arena, sizeof *kept);
    *kept = e;
    map_put(&f->ends, n, kept);
    return e;
}

/* A node of its own for what is otherwise written into labels. */
static End draw_leaf(Builder *b, Frame *f, Node *n)
{
    SceneNode s = {.op = op_table[n->op].name,
                   .words = label_words(b, n),
                   .detail = label_type_of(b, n),
                   .cls = CLS_CONST,
                   .role = ROLE_CONST,
                   .box = f->box};
    node_identify(b, n, &s);
    return frame_set_end(b, f, n, (End){.node = scene_node(b->scene, &s)});
}

static End projection_end(Builder *b, Frame *f, Node *n)
{
    static const char *const draws[] = {"value", "next state"};
    Node *tuple = n->ops[0];
    i64 k = n->attrs[0].i;
    Results *r = map_get(&f->results, tuple);
    if (r && k < r->n)
        return r->at[k];
    End e = frame_end(b, f, tuple);
    bool random = op_table[tuple->op].cls == CLASS_RANDOM;
    e.tail = random && k < 2 ? draws[k] : label_text(b, "%lld", (long long)k);
    return e;
}

static void draw_node(Builder *b, Frame *f, Node *n);

End frame_end(Builder *b, Frame *f, Node *n)
{
    End *known = map_get(&f->ends, n);
    if (!known && is_source(n)) {
        int box = f->box;
        f->box = f->outermost ? half_of(b, n) : f->base;
        draw_node(b, f, n);
        f->box = box;
        known = map_get(&f->ends, n);
    }
    if (known)
        return *known;
    return n->op == OP_PROJ ? projection_end(b, f, n) : draw_leaf(b, f, n);
}

void draw_edge(Builder *b, End from, End to, const Node *value, const char *head,
               SceneEdgeKind kind, SceneMark mark)
{
    bool told = value && value->type->kind == TYPE_TENSOR && !b->options->bare;
    SceneEdge e = {.from = from.node,
                   .from_box = from.box,
                   .to = to.node,
                   .to_box = to.box,
                   .label = told ? label_type_of(b, (Node *)(uintptr_t)value) : NULL,
                   .head = head,
                   .tail = from.tail,
                   .kind = kind == EDGE_DATA ? from.kind : kind,
                   .mark = mark};
    scene_edge(b->scene, &e);
}

/* ---- nodes ---- */

SceneRole scene_role_of(const Node *n)
{
    return n->op == OP_INPUT    ? ROLE_INPUT
           : n->op == OP_SHARED ? ROLE_SHARED
           : n->op == OP_CONST  ? ROLE_CONST
           : n->op == OP_PARAM  ? ROLE_PARAM
                                : ROLE_NONE;
}

static bool is_step_result(const Builder *b, const Node *n)
{
    const Step *s = b->options->step;
    for (int i = 0; s && i < s->nchanges; i++)
        if (s->changes[i].after == n)
            return true;
    return false;
}

void frame_value(const Frame *f, const Node *n, SceneNode *out)
{
    const char *grad = known_grad(&f->known, n);
    out->value = out->value ? out->value : known_value(&f->known, n);
    out->grad = grad ? grad : out->grad;
}

/* A body that was copied before it changed: its things are new, and tell of which they are copies.
 */
const Thing *thing_original(const Thing *t)
{
    while (t && t->of)
        t = t->of;
    return t;
}

void thing_ids(const Thing *t, u32 *thing, u32 *origin)
{
    *thing = t ? t->id : 0;
    *origin = t ? thing_original(t)->id : 0;
}

void node_identify(const Builder *b, const Node *n, SceneNode *out)
{
    thing_ids(numbering_thing(b->num, n), &out->thing, &out->origin);
}

static void draw_node(Builder *b, Frame *f, Node *n)
{
    SceneNode s = {.id = node_is_inline(n) ? 0 : (i64)number_of(b->num, n),
                   .op = op_table[n->op].name,
                   .words = label_words(b, n),
                   .detail = label_type_of(b, n),
                   .tooltip = label_source(b, n),
                   .cls = label_class(n),
                   .role = scene_role_of(n),
                   .mark = diff_mark(f->diff, n),
                   .focus = f->outermost && is_step_result(b, n),
                   .box = f->box};
    node_identify(b, n, &s);
    frame_value(f, n, &s);
    End e = {.node = scene_node(b->scene, &s)};
    map_put(&b->called, e.node, label_name(b, n));
    frame_set_end(b, f, n, e);
    for (u32 i = 0; i < n->nops; i++) {
        Node *op = source_operand(b->st, n, i);
        if (!label_folds(op))
            draw_edge(b, frame_end(b, f, op), e, op, label_operand(b, n, i), EDGE_DATA,
                      diff_edge(f->diff, n, op));
    }
}

void frame_draw(Builder *b, Frame *f, int nroots, Node *const *roots)
{
    NodeVec order = {0};
    f->base = f->box;
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_PROJ)
            set_add(&b->used, order.at[i]);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        int slots[4];
        if (n->op == OP_PROJ || n->op == OP_TUPLE || label_folds(n) || map_has(&f->ends, n) ||
            is_source(n)) /* drawn when something in this graph itself reads it */
            continue;
        f->box = called_box(b, f->outermost ? half_of(b, n) : f->base, n);
        if (node_graphs(n, slots))
            control_draw(b, f, n);
        else
            draw_node(b, f, n);
    }
    f->box = f->base;
    vec_free(&order);
}

/* ---- the outermost graph ---- */

static bool is_outermost(const Builder *b, int box)
{
    return box == 0 || is_half(b, box) || is_called(b, box);
}

/* A root that is drawn as a plain node is the output itself; any other gets a node of its own. */
static void draw_root(Builder *b, Frame *f, Node *n, int nroots, int index)
{
    End e = frame_end(b, f, n);
    Symbol name = node_result_name(b->st, n);
    SceneNode *at = e.node && !e.tail ? scene_node_at(b->scene, e.node) : NULL;
    if (at && is_outermost(b, at->box) && at->role == ROLE_NONE) {
        at->role = ROLE_OUTPUT;
        at->output = nroots > 1 ? index + 1 : 0;
        if (name && n->op == OP_PROJ) /* the name stands on the projection, which is not drawn */
            scene_name_line(b->scene, e.node, &(Phrase){.text = name});
        return;
    }
    SceneNode s = {.id = n->op == OP_PROJ ? (i64)number_of(b->num, n) : 0,
                   .op = n->op == OP_PROJ ? "proj" : "output",
                   .label = name          ? name
                            : nroots == 1 ? "result"
                                          : label_text(b, "result %d", index),
                   .detail = label_type_of(b, n),
                   .tooltip = label_source(b, n),
                   .cls = CLS_STRUCTURAL,
                   .role = ROLE_OUTPUT,
                   .output = nroots > 1 ? index + 1 : 0,
                   .mark = diff_mark(f->diff, n)};
    if (n->op == OP_PROJ) /* anything else is drawn itself */
        node_identify(b, n, &s);
    frame_value(f, n, &s);
    End out = {.node = scene_node(b->scene, &s)};
    draw_edge(b, e, out, n, NULL, EDGE_DATA, s.mark);
}

static void frame_free(Frame *f)
{
    map_free(&f->ends);
    map_free(&f->results);
}

Scene *scene_from_graph(Store *st, Numbering *num, int nroots, Node *const *roots,
                        const SceneOptions *options)
{
    Dimensions dimensions = {.st = st, .age = st->dimension_age};
    Builder b = {.st = st,
                 .num = num,
                 .options = options,
                 .scene = scene_new(options->title),
                 .dimensions = &dimensions};
    Frame f = {.outermost = true, .known = {options->data, options->grad, NULL}};
    if (options->before)
        f.diff = diff_outermost(&b, nroots, roots);
    halves_begin(&b, nroots, roots);
    frame_draw(&b, &f, nroots, roots);
    f.box = 0;
    for (int i = 0; i < nroots; i++)
        draw_root(&b, &f, roots[i], nroots, i);
    if (options->before && !options->no_ghosts)
        diff_ghosts(&b, &f);
    adjoint_links(&b, &f);
    Scene *scene = b.scene;
    if (options->focus)
        scene = scene_cut(scene, (i64)number_of(num, options->focus), options->depth);
    frame_free(&f);
    map_free(&b.called);
    map_free(&b.boxes);
    map_free(&b.boxes_of);
    map_free(&b.forward);
    vec_free(&b.calls);
    diff_free(&b);
    map_free(&b.used);
    dimensions_end(&dimensions);
    arena_free(&b.arena);
    return scene;
}
