/* A figure as wide as was asked for: letters and lines are tried from the largest down.
 *
 * Invariant: letters are never smaller than asked for; what cannot be is an error, not an overflow.
 * What is tried is a list, so the same scene gives the same figure. */
#include "viz/draw/figure.h"

#include <math.h>

static const double px_per_mm = 96 / 25.4, px_per_pt = 96.0 / 72;
enum { USUAL_TENTHS = 90, LEAST_TENTHS = 70 };

static void clear(Figure *f)
{
    for (size_t k = 0; k < f->scene->nodes.len && f->nodes; k++) {
        for (int i = 0; i < f->nodes[k].nlines; i++)
            free(f->nodes[k].lines[i]);
        free(f->nodes[k].lines);
    }
    for (size_t k = 0; k <= f->scene->boxes.len && f->boxes; k++) {
        for (int i = 0; i < f->boxes[k].nlines; i++)
            free(f->boxes[k].lines[i]);
        free(f->boxes[k].lines);
    }
    for (size_t i = 0; i < f->lines.len; i++)
        vec_free(&f->lines.at[i].at);
    for (size_t i = 0; i < f->labels.len; i++)
        free(f->labels.at[i].text);
    vec_free(&f->lines);
    vec_free(&f->labels);
    vec_free(&f->dots);
    free(f->nodes);
    free(f->boxes);
    f->nodes = NULL;
    f->boxes = NULL;
}

void figure_free(Figure *f) { clear(f); }

typedef struct {
    double tenths; /* of letters */
    int wrap;
    bool brief, stacked;
} Try;

static void begin(Figure *f, const Try *t)
{
    clear(f);
    f->size = t->tenths / 10 * px_per_pt;
    f->wrap = t->wrap;
    f->brief = t->brief;
    f->nodes = xcalloc(f->scene->nodes.len + 1, sizeof *f->nodes);
    f->boxes = xcalloc(f->scene->boxes.len + 1, sizeof *f->boxes);
    figure_measure(f);
}

/* Frames too narrow for their rungs are made wider. */
static void lay_out(Figure *f, const Try *t)
{
    enum { ROUNDS = 3 };
    double least = 0;
    for (int round = 0; round < ROUNDS; round++) {
        begin(f, t);
        if (!t->stacked) {
            figure_level(f, 0);
            return;
        }
        figure_stack(f, least);
        if (f->boxes[0].lacking <= 0)
            return;
        for (size_t k = 1; k <= f->scene->boxes.len; k++)
            if (f->scene->boxes.at[k - 1].parent == 0)
                least = fmax(least, f->boxes[k].fw);
        least += f->boxes[0].lacking * 1.4;
    }
}

/* Letters a little smaller first, then shorter lines, then both, then briefer words. */
static bool try_all(Figure *f, double most, double least, double *narrowest)
{
    static const struct {
        int largest, smallest; /* letters, in tenths of a point */
        int wraps[5];
        bool brief;
    } stages[] = {{90, 80, {46, 38, 32, 26}, false},
                  {90, 70, {26, 24, 22, 20}, false},
                  {80, 70, {18, 16, 14, 12, 10}, false},
                  {80, 0, {26, 22, 18, 14, 10}, true},
                  {0, 0, {18, 14, 10}, false}};
    for (size_t s = 0; s < COUNT_OF(stages); s++)
        for (double size = fmax(stages[s].largest, least); size >= fmax(stages[s].smallest, least);
             size -= 5)
            for (int k = 0; k < 5 && stages[s].wraps[k]; k++)
                for (int stacked = figure_has_turn(f); stacked <= 1; stacked++) {
                    lay_out(f, &(Try){size, stages[s].wraps[k], stages[s].brief, stacked != 0});
                    if (f->boxes[0].lacking > 0)
                        continue;
                    if (f->boxes[0].w <= most)
                        return true;
                    *narrowest = fmin(*narrowest, f->boxes[0].w);
                }
    return false;
}

/* Lines of text from y down, within the width; returns where they end. */
static double add_text(Figure *f, const char *text, double y)
{
    int n = 0, max = (int)fmax(f->boxes[0].w / (f->size * 0.58), 12);
    char **lines = figure_wrap(f, text ? text : "", max, &n);
    for (int i = 0; i < n; i++) {
        y += figure_line_height(f);
        figure_label(f, 0, 0, y - f->size * 0.3, -1, lines[i]);
        f->labels.at[f->labels.len - 1].prose = true;
        f->boxes[0].w = fmax(f->boxes[0].w, figure_width(f, lines[i]));
        free(lines[i]);
    }
    free(lines);
    return y;
}

/* A title if it is to be seen, above; a caption, and what was done to keep the width, below. */
static void add_words(Figure *f)
{
    const Scene *s = f->scene;
    double gap = f->size * 0.6;
    if (s->title && !s->untitled) {
        size_t first = f->labels.len;
        double high = add_text(f, s->title, 0) + gap;
        for (size_t i = first; i < f->labels.len; i++)
            f->labels.at[i].y -= high;
        figure_move(f, 0, 0, high);
        f->boxes[0].h += high;
    }
    if (s->caption || s->note || f->brief)
        f->boxes[0].h += gap;
    f->boxes[0].h = add_text(f, s->caption, f->boxes[0].h);
    f->boxes[0].h = add_text(f, s->note, f->boxes[0].h);
    if (f->brief)
        f->boxes[0].h = add_text(f, figure_abbreviations, f->boxes[0].h);
}

const char figure_abbreviations[] = "abbreviated to keep the width: \u03C3 is sigmoid";

bool figure_layout(Figure *f, const Scene *s, Text *error)
{
    *f = (Figure){.scene = s};
    double least = s->least_tenths ? s->least_tenths : LEAST_TENTHS;
    if (!s->width_mm) {
        lay_out(f, &(Try){fmax(USUAL_TENTHS, least), 46, false, figure_has_turn(f)});
        add_words(f);
        return true;
    }
    double most = s->width_mm * px_per_mm;
    double margin = 2 * 4, narrowest = 1e9;
    if (try_all(f, most - margin, least, &narrowest)) {
        add_words(f);
        return true;
    }
    text_printf(error,
                "with letters of %g pt this figure is %.1f cm wide at least, not %.1f cm: give it "
                "more width=, smaller letters by min=, or draw less of it",
                least / 10, (narrowest + margin) / px_per_mm / 10, s->width_mm / 10.0);
    return false;
}
