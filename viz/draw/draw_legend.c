/* The legend and the notes under a picture.
 *
 * Invariant: it lists what legend_entries() gives, no more, no less; entries flow
 * in rows within the width of the picture. */
#include "viz/draw/paint.h"

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

static void open_sample(Pen *v, const char *before, const char *word)
{
    Text class = {0};
    text_printf(&class, "%s%s", before, word);
    v->c.to->group(&v->c, &(Attribute){"class", text_str(&class)}, 1, NULL);
    text_free(&class);
}

static void put_fill_sample(Pen *v, SceneClass c, double x, double y)
{
    Look look = class_look(c);
    look.class = "shape";
    look.round = 3;
    open_sample(v, "op-", scene_class_words[c]);
    v->c.to->rect(&v->c, &look, x, y - 6, 16, 12);
    v->c.to->end(&v->c);
}

static void put_role_sample(Pen *v, SceneRole r, double x, double y)
{
    bool square = r == ROLE_OUTPUT || r == ROLE_CONST;
    Look look = {.class = "plain",
                 .fill = ink_color(INK_PAPER),
                 .line = r == ROLE_STATE ? edge_color(EDGE_STATE) : ink_color(INK_MUTED),
                 .width = role_width(r, MARK_NONE),
                 .dash = role_dash(r, MARK_NONE),
                 .round = r == ROLE_SEQUENCE ? 6
                          : square           ? 4
                                             : 7};
    open_sample(v, "role-", scene_role_words[r]);
    if (r == ROLE_SEQUENCE) {
        v->c.to->rect(&v->c, &look, x + 3, y - 4, 22, 12);
        v->c.to->rect(&v->c, &look, x, y - 7, 22, 12);
    } else {
        v->c.to->rect(&v->c, &look, x + 1, y - 7, 24, 14);
    }
    if (r == ROLE_SHARED || r == ROLE_OUTPUT) {
        look.width = 1.1;
        look.round = square ? 2 : 4.5;
        v->c.to->rect(&v->c, &look, x + 3.5, y - 4.5, 19, 9);
    }
    if (r == ROLE_STATE)
        v->c.to->glyph(&v->c, &look, GLYPH_CYCLE, (Point){x + 13, y});
    v->c.to->end(&v->c);
}

static void put_edge_sample(Pen *v, SceneEdgeKind k, double x, double y)
{
    Point ends[] = {{x, y}, {x + 22, y}};
    Look line = {.class = "line",
                 .line = edge_color(k),
                 .width = edge_width(k),
                 .dash = edge_dash(k, MARK_NONE),
                 .soft = k == EDGE_UNTIL};
    Look core = {.class = "core", .line = ink_color(INK_PAPER), .width = edge_width(k) - 2.2};
    open_sample(v, "edge kind-", scene_edge_words[k]);
    v->c.to->curve(&v->c, &line, ends, 2);
    if (k == EDGE_SEQUENCE)
        v->c.to->curve(&v->c, &core, ends, 2);
    if (k == EDGE_UNTIL)
        v->c.to->glyph(&v->c, &line, GLYPH_STOP, (Point){x + 24, y});
    else
        paint_tip(v, ends[1], (Point){x + 29, y}, edge_width(k) > 2 ? 4.6 : 3.4, line.line);
    v->c.to->end(&v->c);
}

static void put_text(Pen *v, const char *s, double x, double y, int letters)
{
    Words w = {.class = "muted",
               .at = {x, y + 4},
               .side = -1,
               .color = ink_color(INK_MUTED),
               .letters = letters};
    v->c.to->text(&v->c, &w, &(TextRun){.text = s}, 1);
}

static void put_sample(Pen *v, const LegendEntry *l, double x, double y)
{
    switch (l->kind) {
    case LEGEND_FILL: put_fill_sample(v, (SceneClass)l->value, x, y); break;
    case LEGEND_ROLE: put_role_sample(v, (SceneRole)l->value, x, y); break;
    case LEGEND_EDGE: put_edge_sample(v, (SceneEdgeKind)l->value, x, y); break;
    case LEGEND_MARK:
        open_sample(v, "mark-", scene_mark_words[l->value]);
        paint_badge(v, (SceneMark)l->value, x + 7.5, y);
        v->c.to->end(&v->c);
        break;
    case LEGEND_SIGN: put_text(v, sign_sample((Sign)l->value), x, y, LETTERS_SIGN); break;
    }
}

static double put_entries(Pen *v, double left, double top, double right, bool dry)
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
            put_text(v, at[i].text, x + sample_width(&at[i]) + 6, y, LETTERS_LEGEND);
        }
        x += w + gap;
    }
    return n ? y + ROW / 2.0 - top : 0;
}

double paint_legend(Pen *v, double top, double width, const char *note, bool dry)
{
    const double left = 16;
    int max = (int)fmax((width - 2 * left) / 6.2, 24);
    Block notes = block_of_text(LINE_MORE, note ? note : "", max, MAX_LINES);
    LegendEntry at[MAX_LEGEND];
    if (legend_entries(v->p, at) == 0 && notes.n == 0)
        return 0;
    if (!dry) {
        Point rule[] = {{left, top}, {width - left, top}};
        v->c.to->group(&v->c, &(Attribute){"class", "legend"}, 1, "Legend");
        v->c.to->curve(&v->c, &(Look){.class = "rule", .line = ink_color(INK_RULE)}, rule, 2);
    }
    double h = 8 + put_entries(v, left, top + 8, width - left, dry);
    for (int i = 0; i < notes.n; i++, h += 16)
        if (!dry)
            put_text(v, notes.at[i].text, left, top + h + 8, LETTERS_LEGEND);
    if (!dry)
        v->c.to->end(&v->c);
    block_free(&notes);
    return h + 10;
}
