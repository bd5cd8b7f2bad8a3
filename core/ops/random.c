/* Random numbers: draws from a generator's state, which is an ordinary value.
 *
 * Invariant: a draw gives its values and the state that follows; the same state gives
 * the same values everywhere. */
#include "tensor/philox.h"
#include "ops/deferred.h"
#include "ops/family.h"

/* ---- types ---- */

static Type *draw_type(Store *st, Type *values)
{
    Type *items[] = {values, type_scalar(st, DT_RNG)};
    return values ? type_tuple(st, 2, items) : NULL;
}

Type *infer_rng(Store *st, Node *n)
{
    return scalar_operand(st, n, 0, DT_I64, "a seed") ? type_scalar(st, DT_RNG) : NULL;
}

Type *infer_split_rng(Store *st, Node *n)
{
    Size *k;
    if (!scalar_operand(st, n, 0, DT_RNG, "the state") || !size_operands(st, n, 1, &k))
        return NULL;
    return type_tensor(st, DT_RNG, 1, &k);
}

/* uniform, normal */
Type *infer_draw(Store *st, Node *n)
{
    Size *dims[MAX_RANK];
    if (!scalar_operand(st, n, 0, DT_RNG, "the state") || !size_operands(st, n, 1, dims))
        return NULL;
    return draw_type(st, type_tensor(st, DT_F64, (int)n->nops - 1, dims));
}

Type *infer_bernoulli(Store *st, Node *n)
{
    if (!tensors_only(st, n) || !scalar_operand(st, n, 0, DT_RNG, "the state"))
        return NULL;
    if (node_dtype(n->ops[1]) != DT_F64)
        return wrong_type(st, n, 1, "probabilities of type f64");
    return draw_type(st, type_with_dtype(st, n->ops[1]->type, DT_BOOL));
}

Type *infer_randint(Store *st, Node *n)
{
    Size *dims[MAX_RANK];
    i64 low, high;
    if (!scalar_operand(st, n, 0, DT_RNG, "the state") ||
        !scalar_operand(st, n, 1, DT_I64, "the lower bound") ||
        !scalar_operand(st, n, 2, DT_I64, "the upper bound") || !size_operands(st, n, 3, dims))
        return NULL;
    if (node_const_i64(n->ops[1], &low) && node_const_i64(n->ops[2], &high) && low >= high)
        return store_error(st, "range", NULL, "randint: there is no integer in [%lld, %lld)",
                           (long long)low, (long long)high);
    return draw_type(st, type_tensor(st, DT_I64, (int)n->nops - 3, dims));
}

Type *infer_permutation(Store *st, Node *n)
{
    Size *size;
    if (!scalar_operand(st, n, 0, DT_RNG, "the state") || !size_operands(st, n, 1, &size))
        return NULL;
    return draw_type(st, type_tensor(st, DT_I64, 1, &size));
}

Type *infer_categorical(Store *st, Node *n)
{
    if (!tensors_only(st, n) || !scalar_operand(st, n, 0, DT_RNG, "the state"))
        return NULL;
    const Type *p = n->ops[1]->type;
    if (p->dtype != DT_F64 || !p->rank)
        return wrong_type(st, n, 1, "rows of probabilities of type f64");
    if (size_is(p->dims[p->rank - 1], 0))
        return store_error(st, "empty", NULL,
                           "categorical: there are no categories to sample from");
    return draw_type(st, type_tensor(st, DT_I64, p->rank - 1, p->dims));
}

/* ---- values ---- */

static RngState state_of(const EvalArgs *e)
{
    RngState s;
    memcpy(&s, e->in[0]->data, sizeof s);
    return s;
}

int eval_rng(EvalArgs *e)
{
    RngState s = rng_seed(eval_int(e, 0));
    e->out[0] = eval_fresh(e, DT_RNG, 0, NULL);
    if (!e->out[0])
        return 1;
    memcpy(e->out[0]->data, &s, sizeof s);
    return 0;
}

int eval_split_rng(EvalArgs *e)
{
    i64 k;
    if (eval_dims(e, 1, 1, &k))
        return 1;
    e->out[0] = eval_fresh(e, DT_RNG, 1, &k);
    if (!e->out[0])
        return 1;
    rng_split(state_of(e), k, e->out[0]->data);
    return 0;
}

/* Memory for the values of a draw and the next state. */
static bool new_draw(EvalArgs *e, DType d, int rank, const i64 *shape)
{
    e->out[0] = eval_fresh(e, d, rank, shape);
    e->out[1] = e->out[0] ? eval_fresh(e, DT_RNG, 0, NULL) : NULL;
    if (e->out[1])
        return true;
    tensor_unref(e->out[0]);
    e->out[0] = NULL;
    return false;
}

static int set_state(EvalArgs *e, RngState next)
{
    memcpy(e->out[1]->data, &next, sizeof next);
    return 0;
}

/* n of the values, from one on; the state that follows. */
typedef RngState Draw(EvalArgs *e, RngState s, i64 from, i64 n);

typedef struct {
    EvalArgs *e;
    Draw *draw;
    i64 n, block; /* values that a block of random bits gives */
    RngState first, next;
} DrawWork;

/* Pieces have even numbers of values, so that each begins with a block. */
static int draw_piece(void *ctx, i64 from, i64 to)
{
    DrawWork *w = ctx;
    RngState start = rng_advance(w->first, (u64)(from / w->block));
    RngState next = w->draw(w->e, start, from, to - from);
    if (to == w->n)
        w->next = next;
    return K_OK;
}

/* All values, and the state: as one draw of all, which is of at least one block. */
static int draw_pieces(EvalArgs *e, i64 block, i64 work, Draw *draw)
{
    DrawWork w = {.e = e, .draw = draw, .n = e->out[0]->count, .block = block};
    w.first = w.next = state_of(e);
    i64 flops = w.n * work;
    if (!w.n)
        draw_piece(&w, 0, 0);
    else if (eval_spread(e, w.n, &(EvalWork){flops, flops * 8}, draw_piece, &w))
        return 1;
    return set_state(e, w.next);
}

static RngState draw_uniform(EvalArgs *e, RngState s, i64 from, i64 n)
{
    return rng_uniform(s, DT_F64, n, (double *)e->out[0]->data + from);
}

int eval_uniform(EvalArgs *e)
{
    i64 shape[MAX_RANK];
    if (eval_dims(e, 1, e->nin - 1, shape) || !new_draw(e, DT_F64, e->nin - 1, shape))
        return 1;
    return draw_pieces(e, 2, 1, draw_uniform);
}

static RngState draw_normal(EvalArgs *e, RngState s, i64 from, i64 n)
{
    return rng_normal(s, DT_F64, n, (double *)e->out[0]->data + from);
}

int eval_normal(EvalArgs *e)
{
    i64 shape[MAX_RANK];
    if (eval_dims(e, 1, e->nin - 1, shape) || !new_draw(e, DT_F64, e->nin - 1, shape))
        return 1;
    return draw_pieces(e, 2, 1, draw_normal);
}

/* ---- draws that are made when they are read ---- */

typedef RngState Numbers(RngState s, DType d, i64 n, void *out);

/* A block of random bits gives two numbers. */
static void read_numbers(const Tensor *t, i64 from, i64 n, double *out, Numbers *draw)
{
    RngState s;
    double pair[2];
    memcpy(&s, t->data, sizeof s);
    s = rng_advance(s, (u64)(from / 2));
    if (from % 2 && n) {
        s = draw(s, DT_F64, 2, pair);
        *out++ = pair[1];
        n--;
    }
    if (n)
        draw(s, DT_F64, n, out);
}

static void read_uniform(const Tensor *t, i64 from, i64 n, void *out)
{
    read_numbers(t, from, n, out, rng_uniform);
}

static void read_normal(const Tensor *t, i64 from, i64 n, void *out)
{
    read_numbers(t, from, n, out, rng_normal);
}

static int defer_draw(EvalArgs *e, TensorRead *read)
{
    i64 shape[MAX_RANK];
    RngState s = state_of(e);
    if (eval_dims(e, 1, e->nin - 1, shape))
        return 1;
    Tensor *x = e->out[0] = eval_deferred(e, DT_F64, e->nin - 1, shape, NULL, read, sizeof s);
    if (!x || !(e->out[1] = eval_fresh(e, DT_RNG, 0, NULL)))
        return 1;
    memcpy(x->data, &s, sizeof s);
    return set_state(e, rng_skip(s, x->count / 2 + x->count % 2));
}

int deferred_uniform(EvalArgs *e) { return defer_draw(e, read_uniform); }

int deferred_normal(EvalArgs *e) { return defer_draw(e, read_normal); }

static RngState draw_bernoulli(EvalArgs *e, RngState s, i64 from, i64 n)
{
    return rng_bernoulli(s, n, (const double *)e->in[1]->data + from, 1,
                         (u8 *)e->out[0]->data + from);
}

int eval_bernoulli(EvalArgs *e)
{
    const Tensor *p = e->in[1];
    if (!rng_are_chances(p->count, p->data))
        return eval_fail(e, "range", "bernoulli: each probability must be between 0 and 1");
    if (!new_draw(e, DT_BOOL, p->rank, p->shape))
        return 1;
    return draw_pieces(e, 2, 1, draw_bernoulli);
}

static RngState draw_randint(EvalArgs *e, RngState s, i64 from, i64 n)
{
    return rng_randint(s, eval_int(e, 1), eval_int(e, 2), n, (i64 *)e->out[0]->data + from);
}

int eval_randint(EvalArgs *e)
{
    i64 shape[MAX_RANK], low = eval_int(e, 1), high = eval_int(e, 2);
    if (low >= high)
        return eval_fail(e, "range", "randint: there is no integer in [%lld, %lld)", (long long)low,
                         (long long)high);
    if (eval_dims(e, 3, e->nin - 3, shape) || !new_draw(e, DT_I64, e->nin - 3, shape))
        return 1;
    return draw_pieces(e, 1, 1, draw_randint);
}

int eval_permutation(EvalArgs *e)
{
    i64 n;
    if (eval_dims(e, 1, 1, &n) || !new_draw(e, DT_I64, 1, &n))
        return 1;
    i64 *out = e->out[0]->data;
    if (eval_count_up(e, n, out))
        return 1;
    for (i64 i = 0; i < n; i += EVAL_PIECE) {
        if (eval_interrupted(e))
            return 1;
        rng_shuffle(state_of(e), n, i, n - i < EVAL_PIECE ? n - i : EVAL_PIECE, out);
    }
    return set_state(e, rng_skip(state_of(e), n));
}

static RngState draw_categorical(EvalArgs *e, RngState s, i64 from, i64 n)
{
    i64 classes = e->in[1]->shape[e->in[1]->rank - 1];
    return rng_categorical(s, n, classes, (const double *)e->in[1]->data + from * classes,
                           (i64 *)e->out[0]->data + from);
}

int eval_categorical(EvalArgs *e)
{
    const Tensor *p = e->in[1];
    i64 classes = p->shape[p->rank - 1];
    if (!classes)
        return eval_fail(e, "empty", "categorical: there are no categories to sample from");
    if (!rng_are_weights(p->count / classes, classes, p->data))
        return eval_fail(e, "range",
                         "categorical: probabilities must be at least 0, and those of a row must "
                         "have a sum that is positive and finite");
    if (!new_draw(e, DT_I64, p->rank - 1, p->shape))
        return 1;
    return draw_pieces(e, 1, classes, draw_categorical);
}
