/* A sequence whose rows are computed element by element is computed in the step that reads the row.
 *
 *   C = f(X, w);  scan over C from d = d0 { d[t] = g(C[t], d[t-1]) }
 *   =>   scan over X from d = d0 { d[t] = g(f(X[t], w), d[t-1]) }
 *
 * C is then neither stored nor read again. Condition: the step does nothing but elementwise work on
 * rows that are worth a vector, so that it runs on a part of them at a time; the loop alone reads
 * C, which has a row for each step and cannot fail; few sequences take its place. Exact. */
#include "graph/reads.h"
#include "ops/ops.h"
#include "passes/loops/rows.h"

enum { WORTH = 32 /* elements of a row */, MOST_SEQUENCES = 4, MOST_MOVED = 16 };

typedef struct {
    Store *st;
    ScanEdit *ed;
    NodeCounts uses; /* of the graph around the loop: node -> how often it is an operand */
    NodeMap inner;   /* outer node -> what it is inside */
    Size *rows;      /* how many there are */
    u32 moved, sequences;
} Inward;

/* ---- which ---- */

static bool is_vector_step(const ScanShape *s)
{
    const NodeVec *order = &graph_reads(s->body)->order;
    for (size_t i = 0; i < order->len; i++) {
        const Node *n = order->at[i];
        if (n->op != OP_PARAM && n->op != OP_CONST && !op_is_elementwise(n->op))
            return false;
    }
    for (int i = 0; i < s->nstates; i++)
        if (!s->body->params[i]->rank || rows_estimate(s->body->params[i]) < WORTH)
            return false;
    return s->nstates > 0;
}

static bool count_uses(const Site *site, NodeCounts *uses)
{
    Node *const *roots;
    NodeVec order = {0};
    const int n = site_roots(site, 0, &roots);
    if (n < 0)
        return false;
    nodes_topo(n, roots, &order);
    for (int i = 0; i < n; i++)
        map_put(uses, roots[i], map_get(uses, roots[i]) + 1);
    for (size_t i = 0; i < order.len; i++)
        for (u32 k = 0; k < order.at[i]->nops; k++)
            map_put(uses, order.at[i]->ops[k], map_get(uses, order.at[i]->ops[k]) + 1);
    vec_free(&order);
    return true;
}

static bool may_move(Inward *w, const Node *n)
{
    return op_is_elementwise(n->op) && n->type->rank && n->type->dims[0] == w->rows &&
           map_get(&w->uses, n) == 1 && node_is_total(w->st, n);
}

/* Nodes that move, and sequences that are then read. */
static void count_moved(Inward *w, const Node *n)
{
    w->moved++;
    for (u32 k = 0; k < n->nops && w->moved <= MOST_MOVED; k++) {
        Node *x = n->ops[k];
        if (may_move(w, x))
            count_moved(w, x);
        else if (x->type->rank && !scan_same_row(w->st, x)) /* what is repeated had to be stored */
            w->sequences += x->op == OP_BROADCAST ? MOST_SEQUENCES + 1 : 1;
    }
}

static bool should_move(Inward *w, const Node *seq)
{
    w->moved = w->sequences = 0;
    if (!may_move(w, seq))
        return false;
    count_moved(w, seq);
    return w->moved <= MOST_MOVED && w->sequences <= MOST_SEQUENCES;
}

/* ---- what it is inside ---- */

static Node *as_sequence(Inward *w, Node *x)
{
    const Type *t = x->type;
    Type *row = type_tensor(w->st, t->dtype, t->rank - 1, t->dims + 1);
    return scan_sequence(w->ed, x, node_temp(w->st, row, node_name(w->st, x)));
}

static Node *inside(Inward *w, Node *x);

static Node *moved_in(Inward *w, Node *n)
{
    Node **ops = xmalloc(((size_t)n->nops + 1) * sizeof *ops), *r;
    bool ok = true;
    for (u32 k = 0; k < n->nops && ok; k++)
        ok = (ops[k] = inside(w, n->ops[k])) != NULL;
    r = ok ? node_make(w->st, n->op, n->attrs, n->nops, ops) : NULL;
    free(ops);
    return r;
}

static Node *inside(Inward *w, Node *x)
{
    Node *r = map_get(&w->inner, x), *row;
    if (r)
        return r;
    if (x->op == OP_CONST && !x->type->rank)
        return x;
    if (may_move(w, x))
        r = moved_in(w, x);
    else if (!x->type->rank)
        r = scan_capture(w->ed, x, x);
    else if ((row = scan_same_row(w->st, x)))
        r = row->op == OP_CONST ? row : scan_capture(w->ed, row, row);
    else
        r = as_sequence(w, x);
    map_put(&w->inner, x, r);
    return r;
}

static Node *move_in(Site *site, Inward *w, const ScanShape *s, int *count)
{
    NodeMap memo = {0};
    Node *r = NULL;
    bool ok = true;
    for (int i = 0; i < s->nseqs && ok; i++) {
        if (!should_move(w, s->seqs[i]))
            continue;
        Node *row = inside(w, s->seqs[i]);
        ok = row != NULL;
        map_put(&memo, w->ed->seqs[i].hole, row);
        ++*count;
    }
    if (ok && *count)
        r = scan_become(site, w->ed, &memo);
    map_free(&memo);
    return r;
}

bool loop_inward(Site *site)
{
    const ScanShape s = scan_shape(site->node);
    ScanEdit ed;
    Node *r = NULL;
    int count = 0;
    if (!s.nseqs || !is_vector_step(&s))
        return site_refuse(site, NULL,
                           s.nseqs ? "a step is more than elementwise work on rows"
                                   : "it reads no sequence");
    Inward w = {.st = site->st, .ed = &ed, .rows = size_of_node(site->st, s.n)};
    if (!site_is_derived(site) && count_uses(site, &w.uses) &&
        scan_open(site->st, site->node, &ed)) {
        r = move_in(site, &w, &s, &count);
        site_why(site, "%d sequence%s", count, count == 1 ? "" : "s");
        scan_edit_free(&ed);
    }
    map_free(&w.uses);
    map_free(&w.inner);
    return r || site_refuse(site, NULL, "no sequence is elementwise work for this loop alone");
}
