/* What became of the nodes of one state by another: each followed through the steps between.
 *
 * A rule on a node with several results changes its projections; the node that the new projections
 * stand on then is the successor, if it has the same operator. */
#include "rewrite/history.h"

typedef struct {
    NodeVec order; /* the nodes at first */
    Node **now;    /* what each is; NULL: gone */
} Passage;

/* Did this step put something else in the place of n? */
static bool is_replaced(const Step *s, const Node *n)
{
    for (int i = 0; i < s->nchanges && !step_rewrites_inside(s); i++)
        if (s->changes[i].before == n)
            return true;
    return false;
}

static Node *successor(const Step *s, const Node *tuple)
{
    for (int i = 0; i < s->nchanges; i++) {
        const Change *c = &s->changes[i];
        if (c->before->op == OP_PROJ && c->after->op == OP_PROJ && c->before->ops[0] == tuple &&
            c->after->ops[0]->op == tuple->op)
            return c->after->ops[0];
    }
    return NULL;
}

/* A result of a rebuilt node is the same result to those who look. */
static Node *same_result(const Step *s, const Node *n)
{
    for (int i = 0; i < s->nchanges; i++) {
        const Change *c = &s->changes[i];
        if (c->before == n && c->after->op == OP_PROJ && c->after->ops[0]->op == n->ops[0]->op)
            return c->after;
    }
    return NULL;
}

static void follow(Passage *p, const Walk *w, const Step *s)
{
    for (size_t i = 0; i < p->order.len; i++) {
        Node *n = p->now[i], *next;
        if (!n)
            continue;
        if (is_replaced(s, n))
            p->now[i] = n->op == OP_PROJ ? same_result(s, n) : NULL;
        else if (n->type->kind == TYPE_TUPLE && (next = successor(s, n)) != NULL)
            p->now[i] = next;
        else if (map_has(&w->moved, n))
            p->now[i] = map_get(&w->moved, n);
    }
}

/* First those that are what they were, so that nothing else takes their place. */
static void settle(const Passage *p, const PtrMap *there, PtrMap *went)
{
    PtrMap taken = {0};
    for (size_t i = 0; i < p->order.len; i++) {
        Node *n = p->order.at[i];
        if (map_has(there, n)) {
            map_put(went, n, n);
            map_put(&taken, n, n);
        }
    }
    for (size_t i = 0; i < p->order.len; i++) {
        Node *n = p->order.at[i], *now = p->now[i];
        if (!now || map_has(went, n) || !map_has(there, now) || map_has(&taken, now))
            continue;
        map_put(went, n, now);
        map_put(&taken, now, now);
    }
    map_free(&taken);
}

bool exploration_follow(Exploration *x, u32 from, u32 to, Node *const *roots, NodeVec *nodes)
{
    Walk w;
    bool ok = true;
    walk_begin(&w, x->st, &x->log, x->nroots, roots);
    for (w.at = from; w.at < to && ok;) {
        ok = walk_next(&w);
        for (size_t i = 0; i < nodes->len && ok; i++)
            if (map_has(&w.moved, nodes->at[i]))
                nodes->at[i] = map_get(&w.moved, nodes->at[i]);
    }
    NodeVec after = {0};
    PtrMap there = {0};
    nodes_topo(x->nroots, w.roots, &after);
    for (size_t i = 0; i < after.len; i++)
        map_put(&there, after.at[i], after.at[i]);
    for (size_t i = 0; i < nodes->len; i++)
        if (!map_has(&there, nodes->at[i]))
            nodes->at[i] = NULL;
    map_free(&there);
    vec_free(&after);
    walk_end(&w);
    return ok;
}

bool exploration_passage(Exploration *x, u32 from, u32 to, Node *const *roots, PtrMap *went)
{
    Passage p = {0};
    Walk w;
    bool ok = true;
    nodes_topo(x->nroots, roots, &p.order);
    p.now = xmalloc((p.order.len + 1) * sizeof *p.now);
    for (size_t i = 0; i < p.order.len; i++)
        p.now[i] = p.order.at[i];
    walk_begin(&w, x->st, &x->log, x->nroots, roots);
    w.at = from;
    while (w.at < to && ok) {
        const Step *s = &x->log.at.at[w.at];
        ok = walk_next(&w);
        if (ok)
            follow(&p, &w, s);
    }
    if (ok) {
        NodeVec after = {0};
        PtrMap there = {0};
        nodes_topo(x->nroots, w.roots, &after);
        for (size_t i = 0; i < after.len; i++)
            map_put(&there, after.at[i], after.at[i]);
        settle(&p, &there, went);
        map_free(&there);
        vec_free(&after);
    }
    walk_end(&w);
    free(p.now);
    vec_free(&p.order);
    return ok;
}
