/* Tensors for programs: JSON, and literals of the language.
 *
 * Invariant: both are exact; reading them back gives the same bits (NaN aside). */
#include "tensor/tensor.h"

#include <math.h>

typedef void PutElement(Text *out, const Tensor *t, i64 i);

/* [[a, b], [c, d]] of the elements below an axis */
static void put_nested(Text *out, const Tensor *t, int axis, i64 *at, PutElement *put)
{
    if (axis == t->rank) {
        put(out, t, (*at)++);
        return;
    }
    text_putc(out, '[');
    for (i64 k = 0; k < t->shape[axis] && !interrupted(out->interrupt); k++) {
        if (k > 0)
            text_put(out, ", ");
        put_nested(out, t, axis + 1, at, put);
    }
    text_putc(out, ']');
}

static void put_rng(Text *out, const Tensor *t, i64 i, const char *open, const char *close)
{
    const RngState *r = (const RngState *)t->data + i;
    text_printf(out, "%s%u, %u, %u, %u, %u, %u%s", open, r->key[0], r->key[1], r->counter[0],
                r->counter[1], r->counter[2], r->counter[3], close);
}

static void put_float(Text *out, const Tensor *t, i64 i)
{
    if (t->dtype == DT_F32)
        text_float(out, ((const float *)t->data)[i]);
    else
        text_double(out, ((const double *)t->data)[i]);
}

static void put_json(Text *out, const Tensor *t, i64 i)
{
    if (dtype_is_float(t->dtype)) {
        bool quoted = !isfinite(tensor_f64_at(t, i));
        text_put(out, quoted ? "\"" : "");
        put_float(out, t, i);
        text_put(out, quoted ? "\"" : "");
    } else if (t->dtype == DT_BOOL) {
        text_put(out, tensor_i64_at(t, i) ? "true" : "false");
    } else if (t->dtype == DT_RNG) {
        put_rng(out, t, i, "[", "]");
    } else {
        text_printf(out, "%lld", (long long)tensor_i64_at(t, i));
    }
}

void tensor_json(Text *out, const Tensor *t)
{
    i64 at = 0;
    put_nested(out, t, 0, &at, put_json);
}

/* A rng has no literal: rng(seed) where that is what it is, else its words. */
static void literal_rng(Text *out, const Tensor *t, i64 i)
{
    const RngState *r = (const RngState *)t->data + i;
    if (r->counter[0] | r->counter[1] | r->counter[2] | r->counter[3])
        put_rng(out, t, i, "rng_state(", ")");
    else
        text_printf(out, "rng(%lld)", (long long)(i64)(((u64)r->key[1] << 32) | r->key[0]));
}

/* The shortest digits of a float, read as a double and rounded, could miss it by a rounding. */
static void literal_f32(Text *out, float x)
{
    Text s = {0};
    text_float(&s, x);
    if (isfinite(x) && (float)strtod(text_str(&s), NULL) != x)
        text_double(out, (double)x);
    else
        text_put(out, text_str(&s));
    text_free(&s);
}

static void put_literal(Text *out, const Tensor *t, i64 i)
{
    if (t->dtype == DT_RNG)
        literal_rng(out, t, i);
    else if (t->dtype == DT_F32)
        literal_f32(out, ((const float *)t->data)[i]);
    else if (t->dtype == DT_I64 && tensor_i64_at(t, i) == INT64_MIN)
        text_put(out, "-9223372036854775807 - 1"); /* the literal itself would not fit */
    else if (t->dtype == DT_F64 && !isfinite(tensor_f64_at(t, i)))
        put_float(out, t, i);
    else
        put_json(out, t, i);
}

static void literal_empty(Text *out, const Tensor *t)
{
    text_put(out, "zeros((");
    for (int i = 0; i < t->rank; i++)
        text_printf(out, "%lld, ", (long long)t->shape[i]);
    if (t->rank > 1)
        out->len -= 2; /* (2, 0) but (0,) */
    else
        out->len -= 1;
    text_printf(out, "), dtype=%s)", dtype_name(t->dtype));
}

void tensor_literal(Text *out, const Tensor *t)
{
    i64 at = 0;
    bool cast =
        t->dtype == DT_F32 || t->dtype == DT_I32; /* literals are i64 or f64 by themselves */
    if (t->count == 0) {
        literal_empty(out, t);
        return;
    }
    if (cast)
        text_printf(out, "%s(", dtype_name(t->dtype));
    put_nested(out, t, 0, &at, put_literal);
    if (cast)
        text_putc(out, ')');
}

void tensor_type_print(Text *out, const Tensor *t)
{
    text_put(out, dtype_name(t->dtype));
    for (int i = 0; i < t->rank; i++)
        text_printf(out, "%s%lld", i ? ", " : "[", (long long)t->shape[i]);
    text_put(out, t->rank ? "]" : "");
}

void json_elements(Json *j, const Tensor *t)
{
    Text value = {.interrupt = j->out->interrupt};
    tensor_json(&value, t);
    json_raw(j, text_str(&value));
    text_free(&value);
}
