/* The forward derivative of a scan is a scan that runs the same way.
 *
 *   (s', y) = B(s, x, w)     (ds', dy) = JVP_B(s, x, w)[ds, dx, dw]
 *
 * Tangents of states are states beside the states, tangents of sequences are sequences, and so on:
 * one loop computes values and tangents, under `until` as long as the original runs. Which states
 * have a tangent at some step, grad/dependence.c tells; nothing that is zero throughout is carried.
 */
#include "graph/names.h"
#include "graph/temps.h"
#include "grad/jvp.h"
#include "grad/vjp.h"
#include "ops/scan_edit.h"

typedef struct {
    Jvp *j;
    Node *n;
    ScanShape s;
    bool *active;           /* by parameter of the body: has a tangent at some step */
    Node **holes, **dholes; /* by parameter */
    Node **outs, **douts;   /* by output of the body */
    int nactive;            /* states with a tangent */
} Forward;

static Node *outer_of(const Forward *f, int p) { return f->n->ops[1 + p]; }

static void find_active(Forward *f)
{
    int n = f->s.body->nparams;
    bool *on = scan_dependence(f->n);
    for (int i = 0; i < n; i++)
        for (int p = 0; p < n && !f->active[i]; p++)
            f->active[i] =
                (i < f->s.nstates ? on[i * n + p] : i == p) && jvp_tangent(f->j, outer_of(f, p));
    free(on);
}

static bool push_body(Forward *f)
{
    Store *st = f->j->st;
    ScanShape *s = &f->s;
    int n = s->body->nparams;
    const Symbol *names = scan_roles(st, f->n).names;
    for (int p = 0; p < n; p++) {
        f->holes[p] = scan_hole(st, f->n, p, names[p]);
        if (f->active[p])
            f->dholes[p] = scan_hole(st, f->n, p, name_derived(st, NAME_TANGENT, names[p]));
    }
    Node **plain = xcalloc((size_t)s->body->nouts + 1, sizeof *plain);
    bool ok = graph_instantiate(st, s->body, f->holes, plain) &&
              jvp_push(st, n, f->holes, f->dholes, s->body->nouts, plain, f->douts, f->outs, NULL);
    free(plain);
    return ok;
}

static void name_tangent(Forward *f, Node *n, Symbol name)
{
    if (n && node_over_temps(f->j->st, n))
        node_set_name(f->j->st, n, name);
}

static void wider_states(Forward *f, NewScan *w)
{
    Store *st = f->j->st;
    ScanShape *s = &f->s;
    for (int i = 0; i < s->nstates; i++) {
        vec_push(&w->states, f->holes[i]);
        vec_push(&w->inits, s->inits[i]);
        vec_push(&w->outs, f->outs[i]);
    }
    for (int i = 0; i < s->nstates; i++) {
        if (!f->active[i])
            continue;
        Node *d = jvp_tangent(f->j, s->inits[i]);
        vec_push(&w->states, f->dholes[i]);
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
            name_tangent(f, f->douts[i], name_derived(st, NAME_TANGENT, node_name(st, f->outs[i])));
        }
    if (s->stop)
        vec_push(&w->outs, f->outs[s->body->nouts - 1]);
}

static void wider_operands(Forward *f, NewScan *w)
{
    ScanShape *s = &f->s;
    for (int tangents = 0; tangents < 2; tangents++)
        for (int p = s->nstates; p < s->body->nparams; p++)
            if (!tangents || f->active[p]) {
                Node *x = outer_of(f, p);
                bool row = p < s->nstates + s->nseqs;
                vec_push(row ? &w->rows : &w->holes, tangents ? f->dholes[p] : f->holes[p]);
                vec_push(row ? &w->seqs : &w->captures, tangents ? jvp_tangent(f->j, x) : x);
            }
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
    NewScan w = {0};
    find_active(&f);
    Node *wide = NULL;
    if (push_body(&f)) {
        wider_states(&f, &w);
        wider_operands(&f, &w);
        wide = scan_make(j->st, &w, &f.s);
    }
    if (wide) {
        vec_push(&j->wider, wide);
        deliver(&f, wide);
    }
    j->st->temp_count = temps;
    new_scan_free(&w);
    free(f.active);
    free(f.holes);
    free(f.dholes);
    free(f.outs);
    free(f.douts);
    return wide != NULL;
}
