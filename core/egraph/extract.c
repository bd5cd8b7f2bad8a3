/* Extraction: see extract.h. */
#include "egraph/extract.h"

enum {
    EXACT_PARTS = 60,       /* of the answer so far: with more, all choices are too many to try */
    EXACT_WORK = 20000,     /* choices that are looked at to find the best answer */
    IMPROVE_ROUNDS = 3,     /* through all parts; it ends when one gains nothing */
    IMPROVE_WORK = 2000000, /* parts that are walked through in all rounds together */
    VISITS = 200,           /* to a term, on average: round circles costs may sink for long */
    VISITS_AT_LEAST = 1000  /* to all terms of a small graph together */
};

static const double TOO_MUCH = 1e300;

/* ---- trees ---- */

typedef struct {
    EGraph *g;
    const Onward *o;
    double *own;    /* of terms: what it costs itself, */
    double *joined; /* and if it runs in one sweep with all that uses it */
    double *tree;   /* of parts: with all below, what is shared counted each time */
    TermId *choice; /* of parts */
    u32 *seen;      /* of parts: marks of the walk under way; */
    u32 *apart;     /* and of those that something uses in another sweep */
    u32 mark;
    VEC(u32) order; /* of the last walk: parts, operands first */
    i64 work;
} Chooser;

static u32 part_of_kid(const Chooser *c, const Term *t, u32 i) { return c->o->part[t->kids[i]]; }

static double tree_cost(const Chooser *c, TermId t)
{
    const Term *x = eg_term(c->g, t);
    double sum = c->own[t];
    for (u32 i = 0; i < x->node->nops && sum < TOO_MUCH; i++)
        sum += c->tree[part_of_kid(c, x, i)];
    return sum < TOO_MUCH ? sum : TOO_MUCH;
}

static bool usable(const Banned *banned, TermId t)
{
    return !banned || t >= banned->len || !banned->at[t];
}

typedef struct {
    TermList work;
    bool *waits;
} TreeWork;

static void look_again(Chooser *c, TreeWork *w, u32 part)
{
    const PartLists *users = &c->o->users;
    for (u32 u = users->first[part]; u < users->first[part + 1]; u++)
        if (!w->waits[users->at[u]] && w->work.len < VISITS * c->o->nterms + VISITS_AT_LEAST) {
            vec_push(&w->work, users->at[u]);
            w->waits[users->at[u]] = true;
        }
}

/* Users of a part that became cheaper are looked at again. */
static void choose_trees(Chooser *c, const Banned *banned)
{
    const Onward *o = c->o;
    TreeWork w = {.waits = xcalloc(o->nterms + 1, sizeof *w.waits)};
    for (TermId i = 0; i < o->nterms; i++)
        if (c->own[i] < TOO_MUCH) {
            vec_push(&w.work, i);
            w.waits[i] = true;
        }
    for (size_t i = 0; i < w.work.len; i++) {
        TermId t = w.work.at[i];
        w.waits[t] = false;
        if (!usable(banned, t))
            continue;
        double cost = tree_cost(c, t);
        const PartLists *from = &o->from;
        for (u32 k = from->first[o->part[t]]; k < from->first[o->part[t] + 1]; k++) {
            u32 part = from->at[k];
            if (cost >= c->tree[part] * COST_LESS)
                continue;
            c->tree[part] = cost;
            c->choice[part] = t;
            look_again(c, &w, part);
        }
    }
    free(w.waits);
    vec_free(&w.work);
}

/* ---- what is shared counts once ---- */

/* What the parts of the last walk cost, each as it stands among those that use it. */
static double cost_of_order(Chooser *c, u32 n, const u32 *roots)
{
    EGraph *g = c->g;
    double sum = 0;
    for (u32 r = 0; r < n; r++)
        c->apart[roots[r]] = c->mark;
    for (size_t i = 0; i < c->order.len; i++) {
        const Term *t = eg_term(g, c->choice[c->order.at[i]]);
        for (u32 k = 0; k < t->node->nops; k++) {
            u32 kid = part_of_kid(c, t, k);
            if (!node_joins(t->node, eg_node(g, c->choice[kid])))
                c->apart[kid] = c->mark;
        }
    }
    for (size_t i = 0; i < c->order.len; i++) {
        u32 k = c->order.at[i];
        TermId t = c->choice[k];
        sum += c->apart[k] == c->mark ? c->own[t] : c->joined[t];
    }
    return sum;
}

/* The parts that the roots reach by what was chosen, operands first, and their cost; TOO_MUCH if
 * some part would need itself. It need not be exact once it is above the limit. */
static double walk(Chooser *c, u32 n, const u32 *roots, double limit)
{
    EGraph *g = c->g;
    typedef struct {
        u32 part, next;
    } Visit;
    VEC(Visit) stack = {0};
    double sum = 0;
    u32 open = ++c->mark, done = ++c->mark;
    c->order.len = 0;
    for (u32 r = 0; r < n && sum < limit; r++) {
        u32 root = roots[r];
        if (c->seen[root] == done)
            continue;
        c->seen[root] = open;
        vec_push(&stack, ((Visit){root, 0}));
        while (stack.len && sum < limit) {
            Visit *s = &stack.at[stack.len - 1];
            const Term *t = c->choice[s->part] == NO_TERM ? NULL : eg_term(g, c->choice[s->part]);
            c->work--;
            if (!t) {
                sum = TOO_MUCH;
            } else if (s->next < t->node->nops) {
                u32 k = part_of_kid(c, t, s->next++);
                if (c->seen[k] == open) {
                    sum = TOO_MUCH;
                } else if (c->seen[k] != done) {
                    c->seen[k] = open;
                    vec_push(&stack, ((Visit){k, 0}));
                }
            } else {
                c->seen[s->part] = done;
                sum += c->joined[c->choice[s->part]];
                vec_push(&c->order, s->part);
                stack.len--;
            }
        }
        stack.len = 0;
    }
    vec_free(&stack);
    return sum >= TOO_MUCH ? TOO_MUCH : sum < limit ? cost_of_order(c, n, roots) : sum;
}

/* Exchanges one e-node after the other where the whole gets cheaper. */
static double improve(Chooser *c, const Banned *banned, u32 n, const u32 *roots, double cost)
{
    const PartLists *forms = &c->o->forms;
    bool better = true;
    c->work = IMPROVE_WORK;
    for (int round = 0; round < IMPROVE_ROUNDS && better; round++) {
        VEC(u32) order = {0};
        better = false;
        walk(c, n, roots, TOO_MUCH);
        for (size_t i = 0; i < c->order.len; i++)
            vec_push(&order, c->order.at[i]);
        for (size_t i = 0; i < order.len && c->work > 0; i++) {
            u32 part = order.at[i];
            TermId was = c->choice[part];
            for (u32 k = forms->first[part]; k < forms->first[part + 1] && c->work > 0; k++) {
                if (forms->at[k] == was || !usable(banned, forms->at[k]))
                    continue;
                c->choice[part] = forms->at[k];
                double now = walk(c, n, roots, cost);
                if (now < cost * COST_LESS) {
                    cost = now;
                    was = forms->at[k];
                    better = true;
                }
            }
            c->choice[part] = was;
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
    const u32 *roots;
    TermId *best;
    double cost;
    i64 work;
} Exhaustive;

enum { NO_PART = UINT32_MAX };

/* The first part that is needed and has no choice yet; NO_PART: none. *sum: what is chosen costs
 * no less than that. */
static u32 undecided(Exhaustive *x, double *sum)
{
    const Chooser *c = x->c;
    VEC(u32) stack = {0};
    u32 mark = ++x->c->mark, found = NO_PART;
    *sum = 0;
    for (u32 i = 0; i < x->n; i++)
        vec_push(&stack, x->roots[i]);
    while (stack.len) {
        u32 k = stack.at[--stack.len];
        if (c->seen[k] == mark)
            continue;
        c->seen[k] = mark;
        TermId t = c->choice[k];
        if (t == NO_TERM) {
            found = found == NO_PART ? k : found;
            continue;
        }
        *sum += c->joined[t];
        for (u32 i = 0; i < eg_node(c->g, t)->nops; i++)
            vec_push(&stack, part_of_kid(c, eg_term(c->g, t), i));
    }
    vec_free(&stack);
    return found;
}

static void search_all(Exhaustive *x)
{
    double sum;
    Chooser *c = x->c;
    const PartLists *forms = &c->o->forms;
    if (--x->work < 0)
        return;
    u32 part = undecided(x, &sum);
    if (sum >= x->cost * COST_LESS)
        return;
    if (part == NO_PART) {
        sum = walk(c, x->n, x->roots, TOO_MUCH);
        if (sum < x->cost * COST_LESS) {
            x->cost = sum;
            memcpy(x->best, c->choice, c->o->nparts * sizeof *x->best);
        }
        return;
    }
    for (u32 k = forms->first[part]; k < forms->first[part + 1] && x->work > 0; k++) {
        if (!usable(x->banned, forms->at[k]))
            continue;
        c->choice[part] = forms->at[k];
        search_all(x);
    }
    c->choice[part] = NO_TERM;
}

/* True if the answer is the best one there is; then it is in c->choice. */
static bool choose_exactly(Chooser *c, const Banned *banned, u32 n, const u32 *roots, double *cost)
{
    size_t bytes = c->o->nparts * sizeof(TermId);
    if (c->order.len > EXACT_PARTS)
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

static Node *chosen_node(Chooser *c, u32 part, Node *const *made)
{
    Term *t = eg_term(c->g, c->choice[part]);
    Node *n = t->node, *small[16];
    Node **ops = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *ops);
    for (u32 i = 0; i < n->nops; i++)
        ops[i] = made[part_of_kid(c, t, i)];
    Node *r = node_with_operands(c->g->st, n, ops);
    if (ops != small)
        free(ops);
    return r && r->type == n->type ? r : NULL;
}

static void put_chosen(const Chooser *c, Choices *chosen)
{
    for (size_t i = 0; i < c->order.len; i++) {
        TermId t = c->choice[c->order.at[i]];
        map_put(chosen, eg_find(c->g, t) + 1, t + 1);
    }
}

static bool build(Chooser *c, u32 n, const u32 *roots, Node **out)
{
    Node **made = xcalloc(c->o->nparts + 1, sizeof *made);
    bool ok = walk(c, n, roots, TOO_MUCH) < TOO_MUCH;
    for (size_t i = 0; i < c->order.len && ok; i++) {
        u32 part = c->order.at[i];
        ok = (made[part] = chosen_node(c, part, made)) != NULL;
    }
    for (u32 i = 0; i < n && ok; i++)
        out[i] = made[roots[i]];
    free(made);
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

static void chooser_open(Chooser *c, EGraph *g, const Onward *o, const CostModel *m,
                         const Banned *banned)
{
    size_t terms = o->nterms + 1, parts = o->nparts + 1;
    *c = (Chooser){.g = g, .o = o};
    c->own = xmalloc(terms * sizeof *c->own);
    c->joined = xmalloc(terms * sizeof *c->joined);
    c->tree = xmalloc(parts * sizeof *c->tree);
    c->choice = xmalloc(parts * sizeof *c->choice);
    c->seen = xcalloc(parts, sizeof *c->seen);
    c->apart = xcalloc(parts, sizeof *c->apart);
    for (TermId i = 0; i < o->nterms; i++)
        c->own[i] = c->joined[i] = TOO_MUCH;
    for (u32 k = 0; k < o->forms.first[o->nparts]; k++) {
        TermId t = o->forms.at[k];
        const TermCost *cost = eg_term_cost(g, m, t);
        c->own[t] = cost->own;
        c->joined[t] = cost->joined;
    }
    for (u32 i = 0; i < o->nparts; i++) {
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

static u32 *parts_of(EGraph *g, const Onward *o, int n, Node *const *roots)
{
    u32 *at = xmalloc(((size_t)n + 1) * sizeof *at);
    for (int i = 0; i < n; i++)
        at[i] = o->part[eg_add(g, roots[i])];
    return at;
}

double eg_estimate(EGraph *g, const Onward *o, const CostModel *m, int n, Node *const *roots,
                   Choices *chosen)
{
    Chooser c;
    u32 *at = parts_of(g, o, n, roots);
    chooser_open(&c, g, o, m, NULL);
    double cost = walk(&c, (u32)n, at, TOO_MUCH);
    if (chosen)
        put_chosen(&c, chosen);
    chooser_close(&c);
    free(at);
    return cost;
}

bool eg_extract(EGraph *g, const Onward *o, const CostModel *m, const Banned *banned, int n,
                Node *const *roots, Node **out, Extracted *e)
{
    Chooser c;
    u32 *at = parts_of(g, o, n, roots);
    chooser_open(&c, g, o, m, banned);
    *e = (Extracted){.cost = walk(&c, (u32)n, at, TOO_MUCH)};
    if (e->cost < TOO_MUCH) {
        e->cost = improve(&c, banned, (u32)n, at, e->cost);
        e->exact = choose_exactly(&c, banned, (u32)n, at, &e->cost);
    }
    bool ok = e->cost < TOO_MUCH && build(&c, (u32)n, at, out);
    put_chosen(&c, &e->chosen);
    chooser_close(&c);
    free(at);
    return ok;
}
