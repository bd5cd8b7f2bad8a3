/* Sorting along an axis and searching in sorted arrays.
 *
 * Invariant: ascending and stable, NaN after everything else. Merge sort from runs
 * sorted by insertion (Knuth, TAOCP 3, 5.2.4), so the time is n log n always. */
#include "tensor/kernels.h"

enum { RUN = 16 };

#define LESS(a, b) (((a) < (b)) | (((b) != (b)) & ((a) == (a)))) /* NaN last */
#define LESS_KEY(a, b) LESS(key[a], key[b])

/* NAME(n, key, a, t): sorts a[0..n) with scratch t[0..n); `key` is for LESS_OP. */
#define DEFINE_MERGE_SORT(NAME, K, T, LESS_OP)                                             \
    static void NAME##_runs(i64 n, const K *key, T *a)                                     \
    {                                                                                      \
        (void)key;                                                                         \
        for (i64 start = 0; start < n; start += RUN)                                       \
            for (i64 i = start + 1; i < n && i < start + RUN; i++) {                       \
                T v = a[i];                                                                \
                i64 j = i;                                                                 \
                for (; j > start && LESS_OP(v, a[j - 1]); j--)                             \
                    a[j] = a[j - 1];                                                       \
                a[j] = v;                                                                  \
            }                                                                              \
    }                                                                                      \
    static void NAME##_merge(const K *key, const T *a, i64 na, const T *b, i64 nb, T *out) \
    {                                                                                      \
        (void)key;                                                                         \
        while (na > 0 && nb > 0) {                                                         \
            bool second = LESS_OP(*b, *a);                                                 \
            *out++ = second ? *b : *a;                                                     \
            a += !second, na -= !second;                                                   \
            b += second, nb -= second;                                                     \
        }                                                                                  \
        memcpy(out, na > 0 ? a : b, (size_t)(na > 0 ? na : nb) * sizeof *out);             \
    }                                                                                      \
    static void NAME(i64 n, const K *key, T *a, T *t)                                      \
    {                                                                                      \
        NAME##_runs(n, key, a);                                                            \
        T *from = a, *to = t;                                                              \
        for (i64 w = RUN; w < n; w *= 2) {                                                 \
            for (i64 i = 0; i < n; i += 2 * w) {                                           \
                i64 na = n - i < w ? n - i : w, nb = n - i - na < w ? n - i - na : w;      \
                NAME##_merge(key, from + i, na, from + i + na, nb, to + i);                \
            }                                                                              \
            T *swap = from;                                                                \
            from = to;                                                                     \
            to = swap;                                                                     \
        }                                                                                  \
        if (from != a)                                                                     \
            memcpy(a, from, (size_t)n * sizeof *a);                                        \
    }

/* For one dtype: sort and argsort of `n` keys, and the search. */
#define DEFINE_SORTS(T)                                                                           \
    DEFINE_MERGE_SORT(sort_##T, T, T, LESS)                                                       \
    DEFINE_MERGE_SORT(argsort_##T, T, i64, LESS_KEY)                                              \
    static void column_##T(i64 n, i64 pitch, const T *x, T *column)                               \
    {                                                                                             \
        for (i64 i = 0; i < n; i++)                                                               \
            column[i] = x[i * pitch];                                                             \
    }                                                                                             \
    static void sort_all_##T(i64 outer, i64 n, i64 inner, const T *x, T *out, void *scratch)      \
    {                                                                                             \
        T *column = scratch, *more = column + n;                                                  \
        for (i64 o = 0; o < outer; o++)                                                           \
            for (i64 c = 0; c < inner; c++) {                                                     \
                column_##T(n, inner, x + o * n * inner + c, column);                              \
                sort_##T(n, NULL, column, more);                                                  \
                for (i64 i = 0; i < n; i++)                                                       \
                    out[(o * n + i) * inner + c] = column[i];                                     \
            }                                                                                     \
    }                                                                                             \
    static void argsort_all_##T(i64 outer, i64 n, i64 inner, const T *x, i64 *out, void *scratch) \
    {                                                                                             \
        i64 *order = scratch, *more = order + n;                                                  \
        T *column = (T *)(void *)(more + n);                                                      \
        for (i64 o = 0; o < outer; o++)                                                           \
            for (i64 c = 0; c < inner; c++) {                                                     \
                column_##T(n, inner, x + o * n * inner + c, column);                              \
                for (i64 i = 0; i < n; i++)                                                       \
                    order[i] = i;                                                                 \
                argsort_##T(n, column, order, more);                                              \
                for (i64 i = 0; i < n; i++)                                                       \
                    out[(o * n + i) * inner + c] = order[i];                                      \
            }                                                                                     \
    }                                                                                             \
    static i64 search_##T(i64 n, const T *a, T v, bool right)                                     \
    {                                                                                             \
        i64 low = 0, high = n;                                                                    \
        while (low < high) {                                                                      \
            i64 mid = low + (high - low) / 2;                                                     \
            bool after = right ? !LESS(v, a[mid]) : LESS(a[mid], v);                              \
            low = after ? mid + 1 : low;                                                          \
            high = after ? high : mid;                                                            \
        }                                                                                         \
        return low;                                                                               \
    }
DEFINE_SORTS(u8)
DEFINE_SORTS(i32)
DEFINE_SORTS(i64)
DEFINE_SORTS(float)
DEFINE_SORTS(double)

/* Calls DO(T) for the C type of d. */
#define BY_DTYPE(d, DO)                         \
    switch (d) {                                \
    case DT_BOOL: DO(u8); break;                \
    case DT_I32: DO(i32); break;                \
    case DT_I64: DO(i64); break;                \
    case DT_F32: DO(float); break;              \
    case DT_F64: DO(double); break;             \
    default: die("order of %s", dtype_name(d)); \
    }

int kernel_sort(DType d, i64 outer, i64 axis, i64 inner, const void *x, void *out)
{
    void *scratch = memory_try(NULL, 2 * (size_t)axis * dtype_size(d) + 1);
    if (!scratch)
        return K_MEMORY;
#define SORT(T) sort_all_##T(outer, axis, inner, x, out, scratch)
    BY_DTYPE(d, SORT)
    free(scratch);
    return K_OK;
}

int kernel_argsort(DType d, i64 outer, i64 axis, i64 inner, const void *x, i64 *out)
{
    void *scratch = memory_try(NULL, (size_t)axis * (2 * sizeof(i64) + dtype_size(d)) + 1);
    if (!scratch)
        return K_MEMORY;
#define ARGSORT(T) argsort_all_##T(outer, axis, inner, x, out, scratch)
    BY_DTYPE(d, ARGSORT)
    free(scratch);
    return K_OK;
}

void kernel_searchsorted(DType d, i64 n, const void *a, i64 m, const void *v, bool right, i64 *out)
{
#define SEARCH(T)               \
    for (i64 i = 0; i < m; i++) \
    out[i] = search_##T(n, a, ((const T *)v)[i], right)
    BY_DTYPE(d, SEARCH)
}
