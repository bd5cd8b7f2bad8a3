/* Truncated derivatives: nothing flows from before the last k executed steps of a loop.
 *
 *   scan of n steps     =>     the first n - k steps, whose results are constants for derivatives,
 *                              then the last k from the states they leave
 *
 * So what is dropped is all that the early steps would pass on: their uses of captures and of
 * sequences, direct uses of their rows of a trace, and the initial states. Where n <= k nothing is
 * dropped, the initial states included. k = 0 lets nothing through a loop. Under `until` n is the
 * number of executed steps. A loop inside a loop belongs to a step of the outer one and is not
 * truncated by itself. */
#include "grad/scan_parts.h"

static Node *constant_of(Store *st, Node *x)
{
    bool real = x && x->type->kind == TYPE_TENSOR && dtype_is_float(x->type->dtype);
    return real ? node1(st, OP_STOP_GRADIENT, NULL, x) : x;
}

/* What the late steps start from: the initial state itself if there were no early ones. */
static Node *state_between(Store *st, Node *early, Node *init, Node *final)
{
    i64 k;
    Node *stopped = constant_of(st, final);
    if (stopped == final || (node_const_i64(early, &k) && k > 0))
        return stopped;
    Node *ops[] = {node2(st, OP_EQ, NULL, early, node_i64(st, 0)), init, stopped};
    return build_elementwise(st, OP_WHERE, 3, ops);
}

typedef struct {
    i64 k;
} Truncation;

/* Steps before the last k, and the others. */
static bool split(Store *st, Node *n, i64 k, Node **early, Node **late)
{
    i64 c;
    if (node_const_i64(n, &c)) {
        *early = node_i64(st, c > k ? c - k : 0);
        *late = node_i64(st, c > k ? k : c);
        return true;
    }
    Node *ops[] = {build_sub(st, n, node_i64(st, k)), node_i64(st, 0)};
    *early = build_elementwise(st, OP_MAXIMUM, 2, ops);
    *late = build_sub(st, n, *early);
    return *late != NULL;
}

static bool truncate_scan(Store *st, Node *scan, void *ctx, Node **results, bool *failed)
{
    i64 k = ((Truncation *)ctx)->k, n;
    ScanShape s = scan_shape(scan), c;
    if (node_const_i64(s.n, &n) && n <= k)
        return false;
    Node *early, *late;
    Node *counted = scan_counted(st, scan);
    if (counted)
        c = scan_shape(counted);
    if (!counted || !split(st, c.n, k, &early, &late)) {
        *failed = true;
        return false;
    }
    /* rows of the steps that run first: the last ones if the loop runs backwards */
    Node *zero = node_i64(st, 0);
    Node *first = scan_part(st, &c, c.reverse ? late : zero, early, c.inits), *second = NULL;
    bool ok = first != NULL;
    Node **inits = xcalloc((size_t)c.nstates + 1, sizeof *inits);
    for (int i = 0; i < c.nstates && ok; i++)
        ok = (inits[i] = state_between(st, early, c.inits[i], node_proj(st, first, i))) != NULL;
    if (ok)
        second = scan_part(st, &c, c.reverse ? zero : early, late, inits);
    ok = second != NULL;
    for (int i = 0; i < s.nresults && ok; i++) {
        if (i >= s.steps) {
            results[i] = node_proj(st, scan, i);
        } else if (i < s.nstates) {
            results[i] = node_proj(st, second, i);
        } else {
            Node *a = constant_of(st, node_proj(st, first, i)), *b = node_proj(st, second, i);
            Attr axis = {.i = 0};
            results[i] = node2(st, OP_CONCAT, &axis, c.reverse ? b : a, c.reverse ? a : b);
        }
        ok = results[i] != NULL;
    }
    free(inits);
    *failed = !ok;
    return ok;
}

Graph *graph_truncated(Store *st, Graph *g, i64 k)
{
    Truncation t = {k};
    return graph_reform_scans(st, g, false, truncate_scan, &t);
}
