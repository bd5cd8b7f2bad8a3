/* Walks; see walk.h. */
#include "graph/walk.h"
#include "graph/op.h"

/* Nodes that were met: a bit each, in pages that are found by hashing, so that a walk costs what it
 * meets, however many nodes there are; or those of a set. */
typedef struct {
    u32 page; /* number + 1; 0: free */
    u64 bits[4];
} SeenPage;

enum { PAGE_BITS = 256, FEW_PAGES = 16 };

typedef struct {
    SeenPage *at, few[FEW_PAGES];
    u32 len, cap, last; /* last: where the page of the last visit stands */
    NodeSet *set;
} Seen;

static void seen_begin(Seen *s, NodeSet *set)
{
    memset(s, 0, sizeof *s);
    s->at = s->few;
    s->cap = FEW_PAGES;
    s->set = set;
}

static void seen_end(Seen *s)
{
    if (s->at != s->few)
        free(s->at);
}

static u32 page_slot(const Seen *s, u32 page)
{
    u32 i = page * 0x9E3779B1u & (s->cap - 1);
    while (s->at[i].page && s->at[i].page != page)
        i = (i + 1) & (s->cap - 1);
    return i;
}

static void seen_grow(Seen *s)
{
    Seen old = *s;
    s->cap *= 4;
    s->at = xcalloc(s->cap, sizeof *s->at);
    const SeenPage *pages = old.at == s->few ? old.few : old.at;
    for (u32 i = 0; i < old.cap; i++)
        if (pages[i].page)
            s->at[page_slot(s, pages[i].page)] = pages[i];
    if (old.at != s->few)
        free(old.at);
}

static SeenPage *page_of(Seen *s, u32 page)
{
    if (s->at[s->last].page == page)
        return &s->at[s->last];
    if (4 * (s->len + 1) > 3 * s->cap)
        seen_grow(s);
    s->last = page_slot(s, page);
    s->len += !s->at[s->last].page;
    s->at[s->last].page = page;
    return &s->at[s->last];
}

static bool first_visit(Seen *s, const Node *n)
{
    if (s->set)
        return set_add(s->set, n);
    SeenPage *page = page_of(s, n->id / PAGE_BITS + 1);
    u64 *word = &page->bits[n->id % PAGE_BITS / 64], bit = 1ull << n->id % 64;
    bool known = *word & bit;
    *word |= bit;
    return !known;
}

typedef struct {
    Node *node;
    u32 next;
} Frame;

static inline void visit(Node *root, Seen *seen, Visit v)
{
    VEC(Frame) stack = {0};
    if (!first_visit(seen, root))
        return;
    vec_push(&stack, ((Frame){root, 0}));
    while (stack.len) {
        Frame *top = &stack.at[stack.len - 1];
        Node *n = top->node, *next = v.needs(v.ctx, n, top->next++);
        if (!next) {
            stack.len--;
            v.done(v.ctx, n);
        } else if (first_visit(seen, next)) {
            vec_push(&stack, ((Frame){next, 0}));
        }
    }
    vec_free(&stack);
}

void nodes_visit(Node *root, NodeSet *seen, const Visit *v)
{
    Seen known;
    seen_begin(&known, seen);
    visit(root, &known, *v);
}

typedef struct {
    const NodeMap *stop;
    NodeVec *out;
} Topo;

static Node *operand(void *ctx, Node *n, u32 k)
{
    const Topo *t = ctx;
    if (k == n->nops)
        return NULL;
    return t->stop && map_has(t->stop, n->ops[k]) ? n : n->ops[k];
}

static void append(void *ctx, Node *n)
{
    Topo *t = ctx;
    vec_push(t->out, n);
}

static void topo(int nroots, Node *const *roots, NodeSet *set, Topo t)
{
    Seen seen;
    seen_begin(&seen, set);
    for (int i = 0; i < nroots; i++)
        if (!t.stop || !map_has(t.stop, roots[i]))
            visit(roots[i], &seen, (Visit){operand, append, &t});
    seen_end(&seen);
}

void nodes_topo(int nroots, Node *const *roots, NodeVec *out)
{
    topo(nroots, roots, NULL, (Topo){.out = out});
}

void nodes_topo_more(Node *root, NodeSet *seen, NodeVec *out)
{
    topo(1, &root, seen, (Topo){.out = out});
}

void nodes_topo_until(Node *root, const NodeMap *stop, NodeVec *out)
{
    topo(1, &root, NULL, (Topo){stop, out});
}

void descent_roots(Descent *d, int nroots, Node *const *roots)
{
    for (int i = nroots; i-- > 0;)
        descent_from(d, roots[i]);
}

Node *descent_next(Descent *d)
{
    while (d->todo.len) {
        Node *n = d->todo.at[--d->todo.len];
        if (!set_add(&d->seen, n))
            continue;
        return n;
    }
    return NULL;
}

void descent_operands(Descent *d, const Node *n) { descent_roots(d, (int)n->nops, n->ops); }

void descent_end(Descent *d)
{
    vec_free(&d->todo);
    map_free(&d->seen);
}

static void add_below(Outside *o, Node *n)
{
    if (set_add(&o->below, n))
        vec_push(&o->pending, n);
}

/* Operands are older than what is computed from them, so what is older than n need not be gone
 * through: what a body made itself costs nothing. */
bool outside_has(Outside *o, const Node *n)
{
    for (; o->walked < o->mentioned.len; o->walked++)
        add_below(o, (Node *)(uintptr_t)map_key(&o->mentioned, o->walked));
    for (size_t i = 0; i < o->pending.len;) {
        const Node *next = o->pending.at[i];
        if (next->id <= n->id) {
            i++;
            continue;
        }
        o->pending.at[i] = o->pending.at[--o->pending.len];
        for (u32 k = 0; k < next->nops; k++)
            add_below(o, next->ops[k]);
    }
    return map_has(&o->below, n);
}

void outside_end(Outside *o)
{
    map_free(&o->mentioned);
    map_free(&o->below);
    vec_free(&o->pending);
}

bool node_reads(Node *root, const Node *what)
{
    Descent d = {0};
    bool found = false;
    descent_from(&d, root);
    for (Node *n; !found && (n = descent_next(&d));) {
        found = n == what;
        for (u32 i = 0; i < n->nops && !found; i++)
            if (n->ops[i]->id >= what->id) /* operands are older than what is computed from them */
                descent_from(&d, n->ops[i]);
    }
    descent_end(&d);
    return found;
}

static bool any_within(int nroots, Node *const *roots, bool (*is)(const Node *n), GraphSet *graphs)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len && !found; i++) {
        const Node *n = order.at[i];
        int slots[4], count = n->op == OP_FUSED ? 0 : node_graphs(n, slots);
        found = is(n);
        for (int k = 0; k < count && !found; k++) {
            Graph *g = n->attrs[slots[k]].graph;
            if (!set_add(graphs, g))
                continue;
            found = any_within(g->nouts, g->outs, is, graphs);
        }
    }
    vec_free(&order);
    return found;
}

bool nodes_any(int nroots, Node *const *roots, bool (*is)(const Node *n))
{
    GraphSet graphs = {0};
    bool found = any_within(nroots, roots, is, &graphs);
    map_free(&graphs);
    return found;
}

static bool is_of_its_place(const Node *n)
{
    return n->op == OP_CHECK || n->op == OP_INPUT || n->op == OP_SHARED || n->op == OP_HOLE ||
           n->op == OP_PARAM || n->op == OP_SIZE;
}

bool node_is_number(Node *n)
{
    const Node *first = n; /* mostly that tells, and soon */
    while (first->nops)
        first = first->ops[0];
    return !is_of_its_place(first) && !nodes_any(1, &n, is_of_its_place);
}

/* ---- with the graphs inside ---- */

static void standing(int nroots, Node *const *roots, const Graph *within, GraphSet *seen,
                     StandingVec *out)
{
    NodeVec order = {0};
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        int slots[4], count = node_graphs(order.at[i], slots);
        for (int k = 0; k < count; k++) {
            const Graph *g = order.at[i]->attrs[slots[k]].graph;
            if (set_add(seen, g))
                standing(g->nouts, g->outs, g, seen, out);
        }
        vec_push(out, ((Standing){order.at[i], within}));
    }
    vec_free(&order);
}

void nodes_standing(int nroots, Node *const *roots, const Graph *within, StandingVec *out)
{
    GraphSet seen = {0};
    standing(nroots, roots, within, &seen, out);
    map_free(&seen);
}

bool nodes_are_there(const NodeVec *v)
{
    for (size_t i = 0; i < v->len; i++)
        if (!v->at[i])
            return false;
    return true;
}
