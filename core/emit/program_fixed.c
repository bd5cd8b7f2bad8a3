/* Loops over arrays whose shapes are all known when they are written: what a step computes stays in
 * memory of the function, products and functions of arrays are called without anything around them.
 * This file finds such loops, program_fixed_steps.c writes their steps.
 *
 * Invariant: nothing in such a loop fails but checks and memory for rows. Each array that a step
 * computes has memory of its own, which only changes owners where one is handed on, so a value
 * stays until the end of the step. */
#include "emit/program_fixed.h"

#include "exec/plan_work.h"
#include "ops/fused.h"
#include "ops/strided.h"
#include "tensor/factor.h"

enum {
    MOST_COUNT = 1 << 22, /* elements of one, which may not be stored */
    MOST_ARRAYS = 48,     /* scratch of one group */
    DRAW_WORK = 16        /* of a random number, in operations */
};

/* ---- shapes ---- */

static bool known_shape(const Type *t, Tensor *like)
{
    if (t->kind != TYPE_TENSOR)
        return false;
    *like = (Tensor){.dtype = t->dtype, .rank = t->rank, .count = 1};
    for (int i = 0; i < t->rank; i++)
        if (!size_is_const(t->dims[i], &like->shape[i]) ||
            __builtin_mul_overflow(like->count, like->shape[i], &like->count))
            return false;
    return like->count > 0 && like->count <= INT32_MAX;
}

static bool same_shape(const Tensor *a, const Tensor *b)
{
    return a->dtype == b->dtype && a->rank == b->rank &&
           !memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape);
}

bool fixed_reduction(const Node *n, AxisRun *over)
{
    if (n->op == OP_ARGMAX || n->op == OP_ARGMIN) {
        *over = (AxisRun){(int)n->attrs[0].i, 1};
        return true;
    }
    if (n->op != OP_PEAK)
        return fused_reduction(n, over);
    const IntList *axes = n->attrs[0].ints;
    if (!axes->n || axes->at[axes->n - 1] - axes->at[0] + 1 != (i64)axes->n)
        return false;
    *over = (AxisRun){(int)axes->at[0], (int)axes->n};
    return true;
}

static bool outside(Fixed *f, u32 reg, const Tensor *like)
{
    f->v[reg] = (FixedValue){.known = true, .root = reg, .like = *like};
    return true;
}

static bool own(Fixed *f, u32 reg, const Tensor *like)
{
    if (reg == NO_REG || like->count > MOST_COUNT)
        return false;
    f->v[reg] = (FixedValue){.known = true, .own = true, .root = reg, .like = *like};
    return true;
}

/* The memory of another one, or a part of it. */
static bool view(Fixed *f, u32 reg, u32 of, const Tensor *like)
{
    f->v[reg] = (FixedValue){.known = true, .root = f->v[of].root, .like = *like};
    f->v[f->v[of].root].viewed = true;
    return reg != NO_REG;
}

/* ---- what comes in ---- */

static bool find_params(Fixed *f)
{
    const Block *b = f->b;
    Tensor like;
    for (u32 i = 0; i < b->ncode; i++)
        if ((b->code[i].op == I_TAKE || b->code[i].op == I_SHARE) && f->s->state[b->code[i].d])
            f->v[b->code[i].d].changes = true;
    for (u32 i = 0; i < b->nparams; i++) {
        const Slot *p = &b->params[i];
        bool changes = f->v[p->reg].changes;
        if (p->kind == KIND_LAZY)
            return false;
        if (p->kind < KIND_TENSOR)
            continue;
        if (!known_shape(b->graph->params[p->index], &like) ||
            !(changes ? own(f, p->reg, &like) : outside(f, p->reg, &like)))
            return false;
        f->v[p->reg].changes = changes;
        f->v[p->reg].param = 1 + i;
    }
    for (u32 i = 0; i < b->nconstants; i++)
        if (b->constants[i].reg < b->nshared)
            outside(f, b->constants[i].reg, b->constants[i].value);
    return true;
}

/* ---- steps ---- */

static u8 repeat_of(const Wide *w, u32 k)
{
    u8 how = tile_repeat(w->tiles, k);
    return how == REPEAT_VIEW ? REPEAT_NOT : how;
}

static bool is_strided(const Fixed *f, const Wide *w, u32 k)
{
    return tile_repeat(w->tiles, k) == REPEAT_VIEW && f->v[w->in[k].reg].strided;
}

bool fixed_is_spread(const Fixed *f, const Wide *w, u32 k)
{
    return w->in[k].kind == KIND_TENSOR && (repeat_of(w, k) != REPEAT_NOT || is_strided(f, w, k));
}

int fixed_axis_of(const Fixed *f, const Wide *w, u32 k, const Tensor *like, int i)
{
    const Tensor *x = &f->v[w->in[k].reg].like;
    int at = i + (repeat_of(w, k) == REPEAT_ALL ? like->rank - x->rank : 0);
    return at < like->rank && x->shape[i] == like->shape[at] ? at : -1;
}

void fixed_strides(const Fixed *f, const Wide *w, u32 k, const Tensor *like, i64 *stride)
{
    const FixedValue *v = &f->v[w->in[k].reg];
    int lead = repeat_of(w, k) == REPEAT_ALL ? like->rank - v->like.rank : 0;
    i64 own[MAX_RANK];
    strides_of(&v->like, own);
    for (int i = 0; i < like->rank; i++) {
        int at = i - lead;
        bool has = at >= 0 && at < v->like.rank && v->like.shape[at] == like->shape[i];
        stride[i] = !has ? 0 : v->strided ? v->stride[at] : own[at];
    }
}

/* The shape of the operands that are arrays: one for all. */
static const Tensor *common(const Fixed *f, const Wide *w)
{
    const Tensor *like = NULL;
    for (u32 k = 0; k < w->nin; k++) {
        const FixedValue *v = &f->v[w->in[k].reg];
        if (w->in[k].kind < KIND_TENSOR || repeat_of(w, k) != REPEAT_NOT)
            continue;
        if (w->in[k].kind != KIND_TENSOR || !(v->known || is_strided(f, w, k)) ||
            (like && v->like.count != like->count))
            return NULL;
        like = like ? like : &v->like;
    }
    return like;
}

/* It is as large as the first axes of that shape, or as the last. */
static bool repeat_fits(const FixedValue *v, u8 how, const Tensor *like)
{
    const Tensor *x = &v->like;
    int rank = x->rank;
    if (!v->known || x->rank > like->rank)
        return false;
    while (how == REPEAT_EACH && rank && x->shape[rank - 1] == 1)
        rank--;
    const i64 *part = like->shape + (how == REPEAT_ALL ? like->rank - rank : 0);
    return !memcmp(x->shape, part, (size_t)rank * sizeof *part);
}

static Tensor reduced_shape(const Tensor *x, AxisRun over, DType d)
{
    Tensor like = {.dtype = d, .count = 1};
    for (int i = 0; i < x->rank; i++)
        if (i < over.first || i >= over.first + over.count)
            like.count *= like.shape[like.rank++] = x->shape[i];
    return like;
}

/* Are all operands that are smaller parts of that shape? */
static bool repeats_fit(const Fixed *f, const Wide *w, const Tensor *like)
{
    for (u32 k = 0; k < w->nin; k++)
        if (repeat_of(w, k) != REPEAT_NOT &&
            (w->in[k].kind != KIND_TENSOR ||
             !repeat_fits(&f->v[w->in[k].reg], repeat_of(w, k), like)))
            return false;
    return true;
}

/* Where the group is no loops over axes, what is reduced has to be the result of a step. */
static bool find_reduced(const Fixed *f, const Wide *w, const Tensor *like)
{
    const Tiles *t = w->tiles;
    if (!repeats_fit(f, w, like))
        return false;
    for (u32 i = 0; i < t->nfolds && !fixed_nests(f, w, like); i++)
        if (t->folds[i].arg < w->nin)
            return false;
    return true;
}

/* A result of a step, or of a reduction. */
static bool find_group_result(Fixed *f, const Wide *w, u32 k, const Tensor *like)
{
    const Tiles *t = w->tiles;
    Tensor own_like = *like;
    if (t->outs[k] != NO_REG) {
        own_like.dtype = t->steps[t->outs[k]].to;
        return w->out[k].kind == KIND_TENSOR && own(f, w->out[k].reg, &own_like);
    }
    for (u32 i = 0; i < t->nfolds; i++)
        if (t->folds[i].out == k)
            own_like = reduced_shape(like, t->over, t->folds[i].to);
    return own_like.rank ? w->out[k].kind == KIND_TENSOR && own(f, w->out[k].reg, &own_like)
                         : w->out[k].kind == own_like.dtype;
}

static bool find_group(Fixed *f, const Wide *w)
{
    const Tiles *t = w->tiles;
    const Tensor *first = common(f, w);
    if (!first || t->nsteps > MOST_ARRAYS || !w->nout || w->out[0].reg == NO_REG)
        return false;
    Tensor like = *first;
    f->work += like.count * (t->nsteps + t->nfolds);
    for (u32 k = 0; k < w->nout; k++)
        if (!find_group_result(f, w, k, &like))
            return false;
    return find_reduced(f, w, &like);
}

static bool find_elementwise(Fixed *f, const Wide *w)
{
    const Tensor *first = common(f, w);
    if (!first || w->node->nops != w->nin)
        return false;
    Tensor like = *first;
    like.dtype = node_dtype(w->node);
    f->work += like.count * tile_step_count(w->node);
    return own(f, w->out[0].reg, &like);
}

bool fixed_product(const Fixed *f, const Wide *w, Product *p)
{
    const Attr *attrs = w->node->attrs;
    OpId op = w->node->op;
    const FixedValue *a = &f->v[w->in[0].reg], *b = &f->v[w->in[1].reg];
    return a->known && b->known && a->like.dtype != DT_BOOL && a->like.dtype == b->like.dtype &&
           product_of(&a->like, &b->like, op != OP_MATMUL && attrs[0].i,
                      op == OP_GEMM && attrs[1].i, p);
}

bool fixed_factors(const Fixed *f, const Wide *w, double *alpha, double *beta)
{
    *alpha = 1;
    *beta = w->nin > 2;
    if (w->nin < 5)
        return true;
    const Tensor *a = f->s->constant[w->in[3].reg], *b = f->s->constant[w->in[4].reg];
    if (!a || !b)
        return false;
    *alpha = tensor_f64_at(a, 0);
    *beta = tensor_f64_at(b, 0);
    return *alpha != 0 && *beta != 0;
}

bool fixed_product_is_small(const Fixed *f, const Wide *w, const Product *p)
{
    double alpha, beta;
    return p->batch == 1 && dtype_is_float(f->v[w->in[0].reg].like.dtype) &&
           fixed_factors(f, w, &alpha, &beta) && product_is_small(p, alpha, beta);
}

/* A column times a row, which may be added to a matrix. */
static bool find_outer(Fixed *f, const Wide *w)
{
    double alpha, beta;
    if (!fixed_factors(f, w, &alpha, &beta))
        return false;
    for (u32 k = 0; k < w->nin && k < 3; k++)
        if (w->in[k].kind != KIND_TENSOR || !f->v[w->in[k].reg].known)
            return false;
    const Tensor *x = &f->v[w->in[0].reg].like, *y = &f->v[w->in[1].reg].like;
    Tensor like = fixed_outer_like(f, w);
    if (w->nin == 2 && !outer_is_short(like.shape[0], like.shape[1], like.dtype))
        return false;
    f->work += 2 * like.count;
    return dtype_is_float(like.dtype) && like.shape[0] == x->shape[0] &&
           like.shape[1] == y->shape[0] && own(f, w->out[0].reg, &like);
}

/* A result that is an array of this shape, or a scalar. */
static bool result(Fixed *f, const Wide *w, const Tensor *like)
{
    return like->rank ? w->out[0].kind == KIND_TENSOR && own(f, w->out[0].reg, like)
                      : w->out[0].kind == like->dtype;
}

/* A sum and the like of an array, a peak, or the place of an extreme. */
static bool find_reduction(Fixed *f, const Wide *w)
{
    AxisRun over = {0};
    if (!fixed_reduction(w->node, &over) || w->in[0].kind != KIND_TENSOR)
        return false;
    const FixedValue *x = &f->v[w->in[0].reg];
    if (!x->known)
        return false;
    Tensor like = reduced_shape(&x->like, over, node_dtype(w->node));
    f->work += x->like.count;
    return result(f, w, &like);
}

static bool find_product(Fixed *f, const Wide *w)
{
    Product p;
    for (u32 k = 0; k < w->nin && k < 3; k++)
        if (w->in[k].kind != KIND_TENSOR)
            return false;
    if (!fixed_product(f, w, &p))
        return false;
    bool small = fixed_product_is_small(f, w, &p);
    Tensor like = {.dtype = f->v[w->in[0].reg].like.dtype, .rank = p.rank, .count = 1};
    for (int i = 0; i < p.rank; i++)
        like.count *= like.shape[i] = p.shape[i];
    const FixedValue *added = w->nin > 2 ? &f->v[w->in[2].reg] : NULL;
    if (added && (!added->known || !same_shape(&added->like, &like)))
        return false;
    f->work += p.batch * p.m * p.n * p.k;
    return (small || w->nin <= 3) && result(f, w, &like);
}

/* A small matrix, and what goes with it. */
static bool find_factored(Fixed *f, const Wide *w)
{
    const FixedValue *a = &f->v[w->in[0].reg];
    Tensor like = a->like;
    i64 n = like.shape[0];
    for (u32 k = 0; k < w->nin; k++)
        if (w->in[k].kind != KIND_TENSOR || !f->v[w->in[k].reg].known)
            return false;
    if (!dtype_is_float(like.dtype) || like.rank != 2 || n != like.shape[1] || n > FACTOR_SIDE)
        return false;
    if (w->node->op == OP_DET)
        like = (Tensor){.dtype = like.dtype};
    if (w->node->op == OP_SOLVE)
        like = f->v[w->in[1].reg].like;
    f->work += n * n * n;
    return (!like.rank || (like.shape[0] == n && like.rank <= 2)) && result(f, w, &like);
}

static bool find_transpose(Fixed *f, const Wide *w)
{
    const FixedValue *x = &f->v[w->in[0].reg];
    const IntList *perm = w->node->attrs[0].ints;
    if (!x->known || x->like.rank != 2 || perm->at[0] != 1)
        return false;
    Tensor like = x->like;
    like.shape[0] = x->like.shape[1];
    like.shape[1] = x->like.shape[0];
    f->work += like.count;
    return result(f, w, &like);
}

static bool is_index(const Node *n) { return n->op == OP_INDEX || n->op == OP_SET_INDEX; }

/* The part of an array that an index or a slice is about, if its first place is a number and all is
 * inside; that of an index may be any scalar. */
static bool find_places(const Fixed *f, const Wide *w, const Tensor *whole, const Tensor *part)
{
    FixedSlice *at = &f->slice[w->out[0].reg];
    const Tensor *t = f->s->constant[w->in[1].reg];
    int axis = (int)w->node->attrs[0].i, without = is_index(w->node);
    bool varies = !t && without && w->in[1].kind == DT_I64;
    if (part->rank + without != whole->rank || !(varies || (t && t->dtype == DT_I64)))
        return false;
    i64 size = whole->shape[axis], start = varies ? 0 : tensor_i64_at(t, 0);
    *at =
        (FixedSlice){.outer = 1, .axis = size, .inner = 1, .step = 1, .count = 1, .varies = varies};
    for (int i = 0; i < whole->rank; i++) {
        if (i != axis)
            *(i < axis ? &at->outer : &at->inner) *= whole->shape[i];
        if (i != axis && whole->shape[i] != part->shape[i - (i > axis && without)])
            return false;
    }
    at->start = start + (start < 0 && without ? size : 0);
    if (!without) {
        at->step = w->node->attrs[1].i;
        at->count = part->shape[axis];
    }
    at->piece = at->outer == 1 && at->step == 1;
    i64 last = at->start + (at->count - 1) * at->step;
    return at->start >= 0 && at->start < size && at->step > -size && at->step <= size &&
           last >= 0 && last < size;
}

static bool find_part(Fixed *f, const Wide *w)
{
    Tensor like;
    const FixedValue *x = &f->v[w->in[0].reg];
    if (!x->known || !known_shape(w->node->type, &like) || !find_places(f, w, &x->like, &like))
        return false;
    f->work += like.count;
    return f->slice[w->out[0].reg].piece ? view(f, w->out[0].reg, w->in[0].reg, &like)
                                         : own(f, w->out[0].reg, &like);
}

/* The parts of an array at positions that are in another. */
static bool find_gather(Fixed *f, const Wide *w)
{
    Tensor like;
    const FixedValue *x = &f->v[w->in[0].reg], *at = &f->v[w->in[1].reg];
    FixedSlice *layout = &f->slice[w->out[0].reg];
    if (w->in[1].kind != KIND_TENSOR || !x->known || !at->known ||
        !known_shape(w->node->type, &like))
        return false;
    int axis = (int)w->node->attrs[0].i;
    Layout l = layout_over(&x->like, (AxisRun){axis, 1});
    *layout =
        (FixedSlice){.outer = l.outer, .axis = l.axis, .inner = l.inner, .count = at->like.count};
    f->work += like.count;
    return like.count == l.outer * at->like.count * l.inner && own(f, w->out[0].reg, &like);
}

/* What a view with strides has of the axes of x (plan_views.c). */
static bool find_strides(Fixed *f, const Wide *w, const FixedValue *x, FixedValue *v)
{
    const Attr *attrs = w->node->attrs;
    i64 from[MAX_RANK];
    strides_of(&x->like, from);
    if (x->strided)
        memcpy(from, x->stride, sizeof from);
    if (w->node->op == OP_SLICE) {
        int axis = (int)attrs[0].i;
        if (!find_places(f, w, &x->like, &v->like))
            return false;
        memcpy(v->stride, from, sizeof from);
        v->start = f->slice[w->out[0].reg].start * from[axis];
        v->stride[axis] *= attrs[1].i;
        return true;
    }
    const i64 *axes = attrs[0].ints->at;
    for (int i = 0; i < x->like.rank; i++)
        if (w->node->op == OP_TRANSPOSE)
            v->stride[i] = from[axes[i]];
        else if (x->like.shape[i] == v->like.shape[axes[i]])
            v->stride[axes[i]] = from[i];
        else if (x->like.shape[i] != 1)
            return false;
    return true;
}

static bool find_strided(Fixed *f, const Wide *w)
{
    u32 from = w->in[0].reg, to = w->out[0].reg;
    FixedValue v = {.strided = true, .root = f->v[from].root};
    if (!(f->v[from].known || f->v[from].strided) || !known_shape(w->node->type, &v.like) ||
        !find_strides(f, w, &f->v[from], &v))
        return false;
    f->v[to] = v;
    f->v[v.root].viewed = true;
    return true;
}

/* It is set, or added to. */
static bool find_set(Fixed *f, const Wide *w)
{
    const FixedValue *x = &f->v[w->in[0].reg];
    i64 mode = w->node->attrs[is_index(w->node) ? 1 : 2].i;
    bool array = w->in[2].kind == KIND_TENSOR;
    Tensor one = {.dtype = node_dtype(w->node)}, like = x->like;
    const Tensor *part = array ? &f->v[w->in[2].reg].like : &one;
    if (!x->known || (array && !f->v[w->in[2].reg].known) || w->in[2].kind > KIND_TENSOR ||
        like.dtype != part->dtype)
        return false;
    f->work += like.count;
    return (mode == STORE_SET || (mode == STORE_ADD && dtype_is_float(like.dtype))) &&
           find_places(f, w, &like, part) && own(f, w->out[0].reg, &like);
}

static bool find_same(Fixed *f, const Wide *w)
{
    const FixedValue *x = &f->v[w->in[0].reg], *like = &f->v[w->in[1].reg];
    Tensor shape = x->like;
    return x->known && w->in[1].kind == KIND_TENSOR && like->known &&
           shape.rank == like->like.rank &&
           !memcmp(shape.shape, like->like.shape, (size_t)shape.rank * sizeof *shape.shape) &&
           view(f, w->out[0].reg, w->in[0].reg, &shape);
}

static bool find_join(Fixed *f, const Wide *w)
{
    int axis = (int)w->node->attrs[0].i;
    Tensor like = {.rank = 0};
    for (u32 k = 0; k < w->nin; k++) {
        const FixedValue *x = &f->v[w->in[k].reg];
        if (w->in[k].kind != KIND_TENSOR || !x->known)
            return false;
        if (!k)
            like = x->like;
        for (int i = 0; k && i < like.rank; i++)
            if (i != axis && x->like.shape[i] != like.shape[i])
                return false;
        like.shape[axis] += k ? x->like.shape[axis] : 0;
        like.count += k ? x->like.count : 0;
    }
    f->work += like.count;
    return own(f, w->out[0].reg, &like);
}

/* A scalar, as often as the result has elements. */
static bool find_broadcast(Fixed *f, const Wide *w)
{
    Tensor like;
    if (!known_shape(w->node->type, &like) || w->in[0].kind != like.dtype)
        return false;
    f->work += like.count;
    return own(f, w->out[0].reg, &like);
}

/* Elements of arrays, moved or computed one by one. */
static bool find_moved(Fixed *f, const Wide *w)
{
    switch (w->node->op) {
    case OP_TRANSPOSE: return find_transpose(f, w);
    case OP_INDEX:
    case OP_SLICE: return find_part(f, w);
    case OP_SET_INDEX:
    case OP_SET_SLICE: return find_set(f, w);
    case OP_GATHER: return find_gather(f, w);
    case OP_MATCH_SHAPE: return find_same(f, w);
    case OP_CONCAT: return find_join(f, w);
    case OP_BROADCAST: return find_broadcast(f, w);
    default: return fused_elementwise(w->node) && find_elementwise(f, w);
    }
}

/* Uniform or normal numbers, as many as are known to be, and the next state. */
static bool find_draw(Fixed *f, const Wide *w)
{
    Tensor like, state = {.dtype = DT_RNG, .count = 1};
    const FixedValue *from = &f->v[w->in[0].reg];
    if (w->in[0].kind != KIND_TENSOR || !from->known || w->out[0].reg == NO_REG ||
        !known_shape(w->node->type->items[0], &like))
        return false;
    f->work += DRAW_WORK * like.count;
    return result(f, w, &like) &&
           (w->nout < 2 || w->out[1].reg == NO_REG || own(f, w->out[1].reg, &state));
}

static bool find_array(Fixed *f, const Wide *w)
{
    if (w->node->op == OP_UNIFORM || w->node->op == OP_NORMAL)
        return find_draw(f, w);
    if (w->nout != 1 || w->out[0].reg == NO_REG)
        return false;
    if (w->eval && w->eval == strided_eval(w->node->op))
        return find_strided(f, w);
    switch (w->node->op) {
    case OP_MATMUL:
    case OP_GEMM:
    case OP_GEMV: return find_product(f, w);
    case OP_GER: return find_outer(f, w);
    case OP_SOLVE:
    case OP_INV:
    case OP_CHOLESKY:
    case OP_DET: return find_factored(f, w);
    default: return find_reduction(f, w) || (w->out[0].kind == KIND_TENSOR && find_moved(f, w));
    }
}

/* An element of a vector; if its place is a number, it is inside. */
static bool find_element(const Fixed *f, const Ins *ins)
{
    const FixedValue *x = &f->v[ins->a];
    const Tensor *t = f->s->constant[ins->b];
    if (memory_is_fixed(f->b, ins->a))
        return true;
    return x->known && x->like.rank == 1 &&
           (!t || (tensor_i64_at(t, 0) >= -x->like.count && tensor_i64_at(t, 0) < x->like.count));
}

/* What looks into a state that changes is not handed on: the state's memory may be written before
 * it. */
static bool find_handing(Fixed *f, const Ins *ins)
{
    const FixedValue *a = &f->v[ins->a];
    if (!a->known)
        return false;
    if (f->s->state[ins->d])
        return same_shape(&a->like, &f->v[ins->d].like) && (a->own || !f->v[a->root].changes);
    Tensor like = a->like;
    return a->own ? own(f, ins->d, &like) : view(f, ins->d, ins->a, &like);
}

static bool find_row(Fixed *f, const Ins *ins)
{
    Tensor like;
    const FixedValue *a = &f->v[ins->a];
    f->work += a->like.count;
    return a->known && known_shape(f->b->graph->outs[f->b->traces[ins->c].index]->type, &like) &&
           same_shape(&a->like, &like);
}

/* A loop over scalars, whose sequences and traces are vectors as long as it has steps. */
static bool find_loop(Fixed *f, const Ins *ins)
{
    const Wide *w = ins->u.wide;
    const Tensor *n = w->nin ? f->s->constant[w->in[0].reg] : NULL;
    if (!n || !inline_rows_fit(ins))
        return false;
    const Block *b = w->body[0];
    Tensor rows = {.rank = 1, .shape = {tensor_i64_at(n, 0)}, .count = tensor_i64_at(n, 0)};
    bool ok = rows.count > 0 && rows.count <= INT32_MAX;
    for (u32 i = 0; i < b->nparams; i++) {
        const FixedValue *x = &f->v[w->in[1 + i].reg];
        bool scalar = w->in[1 + i].kind < KIND_TENSOR;
        ok = ok && (b->params[i].pointer == NO_REG
                        ? scalar
                        : !scalar && x->known && x->like.rank == 1 && x->like.count >= rows.count);
    }
    for (u32 i = 0; ok && i < b->ntraces; i++) {
        rows.dtype = (DType)b->traces[i].kind;
        ok = own(f, w->out[b->nstates + i].reg, &rows);
    }
    f->work += rows.count * b->ncode;
    f->arrays++;
    return ok;
}

static bool find_ins(Fixed *f, const Ins *ins)
{
    const Wide *w = ins_is_wide((InsOp)ins->op) ? ins->u.wide : NULL;
    switch ((InsOp)ins->op) {
    case I_FUSED: f->arrays++; return find_group(f, w);
    case I_ARRAY: f->arrays++; return find_array(f, w);
    case I_TAKE:
    case I_SHARE: return find_handing(f, ins);
    case I_ROWT: return find_row(f, ins);
    case I_CALL:
    case I_IF:
    case I_SCAN:
        return (args_are_scalars(w->in, w->nin) && inline_fits(f->s, ins)) ||
               (ins->op == I_SCAN && find_loop(f, ins));
    case I_INDEX8:
    case I_INDEX4:
    case I_INDEX1: return find_element(f, ins);
    case I_PUT: f->arrays++; return w->out[0].reg != NO_REG && find_set(f, w);
    case I_LEAF:
    case I_SIZE:
    case I_DIM:
    case I_DELAY: return false;
    default: return true;
    }
}

bool fixed_find(const Scope *s, Fixed *f)
{
    const Block *b = s->b;
    *f = (Fixed){.s = s, .b = b};
    f->v = xcalloc((size_t)b->nregs + 1, sizeof *f->v);
    f->slice = xcalloc((size_t)b->nregs + 1, sizeof *f->slice);
    f->run = xcalloc((size_t)b->nregs + 1, sizeof *f->run);
    f->change = xcalloc((size_t)b->nregs + 1, sizeof *f->change);
    f->outside = xcalloc((size_t)b->nregs + 1, sizeof *f->outside);
    f->fresh = xcalloc((size_t)b->nregs + 1, sizeof *f->fresh);
    f->state = xcalloc((size_t)b->nregs + 1, sizeof *f->state);
    f->clean = xcalloc((size_t)b->nregs + 1, 1);
    f->counts = xcalloc((size_t)b->nregs + 1, 1);
    bool ok = !b->ndelays && find_params(f);
    for (u32 i = 0; ok && i < b->ncode; i++)
        ok = find_ins(f, &b->code[i]);
    ok = ok && f->arrays;
    if (ok) {
        fixed_find_runs(f);
        fixed_find_bounds(f);
        ok = fixed_place(f);
    }
    if (!ok)
        fixed_free(f);
    return ok;
}

void fixed_free(Fixed *f)
{
    free(f->v);
    free(f->slice);
    free(f->run);
    free(f->change);
    free(f->outside);
    free(f->fresh);
    free(f->state);
    free(f->clean);
    free(f->counts);
}
