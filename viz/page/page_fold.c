/* The layout of a union in which each role of a group has one place, in a frame around its part.
 *
 * Edges of all turns between the same two places are one path. An edge from turn to turn leads out
 * of the frame below, and into it above, as in a loop.
 *
 * What stands in a closed box has no place; edges to it end at the box.
 *
 * Invariant: a slot that repeats has the size that the largest of its role needs. */
#include "viz/page/page_fold.h"

enum { CLOSED_H = 62 };

typedef struct {
    const Union *u;
    const Repeats *r;
    const bool *closed;
    LayGraph g;
    int *node_at, *box_at;     /* of a slot: its node or box in g */
    int *fold_at;              /* of a group and part: its box in g */
    int *role_node, *role_box; /* of a group and role: the same */
    int *first_role;           /* of a group, in these lists */
    int roles;                 /* of all groups */
    MAP(u64, int) paths;
    VEC(int) path_first,
        path_second; /* of a path: its edges in g; the second 0, or of the way in */
} Folder;

/* ---- boxes ---- */

static int depth_of(const Union *u, int box)
{
    int d = 0;
    for (; box; box = u->boxes.at[box - 1].box)
        d++;
    return d;
}

/* The outermost closed box that is or holds `box`; 0: none. */
static int closed_around(const Folder *f, int box)
{
    int found = 0;
    for (; box; box = f->u->boxes.at[box - 1].box)
        found = f->closed[box - 1] ? box : found;
    return found;
}

static void add_folds(Folder *f, Folded *out, int box)
{
    for (size_t i = 0; i < f->r->groups.len; i++) {
        const Group *g = &f->r->groups.at[i];
        for (int part = 0; g->box == box && part < g->parts && !closed_around(f, box); part++) {
            LayBox b = {.box = box ? f->box_at[box - 1] : 0, .w = 240, .fold = true};
            vec_push(&f->g.boxes, b);
            f->fold_at[2 * i + (size_t)part] = (int)f->g.boxes.len;
            vec_push(&out->folds, ((Fold){(int)i + 1, part, (int)f->g.boxes.len}));
        }
    }
}

static int *role_of(const Folder *f, int *roles, const Stand *s)
{
    return &roles[f->first_role[s->group - 1] + s->role];
}

/* The box of g that a slot stands in: its own, or the frame of its part. */
static int around(const Folder *f, const Stand *s, int box)
{
    const Stand *in = box ? &f->r->boxes[box - 1] : NULL;
    if (s->group && !(in && in->group))
        return f->fold_at[2 * (s->group - 1) + s->part];
    return box ? f->box_at[box - 1] : 0;
}

static void grow(int *at, int need)
{
    if (need > *at)
        *at = need;
}

static void add_box(Folder *f, Folded *out, int k)
{
    const Slot *s = &f->u->boxes.at[k - 1];
    const Stand *stand = &f->r->boxes[k - 1];
    int *known = stand->group ? role_of(f, f->role_box, stand) : NULL;
    if (closed_around(f, s->box))
        return;
    LayBox b = box_room(s, around(f, stand, s->box));
    b.h = f->closed[k - 1] ? CLOSED_H : b.h;
    if (known && *known) {
        LayBox *old = &f->g.boxes.at[*known - 1];
        grow(&old->w, b.w);
        old->h = b.h ? old->h : 0;
        f->box_at[k - 1] = *known;
        return;
    }
    vec_push(&f->g.boxes, b);
    f->box_at[k - 1] = (int)f->g.boxes.len;
    if (known)
        *known = (int)f->g.boxes.len;
    add_folds(f, out, k);
}

/* What is outside comes first. */
static void add_boxes(Folder *f, Folded *out)
{
    int n = (int)f->u->boxes.len, left = n;
    add_folds(f, out, 0);
    for (int depth = 1; left > 0; depth++)
        for (int k = 1; k <= n; k++)
            if (depth_of(f->u, k) == depth) {
                add_box(f, out, k);
                left--;
            }
}

static void add_node(Folder *f, int k)
{
    const Slot *s = &f->u->nodes.at[k - 1];
    const Stand *stand = &f->r->nodes[k - 1];
    int *known = stand->group ? role_of(f, f->role_node, stand) : NULL;
    if (closed_around(f, s->box))
        return;
    LayNode n = node_room(s, around(f, stand, s->box));
    if (known && *known) {
        LayNode *old = &f->g.nodes.at[*known - 1];
        grow(&old->w, n.w);
        grow(&old->h, n.h);
        old->head = old->head || n.head;
        f->node_at[k - 1] = *known;
        return;
    }
    vec_push(&f->g.nodes, n);
    f->node_at[k - 1] = (int)f->g.nodes.len;
    if (known)
        *known = (int)f->g.nodes.len;
}

/* ---- edges ---- */

/* An end as it is drawn: a box if that is not 0, else a node; slots. */
typedef struct {
    int node, box;
} Spot;

static Spot spot_of(const Folder *f, int node, int box)
{
    int closed = closed_around(f, box ? box : f->u->nodes.at[node - 1].box);
    if (closed)
        return (Spot){0, closed};
    return box ? (Spot){0, box} : (Spot){node, 0};
}

static const Stand *stand_at(const Folder *f, Spot s)
{
    return s.box ? &f->r->boxes[s.box - 1] : &f->r->nodes[s.node - 1];
}

static int put_edge(Folder *f, LayEdge e)
{
    vec_push(&f->g.edges, e);
    return (int)f->g.edges.len;
}

static int add_path(Folder *f, Spot from, Spot to, SceneEdgeKind kind, bool turns)
{
    const Stand *stand = stand_at(f, from);
    LayEdge l = {.from = from.node ? f->node_at[from.node - 1] : 0,
                 .to = to.node ? f->node_at[to.node - 1] : 0,
                 .from_box = from.box ? f->box_at[from.box - 1] : 0,
                 .to_box = to.box ? f->box_at[to.box - 1] : 0,
                 .weight = 2,
                 .kind = edge_room(kind)};
    int first, second = 0;
    if (turns) {
        int frame = f->fold_at[2 * (stand->group - 1) + stand->part];
        LayEdge out = l, in = l;
        out.to = in.from = 0;
        out.to_box = in.from_box = frame;
        out.kind = in.kind = LAY_FLOW;
        first = put_edge(f, out);
        second = put_edge(f, in);
    } else {
        first = put_edge(f, l);
    }
    vec_push(&f->path_first, first);
    vec_push(&f->path_second, second);
    return (int)f->path_first.len;
}

/* From one turn of a group to another in the same part? */
static bool leads_on(const Folder *f, Spot from, Spot to)
{
    const Stand *a = stand_at(f, from), *b = stand_at(f, to);
    return a->group && a->group == b->group && a->part == b->part && a->turn != b->turn;
}

static u64 spot_key(const Folder *f, Spot s)
{
    return s.box ? (u64)f->box_at[s.box - 1] << 1 | 1 : (u64)f->node_at[s.node - 1] << 1;
}

/* The path of an edge, from 1; 0: it is all inside a closed box. */
static int path_of(Folder *f, const SceneEdge *e)
{
    Spot from = spot_of(f, e->from, e->from_box), to = spot_of(f, e->to, e->to_box);
    if (from.box && from.box == to.box)
        return 0;
    bool turns = leads_on(f, from, to);
    u64 ends = hash_mix(spot_key(f, from), spot_key(f, to));
    u64 key = hash_mix(ends, (u64)e->kind * 2 + turns) | 1;
    int known = map_get(&f->paths, key);
    if (!known) {
        known = add_path(f, from, to, e->kind, turns);
        map_put(&f->paths, key, known);
    }
    return known;
}

/* ---- closing ---- */

/* How many nodes are drawn: those that repeat once, none in closed boxes; and how many directly in
 * each box. */
static size_t count_drawn(const Folder *f, int *in_box)
{
    size_t n = 0;
    bool *met = xcalloc((size_t)f->roles + 1, sizeof *met);
    memset(in_box, 0, (f->u->boxes.len + 1) * sizeof *in_box);
    for (size_t i = 0; i < f->u->nodes.len; i++) {
        const Stand *s = &f->r->nodes[i];
        int role = s->group ? f->first_role[s->group - 1] + s->role : f->roles,
            box = f->u->nodes.at[i].box;
        if (closed_around(f, box) || (s->group && met[role]))
            continue;
        met[role] = true;
        n++;
        in_box[box]++;
    }
    free(met);
    return n;
}

/* Closes boxes, those that hold most nodes first, until few enough nodes are drawn. What repeats in
 * one that is closed is not drawn. */
static void close_boxes(const Folder *f, bool *closed, size_t limit)
{
    int *in_box = xcalloc(f->u->boxes.len + 1, sizeof *in_box);
    while (count_drawn(f, in_box) > limit) {
        size_t best = 0;
        for (size_t b = 1; b <= f->u->boxes.len; b++)
            if (in_box[b] > (best ? in_box[best] : 0))
                best = b;
        if (!best)
            break;
        closed[best - 1] = true;
    }
    free(in_box);
}

/* ---- the layout ---- */

static Places copy_places(const Places *p)
{
    Places out = {0};
    for (size_t i = 0; i < p->len; i++)
        vec_push(&out, p->at[i]);
    return out;
}

/* What has no place stays without. */
static void put_place(PlacesList *out, const PlacesList *from, int at)
{
    Places p = {0};
    if (at)
        p = copy_places(&from->at[at - 1]);
    vec_push(out, p);
}

static void put_paths(const Folder *f, const Layout *from, Layout *out)
{
    for (size_t i = 0; i < f->path_first.len; i++) {
        int a = f->path_first.at[i] - 1, b = f->path_second.at[i] - 1;
        vec_push(&out->edges, copy_places(&from->edges.at[a]));
        vec_push(&out->tails, copy_places(&from->tails.at[a]));
        vec_push(&out->heads, copy_places(&from->heads.at[b < 0 ? a : b]));
    }
}

static void spread(const Folder *f, const Layout *from, Folded *out)
{
    out->layout = (Layout){.width = from->width, .height = from->height};
    for (size_t i = 0; i < f->u->nodes.len; i++)
        put_place(&out->layout.nodes, &from->nodes, f->node_at[i]);
    for (size_t i = 0; i < f->u->boxes.len; i++)
        put_place(&out->layout.boxes, &from->boxes, f->box_at[i]);
    for (size_t i = 0; i < out->folds.len; i++)
        put_place(&out->layout.boxes, &from->boxes, out->folds.at[i].box);
    put_paths(f, from, &out->layout);
}

static void folder_begin(Folder *f, const Union *u, const Folded *out)
{
    const Repeats *r = &out->repeats;
    int roles = 0;
    *f = (Folder){.u = u, .r = r, .closed = out->closed};
    f->node_at = xcalloc(u->nodes.len + 1, sizeof(int));
    f->box_at = xcalloc(u->boxes.len + 1, sizeof(int));
    f->fold_at = xcalloc(2 * r->groups.len + 1, sizeof(int));
    f->first_role = xcalloc(r->groups.len + 1, sizeof(int));
    for (size_t i = 0; i < r->groups.len; i++) {
        f->first_role[i] = roles;
        roles += r->groups.at[i].roles;
    }
    f->roles = roles;
    f->role_node = xcalloc((size_t)roles + 1, sizeof(int));
    f->role_box = xcalloc((size_t)roles + 1, sizeof(int));
}

static void folder_free(Folder *f)
{
    free(f->node_at);
    free(f->box_at);
    free(f->fold_at);
    free(f->first_role);
    free(f->role_node);
    free(f->role_box);
    map_free(&f->paths);
    vec_free(&f->path_first);
    vec_free(&f->path_second);
    lay_graph_free(&f->g);
}

static void place_all(Folder *f, Folded *out)
{
    const Union *u = f->u;
    Layout places;
    add_boxes(f, out);
    for (int k = 1; k <= (int)u->nodes.len; k++)
        add_node(f, k);
    out->path = xcalloc(u->edges.len + 1, sizeof *out->path);
    for (size_t i = 0; i < u->edges.len; i++)
        out->path[i] = path_of(f, &u->edges.at[i].edge);
    lay_out(&f->g, &places);
    spread(f, &places, out);
    layout_free(&places);
}

bool fold_build(const Union *u, size_t limit, Folded *out)
{
    Folder f;
    bool any = false;
    *out = (Folded){.closed = xcalloc(u->boxes.len + 1, sizeof(bool))};
    repeats_find(u, &out->repeats);
    folder_begin(&f, u, out);
    close_boxes(&f, out->closed, limit);
    for (size_t i = 0; i < u->boxes.len; i++)
        any = any || out->closed[i];
    any = any || out->repeats.groups.len;
    if (any)
        place_all(&f, out);
    else
        fold_free(out);
    folder_free(&f);
    return any;
}

void fold_free(Folded *f)
{
    repeats_free(&f->repeats);
    free(f->closed);
    vec_free(&f->folds);
    layout_free(&f->layout);
    free(f->path);
}

/* ---- as JSON ---- */

static void put_stands(Json *j, const Stand *at, size_t n)
{
    Text t = {0};
    for (size_t i = 0; i < n; i++) {
        letters_put(&t, at[i].group ? 2 * at[i].group - 1 + at[i].part : 0);
        if (at[i].group)
            letters_put(&t, at[i].turn);
    }
    json_letters(j, &t);
}

void fold_put(Json *j, const Folded *f, const Union *u)
{
    Text turns = {0}, folds = {0}, paths = {0}, closed = {0};
    for (size_t i = 0; i < f->repeats.groups.len; i++)
        letters_put(&turns, f->repeats.groups.at[i].turns);
    for (size_t i = 0; i < f->folds.len; i++) {
        letters_put(&folds, f->folds.at[i].group - 1);
        letters_put(&folds, f->folds.at[i].part);
        letters_put(&folds, f->repeats.groups.at[f->folds.at[i].group - 1].box);
    }
    for (size_t i = 0; i < u->edges.len; i++)
        letters_put(&paths, f->path[i]);
    for (size_t i = 0; i < u->boxes.len; i++)
        letters_put(&closed, f->closed[i]);
    json_begin(j, '[');
    json_letters(j, &turns);
    json_letters(j, &folds);
    put_stands(j, f->repeats.nodes, u->nodes.len);
    put_stands(j, f->repeats.boxes, u->boxes.len);
    json_letters(j, &paths);
    json_letters(j, &closed);
    layout_put(j, &f->layout, true);
    json_end(j, ']');
}
