/* What two states of a graph differ in: nodes that came in, nodes that went (drawn once more, as
 * ghosts), inner graphs that changed, edges that were laid anew.
 *
 * Partners are the two nodes of one thing (rewrite/things.h).
 *
 * Invariant: everything that is marked differs, and everything that differs is marked: a node
 * without a partner, an edge of which the partner's ends are not joined. */
#include "graph/walk.h"
#include "rewrite/things.h"
#include "viz/scene/scene_parts.h"

struct Diff {
    const Things *things;
    const Graph *body, *was; /* NULL: the outermost graph */
    const Node *owner;       /* of the graph before */
    int nbefore, nafter;
    Node *const *before, *const *after;
    NodeMap back;                    /* node -> its partner before */
    NodeMap onward;                  /* node before -> its partner */
    MAP(Node *, const Graph *) home; /* partner before that stood in an inner graph -> that */
    MAP(Node *, End *) ghosts;       /* node before -> End*, as drawn */
    struct Diff *next;
};

/* ---- pairs ---- */

static const Thing *thing_in(const Builder *b, const Graph *g, const Node *n)
{
    Numbering at = *b->num;
    at.within = g;
    return numbering_thing(&at, n);
}

static void pair_things(Builder *b, Diff *d)
{
    NodeVec before = {0}, after = {0};
    MAP(const Thing *, Node *) was = {0};
    nodes_topo(d->nbefore, d->before, &before);
    nodes_topo(d->nafter, d->after, &after);
    for (size_t i = 0; i < before.len; i++) {
        const Thing *t = thing_in(b, d->was, before.at[i]);
        if (t && !map_has(&was, t))
            map_put(&was, t, before.at[i]);
        if (t && t->of && !map_has(&was, thing_original(t)))
            map_put(&was, thing_original(t), before.at[i]);
    }
    for (int exact = 1; exact >= 0; exact--)
        for (size_t i = 0; i < after.len; i++) {
            Node *n = after.at[i];
            const Thing *t = thing_in(b, d->body, n);
            Node *m = t ? map_get(&was, exact ? t : thing_original(t)) : NULL;
            if (!m || map_has(&d->onward, m) || map_has(&d->back, n))
                continue;
            map_put(&d->onward, m, n);
            map_put(&d->back, n, m);
        }
    map_free(&was);
    vec_free(&before);
    vec_free(&after);
}

/* What stood in an inner graph and stands here now: what a derivative or a call was taken apart
 * into. */
static void pair_moved(Builder *b, Diff *d)
{
    StandingVec before = {0};
    NodeVec after = {0};
    MAP(const Thing *, Node *) wanted = {0};
    nodes_topo(d->nafter, d->after, &after);
    for (size_t i = 0; i < after.len; i++) {
        const Thing *t = thing_in(b, d->body, after.at[i]);
        if (t && !map_has(&d->back, after.at[i]))
            map_put(&wanted, t, after.at[i]);
    }
    if (wanted.len)
        nodes_standing(d->nbefore, d->before, d->was, &before);
    for (size_t i = 0; i < before.len; i++) {
        const Standing *at = &before.at[i];
        const Thing *t = at->within == d->was ? NULL : thing_in(b, at->within, at->node);
        Node *now = t ? map_get(&wanted, t) : NULL;
        if (!now || map_has(&d->back, now))
            continue;
        map_put(&d->back, now, at->node);
        map_put(&d->home, at->node, at->within);
    }
    map_free(&wanted);
    vec_free(&before);
    vec_free(&after);
}

static Diff *diff_new(Builder *b, const Graph *was, const Graph *body, int nbefore,
                      Node *const *before, int nafter, Node *const *after)
{
    Diff *d = arena_alloc(&b->arena, sizeof *d);
    *d = (Diff){.things = b->num->things,
                .was = was,
                .body = body,
                .nbefore = nbefore,
                .nafter = nafter,
                .before = before,
                .after = after,
                .next = b->diffs};
    b->diffs = d;
    pair_things(b, d);
    pair_moved(b, d);
    return d;
}

const Diff *diff_outermost(Builder *b, int nroots, Node *const *roots)
{
    const Graph *g = b->num->within;
    return diff_new(b, g, g, nroots, b->options->before, nroots, roots);
}

const Diff *diff_inside(Builder *b, const Diff *around, const Node *owner, Graph *g)
{
    const Node *was = around ? map_get(&around->back, owner) : NULL;
    int slots[4], old[4];
    int n = was ? node_graphs(owner, slots) : 0, m = was ? node_graphs(was, old) : 0;
    for (int i = 0; i < n && i < m; i++) {
        const Graph *before = was->attrs[old[i]].graph;
        if (owner->attrs[slots[i]].graph != g || before == g)
            continue;
        diff_new(b, before, g, before->nouts, before->outs, g->nouts, g->outs);
        b->diffs->owner = was;
        return b->diffs;
    }
    return NULL;
}

void diff_free(Builder *b)
{
    for (Diff *d = b->diffs; d; d = d->next) {
        map_free(&d->back);
        map_free(&d->onward);
        map_free(&d->home);
        map_free(&d->ghosts);
    }
}

/* ---- marks ---- */

static bool has_other_graph(const Node *was, const Node *n)
{
    int slots[4], old[4];
    int count = node_graphs(n, slots);
    bool other = count != node_graphs(was, old);
    for (int i = 0; i < count && !other; i++)
        other = was->attrs[old[i]].graph != n->attrs[slots[i]].graph;
    return other;
}

SceneMark diff_mark(const Diff *d, const Node *n)
{
    if (!d)
        return MARK_NONE;
    const Node *was = map_get(&d->back, n);
    const Graph *home = was && map_has(&d->home, was) ? map_get(&d->home, was) : d->was;
    return !was ? MARK_ADDED
           : has_other_graph(was, n) ||
                   (home == d->was && thing_differs(d->things, home, was, d->body, n))
               ? MARK_CHANGED
               : MARK_NONE;
}

/* A value counts as there if what makes it is: a projection of a rebuilt loop is. */
static Node *partner(const NodeMap *m, const Node *n)
{
    Node *p = map_get(m, n), *tuple;
    if (!p && n->op == OP_PROJ && (tuple = map_get(m, n->ops[0])) != NULL)
        return tuple;
    return p;
}

static bool reads_partner(const Node *user, const Node *operand)
{
    for (u32 i = 0; i < user->nops; i++)
        if (user->ops[i] == operand ||
            (user->ops[i]->op == OP_PROJ && user->ops[i]->ops[0] == operand))
            return true;
    return false;
}

SceneMark diff_edge(const Diff *d, const Node *user, const Node *operand)
{
    if (!d)
        return MARK_NONE;
    const Node *user_was = map_get(&d->back, user), *was = partner(&d->back, operand);
    bool there = user_was && was && reads_partner(user_was, was);
    return there ? MARK_NONE : MARK_ADDED;
}

/* ---- ghosts ---- */

/* By the names of the graph before. */
static Phrase ghost_words(Builder *b, const Diff *d, const Node *n)
{
    if (n->op == OP_PARAM && d->was)
        return (Phrase){.text = param_name(b, d->was, (int)n->attrs[0].i)};
    const Graph *now = b->graph, *within = b->num->within;
    b->graph = d->was ? d->was : now;
    b->num->within = d->was ? d->was : within;
    Phrase words = label_words(b, n);
    b->graph = now;
    b->num->within = within;
    return words;
}

/* A node of the graph before. */
static i64 ghost_number(Builder *b, const Frame *f, const Node *n)
{
    const Graph *now = b->num->within;
    b->num->within = f->diff->was;
    i64 id = node_is_inline(n) ? 0 : (i64)number_of(b->num, n);
    b->num->within = now;
    return id;
}

/* What entered a loop before at parameter k, if that was captured. */
static const Node *captured_before(const Diff *d, i64 k)
{
    Entry e = d->owner && d->owner->op == OP_SCAN ? entry_of(d->owner, 0, (int)k) : (Entry){0};
    return e.role == ROLE_CAPTURE ? e.operand : NULL;
}

/* The thing that it was. A captured input is that input, as in scene_control.c. */
static const Thing *ghost_thing(const Builder *b, const Frame *f, const Node *n)
{
    const Node *in = n->op == OP_PARAM ? captured_before(f->diff, n->attrs[0].i) : NULL;
    return in && is_source(in) ? thing_in(b, NULL, in) : thing_in(b, f->diff->was, n);
}

static End draw_ghost(Builder *b, Frame *f, Node *n)
{
    int slots[4];
    i64 id = ghost_number(b, f, n);
    if (node_graphs(n, slots)) {
        SceneBox box = {.kind = BOX_SCAN,
                        .title = n->op == OP_SCAN || n->op == OP_LOOP ? label_loop(b, n)
                                                                      : op_table[n->op].name,
                        .tooltip = label_text(b, "removed\n%s", label_source(b, n)),
                        .mark = MARK_REMOVED,
                        .parent = f->box,
                        .owner_id = id,
                        .closed = true};
        thing_ids(ghost_thing(b, f, n), &box.thing, &box.origin);
        return (End){.box = scene_box(b->scene, &box)};
    }
    SceneNode s = {.id = id,
                   .op = op_table[n->op].name,
                   .words = ghost_words(b, f->diff, n),
                   .detail = label_type_of(b, n),
                   .tooltip = label_text(b, "removed\n%s", label_source(b, n)),
                   .cls = label_class(n),
                   .role = n->op == OP_PARAM ? ROLE_PARAM : ROLE_NONE,
                   .mark = MARK_REMOVED,
                   .box = f->box};
    thing_ids(ghost_thing(b, f, n), &s.thing, &s.origin);
    return (End){.node = scene_node(b->scene, &s)};
}

/* Where a value of the graph before is drawn now: at a ghost, or at its partner. */
static bool old_end(Builder *b, Frame *f, Node *n, End *out)
{
    const Diff *d = f->diff;
    const End *ghost = map_get(&d->ghosts, n->op == OP_PROJ ? n->ops[0] : n);
    if (ghost) {
        *out = *ghost;
        return true;
    }
    Node *now = map_get(&d->onward, n);
    if (!now && n->op == OP_PROJ) {
        Node *tuple = map_get(&d->onward, n->ops[0]);
        now = tuple && n->attrs[0].i < tuple->type->nitems ? node_proj(b->st, tuple, n->attrs[0].i)
                                                           : NULL;
    }
    bool drawn = now && (map_has(&f->ends, now) ||
                         (now->op == OP_PROJ &&
                          (map_has(&f->ends, now->ops[0]) || map_has(&f->results, now->ops[0]))));
    if (drawn)
        *out = frame_end(b, f, now);
    else if (now && map_has(&f->results, now)) /* the operator itself, as a user */
        *out = (End){.box = map_get(&b->boxes_of, now)};
    return drawn || (now && map_has(&f->results, now) && out->box);
}

static bool is_gone(const Diff *d, const Node *user, const Node *operand)
{
    const Node *u = map_get(&d->onward, user), *o = partner(&d->onward, operand);
    return !(u && o && reads_partner(u, o));
}

/* The ghost of the parameter through which a loop before read its operand k; NULL: there is none.
 */
static const End *ghost_within(const Builder *b, const Node *user, const Node *operand)
{
    if (user->op != OP_SCAN)
        return NULL;
    const Graph *body = user->attrs[0].graph;
    const Diff *d = b->diffs;
    while (d && d->was != body)
        d = d->next;
    for (int p = 0; d && p < body->nparams; p++) {
        const End *e = map_get(&d->ghosts, body->param_nodes[p]);
        if (e && entry_of(user, 0, p).operand == operand)
            return e;
    }
    return NULL;
}

static void draw_lost_edges(Builder *b, Frame *f, Node *user)
{
    for (u32 k = 0; k < user->nops; k++) {
        Node *op = source_operand(b->st, user, k);
        End from, to;
        if (label_folds(op) || op->op == OP_TUPLE || !is_gone(f->diff, user, op) ||
            !old_end(b, f, op, &from) || !old_end(b, f, user, &to))
            continue;
        const End *inner = ghost_within(b, user, user->ops[k]);
        to = inner ? *inner : to;
        from.tail = to.tail = NULL;
        from.kind = EDGE_DATA;
        draw_edge(b, from, to, op, NULL, EDGE_DATA, MARK_REMOVED);
    }
}

void diff_ghosts(Builder *b, Frame *f)
{
    Diff *d = (Diff *)(uintptr_t)f->diff;
    NodeVec order = {0};
    nodes_topo(d->nbefore, d->before, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        if (map_has(&d->onward, n) || n->op == OP_PROJ || n->op == OP_TUPLE || label_folds(n))
            continue;
        End *e = arena_alloc(&b->arena, sizeof *e);
        *e = draw_ghost(b, f, n);
        map_put(&d->ghosts, n, e);
    }
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op != OP_PROJ && order.at[i]->op != OP_TUPLE)
            draw_lost_edges(b, f, order.at[i]);
    vec_free(&order);
}
