/* A group whose elements go into arrays in order, tile by tile (plan_sinks.c): at positions that
 * are looked at first, or as a running sum, product or maximum.
 *
 * Invariant: the bits are those of the operators run one by one on whole arrays, and so is the
 * message if a position is outside: that of the first operator that meets one. One thread runs it,
 * as it does these. */
#include "exec/native_code.h"
#include "exec/vm_run.h"

typedef struct {
    Vm *vm;
    const Wide *w;
    const Reg *r;
    i64 done;  /* elements */
    u32 alive; /* sinks that no position has failed, from the first on */
    i64 bad;   /* the position that failed the next one */
} Feed;

static DType value_dtype(const TileSink *s)
{
    return node_dtype(s->node->ops[s->base == NO_REG ? 0 : 2]);
}

static const Tensor *base_of(const Feed *f, const TileSink *s)
{
    return f->r[f->w->in[s->base].reg].t;
}

/* ---- results ---- */

/* What is written into, if nobody else sees it, or a copy; what runs has memory of its own. */
static Tensor *sink_result(Vm *vm, const Wide *w, const Reg *r, u32 k, const Tensor *like)
{
    const TileSink *s = &w->tiles->sinks[k];
    if (s->base == NO_REG) {
        DType d = node_dtype(s->node);
        Tensor *there = tensor_in_room(r, w->out[k].room, d, like->rank, like->shape);
        return there ? there : tensor_new(vm->env->heap, d, like->rank, like->shape);
    }
    Tensor *x = r[w->in[s->base].reg].t;
    return w->in[s->base].move && tensor_writable(x) ? tensor_ref(x)
                                                     : tensor_copy(vm->env->heap, x);
}

static bool sink_results(Vm *vm, const Wide *w, const Reg *r, const Tensor *like)
{
    for (u32 k = 0; k < w->nout; k++)
        vm->out[k] = NULL;
    for (u32 k = 0; k < w->nout; k++) {
        vm->out[k] = sink_result(vm, w, r, k, like);
        if (!vm->out[k])
            return vm_no_memory(vm, w->tiles->sinks[k].node);
    }
    return true;
}

/* ---- a tile ---- */

static bool is_array(const Wide *w, u32 column)
{
    return column >= w->nin || w->tiles->size[column];
}

/* What runs goes on from the element before. */
static void run_on(const Feed *f, const TileSink *s, i64 n, void *to)
{
    DType d = value_dtype(s), gives = node_dtype(s->node);
    const char *x = f->vm->column[s->value];
    CumOp op = cum_of(s->node->op);
    if (!f->done)
        kernel_cumulate(op, d, 1, n, 1, 0, n, x, to, false);
    else
        kernel_cumulate(op, d, 1, n + 1, 1, 1, n + 1, x - dtype_size(d),
                        (char *)to - dtype_size(gives), false);
}

static void *goes_to(const Feed *f, u32 k)
{
    Tensor *t = f->vm->out[k];
    bool runs = f->w->tiles->sinks[k].base == NO_REG;
    return (char *)t->data + (runs ? (size_t)f->done * dtype_size(t->dtype) : 0);
}

/* Nothing has failed so far, so it is all of them or none. */
static bool feed_native(const Feed *f, i64 n)
{
    const Tiles *t = f->w->tiles;
    const void *place[SINKS_MOST] = {NULL};
    char *value[SINKS_MOST], *to[SINKS_MOST];
    i64 size[SINKS_MOST] = {0};
    if (!t->feed || f->alive < t->nsinks)
        return false;
    for (u32 k = 0; k < t->nsinks; k++) {
        const TileSink *s = &t->sinks[k];
        value[k] = f->vm->column[s->value];
        to[k] = goes_to(f, k);
        if (s->base == NO_REG)
            continue;
        place[k] = f->vm->column[s->place];
        size[k] = base_of(f, s)->shape[0];
    }
    return t->feed(value, place, size, to, n, !f->done);
}

/* The first sink with a position outside is the last that counts. */
static void feed_tile(Feed *f, i64 n)
{
    for (u32 k = 0; k < f->alive; k++) {
        const TileSink *s = &f->w->tiles->sinks[k];
        if (s->base == NO_REG)
            run_on(f, s, n, goes_to(f, k));
        else if (kernel_scatter((StoreOp)s->node->attrs[1].i, value_dtype(s), 1,
                                base_of(f, s)->shape[0], 1, goes_to(f, k),
                                node_dtype(s->node->ops[1]), f->vm->column[s->place], n,
                                f->vm->column[s->value], is_array(f->w, s->value), &f->bad))
            f->alive = k;
    }
}

/* ---- all of it ---- */

static bool feed_all(Feed *f, i64 count)
{
    Vm *vm = f->vm;
    i64 most = f->w->tiles->repeat ? vm->rows.most : TILE;
    for (i64 n; f->done < count && f->alive; f->done += n) {
        n = count - f->done < most ? count - f->done : most;
        tile_run(vm, f->w, n);
        if (!feed_native(f, n))
            feed_tile(f, n);
        if (!tile_next(vm, f->w, n))
            return false;
    }
    if (f->alive == f->w->tiles->nsinks)
        return true;
    const TileSink *s = &f->w->tiles->sinks[f->alive];
    return vm_outside(vm, &(Wide){.node = s->node}, f->bad, base_of(f, s)->shape);
}

bool vm_sinks(Vm *vm, const Wide *w, Reg *r)
{
    Tensor like;
    if (!tile_begin(vm, w, r, &like))
        return false;
    Feed f = {.vm = vm, .w = w, .r = r, .alive = w->tiles->nsinks};
    bool ok = sink_results(vm, w, r, &like) && feed_all(&f, like.count);
    for (u32 k = 0; !ok && k < w->nout; k++)
        tensor_unref(vm->out[k]);
    if (ok)
        tile_end(vm, w, r);
    return ok;
}
