/* Classes whose range is one number are that number: what egg calls modify.
 *
 * Only where that is news: of what the owner of a body tells, such as a capture that is a constant
 * outside, and where two terms leave one number between them. What follows from one operator is for
 * the rules that compute constants, which know when they round. */
#include "egraph/saturator.h"
#include "ops/build.h"

#include <math.h>

/* Whole numbers below it are exact in f64, and so are sums of some of them. */
static const double POINT_BELOW = 0x1p48;

static bool is_news(EGraph *g, const EClass *c)
{
    const Known *k = &c->fact;
    return k->by[0] != k->by[1] || eg_node(g, k->by[0])->op == OP_PARAM;
}

/* The sign of a zero is not known. */
static bool is_point(EGraph *g, const EClass *c, const Type *t)
{
    const Fact *k = &c->fact.is;
    return t->kind == TYPE_TENSOR && t->dtype != DT_BOOL && t->dtype != DT_RNG && !c->constant &&
           k->lo == k->hi && !k->nan && isfinite(k->lo) && fabs(k->lo) < POINT_BELOW &&
           (k->lo != 0 || !dtype_is_float(t->dtype)) && is_news(g, c);
}

static Node *number_like(Store *st, Node *like, double x)
{
    Node *n = node_number(st, like->type->dtype, x);
    return n && like->type->rank ? build_like(st, n, like) : n;
}

void saturator_put_points(Saturator *s, const Rule *rule)
{
    EGraph *g = &s->g;
    for (TermId t = 0, end = (TermId)g->terms.len; t < end && rule; t++) {
        const EClass *c = g->classes.at[t];
        Node *n = eg_node(g, t);
        if (!c || !is_point(g, c, n->type))
            continue;
        n = eg_node(g, c->fact.by[0]);
        Node *x = number_like(s->e->st, n, c->fact.is.lo);
        if (!x || x->type != n->type || !saturator_is_short(x) || s->closed)
            continue;
        Equality why = {.a = eg_add(g, n), .b = eg_add(g, x), .rule = rule, .extra = c->hazards};
        if (eg_find(g, why.a) == eg_find(g, why.b))
            continue;
        Text evidence = {0};
        fact_explain(&g->facts, s->e->st, n, &evidence);
        why.why = arena_strndup(&s->arena, evidence.at, evidence.len);
        text_free(&evidence);
        eg_union(g, &why);
    }
}
