/* Control: operators that own closed graphs and decide when these run.
 *
 * scan{body, states, seqs, reverse, stop, checkpoint}(n, inits..., sequences..., captures...)
 *   body: (states..., elements..., captures...) -> (next states..., outputs..., [stop])
 *   results: final states..., traces..., steps : i64, stopped : bool
 *   Runs n times, or until `stop` is true after a step (that step counts). Step i reads row i of
 *   each sequence and writes row i of each trace; i runs 0, 1, ... or, in reverse, n-1, ..., 0.
 *   n = SCAN_UNBOUNDED: a while loop. n < 0, or n beyond the rows of a sequence: a run-time error.
 * loop{body, states, down, grows, counter, walked}(rows, go, inits..., captures...)
 *   body: (states..., captures...) -> (next states..., rows of traces..., go)
 *   results: final states..., traces..., steps : i64
 *   Runs while `go`, which is tested before each step: the operand first, then what the step gave.
 *   Counters, and sequences indexed by them, are states and captures like others; the loop records
 *   which they are: `counter` is the state that is the number of the step, 0 to rows-1 or `down`
 *   again, whose test is `go` or a part of it, and `walked` are the captures of which each step
 *   reads the row of that number (another start of a sequence is a slice outside). Traces are
 *   buffers that are written once: step i writes row i or, with `down`, row rows-1-i. A loop that
 *   grows takes at most `rows` steps and its traces have as many rows as steps ran; any other takes
 *   exactly `rows` steps. More or fewer are a run-time error, and so is rows < 0. Where a counter
 *   alone decides how many steps there are, an array too short for it may be reported before the
 *   first step.
 * ifelse{then, else, then_args, else_args}(condition, operands...)
 *   runs one graph; then_args[i] says which operand (0: the first after the condition) is its
 * parameter i. results: the outputs of the graph that ran. call{body, name}(arguments...) results:
 * the outputs of the body. */
#include "graph/control.h"
#include "ops/family.h"

static Type *scan_error(Store *st, const char *what, Type *want, Type *got)
{
    Text a = {0}, b = {0};
    type_print(&a, want);
    type_print(&b, got);
    store_error(st, "type-mismatch", NULL, "%s: %s and %s", what, text_str(&a), text_str(&b));
    text_free(&a);
    text_free(&b);
    return NULL;
}

/* Types and known values of the body's arguments; states and elements change from step to step. */
static bool scan_arguments(Store *st, const ScanShape *s, Type **types, Node **args)
{
    for (int i = 0; i < s->nstates; i++)
        types[i] = s->inits[i]->type, args[i] = NULL;
    for (int i = 0; i < s->nseqs; i++) {
        Type *t = s->seqs[i]->type;
        if (t->kind != TYPE_TENSOR || t->rank < 1)
            return store_error(st, "rank", NULL, "a sequence needs at least one axis"), false;
        types[s->nstates + i] = type_tensor(st, t->dtype, t->rank - 1, t->dims + 1);
        args[s->nstates + i] = NULL;
    }
    for (int i = 0; i < s->ncaptures; i++) {
        types[s->nstates + s->nseqs + i] = s->captures[i]->type;
        args[s->nstates + s->nseqs + i] = s->captures[i];
    }
    return true;
}

static Type *trace_type(Store *st, Size *rows, Type *core)
{
    Size *dims[MAX_RANK + 1] = {rows};
    for (int a = 0; a < core->rank; a++)
        dims[a + 1] = core->dims[a];
    return type_tensor(st, core->dtype, core->rank + 1, dims);
}

static Type *scan_type(Store *st, const ScanShape *s, Type **outs)
{
    Type **items = xmalloc((size_t)s->nresults * sizeof *items), *result = NULL;
    for (int i = 0; i < s->nstates; i++) {
        if (!type_compatible(st, s->inits[i]->type, outs[i])) {
            scan_error(st, "a state's type changes from its initial value to the next step",
                       s->inits[i]->type, outs[i]);
            goto done;
        }
        items[i] = s->inits[i]->type;
    }
    Size *rows = s->stop ? size_result(st, s->steps) : size_of_node(st, s->n);
    for (int i = 0; i < s->nouts; i++)
        if (!(items[s->nstates + i] = trace_type(st, rows, outs[s->nstates + i])))
            goto done;
    items[s->steps] = type_scalar(st, DT_I64);
    items[s->steps + 1] = type_scalar(st, DT_BOOL);
    result = type_tuple(st, s->nresults, items);
done:
    free(items);
    return result;
}

Type *infer_scan(Store *st, Node *n)
{
    ScanShape s = scan_shape(n);
    if (s.ncaptures < 0 || s.nouts < 0 || s.body->nparams != (int)n->nops - 1)
        return store_error(st, "arity", NULL, "scan: the body has %d parameters for %u values",
                           s.body->nparams, n->nops - 1);
    if (s.checkpoint < CHECKPOINT_AUTO)
        return store_error(st, "scan", NULL, "checkpoint keeps every k-th state, k >= 1");
    if (n->ops[0]->type != type_scalar(st, DT_I64))
        return scan_error(st, "the number of steps is a whole number", type_scalar(st, DT_I64),
                          n->ops[0]->type);
    if (s.stop && s.body->outs[s.body->nouts - 1]->type != type_scalar(st, DT_BOOL))
        return scan_error(st, "`until` takes one bool", type_scalar(st, DT_BOOL),
                          s.body->outs[s.body->nouts - 1]->type);
    if (s.stop && s.reverse)
        return store_error(st, "until", NULL, "`until` is not possible when running backwards");
    size_t count = (size_t)s.body->nparams + 1;
    Type **types = xmalloc(count * sizeof *types),
         **outs = xmalloc((size_t)(s.body->nouts + 1) * sizeof *outs);
    Node **args = xmalloc(count * sizeof *args);
    Type *result = NULL;
    if (scan_arguments(st, &s, types, args) && graph_types_from(st, s.body, types, args, outs))
        result = scan_type(st, &s, outs);
    free(types);
    free(outs);
    free(args);
    return result;
}

/* ---- loop ---- */

static bool loop_operands_ok(Store *st, const Node *n, const LoopShape *s)
{
    if (s->nstates < 0 || s->ncaptures < 0 || s->ntraces < 0 ||
        s->body->nparams != (int)n->nops - 2)
        return store_error(st, "arity", NULL, "loop: the body has %d parameters for %u values",
                           s->body->nparams, n->nops - 2),
               false;
    Type *whole = type_scalar(st, DT_I64), *flag = type_scalar(st, DT_BOOL);
    Type *next = s->body->outs[s->body->nouts - 1]->type;
    if (s->rows->type != whole)
        return scan_error(st, "the number of rows is a whole number", whole, s->rows->type);
    if (s->go->type != flag || next != flag)
        return scan_error(st, "`go` is one bool", flag, s->go->type != flag ? s->go->type : next);
    if (s->down && s->grows)
        return store_error(st, "until", NULL,
                           "a loop whose number of steps is open cannot fill its traces backwards");
    return true;
}

static Type *loop_type(Store *st, const LoopShape *s, Type *const *outs)
{
    Type **items = xmalloc(((size_t)s->steps + 1) * sizeof *items), *result = NULL;
    for (int i = 0; i < s->nstates; i++) {
        items[i] = s->inits[i]->type;
        if (!type_compatible(st, items[i], outs[i])) {
            scan_error(st, "a state's type changes from its initial value to the next step",
                       items[i], outs[i]);
            goto done;
        }
    }
    Size *rows = s->grows ? size_result(st, s->steps) : size_of_node(st, s->rows);
    for (int i = s->nstates; i < s->steps; i++)
        if (!(items[i] = trace_type(st, rows, outs[i])))
            goto done;
    items[s->steps] = type_scalar(st, DT_I64);
    result = type_tuple(st, s->steps + 1, items);
done:
    free(items);
    return result;
}

Type *infer_loop(Store *st, Node *n)
{
    LoopShape s = loop_shape(n);
    if (!loop_operands_ok(st, n, &s))
        return NULL;
    size_t count = (size_t)s.body->nparams + 1;
    Type **types = xmalloc(count * sizeof *types),
         **outs = xmalloc((size_t)(s.body->nouts + 1) * sizeof *outs);
    Node **args = xmalloc(count * sizeof *args);
    Type *result = NULL;
    for (int i = 0; i < s.body->nparams; i++) {
        types[i] = n->ops[2 + i]->type;
        args[i] = i < s.nstates ? NULL : n->ops[2 + i];
    }
    if (graph_types_from(st, s.body, types, args, outs))
        result = loop_type(st, &s, outs);
    free(types);
    free(outs);
    free(args);
    return result;
}

/* Derivatives are taken before loops are lowered. */
bool vjp_loop(Vjp *v, Node *n, Node *dy)
{
    (void)dy;
    return derivative_missing(
        v->st, n, "it is what a scan becomes in the end; take the derivative of the scan");
}

/* ---- ifelse ---- */

static bool branch_types(Store *st, const IfShape *s, Graph *g, const IntList *map, Type **outs)
{
    Node **args = xmalloc((map->n + 1) * sizeof *args);
    for (u32 i = 0; i < map->n; i++)
        args[i] = s->operands[map->at[i]];
    bool ok = graph_result_types(st, g, (int)map->n, args, outs);
    free(args);
    return ok;
}

static Type *branches_join(Store *st, Node *n, Type *a, Type *b, int index)
{
    if (!type_compatible(st, a, b))
        return scan_error(st, "the branches of `if` have different types", a, b);
    if (a->kind == TYPE_TUPLE)
        return a;
    Size *dims[MAX_RANK];
    for (int i = 0; i < a->rank; i++) {
        if (a->dims[i] == b->dims[i]) {
            dims[i] = a->dims[i];
            continue;
        }
        char name[48]; /* depends on which branch runs: an opaque symbol */
        u64 h = hash_mix(n->ops[0]->shash, hash_mix(a->hash, b->hash));
        snprintf(name, sizeof name, ".%016llx",
                 (unsigned long long)(h + (u64)(index * MAX_RANK + i)));
        dims[i] = size_name(st, symbol(st, name));
    }
    return type_tensor(st, a->dtype, a->rank, dims);
}

Type *infer_ifelse(Store *st, Node *n)
{
    IfShape s = if_shape(n);
    if (s.condition->type != type_scalar(st, DT_BOOL))
        return scan_error(st, "the condition of `if` is one bool", type_scalar(st, DT_BOOL),
                          s.condition->type);
    int nouts = s.then_graph->nouts;
    if (nouts != s.else_graph->nouts)
        return store_error(st, "type-mismatch", NULL, "the branches of `if` give %d and %d values",
                           nouts, s.else_graph->nouts);
    Type **a = xmalloc(2 * (size_t)(nouts + 1) * sizeof *a), **b = a + nouts + 1, *result = NULL;
    bool ok = branch_types(st, &s, s.then_graph, s.then_args, a) &&
              branch_types(st, &s, s.else_graph, s.else_args, b);
    for (int i = 0; i < nouts && ok; i++)
        ok = (a[i] = branches_join(st, n, a[i], b[i], i)) != NULL;
    if (ok)
        result = type_tuple(st, nouts, a);
    free(a);
    return result;
}

/* ---- call ---- */

Type *infer_call(Store *st, Node *n)
{
    Graph *g = n->attrs[0].graph;
    Type **outs = xmalloc((size_t)(g->nouts + 1) * sizeof *outs), *result = NULL;
    if (graph_result_types(st, g, (int)n->nops, n->ops, outs))
        result = type_tuple(st, g->nouts, outs);
    free(outs);
    return result;
}
