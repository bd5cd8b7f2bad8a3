/* S4: states that only gather what does not depend on a state are reductions.
 *
 *   s' = s + g_t               =>     final s = s_0 + sum of all g_t
 *   s' = s * g_t               =>     final s = s_0 times the product of all g_t
 *   s' = max(s, g_t)           =>     final s = max of s_0 and all g_t;   also min, and, or
 *
 * Condition: no state but such ones, none read elsewhere and no trace of one; no `until`,
 * which might not need the later rows; g has a form for all rows (rows.c) and its rows are
 * short or there already: otherwise adding in the loop needs less memory. Class R: a sum
 * of all rows adds in another order. Products are among them where they begin with a number other
 * than 0, which all else, even what overflows, would leave at 0. */
#include "passes/loops/rows.h"

#include <math.h>

#include "graph/reads.h"

enum { MAX_ROW = 64 };

static bool is_gathering(OpId op)
{
    return op == OP_ADD || op == OP_MUL || op == OP_MAXIMUM || op == OP_MINIMUM ||
           op == OP_LOGICAL_AND || op == OP_LOGICAL_OR;
}

/* What the state gathers at each step; NULL if it is not of that kind. */
static Node *gathered(ScanEdit *ed, int i)
{
    Node *next = ed->states[i].next, *hole = ed->states[i].hole, **rest;
    u32 n = 0;
    if (!is_gathering(next->op))
        return NULL;
    rest = arena_alloc(&ed->st->scratch, next->nops * sizeof *rest);
    for (u32 k = 0; k < next->nops; k++)
        if (next->ops[k] != hole)
            rest[n++] = next->ops[k];
    if (n + 1 != next->nops || !n)
        return NULL;
    Node *g = n == 1 ? rest[0] : node_make(ed->st, next->op, next->attrs, n, rest);
    return g && node_dtype(g) == node_dtype(hole) && node_rank(g) == node_rank(hole) ? g : NULL;
}

static bool is_sequence(const ScanEdit *ed, const Node *open)
{
    for (int i = 0; i < ed->s.nseqs; i++)
        if (ed->seqs[i].hole == open)
            return true;
    return false;
}

static OpId reduction(OpId op)
{
    switch (op) {
    case OP_ADD: return OP_SUM;
    case OP_MUL: return OP_PROD;
    case OP_MAXIMUM: return OP_MAX;
    case OP_MINIMUM: return OP_MIN;
    case OP_LOGICAL_AND: return OP_ALL;
    default: return OP_ANY;
    }
}

/* The final value. The largest of no row at all is only that of the initial value, which is why it
 * comes first among the rows. */
static Node *total(Facts *facts, ScanEdit *ed, int i, Node *rows)
{
    Store *st = ed->st;
    Node *init = ed->states[i].init;
    OpId op = ed->states[i].next->op;
    Attr axes = {.ints = all_axes(st, 1)}, first = {.i = 0};
    bool whole = op == OP_MAXIMUM || op == OP_MINIMUM;
    if (whole) {
        Node *both[] = {build_expand(st, init, 0), rows};
        rows = both[0] ? node_make(st, OP_CONCAT, &first, 2, both) : NULL;
    }
    Node *all = rows ? node1(st, reduction(op), &axes, rows) : NULL;
    bool none = op == OP_ADD && rows && node_is_zeros(init) && /* a sum of nothing is zero, too */
                (!dtype_is_float(node_dtype(init)) || fact_never_minus_zero(facts, rows));
    double number;
    none = none || (op == OP_MUL && node_const_f64(init, &number) && number == 1);
    return whole || none || !all ? all : build_elementwise(st, op, 2, (Node *[]){init, all});
}

static const char more_than_gathers[] = "does more than gather what sequences give";

static bool reduce_all(Site *site, ScanEdit *ed)
{
    Rows r;
    bool ok = true;
    rows_open(&r, ed, NULL);
    for (int i = 0; i < ed->s.nstates && ok; i++) {
        Node *g = gathered(ed, i), *init = ed->states[i].init, *rows = NULL;
        ok = g && (rows_estimate(g->type) <= MAX_ROW || is_sequence(ed, g)) &&
             (rows = rows_of(&r, g));
        if (!g)
            refuse_state(site, &ed->s, i, more_than_gathers);
        Node *final = ok ? total(site->facts, ed, i, rows) : NULL;
        ok = final && node_dtype(final) == node_dtype(init) &&
             type_compatible(ed->st, final->type, init->type);
        site_put(site, node_proj(ed->st, ed->scan, i), final);
    }
    if (!ok && r.failed)
        site_refuse(site, r.failed, "an operator has no form for all rows at once");
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
    const Node *next = s->body->outs[i];
    bool rows = false;
    u32 times = 0;
    for (u32 k = 0; k < next->nops; k++) {
        if (next->ops[k] == s->body->param_nodes[i]) {
            times++;
            continue;
        }
        if (reads_among(reads, next->ops[k], 0, s->nstates))
            return false;
        rows = rows || reads_among(reads, next->ops[k], s->nstates, s->nstates + s->nseqs);
    }
    return times == 1 && rows && is_gathering(next->op) &&
           (next->op != OP_MUL || starts_product(s->inits[i]));
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
        return site_refuse(site, NULL, "it gives traces, not only final values");
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
