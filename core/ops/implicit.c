/* Implicit derivatives and batching: ordinary nodes that stand for a derivative, or for a graph
 * applied to every lane, until the pass `differentiate` expands them.
 *
 * grad{body, wrt, truncate}(arguments...)               body has one scalar output
 *   results: d output / d argument i for i < wrt, then the output
 * vjp{body, wrt, truncate}(arguments..., cotangents...) one cotangent per output
 *   results: the cotangents of the first wrt arguments, then the outputs
 * jvp{body, wrt}(arguments..., tangents...)   one tangent for each of the first wrt arguments
 *   results: the tangents of the outputs, then the outputs
 * truncate=k: loops are differentiated through their last k executed steps only
 * (grad/truncate.c); -1: through all of them.
 * vmap{body, in_axes, out_axes}(arguments...)  the body takes one lane
 *   results: the outputs of all lanes. in_axes[i] is the axis of argument i along which the lanes
 *   lie, -1 if every lane gets the whole; out_axes[i] the axis of result i. */
#include "ops/family.h"

static bool all_float(Store *st, const Node *n, i64 wrt)
{
    for (i64 i = 0; i < wrt; i++) {
        Type *t = n->ops[i]->type;
        if (t->kind != TYPE_TENSOR || !dtype_is_float(t->dtype)) {
            store_error(
                st, "no-derivative", "cast it to f64 first if its values are meant as real numbers",
                "there is no derivative with respect to a value of type %s", shape_text(st, t));
            return false;
        }
    }
    return true;
}

static bool same_type(Store *st, Node *got, Type *want, const char *what)
{
    if (type_compatible(st, got->type, want))
        return true;
    store_error(st, "type-mismatch", NULL, "%s has type %s but should have type %s", what,
                shape_text(st, got->type), shape_text(st, want));
    return false;
}

static Type **output_types(Store *st, Node *n, Graph *g)
{
    Type **outs = xmalloc((size_t)(g->nouts + 1) * sizeof *outs);
    if ((int)n->nops >= g->nparams && graph_result_types(st, g, g->nparams, n->ops, outs))
        return outs;
    free(outs);
    return NULL;
}

Type *infer_grad(Store *st, Node *n)
{
    Graph *g = n->attrs[0].graph;
    i64 wrt = n->attrs[1].i;
    if (!all_float(st, n, wrt))
        return NULL;
    Type **outs = output_types(st, n, g);
    if (!outs)
        return NULL;
    Type *loss = outs[0], *result = NULL;
    if (loss->kind != TYPE_TENSOR || loss->rank || !dtype_is_float(loss->dtype)) {
        store_error(st, "type-mismatch",
                    "use sum(...) for one number, or jacobian, or vjp with a cotangent",
                    "grad needs a floating-point scalar, but this is %s", shape_text(st, loss));
    } else {
        Type **items = xmalloc(((size_t)wrt + 1) * sizeof *items);
        for (i64 i = 0; i < wrt; i++)
            items[i] = n->ops[i]->type;
        items[wrt] = loss;
        result = type_tuple(st, (int)wrt + 1, items);
        free(items);
    }
    free(outs);
    return result;
}

static Type *pair_of(Store *st, i64 na, Node *const *a, Type *const *ta, int nb, Type *const *b)
{
    Type **items = xmalloc(((size_t)na + (size_t)nb + 1) * sizeof *items);
    for (i64 i = 0; i < na; i++)
        items[i] = a ? a[i]->type : ta[i];
    for (int i = 0; i < nb; i++)
        items[na + i] = b[i];
    Type *t = type_tuple(st, (int)na + nb, items);
    free(items);
    return t;
}

Type *infer_vjp(Store *st, Node *n)
{
    Graph *g = n->attrs[0].graph;
    i64 wrt = n->attrs[1].i;
    if (!all_float(st, n, wrt) || (int)n->nops != g->nparams + g->nouts)
        return NULL;
    Type **outs = output_types(st, n, g);
    if (!outs)
        return NULL;
    bool ok = true;
    for (int i = 0; i < g->nouts && ok; i++)
        ok = same_type(st, n->ops[g->nparams + i], outs[i], "the cotangent");
    Type *t = ok ? pair_of(st, wrt, n->ops, NULL, g->nouts, outs) : NULL;
    free(outs);
    return t;
}

Type *infer_jvp(Store *st, Node *n)
{
    Graph *g = n->attrs[0].graph;
    i64 wrt = n->attrs[1].i;
    if (!all_float(st, n, wrt) || (int)n->nops != g->nparams + (int)wrt)
        return NULL;
    Type **outs = output_types(st, n, g);
    if (!outs)
        return NULL;
    bool ok = true;
    for (i64 i = 0; i < wrt && ok; i++)
        ok = same_type(st, n->ops[g->nparams + i], n->ops[i]->type, "the tangent");
    Type *t = ok ? pair_of(st, g->nouts, NULL, outs, g->nouts, outs) : NULL;
    free(outs);
    return t;
}

/* The size of the lanes: what is best known of the arguments' sizes, which must not differ. */
static Size *lanes_size(Store *st, const Node *n, const IntList *in)
{
    Size *size = NULL;
    u32 from = 0;
    for (u32 i = 0; i < in->n; i++) {
        Type *t = n->ops[i]->type;
        if (in->at[i] < 0)
            continue;
        if (t->kind != TYPE_TENSOR || in->at[i] >= t->rank)
            return store_error(st, "axis", NULL, "vmap: argument %u has no axis %lld, it is %s", i,
                               (long long)in->at[i], shape_text(st, t));
        Size *s = t->dims[in->at[i]];
        if (size && size_provably_different(st, size, s))
            return store_error(st, "shape-mismatch", NULL,
                               "vmap: axis %lld of argument %u, %s, and axis %lld of argument %u, "
                               "%s, have different sizes",
                               (long long)in->at[from], from, shape_text(st, n->ops[from]->type),
                               (long long)in->at[i], i, shape_text(st, t));
        if (!size || size_prefer(s, size) == s) {
            size = s;
            from = i;
        }
    }
    return size ? size
                : store_error(st, "axis", "give in_axes a number for at least one argument",
                              "vmap: no argument has lanes");
}

static Type *stacked(Store *st, Type *t, Size *lanes, i64 axis)
{
    Size *dims[MAX_RANK + 1];
    if (t->kind != TYPE_TENSOR || axis < 0 || axis > t->rank)
        return store_error(st, "axis", NULL,
                           "vmap: a result of type %s cannot be stacked along %lld",
                           shape_text(st, t), (long long)axis);
    if (t->rank == MAX_RANK)
        return store_error(st, "rank", NULL, "a tensor can have at most %d axes", MAX_RANK);
    for (int i = 0, k = 0; i <= t->rank; i++)
        dims[i] = i == axis ? lanes : t->dims[k++];
    return type_tensor(st, t->dtype, t->rank + 1, dims);
}

Type *infer_vmap(Store *st, Node *n)
{
    Graph *g = n->attrs[0].graph;
    const IntList *in = n->attrs[1].ints, *out = n->attrs[2].ints;
    if (n->nops != in->n || g->nparams != (int)in->n || g->nouts != (int)out->n)
        return store_error(st, "arity", NULL,
                           "vmap: %d parameters and %d results for %u and %u axes", g->nparams,
                           g->nouts, in->n, out->n);
    Size *lanes = lanes_size(st, n, in);
    if (!lanes)
        return NULL;
    size_t room = (size_t)g->nparams + (size_t)g->nouts + 1;
    Type **types = xcalloc(room, sizeof *types), **outs = types + g->nparams, *result = NULL;
    Node **args = xcalloc(in->n + 1, sizeof *args);
    for (u32 i = 0; i < in->n; i++) {
        bool batched = in->at[i] >= 0;
        types[i] =
            batched ? type_without_axis(st, n->ops[i]->type, (int)in->at[i], n->ops[i]->type->dtype)
                    : n->ops[i]->type;
        args[i] = batched ? NULL : n->ops[i];
    }
    bool ok = graph_types_from(st, g, types, args, outs);
    for (int i = 0; i < g->nouts && ok; i++)
        ok = (outs[i] = stacked(st, outs[i], lanes, out->at[i])) != NULL;
    if (ok)
        result = type_tuple(st, g->nouts, outs);
    free(types);
    free(args);
    return result;
}
