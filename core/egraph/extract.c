/* Extraction: see extract.h. */
#include "egraph/extract.h"

enum {
    EXACT_CLASSES = 60,     /* of the answer so far: with more, all choices are too many to try */
    EXACT_WORK = 20000,     /* choices that are looked at to find the best answer */
    IMPROVE_ROUNDS = 3,     /* through all classes; it ends when one gains nothing */
    IMPROVE_WORK = 2000000, /* classes that are walked through in all rounds together */
    VISITS = 200,           /* to a term, on average: round circles costs may sink for long */
    VISITS_AT_LEAST = 1000  /* to all terms of a small graph together */
};

static const double TOO_MUCH = 1e300;

/* ---- trees ---- */

typedef struct {
    EGraph *g;
    double *own;    /* of terms: what it costs itself, */
    double *joined; /* and if it runs in one sweep with all that uses it */
    double *tree;   /* of classes: with all below, shared parts counted each time */
    TermId *choice; /* of classes */
    u32 *seen;      /* of classes: marks of the walk under way; */
    u32 *apart;     /* and of those that something uses in another sweep */
    u32 mark;
    TermList order; /* of the last walk: classes, operands first */
    i64 work;
} Chooser;

static double tree_cost(const Chooser *c, TermId t)
{
    const Term *x = eg_term(c->g, t);
    double sum = c->own[t];
    for (u32 i = 0; i < x->node->nops && sum < TOO_MUCH; i++)
        sum += c->tree[eg_find(c->g, x->kids[i])];
    return sum < TOO_MUCH ? sum : TOO_MUCH;
}

static bool usable(const Banned *banned, TermId t)
{
    return !banned || t >= banned->len || !banned->at[t];
}

/* Users of a class that became cheaper are looked at again. */
static void choose_trees(Chooser *c, const Banned *banned)
{
    EGraph *g = c->g;
    TermList work = {0};
    bool *waits = xcalloc(g->terms.len + 1, sizeof *waits);
    for (TermId i = 0; i < g->terms.len; i++)
        if (!eg_term(g, i)->dup) {
            vec_push(&work, i);
            waits[i] = true;
        }
    for (size_t i = 0; i < work.len; i++) {
        TermId t = work.at[i];
        waits[t] = false;
        if (!usable(banned, t))
            continue;
        TermId k = eg_find(g, t);
        double cost = tree_cost(c, t);
        if (cost >= c->tree[k] * COST_LESS)
            continue;
        c->tree[k] = cost;
        c->choice[k] = t;
        const TermList *users = &g->classes.at[k]->parents;
        for (size_t u = 0; u < users->len; u++)
            if (!eg_term(g, users->at[u])->dup && !waits[users->at[u]] &&
                work.len < VISITS * g->terms.len + VISITS_AT_LEAST) {
                vec_push(&work, users->at[u]);
                waits[users->at[u]] = true;
            }
    }
    free(waits);
    vec_free(&work);
}

/* ---- what is shared counts once ---- */

/* What the classes of the last walk cost, each as it stands among those that use it. */
static double cost_of_order(Chooser *c, u32 n, const TermId *roots)
{
    EGraph *g = c->g;
    double sum = 0;
    for (u32 r = 0; r < n; r++)
        c->apart[eg_find(g, roots[r])] = c->mark;
    for (size_t i = 0; i < c->order.len; i++) {
        const Term *t = eg_term(g, c->choice[c->order.at[i]]);
        for (u32 k = 0; k < t->node->nops; k++) {
            TermId kid = eg_find(g, t->kids[k]);
            if (!node_joins(t->node, eg_node(g, c->choice[kid])))
                c->apart[kid] = c->mark;
        }
    }
    for (size_t i = 0; i < c->order.len; i++) {
        TermId k = c->order.at[i], t = c->choice[k];
        sum += c->apart[k] == c->mark ? c->own[t] : c->joined[t];
    }
    return sum;
}

/* The classes that the roots reach by what was chosen, operands first, and their cost; TOO_MUCH if
 * some class would need itself. It need not be exact once it is above the limit. */
static double walk(Chooser *c, u32 n, const TermId *roots, double limit)
{
    EGraph *g = c->g;
    typedef struct {
        TermId class;
        u32 next;
    } Visit;
    VEC(Visit) stack = {0};
    double sum = 0;
    u32 open = ++c->mark, done = ++c->mark;
    c->order.len = 0;
    for (u32 r = 0; r < n && sum < limit; r++) {
        TermId root = eg_find(g, roots[r]);
        if (c->seen[root] == done)
            continue;
        c->seen[root] = open;
        vec_push(&stack, ((Visit){root, 0}));
        while (stack.len && sum < limit) {
            Visit *s = &stack.at[stack.len - 1];
            const Term *t = c->choice[s->class] == NO_TERM ? NULL : eg_term(g, c->choice[s->class]);
            c->work--;
            if (!t) {
                sum = TOO_MUCH;
            } else if (s->next < t->node->nops) {
                TermId k = eg_find(g, t->kids[s->next++]);
                if (c->seen[k] == open) {
                    sum = TOO_MUCH;
                } else if (c->seen[k] != done) {
                    c->seen[k] = open;
                    vec_push(&stack, ((Visit){k, 0}));
                }
            } else {
                c->seen[s->class] = done;
                sum += c->joined[c->choice[s->class]];
                vec_push(&c->order, s->class);
                stack.len--;
            }
        }
        stack.len = 0;
    }
    vec_free(&stack);
    return sum >= TOO_MUCH ? TOO_MUCH : sum < limit ? cost_of_order(c, n, roots) : sum;
}

/* Exchanges one e-node after the other where the whole gets cheaper. */
static double improve(Chooser *c, const Banned *banned, u32 n, const TermId *roots, double cost)
{
    bool better = true;
    c->work = IMPROVE_WORK;
    for (int round = 0; round < IMPROVE_ROUNDS && better; round++) {
        TermList order = {0};
        better = false;
        walk(c, n, roots, TOO_MUCH);
        for (size_t i = 0; i < c->order.len; i++)
            vec_push(&order, c->order.at[i]);
        for (size_t i = 0; i < order.len && c->work > 0; i++) {
            TermId k = order.at[i], was = c->choice[k];
            const TermList *terms = &c->g->classes.at[k]->terms;
            for (size_t t = 0; t < terms->len && c->work > 0; t++) {
                if (terms->at[t] == was || !usable(banned, terms->at[t]))
                    continue;
                c->choice[k] = terms->at[t];
                double now = walk(c, n, roots, cost);
                if (now < cost * COST_LESS) {
                    cost = now;
                    was = terms->at[t];
                    better = true;
                }
            }
            c->choice[k] = was;
        }
        vec_free(&order);
    }
    return cost;
}

/* ---- all ways ---- */

typedef struct {
    Chooser *c;
    const Banned *banned;
    u32 n;
    const TermId *roots;
    TermId *best;
    double cost;
    i64 work;
} Exhaustive;

/* The first class that is needed and has no choice yet; NO_TERM: none. *sum: what is chosen costs
 * no less than that. */
static TermId undecided(Exhaustive *x, double *sum)
{
    EGraph *g = x->c->g;
    TermList stack = {0};
    u32 mark = ++x->c->mark;
    TermId found = NO_TERM;
    *sum = 0;
    for (u32 i = 0; i < x->n; i++)
        vec_push(&stack, eg_find(g, x->roots[i]));
    while (stack.len) {
        TermId k = stack.at[--stack.len];
        if (x->c->seen[k] == mark)
            continue;
        x->c->seen[k] = mark;
        TermId t = x->c->choice[k];
        if (t == NO_TERM) {
            found = found == NO_TERM ? k : found;
            continue;
        }
        *sum += x->c->joined[t];
        for (u32 i = 0; i < eg_node(g, t)->nops; i++)
            vec_push(&stack, eg_find(g, eg_term(g, t)->kids[i]));
    }
    vec_free(&stack);
    return found;
}

static void search_all(Exhaustive *x)
{
    double sum;
    Chooser *c = x->c;
    if (--x->work < 0)
        return;
    TermId k = undecided(x, &sum);
    if (sum >= x->cost * COST_LESS)
        return;
    if (k == NO_TERM) {
        sum = walk(c, x->n, x->roots, TOO_MUCH);
        if (sum < x->cost * COST_LESS) {
            x->cost = sum;
            memcpy(x->best, c->choice, c->g->terms.len * sizeof *x->best);
        }
        return;
    }
    const TermList *terms = &c->g->classes.at[k]->terms;
    for (size_t i = 0; i < terms->len && x->work > 0; i++) {
        if (!usable(x->banned, terms->at[i]))
            continue;
        c->choice[k] = terms->at[i];
        search_all(x);
    }
    c->choice[k] = NO_TERM;
}

/* True if the answer is the best one there is; then it is in c->choice. */
static bool choose_exactly(Chooser *c, const Banned *banned, u32 n, const TermId *roots,
                           double *cost)
{
    size_t bytes = c->g->terms.len * sizeof(TermId);
    if (c->order.len > EXACT_CLASSES)
        return false;
    TermId *was = xmalloc(bytes);
    memcpy(was, c->choice, bytes);
    memset(c->choice, 0xff, bytes);
    Exhaustive x = {c, banned, n, roots, was, *cost, EXACT_WORK};
    search_all(&x);
    memcpy(c->choice, was, bytes);
    free(was);
    *cost = x.cost;
    return x.work > 0;
}

/* ---- the answer ---- */

typedef MAP(TermId, Node *) MadeMap; /* class + 1 -> what it became */

static Node *chosen_node(Chooser *c, TermId class, const MadeMap *made)
{
    Term *t = eg_term(c->g, c->choice[class]);
    Node *n = t->node, *small[16];
    Node **ops = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *ops);
    for (u32 i = 0; i < n->nops; i++)
        ops[i] = map_get(made, eg_find(c->g, t->kids[i]) + 1);
    Node *r = node_with_operands(c->g->st, n, ops);
    if (ops != small)
        free(ops);
    return r;
}

static bool build(Chooser *c, u32 n, const TermId *roots, Node **out, Extracted *e)
{
    MadeMap made = {0};
    bool ok = walk(c, n, roots, TOO_MUCH) < TOO_MUCH;
    for (size_t i = 0; i < c->order.len && ok; i++) {
        TermId k = c->order.at[i];
        Node *r = chosen_node(c, k, &made);
        ok = r && r->type == eg_node(c->g, k)->type;
        if (ok)
            map_put(&made, k + 1, r);
        map_put(&e->chosen, k + 1, c->choice[k] + 1);
    }
    for (u32 i = 0; i < n && ok; i++)
        out[i] = map_get(&made, eg_find(c->g, roots[i]) + 1);
    map_free(&made);
    return ok;
}

static bool same_model(const CostModel *a, const CostModel *b)
{
    return a->kind == b->kind && a->assumed == b->assumed && a->sizes == b->sizes &&
           a->nsizes == b->nsizes && a->ops == b->ops && a->nops == b->nops && a->place == b->place;
}

const TermCost *eg_term_cost(EGraph *g, const CostModel *m, TermId t)
{
    if (!same_model(&g->costs.of, m))
        g->costs.at.len = 0;
    g->costs.of = *m;
    while (g->costs.at.len <= t)
        vec_push(&g->costs.at, ((TermCost){-1, -1}));
    TermCost *at = &g->costs.at.at[t];
    if (at->own < 0)
        *at = (TermCost){node_cost(g->st, m, eg_node(g, t)),
                         node_cost_joined(g->st, m, eg_node(g, t))};
    return at;
}

static void chooser_open(Chooser *c, EGraph *g, const CostModel *m, const Banned *banned)
{
    size_t count = g->terms.len;
    *c = (Chooser){.g = g};
    c->own = xmalloc((count + 1) * sizeof *c->own);
    c->joined = xmalloc((count + 1) * sizeof *c->joined);
    c->tree = xmalloc((count + 1) * sizeof *c->tree);
    c->choice = xmalloc((count + 1) * sizeof *c->choice);
    c->seen = xcalloc(count + 1, sizeof *c->seen);
    c->apart = xcalloc(count + 1, sizeof *c->apart);
    for (TermId i = 0; i < count; i++) {
        const TermCost *cost =
            eg_term(g, i)->dup ? &(TermCost){TOO_MUCH, TOO_MUCH} : eg_term_cost(g, m, i);
        c->own[i] = cost->own;
        c->joined[i] = cost->joined;
        c->tree[i] = TOO_MUCH;
        c->choice[i] = NO_TERM;
    }
    choose_trees(c, banned);
}

static void chooser_close(Chooser *c)
{
    free(c->own);
    free(c->joined);
    free(c->apart);
    free(c->tree);
    free(c->choice);
    free(c->seen);
    vec_free(&c->order);
}

static TermId *terms_of(EGraph *g, int n, Node *const *roots)
{
    TermId *at = xmalloc(((size_t)n + 1) * sizeof *at);
    for (int i = 0; i < n; i++)
        at[i] = eg_add(g, roots[i]);
    return at;
}

double eg_estimate(EGraph *g, const CostModel *m, int n, Node *const *roots, Choices *chosen)
{
    Chooser c;
    TermId *at = terms_of(g, n, roots);
    chooser_open(&c, g, m, NULL);
    double cost = walk(&c, (u32)n, at, TOO_MUCH);
    for (size_t i = 0; chosen && i < c.order.len; i++) {
        TermId k = c.order.at[i];
        map_put(chosen, k + 1, c.choice[k] + 1);
    }
    chooser_close(&c);
    free(at);
    return cost;
}

bool eg_extract(EGraph *g, const CostModel *m, const Banned *banned, int n, Node *const *roots,
                Node **out, Extracted *e)
{
    Chooser c;
    TermId *at = terms_of(g, n, roots);
    chooser_open(&c, g, m, banned);
    *e = (Extracted){.cost = walk(&c, (u32)n, at, TOO_MUCH)};
    if (e->cost < TOO_MUCH) {
        e->cost = improve(&c, banned, (u32)n, at, e->cost);
        e->exact = choose_exactly(&c, banned, (u32)n, at, &e->cost);
    }
    bool ok = e->cost < TOO_MUCH && build(&c, (u32)n, at, out, e);
    chooser_close(&c);
    free(at);
    return ok;
}
