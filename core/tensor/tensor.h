/* Tensors: values. Contiguous, row-major, reference-counted.
 *
 * Invariant: a tensor that more than one reference can see is never written to.
 * (But for views with strides and for deferred ones, which only fused groups get to see.)
 * A view (row, slice along axis 0, reshape) shares its base's memory and keeps
 * the base alive; it counts as a reference to it. */
#ifndef GRADUS_TENSOR_H
#define GRADUS_TENSOR_H

#include "base/json.h"

enum { MAX_RANK = 8 };

typedef enum { DT_BOOL, DT_I32, DT_I64, DT_F32, DT_F64, DT_RNG, DT_COUNT } DType;

/* A random generator's state: Philox4x32-10 (Salmon et al., SC 2011) key and counter. */
typedef struct {
    u32 key[2];
    u32 counter[4];
} RngState;

size_t dtype_size(DType d);      /* bytes of one element: 1 4 8 4 8 24 */
const char *dtype_name(DType d); /* "bool" "i32" "i64" "f32" "f64" "rng" */
bool dtype_is_float(DType d);    /* f32 f64 */
bool dtype_is_int(DType d);      /* i32 i64 */
bool dtype_is_number(DType d);   /* int or float */

/* Where tensors come from: counts bytes, recycles buffers, refuses beyond a limit. */
typedef struct Heap {
    size_t live, peak, limit; /* bytes; limit 0 means none; scalars are not refused */
    void *bins[48];           /* free buffers by size class */
} Heap;
void heap_free(Heap *h); /* gives recycled buffers back to the system */

typedef struct Tensor {
    u32 refs;
    DType dtype;
    int rank;
    bool mark; /* of a constant, in a collection under way */
    i64 shape[MAX_RANK];
    i64 count; /* number of elements */
    void *data;
    struct Tensor *base; /* the owner of `data` if this is a view, else NULL */
    size_t bytes;        /* capacity when owner */
    Heap *heap;
    /* Writes n elements from one on; NULL: they are at `data` (tensor_deferred). */
    void (*read)(const struct Tensor *t, i64 from, i64 n, void *out);
} Tensor;
typedef void TensorRead(const Tensor *t, i64 from, i64 n, void *out);

/* A new tensor with undefined contents and one reference; NULL if the heap's limit or memory
 * forbids it, which they never do for a scalar. */
Tensor *tensor_new(Heap *h, DType d, int rank, const i64 *shape);
Tensor *tensor_scalar_f64(Heap *h, double x);
Tensor *tensor_scalar_i64(Heap *h, i64 x);
Tensor *tensor_scalar_bool(Heap *h, bool x);
/* A view of `count` elements of t from element `offset` on, with the given shape. Adds a reference
 * to t's owner. */
Tensor *tensor_view(Tensor *t, i64 offset, int rank, const i64 *shape);
/* Elements of an array that is put together from parts: where one of them belongs. */
typedef struct {
    Tensor *whole; /* NULL: a part gets memory of its own */
    i64 offset, count;
} Destination;
/* The memory there as a tensor of that type; NULL: it has another size, or there is no memory. */
Tensor *tensor_at(const Destination *to, DType d, int rank, const i64 *shape);
/* A view whose elements lie stride[i] elements of t's memory apart along axis i: only those read it
 * that ask for tensor_strides. The caller sees to it that all of them are inside. */
Tensor *tensor_strided(Tensor *t, i64 offset, int rank, const i64 *shape, const i64 *stride);
const i64 *tensor_strides(const Tensor *t); /* NULL: it is contiguous */
/* A tensor whose elements are computed when they are read, from `bytes` of the caller's at `data`:
 * only those read it that call `read`. Keeps `base` (may be NULL) alive. */
Tensor *tensor_deferred(Heap *h, DType d, int rank, const i64 *shape, Tensor *base,
                        TensorRead *read, size_t bytes);
Tensor *tensor_ref(Tensor *t);         /* one more reference; returns t */
void tensor_unref(Tensor *t);          /* one less; NULL is fine */
bool tensor_writable(const Tensor *t); /* no one else can see its memory */
Tensor *tensor_copy(Heap *h, const Tensor *t);
/* Converts every element; float to int truncates and saturates, NaN gives 0; i64 to i32 wraps;
 * bool(x) is x != 0. */
Tensor *tensor_cast(Heap *h, const Tensor *t, DType d);
/* Element i as double / i64 (any numeric dtype or bool). */
double tensor_f64_at(const Tensor *t, i64 i);
double tensor_largest(const Tensor *t); /* of the finite elements, without their signs */
i64 tensor_i64_at(const Tensor *t, i64 i);
bool tensor_same_bits(const Tensor *a, const Tensor *b); /* dtype, shape and bytes */
u64 tensor_hash(const Tensor *t);

/* These stop halfway when the text is interrupted. As NumPy prints: aligned, summarised above
 * `threshold` elements (0: never); with `digits` significant digits at most, or (0) the fewest that
 * read back. */
void tensor_print(Text *out, const Tensor *t, i64 threshold, int digits);
/* Vectors of one length as columns below their names, in bands that fit a line. */
void tensor_table_print(Text *out, int n, const char *const *names, Tensor *const *columns,
                        i64 threshold, int digits);
/* "f64[3]" */
void tensor_type_print(Text *out, const Tensor *t);
/* Nested JSON arrays of numbers (rng states as arrays of six integers). */
void tensor_json(Text *out, const Tensor *t);
void json_elements(Json *j, const Tensor *t); /* the same as a value */
/* A literal of the language that evaluates to the same bits: 1.5, [[1.0, 2.0]], true. */
void tensor_literal(Text *out, const Tensor *t);

#endif
