#include "viz/plot/plot.h"

#include <math.h>

const char *const plot_kind_words[PLOT_KINDS] = {"lines", "points", "bars", "heat", "bands"};
const double plot_quantiles[BANDS][2] = {{0.05, 0.95}, {0.25, 0.75}};

/* ---- numbers ---- */

void plot_add(Plot *p, const char *label, int n, const double *x, const double *y)
{
    PlotSeries s = {.label = label, .n = n};
    s.x = xcalloc((size_t)n + 1, sizeof *s.x);
    s.y = xcalloc((size_t)n + 1, sizeof *s.y);
    for (int i = 0; i < n && !interrupted(p->interrupt); i++) {
        s.x[i] = x ? x[i] : i;
        s.y[i] = y[i];
    }
    vec_push(&p->series, s);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of n numbers in order; between two of them linear, as NumPy has it (Hyndman and Fan, Sample
 * Quantiles in Statistical Packages, 1996, number 7). */
static double quantile(const double *at, int n, double q)
{
    double place = q * (n - 1);
    int k = (int)place;
    if (n == 0)
        return NAN;
    return k + 1 < n ? at[k] + (place - k) * (at[k + 1] - at[k]) : at[n - 1];
}

void plot_add_bands(Plot *p, const char *label, int n, int lanes, const double *x, const double *y)
{
    double *all = xcalloc((size_t)lanes + 1, sizeof *all);
    plot_add(p, label, n, x, y);
    PlotSeries *s = &p->series.at[p->series.len - 1];
    s->lanes = lanes;
    for (int b = 0; b < 2 * BANDS; b++)
        s->edge[b / 2][b % 2] = xcalloc((size_t)n + 1, sizeof *all);
    for (int i = 0; i < n && !interrupted(p->interrupt); i++) {
        int m = 0;
        for (int k = 0; k < lanes; k++)
            if (isfinite(y[(i64)k * n + i]))
                all[m++] = y[(i64)k * n + i];
        qsort(all, (size_t)m, sizeof *all, compare_numbers);
        s->y[i] = quantile(all, m, 0.5);
        for (int b = 0; b < 2 * BANDS; b++)
            s->edge[b / 2][b % 2][i] = quantile(all, m, plot_quantiles[b / 2][b % 2]);
    }
    free(all);
}

static void free_series(Plot *p)
{
    for (size_t i = 0; i < p->series.len; i++) {
        free(p->series.at[i].x);
        free(p->series.at[i].y);
        for (int b = 0; b < 2 * BANDS; b++)
            free(p->series.at[i].edge[b / 2][b % 2]);
    }
    p->series.len = 0;
}

void plot_free(Plot *p)
{
    free_series(p);
    vec_free(&p->series);
    free(p->cells);
}

/* Can this point stand in the plot? */
static bool plot_shows(const Plot *p, double x, double y)
{
    return isfinite(x) && isfinite(y) && (!p->log_x || x > 0) && (!p->log_y || y > 0);
}

static bool is_within(const PlotRange *r, double v)
{
    return !r->given || (v >= r->low && v <= r->high);
}

static bool range_of(const Plot *p, const PlotSeries *s, bool x, double *low, double *high)
{
    bool any = false;
    for (int i = 0; i < s->n && !interrupted(p->interrupt); i++) {
        double least = x ? s->x[i] : s->y[i], most = least;
        if (!plot_shows(p, s->x[i], s->y[i]) || (!x && !is_within(&p->within_x, s->x[i])))
            continue;
        if (!x && s->edge[0][0] && plot_shows(p, s->x[i], s->edge[0][0][i])) {
            least = s->edge[0][0][i];
            most = s->edge[0][1][i];
        }
        *low = any ? fmin(*low, least) : least;
        *high = any ? fmax(*high, most) : most;
        any = true;
    }
    return any;
}

/* The range of all series; 0 to 1 if nothing is finite. */
static void whole_range(const Plot *p, bool x, double *low, double *high)
{
    bool any = false;
    const PlotRange *given = x ? &p->within_x : &p->within_y;
    *low = given->given ? given->low : 0;
    *high = given->given ? given->high : 1;
    if (given->given)
        return;
    for (size_t i = 0; i < p->series.len; i++) {
        double a, b;
        if (!range_of(p, &p->series.at[i], x, &a, &b))
            continue;
        *low = any ? fmin(*low, a) : a;
        *high = any ? fmax(*high, b) : b;
        any = true;
    }
}

int plot_left_out(const Plot *p)
{
    int count = 0;
    for (size_t i = 0; i < p->series.len; i++)
        for (int k = 0; k < p->series.at[i].n && !interrupted(p->interrupt); k++)
            count += !plot_shows(p, p->series.at[i].x[k], p->series.at[i].y[k]);
    for (int i = 0; i < p->rows * p->columns && !interrupted(p->interrupt); i++)
        count += !isfinite(p->cells[i]);
    return count;
}

void plot_bin(Plot *p)
{
    enum { MOST_BINS = 64 };
    double low, high, count[MOST_BINS] = {0}, begin[MOST_BINS];
    int n = 0;
    whole_range(p, false, &low, &high);
    for (size_t i = 0; i < p->series.len; i++)
        n += p->series.at[i].n;
    int bins = n > 1 && high > low ? (int)ceil(log2(n)) + 1 : 1;
    bins = bins < MOST_BINS ? bins : MOST_BINS;
    for (size_t i = 0; i < p->series.len; i++)
        for (int k = 0; k < p->series.at[i].n && !interrupted(p->interrupt); k++) {
            double v = p->series.at[i].y[k];
            int b = high > low ? (int)((v / (high - low) - low / (high - low)) * bins) : 0;
            if (isfinite(v))
                count[b < 0 ? 0 : b < bins ? b : bins - 1]++;
        }
    for (int b = 0; b < bins; b++)
        begin[b] = low + (high - low) * b / bins;
    const char *label = p->series.len ? p->series.at[0].label : "";
    free_series(p);
    plot_add(p, label, bins, begin, count);
}

/* ---- scales ---- */

/* The nearest of 1, 2, 5, 10 times a power of ten, or the next one above. */
static double round_number(double x, bool up)
{
    double power = pow(10, floor(log10(x))), f = x / power;
    double step = up ? (f <= 1   ? 1
                        : f <= 2 ? 2
                        : f <= 5 ? 5
                                 : 10)
                     : (f < 1.5 ? 1
                        : f < 3 ? 2
                        : f < 7 ? 5
                                : 10);
    return step * power;
}

/* A range that holds both numbers, in steps of 1, 2 or 5 times a power of ten, about `wanted` of
 * them (Heckbert, Nice numbers for graph labels, Graphics Gems 1990). */
static Scale scale_of(double low, double high, int wanted)
{
    Scale s = {0};
    if (!(high > low)) {
        double half = fabs(low) > 0 ? fabs(low) / 2 : 0.5;
        low -= half;
        high += half;
    }
    if (!isfinite(high - low)) { /* no step fits */
        s.low = s.at[0] = low;
        s.high = s.at[1] = high;
        s.n = 2;
        return s;
    }
    double step = round_number(round_number(high - low, true) / (wanted > 1 ? wanted : 1), false);
    s.low = floor(low / step) * step;
    s.high = ceil(high / step) * step;
    for (int k = 0; k < MOST_TICKS; k++) {
        double at = s.low + k * step;
        if (at > s.high + step / 2)
            break;
        s.at[s.n++] = fabs(at) < step * 1e-9 ? 0 : at;
    }
    return s;
}

/* Powers of ten, every so manyth, around a range of positive numbers. */
static Scale log_scale_of(double low, double high, int wanted)
{
    Scale s = {.log = true};
    int from = (int)floor(log10(low)), to = (int)ceil(log10(high));
    to = to > from ? to : from + 1;
    int most = wanted > 2 ? wanted < MOST_TICKS ? wanted : MOST_TICKS : 2;
    int step = (to - from + most - 1) / most;
    to = from + (to - from + step - 1) / step * step;
    s.low = pow(10, from);
    s.high = pow(10, to);
    for (int k = from; k <= to && s.n < MOST_TICKS; k += step)
        s.at[s.n++] = pow(10, k);
    return s;
}

double plot_share(const Scale *s, double v)
{
    if (s->log)
        return log10(v / s->low) / log10(s->high / s->low);
    return (v / 2 - s->low / 2) / (s->high / 2 - s->low / 2);
}

Plot plot_panel(const Plot *p, size_t k)
{
    Plot one = *p;
    one.panels = false;
    one.series.at = p->series.at + k;
    one.series.len = 1;
    if (!p->within_x.given) {
        whole_range(p, true, &one.within_x.low, &one.within_x.high);
        one.within_x.given = one.within_x.high > one.within_x.low;
    }
    return one;
}

/* From low to high and no wider, with the ticks that are there. */
static void keep_to(Scale *s, double low, double high)
{
    int kept = 0;
    for (int k = 0; k < s->n; k++)
        if (s->at[k] >= low - 1e-9 * (high - low) && s->at[k] <= high + 1e-9 * (high - low))
            s->at[kept++] = s->at[k];
    s->n = kept;
    s->low = low;
    s->high = high;
}

/* Cuts a line to what of it is in the field (Liang and Barsky, A New Concept and Method for Line
 * Clipping, 1984). False: nothing is. */
static bool cut(Spot *a, Spot *b)
{
    double dx = b->x - a->x, dy = b->y - a->y, from = 0, to = 1;
    const double way[] = {-dx, dx, -dy, dy}, room[] = {a->x, 1 - a->x, a->y, 1 - a->y};
    for (int k = 0; k < 4; k++) {
        double t = room[k] / way[k];
        if (way[k] == 0 && room[k] < 0)
            return false;
        from = way[k] < 0 ? fmax(from, t) : from;
        to = way[k] > 0 ? fmin(to, t) : to;
    }
    Spot start = *a;
    *a = (Spot){start.x + from * dx, start.y + from * dy};
    *b = (Spot){start.x + to * dx, start.y + to * dy};
    return from <= to;
}

static bool is_inside(Spot s) { return s.x >= 0 && s.x <= 1 && s.y >= 0 && s.y <= 1; }

void plot_spots(const Plot *p, int n, const double *x, const double *y, const Scale *xs,
                const Scale *ys, Spots *out)
{
    const Spot gap = {NAN, NAN};
    bool whole = !p->within_x.given && !p->within_y.given;
    Spot before = gap;
    for (int i = 0; i < n && !interrupted(p->interrupt); i++) {
        bool shows = plot_shows(p, x[i], y[i]);
        Spot now = shows ? (Spot){plot_share(xs, x[i]), plot_share(ys, y[i])} : gap;
        Spot a = before, b = now;
        before = now;
        if (whole || p->kind == PLOT_POINTS || isnan(a.x) || isnan(now.x)) {
            vec_push(out, whole || is_inside(now) ? now : gap);
        } else if (cut(&a, &b)) {
            const Spot *last = out->len ? &out->at[out->len - 1] : &gap;
            if (last->x != a.x || last->y != a.y) {
                vec_push(out, gap);
                vec_push(out, a);
            }
            vec_push(out, b);
        }
    }
}

void plot_scales(const Plot *p, int xticks, int yticks, Scale *x, Scale *y)
{
    double low, high;
    whole_range(p, true, &low, &high);
    *x = p->log_x ? log_scale_of(low > 0 ? low : 0.1, high > 0 ? high : 1, xticks)
                  : scale_of(low, high, xticks);
    if (high > low && (low > 0 || !p->log_x))
        keep_to(x, low, high); /* along x nothing is widened: lines go from border to border */
    whole_range(p, false, &low, &high);
    if (p->kind == PLOT_HIST)
        low = 0;
    *y = p->log_y ? log_scale_of(low > 0 ? low : 0.1, high > 0 ? high : 1, yticks)
                  : scale_of(low, high, yticks);
    if (p->within_y.given)
        keep_to(y, low, high);
}

void plot_put_tick(Text *out, const Scale *s, int k) { text_printf(out, "%.6g", s->at[k]); }

/* ---- heat maps ---- */

bool plot_cell_range(const Plot *p, double *low, double *high)
{
    PlotSeries s = {.n = p->rows * p->columns, .x = p->cells, .y = p->cells};
    return range_of(p, &s, false, low, high);
}

double *plot_blocks(const Plot *p, int rows, int columns, int *nrows, int *ncolumns)
{
    *nrows = p->rows < rows ? p->rows : rows;
    *ncolumns = p->columns < columns ? p->columns : columns;
    double *out = xcalloc((size_t)*nrows * (size_t)*ncolumns + 1, sizeof *out);
    for (int r = 0; r < *nrows; r++)
        for (int c = 0; c < *ncolumns; c++) {
            int r0 = (int)((i64)r * p->rows / *nrows), r1 = (int)((i64)(r + 1) * p->rows / *nrows);
            int c0 = (int)((i64)c * p->columns / *ncolumns),
                c1 = (int)((i64)(c + 1) * p->columns / *ncolumns), count = 0;
            double sum = 0;
            for (int i = r0; i < r1 && !interrupted(p->interrupt); i++)
                for (int k = c0; k < c1; k++, count++)
                    sum += p->cells[(i64)i * p->columns + k];
            out[(i64)r * *ncolumns + c] = sum / count;
        }
    return out;
}

/* ---- in words ---- */

void plot_describe(const Plot *p, Text *out)
{
    double low, high;
    if (p->kind == PLOT_HEAT) {
        text_printf(out, "Heat map of %d rows and %d columns", p->rows, p->columns);
        if (plot_cell_range(p, &low, &high))
            text_printf(out, ", from %.6g to %.6g", low, high);
        text_putc(out, '.');
        return;
    }
    static const char *const words[PLOT_KINDS] = {"Lines", "Points", "Histogram", "",
                                                  "Medians and bands"};
    text_put(out, words[p->kind]);
    whole_range(p, true, &low, &high);
    text_printf(out, " over %s from %.6g to %.6g",
                p->kind == PLOT_HIST ? "the numbers"
                : p->over            ? p->over
                                     : "the index",
                low, high);
    for (size_t i = 0; i < p->series.len; i++)
        if (range_of(p, &p->series.at[i], false, &low, &high))
            text_printf(out, "%s %s from %.6g to %.6g", i ? "," : ":",
                        p->kind == PLOT_HIST ? "counts" : p->series.at[i].label, low, high);
    text_putc(out, '.');
}
