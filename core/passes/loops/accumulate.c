/* S4: a state that only adds up products becomes one product after the loop.
 *
 *   W' = W + a_t outer b_t     final W = W_0 + [a_0; a_1; ...]' @ [b_0; b_1; ...]
 *   W' = W + A_t' @ B_t        the same, with the rows of all steps under one another
 *
 * This is where the gradients of weights come from. Condition: the state is read by its
 * own sum only and its trace is not used; the order of additions changes (class R). It
 * holds for any initial value and for any number of executed steps, zero included. */
#include "passes/loops/loops.h"

#include "graph/reads.h"

/* a and b with product = a' @ b, where rows of a and b can be put under one another; NULL if it is
 * no such product. */
static bool factors(Node *product, Node **a, Node **b)
{
    if (product->op != OP_MATMUL || product->type->rank != 2)
        return false;
    Node *x = product->ops[0], *y = product->ops[1];
    if (x->op == OP_EXPAND_DIMS && x->ops[0]->type->rank == 1 && x->attrs[0].ints->at[0] == 1 &&
        y->op == OP_EXPAND_DIMS && y->ops[0]->type->rank == 1 && y->attrs[0].ints->at[0] == 0) {
        *a = x->ops[0], *b = y->ops[0];
        return true;
    }
    if (x->op != OP_TRANSPOSE || x->ops[0]->type->rank != 2 || y->type->rank != 2)
        return false;
    *a = x->ops[0], *b = y;
    return true;
}

/* What state i of the body adds up: next = state + product, and no other value reads the state.
 * NULL if that is not all it does. */
static Node *product_added(const ScanShape *s, int i)
{
    const GraphReads *reads = graph_reads(s->body);
    Node *state = s->body->param_nodes[i], *next = s->body->outs[i], *a, *b;
    if (next->op != OP_ADD || next->nops != 2 || (next->ops[0] != state && next->ops[1] != state))
        return NULL;
    Node *product = next->ops[next->ops[0] == state];
    if (!factors(product, &a, &b) || reads_param(reads, product, i))
        return NULL;
    for (int k = 0; k < s->body->nouts; k++)
        if (k != i && reads_param(reads, s->body->outs[k], i))
            return NULL;
    return product;
}

static bool adds_products(const ScanShape *s)
{
    for (int i = 0; i < s->nstates; i++)
        if (product_added(s, i))
            return true;
    return false;
}

typedef struct {
    int state;
    Node *a, *b; /* open */
} Sum;

static bool is_sum(const ScanEdit *ed, int i, Sum *out)
{
    const EditState *s = &ed->states[i];
    out->state = i;
    return product_added(&ed->s, i) &&
           factors(s->next->ops[s->next->ops[0] == s->hole], &out->a, &out->b) &&
           scan_may_store(ed, out->a) && scan_may_store(ed, out->b);
}

/* Where the rows of an open value are found after the loop: a sequence as it is, else a new trace.
 */
typedef struct {
    int seq; /* or -1 */
    int output;
} Found;

static Found find_rows(ScanEdit *ed, Node *open)
{
    for (int i = 0; i < ed->s.nseqs; i++)
        if (ed->seqs[i].hole == open && !ed->s.stop)
            return (Found){i, -1};
    return (Found){-1, scan_add_output(ed, open)};
}

/* The rows after the loop as a matrix: (T, m), or (T * B, m) for a matrix per step. */
static Node *stacked(ScanEdit *ed, Node *scan, Found r)
{
    Store *st = ed->st;
    Node *rows = r.seq >= 0 ? scan_rows(ed, r.seq) : scan_trace(ed, scan, r.output);
    return rows ? build_merged(st, rows, 0, rows->type->rank - 1) : NULL;
}

static const char no_sums[] = "no state is a plain sum of products of sequence rows";

bool loop_accumulate(Site *site)
{
    Node *n = site->node;
    ScanShape shape = scan_shape(n);
    ScanEdit ed;
    if (!adds_products(&shape))
        return site_refuse(site, NULL, no_sums);
    if (!scan_open(site->st, n, &ed))
        return false;
    VEC(Sum) sums = {0};
    VEC(Found) rows = {0};
    for (int i = 0; i < ed.s.nstates; i++) {
        Sum s;
        if (!is_sum(&ed, i, &s))
            continue;
        vec_push(&sums, s);
        ed.states[i].drop = true;
        vec_push(&rows, find_rows(&ed, s.a));
        vec_push(&rows, find_rows(&ed, s.b));
    }
    if (!sums.len)
        site_refuse(site, NULL, no_sums);
    Node *r = sums.len ? scan_close(&ed) : NULL;
    bool ok = r != NULL;
    if (ok)
        scan_changes(site, &ed, r);
    for (size_t i = 0; i < sums.len && ok; i++) {
        Node *a = stacked(&ed, r, rows.at[2 * i]), *b = stacked(&ed, r, rows.at[2 * i + 1]);
        Node *init = ed.states[sums.at[i].state].init;
        Node *total =
            a && b ? node2(site->st, OP_MATMUL, NULL, build_swap_last(site->st, a), b) : NULL;
        if (total && !node_is_zeros(init)) /* the sums in a product begin with zero */
            total = build_add(site->st, init, total);
        ok = total && type_compatible(site->st, total->type, init->type);
        site_put(site, node_proj(site->st, n, sums.at[i].state), total);
    }
    if (ok)
        site_why(site, "%zu sum%s of products", sums.len, sums.len == 1 ? "" : "s");
    vec_free(&sums);
    vec_free(&rows);
    scan_edit_free(&ed);
    return ok;
}
