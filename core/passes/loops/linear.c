/* S11 and S12: states with a closed form over steps.
 *
 *   i' = i + k       =>     i_t = i_0 + k * t            integers, k the same at every step
 *   s' = s + e_t     =>     rows of cumsum([s_0, e_0, e_1, ...])
 *   s' = s * e_t     =>     rows of cumprod([s_0, e_0, e_1, ...])
 *
 * where e does not depend on a state. Values of the state become a sequence of the loop,
 * which then often has no state left. The initial value comes first, as in the loop: a
 * product that begins with 0 stays 0 where the others overflow. Condition: no `until`,
 * which might not need the later rows; for sums and products, an output that needs their
 * rows and no other state: otherwise the loop stays, and a value that it carries is cheaper
 * than rows. So they are tried last, when traces that nothing needs are gone. Class R: e for all
 * rows at once may round differently (rows.c). */
#include "passes/loops/rows.h"

#include "graph/reads.h"

enum { MAX_ROW = 64 }; /* elements of a state whose rows are no output themselves */

typedef struct {
    ScanEdit ed;
    Rows rows;
    int state;
    OpId op;
    Node *step; /* open: what is added or multiplied */
    Node *same; /* the same outside, if it does not change */
} Linear;

/* The other operands of a sum or product in which the state stands once. */
static Node *rest_of(Store *st, Node *next, Node *hole)
{
    Node **rest = arena_alloc(&st->scratch, next->nops * sizeof *rest);
    u32 n = 0;
    for (u32 i = 0; i < next->nops; i++)
        if (next->ops[i] != hole)
            rest[n++] = next->ops[i];
    if (!n)
        return NULL;
    return n == 1 ? rest[0] : node_make(st, next->op, next->attrs, n, rest);
}

/* Does a node of the body read a state that is not one of `except`? */
static bool reads_others(const ScanShape *s, const Node *n, const bool *except)
{
    bool others = false;
    for (int i = 0; i < s->nstates && !others; i++)
        others = !(except && except[i]) && reads_param(graph_reads(s->body), n, i);
    return others;
}

/* Is state k only added to, or multiplied by, what reads no state but those? */
static bool steps_alone(const ScanShape *s, int k, const bool *except)
{
    const Node *next = s->body->outs[k];
    u32 times = 0;
    if ((next->op != OP_ADD && next->op != OP_MUL) || node_dtype(next) != node_dtype(s->inits[k]))
        return false;
    for (u32 i = 0; i < next->nops; i++)
        if (next->ops[i] == s->body->param_nodes[k])
            times++;
        else if (reads_others(s, next->ops[i], except))
            return false;
    return times == 1;
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
    return integers ? s->body->outs[k]->op == OP_ADD && (d == DT_I32 || d == DT_I64)
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
    l->op = s->next->op;
    l->step = rest_of(ed->st, s->next, s->hole);
    if (!l->step || node_dtype(l->step) != d)
        return false;
    l->same = scan_outside(ed, l->step);
    bool exact = l->op == OP_ADD && l->same && !l->same->open && (d == DT_I32 || d == DT_I64) &&
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

static bool running_rows(Linear *l, Node **before, Node **final)
{
    Store *st = l->ed.st;
    Node *init = l->ed.states[l->state].init;
    bool reverse = l->ed.s.reverse;
    Node *steps = as_rows(l, rows_of(&l->rows, l->step), node_rank(init));
    Node *first = build_expand(st, init, 0);
    Node *both[] = {reverse ? steps : first, reverse ? first : steps};
    Attr axis = {.i = 0}, a[] = {{.i = 0}, {.i = reverse}};
    Node *all = steps && first ? node_make(st, OP_CONCAT, &axis, 2, both) : NULL;
    Node *run = all ? node1(st, l->op == OP_ADD ? OP_CUMSUM : OP_CUMPROD, a, all) : NULL;
    if (!run || node_dtype(run) != node_dtype(init))
        return false;
    *before = build_slice(st, run, 0, node_i64(st, reverse ? 1 : 0), l->rows.batch.lanes, 1);
    *final = build_index(st, run, 0, reverse ? node_i64(st, 0) : l->rows.batch.lanes);
    return *before && *final;
}

static Node *without_state(Site *site, Linear *l, Node *before, Node *final)
{
    ScanEdit *ed = &l->ed;
    EditState *s = &ed->states[l->state];
    Node *element = scan_sequence(ed, before, s->hole);
    NodeMap memo = {0};
    map_put(&memo, s->hole, element);
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
                       integers ? "no state only grows by the same integer at each step"
                                : "no state whose rows are wanted only adds or multiplies");
}

static bool linear(Site *site, bool integers)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    Linear l = {.state = 0};
    if (s.stop)
        return site_refuse(site, NULL, "`until` may end it at any step");
    if (!s.nstates || (!integers && !s.nouts))
        return site_refuse(site, NULL, s.nstates ? "it gives no trace" : "it has no state");
    int first = next_linear(&s, 0, integers);
    if (first == s.nstates)
        return refuse_linear(site, integers);
    if (!scan_open(site->st, n, &l.ed))
        return false;
    rows_open(&l.rows, &l.ed, NULL);
    Node *before, *final, *r = NULL;
    if (find_linear(&l, first, integers) &&
        (integers ? integer_rows(&l, &before, &final) : running_rows(&l, &before, &final)))
        r = without_state(site, &l, before, final);
    site_why(site, l.op == OP_ADD ? "a state that adds" : "a state that multiplies");
    if (!r)
        refuse_linear(site, integers);
    rows_close(&l.rows);
    scan_edit_free(&l.ed);
    return r != NULL;
}

bool loop_induction(Site *site) { return linear(site, true); }

bool loop_running(Site *site) { return linear(site, false); }
