/* The canvas as SVG elements.
 *
 * Invariant: colours are literal, in attributes; a class is there for style sheets that change
 * them. Elements at the outermost two levels end their line. */
#include "viz/canvas/canvas.h"

#include "base/utf8.h"

#include <math.h>

static void put_attr(Canvas *c, const char *name, double x)
{
    text_printf(&c->out, " %s=\"", name);
    if (c->fine)
        text_printf(&c->out, "%.2f", x);
    else
        svg_number(&c->out, x);
    text_putc(&c->out, '"');
}

static void put_attr_text(Canvas *c, const char *name, const char *s)
{
    if (!s || !*s)
        return;
    text_printf(&c->out, " %s=\"", name);
    xml_put(&c->out, s);
    text_putc(&c->out, '"');
}

static void put_coords(Canvas *c, Point q)
{
    svg_number(&c->out, q.x);
    text_putc(&c->out, ' ');
    svg_number(&c->out, q.y);
}

static void end_element(Canvas *c, const char *tag)
{
    text_put(&c->out, tag);
    if (c->depth <= 1)
        text_putc(&c->out, '\n');
}

/* ---- paint ---- */

static void put_tint(Text *out, char letter, Color color)
{
    if (color.of)
        text_printf(out, "%s%c-%s%s%s", out->len ? " " : "", letter, color.of,
                    color.word ? color.word : "", color.part ? color.part : "");
}

static void put_class(Canvas *c, const char *class, Color fill, Color line)
{
    Text t = {0};
    text_put(&t, class ? class : "");
    if (c->tinted) {
        put_tint(&t, 'f', fill);
        put_tint(&t, 's', line);
    }
    put_attr_text(c, "class", text_str(&t));
    text_free(&t);
}

static void put_line_paint(Canvas *c, const Look *l)
{
    put_attr_text(c, "stroke", l->line.of ? color_value(c, l->line) : NULL);
    if (l->width > 0)
        put_attr(c, "stroke-width", line_width(c, l));
    put_attr_text(c, "stroke-dasharray", l->dash);
}

static void put_fill(Canvas *c, const Look *l)
{
    if (l->clear > 0)
        text_printf(&c->out, " fill-opacity=\"%g\"", 1 - l->clear);
    put_attr_text(c, "fill", l->fill.of ? color_value(c, l->fill) : "none");
}

/* ---- shapes ---- */

static void svg_paper(Canvas *c, const char *class, Color color, Point size)
{
    (void)size;
    text_put(&c->out, "<rect");
    put_class(c, class, color, (Color){0});
    text_printf(&c->out, " width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n",
                color_value(c, color));
}

static void svg_rect(Canvas *c, const Look *l, double x, double y, double w, double h)
{
    text_put(&c->out, "<rect");
    put_class(c, l->class, l->fill, l->line);
    put_attr(c, "x", x);
    put_attr(c, "y", y);
    put_attr(c, "width", w);
    put_attr(c, "height", h);
    if (l->round > 0)
        put_attr(c, "rx", l->round);
    put_fill(c, l);
    put_line_paint(c, l);
    end_element(c, "/>");
}

/* A path begins; what describes it follows. */
static void open_path(Canvas *c, const Look *l)
{
    text_put(&c->out, "<path");
    put_class(c, l->class, l->fill, l->line);
    if (l->line.of)
        text_put(&c->out, " fill=\"none\"");
    text_put(&c->out, " d=\"M");
}

static void close_path(Canvas *c, const Look *l)
{
    text_putc(&c->out, '"');
    if (l->line.of)
        put_line_paint(c, l);
    else
        put_fill(c, l);
    if (l->soft)
        text_put(&c->out, " stroke-linecap=\"round\"");
    end_element(c, "/>");
}

static void svg_plate(Canvas *c, const Look *l, double x, double y, double w, bool left, bool right)
{
    open_path(c, l);
    put_coords(c, (Point){x + (left ? 10 : 0), y});
    text_putc(&c->out, 'h');
    svg_number(&c->out, w - (left ? 10 : 0) - (right ? 10 : 0));
    text_put(&c->out, right ? "a10 10 0 0 1 10 10v11h-" : "v13a8 8 0 0 1-8 8h-");
    svg_number(&c->out, w - (left ? 0 : 8) - (right ? 0 : 8));
    text_put(&c->out, left ? "v-11a10 10 0 0 1 10-10z" : "a8 8 0 0 1-8-8v-13z");
    close_path(c, l);
}

static void svg_curve(Canvas *c, const Look *l, const Point *at, int n)
{
    open_path(c, l);
    for (int i = 0; i < n; i++) {
        if (i > 0)
            text_putc(&c->out, i > 1 ? ' ' : n >= 4 ? 'C' : 'L');
        put_coords(c, at[i]);
    }
    close_path(c, l);
}

/* On to at[0], which lies between at[-1] and at[1]. */
static void put_corner(Canvas *c, double round, const Point *at)
{
    Point a = at[0], b = at[-1], z = at[1];
    double in = fabs(a.x - b.x) + fabs(a.y - b.y), on = fabs(z.x - a.x) + fabs(z.y - a.y);
    double r = fmin(round, fmin(in, on) / 2);
    put_coords(c, (Point){a.x - (a.x - b.x) / in * r, a.y - (a.y - b.y) / in * r});
    text_putc(&c->out, 'Q');
    put_coords(c, a);
    text_putc(&c->out, ' ');
    put_coords(c, (Point){a.x + (z.x - a.x) / on * r, a.y + (z.y - a.y) / on * r});
}

static void svg_path(Canvas *c, const Look *l, const Point *at, int n)
{
    for (; n && is_gap(at[0]); n--)
        at++;
    if (!n)
        return;
    open_path(c, l);
    for (int i = 0; i < n && !interrupted(c->out.interrupt); i++) {
        bool begins = i == 0 || is_gap(at[i - 1]);
        if (is_gap(at[i]))
            continue;
        if (i > 0)
            text_putc(&c->out, begins ? 'M' : 'L');
        if (begins || i + 1 == n || l->round <= 0 || is_gap(at[i + 1]))
            put_coords(c, at[i]);
        else
            put_corner(c, l->round, &at[i]);
        text_put(&c->out, begins && l->soft ? "h0" : "");
    }
    close_path(c, l);
}

static void svg_polygon(Canvas *c, const Look *l, const Point *at, int n)
{
    open_path(c, l);
    for (int i = 0; i < n; i++) {
        text_put(&c->out, i ? "L" : "");
        put_coords(c, at[i]);
    }
    text_putc(&c->out, 'z');
    close_path(c, l);
}

static void svg_dot(Canvas *c, const Look *l, Point at, double radius)
{
    text_put(&c->out, "<circle");
    put_class(c, l->class, l->fill, l->line);
    put_attr(c, "cx", at.x);
    put_attr(c, "cy", at.y);
    put_attr(c, "r", radius);
    put_fill(c, l);
    put_line_paint(c, l);
    end_element(c, "/>");
}

/* A circling arrow, and an octagon. */
static void svg_glyph(Canvas *c, const Look *l, Glyph g, Point at)
{
    bool cycle = g == GLYPH_CYCLE;
    Look look = cycle ? (Look){.class = "sign", .line = l->line, .width = 1.7}
                      : (Look){.class = "tip", .fill = l->line};
    open_path(c, &look);
    put_coords(c, cycle ? (Point){at.x + 4.2, at.y + 2.4} : (Point){at.x - 2.5, at.y - 6});
    text_put(&c->out,
             cycle ? "a5 5 0 1 1 .2-4.6m.3-3v3.2h-3.2" : "h5l3.5 3.5v5l-3.5 3.5h-5l-3.5-3.5v-5z");
    close_path(c, &look);
}

/* ---- text ---- */

static void put_letters(Canvas *c, const Letters *l)
{
    if (l->font == FONT_BOLD)
        text_put(&c->out, " font-weight=\"600\"");
    if (l->size > 0)
        put_attr(c, "font-size", l->size);
}

/* before: how far from the line the run before this one stands. */
static void put_shift(Canvas *c, int before, int shift)
{
    static const double below[] = {.2016, 0, -.3456}; /* by shift, in ems of the line */
    double size = shift ? .72 : 1, by = (below[shift + 1] - below[before + 1]) / size;
    if (by != 0)
        text_printf(&c->out, " dy=\"%.4gem\"", by);
    if (shift)
        text_put(&c->out, " font-size=\".72em\"");
}

static void put_run(Canvas *c, const Words *w, const TextRun *r, int before)
{
    bool own = w->letters < 0, tagged = own || r->italic || r->shift || before;
    if (tagged)
        text_put(&c->out, "<tspan");
    put_shift(c, before, r->shift);
    if (r->italic)
        text_put(&c->out, " font-style=\"italic\"");
    if (own) {
        const Letters *l = &c->letters[r->letters];
        put_attr_text(c, "fill", color_value(c, r->color));
        text_printf(&c->out, " class=\"%s%s%s\"", l->font == FONT_MONO ? "mono" : "sans",
                    r->class ? " " : "", r->class ? r->class : "");
        put_attr(c, "font-size", l->size);
        text_put(&c->out, l->font == FONT_BOLD ? " font-weight=\"600\"" : "");
    } else if (tagged && r->color.of) {
        put_class(c, r->class, r->color, (Color){0});
        put_attr_text(c, "fill", color_value(c, r->color));
    }
    text_put(&c->out, tagged ? ">" : "");
    Text part = {0};
    text_putn(&part, r->text, r->len ? r->len : strlen(r->text));
    xml_put(&c->out, text_str(&part));
    text_free(&part);
    text_put(&c->out, tagged ? "</tspan>" : "");
}

static void svg_text(Canvas *c, const Words *w, const TextRun *runs, int n)
{
    static const char *const sides[] = {NULL, "middle", "end"};
    const Letters *l = w->letters >= 0 ? &c->letters[w->letters] : NULL;
    Text class = {0};
    text_put(&class, w->class ? w->class : "");
    if (l && l->font == FONT_MONO)
        text_printf(&class, "%smono", class.len ? " " : "");
    text_put(&c->out, "<text");
    put_class(c, text_str(&class), l ? w->color : (Color){0}, (Color){0});
    text_free(&class);
    if (w->halo.of) {
        put_attr_text(c, "paint-order", "stroke");
        put_attr_text(c, "stroke", color_value(c, w->halo));
        put_attr(c, "stroke-width", w->rim);
        if (w->halo_clear > 0)
            text_printf(&c->out, " stroke-opacity=\"%g\"", 1 - w->halo_clear);
        put_attr_text(c, "stroke-linejoin", "round");
    }
    put_attr_text(c, "fill", l ? color_value(c, w->color) : NULL);
    put_attr_text(c, "text-anchor", sides[w->side + 1]);
    if (l)
        put_letters(c, l);
    put_attr(c, "x", w->at.x);
    put_attr(c, "y", w->at.y);
    text_putc(&c->out, '>');
    for (int i = 0; i < n; i++)
        put_run(c, w, &runs[i], i ? runs[i - 1].shift : 0);
    end_element(c, "</text>");
}

static void svg_row(Canvas *c, const Words *w, const TextRun *runs, int n, double gap)
{
    Words at = *w;
    double width = 0;
    if (n == 1) {
        svg_text(c, w, runs, 1);
        return;
    }
    for (int i = 0; i < n; i++)
        width += runs[i].width + (i ? gap : 0);
    at.side = 1; /* both sides of where the first two meet */
    at.at.x = w->at.x - width / 2 + runs[0].width;
    for (int i = 0; i < n; i++) {
        Words here = at;
        here.at.x += i ? gap : 0;
        svg_text(c, &here, &runs[i], 1);
        at.at.x += i ? gap + runs[i].width : 0;
        at.side = -1;
    }
}

/* ---- groups ---- */

static void svg_group(Canvas *c, const Attribute *at, int n, const char *title)
{
    text_put(&c->out, "<g");
    for (int i = 0; i < n; i++)
        put_attr_text(c, at[i].name, at[i].value);
    text_putc(&c->out, '>');
    if (title) {
        text_put(&c->out, "<title>");
        xml_put(&c->out, title);
        text_put(&c->out, "</title>");
    }
    text_put(&c->out, c->depth++ == 0 ? "\n" : "");
    vec_push(&c->links, false);
}

static void svg_link(Canvas *c, const char *where)
{
    text_put(&c->out, "<a");
    put_attr_text(c, "href", where);
    text_putc(&c->out, '>');
    c->depth++;
    vec_push(&c->links, true);
}

static void svg_end(Canvas *c)
{
    c->depth--;
    end_element(c, c->links.at[--c->links.len] ? "</a>" : "</g>");
}

const CanvasBack canvas_svg = {
    .group = svg_group,
    .end = svg_end,
    .link = svg_link,
    .paper = svg_paper,
    .rect = svg_rect,
    .plate = svg_plate,
    .curve = svg_curve,
    .path = svg_path,
    .polygon = svg_polygon,
    .dot = svg_dot,
    .glyph = svg_glyph,
    .text = svg_text,
    .row = svg_row,
};

/* ---- the document ---- */

static void put_about(Text *out, const char *tag, const char *prefix, const char *words)
{
    text_printf(out, "<%s", tag);
    if (prefix)
        text_printf(out, " id=\"%s%s\"", prefix, tag);
    text_putc(out, '>');
    xml_put(out, words);
    text_printf(out, "</%s>\n", tag);
}

void svg_open(Text *out, const SvgHead *h)
{
    Text w = {0}, t = {0};
    svg_number(&w, h->size.x);
    svg_number(&t, h->size.y);
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" "
                "viewBox=\"0 0 %s %s\"",
                h->width ? h->width : text_str(&w), h->height ? h->height : text_str(&t),
                text_str(&w), text_str(&t));
    if (h->prefix)
        text_printf(out, " class=\"%s %sscene\" role=\"img\" aria-labelledby=\"%stitle %sdesc\"",
                    h->class, h->prefix, h->prefix, h->prefix);
    else
        text_put(out, " role=\"img\"");
    text_printf(out, " font-family=\"%s\" %s>\n", h->family, h->more);
    put_about(out, "title", h->prefix, h->title);
    if (h->desc)
        put_about(out, "desc", h->prefix, h->desc);
    text_free(&w);
    text_free(&t);
}
