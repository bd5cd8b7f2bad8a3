/* The rules of loops, and what many of them ask. */
#include "passes/loops/loops.h"
#include "graph/name.h"
#include "graph/provenance.h"

#include "passes/code_rules.h"
#include "passes/openers.h"

static Size *elements(Store *st, const Type *t) { return size_product(st, t->rank, t->dims); }

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

void scan_changes(Site *site, ScanEdit *ed, Node *new_scan)
{
    Store *st = ed->st;
    ScanShape s = scan_shape(new_scan);
    int k = 0;
    for (int i = 0; i < ed->old_states; i++)
        if (!ed->states[i].drop)
            site_put(site, node_proj(st, ed->scan, i), node_proj(st, new_scan, k++));
    k = s.nstates;
    for (int i = 0; i < ed->old_outs; i++)
        if (!ed->outs[i].drop)
            site_put(site, node_proj(st, ed->scan, ed->old_states + i),
                     node_proj(st, new_scan, k++));
    for (int i = 0; i < 2; i++)
        site_put(site, node_proj(st, ed->scan, ed->s.steps + i),
                 node_proj(st, new_scan, s.steps + i));
}

bool refuse_state(Site *site, const ScanShape *s, int state, const char *what)
{
    const Symbol *names = graph_names(site->st, s->body);
    if (names && names[state])
        return site_refuse(site, NULL, "state %s %s", name_base(site->st, names[state]),
                           what); /* s[t-1] is what it is called inside */
    return site_refuse(site, NULL, "state %d %s", state + 1, what);
}

Node *scan_without(Store *st, const ScanShape *s, Node *value)
{
    return scan_count_fits(st, s) && nodes_are_total(st, s->n) ? value
                                                               : scan_under_count(st, s, value);
}

Node *scan_become(Site *site, ScanEdit *ed, NodeMap *memo)
{
    Node *r = scan_substitute(ed, memo) ? scan_close(ed) : NULL;
    if (r)
        scan_changes(site, ed, r);
    return r;
}

static const char same_reason[] = "the mirrored comparison already exists";

#define LOOP(NAME, CLASSES, OP_, FN, REASON)          \
    {                                                 \
        NAME, "loops", CLASSES, OP_, FN, REASON, NULL \
    }
const CodeRule loop_rules[] = {
    {"tail", "canonicalize", HAZARD_E, OP_INDEX, loop_tail,
     "the last row of a state's trace is its final value", NULL},
    {"tail-slice", "canonicalize", HAZARD_E, OP_SLICE, loop_tail,
     "the last row of a state's trace is its final value", NULL},
    {"numbers-in-grad", "canonicalize", HAZARD_R, OP_GRAD, implicit_numbers,
     "captured scalars are computed in the body, where rules can see their values", NULL},
    {"numbers-in-vjp", "canonicalize", HAZARD_R, OP_VJP, implicit_numbers,
     "captured scalars are computed in the body, where rules can see their values", NULL},
    {"numbers-in-jvp", "canonicalize", HAZARD_R, OP_JVP, implicit_numbers,
     "captured scalars are computed in the body, where rules can see their values", NULL},
    {"numbers-in-vmap", "canonicalize", HAZARD_E, OP_VMAP, implicit_numbers,
     "captured scalars are computed in the body, where rules can see their values", NULL},
    {"captured-number", "canonicalize", HAZARD_E, OP_SCAN, loop_captured_numbers,
     "a captured number is a constant of the body", NULL},
    {"power-to-derive", "canonicalize", HAZARD_R, OP_SCAN, loop_powers_derived,
     "a state multiplied by the same factor at each step is a power, whose derivative needs no "
     "loop",
     NULL},
    {"recent-rows", "rows", HAZARD_E, OP_SCAN, loop_recent,
     "if only the last few rows are read, states carry them instead of a trace", NULL},
    {"first-rows", "rows", HAZARD_E, OP_SCAN, loop_first_rows,
     "the loop stops after the last row that is read", NULL},
    {"read-rows", "rows", HAZARD_E, OP_SCAN, loop_pieces,
     "only the rows that are read are kept, and the loop stops after the last of them", NULL},
    LOOP("dead-results", HAZARD_E, OP_SCAN, loop_dead, "unused states and traces are removed"),
    LOOP("unused-inputs", HAZARD_E, OP_SCAN, loop_unused,
         "sequences and captures that the body does not read are removed"),
    LOOP("unchanged-state", HAZARD_E, OP_SCAN, loop_unchanged,
         "a state that never changes is loop-invariant"),
    LOOP("repeated-sequence", HAZARD_E, OP_SCAN, loop_repeated,
         "a sequence of equal rows is one row, captured"),
    LOOP("few-steps", HAZARD_E, OP_SCAN, loop_trip,
         "a loop of at most one step is replaced with its result"),
    LOOP("duplicate-state", HAZARD_E, OP_SCAN, loop_duplicate,
         "states with equal initial values and equal updates are merged"),
    LOOP("constant-state", HAZARD_E, OP_SCAN, loop_constant,
         "a state that never leaves its initial constant is that constant"),
    LOOP("counted-while", HAZARD_E, OP_SCAN, loop_counted,
         "a loop that stops when a counter reaches its bound has a known trip count"),
    LOOP("hoist", HAZARD_E, OP_SCAN, loop_hoist,
         "loop-invariant values are computed once, before the loop"),
    LOOP("hoist-terms", HAZARD_R | HAZARD_O, OP_SCAN, loop_hoist_terms,
         "loop-invariant terms are combined into one, computed before the loop"),
    LOOP("step-runs", HAZARD_E, OP_SCAN, loop_runs,
         "inside the body, the loop is known to take a step"),
    LOOP("unswitch", HAZARD_E, OP_SCAN, loop_unswitch,
         "a loop-invariant choice is made once, before the loop"),
    LOOP("reduce", HAZARD_R | HAZARD_O, OP_SCAN, loop_reduce,
         "states that only accumulate sequence rows are reductions"),
    LOOP("powers", HAZARD_R, OP_SCAN, loop_powers,
         "a state multiplied by the same factor at each step ends as a power of the factor times "
         "its initial value"),
    LOOP("accumulate", HAZARD_R, OP_SCAN, loop_accumulate,
         "a sum of products over the steps is one product after the loop"),
    LOOP("induction", HAZARD_E, OP_SCAN, loop_induction,
         "a counter becomes a sequence of numbers instead of a state"),
    LOOP("delay", HAZARD_R, OP_SCAN, loop_delay,
         "a state computed only from this step's rows is a sequence delayed by one step"),
    LOOP("index-rows", HAZARD_E, OP_SCAN, loop_index_rows,
         "indexing by the step number reads a sequence"),
    LOOP("map", HAZARD_R, OP_SCAN, loop_map,
         "a loop without states is its body applied to all rows at once"),
    {"batch-dots", "loops", HAZARD_R, OP_SCAN, loop_batch_dots,
     "several products that share an operand are one product", &open_batch_dots},
    LOOP("sequence-dot", HAZARD_R, OP_SCAN, loop_sequence_dot,
         "a product with each row of a sequence is one product before the loop"),
    LOOP("sink", HAZARD_R, OP_SCAN, loop_sink,
         "a value that no later step needs is computed for all rows at once, after the loop"),
    {"late-operands", "specialize", HAZARD_R | HAZARD_O, OP_SCAN, loop_late,
     "the term that depends on the newest state is added or multiplied last", NULL},
    {"rows-inside", "specialize", HAZARD_E, OP_SCAN, loop_inward,
     "the rows of an elementwise sequence are computed in the step that reads them", NULL},
    {"order-sum", "order", HAZARD_E, OP_ADD, order_operands, "term by term, in evaluation order",
     NULL},
    {"order-product", "order", HAZARD_E, OP_MUL, order_operands,
     "factor by factor, in evaluation order", NULL},
    {"same-sum", "share", HAZARD_R | HAZARD_O, OP_ADD, same_sum,
     "a sum of the same terms already exists", NULL},
    {"same-product", "share", HAZARD_R | HAZARD_O, OP_MUL, same_sum,
     "a product of the same factors already exists", NULL},
    {"same-less", "share", HAZARD_E, OP_LT, same_order, same_reason, NULL},
    {"same-at-most", "share", HAZARD_E, OP_LE, same_order, same_reason, NULL},
    {"same-greater", "share", HAZARD_E, OP_GT, same_order, same_reason, NULL},
    {"same-at-least", "share", HAZARD_E, OP_GE, same_order, same_reason, NULL},
    {"lower-scan", "lower", HAZARD_E, OP_SCAN, loop_lower,
     "the loop that runs: a counter, a test before each step, arrays indexed by the counter",
     &open_lower},
    /* they look at the whole graph, so they run between sweeps: rewrite/merge.c */
    {"same-loop", "merge", HAZARD_E, OP_SCAN, loop_same, "two loops with equal updates run as one",
     &open_same},
    {"fuse-loops", "join", HAZARD_E, OP_SCAN, loop_fuse,
     "loop fusion: a loop over the rows of another loop's trace runs with it", &open_join},
    {"merge-loops", "join", HAZARD_E, OP_SCAN, loop_merge,
     "loop fusion: two loops with the same number of steps run as one", &open_join},
    {"unroll", "join", HAZARD_E, OP_SCAN, loop_unroll, "a short loop is unrolled", NULL},
    {"running", "last", HAZARD_R | HAZARD_O, OP_SCAN, loop_running,
     "the rows of a running sum, product or extreme are computed at once", NULL},
    /* where all forms are kept, none has to come last */
    {"running-form", "saturate", HAZARD_R | HAZARD_O, OP_SCAN, loop_running,
     "the rows of a running sum, product or extreme are computed at once", NULL},
    {"write-out", "equate", HAZARD_E, OP_SCAN, loop_write_out,
     "the steps of a loop, one after another", NULL},
    {0}};
