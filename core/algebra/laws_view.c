/* Laws of operators that put tensors together: a choice by the place along an axis.
 *
 * Values stand with indices that are out of range where they are not chosen. */
#include "algebra/readers.h"
#include "ops/definitions.h"
#include "ops/ops.h"

/* 0 <= place - from, and 0 <= place - from < length: what is looked at, and the cut. */
static const Form *place_from(Algebra *a, int axis, const Form *from)
{
    return form_add(a, form_of_place(a, axis), form_scale(a, from, coef_whole(DT_I64, -1)));
}

static const Form *from_place_on(Algebra *a, int axis, const Form *from, const Form *before,
                                 const Form *behind)
{
    FormCut cut = {0, false};
    const Form *values[] = {before, behind}, *of = from ? place_from(a, axis, from) : NULL;
    return of ? form_choose(a, &(FormChoice){of, 1, &cut, values, NULL}) : NULL;
}

/* `inside` from one place on, for a length. */
static const Form *between(Algebra *a, int axis, const Form *from, Size *length,
                           const Form *outside, const Form *inside)
{
    const Form *end = from ? form_add(a, from, form_of_size(a, DT_I64, length)) : NULL;
    return from_place_on(a, axis, from, outside, from_place_on(a, axis, end, inside, outside));
}

/* x as it is read from that place of the axis on. */
static const Form *moved(Algebra *a, const Form *x, int axis, const Form *from)
{
    FormIndex to[FORM_BOUND];
    const Form *back = from ? form_scale(a, from, coef_whole(DT_I64, -1)) : NULL;
    if (!back)
        return NULL;
    indices_same(to);
    to[axis] = (FormIndex){axis, 1, form_is_zero(back) ? NULL : back};
    return form_substitute(a, x, to, 0, NULL);
}

const Form *form_law_iota(Algebra *a, const Node *n, const Form *const *x)
{
    (void)x;
    return size_is(n->type->dims[0], 1) ? form_number(a, DT_I64, coef_whole(DT_I64, 0))
                                        : form_of_place(a, 0);
}

const Form *form_law_concat(Algebra *a, const Node *n, const Form *const *x)
{
    int axis = (int)n->attrs[0].i;
    const Form *from = form_of_size(a, DT_I64, n->ops[0]->type->dims[axis]), *f = x[0];
    for (u32 i = 1; i < n->nops && f && from; i++) {
        f = from_place_on(a, axis, from, f, moved(a, x[i], axis, from));
        from = form_add(a, from, form_of_size(a, DT_I64, n->ops[i]->type->dims[axis]));
    }
    return f;
}

/* What is written: v, or x + v. */
static const Form *written(Algebra *a, const Node *n, const Form *x, const Form *v, bool more)
{
    if (!v || x->dtype != v->dtype || x->dtype != n->type->dtype || (more && x->dtype == DT_BOOL))
        return NULL;
    if (more && dtype_is_float(x->dtype))
        a->classes |= HAZARD_R | HAZARD_O | (form_is_zero(v) ? HAZARD_Z : 0);
    return more ? form_add(a, x, v) : v;
}

const Form *form_law_set_slice(Algebra *a, const Node *n, const Form *const *x)
{
    int axis = (int)n->attrs[0].i;
    const Type *t = n->ops[2]->type;
    if (n->attrs[1].i != 1 || t->rank != n->type->rank)
        return NULL;
    const Form *from = form_position(a, n->ops[1], n->type->dims[axis]);
    const Form *v = from ? written(a, n, x[0], moved(a, x[2], axis, from), n->attrs[2].i) : NULL;
    return v ? between(a, axis, from, t->dims[axis], x[0], v) : NULL;
}

/* v has no such axis. */
static const Form *with_axis(Algebra *a, const Form *v, int axis)
{
    FormIndex to[FORM_BOUND];
    indices_same(to);
    for (int i = axis; i + 1 < FORM_BOUND; i++)
        to[i] = index_name(i + 1);
    return form_substitute(a, v, to, 0, NULL);
}

const Form *form_law_set_index(Algebra *a, const Node *n, const Form *const *x)
{
    int axis = (int)n->attrs[0].i;
    const Form *at = form_position(a, n->ops[1], n->type->dims[axis]);
    if (n->ops[2]->type->rank != n->type->rank - 1)
        return NULL;
    const Form *v = at ? written(a, n, x[0], with_axis(a, x[2], axis), n->attrs[1].i) : NULL;
    return v ? between(a, axis, at, size_const(a->st, 1), x[0], v) : NULL;
}

/* ---- positions that are constants, or places themselves ---- */

enum { MOST_POSITIONS = 16 };

/* The k-th position of a short constant; false: it is none. */
static bool constant_position(Algebra *a, const Node *n, i64 k, Size *size, const Form **out)
{
    const Node *at = n->ops[1];
    if (at->op != OP_CONST || at->type->rank != 1 || at->attrs[0].value->count > MOST_POSITIONS)
        return false;
    i64 position = tensor_i64_at(at->attrs[0].value, k);
    const Form *f = form_number(a, DT_I64, coef_whole(DT_I64, position));
    *out = position < 0 ? form_add(a, f, form_of_size(a, DT_I64, size)) : f;
    return *out != NULL;
}

static const Form *with_index(Algebra *a, const Form *x, int axis, FormIndex index)
{
    FormIndex to[FORM_BOUND];
    indices_same(to);
    to[axis] = index;
    return form_substitute(a, x, to, 0, NULL);
}

static FormIndex index_of(const Form *at)
{
    return (FormIndex){-1, 0, form_is_zero(at) ? NULL : at};
}

static const Form *gather_constant(Algebra *a, const Node *n, const Form *x)
{
    int axis = (int)n->attrs[0].i;
    i64 count = n->ops[1]->attrs[0].value->count;
    const Form *f = NULL, *at;
    for (i64 k = 0; k < count; k++) {
        if (!constant_position(a, n, k, n->ops[0]->type->dims[axis], &at))
            return NULL;
        const Form *part = with_index(a, x, axis, index_of(at));
        const Form *place = form_number(a, DT_I64, coef_whole(DT_I64, k));
        f = k ? from_place_on(a, axis, place, f, part) : part;
    }
    return f;
}

/* scale * place + at, all of it at least 0, of an axis of the positions. */
static bool is_affine(Algebra *a, const Node *n, const Form *at, FormIndex *out)
{
    FormTerms rest = {0};
    int name = -1;
    i64 scale = 0;
    bool ok = !at->choice && at->dtype == DT_I64;
    for (u32 i = 0; i < at->nterms && ok; i++) {
        const FormProduct *p = at->terms[i].of;
        bool place = p->nfactors == 1 && !p->nbound && p->factors[0].power == 1 &&
                     p->factors[0].atom->kind == ATOM_PLACE;
        if (place)
            scale = at->terms[i].c.num;
        else
            vec_push(&rest, at->terms[i]);
        ok = place ? name < 0 : !product_free_names(p);
        name = place ? p->factors[0].index[0].name : name;
    }
    a->dims = n->ops[1]->type->dims;
    a->rank = n->ops[1]->type->rank;
    ok = ok && name >= 0 && form_range(a, at).lo >= 0;
    a->dims = NULL;
    const Form *f = ok ? form_make(a, DT_I64, &rest) : NULL;
    vec_free(&rest);
    if (f)
        *out = (FormIndex){name, scale, f->nterms ? f : NULL};
    return f != NULL;
}

const Form *form_law_gather(Algebra *a, const Node *n, const Form *const *x)
{
    int axis = (int)n->attrs[0].i;
    FormIndex index;
    if (n->ops[1]->type->rank != 1)
        return NULL;
    if (n->ops[1]->op == OP_CONST && n->ops[1]->attrs[0].value->count <= MOST_POSITIONS)
        return gather_constant(a, n, x[0]);
    if (!is_affine(a, n, x[1], &index))
        return NULL;
    index.name = axis;
    return with_index(a, x[0], axis, index);
}

/* The last one that is written to a place counts. */
const Form *form_law_scatter(Algebra *a, const Node *n, const Form *const *x)
{
    int axis = (int)n->attrs[0].i;
    const Form *f = x[0], *at;
    if (n->ops[1]->op != OP_CONST || n->ops[1]->attrs[0].value->count > MOST_POSITIONS ||
        n->ops[2]->type->rank != n->type->rank)
        return NULL;
    for (i64 k = 0; k < n->ops[1]->attrs[0].value->count && f; k++) {
        if (!constant_position(a, n, k, n->type->dims[axis], &at))
            return NULL;
        const Form *own = form_number(a, DT_I64, coef_whole(DT_I64, k));
        const Form *v = written(a, n, f, with_index(a, x[2], axis, index_of(own)), n->attrs[1].i);
        f = v ? between(a, axis, at, size_const(a->st, 1), f, v) : NULL;
    }
    return f;
}

/* What lies on one side of a diagonal is 0. */
const Form *form_law_triangle(Algebra *a, const Node *n, const Form *const *x)
{
    int r = n->type->rank;
    const Form *none = form_number(a, n->type->dtype, (FormCoef){0, 1});
    const Form *row = form_of_place(a, r - 2), *column = form_of_place(a, r - 1);
    if (size_is(n->type->dims[r - 1], 1) || size_is(n->type->dims[r - 2], 1))
        return NULL;
    const Form *of = form_add(a, column, form_scale(a, row, coef_whole(DT_I64, -1)));
    bool lower = n->attrs[0].i != 0;
    FormCut cut = {(double)n->attrs[1].i + lower, false};
    const Form *values[] = {lower ? x[0] : none, lower ? none : x[0]};
    return none && of ? form_choose(a, &(FormChoice){of, 1, &cut, values, NULL}) : NULL;
}

/* ---- composites ---- */

const Form *form_law_definition(Algebra *a, const Node *n, const Form *const *x)
{
    Node *meaning = node_definition(a->st, n);
    (void)x;
    if (!meaning || meaning->type != n->type)
        return NULL;
    u32 classes = a->classes;
    FormOf of = algebra_form(a, meaning);
    a->classes = classes | of.classes;
    return of.form;
}

/* ---- short axes are written out ---- */

typedef const Form *Joined(Algebra *a, const Form *x, const Form *y);

static const Form *over_short_axis(Algebra *a, const Node *n, const Form *const *x, Joined *join)
{
    enum { SHORT = 8 };
    const Type *t = n->ops[0]->type;
    i64 size;
    const IntList *axes = n->attrs[0].ints;
    if (axes->n != 1 || !size_is_const(t->dims[axes->at[0]], &size) || size > SHORT || size < 1 ||
        x[0]->dtype != n->type->dtype)
        return NULL;
    int axis = (int)axes->at[0];
    FormIndex to[FORM_BOUND];
    const Form *f = NULL;
    indices_same(to);
    for (int i = axis + 1; i < t->rank; i++)
        to[i] = index_name(i - 1);
    for (i64 k = 0; k < size && (!k || f); k++) {
        to[axis] = index_of(form_number(a, DT_I64, coef_whole(DT_I64, k)));
        const Form *part = form_substitute(a, x[0], to, 0, NULL);
        f = !k || !part ? part : join(a, f, part);
    }
    return f;
}

static const Form *join_max(Algebra *a, const Form *x, const Form *y)
{
    return form_extreme(a, x, y, true);
}

static const Form *join_min(Algebra *a, const Form *x, const Form *y)
{
    return form_extreme(a, x, y, false);
}

static const Form *and_lifted(Algebra *a, const void *ctx, const Form *const *x)
{
    (void)ctx;
    return form_truth(a, x[0]->nterms && x[1]->nterms);
}

static const Form *or_lifted(Algebra *a, const void *ctx, const Form *const *x)
{
    (void)ctx;
    return form_truth(a, x[0]->nterms || x[1]->nterms);
}

static const Form *join_all(Algebra *a, const Form *x, const Form *y)
{
    return form_lift(a, 2, (const Form *[]){x, y}, and_lifted, NULL);
}

static const Form *join_any(Algebra *a, const Form *x, const Form *y)
{
    return form_lift(a, 2, (const Form *[]){x, y}, or_lifted, NULL);
}

const Form *form_law_max(Algebra *a, const Node *n, const Form *const *x)
{
    return over_short_axis(a, n, x, join_max);
}

const Form *form_law_min(Algebra *a, const Node *n, const Form *const *x)
{
    return over_short_axis(a, n, x, join_min);
}

const Form *form_law_any(Algebra *a, const Node *n, const Form *const *x)
{
    return over_short_axis(a, n, x, join_any);
}

const Form *form_law_all(Algebra *a, const Node *n, const Form *const *x)
{
    return over_short_axis(a, n, x, join_all);
}

const Form *form_law_prod(Algebra *a, const Node *n, const Form *const *x)
{
    a->classes |= dtype_is_float(n->type->dtype) ? HAZARD_R | HAZARD_O : 0;
    return n->type->dtype == DT_BOOL ? NULL : over_short_axis(a, n, x, form_mul);
}

/* ---- sums of choices ---- */

static bool is_place(Algebra *a, const Form *of, int axis) { return of == form_of_place(a, axis); }

/* The axis along which a choice goes by constant places; -1: none. */
static int axis_of_choice(Algebra *a, const Form *f, int rank, u64 axes, Size *const *dims)
{
    for (int i = 0; i < rank; i++)
        if (axes >> i & 1 && is_place(a, f->choice->of, i) && size_is_const(dims[i], NULL))
            return i;
    return -1;
}

/* Each part of the axis is summed for itself. */
static const Form *sum_parts(Algebra *a, const Form *f, int rank, u64 axes, Size *const *dims,
                             int axis)
{
    const FormChoice *c = f->choice;
    Size *part_dims[FORM_BOUND];
    const Form *sum = form_number(a, f->dtype, (FormCoef){0, 1});
    i64 size;
    size_is_const(dims[axis], &size);
    for (int i = 0; i < rank; i++)
        part_dims[i] = dims[i];
    for (u32 i = 0; i <= c->ncuts && sum; i++) {
        i64 lo = i ? (i64)c->cuts[i - 1].at : 0, hi = i < c->ncuts ? (i64)c->cuts[i].at : size;
        lo = lo < 0 ? 0 : lo;
        hi = hi > size ? size : hi;
        if (hi <= lo)
            continue;
        const Form *at = form_number(a, DT_I64, coef_whole(DT_I64, lo));
        FormIndex index = {axis, 1, lo ? at : NULL};
        part_dims[axis] = size_const(a->st, hi - lo);
        const Form *part = with_index(a, c->values[i], axis, hi - lo == 1 ? index_of(at) : index);
        a->dims = part_dims;
        a->rank = rank;
        part = form_settle(a, part);
        a->dims = NULL;
        sum = form_add(a, sum, part ? form_sum_axes(a, part, rank, axes, part_dims) : NULL);
    }
    return sum;
}

/* The choice is about what is not summed over. */
static const Form *sum_values(Algebra *a, const Form *f, int rank, u64 axes, Size *const *dims)
{
    const Form *values[FORM_MOST_REGIONS + 1];
    FormChoice c = *f->choice;
    FormIndex to[FORM_BOUND] = {{0}};
    for (int i = 0, left = 0; i < rank; i++)
        to[i] = axes >> i & 1 ? (FormIndex){-1, 0, NULL} : index_name(left++);
    c.of = form_substitute(a, f->choice->of, to, 0, NULL);
    for (u32 i = 0; i <= c.ncuts; i++)
        if (!(values[i] = form_sum_axes(a, f->choice->values[i], rank, axes, dims)))
            return NULL;
    c.values = values;
    if (c.nan && !(c.nan = form_sum_axes(a, c.nan, rank, axes, dims)))
        return NULL;
    return form_choose(a, &c);
}

const Form *form_sum_choice(Algebra *a, const Form *x, int rank, u64 axes, Size *const *dims)
{
    int axis = axis_of_choice(a, x, rank, axes, dims);
    FormFactor whole;
    if (!(form_free_names(x->choice->of) & axes))
        return sum_values(a, x, rank, axes, dims);
    if (dtype_is_float(x->dtype))
        a->classes |= FORM_EXPANDS;
    if (axis >= 0)
        return sum_parts(a, x, rank, axes, dims, axis);
    return atom_function(a, NULL, 1, &x, &whole)
               ? form_sum_axes(a, form_of_factor(a, x->dtype, &whole), rank, axes, dims)
               : NULL;
}
