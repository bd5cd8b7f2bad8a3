/* Extremes of rows and their places, for one instruction set: included by kernels_extremes.c with
 * ISA(name) and ISA_FN.
 *
 * Invariant: elements alone define what is found, so the bits are those of any other instruction
 * set. */

/* Of 1 <= n <= BLOCK elements; *nan: one of them is NaN, and the result says nothing. The sign of
 * zero is open. A vector V has 32 bytes, and a comparison of two gives W of all bits or none. */
#define DEFINE_BLOCK(NAME, T, W, BETTER)                                                    \
    ISA_FN static inline T ISA(NAME##_block)(i64 n, const T *x, bool *nan)                  \
    {                                                                                       \
        typedef T V __attribute__((vector_size(32), aligned(1), may_alias));                \
        typedef W M __attribute__((vector_size(32)));                                       \
        enum { PER = 32 / sizeof(T) };                                                      \
        T best = x[0];                                                                      \
        bool bad = false;                                                                   \
        i64 i = 0;                                                                          \
        if (n >= 4 * PER) {                                                                 \
            M odd = {0};                                                                    \
            V lane[4];                                                                      \
            for (int j = 0; j < 4; j++)                                                     \
                lane[j] = *(const V *)(const void *)(x + j * PER);                          \
            for (; i + 4 * PER <= n; i += 4 * PER)                                          \
                for (int j = 0; j < 4; j++) {                                               \
                    V v = *(const V *)(const void *)(x + i + j * PER);                      \
                    lane[j] = PICK(v BETTER lane[j], v, lane[j]);                           \
                    odd |= (M)(v != v);                                                     \
                }                                                                           \
            for (int half = 2; half > 0; half /= 2)                                         \
                for (int j = 0; j < half; j++)                                              \
                    lane[j] = PICK(lane[j + half] BETTER lane[j], lane[j + half], lane[j]); \
            for (int j = 0; j < PER; j++) {                                                 \
                best = lane[0][j] BETTER best ? lane[0][j] : best;                          \
                bad |= odd[j] != 0;                                                         \
            }                                                                               \
        }                                                                                   \
        for (; i < n; i++) {                                                                \
            best = x[i] BETTER best ? x[i] : best;                                          \
            bad |= x[i] != x[i];                                                            \
        }                                                                                   \
        *nan = bad;                                                                         \
        return best;                                                                        \
    }
#define PICK(better, a, b) (V)(((M)(better) & (M)(a)) | (~(M)(better) & (M)(b)))

/* Rows of n elements; ZERO(n, x, v) gives the extreme v of x its sign, OP combines two. */
#define DEFINE_EXTREME(NAME, T, W, BETTER, OP, ZERO, NONE)                                      \
    DEFINE_BLOCK(NAME, T, W, BETTER)                                                            \
    ISA_FN static T ISA(NAME##_row)(i64 n, const T *x)                                          \
    {                                                                                           \
        T best = x[0];                                                                          \
        for (i64 i = 0, m; i < n; i += m) {                                                     \
            bool nan;                                                                           \
            m = n - i < BLOCK ? n - i : BLOCK;                                                  \
            T v = ISA(NAME##_block)(m, x + i, &nan);                                            \
            if (nan)                                                                            \
                return NONE;                                                                    \
            v = ZERO(m, x + i, v);                                                              \
            best = i == 0 ? v : OP(best, v);                                                    \
        }                                                                                       \
        return best;                                                                            \
    }                                                                                           \
    ISA_FN static void ISA(NAME)(i64 outer, i64 n, const void *xv, void *outv)                  \
    {                                                                                           \
        const T *x = xv;                                                                        \
        T *out = outv;                                                                          \
        for (i64 o = 0; o < outer; o++)                                                         \
            out[o] = ISA(NAME##_row)(n, x + o * n);                                             \
    }                                                                                           \
    ISA_FN static i64 ISA(arg##NAME##_row)(i64 n, const T *x)                                   \
    {                                                                                           \
        T best = x[0];                                                                          \
        i64 from = 0;                                                                           \
        for (i64 i = 0, m; i < n; i += m) {                                                     \
            bool nan;                                                                           \
            m = n - i < BLOCK ? n - i : BLOCK;                                                  \
            T v = ISA(NAME##_block)(m, x + i, &nan);                                            \
            if (nan) {                                                                          \
                while (x[i] == x[i])                                                            \
                    i++;                                                                        \
                return i;                                                                       \
            }                                                                                   \
            if (v BETTER best)                                                                  \
                best = v, from = i;                                                             \
        }                                                                                       \
        while (x[from] != best)                                                                 \
            from++;                                                                             \
        return from;                                                                            \
    }                                                                                           \
    /* Of `width` adjacent columns, row by row; best: room for as many. */                      \
    ISA_FN static void ISA(arg##NAME##_columns)(i64 axis, i64 inner, i64 width, const T *x,     \
                                                T *restrict best, i64 *restrict out)            \
    {                                                                                           \
        memcpy(best, x, (size_t)width * sizeof *best);                                          \
        memset(out, 0, (size_t)width * sizeof *out);                                            \
        for (i64 i = 1; i < axis; i++)                                                          \
            for (i64 c = 0; c < width; c++) {                                                   \
                T v = x[i * inner + c], b = best[c];                                            \
                bool better = (v BETTER b) | ((v != v) & (b == b));                             \
                best[c] = better ? v : b;                                                       \
                out[c] = better ? i : out[c];                                                   \
            }                                                                                   \
    }                                                                                           \
    ISA_FN static void ISA(arg##NAME)(i64 outer, i64 axis, i64 inner, const void *xv, i64 *out) \
    {                                                                                           \
        const T *x = xv;                                                                        \
        T best[WIDEST];                                                                         \
        for (i64 o = 0; o < outer && inner == 1; o++)                                           \
            out[o] = ISA(arg##NAME##_row)(axis, x + o * axis);                                  \
        for (i64 o = 0; o < outer && inner > 1; o++)                                            \
            for (i64 c = 0; c < inner; c += WIDEST)                                             \
                ISA(arg##NAME##_columns)                                                        \
        (axis, inner, inner - c < WIDEST ? inner - c : WIDEST, x + o * axis * inner + c, best,  \
         out + o * inner + c);                                                                  \
    }

DEFINE_EXTREME(min_bool, u8, i8, <, LOW, AS_FOUND, 0)
DEFINE_EXTREME(min_i32, i32, i32, <, LOW, AS_FOUND, 0)
DEFINE_EXTREME(min_i64, i64, i64, <, LOW, AS_FOUND, 0)
DEFINE_EXTREME(min_f32, float, i32, <, minimum_f32, LOW_ZERO_F32, NAN)
DEFINE_EXTREME(min_f64, double, i64, <, minimum_f64, LOW_ZERO_F64, (double)NAN)
DEFINE_EXTREME(max_bool, u8, i8, >, HIGH, AS_FOUND, 0)
DEFINE_EXTREME(max_i32, i32, i32, >, HIGH, AS_FOUND, 0)
DEFINE_EXTREME(max_i64, i64, i64, >, HIGH, AS_FOUND, 0)
DEFINE_EXTREME(max_f32, float, i32, >, maximum_f32, HIGH_ZERO_F32, NAN)
DEFINE_EXTREME(max_f64, double, i64, >, maximum_f64, HIGH_ZERO_F64, (double)NAN)

#define TABLE(NAME)                                                                           \
    {                                                                                         \
        [DT_BOOL] = ISA(NAME##_bool), [DT_I32] = ISA(NAME##_i32), [DT_I64] = ISA(NAME##_i64), \
        [DT_F32] = ISA(NAME##_f32), [DT_F64] = ISA(NAME##_f64)                                \
    }
static const Extremes ISA(extremes) = {.rows = {TABLE(min), TABLE(max)},
                                       .places = {TABLE(argmin), TABLE(argmax)}};
#undef TABLE
#undef DEFINE_EXTREME
#undef DEFINE_BLOCK
#undef PICK
#undef ISA
#undef ISA_FN
