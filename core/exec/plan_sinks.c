/* Scatters and running sums that take what is computed tile by tile, several in one pass.
 *
 * Scatters at the same positions join, and so do running sums over one shape; what computes their
 * operands, elementwise and for nothing else, becomes part of the pass. Its result is never stored.
 *
 * Invariant: each takes its elements in the order in which it takes them alone, and fails with the
 * same message. What is moved to its partner passes only what cannot fail, checks excepted: these
 * say more. */
#include "exec/plan_work.h"
#include "ops/cost.h"
#include "ops/deferred.h"
#include "ops/fused.h"

enum {
    MOST_APART = 1000, /* instructions between partners: a longer search would be quadratic */
    MOST_WORK = 16     /* of computing an element (ops/cost.h): threads could share a longer one */
};

/* What becomes one instruction. */
typedef struct {
    u32 member[SINKS_MOST]; /* instructions, in their order */
    u32 count, at;          /* which of them it takes the place of */
    VEC(u32) computed;      /* the instructions whose steps are part of it */
} Pass;

/* ---- what may be a member ---- */

static Type *shape_of(Emit *e, Type *t) { return type_with_dtype(e->pl->st, t, DT_F64); }

static bool has_elements(const Node *n) { return n->type->rank && node_dtype(n) != DT_RNG; }

static bool scatters(Emit *e, const Ins *ins)
{
    const Node *n = ins->u.wide->node;
    if (n->op != OP_SCATTER || n->ops[0]->type->rank != 1 || !has_elements(n->ops[0]) ||
        !has_elements(n->ops[1]))
        return false;
    return !n->ops[2]->type->rank || shape_of(e, n->ops[2]->type) == shape_of(e, n->ops[1]->type);
}

static bool runs(const Ins *ins)
{
    const Node *n = ins->u.wide->node;
    bool cumulates = n->op == OP_CUMSUM || n->op == OP_CUMPROD || n->op == OP_CUMMAX;
    return cumulates && n->type->rank == 1 && has_elements(n->ops[0]) && !n->attrs[1].i;
}

static bool is_sink(Emit *e, const Ins *ins)
{
    return ins->op == I_ARRAY && ins->u.wide->out[0].reg != NO_REG &&
           (scatters(e, ins) || runs(ins));
}

/* The operands whose elements it takes: places and values, or values. */
static u32 first_taken(const Ins *ins) { return ins->u.wide->node->op == OP_SCATTER; }

static Type *elements_of(Emit *e, const Ins *ins)
{
    return shape_of(e, ins->u.wide->node->ops[first_taken(ins)]->type);
}

static bool partners(Emit *e, const Ins *a, const Ins *b)
{
    if (first_taken(a) != first_taken(b) || elements_of(e, a) != elements_of(e, b))
        return false;
    return !first_taken(a) || a->u.wide->in[1].reg == b->u.wide->in[1].reg;
}

/* May a scatter that can fail come after it instead of before? */
static bool lets_pass(const Ins *ins)
{
    const Wide *w = ins_is_wide((InsOp)ins->op) ? ins->u.wide : NULL;
    if (!w)
        return ins->op != I_END;
    if (ins->op != I_ARRAY)
        return ins->op == I_FUSED;
    return w->node->op == OP_CHECK || fused_elementwise(w->node) ||
           (op_table[w->node->op].flags & TOTAL) || w->node->op == OP_BROADCAST;
}

/* ---- what is computed in the pass ---- */

static bool in_list(const u32 *list, size_t n, i64 x)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == x)
            return true;
    return false;
}

/* How often the members take the elements of this value. */
static u32 takes(Emit *e, const Pass *p, u32 v)
{
    u32 count = 0;
    for (u32 i = 0; i < p->count; i++) {
        const Ins *ins = &e->code.at[p->member[i]];
        for (u32 k = first_taken(ins); k < ins->u.wide->nin; k++)
            count += ins->u.wide->in[k].reg == v;
    }
    return count;
}

/* Threads would not have shared much of it. */
static bool is_cheap(Emit *e, const Wide *w)
{
    const Tiles *t = w->tiles;
    double work = t ? 0 : op_work(w->node->op) * tile_step_count(w->node);
    for (u32 i = 0; t && i < t->nsteps; i++)
        work += op_work(t->steps[i].node->op);
    for (u32 k = 0; k < w->nin; k++) {
        i64 at = e->values.at[w->in[k].reg].def;
        const Ins *from = at >= 0 ? &e->code.at[at] : NULL;
        if (from && from->op == I_ARRAY && from->u.wide->node->op != OP_IOTA &&
            deferred_eval(from->u.wide->node))
            return false;
    }
    return work <= MOST_WORK;
}

/* Elementwise, on whole arrays of that shape, and for the members only. */
static bool computes(Emit *e, const Pass *p, const Ins *ins, const Type *shape)
{
    const Wide *w = ins->u.wide;
    bool group = ins->op == I_FUSED;
    if (group ? w->tiles->nfolds || !w->tiles->nsteps
              : ins->op != I_ARRAY || !fused_elementwise(w->node))
        return false;
    for (u32 k = 0; k < w->nout; k++) {
        const Value *v = &e->values.at[w->out[k].reg];
        if (w->out[k].reg == NO_REG || v->pinned || takes(e, p, w->out[k].reg) != v->uses)
            return false;
    }
    const Node *of = group ? w->tiles->steps[w->tiles->outs[0]].node : w->node;
    return shape_of(e, of->type) == shape && is_cheap(e, w);
}

static void find_computed(Emit *e, Pass *p)
{
    const Type *shape = elements_of(e, &e->code.at[p->member[0]]);
    for (u32 i = 0; i < p->count; i++) {
        const Ins *ins = &e->code.at[p->member[i]];
        for (u32 k = first_taken(ins); k < ins->u.wide->nin; k++) {
            i64 at = e->values.at[ins->u.wide->in[k].reg].def;
            if (at >= 0 && !in_list(p->computed.at, p->computed.len, at) &&
                computes(e, p, &e->code.at[at], shape))
                vec_push(&p->computed, (u32)at);
        }
    }
}

/* ---- members ---- */

/* Those before the last one whose results nothing uses until then. */
static void find_earlier(Emit *e, u32 last, Pass *p)
{
    const Ins *code = e->code.at, *to = &code[last];
    bool passes = true;
    u32 found[SINKS_MOST] = {last}, n = 1;
    for (u32 i = last;
         i-- > 0 && last - i <= MOST_APART && n < SINKS_MOST && (passes || !first_taken(to));) {
        const Ins *ins = &code[i];
        const Value *out = is_sink(e, ins) ? &e->values.at[ins->u.wide->out[0].reg] : NULL;
        if (out && !(out->uses && out->first <= last) && partners(e, ins, to))
            found[n++] = i;
        else
            passes = passes && lets_pass(ins);
    }
    *p = (Pass){.at = last};
    while (n)
        p->member[p->count++] = found[--n];
}

static bool is_there(Emit *e, u32 v, u32 at) { return e->values.at[v].def < at; }

/* Is there, before the instruction `at`, all that the last member takes or what computes it does?
 */
static bool is_ready(Emit *e, const Pass *p, u32 at)
{
    const Ins *code = e->code.at, *ins = &code[p->member[p->count - 1]];
    const Type *shape = elements_of(e, ins);
    for (u32 k = 0; k < ins->u.wide->nin; k++) {
        u32 v = ins->u.wide->in[k].reg;
        if (is_there(e, v, at))
            continue;
        const Ins *from = &code[e->values.at[v].def];
        if (k < first_taken(ins) || !computes(e, p, from, shape))
            return false;
        for (u32 i = 0; i < from->u.wide->nin; i++)
            if (!is_there(e, from->u.wide->in[i].reg, at))
                return false;
    }
    return true;
}

/* Those after the first one that could run with it. */
static void find_later(Emit *e, u32 first, Pass *p)
{
    const Ins *code = e->code.at, *to = &code[first];
    bool passes = true;
    *p = (Pass){.at = first, .member = {first}, .count = 1};
    for (u32 i = first + 1; i < e->code.len && i - first <= MOST_APART && p->count < SINKS_MOST;
         i++) {
        const Ins *ins = &code[i];
        if (is_sink(e, ins) && partners(e, ins, to) && (passes || !first_taken(to))) {
            p->member[p->count++] = i;
            p->count -= !is_ready(e, p, first);
        }
        passes = passes && lets_pass(ins);
    }
}

/* ---- the instruction ---- */

typedef struct {
    Emit *e;
    Wide *w;
    Tiles *t;
    u32 *column; /* by value: 1 + the column that holds it */
} Build;

static u32 add_operand(Build *b, Arg arg, u8 size, u8 repeat)
{
    Wide *w = b->w;
    u32 k = 0;
    while (k < w->nin && (w->in[k].reg != arg.reg || tile_repeat(b->t, k) != repeat))
        k++;
    if (k < w->nin)
        return k;
    w->in[w->nin] = arg;
    b->t->size[w->nin] = size;
    b->t->repeat[w->nin] = repeat;
    if (repeat)
        b->t->fill[w->nin] = b->t->nbuffers++;
    return w->nin++;
}

static u8 size_of_operand(const Node *n)
{
    return n->type->rank ? (u8)dtype_size(node_dtype(n)) : 0;
}

/* The column of an operand of what is computed. All operands come before all steps. */
static u32 column_of(Build *b, const Wide *w, u32 k)
{
    return add_operand(b, w->in[k], w->tiles ? w->tiles->size[k] : size_of_operand(w->node->ops[k]),
                       tile_repeat(w->tiles, k));
}

static void add_steps(Build *b, const Wide *w)
{
    u32 *columns = xmalloc(((size_t)w->nin + 1) * sizeof *columns);
    u32 first = b->w->nin + b->t->nsteps;
    for (u32 k = 0; k < w->nin; k++)
        columns[k] = column_of(b, w, k);
    b->t->nsteps += wide_steps_of(w, columns, first, &b->t->steps[b->t->nsteps]);
    for (u32 k = 0; k < w->nout; k++)
        b->column[w->out[k].reg] = 1 + wide_column(w, k, first);
    free(columns);
}

/* Each step has a tile of its own: they are few. */
static void place_steps(Build *b)
{
    for (u32 i = 0; i < b->t->nsteps; i++)
        b->t->steps[i].buffer = b->t->nbuffers++;
}

static void add_sink(Build *b, const Ins *ins, u32 nbases)
{
    const Wide *w = ins->u.wide;
    bool at = w->node->op == OP_SCATTER;
    b->t->outs[b->w->nout] = b->t->reuse[b->w->nout] = NO_REG;
    b->w->out[b->w->nout++] = w->out[0];
    b->t->sinks[b->t->nsinks++] =
        (TileSink){.node = w->node,
                   .base = at ? b->w->nin - nbases + b->t->nbases++ : NO_REG,
                   .place = at ? b->column[w->in[1].reg] - 1 : NO_REG,
                   .value = b->column[w->in[w->nin - 1].reg] - 1};
}

/* Operands of the members that are not computed here, then what is written into. */
static u32 add_taken(Build *b, const Pass *p)
{
    const Ins *code = b->e->code.at;
    u32 nbases = 0;
    for (u32 i = 0; i < p->count; i++) {
        const Wide *w = code[p->member[i]].u.wide;
        for (u32 k = first_taken(&code[p->member[i]]); k < w->nin; k++)
            if (!in_list(p->computed.at, p->computed.len, b->e->values.at[w->in[k].reg].def))
                b->column[w->in[k].reg] =
                    1 + add_operand(b, w->in[k], size_of_operand(w->node->ops[k]), REPEAT_NOT);
    }
    for (u32 i = 0; i < p->count; i++)
        if (first_taken(&code[p->member[i]])) {
            b->w->in[b->w->nin++] = code[p->member[i]].u.wide->in[0];
            nbases++;
        }
    return nbases;
}

static void begin(Build *b, const Pass *p)
{
    Planner *pl = b->e->pl;
    const Ins *code = b->e->code.at;
    u32 nin = 3 * p->count, nsteps = 0;
    for (size_t i = 0; i < p->computed.len; i++) {
        const Wide *w = code[p->computed.at[i]].u.wide;
        nin += w->nin;
        nsteps += wide_step_count(w);
    }
    Tiles *t = b->t = plan_alloc(pl, 1, sizeof *t);
    t->size = plan_alloc(pl, nin, 1);
    t->repeat = plan_alloc(pl, nin, 1);
    t->fill = plan_alloc(pl, nin, sizeof *t->fill);
    t->steps = plan_alloc(pl, nsteps, sizeof *t->steps);
    t->outs = plan_alloc(pl, p->count, sizeof *t->outs);
    t->reuse = plan_alloc(pl, p->count, sizeof *t->reuse);
    t->sinks = plan_alloc(pl, p->count, sizeof *t->sinks);
    b->w = plan_wide(b->e, code[p->at].u.wide->node, nin, p->count);
    b->w->tiles = t;
    b->w->nin = b->w->nout = 0;
    b->column = xcalloc(b->e->values.len + 1, sizeof *b->column);
}

static void count_most(Build *b)
{
    Tiles *t = b->t;
    bool repeats = false;
    for (u32 k = 0; k < b->w->nin; k++)
        repeats = repeats || t->repeat[k];
    if (!repeats)
        t->repeat = NULL;
    plan_room(b->e->pl, b->w->nin + t->nsteps, t->nbuffers);
}

static void build(Emit *e, const Pass *p)
{
    Ins *code = e->code.at;
    Build b = {.e = e};
    begin(&b, p);
    for (size_t i = 0; i < p->computed.len; i++)
        for (u32 k = 0; k < code[p->computed.at[i]].u.wide->nin; k++)
            column_of(&b, code[p->computed.at[i]].u.wide, k);
    u32 nbases = add_taken(&b, p);
    for (size_t i = 0; i < p->computed.len; i++) {
        add_steps(&b, code[p->computed.at[i]].u.wide);
        code[p->computed.at[i]].op = I_GONE;
    }
    place_steps(&b);
    for (u32 i = 0; i < p->count; i++) {
        add_sink(&b, &code[p->member[i]], nbases);
        code[p->member[i]].op = I_GONE;
    }
    count_most(&b);
    code[p->at] = (Ins){.op = I_SINKS,
                        .d = NO_REG,
                        .a = NO_REG,
                        .b = NO_REG,
                        .c = NO_REG,
                        .x = NO_REG,
                        .u.wide = b.w};
    free(b.column);
}

/* ---- all of it ---- */

static void take(Emit *e, u32 at, void (*find)(Emit *, u32, Pass *))
{
    Pass p;
    if (!is_sink(e, &e->code.at[at]))
        return;
    find(e, at, &p);
    if (p.count == 1 && find == find_later)
        return;
    find_computed(e, &p);
    if (p.count > 1 || p.computed.len)
        build(e, &p);
    vec_free(&p.computed);
}

/* Bodies of loops keep to memory of their own. */
void plan_sinks(Emit *e)
{
    if (e->b != e->pl->p->root)
        return;
    plan_uses(e);
    for (u32 i = 0; i < e->code.len; i++)
        take(e, i, find_later);
    for (u32 i = (u32)e->code.len; i-- > 0;)
        take(e, i, find_earlier);
    plan_compact(e);
}
