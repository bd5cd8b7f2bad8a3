/* Masks: cotangents that are zero where a branch was not taken.
 *
 * A derivative D is linear in dy, so D(where(c, g, 0)) = where(c, D(g), 0). In that order,
 * what the branch not taken would make infinite or NaN is thrown away instead of being
 * multiplied by 0.
 *
 * Invariant: mask_apply(m, mask_peel(dy, m)) has dy's value. A mask is found through
 * operators that move elements, through sums (zero where no part's mask holds) and, if it
 * is one bool for all elements, through other linear operators: sums along axes, and what is
 * stored into zeros or into what is masked itself. */
#include "ops/mask.h"
#include "ops/family.h"

enum { BUDGET = 200 }; /* how many nodes are looked at for a mask */

static bool moves_elements(OpId op) { return op_table[op].flags & MOVES; }

/* Linear operators that mix elements. */
static bool mixes(OpId op) { return op_table[op].flags & MIXES; }

/* Linear in what is stored and what it is stored into. */
static bool stores(const Node *n)
{
    bool store = op_table[n->op].flags & UPDATES;
    i64 mode = store ? n->attrs[n->nattrs - 1].i : 0;
    return store && (mode == STORE_SET || mode == STORE_ADD);
}

/* Does one bool for all elements follow from a condition of elements (or from its contrary)? */
static bool implies_whole(const Node *c, bool contrary)
{
    if (!node_rank(c))
        return true;
    if (c->op == OP_LOGICAL_NOT)
        return implies_whole(c->ops[0], !contrary);
    if (c->op != OP_LOGICAL_AND && c->op != OP_LOGICAL_OR)
        return false;
    bool a = implies_whole(c->ops[0], contrary), b = implies_whole(c->ops[1], contrary);
    return (c->op == OP_LOGICAL_AND) != contrary ? a || b : a && b;
}

/* That bool. */
static Node *implied_whole(Store *st, Node *c, bool contrary)
{
    if (!node_rank(c))
        return contrary ? build_elementwise(st, OP_LOGICAL_NOT, 1, &c) : c;
    if (c->op == OP_LOGICAL_NOT)
        return implied_whole(st, c->ops[0], !contrary);
    bool both = (c->op == OP_LOGICAL_AND) != contrary, a = implies_whole(c->ops[0], contrary),
         b = implies_whole(c->ops[1], contrary);
    if (!a || !b)
        return implied_whole(st, c->ops[a ? 0 : 1], contrary);
    Node *parts[] = {implied_whole(st, c->ops[0], contrary),
                     implied_whole(st, c->ops[1], contrary)};
    return build_elementwise(st, both ? OP_LOGICAL_AND : OP_LOGICAL_OR, 2, parts);
}

/* Is there a mask? *whole: also one that is one bool for all elements. */
static bool look(const Node *dy, int *budget, bool *whole)
{
    bool inner;
    if (--*budget < 0)
        return false;
    if (dy->op == OP_WHERE && (node_is_zeros(dy->ops[1]) || node_is_zeros(dy->ops[2]))) {
        const Node *g = dy->ops[node_is_zeros(dy->ops[1]) ? 2 : 1];
        *whole = implies_whole(dy->ops[0], node_is_zeros(dy->ops[1])) ||
                 (look(g, budget, &inner) && inner);
        return true;
    }
    if (dy->op == OP_ADD) {
        *whole = true;
        for (u32 i = 0; i < dy->nops; i++) {
            if (!look(dy->ops[i], budget, &inner))
                return false;
            *whole = *whole && inner;
        }
        return true;
    }
    if (moves_elements(dy->op) || dy->op == OP_CAST)
        return look(dy->ops[0], budget, whole);
    if (stores(dy))
        return look(dy->ops[2], budget, whole) && *whole &&
               (node_is_zeros(dy->ops[0]) || (look(dy->ops[0], budget, whole) && *whole));
    return mixes(dy->op) && look(dy->ops[0], budget, whole) && *whole;
}

static bool has_mask(const Node *dy, bool *whole)
{
    int budget = BUDGET;
    return look(dy, &budget, whole);
}

static Node *upright(Store *st, const Mask *m)
{
    Node *c = m->condition;
    return m->inverted ? build_elementwise(st, OP_LOGICAL_NOT, 1, &c) : c;
}

static void combine(Store *st, OpId op, Mask *m, const Mask *other)
{
    Node *both[] = {upright(st, m), upright(st, other)};
    m->condition = build_elementwise(st, op, 2, both);
    m->inverted = false;
}

/* The cotangent under the mask, which is one bool if `whole`; without one, dy itself. NULL after a
 * diagnostic. */
static Node *peel(Store *st, Node *dy, bool whole, Mask *m);

static Node *peel_where(Store *st, Node *dy, bool whole, Mask *m)
{
    Mask own = {dy->ops[0], node_is_zeros(dy->ops[1])};
    bool under_whole, some = whole && node_rank(own.condition);
    Node *g = dy->ops[own.inverted ? 2 : 1];
    *m = (Mask){NULL, false};
    if (some && implies_whole(own.condition, own.inverted)) {
        m->condition = implied_whole(st, own.condition, own.inverted);
        return dy;
    }
    if (has_mask(g, &under_whole) && (under_whole || !whole))
        g = peel(st, g, whole, m);
    if (some) /* a mask of elements stays */
        return m->condition ? build_like(st, mask_apply(st, &own, g), dy) : dy;
    Mask inner = *m;
    *m = own;
    if (inner.condition)
        combine(st, OP_LOGICAL_AND, m, &inner);
    return g;
}

/* where(c, a, 0) + where(c, b, 0) is where(c, a + b, 0); of different masks it is zero where none
 * holds. */
static Node *peel_add(Store *st, Node *dy, bool whole, Mask *m)
{
    Node *sum = peel(st, dy->ops[0], whole, m);
    bool same = true;
    for (u32 i = 1; i < dy->nops && m->condition; i++) {
        Mask other = {0};
        Node *part = peel(st, dy->ops[i], whole, &other);
        same = same && other.condition == m->condition && other.inverted == m->inverted;
        if (!other.condition)
            *m = other;
        else if (same)
            sum = build_add(st, sum, part);
        else
            combine(st, OP_LOGICAL_OR, m, &other);
    }
    return same && m->condition ? sum : dy;
}

static Node *with_operand(Store *st, Node *n, int k, Node *x)
{
    Node *ops[MAX_RANK + 1];
    memcpy(ops, n->ops, n->nops * sizeof *ops);
    ops[k] = x;
    return node_make(st, n->op, n->attrs, n->nops, ops);
}

/* The same operator on what the mask lets through, and on a mask of elements. */
static Node *peel_moved(Store *st, Node *dy, bool whole, Mask *m)
{
    Node *x = dy->ops[0], *g = peel(st, x, whole || mixes(dy->op), m);
    if (!g || !m->condition)
        return g ? dy : NULL;
    if (dy->op == OP_CAST)
        return with_operand(st, dy, 0, g);
    if (node_rank(x) && node_rank(m->condition))
        m->condition = with_operand(st, dy, 0, m->condition);
    return node_rank(x) && !node_rank(g) ? g : with_operand(st, dy, 0, g);
}

/* What is stored and what it is stored into, under one mask for all elements or under two. */
static Node *peel_stored(Store *st, Node *dy, Mask *m)
{
    Mask inner = {0};
    Node *base = dy->ops[0], *part = peel(st, dy->ops[2], true, m);
    bool alone = node_is_zeros(base);
    if (!alone)
        base = peel(st, base, true, &inner);
    if (!base || !part)
        return NULL;
    if (!m->condition || (!alone && !inner.condition)) {
        *m = (Mask){NULL, false};
        return dy;
    }
    if (!alone && (inner.condition != m->condition || inner.inverted != m->inverted)) {
        combine(st, OP_LOGICAL_OR, m, &inner);
        return dy;
    }
    return node3(st, dy->op, dy->attrs, build_like(st, base, dy), dy->ops[1],
                 build_like(st, part, dy->ops[2]));
}

static Node *peel(Store *st, Node *dy, bool whole, Mask *m)
{
    if (dy->op == OP_WHERE && (node_is_zeros(dy->ops[1]) || node_is_zeros(dy->ops[2])))
        return peel_where(st, dy, whole, m);
    if (dy->op == OP_ADD)
        return peel_add(st, dy, whole, m);
    if (stores(dy))
        return peel_stored(st, dy, m);
    bool passes = moves_elements(dy->op) || dy->op == OP_CAST || mixes(dy->op);
    return passes ? peel_moved(st, dy, whole, m) : dy;
}

Node *mask_peel(Store *st, Node *dy, Mask *m)
{
    bool whole;
    *m = (Mask){NULL, false};
    return dy && has_mask(dy, &whole) ? peel(st, dy, false, m) : dy;
}

Node *mask_peel_whole(Store *st, Node *dy, Mask *m)
{
    bool whole;
    *m = (Mask){NULL, false};
    return dy && has_mask(dy, &whole) && whole ? peel(st, dy, true, m) : dy;
}

Node *mask_apply(Store *st, const Mask *m, Node *g)
{
    if (!m->condition || !g)
        return g;
    Node *zero = zero_of(st, g);
    Node *ops[] = {m->condition, m->inverted ? zero : g, m->inverted ? g : zero};
    return build_elementwise(st, OP_WHERE, 3, ops);
}
