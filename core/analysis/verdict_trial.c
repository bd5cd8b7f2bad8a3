/* Verdicts put to the test: the expression is explored again with what was in the way out of the
 * way.  See unfired.h.
 *
 * Invariant: each obstacle is tried once for all places that have it. */
#include "analysis/unfired.h"

#include "graph/provenance.h"
#include "rewrite/history.h"

enum {
    MOST_BEHIND = 3,   /* obstacles one behind the other that are looked for */
    MOST_TRIALS = 24,  /* explorations for one question; other verdicts stay as they are; */
    TRIAL_NODES = 6000 /* fewer if they have more nodes than this, over all steps */
};

static u32 trials_worth(const Exploration *x)
{
    u64 nodes = (u64)nodes_count(x->nroots, x->start) * (x->log.at.len + 1);
    u64 n = TRIAL_NODES / (nodes + 1);
    return n > MOST_TRIALS ? MOST_TRIALS : (u32)n;
}

bool verdict_names_obstacle(const Unfired *u)
{
    return u->verdict > VERDICT_FIRED && u->verdict < VERDICT_NEAR;
}

const Pass *pass_trying(const Rule *k)
{
    const Pass *p = pass_table;
    while (p->name && !pass_tries(p, k->pass))
        p++;
    return p->name ? p : NULL;
}

/* Before the first pass that comes later in the table. */
void pipeline_add_in_order(Pipeline *p, const Pass *more)
{
    Pipeline was = *p;
    pipeline_clear(p);
    for (u32 i = 0; i < was.len; i++) {
        if (more && was.at[i].pass > more) {
            pipeline_add(p, more);
            more = NULL;
        }
        pipeline_add(p, was.at[i].pass);
        p->at[p->len - 1].off = was.at[i].off;
    }
    if (more)
        pipeline_add(p, more);
}

bool verdict_clear_way(const UnfiredQuestion *q, const Unfired *u, Options *o)
{
    const Rule *k = q->k, *by = u->by.step ? u->by.step->rule : NULL;
    switch (u->verdict) {
    case VERDICT_TAKEN:
        if (!by || by == k || rule_by_name(q->rules, by->name) != by)
            return false;
        rule_switch(o, by, true);
        return true;
    case VERDICT_RULE_OFF: rule_switch(o, k, false); return true;
    case VERDICT_PASS_OFF: return pipeline_switch(&o->pipeline, u->pass, false);
    case VERDICT_NO_PASS: pipeline_add_in_order(&o->pipeline, pass_trying(k)); return true;
    case VERDICT_CLASS: o->allowed |= u->shut; return true;
    case VERDICT_LATE:
        if (o->pipeline.len == PIPELINE_MOST)
            return false;
        pipeline_add(&o->pipeline, pass_named(u->pass));
        return true;
    case VERDICT_FIRED:
    case VERDICT_SATURATION:
    case VERDICT_NEAR:
    case VERDICT_OTHER: break;
    }
    return false;
}

/* ---- once for each obstacle ---- */

typedef struct {
    UnfiredQuestion *q;
    VEC(struct Trial *) all;
} Trials;

typedef struct Trial {
    Verdict verdict;
    const Rule *by; /* that took it, or NULL */
    u32 shut;
    Options options;
    Exploration *x;
    UnfiredQuestion q; /* the same question there, asked when it is needed */
    Trials behind;     /* of what is in the way there */
    bool asked;
} Trial;

static Trial *trial_of(Trials *t, const Unfired *u)
{
    const Rule *by = u->by.step ? u->by.step->rule : NULL;
    for (size_t i = 0; i < t->all.len; i++) {
        Trial *a = t->all.at[i];
        if (a->verdict == u->verdict && a->by == by && a->shut == u->shut)
            return a;
    }
    Trial new = {.verdict = u->verdict, .by = by, .shut = u->shut, .options = *t->q->options};
    if (!*t->q->trials || !verdict_clear_way(t->q, u, &new.options))
        return NULL;
    --*t->q->trials;
    Exploration *x = t->q->x;
    Trial *a = xmalloc(sizeof *a);
    DiagTry trial;
    *a = new;
    diag_try_begin(&trial, &x->st->diags);
    a->x = explore(x->st, t->q->rules, &a->options, x->nroots, x->start);
    diag_try_end(&trial);
    vec_push(&t->all, a);
    return a;
}

static bool fires_at(const Trial *t, const Rule *k, const Thing *thing)
{
    bool fires = false;
    for (const Occurrence *o = thing->first; o && !fires; o = o->next) {
        Text number = {0};
        const Graph *within = NULL;
        fires = step_of_rule(&t->x->log, k->name, o->node, &number, &within) != NULL;
        text_free(&number);
    }
    return fires;
}

static bool was_node(const Thing *thing, const Node *n)
{
    const Occurrence *o = thing->first;
    while (o && o->node != n)
        o = o->next;
    return o != NULL;
}

static bool is_same_place(const Thing *a, const Thing *b)
{
    bool same = false;
    for (const Occurrence *o = a->first; o && !same; o = o->next)
        same = was_node(b, o->node);
    return same;
}

const Unfired *unfired_said_of(const UnfiredQuestion *q, const Thing *thing)
{
    for (size_t i = 0; i < q->found.len; i++)
        if (is_same_place(thing, q->found.at[i].at.thing))
            return &q->found.at[i]; /* the best verdicts come first */
    return NULL;
}

static void put_to_test(Trials *t, Unfired *u);

static bool something_is_next(Trials *t, Trial *a, const Thing *thing)
{
    bool next = false;
    if (!a->asked) {
        a->behind.q = &a->q;
        a->q = (UnfiredQuestion){.x = a->x,
                                 .rules = t->q->rules,
                                 .options = &a->options,
                                 .k = t->q->k,
                                 .behind = t->q->behind + 1,
                                 .trials = t->q->trials};
        unfired_find(&a->q);
        a->asked = true;
    }
    for (size_t i = 0; i < a->q.found.len && !next; i++) {
        Unfired *u = &a->q.found.at[i];
        if (!is_same_place(thing, u->at.thing))
            continue;
        put_to_test(&a->behind, u);
        next = u->verdict == VERDICT_FIRED || (u->tested && verdict_names_obstacle(u));
    }
    return next;
}

/* It fitted, but that alone was not what kept the rule from firing. */
static void withdraw(UnfiredQuestion *q, Unfired *u)
{
    Text why = {0};
    if (u->by.step)
        text_printf(&why,
                    "it matches until step %s, %s; without that rule, it still does not fire here",
                    u->by.number, step_rule(u->by.step));
    else
        text_printf(&why, "it matches; without that obstacle (%s), it still does not fire here",
                    verdict_word(u->verdict));
    u->why = arena_strndup(&q->arena, text_str(&why), why.len);
    text_free(&why);
    u->verdict = VERDICT_OTHER;
    u->of = 0;
}

static void trials_end(Trials *t)
{
    for (size_t i = 0; i < t->all.len; i++) {
        Trial *a = t->all.at[i];
        trials_end(&a->behind);
        if (a->asked)
            unfired_free(&a->q);
        exploration_free(a->x);
        free(a);
    }
    vec_free(&t->all);
}

static void put_to_test(Trials *t, Unfired *u)
{
    const UnfiredQuestion *q = t->q;
    if (u->tested || q->behind >= MOST_BEHIND)
        return;
    u->tested = true;
    Trial *a = verdict_names_obstacle(u) ? trial_of(t, u) : NULL;
    if (a && !fires_at(a, q->k, u->at.thing) && !something_is_next(t, a, u->at.thing))
        withdraw(t->q, u);
}

void verdicts_try(UnfiredQuestion *q)
{
    u32 trials = trials_worth(q->x);
    Trials t = {.q = q};
    if (!q->trials)
        q->trials = &trials;
    struct Provenance *current = q->x->st->provenance;
    for (size_t i = 0; i < q->found.len; i++)
        put_to_test(&t, &q->found.at[i]);
    trials_end(&t);
    if (q->trials == &trials)
        q->trials = NULL;
    provenance_enter(q->x->st, current);
}
