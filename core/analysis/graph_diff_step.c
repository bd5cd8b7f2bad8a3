/* What two graphs differ in as a step; see graph_diff.h. */
#include "analysis/graph_diff.h"

#include "graph/provenance.h"

static const Rule compared = {.name = "diff", .pass = "diff", .classes = HAZARD_E, .reason = ""};

/* Do these changes make of the first graph the second? */
static bool changes_fit(Exploration *x, const Change *changes, int n)
{
    NodeMap memo = {0};
    bool fit = true;
    for (int i = 0; i < n; i++)
        map_put(&memo, changes[i].before, changes[i].after);
    for (int i = 0; i < x->nroots && fit; i++)
        fit = node_substitute(x->st, x->start[i], &memo) == x->roots[i];
    map_free(&memo);
    return fit;
}

/* The places where they stand in the outermost graph, else the results. */
static void find_changes(const GraphDiff *d, Exploration *x, Step *step)
{
    StepLog *log = &x->log;
    Change *at = arena_alloc(&log->arena, (d->places.len + (size_t)x->nroots + 1) * sizeof *at);
    int n = 0;
    for (size_t i = 0; i < d->places.len; i++) {
        const DiffPath *p = d->places.at[i];
        bool both = p->side[0] && p->side[1] && p->side[0]->type == p->side[1]->type;
        if (both && !p->side[0]->open && p->part != PART_INPUT)
            at[n++] = (Change){p->side[0], p->side[1]};
    }
    if (!n || !changes_fit(x, at, n)) {
        n = 0;
        for (int i = 0; i < x->nroots; i++)
            if (x->start[i] != x->roots[i])
                at[n++] = (Change){x->start[i], x->roots[i]};
    }
    step->changes = at;
    step->nchanges = n;
}

void diff_add_step(GraphDiff *d, Exploration *x)
{
    diff_name_bodies(d);
    memcpy(x->roots, d->told, (size_t)x->nroots * sizeof *x->roots);
    Step step = {
        .seq = 1, .time = provenance_tick(x->st), .pass = compared.pass, .rule = &compared};
    find_changes(d, x, &step);
    if (step.nchanges)
        vec_push(&x->log.at, step);
    u32 steps = (u32)x->log.at.len;
    vec_push(&x->passes, ((PassRun){.name = compared.pass,
                                    .steps = steps,
                                    .nodes_before = nodes_count(x->nroots, x->start),
                                    .nodes_after = nodes_count(x->nroots, x->roots)}));
    for (int i = 0; i < step.nchanges; i++)
        node_map_put(&x->log.last, step.changes[i].before, 1);
}
