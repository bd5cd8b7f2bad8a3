/* Opening and closing scans. */
#include "loops/scan_edit.h"

static void name_hole(Store *st, Node *hole, Graph *body, int param)
{
    Symbol *names = map_get(&st->param_names, body);
    if (names && names[param])
        node_set_name(st, hole, names[param]);
}

bool scan_open(Store *st, Node *scan, ScanEdit *ed)
{
    *ed = (ScanEdit){.st = st, .scan = scan, .s = scan_shape(scan), .temps = st->temp_count};
    ScanShape *s = &ed->s;
    ed->states = xcalloc((size_t)s->nstates + 1, sizeof *ed->states);
    ed->seqs = xcalloc((size_t)s->nseqs + 1, sizeof *ed->seqs);
    ed->outs = xcalloc((size_t)s->nouts + 1, sizeof *ed->outs);
    ed->old_outs = s->nouts;
    NodeVec args = {0};
    for (int i = 0; i < s->nstates; i++) {
        ed->states[i] =
            (EditState){.hole = node_temp(st, s->inits[i]->type, NULL), .init = s->inits[i]};
        vec_push(&args, ed->states[i].hole);
    }
    for (int i = 0; i < s->nseqs; i++) {
        Type *t = s->seqs[i]->type;
        Type *element = type_tensor(st, t->dtype, t->rank - 1, t->dims + 1);
        ed->seqs[i] = (EditOuter){node_temp(st, element, NULL), s->seqs[i]};
        vec_push(&args, ed->seqs[i].hole);
    }
    for (int i = 0; i < s->ncaptures; i++)
        vec_push(&args, scan_capture(ed, s->captures[i], s->captures[i]->type));
    for (size_t i = 0; i < args.len; i++)
        name_hole(st, args.at[i], s->body, (int)i);
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

void scan_edit_free(ScanEdit *ed)
{
    ed->st->temp_count = ed->temps;
    free(ed->states);
    free(ed->seqs);
    free(ed->outs);
    vec_free(&ed->captures);
}

Node *scan_capture(ScanEdit *ed, Node *outer, Type *type)
{
    EditOuter c = {node_temp(ed->st, type, node_name(ed->st, outer)), outer};
    vec_push(&ed->captures, c);
    return c.hole;
}

Node *scan_sequence(ScanEdit *ed, Node *outer, Type *element)
{
    int n = ed->s.nseqs++;
    ed->seqs = xrealloc(ed->seqs, ((size_t)n + 2) * sizeof *ed->seqs);
    ed->seqs[n] = (EditOuter){node_temp(ed->st, element, node_name(ed->st, outer)), outer};
    return ed->seqs[n].hole;
}

/* The loop would fail at the first row that is missing. */
static Node *check_rows(ScanEdit *ed, Node *rows)
{
    Store *st = ed->st;
    i64 spare;
    Size *missing = size_sub(st, rows->type->dims[0], size_of_node(st, ed->s.n));
    if (size_lower_bound(missing, &spare) && spare >= 0)
        return rows;
    const char *name =
        rows->op == OP_INPUT || rows->op == OP_SHARED ? rows->attrs[0].name : node_name(st, rows);
    Text text = {0};
    text_printf(&text, "{a} steps over {b} rows of %s", name ? name : "a sequence");
    Attr message = {.name = symbol(st, text_str(&text))};
    text_free(&text);
    Node *fits = node2(st, OP_LE, NULL, ed->s.n, node_dim(st, rows, 0));
    return node2(st, OP_CHECK, &message, fits, rows);
}

Node *scan_rows(ScanEdit *ed, int i)
{
    Node *rows = ed->seqs[i].value;
    if (rows->type->dims[0] == size_of_node(ed->st, ed->s.n))
        return rows;
    return build_slice(ed->st, check_rows(ed, rows), 0, node_i64(ed->st, 0),
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

bool scan_is_capture(const ScanEdit *ed, const Node *n)
{
    for (size_t i = 0; i < ed->captures.len; i++)
        if (ed->captures.at[i].hole == n)
            return true;
    return false;
}

Node *scan_outer(const ScanEdit *ed, Node *hole)
{
    for (size_t i = 0; i < ed->captures.len; i++)
        if (ed->captures.at[i].hole == hole)
            return ed->captures.at[i].value;
    return hole;
}

Node *scan_close(ScanEdit *ed)
{
    Store *st = ed->st;
    NodeVec fixed = {0}, inits = {0}, seq_holes = {0}, outs = {0}, seqs = {0}, captures = {0};
    for (int i = 0; i < ed->s.nstates; i++) {
        if (ed->states[i].drop)
            continue;
        vec_push(&fixed, ed->states[i].hole);
        vec_push(&inits, ed->states[i].init);
        vec_push(&outs, ed->states[i].next);
    }
    for (int i = 0; i < ed->s.nseqs; i++)
        vec_push(&seq_holes, ed->seqs[i].hole);
    for (int i = 0; i < ed->s.nouts; i++)
        if (!ed->outs[i].drop)
            vec_push(&outs, ed->outs[i].value);
    if (ed->stop)
        vec_push(&outs, ed->stop);
    CloseRequest rq = {.nfixed = (int)fixed.len,
                       .fixed = fixed.at,
                       .nseqs = (int)seq_holes.len,
                       .seqs = seq_holes.at,
                       .nouts = (int)outs.len,
                       .outs = outs.at};
    Closed c;
    Node *r = NULL;
    if (graph_close(st, &rq, &c)) {
        for (int i = 0; i < c.nseqs; i++)
            vec_push(&seqs, ed->seqs[c.seqs[i]].value);
        for (int i = 0; i < c.ncaptures; i++)
            vec_push(&captures, scan_outer(ed, c.captures[i]));
        ScanShape s = {.body = c.graph,
                       .nstates = (int)fixed.len,
                       .nseqs = c.nseqs,
                       .ncaptures = c.ncaptures,
                       .reverse = ed->s.reverse,
                       .stop = ed->s.stop,
                       .checkpoint = ed->s.checkpoint,
                       .n = ed->s.n,
                       .inits = inits.at,
                       .seqs = seqs.at,
                       .captures = captures.at};
        r = scan_node(st, &s);
        Symbol name = r ? node_name(st, ed->scan) : NULL;
        if (name)
            node_set_name(st, r, name);
    }
    NodeVec *all[] = {&fixed, &inits, &seq_holes, &outs, &seqs, &captures};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        vec_free(all[i]);
    return r;
}

static Size *elements(Store *st, const Type *t)
{
    Size *n = size_const(st, 1);
    for (int a = 0; a < t->rank; a++)
        n = size_mul(st, n, t->dims[a]);
    return n;
}

bool scan_may_store(const ScanEdit *ed, const Node *row)
{
    if (ed->s.checkpoint != CHECKPOINT_STATES)
        return true;
    for (int i = 0; i < ed->s.nstates; i++) {
        const Node *next = ed->states[i].next, *hole = ed->states[i].hole;
        bool sum = next->op == OP_ADD && (next->ops[0] == hole || next->ops[1] == hole);
        if (!sum && elements(ed->st, row->type) == elements(ed->st, hole->type))
            return true;
    }
    return false;
}

bool scan_substitute(ScanEdit *ed, PtrMap *memo)
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
    PtrMap memo = {0};
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

void scan_changes(ScanEdit *ed, Node *new_scan, Changes *out)
{
    Store *st = ed->st;
    int k = 0;
    for (int i = 0; i < ed->s.nstates; i++)
        if (!ed->states[i].drop)
            vec_push(out, ((Change){node_proj(st, ed->scan, i), node_proj(st, new_scan, k++)}));
    for (int i = 0; i < ed->old_outs; i++)
        if (!ed->outs[i].drop)
            vec_push(out, ((Change){node_proj(st, ed->scan, ed->s.nstates + i),
                                    node_proj(st, new_scan, k++)}));
    ScanShape s = scan_shape(new_scan);
    for (int i = 0; i < 2; i++)
        vec_push(out, ((Change){node_proj(st, ed->scan, ed->s.steps + i),
                                node_proj(st, new_scan, s.steps + i)}));
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

Node *scan_count(Store *st, const ScanShape *s)
{
    i64 low;
    Attr message = {.name = symbol(st, "a loop cannot run a negative number of times")};
    if (s->n->op == OP_SIZE || s->n->op == OP_DIM ||
        (size_lower_bound(size_of_node(st, s->n), &low) && low >= 0))
        return s->n;
    return node2(st, OP_CHECK, &message, node2(st, OP_GE, NULL, s->n, node_i64(st, 0)), s->n);
}

bool node_reads(Node *root, const Node *what)
{
    NodeVec stack = {0};
    PtrMap seen = {0};
    bool found = false;
    vec_push(&stack, root);
    while (stack.len && !found) {
        Node *n = stack.at[--stack.len];
        found = n == what;
        for (u32 i = 0; i < n->nops && !found; i++) {
            Node *operand = n->ops[i]; /* operands are older than what is computed from them */
            if (operand->id < what->id || map_has(&seen, operand))
                continue;
            map_put(&seen, operand, operand);
            vec_push(&stack, operand);
        }
    }
    vec_free(&stack);
    map_free(&seen);
    return found;
}

#define LOOP(NAME, CLASSES, OP_, FN, REASON)    \
    {                                           \
        NAME, "loops", CLASSES, OP_, FN, REASON \
    }
const CodeRule loop_rules[] = {
    LOOP("tail", HAZARD_E, OP_INDEX, loop_tail,
         "the last row of a state's trace is its final value"),
    LOOP("dead-results", HAZARD_E, OP_SCAN, loop_dead, "states and traces that nothing uses"),
    LOOP("unused-inputs", HAZARD_E, OP_SCAN, loop_unused,
         "sequences and captures that the body no longer reads"),
    LOOP("unchanged-state", HAZARD_E, OP_SCAN, loop_unchanged,
         "a state that never changes is a constant of the loop"),
    LOOP("repeated-sequence", HAZARD_E, OP_SCAN, loop_repeated,
         "a sequence of equal rows is one row, captured"),
    LOOP("few-steps", HAZARD_E, OP_SCAN, loop_trip, "a loop of no step or of one is no loop"),
    LOOP("duplicate-state", HAZARD_E, OP_SCAN, loop_duplicate,
         "states that start alike and step alike are one"),
    LOOP("constant-state", HAZARD_E, OP_SCAN, loop_constant,
         "a state that never leaves its initial constant is that constant"),
    LOOP("counted-while", HAZARD_E, OP_SCAN, loop_counted,
         "a loop that ends when a counter arrives takes a known number of steps"),
    LOOP("hoist", HAZARD_E, OP_SCAN, loop_hoist,
         "what is the same at every step is computed once, before the loop"),
    LOOP("unswitch", HAZARD_E, OP_SCAN, loop_unswitch,
         "a choice that is the same at every step is made once, before the loop"),
    LOOP("reduce", HAZARD_R, OP_SCAN, loop_reduce,
         "states that only gather what sequences give are reductions"),
    LOOP("accumulate", HAZARD_R, OP_SCAN, loop_accumulate,
         "products that a state adds up are one product after the loop"),
    LOOP("induction", HAZARD_E, OP_SCAN, loop_induction,
         "a counter is a sequence of numbers, not a state"),
    LOOP("index-rows", HAZARD_E, OP_SCAN, loop_index_rows,
         "reading at the step's own number is reading a sequence"),
    LOOP("map", HAZARD_R, OP_SCAN, loop_map,
         "a loop without states is its body applied to all rows at once"),
    LOOP("batch-dots", HAZARD_R, OP_SCAN, loop_batch_dots,
         "several products with one left operand are one product"),
    LOOP("sequence-dot", HAZARD_R, OP_SCAN, loop_sequence_dot,
         "a product with each row of a sequence is one product before the loop"),
    LOOP("sink", HAZARD_R, OP_SCAN, loop_sink,
         "what no step needs is computed for all rows at once, after the loop"),
    {"order-sum", "order", HAZARD_R, OP_ADD, order_operands,
     "term by term, in the order that runs"},
    {"order-product", "order", HAZARD_R, OP_MUL, order_operands,
     "factor by factor, in the order that runs"},
    {"lower-scan", "lower", HAZARD_E, OP_SCAN, loop_lower,
     "what runs: a counter, a test before each step, arrays indexed by the counter"},
    /* they look at the whole graph, so they run between sweeps: rewrite/merge.c */
    {"same-loop", "merge", HAZARD_E, OP_SCAN, loop_same, "two loops that step alike run as one"},
    {"fuse-loops", "join", HAZARD_E, OP_SCAN, loop_fuse,
     "a loop over the rows that another gives runs with it"},
    {"merge-loops", "join", HAZARD_E, OP_SCAN, loop_merge, "two loops of as many steps run as one"},
    {"unroll", "join", HAZARD_E, OP_SCAN, loop_unroll, "a short loop is written out"},
    {"running", "last", HAZARD_R, OP_SCAN, loop_running,
     "the rows of a running sum or product are computed at once"},
};
const size_t loop_rule_count = COUNT_OF(loop_rules);
