/* The reverse sweep over an open graph.
 *
 * A. Griewank, A. Walther, "Evaluating Derivatives", 2nd ed., SIAM 2008, chapter 3:
 * the incremental reverse mode. */
#include "tensor/kernels.h"
#include "grad/vjp.h"
#include "graph/names.h"
#include "graph/provenance.h"
#include "graph/temps.h"
#include "ops/functions.h"
#include "ops/mask.h"

static void mark_active(NodeSet *active, const NodeVec *order, int nx, Node *const *xs)
{
    for (int i = 0; i < nx; i++)
        set_add(active, xs[i]);
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        if (n->op == OP_STOP_GRADIENT || !type_has_floats(n->type))
            continue;
        for (u32 k = 0; k < n->nops && !map_has(active, n); k++)
            if (map_has(active, n->ops[k]))
                set_add(active, n);
    }
}

/* ---- the sweep ---- */

void vjp_begin(VjpSweep *s, Store *st, int ny, Node *const *ys, Node *const *ybars, int nx,
               Node *const *xs)
{
    *s = (VjpSweep){.v.st = st};
    nodes_topo(ny, ys, &s->order);
    mark_active(&s->v.active, &s->order, nx, xs);
    for (int i = 0; i < nx; i++)
        set_add(&s->leaves, xs[i]);
    s->at = s->order.len;
    for (size_t i = 0; i < s->order.len && st->notes_derivatives; i++)
        node_map_put(&s->forward, s->order.at[i], true);
    for (int i = 0; i < ny; i++)
        if (ybars[i])
            vec_push(&s->given, ybars[i]);
    for (int i = 0; i < ny && !s->failed; i++)
        if (ybars[i] && map_has(&s->v.active, ys[i]))
            s->failed = !vjp_add(&s->v, ys[i], ybars[i]);
}

static bool reached(const Vjp *v, Node *n)
{
    if (n->type->kind != TYPE_TUPLE)
        return map_has(&v->cotangents, n);
    for (int k = 0; k < n->type->nitems; k++)
        if (vjp_result(v, n, k))
            return true;
    return false;
}

Node *vjp_peek(VjpSweep *s)
{
    for (; s->at > 0 && !s->failed; s->at--) {
        Node *n = s->order.at[s->at - 1];
        /* the cotangent of a projection is read by the rule of the tuple */
        if (n->op != OP_PROJ && map_has(&s->v.active, n) && !map_has(&s->leaves, n) &&
            reached(&s->v, n))
            return n;
    }
    return NULL;
}

/* Takes one mask off the cotangents of all results of n, if they have the same; what was there is
 * appended to `saved`, by turns with the keys. false after a diagnostic. */
static bool take_mask(Vjp *v, Node *n, Mask *mask, NodeVec *saved)
{
    int count = n->type->kind == TYPE_TUPLE ? n->type->nitems : 1;
    bool same = true;
    NodeVec bare = {0};
    for (int k = 0; k < count && same; k++) {
        Node *key = n->type->kind == TYPE_TUPLE ? node_proj(v->st, n, k) : n;
        Node *bar = map_get(&v->cotangents, key);
        Mask m = {0};
        Node *inner = mask_peel_whole(v->st, bar, &m);
        if (!bar)
            continue;
        if (!inner)
            return vec_free(&bare), false;
        same = m.condition &&
               (!saved->len || (m.condition == mask->condition && m.inverted == mask->inverted));
        *mask = m;
        vec_push(saved, key);
        vec_push(saved, bar);
        vec_push(&bare, inner);
    }
    for (size_t i = 0; i < bare.len && same; i++)
        map_put(&v->cotangents, saved->at[2 * i], build_like(v->st, bare.at[i], saved->at[2 * i]));
    vec_free(&bare);
    if (!same || !saved->len)
        *mask = (Mask){0};
    return true;
}

/* Rules that multiply, with numbers that only they know, get what a `where` lets through, and their
 * contributions are masked instead: 0 * inf does not leak from where nothing was chosen. What works
 * on elements sees to masks of elements itself. */
static bool rule_under_mask(Vjp *v, Node *n)
{
    Mask mask = {0};
    NodeVec saved = {0};
    bool tuple = n->type->kind == TYPE_TUPLE, ok = take_mask(v, n, &mask, &saved);
    v->mask = mask.condition ? &mask : NULL;
    ok = ok && op_table[n->op].vjp(v, n, tuple ? NULL : map_get(&v->cotangents, n));
    v->mask = NULL;
    for (size_t i = 0; i < saved.len; i += 2)
        map_put(&v->cotangents, saved.at[i], saved.at[i + 1]);
    vec_free(&saved);
    return ok;
}

bool vjp_rule(Vjp *v, Node *n)
{
    OpClass cls = node_info(n)->cls;
    if (cls == CLASS_LINALG || cls == CLASS_CONTROL)
        return rule_under_mask(v, n);
    return op_table[n->op].vjp(v, n,
                               n->type->kind == TYPE_TUPLE ? NULL : map_get(&v->cotangents, n));
}

/* In an open body: what has reached a named value is all of its cotangent. */
static void name_cotangent(VjpSweep *s, const Node *value)
{
    Store *st = s->v.st;
    Node *bar = map_get(&s->v.cotangents, value);
    Symbol name = bar && node_over_temps(st, value) && node_over_temps(st, bar) &&
                          bar->op != OP_HOLE && !node_name(st, bar)
                      ? name_derived(st, NAME_COTANGENT, node_name(st, value))
                      : NULL;
    for (size_t i = 0; i < s->given.len && name; i++)
        if (node_name(st, s->given.at[i]) == name) /* it is only a part of it */
            node_rename(st, s->given.at[i], name_derived(st, NAME_CARRIED, node_name(st, value)));
    node_set_name(st, bar, name);
}

static void name_cotangents(VjpSweep *s, Node *n)
{
    if (n->type->kind != TYPE_TUPLE)
        name_cotangent(s, n);
    for (int k = 0; n->type->kind == TYPE_TUPLE && k < n->type->nitems; k++)
        name_cotangent(s, node_proj(s->v.st, n, k));
}

/* ---- whose derivative something is ---- */

static void note_from(VjpSweep *s, Node *made, const Node *bar, Span of)
{
    Store *st = s->v.st;
    NodeVec stack = {0};
    vec_push(&stack, made);
    while (stack.len) {
        Node *n = stack.at[--stack.len];
        if (n == bar || !n->nops || node_map_has(&s->forward, n) || node_derived_from(st, n))
            continue;
        node_set_derived_from(st, n, of);
        for (u32 k = 0; k < n->nops; k++)
            vec_push(&stack, n->ops[k]);
    }
    vec_free(&stack);
}

/* What the rule of n added to cotangents of its operands. */
static void note_derivative(VjpSweep *s, const Node *n)
{
    const Span *of = node_span(s->v.st, n);
    const Node *bar = map_get(&s->v.cotangents, n);
    for (u32 k = 0; of && k < n->nops; k++) {
        Node *made = map_get(&s->v.cotangents, n->ops[k]);
        if (made)
            note_from(s, made, bar, *of);
    }
}

bool vjp_next(VjpSweep *s)
{
    Node *n = vjp_peek(s);
    if (n)
        name_cotangents(s, n);
    if (store_stopped(s->v.st, "in a derivative"))
        return s->failed = true, false;
    if (n && !vjp_rule(&s->v, n)) {
        s->failed = true;
        derivative_missing_place(s->v.st, &s->order, n);
    }
    if (n && !s->failed && s->v.st->notes_derivatives)
        note_derivative(s, n);
    s->at -= n && !s->failed;
    return !s->failed;
}

void vjp_end(VjpSweep *s)
{
    vec_free(&s->order);
    map_free(&s->leaves);
    vec_free(&s->given);
    node_map_free(&s->forward);
    map_free(&s->v.active);
    map_free(&s->v.cotangents);
    vec_free(&s->v.extended);
    vec_free(&s->v.loops);
}

void vjp_record_loop(Vjp *v, Node *scan, const Node *forward, Node *back)
{
    ScanShape s = scan_shape(back);
    vec_push(&v->loops, ((DerivativeRecord){RECORD_LOOP, scan, back}));
    for (int i = 0; i < s.nseqs; i++)
        if (s.seqs[i]->op == OP_PROJ && s.seqs[i]->ops[0] == forward)
            vec_push(&v->loops, ((DerivativeRecord){RECORD_SAVED, s.seqs[i], back}));
}

static void take_record(const VjpSweep *s, DerivativeRecords *out)
{
    for (size_t i = 0; i < s->order.len; i++) {
        Node *bar = map_get(&s->v.cotangents, s->order.at[i]);
        if (bar)
            vec_push(out, ((DerivativeRecord){RECORD_COTANGENT, s->order.at[i], bar}));
    }
    for (size_t i = 0; i < s->v.loops.len; i++)
        vec_push(out, s->v.loops.at[i]);
}

bool vjp_pull_recorded(Store *st, int ny, Node *const *ys, Node *const *ybars, int nx,
                       Node *const *xs, Node **out, NodeVec *extended, DerivativeRecords *record)
{
    VjpSweep s;
    vjp_begin(&s, st, ny, ys, ybars, nx, xs);
    while (vjp_peek(&s) && vjp_next(&s)) {
    }
    for (int i = 0; i < nx && !s.failed; i++)
        out[i] = map_get(&s.v.cotangents, xs[i]);
    NodeVec *loops = &s.v.extended;
    bool ok = !s.failed;
    if (ok && record)
        take_record(&s, record);
    for (size_t i = 0; i < loops->len && extended; i++)
        vec_push(extended, loops->at[i]);
    if (ok && !extended)
        ok = scans_settle(st, loops, nx, out, NULL, record);
    vjp_end(&s);
    return ok;
}

bool vjp_pull(Store *st, int ny, Node *const *ys, Node *const *ybars, int nx, Node *const *xs,
              Node **out, NodeVec *extended)
{
    return vjp_pull_recorded(st, ny, ys, ybars, nx, xs, out, extended, NULL);
}
