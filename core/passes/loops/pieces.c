/* S15: a loop keeps only the rows that are read, and takes no step after the last of them.
 *
 *   scan(n)[n-3:]   =>   scan(3 rows from n-3, from = scan(n-3).final)
 *   scan(n)[4]      =>   scan(5).final
 *
 * The steps are cut where rows begin or cease to be read. Each piece is a scan of the same body
 * that starts from the final states of the one before; only the pieces whose rows are read have a
 * trace. So what is kept is what is read, in derivatives, under vmap and with a policy, too: all
 * are ordinary scans. A row that is a state needs no trace: a piece ends with it.
 *
 * Conditions: no `until` (recent.c has that); all places that are read are known before the loop,
 * and how they lie to each other; no error goes with a step or a row that nobody needs. A loop that
 * runs whole anyway, outside the derivative that this one is in or inside a derivative beside it,
 * stays: it would run twice. */
#include "passes/loops/reads.h"

#include "graph/walk.h"
#include "grad/scan_parts.h"

enum { MAX_STRETCHES = 4, FEW_ROWS = 15, SHARE = 8 };

/* Rows that are read, in their order. */
typedef struct {
    Size *first, *end;
    Size *count; /* end - first as the type of all that is read says it, or NULL */
    bool point;  /* one row, and all that is read of it are states */
    int piece;
} Stretch;

typedef struct {
    Size *first, *end, *count;
    bool rows;
    Node *scan;
} Piece;

typedef struct {
    Store *st;
    Node *scan;
    ScanShape s;
    Size *n;
    RowReads reads;
    VEC(Stretch) stretches;
    VEC(Piece) pieces; /* in the order in which they run */
    bool finals;       /* some final state is used */
} Cut;

static bool natural(const Cut *c, Size *d) { return size_is_natural(c->st, d, c->n); }

static bool not_above(const Cut *c, Size *a, Size *b) { return natural(c, size_sub(c->st, b, a)); }

/* Worth a loop of its own. */
static bool many(const Cut *c, Size *rows)
{
    return !natural(c, size_sub(c->st, size_const(c->st, FEW_ROWS), rows));
}

/* ---- 1. which rows ---- */

static Size *lower(const Cut *c, Size *a, Size *b)
{
    return not_above(c, a, b) ? a : not_above(c, b, a) ? b : size_min(c->st, a, b);
}

static Size *upper(const Cut *c, Size *a, Size *b)
{
    return not_above(c, a, b) ? b : not_above(c, b, a) ? a : size_max(c->st, a, b);
}

/* a with b, and what may lie between. */
static void join_stretches(const Cut *c, Stretch *a, const Stretch *b)
{
    bool same = a->first == b->first && a->end == b->end;
    a->point = a->point && b->point && same;
    a->count = same && a->count == b->count ? a->count : NULL;
    a->first = lower(c, a->first, b->first);
    a->end = upper(c, a->end, b->end);
}

/* Into its place; with all that it overlaps it becomes one. */
static bool add_stretch(Cut *c, Stretch s)
{
    size_t k = 0;
    while (k < c->stretches.len) {
        Stretch *o = &c->stretches.at[k];
        bool same = s.first == o->first && s.end == o->end;
        if (!same && not_above(c, s.end, o->first))
            break;
        if (!same && not_above(c, o->end, s.first)) {
            k++;
            continue;
        }
        if (!not_above(c, s.first, o->end) || !not_above(c, o->first, s.end))
            return false; /* nobody knows how they lie */
        join_stretches(c, &s, o);
        memmove(o, o + 1, (c->stretches.len - k - 1) * sizeof *o);
        c->stretches.len--;
    }
    vec_push(&c->stretches, s);
    memmove(&c->stretches.at[k + 1], &c->stretches.at[k], (c->stretches.len - 1 - k) * sizeof s);
    c->stretches.at[k] = s;
    return true;
}

/* Of many the nearest become one. */
static void few_stretches(Cut *c)
{
    while (c->stretches.len > MAX_STRETCHES) {
        size_t best = 0;
        i64 least = INT64_MAX, gap;
        for (size_t i = 0; i + 1 < c->stretches.len; i++) {
            Size *d = size_sub(c->st, c->stretches.at[i + 1].first, c->stretches.at[i].end);
            if (size_is_const(d, &gap) && gap < least)
                least = gap, best = i;
        }
        join_stretches(c, &c->stretches.at[best], &c->stretches.at[best + 1]);
        memmove(&c->stretches.at[best + 1], &c->stretches.at[best + 2],
                (c->stretches.len - best - 2) * sizeof *c->stretches.at);
        c->stretches.len--;
    }
}

static bool find_stretches(Cut *c)
{
    for (size_t i = 0; i < c->reads.at.len; i++) {
        const RowRead *r = &c->reads.at.at[i];
        bool point = r->at->op == OP_INDEX && trace_state(&c->s, r->out) >= 0;
        if (!add_stretch(c, (Stretch){r->first, r->end, r->count, point, 0}))
            return false;
    }
    few_stretches(c);
    return c->stretches.len > 0;
}

/* ---- 2. which steps ---- */

static void add_piece(Cut *c, Size *first, Size *end)
{
    if (first != end && c->s.nstates)
        vec_push(&c->pieces, ((Piece){first, end, size_sub(c->st, end, first), false, NULL}));
}

static void add_rows(Cut *c, const Stretch *s)
{
    Size *count = s->count ? s->count : size_sub(c->st, s->end, s->first);
    vec_push(&c->pieces, ((Piece){s->first, s->end, count, true, NULL}));
}

/* The pieces forwards; `at` is where the first of them begins. */
static void pieces_up(Cut *c)
{
    Size *at = size_const(c->st, 0);
    for (size_t i = 0; i < c->stretches.len; i++) {
        Stretch *s = &c->stretches.at[i];
        if (s->point) {
            add_piece(c, at, s->end);
        } else {
            add_piece(c, at, s->first);
            add_rows(c, s);
        }
        s->piece = (int)c->pieces.len - 1;
        at = s->end;
    }
    if (c->finals)
        add_piece(c, at, c->n);
}

static void pieces_down(Cut *c)
{
    Size *at = c->n;
    for (size_t i = c->stretches.len; i-- > 0;) {
        Stretch *s = &c->stretches.at[i];
        if (s->point) {
            add_piece(c, s->first, at);
        } else {
            add_piece(c, s->end, at);
            add_rows(c, s);
        }
        s->piece = (int)c->pieces.len - 1;
        at = s->first;
    }
    if (c->finals)
        add_piece(c, size_const(c->st, 0), at);
}

/* Steps that nobody needs: after the last row that is read. */
static Size *spared(const Cut *c)
{
    return c->finals      ? size_const(c->st, 0)
           : c->s.reverse ? c->stretches.at[0].first
                          : size_sub(c->st, c->n, c->stretches.at[c->stretches.len - 1].end);
}

/* An eighth of the steps, or many. */
static bool spares_steps(const Cut *c)
{
    i64 n, d;
    Size *steps = spared(c);
    if (size_is_const(c->n, &n) && size_is_const(steps, &d))
        return d > 0 && d >= n / SHARE;
    return many(c, steps);
}

/* Rows that a loop without the steps that nobody needs would keep in vain. */
static bool spares_rows(const Cut *c)
{
    Size *rows = size_sub(c->st, c->n, spared(c));
    for (size_t i = 0; i < c->stretches.len; i++)
        if (!c->stretches.at[i].point)
            rows = size_sub(c->st, rows,
                            size_sub(c->st, c->stretches.at[i].end, c->stretches.at[i].first));
    return many(c, rows);
}

/* All rows up to the last one that is read: fewer steps, one loop. */
static void keep_rows(Cut *c)
{
    Stretch *first = &c->stretches.at[0], *last = &c->stretches.at[c->stretches.len - 1];
    Size *end = c->s.reverse ? c->n : last->end;
    *first = (Stretch){.first = c->s.reverse ? first->first : size_const(c->st, 0), .end = end};
    c->stretches.len = 1;
}

/* Would an error go with a step, or with a row, that nobody needs? A trace of states costs no work
 * of its own. */
static bool hides_errors(const Cut *c, bool steps)
{
    const Graph *g = c->s.body;
    bool own = steps;
    for (int o = 0; o < c->s.nouts && !own; o++) {
        bool state = false;
        for (int i = 0; i < c->s.nstates && !state; i++)
            state = g->outs[i] == g->outs[c->s.nstates + o];
        own = !state;
    }
    return own && !graph_is_total(c->st, g);
}

static bool plan_pieces(Cut *c)
{
    bool steps = spares_steps(c), rows = spares_rows(c);
    if (hides_errors(c, steps))
        return false;
    if (!rows && c->stretches.len == 1 && c->stretches.at[0].point && steps)
        rows = true; /* one loop, without a trace */
    if (!steps && !rows)
        return false;
    if (!rows)
        keep_rows(c);
    if (c->s.reverse)
        pieces_down(c);
    else
        pieces_up(c);
    for (size_t i = 0; i < c->pieces.len; i++)
        if (!not_above(c, c->pieces.at[i].first, c->pieces.at[i].end))
            return false;
    return true;
}

/* ---- 3. the loops ---- */

/* Does whoever reads ask whether there are so many steps? */
static bool all_checked(const Cut *c)
{
    bool all = !c->finals;
    for (size_t i = 0; i < c->reads.at.len && all; i++)
        all = !c->reads.at.at[i].there;
    return all;
}

/* The first count comes with what the loop would have asked of its own. */
static Node *count_node(Cut *c, Size *rows, bool first)
{
    Store *st = c->st;
    Node *count = scan_length(st, c->scan, rows);
    if (!first || !count || node_is_const(c->s.n) || c->s.n->op == OP_SIZE ||
        c->s.n->op == OP_DIM || all_checked(c))
        return count;
    Symbol message = symbol(st, "the number of steps is negative");
    Node *ok = node2(st, OP_GE, NULL, c->s.n, node_i64(st, 0));
    return ok ? node_check(st, message, ok, count) : NULL;
}

static bool build_pieces(Cut *c)
{
    Store *st = c->st;
    Node **states = xcalloc((size_t)c->s.nstates + 1, sizeof *states);
    bool ok = scan_all_enough(st, c->scan, &c->s);
    Symbol name = node_name(st, c->scan);
    if (c->s.nstates)
        memcpy(states, c->s.inits, (size_t)c->s.nstates * sizeof *states);
    for (size_t i = 0; i < c->pieces.len && ok; i++) {
        Piece *p = &c->pieces.at[i];
        Node *start = scan_length(st, c->scan, p->first);
        Node *count = count_node(c, p->count, i == 0);
        p->scan = start && count && !node_reads(start, c->scan) && !node_reads(count, c->scan)
                      ? scan_part(st, &c->s, start, count, states)
                      : NULL;
        ok = p->scan != NULL;
        for (int k = 0; k < c->s.nstates && ok; k++)
            ok = (states[k] = node_proj(st, p->scan, k)) != NULL;
        if (ok)
            node_set_name(st, p->scan, name);
    }
    free(states);
    return ok;
}

/* ---- 4. what is read ---- */

static Node *checked(Cut *c, const RowRead *r, Node *value)
{
    Store *st = c->st;
    if (r->there || !value)
        return value;
    i64 k;
    Text text = {0};
    text_put(&text, "index ");
    if (node_const_i64(r->at->ops[1], &k))
        text_printf(&text, "%lld ", (long long)k);
    text_put(&text, "is out of range: the scan takes too few steps, its trace has no such row");
    Symbol message = symbol(st, text_str(&text));
    text_free(&text);
    Node *i = r->at->ops[1], *n = scan_length(st, c->scan, c->n), *zero = node_i64(st, 0);
    bool known = node_const_i64(i, &k);
    Node *high = known && k < 0 ? NULL : node2(st, OP_LT, NULL, i, n);
    Node *low =
        known && k >= 0 ? NULL : node2(st, OP_GE, NULL, node2(st, OP_ADD, NULL, i, n), zero);
    Node *ok = high && low ? node2(st, OP_LOGICAL_AND, NULL, low, high) : high ? high : low;
    return ok ? node_check_index(st, message, ok, value) : NULL;
}

/* A place in the trace of a piece, from one in the whole trace. */
static Node *moved(Cut *c, Size *at, const Piece *p)
{
    return scan_length(c->st, c->scan, size_sub(c->st, at, p->first));
}

static Node *value_of(Cut *c, const RowRead *r, const Stretch *s)
{
    Store *st = c->st;
    const Piece *p = s->piece >= 0 ? &c->pieces.at[s->piece] : NULL;
    if (s->point) {
        int k = trace_state(&c->s, r->out);
        return checked(c, r, p ? node_proj(st, p->scan, k) : c->s.inits[k]);
    }
    Node *trace = p ? node_proj(st, p->scan, c->s.nstates + r->out) : NULL;
    if (!trace)
        return NULL;
    if (r->at->op == OP_INDEX)
        return checked(c, r, build_index(st, trace, 0, moved(c, r->first, p)));
    Node *len = r->at->ops[2];
    if (r->first == p->first && r->end == p->end && r->count == p->count)
        return trace;
    Node *start = moved(c, size_of_node(st, r->at->ops[1]), p);
    return start ? build_slice(st, trace, 0, start, len, r->at->attrs[1].i) : NULL;
}

static const Stretch *stretch_of(const Cut *c, const RowRead *r)
{
    for (size_t i = 0; i < c->stretches.len; i++) {
        const Stretch *s = &c->stretches.at[i];
        if ((s->first == r->first && s->end == r->end) ||
            (not_above(c, s->first, r->first) && not_above(c, r->end, s->end)))
            return s;
    }
    return NULL;
}

static bool put(Site *site, const Cut *c, Node *before, Node *after)
{
    if (!after || !type_compatible(c->st, after->type, before->type) || node_reads(after, c->scan))
        return false;
    site_put(site, before, after);
    return true;
}

/* A gather of few rows is these rows. */
static bool replace_gather(Site *site, Cut *c, Node *gather)
{
    const Tensor *at = gather->ops[1]->attrs[0].value;
    Attr axis = {.i = 0};
    NodeVec parts = {0};
    bool ok = true;
    for (i64 i = 0; i < at->count && ok; i++) {
        Node *place = node_i64(c->st, ((const i64 *)at->data)[i]);
        Node *row = site_found(site, build_index(c->st, gather->ops[0], 0, place));
        row = row ? build_expand(c->st, row, 0) : NULL;
        ok = row != NULL;
        vec_push(&parts, row);
    }
    Node *all = !ok              ? NULL
                : parts.len == 1 ? parts.at[0]
                                 : node_make(c->st, OP_CONCAT, &axis, (u32)parts.len, parts.at);
    vec_free(&parts);
    return put(site, c, gather, all);
}

static bool replace_reads(Site *site, Cut *c)
{
    bool ok = true;
    for (size_t i = 0; i < c->reads.at.len && ok; i++) {
        const RowRead *r = &c->reads.at.at[i];
        const Stretch *s = stretch_of(c, r);
        ok = s && put(site, c, r->at, value_of(c, r, s));
    }
    for (size_t i = 0; i < c->reads.gathers.len && ok; i++)
        ok = replace_gather(site, c, c->reads.gathers.at[i]);
    for (size_t i = 0; i < c->reads.lengths.len && ok; i++)
        ok = put(site, c, c->reads.lengths.at[i], c->s.n);
    return ok;
}

static bool replace_others(Site *site, Cut *c)
{
    Store *st = c->st;
    const Piece *last = c->pieces.len ? &c->pieces.at[c->pieces.len - 1] : NULL;
    bool ok = true;
    for (int i = 0; i < c->s.nresults && ok; i++) {
        if (!c->reads.others[i])
            continue;
        Node *after = i > c->s.steps    ? node_bool(st, false)
                      : i == c->s.steps ? c->s.n
                      : last            ? node_proj(st, last->scan, i)
                                        : c->s.inits[i];
        ok = put(site, c, node_proj(st, c->scan, i), after);
    }
    return ok;
}

/* ---- 5. whether it runs whole anyway ---- */

static bool runs_whole_in(Cut *c, int nroots, Node *const *roots)
{
    NodeVec order = {0};
    bool whole = false;
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len && !whole; i++) {
        Node *o = order.at[i];
        if (o->op != OP_SCAN || o->attrs[0].graph != c->s.body || o->attrs[1].i != c->s.nstates)
            continue;
        RowReads r;
        reads_find(c->st, o, nroots, roots, &order, &r);
        whole = r.whole;
        reads_free(&r);
    }
    vec_free(&order);
    return whole;
}

static bool runs_whole_elsewhere(Site *site, Cut *c)
{
    Node *const *roots;
    for (int level = 1, n; (n = site_roots(site, level, &roots)) >= 0; level++)
        if (runs_whole_in(c, n, roots))
            return true;
    for (size_t i = 0; i < site_order(site)->len; i++) {
        Node *n = site_order(site)->at[i];
        int slots[4], count = op_table[n->op].cls == CLASS_IMPLICIT ? node_graphs(n, slots) : 0;
        for (int k = 0; k < count; k++) {
            const Graph *g = n->attrs[slots[k]].graph;
            if (runs_whole_in(c, g->nouts, g->outs))
                return true;
        }
    }
    return false;
}

static void tell(Site *site, const Cut *c)
{
    size_t kept = 0;
    Size *rows = size_const(c->st, 0);
    i64 n;
    for (size_t i = 0; i < c->pieces.len; i++)
        if (c->pieces.at[i].rows) {
            rows = size_add(c->st, rows, c->pieces.at[i].count);
            kept++;
        }
    site_why(site, c->pieces.len == 1 ? "one loop" : "%zu loops, one after the other",
             c->pieces.len);
    if (!kept)
        site_why(site, ", no trace");
    else if (size_is_const(rows, &n))
        site_why(site, ", %lld row%s kept", (long long)n, n == 1 ? "" : "s");
    else if (kept < c->pieces.len)
        site_why(site, ", the rows of %zu kept", kept);
}

bool loop_pieces(Site *site)
{
    Node *n = site->node;
    Cut c = {.st = site->st, .scan = n, .s = scan_shape(n)};
    i64 count;
    c.n = size_of_node(site->st, c.s.n);
    if (c.s.stop)
        return site_refuse(site, NULL, "`until` may end it at any step");
    if (size_is_const(c.n, &count) && count < 2)
        return site_refuse(site, NULL, "it takes fewer than two steps");
    reads_at(site, &c.reads);
    for (int i = 0; i < c.s.nstates; i++)
        c.finals = c.finals || c.reads.others[i];
    bool ok = !c.reads.whole && find_stretches(&c) && plan_pieces(&c) &&
              !runs_whole_elsewhere(site, &c) && build_pieces(&c) && replace_reads(site, &c) &&
              replace_others(site, &c);
    if (ok)
        tell(site, &c);
    else if (c.reads.whole)
        site_refuse(site, NULL, "a trace is used as a whole");
    else
        site_refuse(site, NULL, "all rows are needed, or the rows needed are unknown");
    reads_free(&c.reads);
    vec_free(&c.stretches);
    vec_free(&c.pieces);
    return ok;
}
