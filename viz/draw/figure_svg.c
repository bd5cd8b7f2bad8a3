/* A figure as SVG.
 *
 * Colours are attributes; the style sheet only changes them for a dark screen. */
#include "viz/draw/figure.h"

#include <math.h>

static const double margin = 4, px_per_mm = 96 / 25.4;

const FigInk figure_inks[INKS] = {
    [INK] = {"ink", "#1b2027", "#e8ebef"},     [MUTED] = {"muted", "#59626d", "#a2acb8"},
    [PAPER] = {"paper", "#ffffff", "#0f141a"}, [FRAME] = {"frame", "#f6f8fa", "#161c24"},
    [FILL] = {"fill", "#ffffff", "#202833"},   [SIGN] = {"sign", "#e4eefa", "#22364d"},
    [LIT] = {"lit", "#b45309", "#fbbf24"},
};

typedef struct {
    const Figure *f;
    Text *out;
    const char *prefix; /* of ids and rules */
    bool dark;
} Pen;

static const char *colour(const Pen *p, int k)
{
    return p->dark ? figure_inks[k].dark : figure_inks[k].light;
}

static void attr(const Pen *p, const char *name, double x)
{
    text_printf(p->out, " %s=\"", name);
    svg_number(p->out, x);
    text_putc(p->out, '"');
}

static void paint(const Pen *p, int fill, int line, double width)
{
    text_printf(p->out, " class=\"");
    if (fill >= 0)
        text_printf(p->out, "f-%s%s", figure_inks[fill].name, line >= 0 ? " " : "");
    if (line >= 0)
        text_printf(p->out, "s-%s", figure_inks[line].name);
    text_printf(p->out, "\" fill=\"%s\"", fill >= 0 ? colour(p, fill) : "none");
    if (line >= 0) {
        text_printf(p->out, " stroke=\"%s\"", colour(p, line));
        attr(p, "stroke-width", width);
    }
}

/* ---- words ---- */

static bool is_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/* Words of ours, not names. */
static bool is_word(const char *s, size_t n)
{
    static const char *const words[] = {"for",  "each",  "until", "repeat", "backwards", "steps",
                                        "if",   "then",  "else",  "final",  "at",        "most",
                                        "step", "and",   "or",    "not",    "result",    "gradient",
                                        "by",   "while", "from",  "of",     "is",        "lane"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strlen(words[i]) == n && strncmp(s, words[i], n) == 0)
            return true;
    return false;
}

size_t figure_run(const char *s, char before, bool *italic)
{
    size_t n = 1;
    bool letter = is_letter(*s) && !is_digit(before);
    while (letter && is_name(s[n]))
        n++;
    while (!letter && s[n] && (!is_letter(s[n]) || is_digit(s[n - 1])))
        n++;
    *italic = letter && s[n] != '(' && !is_word(s, n);
    return n;
}

static void put_formula(const Pen *p, const char *s)
{
    for (char before = ' '; *s;) {
        bool italic;
        size_t n = figure_run(s, before, &italic);
        if (italic) {
            text_put(p->out, "<tspan font-style=\"italic\"");
            paint(p, INK, -1, 0);
            text_putc(p->out, '>');
        }
        char *word = xstrdup(s);
        word[n] = '\0';
        xml_put(p->out, word);
        free(word);
        text_put(p->out, italic ? "</tspan>" : "");
        before = s[n - 1];
        s += n;
    }
}

static void put_text(const Pen *p, double x, double y, int anchor, const char *s, bool formula,
                     int ink)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    text_printf(p->out, "<text");
    attr(p, "x", x);
    attr(p, "y", y);
    text_printf(p->out, " text-anchor=\"%s\"", anchors[anchor + 1]);
    paint(p, ink, -1, 0);
    text_putc(p->out, '>');
    if (formula)
        put_formula(p, s);
    else
        xml_put(p->out, s);
    text_put(p->out, "</text>\n");
}

/* ---- nodes and boxes ---- */

bool figure_is_drawn(const Figure *f, size_t k)
{
    const SceneNode *s = &f->scene->nodes.at[k];
    return f->nodes[k].placed && (s->role == ROLE_NONE || s->role == ROLE_INPUT || !s->box);
}

Point figure_text_at(const Figure *f, const FigNode *n, int *anchor)
{
    bool left = !n->circle && (n->nlines > 1 || f->scene->listed);
    double line = figure_line_height(f);
    *anchor = left ? -1 : 0;
    return (Point){left ? n->x + f->size * 0.6 : n->x + n->w / 2,
                   n->y + n->h / 2 - line * n->nlines / 2 + line / 2 + f->size * 0.35};
}

static void put_node(const Pen *p, size_t k)
{
    const FigNode *n = &p->f->nodes[k];
    bool end = p->f->scene->nodes.at[k].role != ROLE_NONE, lit = p->f->scene->nodes.at[k].lit;
    if (!end) {
        text_put(p->out, "<g class=\"node\"><rect");
        attr(p, "rx", n->circle ? n->h / 2 : 3);
        attr(p, "x", n->x);
        attr(p, "y", n->y);
        attr(p, "width", n->w);
        attr(p, "height", n->h);
        paint(p, n->circle ? SIGN : FILL, lit ? LIT : INK, lit ? 2.6 : 0.9);
        text_put(p->out, "/>\n");
    }
    int anchor;
    Point at = figure_text_at(p->f, n, &anchor);
    for (int i = 0; i < n->nlines; i++)
        put_text(p, at.x, at.y + figure_line_height(p->f) * i, anchor, n->lines[i], !n->circle,
                 INK);
    text_put(p->out, end ? "" : "</g>\n");
}

static void put_box(const Pen *p, int k)
{
    const FigBox *b = &p->f->boxes[k];
    const SceneBox *s = scene_box_at(p->f->scene, k);
    if (!b->placed)
        return;
    text_put(p->out, "<g class=\"frame\"><rect");
    attr(p, "x", b->fx);
    attr(p, "y", b->fy);
    attr(p, "width", b->fw);
    attr(p, "height", b->fh);
    attr(p, "rx", 6);
    paint(p, s->parent ? FILL : FRAME, s->lit ? LIT : MUTED, s->lit ? 2.6 : 0.9);
    if (s->kind == BOX_THEN || s->kind == BOX_ELSE)
        text_put(p->out, " stroke-dasharray=\"4 3\"");
    text_put(p->out, "/></g>\n");
}

/* ---- lines ---- */

/* Corners are rounded a little. */
static void put_path(const Pen *p, const FigLine *l)
{
    const double round = 3.5;
    text_put(p->out, "<path d=\"");
    for (size_t i = 0; i < l->at.len; i++) {
        Point a = l->at.at[i];
        bool corner = i > 0 && i + 1 < l->at.len;
        if (!corner) {
            text_printf(p->out, "%s", i ? "L" : "M");
            svg_number(p->out, a.x);
            text_putc(p->out, ' ');
            svg_number(p->out, a.y);
            continue;
        }
        Point b = l->at.at[i - 1], c = l->at.at[i + 1];
        double in = fabs(a.x - b.x) + fabs(a.y - b.y), on = fabs(c.x - a.x) + fabs(c.y - a.y);
        double r = fmin(round, fmin(in, on) / 2);
        double pts[] = {a.x - (a.x - b.x) / in * r, a.y - (a.y - b.y) / in * r, a.x, a.y,
                        a.x + (c.x - a.x) / on * r, a.y + (c.y - a.y) / on * r};
        for (int k = 0; k < 6; k++) {
            text_put(p->out, k == 0 ? "L" : k == 2 ? "Q" : " ");
            svg_number(p->out, pts[k]);
        }
    }
    text_putc(p->out, '"');
    paint(p, -1, INK, l->thick ? 1.6 : 1);
    text_put(p->out, l->dashed ? " stroke-dasharray=\"3 2.5\"/>\n" : "/>\n");
}

bool figure_tip(const Figure *f, const FigLine *l, Point at[3])
{
    if (!l->arrow || l->at.len < 2)
        return false;
    Point z = l->at.at[l->at.len - 1], a = l->at.at[l->at.len - 2];
    double d = fabs(z.x - a.x) + fabs(z.y - a.y);
    if (d <= 0)
        return false;
    double ux = (z.x - a.x) / d, uy = (z.y - a.y) / d, len = f->size * 0.5, half = len * 0.38;
    at[0] = z;
    at[1] = (Point){z.x - ux * len - uy * half, z.y - uy * len + ux * half};
    at[2] = (Point){z.x - ux * len + uy * half, z.y - uy * len - ux * half};
    return true;
}

static void put_tip(const Pen *p, const FigLine *l)
{
    Point at[3];
    if (!figure_tip(p->f, l, at))
        return;
    text_put(p->out, "<path d=\"");
    for (int k = 0; k < 3; k++) {
        text_put(p->out, k == 0 ? "M" : "L");
        svg_number(p->out, at[k].x);
        text_putc(p->out, ' ');
        svg_number(p->out, at[k].y);
    }
    text_put(p->out, "Z\"");
    paint(p, INK, -1, 0);
    text_put(p->out, "/>\n");
}

/* ---- the document ---- */

static bool has_lit(const Scene *s)
{
    bool lit = false;
    for (size_t i = 0; i < s->nodes.len; i++)
        lit |= s->nodes.at[i].lit;
    for (size_t i = 0; i < s->boxes.len; i++)
        lit |= s->boxes.at[i].lit;
    return lit;
}

static void put_style(const Pen *p)
{
    text_put(p->out, "<style>\n");
    if (p->f->scene->theme == THEME_AUTO) { /* viewers that know no @supports pass over it */
        text_put(p->out, "@supports (--a:b){\n@media (prefers-color-scheme:dark){");
        for (int k = 0; k < (has_lit(p->f->scene) ? INKS : LIT); k++)
            text_printf(p->out, ".%sscene .f-%s{fill:%s}.%sscene .s-%s{stroke:%s}", p->prefix,
                        figure_inks[k].name, figure_inks[k].dark, p->prefix, figure_inks[k].name,
                        figure_inks[k].dark);
        text_put(p->out, "}\n}\n");
    }
    text_printf(p->out, "@media print{.%sscene .f-paper{fill:none}}\n</style>\n", p->prefix);
}

static void put_background(const Pen *p)
{
    const char *given = p->f->scene->background;
    if (given && strcmp(given, "none") == 0)
        return;
    text_put(p->out, "<rect width=\"100%\" height=\"100%\"");
    if (given)
        text_printf(p->out, " fill=\"%s\"", given);
    else
        paint(p, PAPER, -1, 0);
    text_put(p->out, "/>\n");
}

static void put_head(const Pen *p, double w, double h)
{
    const Scene *s = p->f->scene;
    text_put(p->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
    double mm = (s->scale > 0 ? s->scale : 1) / px_per_mm;
    text_printf(p->out, "%.4fmm\" height=\"%.4f", w * mm, h * mm);
    text_put(p->out, "mm\" viewBox=\"0 0 ");
    svg_number(p->out, w);
    text_putc(p->out, ' ');
    svg_number(p->out, h);
    text_printf(p->out,
                "\" class=\"gradus-scene gradus-figure %sscene\" role=\"img\" "
                "aria-labelledby=\"%stitle %sdesc\" "
                "font-family=\"'DejaVu Sans',Helvetica,Arial,sans-serif\"",
                p->prefix, p->prefix, p->prefix);
    text_printf(p->out, " font-size=\"%.4f\"",
                ceil(p->f->size * 1e4) / 1e4); /* never less than asked for */
    text_printf(p->out, " xml:space=\"preserve\">\n<title id=\"%stitle\">", p->prefix);
    xml_put(p->out, s->title && *s->title ? s->title : "Figure");
    text_printf(p->out, "</title>\n<desc id=\"%sdesc\">", p->prefix);
    Text t = {0};
    if (s->desc)
        text_put(&t, s->desc);
    else
        scene_describe(&t, s);
    xml_put(p->out, text_str(&t));
    text_free(&t);
    text_put(p->out, "</desc>\n");
    put_style(p);
    put_background(p);
}

Point figure_svg(const Figure *f, Text *out)
{
    char *prefix = svg_prefix(f->scene);
    Pen p = {f, out, prefix, f->scene->theme == THEME_DARK};
    double w = ceil(10 * (f->boxes[0].w + 2 * margin)) / 10; /* as it is written */
    double h = ceil(10 * (f->boxes[0].h + 2 * margin)) / 10;
    put_head(&p, w, h);
    text_printf(out, "<g transform=\"translate(%g %g)\">\n", margin, margin);
    for (size_t k = 1; k <= f->scene->boxes.len; k++)
        put_box(&p, (int)k);
    for (size_t i = 0; i < f->lines.len; i++)
        if (f->lines.at[i].at.len > 1)
            put_path(&p, &f->lines.at[i]);
    for (size_t i = 0; i < f->lines.len; i++)
        put_tip(&p, &f->lines.at[i]);
    for (size_t i = 0; i < f->dots.len; i++) {
        text_put(out, "<circle");
        attr(&p, "cx", f->dots.at[i].at.x);
        attr(&p, "cy", f->dots.at[i].at.y);
        attr(&p, "r", 2);
        paint(&p, INK, -1, 0);
        text_put(out, "/>\n");
    }
    for (size_t k = 0; k < f->scene->nodes.len; k++)
        if (figure_is_drawn(f, k))
            put_node(&p, k);
    for (size_t i = 0; i < f->labels.len; i++) {
        const FigLabel *l = &f->labels.at[i];
        put_text(&p, l->x, l->y, l->anchor, l->text, !l->prose, l->prose ? MUTED : INK);
    }
    text_put(out, "</g>\n</svg>\n");
    free(prefix);
    return (Point){ceil(w), ceil(h)};
}

bool figure_draw(Scene *s, const char *format, Text *out, Text *remark, Text *error)
{
    Figure f;
    Text svg = {0};
    if (strcmp(format, "json") == 0) {
        scene_json(out, s);
        return true;
    }
    bool ok = figure_layout(&f, s, error);
    if (ok && figure_shortened(&f))
        text_put(remark, figure_shortened(&f));
    if (ok && strcmp(format, "tex") == 0) {
        figure_tex(&f, out);
    } else if (ok && strcmp(format, "dot") == 0) {
        text_put(error,
                 "a figure has its own layout, so none as .dot; take .svg, .pdf, .png, .tex");
        ok = false;
    } else if (ok) {
        Point size = figure_svg(&f, &svg);
        bool plain = strcmp(format, "svg") == 0;
        if (plain)
            text_putn(out, svg.at, svg.len);
        ok = plain || svg_to(s, format, &svg, size, remark, out);
        if (!ok)
            text_printf(error, "librsvg, which makes .%s, is missing or failed", format);
    }
    text_free(&svg);
    figure_free(&f);
    return ok;
}
