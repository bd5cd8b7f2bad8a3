/* Edges of a picture as SVG elements.
 *
 * Invariant: an edge is one group: line, arrow, texts and the badge of a mark, so
 * that hiding it hides all of it; one that is marked has a badge, at it or at one of its ends. */
#include "viz/draw/picture.h"

#include <math.h>

static const char *edge_color(const Svg *v, const SceneEdge *e)
{
    const Paint *p = e->mark ? mark_paint(e->mark) : edge_paint(e->kind);
    return v->dark ? p->dark_line : p->line;
}

bool tip_corners(Point base, Point tip, double half, Point at[3])
{
    double dx = tip.x - base.x, dy = tip.y - base.y, len = hypot(dx, dy);
    if (len < 0.01)
        return false;
    dx /= len;
    dy /= len;
    at[0] = tip;
    at[1] = (Point){base.x - dy * half - dx * 0.8, base.y + dx * half - dy * 0.8};
    at[2] = (Point){base.x + dy * half - dx * 0.8, base.y - dx * half - dy * 0.8};
    return true;
}

void svg_tip(Svg *v, Point base, Point tip, double half, const char *color)
{
    Point at[3];
    if (!tip_corners(base, tip, half, at))
        return;
    text_put(v->out, "<path class=\"tip\" d=\"");
    for (int i = 0; i < 3; i++) {
        text_putc(v->out, "MLL"[i]);
        svg_number(v->out, at[i].x);
        text_putc(v->out, ' ');
        svg_number(v->out, at[i].y);
    }
    text_printf(v->out, "z\" fill=\"%s\"/>", color);
}

static void put_path(Svg *v, const Route *r, const char *class, const char *color, double width,
                     const char *dash)
{
    text_printf(v->out, "<path class=\"%s\" fill=\"none\" d=\"M", class);
    for (int i = 0; i < r->n; i++) {
        if (i > 0)
            text_putc(v->out, i > 1 ? ' ' : r->n >= 4 ? 'C' : 'L');
        svg_number(v->out, r->at[i].x);
        text_putc(v->out, ' ');
        svg_number(v->out, r->at[i].y);
    }
    text_putc(v->out, '"');
    svg_attr_text(v, "stroke", color);
    svg_attr(v, "stroke-width", width);
    if (dash) {
        svg_attr_text(v, "stroke-dasharray", dash);
        text_put(v->out, dash[0] == '1' ? " stroke-linecap=\"round\"" : "");
    }
    text_put(v->out, "/>");
}

/* Small text that stays readable over lines. */
static void put_small(Svg *v, const char *s, const char *anchor, double x, double y, bool mono)
{
    const Ink *ink = ink_of(v->dark);
    text_printf(v->out,
                "<text class=\"halo%s\" paint-order=\"stroke\" stroke=\"%s\" stroke-width=\"3\" "
                "stroke-opacity=\"0.85\""
                " stroke-linejoin=\"round\" fill=\"%s\" text-anchor=\"%s\"",
                mono ? " mono" : "", ink->paper, ink->muted, anchor);
    svg_attr(v, "font-size", mono ? line_size(LINE_EDGE) : 9.5);
    svg_attr(v, "x", x);
    svg_attr(v, "y", y);
    text_putc(v->out, '>');
    xml_put(v->out, s);
    text_put(v->out, "</text>");
}

/* ---- texts at the ends ---- */

/* How a new one stands to those that are there. */
typedef enum { IS_FREE, IS_TAKEN, IS_TOLD } Place;

static Place place_of(const SmallTexts *all, const char *s, double x0, double x1, double y)
{
    Place place = IS_FREE;
    for (size_t i = 0; i < all->len; i++) {
        const SmallText *t = &all->at[i];
        if (x0 > t->x1 || x1 < t->x0 || fabs(y - t->y) > 9)
            continue;
        if (strcmp(s, t->text) == 0)
            return IS_TOLD;
        place = IS_TAKEN;
    }
    return place;
}

/* There, to the left or right of x, unless something else stands there; true: done with. */
static bool try_end_text(SmallTexts *all, const char *s, EndText *t, bool left, double x, double y,
                         bool anyway)
{
    double w = text_width(FONT_SANS, 9.5, t->shown), x0 = left ? x - w : x;
    Place place = place_of(all, s, x0, x0 + w, y);
    if (place == IS_TAKEN && !anyway)
        return false;
    if (place == IS_TOLD) {
        free(t->shown);
        t->shown = NULL;
        return true;
    }
    vec_push(all, ((SmallText){s, x0, x0 + w, y}));
    t->x = x, t->y = y, t->left = left;
    return true;
}

EndText end_text(SmallTexts *all, const char *s, Point at, Point toward)
{
    EndText t = {0};
    if (!s || !*s)
        return t;
    t.shown = text_elide(s, 14);
    double dx = toward.x - at.x, dy = toward.y - at.y;
    if (fabs(dy) >= fabs(dx) * 0.8) {
        double slope = fmin(fabs(dx) / fmax(fabs(dy), 0.1), 1.2);
        double y = dy < 0 ? at.y - 5 : at.y + 12, step = dy < 0 ? -11 : 11;
        double far = 5 + 11 * slope, along = dx / fmax(fabs(dy), 0.1) * 11;
        bool left = dx < -2;
        if (!try_end_text(all, s, &t, left, at.x + (left ? -far : far), y, false) &&
            !try_end_text(all, s, &t, !left, at.x + (left ? 5 : -5), y, false))
            try_end_text(all, s, &t, left, at.x + (left ? -far : far) + along, y + step, true);
    } else {
        double slope = fmin(fabs(dy) / fmax(fabs(dx), 0.1), 1.2);
        bool below = dy > 2, left = dx < 0;
        double far = 4 + 11 * slope, x = at.x + (left ? -8 : 8);
        double first = below ? at.y + far + 7 : at.y - far;
        if (!try_end_text(all, s, &t, left, x, first, false))
            try_end_text(all, s, &t, left, x, below ? at.y - 4 : at.y + 11, true);
    }
    return t;
}

static void put_end_text(Svg *v, const char *s, Point at, Point toward)
{
    EndText t = end_text(&v->small, s, at, toward);
    if (t.shown)
        put_small(v, t.shown, t.left ? "end" : "start", t.x, t.y, false);
    free(t.shown);
}

static Point point_on(const Route *r, double share)
{
    if (r->n < 4)
        return (Point){r->at[0].x + share * (r->at[r->n - 1].x - r->at[0].x),
                       r->at[0].y + share * (r->at[r->n - 1].y - r->at[0].y)};
    int pieces = (r->n - 1) / 3, piece = (int)fmin(share * pieces, pieces - 1);
    double t = share * pieces - piece, u = 1 - t;
    const Point *q = &r->at[3 * piece];
    double a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
    return (Point){a * q[0].x + b * q[1].x + c * q[2].x + d * q[3].x,
                   a * q[0].y + b * q[1].y + c * q[2].y + d * q[3].y};
}

static bool covers(const Item *i, double h, Point q)
{
    return i->drawn && q.x > i->x - 8 && q.x < i->x + i->w + 8 && q.y > i->y - 8 &&
           q.y < i->y + h + 8;
}

static bool is_covered(const Picture *p, Point q)
{
    for (size_t i = 0; i < p->scene->nodes.len; i++)
        if (covers(&p->nodes[i], p->nodes[i].h, q))
            return true;
    for (size_t i = 0; i < p->scene->boxes.len; i++) /* the tab only, if the box is open */
        if (covers(&p->boxes[i], p->scene->boxes.at[i].closed ? p->boxes[i].h : TAB_HEIGHT, q))
            return true;
    return false;
}

/* Where the badge of a mark goes: near the middle, but not under a node or tab. */
static Point badge_place(const Picture *p, const Route *r)
{
    static const double shares[] = {0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82};
    for (size_t i = 0; i < COUNT_OF(shares); i++) {
        Point q = point_on(r, shares[i]);
        if (!is_covered(p, q))
            return q;
    }
    return point_on(r, 0.5);
}

static void put_edge_ids(Svg *v, int k)
{
    const SceneEdge *e = scene_edge_at(v->p->scene, k);
    int from = v->p->from[k - 1], to = v->p->to[k - 1];
    text_printf(v->out, " id=\"%se%d\"", v->prefix, k);
    if (from)
        svg_attr_text(v, "data-from", from > 0 ? v->node_id[from - 1] : v->box_id[-from - 1]);
    if (to)
        svg_attr_text(v, "data-to", to > 0 ? v->node_id[to - 1] : v->box_id[-to - 1]);
    svg_attr_text(v, "data-key", e->key);
}

static void put_edge_title(Svg *v, const SceneEdge *e, int from, int to)
{
    const Scene *s = v->p->scene;
    Text t = {0};
    if (e->mark != MARK_NONE)
        text_printf(&t, "%s: ", scene_mark_words[e->mark]);
    if (e->kind != EDGE_DATA)
        text_printf(&t, "%s: ", scene_edge_words[e->kind]);
    text_put(&t, from > 0 ? scene_node_name(scene_node_at(s, from)) : "inner graph");
    text_put(&t, " \xE2\x86\x92 ");
    text_put(&t, to > 0 ? scene_node_name(scene_node_at(s, to)) : "inner graph");
    if (e->label && *e->label)
        text_printf(&t, "\n%s", e->label);
    if (e->head && *e->head)
        text_printf(&t, "\nas %s", e->head);
    text_put(v->out, "<title>");
    if (t.len < 2000) {
        xml_put(v->out, text_str(&t));
    } else { /* the ends tell their full names themselves */
        char *shown = text_elide(text_str(&t), 300);
        xml_put(v->out, shown);
        free(shown);
    }
    text_put(v->out, "</title>");
    text_free(&t);
}

static void put_strokes(Svg *v, const SceneEdge *e, const Route *r)
{
    const char *color = edge_color(v, e);
    double width = edge_width(e->kind) + (e->mark ? 0.8 : 0);
    put_path(v, r, "line", color, width, edge_dash(e->kind, e->mark));
    if (e->kind == EDGE_SEQUENCE)
        put_path(v, r, "core", ink_of(v->dark)->paper, width - 2.2, NULL);
    if (r->has_tip && e->kind == EDGE_UNTIL)
        svg_stop(v, r->tip, color);
    else if (r->has_tip)
        svg_tip(v, r->at[r->n - 1], r->tip, width > 2 ? 4.6 : 3.4, color);
}

/* Then the end has the badge, which says enough. */
static bool end_is_marked(const Picture *p, int k, SceneMark m)
{
    const Scene *s = p->scene;
    int ends[2] = {p->from[k - 1], p->to[k - 1]};
    for (int i = 0; i < 2; i++)
        if ((ends[i] > 0 && scene_node_at(s, ends[i])->mark == m) ||
            (ends[i] < 0 && scene_box_at(s, -ends[i])->mark == m))
            return true;
    return false;
}

bool edge_badge(const Picture *p, int k, Point *at)
{
    SceneMark m = scene_edge_at(p->scene, k)->mark;
    if (m == MARK_NONE || end_is_marked(p, k, m))
        return false;
    *at = badge_place(p, &p->edges[k - 1]);
    return true;
}

void svg_edge(Svg *v, int k)
{
    const SceneEdge *e = scene_edge_at(v->p->scene, k);
    const Route *r = &v->p->edges[k - 1];
    if (r->n < 2)
        return;
    text_printf(v->out, "<g class=\"edge kind-%s mark-%s\"", scene_edge_words[e->kind],
                scene_mark_words[e->mark]);
    put_edge_ids(v, k);
    text_putc(v->out, '>');
    put_edge_title(v, e, v->p->from[k - 1], v->p->to[k - 1]);
    put_strokes(v, e, r);
    if (r->label)
        put_small(v, r->label, "middle", r->label_at.x, r->label_at.y + 3.8, true);
    put_end_text(v, e->head, r->has_tip ? r->tip : r->at[r->n - 1], r->at[r->n - 2]);
    put_end_text(v, e->tail, r->at[0], r->at[1]);
    Point q;
    if (edge_badge(v->p, k, &q))
        svg_badge(v, e->mark, q.x, q.y);
    text_put(v->out, "</g>\n");
}
