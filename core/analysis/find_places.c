/* Where a pattern matches, over all states.  See find_places.h. */
#include "analysis/find_places.h"

#include "surface/surface.h"

/* What ended it as that node, or what took the owner of the graph that it stands in; NULL: nothing.
 */
static const Origin *end_of(const Occurrence *o)
{
    const Thing *thing = o->thing;
    if (o->next)
        return o->next->origin;
    while (thing && !thing->gone)
        thing = thing_owner(thing);
    return thing ? thing->gone : NULL;
}

/* It came and went within one step: no state has it. */
static bool is_passing(const Occurrence *o)
{
    const Origin *end = end_of(o);
    return o->origin && end && o->origin->step == end->step;
}

typedef struct {
    FindQuestion *f;
    const Things *t;
    MAP(const Occurrence *, const Graph *) homes; /* that stands in a body -> the first such */
    Text failed;
} Asking;

static int by_id(const void *a, const void *b)
{
    const Graph *const *g = a, *const *h = b;
    return ((*g)->id > (*h)->id) - ((*g)->id < (*h)->id);
}

/* A body changes from state to state, and what its parameters stand for with it. */
static void find_homes(Asking *a)
{
    VEC(const Graph *) graphs = {0};
    for (size_t i = 0; i < a->t->bodies.len; i++)
        if (map_key(&a->t->bodies, i))
            vec_push(&graphs, map_key(&a->t->bodies, i));
    if (graphs.len)
        qsort(graphs.at, graphs.len, sizeof *graphs.at, by_id);
    for (size_t i = 0; i < graphs.len; i++) {
        NodeVec order = {0};
        nodes_topo(graphs.at[i]->nouts, graphs.at[i]->outs, &order);
        for (size_t k = 0; k < order.len; k++) {
            const Occurrence *o = thing_occurrence(a->t, graphs.at[i], order.at[k]);
            if (o && !map_has(&a->homes, o))
                map_put(&a->homes, o, graphs.at[i]);
        }
        vec_free(&order);
    }
    vec_free(&graphs);
}

static void note_owners(Asking *a)
{
    for (size_t i = 0; i < a->t->all.len; i++)
        for (const Occurrence *o = a->t->all.at[i]->first; o; o = o->next)
            query_owner(a->f->query, o->node, map_get(&a->homes, o));
}

static void add_place(FindQuestion *f, const Occurrence *o, const Graph *within, bool goes_on)
{
    if (goes_on)
        f->places.at[f->places.len - 1].taken = end_of(o);
    else
        vec_push(&f->places, ((FoundPlace){o->thing, within, o->node, o->origin, end_of(o)}));
}

/* Keeps the nearest of a node, and its reason. */
static void note_miss(FindQuestion *f, NearMiss *best, const Occurrence *o, const Graph *within,
                      const QueryTry *t)
{
    if (t->reached <= best->reached)
        return;
    char *why = arena_strndup(&f->arena, text_str(t->failed), t->failed->len);
    *best = (NearMiss){o->thing, within, o->node, o->origin, t->reached, why};
}

static void ask_thing(Asking *a, const Thing *thing)
{
    FindQuestion *f = a->f;
    bool on = false, any = false;
    NearMiss best = {0};
    for (const Occurrence *o = thing->first; o; o = o->next) {
        const Graph *within = map_get(&a->homes, o);
        QueryTry t = {.failed = f->near ? &a->failed : NULL};
        a->failed.len = 0;
        if (is_passing(o))
            continue;
        bool found = query_matches(f->query, f->x->st, within, o->node, &t);
        if (found)
            add_place(f, o, within, on);
        else if (f->near)
            note_miss(f, &best, o, within, &t);
        on = found;
        any = any || found;
    }
    if (!any && best.reached)
        vec_push(&f->misses, best);
}

static int by_reach(const void *a, const void *b)
{
    const NearMiss *p = a, *q = b;
    return p->reached != q->reached ? q->reached - p->reached
                                    : (p->thing->id > q->thing->id) - (p->thing->id < q->thing->id);
}

void find_places(FindQuestion *f)
{
    things_of_states(f->x);
    Asking a = {.f = f, .t = exploration_things(f->x)};
    find_homes(&a);
    note_owners(&a);
    for (size_t i = 0; i < a.t->all.len && !store_stops(f->x->st); i++)
        if (!a.t->all.at[i]->aside)
            ask_thing(&a, a.t->all.at[i]);
    text_free(&a.failed);
    map_free(&a.homes);
    if (f->misses.len)
        qsort(f->misses.at, f->misses.len, sizeof *f->misses.at, by_reach);
    f->misses.len = f->misses.len < f->near ? f->misses.len : f->near;
}

void find_places_free(FindQuestion *f)
{
    vec_free(&f->places);
    vec_free(&f->misses);
    arena_free(&f->arena);
}

void rule_value_put(Text *out, Store *st, const RuleValue *v, const Graph *within, int bytes)
{
    switch (v->kind) {
    case 'n': node_source_within(st, out, v->node, bytes, within); break;
    case 'I':
        for (u32 i = 0; i < v->attr.ints->n; i++)
            text_printf(out, "%s%lld", i ? ", " : "", (long long)v->attr.ints->at[i]);
        break;
    case 'r':
        for (u32 i = 0; i < v->count; i++) {
            text_put(out, i ? ", " : "");
            node_source_within(st, out, v->nodes[i], bytes, within);
        }
        break;
    case 'd': text_put(out, dtype_name((DType)v->attr.i)); break;
    case 'b': text_put(out, v->attr.i ? "true" : "false"); break;
    default: text_printf(out, "%lld", (long long)v->attr.i); break;
    }
}
