/* What forms cost once they run: see would_run.h. */
#include "session/would_run.h"

#include <math.h>

#include "exec/cost.h"
#include "exec/plan.h"

enum {
    SMALL_GRAPH = 40, /* nodes: larger ones take longer to saturate than anyone waits for a hint */
    HINT_NODES = 300, /* of the e-graph */
    HINT_ITERATIONS = 6
};
static const double MUCH_LESS = 0.7; /* of the time: what is less than that is worth a line */

static double atom_number(void *ctx, const SizeAtom *a)
{
    const Saturating *how = ctx;
    for (u32 i = 0; a && a->kind == ATOM_NAME && i < how->nsizes; i++)
        if (how->sizes[i].name == a->name)
            return how->sizes[i].value;
    return how->assumed;
}

static double program_nanoseconds(Session *s, const Saturating *how, int n, Node *const *roots)
{
    Saturating sizes = *how;
    ProgramCost cost;
    Program *p = plan_build_with(&s->st, n, roots, s->plan_flags);
    if (!p)
        return NAN;
    program_cost(p, atom_number, &sizes, &cost);
    double x = cost.seconds * 1e9;
    program_cost_free(&cost);
    program_free(p);
    return x;
}

double would_run(Session *s, const Saturating *how, int n, Node *const *roots)
{
    Options o = s->options;
    DiagTry trial;
    o.unrecorded = true;
    diag_try_begin(&trial, &s->st.diags);
    Exploration *x = explore(&s->st, s->rules, &o, n, roots);
    bool ok = !x->failed && !store_stops(&s->st);
    double cost = ok ? program_nanoseconds(s, how, x->nroots, x->roots) : NAN;
    exploration_free(x);
    diag_try_end(&trial);
    return cost;
}

/* The roots saturated within narrow limits; NULL: nothing better was found. */
static Exploration *saturated_soon(Session *s, Saturating *how, int n, Node *const *roots)
{
    Options o = s->options;
    Growth growth = {.stop = SATURATE_DONE};
    how->nodes = HINT_NODES;
    how->iterations = HINT_ITERATIONS;
    how->report = &growth;
    pipeline_clear(&o.pipeline);
    pipeline_add(&o.pipeline, pass_named("inline"));
    pipeline_add(&o.pipeline, pass_named("differentiate"));
    pipeline_add(&o.pipeline, pass_named("saturate"));
    o.saturating = *how;
    o.unrecorded = true;
    Exploration *x = explore(&s->st, s->rules, &o, n, roots);
    bool better = !x->failed && growth.after < growth.before * COST_CHEAPER;
    growth_free(&growth);
    if (better)
        return x;
    exploration_free(x);
    return NULL;
}

bool saturating_pays(Session *s, int n, Node *const *roots, double *now, double *then)
{
    Saturating how = s->options.saturating;
    DiagTry trial;
    bool pays = false;
    if (nodes_count(n, roots) > SMALL_GRAPH || pipeline_find(&s->options.pipeline, "saturate"))
        return false;
    diag_try_begin(&trial, &s->st.diags);
    Exploration *x = saturated_soon(s, &how, n, roots);
    if (x) {
        *now = would_run(s, &how, n, roots);
        *then = would_run(s, &how, x->nroots, x->roots);
        pays = *then < *now * MUCH_LESS;
        exploration_free(x);
    }
    diag_try_end(&trial);
    return pays;
}
