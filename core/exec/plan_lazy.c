/* What is computed when it is first needed: values that only a branch may need.
 *
 * Such a value, with all that nothing else needs, is a block of its own, which runs at most once in
 * each run of the code around it, when a branch, or a loop or a call in one, that takes it begins.
 * So an error in what nothing needs is none, whatever was rewritten before, and no work is done
 * twice.
 *
 * Invariant: what is always needed does not wait. What waits reads values of the code around it,
 * which are kept until after the last instruction that may need it. */
#include "exec/plan_work.h"
#include "graph/walk.h"

/* ---- what belongs together ---- */

/* Several want it, or what is always needed does, lazily. */
static const u32 SHARED_OWNER = UINT32_MAX;

/* Passes values on: nothing to compute. */
static bool passes_on(const Node *n) { return n->op == OP_PROJ || n->op == OP_TUPLE; }

/* There without being computed. */
static bool at_hand(const Node *n)
{
    return n->op == OP_CONST || n->op == OP_INPUT || n->op == OP_SHARED || n->op == OP_SIZE;
}

static bool operands_ready(const Need *need, u32 place)
{
    const Node *n = need->order.at[place];
    for (u32 k = 0; k < n->nops; k++) {
        u8 level = need->needed[need_place(need, n->ops[k])];
        if (level && level != NEED_ALWAYS)
            return false;
    }
    return true;
}

/* Is it less work to compute it at once than to wait? Only where it cannot fail. */
static bool computed_at_once(Planner *pl, const Need *need, u32 place)
{
    const Node *n = need->order.at[place];
    if (need->leaf[place])
        return need->leaf[place] == LEAF_READY;
    if (at_hand(n) || (n->op == OP_PARAM && n->attrs[0].i < need->ready))
        return true;
    if (n->op == OP_PARAM || !operands_ready(need, place))
        return false;
    if (passes_on(n) || n->op == OP_DIM)
        return true;
    return op_is_elementwise(n->op) && kind_of(n->type) != KIND_TENSOR && node_is_total(pl->st, n);
}

static void want(Need *need, const Node *n, u32 owner)
{
    u32 place = need_place(need, n), *own = &need->owner[place];
    if (need->needed[place] && need->needed[place] != NEED_ALWAYS)
        *own = *own && *own != owner ? SHARED_OWNER : owner;
}

void need_owners(Planner *pl, Need *need)
{
    bool any = false;
    for (u32 i = 0; i < need->order.len; i++) {
        if (!need->needed[i] || need->needed[i] == NEED_ALWAYS)
            continue;
        if (computed_at_once(pl, need, i))
            need->needed[i] = NEED_ALWAYS;
        else
            any = true;
    }
    for (u32 i = (u32)need->order.len; any && i-- > 0;) {
        const Node *n = need->order.at[i];
        u32 owner = need->needed[i] == NEED_ALWAYS ? SHARED_OWNER : need->owner[i];
        if (!need->needed[i])
            continue;
        if (owner == SHARED_OWNER && need->needed[i] != NEED_ALWAYS && !passes_on(n))
            owner = need->owner[i] = i + 1;
        for (u32 k = 0; k < need_operand_count(need, i); k++)
            want(need, n->ops[k], owner);
    }
}

/* ---- the block of one ---- */

/* What the part computed with `place` takes from the code around it. */
static bool comes_from_around(const Need *need, u32 owner, const Node *n)
{
    u32 place = need_place(need, n);
    if (need->leaf[place] || n->op == OP_PARAM)
        return true;
    if (n->op == OP_CONST || n->op == OP_TUPLE)
        return false;
    if (n->op == OP_PROJ && n->ops[0]->op == OP_TUPLE)
        return false;
    const Node *computed = n->op == OP_PROJ ? n->ops[0] : n;
    return need->owner[need_place(need, computed)] != owner;
}

static void find_leaves(const Need *need, u32 place, Leaves *leaves)
{
    Descent d = {0};
    descent_from(&d, need->order.at[place]);
    for (Node *n; (n = descent_next(&d));) {
        if (comes_from_around(need, place + 1, n)) {
            u32 at = need_place(need, n);
            u8 kind = need->needed[at] == NEED_ALWAYS ? LEAF_READY : LEAF_LAZY;
            map_put(&leaves->kind, n, kind);
            vec_push(&leaves->order, n);
            continue;
        }
        descent_operands(&d, n);
    }
    descent_end(&d);
}

/* Values for the leaves that are needed; they are the parameters of the block. */
static void leaf_params(Emit *e, const Leaves *leaves)
{
    size_t n = leaves->order.len;
    e->b->params = plan_alloc(e->pl, n, sizeof *e->b->params);
    for (size_t i = 0; i < n; i++) {
        const Node *leaf = leaves->order.at[i];
        if (!e->need.needed[i])
            continue;
        bool always = e->need.needed[i] == NEED_ALWAYS;
        u8 kind = always ? kind_of(leaf->type) : (u8)KIND_LAZY;
        u32 v = value_new(e, kind);
        e->values.at[v].written = true;
        *(always ? &e->value[i] : &e->lazy[i]) = v;
        e->b->params[e->b->nparams++] =
            (Slot){.index = (int)i, .kind = kind, .reg = v, .source = NO_REG, .pointer = NO_REG};
    }
}

/* The results that are wanted: the node itself, or its projections. */
static void results_of(Emit *e, Node *n, NodeVec *outs)
{
    const bool *used = e->need.used[need_place(&e->need, n)];
    if (n->type->kind != TYPE_TUPLE)
        vec_push(outs, n);
    for (int k = 0; n->type->kind == TYPE_TUPLE && k < n->type->nitems; k++)
        if (used && used[k])
            vec_push(outs, node_proj(e->pl->st, n, k));
}

static Block *plan_delayed(Emit *outer, const Leaves *leaves, const NodeVec *outs)
{
    Block *b = block_new(outer->pl, NULL, BLOCK_CALL);
    Emit e = {.pl = outer->pl, .b = b};
    bool ok = plan_code(&e, (int)outs->len, outs->at, NULL, leaves);
    if (ok) {
        leaf_params(&e, leaves);
        emit_nodes(&e);
        plan_outs(&e, (int)outs->len, outs->at, NULL);
        plan_finish(&e);
    }
    ok = ok && !e.failed;
    emit_free(&e);
    return ok ? b : NULL;
}

/* ---- in the code around it ---- */

static u32 lazy_value(Emit *e, Wide *w, u32 result, u32 value)
{
    u32 v = value_new(e, KIND_LAZY);
    e->values.at[v].written = true;
    e->values.at[v].delayed = w;
    w->lazy[result] = v;
    w->out[result] = arg_of(e, value);
    e->values.at[value].written = true;
    return v;
}

static Wide *new_delay(Emit *e, const Node *n, u32 nin, u32 nout)
{
    Wide *w = emit_wide(e, I_DELAY, n, nin, nout);
    w->lazy = plan_alloc(e->pl, nout, sizeof *w->lazy);
    vec_push(&e->delays, w);
    return w;
}

/* Like control_results: a value for each result, whether it is wanted or not. */
static void delayed_results(Emit *e, const Node *n, Wide *w)
{
    u32 place = need_place(&e->need, n), next = 0;
    bool tuple = n->type->kind == TYPE_TUPLE;
    int count = tuple ? n->type->nitems : 1;
    e->value[place] = (u32)e->values.len;
    for (int k = 0; k < count; k++)
        value_new(e, kind_of(tuple ? n->type->items[k] : n->type));
    e->lazy[place] = (u32)e->values.len;
    for (int k = 0; k < count; k++)
        if (!tuple || (e->need.used[place] && e->need.used[place][k]))
            lazy_value(e, w, next++, e->value[place] + (u32)k);
        else
            value_new(e, KIND_LAZY);
}

void emit_delay(Emit *e, Node *n)
{
    Leaves leaves = {0};
    NodeVec outs = {0};
    find_leaves(&e->need, need_place(&e->need, n), &leaves);
    results_of(e, n, &outs);
    Block *b = plan_delayed(e, &leaves, &outs);
    e->failed = e->failed || !b;
    Arg *in = xcalloc(leaves.order.len + 1, sizeof *in);
    for (u32 i = 0; b && i < b->nparams; i++)
        in[i] = arg_or_lazy(e, leaves.order.at[b->params[i].index], b->params[i].kind == KIND_LAZY);
    Wide *w = new_delay(e, n, b ? b->nparams : 0, (u32)outs.len);
    w->body[0] = b;
    memcpy(w->in, in, w->nin * sizeof *in);
    delayed_results(e, n, w);
    free(in);
    map_free(&leaves.kind);
    vec_free(&leaves.order);
    vec_free(&outs);
}

static u32 lazy_of(Emit *e, const Node *n)
{
    while (n->op == OP_PROJ && n->ops[0]->op == OP_TUPLE)
        n = n->ops[0]->ops[n->attrs[0].i];
    u32 place = need_place(&e->need, n);
    if (e->need.leaf[place])
        return e->lazy[place];
    if (n->op == OP_PARAM)
        return e->param[n->attrs[0].i];
    if (n->op == OP_PROJ)
        return e->lazy[need_place(&e->need, n->ops[0])] + (u32)n->attrs[0].i;
    return e->lazy[place];
}

Arg arg_or_lazy(Emit *e, const Node *n, bool lazily)
{
    bool ready = e->need.needed[need_place(&e->need, n)] == NEED_ALWAYS;
    if (ready && !lazily)
        return arg_of(e, value_of(e, n));
    if (!ready)
        return arg_of(e, lazy_of(e, n));
    Wide *w = new_delay(e, n, 0, 1); /* what takes it does not know that it is there already */
    return arg_of(e, lazy_value(e, w, 0, value_of(e, n)));
}

static void keep(Emit *e, Arg a, u32 stamp)
{
    Value *v = &e->values.at[a.reg];
    if (v->kept == stamp)
        return;
    v->kept = stamp;
    if (a.kind == KIND_TENSOR)
        emit(e, I_KEEP, NO_REG, a.reg, NO_REG);
    Wide *w = v->delayed;
    for (u32 k = 0; w && k < w->nout; k++)
        keep(e, w->out[k], stamp);
    for (u32 k = 0; w && k < w->nin; k++)
        keep(e, w->in[k], stamp);
}

void emit_kept(Emit *e, const Arg *args, u32 n)
{
    u32 stamp = (u32)e->code.len;
    for (u32 k = 0; k < n; k++)
        if (args[k].kind == KIND_LAZY)
            keep(e, args[k], stamp);
}
