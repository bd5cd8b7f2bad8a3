/* The one form in which loops are planned: so many steps, sequences whose rows come one a step,
 * and perhaps a test that stops. A scan has that form. A loop is brought into it here: the state
 * that counts becomes the number of steps, and what a counter indexes becomes a sequence.
 *
 * Invariant: the form does what the loop does, bit for bit; a loop in which no counter is found
 * is planned as it stands, with its `go` as the test. */
#include "exec/plan_work.h"
#include "graph/names.h"

static bool is_constant(const Node *n, i64 value)
{
    i64 k;
    return node_const_i64(n, &k) && k == value;
}

/* n, or the operand of the loop that this parameter of the body stands for. */
static const Node *outer_value(const LoopShape *s, const Node *n)
{
    i64 k = n->op == OP_PARAM ? n->attrs[0].i - s->nstates : -1;
    return k >= 0 && k < s->ncaptures ? s->captures[k] : n;
}

/* The state that a node reads, or -1. */
static int state_of(const LoopShape *s, const Node *n)
{
    return n->op == OP_PARAM && n->attrs[0].i < s->nstates ? (int)n->attrs[0].i : -1;
}

/* `next` is the next value of the state it adds `by` to: that state, or -1. */
static int stepped_state(const LoopShape *s, const Node *next, i64 by)
{
    if (next->op != OP_ADD || next->nops != 2)
        return -1;
    for (int k = 0; k < 2; k++) {
        int i = is_constant(next->ops[1 - k], by) ? state_of(s, next->ops[k]) : -1;
        if (i >= 0 && s->body->outs[i] == next)
            return i;
    }
    return -1;
}

static bool is_rows_less_one(const LoopShape *s, const Node *n)
{
    i64 rows;
    if (node_const_i64(s->rows, &rows))
        return is_constant(n, rows - 1);
    return n->op == OP_ADD && n->nops == 2 &&
           ((n->ops[0] == s->rows && is_constant(n->ops[1], -1)) ||
            (n->ops[1] == s->rows && is_constant(n->ops[0], -1)));
}

/* The operand `go` says that there is a row: what the test after a step says of the next one. */
static bool starts_with_rows(const LoopShape *s, const Node *init)
{
    i64 rows;
    const Node *go = s->go;
    if (node_const_i64(s->rows, &rows))
        return is_constant(go, rows > 0);
    if (s->down)
        return go->op == OP_GE && go->ops[0] == init && is_constant(go->ops[1], 0);
    return go->op == OP_LT && is_constant(go->ops[0], 0) && go->ops[1] == s->rows;
}

/* The state that counts 0, 1, ... rows-1 (or down to 0) if `test` keeps it there; else -1. */
static int counter_of(const LoopShape *s, const Node *test)
{
    if (test->op != (s->down ? OP_GE : OP_LT) || test->nops != 2)
        return -1;
    int i = stepped_state(s, test->ops[0], s->down ? -1 : 1);
    if (i < 0 || !starts_with_rows(s, s->inits[i]))
        return -1;
    if (s->down)
        return is_constant(test->ops[1], 0) && is_rows_less_one(s, s->inits[i]) ? i : -1;
    return is_constant(s->inits[i], 0) && outer_value(s, test->ops[1]) == s->rows ? i : -1;
}

typedef struct {
    Store *st;
    LoopShape s;
    bool uncounted;
    int counter;
    NodeVec elements; /* nodes of the body that read a row each */
    VEC(Type *) types;
    NodeVec args, outs;
} Reduce;

/* The counter (or -1), and what is left of the test to go on (or NULL). */
static int split_test(const Reduce *r, Node **rest)
{
    const LoopShape *s = &r->s;
    Node *go = s->body->outs[s->steps];
    *rest = go;
    if (r->uncounted)
        return -1;
    *rest = NULL;
    int i = counter_of(s, go);
    for (u32 k = 0; k < 2 && i < 0 && go->op == OP_LOGICAL_AND && go->nops == 2; k++)
        if ((i = counter_of(s, go->ops[k])) >= 0)
            *rest = go->ops[1 - k];
    if (i < 0)
        *rest = go;
    return i;
}

static bool reads_row(const LoopShape *s, const Node *n, int counter)
{
    return counter >= 0 && n->op == OP_INDEX && n->attrs[0].i == 0 &&
           state_of(s, n->ops[1]) == counter && outer_value(s, n->ops[0]) != n->ops[0];
}

static void find_elements(Reduce *r)
{
    NodeVec order = {0};
    nodes_topo(r->s.body->nouts, r->s.body->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        if (reads_row(&r->s, order.at[i], r->counter))
            vec_push(&r->elements, order.at[i]);
    vec_free(&order);
}

static void push_param(Reduce *r, PtrMap *memo, Node *inside, const Node *outside)
{
    map_put(memo, inside, node_param(r->st, (i64)r->types.len, inside->type));
    vec_push(&r->types, inside->type);
    vec_push(&r->args, (Node *)(uintptr_t)outside);
}

/* For profiles, which tell of the body. */
static void name_params(const Reduce *r, Graph *body)
{
    const LoopShape *s = &r->s;
    const Symbol *old = graph_names(r->st, s->body);
    if (!old)
        return;
    Symbol *names = arena_alloc(&r->st->scratch, ((size_t)body->nparams + 1) * sizeof *names);
    int rows = (int)r->elements.len;
    for (int i = 0; i < body->nparams; i++) {
        const Node *from = i >= s->nstates && i < s->nstates + rows
                               ? r->elements.at[i - s->nstates]->ops[0]
                               : NULL;
        names[i] = i < s->nstates ? old[i] : from ? NULL : old[i - rows];
        if (from && from->op == OP_PARAM)
            names[i] = name_of_row(r->st, old[from->attrs[0].i], old, s->nstates);
    }
    graph_set_names(r->st, body, names);
}

/* Parameters: states, rows of sequences, captures (of which unused ones are not planned). */
static Graph *reduced_body(Reduce *r, Node *stop)
{
    const LoopShape *s = &r->s;
    PtrMap memo = {0};
    for (int i = 0; i < s->nstates; i++)
        push_param(r, &memo, s->body->param_nodes[i], s->inits[i]);
    for (size_t i = 0; i < r->elements.len; i++)
        push_param(r, &memo, r->elements.at[i], outer_value(s, r->elements.at[i]->ops[0]));
    for (int i = 0; i < s->ncaptures; i++)
        push_param(r, &memo, s->body->param_nodes[s->nstates + i], s->captures[i]);
    bool ok = true;
    for (int i = 0; i < s->steps + (stop != NULL) && ok; i++) {
        Node *out = node_substitute(r->st, i < s->steps ? s->body->outs[i] : stop, &memo);
        ok = out != NULL;
        vec_push(&r->outs, out);
    }
    map_free(&memo);
    Graph *body =
        ok ? graph_make(r->st, (int)r->types.len, r->types.at, (int)r->outs.len, r->outs.at) : NULL;
    if (body)
        name_params(r, body);
    return body;
}

static bool reduce(Reduce *r, LoopForm *f)
{
    const LoopShape *s = &r->s;
    Node *rest, *stop = NULL;
    r->counter = split_test(r, &rest);
    if (rest)
        stop = rest->op == OP_LOGICAL_NOT ? rest->ops[0] : node1(r->st, OP_LOGICAL_NOT, NULL, rest);
    find_elements(r);
    Graph *body = rest && !stop ? NULL : reduced_body(r, stop);
    if (!body)
        return false;
    f->s = (ScanShape){.body = body,
                       .nstates = s->nstates,
                       .nseqs = (int)r->elements.len,
                       .ncaptures = s->ncaptures,
                       .nouts = s->ntraces,
                       .reverse = s->down,
                       .stop = stop != NULL,
                       .n = s->rows,
                       .steps = s->steps,
                       .nresults = s->steps + 1};
    f->args = arena_alloc(&r->st->scratch, (r->args.len + 1) * sizeof *f->args);
    for (size_t i = 0; i < r->args.len; i++)
        f->args[i] = r->args.at[i];
    f->go = r->counter < 0 ? s->go : NULL;
    f->exact = !s->grows;
    return true;
}

bool plan_form(Planner *pl, Node *n, LoopForm *f)
{
    *f = (LoopForm){0};
    if (n->op == OP_SCAN) {
        f->s = scan_shape(n);
        f->args = n->ops + 1;
        return true;
    }
    Reduce r = {.st = pl->st, .s = loop_shape(n), .uncounted = pl->flags & PLAN_UNCOUNTED};
    bool ok = reduce(&r, f);
    vec_free(&r.elements);
    vec_free(&r.types);
    vec_free(&r.args);
    vec_free(&r.outs);
    return ok;
}
