/* Which operand of one node is which of another.  See graph_diff_parts.h. */
#include "analysis/graph_diff_parts.h"

#include "rewrite/pattern.h"

enum {
    LOOKED_AT = 24,    /* nodes of each side that tell how alike two are */
    DEPTH = 10,        /* down to which the whole look is known */
    MOST_ALIGNED = 24, /* operands that are compared each with each; more: in order */
    MUCH_ALIKE = 75,   /* of 100: below what differs, where it may well be something else */
    ONE_OF_TWO = 40    /* of 100: with nothing else to choose from, less will do */
};

/* ---- how alike ---- */

static u64 look_of(const Node *n)
{
    bool owner = node_graphs(n, (int[4]){0}) > 0;
    return owner ? hash_mix(n->op, 1) : n->nops ? node_operator_hash(n) : hash_mix(n->op, n->shash);
}

/* The nearest ones, level by level. */
static int look_around(Node *n, u64 *looks)
{
    Node *queue[LOOKED_AT];
    int len = 1;
    queue[0] = n;
    for (int at = 0; at < len; at++) {
        looks[at] = look_of(queue[at]);
        for (u32 i = 0; i < queue[at]->nops && len < LOOKED_AT; i++)
            queue[len++] = queue[at]->ops[i];
    }
    return len;
}

int diff_likeness(Node *a, Node *b)
{
    u64 looks[2][LOOKED_AT];
    bool taken[LOOKED_AT] = {false};
    int n = look_around(a, looks[0]), m = look_around(b, looks[1]), both = 0;
    if (a == b)
        return 100;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            if (!taken[k] && looks[0][i] == looks[1][k]) {
                taken[k] = true;
                both++;
                break;
            }
    return 200 * both / (n + m);
}

/* All that is above a change that lies deep enough looks the same. */
void diff_note_looks(GraphDiff *d, const NodeVec *order)
{
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        u64 own = look_of(n);
        if (map_has(&d->work->looks, n))
            continue;
        u64 *looks = arena_alloc(&d->arena, DEPTH * sizeof *looks);
        looks[0] = own;
        for (int depth = 1; depth < DEPTH; depth++) {
            bool any = op_any_order(n->op);
            looks[depth] = own;
            for (u32 k = 0; k < n->nops; k++) {
                const u64 *below = map_get(&d->work->looks, n->ops[k]);
                looks[depth] += hash_mix(own + (any ? 0 : k), below ? below[depth - 1] : 0);
            }
        }
        map_put(&d->work->looks, n, looks);
    }
}

/* Down to which depth they look the same, of 100. */
static int depth_alike(const GraphDiff *d, Node *a, Node *b)
{
    const u64 *p = map_get(&d->work->looks, a), *q = map_get(&d->work->looks, b);
    int depth = 0;
    while (p && q && depth < DEPTH && p[depth] == q[depth])
        depth++;
    return 100 * depth / DEPTH;
}

/* ---- operands in any order ---- */

typedef struct {
    u32 n[2], at[2][MOST_ALIGNED]; /* operands that nothing was found for yet */
} Left;

/* Equal ones on both sides are done with. False: too many are left. */
static bool take_equal(const Node *a, const Node *b, Left *left)
{
    bool *taken = xcalloc((size_t)b->nops + 1, sizeof *taken);
    bool fits = true;
    *left = (Left){.n = {0, 0}};
    for (u32 i = 0; i < a->nops && fits; i++) {
        u32 k = 0;
        while (k < b->nops && (taken[k] || a->ops[i] != b->ops[k]))
            k++;
        if (k < b->nops)
            taken[k] = true;
        else if ((fits = left->n[0] < MOST_ALIGNED))
            left->at[0][left->n[0]++] = i;
    }
    for (u32 k = 0; k < b->nops && fits; k++)
        if (!taken[k] && (fits = left->n[1] < MOST_ALIGNED))
            left->at[1][left->n[1]++] = k;
    free(taken);
    return fits;
}

static void drop(Left *left, int side, u32 i)
{
    left->n[side]--;
    memmove(&left->at[side][i], &left->at[side][i + 1],
            (left->n[side] - i) * sizeof left->at[side][0]);
}

/* How well two operands go together; a pair that was compared before is one. */
static int fit(const GraphDiff *d, Node *a, Node *b)
{
    if (map_has(&d->work->seen, pair_key(a, b)))
        return 1000;
    return diff_likeness(a, b) + depth_alike(d, a, b) + (diff_heads_agree(a, b) ? 20 : 0);
}

/* The best pair of those left, and so on; false: the rest has nothing in common. */
static bool take_best(GraphDiff *d, const DiffPath *p, Left *left)
{
    Node *a = p->side[0], *b = p->side[1];
    u32 best[2] = {0, 0};
    int most = -1;
    bool last = left->n[0] == 1 && left->n[1] == 1;
    for (u32 i = 0; i < left->n[0]; i++)
        for (u32 k = 0; k < left->n[1]; k++) {
            int f = fit(d, a->ops[left->at[0][i]], b->ops[left->at[1][k]]);
            if (f > most)
                most = f, best[0] = i, best[1] = k;
        }
    if (most < (left->n[0] == left->n[1] ? 0 : ONE_OF_TWO) && !last)
        return false;
    u32 i = left->at[0][best[0]], k = left->at[1][best[1]];
    diff_push(d, p, a->ops[i], b->ops[k], PART_OPERAND, (int)i);
    drop(left, 0, best[0]);
    drop(left, 1, best[1]);
    return true;
}

static bool align_any_order(GraphDiff *d, const DiffPath *p)
{
    Left left;
    if (!take_equal(p->side[0], p->side[1], &left))
        return false;
    while (left.n[0] && left.n[1] && take_best(d, p, &left))
        ;
    return !left.n[0] && !left.n[1];
}

/* ---- operands in their order ---- */

/* Where there are more on one side, what is equal at both ends stands for itself. */
static bool align_in_order(GraphDiff *d, const DiffPath *p)
{
    const Node *a = p->side[0], *b = p->side[1];
    for (u32 i = 0; i < a->nops && a->nops == b->nops; i++)
        diff_push(d, p, a->ops[i], b->ops[i], PART_OPERAND, (int)i);
    return a->nops == b->nops;
}

bool diff_operands(GraphDiff *d, const DiffPath *p)
{
    OpId op = p->side[0]->op;
    if (op_any_order(op) && align_any_order(d, p))
        return true;
    return (!op_any_order(op) || p->side[0]->nops > MOST_ALIGNED) && align_in_order(d, p);
}

/* ---- below what differs ---- */

/* Is one of them an operand of the other, or nearly so? Then that was put around it. */
static bool is_wrapped(GraphDiff *d, const DiffPath *p)
{
    for (int side = 0; side < 2; side++) {
        Node *in = p->side[side], *around = p->side[!side];
        for (u32 i = 0; i < around->nops; i++)
            if (around->ops[i] == in)
                return true;
        for (u32 i = 0; i < around->nops; i++)
            if (diff_heads_agree(around->ops[i], in) &&
                diff_likeness(around->ops[i], in) >= MUCH_ALIKE) {
                diff_push(d, p, side ? around->ops[i] : in, side ? in : around->ops[i],
                          PART_OPERAND, (int)i);
                return true;
            }
    }
    return false;
}

void diff_go_below(GraphDiff *d, const DiffPath *p)
{
    Node *a = p->side[0], *b = p->side[1];
    if (is_wrapped(d, p))
        return;
    for (u32 i = 0; i < a->nops && a->nops == b->nops; i++)
        if (diff_heads_agree(a->ops[i], b->ops[i]) &&
            diff_likeness(a->ops[i], b->ops[i]) >= MUCH_ALIKE)
            diff_push(d, p, a->ops[i], b->ops[i], PART_OPERAND, (int)i);
}
