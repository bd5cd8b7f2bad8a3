/* Predictions; see cost.h.
 *
 * Blocks are gone through as they run: a loop's body as many times as the loop has steps, each side
 * of a branch half of the time. Sizes of a body are those of the operands that its parameters stand
 * for. */
#include "exec/cost.h"
#include "exec/plan_work.h"
#include "ops/deferred.h"
#include "ops/elem.h"

#include <math.h>

/* Where a block runs: its sizes are found by what is handed in. */
typedef struct Scene {
    const struct Scene *up;
    const Block *block;
    const Wide *wide;
    int side; /* of a branch */
} Scene;

typedef struct {
    const Program *p;
    ProgramCost *out;
    u32 *first;
    AtomNumber size;
    void *ctx;
    double peak; /* of the block gone through last */
    u32 work;    /* instructions so far: functions that call functions are many */
} Pricing;

enum {
    MOST_WORK = 1000000, /* instructions that are gone through: calls of calls multiply */
    PUT_INSTRUCTIONS = 4 /* what storing one element costs: it finds its place and looks at it */
};

typedef struct {
    Pricing *x;
    const Scene *scene;
} Where;

/* ---- rows ---- */

u32 *program_rows(const Program *p, u32 *n)
{
    u32 *first = xcalloc(p->blocks.len + 1, sizeof *first);
    *n = 0;
    for (size_t i = 0; i < p->blocks.len; i++) {
        first[p->blocks.at[i]->id] = *n;
        *n += p->blocks.at[i]->ncode;
    }
    return first;
}

InsOp ins_op(const Ins *ins) { return (InsOp)(ins->op == I_PROFILED ? ins->a : ins->op); }

/* ---- sizes ---- */

static double size_at(Pricing *x, const Scene *s, const Size *z);

/* The operand that is handed in for parameter i of the block; *rows: of which it is a row. */
static const Node *handed_in(const Scene *s, u32 i, bool *rows)
{
    const Block *b = s->block;
    const Wide *w = s->wide;
    *rows = b->loop && i >= b->nstates && i < b->nstates + b->nseqs;
    if (b->loop)
        return w->from[1 + i];
    if (w->node->op == OP_IFELSE) {
        IfShape f = if_shape(w->node);
        return f.operands[(s->side ? f.else_args : f.then_args)->at[b->params[i].index]];
    }
    u32 k = (u32)b->params[i].index;
    return k < w->node->nops ? w->node->ops[k] : NULL;
}

static bool find_param(Pricing *x, const Scene *s, const SizeAtom *a, double *out)
{
    const Block *b = s->block;
    for (u32 i = 0; b->graph && i < b->nparams; i++) {
        bool rows;
        const Node *from = handed_in(s, i, &rows);
        const Type *inside = b->graph->params[b->params[i].index];
        if (!from)
            continue;
        if (a->kind == ATOM_NODE && a->node->attrs[0].i == b->params[i].index && !rows) {
            Size *value = size_of_node(x->p->st, (Node *)(uintptr_t)from);
            *out = size_at(x, s->up, value);
            return true;
        }
        for (int k = 0; a->kind == ATOM_PARAM && k < inside->rank; k++)
            if (size_as_atom(inside->dims[k]) == a && k + rows < from->type->rank) {
                *out = size_at(x, s->up, from->type->dims[k + rows]);
                return true;
            }
    }
    return false;
}

static double atom_at(void *ctx, const SizeAtom *a)
{
    const Where *w = ctx;
    double found;
    bool inner = a->kind == ATOM_PARAM || (a->kind == ATOM_NODE && a->node->op == OP_PARAM);
    if (inner && w->scene->up && find_param(w->x, w->scene, a, &found))
        return found;
    return w->x->size(w->x->ctx, a);
}

static double size_at(Pricing *x, const Scene *s, const Size *z)
{
    double n = z ? size_estimate(z, atom_at, &(Where){x, s}) : 0;
    return n > 0 ? n : 0;
}

static double elements_of(Pricing *x, const Scene *s, const Type *t)
{
    return t->kind == TYPE_TENSOR ? size_at(x, s, size_product(x->p->st, t->rank, t->dims)) : 0;
}

static const Type *result_type(const Wide *w, u32 k)
{
    const Type *t = w->node->type;
    if (w->tiles && w->tiles->nsinks)
        return w->tiles->sinks[k].node->type;
    return t->kind != TYPE_TENSOR ? (int)k < t->nitems ? t->items[k] : NULL : k ? NULL : t;
}

static double bytes_at(Pricing *x, const Scene *s, const Type *t)
{
    return t && t->kind == TYPE_TENSOR ? elements_of(x, s, t) * (double)dtype_size(t->dtype) : 0;
}

/* ---- instructions ---- */

typedef struct {
    double flops, bytes, nanoseconds;
} Price;

/* The largest operand or result of a fused group: all its steps run on that many. */
static double group_elements(Pricing *x, const Scene *s, const Wide *w)
{
    double most = 1;
    for (u32 k = 0; k < w->node->nops; k++)
        most = fmax(most, elements_of(x, s, w->node->ops[k]->type));
    for (u32 k = 0; k < w->nout; k++)
        if (result_type(w, k))
            most = fmax(most, elements_of(x, s, result_type(w, k)));
    return most;
}

static Price price_of_group(Pricing *x, const Scene *s, const Wide *w)
{
    double n = group_elements(x, s, w), tiles = ceil(n / TILE);
    u32 steps = w->tiles->nsteps + w->tiles->nfolds;
    Price p = {.flops = n * steps};
    for (u32 k = 0; k < w->node->nops; k++)
        p.bytes += bytes_at(x, s, w->node->ops[k]->type);
    for (u32 k = 0; k < w->nout; k++)
        p.bytes += bytes_at(x, s, result_type(w, k));
    p.nanoseconds = machine.group + tiles * steps * machine.group_step +
                    fmax(n * w->tiles->nanoseconds, bytes_nanoseconds(p.bytes));
    return p;
}

static Price price_of_operator(Pricing *x, const Scene *s, const Wide *w)
{
    Node *n = (Node *)(uintptr_t)w->node;
    Size *flops = node_flops(x->p->st, n), *bytes = node_bytes(x->p->st, n);
    Price p = {.flops = size_at(x, s, flops), .bytes = size_at(x, s, bytes)};
    if (op_is_view(n))
        p.bytes = 0;
    if (w->updates && w->in[0].move) /* in place */
        p.bytes = 2 * bytes_at(x, s, n->ops[n->nops - 1]->type);
    p.nanoseconds = op_start_nanoseconds(n->op) + op_nanoseconds(n->op, p.flops, p.bytes);
    return p;
}

/* All steps on the elements, and each operator that takes what they give. */
static Price price_of_sinks(Pricing *x, const Scene *s, const Wide *w)
{
    const Tiles *t = w->tiles;
    Price p = {.nanoseconds = machine.group};
    double n = 0;
    for (u32 i = 0; i < t->nsinks; i++) {
        Node *of = (Node *)(uintptr_t)t->sinks[i].node;
        p.flops += size_at(x, s, node_flops(x->p->st, of));
        p.bytes += size_at(x, s, node_bytes(x->p->st, of));
        n = fmax(n, elements_of(x, s, of->ops[of->op == OP_SCATTER]->type));
    }
    p.flops += n * t->nsteps;
    p.nanoseconds += fmax(n * t->nanoseconds, bytes_nanoseconds(p.bytes));
    return p;
}

/* Is what it gives made tile by tile, by those that read it? */
static bool is_deferred(const Wide *w) { return w->eval && w->eval == deferred_eval(w->node); }

/* Of what is gathered the places are there. */
static double bytes_deferred(Pricing *x, const Scene *s, const Wide *w)
{
    return w->node->op == OP_GATHER ? sizeof(i64) * elements_of(x, s, w->node->ops[1]->type) : 0;
}

static bool is_free(InsOp op)
{
    return op == I_END || op == I_DROP || op == I_KEEP || op == I_TAKE || op == I_SHARE ||
           op == I_LEND || op == I_ROWS || op == I_LEAF || op == I_ROOM || op == I_SIZE ||
           op == I_DELAY;
}

/* A row of a trace is copied; an element of a sequence is a view. */
static Price price_of_row(Pricing *x, const Scene *s, const Ins *ins, const Node *row)
{
    Price p = {.nanoseconds = machine.row};
    if (ins->op == I_ROWT && row)
        p.bytes = 2 * bytes_at(x, s, row->type);
    p.nanoseconds += bytes_nanoseconds(p.bytes);
    return p;
}

static Price price_of_scalar(InsOp op)
{
    bool elem = op >= I_F64_NEG && op < I_COUNT, pair = op >= I_ADD_ADD && op <= I_MUL_MUL_R;
    double work = elem ? elem_info(ins_elem_id(op))->work : 1;
    bool counts = elem || pair || op == I_KERNEL1 || op == I_KERNEL2;
    return (Price){.flops = pair ? 2 : counts, .nanoseconds = scalar_nanoseconds(work)};
}

static double steps_of(Pricing *x, const Scene *s, const Wide *w)
{
    Size *n = size_of_node(x->p->st, (Node *)(uintptr_t)w->from[0]);
    if (!n || size_is(n, SCAN_UNBOUNDED))
        return x->size(x->ctx, NULL);
    return size_at(x, s, n);
}

static double group_work(const Tiles *t)
{
    double work = t->nfolds + t->nsinks + t->ndeferred;
    for (u32 k = 0; k < t->nsteps; k++)
        work += op_work(t->steps[k].node->op);
    return work;
}

/* Of the fused groups among n instructions, on an element. */
static double rows_work(const Ins *code, u32 n)
{
    double work = 0;
    for (u32 i = 0; i < n; i++)
        work += code[i].op == I_FUSED ? group_work(code[i].u.wide->tiles) : 0;
    return work;
}

void plan_prices(Block *b)
{
    b->nanoseconds = 0;
    for (u32 i = 0; i < b->ncode; i++) {
        InsOp op = (InsOp)b->code[i].op;
        if (op == I_FUSED || op == I_SINKS)
            b->code[i].u.wide->tiles->nanoseconds =
                machine.work * group_work(b->code[i].u.wide->tiles);
        else if (op == I_ROWS)
            b->code[i].u.sweep->tiles.nanoseconds =
                machine.work * rows_work(&b->code[i + 1], b->code[i].u.sweep->count);
        else if (!ins_is_wide(op) && !is_free(op))
            b->nanoseconds += price_of_scalar(op).nanoseconds;
    }
    if (b->lanes)
        b->lanes->tiles.nanoseconds = machine.work * group_work(&b->lanes->tiles);
    for (u32 i = 0; b->shifts && i < b->shifts->nparts; i++) {
        Tiles *t = &b->shifts->parts[i].tiles;
        t->nanoseconds = machine.work * group_work(t);
    }
}

/* ---- memory ---- */

/* Bytes of the tensors in the registers of a block as it runs. */
typedef struct {
    double *at, live, peak;
    bool *gone; /* it is never there as a whole: within a part by rows */
} Room;

/* Does the machine do the part in one loop, with nothing in between (vm_sweep.c)? */
static bool is_one_loop(Pricing *x, const Scene *s, const Ins *head)
{
    const Sweep *sweep = head->u.sweep;
    const Type *largest = NULL;
    double most = 1, rows = 1;
    for (u32 i = 1; i <= sweep->count; i++) {
        const Ins *ins = head + i;
        double n = ins_is_wide(ins_op(ins)) ? group_elements(x, s, ins->u.wide) : 0;
        if (n > most) {
            most = n;
            largest = result_type(ins->u.wide, 0);
        }
    }
    if (!largest || largest->rank < sweep->rank - sweep->axes)
        return false;
    for (int i = 0; i < sweep->rank - sweep->axes; i++)
        rows *= size_at(x, s, largest->dims[i]);
    return rows >= 1 && most / rows <= (rows > 1 ? SWEEP_ROW_LONG : SWEEP_ROW);
}

/* Then only what something reads after it is there as a whole. */
static void room_of_rows(Pricing *x, const Scene *s, Room *r, const Ins *head)
{
    const Sweep *w = head->u.sweep;
    bool one = is_one_loop(x, s, head);
    for (u32 i = 1; i <= w->count; i++)
        for (u32 k = 0; ins_is_wide(ins_op(head + i)) && k < head[i].u.wide->nout; k++)
            r->gone[head[i].u.wide->out[k].reg] = one;
    for (u32 k = 0; k < w->nout; k++)
        r->gone[w->out[k].reg] = false;
}

static void room_set(Room *r, u32 reg, double bytes)
{
    bytes = r->gone[reg] ? 0 : bytes;
    r->live += bytes - r->at[reg];
    r->at[reg] = bytes;
    r->peak = fmax(r->peak, r->live);
}

/* Of a loop: a state, or a trace of all steps. */
static double bytes_of_result(Pricing *x, const Scene *s, const Ins *ins, u32 k)
{
    const Wide *w = ins->u.wide;
    const Block *b = w->body[0];
    if (w->tiles && tile_tests(w->tiles, k))
        return 0;
    if (ins_op(ins) != I_SCAN || !b)
        return bytes_at(x, s, result_type(w, k));
    if (k < b->nstates)
        return bytes_at(x, s, w->from[1 + k]->type);
    if (k >= b->nstates + b->ntraces)
        return 0;
    const Type *row = b->graph->outs[b->traces[k - b->nstates].index]->type;
    return steps_of(x, s, w) * bytes_at(x, &(Scene){s, b, w, 0}, row);
}

/* Operand k lends its room to a result: a loop's to its states, an array to its update, one of a
 * group or of an elementwise operator to what comes of it. */
static bool gives_room(const Ins *ins, u32 k, bool view)
{
    const Wide *w = ins->u.wide;
    if (w->in[k].kind != KIND_TENSOR || !w->in[k].move)
        return false;
    if (w->tiles && k >= w->nin - w->tiles->nbases)
        return true;
    for (u32 i = 0; w->tiles && i < w->nout; i++)
        if (w->tiles->reuse[i] == k)
            return true;
    if (w->tiles)
        return false;
    OpId op = w->node->op;
    bool first = op_is_elementwise(op) && k < 2 && !(k && w->in[0].move);
    bool added = (op == OP_GEMM || op == OP_GEMV || op == OP_GER) && k >= 2;
    return view || first || added || (w->updates && k == 0) || ins_op(ins) == I_SCAN;
}

/* Operands are let go once the results are there, unless these take over their room. */
static void room_of_wide(Pricing *x, const Scene *s, Room *r, const Ins *ins, double inside)
{
    const Wide *w = ins->u.wide;
    bool view = op_table[w->node->op].flags & ALIASES, deferred = is_deferred(w);
    for (u32 k = 0; k < w->nin; k++)
        if (gives_room(ins, k, view))
            room_set(r, w->in[k].reg, 0);
    r->peak = fmax(r->peak, r->live + inside);
    for (u32 k = 0; k < w->nout; k++)
        if (w->out[k].reg != NO_REG && w->out[k].kind == KIND_TENSOR)
            room_set(r, w->out[k].reg,
                     view             ? 0
                     : k || !deferred ? bytes_of_result(x, s, ins, k)
                                      : bytes_deferred(x, s, w));
    for (u32 k = 0; k < w->nin; k++)
        if (w->in[k].kind == KIND_TENSOR && w->in[k].move)
            room_set(r, w->in[k].reg, 0);
    for (u32 k = 0; k < w->nkill; k++)
        room_set(r, w->kill[k], 0);
}

/* ---- blocks ---- */

static double price_block(Pricing *x, const Scene *s, u32 parent, double calls);

/* What runs inside; its seconds a call in all. Each branch is taken half of the time. */
static double price_inside(Pricing *x, const Scene *s, const Ins *ins, u32 row, double calls)
{
    const Wide *w = ins->u.wide;
    InsOp op = ins_op(ins);
    double seconds = 0, peak = 0;
    for (int k = 0; k < 2; k++) {
        if (!w->body[k])
            continue;
        Scene inner = {s, w->body[k], w, k};
        if (op == I_DELAY) /* part of this block, in its own words */
            inner = (Scene){s->up, w->body[k], s->wide, s->side};
        double times = op == I_SCAN ? steps_of(x, s, w) : op == I_IF ? 0.5 : 1;
        seconds += times * price_block(x, &inner, row, calls * times);
        peak = fmax(peak, x->peak);
    }
    x->peak = peak;
    return seconds;
}

static Price price_of_wide(Pricing *x, const Scene *s, const Ins *ins)
{
    switch (ins_op(ins)) {
    case I_FUSED: return price_of_group(x, s, ins->u.wide);
    case I_SINKS: return price_of_sinks(x, s, ins->u.wide);
    case I_CALL:
    case I_IF: return (Price){.nanoseconds = machine.call};
    case I_SCAN: return (Price){.nanoseconds = machine.loop};
    case I_DELAY: return (Price){.nanoseconds = 0};
    case I_PUT: return (Price){.bytes = 8, .nanoseconds = PUT_INSTRUCTIONS * machine.instruction};
    default:
        return is_deferred(ins->u.wide) ? (Price){.nanoseconds = machine.call}
                                        : price_of_operator(x, s, ins->u.wide);
    }
}

/* rows: those of the block, r the one of them. */
static void add_row(const CostRow *rows, CostRow *r, const Block *b, u32 at, u32 parent,
                    double calls, const Price *p)
{
    InsOp op = ins_op(&b->code[at]);
    r->node = b->where[at];
    r->graph = b->graph;
    r->parent = parent;
    r->scalar = !ins_is_wide(op);
    r->loop = op == I_SCAN;
    r->trace = op == I_ROWT;
    r->calls += r - rows == (i64)at ? calls : 0;
    r->flops += calls * p->flops;
    r->bytes += calls * p->bytes;
    r->seconds += calls * p->nanoseconds * 1e-9;
}

/* What several instructions on scalars do for one node is one row. */
static u32 row_of(const Pricing *x, const Block *b, u32 at, NodeCounts *seen)
{
    u32 row = x->first[b->id] + at;
    InsOp op = ins_op(&b->code[at]);
    if (!b->where[at] || ins_is_wide(op) || op == I_ROWT)
        return row;
    u32 found = map_get(seen, b->where[at]);
    if (!found)
        map_put(seen, b->where[at], row + 1);
    return found ? found - 1 : row;
}

/* Seconds of one run; rows get `calls` runs. */
static double price_block(Pricing *x, const Scene *s, u32 parent, double calls)
{
    const Block *b = s->block;
    Room room = {.at = xcalloc((size_t)b->ntensors + 1, sizeof(double)),
                 .gone = xcalloc((size_t)b->ntensors + 1, sizeof(bool))};
    NodeCounts seen = {0};
    double seconds = 0;
    for (u32 i = 0; i < b->ncode && x->work < MOST_WORK; i++, x->work++) {
        const Ins *ins = &b->code[i];
        InsOp op = ins_op(ins);
        bool wide = ins_is_wide(op);
        if (op == I_ROWS)
            room_of_rows(x, s, &room, ins);
        if (op == I_DROP)
            room_set(&room, ins->a, 0);
        if (op == I_TAKE && ins->d < b->ntensors) {
            room_set(&room, ins->d, room.at[ins->a]);
            room_set(&room, ins->a, 0);
        }
        if (is_free(op) && op != I_DELAY)
            continue;
        u32 row = row_of(x, b, i, &seen);
        Price p = wide                           ? price_of_wide(x, s, ins)
                  : op == I_ROWT || op == I_SEQT ? price_of_row(x, s, ins, b->where[i])
                                                 : price_of_scalar(op);
        double inside = wide ? (x->peak = 0, price_inside(x, s, ins, row, calls)) : 0;
        if (b->where[i] || wide || parent == NO_ROW)
            add_row(x->out->rows + x->first[b->id], &x->out->rows[row], b, i, parent, calls, &p);
        else /* of the loop itself */
            x->out->rows[parent].seconds += calls * p.nanoseconds * 1e-9;
        seconds += p.nanoseconds * 1e-9 + inside;
        if (wide)
            room_of_wide(x, s, &room, ins, x->peak);
    }
    x->peak = room.peak;
    free(room.at);
    free(room.gone);
    map_free(&seen);
    return seconds;
}

/* ---- the answer ---- */

static void add_order(ProgramCost *c, const Program *p, const u32 *first, const Block *b, u32 row0)
{
    for (u32 i = 0; i < b->ncode; i++) {
        CostRow *r = &c->rows[first[b->id] + i];
        if (!r->node || r->parent != row0 || (ins_op(&b->code[i]) == I_DELAY && r->calls <= 0))
            continue;
        c->order[c->norder++] = first[b->id] + i;
        for (int k = 0; ins_is_wide(ins_op(&b->code[i])) && k < 2; k++)
            if (b->code[i].u.wide->body[k])
                add_order(c, p, first, b->code[i].u.wide->body[k], first[b->id] + i);
    }
}

void program_cost(const Program *p, AtomNumber size, void *ctx, ProgramCost *out)
{
    *out = (ProgramCost){.n = 0};
    Pricing x = {.p = p, .out = out, .size = size, .ctx = ctx};
    x.first = program_rows(p, &out->n);
    out->rows = xcalloc((size_t)out->n + 1, sizeof *out->rows);
    out->order = xcalloc((size_t)out->n + 1, sizeof *out->order);
    out->seconds = machine.start * 1e-9 + price_block(&x, &(Scene){.block = p->root}, NO_ROW, 1);
    out->peak = x.peak;
    add_order(out, p, x.first, p->root, NO_ROW);
    for (u32 i = 0; i < out->norder; i++) {
        const CostRow *r = &out->rows[out->order[i]];
        out->flops += r->flops;
        out->bytes += r->bytes;
        out->kernels += r->scalar ? 0 : r->calls;
    }
    free(x.first);
}

void program_cost_free(ProgramCost *c)
{
    free(c->rows);
    free(c->order);
}

void cost_parts(const CostRow *row, CostPart each, void *ctx)
{
    NodeVec inside = {0};
    double work = 0;
    if (row->node->op == OP_FUSED) {
        const Graph *g = row->node->attrs[0].graph;
        nodes_topo(g->nouts, g->outs, &inside);
    }
    for (size_t i = 0; i < inside.len; i++)
        work += inside.at[i]->nops ? op_work(inside.at[i]->op) : 0;
    for (size_t i = 0; i < inside.len; i++)
        if (inside.at[i]->nops && work > 0)
            each(ctx, inside.at[i], op_work(inside.at[i]->op) / work);
    if (!inside.len || work <= 0)
        each(ctx, row->node, 1);
    vec_free(&inside);
}
