/* The derivative of a scan is a scan that runs the other way.
 *
 *   forward   (s', y) = B(s, x, w)                    for each step, s' the next state
 *   backward  (sbar, xbar, wbar) = VJP_B(s, x, w)[s'bar, ybar]
 *
 * It carries the cotangents of the active states and, for each active capture, the sum
 * of its contributions. It reads the states before each step, which the forward scan is
 * asked to keep as further traces, and so are values that took an expensive operator (a
 * product, a solve, an inner loop); everything else in the body is computed again. A scan with a
 * policy keeps states only (grad/checkpoint.c has put it in segments), and so does its derivative.
 * Under `until` it runs over the executed steps. Which cotangents exist,
 * grad/dependence.c tells: nothing that is zero throughout is carried. */
#include "graph/names.h"
#include "graph/temps.h"
#include "grad/scan_reverse.h"
#include "ops/scan_edit.h"

/* ---- 1. what is active, what has a cotangent ---- */

/* Is the cotangent of parameter p asked for? */
static bool is_wanted(const Reverse *r, int p)
{
    return p < r->s.nstates ? r->carried[p] : vjp_active(r->v, r->n->ops[1 + p]);
}

static void find_carried(Reverse *r)
{
    const ScanShape *s = &r->s;
    bool *on = scan_dependence(r->n);
    int n = s->body->nparams;
    for (int i = 0; i < s->nstates; i++) {
        bool active = false, reached = false;
        for (int p = 0; p < n; p++)
            active = active || (on[i * n + p] && vjp_active(r->v, r->n->ops[1 + p]));
        for (int k = 0; k < s->steps; k++)
            reached =
                reached || (on[k * n + i] &&
                            (k < s->nstates ? r->final_bars[k] : r->trace_bars[k - s->nstates]));
        r->carried[i] = active && reached;
    }
    free(on);
}

/* ---- 2. the body pulled back once ---- */

/* What parameter i of the body is called. */
static Symbol param_name(const Reverse *r, int i) { return r->names[i]; }

/* The cotangent of what state i is after the step, which comes in: d_h[t] for h[t-1]. Of a further
 * register only what arrives through its tap and those after it. */
static Symbol state_bar_name(const Reverse *r, int i)
{
    Store *st = r->v->st;
    Symbol after = name_shifted(st, param_name(r, i), r->s.reverse ? -1 : 1);
    Symbol name = name_derived(st, NAME_COTANGENT, after);
    int tap = 1;
    for (; tap <= i && r->earlier[i - tap + 1]; tap++)
        continue;
    return tap > 1 ? name_tap(st, name, tap) : name;
}

static void open_body(Reverse *r)
{
    for (int p = 0; p < r->s.body->nparams; p++) {
        r->s_holes[p] = scan_hole(r->v->st, r->n, p, param_name(r, p));
        if (p < r->s.nstates && r->carried[p])
            r->a_holes[p] = scan_hole(r->v->st, r->n, p, state_bar_name(r, p));
    }
}

/* The cotangent of a row of trace i that comes from outside. */
static Node *trace_bar_hole(Reverse *r, int i)
{
    Store *st = r->v->st;
    Node *value = r->body_outs[r->s.nstates + i];
    Symbol of = r->outs[i] ? r->outs[i] : node_told(st, value);
    Symbol name = name_derived(st, NAME_COTANGENT, of);
    for (int k = 0; k < r->s.nstates; k++)
        if (r->a_holes[k] && node_name(st, r->a_holes[k]) == name)
            return node_temp(st, value->type, name_derived(st, NAME_GIVEN, of));
    return node_temp(st, value->type, name);
}

/* What turned out to be a part of the whole cotangent came from outside, not from another step. */
static void tell_given(const Reverse *r, int i)
{
    Store *st = r->v->st;
    Symbol name = r->y_holes[i] ? node_name(st, r->y_holes[i]) : NULL;
    if (!name || name_data(st, name).kind != NAME_CARRIED)
        return;
    Symbol of = name_with_index(st, name_data(st, name).base, name);
    node_rename(st, r->y_holes[i], name_derived(st, NAME_GIVEN, of));
}

static bool pull_body(Reverse *r)
{
    Store *st = r->v->st;
    ScanShape *s = &r->s;
    int nouts = s->nstates + s->nouts, nwanted;
    NodeVec wanted = {0};
    bool ok = graph_instantiate(st, s->body, r->s_holes, r->body_outs);
    Node **bars = arena_alloc(&st->scratch, ((size_t)nouts + 1) * sizeof *bars);
    for (int i = 0; i < s->nstates; i++)
        bars[i] = r->a_holes[i];
    for (int i = 0; i < s->nouts && ok; i++)
        if (r->trace_bars[i])
            bars[s->nstates + i] = r->y_holes[i] = trace_bar_hole(r, i);
    for (int p = 0; p < s->body->nparams; p++)
        if (is_wanted(r, p))
            vec_push(&wanted, r->s_holes[p]);
    nwanted = (int)wanted.len;
    Node **found = xcalloc(wanted.len + 1, sizeof *found);
    if (ok && r->v->detail == VJP_BODY_CLOSED)
        ok = vjp_node(st, nouts, r->body_outs, bars, nwanted, wanted.at, found);
    else if (ok)
        ok = vjp_pull(st, nouts, r->body_outs, bars, nwanted, wanted.at, found, &r->inner) &&
             scans_extend(st, &r->inner, nwanted, found);
    for (int i = 0; i < s->nouts; i++)
        tell_given(r, i);
    for (int p = 0, k = 0; p < s->body->nparams; p++)
        r->a_next[p] = is_wanted(r, p) ? found[k++] : NULL;
    vec_free(&wanted);
    free(found);
    return ok;
}

/* ---- 3. the backward scan ---- */

static bool backward_states(Reverse *r, NewScan *b)
{
    Store *st = r->v->st;
    ScanShape *s = &r->s;
    for (int i = 0; i < s->nstates; i++) {
        if (!r->carried[i])
            continue;
        Node *next = r->a_next[i] ? r->a_next[i] : build_zeros_like(st, r->s_holes[i]);
        Symbol bar = node_name(st, r->a_holes[i]);
        vec_push(&b->states, r->a_holes[i]);
        vec_push(&b->inits,
                 r->final_bars[i] ? r->final_bars[i] : build_zeros_like(st, s->inits[i]));
        vec_push(&b->outs, next);
        if (next && node_over_temps(st, next))
            node_set_name(st, next, name_shifted(st, bar, r->s.reverse ? 1 : -1));
    }
    for (int i = 0; i < s->ncaptures; i++) {
        if (!r->w_bars[i])
            continue;
        Symbol name = name_derived(st, NAME_GATHERED, param_name(r, s->nstates + s->nseqs + i));
        r->sum_holes[i] = node_temp(st, s->captures[i]->type, name);
        Node *sum = cotangent_sum(st, r->sum_holes[i], r->w_bars[i]);
        vec_push(&b->states, r->sum_holes[i]);
        vec_push(&b->inits, build_zeros_like(st, s->captures[i]));
        vec_push(&b->outs, sum);
        if (sum)
            node_set_name(st, sum, name);
    }
    for (int i = 0; i < s->nseqs; i++)
        if (r->x_bars[i]) {
            vec_push(&b->outs, r->x_bars[i]);
            if (node_over_temps(st, r->x_bars[i]))
                node_set_name(st, r->x_bars[i],
                              name_derived(st, NAME_COTANGENT, param_name(r, s->nstates + i)));
        }
    for (size_t i = 0; i < b->outs.len; i++)
        if (!b->outs.at[i])
            return false;
    return true;
}

static void backward_operands(Reverse *r, NewScan *b)
{
    ScanShape *s = &r->s;
    for (int i = 0; i < s->nstates; i++)
        if (r->kept[i] >= 0) {
            vec_push(&b->rows, r->s_holes[i]);
            vec_push(&b->seqs, node_proj(r->v->st, r->forward, s->nstates + r->kept[i]));
        }
    for (size_t i = 0; i < r->values.len; i++) {
        vec_push(&b->rows, r->value_holes.at[i]);
        vec_push(&b->seqs, node_proj(r->v->st, r->forward, s->nstates + r->value_traces.at[i]));
    }
    for (int i = 0; i < s->nseqs; i++) {
        vec_push(&b->rows, r->x_holes[i]);
        vec_push(&b->seqs, s->seqs[i]);
    }
    for (int i = 0; i < s->nouts; i++)
        if (r->y_holes[i]) {
            bool same = r->same_bars[i] != NULL;
            vec_push(same ? &b->holes : &b->rows, r->y_holes[i]);
            vec_push(same ? &b->captures : &b->seqs, same ? r->same_bars[i] : r->trace_bars[i]);
        }
    for (int i = 0; i < s->ncaptures; i++) {
        vec_push(&b->holes, r->w_holes[i]);
        vec_push(&b->captures, s->captures[i]);
    }
}

/* A cotangent that is one number at each step is that number. */
static bool put_numbers(Reverse *r, NewScan *b)
{
    NodeMap memo = {0};
    bool ok = true;
    for (int i = 0; i < r->s.nouts; i++)
        if (r->y_holes[i] && r->same_bars[i] && r->same_bars[i]->op == OP_CONST)
            map_put(&memo, r->y_holes[i], r->same_bars[i]);
    for (size_t i = 0; i < b->outs.len && memo.len && ok; i++)
        ok = (b->outs.at[i] = node_substitute(r->v->st, b->outs.at[i], &memo)) != NULL;
    map_free(&memo);
    return ok;
}

static Node *backward_node(Reverse *r, const NewScan *b)
{
    const ScanShape *s = &r->s;
    Node *steps = node_proj(r->v->st, r->forward, r->forward->type->nitems - 2);
    ScanShape flags = {
        .n = s->stop ? steps : s->n, .reverse = !s->reverse, .checkpoint = s->checkpoint};
    return scan_make(r->v->st, b, &flags);
}

/* A sequence's cotangent has its full length: zero beyond the executed steps. */
static Node *full_length(Reverse *r, Node *trace, Node *seq)
{
    if (trace->type->dims[0] == seq->type->dims[0])
        return trace;
    Attr a[] = {{.i = 0}, {.i = 1}, {.i = 0}};
    return node3(r->v->st, OP_SET_SLICE, a, build_zeros_like(r->v->st, seq), node_i64(r->v->st, 0),
                 trace);
}

static bool deliver(Reverse *r, Node *back)
{
    Store *st = r->v->st;
    ScanShape *s = &r->s;
    bool ok = true;
    int k = 0;
    for (int i = 0; i < s->nstates && ok; i++) {
        if (!r->carried[i])
            continue;
        Node *bar = node_proj(st, back, k++);
        ok = !vjp_active(r->v, s->inits[i]) || vjp_add(r->v, s->inits[i], bar);
    }
    for (int i = 0; i < s->ncaptures && ok; i++)
        if (r->w_bars[i])
            ok = vjp_add(r->v, s->captures[i], node_proj(st, back, k++));
    for (int i = 0; i < s->nseqs && ok; i++)
        if (r->x_bars[i])
            ok = vjp_add(r->v, s->seqs[i], full_length(r, node_proj(st, back, k++), s->seqs[i]));
    return ok;
}

/* "; it carries d_h": the parameters [first, first + n) for which on[i] is set, if there are any.
 */
static bool note_names(Reverse *r, int first, int n, Node *const *on, const char *what)
{
    bool some = false;
    for (int i = 0; i < n; i++)
        if (on[i]) {
            Symbol name = param_name(r, first + i);
            text_printf(r->v->note, "%s%s", some ? ", " : what, name ? name : "_");
            some = true;
        }
    return some;
}

static void note_loop(Reverse *r)
{
    const ScanShape *s = &r->s;
    Node **kept = xcalloc((size_t)s->nstates + 1, sizeof *kept);
    for (int i = 0; i < s->nstates; i++)
        kept[i] = r->kept[i] >= 0 ? r->s_holes[i] : NULL;
    text_put(r->v->note, "the loop runs in the opposite direction");
    note_names(r, 0, s->nstates, r->a_holes, "; it carries the cotangents of ");
    if (note_names(r, s->nstates + s->nseqs, s->ncaptures, r->w_bars,
                   "; it accumulates over the steps those of "))
        text_put(r->v->note,
                 " (the pass `loops` turns sums of products into one product after the loop)");
    note_names(r, s->nstates, s->nseqs, r->x_bars, "; it outputs at each step those of ");
    note_names(r, 0, s->nstates, kept, "; saved before each step: ");
    free(kept);
}

static void reverse_free(Reverse *r)
{
    vec_free(&r->values);
    vec_free(&r->value_holes);
    vec_free(&r->value_traces);
    vec_free(&r->inner);
}

static bool run_backward(Reverse *r)
{
    NewScan b = {0};
    bool ok = backward_states(r, &b) && reverse_keep(r, &b.outs) && put_numbers(r, &b);
    Node *back = NULL;
    if (ok && b.outs.len) {
        backward_operands(r, &b);
        back = backward_node(r, &b);
        ok = back && deliver(r, back);
        if (ok)
            vjp_record_loop(r->v, r->n, r->forward, back);
        if (ok && r->v->note)
            note_loop(r);
    }
    new_scan_free(&b);
    return ok;
}

bool vjp_scan(Vjp *v, Node *n, Node *dy)
{
    (void)dy;
    u32 temps = v->st->temp_count;
    Reverse r = {.v = v, .n = n, .s = scan_shape(n)};
    ScanShape *s = &r.s;
    Arena *arena = &v->st->scratch;
    size_t states = (size_t)s->nstates + 1, caps = (size_t)s->ncaptures + 1,
           outs = (size_t)s->nouts + 1, params = (size_t)s->body->nparams + 1;
    r.s_holes = arena_alloc(arena, params * sizeof(Node *));
    r.a_next = arena_alloc(arena, params * sizeof(Node *));
    r.x_holes = r.s_holes + s->nstates;
    r.x_bars = r.a_next + s->nstates;
    r.w_holes = r.x_holes + s->nseqs;
    r.w_bars = r.x_bars + s->nseqs;
    r.a_holes = arena_alloc(arena, states * sizeof(Node *));
    r.final_bars = arena_alloc(arena, states * sizeof(Node *));
    r.sum_holes = arena_alloc(arena, caps * sizeof(Node *));
    r.y_holes = arena_alloc(arena, outs * sizeof(Node *));
    r.trace_bars = arena_alloc(arena, outs * sizeof(Node *));
    r.same_bars = arena_alloc(arena, outs * sizeof(Node *));
    r.body_outs = arena_alloc(arena, (states + outs) * sizeof(Node *));
    r.carried = arena_alloc(arena, states);
    r.kept = arena_alloc(arena, states * sizeof(int));
    for (int i = 0; i < s->nstates; i++)
        r.final_bars[i] = vjp_result(v, n, i);
    for (int i = 0; i < s->nouts; i++)
        if ((r.trace_bars[i] = vjp_result(v, n, s->nstates + i)))
            r.same_bars[i] = scan_same_row(v->st, r.trace_bars[i]);
    find_carried(&r);
    ScanRoles roles = scan_roles(v->st, n);
    r.names = roles.names;
    r.outs = roles.outs;
    r.earlier = roles.earlier;
    open_body(&r);
    bool ok = pull_body(&r) && run_backward(&r);
    reverse_free(&r);
    v->st->temp_count = temps;
    return ok;
}
