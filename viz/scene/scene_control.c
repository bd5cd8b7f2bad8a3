/* Nodes that own graphs: each graph is a box drawn in place, its parameters fed from
 * outside and its outputs leaving through the border.
 *
 * An input that a body captures is drawn in its box, and outside only if something there reads it.
 *
 * Invariant: a Graph is drawn open once; where it comes again its box is closed and
 * tells whose body it is, and the first one counts the repeats. */
#include "viz/scene/scene_parts.h"
#include "graph/provenance.h"

enum { MAX_BOX_DEPTH = 40 };

const char *param_name(Builder *b, const Graph *g, int i)
{
    Symbol name = param_symbol(b->st, g, i);
    return name ? name : label_text(b, "p%d", i);
}

bool operand_is_drawn(const Node *n) { return n && !label_folds(n); }

/* ---- boxes ---- */

typedef struct {
    int box;
    bool open;
    Node *owner;
    int slot;
    Graph *graph; /* the owner's attribute `slot` */
    Frame frame;
} Inner;

/* A box for that graph; closed if that was asked for, if it is drawn already or nested too deep. */
static Inner box_begin(Builder *b, Frame *f, Node *owner, int slot, SceneBox *box)
{
    Graph *g = owner->attrs[slot].graph;
    int first = map_get(&b->boxes, g) - 1;
    box->parent = box->parent ? box->parent : f->box;
    thing_ids(numbering_thing(b->num, owner), &box->thing, &box->origin);
    if (!box->owner)
        box->owner_id = (i64)number_of(b->num, owner);
    box->tooltip = label_source(b, owner);
    box->mark = diff_mark(f->diff, owner);
    box->closed = b->options->inner_closed || first >= 0 || b->depth >= MAX_BOX_DEPTH;
    if (first >= 0) {
        SceneBox *same = scene_box_at(b->scene, first);
        same->repeat = same->repeat ? same->repeat + 1 : 2;
        const char *who = same->owner_id
                              ? label_text(b, "same body as %%%lld", (long long)same->owner_id)
                              : label_text(b, "same body as %s", same->title);
        box->subtitle = box->subtitle ? label_text(b, "%s, %s", box->subtitle, who) : who;
    }
    Inner in = {.box = scene_box(b->scene, box),
                .open = !box->closed,
                .owner = owner,
                .slot = slot,
                .graph = g};
    in.frame.box = in.box;
    in.frame.diff = diff_inside(b, f->diff, owner, g);
    if (!map_has(&b->boxes_of, owner))
        map_put(&b->boxes_of, owner, in.box);
    if (in.open)
        map_put(&b->boxes, g, in.box + 1);
    return in;
}

/* A captured input stands in the box that reads it, and not outside as well. */
static bool is_brought(const Entry *e) { return e->role == ROLE_CAPTURE && is_source(e->operand); }

static const char *axis_text(Builder *b, i64 axis)
{
    return label_text(b, "axis %lld", (long long)axis);
}

/* The edge that brings an operand of a box. */
static void feed(Builder *b, Frame *f, const Node *owner, const Entry *e, const char *head, End to)
{
    if (operand_is_drawn(e->operand))
        draw_edge(b, frame_end(b, f, e->operand), to, e->operand, head, e->kind,
                  diff_edge(f->diff, owner, e->operand));
}

static void feed_param(Builder *b, Frame *f, const Node *owner, const Entry *e, End to)
{
    const char *head = e->role == ROLE_STATE ? "init" : e->lane >= 0 ? axis_text(b, e->lane) : NULL;
    feed(b, f, owner, e, head, to);
}

/* What enters a box, but for its parameters. */
static void feed_border(Builder *b, Frame *f, const Inner *in, Node *operand, const char *head)
{
    feed(b, f, in->owner, &(Entry){.operand = operand}, head, (End){.box = in->box});
}

/* A parameter without a name tells what feeds it: "p3: tanh". */
static const char *param_label(Builder *b, Frame *f, Graph *g, int i, Node *operand)
{
    enum { LONGEST = 14 };
    Symbol name = param_symbol(b->st, g, i);
    const char *own = param_name(b, g, i);
    if (is_source(operand))
        return name ? name : operand->attrs[0].name;
    End e = operand_is_drawn(operand) ? frame_end(b, f, operand) : (End){0};
    if (name || !e.node || e.box)
        return own;
    const char *from = label_short(b, operand->op == OP_PROJ ? operand->ops[0] : operand);
    return strlen(from) > LONGEST ? own : label_text(b, "%s: %s", own, from);
}

/* Parameters, then the nodes of the body.  A constant that feeds a parameter is told beside its
 * name. */
static void box_fill(Builder *b, Frame *f, Inner *in)
{
    Graph *g = in->graph;
    for (int i = 0; i < g->nparams && !in->open; i++) {
        Entry e = entry_of(in->owner, in->slot, i);
        feed_param(b, f, in->owner, &e, (End){.box = in->box});
    }
    if (!in->open)
        return;
    BoundSizes sizes = entry_sizes(in->owner, in->slot, label_size, b), around_sizes = b->sizes;
    const Graph *outer = b->graph, *around = b->num->within;
    Dimensions *dims_around = b->dimensions;
    Dimensions dims = dimensions_within(dims_around, in->owner, g);
    for (int i = 0; i < g->nparams; i++) {
        Entry e = entry_of(in->owner, in->slot, i);
        SceneNode s = {.op = "param",
                       .label = param_label(b, f, g, i, e.operand),
                       .cls = CLS_INPUT,
                       .role = e.role,
                       .mark = diff_mark(in->frame.diff, g->param_nodes[i]),
                       .box = in->box};
        b->num->within = g;
        b->sizes = sizes;
        b->dimensions = &dims;
        s.detail = label_type_of(b, g->param_nodes[i]);
        node_identify(b, g->param_nodes[i], &s);
        b->dimensions = dims_around;
        b->sizes = around_sizes;
        b->num->within = around;
        if (is_brought(&e)) {
            s.id = (i64)number_of(b->num, e.operand);
            node_identify(b, e.operand, &s);
            frame_value(f, e.operand, &s);
        }
        if (label_folds(e.operand))
            s.value = label_text(b, "%s%s", label_node(b, e.operand),
                                 e.role == ROLE_STATE ? " at first" : "");
        End at = frame_set_end(b, &in->frame, g->param_nodes[i],
                               (End){.node = scene_node(b->scene, &s)});
        map_put(&b->called, at.node, param_name(b, g, i));
        if (!is_brought(&e))
            feed_param(b, f, in->owner, &e, at);
    }
    b->graph = b->num->within = g;
    b->sizes = sizes;
    b->dimensions = &dims;
    b->depth++;
    frame_draw(b, &in->frame, g->nouts, g->outs);
    if (in->frame.diff && !b->options->no_ghosts)
        diff_ghosts(b, &in->frame);
    b->depth--;
    map_free(&sizes);
    dimensions_end(&dims);
    b->dimensions = dims_around;
    b->sizes = around_sizes;
    b->graph = outer;
    b->num->within = around;
}

/* Where output k of the body leaves. */
static End box_output(Builder *b, Inner *in, int k, const char *tail, SceneEdgeKind kind)
{
    End e = {.box = in->box};
    if (in->open && k < in->graph->nouts)
        e = frame_end(b, &in->frame, in->graph->outs[k]);
    /* What leaves a box inside says which of its results it is. */
    e.tail = e.tail && tail && !e.node ? label_text(b, "%s of %s", tail, e.tail) : tail;
    e.kind = kind;
    return e;
}

static void box_end(Inner *in)
{
    map_free(&in->frame.ends);
    map_free(&in->frame.results);
}

Results *results_new(Builder *b, Frame *f, Node *n, int count)
{
    Results *r = arena_alloc(&b->arena, sizeof *r + (size_t)(count + 1) * sizeof *r->at);
    r->n = count;
    map_put(&f->results, n, r);
    return r;
}

/* ---- if ---- */

static void draw_branch(Builder *b, Frame *f, Node *n, int slot, int around, End join)
{
    SceneBox box = {.kind = slot ? BOX_ELSE : BOX_THEN,
                    .title = slot ? "else" : "then",
                    .owner = join.node,
                    .parent = around};
    Inner in = box_begin(b, f, n, slot, &box);
    box_fill(b, f, &in);
    for (int i = 0; i < in.graph->nouts && (in.open || i == 0); i++) {
        End from = box_output(b, &in, i, NULL, EDGE_DATA);
        draw_edge(b, from, join, in.graph->outs[i], NULL, EDGE_DATA, MARK_NONE);
    }
    box_end(&in);
}

static void draw_if(Builder *b, Frame *f, Node *n)
{
    Node *test = if_shape(n).condition;
    End condition = frame_end(b, f, test);
    int around = scene_box(b->scene, &(SceneBox){.kind = BOX_IF, .title = "if", .parent = f->box});
    SceneNode node = {.id = (i64)number_of(b->num, n),
                      .op = "ifelse",
                      .label = "if",
                      .detail = label_type(b, n->type->nitems == 1 ? n->type->items[0] : n->type),
                      .tooltip = label_source(b, n),
                      .cls = CLS_CONTROL,
                      .mark = diff_mark(f->diff, n),
                      .box = around};
    node_identify(b, n, &node);
    End join = {.node = scene_node(b->scene, &node)};
    draw_edge(b, condition, join, test, "condition", EDGE_DATA, diff_edge(f->diff, n, test));
    for (int slot = 0; slot < 2; slot++)
        draw_branch(b, f, n, slot, around, join);
    Results *r = results_new(b, f, n, n->type->nitems);
    for (int i = 0; i < n->type->nitems; i++) {
        r->at[i] = join;
        r->at[i].tail = n->type->nitems > 1 ? label_text(b, "%d", i) : NULL;
    }
}

/* ---- loops, calls, implicit derivatives ---- */

static const char *count_operators(Builder *b, const Graph *g)
{
    NodeVec order = {0};
    u32 operators = 0;
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        operators += order.at[i]->nops > 0;
    vec_free(&order);
    return label_text(b, "%u operators", operators);
}

/* "wrt x, y": the parameters that `axes` has lanes for, or the first `count`. */
static const char *list_params(Builder *b, const char *word, const Graph *g, int count,
                               const IntList *axes)
{
    const char *list = "";
    for (int i = 0; i < count; i++)
        if (!axes || axes->at[i] >= 0)
            list = label_text(b, "%s%s%s", *list ? list : word, *list ? ", " : " ",
                              param_name(b, g, i));
    return list;
}

/* One box for all lanes; the axes are told at its border. */
static SceneBox box_of(Builder *b, const Node *n)
{
    const Graph *g = n->attrs[0].graph;
    SceneBox box = {.kind = box_kind_of(n), .title = op_table[n->op].name};
    if (node_is_loop(n))
        box.title = label_loop(b, n), box.subtitle = label_steps(b, n);
    else if (n->op == OP_CALL)
        box.title = n->attrs[1].name ? n->attrs[1].name : box.title;
    else if (n->op == OP_FUSED)
        box.subtitle = count_operators(b, g);
    else if (n->op == OP_VMAP)
        box.subtitle = list_params(b, "over", g, g->nparams, n->attrs[1].ints);
    else
        box.subtitle = list_params(b, "wrt", g, (int)n->attrs[1].i, NULL);
    if (is_derivative(n) && n->attrs[2].i >= 0)
        box.subtitle =
            label_text(b, "%s, truncated to %lld steps", box.subtitle, (long long)n->attrs[2].i);
    return box;
}

/* Next states, and what decides after each step if there is another one. */
static void draw_loopbacks(Builder *b, Inner *in)
{
    Frame *f = &in->frame;
    Node *const *outs = in->graph->outs, *test = outs[in->graph->nouts - 1];
    bool scan = in->owner->op == OP_SCAN;
    for (int i = 0; exit_of(in->owner, i).kind == EDGE_STATE; i++) {
        End from = frame_end(b, f, outs[i]), to = frame_end(b, f, in->graph->param_nodes[i]);
        from.tail = NULL;
        draw_edge(b, from, to, NULL, "next", EDGE_LOOPBACK,
                  diff_mark(f->diff, outs[i]) == MARK_ADDED ? MARK_ADDED : MARK_NONE);
    }
    if (!scan || scan_shape(in->owner).stop)
        draw_edge(b, frame_end(b, f, test), (End){.box = in->box}, NULL, scan ? "until" : "while",
                  EDGE_UNTIL, MARK_NONE);
}

static const char *result_word(Builder *b, const Node *owner, int k, const Exit *e)
{
    i64 axis = owner->op == OP_VMAP ? owner->attrs[2].ints->at[k] : 0;
    return e->word      ? e->word
           : e->out < 0 ? label_text(b, "d_%s", param_name(b, owner->attrs[0].graph, k))
           : axis       ? axis_text(b, axis)
                        : NULL;
}

static void draw_results(Builder *b, Frame *f, Inner *in)
{
    int count = in->owner->type->nitems;
    Results *r = results_new(b, f, in->owner, count);
    for (int k = 0; k < count; k++) {
        Exit e = exit_of(in->owner, k);
        const char *word = result_word(b, in->owner, k, &e);
        r->at[k] = e.out < 0 ? (End){.box = in->box, .tail = word}
                             : box_output(b, in, e.out, word, e.kind);
    }
}

/* A node that owns one graph. What does not enter that leads to the border. */
static void draw_owner(Builder *b, Frame *f, Node *n)
{
    SceneBox box = box_of(b, n);
    Inner in = box_begin(b, f, n, 0, &box);
    int border = border_operands(n);
    if (n->op == OP_SCAN || (border && loop_shape(n).ntraces))
        feed_border(b, f, &in, n->ops[0], n->op == OP_SCAN ? "steps" : "rows");
    if (border > 1)
        feed_border(b, f, &in, n->ops[1], "start if");
    box_fill(b, f, &in);
    for (int i = border + in.graph->nparams; i < (int)n->nops; i++)
        feed_border(b, f, &in, n->ops[i], n->op == OP_VJP ? "cotangent" : "tangent");
    if (border && in.open)
        draw_loopbacks(b, &in);
    draw_results(b, f, &in);
    box_end(&in);
}

void control_draw(Builder *b, Frame *f, Node *n)
{
    const UnrollMap *unrolled = f->outermost || f->known.copy ? b->options->unrolled : NULL;
    const SceneUnroll *u = unrolled ? map_get(unrolled, n) : NULL;
    if (u)
        unrolled_draw(b, f, n, u);
    else
        (n->op == OP_IFELSE ? draw_if : draw_owner)(b, f, n);
}
