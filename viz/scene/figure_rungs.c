/* What a loop backwards reads of the loop forward that it belongs to, and loops that do the same.
 *
 * Invariant: a rung is read by nothing but loops that run backwards. */
#include "graph/op.h"
#include "viz/scene/figure_parts.h"

/* A result of a loop forward as a sequence of a loop backwards. */
static bool reads_backwards(const Node *user, u32 k)
{
    if (user->op != OP_SCAN)
        return false;
    ScanShape s = scan_shape(user);
    return s.reverse && k > (u32)s.nstates && k <= (u32)(s.nstates + s.nseqs);
}

static bool is_trace(const Node *n)
{
    if (n->op != OP_PROJ || n->ops[0]->op != OP_SCAN)
        return false;
    ScanShape s = scan_shape(n->ops[0]);
    return !s.reverse && n->attrs[0].i >= s.nstates && n->attrs[0].i < s.steps;
}

/* Does b do all that a does, and more? */
static bool covers(const Node *a, const Node *b)
{
    ScanShape x = scan_shape(a), y = scan_shape(b);
    if (a == b || a->nops != b->nops || x.nstates != y.nstates || x.nseqs != y.nseqs ||
        x.reverse != y.reverse || x.stop || y.stop || x.nouts >= y.nouts)
        return false;
    for (u32 i = 0; i < a->nops; i++)
        if (a->ops[i] != b->ops[i])
            return false;
    for (int i = 0; i < x.nstates; i++)
        if (x.body->outs[i] != y.body->outs[i])
            return false;
    return true;
}

/* Result k of loop a, of its twin b; -1: b has no such result. */
int figure_twin_result(const Node *a, const Node *b, int k)
{
    ScanShape x = scan_shape(a), y = scan_shape(b);
    if (k < x.nstates)
        return k;
    for (int i = y.nstates; i < y.steps && k < x.steps; i++)
        if (y.body->outs[i] == x.body->outs[k])
            return i;
    return -1;
}

static void find_twins(Level *l, const NodeVec *order)
{
    for (size_t i = 0; i < order->len; i++) {
        Node *r = order->at[i];
        Node *a = r->op == OP_PROJ && r->ops[0]->op == OP_SCAN ? r->ops[0] : NULL;
        for (size_t k = 0; k < order->len && a; k++) {
            Node *b = order->at[k];
            if (b->op == OP_SCAN && covers(a, b) &&
                figure_twin_result(a, b, (int)r->attrs[0].i) >= 0)
                map_put(&l->twin, a, b);
        }
    }
    for (size_t i = 0; i < order->len; i++) {
        Node *r = order->at[i];
        Node *b = r->op == OP_PROJ ? map_get(&l->twin, r->ops[0]) : NULL;
        if (b && figure_twin_result(r->ops[0], b, (int)r->attrs[0].i) < 0)
            map_remove(&l->twin, r->ops[0]);
    }
}

/* One minus it, its square and such: said in the loop backwards, so drawn nowhere. */
static bool is_made_of_rungs(const Level *l, const Node *n)
{
    bool any = false, all = op_is_elementwise(n->op) || figure_core((Node *)(uintptr_t)n) != n;
    for (u32 k = 0; k < n->nops && all; k++) {
        bool rung = map_has(&l->rung, n->ops[k]);
        any = any || rung;
        all = rung || figure_core(n->ops[k])->op == OP_CONST;
    }
    return any && all;
}

/* What something else reads, too, is none; that may go on to what it is made of, and to what is
 * made of it. */
static bool drop_others(Level *l, const NodeVec *order)
{
    bool dropped = false;
    for (size_t i = order->len; i--;) {
        const Node *n = order->at[i];
        for (u32 k = 0; k < n->nops; k++)
            if (map_has(&l->rung, n->ops[k]) && !map_has(&l->rung, n) && !reads_backwards(n, k)) {
                map_remove(&l->rung, n->ops[k]);
                dropped = true;
            }
    }
    for (size_t i = 0; i < order->len; i++) {
        const Node *n = order->at[i];
        if (map_has(&l->rung, n) && n->op != OP_PROJ && !is_made_of_rungs(l, n)) {
            map_remove(&l->rung, n);
            dropped = true;
        }
    }
    return dropped;
}

void figure_find_rungs(Level *l, const NodeVec *order, int nroots, Node *const *roots)
{
    for (size_t i = 0; i < order->len && !l->graph; i++) { /* frames stand below each other there */
        Node *n = order->at[i];
        if (is_trace(n) || is_made_of_rungs(l, n))
            map_put(&l->rung, n, n);
    }
    for (int i = 0; i < nroots; i++)
        map_remove(&l->rung, roots[i]);
    while (drop_others(l, order))
        continue;
    find_twins(l, order);
}

void figure_rung_traces(const Level *l, Node *seq, NodeVec *out)
{
    if (seq->op == OP_PROJ) {
        for (size_t i = 0; i < out->len; i++)
            if (out->at[i] == seq)
                return;
        vec_push(out, seq);
        return;
    }
    for (u32 k = 0; k < seq->nops; k++)
        if (map_has(&l->rung, seq->ops[k]))
            figure_rung_traces(l, seq->ops[k], out);
}
