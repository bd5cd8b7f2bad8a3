/* Plots as SVG: literal colours, no style sheet, lines that differ by dashes as well as by colour.
 */
#include "viz/plot/plot.h"

#include "base/utf8.h"

#include <math.h>

enum { WIDE = 480, TALL = 300, LEFT = 62, RIGHT = 16, TOP = 14, BOTTOM = 38, LINE = 17 };

#define INK "#1b2430"
#define PALE "#59626d"
#define GRID "#dfe3e8"
#define FONT "font-family=\"'DejaVu Sans',system-ui,sans-serif\""

/* Okabe and Ito, Color Universal Design (2008): told apart by the colour-blind. */
static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#000000"};
static const char *const dashes[] = {"", "6 3", "2 2", "8 3 2 3", "10 4", "4 2 1 2", "1 3"};

typedef struct {
    const Plot *p;
    Text *out;
    Scale x, y;
    double left, top, width, height; /* of the field */
} Field;

static double field_x(const Field *f, double v)
{
    return f->left + plot_share(&f->x, v) * f->width;
}

static double field_y(const Field *f, double v)
{
    return f->top + (1 - plot_share(&f->y, v)) * f->height;
}

static void put_words(Text *out, double x, double y, const char *anchor, const char *color,
                      const char *words)
{
    text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\" font-size=\"11\">",
                x, y, anchor, color);
    xml_put(out, words);
    text_put(out, "</text>\n");
}

static void put_segment(Text *out, double x0, double y0, double x1, double y1, const char *color)
{
    text_printf(out,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                "stroke-width=\"1\"/>\n",
                x0, y0, x1, y1, color);
}

static void put_axes(const Field *f)
{
    double bottom = f->top + f->height;
    for (int k = 0; k < f->y.n; k++) {
        Text t = {0};
        double y = field_y(f, f->y.at[k]);
        put_segment(f->out, f->left, y, f->left + f->width, y, GRID);
        plot_put_tick(&t, &f->y, k);
        put_words(f->out, f->left - 6, y + 4, "end", PALE, text_str(&t));
        text_free(&t);
    }
    for (int k = 0; k < f->x.n; k++) {
        Text t = {0};
        double x = field_x(f, f->x.at[k]);
        put_segment(f->out, x, bottom, x, bottom + 4, PALE);
        plot_put_tick(&t, &f->x, k);
        put_words(f->out, x, bottom + 17, "middle", PALE, text_str(&t));
        text_free(&t);
    }
    put_segment(f->out, f->left, bottom, f->left + f->width, bottom, PALE);
    if (f->p->over)
        put_words(f->out, f->left + f->width / 2, bottom + 32, "middle", INK, f->p->over);
}

static void put_line(const Field *f, size_t k)
{
    const PlotSeries *s = &f->p->series.at[k];
    bool before = false;
    text_printf(f->out,
                "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" stroke-linejoin=\"round\"",
                colors[k % COUNT_OF(colors)]);
    if (*dashes[k % COUNT_OF(dashes)])
        text_printf(f->out, " stroke-dasharray=\"%s\"", dashes[k % COUNT_OF(dashes)]);
    text_put(f->out, " d=\"");
    for (int i = 0; i < s->n; i++) {
        bool there = isfinite(s->x[i]) && isfinite(s->y[i]);
        if (there)
            text_printf(f->out, "%c%.1f %.1f", before ? 'L' : 'M', field_x(f, s->x[i]),
                        field_y(f, s->y[i]));
        if (there && !before) /* one alone is a dot */
            text_put(f->out, "h0");
        before = there;
    }
    text_put(f->out, "\" stroke-linecap=\"round\"/>\n");
}

static void put_points(const Field *f, size_t k)
{
    const PlotSeries *s = &f->p->series.at[k];
    for (int i = 0; i < s->n; i++)
        if (isfinite(s->x[i]) && isfinite(s->y[i]))
            text_printf(f->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\"/>\n",
                        field_x(f, s->x[i]), field_y(f, s->y[i]), k % 2 ? "3.4" : "2.6",
                        colors[k % COUNT_OF(colors)]);
}

static void put_bars(const Field *f)
{
    const PlotSeries *s = &f->p->series.at[0];
    double each = f->width / (s->n ? s->n : 1);
    for (int i = 0; i < s->n; i++) {
        double y = field_y(f, s->y[i]);
        text_printf(f->out,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                    f->left + i * each + 0.5, y, each - 1, f->top + f->height - y, colors[0]);
    }
}

static void put_legend(const Field *f, double top)
{
    size_t n = f->p->series.len;
    for (size_t k = 0; k < n && n > 1; k++) {
        double y = top + LINE * (double)k;
        put_words(f->out, f->left + 33, y + 4, "start", INK, f->p->series.at[k].label);
        if (f->p->kind == PLOT_POINTS) {
            text_printf(f->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\"/>\n",
                        f->left + 13, y, k % 2 ? "3.4" : "2.6", colors[k % COUNT_OF(colors)]);
            continue;
        }
        text_printf(f->out,
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                    "stroke-width=\"2\"",
                    f->left, y, f->left + 26, y, colors[k % COUNT_OF(colors)]);
        if (*dashes[k % COUNT_OF(dashes)])
            text_printf(f->out, " stroke-dasharray=\"%s\"", dashes[k % COUNT_OF(dashes)]);
        text_put(f->out, "/>\n");
    }
}

static void svg_lines(const Plot *p, Text *out, double top)
{
    Field f = {.p = p,
               .out = out,
               .left = LEFT,
               .top = top,
               .width = WIDE - LEFT - RIGHT,
               .height = TALL - TOP - BOTTOM};
    plot_scales(p, 6, 5, &f.x, &f.y);
    put_axes(&f);
    if (p->kind == PLOT_HIST)
        put_bars(&f);
    for (size_t k = 0; k < p->series.len && p->kind != PLOT_HIST; k++)
        (p->kind == PLOT_POINTS ? put_points : put_line)(&f, k);
    put_legend(&f, top + f.height + BOTTOM + LINE / 2.0);
}

/* From pale to dark blue, so that it can be read in grey, too. */
static void put_shade(Text *out, double f)
{
    static const double from[] = {247, 251, 255}, to[] = {8, 48, 107};
    text_printf(out, "#%02x%02x%02x", (unsigned)lround(from[0] + (to[0] - from[0]) * f),
                (unsigned)lround(from[1] + (to[1] - from[1]) * f),
                (unsigned)lround(from[2] + (to[2] - from[2]) * f));
}

static void svg_heat(const Plot *p, Text *out, double top)
{
    enum { MOST = 128 };
    double low = 0, high = 0;
    int rows, columns;
    bool any = plot_cell_range(p, &low, &high);
    double *at = plot_blocks(p, MOST, MOST, &rows, &columns);
    double w = (double)(WIDE - 2 * RIGHT) / columns, h = (double)(TALL - TOP - BOTTOM) / rows;
    w = h = fmin(w, h);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            double v = at[(i64)r * columns + c];
            text_printf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"",
                        RIGHT + c * w, top + r * h, w + 0.05, h + 0.05);
            if (isfinite(v))
                put_shade(out, high > low ? (v - low) / (high - low) : 0.5);
            else
                text_put(out, "#ff7f7f");
            text_put(out, "\"/>\n");
        }
    free(at);
    Text words = {0};
    if (any)
        text_printf(&words, "from %.6g (pale) to %.6g (dark); %d rows, %d columns", low, high,
                    p->rows, p->columns);
    put_words(out, RIGHT, top + rows * h + 18, "start", PALE, text_str(&words));
    text_free(&words);
}

void plot_svg(const Plot *p, Text *out)
{
    double top = TOP + (p->title ? LINE : 0);
    double tall = top + TALL - TOP;
    if (p->kind != PLOT_HEAT && p->kind != PLOT_HIST && p->series.len > 1)
        tall += LINE * (double)p->series.len;
    Text words = {0};
    plot_describe(p, &words);
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
                "viewBox=\"0 0 %d %.0f\" role=\"img\" " FONT ">\n<title>",
                WIDE, tall, WIDE, tall);
    xml_put(out, p->title ? p->title : "Plot");
    text_put(out, "</title>\n<desc>");
    xml_put(out, text_str(&words));
    text_printf(out, "</desc>\n<rect width=\"%d\" height=\"%.0f\" fill=\"#ffffff\"/>\n", WIDE,
                tall);
    text_free(&words);
    if (p->title)
        put_words(out, RIGHT, TOP + 4, "start", INK, p->title);
    if (p->kind == PLOT_HEAT)
        svg_heat(p, out, top);
    else
        svg_lines(p, out, top);
    text_put(out, "</svg>\n");
}
