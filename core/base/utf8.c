/* UTF-8 helpers: a strict decoder, the width of a character on a terminal, and
 * output of untrusted text.
 *
 * Invariant: what utf8_put_visible and utf8_put_safe append is always valid UTF-8
 * without control characters, so a hostile file cannot drive the terminal. */
#include "base/utf8.h"

int utf8_decode(const char *s, size_t n, u32 *cp)
{
    if (n == 0)
        return 0;
    const u8 *b = (const u8 *)s;
    if (b[0] < 0x80) {
        *cp = b[0];
        return 1;
    }
    int len = b[0] >= 0xF0 ? 4 : b[0] >= 0xE0 ? 3 : 2;
    if (b[0] < 0xC2 || b[0] > 0xF4 || (size_t)len > n)
        return 0;
    u32 c = b[0] & (0x7Fu >> len);
    for (int i = 1; i < len; i++) {
        if ((b[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (b[i] & 0x3Fu);
    }
    static const u32 smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (c < smallest[len] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
        return 0;
    *cp = c;
    return len;
}

typedef struct {
    u32 first, last;
} Range;

static bool in_ranges(const Range *r, size_t n, u32 c)
{
    for (size_t i = 0; i < n; i++)
        if (c >= r[i].first && c <= r[i].last)
            return true;
    return false;
}

int utf8_width(u32 cp)
{
    static const Range zero[] = {
        {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},     {0x610, 0x61A},   {0x64B, 0x65F},
        {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200D},   {0x20D0, 0x20FF}, {0xFE00, 0xFE0F},
        {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF},
    };
    static const Range two[] = {
        {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},
        {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
        {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
        {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
    };
    if (cp < 0x300)
        return 1;
    if (in_ranges(zero, COUNT_OF(zero), cp))
        return 0;
    return in_ranges(two, COUNT_OF(two), cp) ? 2 : 1;
}

/* Characters that act on the terminal or reorder the text around them. */
static bool is_unprintable(u32 c)
{
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
}

int utf8_columns(const char *s) { return utf8_columns_n(s, strlen(s)); }

int utf8_columns_n(const char *s, size_t n)
{
    int columns = 0;
    for (size_t at = 0, k; at < n; at += k) {
        u32 c;
        k = (size_t)utf8_decode(s + at, n - at, &c);
        columns += k ? utf8_width(c) : 1;
        k = k ? k : 1;
    }
    return columns;
}

size_t utf8_put_visible(Text *t, const char *s, size_t n, int *width)
{
    u32 cp = 0;
    int len = utf8_decode(s, n, &cp);
    if (len == 0) {
        text_put(t, "\xEF\xBF\xBD");
        *width += 1;
        return 1;
    }
    if (is_unprintable(cp)) {
        size_t before = t->len;
        text_printf(t, cp < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)cp);
        *width += (int)(t->len - before);
    } else {
        text_putn(t, s, (size_t)len);
        *width += utf8_width(cp);
    }
    return (size_t)len;
}

void utf8_put_safe(Text *t, const char *s, size_t n)
{
    int width = 0;
    for (size_t i = 0; i < n;) {
        if (s[i] == '\n') {
            text_putc(t, '\n');
            i++;
        } else {
            i += utf8_put_visible(t, s + i, n - i, &width);
        }
    }
}

static const char *xml_entity(u32 c)
{
    switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: break;
    }
    bool bad =
        (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0) || (c & 0xFFFE) == 0xFFFE;
    return bad ? "\xEF\xBF\xBD" : NULL;
}

void xml_put(Text *out, const char *s)
{
    for (size_t i = 0, n = strlen(s); i < n;) {
        u32 c = 0xFFFE;
        int len = utf8_decode(s + i, n - i, &c);
        const char *entity = xml_entity(c);
        if (entity)
            text_put(out, entity);
        else
            text_putn(out, s + i, (size_t)len);
        i += len ? (size_t)len : 1;
    }
}
