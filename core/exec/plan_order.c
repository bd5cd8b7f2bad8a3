/* The order in which the nodes of a graph run: operands first, as found from the outputs;
 * but what updates an array (set_index, set_slice, scatter) waits for those that still
 * read it, so that it can happen in place.
 *
 * Invariant: the result is a topological order of the needed nodes. Waiting is a
 * preference: nodes that wait for each other run in the order they had. */
#include "exec/plan_work.h"

enum { MOST_ROUNDS = 32 };

bool node_updates(const Node *n) {
    return n->op == OP_SET_INDEX || n->op == OP_SET_SLICE || n->op == OP_SCATTER;
}

/* The operand whose memory the result may share; NULL: its own. */
static const Node *viewed(const Node *n) {
    switch (n->op) {
    case OP_INDEX:
    case OP_SLICE:
        return n->attrs[0].i == 0 && kind_of(n->type) == KIND_TENSOR ? n->ops[0] : NULL;
    case OP_RESHAPE:
    case OP_EXPAND_DIMS:
    case OP_SQUEEZE:
    case OP_MATCH_SHAPE:
    case OP_STOP_GRADIENT:
        return n->ops[0];
    case OP_CHECK:
        return n->ops[1];
    default:
        return NULL;
    }
}

typedef struct {
    const Need *need;
    u32 *owner;   /* by place: where its memory comes from */
    u32 *readers; /* by place of an owner: needed uses of it and of its views that have not run yet */
    bool *done;
    u32 *out;
    u32 nout;
} Order;

static bool ready(const Order *o, const Node *n) {
    for (u32 k = 0; k < n->nops; k++) {
        u32 place = need_place(o->need, n->ops[k]);
        if (o->need->needed[place] && !o->done[place])
            return false;
    }
    return true;
}

static void run_node(Order *o, u32 place) {
    const Node *n = o->need->order.at[place];
    o->done[place] = true;
    o->out[o->nout++] = place;
    for (u32 k = 0; k < n->nops; k++)
        o->readers[o->owner[need_place(o->need, n->ops[k])]]--;
}

static bool waits(const Order *o, const Node *n) {
    if (!node_updates(n))
        return false;
    u32 target = o->owner[need_place(o->need, n->ops[0])], own = 0;
    for (u32 k = 0; k < n->nops; k++)
        own += o->owner[need_place(o->need, n->ops[k])] == target;
    return o->readers[target] > own;
}

/* One round over what is left, which it compacts; with `force` one waiting node runs. */
static u32 one_round(Order *o, u32 *left, u32 nleft, bool force) {
    u32 kept = 0;
    for (u32 i = 0; i < nleft; i++) {
        const Node *n = o->need->order.at[left[i]];
        if (!ready(o, n) || (waits(o, n) && !force)) {
            left[kept++] = left[i];
            continue;
        }
        force = force && !waits(o, n);
        run_node(o, left[i]);
    }
    return kept;
}

u32 *plan_order(Emit *e, u32 *count) {
    const Need *need = &e->need;
    size_t n = need->order.len;
    Order o = {.need = need};
    o.owner = xmalloc((n + 1) * sizeof *o.owner);
    o.readers = xcalloc(n + 1, sizeof *o.readers);
    o.done = xcalloc(n + 1, sizeof *o.done);
    o.out = xmalloc((n + 1) * sizeof *o.out);
    u32 *left = xmalloc((n + 1) * sizeof *left), nleft = 0;
    bool any = false;
    for (u32 i = 0; i < n; i++) {
        const Node *from = viewed(need->order.at[i]);
        o.owner[i] = from ? o.owner[need_place(need, from)] : i;
        if (!need->needed[i])
            continue;
        left[nleft++] = i;
        any = any || node_updates(need->order.at[i]);
        for (u32 k = 0; k < need->order.at[i]->nops; k++)
            o.readers[o.owner[need_place(need, need->order.at[i]->ops[k])]]++;
    }
    bool force = !any || (e->pl->flags & PLAN_UNORDERED);
    for (int round = 0; nleft && round < MOST_ROUNDS && !force; round++) {
        u32 before = nleft;
        nleft = one_round(&o, left, nleft, false);
        if (nleft == before)
            nleft = one_round(&o, left, nleft, true);
    }
    for (u32 i = 0; i < nleft; i++)
        o.out[o.nout++] = left[i];
    free(left);
    free(o.owner);
    free(o.readers);
    free(o.done);
    *count = o.nout;
    return o.out;
}
