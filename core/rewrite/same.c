/* Matching what a step brought in against what it took away; see things.h. */
#include "graph/control.h"
#include "graph/provenance.h"
#include "graph/print.h"
#include "graph/walk.h"
#include "rewrite/things.h"

typedef struct {
    Tracer *b;
    Body *to;
    const NodeVec *fresh;
    GoneList *gone;
    PtrMap *pairs;
    NodeSet unknown;         /* the nodes of `fresh` */
    MAP(Node *, int) places; /* node of `gone` -> place + 1, but of what was inlined */
    MAP(u64, int) table;     /* key -> place + 1 of the first in its chain */
    bool copy;
} Matcher;

/* ---- what operands are known as ---- */

static const void *label_in(const Body *body, const Node *n)
{
    if (!n->nops && n->op != OP_PARAM)
        return n; /* the same wherever it stands */
    const Occurrence *o = body_at(body, n);
    return o ? o->thing : NULL;
}

static const void *label_fresh(const Matcher *m, const Node *n)
{
    const Occurrence *o = map_get(m->pairs, n);
    return o ? (n->nops || n->op == OP_PARAM ? (const void *)o->thing : n) : label_in(m->to, n);
}

/* The operand that parameter i of a graph stands for where the graph is put in place of its owner;
 * NULL: none does. */
static const Node *argument(const Node *owner, int slot, i64 i)
{
    if (owner->op == OP_IFELSE) {
        IfShape s = if_shape(owner);
        const IntList *map = owner->attrs[slot].graph == s.then_graph ? s.then_args : s.else_args;
        return i < map->n ? s.operands[map->at[i]] : NULL;
    }
    return i < owner->nops ? owner->ops[i] : NULL;
}

static const void *label_gone(const Gone *g, const Node *n)
{
    if (n->op != OP_PARAM || !g->owner)
        return label_in(g->in, n);
    const Node *a = argument(g->owner, g->slot, n->attrs[0].i);
    return a ? label_in(g->owner_in, a) : NULL;
}

/* ---- bottom-up: operator, attributes, corresponding operands ---- */

static bool any_order(const Node *n) { return (op_table[n->op].flags & COMMUTES) != 0; }

static u64 label_hash(const void *label) { return hash_mix((u64)(uintptr_t)label, 0x51); }

static u64 key_start(const Node *n)
{
    u64 h = hash_mix((u64)n->op, n->nops);
    for (u32 i = 0; i < n->nattrs; i++)
        h = hash_mix(h, n->attrs[i].bits);
    return h;
}

/* 0: some operand is not known. */
static u64 key_fresh(const Matcher *m, const Node *n)
{
    u64 h = key_start(n), sum = 0;
    for (u32 i = 0; i < n->nops; i++) {
        const void *label = label_fresh(m, n->ops[i]);
        if (!label)
            return 0;
        sum += label_hash(label);
        h = any_order(n) ? h : hash_mix(h, label_hash(label));
    }
    return hash_mix(h, sum) | 1;
}

static u64 key_gone(const Gone *g)
{
    const Node *n = g->node;
    u64 h = key_start(n), sum = 0;
    for (u32 i = 0; i < n->nops; i++) {
        const void *label = label_gone(g, n->ops[i]);
        if (!label)
            return 0;
        sum += label_hash(label);
        h = any_order(n) ? h : hash_mix(h, label_hash(label));
    }
    return hash_mix(h, sum) | 1;
}

static void table_fill(Matcher *m)
{
    for (int i = (int)m->gone->len; i-- > 0;) {
        Gone *g = &m->gone->at[i];
        if (!g->owner)
            map_put(&m->places, g->node, i + 1);
        u64 key = g->node->nops ? key_gone(g) : 0;
        if (!key)
            continue;
        g->next = map_get(&m->table, key) - 1;
        map_put(&m->table, key, i + 1);
    }
}

static Gone *gone_at(const Matcher *m, const Node *n)
{
    int k = map_get(&m->places, n);
    return k ? &m->gone->at[k - 1] : NULL;
}

void same_pair(PtrMap *pairs, Node *n, Occurrence *was)
{
    map_put(pairs, n, was);
    map_put(pairs, was, n); /* it is continued by one */
}

static bool is_unpaired(const Matcher *m, const Node *n)
{
    return map_has(&m->unknown, n) && !map_has(m->pairs, n);
}

static bool take(Matcher *m, Gone *g, Node *n)
{
    if (!g || g->taken || !same_is_free(m->b, g->occ))
        return false;
    g->taken = true;
    same_pair(m->pairs, n, g->occ);
    return true;
}

static bool same_attrs(const Node *a, const Node *b, bool graphs)
{
    if (a->nattrs != b->nattrs)
        return false;
    for (u32 i = 0; i < a->nattrs; i++)
        if (a->attrs[i].bits != b->attrs[i].bits && (graphs || op_attr_kind(a->op, (int)i) != 'g'))
            return false;
    return true;
}

static void match_up(Matcher *m)
{
    for (size_t i = 0; i < m->fresh->len; i++) {
        Node *n = m->fresh->at[i];
        u64 key = n->nops && is_unpaired(m, n) ? key_fresh(m, n) : 0;
        int k = key ? map_get(&m->table, key) - 1 : -1;
        for (; k >= 0; k = m->gone->at[k].next) {
            Gone *g = &m->gone->at[k];
            if (g->node->op == n->op && g->node->nops == n->nops && same_attrs(g->node, n, true) &&
                take(m, g, n))
                break;
        }
    }
}

/* ---- top-down: what stands at the same place below what corresponds ---- */

static bool alike(const Node *a, const Node *b)
{
    return a->op == b->op && a->op != OP_PARAM && a->op != OP_CONST && same_attrs(a, b, false);
}

enum { LIKENESS_DEPTH = 3 }; /* levels: each multiplies the nodes that are compared */

/* How much a node has in common with one that went, down a few levels: things that both read,
 * operators of one kind. */
static int common(const Matcher *m, const Gone *g, const Node *n, int depth)
{
    int sum = 1;
    for (u32 i = 0; i < n->nops && depth > 0; i++) {
        int best = 0;
        const void *label = label_fresh(m, n->ops[i]);
        for (u32 k = 0; k < g->node->nops; k++) {
            Node *x = g->node->ops[k];
            const Gone *below = gone_at(m, x);
            int one = 0;
            if (k != i && !any_order(n))
                continue;
            if (label && label == label_gone(g, x))
                one = x->nops || x->op == OP_PARAM ? 4 : 1;
            else if (below && !below->taken && alike(x, n->ops[i]))
                one = common(m, below, n->ops[i], depth - 1);
            best = one > best ? one : best;
        }
        sum += best;
    }
    return sum;
}

/* The one of the operands that went that has most in common with y. */
static void match_any(Matcher *m, const Node *was, Node *y)
{
    Gone *found = NULL;
    int best = 0;
    for (u32 k = 0; k < was->nops; k++) {
        Gone *g = gone_at(m, was->ops[k]);
        int one = g && !g->taken && alike(g->node, y) ? common(m, g, y, LIKENESS_DEPTH) : 0;
        if (one > best) {
            best = one;
            found = g;
        }
    }
    take(m, found, y);
}

static void match_below(Matcher *m, const Node *was, const Node *is)
{
    for (u32 i = 0; i < is->nops; i++) {
        Node *y = is->ops[i];
        Gone *g =
            is_unpaired(m, y) && !any_order(is) && i < was->nops ? gone_at(m, was->ops[i]) : NULL;
        if (g && alike(g->node, y))
            take(m, g, y);
        else if (any_order(is) && is_unpaired(m, y))
            match_any(m, was, y);
    }
}

/* What has a name of its own, by that: two of one name are of one kind. */
static void match_names(Matcher *m, const Graph *before)
{
    Store *st = m->b->t->st;
    MAP(Symbol, size_t) named = {0};
    for (size_t i = 0; i < m->gone->len; i++) {
        const Gone *g = &m->gone->at[i];
        Symbol name = g->taken || g->owner ? NULL : node_name_in(st, before, g->node);
        if (name && !map_has(&named, name))
            map_put(&named, name, i + 1);
    }
    for (size_t i = 0; named.len && i < m->fresh->len; i++) {
        Node *n = m->fresh->at[i];
        Symbol name = is_unpaired(m, n) ? node_name_in(st, m->to->graph, n) : NULL;
        size_t k = name ? map_get(&named, name) : 0;
        if (k && alike(m->gone->at[k - 1].node, n))
            take(m, &m->gone->at[k - 1], n);
    }
    map_free(&named);
}

static void match_down(Matcher *m)
{
    for (size_t i = m->fresh->len; i-- > 0;) {
        Node *n = m->fresh->at[i];
        const Occurrence *o = map_get(m->pairs, n);
        if (o)
            match_below(m, o->node, n);
    }
}

/* ---- loops that were made anew ---- */

bool same_kind(const Node *a, const Node *b)
{
    return a->op == b->op || (a->op == OP_SCAN && b->op == OP_LOOP);
}

static int loop_states(const Node *n)
{
    return n->op == OP_SCAN ? scan_shape(n).nstates : n->op == OP_LOOP ? loop_shape(n).nstates : 0;
}

static Graph *first_graph(const Node *n)
{
    int slots[4];
    return node_graphs(n, slots) ? n->attrs[slots[0]].graph : NULL;
}

static Symbol param_symbol(Store *st, const Graph *g, int i)
{
    const Symbol *names = g && i < g->nparams ? graph_names(st, g) : NULL;
    return names ? names[i] : NULL;
}

static bool has_name(Store *st, const Graph *g, int count, Symbol name)
{
    for (int i = 0; i < count; i++)
        if (param_symbol(st, g, i) == name)
            return true;
    return false;
}

/* How much two loops have in common: states by name, operands. */
static int likeness(const Matcher *m, const Gone *g, const Node *n)
{
    Store *st = m->b->t->st;
    const Graph *was = first_graph(g->node), *is = first_graph(n);
    int sum = 0, named = 0, states = loop_states(g->node), now = loop_states(n);
    if (g->node->op == OP_SCAN && n->op == OP_SCAN &&
        scan_shape(g->node).reverse != scan_shape(n).reverse)
        return 0;
    for (int i = 0; i < now; i++) {
        Symbol name = param_symbol(st, is, i);
        sum += name && has_name(st, was, states, name) ? 4 : 0;
        named += name != NULL;
    }
    if (named && !sum) /* other states: another loop */
        return 0;
    for (u32 i = 0; i < n->nops; i++) {
        const void *label = label_fresh(m, n->ops[i]);
        bool found = false;
        for (u32 k = 0; k < g->node->nops && label && !found; k++)
            found = label_gone(g, g->node->ops[k]) == label;
        sum += found;
    }
    return sum;
}

static void match_owners(Matcher *m)
{
    for (size_t i = 0; i < m->fresh->len; i++) {
        Node *n = m->fresh->at[i];
        int best = 0, at = -1;
        if (!is_unpaired(m, n) || !first_graph(n))
            continue;
        for (int k = 0; k < (int)m->gone->len; k++) {
            Gone *g = &m->gone->at[k];
            int one = !g->taken && g->node->op == n->op && same_is_free(m->b, g->occ)
                          ? likeness(m, g, n)
                          : 0;
            if (one > best) {
                best = one;
                at = k;
            }
        }
        if (at >= 0)
            take(m, &m->gone->at[at], n);
    }
}

/* The result of the loop that `was` that is result k of the loop that `is`; -1: none. */
static i64 result_before(Store *st, const Node *was, const Node *is, i64 k)
{
    i64 states = loop_states(is), old = loop_states(was);
    const Graph *g = first_graph(was), *h = first_graph(is);
    if (!states && !old)
        return k;
    if (k < states) {
        Symbol name = param_symbol(st, h, (int)k);
        for (int i = 0; i < old && name; i++)
            if (param_symbol(st, g, i) == name)
                return i;
        return !name && k < old && !param_symbol(st, g, (int)k) ? k : -1;
    }
    i64 steps = is->op == OP_SCAN ? scan_shape(is).steps : loop_shape(is).steps;
    i64 old_steps = was->op == OP_SCAN ? scan_shape(was).steps : loop_shape(was).steps;
    if (k >= steps)
        return old_steps + (k - steps);
    return steps - states == old_steps - old ? old + (k - states) : -1;
}

static void match_results(Matcher *m)
{
    for (size_t i = 0; i < m->fresh->len; i++) {
        Node *n = m->fresh->at[i];
        const Occurrence *o =
            n->op == OP_PROJ && is_unpaired(m, n) ? map_get(m->pairs, n->ops[0]) : NULL;
        i64 k = o ? result_before(m->b->t->st, o->node, n->ops[0], n->attrs[0].i) : -1;
        for (size_t g = 0; k >= 0 && g < m->gone->len; g++) {
            Gone *was = &m->gone->at[g];
            if (was->node->op == OP_PROJ && was->node->ops[0] == o->node &&
                was->node->attrs[0].i == k && was->node->type == n->type && take(m, was, n))
                break;
        }
    }
}

/* ---- bodies ---- */

static const Node *fed_by(const Node *owner, int slot, int i)
{
    if (owner->op == OP_SCAN) {
        ScanShape s = scan_shape(owner);
        int seq = i - s.nstates, capture = seq - s.nseqs;
        return seq < 0 ? s.inits[i] : capture < 0 ? s.seqs[seq] : s.captures[capture];
    }
    if (owner->op == OP_LOOP) {
        LoopShape s = loop_shape(owner);
        return i < s.nstates ? s.inits[i] : s.captures[i - s.nstates];
    }
    return argument(owner, slot, i);
}

typedef struct {
    const Node *was, *is;
    const Body *was_in, *is_in;
    const Graph *before, *after;
    int slot;
} Owners;

/* Do parameters i and k play the same part? By name, else by what enters there. */
static bool same_role(Store *st, const Owners *o, int i, int k)
{
    Symbol x = param_symbol(st, o->before, i), y = param_symbol(st, o->after, k);
    if (x && y)
        return x == y;
    const Node *a = fed_by(o->was, o->slot, i), *b = fed_by(o->is, o->slot, k);
    const void *p = a ? label_in(o->was_in, a) : NULL, *q = b ? label_in(o->is_in, b) : NULL;
    bool state = i < loop_states(o->was) || k < loop_states(o->is);
    return state ? i == k && p == q : p && p == q;
}

static void pair_params(const Tracer *b, const Owners *o, const Body *from, PtrMap *pairs)
{
    bool *done = xcalloc((size_t)o->before->nparams + 1, 1);
    for (int k = 0; k < o->after->nparams; k++)
        for (int i = 0; i < o->before->nparams; i++) {
            Occurrence *was = done[i] ? NULL : body_at(from, o->before->param_nodes[i]);
            if (!was || !same_role(b->t->st, o, i, k))
                continue;
            done[i] = true;
            same_pair(pairs, o->after->param_nodes[k], was);
            break;
        }
    free(done);
}

/* What a state of the new body comes to is what the state of that name came to. */
static void pair_outs(const Owners *o, const Body *from, PtrMap *pairs)
{
    int states = loop_states(o->is), old = loop_states(o->was);
    for (int k = 0; k < o->after->nouts; k++) {
        int i = k;
        if (states || old) {
            const Occurrence *p = k < states ? map_get(pairs, o->after->param_nodes[k]) : NULL;
            for (i = 0; i < old && p && o->before->param_nodes[i] != p->node; i++)
                ;
            i = p && i < old ? i : -1;
        }
        Node *y = o->after->outs[k];
        Occurrence *was = i >= 0 && i < o->before->nouts ? body_at(from, o->before->outs[i]) : NULL;
        if (was && alike(was->node, y) && !map_has(pairs, y) && !map_has(pairs, was))
            same_pair(pairs, y, was);
    }
}

typedef struct {
    Store *st;
    const Body *body;
    NodeVec *out;
} Unknown;

/* What is known has operands that are. */
static Node *unknown_operand(void *ctx, Node *n, u32 k)
{
    const Unknown *u = ctx;
    Node *op = k < n->nops ? source_operand(u->st, n, k) : NULL;
    return op && body_at(u->body, op) ? n : op;
}

static void push_unknown(void *ctx, Node *n)
{
    const Unknown *u = ctx;
    vec_push(u->out, n);
}

/* What is not known yet, operands first, in the order of the source. */
static void unknown_nodes(Store *st, const Body *body, int n, Node *const *roots, NodeVec *out)
{
    Unknown u = {st, body, out};
    NodeSet seen = {0};
    for (int i = 0; i < n; i++)
        if (!body_at(body, roots[i]))
            nodes_visit(roots[i], &seen, &(Visit){unknown_operand, push_unknown, &u});
    map_free(&seen);
}

/* Beside the line of steps: does the state hold what the body became in that line? */
static bool stands_elsewhere(const Tracer *b, const Owners *o, const Body *from, const Body *to)
{
    const Occurrence *first = o->before->nparams ? body_at(from, o->before->param_nodes[0]) : NULL;
    for (size_t i = 0; b->aside && b->graphs && first && i < b->graphs->len; i++) {
        const Graph *g = map_key(b->graphs, i);
        const Body *body = body_known(b->t, g);
        for (int k = 0; body && body != from && body != to && k < g->nparams; k++) {
            const Occurrence *p = body_at(body, g->param_nodes[k]);
            if (p && p->thing == first->thing)
                return true;
        }
    }
    return false;
}

void gone_end(const Tracer *b, const Body *in, const GoneList *gone)
{
    for (size_t i = 0; i < gone->len && !b->aside; i++) {
        Occurrence *o = gone->at[i].occ, *now = o ? o->thing->now : NULL;
        bool unused = now && now != o && now->origin == b->cause && o->thing->body == in &&
                      b->stays && !map_has(b->stays, now->node);
        if (o && !o->thing->gone && (now == o || unused))
            o->thing->gone = b->cause;
    }
}

/* Gives a thing to each node of `fresh` (operands first, unknown so far in `to`): one of `gone`, or
 * a new one. `pairs`: as far as it is known what continues what. `copy`: what is continued goes on
 * itself, too. */
static void settle(Tracer *b, Body *to, const NodeVec *fresh, GoneList *gone, PtrMap *pairs,
                   bool copy);

/* The body of a loop whose interface changed. */
static void follow_body(Tracer *b, const Owners *o, Body *from, Body *to)
{
    PtrMap pairs = {0};
    GoneList gone = {0};
    NodeVec fresh = {0}, order = {0};
    bool copy = same_stays(b, o->before) || stands_elsewhere(b, o, from, to);
    pair_params(b, o, from, &pairs);
    nodes_topo(o->before->nouts, o->before->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op != OP_PARAM)
            gone_push(&gone, from, order.at[i]);
    pair_outs(o, from, &pairs);
    for (int k = 0; k < o->after->nparams; k++) /* those that nothing reads, too */
        vec_push(&fresh, o->after->param_nodes[k]);
    order.len = 0;
    unknown_nodes(b->t->st, to, o->after->nouts, o->after->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op != OP_PARAM)
            vec_push(&fresh, order.at[i]);
    Tracer inside = *b;
    inside.stays = NULL;
    settle(&inside, to, &fresh, &gone, &pairs, copy);
    if (!copy)
        gone_end(b, NULL, &gone);
    vec_free(&fresh);
    vec_free(&order);
    vec_free(&gone);
    map_free(&pairs);
}

static void new_body(Tracer *b, Thing *owner, const Graph *g)
{
    Body *body = body_make(b->t, owner, g);
    PtrMap none = {0};
    GoneList nothing = {0};
    same_roots(b, body, g->nparams, g->param_nodes, &nothing, &none);
    same_roots(b, body, g->nouts, g->outs, &nothing, &none);
    map_free(&none);
}

/* The graphs of n, which continues `was` (NULL: nothing) as `thing`. */
static void settle_bodies(Tracer *b, Body *to, Node *n, const Occurrence *was, Body *was_in,
                          Thing *thing)
{
    int slots[4], old[4];
    int count = node_graphs(n, slots), before = was ? node_graphs(was->node, old) : 0;
    for (int i = 0; i < count; i++) {
        const Graph *g = n->attrs[slots[i]].graph;
        if (body_known(b->t, g))
            continue;
        const Graph *h = i < before ? was->node->attrs[old[i]].graph : NULL;
        Body *from = h ? body_known(b->t, h) : NULL;
        if (!from) {
            new_body(b, thing, g);
            continue;
        }
        Owners o = {was->node, n, was_in, to, h, g, slots[i]};
        follow_body(b, &o, from, body_make(b->t, thing, g));
    }
}

/* ---- all of it ---- */

static void assign(Matcher *m)
{
    for (size_t i = 0; i < m->fresh->len; i++) {
        Node *n = m->fresh->at[i];
        Occurrence *was = map_get(m->pairs, n);
        int slots[4];
        if (body_at(m->to, n))
            continue;
        Thing *thing = was && !m->copy ? was->thing : thing_make(m->b, was ? was->thing : NULL);
        if (node_graphs(n, slots)) /* what stands in it is numbered before it */
            settle_bodies(m->b, m->to, n, was, was ? was->thing->body : NULL, thing);
        thing_stands(m->b, m->to, n, thing);
    }
}

static void settle(Tracer *b, Body *to, const NodeVec *fresh, GoneList *gone, PtrMap *pairs,
                   bool copy)
{
    Matcher m = {.b = b, .to = to, .fresh = fresh, .gone = gone, .pairs = pairs, .copy = copy};
    if (gone->len) {
        for (size_t i = 0; i < fresh->len; i++)
            set_add(&m.unknown, fresh->at[i]);
        for (size_t i = 0; i < gone->len; i++)
            gone->at[i].taken |= !gone->at[i].occ || map_has(pairs, gone->at[i].occ);
        table_fill(&m);
        match_up(&m);
        match_names(&m, gone->at[0].in->graph);
        match_down(&m);
        match_up(&m);
        match_owners(&m);
        match_results(&m);
        match_up(&m);
        match_down(&m);
    }
    assign(&m);
    map_free(&m.unknown);
    map_free(&m.places);
    map_free(&m.table);
}

void same_roots(Tracer *b, Body *to, int n, Node *const *roots, GoneList *gone, PtrMap *pairs)
{
    NodeVec fresh = {0};
    unknown_nodes(b->t->st, to, n, roots, &fresh);
    settle(b, to, &fresh, gone, pairs, false);
    vec_free(&fresh);
}
