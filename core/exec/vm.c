/* The interpreter: direct-threaded where the compiler can take the address of a label.
 *
 * Invariant: an instruction reads all its operands before it writes its result, so a
 * result may stand in the register of an operand. Scalar arithmetic is the text of
 * elem.def itself, compiled without contraction, so its bits are those of the kernels. */
#include "exec/vm_run.h"

#include "tensor/extreme.h"
#include "tensor/kernels_math.h"

#include <math.h>

/* The names that elem.def gives to the operands' C types. */
#if defined(__GNUC__)
#define UNUSED __attribute__((unused))
#else
#define UNUSED
#endif
#define FLOAT_TYPES(FT) typedef FT F UNUSED
#define INT_TYPES(ST, UT) \
    typedef ST S UNUSED;  \
    typedef UT U UNUSED

#if defined(__GNUC__) && !defined(GRADUS_SWITCH) /* -DGRADUS_SWITCH tests the other form */
#define THREADED 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" /* addresses of labels */
#else
#define THREADED 0
#endif

#if THREADED
#define CASE(NAME) L_##NAME
#define DISPATCH goto *labels[ip->op]
#else
#define CASE(NAME) case I_##NAME
#define DISPATCH goto dispatch
#endif
#define NEXT      \
    do {          \
        ip++;     \
        DISPATCH; \
    } while (0)

#define R(field) r[ip->field]
#define WHERE b->where[ip - b->code]
/* An instruction; one that may fail, and what then happens. */
#define DO(NAME, ...) \
    CASE(NAME) :      \
    {                 \
        __VA_ARGS__;  \
        NEXT;         \
    }
#define TRY(NAME, CONDITION) TRY_THEN(NAME, CONDITION, (void)0)
#define TRY_THEN(NAME, CONDITION, ...) \
    CASE(NAME) :                       \
    {                                  \
        i64 at = 0;                    \
        (void)at;                      \
        if (!(CONDITION))              \
            goto failed;               \
        __VA_ARGS__;                   \
        NEXT;                          \
    }

/* ---- how a column of elem.def becomes an assignment ---- */
#define F64_EXPR(e) R(d).d = (e)
#define F64_TEST(e) R(d).b = (u8)(e)
#define F64_NONE goto bug
#define F641_VEC(f) R(d).d = ip->u.f1(x)
#define F641_CALL(f) R(d).d = ip->u.f1(x)
#define F641_EXPR F64_EXPR
#define F641_TEST F64_TEST
#define F641_NONE F64_NONE
#define F642_VEC(f) R(d).d = ip->u.f2(x, z)
#define F642_CALL(f) R(d).d = ip->u.f2(x, z)
#define F642_EXPR F64_EXPR
#define F642_TEST F64_TEST
#define F642_NONE F64_NONE
#define F32_EXPR(e) R(d).f = (F)(e)
#define F32_TEST(e) R(d).b = (u8)(e)
#define F32_VEC(f) goto bug
#define F32_CALL(f) goto bug
#define F32_NONE goto bug
#define INT_INT(e) R(d).l = (e)
#define INT_BITS(e) R(d).l = (e)
#define INT_TEST(e) R(d).b = (u8)(e)
#define INT_SAME R(d).l = x
#define INT_BOOLS(e) goto bug
#define INT_FAIL(f, e)                           \
    int status = f##_i64(x, z, &R(d).l);         \
    if (status != K_OK) {                        \
        (void)vm_fail_status(vm, WHERE, status); \
        goto failed;                             \
    }
#define INT_FLOATS goto bug
#define BOOL_BOOLS(e) R(d).b = (u8)(e)
#define BOOL_TEST(e) R(d).b = (u8)(e)
#define BOOL_INT(e) goto bug
#define BOOL_BITS(e) goto bug
#define BOOL_FAIL(...) goto bug
#define BOOL_SAME goto bug
#define BOOL_FLOATS goto bug

#define CASE1(NAME, T, FIELD, TYPES, ASSIGN) \
    CASE(NAME) :                             \
    {                                        \
        TYPES;                               \
        T x = R(a).FIELD;                    \
        (void)x;                             \
        ASSIGN;                              \
        NEXT;                                \
    }
#define CASE2(NAME, T, FIELD, TYPES, ASSIGN) \
    CASE(NAME) :                             \
    {                                        \
        TYPES;                               \
        T x = R(a).FIELD, z = R(b).FIELD;    \
        (void)x, (void)z;                    \
        ASSIGN;                              \
        NEXT;                                \
    }
#define ALL_FAMILIES(ID) &&L_F64_##ID, &&L_F32_##ID, &&L_INT_##ID, &&L_BOOL_##ID,

bool vm_check_failed(Vm *vm, const Node *check, const i64 *sides)
{
    Text text = {0};
    check_message(&text, check, sides);
    vm_fail(vm, check, check_code(check), "%s", text_str(&text));
    text_free(&text);
    return false;
}

static void vm_lend(Vm *vm)
{
    vm->lent = vm->env->lend != NULL;
    if (vm->lent)
        vm->env->lend(vm->env->ctx, false);
}

static inline bool index_ok(const Tensor *t, i64 i, i64 *at)
{
    *at = i + (i < 0 ? t->shape[0] : 0);
    return *at >= 0 && *at < t->shape[0];
}

// clang-format off
bool vm_exec(Vm *vm, const Block *b, Reg *r, Loop *loop)
{
#if THREADED
    static const void *const labels[I_COUNT] = {
#define INS(NAME, FORM) &&L_##NAME,
        INSTRUCTIONS(INS)
#undef INS
#define ELEM1(ID, ...) ALL_FAMILIES(ID)
#define ELEM2(ID, ...) ALL_FAMILIES(ID)
#include "ops/elem.def"
    };
#endif
    const Ins *ip = b->code;
    i64 left = loop ? loop->chunk : 0;
    i64 step = loop && b->reverse ? loop->n - 1 : 0;
    DISPATCH;
#if !THREADED
dispatch:
    switch ((InsOp)ip->op) {
#endif
    /* ---- arithmetic ---- */
#define ELEM1(ID, NAME, F64, F32, INTS, ...)                    \
    CASE1(F64_##ID, double, d, FLOAT_TYPES(double), F641_##F64) \
    CASE1(F32_##ID, float, f, FLOAT_TYPES(float), F32_##F32)    \
    CASE1(INT_##ID, i64, l, INT_TYPES(i64, u64), INT_##INTS)    \
    CASE1(BOOL_##ID, u8, b, INT_TYPES(u8, u8), BOOL_##INTS)
#define ELEM2(ID, NAME, F64, F32, INTS, ...)                    \
    CASE2(F64_##ID, double, d, FLOAT_TYPES(double), F642_##F64) \
    CASE2(F32_##ID, float, f, FLOAT_TYPES(float), F32_##F32)    \
    CASE2(INT_##ID, i64, l, INT_TYPES(i64, u64), INT_##INTS)    \
    CASE2(BOOL_##ID, u8, b, INT_TYPES(u8, u8), BOOL_##INTS)
#include "ops/elem.def"

#define OF_ADD(x, z) ((x) + (z))
#define OF_SUB(x, z) ((x) - (z))
#define OF_MUL(x, z) ((x) * (z))
#undef PAIR
#define PAIR(INS, F, G)                                                                            \
    DO(F##_##G, R(d).d = OF_##G(OF_##F(R(a).d, R(b).d), R(c).d))                                   \
    DO(F##_##G##_R, R(d).d = OF_##G(R(c).d, OF_##F(R(a).d, R(b).d)))
    PAIRS(~)
    DO(SELECT, R(d).bits = R(a).b ? R(b).bits : R(c).bits)
    DO(SELECT_LT, R(d).bits = R(a).d < R(b).d ? R(c).bits : R(x).bits)
    DO(SELECT_LE, R(d).bits = R(a).d <= R(b).d ? R(c).bits : R(x).bits)
    DO(SELECT_GT, R(d).bits = R(a).d > R(b).d ? R(c).bits : R(x).bits)
    DO(SELECT_GE, R(d).bits = R(a).d >= R(b).d ? R(c).bits : R(x).bits)
    TRY(KERNEL1, vm_fail_status(vm, WHERE, ip->u.k1(1, &R(a), &R(d))))
    TRY(KERNEL2, vm_fail_status(vm, WHERE, ip->u.k2(1, &R(a), 1, &R(b), 1, &R(d))))
    DO(CAST, Reg from = R(a);
       kernel_cast((DType)(ip->u.k & 255), (DType)(ip->u.k >> 8), 1, &from, &R(d)))
    DO(I64_F64, R(d).d = (double)R(a).l)
    DO(BOOL_F64, R(d).d = (double)R(a).b)
    DO(BOOL_I64, R(d).l = (i64)R(a).b)
    DO(MASK, R(d).l = R(a).l & ip->u.k)
    DO(SHIFT, R(d).l = R(a).l < 0 ? ~(~R(a).l >> ip->u.k) : R(a).l >> ip->u.k)
    DO(MOVE, R(d).bits = R(a).bits)

    /* ---- values and tensors ---- */
    TRY(LEAF, vm_leaf(vm, ip->u.node, &R(d)))
    TRY(ROOM, vm_room(vm, ip->u.node, &R(d)))
    TRY(SIZE, vm_size(vm, ip->u.node, &R(d)))
    TRY(CHECK, R(a).b || vm_check_failed(vm, WHERE, NULL))
    TRY(CHECK_LE, R(a).l <= R(b).l || vm_check_failed(vm, WHERE, (i64[]){R(a).l, R(b).l}))
    DO(LEND, vm_lend(vm))
    CASE(ROWS) : {
        i64 done = vm_sweep(vm, ip->u.sweep, r);
        if (done < 0)
            goto failed;
        ip += done;
        NEXT;
    }
    TRY(PROFILED, vm_profiled(vm, b, ip, r))
    DO(DROP, tensor_unref(R(a).t); R(a).t = NULL)
    TRY_THEN(TAKE, ip->c == NO_REG || loop_state(vm, loop, ip->c, R(a).t, WHERE), R(d).t = R(a).t;
        R(a).t = NULL)
    TRY_THEN(SHARE, ip->c == NO_REG || loop_state(vm, loop, ip->c, R(a).t, WHERE),
        R(d).t = tensor_ref(R(a).t))
    DO(DIM, R(d).l = R(a).t->shape[ip->u.k])
    TRY_THEN(INDEX8, index_ok(R(a).t, R(b).l, &at) || vm_index_failed(vm, ip->u.wide, r),
        R(d).bits = ((const u64 *)R(a).t->data)[at])
    TRY_THEN(INDEX4, index_ok(R(a).t, R(b).l, &at) || vm_index_failed(vm, ip->u.wide, r),
        R(d).w = ((const i32 *)R(a).t->data)[at])
    TRY_THEN(INDEX1, index_ok(R(a).t, R(b).l, &at) || vm_index_failed(vm, ip->u.wide, r),
        R(d).b = ((const u8 *)R(a).t->data)[at])

    /* ---- operators and control ---- */
    TRY(ARRAY, vm_array(vm, ip->u.wide, r))
    TRY(PUT, vm_put(vm, ip->u.wide, r))
    TRY(FUSED, vm_tiles(vm, ip->u.wide, r))
    TRY(SINKS, vm_sinks(vm, ip->u.wide, r))
    TRY(CHECK_ALL, !r[ip->u.wide->in[0].reg].t || vm_array(vm, ip->u.wide, r))
    TRY(CALL, vm_call(vm, ip->u.wide, r))
    DO(DELAY, vm_delay(ip->u.wide, r))
    CASE(KEEP) : goto bug;
    TRY(IF, vm_if(vm, ip->u.wide, r))
    TRY(SCAN, vm_scan(vm, ip->u.wide, r))
    DO(END, return true)

    /* ---- loops ---- */
    DO(SEQ8, R(d).bits = ((const u64 *)R(a).p)[step])
    DO(SEQ4, R(d).w = ((const i32 *)R(a).p)[step])
    DO(SEQ1, R(d).b = ((const u8 *)R(a).p)[step])
    TRY(SEQT, loop_element(vm, &R(d), R(a).t, step, loop->wide->node))
    DO(ROW8, ((u64 *)R(a).p)[step] = R(b).bits)
    DO(ROW4, ((i32 *)R(a).p)[step] = R(b).w)
    DO(ROW1, ((u8 *)R(a).p)[step] = R(b).b)
    TRY(ROWT, loop_row(vm, loop, ip->c, R(a).t, step, WHERE))
    DO(STOP, if (R(a).b) goto stop)
    DO(STOP_LT, if (R(a).d < R(b).d) goto stop)
    DO(STOP_LE, if (R(a).d <= R(b).d) goto stop)
    DO(STOP_GT, if (R(a).d > R(b).d) goto stop)
    DO(STOP_GE, if (R(a).d >= R(b).d) goto stop)
    CASE(LOOP_ROW8) : ((u64 *)R(a).p)[step] = R(b).bits;
    goto end_of_step;
    CASE(LOOP) : goto end_of_step;
end_of_step:
    step += ip->u.k;
    if (--left == 0) {
        if (!loop_more(vm, loop))
            return false;
        left = loop->chunk;
        if (!left || loop->leave)
            return true;
    }
    ip = b->code;
    DISPATCH;
#if !THREADED
    default: goto bug;
    }
#endif
failed:
    if (loop)
        vm_in_row(vm, step);
    return false;
stop:
    loop->done += loop->chunk - left + 1;
    loop->stopped = true;
    return true;
bug:
    die("instruction %u is never planned", (unsigned)ip->op);
}
// clang-format on

#if THREADED
#pragma GCC diagnostic pop
#endif

/* ---- running a program ---- */

static void vm_init(Vm *vm, const Program *p, VmEnv *env)
{
    *vm = (Vm){.p = p, .env = env};
    vm->free = xcalloc(p->blocks.len + 1, sizeof(Frame *));
    vm->boxes = xcalloc((size_t)p->max_in + 1, sizeof *vm->boxes);
    vm->in = xcalloc((size_t)p->max_in + 1, sizeof *vm->in);
    vm->moved = xcalloc((size_t)p->max_in + 1, sizeof *vm->moved);
    vm->out = xcalloc((size_t)p->max_out + 1, sizeof *vm->out);
    vm->start = vm->reported = now_seconds();
}

static void vm_end(Vm *vm)
{
    for (size_t i = 0; i < vm->p->blocks.len; i++)
        for (Frame *f = vm->free[i], *next; f; f = next) {
            next = f->next;
            free(f);
        }
    free(vm->free);
    free(vm->boxes);
    free(vm->in);
    free(vm->moved);
    free(vm->out);
    free(vm->column);
    free(vm->pace);
    free(vm->rows.stride);
    free(vm->scratch);
    vm_free_helpers(vm);
}

static bool take_results(Vm *vm, const Block *b, Reg *r, Tensor **results)
{
    for (u32 k = 0; k < b->nouts; k++) {
        const Arg *out = &b->outs[k];
        Reg value;
        if (out->kind == KIND_TENSOR)
            arg_pass(&r[out->reg], out, &value);
        else
            value.t = vm_boxed(vm, out->kind, &r[out->reg]);
        if (!value.t) {
            while (k-- > 0)
                tensor_unref(results[k]);
            return vm_fail(vm, NULL, "memory", "out of memory: could not allocate a result");
        }
        results[k] = value.t;
    }
    return true;
}

bool vm_run(const Program *p, VmEnv *env, Tensor **results)
{
    Vm vm;
    vm_init(&vm, p, env);
    Frame *f = frame_get(&vm, p->root);
    bool ok = vm_exec(&vm, p->root, f->r, NULL) && take_results(&vm, p->root, f->r, results);
    if (!ok && vm.lent)
        env->lend(env->ctx, true);
    frame_put(&vm, p->root, f);
    vm_end(&vm);
    return ok;
}
