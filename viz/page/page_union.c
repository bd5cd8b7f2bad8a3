/* The scenes of a pass put together, so that one layout serves them all.
 *
 * What a step leaves alone, or only rebuilds over new operands, keeps its slot; so it
 * does not move while the page goes from state to state.
 *
 * Invariant: in one state a slot holds at most one thing; slot k of a box is made
 * before the slots of what stands in it. */
#include "viz/page/page_parts.h"

enum { BUCKETS = 4096 };

typedef struct {
    Placing now;
    const State *state;
    int heads[BUCKETS], box_heads[BUCKETS];
    int edge_heads[BUCKETS]; /* kept from state to state */
} Placer;

static u32 bucket(u64 a, u64 b) { return (u32)(hash_mix(a + 1, b + 7) % BUCKETS); }

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0) || ((!a || !*a) && (!b || !*b));
}

/* A label without the number of a parameter ("p3: tanh"), which changes with the others. */
static const char *bare_label(const char *s)
{
    const char *at = s && *s == 'p' ? s + 1 : "";
    size_t digits = strspn(at, "0123456789");
    return digits && at[digits] == ':' && at[digits + 1] == ' ' ? at + digits + 2 : s;
}

static bool same_label(const SceneNode *a, const SceneNode *b)
{
    return same_text(bare_label(a->label), bare_label(b->label));
}

/* ---- finding slots ---- */

static void hash_slots(Slot *at, size_t n, int *heads)
{
    memset(heads, 0, BUCKETS * sizeof *heads);
    for (size_t i = n; i-- > 0;) {
        u32 k = bucket((u64)at[i].box, at[i].id);
        at[i].chain = heads[k];
        heads[k] = (int)i + 1;
    }
}

static bool is_free(const Placer *p, const Slot *s) { return s->last != p->now.index; }

/* Numbers that became `id` since the parent; 0 at the end. */
static u32 came_from(const State *s, u32 id, size_t *at)
{
    while (*at < s->moved.len) {
        Pair pair = s->moved.at[(*at)++];
        if (pair.to == id)
            return pair.from;
    }
    return 0;
}

static bool fits_node(const Slot *s, const SceneNode *n)
{
    const SceneNode *was = &s->shows.at[s->shows.len - 1];
    return n->id ? true : was->role == n->role && same_text(was->op, n->op) && same_label(was, n);
}

/* A free slot in this box with this number; of those that are shown now, or of the others. */
static int find_node(const Placer *p, int box, u32 id, const SceneNode *n, bool shown)
{
    for (int k = p->heads[bucket((u64)box, id)]; k; k = p->now.u->nodes.at[k - 1].chain) {
        const Slot *s = &p->now.u->nodes.at[k - 1];
        if (s->box == box && s->id == id && is_free(p, s) && (s->now >= 0) == shown &&
            fits_node(s, n))
            return k;
    }
    return 0;
}

/* A loop may stand where the scan stood that it comes from. */
static bool same_kind(SceneBoxKind was, SceneBoxKind is)
{
    return was == is || (was == BOX_SCAN && is == BOX_LOOP);
}

static int find_box(const Placer *p, int parent, u32 id, SceneBoxKind kind, bool shown)
{
    for (int k = p->box_heads[bucket((u64)parent, id)]; k; k = p->now.u->boxes.at[k - 1].chain) {
        const Slot *s = &p->now.u->boxes.at[k - 1];
        if (s->box == parent && s->id == id && is_free(p, s) && (s->now >= 0) == shown &&
            same_kind(s->titles.at[s->titles.len - 1].kind, kind))
            return k;
    }
    return 0;
}

/* ---- boxes ---- */

static u32 box_number(const Scene *s, const SceneBox *b)
{
    return b->owner ? (u32)scene_node_at(s, b->owner)->id : (u32)b->owner_id;
}

static int show_box(Slot *s, const SceneBox *b)
{
    for (size_t i = 0; i < s->titles.len; i++) {
        const SceneBox *t = &s->titles.at[i];
        if (t->kind == b->kind && t->owner_id == b->owner_id && t->repeat == b->repeat &&
            t->closed == b->closed && same_text(t->title, b->title) &&
            same_text(t->subtitle, b->subtitle))
            return (int)i;
    }
    vec_push(&s->titles, *b);
    return (int)s->titles.len - 1;
}

static void place_box(Placer *p, int k)
{
    const SceneBox *b = scene_box_at(p->now.scene, k);
    u32 id = box_number(p->now.scene, b), from;
    int parent = p->now.box_at[b->parent], slot = find_box(p, parent, id, b->kind, true);
    for (size_t at = 0; !slot && (from = came_from(p->state, id, &at));)
        slot = find_box(p, parent, from, b->kind, true);
    if (!slot)
        slot = find_box(p, parent, id, b->kind, false);
    if (!slot)
        slot = recycle_box(&p->now, parent, b->kind);
    if (!slot) {
        vec_push(&p->now.u->boxes, ((Slot){.box = parent, .now = -1, .last = -1}));
        slot = (int)p->now.u->boxes.len;
    }
    Slot *s = &p->now.u->boxes.at[slot - 1];
    s->last = p->now.index;
    s->next = show_box(s, b);
    p->now.box_at[k] = slot;
}

/* ---- nodes ---- */

static int show_node(Slot *s, const SceneNode *n)
{
    for (size_t i = 0; i < s->shows.len; i++) {
        const SceneNode *t = &s->shows.at[i];
        if (t->id == n->id && t->role == n->role && t->cls == n->cls &&
            same_text(t->label, n->label) && same_text(t->detail, n->detail) &&
            same_text(t->value, n->value) && same_text(t->op, n->op))
            return (int)i;
    }
    vec_push(&s->shows, *n);
    return (int)s->shows.len - 1;
}

static void settle(Placer *p, int k, int slot)
{
    if (!slot)
        return;
    Slot *s = &p->now.u->nodes.at[slot - 1];
    s->last = p->now.index;
    s->next = show_node(s, scene_node_at(p->now.scene, k));
    p->now.node_at[k] = slot;
}

static bool in_rebuilt_loop(const Placer *p, int box)
{
    for (; box; box = scene_box_at(p->now.scene, box)->parent)
        for (size_t i = 0; i < p->state->loops.len; i++)
            if ((u32)scene_box_at(p->now.scene, box)->owner_id == p->state->loops.at[i])
                return true;
    return false;
}

static u64 feed_hash(int from, int from_box, const char *head)
{
    u64 h = hash_mix((u64)from, (u64)from_box * 3 + 1);
    return head ? hash_bytes(head, strlen(head), h) : h;
}

static u64 feeds_of(const Placer *p, int k)
{
    u64 h = 0;
    for (size_t i = 0; i < p->now.scene->edges.len; i++) {
        const SceneEdge *e = &p->now.scene->edges.at[i];
        if (e->to == k && e->kind != EDGE_LOOPBACK)
            h += feed_hash(p->now.node_at[e->from], p->now.box_at[e->from_box], e->head);
    }
    return h;
}

/* In a body that was built anew: what does the same, with `exact` on the same. */
static int find_alike(const Placer *p, int box, int k, bool exact)
{
    const SceneNode *n = scene_node_at(p->now.scene, k);
    u64 feeds = exact ? feeds_of(p, k) : 0;
    for (size_t i = 0; i < p->now.u->nodes.len; i++) {
        const Slot *s = &p->now.u->nodes.at[i];
        if (s->box != box || s->now < 0 || !is_free(p, s) || (exact && s->feeds != feeds))
            continue;
        const SceneNode *was = &s->shows.at[s->now];
        if (was->role == n->role && same_text(was->op, n->op) && same_label(was, n) &&
            same_text(was->detail, n->detail))
            return (int)i + 1;
    }
    return 0;
}

enum { BY_NUMBER, BY_STEP, BY_FEEDS, BY_LOOKS, RETURNED, RECYCLED, PLACE_WAYS };

static int find_way(const Placer *p, int k, int way)
{
    const SceneNode *n = scene_node_at(p->now.scene, k);
    int box = p->now.box_at[n->box], slot = 0;
    u32 id = (u32)n->id, from;
    size_t at = 0;
    switch (way) {
    case BY_NUMBER: return find_node(p, box, id, n, true);
    case BY_STEP:
        while (id && !slot && (from = came_from(p->state, id, &at)))
            slot = find_node(p, box, from, n, true);
        return slot;
    case RETURNED: return find_node(p, box, id, n, false);
    case RECYCLED: return recycle_node(&p->now, k);
    default: return in_rebuilt_loop(p, n->box) ? find_alike(p, box, k, way == BY_FEEDS) : 0;
    }
}

static void place_nodes(Placer *p)
{
    int n = (int)p->now.scene->nodes.len;
    for (int way = 0; way < PLACE_WAYS; way++)
        for (int k = 1; k <= n; k++)
            if (!p->now.node_at[k])
                settle(p, k, find_way(p, k, way));
    for (int k = 1; k <= n; k++)
        if (!p->now.node_at[k]) {
            int box = p->now.box_at[scene_node_at(p->now.scene, k)->box];
            vec_push(&p->now.u->nodes, ((Slot){.box = box, .now = -1, .last = -1}));
            settle(p, k, (int)p->now.u->nodes.len);
        }
}

/* ---- edges ---- */

static bool fits_edge(const EdgeSlot *s, const SceneEdge *e)
{
    const SceneEdge *w = &s->edge;
    return w->from == e->from && w->to == e->to && w->from_box == e->from_box &&
           w->to_box == e->to_box && w->kind == e->kind && same_text(w->head, e->head) &&
           same_text(w->tail, e->tail);
}

static void place_edge(Placer *p, const SceneEdge *edge)
{
    SceneEdge e = *edge;
    e.from = p->now.node_at[e.from];
    e.to = p->now.node_at[e.to];
    e.from_box = p->now.box_at[e.from_box];
    e.to_box = p->now.box_at[e.to_box];
    u32 b = bucket((u64)(e.from * 8 + e.from_box), (u64)(e.to * 8 + e.to_box));
    int k = p->edge_heads[b];
    while (k && (p->now.u->edges.at[k - 1].last == p->now.index ||
                 !fits_edge(&p->now.u->edges.at[k - 1], &e)))
        k = p->now.u->edges.at[k - 1].chain;
    if (!k) {
        vec_push(&p->now.u->edges,
                 ((EdgeSlot){.edge = e, .now = -1, .last = -1, .chain = p->edge_heads[b]}));
        k = p->edge_heads[b] = (int)p->now.u->edges.len;
    }
    p->now.u->edges.at[k - 1].last = p->now.index;
}

/* ---- states ---- */

static void commit(Placer *p)
{
    Delta d = {0};
    for (size_t i = 0; i < p->now.u->nodes.len; i++) {
        Slot *s = &p->now.u->nodes.at[i];
        int next = s->last == p->now.index ? s->next : -1;
        if (next != s->now)
            vec_push(&d.nodes, ((Show){(int)i + 1, next}));
        s->now = next;
        s->life += next >= 0;
        if (next >= 0)
            s->id = (u32)s->shows.at[next].id;
        s->feeds = 0;
    }
    for (size_t i = 0; i < p->now.u->boxes.len; i++) {
        Slot *s = &p->now.u->boxes.at[i];
        int next = s->last == p->now.index ? s->next : -1;
        if (next != s->now)
            vec_push(&d.boxes, ((Show){(int)i + 1, next}));
        s->now = next;
        s->life += next >= 0;
    }
    for (int k = 1; k <= (int)p->now.scene->boxes.len; k++)
        p->now.u->boxes.at[p->now.box_at[k] - 1].id =
            box_number(p->now.scene, scene_box_at(p->now.scene, k));
    for (size_t i = 0; i < p->now.u->edges.len; i++) {
        EdgeSlot *s = &p->now.u->edges.at[i];
        int next = s->last == p->now.index ? 0 : -1;
        if (next != s->now)
            vec_push(&d.edges, ((Show){(int)i + 1, next}));
        s->now = next;
        if (next >= 0 && s->edge.to && s->edge.kind != EDGE_LOOPBACK)
            p->now.u->nodes.at[s->edge.to - 1].feeds +=
                feed_hash(s->edge.from, s->edge.from_box, s->edge.head);
    }
    vec_push(&p->now.u->states, d);
}

static void place_state(Placer *p, const State *state, int index)
{
    p->state = state;
    p->now.scene = state->scene;
    p->now.index = index;
    p->now.since = state->since;
    p->now.node_at = xcalloc(p->now.scene->nodes.len + 1, sizeof *p->now.node_at);
    p->now.box_at = xcalloc(p->now.scene->boxes.len + 1, sizeof *p->now.box_at);
    hash_slots(p->now.u->nodes.at, p->now.u->nodes.len, p->heads);
    hash_slots(p->now.u->boxes.at, p->now.u->boxes.len, p->box_heads);
    for (int k = 1; k <= (int)p->now.scene->boxes.len; k++)
        place_box(p, k);
    place_nodes(p);
    for (size_t i = 0; i < p->now.scene->edges.len; i++)
        place_edge(p, &p->now.scene->edges.at[i]);
    commit(p);
    free(p->now.node_at);
    free(p->now.box_at);
}

/* ---- the scene of everything ---- */

static size_t text_length(const char *s) { return s ? strlen(s) : 0; }

static size_t node_room(const SceneNode *n)
{
    size_t label = text_length(n->label) * 5 / 4 + (n->id ? 6 : 0), detail = text_length(n->detail);
    return 4 * (label > detail ? label : detail) + label + text_length(n->value);
}

static SceneNode widest_node(const Slot *s)
{
    SceneNode best = s->shows.at[0];
    for (size_t i = 1; i < s->shows.len; i++)
        if (node_room(&s->shows.at[i]) > node_room(&best))
            best = s->shows.at[i];
    best.box = s->box;
    best.mark = MARK_NONE;
    best.focus = false;
    best.tooltip = NULL;
    return best;
}

static SceneBox widest_box(const Slot *s)
{
    SceneBox best = s->titles.at[0];
    bool closed = best.closed;
    for (size_t i = 1; i < s->titles.len; i++) {
        const SceneBox *b = &s->titles.at[i];
        closed = closed && b->closed;
        if (text_length(b->title) + text_length(b->subtitle) >
            text_length(best.title) + text_length(best.subtitle))
            best = *b;
    }
    best.closed = closed;
    best.parent = s->box;
    best.owner = 0;
    best.mark = MARK_NONE;
    best.tooltip = NULL;
    return best;
}

Scene *union_scene(const Union *u, const int *part, int which)
{
    Scene *scene = scene_new(NULL);
    int *node_at = xcalloc(u->nodes.len + 1, sizeof *node_at);
    int *box_at = xcalloc(u->boxes.len + 1, sizeof *box_at);
    scene->no_legend = true;
    for (size_t i = 0; i < u->boxes.len; i++) {
        SceneBox b = widest_box(&u->boxes.at[i]);
        b.parent = box_at[b.parent];
        if (part[u->nodes.len + i] == which)
            box_at[i + 1] = scene_box(scene, &b);
    }
    for (size_t i = 0; i < u->nodes.len; i++) {
        SceneNode n = widest_node(&u->nodes.at[i]);
        n.box = box_at[n.box];
        if (part[i] == which)
            node_at[i + 1] = scene_node(scene, &n);
    }
    for (size_t i = 0; i < u->edges.len; i++) {
        SceneEdge e = u->edges.at[i].edge;
        if (!union_holds(u, part, which, &e))
            continue;
        e.from = node_at[e.from];
        e.to = node_at[e.to];
        e.from_box = box_at[e.from_box];
        e.to_box = box_at[e.to_box];
        scene_edge(scene, &e);
    }
    free(node_at);
    free(box_at);
    return scene;
}

static int part_of_end(const Union *u, const int *part, int node, int box)
{
    return box ? part[u->nodes.len + (size_t)box - 1] : node ? part[node - 1] : -1;
}

bool union_holds(const Union *u, const int *part, int which, const SceneEdge *e)
{
    return part_of_end(u, part, e->from, e->from_box) == which &&
           part_of_end(u, part, e->to, e->to_box) == which;
}

void union_build(Union *u, const View *v)
{
    *u = (Union){0};
    Placer *p = xcalloc(1, sizeof *p);
    p->now.u = u;
    for (size_t i = 0; i < v->states.len; i++)
        place_state(p, &v->states.at[i], (int)i);
    free(p);
}

void union_free(Union *u)
{
    for (size_t i = 0; i < u->nodes.len; i++)
        vec_free(&u->nodes.at[i].shows);
    for (size_t i = 0; i < u->boxes.len; i++)
        vec_free(&u->boxes.at[i].titles);
    for (size_t i = 0; i < u->states.len; i++) {
        vec_free(&u->states.at[i].nodes);
        vec_free(&u->states.at[i].boxes);
        vec_free(&u->states.at[i].edges);
    }
    vec_free(&u->nodes);
    vec_free(&u->boxes);
    vec_free(&u->edges);
    vec_free(&u->states);
}
