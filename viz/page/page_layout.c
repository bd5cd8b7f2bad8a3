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
#include "viz/page/page_parts.h"

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

/* ---- reading what gradus-draw writes ---- */

/* The numbers of a list; returns what follows it. */
static const char *read_list(const char *s, Places *out)
{
    while (*s && *s != ']') {
        char *end;
        s += !isdigit((unsigned char)*s) && *s != '-'; /* '[' or ',' */
        vec_push(out, (int)lround(strtod(s, &end)));
        s = end;
    }
    return s + (*s == ']');
}

/* The lists after `key`; returns what follows them, or NULL. */
static const char *read_lists(const char *s, const char *key, PlacesList *out)
{
    s = strstr(s, key);
    if (!s)
        return NULL;
    for (s += strlen(key); *s && *s != ']';) {
        Places list = {0};
        s += *s == ',';
        s = *s == 'n' ? s + strlen("null") : read_list(s, &list);
        vec_push(out, list);
    }
    return s;
}

bool layout_read(const char *json, Layout *out)
{
    /* a quote inside a text is escaped, so keys can be found */
    const char *s = strstr(json, ",\"layout\":{");
    const char *width = s ? strstr(s, "\"width\":") : NULL,
               *height = s ? strstr(s, "\"height\":") : NULL;
    *out = (Layout){0};
    if (!width || !height)
        return false;
    out->width = (int)ceil(strtod(width + 8, NULL));
    out->height = (int)ceil(strtod(height + 9, NULL));
    s = read_lists(s, "\"nodes\":[", &out->nodes);
    s = s ? read_lists(s, "\"boxes\":[", &out->boxes) : NULL;
    s = s ? read_lists(s, "\"edges\":[", &out->edges) : NULL;
    return s != NULL;
}

static void list_free(PlacesList *l)
{
    for (size_t i = 0; i < l->len; i++)
        vec_free(&l->at[i]);
    vec_free(l);
}

void layout_free(Layout *l)
{
    list_free(&l->nodes);
    list_free(&l->boxes);
    list_free(&l->edges);
}

/* ---- writing ---- */

static void put_list(Text *out, const PlacesList *l, bool routes)
{
    text_put(out, ",[");
    for (size_t i = 0; i < l->len; i++) {
        const Places *at = &l->at[i];
        text_put(out, i ? ",\"" : "\"");
        for (size_t k = 0; k < at->len; k++)
            letters_put(out, routes && k > 1 ? at->at[k] - at->at[k - 2] : at->at[k]);
        text_putc(out, '"');
    }
    text_putc(out, ']');
}

void layout_put(Text *out, const Layout *l)
{
    text_printf(out, "[%d,%d", l->width, l->height);
    put_list(out, &l->nodes, false);
    put_list(out, &l->boxes, false);
    put_list(out, &l->edges, true);
    text_putc(out, ']');
}
