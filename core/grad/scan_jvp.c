/* The forward derivative of a scan is a scan that runs the same way.
 *
 *   (s', y) = B(s, x, w)     (ds', dy) = JVP_B(s, x, w)[ds, dx, dw]
 *
 * Tangents of states are states beside the states, tangents of sequences are sequences, and so on:
 * one loop computes values and tangents, under `until` as long as the original runs. Which states
 * have a tangent at some step is found by a fixpoint; nothing that is zero throughout is carried.
 */
#include "graph/names.h"
#include "grad/jvp.h"
#include "grad/vjp.h"

typedef struct {
    Jvp *j;
    Node *n;
    ScanShape s;
    bool *active;           /* by parameter of the body: has a tangent at some step */
    Node **holes, **dholes; /* by parameter */
    Node **outs, **douts;   /* by output of the body */
    int nactive;            /* states with a tangent */
} Forward;

static Node *outer_of(const ScanShape *s, int p)
{
    return p < s->nstates              ? s->inits[p]
           : p < s->nstates + s->nseqs ? s->seqs[p - s->nstates]
                                       : s->captures[p - s->nstates - s->nseqs];
}

static bool is_seq(const ScanShape *s, int p)
{
    return p >= s->nstates && p < s->nstates + s->nseqs;
}

static void find_active(Forward *f)
{
    ScanShape *s = &f->s;
    int n = s->body->nparams;
    bool *on = xcalloc((size_t)s->body->nouts * (size_t)n + 1, sizeof *on);
    graph_dependence(s->body, 0, n, on);
    for (int p = 0; p < n; p++)
        f->active[p] = jvp_tangent(f->j, outer_of(s, p)) != NULL;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < s->nstates; i++)
            for (int p = 0; p < n && !f->active[i]; p++)
                if (f->active[p] && on[i * n + p])
                    f->active[i] = changed = true;
    }
    free(on);
}

static bool push_body(Forward *f)
{
    Store *st = f->j->st;
    ScanShape *s = &f->s;
    int n = s->body->nparams;
    const Symbol *names = scan_roles(st, f->n).names;
    for (int p = 0; p < n; p++) {
        Type *t = outer_of(s, p)->type;
        if (is_seq(s, p))
            t = type_tensor(st, t->dtype, t->rank - 1, t->dims + 1);
        f->holes[p] = node_temp(st, t, names[p]);
        f->dholes[p] = f->active[p] ? node_temp(st, t, name_with(st, "dot ", names[p])) : NULL;
    }
    Node **plain = xcalloc((size_t)s->body->nouts + 1, sizeof *plain);
    bool ok = graph_instantiate(st, s->body, f->holes, plain) &&
              jvp_push(st, n, f->holes, f->dholes, s->body->nouts, plain, f->douts, f->outs);
    free(plain);
    return ok;
}

typedef struct {
    NodeVec fixed, inits, seq_holes, seqs, outs, captures;
} Wider;

static void name_tangent(Forward *f, Node *n, Symbol name)
{
    if (n && n->temps)
        node_set_name(f->j->st, n, name);
}

static bool wider_states(Forward *f, Wider *w)
{
    Store *st = f->j->st;
    ScanShape *s = &f->s;
    for (int i = 0; i < s->nstates; i++) {
        vec_push(&w->fixed, f->holes[i]);
        vec_push(&w->inits, s->inits[i]);
        vec_push(&w->outs, f->outs[i]);
    }
    for (int i = 0; i < s->nstates; i++) {
        if (!f->active[i])
            continue;
        Node *d = jvp_tangent(f->j, s->inits[i]);
        vec_push(&w->fixed, f->dholes[i]);
        vec_push(&w->inits, d ? d : build_zeros_like(st, s->inits[i]));
        vec_push(&w->outs, f->douts[i] ? f->douts[i] : build_zeros_like(st, f->holes[i]));
        name_tangent(f, f->douts[i],
                     name_shifted(st, node_name(st, f->dholes[i]), s->reverse ? -1 : 1));
        f->nactive++;
    }
    for (int i = s->nstates; i < s->nstates + s->nouts; i++)
        vec_push(&w->outs, f->outs[i]);
    for (int i = s->nstates; i < s->nstates + s->nouts; i++)
        if (f->douts[i]) {
            vec_push(&w->outs, f->douts[i]);
            name_tangent(f, f->douts[i], name_with(st, "dot ", node_name(st, f->outs[i])));
        }
    if (s->stop)
        vec_push(&w->outs, f->outs[s->body->nouts - 1]);
    for (size_t i = 0; i < w->inits.len; i++)
        if (!w->inits.at[i] || !w->outs.at[i])
            return false;
    return true;
}

static void wider_sequences(Forward *f, Wider *w)
{
    ScanShape *s = &f->s;
    for (int tangents = 0; tangents < 2; tangents++)
        for (int p = s->nstates; p < s->nstates + s->nseqs; p++)
            if (!tangents || f->active[p]) {
                Node *x = outer_of(s, p);
                vec_push(&w->seq_holes, tangents ? f->dholes[p] : f->holes[p]);
                vec_push(&w->seqs, tangents ? jvp_tangent(f->j, x) : x);
            }
}

/* What a captured hole stands for outside. */
static Node *captured(Forward *f, Node *hole)
{
    for (int p = 0; p < f->s.body->nparams; p++) {
        if (hole == f->holes[p])
            return outer_of(&f->s, p);
        if (hole == f->dholes[p])
            return jvp_tangent(f->j, outer_of(&f->s, p));
    }
    return hole;
}

static Node *wider_node(Forward *f, Wider *w)
{
    Closed c;
    CloseRequest rq = {.nfixed = (int)w->fixed.len,
                       .fixed = w->fixed.at,
                       .nseqs = (int)w->seq_holes.len,
                       .seqs = w->seq_holes.at,
                       .nouts = (int)w->outs.len,
                       .outs = w->outs.at};
    if (!graph_close(f->j->st, &rq, &c))
        return NULL;
    NodeVec seqs = {0};
    for (int i = 0; i < c.nseqs; i++)
        vec_push(&seqs, w->seqs.at[c.seqs[i]]);
    for (int i = 0; i < c.ncaptures; i++)
        vec_push(&w->captures, captured(f, c.captures[i]));
    ScanShape wide = f->s;
    wide.body = c.graph;
    wide.nstates = (int)w->fixed.len;
    wide.nseqs = c.nseqs;
    wide.ncaptures = c.ncaptures;
    wide.inits = w->inits.at;
    wide.seqs = seqs.at;
    wide.captures = w->captures.at;
    Node *n = scan_node(f->j->st, &wide);
    if (n)
        scan_note_parts(f->j->st, n, c.params, w->outs.at + w->fixed.len);
    vec_free(&seqs);
    return n;
}

static void deliver(Forward *f, Node *wide)
{
    Store *st = f->j->st;
    ScanShape *s = &f->s, w = scan_shape(wide);
    int d = s->nstates, trace = w.nstates, dtrace = trace + s->nouts;
    for (int i = 0; i < s->nstates; i++)
        jvp_result(f->j, f->n, i, node_proj(st, wide, i),
                   f->active[i] ? node_proj(st, wide, d++) : NULL);
    for (int i = 0; i < s->nouts; i++)
        jvp_result(f->j, f->n, s->nstates + i, node_proj(st, wide, trace++),
                   f->douts[s->nstates + i] ? node_proj(st, wide, dtrace++) : NULL);
    jvp_result(f->j, f->n, s->steps, node_proj(st, wide, w.steps), NULL);
    jvp_result(f->j, f->n, s->steps + 1, node_proj(st, wide, w.steps + 1), NULL);
}

bool jvp_scan(Jvp *j, Node *n)
{
    u32 temps = j->st->temp_count;
    Forward f = {.j = j, .n = n, .s = scan_shape(n)};
    size_t params = (size_t)f.s.body->nparams + 1, outs = (size_t)f.s.body->nouts + 1;
    f.active = xcalloc(params, sizeof *f.active);
    f.holes = xcalloc(params, sizeof(Node *));
    f.dholes = xcalloc(params, sizeof(Node *));
    f.outs = xcalloc(outs, sizeof(Node *));
    f.douts = xcalloc(outs, sizeof(Node *));
    Wider w = {0};
    find_active(&f);
    bool ok = push_body(&f) && wider_states(&f, &w);
    if (ok)
        wider_sequences(&f, &w);
    Node *wide = ok ? wider_node(&f, &w) : NULL;
    if (wide)
        deliver(&f, wide);
    j->st->temp_count = temps;
    NodeVec *vecs[] = {&w.fixed, &w.inits, &w.seq_holes, &w.seqs, &w.outs, &w.captures};
    for (size_t i = 0; i < COUNT_OF(vecs); i++)
        vec_free(vecs[i]);
    free(f.active);
    free(f.holes);
    free(f.dholes);
    free(f.outs);
    free(f.douts);
    return wide != NULL;
}
