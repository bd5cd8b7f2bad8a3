/* Temporaries; see temps.h. The number of the last one that a node reaches is enough: what is made
 * after it, within its use, has a higher number. */
#include "graph/temps.h"
#include "graph/names.h"
#include "graph/node_map.h"
#include "graph/walk.h"

enum { FIRST_TEMP = 1 << 30 }; /* numbers of temporaries, above those of other holes */

struct Temps {
    u32 made;            /* how many, ever */
    VEC(u32) since;      /* by number: the how-manieth its present use is */
    NODE_MAP(u32) lasts; /* open node -> 1 + the number of the last one that it reaches; 0: none */
};

static struct Temps *temps(Store *st)
{
    if (!st->temps)
        st->temps = xcalloc(1, sizeof *st->temps);
    return st->temps;
}

Node *node_temp(Store *st, Type *type, Symbol hint)
{
    struct Temps *t = temps(st);
    u32 k = st->temp_count++;
    while (t->since.len <= k)
        vec_push(&t->since, 0);
    t->since.at[k] = ++t->made;
    Attr a[] = {{.i = FIRST_TEMP + (i64)k}, {.type = type}};
    Node *n = node0(st, OP_HOLE, a);
    if (n && hint)
        node_set_name(st, n, hint);
    return n;
}

/* ---- which one a node reaches ---- */

static Node *unknown_operand(void *ctx, Node *n, u32 k)
{
    const struct Temps *t = ctx;
    if (k == n->nops)
        return NULL;
    Node *op = n->ops[k];
    return op->open && !node_map_has(&t->lasts, op) ? op : n;
}

static void find_last(void *ctx, Node *n)
{
    struct Temps *t = ctx;
    u32 last = 0;
    if (n->op == OP_HOLE && n->attrs[0].i >= FIRST_TEMP)
        last = (u32)(n->attrs[0].i - FIRST_TEMP) + 1;
    for (u32 i = 0; i < n->nops; i++) {
        u32 below = n->ops[i]->open ? node_map_get(&t->lasts, n->ops[i]) : 0;
        last = below > last ? below : last;
    }
    node_map_put(&t->lasts, n, last);
}

static u32 last_of(Store *st, const Node *n)
{
    struct Temps *t = temps(st);
    if (!n->open)
        return 0;
    if (!node_map_has(&t->lasts, n)) {
        NodeSet seen = {0};
        nodes_visit((Node *)(uintptr_t)n, &seen, &(Visit){unknown_operand, find_last, t});
        map_free(&seen);
    }
    return node_map_get(&t->lasts, n);
}

bool node_over_temps(Store *st, const Node *n) { return last_of(st, n) != 0; }
u32 temps_now(const Store *st) { return st->temps ? st->temps->made : 0; }

bool temps_last(Store *st, const Node *n, u32 since)
{
    u32 last = last_of(st, n);
    return !last || since >= st->temps->since.at[last - 1];
}

/* ---- the store ---- */

void temps_forget(Store *st)
{
    if (st->temps)
        node_map_free(&st->temps->lasts);
}

void temps_free(Store *st)
{
    temps_forget(st);
    if (st->temps)
        vec_free(&st->temps->since);
    free(st->temps);
    st->temps = NULL;
}
