/* What the owner of a body knows of its parameters: captures are what they are outside, a row of a
 * sequence has elements of it, a state is as it starts, or as the body makes it.
 *
 * Invariant: what is assumed of a state holds of its start, and if it holds before a step it holds
 * after it: bounds that a step leaves are given up for the next of a few, at last for none. */
#include "rewrite/facts_body.h"
#include "graph/control.h"
#include "surface/surface.h"

#include <math.h>

enum {
    MOST_ROUNDS = 24, /* of widening: a few for each end of each state that leans on another */
    TERM_BYTES = 30   /* of a term in a sentence */
};

static Fact fact_of_type(const Type *t)
{
    return fact_unknown(t->kind == TYPE_TENSOR ? t->dtype : DT_RNG);
}

/* Nothing is lost by leaving it out. */
static bool says_nothing(const Fact *k, const Type *t)
{
    Fact any = fact_of_type(t);
    return fact_same(&any, k);
}

static Fact of_operand(Facts *out, const Node *x, bool row)
{
    Fact k = *fact_of(out, x);
    k.unique = k.unique && !row;
    return k;
}

/* ---- states ---- */

static double widened(double x, bool up)
{
    static const double steps[] = {0, 1, 1e9}; /* signs, fractions; large, but far from overflow */
    for (size_t i = 0; i < COUNT_OF(steps); i++)
        if (up ? x <= steps[i] : x >= -steps[i])
            return up ? steps[i] : -steps[i];
    return up ? INFINITY : -INFINITY;
}

/* Makes room in `in` for k, more than that at its ends; false if k was within. */
static bool make_room(Fact *in, const Fact *k)
{
    Fact both = fact_union(*in, *k), was = *in;
    if (both.lo < in->lo)
        both.lo = fmin(both.lo, widened(both.lo, false));
    if (both.hi > in->hi)
        both.hi = fmax(both.hi, widened(both.hi, true));
    *in = both;
    return !fact_same(&was, in);
}

/* Of states and outputs of the body under what is assumed so far; true if a step keeps it. */
static bool step_keeps(const Graph *g, int nstates, Fact *given)
{
    Facts inside = {0};
    bool kept = true;
    for (int i = 0; i < g->nparams; i++)
        fact_assume(&inside, g->param_nodes[i], given[i], "");
    for (int i = 0; i < nstates; i++)
        kept = !make_room(&given[i], fact_of(&inside, g->outs[i])) && kept;
    facts_free(&inside);
    return kept;
}

static void induce(const Graph *g, int nstates, Fact *given)
{
    bool kept = false;
    for (int round = 0; round < MOST_ROUNDS && !kept; round++)
        kept = step_keeps(g, nstates, given);
    for (int i = 0; i < nstates && !kept; i++) {
        given[i] = fact_of_type(g->params[i]);
        given[i].partial = true;
    }
}

/* ---- all parameters ---- */

Fact *facts_given(Arena *a, Facts *out, const Node *owner, const Graph *g)
{
    Fact *given = arena_alloc(a, ((size_t)g->nparams + 1) * sizeof *given);
    bool loop = owner->op == OP_SCAN,
         known = loop || owner->op == OP_IFELSE || owner->op == OP_CALL;
    int nstates = loop ? scan_shape(owner).nstates : 0;
    for (int i = 0; i < g->nparams; i++) {
        bool row = false;
        const Node *x = known ? body_operand(owner, g, i, &row) : NULL;
        given[i] = x ? of_operand(out, x, row || i < nstates) : fact_of_type(g->params[i]);
        given[i].partial = given[i].partial || !x;
    }
    if (nstates)
        induce(g, nstates, given);
    return given;
}

/* "outside it is exp(u)" */
static void put_because(Store *st, const Facts *out, const Node *owner, const Graph *g, int i,
                        Text *to)
{
    bool row, loop = owner->op == OP_SCAN;
    Node *x = body_operand(owner, g, i, &row);
    bool state = loop && i < scan_shape(owner).nstates;
    text_put(to, state ? "its initial value is "
                 : row ? "it is a row of "
                       : "outside the loop it is ");
    node_source_within(st, to, x, TERM_BYTES, out->within);
    text_put(to, state ? ", and each step keeps that" : "");
}

void facts_enter(Facts *in, Store *st, const Facts *out, const Node *owner, const Graph *g,
                 const Fact *given)
{
    *in = (Facts){.within = g};
    for (int i = 0; i < g->nparams; i++) {
        Text because = {0};
        if (says_nothing(&given[i], g->params[i]))
            continue;
        Fact bare = fact_of_type(g->params[i]);
        bare.partial = given[i].partial;
        if (!fact_same(&bare, &given[i]))
            put_because(st, out, owner, g, i, &because);
        fact_assume(in, g->param_nodes[i], given[i], text_str(&because));
        text_free(&because);
    }
}
