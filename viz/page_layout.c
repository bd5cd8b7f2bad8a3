/* Numbers in few letters, and layouts in such numbers.
 *
 * A number is zigzag coded (the lowest bit is the sign), five bits a letter, lowest first, a letter
 * with bit 5 goes on: the base64 VLQ of source maps with the alphabet for addresses (RFC 4648,
 * section 5). Numbers follow each other without a sign between them.
 *
 *   [width, height, [nodes], [boxes], [edges]]   "": not drawn
 *
 * in whole pixels; a node or box is "x y w h", an edge its points, each as the way from the one
 * before.
 *
 * Invariant: what is written is what gradus-draw said, rounded. */
#include "viz/page_parts.h"

#include <ctype.h>
#include <math.h>

void letters_put(Text *out, i64 x)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    u64 bits = x < 0 ? ((u64)-x << 1) | 1 : (u64)x << 1;
    do {
        u64 low = bits & 31;
        bits >>= 5;
        text_putc(out, letters[low | (bits ? 32 : 0)]);
    } while (bits);
}

/* The numbers of a list; returns what follows it. */
static const char *pack_list(Text *out, const char *s, bool route)
{
    long last[2] = {0};
    for (int nth = 0; *s && *s != ']'; nth++) {
        char *end;
        s += !isdigit((unsigned char)*s) && *s != '-'; /* '[' or ',' */
        long x = lround(strtod(s, &end)), *was = &last[nth % 2];
        letters_put(out, route && nth > 1 ? x - *was : x);
        *was = x;
        s = end;
    }
    return s + (*s == ']');
}

/* The array of lists after `key`; returns what follows it, or NULL. */
static const char *pack_array(Text *out, const char *s, const char *key, bool routes)
{
    s = strstr(s, key);
    if (!s)
        return NULL;
    text_put(out, ",[");
    for (s += strlen(key); *s && *s != ']';) {
        if (*s == ',')
            text_putc(out, *s++);
        text_putc(out, '"');
        s = *s == 'n' ? s + strlen("null") : pack_list(out, s, routes);
        text_putc(out, '"');
    }
    text_putc(out, ']');
    return s;
}

bool layout_pack(const char *json, Text *out)
{
    /* a quote inside a text is escaped, so keys can be found */
    const char *s = strstr(json, ",\"layout\":{");
    const char *width = s ? strstr(s, "\"width\":") : NULL,
               *height = s ? strstr(s, "\"height\":") : NULL;
    if (!width || !height)
        return false;
    text_printf(out, "[%ld,%ld", lround(ceil(strtod(width + 8, NULL))),
                lround(ceil(strtod(height + 9, NULL))));
    s = pack_array(out, s, "\"nodes\":[", false);
    s = s ? pack_array(out, s, "\"boxes\":[", false) : NULL;
    s = s ? pack_array(out, s, "\"edges\":[", true) : NULL;
    text_putc(out, ']');
    return s != NULL;
}
