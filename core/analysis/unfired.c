/* Places where a rule does not fire: where it fits and for how long, else what is missing.  See
 * unfired.h. */
#include "analysis/unfired.h"

#include "graph/walk.h"
#include "rewrite/history.h"
#include "rewrite/judged.h"

enum {
    MOST_VISITS = 400000, /* nodes of states on which a rule in C is run */
    MOST_REASONS = 200    /* bytes of several reasons of one place: two lines */
};

typedef MAP(const Thing *, size_t) PlaceByThing; /* 1 + place */

typedef struct {
    UnfiredQuestion *q;
    NodeMap asked;       /* of the state asked about: its nodes */
    VEC(Fitting) fits;   /* one after the other for each thing */
    PlaceByThing open;   /* thing -> the fitting that may go on */
    VEC(Unfired) misses; /* one for each thing at most */
    PlaceByThing miss_of;
} Search;

/* ---- steps ---- */

static const Step *step_inside(Arena *arena, const Step *s, const char **number)
{
    while (s->inner && !s->again && s->inner->at.len) {
        Text at = {0};
        text_printf(&at, "%s.%zu", *number, s->inner->at.len);
        *number = arena_strndup(arena, text_str(&at), at.len);
        text_free(&at);
        s = &s->inner->at.at[s->inner->at.len - 1];
    }
    return s;
}

/* A step on a body stands for the last one inside. */
static StepAt step_at(Arena *arena, const Step *s, const char *log, u32 k)
{
    Text at = {0};
    text_printf(&at, "%s%s%u", log, *log ? "." : "", k);
    const char *number = arena_strndup(arena, text_str(&at), at.len);
    text_free(&at);
    const Step *inside = step_inside(arena, s, &number);
    return (StepAt){.step = inside, .number = number};
}

static StepAt step_of_origin(Arena *arena, const Origin *o)
{
    return o && o->step ? step_at(arena, o->step, o->log, o->number) : (StepAt){.number = ""};
}

static const Origin *end_of(const Occurrence *o)
{
    return o->next ? o->next->origin : o->thing->gone;
}

/* ---- where it fired ---- */

static bool was_replaced(const UnfiredQuestion *q, const Occurrence *o)
{
    const Origin *end = end_of(o);
    if (!end || !end->step || strcmp(step_rule(end->step), q->k->name) != 0)
        return false;
    bool here = false;
    for (int i = 0; i < end->step->nchanges; i++) {
        const Node *before = end->step->changes[i].before;
        here = here || before == o->node || (before->op == OP_PROJ && before->ops[0] == o->node);
    }
    return here;
}

/* The occurrence that the rule replaced; NULL: it did not. */
static const Occurrence *replaced(const UnfiredQuestion *q, const Thing *thing)
{
    const Occurrence *o = thing->first;
    while (o && !was_replaced(q, o))
        o = o->next;
    return o;
}

/* What was fused no pass looks into. */
static bool is_fused(const Thing *thing)
{
    const Thing *owner = thing_owner(thing);
    return owner && owner->last && owner->last->node->op == OP_FUSED;
}

/* Is it a place that the question is about? */
static bool is_place(const UnfiredQuestion *q, const Thing *thing)
{
    bool wanted = q->only ? thing == q->only : thing && !thing->aside && !is_fused(thing);
    return wanted && !replaced(q, thing);
}

static void add_fired(UnfiredQuestion *q, const Thing *thing, const Occurrence *o)
{
    vec_push(&q->found,
             ((Unfired){.at = {thing, thing_graph(thing), o->node, origin_outermost(o->origin)},
                        .verdict = VERDICT_FIRED,
                        .by = step_of_origin(&q->arena, end_of(o)),
                        .pass = rule_pass(q->k),
                        .why = ""}));
}

/* ---- what is missing ---- */

static bool is_closer(const Unfired *a, const Unfired *b)
{
    if (a->verdict != b->verdict)
        return a->verdict < b->verdict;
    return a->condition != b->condition ? a->condition : a->matched > b->matched;
}

/* A rule in C may refuse for one reason now and for another after a step: each is told once. */
static bool add_reason(Search *s, Unfired *was, const RulePlace *at, Text *why)
{
    if (was->of || was->verdict != VERDICT_NEAR)
        return false;
    if (strstr(was->why, text_str(why)) || strlen(was->why) > MOST_REASONS)
        return true;
    Text both = {0};
    text_printf(&both, "%s; after step %u %s", was->why, at->step, text_str(why));
    was->why = arena_strndup(&s->q->arena, text_str(&both), both.len);
    text_free(&both);
    return true;
}

/* Of one thing, the state in which it came nearest. */
static void add_miss(Search *s, const RulePlace *at, const RuleFit *fit, bool near, Text *why)
{
    Unfired u = {.at = *at,
                 .verdict = near ? VERDICT_NEAR : VERDICT_OTHER,
                 .by = {.number = ""},
                 .condition = near && (!fit->of || fit->fits),
                 .matched = fit->matched,
                 .of = fit->of};
    size_t place = map_get(&s->miss_of, at->thing);
    if (place && u.verdict == VERDICT_NEAR && !u.of &&
        add_reason(s, &s->misses.at[place - 1], at, why))
        return;
    if (place && !is_closer(&u, &s->misses.at[place - 1]))
        return;
    u.why = arena_strndup(&s->q->arena, text_str(why), why->len);
    if (place) {
        s->misses.at[place - 1] = u;
        return;
    }
    vec_push(&s->misses, u);
    map_put(&s->miss_of, at->thing, s->misses.len);
}

static void put_other_kind(const UnfiredQuestion *q, Text *why, const Node *n)
{
    text_printf(why, "it is %s, but the rule is for %s", op_table[n->op].name,
                op_table[q->k->root].name);
}

/* ---- where it fits ---- */

/* A step that changes an operand may leave it fitting: then that goes on. */
static Fitting *fits_from(Search *s, const RulePlace *at, u32 extra, StepAt maker)
{
    size_t place = map_get(&s->open, at->thing);
    if (place)
        return &s->fits.at[place - 1];
    vec_push(&s->fits, ((Fitting){.at = *at,
                                  .from = at->step,
                                  .to = NEVER,
                                  .maker = maker,
                                  .taker = {.number = ""},
                                  .extra = extra}));
    map_put(&s->open, at->thing, s->fits.len);
    return &s->fits.at[s->fits.len - 1];
}

static void end_fitting(Search *s, const Thing *thing, u32 to, StepAt taker)
{
    size_t place = map_get(&s->open, thing);
    if (!place)
        return;
    s->fits.at[place - 1].to = to;
    s->fits.at[place - 1].taker = taker;
    map_put(&s->open, thing, 0);
}

/* What the step put in the place of the node; NULL: of nothing. */
static const Node *put_for(const Step *s, const Node *n)
{
    for (int i = 0; i < s->nchanges && n; i++)
        if (s->changes[i].before == n)
            return s->changes[i].after;
    return NULL;
}

/* Until the step that made another node of it, or NULL: nothing. */
static void fits_until(Search *s, const Thing *thing, const Origin *end, const Node *became)
{
    if (!end || !map_get(&s->open, thing))
        return;
    StepAt taker = step_of_origin(&s->q->arena, end);
    taker.became = became;
    end_fitting(s, thing, origin_outermost(end), taker);
}

/* Is the state asked about among those in which it fitted? */
static bool is_asked(const Search *s, const Fitting *f)
{
    u32 at = s->q->state;
    return !s->q->roots || (f->from <= at && (at < f->to || at == f->from));
}

/* ---- rules in text ---- */

/* A step of class O, where something is decided by the value? */
static bool is_judged(UnfiredQuestion *q, const RulePlace *at)
{
    if (!(q->k->classes & HAZARD_O))
        return false;
    Judged j = {0};
    Node **roots = xcalloc((size_t)q->x->nroots + 1, sizeof *roots);
    if (at->within)
        judged_find(&j, at->within->nouts, at->within->outs, NULL, at->within, false);
    else if (exploration_replay(q->x, at->step, roots))
        judged_find(&j, q->x->nroots, roots, NULL, NULL, false);
    bool judged = judged_has(&j, at->node);
    free(roots);
    judged_free(&j);
    return judged;
}

static void ask_text(Search *s, const Occurrence *o)
{
    UnfiredQuestion *q = s->q;
    const Thing *thing = o->thing;
    RulePlace at = {thing, thing_graph(thing), o->node, origin_outermost(o->origin)};
    RuleFit fit = {0};
    Text why = {0};
    bool heads = o->node->op == q->k->root || q->k->root >= OP_COUNT;
    bool fires = heads && rule_explain_text(q->x->st, q->k, at.within, at.node, &why, &fit);
    if (fires && is_judged(q, &at)) {
        fires = false;
        text_put(&why, judged_says);
    }
    if (!heads)
        put_other_kind(q, &why, o->node);
    if (fires)
        fits_from(s, &at, fit.extra, step_of_origin(&q->arena, o->origin));
    else
        fits_until(s, thing, o->origin, o->node);
    if (!fires && (heads || q->only) && (!q->roots || map_has(&s->asked, o->node)))
        add_miss(s, &at, &fit, fit.fits || (2 * fit.matched >= fit.of && fit.matched > 1), &why);
    text_free(&why);
}

static void ask_text_everywhere(Search *s, const Things *t)
{
    UnfiredQuestion *q = s->q;
    for (size_t i = 0; i < t->all.len; i++) {
        const Thing *thing = t->all.at[i];
        if (!is_place(q, thing))
            continue;
        for (const Occurrence *o = thing->first; o; o = o->next)
            ask_text(s, o);
        if (thing->gone && thing->gone->step && thing->last)
            fits_until(s, thing, thing->gone, put_for(thing->gone->step, thing->last->node));
    }
}

/* ---- rules in C ---- */

static bool refusal_at(const Refusals *refusals, const Node *n, Text *why)
{
    for (size_t i = refusals->all.len; i-- > 0;) { /* the one that the rule came to latest */
        const Refused *r = &refusals->all.at[i];
        if (r->site != n)
            continue;
        text_put(why, r->why);
        if (r->at)
            text_printf(why, ": %s", op_table[r->at->op].name);
        return true;
    }
    return false;
}

static bool may_concern(const UnfiredQuestion *q, const Node *n)
{
    return n->op == q->k->root || (q->k->root >= OP_COUNT && n->op != OP_PROJ);
}

static void miss_code_at(Search *s, const Refusals *refusals, const RulePlace *at)
{
    const UnfiredQuestion *q = s->q;
    Text why = {0};
    bool refused = (may_concern(q, at->node) || q->only) && refusal_at(refusals, at->node, &why);
    if (!refused && at->node->op == q->k->root)
        text_printf(&why, "it finds nothing to do here (%s)", q->k->reason);
    else if (!refused && q->only && q->k->root < OP_COUNT)
        put_other_kind(q, &why, at->node);
    if (why.len)
        add_miss(s, at, &(RuleFit){.fits = false}, refused, &why);
    text_free(&why);
}

/* The step before that state took what the last one before still had. */
static StepAt taker_before(Search *s, const Thing *thing, u32 state)
{
    UnfiredQuestion *q = s->q;
    const Fitting *f = &s->fits.at[map_get(&s->open, thing) - 1];
    for (const Occurrence *o = thing->first; o; o = o->next)
        if (o->node == f->at.node && end_of(o) && origin_outermost(end_of(o)) == state)
            return step_of_origin(&q->arena, end_of(o));
    return state ? step_at(&q->arena, &q->x->log.at.at[state - 1], "", state)
                 : (StepAt){.number = ""};
}

/* What fitted in the state before and does not in this one. */
static void close_fits(Search *s, u32 state, const ThingSet *fitting)
{
    for (size_t i = 0; i < s->open.len; i++) {
        const Thing *thing = map_key(&s->open, i);
        if (map_val(&s->open, i) && !map_has(fitting, thing))
            end_fitting(s, thing, state, taker_before(s, thing, state));
    }
}

static void ask_code_at(Search *s, const Exploration *tried, const Refusals *refusals,
                        const RulePlace *at, ThingSet *fitting)
{
    UnfiredQuestion *q = s->q;
    Text number = {0};
    const Graph *inner = NULL;
    bool fires = (may_concern(q, at->node) || q->only) &&
                 step_of_rule(&tried->log, q->k->name, at->node, &number, &inner) != NULL;
    text_free(&number);
    if (fires) {
        const Occurrence *o = thing_occurrence(q->x->things, at->within, at->node);
        fits_from(s, at, 0, step_of_origin(&q->arena, o ? o->origin : NULL))->at = *at;
        set_add(fitting, at->thing);
    } else if (!q->roots || map_has(&s->asked, at->node)) {
        miss_code_at(s, refusals, at);
    }
}

static bool concerns_any(const UnfiredQuestion *q, const StandingVec *all)
{
    bool any = q->only != NULL;
    for (size_t i = 0; i < all->len && !any; i++)
        any = may_concern(q, all->at[i].node);
    return any;
}

static void ask_state(Search *s, u32 state, Node *const *roots)
{
    UnfiredQuestion *q = s->q;
    StandingVec all = {0};
    Exploration tried;
    Refusals refusals = {0};
    ThingSet fitting = {0};
    nodes_standing(q->x->nroots, roots, NULL, &all);
    if (concerns_any(q, &all)) {
        explore_rule(&tried, q->x->st, q->rules, q->options, q->k, q->x->nroots, roots,
                     q->options->step_limit, &refusals);
        for (size_t i = 0; i < all.len; i++) {
            const Standing *n = &all.at[i];
            RulePlace at = {thing_of(q->x->things, n->within, n->node), n->within, n->node, state};
            if (is_place(q, at.thing))
                ask_code_at(s, &tried, &refusals, &at, &fitting);
        }
        exploration_clear(&tried);
    }
    close_fits(s, state, &fitting);
    map_free(&fitting);
    refusals_free(&refusals);
    vec_free(&all);
}

/* Where passes begin and end, and between if that is affordable. */
static void ask_code_everywhere(Search *s)
{
    UnfiredQuestion *q = s->q;
    Exploration *x = q->x;
    Node **roots = xcalloc((size_t)x->nroots + 1, sizeof *roots);
    u64 visits = 0;
    u32 next = 0;
    ask_state(s, 0, x->start);
    for (size_t i = 0; i < x->passes.len; i++) {
        const PassRun *run = &x->passes.at[i];
        for (u32 k = next + 1; k <= run->first_step + run->steps; k++) {
            visits += run->nodes_before;
            bool end = k == run->first_step + run->steps;
            q->partly = q->partly || visits > MOST_VISITS;
            if ((visits <= MOST_VISITS || end) && exploration_replay(x, k, roots))
                ask_state(s, k, roots);
            next = k;
        }
    }
    free(roots);
}

/* ---- the whole ---- */

static void note_asked(Search *s)
{
    StandingVec all = {0};
    nodes_standing(s->q->x->nroots, s->q->roots, NULL, &all);
    for (size_t i = 0; i < all.len; i++)
        map_put(&s->asked, all.at[i].node, all.at[i].node);
    vec_free(&all);
}

static void add_all_fired(UnfiredQuestion *q, const Things *t)
{
    for (size_t i = 0; i < t->all.len && !q->roots; i++) {
        const Thing *thing = t->all.at[i];
        const Occurrence *o = q->only && q->only != thing ? NULL : replaced(q, thing);
        if (o)
            add_fired(q, thing, o);
    }
}

/* Where not even the root of the pattern fits there is nothing to say, if it does elsewhere. */
static bool tells(const Search *s, const Unfired *u)
{
    bool elsewhere = s->q->found.len > 0;
    for (size_t i = 0; i < s->misses.len && !elsewhere; i++)
        elsewhere = s->misses.at[i].matched > 0;
    return !u->of || u->matched || !elsewhere;
}

/* The first verdict of those that a thing has; fits of one thing follow one another. */
static void add_fits(Search *s)
{
    PlaceByThing at = {0};
    for (size_t i = 0; i < s->fits.len; i++) {
        const Fitting *f = &s->fits.at[i];
        if (!is_asked(s, f))
            continue;
        Unfired u = {.at = f->at};
        verdict_find(s->q, f, &u);
        size_t place = map_get(&at, f->at.thing);
        if (!place) {
            vec_push(&s->q->found, u);
            map_put(&at, f->at.thing, s->q->found.len);
        } else if (u.verdict <= s->q->found.at[place - 1].verdict) {
            s->q->found.at[place - 1] = u;
        }
    }
    for (size_t i = 0; i < s->misses.len; i++)
        if (!map_get(&at, s->misses.at[i].at.thing) && tells(s, &s->misses.at[i]))
            vec_push(&s->q->found, s->misses.at[i]);
    map_free(&at);
}

static int by_verdict(const void *a, const void *b)
{
    const Unfired *u = a, *v = b;
    if (u->verdict != v->verdict)
        return u->verdict < v->verdict ? -1 : 1;
    if (u->condition != v->condition)
        return u->condition ? -1 : 1;
    int less = u->matched * v->of - v->matched * u->of;
    if (less)
        return less > 0 ? -1 : 1;
    return u->at.thing->id < v->at.thing->id ? -1 : u->at.thing->id > v->at.thing->id;
}

void unfired_find(UnfiredQuestion *q)
{
    Search s = {.q = q};
    things_of_states(q->x);
    const Things *t = exploration_things(q->x);
    if (q->roots)
        note_asked(&s);
    add_all_fired(q, t);
    if (q->k->text)
        ask_text_everywhere(&s, t);
    else
        ask_code_everywhere(&s);
    add_fits(&s);
    if (!q->behind) /* else only that of the place that is asked about */
        verdicts_try(q);
    if (q->found.len)
        qsort(q->found.at, q->found.len, sizeof *q->found.at, by_verdict);
    map_free(&s.asked);
    map_free(&s.open);
    map_free(&s.miss_of);
    vec_free(&s.fits);
    vec_free(&s.misses);
}

void unfired_free(UnfiredQuestion *q)
{
    vec_free(&q->found);
    arena_free(&q->arena);
}
