/* Values and their adjoints; see derivative_pairs.h. */
#include "analysis/derivative_pairs.h"

#include "rewrite/history.h"
#include "rewrite/things.h"

/* Those of one step, as they are after it; NULL: of a trace that is kept for it. */
static void take_pairs(const Step *s, NodeVec *values, NodeVec *bars)
{
    for (u32 i = 0; i < s->nrecords; i++) {
        const DerivativeRecord *r = &s->records[i];
        if (r->kind == RECORD_LOOP)
            continue;
        vec_push(values, r->of);
        vec_push(bars, r->kind == RECORD_COTANGENT ? r->is : NULL);
    }
}

bool derivative_pairs(Exploration *x, u32 state, NodeVec *primal, NodeVec *adjoint)
{
    Node **roots = xcalloc((size_t)x->nroots + 1, sizeof *roots);
    bool ok = true;
    for (u32 k = 0; k < state && ok; k++) {
        NodeVec values = {0}, bars = {0};
        take_pairs(&x->log.at.at[k], &values, &bars);
        if (!values.len)
            continue;
        ok = exploration_replay(x, k + 1, roots);
        things_of_state(x, k + 1);
        ok = ok && exploration_follow(x, k + 1, state, roots, &values) &&
             exploration_follow(x, k + 1, state, roots, &bars);
        for (size_t i = 0; i < values.len && ok; i++)
            if (values.at[i]) {
                vec_push(primal, values.at[i]);
                vec_push(adjoint, bars.at[i] == values.at[i] ? NULL : bars.at[i]);
            }
        vec_free(&values);
        vec_free(&bars);
    }
    free(roots);
    return ok;
}
