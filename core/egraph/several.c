/* The K best forms and the one that is looked for: see several.h. */
#include "egraph/several.h"

#include "egraph/best.h"
#include "egraph/saturator.h"

enum {
    TIMES_AS_MANY = 2, /* forms that are compared for each one that is wanted, */
    MORE = 10,         /* and beyond: some share more than others, some no program may become */
    GROUPINGS = 10     /* of each of them that are passed over, on average */
};

typedef struct {
    Node **roots;
    double cost, tree;
    u32 turn;
    u64 shape; /* of two that differ in the grouping of sums and products the same */
} Candidate;
typedef VEC(Candidate) Candidates;
typedef MAP(const Node *, u64) ShapeMap;

typedef struct {
    Saturator *s;
    SaturatedForms *to;
    int n;
    Node *const *from;
    Candidates all;
} Chooser;

void several_clear(SaturatedForms *f)
{
    for (size_t i = 0; i < f->at.len; i++)
        free(f->at.at[i].roots);
    vec_free(&f->at);
    f->sought.by.len = 0;
    f->sought.state = SOUGHT_MISSING;
    f->all = false;
}

void several_free(SaturatedForms *f)
{
    several_clear(f);
    free(f->sought.roots);
    text_free(&f->sought.by);
}

static Node **copy_of(const Chooser *c, Node *const *roots)
{
    Node **copy = xmalloc(((size_t)c->n + 1) * sizeof *copy);
    memcpy(copy, roots, (size_t)c->n * sizeof *copy);
    return copy;
}

/* ---- candidates ---- */

typedef struct {
    double own, joined;
} TreeCost;

/* What the trees of the roots cost. */
static double tree_cost(Chooser *c, Node *const *roots)
{
    NodeVec order = {0};
    MAP(const Node *, u32) place = {0};
    nodes_topo(c->n, roots, &order);
    TreeCost *at = xcalloc(order.len + 1, sizeof *at);
    for (u32 i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        map_put(&place, n, i);
        at[i] = (TreeCost){node_cost(c->s->e->st, &c->s->model, n),
                           node_cost_joined(c->s->e->st, &c->s->model, n)};
        for (u32 k = 0; k < n->nops; k++) {
            const TreeCost *part = &at[map_get(&place, n->ops[k])];
            double cost = node_joins(n, n->ops[k]) ? part->joined : part->own;
            at[i].own += cost;
            at[i].joined += cost;
        }
    }
    double sum = 0;
    for (int i = 0; i < c->n; i++)
        sum += at[map_get(&place, roots[i])].own;
    free(at);
    map_free(&place);
    vec_free(&order);
    return sum;
}

/* What does not depend on the order in which the terms of it come. */
static u64 shape_of_term(const Node *n, const Node *within, const ShapeMap *at)
{
    bool grouped = within->op == n->op && within->type == n->type && eg_any_order(n->op, n->nops);
    u64 sum = 0;
    if (!grouped)
        return hash_mix(map_get(at, n), 1);
    for (u32 i = 0; i < n->nops; i++)
        sum += shape_of_term(n->ops[i], n, at);
    return sum;
}

static u64 shape_of_node(const Node *n, const ShapeMap *at)
{
    u64 h = hash_mix((u64)n->op, n->nops ? 1 : (u64)(uintptr_t)n), sum = 0;
    for (u32 i = 0; i < n->nattrs; i++)
        h = hash_mix(h, n->attrs[i].bits);
    for (u32 i = 0; i < n->nops; i++)
        if (eg_any_order(n->op, n->nops))
            sum += shape_of_term(n->ops[i], n, at);
        else
            h = hash_mix(h, map_get(at, n->ops[i]));
    return hash_mix(h, sum);
}

static u64 shape_of_roots(const Chooser *c, Node *const *roots)
{
    NodeVec order = {0};
    ShapeMap at = {0};
    u64 shape = 0;
    nodes_topo(c->n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        map_put(&at, order.at[i], shape_of_node(order.at[i], &at));
    for (int i = 0; i < c->n; i++)
        shape = hash_mix(shape, map_get(&at, roots[i]));
    map_free(&at);
    vec_free(&order);
    return shape;
}

static void add_candidate(Chooser *c, Node *const *roots, double tree)
{
    u64 shape = shape_of_roots(c, roots);
    for (size_t i = 0; i < c->all.len; i++)
        if (c->all.at[i].shape == shape)
            return;
    double cost = roots_cost(c->s->e->st, &c->s->model, c->n, roots);
    vec_push(&c->all, ((Candidate){copy_of(c, roots), cost, tree, (u32)c->all.len, shape}));
}

static int by_cost(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;
    return x->cost != y->cost ? (x->cost < y->cost ? -1 : 1)
                              : (x->turn > y->turn) - (x->turn < y->turn);
}

/* The next ones, and in the end `best`, if it was none of them; true if there are no others. */
static bool gather(Chooser *c, BestForms *forms, u32 most, Node *const *best)
{
    Node **roots = xmalloc(((size_t)c->n + 1) * sizeof *roots);
    double tree;
    bool more = true;
    for (u32 i = 0; i < most * GROUPINGS && c->all.len < most && more; i++)
        if ((more = best_next(forms, roots, &tree)))
            add_candidate(c, roots, tree);
    add_candidate(c, best, tree_cost(c, best));
    free(roots);
    qsort(c->all.at, c->all.len, sizeof *c->all.at, by_cost);
    return !more && !best_gave_up(forms);
}

/* ---- proofs ---- */

/* The way to a form that a program may take; else *bad is the step that it may not take. */
static bool prove_form(Chooser *c, Node *const *to, bool shorter, Proof *proof, size_t *bad)
{
    Saturator *s = c->s;
    proof->len = 0;
    *bad = 0;
    if (!eg_prove(&s->g, c->n, c->from, to, true, proof)) {
        proof->len = 0;
        return false;
    }
    saturator_cut_detours(s, proof, c->n, c->from);
    *bad = saturator_one_way_step(s, proof);
    bool ok = *bad == proof->len;
    if (ok && shorter)
        saturator_shorten(s, c->n, c->from, to, true, proof);
    return ok;
}

/* Proves the cheapest candidates; of the chosen one the proof goes to `proof`, and its nodes to
 * `to`. True if there is such a one. */
static bool prove_candidates(Chooser *c, Node **to, Proof *proof)
{
    SaturatedForms *f = c->to;
    bool found = false;
    Proof one = {0};
    for (size_t i = 0; i < c->all.len && f->at.len < f->wanted; i++) {
        Candidate *x = &c->all.at[i];
        bool chosen = f->at.len == f->chosen;
        size_t bad;
        if (store_stops(c->s->e->st) || !prove_form(c, x->roots, chosen, &one, &bad))
            continue;
        if (chosen) {
            memcpy(to, x->roots, (size_t)c->n * sizeof *to);
            proof->len = 0;
            for (size_t k = 0; k < one.len; k++)
                vec_push(proof, one.at[k]);
            found = true;
        }
        vec_push(&f->at, ((SaturatedForm){copy_of(c, x->roots), x->cost, x->tree}));
    }
    vec_free(&one);
    return found;
}

/* ---- what is looked for ---- */

static int by_id(const void *a, const void *b)
{
    TermId x = *(const TermId *)a, y = *(const TermId *)b;
    return (x > y) - (x < y);
}

/* Is the term what the node would be over these classes? */
static bool is_over(const Term *t, const Node *n, const TermId *kids)
{
    const Node *x = t->node;
    return !t->dup && x->op == n->op && x->nops == n->nops && x->nattrs == n->nattrs &&
           (!n->nattrs || !memcmp(x->attrs, n->attrs, n->nattrs * sizeof *n->attrs)) &&
           !memcmp(t->classes, kids, n->nops * sizeof *kids);
}

/* The class of an e-node of that operator over these classes; NO_TERM: there is none. */
static TermId class_over(EGraph *g, const Node *n, TermId *kids)
{
    if (eg_any_order(n->op, n->nops))
        qsort(kids, n->nops, sizeof *kids, by_id);
    const TermList *users = &g->classes.at[kids[0]]->parents;
    for (size_t i = 0; i < users->len; i++)
        if (is_over(eg_term(g, users->at[i]), n, kids))
            return eg_find(g, users->at[i]);
    return NO_TERM;
}

/* The class of a node that need not be a term: nothing is added. NO_TERM: none has it. */
static TermId class_of_node(EGraph *g, Node *root)
{
    NodeVec order = {0};
    MAP(const Node *, TermId) at = {0}; /* class + 1 */
    nodes_topo(1, &root, &order);
    TermId class = NO_TERM;
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        TermId known = map_get(&g->of, n), *kids = xmalloc((n->nops + 1) * sizeof *kids);
        bool all = n->nops > 0;
        for (u32 k = 0; k < n->nops && all; k++)
            all = (kids[k] = map_get(&at, n->ops[k])) && kids[k]--;
        class = known ? eg_find(g, known - 1) : all ? class_over(g, n, kids) : NO_TERM;
        free(kids);
        map_put(&at, n, class == NO_TERM ? 0 : class + 1);
    }
    map_free(&at);
    vec_free(&order);
    return class;
}

/* "log1p, fold (2 times)" */
static void put_rules(Chooser *c, Text *out, const Proof *proof)
{
    for (size_t i = 0; i < proof->len; i++) {
        const char *name = saturator_rule_of(c->s, &proof->at[i])->name;
        u32 times = 0;
        bool before = false;
        for (size_t k = 0; k < proof->len; k++) {
            bool same = !strcmp(saturator_rule_of(c->s, &proof->at[k])->name, name);
            times += same;
            before = before || (same && k < i);
        }
        if (before)
            continue;
        text_printf(out, "%s%s", out->len ? ", " : "", name);
        if (times > 1)
            text_printf(out, " (%u times)", times);
    }
}

static SoughtState sought_state(Chooser *c, const SoughtForm *x)
{
    SoughtState state = SOUGHT_FOUND;
    for (int i = 0; i < c->n; i++) {
        TermId class = class_of_node(&c->s->g, x->roots[i]);
        if (class == NO_TERM)
            return SOUGHT_MISSING;
        if (class != eg_find(&c->s->g, eg_add(&c->s->g, c->from[i])))
            state = SOUGHT_APART;
    }
    return state;
}

static void seek(Chooser *c)
{
    SoughtForm *x = &c->to->sought;
    Proof proof = {0};
    size_t bad;
    x->state = sought_state(c, x);
    if (x->state == SOUGHT_FOUND) {
        x->cost = roots_cost(c->s->e->st, &c->s->model, c->n, x->roots);
        bool ok = prove_form(c, x->roots, true, &proof, &bad);
        x->steps = (u32)proof.len;
        if (ok)
            put_rules(c, &x->by, &proof);
        else if (bad < proof.len) {
            x->state = SOUGHT_ONE_WAY;
            text_put(&x->by, proof.at[bad].why.rule->name);
        }
    }
    vec_free(&proof);
}

bool saturator_several(Saturator *s, int n, Node *const *roots, Node **to, Proof *proof)
{
    SaturatedForms *f = s->how->several;
    Chooser c = {.s = s, .to = f, .n = n, .from = roots};
    Onward onward;
    several_clear(f);
    eg_rebuild(&s->g);
    if (f->sought.roots)
        seek(&c);
    eg_rebuild(&s->g);
    saturator_open_onward(s, &onward);
    BestForms *forms = best_open(&s->g, &onward, &s->model, n, roots);
    f->all = gather(&c, forms, f->wanted * TIMES_AS_MANY + MORE, to);
    best_close(forms);
    bool found = prove_candidates(&c, to, proof);
    f->all = f->all && f->at.len < f->wanted;
    if (f->at.len)
        s->growth.after = f->at.at[0].cost;
    onward_close(&onward);
    for (size_t i = 0; i < c.all.len; i++)
        free(c.all.at[i].roots);
    vec_free(&c.all);
    return found;
}
