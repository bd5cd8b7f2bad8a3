/* Formulas broken into lines and measured, with the metrics of draw_text.c. */
#include "base/utf8.h"
#include "viz/draw/figure.h"

#include <math.h>

/* Blanks that do not break are as wide as others. */
double figure_width(const Figure *f, const char *s)
{
    double w = text_width(FONT_SANS, f->size, s);
    for (; (s = strstr(s, "\u00A0")); s += 2)
        w -= text_width(FONT_SANS, f->size, "\u00A0") - text_width(FONT_SANS, f->size, " ");
    return w;
}

double figure_line_height(const Figure *f) { return f->size * 1.35; }

/* ---- breaking ---- */

static bool is_break(const char *s, size_t i)
{
    static const char *const signs[] = {"+ ", "\u2212 ", "\u2299 ", "\u2297 ", "\u00B7 ", "/ "};
    if (i == 0 || s[i - 1] != ' ')
        return false;
    if (i > 1 && s[i - 2] == ',')
        return true;
    for (size_t k = 0; k < COUNT_OF(signs); k++)
        if (strncmp(s + i, signs[k], strlen(signs[k])) == 0)
            return true;
    return false;
}

/* Where the line that begins s ends, of at most max letters: before a sign within the fewest
 * parentheses, and there the last one; else at a blank; else, if `hard`, anywhere. */
static size_t break_of(const char *s, int max, bool hard)
{
    size_t n = strlen(s), best = 0, blank = 0, equals = 0, joined = 0;
    int letters = 0, depth = 0, best_depth = 1 << 20;
    for (size_t i = 0; i < n;) {
        if (s[i] == '\n')
            return i;
        bool wide_enough = letters * 5 > max * 2 && letters > 3;
        if (is_break(s, i) && (depth < best_depth || (depth == best_depth)) && wide_enough) {
            best = i;
            best_depth = depth;
        } else if (i > 2 && s[i - 1] == ' ' && s[i - 2] == '=' && !equals) {
            equals = i;
        } else if (i && s[i - 1] == ' ' && letters > 6) {
            blank = i;
        }
        depth += s[i] == '(' || s[i] == '[';
        depth -= s[i] == ')' || s[i] == ']';
        u32 c;
        int len = utf8_decode(s + i, n - i, &c);
        i += len ? (size_t)len : 1;
        if (letters > 6 && i > 1 && (strncmp(s + i - 2, "\u00A0", 2) == 0 || s[i - 1] == '('))
            joined = i; /* between factors, within a call: where nothing else is left */
        size_t found = best ? best : equals ? equals : blank ? blank : joined;
        if (++letters > max && found)
            return found;
        if (letters > max && hard)
            return i;
    }
    return n;
}

static char *line_of(const char *s, size_t n)
{
    Text t = {0};
    int width = 0;
    while (n && s[n - 1] == ' ')
        n--;
    while (n > 1 && strncmp(s + n - 2, "\u00A0", 2) == 0)
        n -= 2;
    for (size_t i = 0; i < n;)
        i += utf8_put_visible(&t, s + i, n - i, &width);
    return text_take(&t);
}

/* With `brief`, words that have a usual sign. */
static char *abbreviated(const Figure *f, const char *s)
{
    Text t = {0};
    for (; *s; s++)
        if (f->brief && strncmp(s, "sigmoid(", 8) == 0) {
            text_put(&t, "\u03C3(");
            s += 7;
        } else {
            text_putc(&t, *s);
        }
    return text_take(&t);
}

char **figure_wrap(const Figure *f, const char *text, int max, int *n)
{
    VEC(char *) lines = {0};
    char *all = abbreviated(f, text);
    for (const char *s = all; *s;) {
        size_t len = break_of(s, max, f->scene->listed);
        vec_push(&lines, line_of(s, len));
        s += len + (s[len] == '\n');
        while (*s == ' ')
            s++;
    }
    free(all);
    *n = (int)lines.len;
    return lines.at;
}

void figure_free_lines(char **lines, int n)
{
    for (int i = 0; i < n; i++)
        free(lines[i]);
    free(lines);
}

/* ---- sizes ---- */

static bool is_end(const SceneNode *n) { return n->role != ROLE_NONE; }

static void measure_node(Figure *f, size_t k)
{
    const SceneNode *s = &f->scene->nodes.at[k];
    FigNode *n = &f->nodes[k];
    const char *label = s->label ? s->label : "";
    n->circle = !is_end(s) && s->op && strcmp(s->op, "formula") != 0;
    n->lines = figure_wrap(f, label, n->circle || is_end(s) ? 1000 : f->wrap, &n->nlines);
    double w = 0;
    for (int i = 0; i < n->nlines; i++)
        w = fmax(w, figure_width(f, n->lines[i]));
    double high = figure_line_height(f) * n->nlines;
    if (n->circle) {
        n->h = f->size * 1.75;
        n->w = fmax(n->h, w + f->size * 0.9);
    } else if (is_end(s)) {
        n->w = w;
        n->h = high;
    } else {
        n->w = w + f->size * 1.2;
        n->h = high + f->size * 0.8;
    }
}

/* The title, and beside or below it the weights. */
static void measure_box(Figure *f, int k)
{
    const SceneBox *s = scene_box_at(f->scene, k);
    FigBox *b = &f->boxes[k];
    b->lines = figure_wrap(f, s->title ? s->title : "", f->wrap + f->wrap / 2, &b->nlines);
}

void figure_measure(Figure *f)
{
    for (size_t k = 0; k < f->scene->nodes.len; k++)
        measure_node(f, k);
    for (size_t k = 1; k <= f->scene->boxes.len; k++)
        measure_box(f, (int)k);
}
