/* Scan to Loop, the form that runs: the number of steps becomes a counter and a test before each
 * step, sequences become captured arrays indexed by the counter, `until` ends the test.
 *
 * Forwards the counter is 0, 1, ... and the loop goes on while counter + 1 < n; backwards it is
 * n-1, n-2, ... and the loop goes on while the next one is >= 0. Traces are the loop's own buffers.
 */
#include "graph/names.h"
#include "passes/loops/loops.h"

typedef struct {
    Store *st;
    ScanEdit ed;
    Node *counter, *next; /* NULL: a while loop that reads no sequence */
    Node *init;
    Node *stopped; /* a state that ends as what `until` said last; NULL: nobody asks */
    PtrMap elements;
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

static bool add_counter(Lower *l)
{
    Store *st = l->st;
    ScanShape *s = &l->ed.s;
    i64 n;
    bool known = node_const_i64(s->n, &n);
    l->counter = node_temp(st, type_scalar(st, DT_I64), counter_name(l));
    if (s->reverse) {
        Node *last = known ? node_i64(st, n - 1) : node2(st, OP_ADD, NULL, s->n, node_i64(st, -1));
        l->init = last;
        l->next = node2(st, OP_ADD, NULL, l->counter, node_i64(st, -1));
        l->go = node2(st, OP_GE, NULL, l->next, node_i64(st, 0));
        l->go_first = known ? node_bool(st, n > 0) : node2(st, OP_GE, NULL, last, node_i64(st, 0));
    } else {
        l->init = node_i64(st, 0);
        l->next = node2(st, OP_ADD, NULL, l->counter, node_i64(st, 1));
        Node *steps = captured(&l->ed, s->n);
        if (steps->op == OP_HOLE && !node_composed(st, s->n))
            node_rename(st, steps, symbol(st, "steps"));
        l->go = node2(st, OP_LT, NULL, l->next, steps);
        l->go_first = known ? node_bool(st, n > 0) : node2(st, OP_LT, NULL, l->init, s->n);
    }
    return l->go && l->go_first;
}

/* An element that takes no array: of 0, 1, ..., n-1 or x, x+1, ..., x+n-1. */
static Node *counted_element(Lower *l, const Node *rows)
{
    if (counts_steps(l, rows))
        return l->counter;
    for (u32 k = 0; k < 2 && rows->op == OP_ADD && rows->nops == 2; k++)
        if (counts_steps(l, rows->ops[k]) && type_is_scalar(rows->ops[1 - k]->type))
            return node2(l->st, OP_ADD, NULL, l->counter, captured(&l->ed, rows->ops[1 - k]));
    return NULL;
}

/* What is called x[t], read from an array that is called x. */
static Node *element(Lower *l, Node *rows, Symbol name)
{
    Node *array = captured(&l->ed, rows);
    if (name && array->op == OP_HOLE)
        node_rename(l->st, array, name_base(l->st, name));
    return build_index(l->st, array, 0, l->counter);
}

static bool index_sequences(Lower *l)
{
    bool ok = true;
    for (int i = 0; i < l->ed.s.nseqs && ok; i++) {
        Node *rows = l->ed.seqs[i].value, *row = counted_element(l, rows);
        Node *enough = row ? rows : scan_enough(&l->ed, i);
        row = row ? row : element(l, enough, node_name(l->st, l->ed.seqs[i].hole));
        ok = row && type_compatible(l->st, row->type, l->ed.seqs[i].hole->type);
        if (ok && row != l->counter)
            node_set_name(l->st, row, node_name(l->st, l->ed.seqs[i].hole));
        map_put(&l->elements, l->ed.seqs[i].hole, row);
    }
    return ok && scan_substitute(&l->ed, &l->elements);
}

static bool add_test(Lower *l)
{
    Node *stop = l->ed.stop;
    if (!stop)
        return true;
    Node *on = node1(l->st, OP_LOGICAL_NOT, NULL, stop);
    l->go = on && l->go ? node2(l->st, OP_LOGICAL_AND, NULL, l->go, on) : on;
    return l->go != NULL;
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
    if (l->counter) {
        vec_push(&fixed, l->counter);
        vec_push(&inits, l->init);
        vec_push(&outs, l->next);
    }
    if (l->stopped) {
        vec_push(&fixed, l->stopped);
        vec_push(&inits, node_bool(st, false));
        vec_push(&outs, ed->stop);
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
        Node *after = i < s.nstates  ? node_proj(st, loop, i)
                      : i <= s.steps ? node_proj(st, loop, i - s.nstates + t.nstates)
                      : l->stopped   ? node_proj(st, loop, t.nstates - 1)
                                     : node_bool(st, false);
        if (!after)
            return false;
        site_put(site, node_proj(st, scan, i), after);
    }
    return true;
}

static bool lower(Site *site, Lower *l, const IntList *used)
{
    Store *st = l->st;
    ScanShape *s = &l->ed.s;
    if (endless(s))
        l->go_first = node_bool(st, true);
    else if (!add_counter(l))
        return false;
    if (!index_sequences(l) || !add_test(l))
        return false;
    if (!l->go) /* an endless loop without `until` */
        l->go = node_bool(st, true);
    if (s->stop && result_is_used(used, s->steps + 1))
        l->stopped = node_temp(st, type_scalar(st, DT_BOOL), symbol(st, "stopped"));
    Node *loop = close_loop(l);
    return loop && changes(site, l, used, loop) && site_count(site);
}

bool loop_lower(Site *site)
{
    Node *n = site->node;
    Lower l = {.st = site->st};
    if (!scan_open(site->st, n, &l.ed))
        return false;
    bool ok = lower(site, &l, site_used(site));
    map_free(&l.elements);
    if (ok && l.counter)
        site_why(site, "the counter runs from %s", l.ed.s.reverse ? "n-1 down to 0" : "0 to n-1");
    else if (ok)
        site_why(site, "nothing is counted: the test alone ends it");
    if (ok && l.ed.s.nseqs)
        site_why(site, ", in place of %d sequence%s", l.ed.s.nseqs, l.ed.s.nseqs > 1 ? "s" : "");
    scan_edit_free(&l.ed);
    return ok;
}
