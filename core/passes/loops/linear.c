/* S11 and S12: states with a closed form over steps.
 *
 *   i' = i + k       =>     i_t = i_0 + k * t            integers, k the same at every step
 *   s' = s + e_t     =>     rows of s_0 + cumsum(e)
 *   s' = s * e_t     =>     rows of s_0 * cumprod(e)
 *   s' = max(s, e_t) =>     rows of max(s_0, cummax(e)), and min
 *
 * where e does not depend on a state; also differences and quotients (gather.c). Values of the
 * state become a sequence of the loop, which then often has no state left. A product that does not
 * begin with a number begins with s_0 as its first factor: one that begins with 0 stays 0 where the
 * others overflow. Condition: no `until`, which might not need the later rows; for sums and
 * products, an output that needs their rows and no other state: otherwise the loop stays, and a
 * value that it carries is cheaper than rows. So they are tried last, when traces that nothing
 * needs are gone. Class R: e for all rows at once may round differently (rows.c). */
#include "passes/loops/gather.h"
#include "passes/loops/rows.h"

#include <math.h>

enum { MAX_ROW = 64 }; /* elements of a state whose rows are no output themselves */

typedef struct {
    ScanEdit ed;
    Rows rows;
    int state;
    Gather how;
    Node *step; /* open: what is gathered */
    Node *same; /* the same outside, if it does not change */
} Linear;

/* Does a node of the body read a state that is not one of `except`? */
static bool reads_others(const ScanShape *s, const Node *n, const bool *except)
{
    bool others = false;
    for (int i = 0; i < s->nstates && !others; i++)
        others = !(except && except[i]) && reads_param(graph_reads(s->body), n, i);
    return others;
}

static bool has_running(OpId op)
{
    return op == OP_ADD || op == OP_MUL || op == OP_MAXIMUM || op == OP_MINIMUM;
}

/* Does state k only gather what reads no state but those? */
static bool steps_alone(const ScanShape *s, int k, const bool *except)
{
    Node *next = s->body->outs[k];
    Gather g;
    if (node_dtype(next) != node_dtype(s->inits[k]) ||
        !gather_find(next, s->body->param_nodes[k], &g) || !has_running(g.op))
        return false;
    bool others = false;
    for (u32 i = 0; i < g.in->nops && !others; i++)
        others = g.in->ops[i] != g.state && reads_others(s, g.in->ops[i], except);
    return !others;
}

/* States that are such sums and products of each other: all of them can become sequences. */
static void find_resolvable(const ScanShape *s, bool *can)
{
    for (bool again = true; again;) {
        again = false;
        for (int k = 0; k < s->nstates; k++)
            if (!can[k] && steps_alone(s, k, can))
                can[k] = again = true;
    }
}

/* There is an output that reads the state and will need no state at all; and it is that output, or
 * its rows are not long. */
static bool rows_are_wanted(const ScanShape *s, int k)
{
    Graph *body = s->body;
    bool *can = xcalloc((size_t)s->nstates + 1, sizeof *can), wanted = false, given = false;
    find_resolvable(s, can);
    for (int i = s->nstates; i < s->nstates + s->nouts; i++) {
        given = given || body->outs[i] == body->outs[k];
        wanted = wanted || (reads_param(graph_reads(body), body->outs[i], k) &&
                            !reads_others(s, body->outs[i], can));
    }
    free(can);
    return wanted && (given || rows_estimate(s->inits[k]->type) <= MAX_ROW);
}

/* Asked of the closed body: may state k be one of the kind that is looked for? */
static bool may_be_linear(const ScanShape *s, int k, bool integers)
{
    DType d = node_dtype(s->inits[k]);
    if (!steps_alone(s, k, NULL))
        return false;
    OpId op = s->body->outs[k]->op;
    return integers ? (op == OP_ADD || op == OP_SUB) && (d == DT_I32 || d == DT_I64)
                    : rows_are_wanted(s, k);
}

static int next_linear(const ScanShape *s, int k, bool integers)
{
    while (k < s->nstates && !may_be_linear(s, k, integers))
        k++;
    return k;
}

/* Is state k of that kind? */
static bool is_linear(Linear *l, int k, bool integers)
{
    ScanEdit *ed = &l->ed;
    const EditState *s = &ed->states[k];
    DType d = node_dtype(s->hole);
    l->state = k;
    if (!gather_find(s->next, s->hole, &l->how) || !has_running(l->how.op))
        return false;
    l->step = gather_with(ed->st, &l->how);
    if (!l->step || node_dtype(l->step) != d)
        return false;
    l->same = scan_outside(ed, l->step);
    bool exact = l->how.op == OP_ADD && l->same && !l->same->open && (d == DT_I32 || d == DT_I64) &&
                 (l->rows.runs || nodes_are_total(ed->st, l->step)); /* it runs outside, once */
    return exact == integers;
}

static bool find_linear(Linear *l, int k, bool integers)
{
    while (k < l->ed.s.nstates && !is_linear(l, k, integers))
        k = next_linear(&l->ed.s, k + 1, integers);
    return k < l->ed.s.nstates;
}

/* The steps that were taken before each row, as numbers of the state's dtype. */
static Node *step_numbers(Linear *l, DType d)
{
    Store *st = l->ed.st;
    Node *t = node1(st, OP_IOTA, NULL, l->rows.batch.lanes);
    if (l->ed.s.reverse && t)
        t = build_sub(st, build_sub(st, l->rows.batch.lanes, node_i64(st, 1)), t);
    return t ? node_cast(st, t, d) : NULL;
}

/* x (a value or rows) repeated to rows of the state's shape. */
static Node *as_rows(Linear *l, Node *x, int core_rank)
{
    Store *st = l->ed.st;
    Node *like = l->ed.states[l->state].init, *dims[MAX_RANK + 1] = {l->rows.batch.lanes};
    for (int i = 0; i < core_rank; i++)
        dims[i + 1] = node_dim(st, like, i);
    if (x && node_rank(x) == 1 && core_rank) { /* a number per row */
        i64 first = 0;
        Attr a = {.ints = intlist(st, 1, &first)};
        Node *ops[MAX_RANK + 2] = {x};
        memcpy(ops + 1, dims, ((size_t)core_rank + 1) * sizeof *dims);
        return node_make(st, OP_BROADCAST, &a, (u32)core_rank + 2, ops);
    }
    return build_broadcast_to(st, x, core_rank + 1, dims);
}

/* The value before each step, as rows, and after the last one. */
static bool integer_rows(Linear *l, Node **before, Node **final)
{
    Store *st = l->ed.st;
    EditState *s = &l->ed.states[l->state];
    int rank = node_rank(s->init);
    DType d = node_dtype(s->init);
    Node *t = as_rows(l, step_numbers(l, d), rank), *k = as_rows(l, l->same, rank);
    *before = t && k ? build_add(st, as_rows(l, s->init, rank), build_mul(st, t, k)) : NULL;
    Node *n = node_cast(st, l->rows.batch.lanes, d);
    *final = n ? build_add(st, s->init, build_mul(st, n, l->same)) : NULL;
    return *before && *final;
}

static Node *running(Store *st, OpId op, Node *rows, bool reverse)
{
    Attr a[] = {{.i = 0}, {.i = reverse}};
    if (op == OP_MINIMUM) {
        Node *largest = node1(st, OP_CUMMAX, a, build_neg(st, rows));
        return largest ? build_neg(st, largest) : NULL;
    }
    OpId run = op == OP_ADD ? OP_CUMSUM : op == OP_MUL ? OP_CUMPROD : OP_CUMMAX;
    return node1(st, run, a, rows);
}

/* The initial value and rows after it, in the order in which the loop goes. */
static Node *behind(Linear *l, Node *rows)
{
    Store *st = l->ed.st;
    bool reverse = l->ed.s.reverse;
    Node *first = build_expand(st, l->ed.states[l->state].init, 0);
    Node *both[] = {reverse ? rows : first, reverse ? first : rows};
    Attr axis = {.i = 0};
    return first ? node_make(st, OP_CONCAT, &axis, 2, both) : NULL;
}

/* May the initial value be put together with the rest at the end? */
static bool may_come_last(const Linear *l)
{
    double x;
    return l->how.op != OP_MUL ||
           (gather_number(l->ed.states[l->state].init, &x) && x != 0 && isfinite(x));
}

/* The initial value at every step. */
static Node *repeated_init(Linear *l)
{
    Node *init = l->ed.states[l->state].init, *dims[MAX_RANK + 1] = {l->rows.batch.lanes};
    int rank = node_rank(init);
    for (int i = 0; i < rank; i++)
        dims[i + 1] = node_dim(l->ed.st, init, i);
    return build_broadcast_to(l->ed.st, init, rank + 1, dims);
}

/* What the state is after each step, from the rows of what it gathers; *all: the initial value
 * before that. */
static Node *rows_after(Linear *l, Node *steps, Node **all)
{
    Store *st = l->ed.st;
    Node *init = l->ed.states[l->state].init;
    bool reverse = l->ed.s.reverse;
    OpId op = l->how.op;
    if (may_come_last(l)) {
        Node *run = running(st, op, steps, reverse);
        bool neutral = !l->how.inverse && gather_changes_nothing(op, init);
        Node *both[] = {repeated_init(l), run};
        if (run && !neutral)
            run = build_elementwise(st, l->how.inverse ? OP_DIV : op, 2, both);
        *all = run ? behind(l, run) : NULL;
        return run;
    }
    if (l->how.inverse)
        steps = node1(st, OP_RECIPROCAL, NULL, steps);
    Node *gathered = steps ? behind(l, steps) : NULL;
    *all = gathered ? running(st, op, gathered, reverse) : NULL;
    return *all ? build_slice(st, *all, 0, node_i64(st, reverse ? 0 : 1), l->rows.batch.lanes, 1)
                : NULL;
}

static bool running_rows(Linear *l, Node **before, Node **after, Node **final)
{
    Store *st = l->ed.st;
    Node *init = l->ed.states[l->state].init, *lanes = l->rows.batch.lanes;
    bool reverse = l->ed.s.reverse;
    Node *steps = as_rows(l, rows_of(&l->rows, l->step), node_rank(init));
    Node *all = NULL;
    *after = steps ? rows_after(l, steps, &all) : NULL;
    if (!*after || !all || node_dtype(all) != node_dtype(init))
        return false;
    *before = build_slice(st, all, 0, node_i64(st, reverse ? 1 : 0), lanes, 1);
    *final = build_index(st, all, 0, reverse ? node_i64(st, 0) : lanes);
    return *before && *final;
}

/* `after`: what it is after each step, or NULL. */
static Node *without_state(Site *site, Linear *l, Node *before, Node *after, Node *final)
{
    ScanEdit *ed = &l->ed;
    EditState *s = &ed->states[l->state];
    Node *element = scan_sequence(ed, before, s->hole);
    NodeMap memo = {0};
    map_put(&memo, s->hole, element);
    if (after)
        map_put(&memo, s->next, scan_sequence(ed, after, s->next));
    s->drop = true;
    Node *r = scan_substitute(ed, &memo) ? scan_close(ed) : NULL;
    map_free(&memo);
    if (!r || !type_compatible(ed->st, final->type, s->init->type))
        return NULL;
    scan_changes(site, ed, r);
    site_put(site, node_proj(ed->st, ed->scan, l->state), final);
    return r;
}

static bool refuse_linear(Site *site, bool integers)
{
    return site_refuse(site, NULL,
                       integers
                           ? "no state grows by the same integer at each step"
                           : "no state with a used trace is a running sum, product or extreme");
}

static bool linear(Site *site, bool integers)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    Linear l = {.state = 0};
    if (s.stop)
        return site_refuse(site, NULL, "`until` may end it at any step");
    if (!s.nstates || (!integers && !s.nouts))
        return site_refuse(site, NULL, s.nstates ? "it has no trace" : "it has no state");
    int first = next_linear(&s, 0, integers);
    if (first == s.nstates)
        return refuse_linear(site, integers);
    if (!scan_open(site->st, n, &l.ed))
        return false;
    rows_open(&l.rows, &l.ed, NULL);
    Node *before, *after = NULL, *final, *r = NULL;
    if (find_linear(&l, first, integers) &&
        (integers ? integer_rows(&l, &before, &final) : running_rows(&l, &before, &after, &final)))
        r = without_state(site, &l, before, after, final);
    site_why(site, l.how.op == OP_ADD   ? "a running sum"
                   : l.how.op == OP_MUL ? "a running product"
                                        : "a running maximum or minimum");
    if (!r)
        refuse_linear(site, integers);
    rows_close(&l.rows);
    scan_edit_free(&l.ed);
    return r != NULL;
}

bool loop_induction(Site *site) { return linear(site, true); }

bool loop_running(Site *site) { return linear(site, false); }
