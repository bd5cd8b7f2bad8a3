/* Scan to Loop, the form that runs: the number of steps becomes a counter and a test before each
 * step, sequences become captured arrays indexed by the counter, `until` ends the test.
 *
 * Forwards the counter is 0, 1, ... and the loop goes on while counter + 1 < n; backwards it is
 * n-1, n-2, ... and the loop goes on while the next one is >= 0. Traces are the loop's own buffers.
 */
#include "graph/names.h"
#include "passes/loops/loops.h"

#include "passes/openers.h"

typedef struct {
    Store *st;
    ScanEdit ed; /* the scan, with what is added to it as states of its own */
    int counter; /* a state; -1: a while loop that reads no sequence */
    int stopped; /* a state that ends as what `until` said last; -1: nobody asks */
    NodeMap elements;
    Node *go, *go_first;
} Lower;

static bool endless(const ScanShape *s)
{
    i64 n;
    return s->nseqs == 0 && node_const_i64(s->n, &n) && n == SCAN_UNBOUNDED;
}

/* The hole for a value of outside; one hole for one value. */
static Node *captured(ScanEdit *ed, Node *outer)
{
    for (size_t i = 0; i < ed->captures.len; i++)
        if (ed->captures.at[i].value == outer)
            return ed->captures.at[i].hole;
    return node_is_const(outer) && !node_rank(outer) ? outer : scan_capture(ed, outer, outer);
}

/* Is it 0, 1, ..., n-1? Its row i is i. */
static bool counts_steps(const Lower *l, const Node *sequence)
{
    return sequence->op == OP_IOTA && sequence->ops[0] == l->ed.s.n;
}

/* The loop's own index if the body reads it. */
static Symbol counter_name(const Lower *l)
{
    for (int i = 0; i < l->ed.s.nseqs; i++)
        if (counts_steps(l, l->ed.seqs[i].value) && node_name(l->st, l->ed.seqs[i].hole))
            return node_name(l->st, l->ed.seqs[i].hole);
    return symbol(l->st, "row");
}

/* One state more; its next value is set by the caller. */
static int add_state(Lower *l, Node *init, Symbol name)
{
    int k = scan_add_state(&l->ed, init, init);
    node_rename(l->st, l->ed.states[k].hole, name);
    return k;
}

static bool add_counter(Lower *l)
{
    Store *st = l->st;
    const ScanShape *s = &l->ed.s;
    Node *first = counter_first(st, s->n, s->reverse);
    if (!first)
        return false;
    l->counter = add_state(l, first, counter_name(l));
    EditState *i = &l->ed.states[l->counter];
    i->next = counter_next(st, i->hole, s->reverse);
    l->go_first = counter_go(st, s->n, s->reverse);
    return i->next && l->go_first;
}

/* An element that takes no array: of 0, 1, ..., n-1 or x, x+1, ..., x+n-1. */
static Node *counted_element(Lower *l, const Node *rows)
{
    Node *i = l->ed.states[l->counter].hole;
    if (counts_steps(l, rows))
        return i;
    for (u32 k = 0; k < 2 && rows->op == OP_ADD && rows->nops == 2; k++)
        if (counts_steps(l, rows->ops[k]) && type_is_scalar(rows->ops[1 - k]->type))
            return node2(l->st, OP_ADD, NULL, i, captured(&l->ed, rows->ops[1 - k]));
    return NULL;
}

/* What is called x[t], read from an array that is called x. */
static Node *element(Lower *l, Node *rows, Symbol name)
{
    Node *array = captured(&l->ed, rows);
    if (name && array->op == OP_HOLE)
        node_rename(l->st, array, name_base(l->st, name));
    return build_index(l->st, array, 0, l->ed.states[l->counter].hole);
}

/* What stands for a row of sequence k. */
static bool index_sequence(Lower *l, int k)
{
    EditOuter *seq = &l->ed.seqs[k];
    Symbol name = node_name(l->st, seq->hole);
    Node *row = counted_element(l, seq->value);
    if (!row)
        row = element(l, scan_enough(&l->ed, k), name);
    if (row && row != l->ed.states[l->counter].hole)
        node_set_name(l->st, row, name);
    map_put(&l->elements, seq->hole, row);
    return row && type_compatible(l->st, row->type, seq->hole->type);
}

static void add_stopped(Lower *l)
{
    l->stopped = add_state(l, node_bool(l->st, false), symbol(l->st, "stopped"));
    l->ed.states[l->stopped].next = l->ed.stop;
}

static Node *captured_count(ScanEdit *ed)
{
    Node *steps = captured(ed, ed->s.n);
    if (steps->op == OP_HOLE && !node_composed(ed->st, ed->s.n))
        node_rename(ed->st, steps, symbol(ed->st, "steps"));
    return steps;
}

/* Does the loop go on? The number of the next step says so, and `until`. */
static bool add_test(Lower *l)
{
    Store *st = l->st;
    ScanEdit *ed = &l->ed;
    Node *next = l->counter < 0 ? NULL : ed->states[l->counter].next;
    l->go =
        next ? counter_test(st, next, ed->s.reverse ? ed->s.n : captured_count(ed), ed->s.reverse)
             : node_bool(st, true); /* endless, but for `until` */
    Node *on = ed->stop ? node1(st, OP_LOGICAL_NOT, NULL, ed->stop) : NULL;
    if (on && l->go)
        l->go = next ? node2(st, OP_LOGICAL_AND, NULL, l->go, on) : on;
    return l->go && (on || !ed->stop);
}

static Node *close_loop(Lower *l)
{
    Store *st = l->st;
    ScanEdit *ed = &l->ed;
    NodeVec fixed = {0}, inits = {0}, outs = {0}, captures = {0};
    for (int i = 0; i < ed->s.nstates; i++) {
        vec_push(&fixed, ed->states[i].hole);
        vec_push(&inits, ed->states[i].init);
        vec_push(&outs, ed->states[i].next);
    }
    for (int i = 0; i < ed->s.nouts; i++)
        vec_push(&outs, ed->outs[i].value);
    vec_push(&outs, l->go);
    CloseRequest rq = {
        .nfixed = (int)fixed.len, .fixed = fixed.at, .nouts = (int)outs.len, .outs = outs.at};
    Closed c;
    Node *loop = NULL;
    if (graph_close(st, &rq, &c)) {
        for (int i = 0; i < c.ncaptures; i++)
            vec_push(&captures, scan_outer(ed, c.captures[i]));
        LoopShape s = {.body = c.graph,
                       .nstates = (int)fixed.len,
                       .ncaptures = c.ncaptures,
                       .down = ed->s.reverse,
                       .grows = ed->s.stop || endless(&ed->s),
                       .counter = l->counter,
                       .rows = ed->s.n,
                       .go = l->go_first,
                       .inits = inits.at,
                       .captures = captures.at};
        loop = loop_node(st, &s);
        if (loop)
            node_set_name(st, loop, node_name(st, ed->scan));
    }
    NodeVec *all[] = {&fixed, &inits, &outs, &captures};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        vec_free(all[i]);
    return loop;
}

static bool changes(Site *site, const Lower *l, const IntList *used, Node *loop)
{
    Store *st = l->st;
    Node *scan = l->ed.scan;
    ScanShape s = scan_shape(scan);
    LoopShape t = loop_shape(loop);
    for (int i = 0; i < s.nresults; i++) {
        if (!result_is_used(used, i) && !(s.stop && i == s.steps)) /* types may tell of the steps */
            continue;
        Node *after = i < s.nstates     ? node_proj(st, loop, i)
                      : i <= s.steps    ? node_proj(st, loop, i - s.nstates + t.nstates)
                      : l->stopped >= 0 ? node_proj(st, loop, l->stopped)
                                        : node_bool(st, false);
        if (!after)
            return false;
        site_put(site, node_proj(st, scan, i), after);
    }
    return true;
}

static bool lower(Site *site, Lower *l, const IntList *used)
{
    ScanShape *s = &l->ed.s;
    if (endless(s))
        l->go_first = node_bool(l->st, true);
    else if (!add_counter(l))
        return false;
    for (int k = 0; k < s->nseqs; k++)
        if (!index_sequence(l, k))
            return false;
    if (!scan_substitute(&l->ed, &l->elements))
        return false;
    if (s->stop && result_is_used(used, s->steps + 1))
        add_stopped(l);
    Node *loop = add_test(l) ? close_loop(l) : NULL;
    return loop && changes(site, l, used, loop) && site_count(site);
}

static bool lower_begin(Lower *l, Store *st, Node *scan)
{
    *l = (Lower){.st = st, .counter = -1, .stopped = -1};
    return scan_open(st, scan, &l->ed);
}

static void lower_end(Lower *l)
{
    map_free(&l->elements);
    scan_edit_free(&l->ed);
}

bool loop_lower(Site *site)
{
    Lower l;
    if (!lower_begin(&l, site->st, site->node))
        return false;
    bool ok = lower(site, &l, site_used(site));
    if (ok && l.counter >= 0)
        site_why(site, "the counter runs from %s", l.ed.s.reverse ? "n-1 down to 0" : "0 to n-1");
    else if (ok)
        site_why(site, "there is no counter: only the test stops it");
    if (ok && l.ed.s.nseqs)
        site_why(site, ", in place of %d sequence%s", l.ed.s.nseqs, l.ed.s.nseqs > 1 ? "s" : "");
    lower_end(&l);
    return ok;
}

/* ---- its parts: scans of the same values, nearer to the loop each ---- */

/* The scan as it is now. */
static void put_scan(Opening *o, Lower *l, const char *name, const char *reason)
{
    Node *scan = scan_close(&l->ed), **to = xcalloc((size_t)o->n + 1, sizeof *to);
    int was = l->ed.old_states, is = l->ed.s.nstates;
    for (int i = 0; i < o->n && scan; i++) {
        int k = (int)o->start[i]->attrs[0].i, stopped = was + l->ed.old_outs + 1;
        k = k == stopped && l->stopped >= 0 ? l->stopped : k < was ? k : k - was + is;
        to[i] = node_proj(o->st, scan, k);
    }
    if (scan)
        open_part(o, name, reason, to);
    free(to);
}

static bool put_sequence(Opening *o, Lower *l, int k)
{
    Text name = {0}, why = {0};
    Symbol rows = node_name(o->st, l->ed.seqs[k].hole);
    bool counted = counted_element(l, l->ed.seqs[k].value) != NULL;
    text_printf(&name, "index %s", rows ? name_base(o->st, rows) : "rows");
    text_put(&why, counted ? "its rows are computed from the counter: no array is needed"
                           : "the sequence becomes row i of a captured array");
    map_clear(&l->elements); /* it knows what the last substitution left as it was */
    bool ok = index_sequence(l, k) && scan_substitute(&l->ed, &l->elements);
    if (ok)
        put_scan(o, l, text_str(&name), text_str(&why));
    text_free(&name);
    text_free(&why);
    return ok;
}

static bool asks_stopped(const Opening *o, const Lower *l)
{
    bool asks = false;
    for (int i = 0; i < o->n; i++)
        asks = asks || o->start[i]->attrs[0].i == l->ed.s.steps + 1;
    return asks && l->ed.s.stop;
}

static bool put_parts(Opening *o, Lower *l)
{
    bool ok = endless(&l->ed.s) || add_counter(l);
    if (l->counter >= 0)
        put_scan(o, l, "counter",
                 l->ed.s.reverse ? "the step number becomes a state: n-1, n-2, ..., 0"
                                 : "the step number becomes a state: 0, 1, ..., n-1");
    for (int k = 0; k < l->ed.s.nseqs && ok; k++)
        ok = put_sequence(o, l, k);
    if (ok && asks_stopped(o, l)) {
        add_stopped(l);
        put_scan(o, l, "stopped", "whether `until` stopped the loop becomes a state");
    }
    return ok &&
           open_last(
               o, "loop",
               l->ed.stop
                   ? "a test before each step; traces are arrays that grow by a row at each step"
                   : "a test before each step; traces are arrays with one row per step");
}

static bool parts_open(Opening *o)
{
    Lower l;
    if (!lower_begin(&l, o->st, o->start[0]->ops[0]))
        return false;
    bool ok = put_parts(o, &l);
    lower_end(&l);
    return ok;
}

/* A while loop of which nobody asks what ended it has one part. */
static bool has_parts(const Step *s)
{
    const Node *scan = s->changes[0].before;
    if (scan->op != OP_PROJ || scan->ops[0]->op != OP_SCAN)
        return false;
    ScanShape shape = scan_shape(scan->ops[0]);
    bool asks = false;
    for (int i = 0; i < s->nchanges; i++)
        asks = asks || (shape.stop && s->changes[i].before->attrs[0].i == shape.steps + 1);
    return asks || !endless(&shape);
}

const Opener open_lower = {has_parts, parts_open};
