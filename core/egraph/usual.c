/* The usual passes, run aside or in place: see usual.h. */
#include "egraph/usual.h"

void usual_apply(Engine *e)
{
    for (const Pass *p = pass_table; p->name; p++)
        if (!p->aside && saturation_takes(p->name) && e->stop == STOP_SATURATED)
            p->run(e, p->phases);
}

bool usual_is_cheaper(Engine *e, const CostModel *m, Node *const *roots, double cost)
{
    size_t n = (size_t)e->nroots, nrules = e->rs->all.len;
    Node **now = xmalloc((n + 1) * sizeof *now);
    u64 *fired = xmalloc((nrules + 1) * sizeof *fired);
    Diags scratch = {0}, *saved = e->st->diags;
    Engine aside;
    memcpy(now, roots, n * sizeof *now);
    for (size_t i = 0; i < nrules; i++)
        fired[i] = e->rs->all.at[i]->fired;
    engine_open(&aside, e->st, e->rs, e->pass, e->nroots, now);
    e->st->diags = &scratch;
    usual_apply(&aside);
    e->st->diags = saved;
    bool cheaper = !aside.failed && roots_cost(e->st, m, e->nroots, now) < cost * (1 - 1e-9);
    engine_close(&aside);
    for (size_t i = 0; i < nrules; i++)
        e->rs->all.at[i]->fired = fired[i];
    diags_free(&scratch);
    free(fired);
    free(now);
    return cheaper;
}
