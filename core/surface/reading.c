/* Trees as people write them: what they say of a form, they say in fewer words.
 *
 * Invariant: what is read is a graph of the same value; only what the types of the other operands
 * tell is left out. */
#include "graph/control.h"
#include "ops/build.h"
#include "ops/elem.h"
#include "surface/tree.h"

#include <math.h>

enum { MOST_ELEMENTS = 6 }; /* of a constant that is written out */

/* ---- evident forms ---- */

/* An operand other than op whose sizes do not come from such a form, too. */
static bool stands_by_itself(const Node *user, const Node *op, u32 i)
{
    const Node *other = user->ops[i];
    return other != op && other->op != OP_CONST && other->op != op->op;
}

/* k * x: k is cast as x asks for; sqrt(k): as the square root does. */
static bool is_promoted(const Node *user, const Node *op)
{
    DType d = op->ops[0]->type->dtype;
    for (u32 i = user->op == OP_WHERE; i < user->nops; i++) {
        const Node *n = user->ops[i]->op == OP_CAST ? user->ops[i]->ops[0] : user->ops[i];
        if (n->op != OP_CONST || n->type->rank) /* else a number, which takes any dtype */
            d = promote(d, n->type->dtype);
    }
    if (d < DT_COUNT && op_is_elem_row(user->op))
        d = elem_operand_dtype(elem_of(user->op), d);
    return d == op->type->dtype && d != op->ops[0]->type->dtype;
}

/* t + 1, of the number of a step: it is a real number where one is asked for. */
static bool is_counted(const Node *user, const Node *op)
{
    const Node *of = op->ops[0];
    bool sum = user->op == OP_ADD || user->op == OP_SUB || user->op == OP_MUL;
    return sum && of->op == OP_PARAM && of->type->rank == 0 && of->type->dtype == DT_I64 &&
           op->type->dtype == DT_F64 &&
           (user->ops[0]->op == OP_CONST || user->ops[1]->op == OP_CONST);
}

static bool has_shape(const Node *n, const Type *t)
{
    bool same = n->type->rank == t->rank;
    for (int i = 0; i < t->rank && same; i++)
        same = n->type->dims[i] == t->dims[i];
    return same;
}

/* Has another operand of user the shape of op? */
static bool is_beside(const Node *user, const Node *op)
{
    bool beside = false;
    for (u32 i = 0; i < user->nops; i++)
        beside = beside || (stands_by_itself(user, op, i) && has_shape(user->ops[i], op->type));
    return beside;
}

/* A + b: b is repeated for each row of A. */
static bool is_repeated(const Node *user, const Node *op)
{
    bool last = true;
    const IntList *axes = op->op == OP_BROADCAST ? op->attrs[0].ints : NULL;
    for (u32 i = 0; axes && i < axes->n; i++)
        last = last && axes->at[i] == (i64)(op->type->rank - (int)axes->n + (int)i);
    return last && is_beside(user, op);
}

/* Is operand i of user the size of an axis, or how often a loop runs? */
static bool takes_size(const Node *user, u32 i)
{
    bool count = node_is_loop(user) && i == 0, part = user->op == OP_SLICE && i == 2;
    return count || part ||
           (op_table[user->op].flags & SIZES && i >= (u32)op_table[user->op].min_ops);
}

static bool has_name(const Builder *b, Node *n, const Env *env)
{
    bool loose = false;
    return !env && b->reading->called(b->reading->context, n, &loose);
}

Expr *reading_size(Builder *b, const Node *user, u32 i)
{
    if (!takes_size(user, i) || has_name(b, user->ops[i], NULL))
        return NULL;
    Size *s = size_of_node(b->st, user->ops[i]);
    return s && !size_has_kind(s, ATOM_NODE) ? tree_size(b, s) : NULL;
}

static const Node *unchecked(const Node *n) { return n->op == OP_CHECK ? n->ops[1] : n; }

/* No size is negative, and a loop has a row of each sequence for every step. */
static bool is_checked(const Node *user, const Node *op)
{
    double zero;
    const Node *holds = op->ops[0];
    bool positive = holds->op == OP_GE && holds->ops[0] == op->ops[1] &&
                    node_const_f64(holds->ops[1], &zero) && zero == 0;
    bool enough = user->op == OP_SCAN && holds->op == OP_LE &&
                  unchecked(holds->ops[0]) == unchecked(user->ops[0]);
    for (u32 i = 0; i < user->nops; i++)
        positive = positive && (user->ops[i] != op || takes_size(user, i));
    return positive || enough;
}

bool reading_is_evident(const Node *user, const Node *op)
{
    if (op->op == OP_CHECK)
        return is_checked(user, op);
    if (!op_is_elementwise(user->op) || op->type->kind != TYPE_TENSOR)
        return false;
    switch (op->op) {
    case OP_CAST: return is_promoted(user, op) || is_counted(user, op);
    case OP_BROADCAST:
    case OP_MATCH_SHAPE: return is_repeated(user, op);
    default: return false;
    }
}

Node *reading_operand_of(const Node *op) { return op->ops[op->op == OP_CHECK]; }

Node *reading_operand(Builder *b, const Node *user, Node *op, const Env *env)
{
    return reading_is_evident(user, op) && !has_name(b, op, env) ? reading_operand_of(op) : op;
}

/* ---- constants ---- */

static Tensor element(const Tensor *t, i64 i)
{
    Tensor one = *t;
    one.rank = 0;
    one.count = 1;
    one.data = (char *)t->data + (size_t)i * dtype_size(t->dtype);
    return one;
}

/* The part of t that begins with element `at` and has t's axes from `axis` on. */
static Expr *array_from(Builder *b, const Tensor *t, int axis, i64 at, bool weak)
{
    Tensor one = element(t, at);
    if (axis == t->rank)
        return tree_literal(b, &one, weak);
    Expr *e = tree_new(b, E_ARRAY, NULL);
    bool all = t->count <= MOST_ELEMENTS;
    i64 size = 1;
    for (int i = axis + 1; i < t->rank; i++)
        size *= t->shape[i];
    for (i64 i = 0; i < (all ? t->shape[axis] : 1); i++)
        tree_item(b, e, array_from(b, t, axis + 1, at + i * size, weak));
    if (!all)
        tree_item(b, e, tree_new(b, E_SIZE, "…"));
    return e;
}

Expr *reading_array(Builder *b, const Tensor *t, bool weak)
{
    if (t->dtype == DT_RNG || !t->count) {
        Text text = {0};
        constant_print(&text, t);
        return tree_text(b, E_ARRAY, &text);
    }
    Expr *e = array_from(b, t, 0, 0, weak || t->dtype != DT_F64);
    if (weak || (t->dtype != DT_F32 && t->dtype != DT_I32))
        return e;
    Expr *call = tree_call(b, dtype_name(t->dtype));
    tree_arg(b, call, NULL, e);
    return call;
}

/* The element k of a constant is a number. */
static Expr *constant_element(Builder *b, const Node *n)
{
    i64 k;
    const Node *whole = n->ops[0];
    if (whole->op != OP_CONST || whole->type->rank != 1 || !node_const_i64(n->ops[1], &k))
        return NULL;
    const Tensor *t = whole->attrs[0].value;
    k += k < 0 ? t->count : 0;
    if (k < 0 || k >= t->count) /* an error when it runs */
        return NULL;
    Tensor one = element(t, k);
    return tree_literal(b, &one, false);
}

/* ---- forms ---- */

static Expr *call_of(Builder *b, const char *name, int n, Node *const *ops, int depth,
                     const Env *env)
{
    Expr *e = tree_call(b, name);
    for (int i = 0; i < n; i++)
        tree_arg(b, e, NULL, tree_of(b, ops[i], depth + 1, env));
    return e;
}

/* x^2, x * x */
static bool is_square(const Node *n)
{
    double x;
    return (n->op == OP_MUL && n->nops == 2 && n->ops[0] == n->ops[1]) ||
           (n->op == OP_POW && node_const_f64(n->ops[1], &x) && x == 2);
}

/* zeros(n), ones((n, m), dtype=i64), full(n, 0.5) */
static Expr *filled(Builder *b, Node *n, int depth, const Env *env)
{
    double x;
    if (n->ops[0]->op != OP_CONST || n->type->rank == 0 || !node_const_f64(n->ops[0], &x))
        return NULL;
    bool zero = x == 0 && !signbit(x), plain = zero || x == 1;
    Expr *e = tree_call(b, zero ? "zeros" : x == 1 ? "ones" : "full");
    tree_arg(b, e, NULL, tree_one_or_tuple(b, n, 1, n->nops, depth, env));
    if (!plain)
        tree_arg(b, e, NULL, tree_at(b, n, 0, depth, env));
    else if (n->type->dtype != DT_F64)
        tree_arg_text(b, e, "dtype", dtype_name(n->type->dtype));
    return e;
}

static bool has_new_axis(const Node *n, i64 axis)
{
    return n->op == OP_EXPAND_DIMS && n->type->rank == 2 && n->attrs[0].ints->n == 1 &&
           n->attrs[0].ints->at[0] == axis;
}

/* h[:, None] @ g[None, :] */
static bool is_outer_product(const Node *n)
{
    return n->op == OP_MATMUL && has_new_axis(n->ops[0], 1) && has_new_axis(n->ops[1], 0);
}

Expr *reading_spread(Builder *b, const Node *user, Node *op, int depth, const Env *env)
{
    bool spread = op->op == OP_BROADCAST && op->ops[0]->type->rank && op_is_elementwise(user->op) &&
                  is_beside(user, op) && !has_name(b, op, env);
    return spread ? tree_new_axes(b, op, true, depth, env) : NULL;
}

static Expr *name(Builder *b, Node *n, const Env *env)
{
    bool loose = false;
    const Phrase *phrase = env ? NULL : b->reading->called(b->reading->context, n, &loose);
    if (!phrase)
        return NULL;
    Expr *e = tree_new(b, E_NAME, phrase->text);
    e->phrase = phrase;
    e->flag = loose;
    return e;
}

/* min(min(a, b), c) is min(a, b, c). */
static void flatten(Builder *b, Expr *call, Node *n, OpId op, int depth, const Env *env)
{
    for (u32 i = 0; i < n->nops; i++)
        if (n->ops[i]->op == op && !has_name(b, n->ops[i], env))
            flatten(b, call, n->ops[i], op, depth, env);
        else
            tree_arg(b, call, NULL, tree_at(b, n, i, depth, env));
}

static Expr *extremum(Builder *b, Node *n, int depth, const Env *env)
{
    bool nested = false;
    for (u32 i = 0; i < n->nops; i++)
        nested = nested || (n->ops[i]->op == n->op && !has_name(b, n->ops[i], env));
    if (!nested)
        return NULL;
    Expr *e = tree_call(b, n->op == OP_MINIMUM ? "min" : "max");
    flatten(b, e, n, n->op, depth, env);
    return e;
}

static bool is_lifted(const Node *n)
{
    return n->op == OP_EXPAND_DIMS && n->ops[0]->type->rank == 0;
}

/* [a; x], where a is a number: a column needs no new axis for it. */
static Expr *column(Builder *b, Node *n, int depth, const Env *env)
{
    bool lifted = false;
    for (u32 i = 0; i < n->nops; i++)
        lifted = lifted || (is_lifted(n->ops[i]) && !has_name(b, n->ops[i], env));
    if (!lifted || n->type->rank != 1 || n->nops < 2)
        return NULL;
    Expr *e = tree_call(b, op_table[n->op].name), *parts = tree_new(b, E_TUPLE, NULL);
    for (u32 i = 0; i < n->nops; i++) {
        bool bare = is_lifted(n->ops[i]) && !has_name(b, n->ops[i], env);
        tree_item(b, parts,
                  bare ? tree_of(b, n->ops[i]->ops[0], depth + 1, env)
                       : tree_at(b, n, i, depth, env));
    }
    tree_arg(b, e, NULL, parts);
    return e;
}

Expr *reading_form(Builder *b, Node *n, int depth, const Env *env)
{
    Expr *e = name(b, n, env);
    if (e)
        return e;
    if (is_square(n))
        return call_of(b, "sqr", 1, n->ops, depth, env);
    if (is_outer_product(n))
        return call_of(b, "outer", 2, (Node *[]){n->ops[0]->ops[0], n->ops[1]->ops[0]}, depth, env);
    switch (n->op) {
    case OP_INDEX: return constant_element(b, n);
    case OP_BROADCAST: return filled(b, n, depth, env);
    case OP_EXPAND_DIMS: return tree_new_axes(b, n, false, depth, env);
    case OP_MINIMUM:
    case OP_MAXIMUM: return extremum(b, n, depth, env);
    case OP_CONCAT: return column(b, n, depth, env);
    default: return NULL;
    }
}
