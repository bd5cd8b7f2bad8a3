/* What only a branch needs goes into it.
 *
 * A node that nothing needs but one branch of one `if` moves into that branch's graph, with all
 * that it alone needs; a node that something else needs, or the other branch, too, stays, so
 * nothing is computed twice. Inside derivatives and batches, which would compute everything that
 * stays, what may fail moves into several branches, too: then it runs in each of them that is
 * taken.
 *
 * Invariant: a branch graph takes from outside only what stays there. */
#include "graph/names.h"
#include "graph/provenance.h"
#include "ops/branches.h"

#include "ops/build.h"
#include "graph/walk.h"
#include "ops/scan_edit.h"

enum { UNSEEN, OUTSIDE, SEVERAL, FIRST_BRANCH, MOST_MOVED = 20000 };

static u32 branch_number(size_t place, int k) { return FIRST_BRANCH + 2 * (u32)place + (u32)k; }

static size_t place_of(const Branches *b, const Node *n) { return map_get(&b->index, n) - 1; }

static bool is_leaf(const Node *n)
{
    return n->op == OP_CONST || n->op == OP_PARAM || n->op == OP_INPUT || n->op == OP_SHARED ||
           n->op == OP_SIZE || n->op == OP_HOLE;
}

static bool is_choice(const Node *n) { return n->op == OP_IFELSE; }

bool nodes_choose(int nroots, Node *const *roots) { return nodes_any(nroots, roots, is_choice); }

/* ---- who needs it ---- */

static void want(Branches *b, const Node *n, u32 who)
{
    u32 *where = &b->where[place_of(b, n)];
    if (*where == UNSEEN)
        *where = who;
    else if (*where != who)
        *where = *where == OUTSIDE || who == OUTSIDE ? OUTSIDE : SEVERAL;
}

static void always_needed(Branches *b, int nroots, Node *const *roots, NodeSet *always);

/* By parameter: does the body always need it? */
static const bool *always_taken(Branches *b, Graph *body)
{
    bool *taken = map_get(&b->bodies, body);
    if (taken)
        return taken;
    NodeSet always = {0};
    taken = xcalloc((size_t)body->nparams + 1, sizeof *taken);
    always_needed(b, body->nouts, body->outs, &always);
    for (int i = 0; i < body->nparams; i++)
        taken[i] = map_has(&always, body->param_nodes[i]);
    map_free(&always);
    map_put(&b->bodies, body, taken);
    return taken;
}

/* Which graphs of the owner may take operand k, bits: the branches of `if`, the body of a loop;
 * 0: it is needed as it is. */
static int takers(Branches *b, const Node *n, u32 k)
{
    if (n->op == OP_SCAN && b->shared && k > n->attrs[1].i + n->attrs[2].i)
        return !always_taken(b, n->attrs[0].graph)[k - 1];
    if (n->op != OP_IFELSE || !k)
        return 0;
    const IntList *args[2] = {n->attrs[2].ints, n->attrs[3].ints};
    int bits = 0;
    for (int g = 0; g < 2; g++)
        for (u32 i = 0; i < args[g]->n; i++)
            bits |= (args[g]->at[i] == k - 1) << g;
    return bits;
}

/* Who needs operand k if the owner is always needed. */
static u32 taker(Branches *b, const Node *n, size_t place, u32 k)
{
    int bits = takers(b, n, k);
    return bits == 1 || bits == 2 ? branch_number(place, bits == 2) : OUTSIDE;
}

static void want_operands(Branches *b, size_t place)
{
    const Node *n = b->order.at[place];
    u32 where = b->where[place];
    for (u32 k = 0; k < n->nops; k++)
        want(b, n->ops[k], where == OUTSIDE ? taker(b, n, place, k) : where);
}

/* What is needed whichever branches run. */
static void always_needed(Branches *b, int nroots, Node *const *roots, NodeSet *always)
{
    Descent d = {0};
    descent_roots(&d, nroots, roots);
    for (Node *n; (n = descent_next(&d));) {
        set_add(always, n);
        for (u32 k = 0; k < n->nops; k++)
            if (taker(b, n, 0, k) == OUTSIDE)
                descent_from(&d, n->ops[k]);
    }
    descent_end(&d);
}

/* By place: may it fail, or what it needs? What a graph takes may stand for what fails. */
static bool *may_fail(Store *st, Branches *b, int nroots, Node *const *roots)
{
    bool *fails = xcalloc(b->order.len + 1, sizeof *fails);
    NodeSet always = {0};
    always_needed(b, nroots, roots, &always);
    for (size_t i = 0; i < b->order.len; i++) {
        const Node *n = b->order.at[i];
        fails[i] = n->op == OP_PARAM ? !map_has(&always, n) : !node_is_total(st, n);
        for (u32 k = 0; k < n->nops && !fails[i]; k++)
            fails[i] = fails[place_of(b, n->ops[k])];
    }
    map_free(&always);
    return fails;
}

void branches_find(Store *st, int nroots, Node *const *roots, bool shared, const NodeSet *moving,
                   Branches *b)
{
    *b = (Branches){.shared = shared};
    nodes_topo(nroots, roots, &b->order);
    b->where = xcalloc(b->order.len + 1, sizeof *b->where);
    for (size_t i = 0; i < b->order.len; i++)
        map_put(&b->index, b->order.at[i], i + 1);
    bool *fails = shared ? may_fail(st, b, nroots, roots) : NULL;
    for (int i = 0; i < nroots; i++)
        want(b, roots[i], OUTSIDE);
    for (size_t i = b->order.len; i-- > 0;) {
        const Node *n = b->order.at[i];
        bool stays = is_leaf(n) || (moving && !map_has(moving, n)) ||
                     (b->where[i] == SEVERAL && !(shared && fails[i]));
        b->where[i] = stays ? OUTSIDE : b->where[i];
        want_operands(b, i);
    }
    for (size_t i = 0; i < b->order.len; i++) { /* a graph takes tensors, not tuples */
        const Node *n = b->order.at[i];
        if (n->op == OP_PROJ && b->where[place_of(b, n->ops[0])] == OUTSIDE)
            b->where[i] = OUTSIDE;
    }
    free(fails);
}

void branches_free(Branches *b)
{
    vec_free(&b->order);
    map_free(&b->index);
    for (size_t i = 0; i < b->bodies.len; i++)
        free(map_val(&b->bodies, i));
    map_free(&b->bodies);
    free(b->where);
}

bool branch_takes(const Branches *b, size_t place, const Node *n)
{
    u32 where = b->where[place_of(b, n)];
    return where == branch_number(place, 0) || where == branch_number(place, 1);
}

/* ---- moving ---- */

typedef struct {
    Store *st;
    Branches *b;
    Node *(*became)(void *ctx, Node *n);
    void *ctx;
} Mover;

/* Does n go into branch k of the owner at a place? */
static bool goes_into(const Mover *m, size_t place, int k, const Node *n)
{
    u32 where = m->b->where[place_of(m->b, n)];
    return where == branch_number(place, k) || where == SEVERAL;
}

/* What branch k takes from outside; false if nothing moves into it. */
static bool taken_from_outside(const Mover *m, size_t place, int k, NodeSet *outside)
{
    const Node *owner = m->b->order.at[place];
    Descent d = {0};
    bool moves = false;
    for (u32 i = 0; i < owner->nops; i++)
        if (takers(m->b, owner, i) >> k & 1)
            descent_from(&d, owner->ops[i]);
    for (Node *n; (n = descent_next(&d));) {
        if (goes_into(m, place, k, n)) {
            moves = true;
            descent_operands(&d, n);
            continue;
        }
        Node *now = m->became(m->ctx, n);
        set_add(outside, now);
    }
    descent_end(&d);
    return moves;
}

static bool close_branch(Store *st, const Node *ifelse, int k, const NodeSet *outside, IfParts *p)
{
    IfShape s = if_shape(ifelse);
    Graph *g = k ? s.else_graph : s.then_graph;
    const IntList *map = k ? s.else_args : s.then_args;
    Node **args = xcalloc(map->n + 1, sizeof *args),
         **outs = xcalloc((size_t)g->nouts + 1, sizeof *outs);
    for (u32 i = 0; i < map->n; i++)
        args[i] = s.operands[map->at[i]];
    CloseRequest rq = {.nouts = g->nouts, .outs = outs, .mentioned = outside};
    bool ok = graph_instantiate(st, g, args, outs) && if_branch(st, p, k, &rq);
    free(args);
    free(outs);
    return ok;
}

static Node *if_takes(Mover *m, size_t place, Node *now)
{
    NodeSet outside[2] = {{0}};
    IfParts p;
    Node *r = NULL;
    bool moves = false;
    for (int k = 0; k < 2; k++)
        moves = taken_from_outside(m, place, k, &outside[k]) || moves;
    if_open(&p, now->ops[0]);
    if (moves && close_branch(m->st, now, 0, &outside[0], &p) &&
        close_branch(m->st, now, 1, &outside[1], &p))
        r = if_node(m->st, &p);
    map_free(&outside[0]);
    map_free(&outside[1]);
    if_parts_free(&p);
    return r;
}

/* What the captures that move are computed from becomes captures; they are computed in the body. */
static Node *scan_takes(Mover *m, size_t place, Node *now)
{
    const Node *was = m->b->order.at[place];
    NodeSet outside = {0};
    NodeMap holes = {0}, memo = {0};
    ScanEdit ed;
    Node *r = NULL;
    if (taken_from_outside(m, place, 0, &outside) && scan_open(m->st, now, &ed)) {
        for (size_t i = 0; i < outside.len; i++) {
            Node *n = map_key(&outside, i);
            if (n->op != OP_CONST)
                map_put(&holes, n, scan_capture(&ed, n, n));
        }
        bool ok = true;
        u32 first = 1 + (u32)ed.s.nstates + (u32)ed.s.nseqs;
        for (u32 k = first; k < was->nops && ok; k++)
            if (takers(m->b, was, k) && goes_into(m, place, 0, was->ops[k])) {
                Node *inside = node_substitute(m->st, now->ops[k], &holes);
                ok = inside != NULL;
                map_put(&memo, ed.captures.at[k - first].hole, inside);
            }
        r = ok && scan_substitute(&ed, &memo) ? scan_close(&ed) : NULL;
        scan_edit_free(&ed);
    }
    map_free(&outside);
    map_free(&holes);
    map_free(&memo);
    return r;
}

Node *branches_take(Store *st, Branches *b, size_t place, Node *now,
                    Node *(*became)(void *ctx, Node *n), void *ctx)
{
    Mover m = {st, b, became, ctx};
    Node *r = now->op == OP_IFELSE ? if_takes(&m, place, now)
              : now->op == OP_SCAN ? scan_takes(&m, place, now)
                                   : NULL;
    if (!r || !type_compatible(st, now->type, r->type))
        return now;
    node_carry_span(st, now, r);
    return r;
}

/* ---- a whole graph ---- */

typedef struct {
    Store *st;
    GraphMap graphs; /* Graph -> Graph */
    u32 left;        /* nodes that may still move into several branches */
    bool failed;
} Lazily;

static Graph *lazy_graph(Lazily *l, Graph *g);

static Node *node_in(void *memo, Node *n) { return map_get((NodeMap *)memo, n); }

/* A call as its body: what it takes may be needed by a branch only. */
static void open_call(Lazily *l, Node *call, NodeMap *outs)
{
    Graph *g = lazy_graph(l, call->attrs[0].graph);
    Node **results = xcalloc((size_t)g->nouts + 1, sizeof *results);
    l->failed = l->failed || !graph_instantiate(l->st, g, call->ops, results);
    Node *all = l->failed ? NULL : node_make(l->st, OP_TUPLE, NULL, (u32)g->nouts, results);
    map_put(outs, call, all ? all : call);
    free(results);
}

static Node *rebuilt(Lazily *l, Node *n, NodeMap *memo)
{
    Node **ops = xmalloc((n->nops + 1) * sizeof *ops);
    for (u32 k = 0; k < n->nops; k++)
        ops[k] = map_get(memo, n->ops[k]);
    Node *r = n->op == OP_PROJ && ops[0]->op == OP_TUPLE ? ops[0]->ops[n->attrs[0].i]
                                                         : node_with_operands(l->st, n, ops);
    free(ops);
    l->failed = l->failed || !r;
    return r ? r : n;
}

static Node *with_lazy_graphs(Lazily *l, Node *n)
{
    int slots[4], count = n->op == OP_FUSED ? 0 : node_graphs(n, slots);
    Attr attrs[8];
    bool changed = false;
    memcpy(attrs, n->attrs, n->nattrs * sizeof *attrs);
    for (int k = 0; k < count; k++) {
        Graph *g = n->attrs[slots[k]].graph;
        attrs[slots[k]].graph = lazy_graph(l, g);
        changed = changed || attrs[slots[k]].graph != g;
    }
    Node *r = changed ? node_with_attrs(l->st, n, attrs) : n;
    return r && type_compatible(l->st, n->type, r->type) ? r : n;
}

/* One walk over what the outputs reach. */
static bool walk(Lazily *l, int nouts, Node **outs, bool take)
{
    Branches b;
    NodeMap memo = {0};
    branches_find(l->st, nouts, outs, l->left > 0, NULL, &b);
    l->left -= b.order.len < l->left ? (u32)b.order.len : l->left;
    for (size_t i = 0; i < b.order.len && !l->failed; i++) {
        Node *n = b.order.at[i], *now = n->nops ? rebuilt(l, n, &memo) : n;
        map_put(&memo, n, now);
        if (!take && now->op == OP_CALL)
            open_call(l, now, &memo), map_put(&memo, n, map_get(&memo, now));
        else if (take)
            map_put(&memo, n, branches_take(l->st, &b, i, now, node_in, &memo));
        if (take)
            map_put(&memo, n, with_lazy_graphs(l, map_get(&memo, n)));
    }
    for (int i = 0; i < nouts && !l->failed; i++)
        outs[i] = map_get(&memo, outs[i]);
    map_free(&memo);
    branches_free(&b);
    return !l->failed;
}

static Graph *lazy_graph(Lazily *l, Graph *g)
{
    Graph *known = map_get(&l->graphs, g);
    if (known)
        return known;
    Node **outs = xcalloc((size_t)g->nouts + 1, sizeof *outs);
    memcpy(outs, g->outs, (size_t)g->nouts * sizeof *outs);
    NameScope scope;
    names_open(l->st, &scope, g);
    bool ok = walk(l, g->nouts, outs, false) && walk(l, g->nouts, outs, true);
    Graph *r = g;
    if (ok && memcmp(outs, g->outs, (size_t)g->nouts * sizeof *outs))
        r = graph_make(l->st, g->nparams, g->params, g->nouts, outs);
    names_close(l->st, &scope, r);
    free(outs);
    map_put(&l->graphs, g, r);
    return r;
}

Graph *graph_lazy(Store *st, Graph *g)
{
    if (!nodes_choose(g->nouts, g->outs))
        return g;
    Lazily l = {.st = st, .left = MOST_MOVED};
    Graph *r = lazy_graph(&l, g);
    map_free(&l.graphs);
    return l.failed ? NULL : r;
}
