/* Numbers in few letters, and layouts in such numbers.
 *
 * A number is zigzag coded (the lowest bit is the sign), five bits a letter, lowest first, a letter
 * with bit 5 goes on: the base64 VLQ of source maps with the alphabet for addresses (RFC 4648,
 * section 5). Numbers follow each other without a sign between them.
 *
 *   [width, height, [nodes], [boxes], [edges]]   "": not drawn
 *
 * and, where edges are cut at the borders of folds, [tails], [heads] of them; in whole pixels; a
 * node or box is "x y w h", an edge "x y tip" and for each curve "2 dx + corner, dy": a bow that
 * starts and ends upright (a straight line where dx or dy is 0), or the round corner between an
 * upright line and a level one. The tip is so far below the end; 0: there is none.
 *
 * Invariant: what is written reads back as the same numbers; the points between the ends of a curve
 * as those that lay_route.c gives it, or a pixel beside them. */
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

/* From three points of a curve after `from`: neither upright at both ends nor level. */
static bool is_corner(const int *from)
{
    const int *a = from + 2, *b = from + 4, *to = from + 6;
    bool upright = a[0] == from[0] && b[0] == to[0], level = to[1] == from[1];
    return !upright && !level;
}

void way_shorten(const Places *way, Places *out)
{
    size_t n = way->len / 2;
    bool line = n == 3, tipped = line || n % 3 == 2;
    size_t by = line ? 2 : 6, last = way->len - (tipped ? 4 : 2);
    out->len = 0;
    if (!n)
        return;
    vec_push(out, way->at[0]);
    vec_push(out, way->at[1]);
    vec_push(out, tipped ? way->at[last + 3] - way->at[last + 1] : 0);
    for (size_t k = 0; k < last; k += by) {
        const int *from = way->at + k, *to = from + by;
        vec_push(out, 2 * (to[0] - from[0]) + (!line && is_corner(from)));
        vec_push(out, to[1] - from[1]);
    }
}

void letters_put_since(Text *out, const Places *was, const Places *is)
{
    size_t head = 0, tail = 0, least = was->len < is->len ? was->len : is->len;
    while (head < least && was->at[head] == is->at[head])
        head++;
    while (tail < least - head && was->at[was->len - 1 - tail] == is->at[is->len - 1 - tail])
        tail++;
    bool same = was->len == is->len && head == is->len;
    letters_put(out, same ? 0 : (i64)(is->len - head - tail) + 1);
    if (same)
        return;
    letters_put(out, (i64)head);
    letters_put(out, (i64)tail);
    for (size_t i = head; i < is->len - tail; i++)
        letters_put(out, is->at[i]);
}

void json_letters(Json *j, Text *letters)
{
    json_string(j, text_str(letters));
    text_free(letters);
}

static void put_list(Json *j, const PlacesList *l, bool routes)
{
    Places way = {0};
    json_begin(j, '[');
    for (size_t i = 0; i < l->len; i++) {
        Text t = {0};
        const Places *at = routes ? &way : &l->at[i];
        if (routes)
            way_shorten(&l->at[i], &way);
        for (size_t k = 0; k < at->len; k++)
            letters_put(&t, at->at[k]);
        json_letters(j, &t);
    }
    json_end(j, ']');
    vec_free(&way);
}

void layout_put(Json *j, const Layout *l, bool cut)
{
    json_begin(j, '[');
    json_int(j, l->width);
    json_int(j, l->height);
    put_list(j, &l->nodes, false);
    put_list(j, &l->boxes, false);
    put_list(j, &l->edges, true);
    if (cut) {
        put_list(j, &l->tails, true);
        put_list(j, &l->heads, true);
    }
    json_end(j, ']');
}
