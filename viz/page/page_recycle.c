/* Places for what is new, among those of what is long gone: fewer places make a smaller picture.
 *
 * Invariant: what is gone and what is new are never in the same picture: the place was empty in all
 * states that any step shows together with this one. No edge through it leads upwards that did not
 * before, as far as is looked. */
#include "viz/page/page_parts.h"

enum { TRIED = 12, LIKE_OP = 3, LIKE_LABEL = 2, LIKE_OPERAND = 2 };

typedef struct {
    int slot, score;
} Candidate;

static bool is_pill(const SceneNode *n) { return n->role >= ROLE_INPUT && n->role <= ROLE_CAPTURE; }

static bool same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

/* Is there a way along edges from one slot to another? */
static bool leads_to(const Union *u, int from, int to)
{
    bool *seen = xcalloc(u->nodes.len + 1, sizeof *seen);
    bool grew = true;
    seen[from] = true;
    while (grew && !seen[to]) {
        grew = false;
        for (size_t i = 0; i < u->edges.len; i++) {
            const SceneEdge *e = &u->edges.at[i].edge;
            if (e->kind == EDGE_LOOPBACK || !e->to || seen[e->to] || !seen[e->from])
                continue;
            seen[e->to] = grew = true;
        }
    }
    bool found = seen[to];
    free(seen);
    return found;
}

static bool had_edge(const Union *u, int from, int to)
{
    for (size_t i = 0; i < u->edges.len; i++)
        if (u->edges.at[i].edge.from == from && u->edges.at[i].edge.to == to)
            return true;
    return false;
}

static bool is_sound(const Placing *p, int k, int slot)
{
    for (size_t i = 0; i < p->scene->edges.len; i++) {
        const SceneEdge *e = &p->scene->edges.at[i];
        if (e->kind == EDGE_LOOPBACK)
            continue;
        if (e->to == k && e->from && p->node_at[e->from] &&
            leads_to(p->u, slot, p->node_at[e->from]))
            return false;
        if (e->from == k && e->to && p->node_at[e->to] && leads_to(p->u, p->node_at[e->to], slot))
            return false;
    }
    return true;
}

static int score_of(const Placing *p, int k, int slot)
{
    const Slot *s = &p->u->nodes.at[slot - 1];
    const SceneNode *n = scene_node_at(p->scene, k), *was = &s->shows.at[s->shows.len - 1];
    int score = LIKE_OP * same(n->op, was->op) + LIKE_LABEL * same(n->label, was->label) +
                (n->role == was->role);
    for (size_t i = 0; i < p->scene->edges.len; i++) {
        const SceneEdge *e = &p->scene->edges.at[i];
        if (e->to == k && e->from && p->node_at[e->from] &&
            had_edge(p->u, p->node_at[e->from], slot))
            score += LIKE_OPERAND;
    }
    return score;
}

int recycle_node(const Placing *p, int k)
{
    const SceneNode *n = scene_node_at(p->scene, k);
    int box = p->box_at[n->box], count = 0;
    Candidate best[TRIED];
    for (size_t i = 0; i < p->u->nodes.len; i++) {
        const Slot *s = &p->u->nodes.at[i];
        if (s->box != box || s->last >= p->since || is_pill(n) != is_pill(&s->shows.at[0]))
            continue;
        Candidate c = {(int)i + 1, score_of(p, k, (int)i + 1)};
        int at = count < TRIED ? count++ : TRIED;
        while (at > 0 && best[at - 1].score < c.score) {
            if (at < TRIED)
                best[at] = best[at - 1];
            at--;
        }
        if (at < TRIED)
            best[at] = c;
    }
    for (int i = 0; i < count; i++)
        if (is_sound(p, k, best[i].slot))
            return best[i].slot;
    return 0;
}

int recycle_box(const Placing *p, int parent, SceneBoxKind kind)
{
    for (size_t i = 0; i < p->u->boxes.len; i++) {
        const Slot *s = &p->u->boxes.at[i];
        if (s->box == parent && s->last < p->since && s->titles.at[s->titles.len - 1].kind == kind)
            return (int)i + 1;
    }
    return 0;
}
