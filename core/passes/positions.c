/* Positions of what was arranged: an element, a part or the reverse of an array that is itself a
 * part, a reversal, repeated, given axes or put together is read from its source.
 *
 * A part along one axis and a reversal are the places start + step * i for i below a length; of
 * one such view another one is of that form, too. Where a place may not be there, so that reading
 * it is an error, nothing is said.
 *
 * Invariant: nothing is computed twice, no more elements than before, and no bit changes. */
#include "passes/code_rules.h"
#include "passes/places.h"
#include "tensor/kernels.h"

/* The axis along which n takes places, if there is just one. */
static i64 axis_of(const Node *n)
{
    if (n->op == OP_FLIP)
        return n->attrs[0].ints->n == 1 ? n->attrs[0].ints->at[0] : -1;
    return n->attrs[0].i;
}

/* A part or a reversal of one: at once. */
static bool places_of_places(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *inner = n->ops[0], *x = inner->nops ? inner->ops[0] : NULL;
    Places a, b;
    i64 axis = axis_of(n);
    if (axis < 0 || (inner->op == OP_FLIP && n->op == OP_FLIP) ||
        !places_read(st, inner, axis, &a) || !places_read(st, n, axis, &b))
        return site_refuse(site, inner, "it is not a slice along the same axis");
    if (site_is_inside(site))
        return site_refuse(site, inner, "inside a body, a loop's reads decide which rows it needs");
    if (!places_inside(st, &a, x->type->dims[axis]) || !places_inside(st, &b, a.len))
        return site_refuse(site, inner, place_not_there);
    Places both = {size_add(st, a.start, size_scale(st, b.start, a.step)), b.len, a.step * b.step};
    return site_put_alike(site, places_taken(st, x, axis, &both));
}

/* What is read backwards as a whole is a reversal. */
static bool slice_backwards(Site *site)
{
    Node *n = site->node;
    Places p;
    if (n->attrs[1].i != -1 || !places_read(site->st, n, n->attrs[0].i, &p) ||
        p.len != n->ops[0]->type->dims[n->attrs[0].i] ||
        !size_is(size_sub(site->st, p.len, p.start), 1))
        return site_refuse(site, NULL, "it does not reverse the whole axis");
    return site_put_alike(site, places_taken(site->st, n->ops[0], n->attrs[0].i, &p));
}

/* An element of a part or of a reversal. */
static bool index_places(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *inner = n->ops[0], *x = inner->nops ? inner->ops[0] : NULL;
    i64 axis = n->attrs[0].i;
    Places a;
    if (!places_read(st, inner, axis, &a))
        return site_refuse(site, inner, "it is not a slice along the same axis");
    if (site_is_inside(site))
        return site_refuse(site, inner, "inside a body, a loop's reads decide which rows it needs");
    Size *at = places_index(st, n->ops[1], a.len);
    if (!at || !places_inside(st, &a, x->type->dims[axis]))
        return site_refuse(site, inner, place_not_there);
    Node *place = size_to_node(st, size_add(st, a.start, size_scale(st, at, a.step)));
    return site_put_alike(site, place ? node2(st, OP_INDEX, n->attrs, x, place) : NULL);
}

/* ---- what was gathered ---- */

/* What is gathered from a part or a reversal, all at known places, is gathered from the whole. */
static bool gather_places(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *inner = n->ops[0];
    i64 axis = n->attrs[0].i, start, len;
    Places p;
    if (!places_read(st, inner, axis, &p) || !size_is_const(p.start, &start) ||
        !size_is_const(p.len, &len) || !places_inside(st, &p, inner->ops[0]->type->dims[axis]))
        return site_refuse(site, inner, "it is not a slice of known bounds along that axis");
    if (!places_known(n))
        return site_refuse(site, n->ops[1], place_not_there);
    Node *at = n->ops[1], *zero = node_i64(st, 0);
    Node *low = build_elementwise(st, OP_LT, 2, (Node *[]){at, zero});
    Node *up = build_add(st, at, node_i64(st, len));
    Node *from = build_elementwise(st, OP_WHERE, 3, (Node *[]){low, up, at});
    Node *place = build_add(st, node_i64(st, start), build_mul(st, node_i64(st, p.step), from));
    return site_put_alike(site,
                          place ? node2(st, OP_GATHER, n->attrs, inner->ops[0], place) : NULL);
}

/* n, an element, a part or the reverse, of the places themselves. */
static bool of_gathered(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *g = n->ops[0], *ops[3];
    i64 axis = g->op == OP_GATHER ? g->attrs[0].i : -1, zero = 0;
    if (axis < 0 || axis_of(n) != axis)
        return site_refuse(site, g, "its operand was not gathered along the same axis");
    if (!places_known(g))
        return site_refuse(site, g, place_not_there);
    memcpy(ops, n->ops, n->nops * sizeof *ops);
    ops[0] = g->ops[1];
    Attr a[2] = {n->attrs[0], n->nattrs > 1 ? n->attrs[1] : (Attr){0}};
    if (n->op == OP_FLIP)
        a[0].ints = intlist(st, 1, &zero);
    else
        a[0].i = 0;
    Node *at = node_make(st, n->op, a, n->nops, ops);
    bool one = n->op == OP_INDEX;
    Node *after = at ? node2(st, one ? OP_INDEX : OP_GATHER, g->attrs, g->ops[0], at) : NULL;
    return site_put_alike(site, after);
}

/* ---- new axes, repeated elements ---- */

/* How many of these axes come before `axis`. */
static i64 before(const IntList *l, i64 axis)
{
    i64 n = 0;
    for (u32 i = 0; i < l->n; i++)
        n += l->at[i] < axis;
    return n;
}

/* n, an element or a part along `axis`, of x along another one. */
static Node *read_along(Store *st, const Node *n, Node *x, i64 axis)
{
    Node *ops[3] = {x};
    Attr a[2] = {{.i = axis}, n->nattrs > 1 ? n->attrs[1] : (Attr){0}};
    for (u32 i = 1; i < n->nops; i++)
        ops[i] = n->ops[i];
    return node_make(st, n->op, a, n->nops, ops);
}

/* New axes are added once the element, the part or the places are read. */
static bool of_expanded(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *wide = n->ops[0];
    i64 axis = n->attrs[0].i, at[MAX_RANK];
    u32 count = 0;
    if (wide->op != OP_EXPAND_DIMS || intlist_has(wide->attrs[0].ints, axis))
        return site_refuse(site, wide, "its operand has no added axis other than that one");
    if (n->op == OP_GATHER && n->ops[1]->type->rank != 1)
        return site_refuse(site, n->ops[1], "the positions are not a vector");
    if (n->op == OP_GATHER && !fact_total(site->facts, st, n))
        return site_refuse(site, n->ops[1], place_not_there); /* its axis is in the message */
    const IntList *axes = wide->attrs[0].ints;
    for (u32 i = 0; i < axes->n; i++)
        at[count++] = axes->at[i] - (n->op == OP_INDEX && axes->at[i] > axis);
    Node *x = read_along(st, n, wide->ops[0], axis - before(axes, axis));
    Attr a = {.ints = intlist(st, count, at)};
    return site_put_alike(site, x ? node1(st, OP_EXPAND_DIMS, &a, x) : NULL);
}

/* The place of a result's axis among those that the source of a broadcast has; -1: it has not. */
static int source_axis(const Node *b, i64 axis)
{
    const IntList *axes = b->attrs[0].ints;
    for (u32 i = 0; i < axes->n; i++)
        if (axes->at[i] == axis)
            return (int)i;
    return -1;
}

/* Repeated once the element or the part is read; along an axis that is repeated, less often. */
static bool of_repeated(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *b = n->ops[0], *ops[MAX_RANK + 1];
    i64 axis = n->attrs[0].i, at[MAX_RANK];
    bool one = n->op == OP_INDEX;
    u32 count = 1;
    if (b->op != OP_BROADCAST)
        return site_refuse(site, b, "it is not repeated");
    int k = source_axis(b, axis);
    Places p;
    Size *length = b->type->dims[axis];
    if (k < 0 && (one ? !places_index(st, n->ops[1], length)
                      : !places_read(st, n, axis, &p) || !places_inside(st, &p, length)))
        return site_refuse(site, b, place_not_there);
    if (k < 0 && !fact_total(site->facts, st, b->ops[axis + 1]))
        return site_refuse(site, b, "computing its length could raise an error");
    const IntList *axes = b->attrs[0].ints;
    u32 mapped = 0;
    for (u32 i = 0; i < axes->n; i++)
        if (!one || axes->at[i] != axis)
            at[mapped++] = axes->at[i] - (one && axes->at[i] > axis);
    ops[0] = k < 0 ? b->ops[0] : read_along(st, n, b->ops[0], k);
    for (int i = 0; i < b->type->rank; i++)
        if (i != axis || !one)
            ops[count++] = i == axis ? n->ops[2] : b->ops[i + 1];
    if (!ops[0] || count == 1)
        return site_put_alike(site, ops[0]);
    Attr a = {.ints = intlist(st, mapped, at)};
    return site_put_alike(site, node_make(st, OP_BROADCAST, &a, count, ops));
}

/* ---- running sums ---- */

static OpId total_of(OpId running)
{
    switch (running) {
    case OP_CUMSUM: return OP_SUM;
    case OP_CUMPROD: return OP_PROD;
    case OP_CUMMAX: return OP_MAX;
    default: return OP_COUNT;
    }
}

/* The element of a running sum at which all are summed up: the last, or the first of one that runs
 * backwards. */
static bool is_last_of_running(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *c = n->ops[0];
    i64 k, axis = n->attrs[0].i;
    if (total_of(c->op) == OP_COUNT || c->attrs[0].i != axis)
        return site_refuse(site, c, "it is not running along that axis");
    Size *length = c->type->dims[axis], *one = size_const(st, 1), *at = size_of_node(st, n->ops[1]);
    if (size_is_const(at, &k) && k < 0)
        at = size_add(st, length, at);
    if (at != (c->attrs[1].i ? size_const(st, 0) : size_sub(st, length, one)))
        return site_refuse(site, n->ops[1], "it is not the one that has all of them");
    return true;
}

static bool index_running(Site *site)
{
    Node *n = site->node, *c = n->ops[0];
    i64 axis = n->attrs[0].i;
    if (!is_last_of_running(site))
        return false;
    Attr a = {.ints = intlist(site->st, 1, &axis)};
    return site_put_alike(site, node1(site->st, total_of(c->op), &a, c->ops[0]));
}

static bool index_running_there(Site *site)
{
    Node *n = site->node;
    if (!is_last_of_running(site))
        return false;
    if (!places_at_least(n->ops[0]->type->dims[n->attrs[0].i], 1))
        return site_refuse(site, n->ops[0], "it is not proved to have an element");
    return index_running(site);
}

/* ---- what was put together ---- */

/* An element of what was put together, in the part where it is proved to lie. */
static bool index_part(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *c = n->ops[0];
    i64 axis = n->attrs[0].i;
    if (c->op != OP_CONCAT || c->attrs[0].i != axis)
        return site_refuse(site, c, "its operand was not concatenated along that axis");
    Size *at = places_index(st, n->ops[1], c->type->dims[axis]), *first;
    int k = at ? places_part(st, c, axis, at, size_add(st, at, size_const(st, 1)), &first) : -1;
    if (k < 0)
        return site_refuse(site, c, "not proved: which part it reads");
    if (!site_drops_total(site, c, (u32)k, 1))
        return false;
    Node *place = size_to_node(st, size_sub(st, at, first));
    return site_put_alike(site, place ? node2(st, OP_INDEX, n->attrs, c->ops[k], place) : NULL);
}

/* Parts begins..begins+count-1 are the places from..end-1: how many they are, or 0. */
static u32 parts_between(Store *st, const Node *c, i64 axis, Size *from, Size *end, u32 *begins)
{
    Size *at = size_const(st, 0);
    u32 count = 0;
    for (u32 i = 0; i < c->nops && at != end; i++) {
        if (at == from)
            *begins = i;
        count += count || at == from;
        at = size_add(st, at, c->ops[i]->type->dims[axis]);
    }
    return at == end ? count : 0;
}

/* A part of what was put together that lies in one of its parts, or that is some of them. */
static bool slice_parts(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *c = n->ops[0];
    i64 axis = n->attrs[0].i;
    Places p;
    if (c->op != OP_CONCAT || c->attrs[0].i != axis || n->attrs[1].i != 1 ||
        !places_read(st, n, axis, &p))
        return site_refuse(site, c, "its operand was not concatenated along that axis");
    if (!places_inside(st, &p, c->type->dims[axis]))
        return site_refuse(site, c, place_not_there);
    Size *end = size_add(st, p.start, p.len), *from;
    int k = places_part(st, c, axis, p.start, end, &from);
    u32 begins = k < 0 ? 0 : (u32)k;
    u32 count = k < 0 ? parts_between(st, c, axis, p.start, end, &begins) : 1;
    if (!count)
        return site_refuse(site, c, "its bounds do not coincide with parts");
    if (!site_drops_total(site, c, begins, count))
        return false;
    Places of = {k < 0 ? NULL : size_sub(st, p.start, from), p.len, 1};
    if (k >= 0)
        return site_put_alike(site, places_taken(st, c->ops[k], axis, &of));
    return site_put_alike(site, node_make(st, OP_CONCAT, c->attrs, count, c->ops + begins));
}

/* ---- what was written ---- */

/* Does what was written along this axis lie at other places than from..end-1? */
static bool elsewhere(Store *st, const Node *w, i64 axis, Size *from, Size *end)
{
    Size *length = w->type->dims[axis], *one = size_const(st, 1), *first, *last;
    if (w->op == OP_SET_INDEX) {
        if (!(first = places_index(st, w->ops[1], length)))
            return false;
        last = size_add(st, first, one);
    } else {
        Places p = {size_of_node(st, w->ops[1]), w->ops[2]->type->dims[axis], w->attrs[1].i};
        if (p.step != 1 || !places_inside(st, &p, length))
            return false;
        first = p.start;
        last = size_add(st, first, p.len);
    }
    return places_at_least(size_sub(st, from, last), 0) ||
           places_at_least(size_sub(st, first, end), 0);
}

/* What was read is not what was written: the array as it was. */
static bool read_elsewhere(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *w = n->ops[0];
    i64 axis = n->attrs[0].i;
    bool writes = w->op == OP_SET_INDEX || w->op == OP_SET_SLICE;
    if (!writes || w->attrs[0].i != axis || (n->op == OP_SLICE && n->attrs[1].i != 1))
        return site_refuse(site, w, "its operand is not an update along that axis");
    Size *from = n->op == OP_INDEX ? places_index(st, n->ops[1], w->type->dims[axis])
                                   : size_of_node(st, n->ops[1]);
    Size *len = n->op == OP_INDEX ? size_const(st, 1) : size_of_node(st, n->ops[2]);
    if (!from || !elsewhere(st, w, axis, from, size_add(st, from, len)))
        return site_refuse(site, w, "not proved: another position was written");
    if (!site_drops_total(site, w, 0, 1))
        return false;
    return site_put_alike(site, read_along(st, n, w->ops[0], axis));
}

/* An element of a part that was written. */
static bool index_written_part(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *w = n->ops[0];
    i64 axis = n->attrs[0].i;
    if (w->op != OP_SET_SLICE || w->attrs[0].i != axis || w->attrs[1].i != 1 ||
        w->attrs[2].i != STORE_SET || w->ops[2]->type->rank != w->type->rank)
        return site_refuse(site, w, "its operand is not an update of a slice along that axis");
    Places p = {size_of_node(st, w->ops[1]), w->ops[2]->type->dims[axis], 1};
    Size *at = places_index(st, n->ops[1], w->type->dims[axis]);
    if (!at || !places_inside(st, &p, w->type->dims[axis]) ||
        !places_at_least(size_sub(st, at, p.start), 0) ||
        !places_at_least(size_sub(st, size_add(st, p.start, p.len), at), 1))
        return site_refuse(site, w, "not proved: it lies within the written slice");
    if (!site_drops_total(site, w, 2, 1))
        return false;
    Node *place = size_to_node(st, size_sub(st, at, p.start));
    return site_put_alike(site, place ? node2(st, OP_INDEX, n->attrs, w->ops[2], place) : NULL);
}

/* ---- reductions ---- */

/* A reduction of what was given axes of length 1, which have nothing to reduce: without them. A sum
 * over such axes alone stays, as 0 + -0 is 0. */
static bool reduce_expanded(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *wide = n->ops[0];
    i64 over[MAX_RANK], left[MAX_RANK];
    u32 nover = 0, nleft = 0;
    if (wide->op != OP_EXPAND_DIMS || n->nattrs != 1)
        return site_refuse(site, wide, "its operand adds no axes");
    const IntList *axes = n->attrs[0].ints, *added = wide->attrs[0].ints;
    for (u32 i = 0; i < axes->n; i++)
        if (!intlist_has(added, axes->at[i]))
            over[nover++] = axes->at[i] - before(added, axes->at[i]);
    for (u32 i = 0; i < added->n; i++)
        if (!intlist_has(axes, added->at[i]))
            left[nleft++] = added->at[i] - before(axes, added->at[i]);
    if (!nover && (n->op == OP_SUM || n->op == OP_PROD) && dtype_is_float(n->type->dtype))
        return site_refuse(site, wide, "it is only over added axes");
    Attr a = {.ints = intlist(st, nover, over)}, b = {.ints = intlist(st, nleft, left)};
    Node *r = nover ? node1(st, n->op, &a, wide->ops[0]) : wide->ops[0];
    return site_put_alike(site, r && nleft ? node1(st, OP_EXPAND_DIMS, &b, r) : r);
}

/* The axes of `from` that a reduction of its reshaped elements over these axes of `to` is over: a
 * run of axes of one is a run of the other, as long as one, and all of it is reduced or nothing is.
 * NULL: there is more to it. */
static const IntList *axes_before_reshape(Store *st, const Type *from, const Type *to,
                                          const IntList *axes)
{
    Size *one = size_const(st, 1), *a, *b;
    i64 at[MAX_RANK];
    u32 count = 0;
    for (int i = 0, k = 0; i < from->rank || k < to->rank;) {
        int first = i, first_to = k;
        a = i < from->rank ? from->dims[i++] : one;
        b = k < to->rank ? to->dims[k++] : one;
        while (a != b && (i < from->rank || k < to->rank)) {
            bool more = k < to->rank && (i == from->rank || places_at_least(size_sub(st, a, b), 1));
            if (more)
                b = size_mul(st, b, to->dims[k++]);
            else if (i < from->rank)
                a = size_mul(st, a, from->dims[i++]);
        }
        u32 reduced = 0;
        for (int j = first_to; j < k; j++)
            reduced += intlist_has(axes, j);
        if (a != b || (reduced && (int)reduced != k - first_to) || (first_to == k && i > first))
            return NULL;
        while (reduced && first < i)
            at[count++] = first++;
    }
    return count ? intlist(st, count, at) : NULL;
}

/* Reduced in the shape it had before; what is left takes the new one. */
static bool reduce_reshaped(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *shaped = n->ops[0], *dims[MAX_RANK];
    const IntList *axes =
        shaped->op == OP_RESHAPE
            ? axes_before_reshape(st, shaped->ops[0]->type, shaped->type, n->attrs[0].ints)
            : NULL;
    if (!axes)
        return site_refuse(site, shaped, "it is not over whole axes of a reshaped array");
    Node *after = node1(st, n->op, &(Attr){.ints = axes}, shaped->ops[0]);
    if (!after || after->type == n->type)
        return site_put_alike(site, after);
    for (int i = 0; i < n->type->rank; i++)
        if (!(dims[i] = size_to_node(st, n->type->dims[i])))
            return site_refuse(site, n, "its sizes are unknown");
    return site_put_alike(site, build_reshape(st, after, n->type->rank, dims));
}

#define CANON(NAME, CLASSES, OP_, FN, REASON)                \
    {                                                        \
        NAME, "canonicalize", CLASSES, OP_, FN, REASON, NULL \
    }
#define REDUCTION(NAME, CLASSES, OP_, REASON)                                                \
    CANON(NAME "-expanded", HAZARD_E, OP_, reduce_expanded, "the added axes have length 1"), \
        CANON(NAME "-reshaped", CLASSES, OP_, reduce_reshaped, REASON)
#define OF_ALL "reduced in its original shape"
const CodeRule position_rules[] = {
    CANON("flip-of-slice", HAZARD_E, OP_SLICE, slice_backwards,
          "the slice is the whole axis, reversed"),
    CANON("slice-slice", HAZARD_D, OP_SLICE, places_of_places, "a slice of a slice is a slice"),
    CANON("flip-slice", HAZARD_D, OP_FLIP, places_of_places, "a reversed slice is a slice"),
    CANON("index-slice", HAZARD_D, OP_INDEX, index_places,
          "an element of a slice is an element of the array"),
    CANON("index-gather", HAZARD_D, OP_INDEX, of_gathered,
          "an element of a gathered array is one lookup"),
    CANON("slice-gather", HAZARD_D, OP_SLICE, of_gathered,
          "only the positions that are read are gathered"),
    CANON("flip-gather", HAZARD_D, OP_FLIP, of_gathered, "the positions are reversed instead"),
    CANON("gather-slice", HAZARD_D, OP_GATHER, gather_places,
          "positions in a slice are positions in the array"),
    CANON("index-expanded", HAZARD_E, OP_INDEX, of_expanded,
          "the read comes first, the added axes after it"),
    CANON("slice-expanded", HAZARD_E, OP_SLICE, of_expanded,
          "the read comes first, the added axes after it"),
    CANON("gather-expanded", HAZARD_E, OP_GATHER, of_expanded,
          "the read comes first, the added axes after it"),
    CANON("index-repeated", HAZARD_D, OP_INDEX, of_repeated,
          "the index comes first, the broadcast after it"),
    CANON("slice-repeated", HAZARD_D, OP_SLICE, of_repeated,
          "the part that is read is repeated directly"),
    CANON("index-concat", HAZARD_D, OP_INDEX, index_part,
          "the index falls into one of the joined arrays"),
    CANON("last-of-running-there", HAZARD_R | HAZARD_O, OP_INDEX, index_running_there,
          "the last running sum is the total"),
    CANON("last-of-running", HAZARD_R | HAZARD_S | HAZARD_O, OP_INDEX, index_running,
          "the last running sum is the total; an empty array may go unnoticed"),
    CANON("slice-parts", HAZARD_D, OP_SLICE, slice_parts, "the slice consists of whole parts"),
    CANON("index-elsewhere", HAZARD_D, OP_INDEX, read_elsewhere,
          "the update wrote another element"),
    CANON("slice-elsewhere", HAZARD_D, OP_SLICE, read_elsewhere, "the update wrote another slice"),
    CANON("index-written", HAZARD_D, OP_INDEX, index_written_part,
          "the value that was just written"),
    REDUCTION("sum", HAZARD_R, OP_SUM, OF_ALL),
    REDUCTION("prod", HAZARD_R | HAZARD_O, OP_PROD, OF_ALL),
    REDUCTION("max", HAZARD_E, OP_MAX, OF_ALL),
    REDUCTION("min", HAZARD_E, OP_MIN, OF_ALL),
    REDUCTION("any", HAZARD_E, OP_ANY, OF_ALL),
    REDUCTION("all", HAZARD_E, OP_ALL, OF_ALL),
    {0}};
