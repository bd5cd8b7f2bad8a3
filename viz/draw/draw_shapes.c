/* Nodes and boxes of a picture on the canvas.
 *
 * Invariant: every element is a group with an id, classes for operator, role and
 * mark, and a title; text stays text. */
#include "viz/draw/paint.h"

#include <math.h>

void paint_badge(Pen *v, SceneMark m, double x, double y)
{
    if (m == MARK_NONE)
        return;
    Look look = {.class = "badge", .fill = mark_color(m), .line = ink_color(INK_PAPER)};
    Words w = {.class = "glyph",
               .at = {x, y + 4.6},
               .color = ink_color(INK_PAPER),
               .letters = LETTERS_BADGE};
    v->c.to->dot(&v->c, &look, (Point){x, y}, 7);
    v->c.to->text(&v->c, &w, &(TextRun){.text = mark_glyph(m)}, 1);
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

static TextRun run_of(const Line *l)
{
    bool muted = l->kind == LINE_ID || l->kind == LINE_DETAIL || l->kind == LINE_MORE;
    return (TextRun){.text = l->text,
                     .letters = (int)l->kind,
                     .color = ink_color(muted ? INK_MUTED : INK_TEXT),
                     .class = muted ? "muted" : NULL,
                     .width = l->width};
}

/* Lines one below the other; what shares a row is side by side in it. `plain`: no letters are
 * muted, which could not be read on a shade. */
static void put_block(Pen *v, const Block *b, double cx, double top, bool plain)
{
    double y = top;
    for (int i = 0; i < b->n;) {
        TextRun runs[MAX_LINES];
        LineKind kind = b->at[i].kind;
        double h = line_height(kind == LINE_ID ? LINE_DETAIL : kind);
        int n = 0;
        do {
            runs[n] = run_of(&b->at[i++]);
            if (plain)
                runs[n].color = ink_color(INK_TEXT), runs[n].class = NULL;
            n++;
        } while (i < b->n && b->at[i].kind == LINE_ID);
        Words w = {.at = {cx, y + h * 0.76}, .color = ink_color(INK_TEXT), .letters = -1};
        v->c.to->row(&v->c, &w, runs, n, BESIDE_GAP);
        y += h;
    }
}

/* ---- nodes ---- */

static void put_tip_line(Text *t, const char *before, const char *s)
{
    if (s && *s)
        text_printf(t, "%s%s", before, s);
}

static void open_node(Pen *v, int k)
{
    const SceneNode *n = scene_node_at(v->p->scene, k);
    Text t = {0}, class = {0};
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
    if (n->shade)
        text_printf(&class, "node shade%d", n->shade);
    else
        text_printf(&class, "node op-%s", scene_class_words[class_of_fill(n->cls)]);
    text_printf(&class, " role-%s mark-%s", scene_role_words[n->role], scene_mark_words[n->mark]);
    Attribute at[] = {{"class", text_str(&class)},
                      {"id", v->node_id[k - 1]},
                      {"data-op", n->op},
                      {"data-key", n->key}};
    v->c.to->group(&v->c, at, COUNT_OF(at), text_str(&t));
    text_free(&t);
    text_free(&class);
}

/* Around what is in focus, and around what is highlighted. */
static void put_rings(Pen *v, const Item *i, double r, bool focus, bool lit)
{
    Look ring = {.class = "lit", .line = ink_color(INK_LIT), .width = 3.2, .round = r + 6.5};
    if (lit)
        v->c.to->rect(&v->c, &ring, i->x - 6.5, i->y - 6.5, i->w + 13, i->h + 13);
    ring = (Look){.class = "focus",
                  .line = ink_color(INK_TEXT),
                  .width = 1.6,
                  .dash = "3 2.5",
                  .round = r + 4.5};
    if (focus)
        v->c.to->rect(&v->c, &ring, i->x - 4.5, i->y - 4.5, i->w + 9, i->h + 9);
}

/* Sequences are a stack of two cards; shared variables and outputs have a double rim. */
static void put_shape(Pen *v, const Item *i, Look look, SceneRole role, SceneMark mark)
{
    look.class = "shape";
    look.line = mark ? mark_color(mark) : role == ROLE_STATE ? edge_color(EDGE_STATE) : look.line;
    look.dash = role_dash(role, mark);
    look.width = role_width(role, mark);
    if (role == ROLE_SEQUENCE) {
        Look below = look;
        below.number = 0;
        v->c.to->rect(&v->c, &below, i->x + 3.5, i->y + 3.5, i->w, i->h);
    }
    look.clear = mark == MARK_REMOVED ? 0.55 : 0;
    v->c.to->rect(&v->c, &look, i->x, i->y, i->w, i->h);
    if (role != ROLE_SHARED && role != ROLE_OUTPUT)
        return;
    look.class = "shape rim";
    look.clear = 1;
    look.width = 1.1;
    look.round = fmax(look.round - 3, 0);
    look.number = 0;
    v->c.to->rect(&v->c, &look, i->x + 3, i->y + 3, i->w - 6, i->h - 6);
}

void paint_node(Pen *v, int k)
{
    const SceneNode *n = scene_node_at(v->p->scene, k);
    const Item *i = &v->p->nodes[k - 1];
    bool pill = n->role >= ROLE_INPUT && n->role <= ROLE_CAPTURE, state = n->role == ROLE_STATE;
    Look look = node_look(n);
    look.round = pill ? fmin(i->h / 2, 16) : 6;
    look.kind = 'n', look.number = n->id;
    if (n->link)
        v->c.to->link(&v->c, n->link);
    open_node(v, k);
    put_rings(v, i, look.round, n->focus, n->lit);
    put_shape(v, i, look, n->role, n->mark);
    put_block(v, &i->text, i->x + i->w / 2 + (state ? 8 : 0), i->y + (i->h - i->text.h) / 2,
              n->shade > 0);
    if (state) /* what the loop carries to its next step */
        v->c.to->glyph(&v->c,
                       &(Look){.line = n->mark ? mark_color(n->mark) : edge_color(EDGE_STATE)},
                       GLYPH_CYCLE, (Point){i->x + 17, i->y + i->h / 2});
    paint_badge(v, n->mark, i->x + 1, i->y + 1);
    v->c.to->end(&v->c);
    if (n->link)
        v->c.to->end(&v->c);
}

/* ---- boxes ---- */

/* `tab`: it names the frame that it belongs to, and has no id of its own. */
static void open_box(Pen *v, int k, const char *class, bool tab)
{
    const SceneBox *b = scene_box_at(v->p->scene, k);
    Text t = {0}, classes = {0};
    text_put(&t, b->title && *b->title ? b->title : scene_box_words[b->kind]);
    put_tip_line(&t, "\n", b->subtitle);
    put_tip_line(&t, "\n", b->tooltip);
    if (b->repeat > 1)
        text_printf(&t, "\nthe same body %d times", b->repeat);
    if (b->mark != MARK_NONE)
        text_printf(&t, "\n(%s)", scene_mark_words[b->mark]);
    text_printf(&classes, "%s mark-%s", class, scene_mark_words[b->mark]);
    Attribute at[] = {{"class", text_str(&classes)},
                      {"id", tab ? NULL : v->box_id[k - 1]},
                      {"data-key", tab ? NULL : b->key},
                      {"data-owner", !tab && b->owner ? v->node_id[b->owner - 1] : NULL},
                      {"data-parent", !tab && b->parent ? v->box_id[b->parent - 1] : NULL},
                      {"data-box", tab ? v->box_id[k - 1] : NULL}};
    v->c.to->group(&v->c, at, COUNT_OF(at), text_str(&t));
    text_free(&t);
    text_free(&classes);
}

static void open_kind(Pen *v, int k, const char *word, bool tab)
{
    Text class = {0};
    text_printf(&class, "%s kind-%s", word, scene_box_words[scene_box_at(v->p->scene, k)->kind]);
    open_box(v, k, text_str(&class), tab);
    text_free(&class);
}

void paint_frame(Pen *v, int k)
{
    const SceneBox *b = scene_box_at(v->p->scene, k);
    const Item *i = &v->p->boxes[k - 1];
    Look look = box_look(b->kind);
    look.class = "frame";
    look.line = b->mark ? mark_color(b->mark) : look.line;
    look.width = b->mark ? 2.6 : 1.3;
    look.dash = box_dash(b->kind, b->mark);
    look.round = 10;
    look.kind = 'b', look.number = b->owner_id;
    open_kind(v, k, "box", false);
    put_rings(v, i, 10, b->focus, b->lit);
    v->c.to->rect(&v->c, &look, i->x, i->y, i->w, i->h);
    v->c.to->end(&v->c);
}

static void put_closed_box(Pen *v, int k)
{
    const SceneBox *b = scene_box_at(v->p->scene, k);
    const Item *i = &v->p->boxes[k - 1];
    Look look = class_look(CLS_CONTROL);
    look.class = "shape";
    look.width = 1.1;
    look.round = 6;
    open_box(v, k, "node closed op-control", false);
    put_rings(v, i, 6, b->focus, b->lit);
    v->c.to->rect(&v->c, &look, i->x + 4, i->y + 4, i->w, i->h);
    look.kind = 'b', look.number = b->owner_id;
    put_shape(v, i, look, ROLE_NONE, b->mark);
    put_block(v, &i->text, i->x + i->w / 2, i->y + (i->h - i->text.h) / 2, false);
    paint_badge(v, b->mark, i->x + 1, i->y + 1);
    v->c.to->end(&v->c);
}

/* What stands on the plate of a box, and beside it. */
static void put_tab_texts(Pen *v, const SceneBox *b, const Item *i, double w)
{
    double left = i->x + i->tab_x, x = left + TAB_PAD + (b->mark ? 16 : 0), y = i->y + 15.2;
    bool last = i->tab_x > 1 && i->tab_x + w > i->w - 1;
    for (int j = 0; j < i->text.n; j++) {
        const Line *l = &i->text.at[j];
        TextRun run = run_of(l);
        Words words = {.class = "glyph",
                       .at = {x, y},
                       .side = -1,
                       .color = ink_color(INK_PAPER),
                       .letters = -1};
        if (l->kind == LINE_MORE) {
            words = (Words){.class = "beside",
                            .at = {last ? left - 8 : left + w + 8, y},
                            .side = last ? 1 : -1,
                            .color = ink_color(INK_TEXT),
                            .letters = -1,
                            .halo = box_look(b->kind).fill,
                            .rim = 4};
        } else {
            run.color = ink_color(INK_PAPER);
            run.class = NULL;
            x += l->width + 7;
        }
        v->c.to->text(&v->c, &words, &run, 1);
    }
}

void paint_tab(Pen *v, int k)
{
    const SceneBox *b = scene_box_at(v->p->scene, k);
    const Item *i = &v->p->boxes[k - 1];
    if (b->closed) {
        put_closed_box(v, k);
        return;
    }
    double w = tab_width(b, &i->text);
    open_kind(v, k, "tab", true);
    v->c.to->plate(&v->c, &(Look){.class = "plate", .fill = box_look(b->kind).line},
                   i->x + i->tab_x, i->y, w, i->tab_x<1, i->tab_x + w> i->w - 1);
    put_tab_texts(v, b, i, w);
    paint_badge(v, b->mark, i->x + i->tab_x + TAB_PAD + 4, i->y + 10.5);
    v->c.to->end(&v->c);
}
