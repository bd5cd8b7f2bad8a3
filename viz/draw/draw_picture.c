/* What of a scene is drawn, how big, and between what the edges run; and the
 * scene with its positions as JSON.
 *
 * Invariant: an edge that is drawn has two ends that are drawn. What stands in a
 * closed box is not drawn; edges to it end at the outermost closed box. */
#include "base/json.h"
#include "viz/draw/picture.h"

#include <math.h>

static const double state_sign = 9; /* half of the room for the sign of a state */

static bool is_pill(SceneRole r) { return r >= ROLE_INPUT && r <= ROLE_CAPTURE; }

static void size_node_item(Item *item, const Scene *s, const SceneNode *n)
{
    item->text = block_of_node(s, n);
    double pad_x = is_pill(n->role) ? 14 : 11, pad_y = 5.5;
    if (n->role == ROLE_SHARED || n->role == ROLE_OUTPUT || n->role == ROLE_SEQUENCE) {
        pad_x += 3;
        pad_y += 2.5;
    }
    if (n->mark != MARK_NONE)
        pad_x += 4;
    if (n->role == ROLE_STATE)
        pad_x += state_sign;
    item->w = fmax(item->text.w + 2 * pad_x, 38);
    item->h = fmax(item->text.h + 2 * pad_y, 28);
}

static void size_box_item(Item *item, const Scene *s, const SceneBox *b)
{
    item->text = block_of_box(s, b);
    if (b->closed) {
        item->w = item->text.w + 34;
        item->h = item->text.h + 18;
        return;
    }
    double beside = block_row_width(&item->text, true);
    item->w = tab_width(b, &item->text) + (beside > 0 ? beside + 8 : 0);
    item->h = TAB_HEIGHT;
}

/* A node or closed box as drawn, for what the scene calls node `k` or box `box`; 0 is an open box.
 */
static int end_code(const Scene *s, int k, int box)
{
    if (box) {
        int closed = scene_hidden_by(s, box);
        return closed ? -closed : 0;
    }
    int closed = scene_hidden_by(s, scene_node_at(s, k)->box);
    return closed ? -closed : k;
}

static void note_end(Picture *p, int code, int box)
{
    for (; box; box = scene_box_at(p->scene, box)->parent) {
        if (p->box_first[box - 1] == 0)
            p->box_first[box - 1] = code;
        p->box_last[box - 1] = code;
    }
}

static void init_items(Picture *p)
{
    const Scene *s = p->scene;
    for (size_t i = 0; i < s->boxes.len; i++) {
        const SceneBox *b = &s->boxes.at[i];
        p->boxes[i].drawn = scene_hidden_by(s, b->parent) == 0;
        size_box_item(&p->boxes[i], s, b);
    }
    for (size_t i = 0; i < s->nodes.len; i++) {
        const SceneNode *n = &s->nodes.at[i];
        p->nodes[i].drawn = scene_hidden_by(s, n->box) == 0;
        size_node_item(&p->nodes[i], s, n);
        if (p->nodes[i].drawn)
            note_end(p, (int)i + 1, n->box);
    }
    for (size_t i = 0; i < s->boxes.len; i++)
        if (p->boxes[i].drawn && s->boxes.at[i].closed)
            note_end(p, -(int)i - 1, s->boxes.at[i].parent);
    for (size_t i = 0; i < s->boxes.len; i++) /* dot drops empty clusters */
        p->boxes[i].top = p->boxes[i].drawn && !s->boxes.at[i].closed && p->box_first[i] == 0;
}

int home_of_code(const Scene *s, int code)
{
    return code > 0 ? scene_node_at(s, code)->box : scene_box_at(s, -code)->parent;
}

bool box_holds(const Scene *s, int box, int code)
{
    int at = code > 0 ? scene_node_at(s, code)->box : code < 0 ? scene_box_at(s, -code)->parent : 0;
    for (; at; at = scene_box_at(s, at)->parent)
        if (at == box)
            return true;
    return false;
}

bool runs_up(const Scene *s, int code)
{
    int at = code > 0 ? scene_node_at(s, code)->box : -code;
    for (; at; at = scene_box_at(s, at)->parent)
        if (scene_box_at(s, at)->kind == BOX_ADJOINT)
            return true;
    return false;
}

static bool same_text(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : "") == 0; }

/* Does an edge before edge i, also moved to a closed box, look just the same? */
static bool is_repeated(const Picture *p, size_t i)
{
    const SceneEdge *e = &p->scene->edges.at[i];
    for (size_t j = 0; j < i; j++) {
        const SceneEdge *o = &p->scene->edges.at[j];
        if (p->edges[j].drawn && p->from[j] == p->from[i] && p->to[j] == p->to[i] &&
            o->kind == e->kind && o->mark == e->mark && same_text(o->label, e->label) &&
            same_text(o->head, e->head))
            return true;
    }
    return false;
}

/* The second line of the node it starts at says the same: not written again along every edge. */
static bool told_by_source(const Scene *s, const SceneEdge *e, int from)
{
    return same_text(scene_node_at(s, from)->detail, e->label);
}

static Small end_text(const char *s)
{
    Small t = {0};
    if (s && *s) {
        t.text = text_elide(s, 14);
        t.w = text_width(FONT_SANS, SMALL_SIZE, t.text);
    }
    return t;
}

static void init_edge(Picture *p, size_t i)
{
    const Scene *s = p->scene;
    const SceneEdge *e = &s->edges.at[i];
    int from = e->from && !e->from_box ? end_code(s, e->from, 0) : end_code(s, 0, e->from_box);
    int to = e->to && !e->to_box ? end_code(s, e->to, 0) : end_code(s, 0, e->to_box);
    bool moved = from < 0 || to < 0;
    if (from == 0) /* the border of an open box: run from a node in it */
        from = e->from ? end_code(s, e->from, 0) : p->box_last[e->from_box - 1];
    if (to == 0)
        to = e->to ? end_code(s, e->to, 0) : p->box_first[e->to_box - 1];
    p->from[i] = from;
    p->to[i] = to;
    if (e->from_box && !scene_hidden_by(s, e->from_box) &&
        (from == 0 || box_holds(s, e->from_box, to))) {
        p->anchor_from[i] = e->from_box;
        p->boxes[e->from_box - 1].top = true;
    }
    if (e->to_box && !scene_hidden_by(s, e->to_box) && (to == 0 || box_holds(s, e->to_box, from))) {
        p->anchor_to[i] = e->to_box;
        p->boxes[e->to_box - 1].bottom = true;
        p->edges[i].at_border = to != 0;
    }
    if (e->kind == EDGE_LOOPBACK && to > 0 && scene_node_at(s, to)->box)
        p->boxes[scene_node_at(s, to)->box - 1].loops = true;
    p->edges[i].drawn = !(from == to && from < 0) && !(moved && is_repeated(p, i));
    if (!s->no_types && e->label && *e->label && !(from > 0 && told_by_source(s, e, from))) {
        Small *label = &p->edges[i].label;
        label->text = text_elide(e->label, 26);
        label->w = text_width(line_font(LINE_EDGE), line_size(LINE_EDGE), label->text);
        label->mono = true;
    }
    p->edges[i].head = end_text(e->head);
    p->edges[i].tail = end_text(e->tail);
}

void picture_init(Picture *p, const Scene *s, Effort effort)
{
    *p = (Picture){.scene = s, .effort = effort};
    p->nodes = xcalloc(s->nodes.len + 1, sizeof *p->nodes);
    p->boxes = xcalloc(s->boxes.len + 1, sizeof *p->boxes);
    p->edges = xcalloc(s->edges.len + 1, sizeof *p->edges);
    p->from = xcalloc(s->edges.len + 1, sizeof *p->from);
    p->to = xcalloc(s->edges.len + 1, sizeof *p->to);
    p->box_first = xcalloc(s->boxes.len + 1, sizeof *p->box_first);
    p->box_last = xcalloc(s->boxes.len + 1, sizeof *p->box_last);
    p->anchor_from = xcalloc(s->edges.len + 1, sizeof *p->anchor_from);
    p->anchor_to = xcalloc(s->edges.len + 1, sizeof *p->anchor_to);
    init_items(p);
    for (size_t i = 0; i < s->edges.len; i++)
        init_edge(p, i);
    ports_plan(p);
}

void picture_judge(Picture *p)
{
    enum { LARGE = 12000 };
    if (fmax(p->w, p->h) > LARGE)
        text_printf(
            &p->remark,
            "the drawing is large, %.0f x %.0f pixels; focus=%%K depth=2 draws what is near "
            "a node, inner=closed what is around loops",
            p->w, p->h);
}

void picture_free(Picture *p)
{
    for (size_t i = 0; i < p->scene->nodes.len; i++)
        block_free(&p->nodes[i].text);
    for (size_t i = 0; i < p->scene->boxes.len; i++)
        block_free(&p->boxes[i].text);
    for (size_t i = 0; i < p->scene->edges.len; i++) {
        free(p->edges[i].at);
        free(p->edges[i].label.text);
        free(p->edges[i].head.text);
        free(p->edges[i].tail.text);
    }
    for (size_t i = 0; i < p->ports.len; i++)
        free(p->ports.at[i].way);
    vec_free(&p->ports);
    free(p->port);
    free(p->nodes);
    free(p->boxes);
    free(p->edges);
    free(p->from);
    free(p->to);
    free(p->box_first);
    free(p->box_last);
    free(p->anchor_from);
    free(p->anchor_to);
    text_free(&p->remark);
}

/* ---- JSON ---- */

static void put_coordinate(Json *j, double x)
{
    Text t = {0};
    text_printf(&t, "%.1f", x == 0 ? 0 : x);
    json_raw(j, text_str(&t));
    text_free(&t);
}

static void put_items(Json *j, const char *key, const Item *items, size_t n)
{
    json_key(j, key);
    json_begin(j, '[');
    for (size_t i = 0; i < n; i++) {
        if (!items[i].drawn) {
            json_null(j);
            continue;
        }
        json_begin(j, '[');
        put_coordinate(j, items[i].x);
        put_coordinate(j, items[i].y);
        put_coordinate(j, items[i].w);
        put_coordinate(j, items[i].h);
        json_end(j, ']');
    }
    json_end(j, ']');
}

static void put_route(Json *j, const Route *r)
{
    json_begin(j, '[');
    for (int i = 0; i < r->n; i++) {
        put_coordinate(j, r->at[i].x);
        put_coordinate(j, r->at[i].y);
    }
    if (r->has_tip) {
        put_coordinate(j, r->tip.x);
        put_coordinate(j, r->tip.y);
    }
    json_end(j, ']');
}

bool draw_json(Picture *p, Text *out, Text *error)
{
    if (!picture_layout(p, error))
        return false;
    Text t = {0};
    scene_json(&t, p->scene);
    text_putn(out, text_str(&t), t.len - 1); /* without the last bracket */
    text_free(&t);
    Json j = {.out = out, .comma = true};
    json_key(&j, "layout");
    json_begin(&j, '{');
    json_key(&j, "width");
    put_coordinate(&j, p->w);
    json_key(&j, "height");
    put_coordinate(&j, p->h);
    put_items(&j, "nodes", p->nodes, p->scene->nodes.len);
    put_items(&j, "boxes", p->boxes, p->scene->boxes.len);
    json_key(&j, "edges");
    json_begin(&j, '[');
    for (size_t i = 0; i < p->scene->edges.len; i++) {
        if (p->edges[i].drawn)
            put_route(&j, &p->edges[i]);
        else
            json_null(&j);
    }
    json_end(&j, ']');
    json_end(&j, '}');
    text_putc(out, '}');
    return true;
}
