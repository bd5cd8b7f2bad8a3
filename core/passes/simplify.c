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
#include "passes/openers.h"
#include "passes/passes.h"
#include "passes/simplify.h"
#include "passes/simplify_fraction.h"
#include "passes/simplify_regions.h"

enum {
    MOST_TRIED = 6,   /* nodes of a region that are tried */
    MOST_ROUNDS = 4,  /* steps in one region */
    MOST_WORK = 100,  /* terms made for each node of a region, */
    MOST_LEFT = 40000 /* and for all regions together: a fraction of a second */
};

/* ---- is it worth it, and is it allowed? ---- */

/* Of forms that cost the same: the one of fewer operators, powers written out, that reads less, has
 * a number before a product of matrices instead of in it, or subtracts instead of adding what is
 * negative. */
static bool reads_better(const BackCost *now, const BackCost *was)
{
    if (now->reads != was->reads)
        return now->reads < was->reads;
    if (now->nodes + now->powers < was->nodes + was->powers)
        return true;
    return now->scaled != was->scaled ? now->scaled < was->scaled : now->signs < was->signs;
}

/* A node more has to pay. In a loop, a product in another form would no longer be seen to be the
 * same at every step. */
static bool costs_less(const BackCost *now, const BackCost *was, bool in_loop)
{
    if (now->nodes > was->nodes || now->sums > was->sums)
        return now->work < was->work / 2;
    return now->work < was->work * (1 - 1e-9) ||
           (!in_loop && now->work * (1 - 1e-9) <= was->work && reads_better(now, was));
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
static Node *shorter(Regions *r, Node *root, Node *n, Node *other, bool quotient)
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
    bool less = quotient ? simplify_fraction_pays(&after, &before)
                         : costs_less(&after, &before, r->e && r->e->owner);
    bool good = less && is_as_accurate(st, r->facts, other, n, &r->sources);
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
    Node *now = other != n ? shorter(r, root, n, other, false) : NULL;
    if (now)
        *out = (Found){{n, other}, now, classes};
    return now != NULL;
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

/* The first nodes from the root, and those below them that have like terms as they stand. */
static bool find_shorter(Regions *r, Node *root, Found *out)
{
    u32 tried = 0;
    for (size_t i = 0; i < r->inside.len && tried < 2 * MOST_TRIED; i++) {
        Node *n = r->inside.at[i];
        if (i >= MOST_TRIED && !reads_twice(n))
            continue;
        tried++;
        if (try_form(r, root, n, true, out) || try_form(r, root, n, false, out))
            return true;
    }
    return false;
}

/* The whole as one quotient. */
static bool find_quotient(Regions *r, Node *root, Found *out)
{
    u32 classes = 0;
    Node *other = simplify_fraction(r, root, &classes);
    Node *now = other && may_take(r, root, classes) ? shorter(r, root, root, other, true) : NULL;
    if (now)
        *out = (Found){{root, other}, now, classes};
    return now != NULL;
}

typedef bool Finder(Regions *r, Node *root, Found *out);
static Finder *const finders[] = {find_shorter, find_quotient};

/* Those that may find something: where nothing is divided, there is no quotient. */
static size_t finder_count(Regions *r) { return divides(r) ? COUNT_OF(finders) : 1; }

static const Rule *rule_for(const Regions *r, const Node *n)
{
    return dtype_is_float(node_dtype(n)) ? r->floats : r->whole;
}

static Node *simplified(Regions *r, Node *root, Finder *find)
{
    double since = now_seconds();
    Found f;
    Text why = {0};
    if (!find(r, root, &f))
        return root;
    simplify_note(r->st, f.change.before, f.change.after, &r->sources, &why);
    engine_put_as(r->e, rule_for(r, root), &f.change, f.classes, text_str(&why), since);
    text_free(&why);
    return f.root;
}

static Node *look_over(Regions *r, Node *root)
{
    Node *now = root;
    for (size_t i = 0, n = finder_count(r); i < n && now == root; i++) {
        u32 work = MOST_WORK * (u32)r->inside.len;
        work = work < r->left ? work : r->left;
        algebra_read_over(&r->algebra, root->type, &r->sources, work);
        now = simplified(r, root, finders[i]);
        r->left -= algebra_worked(&r->algebra, work);
    }
    return now;
}

/* The form of the whole region, and the one of what its sums are of. */
static Node *look_within(Regions *r, Node *root, u32 region)
{
    Census c = region_look(r, root, region);
    if (!region_is_promising(&c))
        return root;
    Node *after = look_over(r, root);
    if (after != root || !region_keep_sums(r))
        return after;
    region_look(r, root, region);
    after = look_over(r, root);
    map_clear(&r->kept);
    return after;
}

/* Is it the root of a region that may be worth a look? */
static bool is_worth_it(const Regions *r, size_t place, const Node *n)
{
    bool root = r->region[place] == FIRST + (u32)place && region_takes(n);
    return root && (r->count[place] > 1 || reads_twice(n));
}

static Node *at_place(Engine *e, size_t place, Node *now, void *ctx)
{
    Regions *r = ctx;
    u32 region = r->region[place];
    (void)e;
    if (region < FIRST || !region_takes(now))
        return now;
    if (region != FIRST + (u32)place) {
        node_map_put(&r->now, now, region);
        return now;
    }
    if (!is_worth_it(r, place, now) || !r->left || !rule_for(r, now))
        return now;
    for (int i = 0; i < MOST_ROUNDS; i++) {
        Node *after = look_within(r, now, region);
        if (after == now)
            break;
        region_enter(r, after, region);
        now = after;
    }
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
    regions_find(r, nroots, roots);
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
    map_free(&r->kept);
    vec_free(&r->inside);
    vec_free(&r->order);
}

/* That something was left as it is for lack of room is told where the whole graph is. */
static void tell(Engine *e, const Regions *r)
{
    if ((r->left && !r->cut) || e->outer || e->told)
        return;
    Text told = {0};
    if (r->left)
        text_printf(&told, "a sum of products of more than %d operators was simplified in parts",
                    MOST_NODES);
    else
        text_put(&told, "not enough memory to simplify all sums and products");
    e->told = text_take(&told);
}

static bool sweep(Engine *e)
{
    Regions r = {.st = e->st,
                 .facts = e->facts,
                 .e = e,
                 .floats = engine_rule(e, "simplify"),
                 .whole = engine_rule(e, "simplify-whole")};
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
    return (engine_rule(e, "simplify") || engine_rule(e, "simplify-whole")) &&
           engine_sweep_with(e, sweep, 1, false);
}

/* Something for the node itself, and not for what is below it. */
static bool find_here(Regions *r, Node *n, Found *f)
{
    bool found = false;
    for (size_t i = 0, count = finder_count(r); i < count && !found; i++) {
        algebra_read_over(&r->algebra, n->type, &r->sources, MOST_LEFT);
        found = finders[i](r, n, f) && f->change.before == n;
    }
    return found;
}

/* The rule at one node, as if nothing else used what is below it. */
static bool simplify_here(Site *site)
{
    Node *n = site->node;
    Facts own_facts = {0};
    Regions r = {.st = site->st, .facts = site->facts ? site->facts : &own_facts};
    Found f;
    open_regions(&r, 1, &n);
    u32 own = FIRST + region_place(&r, n);
    for (size_t i = 0; i < r.order.len; i++)
        if (region_takes(r.order.at[i]))
            node_map_put(&r.now, r.order.at[i], r.region[i]);
    Census c = region_look(&r, n, own);
    bool found = region_is_promising(&c) && find_here(&r, n, &f);
    if (!found && region_is_promising(&c) && region_keep_sums(&r)) {
        region_look(&r, n, own);
        found = find_here(&r, n, &f);
    }
    if (found) {
        site_put(site, n, f.root);
        simplify_note(site->st, n, f.root, &r.sources, site_why_text(site));
    }
    close_regions(&r);
    facts_free(&own_facts);
    return found || site_refuse(site, NULL, "no shorter form was found within the allowed classes");
}

/* ---- a step in parts ---- */

static bool has_parts(const Step *s)
{
    return s->nchanges == 1 && simplify_distributes(s->changes[0].before);
}

/* Like terms put together, and no factors taken out of them; NULL: that cannot be written. */
static Node *collected(Store *st, Node *n)
{
    Facts facts = {0};
    Regions r = {.st = st, .facts = &facts};
    open_regions(&r, 1, &n);
    for (size_t i = 0; i < r.order.len; i++)
        if (region_takes(r.order.at[i]))
            node_map_put(&r.now, r.order.at[i], r.region[i]);
    region_look(&r, n, FIRST + region_place(&r, n));
    algebra_read_over(&r.algebra, n->type, &r.sources, MOST_LEFT);
    FormOf f = algebra_form(&r.algebra, n);
    Node *now = f.form ? form_back(&r.algebra, f.form, n->type, &r.sources, false) : NULL;
    close_regions(&r);
    facts_free(&facts);
    return now;
}

static bool parts_open(Opening *o)
{
    Node *after = o->step->changes[0].after;
    Node *out = simplify_distributed(o->st, o->start[0]);
    bool spread = out && out != o->start[0] && out != after && out->type == o->start[0]->type &&
                  open_part(o, "distribute", "products of sums are multiplied out", &out);
    Node *terms = spread ? collected(o->st, out) : NULL;
    bool factors = terms && terms != out && terms != after &&
                   open_part(o, "collect", "like terms are combined", &terms);
    return factors ? open_last(o, "factor", "common factors are taken out")
                   : open_last(o, "collect", "like terms are combined");
}

const Opener open_simplify = {has_parts, parts_open};

static bool simplify_floats(Site *site)
{
    return region_takes(site->node) && dtype_is_float(node_dtype(site->node))
               ? simplify_here(site)
               : site_refuse(site, NULL, "it is not a sum or product of floats");
}

static bool simplify_whole(Site *site)
{
    return region_takes(site->node) && !dtype_is_float(node_dtype(site->node))
               ? simplify_here(site)
               : site_refuse(site, NULL, "it is not a sum or product of integers");
}

const CodeRule simplify_rules[] = {
    {"simplify", "simplify", OWN_CLASSES, OP_COUNT, simplify_floats,
     "the same sum of products in fewer operations", &open_simplify},
    {"simplify-whole", "simplify", HAZARD_E, OP_COUNT, simplify_whole,
     "the same sum of products of integers in fewer operations", &open_simplify},
    {0}};
