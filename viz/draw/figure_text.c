/* Formulas broken into lines and measured, with the metrics of draw_text.c. */
#include "base/utf8.h"
#include "viz/draw/figure.h"

#include <math.h>

/* Blanks that do not break are as wide as others. */
static double width_of(const Figure *f, const char *s)
{
    double w = text_width(FONT_SANS, f->size, s);
    for (; (s = strstr(s, "\u00A0")); s += 2)
        w -= text_width(FONT_SANS, f->size, "\u00A0") - text_width(FONT_SANS, f->size, " ");
    return w;
}

/* What stands above or below the line is smaller. */
double figure_width(const Figure *f, const Phrase *p)
{
    double w = width_of(f, p->text ? p->text : "");
    for (int i = 0; i < p->nparts; i++) {
        const PhrasePart *part = &p->parts[i];
        if (part->kind != PHRASE_BELOW && part->kind != PHRASE_ABOVE)
            continue;
        Text small = {0};
        text_putn(&small, p->text + part->at, (size_t)part->n);
        w -= width_of(f, text_str(&small)) * (1 - SHIFTED_SIZE);
        text_free(&small);
    }
    return w;
}

double figure_line_height(const Figure *f) { return f->size * 1.35; }

/* ---- breaking ---- */

/* Of the places where the first line may end, the best of each kind; 0: none. */
typedef struct {
    int sign, equals, blank, joined;
    int cost; /* of the sign: how many parentheses are open there */
} Breaks;

static int best_of(const Breaks *b)
{
    return b->sign ? b->sign : b->equals ? b->equals : b->blank ? b->blank : b->joined;
}

/* Before a sign within the fewest parentheses, and there the last one; else at `=`; else at a
 * blank; else between factors, within a call. */
static void note_break(Breaks *b, const PhrasePart *at, int letters, int max)
{
    bool sign = at->n < BREAK_WORDS && at->n % 2 == 0;
    if (sign && (!b->sign || at->n <= b->cost) && letters * 5 > max * 2 && letters > 3) {
        b->sign = at->at;
        b->cost = at->n;
    } else if (at->n == 1 && !b->equals) { /* in parentheses it is a comparison */
        b->equals = at->at;
    } else if (at->n != BREAK_JOINED && letters > 6) {
        b->blank = at->at;
    } else if (at->n == BREAK_JOINED && letters > 7) {
        b->joined = at->at;
    }
}

/* Where so many letters end. */
static int after_letters(const char *s, int from, int letters)
{
    while (s[from] && letters-- > 0)
        do
            from++;
        while ((s[from] & 0xC0) == 0x80);
    return from;
}

/* Where the line that begins at `from` ends, of at most max letters if it can be broken; if `hard`,
 * it can be anywhere. */
static int end_of_line(const Phrase *p, int from, int max, bool hard)
{
    Breaks b = {0};
    int end = from + (int)strcspn(p->text + from, "\n"), at = from, letters = 0;
    for (int i = 0; i <= p->nparts; i++) {
        PhrasePart last = {PHRASE_BREAK, end, BREAK_WORDS};
        const PhrasePart *part = i < p->nparts && p->parts[i].at < end ? &p->parts[i] : &last;
        if (part->kind != PHRASE_BREAK || part->at <= from)
            continue;
        letters += pretty_columns(p->text + at, (size_t)(part->at - at));
        at = part->at;
        if (best_of(&b) && letters - (part->n == BREAK_JOINED) > max)
            return best_of(&b);
        if (hard && letters > max && !best_of(&b))
            return after_letters(p->text, from, max + 1);
        if (at == end)
            break;
        note_break(&b, part, letters, max);
    }
    return end;
}

/* Appends what stands from *at to `end`, control characters made visible. */
static void copy_to(Text *out, const char *s, int *at, int end)
{
    int width = 0;
    while (*at < end)
        *at += (int)utf8_put_visible(out, s + *at, (size_t)(end - *at), &width);
}

static int without_blanks(const char *s, int from, int to)
{
    while (to > from && s[to - 1] == ' ')
        to--;
    while (to > from + 1 && strncmp(s + to - 2, "\u00A0", 2) == 0)
        to -= 2;
    return to;
}

Phrase figure_slice(Figure *f, const Phrase *p, int from, int to)
{
    Text t = {0};
    PhrasePart *parts = arena_alloc(&f->words, ((size_t)p->nparts + 1) * sizeof *parts);
    int n = 0, at = from, end = without_blanks(p->text, from, to);
    for (int i = 0; i < p->nparts; i++) {
        const PhrasePart *part = &p->parts[i];
        bool kept = part->kind == PHRASE_VARIABLE || part->kind == PHRASE_BELOW ||
                    part->kind == PHRASE_ABOVE;
        if (!kept || part->at < at || part->at + part->n > end)
            continue;
        copy_to(&t, p->text, &at, part->at);
        int begin = (int)t.len;
        copy_to(&t, p->text, &at, part->at + part->n);
        parts[n++] = (PhrasePart){part->kind, begin, (int)t.len - begin};
    }
    copy_to(&t, p->text, &at, end);
    Phrase slice = {arena_strndup(&f->words, text_str(&t), t.len), parts, n};
    text_free(&t);
    return slice;
}

Phrase *figure_wrap(Figure *f, const Phrase *text, int max, int *n)
{
    VEC(Phrase) lines = {0};
    Phrase all = text->text ? figure_typeset(f, text) : (Phrase){.text = ""};
    for (int at = 0; all.text[at];) {
        int end = end_of_line(&all, at, max, f->scene->listed);
        vec_push(&lines, figure_slice(f, &all, at, end));
        at = end + (all.text[end] == '\n');
        at += (int)strspn(all.text + at, " ");
    }
    Phrase *kept = arena_alloc(&f->words, (lines.len + 1) * sizeof *kept);
    for (size_t i = 0; i < lines.len; i++)
        kept[i] = lines.at[i];
    *n = (int)lines.len;
    vec_free(&lines);
    return kept;
}

/* ---- sizes ---- */

/* How many lines the first `line` lines of a label become. */
static int lines_of(Figure *f, const Phrase *p, int line)
{
    int end = 0, n = 0, parts = 0;
    for (int k = 0; p->text[end] && (p->text[end] != '\n' || ++k < line);)
        end++;
    while (parts < p->nparts && p->parts[parts].at < end)
        parts++;
    Phrase first = {arena_strndup(&f->words, p->text, (size_t)end), p->parts, parts};
    figure_wrap(f, &first, f->wrap, &n);
    return n;
}

double figure_line_middle(Figure *f, int node, int line)
{
    const Phrase *p = &scene_node_at(f->scene, node)->words;
    int all = f->nodes[node - 1].nlines, to = lines_of(f, p, line),
        from = line > 1 ? lines_of(f, p, line - 1) : 0;
    return figure_line_height(f) * ((from + to) - all) / 2;
}

static bool is_end(const SceneNode *n) { return n->role != ROLE_NONE; }

/* What its line carries stands above the line; what becomes of it where lines turn around at once,
 * figure_stack says. */
static void measure_tag(Figure *f, const SceneNode *s, FigNode *n)
{
    if (!s->detail || is_end(s))
        return;
    Phrase all = {.text = s->detail};
    Phrase tag = figure_slice(f, &all, 0, (int)strlen(s->detail));
    n->tag = tag;
    n->room = f->stacked && !s->box ? 0 : figure_width(f, &tag) + f->size;
}

void figure_tag_below(Figure *f, FigNode *n)
{
    Phrase *lines = arena_alloc(&f->words, ((size_t)n->nlines + 1) * sizeof *lines);
    for (int i = 0; i < n->nlines; i++)
        lines[i] = n->lines[i];
    lines[n->nlines++] = n->tag;
    n->lines = lines;
    n->w = fmax(n->w, figure_width(f, &n->tag) + f->size * 1.2);
    n->h += figure_line_height(f);
}

static void measure_node(Figure *f, size_t k)
{
    const SceneNode *s = &f->scene->nodes.at[k];
    FigNode *n = &f->nodes[k];
    n->circle = !is_end(s) && s->op && strcmp(s->op, "formula") != 0;
    n->lines = figure_wrap(f, &s->words, n->circle || is_end(s) ? 1000 : f->wrap, &n->nlines);
    measure_tag(f, s, n);
    double w = 0;
    for (int i = 0; i < n->nlines; i++)
        w = fmax(w, figure_width(f, &n->lines[i]));
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
    for (size_t i = 0; i < f->scene->boxes.len; i++)
        b->row |= f->scene->boxes.at[i].parent == k && f->scene->boxes.at[i].kind == BOX_STEP;
    b->lines = figure_wrap(f, &s->title_words, b->row ? 1000 : f->wrap + f->wrap / 2, &b->nlines);
}

void figure_measure(Figure *f)
{
    for (size_t k = 0; k < f->scene->nodes.len; k++)
        measure_node(f, k);
    for (size_t k = 1; k <= f->scene->boxes.len; k++)
        measure_box(f, (int)k);
}
