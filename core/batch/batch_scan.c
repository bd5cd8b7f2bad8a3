/* Batching of loops: time stays first, the lanes are axis 0 of what the body sees.
 *
 * Which states have lanes is found by a fixpoint. If lanes stop at different steps, or have
 * numbers of steps of their own, the loop goes on until the last is done, and a lane that is
 * done is frozen (see batch_control.c):
 *
 *   active  = not stopped and t < n                    for each lane
 *   s'      = if active then next s else s,  y' = if active then y else 0
 *   stopped' = if active then stop else stopped,       steps' = steps + active
 *   until not any(not stopped' and t + 1 < n) */
#include "graph/names.h"
#include "graph/temps.h"
#include "batch/batch.h"
#include "ops/scan_edit.h"

typedef struct {
    Batch *b;
    ScanShape s;
    Node *const *operands; /* of the body's parameters */
    int nparams, nbody;    /* nbody: states and traces */
    Node **lane, **hole;   /* per parameter: in one lane, in the new body */
    bool *batched;
    Node **outs, **values; /* of the body, then what freezing adds */
    bool *out_batched;
    bool per_lane, own_n;
    Node *n;                       /* steps of the new loop */
    Node *stopped, *steps, *clock; /* further states of the new body; NULL: not needed */
    Node *stop;                    /* of the new body */
    const Symbol *names;           /* of the parameters */
} Lanes;

/* ---- the body in one lane ---- */

static void open_params(Lanes *l, Batch *in)
{
    Store *st = l->b->st;
    int seq_end = l->s.nstates + l->s.nseqs;
    const Symbol *names = l->names;
    for (int i = 0; i < l->nparams; i++) {
        const Node *o = l->operands[i];
        Node *v = batch_value(l->b, o);
        bool seq = i >= l->s.nstates && i < seq_end, has = l->batched[i];
        if (i >= seq_end) {
            l->hole[i] = v;
            l->lane[i] =
                has ? node_temp(st, type_without_axis(st, v->type, 0, v->type->dtype), names[i])
                    : v;
        } else {
            Node *whole = has ? batch_full(l->b, o) : v;
            Type *t = seq ? type_without_axis(st, whole->type, has ? 1 : 0, whole->type->dtype)
                          : whole->type;
            l->hole[i] = node_temp(st, t, names[i] ? names[i] : node_name(st, o));
            l->lane[i] =
                has ? node_temp(st, type_without_axis(st, t, 0, t->dtype), names[i]) : l->hole[i];
        }
        batch_seed(in, l->lane[i], l->hole[i], has);
    }
}

/* One more round is needed if a state turns out to have lanes, or the stop. */
static bool widen(Lanes *l)
{
    bool again = false;
    if (l->s.stop && !l->per_lane && l->out_batched[l->nbody])
        l->per_lane = again = true;
    for (int i = 0; i < l->s.nstates; i++)
        if (!l->batched[i] && (l->out_batched[i] || l->per_lane))
            l->batched[i] = again = true;
    return again;
}

/* ---- freezing ---- */

static Node *seed_scalar(Lanes *l, Batch *in, DType d, const char *name, Node **hole)
{
    Store *st = l->b->st;
    Size *dims[] = {size_of_node(st, l->b->lanes)};
    *hole = node_temp(st, type_tensor(st, d, 1, dims), symbol(st, name));
    Node *lane = node_temp(st, type_scalar(st, d), symbol(st, name));
    batch_seed(in, lane, *hole, true);
    return lane;
}

static Node *both(Store *st, Node *a, Node *z)
{
    Node *pair[] = {a, z};
    return a && z ? build_elementwise(st, OP_LOGICAL_AND, 2, pair) : a ? a : z;
}

static Node *below(Store *st, Node *t, Node *n)
{
    Node *pair[] = {t, n};
    return build_elementwise(st, OP_LT, 2, pair);
}

static Node *nothing_like(Store *st, Node *y)
{
    Node *dims[MAX_RANK];
    if (node_dtype(y) != DT_RNG)
        return build_zeros_like(st, y);
    for (int i = 0; i < node_rank(y); i++)
        dims[i] = node_dim(st, y, i);
    return build_full(st, node1(st, OP_RNG, NULL, node_i64(st, 0)), node_rank(y), dims);
}

/* Selecting is enough if computing too much does no harm, and values are numbers. */
static bool can_select(Lanes *l, Batch *in)
{
    for (int i = 0; i < l->nbody; i++)
        if (node_dtype(l->outs[i]) == DT_RNG)
            return false;
    return !batch_may_fail(in, l->nbody + l->s.stop, l->outs);
}

/* In one lane and in all. */
static void rename_step(Batch *in, Node *step, Symbol name)
{
    Node *both[] = {step, batch_value(in, step)};
    for (int i = 0; i < 2; i++)
        if (both[i] && node_over_temps(in->st, both[i]) && both[i]->op != OP_HOLE)
            node_rename(in->st, both[i], name);
}

/* What goes on is called as the state or trace was; what the step gives if the lane is not done,
 * "next h[t]"; and a row of a trace of a state, which is not what the state is, "row h[t]". */
static void name_frozen(Lanes *l, Batch *in, Node *const *chosen, int count)
{
    Store *st = l->b->st;
    for (int i = 0; i < count; i++) {
        Node *step = l->outs[i];
        Symbol name = node_name(st, step);
        bool again = false;
        for (int k = 0; k < i && !again; k++)
            if ((again = l->outs[k] == step))
                name = node_name(st, chosen[k]);
        node_set_name(st, chosen[i], again ? name_derived(st, NAME_ROW, name) : name);
        if (name && !again)
            rename_step(in, step, name_derived(st, NAME_NEXT, name));
    }
}

static bool pick(Lanes *l, Batch *in, Node *active, Node **idle)
{
    Store *st = l->b->st;
    int count = l->nbody + l->s.stop;
    if (can_select(l, in)) {
        Node **chosen = arena_alloc(&st->scratch, ((size_t)count + 1) * sizeof *chosen);
        for (int i = 0; i < count; i++) {
            Node *choice[] = {active, l->outs[i], idle[i]};
            if (!(chosen[i] = build_elementwise(st, OP_WHERE, 3, choice)))
                return false;
        }
        name_frozen(l, in, chosen, count);
        memcpy(l->outs, chosen, (size_t)count * sizeof *chosen);
        return true;
    }
    Node *branch = batch_if(in, active, count, l->outs, idle);
    for (int i = 0; i < count; i++)
        if (!branch || !(l->outs[i] = node_proj(st, branch, i)))
            return false;
    return true;
}

/* The body's outputs as they are if the lane may be done already. */
static bool freeze(Lanes *l, Batch *in)
{
    Store *st = l->b->st;
    Node *n = NULL, *active = NULL, *stopped = NULL, *steps = NULL;
    if (l->own_n) {
        Node *v = batch_value(l->b, l->s.n);
        l->clock = node_temp(st, type_scalar(st, DT_I64), symbol(st, "step"));
        n = node_temp(st, type_scalar(st, DT_I64), symbol(st, "n"));
        batch_seed(in, n, v, true);
        batch_seed(in, l->clock, l->clock, false);
        active = below(st, l->clock, n);
    }
    if (l->s.stop) {
        stopped = seed_scalar(l, in, DT_BOOL, "stopped", &l->stopped);
        steps = seed_scalar(l, in, DT_I64, "steps", &l->steps);
        active = both(st, build_elementwise(st, OP_LOGICAL_NOT, 1, &stopped), active);
    }
    Node **idle = xcalloc((size_t)l->nbody + 2, sizeof *idle);
    bool ok = active != NULL;
    for (int i = 0; i < l->nbody && ok; i++)
        ok = (idle[i] = i < l->s.nstates ? l->lane[i] : nothing_like(st, l->outs[i])) != NULL;
    idle[l->nbody] = stopped;
    ok = ok && pick(l, in, active, idle);
    free(idle);
    if (!ok || !l->s.stop)
        return ok;
    Node *stop = l->outs[l->nbody], *going = build_elementwise(st, OP_LOGICAL_NOT, 1, &stop);
    if (l->own_n)
        going = both(st, going, below(st, build_add(st, l->clock, node_i64(st, 1)), n));
    l->outs[l->nbody + 1] = build_add(st, steps, node_cast(st, active, DT_I64));
    l->outs[l->nbody + 2] = going;
    if (!going || !l->outs[l->nbody + 1])
        return false;
    node_set_name(st, stop, symbol(st, "stopped"));
    node_set_name(st, l->outs[l->nbody + 1], symbol(st, "steps"));
    return true;
}

/* ---- the new body ---- */

static bool batch_body(Lanes *l, Batch *in)
{
    open_params(l, in);
    int count = l->nbody + l->s.stop;
    return graph_instantiate(l->b->st, l->s.body, l->lane, l->outs) &&
           batch_outputs(in, count, l->outs, l->values, l->out_batched);
}

static bool frozen_body(Lanes *l, Batch *in)
{
    Store *st = l->b->st;
    Attr all = {.ints = all_axes(st, 1)};
    if (!l->per_lane) {
        l->stop = l->s.stop ? l->values[l->nbody] : NULL;
        return true;
    }
    int count = l->nbody + (l->s.stop ? 3 : 0);
    if (!freeze(l, in) || !batch_outputs(in, count, l->outs, l->values, l->out_batched))
        return false;
    if (!l->s.stop)
        return true;
    Node *any = node1(st, OP_ANY, &all, l->values[l->nbody + 2]);
    return any && (l->stop = build_elementwise(st, OP_LOGICAL_NOT, 1, &any)) != NULL;
}

static void add_state(NewScan *p, Node *hole, Node *init, Node *next)
{
    if (!hole)
        return;
    vec_push(&p->states, hole);
    vec_push(&p->inits, init);
    vec_push(&p->outs, next);
}

/* States, then what freezing adds, then traces, then the stop. */
static void collect(Lanes *l, NewScan *p)
{
    Batch *b = l->b;
    Store *st = b->st;
    set_add(&p->mentioned, b->lanes);
    for (int i = 0; i < l->nbody; i++)
        if ((i < l->s.nstates ? l->batched[i] : l->per_lane) && !l->out_batched[i]) {
            l->values[i] = batch_repeat(b, l->values[i]);
            l->out_batched[i] = true;
        }
    for (int i = 0; i < l->s.nstates; i++)
        add_state(p, l->hole[i],
                  l->batched[i] ? batch_full(b, l->operands[i]) : batch_value(b, l->operands[i]),
                  l->values[i]);
    add_state(p, l->stopped, batch_repeat(b, node_bool(st, false)), l->values[l->nbody]);
    add_state(p, l->steps, batch_repeat(b, node_i64(st, 0)), l->values[l->nbody + 1]);
    if (l->clock) {
        Node *one = node_i64(st, 1);
        add_state(p, l->clock, l->s.reverse ? build_sub(st, l->n, one) : node_i64(st, 0),
                  l->s.reverse ? build_sub(st, l->clock, one) : build_add(st, l->clock, one));
        Node *v = batch_value(b, l->s.n);
        set_add(&p->mentioned, v);
    }
    for (int i = l->s.nstates; i < l->nbody; i++)
        vec_push(&p->outs, l->values[i]);
    if (l->stop)
        vec_push(&p->outs, l->stop);
    for (int i = l->s.nstates; i < l->nparams; i++) {
        Node *v = batch_value(b, l->operands[i]);
        if (i >= l->s.nstates + l->s.nseqs) {
            set_add(&p->mentioned, v);
            continue;
        }
        vec_push(&p->rows, l->hole[i]);
        vec_push(&p->seqs, l->batched[i] ? move_axis(st, v, 1, 0) : v);
    }
}

static Node *new_scan(Lanes *l, NewScan *p)
{
    ScanShape flags = {
        .n = l->n, .reverse = l->s.reverse, .stop = l->stop != NULL, .checkpoint = l->s.checkpoint};
    return scan_make(l->b->st, p, &flags);
}

/* ---- results ---- */

static bool deliver(Lanes *l, Node *n, Node *scan)
{
    Batch *b = l->b;
    Store *st = b->st;
    ScanShape now = scan_shape(scan);
    bool ok = true, frozen = l->stopped != NULL;
    for (int i = 0; i < l->s.nstates && ok; i++)
        ok = batch_set(b, node_proj(st, n, i), node_proj(st, scan, i), l->batched[i]);
    Node *stopped = node_proj(st, scan, frozen ? l->s.nstates : now.steps + 1);
    Node *steps = frozen     ? node_proj(st, scan, l->s.nstates + 1)
                  : l->own_n ? batch_value(b, l->s.n)
                             : node_proj(st, scan, now.steps);
    ok = ok && batch_set(b, node_proj(st, n, l->s.steps), steps, frozen || l->own_n) &&
         batch_set(b, node_proj(st, n, l->s.steps + 1), stopped, frozen);
    for (int i = l->s.nstates; i < l->nbody && ok; i++) {
        Node *trace = node_proj(st, scan, now.nstates + i - l->s.nstates);
        if (l->out_batched[i])
            trace = move_axis(st, trace, 1, 0);
        ok = batch_set(b, node_proj(st, n, i), trace, l->out_batched[i]);
    }
    return ok;
}

/* The most steps that a lane takes. */
static Node *most_steps(Batch *b, Node *n)
{
    Store *st = b->st;
    Node *none = node_i64(st, 0), *pair[] = {n, none}, *parts[] = {n, build_expand(st, none, 0)};
    Attr axis = {.i = 0}, all = {.ints = all_axes(st, 1)};
    Symbol message = symbol(st, "the number of steps is negative for a batch element");
    Node *fine = build_elementwise(st, OP_GE, 2, pair);
    Node *longer = node_make(st, OP_CONCAT, &axis, 2, parts);
    Node *most = longer ? node1(st, OP_MAX, &all, longer) : NULL;
    fine = fine ? node1(st, OP_ALL, &all, fine) : NULL;
    return most && fine ? node_check(st, message, fine, most) : NULL;
}

static bool run(Lanes *l, Node *n)
{
    Batch in;
    NewScan p = {0};
    u32 temps = l->b->st->temp_count;
    bool ok;
    for (;;) {
        in = (Batch){.st = l->b->st, .lanes = l->b->lanes};
        ok = batch_body(l, &in);
        if (!ok || !widen(l))
            break;
        batch_free(&in);
        l->b->st->temp_count = temps;
    }
    ok = ok && frozen_body(l, &in);
    if (ok)
        collect(l, &p);
    Node *scan = ok ? new_scan(l, &p) : NULL;
    ok = scan && deliver(l, n, scan);
    batch_free(&in);
    new_scan_free(&p);
    l->b->st->temp_count = temps;
    return ok;
}

bool batch_scan(Batch *b, Node *n)
{
    Lanes l = {
        .b = b, .s = scan_shape(n), .operands = n->ops + 1, .names = scan_roles(b->st, n).names};
    l.nparams = l.s.body->nparams;
    l.nbody = l.s.nstates + l.s.nouts;
    size_t params = (size_t)l.nparams + 1, outs = (size_t)l.nbody + 4;
    l.lane = xcalloc(2 * params + 2 * outs, sizeof *l.lane);
    l.hole = l.lane + params;
    l.outs = l.hole + params;
    l.values = l.outs + outs;
    l.batched = xcalloc(params + outs, sizeof *l.batched);
    l.out_batched = l.batched + params;
    l.own_n = l.per_lane = batch_has(b, l.s.n);
    for (int i = 0; i < l.nparams; i++)
        l.batched[i] = batch_has(b, l.operands[i]) || (i < l.s.nstates && l.per_lane);
    l.n = l.own_n ? most_steps(b, batch_value(b, l.s.n)) : batch_value(b, l.s.n);
    bool ok = l.n && run(&l, n);
    free(l.lane);
    free(l.batched);
    return ok;
}
