/* A figure as TikZ: one tikzpicture to \\input, which needs tikz alone.
 *
 * Lengths are CSS pixels (0.75 bp). The words are set in the font of the paper, which is narrower
 * than what they were measured with. A colour is defined if it is used. */
#include "viz/draw/figure.h"

#include "base/tex.h"

#include <math.h>

typedef struct {
    const Figure *f;
    Text body;
    bool used[INKS];
} Tex;

static const char *ink(Tex *t, int k)
{
    t->used[k] = true;
    return figure_inks[k].name;
}

static void put_point(Text *out, double x, double y)
{
    text_putc(out, '(');
    svg_number(out, x);
    text_putc(out, ',');
    svg_number(out, y);
    text_putc(out, ')');
}

static void put_rect(Tex *t, const char *fill, const char *line, double round, const char *more,
                     double x, double y, double w, double h)
{
    text_printf(&t->body, "\\draw[draw=%s,fill=%s,line width=0.68bp,rounded corners=%.1fbp%s] ",
                line, fill, round * 0.75, more);
    put_point(&t->body, x, y);
    text_put(&t->body, " rectangle ");
    put_point(&t->body, x + w, y + h);
    text_put(&t->body, ";\n");
}

/* Names in italics. */
static void put_formula(Tex *t, const char *s)
{
    for (char before = ' '; *s;) {
        bool italic;
        size_t n = figure_run(s, before, &italic);
        char *word = xstrdup(s);
        word[n] = '\0';
        text_put(&t->body, italic ? "\\textit{" : "");
        tex_words(&t->body, word);
        text_put(&t->body, italic ? "}" : "");
        free(word);
        before = s[n - 1];
        s += n;
    }
}

static void put_text(Tex *t, double x, double y, int anchor, const char *s, bool formula, int k)
{
    static const char *const anchors[] = {"base west", "base", "base east"};
    text_printf(&t->body, "\\node[anchor=%s,text=%s] at ", anchors[anchor + 1], ink(t, k));
    put_point(&t->body, x, y);
    text_put(&t->body, " {\\gradusLabel{}");
    if (formula)
        put_formula(t, s);
    else
        tex_words(&t->body, s);
    text_put(&t->body, "};\n");
}

static void put_line(Tex *t, const FigLine *l)
{
    if (l->at.len < 2)
        return;
    text_printf(&t->body, "\\draw[draw=%s,line width=%s,rounded corners=2.6bp%s] ", ink(t, INK),
                l->thick ? "1.2bp" : "0.75bp", l->dashed ? ",dash pattern=on 2.2bp off 1.9bp" : "");
    for (size_t i = 0; i < l->at.len; i++) {
        text_put(&t->body, i ? " -- " : "");
        put_point(&t->body, l->at.at[i].x, l->at.at[i].y);
    }
    text_put(&t->body, ";\n");
    Point tip[3];
    if (!figure_tip(t->f, l, tip))
        return;
    text_printf(&t->body, "\\fill[%s] ", ink(t, INK));
    for (int i = 0; i < 3; i++) {
        put_point(&t->body, tip[i].x, tip[i].y);
        text_put(&t->body, " -- ");
    }
    text_put(&t->body, "cycle;\n");
}

static void put_node(Tex *t, size_t k)
{
    const FigNode *n = &t->f->nodes[k];
    const SceneNode *s = &t->f->scene->nodes.at[k];
    if (s->role == ROLE_NONE)
        put_rect(t, ink(t, n->circle ? SIGN : FILL), ink(t, s->lit ? LIT : INK),
                 n->circle ? n->h / 2 : 3, s->lit ? ",line width=1.95bp" : "", n->x, n->y, n->w,
                 n->h);
    int anchor;
    Point at = figure_text_at(t->f, n, &anchor);
    for (int i = 0; i < n->nlines; i++)
        put_text(t, at.x, at.y + figure_line_height(t->f) * i, anchor, n->lines[i], !n->circle,
                 INK);
}

static void put_body(Tex *t)
{
    const Figure *f = t->f;
    for (size_t k = 1; k <= f->scene->boxes.len; k++) {
        const FigBox *b = &f->boxes[k];
        const SceneBox *s = &f->scene->boxes.at[k - 1];
        bool branch = s->kind == BOX_THEN || s->kind == BOX_ELSE;
        if (b->placed)
            put_rect(t, ink(t, s->parent ? FILL : FRAME), ink(t, s->lit ? LIT : MUTED), 6,
                     branch   ? ",dash pattern=on 3bp off 2.2bp"
                     : s->lit ? ",line width=1.95bp"
                              : "",
                     b->fx, b->fy, b->fw, b->fh);
    }
    for (size_t i = 0; i < f->lines.len; i++)
        put_line(t, &f->lines.at[i]);
    for (size_t i = 0; i < f->dots.len; i++) {
        text_printf(&t->body, "\\fill[%s] ", ink(t, INK));
        put_point(&t->body, f->dots.at[i].at.x, f->dots.at[i].at.y);
        text_put(&t->body, " circle[radius=1.5bp];\n");
    }
    for (size_t k = 0; k < f->scene->nodes.len; k++)
        if (figure_is_drawn(f, k))
            put_node(t, k);
    for (size_t i = 0; i < f->labels.len; i++) {
        const FigLabel *l = &f->labels.at[i];
        put_text(t, l->x, l->y, l->anchor, l->text, !l->prose, l->prose ? MUTED : INK);
    }
}

void figure_tex(const Figure *f, Text *out)
{
    const Scene *s = f->scene;
    Tex t = {.f = f};
    double size = f->size * 0.75;
    put_body(&t);
    text_put(out, "\\begin{tikzpicture}[x=0.75bp,y=-0.75bp,inner sep=0pt,outer sep=0pt");
    if (s->scale > 0 && s->scale != 1)
        text_printf(out, ",scale=%g,transform shape", s->scale);
    text_put(out, "]\n");
    tex_remarks(s, out);
    for (int k = 0; k < INKS; k++) {
        const char *value = s->theme == THEME_DARK ? figure_inks[k].dark : figure_inks[k].light;
        if (!t.used[k])
            continue;
        text_printf(out, "\\definecolor{%s}{HTML}{", figure_inks[k].name);
        for (const char *c = value + 1; *c; c++)
            text_putc(out, *c >= 'a' ? (char)(*c - 'a' + 'A') : *c);
        text_put(out, "}\n");
    }
    text_printf(out, "\\def\\gradusLabel{\\sffamily\\fontsize{%.2fbp}{%.2fbp}\\selectfont}%%\n",
                size, size * 1.2);
    text_put(out, text_str(&t.body));
    text_put(out, "\\end{tikzpicture}\n");
    text_free(&t.body);
}
