/* The discrete Fourier transform of the last axis: real and imaginary parts are operands and
 * results.
 *
 * Invariant: a missing second operand is an imaginary part of zeros; missing is also what a
 * derivative does not reach, so that a real signal costs no array of zeros. */
#include "ops/family.h"
#include "tensor/fourier.h"

/* ---- types ---- */

Type *infer_dft(Store *st, Node *n)
{
    if (!tensors_only(st, n))
        return NULL;
    Type *x = n->ops[0]->type;
    if (!dtype_is_float(x->dtype))
        return wrong_type(st, n, 0, "f32 or f64");
    if (!x->rank) {
        store_error(st, "rank", NULL, "dft needs an array, not a scalar");
        return NULL;
    }
    if (n->nops > 1 && n->ops[1]->type != x) {
        store_error(st, "shape-mismatch", NULL,
                    "dft: the real part is %s, but the imaginary part is %s", shape_text(st, x),
                    shape_text(st, n->ops[1]->type));
        return NULL;
    }
    Type *items[] = {x, x};
    return type_tuple(st, 2, items);
}

/* ---- derivatives: the transform is linear and its matrix symmetric ---- */

/* Both parts of the transform of x + i y; either operand may be missing, but not both. */
static bool transform(Store *st, Node *x, Node *y, Node **re, Node **im)
{
    Node *ops[] = {x ? x : y, x ? y : NULL};
    Node *both = node_make(st, OP_DFT, NULL, ops[1] ? 2 : 1, ops);
    if (!both)
        return false;
    *re = node_proj(st, both, x ? 0 : 1);
    *im = node_proj(st, both, x ? 1 : 0);
    if (!x)
        *re = build_neg(st, *re); /* i (a + i b) = -b + i a */
    return true;
}

/* With C and S the cosines and sines, (re, im) = (C x + S y, C y - S x): x gets C dre - S dim and y
 * S dre + C dim, which are the parts of the transform of dim + i dre. */
bool vjp_dft(Vjp *v, Node *n, Node *dy)
{
    (void)dy;
    Node *dre = vjp_result(v, n, 0), *dim = vjp_result(v, n, 1), *to_x, *to_y;
    if (!dre && !dim)
        return true;
    if (!transform(v->st, dim, dre, &to_y, &to_x))
        return false;
    if (vjp_active(v, n->ops[0]) && !vjp_give(v, n->ops[0], to_x))
        return false;
    return n->nops < 2 || !vjp_active(v, n->ops[1]) || vjp_give(v, n->ops[1], to_y);
}

bool jvp_dft(Jvp *j, Node *n)
{
    Node *dx = jvp_tangent(j, n->ops[0]), *dy = n->nops > 1 ? jvp_tangent(j, n->ops[1]) : NULL;
    Node *re, *im;
    if (!transform(j->st, dx, dy, &re, &im))
        return false;
    jvp_result(j, n, 0, NULL, re);
    jvp_result(j, n, 1, NULL, im);
    return true;
}

/* ---- values ---- */

typedef struct {
    EvalArgs *e;
    const Fourier *f;
} Rows;

static char *row_of(const Tensor *t, i64 row, i64 n)
{
    return (char *)t->data + (size_t)(row * n) * dtype_size(t->dtype);
}

static int some_rows(void *ctx, i64 from, i64 to)
{
    const Rows *r = ctx;
    const EvalArgs *e = r->e;
    i64 n = r->f->n;
    return fourier_rows(r->f, to - from, row_of(e->in[0], from, n),
                        e->nin > 1 ? row_of(e->in[1], from, n) : NULL, row_of(e->out[0], from, n),
                        row_of(e->out[1], from, n), e->interrupt);
}

/* About five operations for each element and each halving of the length, on two arrays. */
static EvalWork work_of(const Tensor *x, i64 n)
{
    i64 halvings = 1;
    for (; n > 1; n /= 2)
        halvings++;
    return (EvalWork){.flops = 5 * x->count * halvings,
                      .bytes = 4 * x->count * (i64)dtype_size(x->dtype)};
}

int eval_dft(EvalArgs *e)
{
    const Tensor *x = e->in[0];
    for (int k = 0; k < 2; k++)
        if (!(e->out[k] = eval_fresh(e, x->dtype, x->rank, x->shape)))
            return 1;
    if (!x->count)
        return 0;
    i64 n = x->shape[x->rank - 1];
    Fourier *f = fourier_new(x->dtype, n);
    if (!f)
        return eval_status(e, K_MEMORY);
    EvalWork work = work_of(x, n);
    int status = eval_spread(e, x->count / n, &work, some_rows, &(Rows){e, f});
    fourier_free(f);
    return status;
}
