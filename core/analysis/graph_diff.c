/* What two graphs differ in: pairs from the results down.  See graph_diff.h. */
#include "analysis/graph_diff_parts.h"

/* ---- pairs ---- */

static const DiffPath *path_make(GraphDiff *d, const DiffPath *up, Node *a, Node *b, DiffPart part,
                                 int index)
{
    DiffPath *p = arena_alloc(&d->arena, sizeof *p);
    *p = (DiffPath){up, {a, b}, part, index};
    return p;
}

void diff_push(GraphDiff *d, const DiffPath *up, Node *a, Node *b, DiffPart part, int index)
{
    if (a != b)
        vec_push(&d->work->below, path_make(d, up, a, b, part, index));
}

void diff_same(GraphDiff *d, Node *a, Node *b)
{
    set_add(&d->work->seen, pair_key(a, b));
    set_add(&d->work->matched[0], a);
    set_add(&d->work->matched[1], b);
}

void diff_place(GraphDiff *d, const DiffPath *p) { vec_push(&d->places, p); }

void diff_place_at(GraphDiff *d, const DiffPath *up, Node *a, Node *b, DiffPart part, int index)
{
    diff_place(d, path_make(d, up, a, b, part, index));
}

/* Is it only about the parts of a graph that the node owns, or a name? */
static bool is_aside(const Node *n, u32 attr)
{
    char kind = op_attr_kind(n->op, (int)attr);
    return kind == 'g' || (n->op == OP_CALL && kind == 's') || n->op == OP_IFELSE ||
           node_is_loop(n) || (n->op == OP_VMAP && attr == 1);
}

static bool attrs_agree(const Node *a, const Node *b)
{
    if (a->op == OP_SCAN)
        return scan_shape(a).reverse == scan_shape(b).reverse &&
               scan_shape(a).checkpoint == scan_shape(b).checkpoint;
    for (u32 i = 0; i < a->nattrs; i++)
        if (!is_aside(a, i) && a->attrs[i].bits != b->attrs[i].bits)
            return false;
    return true;
}

bool diff_heads_agree(const Node *a, const Node *b)
{
    bool leaf = !a->nops && !node_graphs(a, (int[4]){0});
    return a->op == b->op && a->nattrs == b->nattrs && !leaf && attrs_agree(a, b);
}

static bool is_first(GraphDiff *d, const DiffPath *p)
{
    return set_add(&d->work->seen, pair_key(p->side[0], p->side[1]));
}

static void compare_results(GraphDiff *d, const DiffPath *p)
{
    Node *a = p->side[0], *b = p->side[1];
    bool same = a->ops[0] == b->ops[0];
    OwnerPair *o = same ? NULL : diff_owners(d, p, a->ops[0], b->ops[0]);
    if (o && diff_results(d, p, o))
        diff_same(d, a, b);
    else if (o || same)
        diff_place(d, p);
}

/* Each is the same as some other node: here something else is read. Without this, graphs of n nodes
 * that are much alike would be n * n pairs. */
static bool is_taken(const GraphDiff *d, const Node *a, const Node *b)
{
    return map_has(&d->work->matched[0], a) && map_has(&d->work->matched[1], b);
}

static void compare(GraphDiff *d, const DiffPath *p)
{
    Node *a = p->side[0], *b = p->side[1];
    if (!is_first(d, p))
        return;
    if (is_taken(d, a, b))
        diff_place(d, p);
    else if (a->op == OP_PROJ && b->op == OP_PROJ)
        compare_results(d, p);
    else if (!diff_heads_agree(a, b))
        diff_place(d, p), diff_go_below(d, p);
    else if (node_graphs(a, (int[4]){0}))
        diff_owners(d, p, a, b);
    else if (diff_operands(d, p))
        diff_same(d, a, b);
    else
        diff_place(d, p);
}

/* What a pair found comes next, in its order. */
static void schedule(DiffWork *w)
{
    while (w->below.len)
        vec_push(&w->todo, w->below.at[--w->below.len]);
}

static void compare_all(GraphDiff *d)
{
    DiffWork *w = d->work;
    int most = d->nroots[0] > d->nroots[1] ? d->nroots[0] : d->nroots[1];
    for (int i = 0; i < most; i++)
        if (i < d->nroots[0] && i < d->nroots[1])
            diff_push(d, NULL, d->roots[0][i], d->told[i], PART_RESULT, i);
        else
            diff_place_at(d, NULL, i < d->nroots[0] ? d->roots[0][i] : NULL,
                          i < d->nroots[1] ? d->told[i] : NULL, PART_RESULT, i);
    schedule(w);
    while (w->todo.len && !store_stops(d->st)) {
        compare(d, w->todo.at[--w->todo.len]);
        schedule(w);
    }
}

/* ---- what is only on one side ---- */

static bool counts(const Node *n)
{
    return n->op != OP_PARAM && n->op != OP_PROJ && n->op != OP_TUPLE && n->op != OP_HOLE;
}

static u32 count_inside(const Node *n)
{
    int slots[4], graphs = node_graphs(n, slots);
    u32 all = 0;
    for (int i = 0; i < graphs; i++)
        all += graph_node_count(n->attrs[slots[i]].graph);
    return all;
}

/* Nodes from here down that the other side has no counterpart of; how many are new in `only`. */
static u32 take_region(GraphDiff *d, int side, Node *from)
{
    DiffWork *w = d->work;
    Descent walk = {0};
    u32 found = 0;
    if (from)
        descent_from(&walk, from);
    for (Node *n; (n = descent_next(&walk));) {
        if (map_has(&w->matched[side], n) || map_has(&w->reach[!side], n))
            continue;
        if (set_add(&d->only[side], n) && counts(n))
            found += 1 + count_inside(n);
        descent_operands(&walk, n);
    }
    descent_end(&walk);
    return found;
}

static u32 count_nodes(int n, Node *const *roots)
{
    StandingVec all = {0};
    u32 count = 0;
    nodes_standing(n, roots, NULL, &all);
    for (size_t i = 0; i < all.len; i++)
        count += counts(all.at[i].node);
    vec_free(&all);
    return count;
}

/* A place where each side reads what the other has elsewhere: the node that reads it differs. */
static void count_differences(GraphDiff *d)
{
    u32 only[2] = {0, 0}, moved = 0;
    for (size_t i = 0; i < d->places.len; i++) {
        u32 a = take_region(d, 0, d->places.at[i]->side[0]),
            b = take_region(d, 1, d->places.at[i]->side[1]);
        only[0] += a;
        only[1] += b;
        moved += !a && !b;
    }
    u32 a = count_nodes(d->nroots[0], d->roots[0]), b = count_nodes(d->nroots[1], d->roots[1]);
    d->nodes = a > b ? a : b;
    d->differ = (only[0] > only[1] ? only[0] : only[1]) + moved;
    d->differ = d->differ < d->nodes ? d->differ : d->nodes;
}

/* ---- all ---- */

static void reach(GraphDiff *d, int side, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(d->nroots[side], roots, &order);
    for (size_t i = 0; i < order.len; i++)
        set_add(&d->work->reach[side], order.at[i]);
    diff_note_looks(d, &order);
    vec_free(&order);
}

bool graph_diff(GraphDiff *d)
{
    d->work = xcalloc(1, sizeof *d->work);
    d->temps = d->st->temp_count;
    if (!diff_inputs(d))
        return false;
    reach(d, 0, d->roots[0]);
    reach(d, 1, d->told);
    compare_all(d);
    count_differences(d);
    for (int i = 0; i < d->nroots[0] && !d->places.len && d->nroots[0] == d->nroots[1]; i++)
        d->reordered = d->reordered || d->roots[0][i] != d->told[i];
    return !store_stopped(d->st, "where two graphs are compared");
}

Standing diff_stands(const GraphDiff *d, int side, Node *open)
{
    const Standing *at = map_get(&d->work->stands[side], open);
    return at ? *at : (Standing){open, NULL};
}

static void work_free(DiffWork *w)
{
    vec_free(&w->todo);
    vec_free(&w->below);
    map_free(&w->owners);
    map_free(&w->seen);
    map_free(&w->looks);
    for (int side = 0; side < 2; side++) {
        map_free(&w->matched[side]);
        map_free(&w->reach[side]);
        map_free(&w->stands[side]);
    }
    free(w);
}

void graph_diff_free(GraphDiff *d)
{
    if (d->work) {
        work_free(d->work);
        d->st->temp_count = d->temps;
    }
    vec_free(&d->places);
    vec_free(&d->renamed);
    map_free(&d->only[0]);
    map_free(&d->only[1]);
    arena_free(&d->arena);
}
