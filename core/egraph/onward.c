/* What a program can become without a step from right to left that would make what was not there.
 *
 * A class holds all that is equal on paper. A program that is to run may only go where each step
 * may be done: a rule that takes an infinity or an error away leads on, not back. So from the terms
 * of the program edges are followed as far as they may be, operands with them; of a form one of
 * whose terms is reached, all are. A congruent term is reached when its operands are, from
 * wherever: that is more than can be proved, so the proof is looked at once more. */
#include "egraph/extract.h"

typedef struct {
    EGraph *g;
    u8 *reached; /* by term */
    u32 *first;  /* by term: where its edges begin in `edges`; one more than there are terms */
    u32 *edges;  /* places in g->why */
    TermList work;
} Reacher;

static void reach_term(Reacher *r, TermId t)
{
    if (!r->reached[t])
        vec_push(&r->work, t);
    r->reached[t] = 1;
}

static void list_edges(Reacher *r)
{
    size_t n = r->g->terms.len, count = r->g->why.len;
    r->first = xcalloc(n + 2, sizeof *r->first);
    r->edges = xmalloc((2 * count + 1) * sizeof *r->edges);
    for (size_t i = 0; i < count; i++) {
        r->first[r->g->why.at[i].a + 2]++;
        r->first[r->g->why.at[i].b + 2]++;
    }
    for (size_t i = 2; i < n + 2; i++)
        r->first[i] += r->first[i - 1];
    for (size_t i = 0; i < count; i++) { /* first[t + 1] moves on to where t's end */
        r->edges[r->first[r->g->why.at[i].a + 1]++] = (u32)i;
        r->edges[r->first[r->g->why.at[i].b + 1]++] = (u32)i;
    }
}

static bool operands_reached(const Reacher *r, TermId t)
{
    const Term *x = eg_term(r->g, t);
    for (u32 i = 0; i < x->node->nops; i++)
        if (!r->reached[x->kids[i]])
            return false;
    return true;
}

static bool leads_on(const Reacher *r, const Equality *e, TermId from)
{
    if (!e->rule)
        return operands_reached(r, e->a == from ? e->b : e->a);
    return !equality_is_one_way(e) || (e->b == from) == e->rule->backwards;
}

static void follow(Reacher *r)
{
    while (r->work.len) {
        TermId t = r->work.at[--r->work.len];
        const Term *x = eg_term(r->g, t);
        for (u32 i = 0; i < x->node->nops; i++)
            reach_term(r, x->kids[i]);
        for (u32 k = r->first[t]; k < r->first[t + 1]; k++) {
            const Equality *e = &r->g->why.at[r->edges[k]];
            if (leads_on(r, e, t))
                reach_term(r, e->a == t ? e->b : e->a);
        }
    }
}

/* Congruences some operand of which was not reached when they were looked at. */
static void follow_congruences(Reacher *r)
{
    size_t before;
    do {
        before = r->work.len;
        for (size_t i = 0; i < r->g->why.len; i++) {
            const Equality *e = &r->g->why.at[i];
            if (!e->rule && r->reached[e->a] != r->reached[e->b]) {
                TermId other = r->reached[e->a] ? e->b : e->a;
                if (operands_reached(r, other))
                    reach_term(r, other);
            }
        }
        before = r->work.len - before;
        follow(r);
    } while (before);
}

void eg_ban_unreachable(EGraph *g, int n, Node *const *roots, Banned *out)
{
    Reacher r = {.g = g};
    TermId *at = xmalloc(((size_t)n + 1) * sizeof *at);
    for (int i = 0; i < n; i++)
        at[i] = eg_add(g, roots[i]);
    r.reached = xcalloc(g->terms.len + 1, 1);
    list_edges(&r);
    for (int i = 0; i < n; i++)
        reach_term(&r, at[i]);
    follow(&r);
    follow_congruences(&r);
    out->len = 0;
    while (out->len < g->terms.len)
        vec_push(out, (u8)1);
    for (TermId t = 0; t < g->terms.len; t++)
        if (r.reached[t])
            out->at[eg_living(g, t)] = 0;
    free(at);
    free(r.reached);
    free(r.first);
    free(r.edges);
    vec_free(&r.work);
}
