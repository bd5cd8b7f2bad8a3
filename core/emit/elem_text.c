/* Elementwise operators as C.
 *
 * Invariant: as elem_text.h. */
#include "emit/elem_text.h"

#include "embed/embed.h"

#include <math.h>

static const char *const types[DT_COUNT] = {
    [DT_BOOL] = "u8",   [DT_I32] = "i32",    [DT_I64] = "i64",
    [DT_F32] = "float", [DT_F64] = "double", [DT_RNG] = "RngState"};
static const char *const unsigned_types[DT_COUNT] = {
    [DT_BOOL] = "u8", [DT_I32] = "u32", [DT_I64] = "u64", [DT_F32] = "u32", [DT_F64] = "u64"};

const char *c_type(DType d)
{
    if (!types[d])
        die("a %s is no scalar of C", dtype_name(d));
    return types[d];
}

/* ---- the columns ---- */

enum { AS_NONE, AS_CALL, AS_TEXT, AS_TEST, AS_INT, AS_BITS, AS_BOOLS, AS_SURE };
typedef struct {
    u8 kind;
    const char *text;
} Column;

// clang-format off
#define T_EXPR(...) {AS_TEXT, #__VA_ARGS__}
#define T_TEST(...) {AS_TEST, #__VA_ARGS__}
#define T_INT(...) {AS_INT, #__VA_ARGS__}
#define T_BITS(...) {AS_BITS, #__VA_ARGS__}
#define T_BOOLS(...) {AS_BOOLS, #__VA_ARGS__}
#define T_SAME {AS_INT, "x"}
#define T_CALL(f) {AS_CALL, #f}
#define T_VEC(f) {AS_NONE, #f}
#define T_FAIL(f, ...) {AS_SURE, #__VA_ARGS__}
#define T_NONE {AS_NONE, NULL}
#define T_FLOATS {AS_NONE, NULL}
static const Column columns[EL_COUNT][3] = {
#define ELEM1(ID, NAME, F64, F32, INTS, ...) [EL_##ID] = {T_##F64, T_##F32, T_##INTS},
#define ELEM2(ID, NAME, F64, F32, INTS, ...) [EL_##ID] = {T_##F64, T_##F32, T_##INTS},
#include "ops/elem.def"
};
// clang-format on

/* Array functions that are one exact or correctly rounded instruction: so is C's. */
static const struct {
    const char *name, *f64, *f32;
} instructions[] = {{"sqrt", "sqrt(x)", "sqrtf(x)"},    {"rsqrt", "1 / sqrt(x)", "1 / sqrtf(x)"},
                    {"floor", "floor(x)", "floorf(x)"}, {"ceil", "ceil(x)", "ceilf(x)"},
                    {"trunc", "trunc(x)", "truncf(x)"}, {"round", "rint(x)", "rintf(x)"}};

const char *elem_text(ElemId id, DType d, char *buffer, size_t size)
{
    const Column *c = &columns[id][d == DT_F64 ? 0 : d == DT_F32 ? 1 : 2];
    if (dtype_is_float(d)) {
        for (size_t i = 0; c->kind == AS_NONE && c->text && i < COUNT_OF(instructions); i++)
            if (!strcmp(c->text, instructions[i].name))
                return d == DT_F64 ? instructions[i].f64 : instructions[i].f32;
        return c->kind == AS_NONE || c->kind == AS_CALL ? NULL : c->text;
    }
    if (d == DT_BOOL && c->kind == AS_BITS) {
        snprintf(buffer, size, "(%s) & 1", c->text);
        return buffer;
    }
    bool fits = d == DT_BOOL ? c->kind == AS_TEST || c->kind == AS_BOOLS
                             : c->kind == AS_TEST || c->kind == AS_INT || c->kind == AS_BITS;
    return fits ? c->text : NULL;
}

const char *elem_sure_text(ElemId id, i64 z)
{
    const Column *c = &columns[id][2];
    bool power_of_two = !(z & (z - 1));
    if (power_of_two && id == EL_MOD)
        return "x & (z - 1)";
    if (power_of_two && id == EL_FLOORDIV)
        return "x >> __builtin_ctzll(z)";
    return c->kind == AS_SURE && *c->text ? c->text : NULL;
}

const char *elem_function(ElemId id)
{
    const Column *c = &columns[id][0];
    return c->kind == AS_CALL ? c->text : NULL;
}

static const ElemComposite composites[] = {
#define COMPOSITE(f, BEFORE, G, g, H, h, AFTER) {#f, #BEFORE, #AFTER, {EL_##G, EL_##H}},
#include "tensor/composites.def"
};

const ElemComposite *elem_composite(ElemId id, DType d)
{
    const Column *c = &columns[id][d == DT_F64 ? 0 : 1];
    for (size_t i = 0;
         dtype_is_float(d) && c->kind == AS_NONE && c->text && i < COUNT_OF(composites); i++)
        if (!strcmp(c->text, composites[i].name))
            return &composites[i];
    return NULL;
}

static bool word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void elem_put(Text *out, const char *text, DType d, const char *x, const char *z)
{
    for (const char *s = text; *s;) {
        size_t n = 0;
        while (word_char(s[n]))
            n++;
        const char *with = n != 1      ? NULL
                           : *s == 'x' ? x
                           : *s == 'z' ? z
                           : *s == 'F' ? types[d]
                           : *s == 'S' ? types[dtype_is_float(d) ? DT_I64 : d]
                           : *s == 'U' ? unsigned_types[d]
                                       : NULL;
        if (with)
            text_put(out, with);
        else
            text_putn(out, s, n ? n : 1);
        s += n ? n : 1;
    }
}

/* ---- casts ---- */

void cast_put(Text *out, DType from, DType to, const char *x)
{
    if (to == DT_BOOL)
        text_printf(out, "%s != 0", x);
    else if (dtype_is_float(from) && dtype_is_int(to))
        text_printf(out, "%s_to_%s(%s)", dtype_name(from), dtype_name(to), x);
    else if (from == DT_I64 && to == DT_I32)
        text_printf(out, "(i32)(u32)(u64)%s", x);
    else
        text_printf(out, "(%s)%s", types[to], x);
}

const char *cast_helpers(void)
{
#define SATURATE(FROM, F, TO, MIN, MAX, BELOW)                                       \
    "static inline " TO " " FROM "_to_" TO "(" F " x)\n{\n    if (x >= " BELOW ")\n" \
    "        return " MAX ";\n    return x >= -" BELOW " ? (" TO ")x : x == x ? " MIN " : 0;\n}\n"
    return SATURATE("f64", "double", "i64", "-9223372036854775807 - 1", "9223372036854775807",
                    "9223372036854775808.0")
        SATURATE("f32", "float", "i64", "-9223372036854775807 - 1", "9223372036854775807",
                 "9223372036854775808.0F")
            SATURATE("f64", "double", "i32", "-2147483647 - 1", "2147483647", "2147483648.0")
                SATURATE("f32", "float", "i32", "-2147483647 - 1", "2147483647", "2147483648.0F");
}

/* ---- minimum and maximum ---- */

void put_extremes(Text *out)
{
    const char *text = strstr(embed_extreme_h, "#define DEFINE_EXTREMES");
    text_putn(out, text, (size_t)(strstr(text, "\n#endif") - text));
}

/* ---- literals ---- */

bool literal_put(Text *out, DType d, const void *value)
{
    double x = 0;
    float f;
    i64 k = 0;
    i32 w;
    switch (d) {
    case DT_BOOL: text_putc(out, *(const u8 *)value ? '1' : '0'); return true;
    case DT_I32: memcpy(&w, value, sizeof w), k = w; break;
    case DT_I64: memcpy(&k, value, sizeof k); break;
    case DT_F32: memcpy(&f, value, sizeof f), x = (double)f; break;
    case DT_F64: memcpy(&x, value, sizeof x); break;
    default: return false;
    }
    if (!isfinite(x) || k == INT64_MIN || k == INT32_MIN)
        return false;
    bool negative = k < 0 || signbit(x);
    text_put(out, negative ? "(" : "");
    if (dtype_is_int(d))
        text_printf(out, "%lld", (long long)k);
    else if (d == DT_F32)
        text_float(out, (float)x), text_put(out, "F");
    else
        text_double(out, x);
    text_put(out, negative ? ")" : "");
    return true;
}
