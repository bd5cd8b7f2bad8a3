/* grad(f), value_and_grad(f), vjp(f), jvp(f), jacobian(f), hessian(f): functions of the arguments
 * of f.
 *
 * Invariant: f is applied to holes for the arguments that it is differentiated by, so that the
 * derivative is of the function and not of what the arguments happen to be computed from. */
#include "lang/elab.h"

/* The argument to differentiate by, as a node of reals. */
static Node *real_argument(Elab *e, Value *arg, Span span, const char *what)
{
    Node *x = value_as(e, arg, DT_F64, span, what);
    if (!x)
        return NULL;
    if (arg->weak && !dtype_is_float(x->type->dtype))
        x = weak_retype(e->st, x, DT_F64);
    if (x->type->kind != TYPE_TENSOR || !dtype_is_float(x->type->dtype))
        return elab_error(e, span, "no-derivative", NULL,
                          "there is no derivative with respect to a value of type %s",
                          shape_text(e->st, x->type));
    return x;
}

static Value *without_holes(Elab *e, Value *v, int n, Node *const *holes, Node *const *x)
{
    NodeMap memo = {0};
    NodeVec nodes = {0};
    for (int i = 0; i < n; i++)
        map_put(&memo, holes[i], x[i]);
    bool ok = v && value_nodes(e, v, &nodes);
    for (size_t i = 0; i < nodes.len && ok; i++)
        ok = (nodes.at[i] = node_substitute(e->st, nodes.at[i], &memo)) != NULL;
    int used = 0;
    Value *r = ok ? value_in_form(e, v, nodes.at, &used) : NULL;
    map_free(&memo);
    vec_free(&nodes);
    return r;
}

/* The arguments of a function that is differentiated: holes of the form of the first ones. */
typedef struct {
    int n; /* nodes */
    Node **x, **holes, **vectors;
} Opened;

/* A part of a tuple keeps its name, for messages. */
static bool open_leaf(Elab *e, Opened *o, Value *leaf, bool part, Span span, const char *what)
{
    Node *x = real_argument(e, leaf, span, what);
    if (!x)
        return false;
    o->x[o->n] = x;
    o->holes[o->n++] = node_hole(e->st, x->type, part ? node_name(e->st, leaf->node) : NULL);
    return true;
}

/* Opens the first `count` arguments; *inner is all of them, with holes. */
static bool open_first(Elab *e, int count, int n, Value **args, Span span, const char *what,
                       Opened *o, Value ***inner)
{
    ValueVec leaves = {0};
    bool ok = true;
    for (int i = 0; i < count && ok; i++)
        if (!value_leaves(e, args[i], &leaves)) /* says what it is */
            ok = value_plain(e, args[i]) && real_argument(e, args[i], span, what);
    *o = (Opened){.x = arena_alloc(e->arena, 3 * (leaves.len + 1) * sizeof *o->x)};
    o->holes = o->x + leaves.len;
    o->vectors = o->holes + leaves.len;
    for (size_t i = 0; i < leaves.len && ok; i++)
        ok = open_leaf(e, o, leaves.at[i], leaves.len > 1, span, what);
    vec_free(&leaves);
    *inner = arena_alloc(e->arena, ((size_t)n + 1) * sizeof **inner);
    memcpy(*inner, args, (size_t)n * sizeof **inner);
    int used = 0;
    for (int i = 0; i < count && ok; i++)
        ok = ((*inner)[i] = value_in_form(e, args[i], o->holes, &used)) != NULL;
    return ok;
}

/* jvp(f)(a, b, da), jvp(f)(a, b, (da, db)): by the first arguments, as many as there are tangents.
 */
static Value *apply_jvp(Elab *e, Value *derived, int n, Value **args, Span span)
{
    Value *d = n >= 2 ? value_plain(e, args[n - 1]) : NULL;
    if (!d)
        return n >= 2
                   ? NULL
                   : elab_error(e, span, "arity", "jvp(f)(x, dx)",
                                "jvp(f) takes the arguments of f, then the tangent of the first");
    bool many = d->kind == V_TUPLE && !d->names && !tuple_same(e, args[0], d);
    int nx = many ? d->nitems : 1;
    if (nx < 1 || nx > n - 1)
        return elab_error(e, span, "arity", "jvp(f)(x, w, (dx, dw))",
                          "%d tangents for %d argument%s of the function", nx, n - 1,
                          n == 2 ? "" : "s");
    Opened o;
    Value **inner, *form = many ? value_tuple(e, nx, args) : value_plain(e, args[0]);
    if (!open_first(e, nx, n - 1, args, span, "jvp", &o, &inner) ||
        !derive_vectors(e, d, form, o.x, span, "jvp", o.vectors))
        return NULL;
    Value *y = elab_apply(e, derived->function, n - 1, inner, span);
    return y ? without_holes(
                   e, derive_push(e, y, o.n, o.holes, o.vectors, derived->derive, span, span), o.n,
                   o.holes, o.x)
             : NULL;
}

/* vjp(f)(a, ybar): y, which may be a tuple, with its cotangents. */
static bool pull_back(Elab *e, Value *y, Value *ybar, const Opened *o, DeriveOptions how, Span span)
{
    NodeVec ys = {0};
    bool ok = value_nodes(e, y, &ys);
    if (!ok)
        elab_error(e, span, "type-mismatch", NULL, "vjp differentiates tensors, but this is %s",
                   value_describe(e, y));
    Node **bars = xcalloc(ys.len + 1, sizeof *bars);
    ok = ok && derive_vectors(e, ybar, value_plain(e, y), ys.at, span, "vjp", bars) &&
         derive_vjp(e, (int)ys.len, ys.at, o->n, o->holes, bars, how, o->vectors, span);
    free(bars);
    vec_free(&ys);
    return ok;
}

static Value *gradient(Elab *e, Node *y, const Opened *o, Value *form, DeriveOptions how,
                       bool with_value, Span span)
{
    Node *value = NULL;
    int used = 0;
    if (!y || !derive_grad(e, y, o->n, o->holes, how, o->vectors, &value, span))
        return NULL;
    Value *g = value_in_form(e, form, o->vectors, &used);
    Value *pair[] = {with_value ? value_node(e, value) : NULL, g};
    return with_value && g ? value_tuple(e, 2, pair) : g;
}

static Value *pulled_back(Elab *e, Value *y, Value *ybar, const Opened *o, Value *form,
                          DeriveOptions how, Span span)
{
    int used = 0;
    return pull_back(e, y, ybar, o, how, span) ? value_in_form(e, form, o->vectors, &used) : NULL;
}

/* Of the function's value y, in the form of its first argument. */
static Value *derivative_of(Elab *e, const Value *derived, Value *y, const Opened *o, int n,
                            Value **args, Span span)
{
    const char *what = derived->builtin->name;
    DeriveOptions how = derived->derive;
    Wrt w = {.form = value_plain(e, args[0]), .n = o->n, .x = o->holes, .outs = o->vectors};
    if (!strcmp(what, "vjp"))
        return pulled_back(e, y, args[n - 1], o, w.form, how, span);
    if (!strcmp(what, "jacobian"))
        return derive_jacobian(e, y, &w, how, span, span);
    Node *loss = value_to_node(e, y, span, what);
    return !strcmp(what, "hessian")
               ? (loss ? derive_hessian(e, loss, &w, how, span) : NULL)
               : gradient(e, loss, o, w.form, how, !strcmp(what, "value_and_grad"), span);
}

Value *derive_apply(Elab *e, Value *derived, int n, Value **args, Span span)
{
    const char *what = derived->builtin->name;
    if (!strcmp(what, "vmap"))
        return vmap_apply(e, derived, n, args, span);
    bool vjp = !strcmp(what, "vjp");
    if (n < (vjp ? 2 : 1))
        return elab_error(e, span, "arity", vjp ? "vjp(f)(x, ybar)" : NULL,
                          "%s(f) takes the arguments of f%s", what,
                          vjp ? ", then the cotangent of its value" : "");
    if (!strcmp(what, "jvp"))
        return apply_jvp(e, derived, n, args, span);
    Opened o;
    Value **inner;
    if (!open_first(e, 1, n, args, span, what, &o, &inner))
        return NULL;
    Value *y = elab_apply(e, derived->function, vjp ? n - 1 : n, inner, span);
    Value *d = y ? derivative_of(e, derived, y, &o, n, args, span) : NULL;
    return d ? without_holes(e, d, o.n, o.holes, o.x) : NULL;
}
