/* Consecutive instructions that keep to the rows of their operands (the elements of the first axis)
 * become a part that runs on a few rows at a time: reductions over other axes, what is elementwise
 * between them, and smaller arrays that these repeat. So softmax and its like pass over a row while
 * it is in the cache. Which of them are one list of steps, says plan_sweep.c.
 *
 * Invariant: registers are written once in a run of a block (of a loop: in a step, its states
 * excepted, which no leaf is), so a leaf may be read earlier than it stands. */
#include "exec/plan_work.h"

enum { OUTER, SLICED, WHOLE, MADE }; /* what a register is to the part */

typedef struct {
    Planner *pl;
    Block *b;
    u8 *is;          /* by tensor register */
    bool *gone;      /* by tensor register: released in the part */
    RoomPart **room; /* by tensor register that is made: where it belongs */
    u32 nin, nout, count;
} Part;

/* Over axes other than the first; what makes it fail, an axis of another length than it must have,
 * does so on any of the rows. */
static bool keeps_rows(const Node *n)
{
    switch (n->op) {
    case OP_SUM:
    case OP_PROD:
    case OP_MIN:
    case OP_MAX:
    case OP_ANY:
    case OP_ALL:
    case OP_PEAK:
    case OP_SQUEEZE:
    case OP_EXPAND_DIMS: return n->attrs[0].ints->n && n->attrs[0].ints->at[0] > 0;
    default: return fused_elementwise(n);
    }
}

/* Is it an instruction of a part, on arrays with rows? */
static bool is_row_wise(const Ins *ins)
{
    const Wide *w = ins->u.wide;
    if (ins->op == I_FUSED && ((w->tiles->nfolds && !w->tiles->over.first) || w->tiles->test))
        return false;
    for (u32 k = 0; ins->op == I_FUSED && w->tiles->repeat && k < w->nin; k++)
        if (w->tiles->repeat[k] == REPEAT_VIEW || tile_defers(w->tiles, k))
            return false;
    if (ins->op != I_FUSED && (ins->op != I_ARRAY || w->nout != 1 || !keeps_rows(w->node)))
        return false;
    for (u32 k = 0; k < w->nout; k++)
        if (w->out[k].kind != KIND_TENSOR || w->out[k].reg == NO_REG)
            return false;
    for (u32 k = 0; k < w->nin; k++)
        if (w->in[k].kind == KIND_LAZY)
            return false;
    return true;
}

/* Which rows the instruction takes of operand k. */
static u8 taken(const Wide *w, u32 k)
{
    bool all = w->tiles && w->tiles->repeat && w->tiles->repeat[k] == REPEAT_ALL;
    return all ? WHOLE : SLICED;
}

/* Some array by rows and as a whole, as a mask i >= i' does. */
static bool takes_both(const Wide *w)
{
    for (u32 k = 0; k < w->nin; k++)
        for (u32 j = 0; j < k; j++)
            if (w->in[j].reg == w->in[k].reg && taken(w, j) != taken(w, k))
                return true;
    return false;
}

/* It shares rows with the part, and takes no other rows of the same arrays. */
static bool joins(const Part *p, const Wide *w)
{
    if (takes_both(w))
        return false;
    bool shares = !p->count, any = false;
    u32 more = 0;
    for (u32 k = 0; k < w->nin; k++) {
        if (w->in[k].kind != KIND_TENSOR)
            continue;
        u8 is = p->is[w->in[k].reg], as = taken(w, k);
        if (is != OUTER && as != (is == MADE ? SLICED : is))
            return false;
        shares = shares || (is != OUTER && as == SLICED);
        any = any || as == SLICED;
        more += is == OUTER;
    }
    return shares && any && p->nin + more <= ROWS_MOST && p->nout + w->nout <= ROWS_MOST;
}

static void join(Part *p, const Wide *w)
{
    for (u32 k = 0; k < w->nin; k++) {
        u32 reg = w->in[k].reg;
        if (w->in[k].kind == KIND_TENSOR && p->is[reg] == OUTER) {
            p->is[reg] = taken(w, k);
            p->nin++;
        }
    }
    for (u32 k = 0; k < w->nkill; k++)
        p->gone[w->kill[k]] = true;
    for (u32 k = 0; k < w->nout; k++) {
        p->is[w->out[k].reg] = MADE;
        p->room[w->out[k].reg] = w->out[k].room;
    }
    p->nout += w->nout;
    p->count++;
}

static bool is_leaf(const Ins *ins)
{
    return ins->op == I_LEAF || ins->op == I_SIZE || ins->op == I_ROOM;
}

/* Where the part that begins at `from` ends. */
static u32 find_end(Part *p, u32 from)
{
    Block *b = p->b;
    u32 end = from;
    memset(p->is, OUTER, (size_t)b->ntensors);
    memset(p->gone, 0, (size_t)b->ntensors);
    p->nin = p->nout = p->count = 0;
    for (u32 i = from; i < b->ncode; i++) {
        const Ins *ins = &b->code[i];
        if (ins->op == I_DROP && p->is[ins->a] != OUTER) {
            p->gone[ins->a] = true;
            end = i + 1;
        } else if (ins->op != I_DROP && !is_leaf(ins)) {
            if (!is_row_wise(ins) || !joins(p, ins->u.wide))
                break;
            join(p, ins->u.wide);
            end = i + 1;
        }
    }
    return end;
}

typedef struct {
    Ins *code;
    const Node **where;
    u32 n;
} Code;

static void put(Code *c, Ins ins, const Node *where)
{
    c->code[c->n] = ins;
    c->where[c->n++] = where;
}

/* Leaves first, then the part under its head; false: it is no sweep, nothing was put. */
static bool put_part(const Part *p, Code *c, u32 from, u32 end)
{
    const Block *b = p->b;
    u32 before = c->n, head;
    for (u32 i = from; i < end; i++)
        if (is_leaf(&b->code[i]))
            put(c, b->code[i], b->where[i]);
    head = c->n;
    put(c, (Ins){.op = I_ROWS}, NULL);
    for (u32 i = from; i < end; i++)
        if (!is_leaf(&b->code[i]))
            put(c, b->code[i], b->where[i]);
    Sweep *s = plan_sweep(p->pl, b, &c->code[head + 1], c->n - head - 1, p->gone, p->room);
    if (!s) {
        c->n = before;
        return false;
    }
    s->node = b->code[end - 1].op == I_DROP ? b->where[from] : b->where[end - 1];
    c->code[head].u.sweep = s;
    return true;
}

void plan_rows(Planner *pl, Block *b)
{
    Part p = {.pl = pl, .b = b};
    Code c = {.n = 0};
    size_t room = 2 * (size_t)b->ncode + 1;
    p.is = xcalloc((size_t)b->ntensors + 1, sizeof *p.is);
    p.gone = xcalloc((size_t)b->ntensors + 1, sizeof *p.gone);
    p.room = xcalloc((size_t)b->ntensors + 1, sizeof *p.room);
    c.code = xmalloc(room * sizeof *c.code);
    c.where = xmalloc(room * sizeof *c.where);
    for (u32 i = 0; i < b->ncode;) {
        u32 end = is_row_wise(&b->code[i]) ? find_end(&p, i) : i;
        if (end == i || p.count < 2 || !put_part(&p, &c, i, end))
            put(&c, b->code[i], b->where[i]), end = i + 1;
        i = end;
    }
    free(b->code);
    free(b->where);
    b->code = c.code;
    b->where = c.where;
    b->ncode = c.n;
    free(p.is);
    free(p.gone);
    free(p.room);
}
