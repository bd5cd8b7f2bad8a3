/* S15: the last row of a state's trace is its final value.
 *
 *   trace[-1], trace[n-1]   =>   final
 *   trace[-1:]              =>   the row `final`, or no row
 *
 * Backwards the last row that is written is the first. Also under `until`. With zero steps
 * trace[-1] is an index error while the final value is the initial one: where it is not proved that
 * the loop runs, a check keeps the error. */
#include "passes/loops/reads.h"

static Node *last_row(Site *site, const ScanShape *s, Node *n, Size *rows, Node *final)
{
    Store *st = site->st;
    i64 i, steps;
    if (node_const_i64(s->n, &steps) && steps < 1)
        return NULL; /* an error for sure: that of the index itself tells more */
    Size *at = size_of_node(st, n->ops[1]);
    at = node_const_i64(n->ops[1], &i) && i < 0 ? size_add(st, rows, at) : at;
    if (at != (s->reverse ? size_const(st, 0) : size_sub(st, rows, size_const(st, 1))))
        return NULL;
    if (scan_runs(s)) {
        site_why(site, "the loop runs at least once");
        return final;
    }
    Symbol message = symbol(
        st, s->reverse ? "index 0 is out of range: the scan took no step, its trace is empty"
                       : "index -1 is out of range: the scan took no step, its trace is empty");
    Node *ok = node2(st, OP_GE, NULL, s->n, node_i64(st, 1));
    site_why(site, "guarded by a check that the loop takes a step");
    return ok ? node_check_index(st, message, ok, final) : NULL;
}

static Node *last_rows(Site *site, const ScanShape *s, Node *n, Size *rows, Node *final)
{
    Store *st = site->st;
    Size *first = size_of_node(st, n->ops[1]), *len = size_of_node(st, n->ops[2]);
    Size *one = size_const(st, 1), *last = s->reverse ? size_const(st, 0) : size_sub(st, rows, one);
    if (n->attrs[1].i != 1 || !size_is_natural(st, size_sub(st, one, len), rows) ||
        !size_is_natural(st, size_sub(st, first, last), rows) || (s->reverse && first != last))
        return NULL;
    Node *row = build_expand(st, final, 0);
    if (len == one) {
        site_why(site, "the loop runs at least once");
        return scan_runs(s) ? row : NULL;
    }
    site_why(site, "or empty, if the loop takes no step");
    return row ? build_slice(st, row, 0, node_i64(st, 0), n->ops[2], 1) : NULL;
}

bool loop_tail(Site *site)
{
    Node *n = site->node;
    Store *st = site->st;
    Node *p = n->ops[0], *scan = p->op == OP_PROJ ? p->ops[0] : NULL;
    if (n->attrs[0].i != 0 || !scan || scan->op != OP_SCAN)
        return site_refuse(site, NULL, "it reads no rows of a loop's trace");
    ScanShape s = scan_shape(scan);
    int k = (int)p->attrs[0].i - s.nstates, state = k >= 0 && k < s.nouts ? trace_state(&s, k) : -1;
    if (state < 0)
        return site_refuse(site, NULL, "the trace is not that of a state");
    Node *final = node_proj(st, scan, state);
    Size *rows = trace_rows(st, scan);
    Node *r = (n->op == OP_INDEX ? last_row : last_rows)(site, &s, n, rows, final);
    if (!r || !type_compatible(st, r->type, n->type))
        return site_refuse(site, NULL, "not proved: this is the last row");
    site_put(site, n, r);
    return true;
}
