/* See back_picture.h. */
#include "viz/film/back_picture.h"

#include "base/utf8.h"

enum { LETTER = 8, PAD = 10, LINE = 18, ROWS = 3, LONGEST = 34, MARGIN = 14, ROUND = 6, TIP = 5 };
static const double FAINT = 0.25;

static const Color ink = {"ink", PAINT_TEXT}, paper = {"paper", PAINT_PAPER},
                   rule = {"rule", .light = "#8c959f"}, green = {"value", .light = "#116329"},
                   red = {"slope", .light = "#b3261e"}, blue = {"accent", .light = "#0550ae"};
static const Letters letters[] = {{NULL, FONT_MONO, 13}, {NULL, FONT_MONO, 12}};

Canvas back_picture_canvas(void)
{
    return (Canvas){.to = &canvas_svg, .letters = letters, .nletters = COUNT_OF(letters)};
}

/* ---- texts ---- */

/* "d x = 0.84", or what a node is worth. */
static void back_value(const char *before, const char *name, const Tensor *t, int digits, Text *out)
{
    text_printf(out, "%s%s = ", before, name);
    play_put_value(t, digits, out);
}

/* "v1 = x * y"; a long formula is cut. */
static void put_head(const BackPicture *p, int k, Text *out)
{
    const BackNode *n = &p->of->nodes.at[k];
    text_put(out, n->name);
    if (!n->formula.len)
        return;
    text_put(out, " = ");
    backprop_formula(p->of, k, PLAY_NAMES, p->digits, out);
    if (utf8_columns(text_str(out)) <= LONGEST)
        return;
    size_t at = 0;
    for (int used = 0; used < LONGEST - 1; used++) {
        u32 c;
        at += (size_t)utf8_decode(text_str(out) + at, out->len - at, &c);
    }
    out->len = at;
    text_put(out, "…");
}

/* ---- places ---- */

static int wider(int w, Text *t)
{
    int n = utf8_columns(text_str(t));
    text_free(t);
    return n > w ? n : w;
}

static int width_of(const BackPicture *p, int k)
{
    const BackNode *n = &p->of->nodes.at[k];
    Text head = {0}, value = {0}, slope = {0};
    put_head(p, k, &head);
    play_put_value(n->value, p->digits, &value);
    back_value("d ", n->name, backprop_cotangent(p->of, k, p->of->edges.len), p->digits, &slope);
    return wider(wider(wider(0, &head), &value), &slope) * LETTER + 2 * PAD;
}

int back_picture_line(const BackPicture *p, int from, int to)
{
    for (size_t i = 0; i < p->froms.len; i++)
        if (p->froms.at[i] == from && p->tos.at[i] == to)
            return (int)i;
    return -1;
}

void back_picture_open(BackPicture *p, const Backprop *of, int digits)
{
    *p = (BackPicture){.of = of, .digits = digits};
    LayGraph g = {.letters = false};
    for (int k = 0; k < (int)of->nodes.len; k++) {
        const PlayParts *f = &of->nodes.at[k].formula;
        vec_push(&g.nodes, ((LayNode){.w = width_of(p, k), .h = ROWS * LINE + PAD}));
        for (size_t i = 0; i < f->len; i++) {
            int from = f->at[i].text ? -1 : f->at[i].place;
            if (from < 0 || back_picture_line(p, from, k) >= 0)
                continue;
            vec_push(&p->froms, from);
            vec_push(&p->tos, k);
            vec_push(&g.edges, ((LayEdge){.from = from + 1, .to = k + 1, .weight = 1}));
        }
    }
    lay_out(&g, &p->layout);
    p->layout.width += 2 * MARGIN;
    p->layout.height += 2 * MARGIN;
    lay_graph_free(&g);
}

void back_picture_free(BackPicture *p)
{
    layout_free(&p->layout);
    vec_free(&p->froms);
    vec_free(&p->tos);
}

/* ---- painting ---- */

static void put_words(Canvas *c, const char *class, Point at, Color color, int style, const char *s)
{
    Words w = {.class = class, .at = at, .color = color, .letters = style};
    c->to->text(c, &w, &(TextRun){.text = *s ? s : " "}, 1);
}

static void open_group(Canvas *c, const char *class, char letter, int k, bool faint, bool live)
{
    char id[24], opacity[24];
    snprintf(id, sizeof id, "%c%d", letter, k);
    snprintf(opacity, sizeof opacity, "%.2f", FAINT);
    Attribute at[] = {
        {"class", class}, {"id", live ? id : NULL}, {"opacity", faint && !live ? opacity : NULL}};
    c->to->group(c, at, COUNT_OF(at), NULL);
}

static void draw_node(const BackPicture *p, Canvas *c, int k, BackMoment m)
{
    const Places *at = &p->layout.nodes.at[k];
    const BackNode *n = &p->of->nodes.at[k];
    double x = at->at[0] + MARGIN, y = at->at[1] + MARGIN, middle = x + at->at[2] / 2.0;
    bool there = k < m.nodes, now = m.edge < 0 ? k == m.nodes - 1 && !m.edges
                                               : k == p->froms.at[m.edge] || k == p->tos.at[m.edge];
    const Tensor *slope = backprop_cotangent(p->of, k, (size_t)m.edges);
    Text head = {0}, value = {0}, back = {0};
    put_head(p, k, &head);
    if (there && !m.live)
        play_put_value(n->value, p->digits, &value);
    if (slope && !m.live && (m.edges || m.edge >= 0))
        back_value("d ", n->name, slope, p->digits, &back);
    open_group(c, "node", 'n', k, !there, m.live);
    Look plate = {.class = "plate",
                  .fill = paper,
                  .line = now && !m.live ? blue : rule,
                  .width = now && !m.live ? 2.5 : 1,
                  .round = n->formula.len ? ROUND : 3 * ROUND};
    c->to->rect(c, &plate, x, y, at->at[2], at->at[3]);
    put_words(c, "name", (Point){middle, y + LINE}, ink, 0, text_str(&head));
    put_words(c, "value", (Point){middle, y + 2 * LINE}, green, 0, text_str(&value));
    put_words(c, "slope", (Point){middle, y + 3 * LINE}, red, 0, text_str(&back));
    c->to->end(c);
    text_free(&head);
    text_free(&value);
    text_free(&back);
}

static void draw_tip(Canvas *c, const Look *l, Point from, Point to)
{
    double dx = to.x - from.x, dy = to.y - from.y, d = dx * dx + dy * dy > 0 ? 1 : 0;
    Point side = d && (dx < 0 ? -dx : dx) > (dy < 0 ? -dy : dy) ? (Point){0, TIP} : (Point){TIP, 0};
    Point all[] = {to, {from.x + side.x, from.y + side.y}, {from.x - side.x, from.y - side.y}};
    Look tip = {.class = "tip", .fill = l->line};
    c->to->polygon(c, &tip, all, 3);
}

static void draw_line(const BackPicture *p, Canvas *c, int k, BackMoment m)
{
    const Places *at = &p->layout.edges.at[k];
    VEC(Point) points = {0};
    bool now = k == m.edge && !m.live, there = p->tos.at[k] < m.nodes;
    Look l = {.class = "line", .line = now ? red : rule, .width = now ? 2.5 : 1.2};
    for (size_t i = 0; i + 1 < at->len; i += 2)
        vec_push(&points, ((Point){at->at[i] + MARGIN, at->at[i + 1] + MARGIN}));
    open_group(c, "edge", 'e', k, !there, m.live);
    if (points.len > 2) {
        c->to->curve(c, &l, points.at, (int)points.len - 1);
        draw_tip(c, &l, points.at[points.len - 2], points.at[points.len - 1]);
    }
    c->to->end(c);
    vec_free(&points);
}

void back_picture_draw(const BackPicture *p, Canvas *c, BackMoment m)
{
    for (int k = 0; k < (int)p->froms.len; k++)
        draw_line(p, c, k, m);
    for (int k = 0; k < (int)p->of->nodes.len; k++)
        draw_node(p, c, k, m);
}
