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
    size_t n = (size_t)e->nroots;
    Node **now = xmalloc((n + 1) * sizeof *now);
    DiagTry trial;
    Engine aside;
    memcpy(now, roots, n * sizeof *now);
    engine_open(&aside, e->st, e->rs, e->options, e->pass, e->nroots, now);
    diag_try_begin(&trial, &e->st->diags);
    usual_apply(&aside);
    diag_try_end(&trial);
    bool cheaper = !aside.failed && roots_cost(e->st, m, e->nroots, now) < cost * COST_CHEAPER;
    engine_close(&aside);
    free(now);
    return cheaper;
}
