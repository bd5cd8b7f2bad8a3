/* Frames: pictures of their own, in rows.
 *
 * Successive ones that have most in common are laid out together, as one picture with all that
 * stands in any of them, and each is drawn with what it has of that: so what goes on from one to
 * the next stays where it is.
 *
 * Invariant: what has one place (SceneNode.place) in frames of one group has one position in them.
 */
#include "viz/draw/picture.h"

#include <graphviz/cgraph.h>
#include <math.h>

typedef struct {
    bool *nodes, *boxes, *edges; /* what is drawn in all frames together */
} Shown;

static int frame_of(const Scene *s, int box)
{
    while (box && scene_box_at(s, box)->parent)
        box = scene_box_at(s, box)->parent;
    return box && scene_box_at(s, box)->kind == BOX_FRAME ? box : 0;
}

static int frame_of_end(const Scene *s, int code)
{
    int box = code > 0 ? scene_node_at(s, code)->box : code < 0 ? -code : 0;
    return frame_of(s, box);
}

static Shown shown_now(const Picture *p)
{
    const Scene *s = p->scene;
    Shown all = {xcalloc(s->nodes.len + 1, 1), xcalloc(s->boxes.len + 1, 1),
                 xcalloc(s->edges.len + 1, 1)};
    for (size_t i = 0; i < s->nodes.len; i++)
        all.nodes[i] = p->nodes[i].drawn;
    for (size_t i = 0; i < s->boxes.len; i++)
        all.boxes[i] = p->boxes[i].drawn;
    for (size_t i = 0; i < s->edges.len; i++)
        all.edges[i] = p->edges[i].drawn;
    return all;
}

/* Only what is in the frame is drawn from now on; -1: everything. How many nodes and boxes. */
static size_t show_frame(Picture *p, const Shown *all, int frame)
{
    const Scene *s = p->scene;
    size_t n = 0;
    for (size_t i = 0; i < s->nodes.len; i++)
        n += p->nodes[i].drawn =
            all->nodes[i] && (frame < 0 || frame_of(s, s->nodes.at[i].box) == frame);
    for (size_t i = 0; i < s->boxes.len; i++)
        n += p->boxes[i].drawn = all->boxes[i] && (frame < 0 || frame_of(s, (int)i + 1) == frame);
    for (size_t i = 0; i < s->edges.len; i++)
        p->edges[i].drawn = all->edges[i] && (frame < 0 || frame_of_end(s, p->from[i]) == frame);
    return n;
}

static void shown_free(Shown *all)
{
    free(all->nodes);
    free(all->boxes);
    free(all->edges);
}

static bool is_frame(const Scene *s, int k) { return k == 0 || frame_of(s, k) == k; }

double picture_work(Picture *p)
{
    Shown all = shown_now(p);
    double work = 0;
    for (int k = 0; k <= (int)p->scene->boxes.len; k++) {
        if (!is_frame(p->scene, k) || show_frame(p, &all, k) == 0)
            continue;
        Agraph_t *g = dot_build(p, true);
        work += layout_work(g);
        agclose(g);
    }
    show_frame(p, &all, -1);
    shown_free(&all);
    return work;
}

/* ---- groups ---- */

typedef VEC(int) IntVec;

/* Frames first .. last - 1 of the list, and all that stands in them. */
typedef struct {
    Picture *p;
    const IntVec *frames;
    size_t first, last;
    Scene *scene;
    int *node, *box, *edge; /* what of it stands for a node, box or edge of the whole; 0: nothing */
} Group;

static int most_places(const Scene *s)
{
    int most = 0;
    for (size_t i = 0; i < s->nodes.len; i++)
        most = s->nodes.at[i].place > most ? s->nodes.at[i].place : most;
    for (size_t i = 0; i < s->boxes.len; i++)
        most = s->boxes.at[i].place > most ? s->boxes.at[i].place : most;
    return most;
}

/* How many nodes of a frame are new to `seen`, which then has them; and how many it has. */
static size_t add_places(const Scene *s, int frame, bool *seen, size_t *all)
{
    size_t added = 0;
    *all = 0;
    for (size_t i = 0; i < s->nodes.len; i++) {
        const SceneNode *n = &s->nodes.at[i];
        if (frame_of(s, n->box) != frame)
            continue;
        *all += 1;
        added += !seen[n->place];
        seen[n->place] = true;
    }
    return added;
}

/* Where the group ends that begins with a frame: each has half of its nodes in common with
 * those before, and together they have at most half as much again as the largest, and three times
 * as much as the smallest. */
static size_t end_of_group(const Scene *s, const IntVec *frames, size_t first)
{
    bool *seen = xcalloc((size_t)most_places(s) + 1, 1);
    size_t together = 0, largest = 0, least = SIZE_MAX, at = first;
    for (; at < frames->len; at++) {
        size_t all, more = add_places(s, frames->at[at], seen, &all);
        size_t most = all > largest ? all : largest, smallest = all < least ? all : least;
        bool sparse = 2 * more > all || 2 * (together + more) > 3 * most + 4 ||
                      together + more > 3 * smallest;
        bool placed = frames->at[at] && scene_box_at(s, frames->at[at])->place;
        if (at > first && (!placed || sparse))
            break;
        together += more;
        largest = most;
        least = smallest;
        if (!placed) {
            at++;
            break;
        }
    }
    free(seen);
    return at;
}

/* ---- all that stands in a group ---- */

static void join_boxes(Group *g, int frame, int *of_place)
{
    const Scene *s = g->p->scene;
    for (int k = 1; (size_t)k <= s->boxes.len; k++) {
        SceneBox b = *scene_box_at(s, k);
        if (frame_of(s, k) != frame)
            continue;
        b.parent = g->box[b.parent];
        b.owner = 0;
        b.mark = MARK_NONE;
        if (!of_place[b.place])
            of_place[b.place] = scene_box(g->scene, &b);
        g->box[k] = of_place[b.place];
    }
}

static void join_nodes(Group *g, int frame, int *of_place)
{
    const Scene *s = g->p->scene;
    for (int k = 1; (size_t)k <= s->nodes.len; k++) {
        SceneNode n = *scene_node_at(s, k);
        if (frame_of(s, n.box) != frame)
            continue;
        n.box = g->box[n.box];
        n.mark = MARK_NONE;
        if (!of_place[n.place])
            of_place[n.place] = scene_node(g->scene, &n);
        g->node[k] = of_place[n.place];
    }
}

static bool same_ends(const SceneEdge *a, const SceneEdge *b)
{
    return a->from == b->from && a->to == b->to && a->from_box == b->from_box &&
           a->to_box == b->to_box && a->kind == b->kind;
}

static void join_edges(Group *g, int frame)
{
    const Scene *s = g->p->scene;
    size_t before = g->scene->edges.len;
    bool *taken = xcalloc(before + 1, 1);
    for (int k = 1; (size_t)k <= s->edges.len; k++) {
        SceneEdge e = *scene_edge_at(s, k);
        int box = e.from_box ? e.from_box : scene_node_at(s, e.from)->box;
        if (frame_of(s, box) != frame)
            continue;
        e = (SceneEdge){.from = e.from ? g->node[e.from] : 0,
                        .to = e.to ? g->node[e.to] : 0,
                        .from_box = g->box[e.from_box],
                        .to_box = g->box[e.to_box],
                        .label = e.label,
                        .head = e.head,
                        .tail = e.tail,
                        .kind = e.kind};
        size_t i = 0;
        while (i < before && (taken[i] || !same_ends(&e, &g->scene->edges.at[i])))
            i++;
        if (i < before)
            taken[i] = true;
        g->edge[k] = i < before ? (int)i + 1 : scene_edge(g->scene, &e);
    }
    free(taken);
}

static void join(Group *g)
{
    const Scene *s = g->p->scene;
    size_t places = (size_t)most_places(s) + 1;
    int *nodes = xcalloc(places, sizeof *nodes), *boxes = xcalloc(places, sizeof *boxes);
    g->scene = scene_new(NULL);
    g->scene->direction = s->direction;
    g->scene->no_types = s->no_types;
    g->scene->no_ids = s->no_ids;
    g->node = xcalloc(s->nodes.len + 1, sizeof *g->node);
    g->box = xcalloc(s->boxes.len + 1, sizeof *g->box);
    g->edge = xcalloc(s->edges.len + 1, sizeof *g->edge);
    for (size_t i = g->first; i < g->last; i++) {
        join_boxes(g, g->frames->at[i], boxes);
        join_nodes(g, g->frames->at[i], nodes);
        join_edges(g, g->frames->at[i]);
    }
    free(nodes);
    free(boxes);
}

static void grow(Item *i, const Item *by)
{
    i->w = fmax(i->w, by->w);
    i->h = fmax(i->h, by->h);
}

/* Everything is as large as the largest of what it stands for. */
static void size_all(const Group *g, Picture *all)
{
    const Scene *s = g->p->scene;
    for (size_t k = 0; k < s->nodes.len; k++)
        if (g->node[k + 1])
            grow(&all->nodes[g->node[k + 1] - 1], &g->p->nodes[k]);
    for (size_t k = 0; k < s->boxes.len; k++)
        if (g->box[k + 1])
            grow(&all->boxes[g->box[k + 1] - 1], &g->p->boxes[k]);
}

/* ---- one frame of it ---- */

static void take_item(Item *to, const Item *from)
{
    to->x = from->x;
    to->y = from->y;
    to->w = from->w;
    to->h = from->h;
}

static void take_route(Route *to, const Route *from)
{
    free(to->at);
    to->drawn = to->drawn && from->drawn;
    to->n = from->n;
    to->at = xcalloc((size_t)from->n + 1, sizeof *to->at);
    if (from->n)
        memcpy(to->at, from->at, (size_t)from->n * sizeof *to->at);
    to->has_tip = from->has_tip;
    to->tip = from->tip;
}

/* Positions of what is shown. */
static void take_positions(const Group *g, const Picture *all, const Shown *shown)
{
    Picture *p = g->p;
    for (size_t k = 0; k < p->scene->nodes.len; k++)
        if (p->nodes[k].drawn)
            take_item(&p->nodes[k], &all->nodes[g->node[k + 1] - 1]);
    for (size_t k = 0; k < p->scene->boxes.len; k++)
        if (p->boxes[k].drawn)
            take_item(&p->boxes[k], &all->boxes[g->box[k + 1] - 1]);
    for (size_t k = 0; k < p->scene->edges.len; k++)
        if (p->edges[k].drawn) {
            take_route(&p->edges[k], &all->edges[g->edge[k + 1] - 1]);
            shown->edges[k] = p->edges[k].drawn;
        }
    tabs_place(p);
    labels_place(p);
    p->w = all->w;
    p->h = all->h;
}

/* ---- the whole ---- */

/* Where the next frame goes. */
typedef struct {
    double x, y, tallest, w;
} Strip;

static void put_frame(Picture *p, Strip *at)
{
    static const double widest = 1500;
    if (at->x > 0 && at->x + p->w > widest) {
        at->x = 0;
        at->y += at->tallest - PICTURE_MARGIN;
        at->tallest = 0;
    }
    picture_shift(p, at->x, at->y);
    at->x += p->w - PICTURE_MARGIN;
    at->w = fmax(at->w, at->x + PICTURE_MARGIN);
    at->tallest = fmax(at->tallest, p->h);
}

static bool lay_out_group(Group *g, const Shown *shown, Strip *at, Text *error)
{
    Picture all;
    join(g);
    picture_init(&all, g->scene, g->p->effort);
    size_all(g, &all);
    bool ok = layout_drawn(&all, error);
    for (size_t i = g->first; i < g->last && ok; i++) {
        show_frame(g->p, shown, g->frames->at[i]);
        take_positions(g, &all, shown);
        put_frame(g->p, at);
    }
    picture_free(&all);
    scene_free(g->scene);
    free(g->node);
    free(g->box);
    free(g->edge);
    return ok;
}

bool frames_layout(Picture *p, Text *error)
{
    Shown shown = shown_now(p);
    IntVec frames = {0};
    Strip at = {0};
    bool ok = true;
    for (int k = 0; k <= (int)p->scene->boxes.len; k++)
        if (is_frame(p->scene, k) && show_frame(p, &shown, k) > 0)
            vec_push(&frames, k);
    for (size_t i = 0; i < frames.len && ok;) {
        size_t end = end_of_group(p->scene, &frames, i);
        if (end == i + 1) {
            show_frame(p, &shown, frames.at[i]);
            ok = layout_drawn(p, error);
            put_frame(p, &at);
        } else {
            Group g = {.p = p, .frames = &frames, .first = i, .last = end};
            ok = lay_out_group(&g, &shown, &at, error);
        }
        i = end;
    }
    p->w = at.w;
    p->h = at.y + at.tallest;
    show_frame(p, &shown, -1);
    shown_free(&shown);
    vec_free(&frames);
    return ok;
}
