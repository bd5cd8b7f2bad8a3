/* Tensors and the heap they come from.
 *
 * Invariant: a block is a header of HEADER bytes followed by its data, both aligned
 * to 64 bytes, in one allocation whose size belongs to a class; a freed block goes
 * to the list of its class. `live` counts the bytes asked for by owners. */
#include "tensor/tensor.h"

#include "tensor/kernels.h"

enum {
    ALIGN = 64,
    HEADER = 128,     /* a Tensor, rounded up to the alignment */
    CLASSES = 48,     /* 64, 96, 128, 192, 256, ... bytes of data: two per doubling */
    KEEP = 128 << 20, /* bytes of free blocks kept per class; bigger blocks are not kept */
    SMALL = 4096      /* bytes of blocks that are never refused: the reserve may give them */
};
#define MAX_BYTES (INT64_C(1) << 47) /* no address space is larger */
_Static_assert(sizeof(Tensor) <= HEADER, "a tensor fits its header");
_Static_assert(COUNT_OF(((Heap *)0)->bins) == CLASSES, "a bin per class");

/* ---- dtypes ---- */

size_t dtype_size(DType d)
{
    static const u8 size[] = {[DT_BOOL] = 1, [DT_I32] = 4, [DT_I64] = 8,
                              [DT_F32] = 4,  [DT_F64] = 8, [DT_RNG] = sizeof(RngState)};
    return size[d];
}

const char *dtype_name(DType d)
{
    static const char *const name[] = {"bool", "i32", "i64", "f32", "f64", "rng"};
    return name[d];
}

bool dtype_is_float(DType d) { return d == DT_F32 || d == DT_F64; }
bool dtype_is_int(DType d) { return d == DT_I32 || d == DT_I64; }
bool dtype_is_number(DType d) { return dtype_is_float(d) || dtype_is_int(d); }

/* ---- the heap ---- */

/* A free block: the next of its class, and how many there are from here on. */
typedef struct FreeBlock {
    struct FreeBlock *next;
    size_t depth;
} FreeBlock;

/* The class of a block for `bytes` of data, and how much such a block holds; CLASSES if too big for
 * one. */
static int class_of(size_t bytes, size_t *capacity)
{
    if (bytes <= ALIGN) {
        *capacity = ALIGN;
        return 0;
    }
    int top =
        63 - __builtin_clzll((unsigned long long)(bytes - 1)); /* 2^top < bytes <= 2^(top+1) */
    size_t low = (size_t)1 << top;
    bool half = bytes <= low + low / 2;
    int class = 2 * (top - 6) + (half ? 1 : 2);
    *capacity = half ? low + low / 2 : 2 * low;
    if (class < CLASSES)
        return class;
    *capacity = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    return CLASSES;
}

static void *block_alloc(size_t block)
{
    void *p = aligned_alloc(ALIGN, block);
    memory_large_pages(p, block);
    return p;
}

static Tensor *block_new(Heap *h, size_t bytes)
{
    size_t capacity;
    int class = class_of(bytes, &capacity);
    if (class < CLASSES && h->bins[class]) {
        FreeBlock *b = h->bins[class];
        h->bins[class] = b->next;
        return (Tensor *)(void *)b;
    }
    size_t block = HEADER + (capacity + ALIGN - 1) / ALIGN * ALIGN;
    bool scarce = memory_short() && block > SMALL; /* what is left is to end the statement with */
    void *p = scarce ? NULL : block_alloc(block);
    if (!p && !scarce) { /* what is kept for later may be what is missing now */
        heap_free(h);
        p = block_alloc(block);
    }
    return p || block > SMALL ? p : memory_small(ALIGN, block);
}

static void block_free(Heap *h, Tensor *t, size_t bytes)
{
    size_t capacity;
    int class = class_of(bytes, &capacity);
    FreeBlock *head = class < CLASSES ? h->bins[class] : NULL;
    size_t depth = head ? head->depth : 0;
    if (class == CLASSES || (depth + 1) * capacity > KEEP) {
        free(t);
        return;
    }
    FreeBlock *b = (FreeBlock *)(void *)t;
    b->next = head;
    b->depth = depth + 1;
    h->bins[class] = b;
}

void heap_free(Heap *h)
{
    for (int i = 0; i < CLASSES; i++)
        for (FreeBlock *b = h->bins[i], *next; b; b = next) {
            next = b->next;
            free(b);
        }
    memset(h->bins, 0, sizeof h->bins);
}

/* ---- making tensors ---- */

/* The number of elements, or -1 if a size is negative or the bytes are beyond all memory. */
static i64 count_of(DType d, int rank, const i64 *shape)
{
    i64 count = 1, size = (i64)dtype_size(d);
    bool empty = false, overflow = false;
    for (int i = 0; i < rank; i++) {
        if (shape[i] < 0)
            return -1;
        empty |= shape[i] == 0;
        overflow |= __builtin_mul_overflow(count, shape[i], &count);
    }
    if (empty)
        return 0;
    i64 bytes;
    overflow |= __builtin_mul_overflow(count, size, &bytes);
    return overflow || bytes > MAX_BYTES ? -1 : count;
}

static Tensor *set_header(Tensor *t, Heap *h, DType d, int rank, const i64 *shape, i64 count)
{
    t->refs = 1;
    t->dtype = d;
    t->rank = rank;
    t->mark = t->room = false;
    for (int i = 0; i < MAX_RANK; i++)
        t->shape[i] = i < rank ? shape[i] : 0;
    t->count = count;
    t->base = NULL;
    t->heap = h;
    t->read = NULL;
    return t;
}

Tensor *tensor_new(Heap *h, DType d, int rank, const i64 *shape)
{
    if (rank < 0 || rank > MAX_RANK)
        die("tensor of rank %d", rank);
    i64 count = count_of(d, rank, shape);
    if (count < 0)
        return NULL;
    size_t bytes = (size_t)count * dtype_size(d);
    if (h->limit && bytes > ALIGN && (bytes > h->limit || h->live > h->limit - bytes))
        return NULL;
    Tensor *t = block_new(h, bytes);
    if (!t)
        return NULL;
    set_header(t, h, d, rank, shape, count);
    t->data = (char *)t + HEADER;
    t->bytes = bytes;
    h->live += bytes;
    if (h->live > h->peak)
        h->peak = h->live;
    return t;
}

Tensor *tensor_scalar_f64(Heap *h, double x)
{
    Tensor *t = tensor_new(h, DT_F64, 0, NULL);
    if (t)
        *(double *)t->data = x;
    return t;
}

Tensor *tensor_scalar_i64(Heap *h, i64 x)
{
    Tensor *t = tensor_new(h, DT_I64, 0, NULL);
    if (t)
        *(i64 *)t->data = x;
    return t;
}

Tensor *tensor_scalar_bool(Heap *h, bool x)
{
    Tensor *t = tensor_new(h, DT_BOOL, 0, NULL);
    if (t)
        *(u8 *)t->data = x;
    return t;
}

Tensor *tensor_view(Tensor *t, i64 offset, int rank, const i64 *shape)
{
    i64 count = count_of(t->dtype, rank, shape);
    if (rank < 0 || rank > MAX_RANK || offset < 0 || count < 0 || offset > t->count - count)
        die("view of %lld elements at %lld of %lld", (long long)count, (long long)offset,
            (long long)t->count);
    Tensor *owner = t->base ? t->base : t;
    Tensor *v = block_new(t->heap, 0);
    if (!v)
        return NULL;
    set_header(v, t->heap, t->dtype, rank, shape, count);
    v->base = tensor_ref(owner);
    v->data = (char *)t->data + (size_t)offset * dtype_size(t->dtype);
    v->bytes = 0;
    return v;
}

/* The strides lie where an owner has its elements: `bytes` of a view that has some are theirs. */
Tensor *tensor_strided(Tensor *t, i64 offset, int rank, const i64 *shape, const i64 *stride)
{
    i64 count = count_of(t->dtype, rank, shape);
    size_t bytes = MAX_RANK * sizeof *stride;
    if (rank < 0 || rank > MAX_RANK || count < 0)
        return NULL;
    Tensor *v = block_new(t->heap, bytes);
    if (!v)
        return NULL;
    set_header(v, t->heap, t->dtype, rank, shape, count);
    v->base = tensor_ref(t->base ? t->base : t);
    v->data = (char *)t->data + offset * (i64)dtype_size(t->dtype);
    v->bytes = bytes;
    t->heap->live += bytes;
    memcpy((char *)v + HEADER, stride, (size_t)rank * sizeof *stride);
    return v;
}

Tensor *tensor_deferred(Heap *h, DType d, int rank, const i64 *shape, Tensor *base,
                        TensorRead *read, size_t bytes)
{
    i64 count = count_of(d, rank, shape);
    Tensor *t = rank < 0 || rank > MAX_RANK || count < 0 ? NULL : block_new(h, bytes);
    if (!t)
        return NULL;
    set_header(t, h, d, rank, shape, count);
    t->base = base ? tensor_ref(base->base ? base->base : base) : NULL;
    t->data = (char *)t + HEADER;
    t->bytes = bytes;
    t->read = read;
    h->live += bytes;
    return t;
}

const i64 *tensor_strides(const Tensor *t)
{
    return t->base && t->bytes && !t->read ? (const i64 *)(const void *)((const char *)t + HEADER)
                                           : NULL;
}

Tensor *tensor_ref(Tensor *t)
{
    t->refs++;
    return t;
}

void tensor_unref(Tensor *t)
{
    while (t && --t->refs == 0) {
        Tensor *base = t->base;
        t->heap->live -= t->bytes;
        block_free(t->heap, t, t->bytes);
        t = base;
    }
}

bool tensor_writable(const Tensor *t) { return t->refs == 1 && (!t->base || t->base->refs == 1); }

Tensor *tensor_copy(Heap *h, const Tensor *t)
{
    Tensor *c = tensor_new(h, t->dtype, t->rank, t->shape);
    if (c)
        memcpy(c->data, t->data, (size_t)t->count * dtype_size(t->dtype));
    return c;
}

Tensor *tensor_cast(Heap *h, const Tensor *t, DType d)
{
    Tensor *c = tensor_new(h, d, t->rank, t->shape);
    if (c)
        kernel_cast(t->dtype, d, t->count, t->data, c->data);
    return c;
}

/* ---- reading ---- */

double tensor_f64_at(const Tensor *t, i64 i)
{
    switch (t->dtype) {
    case DT_F64: return ((const double *)t->data)[i];
    case DT_F32: return (double)((const float *)t->data)[i];
    default: return (double)tensor_i64_at(t, i);
    }
}

i64 tensor_i64_at(const Tensor *t, i64 i)
{
    i64 x = 0;
    if (t->dtype == DT_RNG)
        die("a number wanted from an rng");
    kernel_cast(t->dtype, DT_I64, 1, (const char *)t->data + (size_t)i * dtype_size(t->dtype), &x);
    return x;
}

bool tensor_same_bits(const Tensor *a, const Tensor *b)
{
    return a->dtype == b->dtype && a->rank == b->rank &&
           memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape) == 0 &&
           memcmp(a->data, b->data, (size_t)a->count * dtype_size(a->dtype)) == 0;
}

u64 tensor_hash(const Tensor *t)
{
    u64 seed = hash_bytes(t->shape, (size_t)t->rank * sizeof *t->shape, (u64)t->dtype);
    return hash_bytes(t->data, (size_t)t->count * dtype_size(t->dtype), seed);
}
