/* Functions of right sides: on axes, dtypes and operands. One row each; `:help` and the manual read
 * the table. A function that has no value here makes the rule not fire. */
#include "ops/build.h"
#include "rewrite/pattern.h"

static bool give_axes(RuleCall *c, RuleValue *out, u32 n, const i64 *at)
{
    out->attr.ints = intlist(c->st, n, at);
    return true;
}

static bool give_node(RuleValue *out, Node *n)
{
    out->node = n;
    return n != NULL;
}

/* ---- axes ---- */

static bool sorted_axes(RuleCall *c, RuleValue *out, bool member[MAX_RANK])
{
    i64 at[MAX_RANK];
    u32 n = 0;
    for (i64 i = 0; i < MAX_RANK; i++)
        if (member[i])
            at[n++] = i;
    return give_axes(c, out, n, at);
}

static bool union_of(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    bool member[MAX_RANK];
    for (i64 i = 0; i < MAX_RANK; i++)
        member[i] = intlist_has(a[0].attr.ints, i) || intlist_has(a[1].attr.ints, i);
    return sorted_axes(c, out, member);
}

static bool toggle(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    bool member[MAX_RANK];
    for (i64 i = 0; i < MAX_RANK; i++)
        member[i] = intlist_has(a[0].attr.ints, i) != intlist_has(a[1].attr.ints, i);
    return sorted_axes(c, out, member);
}

/* The axis of x that is `axis` once `gone` are dropped. */
static i64 before_drop(i64 axis, const IntList *gone)
{
    for (i64 i = 0; i <= axis; i++)
        if (intlist_has(gone, i))
            axis++;
    return axis;
}

/* What `axis` of x is once `gone` are dropped; it is not among them. */
static i64 after_drop(i64 axis, const IntList *gone)
{
    i64 k = axis;
    for (u32 i = 0; i < gone->n; i++)
        k -= gone->at[i] < axis;
    return k;
}

static bool renumber(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    i64 at[MAX_RANK];
    const IntList *axes = a[0].attr.ints;
    for (u32 i = 0; i < axes->n; i++)
        if ((at[i] = before_drop(axes->at[i], a[1].attr.ints)) >= MAX_RANK)
            return false;
    return give_axes(c, out, axes->n, at);
}

static bool without(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    i64 at[MAX_RANK];
    u32 n = 0;
    const IntList *axes = a[0].attr.ints;
    for (u32 i = 0; i < axes->n; i++)
        if (!intlist_has(a[1].attr.ints, axes->at[i]))
            at[n++] = after_drop(axes->at[i], a[1].attr.ints);
    return give_axes(c, out, n, at);
}

static bool axis_before(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c;
    out->attr.i = before_drop(a[0].attr.i, a[1].attr.ints);
    return true;
}

static bool axis_after(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c;
    out->attr.i = after_drop(a[0].attr.i, a[1].attr.ints);
    return !intlist_has(a[1].attr.ints, a[0].attr.i);
}

static bool compose(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    i64 at[MAX_RANK];
    const IntList *p = a[0].attr.ints, *q = a[1].attr.ints;
    for (u32 i = 0; i < p->n; i++) {
        if (p->at[i] < 0 || p->at[i] >= q->n)
            return false;
        at[i] = q->at[p->at[i]];
    }
    return give_axes(c, out, p->n, at);
}

static bool permute(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    bool member[MAX_RANK] = {false};
    const IntList *axes = a[0].attr.ints, *p = a[1].attr.ints;
    for (u32 i = 0; i < axes->n; i++) {
        if (axes->at[i] < 0 || axes->at[i] >= p->n)
            return false;
        member[p->at[axes->at[i]]] = true;
    }
    return sorted_axes(c, out, member);
}

static bool entry(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c;
    if (a[1].attr.i < 0 || a[1].attr.i >= a[0].attr.ints->n)
        return false;
    out->attr.i = a[0].attr.ints->at[a[1].attr.i];
    return true;
}

/* The order of what is left when the places `gone` of a transposed tensor are dropped. */
static bool order_without(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    const IntList *p = a[0].attr.ints, *gone = a[1].attr.ints;
    i64 kept[MAX_RANK], at[MAX_RANK];
    u32 n = 0;
    for (u32 i = 0; i < p->n; i++)
        if (!intlist_has(gone, i))
            kept[n++] = p->at[i];
    for (u32 i = 0; i < n; i++) {
        at[i] = 0;
        for (u32 k = 0; k < n; k++)
            at[i] += kept[k] < kept[i];
    }
    return give_axes(c, out, n, at);
}

static bool last_axis(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c;
    out->attr.i = a[0].node->type->rank - 1;
    return a[0].node->type->rank > 0;
}

static bool every_axis_of(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    out->attr.ints = all_axes(c->st, a[0].node->type->rank);
    return true;
}

/* ---- dtypes ---- */

static bool dtype_of(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c;
    out->attr.i = a[0].node->type->dtype;
    return true;
}

/* ---- operands ---- */

static bool zeros_like(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    return give_node(out, build_zeros_like(c->st, a[0].node));
}

static bool ones_like(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    return give_node(out, build_ones_like(c->st, a[0].node));
}

static bool like(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    if (a[0].node->type->rank)
        return false;
    return give_node(out, build_like(c->st, a[0].node, a[1].node));
}

static bool axes_fit(const Node *x, const IntList *axes)
{
    for (u32 i = 0; i < axes->n; i++)
        if (axes->at[i] < 0 || axes->at[i] >= x->type->rank)
            return false;
    return true;
}

static bool size(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    i64 axis = a[1].attr.i;
    if (axis < 0 || axis >= a[0].node->type->rank)
        return false;
    return give_node(out, node_dim(c->st, a[0].node, (int)axis));
}

static bool count(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    const IntList *axes = a[1].attr.ints;
    Node *k = node_i64(c->st, 1);
    if (!axes_fit(a[0].node, axes))
        return false;
    for (u32 i = 0; i < axes->n && k; i++) {
        Node *d = node_dim(c->st, a[0].node, (int)axes->at[i]);
        k = i ? build_mul(c->st, k, d) : d;
    }
    return give_node(out, k ? node_cast(c->st, k, a[0].node->type->dtype) : NULL);
}

/* A scalar, or what is repeated along the axes, without them. */
static bool drop(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    Node *x = a[0].node, *ops[MAX_RANK + 1];
    const IntList *gone = a[1].attr.ints;
    if (x->type->rank == 0)
        return give_node(out, x);
    if (x->op != OP_BROADCAST || !axes_fit(x, gone))
        return false;
    const IntList *from = x->attrs[0].ints;
    i64 at[MAX_RANK];
    u32 n = 1;
    ops[0] = x->ops[0];
    for (u32 i = 0; i < from->n; i++) {
        if (intlist_has(gone, from->at[i]))
            return false;
        at[i] = after_drop(from->at[i], gone);
    }
    for (int i = 0; i < x->type->rank; i++)
        if (!intlist_has(gone, i))
            ops[n++] = x->ops[i + 1];
    if (n == 1)
        return give_node(out, ops[0]);
    Attr axes = {.ints = intlist(c->st, from->n, at)};
    Node *r = node_make(c->st, OP_BROADCAST, &axes, n, ops);
    return give_node(out, r && r->type == ops[0]->type ? ops[0] : r);
}

const RuleFunction rule_functions[] = {
    {"union", "II", 'I', union_of, "the axes in either list"},
    {"toggle", "II", 'I', toggle, "the axes in one list but not in both"},
    {"renumber", "II", 'I', renumber,
     "axes (first) of a tensor that lost axes (second), numbered as before the loss"},
    {"without", "II", 'I', without, "axes (first) as numbered after others are dropped"},
    {"compose", "II", 'I', compose, "the permutation that applies the second, then the first"},
    {"permute", "II", 'I', permute, "axes of a transposed tensor, as axes of its operand"},
    {"order_without", "II", 'I', order_without,
     "the permutation of a transposed tensor after some of its axes are dropped"},
    {"axis_before", "iI", 'i', axis_before, "like renumber, for one axis"},
    {"axis_after", "iI", 'i', axis_after, "like without, for one axis that stays"},
    {"entry", "Ii", 'i', entry, "the entry of a list of axes at a position"},
    {"last_axis", "n", 'i', last_axis, "the number of the last axis"},
    {"every_axis_of", "n", 'I', every_axis_of, "all axes of the operand"},
    {"dtype_of", "n", 'd', dtype_of, "the dtype of an operand"},
    {"zeros_like", "n", 'n', zeros_like, "zeros of that shape and dtype"},
    {"ones_like", "n", 'n', ones_like, "ones of that shape and dtype"},
    {"like", "nn", 'n', like, "a scalar repeated to the shape of the second operand"},
    {"size", "ni", 'n', size, "the length of an axis"},
    {"count", "nI", 'n', count, "the number of elements along axes, in the operand's dtype"},
    {"drop", "nI", 'n', drop, "a value that is constant along axes, without those axes"},
};
const size_t rule_function_count = COUNT_OF(rule_functions);

const RuleFunction *rule_function_by_name(const char *name)
{
    for (size_t i = 0; i < rule_function_count; i++)
        if (!strcmp(rule_functions[i].name, name))
            return &rule_functions[i];
    return NULL;
}
