/* Factorisations and linear systems, of one matrix or of a batch (leading axes).
 *
 * Invariant: matrices are square f32 or f64. What LAPACK destroys is a copy, or an
 * operand at its last use that nobody else sees. */
#include "tensor/blas.h"
#include "ops/derived.h"
#include "ops/family.h"
#include "ops/matrices.h"

/* ---- types ---- */

static bool square_matrices(Store *st, const Node *n)
{
    if (!tensors_only(st, n))
        return false;
    Type *a = n->ops[0]->type;
    if (!dtype_is_float(a->dtype))
        return wrong_type(st, n, 0, "f32 or f64") != NULL;
    if (a->rank >= 2 && !size_provably_different(st, a->dims[a->rank - 2], a->dims[a->rank - 1]))
        return true;
    store_error(st, "shape-mismatch", NULL, "%s needs a square matrix, not %s", node_info(n)->name,
                shape_text(st, a));
    return false;
}

/* cholesky, inv */
Type *infer_square(Store *st, Node *n) { return square_matrices(st, n) ? n->ops[0]->type : NULL; }

Type *infer_det(Store *st, Node *n)
{
    const Type *a = n->ops[0]->type;
    return square_matrices(st, n) ? type_tensor(st, a->dtype, a->rank - 2, a->dims) : NULL;
}

Type *infer_slogdet(Store *st, Node *n)
{
    Type *t = infer_det(st, n), *items[] = {t, t};
    return t ? type_tuple(st, 2, items) : NULL;
}

/* b is a vector (for one matrix), or has as many axes as A. */
Type *infer_solve(Store *st, Node *n)
{
    if (!square_matrices(st, n) || !same_dtypes(st, n, 0, 1))
        return NULL;
    Type *a = n->ops[0]->type, *b = n->ops[1]->type;
    int row = a->rank - 2, k = b->rank == 1 ? 0 : row;
    if (b->rank != a->rank && (b->rank != 1 || a->rank != 2))
        return store_error(st, "shape-mismatch", NULL,
                           "%s: a right side of type %s does not go with %s", node_info(n)->name,
                           shape_text(st, b), shape_text(st, a));
    for (int i = 0; i < k; i++)
        if (!sizes_agree(st, n, a, i, b, i))
            return NULL;
    return sizes_agree(st, n, a, row, b, k) ? b : NULL;
}

/* ---- derivatives ---- */

static Node *product(Store *st, Node *a, Node *b) { return node2(st, OP_MATMUL, NULL, a, b); }

Node *matrix_triangle(Store *st, Node *x, bool lower, i64 k)
{
    Attr a[] = {{.i = lower}, {.i = k}};
    return node1(st, OP_TRIANGLE, a, x);
}

Node *matrix_solve_triangular(Store *st, Node *a, Node *b, bool lower, bool trans, bool unit)
{
    Attr attrs[] = {{.i = lower}, {.i = trans}, {.i = unit}};
    return node2(st, OP_SOLVE_TRIANGULAR, attrs, a, b);
}

Node *matrix_half_lower(Store *st, Node *x)
{
    Node *sum = build_add(st, matrix_triangle(st, x, true, 0), matrix_triangle(st, x, true, -1));
    return sum ? build_mul(st, sum, node_number(st, node_dtype(x), 0.5)) : NULL;
}

/* I. Murray, "Differentiation of the Cholesky decomposition", arXiv:1602.07527, eq. 10: with
 * F(X) the lower triangle of X with half the diagonal and S = L'^-1 F(L' dL) L^-1, the cotangent
 * of A, of which only the lower triangle is read, is F(S + S'). */
bool vjp_cholesky(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    if (!vjp_active(v, n->ops[0]))
        return true;
    Node *f = matrix_half_lower(st, product(st, build_swap_last(st, n), dy));
    Node *left = build_swap_last(st, matrix_solve_triangular(st, n, f, true, true, false));
    Node *s = matrix_solve_triangular(st, n, left, true, true, false);
    return vjp_give(v, n->ops[0], matrix_half_lower(st, build_add(st, s, build_swap_last(st, s))));
}

/* dL = L F(L^-1 dA L'^-1), dA the symmetric matrix that the lower triangle stands for (eq. 8). */
bool jvp_cholesky(Jvp *j, Node *n)
{
    Store *st = j->st;
    Node *da = jvp_tangent(j, n->ops[0]), *below = matrix_triangle(st, da, true, -1);
    Node *sym = build_add(st, matrix_triangle(st, da, true, 0), build_swap_last(st, below));
    Node *left = build_swap_last(st, matrix_solve_triangular(st, n, sym, true, false, false));
    Node *s = matrix_solve_triangular(st, n, left, true, false, false);
    return jvp_give(j, n, product(st, n, matrix_half_lower(st, s)));
}

/* -u v', for vectors and matrices */
static Node *minus_outer(Store *st, Node *u, Node *w)
{
    if (u && w && node_rank(u) == 1)
        return build_neg(st, product(st, build_expand(st, u, 1), build_expand(st, w, 0)));
    return build_neg(st, product(st, u, build_swap_last(st, w)));
}

/* db = A'^-1 dy, dA = -db y' */
bool vjp_solve(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *a = n->ops[0], *b = n->ops[1];
    Node *db = node2(st, OP_SOLVE, NULL, build_swap_last(st, a), dy);
    if (!db || (vjp_active(v, b) && !vjp_give(v, b, db)))
        return false;
    return !vjp_active(v, a) || vjp_give(v, a, minus_outer(st, db, n));
}

/* The same, with op(A) for A and only on the triangle that is read. */
bool vjp_solve_triangular(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *a = n->ops[0], *b = n->ops[1];
    bool lower = n->attrs[0].i != 0, trans = n->attrs[1].i != 0, unit = n->attrs[2].i != 0;
    Node *db = matrix_solve_triangular(st, a, dy, lower, !trans, unit);
    if (!db || (vjp_active(v, b) && !vjp_give(v, b, db)))
        return false;
    if (!vjp_active(v, a))
        return true;
    Node *da = trans ? minus_outer(st, n, db) : minus_outer(st, db, n);
    return vjp_give(v, a, matrix_triangle(st, da, lower, !unit ? 0 : lower ? -1 : 1));
}

/* x' with A x' = db - dA x */
static Node *right_side(Jvp *j, Node *n, Node *da)
{
    Node *db = jvp_tangent(j, n->ops[1]), *moved = da ? product(j->st, da, n) : NULL;
    if (da && !moved)
        return NULL;
    return !moved ? db : db ? build_sub(j->st, db, moved) : build_neg(j->st, moved);
}

bool jvp_solve(Jvp *j, Node *n)
{
    Node *r = right_side(j, n, jvp_tangent(j, n->ops[0]));
    return r && jvp_give(j, n, node2(j->st, OP_SOLVE, NULL, n->ops[0], r));
}

bool jvp_solve_triangular(Jvp *j, Node *n)
{
    Store *st = j->st;
    bool lower = n->attrs[0].i != 0, trans = n->attrs[1].i != 0, unit = n->attrs[2].i != 0;
    Node *da = jvp_tangent(j, n->ops[0]);
    if (da)
        da = matrix_triangle(st, da, lower, !unit ? 0 : lower ? -1 : 1);
    Node *r = right_side(j, n, da && trans ? build_swap_last(st, da) : da);
    return r && jvp_give(j, n, matrix_solve_triangular(st, n->ops[0], r, lower, trans, unit));
}

/* dA = -Y' dY Y' */
bool vjp_inv(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *t = build_swap_last(st, n);
    return !vjp_active(v, n->ops[0]) ||
           vjp_give(v, n->ops[0], build_neg(st, product(st, product(st, t, dy), t)));
}

/* dY = -Y dA Y */
bool jvp_inv(Jvp *j, Node *n)
{
    Node *left = product(j->st, n, jvp_tangent(j, n->ops[0]));
    return left && jvp_give(j, n, build_neg(j->st, product(j->st, left, n)));
}

/* scale * A'^-1; scale has one number per matrix */
static Node *scaled_inverse(Store *st, Node *a, Node *scale)
{
    Node *inverse = node1(st, OP_INV, NULL, build_swap_last(st, a));
    for (int i = 0; i < 2 && scale && node_rank(a) > 2; i++)
        scale = build_expand(st, scale, node_rank(scale));
    return build_mul(st, scale, inverse);
}

/* ---- the cofactors of a matrix, what det changes by: det(A) A'^-1, and of a singular one, too
 * ---- */

/* Row i: the n - 1 places other than i; all rows one after the other. */
static Node *other_places(Store *st, Node *n)
{
    Node *fewer = build_sub(st, n, node_i64(st, 1)), *dims[] = {n, fewer};
    Node *i = node1(st, OP_IOTA, NULL, n), *j = node1(st, OP_IOTA, NULL, fewer);
    Node *row = i ? build_broadcast_to(st, build_expand(st, i, 1), 2, dims) : NULL;
    Node *place = build_broadcast_to(st, j, 2, dims), *pair[] = {place, row};
    Node *beyond = row && place ? build_elementwise(st, OP_GE, 2, pair) : NULL;
    Node *others = beyond ? build_add(st, place, node_cast(st, beyond, DT_I64)) : NULL;
    Node *length = build_mul(st, n, fewer);
    return others && length ? build_reshape(st, others, 1, &length) : NULL;
}

/* 1 and -1 like the fields of a chessboard */
static Node *alternating(Store *st, Node *n, DType d)
{
    Node *i = node1(st, OP_IOTA, NULL, n), *dims[] = {n, n};
    Node *row = i ? build_broadcast_to(st, build_expand(st, i, 1), 2, dims) : NULL;
    Node *sum = build_add(st, row, build_broadcast_to(st, i, 2, dims));
    Node *pair[] = {sum, node_i64(st, 2)};
    Node *odd = sum ? build_elementwise(st, OP_MOD, 2, pair) : NULL;
    Node *sign = build_sub(st, node_i64(st, 1), build_mul(st, node_i64(st, 2), odd));
    return sign ? node_cast(st, sign, d) : NULL;
}

/* From the determinants of the minors: n^2 of them, exact for every rank, and they can be derived
 * again as often as one likes. */
static Node *by_minors(Store *st, Node *a)
{
    int rank = node_rank(a), batch = rank - 2, order[MAX_RANK];
    Node *n = node_dim(st, a, rank - 1), *others = other_places(st, n), *dims[MAX_RANK];
    Attr rows = {.i = rank - 2}, columns = {.i = rank - 1};
    Node *x = others ? node2(st, OP_GATHER, &rows, a, others) : NULL;
    x = x ? node2(st, OP_GATHER, &columns, x, others) : NULL;
    for (int i = 0; i < rank + 2; i++) {
        order[i] = i;
        dims[i] = i < batch ? node_dim(st, a, i) : n;
    }
    dims[batch + 1] = dims[batch + 3] = build_sub(st, n, node_i64(st, 1));
    order[batch + 1] = batch + 2;
    order[batch + 2] = batch + 1;
    x = x ? build_reshape(st, x, rank + 2, dims) : NULL;
    x = x ? build_transpose(st, x, order) : NULL;
    x = x ? node1(st, OP_DET, NULL, x) : NULL;
    Node *sign = x ? alternating(st, n, a->type->dtype) : NULL;
    for (int i = 0; i < rank; i++)
        dims[i] = i < batch ? node_dim(st, a, i) : n;
    return sign ? build_mul(st, x, build_broadcast_to(st, sign, rank, dims)) : NULL;
}

/* Is some matrix singular, or so near to it that rounding decides what its determinant is? Against
 * Hadamard's bound, the product of the lengths of the rows, of which chance leaves about e^(-n/2);
 * what is called singular without need only takes longer. In logarithms, which do not overflow. */
static Node *some_singular(Store *st, Node *a)
{
    int rank = node_rank(a);
    DType d = a->type->dtype;
    i64 last[] = {rank - 1}, rows[] = {rank - 2};
    Node *squares = build_sum(st, build_mul(st, a, a), intlist(st, 1, last));
    Node *logs = squares ? node1(st, OP_LOG, NULL, squares) : NULL;
    Node *bound = build_mul(st, node_number(st, d, 0.5), build_sum(st, logs, intlist(st, 1, rows)));
    Node *n = node_cast(st, node_dim(st, a, rank - 1), d);
    Node *fall = build_add(st, n, node_number(st, d, d == DT_F64 ? 23 : 7));
    Node *both = node1(st, OP_SLOGDET, NULL, a);
    Node *pair[] = {both ? node_proj(st, both, 1) : NULL, build_sub(st, bound, fall)};
    Node *some = pair[0] && pair[1] ? build_elementwise(st, OP_LE, 2, pair) : NULL;
    Attr all = {.ints = some ? all_axes(st, node_rank(some)) : NULL};
    return some && node_rank(some) ? node1(st, OP_ANY, &all, some) : some;
}

enum { FEW_ROWS = 4 };

/* Few minors are quicker than asking; otherwise they are for singular matrices. */
Node *derived_cofactors(Store *st, Node *a, Node *det)
{
    i64 n;
    bool known = size_is_const(a->type->dims[node_rank(a) - 1], &n);
    if (node_rank(a) + 2 > MAX_RANK || (known && n == 0))
        return scaled_inverse(st, a, det);
    if (known && n <= FEW_ROWS)
        return by_minors(st, a);
    NodeSet outside = {0};
    Node *some = some_singular(st, a), *yes = some ? by_minors(st, a) : NULL;
    Node *no = yes ? scaled_inverse(st, a, det) : NULL;
    set_add(&outside, a);
    set_add(&outside, det);
    Node *choice = no ? build_if(st, some, 1, &yes, &no, &outside) : NULL;
    map_free(&outside);
    Node *dims[MAX_RANK]; /* what the branches give has sizes of its own; they are those of a */
    for (int i = 0; i < node_rank(a); i++)
        dims[i] = node_dim(st, a, i);
    return choice ? build_reshape(st, node_proj(st, choice, 0), node_rank(a), dims) : NULL;
}

bool vjp_det(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    if (divided_by(dy, n)) /* of log(det(A)): the determinant cancels */
        return !vjp_active(v, n->ops[0]) ||
               vjp_give(v, n->ops[0], scaled_inverse(st, n->ops[0], dy->ops[0]));
    Node *a = n->ops[0], *c = vjp_active(v, a) ? derived_cofactors(st, a, n) : NULL;
    for (int i = 0; i < 2 && node_rank(a) > 2; i++)
        dy = build_expand(st, dy, node_rank(dy));
    return !vjp_active(v, a) || (c && vjp_give(v, a, build_mul(st, dy, c)));
}

/* dA = d(logabs) A'^-1; the sign has the derivative 0 */
bool vjp_slogdet(Vjp *v, Node *n, Node *dy)
{
    (void)dy;
    Node *a = n->ops[0], *dlog = vjp_result(v, n, 1);
    return !dlog || !vjp_active(v, a) || vjp_give(v, a, scaled_inverse(v->st, a, dlog));
}

/* trace(A^-1 dA), one number per matrix */
static Node *log_det_tangent(Jvp *j, Node *a)
{
    Store *st = j->st;
    i64 last[] = {node_rank(a) - 2, node_rank(a) - 1};
    Node *inverse = node1(st, OP_INV, NULL, build_swap_last(st, a));
    return build_sum(st, build_mul(st, inverse, jvp_tangent(j, a)), intlist(st, 2, last));
}

bool jvp_det(Jvp *j, Node *n)
{
    Store *st = j->st;
    Node *a = n->ops[0], *c = derived_cofactors(st, a, n);
    i64 last[] = {node_rank(a) - 2, node_rank(a) - 1};
    return c &&
           jvp_give(j, n, build_sum(st, build_mul(st, c, jvp_tangent(j, a)), intlist(st, 2, last)));
}

bool jvp_slogdet(Jvp *j, Node *n)
{
    Node *d = log_det_tangent(j, n->ops[0]);
    jvp_result(j, n, 1, NULL, d);
    return d != NULL;
}

/* ---- values ---- */

/* The size of the square matrices of operand 0 and how many there are; -1 after eval_fail. */
static i64 matrices(EvalArgs *e, i64 *batch)
{
    const Tensor *a = e->in[0];
    i64 n = a->shape[a->rank - 1];
    *batch = 1;
    for (int i = 0; i < a->rank - 2; i++)
        *batch *= a->shape[i];
    if (a->shape[a->rank - 2] == n)
        return n;
    eval_fail(e, "shape-mismatch", "%s: a matrix of %lld rows and %lld columns is not square",
              node_info(e->node)->name, (long long)a->shape[a->rank - 2], (long long)n);
    return -1;
}

static char *at_matrix(const Tensor *t, i64 i, i64 elements)
{
    return (char *)t->data + (size_t)(i * elements) * dtype_size(t->dtype);
}

static int eval_each(EvalArgs *e, int (*f)(DType, i64, void *))
{
    i64 batch, n = matrices(e, &batch);
    Tensor *out = n < 0 ? NULL : eval_take(e, 0);
    int status = K_OK;
    if (!out)
        return 1;
    for (i64 i = 0; i < batch && status == K_OK; i++)
        status = f(out->dtype, n, at_matrix(out, i, n * n));
    if (status != K_OK) {
        tensor_unref(out);
        return eval_status(e, status);
    }
    e->out[0] = out;
    return 0;
}

int eval_cholesky(EvalArgs *e) { return eval_each(e, blas_cholesky); }
int eval_inv(EvalArgs *e) { return eval_each(e, blas_inv); }

/* det, slogdet: results per matrix from a copy that is destroyed */
static int eval_determinant(EvalArgs *e, int results)
{
    const Tensor *a = e->in[0];
    i64 batch, n = matrices(e, &batch);
    int status = n < 0 ? 1 : 0;
    for (int k = 0; k < results && !status; k++)
        status = !(e->out[k] = eval_fresh(e, a->dtype, a->rank - 2, a->shape));
    Tensor *scratch = status ? NULL : eval_take(e, 0);
    status = status || !scratch;
    for (i64 i = 0; i < batch && !status; i++) {
        void *m = at_matrix(scratch, i, n * n), *first = at_matrix(e->out[0], i, 1);
        int found = results == 1 ? blas_det(a->dtype, n, m, first)
                                 : blas_slogdet(a->dtype, n, m, first, at_matrix(e->out[1], i, 1));
        status = eval_status(e, found);
    }
    tensor_unref(scratch);
    for (int k = 0; k < results && status; k++) {
        tensor_unref(e->out[k]);
        e->out[k] = NULL;
    }
    return status;
}

int eval_det(EvalArgs *e) { return eval_determinant(e, 1); }
int eval_slogdet(EvalArgs *e) { return eval_determinant(e, 2); }

/* Does b fit n x n matrices? Sets how many right sides each has. */
static bool right_sides(EvalArgs *e, i64 n, i64 *count)
{
    const Tensor *a = e->in[0], *b = e->in[1];
    *count = b->rank == 1 ? 1 : b->shape[b->rank - 1];
    bool fits = b->shape[b->rank == 1 ? 0 : b->rank - 2] == n;
    for (int i = 0; i < b->rank - 2; i++)
        fits = fits && a->shape[i] == b->shape[i];
    if (!fits)
        eval_shape_error(e, a, b);
    return fits;
}

static int eval_system(EvalArgs *e, bool triangular)
{
    const Attr *attrs = e->node->attrs;
    i64 batch, count, n = matrices(e, &batch);
    if (n < 0 || !right_sides(e, n, &count))
        return 1;
    Tensor *a = triangular ? tensor_ref(e->in[0]) : eval_take(e, 0);
    Tensor *b = a ? eval_take(e, 1) : NULL;
    int status = K_OK;
    for (i64 i = 0; b && i < batch && status == K_OK; i++) {
        void *m = at_matrix(a, i, n * n), *x = at_matrix(b, i, n * count);
        status = triangular ? blas_solve_triangular(b->dtype, attrs[0].i != 0, attrs[1].i != 0,
                                                    attrs[2].i != 0, n, count, m, x)
                            : blas_solve(b->dtype, n, count, m, x);
    }
    tensor_unref(a);
    if (!b || status != K_OK) {
        tensor_unref(b);
        return b ? eval_status(e, status) : 1;
    }
    e->out[0] = b;
    return 0;
}

int eval_solve(EvalArgs *e) { return eval_system(e, false); }
int eval_solve_triangular(EvalArgs *e) { return eval_system(e, true); }
