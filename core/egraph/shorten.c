/* Proofs made shorter: the terms of a proof once more, in an e-graph of their own.
 *
 * In the large one a rule is noted where it was found first, and classes are met by chance, so a
 * proof may go by 1 * x where x would do. Here all rules are tried at the terms that the proof
 * itself has and what they lead to in one step (two, where that is not much), and of all ways
 * between these the lightest is taken, congruences weighed by the lightest ways between their
 * operands.
 *
 * Invariant: what comes out is a proof of the same, with no more steps. */
#include "egraph/saturator.h"

enum {
    ROUNDS = 4,       /* each begins from the shorter proof; it ends when one gains nothing */
    MOST_STEPS = 400, /* of a proof: every state of it becomes terms */
    MOST_NEAR = 1000, /* e-nodes that rules may add to those of the proof */
    FEW = 100         /* e-nodes: so small an e-graph is searched two steps deep */
};

/* All that stands in a state of the proof. */
static bool add_states(EGraph *g, const Proof *p, int n, Node *const *from)
{
    Node **now = xmalloc(((size_t)n + 1) * sizeof *now);
    bool ok = true;
    memcpy(now, from, (size_t)n * sizeof *now);
    for (int i = 0; i < n; i++)
        eg_add(g, now[i]);
    for (size_t k = 0; k < p->len && ok; k++) {
        NodeMap memo = {0};
        map_put(&memo, p->at[k].before, p->at[k].after);
        for (int i = 0; i < n && ok; i++) {
            ok = (now[i] = node_substitute(g->st, now[i], &memo)) != NULL;
            if (ok)
                eg_add(g, now[i]);
        }
        map_free(&memo);
    }
    free(now);
    return ok;
}

static void add_steps(EGraph *g, const Proof *p)
{
    for (size_t k = 0; k < p->len; k++) {
        Equality e = p->at[k].why;
        if (!e.rule)
            continue;
        e.a = eg_add(g, p->at[k].back ? p->at[k].after : p->at[k].before);
        e.b = eg_add(g, p->at[k].back ? p->at[k].before : p->at[k].after);
        e.with = NULL;
        eg_union(g, &e);
    }
}

static bool shorter(Saturator *s, int n, Node *const *from, Node *const *to, bool onward,
                    Proof *proof)
{
    Saturator own;
    Proof found = {0};
    u32 matches;
    saturator_open(&own, s->e);
    bool ok = add_states(&own.g, proof, n, from);
    if (ok) {
        Saturating how = *s->how;
        how.nodes = own.g.live + MOST_NEAR;
        own.how = &how;
        saturator_iterate(&own, 0, &matches);
        if (own.g.live < FEW)
            saturator_iterate(&own, 1, &matches);
        add_steps(&own.g, proof);
        eg_rebuild(&own.g);
        own.closed = true;
        own.full = false;
        saturator_iterate(&own, 2, &matches);
        own.how = s->how;
        eg_link_congruent(&own.g);
        ok = eg_prove_closely(&own.g, n, from, to, onward, &found);
    }
    ok = ok && (!onward || saturator_one_way_step(s, &found) == found.len);
    if (ok)
        saturator_cut_detours(s, &found, n, from);
    ok = ok && found.len < proof->len;
    if (ok) {
        proof->len = 0;
        for (size_t i = 0; i < found.len; i++)
            vec_push(proof, found.at[i]);
        vec_push(&s->others, own.arena); /* the steps refer to its matches */
        own.arena = (Arena){0};
    }
    vec_free(&found);
    saturator_close(&own);
    return ok;
}

void saturator_shorten(Saturator *s, int n, Node *const *from, Node *const *to, bool onward,
                       Proof *proof)
{
    if (proof->len > MOST_STEPS)
        return;
    for (int i = 0; i < ROUNDS && proof->len > 1 && !store_stops(s->e->st); i++)
        if (!shorter(s, n, from, to, onward, proof))
            break;
}
