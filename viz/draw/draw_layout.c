/* Graphviz at work: positions from dot, PNG from its own renderer, DOT text.
 *
 * Invariant: positions are read from the laid out graph, never parsed from
 * rendered text; Graphviz's own messages are collected, not printed. */
#include "viz/draw/draw_view.h"

#include <graphviz/gvc.h>
#include <math.h>

/* ---- reading positions ---- */

typedef struct {
    double top; /* y of the upper edge in Graphviz's upward coordinates */
} Flip;

static Point flip(const Flip *f, pointf q) { return (Point){q.x, f->top - q.y}; }

static void read_node(const Flip *f, Item *item, Agraph_t *g, char letter, int k)
{
    char name[32];
    snprintf(name, sizeof name, "%c%d", letter, k);
    Agnode_t *v = agnode(g, name, 0);
    if (!v)
        die("node %s is not in the layout", name);
    Point c = flip(f, ND_coord(v));
    item->x = c.x - item->w / 2;
    item->y = c.y - item->h / 2;
}

static void read_cluster(const Flip *f, Picture *p, Agraph_t *sub)
{
    int k = 0;
    if (sscanf(agnameof(sub), "cluster_%d", &k) == 1 && k >= 1 &&
        (size_t)k <= p->scene->boxes.len) {
        boxf b = GD_bb(sub);
        Item *item = &p->boxes[k - 1];
        Point corner = flip(f, (pointf){b.LL.x, b.UR.y});
        item->x = corner.x;
        item->y = corner.y;
        item->w = b.UR.x - b.LL.x;
        item->h = b.UR.y - b.LL.y;
    }
    for (Agraph_t *s = agfstsubg(sub); s; s = agnxtsubg(s))
        read_cluster(f, p, s);
}

static Point centre_of(const Picture *p, int code)
{
    const Item *i = item_at(p, code);
    return (Point){i->x + i->w / 2, i->y + i->h / 2};
}

/* From the centre of `i` towards `to`, as far as its border. */
static Point border_point(const Item *i, Point to)
{
    Point c = {i->x + i->w / 2, i->y + i->h / 2};
    double dx = to.x - c.x, dy = to.y - c.y;
    double sx = fabs(dx) > 0.01 ? i->w / 2 / fabs(dx) : 1e9,
           sy = fabs(dy) > 0.01 ? i->h / 2 / fabs(dy) : 1e9;
    double share = fmin(fmin(sx, sy), 1);
    return (Point){c.x + dx * share, c.y + dy * share};
}

/* An edge that dot lost or was not given: a straight line. */
static void straight(const Picture *p, int k)
{
    Route *r = &p->edges[k - 1];
    int from = p->from[k - 1], to = p->to[k - 1];
    if (from == 0 || to == 0) {
        r->drawn = false;
        return;
    }
    r->n = 2;
    r->at = xcalloc(2, sizeof *r->at);
    r->at[0] = border_point(item_at(p, from), centre_of(p, to));
    r->tip = border_point(item_at(p, to), centre_of(p, from));
    double dx = r->tip.x - r->at[0].x, dy = r->tip.y - r->at[0].y, len = fmax(hypot(dx, dy), 0.1);
    r->has_tip = true;
    r->at[1] = (Point){r->tip.x - 7 * dx / len, r->tip.y - 7 * dy / len};
}

static void read_way(const Flip *f, Picture *p, Agedge_t *e)
{
    int k = 0;
    const splines *s = ED_spl(e);
    if (sscanf(agnameof(e), "s%d", &k) != 1 || !s || s->size == 0)
        return;
    Port *q = &p->ports.at[k - 1];
    const bezier *b = &s->list[0];
    bool back = runs_up(p->scene, q->from);
    q->n = b->size;
    q->way = xcalloc((size_t)b->size, sizeof *q->way);
    for (int i = 0; i < b->size; i++)
        q->way[i] = flip(f, b->list[back ? b->size - 1 - i : i]);
}

static void read_edge(const Flip *f, Picture *p, Agedge_t *e)
{
    int k = 0;
    if (!agnameof(e) || sscanf(agnameof(e), "e%d", &k) != 1 || k < 1 ||
        (size_t)k > p->scene->edges.len)
        return;
    Route *r = &p->edges[k - 1];
    splines *s = ED_spl(e);
    if (!s || s->size == 0)
        return;
    const bezier *b = &s->list[0];
    r->n = b->size;
    r->at = xcalloc((size_t)b->size, sizeof *r->at);
    const char *dir = agget(e, (char *)(uintptr_t) "dir");
    bool back = dir && strcmp(dir, "back") == 0;
    for (int i = 0; i < b->size; i++)
        r->at[i] = flip(f, b->list[back ? b->size - 1 - i : i]);
    r->has_tip = back ? b->sflag != 0 : b->eflag != 0;
    if (r->has_tip)
        r->tip = flip(f, back ? b->sp : b->ep);
}

static void read_positions(Picture *p, Agraph_t *g)
{
    Flip f = {GD_bb(g).UR.y};
    const Scene *s = p->scene;
    for (size_t i = 0; i < s->boxes.len; i++)
        if (p->boxes[i].drawn && s->boxes.at[i].closed)
            read_node(&f, &p->boxes[i], g, 'c', (int)i + 1);
    for (size_t i = 0; i < s->nodes.len; i++)
        if (p->nodes[i].drawn)
            read_node(&f, &p->nodes[i], g, 'n', (int)i + 1);
    read_cluster(&f, p, g);
    for (Agnode_t *v = agfstnode(g); v; v = agnxtnode(g, v))
        for (Agedge_t *e = agfstout(g, v); e; e = agnxtout(g, e))
            agnameof(e) && *agnameof(e) == 's' ? read_way(&f, p, e) : read_edge(&f, p, e);
}

/* ---- the extent ---- */

typedef struct {
    double x0, y0, x1, y1;
} Extent;

static void cover(Extent *e, double x0, double y0, double x1, double y1)
{
    e->x0 = fmin(e->x0, x0);
    e->y0 = fmin(e->y0, y0);
    e->x1 = fmax(e->x1, x1);
    e->y1 = fmax(e->y1, y1);
}

static void cover_small(Extent *e, const Small *s)
{
    if (s->shown)
        cover(e, s->at.x - s->w / 2, s->at.y - 8, s->at.x + s->w / 2, s->at.y + 8);
}

static void cover_route(Extent *e, const Route *r)
{
    for (int i = 0; i < r->n; i++)
        cover(e, r->at[i].x - 4, r->at[i].y, r->at[i].x + 4, r->at[i].y);
    cover_small(e, &r->label);
    cover_small(e, &r->head);
    cover_small(e, &r->tail);
}

static void shift_items(Item *items, size_t n, double dx, double dy)
{
    for (size_t i = 0; i < n; i++) {
        items[i].x += items[i].drawn ? dx : 0;
        items[i].y += items[i].drawn ? dy : 0;
    }
}

void picture_shift(Picture *p, double dx, double dy)
{
    shift_items(p->nodes, p->scene->nodes.len, dx, dy);
    shift_items(p->boxes, p->scene->boxes.len, dx, dy);
    for (size_t k = 0; k < p->scene->edges.len; k++) {
        Route *r = &p->edges[k];
        if (!r->drawn)
            continue;
        for (int i = 0; i < r->n; i++)
            r->at[i] = (Point){r->at[i].x + dx, r->at[i].y + dy};
        r->tip = (Point){r->tip.x + dx, r->tip.y + dy};
        Point *more[] = {&r->label.at, &r->head.at, &r->tail.at, &r->badge};
        for (size_t i = 0; i < COUNT_OF(more); i++)
            *more[i] = (Point){more[i]->x + dx, more[i]->y + dy};
    }
}

/* Moves everything so that the drawing starts at (PICTURE_MARGIN, PICTURE_MARGIN). */
static void settle(Picture *p)
{
    Extent e = {1e30, 1e30, -1e30, -1e30};
    for (size_t i = 0; i < p->scene->nodes.len; i++) {
        const Item *n = &p->nodes[i];
        if (n->drawn)
            cover(&e, n->x - 3, n->y - 4, n->x + n->w + 3, n->y + n->h + 3);
    }
    for (size_t i = 0; i < p->scene->boxes.len; i++)
        if (p->boxes[i].drawn)
            cover(&e, p->boxes[i].x, p->boxes[i].y, p->boxes[i].x + p->boxes[i].w,
                  p->boxes[i].y + p->boxes[i].h);
    for (size_t i = 0; i < p->scene->edges.len; i++)
        if (p->edges[i].drawn)
            cover_route(&e, &p->edges[i]);
    if (e.x0 > e.x1)
        e = (Extent){0, 0, 120, 20};
    picture_shift(p, PICTURE_MARGIN - e.x0, PICTURE_MARGIN - e.y0);
    p->w = e.x1 - e.x0 + 2 * PICTURE_MARGIN;
    p->h = e.y1 - e.y0 + 2 * PICTURE_MARGIN;
}

/* ---- entry points ---- */

static void finish(Picture *p)
{
    lanes_route(p);
    for (size_t i = 0; i < p->scene->edges.len; i++)
        if (p->edges[i].drawn && p->edges[i].n == 0)
            straight(p, (int)i + 1);
    routes_refine(p);
    labels_place(p);
    settle(p);
}

static int ignore_message(char *message)
{
    (void)message;
    return 0;
}

/* A context and a laid out graph, or NULL. Neither is ever freed: dot crashes when it frees the
 * layout of some graphs that it laid out well, and this process ends with the picture anyway. */
static GVC_t *lay_out(Agraph_t *g, Text *error)
{
    agseterrf(ignore_message);
    GVC_t *gvc = gvContext();
    if (!gvc) {
        text_put(error, "Graphviz cannot be started");
        return NULL;
    }
    if (gvLayout(gvc, g, "dot") != 0) {
        const char *why = aglasterr();
        text_printf(error, "Graphviz refuses the layout: %s", why ? why : "no reason given");
        return NULL;
    }
    return gvc;
}

/* dot can end with a box inside out if its search is cut short. */
static bool boxes_are_sound(const Picture *p, Text *error)
{
    for (size_t i = 0; i < p->scene->boxes.len; i++)
        if (p->boxes[i].drawn && (p->boxes[i].w <= 0 || p->boxes[i].h <= 0)) {
            text_put(error, "Graphviz laid a box out without an inside");
            return false;
        }
    return true;
}

static void read_ranks(const Picture *p, Agraph_t *g, int *row)
{
    size_t nodes = p->scene->nodes.len, all = nodes + p->scene->boxes.len;
    for (size_t i = 0; i < all; i++) {
        char name[32];
        bool node = i < nodes;
        snprintf(name, sizeof name, "%c%zu", node ? 'n' : 'c', node ? i + 1 : i - nodes + 1);
        Agnode_t *v = agnode(g, name, 0);
        if (v)
            row[i] = ND_rank(v);
    }
}

bool layout_part(Picture *p, int *row, Text *error)
{
    Agraph_t *g = dot_build(p, true);
    GVC_t *gvc = lay_out(g, error);
    if (!gvc)
        return false;
    read_positions(p, g);
    ports_join(p);
    if (row)
        read_ranks(p, g, row);
    return boxes_are_sound(p, error);
}

bool layout_drawn(Picture *p, Text *error)
{
    if (!(has_halves(p) ? halves_layout(p, error) : layout_part(p, NULL, error)))
        return false;
    finish(p);
    return true;
}

const char *layout_version(void)
{
    GVC_t *gvc = gvContext();
    return gvc ? gvcVersion(gvc) : "?";
}

bool picture_layout(Picture *p, Text *error)
{
    bool frames = false;
    for (size_t i = 0; i < p->scene->boxes.len; i++)
        frames = frames || p->scene->boxes.at[i].kind == BOX_FRAME;
    if (p->effort == EFFORT_ROWS) {
        rows_layout(p);
        finish(p);
        return true;
    }
    return frames ? frames_layout(p, error) : layout_drawn(p, error);
}

bool picture_by_graphviz(const Picture *p, const char *format, Text *out, Text *error)
{
    Agraph_t *g = dot_build(p, false);
    GVC_t *gvc = lay_out(g, error);
    bool ok = false;
    if (gvc) {
        char *data = NULL;
        unsigned len = 0;
        ok = gvRenderData(gvc, g, format, &data, &len) == 0 && data && len > 0;
        if (ok)
            text_putn(out, data, len);
        else
            text_printf(error,
                        "Graphviz cannot write %s: its Cairo and Pango plugin is missing or failed",
                        format);
    }
    return ok;
}

bool draw_dot(Picture *p, Text *out, Text *error)
{
    (void)error;
    Agraph_t *g = dot_build(p, false);
    char *data = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&data, &len);
    if (!f || agwrite(g, f) != 0 || fclose(f) != 0)
        die("cannot write DOT to memory");
    text_putn(out, data, len);
    free(data);
    agclose(g);
    return true;
}
