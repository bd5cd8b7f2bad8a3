/* Sizes and what they count, in words; see size_numbers.h. */
#include "analysis/size_numbers.h"

/* What only a run knows has no name that could be said. */
static bool is_sayable(const Size *s)
{
    return s && !size_has_kind(s, ATOM_NODE) && !size_has_kind(s, ATOM_PARAM) &&
           !size_has_kind(s, ATOM_RESULT) && !size_is_opaque(s);
}

double size_value(SizeNumbers *n, const Size *s, bool *known)
{
    n->known = s != NULL;
    double x = s ? size_estimate(s, size_number, n) : 0;
    *known = n->known;
    return x;
}

bool size_put(SizeNumbers *n, Text *out, Size *s, const char *unknown)
{
    bool known;
    double x = size_value(n, s, &known);
    if (known)
        text_printf(out, "%.0f", x);
    else if (is_sayable(s))
        size_print(out, s);
    else
        text_put(out, unknown);
    return known || is_sayable(s);
}

void size_put_count(SizeNumbers *n, Text *out, Size *s)
{
    size_put(n, out, s, "an unknown number of");
}

void size_put_bytes(SizeNumbers *n, Text *out, Size *bytes)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    bool known;
    size_t unit = 0;
    double x = size_value(n, bytes, &known);
    for (; known && x >= 1e3 && unit + 1 < COUNT_OF(units); x /= 1e3)
        unit++;
    if (unit)
        text_printf(out, "%.1f", x);
    else
        size_put_count(n, out, bytes);
    text_printf(out, " %s", units[unit]);
}

void size_put_type(SizeNumbers *n, Text *out, const Type *t)
{
    text_put(out, t->kind == TYPE_TENSOR ? dtype_name(t->dtype) : "tuple");
    for (int a = 0; a < t->rank; a++) {
        text_put(out, a ? ", " : "[");
        size_put(n, out, t->dims[a], "?");
    }
    text_put(out, t->rank ? "]" : "");
}
