/* Frames, the operators that run a block once (call and if), and values that wait.
 *
 * Invariant: frames are made once and reused; getting one costs O(1) after the first,
 * giving it back O(tensor registers). */
#include "exec/vm_run.h"

static Frame *frame_new(const Block *b)
{
    size_t traces = b->ntraces * sizeof(Trace), states = b->nstates * sizeof(Shape);
    size_t delays = b->ndelays * sizeof(Delay) + b->nlazy * sizeof(Lazy);
    Frame *f = xcalloc(1, sizeof *f + traces + states + delays + (b->nregs + 1) * sizeof(Reg));
    f->traces = (Trace *)(f + 1);
    f->states = (Shape *)(f->traces + b->ntraces);
    f->delays = (Delay *)(f->states + b->nstates);
    f->lazy = (Lazy *)(f->delays + b->ndelays);
    f->r = (Reg *)(f->lazy + b->nlazy);
    Lazy *lazy = f->lazy;
    for (u32 i = 0; i < b->ndelays; i++) {
        const Wide *w = b->delays[i];
        f->delays[i] = (Delay){.wide = w, .r = f->r};
        for (u32 k = 0; k < w->nout; k++) {
            *lazy = (Lazy){&f->delays[i], k};
            f->r[w->lazy[k]].p = lazy++;
        }
    }
    for (u32 i = 0; i < b->nconstants; i++) {
        Tensor *t = b->constants[i].value;
        if (b->constants[i].reg < b->nshared)
            f->r[b->constants[i].reg].t = t;
        else
            memcpy(&f->r[b->constants[i].reg], t->data, dtype_size(t->dtype));
    }
    return f;
}

Frame *frame_get(Vm *vm, const Block *b)
{
    Frame *f = vm->free[b->id];
    if (!f)
        return frame_new(b);
    vm->free[b->id] = f->next;
    return f;
}

void frame_put(Vm *vm, const Block *b, Frame *f)
{
    for (u32 i = b->nshared; i < b->ntensors; i++)
        if (f->r[i].t) {
            tensor_unref(f->r[i].t);
            f->r[i].t = NULL;
        }
    f->next = vm->free[b->id];
    vm->free[b->id] = f;
}

/* A scalar is copied; a tensor is handed over at its last use, else shared. */
void arg_pass(Reg *from, const Arg *arg, Reg *to)
{
    if (arg->kind != KIND_TENSOR) {
        *to = *from;
        return;
    }
    to->t = arg->move ? from->t : tensor_ref(from->t);
    if (arg->move)
        from->t = NULL;
}

/* The block's outputs become the operator's results. */
static bool run_block(Vm *vm, const Block *b, Frame *f, const Wide *w, Reg *r)
{
    bool ok = vm_exec(vm, b, f->r, NULL);
    for (u32 k = 0; ok && k < b->nouts; k++)
        arg_pass(&f->r[b->outs[k].reg], &b->outs[k], &r[w->out[k].reg]);
    frame_put(vm, b, f);
    return ok;
}

static bool call(Vm *vm, const Wide *w, Reg *r)
{
    const Block *b = w->body[0];
    Frame *f = frame_get(vm, b);
    for (u32 i = 0; i < b->nparams; i++)
        if (!arg_give(vm, &r[w->in[i].reg], &w->in[i], b->params[i].kind,
                      &f->r[b->params[i].reg])) {
            frame_put(vm, b, f);
            return false;
        }
    return run_block(vm, b, f, w, r);
}

bool vm_call(Vm *vm, const Wide *w, Reg *r) { return call(vm, w, r); }

/* ---- what is computed when it is first needed ---- */

void vm_delay(const Wide *w, Reg *r)
{
    for (u32 k = 0; k < w->nout; k++)
        ((Lazy *)r[w->lazy[k]].p)->of->done = !w->body[0];
}

const Reg *arg_value(const Reg *from, const Arg *arg, u8 *kind)
{
    *kind = arg->kind;
    if (arg->kind != KIND_LAZY)
        return from;
    const Lazy *lazy = from->p;
    const Arg *out = &lazy->of->wide->out[lazy->result];
    *kind = out->kind;
    return lazy->of->done ? &lazy->of->r[out->reg] : NULL;
}

bool arg_give(Vm *vm, Reg *from, const Arg *arg, u8 kind, Reg *to)
{
    if (arg->kind != KIND_LAZY || kind == KIND_LAZY) {
        arg_pass(from, arg, to);
        return true;
    }
    const Lazy *lazy = from->p;
    Delay *d = lazy->of;
    if (!d->done && !call(vm, d->wide, d->r))
        return false;
    d->done = true;
    Arg shared = {.kind = d->wide->out[lazy->result].kind};
    arg_pass(&d->r[d->wide->out[lazy->result].reg], &shared, to);
    return true;
}

/* What only the other branch would have used is released before this one runs. */
bool vm_if(Vm *vm, const Wide *w, Reg *r)
{
    int chosen = r[w->in[0].reg].b ? 0 : 1;
    const Block *b = w->body[chosen];
    Frame *f = frame_get(vm, b);
    for (u32 i = 0; i < b->nparams; i++) {
        u32 k = w->map[chosen][i];
        Arg shared = w->in[k];
        shared.move = false;
        if (!arg_give(vm, &r[w->in[k].reg], &shared, b->params[i].kind, &f->r[b->params[i].reg])) {
            frame_put(vm, b, f);
            return false;
        }
    }
    for (u32 k = 1; k < w->nin; k++)
        if (w->in[k].move) {
            tensor_unref(r[w->in[k].reg].t);
            r[w->in[k].reg].t = NULL;
        }
    return run_block(vm, b, f, w, r);
}
