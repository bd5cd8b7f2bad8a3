/* Sorting along an axis and searching in sorted arrays.
 *
 * Invariant: ascending and stable, NaN after everything else. Merge sort from runs
 * sorted by insertion (Knuth, TAOCP 3, 5.2.4), so the time is n log n always; many elements are
 * sorted by their digits (kernels_digits.c). */
#include "tensor/kernels_digits.h"

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
    /* Columns [k, end) of (outer, n, inner), of which there are outer * inner. */                \
    static void sort_all_##T(i64 k, i64 end, i64 n, i64 inner, const T *x, T *out, void *scratch) \
    {                                                                                             \
        T *column = scratch, *more = column + n;                                                  \
        for (; k < end; k++) {                                                                    \
            i64 at = k / inner * n * inner + k % inner;                                           \
            column_##T(n, inner, x + at, column);                                                 \
            sort_##T(n, NULL, column, more);                                                      \
            for (i64 i = 0; i < n; i++)                                                           \
                out[at + i * inner] = column[i];                                                  \
        }                                                                                         \
    }                                                                                             \
    static void argsort_all_##T(i64 k, i64 end, i64 n, i64 inner, const T *x, i64 *out,           \
                                void *scratch)                                                    \
    {                                                                                             \
        i64 *order = scratch, *more = order + n;                                                  \
        T *column = (T *)(void *)(more + n);                                                      \
        for (; k < end; k++) {                                                                    \
            i64 at = k / inner * n * inner + k % inner;                                           \
            column_##T(n, inner, x + at, column);                                                 \
            for (i64 i = 0; i < n; i++)                                                           \
                order[i] = i;                                                                     \
            argsort_##T(n, column, order, more);                                                  \
            for (i64 i = 0; i < n; i++)                                                           \
                out[at + i * inner] = order[i];                                                   \
        }                                                                                         \
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

/* Elements up to which merging is faster, and those from one look at ^C to the next. */
enum { FEW = 256, PIECE = 1 << 16 };

/* The end of the piece of columns that begins with k. */
static i64 piece_end(i64 k, i64 columns, i64 axis)
{
    i64 most = PIECE / (axis + 1) + 1;
    return columns - k < most ? columns : k + most;
}

int kernel_sort(DType d, i64 outer, i64 axis, i64 inner, const void *x, void *out,
                const Interrupt *interrupt)
{
    if (axis > FEW)
        return digits_sort(d, outer, axis, inner, x, out, interrupt);
    void *scratch = memory_try(NULL, 2 * (size_t)axis * dtype_size(d) + 1);
    i64 k = 0, columns = scratch && axis ? outer * inner : 0;
    while (k < columns && !interrupted(interrupt)) {
        i64 end = piece_end(k, columns, axis);
#define SORT(T) sort_all_##T(k, end, axis, inner, x, out, scratch)
        BY_DTYPE(d, SORT)
        k = end;
    }
    free(scratch);
    return !scratch ? K_MEMORY : k < columns ? K_INTERRUPTED : K_OK;
}

int kernel_argsort(DType d, i64 outer, i64 axis, i64 inner, const void *x, i64 *out,
                   const Interrupt *interrupt)
{
    if (axis > FEW)
        return digits_argsort(d, outer, axis, inner, x, out, interrupt);
    void *scratch = memory_try(NULL, (size_t)axis * (2 * sizeof(i64) + dtype_size(d)) + 1);
    i64 k = 0, columns = scratch && axis ? outer * inner : 0;
    while (k < columns && !interrupted(interrupt)) {
        i64 end = piece_end(k, columns, axis);
#define ARGSORT(T) argsort_all_##T(k, end, axis, inner, x, out, scratch)
        BY_DTYPE(d, ARGSORT)
        k = end;
    }
    free(scratch);
    return !scratch ? K_MEMORY : k < columns ? K_INTERRUPTED : K_OK;
}

void kernel_searchsorted(DType d, i64 n, const void *a, i64 m, const void *v, bool right, i64 *out)
{
#define SEARCH(T)               \
    for (i64 i = 0; i < m; i++) \
    out[i] = search_##T(n, a, ((const T *)v)[i], right)
    BY_DTYPE(d, SEARCH)
}
