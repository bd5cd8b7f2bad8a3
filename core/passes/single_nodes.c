/* Rules in C on single nodes: folding, flattening, shapes, calls, branches. */
#include "lang/composite.h"
#include "batch/batch.h"
#include "graph/control.h"
#include "passes/passes.h"

static bool replace(Changes *out, Node *before, Node *after)
{
    if (!after || after == before)
        return false;
    vec_push(out, ((Change){before, after}));
    return true;
}

/* ---- constants ---- */

enum { FOLD_LIMIT = 4096 }; /* elements: a large array is cheaper to compute than to keep */

static bool fold_constants(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)why;
    i64 count = 1, k;
    for (int a = 0; n->type->kind == TYPE_TENSOR && a < n->type->rank; a++) {
        if (!size_is_const(n->type->dims[a], &k))
            return false;
        if (__builtin_mul_overflow(count, k, &count))
            return false;
    }
    if (!can_fold(n) || count > FOLD_LIMIT || n->op == OP_BROADCAST || n->op == OP_IOTA ||
        n->op == OP_RNG)
        return false;
    return replace(out, n, fold_node(e->st, n));
}

/* Two constants of an n-ary node become one. */
static bool fold_operands(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)why;
    NodeVec consts = {0}, rest = {0};
    for (u32 i = 0; i < n->nops; i++) {
        bool number = n->ops[i]->op == OP_CONST && n->ops[i]->type->rank == 0;
        vec_push(number ? &consts : &rest, n->ops[i]);
    }
    bool ok = consts.len >= 2 && rest.len;
    Node *c = ok ? node_make(e->st, n->op, NULL, (u32)consts.len, consts.at) : NULL;
    if ((ok = c && (c = fold_node(e->st, c)))) {
        vec_push(&rest, c);
        ok = replace(out, n, node_make(e->st, n->op, NULL, (u32)rest.len, rest.at));
    }
    vec_free(&consts);
    vec_free(&rest);
    return ok;
}

static bool flatten(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)why;
    NodeVec ops = {0};
    bool nested = false;
    const IntList *order = map_get(&e->st->order, n);
    for (u32 k = 0; k < n->nops; k++) {
        Node *o = n->ops[order ? order->at[k] : k];
        bool open = o->op == n->op && o->type == n->type;
        const IntList *inner = open ? map_get(&e->st->order, o) : NULL;
        for (u32 j = 0; open && j < o->nops; j++)
            vec_push(&ops, o->ops[inner ? inner->at[j] : j]);
        if (!open)
            vec_push(&ops, o);
        nested = nested || open;
    }
    bool ok = nested && ops.len <= 60 &&
              replace(out, n, node_make(e->st, n->op, NULL, (u32)ops.len, ops.at));
    vec_free(&ops);
    return ok;
}

/* ---- casts and shapes ---- */

/* A new axis of length 1 that is then repeated: a new axis of that length at once. */
static bool broadcast_expand(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)why;
    Node *x = n->ops[0];
    if (x->op != OP_EXPAND_DIMS)
        return false;
    const IntList *added = x->attrs[0].ints, *axes = n->attrs[0].ints;
    i64 kept[MAX_RANK];
    u32 k = 0, count = 0;
    for (u32 i = 0; i < axes->n; i++)
        if (k < added->n && added->at[k] == i)
            k++;
        else
            kept[count++] = axes->at[i];
    Attr at = {.ints = intlist(e->st, count, kept)};
    Node *ops[MAX_RANK + 1] = {x->ops[0]};
    for (u32 i = 1; i < n->nops; i++)
        ops[i] = n->ops[i];
    Node *r = node_make(e->st, OP_BROADCAST, &at, n->nops, ops);
    return r && r->type == n->type && replace(out, n, r);
}

static bool same_type_source(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)e;
    if (n->ops[0]->type != n->type)
        return false;
    text_put(why, "the sizes are proved equal");
    return replace(out, n, n->ops[0]);
}

/* f(broadcast(s), x) => f(s, x) for a scalar s, where another operand gives the shape. */
static bool broadcast_into(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)why;
    if (!op_is_elementwise(n->op) || n->type->rank == 0)
        return false;
    bool shaped = false;
    for (u32 i = 0; i < n->nops; i++)
        shaped = shaped || (n->ops[i]->type->rank &&
                            !(n->ops[i]->op == OP_BROADCAST && !n->ops[i]->ops[0]->type->rank));
    NodeVec ops = {0};
    bool changed = false;
    for (u32 i = 0; i < n->nops; i++) {
        Node *o = n->ops[i];
        bool scalar = shaped && o->op == OP_BROADCAST && o->ops[0]->type->rank == 0;
        vec_push(&ops, scalar ? o->ops[0] : o);
        changed = changed || scalar;
    }
    Node *r = changed ? node_with_operands(e->st, n, ops.at) : NULL;
    vec_free(&ops);
    return r && r->type == n->type && replace(out, n, r);
}

/* Is there an element along every axis, for certain? */
static bool never_empty(const Type *t)
{
    i64 least;
    for (int i = 0; i < t->rank; i++)
        if (!size_lower_bound(t->dims[i], &least) || least < 1)
            return false;
    return true;
}

/* f(broadcast(a), broadcast(b)) of scalars: compute the scalar, then repeat it. It may not be
 * repeated at all: then f must not fail. */
static bool broadcast_out(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)why;
    if (!op_is_elementwise(n->op) || n->type->rank == 0 || n->nops > 8)
        return false;
    Node *ops[8] = {NULL}, *shape = NULL;
    for (u32 i = 0; i < n->nops; i++) {
        Node *o = n->ops[i];
        if (o->type->rank && !(o->op == OP_BROADCAST && !o->ops[0]->type->rank))
            return false;
        shape = o->type->rank ? o : shape;
        ops[i] = o->type->rank ? o->ops[0] : o;
    }
    Node *s = node_with_operands(e->st, n, ops), *all[MAX_RANK + 1] = {s};
    if (!s || !shape || !(never_empty(n->type) || node_is_total(e->st, s)))
        return false;
    for (u32 i = 1; i < shape->nops; i++)
        all[i] = shape->ops[i];
    Node *r = node_make(e->st, OP_BROADCAST, shape->attrs, shape->nops, all);
    return r && r->type == n->type && replace(out, n, r);
}

/* sum(broadcast(s)) over all axes: s times the number of elements. */
static bool sum_broadcast(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)why;
    Node *b = n->ops[0];
    if (b->op != OP_BROADCAST || b->ops[0]->type->rank || n->type->rank ||
        !dtype_is_number(b->type->dtype))
        return false;
    Node *count = node_i64(e->st, 1);
    for (u32 i = 1; i < b->nops; i++)
        count = build_mul(e->st, count, b->ops[i]);
    Node *c = node_cast(e->st, count, n->type->dtype);
    return replace(out, n, build_mul(e->st, c, node_cast(e->st, b->ops[0], n->type->dtype)));
}

static bool reduce_nothing(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)e, (void)why;
    return n->attrs[0].ints->n == 0 && n->ops[0]->type == n->type && replace(out, n, n->ops[0]);
}

static bool dim_known(Engine *e, Node *n, Changes *out, Text *why)
{
    Node *x = n->ops[0];
    i64 k;
    if (size_is_const(x->type->dims[n->attrs[0].i], &k)) {
        text_put(why, "the type says so");
        return replace(out, n, node_i64(e->st, k));
    }
    bool composite = op_table[x->op].cls == CLASS_COMPOSITE && x->type == x->ops[0]->type;
    if (!op_is_elementwise(x->op) && !composite) /* never compute a value for its shape only */
        return false;
    for (u32 i = 0; i < x->nops; i++)
        if (x->ops[i]->type->rank == x->type->rank &&
            x->ops[i]->type->dims[n->attrs[0].i] == x->type->dims[n->attrs[0].i])
            return replace(out, n, node1(e->st, OP_DIM, n->attrs, x->ops[i]));
    return false;
}

static bool match_proved(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)e;
    if (n->ops[0]->type != n->type)
        return false;
    for (int a = 0; a < n->type->rank; a++)
        if (n->ops[0]->type->dims[a] != n->ops[1]->type->dims[a])
            return false;
    text_put(why, "the sizes are proved equal");
    return replace(out, n, n->ops[0]);
}

static bool check_true(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)e, (void)why;
    i64 k;
    return node_const_i64(n->ops[0], &k) && k && replace(out, n, n->ops[1]);
}

/* ---- gather, write, read ---- */

/* Nothing fails in the parts of a concat but part k, which is left out of it. */
static bool others_are_total(Engine *e, const Node *c, u32 k)
{
    bool ok = true;
    for (u32 i = 0; i < c->nops && ok; i++)
        ok = i == k || fact_total(e->facts, e->st, c->ops[i]);
    return ok;
}

static bool index_of_concat(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)why;
    Node *c = n->ops[0];
    i64 i, len, at = 0;
    if (c->op != OP_CONCAT || c->attrs[0].i != n->attrs[0].i || !node_const_i64(n->ops[1], &i) ||
        i < 0)
        return false;
    for (u32 k = 0; k < c->nops; k++) {
        if (!size_is_const(c->ops[k]->type->dims[n->attrs[0].i], &len))
            return false;
        if (i < at + len)
            return others_are_total(e, c, k) &&
                   replace(
                       out, n,
                       build_index(e->st, c->ops[k], (int)n->attrs[0].i, node_i64(e->st, i - at)));
        at += len;
    }
    return false;
}

static bool index_expand(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)e, (void)why;
    Node *x = n->ops[0];
    i64 i;
    if (x->op != OP_EXPAND_DIMS || x->attrs[0].ints->n != 1 ||
        x->attrs[0].ints->at[0] != n->attrs[0].i || !node_const_i64(n->ops[1], &i) ||
        (i != 0 && i != -1))
        return false;
    return replace(out, n, x->ops[0]);
}

/* ---- calls and branches ---- */

static bool inline_call(Engine *e, Node *n, Changes *out, Text *why)
{
    if (n->ops[0]->op != OP_CALL)
        return false;
    Node *call = n->ops[0];
    Graph *g = call->attrs[0].graph;
    Node **outs = xcalloc((size_t)g->nouts + 1, sizeof *outs);
    bool ok = graph_instantiate(e->st, g, call->ops, outs);
    if (ok && call->attrs[1].name)
        text_printf(why, "the body of %s", call->attrs[1].name);
    for (int i = 0; i < g->nouts && ok; i++)
        ok = replace(out, node_proj(e->st, call, i), outs[i]);
    free(outs);
    return ok;
}

static bool known_branch(Engine *e, Node *n, Changes *out, Text *why)
{
    i64 c;
    if (n->ops[0]->op != OP_IFELSE || !node_const_i64(n->ops[0]->ops[0], &c))
        return false;
    IfShape s = if_shape(n->ops[0]);
    Graph *g = c ? s.then_graph : s.else_graph;
    const IntList *map = c ? s.then_args : s.else_args;
    Node **args = xcalloc(map->n + 1, sizeof *args),
         **outs = xcalloc((size_t)g->nouts + 1, sizeof *outs);
    for (u32 i = 0; i < map->n; i++)
        args[i] = s.operands[map->at[i]];
    bool ok = graph_instantiate(e->st, g, args, outs);
    text_printf(why, "the condition is %s", c ? "true" : "false");
    for (int i = 0; i < g->nouts && ok; i++)
        ok = replace(out, node_proj(e->st, n->ops[0], i), outs[i]);
    free(args);
    free(outs);
    return ok;
}

static bool stop_gradient_gone(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)e, (void)why;
    return replace(out, n, n->ops[0]);
}

/* ---- composites ---- */

/* b: what `op` gives over some axes of x, repeated along just those. NULL: it is not; else the
 * axes. */
static const IntList *along_rows(const Node *b, OpId op, const Node *x)
{
    const Node *r = b->op == OP_BROADCAST ? b->ops[0] : b;
    if (r->op != op || r->ops[0] != x)
        return NULL;
    const IntList *axes = r->attrs[0].ints, *kept = b == r ? NULL : b->attrs[0].ints;
    for (u32 i = 0; kept && i < kept->n; i++)
        for (u32 k = 0; k < axes->n; k++)
            if (kept->at[i] == axes->at[k])
                return NULL; /* repeated along another axis than it is over */
    return axes;
}

/* exp(x) / sum(exp(x)), x - logsumexp(x) */
static bool softmax_rows(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)why;
    bool quotient = n->op == OP_DIV;
    Node *x = n->ops[0];
    Attr a = {.ints = along_rows(n->ops[1], quotient ? OP_SUM : OP_LOGSUMEXP, x)};
    if (!a.ints || (quotient && x->op != OP_EXP) || x->type != n->type)
        return false;
    return replace(
        out, n, node1(e->st, quotient ? OP_SOFTMAX : OP_LOG_SOFTMAX, &a, quotient ? x->ops[0] : x));
}

static bool expand_composite(Engine *e, Node *n, Changes *out, Text *why)
{
    (void)why;
    return op_table[n->op].cls == CLASS_COMPOSITE && replace(out, n, composite_open(e->st, n));
}

/* ---- implicit derivatives ---- */

/* The same derivative over another graph. */
static bool replace_derivative(Engine *e, Node *n, Node *d, Changes *out)
{
    vec_push(out, ((Change){n, node_proj(e->st, d, n->attrs[0].i)}));
    for (int i = 0; i < d->type->nitems; i++)
        if (i != n->attrs[0].i)
            vec_push(out, ((Change){node_proj(e->st, n->ops[0], i), node_proj(e->st, d, i)}));
    return true;
}

static bool is_derivative(const Node *n)
{
    return op_table[n->op].cls == CLASS_IMPLICIT && n->op != OP_VMAP;
}

static bool is_truncated(const Node *d)
{
    return (d->op == OP_GRAD || d->op == OP_VJP) && d->attrs[2].i >= 0;
}

static bool truncate_loops(Engine *e, Node *n, Changes *out, Text *why)
{
    Node *d = n->ops[0], *r = is_truncated(d) ? implicit_in_parts(e->st, d) : NULL;
    if (!r)
        return false;
    text_printf(why, "nothing flows from before the last %lld steps", (long long)d->attrs[2].i);
    return replace_derivative(e, n, r, out);
}

static bool checkpoint_loops(Engine *e, Node *n, Changes *out, Text *why)
{
    Node *d = n->ops[0];
    Node *r = is_derivative(d) && !is_truncated(d) ? implicit_in_parts(e->st, d) : NULL;
    if (!r || r == d)
        return false;
    text_put(why, "only the states between segments are kept");
    return replace_derivative(e, n, r, out);
}

/* The error that stopped an expansion, where the derivative was asked for and where what has none
 * was written. */
static void report_missing(Engine *e, size_t errors)
{
    const Diags *ds = e->st->diags;
    const Diag *last = ds->list.len > errors ? &ds->list.at[ds->list.len - 1] : NULL;
    diag_add(e->report, "no-derivative", e->st->span, last ? last->hint : NULL,
             "this derivative does not exist: %s", last ? last->message : "an operator has none");
}

static bool expand_implicit(Engine *e, Node *n, Changes *out, Text *why)
{
    Node *d = n->ops[0];
    if (!is_derivative(d))
        return false;
    int count = d->type->nitems;
    Node **results = xcalloc((size_t)count + 1, sizeof *results);
    size_t errors = e->st->diags->list.len;
    bool ok = implicit_expand(e->st, d, results);
    if (!ok && !e->failed)
        report_missing(e, errors);
    e->failed = e->failed || !ok;
    text_printf(why, "%s sweep over %u nodes", d->op == OP_JVP ? "forward" : "reverse",
                graph_node_count(d->attrs[0].graph));
    if (ok)
        vec_push(out, ((Change){n, results[n->attrs[0].i]}));
    for (int i = 0; i < count && ok; i++)
        if (i != n->attrs[0].i)
            vec_push(out, ((Change){node_proj(e->st, d, i), results[i]}));
    free(results);
    return ok;
}

/* ---- batching ---- */

static bool has_implicit(const Graph *g)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len && !found; i++) {
        int slots[4], n = node_graphs(order.at[i], slots);
        found = op_table[order.at[i]->op].cls == CLASS_IMPLICIT;
        for (int k = 0; k < n && !found; k++)
            found = has_implicit(order.at[i]->attrs[slots[k]].graph);
    }
    vec_free(&order);
    return found;
}

static bool expand_vmap(Engine *e, Node *n, Changes *out, Text *why)
{
    Node *m = n->ops[0];
    if (m->op != OP_VMAP || has_implicit(m->attrs[0].graph))
        return false;
    int count = m->type->nitems;
    Node **results = xcalloc((size_t)count + 1, sizeof *results);
    bool ok = vmap_expand(e->st, m, results);
    if (!ok && !e->failed) {
        const Diags *ds = e->st->diags;
        diag_add(e->report, "no-batching", e->st->span, NULL, "this cannot be batched: %s",
                 ds->list.len ? ds->list.at[ds->list.len - 1].message : "an operator cannot");
        e->failed = true;
    }
    text_printf(why, "%u nodes for all lanes at once", graph_node_count(m->attrs[0].graph));
    if (ok)
        vec_push(out, ((Change){n, results[n->attrs[0].i]}));
    for (int i = 0; i < count && ok; i++)
        if (i != n->attrs[0].i)
            vec_push(out, ((Change){node_proj(e->st, m, i), results[i]}));
    free(results);
    return ok;
}

/* What depends on no lane is computed once and repeated. */
static bool vmap_constant(Engine *e, Node *n, Changes *out, Text *why)
{
    Node *m = n->ops[0];
    if (m->op != OP_VMAP)
        return false;
    Graph *g = m->attrs[0].graph;
    const IntList *in = m->attrs[1].ints;
    NodeVec order = {0};
    bool depends = false;
    nodes_topo(1, &g->outs[n->attrs[0].i], &order);
    for (size_t i = 0; i < order.len && !depends; i++)
        depends = order.at[i]->op == OP_PARAM && in->at[order.at[i]->attrs[0].i] >= 0;
    vec_free(&order);
    text_put(why, "it depends on no batched argument");
    return !depends && replace(out, n, vmap_repeated(e->st, m, (int)n->attrs[0].i));
}

#define RULE(NAME, PASS, CLASSES, OP_, FN, REASON) \
    {                                              \
        NAME, PASS, CLASSES, OP_, FN, REASON       \
    }
#define CANON "canonicalize"

const CodeRule structural_rules[] = {
    RULE("inline-call", "inline", HAZARD_E, OP_PROJ, inline_call,
         "a function's body in place of its call"),
    RULE("flatten-add", CANON, HAZARD_R, OP_ADD, flatten, "one sum instead of nested sums"),
    RULE("flatten-mul", CANON, HAZARD_R, OP_MUL, flatten, "one product instead of nested products"),
    RULE("fold-add", CANON, HAZARD_R, OP_ADD, fold_operands, "constants of one sum added up"),
    RULE("fold-mul", CANON, HAZARD_R, OP_MUL, fold_operands, "constants of one product multiplied"),
    RULE("reshape-same", CANON, HAZARD_E, OP_RESHAPE, same_type_source, "the shape stays"),
    RULE("broadcast-same", CANON, HAZARD_E, OP_BROADCAST, same_type_source, "the shape stays"),
    RULE("broadcast-expand", CANON, HAZARD_E, OP_BROADCAST, broadcast_expand,
         "new axes have their length at once"),
    RULE("softmax-rows", "stabilize", HAZARD_R | HAZARD_NPLUS, OP_DIV, softmax_rows,
         "no overflow in exp; each sum is repeated along the axes it is over"),
    RULE("log-softmax-rows", "stabilize", HAZARD_R, OP_SUB, softmax_rows,
         "one node; each logsumexp is repeated along the axes it is over"),
    RULE("sum-nothing", CANON, HAZARD_E, OP_SUM, reduce_nothing, "no axes to sum over"),
    RULE("sum-broadcast", CANON, HAZARD_R, OP_SUM, sum_broadcast,
         "a sum of equal numbers is a product"),
    RULE("dim-known", CANON, HAZARD_E, OP_DIM, dim_known, "a shape is known without the value"),
    RULE("match-proved", CANON, HAZARD_E, OP_MATCH_SHAPE, match_proved, "nothing is left to check"),
    RULE("check-true", CANON, HAZARD_E, OP_CHECK, check_true, "the condition holds"),
    RULE("index-concat", CANON, HAZARD_E, OP_INDEX, index_of_concat,
         "take the part from its source"),
    RULE("index-expand", CANON, HAZARD_E, OP_INDEX, index_expand, "an axis is added and indexed"),
    RULE("vmap-constant", CANON, HAZARD_E, OP_PROJ, vmap_constant,
         "the same in every lane: computed once"),
    RULE("known-branch", CANON, HAZARD_E, OP_PROJ, known_branch, "the branch that runs"),
    RULE("stop-gradient", "specialize", HAZARD_E, OP_STOP_GRADIENT, stop_gradient_gone,
         "derivatives are expanded; it means nothing now"),
    {0}};

const CodeRule derivative_rules[] = {
    RULE("truncate", "differentiate", HAZARD_E, OP_PROJ, truncate_loops,
         "a truncated derivative is that of loops whose early steps are constants"),
    RULE("checkpoint", "differentiate", HAZARD_E, OP_PROJ, checkpoint_loops,
         "a loop with a policy runs in segments, so that its derivative can keep less"),
    RULE("expand-vmap", "differentiate", HAZARD_E, OP_PROJ, expand_vmap,
         "all lanes at once, operator by operator"),
    RULE("expand-derivative", "differentiate", HAZARD_E, OP_PROJ, expand_implicit,
         "operator by operator"),
    {0}};

/* Rules that hold for every elementwise operator, one row per operator; built by the rule set. */
const CodeRule elementwise_rules[] = {
    RULE("expand-composite", "expand", HAZARD_E, OP_COUNT, expand_composite,
         "what it is made of; no rule asks for it any more"),
    RULE("fold", CANON, HAZARD_E, OP_COUNT, fold_constants,
         "the value is known while the graph is built"),
    RULE("broadcast-into", CANON, HAZARD_E, OP_COUNT, broadcast_into,
         "elementwise operators take scalars as they are"),
    RULE("broadcast-out", CANON, HAZARD_E, OP_COUNT, broadcast_out, "compute once, then repeat"),
    {0}};
