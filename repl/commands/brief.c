/* A value in a few characters: for cells of tables. */
#include "repl/commands/show.h"

enum { FEW = 3 };

static void put_number(Text *out, const Tensor *t, i64 i)
{
    if (t->dtype == DT_BOOL)
        text_put(out, tensor_i64_at(t, i) ? "true" : "false");
    else if (dtype_is_float(t->dtype))
        text_printf(out, "%.6g", tensor_f64_at(t, i));
    else
        text_printf(out, "%lld", (long long)tensor_i64_at(t, i));
}

static void put_part(Text *out, const Tensor *t, int axis, i64 from)
{
    if (axis == t->rank) {
        put_number(out, t, from);
        return;
    }
    i64 inner = 1;
    for (int a = axis + 1; a < t->rank; a++)
        inner *= t->shape[a];
    text_putc(out, '[');
    i64 n = t->shape[axis], shown = n > FEW + 1 ? FEW : n;
    for (i64 i = 0; i < shown; i++) {
        text_put(out, i ? ", " : "");
        put_part(out, t, axis + 1, from + i * inner);
    }
    text_put(out, shown < n ? ", …]" : "]");
}

/* <rng 0000000000000001 at 00000000000000000000000000000003> without what is zero in front. */
static void put_generator(Text *out, const Tensor *t)
{
    Text whole = {0};
    tensor_print(&whole, t, FEW);
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

void show_brief(Text *out, const Tensor *t)
{
    if (t->dtype == DT_RNG)
        put_generator(out, t);
    else
        put_part(out, t, 0, 0);
}

void show_json_elements(Json *j, const Tensor *t)
{
    Text value = {0};
    tensor_json(&value, t);
    json_raw(j, text_str(&value));
    text_free(&value);
}
