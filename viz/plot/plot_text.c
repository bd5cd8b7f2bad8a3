/* Plots in a terminal: dots of Braille characters, 2 by 4 in each. */
#include "viz/plot/plot.h"

#include <math.h>

enum { WIDTH = 72, HEIGHT = 16, LEAST_COLUMNS = 8, LABEL = 24 };

static const char *const colors[] = {"34", "31", "32", "35", "33", "36"};

typedef struct {
    const Plot *p;
    Scale x, y;
    int columns, rows; /* in characters */
    u8 *dots;          /* a bit for each of the 8 dots of a character */
    u8 *owner;         /* the series, + 1, that drew there last */
} Canvas;

static void put_dot(Canvas *c, int x, int y, size_t series)
{
    static const u8 bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x < 0 || y < 0 || x >= 2 * c->columns || y >= 4 * c->rows)
        return;
    int at = y / 4 * c->columns + x / 2;
    c->dots[at] |= bits[y % 4][x % 2];
    c->owner[at] = (u8)(series % 255 + 1);
}

static int dot_x(const Canvas *c, double v)
{
    return (int)lround(plot_share(&c->x, v) * (2 * c->columns - 1));
}

static int dot_y(const Canvas *c, double v)
{
    return (int)lround((1 - plot_share(&c->y, v)) * (4 * c->rows - 1));
}

/* Bresenham's line (IBM Systems Journal, 1965). */
static void put_line(Canvas *c, int x0, int y0, int x1, int y1, size_t series)
{
    int dx = abs(x1 - x0), dy = -abs(y1 - y0), sx = x0 < x1 ? 1 : -1, sy = y0 < y1 ? 1 : -1;
    int error = dx + dy;
    for (;;) {
        put_dot(c, x0, y0, series);
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

static void put_series(Canvas *c, size_t k)
{
    const PlotSeries *s = &c->p->series.at[k];
    bool before = false;
    int x0 = 0, y0 = 0;
    for (int i = 0; i < s->n; i++) {
        bool there = isfinite(s->x[i]) && isfinite(s->y[i]);
        int x = there ? dot_x(c, s->x[i]) : 0, y = there ? dot_y(c, s->y[i]) : 0;
        if (there && before && c->p->kind == PLOT_LINES)
            put_line(c, x0, y0, x, y, k);
        else if (there)
            put_dot(c, x, y, k);
        before = there;
        x0 = x;
        y0 = y;
    }
}

static void put_braille(Text *out, u8 dots)
{
    u32 code = 0x2800u + dots;
    text_putc(out, (char)(0xE0 | code >> 12));
    text_putc(out, (char)(0x80 | (code >> 6 & 0x3F)));
    text_putc(out, (char)(0x80 | (code & 0x3F)));
}

/* The letters of the series that end in this row, 'a' the first. */
static void put_letters(const Canvas *c, Text *out, int row)
{
    for (size_t k = 0; k < c->p->series.len && c->p->series.len > 1; k++) {
        const PlotSeries *s = &c->p->series.at[k];
        int i = s->n - 1;
        while (i >= 0 && !(isfinite(s->x[i]) && isfinite(s->y[i])))
            i--;
        if (i >= 0 && dot_y(c, s->y[i]) / 4 == row)
            text_putc(out, (char)('a' + k % 26));
    }
}

static void put_row(const Canvas *c, Text *out, int row, int margin)
{
    Text label = {0};
    for (int k = 0; k < c->y.n; k++)
        if (dot_y(c, c->y.at[k]) / 4 == row && !label.len)
            plot_put_tick(&label, &c->y, k);
    text_printf(out, "%*s %s", margin, text_str(&label), label.len ? "┤" : "│");
    text_free(&label);
    u8 now = 0;
    for (int k = 0; k < c->columns; k++) {
        int at = row * c->columns + k;
        if (c->p->color && c->owner[at] != now) {
            if (c->owner[at])
                text_printf(out, "\x1b[%sm", colors[(c->owner[at] - 1) % COUNT_OF(colors)]);
            else
                text_put(out, "\x1b[0m");
            now = c->owner[at];
        }
        if (c->dots[at])
            put_braille(out, c->dots[at]);
        else
            text_putc(out, ' ');
    }
    if (now)
        text_put(out, "\x1b[0m");
    put_letters(c, out, row);
    while (out->len && out->at[out->len - 1] == ' ')
        out->len--;
    text_putc(out, '\n');
}

/* The axis below, and its numbers where there is room. */
static void put_axis(const Canvas *c, Text *out, int margin)
{
    Text line = {0};
    text_printf(out, "%*s └", margin, "");
    for (int k = 0; k < c->columns; k++) {
        bool tick = false;
        for (int i = 0; i < c->x.n; i++)
            tick = tick || dot_x(c, c->x.at[i]) / 2 == k;
        text_put(out, tick ? "┴" : "─");
    }
    text_putc(out, '\n');
    for (int i = 0; i < c->x.n; i++) {
        Text t = {0};
        plot_put_tick(&t, &c->x, i);
        int at = margin + 2 + dot_x(c, c->x.at[i]) / 2 - (int)t.len / 2;
        at = at < 0 ? 0 : at;
        if (at > (int)line.len || !line.len) {
            while ((int)line.len < at)
                text_putc(&line, ' ');
            text_put(&line, text_str(&t));
        }
        text_free(&t);
    }
    if (c->p->over)
        text_printf(&line, "  %s", c->p->over);
    text_printf(out, "%s\n", text_str(&line));
    text_free(&line);
}

static void put_legend(const Plot *p, Text *out, int margin)
{
    for (size_t k = 0; k < p->series.len && p->series.len > 1; k++) {
        const char *color = colors[k % COUNT_OF(colors)];
        text_printf(out, "%*s %s%s%c%s %s\n", margin, "", p->color ? "\x1b[" : "",
                    p->color ? color : "", p->color ? 'm' : (char)('a' + k % 26),
                    p->color ? "──\x1b[0m" : ":", p->series.at[k].label);
    }
}

static void text_lines(const Plot *p, Text *out)
{
    Canvas c = {.p = p, .rows = p->height ? p->height : HEIGHT};
    int margin = 0, width = p->width ? p->width : WIDTH;
    plot_scales(p, width / 12, c.rows / 3, &c.x, &c.y);
    for (int k = 0; k < c.y.n; k++) {
        Text t = {0};
        plot_put_tick(&t, &c.y, k);
        margin = (int)t.len > margin ? (int)t.len : margin;
        text_free(&t);
    }
    c.columns = width - margin - 4 > LEAST_COLUMNS ? width - margin - 4 : LEAST_COLUMNS;
    c.dots = xcalloc((size_t)c.columns * (size_t)c.rows, 1);
    c.owner = xcalloc((size_t)c.columns * (size_t)c.rows, 1);
    for (size_t k = 0; k < p->series.len; k++)
        put_series(&c, k);
    for (int row = 0; row < c.rows; row++)
        put_row(&c, out, row, margin);
    put_axis(&c, out, margin);
    put_legend(p, out, margin);
    free(c.dots);
    free(c.owner);
}

/* ---- bars ---- */

static void text_bars(const Plot *p, Text *out)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const PlotSeries *s = &p->series.at[0];
    double most = 1, width = (p->width ? p->width : WIDTH) - 24;
    for (int i = 0; i < s->n; i++)
        most = fmax(most, s->y[i]);
    width = fmax(width, LEAST_COLUMNS);
    for (int i = 0; i < s->n; i++) {
        int parts = (int)lround(s->y[i] / most * width * 8);
        parts = s->y[i] > 0 && parts == 0 ? 1 : parts;
        text_printf(out, "%12.6g │", s->x[i]);
        for (int k = 0; k < parts / 8; k++)
            text_put(out, "█");
        text_printf(out, "%s %.0f\n", eighths[parts % 8], s->y[i]);
    }
}

/* ---- heat maps ---- */

static void text_heat(const Plot *p, Text *out)
{
    static const char *const shades[] = {"  ", "░░", "▒▒", "▓▓", "██"};
    double low = 0, high = 0;
    int rows, columns, width = p->width ? p->width : WIDTH;
    bool any = plot_cell_range(p, &low, &high);
    int most = width / 2 - 2 > LEAST_COLUMNS ? width / 2 - 2 : LEAST_COLUMNS;
    double *at = plot_blocks(p, p->height ? p->height : 2 * HEIGHT, most, &rows, &columns);
    for (int r = 0; r < rows; r++) {
        text_put(out, "│");
        for (int c = 0; c < columns; c++) {
            double v = at[(i64)r * columns + c], f = high > low ? (v - low) / (high - low) : 0.5;
            int shade = (int)(f * COUNT_OF(shades));
            text_put(out, !isfinite(v) ? "? " : shades[shade < 0 ? 0 : shade > 4 ? 4 : shade]);
        }
        text_put(out, "│\n");
    }
    free(at);
    if (any)
        text_printf(out, "from %.6g (blank) to %.6g (full)\n", low, high);
    if (rows < p->rows || columns < p->columns)
        text_printf(out, "means of blocks: %d by %d in place of %d by %d\n", rows, columns, p->rows,
                    p->columns);
}

void plot_text(const Plot *p, Text *out)
{
    if (p->title)
        text_printf(out, "%s\n", p->title);
    if (p->kind == PLOT_HEAT)
        text_heat(p, out);
    else if (p->kind == PLOT_HIST)
        text_bars(p, out);
    else
        text_lines(p, out);
}
