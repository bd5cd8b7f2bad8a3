/* S15 under `until`: which rows are the last is known when the loop has stopped.
 *
 *   trace[-3:]   =>   the final values of three states: this row, the one before, the one before
 * that trace[4]     =>   the same of a loop of at most 5 steps, if nothing else of it is used
 *
 * What would be a trace is a shift register of states, which steps hand on. Initial values that are
 * handed on are never seen: whoever reads asks first how many steps there were.
 *
 * Conditions: every row that is read lies within the last few, or every one has a known number and
 * nobody asks how the loop ended. */
#include "passes/loops/reads.h"

#include "graph/walk.h"
#include "grad/scan_parts.h"

enum { MAX_RECENT = 8 };

typedef struct {
    Store *st;
    ScanEdit ed;
    RowReads reads;
    Size *rows;
    int *window;  /* by trace: that many of the last rows are read */
    int **states; /* by trace: which state has row -1, -2, ... */
    Node *scan;   /* the new one */
    NodeMap became;
} Recent;

/* ---- the last rows ---- */

/* How far from the end a read begins at most; 0: nobody knows, or too far. */
static int distance(const Recent *r, const RowRead *read)
{
    Store *st = r->st;
    i64 d;
    if (read->at->op == OP_INDEX) {
        Size *at = size_of_node(st, read->at->ops[1]);
        bool negative = size_is_const(at, &d) && d < 0;
        if (!negative && !size_is_const(size_sub(st, at, r->rows), &d))
            return 0;
        return d < 0 && d >= -MAX_RECENT ? (int)-d : 0;
    }
    Size *back = size_sub(st, r->rows, read->first);
    for (int k = 1; k <= MAX_RECENT; k++)
        if (size_is_natural(st, size_sub(st, size_const(st, k), back), r->rows))
            return k;
    return 0;
}

static bool find_windows(Recent *r, int nouts)
{
    r->window = arena_alloc(&r->st->scratch, ((size_t)nouts + 1) * sizeof *r->window);
    for (size_t i = 0; i < r->reads.at.len; i++) {
        const RowRead *read = &r->reads.at.at[i];
        int k = distance(r, read);
        if (!k)
            return false;
        if (k > r->window[read->out])
            r->window[read->out] = k;
    }
    return r->reads.at.len > 0;
}

/* Never seen, but of the right shape. */
static Node *unseen(Recent *r, int out)
{
    Node *dims[MAX_RANK];
    Type *t = node_proj(r->st, r->ed.scan, r->ed.old_states + out)->type;
    if (t->dtype == DT_RNG)
        return NULL;
    for (int a = 1; a < t->rank; a++)
        if (!(dims[a - 1] = scan_length(r->st, r->ed.scan, t->dims[a])))
            return NULL;
    return build_full(r->st, node_number(r->st, t->dtype, 0), t->rank - 1, dims);
}

/* The states that hold the last rows of a trace; a state that the trace shows is the first. */
static bool add_register(Recent *r, int out)
{
    ScanEdit *ed = &r->ed;
    ScanShape s = scan_shape(ed->scan);
    Node *row = ed->outs[out].value;
    int state = trace_state(&s, out);
    Node *init = state >= 0 ? s.inits[state] : unseen(r, out);
    Node *now = state >= 0 ? ed->states[state].hole : row; /* what the next one gets */
    if (!init || !type_compatible(r->st, init->type, row->type))
        return false;
    r->states[out] = arena_alloc(&r->st->scratch, (size_t)r->window[out] * sizeof(int));
    for (int k = 0; k < r->window[out]; k++) {
        if (k == 0 && state >= 0) {
            r->states[out][k] = state;
            continue;
        }
        r->states[out][k] = scan_add_state(ed, init, now);
        now = ed->states[r->states[out][k]].hole;
    }
    return true;
}

static Node *final_row(Recent *r, int out, int back)
{
    return scan_final(&r->ed, r->scan, r->states[out][back - 1]);
}

static Node *recent_row(Recent *r, const RowRead *read)
{
    Store *st = r->st;
    int back = distance(r, read);
    Node *row = final_row(r, read->out, back);
    if (back == 1 && scan_runs(&r->ed.s))
        return row;
    Node *steps = node_proj(st, r->scan, scan_shape(r->scan).steps);
    Text text = {0};
    text_printf(&text, "index %d is out of range: the scan stopped after fewer steps", -back);
    Symbol message = symbol(st, text_str(&text));
    text_free(&text);
    Node *ok = node2(st, OP_GE, NULL, steps, node_i64(st, back));
    return ok ? node_check_index(st, message, ok, row) : NULL;
}

/* A slice of the rows of the window: oldest first, the first ones unseen if there are fewer. */
static Node *recent_rows(Recent *r, const RowRead *read)
{
    Store *st = r->st;
    Node *rows[MAX_RECENT], *slice = read->at;
    int count = distance(r, read);
    Attr axis = {.i = 0};
    for (int k = 0; k < count; k++)
        if (!(rows[k] = build_expand(st, final_row(r, read->out, count - k), 0)))
            return NULL;
    Node *all = count == 1 ? rows[0] : node_make(st, OP_CONCAT, &axis, (u32)count, rows);
    Node *steps = node_proj(st, r->scan, scan_shape(r->scan).steps);
    Node *start = node_substitute(st, slice->ops[1], &r->became);
    Node *len = node_substitute(st, slice->ops[2], &r->became);
    if (!all || !start || !len)
        return NULL;
    start = build_add(st, build_sub(st, start, steps), node_i64(st, count));
    return start ? build_slice(st, all, 0, start, len, slice->attrs[1].i) : NULL;
}

static bool replace_recent(Site *site, Recent *r)
{
    scan_changes(site, &r->ed, r->scan);
    for (int i = 0; i < r->ed.scan->type->nitems; i++) {
        Node *result = node_proj(r->st, r->ed.scan, i), *now = site_found(site, result);
        if (now)
            map_put(&r->became, result, now);
    }
    Node *steps = node_proj(r->st, r->scan, scan_shape(r->scan).steps);
    for (size_t i = 0; i < r->reads.lengths.len; i++) {
        map_put(&r->became, r->reads.lengths.at[i], steps);
        site_put(site, r->reads.lengths.at[i], steps);
    }
    for (size_t i = 0; i < r->reads.at.len; i++) {
        const RowRead *read = &r->reads.at.at[i];
        Node *after = read->at->op == OP_INDEX ? recent_row(r, read) : recent_rows(r, read);
        if (!after || node_reads(after, r->ed.scan) || after->type->rank != read->at->type->rank)
            return false;
        site_put(site, read->at, after);
    }
    return true;
}

static bool keep_recent(Site *site, Recent *r)
{
    int count = r->ed.old_outs, added = 0;
    bool ok = true;
    r->states = arena_alloc(&r->st->scratch, ((size_t)count + 1) * sizeof *r->states);
    for (int i = 0; i < count && ok; i++) {
        ok = !r->window[i] || add_register(r, i);
        r->ed.outs[i].drop = true;
    }
    added = r->ed.s.nstates - r->ed.old_states;
    r->scan = ok ? scan_close(&r->ed) : NULL;
    if (!r->scan || !replace_recent(site, r))
        return false;
    site_why(site, "%d state%s more, no trace", added, added == 1 ? "" : "s");
    return true;
}

static const char last_rows[] = "more than its last few rows are read";

/* `trace[k]` of a loop that may stop sooner: which rows there are is known in the new loop as in
 * the old, so what is out of range stays so. */
bool loop_recent(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    Recent r = {.st = site->st, .rows = trace_rows(site->st, n)};
    if (!s.stop || !s.nouts)
        return site_refuse(site, NULL, s.stop ? "it has no trace" : "it has no `until`");
    reads_at(site, &r.reads);
    bool ok = false;
    if (r.reads.whole || r.reads.gathers.len)
        site_refuse(site, NULL, "a trace is used as a whole, or in an unknown way");
    else if (!find_windows(&r, s.nouts))
        site_refuse(site, NULL, last_rows);
    else if (scan_open(site->st, n, &r.ed)) {
        ok = keep_recent(site, &r) || site_refuse(site, NULL, last_rows);
        scan_edit_free(&r.ed);
    }
    map_free(&r.became);
    reads_free(&r.reads);
    return ok;
}

/* ---- the first rows ---- */

/* One more than the largest number of a row that is read, or 0. */
static i64 rows_needed(const RowReads *reads)
{
    i64 most = 0, i;
    for (size_t k = 0; k < reads->at.len; k++) {
        const Node *at = reads->at.at[k].at;
        if (at->op != OP_INDEX || !node_const_i64(at->ops[1], &i) || i < 0 || i == INT64_MAX)
            return 0;
        most = i + 1 > most ? i + 1 : most;
    }
    return reads->lengths.len || reads->any_others ? 0 : most;
}

bool loop_first_rows(Site *site)
{
    Node *n = site->node;
    Store *st = site->st;
    ScanShape s = scan_shape(n);
    RowReads reads;
    i64 count;
    if (!s.stop || !s.nouts)
        return site_refuse(site, NULL, s.stop ? "it has no trace" : "it has no `until`");
    reads_at(site, &reads);
    i64 most = reads.whole || !graph_is_total(st, s.body) ? 0 : rows_needed(&reads);
    reads_free(&reads);
    Size *limit = size_of_node(st, s.n);
    if (!most || size_is_natural(st, size_sub(st, size_const(st, most), limit), limit))
        return site_refuse(site, NULL, "not proved: only its first rows are read");
    Node *few = node_i64(st, most);
    Node *zero = node_i64(st, 0);
    s.n = node_const_i64(s.n, &count) ? few : node2(st, OP_MINIMUM, NULL, s.n, few);
    Node *r = s.n && scan_all_enough(st, n, &s) ? scan_part(st, &s, zero, s.n, s.inits) : NULL;
    for (int i = s.nstates; i < s.steps && r; i++)
        site_put(site, node_proj(st, n, i), node_proj(st, r, i));
    site_why(site, "%lld rows are enough", (long long)most);
    return r != NULL;
}
