/* Strings being built, and decimals that read back to the same bits.
 *
 * Invariant: a Text that holds memory is NUL-terminated after every call. */
#include "base/base.h"

#include <math.h>

static void text_reserve(Text *t, size_t more)
{
    if (more > SIZE_MAX / 2 - t->len)
        die("text too large");
    size_t need = t->len + more + 1;
    if (need <= t->cap)
        return;
    t->cap = t->cap ? t->cap : 64;
    t->at = memory_grow(t->at, &t->cap, need, 1);
}

void text_putn(Text *t, const char *s, size_t n)
{
    text_reserve(t, n);
    if (n)
        memcpy(t->at + t->len, s, n);
    t->len += n;
    t->at[t->len] = '\0';
}

void text_put(Text *t, const char *s) { text_putn(t, s, strlen(s)); }

void text_putc(Text *t, char c) { text_putn(t, &c, 1); }

/* Does it hold nothing but text and "%s"? */
static bool is_plain(const char *fmt)
{
    for (const char *p = strchr(fmt, '%'); p; p = strchr(p + 2, '%'))
        if (p[1] != 's')
            return false;
    return true;
}

/* Most of what is printed, an operator or a name at a time: vsnprintf costs half as much again. */
static void put_plain(Text *t, const char *fmt, va_list ap)
{
    for (const char *p; (p = strchr(fmt, '%')); fmt = p + 2) {
        text_putn(t, fmt, (size_t)(p - fmt));
        const char *s = va_arg(ap, const char *);
        text_put(t, s ? s : "(null)");
    }
    text_put(t, fmt);
}

void text_vprintf(Text *t, const char *fmt, va_list ap)
{
    if (is_plain(fmt)) {
        put_plain(t, fmt, ap);
        return;
    }
    va_list again;
    va_copy(again, ap);
    text_reserve(t, 0);
    size_t room = t->cap - t->len;
    int n = vsnprintf(t->at + t->len, room, fmt, ap);
    if (n < 0)
        die("bad format string: %s", fmt);
    if ((size_t)n >= room) {
        text_reserve(t, (size_t)n);
        vsnprintf(t->at + t->len, (size_t)n + 1, fmt, again);
    }
    t->len += (size_t)n;
    va_end(again);
}

char *arena_vprintf(Arena *a, const char *fmt, va_list ap)
{
    Text t = {0};
    text_vprintf(&t, fmt, ap);
    return text_keep(&t, a);
}

char *arena_printf(Arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = arena_vprintf(a, fmt, ap);
    va_end(ap);
    return s;
}

void text_printf(Text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(t, fmt, ap);
    va_end(ap);
}

const char *text_str(Text *t)
{
    text_reserve(t, 0);
    t->at[t->len] = '\0';
    return t->at;
}

char *text_take(Text *t)
{
    text_str(t);
    char *s = t->at;
    *t = (Text){0};
    return s;
}

char *text_keep(Text *t, Arena *a)
{
    char *s = arena_strndup(a, text_str(t), t->len);
    text_free(t);
    return s;
}

void text_join_lines(Text *t)
{
    for (size_t i = 0; i < t->len; i++)
        t->at[i] = t->at[i] == '\n' ? ' ' : t->at[i];
}

int text_lines(const Text *t)
{
    int n = 0;
    for (size_t i = 0; i < t->len; i++)
        n += t->at[i] == '\n';
    return n;
}

void text_free(Text *t)
{
    free(t->at);
    *t = (Text){0};
}

/* ---- numbers ---- */

static bool put_special(Text *t, double x)
{
    if (isnan(x))
        text_put(t, "nan");
    else if (isinf(x))
        text_put(t, x > 0 ? "inf" : "-inf");
    else
        return false;
    return true;
}

/* A float must not read back as an integer. */
static void put_decimal(Text *t, const char *digits)
{
    text_put(t, digits);
    if (!strpbrk(digits, ".e"))
        text_put(t, ".0");
}

/* A number of few digits, as "%.15g" writes it, without the cost of that; false: it has more. */
static bool put_short_number(Text *t, double x)
{
    enum { PARTS = 10000 };
    double size = fabs(x);
    if (!(size >= 1.0 / PARTS && size < 1e9))
        return false;
    i64 parts = (i64)(size * PARTS + 0.5);
    double back = (double)parts / PARTS; /* the number nearest to that decimal */
    if (back < size || back > size)
        return false;
    char buf[24];
    size_t n =
        (size_t)snprintf(buf, sizeof buf, "%s%lld", x < 0 ? "-" : "", (long long)(parts / PARTS));
    i64 rest = parts % PARTS;
    if (rest)
        buf[n++] = '.';
    for (i64 unit = PARTS / 10; rest; rest %= unit, unit /= 10)
        buf[n++] = (char)('0' + rest / unit);
    buf[n] = '\0';
    put_decimal(t, buf);
    return true;
}

void text_double(Text *t, double x)
{
    if (put_special(t, x) || put_short_number(t, x))
        return;
    char buf[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buf, sizeof buf, "%.*g", digits, x);
        double back = strtod(buf, NULL);
        if (!(back < x || back > x))
            break;
    }
    put_decimal(t, buf);
}

void text_float(Text *t, float x)
{
    if (put_special(t, (double)x))
        return;
    char buf[40];
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(buf, sizeof buf, "%.*g", digits, (double)x);
        float back = strtof(buf, NULL);
        if (!(back < x || back > x))
            break;
    }
    put_decimal(t, buf);
}
