/* What the owner of a body knows of its parameters: captures are what they are outside, a row of a
 * sequence has elements of it, a state is as it starts, or as the body makes it.
 *
 * A state that counts is bounded by the number of steps.
 *
 * Invariant: what is assumed of another state holds of its start, and if it holds before a step it
 * holds after it: bounds that a step leaves are given up for the next of a few, at last for none.
 */
#include "rewrite/facts_body.h"
#include "graph/control.h"
#include "surface/surface.h"

#include <math.h>

enum {
    MOST_ROUNDS = 24, /* of widening: a few for each end of each state that leans on another */
    TERM_BYTES = 30   /* of a term in a sentence */
};

static const double EXACT = 9007199254740992; /* 2^53: whole numbers up to it are doubles */

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

/* What a step adds to an integer state that is otherwise left alone; 0: it is none. */
static i64 counted_by(const Graph *g, int state)
{
    const Node *out = g->outs[state], *param = g->param_nodes[state];
    i64 by;
    if (out->op != OP_ADD || out->nops != 2 || out->type->rank || !dtype_is_int(node_dtype(out)))
        return 0;
    bool first = out->ops[0] == param;
    return (first || out->ops[1] == param) && node_const_i64(out->ops[first], &by) ? by : 0;
}

/* Before each of at most n steps, of which the last counts n - 1 of them. */
static bool bound_counter(const Graph *g, int state, double n, Fact *given)
{
    double by = (double)counted_by(g, state), most = fmax(n - 1, 0) * by;
    Fact k = *given;
    k.lo += fmin(most, 0);
    k.hi += fmax(most, 0);
    bool from_zero = given->lo >= 0 && given->hi <= 0 && by == 1; /* n is an i64: below 2^63 */
    bool narrow = node_dtype(g->outs[state]) == DT_I32;
    if (!by || !(narrow ? fabs(k.lo) < INT32_MAX && fabs(k.hi) < INT32_MAX
                        : from_zero || (fabs(k.lo) < EXACT && fabs(k.hi) < EXACT)))
        return false;
    k.nonzero = k.lo > 0 || k.hi < 0;
    *given = k;
    return true;
}

/* Of states and outputs of the body under what is assumed so far; true if a step keeps it. */
static bool step_keeps(const Graph *g, int nstates, const bool *counts, Fact *given)
{
    Facts inside = {0};
    bool kept = true;
    for (int i = 0; i < g->nparams; i++)
        fact_assume(&inside, g->param_nodes[i], given[i], "");
    for (int i = 0; i < nstates; i++)
        kept = (counts[i] || !make_room(&given[i], fact_of(&inside, g->outs[i]))) && kept;
    facts_free(&inside);
    return kept;
}

/* n: the most steps. */
static void induce(const Graph *g, int nstates, double n, Fact *given)
{
    bool kept = false, *counts = xcalloc((size_t)nstates + 1, sizeof *counts);
    for (int i = 0; i < nstates; i++)
        counts[i] = bound_counter(g, i, n, &given[i]);
    for (int round = 0; round < MOST_ROUNDS && !kept; round++)
        kept = step_keeps(g, nstates, counts, given);
    for (int i = 0; i < nstates && !kept; i++) {
        if (counts[i])
            continue;
        given[i] = fact_of_type(g->params[i]);
        given[i].partial = true;
    }
    free(counts);
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
        induce(g, nstates, fact_of(out, scan_shape(owner).n)->hi, given);
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
    text_put(to, state ? counted_by(g, i) ? ", and each step counts" : ", and each step keeps that"
                       : "");
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
