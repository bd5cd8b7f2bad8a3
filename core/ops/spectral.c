/* QR, eigenvalues, singular values and what is made of them, of one matrix or of a batch.
 *
 * Invariant: a derivative asks for 1 / (difference of two eigenvalues) only where vectors have a
 * cotangent; of two equal ones it is nan, as then the vectors are no function of the matrix. */
#include "ops/matrices.h"
#include "tensor/blas.h"
#include "ops/family.h"

#include <math.h>

/* ---- types ---- */

static bool matrices_of_floats(Store *st, const Node *n)
{
    if (!tensors_only(st, n))
        return false;
    const Type *a = n->ops[0]->type;
    if (!dtype_is_float(a->dtype))
        return wrong_type(st, n, 0, "f32 or f64") != NULL;
    if (a->rank >= 2)
        return true;
    store_error(st, "rank", NULL, "%s needs a matrix, not %s", node_info(n)->name,
                shape_text(st, a));
    return false;
}

/* The batch of a, then one or two sizes. */
static Type *sized(Store *st, const Type *a, Size *rows, Size *columns)
{
    Size *dims[MAX_RANK];
    int rank = a->rank - 2;
    for (int i = 0; i < rank; i++)
        dims[i] = a->dims[i];
    dims[rank++] = rows;
    if (columns)
        dims[rank++] = columns;
    return type_tensor(st, a->dtype, rank, dims);
}

static Size *rows_of(const Type *a) { return a->dims[a->rank - 2]; }
static Size *columns_of(const Type *a) { return a->dims[a->rank - 1]; }
static Size *shorter(Store *st, const Type *a) { return size_min(st, rows_of(a), columns_of(a)); }

Type *infer_qr(Store *st, Node *n)
{
    const Type *a = n->ops[0]->type;
    if (!matrices_of_floats(st, n))
        return NULL;
    Type *items[] = {sized(st, a, rows_of(a), shorter(st, a)),
                     sized(st, a, shorter(st, a), columns_of(a))};
    return type_tuple(st, 2, items);
}

Type *infer_svd(Store *st, Node *n)
{
    const Type *a = n->ops[0]->type;
    if (!matrices_of_floats(st, n))
        return NULL;
    Size *k = shorter(st, a);
    Type *items[] = {sized(st, a, rows_of(a), k), sized(st, a, k, NULL),
                     sized(st, a, k, columns_of(a))};
    return type_tuple(st, 3, items);
}

Type *infer_eigh(Store *st, Node *n)
{
    Type *a = infer_square(st, n);
    if (!a)
        return NULL;
    Type *items[] = {sized(st, a, columns_of(a), NULL), a};
    return type_tuple(st, 2, items);
}

Type *infer_pinv(Store *st, Node *n)
{
    const Type *a = n->ops[0]->type;
    return matrices_of_floats(st, n) ? sized(st, a, columns_of(a), rows_of(a)) : NULL;
}

/* ---- derivatives: small constructions; NULL among the operands gives NULL ---- */

static Node *product(Store *st, Node *a, Node *b)
{
    return a && b ? node2(st, OP_MATMUL, NULL, a, b) : NULL;
}

static Node *turned(Store *st, Node *x) { return x ? build_swap_last(st, x) : NULL; }

/* Columns times numbers: x diag(s). */
static Node *by_columns(Store *st, Node *x, Node *s)
{
    return x && s ? build_mul(st, x, build_expand(st, s, node_rank(s) - 1)) : NULL;
}

/* Nothing flows along one of the ways: the sum is the other. */
static Node *both(Store *st, Node *a, Node *b) { return a && b ? build_add(st, a, b) : a ? a : b; }

/* The unit matrix for x's last two axes. */
static Node *unit(Store *st, Node *x)
{
    Attr d = {.i = (i64)node_dtype(x)};
    return node1(st, OP_EYE, &d, node_dim(st, x, node_rank(x) - 1));
}

/* 1 / gaps off the diagonal, nan where a gap is 0; 0 on it. */
static Node *inverse_gaps(Store *st, Node *gaps)
{
    DType d = node_dtype(gaps);
    Node *on = unit(st, gaps), *safe = build_add(st, gaps, on);
    Node *off = build_sub(st, node_number(st, d, 1), on);
    Node *ops[] = {off, safe}, *zero[] = {safe, node_number(st, d, 0)};
    Node *choice[] = {build_elementwise(st, OP_EQ, 2, zero), node_number(st, d, (double)NAN),
                      build_elementwise(st, OP_DIV, 2, ops)};
    return choice[0] && choice[2] ? build_elementwise(st, OP_WHERE, 3, choice) : NULL;
}

/* f(s[j], s[i]) for all pairs, rows i. */
static Node *pairs(Store *st, Node *s, Node *(*f)(Store *, Node *, Node *))
{
    int last = node_rank(s) - 1;
    return f(st, build_expand(st, s, last), build_expand(st, s, last + 1));
}

/* ---- derivatives: eigh ---- */

/* With F[i, j] = 1 / (w[j] - w[i]) the cotangent of A is V (diag(dw) + F * (V' dV)) V' (M. Giles,
 * "An extended collection of matrix derivative results", 2008, 3.1), of which the lower triangle
 * gets both halves. */
bool vjp_eigh(Vjp *v, Node *n, Node *dy)
{
    (void)dy;
    Store *st = v->st;
    Node *a = n->ops[0], *dw = vjp_result(v, n, 0), *dvec = vjp_result(v, n, 1);
    if (!vjp_active(v, a) || (!dw && !dvec))
        return true;
    Node *w = node_proj(st, n, 0), *vec = node_proj(st, n, 1), *inner = NULL;
    if (dvec) {
        inner = build_mul(st, inverse_gaps(st, pairs(st, w, build_sub)),
                          product(st, turned(st, vec), dvec));
        if (!(inner = product(st, vec, inner)))
            return false;
    }
    Node *left = both(st, dw ? by_columns(st, vec, dw) : NULL, inner);
    Node *g = product(st, left, turned(st, vec));
    return g && vjp_give(v, a, matrix_half_lower(st, build_add(st, g, turned(st, g))));
}

/* ---- derivatives: svd ---- */

/* x - y (y' x): without its part in the space of y's columns. */
static Node *outside(Store *st, Node *x, Node *y)
{
    return build_sub(st, x, product(st, y, product(st, turned(st, y), x)));
}

/* F * (x'dx - dx'x) */
static Node *rotation(Store *st, Node *f, Node *x, Node *dx)
{
    Node *p = product(st, turned(st, x), dx);
    return build_mul(st, f, build_sub(st, p, turned(st, p)));
}

/* J. Townsend, "Differentiating the singular value decomposition", 2016: with F[i, j] = 1 / (s[j]^2
 * - s[i]^2) the cotangent of A is (U F*(U'dU - dU'U) S + (1 - UU')dU S^-1) V' + U diag(ds) V'
 * + U (S F*(V'dV - dV'V) V' + S^-1 dV'(1 - VV')). */
bool vjp_svd(Vjp *v, Node *n, Node *dy)
{
    (void)dy;
    Store *st = v->st;
    Node *a = n->ops[0], *du = vjp_result(v, n, 0), *ds = vjp_result(v, n, 1),
         *dvt = vjp_result(v, n, 2);
    if (!vjp_active(v, a) || (!du && !ds && !dvt))
        return true;
    Node *u = node_proj(st, n, 0), *s = node_proj(st, n, 1), *vt = node_proj(st, n, 2);
    Node *one = node_number(st, node_dtype(a), 1), *division[] = {one, s};
    Node *inverse = build_elementwise(st, OP_DIV, 2, division);
    Node *f =
        du || dvt
            ? inverse_gaps(st, build_mul(st, pairs(st, s, build_sub), pairs(st, s, build_add)))
            : NULL;
    Node *left = ds ? by_columns(st, u, ds) : NULL, *right = NULL; /* left V' + U right */
    if (du) {
        Node *turn = by_columns(st, product(st, u, rotation(st, f, u, du)), s);
        left = both(st, left, build_add(st, turn, by_columns(st, outside(st, du, u), inverse)));
    }
    if (dvt) { /* of V, which is turned: (F * ..)' = F * .. as both change their signs */
        Node *vec = turned(st, vt), *dvec = turned(st, dvt);
        Node *turn = turned(st, by_columns(st, rotation(st, f, vec, dvec), s));
        right = product(st, turn, vt);
        right = build_add(st, right, turned(st, by_columns(st, outside(st, dvec, vec), inverse)));
    }
    if ((du && !left) || (dvt && !right))
        return false;
    Node *sum = both(st, left ? product(st, left, vt) : NULL, right ? product(st, u, right) : NULL);
    return sum && vjp_give(v, a, sum);
}

/* ---- derivatives: qr ---- */

/* x R^-T */
static Node *over_triangle(Store *st, Node *x, Node *r)
{
    return turned(st, matrix_solve_triangular(st, r, turned(st, x), false, false, false));
}

/* Of at least as many rows as columns, with M = R dR' - dQ' Q: (dQ + Q (tril(M) + tril(M, -1)'))
 * R^-T (S. Walter, L. Lehmann, "Algorithmic differentiation of linear algebra functions", 2010). */
static Node *tall_cotangent(Store *st, Node *q, Node *r, Node *dq, Node *dr)
{
    Node *upper = dr ? product(st, r, turned(st, dr)) : NULL;
    Node *lower = dq ? product(st, turned(st, dq), q) : NULL;
    Node *m = upper && lower ? build_sub(st, upper, lower) : upper ? upper : build_neg(st, lower);
    Node *mirrored = turned(st, matrix_triangle(st, m, true, -1));
    Node *whole = product(st, q, build_add(st, matrix_triangle(st, m, true, 0), mirrored));
    return over_triangle(st, both(st, dq, whole), r);
}

static Node *columns(Store *st, Node *x, Node *from, Node *len)
{
    return x ? build_slice(st, x, node_rank(x) - 1, from, len, 1) : NULL;
}

/* Of more columns than rows, A = [X Y] = Q [U Q'Y]: Y gets Q dV, and Q Y dV' more. */
static Node *wide_cotangent(Store *st, Node *n, Node *q, Node *r, Node *dq, Node *dr)
{
    Node *a = n->ops[0], *none = node_i64(st, 0), *len = node_dim(st, a, node_rank(a) - 2);
    Node *rest = build_sub(st, node_dim(st, a, node_rank(a) - 1), len);
    rest = rest ? build_size(st, rest) : NULL;
    Node *dv = dr ? columns(st, dr, len, rest) : NULL;
    Node *more = dv ? product(st, columns(st, a, len, rest), turned(st, dv)) : NULL;
    Node *dx = tall_cotangent(st, q, columns(st, r, none, len), both(st, dq, more),
                              dr ? columns(st, dr, none, len) : NULL);
    Node *y = columns(st, a, len, rest);
    Node *parts[] = {dx, dv ? product(st, q, dv) : y ? build_zeros_like(st, y) : NULL};
    Attr axis = {.i = node_rank(a) - 1};
    return parts[0] && parts[1] ? node_make(st, OP_CONCAT, &axis, 2, parts) : NULL;
}

/* Where it is not known which of the two sides is longer, R is taken to be square; if it is not,
 * the solution with it reports that. */
bool vjp_qr(Vjp *v, Node *n, Node *dy)
{
    (void)dy;
    Store *st = v->st;
    Node *a = n->ops[0], *dq = vjp_result(v, n, 0), *dr = vjp_result(v, n, 1);
    if (!vjp_active(v, a) || (!dq && !dr))
        return true;
    Node *q = node_proj(st, n, 0), *r = node_proj(st, n, 1);
    i64 rows, cols;
    bool wide = size_is_const(rows_of(a->type), &rows) &&
                size_is_const(columns_of(a->type), &cols) && rows < cols;
    Node *da = wide ? wide_cotangent(st, n, q, r, dq, dr) : tall_cotangent(st, q, r, dq, dr);
    return da && vjp_give(v, a, da);
}

/* ---- derivatives: pinv ---- */

/* G. Golub, V. Pereyra, "The differentiation of pseudo-inverses", 1973, where the rank stays:
 * dP = -P dA P + P P' dA' (1 - A P) + (1 - P A) dA' P' P. */
bool vjp_pinv(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *a = n->ops[0], *p = n, *pt = turned(st, p), *dt = turned(st, dy);
    if (!vjp_active(v, a))
        return true;
    Node *first = product(st, product(st, pt, dy), pt);
    Node *x = product(st, product(st, dt, p), pt), *y = product(st, product(st, pt, p), dt);
    Node *second = build_sub(st, x, product(st, a, product(st, p, x)));
    Node *third = build_sub(st, y, product(st, product(st, y, p), a));
    Node *sum = build_sub(st, build_add(st, second, third), first);
    return sum && vjp_give(v, a, sum);
}

/* ---- values ---- */

typedef struct {
    i64 batch, rows, columns;
} Extent;

static Extent extent(const Tensor *a)
{
    Extent x = {1, a->shape[a->rank - 2], a->shape[a->rank - 1]};
    for (int i = 0; i < a->rank - 2; i++)
        x.batch *= a->shape[i];
    return x;
}

/* Result k: the batch, then `rows` and, unless it is -1, `columns`. */
static bool fresh(EvalArgs *e, int k, i64 rows, i64 columns)
{
    const Tensor *a = e->in[0];
    i64 shape[MAX_RANK];
    for (int i = 0; i < a->rank - 2; i++)
        shape[i] = a->shape[i];
    shape[a->rank - 2] = rows;
    shape[a->rank - 1] = columns;
    e->out[k] = eval_fresh(e, a->dtype, a->rank - (columns < 0), shape);
    return e->out[k] != NULL;
}

/* Matrix i of a tensor whose matrices have so many elements. */
static void *at_matrix(const Tensor *t, i64 i, i64 elements)
{
    return (char *)t->data + (size_t)(i * elements) * dtype_size(t->dtype);
}

/* One matrix; the sizes are those of operand 0. */
typedef int Factor(EvalArgs *e, i64 i, i64 m, i64 n, const void *a);

static int each(EvalArgs *e, int results, bool ready, Factor *f)
{
    const Tensor *a = e->in[0];
    Extent x = extent(a);
    int status = ready ? 0 : 1;
    for (i64 i = 0; i < x.batch && !status; i++) {
        status = eval_interrupted(e) ? 1 : 0;
        if (!status)
            status =
                eval_status(e, f(e, i, x.rows, x.columns, at_matrix(a, i, x.rows * x.columns)));
    }
    for (int k = 0; k < results && status; k++) {
        tensor_unref(e->out[k]);
        e->out[k] = NULL;
    }
    return status;
}

static i64 least(i64 a, i64 b) { return a < b ? a : b; }

static int one_qr(EvalArgs *e, i64 i, i64 m, i64 n, const void *a)
{
    i64 k = least(m, n);
    return blas_qr(e->in[0]->dtype, m, n, a, at_matrix(e->out[0], i, m * k),
                   at_matrix(e->out[1], i, k * n));
}

int eval_qr(EvalArgs *e)
{
    Extent x = extent(e->in[0]);
    i64 k = least(x.rows, x.columns);
    return each(e, 2, fresh(e, 0, x.rows, k) && fresh(e, 1, k, x.columns), one_qr);
}

static int one_svd(EvalArgs *e, i64 i, i64 m, i64 n, const void *a)
{
    i64 k = least(m, n);
    return blas_svd(e->in[0]->dtype, m, n, a, at_matrix(e->out[0], i, m * k),
                    at_matrix(e->out[1], i, k), at_matrix(e->out[2], i, k * n));
}

int eval_svd(EvalArgs *e)
{
    Extent x = extent(e->in[0]);
    i64 k = least(x.rows, x.columns);
    bool ready = fresh(e, 0, x.rows, k) && fresh(e, 1, k, -1) && fresh(e, 2, k, x.columns);
    return each(e, 3, ready, one_svd);
}

static int one_eigh(EvalArgs *e, i64 i, i64 m, i64 n, const void *a)
{
    return blas_eigh(e->in[0]->dtype, n, a, at_matrix(e->out[0], i, n),
                     at_matrix(e->out[1], i, m * n));
}

int eval_eigh(EvalArgs *e)
{
    Extent x = extent(e->in[0]);
    if (x.rows != x.columns)
        return eval_fail(e, "shape-mismatch",
                         "eigh: a matrix of %lld rows and %lld columns is not square",
                         (long long)x.rows, (long long)x.columns);
    return each(e, 2, fresh(e, 0, x.rows, -1) && fresh(e, 1, x.rows, x.rows), one_eigh);
}

static int one_pinv(EvalArgs *e, i64 i, i64 m, i64 n, const void *a)
{
    return blas_pinv(e->in[0]->dtype, m, n, a, at_matrix(e->out[0], i, m * n));
}

int eval_pinv(EvalArgs *e)
{
    Extent x = extent(e->in[0]);
    return each(e, 1, fresh(e, 0, x.columns, x.rows), one_pinv);
}
