/* Saturating and comparing expressions of a session: see equal.h. */
#include "session/equal.h"

enum { MOST_PASSES = 64 };

/* Passes that take part in a run. */
typedef struct {
    size_t n;
    const Pass *at[MOST_PASSES];
} Passes;

/* What saturation needs before it: derivatives and calls are none of its rules. */
static const char *const needed[] = {"inline", "differentiate"};

static Passes needed_passes(void)
{
    Passes p = {0};
    for (size_t i = 0; i < COUNT_OF(needed); i++)
        p.at[p.n++] = pass_named(needed[i]);
    return p;
}

/* The usual ones but those that make operators which its rules do not know. */
static Passes usual_passes(void)
{
    const Pass *all[MOST_PASSES];
    Passes p = {0};
    for (size_t i = 0, n = passes_usual(NULL) < MOST_PASSES ? passes_usual(all) : 0; i < n; i++)
        if (strcmp(all[i]->name, "fuse") != 0 && strcmp(all[i]->name, "lower") != 0)
            p.at[p.n++] = all[i];
    return p;
}

static Passes then_saturate(Passes p)
{
    p.at[p.n++] = pass_named("saturate");
    return p;
}

/* What a session has set, while a run has its own. */
typedef struct {
    VEC(Pass) pipeline;
    Saturating saturating;
    u32 allowed;
} Settings;

static Settings settings_put(RuleSet *rs, const Passes *p, const Saturating *how, u32 allowed)
{
    Settings was = {.saturating = rs->saturating, .allowed = rs->allowed};
    for (size_t i = 0; i < rs->pipeline.len; i++)
        vec_push(&was.pipeline, rs->pipeline.at[i]);
    rs->pipeline.len = 0;
    for (size_t i = 0; i < p->n; i++)
        vec_push(&rs->pipeline, *p->at[i]);
    rs->saturating = *how;
    rs->allowed |= allowed;
    return was;
}

static void settings_restore(RuleSet *rs, Settings *was)
{
    rs->pipeline.len = 0;
    for (size_t i = 0; i < was->pipeline.len; i++)
        vec_push(&rs->pipeline, was->pipeline.at[i]);
    vec_free(&was->pipeline);
    rs->saturating = was->saturating;
    rs->allowed = was->allowed;
}

static Exploration *explore_with(Session *s, Passes p, const Saturating *how, u32 allowed, int n,
                                 Node *const *roots)
{
    Settings was = settings_put(&s->rules, &p, how, allowed);
    Exploration *x = session_explore_apart(s, n, roots);
    settings_restore(&s->rules, &was);
    s->listed = x ? x : s->listed;
    return x && !x->failed ? x : NULL;
}

/* Do the usual passes make something cheaper of the roots than what is in x? */
static bool passes_are_better(Session *s, const Saturating *how, const Exploration *x,
                              Node *const *roots)
{
    CostModel m = cost_model(how);
    double cost = roots_cost(&s->st, &m, x->nroots, x->roots);
    Passes p = usual_passes();
    Settings was = settings_put(&s->rules, &p, how, 0);
    bool unrecorded = s->rules.unrecorded;
    s->rules.unrecorded = true;
    Exploration *y = explore(&s->st, &s->rules, x->nroots, roots);
    s->rules.unrecorded = unrecorded;
    settings_restore(&s->rules, &was);
    bool better = !y->failed && roots_cost(&s->st, &m, y->nroots, y->roots) < cost * (1 - 1e-9);
    exploration_free(y);
    return better;
}

Exploration *session_saturate(Session *s, const Saturating *how, int n, Node *const *roots,
                              Growth *growth)
{
    Saturating mine = *how;
    *growth = (Growth){.stop = SATURATE_DONE};
    mine.report = growth;
    Exploration *x = explore_with(s, then_saturate(needed_passes()), &mine, 0, n, roots);
    if (!x || how->rules || how->equate || saturation_stopped(&s->rules) ||
        !passes_are_better(s, how, x, roots))
        return x;
    double before = growth->before;
    x = explore_with(s, then_saturate(usual_passes()), &mine, 0, n, roots);
    growth->before = before;
    return x;
}

bool session_equal(Session *s, const Saturating *how, Node *const sides[2], SidesCompared *out)
{
    Saturating mine = *how;
    *out = (SidesCompared){.answer = UNKNOWN};
    mine.report = &out->growth;
    mine.equate = true;
    if (!(out->x = explore_with(s, needed_passes(), how, 0, 2, sides)))
        return false;
    session_refute(s, out->x->roots, &out->against);
    if (out->against.differs) {
        out->answer = DIFFERENT;
        return true;
    }
    out->x =
        explore_with(s, then_saturate(needed_passes()), &mine, HAZARD_NMINUS | HAZARD_Z, 2, sides);
    if (out->x && out->x->roots[0] == out->x->roots[1])
        out->answer = EQUAL;
    return out->x != NULL;
}

void equal_free(SidesCompared *e)
{
    counterexample_free(&e->against);
    growth_free(&e->growth);
}
