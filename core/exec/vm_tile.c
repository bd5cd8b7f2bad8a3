/* Fused groups of elementwise operations: all steps on one tile, then the next tile, so
 * that what lies between them never leaves the cache.
 *
 * Invariant: a value of a kernel depends on its operands only, not on where a tile
 * begins, so the bits are those of the operations run one by one on whole arrays. */
#include "exec/vm_run.h"

enum { TILE = 1024, LANE = 8 * TILE, ALIGNMENT = 64 };

static bool tiles_scratch(Vm *vm)
{
    if (vm->column)
        return true;
    vm->column = xcalloc((size_t)vm->p->max_columns + 1, sizeof *vm->column);
    vm->scratch = aligned_alloc(ALIGNMENT, ((size_t)vm->p->max_buffers + 1) * LANE);
    return vm->scratch != NULL;
}

static bool shapes_differ(Vm *vm, const Wide *w, const Tensor *a, const Tensor *b)
{
    Text text = {0};
    const Tensor *both[] = {a, b};
    for (int k = 0; k < 2; k++) {
        text_put(&text, k ? " and (" : "(");
        for (int i = 0; i < both[k]->rank; i++)
            text_printf(&text, "%s%lld", i ? ", " : "", (long long)both[k]->shape[i]);
        text_put(&text, both[k]->rank == 1 ? ",)" : ")");
    }
    vm_fail(vm, w->node, "shape-mismatch", "shapes %s do not agree", text_str(&text));
    text_free(&text);
    return false;
}

/* The common shape of the operands that are no scalars. */
static const Tensor *common_like(Vm *vm, const Wide *w, const Reg *r)
{
    const Tensor *like = NULL;
    for (u32 k = 0; k < w->nin; k++) {
        if (w->in[k].kind != KIND_TENSOR)
            continue;
        const Tensor *t = r[w->in[k].reg].t;
        if (!like)
            like = t;
        if (t->rank != like->rank ||
            memcmp(t->shape, like->shape, (size_t)t->rank * sizeof(i64)) != 0) {
            shapes_differ(vm, w, like, t);
            return NULL;
        }
    }
    return like;
}

/* A fresh result, or the memory of an operand that nobody needs any more. */
static Tensor *tile_result(Vm *vm, const Wide *w, Reg *r, u32 k, const Tensor *like)
{
    DType d = w->tiles->steps[w->tiles->outs[k]].to;
    u32 c = w->tiles->reuse[k];
    if (c != NO_REG && w->in[c].move) {
        Tensor *t = r[w->in[c].reg].t;
        if (t->dtype == d && tensor_writable(t)) {
            r[w->in[c].reg].t = NULL;
            return t;
        }
    }
    return tensor_new(vm->env->heap, d, like->rank, like->shape);
}

static void run_step(Vm *vm, const Wide *w, const TileStep *s, i64 n)
{
    char **column = vm->column, *out = column[w->nin + (u32)(s - w->tiles->steps)];
    const char *arg[3] = {NULL, NULL, NULL};
    i64 step[3] = {0, 0, 0};
    for (u32 k = 0; k < 3 && s->arg[k] != NO_REG; k++) {
        arg[k] = column[s->arg[k]];
        step[k] = s->arg[k] >= w->nin || w->tiles->size[s->arg[k]];
    }
    switch (s->kind) {
    case TILE_1: s->f1(n, arg[0], out); return;
    case TILE_2: s->f2(n, arg[0], step[0], arg[1], step[1], out); return;
    case TILE_WHERE:
        kernel_where(dtype_size(s->to), n, arg[0], step[0], arg[1], step[1], arg[2], step[2], out);
        return;
    default: kernel_cast(s->from, s->to, n, arg[0], out);
    }
}

static void advance(Vm *vm, const Wide *w, i64 n)
{
    const Tiles *t = w->tiles;
    for (u32 k = 0; k < w->nin; k++)
        vm->column[k] += (size_t)n * t->size[k];
    for (u32 k = 0; k < w->nout; k++)
        vm->column[w->nin + t->outs[k]] += (size_t)n * dtype_size(vm->out[k]->dtype);
}

static bool run_tiles(Vm *vm, const Wide *w, i64 count)
{
    const Tiles *t = w->tiles;
    for (i64 done = 0; done < count; done += TILE) {
        i64 n = count - done < TILE ? count - done : TILE;
        for (u32 i = 0; i < t->nsteps; i++)
            run_step(vm, w, &t->steps[i], n);
        if (count > TILE) {
            advance(vm, w, n);
            if (!vm_poll(vm, w->node, n * t->nsteps))
                return false;
        }
    }
    return true;
}

static bool tile_columns(Vm *vm, const Wide *w, Reg *r, const Tensor *like)
{
    const Tiles *t = w->tiles;
    for (u32 k = 0; k < w->nin; k++) {
        Reg *x = &r[w->in[k].reg];
        vm->column[k] = w->in[k].kind == KIND_TENSOR ? x->t->data : (char *)x;
    }
    for (u32 i = 0; i < t->nsteps; i++)
        if (t->steps[i].buffer != NO_REG)
            vm->column[w->nin + i] = vm->scratch + (size_t)t->steps[i].buffer * LANE;
    for (u32 k = 0; k < w->nout; k++)
        vm->out[k] = NULL;
    Tensor shape = *like;
    for (u32 k = 0; k < w->nout; k++) {
        if (!(vm->out[k] = tile_result(vm, w, r, k, &shape)))
            return vm_fail(vm, w->node, "memory", "no memory for the result of %s",
                           node_info(w->node)->name);
        vm->column[w->nin + t->outs[k]] = vm->out[k]->data;
    }
    return true;
}

bool vm_tiles(Vm *vm, const Wide *w, Reg *r)
{
    const Tensor *like = common_like(vm, w, r);
    if (!like || !vm_poll(vm, w->node, 64))
        return false;
    if (!tiles_scratch(vm))
        return vm_fail(vm, w->node, "memory", "no memory for scratch space");
    double start = vm->env->profile ? now_seconds() : 0;
    i64 count = like->count;
    bool ok = tile_columns(vm, w, r, like) && run_tiles(vm, w, count);
    for (u32 k = 0; !ok && k < w->nout; k++)
        tensor_unref(vm->out[k]);
    if (!ok)
        return false;
    for (u32 k = 0; k < w->nkill; k++) {
        tensor_unref(r[w->kill[k]].t);
        r[w->kill[k]].t = NULL;
    }
    for (u32 k = 0; k < w->nout; k++)
        r[w->out[k].reg].t = vm->out[k];
    if (vm->env->profile)
        vm->env->profile(vm->env->ctx, w->node, now_seconds() - start);
    return true;
}
