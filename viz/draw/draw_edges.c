/* Edges of a picture on the canvas.
 *
 * Invariant: an edge is one group: line, arrow, texts and the badge of a mark, so
 * that hiding it hides all of it; one that is marked has a badge, at it or at one of its ends. */
#include "viz/draw/paint.h"

#include <math.h>

void paint_tip(Pen *v, Point base, Point tip, double half, Color color)
{
    double dx = tip.x - base.x, dy = tip.y - base.y, len = hypot(dx, dy);
    if (len < 0.01)
        return;
    dx /= len;
    dy /= len;
    Point at[] = {tip,
                  {base.x - dy * half - dx * 0.8, base.y + dx * half - dy * 0.8},
                  {base.x + dy * half - dx * 0.8, base.y - dx * half - dy * 0.8}};
    v->c.to->polygon(&v->c, &(Look){.class = "tip", .fill = color}, at, 3);
}

/* Small text that stays readable over lines. */
static void put_small(Pen *v, const Small *s)
{
    if (!s->shown)
        return;
    Words w = {.class = "halo",
               .at = {s->at.x, s->at.y + SMALL_BASE},
               .color = ink_color(INK_MUTED),
               .letters = s->mono ? (int)LINE_EDGE : LETTERS_END,
               .halo = ink_color(INK_PAPER),
               .rim = 3,
               .halo_clear = 0.15,
               .backed = s->mono};
    v->c.to->text(&v->c, &w, &(TextRun){.text = s->text}, 1);
}

static char *edge_title(const Pen *v, int k)
{
    const Scene *s = v->p->scene;
    const SceneEdge *e = scene_edge_at(s, k);
    int from = v->p->from[k - 1], to = v->p->to[k - 1];
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
    if (t.len < 2000)
        return text_take(&t);
    char *shown = text_elide(text_str(&t), 300); /* the ends tell their full names themselves */
    text_free(&t);
    return shown;
}

static const char *id_of(const Pen *v, int code)
{
    return code > 0 ? v->node_id[code - 1] : code < 0 ? v->box_id[-code - 1] : NULL;
}

static void open_edge(Pen *v, int k)
{
    const SceneEdge *e = scene_edge_at(v->p->scene, k);
    char *title = edge_title(v, k);
    Text class = {0}, id = {0};
    text_printf(&class, "edge kind-%s mark-%s", scene_edge_words[e->kind],
                scene_mark_words[e->mark]);
    text_printf(&id, "%se%d", v->prefix, k);
    Attribute at[] = {{"class", text_str(&class)},
                      {"id", text_str(&id)},
                      {"data-from", id_of(v, v->p->from[k - 1])},
                      {"data-to", id_of(v, v->p->to[k - 1])},
                      {"data-key", e->key}};
    v->c.to->group(&v->c, at, COUNT_OF(at), title);
    text_free(&class);
    text_free(&id);
    free(title);
}

static void put_strokes(Pen *v, const SceneEdge *e, const Route *r)
{
    Color color = e->mark ? mark_color(e->mark) : edge_color(e->kind);
    double width = edge_width(e->kind) + (e->mark ? 0.8 : 0);
    Look line = {.class = "line",
                 .line = color,
                 .width = width,
                 .dash = edge_dash(e->kind, e->mark),
                 .soft = e->kind == EDGE_UNTIL && e->mark != MARK_REMOVED};
    v->c.to->curve(&v->c, &line, r->at, r->n);
    if (e->kind == EDGE_SEQUENCE) {
        Look core = {.class = "core", .line = ink_color(INK_PAPER), .width = width - 2.2};
        v->c.to->curve(&v->c, &core, r->at, r->n);
    }
    if (r->has_tip && e->kind == EDGE_UNTIL)
        v->c.to->glyph(&v->c, &line, GLYPH_STOP, r->tip);
    else if (r->has_tip)
        paint_tip(v, r->at[r->n - 1], r->tip, width > 2 ? 4.6 : 3.4, color);
}

void paint_edge(Pen *v, int k)
{
    const SceneEdge *e = scene_edge_at(v->p->scene, k);
    const Route *r = &v->p->edges[k - 1];
    if (r->n < 2)
        return;
    open_edge(v, k);
    put_strokes(v, e, r);
    put_small(v, &r->label);
    put_small(v, &r->head);
    put_small(v, &r->tail);
    if (r->has_badge)
        paint_badge(v, e->mark, r->badge.x, r->badge.y);
    v->c.to->end(&v->c);
}
