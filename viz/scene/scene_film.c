/* Which nodes and boxes of the pictures of a film are one, so that they can stand in one place.
 *
 * A node is the thing that it shows, in the box that it stands in; what shows no thing is told by
 * its words. A box is its owner's thing and what it is of it. Copies count as what they are copied
 * from. Where two of one picture are alike, they are told by their order.
 *
 * Invariant: in one frame no two nodes and no two boxes have one place. */
#include "viz/scene/scene.h"

typedef struct {
    int around; /* the place of the box it stands in */
    u32 thing, words;
    int kind, nth;
} Key;

typedef struct {
    VEC(Key) keys;  /* by place - 1 */
    VEC(int) next;  /* of the same hash */
    VEC(int) frame; /* the last one in which something took it */
    int heads[512];
} Places;

static u32 hash_text(u32 h, const char *s)
{
    for (; s && *s; s++)
        h = (h ^ (u8)*s) * 16777619u;
    return (h ^ 0x1f) * 16777619u;
}

static bool same_key(const Key *a, const Key *b)
{
    return a->around == b->around && a->thing == b->thing && a->words == b->words &&
           a->kind == b->kind && a->nth == b->nth;
}

/* The place of what has this key, the first one that is free in the frame. */
static int take_place(Places *p, Key key, int frame)
{
    for (key.nth = 0;; key.nth++) {
        u32 hash = (u32)key.around * 31 + key.thing * 131 + key.words + (u32)key.kind * 7 +
                   (u32)key.nth * 1009;
        int *head = &p->heads[hash % COUNT_OF(p->heads)], at = *head;
        while (at && !same_key(&p->keys.at[at - 1], &key))
            at = p->next.at[at - 1];
        if (!at) {
            vec_push(&p->keys, key);
            vec_push(&p->next, *head);
            vec_push(&p->frame, 0);
            at = *head = (int)p->keys.len;
        }
        if (p->frame.at[at - 1] == frame)
            continue;
        p->frame.at[at - 1] = frame;
        return at;
    }
}

static int frame_around(const Scene *s, int box)
{
    while (box && scene_box_at(s, box)->kind != BOX_FRAME)
        box = scene_box_at(s, box)->parent;
    return box;
}

static int place_around(const Scene *s, int box) { return box ? scene_box_at(s, box)->place : 0; }

static int place_of_box(const Scene *s, Places *p, int k)
{
    const SceneBox *b = scene_box_at(s, k);
    Key key = {.around = place_around(s, b->parent), .kind = 64 + (int)b->kind * 2 + b->closed};
    key.thing = b->origin ? b->origin : b->thing;
    key.words = key.thing || b->kind == BOX_FRAME ? 0 : hash_text(0, b->title);
    return take_place(p, key, frame_around(s, k));
}

static int place_of_node(const Scene *s, Places *p, int k)
{
    const SceneNode *n = scene_node_at(s, k);
    Key key = {.around = place_around(s, n->box)};
    key.thing = n->origin ? n->origin : n->thing;
    key.words = key.thing ? 0 : hash_text(hash_text(hash_text(0, n->op), n->label), n->detail);
    return take_place(p, key, frame_around(s, n->box));
}

void scene_find_places(Scene *s)
{
    Places p = {0};
    for (int k = 1; (size_t)k <= s->boxes.len; k++)
        scene_box_at(s, k)->place = place_of_box(s, &p, k);
    for (int k = 1; (size_t)k <= s->nodes.len; k++)
        scene_node_at(s, k)->place = place_of_node(s, &p, k);
    vec_free(&p.keys);
    vec_free(&p.next);
    vec_free(&p.frame);
}
