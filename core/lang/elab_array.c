/* Arrays in brackets: numbers become one constant, tensors are stacked. */
#include "lang/elab.h"

static Node *fold_weak(Elab *e, Node *n)
{
    if (n->op == OP_CONST)
        return n;
    Node **ops = arena_alloc(e->arena, n->nops * sizeof *ops);
    for (u32 i = 0; i < n->nops; i++)
        if (!(ops[i] = fold_weak(e, n->ops[i])))
            return NULL;
    Node *r = node_with_operands(e->st, n, ops);
    return r ? fold_node(e->st, r) : NULL;
}

/* All weak numbers of one shape: one constant. */
static Value *constant_array(Elab *e, int n, Node *const *items, DType d)
{
    Type *t = items[0]->type;
    i64 shape[MAX_RANK] = {n};
    if (t->rank + 1 > MAX_RANK)
        return store_error(e->st, "rank", NULL, "a tensor can have at most %d axes", MAX_RANK);
    for (int a = 0; a < t->rank; a++)
        size_is_const(t->dims[a], &shape[a + 1]);
    Tensor *out = tensor_new(&e->st->heap, d, t->rank + 1, shape);
    if (!out)
        return store_error(e->st, "memory", NULL,
                           "out of memory: could not allocate an array of %d items", n);
    i64 each = out->count / n;
    for (int i = 0; i < n; i++) {
        Tensor *c = tensor_cast(&e->st->heap, items[i]->attrs[0].value, d);
        memcpy((char *)out->data + (size_t)(i * each) * dtype_size(d), c->data,
               (size_t)each * dtype_size(d));
        tensor_unref(c);
    }
    Node *node = node_const(e->st, out);
    tensor_unref(out);
    return value_weak(e, node);
}

static Value *stack_array(Elab *e, int n, Node **items, DType d)
{
    Attr axis = {.i = 0};
    for (int i = 0; i < n; i++)
        items[i] = build_expand(e->st, node_cast(e->st, items[i], d), 0);
    return value_node(e, node_make(e->st, OP_CONCAT, &axis, (u32)n, items));
}

static Value *empty_array(Elab *e)
{
    i64 shape[] = {0};
    Tensor *t = tensor_new(&e->st->heap, DT_F64, 1, shape);
    Node *n = node_const(e->st, t);
    tensor_unref(t);
    return value_weak(e, n);
}

static bool array_items(Elab *e, Expr *x, Value **values, Node **nodes, bool *weak)
{
    *weak = true;
    for (int i = 0; i < x->nitems; i++) {
        values[i] = value_plain(e, elab_expr(e, x->items[i]));
        if (!values[i] || !(nodes[i] = value_to_node(e, values[i], x->items[i]->span, "an array")))
            return false;
        DType d = nodes[i]->type->dtype;
        bool literal =
            values[i]->weak || (nodes[i]->op == OP_CONST && (d == DT_BOOL || d == DT_RNG));
        *weak = *weak && literal;
    }
    return true;
}

static bool same_shapes(Elab *e, Expr *x, Node **nodes)
{
    for (int i = 1; i < x->nitems; i++) {
        Type *want = type_with_dtype(e->st, nodes[0]->type, nodes[i]->type->dtype);
        if (!type_compatible(e->st, want, nodes[i]->type))
            return elab_error(e, x->items[i]->span, "shape-mismatch",
                              "all items of an array have one shape",
                              "item %d of the array is %s but item 0 is %s", i,
                              shape_text(e->st, nodes[i]->type), shape_text(e->st, nodes[0]->type)),
                   false;
    }
    return true;
}

Value *elab_array(Elab *e, Expr *x)
{
    if (!x->nitems)
        return empty_array(e);
    Value **values = arena_alloc(e->arena, (size_t)x->nitems * sizeof *values);
    Node **nodes = arena_alloc(e->arena, (size_t)x->nitems * sizeof *nodes);
    bool weak;
    if (!array_items(e, x, values, nodes, &weak))
        return NULL;
    DType d = DT_COUNT, strong = DT_COUNT;
    for (int i = 0; i < x->nitems; i++)
        if (!values[i]->weak)
            strong = strong == DT_COUNT ? nodes[i]->type->dtype
                                        : dtype_joined(strong, nodes[i]->type->dtype);
    for (int i = 0; i < x->nitems; i++) {
        if (strong != DT_COUNT && strong != DT_BOOL && values[i]->weak)
            nodes[i] = value_as(e, values[i], strong, x->items[i]->span, "an array");
        d = d == DT_COUNT && !i ? nodes[i]->type->dtype : dtype_joined(d, nodes[i]->type->dtype);
    }
    if (d == DT_COUNT)
        return elab_error(e, x->span, "type-mismatch", NULL,
                          "an array holds generators' states or numbers, not both");
    if (!same_shapes(e, x, nodes))
        return NULL;
    e->st->span = x->span;
    if (!weak)
        return stack_array(e, x->nitems, nodes, d);
    for (int i = 0; i < x->nitems; i++)
        if (!(nodes[i] = fold_weak(e, nodes[i])))
            return NULL;
    for (int i = 0; i < x->nitems; i++)
        if (nodes[i]->op != OP_CONST) { /* an element of one, or a state that starts from one */
            Value *stacked = stack_array(e, x->nitems, nodes, d);
            return stacked ? value_weak(e, stacked->node) : NULL;
        }
    Value *v = constant_array(e, x->nitems, nodes, d);
    if (v && (d == DT_BOOL || d == DT_RNG))
        v->weak = false;
    return v;
}
