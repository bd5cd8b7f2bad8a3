/* What `until`, `if`, comparisons and the like read, however far below: a value there must not
 * overflow or underflow on its way, as what is decided cannot be taken back (a loop might never
 * end). So no step of class O is made there.
 *
 * Invariant: what a value is computed from is judged if the value is. A value that a body hands to
 * such a reader inside of it is, too. */
#include "rewrite/judged.h"

#include "graph/control.h"
#include "graph/op.h"
#include "graph/walk.h"

const char judged_says[] =
    "a condition or a comparison reads this value, so steps of class O are not allowed";

void judged_free(Judged *j)
{
    node_map_free(&j->has);
    *j = (Judged){.asked = j->asked};
}

bool judged_has(const Judged *j, const Node *n) { return node_map_has(&j->has, n); }

void judged_add(Judged *j, Node *n)
{
    NodeVec stack = {0};
    vec_push(&stack, n);
    while (stack.len) {
        Node *x = stack.at[--stack.len];
        if (node_map_has(&j->has, x))
            continue;
        node_map_put(&j->has, x, true);
        for (u32 i = 0; i < x->nops; i++)
            vec_push(&stack, x->ops[i]);
    }
    vec_free(&stack);
}

/* Does a small change of a number that it reads make another decision of its value? */
static bool decides(const Node *n)
{
    return op_traits[n->op] & DECIDES || (n->op == OP_CAST && !dtype_is_float(n->type->dtype));
}

static bool is_number(const Node *n)
{
    return n->type->kind == TYPE_TENSOR && dtype_is_float(n->type->dtype);
}

/* Operands whose values are judged in the node's bodies. */
static void add_from_bodies(Judged *j, const Node *n)
{
    int slots[4], count = n->op == OP_FUSED ? 0 : node_graphs(n, slots);
    for (int k = 0; k < count; k++) {
        const Graph *g = n->attrs[slots[k]].graph;
        Judged inside = {0};
        judged_find(&inside, g->nouts, g->outs, n, g, false);
        for (int i = 0; i < g->nparams && node_map_len(&inside.has); i++) {
            bool row;
            Node *from =
                judged_has(&inside, g->param_nodes[i]) ? body_operand(n, g, i, &row) : NULL;
            if (from)
                judged_add(j, from);
        }
        judged_free(&inside);
    }
}

/* A state that is judged at one step was computed at the one before. */
static void add_states(Judged *j, Node *const *roots, const Node *owner, const Graph *g)
{
    ScanShape s = scan_shape(owner);
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < s.nstates; i++)
            if (judged_has(j, g->param_nodes[i]) && !judged_has(j, roots[i])) {
                judged_add(j, roots[i]);
                more = true;
            }
    }
}

void judged_find(Judged *j, int nroots, Node *const *roots, const Node *owner, const Graph *g,
                 bool all)
{
    NodeVec order = {0};
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        const Node *n = order.at[i];
        for (u32 k = 0; k < n->nops && decides(n); k++)
            if (is_number(n->ops[k]))
                judged_add(j, n->ops[k]);
        add_from_bodies(j, n);
    }
    vec_free(&order);
    for (int i = 0; i < nroots && all; i++)
        judged_add(j, roots[i]);
    if (owner && owner->op == OP_SCAN)
        add_states(j, roots, owner, g);
    j->known = j->asked = true;
}
