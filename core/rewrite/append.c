/* One exploration behind another: copies of its steps, which live on their own.
 *
 * Invariant: a log that several steps share is copied once, so they still share it. */
#include "graph/provenance.h"
#include "rewrite/exploration.h"

typedef struct {
    Store *st;
    LogList *logs;
    MAP(const StepLog *, StepLog *) copies;
} Copying;

static StepLog *copy_inner(Copying *k, const StepLog *from, int nroots);

static void copy_step(Copying *k, StepLog *to, const Step *from)
{
    Step s = *from;
    s.seq = (u32)to->at.len + 1;
    s.time = provenance_tick(k->st);
    s.changes = arena_alloc(&to->arena, (size_t)s.nchanges * sizeof *s.changes);
    memcpy(s.changes, from->changes, (size_t)s.nchanges * sizeof *s.changes);
    if (s.nrecords) {
        s.records = arena_alloc(&to->arena, (size_t)s.nrecords * sizeof *s.records);
        memcpy(s.records, from->records, (size_t)s.nrecords * sizeof *s.records);
    }
    if (s.evidence)
        s.evidence = arena_strndup(&to->arena, s.evidence, strlen(s.evidence));
    if (s.inner)
        s.inner = copy_inner(k, s.inner, s.inner_before ? s.inner_before->nouts : 0);
    vec_push(&to->at, s);
    for (int i = 0; i < s.nchanges; i++)
        node_map_put(&to->last, s.changes[i].before, (u32)to->at.len);
}

static void copy_log(Copying *k, StepLog *to, const StepLog *from, int nroots)
{
    u32 base = (u32)to->at.len;
    size_t bytes = (size_t)nroots * sizeof(Node *);
    for (size_t i = 0; i < from->at.len; i++)
        copy_step(k, to, &from->at.at[i]);
    for (size_t i = 0; i < from->moves.len; i++) {
        Move m = from->moves.at[i];
        m.step += base;
        vec_push(&to->moves, m);
    }
    for (size_t i = 0; i < from->sweeps.len; i++) {
        const SweepStart *old = &from->sweeps.at[i];
        SweepStart s = {old->step + base, arena_alloc(&to->arena, bytes + 1)};
        memcpy(s.roots, old->roots, bytes);
        vec_push(&to->sweeps, s);
    }
}

static StepLog *copy_inner(Copying *k, const StepLog *from, int nroots)
{
    StepLog *to = map_get(&k->copies, from);
    if (to)
        return to;
    to = xcalloc(1, sizeof *to);
    to->within = from->within;
    map_put(&k->copies, from, to);
    vec_push(k->logs, to);
    copy_log(k, to, from, nroots);
    return to;
}

void exploration_append(Exploration *x, const Exploration *more)
{
    Copying k = {.st = x->st, .logs = &x->inner_logs};
    Provenance *was = provenance_enter(x->st, x->provenance);
    provenance_refer(x->st, more->provenance);
    copy_log(&k, &x->log, &more->log, x->nroots);
    memcpy(x->roots, more->roots, (size_t)x->nroots * sizeof *x->roots);
    map_free(&k.copies);
    provenance_enter(x->st, was);
}
