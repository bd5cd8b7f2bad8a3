/* S4: states that only gather what does not depend on a state are reductions.
 *
 *   s' = s + g_t               =>     final s = s_0 + sum of all g_t
 *   s' = s * g_t               =>     final s = s_0 times the product of all g_t
 *   s' = max(s, g_t)           =>     final s = max of s_0 and all g_t;   also min, and, or
 *   s' = logaddexp(s, g_t)     =>     final s = logaddexp of s_0 and logsumexp of all g_t
 *
 * Differences and quotients are such sums and products (gather.c).
 *
 * Condition: no state but such ones, none read elsewhere and no trace of one; no `until`,
 * which might not need the later rows; g has a form for all rows (rows.c) and its rows are
 * short or there already: otherwise adding in the loop needs less memory. Class R: a sum
 * of all rows adds in another order. Products are among them where they begin with a number other
 * than 0, which all else, even what overflows, would leave at 0. */
#include "passes/loops/gather.h"
#include "passes/loops/rows.h"

#include <math.h>

#include "ops/definitions.h"

enum { MAX_ROW = 64 };

/* What the state gathers at each step; NULL if it is not of that kind. */
static Node *gathered(ScanEdit *ed, int i, Gather *how)
{
    Node *hole = ed->states[i].hole;
    if (!gather_find(ed->states[i].next, hole, how))
        return NULL;
    Node *g = gather_with(ed->st, how);
    return g && node_dtype(g) == node_dtype(hole) && node_rank(g) == node_rank(hole) ? g : NULL;
}

static bool is_sequence(const ScanEdit *ed, const Node *open)
{
    for (int i = 0; i < ed->s.nseqs; i++)
        if (ed->seqs[i].hole == open)
            return true;
    return false;
}

/* All rows at once; what has no kernel of its own by its definition, as all such nodes here. */
static Node *all_rows(Store *st, OpId op, Node *rows)
{
    Attr axes = {.ints = all_axes(st, 1)};
    Node *all = node1(st, gather_reduction(op), &axes, rows);
    return all && op_is_defined(all->op) ? node_definition(st, all) : all;
}

/* The final value. The largest of no row at all is only that of the initial value, which is why it
 * comes first among the rows. */
static Node *total(ScanEdit *ed, int i, const Gather *how, Node *rows)
{
    Store *st = ed->st;
    Node *init = ed->states[i].init;
    OpId op = how->inverse ? OP_DIV : how->op;
    Attr first = {.i = 0};
    bool whole = op == OP_MAXIMUM || op == OP_MINIMUM;
    if (whole) {
        Node *both[] = {build_expand(st, init, 0), rows};
        rows = both[0] ? node_make(st, OP_CONCAT, &first, 2, both) : NULL;
    }
    bool none = rows && (whole || (!how->inverse && gather_changes_nothing(op, init)));
    Node *all = rows ? all_rows(st, how->op, rows) : NULL;
    return none || !all ? all : build_elementwise(st, op, 2, (Node *[]){init, all});
}

static const char more_than_gathers[] = "does more than accumulate sequence rows";

static bool reduce_all(Site *site, ScanEdit *ed)
{
    Rows r;
    bool ok = true;
    rows_open(&r, ed, NULL);
    for (int i = 0; i < ed->s.nstates && ok; i++) {
        Gather how;
        Node *g = gathered(ed, i, &how), *init = ed->states[i].init, *rows = NULL;
        ok = g && (rows_estimate(g->type) <= MAX_ROW || is_sequence(ed, g)) &&
             (rows = rows_of(&r, g));
        if (!g)
            refuse_state(site, &ed->s, i, more_than_gathers);
        Node *final = ok ? total(ed, i, &how, rows) : NULL;
        ok = final && node_dtype(final) == node_dtype(init) &&
             type_compatible(ed->st, final->type, init->type);
        site_put(site, node_proj(ed->st, ed->scan, i), final);
    }
    if (!ok && r.failed)
        site_refuse(site, r.failed, "an operator cannot be applied to all rows at once");
    rows_close(&r);
    return ok;
}

/* Is it a number that is neither 0, which a product stays, nor infinite? */
static bool starts_product(const Node *init)
{
    double x;
    return node_const_f64(init, &x) && x != 0 && isfinite(x);
}

/* Does the state combine itself, once, with what reads a sequence and no state? */
static bool may_gather(const ScanShape *s, int i)
{
    const GraphReads *reads = graph_reads(s->body);
    Gather g;
    return gather_find(s->body->outs[i], s->body->param_nodes[i], &g) &&
           !gather_reads(&g, reads, 0, s->nstates) &&
           gather_reads(&g, reads, s->nstates, s->nstates + s->nseqs) &&
           (g.op != OP_MUL || starts_product(s->inits[i]));
}

/* The first state that does not; nstates: all do. */
static int first_other(const ScanShape *s)
{
    int i = 0;
    while (i < s->nstates && may_gather(s, i))
        i++;
    return i;
}

bool loop_reduce(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    ScanEdit ed;
    if (!s.nstates)
        return site_refuse(site, NULL, "it has no state");
    if (s.stop)
        return site_refuse(site, NULL, "`until` may end it at any step");
    if (s.nouts)
        return site_refuse(site, NULL, "it has traces, not only final values");
    int other = first_other(&s);
    if (other < s.nstates)
        return refuse_state(site, &s, other, more_than_gathers);
    if (s.checkpoint == CHECKPOINT_STATES || !scan_open(site->st, n, &ed))
        return false;
    bool ok = reduce_all(site, &ed);
    if (ok) {
        site_put(site, node_proj(site->st, n, s.steps), scan_count(site->st, &s));
        site_put(site, node_proj(site->st, n, s.steps + 1), node_bool(site->st, false));
        site_why(site, "%d state%s", s.nstates, s.nstates == 1 ? "" : "s");
    }
    scan_edit_free(&ed);
    return ok;
}
