/* Scenes as text: the places are those of the layout of the page's pictures, in letters.
 *
 * Invariant: each piece of an edge is drawn in the box that it runs through. */
#include "viz/boxes/boxes.h"
#include "viz/boxes/sheet.h"
#include "viz/page/lay_levels.h"

typedef struct {
    const Scene *scene;
    Arena arena;
    LayGraph graph;
    Levels levels;
    Sheet canvas;
} Boxes;

/* ---- what stands where ---- */

static const char *keep_text(Boxes *b, Text *t)
{
    const char *s = arena_strndup(&b->arena, text_str(t), strlen(text_str(t)));
    text_free(t);
    return s;
}

/* Does a label speak of node %id? */
static bool is_mentioned(const Scene *s, i64 id)
{
    char name[32];
    size_t n = (size_t)snprintf(name, sizeof name, "%%%lld", (long long)id);
    for (size_t i = 0; i < s->nodes.len; i++)
        for (const char *at = scene_node_name(&s->nodes.at[i]); (at = strstr(at, name)); at += n)
            if (at[n] < '0' || at[n] > '9')
                return true;
    return false;
}

/* An input says its type, a state what it begins with, what others speak of its number. */
static const char *label_of(Boxes *b, const SceneNode *n)
{
    Text t = {0};
    if (n->id > 0 && is_mentioned(b->scene, n->id))
        text_printf(&t, "%%%lld = ", (long long)n->id);
    text_put(&t, scene_node_name(n));
    if ((n->role == ROLE_INPUT || n->role == ROLE_SHARED) && n->detail)
        text_printf(&t, " : %s", n->detail);
    if (n->value)
        text_printf(&t, " = %s", n->value);
    return keep_text(b, &t);
}

static const char *title_of(Boxes *b, const SceneBox *box)
{
    Text t = {0};
    text_put(&t, box->title ? box->title : "");
    if (box->subtitle)
        text_printf(&t, ", %s", box->subtitle);
    if (box->repeat > 1)
        text_printf(&t, " x%d", box->repeat);
    return keep_text(b, &t);
}

static int odd(int n) { return n + (n % 2 == 0); }

/* How wide a box of text is, that so many edges enter. */
static int room_for(const char *label, int entries)
{
    int text = text_columns(label) + 4, ways = 2 * entries + 3;
    return odd(text > ways ? text : ways);
}

static int *count_entries(const Scene *s)
{
    int *count = xcalloc(s->nodes.len + s->boxes.len + 1, sizeof *count);
    for (int k = 1; k <= (int)s->edges.len; k++) {
        const SceneEdge *e = scene_edge_at(s, k);
        count[e->to_box ? (int)s->nodes.len + e->to_box - 1 : e->to - 1]++;
    }
    return count;
}

/* Words at the border of a box: which of its results leaves there. */
static const char *result_of(const SceneEdge *e)
{
    return e->kind == EDGE_UNTIL ? "until" : e->tail && *e->tail ? e->tail : NULL;
}

/* From 1, the same for the same word. */
static int result_number(const Scene *s, int edge)
{
    const char *word = result_of(scene_edge_at(s, edge));
    for (int k = 1; word && k < edge; k++) {
        const char *other = result_of(scene_edge_at(s, k));
        if (other && strcmp(other, word) == 0)
            return result_number(s, k);
    }
    return word ? edge : 0;
}

static void fill_graph(Boxes *b)
{
    const Scene *s = b->scene;
    int *entries = count_entries(s);
    b->graph.letters = true;
    for (int k = 1; k <= (int)s->boxes.len; k++) {
        const SceneBox *box = scene_box_at(s, k);
        int room = room_for(title_of(b, box), entries[(int)s->nodes.len + k - 1]);
        bool hidden = scene_hidden_by(s, box->parent) != 0;
        vec_push(&b->graph.boxes, ((LayBox){.box = box->parent,
                                            .w = room,
                                            .h = box->closed && !hidden ? 3 : 0,
                                            .title = odd(text_columns(title_of(b, box)) + 2)}));
    }
    for (int k = 1; k <= (int)s->nodes.len; k++) {
        const SceneNode *n = scene_node_at(s, k);
        bool head = n->box && n->role >= ROLE_PARAM && n->role <= ROLE_CAPTURE;
        vec_push(&b->graph.nodes, ((LayNode){.box = n->box,
                                             .w = room_for(label_of(b, n), entries[k - 1]),
                                             .h = 3,
                                             .head = head}));
    }
    for (int k = 1; k <= (int)s->edges.len; k++) {
        const SceneEdge *e = scene_edge_at(s, k);
        const char *word = result_of(e);
        LayKind kind = e->kind == EDGE_LOOPBACK  ? LAY_BACK
                       : e->kind == EDGE_ADJOINT ? LAY_LOOSE
                                                 : LAY_FLOW;
        vec_push(&b->graph.edges, ((LayEdge){.from = e->from,
                                             .to = e->to,
                                             .from_box = e->from_box,
                                             .to_box = e->to_box,
                                             .weight = e->kind == EDGE_STATE ? 3 : 1,
                                             .kind = kind,
                                             .result = result_number(s, k),
                                             .room = word ? 2 * text_columns(word) + 3 : 0}));
    }
    free(entries);
}

/* ---- drawing ---- */

static void draw_label(Boxes *b, const Places *at, const char *label, Border border)
{
    int x = at->at[0], y = at->at[1], w = at->at[2], h = at->at[3];
    sheet_border(&b->canvas, x, y, w, h, border);
    sheet_text(&b->canvas, x + (w - text_columns(label)) / 2, y + h / 2, label);
}

static Border border_of(const SceneNode *n)
{
    return n->role == ROLE_OUTPUT                             ? BORDER_STRONG
           : n->role >= ROLE_INPUT && n->role <= ROLE_CAPTURE ? BORDER_ROUND
                                                              : BORDER_PLAIN;
}

static void draw_shapes(Boxes *b, const Layout *places)
{
    const Scene *s = b->scene;
    for (int k = 1; k <= (int)s->boxes.len; k++) {
        const SceneBox *box = scene_box_at(s, k);
        const Places *at = &places->boxes.at[k - 1];
        const Level *l = &b->levels.levels[k];
        if (b->graph.boxes.at[k - 1].h) {
            draw_label(b, at, title_of(b, box), BORDER_FRAME);
            continue;
        }
        sheet_border(&b->canvas, at->at[0], at->at[1], at->at[2], at->at[3], BORDER_FRAME);
        const Cell *title = &l->grid.cells.at[l->title];
        Text t = {0};
        text_printf(&t, " %s ", title_of(b, box));
        sheet_text(&b->canvas, l->x + (int)title->x - title->w / 2, at->at[1], text_str(&t));
        text_free(&t);
    }
    for (int k = 1; k <= (int)s->nodes.len; k++) {
        const SceneNode *n = scene_node_at(s, k);
        draw_label(b, &places->nodes.at[k - 1], label_of(b, n), border_of(n));
    }
}

/* Where a way back runs to the side: the line below or above all that the box holds. */
static int lane_y(const Level *l, const Loop *loop, bool below)
{
    return below ? l->grid.height + loop->lane : -1 - loop->lane;
}

static const Loop *loop_at(const Level *l, int port)
{
    for (size_t i = 0; i < l->loops.len; i++)
        if (l->loops.at[i].head == port || l->loops.at[i].tail == port)
            return &l->loops.at[i];
    return NULL;
}

/* The lines where a piece leaves its upper and enters its lower cell. */
static int leaves_at(const Level *l, int c)
{
    const Cell *cell = &l->grid.cells.at[c];
    const Loop *loop = loop_at(l, c);
    if (loop)
        return lane_y(l, loop, false);
    return cell->pin == PIN_TOP ? -l->top
           : cell->bend         ? l->grid.row_y[cell->row]
                                : cell->y + cell->h - 1;
}

static int enters_at(const Level *l, int c)
{
    const Cell *cell = &l->grid.cells.at[c];
    const Loop *loop = loop_at(l, c);
    if (loop)
        return lane_y(l, loop, true);
    return cell->pin == PIN_BOTTOM ? l->h - l->top - 1
           : cell->bend            ? l->grid.row_y[cell->row]
                                   : cell->y;
}

static u64 value_of(int level, const Link *l)
{
    return (u64)level << 42 | (u64)(u32)l->from << 21 | (u64)(u32)(l->from_port + 1);
}

static void draw_pieces(Boxes *b, int level)
{
    const Level *l = &b->levels.levels[level];
    const Grid *g = &l->grid;
    for (size_t i = 0; i < g->pieces.len; i++) {
        const Piece *p = &g->pieces.at[i];
        int x1 = l->x + piece_x1(g, p), x2 = l->x + piece_x2(g, p), row = g->cells.at[p->up].row;
        int side = l->y + g->row_y[row] + g->row_h[row] + p->track;
        Point way[4] = {{x1, l->y + leaves_at(l, p->up)},
                        {x1, side},
                        {x2, side},
                        {x2, l->y + enters_at(l, p->down)}};
        bool straight = x1 == x2;
        bool back = loop_at(l, p->up) || loop_at(l, p->down);
        if (straight)
            way[1] = way[3];
        sheet_way(&b->canvas, way, straight ? 2 : 4, value_of(level, &g->links.at[p->link]), back);
    }
    for (size_t i = 0; i < l->loops.len; i++) {
        const Loop *loop = &l->loops.at[i];
        int right = l->x + g->width + 2 * loop->lane + 1;
        int below = l->y + lane_y(l, loop, true), above = l->y + lane_y(l, loop, false);
        Point way[4] = {{l->x + (int)g->cells.at[loop->tail].x, below},
                        {right, below},
                        {right, above},
                        {l->x + (int)g->cells.at[loop->head].x, above}};
        sheet_way(&b->canvas, way, 4, (u64)level << 42 | (u64)(u32)loop->head << 21, true);
    }
}

/* The number of an operand, else an arrow. */
static void draw_tip(Boxes *b, int x, int y, int edge)
{
    const char *head = scene_edge_at(b->scene, edge)->head;
    if (head && head[0] > ' ' && !head[1])
        sheet_sign(&b->canvas, x, y, head, 1);
    else
        sheet_arrow(&b->canvas, x, y);
}

/* Where an edge ends: at a node or box that has no room inside. */
static void draw_tips(Boxes *b)
{
    const Levels *v = &b->levels;
    for (int k = 1; k <= (int)b->graph.edges.len; k++) {
        const Route *r = &v->routes[k - 1];
        if (!r->parts.len)
            continue;
        const RoutePart *part = &r->parts.at[r->parts.len - 1];
        const Level *l = &v->levels[part->box];
        const Link *link = &l->grid.links.at[part->link];
        const Cell *to = &l->grid.cells.at[link->to];
        if (to->pin != PIN_BOTTOM)
            draw_tip(b, l->x + (int)(to->x + link->to_dx), l->y + to->y, k);
    }
}

static void draw_results(Boxes *b)
{
    for (size_t level = 1; level <= b->graph.boxes.len; level++) {
        const Level *l = &b->levels.levels[level];
        for (size_t i = 0; i < l->names.len; i++) {
            const Cell *port = &l->grid.cells.at[l->names.at[i].cell];
            sheet_text(&b->canvas, l->x + (int)port->x + 1, l->y + l->h - l->top - 1,
                       result_of(scene_edge_at(b->scene, l->names.at[i].edge)));
        }
    }
}

/* ---- all ---- */

static void draw(Boxes *b, Text *out, bool ascii)
{
    Layout places = {0};
    levels_put(&b->levels, &places);
    sheet_init(&b->canvas, places.width, places.height, ascii);
    for (int level = 0; level <= (int)b->graph.boxes.len; level++)
        draw_pieces(b, level);
    draw_shapes(b, &places);
    draw_tips(b);
    draw_results(b);
    sheet_print(&b->canvas, out);
    sheet_free(&b->canvas);
    layout_free(&places);
}

BoxesFit boxes_print(Text *out, const Scene *s, int width, bool ascii, int *columns)
{
    *columns = 0;
    if (s->nodes.len > BOXES_MOST_NODES)
        return BOXES_MANY;
    Boxes b = {.scene = s};
    fill_graph(&b);
    levels_lay(&b.levels, &b.graph);
    *columns = b.levels.levels[0].grid.width;
    bool fits = *columns <= width;
    if (fits)
        draw(&b, out, ascii);
    levels_free(&b.levels);
    lay_graph_free(&b.graph);
    arena_free(&b.arena);
    return fits ? BOXES_FIT : BOXES_WIDE;
}
