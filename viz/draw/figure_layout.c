/* A figure as wide as was asked for: letters and lines are tried from the largest down.
 *
 * Invariant: letters are never smaller than asked for; what cannot be is an error, not an overflow.
 * What is tried is a list, so the same scene gives the same figure. */
#include "base/utf8.h"
#include "viz/draw/figure.h"

#include <math.h>

static const double px_per_mm = 96 / 25.4, px_per_pt = 96.0 / 72;
enum { USUAL_TENTHS = 90, LEAST_TENTHS = 70 };

static void clear(Figure *f)
{
    for (size_t i = 0; i < f->lines.len; i++)
        vec_free(&f->lines.at[i].at);
    vec_free(&f->lines);
    vec_free(&f->labels);
    vec_free(&f->dots);
    free(f->nodes);
    free(f->boxes);
    arena_free(&f->words);
    f->nodes = NULL;
    f->boxes = NULL;
}

void figure_free(Figure *f)
{
    clear(f);
    arena_free(&f->known);
}

typedef struct {
    double tenths; /* of letters */
    int wrap;
    bool brief, stacked, bundled;
} Try;

static void begin(Figure *f, const Try *t)
{
    clear(f);
    f->size = t->tenths / 10 * px_per_pt;
    f->wrap = t->wrap;
    f->brief = t->brief;
    f->bundled = t->bundled;
    f->stacked = t->stacked;
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

/* In letters' sizes: a few letters, and the borders of the deepest frame around them. */
static double list_width(const Scene *s)
{
    int depth = 0;
    for (size_t k = 1; k <= s->boxes.len; k++) {
        int n = 0;
        for (int box = (int)k; box; box = scene_box_at(s, box)->parent)
            n++;
        depth = n > depth ? n : depth;
    }
    return 6 + 1.2 * (depth + 1);
}

static bool try_list(Figure *f, double most, double least)
{
    for (double size = fmax(80, least);; size = fmax(70, least)) {
        begin(f, &(Try){size, 46, false, false, false});
        figure_list(f, most);
        if (f->boxes[0].lacking <= 0 || size <= fmax(70, least))
            return f->boxes[0].lacking <= 0;
    }
}

/* Of lines shorter than that nobody sees what they say, unless the next step says it again. */
enum { SHORTEST = 14 };

static bool has_steps(const Scene *s)
{
    bool steps = false;
    for (size_t i = 0; i < s->boxes.len; i++)
        steps = steps || s->boxes.at[i].kind == BOX_STEP;
    return steps;
}

typedef struct {
    int largest, smallest; /* letters, in tenths of a point */
    int wraps[5];
    bool brief;
} Stage;

typedef struct {
    double most, least; /* width; letters, in tenths of a point */
    double narrowest;   /* of what was tried */
} Bounds;

/* Letters from large to small, lines from long to short. */
static bool try_stage(Figure *f, const Stage *s, int stacked, int last, Bounds *to)
{
    for (double size = fmax(s->largest, to->least); size >= fmax(s->smallest, to->least); size -= 5)
        for (int k = 0; k < 5 && s->wraps[k]; k++)
            for (int way = stacked; way <= last; way++) {
                if (s->wraps[k] < SHORTEST && !has_steps(f->scene))
                    continue;
                lay_out(f, &(Try){size, s->wraps[k], s->brief, way != 0, s->brief});
                if (f->boxes[0].lacking > 0)
                    continue;
                if (f->boxes[0].w <= to->most)
                    return true;
                to->narrowest = fmin(to->narrowest, f->boxes[0].w);
            }
    return false;
}

/* Is there more than one thing that could stand below another? */
static bool has_pieces(const Scene *s)
{
    int n = 0;
    for (size_t k = 0; k < s->nodes.len; k++)
        n += s->nodes.at[k].box == 0 && s->nodes.at[k].role == ROLE_NONE;
    for (size_t k = 0; k < s->boxes.len; k++)
        n += s->boxes.at[k].parent == 0;
    return n > 1;
}

/* Side by side, with letters a little smaller and lines broken, before anything is put below
 * something else; then letters a little smaller first, then shorter lines, then briefer words. */
static bool try_all(Figure *f, Bounds *to)
{
    static const Stage beside = {90, 80, {46, 38, 32, 26, 20}, false};
    static const Stage stages[] = {{90, 80, {46, 38, 32, 26}, false},
                                   {75, 70, {38, 32, 26}, false},
                                   {85, 70, {24}, false},
                                   {80, 70, {22}, false},
                                   {80, 70, {20, 18}, false},
                                   {80, 70, {26, 22, 18, 16}, true},
                                   {75, 70, {14, 12, 10}, true},
                                   {0, 0, {26, 18, 14}, true}};
    int stacked = figure_has_turn(f);
    if (!stacked && has_pieces(f->scene) && try_stage(f, &beside, 0, 0, to))
        return true;
    for (size_t s = 0; s < COUNT_OF(stages); s++)
        if (try_stage(f, &stages[s], stacked, 1, to))
            return true;
    return false;
}

/* The largest letters that fit, then less room between the columns. */
static bool try_grid(Figure *f, Bounds *to)
{
    for (int close = 0; close < 2; close++)
        for (double size = fmax(USUAL_TENTHS, to->least); size >= to->least; size -= 5) {
            begin(f, &(Try){.tenths = size, .wrap = 46});
            figure_grid(f, close);
            if (f->boxes[0].w <= to->most)
                return true;
            to->narrowest = fmin(to->narrowest, f->boxes[0].w);
        }
    return false;
}

/* The largest letters first, to the right before downwards. */
static bool try_reverse(Figure *f, Bounds *to)
{
    static const int wraps[] = {46, 26, 18, 12};
    for (size_t k = 0; k < 2 * COUNT_OF(wraps); k++)
        for (double size = fmax(USUAL_TENTHS, to->least); size >= to->least; size -= 5) {
            begin(f, &(Try){.tenths = size, .wrap = wraps[k / 2]});
            figure_reverse(f, k % 2 == 1);
            if (f->boxes[0].w <= to->most)
                return true;
            to->narrowest = fmin(to->narrowest, f->boxes[0].w);
        }
    return false;
}

/* How long the first line of words is, of at most max letters. */
static int line_of(const char *s, int max)
{
    int blank = 0, i = 0;
    for (int letters = 0; s[i]; i++) {
        letters += (s[i] & 0xC0) != 0x80;
        blank = s[i] == ' ' ? i : blank;
        if (letters > max && blank)
            return blank;
    }
    return i;
}

/* Lines of words from y down, within the width; returns where they end. */
static double add_text(Figure *f, const char *text, double y)
{
    int max = (int)fmax(f->boxes[0].w / (f->size * 0.58), 12);
    for (const char *s = text ? text : ""; *s;) {
        int n = line_of(s, max);
        Phrase line = figure_slice(f, &(Phrase){.text = s}, 0, n);
        y += figure_line_height(f);
        figure_label(f, 0, 0, y - f->size * 0.3, -1, &line);
        f->labels.at[f->labels.len - 1].prose = true;
        f->boxes[0].w = fmax(f->boxes[0].w, figure_width(f, &line));
        s += n + (s[n] == ' ');
    }
    return y;
}

static bool says_sigmoid(const Scene *s)
{
    for (size_t k = 0; k < s->nodes.len; k++)
        for (int i = 0; i < s->nodes.at[k].words.nparts; i++)
            if (s->nodes.at[k].words.parts[i].kind == PHRASE_SIGMOID)
                return true;
    return false;
}

const char *figure_shortened(const Figure *f)
{
    static const char *const words[] = {
        NULL, "abbreviated to keep the width: \u03C3 is sigmoid",
        "folded to keep the width: what one loop reads of another is one line",
        "shortened to keep the width: \u03C3 is sigmoid; what one loop reads of another is one "
        "line"};
    bool bundle = false;
    for (size_t i = 0; i < f->lines.len; i++)
        bundle = bundle || f->lines.at[i].bundle;
    return words[(f->brief && says_sigmoid(f->scene)) + 2 * bundle];
}

/* A title if it is to be seen, above; a caption and what signs mean below. What was done to keep
 * the width is said to who draws, not to who reads. */
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
    const char *notation = s->no_legend ? NULL : s->notation;
    if (s->caption || notation)
        f->boxes[0].h += gap;
    f->boxes[0].h = add_text(f, s->caption, f->boxes[0].h);
    f->boxes[0].h = add_text(f, notation, f->boxes[0].h);
}

bool figure_layout(Figure *f, const Scene *s, Text *error)
{
    *f = (Figure){.scene = s};
    figure_collect_names(f);
    double least = s->least_tenths ? s->least_tenths : LEAST_TENTHS;
    if (!s->width_mm && figure_is_grid(s)) {
        begin(f, &(Try){.tenths = fmax(USUAL_TENTHS, least), .wrap = 46});
        figure_grid(f, false);
        add_words(f);
        return true;
    }
    if (!s->width_mm && figure_is_reverse(s)) {
        begin(f, &(Try){.tenths = fmax(USUAL_TENTHS, least), .wrap = 46});
        figure_reverse(f, false);
        add_words(f);
        return true;
    }
    if (!s->width_mm) {
        lay_out(f, &(Try){fmax(USUAL_TENTHS, least), 46, false, figure_has_turn(f), false});
        add_words(f);
        return true;
    }
    double most = floor(s->width_mm * px_per_mm * 10) / 10; /* as it is written */
    double margin = 2 * 4;
    Bounds to = {most - margin, least, 1e9};
    if (figure_is_grid(s)      ? try_grid(f, &to)
        : figure_is_reverse(s) ? try_reverse(f, &to)
        : s->listed            ? try_list(f, to.most, least)
                               : try_all(f, &to)) {
        add_words(f);
        return true;
    }
    if (s->listed)
        to.narrowest = list_width(s) * least / 10 * px_per_pt;
    text_printf(error,
                "with letters of %g pt this figure is %.1f cm wide at least, not %.1f cm: give it "
                "more width=, smaller letters by min=, or draw less of it",
                least / 10, (to.narrowest + margin) / px_per_mm / 10, s->width_mm / 10.0);
    return false;
}
