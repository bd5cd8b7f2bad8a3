/* :play EXPR FILE.svg: frames beside and below each other in one picture.
 *
 * Invariant: colours and places are literal, so that every viewer shows the same. */
#include "repl/commands/play.h"

#include "base/utf8.h"

enum {
    COLUMNS = 64, /* characters of a frame */
    LETTER = 8,   /* wide, of 13 px; a little more than it takes */
    LINE = 18,
    MARGIN = 12,
    CURVE = 48,
    MOST_ACROSS = 3, /* frames beside each other */
    GAP = 12
};

static const char *const colors[PLAY_ELEMENTS] = {"#0550ae", "#b3261e", "#116329"};

static void put_words(Text *out, int x, int y, const char *more, const char *s, size_t n)
{
    char *words = xmalloc(n + 1);
    memcpy(words, s, n);
    words[n] = '\0';
    text_printf(out, "<text x=\"%d\" y=\"%d\"%s>", x, y, more);
    xml_put(out, words);
    text_put(out, "</text>\n");
    free(words);
}

/* Returns where the next line stands. */
static int put_lines(Text *out, const char *s, int y)
{
    for (; *s; s += s[strcspn(s, "\n")] == '\n' ? strcspn(s, "\n") + 1 : strcspn(s, "\n")) {
        y += LINE;
        put_words(out, MARGIN, y, "", s, strcspn(s, "\n"));
    }
    return y;
}

/* Lines of the points that are there. */
static void put_path(Text *out, const PlayPoints *points, int x, int y, int width,
                     const char *color)
{
    bool drawn = false;
    text_printf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" d=\"", color);
    for (size_t i = 0; i < points->len; i++) {
        const PlayPoint *p = &points->at[i];
        if (p->there)
            text_printf(out, "%c%.1f,%.1f", drawn ? 'L' : 'M', x + p->x * width,
                        y + (1 - p->y) * CURVE);
        drawn = p->there;
    }
    text_put(out, "\"/>\n");
}

static int put_curves(const PlayTrack *t, Text *out, int y)
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
        if (!play_has_curve(reel_after(&t->r, state)))
            continue;
        y += GAP;
        put_words(out, MARGIN, y + CURVE / 2 + 4, "", name, strlen(name));
        text_printf(out,
                    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#ffffff\" "
                    "stroke=\"#d0d7de\"/>\n",
                    x, y, width, CURVE);
        for (int e = 0; e < PLAY_ELEMENTS; e++) {
            PlayPoints points = {.at = NULL};
            play_points(t, state, e, &points);
            if (points.len)
                put_path(out, &points, x, y, width, colors[e]);
            vec_free(&points);
        }
        y += CURVE;
    }
    return y;
}

/* One frame from (0, 0) on; *height: how much it takes. false after a diagnostic. */
static bool put_frame(PlayTrack *t, i64 step, Text *out, int *height)
{
    Text head = {0}, lines = {0};
    t->step = step;
    if (t->r.steps && !reel_go(&t->r, step))
        return false;
    text_printf(&head, "%s%s, ", t->title, t->backward ? ", the way back" : "");
    if (t->r.steps)
        text_printf(&head, "step %lld of 0..%lld, t = %lld", (long long)step,
                    (long long)t->r.steps - 1, (long long)play_index(&t->b, step));
    else
        text_put(&head, "no step");
    put_words(out, MARGIN, MARGIN + LINE, " font-weight=\"bold\"", text_str(&head), head.len);
    if (t->r.steps)
        play_put_equations(t, &lines, COLUMNS, MARKS_NONE);
    *height = put_lines(out, text_str(&lines), MARGIN + LINE + LINE / 2);
    if (t->r.steps)
        *height = put_curves(t, out, *height);
    *height += GAP;
    text_free(&head);
    text_free(&lines);
    return true;
}

typedef struct {
    Text frame;
    int height;
} Panel;
typedef VEC(Panel) Panels;

static bool make_panels(PlayTrack *t, const PlaySteps *s, Panels *panels)
{
    bool ok = true;
    for (i64 i = s->from; i <= s->to && ok; i++) {
        Panel p = {.height = 0};
        ok = put_frame(t, i, &p.frame, &p.height);
        vec_push(panels, p);
    }
    return ok;
}

/* Row after row; a row is as high as its highest frame. */
static void put_sheet(Text *out, const Panels *panels, const char *about)
{
    int wide = COLUMNS * LETTER + 2 * MARGIN, y = MARGIN;
    int across = panels->len < MOST_ACROSS ? (int)panels->len : MOST_ACROSS;
    Text body = {0};
    for (size_t i = 0; i < panels->len; i += (size_t)across) {
        int highest = 0;
        for (size_t k = i; k < i + (size_t)across && k < panels->len; k++)
            highest = panels->at[k].height > highest ? panels->at[k].height : highest;
        for (size_t k = i; k < i + (size_t)across && k < panels->len; k++) {
            Panel *p = &panels->at[k];
            text_printf(&body,
                        "<g transform=\"translate(%d,%d)\">\n<rect width=\"%d\" height=\"%d\" "
                        "rx=\"6\" fill=\"#f6f8fa\" stroke=\"#d0d7de\"/>\n%s</g>\n",
                        MARGIN + (int)(k - i) * (wide + GAP), y, wide, highest,
                        text_str(&p->frame));
        }
        y += highest + GAP;
    }
    int width = across * (wide + GAP) - GAP + 2 * MARGIN;
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" role=\"img\" xml:space=\"preserve\" font-family=\""
                "'DejaVu Sans Mono', monospace\" font-size=\"13\" fill=\"#1b1f24\">\n<title>",
                width, y, width, y);
    xml_put(out, about);
    text_printf(out, "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n%s</svg>\n",
                width, y, text_str(&body));
    text_free(&body);
}

bool film_sheet(Film *f, const char *about, Text *out)
{
    Panels panels = {.at = NULL};
    bool ok = true;
    for (int k = 0; k < 2 && f->tracks[k] && ok; k++) {
        PlaySteps s;
        ok = film_steps(f, f->tracks[k]->r.steps, &s) && make_panels(f->tracks[k], &s, &panels);
    }
    if (ok)
        put_sheet(out, &panels, about);
    for (size_t i = 0; i < panels.len; i++)
        text_free(&panels.at[i].frame);
    vec_free(&panels);
    return ok;
}
