/* Saturating and comparing expressions of a session: see equal.h. */
#include "session/equal.h"

#include <float.h>

#include "ops/build.h"

/* What saturation needs before it: derivatives and calls are none of its rules. */
static Pipeline needed_passes(void)
{
    Pipeline p = {0};
    pipeline_add(&p, pass_named("inline"));
    pipeline_add(&p, pass_named("differentiate"));
    return p;
}

/* The usual ones but those that make operators which its rules do not know. */
static Pipeline usual_passes(void)
{
    Pipeline p = {0};
    for (const Pass *pass = pass_table; pass->name; pass++)
        if (!pass->aside && strcmp(pass->name, "fuse") != 0 && strcmp(pass->name, "lower") != 0)
            pipeline_add(&p, pass);
    return p;
}

static Pipeline then_saturate(Pipeline p)
{
    pipeline_add(&p, pass_named("saturate"));
    return p;
}

/* Those of the session, with these passes. */
static Options options_with(const Session *s, const Pipeline *p, const Saturating *how)
{
    Options o = s->options;
    o.pipeline = *p;
    o.saturating = *how;
    return o;
}

static Exploration *explore_with(Session *s, Pipeline p, const Saturating *how, u32 allowed, int n,
                                 Node *const *roots)
{
    Options o = options_with(s, &p, how);
    o.allowed = allowed;
    Exploration *x = session_explore_apart(s, &o, n, roots);
    s->listed = x ? x : s->listed;
    return x && !x->failed ? x : NULL;
}

Node **session_saturable(Session *s, int n, Node *const *roots)
{
    Pipeline p = needed_passes();
    Options o = options_with(s, &p, &s->options.saturating);
    o.unrecorded = true;
    Exploration *x = explore(&s->st, s->rules, &o, n, roots);
    Node **plain = x->failed || store_stops(&s->st) ? NULL : xmalloc((size_t)n * sizeof *plain);
    if (plain)
        memcpy(plain, x->roots, (size_t)n * sizeof *plain);
    exploration_free(x);
    return plain;
}

/* Do the usual passes make something of the roots that costs less than that? */
static bool passes_are_better(Session *s, const Saturating *how, double cost, int n,
                              Node *const *roots)
{
    CostModel m = cost_model(how);
    Pipeline p = usual_passes();
    Options o = options_with(s, &p, how);
    o.unrecorded = true;
    Exploration *y = explore(&s->st, s->rules, &o, n, roots);
    bool better = !y->failed && roots_cost(&s->st, &m, y->nroots, y->roots) < cost * COST_CHEAPER;
    exploration_free(y);
    return better;
}

Exploration *session_saturate(Session *s, const Saturating *how, int n, Node *const *roots,
                              Growth *growth)
{
    Saturating mine = *how;
    *growth = (Growth){.stop = SATURATE_DONE};
    mine.report = growth;
    mine.also = HAZARD_Z; /* what it finds is shown, not run */
    Exploration *x =
        explore_with(s, then_saturate(needed_passes()), &mine, s->options.allowed, n, roots);
    if (!x || how->rules || how->equate || store_stops(&s->st) ||
        !passes_are_better(s, how, growth->after, n, roots))
        return x;
    double before = growth->before;
    x = explore_with(s, then_saturate(usual_passes()), &mine, s->options.allowed, n, roots);
    growth->before = before;
    return x;
}

/* ---- are they equal? ---- */

/* Two expressions being compared. */
typedef struct {
    Session *s;
    const Saturating *how;
    Node *const *sides;
    Node *plain[2]; /* without derivatives and calls */
    u32 nodes;      /* at most so many e-nodes */
    SidesCompared *out;
} Question;

enum {
    EXACT = HAZARD_E | HAZARD_C | HAZARD_D,
    HIDING = HAZARD_NMINUS | HAZARD_Z, /* an error is gone */
    ANY = HIDING | HAZARD_S,           /* beside the classes that the session allows */
    FEW_NODES = 1000,                  /* for a proof under assumptions */
    MORE_NODES = 300                   /* beyond three times those of a proof, for a better one */
};

static u32 classes_of(const Exploration *x)
{
    u32 all = 0;
    for (size_t i = 0; i < x->log.at.len; i++)
        all |= step_classes(&x->log.at.at[i]);
    return all;
}

/* Saturation after these passes, of both sides. */
static Exploration *equated(Question *q, Pipeline before, u32 nodes, u32 allowed,
                            const FactGiven *given, int ngiven, Growth *growth)
{
    Saturating mine = *q->how;
    *growth = (Growth){.stop = SATURATE_DONE};
    mine.nodes = nodes;
    mine.report = growth;
    mine.equate = true;
    mine.given = given;
    mine.ngiven = (u32)ngiven;
    return explore_with(q->s, then_saturate(before), &mine, allowed, 2, q->sides);
}

static bool is_proof(const Exploration *x) { return x && x->roots[0] == x->roots[1]; }

/* By rules of these classes; `given` is taken for granted. Rules that look at a graph as a whole
 * are none of saturation's: where that finds no proof, it begins once more with what the usual
 * passes give. False: no proof, or (stopped) a diagnostic. */
static bool prove(Question *q, u32 allowed, const FactGiven *given, int ngiven, bool *stopped)
{
    Growth growth, again;
    SidesCompared *out = q->out;
    Exploration *x = equated(q, needed_passes(), q->nodes, allowed, given, ngiven, &growth);
    if (x && !is_proof(x) && !ngiven && !q->how->rules) {
        u32 few = q->nodes < FEW_NODES ? q->nodes : FEW_NODES;
        Exploration *y = equated(q, usual_passes(), few, allowed, NULL, 0, &again);
        if (!y || is_proof(y)) {
            growth_free(&growth);
            growth = again;
            x = y;
        } else
            growth_free(&again);
    }
    *stopped = x == NULL;
    bool proved = is_proof(x);
    if (proved || !out->growth.rows.len) {
        growth_free(&out->growth);
        out->growth = growth;
    } else
        growth_free(&growth);
    if (proved || !out->x)
        out->x = x;
    if (proved)
        out->classes = classes_of(x);
    session_note_last(q->s, out->x);
    q->s->listed = out->x; /* so it stays in the cache */
    return proved;
}

/* By as harmless rules as may be: if there is a proof at all, one by the rules that the session
 * allows, one that hides no error, and, where no bit was seen to differ, one by exact rules. */
static bool prove_well(Question *q, const FactGiven *given, int ngiven, const Evidence *seen,
                       bool *stopped)
{
    u32 mine = q->s->options.allowed, limit = q->nodes;
    u32 tries[] = {mine, mine | HIDING, EXACT};
    if (!prove(q, mine | ANY, given, ngiven, stopped))
        return false;
    const Growth *g = &q->out->growth;
    u32 took = g->rows.len ? g->rows.at[g->rows.len - 1].nodes : 0;
    q->nodes = limit < MORE_NODES + 3 * took ? limit : MORE_NODES + 3 * took;
    for (size_t i = 0; i < COUNT_OF(tries) && !*stopped; i++) {
        bool exact = tries[i] == EXACT && !evidence_of(seen, DIFFER_ROUNDING, EXTREME);
        u32 worse = tries[i] == EXACT ? (exact ? q->out->classes & ~(u32)EXACT : 0)
                                      : q->out->classes & ~tries[i];
        if (worse && prove(q, tries[i], given, ngiven, stopped) && tries[i] == mine)
            i++;
    }
    q->nodes = limit;
    return !*stopped;
}

/* At which points a difference of that kind is one that the proof does not speak of: what rounding
 * makes of overflow, of infinite inputs, and of the sign of a zero is rounding. -1: none. */
static int last_point(const SidesCompared *e, const Evidence *seen, DifferKind kind)
{
    bool hides = e->classes & (HAZARD_NPLUS | HAZARD_NMINUS),
         exact = !(e->classes & (HAZARD_R | HAZARD_O)) && !hides;
    switch (kind) {
    case DIFFER_ERROR: return NONFINITE;
    case DIFFER_NAN:
    case DIFFER_INFINITY: return hides || exact ? NONFINITE : EXTREME;
    case DIFFER_OVERFLOW: return hides || exact || e->classes & HAZARD_O ? NONFINITE : -1;
    case DIFFER_ZERO:
        return exact || e->classes & HAZARD_Z || !evidence_of(seen, DIFFER_ROUNDING, EXTREME)
                   ? NONFINITE
                   : -1;
    default: return -1;
    }
}

/* What a proof is worth, by the classes of its steps and by what was seen. */
static EqualVerdict grade(SidesCompared *e, const Evidence *seen)
{
    e->rounds = (e->classes & (HAZARD_R | HAZARD_NPLUS | HAZARD_NMINUS | HAZARD_O)) ||
                evidence_of(seen, DIFFER_ROUNDING, NONFINITE);
    int shown = 0;
    for (int k = DIFFER_ZERO; k <= DIFFER_ERROR; k++) {
        int last = last_point(e, seen, (DifferKind)k);
        const Witness *w = last < 0 ? NULL : evidence_of(seen, (DifferKind)k, (PointKind)last);
        if (!w)
            continue;
        bool finite = evidence_of(seen, (DifferKind)k, EXTREME) != NULL;
        int rank = k == DIFFER_ERROR      ? 5
                   : k == DIFFER_ZERO     ? 1
                   : k == DIFFER_OVERFLOW ? 3
                                          : (finite ? 4 : 2);
        e->kinds |= 1u << k;
        if (rank < shown)
            continue;
        shown = rank;
        e->kind = (DifferKind)k;
        e->but = w;
    }
    /* no two bits differ but by an exception */
    if (e->kinds && !evidence_of(seen, DIFFER_ROUNDING, NONFINITE))
        e->rounds = false;
    return e->kinds ? VERDICT_EXCEPT : e->rounds ? VERDICT_ROUNDING : VERDICT_EQUAL;
}

/* ---- assumptions ---- */

bool evidence_agrees_given(const Evidence *e, const Assumptions *given)
{
    enum { LEAST = 3 }; /* points: fewer agree by chance */
    size_t agree = 0;
    for (size_t i = 0; i < e->differs.len; i++)
        if (assumptions_hold(e, given, e->differs.at[i]))
            return false;
    for (size_t i = 0; i < e->agrees.len; i++)
        agree += assumptions_hold(e, given, e->agrees.at[i]);
    return agree >= LEAST;
}

static void add_assumption(Assumptions *a, const Node *leaf, AssumedSign sign)
{
    DType d = leaf->type->dtype;
    if (d == DT_BOOL || d == DT_RNG || a->n == MOST_ASSUMED)
        return;
    a->at[a->n].leaf = leaf;
    a->at[a->n++].sign = sign;
}

Assumptions assumptions_without(const Assumptions *a, int i)
{
    Assumptions b = *a;
    b.n--;
    memmove(&b.at[i], &b.at[i + 1], (size_t)(b.n - i) * sizeof *b.at);
    return b;
}

static FactGiven fact_given(const Assumption *a)
{
    DType d = a->leaf->type->dtype;
    Fact k = fact_unknown(d);
    k.nan = false;
    if (a->sign == AT_MOST_ZERO)
        k.hi = 0;
    else
        k.lo = 0;
    if (a->sign == ABOVE_ZERO) {
        k.lo = !dtype_is_float(d) ? 1 : d == DT_F32 ? FLT_TRUE_MIN : DBL_TRUE_MIN;
        k.nonzero = true;
    }
    return (FactGiven){a->leaf, k};
}

static bool prove_assuming(Question *q, const Assumptions *given, bool *stopped)
{
    FactGiven facts[MOST_ASSUMED];
    SidesCompared *e = q->out;
    for (int i = 0; i < given->n; i++)
        facts[i] = fact_given(&given->at[i]);
    Evidence within;
    bool held = session_compare_values(q->s, q->plain, given, &within) &&
                !evidence_of(&within, DIFFER_VALUE, CORNER) &&
                prove_well(q, facts, given->n, &within, stopped);
    if (!held) {
        evidence_free(&within);
        return false;
    }
    evidence_free(&e->within);
    e->within = within;
    e->given = *given;
    e->but = NULL;
    e->kinds = 0;
    grade(e, &e->within);
    e->verdict = VERDICT_IF;
    return true;
}

/* Fewer of them, if there is a proof by those, too. */
static bool prove_assuming_less(Question *q, bool *stopped)
{
    for (int i = 0; q->out->given.n > 1 && i < q->out->given.n;) {
        Assumptions fewer = assumptions_without(&q->out->given, i);
        i += !evidence_agrees_given(&q->out->seen, &fewer) || !prove_assuming(q, &fewer, stopped);
        if (*stopped)
            return false;
    }
    return true;
}

/* No input is negative, or none is negative or 0; else one of them is not positive. */
static bool find_assumptions(Question *q, bool *stopped)
{
    const Evidence *seen = &q->out->seen;
    Assumptions all = {0};
    q->nodes = q->nodes < FEW_NODES ? q->nodes : FEW_NODES;
    for (size_t i = 0; i < seen->points.own; i++)
        add_assumption(&all, seen->points.leaves.at[i], AT_LEAST_ZERO);
    if (all.n && evidence_agrees_given(seen, &all)) {
        bool held = prove_assuming(q, &all, stopped);
        for (int i = 0; i < all.n; i++)
            all.at[i].sign = ABOVE_ZERO;
        return !*stopped && (held || prove_assuming(q, &all, stopped)) &&
               prove_assuming_less(q, stopped);
    }
    for (size_t i = 0; i < seen->points.own && !*stopped; i++) {
        Assumptions one = {0};
        add_assumption(&one, seen->points.leaves.at[i], AT_MOST_ZERO);
        if (one.n && evidence_agrees_given(seen, &one) && prove_assuming(q, &one, stopped))
            return true;
    }
    return false;
}

/* ---- the answer ---- */

/* The gravest difference up to these points. */
static const Witness *gravest(const Evidence *e, DifferKind least, PointKind last)
{
    for (int k = DIFFER_VALUE; k >= (int)least; k--) {
        const Witness *w = evidence_of(e, (DifferKind)k, last);
        if (w)
            return w;
    }
    return NULL;
}

/* The inputs that show that they are not equal, if there is no proof that they are; NULL: none. */
static const Witness *refuting(const Evidence *seen)
{
    const Witness *w = gravest(seen, DIFFER_VALUE, EXTREME);
    return w ? w : gravest(seen, DIFFER_INFINITY, ORDINARY);
}

static bool differ(SidesCompared *e, const Witness *w)
{
    e->verdict = VERDICT_DIFFERENT;
    e->against = w;
    return true;
}

/* No proof: an assumption, or what was seen. */
static bool without_proof(Question *q, bool *stopped)
{
    SidesCompared *e = q->out;
    const Evidence *seen = &e->seen;
    if (seen->differs.len && find_assumptions(q, stopped)) {
        Assumptions otherwise = e->given;
        otherwise.broken = true;
        session_compare_values(q->s, q->plain, &otherwise, &e->outside);
        e->against = gravest(&e->outside, DIFFER_INFINITY, CORNER);
        return true;
    }
    const Witness *w = *stopped ? NULL : refuting(seen);
    if (w)
        return differ(e, w);
    for (int k = DIFFER_ERROR; k >= DIFFER_ZERO && !e->but; k--) {
        e->kind = (DifferKind)k;
        e->but = evidence_of(seen, e->kind, NONFINITE);
    }
    e->kinds = e->but ? 1u << e->kind : 0;
    return true;
}

/* What is asked, and what its values say. False after a diagnostic. */
static bool question_begin(Question *q)
{
    SidesCompared *e = q->out;
    *e = (SidesCompared){.verdict = VERDICT_UNKNOWN};
    e->x = explore_with(q->s, needed_passes(), q->how, q->s->options.allowed, 2, q->sides);
    if (!e->x)
        return false;
    memcpy(q->plain, e->x->roots, sizeof q->plain);
    session_compare_values(q->s, q->plain, NULL, &e->seen);
    e->x = NULL;
    return true;
}

/* Whichever of the three compared values a witness belongs to; the others do not know it. */
static void shorten_shown(Question *q)
{
    SidesCompared *e = q->out;
    Assumptions otherwise = e->given;
    otherwise.broken = true;
    const Witness *shown[] = {e->but, e->against};
    for (size_t k = 0; k < COUNT_OF(shown); k++) {
        evidence_shorten(q->s, q->plain, NULL, &e->seen, shown[k]);
        evidence_shorten(q->s, q->plain, &e->given, &e->within, shown[k]);
        evidence_shorten(q->s, q->plain, &otherwise, &e->outside, shown[k]);
    }
}

bool session_equal(Session *s, const Saturating *how, Node *const sides[2], SidesCompared *out)
{
    Question q = {s, how, sides, {NULL, NULL}, how->nodes, out};
    bool stopped = false, proved = false;
    u32 allowed = s->options.allowed;
    if (!question_begin(&q))
        return false;
    const Evidence *seen = &out->seen;
    bool refuted = evidence_of(seen, DIFFER_VALUE, seen->jumps ? ORDINARY : CORNER);
    proved = !refuted && prove_well(&q, NULL, 0, seen, &stopped);
    if (proved)
        out->verdict = grade(out, seen);
    else if (!stopped)
        without_proof(&q, &stopped);
    if (out->verdict <= VERDICT_IF)
        out->off = out->classes & ~allowed;
    if (!stopped)
        shorten_shown(&q);
    return !stopped;
}

bool session_undecided(Session *s, const Saturating *how, Node *const sides[2])
{
    SidesCompared e;
    Question q = {s, how, sides, {NULL, NULL}, how->nodes, &e};
    bool stopped = false, open = question_begin(&q);
    const Evidence *seen = &e.seen;
    open = open && !refuting(seen) && !prove(&q, s->options.allowed | ANY, NULL, 0, &stopped) &&
           !stopped && !(seen->differs.len && find_assumptions(&q, &stopped)) && !stopped;
    equal_free(&e);
    return open;
}

void equal_free(SidesCompared *e)
{
    evidence_free(&e->seen);
    evidence_free(&e->within);
    evidence_free(&e->outside);
    growth_free(&e->growth);
}

Node *equal_adapt(Store *st, Node *n, Node *like)
{
    double x;
    if (node_const_f64(n, &x) && n->type->dtype != DT_BOOL && like->type->dtype != DT_BOOL)
        n = node_number(st, like->type->dtype, x);
    if (n && n->type != like->type && !n->type->rank && n->type->dtype == like->type->dtype)
        n = build_like(st, n, like);
    return n;
}
