/* The leaves of instances, and the attributes of their operations, at random. */
#include "ops/build.h"
#include "session/instance_leaves.h"
#include "session/instance_values.h"

#include <math.h>

u32 instance_roll(Maker *m, u32 n)
{
    m->state = m->state * 6364136223846793005ull + 1442695040888963407ull;
    return (u32)(hash_mix(m->state, 11) >> 33) % n;
}

Size *instance_pick_dim(Maker *m) { return m->dims[instance_roll(m, DIMS)]; }

Type *instance_random_shape(Maker *m, int least)
{
    static const int ranks[] = {0, 1, 1, 1, 2, 2, 2, 3, 3};
    Size *dims[MAX_RANK];
    int rank = ranks[instance_roll(m, COUNT_OF(ranks))];
    rank = rank < least ? least : rank;
    for (int i = 0; i < rank; i++)
        dims[i] = instance_pick_dim(m);
    return type_tensor(m->st, DT_F64, rank, dims);
}

/* ---- variables ---- */

Node *instance_input(Maker *m, DType d, const Type *shape)
{
    char name[16];
    snprintf(name, sizeof name, "v%d", m->inputs++);
    return node_input(m->st, OP_INPUT, symbol(m->st, name),
                      type_tensor(m->st, d, shape->rank, shape->dims));
}

static double constant_within(Maker *m, const Range *r)
{
    double lo = r->lo, hi = r->hi;
    switch (instance_roll(m, 5)) {
    case 0: return isfinite(lo) ? lo : fmin(hi, -7);
    case 1: return isfinite(hi) ? hi : fmax(lo, 7);
    case 2: return isfinite(lo) && isfinite(hi) ? lo / 2 + hi / 2 : isfinite(lo) ? lo + 1 : hi - 1;
    case 3: return fmin(fmax(instance_roll(m, 2) ? 1 : -2, lo), hi);
    default: return fmin(fmax(instance_roll(m, 2) ? 0.75 : 2.5, lo), hi);
    }
}

/* A number within the range, often at one of its ends. */
static Node *ranged_constant(Maker *m, DType d, Range r)
{
    if (!range_fit(&r, d))
        return NULL;
    double x = isfinite(r.lo) || isfinite(r.hi) ? constant_within(m, &r)
                                                : (double)instance_roll(m, 9) * 0.5 - 2;
    if (r.whole)
        x = ceil(x);
    if (r.even)
        x = 2 * ceil(x / 2);
    bool ok = x >= r.lo && x <= r.hi && !(r.nonzero && x == 0) &&
              (d != DT_F32 || (double)(float)x == x || !r.whole);
    return ok ? node_number(m->st, d, x) : NULL;
}

static Node *constant(Maker *m, DType d)
{
    static const double reals[] = {2.5, 0.75, -1.7, 2, 3, -1, 0, 1};
    return node_number(m->st, d,
                       d == DT_BOOL        ? instance_roll(m, 2)
                       : dtype_is_float(d) ? reals[instance_roll(m, COUNT_OF(reals))]
                                           : (double)instance_roll(m, 7) - 2);
}

/* Fewer axes, repeated to the shape. */
static Node *repeated(Maker *m, DType d, const Type *shape)
{
    Size *dims[MAX_RANK];
    i64 kept[MAX_RANK];
    Node *ops[MAX_RANK + 1];
    u32 n = 0;
    for (int i = 0; i < shape->rank; i++) {
        ops[i + 1] = size_to_node(m->st, shape->dims[i]);
        if (instance_roll(m, 2) && (int)n + 1 < shape->rank)
            kept[n] = i, dims[n++] = shape->dims[i];
    }
    Type *from = type_tensor(m->st, DT_F64, (int)n, dims);
    ops[0] = instance_input(m, d, from);
    return node_make(m->st, OP_BROADCAST, &(Attr){.ints = intlist(m->st, n, kept)},
                     (u32)shape->rank + 1, ops);
}

/* x x' + 9 I: symmetric, positive definite. */
static Node *positive_definite(Maker *m, DType d, const Type *shape)
{
    Node *x = instance_input(m, d, shape), *ops[3];
    i64 n = instance_length(shape->dims[0]), at[] = {n, n};
    Tensor *eye = tensor_new(&m->st->heap, DT_F64, 2, at);
    for (i64 i = 0; i < n * n; i++)
        ((double *)eye->data)[i] = i % (n + 1) ? 0 : 9;
    ops[0] = node_cast(m->st, node_const(m->st, eye), d);
    if (ops[0]->op == OP_CAST)
        ops[0] = fold_node(m->st, ops[0]);
    tensor_unref(eye);
    ops[1] = node2(m->st, OP_MATMUL, NULL, x, build_swap_last(m->st, x));
    return ops[1] ? node_make(m->st, OP_ADD, NULL, 2, ops) : NULL;
}

/* x, after making sure of something that is not always true. */
static Node *checked(Maker *m, Node *x)
{
    Node *c = instance_input(m, DT_BOOL, type_scalar(m->st, DT_BOOL));
    return node_check(m->st, symbol(m->st, "it must hold"), c, x);
}

/* ---- what a guard bounds ---- */

static Node *note_range(Maker *m, Node *leaf, int slot, Range r, bool assumed)
{
    Ranges *all = m->ranges;
    if (all->n < RANGED_LEAVES)
        all->at[all->n++] = (RangedLeaf){leaf, slot, r, assumed};
    return leaf;
}

/* Operators hold any value within the range: the rule may be rewritten further. */
static Node *clipped(Maker *m, DType d, const Type *shape, int slot, Range r)
{
    Store *st = m->st;
    Node *x = note_range(m, instance_input(m, d, shape), slot, r, false);
    if (r.lo >= 0 && instance_roll(m, 3) == 0)
        x = node1(st, OP_ABS, NULL, x);
    bool below = isfinite(r.lo) && r.lo > fact_unknown(d).lo;
    bool above = isfinite(r.hi) && r.hi < fact_unknown(d).hi;
    if (below && x)
        x = node2(st, OP_MAXIMUM, NULL, x, node_number(st, d, r.lo));
    if (above && x)
        x = node2(st, OP_MINIMUM, NULL, x, node_number(st, d, r.hi));
    return x;
}

/* A value of which the guard holds: bounded by operators, or an input of which it is assumed. */
static Node *ranged(Maker *m, DType d, const Type *shape, int slot)
{
    Range r = m->ranges->of[slot];
    if (!range_fit(&r, d) || m->ranges->n == RANGED_LEAVES)
        return NULL;
    bool real = dtype_is_float(d);
    bool bounds = real ? !r.no_nan && !r.whole && !(r.nonzero && r.lo <= 0 && r.hi >= 0)
                       : !(r.nonzero && r.lo <= 0 && r.hi >= 0);
    if (bounds && instance_roll(m, 2))
        return clipped(m, d, shape, slot, r);
    char name[32];
    snprintf(name, sizeof name, "g%d_%llu", m->inputs++, (unsigned long long)m->seed);
    Node *x = node_input(m->st, OP_INPUT, symbol(m->st, name),
                         type_tensor(m->st, d, shape->rank, shape->dims));
    note_range(m, x, slot, r, true);
    return real && r.lo >= 0 && instance_roll(m, 4) == 0 ? node1(m->st, OP_ABS, NULL, x) : x;
}

static Node *float_value(Maker *m, DType d, const Type *shape)
{
    static const OpId made[] = {OP_TANH, OP_SIGMOID, OP_ABS, OP_SQR, OP_COSH};
    u32 k = instance_roll(m, m->rule->guard ? 16 : 32);
    if (!m->rule->guard && (k == 3 || k == 4)) /* large values are for those who ask */
        k = 31;
    if (k == 11 && m->rule->guard) /* positive and finite */
        return node1(m->st, OP_EXP, NULL, node1(m->st, OP_TANH, NULL, instance_input(m, d, shape)));
    bool square = shape->rank == 2 && shape->dims[0] == shape->dims[1];
    if (k < COUNT_OF(made))
        return node1(m->st, made[k], NULL, instance_input(m, d, shape));
    if (k < 7 && !m->factorises)
        return node_cast(m->st, instance_input(m, DT_I32, shape), d);
    if (k == 12)
        return checked(m, instance_input(m, d, shape));
    if (k < 10 && shape->rank && !m->factorises)
        return repeated(m, d, shape);
    if (k < 11 && square && size_is_const(shape->dims[0], NULL))
        return positive_definite(m, d, shape);
    if (k < 11 && !shape->rank)
        return constant(m, d);
    return instance_input(m, d, shape);
}

static Node *int_value(Maker *m, DType d, const Type *shape)
{
    bool asked = m->rule->guard; /* about its range, perhaps */
    u32 k = instance_roll(m, asked ? 8 : 16);
    if (k == 0 && shape->rank == 1)
        return node_cast(m->st, node1(m->st, OP_IOTA, NULL, size_to_node(m->st, shape->dims[0])),
                         d);
    if (k == 1 && shape->rank)
        return repeated(m, d, shape);
    if (k == 7) /* fails where the divisor is 0 */
        return node2(m->st, OP_FLOORDIV, NULL, instance_input(m, d, shape),
                     instance_input(m, d, shape));
    if (k == 2 && asked)
        return constant(m, d);
    if (k < 6 && asked)
        return node2(m->st, OP_MOD, NULL, instance_input(m, d, shape), node_number(m->st, d, 3));
    return instance_input(m, d, shape);
}

static Node *position(Maker *m, DType d, i64 limit)
{
    if (instance_roll(m, 4) == 0)
        return instance_input(m, d, type_scalar(m->st, d));
    i64 k = (i64)instance_roll(m, (u32)limit + 1);
    return node_number(m->st, d, (double)(instance_roll(m, 5) ? k : -k));
}

/* True on the diagonal alone, as trace() makes it. */
static Node *diagonal(Maker *m, const Type *shape)
{
    Node *n = size_to_node(m->st, shape->dims[0]), *count = node1(m->st, OP_IOTA, NULL, n),
         *sides[2];
    for (int i = 0; i < 2; i++) {
        i64 axis = i;
        Node *ops[] = {count, n, n};
        sides[i] =
            node_make(m->st, OP_BROADCAST, &(Attr){.ints = intlist(m->st, 1, &axis)}, 3, ops);
    }
    return node2(m->st, OP_EQ, NULL, sides[0], sides[1]);
}

static Node *truth(Maker *m, const Type *shape)
{
    bool square = shape->rank == 2 && shape->dims[0] == shape->dims[1];
    if (square && m->rule->guard && instance_roll(m, 2))
        return diagonal(m, shape);
    if (shape->rank && instance_roll(m, 10) == 0)
        return repeated(m, DT_BOOL, shape);
    Node *x = instance_input(m, DT_BOOL, shape);
    return instance_roll(m, 12) == 0 ? checked(m, x) : x;
}

/* A smooth function of the variable around, of that type. */
static Node *varying(Maker *m, DType d, const Type *shape)
{
    static const OpId made[] = {OP_TANH, OP_SIN, OP_SQR};
    Store *st = m->st;
    Node *v = node_cast(st, m->variable, d);
    const Type *t = v->type;
    if (dtype_is_float(d))
        v = node1(st, made[instance_roll(m, COUNT_OF(made))], NULL, v);
    if (v && instance_roll(m, 2))
        v = build_mul(st, v, instance_input(m, d, t));
    bool same = t->rank == shape->rank;
    for (int i = 0; i < t->rank && same; i++)
        same = t->dims[i] == shape->dims[i];
    if (!v || (same && t->rank))
        return v;
    v = build_sum_all(st, v);
    return v && shape->rank ? build_mul(st, instance_input(m, d, shape), v) : v;
}

Node *instance_variable(Maker *m, const Pattern *p, Want w)
{
    if (m->b->bound >> p->slot & 1)
        return p->inside || p->row ? m->b->at[p->slot].hole : m->b->at[p->slot].node;
    DType d = w.dtype;
    switch (p->var) {
    case KIND_FLOAT: d = d < DT_RNG && dtype_is_float(d) ? d : m->real; break;
    case KIND_INT: d = d < DT_RNG && dtype_is_int(d) ? d : m->whole; break;
    case KIND_BOOL: d = DT_BOOL; break;
    case KIND_ANY:
    case KIND_CONST: d = d == DT_COUNT ? (p->var == KIND_ANY ? m->any : m->real) : d; break;
    }
    const Type *shape = w.shape ? w.shape : instance_random_shape(m, 0);
    if (w.shape && !w.exact && instance_roll(m, 7) == 0)
        shape = type_scalar(m->st, DT_F64);
    bool varies = m->variable && m->variable->type->dtype < DT_RNG && instance_roll(m, 4);
    const Range *asked = &m->ranges->of[p->slot];
    bool number = d != DT_BOOL && d < DT_RNG;
    Node *n = p->var == KIND_CONST && asked->asked            ? ranged_constant(m, d, *asked)
              : p->var == KIND_CONST                          ? constant(m, d)
              : varies && m->variable->type->dtype == d       ? varying(m, d, shape)
              : w.limit && !shape->rank                       ? position(m, d, w.limit)
              : number && asked->asked && instance_roll(m, 4) ? ranged(m, d, shape, p->slot)
              : dtype_is_float(d)                             ? float_value(m, d, shape)
              : dtype_is_int(d)                               ? int_value(m, d, shape)
              : d == DT_BOOL                                  ? truth(m, shape)
              : instance_roll(m, 12) == 0 ? checked(m, instance_input(m, d, shape))
                                          : instance_input(m, d, shape);
    if (!n)
        return NULL;
    m->b->bound |= 1u << p->slot;
    m->b->at[p->slot] = (RuleValue){.kind = 'n', .node = n};
    return n;
}

/* ---- attributes ---- */

/* The attribute's value if the rule or an earlier choice says it. */
bool instance_attr_known(const Maker *m, const PatAttr *a, char kind, Attr *out)
{
    if (a->slot >= 0 && m->b->bound >> a->slot & 1) {
        *out = m->b->at[a->slot].attr;
        return true;
    }
    if (a->slot >= 0)
        return false;
    if (kind == 'I')
        out->ints = intlist(m->st, a->ints->n, a->ints->at);
    else
        out->i = a->value;
    return true;
}

void instance_attr_keep(Maker *m, const PatAttr *a, char kind, Attr v)
{
    if (a->slot < 0)
        return;
    m->b->bound |= 1u << a->slot;
    m->b->at[a->slot] = (RuleValue){.kind = kind, .attr = v};
}

/* Axes of a tensor of that rank, at least one if it has any. */
static const IntList *random_axes(Maker *m, int rank)
{
    i64 at[MAX_RANK];
    u32 n = 0;
    for (int i = 0; i < rank; i++)
        if (instance_roll(m, 2))
            at[n++] = i;
    if (!n && rank && instance_roll(m, 8))
        at[n++] = instance_roll(m, (u32)rank);
    return intlist(m->st, n, at);
}

static const IntList *random_order(Maker *m, int rank)
{
    i64 at[MAX_RANK];
    for (int i = 0; i < rank; i++)
        at[i] = i;
    for (int i = rank - 1; i > 0; i--) {
        u32 k = instance_roll(m, (u32)i + 1);
        i64 t = at[i];
        at[i] = at[k], at[k] = t;
    }
    return intlist(m->st, (u32)rank, at);
}

static Attr random_attr(Maker *m, OpId op, int i, const Type *x)
{
    static const DType dtypes[] = {DT_F64, DT_F32, DT_I64, DT_I32, DT_BOOL};
    char kind = op_attr_kind(op, i);
    int rank = x->rank;
    const char *name = op_attr_name(op, i);
    if (kind == 'd')
        return (Attr){.i = dtypes[instance_roll(m, COUNT_OF(dtypes))]};
    if (kind == 'b')
        return (Attr){.i = instance_roll(m, 2)};
    if (!strcmp(name, "step"))
        return (Attr){.i = instance_roll(m, 4) ? 1 : instance_roll(m, 2) ? 2 : -1};
    if (!strcmp(name, "mode"))
        return (Attr){.i = instance_roll(m, 2)};
    if (!strcmp(name, "k"))
        return (Attr){.i = (i64)instance_roll(m, 4) - 1};
    if (kind == 'i')
        return (Attr){.i = rank ? instance_roll(m, (u32)rank) : 0};
    if (op == OP_TRANSPOSE)
        return (Attr){.ints = random_order(m, rank)};
    if (op == OP_EXPAND_DIMS)
        return (Attr){.ints = intlist(m->st, 1, (i64[]){instance_roll(m, (u32)rank + 1)})};
    return (Attr){.ints = random_axes(m, rank)};
}

/* Every attribute, for a first operand of type x. */
void instance_choose_attrs(Maker *m, const Pattern *p, const Type *x, Attr out[8])
{
    if (p->swaps_last) {
        i64 at[MAX_RANK];
        for (int i = 0; i < x->rank; i++)
            at[i] = x->rank > 1 && i >= x->rank - 2 ? 2 * x->rank - 3 - i : i;
        out[0].ints = intlist(m->st, (u32)x->rank, at);
        return;
    }
    for (int i = 0; i < op_attr_count(p->op); i++)
        if (!instance_attr_known(m, &p->attrs[i], op_attr_kind(p->op, i), &out[i])) {
            out[i] = random_attr(m, p->op, i, x);
            instance_attr_keep(m, &p->attrs[i], op_attr_kind(p->op, i), out[i]);
        }
}
