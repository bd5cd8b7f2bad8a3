/* What the parts of a scan are to its author: see control.h. */
#include "graph/control.h"
#include "graph/names.h"
#include "graph/provenance.h"

/* Is state i, which has no equation of its own, what the state before it was a step ago? */
static bool is_earlier(const ScanShape *s, const int *traces, int i)
{
    return i && traces[i] < 0 && s->body->outs[i] == s->body->param_nodes[i - 1];
}

/* Each trace belongs to one state at most, each state to one trace. */
static void find_traces(const ScanShape *s, int *traces)
{
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
}

/* One block for all of it, so that it goes with one free (graph/collect.c). */
typedef struct {
    Symbol *names, *outs;
    int *traces;
    bool *earlier;
} Parts;

static ScanRoles *roles_new(const ScanShape *s, Parts *p)
{
    size_t n = (size_t)s->body->nparams, o = (size_t)s->nouts, k = (size_t)s->nstates;
    ScanRoles *r = xcalloc(1, sizeof *r + (n + o) * sizeof(Symbol) + k * (sizeof(int) + 1) + 1);
    p->names = (Symbol *)(r + 1);
    p->outs = p->names + n;
    p->traces = (int *)(p->outs + o);
    p->earlier = (bool *)(p->traces + k);
    *r =
        (ScanRoles){.names = p->names, .traces = p->traces, .outs = p->outs, .earlier = p->earlier};
    return r;
}

/* What has no name is called after what feeds it. */
static void name_rest(Store *st, const ScanShape *s, Symbol *names)
{
    int seq = s->nstates, capture = seq + s->nseqs, n = s->body->nparams;
    for (int i = seq; i < n; i++)
        if (!names[i] && i < capture)
            names[i] = name_of_row(st, node_told(st, s->seqs[i - seq]), names, n);
        else if (!names[i])
            names[i] = node_told(st, s->captures[i - capture]);
    names_distinct(st, n, names);
}

static ScanRoles keep(Store *st, const Node *scan, const ScanShape *s, ScanRoles *r, const Parts *p)
{
    name_rest(st, s, p->names);
    for (int i = 0; i < s->nstates; i++)
        p->earlier[i] = is_earlier(s, p->traces, i);
    node_set_roles(st, scan, r);
    return *r;
}

ScanRoles scan_roles(Store *st, const Node *scan)
{
    const ScanRoles *noted = node_roles(st, scan);
    if (noted)
        return *noted;
    ScanShape s = scan_shape(scan);
    Parts p;
    ScanRoles *r = roles_new(&s, &p);
    const Symbol *names = graph_names(st, s.body);
    for (int i = 0; names && i < s.body->nparams; i++)
        p.names[i] = names[i];
    for (int o = 0; o < s.nouts; o++)
        p.outs[o] = node_name_in(st, s.body, s.body->outs[s.nstates + o]);
    find_traces(&s, p.traces);
    return keep(st, scan, &s, r, &p);
}

void scan_note_parts(Store *st, const Node *scan, Node *const *params, Node *const *traces)
{
    if (node_roles(st, scan))
        return;
    ScanShape s = scan_shape(scan);
    Parts p;
    ScanRoles *r = roles_new(&s, &p);
    for (int i = 0; i < s.body->nparams; i++)
        p.names[i] = node_name(st, params[i]);
    for (int o = 0; o < s.nouts; o++)
        p.outs[o] = node_name(st, traces[o]);
    find_traces(&s, p.traces);
    keep(st, scan, &s, r, &p);
}

void scan_note_roles(Store *st, const Node *scan, const ScanRoles *roles)
{
    if (node_roles(st, scan))
        return;
    ScanShape s = scan_shape(scan);
    Parts p;
    ScanRoles *r = roles_new(&s, &p);
    for (int i = 0; i < s.body->nparams; i++)
        p.names[i] = roles->names[i];
    for (int o = 0; o < s.nouts; o++)
        p.outs[o] = roles->outs[o];
    for (int i = 0; i < s.nstates; i++)
        p.traces[i] = roles->traces[i];
    keep(st, scan, &s, r, &p);
}
