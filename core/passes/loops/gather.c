/* How a state gathers what it is given: gather.h. */
#include "passes/loops/gather.h"

#include <math.h>

static bool gathers(OpId op) { return gather_reduction(op) != OP_COUNT; }

/* The state and what it is put together with, in one operator of two operands: s - g, s / g. */
static bool is_taken_off(const Gather *g) { return g->in->op == OP_SUB || g->in->op == OP_DIV; }

static bool stands_once(const Gather *g)
{
    u32 times = 0;
    for (u32 i = 0; i < g->in->nops; i++)
        times += g->in->ops[i] == g->state;
    return times == 1 && g->in->nops > 1;
}

bool gather_find(Node *next, Node *state, Gather *g)
{
    bool turned = next->op == OP_NEG && next->ops[0]->op == OP_MUL;
    *g = (Gather){next->op, next, state, turned, next->op == OP_DIV};
    if (turned)
        g->in = next->ops[0];
    g->minus = turned || next->op == OP_SUB;
    g->op = turned || g->inverse ? OP_MUL : next->op == OP_SUB ? OP_ADD : next->op;
    return gathers(g->op) && stands_once(g) && (!is_taken_off(g) || g->in->ops[0] == state);
}

Node *gather_with(Store *st, const Gather *g)
{
    Node **rest = arena_alloc(&st->scratch, g->in->nops * sizeof *rest);
    u32 n = 0;
    for (u32 i = 0; i < g->in->nops; i++)
        if (g->in->ops[i] != g->state)
            rest[n++] = g->in->ops[i];
    Node *with = n == 1 ? rest[0] : node_make(st, g->in->op, g->in->attrs, n, rest);
    return with && g->minus ? build_neg(st, with) : with;
}

bool gather_reads(const Gather *g, const GraphReads *reads, int from, int to)
{
    bool some = false;
    for (u32 i = 0; i < g->in->nops && !some; i++)
        some = g->in->ops[i] != g->state && reads_among(reads, g->in->ops[i], from, to);
    return some;
}

OpId gather_reduction(OpId op)
{
    switch (op) {
    case OP_ADD: return OP_SUM;
    case OP_MUL: return OP_PROD;
    case OP_MAXIMUM: return OP_MAX;
    case OP_MINIMUM: return OP_MIN;
    case OP_LOGADDEXP: return OP_LOGSUMEXP;
    case OP_LOGICAL_AND: return OP_ALL;
    case OP_LOGICAL_OR: return OP_ANY;
    default: return OP_COUNT;
    }
}

/* The value that changes nothing; not a number for truths. */
static double gather_neutral(OpId op)
{
    switch (op) {
    case OP_ADD: return 0;
    case OP_MUL: return 1;
    case OP_MAXIMUM:
    case OP_LOGADDEXP: return -INFINITY;
    case OP_MINIMUM: return INFINITY;
    default: return NAN;
    }
}

bool gather_number(const Node *init, double *number)
{
    while (init->op == OP_BROADCAST)
        init = init->ops[0];
    return node_const_f64(init, number);
}

bool gather_changes_nothing(OpId op, const Node *init)
{
    double number, neutral = gather_neutral(op);
    return gather_number(init, &number) && number == neutral &&
           !signbit(number) == !signbit(neutral);
}
