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
static void put_small(Svg *v, const Small *s)
{
    if (!s->shown)
        return;
    const Ink *ink = ink_of(v->dark);
    text_printf(v->out,
                "<text class=\"halo%s\" paint-order=\"stroke\" stroke=\"%s\" stroke-width=\"3\" "
                "stroke-opacity=\"0.85\""
                " stroke-linejoin=\"round\" fill=\"%s\" text-anchor=\"middle\"",
                s->mono ? " mono" : "", ink->paper, ink->muted);
    svg_attr(v, "font-size", s->mono ? line_size(LINE_EDGE) : SMALL_SIZE);
    svg_attr(v, "x", s->at.x);
    svg_attr(v, "y", s->at.y + SMALL_BASE);
    text_putc(v->out, '>');
    xml_put(v->out, s->text);
    text_put(v->out, "</text>");
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
    put_small(v, &r->label);
    put_small(v, &r->head);
    put_small(v, &r->tail);
    if (r->has_badge)
        svg_badge(v, e->mark, r->badge.x, r->badge.y);
    text_put(v->out, "</g>\n");
}
