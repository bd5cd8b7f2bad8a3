/* Rules in C on single nodes: folding, flattening, shapes, calls, branches. */
#include "lang/composite.h"
#include "graph/provenance.h"

#include "graph/walk.h"
#include "batch/batch.h"
#include "grad/implicit.h"
#include "graph/control.h"
#include "passes/code_rules.h"
#include "passes/openers.h"

enum {
    FLAT_OPERANDS = 60, /* fewer than rules match in any order (RULE_OPERANDS) */
    LIFT_OPERANDS = 8   /* of an elementwise operator on repeated scalars: most have two */
};

static bool replace(Site *site, Node *before, Node *after)
{
    if (!after || after == before)
        return false;
    site_put(site, before, after);
    return true;
}

static bool is_nested(const Node *n, const Node *operand)
{
    return operand->op == n->op && operand->type == n->type;
}

static bool flatten(Site *site)
{
    Node *n = site->node, *ops[FLAT_OPERANDS];
    u32 count = 0, place = 0;
    for (u32 k = 0; k < n->nops; k++)
        count += is_nested(n, n->ops[k]) ? n->ops[k]->nops : 1;
    if (count == n->nops)
        return site_refuse(site, NULL, "no operand is the same operator");
    if (count > FLAT_OPERANDS)
        return site_refuse(site, NULL, "the result would have more than %d operands",
                           FLAT_OPERANDS);
    for (u32 k = 0; k < n->nops; k++) {
        Node *o = node_operand_shown(site->st, n, k);
        for (u32 j = 0; is_nested(n, o) && j < o->nops; j++)
            ops[place++] = node_operand_shown(site->st, o, j);
        if (!is_nested(n, o))
            ops[place++] = o;
    }
    return replace(site, n, node_make(site->st, n->op, NULL, count, ops));
}

/* ---- casts and shapes ---- */

/* A new axis of length 1 that is then repeated: a new axis of that length at once. */
static bool broadcast_expand(Site *site)
{
    Node *n = site->node;
    Node *x = n->ops[0];
    if (x->op != OP_EXPAND_DIMS)
        return site_refuse(site, NULL, "its operand has no axis to merge");
    const IntList *added = x->attrs[0].ints, *axes = n->attrs[0].ints;
    i64 kept[MAX_RANK];
    u32 k = 0, count = 0;
    for (u32 i = 0; i < axes->n; i++)
        if (k < added->n && added->at[k] == i)
            k++;
        else
            kept[count++] = axes->at[i];
    Attr at = {.ints = intlist(site->st, count, kept)};
    Node *ops[MAX_RANK + 1] = {x->ops[0]};
    for (u32 i = 1; i < n->nops; i++)
        ops[i] = n->ops[i];
    Node *r = node_make(site->st, OP_BROADCAST, &at, n->nops, ops);
    return r && r->type == n->type && replace(site, n, r);
}

static bool same_type_source(Site *site)
{
    Node *n = site->node;
    if (n->ops[0]->type != n->type)
        return site_refuse(site, NULL, "its result has another shape");
    site_why(site, "the sizes are proved equal");
    return replace(site, n, n->ops[0]);
}

static bool is_repeated_scalar(const Node *n)
{
    return n->op == OP_BROADCAST && !n->ops[0]->type->rank;
}

/* f(broadcast(s), x) => f(s, x) for a scalar s, where another operand gives the shape. */
static bool broadcast_into(Site *site)
{
    Node *n = site->node;
    if (!op_is_elementwise(n->op) || n->type->rank == 0)
        return false;
    bool shaped = false, repeated = false;
    for (u32 i = 0; i < n->nops; i++) {
        bool scalar = is_repeated_scalar(n->ops[i]);
        shaped = shaped || (n->ops[i]->type->rank && !scalar);
        repeated = repeated || scalar;
    }
    if (!shaped || !repeated)
        return site_refuse(site, NULL,
                           shaped ? "no operand is a repeated scalar"
                                  : "each operand is a repeated scalar");
    NodeVec ops = {0};
    for (u32 i = 0; i < n->nops; i++)
        vec_push(&ops, is_repeated_scalar(n->ops[i]) ? n->ops[i]->ops[0] : n->ops[i]);
    Node *r = node_with_operands(site->st, n, ops.at);
    vec_free(&ops);
    return r && r->type == n->type && replace(site, n, r);
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

static bool all_constant(u32 n, Node *const *nodes)
{
    u32 i = 0;
    while (i < n && nodes[i]->op == OP_CONST)
        i++;
    return i == n;
}

/* f(broadcast(a), broadcast(b)) of scalars: compute the scalar, then repeat it. It may not be
 * repeated at all: then f must not fail, and its derivative, which is then multiplied by a sum over
 * nothing, must not be infinite. */
static bool broadcast_out(Site *site)
{
    Node *n = site->node;
    if (!op_is_elementwise(n->op) || n->type->rank == 0 || n->nops > LIFT_OPERANDS)
        return site_refuse(site, NULL, "it is not an elementwise operator on an array");
    Node *ops[LIFT_OPERANDS] = {NULL}, *shape = NULL;
    for (u32 i = 0; i < n->nops; i++) {
        Node *o = n->ops[i];
        if (o->type->rank && !(o->op == OP_BROADCAST && !o->ops[0]->type->rank))
            return site_refuse(site, o, "an operand is not a repeated scalar");
        shape = o->type->rank ? o : shape;
        ops[i] = o->type->rank ? o->ops[0] : o;
    }
    Node *s = node_with_operands(site->st, n, ops), *all[MAX_RANK + 1] = {s};
    if (site_is_derived(site) && !never_empty(n->type) && !all_constant(n->nops, ops))
        return site_refuse(site, NULL, "it is inside a derivative, and may be empty");
    if (!s || !shape || !(never_empty(n->type) || node_is_total(site->st, s)))
        return site_refuse(site, NULL,
                           "it can raise an error, but on an empty array it would not run");
    for (u32 i = 1; i < shape->nops; i++)
        all[i] = shape->ops[i];
    Node *r = node_make(site->st, OP_BROADCAST, shape->attrs, shape->nops, all);
    return r && r->type == n->type && replace(site, n, r);
}

/* sum(broadcast(s)) over all axes: s times the number of elements. */
static bool sum_broadcast(Site *site)
{
    Node *n = site->node;
    Node *b = n->ops[0];
    if (b->op != OP_BROADCAST || b->ops[0]->type->rank || n->type->rank ||
        !dtype_is_number(b->type->dtype))
        return site_refuse(site, NULL, "it is not a full sum of a repeated scalar");
    if (!never_empty(b->type) && dtype_is_float(node_dtype(n)) &&
        !fact_finite(site->facts, b->ops[0]))
        return site_refuse(site, b->ops[0],
                           "it may be nan or infinite, and the array may be empty");
    Node *product = node_cast(site->st, b->ops[0], n->type->dtype);
    Node *sizes[MAX_RANK];
    int rank = (int)b->nops - 1;
    for (int i = 0; i < rank; i++) /* as floats: the product of the sizes may not fit an integer */
        sizes[i] = node_cast(site->st, b->ops[i + 1], n->type->dtype);
    return replace(site, n, build_mul(site->st, build_product(site->st, rank, sizes), product));
}

static bool reduce_nothing(Site *site)
{
    Node *n = site->node;
    if (n->attrs[0].ints->n || n->ops[0]->type != n->type)
        return site_refuse(site, NULL, "it sums over an axis");
    return replace(site, n, n->ops[0]);
}

static bool dim_known(Site *site)
{
    Node *n = site->node;
    Node *x = n->ops[0];
    bool computed = size_has_kind(x->type->dims[n->attrs[0].i], ATOM_NODE);
    Node *typed = computed ? NULL : node_dim(site->st, x, (int)n->attrs[0].i);
    if (typed && typed->op != OP_DIM) {
        site_why(site, "the type states the size");
        return replace(site, n, typed);
    }
    bool composite = op_table[x->op].cls == CLASS_COMPOSITE && x->type == x->ops[0]->type;
    if (!op_is_elementwise(x->op) && !composite) /* never compute a value for its shape only */
        return site_refuse(site, x, "the size is unknown, and no operand has it");
    for (u32 i = 0; i < x->nops; i++)
        if (x->ops[i]->type->rank == x->type->rank &&
            x->ops[i]->type->dims[n->attrs[0].i] == x->type->dims[n->attrs[0].i])
            return replace(site, n, node1(site->st, OP_DIM, n->attrs, x->ops[i]));
    return site_refuse(site, x, "no operand is known to have that size");
}

static bool match_proved(Site *site)
{
    Node *n = site->node;
    bool same = n->ops[0]->type == n->type;
    for (int a = 0; a < n->type->rank && same; a++)
        same = n->ops[0]->type->dims[a] == n->ops[1]->type->dims[a];
    if (!same)
        return site_refuse(site, NULL, "the sizes are not proved equal");
    site_why(site, "the sizes are proved equal");
    return replace(site, n, n->ops[0]);
}

static bool check_true(Site *site)
{
    Node *n = site->node;
    i64 k;
    if (!node_const_i64(n->ops[0], &k) || !k)
        return site_refuse(site, NULL, "the condition is not known to hold");
    return replace(site, n, n->ops[1]);
}

/* ---- gather, write, read ---- */

static bool index_expand(Site *site)
{
    Node *n = site->node;
    Node *x = n->ops[0];
    i64 i;
    if (x->op != OP_EXPAND_DIMS || x->attrs[0].ints->n != 1 ||
        x->attrs[0].ints->at[0] != n->attrs[0].i || !node_const_i64(n->ops[1], &i) ||
        (i != 0 && i != -1))
        return site_refuse(site, NULL, "it does not index an added axis");
    return replace(site, n, x->ops[0]);
}

/* ---- calls and branches ---- */

static bool inline_call(Site *site)
{
    Node *n = site->node;
    if (n->ops[0]->op != OP_CALL)
        return site_refuse(site, NULL, "it is not the result of a call");
    Node *call = n->ops[0];
    Graph *g = call->attrs[0].graph;
    Node **outs = xcalloc((size_t)g->nouts + 1, sizeof *outs);
    bool ok = graph_instantiate(site->st, g, call->ops, outs);
    if (ok && call->attrs[1].name)
        site_why(site, "the body of %s", call->attrs[1].name);
    for (int i = 0; i < g->nouts && ok; i++)
        ok = replace(site, node_proj(site->st, call, i), outs[i]);
    free(outs);
    return ok;
}

/* The results of one branch, by its graph and which operands it takes, in place of those of the
 * `if`. */
static bool put_branch(Site *site, Node *choice, Graph *g, const IntList *taken)
{
    Node **operands = if_shape(choice).operands;
    Node **args = xcalloc(taken->n + 1, sizeof *args),
         **outs = xcalloc((size_t)g->nouts + 1, sizeof *outs);
    for (u32 i = 0; i < taken->n; i++)
        args[i] = operands[taken->at[i]];
    bool ok = graph_instantiate(site->st, g, args, outs);
    for (int i = 0; i < g->nouts && ok; i++)
        ok = replace(site, node_proj(site->st, choice, i), outs[i]);
    free(args);
    free(outs);
    return ok;
}

static bool known_branch(Site *site)
{
    Node *n = site->node;
    i64 c;
    if (n->ops[0]->op != OP_IFELSE)
        return site_refuse(site, NULL, "it is not the result of an `if`");
    if (!node_const_i64(n->ops[0]->ops[0], &c))
        return site_refuse(site, NULL, "the condition is not a constant");
    IfShape s = if_shape(n->ops[0]);
    site_why(site, "the condition is %s", c ? "true" : "false");
    return put_branch(site, n->ops[0], c ? s.then_graph : s.else_graph,
                      c ? s.then_args : s.else_args);
}

/* What a branch gives as result i if it computes nothing for it: an operand or a constant. */
static Node *handed_on(const IfShape *s, const Graph *g, const IntList *taken, int i)
{
    Node *out = g->outs[i];
    if (out->op == OP_PARAM)
        return s->operands[taken->at[out->attrs[0].i]];
    return out->op == OP_CONST ? out : NULL;
}

/* Both branches give the same: all that they give if they are one graph over the same operands, or
 * single results that no branch computes. A condition that may fail stays, with its error. */
static bool same_branches(Site *site)
{
    Node *n = site->node;
    Store *st = site->st;
    IfShape s = if_shape(n);
    const IntList *used = site_used(site);
    bool whole = s.then_graph == s.else_graph && s.then_args == s.else_args, found = whole;
    if (!fact_total(site->facts, st, s.condition))
        return site_refuse(site, NULL,
                           "computing the condition can raise an error, which would be lost");
    if (whole && !put_branch(site, n, s.then_graph, s.then_args))
        return false;
    for (int i = 0; i < n->type->nitems && !whole; i++) {
        Node *yes = handed_on(&s, s.then_graph, s.then_args, i);
        if (!result_is_used(used, i))
            continue;
        if (!yes || yes != handed_on(&s, s.else_graph, s.else_args, i))
            site_refuse(site, NULL, "result %d differs between the branches, or they compute it",
                        i + 1);
        else
            found = replace(site, node_proj(st, n, i), yes) || found;
    }
    return found;
}

static bool stop_gradient_gone(Site *site)
{
    Node *n = site->node;
    return replace(site, n, n->ops[0]);
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
static bool softmax_rows(Site *site)
{
    Node *n = site->node;
    bool quotient = n->op == OP_DIV;
    Node *x = n->ops[0];
    Attr a = {.ints = along_rows(n->ops[1], quotient ? OP_SUM : OP_LOGSUMEXP, x)};
    if (!a.ints || (quotient && x->op != OP_EXP) || x->type != n->type)
        return site_refuse(site, NULL,
                           quotient ? "it is not exp(x) over its own sum"
                                    : "the subtracted term is not its logsumexp");
    return replace(
        site, n,
        node1(site->st, quotient ? OP_SOFTMAX : OP_LOG_SOFTMAX, &a, quotient ? x->ops[0] : x));
}

static bool expand_composite(Site *site)
{
    Node *n = site->node;
    return op_table[n->op].cls == CLASS_COMPOSITE && replace(site, n, composite_open(site->st, n));
}

/* ---- implicit derivatives ---- */

/* The same derivative over another graph. */
static bool replace_derivative(Site *site, Node *d)
{
    Node *n = site->node;
    site_put(site, n, node_proj(site->st, d, n->attrs[0].i));
    for (int i = 0; i < d->type->nitems; i++)
        if (i != n->attrs[0].i)
            site_put(site, node_proj(site->st, n->ops[0], i), node_proj(site->st, d, i));
    return true;
}

static bool is_derivative(const Node *n)
{
    return op_table[n->op].cls == CLASS_IMPLICIT && n->op != OP_VMAP;
}

static bool is_truncated(const Node *d) { return is_derivative(d) && d->attrs[2].i >= 0; }

static bool truncate_loops(Site *site)
{
    Node *n = site->node;
    Node *d = n->ops[0], *r = is_truncated(d) ? implicit_in_parts(site->st, d) : NULL;
    if (!r)
        return site_refuse(site, NULL, "it is not the result of a truncated derivative");
    site_why(site, "no cotangent passes from before the last %lld steps", (long long)d->attrs[2].i);
    return replace_derivative(site, r);
}

static bool checkpoint_loops(Site *site)
{
    Node *n = site->node;
    Node *d = n->ops[0];
    Node *r = is_derivative(d) && !is_truncated(d) ? implicit_in_parts(site->st, d) : NULL;
    if (!r || r == d)
        return site_refuse(site, NULL,
                           "it is not the result of a derivative of a loop with a policy");
    site_why(site, "only the states between segments are kept");
    return replace_derivative(site, r);
}

/* The results of what the site is a projection of (NULL: not wanted) take their places. Frees them.
 */
static bool put_results(Site *site, bool ok, Node **results)
{
    Node *n = site->node, *owner = n->ops[0];
    if (ok)
        site_put(site, n, results[n->attrs[0].i]);
    for (int i = 0; i < owner->type->nitems && ok; i++)
        if (i != n->attrs[0].i && results[i])
            site_put(site, node_proj(site->st, owner, i), results[i]);
    free(results);
    return ok;
}

static bool expand_implicit(Site *site)
{
    Node *n = site->node;
    Node *d = n->ops[0];
    if (!is_derivative(d))
        return site_refuse(site, NULL, "it is not the result of a derivative");
    const Graph *g = d->attrs[0].graph;
    if (nodes_any(g->nouts, g->outs, node_is_implicit))
        return site_refuse(site, NULL,
                           "it contains a derivative or a vmap that must be expanded first");
    int count = d->type->nitems;
    Node **results = xcalloc((size_t)count + 1, sizeof *results);
    bool *wanted = xcalloc((size_t)count + 1, sizeof *wanted);
    for (int i = 0; i < count; i++)
        wanted[i] = result_is_used(site_used(site), i) || i == n->attrs[0].i;
    size_t errors = site->st->diags->list.len;
    bool ok = implicit_expand(site->st, d, wanted, results, site_records(site));
    if (!ok)
        site_fail(site, "no-derivative", errors, "cannot differentiate this expression",
                  "an operator has no derivative");
    site_why(site, "%s sweep over %u nodes", d->op == OP_JVP ? "forward" : "reverse",
             graph_node_count(d->attrs[0].graph));
    for (int i = 0; i < count; i++)
        results[i] = wanted[i] ? results[i] : NULL;
    free(wanted);
    return put_results(site, ok, results);
}

/* ---- batching ---- */

static bool expand_vmap(Site *site)
{
    Node *m = site->node->ops[0];
    if (m->op != OP_VMAP)
        return site_refuse(site, NULL, "it is not the result of vmap");
    const Graph *g = m->attrs[0].graph;
    if (nodes_any(g->nouts, g->outs, node_is_implicit))
        return site_refuse(site, NULL,
                           "it contains a derivative or a vmap that must be expanded first");
    int count = m->type->nitems;
    Node **results = xcalloc((size_t)count + 1, sizeof *results);
    bool ok = vmap_expand(site->st, m, results);
    if (!ok)
        site_fail(site, "no-batching", 0, "this cannot be batched",
                  "an operator has no batching rule");
    site_why(site, "%u nodes for all lanes at once", graph_node_count(m->attrs[0].graph));
    return put_results(site, ok, results);
}

/* What depends on no lane is computed once and repeated. */
static bool vmap_constant(Site *site)
{
    Node *n = site->node;
    Node *m = n->ops[0];
    if (m->op != OP_VMAP)
        return site_refuse(site, NULL, "it is not the result of vmap");
    Graph *g = m->attrs[0].graph;
    const IntList *in = m->attrs[1].ints;
    NodeVec order = {0};
    bool depends = false;
    nodes_topo(1, &g->outs[n->attrs[0].i], &order);
    for (size_t i = 0; i < order.len && !depends; i++)
        depends = order.at[i]->op == OP_PARAM && in->at[order.at[i]->attrs[0].i] >= 0;
    vec_free(&order);
    if (depends)
        return site_refuse(site, NULL, "it depends on a batched argument");
    site_why(site, "it depends on no batched argument");
    return replace(site, n, vmap_repeated(site->st, m, (int)n->attrs[0].i));
}

/* Each operator gives at least what it is of: exp(relu(x)) is at least x. */
static bool rises_from(const Node *z, const Node *x, int look)
{
    if (!(op_traits[z->op] & RISES) || !look)
        return false;
    for (u32 i = 0; i < z->nops; i++)
        if (z->ops[i]->type == z->type && (z->ops[i] == x || rises_from(z->ops[i], x, look - 1)))
            return true;
    return false;
}

/* The larger, or the less, of x and what was made of it. */
static bool extreme_of_risen(Site *site)
{
    enum { LOOK = 4 }; /* operators */
    Node *n = site->node;
    for (int i = 0; n->nops == 2 && i < 2; i++) {
        Node *risen = n->ops[i], *x = n->ops[1 - i];
        Node *after = n->op == OP_MAXIMUM ? risen : x;
        if (rises_from(risen, x, LOOK) && after->type == n->type) {
            site_put(site, n, after);
            return true;
        }
    }
    return site_refuse(site, NULL, "neither operand is proved to be at least the other");
}

#define RULE(NAME, PASS, CLASSES, OP_, FN, REASON) \
    {                                              \
        NAME, PASS, CLASSES, OP_, FN, REASON, NULL \
    }
#define CANON "canonicalize"

const CodeRule structural_rules[] = {
    RULE("inline-call", "inline", HAZARD_E, OP_PROJ, inline_call,
         "a call is replaced with the function's body"),
    RULE("flatten-add", CANON, HAZARD_R | HAZARD_O, OP_ADD, flatten, "nested sums become one sum"),
    RULE("flatten-mul", CANON, HAZARD_R | HAZARD_O, OP_MUL, flatten,
         "nested products become one product"),
    RULE("fold-add", CANON, HAZARD_R | HAZARD_O, OP_ADD, fold_operands,
         "constant terms are added up"),
    RULE("fold-mul", CANON, HAZARD_R | HAZARD_O, OP_MUL, fold_operands,
         "constant factors are multiplied"),
    RULE("reshape-same", CANON, HAZARD_E, OP_RESHAPE, same_type_source,
         "the shape does not change"),
    RULE("broadcast-same", CANON, HAZARD_E, OP_BROADCAST, same_type_source,
         "the shape does not change"),
    RULE("broadcast-expand", CANON, HAZARD_E, OP_BROADCAST, broadcast_expand,
         "the added axes get their final length at once"),
    RULE("softmax-rows", "stabilize", HAZARD_R | HAZARD_NPLUS, OP_DIV, softmax_rows,
         "no overflow in exp; each sum is repeated along the axes it is over"),
    RULE("log-softmax-rows", "stabilize", HAZARD_R | HAZARD_NPLUS, OP_SUB, softmax_rows,
         "one node; each logsumexp is repeated along the axes it is over"),
    RULE("maximum-risen", CANON, HAZARD_R, OP_MAXIMUM, extreme_of_risen,
         "the other operand is at least as large"),
    RULE("minimum-risen", CANON, HAZARD_R, OP_MINIMUM, extreme_of_risen,
         "the other operand is at least as large"),
    RULE("sum-nothing", CANON, HAZARD_E, OP_SUM, reduce_nothing, "no axes to sum over"),
    RULE("sum-broadcast", CANON, HAZARD_R, OP_SUM, sum_broadcast,
         "a sum of equal numbers is a product"),
    RULE("dim-known", CANON, HAZARD_E, OP_DIM, dim_known,
         "the size is known without computing the value"),
    RULE("match-proved", CANON, HAZARD_E, OP_MATCH_SHAPE, match_proved,
         "the shapes are proved equal"),
    RULE("check-true", CANON, HAZARD_E, OP_CHECK, check_true, "the condition holds"),
    RULE("index-expand", CANON, HAZARD_E, OP_INDEX, index_expand,
         "an index into an added axis reads the operand"),
    RULE("index-elementwise", "lift", HAZARD_E, OP_INDEX, index_elementwise,
         "only the elements that are read are computed"),
    RULE("slice-elementwise", "lift", HAZARD_E, OP_SLICE, index_elementwise,
         "only the elements that are read are computed"),
    RULE("vmap-constant", CANON, HAZARD_E, OP_PROJ, vmap_constant,
         "it is the same for every batch element: computed once"),
    RULE("known-branch", CANON, HAZARD_E, OP_PROJ, known_branch,
         "the condition is known: only this branch runs"),
    RULE("same-branches", CANON, HAZARD_E, OP_IFELSE, same_branches,
         "both branches give the same result"),
    RULE("stop-gradient", "specialize", HAZARD_E, OP_STOP_GRADIENT, stop_gradient_gone,
         "derivatives are expanded: the marker has no effect now"),
    {0}};

const CodeRule derivative_rules[] = {
    RULE("truncate", "differentiate", HAZARD_E, OP_PROJ, truncate_loops,
         "a truncated derivative is that of loops whose early steps are constants"),
    RULE("checkpoint", "differentiate", HAZARD_E, OP_PROJ, checkpoint_loops,
         "a loop with a policy runs in segments, so that its derivative can keep less"),
    {"expand-vmap", "lanes", HAZARD_E, OP_PROJ, expand_vmap, "batched operator by operator",
     &open_vmap},
    {"expand-derivative", "differentiate", HAZARD_E, OP_PROJ, expand_implicit,
     "operator by operator", &open_derivative},
    {0}};

/* Rules that hold for every elementwise operator, one row per operator; built by the rule set. */
const CodeRule elementwise_rules[] = {
    RULE("expand-composite", "expand", HAZARD_E, OP_COUNT, expand_composite,
         "it is replaced with its definition; no later rule needs it"),
    RULE("fold", CANON, HAZARD_E, OP_COUNT, fold_constants,
         "the value is known while the graph is built"),
    RULE("fold-sign", "specialize", HAZARD_E, OP_NEG, fold_sign,
         "the number in the product changes its sign instead"),
    RULE("broadcast-into", CANON, HAZARD_E, OP_COUNT, broadcast_into,
         "elementwise operators take scalars as they are"),
    RULE("view-once", CANON, HAZARD_E, OP_COUNT, view_once,
         "reversed or transposed once, after what is computed"),
    RULE("broadcast-out", CANON, HAZARD_E, OP_COUNT, broadcast_out, "compute once, then repeat"),
    {0}};
