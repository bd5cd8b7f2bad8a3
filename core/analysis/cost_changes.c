/* Which steps of an exploration changed what its graph costs.  See graph_cost.h. */
#include "analysis/graph_cost.h"
#include "rewrite/history.h"

#include <math.h>

enum {
    MOST_WORK = 1000000, /* steps times nodes for which each step is compared */
    BYTES_OF_NUMBER = 8
};

/* Negative: not known. */
static double weight(Costs *c, SizeNumbers *n, int nroots, Node *const *roots)
{
    Cost cost = cost_of_roots(c, nroots, roots);
    return cost.flops && cost.bytes
               ? size_estimate(cost.flops, size_number, n) +
                     size_estimate(cost.bytes, size_number, n) / BYTES_OF_NUMBER
               : -1;
}

/* The next state whose cost is asked for. */
static u32 next_state(const Exploration *x, u32 at, bool each)
{
    u32 next = (u32)x->log.at.len;
    for (size_t i = 0; i < x->passes.len; i++)
        if (x->passes.at[i].first_step > at && x->passes.at[i].first_step < next)
            next = x->passes.at[i].first_step;
    return each ? at + 1 : next;
}

/* Loops that are lowered are counted in another way than scans. */
static u32 first_lowering(const Exploration *x)
{
    for (size_t i = 0; i < x->passes.len; i++)
        if (strcmp(x->passes.at[i].name, "lower") == 0)
            return x->passes.at[i].first_step;
    return (u32)x->log.at.len;
}

static int by_change(const void *a, const void *b)
{
    const CostChange *x = a, *y = b;
    double p = fabs(x->after - x->before), q = fabs(y->after - y->before);
    return p != q ? (p < q ? 1 : -1) : (x->from > y->from) - (x->from < y->from);
}

bool cost_changes(Exploration *x, Costs *c, SizeNumbers *n, CostChanges *out)
{
    double nodes = nodes_count(x->nroots, x->roots) + nodes_count(x->nroots, x->start);
    bool each = (double)x->log.at.len * nodes < MOST_WORK, known = false;
    u32 end = first_lowering(x);
    Node **roots = xmalloc(((size_t)x->nroots + 1) * sizeof *roots);
    CostChange d = {0, 0, weight(c, n, x->nroots, x->start), 0};
    while (d.to < end) {
        d.to = next_state(x, d.from, each);
        if (!exploration_replay(x, d.to, roots))
            break;
        d.after = weight(c, n, x->nroots, roots);
        known = known || (d.before >= 0 && d.after >= 0);
        if (d.before >= 0 && d.after >= 0 && d.before != d.after)
            vec_push(out, d);
        d = (CostChange){d.to, d.to, d.after, 0};
    }
    free(roots);
    if (out->len)
        qsort(out->at, out->len, sizeof *out->at, by_change);
    return known || !end;
}
