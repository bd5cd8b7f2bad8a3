/* The log of an exploration gone through: which node of a state is which thing of the one before.
 * See things.h.
 *
 * State after state where that is affordable, else sweep after sweep, from what the engine noted.
 */
#include "rewrite/things.h"

#include "graph/op.h"
#include "graph/print.h"
#include "rewrite/history.h"

enum { MAX_REPLAYED = 500000 /* nodes that may be visited only to know what is between steps */ };

/* ---- what a step took away ---- */

/* Is its graph put in its place when it goes? */
static bool is_inlined(const Node *n)
{
    return op_table[n->op].cls == CLASS_IMPLICIT || n->op == OP_CALL || n->op == OP_IFELSE;
}

static void push_inner(const Tracer *b, Body *in, const Node *owner, GoneList *gone)
{
    int slots[4], n = is_inlined(owner) ? node_graphs(owner, slots) : 0;
    for (int i = 0; i < n; i++) {
        Graph *g = owner->attrs[slots[i]].graph;
        Body *body = body_known(b->t, g);
        NodeVec order = {0};
        if (!body || same_stays(b, g))
            continue;
        nodes_topo(g->nouts, g->outs, &order);
        for (size_t k = 0; k < order.len; k++) {
            if (order.at[k]->op == OP_PARAM)
                continue;
            gone_push(gone, body, order.at[k]);
            Gone *last = &gone->at[gone->len - 1];
            last->owner = owner;
            last->owner_in = in;
            last->slot = slots[i];
        }
        vec_free(&order);
    }
}

/* What is below a node that goes, down to what stays. */
static void push_cone(const Tracer *b, Body *body, Node *root, NodeSet *seen, GoneList *gone)
{
    NodeVec stack = {0};
    vec_push(&stack, root);
    while (stack.len) {
        Node *n = stack.at[--stack.len];
        const Occurrence *o = body_at(body, n);
        if (map_has(seen, n) || !o || (b->stays && map_has(b->stays, n)))
            continue;
        set_add(seen, n);
        gone_push(gone, body, n);
        push_inner(b, body, n, gone);
        for (u32 i = 0; i < n->nops; i++)
            vec_push(&stack, n->ops[i]);
    }
    vec_free(&stack);
}

/* ---- one step ---- */

static const Origin *origin_new(Things *t, const char *log, const StepLog *steps, u32 number,
                                Node *before, bool operands_only)
{
    Origin *o = arena_alloc(&t->arena, sizeof *o);
    *o = (Origin){&steps->at.at[number - 1], log, number, before, operands_only};
    return o;
}

static void pair_free(const Tracer *b, Body *body, const Node *was, Node *is, PtrMap *pairs)
{
    Occurrence *o = body_at(body, was);
    if (!o || body_at(body, is) || map_has(pairs, is) || map_has(pairs, o) || !same_is_free(b, o))
        return;
    same_pair(pairs, is, o);
}

/* What the step says: an operator of a kind in place of another is the same thing, changed. */
static void pair_change(const Tracer *b, Body *body, const Change *c, PtrMap *pairs)
{
    const Node *was = c->before;
    Node *is = c->after;
    if (was->op == OP_PROJ && is->op == OP_PROJ && same_kind(was->ops[0], is->ops[0]))
        pair_free(b, body, was->ops[0], is->ops[0], pairs);
    if (same_kind(was, is) && (was->op != OP_PROJ || map_has(pairs, is->ops[0]) ||
                               was->ops[0] == is->ops[0] || body_at(body, is->ops[0])))
        pair_free(b, body, was, is, pairs);
}

/* The body that the step rewrote keeps its parameters. */
static void alias_inner(Things *t, const Step *s)
{
    Body *body = s->inner_after ? body_known(t, s->inner_before) : NULL;
    if (!body || map_has(&t->bodies, s->inner_after))
        return;
    map_put(&t->bodies, s->inner_after, body);
    body->graph = s->inner_after;
}

static void trace_changes(Tracer *b, Body *body, const Step *s)
{
    PtrMap pairs = {0};
    NodeSet seen = {0};
    GoneList gone = {0};
    if (s->inner)
        alias_inner(b->t, s);
    bool any = false;
    for (int i = 0; i < s->nchanges; i++)
        any = any || !body_at(body, s->changes[i].after);
    for (int i = 0; i < s->nchanges; i++) {
        if (any && !s->inner)
            push_cone(b, body, s->changes[i].before, &seen, &gone);
        pair_change(b, body, &s->changes[i], &pairs);
    }
    for (int i = 0; i < s->nchanges; i++)
        same_roots(b, body, 1, &s->changes[i].after, &gone, &pairs);
    gone_end(b, body, &gone);
    vec_free(&gone);
    map_free(&pairs);
    map_free(&seen);
}

/* ---- a log ---- */

typedef struct {
    const StepLog *steps;
    const char *name; /* "" or the number of the step that owns it */
    Body *body;
    int n;
    size_t move; /* how many of its moves are done */
} Trace;

/* The step that changed an operand last. */
static u32 cause_of_move(const Trace *p, const Move *m)
{
    u32 number = 0;
    for (u32 i = 0; i < m->after->nops; i++) {
        const Occurrence *occ = body_at(p->body, m->after->ops[i]);
        const Origin *o = occ ? occ->origin : NULL;
        if (o && o->log == p->name && o->number <= m->step && o->number > number)
            number = o->number;
    }
    return number ? number : m->step;
}

static void stand_moved(Tracer *b, Trace *p, const Node *was, Node *is)
{
    PtrMap pairs = {0};
    GoneList none = {0};
    pair_free(b, p->body, was, is, &pairs);
    same_roots(b, p->body, 1, &is, &none, &pairs);
    map_free(&pairs);
}

/* Nodes that took other operands, up to a step. */
static void trace_moves(Tracer *b, Trace *p, u32 step)
{
    for (; p->move < p->steps->moves.len && p->steps->moves.at[p->move].step <= step; p->move++) {
        const Move *m = &p->steps->moves.at[p->move];
        if (body_at(p->body, m->after) || !m->step)
            continue;
        b->cause = origin_new(b->t, p->name, p->steps, cause_of_move(p, m), m->before, true);
        stand_moved(b, p, m->before, m->after);
    }
}

static void trace_log(Tracer *b, Body *body, const StepLog *steps, const char *name, int n,
                      Node *const *start, Node *const *end);

static char *inner_name(Things *t, const char *log, u32 number)
{
    Text text = {0};
    text_printf(&text, "%s%s%u", log, *log ? "." : "", number);
    char *name = arena_strndup(&t->arena, text_str(&text), text.len);
    text_free(&text);
    return name;
}

static void trace_inner(Tracer *b, const Trace *p, const Step *s, u32 number)
{
    Graph *g = s->inner_before, *after = s->inner_after;
    Body *body = s->inner && g ? body_known(b->t, g) : NULL;
    if (!body || map_has(&b->t->seen, s->inner))
        return;
    Tracer inside = {.t = b->t, .around = b, .aside = b->aside};
    bool made = after == g;
    trace_log(&inside, body, s->inner, inner_name(b->t, p->name, number), g->nouts,
              made ? NULL : g->outs, made ? NULL : after->outs);
}

static void trace_steps(Tracer *b, Trace *p, u32 from, u32 to)
{
    for (u32 i = from; i < to; i++) {
        const Step *s = &p->steps->at.at[i];
        trace_moves(b, p, i);
        bool makes = s->inner_before == s->inner_after; /* the body that its steps lead to */
        if (!makes)
            trace_inner(b, p, s, i + 1);
        b->cause = origin_new(b->t, p->name, p->steps, i + 1,
                              s->nchanges ? s->changes[0].before : NULL, false);
        trace_changes(b, p->body, s);
        if (makes)
            trace_inner(b, p, s, i + 1);
        if (s->nchanges > 1) /* each came from its own */
            for (int k = 1; k < s->nchanges; k++) {
                Occurrence *o = body_at(p->body, s->changes[k].after);
                if (o && o->origin == b->cause)
                    o->origin =
                        origin_new(b->t, p->name, p->steps, i + 1, s->changes[k].before, false);
            }
    }
}

/* The graphs of nodes, and those in them. */
static void put_graphs(GraphSet *set, const NodeVec *order)
{
    for (size_t i = 0; i < order->len; i++) {
        int slots[4], count = node_graphs(order->at[i], slots);
        for (int k = 0; k < count; k++) {
            const Graph *g = order->at[i]->attrs[slots[k]].graph;
            NodeVec inside = {0};
            if (!set_add(set, g))
                continue;
            nodes_topo(g->nouts, g->outs, &inside);
            put_graphs(set, &inside);
            vec_free(&inside);
        }
    }
}

/* What stands in a state: its nodes, and the graphs however deep. */
static void put_state(NodeSet *nodes, GraphSet *graphs, int n, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        set_add(nodes, order.at[i]);
    put_graphs(graphs, &order);
    vec_free(&order);
}

/* Users that were rebuilt over what their operands became; of two that became one the older. */
static void pair_moved(const Tracer *b, const Trace *p, const NodeMap *moved, PtrMap *pairs)
{
    MAP(Node *, Occurrence *) older = {0};
    for (size_t i = 0; moved && i < moved->len; i++) {
        const Node *was = map_key(moved, i), *is = map_val(moved, i);
        Occurrence *o = is != was ? body_at(p->body, was) : NULL;
        if (!o || body_at(p->body, is) || !same_kind(was, is) || !same_is_free(b, o))
            continue;
        const Occurrence *other = map_get(&older, is);
        if (!other || o->thing->id < other->thing->id)
            map_put(&older, is, o);
    }
    for (size_t i = 0; i < older.len; i++)
        same_pair(pairs, map_key(&older, i), map_val(&older, i));
    map_free(&older);
}

/* What is left when a sweep is over: nodes that no step spoke of, on both sides. */
static void trace_rest(Tracer *b, Trace *p, const NodeMap *moved, Node *const *from,
                       Node *const *to)
{
    GoneList gone = {0};
    PtrMap pairs = {0};
    NodeSet seen = {0};
    pair_moved(b, p, moved, &pairs);
    for (int i = 0; i < p->n; i++)
        push_cone(b, p->body, from[i], &seen, &gone);
    same_roots(b, p->body, p->n, to, &gone, &pairs);
    gone_end(b, p->body, &gone);
    vec_free(&gone);
    map_free(&pairs);
    map_free(&seen);
}

static bool is_change(const Step *s, const Node *after)
{
    for (int i = 0; i < s->nchanges; i++)
        if (s->changes[i].after == after)
            return true;
    return false;
}

/* Nodes of the state that stood in an earlier one, and were others since. */
static void trace_returns(Tracer *b, const Trace *p, u32 step)
{
    for (size_t i = 0; !b->aside && i < b->stays->len; i++) {
        const Node *n = map_key(b->stays, i);
        Occurrence *o = body_at(p->body, n), *now = o ? o->thing->now : NULL;
        if (!now || now == o || map_has(b->stays, now->node))
            continue;
        bool itself = is_change(&p->steps->at.at[step - 1], n);
        thing_returns(b, o, origin_new(b->t, p->name, p->steps, step, now->node, !itself));
    }
}

static void trace_sweep(Tracer *b, Trace *p, u32 from, u32 to, const NodeMap *moved,
                        Node *const *start, Node *const *end)
{
    NodeSet stays = {0};
    GraphSet graphs = {0};
    ThingSet here = {0};
    put_state(&stays, &graphs, p->n, end);
    b->stays = &stays;
    b->graphs = &graphs;
    for (size_t i = 0; b->aside && i < stays.len; i++) {
        const Occurrence *o = body_at(p->body, map_key(&stays, i));
        if (o)
            set_add(&here, o->thing);
    }
    b->here = b->aside ? &here : NULL;
    trace_steps(b, p, from, to);
    trace_moves(b, p, to);
    if (to > from) {
        trace_returns(b, p, to);
        b->cause = origin_new(b->t, p->name, p->steps, to, NULL, true);
        trace_rest(b, p, moved, start, end);
    }
    b->stays = NULL;
    b->graphs = NULL;
    b->here = NULL;
    map_free(&here);
    map_free(&stays);
    map_free(&graphs);
}

/* State after state: of a log that no engine wrote, or where that is affordable. */
static void trace_singly(Tracer *b, Trace *p, Node *const *start)
{
    Walk w;
    Node **before = xmalloc(((size_t)p->n + 1) * sizeof *before);
    walk_begin(&w, b->t->st, p->steps, p->n, start);
    for (u32 i = 0; i < p->steps->at.len && !store_stops(b->t->st); i++) {
        memcpy(before, w.roots, (size_t)p->n * sizeof *before);
        if (!walk_next(&w))
            break;
        trace_sweep(b, p, i, i + 1, &w.moved, before, w.roots);
    }
    walk_end(&w);
    free(before);
}

/* `start`, `end`: the roots on both sides; `start` NULL: those of the first step's changes. */
static void trace_log(Tracer *b, Body *body, const StepLog *steps, const char *name, int n,
                      Node *const *start, Node *const *end)
{
    PtrMap none = {0};
    GoneList nothing = {0};
    Trace p = {.steps = steps, .name = name, .body = body, .n = n};
    NodeVec first = {0};
    set_add(&b->t->seen, steps);
    for (int i = 0; !start && steps->at.len && i < steps->at.at[0].nchanges; i++)
        vec_push(&first, steps->at.at[0].changes[i].before);
    if (!start) {
        p.n = (int)first.len;
        start = first.at;
    }
    same_roots(b, body, p.n, start, &nothing, &none);
    u64 work = (u64)steps->at.len * nodes_count(p.n, start);
    if (!steps->sweeps.len || work < MAX_REPLAYED) {
        p.move = steps->moves.len; /* the walk tells them all */
        trace_singly(b, &p, start);
    } else {
        Node *const *roots = start;
        u32 done = 0;
        for (size_t i = 0; i <= steps->sweeps.len && !store_stops(b->t->st); i++) {
            bool last = i == steps->sweeps.len;
            u32 step = last ? (u32)steps->at.len : steps->sweeps.at[i].step;
            Node *const *then = last ? end : steps->sweeps.at[i].roots;
            if (step > done)
                trace_sweep(b, &p, done, step, NULL, roots, then);
            roots = then;
            done = step;
        }
    }
    map_free(&none);
    vec_free(&first);
}

/* ---- the exploration ---- */

static const Thing *known(const void *things, const Graph *within, const Node *n)
{
    return thing_of(things, within, n);
}

static u32 told(const Thing *thing) { return thing->number; }

static void know(Exploration *x)
{
    Numbering *num = &x->numbering;
    num->things = x->things;
    num->thing = known;
    num->thing_number = told;
    if (num->next < x->things->listed.len)
        num->next = (u32)x->things->listed.len;
}

Things *exploration_things(Exploration *x)
{
    if (x->things && (!x->things->cut || store_stops(x->st)))
        return x->things;
    Things *t = x->things ? x->things : xcalloc(1, sizeof *t);
    x->things = t;
    if (t->cut)
        things_clear(t);
    Tracer b = {.t = t};
    PtrMap none = {0};
    GoneList nothing = {0};
    t->st = x->st;
    t->x = x;
    t->outer = body_make(t, NULL, NULL);
    trace_log(&b, t->outer, &x->log, "", x->nroots, x->start, x->roots);
    b.cause = NULL;
    same_roots(&b, t->outer, x->nroots, x->roots, &nothing, &none);
    t->cut = store_stops(x->st);
    know(x);
    return t;
}

void things_renumber(Exploration *x)
{
    Numbering *num = &x->numbering;
    exploration_things(x);
    if (num->next == x->things->listed.len && !num->graphs)
        return;
    map_free(&num->of);
    num->graphs = 0;
    num->next = (u32)x->things->listed.len;
}

/* ---- states between steps ---- */

/* Nodes that only the present state of the walk holds: each was another before the step. */
static void trace_state(Tracer *b, Body *body, const Walk *w, const char *log)
{
    NodeVec order = {0};
    MAP(Node *, const Occurrence *) was = {0};
    for (size_t i = 0; i < w->moved.len; i++) {
        Node *from = map_key(&w->moved, i);
        const Occurrence *o = map_val(&w->moved, i) != from ? body_at(body, from) : NULL;
        const Occurrence *other = o ? map_get(&was, map_val(&w->moved, i)) : NULL;
        if (o && (!other || o->thing->id < other->thing->id)) /* of two that became one */
            map_put(&was, map_val(&w->moved, i), o);
    }
    nodes_topo(w->n, w->roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        const Occurrence *o = body_at(body, n) ? NULL : map_get(&was, n);
        if (!o)
            continue;
        b->cause = origin_new(b->t, log, w->log, w->at, o->node, true);
        thing_stands(b, body, n, o->thing);
    }
    map_free(&was);
    vec_free(&order);
}

static void trace_states(Tracer *b, Body *body, const StepLog *log, const char *name, int n,
                         Node *const *start, LogSet *done, u64 *budget)
{
    Walk w;
    if (!body || !set_add(done, log))
        return;
    u64 size = nodes_count(n, start);
    walk_begin(&w, b->t->st, log, n, start);
    while (w.at < log->at.len && !store_stops(b->t->st)) {
        const Step *s = &log->at.at[w.at];
        if (s->inner && s->inner_before)
            trace_states(b, body_known(b->t, s->inner_before), s->inner,
                         inner_name(b->t, name, w.at + 1), s->inner_before->nouts,
                         s->inner_before->outs, done, budget);
        b->t->partly = b->t->partly || *budget < size;
        if (*budget < size || !walk_next(&w))
            break;
        *budget -= size;
        trace_state(b, body, &w, name);
    }
    walk_end(&w);
}

void things_of_states(Exploration *x)
{
    Tracer b = {.t = exploration_things(x), .aside = true};
    u64 budget = MAX_REPLAYED;
    LogSet done = {0};
    if (!b.t->states)
        trace_states(&b, b.t->outer, &x->log, "", x->nroots, x->start, &done, &budget);
    b.t->states = true;
    b.t->cut = b.t->cut || store_stops(x->st);
    map_free(&done);
}

bool things_replay(Exploration *x, u32 k, Node **roots)
{
    NodeMap became = {0};
    bool ok = log_replay_became(x->st, &x->log, k, x->nroots, x->start, roots, &became);
    if (ok && x->things && x->things->partly)
        things_adopt(x, NULL, &became, x->nroots, roots);
    map_free(&became);
    return ok;
}

void things_of_state(Exploration *x, u32 k)
{
    Node **roots = xmalloc(((size_t)x->nroots + 1) * sizeof *roots);
    if (x->things && x->things->partly)
        things_replay(x, k, roots);
    free(roots);
}

/* ---- child steps ---- */

static void open_log(Tracer *b, Body *body, const StepLog *log, const char *name, LogSet *done)
{
    if (!body || !set_add(done, log))
        return;
    for (u32 i = 0; i < log->at.len && !store_stops(b->t->st); i++) {
        const Step *s = &log->at.at[i];
        if (s->inner && s->inner_before && s->inner_before != s->inner_after)
            open_log(b, body_known(b->t, s->inner_before), s->inner, inner_name(b->t, name, i + 1),
                     done);
        const Opened *o = s->again ? NULL : exploration_opened(b->t->x, s);
        if (o)
            trace_log(b, body, &o->log, inner_name(b->t, name, i + 1), o->n, o->start, NULL);
    }
}

void things_open(Exploration *x)
{
    things_of_states(x);
    Tracer b = {.t = x->things, .aside = true};
    LogSet done = {0};
    if (!b.t->opened)
        open_log(&b, b.t->outer, &x->log, "", &done);
    b.t->opened = true;
    b.t->cut = b.t->cut || store_stops(x->st);
    map_free(&done);
    know(x);
}
