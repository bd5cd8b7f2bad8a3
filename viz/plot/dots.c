/* Dots of Braille characters.  See dots.h. */
#include "viz/plot/dots.h"

void dots_begin(Dots *d, int columns, int rows)
{
    size_t n = (size_t)columns * (size_t)rows;
    *d = (Dots){.columns = columns, .rows = rows, .dots = xcalloc(n, 1), .owner = xcalloc(n, 1)};
}

void dots_free(Dots *d)
{
    free(d->dots);
    free(d->owner);
    *d = (Dots){0};
}

void dots_put(Dots *d, int x, int y, size_t series)
{
    static const u8 bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x < 0 || y < 0 || x >= 2 * d->columns || y >= 4 * d->rows)
        return;
    int at = y / 4 * d->columns + x / 2;
    d->dots[at] |= bits[y % 4][x % 2];
    d->owner[at] = (u8)(series % 255 + 1);
}

/* Bresenham's line (IBM Systems Journal, 1965). */
void dots_line(Dots *d, int x0, int y0, int x1, int y1, size_t series)
{
    int dx = abs(x1 - x0), dy = -abs(y1 - y0), sx = x0 < x1 ? 1 : -1, sy = y0 < y1 ? 1 : -1;
    int error = dx + dy;
    for (;;) {
        dots_put(d, x0, y0, series);
        if (x0 == x1 && y0 == y1)
            return;
        int twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            x0 += sx;
        }
        if (twice <= dx) {
            error += dx;
            y0 += sy;
        }
    }
}

static void put_braille(Text *out, u8 dots)
{
    u32 code = 0x2800u + dots;
    text_putc(out, (char)(0xE0 | code >> 12));
    text_putc(out, (char)(0x80 | (code >> 6 & 0x3F)));
    text_putc(out, (char)(0x80 | (code & 0x3F)));
}

void dots_put_row(const Dots *d, Text *out, int row, const char *const *color, size_t n)
{
    u8 now = 0;
    for (int k = 0; k < d->columns; k++) {
        int at = row * d->columns + k;
        if (color && d->owner[at] != now) {
            if (d->owner[at])
                text_printf(out, "\x1b[%sm", color[(size_t)(d->owner[at] - 1) % n]);
            else
                text_put(out, "\x1b[0m");
            now = d->owner[at];
        }
        if (d->dots[at])
            put_braille(out, d->dots[at]);
        else
            text_putc(out, ' ');
    }
    if (now)
        text_put(out, "\x1b[0m");
}
