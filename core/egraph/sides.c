/* Proofs that two sides are one: which steps are taken at which side.
 *
 * A step rewrites a node wherever it stands. Where a state of the left side stands in the right one
 * (x = 1 * x), its steps would change that too, and more steps would take that back. So the chain
 * from left to right is found for itself; as much of it as can be is taken at the left side, and
 * the rest, from its end and read from right to left, at the right one. */
#include "egraph/saturator.h"

static Node *rewritten(Store *st, Node *n, const Node *before, Node *after)
{
    NodeMap memo = {0};
    map_put(&memo, before, after);
    n = node_substitute(st, n, &memo);
    map_free(&memo);
    return n;
}

/* The states of the left side; false: one cannot be built, or the last one is not the right. */
static bool find_states(Store *st, const Proof *p, Node *const *sides, Node **states)
{
    states[0] = sides[0];
    for (size_t i = 0; i < p->len; i++) {
        states[i + 1] = rewritten(st, states[i], p->at[i].before, p->at[i].after);
        if (!states[i + 1])
            return false;
    }
    return states[p->len] == sides[1];
}

/* Can the first `left` steps be taken at the left side, and then the others at the right one, so
 * that none changes the other side? */
static bool can_meet(Store *st, const Proof *p, Node *const *states, size_t left)
{
    for (size_t i = 0; i < left; i++)
        if (rewritten(st, states[p->len], p->at[i].before, p->at[i].after) != states[p->len])
            return false;
    for (size_t i = p->len; i-- > left;)
        if (rewritten(st, states[left], p->at[i].after, p->at[i].before) != states[left] ||
            rewritten(st, states[i + 1], p->at[i].after, p->at[i].before) != states[i])
            return false;
    return true;
}

static void turn_round(Proof *p, size_t from)
{
    for (size_t i = from, k = p->len; i < k; i++)
        if (i < --k) {
            ProofStep t = p->at[i];
            p->at[i] = p->at[k];
            p->at[k] = t;
        }
    for (size_t i = from; i < p->len; i++) {
        ProofStep *t = &p->at[i];
        Node *after = t->before;
        t->before = t->after;
        t->after = after;
        t->back = !t->back;
    }
}

static bool prove_alone(Saturator *s, Node *const *sides, Proof *proof)
{
    if (!eg_prove(&s->g, 1, &sides[0], &sides[1], false, proof))
        return false;
    saturator_cut_detours(s, proof, 1, sides);
    saturator_shorten(s, 1, &sides[0], &sides[1], false, proof);
    Node **states = xmalloc((proof->len + 1) * sizeof *states);
    bool meets = false;
    if (find_states(s->e->st, proof, sides, states))
        for (size_t left = proof->len + 1; left-- > 0 && !meets;) {
            meets = can_meet(s->e->st, proof, states, left);
            if (meets)
                turn_round(proof, left);
        }
    free(states);
    return meets;
}

bool saturator_prove_equal(Saturator *s, Node *const *sides, Proof *proof)
{
    if (prove_alone(s, sides, proof))
        return true;
    Node *to[] = {sides[1], sides[1]};
    if (!eg_prove(&s->g, 2, sides, to, false, proof))
        return false;
    saturator_cut_detours(s, proof, 2, sides);
    saturator_shorten(s, 2, sides, to, false, proof);
    return true;
}
