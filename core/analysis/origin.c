/* Where a NaN comes from.  See origin.h. */
#include "analysis/origin.h"

#include "graph/control.h"
#include "graph/names.h"
#include "graph/print.h"
#include "graph/provenance.h"
#include "passes/passes.h"
#include "ops/scan_edit.h"

#include <math.h>

typedef struct {
    const Evaluator *e;
    Store *st;
    NanOrigin *o;
    Node *at;
    i64 element;
} Tracing;

/* ---- values ---- */

/* The nodes that are computed for n whatever an `if` chooses, and have no value yet. */
static void find_computed(const Tracing *t, Node *n, NodeSet *seen, NodeVec *out)
{
    NodeVec stack = {0};
    vec_push(&stack, n);
    while (stack.len) {
        Node *m = stack.at[--stack.len];
        if (map_has(seen, m) || map_has(&t->o->values, m))
            continue;
        set_add(seen, m);
        if (m->type->kind == TYPE_TENSOR && m->type->dtype != DT_RNG)
            vec_push(out, m);
        for (u32 i = 0; i < m->nops && (m->op != OP_IFELSE || i == 0); i++)
            vec_push(&stack, m->ops[i]);
    }
    vec_free(&stack);
}

/* Gives n and what it is computed from their values. */
static bool evaluate(Tracing *t, Node *n)
{
    NodeVec asked = {0};
    NodeSet seen = {0};
    find_computed(t, n, &seen, &asked);
    Tensor **at = xcalloc(asked.len + 1, sizeof *at);
    bool ok = probe_nodes(t->e, asked.len, asked.at, NULL, at);
    for (size_t i = 0; i < asked.len && ok; i++)
        map_put(&t->o->values, asked.at[i], at[i]);
    free(at);
    map_free(&seen);
    vec_free(&asked);
    return ok;
}

/* The first element that is no number, or -1. */
static i64 first_bad(const Tensor *v)
{
    if (!v || !dtype_is_float(v->dtype))
        return -1;
    for (i64 i = 0; i < v->count; i++)
        if (!isfinite(tensor_f64_at(v, i)))
            return i;
    return -1;
}

/* ---- elements ---- */

/* The last axes are aligned, an axis of one element is repeated. */
i64 origin_element(const Tensor *result, i64 element, const Tensor *operand)
{
    i64 index = 0, stride = 1;
    for (int k = 1; k <= result->rank; k++) {
        i64 length = result->shape[result->rank - k], at = length ? element % length : 0;
        element = length ? element / length : 0;
        if (k > operand->rank)
            continue;
        i64 own = operand->shape[operand->rank - k];
        index += own == 1 ? 0 : at * stride;
        stride *= own;
    }
    return index;
}

/* Is operand i no number there? *element: which one of it. */
static bool operand_bad(const Tracing *t, u32 i, i64 *element)
{
    const Tensor *result = map_get(&t->o->values, t->at),
                 *v = map_get(&t->o->values, t->at->ops[i]);
    if (!v || !type_has_floats(t->at->ops[i]->type))
        return false;
    *element = result && op_is_elementwise(t->at->op) ? origin_element(result, t->element, v)
                                                      : first_bad(v);
    if (*element < 0 || isfinite(tensor_f64_at(v, *element)))
        return false;
    if (t->at->op != OP_WHERE)
        return true;
    const Tensor *c = map_get(&t->o->values, t->at->ops[0]);
    return c && (tensor_i64_at(c, origin_element(result, t->element, c)) != 0) == (i == 1);
}

/* The operand to go on with: one with a NaN before one with an infinity; -1: all are numbers. */
static int bad_operand(const Tracing *t, i64 *element)
{
    int found = -1;
    for (u32 i = 0; i < t->at->nops; i++) {
        i64 e;
        if (!operand_bad(t, i, &e))
            continue;
        bool nan = isnan(tensor_f64_at(map_get(&t->o->values, t->at->ops[i]), e));
        if (found < 0 || nan) {
            found = (int)i;
            *element = e;
        }
        if (nan)
            break;
    }
    return found;
}

/* ---- into loops and branches ---- */

/* The scan with every next state as a trace; in traces[i] state i's. NULL after a diagnostic. */
static Node *with_all_traces(Tracing *t, Node *scan, Node **traces)
{
    ScanEdit ed;
    if (!scan_open(t->st, scan, &ed))
        return NULL;
    ScanShape s = scan_shape(scan);
    int *outs = xcalloc((size_t)s.nstates + 1, sizeof *outs);
    for (int i = 0; i < s.nstates; i++)
        outs[i] = scan_add_output(&ed, ed.states[i].next);
    Node *all = scan_close(&ed);
    for (int i = 0; i < s.nstates && all; i++)
        traces[i] = scan_trace(&ed, all, outs[i]);
    for (int o = 0; o < s.nouts && all; o++)
        traces[s.nstates + o] = scan_trace(&ed, all, o);
    free(outs);
    scan_edit_free(&ed);
    return all;
}

/* The first row of a trace that is no number, in the order of the steps; -1: none. */
static i64 first_bad_step(const Tensor *v, bool reverse)
{
    i64 rows = v && v->rank ? v->shape[0] : 0, size = rows ? v->count / rows : 0;
    for (i64 k = 0; k < rows && dtype_is_float(v->dtype); k++) {
        i64 row = reverse ? rows - 1 - k : k;
        for (i64 i = 0; i < size; i++)
            if (!isfinite(tensor_f64_at(v, row * size + i)))
                return k;
    }
    return -1;
}

/* The first step of the loop that gives something that is no number, and which result of its body
 * that is; -1: none. false after a diagnostic. */
static bool find_step(Tracing *t, Node *scan, i64 *step, int *which)
{
    ScanShape s = scan_shape(scan);
    int n = s.nstates + s.nouts;
    Node **traces = xcalloc((size_t)n + 1, sizeof *traces);
    Tensor **at = xcalloc((size_t)n + 1, sizeof *at);
    bool ok =
        with_all_traces(t, scan, traces) != NULL && probe_nodes(t->e, (size_t)n, traces, NULL, at);
    *step = -1;
    for (int i = 0; i < n && ok; i++) {
        i64 k = first_bad_step(at[i], s.reverse);
        if (k >= 0 && (*step < 0 || k < *step)) {
            *step = k;
            *which = i;
        }
        tensor_unref(at[i]);
    }
    free(traces);
    free(at);
    return ok;
}

/* Notes what the copies stand for. */
static void note_copies(Tracing *t, const Unroll *u)
{
    for (size_t i = 0; i < u->of_body[0].len; i++) {
        Node *inside = map_key(&u->of_body[0], i);
        Node *copy = inside ? map_val(&u->of_body[0], i) : NULL;
        bool captured =
            inside && inside->op == OP_PARAM && inside->attrs[0].i >= u->s.nstates + u->s.nseqs;
        if (!copy || map_has(&t->o->copies, copy) || captured || node_is_inline(copy))
            continue;
        OriginPlace *p = arena_alloc(&t->o->arena, sizeof *p);
        *p = (OriginPlace){copy, inside, u->s.body};
        map_put(&t->o->copies, copy, p);
    }
}

/* Goes from a result of a loop to what gave it first in its body. *entered: false if all its steps
 * give numbers. false after a diagnostic. */
static bool enter_scan(Tracing *t, Node *scan, bool *entered)
{
    i64 step, total;
    int which = 0;
    Node *steps = node_proj(t->st, scan, scan_shape(scan).steps);
    *entered = false;
    if (!find_step(t, scan, &step, &which) || !evaluate(t, steps))
        return false;
    if (step < 0)
        return true;
    total = tensor_i64_at(map_get(&t->o->values, steps), 0);
    OriginLoop e = {.scan = scan, .step = step, .steps = total};
    bool ok = scan_unroll_from(t->st, scan, total, step, 1, &e.u);
    vec_push(&t->o->loops, e);
    if (!ok)
        return false;
    note_copies(t, &e.u);
    t->at = which < e.u.s.nstates ? e.u.states.at[e.u.s.nstates + which]
                                  : e.u.outs.at[which - e.u.s.nstates];
    if (!evaluate(t, t->at))
        return false;
    t->element = first_bad(map_get(&t->o->values, t->at));
    *entered = t->element >= 0;
    return true;
}

/* Goes from a result of an `if` to that of the branch that was taken. */
static bool enter_branch(Tracing *t, Node *choice, int result)
{
    IfShape s = if_shape(choice);
    if (!evaluate(t, s.condition))
        return false;
    bool chosen = tensor_i64_at(map_get(&t->o->values, s.condition), 0) != 0;
    Graph *g = chosen ? s.then_graph : s.else_graph;
    const IntList *args = chosen ? s.then_args : s.else_args;
    Node **in = xcalloc((size_t)g->nparams + 1, sizeof *in);
    Node **outs = xcalloc((size_t)g->nouts + 1, sizeof *outs);
    for (int i = 0; i < g->nparams; i++)
        in[i] = s.operands[args->at[i]];
    bool ok = graph_instantiate(t->st, g, in, outs);
    t->at = ok ? outs[result] : t->at;
    ok = ok && evaluate(t, t->at);
    free(in);
    free(outs);
    return ok;
}

/* ---- going down ---- */

/* One way down from t->at; *more: there was one. false after a diagnostic. */
static bool go_down(Tracing *t, bool *more)
{
    Node *n = t->at, *of = n->op == OP_PROJ ? n->ops[0] : n;
    i64 element;
    *more = false;
    if (of->op == OP_IFELSE) {
        *more = true;
        return enter_branch(t, of, n->op == OP_PROJ ? (int)n->attrs[0].i : 0);
    }
    t->at = of;
    int next = bad_operand(t, &element);
    t->at = n;
    if (next >= 0) {
        t->at = of->ops[next];
        t->element = element;
        *more = true;
        return true;
    }
    return of->op != OP_SCAN || enter_scan(t, of, more);
}

/* An infinity that somebody wrote is no news: what made something of it is. */
static bool go_to_origin(Tracing *t)
{
    bool more = true, ok = true;
    Node *before = t->at;
    i64 element = t->element;
    while (more && ok) {
        vec_push(&t->o->path, origin_place(t->o, t->at));
        before = t->at;
        element = t->element;
        ok = go_down(t, &more);
        if (more && ok && t->at->op == OP_CONST) {
            t->at = before;
            t->element = element;
            return true;
        }
    }
    return ok;
}

/* ---- the whole ---- */

const Tensor *origin_value(const NanOrigin *o, const Node *n) { return map_get(&o->values, n); }

OriginPlace origin_place(const NanOrigin *o, Node *n)
{
    const OriginPlace *p = map_get(&o->copies, n);
    return p ? *p : (OriginPlace){n, NULL, NULL};
}

const Span *origin_derived_from(const NanOrigin *o, Store *st)
{
    OriginPlace p = origin_place(o, o->at);
    return node_derived_from(st, p.inside ? p.inside : p.node);
}

i64 origin_forward_step(Store *st, const OriginLoop *l)
{
    ScanShape s = scan_shape(l->scan);
    const Symbol *names = scan_roles(st, l->scan).names;
    bool back = false;
    for (int i = 0; i < s.nstates && s.reverse; i++)
        back = back || name_is_cotangent(st, names[i]);
    return back ? l->steps - 1 - l->step : -1;
}

bool origin_expand(const Evaluator *e, int n, Node **roots)
{
    e->st->notes_derivatives = true;
    bool ok = derivatives_expand(e->st, e->rules, e->options, n, roots);
    e->st->notes_derivatives = false;
    return ok;
}

/* The first of the results that is no number, in t->at. false after a diagnostic. */
static bool find_result(Tracing *t, int n, Node *const *roots)
{
    bool found = false;
    for (int i = 0; i < n && !found; i++) {
        if (!type_has_floats(roots[i]->type))
            continue;
        if (!evaluate(t, roots[i]))
            return false;
        t->element = first_bad(map_get(&t->o->values, roots[i]));
        t->at = roots[i];
        found = t->element >= 0;
    }
    t->o->found = found;
    return true;
}

bool origin_find(const Evaluator *e, int n, Node *const *roots, NanOrigin *out)
{
    *out = (NanOrigin){.found = false};
    Tracing t = {.e = e, .st = e->st, .o = out};
    e->st->notes_derivatives = true; /* steps and branches that are written out keep them */
    bool ok = find_result(&t, n, roots) && (!out->found || go_to_origin(&t));
    e->st->notes_derivatives = false;
    out->at = t.at;
    out->element = t.element;
    return ok;
}

void origin_free(NanOrigin *o)
{
    for (size_t i = 0; i < o->values.len; i++)
        tensor_unref(map_val(&o->values, i));
    map_free(&o->values);
    map_free(&o->copies);
    for (size_t i = 0; i < o->loops.len; i++)
        unroll_free(&o->loops.at[i].u);
    vec_free(&o->loops);
    vec_free(&o->path);
    arena_free(&o->arena);
}
