/* Evaluating many nodes of many graphs in one run, as far as it is known what they depend on.
 *
 * Invariant: the session is left as it was: diagnostics and the limit of work are put back. */
#include "repl/commands/known_values.h"

#include "passes/passes.h"

static bool is_unknown(Session *s, const Node *n, bool all_inputs)
{
    if (n->op == OP_PARAM || n->open)
        return true;
    if (n->op == OP_INPUT) {
        Leaf *leaf = session_leaf(s, n);
        return !leaf || !leaf->value;
    }
    return n->op == OP_SIZE && !all_inputs;
}

/* The nodes whose values can be had. */
static void find_known(Session *s, const NodeVec *order, PtrMap *known)
{
    bool all_inputs = true;
    for (size_t i = 0; i < order->len; i++)
        if (order->at[i]->op == OP_INPUT)
            all_inputs = all_inputs && !is_unknown(s, order->at[i], true);
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        bool ok = !is_unknown(s, n, all_inputs);
        for (u32 k = 0; ok && k < n->nops; k++)
            ok = map_has(known, n->ops[k]);
        if (ok)
            map_put(known, n, n);
    }
}

static bool evaluate(Session *s, NodeVec *roots, u64 work, Tensor **out)
{
    Diags said = s->diags;
    u64 limit = s->work_limit;
    s->diags = (Diags){0};
    s->work_limit = work;
    bool ok = derivatives_expand(&s->st, &s->rules, (int)roots->len, roots->at) &&
              session_evaluate_raw(s, (int)roots->len, roots->at, NULL, out);
    s->work_limit = limit;
    diags_free(&s->diags);
    s->diags = said;
    return ok;
}

bool known_values(Session *s, int n, Node *const *nodes, u64 work, Tensor **at)
{
    NodeVec given = {0}, order = {0}, roots = {0};
    VEC(int) places = {0};
    PtrMap known = {0};
    for (int i = 0; i < n; i++)
        if (nodes[i])
            vec_push(&given, nodes[i]);
    nodes_topo((int)given.len, given.at, &order);
    find_known(s, &order, &known);
    for (int i = 0; i < n; i++)
        if (nodes[i] && nodes[i]->type->kind == TYPE_TENSOR && map_has(&known, nodes[i])) {
            vec_push(&roots, nodes[i]);
            vec_push(&places, i);
        }
    Tensor **out = xcalloc(roots.len + 1, sizeof *out);
    bool ok = !roots.len || evaluate(s, &roots, work, out);
    for (size_t i = 0; ok && i < roots.len; i++)
        at[places.at[i]] = out[i];
    free(out);
    vec_free(&given);
    vec_free(&order);
    vec_free(&roots);
    vec_free(&places);
    map_free(&known);
    return ok;
}

bool known_number(Session *s, Node *n, double *x)
{
    enum { SIZE_WORK = 1000000 }; /* elements and steps, to find it */
    Tensor *t = NULL;
    if (!n || n->open || !known_values(s, 1, &n, SIZE_WORK, &t) || !t)
        return false;
    *x = tensor_f64_at(t, 0);
    tensor_unref(t);
    return true;
}
