/* Loops, branches and calls of figures: boxes, and how lines enter and leave them.
 *
 * Invariant: every result of such a node that something reads has a text, and a line unless only
 * loops that run backwards read it. */
#include "viz/scene/figure_parts.h"

static bool is_loop(const Node *n) { return n->op == OP_SCAN || n->op == OP_LOOP; }

/* ---- rungs ---- */

/* A result of a loop forward as a sequence of a loop backwards. */
static bool reads_backwards(const Node *user, u32 k)
{
    if (user->op != OP_SCAN)
        return false;
    ScanShape s = scan_shape(user);
    return s.reverse && k > (u32)s.nstates && k <= (u32)(s.nstates + s.nseqs);
}

static bool is_trace(const Node *n)
{
    if (n->op != OP_PROJ || n->ops[0]->op != OP_SCAN)
        return false;
    ScanShape s = scan_shape(n->ops[0]);
    return !s.reverse && n->attrs[0].i >= s.nstates && n->attrs[0].i < s.steps;
}

/* Does b do all that a does, and more? */
static bool covers(const Node *a, const Node *b)
{
    ScanShape x = scan_shape(a), y = scan_shape(b);
    if (a == b || a->nops != b->nops || x.nstates != y.nstates || x.nseqs != y.nseqs ||
        x.reverse != y.reverse || x.stop || y.stop || x.nouts >= y.nouts)
        return false;
    for (u32 i = 0; i < a->nops; i++)
        if (a->ops[i] != b->ops[i])
            return false;
    for (int i = 0; i < x.nstates; i++)
        if (x.body->outs[i] != y.body->outs[i])
            return false;
    return true;
}

/* Result k of loop a, of its twin b; -1: b has no such result. */
static int twin_result(const Node *a, const Node *b, int k)
{
    ScanShape x = scan_shape(a), y = scan_shape(b);
    if (k < x.nstates)
        return k;
    for (int i = y.nstates; i < y.steps && k < x.steps; i++)
        if (y.body->outs[i] == x.body->outs[k])
            return i;
    return -1;
}

static void find_twins(Level *l, const NodeVec *order)
{
    for (size_t i = 0; i < order->len; i++) {
        Node *r = order->at[i];
        Node *a = r->op == OP_PROJ && r->ops[0]->op == OP_SCAN ? r->ops[0] : NULL;
        for (size_t k = 0; k < order->len && a; k++) {
            Node *b = order->at[k];
            if (b->op == OP_SCAN && covers(a, b) && twin_result(a, b, (int)r->attrs[0].i) >= 0)
                map_put(&l->twin, a, b);
        }
    }
    for (size_t i = 0; i < order->len; i++) {
        Node *r = order->at[i];
        Node *b = r->op == OP_PROJ ? map_get(&l->twin, r->ops[0]) : NULL;
        if (b && twin_result(r->ops[0], b, (int)r->attrs[0].i) < 0)
            map_remove(&l->twin, r->ops[0]);
    }
}

void figure_find_rungs(Level *l, const NodeVec *order, int nroots, Node *const *roots)
{
    for (size_t i = 0; i < order->len && !l->graph; i++) /* frames stand below each other there */
        for (u32 k = 0; k < order->at[i]->nops; k++)
            if (is_trace(order->at[i]->ops[k]) && reads_backwards(order->at[i], k))
                map_put(&l->rung, order->at[i]->ops[k], order->at[i]->ops[k]);
    for (size_t i = 0; i < order->len; i++)
        for (u32 k = 0; k < order->at[i]->nops; k++)
            if (!reads_backwards(order->at[i], k))
                map_remove(&l->rung, order->at[i]->ops[k]);
    for (int i = 0; i < nroots; i++)
        map_remove(&l->rung, roots[i]);
    find_twins(l, order);
}

/* ---- what the parts share ---- */

/* A box being filled, and the level that it stands in. */
typedef struct {
    Fig *f;
    Level *outer;
    Level in;
    Node *owner;
    Text weights;
} Inner;

static Inner inner_begin(Fig *f, Level *outer, Node *owner, const Graph *g, const SceneBox *box)
{
    SceneBox b = *box;
    b.parent = outer->box;
    Inner in = {.f = f, .outer = outer, .owner = owner};
    in.in.box = scene_box(f->scene, &b);
    in.in.graph = g;
    in.in.circles = is_loop(owner) && !f->folded;
    in.in.lists = is_loop(owner) && f->folded == 2;
    return in;
}

static void inner_end(Inner *in)
{
    SceneBox *b = scene_box_at(in->f->scene, in->in.box);
    if (in->weights.len)
        b->subtitle = arena_strndup(&in->f->scene->arena, text_str(&in->weights), in->weights.len);
    text_free(&in->weights);
    level_close(&in->in);
}

static const char *operand_text(Inner *in, Node *operand)
{
    Wires wires = {0};
    const char *text = map_get(&in->outer->text, operand);
    if (!text)
        text = figure_formula(in->f, in->outer, operand, &wires);
    vec_free(&wires);
    return text;
}

static const char *param_text(Inner *in, int i, Node *operand, bool as_operand)
{
    const Symbol *names = graph_names(in->f->st, in->in.graph);
    Symbol name = names ? names[i] : NULL;
    if (name)
        return as_operand ? figure_operand_name(in->f, name) : figure_name(in->f, name);
    return operand ? operand_text(in, operand) : figure_text(in->f, "p%d", i);
}

static bool is_zero(const Level *l, Node *n)
{
    return figure_is_zero(n) || map_has(&l->zero, figure_core(n));
}

static void call_param(Inner *in, int i, Node *operand)
{
    map_put(&in->in.text, in->in.graph->param_nodes[i],
            (void *)(uintptr_t)param_text(in, i, operand, true));
}

/* A value from outside that the formulas inside name: told at the box, with a line to it if it is
 * computed. */
static void capture(Inner *in, int i, Node *operand)
{
    call_param(in, i, operand);
    if (is_zero(in->outer, operand))
        map_put(&in->in.zero, in->in.graph->param_nodes[i], operand);
    else if (is_loop(in->owner) && figure_core(operand)->op != OP_CONST)
        text_printf(&in->weights, "%s%s", in->weights.len ? "  " : "",
                    param_text(in, i, operand, false));
    int from = level_value(in->f, in->outer, operand);
    if (from)
        scene_edge(in->f->scene,
                   &(SceneEdge){.from = from, .to_box = in->in.box, .kind = EDGE_CAPTURE});
}

static int port(Inner *in, SceneRole role, int i, Node *operand)
{
    int at = figure_end(in->f, in->in.box, role, param_text(in, i, operand, false));
    map_put(&in->in.wire, in->in.graph->param_nodes[i], (void *)(uintptr_t)at);
    call_param(in, i, operand);
    return at;
}

/* What comes in from outside, if it is more than a zero. */
static void feed(Inner *in, Node *operand, int to, SceneEdgeKind kind)
{
    if (is_zero(in->outer, operand))
        return;
    bool slight =
        (operand->op == OP_INDEX || operand->op == OP_SLICE) && figure_is_leaf(operand->ops[0]);
    int from = slight ? 0 : level_value(in->f, in->outer, operand);
    if (!from)
        from = figure_end(in->f, in->outer->box, ROLE_INPUT, operand_text(in, operand));
    figure_edge(in->f, from, to, kind);
}

/* Where a value of the body leaves; text: what it is called there. */
static int leave(Inner *in, Node *value, const char *text, SceneEdgeKind kind)
{
    int from = level_value(in->f, &in->in, value);
    if (!from) { /* only ever named: it has to stand somewhere */
        Wires wires = {0};
        const char *formula = figure_formula(in->f, &in->in, value, &wires);
        from = scene_node(in->f->scene, &(SceneNode){.op = "formula",
                                                     .label = formula,
                                                     .cls = CLS_STRUCTURAL,
                                                     .box = in->in.box});
        vec_free(&wires);
    }
    int at = figure_end(in->f, in->in.box, ROLE_OUTPUT, text);
    figure_edge(in->f, from, at, kind);
    return at;
}

/* Those of the level's nodes that are results of this one. */
static void results_of(Level *l, const Node *owner, NodeVec *out)
{
    for (size_t i = 0; i < l->uses.cap; i++) {
        Node *n = (Node *)(uintptr_t)l->uses.keys[i];
        if (n && n->op == OP_PROJ && (n->ops[0] == owner || map_get(&l->twin, n->ops[0]) == owner))
            vec_push(out, n);
    }
    for (size_t i = 1; i < out->len; i++) /* by number: the map has no order */
        for (size_t k = i; k && out->at[k - 1]->attrs[0].i > out->at[k]->attrs[0].i; k--) {
            Node *n = out->at[k];
            out->at[k] = out->at[k - 1];
            out->at[k - 1] = n;
        }
}

static void call_result(Level *l, Node *result, const char *text, int at)
{
    map_put(&l->text, result, (void *)(uintptr_t)text);
    if (at)
        map_put(&l->wire, result, (void *)(uintptr_t)at);
}

static void wire_add(Wires *wires, int w)
{
    for (size_t i = 0; i < wires->len; i++)
        if (wires->at[i] == w)
            return;
    if (w)
        vec_push(wires, w);
}

/* ---- scan ---- */

/* The state that state i is only an earlier row of. */
static int rail_of(const ScanRoles *roles, int i)
{
    while (i > 0 && roles->earlier && roles->earlier[i])
        i--;
    return i;
}

static const char *count_text(Fig *f, Level *l, Node *n)
{
    Wires wires = {0};
    const char *text = figure_formula(f, l, n, &wires);
    vec_free(&wires);
    return text;
}

/* "for each x[t]", "50 steps", "until ..": what people say of the loop. */
static void put_head(Inner *in, const ScanShape *s, Text *t)
{
    i64 k;
    bool wired = false;
    for (int i = 0; i < s->nseqs && !s->reverse; i++) {
        const char *text = param_text(in, s->nstates + i, s->seqs[i], false);
        text_printf(t, "%s%s", wired ? ", " : "for each ", text);
        wired = true;
    }
    bool endless = node_const_i64(s->n, &k) && k == SCAN_UNBOUNDED;
    if (!wired && !s->reverse && !endless)
        text_printf(t, "%s%s steps", s->stop ? "at most " : "", count_text(in->f, in->outer, s->n));
    if (s->reverse)
        text_put(t, "backwards");
    if (s->stop) {
        Wires wires = {0};
        text_printf(t, "%suntil %s", t->len ? ", " : "repeat ",
                    figure_formula(in->f, &in->in, s->body->outs[s->body->nouts - 1], &wires));
        vec_free(&wires);
    }
}

static void scan_enter(Inner *in, const ScanShape *s, const ScanRoles *roles, const bool *drawn,
                       int *ports)
{
    for (int i = 0; i < s->nstates; i++) {
        int rail = rail_of(roles, i);
        bool tapped = i + 1 < s->nstates && rail_of(roles, i + 1) == i;
        Node *init = s->inits[i];
        if (tapped && init->op == OP_INDEX) /* its rows begin all the taps */
            init = init->ops[0];
        if (!drawn[rail])
            continue;
        if (rail != i) {
            call_param(in, i, NULL);
            map_put(&in->in.wire, s->body->param_nodes[i], (void *)(uintptr_t)ports[rail]);
            continue;
        }
        ports[i] = port(in, ROLE_STATE, i, NULL);
        feed(in, init, ports[i], EDGE_STATE);
    }
    for (int i = 0; i < s->nseqs; i++) {
        int k = s->nstates + i;
        Node *seq = s->seqs[i];
        if (!map_has(&in->in.uses, s->body->param_nodes[k])) {
            call_param(in, k, seq); /* only the title may tell it */
            continue;
        }
        bool known = map_has(&in->outer->rung, seq);
        bool named = known || seq->op == OP_SLICE ||
                     (figure_is_leaf(seq) && !map_has(&in->outer->wire, figure_core(seq)));
        int from = named ? 0 : level_value(in->f, in->outer, seq);
        if (known || (from && s->reverse && !in->outer->graph)) {
            call_param(in, k, seq);
            if (!known)
                scene_edge(in->f->scene, &(SceneEdge){.from = from,
                                                      .to_box = in->in.box,
                                                      .label = param_text(in, k, seq, false),
                                                      .kind = EDGE_SEQUENCE});
            continue;
        }
        int at = port(in, ROLE_SEQUENCE, k, seq);
        if (from)
            figure_edge(in->f, from, at, EDGE_SEQUENCE);
    }
    for (int i = 0; i < s->ncaptures; i++)
        capture(in, s->nstates + s->nseqs + i, s->captures[i]);
}

/* What the loop backwards reads of the one forward, each value once: "1 - f" is read off f. */
static void draw_rungs(Inner *in, const ScanShape *s)
{
    VEC(const char *) told = {0};
    for (int i = 0; i < s->nseqs; i++) {
        if (!map_has(&in->outer->rung, s->seqs[i]))
            continue;
        Symbol name = graph_names(in->f->st, s->body)
                          ? graph_names(in->f->st, s->body)[s->nstates + i]
                          : NULL;
        const char *base = name ? name : param_text(in, s->nstates + i, s->seqs[i], false);
        for (const char *rest = base; rest; base = rest ? rest : base)
            rest = strncmp(base, "one minus ", 10) == 0 ? base + 10
                   : strncmp(base, "sqr ", 4) == 0      ? base + 4
                                                        : NULL;
        bool known = false;
        for (size_t k = 0; k < told.len; k++)
            known = known || strcmp(told.at[k], base) == 0;
        int from = (int)(uintptr_t)map_get(&in->outer->wire, s->seqs[i]->ops[0]);
        if (known || !from)
            continue;
        vec_push(&told, base);
        scene_edge(in->f->scene, &(SceneEdge){.from_box = from,
                                              .to_box = in->in.box,
                                              .label = figure_name(in->f, base),
                                              .kind = EDGE_SEQUENCE});
    }
    vec_free(&told);
}

/* Which result of the owner (or of its twin) r is; -1: of none. */
static int result_index(const Inner *in, const Node *r)
{
    int k = (int)r->attrs[0].i;
    return r->ops[0] == in->owner ? k : twin_result(r->ops[0], in->owner, k);
}

static bool reads_state(const NodeVec *nodes, const ScanShape *s, const ScanRoles *roles, int state)
{
    for (size_t i = 0; i < nodes->len; i++) {
        const Node *n = nodes->at[i];
        if (n->op == OP_PARAM && n->attrs[0].i < s->nstates &&
            rail_of(roles, (int)n->attrs[0].i) == state)
            return true;
    }
    return false;
}

/* Which states are drawn: those that a result or another drawn one needs. `roots`: what is needed
 * so far, to which their next values are added. */
static void drawn_states(const Inner *in, const ScanShape *s, const ScanRoles *roles,
                         const NodeVec *results, NodeVec *roots, bool *drawn)
{
    for (size_t i = 0; i < results->len; i++) {
        int k = result_index(in, results->at[i]);
        if (k >= 0 && k < s->nstates)
            drawn[rail_of(roles, k)] = true;
    }
    for (int i = 0; i < s->nstates; i++)
        if (drawn[i])
            vec_push(roots, s->body->outs[i]);
    if (s->stop)
        vec_push(roots, s->body->outs[s->body->nouts - 1]);
    for (bool more = true; more;) {
        NodeVec nodes = {0};
        more = false;
        nodes_topo((int)roots->len, roots->at, &nodes);
        for (int i = 0; i < s->nstates; i++)
            if (!drawn[i] && rail_of(roles, i) == i && reads_state(&nodes, s, roles, i)) {
                drawn[i] = more = true;
                vec_push(roots, s->body->outs[i]);
            }
        vec_free(&nodes);
    }
}

/* Roots of the body that are drawn: next states, and traces that more than rungs read. */
static void scan_roots(Inner *in, const ScanShape *s, const ScanRoles *roles, NodeVec *out,
                       bool *drawn)
{
    NodeVec results = {0}, needed = {0};
    results_of(in->outer, in->owner, &results);
    for (size_t i = 0; i < results.len; i++) {
        int k = result_index(in, results.at[i]);
        if (k >= s->nstates && k < s->steps && !map_has(&in->outer->rung, results.at[i]))
            vec_push(&needed, s->body->outs[k]);
    }
    size_t traces = needed.len;
    drawn_states(in, s, roles, &results, &needed, drawn);
    for (int i = 0; i < s->nstates; i++)
        if (drawn[i])
            vec_push(out, s->body->outs[i]);
    for (size_t i = 0; i < traces; i++)
        vec_push(out, needed.at[i]);
    vec_free(&results);
    vec_free(&needed);
}

static const char *next_name(Inner *in, const ScanShape *s, int i)
{
    const Symbol *names = graph_names(in->f->st, s->body);
    Symbol after = names ? name_shifted(in->f->st, names[i], s->reverse ? -1 : 1) : NULL;
    return after ? figure_name(in->f, after) : figure_text(in->f, "next %d", i);
}

static void scan_result(Inner *in, const ScanShape *s, const ScanRoles *roles, Node *r,
                        const int *outs, int *traces)
{
    Fig *f = in->f;
    int k = result_index(in, r);
    if (map_has(&in->outer->rung, r) || k < 0)
        return;
    if (k >= s->steps) {
        map_put(&in->outer->text, r, (void *)(uintptr_t)(k == s->steps ? "steps" : "stopped"));
        return;
    }
    if (k < s->nstates) {
        const Symbol *names = graph_names(f->st, s->body);
        Symbol base = names && names[k] ? name_base(f->st, names[k]) : NULL;
        const char *text = base ? figure_operand_name(f, base) : figure_text(f, "state %d", k);
        bool sum = base && strncmp(base, "sum ", 4) == 0;
        call_result(in->outer, r, sum || s->reverse ? text : figure_text(f, "final %s", text),
                    outs[rail_of(roles, k)]);
        return;
    }
    int t = k - s->nstates, at = 0;
    for (int i = 0; i < s->nstates && !at; i++)
        if (s->body->outs[i] == s->body->outs[k] && outs[i])
            at = outs[i];
    Symbol name = roles->outs ? roles->outs[t] : NULL;
    const char *each = name ? figure_name(f, name) : figure_text(f, "result %d", t);
    if (!at && !traces[t])
        traces[t] = leave(in, s->body->outs[k], each, EDGE_DATA);
    Symbol base = name ? name_base(f->st, name) : NULL;
    call_result(in->outer, r, base ? figure_operand_name(f, base) : each, at ? at : traces[t]);
}

static void scan_leave(Inner *in, const ScanShape *s, const ScanRoles *roles, const bool *drawn,
                       const int *ports)
{
    NodeVec results = {0};
    int *outs = xcalloc((size_t)s->nstates + 1, sizeof *outs);
    int *traces = xcalloc((size_t)s->nouts + 1, sizeof *traces);
    for (int i = 0; i < s->nstates; i++)
        if (drawn[i]) {
            outs[i] = leave(in, s->body->outs[i], next_name(in, s, i), EDGE_STATE);
            figure_edge(in->f, outs[i], ports[i], EDGE_LOOPBACK);
        }
    results_of(in->outer, in->owner, &results);
    for (size_t i = 0; i < results.len; i++)
        scan_result(in, s, roles, results.at[i], outs, traces);
    vec_free(&results);
    free(outs);
    free(traces);
}

static void draw_scan(Fig *f, Level *l, Node *n)
{
    Node *twin = map_get(&l->twin, n);
    if (twin) /* what reads this one may come before the other */
        draw_scan(f, l, twin);
    if (twin || map_has(&l->wire, n))
        return;
    ScanShape s = scan_shape(n);
    ScanRoles roles = scan_roles(f->st, n);
    Inner in =
        inner_begin(f, l, n, s.body, &(SceneBox){.kind = s.reverse ? BOX_ADJOINT : BOX_SCAN});
    int *ports = xcalloc((size_t)s.nstates + 1, sizeof *ports);
    bool *drawn = xcalloc((size_t)s.nstates + 1, sizeof *drawn);
    NodeVec roots = {0};
    Text head = {0};
    map_put(&l->wire, n, (void *)(uintptr_t)in.in.box);
    scan_roots(&in, &s, &roles, &roots, drawn);
    level_open(&in.in, f, (int)roots.len, roots.at);
    scan_enter(&in, &s, &roles, drawn, ports);
    level_draw(f, &in.in, (int)roots.len, roots.at);
    scan_leave(&in, &s, &roles, drawn, ports);
    put_head(&in, &s, &head);
    draw_rungs(&in, &s);
    scene_box_at(f->scene, in.in.box)->title =
        arena_strndup(&f->scene->arena, text_str(&head), head.len);
    text_free(&head);
    vec_free(&roots);
    free(ports);
    free(drawn);
    inner_end(&in);
}

/* ---- if ---- */

/* Ends of the branch, by result, are in ends. */
static void draw_branch(Inner *around, Graph *g, const IntList *map, bool taken, int *ends)
{
    IfShape s = if_shape(around->owner);
    Inner in = inner_begin(
        around->f, &around->in, around->owner, g,
        &(SceneBox){.kind = taken ? BOX_THEN : BOX_ELSE, .title = taken ? "then" : "else"});
    in.outer = around->outer;
    for (int i = 0; i < g->nparams; i++) {
        const char *text = operand_text(&in, s.operands[map->at[i]]);
        map_put(&in.in.text, g->param_nodes[i], (void *)(uintptr_t)text);
    }
    level_open(&in.in, in.f, g->nouts, g->outs);
    level_draw(in.f, &in.in, g->nouts, g->outs);
    for (int i = 0; i < g->nouts; i++)
        ends[i] = leave(&in, g->outs[i], "", EDGE_DATA);
    inner_end(&in);
}

/* A box with a box for each branch; what leaves the branches meets at the ends of the outer one. */
static void draw_if(Fig *f, Level *l, Node *n)
{
    IfShape s = if_shape(n);
    Wires wires = {0};
    NodeVec results = {0};
    int *ends[2];
    const char *test = figure_formula(f, l, s.condition, &wires);
    Inner in = inner_begin(f, l, n, NULL,
                           &(SceneBox){.kind = BOX_GROUP, .title = figure_text(f, "if %s", test)});
    for (int k = 0; k < 2; k++) {
        ends[k] = xcalloc((size_t)n->type->nitems + 1, sizeof *ends[k]);
        draw_branch(&in, k ? s.else_graph : s.then_graph, k ? s.else_args : s.then_args, k == 0,
                    ends[k]);
    }
    for (int i = 0; i < s.noperands; i++)
        wire_add(&wires, level_value(f, l, s.operands[i]));
    for (size_t i = 0; i < wires.len; i++)
        scene_edge(f->scene, &(SceneEdge){.from = wires.at[i], .to_box = in.in.box});
    results_of(l, n, &results);
    for (size_t i = 0; i < results.len; i++) {
        i64 k = results.at[i]->attrs[0].i;
        Symbol name = node_name_in(f->st, l->graph, results.at[i]);
        const char *text = name ? figure_name(f, name) : figure_text(f, "z%d", ++f->letters);
        int at = figure_end(f, in.in.box, ROLE_OUTPUT, l->graph ? text : "");
        figure_edge(f, ends[0][k], at, EDGE_DATA);
        figure_edge(f, ends[1][k], at, EDGE_DATA);
        call_result(l, results.at[i], text, at);
    }
    free(ends[0]);
    free(ends[1]);
    vec_free(&results);
    vec_free(&wires);
    inner_end(&in);
}

/* ---- calls, derivatives as written, lowered loops ---- */

static const char *call_title(Fig *f, const Node *n)
{
    if (n->op == OP_CALL && n->attrs[1].name)
        return n->attrs[1].name;
    Text by = {0};
    for (i64 i = 0; n->op == OP_GRAD && i < n->attrs[1].i; i++) {
        const Symbol *names = graph_names(f->st, n->attrs[0].graph);
        text_printf(&by, "%s%s", i ? ", " : "gradient by ",
                    names && names[i] ? figure_name(f, names[i]) : "it");
    }
    const char *title = by.len ? figure_text(f, "%s", text_str(&by)) : NULL;
    text_free(&by);
    if (title)
        return title;
    return figure_text(f, "%s", op_table[n->op].name);
}

static void draw_call(Fig *f, Level *l, Node *n)
{
    const Graph *g = n->attrs[0].graph;
    u32 first = n->op == OP_LOOP ? 2 : 0;
    Inner in = inner_begin(f, l, n, g, &(SceneBox){.kind = BOX_CALL, .title = call_title(f, n)});
    level_open(&in.in, f, g->nouts, g->outs);
    for (int i = 0; i < g->nparams; i++) {
        if (first + (u32)i < n->nops)
            capture(&in, i, n->ops[first + (u32)i]);
        else
            call_param(&in, i, NULL);
    }
    level_draw(f, &in.in, g->nouts, g->outs);
    NodeVec results = {0};
    results_of(l, n, &results);
    for (size_t i = 0; i < results.len; i++) {
        Node *r = results.at[i];
        Symbol name = l->graph ? node_name_in(f->st, l->graph, r) : node_result_name(f->st, r);
        const char *text = name ? figure_name(f, name) : figure_text(f, "result %zu", i);
        i64 k = r->attrs[0].i;
        bool of_body = n->op != OP_GRAD && n->op != OP_VJP && n->op != OP_JVP && k < g->nouts;
        Node *value = of_body ? g->outs[k] : g->outs[0];
        int at = leave(&in, value, of_body ? "" : text, EDGE_DATA);
        call_result(l, r, text, at);
    }
    vec_free(&results);
    inner_end(&in);
}

void figure_control(Fig *f, Level *l, Node *n)
{
    if (n->op == OP_SCAN)
        draw_scan(f, l, n);
    else if (n->op == OP_IFELSE)
        draw_if(f, l, n);
    else
        draw_call(f, l, n);
}
