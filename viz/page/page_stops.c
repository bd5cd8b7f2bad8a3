/* A layout for each place that a reader stops at: of what is in the state before a step or after
 * it, and of nothing else. What stays keeps its order, and so, as far as that can be, its place.
 *
 *   rooms    width and height of each slot of a node
 *   layouts  [before, after, width, height, nodes, boxes, edges]: of the slots that are in one of
 *            the two states, by number; nodes "x y", boxes "x y w h", as the way from where the
 *            slot stood in the layout before; an edge as in page_layout.c, but its start from the
 *            corner of what it comes from, by what differs from the layout before
 *
 * Invariant: each pair of states of a row has one layout; they stand in the order of the rows. */
#include "viz/page/page_parts.h"

enum { LEAST_ASIDE = 8 };

typedef struct {
    const Union *u;
    bool *nodes, *boxes, *edges; /* [state][slot - 1] */
    int *node_in, *box_in;       /* by slot: its place in the graph that is laid out; 0: none */
    Places edge_in;              /* the slots of its edges */
    Places *node_was, *box_was;  /* x, y, w, h in the layout before */
    Places *edge_was;            /* as they are written */
    Places *ways;                /* of the edges, their points */
    SET(u64) met;                /* pairs */
    i64 crossings;               /* in the last layout for which all was tried; -1: none yet */
    Json *j;
} Stops;

/* ---- what is in which state ---- */

static bool *presence(const Union *u, size_t n, int kind)
{
    bool *all = xcalloc(u->states.len * n + 1, sizeof *all);
    for (size_t s = 0; s < u->states.len; s++) {
        const Delta *d = &u->states.at[s];
        const Shows *list = kind == 0 ? &d->nodes : kind == 1 ? &d->boxes : &d->edges;
        if (s)
            memcpy(all + s * n, all + (s - 1) * n, n * sizeof *all);
        for (size_t i = 0; i < list->len; i++)
            all[s * n + (size_t)list->at[i].slot - 1] = list->at[i].shows >= 0;
    }
    return all;
}

static bool in_either(const bool *all, size_t n, int before, int after, size_t i)
{
    return all[(size_t)before * n + i] || all[(size_t)after * n + i];
}

/* ---- the graph of a pair ---- */

/* Where the middle of what stood there was, across (0) or down (1). */
static int wish_of(const Places *was, int way)
{
    return was->len ? was->at[way] + was->at[way + 2] / 2 + 1 : 0;
}

/* How many nodes of the pair are in an outermost box. */
static int nodes_inside(const Stops *s, int box)
{
    int n = 0;
    for (size_t i = 0; i < s->u->nodes.len; i++) {
        int b = s->node_in[i] ? s->u->nodes.at[i].box : 0;
        while (b && s->u->boxes.at[b - 1].box)
            b = s->u->boxes.at[b - 1].box;
        n += b && b == box;
    }
    return n;
}

/* What a step takes away as a whole stands at the side: the rest is whole without it. */
static void put_aside(const Stops *s, LayGraph *g, int before, int after)
{
    size_t n = s->u->boxes.len;
    for (size_t i = 0; i < n; i++) {
        bool leaves = s->boxes[(size_t)before * n + i] && !s->boxes[(size_t)after * n + i];
        if (leaves && !s->u->boxes.at[i].box && nodes_inside(s, (int)i + 1) >= LEAST_ASIDE)
            g->boxes.at[s->box_in[i] - 1].side = true;
    }
}

static void add_boxes(Stops *s, LayGraph *g, int before, int after)
{
    size_t n = s->u->boxes.len;
    for (size_t i = 0; i < n; i++) {
        const Slot *slot = &s->u->boxes.at[i];
        s->box_in[i] = 0;
        if (!in_either(s->boxes, n, before, after, i))
            continue;
        LayBox b = box_room(slot, slot->box ? s->box_in[slot->box - 1] : 0);
        b.wish = wish_of(&s->box_was[i], 0);
        b.wish_y = wish_of(&s->box_was[i], 1);
        vec_push(&g->boxes, b);
        s->box_in[i] = (int)g->boxes.len;
    }
}

static void add_nodes(Stops *s, LayGraph *g, int before, int after)
{
    size_t n = s->u->nodes.len;
    for (size_t i = 0; i < n; i++) {
        const Slot *slot = &s->u->nodes.at[i];
        s->node_in[i] = 0;
        if (!in_either(s->nodes, n, before, after, i))
            continue;
        LayNode room = node_room(slot, slot->box ? s->box_in[slot->box - 1] : 0);
        room.wish = wish_of(&s->node_was[i], 0);
        room.wish_y = wish_of(&s->node_was[i], 1);
        vec_push(&g->nodes, room);
        s->node_in[i] = (int)g->nodes.len;
    }
}

/* What is there in both states wants to be straight. */
static void add_edges(Stops *s, LayGraph *g, int before, int after)
{
    size_t n = s->u->edges.len;
    s->edge_in.len = 0;
    for (size_t i = 0; i < n; i++) {
        const SceneEdge *e = &s->u->edges.at[i].edge;
        if (!in_either(s->edges, n, before, after, i))
            continue;
        bool both = s->edges[(size_t)before * n + i] && s->edges[(size_t)after * n + i];
        vec_push(&g->edges, ((LayEdge){.from = e->from ? s->node_in[e->from - 1] : 0,
                                       .to = e->to ? s->node_in[e->to - 1] : 0,
                                       .from_box = e->from_box ? s->box_in[e->from_box - 1] : 0,
                                       .to_box = e->to_box ? s->box_in[e->to_box - 1] : 0,
                                       .weight = both ? 3 : 1,
                                       .was = &s->ways[i],
                                       .kind = edge_room(e->kind)}));
        vec_push(&s->edge_in, (int)i);
    }
}

/* ---- writing ---- */

static void put_ways(Text *out, Places *was, const Places *is, int count)
{
    for (int k = 0; k < count; k++)
        letters_put(out, is->at[k] - (was->len ? was->at[k] : 0));
    was->len = 0;
    for (size_t k = 0; k < is->len; k++)
        vec_push(was, is->at[k]);
}

static void put_places(Stops *s, const PlacesList *at, const int *in, size_t n, Places *was,
                       int count)
{
    Text t = {0};
    for (size_t i = 0; i < n; i++)
        if (in[i])
            put_ways(&t, &was[i], &at->at[in[i] - 1], count);
    json_letters(s->j, &t);
}

static void put_edge(Stops *s, Text *out, int slot, const Places *way)
{
    const SceneEdge *e = &s->u->edges.at[slot].edge;
    const Places *corner = e->from_box ? &s->box_was[e->from_box - 1] : &s->node_was[e->from - 1];
    Places now = {0};
    way_shorten(way, &now);
    for (size_t k = 0; now.len && k < 2; k++)
        now.at[k] -= corner->at[k];
    letters_put_since(out, &s->edge_was[slot], &now);
    vec_free(&s->edge_was[slot]);
    s->edge_was[slot] = now;
    s->ways[slot].len = 0;
    for (size_t k = 0; k < way->len; k++)
        vec_push(&s->ways[slot], way->at[k]);
}

static void put_layout(Stops *s, const Layout *l, int before, int after)
{
    Text t = {0};
    const int head[] = {before, after, l->width, l->height};
    json_begin(s->j, '[');
    for (size_t i = 0; i < COUNT_OF(head); i++)
        json_int(s->j, head[i]);
    put_places(s, &l->nodes, s->node_in, s->u->nodes.len, s->node_was, 2);
    put_places(s, &l->boxes, s->box_in, s->u->boxes.len, s->box_was, 4);
    for (size_t i = 0; i < s->edge_in.len; i++)
        put_edge(s, &t, s->edge_in.at[i], &l->edges.at[i]);
    json_string(s->j, text_str(&t));
    json_end(s->j, ']');
    text_free(&t);
}

/* Have nearly all nodes stood somewhere? */
static bool is_settled(const LayGraph *g)
{
    enum { NEW = 8 }; /* one of so many at most is new */
    size_t fresh = 0;
    for (size_t i = 0; i < g->nodes.len; i++)
        fresh += g->nodes.at[i].wish == 0;
    return fresh * NEW <= g->nodes.len;
}

/* A large graph is laid out from where it stood before, as long as that does not add up to a much
 * worse picture. */
static void lay_since(Stops *s, LayGraph *g, Layout *out)
{
    enum { SPARE = 8 };
    g->quick = s->crossings >= 0 && lay_is_large(g) && is_settled(g);
    lay_out(g, out);
    if (g->quick && out->crossings > s->crossings + s->crossings / 2 + SPARE) {
        layout_free(out);
        g->quick = false;
        lay_out(g, out);
    }
    if (!g->quick)
        s->crossings = out->crossings;
}

static void lay_pair(Stops *s, int before, int after)
{
    LayGraph g = {0};
    Layout l;
    u64 key = ((u64)before << 32 | (u32)after) + 1;
    if (map_has(&s->met, key))
        return;
    set_add(&s->met, key);
    add_boxes(s, &g, before, after);
    add_nodes(s, &g, before, after);
    add_edges(s, &g, before, after);
    put_aside(s, &g, before, after);
    lay_since(s, &g, &l);
    put_layout(s, &l, before, after);
    layout_free(&l);
    lay_graph_free(&g);
}

/* ---- all ---- */

static void put_rooms(Stops *s)
{
    Text t = {0};
    for (size_t i = 0; i < s->u->nodes.len; i++) {
        LayNode n = node_room(&s->u->nodes.at[i], 0);
        letters_put(&t, n.w);
        letters_put(&t, n.h);
    }
    json_key(s->j, "rooms");
    json_letters(s->j, &t);
}

static void free_places(Places *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        vec_free(&at[i]);
    free(at);
}

static void stops_free(Stops *s)
{
    free_places(s->node_was, s->u->nodes.len);
    free_places(s->box_was, s->u->boxes.len);
    free_places(s->edge_was, s->u->edges.len);
    free_places(s->ways, s->u->edges.len);
    free(s->nodes);
    free(s->boxes);
    free(s->edges);
    free(s->node_in);
    free(s->box_in);
    vec_free(&s->edge_in);
    map_free(&s->met);
}

void stops_put(Json *j, const Union *u, const View *v)
{
    size_t nn = u->nodes.len, nb = u->boxes.len, ne = u->edges.len;
    Stops s = {.u = u,
               .nodes = presence(u, nn, 0),
               .boxes = presence(u, nb, 1),
               .edges = presence(u, ne, 2),
               .node_in = xcalloc(nn + 1, sizeof(int)),
               .box_in = xcalloc(nb + 1, sizeof(int)),
               .node_was = xcalloc(nn + 1, sizeof(Places)),
               .box_was = xcalloc(nb + 1, sizeof(Places)),
               .edge_was = xcalloc(ne + 1, sizeof(Places)),
               .ways = xcalloc(ne + 1, sizeof(Places)),
               .crossings = -1,
               .j = j};
    json_begin(j, '{');
    put_rooms(&s);
    json_key(j, "layouts");
    json_begin(j, '[');
    lay_pair(&s, 0, 0);
    for (size_t i = 0; i < v->rows.len; i++)
        lay_pair(&s, v->rows.at[i].before, v->rows.at[i].after);
    int last = (int)u->states.len - 1;
    lay_pair(&s, last, last);
    json_end(j, ']');
    json_end(j, '}');
    stops_free(&s);
}
