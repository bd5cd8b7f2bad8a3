/* What the program costs that a form is put back into.
 *
 * Elementwise operators run together with what reads them, and transposed matrices are read as they
 * lie, so of both only a part of an operator's start counts. */
#include "algebra/back_parts.h"
#include "graph/walk.h"
#include "ops/cost.h"

enum { ASSUMED = 100 }; /* as in equality saturation */

static double assumed(void *ctx, const SizeAtom *a)
{
    (void)ctx, (void)a;
    return ASSUMED;
}

static double number(const Size *s)
{
    double x = s ? size_estimate(s, assumed, NULL) : 0;
    return x > 0 ? x : 0;
}

double back_length(const Back *b, int name) { return number(b->sizes[name]); }

/* Small whole powers are products, that many; 0: it is no such power. */
static u32 products_of(const Node *n)
{
    enum { MOST = 4 };
    double p;
    bool small = n->op == OP_POW && node_const_f64(n->ops[1], &p) && p == (int)p && p > 1;
    return small && p <= MOST ? (u32)p - 1 : 0;
}

/* Arrays are divided by one number as fast as they are read. */
static double work_of(const Node *n)
{
    if (products_of(n))
        return products_of(n) * op_work(OP_MUL);
    if (n->op == OP_DIV && n->type->rank && !n->ops[1]->type->rank)
        return op_work(OP_MUL);
    return op_work(n->op);
}

/* A column times a row adds nothing up. */
static bool is_outer(const Node *n)
{
    return n->op == OP_MATMUL && size_is(n->ops[0]->type->dims[node_rank(n->ops[0]) - 1], 1);
}

/* Sums and products of several count as if they were of two at a time. */
static u32 operations(const Node *n)
{
    return (n->op == OP_ADD || n->op == OP_MUL) && n->nops > 2 ? n->nops - 1 : 1;
}

/* One element, however many axes it has. */
static bool is_single(const Node *n)
{
    for (int i = 0; i < n->type->rank; i++)
        if (!size_is(n->type->dims[i], 1))
            return false;
    return true;
}

static bool is_computed(const Node *n) { return n->type->rank && op_is_elementwise(n->op); }

/* In operations of an element: what counts is how many there are, on any machine. Elementwise
 * operators run together with what adds their elements up, but with products of vectors only
 * through memory. */
static double work_at(Store *st, Node *n, bool added_up)
{
    static const double start = 100; /* of an operator on arrays */
    double flops = number(node_flops(st, n));
    bool dot = n->op == OP_MATMUL && !n->type->rank;
    if (n->op == OP_TRANSPOSE || n->op == OP_BROADCAST || op_is_view(n))
        return start / 4;
    if (is_outer(n))
        return start / 2 + flops / 2;
    if (op_is_elementwise(n->op))
        return (!is_single(n) ? added_up ? 0 : start / 2 * operations(n) : 1) + flops * work_of(n);
    return start + flops + (dot ? start * (is_computed(n->ops[0]) + is_computed(n->ops[1])) : 0);
}

static bool is_number(const Node *n)
{
    return n->op == OP_CONST || n->op == OP_SIZE || n->op == OP_DIM ||
           (n->op == OP_CAST && !n->type->rank && is_number(n->ops[0]));
}

/* What sums of their elements are the only ones to read, as far as is known: sums of sums in
 * between are few. */
static void note_sums(const NodeVec *order, NodeSet *added)
{
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        if (n->op == OP_SUM && is_computed(n->ops[0]))
            set_add(added, n->ops[0]);
    }
}

/* x + x reads x twice, whatever it is, x * x once. */
static u32 reads(const Node *n, const Sources *from)
{
    bool sum = n->op == OP_ADD || n->op == OP_SUB;
    u32 count = 0;
    for (u32 k = 0; k < n->nops; k++) {
        bool before = false;
        for (u32 i = 0; i < k && !before && n->nops < 8; i++)
            before = n->ops[i] == n->ops[k];
        count += before ? sum : map_has(&from->stop, n->ops[k]);
    }
    return count;
}

/* a - 2 * b is what people write, not -2 * b + a. */
static u32 signs(const Node *n)
{
    u32 count = n->op == OP_NEG;
    double x;
    for (u32 k = 0; (n->op == OP_MUL || n->op == OP_DIV) && k < n->nops; k++)
        count += node_const_f64(n->ops[k], &x) && x < 0;
    return count;
}

/* 2 * (A @ B) is what people write, not (2 * A) @ B. */
static u32 scaled_operands(const Node *n)
{
    u32 count = 0;
    for (u32 k = 0; n->op == OP_MATMUL && k < n->nops; k++) {
        const Node *x = n->ops[k];
        for (u32 i = 0; x->op == OP_MUL && i < x->nops; i++)
            count += is_number(x->ops[i]);
    }
    return count;
}

static u32 powers_of(const Node *n) { return products_of(n) ? products_of(n) - 1 : 0; }

BackCost back_cost(Store *st, Node *n, const Sources *from)
{
    BackCost sum = {.work = 0};
    NodeVec order = {0};
    NodeSet added = {0};
    nodes_topo_until(n, &from->stop, &order);
    note_sums(&order, &added);
    for (size_t i = 0; i < order.len; i++) {
        if (is_number(order.at[i]))
            continue;
        sum.work += work_at(st, order.at[i], map_has(&added, order.at[i]));
        sum.reads += reads(order.at[i], from);
        sum.nodes += operations(order.at[i]);
        sum.powers += powers_of(order.at[i]);
        sum.scaled += scaled_operands(order.at[i]);
        sum.signs += signs(order.at[i]);
        sum.sums +=
            !op_is_elementwise(order.at[i]->op) && op_table[order.at[i]->op].cls != CLASS_SHAPE;
    }
    map_free(&added);
    vec_free(&order);
    return sum;
}
