/* tensordot: a matrix product of the operands with their axes put together. */
#include "lang/builtins.h"
#include "ops/build.h"

/* An operand and its axes in two groups, each in its order: those that are summed over, and others.
 */
typedef struct {
    Node *x;
    int summed[MAX_RANK], nsummed;
    int kept[MAX_RANK], nkept;
} Side;

static bool split_axes(Elab *e, Args *a, Side *s)
{
    for (int i = 0; i < node_rank(s->x); i++) {
        int times = 0;
        for (int k = 0; k < s->nsummed; k++)
            times += s->summed[k] == i;
        if (times > 1)
            return elab_error(e, a->spans[2], "axis", NULL, "axis %d is given twice", i), false;
        if (!times)
            s->kept[s->nkept++] = i;
    }
    return true;
}

static bool listed_axes(Elab *e, Args *a, Value *list, Side *s)
{
    int rank = node_rank(s->x);
    s->nsummed = list->kind == V_TUPLE ? list->nitems : 1;
    for (int i = 0; i < s->nsummed; i++) {
        i64 k;
        Value *v = list->kind == V_TUPLE ? list->items[i] : list;
        if (i == MAX_RANK || !value_const_int(e, v, &k, a->spans[2], "axis"))
            return false;
        if (k < -rank || k >= rank)
            return elab_error(e, a->spans[2], "axis", NULL,
                              "tensordot: there is no axis %lld, the tensor has %d ax%s",
                              (long long)k, rank, rank == 1 ? "is" : "es"),
                   false;
        s->summed[i] = (int)(k < 0 ? k + rank : k);
    }
    return split_axes(e, a, s);
}

/* The last k axes of the first operand, the first k of the second. */
static bool counted_axes(Elab *e, Args *a, i64 k, Side *x, Side *y)
{
    if (k < 0 || k > node_rank(x->x) || k > node_rank(y->x))
        return elab_error(e, a->spans[2], "axis", NULL,
                          "tensordot over %lld axes of tensors that have %d and %d", (long long)k,
                          node_rank(x->x), node_rank(y->x)),
               false;
    x->nsummed = y->nsummed = (int)k;
    for (int i = 0; i < k; i++) {
        x->summed[i] = node_rank(x->x) - (int)k + i;
        y->summed[i] = i;
    }
    return split_axes(e, a, x) && split_axes(e, a, y);
}

static bool axes_of(Elab *e, Args *a, Side *x, Side *y)
{
    Value *v = a->at[2] ? value_plain(e, a->at[2]) : NULL;
    i64 k;
    if (!v || v->kind != V_TUPLE)
        return arg_int(e, a, 2, 2, &k) && counted_axes(e, a, k, x, y);
    Value *p = v->nitems == 2 ? value_plain(e, v->items[0]) : NULL,
          *q = p ? value_plain(e, v->items[1]) : NULL;
    if (!q)
        return elab_error(e, a->spans[2], "arity", NULL,
                          "axes is a number, or (axes of a, axes of b)"),
               false;
    if (!listed_axes(e, a, p, x) || !listed_axes(e, a, q, y))
        return false;
    if (x->nsummed != y->nsummed)
        return elab_error(e, a->spans[2], "arity", NULL, "%d axes of a, but %d of b", x->nsummed,
                          y->nsummed),
               false;
    return true;
}

static bool sizes_fit(Elab *e, Args *a, const Side *x, const Side *y)
{
    Store *st = e->st;
    for (int i = 0; i < x->nsummed; i++)
        if (size_provably_different(st, x->x->type->dims[x->summed[i]],
                                    y->x->type->dims[y->summed[i]]))
            return elab_error(e, a->spans[1], "shape-mismatch", NULL,
                              "tensordot: axis %d of %s and axis %d of %s differ", x->summed[i],
                              shape_text(st, x->x->type), y->summed[i], shape_text(st, y->x->type)),
                   false;
    return true;
}

/* The operand as a matrix: the axes in `first` as its rows, those in `last` as its columns. */
static Node *as_matrix(Store *st, Node *x, int nfirst, const int *first, int nlast, const int *last)
{
    int order[MAX_RANK];
    Node *sizes[MAX_RANK];
    for (int i = 0; i < nfirst + nlast; i++) {
        order[i] = i < nfirst ? first[i] : last[i - nfirst];
        sizes[i] = node_dim(st, x, order[i]);
    }
    Node *dims[] = {build_product(st, nfirst, sizes), build_product(st, nlast, sizes + nfirst)};
    return build_reshape(st, build_transpose(st, x, order), 2, dims);
}

BUILTIN(tensordot)
{
    Store *st = e->st;
    Node *both[2], *dims[2 * MAX_RANK];
    args_meet(e, a, 0, 2, both);
    if (!both[0] || !both[1])
        return NULL;
    Side x = {.x = both[0]}, y = {.x = both[1]};
    if (node_dtype(x.x) == DT_RNG || node_dtype(y.x) == DT_RNG)
        return elab_error(e, a->span, "type-mismatch", NULL, "tensordot takes numbers");
    if (!axes_of(e, a, &x, &y) || !sizes_fit(e, a, &x, &y))
        return NULL;
    int n = 0;
    for (int i = 0; i < x.nkept; i++)
        dims[n++] = node_dim(st, x.x, x.kept[i]);
    for (int i = 0; i < y.nkept; i++)
        dims[n++] = node_dim(st, y.x, y.kept[i]);
    if (n > MAX_RANK)
        return elab_error(e, a->span, "rank", NULL, "this product would have more than %d axes",
                          MAX_RANK);
    e->st->span = a->span;
    Node *p = as_matrix(st, x.x, x.nkept, x.kept, x.nsummed, x.summed),
         *q = p ? as_matrix(st, y.x, y.nsummed, y.summed, y.nkept, y.kept) : NULL;
    return q ? value_node(e, build_reshape(st, node2(st, OP_MATMUL, NULL, p, q), n, dims)) : NULL;
}
