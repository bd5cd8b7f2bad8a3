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

/* A parameter of a box: what feeds it, and how. */
typedef struct {
    Node *operand; /* NULL: nothing */
    SceneRole role;
    SceneEdgeKind kind;
    const char *head;
} Feed;

const char *param_name(Builder *b, const Graph *g, int i)
{
    const Symbol *names = graph_names(b->st, g);
    return names && names[i] ? names[i] : label_text(b, "p%d", i);
}

bool operand_is_drawn(const Node *n) { return n && !label_folds(n); }

/* ---- boxes ---- */

typedef struct {
    int box;
    bool open;
    Node *owner;
    Frame frame;
} Inner;

/* A box for g; closed if that was asked for, if it is drawn already or nested too deep. */
static Inner box_begin(Builder *b, Frame *f, Node *owner, Graph *g, SceneBox *box)
{
    int first = map_get(&b->boxes, g) - 1;
    box->parent = box->parent ? box->parent : f->box;
    box_identify(b, owner, box);
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
    Inner in = {.box = scene_box(b->scene, box), .open = !box->closed, .owner = owner};
    in.frame.box = in.box;
    in.frame.diff = diff_inside(b, f->diff, owner, g);
    if (!map_has(&b->boxes_of, owner))
        map_put(&b->boxes_of, owner, in.box);
    if (in.open)
        map_put(&b->boxes, g, in.box + 1);
    return in;
}

/* A captured input stands in the box that reads it, and not outside as well. */
static bool is_brought(const Feed *in)
{
    return in->role == ROLE_CAPTURE && in->operand && is_source(in->operand);
}

static void feed(Builder *b, Frame *f, const Node *owner, const Feed *in, End to)
{
    if (operand_is_drawn(in->operand))
        frame_edge(b, f, frame_end(b, f, in->operand), to, in->operand, in->head, in->kind,
                   diff_edge(f->diff, owner, in->operand));
}

/* A parameter without a name tells what feeds it: "p3: tanh". */
static const char *param_label(Builder *b, Frame *f, Graph *g, int i, Node *operand)
{
    enum { LONGEST = 14 };
    const Symbol *names = graph_names(b->st, g);
    const char *own = param_name(b, g, i);
    if (operand && is_source(operand))
        return names && names[i] ? names[i] : operand->attrs[0].name;
    End e = operand_is_drawn(operand) ? frame_end(b, f, operand) : (End){0};
    if ((names && names[i]) || !e.node || e.box)
        return own;
    const char *from = label_short(b, operand->op == OP_PROJ ? operand->ops[0] : operand);
    return strlen(from) > LONGEST ? own : label_text(b, "%s: %s", own, from);
}

/* Parameters, then the nodes of the body.  A constant that feeds a parameter is told beside its
 * name. */
static void box_fill(Builder *b, Frame *f, Inner *in, Graph *g, const Feed *feeds)
{
    if (!in->open) {
        for (int i = 0; i < g->nparams; i++)
            feed(b, f, in->owner, &feeds[i], (End){.box = in->box});
        return;
    }
    Node **operands = xmalloc(((size_t)g->nparams + 1) * sizeof *operands);
    for (int i = 0; i < g->nparams; i++)
        operands[i] = feeds[i].operand;
    BoundSizes sizes = label_bind_sizes(b, g, g->nparams, operands), around_sizes = b->sizes;
    free(operands);
    const Graph *outer = b->graph, *around = b->num->within;
    Dimensions *dims_around = b->dimensions;
    Dimensions dims = dimensions_within(dims_around, in->owner, g);
    for (int i = 0; i < g->nparams; i++) {
        SceneNode s = {.op = "param",
                       .label = param_label(b, f, g, i, feeds[i].operand),
                       .cls = CLS_INPUT,
                       .role = feeds[i].role,
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
        if (is_brought(&feeds[i])) {
            s.id = (i64)number_of(b->num, feeds[i].operand);
            node_identify(b, feeds[i].operand, &s);
            frame_value(b, f, feeds[i].operand, &s);
        }
        if (feeds[i].operand && label_folds(feeds[i].operand))
            s.value = label_text(b, "%s%s", label_node(b, feeds[i].operand),
                                 feeds[i].role == ROLE_STATE ? " at first" : "");
        End *e = arena_alloc(&b->arena, sizeof *e);
        e->node = scene_node(b->scene, &s);
        map_put(&b->called, e->node, param_name(b, g, i));
        map_put(&in->frame.ends, g->param_nodes[i], e);
        if (!is_brought(&feeds[i]))
            feed(b, f, in->owner, &feeds[i], *e);
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
static End box_output(Builder *b, Inner *in, Graph *g, int k, const char *tail, SceneEdgeKind kind)
{
    End e = {.box = in->box};
    if (in->open && k < g->nouts)
        e = frame_end(b, &in->frame, g->outs[k]);
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

static Feed *feeds_new(Builder *b, const Graph *g)
{
    return arena_alloc(&b->arena, (size_t)(g->nparams + 1) * sizeof(Feed));
}

/* What enters a box, but for its parameters. */
static void feed_border(Builder *b, Frame *f, const Node *owner, Node *operand, const char *head,
                        int box)
{
    feed(b, f, owner, &(Feed){operand, ROLE_NONE, EDGE_DATA, head}, (End){.box = box});
}

/* ---- scan and loop ---- */

static Feed *put_feeds(Feed *at, int n, Node *const *operands, Feed like)
{
    for (int i = 0; i < n; i++, at++) {
        *at = like;
        at->operand = operands[i];
    }
    return at;
}

/* `test` (or NULL) decides after each step if there is another one. */
static void loopbacks(Builder *b, const Graph *body, int nstates, Node *test, const char *word,
                      Inner *in)
{
    for (int i = 0; i < nstates && in->open; i++) {
        End from = frame_end(b, &in->frame, body->outs[i]);
        End to = frame_end(b, &in->frame, body->param_nodes[i]);
        from.tail = NULL;
        frame_edge(b, &in->frame, from, to, NULL, "next", EDGE_LOOPBACK,
                   diff_mark(in->frame.diff, body->outs[i]) == MARK_ADDED ? MARK_ADDED : MARK_NONE);
    }
    if (test && in->open)
        frame_edge(b, &in->frame, frame_end(b, &in->frame, test), (End){.box = in->box}, NULL, word,
                   EDGE_UNTIL, MARK_NONE);
}

/* Final states and traces, and `more` that the body does not give. */
static void loop_results(Builder *b, Frame *f, Inner *in, Graph *body, int steps, int more)
{
    static const char *const words[] = {"steps", "stopped"};
    Results *r = results_new(b, f, in->owner, steps + more);
    for (int i = 0; i < steps; i++)
        r->at[i] = i < in->frame.nstates ? box_output(b, in, body, i, "final", EDGE_STATE)
                                         : box_output(b, in, body, i, "trace", EDGE_DATA);
    for (int i = 0; i < more; i++)
        r->at[steps + i] = (End){.box = in->box, .tail = words[i]};
    box_end(in);
}

static void draw_scan(Builder *b, Frame *f, Node *n)
{
    ScanShape s = scan_shape(n);
    SceneBox box = {.kind = BOX_SCAN, .title = label_loop(b, n), .subtitle = label_scan(b, &s)};
    Inner in = box_begin(b, f, n, s.body, &box);
    Feed *feeds = feeds_new(b, s.body), *at = feeds;
    at = put_feeds(at, s.nstates, s.inits, (Feed){NULL, ROLE_STATE, EDGE_STATE, "init"});
    at = put_feeds(at, s.nseqs, s.seqs, (Feed){NULL, ROLE_SEQUENCE, EDGE_SEQUENCE, NULL});
    put_feeds(at, s.ncaptures, s.captures, (Feed){NULL, ROLE_CAPTURE, EDGE_CAPTURE, NULL});
    in.frame.body = s.body;
    in.frame.nstates = s.nstates;
    feed_border(b, f, n, s.n, "steps", in.box);
    box_fill(b, f, &in, s.body, feeds);
    loopbacks(b, s.body, s.nstates, s.stop ? s.body->outs[s.body->nouts - 1] : NULL, "until", &in);
    loop_results(b, f, &in, s.body, s.steps, 2);
}

static void draw_loop(Builder *b, Frame *f, Node *n)
{
    LoopShape s = loop_shape(n);
    SceneBox box = {
        .kind = BOX_LOOP, .title = label_loop(b, n), .subtitle = s.down ? "backwards" : NULL};
    Inner in = box_begin(b, f, n, s.body, &box);
    Feed *feeds = feeds_new(b, s.body), *at = feeds;
    at = put_feeds(at, s.nstates, s.inits, (Feed){NULL, ROLE_STATE, EDGE_STATE, "init"});
    put_feeds(at, s.ncaptures, s.captures, (Feed){NULL, ROLE_CAPTURE, EDGE_CAPTURE, NULL});
    in.frame.body = s.body;
    in.frame.nstates = s.nstates;
    feed_border(b, f, n, s.ntraces ? s.rows : NULL, "rows", in.box);
    feed_border(b, f, n, s.go, "start if", in.box);
    box_fill(b, f, &in, s.body, feeds);
    loopbacks(b, s.body, s.nstates, s.body->outs[s.body->nouts - 1], "while", &in);
    loop_results(b, f, &in, s.body, s.steps, 1);
}

/* ---- if ---- */

static void draw_branch(Builder *b, Frame *f, Node *n, Graph *g, const IntList *map, bool taken,
                        int around, End join)
{
    IfShape s = if_shape(n);
    SceneBox box = {.kind = taken ? BOX_THEN : BOX_ELSE,
                    .title = taken ? "then" : "else",
                    .owner = join.node,
                    .parent = around};
    Inner in = box_begin(b, f, n, g, &box);
    Feed *feeds = feeds_new(b, g);
    for (int i = 0; i < g->nparams; i++)
        feeds[i] = (Feed){s.operands[map->at[i]], ROLE_CAPTURE, EDGE_CAPTURE, NULL};
    box_fill(b, f, &in, g, feeds);
    for (int i = 0; i < g->nouts && (in.open || i == 0); i++) {
        End from = box_output(b, &in, g, i, NULL, EDGE_DATA);
        frame_edge(b, f, from, join, g->outs[i], NULL, EDGE_DATA, MARK_NONE);
    }
    box_end(&in);
}

static void draw_if(Builder *b, Frame *f, Node *n)
{
    IfShape s = if_shape(n);
    End condition = frame_end(b, f, s.condition);
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
    frame_edge(b, f, condition, join, s.condition, "condition", EDGE_DATA,
               diff_edge(f->diff, n, s.condition));
    draw_branch(b, f, n, s.then_graph, s.then_args, true, around, join);
    draw_branch(b, f, n, s.else_graph, s.else_args, false, around, join);
    Results *r = results_new(b, f, n, n->type->nitems);
    for (int i = 0; i < n->type->nitems; i++) {
        r->at[i] = join;
        r->at[i].tail = n->type->nitems > 1 ? label_text(b, "%d", i) : NULL;
    }
}

/* ---- calls and implicit derivatives ---- */

static const char *axis_text(Builder *b, i64 axis)
{
    return label_text(b, "axis %lld", (long long)axis);
}

/* A graph that is applied to the operands of n; axes of its lanes, or NULL. */
static Inner draw_applied(Builder *b, Frame *f, Node *n, SceneBox *box, const IntList *axes)
{
    Graph *g = n->attrs[0].graph;
    Inner in = box_begin(b, f, n, g, box);
    Feed *feeds = feeds_new(b, g);
    for (int i = 0; i < g->nparams; i++) {
        bool lanes = axes && axes->at[i] >= 0;
        feeds[i] =
            (Feed){n->ops[i], ROLE_PARAM, EDGE_DATA, lanes ? axis_text(b, axes->at[i]) : NULL};
    }
    box_fill(b, f, &in, g, feeds);
    return in;
}

static void applied_results(Builder *b, Frame *f, Inner *in, const IntList *axes)
{
    Graph *g = in->owner->attrs[0].graph;
    Results *r = results_new(b, f, in->owner, g->nouts);
    for (int i = 0; i < g->nouts; i++)
        r->at[i] = box_output(b, in, g, i, axes && axes->at[i] ? axis_text(b, axes->at[i]) : NULL,
                              EDGE_DATA);
    box_end(in);
}

static void draw_call(Builder *b, Frame *f, Node *n)
{
    SceneBox box = {.kind = BOX_CALL, .title = n->attrs[1].name ? n->attrs[1].name : "call"};
    Inner in = draw_applied(b, f, n, &box, NULL);
    applied_results(b, f, &in, NULL);
}

static void draw_fused(Builder *b, Frame *f, Node *n)
{
    Graph *g = n->attrs[0].graph;
    NodeVec order = {0};
    u32 operators = 0;
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        operators += order.at[i]->nops > 0;
    vec_free(&order);
    SceneBox box = {
        .kind = BOX_FUSED, .title = "fused", .subtitle = label_text(b, "%u operators", operators)};
    Inner in = draw_applied(b, f, n, &box, NULL);
    applied_results(b, f, &in, NULL);
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

/* Results: first the derivatives (with respect to the wrt arguments; of the outputs for jvp), then
 * the outputs.
 */
static void draw_derivative(Builder *b, Frame *f, Node *n)
{
    Graph *g = n->attrs[0].graph;
    SceneBox box = {.kind = n->op == OP_GRAD  ? BOX_GRAD
                            : n->op == OP_VJP ? BOX_VJP
                                              : BOX_JVP,
                    .title = op_table[n->op].name,
                    .subtitle = list_params(b, "wrt", g, (int)n->attrs[1].i, NULL)};
    if (n->attrs[2].i >= 0)
        box.subtitle =
            label_text(b, "%s, truncated to %lld steps", box.subtitle, (long long)n->attrs[2].i);
    Inner in = draw_applied(b, f, n, &box, NULL);
    for (u32 i = (u32)g->nparams; i < n->nops; i++)
        feed_border(b, f, n, n->ops[i], n->op == OP_VJP ? "cotangent" : "tangent", in.box);
    Results *r = results_new(b, f, n, n->type->nitems);
    int derivatives = n->type->nitems - g->nouts;
    for (int i = 0; i < derivatives; i++)
        r->at[i] =
            (End){.box = in.box,
                  .tail = n->op == OP_JVP ? "tangent" : label_text(b, "d_%s", param_name(b, g, i))};
    for (int i = derivatives; i < n->type->nitems; i++)
        r->at[i] = box_output(b, &in, g, i - derivatives, "value", EDGE_DATA);
    box_end(&in);
}

/* One box for all lanes; the axes are told at its border. */
static void draw_vmap(Builder *b, Frame *f, Node *n)
{
    const Graph *g = n->attrs[0].graph;
    const IntList *axes = n->attrs[1].ints;
    SceneBox box = {.kind = BOX_VMAP,
                    .title = "vmap",
                    .subtitle = list_params(b, "over", g, (int)axes->n, axes)};
    Inner in = draw_applied(b, f, n, &box, axes);
    applied_results(b, f, &in, n->attrs[2].ints);
}

void control_draw(Builder *b, Frame *f, Node *n)
{
    const SceneUnroll *u =
        b->options->unrolled && f->valued ? map_get(b->options->unrolled, n) : NULL;
    if (u)
        unrolled_draw(b, f, n, u);
    else if (n->op == OP_SCAN)
        draw_scan(b, f, n);
    else if (n->op == OP_LOOP)
        draw_loop(b, f, n);
    else if (n->op == OP_IFELSE)
        draw_if(b, f, n);
    else if (n->op == OP_CALL)
        draw_call(b, f, n);
    else if (n->op == OP_FUSED)
        draw_fused(b, f, n);
    else if (n->op == OP_VMAP)
        draw_vmap(b, f, n);
    else
        draw_derivative(b, f, n);
}
