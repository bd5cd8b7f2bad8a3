/* The scenes of passes put together: which slot holds what in which state.
 *
 * A thing (rewrite/things.h) has one slot in a box for as long as it is in some state, and so has
 * what takes over from it as a copy: what a step marks is what it changed.
 *
 * Invariant: in one state a slot holds at most one thing; slot k of a box is made
 * before the slots of what stands in it. */
#include "viz/page/page_parts.h"

enum { BUCKETS = 1 << 16 };

typedef VEC(int) Slots;
typedef MAP(u64, int) SlotMap; /* key -> slot */

/* A state on its way into a union. */
typedef struct {
    Union *u;
    const Scene *scene;
    int index;
    int *node_at; /* scene node -> slot; 0: not yet */
    int *box_at;
} Placing;

typedef struct {
    Placing now;
    SlotMap slots, box_slots;
    MAP(u64, size_t) origins; /* box and origin -> its place in `copies` + 1 */
    VEC(Slots) copies;        /* the slots of nodes that ever held what has this origin, in order */
    int edge_heads[BUCKETS];
} Placer;

static u32 bucket(u64 a, u64 b) { return (u32)(hash_mix(a + 1, b + 7) % BUCKETS); }

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0) || ((!a || !*a) && (!b || !*b));
}

/* ---- finding slots ---- */

/* What stands in a box: the thing, or what it looks like if it is none; the nth that is so. */
static u64 node_key(int box, const SceneNode *n, int nth)
{
    u64 what = n->thing;
    if (!what)
        what = hash_bytes(n->label ? n->label : "", n->label ? strlen(n->label) : 0,
                          (u64)n->role + 1) |
               (u64)1 << 63;
    return hash_mix(hash_mix((u64)box, what), (u64)nth) | 1;
}

/* A loop may stand where the scan stood that it comes from. */
static SceneBoxKind place_kind(SceneBoxKind k) { return k == BOX_LOOP ? BOX_SCAN : k; }

static u64 box_key(int parent, const SceneBox *b, int nth)
{
    return hash_mix(hash_mix((u64)parent, b->thing), (u64)place_kind(b->kind) << 32 | (u32)nth) | 1;
}

static bool is_free(const Placer *p, const Slot *s) { return s->last != p->now.index; }

/* The slot of a key, if nothing else has stood in it since; 0: none. */
static int slot_of(const Placer *p, const SlotMap *slots, const Slot *all, u64 key)
{
    int k = map_get(slots, key);
    return k && is_free(p, &all[k - 1]) && all[k - 1].key == key ? k : 0;
}

static u64 origin_key(int box, u32 origin) { return ((u64)box << 32 | origin) + 1; }

/* The slot in a box of what this is a copy of, or what is a copy of this. */
static int slot_of_copy(const Placer *p, int box, u32 origin)
{
    size_t known = map_get(&p->origins, origin_key(box, origin));
    const Slots *all = known ? &p->copies.at[known - 1] : NULL;
    for (size_t i = 0; all && i < all->len; i++) {
        const Slot *s = &p->now.u->nodes.at[all->at[i] - 1];
        if (s->origin == origin && s->now >= 0 && is_free(p, s))
            return all->at[i];
    }
    return 0;
}

static void note_copy(Placer *p, int slot, u32 origin)
{
    u64 key = origin_key(p->now.u->nodes.at[slot - 1].box, origin);
    size_t known = origin ? map_get(&p->origins, key) : 0;
    if (!origin)
        return;
    if (!known) {
        vec_push(&p->copies, ((Slots){0}));
        known = p->copies.len;
        map_put(&p->origins, key, known);
    }
    Slots *all = &p->copies.at[known - 1];
    size_t at = all->len;
    while (at > 0 && all->at[at - 1] > slot)
        at--;
    if (at > 0 && all->at[at - 1] == slot)
        return;
    vec_push(all, slot);
    memmove(all->at + at + 1, all->at + at, (all->len - 1 - at) * sizeof *all->at);
    all->at[at] = slot;
}

static void occupy(const Placer *p, Slot *s, u64 key, u32 origin)
{
    s->last = p->now.index;
    s->key = key;
    s->origin = origin;
}

/* ---- boxes ---- */

static int show_box(Slot *s, const SceneBox *b)
{
    for (size_t i = 0; i < s->titles.len; i++) {
        const SceneBox *t = &s->titles.at[i];
        if (t->kind == b->kind && t->thing == b->thing && t->repeat == b->repeat &&
            t->closed == b->closed && same_text(t->title, b->title) &&
            same_text(t->subtitle, b->subtitle))
            return (int)i;
    }
    vec_push(&s->titles, *b);
    return (int)s->titles.len - 1;
}

static int copied_box(const Placer *p, int parent, const SceneBox *b)
{
    for (size_t i = 0; i < p->now.u->boxes.len && b->origin; i++) {
        const Slot *s = &p->now.u->boxes.at[i];
        if (s->box == parent && s->origin == b->origin && s->now >= 0 && is_free(p, s) &&
            place_kind(s->titles.at[s->now].kind) == place_kind(b->kind))
            return (int)i + 1;
    }
    return 0;
}

static void place_box(Placer *p, int k)
{
    Union *u = p->now.u;
    const SceneBox *b = scene_box_at(p->now.scene, k);
    int parent = p->now.box_at[b->parent], nth = 0;
    u64 key = box_key(parent, b, nth);
    for (int at; (at = map_get(&p->box_slots, key)) != 0 && !is_free(p, &u->boxes.at[at - 1]);)
        key = box_key(parent, b, ++nth);
    int slot = slot_of(p, &p->box_slots, u->boxes.at, key);
    slot = slot ? slot : copied_box(p, parent, b);
    if (!slot) {
        vec_push(&u->boxes, ((Slot){.box = parent, .now = -1, .last = -1}));
        slot = (int)u->boxes.len;
    }
    map_put(&p->box_slots, key, slot);
    occupy(p, &u->boxes.at[slot - 1], key, b->origin);
    u->boxes.at[slot - 1].next = show_box(&u->boxes.at[slot - 1], b);
    p->now.box_at[k] = slot;
}

/* ---- nodes ---- */

static int show_node(Slot *s, const SceneNode *n)
{
    for (size_t i = 0; i < s->shows.len; i++) {
        const SceneNode *t = &s->shows.at[i];
        if (t->thing == n->thing && t->role == n->role && t->cls == n->cls &&
            same_text(t->label, n->label) && same_text(t->detail, n->detail) &&
            same_text(t->value, n->value) && same_text(t->op, n->op))
            return (int)i;
    }
    vec_push(&s->shows, *n);
    return (int)s->shows.len - 1;
}

enum { OWN, COPIED, NEW, PLACE_WAYS };

static int find_way(Placer *p, int k, u64 key, int way)
{
    const SceneNode *n = scene_node_at(p->now.scene, k);
    int box = p->now.box_at[n->box];
    switch (way) {
    case OWN: return slot_of(p, &p->slots, p->now.u->nodes.at, key);
    case COPIED: return slot_of_copy(p, box, n->origin);
    default:
        vec_push(&p->now.u->nodes, ((Slot){.box = box, .now = -1, .last = -1}));
        return (int)p->now.u->nodes.len;
    }
}

/* The keys of the nodes of the scene. */
static u64 *node_keys(const Placer *p)
{
    size_t n = p->now.scene->nodes.len;
    u64 *keys = xcalloc(n + 1, sizeof *keys);
    SET(u64) met = {0};
    for (int k = 1; k <= (int)n; k++) {
        const SceneNode *at = scene_node_at(p->now.scene, k);
        for (int nth = 0; !keys[k] || map_has(&met, keys[k]); nth++)
            keys[k] = node_key(p->now.box_at[at->box], at, nth);
        set_add(&met, keys[k]);
    }
    map_free(&met);
    return keys;
}

static void place_nodes(Placer *p)
{
    int n = (int)p->now.scene->nodes.len;
    u64 *keys = node_keys(p);
    for (int way = 0; way < PLACE_WAYS; way++)
        for (int k = 1; k <= n; k++) {
            int slot = p->now.node_at[k] ? 0 : find_way(p, k, keys[k], way);
            if (!slot)
                continue;
            const SceneNode *at = scene_node_at(p->now.scene, k);
            Slot *s = &p->now.u->nodes.at[slot - 1];
            map_put(&p->slots, keys[k], slot);
            occupy(p, s, keys[k], at->origin);
            note_copy(p, slot, at->origin);
            s->next = show_node(s, at);
            p->now.node_at[k] = slot;
        }
    free(keys);
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

/* What the slots of nodes, or of boxes, show now; notes in *out where that is something else. */
static void commit_slots(const Placer *p, Slot *at, size_t n, Shows *out)
{
    for (size_t i = 0; i < n; i++) {
        int next = at[i].last == p->now.index ? at[i].next : -1;
        if (next != at[i].now)
            vec_push(out, ((Show){(int)i + 1, next}));
        at[i].now = next;
        at[i].life += next >= 0;
    }
}

static void commit(Placer *p)
{
    Union *u = p->now.u;
    Delta d = {0};
    commit_slots(p, u->nodes.at, u->nodes.len, &d.nodes);
    commit_slots(p, u->boxes.at, u->boxes.len, &d.boxes);
    for (size_t i = 0; i < u->edges.len; i++) {
        EdgeSlot *s = &u->edges.at[i];
        int next = s->last == p->now.index ? 0 : -1;
        if (next != s->now)
            vec_push(&d.edges, ((Show){(int)i + 1, next}));
        s->now = next;
        s->life += next >= 0;
    }
    vec_push(&u->states, d);
}

/* The slots of what a row that leads to this state changed. */
static void mark_row(const Placer *p, const Scene *scene, Row *r)
{
    for (int k = 1; k <= (int)scene->nodes.len; k++)
        if (scene_node_at(scene, k)->mark == MARK_CHANGED)
            vec_push(&r->changed_nodes, p->now.node_at[k]);
    for (int k = 1; k <= (int)scene->boxes.len; k++)
        if (scene_box_at(scene, k)->mark == MARK_CHANGED)
            vec_push(&r->changed_boxes, p->now.box_at[k]);
}

static void place_state(Placer *p, View *v, int index)
{
    const State *state = &v->states.at[index];
    p->now.scene = state->scene;
    p->now.index = index;
    p->now.node_at = xcalloc(p->now.scene->nodes.len + 1, sizeof *p->now.node_at);
    p->now.box_at = xcalloc(p->now.scene->boxes.len + 1, sizeof *p->now.box_at);
    for (int k = 1; k <= (int)p->now.scene->boxes.len; k++)
        place_box(p, k);
    place_nodes(p);
    for (size_t i = 0; i < p->now.scene->edges.len; i++)
        place_edge(p, &p->now.scene->edges.at[i]);
    commit(p);
    for (size_t i = 0; i < v->rows.len; i++) {
        Row *r = &v->rows.at[i];
        if (r->after == index && r->before != index)
            mark_row(p, r->scene ? r->scene : state->scene, r);
    }
    free(p->now.node_at);
    free(p->now.box_at);
}

/* ---- all ---- */

void union_build(Union *u, View *v)
{
    *u = (Union){0};
    Placer *p = xcalloc(1, sizeof *p);
    p->now.u = u;
    for (size_t i = 0; i < v->states.len; i++)
        place_state(p, v, (int)i);
    map_free(&p->slots);
    map_free(&p->box_slots);
    map_free(&p->origins);
    for (size_t i = 0; i < p->copies.len; i++)
        vec_free(&p->copies.at[i]);
    vec_free(&p->copies);
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
