/* What a loop backwards reads of the loop forward that it belongs to.
 *
 * Invariant: a rung is read by nothing but loops that run backwards. */
#include "graph/op.h"
#include "graph/name.h"
#include "viz/scene/figure_parts.h"

/* A result of a loop forward as a sequence of a loop backwards. */
static bool reads_backwards(const Node *user, u32 k)
{
    return user->op == OP_SCAN && scan_shape(user).reverse && k &&
           entry_of(user, 0, (int)k - 1).role == ROLE_SEQUENCE;
}

static bool is_trace(const Node *n)
{
    if (n->op != OP_PROJ || n->ops[0]->op != OP_SCAN || scan_shape(n->ops[0]).reverse)
        return false;
    Exit e = exit_of(n->ops[0], (int)n->attrs[0].i);
    return e.out >= 0 && e.kind != EDGE_STATE;
}

Symbol figure_rung_base(Fig *f, Symbol name)
{
    Name n = name_data(f->st, name);
    bool square = n.kind == NAME_APPLIED && op_by_name(n.other) == OP_SQR;
    if (n.again || (!square && n.kind != NAME_COMPLEMENT && n.kind != NAME_MINUS))
        return name;
    return figure_rung_base(f, name_with_index(f->st, n.base, name));
}

/* Does its reader's name for it say how it is made? */
static bool is_said(Fig *f, const Node *user, u32 k)
{
    Symbol name = user->op == OP_SCAN && k ? scan_roles(f->st, user).names[k - 1] : NULL;
    return name && figure_rung_base(f, name) != name;
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
static bool drop_others(Fig *f, Level *l, const NodeVec *order)
{
    bool dropped = false;
    for (size_t i = order->len; i--;) {
        const Node *n = order->at[i];
        for (u32 k = 0; k < n->nops; k++)
            if (map_has(&l->rung, n->ops[k]) && !map_has(&l->rung, n) &&
                !(reads_backwards(n, k) && (n->ops[k]->op == OP_PROJ || is_said(f, n, k)))) {
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

void figure_find_rungs(Fig *f, Level *l, const NodeVec *order, int nroots, Node *const *roots)
{
    for (size_t i = 0; i < order->len && !l->graph; i++) { /* frames stand below each other there */
        Node *n = order->at[i];
        if (is_trace(n) || is_made_of_rungs(l, n))
            set_add(&l->rung, n);
    }
    for (int i = 0; i < nroots; i++)
        map_remove(&l->rung, roots[i]);
    while (drop_others(f, l, order))
        continue;
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
