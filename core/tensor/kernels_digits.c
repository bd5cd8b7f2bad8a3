/* Sorting along an axis by digits, the lowest first (Knuth, TAOCP 3, 5.2.5).
 *
 * Invariant: the order of kernels_sort.c. Elements become whole numbers of the same order, their
 * keys. Sorted by so many of their highest bits as tell most of them apart, they are nearly in
 * order; where they are not, by all bits. */
#include "tensor/kernels_digits.h"

#if !defined(__clang__)
#pragma GCC optimize("O3")
#endif

enum {
    DIGIT = 11,     /* bits at most: its counters fit into the first cache */
    SPARE = 12,     /* bits beyond those that count the keys: with them most keys differ */
    FAR = 32,       /* places that a key moves by insertion */
    PIECE = 1 << 16 /* elements from one look at ^C to the next */
};

/* ---- items ---- */

/* Sorted are items: keys, or parts of keys with the place of each in its lowest bits. */
typedef struct {
    const Interrupt *interrupt;
    i64 n;
    u64 *item, *spare; /* room for n each, and they change places */
    i64 place[1 << DIGIT];
} Sorter;

static i64 piece_end(i64 i, i64 n) { return n - i > PIECE ? i + PIECE : n; }

static int bits_of(u64 x) { return x ? 64 - __builtin_clzll(x) : 0; }

static u64 ones(int bits) { return bits < 64 ? ((u64)1 << bits) - 1 : UINT64_MAX; }

/* Where the items of each digit begin; *one: all have the same. */
static bool count_digits(Sorter *s, int low, u64 mask, bool *one)
{
    memset(s->place, 0, ((size_t)mask + 1) * sizeof *s->place);
    for (i64 i = 0; i < s->n;) {
        if (interrupted(s->interrupt))
            return false;
        for (i64 end = piece_end(i, s->n); i < end; i++)
            s->place[s->item[i] >> low & mask]++;
    }
    *one = s->place[s->item[0] >> low & mask] == s->n;
    i64 next = 0;
    for (u64 digit = 0; digit <= mask; digit++) {
        i64 count = s->place[digit];
        s->place[digit] = next;
        next += count;
    }
    return true;
}

static bool by_digit(Sorter *s, int low, int width)
{
    u64 mask = ones(width), *swap = s->spare;
    bool one;
    if (!count_digits(s, low, mask, &one))
        return false;
    if (one)
        return true;
    for (i64 i = 0; i < s->n;) {
        if (interrupted(s->interrupt))
            return false;
        for (i64 end = piece_end(i, s->n); i < end; i++)
            s->spare[s->place[s->item[i] >> low & mask]++] = s->item[i];
    }
    s->spare = s->item;
    s->item = swap;
    return true;
}

/* Sorts the items by their bits from `low` up to `high`; false: interrupted, as below. */
static bool by_bits(Sorter *s, int low, int high)
{
    for (int passes = (high - low + DIGIT - 1) / DIGIT; passes > 0; passes--) {
        int width = (high - low + passes - 1) / passes;
        if (!by_digit(s, low, width))
            return false;
        low += width;
    }
    return true;
}

/* The bits in which keys differ are from *low up to *high; returns from where on they are enough to
 * tell most keys apart. */
static int telling_bits(const Sorter *s, const u64 *key, int *low, int *high)
{
    u64 differ = 0;
    i64 n = s->n;
    for (i64 i = 0; i < n && !interrupted(s->interrupt);)
        for (i64 end = piece_end(i, n); i < end; i++)
            differ |= key[i] ^ key[0];
    *high = bits_of(differ);
    *low = differ ? __builtin_ctzll(differ) : 0;
    int top = *high - bits_of((u64)n) - SPARE;
    return top > *low ? top : *low;
}

/* Items that are nearly sorted; false: some item is far from its place, or interrupted. */
static bool settle_items(Sorter *s)
{
    for (i64 i = 1; i < s->n; i++) {
        if (i % PIECE == 0 && interrupted(s->interrupt))
            return false;
        u64 v = s->item[i];
        i64 j = i, least = i > FAR ? i - FAR : 0;
        for (; j > least && v < s->item[j - 1]; j--)
            s->item[j] = s->item[j - 1];
        s->item[j] = v;
        if (j == least && j > 0 && v < s->item[j - 1])
            return false;
    }
    return true;
}

static bool sort_items(Sorter *s)
{
    int low, high, top = telling_bits(s, s->item, &low, &high);
    if (!by_bits(s, top, high))
        return false;
    return top == low || settle_items(s) || by_bits(s, low, high);
}

/* ---- places ---- */

/* Sorts items that are places, at first, by those bits of the keys. */
static bool places_by(Sorter *s, const u64 *key, int low, int high)
{
    int index = bits_of((u64)s->n), room = 64 - index, width;
    for (; low < high; low += width) {
        width = high - low < room ? high - low : room;
        for (i64 i = 0; i < s->n; i++) {
            u64 place = s->item[i] & ones(index);
            s->item[i] = (key[place] >> low & ones(width)) << index | place;
        }
        if (!by_bits(s, index, index + width))
            return false;
    }
    return true;
}

/* As settle_items: of items with equal bits beside their places the keys decide. */
static bool settle_places(Sorter *s, const u64 *key)
{
    int index = bits_of((u64)s->n);
    u64 mask = ones(index), *item = s->item;
    for (i64 i = 1; i < s->n; i++) {
        if (i % PIECE == 0 && interrupted(s->interrupt))
            return false;
        u64 v = item[i];
        i64 j = i, least = i > FAR ? i - FAR : 0;
        while (j > 0 && item[j - 1] >> index == v >> index &&
               key[v & mask] < key[item[j - 1] & mask]) {
            if (j == least) {
                item[j] = v;
                return false;
            }
            item[j] = item[j - 1];
            j--;
        }
        item[j] = v;
    }
    return true;
}

static bool sort_places(Sorter *s, const u64 *key)
{
    for (i64 i = 0; i < s->n; i++)
        s->item[i] = (u64)i;
    int low, high, top = telling_bits(s, key, &low, &high), room = 64 - bits_of((u64)s->n);
    top = high - top > room ? high - room : top;
    if (!places_by(s, key, top, high))
        return false;
    if (top == low || settle_places(s, key))
        return true;
    for (i64 i = 0; i < s->n; i++)
        s->item[i] = (u64)i;
    return places_by(s, key, low, high);
}

/* ---- keys ---- */

/* Of n elements, `pitch` apart: their keys, true if some element is not given by its key; the
 * elements of sorted keys; then those that are not, which `mend` takes from x: zeros, whose key is
 * `zero`, go to to[0] and after, NaN to to[1]. */
typedef struct {
    bool (*keys)(i64 n, i64 pitch, const void *x, u64 *key);
    void (*elements)(i64 n, i64 pitch, const u64 *key, void *out);
    void (*mend)(i64 n, i64 pitch, const void *x, void *to[2]);
    u64 zero, nan;
} KeyForm;

#define DEFINE_WHOLE_KEYS(NAME, T, U, SIGN)                                   \
    static bool keys_##NAME(i64 n, i64 pitch, const void *xv, u64 *key)       \
    {                                                                         \
        const T *x = xv;                                                      \
        for (i64 i = 0; i < n; i++)                                           \
            key[i] = (U)((U)x[i * pitch] ^ (U)(SIGN));                        \
        return false;                                                         \
    }                                                                         \
    static void elements_##NAME(i64 n, i64 pitch, const u64 *key, void *outv) \
    {                                                                         \
        T *out = outv;                                                        \
        for (i64 i = 0; i < n; i++)                                           \
            out[i * pitch] = (T)((U)key[i] ^ (U)(SIGN));                      \
    }
DEFINE_WHOLE_KEYS(bool, u8, u8, 0)
DEFINE_WHOLE_KEYS(i32, i32, u32, (u32)1 << 31)
DEFINE_WHOLE_KEYS(i64, i64, u64, (u64)1 << 63)

/* The bits of a float order as its magnitude does; all NaN have one key, and so have both zeros. */
#define DEFINE_FLOAT_KEYS(NAME, T, U, SIGN)                                   \
    static bool keys_##NAME(i64 n, i64 pitch, const void *xv, u64 *key)       \
    {                                                                         \
        const T *x = xv;                                                      \
        bool odd = false;                                                     \
        for (i64 i = 0; i < n; i++) {                                         \
            T v = x[i * pitch];                                               \
            U bits;                                                           \
            memcpy(&bits, &v, sizeof v);                                      \
            odd |= (v != v) | (bits == (SIGN));                               \
            bits = bits == (SIGN) ? 0 : bits;                                 \
            bits ^= bits & (SIGN) ? (U)-1 : (SIGN);                           \
            key[i] = v != v ? (U)-1 : bits;                                   \
        }                                                                     \
        return odd;                                                           \
    }                                                                         \
    static void elements_##NAME(i64 n, i64 pitch, const u64 *key, void *outv) \
    {                                                                         \
        T *out = outv;                                                        \
        for (i64 i = 0; i < n; i++) {                                         \
            U bits = (U)key[i];                                               \
            bits ^= bits & (SIGN) ? (SIGN) : (U)-1;                           \
            memcpy(out + i * pitch, &bits, sizeof bits);                      \
        }                                                                     \
    }                                                                         \
    static void mend_##NAME(i64 n, i64 pitch, const void *xv, void *to[2])    \
    {                                                                         \
        const T *x = xv;                                                      \
        T *zero = to[0], *nan = to[1];                                        \
        for (i64 i = 0; i < n; i++) {                                         \
            T v = x[i * pitch];                                               \
            if (v == 0)                                                       \
                *zero = v, zero += pitch;                                     \
            else if (v != v)                                                  \
                *nan = v, nan += pitch;                                       \
        }                                                                     \
        to[0] = zero, to[1] = nan;                                            \
    }
DEFINE_FLOAT_KEYS(f32, float, u32, (u32)1 << 31)
DEFINE_FLOAT_KEYS(f64, double, u64, (u64)1 << 63)

static const KeyForm *key_form(DType d)
{
    static const KeyForm forms[DT_COUNT] = {
        [DT_BOOL] = {keys_bool, elements_bool, NULL, 0, 0},
        [DT_I32] = {keys_i32, elements_i32, NULL, 0, 0},
        [DT_I64] = {keys_i64, elements_i64, NULL, 0, 0},
        [DT_F32] = {keys_f32, elements_f32, mend_f32, (u32)1 << 31, UINT32_MAX},
        [DT_F64] = {keys_f64, elements_f64, mend_f64, (u64)1 << 63, UINT64_MAX},
    };
    if (!forms[d].keys)
        die("order of %s", dtype_name(d));
    return &forms[d];
}

/* ---- along an axis ---- */

typedef struct {
    const KeyForm *form;
    i64 n, pitch; /* bytes are pitch * size from one element to the next */
    size_t size;
    const char *x;
    bool odd; /* some element is not given by its key */
} Column;

static size_t bytes_to(const Column *c, i64 i) { return (size_t)(i * c->pitch) * c->size; }

static void read_column(const Sorter *s, Column *c, u64 *key)
{
    c->odd = false;
    for (i64 i = 0, end; i < c->n && !interrupted(s->interrupt); i = end) {
        end = piece_end(i, c->n);
        c->odd |= c->form->keys(end - i, c->pitch, c->x + bytes_to(c, i), key + i);
    }
}

/* The first of sorted keys that is not below this one. */
static i64 first_key(i64 n, const u64 *key, u64 least)
{
    i64 low = 0;
    while (n > 0) {
        bool below = key[low + n / 2] < least;
        low += below ? n / 2 + 1 : 0;
        n = below ? n - n / 2 - 1 : n / 2;
    }
    return low;
}

static void write_column(const Sorter *s, const Column *c, const u64 *key, char *out)
{
    void *to[2] = {out + bytes_to(c, first_key(c->n, key, c->form->zero)),
                   out + bytes_to(c, first_key(c->n, key, c->form->nan))};
    for (i64 i = 0, end; i < c->n && !interrupted(s->interrupt); i = end) {
        end = piece_end(i, c->n);
        c->form->elements(end - i, c->pitch, key + i, out + bytes_to(c, i));
    }
    for (i64 i = 0, end; c->odd && i < c->n && !interrupted(s->interrupt); i = end) {
        end = piece_end(i, c->n);
        c->form->mend(end - i, c->pitch, c->x + bytes_to(c, i), to);
    }
}

/* Room for a Sorter, for its items and, `keys`, for n keys beside them; NULL: no memory. */
static Sorter *sorter_new(i64 n, bool keys, const Interrupt *interrupt)
{
    size_t bytes = sizeof(Sorter) + (keys ? 3 : 2) * (size_t)n * sizeof(u64);
    Sorter *s = memory_try(NULL, bytes);
    memory_large_pages(s, bytes);
    if (s)
        s->interrupt = interrupt, s->n = n;
    return s;
}

/* Frees the sorter (NULL: there was no memory), which was interrupted or had sorted the whole. */
static int sorter_end(Sorter *s, bool whole)
{
    int status = !s ? K_MEMORY : whole ? K_OK : K_INTERRUPTED;
    free(s);
    return status;
}

int digits_sort(DType d, i64 outer, i64 axis, i64 inner, const void *x, void *out,
                const Interrupt *interrupt)
{
    Column c = {.form = key_form(d), .n = axis, .pitch = inner, .size = dtype_size(d)};
    Sorter *s = sorter_new(axis, false, interrupt);
    bool whole = s != NULL;
    for (i64 k = 0; whole && k < outer * inner; k++) {
        size_t at = (size_t)(k / inner * axis * inner + k % inner) * c.size;
        c.x = (const char *)x + at;
        s->item = (u64 *)(s + 1);
        s->spare = s->item + axis;
        read_column(s, &c, s->item);
        if ((whole = sort_items(s)))
            write_column(s, &c, s->item, (char *)out + at);
        whole = whole && !interrupted(interrupt);
    }
    return sorter_end(s, whole);
}

int digits_argsort(DType d, i64 outer, i64 axis, i64 inner, const void *x, i64 *out,
                   const Interrupt *interrupt)
{
    Column c = {.form = key_form(d), .n = axis, .pitch = inner, .size = dtype_size(d)};
    Sorter *s = sorter_new(axis, true, interrupt);
    u64 *key = s ? (u64 *)(s + 1) : NULL, mask = ones(bits_of((u64)axis));
    bool whole = s != NULL;
    for (i64 k = 0; whole && k < outer * inner; k++) {
        i64 at = k / inner * axis * inner + k % inner;
        c.x = (const char *)x + (size_t)at * c.size;
        s->item = key + axis;
        s->spare = s->item + axis;
        read_column(s, &c, key);
        whole = sort_places(s, key) && !interrupted(interrupt);
        for (i64 i = 0; i < axis && whole; i++)
            out[at + i * inner] = (i64)(s->item[i] & mask);
    }
    return sorter_end(s, whole);
}
