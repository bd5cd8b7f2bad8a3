/* Things and bodies, and what is asked about them. See things.h. */
#include "rewrite/things.h"

#include "graph/collect.h"
#include "graph/op.h"
#include "graph/print.h"
#include "graph/walk.h"

/* ---- bodies, things ---- */

Occurrence *body_at(const Body *b, const Node *n) { return map_get(&b->at, n); }

Body *body_known(Things *t, const Graph *g) { return g ? map_get(&t->bodies, g) : t->outer; }

Body *body_make(Things *t, Thing *owner, const Graph *g)
{
    Body *b = arena_alloc(&t->arena, sizeof *b);
    *b = (Body){.owner = owner, .graph = g};
    vec_push(&t->maps, b);
    if (g)
        map_put(&t->bodies, g, b);
    return b;
}

Thing *thing_make(Tracer *b, Thing *of)
{
    Thing *thing = arena_alloc(&b->t->arena, sizeof *thing);
    thing->of = of;
    thing->aside = b->aside;
    return thing;
}

static void put_number(Things *t, Thing *thing, const Node *n)
{
    vec_push(&t->all, thing);
    thing->id = (u32)t->all.len;
    if (node_is_inline(n))
        return;
    vec_push(&t->listed, thing);
    thing->number = (u32)t->listed.len;
}

static void put_last(Thing *thing, Occurrence *o)
{
    if (thing->last)
        thing->last->next = o;
    else
        thing->first = o;
    thing->last = o;
    thing->gone = NULL;
}

Occurrence *thing_stands(Tracer *b, Body *to, Node *n, Thing *thing)
{
    Occurrence *o = arena_alloc(&b->t->arena, sizeof *o);
    *o = (Occurrence){.node = n, .thing = thing, .body = to, .origin = b->cause};
    if (!thing->id)
        put_number(b->t, thing, n);
    map_put(&to->at, n, o);
    if (b->aside && thing->last && !thing->aside)
        return o;
    put_last(thing, o);
    thing->now = o;
    thing->body = to;
    return o;
}

void thing_returns(Tracer *b, Occurrence *o, const Origin *cause)
{
    Occurrence *again = arena_alloc(&b->t->arena, sizeof *again);
    *again = *o;
    again->origin = cause;
    again->next = NULL;
    put_last(o->thing, again);
    o->thing->now = o; /* the one that is found by its node */
    o->thing->body = o->body;
}

bool same_is_free(const Tracer *b, const Occurrence *occ)
{
    bool goes_on = b->here ? map_has(b->here, occ->thing) : occ->thing->now != occ;
    return !goes_on && !(b->stays && map_has(b->stays, occ->node));
}

bool same_stays(const Tracer *b, const Graph *g)
{
    return (b->graphs && map_has(b->graphs, g)) || (b->around && same_stays(b->around, g));
}

void gone_push(GoneList *gone, Body *in, Node *n)
{
    vec_push(gone, ((Gone){.in = in, .node = n, .occ = body_at(in, n), .next = -1}));
}

const Occurrence *thing_before(const Things *t, const Occurrence *o)
{
    if (!o->origin || !o->origin->before || o->origin->before == o->node)
        return NULL;
    const Occurrence *was = body_at(o->thing->body, o->origin->before);
    return was ? was : body_at(t->outer, o->origin->before);
}

/* ---- one more state ---- */

/* g is a state of the body that `as` is a state of. */
static void alias(Exploration *x, const Graph *g, const Graph *as)
{
    Things *t = exploration_things(x);
    Body *body = map_get(&t->bodies, as);
    if (body && !map_has(&t->bodies, g))
        map_put(&t->bodies, g, body);
}

/* Owners that took another body. */
static void alias_graphs(Exploration *x, const Node *was, const Node *now)
{
    int slots[4], count = was->op == now->op ? node_graphs(now, slots) : 0;
    for (int i = 0; i < count; i++)
        alias(x, now->attrs[slots[i]].graph, was->attrs[slots[i]].graph);
}

void things_adopt(Exploration *x, const Graph *within, const NodeMap *became, int n,
                  Node *const *roots)
{
    Tracer b = {.t = exploration_things(x), .aside = true};
    Body *body = body_known(b.t, within);
    MAP(Node *, Occurrence *) was = {0};
    NodeVec order = {0};
    if (!body)
        return;
    for (size_t i = 0; i < became->len; i++) {
        const Node *from = map_key(became, i), *to = map_val(became, i);
        Occurrence *o = to && to != from && from->op == to->op ? body_at(body, from) : NULL;
        const Occurrence *other = o ? map_get(&was, to) : NULL;
        if (o && (!other || o->thing->id < other->thing->id))
            map_put(&was, to, o);
    }
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Occurrence *o = map_get(&was, order.at[i]);
        if (!o)
            continue;
        alias_graphs(x, o->node, order.at[i]);
        b.cause = o->origin;
        if (!body_at(body, order.at[i]))
            thing_stands(&b, body, order.at[i], o->thing);
    }
    map_free(&was);
    vec_free(&order);
}

/* ---- questions ---- */

const Occurrence *thing_occurrence(const Things *t, const Graph *within, const Node *n)
{
    const Body *body = within ? map_get(&t->bodies, within) : t->outer;
    return body ? body_at(body, n) : NULL;
}

const Thing *thing_of(const Things *t, const Graph *within, const Node *n)
{
    const Occurrence *o = thing_occurrence(t, within, n);
    return o ? o->thing : NULL;
}

bool thing_same(const Thing *a, const Thing *b)
{
    return a && b && (a == b || a == b->of || b == a->of);
}

static bool reads_same(const Things *t, const Graph *g, const Node *a, const Graph *h,
                       const Node *b)
{
    if (a == b && !a->nops && a->op != OP_PARAM)
        return true;
    return thing_same(thing_of(t, g, a), thing_of(t, h, b));
}

bool thing_differs(const Things *t, const Graph *g, const Node *before, const Graph *h,
                   const Node *after)
{
    bool same =
        before->op == after->op && before->nops == after->nops && before->nattrs == after->nattrs;
    if (before->op == OP_PARAM)
        return !same;
    bool result = before->op == OP_PROJ; /* which one it is, its place among others does not say */
    for (u32 i = 0; i < after->nattrs && same && !result; i++)
        same =
            before->attrs[i].bits == after->attrs[i].bits || op_attr_kind(after->op, (int)i) == 'g';
    for (u32 i = 0; i < after->nops && same; i++)
        same =
            reads_same(t, g, source_operand(t->st, before, i), h, source_operand(t->st, after, i));
    return !same;
}

bool occurrence_differs(const Things *t, const Occurrence *before, const Occurrence *after)
{
    const Node *was = before->node, *is = after->node;
    int from[4], to[4], n = node_graphs(was, from);
    bool same = n == node_graphs(is, to) &&
                !thing_differs(t, before->body->graph, was, after->body->graph, is);
    for (int i = 0; i < n && same; i++)
        same = was->attrs[from[i]].graph == is->attrs[to[i]].graph;
    return !same;
}

const Thing *thing_numbered(Exploration *x, u32 k)
{
    const Things *t = exploration_things(x);
    if (k > t->listed.len)
        things_open(x);
    return k >= 1 && k <= t->listed.len ? t->listed.at[k - 1] : NULL;
}

const Graph *thing_graph(const Thing *thing) { return thing->body->graph; }
const Thing *thing_owner(const Thing *thing) { return thing->body->owner; }

Node *thing_in_state(Exploration *x, const Thing *thing, int n, Node *const *roots,
                     const Graph **within)
{
    StandingVec all = {0};
    Node *found = NULL;
    nodes_standing(n, roots, NULL, &all);
    for (size_t i = 0; i < all.len && !found; i++)
        if (thing_of(exploration_things(x), all.at[i].within, all.at[i].node) == thing) {
            found = all.at[i].node;
            if (within)
                *within = all.at[i].within;
        }
    vec_free(&all);
    return found;
}

/* ---- keeping, freeing ---- */

void things_collect(const Things *t, Collection *c)
{
    for (size_t i = 0; i < t->maps.len; i++)
        for (size_t k = 0; k < t->maps.at[i]->at.len; k++) {
            const Occurrence *o = map_val(&t->maps.at[i]->at, k);
            collect_node(c, map_key(&t->maps.at[i]->at, k));
            collect_node(c, o && o->origin ? o->origin->before : NULL);
        }
    for (size_t i = 0; i < t->bodies.len; i++)
        collect_graph(c, map_key(&t->bodies, i));
}

void things_clear(Things *t)
{
    for (size_t i = 0; i < t->maps.len; i++)
        map_free(&t->maps.at[i]->at);
    map_free(&t->bodies);
    map_free(&t->seen);
    vec_free(&t->all);
    vec_free(&t->listed);
    vec_free(&t->maps);
    arena_free(&t->arena);
    *t = (Things){.st = NULL};
}

void things_free(Things *t)
{
    if (t)
        things_clear(t);
    free(t);
}

char *origin_text(Arena *a, const Origin *o)
{
    return arena_printf(a, "%s%s%u", o->log, *o->log ? "." : "", o->number);
}

u32 origin_outermost(const Origin *o)
{
    return !o ? 0 : *o->log ? (u32)strtoul(o->log, NULL, 10) : o->number;
}
