/* Where a NaN comes from.  See origin.h. */
#include "analysis/origin.h"

#include "graph/control.h"
#include "graph/names.h"
#include "graph/print.h"
#include "graph/provenance.h"
#include "passes/passes.h"
#include "ops/build.h"

#include <math.h>

typedef struct {
    const Evaluator *e;
    Store *st;
    NanOrigin *o;
    Node *at;
    i64 element;
} Tracing;

static void forget(NanOrigin *o)
{
    for (size_t i = 0; i < o->values.len; i++)
        tensor_unref(map_val(&o->values, i));
    map_free(&o->values);
    map_free(&o->copies);
}

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

/* The values of the leaves of the innermost loop. */
static const TensorMap *leaves(const Tracing *t)
{
    return t->o->loops.len ? &t->o->loops.at[t->o->loops.len - 1].probe.values : NULL;
}

/* Gives n and what it is computed from their values. */
static bool evaluate(Tracing *t, Node *n)
{
    NodeVec asked = {0};
    NodeSet seen = {0};
    find_computed(t, n, &seen, &asked);
    Tensor **at = xcalloc(asked.len + 1, sizeof *at);
    bool ok = probe_nodes(t->e, asked.len, asked.at, leaves(t), at);
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

/* Records what a copy stands for, unless that is known or the copy is shown as a number. */
static void note_place(Tracing *t, Node *copy, OriginPlace of)
{
    if (map_has(&t->o->copies, copy) || node_is_inline(copy))
        return;
    OriginPlace *p = arena_alloc(&t->o->arena, sizeof *p);
    *p = (OriginPlace){copy, of.inside ? of.inside : of.node, of.body};
    map_put(&t->o->copies, copy, p);
}

/* From here on nodes are over the leaves of the step. What was known of an outer step is forgotten,
 * because both may have the same leaves. A captured value keeps its place outside the loop. */
static void go_inside(Tracing *t, const OriginLoop *l)
{
    const ScanShape *s = &l->probe.s, outer = scan_shape(l->scan);
    int ncaptures = s->body->nparams - s->nstates - s->nseqs;
    OriginPlace *captured = xcalloc((size_t)ncaptures + 1, sizeof *captured);
    for (int i = 0; i < ncaptures; i++)
        captured[i] = origin_place(t->o, outer.captures[i]);
    forget(t->o);
    for (int i = 0; i < ncaptures; i++)
        note_place(t, s->captures[i], captured[i]);
    for (size_t i = 0; i < l->probe.copy.len; i++)
        if (map_key(&l->probe.copy, i) && map_val(&l->probe.copy, i))
            note_place(t, map_val(&l->probe.copy, i),
                       (OriginPlace){NULL, map_key(&l->probe.copy, i), s->body});
    free(captured);
}

/* True if a result of a step is not finite, as a node over the leaves; NULL after a diagnostic. */
static Node *gives_bad(Store *st, const LoopProbe *p)
{
    const Graph *g = p->s.body;
    Node *any = node_bool(st, false);
    for (int o = 0; o < p->s.steps && any; o++) {
        if (!type_has_floats(g->outs[o]->type))
            continue;
        Node *good = node1(st, OP_ISFINITE, NULL, map_get(&p->copy, g->outs[o]));
        Attr axes = {.ints = good ? all_axes(st, node_rank(good)) : NULL};
        good = good && node_rank(good) ? node1(st, OP_ALL, &axes, good) : good;
        Node *bad = good ? node1(st, OP_LOGICAL_NOT, NULL, good) : NULL;
        any = bad ? node2(st, OP_LOGICAL_OR, NULL, any, bad) : NULL;
    }
    return any;
}

/* Runs the loop to its first step with a result that is not finite; *bad: that result, or NULL.
 * false after a diagnostic. */
static bool find_step(Tracing *t, OriginLoop *l, Node **bad)
{
    LoopProbe *p = &l->probe;
    Node *test = loop_probe_open(p, t->e, l->scan, leaves(t)) ? gives_bad(t->st, p) : NULL;
    *bad = NULL;
    if (!test || !loop_probe_find(p, test, 0, &l->step) ||
        (l->step >= 0 && !loop_probe_go(p, l->step)))
        return false;
    for (int o = 0; o < p->s.steps && l->step >= 0 && !*bad; o++)
        *bad = first_bad(p->now[o]) >= 0 ? map_get(&p->copy, p->s.body->outs[o]) : NULL;
    return true;
}

/* Goes from a result of a loop to what gave it first in its body. *entered: false if all its steps
 * give numbers. false after a diagnostic. */
static bool enter_scan(Tracing *t, Node *scan, bool *entered)
{
    OriginLoop l = {.scan = scan};
    Node *bad;
    bool ok = find_step(t, &l, &bad);
    *entered = bad != NULL;
    if (!bad) {
        loop_probe_free(&l.probe);
        return ok;
    }
    go_inside(t, &l);
    vec_push(&t->o->loops, l);
    t->at = bad;
    ok = evaluate(t, bad);
    t->element = ok ? first_bad(map_get(&t->o->values, bad)) : -1;
    return ok;
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
    NodeMap memo = {0};
    for (int i = 0; i < g->nparams; i++)
        map_put(&memo, g->param_nodes[i], s.operands[args->at[i]]);
    NameScope *around = t->st->scope;
    t->st->scope = NULL; /* the copies are not over the branch's parameters */
    Node *taken = node_substitute(t->st, g->outs[result], &memo);
    t->st->scope = around;
    body_names_carry(t->st, g, &memo, NULL);
    t->at = taken ? taken : t->at;
    bool ok = taken && evaluate(t, taken);
    /* Leaves of a step have no names of their own. */
    for (size_t i = 0; i < memo.len && t->o->loops.len; i++)
        if (map_key(&memo, i) && map_val(&memo, i))
            note_place(t, map_val(&memo, i), (OriginPlace){NULL, map_key(&memo, i), g});
    map_free(&memo);
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
    return back ? l->probe.steps - 1 - l->step : -1;
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
    forget(o);
    for (size_t i = 0; i < o->loops.len; i++)
        loop_probe_free(&o->loops.at[i].probe);
    vec_free(&o->loops);
    vec_free(&o->path);
    arena_free(&o->arena);
}
