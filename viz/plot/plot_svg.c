/* Plots as SVG, painted on a canvas: literal colours, no style sheet, lines that differ by dashes
 * as well as by colour. */
#include "viz/canvas/canvas.h"
#include "viz/plot/plot.h"

#include <math.h>

enum {
    WIDE = 480,
    TALL = 300,
    PANEL = 170,
    LEFT = 62,
    RIGHT = 16,
    TOP = 14,
    BOTTOM = 38,
    LINE = 17
};

static const Color ink = {"ink", .light = "#1b2430"}, pale = {"muted", PAINT_MUTED},
                   grid = {"grid", .light = "#dfe3e8"}, paper = {"paper", PAINT_PAPER};
static const Letters letters[] = {{NULL, FONT_SANS, 11}};

/* Okabe and Ito, Color Universal Design (2008): told apart by the colour-blind. */
static const Color colors[] = {
    {"blue", .light = "#0072b2"},   {"vermilion", .light = "#d55e00"},
    {"green", .light = "#009e73"},  {"purple", .light = "#cc79a7"},
    {"orange", .light = "#e69f00"}, {"sky", .light = "#56b4e9"},
    {"black", .light = "#000000"},
};
static const char *const dashes[] = {NULL, "6 3", "2 2", "8 3 2 3", "10 4", "4 2 1 2", "1 3"};

typedef struct {
    Canvas *c;
    const Plot *p;
    Scale x, y;
    double left, top, width, height; /* of the field */
} Field;

static Point spot_point(const Field *f, Spot s)
{
    return (Point){f->left + s.x * f->width, f->top + (1 - s.y) * f->height};
}

static Spot into_field(Spot s) { return (Spot){fmin(fmax(s.x, 0), 1), fmin(fmax(s.y, 0), 1)}; }

static Point field_point(const Field *f, double x, double y)
{
    return spot_point(f, (Spot){plot_share(&f->x, x), plot_share(&f->y, y)});
}

static void put_words(Canvas *c, double x, double y, int side, Color color, const char *words)
{
    Words w = {.at = {x, y}, .side = side, .color = color};
    c->to->text(c, &w, &(TextRun){.text = words}, 1);
}

static void put_segment(Canvas *c, double x0, double y0, double x1, double y1, const Look *l)
{
    c->to->path(c, l, (const Point[]){{x0, y0}, {x1, y1}}, 2);
}

static void put_tick(const Field *f, const Scale *s, int k, double x, double y, int side)
{
    Text t = {0};
    plot_put_tick(&t, s, k);
    put_words(f->c, x, y, side, pale, text_str(&t));
    text_free(&t);
}

static void put_axes(const Field *f)
{
    const Look rule = {.line = grid, .width = 1}, axis = {.line = pale, .width = 1};
    double bottom = f->top + f->height, right = f->left + f->width;
    for (int k = 0; k < f->y.n; k++) {
        double y = field_point(f, f->x.low, f->y.at[k]).y;
        put_segment(f->c, f->left, y, right, y, &rule);
        put_tick(f, &f->y, k, f->left - 6, y + 4, 1);
    }
    for (int k = 0; k < f->x.n; k++) {
        double x = field_point(f, f->x.at[k], f->y.low).x;
        put_segment(f->c, x, bottom, x, bottom + 4, &axis);
        put_tick(f, &f->x, k, x, bottom + 17, 0);
    }
    put_segment(f->c, f->left, bottom, right, bottom, &axis);
    bool bars = f->p->kind == PLOT_HIST;
    put_words(f->c, f->left + f->width / 2, bottom + 32, 0, ink,
              f->p->over ? f->p->over
              : bars     ? f->p->series.at[0].label
                         : "index");
    if (bars || f->p->series.len == 1)
        put_words(f->c, f->left, f->top - 4, -1, ink, bars ? "count" : f->p->series.at[0].label);
}

static Look series_look(size_t k, double width)
{
    return (Look){
        .line = colors[k % COUNT_OF(colors)], .width = width, .dash = dashes[k % COUNT_OF(dashes)]};
}

static void put_dot(const Field *f, size_t k, Point at)
{
    f->c->to->dot(f->c, &(Look){.fill = colors[k % COUNT_OF(colors)]}, at, k % 2 ? 3.4 : 2.6);
}

/* Along the one border and back along the other, each stretch without a gap by itself. */
static void put_band(const Field *f, size_t k, int b)
{
    const PlotSeries *s = &f->p->series.at[k];
    Look l = {.fill = colors[k % COUNT_OF(colors)], .clear = b == 0 ? 0.82 : 0.68};
    Spots low = {0}, high = {0};
    VEC(Point) around = {0};
    Plot whole = *f->p; /* what is outside is at the border, so that the band is closed */
    whole.within_x.given = whole.within_y.given = false;
    plot_spots(&whole, s->n, s->x, s->edge[b][0], &f->x, &f->y, &low);
    plot_spots(&whole, s->n, s->x, s->edge[b][1], &f->x, &f->y, &high);
    for (size_t i = 0, end; i < low.len; i = end + 1) {
        for (end = i; end < low.len && isfinite(low.at[end].x) && isfinite(high.at[end].x); end++)
            vec_push(&around, spot_point(f, into_field(low.at[end])));
        for (size_t j = end; j > i; j--)
            vec_push(&around, spot_point(f, into_field(high.at[j - 1])));
        if (around.len > 2)
            f->c->to->polygon(f->c, &l, around.at, (int)around.len);
        around.len = 0;
    }
    vec_free(&around);
    vec_free(&low);
    vec_free(&high);
}

static void put_series(const Field *f, size_t k)
{
    const PlotSeries *s = &f->p->series.at[k];
    Look l = series_look(k, 1.8);
    VEC(Point) line = {0};
    Spots spots = {0};
    l.soft = true;
    for (int b = 0; b < BANDS && s->lanes; b++)
        put_band(f, k, b);
    plot_spots(f->p, s->n, s->x, s->y, &f->x, &f->y, &spots);
    for (size_t i = 0; i < spots.len; i++) {
        Point at = spot_point(f, spots.at[i]);
        if (f->p->kind != PLOT_POINTS)
            vec_push(&line, at);
        else if (isfinite(at.x))
            put_dot(f, k, at);
    }
    f->c->to->path(f->c, &l, line.at, (int)line.len);
    vec_free(&line);
    vec_free(&spots);
}

static void put_bars(const Field *f)
{
    const PlotSeries *s = &f->p->series.at[0];
    double each = f->width / (s->n ? s->n : 1);
    for (int i = 0; i < s->n; i++) {
        double y = field_point(f, s->x[i], s->y[i]).y;
        f->c->to->rect(f->c, &(Look){.fill = colors[0]}, f->left + i * each + 0.5, y, each - 1,
                       f->top + f->height - y);
    }
}

static void put_legend(const Field *f, double top)
{
    size_t n = f->p->series.len;
    for (size_t k = 0; k < n && n > 1; k++) {
        double y = top + LINE * (double)k;
        Look l = series_look(k, 2);
        put_words(f->c, f->left + 33, y + 4, -1, ink, f->p->series.at[k].label);
        if (f->p->kind == PLOT_POINTS)
            put_dot(f, k, (Point){f->left + 13, y});
        else
            put_segment(f->c, f->left, y, f->left + 26, y, &l);
    }
}

static void put_field(const Plot *p, Canvas *c, double top, double tall)
{
    Field f = {.p = p,
               .c = c,
               .left = LEFT,
               .top = top,
               .width = WIDE - LEFT - RIGHT,
               .height = tall - TOP - BOTTOM};
    plot_scales(p, 6, tall < TALL ? 3 : 5, &f.x, &f.y);
    put_axes(&f);
    if (p->kind == PLOT_HIST)
        put_bars(&f);
    const Attribute joins = {"stroke-linejoin", "round"};
    c->to->group(c, &joins, 1, NULL);
    for (size_t k = 0; k < p->series.len && p->kind != PLOT_HIST; k++)
        put_series(&f, k);
    c->to->end(c);
    put_legend(&f, top + f.height + BOTTOM + LINE / 2.0);
    if (p->kind == PLOT_BANDS)
        put_words(c, WIDE - RIGHT, top + f.height + 32, 1, pale, "median, 50 % and 90 %");
}

/* From pale to dark blue, so that it can be read in grey, too. `text`: "#rrggbb". */
static void put_shade(char text[8], double f)
{
    static const double from[] = {247, 251, 255}, to[] = {8, 48, 107};
    snprintf(text, 8, "#%02x%02x%02x", (u8)lround(from[0] + (to[0] - from[0]) * f),
             (u8)lround(from[1] + (to[1] - from[1]) * f),
             (u8)lround(from[2] + (to[2] - from[2]) * f));
}

/* 1, 2, 5, 10, ..: so that at most so many of n are told. */
static int index_step(int n, int most)
{
    int step = 1;
    for (int k = 0; n / step > most; k++)
        step = k % 3 == 1 ? step * 5 / 2 : step * 2;
    return step;
}

/* Rows and columns of a heat map by their indices; a cell is `cell` large. */
static void put_indices(const Plot *p, Canvas *c, double top, Point size)
{
    Text t = {0};
    for (int i = 0, step = index_step(p->rows, 6); i < p->rows; i += step, t.len = 0) {
        text_printf(&t, "%d", i);
        put_words(c, LEFT - 6, top + (i + 0.5) * size.y / p->rows + 4, 1, pale, text_str(&t));
    }
    for (int i = 0, step = index_step(p->columns, 8); i < p->columns; i += step, t.len = 0) {
        text_printf(&t, "%d", i);
        put_words(c, LEFT + (i + 0.5) * size.x / p->columns, top + size.y + 15, 0, pale,
                  text_str(&t));
    }
    text_free(&t);
    put_words(c, LEFT + size.x / 2, top + size.y + 30, 0, ink, "column");
    put_words(c, LEFT - 6, top - 4, 1, ink, "row");
}

/* The side of a square cell, or a longer one, where so few of them would be narrower than that. */
static double stretched(double side, int n, double least)
{
    enum { STRETCH = 6 };
    return fmax(side, fmin(STRETCH * side, least / n));
}

static void put_heat(const Plot *p, Canvas *c, double top)
{
    enum { MOST = 128 };
    double low = 0, high = 0;
    int rows, columns;
    bool any = plot_cell_range(p, &low, &high);
    double *at = plot_blocks(p, MOST, MOST, &rows, &columns);
    Point room = {WIDE - LEFT - RIGHT, TALL - TOP - BOTTOM};
    double side = fmin(room.x / columns, room.y / rows), least = room.y / 3;
    Point cell = {stretched(side, columns, least), stretched(side, rows, least)};
    c->fine = true;
    for (i64 i = 0; i < (i64)rows * columns; i++) {
        char shade[8] = "#ff7f7f";
        if (isfinite(at[i]))
            put_shade(shade, high > low ? (at[i] - low) / (high - low) : 0.5);
        c->to->rect(c, &(Look){.fill = {"shade", .light = shade}},
                    LEFT + (double)(i % columns) * cell.x, top + (double)(i / columns) * cell.y,
                    cell.x + 0.05, cell.y + 0.05);
    }
    c->fine = false;
    free(at);
    Text words = {0};
    if (any)
        text_printf(&words, "from %.6g (pale) to %.6g (dark); %d rows, %d columns", low, high,
                    p->rows, p->columns);
    put_indices(p, c, top, (Point){columns * cell.x, rows * cell.y});
    put_words(c, WIDE - RIGHT, top - 4, 1, pale, text_str(&words));
    text_free(&words);
}

void plot_svg(const Plot *p, Text *out)
{
    Canvas c = {
        .to = &canvas_svg, .letters = letters, .nletters = 1, .out = {.interrupt = p->interrupt}};
    double top = TOP + (p->title ? LINE + 6 : 0);
    double tall = top + TALL - TOP;
    bool panels = p->panels && p->kind != PLOT_HEAT && p->kind != PLOT_HIST;
    if (panels)
        tall = top + PANEL * (double)p->series.len;
    else if (p->kind != PLOT_HEAT && p->kind != PLOT_HIST && p->series.len > 1)
        tall += LINE * (double)p->series.len;
    Text words = {0};
    plot_describe(p, &words);
    c.to->paper(&c, NULL, paper, (Point){WIDE, tall});
    if (p->title)
        put_words(&c, RIGHT, TOP + 4, -1, ink, p->title);
    for (size_t k = 0; panels && k < p->series.len; k++) {
        Plot one = plot_panel(p, k);
        put_field(&one, &c, top + PANEL * (double)k, PANEL);
    }
    if (p->kind == PLOT_HEAT)
        put_heat(p, &c, top);
    else if (!panels)
        put_field(p, &c, top, TALL);
    svg_open(out, &(SvgHead){.size = {WIDE, tall},
                             .family = "'DejaVu Sans',system-ui,sans-serif",
                             .more = "",
                             .title = p->title ? p->title : "Plot",
                             .desc = text_str(&words)});
    text_putn(out, c.out.at, c.out.len);
    text_put(out, "</svg>\n");
    text_free(&words);
    canvas_free(&c);
}
