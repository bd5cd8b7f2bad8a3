/* Nodes, boxes and edges of a picture as SVG elements.
 *
 * Invariant: every element is a group with an id, classes for operator, role and
 * mark, and a <title>; text stays text. */
#include "viz/draw/picture.h"

#include <math.h>

void svg_number(Text *out, double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.1f", x);
    size_t n = strlen(text);
    if (n > 2 && strcmp(text + n - 2, ".0") == 0)
        text[n - 2] = '\0';
    text_put(out, strcmp(text, "-0") == 0 ? "0" : text);
}

void svg_attr(Svg *v, const char *name, double x)
{
    text_printf(v->out, " %s=\"", name);
    svg_number(v->out, x);
    text_putc(v->out, '"');
}

void svg_attr_text(Svg *v, const char *name, const char *s)
{
    if (!s || !*s)
        return;
    text_printf(v->out, " %s=\"", name);
    xml_put(v->out, s);
    text_putc(v->out, '"');
}

static const char *fill_of(const Svg *v, const Paint *p)
{
    return v->dark ? p->dark_fill : p->fill;
}
static const char *line_of(const Svg *v, const Paint *p)
{
    return v->dark ? p->dark_line : p->line;
}

/* A rectangle; the caller has opened the tag with its class, and closes it. */
static void put_rect(Svg *v, const char *class, double x, double y, double w, double h, double r)
{
    text_printf(v->out, "<rect class=\"%s\"", class);
    svg_attr(v, "x", x);
    svg_attr(v, "y", y);
    svg_attr(v, "width", w);
    svg_attr(v, "height", h);
    if (r > 0)
        svg_attr(v, "rx", r);
}

static void put_paint(Svg *v, const char *fill, const char *stroke, double width, const char *dash)
{
    svg_attr_text(v, "fill", fill);
    svg_attr_text(v, "stroke", stroke);
    svg_attr(v, "stroke-width", width);
    svg_attr_text(v, "stroke-dasharray", dash);
    text_put(v->out, "/>");
}

/* An octagon. */
void svg_stop(Svg *v, Point at, const char *color)
{
    text_put(v->out, "<path class=\"tip\" d=\"M");
    svg_number(v->out, at.x - 2.5);
    text_putc(v->out, ' ');
    svg_number(v->out, at.y - 6);
    text_printf(v->out, "h5l3.5 3.5v5l-3.5 3.5h-5l-3.5-3.5v-5z\" fill=\"%s\"/>", color);
}

void svg_badge(Svg *v, SceneMark m, double x, double y)
{
    if (m == MARK_NONE)
        return;
    text_put(v->out, "<circle class=\"badge\"");
    svg_attr(v, "cx", x);
    svg_attr(v, "cy", y);
    svg_attr(v, "r", 7);
    svg_attr_text(v, "fill", line_of(v, mark_paint(m)));
    svg_attr_text(v, "stroke", ink_of(v->dark)->paper);
    text_put(
        v->out,
        "/><text class=\"glyph\" text-anchor=\"middle\" font-weight=\"bold\" font-size=\"13\"");
    svg_attr_text(v, "fill", v->dark ? "#0f141a" : "#ffffff");
    svg_attr(v, "x", x);
    svg_attr(v, "y", y + 4.6);
    text_printf(v->out, ">%s</text>", mark_glyph(m));
}

const char *role_dash(SceneRole r, SceneMark m)
{
    if (m == MARK_REMOVED)
        return "6 4";
    return r == ROLE_CAPTURE ? "4.5 3" : r == ROLE_CONST ? "1.5 2.5" : NULL;
}

double role_width(SceneRole r, SceneMark m)
{
    if (m != MARK_NONE)
        return 2.6;
    return r == ROLE_INPUT || r == ROLE_STATE ? 2.2 : 1.1;
}

/* ---- text ---- */

static void put_run(Svg *v, const Line *l, const char *fill)
{
    Font f = line_font(l->kind);
    text_put(v->out, "<tspan");
    bool muted = !fill && (l->kind == LINE_ID || l->kind == LINE_DETAIL || l->kind == LINE_MORE);
    const Ink *ink = ink_of(v->dark);
    svg_attr_text(v, "fill", fill ? fill : muted ? ink->muted : ink->text);
    text_printf(v->out, " class=\"%s%s\"", f == FONT_MONO ? "mono" : "sans", muted ? " muted" : "");
    svg_attr(v, "font-size", line_size(l->kind));
    if (f == FONT_BOLD)
        text_put(v->out, " font-weight=\"600\"");
    text_putc(v->out, '>');
    xml_put(v->out, l->text);
    text_put(v->out, "</tspan>");
}

static void put_line(Svg *v, const Line *l, const char *anchor, double x, double y)
{
    text_put(v->out, "<text");
    svg_attr_text(v, "text-anchor", anchor);
    svg_attr(v, "x", x);
    svg_attr(v, "y", y);
    text_putc(v->out, '>');
    put_run(v, l, NULL);
    text_put(v->out, "</text>");
}

/* Lines one below the other. What shares a row is a text of its own, on both sides of where they
 * meet: some viewers lose a text of two fonts. */
static void put_block(Svg *v, const Block *b, double cx, double top)
{
    double y = top;
    for (int i = 0; i < b->n;) {
        const Line *l = &b->at[i];
        double h = line_height(l->kind == LINE_ID ? LINE_DETAIL : l->kind);
        double w = l->width, base = y + h * 0.76;
        int n = i + 1;
        for (; n < b->n && b->at[n].kind == LINE_ID; n++)
            w += BESIDE_GAP + b->at[n].width;
        double x = cx - w / 2 + l->width;
        bool alone = n == i + 1;
        put_line(v, l, alone ? "middle" : "end", alone ? cx : x, base);
        y += h;
        for (i++; i < n; i++) {
            put_line(v, &b->at[i], NULL, x + BESIDE_GAP, base);
            x += BESIDE_GAP + b->at[i].width;
        }
    }
}

/* ---- nodes ---- */

/* A circling arrow: what the loop carries to its next step. */
void svg_state_sign(Svg *v, double x, double y, SceneMark m)
{
    const char *color = line_of(v, m ? mark_paint(m) : edge_paint(EDGE_STATE));
    text_put(v->out, "<path class=\"sign\" fill=\"none\" stroke-width=\"1.7\" d=\"M");
    svg_number(v->out, x + 4.2);
    text_putc(v->out, ' ');
    svg_number(v->out, y + 2.4);
    text_put(v->out, "a5 5 0 1 1 .2-4.6m.3-3v3.2h-3.2\"");
    svg_attr_text(v, "stroke", color);
    text_put(v->out, "/>");
}

static void put_tip_line(Text *t, const char *before, const char *s)
{
    if (s && *s)
        text_printf(t, "%s%s", before, s);
}

static void put_node_title(Svg *v, const SceneNode *n)
{
    Text t = {0};
    if (n->id)
        text_printf(&t, "%%%lld ", (long long)n->id);
    text_put(&t, scene_node_name(n));
    put_tip_line(&t, "\n", n->detail);
    put_tip_line(&t, "\n= ", n->value);
    put_tip_line(&t, "\n\xE2\x88\x82 ", n->grad);
    put_tip_line(&t, "\n", n->tooltip);
    if (n->role != ROLE_NONE)
        text_printf(&t, "\n(%s)", scene_role_words[n->role]);
    if (n->mark != MARK_NONE)
        text_printf(&t, "\n(%s)", scene_mark_words[n->mark]);
    text_put(v->out, "<title>");
    xml_put(v->out, text_str(&t));
    text_put(v->out, "</title>");
    text_free(&t);
}

/* Around what is in focus, and around what is highlighted. */
static void put_rings(Svg *v, const Item *i, double r, bool focus, bool lit)
{
    if (lit) {
        put_rect(v, "lit", i->x - 6.5, i->y - 6.5, i->w + 13, i->h + 13, r + 6.5);
        put_paint(v, "none", ink_of(v->dark)->lit, 3.2, NULL);
    }
    if (!focus)
        return;
    put_rect(v, "focus", i->x - 4.5, i->y - 4.5, i->w + 9, i->h + 9, r + 4.5);
    put_paint(v, "none", ink_of(v->dark)->text, 1.6, "3 2.5");
}

static void put_shape(Svg *v, const Item *i, const Paint *p, SceneRole role, SceneMark mark,
                      bool pill)
{
    const Paint *rim = mark ? mark_paint(mark) : role == ROLE_STATE ? edge_paint(EDGE_STATE) : p;
    const char *fill = fill_of(v, p), *line = line_of(v, rim);
    double r = pill ? fmin(i->h / 2, 16) : 6, width = role_width(role, mark);
    if (role == ROLE_SEQUENCE) {
        put_rect(v, "shape", i->x + 3.5, i->y + 3.5, i->w, i->h, r);
        put_paint(v, fill, line, width, role_dash(role, mark));
    }
    put_rect(v, "shape", i->x, i->y, i->w, i->h, r);
    if (mark == MARK_REMOVED)
        text_put(v->out, " fill-opacity=\"0.45\"");
    put_paint(v, fill, line, width, role_dash(role, mark));
    if (role == ROLE_SHARED || role == ROLE_OUTPUT) {
        put_rect(v, "shape rim", i->x + 3, i->y + 3, i->w - 6, i->h - 6, r > 3 ? r - 3 : 0);
        text_put(v->out, " fill-opacity=\"0\"");
        put_paint(v, fill, line, 1.1, role_dash(role, mark));
    }
}

void svg_node(Svg *v, int k)
{
    const SceneNode *n = scene_node_at(v->p->scene, k);
    const Item *i = &v->p->nodes[k - 1];
    text_printf(v->out, "<g class=\"node op-%s role-%s mark-%s\"",
                scene_class_words[class_of_fill(n->cls)], scene_role_words[n->role],
                scene_mark_words[n->mark]);
    svg_attr_text(v, "id", v->node_id[k - 1]);
    svg_attr_text(v, "data-op", n->op);
    svg_attr_text(v, "data-key", n->key);
    text_putc(v->out, '>');
    put_node_title(v, n);
    bool pill = n->role >= ROLE_INPUT && n->role <= ROLE_CAPTURE;
    put_rings(v, i, pill ? fmin(i->h / 2, 16) : 6, n->focus, n->lit);
    put_shape(v, i, class_paint(n->cls), n->role, n->mark, pill);
    put_block(v, &i->text, i->x + i->w / 2 + (n->role == ROLE_STATE ? 8 : 0),
              i->y + (i->h - i->text.h) / 2);
    if (n->role == ROLE_STATE)
        svg_state_sign(v, i->x + 17, i->y + i->h / 2, n->mark);
    svg_badge(v, n->mark, i->x + 1, i->y + 1);
    text_put(v->out, "</g>\n");
}

/* ---- boxes ---- */

static void open_box(Svg *v, int k, const char *class)
{
    const SceneBox *b = scene_box_at(v->p->scene, k);
    text_printf(v->out, "<g class=\"%s kind-%s mark-%s\"", class, scene_box_words[b->kind],
                scene_mark_words[b->mark]);
}

static void put_box_ids(Svg *v, int k)
{
    const SceneBox *b = scene_box_at(v->p->scene, k);
    svg_attr_text(v, "id", v->box_id[k - 1]);
    svg_attr_text(v, "data-key", b->key);
    if (b->owner)
        svg_attr_text(v, "data-owner", v->node_id[b->owner - 1]);
    if (b->parent)
        svg_attr_text(v, "data-parent", v->box_id[b->parent - 1]);
}

static void put_box_title(Svg *v, const SceneBox *b)
{
    Text t = {0};
    text_put(&t, b->title && *b->title ? b->title : scene_box_words[b->kind]);
    put_tip_line(&t, "\n", b->subtitle);
    put_tip_line(&t, "\n", b->tooltip);
    if (b->repeat > 1)
        text_printf(&t, "\nthe same body %d times", b->repeat);
    if (b->mark != MARK_NONE)
        text_printf(&t, "\n(%s)", scene_mark_words[b->mark]);
    text_put(v->out, "<title>");
    xml_put(v->out, text_str(&t));
    text_put(v->out, "</title>");
    text_free(&t);
}

void svg_box_frame(Svg *v, int k)
{
    const SceneBox *b = scene_box_at(v->p->scene, k);
    const Item *i = &v->p->boxes[k - 1];
    const Paint *p = box_paint(b->kind);
    open_box(v, k, "box");
    put_box_ids(v, k);
    text_putc(v->out, '>');
    put_box_title(v, b);
    put_rings(v, i, 10, b->focus, b->lit);
    put_rect(v, "frame", i->x, i->y, i->w, i->h, 10);
    put_paint(v, fill_of(v, p), b->mark ? line_of(v, mark_paint(b->mark)) : line_of(v, p),
              b->mark ? 2.6 : 1.3, box_dash(b->kind, b->mark));
    text_put(v->out, "</g>\n");
}

static void put_closed_box(Svg *v, int k)
{
    const SceneBox *b = scene_box_at(v->p->scene, k);
    const Item *i = &v->p->boxes[k - 1];
    text_printf(v->out, "<g class=\"node closed op-control mark-%s\"", scene_mark_words[b->mark]);
    put_box_ids(v, k);
    text_putc(v->out, '>');
    put_box_title(v, b);
    put_rings(v, i, 6, b->focus, b->lit);
    const Paint *p = class_paint(CLS_CONTROL);
    put_rect(v, "shape", i->x + 4, i->y + 4, i->w, i->h, 6);
    put_paint(v, fill_of(v, p), line_of(v, p), 1.1, NULL);
    put_shape(v, i, p, ROLE_NONE, b->mark, false);
    put_block(v, &i->text, i->x + i->w / 2, i->y + (i->h - i->text.h) / 2);
    svg_badge(v, b->mark, i->x + 1, i->y + 1);
    text_put(v->out, "</g>\n");
}

/* The plate in the upper edge of a frame: rounded with it in a corner. */
static void put_plate(Svg *v, const Item *i, double w, const char *fill)
{
    bool left = i->tab_x<1, right = i->tab_x + w> i->w - 1;
    Text d = {0};
    text_put(&d, "M");
    svg_number(&d, i->x + i->tab_x + (left ? 10 : 0));
    text_putc(&d, ' ');
    svg_number(&d, i->y);
    text_put(&d, "h");
    svg_number(&d, w - (left ? 10 : 0) - (right ? 10 : 0));
    text_put(&d, right ? "a10 10 0 0 1 10 10v11h-" : "v13a8 8 0 0 1-8 8h-");
    svg_number(&d, w - (left ? 0 : 8) - (right ? 0 : 8));
    text_put(&d, left ? "v-11a10 10 0 0 1 10-10z" : "a8 8 0 0 1-8-8v-13z");
    text_put(v->out, "<path class=\"plate\"");
    svg_attr_text(v, "d", text_str(&d));
    svg_attr_text(v, "fill", fill);
    text_put(v->out, "/>");
    text_free(&d);
}

static void put_tab_line(Svg *v, const Line *l, double x, double y)
{
    text_put(v->out, "<text class=\"glyph\"");
    svg_attr(v, "x", x);
    svg_attr(v, "y", y);
    text_putc(v->out, '>');
    put_run(v, l, v->dark ? "#0f141a" : "#ffffff");
    text_put(v->out, "</text>");
}

static void put_beside_tab(Svg *v, const Line *l, double x, double y, const Paint *p, bool ends)
{
    text_printf(v->out,
                "<text class=\"beside\" paint-order=\"stroke\" stroke=\"%s\" stroke-width=\"4\""
                " stroke-linejoin=\"round\"",
                fill_of(v, p));
    if (ends)
        text_put(v->out, " text-anchor=\"end\"");
    svg_attr(v, "x", x);
    svg_attr(v, "y", y);
    text_putc(v->out, '>');
    put_run(v, l, NULL);
    text_put(v->out, "</text>");
}

void svg_box_tab(Svg *v, int k)
{
    const SceneBox *b = scene_box_at(v->p->scene, k);
    const Item *i = &v->p->boxes[k - 1];
    if (b->closed) {
        put_closed_box(v, k);
        return;
    }
    double w = tab_width(b, &i->text), left = i->x + i->tab_x;
    bool last = i->tab_x > 1 && i->tab_x + w > i->w - 1;
    open_box(v, k, "tab");
    text_printf(v->out, " data-box=\"%s\">", v->box_id[k - 1]);
    put_box_title(v, b);
    put_plate(v, i, w, line_of(v, box_paint(b->kind)));
    double x = left + TAB_PAD + (b->mark ? 16 : 0), y = i->y + 15.2;
    for (int j = 0; j < i->text.n; j++) {
        const Line *l = &i->text.at[j];
        if (l->kind == LINE_MORE)
            put_beside_tab(v, l, last ? left - 8 : left + w + 8, y, box_paint(b->kind), last);
        else
            put_tab_line(v, l, x, y);
        x += l->kind == LINE_MORE ? 0 : l->width + 7;
    }
    svg_badge(v, b->mark, left + TAB_PAD + 4, i->y + 10.5);
    text_put(v->out, "</g>\n");
}
