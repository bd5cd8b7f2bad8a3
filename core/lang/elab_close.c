/* A scan whose body is elaborated -> the Scan node and its record.
 *
 * Invariant: what a result of the node is (the state or the equation it belongs to) is known by its
 * place among the slots, never by its node. */
#include "lang/elab_scan.h"
#include "graph/provenance.h"
#include "graph/control.h"
#include "graph/walk.h"

typedef struct {
    NodeVec fixed, inits, seq_holes, seq_values, outs;
} Parts;

static void parts_free(Parts *p)
{
    vec_free(&p->fixed);
    vec_free(&p->inits);
    vec_free(&p->seq_holes);
    vec_free(&p->seq_values);
    vec_free(&p->outs);
}

/* Register k starts with row K-1-k of an init of K rows (backwards: row k). */
static void gather_states(ScanBody *b, Parts *p)
{
    Store *st = b->e->st;
    for (size_t i = 0; i < b->slots.len; i++) {
        Slot *s = &b->slots.at[i];
        for (int k = 0; s->state && k < s->reach; k++) {
            vec_push(&p->fixed, s->holes[k]);
            Node *row = node_i64(st, b->reverse ? k : s->reach - 1 - k);
            vec_push(&p->inits, s->reach > 1 ? build_index(st, s->source, 0, row) : s->source);
            vec_push(&p->outs, k ? s->holes[k - 1] : s->now);
        }
    }
    if (b->unbounded) { /* nothing to run over: the index counts itself */
        vec_push(&p->fixed, b->t_hole);
        vec_push(&p->inits, node_i64(st, 0));
        vec_push(&p->outs, build_add(st, b->t_hole, node_i64(st, 1)));
    }
}

/* The rows that tap `offset` of a sequence sees: source[t0 + offset :][: n]. A loop reads the first
 * n rows of what it is given and checks that they are there, so only a later start needs a slice.
 */
static Node *sequence_rows(ScanBody *b, Slot *s, i64 offset)
{
    Store *st = b->e->st;
    Size *start = size_add(st, size_of_node(st, b->t0), size_const(st, offset));
    if (b->unbounded || size_is(start, 0))
        return s->source;
    return build_slice(st, s->source, 0, size_to_node(st, start), b->n, 1);
}

static void gather_sequences(ScanBody *b, Parts *p)
{
    Store *st = b->e->st;
    for (size_t i = 0; i < b->slots.len; i++) {
        Slot *s = &b->slots.at[i];
        for (size_t k = 0; s->sequence && k < s->offsets.len; k++) {
            vec_push(&p->seq_holes, s->holes[k]);
            vec_push(&p->seq_values, sequence_rows(b, s, s->offsets.at[k]));
        }
    }
    if (!b->unbounded) {
        Node *t = node1(st, OP_IOTA, NULL, b->n);
        i64 t0;
        if (node_const_i64(b->t0, &t0) && t0)
            t = build_add(st, t, b->t0);
        vec_push(&p->seq_holes, b->t_hole);
        vec_push(&p->seq_values, t);
    }
}

/* Which state of the scan node the latest value of this slot is. */
static int first_register(const ScanBody *b, int slot)
{
    int at = 0;
    for (int k = 0; k < slot; k++)
        at += b->slots.at[k].state ? b->slots.at[k].reach : 0;
    return at;
}

static Value *scan_record(ScanBody *b, Node *scan)
{
    Elab *e = b->e;
    bool loop = scan->op == OP_LOOP;
    int nstates = loop ? loop_shape(scan).nstates : scan_shape(scan).nstates;
    Record *r = arena_alloc(e->arena, sizeof *r);
    r->scan = scan;
    r->nequations = (int)b->equated.len;
    r->equations = arena_alloc(e->arena, (b->equated.len + 1) * sizeof *r->equations);
    r->steps = nstates + b->ntraces;
    for (int i = 0; i < r->nequations; i++) {
        const Equated *q = &b->equated.at[i];
        const Slot *slot = &b->slots.at[q->slot];
        int *at = arena_alloc(e->arena, 2 * (size_t)(q->n + 1) * sizeof *at);
        bool state = b->slots.at[b->equations.at[q->first]].state;
        for (int k = 0; k < q->n; k++) {
            at[k] = nstates + b->traces[q->first + k];
            at[q->n + k] = state ? first_register(b, b->equations.at[q->first + k]) : -1;
        }
        r->equations[i] = (Equation){.name = slot->name,
                                     .form = slot->form,
                                     .n = q->n,
                                     .traces = b->traces[q->first] < 0 ? NULL : at,
                                     .finals = state ? at + q->n : NULL};
    }
    Value *v = value_of_kind(e, V_RECORD);
    v->record = r;
    return v;
}

/* What each part is called and which trace belongs to which state: two parts may be one node. */
static void note_roles(ScanBody *b, const Parts *p, const Closed *c, Node *scan)
{
    Store *st = b->e->st;
    ScanShape s = scan_shape(scan);
    Symbol *names = xcalloc((size_t)s.body->nparams + 1, sizeof *names);
    Symbol *outs = xcalloc((size_t)s.nouts + 1, sizeof *outs);
    int *traces = xcalloc((size_t)s.nstates + 1, sizeof *traces);
    for (int i = 0; i < s.nstates; i++)
        names[i] = node_name(st, p->fixed.at[i]);
    for (int i = 0; i < s.nseqs; i++)
        names[s.nstates + i] = node_name(st, p->seq_holes.at[c->seqs[i]]);
    for (int i = 0; i < s.ncaptures; i++)
        names[s.nstates + s.nseqs + i] = node_name(st, s.captures[i]);
    for (int i = 0; i < s.nstates; i++)
        traces[i] = -1;
    for (int k = 0; k < (int)b->equations.len; k++) {
        const Slot *slot = &b->slots.at[b->equations.at[k]];
        if (b->traces[k] >= 0)
            outs[b->traces[k]] = name_at(st, slot->name, b->index, slot->shift);
        if (slot->state)
            traces[first_register(b, b->equations.at[k])] = b->traces[k];
    }
    scan_note_roles(st, scan, &(ScanRoles){.names = names, .traces = traces, .outs = outs});
    free(names);
    free(outs);
    free(traces);
}

/* The equation that bears this name, or -1. */
static int equated_as(const ScanBody *b, const char *name)
{
    for (size_t i = 0; i < b->equated.len; i++)
        if (!strcmp(b->slots.at[b->equated.at[i].slot].name, name))
            return (int)i;
    return -1;
}

static bool keep_named(ScanBody *b)
{
    for (int i = 0; i < b->x->nkeep; i++) {
        const Bind *name = &b->x->keep[i];
        int k = equated_as(b, name->name);
        const Equated *q = k < 0 ? NULL : &b->equated.at[k];
        if (!q || b->traces[q->first] >= 0)
            return elab_error(b->e, name->span, "scan", NULL,
                              q ? "%s is kept twice" : "this scan has no equation %s", name->name),
                   false;
        for (int part = 0; part < q->n; part++)
            b->traces[q->first + part] = b->ntraces++;
    }
    return true;
}

/* Which equation leaves which trace: each its own, or what `keep` says. */
static bool find_traces(ScanBody *b)
{
    size_t n = b->equations.len;
    b->traces = arena_alloc(b->e->arena, (n + 1) * sizeof *b->traces);
    for (size_t i = 0; i < n; i++)
        b->traces[i] = b->x->has_keep ? -1 : b->ntraces++;
    if (b->x->has_keep && !keep_named(b))
        return false;
    for (size_t i = 0; i < n; i++) {
        const Slot *s = &b->slots.at[b->equations.at[i]];
        if (b->traces[i] < 0 && !s->state)
            return elab_error(b->e, s->defined_at, "scan", "add it to `keep`",
                              "%s is neither a state nor kept", s->name),
                   false;
    }
    return true;
}

static void gather_traces(const ScanBody *b, Parts *p)
{
    for (int trace = 0; trace < b->ntraces; trace++)
        for (size_t i = 0; i < b->equations.len; i++)
            if (b->traces[i] == trace)
                vec_push(&p->outs, b->slots.at[b->equations.at[i]].now);
    if (b->stop)
        vec_push(&p->outs, b->stop);
}

/* A text does not say which state counts: it says how they start and go on. */
static Node *make_loop(ScanBody *b, const Parts *p, const Closed *c)
{
    LoopShape s = {.body = c->graph,
                   .nstates = (int)p->fixed.len,
                   .ncaptures = c->ncaptures,
                   .down = b->x->down,
                   .grows = b->x->grows,
                   .counter = (int)p->fixed.len - 1,
                   .rows = b->n,
                   .go = b->go,
                   .inits = p->inits.at,
                   .captures = c->captures};
    s.steps = c->graph->nouts - 1;
    while (s.counter >= 0 && !loop_counts(b->e->st, &s, s.counter))
        s.counter--;
    return loop_node(b->e->st, &s);
}

static Node *make_scan(ScanBody *b, const Parts *p, const Closed *c)
{
    Node **seqs = arena_alloc(b->e->arena, ((size_t)c->nseqs + 1) * sizeof *seqs);
    for (int i = 0; i < c->nseqs; i++)
        seqs[i] = p->seq_values.at[c->seqs[i]];
    ScanShape s = {.body = c->graph,
                   .nstates = (int)p->fixed.len,
                   .nseqs = c->nseqs,
                   .ncaptures = c->ncaptures,
                   .reverse = b->reverse,
                   .stop = b->stop != NULL,
                   .checkpoint = b->checkpoint,
                   .n = b->n,
                   .inits = p->inits.at,
                   .seqs = seqs,
                   .captures = c->captures};
    Node *scan = scan_node(b->e->st, &s);
    if (!scan)
        return NULL;
    note_roles(b, p, c, scan);
    if (!b->e->unplaced)
        node_set_span(b->e->st, scan, b->span);
    return scan;
}

Value *close_scan(ScanBody *b)
{
    Elab *e = b->e;
    Parts p = {0};
    Closed c;
    Node *node = NULL;
    if (!find_traces(b))
        return NULL;
    gather_states(b, &p);
    if (!b->x->loop)
        gather_sequences(b, &p);
    gather_traces(b, &p);
    e->st->span = b->span;
    if (nodes_are_there(&p.inits) && nodes_are_there(&p.seq_values) && nodes_are_there(&p.outs) &&
        elab_close(e, &b->open, (int)p.fixed.len, p.fixed.at, (int)p.seq_holes.len, p.seq_holes.at,
                   (int)p.outs.len, p.outs.at, &c))
        node = b->x->loop ? make_loop(b, &p, &c) : make_scan(b, &p, &c);
    parts_free(&p);
    return node ? scan_record(b, node) : NULL;
}
