/* The one form in which loops are planned: so many steps, sequences whose rows come one a step, and
 * perhaps a test that stops. A scan has that form. A loop has it as soon as the state that counts
 * is the number of steps, and what it says that it walks are sequences; where nothing counts, it is
 * planned as it stands, with its `go` as the test.
 *
 * Invariant: the form does what the loop does, bit for bit. */
#include "exec/plan_work.h"
#include "graph/provenance.h"
#include "graph/names.h"

typedef struct {
    Store *st;
    LoopShape s;
    NodeVec inner, args; /* by parameter of the new body: what it is in the old one, and outside */
} Form;

static void push(Form *f, Node *inner, Node *arg)
{
    vec_push(&f->inner, inner);
    vec_push(&f->args, arg);
}

/* Parameters: states, rows of sequences, captures (of which unused ones are not planned). */
static void find_params(Form *f)
{
    const LoopShape *s = &f->s;
    for (int i = 0; i < s->nstates; i++)
        push(f, s->body->param_nodes[i], s->inits[i]);
    for (u32 i = 0; i < s->walked->n && s->counter >= 0; i++)
        push(f, loop_walked_row(f->st, s, (int)s->walked->at[i]), s->captures[s->walked->at[i]]);
    for (int i = 0; i < s->ncaptures; i++)
        push(f, s->body->param_nodes[s->nstates + i], s->captures[i]);
}

/* What stops it besides the counter; *failed after a diagnostic. */
static Node *find_stop(const Form *f, bool *failed)
{
    const LoopShape *s = &f->s;
    Node *go = s->body->outs[s->steps], *test = NULL;
    if (s->counter >= 0 && (test = loop_counter_test(f->st, s)) == go)
        return NULL;
    Node *rest = !test ? go : go->ops[go->ops[0] == test];
    Node *stop =
        rest->op == OP_LOGICAL_NOT ? rest->ops[0] : node1(f->st, OP_LOGICAL_NOT, NULL, rest);
    *failed = !stop;
    return stop;
}

/* For profiles, which tell of the body. */
static void name_params(const Form *f, Graph *body)
{
    const LoopShape *s = &f->s;
    const Symbol *old = graph_names(f->st, s->body);
    if (!old)
        return;
    Symbol *names = arena_alloc(&f->st->scratch, ((size_t)body->nparams + 1) * sizeof *names);
    for (int i = 0; i < body->nparams; i++) {
        const Node *n = f->inner.at[i];
        names[i] = n->op == OP_PARAM
                       ? old[n->attrs[0].i]
                       : name_of_row(f->st, old[n->ops[0]->attrs[0].i], old, s->nstates);
    }
    graph_set_names(f->st, body, names);
}

static Graph *form_body(const Form *f, Node *stop)
{
    const LoopShape *s = &f->s;
    Store *st = f->st;
    int nouts = s->steps + (stop != NULL);
    Type **types = arena_alloc(&st->scratch, (f->inner.len + 1) * sizeof *types);
    Node **outs = arena_alloc(&st->scratch, ((size_t)nouts + 1) * sizeof *outs);
    NodeMap memo = {0};
    for (size_t i = 0; i < f->inner.len; i++) {
        types[i] = f->inner.at[i]->type;
        map_put(&memo, f->inner.at[i], node_param(st, (i64)i, types[i]));
    }
    bool ok = true;
    for (int i = 0; i < nouts && ok; i++)
        ok = (outs[i] = node_substitute(st, i < s->steps ? s->body->outs[i] : stop, &memo)) != NULL;
    map_free(&memo);
    Graph *body = ok ? graph_make(st, (int)f->inner.len, types, nouts, outs) : NULL;
    if (body)
        name_params(f, body);
    return body;
}

static bool form_loop(Form *f, LoopForm *out)
{
    const LoopShape *s = &f->s;
    bool failed = false;
    find_params(f);
    Node *stop = find_stop(f, &failed);
    Graph *body = failed ? NULL : form_body(f, stop);
    if (!body)
        return false;
    out->s = (ScanShape){.body = body,
                         .nstates = s->nstates,
                         .nseqs = (int)f->inner.len - s->nstates - s->ncaptures,
                         .ncaptures = s->ncaptures,
                         .nouts = s->ntraces,
                         .reverse = s->down,
                         .stop = stop != NULL,
                         .n = s->rows,
                         .steps = s->steps,
                         .nresults = s->steps + 1};
    out->args = arena_alloc(&f->st->scratch, (f->args.len + 1) * sizeof *out->args);
    memcpy(out->args, f->args.at, f->args.len * sizeof *out->args);
    out->go = s->counter < 0 ? s->go : NULL;
    out->exact = !s->grows;
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
    Form form = {.st = pl->st, .s = loop_shape(n)};
    if (pl->flags & PLAN_UNCOUNTED)
        form.s.counter = -1;
    bool ok = form_loop(&form, f);
    vec_free(&form.inner);
    vec_free(&form.args);
    return ok;
}
