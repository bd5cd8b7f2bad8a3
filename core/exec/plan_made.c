/* What the values of a loop's body are made of, if it works on arrays and nothing in it can fail:
 * all steps of such a loop are done on a tile at a time (plan_lanes.c), or, where its states are
 * put together from slices, part by part (plan_shifts.c). */
#include "exec/plan_made.h"

static bool extent_of(const Type *t, Extent *is)
{
    i64 count = 1;
    *is = (Extent){1, 1};
    for (int i = 0; i < t->rank; i++) {
        i64 n;
        if (!size_is_const(t->dims[i], &n) || n < 0 || __builtin_mul_overflow(count, n, &count))
            return false;
        if (i == 0 && t->rank > 1)
            is->rows = n;
        else
            is->columns *= n;
    }
    return true;
}

/* Are the pieces along that axis one below the other, or side by side? Neither: inside of rows. */
static bool axis_splits(const Type *t, int axis, bool *by_rows)
{
    *by_rows = t->rank > 1 && axis == 0;
    return *by_rows || (t->rank <= 2 && axis == t->rank - 1);
}

static void add_input(Body *f, u32 value, LaneInput in, size_t size, Extent is)
{
    f->made[value] = (Made){.kind = MADE_INPUT, .is = is, .scalar = !size, .input = (u32)f->in.len};
    vec_push(&f->in, in);
    vec_push(&f->size, (u8)size);
}

/* States are arrays that change, or do not; the rest are arrays and scalars. */
static bool add_params(Body *f)
{
    const Block *b = f->e->b;
    for (u32 i = 0; i < b->nparams; i++) {
        const Slot *p = &b->params[i];
        const Type *t = b->graph->params[p->index];
        Extent is = {0, 0};
        if (p->kind == KIND_LAZY || (i < b->nstates && p->kind != KIND_TENSOR) ||
            t->kind != TYPE_TENSOR || t->dtype == DT_RNG)
            return false;
        f->sized = extent_of(t, &is) && f->sized;
        add_input(f, p->reg, (LaneInput){.param = i}, t->rank ? dtype_size(t->dtype) : 0, is);
    }
    return true;
}

static bool add_constants(Body *f, const Wide *w)
{
    for (u32 k = 0; k < w->nin; k++) {
        u32 v = w->in[k].reg;
        const Tensor *t = f->e->values.at[v].constant;
        if (!t || f->made[v].kind)
            continue;
        i64 rows = t->rank > 1 && t->shape[0] ? t->shape[0] : 1;
        add_input(f, v, (LaneInput){.param = NO_REG, .constant = t},
                  t->rank ? dtype_size(t->dtype) : 0, (Extent){rows, t->count / rows});
        if (t->dtype == DT_RNG)
            return false;
    }
    return true;
}

/* Whether all elements of a value are true, in a loop that this may stop. */
static bool made_test(Body *f, const Node *n, u32 value)
{
    bool first = f->test == NO_REG;
    f->test = value;
    return first && f->e->b->stop && tests_all(n);
}

/* Reductions of a group are no values of the body, but for one that stops it. */
static bool made_folds(Body *f, const Wide *w)
{
    bool ok = true;
    for (u32 i = 0; i < w->tiles->nfolds && ok; i++)
        ok = made_test(f, w->tiles->folds[i].node, w->out[w->tiles->folds[i].out].reg);
    return ok;
}

/* Elementwise steps on what is known. */
static bool made_steps(Body *f, const Wide *w)
{
    const Made *like = NULL;
    for (u32 k = 0; k < w->nin; k++) {
        const Made *m = &f->made[w->in[k].reg];
        bool other = f->sized && like && !m->scalar &&
                     (m->is.rows != like->is.rows || m->is.columns != like->is.columns);
        if (!m->kind || other)
            return false;
        like = m->scalar ? like : m;
    }
    if (!like)
        return false;
    Extent is = like->is;
    for (u32 k = 0; k < w->nout; k++)
        if (!w->tiles || w->tiles->outs[k] != NO_REG)
            f->made[w->out[k].reg] = (Made){.kind = MADE_STEPS, .is = is, .of = w, .out = k};
    f->work += (u64)(is.rows * is.columns) * wide_step_count(w);
    return true;
}

static bool made_slice(Body *f, const Wide *w)
{
    const Node *n = w->node;
    const Made *x = &f->made[w->in[0].reg];
    const Tensor *start = f->e->values.at[w->in[1].reg].constant;
    Extent is;
    bool by_rows;
    if (!x->kind || !start || n->attrs[1].i != 1 ||
        !axis_splits(n->type, (int)n->attrs[0].i, &by_rows) || !extent_of(n->type, &is))
        return false;
    i64 first = tensor_i64_at(start, 0);
    i64 all = by_rows ? x->is.rows : x->is.columns, length = by_rows ? is.rows : is.columns;
    if (first < 0 || first > all || length > all - first)
        return false;
    f->made[w->out[0].reg] = (Made){
        .kind = MADE_SLICE, .is = is, .start = {by_rows ? first : 0, by_rows ? 0 : first}, .of = w};
    return true;
}

static bool made_join(Body *f, const Wide *w)
{
    Made m = {.kind = MADE_JOIN, .of = w};
    if (!axis_splits(w->node->type, (int)w->node->attrs[0].i, &m.by_rows))
        return false;
    for (u32 k = 0; k < w->nin; k++) {
        const Made *x = &f->made[w->in[k].reg];
        if (!x->kind)
            return false;
        m.is.rows = m.by_rows ? m.is.rows + x->is.rows : x->is.rows;
        m.is.columns = m.by_rows ? x->is.columns : m.is.columns + x->is.columns;
    }
    f->made[w->out[0].reg] = m;
    return true;
}

static bool made_array(Body *f, const Wide *w)
{
    if (w->nout != 1 || w->node->type->kind != TYPE_TENSOR || !add_constants(f, w))
        return false;
    if (fused_elementwise(w->node))
        return made_steps(f, w);
    if (tests_all(w->node))
        return f->made[w->in[0].reg].kind && made_test(f, w->node, w->out[0].reg);
    f->moves = true;
    return f->sized && ((w->node->op == OP_SLICE && made_slice(f, w)) ||
                        (w->node->op == OP_CONCAT && made_join(f, w)));
}

static bool made_handing(Body *f, const Ins *ins)
{
    if (!f->made[ins->a].kind)
        return false;
    if (f->e->values.at[ins->d].loop_state)
        f->out[f->made[ins->d].input] = ins->a;
    else
        f->made[ins->d] = f->made[ins->a];
    return true;
}

static bool made_ins(Body *f, const Ins *ins)
{
    switch ((InsOp)ins->op) {
    case I_FUSED:
        return add_constants(f, ins->u.wide) && made_steps(f, ins->u.wide) &&
               made_folds(f, ins->u.wide);
    case I_STOP: f->stops = ins->a == f->test; return f->stops;
    case I_ARRAY: return made_array(f, ins->u.wide);
    case I_TAKE:
    case I_SHARE: return made_handing(f, ins);
    case I_ROWT: f->out[f->e->b->nstates + ins->c] = ins->a; return f->made[ins->a].kind;
    case I_DROP:
    case I_KEEP:
    case I_LOOP:
    case I_SEQT:
    case I_SEQ8:
    case I_SEQ4:
    case I_SEQ1: return true;
    default: return false;
    }
}

static bool find_made(Body *f)
{
    if (!add_params(f))
        return false;
    for (size_t i = 0; i < f->e->code.len; i++)
        if (!made_ins(f, &f->e->code.at[i]))
            return false;
    return true;
}

static bool traces_arrays(const Block *b)
{
    for (u32 k = 0; k < b->ntraces; k++)
        if (b->traces[k].kind != KIND_TENSOR)
            return false;
    return true;
}

void plan_arrays(Emit *e)
{
    Block *b = e->b;
    if ((e->pl->flags & PLAN_PLAIN) || e->delays.len || !traces_arrays(b))
        return;
    u32 nouts = b->nstates + b->ntraces;
    Body f = {.e = e, .sized = true, .test = NO_REG};
    f.made = xcalloc(e->values.len + 1, sizeof *f.made);
    f.out = xmalloc(((size_t)nouts + 1) * sizeof *f.out);
    for (u32 i = 0; i < nouts; i++)
        f.out[i] = NO_REG;
    bool ok = find_made(&f);
    if (ok && !f.moves)
        plan_lanes(&f);
    else if (ok && f.sized && f.work && b->nstates && !b->stop)
        plan_shifts(&f);
    free(f.made);
    free(f.out);
    vec_free(&f.in);
    vec_free(&f.size);
}
