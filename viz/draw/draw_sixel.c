/* Pixels as sixels, which terminals such as xterm, foot and mlterm show.
 *
 * A picture has few colours and mixtures of them along edges: the most frequent ones become the
 * palette, of the others each the nearest.
 *
 * Invariant: every pixel has a colour of the palette; the same pixels give the same bytes. */
#include "viz/draw/picture.h"

enum { PALETTE = 256, BITS = 5, LEVELS = 1 << BITS, SHADES = LEVELS * LEVELS * LEVELS, BAND = 6 };

/* Colours that agree in their upper bits. */
typedef struct {
    u32 shade, count;
    u64 sum[3];
} Shade;

typedef struct {
    const Pixels *of;
    Shade *shades; /* by shade, then the most frequent first */
    int colors;
    unsigned char rgb[PALETTE][3];
    short *color_of; /* by shade; -1: not used */
} Sixels;

/* A pixel on white: Cairo has the colours multiplied by how opaque it is. */
static void rgb_at(const Pixels *p, int x, int y, unsigned char *rgb)
{
    u32 v = *(const u32 *)(const void *)(p->at + (size_t)y * (size_t)p->stride + 4 * (size_t)x);
    u32 clear = 255 - (v >> 24);
    for (int i = 0; i < 3; i++) {
        u32 level = (v >> (16 - 8 * i) & 255) + clear;
        rgb[i] = (unsigned char)(level > 255 ? 255 : level);
    }
}

static u32 shade_of(const unsigned char *rgb)
{
    u32 shade = 0;
    for (int i = 0; i < 3; i++)
        shade = shade << BITS | rgb[i] >> (8 - BITS);
    return shade;
}

static int compare_shades(const void *a, const void *b)
{
    const Shade *p = a, *q = b;
    return p->count != q->count ? (p->count < q->count ? 1 : -1)
                                : (p->shade > q->shade) - (p->shade < q->shade);
}

static int nearest(const Sixels *s, const unsigned char *rgb)
{
    int best = 0, least = INT32_MAX;
    for (int c = 0; c < s->colors; c++) {
        int far = 0;
        for (int i = 0; i < 3; i++)
            far += (s->rgb[c][i] - rgb[i]) * (s->rgb[c][i] - rgb[i]);
        if (far < least) {
            least = far;
            best = c;
        }
    }
    return best;
}

static void choose_palette(Sixels *s)
{
    unsigned char rgb[3];
    for (u32 i = 0; i < SHADES; i++)
        s->shades[i].shade = i;
    for (int y = 0; y < s->of->h; y++)
        for (int x = 0; x < s->of->w; x++) {
            rgb_at(s->of, x, y, rgb);
            Shade *shade = &s->shades[shade_of(rgb)];
            shade->count++;
            for (int i = 0; i < 3; i++)
                shade->sum[i] += rgb[i];
        }
    qsort(s->shades, SHADES, sizeof *s->shades, compare_shades);
    for (int c = 0; c < PALETTE && s->shades[c].count; c++, s->colors++)
        for (int i = 0; i < 3; i++)
            s->rgb[c][i] = (unsigned char)(s->shades[c].sum[i] / s->shades[c].count);
    for (int k = 0; k < SHADES && s->shades[k].count; k++) {
        const Shade *shade = &s->shades[k];
        for (int i = 0; i < 3; i++)
            rgb[i] = (unsigned char)(shade->sum[i] / shade->count);
        s->color_of[shade->shade] = (short)(k < s->colors ? k : nearest(s, rgb));
    }
}

static void put_run(Text *out, int bits, int n)
{
    if (n > 3)
        text_printf(out, "!%d%c", n, '?' + bits);
    else
        for (; n > 0; n--)
            text_putc(out, (char)('?' + bits));
}

/* Six rows: for each colour in them, which of the six are of it, column by column. */
static void put_band(const Sixels *s, Text *out, int top, const short *colors, bool *used)
{
    int w = s->of->w;
    bool first = true;
    for (int c = 0; c < s->colors; c++) {
        if (!used[c])
            continue;
        used[c] = false;
        text_printf(out, "%s#%d", first ? "" : "$", c);
        first = false;
        int last = 0, n = 0;
        for (int x = 0; x < w; x++) {
            int bits = 0;
            for (int y = 0; y < BAND && top + y < s->of->h; y++)
                bits |= (colors[y * w + x] == c) << y;
            if (bits != last) {
                put_run(out, last, n);
                n = 0;
            }
            last = bits;
            n++;
        }
        if (last)
            put_run(out, last, n);
    }
    text_putc(out, '-');
}

void pixels_to_sixels(const Pixels *p, Text *out)
{
    Sixels s = {.of = p,
                .shades = xcalloc(SHADES, sizeof(Shade)),
                .color_of = xcalloc(SHADES, sizeof(short))};
    short *colors = xcalloc((size_t)p->w * BAND + 1, sizeof *colors);
    bool used[PALETTE] = {false};
    unsigned char rgb[3];
    choose_palette(&s);
    text_printf(out, "\033P0;1;0q\"1;1;%d;%d", p->w, p->h);
    for (int c = 0; c < s.colors; c++)
        text_printf(out, "#%d;2;%d;%d;%d", c, (s.rgb[c][0] * 100 + 127) / 255,
                    (s.rgb[c][1] * 100 + 127) / 255, (s.rgb[c][2] * 100 + 127) / 255);
    for (int top = 0; top < p->h; top += BAND) {
        for (int y = 0; y < BAND && top + y < p->h; y++)
            for (int x = 0; x < p->w; x++) {
                rgb_at(p, x, top + y, rgb);
                short c = s.color_of[shade_of(rgb)];
                colors[y * p->w + x] = c;
                used[c] = true;
            }
        put_band(&s, out, top, colors, used);
    }
    text_put(out, "\033\\");
    free(colors);
    free(s.shades);
    free(s.color_of);
}
