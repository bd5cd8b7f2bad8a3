/* The canvas as a tikzpicture for papers, to \input, which needs tikz alone.
 *
 * Lengths are CSS pixels (0.75 bp); a shape with the number 12 is the TikZ node (n12), so that a
 * document can point at it. Words are set in the fonts of the paper, which are narrower than what
 * they were measured with.
 *
 * Invariant: each colour is defined once, by what it stands for, and is used. */
#include "viz/canvas/canvas.h"

#include "base/tex.h"
#include "base/utf8.h"

#define BP 0.75 /* of a pixel */

static bool is_same_part(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static void put_color_name(Text *out, Color color)
{
    const char *const parts[] = {color.of, color.word, color.part};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        for (const char *p = parts[i]; p && *p; p++)
            if (*p != '-')
                text_putc(out, *p);
}

/* Defines it, where it is used first. */
static void use_color(Canvas *c, Color color)
{
    bool known = false;
    for (size_t i = 0; i < c->used.len && !known; i++) {
        Color u = c->used.at[i];
        known = is_same_part(u.of, color.of) && is_same_part(u.word, color.word) &&
                is_same_part(u.part, color.part);
    }
    if (!known)
        vec_push(&c->used, color);
}

static void put_color(Canvas *c, const char *key, Color color)
{
    use_color(c, color);
    text_put(&c->out, key);
    put_color_name(&c->out, color);
}

static void put_length(Text *out, double pixels)
{
    svg_number(out, BP * pixels);
    text_put(out, "bp");
}

static void put_point(Canvas *c, Point q)
{
    text_putc(&c->out, '(');
    svg_number(&c->out, q.x);
    text_putc(&c->out, ',');
    svg_number(&c->out, q.y);
    text_putc(&c->out, ')');
}

/* "draw=..,line width=..,dash pattern=on .. off .." */
static void put_stroke(Canvas *c, const Look *l)
{
    const char *dash = l->dash;
    put_color(c, "draw=", l->line);
    text_put(&c->out, ",line width=");
    put_length(&c->out, line_width(c, l));
    if (dash)
        text_put(&c->out, ",dash pattern=");
    for (int i = 0; dash && *dash; i++) {
        char *end;
        double len = strtod(dash, &end);
        text_put(&c->out, i ? " " : "");
        text_put(&c->out, i % 2 ? "off " : "on ");
        put_length(&c->out, len);
        dash = end;
    }
}

/* ---- shapes ---- */

static void tex_paper(Canvas *c, const char *class, Color color, Point size)
{
    (void)class;
    put_color(c, "\\fill[", color);
    text_put(&c->out, "] (0,0) rectangle ");
    put_point(c, size);
    text_put(&c->out, ";\n");
}

static void tex_rect(Canvas *c, const Look *l, double x, double y, double w, double h)
{
    bool filled = l->fill.of && l->clear < 1;
    if (filled)
        use_color(c, l->fill);
    text_put(&c->out, "\\node[");
    put_stroke(c, l);
    text_put(&c->out, ",rounded corners=");
    put_length(&c->out, l->round);
    text_put(&c->out, ",minimum width=");
    put_length(&c->out, w);
    text_put(&c->out, ",minimum height=");
    put_length(&c->out, h);
    if (filled)
        put_color(c, ",fill=", l->fill);
    if (filled && l->clear > 0)
        text_printf(&c->out, ",fill opacity=%g", 1 - l->clear);
    text_put(&c->out, "] ");
    if (l->number)
        text_printf(&c->out, "(%c%lld) ", l->kind, (long long)l->number);
    text_put(&c->out, "at ");
    put_point(c, (Point){x + w / 2, y + h / 2});
    text_put(&c->out, " {};\n");
}

/* All its corners are round here. */
static void tex_plate(Canvas *c, const Look *l, double x, double y, double w, bool left, bool right)
{
    (void)left;
    (void)right;
    Look look = {.fill = l->fill, .line = l->fill, .width = 0.4, .round = 8};
    tex_rect(c, &look, x, y, w, 21);
}

static void open_draw(Canvas *c, const Look *l)
{
    text_put(&c->out, "\\draw[");
    put_stroke(c, l);
    if (l->round > 0) {
        text_put(&c->out, ",rounded corners=");
        put_length(&c->out, l->round);
    }
    text_put(&c->out, "] ");
}

static void tex_curve(Canvas *c, const Look *l, const Point *at, int n)
{
    static const char *const joins[] = {" .. ", " .. controls ", " and "};
    open_draw(c, l);
    for (int i = 0; i < n; i++) {
        if (i)
            text_put(&c->out, n < 4 ? " -- " : joins[i % 3]);
        put_point(c, at[i]);
    }
    text_put(&c->out, ";\n");
}

static void tex_path(Canvas *c, const Look *l, const Point *at, int n)
{
    open_draw(c, l);
    for (int i = 0; i < n; i++) {
        if (is_gap(at[i]))
            continue;
        text_put(&c->out, i == 0 ? "" : is_gap(at[i - 1]) ? " " : " -- ");
        put_point(c, at[i]);
    }
    text_put(&c->out, ";\n");
}

static void tex_polygon(Canvas *c, const Look *l, const Point *at, int n)
{
    put_color(c, "\\fill[", l->fill);
    text_put(&c->out, "] ");
    for (int i = 0; i < n; i++) {
        put_point(c, at[i]);
        text_put(&c->out, " -- ");
    }
    text_put(&c->out, "cycle;\n");
}

static void tex_dot(Canvas *c, const Look *l, Point at, double radius)
{
    put_color(c, "\\fill[", l->fill);
    text_put(&c->out, "] ");
    put_point(c, at);
    text_put(&c->out, " circle[radius=");
    put_length(&c->out, radius);
    text_put(&c->out, "];\n");
}

static void tex_glyph(Canvas *c, const Look *l, Glyph g, Point at)
{
    if (g == GLYPH_STOP) {
        tex_dot(c, &(Look){.fill = l->line}, at, 6);
        return;
    }
    text_put(&c->out, "\\draw[->,");
    put_stroke(c, &(Look){.line = l->line, .width = 1.4});
    text_put(&c->out, "] ");
    put_point(c, at);
    text_put(&c->out, " ++(40:3.7bp) arc[start angle=40,end angle=330,radius=3.7bp];\n");
}

/* ---- text ---- */

static void put_words(Canvas *c, const TextRun *r)
{
    Text t = {0};
    text_putn(&t, r->text, r->len ? r->len : strlen(r->text));
    text_put(&c->out, r->shift > 0 ? "\\textsuperscript{" : r->shift < 0 ? "\\textsubscript{" : "");
    text_put(&c->out, r->italic ? "\\textit{" : "");
    c->foreign = !tex_words(&c->out, text_str(&t)) || c->foreign;
    text_put(&c->out, r->italic ? "}" : "");
    text_put(&c->out, r->shift ? "}" : "");
    text_free(&t);
}

static void put_run(Canvas *c, const Words *w, const TextRun *r)
{
    if (w->letters >= 0) {
        put_words(c, r);
        return;
    }
    text_printf(&c->out, "{%s", c->letters[r->letters].macro);
    if (!is_same_part(r->color.word, w->color.word) || !is_same_part(r->color.of, w->color.of)) {
        put_color(c, "\\color{", r->color);
        text_putc(&c->out, '}');
    }
    text_putc(&c->out, ' ');
    put_words(c, r);
    text_putc(&c->out, '}');
}

static void put_line(Canvas *c, const Words *w, const TextRun *runs, int n, const char *between)
{
    static const char *const sides[] = {"base west", "base", "base east"};
    text_printf(&c->out, "\\node[anchor=%s", sides[w->side + 1]);
    if (w->backed) {
        put_color(c, ",fill=", w->halo);
        text_printf(&c->out, ",fill opacity=%g,text opacity=1", 1 - w->halo_clear);
    }
    put_color(c, ",text=", w->color);
    text_put(&c->out, "] at ");
    put_point(c, w->at);
    text_put(&c->out, " {");
    if (w->letters >= 0)
        text_printf(&c->out, "%s ", c->letters[w->letters].macro);
    for (int i = 0; i < n; i++) {
        text_put(&c->out, i ? between : "");
        put_run(c, w, &runs[i]);
    }
    text_put(&c->out, "};\n");
}

static void tex_text(Canvas *c, const Words *w, const TextRun *runs, int n)
{
    put_line(c, w, runs, n, "");
}

static void tex_row(Canvas *c, const Words *w, const TextRun *runs, int n, double gap)
{
    (void)gap;
    put_line(c, w, runs, n, "\\enspace");
}

static void tex_group(Canvas *c, const Attribute *at, int n, const char *title)
{
    (void)c;
    (void)at;
    (void)n;
    (void)title;
}

static void tex_end(Canvas *c) { (void)c; }

static void tex_link(Canvas *c, const char *where) { (void)c, (void)where; }

const CanvasBack canvas_tex = {
    .group = tex_group,
    .end = tex_end,
    .link = tex_link,
    .paper = tex_paper,
    .rect = tex_rect,
    .plate = tex_plate,
    .curve = tex_curve,
    .path = tex_path,
    .polygon = tex_polygon,
    .dot = tex_dot,
    .glyph = tex_glyph,
    .text = tex_text,
    .row = tex_row,
};

/* ---- the document ---- */

void tex_remark(Text *out, const char *s)
{
    for (size_t len; s && *s; s += len + (s[len] == '\n')) {
        len = strcspn(s, "\r\n");
        text_put(out, "% ");
        utf8_put_safe(out, s, len);
        text_putc(out, '\n');
        len += s[len] == '\r';
    }
}

static const char *family_of(const Canvas *c, Font font)
{
    static const char *const families[] = {[FONT_SANS] = "\\sffamily",
                                           [FONT_BOLD] = "\\sffamily\\bfseries",
                                           [FONT_MONO] = "\\ttfamily"};
    bool sans = font != FONT_MONO, bold = font == FONT_BOLD;
    if (sans && (c->serif || c->mono))
        return c->serif ? bold ? "\\rmfamily\\bfseries" : "\\rmfamily"
               : bold   ? "\\ttfamily\\bfseries"
                        : "\\ttfamily";
    return families[font];
}

static void put_macro(Text *out, const Canvas *c, const Letters *l)
{
    text_printf(out, "\\def%s{%s\\fontsize{", l->macro, family_of(c, l->font));
    put_length(out, l->size);
    text_put(out, "}{");
    put_length(out, l->size * 1.2);
    text_put(out, "}\\selectfont}%\n");
}

void tex_document(const Canvas *c, const char *remarks, double scale, Text *out)
{
    text_put(out, remarks);
    text_put(out,
             "% Needs \\usepackage{tikz}, and scalable fonts: \\usepackage{lmodern}. By itself:\n"
             "% \\documentclass{standalone} \\usepackage{tikz,lmodern}\n"
             "% \\begin{document} \\input{this file} \\end{document}\n");
    if (c->foreign)
        text_put(out, "% Some letters need LuaLaTeX or XeLaTeX, and a font that has them.\n");
    text_put(out, "\\begin{tikzpicture}[x=0.75bp,y=-0.75bp,inner sep=0pt,outer sep=0pt");
    if (scale > 0 && scale != 1)
        text_printf(out, ",scale=%g,transform shape", scale);
    text_put(out, "]\n");
    for (size_t i = 0; i < c->used.len; i++) {
        text_put(out, "\\definecolor{");
        put_color_name(out, c->used.at[i]);
        text_put(out, "}{HTML}{");
        for (const char *p = color_value(c, c->used.at[i]) + 1; *p; p++) /* after # */
            text_putc(out, *p >= 'a' ? (char)(*p - 'a' + 'A') : *p);
        text_put(out, "}\n");
    }
    for (int k = 0; k < c->nletters; k++)
        if (c->letters[k].macro)
            put_macro(out, c, &c->letters[k]);
    text_putn(out, c->out.at, c->out.len);
    text_put(out, "\\end{tikzpicture}\n");
}
