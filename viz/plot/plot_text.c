/* Plots in a terminal: dots of Braille characters, 2 by 4 in each. */
#include "viz/plot/plot.h"

#include "viz/plot/dots.h"

#include <math.h>

enum { WIDTH = 72, HEIGHT = 16, LEAST_COLUMNS = 8, LABEL = 24 };

static const char *const colors[] = {"34", "31", "32", "35", "33", "36"};

typedef struct {
    const Plot *p;
    Scale x, y;
    Dots dots;
    VEC(int) ends; /* the row in which each series ends; -1: none */
} Canvas;

static int column_of(const Canvas *c, double share)
{
    return (int)lround(share * (2 * c->dots.columns - 1));
}
static int row_of(const Canvas *c, double share)
{
    return (int)lround((1 - share) * (4 * c->dots.rows - 1));
}
static int dot_x(const Canvas *c, double v) { return column_of(c, plot_share(&c->x, v)); }
static int dot_y(const Canvas *c, double v) { return row_of(c, plot_share(&c->y, v)); }

/* The last spot that is there; its place in the list, or -1. */
static int last_spot(const Spots *s)
{
    int i = (int)s->len - 1;
    while (i >= 0 && isnan(s->at[i].x))
        i--;
    return i;
}

static void put_spots(Canvas *c, const Spots *s, size_t k, bool joined)
{
    bool before = false;
    int x0 = 0, y0 = 0;
    for (size_t i = 0; i < s->len; i++) {
        bool there = isfinite(s->at[i].x);
        int x = there ? column_of(c, s->at[i].x) : 0, y = there ? row_of(c, s->at[i].y) : 0;
        if (there && before && joined)
            dots_line(&c->dots, x0, y0, x, y, k);
        else if (there)
            dots_put(&c->dots, x, y, k);
        before = there;
        x0 = x;
        y0 = y;
    }
}

/* Of bands the medians as a line, the borders of the outer one as dots. */
static void put_series(Canvas *c, size_t k)
{
    const PlotSeries *s = &c->p->series.at[k];
    Spots spots = {0};
    plot_spots(c->p, s->n, s->x, s->y, &c->x, &c->y, &spots);
    put_spots(c, &spots, k, c->p->kind != PLOT_POINTS);
    int last = last_spot(&spots);
    vec_push(&c->ends, last < 0 ? -1 : row_of(c, spots.at[last].y) / 4);
    for (int side = 0; side < 2 && s->lanes; side++) {
        spots.len = 0;
        plot_spots(c->p, s->n, s->x, s->edge[0][side], &c->x, &c->y, &spots);
        put_spots(c, &spots, k, false);
    }
    vec_free(&spots);
}

/* The letters of the series that end in this row, 'a' the first. */
static void put_letters(const Canvas *c, Text *out, int row)
{
    for (size_t k = 0; k < c->ends.len && c->ends.len > 1; k++)
        if (c->ends.at[k] == row)
            text_putc(out, (char)('a' + k % 26));
}

static void put_row(const Canvas *c, Text *out, int row, int margin)
{
    Text label = {0};
    for (int k = 0; k < c->y.n; k++)
        if (dot_y(c, c->y.at[k]) / 4 == row && !label.len)
            plot_put_tick(&label, &c->y, k);
    text_printf(out, "%*s %s", margin, text_str(&label), label.len ? "┤" : "│");
    text_free(&label);
    dots_put_row(&c->dots, out, row, c->p->color ? colors : NULL, COUNT_OF(colors));
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
    for (int k = 0; k < c->dots.columns; k++) {
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

static void plot_lines(const Plot *p, Text *out)
{
    Canvas c = {.p = p};
    int columns, rows = p->height ? p->height : HEIGHT;
    int margin = 0, width = p->width ? p->width : WIDTH;
    plot_scales(p, width / 12, rows / 3, &c.x, &c.y);
    for (int k = 0; k < c.y.n; k++) {
        Text t = {0};
        plot_put_tick(&t, &c.y, k);
        margin = (int)t.len > margin ? (int)t.len : margin;
        text_free(&t);
    }
    columns = width - margin - 4 > LEAST_COLUMNS ? width - margin - 4 : LEAST_COLUMNS;
    dots_begin(&c.dots, columns, rows);
    for (size_t k = 0; k < p->series.len; k++)
        put_series(&c, k);
    for (int row = 0; row < rows; row++)
        put_row(&c, out, row, margin);
    put_axis(&c, out, margin);
    put_legend(p, out, margin);
    if (p->kind == PLOT_BANDS)
        text_printf(out, "%*s lines: medians of %d lanes; dots: nine tenths are between them\n",
                    margin, "", p->series.at[0].lanes);
    vec_free(&c.ends);
    dots_free(&c.dots);
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

/* One below the other, with a line that says what it is. */
static void text_panels(const Plot *p, Text *out)
{
    for (size_t k = 0; k < p->series.len; k++) {
        Plot one = plot_panel(p, k);
        text_printf(out, "%s\n", p->series.at[k].label);
        plot_lines(&one, out);
    }
}

void plot_text(const Plot *p, Text *out)
{
    if (p->title)
        text_printf(out, "%s\n", p->title);
    if (p->kind == PLOT_HEAT)
        text_heat(p, out);
    else if (p->kind == PLOT_HIST)
        text_bars(p, out);
    else if (p->panels)
        text_panels(p, out);
    else
        plot_lines(p, out);
}
