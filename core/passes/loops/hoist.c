/* S1: a part of the body that depends on captures only is computed once, before the loop.
 *
 * Condition: it cannot fail, or the loop is proved to run at least once, or it is computed before
 * the loop anyway, for an operand of the loop; a loop of zero steps would otherwise fail where it
 * did not before. */
#include "passes/loops/loops.h"

static bool worth_hoisting(const Node *n)
{
    return n->op != OP_CONST && n->op != OP_HOLE && n->op != OP_DIM && n->op != OP_SIZE &&
           n->nops && n->type->kind == TYPE_TENSOR;
}

typedef struct {
    ScanEdit *ed;
    PtrMap moving;    /* open nodes that change from step to step */
    PtrMap invariant; /* maximal ones, as they are found */
    NodeVec found;
    PtrMap before; /* what the operands of the loop take, once it was asked for */
    bool runs, anyway;
} Hoist;

/* The lengths of axes are known without the values. */
static void find_before(Hoist *h)
{
    NodeVec todo = {0};
    for (u32 i = 0; i < h->ed->scan->nops; i++)
        vec_push(&todo, h->ed->scan->ops[i]);
    while (todo.len) {
        Node *n = todo.at[--todo.len];
        if (map_has(&h->before, n))
            continue;
        map_put(&h->before, n, n);
        for (u32 i = 0; i < n->nops && n->op != OP_DIM; i++)
            vec_push(&todo, n->ops[i]);
    }
    vec_free(&todo);
}

/* Every part that may fail is computed before the loop anyway. */
static bool computed_anyway(Hoist *h, Node *n)
{
    Node *outside = scan_outside(h->ed, n);
    NodeVec order = {0};
    bool ok = outside != NULL;
    if (ok && !h->before.len)
        find_before(h);
    if (ok)
        nodes_topo(1, &outside, &order);
    for (size_t i = 0; i < order.len && ok; i++)
        ok = node_is_total(h->ed->st, order.at[i]) || map_has(&h->before, order.at[i]);
    vec_free(&order);
    return ok;
}

static bool may_move(Hoist *h, Node *n)
{
    if (h->runs)
        return true;
    bool total = nodes_are_total(h->ed->st, n), anyway = !total && computed_anyway(h, n);
    h->anyway = h->anyway || anyway;
    return total || anyway;
}

static void classify(Hoist *h, const NodeVec *order)
{
    for (int i = 0; i < h->ed->s.nstates; i++)
        map_put(&h->moving, h->ed->states[i].hole, h->ed->states[i].hole);
    for (int i = 0; i < h->ed->s.nseqs; i++)
        map_put(&h->moving, h->ed->seqs[i].hole, h->ed->seqs[i].hole);
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        for (u32 k = 0; k < n->nops && !map_has(&h->moving, n); k++)
            if (map_has(&h->moving, n->ops[k]))
                map_put(&h->moving, n, n);
    }
}

static void consider(Hoist *h, Node *n)
{
    if (map_has(&h->moving, n) || map_has(&h->invariant, n) || !worth_hoisting(n) ||
        !may_move(h, n))
        return;
    map_put(&h->invariant, n, n);
    vec_push(&h->found, n);
}

/* Maximal invariant parts: operands of something that moves, and outputs themselves. */
static void find_invariants(Hoist *h)
{
    NodeVec roots = {0}, order = {0};
    scan_roots(h->ed, &roots);
    nodes_topo((int)roots.len, roots.at, &order);
    classify(h, &order);
    for (size_t i = 0; i < order.len; i++)
        if (map_has(&h->moving, order.at[i]))
            for (u32 k = 0; k < order.at[i]->nops; k++)
                consider(h, order.at[i]->ops[k]);
    for (size_t i = 0; i < roots.len; i++)
        consider(h, roots.at[i]);
    vec_free(&roots);
    vec_free(&order);
}

bool loop_hoist(Engine *e, Node *n, Changes *out, Text *why)
{
    ScanEdit ed;
    if (!scan_open(e->st, n, &ed))
        return false;
    Hoist h = {.ed = &ed, .runs = scan_runs(&ed.s)};
    find_invariants(&h);
    PtrMap memo = {0};
    Node *r = NULL;
    bool ok = h.found.len > 0;
    for (size_t i = 0; i < h.found.len && ok; i++) {
        Node *outside = scan_outside(&ed, h.found.at[i]);
        ok = outside && outside->type->kind == TYPE_TENSOR;
        if (ok)
            map_put(&memo, h.found.at[i], scan_capture(&ed, outside, h.found.at[i]->type));
    }
    if (ok && scan_substitute(&ed, &memo))
        r = scan_close(&ed);
    if (r && r != n) {
        text_printf(why, "%zu part%s; %s", h.found.len, h.found.len == 1 ? "" : "s",
                    h.runs     ? "the loop runs at least once"
                    : h.anyway ? "the loop cannot begin without it"
                               : "nothing in it can fail");
        scan_changes(&ed, r, out);
    }
    map_free(&memo);
    map_free(&h.moving);
    map_free(&h.invariant);
    map_free(&h.before);
    vec_free(&h.found);
    scan_edit_free(&ed);
    return r && r != n;
}
