/* Constants that become one.
 *
 * Invariant: none is made infinite, zero or subnormal that was not so before. */
#include <float.h>
#include <math.h>

#include "graph/walk.h"
#include "passes/code_rules.h"

enum { FOLD_LIMIT = 4096 }; /* elements: a large array is cheaper to compute than to keep */

static bool is_subnormal(double v, DType d)
{
    return v != 0 && fabs(v) < (d == DT_F32 ? FLT_MIN : DBL_MIN);
}

/* Element i of an operand that may be a scalar. */
static double element(const Tensor *t, i64 i) { return tensor_f64_at(t, t->count == 1 ? 0 : i); }

static bool rounds_off(OpId op)
{
    return op == OP_FLOOR || op == OP_CEIL || op == OP_ROUND || op == OP_TRUNC;
}

/* Did that number come of ordinary numbers by leaving the range of its dtype? Sums are 0 exactly,
 * and a function of one small number may be 0 where it is on paper. */
static bool left_range(const Node *n, double to, i64 i)
{
    bool zero = false, tiny = false, large = n->nops > 1;
    DType d = node_dtype(n);
    for (u32 k = 0; k < n->nops; k++) {
        double from = element(n->ops[k]->attrs[0].value, i);
        if (!isfinite(from))
            return false;
        zero = zero || from == 0;
        tiny = tiny || is_subnormal(from, d);
        large = large || fabs(from) >= 2 || (fabs(from) < FLT_MIN && !rounds_off(n->op));
    }
    if (isinf(to))
        return large && !(zero && n->op != OP_ADD && n->op != OP_SUB);
    bool product = n->nops == 1 || n->op == OP_MUL || n->op == OP_DIV || n->op == OP_POW;
    return product && ((to == 0 && large && !zero) || (is_subnormal(to, d) && !tiny));
}

/* Zero, a subnormal or infinity from ordinary numbers by a function that is not so there: what is
 * around it may have a form that stays in range (stabilize.rules), so it is not folded. */
static bool leaves_range(const Node *n, const Node *value)
{
    if (!dtype_is_float(node_dtype(n)) || !op_is_elementwise(n->op) || n->op == OP_CAST ||
        n->op == OP_RELU || n->op == OP_WHERE)
        return false;
    const Tensor *y = value->attrs[0].value;
    for (u32 k = 0; k < n->nops; k++)
        if (n->ops[k]->op != OP_CONST || !dtype_is_float(node_dtype(n->ops[k])) ||
            (n->ops[k]->attrs[0].value->count != 1 && n->ops[k]->attrs[0].value->count != y->count))
            return false;
    for (i64 i = 0; i < y->count; i++)
        if (left_range(n, tensor_f64_at(y, i), i))
            return true;
    return false;
}

bool fold_constants(Site *site)
{
    Node *n = site->node;
    i64 count = 1, k;
    for (int a = 0; n->type->kind == TYPE_TENSOR && a < n->type->rank; a++) {
        if (!size_is_const(n->type->dims[a], &k))
            return site_refuse(site, NULL, "its shape is unknown");
        if (__builtin_mul_overflow(count, k, &count))
            return false;
    }
    if (!can_fold(n) || n->op == OP_BROADCAST || n->op == OP_IOTA || n->op == OP_RNG)
        return site_refuse(site, NULL, "its operands are not all constants");
    if (count > FOLD_LIMIT)
        return site_refuse(site, NULL, "the value has more than %d elements", FOLD_LIMIT);
    Node *value = fold_node(site->st, n);
    if (value && leaves_range(n, value))
        return site_refuse(
            site, NULL,
            "the constant would be out of range; a rule for its user may still avoid that");
    if (!value || value == n)
        return false;
    site_put(site, n, value);
    return true;
}

/* Two constants of an n-ary node become one. */
bool fold_operands(Site *site)
{
    Node *n = site->node;
    NodeVec consts = {0}, rest = {0};
    for (u32 i = 0; i < n->nops; i++) {
        bool number = n->ops[i]->op == OP_CONST && n->ops[i]->type->rank == 0;
        vec_push(number ? &consts : &rest, n->ops[i]);
    }
    bool ok = consts.len >= 2 && rest.len;
    if (!ok)
        site_refuse(site, NULL, "it has fewer than two constant operands, or nothing else");
    Node *c = ok ? node_make(site->st, n->op, NULL, (u32)consts.len, consts.at) : NULL;
    Node *value = c ? fold_node(site->st, c) : NULL;
    if ((ok = value && !(leaves_range(c, value) &&
                         !site_refuse(site, NULL,
                                      "the constants together exceed the range of their dtype")))) {
        vec_push(&rest, value);
        Node *r = node_make(site->st, n->op, NULL, (u32)rest.len, rest.at);
        if ((ok = r && r != n))
            site_put(site, n, r);
    }
    vec_free(&consts);
    vec_free(&rest);
    return ok;
}

/* n with the number among its factors negated, or with that of a product of scalars among them;
 * NULL: there is none. */
static Node *with_other_sign(Store *st, Node *n, bool inner)
{
    double c;
    for (u32 k = 0; k < n->nops && n->op == OP_MUL; k++) {
        Node *x = n->ops[k], *other = NULL;
        if (node_const_f64(x, &c) && dtype_is_float(x->type->dtype))
            other = node_number(st, x->type->dtype, -c);
        else if (inner && x->type->rank < n->type->rank)
            other = with_other_sign(st, x, false);
        if (!other)
            continue;
        Node **ops = xmalloc(n->nops * sizeof *ops);
        memcpy(ops, n->ops, n->nops * sizeof *ops);
        ops[k] = other;
        Node *r = node_make(st, n->op, n->attrs, n->nops, ops);
        free(ops);
        return r;
    }
    return NULL;
}

bool fold_sign(Site *site)
{
    Node *n = site->node, *x = n->ops[0];
    Node *after = x->op == OP_MUL ? with_other_sign(site->st, x, true) : NULL;
    if (!after || after->type != n->type)
        return site_refuse(site, x, "it is not a product with a number");
    site_put(site, n, after);
    return true;
}
