/* Kinds of numbers where a condition holds: see kinds.h.
 *
 * The condition says of some nodes what they can be; elementwise operators pass that on, by tables
 * of what each kind gives with each other one. A product of two finite numbers may overflow or
 * underflow. */
#include "rewrite/kinds.h"

#include <math.h>

#include "graph/op.h"
#include "ops/build.h"

enum {
    MOST_KNOWN = 8,  /* nodes of which the condition says something */
    MOST_LOOKS = 128 /* nodes that are looked at for one answer: guards are small */
};

enum {
    NI = KIND_MINUS_INFINITY,
    NE = KIND_NEGATIVE,
    NZ = KIND_MINUS_ZERO,
    PZ = KIND_PLUS_ZERO,
    PO = KIND_POSITIVE,
    PI = KIND_INFINITY,
    NA = KIND_NAN,
    ZEROS = KIND_ZEROS,
    FINITE = NE | ZEROS | PO,
    BELOW = NI | NE,
    ABOVE = PO | PI,
    ANY = KIND_ANY,
    NKINDS = 7
};

typedef struct {
    const Node *node;
    u32 kinds;
    const Node *view; /* it is known of the operand of this broadcast or new axis; NULL: of it */
} KnownKinds;

typedef struct {
    Facts *facts;
    bool everywhere; /* the condition is a scalar: it holds of all elements */
    int n, looks;
    KnownKinds known[MOST_KNOWN];
} Kinds;

/* ---- one operand ---- */

static u32 kind_of(double x)
{
    if (isnan(x))
        return NA;
    if (isinf(x))
        return x > 0 ? PI : NI;
    if (x == 0)
        return signbit(x) ? NZ : PZ;
    return x > 0 ? PO : NE;
}

static u32 opposite(u32 k)
{
    static const u32 turned[NKINDS] = {PI, PO, PZ, NZ, NE, NI, NA};
    u32 r = 0;
    for (int i = 0; i < NKINDS; i++)
        r |= k >> i & 1 ? turned[i] : 0;
    return r;
}

static u32 without_sign(u32 k) { return (k | opposite(k)) & (PZ | ABOVE | NA); }

/* Of one kind. */
static u32 of_function(OpId op, u32 k)
{
    u32 size = without_sign(k);
    bool below = (k & (BELOW | NZ)) != 0;
    switch (op) {
    case OP_NEG: return opposite(k);
    case OP_ABS: return size;
    case OP_SQR: return size == PO ? PZ | ABOVE : size;
    case OP_RELU: return k & (BELOW | ZEROS) ? PZ : k;
    case OP_RECIPROCAL:
        k = size == PI ? PZ : size == PZ ? PI : size == PO ? ABOVE : NA;
        return below ? opposite(k) : k;
    case OP_SQRT: return k & BELOW ? NA : k;
    case OP_RSQRT: return k & BELOW ? NA : k == NZ ? NI : k == PZ ? PI : k == PI ? PZ : k;
    case OP_EXP: return k == NI ? PZ : k == NE ? PO | PZ : k & ZEROS ? PO : k == PO ? ABOVE : k;
    case OP_LOG: return k & BELOW ? NA : k & ZEROS ? NI : k == PO ? NE | PZ | PO : k;
    case OP_SIN: return k & ZEROS ? k : k & (NE | PO) ? FINITE : NA;
    case OP_COS: return k & ZEROS ? PO : k & (NE | PO) ? FINITE : NA;
    default: return ANY;
    }
}

/* ---- two operands ---- */

static bool signs_differ(u32 a, u32 b)
{
    return ((a & (BELOW | NZ)) != 0) != ((b & (BELOW | NZ)) != 0);
}

/* Of kinds without signs. */
static u32 size_of_product(u32 a, u32 b)
{
    if ((a | b) & NA || (a | b) == (PZ | PI))
        return NA;
    if ((a | b) & PI)
        return PI;
    return (a | b) & PZ ? PZ : PZ | ABOVE;
}

static u32 size_of_quotient(u32 a, u32 b)
{
    if ((a | b) & NA || (a == b && a != PO))
        return NA;
    if (a == PI || b == PZ)
        return PI;
    return a == PZ || b == PI ? PZ : PZ | ABOVE;
}

static u32 of_sum(u32 a, u32 b)
{
    if ((a | b) & NA || (a | b) == (NI | PI))
        return NA;
    if ((a | b) & (NI | PI))
        return (a | b) & (NI | PI);
    if (a & ZEROS && b & ZEROS)
        return a & b ? a : PZ;
    if ((a | b) & ZEROS)
        return a & ZEROS ? b : a;
    return a != b ? NE | PZ | PO : a == PO ? ABOVE : BELOW;
}

/* As C has it: 1 to any power and any number to the power 0 are 1. */
static u32 of_power(u32 a, u32 b)
{
    if (b & ZEROS)
        return PO;
    if ((a | b) & NA)
        return NA | (a & PO);
    if (a & ZEROS)
        return b & ABOVE ? PZ | (a & NZ) : PI | (a & NZ ? NI : 0);
    if (a & (NI | PI)) {
        u32 size = b & ABOVE ? PI : PZ;
        return size | (a & NI ? opposite(size) : 0);
    }
    return a == PO ? PZ | ABOVE : ANY;
}

static u32 of_hypot(u32 a, u32 b)
{
    if ((a | b) & (NI | PI))
        return PI;
    if ((a | b) & NA)
        return NA;
    return a & ZEROS && b & ZEROS ? PZ : ABOVE;
}

/* Of one kind with one kind. */
static u32 of_pair(OpId op, u32 a, u32 b)
{
    u32 r = ANY;
    switch (op) {
    case OP_ADD: return of_sum(a, b);
    case OP_SUB: return of_sum(a, opposite(b));
    case OP_MUL: r = size_of_product(without_sign(a), without_sign(b)); break;
    case OP_DIV: r = size_of_quotient(without_sign(a), without_sign(b)); break;
    case OP_POW: return of_power(a, b);
    case OP_HYPOT: return of_hypot(a, b);
    default: return ANY;
    }
    return signs_differ(a, b) ? opposite(r) : r;
}

static u32 of_pairs(OpId op, u32 a, u32 b)
{
    u32 r = 0;
    for (int i = 0; i < NKINDS; i++)
        for (int k = 0; k < NKINDS; k++)
            if (a >> i & 1 && b >> k & 1)
                r |= of_pair(op, 1u << i, 1u << k);
    return r;
}

static u32 of_each(OpId op, u32 a)
{
    u32 r = 0;
    for (int i = 0; i < NKINDS; i++)
        r |= a >> i & 1 ? of_function(op, 1u << i) : 0;
    return r;
}

/* ---- what the condition says ---- */

static bool is_view(const Node *n) { return n->op == OP_BROADCAST || n->op == OP_EXPAND_DIMS; }

/* Of the operands of functions that show their kind. */
static void know(Kinds *s, const Node *n, u32 kinds, const Node *view)
{
    if (s->n == MOST_KNOWN || !dtype_is_float(n->type->dtype))
        return;
    s->known[s->n++] = (KnownKinds){n, kinds, view};
    u32 inner = 0;
    bool shows = n->op == OP_ABS || n->op == OP_NEG || n->op == OP_SQRT;
    for (int i = 0; i < NKINDS && shows; i++)
        inner |= of_function(n->op, 1u << i) & kinds ? 1u << i : 0;
    if (shows)
        know(s, n->ops[0], inner, view);
    else if (is_view(n) && !view)
        know(s, n->ops[0], kinds, n);
}

/* Of x where `x op 0` is true. */
static u32 compared_with_zero(OpId op)
{
    switch (op) {
    case OP_EQ: return ZEROS;
    case OP_NE: return ANY & ~(u32)ZEROS;
    case OP_LT: return BELOW;
    case OP_LE: return BELOW | ZEROS;
    case OP_GT: return ABOVE;
    case OP_GE: return ABOVE | ZEROS;
    default: return ANY;
    }
}

static void assume_comparison(Kinds *s, const Node *p, bool holds, const Node *view)
{
    double c;
    bool right = node_const_f64(p->ops[1], &c), left = !right && node_const_f64(p->ops[0], &c);
    if (!(right || left) || c != 0)
        return;
    u32 kinds = compared_with_zero(right ? (OpId)p->op : op_turned((OpId)p->op));
    know(s, p->ops[left], holds ? kinds : ANY & ~kinds, view);
}

static void assume(Kinds *s, const Node *p, bool holds, const Node *view)
{
    u32 kinds = p->op == OP_ISINF ? NI | PI : p->op == OP_ISNAN ? NA : FINITE;
    switch (p->op) {
    case OP_LOGICAL_NOT: assume(s, p->ops[0], !holds, view); break;
    case OP_LOGICAL_AND:
    case OP_LOGICAL_OR:
        for (u32 i = 0; i < p->nops && holds == (p->op == OP_LOGICAL_AND); i++)
            assume(s, p->ops[i], holds, view);
        break;
    case OP_ISINF:
    case OP_ISNAN:
    case OP_ISFINITE: know(s, p->ops[0], holds ? kinds : ANY & ~kinds, view); break;
    case OP_BROADCAST:
    case OP_EXPAND_DIMS:
        if (!view)
            assume(s, p->ops[0], holds, p);
        break;
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE: assume_comparison(s, p, holds, view); break;
    default: break;
    }
}

/* ---- what follows ---- */

static u32 by_fact(Kinds *s, const Node *n)
{
    const Fact *k = fact_of(s->facts, n);
    u32 r = k->nan ? NA : 0;
    r |= k->lo < 0 ? (u32)NE : 0;
    r |= k->hi > 0 ? (u32)PO : 0;
    r |= k->lo == -INFINITY ? (u32)NI : 0;
    r |= k->hi == INFINITY ? (u32)PI : 0;
    bool zero = !k->nonzero && k->lo <= 0 && k->hi >= 0;
    return r | (zero ? (u32)ZEROS : 0);
}

/* Do the two views repeat their operands in the same way? */
static bool same_view(const Node *a, const Node *b)
{
    bool same = a->op == b->op && a->nops == b->nops && a->type->rank == b->type->rank &&
                a->attrs[0].ints == b->attrs[0].ints;
    for (int i = 0; i < a->type->rank && same; i++)
        same = a->type->dims[i] == b->type->dims[i];
    return same;
}

static u32 by_condition(const Kinds *s, const Node *n, bool aligned, const Node *view)
{
    u32 r = ANY;
    for (int i = 0; i < s->n; i++) {
        const KnownKinds *k = &s->known[i];
        bool there = aligned && (k->view ? view && same_view(k->view, view) : !view);
        if (k->node == n && (s->everywhere || there))
            r &= k->kinds;
    }
    return r;
}

static u32 kinds_of(Kinds *s, const Node *n, bool aligned, const Node *view);

/* A scalar beside an array is the same for all its elements. */
static u32 operand_kinds(Kinds *s, const Node *n, u32 i, bool aligned, const Node *view)
{
    bool same = n->ops[i]->type->rank == n->type->rank;
    return kinds_of(s, n->ops[i], aligned && same, same ? view : NULL);
}

static u32 by_operator(Kinds *s, const Node *n, bool aligned, const Node *view)
{
    if (is_view(n)) /* of a view of a view nothing is known */
        return kinds_of(s, n->ops[0], aligned && !view, n);
    if (n->op == OP_STOP_GRADIENT)
        return kinds_of(s, n->ops[0], aligned, view);
    if (n->op == OP_WHERE)
        return operand_kinds(s, n, 1, aligned, view) | operand_kinds(s, n, 2, aligned, view);
    if (!op_is_elementwise((OpId)n->op) || !n->nops || !dtype_is_float(n->ops[0]->type->dtype))
        return ANY;
    u32 r = operand_kinds(s, n, 0, aligned, view);
    if (n->nops == 1)
        return of_each((OpId)n->op, r);
    for (u32 i = 1; i < n->nops; i++)
        r = of_pairs((OpId)n->op, r, operand_kinds(s, n, i, aligned, view));
    return r;
}

/* `aligned`: element i is element i of the condition; under a view, if that is one of it, too. */
static u32 kinds_of(Kinds *s, const Node *n, bool aligned, const Node *view)
{
    double c;
    if (!dtype_is_float(n->type->dtype) || ++s->looks > MOST_LOOKS)
        return ANY;
    if (node_const_f64(n, &c))
        return kind_of(c);
    u32 r = by_condition(s, n, aligned, view) & by_fact(s, n);
    return r & by_operator(s, n, aligned, view);
}

u32 kinds_where(Facts *f, const Node *condition, bool holds, const Node *x)
{
    Kinds s = {.facts = f, .everywhere = !condition->type->rank};
    if (!dtype_is_float(x->type->dtype))
        return ANY;
    assume(&s, condition, holds, NULL);
    return s.n ? kinds_of(&s, x, condition->type->rank == x->type->rank, NULL) : ANY;
}
