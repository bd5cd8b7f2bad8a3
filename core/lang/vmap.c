/* vmap(f, in_axes, out_axes)(arguments): f is applied once, to one lane, and what it gives
 * becomes the closed graph of a Vmap node.
 *
 * Invariant: arguments that are not cut into lanes reach f as they are (numbers stay weak,
 * functions stay functions); what f takes from outside is an operand without lanes. */
#include "lang/builtins.h"

#include "graph/walk.h"

/* The arguments that are cut into lanes, in order. */
typedef struct {
    Elab *e;
    Span span;
    NodeVec whole, lanes;
    VEC(i64) axes;
    Node *number; /* of the lane: for what depends on which one it is */
} Cut;

static const char *told(Cut *c, size_t i)
{
    Symbol name = node_name(c->e->st, c->whole.at[i]);
    Text t = {0};
    if (name)
        text_printf(&t, "%s", name);
    else
        text_printf(&t, "argument %zu", i + 1);
    const char *s = arena_strndup(c->e->arena, text_str(&t), t.len);
    text_free(&t);
    return s;
}

/* All lanes have one number: an error names both arguments and their sizes. */
static bool sizes_fit(Cut *c)
{
    Store *st = c->e->st;
    size_t last = c->whole.len - 1;
    for (size_t i = 0; i < last; i++) {
        Size *a = c->whole.at[i]->type->dims[c->axes.at[i]],
             *z = c->whole.at[last]->type->dims[c->axes.at[last]];
        if (!size_provably_different(st, a, z))
            continue;
        Text x = {0}, y = {0};
        size_print(&x, a);
        size_print(&y, z);
        elab_error(c->e, c->span, "shape-mismatch",
                   "an argument that is the same for every lane gets None in in_axes",
                   "vmap: axis %lld of %s has size %s, but axis %lld of %s has size %s",
                   (long long)c->axes.at[i], told(c, i), text_str(&x), (long long)c->axes.at[last],
                   told(c, last), text_str(&y));
        text_free(&x);
        text_free(&y);
        return false;
    }
    return true;
}

static Value *cut_node(Cut *c, Node *x, bool weak, i64 axis)
{
    Elab *e = c->e;
    Type *t = x->type;
    Size *dims[MAX_RANK];
    if (t->kind != TYPE_TENSOR || !t->rank)
        return elab_error(e, c->span, "axis", "give it None in in_axes: in_axes=(0, None)",
                          "vmap: an argument of type %s has no axis to map over",
                          shape_text(e->st, t));
    i64 at = axis < 0 ? axis + t->rank : axis;
    if (at < 0 || at >= t->rank)
        return elab_error(e, c->span, "axis", "in_axes counts the axes of an argument from 0",
                          "vmap: there is no axis %lld, the argument has type %s", (long long)axis,
                          shape_text(e->st, t));
    int rank = 0;
    for (int i = 0; i < t->rank; i++)
        if (i != at)
            dims[rank++] = t->dims[i];
    Node *lane = node_hole(e->st, type_tensor(e->st, t->dtype, rank, dims), node_name(e->st, x));
    vec_push(&c->whole, x);
    vec_push(&c->lanes, lane);
    vec_push(&c->axes, at);
    view_note(e, lane, x, (int)at, c->number, 0);
    return !sizes_fit(c) ? NULL : weak ? value_weak(e, lane) : value_node(e, lane);
}

static bool same_names(const Value *a, const Value *b)
{
    bool same = a->kind == V_TUPLE && a->names && a->nitems == b->nitems;
    for (int i = 0; same && i < a->nitems; i++)
        same = a->names[i] == b->names[i];
    return same;
}

/* One lane of an argument; of the parts of a tuple, all along one axis or each along its own. */
static Value *cut(Cut *c, Value *arg, Value *axis)
{
    Elab *e = c->e;
    i64 k = 0;
    if (axis && axis->kind == V_NONE)
        return arg;
    arg = value_plain(e, arg);
    if (!arg)
        return NULL;
    bool each = axis && axis->kind == V_TUPLE;
    if (each && axis->names && !same_names(arg, axis))
        return elab_error(e, c->span, "arity", "name the parts as the argument does",
                          "vmap: the axes %s do not fit the argument %s", tuple_structure(e, axis),
                          tuple_structure(e, arg));
    if (arg->kind == V_TUPLE && (!each || axis->nitems == arg->nitems)) {
        Value **items = arena_alloc(e->arena, ((size_t)arg->nitems + 1) * sizeof *items);
        for (int i = 0; i < arg->nitems; i++)
            if (!(items[i] = cut(c, arg->items[i], each ? axis->items[i] : axis)))
                return NULL;
        return value_tuple_like(e, arg, items);
    }
    if (each)
        return elab_error(e, c->span, "arity", NULL, "vmap: %d axes are given for %s", axis->nitems,
                          value_describe(e, arg));
    if (arg->kind != V_NODE)
        return elab_error(e, c->span, "type-mismatch", "give it None in in_axes",
                          "vmap: %s cannot be mapped over", value_describe(e, arg));
    if (axis && !value_const_int(e, axis, &k, c->span, "an axis of in_axes"))
        return NULL;
    return cut_node(c, arg->node, arg->weak, k);
}

static Value **cut_all(Cut *c, Value *in_axes, int n, Value **args)
{
    Elab *e = c->e;
    bool each = in_axes && in_axes->kind == V_TUPLE;
    if (each && in_axes->nitems != n)
        return elab_error(e, c->span, "arity", "one axis, or None, for each argument",
                          "vmap: in_axes has %d item%s for %d argument%s", in_axes->nitems,
                          in_axes->nitems == 1 ? "" : "s", n, n == 1 ? "" : "s");
    Value **lanes = arena_alloc(e->arena, ((size_t)n + 1) * sizeof *lanes);
    for (int i = 0; i < n; i++)
        if (!(lanes[i] = cut(c, args[i], each ? in_axes->items[i] : in_axes)))
            return NULL;
    if (!c->lanes.len)
        return elab_error(e, c->span, "axis", "give in_axes a number for at least one of them",
                          "vmap: no argument is mapped over");
    return lanes;
}

/* ---- results ---- */

static bool collect(Cut *c, Value *v, Value *axis, NodeVec *outs, i64 *axes)
{
    Elab *e = c->e;
    i64 k = 0;
    v = value_plain(e, v);
    if (!v)
        return false;
    bool each = axis && axis->kind == V_TUPLE;
    if (v->kind == V_TUPLE && each && axis->nitems != v->nitems)
        return elab_error(e, c->span, "arity", "one axis for each result",
                          "vmap: out_axes has %d item%s for %d results", axis->nitems,
                          axis->nitems == 1 ? "" : "s", v->nitems),
               false;
    for (int i = 0; v->kind == V_TUPLE && i < v->nitems; i++)
        if (!collect(c, v->items[i], each ? axis->items[i] : axis, outs, axes))
            return false;
    if (v->kind == V_TUPLE)
        return true;
    if (v->kind != V_NODE || v->node->type->kind != TYPE_TENSOR)
        return elab_error(e, c->span, "type-mismatch", "a function for vmap gives tensors",
                          "vmap: the function gives %s", value_describe(e, v)),
               false;
    if (axis && (axis->kind == V_TUPLE || axis->kind == V_NONE))
        return elab_error(e, c->span, "axis", "out_axes is an axis, or one for each result",
                          "vmap cannot stack %s along this axis", value_describe(e, v)),
               false;
    if (axis && !value_const_int(e, axis, &k, c->span, "out_axes"))
        return false;
    int rank = v->node->type->rank;
    axes[outs->len] = k < 0 ? k + rank + 1 : k;
    if (axes[outs->len] < 0 || axes[outs->len] > rank)
        return elab_error(e, c->span, "axis", "out_axes counts the axes of the result from 0",
                          "vmap: there is no axis %lld in a stack of %s", (long long)k,
                          value_describe(e, v)),
               false;
    vec_push(outs, v->node);
    return true;
}

static Value *rebuild(Elab *e, Value *like, Node *mapped, int *used)
{
    like = value_plain(e, like);
    if (like->kind == V_NODE)
        return value_node(e, node_proj(e->st, mapped, (*used)++));
    Value **items = arena_alloc(e->arena, ((size_t)like->nitems + 1) * sizeof *items);
    for (int i = 0; i < like->nitems; i++)
        if (!(items[i] = rebuild(e, like->items[i], mapped, used)))
            return NULL;
    return value_tuple_like(e, like, items);
}

static int leaves(Elab *e, Value *v)
{
    v = value_plain(e, v);
    int n = v && v->kind == V_TUPLE ? 0 : 1;
    for (int i = 0; v && v->kind == V_TUPLE && i < v->nitems; i++)
        n += leaves(e, v->items[i]);
    return n;
}

/* The numbers of the lanes are one more argument where something reads them. */
static bool add_number(Cut *c, const NodeVec *outs)
{
    bool read = false;
    for (size_t i = 0; i < outs->len && !read; i++)
        read = node_reads(outs->at[i], c->number);
    if (!read)
        return true;
    Store *st = c->e->st;
    Node *count = node_dim(st, c->whole.at[0], (int)c->axes.at[0]);
    Node *numbers = count ? node1(st, OP_IOTA, NULL, count) : NULL;
    vec_push(&c->whole, numbers);
    vec_push(&c->lanes, c->number);
    vec_push(&c->axes, 0);
    return numbers != NULL;
}

static Node *vmap_node(Cut *c, const NodeVec *outs, const i64 *out_axes)
{
    Store *st = c->e->st;
    Abstracted ab = {0};
    st->span = c->span;
    if (c->number && !add_number(c, outs))
        return NULL;
    int n = (int)c->lanes.len;
    Node *r = NULL;
    if (derive_abstract(c->e, (int)outs->len, outs->at, n, c->lanes.at, &ab)) {
        i64 *axes = arena_alloc(c->e->arena, (ab.args.len + 1) * sizeof *axes);
        for (size_t i = 0; i < ab.args.len; i++) {
            axes[i] = i < (size_t)n ? c->axes.at[i] : -1;
            ab.args.at[i] = i < (size_t)n ? c->whole.at[i] : ab.args.at[i];
        }
        Attr a[] = {{.graph = ab.closed.graph},
                    {.ints = intlist(st, (u32)ab.args.len, axes)},
                    {.ints = intlist(st, (u32)outs->len, out_axes)}};
        r = node_make(st, OP_VMAP, a, (u32)ab.args.len, ab.args.at);
    }
    vec_free(&ab.args);
    return r;
}

Node *vmap_rows(Elab *e, Node *out, Node *lane, Node *whole, Span span)
{
    Cut c = {.e = e, .span = span};
    NodeVec outs = {0};
    i64 axis = 0;
    if (!out || !whole)
        return NULL;
    vec_push(&c.whole, whole);
    vec_push(&c.lanes, lane);
    vec_push(&c.axes, axis);
    vec_push(&outs, out);
    Node *r = vmap_node(&c, &outs, &axis);
    vec_free(&c.whole);
    vec_free(&c.lanes);
    vec_free(&c.axes);
    vec_free(&outs);
    return r ? node_proj(e->st, r, 0) : NULL;
}

Value *vmap_apply(Elab *e, Value *mapped, int n, Value **args, Span span)
{
    Cut c = {.e = e,
             .span = span,
             .number = node_hole(e->st, type_scalar(e->st, DT_I64), symbol(e->st, "lane"))};
    NodeVec outs = {0};
    Value **lanes = cut_all(&c, mapped->in_axes, n, args);
    Value *v = lanes ? elab_apply(e, mapped->function, n, lanes, span) : NULL, *r = NULL;
    i64 *out_axes = v ? arena_alloc(e->arena, ((size_t)leaves(e, v) + 1) * sizeof *out_axes) : NULL;
    if (v && collect(&c, v, mapped->out_axes, &outs, out_axes)) {
        Node *node = vmap_node(&c, &outs, out_axes);
        int used = 0;
        r = node ? rebuild(e, v, node, &used) : NULL;
    }
    vec_free(&c.whole);
    vec_free(&c.lanes);
    vec_free(&c.axes);
    vec_free(&outs);
    return r;
}

BUILTIN(vmap)
{
    Value *f = a->at[0];
    if (!value_is_function(f))
        return elab_error(e, a->spans[0], "type-mismatch",
                          "vmap(f)(a, b) applies the function f to every a[i] and b[i]",
                          "vmap takes a function, but this is %s", value_describe(e, f));
    Value *v = value_of_kind(e, V_DERIVED);
    v->builtin = a->builtin;
    v->function = f;
    v->in_axes = a->at[1] ? value_plain(e, a->at[1]) : NULL;
    v->out_axes = a->at[2] ? value_plain(e, a->at[2]) : NULL;
    return v;
}
