/* Small constructions of nodes: promotion, broadcasting, and short forms.
 *
 * Invariant: a NULL operand gives NULL without a second diagnostic; what is already in
 * the wanted form is returned as it is. */
#include "ops/build.h"
#include "graph/control.h"
#include "ops/elem.h"

DType promote(DType a, DType b)
{
    if (a == DT_RNG || b == DT_RNG || a >= DT_COUNT || b >= DT_COUNT)
        return DT_COUNT;
    if (a == b)
        return a;
    DType low = a < b ? a : b, high = a < b ? b : a; /* bool < i32 < i64 < f32 < f64 */
    return high == DT_F32 && low != DT_BOOL ? DT_F64 : high;
}

DType dtype_joined(DType a, DType b) { return a == b ? a : promote(a, b); }

/* ---- elementwise ---- */

/* Operands of one dtype, the one the operator works on; `where` leaves its condition alone. */
static bool cast_operands(Store *st, OpId op, u32 n, Node **ops)
{
    u32 first = op == OP_WHERE ? 1 : 0;
    DType d = node_dtype(ops[first]);
    for (u32 i = first + 1; i < n; i++) {
        DType other = node_dtype(ops[i]), common = promote(d, other);
        if (common == DT_COUNT) {
            store_error(st, "type-mismatch", NULL, "%s: %s and %s have no common type",
                        op_table[op].name, dtype_name(d), dtype_name(other));
            return false;
        }
        d = common;
    }
    DType wanted = op_is_elem_row(op) && d != DT_RNG ? elem_operand_dtype(elem_of(op), d) : d;
    if (wanted == DT_COUNT || d == DT_RNG) {
        store_error(st, "type-mismatch", NULL, "%s is not defined for %s", op_table[op].name,
                    shape_text(st, ops[first]->type));
        return false;
    }
    for (u32 i = first; i < n; i++) {
        ops[i] = node_cast(st, ops[i], wanted);
        if (!ops[i])
            return false;
    }
    return true;
}

/* Would the transpose of one operand, or a new axis, make the shapes fit? */
static const char *shape_hint(Store *st, const Type *a, const Type *b)
{
    if (a->rank == 2 && b->rank == 2 && !size_provably_different(st, a->dims[0], b->dims[1]) &&
        !size_provably_different(st, a->dims[1], b->dims[0]))
        return "transpose one of them: x'";
    const Type *low = a->rank < b->rank ? a : b, *high = low == a ? b : a;
    if (low->rank == 1 && high->rank == 2 &&
        !size_provably_different(st, low->dims[0], high->dims[0]))
        return "give the shorter one an axis of length 1 at the end: x[:, None]";
    if (a->rank == 1 && b->rank == 1)
        return "for all pairs, give one of them an axis of length 1: x[:, None]";
    return NULL;
}

static bool shape_error(Store *st, OpId op, const Type *a, const Type *b, int axis, const Size *x,
                        const Size *y)
{
    Text s = {0}, t = {0};
    size_print(&s, x);
    size_print(&t, y);
    store_error(st, "shape-mismatch", shape_hint(st, a, b),
                "%s: shapes %s and %s do not match: axis %d is %s and %s", op_table[op].name,
                shape_text(st, a), shape_text(st, b), axis, text_str(&s), text_str(&t));
    text_free(&s);
    text_free(&t);
    return false;
}

typedef struct {
    int rank;
    Size *dims[MAX_RANK];
    Node *from[MAX_RANK]; /* an operand that has this size ... */
    int axis[MAX_RANK];   /* ... at this axis */
} Target;

/* The shape all operands are brought to: aligned from the right, sizes that are 1 give way. */
static bool target_shape(Store *st, OpId op, u32 n, Node *const *ops, Target *t)
{
    for (u32 k = 0; k < n; k++)
        t->rank = node_rank(ops[k]) > t->rank ? node_rank(ops[k]) : t->rank;
    for (u32 k = 0; k < n; k++) {
        const Type *x = ops[k]->type;
        for (int i = 0; i < x->rank; i++) {
            int at = t->rank - x->rank + i;
            Size *have = t->dims[at], *new = x->dims[i];
            if (have && !size_is(have, 1) && !size_is(new, 1) &&
                size_provably_different(st, have, new))
                return shape_error(st, op, t->from[at]->type, x, at, have, new);
            if (have && (size_is(new, 1) || (!size_is(have, 1) && size_prefer(new, have) == have)))
                continue;
            t->dims[at] = new;
            t->from[at] = ops[k];
            t->axis[at] = i;
        }
    }
    return true;
}

/* x along new axes and stretched ones; the axes it has at other sizes than 1 stay as they are. */
static Node *stretch(Store *st, Node *x, const Target *t)
{
    i64 axes[MAX_RANK];
    Node *ops[MAX_RANK + 1] = {x};
    int skip = t->rank - node_rank(x);
    bool needed = skip > 0;
    for (int i = 0; i < t->rank; i++) {
        Size *own = i >= skip ? x->type->dims[i - skip] : NULL;
        bool stretched = own && size_is(own, 1) && !size_is(t->dims[i], 1);
        needed = needed || stretched;
        if (own)
            axes[i - skip] = i;
        ops[i + 1] =
            own && !stretched ? node_dim(st, x, i - skip) : node_dim(st, t->from[i], t->axis[i]);
    }
    Attr a = {.ints = intlist(st, (u32)node_rank(x), axes)};
    return needed ? node_make(st, OP_BROADCAST, &a, (u32)t->rank + 1, ops) : x;
}

static bool same_sizes(const Type *a, const Type *b)
{
    return a->rank == b->rank && !memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims);
}

/* How much is known of x's sizes, to match the others against the best known. */
static int known_sizes(const Node *x)
{
    int known = 0;
    for (int i = 0; i < node_rank(x); i++)
        known += size_is_const(x->type->dims[i], NULL)        ? 2
                 : size_has_kind(x->type->dims[i], ATOM_NODE) ? 0
                                                              : 1;
    return known;
}

static bool match_operands(Store *st, u32 n, Node **ops)
{
    Node *like = NULL;
    for (u32 k = 0; k < n; k++)
        if (node_rank(ops[k]) && (!like || known_sizes(ops[k]) > known_sizes(like)))
            like = ops[k];
    for (u32 k = 0; k < n; k++) {
        if (node_rank(ops[k]))
            ops[k] = build_like(st, ops[k], like);
        if (!ops[k])
            return false;
    }
    return true;
}

static bool shape_operands(Store *st, OpId op, u32 n, Node **ops)
{
    Target t = {0};
    if (!target_shape(st, op, n, ops, &t))
        return false;
    for (u32 k = 0; k < n; k++) {
        if (node_rank(ops[k]))
            ops[k] = stretch(st, ops[k], &t);
        if (!ops[k])
            return false;
    }
    return match_operands(st, n, ops);
}

Node *build_elementwise(Store *st, OpId op, u32 n, Node *const *given)
{
    Node *small[8] = {NULL}, **ops = n <= COUNT_OF(small) ? small : xmalloc(n * sizeof *ops);
    Node *r = NULL;
    bool ok = true;
    for (u32 i = 0; i < n && ok; i++) {
        ops[i] = given[i];
        ok = ops[i] != NULL;
        if (ok && ops[i]->type->kind != TYPE_TENSOR) {
            store_error(st, "type-mismatch", NULL, "%s needs tensors, not %s", op_table[op].name,
                        shape_text(st, ops[i]->type));
            ok = false;
        }
    }
    if (ok && n >= (u32)op_table[op].min_ops)
        ok = cast_operands(st, op, n, ops) && shape_operands(st, op, n, ops);
    if (ok)
        r = node_make(st, op, NULL, n, ops);
    if (ops != small)
        free(ops);
    return r;
}

static bool repeats_to(const Type *t, const Type *whole)
{
    int new = whole->rank - t->rank;
    bool fits = new >= 0 && t->dtype == whole->dtype;
    for (int i = 0; i < t->rank && fits; i++)
        fits = t->dims[i] == whole->dims[new + i] || size_is(t->dims[i], 1);
    return fits;
}

bool build_is_chain(u32 n, Node *const *ops)
{
    const Type *whole = NULL;
    for (u32 i = 0; i < n; i++)
        if (ops[i]->type->kind != TYPE_TENSOR || !dtype_is_number(node_dtype(ops[i])))
            return false;
    for (u32 i = 0; i < 2 && i < n; i++)
        if (!whole || repeats_to(whole, ops[i]->type))
            whole = ops[i]->type;
    for (u32 i = 0; i < n; i++)
        if (!repeats_to(ops[i]->type, whole))
            return false;
    return n > 1;
}

static Node *elementwise2(Store *st, OpId op, Node *a, Node *b)
{
    Node *ops[] = {a, b};
    return build_elementwise(st, op, 2, ops);
}

Node *build_add(Store *st, Node *a, Node *b) { return elementwise2(st, OP_ADD, a, b); }
Node *build_sub(Store *st, Node *a, Node *b) { return elementwise2(st, OP_SUB, a, b); }
Node *build_mul(Store *st, Node *a, Node *b) { return elementwise2(st, OP_MUL, a, b); }
Node *build_neg(Store *st, Node *a) { return build_elementwise(st, OP_NEG, 1, &a); }

OpId op_turned(OpId op)
{
    return op == OP_LT   ? OP_GT
           : op == OP_LE ? OP_GE
           : op == OP_GT ? OP_LT
           : op == OP_GE ? OP_LE
                         : op;
}

Node *build_turned(Store *st, const Node *comparison)
{
    OpId op = op_turned((OpId)comparison->op);
    return op == comparison->op ? NULL
                                : node2(st, op, NULL, comparison->ops[1], comparison->ops[0]);
}

/* ---- shapes ---- */

Node *build_broadcast_to(Store *st, Node *x, int rank, Node *const *dims)
{
    if (!x)
        return NULL;
    int skip = rank - node_rank(x);
    if (skip < 0)
        return store_error(st, "shape-mismatch", NULL,
                           "broadcast: %s has more than the %d axes that are wanted",
                           shape_text(st, x->type), rank);
    if (rank > MAX_RANK)
        return store_error(st, "rank", NULL, "a tensor can have at most %d axes, not %d", MAX_RANK,
                           rank);
    i64 axes[MAX_RANK];
    Node *ops[MAX_RANK + 1] = {x};
    bool same = skip == 0;
    for (int i = 0; i < rank; i++) {
        ops[i + 1] = dims[i];
        if (!dims[i])
            return NULL;
        if (i >= skip) {
            axes[i - skip] = i;
            same = same && size_of_node(st, dims[i]) == x->type->dims[i - skip];
        }
    }
    Attr a = {.ints = intlist(st, (u32)node_rank(x), axes)};
    return same ? x : node_make(st, OP_BROADCAST, &a, (u32)rank + 1, ops);
}

Node *build_full(Store *st, Node *scalar, int rank, Node *const *dims)
{
    return build_broadcast_to(st, scalar, rank, dims);
}

static bool dims_of(Store *st, Node *x, Node **dims)
{
    for (int i = 0; i < node_rank(x); i++) {
        dims[i] = node_dim(st, x, i);
        if (!dims[i])
            return false;
    }
    return true;
}

static Node *constant_like(Store *st, Node *x, double value)
{
    Node *dims[MAX_RANK];
    if (!x)
        return NULL;
    if (x->type->kind != TYPE_TENSOR || node_dtype(x) == DT_RNG)
        return store_error(st, "type-mismatch", NULL, "there is no number of type %s",
                           shape_text(st, x->type));
    if (!dims_of(st, x, dims))
        return NULL;
    return build_full(st, node_number(st, node_dtype(x), value), node_rank(x), dims);
}

bool node_is_zeros(const Node *n)
{
    double x;
    while (n->op == OP_BROADCAST)
        n = n->ops[0];
    return node_const_f64(n, &x) && x == 0;
}

Node *build_zeros_like(Store *st, Node *x) { return constant_like(st, x, 0); }
Node *build_ones_like(Store *st, Node *x) { return constant_like(st, x, 1); }

Node *build_like(Store *st, Node *x, Node *like)
{
    Node *dims[MAX_RANK];
    if (!x || !like || same_sizes(x->type, like->type))
        return x;
    if (node_rank(x))
        return node2(st, OP_MATCH_SHAPE, NULL, x, like);
    return dims_of(st, like, dims) ? build_full(st, x, node_rank(like), dims) : NULL;
}

Node *build_unreduce(Store *st, Node *x, const IntList *axes, Node *like)
{
    Node *ops[MAX_RANK + 1] = {x};
    i64 kept[MAX_RANK];
    u32 nkept = 0, k = 0;
    if (!x || !like || !axes->n)
        return x;
    if (!dims_of(st, like, ops + 1))
        return NULL;
    for (int i = 0; i < node_rank(like); i++)
        if (k < axes->n && axes->at[k] == i)
            k++;
        else
            kept[nkept++] = i;
    Attr a = {.ints = intlist(st, nkept, kept)};
    return node_make(st, OP_BROADCAST, &a, (u32)node_rank(like) + 1, ops);
}

const IntList *all_axes(Store *st, int rank)
{
    i64 axes[MAX_RANK];
    for (int i = 0; i < rank && i < MAX_RANK; i++)
        axes[i] = i;
    return intlist(st, (u32)rank, axes);
}

Node *build_sum(Store *st, Node *x, const IntList *axes)
{
    Attr a = {.ints = axes};
    return x && axes->n ? node1(st, OP_SUM, &a, x) : x;
}

Node *build_sum_all(Store *st, Node *x)
{
    return x && node_rank(x) ? build_sum(st, x, all_axes(st, node_rank(x))) : x;
}

Node *build_transpose(Store *st, Node *x, const int *perm)
{
    i64 axes[MAX_RANK] = {0};
    bool identity = true;
    if (!x)
        return NULL;
    for (int i = 0; i < node_rank(x); i++) {
        axes[i] = perm[i];
        identity = identity && perm[i] == i;
    }
    Attr a = {.ints = intlist(st, (u32)node_rank(x), axes)};
    return identity ? x : node1(st, OP_TRANSPOSE, &a, x);
}

Node *build_swap_last(Store *st, Node *x)
{
    int perm[MAX_RANK], rank = x ? node_rank(x) : 0;
    if (!x)
        return NULL;
    if (rank < 2)
        return store_error(st, "rank", "add an axis first: x[:, None]",
                           "x' needs two axes to swap, but this is %s", shape_text(st, x->type));
    for (int i = 0; i < rank; i++)
        perm[i] = i;
    perm[rank - 1] = rank - 2;
    perm[rank - 2] = rank - 1;
    return build_transpose(st, x, perm);
}

Node *build_reshape(Store *st, Node *x, int rank, Node *const *dims)
{
    Node *ops[MAX_RANK + 1] = {x};
    if (!x)
        return NULL;
    if (rank > MAX_RANK)
        return store_error(st, "rank", NULL, "a tensor can have at most %d axes, not %d", MAX_RANK,
                           rank);
    bool same = rank == node_rank(x);
    for (int i = 0; i < rank; i++) {
        ops[i + 1] = dims[i];
        same = same && dims[i] && size_of_node(st, dims[i]) == x->type->dims[i];
    }
    return same ? x : node_make(st, OP_RESHAPE, NULL, (u32)rank + 1, ops);
}

Node *build_size(Store *st, Node *computed)
{
    Size *s = computed ? size_of_node(st, computed) : NULL;
    return s && size_is_global(s) ? size_to_node(st, s) : computed;
}

Node *build_flat(Store *st, Node *x)
{
    Node *dims[MAX_RANK];
    int rank = node_rank(x);
    if (rank == 1)
        return x;
    for (int i = 0; i < rank; i++)
        dims[i] = node_dim(st, x, i);
    Node *n = build_size(st, build_product(st, rank, dims));
    return n ? build_reshape(st, x, 1, &n) : NULL;
}

Node *build_product(Store *st, int n, Node *const *dims)
{
    Node *product = n ? dims[0] : node_i64(st, 1);
    for (int i = 1; i < n; i++)
        product = build_mul(st, product, dims[i]);
    return product;
}

Node *build_merged(Store *st, Node *x, int first, int n)
{
    Node *dims[MAX_RANK];
    int rank = x ? node_rank(x) : 0;
    if (n <= 1)
        return x;
    for (int i = 0; i < rank; i++)
        dims[i] = node_dim(st, x, i);
    dims[first] = build_product(st, n, dims + first);
    for (int i = first + n; i < rank; i++)
        dims[i - n + 1] = dims[i];
    return build_reshape(st, x, rank - n + 1, dims);
}

Node *build_expand(Store *st, Node *x, int axis)
{
    i64 at = axis;
    Attr a = {.ints = intlist(st, 1, &at)};
    return x ? node1(st, OP_EXPAND_DIMS, &a, x) : NULL;
}

Node *build_squeeze(Store *st, Node *x, int axis)
{
    i64 at = axis;
    Attr a = {.ints = intlist(st, 1, &at)};
    return x ? node1(st, OP_SQUEEZE, &a, x) : NULL;
}

Node *build_index(Store *st, Node *x, int axis, Node *i)
{
    Attr a = {.i = axis};
    return node2(st, OP_INDEX, &a, x, i);
}

Node *build_slice(Store *st, Node *x, int axis, Node *start, Node *len, i64 step)
{
    Attr a[] = {{.i = axis}, {.i = step}};
    return node3(st, OP_SLICE, a, x, start, len);
}

Node *build_if(Store *st, Node *condition, int n, Node *const *yes, Node *const *no,
               const NodeSet *mentioned)
{
    CloseRequest sides[2] = {{.nouts = n, .outs = yes, .mentioned = mentioned},
                             {.nouts = n, .outs = no, .mentioned = mentioned}};
    IfParts p;
    if_open(&p, condition);
    bool ok = condition && if_branch(st, &p, 0, &sides[0]) && if_branch(st, &p, 1, &sides[1]);
    Node *r = ok ? if_node(st, &p) : NULL;
    if_parts_free(&p);
    return r;
}
