/* Operators that only read their operand elsewhere: other indices in its form. */
#include "algebra/readers.h"
#include "ops/ops.h"

const Form *form_read_transpose(Algebra *a, const Node *n, const Form *const *x)
{
    FormIndex to[FORM_BOUND] = {{0}};
    for (int i = 0; i < n->type->rank; i++)
        to[n->attrs[0].ints->at[i]] = index_name(i);
    return form_substitute(a, x[0], to, 0, NULL);
}

const Form *form_read_broadcast(Algebra *a, const Node *n, const Form *const *x)
{
    FormIndex to[FORM_BOUND] = {{0}};
    for (u32 i = 0; i < n->attrs[0].ints->n; i++)
        to[i] = index_name((int)n->attrs[0].ints->at[i]);
    return form_substitute(a, x[0], to, 0, NULL);
}

const Form *form_read_expand_dims(Algebra *a, const Node *n, const Form *const *x)
{
    FormIndex to[FORM_BOUND] = {{0}};
    const IntList *axes = n->attrs[0].ints;
    for (int i = 0, k = 0; i < n->type->rank; i++) {
        bool added = k < (int)axes->n && axes->at[k] == i;
        if (added)
            k++;
        else
            to[i - k] = index_name(i);
    }
    return form_substitute(a, x[0], to, 0, NULL);
}

const Form *form_read_squeeze(Algebra *a, const Node *n, const Form *const *x)
{
    FormIndex to[FORM_BOUND] = {{0}};
    const Type *t = n->ops[0]->type;
    const IntList *axes = n->attrs[0].ints;
    for (int i = 0, k = 0; i < t->rank; i++) {
        bool gone = k < (int)axes->n && axes->at[k] == i;
        to[i] = gone ? (FormIndex){-1, 0, NULL} : index_name(i - k);
        k += gone;
        if (gone && !size_is(t->dims[i], 1))
            return NULL;
    }
    return form_substitute(a, x[0], to, 0, NULL);
}

/* Only axes of length 1 come or go. */
const Form *form_read_reshape(Algebra *a, const Node *n, const Form *const *x)
{
    FormIndex to[FORM_BOUND] = {{0}};
    const Type *from = n->ops[0]->type, *t = n->type;
    int k = 0;
    for (int i = 0; i < from->rank; i++) {
        to[i] = (FormIndex){-1, 0, NULL};
        if (size_is(from->dims[i], 1))
            continue;
        while (k < t->rank && size_is(t->dims[k], 1))
            k++;
        if (k == t->rank || t->dims[k] != from->dims[i])
            return NULL;
        to[i] = index_name(k++);
    }
    while (k < t->rank && size_is(t->dims[k], 1))
        k++;
    return k == t->rank ? form_substitute(a, x[0], to, 0, NULL) : NULL;
}

/* ---- parts ---- */

static const Form *size_plus(Algebra *a, Size *s, i64 k)
{
    const Form *more = form_number(a, DT_I64, coef_whole(DT_I64, k));
    return form_add(a, form_of_size(a, DT_I64, s), more);
}

const Form *form_read_flip(Algebra *a, const Node *n, const Form *const *x)
{
    FormIndex to[FORM_BOUND];
    indices_same(to);
    for (u32 i = 0; i < n->attrs[0].ints->n; i++) {
        int axis = (int)n->attrs[0].ints->at[i];
        const Form *last = size_plus(a, n->type->dims[axis], -1);
        if (!last)
            return NULL;
        if (!size_is(n->type->dims[axis], 1))
            to[axis] = (FormIndex){axis, -1, last->nterms ? last : NULL};
    }
    return form_substitute(a, x[0], to, 0, NULL);
}

/* A position from the beginning; NULL: it may count from the end. */
const Form *form_position(Algebra *a, Node *at, Size *size)
{
    i64 k;
    if (node_const_i64(at, &k) && k < 0)
        return size_plus(a, size, k);
    Size *from = size_of_node(a->st, at);
    return from && size_lower_bound(from, &k) && k >= 0 ? form_of_size(a, DT_I64, from) : NULL;
}

static FormIndex index_at(int name, i64 scale, const Form *at)
{
    return (FormIndex){name, scale, at->nterms ? at : NULL};
}

/* Positions that only a run knows, and that may be negative, stand where the whole axis stood. */
static bool reads_whole_axis(const Form *x, int axis)
{
    for (u32 t = 0; t < x->nterms; t++)
        for (u32 i = 0; i < x->terms[t].of->nfactors; i++) {
            const FormFactor *f = &x->terms[t].of->factors[i];
            for (u32 k = 0; k < f->arity; k++)
                if (f->index[k].name == axis &&
                    (f->index[k].scale != 1 || f->index[k].at || f->atom->kind == ATOM_DELTA))
                    return false;
        }
    return true;
}

const Form *form_read_index(Algebra *a, const Node *n, const Form *const *x)
{
    FormIndex to[FORM_BOUND];
    int axis = (int)n->attrs[0].i;
    Size *size = n->ops[0]->type->dims[axis];
    const Form *at = form_position(a, n->ops[1], size);
    if (!at && x[1]->dtype == DT_I64 && !x[1]->choice && !x[0]->choice &&
        reads_whole_axis(x[0], axis))
        at = x[1];
    if (!at)
        return NULL;
    indices_same(to);
    for (int i = axis + 1; i < n->ops[0]->type->rank; i++)
        to[i] = index_name(i - 1);
    to[axis] = index_at(-1, 0, at);
    return form_substitute(a, x[0], to, 0, NULL);
}

const Form *form_read_slice(Algebra *a, const Node *n, const Form *const *x)
{
    FormIndex to[FORM_BOUND];
    int axis = (int)n->attrs[0].i;
    Size *size = n->ops[0]->type->dims[axis];
    Size *last = size_sub(a->st, size, size_const(a->st, 1)); /* -1 if there is nothing to read */
    bool from_last = size_of_node(a->st, n->ops[1]) == last;
    const Form *at = from_last ? form_of_size(a, DT_I64, last) : form_position(a, n->ops[1], size);
    if (!at)
        return NULL;
    indices_same(to);
    bool one = size_is(n->type->dims[axis], 1);
    to[axis] = one ? index_at(-1, 0, at) : index_at(axis, n->attrs[1].i, at);
    return form_substitute(a, x[0], to, 0, NULL);
}

/* ---- diagonals ---- */

static const Form *delta_at(Algebra *a, DType d, int x, int y)
{
    FormFactor f = {.atom = atom_delta(a), .power = 1, .arity = 2};
    f.index = arena_alloc(&a->arena, 2 * sizeof *f.index);
    f.index[0] = index_name(x);
    f.index[1] = index_name(y);
    return form_of_factor(a, d, &f);
}

static const Form *delta(Algebra *a, DType d) { return delta_at(a, d, 0, 1); }

/* The name of an axis of that many places, where the form is its place; -1: it is not. */
static int place_on_axis(const Form *f, const FormAtom **iota)
{
    const FormFactor *at = form_only_factor(f);
    if (!at || !at->atom->node || at->atom->node->op != OP_IOTA || at->index[0].scale != 1 ||
        at->index[0].at)
        return -1;
    *iota = at->atom;
    return at->index[0].name;
}

/* 1 where two places are equal, else 0: what eye(n) is made of. */
const Form *form_of_equal_places(Algebra *a, const Form *x, DType d)
{
    const FormFactor *f = form_only_factor(x);
    const FormAtom *left = NULL, *right = NULL;
    if (d == DT_BOOL || !f || f->atom->kind != ATOM_FUNCTION || f->atom->node->op != OP_EQ)
        return NULL;
    int i = place_on_axis(f->atom->args[0], &left), j = place_on_axis(f->atom->args[1], &right);
    if (i < 0 || j < 0 || i == j || left != right)
        return NULL;
    return delta_at(a, d, f->index[i].name, f->index[j].name);
}

const Form *form_read_diag(Algebra *a, const Node *n, const Form *const *x)
{
    FormIndex to[FORM_BOUND];
    const Type *t = n->ops[0]->type;
    indices_same(to);
    if (n->attrs[0].i || t->dtype == DT_BOOL || size_is(t->dims[0], 1))
        return NULL;
    if (t->rank == 1)
        return form_mul(a, delta(a, t->dtype), x[0]);
    to[1] = index_name(0);
    return t->dims[0] == t->dims[1] ? form_substitute(a, x[0], to, 0, NULL) : NULL;
}

const Form *form_read_eye(Algebra *a, const Node *n, const Form *const *x)
{
    i64 k = 0;
    (void)x;
    if (n->nops > 2 && (!node_const_i64(n->ops[2], &k) || k))
        return NULL;
    bool square = n->type->dims[0] == n->type->dims[1] && !size_is(n->type->dims[0], 1);
    return square && n->type->dtype != DT_BOOL ? delta(a, n->type->dtype) : NULL;
}
