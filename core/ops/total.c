/* Is it proved, from types and constants alone, that a node cannot fail when its operands
 * are there? What runs at other times than the program says (before a loop that may take
 * no step, for all rows at once) has to be total, or the loop has to run at least once. */
#include "ops/build.h"
#include "ops/scan_edit.h"

static bool at_least(const Size *s, i64 low)
{
    i64 bound;
    return size_lower_bound(s, &bound) && bound >= low;
}

/* The value of a size operand: the length of an axis is never negative. */
static bool is_length(const Node *n) { return n->op == OP_DIM || n->op == OP_SIZE; }

static bool lengths(const Node *n, u32 first)
{
    for (u32 i = first; i < n->nops; i++)
        if (!is_length(n->ops[i]) && !at_least(n->type->dims[i - first], 0))
            return false;
    return true;
}

static bool broadcast_fits(const Node *n)
{
    const Type *x = n->ops[0]->type;
    for (int i = 0; i < x->rank; i++)
        if (!size_is(x->dims[i], 1) && x->dims[i] != n->type->dims[n->attrs[0].ints->at[i]])
            return false;
    return lengths(n, 1);
}

static bool reshape_fits(Store *st, const Node *n)
{
    Size *have = size_const(st, 1), *want = have;
    for (int i = 0; i < n->ops[0]->type->rank; i++)
        have = size_mul(st, have, n->ops[0]->type->dims[i]);
    for (int i = 0; i < n->type->rank; i++)
        want = size_mul(st, want, n->type->dims[i]);
    return have == want && lengths(n, 1);
}

/* Every position that is read lies in the axis. */
static bool slice_fits(Store *st, const Node *n)
{
    Size *axis = n->ops[0]->type->dims[n->attrs[0].i], *start = size_of_node(st, n->ops[1]),
         *len = size_of_node(st, n->ops[2]);
    return n->attrs[1].i == 1 && at_least(start, 0) && (is_length(n->ops[2]) || at_least(len, 0)) &&
           at_least(size_sub(st, size_sub(st, axis, start), len), 0);
}

static bool index_fits(const Node *n)
{
    const Size *axis = n->ops[0]->type->dims[n->attrs[0].i];
    i64 i;
    return node_const_i64(n->ops[1], &i) && at_least(axis, i < 0 ? -i : i + 1);
}

static bool none_empty(const Type *t, u32 count, const i64 *axes)
{
    for (u32 i = 0; i < count; i++)
        if (!at_least(t->dims[axes[i]], 1))
            return false;
    return true;
}

static bool integers_fit(const Node *n)
{
    i64 z;
    if (node_dtype(n->ops[0]) == DT_F32 || node_dtype(n->ops[0]) == DT_F64)
        return true;
    if (!node_const_i64(n->ops[1], &z))
        return false;
    return n->op == OP_FLOORDIV || n->op == OP_MOD ? z != 0 : n->op == OP_POW ? z >= 0 : false;
}

static bool product_fits(const Node *n)
{
    const Type *a = n->ops[0]->type, *b = n->ops[1]->type;
    return a->dims[a->rank - 1] == b->dims[b->rank > 1 ? b->rank - 2 : 0];
}

bool node_is_total(Store *st, const Node *n)
{
    const Type *x = n->nops ? n->ops[0]->type : NULL;
    if (n->op == OP_MATMUL)
        return product_fits(n);
    if (!(op_table[n->op].flags & PARTIAL))
        return true;
    switch (n->op) {
    case OP_BROADCAST: return broadcast_fits(n);
    case OP_RESHAPE: return reshape_fits(st, n);
    case OP_INDEX: return index_fits(n);
    case OP_SLICE: return slice_fits(st, n);
    case OP_IOTA: return is_length(n->ops[0]) || at_least(n->type->dims[0], 0);
    case OP_MAX:
    case OP_MIN: return none_empty(x, n->attrs[0].ints->n, n->attrs[0].ints->at);
    case OP_ARGMAX:
    case OP_ARGMIN: return none_empty(x, 1, &n->attrs[0].i);
    case OP_MATCH_SHAPE:
        return !memcmp(x->dims, n->ops[1]->type->dims, (size_t)x->rank * sizeof *x->dims);
    case OP_SQUEEZE:
        for (u32 i = 0; i < n->attrs[0].ints->n; i++)
            if (!size_is(x->dims[n->attrs[0].ints->at[i]], 1))
                return false;
        return true;
    default: return op_is_elementwise(n->op) && n->nops == 2 && integers_fit(n);
    }
}

bool nodes_are_total(Store *st, Node *root)
{
    NodeVec order = {0};
    nodes_topo(1, &root, &order);
    bool ok = true;
    for (size_t i = 0; i < order.len && ok; i++)
        ok = node_is_total(st, order.at[i]);
    vec_free(&order);
    return ok;
}

static bool loop_is_total(Store *st, const Node *n)
{
    ScanShape s = scan_shape(n);
    Size *steps = size_of_node(st, s.n);
    bool ok = scan_count_fits(st, &s) && graph_is_total(st, s.body);
    for (int i = 0; i < s.nseqs && ok; i++)
        ok = at_least(size_sub(st, s.seqs[i]->type->dims[0], steps), 0);
    return ok;
}

static bool total_within(Store *st, const Node *n)
{
    if (n->op == OP_SCAN)
        return loop_is_total(st, n);
    if (n->op == OP_IFELSE)
        return graph_is_total(st, n->attrs[0].graph) && graph_is_total(st, n->attrs[1].graph);
    return n->op == OP_CALL ? graph_is_total(st, n->attrs[0].graph) : node_is_total(st, n);
}

bool graph_is_total(Store *st, const Graph *g)
{
    NodeVec order = {0};
    nodes_topo(g->nouts, g->outs, &order);
    bool ok = true;
    for (size_t i = 0; i < order.len && ok; i++)
        ok = total_within(st, order.at[i]);
    vec_free(&order);
    return ok;
}
