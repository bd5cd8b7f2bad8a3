/* The functions of the virtual machine that native code calls.
 *
 * Invariant: they do what the instruction of that name does, so both engines give the same values
 * and messages. */
#include "exec/native_code.h"
#include "exec/vm_run.h"
#include "ops/fused.h"
#include "ops/product.h"
#include "tensor/blas.h"
#include "tensor/factor.h"
#include "tensor/philox.h"

/* Steps until the next look whether to stop. */
enum {
    STEPS_LIGHT = 1 << 14, /* what light ones take a microsecond for in native code is no time */
    STEPS_LONG = 1 << 10,
    LONG = 64 /* instructions of a step that is long */
};

static i64 host_begin(void *vm, void *at, i64 *step)
{
    Loop *loop = at;
    (void)vm;
    if (!loop->block->heavy && !loop->most)
        loop_few(loop, loop->block->ncode > LONG ? STEPS_LONG : STEPS_LIGHT);
    *step = loop->block->reverse ? loop->n - 1 - loop->done : loop->done;
    return loop->chunk;
}

static i64 host_begin_few(void *vm, void *at, i64 most, i64 *step)
{
    loop_few(at, most);
    return host_begin(vm, at, step);
}

static i64 host_more(void *vm, void *at)
{
    Loop *loop = at;
    return loop_more(vm, loop) ? loop->chunk : -1;
}

static int host_stop(void *at, i64 left)
{
    Loop *loop = at;
    loop->done += loop->chunk - left + 1;
    loop->stopped = true;
    return 1;
}

static int host_steps(void *vm, i64 n)
{
    ((Vm *)vm)->env->steps += (u64)n;
    return 1;
}

static int host_poll(void *vm, const void *node, i64 work) { return vm_poll(vm, node, work); }

static int host_in_row(void *vm, i64 step)
{
    vm_in_row(vm, step);
    return 0;
}

static int host_check(void *vm, const void *node) { return vm_check_failed(vm, node, NULL); }

static int host_check_le(void *vm, const void *node, i64 a, i64 b)
{
    return vm_check_failed(vm, node, (i64[]){a, b});
}

static int host_status(void *vm, const void *node, int status)
{
    return vm_fail_status(vm, node, status);
}

static int host_index_failed(void *vm, const void *wide, Reg *r)
{
    return vm_index_failed(vm, wide, r);
}

static int host_outside(void *vm, const void *wide, i64 index, const i64 *shape)
{
    return vm_outside(vm, wide, index, shape);
}

static int host_array(void *vm, const void *wide, Reg *r) { return vm_array(vm, wide, r); }
static int host_put(void *vm, const void *wide, Reg *r) { return vm_put(vm, wide, r); }
static int host_fused(void *vm, const void *wide, Reg *r) { return vm_tiles(vm, wide, r); }
static int host_call(void *vm, const void *wide, Reg *r) { return vm_call(vm, wide, r); }
static int host_branch(void *vm, const void *wide, Reg *r) { return vm_if(vm, wide, r); }
static int host_scan(void *vm, const void *wide, Reg *r) { return vm_scan(vm, wide, r); }

static i64 host_rows(void *vm, const void *block, i64 at, Reg *r)
{
    const Block *b = block;
    return vm_sweep(vm, b->code[at].u.sweep, r);
}

static int host_delay(const void *wide, Reg *r)
{
    vm_delay(wide, r);
    return 1;
}

static int host_leaf(void *vm, const void *node, Reg *d) { return vm_leaf(vm, node, d); }
static int host_size(void *vm, const void *node, Reg *d) { return vm_size(vm, node, d); }
static int host_make_room(void *vm, const void *node, Reg *d) { return vm_room(vm, node, d); }

static int host_drop(Reg *a)
{
    tensor_unref(a->t);
    a->t = NULL;
    return 1;
}

static int host_share(Reg *d, const Reg *a)
{
    d->t = tensor_ref(a->t);
    return 1;
}

static int host_state(void *vm, void *loop, i64 state, const Reg *next, const void *node)
{
    return loop_state(vm, loop, (u32)state, next->t, node);
}

static int host_element(void *vm, const void *loop, Reg *view, const Reg *sequence, i64 step)
{
    return loop_element(vm, view, sequence->t, step, ((const Loop *)loop)->wide->node);
}

static int host_row(void *vm, void *loop, i64 trace, const Reg *row, i64 step, const void *node)
{
    return loop_row(vm, loop, (u32)trace, row->t, step, node);
}

static void *host_trace_rows(void *vm, void *loop, i64 trace, i64 step, i64 *room)
{
    return loop_rows(vm, loop, (u32)trace, step, room);
}

static int host_last_state(void *vm, void *at, Reg *state, const void *data)
{
    const Loop *loop = at;
    Tensor *t = state->t;
    if (!tensor_writable(t)) {
        t = tensor_new(((Vm *)vm)->env->heap, t->dtype, t->rank, t->shape);
        if (!t)
            return vm_fail(vm, loop->wide->node, "memory",
                           "out of memory: could not allocate a state");
        tensor_unref(state->t);
        state->t = t;
    }
    memcpy(t->data, data, (size_t)t->count * dtype_size(t->dtype));
    return 1;
}

static int host_reduced(int op, int dtype, i64 outer, i64 axis, i64 inner, const void *x, void *out)
{
    return kernel_reduce((ReduceOp)op, (DType)dtype, outer, axis, inner, x, out) == K_OK;
}

static int host_settled(int dtype, i64 n, void *largest)
{
    peak_settle((DType)dtype, n, largest, true);
    return 1;
}

static int host_draw(int normal, i64 n, const void *from, void *next, void *out)
{
    RngState s;
    memcpy(&s, from, sizeof s);
    s = (normal ? rng_normal : rng_uniform)(s, DT_F64, n, out);
    if (next)
        memcpy(next, &s, sizeof s);
    return 1;
}

static int host_product(const i64 *form, const void *a, const void *b, int add, void *c)
{
    Product p = {.batch = form[1],
                 .m = form[2],
                 .k = form[3],
                 .n = form[4],
                 .astep = form[5],
                 .bstep = form[6],
                 .alead = form[7],
                 .blead = form[8],
                 .ta = form[9] != 0,
                 .tb = form[10] != 0};
    product_run((DType)form[0], &p, 1, a, b, add, c);
    return 1;
}

/* A copy of a small matrix, which a factorisation destroys. */
typedef struct {
    double element[FACTOR_SIDE * FACTOR_SIDE]; /* or floats */
} SmallMatrix;

static void small_copy(SmallMatrix *to, int dtype, i64 n, const void *a)
{
    memcpy(to->element, a, (size_t)(n * n) * dtype_size((DType)dtype));
}

static int host_solve(int dtype, i64 n, i64 count, const void *a, void *b)
{
    SmallMatrix m;
    small_copy(&m, dtype, n, a);
    return blas_solve((DType)dtype, n, count, m.element, b);
}

static int host_inv(int dtype, i64 n, void *a) { return blas_inv((DType)dtype, n, a); }

static int host_cholesky(int dtype, i64 n, void *a) { return blas_cholesky((DType)dtype, n, a); }

static int host_det(int dtype, i64 n, const void *a, void *value)
{
    SmallMatrix m;
    small_copy(&m, dtype, n, a);
    return blas_det((DType)dtype, n, m.element, value);
}

void native_host(AnyFunction out[HOST_COUNT])
{
#define HOST(NAME, RESULT, PARAMS) out[HOST_##NAME] = (AnyFunction)host_##NAME;
    HOST_FUNCTIONS(HOST)
#undef HOST
}
