/* Linear algebra.
 *
 * Invariant: a matrix product sees each operand as (batch, rows, columns), where a vector
 * is a row on the left and a column on the right, and an operand of at most two axes
 * serves every batch. */
#include "exec/blas.h"
#include "ops/family.h"

/* ---- types ---- */

static const char *matmul_hint(Store *st, const Type *a, const Type *b)
{
    if (b->rank == 2 && !size_provably_different(st, a->dims[a->rank - 1], b->dims[1]))
        return "transpose the second operand: a @ b'";
    if (a->rank == 2 &&
        !size_provably_different(st, a->dims[0], b->dims[b->rank > 1 ? b->rank - 2 : 0]))
        return "transpose the first operand: a' @ b";
    return NULL;
}

static bool inner_sizes_fit(Store *st, const Node *n)
{
    const Type *a = n->ops[0]->type, *b = n->ops[1]->type;
    Size *x = a->dims[a->rank - 1], *y = b->dims[b->rank > 1 ? b->rank - 2 : 0];
    if (!size_provably_different(st, x, y))
        return true;
    Text s = {0}, t = {0};
    size_print(&s, x);
    size_print(&t, y);
    store_error(st, "shape-mismatch", matmul_hint(st, a, b),
                "@: shapes %s and %s do not fit: the last axis of the first is %s, axis %d of the "
                "second is %s",
                shape_text(st, a), shape_text(st, b), text_str(&s), b->rank > 1 ? b->rank - 2 : 0,
                text_str(&t));
    text_free(&s);
    text_free(&t);
    return false;
}

static bool batches_fit(Store *st, const Node *n)
{
    Type *a = n->ops[0]->type, *b = n->ops[1]->type;
    if (a->rank <= 2 || b->rank <= 2)
        return true;
    if (a->rank != b->rank) {
        store_error(st, "shape-mismatch", "repeat one of them with broadcast_to",
                    "@: shapes %s and %s have different numbers of batch axes", shape_text(st, a),
                    shape_text(st, b));
        return false;
    }
    for (int i = 0; i < a->rank - 2; i++)
        if (!sizes_agree(st, n, a, i, b, i))
            return false;
    return true;
}

Type *infer_matmul(Store *st, Node *n)
{
    if (!tensors_only(st, n) || !same_dtypes(st, n, 0, 1))
        return NULL;
    Type *a = n->ops[0]->type, *b = n->ops[1]->type;
    if (a->dtype == DT_RNG)
        return wrong_type(st, n, 0, "numbers");
    if (!a->rank || !b->rank)
        return store_error(st, "rank", "use * to scale by a number",
                           "@ needs vectors or matrices, not %s and %s", shape_text(st, a),
                           shape_text(st, b));
    if (!inner_sizes_fit(st, n) || !batches_fit(st, n))
        return NULL;
    Size *dims[MAX_RANK];
    int rank = 0, abatch = a->rank > 2 ? a->rank - 2 : 0, bbatch = b->rank > 2 ? b->rank - 2 : 0;
    for (; rank < abatch || rank < bbatch; rank++)
        dims[rank] = rank >= bbatch   ? a->dims[rank]
                     : rank >= abatch ? b->dims[rank]
                                      : size_prefer(b->dims[rank], a->dims[rank]);
    if (a->rank >= 2)
        dims[rank++] = a->dims[a->rank - 2];
    if (b->rank >= 2)
        dims[rank++] = b->dims[b->rank - 1];
    return type_tensor(st, a->dtype == DT_BOOL ? DT_I64 : a->dtype, rank, dims);
}

/* ---- derivatives ---- */

static Node *product(Store *st, Node *a, Node *b) { return node2(st, OP_MATMUL, NULL, a, b); }

/* The leading axes of a batch summed away. */
static Node *sum_batch(Store *st, Node *x, int batch)
{
    return build_sum(st, x, all_axes(st, batch));
}

/* All axes but the last `keep` flattened into one: (b, m, k) -> (b * m, k). */
static Node *flatten_rows(Store *st, Node *x, int keep)
{
    Node *dims[MAX_RANK], *rows = NULL;
    int lead = x ? node_rank(x) - keep : 0;
    if (!x || lead <= 1)
        return x;
    for (int i = 0; i < lead; i++)
        rows = i ? build_mul(st, rows, node_dim(st, x, i)) : node_dim(st, x, i);
    dims[0] = rows;
    for (int i = 0; i < keep; i++)
        dims[1 + i] = node_dim(st, x, lead + i);
    return build_reshape(st, x, 1 + keep, dims);
}

/* dA = dC @ B', summed over batches A does not have. */
static Node *matmul_da(Store *st, Node *a, Node *b, Node *dy)
{
    int ra = node_rank(a), rb = node_rank(b), batch = rb > 2 ? rb - 2 : 0;
    if (ra == 1 && rb == 1)
        return build_mul(st, dy, b);
    if (ra == 1) { /* c = B' a, so da = B dc */
        if (rb == 2)
            return product(st, b, dy);
        Node *column = product(st, b, build_expand(st, dy, rb - 1));
        return column ? sum_batch(st, build_squeeze(st, column, rb - 1), batch) : NULL;
    }
    if (rb == 1) /* c = A b, so dA = dc b' */
        return product(st, build_expand(st, dy, ra - 1), build_expand(st, b, 0));
    Node *da = product(st, dy, build_swap_last(st, b));
    return ra == 2 && da ? sum_batch(st, da, batch) : da;
}

/* dB = A' @ dC, summed over batches B does not have. */
static Node *matmul_db(Store *st, Node *a, Node *b, Node *dy)
{
    int ra = node_rank(a), rb = node_rank(b);
    if (ra == 1 && rb == 1)
        return build_mul(st, dy, a);
    if (rb == 1) /* c = A b, so db = dc A (over all rows of all batches) */
        return product(st, flatten_rows(st, dy, 0), flatten_rows(st, a, 1));
    if (ra == 1) /* c = B' a, so dB = a dc' */
        return product(st, build_expand(st, a, 1), build_expand(st, dy, rb - 2));
    if (rb == 2)
        return product(st, build_swap_last(st, flatten_rows(st, a, 1)), flatten_rows(st, dy, 1));
    return product(st, build_swap_last(st, a), dy);
}

bool vjp_matmul(Vjp *v, Node *n, Node *dy)
{
    Node *a = n->ops[0], *b = n->ops[1];
    Mask mask;
    dy = mask_peel_whole(v->st, dy, &mask);
    if (!dy ||
        (vjp_active(v, a) && !vjp_give(v, a, mask_apply(v->st, &mask, matmul_da(v->st, a, b, dy)))))
        return false;
    return !vjp_active(v, b) ||
           vjp_give(v, b, mask_apply(v->st, &mask, matmul_db(v->st, a, b, dy)));
}

/* dc = da @ b + a @ db */
bool jvp_matmul(Jvp *j, Node *n)
{
    Node *sum = NULL;
    if (!dtype_is_float(node_dtype(n)))
        return true;
    for (u32 k = 0; k < 2; k++) {
        Node *dx = jvp_tangent(j, n->ops[k]);
        if (!dx)
            continue;
        Mask mask;
        dx = mask_peel_whole(j->st, dx, &mask);
        Node *part = mask_apply(j->st, &mask,
                                k ? product(j->st, n->ops[0], dx) : product(j->st, dx, n->ops[1]));
        sum = sum ? build_add(j->st, sum, part) : part;
        if (!sum)
            return false;
    }
    return jvp_give(j, n, sum);
}

/* ---- values ---- */

typedef struct {
    i64 batch, m, k, n;
    i64 astep, bstep; /* elements from one batch to the next; 0: one for all */
    int rank;
    i64 shape[MAX_RANK];
} Product;

static bool product_shape(const Tensor *a, const Tensor *b, Product *p)
{
    int abatch = a->rank > 2 ? a->rank - 2 : 0, bbatch = b->rank > 2 ? b->rank - 2 : 0;
    const Tensor *lead = abatch ? a : b;
    *p = (Product){.batch = 1};
    for (; p->rank < abatch || p->rank < bbatch; p->rank++) {
        if (abatch && bbatch && a->shape[p->rank] != b->shape[p->rank])
            return false;
        p->shape[p->rank] = lead->shape[p->rank];
        p->batch *= lead->shape[p->rank];
    }
    p->m = a->rank > 1 ? a->shape[a->rank - 2] : 1;
    p->k = a->shape[a->rank - 1];
    p->n = b->rank > 1 ? b->shape[b->rank - 1] : 1;
    if ((b->rank > 1 ? b->shape[b->rank - 2] : b->shape[0]) != p->k)
        return false;
    if (a->rank > 1)
        p->shape[p->rank++] = p->m;
    if (b->rank > 1)
        p->shape[p->rank++] = p->n;
    p->astep = abatch ? p->m * p->k : 0;
    p->bstep = bbatch ? p->k * p->n : 0;
    if (abatch && !bbatch) { /* (batch, m, k) @ (k, n): one product of batch * m rows */
        p->m *= p->batch;
        p->batch = 1;
    }
    return true;
}

static void multiply(DType d, const Product *p, const char *a, const char *b, char *c)
{
    size_t size = dtype_size(d);
    for (i64 i = 0; i < p->batch; i++) {
        if (p->m == 1 && p->n == 1)
            blas_dot(d, p->k, a, 1, b, 1, c);
        else if (p->n == 1)
            blas_gemv(d, false, p->m, p->k, 1, a, p->k, b, 1, 0, c, 1);
        else if (p->m == 1)
            blas_gemv(d, true, p->k, p->n, 1, b, p->n, a, 1, 0, c, 1);
        else
            blas_gemm(d, false, false, p->m, p->n, p->k, 1, a, p->k, b, p->n, 0, c, p->n);
        a += (size_t)p->astep * size;
        b += (size_t)p->bstep * size;
        c += (size_t)(p->m * p->n) * size;
    }
}

int eval_matmul(EvalArgs *e)
{
    Product p;
    Tensor *a = e->in[0], *b = e->in[1];
    if (!product_shape(a, b, &p))
        return eval_shape_error(e, a, b);
    DType d = a->dtype == DT_BOOL ? DT_I64 : a->dtype;
    Tensor *out = eval_fresh(e, d, p.rank, p.shape);
    if (!out)
        return 1;
    Tensor *x = d == a->dtype ? tensor_ref(a) : tensor_cast(e->heap, a, d);
    Tensor *y = d == b->dtype ? tensor_ref(b) : tensor_cast(e->heap, b, d);
    if (x && y)
        multiply(d, &p, x->data, y->data, out->data);
    bool ok = x && y;
    tensor_unref(x);
    tensor_unref(y);
    if (!ok) {
        tensor_unref(out);
        return eval_status(e, K_MEMORY);
    }
    e->out[0] = out;
    return 0;
}

/* ---- gemm: matrices with transposition flags ---- */

Type *infer_gemm(Store *st, Node *n)
{
    Type *a = n->ops[0]->type, *b = n->ops[1]->type;
    bool ta = n->attrs[0].i != 0, tb = n->attrs[1].i != 0;
    if (a->kind != TYPE_TENSOR || b->kind != TYPE_TENSOR || a->rank != 2 || b->rank != 2 ||
        a->dtype != b->dtype || !dtype_is_number(a->dtype))
        return store_error(st, "type-mismatch", NULL, "gemm takes two matrices of one dtype");
    if (size_provably_different(st, a->dims[!ta], b->dims[tb]))
        return store_error(st, "shape-mismatch", NULL, "gemm: %s and %s have different inner sizes",
                           shape_text(st, a), shape_text(st, b));
    Size *dims[] = {a->dims[ta], b->dims[!tb]};
    return type_tensor(st, a->dtype, 2, dims);
}

int eval_gemm(EvalArgs *e)
{
    const Tensor *a = e->in[0], *b = e->in[1];
    bool ta = e->node->attrs[0].i != 0, tb = e->node->attrs[1].i != 0;
    i64 k = a->shape[!ta], shape[] = {a->shape[ta], b->shape[!tb]};
    if (k != b->shape[tb])
        return eval_fail(e, "shape-mismatch", "a product's inner sizes are %lld and %lld",
                         (long long)k, (long long)b->shape[tb]);
    Tensor *c = tensor_new(e->heap, a->dtype, 2, shape);
    if (!c)
        return eval_fail(e, "memory", "no memory for a product");
    blas_gemm(a->dtype, ta, tb, shape[0], shape[1], k, 1, a->data, a->shape[1], b->data,
              b->shape[1], 0, c->data, shape[1]);
    e->out[0] = c;
    return 0;
}
