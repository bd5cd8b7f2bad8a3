/* What classes know: the analysis of egg (Willsey et al., POPL 2021: make, join), for facts.
 *
 * A term's fact follows from its operator and what the classes of its operands know; a class knows
 * the meet of what its terms do. What a term may not say about all of the class:
 *  - Its range is about elements that are not NaN. Rules without the classes N+ and N- keep NaN
 *    where it is, so in a class that only such rules made ranges meet. Where a rule may have taken
 *    NaN away, only what has a value for all real inputs counts: `sure`.
 *  - Rules round. So a fact of another term holds of this one on paper, not of its last bits: the
 *    classes of all rules that a class, or what stands below it, rests on are those of whoever uses
 *    its fact (`hazards`).
 *
 * Invariant: `sure` only ever gets narrower, so what parents have of it stays true; `fact` is
 * `sure` as soon as N+ or N- is among the hazards, and parents learn of it by the same way. A range
 * that narrows itself through a circle of classes is left alone after LEARN_MOST times. */
#include "egraph/egraph.h"
#include "surface/surface.h"

#include <math.h>

enum {
    LEARN_MOST = 12, /* times that a class narrows: through a circle it would for ever */
    MOST_NAMES = 6,  /* rules that a message names: it is a hint, not the proof */
    MOST_DEPTH = 20, /* of operands that they are looked for in: many are in many */
    TERM_BYTES = 40, /* of a term in a message, which names several */
    MAY_UNMAKE_NAN = HAZARD_NPLUS | HAZARD_NMINUS,
    PASSED_ON = HAZARD_Z | HAZARD_R | HAZARD_O | MAY_UNMAKE_NAN | HAZARD_S,
    BY_LO = 0,
    BY_HI,
    BY_REST
};

/* ---- what a term says ---- */

static const Fact *fact_of_class(void *ctx, const Node *n)
{
    EGraph *g = ctx;
    TermId t = map_get(&g->of, n);
    const EClass *c = t ? eg_class(g, t - 1) : NULL;
    return !c ? NULL : g->surely ? &c->sure.is : &c->fact.is;
}

static Fact nothing_of(const Node *n)
{
    Fact k = fact_unknown(n->type->kind == TYPE_TENSOR ? n->type->dtype : DT_RNG);
    k.partial = true;
    return k;
}

/* A number that overflowed, or became 0, is none on paper, so it is none of an equal term. */
static bool left_floats(const Fact *k)
{
    return (k->lo == 0 && k->hi == 0) || k->lo == INFINITY || k->hi == -INFINITY;
}

static Fact term_fact(EGraph *g, TermId t, bool surely)
{
    Node *n = eg_node(g, t);
    if (!n->nops && g->leaves)
        return *fact_of(g->leaves, n);
    g->surely = surely;
    Fact k = fact_by_operator(&g->facts, n);
    g->surely = false;
    if (k.partial && left_floats(&k))
        return nothing_of(n);
    return k;
}

static bool kids_are_sure(EGraph *g, const Term *t)
{
    bool same = true;
    for (u32 i = 0; i < t->node->nops && same; i++) {
        const EClass *c = eg_class(g, t->kids[i]);
        same = fact_same(&c->sure.is, &c->fact.is);
    }
    return same;
}

static Known known_of(Fact k, TermId t) { return (Known){k, {t, t, t}}; }

/* A number for all real inputs: NaN or not, no other form of it has another one. */
static bool is_everywhere(const Fact *k) { return !k->partial || !k->nan; }

/* ---- meeting ---- */

static bool surely_has_elements(const Type *t)
{
    i64 bound;
    bool some = t->kind == TYPE_TENSOR && t->dtype != DT_RNG && t->dtype != DT_BOOL;
    for (int i = 0; i < t->rank && some; i++)
        some = size_lower_bound(t->dims[i], &bound) && bound > 0;
    return some;
}

/* Ranges that exclude each other, by more than rounding. */
static void note_clash(EGraph *g, const Type *type, const Known *a, const Known *b)
{
    const Known *low = a->is.hi < b->is.lo ? a : b, *high = low == a ? b : a;
    double size = fmax(1, fmax(fabs(low->is.hi), fabs(high->is.lo)));
    double bound = !dtype_is_float(type->dtype) ? 0 : type->dtype == DT_F32 ? 1e-4 : 1e-9;
    if (g->contradiction || a->is.partial || b->is.partial || !surely_has_elements(type) ||
        high->is.lo - low->is.hi <= bound * size)
        return;
    g->contradiction = g->clash_of_ranges = true;
    g->clash[0] = low->by[BY_HI];
    g->clash[1] = high->by[BY_LO];
}

/* True if `to` got narrower. */
static bool meet(EGraph *g, const Type *type, Known *to, const Known *k)
{
    Fact m = fact_meet(to->is, k->is);
    if (m.lo > m.hi) { /* all of it is NaN, or a rule is wrong: it says nothing more */
        note_clash(g, type, to, k);
        return false;
    }
    if (fact_same(&m, &to->is))
        return false;
    if (m.lo > to->is.lo)
        to->by[BY_LO] = k->by[BY_LO];
    if (m.hi < to->is.hi)
        to->by[BY_HI] = k->by[BY_HI];
    if (m.nan != to->is.nan || m.whole != to->is.whole || m.unique != to->is.unique ||
        m.nonzero != to->is.nonzero)
        to->by[BY_REST] = k->by[BY_REST];
    to->is = m;
    return true;
}

static void note_news(EGraph *g, EClass *c)
{
    c->learned++;
    c->news = g->time;
}

/* More rules to rest on; what may be NaN then says no more about the others. */
static bool add_hazards(EClass *c, u32 hazards)
{
    bool more = (hazards & PASSED_ON & ~c->hazards) != 0;
    c->hazards |= hazards & PASSED_ON;
    if (c->hazards & MAY_UNMAKE_NAN)
        c->fact = c->sure;
    return more;
}

static u32 hazards_below(EGraph *g, const Term *t)
{
    u32 all = 0;
    for (u32 i = 0; i < t->node->nops; i++)
        all |= eg_class(g, t->kids[i])->hazards;
    return all;
}

/* ---- the e-graph changes ---- */

static void say_where_from(EGraph *g, const EClass *c, TermId t, Text *out);

static bool tell_class(void *ctx, const Node *n, Text *out)
{
    EGraph *g = ctx;
    TermId t = map_get(&g->of, n);
    size_t len = out->len;
    if (t)
        say_where_from(g, eg_class(g, t - 1), t - 1, out);
    const char *told = g->leaves ? map_get(&g->leaves->because, n) : NULL;
    if (out->len == len && told)
        text_put(out, told);
    return out->len > len;
}

void known_open(EGraph *g)
{
    g->source = (FactSource){fact_of_class, tell_class, g};
    g->facts.more = &g->source;
}

void known_make(EGraph *g, TermId t)
{
    const Term *x = eg_term(g, t);
    EClass *c = eg_class(g, t);
    c->fact = c->sure = known_of(term_fact(g, t, false), t);
    if (!kids_are_sure(g, x))
        c->sure = known_of(term_fact(g, t, true), t);
    if (!is_everywhere(&c->sure.is))
        c->sure = known_of(nothing_of(x->node), t);
    for (u32 i = 0; i < x->node->nops; i++)
        c->learned |= eg_class(g, x->kids[i])->learned > 0;
    add_hazards(c, hazards_below(g, x));
    c->news = g->time;
}

bool known_join(EGraph *g, EClass *to, const EClass *from, const Type *type, u32 hazards)
{
    Fact was = to->fact.is;
    bool more = add_hazards(to, hazards | from->hazards);
    meet(g, type, &to->sure, &from->sure);
    if (to->hazards & MAY_UNMAKE_NAN)
        to->fact = to->sure;
    else
        meet(g, type, &to->fact, &from->fact);
    bool news = more || !fact_same(&was, &to->fact.is) || !fact_same(&from->fact.is, &to->fact.is);
    if (news)
        note_news(g, to);
    to->learned = from->learned > to->learned ? from->learned : to->learned;
    return news;
}

bool known_update(EGraph *g, TermId t)
{
    const Term *x = eg_term(g, t);
    EClass *c = eg_class(g, t);
    bool news = false;
    for (u32 i = 0; i < x->node->nops; i++)
        news = news || eg_class(g, x->kids[i])->news == g->time;
    if (!news)
        return false;
    Fact was = c->fact.is;
    bool more = add_hazards(c, hazards_below(g, x));
    if (c->learned < LEARN_MOST) {
        Known k = known_of(term_fact(g, t, false), t), s = k;
        if (!kids_are_sure(g, x))
            s = known_of(term_fact(g, t, true), t);
        if (is_everywhere(&s.is))
            meet(g, x->node->type, &c->sure, &s);
        if (c->hazards & MAY_UNMAKE_NAN)
            c->fact = c->sure;
        else
            meet(g, x->node->type, &c->fact, &k);
    }
    if (!more && fact_same(&was, &c->fact.is))
        return false;
    note_news(g, c);
    return true;
}

/* ---- telling ---- */

typedef VEC(const char *) RuleNames;

/* The rules by which the two became equal, operands included: those that were there then, so what
 * rests on it is not among them. */
static void collect_reasons(EGraph *g, TermId a, TermId b, int depth, RuleNames *names)
{
    u32 da = eg_depth(g, a), db = eg_depth(g, b);
    while (a != b && depth < MOST_DEPTH && names->len < MOST_NAMES) {
        TermId *low = da >= db ? &a : &b;
        *(da >= db ? &da : &db) -= 1;
        const Equality *e = &g->why.at[eg_term(g, *low)->up_edge];
        const Term *x = eg_term(g, e->a), *y = eg_term(g, e->b);
        for (u32 i = 0; i < x->node->nops && !e->rule; i++)
            collect_reasons(g, x->kids[i], y->kids[e->with ? e->with[i] : i], depth + 1, names);
        bool known = !e->rule;
        for (size_t i = 0; i < names->len && !known; i++)
            known = !strcmp(names->at[i], e->rule->name);
        if (!known)
            vec_push(names, e->rule->name);
        *low = eg_term(g, *low)->up;
    }
}

static void put_equal_term(EGraph *g, TermId t, TermId by, Text *out)
{
    RuleNames names = {0};
    collect_reasons(g, t, by, 0, &names);
    text_put(out, out->len ? " and " : "it equals ");
    node_source_within(g->st, out, eg_node(g, by), TERM_BYTES,
                       g->leaves ? g->leaves->within : NULL);
    for (size_t i = 0; i < names.len; i++)
        text_printf(out, "%s%s", i ? ", " : " by ", names.at[i]);
    vec_free(&names);
}

static void say_where_from(EGraph *g, const EClass *c, TermId t, Text *out)
{
    const Known *k = &c->fact;
    bool bounded = k->is.lo > -INFINITY || k->is.hi < INFINITY;
    bool told[] = {k->is.lo > -INFINITY, k->is.hi < INFINITY, !bounded};
    for (int i = 0; i < 3; i++) {
        bool again = k->by[i] == t;
        for (int j = 0; j < i; j++)
            again = again || (told[j] && k->by[j] == k->by[i]);
        if (told[i] && !again)
            put_equal_term(g, t, k->by[i], out);
    }
}
