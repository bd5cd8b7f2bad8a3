/* The order in which the nodes of a graph run: operands first, as found from the outputs;
 * but what updates an array (set_index, set_slice, scatter) waits for those that still read it, so
 * that it can happen in place.
 *
 * Invariant: the result is a topological order of the needed nodes. Waiting is a
 * preference: nodes that wait for each other run in the order they had. */
#include "exec/plan_work.h"

/* The operand whose memory the result may share; NULL: its own. Of what reads a part only a row of
 * axis 0 is one piece of memory. */
static const Node *viewed(const Node *n)
{
    u32 flags = op_table[n->op].flags;
    bool piece = n->attrs && n->attrs[0].i == 0 && kind_of(n->type) == KIND_TENSOR;
    if (!(flags & ALIASES) || (flags & READS && !piece))
        return NULL;
    return n->ops[n->op == OP_CHECK ? 1 : 0];
}

/* ---- a heap of places ---- */

typedef VEC(u32) Heap32;

static void heap_push(Heap32 *h, u32 x)
{
    vec_push(h, x);
    size_t i = h->len - 1;
    for (; i && h->at[(i - 1) / 2] > x; i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = x;
}

static u32 heap_pop(Heap32 *h)
{
    u32 top = h->at[0], x = h->at[--h->len];
    size_t i = 0;
    for (size_t c; (c = 2 * i + 1) < h->len; i = c) {
        if (c + 1 < h->len && h->at[c + 1] < h->at[c])
            c++;
        if (h->at[c] >= x)
            break;
        h->at[i] = h->at[c];
    }
    if (h->len)
        h->at[i] = x;
    return top;
}

typedef struct {
    const Emit *e;
    const Need *need;
    u32 n;
    u32 *owner;   /* by place: where its memory comes from */
    u32 *readers; /* by place of an owner: needed uses of it and of its views that have not run */
    u32 *first, *user; /* the users of place p are user[first[p]] .. user[first[p + 1] - 1] */
    u32 *missing;      /* by place: operands that have not run */
    u32 *waiting;      /* by owner: an update that waits, then next_waiting */
    u32 *next_waiting;
    bool *waits;    /* by place */
    Heap32 ready;   /* nodes that may run; the smallest place first */
    Heap32 delayed; /* nodes that wait, or did once */
    u32 *out;
    u32 nout;
} Order;

/* ---- edges ---- */

static void add_edges(Order *o)
{
    const Need *need = o->need;
    for (int pass = 0; pass < 2; pass++) {
        for (u32 i = 0; i < o->n; i++) {
            const Node *n = need->order.at[i];
            for (u32 k = 0; need->needed[i] && k < need_operand_count(need, i); k++) {
                u32 p = need_place(need, n->ops[k]);
                if (!need->needed[p])
                    continue;
                if (pass)
                    o->user[o->first[p]++] = i;
                else
                    o->first[p + 1]++;
                o->missing[i] += !pass;
            }
        }
        if (pass)
            break;
        for (u32 i = 0; i < o->n; i++)
            o->first[i + 1] += o->first[i];
        o->user = xmalloc(((size_t)o->first[o->n] + 1) * sizeof *o->user);
    }
    for (u32 i = o->n; i-- > 0;) /* the second pass moved each start to the next one */
        o->first[i + 1] = o->first[i];
    o->first[0] = 0;
}

static void add_readers(Order *o)
{
    const Need *need = o->need;
    for (u32 i = 0; i < o->n; i++) {
        const Node *n = need->order.at[i], *from = need->leaf[i] ? NULL : viewed(n);
        o->owner[i] = from ? o->owner[need_place(need, from)] : i;
        o->waiting[i] = NO_REG;
        for (u32 k = 0; need->needed[i] && k < need_operand_count(need, i); k++)
            o->readers[o->owner[need_place(need, n->ops[k])]]++;
    }
}

/* ---- running ---- */

static bool must_wait(const Order *o, u32 place)
{
    const Node *n = o->need->order.at[place];
    if (!(op_table[n->op].flags & UPDATES) || o->need->leaf[place] ||
        (o->e->pl->flags & PLAN_UNORDERED))
        return false;
    u32 target = o->owner[need_place(o->need, n->ops[0])], own = 0;
    for (u32 k = 0; k < n->nops; k++)
        own += o->owner[need_place(o->need, n->ops[k])] == target;
    return o->readers[target] > own;
}

static void wait_for(Order *o, u32 place, u32 owner)
{
    o->next_waiting[place] = o->waiting[owner];
    o->waiting[owner] = place;
}

static void wake(Order *o, u32 owner)
{
    u32 w = o->waiting[owner];
    o->waiting[owner] = NO_REG;
    while (w != NO_REG) {
        u32 next = o->next_waiting[w];
        if (o->waits[w] && must_wait(o, w)) {
            wait_for(o, w, owner);
        } else if (o->waits[w]) {
            o->waits[w] = false;
            heap_push(&o->ready, w);
        }
        w = next;
    }
}

static void run_node(Order *o, u32 place)
{
    o->out[o->nout++] = place;
    const Node *n = o->need->order.at[place];
    for (u32 k = 0; k < need_operand_count(o->need, place); k++) {
        u32 owner = o->owner[need_place(o->need, n->ops[k])];
        o->readers[owner]--;
        if (o->waiting[owner] != NO_REG)
            wake(o, owner);
    }
    for (u32 j = o->first[place]; j < o->first[place + 1]; j++)
        if (--o->missing[o->user[j]] == 0)
            heap_push(&o->ready, o->user[j]);
}

/* Nothing can run but updates that wait for each other: the first of them goes. */
static u32 first_delayed(Order *o)
{
    while (o->delayed.len) {
        u32 place = heap_pop(&o->delayed);
        if (o->waits[place]) {
            o->waits[place] = false;
            return place;
        }
    }
    return NO_REG;
}

static void run_all(Order *o)
{
    for (u32 i = 0; i < o->n; i++)
        if (o->need->needed[i] && o->missing[i] == 0)
            heap_push(&o->ready, i);
    for (;;) {
        bool forced = !o->ready.len;
        u32 place = forced ? first_delayed(o) : heap_pop(&o->ready);
        if (place == NO_REG)
            return;
        if (!forced && must_wait(o, place)) {
            wait_for(o, place, o->owner[need_place(o->need, o->need->order.at[place]->ops[0])]);
            o->waits[place] = true;
            heap_push(&o->delayed, place);
        } else {
            run_node(o, place);
        }
    }
}

u32 *plan_order(const Emit *e, u32 *count)
{
    size_t n = e->need.order.len + 1;
    Order o = {.e = e, .need = &e->need, .n = (u32)e->need.order.len};
    u32 *block = xcalloc(7 * n + 1, sizeof *block);
    o.owner = block;
    o.readers = block + n;
    o.missing = block + 2 * n;
    o.waiting = block + 3 * n;
    o.next_waiting = block + 4 * n;
    o.first = block + 5 * n; /* n + 1 of them */
    o.out = xmalloc(n * sizeof *o.out);
    o.waits = xcalloc(n, sizeof *o.waits);
    add_edges(&o);
    add_readers(&o);
    run_all(&o);
    free(block);
    free(o.user);
    free(o.waits);
    vec_free(&o.ready);
    vec_free(&o.delayed);
    *count = o.nout;
    return o.out;
}
