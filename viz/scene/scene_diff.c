/* What two states of a graph differ in: nodes that came in, nodes that went (drawn once more, as
 * ghosts), inner graphs that changed, edges that were laid anew.
 *
 * A node that is the same to those who look is a pair: the same node, or one rebuilt over other
 * operands or with another body. On the outermost level the caller says which are; in a body that
 * changed they are found from its results downwards, operator by operator.
 *
 * Invariant: everything that is marked differs, and everything that differs is marked: a node
 * without a partner, an edge of which the partner's ends are not joined. */
#include "viz/scene/scene_parts.h"

struct Diff {
    Graph *body, *was; /* NULL: the outermost graph */
    int nbefore, nafter;
    Node *const *before, *const *after;
    PtrMap old;    /* nodes of the graph before */
    PtrMap back;   /* node -> its partner before */
    PtrMap onward; /* node before -> its partner */
    PtrMap ghosts; /* node before -> End*, as drawn */
    struct Diff *next;
};

/* ---- pairs ---- */

static void put_all(PtrMap *set, int n, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        map_put(set, order.at[i], order.at[i]);
    vec_free(&order);
}

static void pair(Diff *d, Node *before, Node *after)
{
    if (map_has(&d->onward, before) || map_has(&d->back, after))
        return;
    map_put(&d->onward, before, after);
    map_put(&d->back, after, before);
}

static bool same_work(const Node *a, const Node *b)
{
    int slots[4];
    bool same = a->op == b->op && a->nops == b->nops && a->nattrs == b->nattrs &&
                a->op != OP_PARAM && a->op != OP_CONST;
    int graphs = node_graphs(a, slots);
    for (u32 i = 0; i < a->nattrs && same; i++) {
        bool is_graph = false;
        for (int g = 0; g < graphs; g++)
            is_graph = is_graph || slots[g] == (int)i;
        same = is_graph || a->attrs[i].bits == b->attrs[i].bits;
    }
    return same;
}

enum { LIKENESS_DEPTH = 3, MOST_SORTED = 8 };

/* How much two nodes have in common, down a few levels: partners, and operators of one kind. */
static int likeness(const Diff *d, const Node *before, const Node *after, int depth)
{
    if (map_get(&d->onward, before) == after)
        return 4;
    if (before->op == OP_CONST && before == after)
        return 1;
    if (map_has(&d->onward, before) || map_has(&d->back, after) || !same_work(before, after))
        return 0;
    int sum = 1;
    for (u32 i = 0; i < before->nops && depth > 0; i++) {
        int best = 0;
        for (u32 k = 0; k < after->nops; k++) {
            bool meets = k == i || op_table[before->op].flags & COMMUTES;
            int one = meets ? likeness(d, before->ops[i], after->ops[k], depth - 1) : 0;
            best = one > best ? one : best;
        }
        sum += best;
    }
    return sum;
}

static void pair_down(Diff *d, const PtrMap *now, Node *before, Node *after);

/* The operands of a sum or product, which are sorted anew whenever one changes: those that have
 * most in common first. */
static void pair_sorted(Diff *d, const PtrMap *now, Node *before, Node *after)
{
    bool done[2][MOST_SORTED] = {{false}};
    for (u32 round = 0; round < before->nops; round++) {
        u32 at[2] = {0};
        int best = 0;
        for (u32 i = 0; i < before->nops; i++)
            for (u32 k = 0; k < after->nops && !done[0][i]; k++) {
                int one =
                    done[1][k] ? 0 : likeness(d, before->ops[i], after->ops[k], LIKENESS_DEPTH);
                if (one > best) {
                    best = one;
                    at[0] = i;
                    at[1] = k;
                }
            }
        if (!best)
            return;
        done[0][at[0]] = done[1][at[1]] = true;
        pair_down(d, now, before->ops[at[0]], after->ops[at[1]]);
    }
}

/* Partners from two nodes downwards; what stands in both graphs is its own partner. */
static void pair_down(Diff *d, const PtrMap *now, Node *before, Node *after)
{
    bool free = !map_has(&d->onward, before) && !map_has(&d->back, after);
    if (!free || before == after || map_has(now, before) || map_has(&d->old, after) ||
        !same_work(before, after))
        return;
    pair(d, before, after);
    if (op_table[before->op].flags & COMMUTES && before->nops <= MOST_SORTED)
        pair_sorted(d, now, before, after);
    for (u32 i = 0; i < before->nops; i++)
        pair_down(d, now, before->ops[i], after->ops[i]);
}

static const char *name_of(const Builder *b, const Graph *g, int i)
{
    Symbol *names = map_get(&b->st->param_names, g);
    return names ? names[i] : NULL;
}

/* What enters a loop at parameter i of its body; NULL for other owners. */
static const Node *fed_by(const Node *owner, int i)
{
    if (owner->op == OP_SCAN) {
        ScanShape s = scan_shape(owner);
        int seq = i - s.nstates, capture = seq - s.nseqs;
        return seq < 0 ? s.inits[i] : capture < 0 ? s.seqs[seq] : s.captures[capture];
    }
    if (owner->op == OP_LOOP) {
        LoopShape s = loop_shape(owner);
        return i < s.nstates ? s.inits[i] : s.captures[i - s.nstates];
    }
    return NULL;
}

/* Parameters without a name: those that the same value enters. */
static bool same_feed(const Diff *around, const Node *was, int i, const Node *owner, int k)
{
    const Node *x = fed_by(was, i), *y = fed_by(owner, k);
    return x && y ? x == y || map_get(&around->onward, x) == y : i == k;
}

/* Parameters by name; false if numbers mean other parameters than before. */
static bool pair_params(Builder *b, Diff *d, const Diff *around, const Node *was, const Node *owner)
{
    bool steady = true;
    for (int i = 0; i < d->was->nparams; i++)
        for (int k = 0; k < d->body->nparams; k++) {
            const char *x = name_of(b, d->was, i), *y = name_of(b, d->body, k);
            if (x && y ? x == y : !x && !y && same_feed(around, was, i, owner, k)) {
                pair(d, d->was->param_nodes[i], d->body->param_nodes[k]);
                steady = steady && d->was->param_nodes[i] == d->body->param_nodes[k];
            }
        }
    return steady;
}

static Diff *diff_new(Builder *b, int nbefore, Node *const *before, int nafter, Node *const *after)
{
    Diff *d = arena_alloc(&b->arena, sizeof *d);
    *d = (Diff){
        .nbefore = nbefore, .nafter = nafter, .before = before, .after = after, .next = b->diffs};
    b->diffs = d;
    put_all(&d->old, nbefore, before);
    return d;
}

/* Nodes that are in both graphs, but for those that `skip` tells. */
static void pair_identical(Diff *d, bool params)
{
    NodeVec order = {0};
    nodes_topo(d->nafter, d->after, &order);
    for (size_t i = 0; i < order.len; i++)
        if (map_has(&d->old, order.at[i]) && (params || order.at[i]->op != OP_PARAM))
            pair(d, order.at[i], order.at[i]);
    vec_free(&order);
}

const Diff *diff_outermost(Builder *b, int nroots, Node *const *roots)
{
    const SceneOptions *o = b->options;
    Diff *d = diff_new(b, nroots, o->before, nroots, roots);
    NodeVec order = {0};
    pair_identical(d, true);
    nodes_topo(nroots, o->before, &order);
    for (size_t i = 0; i < order.len; i++)
        if (o->went && map_has(o->went, order.at[i]))
            pair(d, order.at[i], map_get(o->went, order.at[i]));
    vec_free(&order);
    return d;
}

const Diff *diff_inside(Builder *b, const Diff *around, const Node *owner, Graph *g)
{
    const Node *was = around ? map_get(&around->back, owner) : NULL;
    int slots[4];
    int n = was ? node_graphs(owner, slots) : 0;
    for (int i = 0; i < n; i++) {
        Graph *old = was->attrs[slots[i]].graph;
        if (owner->attrs[slots[i]].graph != g || old == g)
            continue;
        Diff *d = diff_new(b, old->nouts, old->outs, g->nouts, g->outs);
        PtrMap now = {0};
        d->was = old;
        d->body = g;
        if (pair_params(b, d, around, was, owner)) {
            pair_identical(d, false);
            put_all(&now, g->nouts, g->outs);
        }
        for (int k = 0; k < g->nouts && k < old->nouts; k++)
            pair_down(d, &now, old->outs[k], g->outs[k]);
        map_free(&now);
        return d;
    }
    return NULL;
}

void diff_free(Builder *b)
{
    for (Diff *d = b->diffs; d; d = d->next) {
        map_free(&d->old);
        map_free(&d->back);
        map_free(&d->onward);
        map_free(&d->ghosts);
    }
}

/* ---- marks ---- */

static bool has_changed_graph(const Node *was, const Node *n)
{
    int slots[4];
    for (int i = node_graphs(n, slots); i-- > 0;)
        if (was->attrs[slots[i]].graph != n->attrs[slots[i]].graph)
            return true;
    return false;
}

SceneMark diff_mark(const Diff *d, const Node *n)
{
    if (!d)
        return MARK_NONE;
    const Node *was = map_get(&d->back, n);
    return !was ? MARK_ADDED : has_changed_graph(was, n) ? MARK_CHANGED : MARK_NONE;
}

static bool reads(const Node *user, const Node *operand)
{
    for (u32 i = 0; i < user->nops; i++)
        if (user->ops[i] == operand)
            return true;
    return false;
}

/* A value counts as there if what makes it is: a projection of a rebuilt loop is. */
static Node *partner(const PtrMap *m, const Node *n)
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
    bool there = user_was && was && (reads(user_was, was) || reads_partner(user_was, was));
    return there ? MARK_NONE : MARK_ADDED;
}

/* ---- ghosts ---- */

static const char *ghost_label(Builder *b, const Frame *f, const Diff *d, const Node *n)
{
    if (n->op == OP_PARAM && d->was)
        return param_name(b, d->was, (int)n->attrs[0].i);
    return label_node(b, f, n);
}

static End draw_ghost(Builder *b, Frame *f, Node *n)
{
    int slots[4];
    i64 id = node_is_inline(n) ? 0 : (i64)number_of(b->num, n);
    if (node_graphs(n, slots)) {
        SceneBox box = {.kind = BOX_SCAN,
                        .title = n->op == OP_SCAN ? label_text(b, "scan %s", label_steps(b, n))
                                                  : op_table[n->op].name,
                        .tooltip = label_text(b, "removed\n%s", label_source(b, n)),
                        .mark = MARK_REMOVED,
                        .parent = f->box,
                        .owner_id = id,
                        .closed = true};
        return (End){.box = scene_box(b->scene, &box)};
    }
    SceneNode s = {.id = id,
                   .op = op_table[n->op].name,
                   .label = ghost_label(b, f, f->diff, n),
                   .detail = label_type(b, n->type),
                   .tooltip = label_text(b, "removed\n%s", label_source(b, n)),
                   .cls = label_class(n),
                   .role = n->op == OP_PARAM ? ROLE_PARAM : ROLE_NONE,
                   .mark = MARK_REMOVED,
                   .box = f->box};
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
        *out = (End){.box = (int)(uintptr_t)map_get(&b->boxes_of, now)};
    return drawn || (now && map_has(&f->results, now) && out->box);
}

static bool is_gone(const Diff *d, const Node *user, const Node *operand)
{
    const Node *u = map_get(&d->onward, user), *o = partner(&d->onward, operand);
    return !(u && o && (reads(u, o) || reads_partner(u, o)));
}

static void draw_lost_edges(Builder *b, Frame *f, Node *user)
{
    for (u32 k = 0; k < user->nops; k++) {
        Node *op = source_operand(b->st, user, k);
        End from, to;
        if (label_folds(op) || op->op == OP_TUPLE || !is_gone(f->diff, user, op) ||
            !old_end(b, f, op, &from) || !old_end(b, f, user, &to))
            continue;
        from.tail = to.tail = NULL;
        from.kind = EDGE_DATA;
        frame_edge(b, f, from, to, op, NULL, EDGE_DATA, MARK_REMOVED);
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
