/* Evaluating nodes of many graphs in one run.  See probe.h. */
#include "analysis/probe.h"

#include "graph/control.h"
#include "passes/passes.h"

static bool run(const Evaluator *e, NodeVec *roots, const TensorMap *values, u64 work, Tensor **out)
{
    if (!derivatives_expand(e->st, e->rules, e->options, (int)roots->len, roots->at))
        return false;
    Program *p = plan_build_with(e->st, (int)roots->len, roots->at, e->plan_flags);
    bool ok = p && e->run(e->ctx, p, values, work, out);
    program_free(p);
    return ok;
}

/* Of those nodes that are chosen (NULL: all), in one run. */
static bool probe(const Evaluator *e, size_t n, Node *const *nodes, const bool *chosen,
                  const TensorMap *values, u64 work, Tensor **at)
{
    NodeVec roots = {0};
    for (size_t i = 0; i < n; i++)
        if (nodes[i] && (!chosen || chosen[i]))
            vec_push(&roots, nodes[i]);
    Tensor **out = xcalloc(roots.len + 1, sizeof *out);
    bool ok = !roots.len || run(e, &roots, values, work, out);
    for (size_t i = 0, k = 0; i < n; i++)
        at[i] = ok && nodes[i] && (!chosen || chosen[i]) ? out[k++] : NULL;
    free(out);
    vec_free(&roots);
    return ok;
}

bool probe_nodes(const Evaluator *e, size_t n, Node *const *nodes, const TensorMap *values,
                 Tensor **at)
{
    return probe(e, n, nodes, NULL, values, 0, at);
}

bool probe_limited(const Evaluator *e, size_t n, Node *const *nodes, const TensorMap *values,
                   u64 work, Tensor **at)
{
    return probe(e, n, nodes, NULL, values, work, at);
}

void probe_release(Tensor **at, size_t n)
{
    for (size_t i = 0; at && i < n; i++)
        tensor_unref(at[i]);
    free(at);
}

/* ---- as far as it is known ---- */

static bool is_unknown(const Evaluator *e, const Node *n, bool all_inputs)
{
    if (n->op == OP_PARAM || n->open)
        return true;
    if (n->op == OP_INPUT)
        return !e->has_value(e->ctx, n);
    return n->op == OP_SIZE && !all_inputs;
}

/* The nodes whose values can be had. */
static void find_known(const Evaluator *e, const NodeVec *order, NodeSet *known)
{
    bool all_inputs = true;
    for (size_t i = 0; i < order->len; i++)
        if (order->at[i]->op == OP_INPUT)
            all_inputs = all_inputs && !is_unknown(e, order->at[i], true);
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        bool ok = !is_unknown(e, n, all_inputs);
        for (u32 k = 0; ok && k < n->nops; k++)
            ok = map_has(known, n->ops[k]);
        if (ok)
            set_add(known, n);
    }
}

bool probe_known(const Evaluator *e, size_t n, Node *const *nodes, u64 work, Tensor **at)
{
    NodeVec given = {0}, order = {0};
    NodeSet known = {0};
    bool *chosen = xcalloc(n + 1, sizeof *chosen);
    for (size_t i = 0; i < n; i++)
        if (nodes[i])
            vec_push(&given, nodes[i]);
    nodes_topo((int)given.len, given.at, &order);
    find_known(e, &order, &known);
    for (size_t i = 0; i < n; i++)
        chosen[i] = nodes[i] && nodes[i]->type->kind == TYPE_TENSOR && map_has(&known, nodes[i]);
    DiagTry trial;
    diag_try_begin(&trial, &e->st->diags);
    bool ok = probe(e, n, nodes, chosen, NULL, work, at);
    diag_try_end(&trial);
    free(chosen);
    vec_free(&given);
    vec_free(&order);
    map_free(&known);
    return ok;
}

bool probe_number(const Evaluator *e, Node *n, double *x)
{
    enum { SIZE_WORK = 1000000 }; /* elements and steps, to find it */
    Tensor *t = NULL;
    if (!n || n->open || !probe_known(e, 1, &n, SIZE_WORK, &t) || !t)
        return false;
    *x = tensor_f64_at(t, 0);
    tensor_unref(t);
    return true;
}

Node *probe_missing(const Evaluator *e, int n, Node *const *roots)
{
    NodeVec order = {0};
    Node *first = NULL;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len && !first; i++) {
        Node *x = order.at[i];
        bool leaf = x->op == OP_INPUT || x->op == OP_SHARED || x->op == OP_SIZE;
        if (leaf && !e->has_value(e->ctx, x))
            first = x;
    }
    vec_free(&order);
    return first;
}

bool probe_steps(const Evaluator *e, Node *scan, i64 *steps, bool *stopped)
{
    int at = scan_shape(scan).steps;
    Node *asked[] = {node_proj(e->st, scan, at), node_proj(e->st, scan, at + 1)};
    Tensor *values[2];
    if (!asked[0] || !asked[1] || !probe_nodes(e, 2, asked, NULL, values))
        return false;
    *steps = tensor_i64_at(values[0], 0);
    *stopped = tensor_i64_at(values[1], 0) != 0;
    tensor_unref(values[0]);
    tensor_unref(values[1]);
    return true;
}
