/* Plots: lines, points, histograms and heat maps of numbers, as text for a terminal and as SVG.
 *
 * Invariant: what is not finite is left out where it stands, and counted. The same plot gives the
 * same bytes. */
#ifndef GRADUS_PLOT_H
#define GRADUS_PLOT_H

#include "base/json.h"

typedef enum { PLOT_LINES, PLOT_POINTS, PLOT_HIST, PLOT_HEAT, PLOT_BANDS, PLOT_KINDS } PlotKind;
extern const char *const plot_kind_words[PLOT_KINDS];

enum { BANDS = 2 }; /* around a median: the outer and the inner one */
/* How many of the numbers are below the borders of each band: nine tenths and half are inside. */
extern const double plot_quantiles[BANDS][2];

typedef struct {
    const char *label;
    int n;
    double *x, *y;          /* of bands: the medians */
    double *edge[BANDS][2]; /* below and above, or NULL */
    int lanes;              /* of bands: of so many numbers each */
} PlotSeries;

typedef struct {
    bool given;
    double low, high;
} PlotRange;

typedef struct {
    PlotKind kind;
    VEC(PlotSeries) series;
    bool panels;                  /* each series has a field of its own, over the same x */
    int rows, columns;            /* of a heat map */
    double *cells;                /* its numbers, row after row */
    const char *title;            /* or NULL */
    const char *over;             /* what runs along the x axis, or NULL */
    PlotRange within_x, within_y; /* what is shown of it, if given: lines are cut there */
    bool log_x, log_y;            /* that axis is logarithmic: what is not positive is left out */
    int width, height;            /* of the text in characters; 0: 72 and 16 */
    bool color;                   /* the text may have escape sequences */
    const Interrupt *interrupt;   /* once it is pressed, nothing of the plot counts; may be NULL */
} Plot;

/* One more line: n numbers over x, which is copied, too (NULL: 0, 1, 2, ...). The label is not. */
void plot_add(Plot *p, const char *label, int n, const double *x, const double *y);
/* One more series of bands: at each of n places, lanes numbers, number k of place i at
 * y[k * n + i]; what is not finite does not count. */
void plot_add_bands(Plot *p, const char *label, int n, int lanes, const double *x, const double *y);
/* Turns all numbers into one series of bins: x their lower ends, y how many. Their number is that
 * of Sturges (The choice of a class interval, JASA 1926). */
void plot_bin(Plot *p);
void plot_free(Plot *p);

/* How many numbers cannot be in the plot: they are not finite, or not positive on a logarithmic
 * axis. */
int plot_left_out(const Plot *p);
void plot_text(const Plot *p, Text *out);
void plot_svg(const Plot *p, Text *out);
/* "Lines of 2 series over x from 0 to 1: s from -1 to 3, ...": what it shows, in a sentence. */
void plot_describe(const Plot *p, Text *out);

/* ---- shared by both (plot.c) ---- */

enum { MOST_TICKS = 16 };
typedef struct {
    double low, high; /* the range, widened to ticks */
    bool log;
    double at[MOST_TICKS];
    int n;
} Scale;
/* How far from low (0) to high (1) a number is, however large they are. */
double plot_share(const Scale *s, double v);
/* Panel k: the plot with this series only; nothing of it is to be freed. */
Plot plot_panel(const Plot *p, size_t k);
/* A place in the field, from 0 at the left and below to 1; not finite: a gap. */
typedef struct {
    double x, y;
} Spot;
typedef VEC(Spot) Spots;
/* n points of a series as spots, cut where the plot is. The caller frees them. */
void plot_spots(const Plot *p, int n, const double *x, const double *y, const Scale *xs,
                const Scale *ys, Spots *out);
/* The scales of all that is shown. */
void plot_scales(const Plot *p, int xticks, int yticks, Scale *x, Scale *y);
/* The number of tick k, without what rounding left of it. */
void plot_put_tick(Text *out, const Scale *s, int k);
/* From the least to the most of a heat map's numbers; false: none is finite. */
bool plot_cell_range(const Plot *p, double *low, double *high);
/* A heat map of at most so many rows and columns: means of blocks. The caller frees them. */
double *plot_blocks(const Plot *p, int rows, int columns, int *nrows, int *ncolumns);
/* Its series or cells, as members of an object that is open (plot_json.c). */
void plot_put_json(const Plot *p, Json *j);

#endif
