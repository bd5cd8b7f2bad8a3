/* Guards: what a rule may ask, and the facts they rest on.
 *
 * Invariant: a fact is only claimed when it follows from the operators alone; nothing is
 * assumed of inputs. NaN is not `nonnegative` unless the operator excludes it: facts about
 * sign hold for every value that is not NaN, `finite` excludes NaN too. */
#include "rewrite/rewrite.h"
#include <math.h>

enum { FACT_DEPTH = 12 };

static bool nonnegative(const Node *n, int depth);
static bool positive(const Node *n, int depth);
static bool all_finite(const Node *n, int depth);

static bool every(const Node *n, int depth, bool (*fact)(const Node *, int))
{
    for (u32 i = 0; i < n->nops; i++)
        if (!fact(n->ops[i], depth - 1))
            return false;
    return n->nops > 0;
}

static bool const_all(const Node *n, bool (*ok)(double))
{
    const Tensor *t = n->attrs[0].value;
    if (t->dtype == DT_RNG || t->count > 4096)
        return false;
    for (i64 i = 0; i < t->count; i++)
        if (!ok(tensor_f64_at(t, i)))
            return false;
    return true;
}

static bool is_nonnegative(double x) { return x >= 0; }
static bool is_positive(double x) { return x > 0; }
static bool is_finite_number(double x) { return isfinite(x); }

static bool nonnegative(const Node *n, int depth)
{
    if (depth <= 0)
        return false;
    switch (n->op) {
    case OP_CONST: return const_all(n, is_nonnegative);
    case OP_EXP:
    case OP_EXP2:
    case OP_SQR:
    case OP_ABS:
    case OP_SQRT:
    case OP_SIGMOID:
    case OP_RELU:
    case OP_SOFTPLUS:
    case OP_COSH:
    case OP_DIM:
    case OP_SIZE:
    case OP_IOTA: return true;
    case OP_ADD:
    case OP_MUL: return every(n, depth, nonnegative);
    case OP_MAXIMUM: return nonnegative(n->ops[0], depth - 1) || nonnegative(n->ops[1], depth - 1);
    case OP_MINIMUM: return every(n, depth, nonnegative);
    case OP_BROADCAST:
    case OP_RESHAPE:
    case OP_TRANSPOSE:
    case OP_INDEX:
    case OP_SLICE:
    case OP_SUM: return nonnegative(n->ops[0], depth - 1);
    default: return false;
    }
}

static bool positive(const Node *n, int depth)
{
    if (depth <= 0)
        return false;
    switch (n->op) {
    case OP_CONST: return const_all(n, is_positive);
    case OP_COSH: return true;
    case OP_ADD:
        for (u32 i = 0; i < n->nops; i++)
            if (!nonnegative(n->ops[i], depth - 1))
                return false;
        for (u32 i = 0; i < n->nops; i++)
            if (positive(n->ops[i], depth - 1))
                return true;
        return false;
    case OP_BROADCAST:
    case OP_RESHAPE:
    case OP_TRANSPOSE: return positive(n->ops[0], depth - 1);
    default: return false;
    }
}

static bool all_finite(const Node *n, int depth)
{
    if (depth <= 0)
        return false;
    if (n->type->kind == TYPE_TENSOR && !dtype_is_float(n->type->dtype))
        return true;
    switch (n->op) {
    case OP_CONST: return const_all(n, is_finite_number);
    case OP_CAST: return all_finite(n->ops[0], depth - 1);
    case OP_NEG:
    case OP_ABS:
    case OP_BROADCAST:
    case OP_RESHAPE:
    case OP_TRANSPOSE:
    case OP_SIN:
    case OP_COS:
    case OP_TANH:
    case OP_SIGMOID: return all_finite(n->ops[0], depth - 1);
    default: return false;
    }
}

bool fact_nonnegative(const Node *n) { return nonnegative(n, FACT_DEPTH); }
bool fact_positive(const Node *n) { return positive(n, FACT_DEPTH); }
bool fact_finite(const Node *n) { return all_finite(n, FACT_DEPTH); }

/* ---- guards ---- */

static Node *arg(const Bindings *b, const Expr *x)
{
    for (int i = 0; i < b->n; i++)
        if (x->kind == E_NAME && !strcmp(b->at[i].name, x->text))
            return b->at[i].node;
    return NULL;
}

static bool ask(const Bindings *b, Expr *const *args, bool (*fact)(const Node *), const char *what,
                Text *why)
{
    Node *n = arg(b, args[0]);
    if (!n || !fact(n))
        return false;
    text_printf(why, "%s%s is %s by its operator", why->len ? "; " : "", args[0]->text, what);
    return true;
}

static bool guard_finite(Store *st, const Bindings *b, Expr *const *args, Text *why)
{
    (void)st;
    return ask(b, args, fact_finite, "finite", why);
}
static bool guard_nonnegative(Store *st, const Bindings *b, Expr *const *args, Text *why)
{
    (void)st;
    return ask(b, args, fact_nonnegative, "not negative", why);
}
static bool guard_positive(Store *st, const Bindings *b, Expr *const *args, Text *why)
{
    (void)st;
    return ask(b, args, fact_positive, "positive", why);
}
static bool guard_scalar(Store *st, const Bindings *b, Expr *const *args, Text *why)
{
    (void)st;
    Node *n = arg(b, args[0]);
    if (!n || n->type->rank)
        return false;
    text_printf(why, "%s%s is a scalar", why->len ? "; " : "", args[0]->text);
    return true;
}
static bool guard_same_type(Store *st, const Bindings *b, Expr *const *args, Text *why)
{
    (void)st, (void)why;
    Node *x = arg(b, args[0]), *y = arg(b, args[1]);
    return x && y && x->type == y->type;
}

const Guard guards[] = {
    {"finite", 1, guard_finite, "no element can be NaN or infinite"},
    {"nonnegative", 1, guard_nonnegative, "no element can be below 0"},
    {"positive", 1, guard_positive, "every element is above 0"},
    {"scalar", 1, guard_scalar, "rank 0"},
    {"same_type", 2, guard_same_type, "equal dtype and sizes"},
};
const size_t guard_count = COUNT_OF(guards);

const Guard *guard_by_name(const char *name)
{
    for (size_t i = 0; i < guard_count; i++)
        if (!strcmp(guards[i].name, name))
            return &guards[i];
    return NULL;
}
