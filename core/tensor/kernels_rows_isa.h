/* Rows combined onto a row of accumulators, for one instruction set: included by kernels_columns.c
 * with ISA(name) and ISA_FN.
 *
 * Invariant: elements of a row have nothing to do with each other, so the bits are those of any
 * other instruction set. */

/* Four rows at a time: the accumulators are read and written once for them. */
#define DEFINE_ROWS(NAME, T, A, TAKE, FIRST, OP)                                        \
    ISA_FN static void ISA(NAME)(i64 count, i64 pitch, i64 n, const void *xv, void *av, \
                                 bool start)                                            \
    {                                                                                   \
        const T *x = xv;                                                                \
        A *restrict acc = av;                                                           \
        if (start) {                                                                    \
            for (i64 i = 0; i < n; i++)                                                 \
                acc[i] = FIRST(TAKE(x[i]));                                             \
            x += pitch;                                                                 \
            count--;                                                                    \
        }                                                                               \
        for (; count >= 4; count -= 4, x += 4 * pitch) {                                \
            const T *y = x + pitch, *z = y + pitch, *w = z + pitch;                     \
            for (i64 i = 0; i < n; i++) {                                               \
                A a = acc[i], b = TAKE(x[i]), c = TAKE(y[i]);                           \
                a = (A)OP(a, b);                                                        \
                a = (A)OP(a, c);                                                        \
                b = TAKE(z[i]);                                                         \
                c = TAKE(w[i]);                                                         \
                a = (A)OP(a, b);                                                        \
                acc[i] = (A)OP(a, c);                                                   \
            }                                                                           \
        }                                                                               \
        for (; count > 0; count--, x += pitch)                                          \
            for (i64 i = 0; i < n; i++) {                                               \
                A a = acc[i], b = TAKE(x[i]);                                           \
                acc[i] = (A)OP(a, b);                                                   \
            }                                                                           \
    }

#define AS_U64(x) (u64)(x)
#define AS_BOOL(x) ((x) != 0)
/* Without branches, and NaN is the one that was found, as in kernels_extremes.c: minimum_f64 may
 * give it other bits. Of equal numbers only zeros differ, in the sign. */
#define LESS(a, b, EITHER) ((a) == (b) ? EITHER(a, b) : (((b) < (a)) | ((b) != (b))) ? (b) : (a))
#define MORE(a, b, BOTH) ((a) == (b) ? BOTH(a, b) : (((b) > (a)) | ((b) != (b))) ? (b) : (a))
#define LESS_F32(a, b) LESS(a, b, or_f32)
#define LESS_F64(a, b) LESS(a, b, or_f64)
#define MORE_F32(a, b) MORE(a, b, and_f32)
#define MORE_F64(a, b) MORE(a, b, and_f64)
#define EITHER(a, b) ((a) | (b))
#define BOTH(a, b) ((a) & (b))

/* Sums and products of integers wrap, so they are made with unsigned numbers. */
DEFINE_ROWS(sum_bool, u8, u64, AS_U64, AS_IS, ADD)
DEFINE_ROWS(sum_i32, i32, u64, AS_U64, AS_IS, ADD)
DEFINE_ROWS(sum_i64, u64, u64, AS_IS, AS_IS, ADD)
DEFINE_ROWS(sum_f32, float, float, AS_IS, FROM_ZERO, ADD)
DEFINE_ROWS(sum_f64, double, double, AS_IS, FROM_ZERO, ADD)
DEFINE_ROWS(prod_bool, u8, u64, AS_U64, AS_IS, MUL)
DEFINE_ROWS(prod_i32, i32, u64, AS_U64, AS_IS, MUL)
DEFINE_ROWS(prod_i64, u64, u64, AS_IS, AS_IS, MUL)
DEFINE_ROWS(prod_f32, float, float, AS_IS, AS_IS, MUL)
DEFINE_ROWS(prod_f64, double, double, AS_IS, AS_IS, MUL)
DEFINE_ROWS(min_bool, u8, u8, AS_IS, AS_IS, LOW)
DEFINE_ROWS(min_i32, i32, i32, AS_IS, AS_IS, LOW)
DEFINE_ROWS(min_i64, i64, i64, AS_IS, AS_IS, LOW)
DEFINE_ROWS(min_f32, float, float, AS_IS, AS_IS, LESS_F32)
DEFINE_ROWS(min_f64, double, double, AS_IS, AS_IS, LESS_F64)
DEFINE_ROWS(max_bool, u8, u8, AS_IS, AS_IS, HIGH)
DEFINE_ROWS(max_i32, i32, i32, AS_IS, AS_IS, HIGH)
DEFINE_ROWS(max_i64, i64, i64, AS_IS, AS_IS, HIGH)
DEFINE_ROWS(max_f32, float, float, AS_IS, AS_IS, MORE_F32)
DEFINE_ROWS(max_f64, double, double, AS_IS, AS_IS, MORE_F64)
DEFINE_ROWS(any_bool, u8, u8, AS_BOOL, AS_IS, EITHER)
DEFINE_ROWS(any_i32, i32, u8, AS_BOOL, AS_IS, EITHER)
DEFINE_ROWS(any_i64, i64, u8, AS_BOOL, AS_IS, EITHER)
DEFINE_ROWS(any_f32, float, u8, AS_BOOL, AS_IS, EITHER)
DEFINE_ROWS(any_f64, double, u8, AS_BOOL, AS_IS, EITHER)
DEFINE_ROWS(all_bool, u8, u8, AS_BOOL, AS_IS, BOTH)
DEFINE_ROWS(all_i32, i32, u8, AS_BOOL, AS_IS, BOTH)
DEFINE_ROWS(all_i64, i64, u8, AS_BOOL, AS_IS, BOTH)
DEFINE_ROWS(all_f32, float, u8, AS_BOOL, AS_IS, BOTH)
DEFINE_ROWS(all_f64, double, u8, AS_BOOL, AS_IS, BOTH)

#define TABLE(NAME)                                                                           \
    {                                                                                         \
        [DT_BOOL] = ISA(NAME##_bool), [DT_I32] = ISA(NAME##_i32), [DT_I64] = ISA(NAME##_i64), \
        [DT_F32] = ISA(NAME##_f32), [DT_F64] = ISA(NAME##_f64)                                \
    }
static ReduceRows *const ISA(rows_table)[RED_ALL + 1][DT_COUNT] = {
    [RED_SUM] = TABLE(sum), [RED_PROD] = TABLE(prod), [RED_MIN] = TABLE(min),
    [RED_MAX] = TABLE(max), [RED_ANY] = TABLE(any),   [RED_ALL] = TABLE(all)};
#undef TABLE
#undef DEFINE_ROWS
#undef AS_U64
#undef AS_BOOL
#undef LESS
#undef MORE
#undef LESS_F32
#undef LESS_F64
#undef MORE_F32
#undef MORE_F64
#undef EITHER
#undef BOTH
#undef ISA
#undef ISA_FN
