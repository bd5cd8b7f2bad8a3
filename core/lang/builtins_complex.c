/* Complex numbers are named tuples (re=, im=): their parts.
 *
 * Invariant: an array counts as a complex number whose imaginary part is 0, so whatever is made of
 * real and imag takes both. */
#include "lang/builtins.h"
#include "ops/build.h"

/* Part `which` of (re=, im=); NULL after a diagnostic. *array: it is an array instead. */
static Value *complex_part(Elab *e, Args *a, const char *which, bool *array)
{
    Value *v = value_plain(e, a->at[0]);
    *array = v && v->kind != V_TUPLE;
    if (!v || *array)
        return v;
    if (v->nitems == 2 && v->names && tuple_part(v, "re") == 0 && tuple_part(v, "im") == 1)
        return value_plain(e, v->items[tuple_part(v, which)]);
    return elab_error(e, a->spans[0], "type-mismatch", "complex numbers are written (re=x, im=y)",
                      "%s is not a complex number", tuple_structure(e, v));
}

BUILTIN(iscomplexobj)
{
    bool array;
    Value *v = complex_part(e, a, "re", &array);
    return v && (!array || arg_node(e, a, 0)) ? value_node(e, node_bool(e->st, !array)) : NULL;
}

/* The parts in one float dtype; *y is NULL where it is missing. */
static bool transform_parts(Elab *e, Args *a, Node **x, Node **y)
{
    int n = a->at[1] && a->at[1]->kind != V_NONE ? 2 : 1;
    Node *parts[2] = {0};
    args_meet(e, a, 0, n, parts);
    for (int i = 0; i < n; i++) {
        if (!parts[i])
            return false;
        const Type *t = parts[i]->type;
        if (t->kind == TYPE_TENSOR && t->dtype != DT_RNG && !dtype_is_float(t->dtype))
            parts[i] = node_cast(e->st, parts[i], DT_F64);
    }
    e->st->span = a->span;
    *x = parts[0];
    *y = build_like(e->st, parts[1], *x);
    return *x && (*y || n == 1);
}

BUILTIN(dft)
{
    Node *ops[2];
    if (!transform_parts(e, a, ops, ops + 1))
        return NULL;
    return results_of(e, node_make(e->st, OP_DFT, NULL, ops[1] ? 2 : 1, ops));
}

BUILTIN(real)
{
    bool array;
    Value *v = complex_part(e, a, "re", &array);
    return !v ? NULL : array && !arg_node(e, a, 0) ? NULL : v;
}

BUILTIN(imag)
{
    bool array;
    Value *v = complex_part(e, a, "im", &array);
    if (!v || !array)
        return v;
    Node *x = arg_node(e, a, 0);
    return x ? value_node(e, build_zeros_like(e->st, x)) : NULL;
}
