/* Numbers in few letters, and layouts in such numbers.
 *
 * A number is zigzag coded (the lowest bit is the sign), five bits a letter, lowest first, a letter
 * with bit 5 goes on: the base64 VLQ of source maps with the alphabet for addresses (RFC 4648,
 * section 5). Numbers follow each other without a sign between them.
 *
 *   [width, height, [nodes], [boxes], [edges]]   "": not drawn
 *
 * and, where edges are cut at the borders of folds, [tails], [heads] of them; in whole pixels; a
 * node or box is "x y w h", an edge its points, each as the way from the one before.
 *
 * Invariant: what is written reads back as the same numbers. */
#include "viz/page/page_parts.h"

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

static void put_places(Text *out, const Layout *l)
{
    text_printf(out, "[%d,%d", l->width, l->height);
    put_list(out, &l->nodes, false);
    put_list(out, &l->boxes, false);
    put_list(out, &l->edges, true);
}

void layout_put(Text *out, const Layout *l)
{
    put_places(out, l);
    text_putc(out, ']');
}

void layout_put_cut(Text *out, const Layout *l)
{
    put_places(out, l);
    put_list(out, &l->tails, true);
    put_list(out, &l->heads, true);
    text_putc(out, ']');
}
