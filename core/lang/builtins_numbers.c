/* What replaces numbers that are none. */
#include "lang/builtins.h"
#include "ops/build.h"

#include <float.h>

/* The number in argument i, or another one if there is none. */
static Node *replacement(Elab *e, Args *a, int i, DType d, Node *usual)
{
    if (!a->at[i] || a->at[i]->kind == V_NONE)
        return usual;
    Node *n = value_as(e, a->at[i], d, a->spans[i], a->builtin->name);
    if (n && n->type->rank)
        return elab_error(e, a->spans[i], "rank", NULL,
                          "nan_to_num puts a number there, but this is %s",
                          shape_text(e->st, n->type));
    return n;
}

BUILTIN(nan_to_num)
{
    Node *x = arg_tensor(e, a, 0);
    Store *st = e->st;
    if (!x || node_dtype(x) == DT_RNG)
        return x ? elab_error(e, a->spans[0], "type-mismatch", NULL, "nan_to_num takes numbers")
                 : NULL;
    DType d = node_dtype(x);
    if (!dtype_is_float(d))
        return value_node(e, x);
    double most = d == DT_F32 ? (double)FLT_MAX : DBL_MAX;
    Node *nan = replacement(e, a, 1, d, node_number(st, d, 0)),
         *high = replacement(e, a, 2, d, node_number(st, d, most)),
         *low = replacement(e, a, 3, d, node_number(st, d, -most));
    if (!nan || !high || !low)
        return NULL;
    e->st->span = a->span;
    Node *zero = node_number(st, d, 0), *signs[] = {x, zero}, *finite[] = {x};
    Node *sides[] = {build_elementwise(st, OP_GT, 2, signs), high, low};
    Node *ends = sides[0] ? build_elementwise(st, OP_WHERE, 3, sides) : NULL;
    Node *odd[] = {build_elementwise(st, OP_ISNAN, 1, finite), nan, ends};
    Node *whole[] = {build_elementwise(st, OP_ISFINITE, 1, finite), x,
                     ends ? build_elementwise(st, OP_WHERE, 3, odd) : NULL};
    return whole[2] ? value_node(e, build_elementwise(st, OP_WHERE, 3, whole)) : NULL;
}
