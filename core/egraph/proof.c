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

enum {
    FUEL = 2000000,   /* terms that are met on the ways: then the proof is given up */
    STEP_FUEL = 50,   /* of it for a step, which is put into every state */
    MAX_STEPS = 4000, /* of a proof: nobody reads a longer one, and replaying it takes long */
    MAX_DEPTH = 2000, /* of proofs in proofs of operands: the machine's stack is finite */
    CLOSE_ROUNDS = 4  /* of weighing: a way that got lighter makes others lighter */
};

/* Weights of edges, in steps by a rule. */
static const double HEAVY = 1e12, /* there is no way */
    AVOIDED = 1000,               /* a step that may only be taken the other way round: a longer
                                     proof without it is better */
    CONGRUENCE = 0.001,           /* no step of its own, but of two such ways the shorter one */
    PAIRING = 0.5;                /* operands in another order: sometimes a step, sometimes not */

typedef struct {
    Node *node; /* what stands here now */
    Node **now; /* its operands */
    Node **to;  /* what they are to become */
    u32 at;     /* the one that is being worked on */
} Frame;

/* How a term was reached. */
typedef struct {
    u32 search, turn; /* in which search, as which one */
    u32 edge;
    TermId before;
    double far;
    bool done;
} Reached;

typedef struct {
    double far;
    TermId term;
} Way;

typedef struct {
    VEC(Reached) reached; /* by term */
    VEC(Way) heap;
    u32 search, turns;
} Ways;

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
    Ways ways;
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
    double sum = CONGRUENCE + (e->with ? PAIRING : 0);
    for (u32 i = 0; i < eg_node(p->g, e->a)->nops && sum < HEAVY; i++) {
        TermId ends[2];
        operand_ends(p, e, from, i, ends);
        sum += weight_between(p, ends[0], ends[1], depth + 1);
    }
    return *place_of_weight(p, edge, from) = sum < HEAVY ? sum : HEAVY;
}

u32 eg_depth(EGraph *g, TermId t)
{
    u32 d = 0;
    for (; eg_term(g, t)->up != NO_TERM; t = eg_term(g, t)->up)
        d++;
    return d;
}

/* Along the forest: up from a, down to b. */
static double weight_between(Prover *p, TermId a, TermId b, int depth)
{
    u32 da = eg_depth(p->g, a), db = eg_depth(p->g, b);
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

/* In what order terms were reached decides where ways weigh the same. */
static bool sooner(const Ways *w, size_t a, size_t b)
{
    return w->heap.at[a].far < w->heap.at[b].far ||
           (w->heap.at[a].far == w->heap.at[b].far &&
            w->reached.at[w->heap.at[a].term].turn < w->reached.at[w->heap.at[b].term].turn);
}

static void swap_ways(Ways *w, size_t a, size_t b)
{
    Way way = w->heap.at[a];
    w->heap.at[a] = w->heap.at[b];
    w->heap.at[b] = way;
}

static void push_way(Ways *w, double far, TermId term)
{
    size_t i = w->heap.len;
    vec_push(&w->heap, ((Way){far, term}));
    for (; i && sooner(w, i, (i - 1) / 2); i = (i - 1) / 2)
        swap_ways(w, i, (i - 1) / 2);
}

static TermId pop_way(Ways *w)
{
    TermId term = w->heap.at[0].term;
    w->heap.at[0] = w->heap.at[--w->heap.len];
    for (size_t i = 0, k; (k = 2 * i + 1) < w->heap.len; i = k) {
        k += k + 1 < w->heap.len && sooner(w, k + 1, k);
        if (!sooner(w, k, i))
            break;
        swap_ways(w, i, k);
    }
    return term;
}

static void reach(Ways *w, TermId t, TermId before, u32 edge, double far)
{
    Reached *r = &w->reached.at[t];
    bool known = r->search == w->search;
    if (known && r->far <= far)
        return;
    *r = (Reached){w->search, known ? r->turn : w->turns++, edge, before, far, known && r->done};
    push_way(w, far, t);
}

static void begin_ways(Ways *w, size_t terms)
{
    while (w->reached.len < terms)
        vec_push(&w->reached, ((Reached){0}));
    w->heap.len = 0;
    w->turns = 0;
    w->search++;
}

static void write_way(Prover *p, TermId a, TermId b, u32 **out, u32 *count)
{
    const Reached *reached = p->ways.reached.at;
    *count = 0;
    for (TermId t = b; t != a; (*count)++)
        t = reached[t].before;
    *out = arena_alloc(&p->arena, (*count + 1) * sizeof **out);
    u32 i = *count;
    for (TermId t = b; t != a; t = reached[t].before)
        (*out)[--i] = reached[t].edge;
}

/* What the lightest way from a to b weighs; its edges in *out, in order, unless that is NULL.
 * HEAVY: there is none. */
static double lightest_way(Prover *p, TermId a, TermId b, u32 **out, u32 *count)
{
    Ways *w = &p->ways;
    double most = weight_between(p, a, b, 0) + PAIRING, weight = HEAVY;
    link_edges(p);
    begin_ways(w, p->g->terms.len);
    reach(w, a, NO_TERM, 0, 0);
    while (w->heap.len && p->fuel-- > 0) {
        TermId t = pop_way(w);
        Reached *r = &w->reached.at[t];
        if (t == b) {
            weight = r->far;
            break;
        }
        if (r->done)
            continue;
        r->done = true;
        for (u32 l = p->heads.at[t]; l; l = p->links[l - 1].next) {
            u32 edge = p->links[l - 1].edge;
            const Equality *e = &p->g->why.at[edge];
            double far = r->far + edge_weight(p, edge, t, 0);
            if (far <= most && far < HEAVY)
                reach(w, e->a == t ? e->b : e->a, t, edge, far);
        }
    }
    if (weight < HEAVY && out)
        write_way(p, a, b, out, count);
    return weight;
}

/* True if it got lighter. */
static bool weigh_edge_closely(Prover *p, u32 edge, TermId from)
{
    const Equality *e = &p->g->why.at[edge];
    double was = edge_weight(p, edge, from, 0), sum = CONGRUENCE + (e->with ? PAIRING : 0);
    for (u32 i = 0; i < eg_node(p->g, e->a)->nops && sum < was; i++) {
        TermId ends[2];
        operand_ends(p, e, from, i, ends);
        sum += lightest_way(p, ends[0], ends[1], NULL, NULL);
    }
    if (sum >= was * COST_LESS)
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
    NodeMap memo = {0};
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
    if (p->out->len >= MAX_STEPS || (p->fuel -= STEP_FUEL) <= 0)
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
    vec_free(&p.ways.reached);
    vec_free(&p.ways.heap);
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
