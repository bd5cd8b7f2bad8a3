/* Stencils: loops over states that are put together from slices: x[1:-1], concat((x[:1], ..,
 * x[-1:])), and so rolls and pads. Each part of a next state is computed straight from where its
 * operands lie into where it goes; slices and joins are no work of their own. States have two
 * memories that change places. An array is a matrix here: a vector is one row, and what has more
 * axes has rows along the first.
 *
 * Invariant: an element goes through the operations that the code of the body has for it, and
 * nothing in the body can fail: all lengths and positions are known here. */
#include "exec/plan_work.h"

enum {
    MOST_VISITS = 20000, /* of values: what slices of slices share is visited again for each */
    MOST_PARTS = 64      /* each a call in every step: with more nothing is gained */
};

/* A place in a matrix, and how much of it. */
typedef struct {
    i64 row, column;
} Place;

typedef struct {
    i64 rows, columns;
} Extent;

/* What a value is made of. */
typedef struct {
    enum { MADE_NOT, MADE_INPUT, MADE_SLICE, MADE_JOIN, MADE_STEPS } kind;
    Extent is; /* of a scalar 1, 1 */
    bool scalar;
    bool by_rows;   /* MADE_JOIN: its operands are one below the other */
    u32 input;      /* MADE_INPUT */
    Place start;    /* MADE_SLICE: of its first operand */
    const Wide *of; /* slice, join, steps */
    u32 out;        /* steps: the result */
} Made;

typedef struct {
    Emit *e;
    Shifts *s;
    Made *made; /* by value */
    VEC(LaneInput) in;
    VEC(u8) size;
    VEC(ShiftPart) parts;
    u64 plain, work; /* elements times operations, in the body and in the parts */
    u32 visits;
} Find;

/* ---- what values are ---- */

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

static bool same_extent(Extent a, Extent b) { return a.rows == b.rows && a.columns == b.columns; }
static i64 elements(Extent e) { return e.rows * e.columns; }

static bool add_input(Find *f, u32 value, u32 param, const Tensor *constant, const Type *t)
{
    Made *m = &f->made[value];
    m->kind = MADE_INPUT;
    m->scalar = t->rank == 0;
    m->input = (u32)f->in.len;
    vec_push(&f->in, ((LaneInput){.param = param, .constant = constant}));
    vec_push(&f->size, m->scalar ? 0 : (u8)dtype_size(t->dtype));
    return t->kind == TYPE_TENSOR && t->dtype != DT_RNG && extent_of(t, &m->is);
}

static bool add_params(Find *f)
{
    const Block *b = f->e->b;
    for (u32 i = 0; i < b->nparams; i++) {
        const Slot *p = &b->params[i];
        if (p->kind == KIND_LAZY || (i < b->nstates && p->kind != KIND_TENSOR) ||
            !add_input(f, p->reg, i, NULL, b->graph->params[p->index]))
            return false;
    }
    return true;
}

static bool add_constants(Find *f, const Wide *w)
{
    for (u32 k = 0; k < w->nin; k++) {
        u32 v = w->in[k].reg;
        const Tensor *t = f->e->values.at[v].constant;
        if (!t || f->made[v].kind)
            continue;
        Made *m = &f->made[v];
        bool matrix = t->rank > 1 && t->shape[0];
        *m = (Made){.kind = MADE_INPUT,
                    .is = {matrix ? t->shape[0] : 1, matrix ? t->count / t->shape[0] : t->count},
                    .scalar = !t->rank,
                    .input = (u32)f->in.len};
        vec_push(&f->in, ((LaneInput){.param = NO_REG, .constant = t}));
        vec_push(&f->size, t->rank ? (u8)dtype_size(t->dtype) : 0);
        if (t->dtype == DT_RNG)
            return false;
    }
    return true;
}

/* Operands are known; *is: of those that are arrays. */
static bool operands_known(const Find *f, const Wide *w, Extent *is)
{
    bool array = false;
    for (u32 k = 0; k < w->nin; k++) {
        const Made *m = &f->made[w->in[k].reg];
        if (!m->kind || (!m->scalar && array && !same_extent(m->is, *is)))
            return false;
        if (!m->scalar)
            *is = m->is, array = true;
    }
    return array;
}

static bool made_steps(Find *f, const Wide *w, u32 nsteps)
{
    Extent is;
    if (!operands_known(f, w, &is))
        return false;
    for (u32 k = 0; k < w->nout; k++)
        f->made[w->out[k].reg] = (Made){.kind = MADE_STEPS, .is = is, .of = w, .out = k};
    f->plain += (u64)elements(is) * nsteps;
    return true;
}

static bool made_slice(Find *f, const Wide *w)
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

static bool made_join(Find *f, const Wide *w)
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

static bool made_array(Find *f, const Wide *w)
{
    if (w->nout != 1 || w->node->type->kind != TYPE_TENSOR || !add_constants(f, w))
        return false;
    return w->node->op == OP_SLICE      ? made_slice(f, w)
           : w->node->op == OP_CONCAT   ? made_join(f, w)
           : fused_elementwise(w->node) ? made_steps(f, w, tile_step_count(w->node))
                                        : false;
}

static bool made_handing(Find *f, const Ins *ins, u32 *next)
{
    if (!f->made[ins->a].kind)
        return false;
    if (f->e->values.at[ins->d].loop_state)
        next[f->made[ins->d].input] = ins->a;
    else
        f->made[ins->d] = f->made[ins->a];
    return true;
}

static bool made_ins(Find *f, const Ins *ins, u32 *next, u32 *trace)
{
    switch ((InsOp)ins->op) {
    case I_FUSED:
        return !ins->u.wide->tiles->nfolds && add_constants(f, ins->u.wide) &&
               made_steps(f, ins->u.wide, ins->u.wide->tiles->nsteps);
    case I_ARRAY: return made_array(f, ins->u.wide);
    case I_TAKE:
    case I_SHARE: return made_handing(f, ins, next);
    case I_ROWT: trace[ins->c] = ins->a; return f->made[ins->a].kind;
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

/* ---- where parts end ---- */

typedef struct {
    bool rows; /* or columns */
    VEC(i64) at;
} Cuts;

static bool find_cuts(Find *f, u32 v, Place from, Extent n, Place at, Cuts *cuts);

/* What lies of [from, from + n) in a piece of a join that starts there; *at moves on by as much. */
static void in_piece(i64 start, i64 count, i64 *from, i64 *n, i64 *at)
{
    i64 low = *from > start ? *from : start;
    i64 high = *from + *n < start + count ? *from + *n : start + count;
    *at += low - *from;
    *from = low - start;
    *n = high - low;
}

static bool cuts_of_join(Find *f, const Made *m, Place from, Extent n, Place at, Cuts *cuts)
{
    i64 start = 0;
    for (u32 k = 0; k < m->of->nin; k++) {
        u32 x = m->of->in[k].reg;
        i64 count = m->by_rows ? f->made[x].is.rows : f->made[x].is.columns;
        Place inside = from, to = at;
        Extent part = n;
        if (m->by_rows)
            in_piece(start, count, &inside.row, &part.rows, &to.row);
        else
            in_piece(start, count, &inside.column, &part.columns, &to.column);
        start += count;
        if (part.rows <= 0 || part.columns <= 0)
            continue;
        if (m->by_rows == cuts->rows)
            vec_push(&cuts->at, m->by_rows ? to.row : to.column);
        if (!find_cuts(f, x, inside, part, to, cuts))
            return false;
    }
    return true;
}

/* n elements of a value from a place on stand at `at` of the result. */
static bool find_cuts(Find *f, u32 v, Place from, Extent n, Place at, Cuts *cuts)
{
    const Made *m = &f->made[v];
    if (++f->visits > MOST_VISITS)
        return false;
    if (m->kind == MADE_INPUT || n.rows <= 0 || n.columns <= 0)
        return true;
    if (m->kind == MADE_SLICE)
        return find_cuts(f, m->of->in[0].reg,
                         (Place){from.row + m->start.row, from.column + m->start.column}, n, at,
                         cuts);
    if (m->kind == MADE_JOIN)
        return cuts_of_join(f, m, from, n, at, cuts);
    for (u32 k = 0; k < m->of->nin; k++)
        if (!f->made[m->of->in[k].reg].scalar && !find_cuts(f, m->of->in[k].reg, from, n, at, cuts))
            return false;
    return true;
}

static int by_size(const void *a, const void *b)
{
    i64 x = *(const i64 *)a, y = *(const i64 *)b;
    return x < y ? -1 : x > y;
}

/* ---- a part ---- */

typedef struct {
    Find *f;
    VEC(ShiftColumn) columns;
    VEC(TileStep) steps;
    VEC(struct {
        const Wide *of;
        Place from;
        u32 first;
    }) done;
    u32 nin;
    bool counting; /* operands are found, steps are not yet written */
} Range;

static u32 operand_of(Range *r, const Made *m, Place at)
{
    i64 from = m->scalar ? 0 : at.row * m->is.columns + at.column;
    for (u32 k = 0; k < r->columns.len; k++)
        if (r->columns.at[k].input == m->input && r->columns.at[k].from == from)
            return k;
    vec_push(&r->columns, ((ShiftColumn){m->input, from, m->scalar ? 0 : m->is.columns}));
    return (u32)r->columns.len - 1;
}

static u32 range_value(Range *r, u32 v, Place from);

/* The first step of a group on that part; all steps once. */
static u32 range_steps(Range *r, const Wide *w, Place from)
{
    for (size_t i = 0; i < r->done.len; i++)
        if (r->done.at[i].of == w && r->done.at[i].from.row == from.row &&
            r->done.at[i].from.column == from.column)
            return r->done.at[i].first;
    u32 *columns = xmalloc(((size_t)w->nin + 1) * sizeof *columns);
    for (u32 k = 0; k < w->nin; k++)
        columns[k] = range_value(r, w->in[k].reg, from);
    u32 first = r->nin + (u32)r->steps.len;
    for (u32 i = 0; i < wide_step_count(w); i++)
        vec_push(&r->steps, (TileStep){.node = w->node});
    wide_steps_of(w, columns, first, &r->steps.at[first - r->nin]);
    free(columns);
    vec_push(&r->done, ((__typeof__(*r->done.at)){w, from, first}));
    return first;
}

/* The column of a value from a place on. */
static u32 range_value(Range *r, u32 v, Place from)
{
    const Made *m = &r->f->made[v];
    switch (m->kind) {
    case MADE_INPUT: return operand_of(r, m, from);
    case MADE_SLICE:
        return range_value(r, m->of->in[0].reg,
                           (Place){from.row + m->start.row, from.column + m->start.column});
    case MADE_STEPS: return wide_column(m->of, m->out, range_steps(r, m->of, from));
    default: break;
    }
    u32 k = 0;
    i64 *along = m->by_rows ? &from.row : &from.column;
    for (;; k++) {
        Extent is = r->f->made[m->of->in[k].reg].is;
        i64 count = m->by_rows ? is.rows : is.columns;
        if (*along < count)
            break;
        *along -= count;
    }
    return range_value(r, m->of->in[k].reg, from);
}

static void place_steps(Range *r, ShiftPart *part)
{
    Tiles *t = &part->tiles;
    u32 *last = tile_last_reads(t, r->nin);
    for (u32 k = 0; k < r->f->s->nouts; k++)
        if (part->out[k] >= r->nin && part->out[k] != NO_REG)
            t->steps[part->out[k] - r->nin].out = k; /* straight to where it goes */
    tile_place_steps(t, r->nin, last);
    free(last);
}

/* Rows without gaps are one. */
static void join_rows(ShiftPart *part)
{
    bool whole = part->count == part->pitch;
    for (u32 k = 0; k < part->nin; k++)
        whole &= part->in[k].pitch == part->count || !part->tiles.size[k];
    if (whole) {
        part->count *= part->rows;
        part->rows = 1;
    }
}

/* Steps refer to columns, of which operands come first: so these are found in a first round. */
static void add_part(Find *f, Extent all, Place from, Extent n)
{
    Range r = {.f = f};
    ShiftPart part = {.from = from.row * all.columns + from.column,
                      .pitch = all.columns,
                      .rows = n.rows,
                      .count = n.columns};
    part.out = plan_alloc(f->e->pl, f->s->nouts, sizeof *part.out);
    for (int round = 0; round < 2; round++) {
        r.nin = (u32)r.columns.len;
        r.steps.len = r.done.len = 0;
        for (u32 k = 0; k < f->s->nouts; k++)
            part.out[k] = f->s->value[k] == NO_REG || !same_extent(f->made[f->s->value[k]].is, all)
                              ? NO_REG
                              : range_value(&r, f->s->value[k], from);
    }
    part.nin = r.nin;
    part.in = plan_keep(f->e->pl, r.columns.at, r.columns.len, sizeof *part.in);
    part.tiles.nsteps = (u32)r.steps.len;
    part.tiles.steps = plan_keep(f->e->pl, r.steps.at, r.steps.len, sizeof *part.tiles.steps);
    part.tiles.size = plan_alloc(f->e->pl, r.nin, 1);
    for (u32 k = 0; k < r.nin; k++)
        part.tiles.size[k] = f->size.at[r.columns.at[k].input];
    place_steps(&r, &part);
    join_rows(&part);
    f->work += (u64)elements(n) * part.tiles.nsteps;
    plan_room(f->e->pl, part.nin + part.tiles.nsteps, part.tiles.nbuffers);
    vec_push(&f->parts, part);
    vec_free(&r.columns);
    vec_free(&r.steps);
    vec_free(&r.done);
}

/* Where the results of that shape are cut along one axis, from `at` on for so many. */
static bool all_cuts(Find *f, Extent all, Place at, Extent n, Cuts *cuts)
{
    bool ok = true;
    cuts->at.len = 0;
    vec_push(&cuts->at, cuts->rows ? at.row : at.column);
    vec_push(&cuts->at, cuts->rows ? at.row + n.rows : at.column + n.columns);
    for (u32 k = 0; ok && k < f->s->nouts; k++)
        if (f->s->value[k] != NO_REG && same_extent(f->made[f->s->value[k]].is, all))
            ok = find_cuts(f, f->s->value[k], at, n, at, cuts);
    qsort(cuts->at.at, cuts->at.len, sizeof *cuts->at.at, by_size);
    return ok;
}

/* All results of that shape, part by part: rows between cuts, then columns of these. */
static bool add_parts(Find *f, Extent all)
{
    Cuts rows = {.rows = true}, columns = {.rows = false};
    bool ok = all_cuts(f, all, (Place){0, 0}, all, &rows);
    for (size_t i = 0; ok && i + 1 < rows.at.len; i++) {
        Place from = {rows.at.at[i], 0};
        Extent n = {rows.at.at[i + 1] - from.row, all.columns};
        ok = n.rows == 0 || all_cuts(f, all, from, n, &columns);
        for (size_t k = 0; ok && n.rows && k + 1 < columns.at.len; k++) {
            from.column = columns.at.at[k];
            n.columns = columns.at.at[k + 1] - from.column;
            if (n.columns)
                add_part(f, all, from, n);
            ok = f->parts.len <= MOST_PARTS;
        }
    }
    vec_free(&rows.at);
    vec_free(&columns.at);
    return ok;
}

/* ---- all ---- */

static bool find_parts(Find *f)
{
    Shifts *s = f->s;
    bool ok = true;
    for (u32 k = 0; ok && k < s->nouts; k++) {
        bool seen = s->value[k] == NO_REG;
        for (u32 i = 0; i < k && !seen; i++)
            seen = s->value[i] != NO_REG &&
                   same_extent(f->made[s->value[i]].is, f->made[s->value[k]].is);
        ok = seen || add_parts(f, f->made[s->value[k]].is);
    }
    return ok && f->work <= f->plain + f->plain / 2;
}

static void keep(Find *f)
{
    Shifts *s = f->s;
    s->nin = (u32)f->in.len;
    s->in = plan_keep(f->e->pl, f->in.at, f->in.len, sizeof *s->in);
    s->size = plan_keep(f->e->pl, f->size.at, f->size.len, sizeof *s->size);
    s->nparts = (u32)f->parts.len;
    s->parts = plan_keep(f->e->pl, f->parts.at, f->parts.len, sizeof *s->parts);
    s->count = plan_alloc(f->e->pl, s->nin, sizeof *s->count);
    for (size_t v = 0; v < f->e->values.len; v++)
        if (f->made[v].kind == MADE_INPUT)
            s->count[f->made[v].input] = elements(f->made[v].is);
    for (u32 k = 0; k < s->nouts; k++)
        s->changes[k] = s->value[k] != NO_REG;
    f->e->b->shifts = s;
}

void plan_shifts(Emit *e)
{
    Block *b = e->b;
    if ((e->pl->flags & PLAN_PLAIN) || b->stop || e->delays.len || b->lanes || !b->nstates ||
        !plan_traces_arrays(b))
        return;
    u32 nouts = b->nstates + b->ntraces;
    Find f = {.e = e, .s = plan_alloc(e->pl, 1, sizeof *f.s)};
    f.made = xcalloc(e->values.len + 1, sizeof *f.made);
    f.s->nouts = nouts;
    f.s->nstates = b->nstates;
    f.s->value = plan_alloc(e->pl, nouts, sizeof *f.s->value);
    f.s->changes = plan_alloc(e->pl, nouts, sizeof *f.s->changes);
    for (u32 i = 0; i < nouts; i++)
        f.s->value[i] = NO_REG;
    bool ok = add_params(&f);
    for (size_t i = 0; ok && i < e->code.len; i++)
        ok = made_ins(&f, &e->code.at[i], f.s->value, f.s->value + b->nstates);
    if (ok && f.plain && find_parts(&f))
        keep(&f);
    free(f.made);
    vec_free(&f.in);
    vec_free(&f.size);
    vec_free(&f.parts);
}
