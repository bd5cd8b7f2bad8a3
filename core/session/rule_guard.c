/* Has a trial seen what its rule's guard speaks of? Every side of an `or` must have been true where
 * the rule fired, and every end of a range must have been a value.
 *
 * Parts of a guard are the calls under its `and`s and `or`s, numbered from the left. */
#include "session/rule_trial.h"

static bool is_join(const Expr *g) { return g->kind == E_BINARY; }

/* ---- parts ---- */

/* Marks those that hold. */
static int note_parts(Trial *t, RuleCall *call, const Expr *g, int k)
{
    if (is_join(g))
        return note_parts(t, call, g->items[1], note_parts(t, call, g->items[0], k));
    if (k < GUARD_PARTS && guard_holds(call, g, NULL))
        t->guard.part_true |= 1u << k;
    return k + 1;
}

static const Expr *part_never_true(const Trial *t, const Expr *g, int *k)
{
    if (is_join(g)) {
        const Expr *x = part_never_true(t, g->items[0], k);
        return x ? x : part_never_true(t, g->items[1], k);
    }
    int own = (*k)++;
    return own < GUARD_PARTS && !(t->guard.part_true >> own & 1) ? g : NULL;
}

/* ---- ends of ranges ---- */

static void note_constant(Trial *t, const Instance *c, int slot)
{
    Range r = c->ranges.of[slot];
    const Node *n = c->b.at[slot].kind == 'n' ? c->b.at[slot].node : NULL;
    double x;
    if (!n || !node_const_f64(n, &x) || !range_fit(&r, n->type->dtype))
        return;
    t->guard.lo_asked |= (u32)r.lo_told << slot;
    t->guard.hi_asked |= (u32)r.hi_told << slot;
    t->guard.lo_reached |= (u32)(x == r.lo) << slot;
    t->guard.hi_reached |= (u32)(x == r.hi) << slot;
}

static RuleCall call_of(Trial *t, const Instance *c, Facts *facts)
{
    return (RuleCall){.st = &t->s.st,
                      .facts = facts,
                      .vars = t->rule->vars,
                      .b = &c->b,
                      .root = c->before,
                      .dtype = DT_F64};
}

void guard_use_note(Trial *t, const Instance *c, Facts *facts)
{
    if (!t->rule->guard)
        return;
    RuleCall call = call_of(t, c, facts);
    note_parts(t, &call, t->rule->guard, 0);
    for (int i = 0; i < t->rule->vars->n; i++)
        if (c->b.bound >> i & 1 && c->ranges.of[i].asked)
            note_constant(t, c, i);
}

/* ---- expressions ---- */

void guard_use_expressions(Trial *t, Instance *c, Facts *facts)
{
    RuleCall call = call_of(t, c, facts);
    for (int i = 0; i < c->ranges.nexprs; i++) {
        RangedExpr *e = &c->ranges.exprs[i];
        RuleValue v;
        Node *n = rule_value(&call, e->asks, 'n', &v) && v.kind == 'n' ? v.node : NULL;
        if (!n || n->open || n->type->kind != TYPE_TENSOR || n->type->dtype == DT_RNG ||
            !range_fit(&e->range, n->type->dtype))
            continue;
        for (int k = 0; k < i; k++)
            if (c->ranges.exprs[k].node == n) { /* asked twice: both hold */
                Range *r = &e->range, *other = &c->ranges.exprs[k].range;
                r->lo = other->lo > r->lo ? other->lo : r->lo;
                r->hi = other->hi < r->hi ? other->hi : r->hi;
            }
        e->node = n;
    }
    for (int i = c->ranges.nexprs - 1; i >= 0; i--) {
        const RangedExpr *e = &c->ranges.exprs[i];
        if (e->node && !map_has(&facts->of, e->node))
            fact_assume(facts, e->node, range_fact(&e->range), "");
    }
}

static Tensor *value_of(Trial *t, Node *n, const TensorMap *values)
{
    Tensor *x = NULL;
    if (!session_evaluate_raw(&t->s, 1, &n, values, &x))
        x = NULL;
    diags_clear(&t->s.diags);
    return x;
}

/* Elements of inputs for which it does not hold become those of one for which it does. */
static void replace_elements(const Instance *c, TensorMap *values, const Tensor *x, const Range *r)
{
    i64 good = -1;
    for (i64 i = 0; i < x->count && good < 0; i++)
        good = range_holds(r, tensor_f64_at(x, i)) ? i : -1;
    for (size_t n = 0; n < c->order.len && good >= 0; n++) {
        Tensor *in = map_get(values, c->order.at[n]);
        size_t size = in ? dtype_size(in->dtype) : 0;
        for (i64 i = 0; in && in->count == x->count && i < x->count; i++)
            if (!range_holds(r, tensor_f64_at(x, i)))
                memcpy((char *)in->data + (size_t)i * size, (char *)in->data + (size_t)good * size,
                       size);
    }
}

bool guard_use_fit(Trial *t, const Instance *c, TensorMap *values)
{
    bool fits = true;
    for (int round = 0; round < 2; round++) {
        fits = true;
        for (int i = 0; i < c->ranges.nexprs && fits; i++) {
            const RangedExpr *e = &c->ranges.exprs[i];
            Tensor *x = e->node ? value_of(t, e->node, values) : NULL;
            for (i64 k = 0; x && k < x->count && fits; k++)
                fits = range_holds(&e->range, tensor_f64_at(x, k));
            fits = fits && x;
            if (!fits && x && !round)
                replace_elements(c, values, x, &e->range), fits = true;
            tensor_unref(x);
        }
        if (!fits)
            return false;
    }
    return fits;
}

static void note_expression(Trial *t, const RangedExpr *e, int i, const TensorMap *values)
{
    Tensor *x = e->node ? value_of(t, e->node, values) : NULL;
    for (i64 k = 0; x && k < x->count; k++) {
        double v = tensor_f64_at(x, k);
        t->guard.at_lo[i] = v == e->range.lo ? e->asks : t->guard.at_lo[i];
        t->guard.at_hi[i] = v == e->range.hi ? e->asks : t->guard.at_hi[i];
    }
    tensor_unref(x);
}

static bool has(const Expr *const *list, const Expr *x)
{
    bool found = false;
    for (int i = 0; i < RANGED_EXPRS; i++)
        found = found || list[i] == x;
    return found;
}

void guard_use_values(Trial *t, const Instance *c, const TensorMap *values)
{
    for (int i = 0; i < c->ranges.nexprs; i++)
        note_expression(t, &c->ranges.exprs[i], i, values);
    for (int i = 0; i < c->ranges.n; i++) {
        const RangedLeaf *leaf = &c->ranges.at[i];
        const Tensor *x = map_get(values, leaf->leaf);
        const Range *r = &leaf->range;
        u32 bit = 1u << leaf->slot;
        t->guard.lo_asked |= r->lo_told ? bit : 0;
        t->guard.hi_asked |= r->hi_told ? bit : 0;
        for (i64 k = 0; x && k < x->count; k++) {
            double v = tensor_f64_at(x, k);
            bool lo = leaf->assumed ? v == r->lo : v <= r->lo;
            bool hi = leaf->assumed ? v == r->hi : v >= r->hi;
            t->guard.lo_reached |= lo ? bit : 0;
            t->guard.hi_reached |= hi ? bit : 0;
        }
    }
}

/* A call about the size of a value: its edge is a number, or the other variable. */
static bool is_about_size(const char *name)
{
    static const char *const names[] = {"at_least", "at_most",   "nonnegative", "nonpositive",
                                        "positive", "not_above", "below"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

static bool reaches_edge(const Trial *t, const Expr *g)
{
    const char *name = g->items[0]->text;
    const Expr *x = g->args[0].value;
    int slot = x->kind == E_NAME ? rule_var(t->rule->vars, x->text) : -1;
    if (!is_about_size(name))
        return true;
    const GuardUse *u = &t->guard;
    bool upper = !strcmp(name, "at_most") || !strcmp(name, "nonpositive");
    if (slot < 0 && x->kind != E_NAME)
        return upper ? has(u->at_hi, x) : has(u->at_lo, x) || has(u->at_hi, x);
    if (slot < 0)
        return false;
    if (!strcmp(name, "not_above") || !strcmp(name, "below"))
        return u->hi_reached >> slot & 1;
    return upper ? u->hi_asked & u->hi_reached & 1u << slot
                 : u->lo_asked & u->lo_reached & 1u << slot;
}

static const Expr *part_short_of_edge(const Trial *t, const Expr *g)
{
    if (is_join(g)) {
        const Expr *x = part_short_of_edge(t, g->items[0]);
        return x ? x : part_short_of_edge(t, g->items[1]);
    }
    return g->kind == E_CALL && !reaches_edge(t, g) ? g : NULL;
}

/* ---- both ---- */

static void put_part(Text *says, const Expr *g)
{
    const Source *src = g->span.src;
    text_printf(says, "`%.*s`", (int)(g->span.end - g->span.start), src->text + g->span.start);
}

bool guard_use_covers(const Trial *t, Text *says)
{
    const Expr *g = t->rule->guard;
    int k = 0;
    const Expr *missing = g ? part_never_true(t, g, &k) : NULL;
    if (missing) {
        text_put(says, "no instance was found on which ");
        put_part(says, missing);
        text_put(says, " is true");
        return false;
    }
    missing = g ? part_short_of_edge(t, g) : NULL;
    if (!missing)
        return true;
    text_put(says, "no value at the edge of ");
    put_part(says, missing);
    text_put(says, " was found to try it on");
    return false;
}
