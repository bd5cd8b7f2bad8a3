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
    ROW_WORTH = 64,       /* elements for which an array function is called */
    SHORT_COUNT = 4096    /* elements that are reduced without a call */
};

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

static bool calls(const Tiles *t)
{
    for (u32 i = 0; i < t->nsteps; i++)
        if (tile_is_call(&t->steps[i]))
            return true;
    return false;
}

bool fixed_nests(const Fixed *f, const Wide *w, const Tensor *like)
{
    const Tiles *t = w->tiles;
    if (!t->nfolds && !is_spread(f, w) && !fixed_has_fresh(f, w))
        return false;
    if (calls(t))
        return (is_spread(f, w) || fixed_has_fresh(f, w)) && fixed_calls_on_rows(f, w, like);
    return is_spread(f, w) || fixed_has_fresh(f, w) || !fixed_reduces_apart(f, w, like);
}

bool fixed_reduces_apart(const Fixed *f, const Wide *w, const Tensor *like)
{
    Nest n;
    nest_open(&n, f, w, like);
    const bool apart = n.nfolds && !reduces_one(&n);
    nest_close(&n);
    return apart;
}

static Text *text_of(const Nest *n) { return &n->f->s->w->out->c; }

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
    write_nest_element(&piece);
    say(n->f->s, "}");
}

void write_nest_plain(const Nest *given)
{
    Nest plain = *given, *n = &plain;
    const int last = n->rank - 1;
    Word from = {"0"}, to;
    snprintf(to.at, sizeof to.at, "%lld", (long long)n->shape[last]);
    if (n->bounded >> last & 1) {
        snprintf(from.at, sizeof from.at, "from%d", last);
        snprintf(to.at, sizeof to.at, "to%d", last);
    }
    write_nest_scalars(n);
    n->line = n->bounded ? 0 : last + 1;
    write_nest_lines(n);
    for (int i = 0; i < last; i++)
        open_axis(n, i);
    write_nest_calls(n);
    if (n->told) {
        write_piece(n, from.at, "cut", true);
        write_piece(n, "cut", "back", false);
        write_piece(n, "back", to.at, true);
    } else {
        write_piece(n, from.at, to.at, false);
    }
    close_axes(n, 0, last);
}

/* ---- reductions: lK of fold K, an accumulator or one for each lane, of each of the elements that
 * are reduced together ---- */

/* Those that are written out. */
static int copies(const Nest *n) { return n->few ? n->few : 1; }

/* The index of an accumulator. */
static Word lane_of(const Nest *n, const char *lane, int copy)
{
    Word w;
    if (n->few)
        snprintf(w.at, sizeof w.at, "_%d[%.60s]%s", copy, lane, n->strip ? "[j]" : "");
    else
        snprintf(w.at, sizeof w.at, "[%.60s]%s", lane, n->strip ? "[j]" : "");
    return w;
}

/* The element at work begins an accumulator, or goes onto it. */
static void write_onto(const Nest *n, Word to, bool start)
{
    for (u32 i = 0; i < n->nfolds; i++) {
        const TileFold *d = &n->fold[i];
        const char *type = c_type(d->to);
        text_printf(text_of(n), "        { const %s e = ", type);
        put_fold_element(text_of(n), d);
        text_printf(text_of(n), start ? "; l%u%s = " : ", a = l%u%s; ", i, to.at);
        if (start) {
            text_put(text_of(n), "e; }\n");
            continue;
        }
        text_printf(text_of(n), "l%u%s = ", i, to.at);
        put_fold_combined(text_of(n), d);
        text_put(text_of(n), "; }\n");
    }
}

/* One accumulator onto another. */
static void write_joined(const Nest *n, Word to, Word from)
{
    for (u32 i = 0; i < n->nfolds; i++) {
        text_printf(text_of(n),
                    "        { const %s a = l%u%s, e = l%u%s; l%u%s = ", c_type(n->fold[i].to), i,
                    to.at, i, from.at, i, to.at);
        put_fold_combined(text_of(n), &n->fold[i]);
        text_put(text_of(n), "; }\n");
    }
}

static int strip_axis(const Nest *n) { return n->rank - 1 - (n->few != 0); }

/* A loop over columns of a strip, if there is one. */
static void open_strip(const Nest *n)
{
    if (n->strip) {
        text_put(text_of(n), "#pragma GCC ivdep\n");
        say(n->f->s, "for (i64 j = 0; j < m; j++) {");
        say(n->f->s, "const i64 a%d = from + j;", strip_axis(n));
    }
}

static void close_strip(const Nest *n)
{
    if (n->strip)
        say(n->f->s, "}");
}

/* The element at work, or each that is written out, onto that lane of its accumulators. */
static void write_lane(const Nest *n, const char *lane, bool start)
{
    if (!n->few) {
        write_nest_element(n);
        write_onto(n, lane_of(n, lane, 0), start);
        return;
    }
    write_nest_columns(n, false);
    for (int k = 0; k < n->few; k++) {
        say(n->f->s, "{ const i64 a%d = %d;", n->rank - 1, k);
        write_nest_columns(n, true);
        write_nest_given(n);
        write_onto(n, lane_of(n, lane, k), start);
        say(n->f->s, "}");
    }
}

static void write_tree(const Nest *n)
{
    say(n->f->s, "for (int h = %d; h > 0; h /= 2) for (int l = 0; l < h; l++) {", LANES / 2);
    open_strip(n);
    for (int k = 0; k < copies(n); k++)
        write_joined(n, lane_of(n, "l", k), lane_of(n, "l + h", k));
    close_strip(n);
    say(n->f->s, "}");
}

/* The places `from` up to `to` of the axis that is reduced, onto the first lane or as its
 * beginning. */
static void write_places(const Nest *n, i64 from, i64 to, bool start)
{
    say(n->f->s, "for (i64 a%d = %lld; a%d < %lld; a%d++) {", n->over, (long long)from, n->over,
        (long long)to, n->over);
    open_strip(n);
    write_lane(n, "0", start);
    close_strip(n);
    say(n->f->s, "}");
}

/* The same, place after place in the next lane. */
static void write_lanes_of(const Nest *n, i64 from, i64 to, bool start)
{
    if (from == to)
        return;
    say(n->f->s, "for (i64 b = %lld; b < %lld; b += %d)", (long long)from, (long long)to, LANES);
    if (!n->strip)
        text_put(text_of(n), "#pragma GCC ivdep\n");
    say(n->f->s, "for (int l = 0; l < %d; l++) { const i64 a%d = b + l;", LANES, n->over);
    open_strip(n);
    write_lane(n, "l", start);
    close_strip(n);
    say(n->f->s, "}");
}

/* A block: into lanes; what is left over onto the first. */
static void write_block(const Nest *n, i64 from, i64 count)
{
    const i64 whole = count / LANES * LANES;
    if (whole) {
        write_lanes_of(n, from, from + LANES, true);
        write_lanes_of(n, from + LANES, from + whole, false);
        write_tree(n);
    } else {
        write_places(n, from, from + 1, true);
    }
    if ((whole ? whole : 1) < count)
        write_places(n, from + (whole ? whole : 1), from + count, false);
}

/* hK_DEPTH, what the first half gave. */
static Word kept(const Nest *n, u32 fold, int depth, int copy)
{
    Word w;
    const char *at = n->strip ? "[j]" : "";
    snprintf(w.at, sizeof w.at, "h%u_%d%s", fold, depth, at);
    if (n->few)
        snprintf(w.at, sizeof w.at, "h%u_%d[%d]%s", fold, depth, copy, at);
    return w;
}

static void declare_kept(const Nest *n, int depth)
{
    for (u32 i = 0; i < n->nfolds; i++) {
        text_printf(text_of(n), "%s h%u_%d", c_type(n->fold[i].to), i, depth);
        if (n->few)
            text_printf(text_of(n), "[%d]", n->few);
        if (n->strip)
            text_printf(text_of(n), "[%d]", (int)STRIP);
        text_put(text_of(n), ";\n");
    }
}

/* What was kept, and the second half, into the first lane. */
static void write_both(const Nest *n, int depth, int copy)
{
    const Word at = lane_of(n, "0", copy);
    for (u32 i = 0; i < n->nfolds; i++) {
        text_printf(text_of(n),
                    "        { const %s a = %s, e = l%u%s; l%u%s = ", c_type(n->fold[i].to),
                    kept(n, i, depth, copy).at, i, at.at, i, at.at);
        put_fold_combined(text_of(n), &n->fold[i]);
        text_put(text_of(n), "; }\n");
    }
}

/* The first half is kept while the second is reduced. */
static void write_halves(const Nest *n, i64 from, i64 count, int depth)
{
    if (count <= BLOCK) {
        write_block(n, from, count);
        return;
    }
    const i64 half = reduce_cut(count);
    write_halves(n, from, half, depth + 1);
    say(n->f->s, "{");
    declare_kept(n, depth);
    open_strip(n);
    for (int k = 0; k < copies(n); k++)
        for (u32 i = 0; i < n->nfolds; i++)
            say(n->f->s, "%s = l%u%s;", kept(n, i, depth, k).at, i, lane_of(n, "0", k).at);
    close_strip(n);
    write_halves(n, from + half, count - half, depth + 1);
    open_strip(n);
    for (int k = 0; k < copies(n); k++)
        write_both(n, depth, k);
    close_strip(n);
    say(n->f->s, "}");
}

/* Fold I, whose accumulator that is; a sum is never -0. */
static void write_result(const Nest *n, u32 i, const char *from)
{
    const Arg *out = &n->w->out[n->fold[i].out];
    const char *end = n->fold[i].op == RED_SUM ? " + 0" : "";
    if (out->kind == KIND_TENSOR)
        say(n->f->s, "t%u[%s] = l%u%s%s;", out->reg, nest_place(n, n->left, 0).at, i, from, end);
    else
        say(n->f->s, "%s = l%u%s%s;", name_of(n->f->s, out->reg).at, i, from, end);
}

static void write_results(const Nest *n)
{
    open_strip(n);
    for (int k = 0; k < copies(n); k++) {
        if (n->few)
            say(n->f->s, "{ const i64 a%d = %d;", n->rank - 1, k);
        for (u32 i = 0; i < n->nfolds; i++)
            write_result(n, i, lane_of(n, "0", k).at);
        close_axes(n, 0, n->few != 0);
    }
    close_strip(n);
}

/* ---- an axis of a few elements, written out: whole rows of the results become vectors ---- */

static Word index_of(i64 at)
{
    Word w;
    snprintf(w.at, sizeof w.at, "_%lld", (long long)at);
    return w;
}

/* lK_AT, of fold K: the element at a place. */
static void write_one(const Nest *n, i64 at)
{
    for (u32 i = 0; i < n->nfolds; i++)
        say(n->f->s, "%s l%u%s;", c_type(n->fold[i].to), i, index_of(at).at);
    say(n->f->s, "{ const i64 a%d = %lld;", n->over, (long long)at);
    write_nest_element(n);
    write_onto(n, index_of(at), true);
    say(n->f->s, "}");
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
    write_joined(n, index_of(at), index_of(at + step));
}

static void write_few(const Nest *n)
{
    const i64 count = n->shape[n->over];
    const int last = n->line - 1;
    write_nest_lines(n);
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
            write_joined(n, index_of(0), index_of(at));
    }
    for (u32 i = 0; i < n->nfolds; i++)
        write_result(n, i, "_0");
    close_axes(n, 0, n->rank - 1);
}

static bool stores_elements(const Nest *n)
{
    for (u32 k = 0; k < n->w->nout; k++)
        if (n->given[k] != NO_REG)
            return true;
    return false;
}

/* Of a last axis all lanes are one vector as they are, and elements that are stored lie apart. */
static bool has_few(const Nest *n)
{
    bool last = n->over == n->rank - 1;
    return n->shape[n->over] <= LANES - last && !(last && stores_elements(n)) &&
           n->w->tiles->nsteps + n->nfolds <= FEW && n->rank > 1;
}

static void declare_lanes(const Nest *n)
{
    const int lanes = n->shape[n->over] < LANES ? 1 : LANES;
    for (u32 i = 0; i < n->nfolds; i++)
        for (int k = 0; k < copies(n); k++) {
            text_printf(text_of(n), "%s l%u", c_type(n->fold[i].to), i);
            if (n->few)
                text_printf(text_of(n), "_%d", k);
            text_printf(text_of(n), "[%d]", lanes);
            if (n->strip)
                text_printf(text_of(n), "[%d]", (int)STRIP);
            text_put(text_of(n), ";\n");
        }
}

/* What is reduced together: all of a short last axis, a strip of a longer one, or both. */
static void choose_together(Nest *n)
{
    const int last = n->rank - 1;
    if (last > n->over && n->shape[last] <= TOGETHER)
        n->few = (int)n->shape[last];
    n->strip = strip_axis(n) > n->over && n->shape[strip_axis(n)] > TOGETHER;
}

static void write_folded(const Nest *given)
{
    Nest n = *given;
    const int last = n.rank - 1;
    write_nest_scalars(&n);
    if (has_few(&n)) {
        n.line = n.over == last ? last : last + 1;
        write_few(&n);
        return;
    }
    choose_together(&n);
    if (n.shape[n.over] >= LANES)
        n.line = n.strip ? strip_axis(&n) + 1 : n.over + 1;
    write_nest_lines(&n);
    for (int i = 0; i < n.rank; i++)
        if (i != n.over && !(n.few && i == last) && !(n.strip && i == strip_axis(&n)))
            open_axis(&n, i);
    if (n.strip) {
        const long long all = (long long)n.shape[strip_axis(&n)];
        say(n.f->s, "for (i64 from = 0; from < %lld; from += %d) {", all, STRIP);
        say(n.f->s, "const i64 m = %lld - from < %d ? %lld - from : %d;", all, STRIP, all, STRIP);
    }
    n.wide = !n.strip && n.shape[n.over] >= LANES;
    write_nest_calls(&n);
    declare_lanes(&n);
    write_halves(&n, 0, n.shape[n.over], 0);
    write_results(&n);
    close_axes(&n, 0, n.rank - 1 - (n.few != 0));
}

bool fixed_calls_on_rows(const Fixed *f, const Wide *w, const Tensor *like)
{
    Nest n;
    nest_open(&n, f, w, like);
    n.apart = n.nfolds && !reduces_one(&n);
    const int last = n.rank - 1, row = nest_row_axis(&n);
    bool ok = n.shape[row] >= ROW_WORTH && n.shape[row] <= LONGEST;
    if (row != last)
        ok = ok && row == last - 1 && n.shape[last] <= TOGETHER;
    if (n.nfolds && !n.apart)
        ok = ok && !has_few(&n);
    for (u32 i = 0; i < n.column.len; i++)
        if (nest_is_call(&n.column.at[i]))
            ok = ok && n.column.at[i].step.from == n.column.at[i].step.to &&
                 n.column.at[i].step.kind <= TILE_2 && !(row != last && n.column.at[i].varies);
    nest_close(&n);
    return ok;
}

/* ---- groups ---- */

void write_fixed_nest(const Fixed *f, const Wide *w, const Tensor *like)
{
    Nest n;
    nest_open(&n, f, w, like);
    n.apart = n.nfolds && !reduces_one(&n);
    say(f->s, "{");
    (n.nfolds && !n.apart ? write_folded : write_nest_plain)(&n);
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
    say(f->s, "%s[%s] = t%u[%s];", to, nest_place(&n, n.whole, 0).at, w->in[k].reg,
        nest_place(&n, n.column.at[k].stride, 0).at);
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
