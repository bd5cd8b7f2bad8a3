/* What the parts of a scan are to its author: see control.h. */
#include "graph/control.h"

static void *copied(Store *st, const void *from, size_t bytes)
{
    void *to = arena_alloc(&st->arena, bytes + 1);
    if (bytes)
        memcpy(to, from, bytes);
    return to;
}

/* Is state i, which has no equation of its own, what the state before it was a step ago? */
static bool *find_earlier(Store *st, const ScanShape *s, const int *traces)
{
    bool *earlier = arena_alloc(&st->arena, (size_t)s->nstates + 1);
    for (int i = 0; i < s->nstates; i++)
        earlier[i] = i && traces[i] < 0 && s->body->outs[i] == s->body->param_nodes[i - 1];
    return earlier;
}

/* Each trace belongs to one state at most, each state to one trace. */
static int *find_traces(Store *st, const ScanShape *s)
{
    int *traces = arena_alloc(&st->arena, ((size_t)s->nstates + 1) * sizeof *traces);
    bool *taken = xcalloc((size_t)s->nouts + 1, 1);
    for (int i = 0; i < s->nstates; i++) {
        traces[i] = -1;
        for (int o = 0; o < s->nouts && traces[i] < 0; o++)
            if (!taken[o] && s->body->outs[s->nstates + o] == s->body->outs[i]) {
                traces[i] = o;
                taken[o] = true;
            }
    }
    free(taken);
    return traces;
}

static Symbol *out_names(Store *st, const ScanShape *s)
{
    Symbol *names = arena_alloc(&st->arena, ((size_t)s->nouts + 1) * sizeof *names);
    for (int o = 0; o < s->nouts; o++)
        names[o] = node_name_in(st, s->body, s->body->outs[s->nstates + o]);
    return names;
}

static ScanRoles keep(Store *st, const Node *scan, const ScanShape *s, ScanRoles r)
{
    r.earlier = find_earlier(st, s, r.traces);
    map_put(&st->roles, scan, copied(st, &r, sizeof r));
    return r;
}

ScanRoles scan_roles(Store *st, const Node *scan)
{
    const ScanRoles *noted = map_get(&st->roles, scan);
    if (noted)
        return *noted;
    ScanShape s = scan_shape(scan);
    ScanRoles r = {.names = map_get(&st->param_names, s.body),
                   .traces = find_traces(st, &s),
                   .outs = out_names(st, &s)};
    if (!r.names) {
        size_t bytes = ((size_t)s.body->nparams + 1) * sizeof *r.names;
        r.names = memset(arena_alloc(&st->arena, bytes), 0, bytes);
    }
    return keep(st, scan, &s, r);
}

void scan_note_roles(Store *st, const Node *scan, const ScanRoles *roles)
{
    ScanShape s = scan_shape(scan);
    ScanRoles r = {.names =
                       copied(st, roles->names, (size_t)s.body->nparams * sizeof *roles->names),
                   .traces = copied(st, roles->traces, (size_t)s.nstates * sizeof *roles->traces),
                   .outs = copied(st, roles->outs, (size_t)s.nouts * sizeof *roles->outs)};
    if (!map_has(&st->roles, scan))
        keep(st, scan, &s, r);
}
