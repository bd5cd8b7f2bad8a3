/* The states of a derivative that is taken apart; see derivation.h. */
#include "grad/derivation.h"
#include "grad/expand.h"
#include "grad/implicit.h"
#include "grad/jvp.h"
#include "grad/scan_parts.h"
#include "grad/vjp.h"

typedef struct {
    Store *st;
    Derivation *out;
    Node *n; /* the node, without truncation */
    Graph *g;
    int wrt, count;
    const bool *wanted; /* by result; NULL: all are */
    Node **holes;       /* for the given cotangents or tangents */
    int nholes;
} Taker;

static const char *in_arena(Store *st, const char *s)
{
    return arena_strndup(&st->scratch, s, strlen(s));
}

static bool same_as_last(const Taker *t, Node *const *results)
{
    const Derivation *d = t->out;
    Node *const *last = d->states.len ? d->states.at[d->states.len - 1].results : NULL;
    return last && !memcmp(last, results, (size_t)t->count * sizeof *last);
}

/* A state from its results over the body's parameters; one like the last is not told twice. */
static bool put_state(Taker *t, const char *op, const char *rule, Node *const *inner)
{
    Node **results = arena_alloc(&t->st->scratch, ((size_t)t->count + 1) * sizeof *results);
    if (!body_results(t->st, t->n, t->g, inner, t->count, results) ||
        (t->nholes &&
         !close_holes(t->st, t->nholes, t->holes, t->n->ops + t->g->nparams, t->count, results)))
        return false;
    if (!same_as_last(t, results))
        vec_push(&t->out->states,
                 ((DerivationState){.op = op, .rule = in_arena(t->st, rule), .results = results}));
    return true;
}

/* ---- reverse mode ---- */

/* What has a cotangent and is still to do, in topological order. */
static void frontier(const VjpSweep *s, NodeVec *ys, NodeVec *bars)
{
    NodeSet pending = {0};
    for (size_t i = 0; i < s->at; i++)
        set_add(&pending, s->order.at[i]);
    for (size_t i = 0; i < s->order.len; i++) {
        Node *n = s->order.at[i], *bar = map_get(&s->v.cotangents, n);
        if (bar && !map_has(&s->leaves, n) && map_has(&s->v.active, n) &&
            map_has(&pending, n->op == OP_PROJ ? n->ops[0] : n)) {
            vec_push(ys, n);
            vec_push(bars, bar);
        }
    }
    map_free(&pending);
}

/* Gathered cotangents plus those that the rest of the function will give. */
static bool gathered(Taker *t, const VjpSweep *s, Node **inner)
{
    Node *const *xs = t->g->param_nodes;
    NodeVec ys = {0}, bars = {0}, reach = {0};
    NodeSet below = {0};
    frontier(s, &ys, &bars);
    Node **rest = xcalloc((size_t)t->wrt + 1, sizeof *rest);
    bool ok = !ys.len || vjp_node(t->st, (int)ys.len, ys.at, bars.at, t->wrt, xs, rest);
    nodes_topo((int)ys.len, ys.at, &reach);
    for (size_t i = 0; i < reach.len; i++)
        set_add(&below, reach.at[i]);
    for (int i = 0; i < t->wrt && ok; i++) {
        Node *done = map_get(&s->v.cotangents, xs[i]);
        Node *more = map_has(&below, xs[i]) ? rest[i] : NULL;
        inner[i] = done && more ? build_add(t->st, done, more) : done ? done : more;
        ok = !done || inner[i];
    }
    free(rest);
    vec_free(&ys);
    vec_free(&bars);
    vec_free(&reach);
    map_free(&below);
    return ok && fill_zeros(t->st, t->wrt, inner, xs);
}

static bool reverse_state(Taker *t, const VjpSweep *s, const char *op, const char *rule)
{
    Node **inner = xcalloc((size_t)t->count + 1, sizeof *inner);
    bool ok = gathered(t, s, inner);
    for (int i = t->wrt; i < t->count; i++)
        inner[i] = t->g->outs[i - t->wrt];
    NodeVec loops = {0};
    for (size_t i = 0; i < s->v.extended.len; i++)
        vec_push(&loops, s->v.extended.at[i]);
    ok = ok && scans_settle(t->st, &loops, t->count, inner, t->wanted, NULL);
    vec_free(&loops);
    ok = ok && put_state(t, op, rule, inner);
    free(inner);
    return ok;
}

static void map_copy(const NodeMap *from, NodeMap *to)
{
    for (size_t i = 0; i < from->len; i++)
        map_put(to, map_key(from, i), map_val(from, i));
}

/* The loop among the results whose body holds a derivative of its own. */
static void find_inside(DerivationState *at, int count, DerivationState *to)
{
    NodeVec order = {0}, inner = {0};
    nodes_topo(count, at->results, &order);
    for (size_t i = 0; i < order.len && !to->body; i++) {
        if (order.at[i]->op != OP_SCAN)
            continue;
        Graph *body = order.at[i]->attrs[0].graph;
        inner.len = 0;
        nodes_topo(body->nouts, body->outs, &inner);
        for (size_t k = 0; k < inner.len && !to->body; k++)
            if (inner.at[k]->op == OP_VJP) {
                to->body = body;
                to->inside = inner.at[k];
            }
    }
    vec_free(&order);
    vec_free(&inner);
}

/* One loop, in parts: the same sweep as far as each part goes, then back. */
static bool loop_part(Taker *t, VjpSweep *s, Node *n, VjpDetail detail, const char *rule)
{
    Text note = {0};
    NodeMap saved = {0};
    size_t extended = s->v.extended.len;
    map_copy(&s->v.cotangents, &saved);
    s->v.detail = detail;
    s->v.note = rule ? NULL : &note;
    bool ok = vjp_rule(&s->v, n);
    s->at--;
    ok = ok && reverse_state(t, s, "scan",
                             rule       ? rule
                             : note.len ? text_str(&note)
                                        : "no derivative passes through the loop");
    s->at++;
    s->v.detail = VJP_WHOLE;
    s->v.note = NULL;
    map_free(&s->v.cotangents);
    s->v.cotangents = saved;
    s->v.extended.len = extended;
    text_free(&note);
    return ok;
}

static bool loop_states(Taker *t, VjpSweep *s, Node *n)
{
    size_t first = t->out->states.len;
    if (!loop_part(t, s, n, VJP_BODY_CLOSED, NULL) ||
        !loop_part(t, s, n, VJP_NOTHING_KEPT, "the body's derivative, operator by operator"))
        return false;
    if (t->out->states.len == first + 2)
        find_inside(&t->out->states.at[first], t->count, &t->out->states.at[first + 1]);
    return vjp_next(s) &&
           reverse_state(
               t, s, "scan",
               "results of products, solves and inner loops are saved instead of being recomputed");
}

static bool take_reverse(Taker *t, Node *const *bars)
{
    VjpSweep s;
    Node *n;
    vjp_begin(&s, t->st, t->g->nouts, t->g->outs, bars, t->wrt, t->g->param_nodes);
    bool ok = !s.failed;
    if (t->n->op == OP_GRAD)
        ok = ok && reverse_state(t, &s, DERIVATION_SEED, "the cotangent of the result is 1");
    while (ok && (n = vjp_peek(&s)))
        ok = n->op == OP_SCAN ? loop_states(t, &s, n)
                              : vjp_next(&s) && reverse_state(t, &s, op_table[n->op].name,
                                                              derivative_rule(t->st, n));
    if (ok && !t->out->states.len)
        ok = reverse_state(t, &s, DERIVATION_END, "nothing flows");
    vjp_end(&s);
    return ok;
}

/* ---- forward mode ---- */

/* Nodes that were pushed through and have a tangent that the rest of the function needs. */
static void cut(const JvpSweep *s, int nouts, Node *const *outs, NodeVec *xs, NodeSet *mentioned,
                NodeVec *pending)
{
    NodeMap used = {0};
    for (int i = 0; i < nouts; i++)
        if (!map_has(&s->j.values, outs[i])) {
            bool again = false;
            for (size_t k = 0; k < pending->len; k++)
                again = again || pending->at[k] == outs[i];
            if (!again)
                vec_push(pending, outs[i]);
        }
    for (size_t i = 0; i < s->order.len; i++) {
        Node *n = s->order.at[i];
        for (u32 k = 0; k < n->nops && !map_has(&s->j.values, n); k++)
            map_put(&used, n->ops[k], n);
    }
    for (size_t i = 0; i < s->order.len; i++) {
        Node *n = s->order.at[i], *now = map_get(&s->j.values, n);
        if (!now || !map_has(&used, n) || n->op == OP_CONST)
            continue;
        if (jvp_tangent(&s->j, now))
            vec_push(xs, n);
        else
            set_add(mentioned, n);
    }
    map_free(&used);
}

/* The Jvp node of what is left: outputs `pending` by the cut. NULL if nothing flows into it. */
static Node *rest_node(const JvpSweep *s, Store *st, NodeVec *xs, NodeSet *mentioned,
                       NodeVec *pending)
{
    Closed c;
    NodeVec ops = {0};
    CloseRequest rq = {.nfixed = (int)xs->len,
                       .fixed = xs->at,
                       .nouts = (int)pending->len,
                       .outs = pending->at,
                       .mentioned = mentioned};
    if (!graph_close(st, &rq, &c))
        return NULL;
    for (size_t i = 0; i < xs->len; i++)
        vec_push(&ops, map_get(&s->j.values, xs->at[i]));
    for (int i = 0; i < c.ncaptures; i++) {
        Node *now = map_get(&s->j.values, c.captures[i]);
        vec_push(&ops, now ? now : c.captures[i]);
    }
    for (size_t i = 0; i < xs->len; i++)
        vec_push(&ops, jvp_tangent(&s->j, map_get(&s->j.values, xs->at[i])));
    Attr a[] = {{.graph = c.graph}, {.i = (i64)xs->len}, {.i = -1}};
    Node *n = node_make(st, OP_JVP, a, (u32)ops.len, ops.at);
    vec_free(&ops);
    return n;
}

static bool forward_state(Taker *t, JvpSweep *s, const char *op, const char *rule)
{
    Store *st = t->st;
    int nouts = t->g->nouts;
    Node *const *outs = t->g->outs, **inner = xcalloc((size_t)t->count + 1, sizeof *inner);
    NodeVec xs = {0}, pending = {0};
    NodeSet mentioned = {0};
    cut(s, nouts, outs, &xs, &mentioned, &pending);
    Node *rest = xs.len && pending.len ? rest_node(s, st, &xs, &mentioned, &pending) : NULL;
    bool ok = rest || !xs.len || !pending.len;
    for (int i = 0; i < nouts && ok; i++) {
        Node *now = map_get(&s->j.values, outs[i]);
        inner[i] = now ? jvp_tangent(&s->j, now) : NULL;
        inner[nouts + i] = now ? now : outs[i];
        for (size_t k = 0; k < pending.len && rest; k++)
            if (pending.at[k] == outs[i]) {
                inner[i] = node_proj(st, rest, (i64)k);
                inner[nouts + i] = node_proj(st, rest, (i64)(pending.len + k));
            }
    }
    ok = ok && fill_zeros(st, nouts, inner, outs) &&
         scans_trim(st, &s->j.wider, t->count, inner, t->wanted) && put_state(t, op, rule, inner);
    free(inner);
    vec_free(&xs);
    vec_free(&pending);
    map_free(&mentioned);
    return ok;
}

static bool take_forward(Taker *t)
{
    JvpSweep s;
    Node *n;
    jvp_begin(&s, t->st, t->wrt, t->g->param_nodes, t->holes, t->g->nouts, t->g->outs);
    bool ok = true;
    while (ok && (n = jvp_peek(&s))) {
        ok = jvp_next(&s);
        bool flows = n->type->kind == TYPE_TUPLE || jvp_tangent(&s.j, n); /* a shape has none */
        ok =
            ok && (!flows || forward_state(t, &s, op_table[n->op].name, derivative_rule(t->st, n)));
    }
    if (ok)
        ok =
            !s.failed && forward_state(t, &s, DERIVATION_END, "no derivative is left to propagate");
    jvp_end(&s);
    return ok;
}

/* ---- both ---- */

bool derivation_open(Store *st, Node *n, const bool *wanted, Derivation *out)
{
    u32 temps = st->temp_count;
    *out = (Derivation){.node = n, .count = n->type->nitems};
    Node *whole = implicit_ready(st, n);
    if (!whole)
        return false;
    Taker t = {.st = st,
               .out = out,
               .n = whole,
               .g = whole->attrs[0].graph,
               .count = out->count,
               .wanted = wanted};
    t.wrt = (int)whole->attrs[1].i;
    bool ok;
    if (n->op == OP_GRAD) {
        Node *one = node_number(st, t.g->outs[0]->type->dtype, 1);
        ok = take_reverse(&t, &one);
    } else {
        t.nholes = n->op == OP_VJP ? t.g->nouts : t.wrt;
        t.holes = vector_holes(st, t.nholes, n->op == OP_VJP ? t.g->outs : t.g->param_nodes);
        ok = n->op == OP_VJP ? take_reverse(&t, t.holes) : take_forward(&t);
    }
    free(t.holes);
    st->temp_count = temps;
    return ok;
}

void derivation_free(Derivation *d) { vec_free(&d->states); }
