/* Groups of a loop over arrays of known shapes (program_fixed.c) as loops over the axes of their
 * operands: smaller operands and views with strides are read where they lie, and what is reduced is
 * not stored.
 *
 * Invariant: a reduction combines its elements as kernels_reduce.c does, in halves down to blocks,
 * a block in LANES lanes, then these as a tree, then what is left; so the bits are the same. */
#include "emit/elem_text.h"
#include "emit/program_fixed_nest.h"
#include "tensor/kernels_fold.h"

enum {
    STRIP = 64,           /* columns that are reduced together */
    FEW = 8,              /* steps and reductions, at most, to write each element of an axis out */
    LONGEST = 16 * BLOCK, /* an axis whose halves are written one after the other */
    SHORT_COUNT = 4096    /* elements that are reduced without a call */
};
enum { PART_OUTER, PART_OVER, PART_INNER };

/* ---- axes ---- */

static void remove_axis(Nest *n, int at)
{
    n->rank--;
    for (int i = at; i < n->rank; i++) {
        n->shape[i] = n->shape[i + 1];
        n->part[i] = n->part[i + 1];
        for (u32 k = 0; k < n->rows; k++)
            n->stride[k][i] = n->stride[k][i + 1];
    }
}

/* May the axes `at` and the next be one? */
static bool may_join(const Nest *n, int at)
{
    bool even = n->part[at] == n->part[at + 1];
    for (u32 k = 0; k < n->rows && even; k++)
        even = n->stride[k][at] == n->stride[k][at + 1] * n->shape[at + 1];
    return even;
}

static void join_axes(Nest *n)
{
    for (int i = n->rank - 1; i-- > 0;)
        if (may_join(n, i)) {
            n->shape[i + 1] *= n->shape[i];
            remove_axis(n, i);
        }
}

/* Strides of what is as large as the group, and of what is left of that. */
static void result_strides(Nest *n)
{
    i64 whole = 1, left = 1;
    for (int i = n->rank - 1; i >= 0; i--) {
        n->stride[n->w->nin][i] = whole;
        n->stride[n->w->nin + 1][i] = n->part[i] == PART_OVER ? 0 : left;
        whole *= n->shape[i];
        left *= n->part[i] == PART_OVER ? 1 : n->shape[i];
    }
}

void nest_open(Nest *n, const Fixed *f, const Wide *w, const Tensor *like)
{
    AxisRun over = w->tiles->nfolds ? w->tiles->over : (AxisRun){like->rank, 0};
    *n = (Nest){.f = f, .w = w, .rows = w->nin + 2, .rank = like->rank};
    n->stride = xcalloc(n->rows, sizeof *n->stride);
    n->read = xcalloc((size_t)w->nin + w->tiles->nsteps + 1, sizeof *n->read);
    memcpy(n->shape, like->shape, sizeof n->shape);
    for (int i = 0; i < n->rank; i++)
        n->part[i] = i < over.first                ? PART_OUTER
                     : i < over.first + over.count ? PART_OVER
                                                   : PART_INNER;
    for (u32 k = 0; k < w->nin; k++)
        if (w->in[k].kind == KIND_TENSOR)
            fixed_strides(f, w, k, like, n->stride[k]);
    result_strides(n);
    join_axes(n);
    for (n->over = 0; n->over < n->rank && n->part[n->over] == PART_OUTER;)
        n->over++;
    n->inner = n->over + 1;
}

void nest_close(Nest *n)
{
    free(n->stride);
    free(n->read);
}

/* One axis is reduced, which is not too long. */
static bool reduces_one(const Nest *n)
{
    int k = 0;
    for (int i = 0; i < n->rank; i++)
        k += n->part[i] == PART_OVER;
    return k == 1 && n->shape[n->over] <= LONGEST;
}

static bool is_spread(const Fixed *f, const Wide *w)
{
    for (u32 k = 0; k < w->nin; k++)
        if (fixed_is_spread(f, w, k))
            return true;
    return false;
}

bool fixed_nests(const Fixed *f, const Wide *w, const Tensor *like)
{
    const Tiles *t = w->tiles;
    if (!t->nfolds && !is_spread(f, w))
        return false;
    for (u32 i = 0; i < t->nsteps; i++)
        if (tile_is_call(&t->steps[i]))
            return false;
    Nest n;
    nest_open(&n, f, w, like);
    bool ok = !t->nfolds || reduces_one(&n);
    nest_close(&n);
    return ok;
}

/* ---- elements ---- */

/* The place of the element at work in row k of the strides. */
static Word place(const Nest *n, u32 k)
{
    Word w = {"0"};
    size_t at = 0;
    for (int i = 0; i < n->rank; i++)
        if (n->stride[k][i])
            at += (size_t)snprintf(w.at + at, sizeof w.at - at, "%sa%d * %lld", at ? " + " : "", i,
                                   (long long)n->stride[k][i]);
    return w;
}

static Text *text_of(const Nest *n) { return &n->f->s->w->out->c; }

static const char *type_of(const Nest *n, u32 reg) { return c_type(n->f->v[reg].like.dtype); }

static void read_column(const Nest *n, u32 k)
{
    if (k >= n->w->nin || n->read[k] || n->w->in[k].kind != KIND_TENSOR)
        return;
    n->read[k] = true;
    u32 reg = n->w->in[k].reg;
    text_printf(text_of(n), "        const %s v%u = t%u[%s];\n", type_of(n, reg), k, reg,
                place(n, k).at);
}

/* The columns of the element at work, and the results that it is in. */
static void write_element(const Nest *n)
{
    const Tiles *t = n->w->tiles;
    memset(n->read, 0, (size_t)n->w->nin * sizeof *n->read);
    for (u32 i = 0; i < t->nsteps; i++) {
        if (n->telling && n->told == i + 1) {
            say(n->f->s, "const u8 v%u = %d;", n->w->nin + i, n->truth);
            continue;
        }
        for (u32 k = 0; k < tile_arity(&t->steps[i]); k++)
            read_column(n, t->steps[i].arg[k]);
        text_put(text_of(n), "        ");
        write_tile_value(text_of(n), &t->steps[i], n->w->nin + i);
    }
    for (u32 i = 0; i < t->nfolds; i++)
        read_column(n, t->folds[i].arg);
    for (u32 k = 0; k < n->w->nout; k++)
        if (t->outs[k] != NO_REG)
            text_printf(text_of(n), "        t%u[%s] = v%u;\n", n->w->out[k].reg,
                        place(n, n->w->nin).at, n->w->nin + t->outs[k]);
}

static void write_scalars(const Nest *n)
{
    for (u32 k = 0; k < n->w->nin; k++)
        if (n->w->in[k].kind != KIND_TENSOR)
            say(n->f->s, "const %s v%u = %s;", c_type((DType)n->w->in[k].kind), k,
                value_of_reg(n->f->s, n->w->in[k].reg).at);
}

/* ---- loops ---- */

static void open_axis(const Nest *n, int i)
{
    if (n->bounded >> i & 1)
        say(n->f->s, "for (i64 a%d = from%d; a%d < to%d; a%d++) {", i, i, i, i, i);
    else
        say(n->f->s, "for (i64 a%d = 0; a%d < %lld; a%d++) {", i, i, (long long)n->shape[i], i);
}

static void close_axes(const Nest *n, int from, int to)
{
    for (int i = from; i < to; i++)
        say(n->f->s, "}");
}

/* A part of the last axis. */
static void write_piece(const Nest *n, const char *from, const char *to, bool telling)
{
    Nest piece = *n;
    piece.telling = telling;
    text_put(text_of(n), "#pragma GCC ivdep\n");
    say(n->f->s, "for (i64 a%d = %s; a%d < %s; a%d++) {", n->rank - 1, from, n->rank - 1, to,
        n->rank - 1);
    write_element(&piece);
    say(n->f->s, "}");
}

void write_nest_plain(const Nest *n)
{
    const int last = n->rank - 1;
    Word from = {"0"}, to;
    snprintf(to.at, sizeof to.at, "%lld", (long long)n->shape[last]);
    if (n->bounded >> last & 1) {
        snprintf(from.at, sizeof from.at, "from%d", last);
        snprintf(to.at, sizeof to.at, "to%d", last);
    }
    write_scalars(n);
    for (int i = 0; i < last; i++)
        open_axis(n, i);
    if (n->told) {
        write_piece(n, from.at, "cut", true);
        write_piece(n, "cut", "back", false);
        write_piece(n, "back", to.at, true);
    } else {
        write_piece(n, from.at, to.at, false);
    }
    close_axes(n, 0, last);
}

/* ---- reductions: an accumulator is `to`, an expression, for each fold ---- */

typedef struct {
    const char *lane, *index; /* sK, or lK, and what is after it */
} Place;

/* The element at work begins an accumulator, or goes onto it. */
static void write_onto(const Nest *n, Place to, bool start)
{
    const Tiles *t = n->w->tiles;
    write_element(n);
    for (u32 i = 0; i < t->nfolds; i++) {
        const TileFold *d = &t->folds[i];
        const char *type = c_type(d->to);
        text_printf(text_of(n), "        { const %s e = ", type);
        put_fold_element(text_of(n), d);
        text_printf(text_of(n), start ? "; %s%u%s = " : ", a = %s%u%s; ", to.lane, i, to.index);
        if (start) {
            text_put(text_of(n), "e; }\n");
            continue;
        }
        text_printf(text_of(n), "%s%u%s = ", to.lane, i, to.index);
        put_fold_combined(text_of(n), d);
        text_put(text_of(n), "; }\n");
    }
}

/* One accumulator onto another. */
static void write_joined(const Nest *n, const char *to, const char *from)
{
    const Tiles *t = n->w->tiles;
    for (u32 i = 0; i < t->nfolds; i++) {
        text_printf(text_of(n),
                    "        { const %s a = l%u%s, e = l%u%s; l%u%s = ", c_type(t->folds[i].to), i,
                    to, i, from, i, to);
        put_fold_combined(text_of(n), &t->folds[i]);
        text_put(text_of(n), "; }\n");
    }
}

/* A loop over columns of a strip, if there is one. */
static void open_strip(const Nest *n, bool strip)
{
    if (strip) {
        text_put(text_of(n), "#pragma GCC ivdep\n");
        say(n->f->s, "for (i64 j = 0; j < m; j++) {");
        say(n->f->s, "const i64 a%d = from + j;", n->rank - 1);
    }
}

static void close_strip(const Nest *n, bool strip)
{
    if (strip)
        say(n->f->s, "}");
}

static void write_tree(const Nest *n, bool strip)
{
    say(n->f->s, "for (int h = %d; h > 0; h /= 2) for (int l = 0; l < h; l++) {", LANES / 2);
    open_strip(n, strip);
    write_joined(n, strip ? "[l][j]" : "[l]", strip ? "[l + h][j]" : "[l + h]");
    close_strip(n, strip);
    say(n->f->s, "}");
}

/* The places `from` up to `to` of the axis that is reduced, onto accumulators or as their
 * beginning. */
static void write_places(const Nest *n, i64 from, i64 to, Place onto, bool start, bool strip)
{
    say(n->f->s, "for (i64 a%d = %lld; a%d < %lld; a%d++) {", n->over, (long long)from, n->over,
        (long long)to, n->over);
    open_strip(n, strip);
    write_onto(n, onto, start);
    close_strip(n, strip);
    say(n->f->s, "}");
}

/* The same, place after place in the next lane. */
static void write_lanes_of(const Nest *n, i64 from, i64 to, bool start, bool strip)
{
    const Place lane = {"l", strip ? "[l][j]" : "[l]"};
    if (from == to)
        return;
    say(n->f->s, "for (i64 b = %lld; b < %lld; b += %d)", (long long)from, (long long)to, LANES);
    say(n->f->s, "for (int l = 0; l < %d; l++) { const i64 a%d = b + l;", LANES, n->over);
    open_strip(n, strip);
    write_onto(n, lane, start);
    close_strip(n, strip);
    say(n->f->s, "}");
}

/* A block: into lanes; what is left over onto the first. */
static void write_block(const Nest *n, i64 from, i64 count, bool strip)
{
    const i64 whole = count / LANES * LANES;
    const Place first = {"l", strip ? "[0][j]" : "[0]"};
    if (whole) {
        write_lanes_of(n, from, from + LANES, true, strip);
        write_lanes_of(n, from + LANES, from + whole, false, strip);
        write_tree(n, strip);
    } else {
        write_places(n, from, from + 1, first, true, strip);
    }
    if ((whole ? whole : 1) < count)
        write_places(n, from + (whole ? whole : 1), from + count, first, false, strip);
}

/* The first half is kept while the second is reduced: hK_DEPTH. */
static void write_halves(const Nest *n, i64 from, i64 count, bool strip, int depth)
{
    const Tiles *t = n->w->tiles;
    const char *at = strip ? "[0][j]" : "[0]", *kept = strip ? "[j]" : "";
    if (count <= BLOCK) {
        write_block(n, from, count, strip);
        return;
    }
    const i64 half = reduce_cut(count);
    write_halves(n, from, half, strip, depth + 1);
    say(n->f->s, "{");
    for (u32 i = 0; i < t->nfolds; i++)
        text_printf(text_of(n), strip ? "%s h%u_%d[%d];\n" : "%s h%u_%d;\n", c_type(t->folds[i].to),
                    i, depth, STRIP);
    open_strip(n, strip);
    for (u32 i = 0; i < t->nfolds; i++)
        say(n->f->s, "h%u_%d%s = l%u%s;", i, depth, kept, i, at);
    close_strip(n, strip);
    write_halves(n, from + half, count - half, strip, depth + 1);
    open_strip(n, strip);
    for (u32 i = 0; i < t->nfolds; i++) {
        text_printf(text_of(n),
                    "        { const %s a = h%u_%d%s, e = l%u%s; l%u%s = ", c_type(t->folds[i].to),
                    i, depth, kept, i, at, i, at);
        put_fold_combined(text_of(n), &t->folds[i]);
        text_put(text_of(n), "; }\n");
    }
    close_strip(n, strip);
    say(n->f->s, "}");
}

static void write_results(const Nest *n, bool strip)
{
    const Tiles *t = n->w->tiles;
    open_strip(n, strip);
    for (u32 i = 0; i < t->nfolds; i++) /* a sum is never -0 */
        say(n->f->s, "t%u[%s] = l%u%s%s;", n->w->out[t->folds[i].out].reg,
            place(n, n->w->nin + 1).at, i, strip ? "[0][j]" : "[0]",
            t->folds[i].op == RED_SUM ? " + 0" : "");
    close_strip(n, strip);
}

/* ---- an axis of a few elements, written out: whole rows of the results become vectors ---- */

/* lK_AT, of fold K: the element at a place. */
static void write_one(const Nest *n, i64 at)
{
    char index[24];
    snprintf(index, sizeof index, "_%lld", (long long)at);
    for (u32 i = 0; i < n->w->tiles->nfolds; i++)
        say(n->f->s, "%s l%u%s;", c_type(n->w->tiles->folds[i].to), i, index);
    say(n->f->s, "{ const i64 a%d = %lld;", n->over, (long long)at);
    write_onto(n, (Place){"l", index}, true);
    say(n->f->s, "}");
}

static void write_pair(const Nest *n, i64 to, i64 from)
{
    char a[24], b[24];
    snprintf(a, sizeof a, "_%lld", (long long)to);
    snprintf(b, sizeof b, "_%lld", (long long)from);
    write_joined(n, a, b);
}

/* The lanes `at`, `at` + step, .. onto the first of them, as the tree of a block does. */
static void write_branch(const Nest *n, i64 at, i64 step)
{
    if (step == LANES) {
        write_one(n, at);
        return;
    }
    write_branch(n, at, 2 * step);
    write_branch(n, at + step, 2 * step);
    write_pair(n, at, at + step);
}

static void write_few(const Nest *n)
{
    const Tiles *t = n->w->tiles;
    const i64 count = n->shape[n->over];
    const int last = n->over == n->rank - 1 ? n->rank - 2 : n->rank - 1;
    for (int i = 0; i < n->rank; i++) {
        if (i == last)
            text_put(text_of(n), "#pragma GCC ivdep\n");
        if (i != n->over)
            open_axis(n, i);
    }
    if (count == LANES)
        write_branch(n, 0, 1);
    for (i64 at = 0; count < LANES && at < count; at++) {
        write_one(n, at);
        if (at)
            write_pair(n, 0, at);
    }
    for (u32 i = 0; i < t->nfolds; i++) /* a sum is never -0 */
        say(n->f->s, "t%u[%s] = l%u_0%s;", n->w->out[t->folds[i].out].reg,
            place(n, n->w->nin + 1).at, i, t->folds[i].op == RED_SUM ? " + 0" : "");
    close_axes(n, 0, n->rank - 1);
}

static bool stores_elements(const Nest *n)
{
    for (u32 k = 0; k < n->w->nout; k++)
        if (n->w->tiles->outs[k] != NO_REG)
            return true;
    return false;
}

/* Of a last axis all lanes are one vector as they are, and elements that are stored lie apart. */
static bool has_few(const Nest *n)
{
    const Tiles *t = n->w->tiles;
    bool last = n->over == n->rank - 1;
    return n->shape[n->over] <= LANES - last && !(last && stores_elements(n)) &&
           t->nsteps + t->nfolds <= FEW && n->rank > 1;
}

static void write_folded(const Nest *n)
{
    write_scalars(n);
    if (has_few(n)) {
        write_few(n);
        return;
    }
    const Tiles *t = n->w->tiles;
    const int last = n->rank - 1, lanes = n->shape[n->over] < LANES ? 1 : LANES;
    const bool strip = last > n->over && n->shape[last] >= LANES;
    for (int i = 0; i < n->rank - strip; i++)
        if (i != n->over)
            open_axis(n, i);
    if (strip) {
        say(n->f->s, "for (i64 from = 0; from < %lld; from += %d) {", (long long)n->shape[last],
            STRIP);
        say(n->f->s, "const i64 m = %lld - from < %d ? %lld - from : %d;",
            (long long)n->shape[last], STRIP, (long long)n->shape[last], STRIP);
    }
    for (u32 i = 0; i < t->nfolds; i++)
        if (strip)
            say(n->f->s, "%s l%u[%d][%d];", c_type(t->folds[i].to), i, lanes, STRIP);
        else
            say(n->f->s, "%s l%u[%d];", c_type(t->folds[i].to), i, lanes);
    write_halves(n, 0, n->shape[n->over], strip, 0);
    write_results(n, strip);
    close_axes(n, 0, n->rank - 1);
}

/* ---- groups ---- */

void write_fixed_nest(const Fixed *f, const Wide *w, const Tensor *like)
{
    Nest n;
    nest_open(&n, f, w, like);
    say(f->s, "{");
    (w->tiles->nfolds ? write_folded : write_nest_plain)(&n);
    say(f->s, "}");
    nest_close(&n);
}

void write_fixed_spread(const Fixed *f, const Wide *w, u32 k, const Tensor *like, const char *to)
{
    Tiles none = {.size = w->tiles->size, .repeat = w->tiles->repeat};
    Wide one = *w;
    Nest n;
    one.tiles = &none;
    nest_open(&n, f, &one, like);
    say(f->s, "{");
    for (int i = 0; i < n.rank; i++) {
        if (i == n.rank - 1)
            text_put(text_of(&n), "#pragma GCC ivdep\n");
        open_axis(&n, i);
    }
    say(f->s, "%s[%s] = t%u[%s];", to, place(&n, w->nin).at, w->in[k].reg, place(&n, k).at);
    close_axes(&n, 0, n.rank);
    say(f->s, "}");
    nest_close(&n);
}

bool write_fixed_reduction(const Fixed *f, const Node *n, const Tensor *like, const char *from,
                           u32 name, const Arg *out)
{
    AxisRun over;
    if (n->op == OP_ARGMAX || n->op == OP_ARGMIN || out->kind != KIND_TENSOR ||
        like->count > SHORT_COUNT || !fixed_reduction(n, &over) || over.count != 1)
        return false;
    Arg in = {.reg = name, .kind = KIND_TENSOR}, to = *out;
    TileFold fold = {
        .node = n, .op = reduce_of(n->op), .from = like->dtype, .to = node_dtype(n), .arg = 0};
    u32 outs = NO_REG;
    Tiles t = {.nfolds = 1, .folds = &fold, .over = over, .outs = &outs};
    Wide w = {.node = n, .nin = 1, .nout = 1, .in = &in, .out = &to, .tiles = &t};
    if (!fixed_nests(f, &w, like))
        return false;
    say(f->s, "{");
    say(f->s, "const %s *const given = %s;", c_type(like->dtype), from);
    say(f->s, "const %s *const t%u = given;", c_type(like->dtype), name);
    write_fixed_nest(f, &w, like);
    say(f->s, "}");
    return true;
}

u32 fixed_operand_like(const Fixed *f, const Wide *w, const Tensor *like)
{
    for (u32 k = 0; k < w->nin; k++) {
        const FixedValue *x = &f->v[w->in[k].reg];
        if (w->in[k].kind == KIND_TENSOR && x->known && !fixed_is_spread(f, w, k) &&
            x->like.dtype == like->dtype && x->like.rank == like->rank)
            return w->in[k].reg;
    }
    return NO_REG;
}
