/* Why a rule that fits at a place did not fire there.  See unfired.h.
 *
 * What decides is time: a rule fits in some states, and is tried in those that certain passes went
 * through. */
#include "analysis/unfired.h"

#include "rewrite/history.h"

const char *verdict_word(Verdict v)
{
    static const char *const words[] = {
        [VERDICT_FIRED] = "fired",
        [VERDICT_TAKEN] = "taken",
        [VERDICT_RULE_OFF] = "off",
        [VERDICT_PASS_OFF] = "pass off",
        [VERDICT_NO_PASS] = "pass not in the order",
        [VERDICT_SATURATION] = "only in saturation",
        [VERDICT_CLASS] = "class not allowed",
        [VERDICT_LATE] = "made too late",
        [VERDICT_NEAR] = "near miss",
        [VERDICT_OTHER] = "other",
    };
    return words[v];
}

/* The runs of passes that try the rule, as they lie to the time in which it fits. */
typedef struct {
    const PassRun *during; /* one that ran rather than one that is switched off; NULL: none */
    const PassRun *after;  /* the first one behind that time */
    const PassRun *before; /* the last one before it */
    const PassRun *taking; /* the one in which that time ended */
} Runs;

static bool is_tried_in(const UnfiredQuestion *q, const PassRun *run)
{
    const Pass *p = pass_named(run->name);
    return p && (run->steps ? pass_tries(p, q->k->pass) : pass_tries_first(p, q->k->pass));
}

static Runs runs_of(const UnfiredQuestion *q, const Fitting *f)
{
    Runs r = {0};
    for (size_t i = 0; i < q->x->passes.len; i++) {
        const PassRun *run = &q->x->passes.at[i];
        u32 first = run->first_step, last = first + run->steps;
        if (!is_tried_in(q, run))
            continue;
        if (f->to <= first)
            r.after = r.after ? r.after : run;
        else if (f->from > last)
            r.before = run;
        else if (!r.during || r.during->stop == STOP_OFF)
            r.during = run;
        if (f->to > first && f->to <= last)
            r.taking = run;
    }
    return r;
}

static bool is_by_hand(const Exploration *x)
{
    return x->passes.len && x->passes.at[x->passes.len - 1].stop == STOP_BY_HAND;
}

static bool has_limit(StopReason stop)
{
    return stop == STOP_STEPS || stop == STOP_ROUNDS || stop == STOP_NODES || stop == STOP_TRIES ||
           stop == STOP_INTERRUPTED || stop == STOP_MEMORY;
}

/* What the engine says where it is tried alone, in the last state in which it fits. */
static const char *refusal_alone(UnfiredQuestion *q, const Fitting *f, const PassRun *run)
{
    Exploration tried;
    Refusals refusals = {0};
    Node **roots = xcalloc((size_t)q->x->nroots + 1, sizeof *roots);
    u32 last = run->first_step + run->steps, state = f->to > last ? last : f->from;
    const char *why = "its pass does not change this graph";
    Text number = {0};
    const Graph *within = NULL;
    if (!exploration_replay(q->x, state, roots)) {
        free(roots);
        return why;
    }
    explore_rule(&tried, q->x->st, q->rules, q->options, q->k, q->x->nroots, roots,
                 q->options->step_limit, &refusals);
    if (step_of_rule(&tried.log, q->k->name, f->at.node, &number, &within))
        why = "its pass did not revisit the node after the step that made it match";
    for (size_t i = 0; i < refusals.all.len; i++)
        if (refusals.all.at[i].site == f->at.node)
            why = arena_strndup(&q->arena, refusals.all.at[i].why, strlen(refusals.all.at[i].why));
    exploration_clear(&tried);
    refusals_free(&refusals);
    text_free(&number);
    free(roots);
    return why;
}

static Verdict without_pass(const UnfiredQuestion *q, Unfired *out)
{
    if (is_by_hand(q->x) || !q->x->passes.len) {
        out->why = q->x->passes.len ? "this rewrite was not applied in the interactive derivation"
                                    : "tried alone, it changes nothing";
        return VERDICT_OTHER;
    }
    return rule_is_for_equality(q->k) ? VERDICT_SATURATION : VERDICT_NO_PASS;
}

/* Every pass that tries it came before it fitted, or after. */
static Verdict out_of_time(const Fitting *f, const Runs *r, Unfired *out)
{
    out->by = r->after ? f->taker : f->maker;
    out->pass = r->after ? r->after->name : r->before->name;
    return r->after ? VERDICT_TAKEN : VERDICT_LATE;
}

static Verdict untaken(UnfiredQuestion *q, const Fitting *f, const Runs *r, Unfired *out)
{
    if (has_limit(r->during->stop)) {
        Text why = {0};
        text_printf(&why, "the pass %s ended before: %s", r->during->name,
                    stop_name(r->during->stop));
        out->why = arena_strndup(&q->arena, text_str(&why), why.len);
        text_free(&why);
    } else {
        out->why = refusal_alone(q, f, r->during);
    }
    return VERDICT_OTHER;
}

static Verdict verdict_of(UnfiredQuestion *q, const Fitting *f, Unfired *out)
{
    Runs r = runs_of(q, f);
    if (!r.during && !r.after && !r.before)
        return without_pass(q, out);
    if (!r.during)
        return out_of_time(f, &r, out);
    out->pass = r.during->name;
    out->shut = (q->k->classes | f->extra) & ~q->options->allowed;
    if (rule_is_off(q->options, q->k))
        return VERDICT_RULE_OFF;
    if (r.during->stop == STOP_OFF)
        return VERDICT_PASS_OFF;
    if (out->shut)
        return VERDICT_CLASS;
    if (!r.taking || !f->taker.step)
        return untaken(q, f, &r, out);
    out->by = f->taker;
    out->pass = r.taking->name;
    return VERDICT_TAKEN;
}

void verdict_find(UnfiredQuestion *q, const Fitting *f, Unfired *out)
{
    *out = (Unfired){.at = f->at, .by = {.number = ""}, .why = ""};
    out->verdict = verdict_of(q, f, out);
}
