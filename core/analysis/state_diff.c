/* Differences of states, and the life of a node.  See state_diff.h. */
#include "analysis/state_diff.h"

#include "graph/print.h"

enum { MOST_STEPS = 1000 /* of a life */ };

/* ---- two states ---- */

/* A state with all its graphs: node after node, and which thing is which of them. */
typedef struct {
    StandingVec all;
    MAP(const Thing *, size_t) at; /* thing -> place + 1 */
} Side;

static void side_fill(Exploration *x, Side *side, Node *const *roots)
{
    StandingVec all = {0};
    nodes_standing(x->nroots, roots, NULL, &all);
    for (size_t i = 0; i < all.len; i++) {
        const Thing *thing = thing_of(x->things, all.at[i].within, all.at[i].node);
        if (node_is_inline(all.at[i].node))
            continue;
        vec_push(&side->all, all.at[i]);
        if (thing && !map_has(&side->at, thing))
            map_put(&side->at, thing, side->all.len);
    }
    vec_free(&all);
}

static void side_free(Side *s)
{
    vec_free(&s->all);
    map_free(&s->at);
}

/* What `in` has and the other state has not. */
static void find_missing(const Exploration *x, const Side *in, const Side *other, StandingVec *out)
{
    for (size_t i = 0; i < in->all.len; i++) {
        const Thing *thing = thing_of(x->things, in->all.at[i].within, in->all.at[i].node);
        if (!thing || !map_has(&other->at, thing))
            vec_push(out, in->all.at[i]);
    }
}

static void find_changed(const Exploration *x, const Side *before, const Side *after,
                         StateDiff *out)
{
    for (size_t i = 0; i < after->all.len; i++) {
        const Standing *now = &after->all.at[i];
        const Thing *thing = thing_of(x->things, now->within, now->node);
        size_t at = thing ? map_get(&before->at, thing) : 0;
        const Standing *was = at ? &before->all.at[at - 1] : NULL;
        if (was && thing_differs(x->things, was->within, was->node, now->within, now->node))
            vec_push(&out->changed, ((ChangedNode){*was, *now}));
    }
}

void state_diff(Exploration *x, Node *const *before, Node *const *after, StateDiff *out)
{
    Side a = {0}, b = {0};
    *out = (StateDiff){.other_results = false};
    side_fill(x, &a, before);
    side_fill(x, &b, after);
    find_missing(x, &a, &b, &out->removed);
    find_missing(x, &b, &a, &out->added);
    find_changed(x, &a, &b, out);
    for (int i = 0; i < x->nroots; i++)
        out->other_results = out->other_results || thing_of(x->things, NULL, before[i]) !=
                                                       thing_of(x->things, NULL, after[i]);
    side_free(&a);
    side_free(&b);
}

void state_diff_free(StateDiff *d)
{
    vec_free(&d->removed);
    vec_free(&d->added);
    vec_free(&d->changed);
}

/* ---- the life of one node ---- */

/* Were they in one graph? Else the step made something else of what was there. */
static bool is_beside(const Occurrence *was, const Occurrence *at)
{
    return was && was->thing->body == at->thing->body;
}

static bool reaches(const Graph *g, const Node *n)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len && !found; i++)
        found = order.at[i] == n;
    vec_free(&order);
    return found;
}

/* The first graph that it stood in as that node; NULL: the outermost. */
static const Graph *graph_of(const Things *t, const Occurrence *o)
{
    const Graph *found = NULL;
    if (thing_occurrence(t, NULL, o->node) == o)
        return NULL;
    for (size_t i = 0; i < t->bodies.len; i++) {
        const Graph *g = map_key(&t->bodies, i);
        if (g && thing_occurrence(t, g, o->node) == o && (!found || g->id < found->id) &&
            reaches(g, o->node))
            found = g;
    }
    return found;
}

/* Does it do or read something else than before? */
static bool is_change(const Things *t, const Occurrence *at, const Occurrence *was)
{
    return is_beside(was, at) && was->node != at->node &&
           (was->thing != at->thing ||
            thing_differs(t, graph_of(t, was), was->node, graph_of(t, at), at->node));
}

/* Does its life before tell something of the node: was it in the same graph, or is it part of a
 * derivative that was expanded? */
static bool goes_back(const Occurrence *was, const Occurrence *at)
{
    const Node *n = was ? was->node : NULL;
    n = n && n->op == OP_PROJ ? n->ops[0] : n;
    return n && (is_beside(was, at) || op_table[n->op].cls == CLASS_IMPLICIT);
}

/* What it was before: of the same thing, else what that was made of; NULL: nothing. */
static const Occurrence *before_that(const Things *t, const Occurrence *at)
{
    for (const Occurrence *o = at->thing->first; o && o != at; o = o->next)
        if (o->next == at)
            return o;
    return thing_before(t, at);
}

void life_of(const Things *t, const Thing *thing, Life *out)
{
    const Occurrence *at = thing->last;
    *out = (Life){.first = NULL};
    for (int i = 0; at->origin && i < MOST_STEPS; i++) {
        const Occurrence *was = before_that(t, at);
        vec_push(&out->steps, ((LifeStep){at, was, graph_of(t, at), was ? graph_of(t, was) : NULL,
                                          is_change(t, at, was)}));
        if (!goes_back(was, at))
            break;
        at = was;
    }
    out->first = at;
}

void life_free(Life *l) { vec_free(&l->steps); }
