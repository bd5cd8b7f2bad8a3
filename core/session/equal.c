/* Saturating and comparing expressions of a session: see equal.h. */
#include "session/equal.h"

enum { MOST_PASSES = 64 };

/* The passes that come before, and saturation itself. */
static const char *const passes[] = {"inline", "differentiate", "saturate"};

static Exploration *explore_with(Session *s, size_t npasses, const Saturating *how, u32 allowed,
                                 int n, Node *const *roots)
{
    RuleSet *rs = &s->rules;
    Pass saved[MOST_PASSES];
    size_t count = rs->pipeline.len < MOST_PASSES ? rs->pipeline.len : MOST_PASSES;
    Saturating was = rs->saturating;
    u32 were_allowed = rs->allowed;
    memcpy(saved, rs->pipeline.at, count * sizeof *saved);
    rs->pipeline.len = 0;
    for (size_t i = 0; i < npasses; i++)
        vec_push(&rs->pipeline, *pass_named(passes[i]));
    rs->saturating = *how;
    rs->allowed |= allowed;
    session_outdate(s);
    Exploration *x = session_explore(s, n, roots);
    session_outdate(s);
    rs->saturating = was;
    rs->allowed = were_allowed;
    rs->pipeline.len = 0;
    for (size_t i = 0; i < count; i++)
        vec_push(&rs->pipeline, saved[i]);
    s->listed = x ? x : s->listed;
    return x && !x->failed ? x : NULL;
}

Exploration *session_saturate(Session *s, const Saturating *how, int n, Node *const *roots,
                              Growth *growth)
{
    Saturating mine = *how;
    *growth = (Growth){.stop = SATURATE_DONE};
    mine.report = growth;
    return explore_with(s, COUNT_OF(passes), &mine, 0, n, roots);
}

bool session_equal(Session *s, const Saturating *how, Node *const sides[2], SidesCompared *out)
{
    Saturating mine = *how;
    *out = (SidesCompared){.answer = UNKNOWN};
    mine.report = &out->growth;
    mine.equate = true;
    if (!(out->x = explore_with(s, COUNT_OF(passes) - 1, how, 0, 2, sides)))
        return false;
    session_refute(s, out->x->roots, &out->against);
    if (out->against.differs) {
        out->answer = DIFFERENT;
        return true;
    }
    out->x = explore_with(s, COUNT_OF(passes), &mine, HAZARD_NMINUS | HAZARD_Z, 2, sides);
    if (out->x && out->x->roots[0] == out->x->roots[1])
        out->answer = EQUAL;
    return out->x != NULL;
}

void equal_free(SidesCompared *e)
{
    counterexample_free(&e->against);
    growth_free(&e->growth);
}
