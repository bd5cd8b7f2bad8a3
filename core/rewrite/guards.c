/* Guards: what a rule may ask. One row each; `:help guards` and the manual read the table.
 *
 * Invariant: a guard that holds is proved. One that does not hold may still be true, so `not`
 * belongs only to guards about axes, dtypes and what is read. */
#include "graph/walk.h"
#include "rewrite/pattern.h"
#include <math.h>

/* Adds "; " and a line to the evidence. */
static void says(RuleCall *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void says(RuleCall *c, const char *fmt, ...)
{
    if (!c->why)
        return;
    va_list ap;
    va_start(ap, fmt);
    text_put(c->why, c->why->len ? "; " : "");
    text_vprintf(c->why, fmt, ap);
    va_end(ap);
}

/* The name that the rule gives to what an argument stands for. */
static const char *name_of(const RuleCall *c, const Node *n)
{
    for (int i = 0; i < c->vars->n; i++)
        if (c->b->bound >> i & 1 && c->b->at[i].kind == 'n' && c->b->at[i].node == n)
            return c->vars->names[i];
    return "it";
}

/* ---- values ---- */

static bool fact_says(RuleCall *c, const Node *n, bool holds, const char *what)
{
    if (!holds || !c->why)
        return holds;
    says(c, "`%s` is %s: ", name_of(c, n), what);
    fact_explain(c->facts, c->st, n, c->why);
    return true;
}

static bool guard_finite(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    return fact_says(c, a[0].node, fact_finite(c->facts, a[0].node), "finite");
}

static bool guard_nonnegative(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    return fact_says(c, a[0].node, fact_at_least(c->facts, a[0].node, 0), "not negative");
}

static bool guard_positive(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    const Fact *k = fact_of(c->facts, a[0].node);
    return fact_says(c, a[0].node, k->lo > 0, "positive");
}

static bool guard_nonpositive(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    return fact_says(c, a[0].node, fact_at_most(c->facts, a[0].node, 0), "not positive");
}

static bool guard_nonzero(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    return fact_says(c, a[0].node, fact_of(c->facts, a[0].node)->nonzero, "not zero");
}

/* Powers of 1 and -1 would go on for ever. */
static bool guard_varies(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    const Fact *k = fact_of(c->facts, a[0].node);
    if (k->lo == k->hi)
        return false;
    says(c, "`%s` is not one number", name_of(c, a[0].node));
    return true;
}

static bool guard_no_nan(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    bool number = a[0].node->type->kind == TYPE_TENSOR && a[0].node->type->dtype != DT_RNG;
    return fact_says(c, a[0].node, number && !fact_of(c->facts, a[0].node)->nan, "never NaN");
}

static bool guard_whole(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    return fact_says(c, a[0].node, fact_of(c->facts, a[0].node)->whole, "a whole number");
}

static bool guard_at_least(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    return fact_says(c, a[0].node, fact_at_least(c->facts, a[0].node, a[1].number), "large enough");
}

static bool guard_at_most(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    return fact_says(c, a[0].node, fact_at_most(c->facts, a[0].node, a[1].number), "small enough");
}

static bool guard_not_above(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    const Fact *x = fact_of(c->facts, a[0].node), *z = fact_of(c->facts, a[1].node);
    return fact_says(c, a[0].node, x->hi <= z->lo, "never above the other");
}

static bool guard_below(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    const Fact *x = fact_of(c->facts, a[0].node), *z = fact_of(c->facts, a[1].node);
    return fact_says(c, a[0].node, x->hi < z->lo, "below the other");
}

static bool guard_no_minus_zero(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    if (!fact_never_minus_zero(c->facts, a[0].node))
        return false;
    says(c, "`%s` is never -0", name_of(c, a[0].node));
    return true;
}

static bool has_zero(const Fact *k) { return !k->nonzero && k->lo <= 0 && k->hi >= 0; }

/* Where both are 0, the one is as good as the other. */
static bool guard_zeros_alike(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    Node *x = a[0].node, *z = a[1].node;
    if (!has_zero(fact_of(c->facts, x)) || !has_zero(fact_of(c->facts, z)))
        return true;
    return fact_never_minus_zero(c->facts, x) && fact_never_minus_zero(c->facts, z);
}

static bool guard_unique(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    if (!fact_of(c->facts, a[0].node)->unique)
        return false;
    says(c, "no two elements of %s are equal, because it comes from %s", name_of(c, a[0].node),
         op_table[a[0].node->op].name);
    return true;
}

/* Every element of a constant is an even whole number. */
static bool guard_even(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c, (void)out;
    const Tensor *t = node_is_const(a[0].node) ? a[0].node->attrs[0].value : NULL;
    for (i64 i = 0; t && i < t->count; i++)
        if (fmod(tensor_f64_at(t, i), 2) != 0)
            return false;
    return t != NULL;
}

/* The only number of a scalar constant of integers. */
static bool whole_constant(const Node *n, i64 *k)
{
    return node_const_i64(n, k) && dtype_is_int(n->type->dtype);
}

static bool guard_divides(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    i64 divisor, number;
    (void)c, (void)out;
    return whole_constant(a[0].node, &divisor) && whole_constant(a[1].node, &number) &&
           divisor > 0 && number % divisor == 0;
}

static bool guard_power_of_two(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    i64 k;
    (void)c, (void)out;
    return whole_constant(a[0].node, &k) && k > 0 && !(k & (k - 1));
}

static bool guard_differ(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    i64 x, z;
    (void)c, (void)out;
    return whole_constant(a[0].node, &x) && whole_constant(a[1].node, &z) && x != z;
}

static bool guard_within(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    i64 i, bound, axis = a[2].attr.i;
    const Type *x = a[1].node->type;
    if (!whole_constant(a[0].node, &i) || x->kind != TYPE_TENSOR || axis < 0 || axis >= x->rank)
        return false;
    if (i < 0 || !size_lower_bound(x->dims[axis], &bound) || i >= bound)
        return false;
    says(c, "%s has an element at %lld", name_of(c, a[1].node), (long long)i);
    return true;
}

/* What depends on the variable of a derivative, a map or a loop is open. */
static bool guard_constant(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    if (a[0].node->open)
        return false;
    says(c, "%s depends on nothing that varies there", name_of(c, a[0].node));
    return true;
}

static bool guard_reads(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c, (void)out;
    return node_reads(a[0].node, a[1].node);
}

/* ---- types ---- */

static bool guard_scalar(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    if (a[0].node->type->rank)
        return false;
    says(c, "%s is a scalar", name_of(c, a[0].node));
    return true;
}

static bool guard_matrix(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c, (void)out;
    return a[0].node->type->rank == 2;
}

static bool guard_vector(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c, (void)out;
    return a[0].node->type->rank == 1;
}

static bool guard_same_type(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c, (void)out;
    return a[0].node->type == a[1].node->type;
}

static bool guard_transposed_sizes(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    const Type *x = a[0].node->type, *z = a[1].node->type;
    (void)c, (void)out;
    return x->rank == 2 && z->rank == 2 && x->dims[0] == z->dims[1] && x->dims[1] == z->dims[0];
}

static bool guard_same_dtype(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c, (void)out;
    return a[0].node->type->dtype == a[1].node->type->dtype;
}

static bool guard_is_dtype(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c, (void)out;
    return a[0].node->type->dtype == (DType)a[1].attr.i;
}

static bool guard_lossless(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    DType from = a[0].node->type->dtype, to = (DType)a[1].attr.i;
    bool ok = from == to || (from == DT_BOOL && to != DT_RNG) ||
              (from == DT_I32 && (to == DT_I64 || to == DT_F64)) ||
              (from == DT_F32 && to == DT_F64);
    if (ok)
        says(c, "every %s is a %s", dtype_name(from), dtype_name(to));
    return ok;
}

static bool guard_real_dtype(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c, (void)out;
    return dtype_is_float((DType)a[0].attr.i);
}

/* ---- axes ---- */

static bool guard_disjoint(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c, (void)out;
    for (u32 i = 0; i < a[0].attr.ints->n; i++)
        if (intlist_has(a[1].attr.ints, a[0].attr.ints->at[i]))
            return false;
    return true;
}

static bool guard_includes(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c, (void)out;
    for (u32 i = 0; i < a[1].attr.ints->n; i++)
        if (!intlist_has(a[0].attr.ints, a[1].attr.ints->at[i]))
            return false;
    return true;
}

static bool guard_same_axes(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c, (void)out;
    return a[0].attr.ints == a[1].attr.ints;
}

static bool guard_less(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c, (void)out;
    return a[0].attr.i < a[1].attr.i;
}

static bool guard_empty(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c, (void)out;
    return !a[0].attr.ints->n;
}

static bool guard_identity(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c, (void)out;
    for (u32 i = 0; i < a[0].attr.ints->n; i++)
        if (a[0].attr.ints->at[i] != i)
            return false;
    return true;
}

static bool guard_every_axis(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)c, (void)out;
    return (int)a[1].attr.ints->n == a[0].node->type->rank;
}

static bool axes_fit(const Node *x, const IntList *axes)
{
    for (u32 i = 0; i < axes->n; i++)
        if (axes->at[i] < 0 || axes->at[i] >= x->type->rank)
            return false;
    return x->type->kind == TYPE_TENSOR;
}

static bool is_one_long(const Size *s) { return size_is(s, 1); }
static bool is_not_empty(const Size *s)
{
    i64 bound;
    return size_lower_bound(s, &bound) && bound >= 1;
}

static bool axes_are(RuleCall *c, const RuleValue *a, bool (*is)(const Size *s), const char *what)
{
    const Node *x = a[0].node;
    const IntList *axes = a[1].attr.ints;
    if (!axes_fit(x, axes))
        return false;
    for (u32 i = 0; i < axes->n; i++)
        if (!is(x->type->dims[axes->at[i]]))
            return false;
    says(c, "the axes of %s have length %s", name_of(c, x), what);
    return true;
}

static bool guard_one_long(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    return axes_are(c, a, is_one_long, "1");
}

static bool guard_not_empty(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    return axes_are(c, a, is_not_empty, "1 or more");
}

/* Of nothing, a sum of c * x is 0, and so must be c times the sum. */
static bool guard_neutral(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    bool finite = fact_finite(c->facts, a[0].node);
    return finite ? fact_says(c, a[0].node, true, "finite") : guard_not_empty(c, a + 1, out);
}

/* The same of x / c, where infinity does no harm. */
static bool guard_neutral_below(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    const Fact *k = fact_of(c->facts, a[0].node);
    bool divides = k->nonzero && !k->nan;
    return divides ? fact_says(c, a[0].node, true, "a divisor of 0")
                   : guard_not_empty(c, a + 1, out);
}

static bool guard_constant_along(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    const Node *x = a[0].node;
    const IntList *axes = a[1].attr.ints;
    const char *name = name_of(c, x);
    if (x->type->rank == 0) {
        says(c, "%s is a scalar", name);
        return true;
    }
    if (!axes_fit(x, axes) || x->op != OP_BROADCAST)
        return false;
    for (u32 i = 0; i < axes->n; i++)
        if (intlist_has(x->attrs[0].ints, axes->at[i]))
            return false;
    says(c, "%s is repeated along these axes", name);
    return true;
}

/* The axis along which x counts 0, 1, 2, ..., the same wherever one stands on the others; or -1. */
static int counts_along(const Node *x)
{
    if (x->op == OP_IOTA)
        return 0;
    if (x->op == OP_EXPAND_DIMS) {
        int axis = counts_along(x->ops[0]);
        const IntList *axes = x->attrs[0].ints;
        for (u32 i = 0; i < axes->n && axis >= 0; i++) /* in ascending order */
            axis += axes->at[i] <= axis;
        return axis;
    }
    int axis = x->op == OP_BROADCAST ? counts_along(x->ops[0]) : -1;
    return axis < 0 ? -1 : (int)x->attrs[0].ints->at[axis];
}

static bool is_eye(const Tensor *t)
{
    const u8 *at = t->data;
    for (i64 i = 0; i < t->shape[0]; i++)
        for (i64 k = 0; k < t->shape[1]; k++)
            if ((at[i * t->shape[1] + k] != 0) != (i == k))
                return false;
    return true;
}

static bool guard_diagonal(RuleCall *c, const RuleValue *a, RuleValue *out)
{
    (void)out;
    const Node *p = a[0].node;
    const Type *type = p->type;
    if (type->kind != TYPE_TENSOR || type->dtype != DT_BOOL || type->rank != 2 ||
        type->dims[0] != type->dims[1])
        return false;
    bool is = node_is_const(p) ? is_eye(p->attrs[0].value)
                               : p->op == OP_EQ && counts_along(p->ops[0]) >= 0 &&
                                     counts_along(p->ops[1]) == 1 - counts_along(p->ops[0]);
    if (is)
        says(c, "%s is true only on the diagonal", name_of(c, p));
    return is;
}

const RuleFunction guards[] = {
    {"finite", "n", 0, guard_finite, "no element is NaN or infinite"},
    {"no_nan", "n", 0, guard_no_nan, "no element is NaN"},
    {"nonnegative", "n", 0, guard_nonnegative, "no element is below 0; NaN may be among them"},
    {"positive", "n", 0, guard_positive, "every element that is not NaN is above 0"},
    {"nonpositive", "n", 0, guard_nonpositive, "no element is above 0; NaN may be among them"},
    {"nonzero", "n", 0, guard_nonzero, "no element is 0"},
    {"varies", "n", 0, guard_varies, "not known to be the same number everywhere"},
    {"whole", "n", 0, guard_whole, "every element is a whole number, infinite or NaN"},
    {"at_least", "nf", 0, guard_at_least, "no element is below a number"},
    {"at_most", "nf", 0, guard_at_most, "no element is above a number"},
    {"not_above", "nn", 0, guard_not_above,
     "every element of the first is at most every one of the second"},
    {"below", "nn", 0, guard_below, "every element of the first is below every one of the second"},
    {"no_minus_zero", "n", 0, guard_no_minus_zero, "no element is -0"},
    {"zeros_alike", "nn", 0, guard_zeros_alike,
     "the first and the second are not both 0, or neither is ever -0"},
    {"unique", "n", 0, guard_unique, "integers of which no two are equal"},
    {"even", "n", 0, guard_even, "a constant of even whole numbers"},
    {"divides", "nn", 0, guard_divides,
     "scalar constants of integers: the first is above 0 and divides the second"},
    {"power_of_two", "n", 0, guard_power_of_two, "a scalar constant of integers: 1, 2, 4, .."},
    {"differ", "nn", 0, guard_differ, "scalar constants of integers that are not equal"},
    {"within", "nni", 0, guard_within,
     "the first, a scalar constant, is a position that the second is proved to have along an axis"},
    {"constant", "n", 0, guard_constant,
     "it does not depend on the variable of the derivative or map around it, nor on the step of "
     "the loop"},
    {"reads", "nn", 0, guard_reads, "the second, a state of the loop, is read by the first"},
    {"scalar", "n", 0, guard_scalar, "rank 0"},
    {"vector", "n", 0, guard_vector, "rank 1"},
    {"matrix", "n", 0, guard_matrix, "rank 2"},
    {"same_type", "nn", 0, guard_same_type, "equal dtype and sizes"},
    {"transposed_sizes", "nn", 0, guard_transposed_sizes,
     "matrices, the second as large as the first transposed"},
    {"same_dtype", "nn", 0, guard_same_dtype, "equal dtype"},
    {"is_dtype", "nd", 0, guard_is_dtype, "elements of that dtype"},
    {"lossless", "nd", 0, guard_lossless, "a cast to that dtype loses nothing"},
    {"real_dtype", "d", 0, guard_real_dtype, "f32 or f64"},
    {"disjoint", "II", 0, guard_disjoint, "no axis is in both lists"},
    {"includes", "II", 0, guard_includes, "the second list of axes is part of the first"},
    {"same_axes", "II", 0, guard_same_axes, "the same axes in the same order"},
    {"less", "ii", 0, guard_less, "the first integer is less than the second"},
    {"empty", "I", 0, guard_empty, "no axes"},
    {"identity", "I", 0, guard_identity, "the order 0, 1, 2, ..."},
    {"every_axis", "nI", 0, guard_every_axis, "the list has one entry per axis of the operand"},
    {"one_long", "nI", 0, guard_one_long, "these axes have length 1, statically"},
    {"not_empty", "nI", 0, guard_not_empty, "these axes are proved to have an element"},
    {"neutral", "nnI", 0, guard_neutral,
     "the first is proved finite, or these axes of the second are proved nonempty: an empty sum "
     "stays 0"},
    {"neutral_below", "nnI", 0, guard_neutral_below,
     "the same for a divisor: the first is proved neither 0 nor NaN, or these axes of the second "
     "are proved nonempty"},
    {"diagonal", "n", 0, guard_diagonal,
     "a matrix of bools that is true only on the main diagonal"},
    {"constant_along", "nI", 0, guard_constant_along,
     "a scalar, or repeated along these axes; `drop` gives it without them"},
};
const size_t guard_count = COUNT_OF(guards);

const RuleFunction *guard_by_name(const char *name)
{
    for (size_t i = 0; i < guard_count; i++)
        if (!strcmp(guards[i].name, name))
            return &guards[i];
    return NULL;
}
