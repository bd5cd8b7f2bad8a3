/* A value in a few characters: for cells of tables. */
#include "tensor/brief.h"

#include <math.h>

enum { DECIMAL = 15 }; /* digits that every double can hold */

typedef struct {
    Text *out;
    const Tensor *t;
    int digits, entries;
} Brief;

/* All the digits that it takes, without the ".0" of whole numbers. */
static void put_whole(Text *out, const Tensor *t, i64 i)
{
    Text digits = {0};
    if (t->dtype == DT_F32)
        text_float(&digits, (float)tensor_f64_at(t, i));
    else
        text_double(&digits, tensor_f64_at(t, i));
    size_t n = digits.len;
    bool even = n > 2 && strcmp(text_str(&digits) + n - 2, ".0") == 0;
    text_putn(out, text_str(&digits), even ? n - 2 : n);
    text_free(&digits);
}

static void put_number(const Brief *b, i64 i)
{
    const Tensor *t = b->t;
    Text *out = b->out;
    if (t->dtype == DT_BOOL)
        text_put(out, tensor_i64_at(t, i) ? "true" : "false");
    else if (dtype_is_float(t->dtype) && isnan(tensor_f64_at(t, i)))
        text_put(out, "nan"); /* of either sign */
    else if (dtype_is_float(t->dtype) && b->digits > DECIMAL)
        put_whole(out, t, i);
    else if (dtype_is_float(t->dtype))
        text_printf(out, "%.*g", b->digits, tensor_f64_at(t, i));
    else
        text_printf(out, "%lld", (long long)tensor_i64_at(t, i));
}

static void put_part(const Brief *b, int axis, i64 from)
{
    const Tensor *t = b->t;
    if (axis == t->rank) {
        put_number(b, from);
        return;
    }
    i64 inner = 1;
    for (int a = axis + 1; a < t->rank; a++)
        inner *= t->shape[a];
    text_putc(b->out, '[');
    i64 n = t->shape[axis], most = b->entries + (b->entries > 1), shown = n > most ? b->entries : n;
    for (i64 i = 0; i < shown; i++) {
        text_put(b->out, i ? ", " : "");
        put_part(b, axis + 1, from + i * inner);
    }
    text_put(b->out, shown < n ? ", …]" : "]");
}

/* <rng 0000000000000001 at 00000000000000000000000000000003> without what is zero in front. */
static void put_generator(Text *out, const Tensor *t)
{
    Text whole = {0};
    tensor_print(&whole, t, 3, 0);
    bool in_word = false;
    for (const char *s = text_str(&whole); *s; s++) {
        bool digit = (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'f');
        bool more = (s[1] >= '0' && s[1] <= '9') || (s[1] >= 'a' && s[1] <= 'f');
        if (*s != '0' || in_word || !more)
            text_putc(out, *s);
        in_word = digit ? in_word || *s != '0' : false;
    }
    text_free(&whole);
}

void brief_put(Text *out, const Tensor *t, int digits, int entries)
{
    Brief b = {.out = out, .t = t, .digits = digits, .entries = entries};
    if (t->dtype == DT_RNG)
        put_generator(out, t);
    else
        put_part(&b, 0, 0);
}
