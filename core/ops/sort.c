/* Sorting along an axis.
 *
 * Invariant: ascending, stable, NaN last; the derivative follows the elements. */
#include "ops/family.h"

/* ---- types ---- */

static bool sortable(Store *st, Node *n)
{
    if (!tensors_only(st, n) || !axis_ok(st, n, n->attrs[0].i, node_rank(n->ops[0])))
        return false;
    return node_dtype(n->ops[0]) != DT_RNG || wrong_type(st, n, 0, "numbers or bools") != NULL;
}

Type *infer_sort(Store *st, Node *n) { return sortable(st, n) ? n->ops[0]->type : NULL; }

Type *infer_argsort(Store *st, Node *n)
{
    return sortable(st, n) ? type_with_dtype(st, n->ops[0]->type, DT_I64) : NULL;
}

Type *infer_searchsorted(Store *st, Node *n)
{
    if (!tensors_only(st, n) || !same_dtypes(st, n, 0, 1))
        return NULL;
    const Type *a = n->ops[0]->type;
    if (a->rank != 1 || a->dtype == DT_RNG)
        return wrong_type(st, n, 0, "a sorted vector");
    return type_with_dtype(st, n->ops[1]->type, DT_I64);
}

/* ---- derivatives ---- */

/* Rows (outer, m): dy is added at row * m + at. */
static Node *scatter_rows(Store *st, Node *at, Node *dy)
{
    Node *outer = node_dim(st, dy, 0), *m = node_dim(st, dy, 1), *total = build_mul(st, outer, m);
    Node *row = node1(st, OP_IOTA, NULL, outer);
    Node *start = row ? build_expand(st, build_mul(st, row, m), 1) : NULL;
    Node *place = build_reshape(st, build_add(st, start, at), 1, &total);
    Node *zeros = build_full(st, zero_of(st, dy), 1, &total);
    Attr a[] = {{.i = 0}, {.i = STORE_ADD}};
    return node3(st, OP_SCATTER, a, zeros, place, build_reshape(st, dy, 1, &total));
}

Node *scatter_along(Store *st, Node *at, Node *dy, int axis)
{
    int perm[MAX_RANK], rank = dy ? node_rank(dy) : 0;
    Node *dims[MAX_RANK];
    if (!at || !dy)
        return NULL;
    for (int i = 0; i < rank; i++)
        perm[i] = i;
    perm[axis] = rank - 1; /* the axis changes places with the last one, and back */
    perm[rank - 1] = axis;
    for (int i = 0; i < rank; i++)
        dims[i] = node_dim(st, dy, perm[i]);
    Node *flat[] = {build_product(st, rank - 1, dims), dims[rank - 1]};
    Node *places = build_reshape(st, build_transpose(st, at, perm), 2, flat);
    Node *rows = build_reshape(st, build_transpose(st, dy, perm), 2, flat);
    Node *dx = places && rows ? scatter_rows(st, places, rows) : NULL;
    return build_transpose(st, build_reshape(st, dx, rank, dims), perm);
}

/* Each cotangent goes back to where its element came from. */
bool vjp_sort(Vjp *v, Node *n, Node *dy)
{
    Node *x = n->ops[0];
    if (!vjp_active(v, x))
        return true;
    Node *at = node1(v->st, OP_ARGSORT, n->attrs, x);
    return vjp_give(v, x, scatter_along(v->st, at, dy, (int)n->attrs[0].i));
}

/* ---- values ---- */

static int sort_elements(EvalArgs *e, const Layout *l, Tensor *out)
{
    const Tensor *x = e->in[0];
    return kernel_sort(x->dtype, l->outer, l->axis, l->inner, x->data, out->data, e->interrupt);
}

static int sort_places(EvalArgs *e, const Layout *l, Tensor *out)
{
    const Tensor *x = e->in[0];
    return kernel_argsort(x->dtype, l->outer, l->axis, l->inner, x->data, out->data, e->interrupt);
}

int eval_sort(EvalArgs *e)
{
    const Tensor *x = e->in[0];
    Layout l = layout_of(x, (int)e->node->attrs[0].i);
    bool indices = e->node->op == OP_ARGSORT;
    Tensor *out = eval_fresh(e, indices ? DT_I64 : x->dtype, x->rank, x->shape);
    if (!out)
        return 1;
    int status = (indices ? sort_places : sort_elements)(e, &l, out);
    if (status != K_OK) {
        tensor_unref(out);
        return status == K_INTERRUPTED ? eval_interrupted(e) : eval_status(e, status);
    }
    e->out[0] = out;
    return 0;
}

int eval_searchsorted(EvalArgs *e)
{
    const Tensor *a = e->in[0], *x = e->in[1];
    e->out[0] = eval_fresh(e, DT_I64, x->rank, x->shape);
    if (!e->out[0])
        return 1;
    kernel_searchsorted(a->dtype, a->count, a->data, x->count, x->data, e->node->attrs[0].i != 0,
                        e->out[0]->data);
    return 0;
}
