/* What is no more than something it is made of, or one number everywhere.
 *
 * What stands closely below an operator is read into its form (core/algebra), over what lies
 * further down. If that is the form of one of those nodes, the node takes the operator's place;
 * if it mentions nothing at all, a number does. x > 0 and x > 1 is x > 1, a slice of a
 * concatenation may be one of its parts, a remainder of a multiple is 0.
 *
 * Invariant: both forms agree, which proves the step; what may fail below is still computed, unless
 * skipped errors are allowed. */
#include "passes/simplify_parts.h"

#include "algebra/back.h"
#include "algebra/parts.h"
#include "graph/walk.h"
#include "ops/ops.h"

enum {
    MOST_NEAR = 12,    /* operators below one that are read into its form */
    MOST_TERMS = 400,  /* terms made for one operator, */
    MOST_SPENT = 20000 /* and for all together: a fraction of a second */
};

typedef struct {
    Store *st;
    Facts *facts;
    Engine *e; /* NULL: at one node only */
    const Rule *rule;
    NodeVec order;
    Algebra algebra;
    Sources sources;
    NodeVec near; /* what is read into the form at hand, users first */
    u32 left;
} Parts;

/* ---- which operators are looked at ---- */

static bool is_choice(const Node *n)
{
    switch (n->op) {
    case OP_WHERE:
    case OP_MINIMUM:
    case OP_MAXIMUM:
    case OP_RELU:
    case OP_FLOORDIV:
    case OP_MOD: return true;
    default: break;
    }
    bool of_choice = false;
    for (u32 i = 0; i < n->nops; i++)
        of_choice = of_choice || n->ops[i]->op == OP_WHERE;
    return op_is_elementwise(n->op) && n->nops > 1 && (of_choice || n->type->dtype == DT_BOOL);
}

/* Puts tensors together, or reads them elsewhere. */
static bool is_view(const Node *n)
{
    return n->op == OP_CONCAT || n->op == OP_PAD || n->op == OP_DIAG || n->op == OP_SET_SLICE ||
           n->op == OP_SET_INDEX || n->op == OP_SCATTER || n->op == OP_INDEX || n->op == OP_SLICE ||
           n->op == OP_GATHER;
}

static bool is_tensor(const Node *n)
{
    return n->type->kind == TYPE_TENSOR && n->type->dtype != DT_RNG;
}

/* Is more to be said of it than that it is an operator of its operands? */
static bool is_read(const Node *n)
{
    const OpInfo *op = &op_table[n->op];
    return is_tensor(n) && n->nops &&
           (op->cls == CLASS_ELEMENTWISE || op->cls == CLASS_SHAPE || op->cls == CLASS_INDEX ||
            n->op == OP_PAD || n->op == OP_DIAG || n->op == OP_EYE);
}

/* A choice between inputs, and an element of one, say all there is to say. */
static bool may_be_less(const Node *n)
{
    if (!is_tensor(n) || (!is_choice(n) && !is_view(n)))
        return false;
    bool whole = n->op == OP_SLICE && n->type == n->ops[0]->type;
    bool more = n->op == OP_SET_SLICE || n->op == OP_CONCAT || whole;
    for (u32 i = 0; i < n->nops && !more; i++)
        more = is_read(n->ops[i]);
    return more;
}

/* ---- what is near ---- */

static void look_near(Parts *p, Node *root)
{
    NodeSet seen = {0};
    sources_clear(&p->sources);
    p->near.len = 0;
    vec_push(&p->near, root);
    set_add(&seen, root);
    for (size_t i = 0; i < p->near.len; i++) {
        const Node *n = p->near.at[i];
        for (u32 k = 0; k < n->nops; k++) {
            Node *o = n->ops[k];
            if (!set_add(&seen, o) || o->op == OP_CONST)
                continue;
            if (is_read(o) && p->near.len < MOST_NEAR)
                vec_push(&p->near, o);
            else
                sources_add(&p->sources, o);
        }
    }
    sources_relate(&p->sources);
    map_free(&seen);
}

/* Is all that may fail in computing n computed by `other`, too? */
static bool keeps_errors(Parts *p, Node *n, Node *other)
{
    bool keeps = true;
    if (fact_total(p->facts, p->st, n))
        return true;
    NodeVec kept = {0};
    NodeSet in = {0};
    nodes_topo_until(other, &p->sources.stop, &kept);
    for (size_t i = 0; i < kept.len; i++)
        set_add(&in, kept.at[i]);
    for (size_t i = 0; i < p->near.len && keeps; i++)
        keeps = map_has(&in, p->near.at[i]) || node_is_total(p->st, p->near.at[i]);
    for (size_t i = 0; i < p->sources.nodes.len && keeps; i++) {
        Node *s = p->sources.nodes.at[i];
        keeps = s == other || map_has(&in, s) || fact_total(p->facts, p->st, s);
    }
    vec_free(&kept);
    map_free(&in);
    return keeps;
}

/* ---- what may take its place ---- */

static bool may_take(Parts *p, Node *n, Node *other, u32 classes)
{
    u32 allowed = p->e ? p->e->options->allowed & ~(u32)(HAZARD_R | HAZARD_O) : 0;
    if (!keeps_errors(p, n, other))
        classes |= HAZARD_S;
    return !(form_hazards(classes) & ~allowed);
}

static Node *same_form(Parts *p, Node *n, const FormOf *own, Node *part, u32 *classes)
{
    if (part == n || part->type != n->type)
        return NULL;
    FormOf its = algebra_form(&p->algebra, part);
    *classes = own->classes | its.classes;
    return its.form == own->form && may_take(p, n, part, *classes) ? part : NULL;
}

/* The one furthest down. */
static Node *part_of(Parts *p, Node *n, const FormOf *own, u32 *classes)
{
    Node *out = NULL;
    for (size_t i = p->sources.nodes.len; i-- > 0 && !out;)
        out = same_form(p, n, own, p->sources.nodes.at[i], classes);
    for (size_t i = p->near.len; i-- > 1 && !out;)
        out = same_form(p, n, own, p->near.at[i], classes);
    return out;
}

static bool reaches(Node *root, const Node *n)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(1, &root, &order);
    for (size_t i = 0; i < order.len && !found; i++)
        found = order.at[i] == n;
    vec_free(&order);
    return found;
}

/* A fraction that no float is stays what it is. */
static Node *number_for(Parts *p, Node *n, const FormOf *own, u32 *classes)
{
    FormCoef c;
    if (!form_is_number(own->form, &c) || c.den != 1 || c.num > 1 << 20 || c.num < -(1 << 20))
        return NULL;
    Node *number = node_number(p->st, n->type->dtype, (double)c.num);
    Node *now = number ? build_like(p->st, number, n) : NULL;
    bool good = now && now != n && now->type == n->type && !reaches(now, n);
    *classes = own->classes;
    return good && may_take(p, n, now, *classes) ? now : NULL;
}

/* NULL: nothing less is known. */
static Node *less_than(Parts *p, Node *n, u32 *classes)
{
    look_near(p, n);
    algebra_read_over(&p->algebra, n->type, &p->sources, MOST_TERMS);
    FormOf own = algebra_form(&p->algebra, n);
    p->left -= p->left < MOST_TERMS ? p->left : algebra_worked(&p->algebra, MOST_TERMS);
    if (!own.form)
        return NULL;
    Node *now = part_of(p, n, &own, classes);
    return now ? now : number_for(p, n, &own, classes);
}

/* ---- the sweep ---- */

static void open_parts(Parts *p)
{
    p->left = MOST_SPENT;
    algebra_init(&p->algebra, p->st);
    p->algebra.relations = true;
}

static void close_parts(Parts *p)
{
    algebra_free(&p->algebra);
    sources_free(&p->sources);
    vec_free(&p->near);
    vec_free(&p->order);
}

static Node *at_place(Engine *e, size_t place, Node *now, void *ctx)
{
    Parts *p = ctx;
    u32 classes = 0;
    double since = now_seconds();
    (void)place;
    if (!p->left || !may_be_less(now) || engine_judged(e, now))
        return now;
    Node *after = less_than(p, now, &classes);
    if (!after)
        return now;
    engine_put_as(e, p->rule, &(Change){now, after}, form_hazards(classes), NULL, since);
    return after;
}

bool simplify_parts(Engine *e)
{
    Parts p = {.st = e->st, .facts = e->facts, .e = e, .rule = engine_rule(e, "same-as-part")};
    if (!p.rule)
        return false;
    nodes_topo(e->nroots, e->roots, &p.order);
    bool worth_it = engine_reached(e)->bodies;
    for (size_t i = 0; i < p.order.len && !worth_it; i++)
        worth_it = may_be_less(p.order.at[i]);
    open_parts(&p);
    bool changed = worth_it && engine_walk(e, &p.order, at_place, &p);
    close_parts(&p);
    return changed;
}

/* The rule at one node. */
static bool part_here(Site *site)
{
    Facts own_facts = {0};
    u32 classes = 0;
    Parts p = {.st = site->st, .facts = site->facts ? site->facts : &own_facts};
    if (!may_be_less(site->node))
        return site_refuse(site, NULL, "it is no choice or view of anything that could be less");
    open_parts(&p);
    Node *now = less_than(&p, site->node, &classes);
    if (now)
        site_put(site, site->node, now);
    close_parts(&p);
    facts_free(&own_facts);
    return now || site_refuse(site, NULL, "it is not known to be a part of it, nor a number");
}

const CodeRule part_rules[] = {{"same-as-part", "simplify", HAZARD_E, OP_COUNT, part_here,
                                "the same elements as something it is made of, or one number",
                                NULL},
                               {0}};
