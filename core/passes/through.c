/* Views that meet others of their kind: through operators that work element by element, as new or
 * dropped axes of length 1, and through the reduction of what was stacked.
 *
 * Invariant: nothing is computed twice, and no more elements than before. */
#include "passes/code_rules.h"
#include "passes/places.h"
#include "tensor/kernels.h"

/* Of places that are read as a part: their products stay exact. */
enum { MOST_STEP = 1 << 20, MOST_PLACE = 1 << 30 };

/* In place of the node at hand, if that was made and is of its type. */
static bool put_alike(Site *site, Node *after)
{
    if (!after || after->type != site->node->type)
        return false;
    site_put(site, site->node, after);
    return true;
}

/* What x, an operand of the operator below `view`, is once `view` has gone through it; NULL: its
 * own view does not cancel. */
static Node *cancelled(const Node *view, Node *x)
{
    const Node *source = x->nops ? x->ops[0] : NULL;
    if (!x->type->rank)
        return x;
    if (x->op == OP_BROADCAST && !source->type->rank)
        return x->ops[0];
    if (x->op != view->op || source->type != view->type)
        return NULL;
    const IntList *axes = x->attrs[0].ints, *back = view->attrs[0].ints;
    if (view->op == OP_FLIP)
        return axes == back ? x->ops[0] : NULL;
    for (u32 i = 0; view->op == OP_TRANSPOSE && i < axes->n; i++)
        if (axes->at[back->at[i]] != i)
            return NULL;
    return x->ops[0];
}

/* Are the operands of n, but for numbers, at least two and all of them one view? */
static bool share_a_view(const Node *n, const Node **view)
{
    u32 views = 0;
    *view = NULL;
    for (u32 i = 0; i < n->nops; i++) {
        const Node *x = n->ops[i];
        if (!x->type->rank)
            continue;
        bool same = x->op == OP_FLIP || x->op == OP_TRANSPOSE;
        if (*view)
            same = same && x->op == (*view)->op && x->attrs[0].ints == (*view)->attrs[0].ints;
        if (!same)
            return false;
        *view = x;
        views++;
    }
    return views > 1;
}

/* f(view(a), view(b)) is view(f(a, b)). */
bool view_once(Site *site)
{
    Node *n = site->node, *ops[4];
    const Node *view;
    if (!op_is_elementwise(n->op) || n->nops > COUNT_OF(ops) || !share_a_view(n, &view))
        return site_refuse(site, NULL, "its operands are not all reversed or transposed alike");
    for (u32 i = 0; i < n->nops; i++)
        ops[i] = n->ops[i]->type->rank ? n->ops[i]->ops[0] : n->ops[i];
    Node *inner = node_with_operands(site->st, n, ops);
    return put_alike(site, inner ? node1(site->st, view->op, view->attrs, inner) : NULL);
}

/* Do the parts compute the same function, of numbers that they share but for one operand? */
static bool alike_but_for(const Node *a, const Node *b, u32 *which)
{
    if (a->op != b->op || a->nops != b->nops)
        return false;
    for (u32 i = 0; i < a->nattrs; i++)
        if (memcmp(&a->attrs[i], &b->attrs[i], sizeof a->attrs[i]) != 0)
            return false;
    for (u32 i = 0; i < a->nops; i++) {
        bool array = a->ops[i]->type->rank && b->ops[i]->type->rank;
        if (array)
            *which = i;
        else if (a->ops[i] != b->ops[i])
            return false;
    }
    return true;
}

static bool one_array(const Node *n)
{
    u32 arrays = 0;
    for (u32 i = 0; i < n->nops; i++)
        arrays += n->ops[i]->type->rank > 0;
    return arrays == 1;
}

/* concat((f(a), f(b))) is f(concat((a, b))). */
static bool concat_once(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *first = n->ops[0], *ops[4];
    u32 which = 0;
    bool alike = n->nops > 1 && op_is_elementwise(first->op) && one_array(first) &&
                 first->nops <= COUNT_OF(ops);
    for (u32 i = 1; i < n->nops && alike; i++)
        alike = alike_but_for(first, n->ops[i], &which);
    if (!alike)
        return site_refuse(site, first, "its parts are not one function of arrays");
    Node **parts = xmalloc(n->nops * sizeof *parts);
    for (u32 i = 0; i < n->nops; i++)
        parts[i] = n->ops[i]->ops[which];
    memcpy(ops, first->ops, first->nops * sizeof *ops);
    ops[which] = node_make(st, OP_CONCAT, n->attrs, n->nops, parts);
    free(parts);
    return put_alike(site, ops[which] ? node_with_operands(st, first, ops) : NULL);
}

/* view(f(view(a), s)) is f(a, s) if the two views cancel. */
static bool view_through(Site *site)
{
    Node *view = site->node, *n = view->ops[0], *few[4], **ops = few;
    if (!op_is_elementwise(n->op) || !n->type->rank)
        return site_refuse(site, n, "the operand of this view is not an elementwise operator");
    if (n->nops > COUNT_OF(few))
        ops = xmalloc(n->nops * sizeof *ops);
    bool shaped = false, fit = true;
    for (u32 i = 0; i < n->nops && fit; i++) {
        fit = (ops[i] = cancelled(view, n->ops[i])) != NULL;
        shaped = shaped || (fit && ops[i]->type->rank);
    }
    Node *after = fit && shaped ? node_with_operands(site->st, n, ops) : NULL;
    if (ops != few)
        free(ops);
    if (!after || after->type != view->type)
        return site_refuse(site, n, "an operand is not a view that this one would cancel");
    site_put(site, view, after);
    return true;
}

/* The axes of `wide` that are 1 long and that `narrow`, which has all others in this order, does
 * not have; NULL: there is more to it. */
static const IntList *unit_axes(Store *st, const Type *wide, const Type *narrow)
{
    i64 at[MAX_RANK];
    u32 count = 0;
    int k = 0;
    for (int i = 0; i < wide->rank; i++) {
        bool both = k < narrow->rank && wide->dims[i] == narrow->dims[k];
        if (both)
            k++;
        else if (size_is(wide->dims[i], 1))
            at[count++] = i;
        else
            return NULL;
    }
    return k == narrow->rank && count ? intlist(st, count, at) : NULL;
}

/* A reshape that only adds or drops axes of length 1. */
static bool reshape_units(Site *site)
{
    Node *n = site->node, *x = n->ops[0];
    bool adds = n->type->rank > x->type->rank;
    Attr axes = {.ints = adds ? unit_axes(site->st, n->type, x->type)
                              : unit_axes(site->st, x->type, n->type)};
    if (!axes.ints)
        return site_refuse(site, NULL, "it does more than add or drop axes of length 1");
    Node *after = node1(site->st, adds ? OP_EXPAND_DIMS : OP_SQUEEZE, &axes, x);
    return put_alike(site, after);
}

/* A number that is repeated is only repeated otherwise. */
static bool reshape_repeated(Site *site)
{
    Node *n = site->node, *x = n->ops[0];
    if (x->op != OP_BROADCAST || x->ops[0]->type->rank)
        return site_refuse(site, x, "it is not a broadcast scalar");
    Node *after =
        build_broadcast_to(site->st, x->ops[0], n->type->rank, (Node *const *)(n->ops + 1));
    return put_alike(site, after);
}

/* A number that was given axes of length 1 and is repeated. */
static bool broadcast_number(Site *site)
{
    Node *n = site->node, *x = n->ops[0], *ops[MAX_RANK + 1];
    if (!node_is_const(x) || !x->type->rank || x->attrs[0].value->count != 1)
        return site_refuse(site, x, "it is not a scalar");
    Node *number =
        node1(site->st, OP_SQUEEZE, &(Attr){.ints = all_axes(site->st, x->type->rank)}, x);
    ops[0] = number ? fold_node(site->st, number) : NULL;
    for (u32 i = 1; i < n->nops; i++)
        ops[i] = n->ops[i];
    Attr none = {.ints = intlist(site->st, 0, NULL)};
    Node *after = node_make(site->st, OP_BROADCAST, &none, n->nops, ops);
    return put_alike(site, after);
}

/* ---- slices ---- */

/* Are start .. start + len - 1 proved to be places along an axis of x? Steps are 1. */
static bool inside(Store *st, const Node *x, i64 axis, Node *start, Node *len)
{
    i64 low, room;
    Size *from = size_of_node(st, start), *end = size_add(st, from, size_of_node(st, len));
    return size_lower_bound(from, &low) && low >= 0 &&
           size_lower_bound(size_sub(st, x->type->dims[axis], end), &room) && room >= 0;
}

static bool is_plain_slice(const Node *n) { return n->op == OP_SLICE && n->attrs[1].i == 1; }

/* The numbers start + step * i for i below len that n, a vector of integers, is; false: it is
 * another. */
static bool evenly_spaced(Store *st, const Node *n, Places *p);

/* k times the numbers at p. */
static bool spaced_by(Store *st, i64 k, Places *p)
{
    if (!k || k > MOST_STEP || k < -MOST_STEP || (p->step != 1 && k != -1))
        return false;
    *p = (Places){size_scale(st, p->start, k), p->len, k * p->step};
    return true;
}

/* The same of n, which has two operands: of these, one is a number. */
static bool spaced_with_number(Store *st, const Node *n, Places *p)
{
    u32 number = n->ops[0]->type->rank ? 1 : 0;
    Node *by = n->ops[number];
    i64 k;
    if (by->type->rank || !evenly_spaced(st, n->ops[1 - number], p))
        return false;
    if (n->op == OP_MUL)
        return node_const_i64(by, &k) && spaced_by(st, k, p);
    bool minus = n->op == OP_SUB;
    if (minus && !number && !spaced_by(st, -1, p))
        return false;
    Size *off = size_of_node(st, by);
    p->start = minus && number ? size_sub(st, p->start, off) : size_add(st, p->start, off);
    return true;
}

/* Two numbers always are; as positions they read better. */
static bool spaced_numbers(Store *st, const Node *n, Places *p)
{
    enum { LEAST = 3 };
    const Tensor *t = n->attrs[0].value;
    i64 first = t->count ? tensor_i64_at(t, 0) : 0;
    i64 step = t->count >= LEAST ? tensor_i64_at(t, 1) - first : 0;
    if (!step || step > MOST_STEP || step < -MOST_STEP || llabs(first) > MOST_PLACE)
        return false;
    for (i64 i = 2; i < t->count; i++)
        if (tensor_i64_at(t, i) != first + i * step)
            return false;
    *p = (Places){size_const(st, first), size_const(st, t->count), step};
    return true;
}

static bool evenly_spaced(Store *st, const Node *n, Places *p)
{
    switch (n->type->rank == 1 ? n->op : OP_COUNT) {
    case OP_IOTA: *p = (Places){size_const(st, 0), size_of_node(st, n->ops[0]), 1}; return true;
    case OP_CONST: return spaced_numbers(st, n, p);
    case OP_NEG: return evenly_spaced(st, n->ops[0], p) && spaced_by(st, -1, p);
    case OP_ADD:
    case OP_SUB:
    case OP_MUL: return n->nops == 2 && spaced_with_number(st, n, p);
    default: return false;
    }
}

/* x[arange(a, b)], which is there, is x[a:b]. */
static bool gather_consecutive(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *x = n->ops[0];
    i64 axis = n->attrs[0].i;
    Places p;
    if (!evenly_spaced(st, n->ops[1], &p))
        return site_refuse(site, n->ops[1], "they are not evenly spaced");
    if (!places_inside(st, &p, x->type->dims[axis]))
        return site_refuse(site, n->ops[1], "not proved: these are valid positions of the array");
    return put_alike(site, places_taken(st, x, axis, &p));
}

/* What of two slices of x is the same place: x[a:b] of what was written at a. */
static bool slice_of_written(Site *site)
{
    Node *n = site->node, *w = n->ops[0];
    if (w->op != OP_SET_SLICE || w->attrs[0].i != n->attrs[0].i || w->attrs[1].i != 1 ||
        w->attrs[2].i != STORE_SET || !is_plain_slice(n) || w->ops[1] != n->ops[1] ||
        w->ops[2]->type != n->type)
        return site_refuse(site, w, "it is not the value that was just written");
    if (!inside(site->st, w->ops[0], n->attrs[0].i, n->ops[1], n->ops[2]))
        return site_refuse(site, w, "not proved: the position is in range");
    site_put(site, n, w->ops[2]);
    return true;
}

/* What is there already is written. */
static bool slice_written_back(Site *site)
{
    Node *n = site->node, *v = n->ops[2];
    if (n->attrs[1].i != 1 || n->attrs[2].i != STORE_SET || !is_plain_slice(v) ||
        v->ops[0] != n->ops[0] || v->ops[1] != n->ops[1] || v->attrs[0].i != n->attrs[0].i)
        return site_refuse(site, v, "it is not the value already stored there");
    if (!inside(site->st, n->ops[0], n->attrs[0].i, v->ops[1], v->ops[2]))
        return site_refuse(site, v, "not proved: the position is in range");
    site_put(site, n, n->ops[0]);
    return true;
}

/* The array of which `part` is the part that begins at `from`, along `axis`; NULL: it is none. What
 * is given axes of length 1 is one element. */
static Node *part_of(Store *st, const Node *part, i64 axis, Size *from)
{
    bool one = part->op == OP_EXPAND_DIMS && part->attrs[0].ints->n == 1 &&
               part->attrs[0].ints->at[0] == axis;
    Node *read = one ? part->ops[0] : NULL;
    if (one ? read->op != OP_INDEX || read->attrs[0].i != axis
            : !is_plain_slice(part) || part->attrs[0].i != axis)
        return NULL;
    Node *whole = one ? read->ops[0] : part->ops[0], *at = one ? read->ops[1] : part->ops[1];
    Node *len = one ? node_i64(st, 1) : part->ops[2];
    return size_of_node(st, at) == from && inside(st, whole, axis, at, len) ? whole : NULL;
}

static bool concat_parts(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *whole = NULL;
    i64 axis = n->attrs[0].i;
    Size *from = size_const(st, 0);
    for (u32 i = 0; i < n->nops; i++) {
        Node *of = part_of(st, n->ops[i], axis, from);
        if (!of || (whole && of != whole))
            return site_refuse(site, n->ops[i], "not proved: it is the next slice of the array");
        whole = of;
        from = size_add(st, from, n->ops[i]->type->dims[axis]);
    }
    if (!whole || whole->type != n->type)
        return site_refuse(site, n, "together they are not the whole array");
    site_put(site, n, whole);
    return true;
}

/* The factor of an identity matrix, a scalar; NULL: it is no such matrix. */
static Node *factor_of_eye(Site *site, const Node *n)
{
    Node *factor = NULL;
    bool eye = false;
    for (u32 i = 0; n->op == OP_MUL && i < n->nops; i++) {
        bool here = n->ops[i]->op == OP_EYE && n->ops[i]->nops == 1;
        if (!here && n->ops[i]->type->rank)
            return NULL;
        if (!here)
            factor = factor ? build_mul(site->st, factor, n->ops[i]) : n->ops[i];
        eye = eye || here;
    }
    return eye ? factor : NULL;
}

/* (c * eye(n)) @ a, a @ (c * eye(n)) */
static bool scaled_eye(Site *site)
{
    Node *n = site->node;
    for (int side = 0; side < 2; side++) {
        Node *factor = factor_of_eye(site, n->ops[side]);
        Node *after = factor ? build_mul(site->st, factor, n->ops[1 - side]) : NULL;
        if (after && after->type == n->type) {
            site_put(site, n, after);
            return true;
        }
    }
    return site_refuse(site, NULL, "neither side is a scaled identity matrix");
}

enum { MOST_STACKED = 8 };

static OpId elementwise_of(OpId reduction)
{
    switch (reduction) {
    case OP_SUM: return OP_ADD;
    case OP_PROD: return OP_MUL;
    case OP_MAX: return OP_MAXIMUM;
    case OP_MIN: return OP_MINIMUM;
    case OP_ANY: return OP_LOGICAL_OR;
    default: return OP_LOGICAL_AND;
    }
}

/* A reduction over the axis along which a few arrays were stacked works on these. Of extremes only
 * after derivatives: three that tie share a gradient otherwise than in pairs. */
static bool reduce_stack(Site *site)
{
    Node *n = site->node, *stack = n->ops[0], *all = NULL;
    Attr axes = n->attrs[0];
    if (stack->op != OP_CONCAT || axes.ints->n != 1 || axes.ints->at[0] != stack->attrs[0].i ||
        stack->nops > MOST_STACKED || stack->type->dtype != n->type->dtype)
        return site_refuse(site, stack,
                           "it is not over the axis along which a few arrays are stacked");
    for (u32 i = 0; i < stack->nops; i++) {
        Node *part = stack->ops[i];
        if (!size_is(part->type->dims[axes.ints->at[0]], 1))
            return site_refuse(site, part, "a part is not known to have length 1");
        part = part->op == OP_EXPAND_DIMS && part->attrs[0].ints == axes.ints
                   ? part->ops[0]
                   : build_squeeze(site->st, part, (int)axes.ints->at[0]);
        Node *pair[] = {all, part};
        all = all ? build_elementwise(site->st, elementwise_of(n->op), 2, pair) : part;
    }
    if (!all || all->type != n->type)
        return false;
    site_put(site, n, all);
    return true;
}

#define RULE(NAME, PASS, CLASSES, OP_, FN, REASON) \
    {                                              \
        NAME, PASS, CLASSES, OP_, FN, REASON, NULL \
    }
#define CANON(NAME, CLASSES, OP_, FN, REASON) RULE(NAME, "canonicalize", CLASSES, OP_, FN, REASON)
const CodeRule through_rules[] = {
    CANON("transpose-through", HAZARD_E, OP_TRANSPOSE, view_through,
          "the two transposes around elementwise operators cancel"),
    CANON("reshape-through", HAZARD_E, OP_RESHAPE, view_through,
          "the two reshapes around elementwise operators cancel"),
    CANON("flip-through", HAZARD_E, OP_FLIP, view_through,
          "the two reversals around elementwise operators cancel"),
    CANON("concat-once", HAZARD_E, OP_CONCAT, concat_once, "computed once, for all parts"),
    CANON("reshape-units", HAZARD_E, OP_RESHAPE, reshape_units, "only axes of length 1 change"),
    CANON("reshape-repeated", HAZARD_E, OP_RESHAPE, reshape_repeated,
          "a reshape of equal numbers is a broadcast"),
    CANON("gather-consecutive", HAZARD_D, OP_GATHER, gather_consecutive,
          "evenly spaced positions are a slice"),
    CANON("concat-parts", HAZARD_D, OP_CONCAT, concat_parts,
          "the concatenated slices are the whole array"),
    CANON("broadcast-number", HAZARD_E, OP_BROADCAST, broadcast_number,
          "a broadcast constant needs no axes of length 1"),
    CANON("scaled-eye", HAZARD_R | HAZARD_NPLUS | HAZARD_O, OP_MATMUL, scaled_eye,
          "the identity, scaled"),
    CANON("slice-of-written", HAZARD_D, OP_SLICE, slice_of_written,
          "the value that was just written"),
    CANON("slice-written-back", HAZARD_D, OP_SET_SLICE, slice_written_back,
          "the update stores the value that is already there"),
    CANON("sum-stack", HAZARD_R, OP_SUM, reduce_stack,
          "a sum over a stack of a few arrays adds them"),
    CANON("prod-stack", HAZARD_R, OP_PROD, reduce_stack,
          "a product over a stack of a few arrays multiplies them"),
    RULE("max-stack", "specialize", HAZARD_E, OP_MAX, reduce_stack,
         "the maximum over a stack of a few arrays compares them"),
    RULE("min-stack", "specialize", HAZARD_E, OP_MIN, reduce_stack,
         "the minimum over a stack of a few arrays compares them"),
    CANON("any-stack", HAZARD_E, OP_ANY, reduce_stack,
          "`any` over a stack of a few arrays is their `or`"),
    CANON("all-stack", HAZARD_E, OP_ALL, reduce_stack,
          "`all` over a stack of a few arrays is their `and`"),
    {0}};
