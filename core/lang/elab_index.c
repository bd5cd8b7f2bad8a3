/* Indexing: x[i], x[a:b:c], x[..., None], x[i, j] with arrays, and `x with [i] = v`. */
#include "lang/dimensions.h"

static bool is_mask(const Node *n)
{
    return n->type->kind == TYPE_TENSOR && n->type->dtype == DT_BOOL && n->type->rank;
}

static Node *sub_node(Elab *e, Expr *x, bool mask, const char *what)
{
    Node *n = elab_node(e, x, what);
    if (!n || (mask && is_mask(n)))
        return n;
    if (n->type->kind == TYPE_TENSOR && dtype_is_int(n->type->dtype))
        return n;
    return elab_error(e, x->span, "type-mismatch",
                      is_mask(n)
                          ? "a mask must be the only index, x[mask]; or use where(mask, a, b)"
                          : "cast it with i64(...)",
                      "%s must be whole numbers, but this is %s", what, shape_text(e->st, n->type));
}

static Node *i64_scalar(Elab *e, Expr *x, const char *what)
{
    Node *n = sub_node(e, x, false, what);
    if (n && n->type->rank)
        return elab_error(e, x->span, "rank", NULL, "%s must be one number, but this is %s", what,
                          shape_text(e->st, n->type));
    return node_cast(e->st, n, DT_I64);
}

/* ---- slices: positions clamp as in Python ---- */

/* -1, +1: the sign is known for all values (0 counts as +1); 0: unknown. */
static int size_sign(Store *st, Size *s)
{
    i64 low;
    if (size_lower_bound(s, &low) && low >= 0)
        return 1;
    Size *neg = size_sub(st, size_const(st, -1), s); /* -1 - s >= 0 */
    return size_lower_bound(neg, &low) && low >= 0 ? -1 : 0;
}

static Node *clamp_node(Store *st, Node *p, Size *low, Size *high, Size *n)
{
    Node *count = size_to_node(st, n), *zero = node_i64(st, 0);
    Node *negative = node2(st, OP_LT, NULL, p, zero);
    Node *wrapped = node3(st, OP_WHERE, NULL, negative, build_add(st, p, count), p);
    Node *up = node2(st, OP_MAXIMUM, NULL, wrapped, size_to_node(st, low));
    return node2(st, OP_MINIMUM, NULL, up, size_to_node(st, high));
}

/* A slice bound as a size between low and high; negative ones count from the end. */
static Size *slice_bound(Store *st, Node *p, Size *n, Size *low, Size *high)
{
    Size *s = size_of_node(st, p);
    int sign = size_sign(st, s);
    if (sign > 0)
        return size_min(st, size_max(st, s, low), high);
    if (sign < 0)
        return size_max(st, size_min(st, size_add(st, n, s), high), low);
    Node *c = clamp_node(st, p, low, high, n);
    return c ? size_of_node(st, c) : NULL;
}

typedef struct {
    Size *start, *len;
    i64 step;
} Slice;

#define MAX_STEP \
    ((i64)1 << 40) /* a step beyond every axis takes one element, however large it is */

static bool slice_sizes(Elab *e, Sub *s, Size *n, Slice *out)
{
    Store *st = e->st;
    out->step = 1;
    if (s->step) {
        Value *v = elab_expr(e, s->step);
        if (!v || !value_const_int(e, v, &out->step, s->step->span, "the step of a slice"))
            return false;
        if (out->step == 0)
            return elab_error(e, s->step->span, "index", NULL, "the step of a slice cannot be 0"),
                   false;
        out->step = out->step > MAX_STEP ? MAX_STEP : out->step < -MAX_STEP ? -MAX_STEP : out->step;
    }
    Size *zero = size_const(st, 0), *minus = size_const(st, -1), *stop;
    Size *low = out->step > 0 ? zero : minus,
         *high = out->step > 0 ? n : size_sub(st, n, size_const(st, 1));
    Node *a = s->start ? i64_scalar(e, s->start, "the start of a slice") : NULL;
    Node *b = s->stop ? i64_scalar(e, s->stop, "the end of a slice") : NULL;
    if ((s->start && !a) || (s->stop && !b))
        return false;
    out->start = a ? slice_bound(st, a, n, low, high) : out->step > 0 ? zero : high;
    stop = b ? slice_bound(st, b, n, low, high) : out->step > 0 ? n : minus;
    if (!out->start || !stop)
        return false;
    i64 k = out->step > 0 ? out->step : -out->step;
    if (!a && !b && k == 1) { /* all of the axis, whose length is not negative */
        out->len = n;
        return true;
    }
    Size *span = out->step > 0 ? size_sub(st, stop, out->start) : size_sub(st, out->start, stop);
    Size *up = size_max(st, size_add(st, span, size_const(st, k - 1)), zero);
    out->len = size_floordiv(st, up, size_const(st, k));
    return true;
}

static Node *slice_axis(Elab *e, Node *x, int axis, Sub *s, Span span)
{
    Slice sl;
    Size *n = x->type->dims[axis];
    if (!slice_sizes(e, s, n, &sl))
        return NULL;
    if (sl.step == 1 && size_is(sl.start, 0) && sl.len == n)
        return x;
    e->st->span = span;
    return build_slice(e->st, x, axis, size_to_node(e->st, sl.start), size_to_node(e->st, sl.len),
                       sl.step);
}

/* ---- reading ---- */

static int axes_used(const Sub *subs, int nsubs)
{
    int n = 0;
    for (int i = 0; i < nsubs; i++)
        n += subs[i].kind == SUB_INDEX || subs[i].kind == SUB_SLICE;
    return n;
}

static bool subs_fit(Elab *e, const Type *t, const Sub *subs, int nsubs, Span span)
{
    int dots = 0;
    for (int i = 0; i < nsubs; i++)
        dots += subs[i].kind == SUB_ELLIPSIS;
    if (dots > 1)
        return elab_error(e, span, "index", NULL, "an index can have only one `...`"), false;
    if (t->kind != TYPE_TENSOR || axes_used(subs, nsubs) > t->rank)
        return elab_error(e, span, "rank", NULL, "%d ind%s for %s, which has %d ax%s",
                          axes_used(subs, nsubs), axes_used(subs, nsubs) == 1 ? "ex" : "ices",
                          shape_text(e->st, t), t->kind == TYPE_TENSOR ? t->rank : 0,
                          t->kind == TYPE_TENSOR && t->rank == 1 ? "is" : "es"),
               false;
    return true;
}

/* What is certainly out of range is an error, but in a branch of `if`, which may never run, only a
 * note: there it fails when it runs. */
static bool position_fits(Elab *e, Node *x, int axis, Node *i)
{
    i64 at, size;
    if (!node_const_i64(i, &at) || !size_is_const(x->type->dims[axis], &size) ||
        (at >= -size && at < size))
        return true;
    const char *shape = shape_text(e->st, x->type);
    if (e->in_branch)
        diag_note(e->st->diags, "index", e->st->span,
                  "index %lld is out of range for axis %d of %s: an error if this branch runs",
                  (long long)at, axis, shape);
    else
        elab_error(e, e->st->span, "index", NULL, "index %lld is out of range for axis %d of %s",
                   (long long)at, axis, shape);
    return e->in_branch;
}

Node *elab_position(Elab *e, Node *x, int axis, Node *i)
{
    Node *at = i && x ? node_cast(e->st, i, DT_I64) : NULL;
    return at && position_fits(e, x, axis, at) ? build_index(e->st, x, axis, at) : NULL;
}

static Node *index_axis(Elab *e, Node *x, int *axis, Node *i, Span span)
{
    e->st->span = span;
    if (i->type->rank == 0)
        return elab_position(e, x, *axis, i);
    Attr a = {.i = *axis};
    Node *g = node2(e->st, OP_GATHER, &a, x, i);
    *axis += i->type->rank;
    return g;
}

/* ---- several index arrays at once, as in NumPy ----
 *
 * The arrays (and single numbers between them) are broadcast together. The axes they index are
 * brought together and made one, in which the parts have one linear position each. */

typedef struct {
    int n;
    Node *at[MAX_RANK];
    int axis[MAX_RANK];
    Span span[MAX_RANK];
    int sub[MAX_RANK]; /* which of the subs they are */
    int arrays;
    bool apart; /* something stands between them: their axes come first */
} Indices;

typedef struct {
    Node *flat;   /* x with the indexed axes as one, at `place` */
    Node *linear; /* the positions in it */
    int place, rank;
    int perm[MAX_RANK]; /* of x, to bring the axes together */
} Together;

static bool read_indices(Elab *e, Sub *subs, int nsubs, Indices *ix)
{
    *ix = (Indices){0};
    for (int i = 0, last = -1; i < nsubs; i++) {
        if (subs[i].kind != SUB_INDEX)
            continue;
        Node *n = sub_node(e, subs[i].index, nsubs == 1, "an index");
        if (!n)
            return false;
        ix->apart = ix->apart || (ix->n && last != i - 1);
        ix->arrays += n->type->rank > 0;
        ix->span[ix->n] = subs[i].span;
        ix->sub[ix->n] = i;
        ix->at[ix->n++] = n;
        last = i;
    }
    return true;
}

/* One array next to single numbers is the same one axis at a time. */
static bool is_together(const Indices *ix)
{
    return ix->arrays > 1 || (ix->arrays == 1 && ix->apart);
}

static bool indices_fit(Elab *e, const Indices *ix)
{
    for (int i = 1; i < ix->n; i++)
        for (int k = 0; k < i; k++) {
            const Type *a = ix->at[k]->type, *b = ix->at[i]->type;
            for (int d = 1; d <= a->rank && d <= b->rank; d++) {
                Size *x = a->dims[a->rank - d], *y = b->dims[b->rank - d];
                if (!size_is(x, 1) && !size_is(y, 1) && size_provably_different(e->st, x, y))
                    return elab_error(e, ix->span[i], "shape-mismatch", NULL,
                                      "index arrays of shapes %s and %s do not broadcast together",
                                      shape_text(e->st, a), shape_text(e->st, b)),
                           false;
            }
        }
    return true;
}

/* Constant positions of a known length counted from 0; NULL where that is not so, or after a
 * diagnostic. */
static Node *constant_positions(Elab *e, Node *x, int axis, Node *i, bool *failed)
{
    i64 n;
    if (i->op != OP_CONST || !size_is_const(x->type->dims[axis], &n))
        return NULL;
    const Tensor *from = i->attrs[0].value;
    Tensor *t = tensor_new(&e->st->heap, DT_I64, from->rank, from->shape);
    bool fine = t != NULL;
    for (i64 k = 0; fine && k < from->count; k++) {
        i64 p = tensor_i64_at(from, k);
        fine = p >= -n && p < n;
        ((i64 *)t->data)[k] = p < 0 ? p + n : p;
        *failed = !fine && !e->in_branch;
        if (*failed)
            elab_error(e, e->st->span, "index", NULL,
                       "index %lld is out of range for axis %d of %s", (long long)p, axis,
                       shape_text(e->st, x->type));
    }
    Node *r = fine ? node_const(e->st, t) : NULL;
    tensor_unref(t);
    return r;
}

/* The positions counted from 0 and checked: the index applied to 0, 1, ..., n-1 along the same axis
 * number, so that what is out of range is reported for the right axis. */
static Node *checked_position(Elab *e, Node *x, int axis, Node *i)
{
    Store *st = e->st;
    i64 lead[MAX_RANK];
    bool failed = false;
    Node *known = i ? constant_positions(e, x, axis, i, &failed) : NULL;
    if (known || failed || !i)
        return known;
    for (int d = 0; d < axis; d++)
        lead[d] = d;
    Attr at = {.i = axis}, ones = {.ints = axis ? intlist(st, (u32)axis, lead) : NULL};
    Node *count = node1(st, OP_IOTA, NULL, node_dim(st, x, axis));
    if (count && axis)
        count = node1(st, OP_EXPAND_DIMS, &ones, count);
    Node *p = node2(st, i->type->rank ? OP_GATHER : OP_INDEX, &at, count, i);
    return p && axis ? node1(st, OP_SQUEEZE, &ones, p) : p;
}

static Node *folded(Store *st, Node *n) { return n && can_fold(n) ? fold_node(st, n) : n; }

static Node *linear_position(Elab *e, Node *x, const Indices *ix)
{
    Store *st = e->st;
    Node *linear = NULL;
    for (int i = 0; i < ix->n; i++) {
        st->span = ix->span[i];
        Node *p = checked_position(e, x, ix->axis[i], node_cast(st, ix->at[i], DT_I64));
        if (!p)
            return NULL;
        if (linear)
            linear = folded(st, build_mul(st, linear, node_dim(st, x, ix->axis[i])));
        linear = i ? folded(st, build_add(st, linear, p)) : p;
        if (!linear)
            return NULL;
    }
    return linear;
}

static bool bring_together(Elab *e, Node *x, const Indices *ix, Together *t)
{
    Store *st = e->st;
    Node *dims[MAX_RANK];
    bool taken[MAX_RANK] = {false};
    Size *all = size_const(st, 1);
    int n = 0, rank = 0;
    *t = (Together){.place = ix->apart ? 0 : ix->axis[0]};
    for (int d = 0; d < t->place; d++)
        t->perm[n++] = d;
    for (int i = 0; i < ix->n; i++) {
        t->perm[n++] = ix->axis[i];
        taken[ix->axis[i]] = true;
        all = size_mul(st, all, x->type->dims[ix->axis[i]]);
    }
    for (int d = t->place; d < x->type->rank; d++)
        if (!taken[d])
            t->perm[n++] = d;
    for (int d = 0; d < t->place; d++)
        dims[rank++] = node_dim(st, x, d);
    dims[rank++] = size_to_node(st, all);
    for (int d = t->place + ix->n; d < n; d++)
        dims[rank++] = node_dim(st, x, t->perm[d]);
    Node *turned = build_transpose(st, x, t->perm);
    t->flat = build_reshape(st, turned, rank, dims);
    t->linear = indices_fit(e, ix) ? linear_position(e, x, ix) : NULL;
    t->rank = x->type->rank;
    return t->flat && t->linear;
}

/* One subscript after the other; single indices are taken at once, or, `together`, their axes are
 * noted. NULL after a diagnostic. */
static Node *subscript_each(Elab *e, Node *x, Sub *subs, int nsubs, Indices *ix, bool together,
                            Span span)
{
    int skip = x->type->rank - axes_used(subs, nsubs), axis = 0, k = 0;
    for (int i = 0; i < nsubs && x; i++) {
        switch (subs[i].kind) {
        case SUB_ELLIPSIS: axis += skip; break;
        case SUB_NEWAXIS:
            e->st->span = span;
            x = build_expand(e->st, x, axis++);
            break;
        case SUB_SLICE: x = slice_axis(e, x, axis++, &subs[i], span); break;
        case SUB_INDEX:
            if (together)
                ix->axis[k++] = axis++;
            else
                x = index_axis(e, x, &axis, ix->at[k++], subs[i].span);
            break;
        }
    }
    return x;
}

static Value *elab_subscript(Elab *e, Node *x, Sub *subs, int nsubs, Span span)
{
    Indices ix;
    Together t;
    if (!subs_fit(e, x->type, subs, nsubs, span) || !read_indices(e, subs, nsubs, &ix))
        return NULL;
    if (ix.n && is_mask(ix.at[0]))
        return elab_masked(e, x, ix.at[0], span);
    bool together = is_together(&ix);
    x = subscript_each(e, x, subs, nsubs, &ix, together, span);
    if (!together || !x)
        return value_node(e, x);
    if (!bring_together(e, x, &ix, &t))
        return NULL;
    e->st->span = span;
    Attr a = {.i = t.place};
    return value_node(e, node2(e->st, OP_GATHER, &a, t.flat, t.linear));
}

Value *elab_part(Elab *e, Value *base, Sub *subs, int nsubs, Span span)
{
    Node *n = value_to_node(e, base, span, "indexing");
    subs = n ? dimensions_in_order(e, n, subs, &nsubs, span) : NULL;
    n = subs ? n : NULL;
    Value *part = n ? elab_subscript(e, n, subs, nsubs, span) : NULL;
    return part && base->weak ? value_weak(e, part->node) : part; /* of an array of literals */
}

Value *elab_index(Elab *e, Expr *x)
{
    Value *base =
        x->items[0]->kind == E_NAME ? elab_name(e, x->items[0]) : elab_expr(e, x->items[0]);
    if (!base)
        return NULL;
    if (base->kind == V_TAPPED)
        return elab_tap(e, base, x);
    base = value_plain(e, base);
    if (base && base->kind == V_TUPLE)
        return tuple_item(e, base, x);
    return elab_part(e, base, x->subs, x->nsubs, x->span);
}

/* ---- x with [i] = v ---- */

typedef struct {
    Elab *e;
    Sub *subs;
    int nsubs, skip;
    Value *value;
    Span value_span;
    bool add;
    Indices ix;
} Write;

/* whole: a scalar must be repeated too, because the node takes its length from the value. */
static Node *write_value(Write *w, Node *part, bool whole)
{
    Store *st = w->e->st;
    Node *v = value_as(w->e, w->value, part->type->dtype, w->value_span, "with");
    if (!v)
        return NULL;
    if (promote(v->type->dtype, part->type->dtype) != part->type->dtype)
        return elab_error(w->e, w->value_span, "type-mismatch",
                          "cast the value or, before the write, the array",
                          "storing %s in an array of %s would lose precision or range",
                          shape_text(st, v->type), dtype_name(part->type->dtype));
    v = node_cast(st, v, part->type->dtype);
    if (v->type->rank == 0 && !whole)
        return v;
    Node *dims[MAX_RANK];
    for (int a = 0; a < part->type->rank; a++)
        dims[a] = node_dim(st, part, a);
    return build_broadcast_to(st, v, part->type->rank, dims);
}

/* True if nothing but whole axes follow. */
static bool write_ends(const Write *w, int i)
{
    for (; i < w->nsubs; i++)
        if (w->subs[i].kind == SUB_INDEX ||
            (w->subs[i].kind == SUB_SLICE &&
             (w->subs[i].start || w->subs[i].stop || w->subs[i].step)))
            return false;
    return true;
}

static Node *write_from(Write *w, Node *x, int axis, int i);

static Node *index_of_sub(const Write *w, int i)
{
    int k = 0;
    while (w->ix.sub[k] != i)
        k++;
    return w->ix.at[k];
}

static Node *write_index(Write *w, Node *x, int axis, int i)
{
    Store *st = w->e->st;
    Node *at = index_of_sub(w, i);
    st->span = w->subs[i].span;
    OpId get = at->type->rank ? OP_GATHER : OP_INDEX,
         set = at->type->rank ? OP_SCATTER : OP_SET_INDEX;
    if (!at->type->rank && (!(at = node_cast(st, at, DT_I64)) || !position_fits(w->e, x, axis, at)))
        return NULL;
    bool last = write_ends(w, i + 1),
         repeats = w->add && at->type->rank; /* equal positions add up */
    Attr a[] = {{.i = axis}, {.i = (last && w->add) || repeats}};
    Node *part = node2(st, get, a, x, at);
    if (part && repeats && !last)
        part = build_zeros_like(st, part);
    if (!part)
        return NULL;
    Node *v =
        last ? write_value(w, part, false) : write_from(w, part, axis + at->type->rank, i + 1);
    return node3(st, set, a, x, at, v);
}

static Node *write_slice(Write *w, Node *x, int axis, int i)
{
    Store *st = w->e->st;
    Slice sl;
    if (!slice_sizes(w->e, &w->subs[i], x->type->dims[axis], &sl))
        return NULL;
    bool last = write_ends(w, i + 1);
    Node *start = size_to_node(st, sl.start);
    Node *part = build_slice(st, x, axis, start, size_to_node(st, sl.len), sl.step);
    if (!part)
        return NULL;
    Node *v = last ? write_value(w, part, true) : write_from(w, part, axis + 1, i + 1);
    Attr a[] = {{.i = axis}, {.i = sl.step}, {.i = last && w->add}};
    return node3(st, OP_SET_SLICE, a, x, start, v);
}

static Node *write_from(Write *w, Node *x, int axis, int i)
{
    Store *st = w->e->st;
    for (; i < w->nsubs; i++) {
        const Sub *s = &w->subs[i];
        if (s->kind == SUB_NEWAXIS)
            return elab_error(w->e, s->span, "index", NULL,
                              "`None` is not allowed on the left of a write");
        if (s->kind == SUB_ELLIPSIS)
            axis += w->skip;
        else if (s->kind == SUB_SLICE && !s->start && !s->stop && !s->step)
            axis++;
        else
            return s->kind == SUB_INDEX ? write_index(w, x, axis, i) : write_slice(w, x, axis, i);
    }
    Node *v = write_value(w, x, false);
    if (!v)
        return NULL;
    return w->add ? build_add(st, x, v) : build_like(st, v, x);
}

/* All slices have been taken: x is scattered into at linear positions, and brought back to its
 * shape. */
static Node *write_scatter(Write *w, Node *x)
{
    Store *st = w->e->st;
    Together t;
    if (!bring_together(w->e, x, &w->ix, &t))
        return NULL;
    Attr a[] = {{.i = t.place}, {.i = w->add}};
    Node *part = node2(st, OP_GATHER, a, t.flat, t.linear), *dims[MAX_RANK];
    Node *v = part ? write_value(w, part, false) : NULL;
    Node *r = v ? node3(st, OP_SCATTER, a, t.flat, t.linear, v) : NULL;
    int back[MAX_RANK];
    for (int d = 0; d < t.rank; d++) {
        dims[d] = node_dim(st, x, t.perm[d]);
        back[t.perm[d]] = d;
    }
    return build_transpose(st, build_reshape(st, r, t.rank, dims), back);
}

static Node *write_together(Write *w, Node *x, int axis, int i)
{
    Store *st = w->e->st;
    for (int k = 0; i < w->nsubs; i++) {
        const Sub *s = &w->subs[i];
        if (s->kind == SUB_NEWAXIS)
            return elab_error(w->e, s->span, "index", NULL,
                              "`None` is not allowed on the left of a write");
        while (k < w->ix.n && w->ix.sub[k] < i)
            k++;
        if (s->kind == SUB_INDEX)
            w->ix.axis[k] = axis;
        axis += s->kind == SUB_ELLIPSIS ? w->skip : 1;
        if (s->kind != SUB_SLICE || (!s->start && !s->stop && !s->step))
            continue;
        Slice sl;
        if (!slice_sizes(w->e, &w->subs[i], x->type->dims[axis - 1], &sl))
            return NULL;
        Node *start = size_to_node(st, sl.start);
        Node *part = build_slice(st, x, axis - 1, start, size_to_node(st, sl.len), sl.step);
        Node *v = part ? write_together(w, part, axis, i + 1) : NULL;
        Attr a[] = {{.i = axis - 1}, {.i = sl.step}, {.i = 0}};
        return v ? node3(st, OP_SET_SLICE, a, x, start, v) : NULL;
    }
    return write_scatter(w, x);
}

Value *elab_with(Elab *e, Expr *x)
{
    Value *whole = value_plain(e, elab_expr(e, x->items[0]));
    if (x->text) {
        Value *part = whole ? value_plain(e, elab_expr(e, x->items[1])) : NULL;
        Span at[] = {x->items[0]->span, x->items[1]->span, x->span};
        return part ? tuple_with(e, whole, x->text, part, x->flag, at) : NULL;
    }
    Node *base = whole ? value_to_node(e, whole, x->items[0]->span, "with") : NULL;
    Value *v = base ? value_plain(e, elab_expr(e, x->items[1])) : NULL;
    if (v && v->kind == V_NODE && whole->weak) /* an array of literals takes the value's dtype */
        base = value_as(e, whole, v->node->type->dtype, x->items[0]->span, "with");
    int nsubs = x->nsubs;
    Sub *subs = v && base ? dimensions_in_order(e, base, x->subs, &nsubs, x->span) : NULL;
    if (!subs || !subs_fit(e, base->type, subs, nsubs, x->span))
        return NULL;
    Write w = {.e = e,
               .subs = subs,
               .nsubs = nsubs,
               .skip = base->type->rank - axes_used(subs, nsubs),
               .value = value_plain(e, v),
               .value_span = x->items[1]->span,
               .add = x->flag};
    if (!read_indices(e, subs, nsubs, &w.ix))
        return NULL;
    e->st->span = x->span;
    if (w.ix.n && is_mask(w.ix.at[0]))
        return value_node(e, elab_write_masked(e, base, w.ix.at[0], v, x->flag, w.value_span));
    Node *n = is_together(&w.ix) ? write_together(&w, base, 0, 0) : write_from(&w, base, 0, 0);
    return whole->weak && v->weak ? value_weak(e, n) : value_node(e, n);
}
