/* Frames of a film beside and below each other in one picture.
 *
 * Invariant: colours and places are literal, so that every viewer shows the same. */
#include "viz/film/film.h"

#include "base/utf8.h"
#include "viz/film/panels.h"

#include <math.h>

enum {
    COLUMNS = 64, /* characters of a frame */
    LETTER = 8,   /* wide, of 13 px; a little more than it takes */
    LINE = 18,
    MARGIN = 12,
    CURVE = 48,
    GAP = 12
};

static const Color colors[PLAY_ELEMENTS] = {
    {"blue", .light = "#0550ae"}, {"red", .light = "#b3261e"}, {"green", .light = "#116329"}};
static const Color paper = {"paper", PAINT_PAPER}, rule = {"rule", .light = "#d0d7de"};
/* The size is the document's, and so is the colour. */
static const Letters letters[] = {{NULL, FONT_SANS, 0}, {NULL, FONT_BOLD, 0}};

static Canvas open_canvas(void)
{
    return (Canvas){.to = &canvas_svg, .letters = letters, .nletters = COUNT_OF(letters)};
}

static void put_words(Canvas *c, int x, int y, int style, const char *s, size_t n)
{
    Words w = {.at = {x, y}, .side = -1, .letters = style};
    c->to->text(c, &w, &(TextRun){.text = s, .len = n}, 1);
}

/* Returns where the next line stands. */
static int put_lines(Canvas *c, const char *s, int y)
{
    for (size_t n; *s; s += n + (s[n] == '\n')) {
        n = strcspn(s, "\n");
        y += LINE;
        put_words(c, MARGIN, y, 0, n ? s : "", n);
    }
    return y;
}

/* Lines of the points that are there. */
static void put_path(Canvas *c, const PlayPoints *points, int x, int y, int width, Color color)
{
    VEC(Point) line = {0};
    for (size_t i = 0; i < points->len; i++) {
        const PlayPoint *p = &points->at[i];
        vec_push(&line, (p->there ? (Point){x + p->x * width, y + (1 - p->y) * CURVE}
                                  : (Point){NAN, NAN}));
    }
    c->to->path(c, &(Look){.line = color, .width = 1.5}, line.at, (int)line.len);
    vec_free(&line);
}

static int put_curves(const PlayTrack *t, Canvas *c, int y)
{
    int label = 0, width;
    for (size_t i = 0; i < t->b.states.len; i++) {
        int w = utf8_columns(play_name(&t->b, t->b.state_names.at[i])) + 1;
        label = w > label ? w : label;
    }
    width = (COLUMNS - label) * LETTER;
    for (size_t i = 0; i < t->b.states.len; i++) {
        int state = t->b.states.at[i], x = MARGIN + label * LETTER;
        const char *name = play_name(&t->b, t->b.state_names.at[i]);
        if (!play_has_curve(loop_probe_after(&t->r, state)))
            continue;
        y += GAP;
        put_words(c, MARGIN, y + CURVE / 2 + 4, 0, name, strlen(name));
        c->to->rect(c, &(Look){.fill = paper, .line = rule}, x, y, width, CURVE);
        for (int e = 0; e < PLAY_ELEMENTS; e++) {
            PlayPoints points = {.at = NULL};
            play_points(t, state, e, &points);
            put_path(c, &points, x, y, width, colors[e]);
            vec_free(&points);
        }
        y += CURVE;
    }
    return y;
}

/* One frame from (0, 0) on; *height: how much it takes. false after a diagnostic. */
static bool put_frame(PlayTrack *t, i64 step, Canvas *c, int *height)
{
    Text head = {0}, lines = {0};
    t->step = step;
    if (t->r.steps && !loop_probe_go(&t->r, step))
        return false;
    play_put_title(t, &head);
    text_put(&head, t->r.steps ? ", " : ", no step");
    if (t->r.steps)
        play_put_step(t, &head);
    put_words(c, MARGIN, MARGIN + LINE, 1, text_str(&head), head.len);
    if (t->r.steps)
        play_put_equations(t, &lines, COLUMNS, MARKS_NONE);
    *height = put_lines(c, text_str(&lines), MARGIN + LINE + LINE / 2);
    if (t->r.steps)
        *height = put_curves(t, c, *height);
    *height += GAP;
    text_free(&head);
    text_free(&lines);
    return true;
}

static bool make_panels(PlayTrack *t, const PlaySteps *s, Panels *panels)
{
    bool ok = true;
    for (i64 i = s->from; i <= s->to && ok; i++) {
        Panel p = {open_canvas(), 0};
        ok = put_frame(t, i, &p.frame, &p.height);
        vec_push(panels, p);
    }
    return ok;
}

bool film_sheet(Film *f, const PlaySteps *shown, const char *about, Text *out)
{
    Panels panels = {.at = NULL};
    bool ok = true;
    if (f->tracks[0]->straight) {
        straight_sheet(f, shown, about, out);
        return true;
    }
    for (int k = 0; k < 2 && f->tracks[k] && ok; k++)
        ok = make_panels(f->tracks[k], &shown[k], &panels);
    if (ok)
        panels_put(out, open_canvas(), &panels, COLUMNS * LETTER + 2 * MARGIN,
                   "font-size=\"13\" fill=\"#1b1f24\" xml:space=\"preserve\"", about);
    panels_free(&panels);
    return ok;
}
