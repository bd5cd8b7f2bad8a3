/* Is it proved, from types and constants alone, that a node cannot fail when its operands
 * are there? What runs at other times than the program says (before a loop that may take
 * no step, for all rows at once) has to be total, or the loop has to run at least once. */
#include "ops/functions.h"
#include "ops/scan_edit.h"

enum { MOST_LOOKED_AT = 256 /* elements of a constant */ };

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

/* ---- functions of the table ---- */

bool total_yes(Store *st, const Node *n)
{
    (void)st, (void)n;
    return true;
}

bool total_no(Store *st, const Node *n)
{
    (void)st, (void)n;
    return false;
}

bool total_broadcast(Store *st, const Node *n)
{
    (void)st;
    const Type *x = n->ops[0]->type;
    for (int i = 0; i < x->rank; i++)
        if (!size_is(x->dims[i], 1) && x->dims[i] != n->type->dims[n->attrs[0].ints->at[i]])
            return false;
    return lengths(n, 1);
}

bool total_reshape(Store *st, const Node *n)
{
    const Type *x = n->ops[0]->type, *t = n->type;
    return size_product(st, x->rank, x->dims) == size_product(st, t->rank, t->dims) &&
           lengths(n, 1);
}

/* Every position that is read lies in the axis. */
bool total_slice(Store *st, const Node *n)
{
    Size *axis = n->ops[0]->type->dims[n->attrs[0].i], *start = size_of_node(st, n->ops[1]),
         *len = size_of_node(st, n->ops[2]);
    return n->attrs[1].i == 1 && at_least(start, 0) && (is_length(n->ops[2]) || at_least(len, 0)) &&
           at_least(size_sub(st, size_sub(st, axis, start), len), 0);
}

bool total_index(Store *st, const Node *n)
{
    const Size *axis = n->ops[0]->type->dims[n->attrs[0].i];
    i64 i;
    (void)st;
    return node_const_i64(n->ops[1], &i) && at_least(axis, i < 0 ? -i : i + 1);
}

/* Without position `axis`, is x of the shape of v? */
static bool fits_beside(const Type *x, const Type *v, i64 axis)
{
    for (int i = 0; i < x->rank; i++)
        if (i != axis && x->dims[i] != v->dims[v->rank < x->rank && i > axis ? i - 1 : i])
            return false;
    return true;
}

bool total_set_index(Store *st, const Node *n)
{
    const Type *x = n->ops[0]->type, *v = n->ops[2]->type;
    return v->rank == x->rank - 1 && fits_beside(x, v, n->attrs[0].i) && total_index(st, n);
}

bool total_set_slice(Store *st, const Node *n)
{
    const Type *x = n->ops[0]->type, *v = n->ops[2]->type;
    i64 axis = n->attrs[0].i;
    if (v->rank != x->rank || n->attrs[1].i != 1 || !fits_beside(x, v, axis))
        return false;
    Size *start = size_of_node(st, n->ops[1]);
    Size *rest = size_sub(st, size_sub(st, x->dims[axis], start), v->dims[axis]);
    return at_least(start, 0) && at_least(rest, 0);
}

/* The places 0, 1, .. of an axis that is no longer, or constants that are places of this one. */
bool total_gather(Store *st, const Node *n)
{
    Size *axis = n->ops[0]->type->dims[n->attrs[0].i];
    const Node *at = n->ops[1];
    i64 low;
    if (at->op == OP_IOTA)
        return at_least(size_sub(st, axis, at->type->dims[0]), 0);
    if (at->op != OP_CONST || !size_lower_bound(axis, &low))
        return false;
    const Tensor *t = at->attrs[0].value;
    if (t->count > MOST_LOOKED_AT)
        return false;
    for (i64 i = 0; i < t->count; i++) {
        i64 place = tensor_i64_at(t, i);
        if (place < -low || place >= low)
            return false;
    }
    return true;
}

bool total_iota(Store *st, const Node *n)
{
    (void)st;
    return is_length(n->ops[0]) || at_least(n->type->dims[0], 0);
}

/* Reductions that need an element. */
static bool none_empty(const Type *t, u32 count, const i64 *axes)
{
    for (u32 i = 0; i < count; i++)
        if (!at_least(t->dims[axes[i]], 1))
            return false;
    return true;
}

bool total_axes(Store *st, const Node *n)
{
    (void)st;
    return none_empty(n->ops[0]->type, n->attrs[0].ints->n, n->attrs[0].ints->at);
}

bool total_axis(Store *st, const Node *n)
{
    (void)st;
    return none_empty(n->ops[0]->type, 1, &n->attrs[0].i);
}

bool total_match_shape(Store *st, const Node *n)
{
    const Type *x = n->ops[0]->type;
    (void)st;
    return !memcmp(x->dims, n->ops[1]->type->dims, (size_t)x->rank * sizeof *x->dims);
}

bool total_squeeze(Store *st, const Node *n)
{
    const IntList *axes = n->attrs[0].ints;
    (void)st;
    for (u32 i = 0; i < axes->n; i++)
        if (!size_is(n->ops[0]->type->dims[axes->at[i]], 1))
            return false;
    return true;
}

/* Integers may be divided by zero, shifted too far or raised to what is negative. */
bool elem_is_total(const Node *n)
{
    i64 z;
    if (!(op_table[n->op].flags & PARTIAL) || dtype_is_float(node_dtype(n->ops[0])))
        return true;
    if (n->nops != 2 || !node_const_i64(n->ops[1], &z))
        return false;
    switch (n->op) {
    case OP_FLOORDIV:
    case OP_MOD: return z != 0;
    case OP_POW: return z >= 0;
    case OP_LEFT_SHIFT:
    case OP_RIGHT_SHIFT: return z >= 0 && z < 8 * (i64)dtype_size(node_dtype(n));
    default: return false;
    }
}

bool total_elem(Store *st, const Node *n)
{
    (void)st;
    return elem_is_total(n);
}

bool total_matmul(Store *st, const Node *n)
{
    const Type *a = n->ops[0]->type, *b = n->ops[1]->type;
    (void)st;
    return a->dims[a->rank - 1] == b->dims[b->rank > 1 ? b->rank - 2 : 0];
}

/* ---- nodes ---- */

bool node_is_total(Store *st, const Node *n) { return op_table[n->op].total(st, n); }

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

bool node_surely_runs(Store *st, const Node *n)
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
        ok = node_surely_runs(st, order.at[i]);
    vec_free(&order);
    return ok;
}
