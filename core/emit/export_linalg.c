/* Factorisations and linear systems in C: calls of helpers (export_elem.c), lane by lane.
 *
 * Invariant: operands stay as they are; what a helper destroys is a copy. */
#include "emit/export_write.h"

/* An array with the dims of `like`, filled with its elements. */
static CValue *copied(CWriter *w, CScope *s, const Node *n, const CValue *like)
{
    CValue *y = array_value(w, s, n, like->dtype, like->rank, like->dim);
    line(w, "memcpy(%s, %s, %s);", y->text, like->text, bytes_of_array(w, like, 0));
    return y;
}

/* The same numbers as floats of type d. */
static CValue *as_type(CWriter *w, CScope *s, const Node *n, DType d, CValue *v)
{
    const char *cast = d == DT_F32 ? "(float)" : "";
    if (v->dtype == d)
        return v;
    if (!v->rank)
        return scalar_value(w, d, word(w, "%s%s", cast, v->text), PREC_ATOM);
    CValue *y = array_value(w, s, n, d, v->rank, v->dim);
    line(w, "for (i64 i = 0; i < %s; i++)", count_of(w, v, 0, v->rank));
    line(w, "    %s[i] = %s%s[i];", y->text, cast, v->text);
    return y;
}

static CValue *cholesky(CWriter *w, CScope *s, Node *n, CValue *a, const char *lanes)
{
    CValue *y = array_value(w, s, n, DT_F64, a->rank, a->dim);
    failing(w, word(w, "!cholesky(%s, %s, %s, %s)", lanes, a->dim[a->rank - 1], a->text, y->text),
            "matrix is not positive definite");
    return y;
}

static CValue *det(CWriter *w, CScope *s, Node *n, CValue *a, const char *lanes)
{
    CValue *work = copied(w, s, n, a);
    CValue *y = array_value(w, s, n, DT_F64, a->rank - 2, a->dim);
    const char *to = y->rank ? y->text : name_for(w, s, n);
    if (!y->rank)
        line(w, "double %s;", to);
    line(w, "determinants(%s, %s, %s, %s%s);", lanes, a->dim[a->rank - 1], work->text,
         y->rank ? "" : "&", to);
    return y->rank ? y : scalar_value(w, DT_F64, to, PREC_ATOM);
}

static CValue *solve(CWriter *w, CScope *s, Node *n, CValue *a, const char *lanes)
{
    CValue *b = n->op == OP_INV ? a : as_type(w, s, n, DT_F64, need_array(w, s, n->ops[1]));
    const char *size = a->dim[a->rank - 1], *rows = b->dim[b->rank == 1 ? 0 : b->rank - 2];
    const char *columns = b->rank == 1 ? "1" : b->dim[b->rank - 1];
    if (strcmp(size, rows))
        failing(w, word(w, "%s != %s", size, rows), "shapes do not match");
    CValue *y = copied(w, s, n, b);
    if (n->op == OP_SOLVE_TRIANGULAR) {
        failing(w,
                word(w, "!solve_triangle(%s, %s, %s, %s, %s, %d, %d, %d)", lanes, size, columns,
                     a->text, y->text, n->attrs[0].i != 0, n->attrs[1].i != 0, n->attrs[2].i != 0),
                "singular matrix");
        return y;
    }
    if (n->op == OP_INV)
        line(w, "identities(%s, %s, %s);", lanes, size, y->text);
    CValue *work = copied(w, s, n, a);
    failing(w, word(w, "!solve(%s, %s, %s, %s, %s)", lanes, size, columns, work->text, y->text),
            "singular matrix");
    return y;
}

static CValue *in_doubles(CWriter *w, CScope *s, Node *n, CValue *a)
{
    static const char *const of_solve[] = {"eliminate", "solve"};
    const char *lanes = count_of(w, a, 0, a->rank - 2);
    if (n->op == OP_CHOLESKY) {
        use_helper(w, "cholesky");
        return cholesky(w, s, n, a, lanes);
    }
    if (n->op == OP_SOLVE_TRIANGULAR) {
        use_helper(w, "solve_triangle");
        return solve(w, s, n, a, lanes);
    }
    use_helper(w, of_solve[0]);
    if (n->op == OP_DET) {
        use_helper(w, "determinants");
        return det(w, s, n, a, lanes);
    }
    use_helper(w, of_solve[1]);
    if (n->op == OP_INV)
        use_helper(w, "identities");
    return solve(w, s, n, a, lanes);
}

/* The helpers know doubles only: f32 is computed in them and rounded at the end. */
CValue *write_linalg(CWriter *w, CScope *s, Node *n)
{
    if (!dtype_is_float(node_dtype(n)))
        return cannot(w, n, "`%s` is not defined for %s", node_info(n)->name,
                      dtype_name(node_dtype(n)));
    CValue *a = need_array(w, s, n->ops[0]);
    if (strcmp(a->dim[a->rank - 1], a->dim[a->rank - 2]))
        failing(w, word(w, "%s != %s", a->dim[a->rank - 1], a->dim[a->rank - 2]),
                "the matrix is not square");
    CValue *y = in_doubles(w, s, n, as_type(w, s, n, DT_F64, a));
    return as_type(w, s, n, node_dtype(n), y);
}

CValue **write_slogdet(CWriter *w, CScope *s, Node *n)
{
    CValue **results = arena_alloc(&w->arena, 2 * sizeof *results);
    CValue *a = as_type(w, s, n, DT_F64, need_array(w, s, n->ops[0])), *work = copied(w, s, n, a);
    DType d = n->type->items[0]->dtype;
    const char *size = a->dim[a->rank - 1], *count = count_of(w, a, 0, a->rank - 2), *at[2];
    if (strcmp(size, a->dim[a->rank - 2]))
        failing(w, word(w, "%s != %s", size, a->dim[a->rank - 2]), "the matrix is not square");
    for (int k = 0; k < 2; k++) {
        results[k] = array_named(w, fresh_name(w, k ? "log_abs" : "sign"), DT_F64,
                                 a->rank > 2 ? a->rank - 2 : 1,
                                 a->rank > 2 ? a->dim : (const char *[]){"1"});
        at[k] = results[k]->text;
    }
    use_helper(w, "eliminate");
    use_helper(w, "log_determinants");
    line(w, "log_determinants(%s, %s, %s, %s, %s);", count, size, work->text, at[0], at[1]);
    for (int k = 0; k < 2; k++) {
        if (a->rank == 2)
            results[k] = scalar_value(w, DT_F64, word(w, "%s[0]", at[k]), PREC_ATOM);
        results[k] = as_type(w, s, n, d, results[k]);
    }
    return results;
}

/* Real and imaginary parts, computed in doubles like everything here. */
CValue **write_dft(CWriter *w, CScope *s, Node *n)
{
    CValue **results = arena_alloc(&w->arena, 2 * sizeof *results);
    CValue *x = as_type(w, s, n, DT_F64, need_array(w, s, n->ops[0]));
    CValue *y = n->nops > 1 ? as_type(w, s, n, DT_F64, need_array(w, s, n->ops[1])) : NULL;
    const char *length = x->dim[x->rank - 1], *work = word(w, "2 * %s", length);
    for (int k = 0; k < 2; k++)
        results[k] = array_named(w, fresh_name(w, k ? "im" : "re"), DT_F64, x->rank, x->dim);
    CValue *t = array_named(w, fresh_name(w, "work"), DT_F64, 1, &work);
    use_helper(w, "fourier");
    line(w, "fourier_rows(%s, %s, %s, %s, %s, %s, %s);", count_of(w, x, 0, x->rank - 1), length,
         x->text, y ? y->text : "NULL", results[0]->text, results[1]->text, t->text);
    for (int k = 0; k < 2; k++) {
        results[k] = as_type(w, s, n, n->type->items[k]->dtype, results[k]);
        line(w, "(void)%s; /* the program may need only one of the two */", results[k]->text);
    }
    return results;
}
