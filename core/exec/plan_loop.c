/* Code for operators that own graphs, and the code around the body of a loop:
 * elements of sequences before it; rows of traces, next states and the test after it.
 *
 * Invariant: states change only after everything of the step has been computed and
 * stored, all at once. */
#include "exec/plan_work.h"

/* ---- results ---- */

/* Result k of n goes to a fresh value if somebody uses it. */
static void control_results(Emit *e, const Node *n)
{
    e->value[need_place(&e->need, n)] = (u32)e->values.len;
    for (int k = 0; k < n->type->nitems; k++)
        value_new(e, kind_of(n->type->items[k]));
}

static Arg control_out(Emit *e, const Node *n, int k)
{
    u32 place = need_place(&e->need, n), v = e->value[place] + (u32)k;
    bool wanted = e->need.used[place] && e->need.used[place][k];
    e->values.at[v].written = wanted;
    return (Arg){.reg = wanted ? v : NO_REG, .kind = e->values.at[v].kind};
}

/* ---- call and if ---- */

static u32 wanted_count(Emit *e, const Node *n)
{
    u32 place = need_place(&e->need, n), count = 0;
    for (int k = 0; k < n->type->nitems; k++)
        count += e->need.used[place] && e->need.used[place][k];
    return count;
}

static void wanted_outs(Emit *e, Wide *w, const Node *n)
{
    u32 next = 0, place = need_place(&e->need, n);
    control_results(e, n);
    for (int k = 0; k < n->type->nitems; k++)
        if (e->need.used[place] && e->need.used[place][k])
            w->out[next++] = control_out(e, n, k);
}

static void emit_call(Emit *e, Node *n)
{
    Block *b = e->need.child[2 * need_place(&e->need, n)];
    Arg *in = xcalloc((size_t)b->nparams + 1, sizeof *in);
    for (u32 i = 0; i < b->nparams; i++)
        in[i] = arg_or_lazy(e, n->ops[b->params[i].index], b->params[i].kind == KIND_LAZY);
    Wide *w = emit_wide(e, I_CALL, n, b->nparams, wanted_count(e, n));
    w->body[0] = b;
    memcpy(w->in, in, w->nin * sizeof *in);
    free(in);
    wanted_outs(e, w, n);
    emit_kept(e, w->in, w->nin);
}

static void emit_if(Emit *e, Node *n)
{
    IfShape s = if_shape(n);
    Block **body = &e->need.child[2 * need_place(&e->need, n)];
    const IntList *args[2] = {s.then_args, s.else_args};
    u32 *slot = xmalloc(((size_t)s.noperands + 1) * sizeof *slot), nin = 1;
    bool *lazily = xcalloc((size_t)s.noperands + 1, sizeof *lazily);
    Arg *in = xcalloc((size_t)s.noperands + 1, sizeof *in);
    for (int i = 0; i < s.noperands; i++)
        slot[i] = NO_REG;
    for (int k = 0; k < 2; k++)
        for (u32 i = 0; i < body[k]->nparams; i++) {
            i64 operand = args[k]->at[body[k]->params[i].index];
            lazily[operand] = lazily[operand] || body[k]->params[i].kind == KIND_LAZY;
            if (slot[operand] == NO_REG)
                slot[operand] = nin++;
        }
    in[0] = arg_of(e, value_of(e, s.condition));
    for (int i = 0; i < s.noperands; i++)
        if (slot[i] != NO_REG)
            in[slot[i]] = arg_or_lazy(e, s.operands[i], lazily[i]);
    Wide *w = plan_wide(e, n, nin, wanted_count(e, n));
    memcpy(w->in, in, nin * sizeof *in);
    for (int k = 0; k < 2; k++) {
        w->body[k] = body[k];
        w->map[k] = plan_alloc(e->pl, body[k]->nparams, sizeof *w->map[k]);
        for (u32 i = 0; i < body[k]->nparams; i++)
            w->map[k][i] = slot[args[k]->at[body[k]->params[i].index]];
    }
    wanted_outs(e, w, n);
    if (args_are_scalars(in, nin) && branches_are_chosen(e, (const Block *const *)body)) {
        emit_choice(e, w);
    } else {
        emit(e, I_IF, NO_REG, NO_REG, NO_REG)->u.wide = w;
        emit_kept(e, w->in, w->nin);
    }
    free(slot);
    free(lazily);
    free(in);
}

/* ---- scan and loop ---- */

/* Operands: the count, then one for each needed parameter of the body, then `go` if there is one.
 * Results: final states of the needed states, the needed traces, steps, stopped. */
static void emit_loop(Emit *e, Node *n)
{
    LoopForm f;
    if (!plan_form(e->pl, n, &f)) {
        e->failed = true;
        return;
    }
    Block *b = e->need.child[2 * need_place(&e->need, n)];
    u32 nparams = b ? b->nparams : 0, nin = 1 + nparams + (f.go != NULL);
    Arg *in = xcalloc(nin, sizeof *in);
    in[0] = arg_of(e, value_of(e, f.s.n));
    for (u32 i = 0; i < nparams; i++)
        in[1 + i] = arg_or_lazy(e, f.args[b->params[i].index], b->params[i].kind == KIND_LAZY);
    if (f.go)
        in[1 + nparams] = arg_of(e, value_of(e, f.go));
    Wide *w = emit_wide(e, I_SCAN, n, nin, b ? b->nstates + b->ntraces + 2 : 2);
    w->body[0] = b;
    w->stop = f.s.stop;
    w->go = f.go != NULL;
    w->exact = f.exact;
    w->from = plan_alloc(e->pl, nin, sizeof *w->from);
    w->from[0] = f.s.n;
    for (u32 i = 0; i < nparams; i++)
        w->from[1 + i] = f.args[b->params[i].index];
    if (f.go)
        w->from[1 + nparams] = f.go;
    memcpy(w->in, in, nin * sizeof *in);
    free(in);
    control_results(e, n);
    u32 next = 0;
    for (u32 i = 0; b && i < b->nstates; i++)
        w->out[next++] = control_out(e, n, b->params[i].index);
    for (u32 i = 0; b && i < b->ntraces; i++)
        w->out[next++] = control_out(e, n, b->traces[i].index);
    w->out[next++] = control_out(e, n, f.s.steps);
    w->out[next] =
        n->op == OP_SCAN ? control_out(e, n, f.s.steps + 1) : (Arg){.reg = NO_REG, .kind = DT_BOOL};
    emit_kept(e, w->in, nin);
}

void emit_control(Emit *e, Node *n)
{
    if (n->op == OP_SCAN || n->op == OP_LOOP)
        emit_loop(e, n);
    else if (n->op == OP_IFELSE)
        emit_if(e, n);
    else
        emit_call(e, n);
}

/* ---- around a body ---- */

static u32 pinned_value(Emit *e, u8 kind)
{
    u32 v = value_new(e, kind);
    e->values.at[v].pinned = e->values.at[v].written = true;
    return v;
}

static void emit_sequence(Emit *e, Slot *p)
{
    p->source = pinned_value(e, KIND_TENSOR);
    if (p->kind == KIND_TENSOR) {
        e->values.at[p->reg].pinned = true; /* the view itself is reused */
        emit(e, I_SEQT, p->reg, p->source, NO_REG);
        return;
    }
    p->pointer = pinned_value(e, DT_I64);
    size_t size = dtype_size((DType)p->kind);
    emit(e, size == 8 ? I_SEQ8 : size == 4 ? I_SEQ4 : I_SEQ1, p->reg, p->pointer, NO_REG);
}

void emit_loop_top(Emit *e, const ScanShape *s)
{
    Block *b = e->b;
    for (u32 i = 0; i < b->nparams; i++) {
        Slot *p = &b->params[i];
        if (p->index < s->nstates) {
            b->nstates++;
            e->values.at[p->reg].loop_state = true;
        } else if (p->index < s->nstates + s->nseqs) {
            b->nseqs++;
            emit_sequence(e, p);
        } else {
            e->values.at[p->reg].pinned = true;
        }
    }
}

/* Rows are stored as soon as they are known, so that a row that is a view of a state is let
 * go before the state is updated. */
void emit_loop_traces(Emit *e, const ScanShape *s, const bool *wanted)
{
    Block *b = e->b;
    Graph *g = s->body;
    size_t n = e->need.order.len;
    b->traces = plan_alloc(e->pl, (size_t)s->nouts, sizeof *b->traces);
    e->trace = xmalloc((n + 1) * sizeof *e->trace);
    e->next_trace = xmalloc(((size_t)s->nouts + 1) * sizeof *e->next_trace);
    for (size_t i = 0; i < n; i++)
        e->trace[i] = NO_REG;
    for (int i = s->nstates; i < s->steps; i++) {
        if (!wanted[i])
            continue;
        u32 place = need_place(&e->need, g->outs[i]);
        e->next_trace[b->ntraces] = e->trace[place];
        e->trace[place] = b->ntraces;
        b->traces[b->ntraces++] = (Slot){.index = i,
                                         .kind = kind_of(g->outs[i]->type),
                                         .reg = NO_REG,
                                         .source = NO_REG,
                                         .pointer = NO_REG};
    }
}

void emit_traces_of(Emit *e, u32 place)
{
    for (u32 k = e->trace[place]; k != NO_REG; k = e->next_trace[k]) {
        Slot *t = &e->b->traces[k];
        u32 v = value_of(e, e->need.order.at[place]);
        if (t->kind == KIND_TENSOR) {
            emit(e, I_ROWT, NO_REG, v, NO_REG)->c = k;
            continue;
        }
        t->pointer = pinned_value(e, DT_I64);
        size_t size = dtype_size((DType)t->kind);
        emit(e, size == 8 ? I_ROW8 : size == 4 ? I_ROW4 : I_ROW1, NO_REG, t->pointer, v);
    }
}

/* A source that is itself a state is put aside before any state changes. */
static u32 put_aside(Emit *e, u32 source)
{
    if (!e->values.at[source].loop_state)
        return source;
    u8 kind = e->values.at[source].kind;
    u32 v = value_new(e, kind);
    emit(e, kind == KIND_TENSOR ? I_TAKE : I_MOVE, v, source, NO_REG);
    return v;
}

static void emit_states(Emit *e, const ScanShape *s)
{
    Block *b = e->b;
    u32 *next = xmalloc(((size_t)b->nstates + 1) * sizeof *next);
    for (u32 i = 0; i < b->nstates; i++) {
        u32 v = value_of(e, s->body->outs[b->params[i].index]);
        next[i] = v == b->params[i].reg ? NO_REG : v; /* unchanged */
        if (next[i] == NO_REG)
            e->values.at[v].pinned = true;
    }
    for (u32 i = 0; i < b->nstates; i++)
        if (next[i] != NO_REG)
            next[i] = put_aside(e, next[i]);
    for (u32 i = 0; i < b->nstates; i++) {
        Value *v = &e->values.at[b->params[i].reg];
        if (next[i] != NO_REG && v->kind == KIND_TENSOR)
            emit(e, I_DROP, NO_REG, b->params[i].reg, NO_REG); /* kept only if nothing used it */
    }
    for (u32 i = 0; i < b->nstates; i++)
        if (next[i] != NO_REG) {
            e->at = s->body->outs[b->params[i].index];
            emit(e, b->params[i].kind == KIND_TENSOR ? I_TAKE : I_MOVE, b->params[i].reg, next[i],
                 NO_REG)
                ->c = i;
        }
    free(next);
}

void emit_loop_end(Emit *e, const ScanShape *s)
{
    u32 stop = s->stop ? put_aside(e, value_of(e, s->body->outs[s->steps])) : NO_REG;
    emit_states(e, s);
    if (s->stop)
        emit(e, I_STOP, NO_REG, stop, NO_REG);
    emit(e, I_LOOP, NO_REG, NO_REG, NO_REG)->u.k = s->reverse ? -1 : 1;
    e->at = NULL;
}
