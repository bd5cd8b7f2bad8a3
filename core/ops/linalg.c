/* The matrix product: types and derivatives. Its values are in matmul.c.
 *
 * Invariant: a matrix product sees each operand as (batch, rows, columns), where a vector
 * is a row on the left and a column on the right, and an operand of at most two axes
 * serves every batch. */
#include "ops/family.h"
#include "ops/mask.h"

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
    return build_merged(st, x, 0, x ? node_rank(x) - keep : 0);
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
    if (vjp_active(v, a) && !vjp_give(v, a, matmul_da(v->st, a, b, dy)))
        return false;
    return !vjp_active(v, b) || vjp_give(v, b, matmul_db(v->st, a, b, dy));
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
