/* Products and random draws. */
#include "lang/builtins.h"
#include "lang/random_use.h"

static bool two(Elab *e, Args *a, Node **x, Node **y)
{
    Node *out[2];
    DType d = args_meet(e, a, 0, 2, out);
    *x = out[0], *y = out[1];
    if (!*x || !*y || (*x)->type->kind != TYPE_TENSOR || (*y)->type->kind != TYPE_TENSOR)
        return false;
    if (d == DT_COUNT)
        return elab_error(e, a->span, "type-mismatch", NULL, "%s takes numbers", a->builtin->name),
               false;
    *x = node_cast(e->st, *x, d), *y = node_cast(e->st, *y, d);
    return *x && *y;
}

Node *with_batch(Elab *e, Node *x, Node *other)
{
    const Type *t = x->type, *o = other->type;
    int rank = t->rank > o->rank ? t->rank : o->rank;
    Node *dims[MAX_RANK];
    for (int i = 0; i < rank; i++) {
        int own = i - (rank - t->rank), its = i - (rank - o->rank);
        bool takes = i < rank - 2 && its >= 0 && (own < 0 || size_is(t->dims[own], 1));
        dims[i] = takes ? node_dim(e->st, other, its) : node_dim(e->st, x, own);
    }
    return build_broadcast_to(e->st, x, rank, dims);
}

/* x @ y of one dtype, batches broadcast as in NumPy; an operand of at most two axes serves every
 * batch as it is. */
Node *matmul_broadcast(Elab *e, Node *x, Node *y)
{
    if (!x || !y)
        return NULL;
    if (x->type->rank > 2 && y->type->rank > 2) {
        Node *wide_x = with_batch(e, x, y), *wide_y = with_batch(e, y, x);
        x = wide_x, y = wide_y;
    }
    return x && y ? node2(e->st, OP_MATMUL, NULL, x, y) : NULL;
}

BUILTIN(matmul)
{
    Node *x, *y;
    return two(e, a, &x, &y) ? value_node(e, matmul_broadcast(e, x, y)) : NULL;
}

/* All axes of x but the last, then all of y but the last but one. */
static Node *dot_of_many(Elab *e, Args *a, Node *x, Node *y)
{
    Store *st = e->st;
    int rx = x->type->rank, ry = y->type->rank, perm[MAX_RANK], n = 0;
    Node *dims[2 * MAX_RANK];
    Size *inner = x->type->dims[rx - 1];
    if (rx + ry - 2 > MAX_RANK)
        return elab_error(e, a->span, "rank", NULL, "this product would have more than %d axes",
                          MAX_RANK);
    if (size_provably_different(st, inner, y->type->dims[ry - 2]))
        return elab_error(e, a->span, "shape-mismatch", NULL,
                          "dot: shapes %s and %s do not fit: the last axis of the first and axis "
                          "%d of the second differ",
                          shape_text(st, x->type), shape_text(st, y->type), ry - 2);
    perm[n++] = ry - 2;
    for (int i = 0; i < ry; i++)
        if (i != ry - 2)
            perm[n++] = i;
    Node *turned = build_transpose(st, y, perm);
    Size *rest = turned ? size_product(st, ry - 1, turned->type->dims + 1) : NULL;
    if (!rest)
        return NULL;
    Node *left[] = {size_to_node(st, size_product(st, rx - 1, x->type->dims)),
                    size_to_node(st, inner)};
    Node *right[] = {size_to_node(st, turned->type->dims[0]), size_to_node(st, rest)};
    Node *p = node2(st, OP_MATMUL, NULL, build_reshape(st, x, 2, left),
                    build_reshape(st, turned, 2, right));
    n = 0;
    for (int i = 0; i < rx - 1; i++)
        dims[n++] = node_dim(st, x, i);
    for (int i = 1; i < ry; i++)
        dims[n++] = node_dim(st, turned, i);
    return p ? build_reshape(st, p, n, dims) : NULL;
}

BUILTIN(dot)
{
    Node *x, *y;
    if (!two(e, a, &x, &y))
        return NULL;
    if (!x->type->rank || !y->type->rank)
        return value_node(e, build_mul(e->st, x, y));
    e->st->span = a->span;
    if (x->type->rank <= 2 ? y->type->rank <= 2 : y->type->rank == 1)
        return value_node(e, node2(e->st, OP_MATMUL, NULL, x, y));
    return value_node(e, dot_of_many(e, a, x, y));
}

BUILTIN(outer)
{
    Node *x, *y;
    if (!two(e, a, &x, &y))
        return NULL;
    if (x->type->rank != 1 || y->type->rank != 1)
        return elab_error(e, a->span, "rank", NULL, "outer takes two vectors");
    return value_node(
        e, node2(e->st, OP_MATMUL, NULL, build_expand(e->st, x, 1), build_expand(e->st, y, 0)));
}

BUILTIN(trace)
{
    Store *st = e->st;
    Node *x = arg_node(e, a, 0);
    if (!x)
        return NULL;
    if (x->type->kind != TYPE_TENSOR || x->type->rank != 2)
        return elab_error(e, a->spans[0], "rank", NULL, "trace takes a matrix, but this is %s",
                          shape_text(st, x->type));
    return value_node(e, node1(st, OP_TRACE, NULL, x));
}

/* ---- random ---- */

static Node *rng_arg(Elab *e, Args *a, int i)
{
    Node *r = arg_node(e, a, i);
    if (r && (r->type->kind != TYPE_TENSOR || r->type->rank || r->type->dtype != DT_RNG))
        return elab_error(e, a->spans[i], "type-mismatch", "make one with rng(seed)",
                          "%s draws from a generator's state, but this is %s", a->builtin->name,
                          shape_text(e->st, r->type));
    return r;
}

BUILTIN(rng_state)
{
    i64 words[6], none = 0;
    Tensor *t = tensor_new(&e->st->heap, DT_RNG, 0, &none);
    if (!t)
        return elab_error(e, a->span, "memory", NULL,
                          "out of memory: could not allocate a generator's state");
    RngState *state = t->data;
    Value *v = NULL;
    bool ok = true;
    for (int i = 0; i < 6 && ok; i++) {
        ok = arg_int(e, a, i, 0, &words[i]);
        if (ok && (words[i] < 0 || words[i] > UINT32_MAX))
            ok = elab_error(e, a->spans[i], "overflow", NULL, "a word is from 0 to 4294967295");
    }
    for (int i = 0; i < 6 && ok; i++)
        *(i < 2 ? &state->key[i] : &state->counter[i - 2]) = (u32)words[i];
    if (ok)
        v = value_node(e, node_const(e->st, t));
    tensor_unref(t);
    return v;
}

BUILTIN(rng)
{
    Node *s = arg_node(e, a, 0);
    if (!s)
        return NULL;
    if (!type_is_scalar(s->type) || !dtype_is_int(s->type->dtype))
        return elab_error(e, a->spans[0], "type-mismatch", NULL, "a seed is one whole number");
    return value_node(e, node1(e->st, OP_RNG, NULL, node_cast(e->st, s, DT_I64)));
}

/* A draw of f64 in f32. A uniform one keeps its first 24 bits, for it must not be rounded up to 1.
 */
static Node *in_single(Store *st, Node *x, bool is_range)
{
    if (is_range) {
        Node *bits = node1(st, OP_FLOOR, NULL, build_mul(st, x, node_f64(st, 0x1p24)));
        x = bits ? build_mul(st, bits, node_f64(st, 0x1p-24)) : NULL;
    }
    return x ? node_cast(st, x, DT_F32) : NULL;
}

static bool draw_dtype(Elab *e, Args *a, DType *d)
{
    if (!arg_dtype(e, a, 4, DT_F64, d))
        return false;
    return dtype_is_float(*d) ||
           (elab_error(e, a->spans[4], "type-mismatch", "randint draws whole numbers",
                       "%s draws f64 or f32", a->builtin->name),
            false);
}

/* scale * value + shift, left out where they are 1 and 0 */
static Value *scaled_draw(Elab *e, Args *a, OpId op, bool is_range)
{
    Store *st = e->st;
    Node *ops[MAX_RANK + 1] = {rng_arg(e, a, 0)};
    int rank = ops[0] ? arg_shape(e, a, 1, ops + 1) : -1;
    if (rank < 0)
        return NULL;
    DType d;
    if (!draw_dtype(e, a, &d))
        return NULL;
    Value *v = value_drawn(e, a, node_make(st, op, NULL, (u32)rank + 1, ops));
    if (v && d == DT_F32 &&
        !(v->items[0] = value_node(e, in_single(st, v->items[0]->node, is_range))))
        return NULL;
    if (!v || (!a->at[2] && !a->at[3]))
        return v;
    Node *shift =
        a->at[2] ? value_as(e, a->at[2], d, a->spans[2], a->builtin->name) : node_number(st, d, 0);
    Node *scale =
        a->at[3] ? value_as(e, a->at[3], d, a->spans[3], a->builtin->name) : node_number(st, d, 1);
    if (is_range)
        scale = build_sub(st, scale, shift);
    Node *x = build_add(st, build_mul(st, v->items[0]->node, scale), shift);
    v->items[0] = value_node(e, x);
    return x ? v : NULL;
}
BUILTIN(uniform) { return scaled_draw(e, a, OP_UNIFORM, true); }
BUILTIN(normal) { return scaled_draw(e, a, OP_NORMAL, false); }

BUILTIN(bernoulli)
{
    Node *r = rng_arg(e, a, 0),
         *p = r ? value_as(e, a->at[1], DT_F64, a->spans[1], "bernoulli") : NULL;
    p = p && p->type->kind == TYPE_TENSOR ? node_cast(e->st, p, DT_F64) : NULL;
    return p ? value_drawn_as(e, a, 2, node2(e->st, OP_BERNOULLI, NULL, r, p)) : NULL;
}

BUILTIN(randint)
{
    Node *ops[MAX_RANK + 3] = {rng_arg(e, a, 0), arg_node(e, a, 1), arg_node(e, a, 2)};
    if (!ops[0] || !ops[1] || !ops[2])
        return NULL;
    for (int i = 1; i <= 2; i++) {
        if (!type_is_scalar(ops[i]->type) || !dtype_is_int(ops[i]->type->dtype))
            return elab_error(e, a->spans[i], "type-mismatch", NULL,
                              "the bounds of randint are whole numbers");
        ops[i] = node_cast(e->st, ops[i], DT_I64);
    }
    int rank = arg_shape(e, a, 3, ops + 3);
    return rank < 0
               ? NULL
               : value_drawn_as(e, a, 4, node_make(e->st, OP_RANDINT, NULL, (u32)rank + 3, ops));
}

/* Where a cut of split falls, as the end of a slice: from the end if negative, never beyond it. */
static Size *cut_place(Store *st, i64 cut, Size *len)
{
    if (cut < 0)
        return size_max(st, size_add(st, len, size_const(st, cut)), size_const(st, 0));
    return size_min(st, len, size_const(st, cut));
}

/* The cuts of (1, 4) or [1, 4]: at these positions. NULL after a diagnostic. */
static i64 *cuts_at(Elab *e, Args *a, Value *v, int *n)
{
    const Node *list = v->kind == V_NODE ? v->node : NULL;
    bool whole = list && list->op == OP_CONST && dtype_is_int(list->type->dtype);
    if (list && !whole)
        return elab_error(e, a->spans[1], "not-constant", NULL,
                          "the cuts of split are whole numbers known while the graph is built");
    *n = (int)(list ? list->attrs[0].value->count : v->nitems);
    i64 *at = arena_alloc(e->arena, ((size_t)*n + 2) * sizeof *at);
    for (int i = 0; i < *n; i++)
        if (list)
            at[i + 1] = tensor_i64_at(list->attrs[0].value, i);
        else if (!value_const_int(e, v->items[i], &at[i + 1], a->spans[1], "a cut"))
            return NULL;
    at[0] = 0;
    return at;
}

static i64 *equal_parts(Elab *e, Args *a, Value *v, Type *t, int axis, int *n)
{
    i64 k, total;
    if (!value_const_int(e, v, &k, a->spans[1], "parts"))
        return NULL;
    if (!size_is_const(t->dims[axis], &total) || k < 1 || total % k || k > INT32_MAX)
        return elab_error(e, a->spans[1], "shape-mismatch", NULL,
                          "axis %d of %s does not split into %lld equal parts", axis,
                          shape_text(e->st, t), (long long)k);
    *n = (int)k - 1;
    i64 *at = arena_alloc(e->arena, ((size_t)k + 1) * sizeof *at);
    for (i64 i = 0; i <= k; i++)
        at[i] = total / k * i;
    return at;
}

static Value *split_tensor(Elab *e, Args *a, Node *x)
{
    Store *st = e->st;
    int axis, n = 0;
    if (!arg_axis(e, a, 2, 0, x->type->rank, &axis))
        return NULL;
    Value *v = value_plain(e, a->at[1]);
    bool list = v && (v->kind == V_TUPLE || (v->kind == V_NODE && node_rank(v->node) == 1));
    i64 *cuts = !v ? NULL : list ? cuts_at(e, a, v, &n) : equal_parts(e, a, v, x->type, axis, &n);
    if (!cuts)
        return NULL;
    Value **items = arena_alloc(e->arena, ((size_t)n + 1) * sizeof *items);
    for (int i = 0; i <= n; i++) {
        Size *dim = x->type->dims[axis], *from = cut_place(st, cuts[i], dim);
        Size *to = i == n ? dim : cut_place(st, cuts[i + 1], dim);
        Node *len = size_to_node(st, size_max(st, size_sub(st, to, from), size_const(st, 0)));
        if (!(items[i] = value_node(e, build_slice(st, x, axis, size_to_node(st, from), len, 1))))
            return NULL;
    }
    return value_tuple(e, n + 1, items);
}

BUILTIN(split)
{
    Node *x = arg_node(e, a, 0);
    if (!x)
        return NULL;
    if (x->type->kind == TYPE_TENSOR && x->type->dtype != DT_RNG)
        return split_tensor(e, a, x);
    Node *r = rng_arg(e, a, 0), *k = r ? arg_node(e, a, 1) : NULL;
    return k ? value_node(e, node2(e->st, OP_SPLIT_RNG, NULL, r, node_cast(e->st, k, DT_I64)))
             : NULL;
}
