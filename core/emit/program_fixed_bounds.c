/* Masks that hold on a range of places (iota > k) in loops over arrays of known shapes
 * (program_fixed.c): where a group keeps an operand as it is outside of a box, only the box is
 * computed, in the memory of the operand.
 *
 * Which elements are kept is decided along one axis at a time. A comparison of a vector that counts
 * with a scalar is false outside of a range; so is what it is joined with, and a choice by it is
 * one of its sides there. A product with zeros is zeros if all else is finite; what they are added
 * to stays as it is, unless it is -0, which x + 0 is not: whether a state has none is kept up from
 * step to step. All of this is decided as the loop runs; if anything is otherwise, all is computed.
 *
 * Invariant: an element that is not computed has the bits that it would get. */
#include "emit/program_fixed_bounds.h"

/* An operand with that many times fewer elements than the group may be looked at in each step. */
enum { FEWER = 8 };

/* ---- ranges ---- */

static void declare_range(const Bounds *b, u32 column, const char *lo, const char *hi)
{
    if (b->write)
        say(b->n->f->s, "const i64 lo%u_%d = %s, hi%u_%d = %s;", column, b->axis, lo, column,
            b->axis, hi);
}

/* What holds outside of x and outside of y (outside of the least range that has both), or outside
 * of either. */
static u32 range_of_two(const Bounds *b, u32 column, u32 x, u32 y, bool both)
{
    if (x == NO_REG || y == NO_REG || x == y)
        return (x == NO_REG) == both ? y : x;
    const char *first = both ? "<" : ">", *last = both ? ">" : "<";
    Word lo, hi;
    snprintf(lo.at, sizeof lo.at, "lo%u_%d %s lo%u_%d ? lo%u_%d : lo%u_%d", x, b->axis, first, y,
             b->axis, x, b->axis, y, b->axis);
    snprintf(hi.at, sizeof hi.at, "hi%u_%d %s hi%u_%d ? hi%u_%d : hi%u_%d", x, b->axis, last, y,
             b->axis, x, b->axis, y, b->axis);
    declare_range(b, column, lo.at, hi.at);
    return column;
}

/* ---- operands ---- */

static i64 elements(const Nest *n)
{
    i64 count = 1;
    for (int i = 0; i < n->rank; i++)
        count *= n->shape[i];
    return count;
}

static const NestColumn *column_at(const Bounds *b, u32 column) { return &b->n->column.at[column]; }

static bool is_operand(const Bounds *b, u32 column)
{
    return column_at(b, column)->is == NEST_OPERAND;
}

/* A vector along the axis, which is all of it. */
static bool is_along(const Bounds *b, u32 column)
{
    const Nest *n = b->n;
    const NestColumn *c = column_at(b, column);
    bool along = c->is == NEST_OPERAND && !c->scalar && !c->offset &&
                 n->f->v[c->reg].like.count == n->shape[b->axis];
    for (int i = 0; i < n->rank && along; i++)
        along = c->stride[i] == (i == b->axis);
    return along;
}

static const Tensor *constant_of(const Bounds *b, u32 column)
{
    const NestColumn *c = column_at(b, column);
    return c->is == NEST_OPERAND && c->scalar ? b->n->f->s->constant[c->reg] : NULL;
}

static Outside outside_of_constant(const Tensor *t)
{
    static const char zeros[sizeof(double)];
    if (!t)
        return OUT_ANY;
    bool zero = !memcmp(t->data, zeros, dtype_size(t->dtype));
    if (t->dtype == DT_BOOL)
        return zero ? OUT_FALSE : OUT_TRUE;
    return zero ? OUT_ZERO : OUT_ANY;
}

static Bound operand_bound(Bounds *b, u32 k)
{
    const Fixed *f = b->n->f;
    const NestColumn *c = column_at(b, k);
    Word lo, hi;
    if (k == b->kept)
        return (Bound){OUT_KEPT, NO_REG};
    if (c->scalar)
        return (Bound){outside_of_constant(constant_of(b, k)), NO_REG};
    if (!f->outside[c->reg] || !is_along(b, k))
        return (Bound){OUT_ANY, NO_REG};
    snprintf(lo.at, sizeof lo.at, "lo%u", c->reg);
    snprintf(hi.at, sizeof hi.at, "hi%u", c->reg);
    declare_range(b, k, lo.at, hi.at);
    return (Bound){f->outside[c->reg], k};
}

/* It can be looked at: a scalar, or an array with few elements. */
static bool has_few(const Bounds *b, u32 column)
{
    const Nest *n = b->n;
    if (!is_operand(b, column) || column == b->kept)
        return false;
    const NestColumn *c = column_at(b, column);
    const FixedValue *v = &n->f->v[c->reg];
    return c->scalar || (v->known && (n->rank == 1 || v->like.count * FEWER <= elements(n)));
}

/* ---- steps ---- */

/* The vector that counts, as an operand of a comparison with a scalar; NO_REG: it is none. */
static u32 counter_of(const Bounds *b, const TileStep *s)
{
    for (u32 k = 0; s->kind == TILE_2 && s->from == DT_I64 && k < 2; k++) {
        u32 at = s->arg[k], other = s->arg[1 - k];
        if (is_along(b, at) && is_operand(b, other) && column_at(b, other)->scalar &&
            fixed_is_base(b->n->f, column_at(b, at)->reg))
            return k;
    }
    return NO_REG;
}

/* Places before which the counter is less than the scalar, or no more than it. */
static Word cut(const Bounds *b, const TileStep *s, u32 counter, const char *function)
{
    Word w;
    const Nest *n = b->n;
    snprintf(w.at, sizeof w.at, "%s(%.60s, t%u[0], %lld)", function,
             value_of_reg(n->f->s, column_at(b, s->arg[1 - counter])->reg).at,
             column_at(b, s->arg[counter])->reg, (long long)n->shape[b->axis]);
    return w;
}

static Bound comparison(Bounds *b, const TileStep *s, u32 column)
{
    u32 k = counter_of(b, s);
    const Nest *n = b->n;
    OpId op = s->node->op;
    if (k == NO_REG)
        return (Bound){OUT_ANY, NO_REG};
    b->counts[column_at(b, s->arg[k])->reg] = true;
    if (b->write) {
        bool equal = op == OP_EQ || op == OP_NE;
        bool from = !equal && (op == OP_GT || op == OP_GE) != (k == 1);
        bool strict = op == OP_GT || op == OP_LT;
        Word end, lo = {"0"}, hi, less = cut(b, s, k, "below"), upto = cut(b, s, k, "upto");
        u32 reg = column_at(b, s->arg[k])->reg;
        snprintf(end.at, sizeof end.at, "%lld", (long long)n->shape[b->axis]);
        Word first = equal || !strict ? less : upto, last = equal || !strict ? upto : less;
        snprintf(lo.at, sizeof lo.at, "uneven%u ? 0 : %.100s", reg, from || equal ? first.at : "0");
        snprintf(hi.at, sizeof hi.at, "uneven%u ? %.20s : %.100s", reg, end.at,
                 from ? end.at : last.at);
        declare_range(b, column, lo.at, hi.at);
    }
    return (Bound){op == OP_NE ? OUT_TRUE : OUT_FALSE, column};
}

/* Both are `all` where either is; else both must be `none`. */
static Bound joined(const Bounds *b, u32 column, Bound x, Bound y, Outside all, Outside none)
{
    if (x.is == all && y.is == all)
        return (Bound){all, range_of_two(b, column, x.range, y.range, false)};
    if (x.is == all || y.is == all)
        return x.is == all ? x : y;
    bool both = x.is == none && y.is == none;
    return both ? (Bound){none, range_of_two(b, column, x.range, y.range, true)}
                : (Bound){OUT_ANY, NO_REG};
}

static Bound chosen(const Bounds *b, u32 column, Bound mask, Bound x, Bound y)
{
    if (mask.is == OUT_TRUE)
        return (Bound){x.is, range_of_two(b, column, mask.range, x.range, true)};
    if (mask.is == OUT_FALSE)
        return (Bound){y.is, range_of_two(b, column, mask.range, y.range, true)};
    return x.is == y.is ? (Bound){x.is, range_of_two(b, column, x.range, y.range, true)}
                        : (Bound){OUT_ANY, NO_REG};
}

static bool is_zeros(Bound x) { return x.is == OUT_ZERO || x.is == OUT_ZEROS; }

static bool is_one(const Tensor *t) { return t && tensor_f64_at(t, 0) == 1; }

static Bound product(Bounds *b, const TileStep *s, u32 column)
{
    Bound x[2] = {b->bound[s->arg[0]], b->bound[s->arg[1]]};
    const bool inexact = dtype_is_float(s->from);
    for (u32 k = 0; k < 2; k++) {
        u32 other = s->arg[1 - k];
        if (is_zeros(x[k]) && !inexact)
            return (Bound){OUT_ZERO, x[k].range};
        if (x[k].is == OUT_KEPT && is_one(constant_of(b, other)))
            return x[k];
        if (!is_zeros(x[k]) || !has_few(b, other))
            continue;
        b->finite[other] = b->finite[other] || !constant_of(b, other);
        return (Bound){OUT_ZEROS, x[k].range};
    }
    return is_zeros(x[0]) && is_zeros(x[1])
               ? (Bound){OUT_ZEROS, range_of_two(b, column, x[0].range, x[1].range, true)}
               : (Bound){OUT_ANY, NO_REG};
}

/* Zeros onto the kept operand, or off it. */
static Bound sum(Bounds *b, const TileStep *s, u32 column)
{
    Bound x = b->bound[s->arg[0]], y = b->bound[s->arg[1]];
    const bool less = s->node->op == OP_SUB;
    if (!less && y.is == OUT_KEPT) {
        Bound z = x;
        x = y;
        y = z;
    }
    if (x.is != OUT_KEPT || !is_zeros(y))
        return (Bound){OUT_ANY, NO_REG};
    b->clean = b->clean || (dtype_is_float(s->from) && !(less && y.is == OUT_ZERO));
    return (Bound){OUT_KEPT, range_of_two(b, column, x.range, y.range, true)};
}

static Bound step_bound(Bounds *b, u32 column)
{
    const TileStep *s = &column_at(b, column)->step;
    Bound x = b->bound[s->arg[0]];
    if (s->kind == TILE_WHERE)
        return chosen(b, column, x, b->bound[s->arg[1]], b->bound[s->arg[2]]);
    if (s->kind == TILE_CAST)
        return (Bound){s->from == DT_BOOL && x.is == OUT_FALSE ? OUT_ZERO : OUT_ANY, x.range};
    switch (s->node->op) {
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_EQ:
    case OP_NE: return comparison(b, s, column);
    case OP_LOGICAL_AND: return joined(b, column, x, b->bound[s->arg[1]], OUT_FALSE, OUT_TRUE);
    case OP_LOGICAL_OR: return joined(b, column, x, b->bound[s->arg[1]], OUT_TRUE, OUT_FALSE);
    case OP_LOGICAL_NOT:
        return (Bound){x.is == OUT_FALSE  ? OUT_TRUE
                       : x.is == OUT_TRUE ? OUT_FALSE
                                          : OUT_ANY,
                       x.range};
    case OP_MUL: return product(b, s, column);
    case OP_ADD:
    case OP_SUB: return sum(b, s, column);
    default: return (Bound){OUT_ANY, NO_REG};
    }
}

void bounds_find(Bounds *b)
{
    for (u32 i = 0; i < b->n->column.len; i++)
        b->bound[i] = is_operand(b, i)                   ? operand_bound(b, i)
                      : column_at(b, i)->is == NEST_STEP ? step_bound(b, i)
                                                         : (Bound){OUT_ANY, NO_REG};
}

Bounds bounds_open(const Nest *n, u32 kept)
{
    u32 column = kept == NO_REG ? NO_REG : 0;
    while (kept != NO_REG && !(n->column.at[column].is == NEST_OPERAND &&
                               n->column.at[column].reg == n->w->in[kept].reg))
        column++;
    return (Bounds){.n = n,
                    .kept = column,
                    .bound = xcalloc(n->column.len + 1, sizeof(Bound)),
                    .finite = xcalloc(n->column.len + 1, sizeof(bool)),
                    .counts = xcalloc((size_t)n->f->b->nregs + 1, sizeof(bool))};
}

void bounds_close(Bounds *b)
{
    free(b->bound);
    free(b->finite);
    free(b->counts);
}

/* ---- zeros with a sign ---- */

/* Can the column be -0 only where the kept operand is, or one of those that are marked? */
bool bounds_signs(const Bounds *b, u32 column, bool *marked)
{
    if (column == b->kept)
        return true;
    if (is_operand(b, column)) {
        marked[column] = true;
        return has_few(b, column);
    }
    const TileStep *s = &column_at(b, column)->step;
    if (column_at(b, column)->is != NEST_STEP)
        return false;
    if (s->kind == TILE_WHERE)
        return bounds_signs(b, s->arg[1], marked) && bounds_signs(b, s->arg[2], marked);
    if (s->kind != TILE_2 || (s->node->op != OP_ADD && s->node->op != OP_SUB))
        return false;
    return bounds_signs(b, s->arg[0], marked) ||
           (s->node->op == OP_ADD && bounds_signs(b, s->arg[1], marked));
}

u32 bounds_result(const Nest *n) { return n->given[0]; }
