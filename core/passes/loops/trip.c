/* S14: loops of a few steps.
 *
 *   n = 0:  final states are initial states, traces have no row
 *   n = 1:  the body once; `until` only says whether the loop stopped
 *   n = 2:  the body twice, if it is small and there is no `until`
 *
 * Longer loops stay: a loop is cheap, and easier to look at than its copies. A proof, which looks
 * for a form that two expressions share, writes out some more steps. */
#include "graph/walk.h"
#include "passes/loops/loops.h"

enum { UNROLL_STEPS = 2, UNROLL_NODES = 24 };
enum { WRITTEN_STEPS = 16, WRITTEN_NODES = 160 /* of all steps */ };

static Node *no_rows(Store *st, const Node *scan, Type *t)
{
    Node *dims[MAX_RANK + 1];
    if (t->kind != TYPE_TENSOR || t->dtype == DT_RNG || t->rank > MAX_RANK)
        return NULL;
    for (int i = 0; i < t->rank; i++)
        if (!(dims[i] = i ? scan_length(st, scan, t->dims[i]) : node_i64(st, 0)))
            return NULL;
    return build_full(st, node_number(st, t->dtype, 0), t->rank, dims);
}

/* Inside a body a parameter stands for what may fail outside, if only this loop needs it. */
static bool cannot_fail(Site *site, Node *operand)
{
    return site_is_inside(site) ? operand->op == OP_CONST
                                : fact_total(site->facts, site->st, operand);
}

/* What a loop without steps does without must not fail. */
static bool nothing_fails(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    const IntList *used = site_used(site);
    bool ok = true;
    for (int i = 0; i < s.nstates && ok; i++)
        ok = result_is_used(used, i) || cannot_fail(site, s.inits[i]);
    for (int i = 0; i < s.nseqs && ok; i++)
        ok = cannot_fail(site, s.seqs[i]);
    for (int i = 0; i < s.ncaptures && ok; i++)
        ok = cannot_fail(site, s.captures[i]);
    return ok;
}

static bool take_no_step(Site *site)
{
    Node *n = site->node;
    Store *st = site->st;
    ScanShape s = scan_shape(n);
    bool ok = nothing_fails(site);
    if (!ok)
        return site_refuse(site, NULL,
                           "it takes no step, but computing its inputs can raise an error");
    for (int i = 0; i < s.nstates; i++)
        site_put(site, node_proj(st, n, i), s.inits[i]);
    for (int i = s.nstates; i < s.steps && ok; i++) {
        Node *trace = node_proj(st, n, i), *none = no_rows(st, n, trace->type);
        ok = none && type_compatible(st, none->type, trace->type);
        site_put(site, trace, none);
    }
    site_put(site, node_proj(st, n, s.steps), node_i64(st, 0));
    site_put(site, node_proj(st, n, s.steps + 1), node_bool(st, false));
    return ok;
}

/* The body's outputs at row `row`, from the states before it. */
static bool one_step(Store *st, const ScanShape *s, Node *const *states, i64 row, Node **outs)
{
    NodeVec args = {0};
    bool ok = true;
    for (int i = 0; i < s->nstates; i++)
        vec_push(&args, states[i]);
    for (int i = 0; i < s->nseqs && ok; i++) {
        Node *element = build_index(st, s->seqs[i], 0, node_i64(st, row));
        ok = element != NULL;
        vec_push(&args, element);
    }
    for (int i = 0; i < s->ncaptures; i++)
        vec_push(&args, s->captures[i]);
    ok = ok && graph_instantiate_row(st, s->body, args.at, row, outs);
    vec_free(&args);
    return ok;
}

/* The values of one output at each row, as rows. */
static Node *rows_from(Store *st, i64 n, Node *const *values)
{
    Node *rows[WRITTEN_STEPS];
    Attr axis = {.i = 0};
    for (i64 i = 0; i < n; i++)
        if (values[i]->type->kind != TYPE_TENSOR || !(rows[i] = build_expand(st, values[i], 0)))
            return NULL;
    return n == 1 ? rows[0] : node_make(st, OP_CONCAT, &axis, (u32)n, rows);
}

/* Does a used result of those that were put in place of n's read the operand? */
static bool still_read(Site *site, Node *n, const Node *operand)
{
    const IntList *used = site_used(site);
    for (int i = 0; i < n->type->nitems; i++) {
        Node *r = result_is_used(used, i) ? site_found(site, node_proj(site->st, n, i)) : NULL;
        if (r && node_reads(r, operand))
            return true;
    }
    return false;
}

/* The loop computes all that it takes. What its steps, written out, do without must not fail. */
static bool errors_stay(Site *site, Node *n)
{
    for (u32 i = 1; i < n->nops; i++)
        if (!cannot_fail(site, n->ops[i]) && !still_read(site, n, n->ops[i]))
            return site_refuse(site, n->ops[i],
                               "it can raise an error, and no result would need it");
    return true;
}

static bool take_steps(Site *site, Node *n, i64 count)
{
    Store *st = site->st;
    ScanShape s = scan_shape(n);
    size_t width = (size_t)s.body->nouts + 1;
    Node **outs = xcalloc(width * (size_t)count, sizeof *outs), *const *states = s.inits;
    bool ok = true;
    for (i64 i = 0; i < count && ok; i++) {
        i64 row = s.reverse ? count - 1 - i : i;
        ok = one_step(st, &s, states, row, outs + width * (size_t)row);
        states = outs + width * (size_t)row;
    }
    for (int i = 0; i < s.nstates && ok; i++) {
        site_put(site, node_proj(st, n, i), states[i]);
        ok = type_compatible(st, states[i]->type, s.inits[i]->type);
    }
    for (int i = s.nstates; i < s.steps && ok; i++) {
        Node *values[WRITTEN_STEPS], *trace = node_proj(st, n, i);
        for (i64 k = 0; k < count; k++)
            values[k] = outs[width * (size_t)k + (size_t)i];
        Node *rows = rows_from(st, count, values);
        ok = rows && type_compatible(st, rows->type, trace->type);
        site_put(site, trace, rows);
    }
    Node *stopped = ok && s.stop ? states[s.body->nouts - 1] : node_bool(st, false);
    site_put(site, node_proj(st, n, s.steps), node_i64(st, count));
    site_put(site, node_proj(st, n, s.steps + 1), stopped);
    free(outs);
    return ok && errors_stay(site, n);
}

bool loop_trip(Site *site)
{
    Node *n = site->node;
    i64 count;
    if (!node_const_i64(scan_shape(n).n, &count))
        return site_refuse(site, NULL, "the number of steps is not a constant");
    if (count < 0 || count > 1)
        return site_refuse(site, NULL, "it takes %lld steps", (long long)count);
    site_why(site, count ? "one step" : "no step");
    return count ? take_steps(site, n, 1) : take_no_step(site);
}

/* At least two steps, and no more than these. */
static bool unroll_up_to(Site *site, i64 most, i64 most_nodes)
{
    Node *n = site->node;
    i64 count;
    ScanShape s = scan_shape(n);
    if (!node_const_i64(s.n, &count))
        return site_refuse(site, NULL, "the number of steps is not a constant");
    if (count < 2 || count > most)
        return site_refuse(site, NULL, "it takes %lld steps", (long long)count);
    if (s.stop)
        return site_refuse(site, NULL, "`until` may end it at any step");
    if (graph_node_count(s.body) > most_nodes / count)
        return site_refuse(site, NULL, "its body has more than %lld nodes",
                           (long long)(most_nodes / count));
    site_why(site, "%lld steps", (long long)count);
    return take_steps(site, n, count);
}

bool loop_unroll(Site *site)
{
    return unroll_up_to(site, UNROLL_STEPS, UNROLL_STEPS * UNROLL_NODES);
}

bool loop_write_out(Site *site) { return unroll_up_to(site, WRITTEN_STEPS, WRITTEN_NODES); }
