/* Code for the nodes of one graph, in order.
 *
 * Invariant: every value has one number; nodes that only pass a value on (projections,
 * checks, stop_gradient) share the number of what they pass on. */
#include "exec/plan_work.h"

/* ---- values ---- */

u8 kind_of(const Type *t)
{
    return t->kind == TYPE_TENSOR && t->rank == 0 && t->dtype != DT_RNG ? (u8)t->dtype
                                                                        : (u8)KIND_TENSOR;
}

u32 value_new(Emit *e, u8 kind)
{
    vec_push(&e->values, ((Value){.kind = kind, .reg = NO_REG, .def = -1, .last = -1}));
    return (u32)e->values.len - 1;
}

u32 value_of(Emit *e, const Node *n)
{
    while (n->op == OP_PROJ && n->ops[0]->op == OP_TUPLE)
        n = n->ops[0]->ops[n->attrs[0].i];
    if (n->op == OP_PROJ && !e->need.leaf[need_place(&e->need, n)])
        return e->value[need_place(&e->need, n->ops[0])] + (u32)n->attrs[0].i;
    return e->value[need_place(&e->need, n)];
}

Arg arg_of(Emit *e, u32 value)
{
    return (Arg){.reg = value, .kind = value == NO_REG ? 0 : e->values.at[value].kind};
}

Ins *emit(Emit *e, InsOp op, u32 d, u32 a, u32 b)
{
    Ins ins = {.op = (u16)op, .d = d, .a = a, .b = b, .c = NO_REG, .x = NO_REG};
    vec_push(&e->code, ins);
    vec_push(&e->where, e->at);
    if (d != NO_REG)
        e->values.at[d].written = true;
    return &e->code.at[e->code.len - 1];
}

Wide *plan_wide(Emit *e, const Node *n, u32 nin, u32 nout)
{
    Program *p = e->pl->p;
    Wide *w = plan_alloc(e->pl, 1, sizeof *w);
    w->node = n;
    w->eval = node_info(n)->eval;
    w->nin = nin;
    w->nout = nout;
    w->in = plan_alloc(e->pl, nin, sizeof *w->in);
    w->out = plan_alloc(e->pl, nout, sizeof *w->out);
    p->max_in = nin > p->max_in ? nin : p->max_in;
    p->max_out = nout > p->max_out ? nout : p->max_out;
    return w;
}

Wide *emit_wide(Emit *e, InsOp op, const Node *n, u32 nin, u32 nout)
{
    Wide *w = plan_wide(e, n, nin, nout);
    emit(e, op, NO_REG, NO_REG, NO_REG)->u.wide = w;
    return w;
}

static u32 result(Emit *e, const Node *n)
{
    u32 v = value_new(e, kind_of(n->type));
    e->value[need_place(&e->need, n)] = v;
    return v;
}

/* ---- operators through their eval function ---- */

static void wide_operands(Emit *e, Wide *w, const Node *n)
{
    for (u32 k = 0; k < n->nops; k++)
        w->in[k] = arg_of(e, value_of(e, n->ops[k]));
}

/* a with [i] = v or a with [i] += v, a vector: fast if it can be done in place. */
static bool puts_element(const Node *n)
{
    return n->op == OP_SET_INDEX && n->type->rank == 1 && kind_of(n->ops[2]->type) != KIND_TENSOR &&
           n->ops[2]->type->dtype == n->type->dtype && n->ops[1]->type->dtype == DT_I64 &&
           n->attrs[1].i <= 1 && (n->attrs[1].i == 0 || n->type->dtype == DT_F64);
}

static void emit_array(Emit *e, const Node *n)
{
    u32 place = need_place(&e->need, n);
    bool tuple = n->type->kind == TYPE_TUPLE;
    u32 nout = tuple ? (u32)n->type->nitems : 1;
    Wide *w = emit_wide(e, puts_element(n) ? I_PUT : I_ARRAY, n, n->nops, nout);
    wide_operands(e, w, n);
    w->updates = op_table[n->op].flags & UPDATES;
    e->value[place] = (u32)e->values.len;
    for (u32 k = 0; k < nout; k++) {
        u8 kind = kind_of(tuple ? n->type->items[k] : n->type);
        u32 v = value_new(e, kind);
        bool wanted = !tuple || (e->need.used[place] && e->need.used[place][k]);
        e->values.at[v].written = wanted;
        w->out[k] = (Arg){.reg = wanted ? v : NO_REG, .kind = kind};
    }
}

/* ---- elementwise operators on scalars ---- */

enum { COL_NONE, COL_EXPR, COL_TEST, COL_CALL, COL_INT, COL_BITS, COL_BOOLS, COL_FAIL };
#define C_EXPR(...) COL_EXPR
#define C_TEST(...) COL_TEST
#define C_CALL(...) COL_CALL
#define C_VEC(...) COL_CALL
#define C_INT(...) COL_INT
#define C_BITS(...) COL_BITS
#define C_BOOLS(...) COL_BOOLS
#define C_FAIL(...) COL_FAIL
#define C_NONE COL_NONE
#define C_SAME COL_EXPR
#define C_FLOATS COL_NONE
static const u8 columns[EL_COUNT][3] = {
#define ELEM1(ID, NAME, F64, F32, INTS, ...) [EL_##ID] = {C_##F64, C_##F32, C_##INTS},
#define ELEM2(ID, NAME, F64, F32, INTS, ...) [EL_##ID] = {C_##F64, C_##F32, C_##INTS},
#include "ops/elem.def"
};

static bool elem_row(const Node *n, ElemId *id)
{
    *id = (ElemId)((int)n->op - (int)OP_NEG);
    return n->op >= OP_NEG && (int)*id < EL_COUNT;
}

/* An instruction of its own, or a call of the kernel on one element. */
static Ins *emit_elem(Emit *e, ElemId id, int arity, DType d, u32 out, u32 a, u32 b)
{
    u8 column = columns[id][d == DT_F64 ? 0 : d == DT_F32 ? 1 : 2];
    bool text = column == COL_EXPR || column == COL_TEST; /* nothing to call */
    bool direct = d == DT_F64   ? text || column == COL_CALL
                  : d == DT_F32 ? text
                  : d == DT_I64
                      ? text || column == COL_INT || column == COL_BITS || column == COL_FAIL
                  : d == DT_BOOL ? column == COL_BOOLS || column == COL_TEST
                                 : false;
    if (direct) {
        int family = d == DT_F64 ? 0 : d == DT_F32 ? 1 : d == DT_I64 ? 2 : 3;
        Ins *ins = emit(e, ins_elem(id, family), out, a, b);
        if (column == COL_CALL && arity == 1)
            ins->u.f1 = elem_scalar1(id);
        if (column == COL_CALL && arity == 2)
            ins->u.f2 = elem_scalar2(id);
        if (column == COL_FAIL)
            ins->u.k2 = elem_fn2(id, d);
        return ins;
    }
    Ins *ins = emit(e, arity == 1 ? I_KERNEL1 : I_KERNEL2, out, a, b);
    ins->c = id;
    if (arity == 1)
        ins->u.k1 = elem_fn1(id, d);
    else
        ins->u.k2 = elem_fn2(id, d);
    return ins;
}

/* Division of whole numbers, rounded down, by a constant power of two: no division. */
static bool emit_power_of_two(Emit *e, const Node *n, ElemId id)
{
    i64 z, k = 0;
    bool divides = id == EL_FLOORDIV || id == EL_MOD;
    if (!divides || node_dtype(n) != DT_I64 || n->nops != 2 || !node_const_i64(n->ops[1], &z) ||
        z <= 0 || (z & (z - 1)))
        return false;
    while (z >> k > 1)
        k++;
    u32 x = value_of(e, n->ops[0]);
    emit(e, id == EL_MOD ? I_MASK : I_SHIFT, result(e, n), x, NO_REG)->u.k =
        id == EL_MOD ? z - 1 : k;
    return true;
}

/* More than two operands are taken from left to right, as the array kernels do. */
static void emit_scalar_elem(Emit *e, const Node *n, ElemId id)
{
    DType d = node_dtype(n->ops[0]);
    u32 a = value_of(e, n->ops[0]);
    if (emit_power_of_two(e, n, id))
        return;
    if (n->nops == 1) {
        emit_elem(e, id, 1, d, result(e, n), a, NO_REG);
        return;
    }
    for (u32 k = 1; k < n->nops; k++) {
        u32 out = k + 1 == n->nops ? result(e, n) : value_new(e, kind_of(n->type));
        emit_elem(e, id, 2, d, out, a, value_of(e, n->ops[k]));
        a = out;
    }
}

static void emit_scalar_cast(Emit *e, const Node *n)
{
    DType from = node_dtype(n->ops[0]), to = node_dtype(n);
    u32 x = value_of(e, n->ops[0]);
    if (from == to) {
        e->value[need_place(&e->need, n)] = x;
        return;
    }
    InsOp op = from == DT_I64 && to == DT_F64    ? I_I64_F64
               : from == DT_BOOL && to == DT_F64 ? I_BOOL_F64
               : from == DT_BOOL && to == DT_I64 ? I_BOOL_I64
                                                 : I_CAST;
    Ins *ins = emit(e, op, result(e, n), x, NO_REG);
    ins->u.k = from | to << 8;
}

static bool scalars_only(const Node *n)
{
    for (u32 k = 0; k < n->nops; k++)
        if (kind_of(n->ops[k]->type) == KIND_TENSOR)
            return false;
    return kind_of(n->type) != KIND_TENSOR;
}

static bool emit_scalar(Emit *e, const Node *n)
{
    ElemId id;
    if (!op_is_elementwise(n->op) || !scalars_only(n))
        return false;
    if (n->op == OP_WHERE) {
        u32 c = value_of(e, n->ops[0]), a = value_of(e, n->ops[1]), b = value_of(e, n->ops[2]);
        emit(e, I_SELECT, result(e, n), c, a)->c = b;
    } else if (n->op == OP_CAST) {
        emit_scalar_cast(e, n);
    } else if (elem_row(n, &id)) {
        emit_scalar_elem(e, n, id);
    } else {
        return false;
    }
    return true;
}

/* ---- sizes and elements ---- */

/* In an inner graph a size parameter is read off the parameter that binds it. */
static void emit_size(Emit *e, const Node *n)
{
    Graph *g = e->b->graph;
    for (int i = 0; g && i < g->nparams; i++)
        for (int a = 0; a < g->params[i]->rank; a++)
            if (g->params[i]->dims[a] == n->attrs[0].size && e->param[i] != NO_REG &&
                e->values.at[e->param[i]].kind == KIND_TENSOR) {
                emit(e, I_DIM, result(e, n), e->param[i], NO_REG)->u.k = a;
                return;
            }
    emit(e, I_SIZE, result(e, n), NO_REG, NO_REG)->u.node = n;
}

/* x[i] of a vector; when out of range the eval function makes the message. */
static bool emit_element(Emit *e, const Node *n)
{
    const Type *x = n->ops[0]->type, *i = n->ops[1]->type;
    if (x->rank != 1 || kind_of(n->type) == KIND_TENSOR || i->rank || i->dtype != DT_I64)
        return false;
    size_t size = dtype_size(n->type->dtype);
    u32 xv = value_of(e, n->ops[0]), iv = value_of(e, n->ops[1]), out = result(e, n);
    InsOp op = size == 8 ? I_INDEX8 : size == 4 ? I_INDEX4 : I_INDEX1;
    Wide *w = emit_wide(e, op, n, 2, 1);
    wide_operands(e, w, n);
    w->out[0] = (Arg){.reg = NO_REG, .kind = kind_of(n->type)};
    Ins *ins = &e->code.at[e->code.len - 1];
    ins->d = out;
    ins->a = xv;
    ins->b = iv;
    e->values.at[out].written = true;
    return true;
}

/* ---- nodes ---- */

/* One value for equal constants of a block, wherever they stand. */
u32 value_of_constant(Emit *e, const Node *n)
{
    return value_of_tensor(e, n->attrs[0].value, kind_of(n->type));
}

u32 value_of_tensor(Emit *e, Tensor *t, u8 kind)
{
    u32 number = map_get(&e->constants, t);
    if (number)
        return number - 1;
    number = value_new(e, kind);
    Value *v = &e->values.at[number];
    v->constant = t;
    v->pinned = v->written = true;
    map_put(&e->constants, t, number + 1);
    return number;
}

static void emit_node(Emit *e, Node *n)
{
    u32 place = need_place(&e->need, n);
    switch (n->op) {
    case OP_PARAM: e->value[place] = e->param[n->attrs[0].i]; return;
    case OP_CONST: e->value[place] = value_of_constant(e, n); return;
    case OP_INPUT:
    case OP_SHARED: emit(e, I_LEAF, result(e, n), NO_REG, NO_REG)->u.node = n; return;
    case OP_SIZE: emit_size(e, n); return;
    case OP_TUPLE:
    case OP_PROJ: return;
    case OP_CHECK: e->value[place] = value_of(e, n->ops[1]); return;
    case OP_STOP_GRADIENT: e->value[place] = value_of(e, n->ops[0]); return;
    case OP_DIM: {
        u32 x = value_of(e, n->ops[0]), out = result(e, n);
        emit(e, I_DIM, out, x, NO_REG)->u.k = n->attrs[0].i;
        return;
    }
    case OP_FUSED: emit_fused(e, n); return;
    default: break;
    }
    if (op_table[n->op].cls == CLASS_CONTROL)
        emit_control(e, n);
    else if (n->op == OP_MATCH_SHAPE && !n->type->rank)
        e->value[place] = value_of(e, n->ops[0]);
    else if (!emit_scalar(e, n) && !(n->op == OP_INDEX && emit_element(e, n)))
        emit_array(e, n);
}

/* Checks run as soon as their condition is known, so mostly before what they guard, whose
 * own failure would say less. */
static void link_checks(Emit *e)
{
    size_t n = e->need.order.len;
    e->check = xmalloc((n + 1) * sizeof *e->check);
    e->next_check = xmalloc((n + 1) * sizeof *e->next_check);
    for (size_t i = 0; i < n; i++)
        e->check[i] = NO_REG;
    for (size_t i = n; i-- > 0;)
        if (e->need.needed[i] == NEED_ALWAYS && !e->need.leaf[i] &&
            e->need.order.at[i]->op == OP_CHECK) {
            u32 condition = need_place(&e->need, e->need.order.at[i]->ops[0]);
            e->next_check[i] = e->check[condition];
            e->check[condition] = (u32)i;
        }
}

/* An array of conditions: the operator itself tells which does not hold. What it lets through is
 * not asked for, so the conditions may stand there, too. */
static void emit_check_all(Emit *e, u32 conditions)
{
    Wide *w = emit_wide(e, I_ARRAY, e->at, 2, 1);
    w->in[0] = w->in[1] = arg_of(e, conditions);
    w->out[0] = (Arg){.reg = NO_REG, .kind = KIND_TENSOR};
}

static void emit_checks_of(Emit *e, u32 place)
{
    for (u32 c = e->check[place]; c != NO_REG; c = e->next_check[c]) {
        const Node *condition = e->need.order.at[place];
        bool le = condition->op == OP_LE, ge = condition->op == OP_GE;
        e->at = e->need.order.at[c];
        /* where the condition comes from outside its sides are not here */
        if (check_tells_sides(e->at) && (le || ge) && !e->need.leaf[place] &&
            !node_rank(condition) && node_dtype(condition->ops[0]) == DT_I64 &&
            node_dtype(condition->ops[1]) == DT_I64)
            emit(e, I_CHECK_LE, NO_REG, value_of(e, condition->ops[ge]),
                 value_of(e, condition->ops[le]));
        else if (node_rank(condition))
            emit_check_all(e, value_of(e, condition));
        else
            emit(e, I_CHECK, NO_REG, value_of(e, condition), NO_REG);
    }
}

bool emit_nodes(Emit *e)
{
    link_checks(e);
    u32 count, *order = plan_order(e, &count);
    for (u32 i = 0; i < count; i++) {
        u32 place = order[i];
        e->at = e->need.order.at[place];
        if (e->need.needed[place] != NEED_ALWAYS) {
            if (e->need.owner[place] == place + 1 && !e->need.leaf[place] && e->at->op != OP_PARAM)
                emit_delay(e, e->need.order.at[place]);
            continue;
        }
        if (!e->need.leaf[place])
            emit_node(e, e->need.order.at[place]);
        if (e->failed)
            break; /* the node has no value */
        if (e->trace)
            emit_traces_of(e, place);
        emit_checks_of(e, place);
    }
    e->at = NULL;
    free(order);
    return !e->failed;
}
