/* S3: outputs that no step needs are computed after the loop, for all rows at once.
 *
 *   y_t = f(h_t, x_t, w)     =>     Y = F(H, X, w),  with the rows H of what the steps compute
 *
 * What the steps compute is traced, unless it is cheap to have from sequences alone. Sound
 * under `until` too: rows are those of the steps that were taken. Worth it if the new
 * traces are shorter than those they replace, or for a product. Class R: products and
 * sums of all rows at once may add in another order. */
#include "passes/loops/rows.h"
#include "graph/reads.h"
#include "graph/walk.h"

enum { MAX_GROWTH = 8 }; /* of the traces, for a product */

typedef struct {
    ScanEdit *ed;
    bool *stay;      /* outputs that have no form for all rows */
    NodeSet needed;  /* open nodes that states or `until` need */
    NodeSet carried; /* open nodes that depend on a state */
    NodeVec traced;  /* what has to be traced for the outputs chosen so far */
} Sink;

static void mark(Sink *s)
{
    ScanEdit *ed = s->ed;
    NodeVec roots = {0}, order = {0};
    for (int i = 0; i < ed->s.nstates; i++)
        vec_push(&roots, ed->states[i].next);
    if (ed->stop)
        vec_push(&roots, ed->stop);
    nodes_topo((int)roots.len, roots.at, &order);
    for (size_t i = 0; i < order.len; i++)
        set_add(&s->needed, order.at[i]);
    roots.len = order.len = 0;
    for (int i = 0; i < ed->s.nstates; i++) {
        set_add(&s->needed, ed->states[i].hole);
        set_add(&s->carried, ed->states[i].hole);
    }
    scan_roots(ed, &roots);
    nodes_topo((int)roots.len, roots.at, &order);
    for (size_t i = 0; i < order.len; i++)
        for (u32 k = 0; k < order.at[i]->nops; k++)
            if (map_has(&s->carried, order.at[i]->ops[k]))
                set_add(&s->carried, order.at[i]);
    vec_free(&roots);
    vec_free(&order);
}

/* A step computes it anyway, and it is not to be had cheaply without the steps. */
static bool is_frontier(const Sink *s, const Node *n)
{
    return map_has(&s->needed, n) &&
           (map_has(&s->carried, n) || (op_table[n->op].flags & EXPENSIVE));
}

static bool is_traced(const Sink *s, const Node *n)
{
    for (int i = 0; i < s->ed->s.nouts; i++)
        if (s->ed->outs[i].value == n && !s->ed->outs[i].drop)
            return true;
    for (size_t i = 0; i < s->traced.len; i++)
        if (s->traced.at[i] == n)
            return true;
    return false;
}

/* Adds what the output's new traces hold. *product: there is one in what is sunk. */
static i64 add_frontier(Sink *s, Node *output, bool *product)
{
    Descent d = {0};
    i64 size = 0;
    descent_from(&d, output);
    for (Node *n; (n = descent_next(&d));) {
        if (!n->open)
            continue;
        if (is_frontier(s, n)) {
            if (!is_traced(s, n)) {
                size += rows_estimate(n->type);
                vec_push(&s->traced, n);
            }
            continue;
        }
        *product = *product || n->op == OP_MATMUL;
        descent_operands(&d, n);
    }
    descent_end(&d);
    return size;
}

/* Marks the outputs that go: `drop`. */
static int choose(Sink *s)
{
    int chosen = 0;
    for (int i = 0; i < s->ed->s.nouts; i++) {
        EditOut *o = &s->ed->outs[i];
        size_t before = s->traced.len;
        bool product = false;
        if (s->stay[i] || !o->value->open || is_frontier(s, o->value))
            continue;
        i64 freed = rows_estimate(o->value->type), added = add_frontier(s, o->value, &product);
        if (!added || added < freed ||
            (product && s->ed->s.checkpoint != CHECKPOINT_STATES && added <= MAX_GROWTH * freed)) {
            o->drop = true;
            chosen++;
        } else {
            s->traced.len = before;
        }
    }
    return chosen;
}

static bool rows_after(Site *site, Sink *s, Node *scan)
{
    ScanEdit *ed = s->ed;
    ScanShape shape = scan_shape(scan);
    Rows r;
    bool ok = true;
    rows_open(&r, ed, shape.stop ? node_proj(ed->st, scan, shape.steps) : NULL);
    for (int i = 0; i < ed->s.nouts; i++) {
        i64 size = rows_estimate(ed->outs[i].value->type);
        r.limit = size > r.limit ? size : r.limit;
        if (!ed->outs[i].drop)
            batch_set(&r.batch, ed->outs[i].value, scan_trace(ed, scan, i), true);
    }
    for (int i = 0; i < ed->old_outs && ok; i++) {
        if (!ed->outs[i].drop)
            continue;
        Node *before = node_proj(ed->st, ed->scan, ed->s.nstates + i);
        Node *rows = rows_of(&r, ed->outs[i].value);
        ok = rows && type_compatible(ed->st, rows->type, before->type);
        s->stay[i] = !ok;
        site_put(site, before, rows);
    }
    rows_close(&r);
    return ok;
}

/* One attempt; an output that turns out to have no form for all rows is left alone in the next. */
static bool try_sink(Site *site, bool *stay, bool *again)
{
    Node *n = site->node;
    ScanEdit ed;
    *again = false;
    if (!scan_open(site->st, n, &ed))
        return false;
    Sink s = {.ed = &ed, .stay = stay};
    mark(&s);
    int chosen = choose(&s);
    for (size_t i = 0; i < s.traced.len; i++)
        scan_add_output(&ed, s.traced.at[i]);
    Node *r = chosen ? scan_close(&ed) : NULL;
    bool ok = r && rows_after(site, &s, r);
    if (ok) {
        scan_changes(site, &ed, r);
        site_why(site, "%d trace%s from %zu new one%s", chosen, chosen == 1 ? "" : "s",
                 s.traced.len, s.traced.len == 1 ? "" : "s");
    }
    *again = r && !ok;
    map_free(&s.needed);
    map_free(&s.carried);
    vec_free(&s.traced);
    scan_edit_free(&ed);
    return ok;
}

/* Is there an output that no step computes for itself? */
static bool may_sink(const ScanShape *s)
{
    const GraphReads *reads = graph_reads(s->body);
    Node **outs = s->body->outs;
    NodeSet needed = {0};
    NodeVec order = {0};
    bool may = false;
    nodes_topo(s->nstates, outs, &order);
    if (s->stop)
        nodes_topo(1, &outs[s->body->nouts - 1], &order);
    for (size_t i = 0; i < order.len; i++)
        set_add(&needed, order.at[i]);
    for (int i = 0; i < s->nouts && !may; i++) {
        const Node *x = outs[s->nstates + i];
        bool steps = reads_among(reads, x, 0, s->nstates) || op_table[x->op].flags & EXPENSIVE;
        may = reads_among(reads, x, 0, s->body->nparams) &&
              !(steps && (map_has(&needed, x) || is_param_among(x, 0, s->nstates)));
    }
    map_free(&needed);
    vec_free(&order);
    return may;
}

static const char needed_all[] = "each trace is needed by the steps, or sinking would save nothing";

bool loop_sink(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    if (!s.nstates || !s.nouts)
        return site_refuse(site, NULL, s.nstates ? "it has no trace" : "it has no state");
    if (!may_sink(&s))
        return site_refuse(site, NULL, needed_all);
    bool *stay = xcalloc((size_t)s.nouts + 1, 1), done = false, again = true;
    while (again && !done) {
        site_forget(site);
        done = try_sink(site, stay, &again);
    }
    free(stay);
    return done || site_refuse(site, NULL, needed_all);
}
