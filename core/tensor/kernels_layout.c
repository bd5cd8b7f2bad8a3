/* Moving elements: transposes, broadcasts, slices, gather, scatter.
 *
 * Invariant: elements are copied bit for bit; nothing outside the described places is
 * read or written, and with a size of 0 nothing is. */
#include "tensor/kernels.h"

#if !defined(__clang__)
#pragma GCC optimize("O3")
#endif

typedef struct {
    u32 word[6];
} Rng24; /* an element of 24 bytes */

/* Calls DO(T) for the type of `size` bytes. */
#define BY_SIZE(size, DO)                                  \
    switch (size) {                                        \
    case 1: DO(u8); break;                                 \
    case 4: DO(u32); break;                                \
    case 8: DO(u64); break;                                \
    case 24: DO(Rng24); break;                             \
    default: die("elements of %zu bytes", (size_t)(size)); \
    }

void kernel_fill(size_t size, i64 n, const void *value, void *out)
{
#define FILL(T)                      \
    {                                \
        T v, *o = out;               \
        memcpy(&v, value, sizeof v); \
        for (i64 i = 0; i < n; i++)  \
            o[i] = v;                \
    }
    BY_SIZE(size, FILL)
}

/* ---- strided copies ---- */

/* What is copied: element (i, j, ...) from src + i * s[0] + ... to dst + i * d[0] + ... */
typedef struct {
    size_t size;
    int rank;
    i64 shape[MAX_RANK], d[MAX_RANK], s[MAX_RANK];
} Copy;

/* n1 rows of n0 elements; square tiles where one side runs along memory and the other across. */
#define DEFINE_COPY2(T)                                                                         \
    static void copy2_##T(i64 n1, i64 d1, i64 s1, i64 n0, i64 d0, i64 s0, T *dst, const T *src) \
    {                                                                                           \
        enum { TILE = 16 };                                                                     \
        if (d0 == 1 && s0 == 1) {                                                               \
            for (i64 i = 0; i < n1; i++)                                                        \
                memcpy(dst + i * d1, src + i * s1, (size_t)n0 * sizeof(T));                     \
        } else if (d0 == 1 && s0 == 0) {                                                        \
            for (i64 i = 0; i < n1; i++)                                                        \
                for (i64 j = 0; j < n0; j++)                                                    \
                    dst[i * d1 + j] = src[i * s1];                                              \
        } else if (s1 == 1 || d1 == 1) {                                                        \
            for (i64 i0 = 0; i0 < n1; i0 += TILE)                                               \
                for (i64 j0 = 0; j0 < n0; j0 += TILE)                                           \
                    for (i64 i = i0; i < n1 && i < i0 + TILE; i++)                              \
                        for (i64 j = j0; j < n0 && j < j0 + TILE; j++)                          \
                            dst[i * d1 + j * d0] = src[i * s1 + j * s0];                        \
        } else {                                                                                \
            for (i64 i = 0; i < n1; i++)                                                        \
                for (i64 j = 0; j < n0; j++)                                                    \
                    dst[i * d1 + j * d0] = src[i * s1 + j * s0];                                \
        }                                                                                       \
    }
DEFINE_COPY2(u8)
DEFINE_COPY2(u32)
DEFINE_COPY2(u64)
DEFINE_COPY2(Rng24)

static void copy_inner(const Copy *c, i64 n1, i64 d1, i64 s1, char *dst, const char *src)
{
    int last = c->rank - 1;
#define COPY2(T)                                                                    \
    copy2_##T(n1, d1, s1, c->shape[last], c->d[last], c->s[last], (T *)(void *)dst, \
              (const T *)(const void *)src)
    BY_SIZE(c->size, COPY2)
}

static void copy_axis(const Copy *c, int axis, char *dst, const char *src)
{
    if (axis == c->rank - 1) {
        copy_inner(c, 1, 0, 0, dst, src);
    } else if (axis == c->rank - 2) {
        copy_inner(c, c->shape[axis], c->d[axis], c->s[axis], dst, src);
    } else {
        for (i64 i = 0; i < c->shape[axis]; i++)
            copy_axis(c, axis + 1, dst + i * c->d[axis] * (i64)c->size,
                      src + i * c->s[axis] * (i64)c->size);
    }
}

/* Leaves out axes of length 1 and joins neighbours that both sides step through alike. */
static void copy_simplify(Copy *c)
{
    int n = 0;
    for (int i = 0; i < c->rank; i++) {
        if (c->shape[i] == 1)
            continue;
        if (n > 0 && c->d[n - 1] == c->d[i] * c->shape[i] && c->s[n - 1] == c->s[i] * c->shape[i]) {
            c->shape[n - 1] *= c->shape[i];
        } else {
            c->shape[n] = c->shape[i];
            n++;
        }
        c->d[n - 1] = c->d[i];
        c->s[n - 1] = c->s[i];
    }
    if (n == 0) {
        c->shape[0] = c->d[0] = c->s[0] = 1;
        n = 1;
    }
    c->rank = n;
}

static void copy_run(Copy *c, void *dst, const void *src)
{
    for (int i = 0; i < c->rank; i++)
        if (c->shape[i] == 0)
            return;
    copy_simplify(c);
    copy_axis(c, 0, dst, src);
}

static void row_major(int rank, const i64 *shape, i64 *stride)
{
    u64 step = 1; /* may wrap where another axis has no elements */
    for (int i = rank; i-- > 0; step *= (u64)shape[i])
        stride[i] = (i64)step;
}

void kernel_strided(size_t size, int rank, const i64 *shape, const i64 *stride, const void *x,
                    void *out)
{
    Copy c = {.size = size, .rank = rank};
    for (int i = 0; i < rank; i++)
        c.shape[i] = shape[i], c.s[i] = stride[i];
    row_major(rank, shape, c.d);
    copy_run(&c, out, x);
}

void kernel_transpose(size_t size, int rank, const i64 *shape, const int *perm, const void *x,
                      void *out)
{
    i64 from[MAX_RANK], shaped[MAX_RANK], stride[MAX_RANK];
    row_major(rank, shape, from);
    for (int i = 0; i < rank; i++) {
        shaped[i] = shape[perm[i]];
        stride[i] = from[perm[i]];
    }
    kernel_strided(size, rank, shaped, stride, x, out);
}

void kernel_blocks(size_t size, i64 rows, i64 len, const void *src, i64 src_pitch, void *dst,
                   i64 dst_pitch)
{
    Copy c = {
        .size = size, .rank = 2, .shape = {rows, len}, .d = {dst_pitch, 1}, .s = {src_pitch, 1}};
    copy_run(&c, dst, src);
}

void kernel_slice(size_t size, i64 outer, i64 n, i64 inner, i64 start, i64 step, i64 count,
                  const void *x, void *out)
{
    if (outer == 0 || inner == 0 || count == 0)
        return;
    const i64 shape[] = {outer, count, inner}, stride[] = {n * inner, step * inner, 1};
    kernel_strided(size, 3, shape, stride, (const char *)x + start * inner * (i64)size, out);
}

void kernel_triangle(size_t size, bool lower, i64 batch, i64 rows, i64 cols, i64 k, const void *x,
                     void *out)
{
    size_t row_bytes = (size_t)cols * size;
    const char *from = x;
    char *to = out;
    if (cols == 0)
        return;
    for (i64 b = 0; b < batch; b++)
        for (i64 i = 0; i < rows; i++, from += row_bytes, to += row_bytes) {
            /* columns [0, edge) are on or below the diagonal (lower), or below it (upper) */
            i64 edge = k < -i - 1 ? 0 : k > cols ? cols : i + k + (lower ? 1 : 0);
            edge = edge < 0 ? 0 : edge > cols ? cols : edge;
            size_t left = (size_t)edge * size;
            if (to != from)
                memcpy(to, from, row_bytes);
            if (lower)
                memset(to + left, 0, row_bytes - left);
            else
                memset(to, 0, left);
        }
}

/* ---- numbers made up ---- */

void kernel_iota(DType d, i64 n, const void *start, const void *step, void *out)
{
#define IOTA(T, U)                    \
    {                                 \
        U a, b;                       \
        T *o = out;                   \
        memcpy(&a, start, sizeof a);  \
        memcpy(&b, step, sizeof b);   \
        for (i64 i = 0; i < n; i++)   \
            o[i] = (T)(a + (U)i * b); \
    }
    switch (d) {
    case DT_I32: IOTA(i32, u32) break;
    case DT_I64: IOTA(i64, u64) break;
    case DT_F32: IOTA(float, float) break;
    case DT_F64: IOTA(double, double) break;
    default: die("iota of %s", dtype_name(d));
    }
}

/* ---- places: indices from the front ---- */

enum { PLACES = 512 }; /* that are found at once, so that they are still in the cache when used */

/* Those of m indices; false: one of them is outside of [-n, n). */
#define DEFINE_PLACES(T)                                              \
    static bool places_of_##T(const T *idx, i64 m, i64 n, i64 *place) \
    {                                                                 \
        i64 bad = 0;                                                  \
        for (i64 i = 0; i < m; i++) {                                 \
            i64 k = idx[i], at = k + (k < 0 ? n : 0);                 \
            bad |= at | (n - 1 - at);                                 \
            place[i] = at;                                            \
        }                                                             \
        return bad >= 0;                                              \
    }
DEFINE_PLACES(i32)
DEFINE_PLACES(i64)

/* Are none of them counted from the end, or outside? */
static bool are_from_front(const i64 *idx, i64 m, i64 n)
{
    u64 bad = 0;
    for (i64 i = 0; i < m; i++)
        bad |= (u64)idx[i] | ((u64)n - 1 - (u64)idx[i]);
    return !(bad >> 63);
}

static bool places_of(DType d, const void *idx, i64 from, i64 m, i64 n, i64 *place)
{
    return d == DT_I32 ? places_of_i32((const i32 *)idx + from, m, n, place)
                       : places_of_i64((const i64 *)idx + from, m, n, place);
}

/* Where they lie already, or in `room`; NULL: one is outside. */
static const i64 *find_places(DType d, const void *idx, i64 from, i64 m, i64 n, i64 *room)
{
    const i64 *at = (const i64 *)idx + from;
    if (d == DT_I64 && are_from_front(at, m, n))
        return at;
    return places_of(d, idx, from, m, n, room) ? room : NULL;
}

/* The i-th index as it was given. */
static i64 index_at(DType d, const void *idx, i64 i)
{
    return d == DT_I32 ? ((const i32 *)idx)[i] : ((const i64 *)idx)[i];
}

/* Which of the indices from there on is the first outside. */
static int place_outside(DType d, const void *idx, i64 from, i64 n, i64 *bad)
{
    while (index_at(d, idx, from) >= -n && index_at(d, idx, from) < n)
        from++;
    *bad = index_at(d, idx, from);
    return K_BOUNDS;
}

/* ---- gather ---- */

/* Neighbours in x that are neighbours in the result, too. */
typedef struct {
    i64 from, count;
} Stretch;

enum {
    STRETCHES = 256,  /* more of them are not worth the look */
    STRETCH_LEAST = 4 /* elements on average: copying fewer at once gains nothing */
};

/* The stretches of the indices; 0: too many, or an index is outside. */
static i64 find_stretches(DType d, const void *idx, i64 count, i64 n, Stretch *out)
{
    i64 found = 0;
    for (i64 i = 0; i < count; i++) {
        i64 at = 0;
        if (!places_of(d, idx, i, 1, n, &at))
            return 0;
        if (found && at == out[found - 1].from + out[found - 1].count) {
            out[found - 1].count++;
            continue;
        }
        if (found == STRETCHES || found > count / STRETCH_LEAST)
            return 0;
        out[found++] = (Stretch){at, 1};
    }
    return found;
}

static void gather_stretches(i64 outer, i64 n, size_t row, const char *from, const Stretch *s,
                             i64 count, char *to)
{
    for (i64 o = 0; o < outer; o++, from += (size_t)n * row)
        for (i64 i = 0; i < count; i++) {
            memcpy(to, from + (size_t)s[i].from * row, (size_t)s[i].count * row);
            to += (size_t)s[i].count * row;
        }
}

/* The rows at m places. */
static void gather_rows(i64 m, size_t row, const char *from, const i64 *place, char *to)
{
    if (row == sizeof(u64))
        for (i64 i = 0; i < m; i++)
            memcpy(to + 8 * i, from + 8 * place[i], 8);
    else if (row == sizeof(u32))
        for (i64 i = 0; i < m; i++)
            memcpy(to + 4 * i, from + 4 * place[i], 4);
    else if (row)
        for (i64 i = 0; i < m; i++, to += row)
            memcpy(to, from + (size_t)place[i] * row, row);
}

int kernel_gather(size_t size, i64 outer, i64 n, i64 inner, const void *x, DType idx_dtype,
                  const void *idx, i64 count, void *out, i64 *bad)
{
    size_t row = (size_t)inner * size;
    Stretch stretches[STRETCHES];
    i64 room[PLACES], found = 0;
    if (outer > 1)
        found = find_stretches(idx_dtype, idx, count, n, stretches);
    if (found) {
        gather_stretches(outer, n, row, x, stretches, found, out);
        return K_OK;
    }
    for (i64 at = 0, m; at < count; at += m) {
        m = count - at < PLACES ? count - at : PLACES;
        const i64 *place = find_places(idx_dtype, idx, at, m, n, room);
        if (!place)
            return place_outside(idx_dtype, idx, at, n, bad);
        for (i64 o = 0; o < outer; o++)
            gather_rows(m, row, (const char *)x + (size_t)(o * n) * row, place,
                        (char *)out + (size_t)(o * count + at) * row);
    }
    return K_OK;
}

int kernel_places(DType idx_dtype, const void *idx, i64 count, i64 n, i64 *place, i64 *bad)
{
    return places_of(idx_dtype, idx, 0, count, n, place) ? K_OK
                                                         : place_outside(idx_dtype, idx, 0, n, bad);
}

void kernel_gather_part(size_t size, i64 n, i64 inner, const void *x, const i64 *place, i64 count,
                        i64 from, i64 many, void *out)
{
    const i64 bytes = (i64)size, row = inner * bytes;
    i64 at = from / inner % count, inside = from % inner;
    const char *part = (const char *)x + from / inner / count * n * row;
    for (i64 m; many > 0; many -= m, out = (char *)out + m * bytes) {
        if (inner == 1) {
            m = many < count - at ? many : count - at;
            gather_rows(m, size, part, place + at, out);
            at += m;
        } else {
            m = many < inner - inside ? many : inner - inside;
            memcpy(out, part + place[at++] * row + inside * bytes, (size_t)(m * bytes));
            inside = 0;
        }
        if (at == count)
            at = 0, part += n * row;
    }
}

/* ---- scatter: a row of v into a row of out, or elements of v at places ---- */

typedef void StoreRow(i64 n, const void *v, i64 vstep, void *out);
typedef void StorePlaces(i64 n, const i64 *place, const void *v, i64 vstep, void *out);

#define REPLACE(a, b) (b)
#define ADD(a, b) ((a) + (b))
#define OR(a, b) ((u8)((a) | (b)))
#define AND(a, b) ((u8)((a) & (b)))
#define LOW(a, b) ((b) < (a) || (b) != (b) ? (b) : (a))
#define HIGH(a, b) ((b) > (a) || (b) != (b) ? (b) : (a))
#define DEFINE_STORE(NAME, T, OP)                                                       \
    static void NAME(i64 n, const void *vv, i64 vstep, void *ov)                        \
    {                                                                                   \
        const T *v = vv;                                                                \
        T *o = ov;                                                                      \
        if (vstep)                                                                      \
            for (i64 i = 0; i < n; i++)                                                 \
                o[i] = OP(o[i], v[i]);                                                  \
        else                                                                            \
            for (i64 i = 0; i < n; i++)                                                 \
                o[i] = OP(o[i], v[0]);                                                  \
    }                                                                                   \
    static void NAME##_at(i64 n, const i64 *place, const void *vv, i64 vstep, void *ov) \
    {                                                                                   \
        const T *v = vv;                                                                \
        T *o = ov;                                                                      \
        for (i64 i = 0; i < n; i++, v += vstep)                                         \
            o[place[i]] = OP(o[place[i]], *v);                                          \
    }
DEFINE_STORE(set_bool, u8, REPLACE)
DEFINE_STORE(set_i32, i32, REPLACE)
DEFINE_STORE(set_i64, i64, REPLACE)
DEFINE_STORE(set_f32, float, REPLACE)
DEFINE_STORE(set_f64, double, REPLACE)
DEFINE_STORE(set_rng, Rng24, REPLACE)
DEFINE_STORE(add_bool, u8, OR)
DEFINE_STORE(add_i32, u32, ADD)
DEFINE_STORE(add_i64, u64, ADD)
DEFINE_STORE(add_f32, float, ADD)
DEFINE_STORE(add_f64, double, ADD)
DEFINE_STORE(max_bool, u8, OR)
DEFINE_STORE(max_i32, i32, HIGH)
DEFINE_STORE(max_i64, i64, HIGH)
DEFINE_STORE(max_f32, float, HIGH)
DEFINE_STORE(max_f64, double, HIGH)
DEFINE_STORE(min_bool, u8, AND)
DEFINE_STORE(min_i32, i32, LOW)
DEFINE_STORE(min_i64, i64, LOW)
DEFINE_STORE(min_f32, float, LOW)
DEFINE_STORE(min_f64, double, LOW)

// clang-format off
#define STORES(ID)                                                         \
    [STORE_SET] = {ID(set_bool), ID(set_i32), ID(set_i64), ID(set_f32), ID(set_f64), ID(set_rng)}, \
    [STORE_ADD] = {ID(add_bool), ID(add_i32), ID(add_i64), ID(add_f32), ID(add_f64), NULL},        \
    [STORE_MAX] = {ID(max_bool), ID(max_i32), ID(max_i64), ID(max_f32), ID(max_f64), NULL},        \
    [STORE_MIN] = {ID(min_bool), ID(min_i32), ID(min_i64), ID(min_f32), ID(min_f64), NULL}
// clang-format on
#define ROW_STORE(NAME) NAME
#define PLACE_STORE(NAME) NAME##_at

static StoreRow *store_row(StoreOp op, DType d)
{
    static StoreRow *const table[4][DT_COUNT] = {STORES(ROW_STORE)};
    if (!table[op][d])
        die("store into %s", dtype_name(d));
    return table[op][d];
}

static StorePlaces *store_places(StoreOp op, DType d)
{
    static StorePlaces *const table[4][DT_COUNT] = {STORES(PLACE_STORE)};
    if (!table[op][d])
        die("store into %s", dtype_name(d));
    return table[op][d];
}

void kernel_slice_store(StoreOp op, DType d, i64 outer, i64 n, i64 inner, i64 start, i64 step,
                        i64 count, const void *v, i64 vstep, void *out)
{
    StoreRow *store = store_row(op, d);
    i64 size = (i64)dtype_size(d);
    const char *from = v;
    if (count == 0 || inner == 0)
        return;
    for (i64 o = 0; o < outer; o++) {
        char *to = (char *)out + (o * n + start) * inner * size;
        if (step == 1) {
            store(count * inner, from, vstep, to);
            from += vstep * count * inner * size;
            continue;
        }
        for (i64 i = 0; i < count; i++, from += vstep * inner * size)
            store(inner, from, vstep, to + i * step * inner * size);
    }
}

int kernel_scatter(StoreOp op, DType d, i64 outer, i64 n, i64 inner, void *out, DType idx_dtype,
                   const void *idx, i64 count, const void *v, i64 vstep, i64 *bad)
{
    StoreRow *store = store_row(op, d);
    StorePlaces *elements = store_places(op, d);
    const i64 row = inner * (i64)dtype_size(d);
    i64 room[PLACES];
    for (i64 at = 0, m; at < count; at += m) {
        m = count - at < PLACES ? count - at : PLACES;
        const i64 *place = find_places(idx_dtype, idx, at, m, n, room);
        if (!place)
            return place_outside(idx_dtype, idx, at, n, bad);
        for (i64 o = 0; o < outer && inner; o++) {
            char *to = (char *)out + o * n * row;
            const char *from = (const char *)v + vstep * (o * count + at) * row;
            if (inner == 1)
                elements(m, place, from, vstep, to);
            else
                for (i64 i = 0; i < m; i++, from += vstep * row)
                    store(inner, from, vstep, to + place[i] * row);
        }
    }
    return K_OK;
}
