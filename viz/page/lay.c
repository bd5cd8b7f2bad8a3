/* Boxes one in another. An edge that crosses borders is a link in each box it runs through, from
 * port to port; a port is a cell above or below all others, and what is outside ends at it.
 *
 * Invariant: a box is laid out before the one around it. */
#include "viz/page/lay_levels.h"

enum { TURNS = 4, TURNS_MOST = 300 /* nodes and edges */, FAR = 1000000 };

/* ---- ends ---- */

static int box_of(const Levels *v, End e)
{
    return e.box ? v->g->boxes.at[e.box - 1].box : v->g->nodes.at[e.node - 1].box;
}

static int parent_of(const Levels *v, int box) { return v->g->boxes.at[box - 1].box; }

static int depth_of(const Levels *v, int box)
{
    int depth = 0;
    for (; box; box = parent_of(v, box))
        depth++;
    return depth;
}

static int common_box(const Levels *v, int a, int b)
{
    for (int da = depth_of(v, a), db = depth_of(v, b); a != b;)
        if (da >= db) {
            a = parent_of(v, a);
            da--;
        } else {
            b = parent_of(v, b);
            db--;
        }
    return a;
}

static int end_cell(const Levels *v, End e)
{
    return e.box ? v->box_cell[e.box - 1] : v->node_cell[e.node - 1];
}

/* ---- ports ---- */

static int port_at(Levels *v, int box, End e, PortKind kind)
{
    enum { RESULTS = 64 };
    int result = kind == PORT_OUT ? e.result % RESULTS : 0;
    u64 end = (e.box ? (u64)e.box << 1 | 1 : (u64)e.node << 1) * RESULTS + (u64)result;
    u64 key = (((u64)box << 32 | end) << 2 | (u64)kind) + 1;
    int known = map_get(&v->ports, key);
    if (known)
        return known - 1;
    bool top = kind == PORT_IN || kind == PORT_HEAD;
    Grid *g = &v->levels[box].grid;
    vec_push(&g->cells,
             ((Cell){.w = kind == PORT_OUT ? e.room : 0, .pin = top ? PIN_TOP : PIN_BOTTOM}));
    map_put(&v->ports, key, (int)g->cells.len);
    return (int)g->cells.len - 1;
}

/* A link, or the one that is there already between the same cells and ports. */
static int add_link(Levels *v, int box, Link l)
{
    Grid *g = &v->levels[box].grid;
    vec_push(&g->links, l);
    return (int)g->links.len - 1;
}

static void add_part(Levels *v, Route *r, int box, Link l)
{
    if (l.from != l.to)
        vec_push(&r->parts, ((RoutePart){box, add_link(v, box, l)}));
}

/* From an end out through the borders up to a box; the cell there, and the port in that cell. The
 * last border says which result it is. */
static int lead_out(Levels *v, Route *r, End e, int top, int weight, int *port)
{
    int cell = end_cell(v, e), last = 0;
    bool own = e.box && e.room && !v->g->boxes.at[e.box - 1].h; /* a result of no node inside */
    *port = own ? port_at(v, last = e.box, e, PORT_OUT) : -1;
    for (int b = box_of(v, e); b != top; b = parent_of(v, b)) {
        int out = port_at(v, last = b, e, PORT_OUT);
        add_part(v, r, b, (Link){cell, out, *port, -1, .weight = weight});
        *port = out;
        cell = v->box_cell[b - 1];
    }
    if (last && e.room)
        vec_push(&v->levels[last].names, ((PortName){*port, e.edge}));
    return cell;
}

/* The same inwards; the parts are added from the outermost one. */
static int lead_in(Levels *v, Route *r, End e, int top, int weight, int *port)
{
    int cell = end_cell(v, e);
    size_t first = r->parts.len;
    *port = -1;
    for (int b = box_of(v, e); b != top; b = parent_of(v, b)) {
        int in = port_at(v, b, e, PORT_IN);
        add_part(v, r, b, (Link){in, cell, -1, *port, .weight = weight});
        *port = in;
        cell = v->box_cell[b - 1];
    }
    for (size_t i = first, j = r->parts.len; i + 1 < j; i++) {
        RoutePart swap = r->parts.at[i];
        r->parts.at[i] = r->parts.at[--j];
        r->parts.at[j] = swap;
    }
    return cell;
}

static void add_flow(Levels *v, Route *r, const LayEdge *e)
{
    int edge = (int)(e - v->g->edges.at) + 1;
    End from = {e->from, e->from_box, e->result, e->room, edge},
        to = {.node = e->to, .box = e->to_box};
    int top = common_box(v, box_of(v, from), box_of(v, to)), out, in;
    int a = lead_out(v, r, from, top, e->weight, &out);
    size_t middle = r->parts.len;
    int b = lead_in(v, r, to, top, e->weight, &in);
    if (a == b)
        return;
    vec_push(&r->parts, ((RoutePart){0}));
    memmove(r->parts.at + middle + 1, r->parts.at + middle,
            (r->parts.len - 1 - middle) * sizeof *r->parts.at);
    r->parts.at[middle] =
        (RoutePart){top, add_link(v, top, (Link){a, b, out, in, .weight = e->weight})};
}

/* Down to a port of its own, round the box, and from another one to the state. */
static void add_loop(Levels *v, Route *r, const LayEdge *e)
{
    End from = {.node = e->from, .box = e->from_box}, to = {.node = e->to};
    int box = box_of(v, to), out;
    int cell = lead_out(v, r, from, box, e->weight, &out);
    int tail = port_at(v, box, from, PORT_TAIL), head = port_at(v, box, to, PORT_HEAD);
    add_part(v, r, box, (Link){cell, tail, out, -1, .weight = e->weight});
    add_part(v, r, box, (Link){head, end_cell(v, to), -1, -1, .weight = e->weight});
    Cell *c = &v->levels[box].grid.cells.at[cell];
    bool next = v->g->letters || (!e->from_box && box_of(v, from) == box); /* not a box with it */
    c->pin = next && c->pin == PIN_NONE ? PIN_FOOT : c->pin;
    r->loop = true;
    vec_push(&v->levels[box].loops, ((Loop){.tail = tail, .head = head}));
    r->lane = (int)v->levels[box].loops.len - 1;
}

/* Back to a state from beside it or from what stands deeper; at a fold it would be cut. */
static bool is_loop(const Levels *v, const LayEdge *e)
{
    End from = {.node = e->from, .box = e->from_box}, to = {.node = e->to};
    if (e->kind != LAY_BACK || !e->to || e->to_box || !box_of(v, to))
        return false;
    int b = box_of(v, from);
    while (b && b != box_of(v, to) && !v->g->boxes.at[b - 1].fold)
        b = parent_of(v, b);
    return b == box_of(v, to);
}

/* ---- levels ---- */

/* Tells the links of an edge where it ran. */
static void remember_way(Levels *v, const Route *r, const Places *was)
{
    for (size_t k = 0; k < r->parts.len; k++)
        v->levels[r->parts.at[k].box].grid.links.at[r->parts.at[k].link].was = was;
}

static void fill_levels(Levels *v)
{
    const LayGraph *g = v->g;
    for (size_t i = 0; i < g->boxes.len; i++) {
        Grid *in = &v->levels[g->boxes.at[i].box].grid;
        v->box_cell[i] = (int)in->cells.len;
        vec_push(&in->cells, ((Cell){.side = g->boxes.at[i].side ? ASIDE : IN_ROW,
                                     .wish = g->boxes.at[i].wish,
                                     .wish_y = g->boxes.at[i].wish_y}));
        v->levels[i + 1].title = g->boxes.at[i].title && !g->boxes.at[i].h ? 0 : -1;
        if (v->levels[i + 1].title == 0)
            vec_push(&v->levels[i + 1].grid.cells,
                     ((Cell){.w = g->boxes.at[i].title, .pin = PIN_TOP}));
    }
    for (size_t i = 0; i < g->nodes.len; i++) {
        const LayNode *n = &g->nodes.at[i];
        Grid *in = &v->levels[n->box].grid;
        v->node_cell[i] = (int)in->cells.len;
        vec_push(&in->cells, ((Cell){.w = n->w,
                                     .h = n->h,
                                     .pin = n->head ? PIN_HEAD : PIN_NONE,
                                     .wish = n->wish,
                                     .wish_y = n->wish_y}));
    }
    for (size_t i = 0; i < g->edges.len; i++) {
        const LayEdge *e = &g->edges.at[i];
        if (is_loop(v, e))
            add_loop(v, &v->routes[i], e);
        else if (e->kind == LAY_FLOW)
            add_flow(v, &v->routes[i], e);
        if (e->was && e->was->len)
            remember_way(v, &v->routes[i], e->was);
    }
}

/* From the left side to the middle; in letters the middle is a column, as many on both sides. */
static double half_width(const Levels *v, int w) { return (v->g->letters ? w - 1 : w) / 2.0; }

/* Where a port of a box is, from the middle of the box. */
static double port_dx(const Levels *v, int box, int port)
{
    const Level *in = &v->levels[box];
    return port < 0 ? 0 : in->grid.cells.at[port].x + in->left - half_width(v, in->w);
}

static int compare_loops(const void *a, const void *b)
{
    const Loop *p = *(Loop *const *)a, *q = *(Loop *const *)b;
    if (p->left != q->left)
        return p->left - q->left;
    return p->order > q->order ? -1 : p->order < q->order ? 1 : (p > q) - (p < q);
}

/* A loop runs at the side that its ends are nearer to, and the one that leaves there runs
 * innermost. A terminal has lanes at the right only. Returns how many run at the left. */
static int stack_lanes(Level *l, bool letters)
{
    int n = (int)l->loops.len, left = 0;
    Loop **sorted = xmalloc(((size_t)n + 1) * sizeof *sorted);
    for (int i = 0; i < n; i++) {
        Loop *p = sorted[i] = &l->loops.at[i];
        double tail = l->grid.cells.at[p->tail].x, head = l->grid.cells.at[p->head].x;
        p->left = !letters && tail + head < l->grid.width;
        p->order = p->left ? -tail : tail;
        left += p->left;
    }
    qsort(sorted, (size_t)n, sizeof *sorted, compare_loops);
    for (int i = 0; i < n; i++) {
        sorted[i]->track = i;
        sorted[i]->lane = sorted[i]->left ? i - (n - left) : i;
    }
    free(sorted);
    return left;
}

static int lanes_width(const LayMetric *m, int lanes)
{
    return lanes ? (lanes + 1) * m->lane_x : 0;
}

static void size_level(Levels *v, int box)
{
    Level *l = &v->levels[box];
    const LayMetric *m = v->metric;
    const LayBox *b = &v->g->boxes.at[box - 1];
    int loops = (int)l->loops.len, width = l->grid.width, left;
    l->w = b->w;
    l->h = b->h;
    if (!l->grid.cells.len && b->h)
        return;
    left = stack_lanes(l, v->g->letters);
    if (width < b->w - 2 * m->pad_x)
        width = b->w - 2 * m->pad_x;
    l->left = m->pad_x + (width - l->grid.width) / 2 + lanes_width(m, left);
    l->top = m->tab + loops * m->lane_y;
    l->w = width + 2 * m->pad_x + lanes_width(m, left) + lanes_width(m, loops - left);
    l->w += v->g->letters && l->w % 2 == 0;
    l->h = l->top + l->grid.height + m->pad_y + loops * m->lane_y;
}

static void lay_level(Levels *v, int box)
{
    Grid *g = &v->levels[box].grid;
    for (size_t i = 0; i < v->g->boxes.len; i++) {
        if (v->g->boxes.at[i].box != box)
            continue;
        g->cells.at[v->box_cell[i]].w = v->levels[i + 1].w;
        g->cells.at[v->box_cell[i]].h = v->levels[i + 1].h;
        v->levels[box].box_at_cell = v->levels[box].box_at_cell
                                         ? v->levels[box].box_at_cell
                                         : xcalloc(g->cells.len + 1, sizeof(int));
        v->levels[box].box_at_cell[v->box_cell[i]] = (int)i + 1;
    }
    const int *boxes = v->levels[box].box_at_cell;
    for (size_t i = 0; boxes && i < g->links.len; i++) {
        Link *l = &g->links.at[i];
        l->from_dx = port_dx(v, boxes[l->from], l->from_port);
        l->to_dx = port_dx(v, boxes[l->to], l->to_port);
    }
    grid_rank(g);
    grid_order(g);
    grid_place(g);
    if (box)
        size_level(v, box);
}

/* ---- all ---- */

static void put_rect(PlacesList *out, int x, int y, int w, int h)
{
    Places p = {0};
    const int at[] = {x, y, w, h};
    for (int i = 0; i < 4; i++)
        vec_push(&p, at[i]);
    vec_push(out, p);
}

void levels_put(Levels *v, Layout *out)
{
    const LayGraph *g = v->g;
    int margin = v->metric->margin;
    v->levels[0].x = v->levels[0].y = margin;
    out->width = v->levels[0].grid.width + 2 * margin;
    out->height = v->levels[0].grid.height + 2 * margin;
    for (size_t i = 0; i < g->boxes.len; i++) {
        const Level *around = &v->levels[g->boxes.at[i].box];
        Level *l = &v->levels[i + 1];
        const Cell *c = &around->grid.cells.at[v->box_cell[i]];
        int x = around->x + (int)(c->x - half_width(v, c->w)), y = around->y + c->y;
        put_rect(&out->boxes, x, y, l->w, l->h);
        l->x = x + l->left;
        l->y = y + l->top;
    }
    for (size_t i = 0; i < g->nodes.len; i++) {
        const LayNode *n = &g->nodes.at[i];
        const Level *in = &v->levels[n->box];
        const Cell *c = &in->grid.cells.at[v->node_cell[i]];
        put_rect(&out->nodes, in->x + (int)(c->x - half_width(v, c->w)), in->y + c->y, n->w, n->h);
    }
}

void levels_free(Levels *v)
{
    for (size_t i = 0; i <= v->g->boxes.len; i++) {
        grid_free(&v->levels[i].grid);
        vec_free(&v->levels[i].loops);
        vec_free(&v->levels[i].names);
        free(v->levels[i].box_at_cell);
    }
    for (size_t i = 0; i < v->g->edges.len; i++)
        vec_free(&v->routes[i].parts);
    map_free(&v->ports);
    free(v->levels);
    free(v->routes);
    free(v->node_cell);
    free(v->box_cell);
}

static Levels levels_begin(const LayGraph *g, const LayMetric *metric)
{
    Levels v = {.g = g,
                .metric = metric,
                .levels = xcalloc(g->boxes.len + 1, sizeof(Level)),
                .routes = xcalloc(g->edges.len + 1, sizeof(Route)),
                .node_cell = xcalloc(g->nodes.len + 1, sizeof(int)),
                .box_cell = xcalloc(g->boxes.len + 1, sizeof(int))};
    for (size_t b = 0; b <= g->boxes.len; b++) {
        v.levels[b].grid.metric = metric;
        v.levels[b].grid.square = g->letters;
        v.levels[b].grid.quick = g->quick;
    }
    fill_levels(&v);
    return v;
}

static void lay_levels(Levels *v)
{
    for (int b = (int)v->g->boxes.len; b >= 0; b--)
        lay_level(v, b);
}

/* ---- what ports lead to ---- */

/* The other end of a link stands at x of the grid around the box. */
static void lead_port(const Levels *v, int box, int port, double x)
{
    const LayBox *b = &v->g->boxes.at[box - 1];
    const Level *in = &v->levels[box];
    Cell *c = &v->levels[box].grid.cells.at[port];
    c->outer = x - v->levels[b->box].grid.cells.at[v->box_cell[box - 1]].x + half_width(v, in->w) -
               in->left;
    c->led = true;
}

/* Tells each port where the other end of its way is; the crossings of all levels. */
static i64 lead_ports(Levels *v)
{
    i64 count = 0;
    for (size_t b = 0; b <= v->g->boxes.len; b++) {
        const Level *l = &v->levels[b];
        const Grid *g = &l->grid;
        for (size_t i = 0; l->box_at_cell && i < g->links.len; i++) {
            const Link *k = &g->links.at[i];
            if (k->from_port >= 0)
                lead_port(v, l->box_at_cell[k->from], k->from_port,
                          g->cells.at[k->to].x + k->to_dx);
            if (k->to_port >= 0)
                lead_port(v, l->box_at_cell[k->to], k->to_port,
                          g->cells.at[k->from].x + k->from_dx);
        }
        for (size_t i = 0; i < l->loops.len; i++) {
            Cell *tail = &l->grid.cells.at[l->loops.at[i].tail],
                 *head = &l->grid.cells.at[l->loops.at[i].head];
            tail->led = head->led = true;
            tail->outer = head->outer = l->loops.at[i].left ? -FAR : FAR;
        }
    }
    for (size_t b = 0; b <= v->g->boxes.len; b++)
        count += grid_crossings(&v->levels[b].grid);
    return count;
}

/* What ports lead to is what it was in another layout of the same graph. */
static void take_leads(Levels *v, const Levels *from)
{
    for (size_t b = 0; b <= v->g->boxes.len; b++) {
        Grid *g = &v->levels[b].grid;
        for (size_t c = 0; c < g->cells.len; c++) {
            g->cells.at[c].led = from->levels[b].grid.cells.at[c].led;
            g->cells.at[c].outer = from->levels[b].grid.cells.at[c].outer;
        }
    }
}

/* ---- all ---- */

bool lay_is_large(const LayGraph *g) { return g->nodes.len + g->edges.len > TURNS_MOST; }

/* A box is laid out before what is around it; then again, with its ports in the order that the
 * layout before asks for, and the best is taken; a large graph once. */
void levels_lay(Levels *v, const LayGraph *g)
{
    static const LayMetric page = {.node_gap = 24,
                                   .bend_gap = 11,
                                   .mixed_gap = 16,
                                   .port_gap = 14,
                                   .pad_x = 14,
                                   .pad_y = 14,
                                   .tab = 21 + 10,
                                   .lane_x = 9,
                                   .lane_y = 9,
                                   .margin = 20};
    static const LayMetric letters = {.node_gap = 2,
                                      .bend_gap = 2,
                                      .mixed_gap = 2,
                                      .port_gap = 2,
                                      .pad_x = 2,
                                      .pad_y = 1,
                                      .tab = 1,
                                      .lane_x = 2,
                                      .lane_y = 1};
    const LayMetric *metric = g->letters ? &letters : &page;
    Levels last = levels_begin(g, metric);
    lay_levels(&last);
    *v = last;
    i64 least = lead_ports(&last);
    int turns = !lay_is_large(g) && !g->quick ? TURNS : 0;
    for (int turn = 0; turn < turns && least; turn++) {
        Levels next = levels_begin(g, metric);
        take_leads(&next, &last);
        lay_levels(&next);
        i64 crossings = lead_ports(&next);
        if (last.levels != v->levels)
            levels_free(&last);
        last = next;
        if (crossings < least) {
            levels_free(v);
            *v = last;
            least = crossings;
        }
    }
    if (last.levels != v->levels)
        levels_free(&last);
    v->crossings = least;
}

void lay_out(const LayGraph *g, Layout *out)
{
    Levels v;
    *out = (Layout){0};
    levels_lay(&v, g);
    levels_put(&v, out);
    out->crossings = v.crossings;
    for (size_t i = 0; i < g->edges.len; i++) {
        Places whole = {0}, tail = {0}, head = {0};
        route_put(&v, (int)i, out, &whole, &tail, &head);
        vec_push(&out->edges, whole);
        vec_push(&out->tails, tail);
        vec_push(&out->heads, head);
    }
    levels_free(&v);
}

void lay_graph_free(LayGraph *g)
{
    vec_free(&g->nodes);
    vec_free(&g->boxes);
    vec_free(&g->edges);
}

static void list_free(PlacesList *l)
{
    for (size_t i = 0; i < l->len; i++)
        vec_free(&l->at[i]);
    vec_free(l);
}

void layout_free(Layout *l)
{
    list_free(&l->nodes);
    list_free(&l->boxes);
    list_free(&l->edges);
    list_free(&l->tails);
    list_free(&l->heads);
}
