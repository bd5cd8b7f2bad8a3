/* Elementwise operators: what they accept, what they give, and which kernel computes
 * them; and the few elementwise kernels that are not rows of ops/elem.def.
 *
 * Invariant: the instruction set is chosen once, by the processor alone, so all kernels
 * a process uses belong to one set and agree bit for bit with each other. */
#include "tensor/kernels_math.h"

/* ---- what is known of each operator ---- */

typedef enum {
    COL_NONE,
    COL_EXPR,
    COL_TEST,
    COL_CALL,
    COL_VEC,
    COL_INT,
    COL_BITS,
    COL_BOOLS,
    COL_FAIL,
    COL_SAME,
    COL_FLOATS
} Column;
#define COL_EXPR(...) COL_EXPR
#define COL_TEST(...) COL_TEST
#define COL_CALL(...) COL_CALL
#define COL_VEC(...) COL_VEC
#define COL_INT(...) COL_INT
#define COL_BITS(...) COL_BITS
#define COL_BOOLS(...) COL_BOOLS
#define COL_FAIL(...) COL_FAIL

static const struct {
    ElemInfo info;
    Column floats, ints;
} elem_rows[EL_COUNT] = {
#define ELEM1(ID, NAME, F64, F32, INTS, D, ORACLE, LO, HI, FACTS, WORK, DOC)            \
    [EL_##ID] = {{NAME, 1, D, NULL, ORACLE, LO, HI, WORK, DOC, COL_##INTS == COL_FAIL}, \
                 COL_##F64,                                                             \
                 COL_##INTS},
#define ELEM2(ID, NAME, F64, F32, INTS, DX, DZ, ORACLE, LO, HI, FACTS, ORDER, WORK, DOC) \
    [EL_##ID] = {{NAME, 2, DX, DZ, ORACLE, LO, HI, WORK, DOC, COL_##INTS == COL_FAIL},   \
                 COL_##F64,                                                              \
                 COL_##INTS},
#include "ops/elem.def"
};

const ElemInfo *elem_info(ElemId id) { return &elem_rows[id].info; }

DType elem_operand_dtype(ElemId id, DType d)
{
    Column ints = elem_rows[id].ints;
    switch (d) {
    case DT_F32:
    case DT_F64: return elem_rows[id].floats == COL_NONE ? DT_COUNT : d;
    case DT_BOOL:
        if (ints == COL_BOOLS || ints == COL_BITS || ints == COL_TEST)
            return d;
        return ints == COL_FLOATS ? DT_F64 : DT_I64;
    case DT_I32:
    case DT_I64: return ints == COL_BOOLS ? DT_COUNT : ints == COL_FLOATS ? DT_F64 : d;
    default: return DT_COUNT;
    }
}

DType elem_result_dtype(ElemId id, DType d)
{
    DType operand = elem_operand_dtype(id, d);
    if (operand == DT_COUNT)
        return operand;
    Column c = dtype_is_float(operand) ? elem_rows[id].floats : elem_rows[id].ints;
    return c == COL_TEST || c == COL_BOOLS ? DT_BOOL : operand;
}

/* ---- choosing ---- */

static const ElemKernels *base_kernels(void) { return &elem_kernels_base; }

/* The widest first. */
static const struct {
    const char *name;
    const ElemKernels *(*kernels)(void);
} sets[] = {{"avx512", elem_kernels_512}, {"avx2", elem_kernels_256}, {"base", base_kernels}};

bool elem_kernels_at(size_t k, const ElemKernels **out)
{
    if (k < COUNT_OF(sets))
        *out = sets[k].kernels();
    return k < COUNT_OF(sets);
}

static const ElemKernels *choose(void)
{
    const char *widest = getenv("GRADUS_KERNELS"); /* no wider than this set; the tests set it */
    const ElemKernels *found = NULL;
    size_t k = 0;
    while (widest && k < COUNT_OF(sets) && strcmp(widest, sets[k].name) != 0)
        k++;
    for (k %= COUNT_OF(sets); !found; k++)
        found = sets[k].kernels();
    return found;
}

/* Asked for often. Every thread would find the same. */
static const ElemKernels *kernels(void)
{
    static const ElemKernels *_Atomic chosen;
    const ElemKernels *k = chosen;
    if (!k)
        chosen = k = choose();
    return k;
}

ElemFn1 elem_fn1(ElemId id, DType d) { return kernels()->f1[id][d]; }
ElemFn2 elem_fn2(ElemId id, DType d) { return kernels()->f2[id][d]; }
ScalarFn1 elem_scalar1(ElemId id) { return kernels()->s1[id]; }
ScalarFn2 elem_scalar2(ElemId id) { return kernels()->s2[id]; }
FourierRows *fourier_kernel(DType d) { return kernels()->fourier[d]; }

static const struct {
    const char *code, *text;
} statuses[] = {
    [K_OK] = {"", "no error"},
    [K_ZERO_DIVISOR] = {"zero-divisor", "integer division by zero"},
    [K_NEGATIVE_EXPONENT] = {"negative-exponent", "integer to a negative power"},
    [K_SHIFT_RANGE] = {"shift-range", "shift by a negative number or by all bits"},
    [K_BOUNDS] = {"index", "index out of range"},
    [K_EMPTY] = {"empty", "there is no element to choose from"},
    [K_SINGULAR] = {"singular", "singular matrix"},
    [K_NOT_POSITIVE] = {"not-positive-definite", "matrix is not positive definite"},
    [K_MEMORY] = {"memory", "out of memory"},
    [K_INTERRUPTED] = {"interrupted", "interrupted"},
};

static bool is_status(int status) { return status >= 0 && (size_t)status < COUNT_OF(statuses); }

const char *kstatus_code(int status) { return is_status(status) ? statuses[status].code : "check"; }

const char *kstatus_text(int status)
{
    return is_status(status) ? statuses[status].text : "unknown status";
}

/* ---- where ---- */

#define WHERE(T)                                                       \
    {                                                                  \
        const T *ap = a, *bp = b;                                      \
        T *op = out;                                                   \
        if (astep && bstep && cstep)                                   \
            for (i64 i = 0; i < n; i++)                                \
                op[i] = cp[i] ? ap[i] : bp[i];                         \
        else                                                           \
            for (i64 i = 0; i < n; i++)                                \
                op[i] = cp[i * cstep] ? ap[i * astep] : bp[i * bstep]; \
        return;                                                        \
    }

void kernel_where(size_t size, i64 n, const void *c, i64 cstep, const void *a, i64 astep,
                  const void *b, i64 bstep, void *out)
{
    const u8 *cp = c;
    if (size == 8)
        WHERE(u64)
    if (size == 4)
        WHERE(u32)
    if (size == 1)
        WHERE(u8)
    for (i64 i = 0; i < n; i++) {
        const char *from = cp[i * cstep] ? (const char *)a + (size_t)(i * astep) * size
                                         : (const char *)b + (size_t)(i * bstep) * size;
        memmove((char *)out + (size_t)i * size, from, size);
    }
}

/* ---- casts ---- */

#define DEFINE_SATURATE(NAME, S, F, MIN, MAX, BELOW)   \
    static inline S NAME(F x)                          \
    {                                                  \
        if (x >= BELOW) /* 2^31 or 2^63, exact in F */ \
            return MAX;                                \
        return x >= -BELOW ? (S)x : x == x ? MIN : 0;  \
    }
DEFINE_SATURATE(f64_to_i64, i64, double, INT64_MIN, INT64_MAX, 9223372036854775808.0)
DEFINE_SATURATE(f32_to_i64, i64, float, INT64_MIN, INT64_MAX, 9223372036854775808.0F)
DEFINE_SATURATE(f64_to_i32, i32, double, INT32_MIN, INT32_MAX, 2147483648.0)
DEFINE_SATURATE(f32_to_i32, i32, float, INT32_MIN, INT32_MAX, 2147483648.0F)

#define CASTS(FROM, F, TO_I32, TO_I64)                              \
    static void cast_##FROM(DType to, i64 n, const F *x, void *out) \
    {                                                               \
        u8 *ob = out;                                               \
        i32 *o32 = out;                                             \
        i64 *o64 = out;                                             \
        float *of = out;                                            \
        double *od = out;                                           \
        switch (to) {                                               \
        case DT_BOOL:                                               \
            for (i64 i = 0; i < n; i++)                             \
                ob[i] = x[i] != 0;                                  \
            return;                                                 \
        case DT_I32:                                                \
            for (i64 i = 0; i < n; i++)                             \
                o32[i] = TO_I32(x[i]);                              \
            return;                                                 \
        case DT_I64:                                                \
            for (i64 i = 0; i < n; i++)                             \
                o64[i] = TO_I64(x[i]);                              \
            return;                                                 \
        case DT_F32:                                                \
            for (i64 i = 0; i < n; i++)                             \
                of[i] = (float)x[i];                                \
            return;                                                 \
        case DT_F64:                                                \
            for (i64 i = 0; i < n; i++)                             \
                od[i] = (double)x[i];                               \
            return;                                                 \
        default: die("cast of %s to rng", #FROM);                   \
        }                                                           \
    }
#define WRAP_I32(x) ((i32)(u32)(u64)(x))
#define SAME_I64(x) ((i64)(x))
#define SAME_I32(x) ((i32)(x))
CASTS(bool, u8, SAME_I32, SAME_I64)
CASTS(i32, i32, SAME_I32, SAME_I64)
CASTS(i64, i64, WRAP_I32, SAME_I64)
CASTS(f32, float, f32_to_i32, f32_to_i64)
CASTS(f64, double, f64_to_i32, f64_to_i64)

void kernel_cast(DType from, DType to, i64 n, const void *x, void *out)
{
    if (from == to) {
        memmove(out, x, (size_t)n * dtype_size(from));
        return;
    }
    switch (from) {
    case DT_BOOL: cast_bool(to, n, x, out); return;
    case DT_I32: cast_i32(to, n, x, out); return;
    case DT_I64: cast_i64(to, n, x, out); return;
    case DT_F32: cast_f32(to, n, x, out); return;
    case DT_F64: cast_f64(to, n, x, out); return;
    default: die("cast of rng");
    }
}
