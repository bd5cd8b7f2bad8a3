/* A figure on the canvas, as SVG and as TikZ.
 *
 * Colours are literal; the style sheet of an SVG only changes them for a dark screen. */
#include "viz/draw/figure.h"
#include "viz/draw/mermaid.h"
#include "viz/scene/look.h"

#include <ctype.h>
#include <math.h>

static const double margin = 4, px_per_mm = 96 / 25.4;

enum { INK, MUTED, PAPER, FRAME, FILL, SIGN, LIT, INKS };
static const Color inks[INKS] = {
    [INK] = {"ink", PAINT_TEXT},
    [MUTED] = {"muted", PAINT_MUTED},
    [PAPER] = {"paper", PAINT_PAPER},
    [FRAME] = {"frame", PAINT_FRAME},
    [FILL] = {"fill", .light = "#ffffff", .dark = "#202833"},
    [SIGN] = {"sign", .light = "#e4eefa", .dark = "#22364d"},
    [LIT] = {"lit", .light = "#b45309", .dark = "#fbbf24"},
};

typedef struct {
    Canvas c;
    const Figure *f;
    const char *prefix; /* of ids and rules */
} Pen;

/* ---- words ---- */

static bool has_letter(const char *s)
{
    return isalpha((unsigned char)*s) || (unsigned char)*s >= 0x80;
}

static void put_text(Pen *p, double x, double y, int side, const Phrase *text, int ink)
{
    Words w = {.at = {x, y}, .side = side, .color = inks[ink]};
    VEC(TextRun) runs = {0};
    int at = 0, end = (int)strlen(text->text);
    for (int i = 0; i <= text->nparts; i++) {
        PhrasePart part = i < text->nparts ? text->parts[i] : (PhrasePart){PHRASE_VARIABLE, end, 0};
        int shift = part.kind == PHRASE_ABOVE ? 1 : part.kind == PHRASE_BELOW ? -1 : 0;
        if (part.kind != PHRASE_VARIABLE && !shift)
            continue;
        if (part.at > at)
            vec_push(&runs, ((TextRun){.text = text->text + at,
                                       .len = (size_t)(part.at - at),
                                       .color = inks[INK]}));
        if (part.n)
            vec_push(&runs, ((TextRun){.text = text->text + part.at,
                                       .len = (size_t)part.n,
                                       .italic = !shift || has_letter(text->text + part.at),
                                       .shift = shift,
                                       .color = inks[INK]}));
        at = part.at + part.n;
    }
    p->c.to->text(&p->c, &w, runs.at, (int)runs.len);
    vec_free(&runs);
}

/* ---- nodes and boxes ---- */

/* Is it drawn by itself? Ends of lines are only told by the words at the line. */
static bool is_drawn(const Figure *f, size_t k)
{
    const SceneNode *s = &f->scene->nodes.at[k];
    return f->nodes[k].placed && (s->role == ROLE_NONE || s->role == ROLE_INPUT || !s->box);
}

/* Where the lines of a node's text go: of the first one's base line; the others follow below. */
static Point text_at(const Figure *f, const FigNode *n, int *anchor)
{
    bool left = !n->circle && (n->nlines > 1 || f->scene->listed);
    double line = figure_line_height(f);
    *anchor = left ? -1 : 0;
    return (Point){left ? n->x + f->size * 0.6 : n->x + n->w / 2,
                   n->y + n->h / 2 - line * n->nlines / 2 + line / 2 + f->size * 0.35};
}

static void put_node(Pen *p, size_t k)
{
    const FigNode *n = &p->f->nodes[k];
    bool end = p->f->scene->nodes.at[k].role != ROLE_NONE, lit = p->f->scene->nodes.at[k].lit;
    Look look = {.fill = inks[n->circle ? SIGN : FILL],
                 .line = inks[lit ? LIT : INK],
                 .width = lit ? 2.6 : 0.9,
                 .round = n->circle ? n->h / 2 : 3};
    if (p->f->scene->nodes.at[k].shade)
        look.fill = shade_color(p->f->scene->nodes.at[k].shade);
    const char *link = end ? NULL : p->f->scene->nodes.at[k].link;
    if (link)
        p->c.to->link(&p->c, link);
    if (!end) {
        p->c.to->group(&p->c, &(Attribute){"class", "node"}, 1, NULL);
        p->c.to->rect(&p->c, &look, n->x, n->y, n->w, n->h);
    }
    int side;
    Point at = text_at(p->f, n, &side);
    for (int i = 0; i < n->nlines; i++)
        put_text(p, at.x, at.y + figure_line_height(p->f) * i, side, &n->lines[i], INK);
    if (!end)
        p->c.to->end(&p->c);
    if (link)
        p->c.to->end(&p->c);
}

static void put_box(Pen *p, int k)
{
    const FigBox *b = &p->f->boxes[k];
    const SceneBox *s = scene_box_at(p->f->scene, k);
    Look look = {.fill = inks[s->parent ? FILL : FRAME],
                 .line = inks[s->lit ? LIT : MUTED],
                 .width = s->lit ? 2.6 : 0.9,
                 .dash = s->kind == BOX_THEN || s->kind == BOX_ELSE ? "4 3" : NULL,
                 .round = 6};
    if (!b->placed)
        return;
    p->c.to->group(&p->c, &(Attribute){"class", "frame"}, 1, NULL);
    p->c.to->rect(&p->c, &look, b->fx, b->fy, b->fw, b->fh);
    p->c.to->end(&p->c);
}

/* ---- lines ---- */

static void put_line(Pen *p, const FigLine *l)
{
    Look look = {.line = inks[INK],
                 .width = l->thick ? 1.6 : 1,
                 .dash = l->dashed ? "3 2.5" : NULL,
                 .round = 3.5};
    if (l->at.len > 1)
        p->c.to->path(&p->c, &look, l->at.at, (int)l->at.len);
}

/* The corners of the arrow's tip of a line; false: it has none. */
static bool find_tip(const Figure *f, const FigLine *l, Point at[3])
{
    if (!l->arrow || l->at.len < 2)
        return false;
    Point z = l->at.at[l->at.len - 1], a = l->at.at[l->at.len - 2];
    double d = hypot(z.x - a.x, z.y - a.y);
    if (d <= 0)
        return false;
    double ux = (z.x - a.x) / d, uy = (z.y - a.y) / d, len = f->size * 0.5, half = len * 0.38;
    at[0] = z;
    at[1] = (Point){z.x - ux * len - uy * half, z.y - uy * len + ux * half};
    at[2] = (Point){z.x - ux * len + uy * half, z.y - uy * len - ux * half};
    return true;
}

/* ---- the document ---- */

static void put_elements(Pen *p)
{
    const Figure *f = p->f;
    Point tip[3];
    for (size_t k = 1; k <= f->scene->boxes.len; k++)
        put_box(p, (int)k);
    for (size_t i = 0; i < f->lines.len; i++)
        put_line(p, &f->lines.at[i]);
    for (size_t i = 0; i < f->lines.len; i++)
        if (find_tip(f, &f->lines.at[i], tip))
            p->c.to->polygon(&p->c, &(Look){.fill = inks[INK]}, tip, 3);
    for (size_t i = 0; i < f->dots.len; i++)
        p->c.to->dot(&p->c, &(Look){.fill = inks[INK]}, f->dots.at[i].at, 2);
    for (size_t k = 0; k < f->scene->nodes.len; k++)
        if (is_drawn(f, k))
            put_node(p, k);
    for (size_t i = 0; i < f->labels.len; i++) {
        const FigLabel *l = &f->labels.at[i];
        put_text(p, l->x, l->y, l->anchor, &l->text, l->prose ? MUTED : INK);
    }
}

static bool has_lit(const Scene *s)
{
    bool lit = false;
    for (size_t i = 0; i < s->nodes.len; i++)
        lit |= s->nodes.at[i].lit;
    for (size_t i = 0; i < s->boxes.len; i++)
        lit |= s->boxes.at[i].lit;
    return lit;
}

static void put_style(const Pen *p, Text *out)
{
    text_put(out, "<style>\n");
    if (p->f->scene->theme == THEME_AUTO &&
        !look_has_colors(p->f->scene)) { /* viewers that know no @supports pass over it */
        text_put(out, "@supports (--a:b){\n@media (prefers-color-scheme:dark){");
        for (int k = 0; k < (has_lit(p->f->scene) ? INKS : LIT); k++)
            text_printf(out, ".%sscene .f-%s{fill:%s}.%sscene .s-%s{stroke:%s}", p->prefix,
                        inks[k].of, inks[k].dark, p->prefix, inks[k].of, inks[k].dark);
        text_put(out, "}\n}\n");
    }
    text_printf(out, "@media print{.%sscene .f-paper{fill:none}}\n</style>\n", p->prefix);
}

static void put_head(const Pen *p, Point size, Text *out)
{
    const Scene *s = p->f->scene;
    double mm = (s->scale > 0 ? s->scale : 1) / px_per_mm;
    Text w = {0}, h = {0}, font = {0}, desc = {0}, family = {0};
    look_family(s, "'DejaVu Sans',Helvetica,Arial,sans-serif", &family);
    text_printf(&w, "%.4fmm", size.x * mm);
    text_printf(&h, "%.4fmm", size.y * mm);
    text_printf(&font, "font-size=\"%.4f\" xml:space=\"preserve\"",
                ceil(p->f->size * 1e4) / 1e4); /* never less than asked for */
    scene_describe(&desc, s);
    svg_open(out, &(SvgHead){.width = text_str(&w),
                             .height = text_str(&h),
                             .size = size,
                             .class = "gradus-scene gradus-figure",
                             .prefix = p->prefix,
                             .family = text_str(&family),
                             .more = text_str(&font),
                             .title = s->title && *s->title ? s->title : "Figure",
                             .desc = text_str(&desc)});
    put_style(p, out);
    text_free(&w);
    text_free(&h);
    text_free(&font);
    text_free(&family);
    text_free(&desc);
}

static Point put_svg(const Figure *f, Text *out)
{
    static const Letters letters[] = {{NULL, FONT_SANS, 0}}; /* the size is the document's */
    char *prefix = svg_prefix(f->scene);
    const char *asked = f->scene->background;
    Pen p = {.f = f, .prefix = prefix};
    p.c = (Canvas){.to = &canvas_svg,
                   .dark = f->scene->theme == THEME_DARK,
                   .tinted = true,
                   .letters = letters,
                   .nletters = 1};
    look_apply(&p.c, f->scene);
    Point size = {ceil(10 * (f->boxes[0].w + 2 * margin)) / 10, /* as it is written */
                  ceil(10 * (f->boxes[0].h + 2 * margin)) / 10};
    Text place = {0};
    text_printf(&place, "translate(%g %g)", margin, margin);
    if (!asked || strcmp(asked, "none") != 0)
        p.c.to->paper(&p.c, NULL,
                      asked ? (Color){"own", .light = asked, .dark = asked} : inks[PAPER], size);
    p.c.to->group(&p.c, &(Attribute){"transform", text_str(&place)}, 1, NULL);
    put_elements(&p);
    p.c.to->end(&p.c);
    put_head(&p, size, out);
    text_putn(out, p.c.out.at, p.c.out.len);
    text_put(out, "</svg>\n");
    text_free(&place);
    canvas_free(&p.c);
    free(prefix);
    return (Point){ceil(size.x), ceil(size.y)};
}

static void put_tex(const Figure *f, Text *out)
{
    const Letters letters[] = {{"\\gradusLabel", FONT_SANS, f->size}};
    Pen p = {.f = f};
    p.c = (Canvas){.to = &canvas_tex,
                   .dark = f->scene->theme == THEME_DARK,
                   .letters = letters,
                   .nletters = 1};
    look_apply(&p.c, f->scene);
    put_elements(&p);
    char *remarks = tex_remarks(f->scene);
    tex_document(&p.c, remarks, f->scene->scale, out);
    free(remarks);
    canvas_free(&p.c);
}

bool figure_draw(Scene *s, const char *format, Text *out, Text *remark, Text *error)
{
    Figure f;
    Text svg = {0};
    if (strcmp(format, "json") == 0) {
        scene_json(out, s);
        return true;
    }
    if (strcmp(format, "mmd") == 0) {
        mermaid_put(s, remark, out);
        return true;
    }
    bool ok = figure_layout(&f, s, error);
    if (ok && figure_shortened(&f))
        text_put(remark, figure_shortened(&f));
    if (ok && strcmp(format, "tex") == 0) {
        put_tex(&f, out);
    } else if (ok && strcmp(format, "dot") == 0) {
        text_put(error,
                 "a figure has its own layout, so none as .dot; take .svg, .pdf, .png, .tex");
        ok = false;
    } else if (ok) {
        Point size = put_svg(&f, &svg);
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
