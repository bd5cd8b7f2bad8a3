/* Loops: the operands of a scan go into a frame of its body, the body's code runs until
 * it stops, the frame's states and traces become the results.
 *
 * Invariant: while a loop runs, each state's register holds the only reference the loop
 * has to it, so an update in place stays in place; traces are copies of rows. A trace
 * ends with as many rows as steps were executed. */
#include "exec/vm_run.h"
#include "graph/name.h"

#include "exec/native_code.h"
#include "graph/control.h"
#include "ops/family.h"

enum {
    CHUNK = 1024,            /* steps until the next poll, */
    LONG = 64,               /* of code with more instructions than that */
    CHUNK_LONG = CHUNK / 16, /* so many */
    CHUNK_WORK = 16 * CHUNK, /* what either counts as, for the limit of work */
    /* Traces of a loop whose end nobody knows: they grow twofold when they are full. */
    FIRST_ROWS = 256,
    FIRST_BYTES = 1 << 15, /* of a trace of arrays, */
    LEAST_ROWS = 4         /* and rows beside those that are in it */
};

/* ---- shapes known only when running ---- */

typedef struct {
    const Block *b;
    const Wide *w;
    const Reg *caller;
    i64 *bound; /* values of d0, d1, ...; -1: unknown */
    i64 nbound;
} Sizes;

static bool size_value(const Sizes *s, const Size *size, i64 *out);

static bool param_value(const Sizes *s, i64 index, i64 *out)
{
    for (u32 i = 0; i < s->b->nparams; i++)
        if (s->b->params[i].index == index && i >= s->b->nstates + s->b->nseqs) {
            const Arg *arg = &s->w->in[1 + i];
            u8 kind;
            const Reg *value = arg_value(&s->caller[arg->reg], arg, &kind);
            if (!value || kind != DT_I64)
                return false;
            *out = value->l;
            return true;
        }
    return false;
}

static bool atom_value(const Sizes *s, const SizeAtom *a, i64 *out)
{
    i64 x, y;
    if (a->kind == ATOM_PARAM) {
        *out = a->index < s->nbound ? s->bound[a->index] : -1;
        return *out >= 0;
    }
    if (a->kind == ATOM_NODE)
        return a->node->op == OP_PARAM && param_value(s, a->node->attrs[0].i, out);
    if (!a->a || !size_value(s, a->a, &x) || !size_value(s, a->b, &y))
        return false;
    if (a->kind == ATOM_FLOORDIV && y == 0)
        return false;
    *out = a->kind == ATOM_MAX   ? (x > y ? x : y)
           : a->kind == ATOM_MIN ? (x < y ? x : y)
                                 : x / y - (x % y != 0 && (x < 0) != (y < 0));
    return true;
}

static bool size_value(const Sizes *s, const Size *size, i64 *out)
{
    *out = size->constant;
    for (u32 i = 0; i < size->nterms; i++) {
        i64 product = size->terms[i].coef, x;
        for (u32 k = 0; k < size->terms[i].nfactors; k++) {
            if (!atom_value(s, size->terms[i].factors[k], &x))
                return false;
            product *= x;
        }
        *out += product;
    }
    return true;
}

/* dim == actual, solved for a size parameter that stands alone with coefficient 1. */
static void bind_size(Sizes *s, const Size *dim, i64 actual)
{
    for (u32 i = 0; i < dim->nterms; i++) {
        const SizeTerm *t = &dim->terms[i];
        const SizeAtom *a = t->factors[0];
        if (t->nfactors != 1 || t->coef != 1 || a->kind != ATOM_PARAM || s->bound[a->index] >= 0)
            continue;
        i64 rest;
        s->bound[a->index] = 0;
        bool known = size_value(s, dim, &rest);
        s->bound[a->index] = known ? actual - rest : -1;
        if (known)
            return;
    }
}

static void bind_sizes(Sizes *s)
{
    Graph *g = s->b->graph;
    for (u32 i = 0; i < s->b->nparams; i++) {
        const Type *t = g->params[s->b->params[i].index];
        for (int a = 0; a < t->rank; a++) {
            i64 n = size_param_count(t->dims[a]);
            s->nbound = n > s->nbound ? n : s->nbound;
        }
    }
    s->bound = xmalloc(((size_t)s->nbound + 1) * sizeof *s->bound);
    for (i64 i = 0; i < s->nbound; i++)
        s->bound[i] = -1;
    for (u32 i = 0; i < s->b->nparams; i++) {
        const Arg *arg = &s->w->in[1 + i];
        u8 kind;
        const Reg *value = arg_value(&s->caller[arg->reg], arg, &kind);
        if (!value || kind != KIND_TENSOR)
            continue;
        const Tensor *t = value->t;
        bool seq = i >= s->b->nstates && i < s->b->nstates + s->b->nseqs;
        const Type *type = g->params[s->b->params[i].index];
        for (int a = 0; a < type->rank; a++)
            bind_size(s, type->dims[a], t->shape[a + seq]);
    }
}

/* Shapes of the rows of traces when no step runs: from the types; what is unknown is 0. */
static void shapes_of_none(const Wide *w, const Reg *r, Frame *f)
{
    const Block *b = w->body[0];
    Sizes s = {.b = b, .w = w, .caller = r};
    bind_sizes(&s);
    for (u32 k = 0; k < b->ntraces; k++) {
        const Type *t = b->graph->outs[b->traces[k].index]->type;
        const Type *outer = w->node->type->items[b->traces[k].index];
        f->traces[k].rank = t->rank;
        for (int a = 0; a < t->rank; a++) {
            i64 n = 0;
            if (!size_is_const(outer->dims[a + 1], &n) && !size_value(&s, t->dims[a], &n))
                n = 0;
            f->traces[k].shape[a] = n < 0 ? 0 : n;
        }
    }
    free(s.bound);
}

/* ---- traces ---- */

static DType trace_dtype(const Block *b, u32 k)
{
    return b->graph->outs[b->traces[k].index]->type->dtype;
}

/* A trace with room for `capacity` rows that keeps the first `kept`. */
static bool trace_grow(Vm *vm, Loop *loop, u32 k, i64 capacity, i64 kept)
{
    Trace *t = &loop->frame->traces[k];
    i64 shape[MAX_RANK + 1] = {capacity};
    memcpy(shape + 1, t->shape, (size_t)t->rank * sizeof *shape);
    const RoomPart *room = loop->wide->out[loop->block->nstates + k].room;
    DType d = trace_dtype(loop->block, k);
    Tensor *rows = kept ? NULL : tensor_in_room(loop->around, room, d, t->rank + 1, shape);
    if (!rows)
        rows = tensor_new(vm->env->heap, d, t->rank + 1, shape);
    if (!rows)
        return vm_fail(vm, loop->wide->node, "memory",
                       "out of memory: could not allocate a trace of %lld rows",
                       (long long)capacity);
    if (kept)
        memcpy(rows->data, t->rows->data, (size_t)kept * t->bytes);
    tensor_unref(t->rows);
    t->rows = rows;
    t->capacity = capacity;
    if (loop->block->traces[k].pointer != NO_REG)
        loop->frame->r[loop->block->traces[k].pointer].p = rows->data;
    return true;
}

static bool grow_scalars(Vm *vm, Loop *loop, i64 capacity, i64 kept)
{
    for (u32 k = 0; k < loop->block->ntraces; k++)
        if (loop->block->traces[k].kind != KIND_TENSOR && !trace_grow(vm, loop, k, capacity, kept))
            return false;
    loop->rows = capacity;
    return true;
}

/* Rows that are filled from the last one on have their place from the beginning. */
static bool open_ended(const Loop *loop)
{
    return (loop->block->stop || loop->n == SCAN_UNBOUNDED) && !loop->block->reverse;
}

static i64 twice(i64 rows, i64 most) { return rows > most / 2 ? most : 2 * rows; }

bool loop_first_row(Vm *vm, Loop *loop, u32 k, const Tensor *row)
{
    Trace *t = &loop->frame->traces[k];
    t->rank = row->rank;
    memcpy(t->shape, row->shape, sizeof t->shape);
    t->bytes = (size_t)row->count * dtype_size(row->dtype);
    i64 capacity = loop->n;
    if (open_ended(loop)) {
        i64 few = t->bytes ? (i64)(FIRST_BYTES / t->bytes) + LEAST_ROWS : FIRST_ROWS;
        capacity = few < capacity ? few : capacity;
    }
    return trace_grow(vm, loop, k, capacity, 0);
}

bool loop_known_row(Vm *vm, Loop *loop, u32 k)
{
    const Type *t = loop->block->graph->outs[loop->block->traces[k].index]->type;
    Tensor like = {.dtype = t->dtype, .rank = t->rank, .count = 1};
    for (int i = 0; i < t->rank; i++) {
        if (!size_is_const(t->dims[i], &like.shape[i]))
            die("a row of unknown length in a loop of known shapes");
        like.count *= like.shape[i];
    }
    return loop_first_row(vm, loop, k, &like);
}

void *loop_rows(Vm *vm, Loop *loop, u32 k, i64 step, i64 *room)
{
    Trace *t = &loop->frame->traces[k];
    if (!t->rows && !loop_known_row(vm, loop, k))
        return NULL;
    if (step >= t->capacity && !trace_grow(vm, loop, k, twice(t->capacity, loop->n), t->capacity))
        return NULL;
    *room = t->capacity;
    return t->rows->data;
}

static bool shapes_differ(Vm *vm, const Node *at, const char *what, int rank, const i64 *before,
                          const Tensor *now)
{
    Text a = {0}, b = {0};
    text_shape(&a, rank, before);
    text_shape(&b, now->rank, now->shape);
    vm_fail(vm, at, "shape-mismatch", "%s changes shape from %s to %s", what, text_str(&a),
            text_str(&b));
    text_free(&a);
    text_free(&b);
    return false;
}

bool loop_row(Vm *vm, Loop *loop, u32 k, const Tensor *row, i64 step, const Node *at)
{
    Trace *t = &loop->frame->traces[k];
    if (!t->rows && !loop_first_row(vm, loop, k, row))
        return false;
    if (row->rank != t->rank ||
        memcmp(row->shape, t->shape, (size_t)t->rank * sizeof *t->shape) != 0)
        return shapes_differ(vm, at, "a traced value", t->rank, t->shape, row);
    if (step >= t->capacity && !trace_grow(vm, loop, k, twice(t->capacity, loop->n), t->capacity))
        return false;
    if (t->bytes)
        memcpy((char *)t->rows->data + (size_t)step * t->bytes, row->data, t->bytes);
    return true;
}

/* ---- steps ---- */

bool loop_element(Vm *vm, Reg *view, const Tensor *sequence, i64 step, const Node *at)
{
    i64 count = sequence->shape[0] ? sequence->count / sequence->shape[0] : 0;
    if (view->t && view->t->refs == 1) { /* nobody kept the last one */
        view->t->data =
            (char *)sequence->data + (size_t)(step * count) * dtype_size(sequence->dtype);
        return true;
    }
    tensor_unref(view->t);
    view->t = tensor_view((Tensor *)(uintptr_t)sequence, step * count, sequence->rank - 1,
                          sequence->shape + 1);
    return view->t ||
           vm_fail(vm, at, "memory", "out of memory: could not allocate an element of a sequence");
}

bool loop_state(Vm *vm, const Loop *loop, u32 state, const Tensor *next, const Node *at)
{
    const Shape *s = &loop->frame->states[state];
    if (next->rank == s->rank && !memcmp(next->shape, s->shape, (size_t)s->rank * sizeof *s->shape))
        return true;
    char label[64], what[80];
    const Node *init = loop->wide->from[1 + state];
    Symbol name = node_name(vm->env->st, init);
    snprintf(what, sizeof what, name ? "a state (first %s)" : "a state", vm_label(vm, init, label));
    return shapes_differ(vm, at ? at : loop->wide->node, what, s->rank, s->shape, next);
}

static i64 next_chunk(const Loop *loop)
{
    i64 chunk = loop->most                  ? loop->most
                : loop->block->heavy        ? 1
                : loop->block->ncode > LONG ? CHUNK_LONG
                                            : CHUNK;
    i64 room = loop->n - loop->done;
    if (loop->rows - loop->done < room)
        room = loop->rows - loop->done;
    return chunk < room ? chunk : room;
}

void loop_few(Loop *loop, i64 most)
{
    loop->most = most;
    loop->chunk = next_chunk(loop);
}

/* How many steps there will be is not known. */
static bool may_stop(const Loop *loop) { return loop->block->stop || loop->n == SCAN_UNBOUNDED; }

/* That a loop is to run so many steps, of which native code is made if it is worth it. */
static void consider(Vm *vm, const Loop *loop, i64 steps)
{
    if (vm->env->native && !loop->block->native && !vm->env->work_limit && steps)
        native_consider(vm->env->native, vm->p, (double)steps * loop->block->nanoseconds);
}

/* The machine, and native code from where there is some. */
static bool run_steps(Vm *vm, Reg *r, Loop *loop)
{
    const Block *b = loop->block;
    if (b->lanes && (b->stop || !may_stop(loop)) && lanes_fit(b, r))
        return vm_lanes(vm, r, loop);
    if (b->shifts && !may_stop(loop) && shifts_fit(b, r))
        return vm_shifts(vm, r, loop);
    if (b->draws && !may_stop(loop))
        return vm_draws(vm, r, loop);
    consider(vm, loop, may_stop(loop) ? loop->chunk : loop->n);
    if (!b->native && !vm_exec(vm, b, r, loop))
        return false;
    if (!b->native || loop->stopped || loop->done >= loop->n)
        return true;
    return b->native(vm, vm->p->native->table, r, loop);
}

bool loop_more(Vm *vm, Loop *loop)
{
    loop->done += loop->chunk;
    loop->chunk = 0;
    if (loop->done >= loop->n)
        return true;
    if (!vm_poll(vm, loop->wide->node, CHUNK_WORK))
        return false;
    if (loop->done >= loop->rows && !grow_scalars(vm, loop, twice(loop->rows, loop->n), loop->done))
        return false;
    loop->chunk = next_chunk(loop);
    consider(vm, loop, may_stop(loop) ? loop->chunk : 0);
    loop->leave = loop->block->native != NULL;
    return true;
}

/* ---- the operator ---- */

/* What the steps of a scan read the rows of, by its own name, or by what the body calls it. */
static const char *rows_label(Vm *vm, const Wide *w, u32 k, char label[64])
{
    const Node *from = w->from[1 + k];
    Symbol name = node_name(vm->env->st, from);
    if (name)
        return name;
    if (w->node->op == OP_SCAN)
        name = scan_roles(vm->env->st, w->node).names[k];
    if (!name)
        return from->op == OP_PARAM ? "a sequence" : vm_label(vm, from, label);
    return name_base(vm->env->st, name);
}

static bool check_rows(Vm *vm, const Wide *w, const Reg *r, i64 n)
{
    const Block *b = w->body[0];
    char label[64];
    if (n < 0)
        return vm_fail(vm, w->node, "check", "the number of steps is negative");
    for (u32 i = 0; b && i < b->nseqs; i++) {
        u32 k = b->nstates + i;
        i64 rows = r[w->in[1 + k].reg].t->shape[0];
        if (n > rows)
            return vm_fail(vm, w->node, "check", "%lld steps, but only %lld rows of %s",
                           (long long)n, (long long)rows, rows_label(vm, w, k, label));
    }
    return true;
}

/* What the body takes is computed now if it waited for that. */
static bool enter(Vm *vm, const Wide *w, Reg *r, const Loop *loop)
{
    const Block *b = w->body[0];
    Frame *f = loop->frame;
    for (u32 i = 0; i < b->nparams; i++) {
        const Slot *p = &b->params[i];
        const Arg *arg = &w->in[1 + i];
        if (!arg_give(vm, &r[arg->reg], arg, p->kind,
                      &f->r[p->source != NO_REG ? p->source : p->reg]))
            return false;
        if (p->pointer != NO_REG)
            f->r[p->pointer].p = f->r[p->source].t->data;
        if (i < b->nstates && p->kind == KIND_TENSOR) {
            f->states[i].rank = f->r[p->reg].t->rank;
            memcpy(f->states[i].shape, f->r[p->reg].t->shape, sizeof f->states[i].shape);
        }
    }
    return true;
}

static bool prepare(Vm *vm, Loop *loop)
{
    const Block *b = loop->block;
    for (u32 k = 0; k < b->ntraces; k++)
        if (b->traces[k].kind != KIND_TENSOR)
            loop->frame->traces[k].bytes = dtype_size((DType)b->traces[k].kind);
    i64 rows = open_ended(loop) && loop->n > FIRST_ROWS ? FIRST_ROWS : loop->n;
    if (!grow_scalars(vm, loop, rows, 0))
        return false;
    loop->chunk = next_chunk(loop);
    return true;
}

/* Only now is it certain that nothing fails any more but for memory of empty traces. */
static bool leave(Vm *vm, Loop *loop, Reg *r)
{
    const Wide *w = loop->wide;
    const Block *b = loop->block;
    Frame *f = loop->frame;
    for (u32 k = 0; k < b->ntraces; k++) {
        Trace *t = &f->traces[k];
        if (!t->rows && !trace_grow(vm, loop, k, 0, 0))
            return false;
        t->rows->count = t->rows->shape[0] ? t->rows->count / t->rows->shape[0] * loop->done : 0;
        t->rows->shape[0] = loop->done;
    }
    for (u32 k = 0; k < b->ntraces; k++) {
        u32 out = w->out[b->nstates + k].reg;
        if (out != NO_REG) {
            r[out].t = f->traces[k].rows;
            f->traces[k].rows = NULL;
        }
    }
    for (u32 i = 0; i < b->nstates; i++)
        if (w->out[i].reg != NO_REG) {
            Arg take = {.kind = b->params[i].kind, .move = true};
            arg_pass(&f->r[b->params[i].reg], &take, &r[w->out[i].reg]);
        }
    return true;
}

static bool run_loop(Vm *vm, const Wide *w, Reg *r, Loop *loop)
{
    const Block *b = w->body[0];
    Frame *f = loop->frame = frame_get(vm, b);
    memset(f->traces, 0, b->ntraces * sizeof *f->traces);
    if (loop->n == 0)
        shapes_of_none(w, r, f);
    bool ok = enter(vm, w, r, loop);
    loop->up = vm->loop;
    vm->loop = loop;
    ok = ok && prepare(vm, loop) && (loop->n == 0 || run_steps(vm, f->r, loop)) &&
         leave(vm, loop, r);
    vm->loop = loop->up;
    for (u32 k = 0; k < b->ntraces; k++) {
        tensor_unref(f->traces[k].rows);
        f->traces[k].rows = NULL;
    }
    frame_put(vm, b, f);
    return ok;
}

/* Of a loop that is not a count: its own test must end it, neither too late nor too early. */
static bool check_steps(Vm *vm, const Loop *loop, i64 rows, bool go)
{
    const Wide *w = loop->wide;
    if (w->go && go && !loop->stopped)
        return vm_fail(vm, w->node, "check", "the loop did not stop within its limit of %lld steps",
                       (long long)rows);
    if (w->exact && loop->done != rows)
        return vm_fail(vm, w->node, "check", "the loop stopped after %lld of its %lld steps",
                       (long long)loop->done, (long long)rows);
    return true;
}

bool vm_scan(Vm *vm, const Wide *w, Reg *r)
{
    const Block *b = w->body[0];
    i64 rows = r[w->in[0].reg].l;
    bool go = !w->go || r[w->in[w->nin - 1].reg].b;
    Loop loop = {.block = b, .wide = w, .around = r, .n = go ? rows : 0};
    if (!check_rows(vm, w, r, rows))
        return false;
    if (!b)
        loop.done = loop.n;
    else if (!run_loop(vm, w, r, &loop))
        return false;
    if (!check_steps(vm, &loop, rows, go))
        return false;
    vm->env->steps += b ? (u64)loop.done : 0;
    u32 steps = w->out[w->nout - 2].reg, stopped = w->out[w->nout - 1].reg;
    if (steps != NO_REG)
        r[steps].l = loop.done;
    if (stopped != NO_REG)
        r[stopped].b = loop.stopped;
    return true;
}
