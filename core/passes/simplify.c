/* Sums of products as people write them.
 *
 * The graph is taken apart into regions: operators of sums and products (core/algebra) that nothing
 * but the region's root needs. What a region computes is brought into index form over what it
 * reads, like terms are one there, and back into the cheapest program that is found. That takes its
 * place if it costs less, and has no hazard but those allowed.
 *
 * Invariant: the new program's form is that of the old one, which proves the step. Each node is in
 * one region, and regions are small, so the pass is linear. */
#include "algebra/accuracy.h"
#include "graph/control.h"
#include "graph/provenance.h"
#include "passes/passes.h"
#include "passes/simplify.h"

/* ---- what may be in a region ---- */

static bool is_size(const Node *n) { return n->op == OP_SIZE || n->op == OP_DIM; }

/* A number that every form takes as it is. */
static bool is_number(const Node *n)
{
    return (n->op == OP_CONST && !n->type->rank) || is_size(n) ||
           (n->op == OP_CAST && is_size(n->ops[0]));
}

static bool is_arithmetic(const Node *n)
{
    switch (n->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_NEG:
    case OP_MUL:
    case OP_DIV:
    case OP_RECIPROCAL:
    case OP_SQR:
    case OP_SUM:
    case OP_MEAN:
    case OP_TRACE:
    case OP_MATMUL:
    case OP_TRANSPOSE:
    case OP_BROADCAST:
    case OP_EXPAND_DIMS:
    case OP_SQUEEZE:
    case OP_DIAG:
    case OP_EYE: return true;
    case OP_POW: return is_number(n->ops[1]);
    default: return false;
    }
}

static bool is_places(const Node *n) { return n->op == OP_BROADCAST && n->ops[0]->op == OP_IOTA; }

/* f64(i == j), over the places of two axes: what eye(n) is made of. */
static bool is_unit_matrix(const Node *n)
{
    const Node *eq = n->op == OP_CAST ? n->ops[0] : n;
    return eq->op == OP_EQ && is_places(eq->ops[0]) && is_places(eq->ops[1]) &&
           eq->ops[0]->ops[0] == eq->ops[1]->ops[0];
}

/* Whole numbers are left to rules of their own. */
static bool in_region(const Node *n)
{
    return n->type->kind == TYPE_TENSOR && dtype_is_float(n->type->dtype) &&
           (is_arithmetic(n) || is_unit_matrix(n));
}

static bool is_contraction(const Node *n)
{
    return n->op == OP_SUM || n->op == OP_MEAN || n->op == OP_TRACE || n->op == OP_MATMUL ||
           n->op == OP_DIAG || n->op == OP_EYE || n->op == OP_CAST;
}

/* ---- regions ---- */

enum {
    NOT_USED = 0,
    MIXED = 1,        /* by several regions, or by what is in none */
    FIRST = 2,        /* region k is FIRST + the place of its root */
    MOST_NODES = 48,  /* of a region: what is more begins a new one */
    MOST_TRIED = 6,   /* nodes of a region that are tried */
    MOST_WORK = 100,  /* terms made for each node of a region, */
    MOST_LEFT = 40000 /* and for all regions together: a fraction of a second */
};

typedef struct {
    Store *st;
    Facts *facts;
    Engine *e; /* NULL: at one node only */
    NodeVec order;
    NODE_MAP(u32) places;   /* node -> 1 + place */
    u32 *region;            /* by place */
    u32 *count;             /* of the nodes of the region with this root */
    u8 *changes;            /* by place */
    MAP(Node *, bool) read; /* by operators of the region at hand */
    NODE_MAP(u32) now;      /* node as it is by now -> its region */
    Algebra algebra;
    Sources sources;
    NodeVec inside; /* of the region at hand, users first */
    u32 left;
    const Rule *rule;
} Regions;

static u32 place_of(const Regions *r, const Node *n) { return node_map_get(&r->places, n) - 1; }

static void use(u32 *region, u32 by)
{
    *region = *region == NOT_USED || *region == by ? by : (u32)MIXED;
}

/* In the body of a loop: what does it change with? What is the same at every step is computed
 * outside, what depends on the step alone for all steps at once, so neither is mixed with the rest.
 */
enum { CONSTANT, OF_STEP, OF_STATES };

static u8 changes_with(const ScanShape *s, i64 param)
{
    return param < s->nstates ? OF_STATES : param < s->nstates + s->nseqs ? OF_STEP : CONSTANT;
}

static void find_changing(Regions *r)
{
    const Node *owner = r->e ? r->e->owner : NULL;
    if (!owner || owner->op != OP_SCAN)
        return;
    ScanShape s = scan_shape(owner);
    for (size_t i = 0; i < r->order.len; i++) {
        const Node *n = r->order.at[i];
        u8 own = n->op == OP_PARAM ? changes_with(&s, n->attrs[0].i) : (u8)CONSTANT;
        for (u32 k = 0; k < n->nops; k++) {
            u8 below = r->changes[place_of(r, n->ops[k])];
            own = below > own ? below : own;
        }
        r->changes[i] = own;
    }
}

static void find_regions(Regions *r, int nroots, Node *const *roots)
{
    for (size_t i = 0; i < r->order.len; i++)
        node_map_put(&r->places, r->order.at[i], (u32)i + 1);
    find_changing(r);
    for (int i = 0; i < nroots; i++)
        r->region[place_of(r, roots[i])] = MIXED;
    for (size_t i = r->order.len; i-- > 0;) {
        const Node *n = r->order.at[i];
        u32 *own = &r->region[i];
        bool in = in_region(n);
        if (in && (*own < FIRST || r->count[*own - FIRST] >= MOST_NODES))
            *own = FIRST + (u32)i;
        if (in)
            r->count[*own - FIRST]++;
        for (u32 k = 0; k < n->nops; k++) {
            u32 place = place_of(r, n->ops[k]);
            if (!is_number(n->ops[k]))
                use(&r->region[place],
                    in && r->changes[place] == r->changes[i] ? *own : (u32)MIXED);
        }
    }
}

/* ---- one region ---- */

typedef struct {
    u32 nodes, contractions, numbers, turns;
    u32 again; /* operands that several operators read */
    /* numbers: that something is multiplied or divided by */
} Census;

/* A formula in which everything stands once is as short as it can be, unless there are sums. */
static bool is_promising(const Census *c)
{
    return c->again || c->numbers > 1 || (c->nodes > 1 && (c->contractions || c->turns));
}

static void count_node(Census *c, const Node *n)
{
    c->nodes++;
    c->contractions += is_contraction(n);
    c->turns +=
        n->op == OP_NEG || n->op == OP_RECIPROCAL || n->op == OP_DIV || n->op == OP_TRANSPOSE;
}

/* Operand k as it was written. */
static Node *operand_shown(Regions *r, const Node *n, u32 k)
{
    const IntList *order = node_order(r->st, n);
    return n->ops[order && order->n == n->nops ? (u32)order->at[k] : k];
}

/* Operands behind these are sizes and exponents, not values. */
static u32 values_of(const Node *n)
{
    return n->op == OP_BROADCAST || n->op == OP_POW ? 1
           : n->op == OP_EYE || n->op == OP_CAST    ? 0
                                                    : n->nops;
}

static void push_operands(Regions *r, const Node *n, NodeVec *stack)
{
    u32 values = values_of(n);
    for (u32 k = n->nops; k-- > 0;)
        if (k >= values && !is_number(n->ops[k]) && n->op != OP_CAST)
            vec_push(stack, n->ops[k]);
    for (u32 k = values; k-- > 0;)
        vec_push(stack, values == n->nops ? operand_shown(r, n, k) : n->ops[k]);
}

/* x * x reads x once, x + x twice. */
static void count_sources(Regions *r, const Node *n, Census *c)
{
    for (u32 k = 0; k < n->nops; k++) {
        bool before = false;
        for (u32 i = 0; i < k && !before && n->nops < 8; i++)
            before = n->ops[i] == n->ops[k];
        c->again += before && n->op == OP_ADD;
        if (is_number(n->ops[k]))
            c->numbers += n->op == OP_MUL || n->op == OP_DIV;
        if (before || is_number(n->ops[k]))
            continue;
        if (map_has(&r->read, n->ops[k]))
            c->again++;
        else
            map_put(&r->read, n->ops[k], true);
    }
}

/* What stands under `root` in its region, and what that reads, in the author's order. */
static Census look_at(Regions *r, Node *root, u32 region)
{
    Census c = {0};
    NodeVec stack = {0};
    NodeSet seen = {0};
    sources_clear(&r->sources);
    map_clear(&r->read);
    r->inside.len = 0;
    vec_push(&stack, root);
    while (stack.len) {
        Node *n = stack.at[--stack.len];
        if (is_number(n)) {
            for (Node *s = n; s->op == OP_CAST || s->op == OP_DIM;) {
                s = s->ops[0];
                if (!is_number(s))
                    sources_add(&r->sources, s);
            }
        } else if (n != root && node_map_get(&r->now, n) != region) {
            sources_add(&r->sources, n);
        } else if (set_add(&seen, n)) {
            count_node(&c, n);
            count_sources(r, n, &c);
            vec_push(&r->inside, n);
            push_operands(r, n, &stack);
        }
    }
    vec_free(&stack);
    map_free(&seen);
    return c;
}

/* ---- is it worth it, and is it allowed? ---- */

/* A node more has to pay. Of forms that cost the same the one that reads less, or has a number
 * before a product of matrices instead of in it; but not in a loop, where a product would no longer
 * be seen to be the same at every step. */
static bool costs_less(const BackCost *now, const BackCost *was, bool in_loop)
{
    double least = was->work * (1 - 1e-9);
    if (now->nodes > was->nodes || now->sums > was->sums)
        return now->work < was->work / 2;
    return now->work < least ||
           (!in_loop && now->work * (1 - 1e-9) <= was->work &&
            (now->reads < was->reads || (now->reads == was->reads && now->scaled < was->scaled)));
}

static bool divides(Regions *r)
{
    for (size_t i = 0; i < r->inside.len; i++) {
        OpId op = r->inside.at[i]->op;
        if (op == OP_DIV || op == OP_RECIPROCAL || op == OP_POW)
            return true;
    }
    return false;
}

/* Where neither can be -0, and nothing is divided by what may be, no sign of a zero is seen. Terms
 * that cancel leave what their rounding makes of it: zero of either sign, or a little more. They
 * hide nothing where what they are made of is still there. */
static u32 hazards(Regions *r, const Form *form, Node *was, Node *now, u32 classes)
{
    Facts *f = r->facts;
    bool cancels = classes & FORM_ZERO_SUMS || form->nterms > 1;
    if (classes & FORM_TERMS_GONE && form->nterms && form_shows_gone(&r->algebra, form))
        classes = (classes & ~(u32)FORM_TERMS_GONE) | HAZARD_R | HAZARD_NPLUS;
    classes = form_hazards(classes);
    if (classes & HAZARD_Z && cancels)
        classes = (classes & ~(u32)HAZARD_Z) | HAZARD_R;
    if (classes & HAZARD_Z && !divides(r) && fact_never_minus_zero(f, was) &&
        fact_never_minus_zero(f, now))
        classes &= ~(u32)HAZARD_Z;
    return classes;
}

enum { OWN_CLASSES = HAZARD_R | HAZARD_NPLUS | HAZARD_O };

static bool may_take(Regions *r, Node *was, u32 classes)
{
    u32 allowed = r->e ? r->e->options->allowed : (u32)OWN_CLASSES;
    return !(classes & ~allowed) && !(r->e && engine_judged(r->e, was));
}

/* What may take n's place, which is not asked to cost less by itself; n: there is nothing. */
static Node *other_form(Regions *r, Node *n, bool factors, u32 *classes)
{
    Algebra *a = &r->algebra;
    FormOf was = algebra_form(a, n);
    bool small = was.form && was.form->nterms <= 2 * r->inside.len + 2;
    Node *now = small ? form_back(a, was.form, n->type, &r->sources, factors) : NULL;
    if (!now || now == n)
        return n;
    FormOf is = algebra_form(a, now);
    *classes = hazards(r, was.form, n, now, was.classes | is.classes);
    return is.form == was.form && may_take(r, n, *classes) ? now : n;
}

/* The root with `other` in place of n; NULL: that is no shorter. */
static Node *shorter(Regions *r, Node *root, Node *n, Node *other)
{
    Store *st = r->st;
    NodeMap memo = {0};
    for (size_t i = 0; i < r->sources.nodes.len; i++) /* no further than these */
        map_put(&memo, r->sources.nodes.at[i], r->sources.nodes.at[i]);
    map_put(&memo, n, other);
    Node *now = n == root ? other : node_substitute(st, root, &memo);
    map_free(&memo);
    if (!now || now->type != root->type)
        return NULL;
    BackCost before = back_cost(st, root, &r->sources), after = back_cost(st, now, &r->sources);
    bool good = costs_less(&after, &before, r->e && r->e->owner) &&
                is_as_accurate(st, r->facts, other, n, &r->sources);
    return good ? now : NULL;
}

/* What was found: `after` in place of `before`, which makes this of the root. */
typedef struct {
    Change change;
    Node *root;
    u32 classes;
} Found;

static bool try_form(Regions *r, Node *root, Node *n, bool factors, Found *out)
{
    u32 classes = 0;
    Node *other = other_form(r, n, factors, &classes);
    Node *now = other != n ? shorter(r, root, n, other) : NULL;
    if (now)
        *out = (Found){{n, other}, now, classes};
    return now != NULL;
}

static bool find_shorter(Regions *r, Node *root, Found *out)
{
    for (size_t i = 0; i < r->inside.len && i < MOST_TRIED; i++) {
        Node *n = r->inside.at[i];
        if (try_form(r, root, n, true, out) || try_form(r, root, n, false, out))
            return true;
    }
    return false;
}

static Node *simplified(Regions *r, Node *root)
{
    double since = now_seconds();
    Found f;
    Text why = {0};
    if (!find_shorter(r, root, &f))
        return root;
    simplify_note(r->st, f.change.before, f.change.after, &r->sources, &why);
    engine_put_as(r->e, r->rule, &f.change, f.classes, text_str(&why), since);
    text_free(&why);
    return f.root;
}

/* x - x; of other operators that stand alone there is no shorter form. */
static bool reads_twice(const Node *n)
{
    for (u32 k = 1; k < n->nops && n->nops < 8; k++)
        for (u32 i = 0; i < k; i++)
            if (n->ops[i] == n->ops[k])
                return true;
    return n->nops >= 8;
}

/* Is it the root of a region that may be worth a look? */
static bool is_worth_it(const Regions *r, size_t place, const Node *n)
{
    bool root = r->region[place] == FIRST + (u32)place && in_region(n);
    return root && (r->count[place] > 1 || reads_twice(n));
}

static Node *at_place(Engine *e, size_t place, Node *now, void *ctx)
{
    Regions *r = ctx;
    u32 region = r->region[place];
    (void)e;
    if (region < FIRST || !in_region(now))
        return now;
    if (region != FIRST + (u32)place) {
        node_map_put(&r->now, now, region);
        return now;
    }
    if (!is_worth_it(r, place, now) || !r->left)
        return now;
    Census c = look_at(r, now, region);
    if (!is_promising(&c))
        return now;
    u32 work = MOST_WORK * (u32)r->inside.len;
    work = work < r->left ? work : r->left;
    algebra_read_over(&r->algebra, now->type, &r->sources, work);
    now = simplified(r, now);
    r->left -= algebra_worked(&r->algebra, work);
    return now;
}

/* ---- the pass ---- */

static void open_regions(Regions *r, int nroots, Node *const *roots)
{
    nodes_topo(nroots, roots, &r->order);
    r->left = MOST_LEFT;
    r->region = xcalloc(r->order.len + 1, sizeof *r->region);
    r->count = xcalloc(r->order.len + 1, sizeof *r->count);
    r->changes = xcalloc(r->order.len + 1, sizeof *r->changes);
    algebra_init(&r->algebra, r->st);
    find_regions(r, nroots, roots);
}

static void close_regions(Regions *r)
{
    algebra_free(&r->algebra);
    sources_free(&r->sources);
    free(r->region);
    free(r->count);
    free(r->changes);
    node_map_free(&r->places);
    node_map_free(&r->now);
    map_free(&r->read);
    vec_free(&r->inside);
    vec_free(&r->order);
}

/* That something was left as it is for lack of room is told where the whole graph is. */
static void tell(Engine *e, const Regions *r)
{
    static const char text[] = "there was no room to look at all sums and products";
    if (r->left || e->outer || e->told)
        return;
    Text told = {0};
    text_put(&told, text);
    e->told = text_take(&told);
}

static bool sweep(Engine *e)
{
    Regions r = {.st = e->st, .facts = e->facts, .e = e, .rule = engine_rule(e, "simplify")};
    open_regions(&r, e->nroots, e->roots);
    bool worth_it = engine_reached(e)->bodies;
    for (size_t i = 0; i < r.order.len && !worth_it; i++)
        worth_it = is_worth_it(&r, i, r.order.at[i]);
    bool changed = worth_it && engine_walk(e, &r.order, at_place, &r);
    tell(e, &r);
    close_regions(&r);
    return changed;
}

bool pass_simplify(Engine *e, const Phase *phases)
{
    (void)phases;
    return engine_rule(e, "simplify") && engine_sweep_with(e, sweep, 1, false);
}

/* The rule at one node, as if nothing else used what is below it. */
static bool simplify_here(Site *site)
{
    Node *n = site->node;
    if (!in_region(n))
        return site_refuse(site, NULL, "it is no sum or product of floats");
    Facts own_facts = {0};
    Regions r = {.st = site->st, .facts = site->facts ? site->facts : &own_facts};
    Found f;
    open_regions(&r, 1, &n);
    u32 own = FIRST + place_of(&r, n);
    for (size_t i = 0; i < r.order.len; i++)
        if (in_region(r.order.at[i]))
            node_map_put(&r.now, r.order.at[i], r.region[i]);
    Census c = look_at(&r, n, own);
    algebra_read_over(&r.algebra, n->type, &r.sources, MOST_LEFT);
    bool found = is_promising(&c) && find_shorter(&r, n, &f) && f.change.before == n;
    if (found) {
        site_put(site, n, f.root);
        simplify_note(site->st, n, f.root, &r.sources, site_why_text(site));
    }
    close_regions(&r);
    facts_free(&own_facts);
    return found ||
           site_refuse(site, NULL, "nothing shorter of the classes allowed is found for it");
}

const CodeRule simplify_rules[] = {{"simplify", "simplify", OWN_CLASSES, OP_COUNT, simplify_here,
                                    "the same sum of products in fewer operations", NULL},
                                   {0}};
