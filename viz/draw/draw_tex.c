/* A laid out picture as TikZ, for papers: one tikzpicture to \input, which needs tikz alone.
 *
 * Lengths are CSS pixels (0.75 bp); a drawn node with the number %12 is the TikZ node (n12), so
 * that a document can point at it. Title and description are comments: a paper has its own caption,
 * and no legend is drawn.
 *
 * Invariant: the same picture gives the same bytes; each colour is defined once, by what it stands
 * for, and is used. */
#include "viz/draw/picture.h"

#include "base/tex.h"
#include "base/utf8.h"

#include <math.h>

#define BP 0.75 /* of a pixel */
enum { LONGEST = 16200 };

typedef struct {
    const Picture *p;
    Text body;
    bool dark;
    VEC(const char *) colors; /* by name, then value: those used so far */
    Arena names;
    bool foreign; /* it has letters that pdfTeX has not */
} Tex;

/* ---- words ---- */

static void put_words(Tex *t, const char *s) { t->foreign = !tex_words(&t->body, s) || t->foreign; }

/* Lines of a comment. */
static void put_remark(Text *out, const char *s)
{
    for (size_t len; s && *s; s += len + (s[len] == '\n')) {
        len = strcspn(s, "\r\n");
        text_put(out, "% ");
        utf8_put_safe(out, s, len);
        text_putc(out, '\n');
        len += s[len] == '\r';
    }
}

/* ---- colours ---- */

/* The colour of a kind of thing, defined before the picture: "opcontrolfill". */
static const char *color(Tex *t, const char *of, const char *word, const char *part,
                         const char *value)
{
    Text name = {0};
    text_put(&name, of);
    for (const char *w = word; *w; w++)
        if (*w != '-')
            text_putc(&name, *w);
    text_put(&name, part);
    const char *found = NULL;
    for (size_t i = 0; i < t->colors.len && !found; i += 2)
        found = strcmp(t->colors.at[i], text_str(&name)) == 0 ? t->colors.at[i] : NULL;
    if (!found) {
        found = arena_strndup(&t->names, text_str(&name), name.len);
        vec_push(&t->colors, found);
        vec_push(&t->colors, value);
    }
    text_free(&name);
    return found;
}

/* A colour that was asked for, "#rrggbb". */
static const char *own_color(Tex *t, const char *value)
{
    return color(t, "own", "background", "", value);
}
static const char *ink(Tex *t) { return color(t, "ink", "text", "", ink_of(t->dark)->text); }
static const char *muted(Tex *t) { return color(t, "ink", "muted", "", ink_of(t->dark)->muted); }
static const char *paper(Tex *t) { return color(t, "ink", "paper", "", ink_of(t->dark)->paper); }

typedef struct {
    const char *fill, *line;
} Colors;

static Colors colors(Tex *t, const char *of, const char *word, const Paint *p)
{
    const char *fill = t->dark ? p->dark_fill : p->fill, *line = t->dark ? p->dark_line : p->line;
    return (Colors){fill ? color(t, of, word, "fill", fill) : NULL,
                    color(t, of, word, "line", line)};
}

static Colors mark_colors(Tex *t, SceneMark m)
{
    return colors(t, "mark", scene_mark_words[m], mark_paint(m));
}
static Colors edge_colors(Tex *t, SceneEdgeKind k)
{
    return colors(t, "edge", scene_edge_words[k], edge_paint(k));
}

/* ---- strokes ---- */

static void put_length(Text *out, double pixels)
{
    svg_number(out, BP * pixels);
    text_put(out, "bp");
}

static void put_point(Text *out, Point q)
{
    text_putc(out, '(');
    svg_number(out, q.x);
    text_putc(out, ',');
    svg_number(out, q.y);
    text_putc(out, ')');
}

/* ",draw=..,line width=..,dash pattern=on .. off .." */
static void put_stroke(Text *out, const char *line, double width, const char *dash)
{
    text_printf(out, "draw=%s,line width=", line);
    put_length(out, width);
    if (dash)
        text_put(out, ",dash pattern=");
    for (int i = 0; dash && *dash; i++) {
        char *end;
        double len = strtod(dash, &end);
        text_put(out, i ? " " : "");
        text_put(out, i % 2 ? "off " : "on ");
        put_length(out, len);
        dash = end;
    }
}

/* A rounded rectangle that documents know by a name, if it has one. */
static void put_rect(Tex *t, i64 name, char kind, double x, double y, double w, double h, double r,
                     const char *fill, double opacity)
{
    text_put(&t->body, ",rounded corners=");
    put_length(&t->body, r);
    text_put(&t->body, ",minimum width=");
    put_length(&t->body, w);
    text_put(&t->body, ",minimum height=");
    put_length(&t->body, h);
    if (fill)
        text_printf(&t->body, ",fill=%s", fill);
    if (opacity < 1)
        text_printf(&t->body, ",fill opacity=%g", opacity);
    text_put(&t->body, "] ");
    if (name)
        text_printf(&t->body, "(%c%lld) ", kind, (long long)name);
    text_put(&t->body, "at ");
    put_point(&t->body, (Point){x + w / 2, y + h / 2});
    text_put(&t->body, " {};\n");
}

static void put_path(Tex *t, const Route *r, const char *line, double width, const char *dash)
{
    text_put(&t->body, "\\draw[");
    put_stroke(&t->body, line, width, dash);
    text_put(&t->body, "] ");
    for (int i = 0; i < r->n; i++) {
        static const char *const joins[] = {" .. ", " .. controls ", " and "};
        if (i)
            text_put(&t->body, r->n < 4 ? " -- " : joins[i % 3]);
        put_point(&t->body, r->at[i]);
    }
    text_put(&t->body, ";\n");
}

/* ---- text ---- */

static const char *const line_macros[LINE_KINDS] = {
    [LINE_LABEL] = "\\gradusLabel", [LINE_ID] = "\\gradusId",     [LINE_DETAIL] = "\\gradusDetail",
    [LINE_VALUE] = "\\gradusValue", [LINE_GRAD] = "\\gradusGrad", [LINE_MORE] = "\\gradusMore",
    [LINE_EDGE] = "\\gradusEdge"};

static void put_run(Tex *t, const Line *l, bool on_plate)
{
    bool small = l->kind == LINE_ID || l->kind == LINE_DETAIL || l->kind == LINE_MORE;
    text_printf(&t->body, "{%s", line_macros[l->kind]);
    if (small && !on_plate)
        text_printf(&t->body, "\\color{%s}", muted(t));
    text_putc(&t->body, ' ');
    put_words(t, l->text);
    text_putc(&t->body, '}');
}

/* A line of text begins; `side` is "base", "base west" or "base east". */
static void open_text(Tex *t, const char *side, const char *tint, double x, double y)
{
    text_printf(&t->body, "\\node[anchor=%s,text=%s] at ", side, tint);
    put_point(&t->body, (Point){x, y});
    text_put(&t->body, " {");
}

static void put_block(Tex *t, const Block *b, double cx, double top)
{
    double y = top;
    for (int i = 0; i < b->n; i++) {
        const Line *l = &b->at[i];
        if (i > 0 && l->kind == LINE_ID) {
            text_put(&t->body, "\\enspace");
        } else {
            double h = l->kind == LINE_ID ? line_height(LINE_DETAIL) : line_height(l->kind);
            text_put(&t->body, i ? "};\n" : "");
            open_text(t, "base", ink(t), cx, y + h * 0.76);
            y += h;
        }
        put_run(t, l, false);
    }
    text_put(&t->body, b->n ? "};\n" : "");
}

static void put_badge(Tex *t, SceneMark m, double x, double y)
{
    if (m == MARK_NONE)
        return;
    text_printf(&t->body, "\\fill[%s] ", mark_colors(t, m).line);
    put_point(&t->body, (Point){x, y});
    text_put(&t->body, " circle[radius=5.2bp];\n");
    open_text(t, "base", paper(t), x, y + 4.2);
    text_printf(&t->body, "{\\gradusLabel ");
    put_words(t, mark_glyph(m));
    text_put(&t->body, "}};\n");
}

/* ---- nodes and boxes ---- */

static void open_shape(Tex *t, const char *line, double width, const char *dash)
{
    text_put(&t->body, "\\node[");
    put_stroke(&t->body, line, width, dash);
}

static void put_shape(Tex *t, i64 name, char kind, const Item *i, Colors c, SceneRole role,
                      SceneMark mark, double r)
{
    const char *line = mark                 ? mark_colors(t, mark).line
                       : role == ROLE_STATE ? edge_colors(t, EDGE_STATE).line
                                            : c.line;
    const char *dash = role_dash(role, mark);
    double width = role_width(role, mark);
    if (role == ROLE_SEQUENCE) {
        open_shape(t, line, width, dash);
        put_rect(t, 0, kind, i->x + 3.5, i->y + 3.5, i->w, i->h, r, c.fill, 1);
    }
    open_shape(t, line, width, dash);
    put_rect(t, name, kind, i->x, i->y, i->w, i->h, r, c.fill, mark == MARK_REMOVED ? 0.45 : 1);
    if (role == ROLE_SHARED || role == ROLE_OUTPUT) {
        open_shape(t, line, 1.1, dash);
        put_rect(t, 0, kind, i->x + 3, i->y + 3, i->w - 6, i->h - 6, fmax(r - 3, 0), NULL, 1);
    }
}

/* Around what is in focus, and around what is highlighted. */
static void put_rings(Tex *t, const Item *i, double r, bool focus, bool lit)
{
    if (lit) {
        open_shape(t, color(t, "ink", "lit", "", ink_of(t->dark)->lit), 3.2, NULL);
        put_rect(t, 0, 'n', i->x - 6.5, i->y - 6.5, i->w + 13, i->h + 13, r + 6.5, NULL, 1);
    }
    if (focus) {
        open_shape(t, ink(t), 1.6, "3 2.5");
        put_rect(t, 0, 'n', i->x - 4.5, i->y - 4.5, i->w + 9, i->h + 9, r + 4.5, NULL, 1);
    }
}

static void put_node(Tex *t, int k)
{
    const SceneNode *n = scene_node_at(t->p->scene, k);
    const Item *i = &t->p->nodes[k - 1];
    bool pill = n->role >= ROLE_INPUT && n->role <= ROLE_CAPTURE, state = n->role == ROLE_STATE;
    Colors c = colors(t, "op", scene_class_words[class_of_fill(n->cls)], class_paint(n->cls));
    double r = pill ? fmin(i->h / 2, 16) : 6;
    put_rings(t, i, r, n->focus, n->lit);
    put_shape(t, n->id, 'n', i, c, n->role, n->mark, r);
    put_block(t, &i->text, i->x + i->w / 2 + (state ? 8 : 0), i->y + (i->h - i->text.h) / 2);
    if (state) { /* a circling arrow */
        const char *line = n->mark ? mark_colors(t, n->mark).line : edge_colors(t, EDGE_STATE).line;
        text_put(&t->body, "\\draw[->,");
        put_stroke(&t->body, line, 1.4, NULL);
        text_put(&t->body, "] ");
        put_point(&t->body, (Point){i->x + 17, i->y + i->h / 2});
        text_put(&t->body, " ++(40:3.7bp) arc[start angle=40,end angle=330,radius=3.7bp];\n");
    }
    put_badge(t, n->mark, i->x + 1, i->y + 1);
}

static Colors box_colors(Tex *t, const SceneBox *b)
{
    return colors(t, "box", scene_box_words[b->kind], box_paint(b->kind));
}

static void put_frame(Tex *t, int k)
{
    const SceneBox *b = scene_box_at(t->p->scene, k);
    const Item *i = &t->p->boxes[k - 1];
    Colors c = box_colors(t, b);
    put_rings(t, i, 10, b->focus, b->lit);
    open_shape(t, b->mark ? mark_colors(t, b->mark).line : c.line, b->mark ? 2.6 : 1.3,
               box_dash(b->kind, b->mark));
    put_rect(t, b->owner_id, 'b', i->x, i->y, i->w, i->h, 10, c.fill, 1);
}

static void put_closed_box(Tex *t, int k)
{
    const SceneBox *b = scene_box_at(t->p->scene, k);
    const Item *i = &t->p->boxes[k - 1];
    Colors c = colors(t, "op", scene_class_words[CLS_CONTROL], class_paint(CLS_CONTROL));
    put_rings(t, i, 6, b->focus, b->lit);
    open_shape(t, c.line, 1.1, NULL);
    put_rect(t, 0, 'b', i->x + 4, i->y + 4, i->w, i->h, 6, c.fill, 1);
    put_shape(t, b->owner_id, 'b', i, c, ROLE_NONE, b->mark, 6);
    put_block(t, &i->text, i->x + i->w / 2, i->y + (i->h - i->text.h) / 2);
    put_badge(t, b->mark, i->x + 1, i->y + 1);
}

/* The tab of an open box: a plate with its lines one beside the other. */
static void put_tab(Tex *t, int k)
{
    const SceneBox *b = scene_box_at(t->p->scene, k);
    const Item *i = &t->p->boxes[k - 1];
    double w = tab_width(b, &i->text), left = i->x + i->tab_x;
    double x = left + TAB_PAD + (b->mark ? 16 : 0), y = i->y + 15.2;
    bool last = i->tab_x > 1 && i->tab_x + w > i->w - 1;
    Colors c = box_colors(t, b);
    open_shape(t, c.line, 0.4, NULL);
    put_rect(t, 0, 'b', left, i->y, w, TAB_HEIGHT, 8, c.line, 1);
    for (int j = 0; j < i->text.n; j++) {
        const Line *l = &i->text.at[j];
        bool beside = l->kind == LINE_MORE;
        open_text(t, beside && last ? "base east" : "base west", beside ? ink(t) : paper(t),
                  !beside ? x
                  : last  ? left - 8
                          : left + w + 8,
                  y);
        put_run(t, l, !beside);
        text_put(&t->body, "};\n");
        x += beside ? 0 : l->width + 7;
    }
    put_badge(t, b->mark, left + TAB_PAD + 4, i->y + 10.5);
}

/* ---- edges ---- */

static void put_arrow(Tex *t, const Route *r, SceneEdgeKind kind, double width, const char *line)
{
    Point at[3];
    if (!r->has_tip)
        return;
    if (kind == EDGE_UNTIL) {
        text_printf(&t->body, "\\fill[%s] ", line);
        put_point(&t->body, r->tip);
        text_put(&t->body, " circle[radius=4.5bp];\n");
    } else if (tip_corners(r->at[r->n - 1], r->tip, width > 2 ? 4.6 : 3.4, at)) {
        text_printf(&t->body, "\\fill[%s] ", line);
        for (int i = 0; i < 3; i++) {
            put_point(&t->body, at[i]);
            text_put(&t->body, " -- ");
        }
        text_put(&t->body, "cycle;\n");
    }
}

static void put_small(Tex *t, const Small *s)
{
    if (!s->shown)
        return;
    text_put(&t->body, "\\node[anchor=base,");
    if (s->mono)
        text_printf(&t->body, "fill=%s,fill opacity=0.85,text opacity=1,", paper(t));
    text_printf(&t->body, "text=%s] at ", muted(t));
    put_point(&t->body, (Point){s->at.x, s->at.y + SMALL_BASE});
    text_put(&t->body, s->mono ? " {\\gradusEdge " : " {\\gradusEnd ");
    put_words(t, s->text);
    text_put(&t->body, "};\n");
}

static void put_edge(Tex *t, int k)
{
    const SceneEdge *e = scene_edge_at(t->p->scene, k);
    const Route *r = &t->p->edges[k - 1];
    if (r->n < 2)
        return;
    const char *line = e->mark ? mark_colors(t, e->mark).line : edge_colors(t, e->kind).line;
    double width = edge_width(e->kind) + (e->mark ? 0.8 : 0);
    put_path(t, r, line, width, edge_dash(e->kind, e->mark));
    if (e->kind == EDGE_SEQUENCE)
        put_path(t, r, paper(t), width - 2.2, NULL);
    put_arrow(t, r, e->kind, width, line);
    put_small(t, &r->label);
    put_small(t, &r->head);
    put_small(t, &r->tail);
    if (r->has_badge)
        put_badge(t, e->mark, r->badge.x, r->badge.y);
}

/* ---- the picture ---- */

static void put_body(Tex *t)
{
    const Scene *s = t->p->scene;
    const char *asked = s->background;
    if (asked ? asked[0] == '#' : t->dark) {
        text_printf(&t->body, "\\fill[%s] (0,0) rectangle ",
                    asked ? own_color(t, asked) : paper(t));
        put_point(&t->body, (Point){t->p->w, t->p->h});
        text_put(&t->body, ";\n");
    }
    for (size_t k = 1; k <= s->boxes.len; k++)
        if (t->p->boxes[k - 1].drawn && !s->boxes.at[k - 1].closed)
            put_frame(t, (int)k);
    for (size_t k = 1; k <= s->edges.len; k++)
        if (t->p->edges[k - 1].drawn)
            put_edge(t, (int)k);
    for (size_t k = 1; k <= s->boxes.len; k++)
        if (t->p->boxes[k - 1].drawn)
            (s->boxes.at[k - 1].closed ? put_closed_box : put_tab)(t, (int)k);
    for (size_t k = 1; k <= s->nodes.len; k++)
        if (t->p->nodes[k - 1].drawn)
            put_node(t, (int)k);
}

static void put_macro(Text *out, const char *name, Font font, double size)
{
    static const char *const families[] = {[FONT_SANS] = "\\sffamily",
                                           [FONT_BOLD] = "\\sffamily\\bfseries",
                                           [FONT_MONO] = "\\ttfamily"};
    text_printf(out, "\\def%s{%s\\fontsize{", name, families[font]);
    put_length(out, size);
    text_put(out, "}{");
    put_length(out, size * 1.2);
    text_put(out, "}\\selectfont}%\n");
}

/* What a drawing is called, what it shows and what it says under it: a paper has its own caption.
 */
void tex_remarks(const Scene *s, Text *out)
{
    Text about = {0};
    put_remark(out, s->title && *s->title ? s->title : "Graph");
    put_remark(out, s->caption);
    scene_describe(&about, s);
    put_remark(out, s->desc ? s->desc : text_str(&about));
    put_remark(out, s->note);
    text_free(&about);
}

static void put_head(const Tex *t, Text *out)
{
    const Scene *s = t->p->scene;
    tex_remarks(s, out);
    text_put(out,
             "% Needs \\usepackage{tikz}, and scalable fonts: \\usepackage{lmodern}. By itself:\n"
             "% \\documentclass{standalone} \\usepackage{tikz,lmodern}\n"
             "% \\begin{document} \\input{this file} \\end{document}\n");
    if (t->foreign)
        text_put(out, "% Some letters need LuaLaTeX or XeLaTeX, and a font that has them.\n");
    text_put(out, "\\begin{tikzpicture}[x=0.75bp,y=-0.75bp,inner sep=0pt,outer sep=0pt");
    if (s->scale > 0 && s->scale != 1)
        text_printf(out, ",scale=%g,transform shape", s->scale);
    text_put(out, "]\n");
    for (size_t i = 0; i < t->colors.len; i += 2) {
        text_printf(out, "\\definecolor{%s}{HTML}{", t->colors.at[i]);
        for (const char *c = t->colors.at[i + 1] + 1; *c; c++) /* after # */
            text_putc(out, *c >= 'a' ? (char)(*c - 'a' + 'A') : *c);
        text_put(out, "}\n");
    }
    for (int k = 0; k < LINE_KINDS; k++)
        put_macro(out, line_macros[k], line_font((LineKind)k), line_size((LineKind)k));
    put_macro(out, "\\gradusEnd", FONT_SANS, 9.5);
}

bool draw_tex(Picture *p, Text *out, Text *error)
{
    if (!picture_layout(p, error))
        return false;
    Tex t = {.p = p, .dark = p->scene->theme == THEME_DARK};
    if (BP * fmax(p->w, p->h) > LONGEST)
        text_printf(&p->remark, "TeX knows no lengths beyond %d bp, and this picture has %.0f",
                    LONGEST, BP * fmax(p->w, p->h));
    put_body(&t);
    put_head(&t, out);
    text_put(out, text_str(&t.body));
    text_put(out, "\\end{tikzpicture}\n");
    text_free(&t.body);
    vec_free(&t.colors);
    arena_free(&t.names);
    return true;
}
