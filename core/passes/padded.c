/* Borders: sums that leave out a border of zeros, borders around borders, and functions of arrays
 * with equal borders.
 *
 * In C, as the widths are operands whose number is that of the axes. */
#include "passes/code_rules.h"
#include "passes/places.h"

static Node *value_of(const Node *pad) { return pad->ops[1]; }

static bool is_zero(const Node *n)
{
    double x;
    return node_const_f64(n, &x) && x == 0;
}

/* Are the widths along axis i numbers that are no error? */
static bool has_known_widths(const Node *pad, int i)
{
    i64 before, after;
    return node_const_i64(pad->ops[2 + 2 * i], &before) && before >= 0 &&
           node_const_i64(pad->ops[3 + 2 * i], &after) && after >= 0;
}

static bool is_known(const Node *pad)
{
    bool known = pad->op == OP_PAD;
    for (int i = 0; known && i < pad->type->rank; i++)
        known = has_known_widths(pad, i);
    return known;
}

static bool is_bordered_along(const Node *pad, int i)
{
    i64 before = 0, after = 0;
    node_const_i64(pad->ops[2 + 2 * i], &before);
    node_const_i64(pad->ops[3 + 2 * i], &after);
    return before || after;
}

static const char no_border[] = "it has no border of known widths";

/* sum(pad(x, 1)) */
static bool sum_padded(Site *site)
{
    Node *n = site->node, *pad = n->ops[0];
    if (!is_known(pad))
        return site_refuse(site, pad, no_border);
    if (!is_zero(value_of(pad)))
        return site_refuse(site, value_of(pad), "the border is not 0");
    for (int i = 0; i < pad->type->rank; i++)
        if (is_bordered_along(pad, i) && !intlist_has(n->attrs[0].ints, i))
            return site_refuse(site, pad, "an axis with a border is not summed over");
    return site_put_alike(site, node1(site->st, OP_SUM, n->attrs, pad->ops[0]));
}

/* pad(pad(x, 1), 2) */
static bool pad_of_pad(Site *site)
{
    enum { MOST = 2 + 2 * MAX_RANK };
    Store *st = site->st;
    Node *n = site->node, *inner = n->ops[0], *ops[MOST];
    if (!is_known(n) || !is_known(inner))
        return site_refuse(site, inner, no_border);
    if (value_of(n) != value_of(inner))
        return site_refuse(site, inner, "its border has another value");
    ops[0] = inner->ops[0];
    ops[1] = value_of(n);
    for (u32 i = 2; i < n->nops; i++) {
        i64 a, b;
        node_const_i64(n->ops[i], &a);
        node_const_i64(inner->ops[i], &b);
        ops[i] = node_i64(st, a + b);
    }
    return site_put_alike(site, node_make(st, OP_PAD, NULL, n->nops, ops));
}

static bool same_widths(const Node *a, const Node *b)
{
    bool same = a->nops == b->nops;
    for (u32 i = 2; same && i < a->nops; i++)
        same = a->ops[i] == b->ops[i];
    return same;
}

/* The operands of n but for numbers are at least two borders of the same widths: the first of them;
 * NULL: they are not. */
static const Node *shared_border(const Node *n)
{
    const Node *first = NULL;
    u32 count = 0;
    for (u32 i = 0; i < n->nops; i++) {
        const Node *x = n->ops[i];
        if (!x->type->rank)
            continue;
        if (x->op != OP_PAD || (first && !same_widths(first, x)))
            return NULL;
        first = first ? first : x;
        count++;
    }
    return count > 1 ? first : NULL;
}

/* f(pad(x), pad(z)) */
static bool pad_once(Site *site)
{
    enum { MOST = 2 + 2 * MAX_RANK };
    Store *st = site->st;
    Node *n = site->node, *inner[4], *border[4], *ops[MOST];
    const Node *first = op_is_elementwise(n->op) && n->nops <= 4 ? shared_border(n) : NULL;
    if (!first)
        return site_refuse(site, NULL, "its operands are not arrays with borders of equal widths");
    for (u32 i = 0; i < n->nops; i++) {
        bool array = n->ops[i]->type->rank > 0;
        inner[i] = array ? n->ops[i]->ops[0] : n->ops[i];
        border[i] = array ? value_of(n->ops[i]) : n->ops[i];
    }
    memcpy(ops, first->ops, first->nops * sizeof *ops);
    ops[0] = node_with_operands(st, n, inner);
    ops[1] = node_with_operands(st, n, border);
    bool made = ops[0] && ops[1] && ops[1]->type->rank == 0;
    return site_put_alike(site, made ? node_make(st, OP_PAD, NULL, first->nops, ops) : NULL);
}

#define CANON(NAME, CLASSES, OP_, FN, REASON)                \
    {                                                        \
        NAME, "canonicalize", CLASSES, OP_, FN, REASON, NULL \
    }
const CodeRule padded_rules[] = {
    CANON("sum-padded", HAZARD_R, OP_SUM, sum_padded, "a border of zeros adds nothing"),
    CANON("pad-of-pad", HAZARD_E, OP_PAD, pad_of_pad, "one border instead of two"),
    CANON("pad-once", HAZARD_E, OP_COUNT, pad_once, "computed inside the border, and once on it"),
    {0}};
