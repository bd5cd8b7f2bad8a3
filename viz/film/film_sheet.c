/* Frames of a film beside and below each other in one picture.
 *
 * Invariant: colours and places are literal, so that every viewer shows the same. */
#include "viz/film/film.h"

#include "base/utf8.h"
#include "viz/canvas/canvas.h"

#include <math.h>

enum {
    COLUMNS = 64, /* characters of a frame */
    LETTER = 8,   /* wide, of 13 px; a little more than it takes */
    LINE = 18,
    MARGIN = 12,
    CURVE = 48,
    MOST_ACROSS = 3, /* frames beside each other */
    GAP = 12
};

static const Color colors[PLAY_ELEMENTS] = {
    {"blue", .light = "#0550ae"}, {"red", .light = "#b3261e"}, {"green", .light = "#116329"}};
static const Color paper = {"paper", PAINT_PAPER}, box = {"frame", PAINT_FRAME},
                   rule = {"rule", .light = "#d0d7de"};
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
    text_printf(&head, "%s%s, ", t->title, t->backward ? ", backward pass" : "");
    if (t->r.steps)
        text_printf(&head, "step %lld of 0..%lld, t = %lld", (long long)step,
                    (long long)t->r.steps - 1, (long long)play_index(&t->b, step));
    else
        text_put(&head, "no step");
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

typedef struct {
    Canvas frame;
    int height;
} Panel;
typedef VEC(Panel) Panels;

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

static void put_panel(Canvas *c, const Panel *p, int x, int y, int width, int height)
{
    Text place = {0};
    text_printf(&place, "translate(%d,%d)", x, y);
    c->to->group(c, &(Attribute){"transform", text_str(&place)}, 1, NULL);
    c->to->rect(c, &(Look){.fill = box, .line = rule, .round = 6}, 0, 0, width, height);
    text_putn(&c->out, p->frame.out.at, p->frame.out.len);
    c->to->end(c);
    text_free(&place);
}

/* Row after row; a row is as high as its highest frame. */
static void put_sheet(Text *out, const Panels *panels, const char *about)
{
    int wide = COLUMNS * LETTER + 2 * MARGIN, y = MARGIN;
    int across = panels->len < MOST_ACROSS ? (int)panels->len : MOST_ACROSS;
    int width = across * (wide + GAP) - GAP + 2 * MARGIN;
    Canvas c = open_canvas();
    c.to->paper(&c, NULL, paper, (Point){0});
    for (size_t i = 0; i < panels->len; i += (size_t)across) {
        int highest = 0;
        for (size_t k = i; k < i + (size_t)across && k < panels->len; k++)
            highest = panels->at[k].height > highest ? panels->at[k].height : highest;
        for (size_t k = i; k < i + (size_t)across && k < panels->len; k++)
            put_panel(&c, &panels->at[k], MARGIN + (int)(k - i) * (wide + GAP), y, wide, highest);
        y += highest + GAP;
    }
    svg_open(out, &(SvgHead){.size = {width, y},
                             .family = "'DejaVu Sans Mono', monospace",
                             .more = "font-size=\"13\" fill=\"#1b1f24\" xml:space=\"preserve\"",
                             .title = about});
    text_putn(out, c.out.at, c.out.len);
    text_put(out, "</svg>\n");
    canvas_free(&c);
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
        put_sheet(out, &panels, about);
    for (size_t i = 0; i < panels.len; i++)
        canvas_free(&panels.at[i].frame);
    vec_free(&panels);
    return ok;
}
