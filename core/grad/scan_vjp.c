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
 * Under `until` it runs over the executed steps. Which cotangents exist is found by a
 * fixpoint over the states: nothing that is zero throughout is carried. */
#include "graph/names.h"
#include "grad/vjp.h"

typedef struct {
    Vjp *v;
    Node *n;
    ScanShape s;
    bool *state_active; /* depends on a wanted node at some step */
    bool *carried;      /* has a cotangent at some step, and is active */
    Node **s_holes, **x_holes, **w_holes, **body_outs;
    Node **final_bars, **trace_bars; /* given cotangents or NULL */
    Node **a_holes, **y_holes, **sum_holes;
    Node **x_bars, **w_bars, **a_next;
    int *kept;                   /* state -> index among the added traces, or -1 */
    NodeVec values, value_holes; /* expensive values of the step, and what stands for them */
    int added;                   /* traces that the forward scan has more */
    Node *forward;               /* the scan that keeps the states */
    const Symbol *names, *outs;  /* of the scan's parts, and which states are further registers: */
    const bool *earlier;         /* graph/control.h */
} Reverse;

static bool param_depends(Reverse *r, const bool *on, int out, int param)
{
    return on[out * r->s.body->nparams + param];
}

/* ---- 1. what is active, what has a cotangent ---- */

static void find_active(Reverse *r, const bool *on)
{
    ScanShape *s = &r->s;
    for (int i = 0; i < s->nstates; i++)
        r->state_active[i] = vjp_active(r->v, s->inits[i]);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < s->nstates; i++) {
            if (r->state_active[i])
                continue;
            for (int p = 0; p < s->body->nparams && !r->state_active[i]; p++) {
                bool active = p < s->nstates ? r->state_active[p]
                              : p < s->nstates + s->nseqs
                                  ? vjp_active(r->v, s->seqs[p - s->nstates])
                                  : vjp_active(r->v, s->captures[p - s->nstates - s->nseqs]);
                if (active && param_depends(r, on, i, p))
                    r->state_active[i] = changed = true;
            }
        }
    }
}

static void find_carried(Reverse *r, const bool *on)
{
    ScanShape *s = &r->s;
    for (int i = 0; i < s->nstates; i++)
        r->carried[i] = r->final_bars[i] && r->state_active[i];
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < s->nstates; i++) {
            bool needed = false;
            for (int k = 0; k < s->nstates; k++)
                needed = needed || (r->carried[k] && param_depends(r, on, k, i));
            for (int k = 0; k < s->nouts; k++)
                needed = needed || (r->trace_bars[k] && param_depends(r, on, s->nstates + k, i));
            if (needed && r->state_active[i] && !r->carried[i])
                r->carried[i] = changed = true;
        }
    }
}

/* ---- 2. the body pulled back once ---- */

/* What parameter i of the body is called. */
static Symbol name_of(const Reverse *r, int i) { return r->names[i]; }

/* The cotangent of what state i is after the step, which comes in: d h[t] for h[t-1]. Of a further
 * register only what arrives through its tap and those after it. */
static Symbol state_bar_name(const Reverse *r, int i, const char *prefix)
{
    Store *st = r->v->st;
    Symbol name = name_with(st, prefix, name_shifted(st, name_of(r, i), r->s.reverse ? -1 : 1));
    int tap = 1;
    for (; tap <= i && r->earlier[i - tap + 1]; tap++)
        continue;
    return tap > 1 ? name_tap(st, name, tap) : name;
}

static void open_body(Reverse *r)
{
    Store *st = r->v->st;
    ScanShape *s = &r->s;
    for (int i = 0; i < s->nstates; i++) {
        r->s_holes[i] = node_temp(st, s->inits[i]->type, name_of(r, i));
        r->a_holes[i] =
            r->carried[i] ? node_temp(st, s->inits[i]->type, state_bar_name(r, i, "d ")) : NULL;
    }
    for (int i = 0; i < s->nseqs; i++) {
        Type *t = s->seqs[i]->type;
        r->x_holes[i] = node_temp(st, type_tensor(st, t->dtype, t->rank - 1, t->dims + 1),
                                  name_of(r, s->nstates + i));
    }
    for (int i = 0; i < s->ncaptures; i++)
        r->w_holes[i] = node_temp(st, s->captures[i]->type, name_of(r, s->nstates + s->nseqs + i));
}

/* The cotangent of a row of trace i that comes from outside. */
static Node *trace_bar_hole(Reverse *r, int i)
{
    Store *st = r->v->st;
    Node *value = r->body_outs[r->s.nstates + i];
    Symbol name = name_with(st, "d ", r->outs[i] ? r->outs[i] : node_told(st, value));
    for (int k = 0; k < r->s.nstates; k++)
        if (r->a_holes[k] && node_name(st, r->a_holes[k]) == name)
            return node_temp(st, value->type, name_with(st, "given ", name));
    return node_temp(st, value->type, name);
}

static bool pull_body(Reverse *r)
{
    Store *st = r->v->st;
    ScanShape *s = &r->s;
    NodeVec args = {0}, wanted = {0};
    for (int i = 0; i < s->nstates; i++)
        vec_push(&args, r->s_holes[i]);
    for (int i = 0; i < s->nseqs; i++)
        vec_push(&args, r->x_holes[i]);
    for (int i = 0; i < s->ncaptures; i++)
        vec_push(&args, r->w_holes[i]);
    bool ok = graph_instantiate(st, s->body, args.at, r->body_outs);
    int nouts = s->nstates + s->nouts;
    Node **bars = xcalloc((size_t)nouts + 1, sizeof *bars);
    for (int i = 0; i < s->nstates; i++)
        bars[i] = r->a_holes[i];
    for (int i = 0; i < s->nouts && ok; i++)
        if (r->trace_bars[i])
            bars[s->nstates + i] = r->y_holes[i] = trace_bar_hole(r, i);
    for (int i = 0; i < s->nstates; i++)
        if (r->carried[i])
            vec_push(&wanted, r->s_holes[i]);
    for (int i = 0; i < s->nseqs; i++)
        if (vjp_active(r->v, s->seqs[i]))
            vec_push(&wanted, r->x_holes[i]);
    for (int i = 0; i < s->ncaptures; i++)
        if (vjp_active(r->v, s->captures[i]))
            vec_push(&wanted, r->w_holes[i]);
    Node **found = xcalloc(wanted.len + 1, sizeof *found);
    ok = ok && (r->v->detail == VJP_BODY_CLOSED ? vjp_node : vjp_pull)(
                   st, nouts, r->body_outs, bars, (int)wanted.len, wanted.at, found);
    size_t k = 0;
    for (int i = 0; i < s->nstates; i++)
        r->a_next[i] = r->carried[i] ? found[k++] : NULL;
    for (int i = 0; i < s->nseqs; i++)
        r->x_bars[i] = vjp_active(r->v, s->seqs[i]) ? found[k++] : NULL;
    for (int i = 0; i < s->ncaptures; i++)
        r->w_bars[i] = vjp_active(r->v, s->captures[i]) ? found[k++] : NULL;
    vec_free(&args);
    vec_free(&wanted);
    free(bars);
    free(found);
    return ok;
}

/* ---- 3. the forward scan that keeps what the backward one reads ---- */

static bool is_expensive(Node *n)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(1, &n, &order);
    for (size_t i = 0; i < order.len && !found; i++)
        found = op_table[order.at[i]->op].flags & EXPENSIVE;
    vec_free(&order);
    return found;
}

/* Larger than anything the loop carries, or of a kind that cannot be stored in a trace (a size that
 * is computed inside the body may differ from step to step): computed again instead. So is the
 * length of an axis: it takes no value to know it, and as a value of each step it would make sizes
 * that nobody knows. */
static bool can_be_kept(Reverse *r, const Node *n)
{
    if (n->op == OP_CONST || n->op == OP_HOLE || n->op == OP_DIM || n->type->kind != TYPE_TENSOR ||
        n->type->dtype == DT_RNG)
        return false;
    for (int i = 0; i < n->type->rank; i++)
        if (size_has_kind(n->type->dims[i], ATOM_NODE))
            return false;
    int rank = 0;
    for (int i = 0; i < r->s.nstates; i++)
        rank = r->s.inits[i]->type->rank > rank ? r->s.inits[i]->type->rank : rank;
    for (int i = 0; i < r->s.nseqs; i++)
        rank = r->s.seqs[i]->type->rank - 1 > rank ? r->s.seqs[i]->type->rank - 1 : rank;
    return n->type->rank <= rank;
}

static void keep_value(Reverse *r, Node *n)
{
    Symbol name = node_told(r->v->st, n);
    node_set_name(r->v->st, n, name);
    vec_push(&r->values, n);
    vec_push(&r->value_holes, node_temp(r->v->st, n->type, name));
}

static void taint(PtrMap *tainted, Node *const *holes, int n)
{
    for (int i = 0; i < n; i++)
        if (holes[i])
            map_put(tainted, holes[i], holes[i]);
}

/* What depends on a cotangent, so that the forward loop does not know it. */
static void mark_tainted(Reverse *r, const NodeVec *order, PtrMap *tainted)
{
    taint(tainted, r->a_holes, r->s.nstates);
    taint(tainted, r->sum_holes, r->s.ncaptures);
    taint(tainted, r->y_holes, r->s.nouts);
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        for (u32 k = 0; k < n->nops && !map_has(tainted, n); k++)
            if (map_has(tainted, n->ops[k]))
                map_put(tainted, n, n);
    }
}

/* Values of the forward step that the backward step uses as they are, and that are dear. */
static void find_values(Reverse *r, NodeVec *outs)
{
    PtrMap tainted = {0};
    NodeVec order = {0};
    nodes_topo((int)outs->len, outs->at, &order);
    mark_tainted(r, &order, &tainted);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        for (u32 k = 0; k < n->nops && map_has(&tainted, n); k++) {
            Node *o = n->ops[k];
            bool seen = map_has(&tainted, o);
            for (size_t j = 0; j < r->values.len && !seen; j++)
                seen = r->values.at[j] == o;
            if (!seen && can_be_kept(r, o) && is_expensive(o))
                keep_value(r, o);
        }
    }
    map_free(&tainted);
    vec_free(&order);
}

static bool use_kept_values(Reverse *r, NodeVec *outs)
{
    PtrMap memo = {0};
    bool ok = true;
    for (size_t i = 0; i < r->values.len; i++)
        map_put(&memo, r->values.at[i], r->value_holes.at[i]);
    for (size_t i = 0; i < outs->len && ok; i++)
        ok = (outs->at[i] = node_substitute(r->v->st, outs->at[i], &memo)) != NULL;
    map_free(&memo);
    return ok;
}

/* Are `parts`, the only uses of a state, less to keep than the state itself? */
static bool is_less(const NodeVec *parts, const Node *state)
{
    i64 all = 1, some = 0, n;
    for (int a = 0; a < state->type->rank; a++) {
        if (!size_is_const(state->type->dims[a], &n))
            return parts->len > 0; /* of a rank less */
        all *= n;
    }
    for (size_t i = 0; i < parts->len; i++) {
        i64 part = 1;
        for (int a = 0; a < parts->at[i]->type->rank; a++)
            part *= size_is_const(parts->at[i]->type->dims[a], &n) ? n : 1;
        some += part;
    }
    return parts->len && some < all;
}

/* A state of which only some rows are read: these are kept, not the state. */
static void find_parts(Reverse *r, NodeVec *outs)
{
    NodeVec order = {0}, parts = {0};
    PtrMap tainted = {0};
    nodes_topo((int)outs->len, outs->at, &order);
    mark_tainted(r, &order, &tainted);
    for (int i = 0; i < r->s.nstates; i++) {
        bool only = true;
        parts.len = 0;
        for (size_t k = 0; k < outs->len; k++)
            only = only && outs->at[k] != r->s_holes[i];
        for (size_t k = 0; k < order.len && only; k++) {
            Node *n = order.at[k];
            for (u32 j = 0; j < n->nops && only; j++)
                if (n->ops[j] == r->s_holes[i])
                    only =
                        n->op == OP_INDEX && j == 0 && can_be_kept(r, n) && !map_has(&tainted, n);
            if (only && n->nops && n->ops[0] == r->s_holes[i])
                vec_push(&parts, n);
        }
        if (only && is_less(&parts, r->s_holes[i]))
            for (size_t k = 0; k < parts.len; k++)
                keep_value(r, parts.at[k]);
    }
    map_free(&tainted);
    vec_free(&order);
    vec_free(&parts);
}

/* The kept values in terms of the body's own parameters. */
static bool add_values(Reverse *r, NodeVec *body)
{
    PtrMap memo = {0};
    ScanShape *s = &r->s;
    Node *const *p = s->body->param_nodes;
    for (int i = 0; i < s->nstates; i++)
        map_put(&memo, r->s_holes[i], p[i]);
    for (int i = 0; i < s->nseqs; i++)
        map_put(&memo, r->x_holes[i], p[s->nstates + i]);
    for (int i = 0; i < s->ncaptures; i++)
        map_put(&memo, r->w_holes[i], p[s->nstates + s->nseqs + i]);
    bool ok = true;
    for (size_t i = 0; i < r->values.len && ok; i++) {
        Node *n = node_substitute(r->v->st, r->values.at[i], &memo);
        ok = n != NULL;
        vec_push(body, n);
        map_put(&memo, r->value_holes.at[i], n);
    }
    map_free(&memo);
    return ok;
}

/* The forward scan's parts are those it had; what it keeps besides is called as the body calls it.
 */
static void note_forward(Reverse *r)
{
    Store *st = r->v->st;
    ScanShape s = scan_shape(r->forward);
    ScanRoles roles = scan_roles(st, r->n);
    Symbol *outs = arena_alloc(&st->scratch, ((size_t)s.nouts + 1) * sizeof *outs);
    for (int i = 0; i < s.nouts; i++)
        outs[i] = i < r->s.nouts ? roles.outs[i] : NULL;
    for (int i = 0; i < r->s.nstates; i++)
        if (r->kept[i] >= 0)
            outs[r->s.nouts + r->kept[i]] = roles.names[i];
    for (size_t i = 0; i < r->values.len; i++)
        outs[r->s.nouts + r->added + (int)i] = node_name(st, r->value_holes.at[i]);
    roles.outs = outs;
    node_set_name(st, r->forward, node_name(st, r->n));
    scan_note_roles(st, r->forward, &roles);
}

static bool keep_states(Reverse *r, NodeVec *outs)
{
    Store *st = r->v->st;
    ScanShape *s = &r->s;
    PtrMap used = {0};
    NodeVec order = {0};
    nodes_topo((int)outs->len, outs->at, &order);
    for (size_t i = 0; i < order.len; i++)
        map_put(&used, order.at[i], order.at[i]);
    NodeVec body = {0};
    for (int i = 0; i < s->nstates + s->nouts; i++)
        vec_push(&body, s->body->outs[i]);
    int added = 0;
    bool ok = true;
    NameScope scope;
    names_open(st, &scope, s->body);
    for (int i = 0; i < s->nstates; i++) {
        r->kept[i] = map_has(&used, r->s_holes[i]) ? added++ : -1;
        if (r->kept[i] >= 0)
            vec_push(&body, s->body->param_nodes[i]);
    }
    r->added = added;
    added += (int)r->values.len;
    ok = add_values(r, &body);
    if (s->stop)
        vec_push(&body, s->body->outs[s->body->nouts - 1]);
    ScanShape f = *s;
    f.body =
        ok ? graph_make(st, s->body->nparams, s->body->params, (int)body.len, body.at) : s->body;
    names_close(st, &scope, f.body);
    r->forward = !ok ? NULL : added ? scan_node(st, &f) : r->n;
    if (ok && added)
        note_forward(r);
    map_free(&used);
    vec_free(&order);
    vec_free(&body);
    return r->forward != NULL;
}

static Node *kept_trace(Reverse *r, int state)
{
    return node_proj(r->v->st, r->forward, r->s.nstates + r->s.nouts + r->kept[state]);
}

/* ---- 4. the backward scan ---- */

typedef struct {
    NodeVec fixed, inits, seq_holes, seqs, outs;
} Backward;

static bool backward_states(Reverse *r, Backward *b)
{
    Store *st = r->v->st;
    ScanShape *s = &r->s;
    for (int i = 0; i < s->nstates; i++) {
        if (!r->carried[i])
            continue;
        Node *next = r->a_next[i] ? r->a_next[i] : build_zeros_like(st, r->s_holes[i]);
        Symbol bar = node_name(st, r->a_holes[i]);
        vec_push(&b->fixed, r->a_holes[i]);
        vec_push(&b->inits,
                 r->final_bars[i] ? r->final_bars[i] : build_zeros_like(st, s->inits[i]));
        vec_push(&b->outs, next);
        if (next && next->temps)
            node_set_name(st, next, name_shifted(st, bar, r->s.reverse ? 1 : -1));
    }
    for (int i = 0; i < s->ncaptures; i++) {
        if (!r->w_bars[i])
            continue;
        Symbol name = name_with(st, "sum d ", name_of(r, s->nstates + s->nseqs + i));
        r->sum_holes[i] = node_temp(st, s->captures[i]->type, name);
        Node *sum = cotangent_sum(st, r->sum_holes[i], r->w_bars[i]);
        vec_push(&b->fixed, r->sum_holes[i]);
        vec_push(&b->inits, build_zeros_like(st, s->captures[i]));
        vec_push(&b->outs, sum);
        if (sum)
            node_set_name(st, sum, name);
    }
    for (int i = 0; i < s->nseqs; i++)
        if (r->x_bars[i]) {
            vec_push(&b->outs, r->x_bars[i]);
            if (r->x_bars[i]->temps)
                node_set_name(st, r->x_bars[i], name_with(st, "d ", name_of(r, s->nstates + i)));
        }
    for (size_t i = 0; i < b->outs.len; i++)
        if (!b->outs.at[i])
            return false;
    return true;
}

static void backward_sequences(Reverse *r, Backward *b)
{
    ScanShape *s = &r->s;
    for (int i = 0; i < s->nstates; i++)
        if (r->kept[i] >= 0) {
            vec_push(&b->seq_holes, r->s_holes[i]);
            vec_push(&b->seqs, kept_trace(r, i));
        }
    for (size_t i = 0; i < r->values.len; i++) {
        vec_push(&b->seq_holes, r->value_holes.at[i]);
        vec_push(&b->seqs,
                 node_proj(r->v->st, r->forward, s->nstates + s->nouts + r->added + (i64)i));
    }
    for (int i = 0; i < s->nseqs; i++) {
        vec_push(&b->seq_holes, r->x_holes[i]);
        vec_push(&b->seqs, s->seqs[i]);
    }
    for (int i = 0; i < s->nouts; i++)
        if (r->y_holes[i]) {
            vec_push(&b->seq_holes, r->y_holes[i]);
            vec_push(&b->seqs, r->trace_bars[i]);
        }
}

static Node *backward_node(Reverse *r, Backward *b)
{
    Store *st = r->v->st;
    Closed c;
    CloseRequest rq = {.nfixed = (int)b->fixed.len,
                       .fixed = b->fixed.at,
                       .nseqs = (int)b->seq_holes.len,
                       .seqs = b->seq_holes.at,
                       .nouts = (int)b->outs.len,
                       .outs = b->outs.at};
    if (!graph_close(st, &rq, &c))
        return NULL;
    NodeVec seqs = {0}, captures = {0};
    for (int i = 0; i < c.nseqs; i++)
        vec_push(&seqs, b->seqs.at[c.seqs[i]]);
    for (int i = 0; i < c.ncaptures; i++) {
        Node *outer = c.captures[i];
        for (int k = 0; k < r->s.ncaptures; k++)
            if (r->w_holes[k] == c.captures[i])
                outer = r->s.captures[k];
        vec_push(&captures, outer);
    }
    Node *steps = r->s.stop ? node_proj(st, r->forward, r->forward->type->nitems - 2) : r->s.n;
    ScanShape back = {.body = c.graph,
                      .nstates = (int)b->fixed.len,
                      .nseqs = c.nseqs,
                      .ncaptures = c.ncaptures,
                      .reverse = !r->s.reverse,
                      .checkpoint = r->s.checkpoint,
                      .n = steps,
                      .inits = b->inits.at,
                      .seqs = seqs.at,
                      .captures = captures.at};
    Node *n = scan_node(st, &back);
    if (n)
        scan_note_parts(st, n, c.params, b->outs.at + b->fixed.len);
    vec_free(&seqs);
    vec_free(&captures);
    return n;
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

/* "; it carries d h": the parameters [first, first + n) for which on[i] is set, if there are any.
 */
static bool note_names(Reverse *r, int first, int n, Node *const *on, const char *what)
{
    bool some = false;
    for (int i = 0; i < n; i++)
        if (on[i]) {
            Symbol name = name_of(r, first + i);
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
    text_put(r->v->note, "the loop runs the other way");
    note_names(r, 0, s->nstates, r->a_holes, "; it carries the cotangents of ");
    if (note_names(r, s->nstates + s->nseqs, s->ncaptures, r->w_bars,
                   "; it adds up over the steps those of "))
        text_put(r->v->note,
                 " (sums of products become one product after the loop, in pass loops)");
    note_names(r, s->nstates, s->nseqs, r->x_bars, "; it gives step by step those of ");
    note_names(r, 0, s->nstates, kept, "; kept before each step: ");
    free(kept);
}

static bool run_backward(Reverse *r)
{
    Backward b = {0};
    bool ok = backward_states(r, &b);
    if (ok && r->v->detail == VJP_WHOLE && r->s.checkpoint == CHECKPOINT_NONE)
        find_values(r, &b.outs);
    ok = ok && use_kept_values(r, &b.outs);
    if (ok)
        find_parts(r, &b.outs);
    ok = ok && use_kept_values(r, &b.outs) && keep_states(r, &b.outs);
    Node *back = NULL;
    if (ok && b.outs.len) {
        backward_sequences(r, &b);
        back = backward_node(r, &b);
        ok = back && deliver(r, back);
        if (ok && r->v->note)
            note_loop(r);
    }
    vec_free(&r->values);
    vec_free(&r->value_holes);
    vec_free(&b.fixed);
    vec_free(&b.inits);
    vec_free(&b.seq_holes);
    vec_free(&b.seqs);
    vec_free(&b.outs);
    return ok;
}

bool vjp_scan(Vjp *v, Node *n, Node *dy)
{
    (void)dy;
    u32 temps = v->st->temp_count;
    Reverse r = {.v = v, .n = n, .s = scan_shape(n)};
    ScanShape *s = &r.s;
    Arena *arena = &v->st->scratch;
    size_t states = (size_t)s->nstates + 1, seqs = (size_t)s->nseqs + 1,
           caps = (size_t)s->ncaptures + 1, outs = (size_t)s->nouts + 1;
    Node ***by_state[] = {&r.s_holes, &r.a_holes, &r.a_next, &r.final_bars};
    for (size_t i = 0; i < COUNT_OF(by_state); i++)
        *by_state[i] = arena_alloc(arena, states * sizeof(Node *));
    r.x_holes = arena_alloc(arena, seqs * sizeof(Node *));
    r.x_bars = arena_alloc(arena, seqs * sizeof(Node *));
    r.w_holes = arena_alloc(arena, caps * sizeof(Node *));
    r.w_bars = arena_alloc(arena, caps * sizeof(Node *));
    r.sum_holes = arena_alloc(arena, caps * sizeof(Node *));
    r.y_holes = arena_alloc(arena, outs * sizeof(Node *));
    r.trace_bars = arena_alloc(arena, outs * sizeof(Node *));
    r.body_outs = arena_alloc(arena, (states + outs) * sizeof(Node *));
    r.state_active = arena_alloc(arena, states);
    r.carried = arena_alloc(arena, states);
    r.kept = arena_alloc(arena, states * sizeof(int));
    for (int i = 0; i < s->nstates; i++)
        r.final_bars[i] = vjp_result(v, n, i);
    for (int i = 0; i < s->nouts; i++)
        r.trace_bars[i] = vjp_result(v, n, s->nstates + i);
    bool *on = xcalloc((size_t)s->body->nouts * (size_t)s->body->nparams + 1, sizeof *on);
    graph_dependence(s->body, 0, s->body->nparams, on);
    find_active(&r, on);
    find_carried(&r, on);
    free(on);
    ScanRoles roles = scan_roles(v->st, n);
    r.names = roles.names;
    r.outs = roles.outs;
    r.earlier = roles.earlier;
    open_body(&r);
    bool ok = pull_body(&r) && run_backward(&r);
    v->st->temp_count = temps;
    return ok;
}
