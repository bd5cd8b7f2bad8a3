/* Values of matrix products, and the forms that `specialize` makes of them:
 *
 *   gemm{ta, tb}(a, b)   op(a) @ op(b), matrices or batches of them; op swaps the last two axes
 *   gemv{ta}(a, x)       op(a) @ x, a matrix and a vector
 *   ger(x, y)            the outer product of two vectors
 *
 * each also with (..., c): product + c, and (..., c, alpha, beta): alpha * product + beta * c,
 * where c has the product's shape. It is updated in place if nobody else needs it.
 *
 * Invariant: a matrix product sees each operand as (batch, rows, columns), where a vector is a row
 * on the left and a column on the right, and an operand of at most two axes serves every batch. */
#include "base/threads.h"
#include "tensor/blas.h"
#include "ops/family.h"
#include "ops/product.h"

/* ---- types ---- */

static bool are_floats(const Node *n)
{
    for (u32 k = 0; k < n->nops; k++)
        if (n->ops[k]->type->kind != TYPE_TENSOR || node_dtype(n->ops[k]) != node_dtype(n->ops[0]))
            return false;
    return dtype_is_float(node_dtype(n->ops[0])) ||
           (n->nops == 2 && dtype_is_number(node_dtype(n->ops[0])));
}

/* The product's type, if what is added to it fits. */
static Type *with_addend(Store *st, Node *n, int rank, Size *const *dims)
{
    Type *t = type_tensor(st, node_dtype(n->ops[0]), rank, dims);
    if (!t || n->nops == 2)
        return t;
    const char *name = node_info(n)->name;
    if (n->nops == 4)
        return store_error(st, "arity", NULL, "%s takes alpha and beta together", name);
    Type *c = n->ops[2]->type;
    if (c->rank != rank || (n->nops == 5 && (node_rank(n->ops[3]) || node_rank(n->ops[4]))))
        return store_error(st, "type-mismatch", NULL,
                           "%s adds a tensor of the product's shape, scaled by numbers", name);
    for (int i = 0; i < rank; i++)
        if (!sizes_agree(st, n, t, i, c, i))
            return NULL;
    return t;
}

static bool inner_agrees(Store *st, const Node *n, Size *a, Size *b)
{
    if (!size_provably_different(st, a, b))
        return true;
    store_error(st, "shape-mismatch", NULL, "%s: %s and %s have different inner sizes",
                node_info(n)->name, shape_text(st, n->ops[0]->type),
                shape_text(st, n->ops[1]->type));
    return false;
}

Type *infer_gemm(Store *st, Node *n)
{
    bool ta = n->attrs[0].i != 0, tb = n->attrs[1].i != 0;
    if (!are_floats(n) || node_rank(n->ops[0]) < 2 || node_rank(n->ops[1]) < 2)
        return store_error(st, "type-mismatch", NULL, "gemm takes two matrices of one dtype");
    Type *a = n->ops[0]->type, *b = n->ops[1]->type;
    int ra = a->rank, rb = b->rank, rank = ra > rb ? ra : rb;
    if (ra > 2 && rb > 2 && ra != rb)
        return store_error(st, "type-mismatch", NULL, "gemm takes batches of one rank");
    Size *dims[MAX_RANK];
    for (int i = 0; i < rank - 2; i++) {
        if (ra == rb && !sizes_agree(st, n, a, i, b, i))
            return NULL;
        dims[i] = ra < rb ? b->dims[i] : rb < ra ? a->dims[i] : size_prefer(b->dims[i], a->dims[i]);
    }
    dims[rank - 2] = a->dims[ta ? ra - 1 : ra - 2];
    dims[rank - 1] = b->dims[tb ? rb - 2 : rb - 1];
    bool fits = inner_agrees(st, n, a->dims[ta ? ra - 2 : ra - 1], b->dims[tb ? rb - 1 : rb - 2]);
    return fits ? with_addend(st, n, rank, dims) : NULL;
}

Type *infer_gemv(Store *st, Node *n)
{
    bool ta = n->attrs[0].i != 0;
    if (!are_floats(n) || node_rank(n->ops[0]) != 2 || node_rank(n->ops[1]) != 1)
        return store_error(st, "type-mismatch", NULL,
                           "gemv takes a matrix and a vector of one dtype");
    Type *a = n->ops[0]->type;
    return inner_agrees(st, n, a->dims[!ta], n->ops[1]->type->dims[0])
               ? with_addend(st, n, 1, &a->dims[ta])
               : NULL;
}

Type *infer_ger(Store *st, Node *n)
{
    if (!are_floats(n) || node_rank(n->ops[0]) != 1 || node_rank(n->ops[1]) != 1)
        return store_error(st, "type-mismatch", NULL, "ger takes two vectors of one dtype");
    Size *dims[] = {n->ops[0]->type->dims[0], n->ops[1]->type->dims[0]};
    return with_addend(st, n, 2, dims);
}

/* ---- without the forms ---- */

static Node *factor(Store *st, const Node *n, Node *const *ops, int i)
{
    bool flagged = n->op == OP_GEMM || (n->op == OP_GEMV && i == 0);
    if (n->op == OP_GER)
        return build_expand(st, ops[i], !i);
    return flagged && n->attrs[i].i ? build_swap_last(st, ops[i]) : ops[i];
}

Node *product_plain(Store *st, const Node *n, Node *const *ops)
{
    Node *a = factor(st, n, ops, 0), *b = factor(st, n, ops, 1);
    Node *p = a && b ? node2(st, OP_MATMUL, NULL, a, b) : NULL;
    if (!p || n->nops == 2)
        return p;
    Node *c = ops[2];
    if (n->nops == 5) {
        Node *scaled[] = {ops[3], p}, *added[] = {ops[4], c};
        p = build_elementwise(st, OP_MUL, 2, scaled);
        c = build_elementwise(st, OP_MUL, 2, added);
    }
    return p && c ? build_add(st, p, c) : NULL;
}

/* ---- products ---- */

bool product_of(const Tensor *a, const Tensor *b, bool ta, bool tb, Product *p)
{
    int abatch = a->rank > 2 ? a->rank - 2 : 0, bbatch = b->rank > 2 ? b->rank - 2 : 0;
    const Tensor *lead = abatch ? a : b;
    *p = (Product){.batch = 1, .ta = ta, .tb = tb};
    for (; p->rank < abatch || p->rank < bbatch; p->rank++) {
        if (abatch && bbatch && a->shape[p->rank] != b->shape[p->rank])
            return false;
        p->shape[p->rank] = lead->shape[p->rank];
        p->batch *= lead->shape[p->rank];
    }
    i64 arows = a->rank > 1 ? a->shape[a->rank - 2] : 1, acols = a->shape[a->rank - 1];
    i64 brows = b->rank > 1 ? b->shape[b->rank - 2] : b->shape[0],
        bcols = b->rank > 1 ? b->shape[b->rank - 1] : 1;
    p->m = ta ? acols : arows;
    p->k = ta ? arows : acols;
    p->n = tb ? brows : bcols;
    p->alead = acols;
    p->blead = bcols;
    if ((tb ? bcols : brows) != p->k)
        return false;
    if (a->rank > 1)
        p->shape[p->rank++] = p->m;
    if (b->rank > 1)
        p->shape[p->rank++] = p->n;
    p->astep = abatch ? p->m * p->k : 0;
    p->bstep = bbatch ? p->k * p->n : 0;
    if (abatch && !bbatch && !ta) { /* (batch, m, k) @ (k, n): one product of batch * m rows */
        p->m *= p->batch;
        p->batch = 1;
    }
    return true;
}

bool product_is_small(const Product *p, double alpha, double beta)
{
    return blas_is_small(p->m, p->n, p->k, alpha == 1 && beta == 0);
}

typedef struct {
    DType d;
    const Product *p;
    double alpha, beta;
    const char *a, *b;
    char *c;
    bool small;
} ProductWork;

static void one_product(const ProductWork *w, i64 i)
{
    const Product *p = w->p;
    size_t size = dtype_size(w->d);
    const char *a = w->a + (size_t)(i * p->astep) * size, *b = w->b + (size_t)(i * p->bstep) * size;
    char *c = w->c + (size_t)(i * p->m * p->n) * size;
    if (w->small)
        blas_small(w->d, p->ta, p->tb, p->m, p->n, p->k, w->alpha, a, b, w->beta, c);
    else if (p->m == 1 && p->n == 1 && w->alpha == 1 && w->beta == 0)
        blas_dot(w->d, p->k, a, 1, b, 1, c);
    else if (p->n == 1)
        blas_gemv(w->d, p->ta, p->ta ? p->k : p->m, p->ta ? p->m : p->k, w->alpha, a, p->alead, b,
                  1, w->beta, c, 1);
    else if (p->m == 1)
        blas_gemv(w->d, !p->tb, p->tb ? p->n : p->k, p->tb ? p->k : p->n, w->alpha, b, p->blead, a,
                  1, w->beta, c, 1);
    else
        blas_gemm(w->d, p->ta, p->tb, p->m, p->n, p->k, w->alpha, a, p->alead, b, p->blead, w->beta,
                  c, p->n);
}

static bool run_batches(void *ctx, int thread, i64 from, i64 to)
{
    (void)thread;
    for (i64 i = from; i < to; i++)
        one_product(ctx, i);
    return true;
}

static double product_nanoseconds(const Product *p)
{
    const double each = 0.05; /* of a multiplication and an addition */
    return each * (double)(p->batch * p->m) * (double)p->n * (double)p->k;
}

/* Threads take products of a batch. One product stays whole: the library's blocks, and so the bits
 * of its rows, may depend on how many rows there are. */
static bool spread_product(ProductWork *w, int threads)
{
    i64 batch = w->p->batch;
    double each = product_nanoseconds(w->p) / (double)(batch ? batch : 1);
    return batch > 1 && (w->small || blas_is_concurrent()) &&
           threads_spread(threads, batch, threads_piece(threads, batch, 1, each), run_batches, w);
}

void product_run(DType d, const Product *p, double alpha, const void *left, const void *right,
                 double beta, void *to)
{
    ProductWork w = {.d = d,
                     .p = p,
                     .alpha = alpha,
                     .beta = beta,
                     .a = left,
                     .b = right,
                     .c = to,
                     .small = product_is_small(p, alpha, beta)};
    int threads = threads_for(product_nanoseconds(p));
    if (threads == 1 || !spread_product(&w, threads))
        run_batches(&w, 0, 0, p->batch);
}

int eval_matmul(EvalArgs *e)
{
    Product p;
    Tensor *a = e->in[0], *b = e->in[1];
    if (!product_of(a, b, false, false, &p))
        return eval_shape_error(e, a, b);
    DType d = a->dtype == DT_BOOL ? DT_I64 : a->dtype;
    Tensor *out = eval_fresh(e, d, p.rank, p.shape);
    if (!out)
        return 1;
    Tensor *x = d == a->dtype ? tensor_ref(a) : tensor_cast(e->heap, a, d);
    Tensor *y = d == b->dtype ? tensor_ref(b) : tensor_cast(e->heap, b, d);
    if (x && y)
        product_run(d, &p, 1, x->data, y->data, 0, out->data);
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

/* ---- with something added ---- */

static bool has_shape(const Tensor *t, const Product *p)
{
    return t->rank == p->rank && !memcmp(t->shape, p->shape, (size_t)p->rank * sizeof *p->shape);
}

#define DEFINE_SCALED_SUM(NAME, T)                                               \
    static void NAME(i64 n, double alpha, const void *pv, double beta, void *cv) \
    {                                                                            \
        const T *p = pv;                                                         \
        T *c = cv, a = (T)alpha, b = (T)beta;                                    \
        for (i64 i = 0; i < n; i++)                                              \
            c[i] = a * p[i] + b * c[i];                                          \
    }
DEFINE_SCALED_SUM(scaled_sum_f32, float)
DEFINE_SCALED_SUM(scaled_sum_f64, double)

/* Where a factor is 0 the library does not look at what it multiplies: NaN would be lost. */
static int with_zero(EvalArgs *e, const Product *p, double alpha, double beta, Tensor *c)
{
    DType d = c->dtype;
    Tensor *product = eval_fresh(e, d, p->rank, p->shape);
    if (!product)
        return 1;
    product_run(d, p, 1, e->in[0]->data, e->in[1]->data, 0, product->data);
    if (d == DT_F32)
        scaled_sum_f32(c->count, alpha, product->data, beta, c->data);
    else
        scaled_sum_f64(c->count, alpha, product->data, beta, c->data);
    tensor_unref(product);
    return 0;
}

static int eval_product(EvalArgs *e, const Product *p)
{
    double alpha = e->nin == 5 ? tensor_f64_at(e->in[3], 0) : 1;
    double beta = e->nin == 5 ? tensor_f64_at(e->in[4], 0) : 1;
    DType d = e->in[0]->dtype;
    if (e->nin > 2 && !has_shape(e->in[2], p)) {
        Tensor like = {.rank = p->rank};
        memcpy(like.shape, p->shape, sizeof like.shape);
        return eval_shape_error(e, &like, e->in[2]);
    }
    Tensor *out = e->nin > 2 ? eval_take(e, 2) : eval_fresh(e, d, p->rank, p->shape);
    if (!out)
        return 1;
    if (e->nin == 2) {
        product_run(d, p, 1, e->in[0]->data, e->in[1]->data, 0, out->data);
    } else if (alpha == 0 || beta == 0) {
        if (with_zero(e, p, alpha, beta, out)) {
            tensor_unref(out);
            return 1;
        }
    } else {
        product_run(d, p, alpha, e->in[0]->data, e->in[1]->data, beta, out->data);
    }
    e->out[0] = out;
    return 0;
}

int eval_gemm(EvalArgs *e)
{
    Product p;
    const Attr *t = e->node->attrs;
    if (!product_of(e->in[0], e->in[1], t[0].i != 0, t[1].i != 0, &p))
        return eval_shape_error(e, e->in[0], e->in[1]);
    return eval_product(e, &p);
}

int eval_gemv(EvalArgs *e)
{
    Product p;
    if (!product_of(e->in[0], e->in[1], e->node->attrs[0].i != 0, false, &p))
        return eval_shape_error(e, e->in[0], e->in[1]);
    return eval_product(e, &p);
}

/* alpha * (x * y) + beta * c, element by element: a library would gain nothing. */
#define DEFINE_OUTER(NAME, T)                                                                 \
    static void NAME(i64 m, i64 n, double alpha, const void *xv, const void *yv, double beta, \
                     void *cv)                                                                \
    {                                                                                         \
        const T *x = xv, *y = yv;                                                             \
        T *c = cv, a = (T)alpha, b = (T)beta;                                                 \
        for (i64 i = 0; i < m; i++, c += n)                                                   \
            for (i64 j = 0; j < n; j++)                                                       \
                c[j] = a * (x[i] * y[j]) + b * c[j];                                          \
    }
DEFINE_OUTER(outer_f32, float)
DEFINE_OUTER(outer_f64, double)

#define DEFINE_ALONE(NAME, F)                                                     \
    static void NAME(i64 m, i64 n, const void *left, const void *right, void *to) \
    {                                                                             \
        const F *x = left, *y = right;                                            \
        F *c = to;                                                                \
        for (i64 i = 0; i < m; i++)                                               \
            for (i64 j = 0; j < n; j++)                                           \
                c[i * n + j] = x[i] * y[j];                                       \
    }
DEFINE_ALONE(alone_f32, float)
DEFINE_ALONE(alone_f64, double)

bool outer_is_short(i64 m, i64 n, DType d)
{
    return dtype_is_float(d) && m <= SHORT_OUTER && n <= SHORT_OUTER && m * n <= SHORT_OUTER;
}

/* A column times a row. */
int eval_ger(EvalArgs *e)
{
    i64 m = e->in[0]->shape[0], n = e->in[1]->shape[0];
    DType d = e->in[0]->dtype;
    Product p = {
        .batch = 1, .m = m, .k = 1, .n = n, .alead = 1, .blead = n, .rank = 2, .shape = {m, n}};
    if (e->nin == 2 && outer_is_short(m, n, d)) {
        Tensor *made = eval_fresh(e, d, 2, p.shape);
        if (made)
            (d == DT_F32 ? alone_f32 : alone_f64)(m, n, e->in[0]->data, e->in[1]->data, made->data);
        e->out[0] = made;
        return !made;
    }
    if (e->nin < 3 || !dtype_is_float(d) || !has_shape(e->in[2], &p))
        return eval_product(e, &p);
    double alpha = e->nin == 5 ? tensor_f64_at(e->in[3], 0) : 1;
    double beta = e->nin == 5 ? tensor_f64_at(e->in[4], 0) : 1;
    Tensor *out = eval_take(e, 2);
    if (!out)
        return 1;
    (d == DT_F32 ? outer_f32 : outer_f64)(m, n, alpha, e->in[0]->data, e->in[1]->data, beta,
                                          out->data);
    e->out[0] = out;
    return 0;
}
