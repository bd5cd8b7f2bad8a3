/* Factorisations, linear systems, triangles and diagonals.
 *
 * Invariant: what goes to an operator is already f32 or f64 and has the axes it wants;
 * a batch that one operand lacks is repeated here, by explicit `broadcast` nodes. */
#include "lang/builtins.h"
#include "ops/definitions.h"

/* ---- operands ---- */

static Node *floats(Elab *e, Args *a, int i, Node *x)
{
    if (!x)
        return NULL;
    if (x->type->kind != TYPE_TENSOR || x->type->dtype == DT_RNG)
        return elab_error(e, a->spans[i], "type-mismatch", NULL, "%s needs numbers, but this is %s",
                          a->builtin->name, shape_text(e->st, x->type));
    return dtype_is_float(x->type->dtype) ? x : node_cast(e->st, x, DT_F64);
}

static bool provably_square(Store *st, const Type *t)
{
    return t->rank >= 2 && !size_provably_different(st, t->dims[t->rank - 2], t->dims[t->rank - 1]);
}

static Node *square(Elab *e, Args *a)
{
    Node *x = floats(e, a, 0, arg_node(e, a, 0));
    if (!x)
        return NULL;
    e->st->span = a->spans[0];
    if (provably_square(e->st, x->type))
        return x;
    return elab_error(e, a->spans[0], x->type->rank < 2 ? "rank" : "shape-mismatch", NULL,
                      "%s needs a square matrix, but this is %s", a->builtin->name,
                      shape_text(e->st, x->type));
}

static Value *of_square(Elab *e, Args *a, OpId op)
{
    Node *x = square(e, a);
    return x ? value_node(e, node1(e->st, op, NULL, x)) : NULL;
}
BUILTIN(cholesky) { return of_square(e, a, OP_CHOLESKY); }
BUILTIN(inv) { return of_square(e, a, OP_INV); }
BUILTIN(det) { return of_square(e, a, OP_DET); }

Value *results_of(Elab *e, Node *n)
{
    Value *all[4];
    int count = n ? n->type->nitems : 0;
    for (int i = 0; i < count; i++)
        if (!(all[i] = value_node(e, node_proj(e->st, n, i))))
            return NULL;
    return n ? value_tuple(e, count, all) : NULL;
}

static Node *matrix(Elab *e, Args *a)
{
    Node *x = floats(e, a, 0, arg_node(e, a, 0));
    e->st->span = a->spans[0];
    if (!x || x->type->rank >= 2)
        return x;
    return elab_error(e, a->spans[0], "rank", NULL, "%s needs a matrix, but this is %s",
                      a->builtin->name, shape_text(e->st, x->type));
}

static Node *of_matrix(Elab *e, Node *x, OpId op) { return x ? node1(e->st, op, NULL, x) : NULL; }

BUILTIN(slogdet) { return results_of(e, of_matrix(e, square(e, a), OP_SLOGDET)); }
BUILTIN(eigh) { return results_of(e, of_matrix(e, square(e, a), OP_EIGH)); }
BUILTIN(qr) { return results_of(e, of_matrix(e, matrix(e, a), OP_QR)); }
BUILTIN(svd) { return results_of(e, of_matrix(e, matrix(e, a), OP_SVD)); }
BUILTIN(pinv) { return value_node(e, of_matrix(e, matrix(e, a), OP_PINV)); }

/* ---- systems ---- */

/* The dtype and the batch the operands share. */
static bool common_system(Elab *e, Args *a, Node **m, Node **b)
{
    Value *vm = value_plain(e, a->at[0]), *vb = value_plain(e, a->at[1]);
    if (vm->weak && !vb->weak && dtype_is_float((*b)->type->dtype))
        *m = value_as(e, vm, (*b)->type->dtype, a->spans[0], a->builtin->name);
    if (vb->weak && !vm->weak && dtype_is_float((*m)->type->dtype))
        *b = value_as(e, vb, (*m)->type->dtype, a->spans[1], a->builtin->name);
    if (!*m || !*b)
        return false;
    DType d = promote((*m)->type->dtype, (*b)->type->dtype);
    *m = node_cast(e->st, *m, d), *b = node_cast(e->st, *b, d);
    return *m && *b;
}

/* A right side with one axis less than the matrices is a vector for each (as in NumPy 1), one with
 * a single axis a vector for all. */
static Value *system_of(Elab *e, Args *a, OpId op, const Attr *attrs)
{
    Node *m = square(e, a), *b = m ? floats(e, a, 1, arg_node(e, a, 1)) : NULL;
    if (!b || !common_system(e, a, &m, &b))
        return NULL;
    if (!b->type->rank)
        return elab_error(e, a->spans[1], "rank", NULL,
                          "the right side of %s must be a vector or a matrix, but this is %s",
                          a->builtin->name, shape_text(e->st, b->type));
    bool vector = b->type->rank == 1 || b->type->rank == m->type->rank - 1;
    int row = b->type->rank - (vector ? 1 : 2);
    if (size_provably_different(e->st, m->type->dims[m->type->rank - 1], b->type->dims[row]))
        return elab_error(e, a->spans[1], "shape-mismatch", NULL,
                          "%s: a right side of type %s does not go with %s", a->builtin->name,
                          shape_text(e->st, b->type), shape_text(e->st, m->type));
    e->st->span = a->span;
    if (vector && m->type->rank == 2)
        return value_node(e, node2(e->st, op, attrs, m, b));
    if (vector)
        b = build_expand(e->st, b, b->type->rank);
    Node *wide_m = with_batch(e, m, b), *wide_b = with_batch(e, b, m);
    Node *x = wide_m && wide_b ? node2(e->st, op, attrs, wide_m, wide_b) : NULL;
    return x ? value_node(e, vector ? build_squeeze(e->st, x, x->type->rank - 1) : x) : NULL;
}

BUILTIN(solve) { return system_of(e, a, OP_SOLVE, NULL); }

BUILTIN(solve_triangular)
{
    bool lower, unit;
    i64 trans;
    if (!arg_bool(e, a, 2, false, &lower) || !arg_int(e, a, 3, 0, &trans) ||
        !arg_bool(e, a, 4, false, &unit))
        return NULL;
    if (trans != 0 && trans != 1)
        return elab_error(e, a->spans[3], "range", NULL, "trans is 0, or 1 for the transpose");
    Attr attrs[] = {{.i = lower}, {.i = trans}, {.i = unit}};
    return system_of(e, a, OP_SOLVE_TRIANGULAR, attrs);
}

/* ---- triangles ---- */

/* The number of a diagonal, far ones brought to where all are empty. */
static bool diagonal_number(Elab *e, Args *a, i64 *k)
{
    const i64 far = (i64)1 << 40;
    if (!arg_int(e, a, 1, 0, k))
        return false;
    *k = *k > far ? far : *k < -far ? -far : *k;
    return true;
}

static Value *triangle(Elab *e, Args *a, bool lower)
{
    Node *x = arg_node(e, a, 0);
    i64 k;
    if (!x || !diagonal_number(e, a, &k))
        return NULL;
    if (x->type->kind != TYPE_TENSOR || x->type->dtype == DT_RNG || x->type->rank < 2)
        return elab_error(e, a->spans[0], "rank", NULL,
                          "%s needs a matrix of numbers, but this is %s", a->builtin->name,
                          shape_text(e->st, x->type));
    Attr attrs[] = {{.i = lower}, {.i = k}};
    return value_node(e, node1(e->st, OP_TRIANGLE, attrs, x));
}
BUILTIN(tril) { return triangle(e, a, true); }
BUILTIN(triu) { return triangle(e, a, false); }

BUILTIN(diag)
{
    Node *v = arg_node(e, a, 0);
    i64 k;
    if (!v || !diagonal_number(e, a, &k))
        return NULL;
    int rank = v->type->kind == TYPE_TENSOR && v->type->dtype != DT_RNG ? v->type->rank : 0;
    if (rank != 1 && rank != 2)
        return elab_error(e, a->spans[0], "rank", NULL,
                          "diag takes a vector or a matrix, but this is %s",
                          shape_text(e->st, v->type));
    if (rank == 1 && !diagonal_fits(k))
        return elab_error(
            e, a->spans[1], "range", NULL,
            "diag: a matrix with that diagonal has more elements than can be counted");
    Attr at = {.i = k};
    e->st->span = a->span;
    return value_node(e, node1(e->st, OP_DIAG, &at, v));
}

BUILTIN(diagonal)
{
    Node *x = arg_node(e, a, 0);
    i64 k;
    if (!x || !diagonal_number(e, a, &k))
        return NULL;
    if (x->type->kind != TYPE_TENSOR || x->type->dtype == DT_RNG || x->type->rank < 2)
        return elab_error(e, a->spans[0], "rank", NULL, "diagonal takes matrices, but this is %s",
                          shape_text(e->st, x->type));
    e->st->span = a->span;
    return value_node(e, build_diagonal(e->st, x, k));
}
