/* Stencils: loops over states that are put together from slices: x[1:-1], concat((x[:1], ..,
 * x[-1:])), and so rolls and pads. Each part of a next state is computed straight from where its
 * operands lie into where it goes; slices and joins are no work of their own. States have two
 * memories that change places.
 *
 * Invariant: an element goes through the operations that the code of the body has for it. */
#include "exec/plan_made.h"

enum {
    MOST_VISITS = 20000, /* of values: what slices of slices share is visited again for each */
    MOST_PARTS = 64      /* each a call in every step: with more nothing is gained */
};

typedef struct {
    const Body *b;
    Shifts *s;
    VEC(ShiftPart) parts;
    u64 work; /* elements times operations, in the parts */
    u32 visits;
} Find;

static bool same_extent(Extent a, Extent b) { return a.rows == b.rows && a.columns == b.columns; }
static i64 elements(Extent e) { return e.rows * e.columns; }

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
        i64 count = m->by_rows ? f->b->made[x].is.rows : f->b->made[x].is.columns;
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
    const Made *m = &f->b->made[v];
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
        if (!f->b->made[m->of->in[k].reg].scalar &&
            !find_cuts(f, m->of->in[k].reg, from, n, at, cuts))
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
    const Made *m = &r->f->b->made[v];
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
        Extent is = r->f->b->made[m->of->in[k].reg].is;
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
    part.out = plan_alloc(f->b->e->pl, f->s->nouts, sizeof *part.out);
    for (int round = 0; round < 2; round++) {
        r.nin = (u32)r.columns.len;
        r.steps.len = r.done.len = 0;
        for (u32 k = 0; k < f->s->nouts; k++)
            part.out[k] = f->b->out[k] == NO_REG || !same_extent(f->b->made[f->b->out[k]].is, all)
                              ? NO_REG
                              : range_value(&r, f->b->out[k], from);
    }
    part.nin = r.nin;
    part.in = plan_keep(f->b->e->pl, r.columns.at, r.columns.len, sizeof *part.in);
    part.tiles.nsteps = (u32)r.steps.len;
    part.tiles.steps = plan_keep(f->b->e->pl, r.steps.at, r.steps.len, sizeof *part.tiles.steps);
    part.tiles.size = plan_alloc(f->b->e->pl, r.nin, 1);
    for (u32 k = 0; k < r.nin; k++)
        part.tiles.size[k] = f->b->size.at[r.columns.at[k].input];
    place_steps(&r, &part);
    join_rows(&part);
    f->work += (u64)elements(n) * part.tiles.nsteps;
    plan_room(f->b->e->pl, part.nin + part.tiles.nsteps, part.tiles.nbuffers);
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
        if (f->b->out[k] != NO_REG && same_extent(f->b->made[f->b->out[k]].is, all))
            ok = find_cuts(f, f->b->out[k], at, n, at, cuts);
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
        bool seen = f->b->out[k] == NO_REG;
        for (u32 i = 0; i < k && !seen; i++)
            seen = f->b->out[i] != NO_REG &&
                   same_extent(f->b->made[f->b->out[i]].is, f->b->made[f->b->out[k]].is);
        ok = seen || add_parts(f, f->b->made[f->b->out[k]].is);
    }
    return ok && f->work <= f->b->work + f->b->work / 2;
}

static void keep(Find *f)
{
    Shifts *s = f->s;
    s->nin = (u32)f->b->in.len;
    s->in = plan_keep(f->b->e->pl, f->b->in.at, f->b->in.len, sizeof *s->in);
    s->size = plan_keep(f->b->e->pl, f->b->size.at, f->b->size.len, sizeof *s->size);
    s->nparts = (u32)f->parts.len;
    s->parts = plan_keep(f->b->e->pl, f->parts.at, f->parts.len, sizeof *s->parts);
    s->count = plan_alloc(f->b->e->pl, s->nin, sizeof *s->count);
    for (size_t v = 0; v < f->b->e->values.len; v++)
        if (f->b->made[v].kind == MADE_INPUT)
            s->count[f->b->made[v].input] = elements(f->b->made[v].is);
    for (u32 k = 0; k < s->nouts; k++)
        s->changes[k] = f->b->out[k] != NO_REG;
    f->b->e->b->shifts = s;
}

void plan_shifts(const Body *b)
{
    const Block *block = b->e->b;
    Find f = {.b = b, .s = plan_alloc(b->e->pl, 1, sizeof *f.s)};
    f.s->nstates = block->nstates;
    f.s->nouts = block->nstates + block->ntraces;
    f.s->changes = plan_alloc(b->e->pl, f.s->nouts, sizeof *f.s->changes);
    if (find_parts(&f))
        keep(&f);
    vec_free(&f.parts);
}
