/* Sorting, rearranging and repeating along axes, draws of positions.
 *
 * Invariant: each is made of operators that have derivatives; a size that is not known
 * while the graph is built stays an expression. */
#include <math.h>

#include "lang/builtins.h"
#include "lang/random_use.h"
#include "ops/definitions.h"

static Node *elements(Elab *e, Args *a, int i)
{
    Node *n = arg_node(e, a, i);
    if (n && (n->type->kind != TYPE_TENSOR || n->type->dtype == DT_RNG))
        return elab_error(e, a->spans[i], "type-mismatch", NULL,
                          "%s needs numbers or bools, but this is %s", a->builtin->name,
                          shape_text(e->st, n->type));
    if (n)
        e->st->span = a->span;
    return n;
}

static bool is_none(const Value *v) { return !v || v->kind == V_NONE; }

static Node *whole_number(Elab *e, Value *v, Span span, const char *what)
{
    Node *n = value_to_node(e, v, span, what);
    if (!n)
        return NULL;
    if (!type_is_scalar(n->type) || !dtype_is_int(n->type->dtype))
        return elab_error(e, span, "type-mismatch", NULL,
                          "%s must be a whole number, but this is %s", what,
                          shape_text(e->st, n->type));
    i64 k;
    n = node_cast(e->st, n, DT_I64);
    return n && n->op == OP_NEG && node_const_i64(n->ops[0], &k) ? node_i64(e->st, -k) : n;
}

/* ---- sorting ---- */

static Value *sorted(Elab *e, Args *a, OpId op)
{
    Node *x = elements(e, a, 0);
    int axis = 0;
    if (!x)
        return NULL;
    if (a->at[1] && a->at[1]->kind == V_NONE)
        x = build_flat(e->st, x);
    else if (!arg_axis(e, a, 1, -1, x->type->rank, &axis))
        return NULL;
    Attr at = {.i = axis};
    return x ? value_node(e, node1(e->st, op, &at, x)) : NULL;
}
BUILTIN(sort) { return sorted(e, a, OP_SORT); }
BUILTIN(argsort) { return sorted(e, a, OP_ARGSORT); }

BUILTIN(searchsorted)
{
    Node *s = elements(e, a, 0), *v = s ? elements(e, a, 1) : NULL;
    if (!v)
        return NULL;
    if (s->type->rank != 1)
        return elab_error(e, a->spans[0], "rank", NULL,
                          "searchsorted takes a sorted vector, but this is %s",
                          shape_text(e->st, s->type));
    const Value *side = a->at[2];
    bool right = side && side->kind == V_STRING && !strcmp(side->text, "right");
    if (side && !right && (side->kind != V_STRING || strcmp(side->text, "left")))
        return elab_error(e, a->spans[2], "type-mismatch", NULL, "side is \"left\" or \"right\"");
    Node *both[2];
    DType d = args_meet(e, a, 0, 2, both);
    if (d == DT_COUNT)
        return both[1] ? elab_error(e, a->span, "type-mismatch", NULL, "searchsorted takes numbers")
                       : NULL;
    Attr at = {.i = right};
    return value_node(e, node2(e->st, OP_SEARCHSORTED, &at, node_cast(e->st, both[0], d),
                               node_cast(e->st, both[1], d)));
}

/* ---- roll ---- */

/* Item i of an argument that is one thing for all or a tuple; NULL after a diagnostic. */
static Value *item_for(Elab *e, Args *a, int arg, u32 i, u32 n)
{
    Value *v = value_plain(e, a->at[arg]);
    if (!v || v->kind != V_TUPLE)
        return v;
    if ((u32)v->nitems == n)
        return v->items[i];
    return elab_error(e, a->spans[arg], "arity", NULL, "%d items are given for %u axes", v->nitems,
                      n);
}

BUILTIN(roll)
{
    Node *x = elements(e, a, 0), *ops[MAX_RANK + 1] = {x};
    bool flat = is_none(a->at[2]);
    Value *axes = !x || flat ? NULL : value_plain(e, a->at[2]);
    if (!x || (!flat && !axes))
        return NULL;
    bool many = axes && axes->kind == V_TUPLE;
    u32 n = many ? (u32)axes->nitems : 1;
    i64 at[MAX_RANK];
    if (n > MAX_RANK)
        return elab_error(e, a->spans[2], "rank", NULL, "more than %d axes", MAX_RANK);
    if (!n)
        return value_node(e, x);
    for (u32 i = 0; i < n; i++) {
        Value *shift = flat ? a->at[1] : item_for(e, a, 1, i, n);
        ops[i + 1] = shift ? whole_number(e, shift, a->spans[1], "the shift of roll") : NULL;
        Args one = *a;
        one.at[2] = many ? axes->items[i] : axes;
        int axis = 0;
        if (!ops[i + 1] || (!flat && !arg_axis(e, &one, 2, 0, x->type->rank, &axis)))
            return NULL;
        at[i] = axis;
    }
    Attr attr = {.ints = intlist(e->st, flat ? 0 : n, at)};
    e->st->span = a->span;
    return value_node(e, node_make(e->st, OP_ROLL, &attr, n + 1, ops));
}

/* ---- pad ---- */

static Node *pad_side(Elab *e, Args *a, Value *v)
{
    Node *n = v ? whole_number(e, v, a->spans[1], "a width of pad") : NULL;
    i64 k;
    if (n && node_const_i64(n, &k) && k < 0)
        return elab_error(e, a->spans[1], "range", "take a slice to make it smaller",
                          "a width of pad cannot be negative");
    return n;
}

/* One number, (before, after), or one of these for each axis. */
static bool pad_widths(Elab *e, Args *a, int axis, int rank, Node **before, Node **after)
{
    Value *v = value_plain(e, a->at[1]);
    if (v && v->kind == V_TUPLE && v->nitems && v->items[0]->kind == V_TUPLE) {
        if (v->nitems != rank && v->nitems != 1)
            return elab_error(e, a->spans[1], "arity", NULL, "%d pairs of widths for %d ax%s",
                              v->nitems, rank, rank == 1 ? "is" : "es"),
                   false;
        v = value_plain(e, v->items[v->nitems == 1 ? 0 : axis]);
    }
    if (v && v->kind == V_TUPLE && v->nitems != 1 && v->nitems != 2)
        return elab_error(e, a->spans[1], "arity", "write ((1, 2), (0, 0)) for two axes",
                          "the widths of an axis are (before, after)"),
               false;
    bool tuple = v && v->kind == V_TUPLE;
    *before = pad_side(e, a, tuple ? v->items[0] : v);
    *after = *before ? pad_side(e, a, tuple ? v->items[v->nitems - 1] : v) : NULL;
    return *after != NULL;
}

BUILTIN(pad)
{
    Node *x = elements(e, a, 0), *value;
    if (!x)
        return NULL;
    DType d = x->type->dtype;
    value = a->at[2] ? value_as(e, a->at[2], d, a->spans[2], "pad") : node_number(e->st, d, 0);
    if (!value)
        return NULL;
    if (!type_is_scalar(value->type) || promote(value->type->dtype, d) != d)
        return elab_error(e, a->spans[2], "type-mismatch", NULL, "%s cannot be put around %s",
                          shape_text(e->st, value->type), shape_text(e->st, x->type));
    int rank = x->type->rank;
    Node *ops[2 + 2 * MAX_RANK] = {x, node_cast(e->st, value, d)};
    for (int axis = 0; axis < rank; axis++)
        if (!pad_widths(e, a, axis, rank, &ops[2 + 2 * axis], &ops[3 + 2 * axis]))
            return NULL;
    e->st->span = a->span;
    return value_node(e, node_make(e->st, OP_PAD, NULL, 2 + 2 * (u32)rank, ops));
}

/* ---- tile and repeat ---- */

BUILTIN(tile)
{
    Node *x = elements(e, a, 0), *reps[MAX_RANK];
    int n = x ? arg_shape(e, a, 1, reps) : -1;
    if (n < 0)
        return NULL;
    for (int i = 0; i < n; i++) {
        i64 k;
        if (node_const_i64(reps[i], &k) && k < 0)
            return elab_error(e, a->spans[1], "range", NULL,
                              "a number of copies cannot be negative");
    }
    e->st->span = a->span;
    while (x && x->type->rank < n)
        x = build_expand(e->st, x, 0);
    for (int i = 0; i < n && x; i++)
        x = build_copies(e->st, x, x->type->rank - n + i, reps[i], false);
    return value_node(e, x);
}

/* The sum of counts, if it does not wrap: floats tell, which do not. */
static Node *countable(Elab *e, Node *counts, Node *total)
{
    Store *st = e->st;
    Node *about = build_sum_all(st, node_cast(st, counts, DT_F64));
    Node *pair[] = {about, node_number(st, DT_F64, 0x1p62)};
    Node *fits = about ? build_elementwise(st, OP_LT, 2, pair) : NULL;
    Symbol message = symbol(st, "repeat: the result would have more elements than can be counted");
    if (about && can_fold(about) && (about = fold_node(st, about)) &&
        tensor_f64_at(about->attrs[0].value, 0) < 0x1p62)
        return total;
    return fits && total ? node_check(st, message, fits, total) : NULL;
}

/* Each element its own number of times: element j of the result is the one whose running count
 * exceeds j. */
static Node *repeat_each(Elab *e, Node *x, int axis, Node *counts)
{
    Store *st = e->st;
    Node *len = node_dim(st, x, axis);
    counts = build_like(st, node_cast(st, counts, DT_I64), node1(st, OP_IOTA, NULL, len));
    if (!counts)
        return NULL;
    Node *pair[] = {counts, node_i64(st, 0)};
    Node *fine = build_elementwise(st, OP_GE, 2, pair);
    Attr all = {.ints = all_axes(st, 1)}, along[] = {{.i = 0}, {.i = 0}}, right = {.i = 1};
    fine = fine ? node1(st, OP_ALL, &all, fine) : NULL;
    Symbol message = symbol(st, "repeat: a number of copies is negative");
    Node *checked = fine ? node_check(st, message, fine, counts) : NULL;
    Node *ends = checked ? node1(st, OP_CUMSUM, along, checked) : NULL;
    Node *total = checked ? countable(e, counts, build_sum_all(st, counts)) : NULL;
    if (total && can_fold(total) && !(total = fold_node(st, total)))
        return NULL;
    Node *j = ends && total ? node1(st, OP_IOTA, NULL, total) : NULL;
    Attr at = {.i = axis};
    return j ? node2(st, OP_GATHER, &at, x, node2(st, OP_SEARCHSORTED, &right, ends, j)) : NULL;
}

BUILTIN(repeat)
{
    Node *x = elements(e, a, 0), *n = x ? elements(e, a, 1) : NULL;
    int axis = 0;
    i64 k;
    if (!n)
        return NULL;
    if (!dtype_is_int(n->type->dtype) || n->type->rank > 1)
        return elab_error(
            e, a->spans[1], "type-mismatch", NULL,
            "the number of copies must be a whole number or a vector of them, but this is %s",
            shape_text(e->st, n->type));
    bool flat = is_none(a->at[2]);
    if (!flat && !arg_axis(e, a, 2, 0, x->type->rank, &axis))
        return NULL;
    if (n->type->rank) { /* how many in all is known from within only: no node of its own */
        x = flat ? build_flat(e->st, x) : x;
        e->st->span = a->spans[1];
        return value_node(e, x ? repeat_each(e, x, axis, n) : NULL);
    }
    n = whole_number(e, a->at[1], a->spans[1], "the number of copies");
    if (n && node_const_i64(n, &k) && k < 0)
        return elab_error(e, a->spans[1], "range", NULL, "a number of copies cannot be negative");
    Attr at = {.i = flat ? -1 : axis};
    e->st->span = a->span;
    return n ? value_node(e, node2(e->st, OP_REPEAT, &at, x, n)) : NULL;
}

/* ---- draws of positions ---- */

static Node *state(Elab *e, Args *a)
{
    Node *r = arg_node(e, a, 0);
    if (r && (r->type->kind != TYPE_TENSOR || r->type->rank || r->type->dtype != DT_RNG))
        return elab_error(e, a->spans[0], "type-mismatch", "make one with rng(seed)",
                          "%s draws from a generator's state, but this is %s", a->builtin->name,
                          shape_text(e->st, r->type));
    return r;
}

BUILTIN(permutation)
{
    Node *r = state(e, a), *n;
    i64 k;
    if (!r || !(n = whole_number(e, a->at[1], a->spans[1], "the length of a permutation")))
        return NULL;
    if (node_const_i64(n, &k) && k < 0)
        return elab_error(e, a->spans[1], "range", NULL,
                          "the length of a permutation cannot be negative");
    return value_drawn_as(e, a, 2, node2(e->st, OP_PERMUTATION, NULL, r, n));
}

BUILTIN(categorical)
{
    Node *r = state(e, a), *p = r ? elements(e, a, 1) : NULL;
    if (!p)
        return NULL;
    if (!p->type->rank)
        return elab_error(e, a->spans[1], "rank", NULL,
                          "categorical takes rows of probabilities, but this is %s",
                          shape_text(e->st, p->type));
    p = value_as(e, a->at[1], DT_F64, a->spans[1], "categorical");
    p = p ? node_cast(e->st, p, DT_F64) : NULL;
    return p ? value_drawn_as(e, a, 2, node2(e->st, OP_CATEGORICAL, NULL, r, p)) : NULL;
}
