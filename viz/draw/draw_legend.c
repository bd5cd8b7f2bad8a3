/* The legend and the notes under a picture.
 *
 * Invariant: it lists what legend_entries() gives, no more, no less; entries flow
 * in rows within the width of the picture. */
#include "viz/draw/picture.h"

#include <math.h>

enum { ROW = 22 };
static const double text_size = 11, gap = 18;

static double sample_width(const LegendEntry *l)
{
    switch (l->kind) {
    case LEGEND_FILL: return 16;
    case LEGEND_ROLE: return 26;
    case LEGEND_EDGE: return 30;
    case LEGEND_MARK: return 15;
    case LEGEND_SIGN: return text_width(FONT_MONO, text_size, sign_sample((Sign)l->value));
    }
    return 0;
}

static double entry_width(const LegendEntry *l)
{
    return sample_width(l) + 6 + text_width(FONT_SANS, text_size, l->text);
}

static void put_rect(Svg *v, const char *class, double x, double y, double w, double h, double r)
{
    text_printf(v->out, "<rect class=\"%s\"", class);
    svg_attr(v, "x", x);
    svg_attr(v, "y", y);
    svg_attr(v, "width", w);
    svg_attr(v, "height", h);
    svg_attr(v, "rx", r);
}

static void put_fill_sample(Svg *v, SceneClass c, double x, double y)
{
    const Paint *p = class_paint(c);
    text_printf(v->out, "<g class=\"op-%s\">", scene_class_words[c]);
    put_rect(v, "shape", x, y - 6, 16, 12, 3);
    text_printf(v->out, " fill=\"%s\" stroke=\"%s\"/></g>", v->dark ? p->dark_fill : p->fill,
                v->dark ? p->dark_line : p->line);
}

static void put_role_sample(Svg *v, SceneRole r, double x, double y)
{
    const Ink *ink = ink_of(v->dark);
    const char *dash = role_dash(r, MARK_NONE);
    const Paint *state = edge_paint(EDGE_STATE);
    const char *stroke = r != ROLE_STATE ? ink->muted : v->dark ? state->dark_line : state->line;
    text_printf(v->out, "<g class=\"role-%s\">", scene_role_words[r]);
    bool square = r == ROLE_OUTPUT || r == ROLE_CONST;
    for (int layer = 0; layer < 2; layer++) {
        bool card = layer == 0 && r == ROLE_SEQUENCE;
        bool rim = layer == 1 && (r == ROLE_SHARED || r == ROLE_OUTPUT);
        if (layer == 0 && !card)
            put_rect(v, "plain", x + 1, y - 7, 24, 14, square ? 4 : 7);
        else if (card)
            put_rect(v, "plain", x + 3, y - 4, 22, 12, 6);
        else if (rim)
            put_rect(v, "plain", x + 3.5, y - 4.5, 19, 9, square ? 2 : 4.5);
        else if (r == ROLE_SEQUENCE)
            put_rect(v, "plain", x, y - 7, 22, 12, 6);
        else
            continue;
        text_printf(v->out, " fill=\"%s\" stroke=\"%s\" stroke-width=\"%g\"", ink->paper, stroke,
                    rim ? 1.1 : role_width(r, MARK_NONE));
        svg_attr_text(v, "stroke-dasharray", dash);
        text_put(v->out, "/>");
    }
    if (r == ROLE_STATE)
        svg_state_sign(v, x + 13, y, MARK_NONE);
    text_put(v->out, "</g>");
}

static void put_edge_line(Svg *v, const char *class, const char *color, double x, double y,
                          double width, const char *dash)
{
    text_printf(v->out, "<path class=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" d=\"M",
                class, color, width);
    svg_number(v->out, x);
    text_putc(v->out, ' ');
    svg_number(v->out, y);
    text_put(v->out, "h22\"");
    svg_attr_text(v, "stroke-dasharray", dash);
    if (dash && dash[0] == '1')
        text_put(v->out, " stroke-linecap=\"round\"");
    text_put(v->out, "/>");
}

static void put_edge_sample(Svg *v, SceneEdgeKind k, double x, double y)
{
    const char *color = v->dark ? edge_paint(k)->dark_line : edge_paint(k)->line;
    text_printf(v->out, "<g class=\"edge kind-%s\">", scene_edge_words[k]);
    put_edge_line(v, "line", color, x, y, edge_width(k), edge_dash(k, MARK_NONE));
    if (k == EDGE_SEQUENCE)
        put_edge_line(v, "core", ink_of(v->dark)->paper, x, y, edge_width(k) - 2.2, NULL);
    if (k == EDGE_UNTIL)
        svg_stop(v, (Point){x + 24, y}, color);
    else
        svg_tip(v, (Point){x + 22, y}, (Point){x + 29, y}, edge_width(k) > 2 ? 4.6 : 3.4, color);
    text_put(v->out, "</g>");
}

static void put_text(Svg *v, const char *s, double x, double y, bool mono)
{
    text_printf(v->out, "<text class=\"muted%s\" fill=\"%s\"", mono ? " mono" : "",
                ink_of(v->dark)->muted);
    svg_attr(v, "font-size", text_size);
    svg_attr(v, "x", x);
    svg_attr(v, "y", y + 4);
    text_putc(v->out, '>');
    xml_put(v->out, s);
    text_put(v->out, "</text>\n");
}

static void put_sample(Svg *v, const LegendEntry *l, double x, double y)
{
    switch (l->kind) {
    case LEGEND_FILL: put_fill_sample(v, (SceneClass)l->value, x, y); break;
    case LEGEND_ROLE: put_role_sample(v, (SceneRole)l->value, x, y); break;
    case LEGEND_EDGE: put_edge_sample(v, (SceneEdgeKind)l->value, x, y); break;
    case LEGEND_MARK:
        text_printf(v->out, "<g class=\"mark-%s\">", scene_mark_words[l->value]);
        svg_badge(v, (SceneMark)l->value, x + 7.5, y);
        text_put(v->out, "</g>");
        break;
    case LEGEND_SIGN: put_text(v, sign_sample((Sign)l->value), x, y, true); break;
    }
}

static double put_entries(Svg *v, double left, double top, double right, bool dry)
{
    LegendEntry at[MAX_LEGEND];
    int n = legend_entries(v->p, at);
    double x = left, y = top + ROW / 2.0;
    for (int i = 0; i < n; i++) {
        double w = entry_width(&at[i]);
        bool new_kind = i > 0 && at[i].kind != at[i - 1].kind && at[i].kind != LEGEND_MARK;
        if (x > left && (x + w > right || new_kind)) {
            x = left;
            y += ROW;
        }
        if (!dry) {
            put_sample(v, &at[i], x, y);
            put_text(v, at[i].text, x + sample_width(&at[i]) + 6, y, false);
        }
        x += w + gap;
    }
    return n ? y + ROW / 2.0 - top : 0;
}

double svg_legend(Svg *v, double top, double width, const char *note, bool dry)
{
    const double left = 16;
    int max = (int)fmax((width - 2 * left) / 6.2, 24);
    Block notes = block_of_text(LINE_MORE, note ? note : "", max, MAX_LINES);
    LegendEntry at[MAX_LEGEND];
    if (legend_entries(v->p, at) == 0 && notes.n == 0)
        return 0;
    if (!dry) {
        text_put(v->out,
                 "<g class=\"legend\"><title>Legend</title><path class=\"rule\" fill=\"none\"");
        svg_attr_text(v, "stroke", ink_of(v->dark)->line);
        text_put(v->out, " d=\"M");
        svg_number(v->out, left);
        text_putc(v->out, ' ');
        svg_number(v->out, top);
        text_put(v->out, "H");
        svg_number(v->out, width - left);
        text_put(v->out, "\"/>\n");
    }
    double h = 8 + put_entries(v, left, top + 8, width - left, dry);
    for (int i = 0; i < notes.n; i++, h += 16)
        if (!dry)
            put_text(v, notes.at[i].text, left, top + h + 8, false);
    if (!dry)
        text_put(v->out, "</g>\n");
    block_free(&notes);
    return h + 10;
}
