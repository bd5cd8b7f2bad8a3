/* Opening and closing scans. */
#include "graph/names.h"
#include "graph/temps.h"
#include "ops/scan_edit.h"
#include "graph/walk.h"

Node *scan_hole(Store *st, const Node *scan, int p, Symbol name)
{
    ScanShape s = scan_shape(scan);
    Type *t = scan->ops[1 + p]->type;
    if (p >= s.nstates && p < s.nstates + s.nseqs)
        t = type_tensor(st, t->dtype, t->rank - 1, t->dims + 1);
    return node_temp(st, t, name);
}

bool scan_open(Store *st, Node *scan, ScanEdit *ed)
{
    *ed = (ScanEdit){.st = st, .scan = scan, .s = scan_shape(scan), .temps = st->temp_count};
    ScanShape *s = &ed->s;
    ed->names = scan_roles(st, scan).names;
    ed->nnames = s->body->nparams;
    ed->states = xcalloc((size_t)s->nstates + 1, sizeof *ed->states);
    ed->seqs = xcalloc((size_t)s->nseqs + 1, sizeof *ed->seqs);
    ed->outs = xcalloc((size_t)s->nouts + 1, sizeof *ed->outs);
    ed->old_states = s->nstates;
    ed->old_outs = s->nouts;
    NodeVec args = {0};
    for (int p = 0; p < s->body->nparams; p++) {
        Node *hole = scan_hole(st, scan, p, ed->names[p]), *outer = scan->ops[1 + p];
        vec_push(&args, hole);
        if (p < s->nstates)
            ed->states[p] = (EditState){.hole = hole, .init = outer};
        else if (p < s->nstates + s->nseqs)
            ed->seqs[p - s->nstates] = (EditOuter){hole, outer};
        else
            vec_push(&ed->captures, ((EditOuter){hole, outer}));
    }
    Node **outs = xcalloc((size_t)s->body->nouts + 1, sizeof *outs);
    bool ok = graph_instantiate(st, s->body, args.at, outs);
    for (int i = 0; i < s->nstates && ok; i++)
        ed->states[i].next = outs[i];
    for (int i = 0; i < s->nouts && ok; i++)
        ed->outs[i].value = outs[s->nstates + i];
    if (ok && s->stop)
        ed->stop = outs[s->body->nouts - 1];
    free(outs);
    vec_free(&args);
    if (!ok)
        scan_edit_free(ed);
    return ok;
}

bool scan_inside(ScanEdit *ed, const NodeVec *closed, NodeVec *open)
{
    NodeVec args = {0}, roots = {0}, order = {0};
    NodeSet asked = {0};
    Node **nodes = xcalloc(closed->len + 1, sizeof *nodes);
    for (int i = 0; i < ed->s.nstates; i++)
        vec_push(&args, ed->states[i].hole);
    for (int i = 0; i < ed->s.nseqs; i++)
        vec_push(&args, ed->seqs[i].hole);
    for (size_t i = 0; i < ed->captures.len; i++)
        vec_push(&args, ed->captures.at[i].hole);
    bool ok =
        graph_instantiate_nodes(ed->st, ed->s.body, args.at, (int)closed->len, closed->at, nodes);
    for (size_t i = 0; i < closed->len && ok; i++)
        set_add(&asked, nodes[i]);
    scan_roots(ed, &roots);
    nodes_topo((int)roots.len, roots.at, &order);
    for (size_t i = 0; i < order.len; i++)
        if (map_has(&asked, order.at[i]))
            vec_push(open, order.at[i]);
    vec_free(&args);
    vec_free(&roots);
    vec_free(&order);
    map_free(&asked);
    free(nodes);
    return ok;
}

void scan_edit_free(ScanEdit *ed)
{
    ed->st->temp_count = ed->temps;
    free(ed->states);
    free(ed->seqs);
    free(ed->outs);
    vec_free(&ed->captures);
}

Node *scan_capture(ScanEdit *ed, Node *outer, const Node *was)
{
    Symbol name = node_composed(ed->st, was);
    EditOuter c = {node_temp(ed->st, was->type, name ? name : node_told(ed->st, outer)), outer};
    vec_push(&ed->captures, c);
    return c.hole;
}

Node *scan_sequence(ScanEdit *ed, Node *outer, const Node *was)
{
    int n = ed->s.nseqs++;
    ed->seqs = xrealloc(ed->seqs, ((size_t)n + 2) * sizeof *ed->seqs);
    Symbol name = node_composed(ed->st, was);
    name = name ? name : name_of_row(ed->st, node_told(ed->st, outer), ed->names, ed->nnames);
    ed->seqs[n] = (EditOuter){node_temp(ed->st, was->type, name), outer};
    return ed->seqs[n].hole;
}

int scan_add_state(ScanEdit *ed, Node *init, Node *next)
{
    int n = ed->s.nstates++;
    ed->states = xrealloc(ed->states, ((size_t)n + 2) * sizeof *ed->states);
    Symbol name = name_shifted(ed->st, node_name(ed->st, next), ed->s.reverse ? 1 : -1);
    ed->states[n] =
        (EditState){.hole = node_temp(ed->st, init->type, name), .init = init, .next = next};
    return n;
}

bool scan_count_fits(Store *st, const ScanShape *s)
{
    i64 low;
    return s->n->op == OP_SIZE || s->n->op == OP_DIM ||
           (size_lower_bound(size_of_node(st, s->n), &low) && low >= 0);
}

Node *scan_under_count(Store *st, const ScanShape *s, Node *value)
{
    Symbol message = symbol(st, "the number of steps is negative");
    return node_check(st, message, node2(st, OP_GE, NULL, s->n, node_i64(st, 0)), value);
}

Node *scan_count(Store *st, const ScanShape *s)
{
    return scan_count_fits(st, s) ? s->n : scan_under_count(st, s, s->n);
}

bool scan_runs(const ScanShape *s)
{
    i64 n;
    if (node_const_i64(s->n, &n))
        return n >= 1;
    if (s->n->op == OP_SIZE)
        return size_lower_bound(s->n->attrs[0].size, &n) && n >= 1;
    return s->n->op == OP_DIM && size_lower_bound(s->n->ops[0]->type->dims[s->n->attrs[0].i], &n) &&
           n >= 1;
}

/* Is it certain that a loop of n steps finds so many rows? */
static bool covers(Store *st, Size *rows, Node *n)
{
    i64 spare;
    if (size_lower_bound(size_sub(st, rows, size_of_node(st, n)), &spare) && spare >= 0)
        return true;
    bool all = n->op == OP_MAXIMUM; /* none of them takes more */
    for (u32 i = 0; i < n->nops && all; i++)
        all = covers(st, rows, n->ops[i]);
    return all;
}

Node *scan_enough(const ScanEdit *ed, int i)
{
    Store *st = ed->st;
    Node *rows = ed->seqs[i].value;
    if (covers(st, rows->type->dims[0], ed->s.n))
        return rows;
    const char *name =
        rows->op == OP_INPUT || rows->op == OP_SHARED ? rows->attrs[0].name : node_name(st, rows);
    if (!name) /* what the body calls it */
        name = name_base(st, node_name(st, ed->seqs[i].hole));
    if (!name)
        name = "a sequence";
    Text text = {0};
    text_printf(&text, "{a} steps over {b} rows of %s", name);
    Symbol message = symbol(st, text_str(&text));
    text_free(&text);
    Node *fits = node2(st, OP_LE, NULL, ed->s.n, node_dim(st, rows, 0));
    return node_check(st, message, fits, rows);
}

Node *scan_rows(ScanEdit *ed, int i)
{
    Node *rows = ed->seqs[i].value;
    if (rows->type->dims[0] == size_of_node(ed->st, ed->s.n))
        return rows;
    return build_slice(ed->st, scan_enough(ed, i), 0, node_i64(ed->st, 0),
                       scan_count(ed->st, &ed->s), 1);
}

void scan_roots(const ScanEdit *ed, NodeVec *roots)
{
    for (int i = 0; i < ed->s.nstates; i++)
        vec_push(roots, ed->states[i].next);
    for (int i = 0; i < ed->s.nouts; i++)
        vec_push(roots, ed->outs[i].value);
    if (ed->stop)
        vec_push(roots, ed->stop);
}

Node *scan_outer(const ScanEdit *ed, Node *hole)
{
    for (size_t i = 0; i < ed->captures.len; i++)
        if (ed->captures.at[i].hole == hole)
            return ed->captures.at[i].value;
    return hole;
}

/* Two loops in one may have called two states alike. */
static void tell_states_apart(ScanEdit *ed)
{
    Store *st = ed->st;
    i64 by = ed->s.reverse ? -1 : 1;
    Symbol *names = arena_alloc(&st->scratch, ((size_t)ed->s.nstates + 1) * sizeof *names);
    for (int i = 0; i < ed->s.nstates; i++)
        names[i] = ed->states[i].drop ? NULL : node_name(st, ed->states[i].hole);
    names_distinct(st, ed->s.nstates, names);
    for (int i = 0; i < ed->s.nstates; i++) {
        EditState *s = &ed->states[i];
        Symbol was = s->drop ? NULL : node_name(st, s->hole);
        if (was == names[i])
            continue;
        if (node_over_temps(st, s->next) && node_name(st, s->next) == name_shifted(st, was, by))
            node_rename(st, s->next, name_shifted(st, names[i], by));
        node_rename(st, s->hole, names[i]);
    }
}

static Node *stands_for(const NewScan *b, Node *hole)
{
    for (size_t i = 0; i < b->holes.len; i++)
        if (b->holes.at[i] == hole)
            return b->captures.at[i];
    return hole;
}

Node *scan_make(Store *st, const NewScan *b, const ScanShape *flags)
{
    CloseRequest rq = {.nfixed = (int)b->states.len,
                       .fixed = b->states.at,
                       .nseqs = (int)b->rows.len,
                       .seqs = b->rows.at,
                       .nouts = (int)b->outs.len,
                       .outs = b->outs.at,
                       .mentioned = &b->mentioned};
    Closed c;
    if (!nodes_are_there(&b->inits) || !nodes_are_there(&b->seqs) ||
        !nodes_are_there(&b->captures) || !nodes_are_there(&b->outs) || !graph_close(st, &rq, &c))
        return NULL;
    NodeVec seqs = {0}, captures = {0};
    for (int i = 0; i < c.nseqs; i++)
        vec_push(&seqs, b->seqs.at[c.seqs[i]]);
    for (int i = 0; i < c.ncaptures; i++)
        vec_push(&captures, stands_for(b, c.captures[i]));
    ScanShape s = {.body = c.graph,
                   .nstates = (int)b->states.len,
                   .nseqs = c.nseqs,
                   .ncaptures = c.ncaptures,
                   .reverse = flags->reverse,
                   .stop = flags->stop,
                   .checkpoint = flags->checkpoint,
                   .n = flags->n,
                   .inits = b->inits.at,
                   .seqs = seqs.at,
                   .captures = captures.at};
    Node *r = scan_node(st, &s);
    if (r)
        scan_note_parts(st, r, c.params, b->outs.at + b->states.len);
    vec_free(&seqs);
    vec_free(&captures);
    return r;
}

void new_scan_free(NewScan *b)
{
    NodeVec *all[] = {&b->states, &b->inits, &b->rows, &b->seqs, &b->holes, &b->captures, &b->outs};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        vec_free(all[i]);
    map_free(&b->mentioned);
}

Node *scan_close(ScanEdit *ed)
{
    Store *st = ed->st;
    NewScan b = {0};
    tell_states_apart(ed);
    for (int i = 0; i < ed->s.nstates; i++) {
        if (ed->states[i].drop)
            continue;
        vec_push(&b.states, ed->states[i].hole);
        vec_push(&b.inits, ed->states[i].init);
        vec_push(&b.outs, ed->states[i].next);
    }
    for (int i = 0; i < ed->s.nseqs; i++) {
        vec_push(&b.rows, ed->seqs[i].hole);
        vec_push(&b.seqs, ed->seqs[i].value);
    }
    for (size_t i = 0; i < ed->captures.len; i++) {
        vec_push(&b.holes, ed->captures.at[i].hole);
        vec_push(&b.captures, ed->captures.at[i].value);
    }
    for (int i = 0; i < ed->s.nouts; i++)
        if (!ed->outs[i].drop)
            vec_push(&b.outs, ed->outs[i].value);
    if (ed->stop)
        vec_push(&b.outs, ed->stop);
    Node *r = scan_make(st, &b, &ed->s);
    if (r)
        node_set_name(st, r, node_name(st, ed->scan));
    new_scan_free(&b);
    return r;
}

bool scan_substitute(ScanEdit *ed, NodeMap *memo)
{
    bool ok = true;
    for (int i = 0; i < ed->s.nstates && ok; i++)
        ok = (ed->states[i].next = node_substitute(ed->st, ed->states[i].next, memo)) != NULL;
    for (int i = 0; i < ed->s.nouts && ok; i++)
        ok = (ed->outs[i].value = node_substitute(ed->st, ed->outs[i].value, memo)) != NULL;
    if (ok && ed->stop)
        ok = (ed->stop = node_substitute(ed->st, ed->stop, memo)) != NULL;
    return ok;
}

Node *scan_outside(ScanEdit *ed, Node *open)
{
    NodeMap memo = {0};
    for (size_t i = 0; i < ed->captures.len; i++)
        map_put(&memo, ed->captures.at[i].hole, ed->captures.at[i].value);
    Node *r = node_substitute(ed->st, open, &memo);
    map_free(&memo);
    return r;
}

int scan_add_output(ScanEdit *ed, Node *open)
{
    for (int i = 0; i < ed->s.nouts; i++)
        if (ed->outs[i].value == open && !ed->outs[i].drop)
            return i;
    ed->outs = xrealloc(ed->outs, ((size_t)ed->s.nouts + 2) * sizeof *ed->outs);
    ed->outs[ed->s.nouts] = (EditOut){.value = open};
    return ed->s.nouts++;
}

Node *scan_trace(const ScanEdit *ed, Node *new_scan, int output)
{
    int k = scan_shape(new_scan).nstates;
    for (int i = 0; i < output; i++)
        k += !ed->outs[i].drop;
    return node_proj(ed->st, new_scan, k);
}

Node *scan_final(const ScanEdit *ed, Node *new_scan, int state)
{
    int k = 0;
    for (int i = 0; i < state; i++)
        k += !ed->states[i].drop;
    return node_proj(ed->st, new_scan, k);
}

/* ---- sequences whose rows are equal ---- */

/* The one scalar that all elements are, or NULL. */
static Node *only_element(Node *x)
{
    for (;;)
        switch (x->op) {
        case OP_BROADCAST:
        case OP_RESHAPE:
        case OP_TRANSPOSE:
        case OP_EXPAND_DIMS:
        case OP_SQUEEZE:
        case OP_FLIP:
        case OP_SLICE: x = x->ops[0]; break;
        default: return x->type->rank ? NULL : x;
        }
}

/* A tensor repeated along axis 0, without that axis. */
static Node *without_first(Store *st, Node *x)
{
    const IntList *from = x->attrs[0].ints;
    i64 at[MAX_RANK];
    for (u32 i = 0; i < from->n; i++)
        if ((at[i] = from->at[i] - 1) < 0)
            return NULL;
    Node *ops[MAX_RANK + 1] = {x->ops[0]};
    for (u32 i = 2; i < x->nops; i++)
        ops[i - 1] = x->ops[i];
    Attr axes = {.ints = intlist(st, from->n, at)};
    Node *r = x->nops > 2 ? node_make(st, OP_BROADCAST, &axes, x->nops - 1, ops) : ops[0];
    return r && r->type == ops[0]->type ? ops[0] : r;
}

Node *scan_same_row(Store *st, Node *seq)
{
    Node *one = only_element(seq), *dims[MAX_RANK];
    if (!one)
        return seq->op == OP_BROADCAST ? without_first(st, seq) : NULL;
    if (seq->op == OP_BROADCAST || seq->type->rank == 1)
        return seq->type->rank == 1 ? one : without_first(st, seq);
    for (int i = 1; i < seq->type->rank; i++)
        dims[i - 1] = node_dim(st, seq, i);
    return build_full(st, one, seq->type->rank - 1, dims);
}
