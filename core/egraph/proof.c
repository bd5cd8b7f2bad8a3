/* Proofs: why two terms of a class are equal, as rewritings one after the other.
 *
 * The reasons of unions form a forest; the way between two terms in it is the proof of Nieuwenhuis
 * and Oliveras (Proof-producing congruence closure, RTA 2005). Reasons that united nothing are kept
 * beside it, so a shorter way is found by their weights: a rule weighs 1, and much more in a
 * direction that is to be avoided, congruence what its operands weigh in the forest and a little
 * more, so each proof inside one weighs less, and the recursion ends. (The greedy way of Flatt et
 * al., Small proofs from congruence closure, 2022.)
 *
 * A way is written as rewritings of a whole state: what is rewritten is rewritten wherever it
 * stands, unless that would undo what is in its place already; then the change is told of the
 * smallest node around it that stands nowhere else. */
#include "egraph/egraph.h"

enum { FUEL = 2000000, MAX_STEPS = 4000, MAX_DEPTH = 2000, CLOSE_ROUNDS = 4 };

static const double HEAVY = 1e12, AVOIDED = 1000;

typedef struct {
    Node *node; /* what stands here now */
    Node **now; /* its operands */
    Node **to;  /* what they are to become */
    u32 at;     /* the one that is being worked on */
} Frame;

typedef struct {
    EGraph *g;
    Proof *out;
    int nroots;
    Node **roots, **to;
    VEC(Frame) frames; /* the first one is made of the roots */
    int fuel, depth;
    bool onward;
    Arena arena;
    VEC(double) weights; /* of congruences, twice their place in g->why, one more from b to a where
                            that counts; 0: not known, < 0: under way */
    VEC(u32) heads;      /* term -> place + 1 of its first link */
    struct Link {
        u32 edge, next;
    } * links;
    size_t nlinks, edges;
} Prover;

/* ---- weights ---- */

bool equality_is_one_way(const Equality *e)
{
    u32 classes = e->rule ? e->rule->classes | e->extra : 0;
    return (classes & (HAZARD_NPLUS | HAZARD_NMINUS | HAZARD_S)) != 0;
}

static double weight_between(Prover *p, TermId a, TermId b, int depth);

/* Of a rule: more for a step that is to be avoided. */
static double rule_weight(const Prover *p, const Equality *e, TermId from)
{
    bool wrong = p->onward && equality_is_one_way(e) && (e->b == from) != e->rule->backwards;
    return 1 + (wrong ? AVOIDED : 0);
}

/* The two terms that operand i of a congruence goes from and to. */
static void operand_ends(Prover *p, const Equality *e, TermId from, u32 i, TermId ends[2])
{
    bool back = e->b == from;
    ends[back] = eg_term(p->g, e->a)->kids[i];
    ends[!back] = eg_term(p->g, e->b)->kids[e->with ? e->with[i] : i];
}

static double *place_of_weight(Prover *p, u32 edge, TermId from)
{
    size_t place = 2 * (size_t)edge + (p->onward && p->g->why.at[edge].b == from);
    while (p->weights.len <= place)
        vec_push(&p->weights, 0.0);
    return &p->weights.at[place];
}

static double edge_weight(Prover *p, u32 edge, TermId from, int depth)
{
    const Equality *e = &p->g->why.at[edge];
    if (e->rule)
        return rule_weight(p, e, from);
    double known = *place_of_weight(p, edge, from);
    if (known != 0)
        return known < 0 ? HEAVY : known;
    if (depth > MAX_DEPTH)
        return HEAVY;
    *place_of_weight(p, edge, from) = -1;
    double sum = 0.001 + (e->with ? 0.5 : 0);
    for (u32 i = 0; i < eg_node(p->g, e->a)->nops && sum < HEAVY; i++) {
        TermId ends[2];
        operand_ends(p, e, from, i, ends);
        sum += weight_between(p, ends[0], ends[1], depth + 1);
    }
    return *place_of_weight(p, edge, from) = sum < HEAVY ? sum : HEAVY;
}

static u32 forest_depth(EGraph *g, TermId t)
{
    u32 d = 0;
    for (; eg_term(g, t)->up != NO_TERM; t = eg_term(g, t)->up)
        d++;
    return d;
}

/* Along the forest: up from a, down to b. */
static double weight_between(Prover *p, TermId a, TermId b, int depth)
{
    u32 da = forest_depth(p->g, a), db = forest_depth(p->g, b);
    double sum = 0;
    while (a != b && sum < HEAVY) {
        bool rises = da >= db;
        TermId *low = rises ? &a : &b;
        *(rises ? &da : &db) -= 1;
        const Term *x = eg_term(p->g, *low);
        if (x->up == NO_TERM)
            return HEAVY; /* not equal */
        sum += edge_weight(p, x->up_edge, rises ? *low : x->up, depth);
        *low = x->up;
    }
    return sum;
}

/* ---- the lightest way ---- */

static void link_edges(Prover *p)
{
    EGraph *g = p->g;
    size_t room = p->nlinks;
    while (p->heads.len < g->terms.len)
        vec_push(&p->heads, 0u);
    for (; p->edges < g->why.len; p->edges++) {
        const Equality *e = &g->why.at[p->edges];
        if (p->nlinks + 2 > room) {
            room = 2 * (room + 64);
            p->links = xrealloc(p->links, room * sizeof *p->links);
        }
        TermId ends[] = {e->a, e->b};
        for (int i = 0; i < 2; i++) {
            p->links[p->nlinks++] = (struct Link){(u32)p->edges, p->heads.at[ends[i]]};
            p->heads.at[ends[i]] = (u32)p->nlinks;
        }
    }
}

typedef struct {
    TermId term;
    u32 edge; /* by which it was reached */
    double far;
    bool done;
    TermId before;
} Reached;

typedef struct {
    VEC(Reached) all;
    PtrMap of; /* term + 1 -> place + 1 */
    struct {
        double far;
        u32 place;
    } * heap;
    size_t len, cap;
} Ways;

static bool sooner(const Ways *w, size_t a, size_t b)
{
    return w->heap[a].far < w->heap[b].far ||
           (w->heap[a].far == w->heap[b].far && w->heap[a].place < w->heap[b].place);
}

static void swap_ways(Ways *w, size_t a, size_t b)
{
    double far = w->heap[a].far;
    u32 place = w->heap[a].place;
    w->heap[a] = w->heap[b];
    w->heap[b].far = far;
    w->heap[b].place = place;
}

static void push_way(Ways *w, double far, u32 place)
{
    if (w->len == w->cap)
        w->heap = vec_grow_(w->heap, &w->cap, sizeof *w->heap);
    size_t i = w->len++;
    w->heap[i].far = far;
    w->heap[i].place = place;
    for (; i && sooner(w, i, (i - 1) / 2); i = (i - 1) / 2)
        swap_ways(w, i, (i - 1) / 2);
}

static u32 pop_way(Ways *w)
{
    u32 place = w->heap[0].place;
    w->heap[0] = w->heap[--w->len];
    for (size_t i = 0, k; (k = 2 * i + 1) < w->len; i = k) {
        k += k + 1 < w->len && sooner(w, k + 1, k);
        if (!sooner(w, k, i))
            break;
        swap_ways(w, i, k);
    }
    return place;
}

static void reach(Ways *w, TermId t, TermId before, u32 edge, double far)
{
    void *key = (void *)((uintptr_t)t + 1);
    u32 place = (u32)(uintptr_t)map_get(&w->of, key);
    if (place && w->all.at[place - 1].far <= far)
        return;
    if (!place) {
        vec_push(&w->all, ((Reached){.term = t}));
        place = (u32)w->all.len;
        map_put(&w->of, key, (void *)(uintptr_t)place);
    }
    Reached *r = &w->all.at[place - 1];
    r->edge = edge;
    r->before = before;
    r->far = far;
    push_way(w, far, place - 1);
}

static void write_way(Prover *p, const Ways *w, TermId a, TermId b, u32 **out, u32 *count)
{
    *count = 0;
    for (TermId t = b; t != a; (*count)++)
        t = w->all.at[(uintptr_t)map_get(&w->of, (void *)((uintptr_t)t + 1)) - 1].before;
    *out = arena_alloc(&p->arena, (*count + 1) * sizeof **out);
    u32 i = *count;
    for (TermId t = b; t != a;) {
        const Reached *r = &w->all.at[(uintptr_t)map_get(&w->of, (void *)((uintptr_t)t + 1)) - 1];
        (*out)[--i] = r->edge;
        t = r->before;
    }
}

/* What the lightest way from a to b weighs; its edges in *out, in order, unless that is NULL.
 * HEAVY: there is none. */
static double lightest_way(Prover *p, TermId a, TermId b, u32 **out, u32 *count)
{
    Ways w = {0};
    bool found = false;
    double weight = HEAVY;
    double most = weight_between(p, a, b, 0) + 0.5;
    link_edges(p);
    reach(&w, a, NO_TERM, 0, 0);
    while (w.len && p->fuel-- > 0) {
        Reached r = w.all.at[pop_way(&w)];
        found = r.term == b;
        if (found) {
            weight = r.far;
            break;
        }
        u32 own = (u32)(uintptr_t)map_get(&w.of, (void *)((uintptr_t)r.term + 1)) - 1;
        if (w.all.at[own].done)
            continue;
        w.all.at[own].done = true;
        for (u32 l = p->heads.at[r.term]; l; l = p->links[l - 1].next) {
            u32 edge = p->links[l - 1].edge;
            const Equality *e = &p->g->why.at[edge];
            TermId other = e->a == r.term ? e->b : e->a;
            double far = r.far + edge_weight(p, edge, r.term, 0);
            if (far <= most && far < HEAVY)
                reach(&w, other, r.term, edge, far);
        }
    }
    if (found && out)
        write_way(p, &w, a, b, out, count);
    vec_free(&w.all);
    map_free(&w.of);
    free(w.heap);
    return weight;
}

/* True if it got lighter. */
static bool weigh_edge_closely(Prover *p, u32 edge, TermId from)
{
    const Equality *e = &p->g->why.at[edge];
    double was = edge_weight(p, edge, from, 0), sum = 0.001 + (e->with ? 0.5 : 0);
    for (u32 i = 0; i < eg_node(p->g, e->a)->nops && sum < was; i++) {
        TermId ends[2];
        operand_ends(p, e, from, i, ends);
        sum += lightest_way(p, ends[0], ends[1], NULL, NULL);
    }
    if (sum >= was * (1 - 1e-12))
        return false;
    *place_of_weight(p, edge, from) = sum;
    return true;
}

/* Congruences by the lightest ways between their operands, not those along the forest. Weights only
 * become less, so each is more than those of the ways that it stands for. */
static void weigh_closely(Prover *p)
{
    bool better = true;
    for (int round = 0; round < CLOSE_ROUNDS && better && p->fuel > 0; round++) {
        better = false;
        for (u32 edge = 0; edge < p->g->why.len && p->fuel > 0; edge++) {
            const Equality *e = &p->g->why.at[edge];
            if (e->rule)
                continue;
            better = weigh_edge_closely(p, edge, e->a) || better;
            better = (p->onward && weigh_edge_closely(p, edge, e->b)) || better;
        }
    }
    p->fuel = FUEL;
}

/* ---- rewriting the state ---- */

static bool stands_in(const Node *n, Node *root)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(1, &root, &order);
    for (size_t i = 0; i < order.len && !found; i++)
        found = order.at[i] == n;
    vec_free(&order);
    return found;
}

static u32 frame_width(const Prover *p, size_t k)
{
    return k ? p->frames.at[k].node->nops : (u32)p->nroots;
}

/* Does n stand in something outside of the innermost `inner` frames that is as it is to be? */
static bool disturbs(Prover *p, const Node *n, size_t frames)
{
    for (size_t k = 0; k < frames; k++) {
        const Frame *f = &p->frames.at[k];
        for (u32 i = 0; i < frame_width(p, k); i++)
            if (i != f->at && (i < f->at || f->now[i] == f->to[i]) && stands_in(n, f->now[i]))
                return true;
    }
    return false;
}

static Node *frame_node(Prover *p, const Frame *f)
{
    Node *n = f->node;
    return n->op == OP_PROJ ? node_proj(p->g->st, f->now[0], n->attrs[0].i)
                            : node_make(p->g->st, n->op, n->attrs, n->nops, f->now);
}

static bool substitute_everywhere(Prover *p, const Node *before, Node *after, size_t frames)
{
    PtrMap memo = {0};
    map_put(&memo, before, after);
    bool ok = true;
    for (size_t k = 0; k < frames && ok; k++) {
        Frame *f = &p->frames.at[k];
        for (u32 i = 0; i < frame_width(p, k) && ok; i++)
            ok = (f->now[i] = node_substitute(p->g->st, f->now[i], &memo)) != NULL;
        if (k && ok)
            ok = (f->node = frame_node(p, f)) != NULL;
    }
    map_free(&memo);
    return ok;
}

/* The node at the innermost place becomes another one. */
static bool emit(Prover *p, Node *before, Node *after, Equality why, bool back)
{
    size_t frames = p->frames.len;
    if (before == after)
        return true;
    while (frames > 1 && disturbs(p, before, frames)) {
        Frame *f = &p->frames.at[--frames];
        before = f->node;
        f->now[f->at] = after;
        if (!(after = frame_node(p, f)))
            return false;
        f->node = after;
    }
    if (p->out->len >= MAX_STEPS || (p->fuel -= 50) <= 0)
        return false;
    vec_push(p->out, ((ProofStep){before, after, why, back}));
    return substitute_everywhere(p, before, after, frames);
}

/* ---- writing a way ---- */

static bool prove_here(Prover *p, Node *from, Node *to);

/* What stands at the place that is worked on. */
static Node *here(const Prover *p)
{
    const Frame *f = &p->frames.at[p->frames.len - 1];
    return f->now[f->at];
}

static bool prove_operands(Prover *p, const Equality *e, bool back)
{
    Node *a = here(p), *b = eg_node(p->g, back ? e->a : e->b);
    u32 n = a->nops;
    Frame f = {.node = a};
    f.now = arena_alloc(&p->arena, 2 * n * sizeof *f.now + 1);
    f.to = f.now + n;
    for (u32 i = 0; i < n; i++) {
        f.now[i] = a->ops[i];
        u32 k = e->with && !back ? e->with[i] : i;
        for (u32 j = 0; j < n && e->with && back; j++)
            k = e->with[j] == i ? j : k;
        f.to[i] = b->ops[k];
    }
    size_t depth = p->frames.len;
    vec_push(&p->frames, f);
    bool ok = true;
    for (u32 i = 0; i < n && ok; i++) {
        p->frames.at[depth].at = i;
        Frame *mine = &p->frames.at[depth];
        ok = prove_here(p, mine->now[i], mine->to[i]);
    }
    Node *r = ok ? p->frames.at[depth].node : NULL;
    p->frames.len = depth;
    if (!ok || !r)
        return false;
    return r == b || emit(p, r, b, (Equality){0}, false);
}

/* `from`, at the place that is worked on, becomes `to`. */
static bool prove_here(Prover *p, Node *from, Node *to)
{
    if (from == to)
        return true;
    if (++p->depth > MAX_DEPTH || p->fuel-- <= 0) {
        p->depth--;
        return false;
    }
    TermId a = eg_add(p->g, from), b = eg_add(p->g, to);
    u32 *way, count;
    bool ok = eg_find(p->g, a) == eg_find(p->g, b) && lightest_way(p, a, b, &way, &count) < HEAVY;
    for (u32 i = 0; ok && i < count; i++) {
        const Equality e = p->g->why.at[way[i]]; /* the list may grow */
        bool back = e.b == a;
        a = back ? e.a : e.b;
        ok = e.rule ? emit(p, here(p), eg_node(p->g, a), e, back) : prove_operands(p, &e, back);
    }
    p->depth--;
    return ok;
}

static bool prove(EGraph *g, int n, Node *const *from, Node *const *to, bool onward, bool closely,
                  Proof *out)
{
    Prover p = {.g = g, .out = out, .nroots = n, .fuel = FUEL, .onward = onward};
    Frame f = {.now = arena_alloc(&p.arena, ((size_t)n + 1) * sizeof(Node *)),
               .to = arena_alloc(&p.arena, ((size_t)n + 1) * sizeof(Node *))};
    memcpy(f.now, from, (size_t)n * sizeof *from);
    memcpy(f.to, to, (size_t)n * sizeof *to);
    vec_push(&p.frames, f);
    bool ok = true;
    out->len = 0;
    if (closely)
        weigh_closely(&p);
    for (int i = 0; i < n && ok; i++) {
        p.frames.at[0].at = (u32)i;
        ok = prove_here(&p, p.frames.at[0].now[i], to[i]);
    }
    vec_free(&p.frames);
    vec_free(&p.weights);
    vec_free(&p.heads);
    free(p.links);
    arena_free(&p.arena);
    return ok;
}

bool eg_prove(EGraph *g, int n, Node *const *from, Node *const *to, bool onward, Proof *out)
{
    return (onward && prove(g, n, from, to, true, false, out)) ||
           prove(g, n, from, to, false, false, out);
}

bool eg_prove_closely(EGraph *g, int n, Node *const *from, Node *const *to, bool onward, Proof *out)
{
    return prove(g, n, from, to, onward, true, out);
}
