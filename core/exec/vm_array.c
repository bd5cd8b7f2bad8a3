/* Operators through their eval functions; leaves; boxing of scalars; errors and polling.
 *
 * Invariant: a scalar operand is lent to an eval function in a tensor header that points
 * into the register; should a result refer to it, the result is copied. */
#include "exec/vm_run.h"

#include "graph/control.h"

enum {
    WORK_TO_CLOCK = 20000, /* reading the clock costs as much as some dozens of elements */
    ROWS_TOLD = 4          /* of loops in loops whose step failed: that finds the place */
};
/* Seconds without a word, and between two: nobody minds, or could read faster. */
static const double PATIENCE = 0.5, REPORT_EVERY = 0.1;

/* ---- errors and polling ---- */

bool vm_fail(Vm *vm, const Node *fault, const char *code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&vm->env->error, fmt, ap);
    va_end(ap);
    vm->env->code = code;
    vm->env->fault = fault;
    return false;
}

bool vm_fail_status(Vm *vm, const Node *fault, int status)
{
    if (status == K_OK)
        return true;
    status_error(&vm->env->error, fault, status);
    vm->env->code = kstatus_code(status);
    vm->env->fault = fault;
    return false;
}

void vm_in_row(Vm *vm, i64 row)
{
    bool ours = strcmp(vm->env->code, "interrupted") && strcmp(vm->env->code, "memory") &&
                strcmp(vm->env->code, "work");
    if (ours && vm->failed++ < ROWS_TOLD)
        text_printf(&vm->env->error, ", %s row %lld of the loop%s",
                    vm->failed == 1 ? "in" : "itself in", (long long)row,
                    vm->failed == 1 ? "" : " around it");
}

const char *vm_label(Vm *vm, const Node *n, char buffer[64])
{
    Symbol name = node_name(vm->env->st, n);
    if (name)
        snprintf(buffer, 64, "`%s`", name);
    else
        snprintf(buffer, 64, "%s", node_info(n)->name);
    return buffer;
}

/* How much of the work is done, as far as loops of known length tell. */
static double loop_fraction(const Loop *loop)
{
    double inner = 0;
    for (; loop; loop = loop->up) {
        if (loop->n == SCAN_UNBOUNDED) {
            inner = -1;
            continue;
        }
        inner =
            ((double)loop->done + (inner > 0 ? inner : 0)) / (double)(loop->n > 0 ? loop->n : 1);
    }
    return inner;
}

bool vm_poll(Vm *vm, const Node *at, i64 work)
{
    VmEnv *env = vm->env;
    if (vm->lent)
        return true;
    if (vm->helps)
        return !interrupted(env->interrupt) && !memory_short();
    if (interrupted(env->interrupt))
        return vm_fail(vm, at, "interrupted", "interrupted");
    if (memory_short())
        return vm_fail(vm, at, "memory", "out of memory, with %zu MB in use",
                       memory_in_use() >> 20);
    vm->work += (u64)work;
    if (env->work_limit && vm->work > env->work_limit)
        return vm_fail(vm, at, "work", "the evaluation needs more work than its limit allows");
    if (!env->progress || vm->work < vm->looked + WORK_TO_CLOCK)
        return true;
    vm->looked = vm->work;
    double now = now_seconds();
    if (vm->loop && now - vm->start >= PATIENCE && now - vm->reported >= REPORT_EVERY) {
        vm->reported = now;
        env->progress(env->ctx, now - vm->start, loop_fraction(vm->loop));
    }
    return true;
}

/* ---- boxing ---- */

Tensor *vm_boxed(Vm *vm, u8 kind, const Reg *r)
{
    Tensor *t = tensor_new(vm->env->heap, (DType)kind, 0, NULL);
    if (t)
        memcpy(t->data, r, dtype_size((DType)kind));
    return t;
}

static void unbox(Tensor *t, Reg *r)
{
    memcpy(r, t->data, dtype_size(t->dtype));
    tensor_unref(t);
}

enum { BOX_REFS = 1 << 30 }; /* so many that nobody takes it for his own, or frees it */

static Tensor *lend(Vm *vm, u32 k, u8 kind, Reg *r)
{
    Tensor *box = &vm->boxes[k];
    box->refs = BOX_REFS;
    box->dtype = (DType)kind;
    box->count = 1;
    box->data = r;
    box->heap = vm->env->heap;
    return box;
}

/* A result that is a box or looks into one gets memory of its own. */
static Tensor *own_result(Vm *vm, u32 nin, Tensor *t)
{
    const Tensor *owner = t && t->base ? t->base : t;
    bool lent = owner && owner >= vm->boxes && owner < vm->boxes + nin;
    if (!lent)
        return t;
    Tensor *copy = tensor_copy(vm->env->heap, t);
    tensor_unref(t);
    return copy;
}

/* ---- operators ---- */

static bool array_failed(Vm *vm, const Wide *w, const EvalArgs *e)
{
    for (u32 k = 0; k < w->nout; k++)
        tensor_unref(own_result(vm, w->nin, vm->out[k]));
    vm->env->code = e->code ? e->code : "check";
    vm->env->fault = w->node;
    return false;
}

static bool array_results(Vm *vm, const Wide *w, Reg *r)
{
    bool ok = true;
    for (u32 k = 0; k < w->nout; k++) {
        const Arg *out = &w->out[k];
        Tensor *t = vm->out[k];
        if (t && w->nin)
            t = own_result(vm, w->nin, t);
        if (out->reg == NO_REG)
            tensor_unref(t);
        else if (!t)
            ok = false;
        else if (out->kind == KIND_TENSOR)
            r[out->reg].t = t;
        else
            unbox(t, &r[out->reg]);
    }
    return ok || vm_no_memory(vm, w->node);
}

static EvalArgs array_args(Vm *vm, const Wide *w, Reg *r)
{
    for (u32 k = 0; k < w->nin; k++) {
        const Arg *a = &w->in[k];
        vm->moved[k] = a->move;
        vm->in[k] = a->kind == KIND_TENSOR ? r[a->reg].t : lend(vm, k, a->kind, &r[a->reg]);
    }
    for (u32 k = 0; k < w->nout; k++)
        vm->out[k] = NULL;
    return (EvalArgs){.st = vm->env->st,
                      .heap = vm->env->heap,
                      .node = w->node,
                      .nin = (int)w->nin,
                      .nout = (int)w->nout,
                      .in = vm->in,
                      .moved = vm->moved,
                      .out = vm->out,
                      .to =
                          w->nout == 1 ? room_of(r, w->out[0].room) : (Destination){.whole = NULL},
                      .error = &vm->env->error,
                      .interrupt = vm->env->interrupt};
}

static i64 array_work(const Vm *vm, const Wide *w)
{
    i64 work = 64;
    for (u32 k = 0; k < w->nin; k++)
        work += vm->in[k]->count;
    return work;
}

/* a with [i] = a[j]: the row is copied, so that it does not keep the array from being changed. */
static bool detach_row(Vm *vm, const Wide *w, Reg *r)
{
    const Tensor *x = vm->in[0];
    const Arg *arg = &w->in[w->nin - 1];
    Tensor *v = vm->in[w->nin - 1];
    if (arg->kind != KIND_TENSOR || !arg->move || v->refs != 1 || !v->base ||
        v->base != (x->base ? x->base : x))
        return true;
    Tensor *row = tensor_copy(vm->env->heap, v);
    if (!row)
        return vm_fail(vm, w->node, "memory", "out of memory: could not allocate a row");
    tensor_unref(v);
    vm->in[w->nin - 1] = r[arg->reg].t = row;
    return true;
}

bool vm_array(Vm *vm, const Wide *w, Reg *r)
{
    EvalArgs e = array_args(vm, w, r);
    if (!vm_poll(vm, w->node, array_work(vm, w)))
        return false;
    if (w->updates && !detach_row(vm, w, r))
        return false;
    if (w->eval(&e))
        return array_failed(vm, w, &e);
    for (u32 k = 0; k < w->nkill; k++) {
        tensor_unref(r[w->kill[k]].t);
        r[w->kill[k]].t = NULL;
    }
    return array_results(vm, w, r);
}

/* In place if nobody else sees the vector and the index is good; else as any operator. */
bool vm_put(Vm *vm, const Wide *w, Reg *r)
{
    Tensor *t = r[w->in[0].reg].t;
    const Reg *v = &r[w->in[2].reg];
    i64 i = r[w->in[1].reg].l;
    i += i < 0 ? t->shape[0] : 0;
    if (!w->in[0].move || i < 0 || i >= t->shape[0] || w->out[0].reg == NO_REG ||
        !tensor_writable(t))
        return vm_array(vm, w, r);
    if (w->node->attrs[1].i)
        ((double *)t->data)[i] += v->d;
    else if (t->dtype == DT_F64 || t->dtype == DT_I64)
        ((u64 *)t->data)[i] = v->bits;
    else if (t->dtype == DT_BOOL)
        ((u8 *)t->data)[i] = v->b;
    else
        ((i32 *)t->data)[i] = v->w;
    r[w->in[0].reg].t = NULL;
    r[w->out[0].reg].t = t;
    return true;
}

bool vm_index_failed(Vm *vm, const Wide *w, Reg *r)
{
    EvalArgs e = array_args(vm, w, r);
    if (!w->eval(&e))
        die("an index out of range is none");
    return array_failed(vm, w, &e);
}

bool vm_outside(Vm *vm, const Wide *w, i64 index, const i64 *shape)
{
    const Type *type = w->node->ops[0]->type;
    Tensor like = {.dtype = type->dtype, .rank = type->rank}, *in[] = {&like};
    memcpy(like.shape, shape, (size_t)like.rank * sizeof *shape);
    EvalArgs e = {.node = w->node, .nin = 1, .in = in, .error = &vm->env->error};
    eval_index_error(&e, index, (int)w->node->attrs[0].i);
    vm->env->code = e.code;
    vm->env->fault = w->node;
    return false;
}

bool vm_no_memory(Vm *vm, const Node *n)
{
    return vm_fail(vm, n, "memory", "out of memory: could not allocate the result of %s",
                   node_info(n)->name);
}

/* ---- leaves ---- */

bool vm_room(Vm *vm, const Node *n, Reg *d)
{
    i64 shape[MAX_RANK];
    for (int i = 0; i < n->type->rank; i++)
        if (!size_is_const(n->type->dims[i], &shape[i]))
            die("room for an array of unknown size");
    d->t = tensor_new(vm->env->heap, node_dtype(n), n->type->rank, shape);
    return d->t || vm_no_memory(vm, n);
}

bool vm_leaf(Vm *vm, const Node *n, Reg *d)
{
    VmEnv *env = vm->env;
    char label[64];
    const Type *type = n->type;
    Tensor *t = env->leaf ? env->leaf(env->ctx, n) : NULL;
    if (!t)
        return vm_fail(vm, n, "no-value", "%s has no value", vm_label(vm, n, label));
    if (t->dtype != type->dtype || t->rank != type->rank)
        return vm_fail(vm, n, "type-mismatch",
                       "the value of `%s` is %s of rank %d, not %s of rank %d",
                       vm_label(vm, n, label), dtype_name(t->dtype), t->rank,
                       dtype_name(type->dtype), type->rank);
    if (t->rank == 0 && t->dtype != DT_RNG)
        memcpy(d, t->data, dtype_size(t->dtype));
    else
        d->t = tensor_ref(t);
    return true;
}

bool vm_size(Vm *vm, const Node *leaf, Reg *d)
{
    VmEnv *env = vm->env;
    if (env->size && env->size(env->ctx, leaf, &d->l))
        return true;
    Text size = {0};
    size_print(&size, leaf->attrs[0].size);
    vm_fail(vm, leaf, "no-value", "the size %s has no value", text_str(&size));
    text_free(&size);
    return false;
}
