/* Parts of arrays that are joined are written where they belong: the joined array gets its memory
 * before the first of them is computed, and each that nothing else needs afterwards is computed
 * into its place. The join then copies the others only.
 *
 * Invariant: a result that belongs somewhere may lie anywhere: whoever joins looks at where it is.
 */
#include "exec/plan_work.h"

enum { ROOM_WORTH = TILE }; /* elements of a part: fewer are copied before room for them is made */

typedef struct {
    Emit *e;
    u32 *of;   /* by place in the code: the room of the join that is there; NO_REG */
    u32 *from; /* by place: 1 + the place of a join that gets its room before this; then next */
    u32 *next;
} Find;

/* A place in a room. */
typedef struct {
    u32 room;
    i64 offset;
} Where;

/* A join whose parts lie one after the other. */
static bool joins_blocks(const Ins *ins)
{
    i64 all, one;
    if (ins->op != I_ARRAY || ins->u.wide->node->op != OP_CONCAT ||
        ins->u.wide->out[0].reg == NO_REG)
        return false;
    const Node *n = ins->u.wide->node;
    int axis = (int)n->attrs[0].i;
    return type_count(n->type, 0, &all) && type_count(n->type, axis, &one) && all == one;
}

/* It hands on the elements that it gets. */
static bool is_other_shape(const Node *n)
{
    return n->op == OP_RESHAPE || n->op == OP_EXPAND_DIMS || n->op == OP_SQUEEZE;
}

/* Operators that write their result themselves, whatever operands they have. */
static bool writes_result(const Node *n)
{
    switch (n->op) {
    case OP_BROADCAST:
    case OP_GATHER:
    case OP_FLIP:
    case OP_IOTA:
    case OP_TRANSPOSE:
    case OP_CUMSUM:
    case OP_CUMPROD:
    case OP_CUMMAX:
    case OP_MATMUL: return true;
    default: return op_is_elementwise(n->op);
    }
}

/* Result v of it; of a loop a trace, which has all its rows if nothing ends it early. */
static bool can_write(const Ins *ins, u32 v)
{
    const Wide *w = ins->u.wide;
    if (ins->op == I_ARRAY)
        return w->nout == 1 && w->eval == op_table[w->node->op].eval && writes_result(w->node);
    for (u32 k = 0; k < w->nout; k++)
        if (w->out[k].reg == v)
            return ins->op == I_FUSED   ? w->tiles->outs[k] != NO_REG
                   : ins->op == I_SINKS ? w->tiles->sinks[k].base == NO_REG
                   : ins->op == I_SCAN  ? w->body[0] && k >= w->body[0]->nstates
                                        : false;
    return false;
}

static Arg *result_of(const Ins *ins, u32 v)
{
    for (u32 k = 0; k < ins->u.wide->nout; k++)
        if (ins->u.wide->out[k].reg == v)
            return &ins->u.wide->out[k];
    return NULL;
}

static void give_room(Emit *e, Arg *result, u32 room, i64 offset, i64 count)
{
    result->room = plan_alloc(e->pl, 1, sizeof *result->room);
    *result->room = (RoomPart){room, offset, count};
}

static bool place_parts(Emit *e, const Wide *join, i64 place, Where at, i64 *first);

/* Is v, which the instruction at `user` reads, computed there? *first: no later than where it is.
 */
static bool place_value(Emit *e, u32 v, i64 user, i64 count, Where at, i64 *first)
{
    const Value *x = &e->values.at[v];
    if (x->kind != KIND_TENSOR || x->pinned || x->loop_state || x->def < 0 || x->last != user)
        return false;
    i64 def = x->def;
    const Ins *ins = &e->code.at[def];
    Arg *result = ins_is_wide((InsOp)ins->op) ? result_of(ins, v) : NULL;
    if (!result || result->room)
        return false;
    if (ins->op == I_ARRAY && is_other_shape(ins->u.wide->node))
        return place_value(e, ins->u.wide->in[0].reg, def, count, at, first);
    if (joins_blocks(ins))
        place_parts(e, ins->u.wide, def, at, first);
    else if (!can_write(ins, v))
        return false;
    give_room(e, result, at.room, at.offset, count);
    *first = def < *first ? def : *first;
    return true;
}

/* True if some part is computed where it belongs. */
static bool place_parts(Emit *e, const Wide *join, i64 place, Where at, i64 *first)
{
    bool any = false;
    for (u32 k = 0; k < join->nin; k++) {
        i64 count;
        if (!type_count(join->node->ops[k]->type, 0, &count))
            break;
        any |= count >= ROOM_WORTH && place_value(e, join->in[k].reg, place, count, at, first);
        at.offset += count;
    }
    return any;
}

/* From the end, so that what is joined again goes straight to where all of it belongs. */
static u32 find_rooms(Find *f)
{
    Emit *e = f->e;
    u32 found = 0;
    for (size_t i = e->code.len; i-- > 0;) {
        const Ins *ins = &e->code.at[i];
        const Wide *w = ins->u.wide;
        i64 count, first = (i64)i;
        if (!joins_blocks(ins) || w->out[0].room)
            continue;
        u32 room = value_new(e, KIND_TENSOR);
        if (!place_parts(e, w, (i64)i, (Where){room, 0}, &first))
            continue;
        e->values.at[room].written = true;
        type_count(w->node->type, 0, &count);
        give_room(e, &w->out[0], room, 0, count);
        f->of[i] = room;
        f->next[i] = f->from[first];
        f->from[first] = (u32)i + 1;
        found++;
    }
    return found;
}

/* Memory comes before the first part, and is kept until all is joined. */
static void put_rooms(const Find *f)
{
    Emit *e = f->e;
    size_t n = e->code.len;
    __typeof__(e->code) code = e->code;
    __typeof__(e->where) where = e->where;
    memset(&e->code, 0, sizeof e->code);
    memset(&e->where, 0, sizeof e->where);
    for (size_t i = 0; i < n; i++) {
        for (u32 k = f->from[i]; k; k = f->next[k - 1]) {
            e->at = where.at[k - 1];
            emit(e, I_ROOM, f->of[k - 1], NO_REG, NO_REG)->u.node = code.at[k - 1].u.wide->node;
        }
        vec_push(&e->code, code.at[i]);
        vec_push(&e->where, where.at[i]);
        e->at = where.at[i];
        if (f->of[i] != NO_REG)
            emit(e, I_KEEP, NO_REG, f->of[i], NO_REG);
    }
    e->at = NULL;
    vec_free(&code);
    vec_free(&where);
}

void plan_rooms(Emit *e)
{
    size_t n = e->code.len;
    Find f = {.e = e};
    f.from = xcalloc(n + 1, sizeof *f.from);
    f.next = xcalloc(n + 1, sizeof *f.next);
    f.of = xmalloc((n + 1) * sizeof *f.of);
    for (size_t i = 0; i < n; i++)
        f.of[i] = NO_REG;
    plan_uses(e);
    if (find_rooms(&f))
        put_rooms(&f);
    free(f.from);
    free(f.next);
    free(f.of);
}
