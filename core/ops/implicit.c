/* Implicit derivatives: ordinary nodes that stand for a derivative until the pass
 * `differentiate` expands them.
 *
 * grad{body, wrt, truncate}(arguments...)               body has one scalar output
 *   results: d output / d argument i for i < wrt, then the output
 * vjp{body, wrt, truncate}(arguments..., cotangents...) one cotangent per output
 *   results: the cotangents of the first wrt arguments, then the outputs
 * jvp{body, wrt}(arguments..., tangents...)   one tangent for each of the first wrt arguments
 *   results: the tangents of the outputs, then the outputs
 * truncate=k: loops are differentiated through their last k executed steps only
 * (grad/truncate.c); -1: through all of them. */
#include "ops/ops.h"

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
                    "grad needs a scalar to differentiate, this is %s", shape_text(st, loss));
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
