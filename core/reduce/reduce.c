/* The order in which a program is made smaller.  See reduce.h. */
#include "reduce/parts.h"

#include "rewrite/history.h"

static u64 weight(const Reduction *r) { return reduce_weight((int)r->roots.len, r->roots.at); }

/* While it is large every try is expensive: then only what may take away much of it is tried. */
static void shrink_large(Reduction *r)
{
    enum { LARGE_NODES = 500 };
    while (nodes_count((int)r->roots.len, r->roots.at) > LARGE_NODES && !shrink_stops(r) &&
           (shrink_to_part(r) || shrink_coarsely(r)))
        ;
}

/* Until no part of it goes. */
static void shrink_graph(Reduction *r)
{
    static void (*const ways[])(Reduction *) = {
        shrink_results, shrink_owners, shrink_cut,   shrink_results,
        shrink_owners,  shrink_scans,  shrink_hoist, shrink_bodies,
    };
    shrink_large(r);
    for (u64 before = 0; before != weight(r) && !shrink_stops(r);) {
        before = weight(r);
        for (size_t i = 0; i < COUNT_OF(ways); i++)
            ways[i](r);
    }
}

/* ---- from a state that rewriting reaches ---- */

/* What makes the condition hold may only come about on the way: in a derivative that was expanded,
 * in a loop that was joined with another. That state is a program, too. */
enum {
    LARGE = 4000, /* by weight: what is still larger than this is not rewritten once more */
    STATES = 64,  /* tried, the last first: they are the furthest from what is written */
    REDUCED = 8   /* of those for which the condition holds */
};

static void release(Reduction *r)
{
    for (size_t i = 0; i < r->values.len; i++)
        tensor_unref(map_val(&r->values, i));
    map_free(&r->values);
    vec_free(&r->roots);
    map_free(&r->failed);
}

/* The same question about these results; false: the condition does not hold for them. */
static bool begin_apart(const Reduction *of, Reduction *r, Node *const *roots)
{
    Candidate c = {0};
    *r = *of;
    r->roots = (NodeVec){0};
    r->values = (TensorMap){0};
    r->failed.table = (HashTable){0};
    for (size_t i = 0; i < of->values.len; i++) {
        Tensor *t = tensor_ref(map_val(&of->values, i));
        map_put(&r->values, map_key(&of->values, i), t);
    }
    for (size_t i = 0; i < of->roots.len; i++)
        vec_push(&c.roots, roots[i]);
    return candidate_holds(r, &c);
}

/* True: what is left of that state is smaller than the program, and is the program now. */
static bool reduce_state(Reduction *r, Node *const *roots, bool *holds)
{
    Reduction other;
    *holds = begin_apart(r, &other, roots);
    if (*holds)
        shrink_graph(&other);
    r->tries = other.tries;
    bool better = *holds && weight(&other) < weight(r);
    if (better) {
        release(r);
        r->roots = other.roots;
        r->values = other.values;
        r->failed = other.failed;
    } else {
        release(&other);
    }
    return better;
}

/* The states, the last first; those that are to be looked at, and *n of them. */
static Node ***states_of(Exploration *x, u32 *n)
{
    u32 last = (u32)x->log.at.len, first = last > STATES ? last - STATES : 1;
    Node ***states = xcalloc(STATES + 1, sizeof *states);
    *n = 0;
    for (u32 k = last; k-- > first && !x->failed;) {
        Node **roots = xcalloc((size_t)x->nroots + 1, sizeof *roots);
        if (exploration_replay(x, k, roots))
            states[(*n)++] = roots;
        else
            free(roots);
    }
    return states;
}

static bool shrink_states(Reduction *r)
{
    DiagTry trial;
    u32 n, held = 0;
    bool better = false, holds;
    if (reduce_weight((int)r->roots.len, r->roots.at) > LARGE || shrink_stops(r))
        return false;
    diag_try_begin(&trial, &r->st->diags);
    Exploration *x = explore(r->st, r->eval.rules, r->eval.options, (int)r->roots.len, r->roots.at);
    Node ***states = states_of(x, &n);
    exploration_free(x);
    diag_try_end(&trial);
    for (u32 i = 0; i < n; i++) {
        if (!better && held < REDUCED && !shrink_stops(r)) {
            better = reduce_state(r, states[i], &holds);
            held += holds;
        }
        free(states[i]);
    }
    free(states);
    return better;
}

void reduce(Reduction *r)
{
    shrink_values(r);
    shrink_sizes(r);
    for (bool other = true; other && !shrink_stops(r);) {
        u64 before = weight(r);
        shrink_graph(r);
        shrink_states(r);
        shrink_values(r);
        other = shrink_sizes(r);
        other = shrink_digits(r) || other;
        if (other)
            map_clear(&r->failed); /* with other numbers they may be as wanted */
        other = other || weight(r) < before;
    }
}

void reduction_free(Reduction *r)
{
    release(r);
    map_free(&r->taken);
}

Symbol reduction_name(const Reduction *r, const char *wanted)
{
    NodeVec order = {0};
    SymbolSet inputs = {0};
    char text[32];
    nodes_topo((int)r->roots.len, r->roots.at, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_INPUT || order.at[i]->op == OP_SHARED)
            set_add(&inputs, order.at[i]->attrs[0].name);
    Symbol name = symbol(r->st, wanted);
    for (int k = 2; map_has(&inputs, name); k++) {
        snprintf(text, sizeof text, "result_%d", k);
        name = symbol(r->st, text);
    }
    map_free(&inputs);
    vec_free(&order);
    return name;
}
