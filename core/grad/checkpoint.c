/* Loops in segments: what `checkpoint` in the header of a scan means to a derivative.
 *
 *   scan of n steps     =>     q = n // k segments of k steps: a scan whose body is the scan
 *                              the last n - q k steps: a scan
 *
 * It is done inside the graph of a derivative, before that is expanded. The derivative of the outer
 * scan keeps its states only (policy 1), one per segment; a segment is run again when the reverse
 * loop comes to it, and keeps its own k states until it is done. So n states become q + k, for one
 * further run of the loop, and since all are ordinary scans, derivatives of any order and every
 * rewrite go through them.
 *
 * `auto` takes k = ceil(sqrt(n)) when the loop starts: about 2 sqrt(n) states, each step run
 * forward twice. With as many runs, the best possible schedule (binomial: A. Griewank, A. Walther,
 * "Algorithm 799: revolve", ACM TOMS 26, 2000) keeps the least s with (s+1)(s+2)/2 >= n, about
 * sqrt(2 n): segments need 1.4 times that, and no schedule at run time. Two levels are those of
 * T. Chen et al., "Training deep nets with sublinear memory cost", 2016.
 *
 * Under `until` segments grow as the loop goes (online.c). Where that cannot be done, or segments
 * of k steps are asked for, the loop is run first to count its steps, keeping nothing, as in R.
 * Schenck et al., "AD for an array language with nested parallelism", SC 2022; then the number is
 * known. */
#include "graph/names.h"
#include "grad/scan_parts.h"
#include "ops/scan_edit.h"

#include <math.h>

typedef struct {
    Store *st;
    ScanShape s;
    Symbol name;
    ScanRoles roles;    /* of the loop that is cut */
    Node *k, *q, *done; /* steps of a segment, segments, their product */
    Node *outer, *rest; /* rest: NULL if k divides n for sure */
} Segments;

/* ceil(sqrt(n)), at least 1. */
static Node *root_of(Store *st, Node *n)
{
    i64 c;
    if (node_const_i64(n, &c)) {
        i64 k = c > 0 ? (i64)sqrt((double)c) : 1;
        while (k > 1 && k * k > c)
            k--;
        return node_i64(st, k * k < c ? k + 1 : k);
    }
    Node *root = node1(st, OP_SQRT, NULL, node_cast(st, n, DT_F64));
    Node *k = node_cast(st, node1(st, OP_CEIL, NULL, root), DT_I64);
    Node *ops[] = {k, node_i64(st, 1)};
    return build_elementwise(st, OP_MAXIMUM, 2, ops);
}

static bool plan_segments(Segments *g)
{
    Store *st = g->st;
    i64 n, k;
    g->k = g->s.checkpoint == CHECKPOINT_AUTO ? root_of(st, g->s.n) : node_i64(st, g->s.checkpoint);
    if (!g->k)
        return false;
    if (node_const_i64(g->s.n, &n) && node_const_i64(g->k, &k)) {
        g->q = node_i64(st, n / k);
        g->done = node_i64(st, n / k * k);
        return true;
    }
    Node *ops[] = {g->s.n, g->k};
    g->q = build_elementwise(st, OP_FLOORDIV, 2, ops);
    g->done = build_mul(st, g->q, g->k);
    return g->done != NULL;
}

/* ---- the body of the outer scan ---- */

static Node *outer_capture(Segments *g, NewScan *b, Node *value, Symbol name)
{
    if (value->op == OP_CONST)
        return value;
    Node *hole = node_temp(g->st, value->type, name);
    vec_push(&b->holes, hole);
    vec_push(&b->captures, value);
    return hole;
}

/* (n, ...) -> (q, k, ...), of the first q k rows */
static Node *in_segments(Segments *g, Node *rows)
{
    Node *dims[MAX_RANK + 2] = {g->q, g->k};
    Node *part = rows_part(g->st, rows, node_i64(g->st, 0), g->done);
    for (int a = 1; a < rows->type->rank; a++)
        dims[a + 1] = node_dim(g->st, rows, a);
    return part ? build_reshape(g->st, part, rows->type->rank + 1, dims) : NULL;
}

/* Every sequence as the inner scan sees it. A range of indices is not stored: segment j makes its
 * own from j k on. */
static bool outer_sequences(Segments *g, NewScan *b, NodeVec *inner_seqs)
{
    Store *st = g->st;
    Node *j = NULL, *len = NULL;
    for (int i = 0; i < g->s.nseqs; i++) {
        Node *rows = g->s.seqs[i], *all, *hole = NULL;
        if (!rows_are_range(rows)) {
            if (!(all = in_segments(g, rows)))
                return false;
            hole = node_temp(
                st, type_tensor(st, all->type->dtype, all->type->rank - 1, all->type->dims + 1),
                g->roles.names[g->s.nstates + i]);
            len = len ? len : node_dim(st, hole, 0);
            vec_push(&b->rows, hole);
            vec_push(&b->seqs, all);
        }
        vec_push(inner_seqs, hole);
    }
    Node *k = len ? len : outer_capture(g, b, g->k, symbol(st, "k"));
    for (int i = 0; i < g->s.nseqs; i++) {
        if (inner_seqs->at[i])
            continue;
        if (!j) {
            j = node_temp(st, type_scalar(st, DT_I64), symbol(st, "segment"));
            vec_push(&b->rows, j);
            vec_push(&b->seqs, node1(st, OP_IOTA, NULL, g->q));
        }
        inner_seqs->at[i] = rows_part(st, g->s.seqs[i], build_mul(st, j, k), k);
        if (!inner_seqs->at[i])
            return false;
    }
    return true;
}

static bool outer_body(Segments *g, NewScan *b, NodeVec *inner_seqs)
{
    Store *st = g->st;
    ScanShape inner = g->s;
    for (int i = 0; i < g->s.nstates; i++)
        vec_push(&b->states, node_temp(st, g->s.inits[i]->type, g->roles.names[i]));
    if (!outer_sequences(g, b, inner_seqs))
        return false;
    NodeVec captures = {0};
    for (int i = 0; i < g->s.ncaptures; i++)
        vec_push(&captures, outer_capture(g, b, g->s.captures[i],
                                          g->roles.names[g->s.nstates + g->s.nseqs + i]));
    Node *k = g->k;
    for (size_t i = 0; i < b->captures.len; i++)
        if (b->captures.at[i] == g->k)
            k = b->holes.at[i];
    for (size_t i = 0; i < inner_seqs->len; i++)
        if (!rows_are_range(g->s.seqs[i]))
            k = node_dim(st, inner_seqs->at[i], 0);
    inner.n = k;
    inner.inits = b->states.at;
    inner.seqs = inner_seqs->at;
    inner.captures = captures.at;
    inner.checkpoint = CHECKPOINT_NONE;
    Node *scan = scan_node(st, &inner);
    if (scan)
        scan_note_roles(st, scan, &g->roles);
    vec_free(&captures);
    for (int i = 0; i < g->s.steps && scan; i++)
        vec_push(&b->outs, node_proj(st, scan, i));
    return scan != NULL;
}

static Node *outer_scan(Segments *g, Node *const *inits)
{
    Store *st = g->st;
    u32 temps = st->temp_count;
    NewScan b = {0};
    NodeVec inner_seqs = {0};
    ScanShape flags = {.n = g->q, .reverse = g->s.reverse, .checkpoint = CHECKPOINT_STATES};
    for (int i = 0; i < g->s.nstates; i++)
        vec_push(&b.inits, inits[i]);
    Node *r = outer_body(g, &b, &inner_seqs) ? scan_make(st, &b, &flags) : NULL;
    if (r)
        node_set_name(st, r, g->name);
    new_scan_free(&b);
    vec_free(&inner_seqs);
    st->temp_count = temps;
    return r;
}

/* ---- the whole ---- */

static bool first_states(Store *st, Node *scan, int n, Node **states)
{
    for (int i = 0; i < n; i++)
        if (!(states[i] = node_proj(st, scan, i)))
            return false;
    return true;
}

/* The rest has the last rows, so it runs last, or first if the loop runs backwards. */
static bool run_segments(Segments *g, Node **states)
{
    Store *st = g->st;
    ScanShape *s = &g->s;
    i64 left;
    Node *len = build_sub(st, s->n, g->done);
    ScanShape plain = *s;
    plain.checkpoint = CHECKPOINT_NONE;
    if (!len)
        return false;
    size_t count = (size_t)s->nstates;
    bool whole = size_is_const(size_of_node(st, len), &left) && left == 0;
    if (count)
        memcpy(states, s->inits, count * sizeof *states);
    for (int turn = 0; turn < 2; turn++) {
        bool segments = turn == (s->reverse ? 1 : 0);
        if (!segments && whole)
            continue;
        Node *part = segments ? outer_scan(g, states) : scan_part(st, &plain, g->done, len, states);
        if (!part || !first_states(st, part, s->nstates, states))
            return false;
        *(segments ? &g->outer : &g->rest) = part;
    }
    return true;
}

/* (q, k, ...) -> (q k, ...), and the rows of the rest behind */
static Node *whole_trace(Segments *g, int i)
{
    Store *st = g->st;
    Node *rows = node_proj(st, g->outer, i), *dims[MAX_RANK + 1] = {g->done};
    for (int a = 2; rows && a < rows->type->rank; a++)
        dims[a - 1] = node_dim(st, rows, a);
    rows = rows ? build_reshape(st, rows, rows->type->rank - 1, dims) : NULL;
    Attr axis = {.i = 0};
    return g->rest ? node2(st, OP_CONCAT, &axis, rows, node_proj(st, g->rest, i)) : rows;
}

static bool segment_scan(Store *st, Node *scan, void *ctx, Node **results, bool *failed)
{
    (void)ctx;
    ScanShape s = scan_shape(scan);
    if (s.checkpoint == CHECKPOINT_NONE || s.checkpoint == CHECKPOINT_STATES)
        return false;
    if (scan_is_online(&s, results)) {
        *failed = !scan_online(st, scan, results);
        return !*failed;
    }
    ScanShape once = s;
    once.checkpoint = CHECKPOINT_NONE;
    Node *plain = scan_node(st, &once);
    Segments g = {.st = st, .name = node_name(st, scan)};
    i64 n, k;
    if (plain)
        node_carry_name(st, scan, plain);
    Node *counted = plain ? scan_counted(st, plain) : NULL;
    if (!counted) {
        *failed = true;
        return false;
    }
    g.s = scan_shape(counted);
    g.roles = scan_roles(st, counted);
    g.s.checkpoint = s.checkpoint;
    if (!plan_segments(&g)) {
        *failed = true;
        return false;
    }
    bool few = node_const_i64(g.s.n, &n) && node_const_i64(g.k, &k) && n <= k;
    bool ok = few || run_segments(&g, results);
    for (int i = 0; i < s.nresults && ok; i++) {
        if (few || (s.stop && i >= s.steps))
            results[i] = node_proj(st, plain, i);
        else if (i >= s.steps)
            results[i] = i == s.steps ? g.s.n : node_bool(st, false);
        else if (i >= s.nstates)
            results[i] = whole_trace(&g, i);
        ok = results[i] != NULL;
    }
    *failed = !ok;
    return ok;
}

Graph *graph_segmented(Store *st, Graph *g)
{
    return graph_reform_scans(st, g, true, segment_scan, NULL);
}

static bool add_policy(Store *st, Node *scan, void *ctx, Node **results, bool *failed)
{
    ScanShape s = scan_shape(scan);
    if (s.checkpoint != CHECKPOINT_NONE)
        return false;
    s.checkpoint = *(const i64 *)ctx;
    Node *n = scan_node(st, &s);
    *failed = !n;
    for (int i = 0; n && i < s.nresults; i++)
        results[i] = node_proj(st, n, i);
    return n != NULL;
}

Graph *graph_with_policy(Store *st, Graph *g, i64 checkpoint)
{
    return graph_reform_scans(st, g, false, add_policy, &checkpoint);
}
