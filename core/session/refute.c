/* Comparing the values of two expressions: see refute.h. */
#include "session/refute.h"

#include "session/left_range.h"

#include <fenv.h>
#include <math.h>

#include "egraph/saturate.h"
#include "exec/plan.h"
#include "graph/walk.h"

enum {
    WORK_LIMIT = 1 << 22, /* of a side at a point: there are hundreds of points */
    MOST_SIGNS = 21,      /* inputs: three bits of a u64 each */
    GAP = 8               /* widths of two ranges between them: less may be rounding */
};
/* Relative to the numbers themselves, and to the largest that was met, which may have cancelled. */
static const double NEAR_SINGLE = 1e-4, NEAR_DOUBLE = 1e-9, FLOOR_SINGLE = 1e-6,
                    FLOOR_DOUBLE = 1e-13;

const char *const differ_names[DIFFER_KINDS] = {"none",     "rounding", "zero",  "overflow",
                                                "infinity", "nan",      "error", "value"};

typedef enum { RAN_TO_VALUE, RAN_TO_ERROR, RAN_NOWHERE /* a limit, no memory, ^C */ } Outcome;

/* A side at a point. */
typedef struct {
    Outcome outcome;
    Tensor *value;
    char *error;
    bool left_range; /* something overflowed, or underflowed */
} Run;

/* Two expressions, and the point that they are at. */
typedef struct {
    Session *s;
    Program *program[2];
    bool single; /* some value is of single precision */
    bool jumps;  /* evidence.jumps */
    TensorMap values;
    double largest;                 /* of the finite inputs, 1 at least */
    bool nan, infinite, minus_zero; /* among the inputs */
    RangeWatch watch;
    bool left, asked; /* left_range */
    Run run[2];
    Tensor *others[2][3]; /* with other roundings; NULL before they are asked for */
    bool otherwise;       /* they were */
} Comparing;

/* ---- evaluating ---- */

static bool says_nothing(const char *code)
{
    return !strcmp(code, "work") || !strcmp(code, "memory") || !strcmp(code, "out-of-memory") ||
           !strcmp(code, "interrupted") || !strcmp(code, "no-value");
}

static Run run_side(Comparing *c, int side)
{
    Run r = {.outcome = RAN_TO_VALUE};
    DiagTry trial;
    diag_try_begin(&trial, &c->s->st.diags);
    feclearexcept(FE_ALL_EXCEPT);
    bool ok = session_run_program(c->s, c->program[side], &c->values, WORK_LIMIT, &r.value);
    r.left_range = fetestexcept(FE_OVERFLOW | FE_UNDERFLOW) != 0;
    if (!ok) {
        const Diags *ds = &trial.found;
        const Diag *last = ds->list.len ? &ds->list.at[ds->list.len - 1] : NULL;
        r.value = NULL;
        r.outcome = !last || says_nothing(last->code) ? RAN_NOWHERE : RAN_TO_ERROR;
        r.error = last ? xstrdup(last->message) : NULL;
    }
    diag_try_end(&trial);
    return r;
}

static void evaluate_otherwise(Comparing *c)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    int usual = fegetround();
    for (int k = 0; k < 2 && !c->otherwise; k++)
        for (size_t m = 0; m < COUNT_OF(modes); m++) {
            fesetround(modes[m]);
            Run r = run_side(c, k);
            fesetround(usual);
            c->others[k][m] = r.value;
            free(r.error);
        }
    c->otherwise = true;
}

/* ---- one element ---- */

/* Where the results of other roundings are; false: they have none. */
static bool between(const Comparing *c, int side, i64 i, double *lo, double *hi)
{
    *lo = *hi = tensor_f64_at(c->run[side].value, i);
    for (int m = 0; m < 3; m++) {
        const Tensor *t = c->others[side][m];
        if (!t || t->count <= i)
            return false;
        double x = tensor_f64_at(t, i);
        if (!isfinite(x))
            return false;
        *lo = fmin(*lo, x);
        *hi = fmax(*hi, x);
    }
    return true;
}

static bool is_rounding(Comparing *c, i64 i)
{
    double lo[2], hi[2];
    if (c->jumps)
        return false;
    evaluate_otherwise(c);
    for (int k = 0; k < 2; k++)
        if (!between(c, k, i, &lo[k], &hi[k]))
            return true;
    double gap = fmax(lo[1] - hi[0], lo[0] - hi[1]);
    return gap <= GAP * (hi[0] - lo[0] + hi[1] - lo[1]);
}

static bool is_near(const Comparing *c, double x, double y)
{
    double relative = c->single ? NEAR_SINGLE : NEAR_DOUBLE,
           floor = c->single ? FLOOR_SINGLE : FLOOR_DOUBLE;
    return fabs(x - y) <= relative * fmax(fabs(x), fabs(y)) || fabs(x - y) <= floor * c->largest;
}

/* Inputs that are no ordinary numbers explain it. */
static DifferKind by_inputs(const Comparing *c)
{
    return c->nan          ? DIFFER_NAN
           : c->infinite   ? DIFFER_INFINITY
           : c->minus_zero ? DIFFER_ZERO
                           : DIFFER_VALUE;
}

/* The inputs are numbers, and something that is computed from them left the range of its type. */
static bool left_range(Comparing *c)
{
    if (c->nan || c->infinite)
        return false;
    if (!c->asked)
        c->left = c->run[0].left_range || c->run[1].left_range;
    if (!c->asked && !c->left) {
        RangeLeft left = range_left(&c->watch, &c->values, WORK_LIMIT);
        c->left = left.over || left.under;
    }
    c->asked = true;
    return c->left;
}

static DifferKind compare_reals(Comparing *c, double x, double y, i64 i)
{
    if (isnan(x) && isnan(y))
        return DIFFER_NOT;
    if (x == y)
        return x == 0 && signbit(x) != signbit(y) ? DIFFER_ZERO : DIFFER_NOT;
    bool near = isfinite(x) && isfinite(y) && is_near(c, x, y);
    if (near && x != 0 && y != 0)
        return DIFFER_ROUNDING;
    if (left_range(c))
        return DIFFER_OVERFLOW;
    return isnan(x) || isnan(y)        ? DIFFER_NAN
           : isinf(x) || isinf(y)      ? DIFFER_INFINITY
           : near || is_rounding(c, i) ? DIFFER_ROUNDING
                                       : by_inputs(c);
}

static DifferKind compare_elements(Comparing *c, i64 i)
{
    const Tensor *a = c->run[0].value, *b = c->run[1].value;
    if (dtype_is_float(a->dtype))
        return compare_reals(c, tensor_f64_at(a, i), tensor_f64_at(b, i), i);
    if (tensor_i64_at(a, i) == tensor_i64_at(b, i))
        return DIFFER_NOT;
    if (left_range(c))
        return DIFFER_OVERFLOW;
    return is_rounding(c, i) ? DIFFER_ROUNDING : by_inputs(c);
}

/* ---- one point ---- */

static DifferKind compare_values(Comparing *c)
{
    const Tensor *a = c->run[0].value, *b = c->run[1].value;
    DifferKind worst = DIFFER_NOT;
    if (a->dtype == DT_RNG)
        return tensor_same_bits(a, b) ? DIFFER_NOT : DIFFER_VALUE;
    if (a->rank != b->rank || memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape) != 0)
        return DIFFER_VALUE;
    for (i64 i = 0; i < a->count; i++) {
        DifferKind k = compare_elements(c, i);
        worst = k > worst ? k : worst;
    }
    return worst;
}

static void note_inputs(Comparing *c, const Tensor *t)
{
    for (i64 i = 0; dtype_is_float(t->dtype) && i < t->count; i++) {
        double x = tensor_f64_at(t, i);
        c->nan = c->nan || isnan(x);
        c->infinite = c->infinite || isinf(x);
        c->minus_zero = c->minus_zero || (x == 0 && signbit(x));
        if (isfinite(x))
            c->largest = fmax(c->largest, fabs(x));
    }
}

static void leave_point(Comparing *c)
{
    for (int k = 0; k < 2; k++) {
        tensor_unref(c->run[k].value);
        free(c->run[k].error);
        c->run[k] = (Run){.outcome = RAN_NOWHERE};
        for (int m = 0; m < 3; m++) {
            tensor_unref(c->others[k][m]);
            c->others[k][m] = NULL;
        }
    }
    c->otherwise = false;
    map_clear(&c->values);
}

static u64 signs_of(const Tensor *t, size_t leaf)
{
    u64 least = 1ull << 3 * leaf, most = least << 1, not_zero = least << 2;
    u64 signs = least | most;
    bool zero = false;
    for (i64 i = 0; i < t->count; i++) {
        double x = tensor_f64_at(t, i);
        if (!(x >= 0))
            signs &= ~least;
        if (!(x <= 0))
            signs &= ~most;
        zero = zero || x == 0;
    }
    return signs | (zero ? 0 : not_zero);
}

bool assumptions_hold(const Evidence *e, const Assumptions *given, u64 signs)
{
    static const u64 needs[] = {[AT_LEAST_ZERO] = 1, [ABOVE_ZERO] = 1 | 4, [AT_MOST_ZERO] = 2};
    for (int k = 0; given && k < given->n; k++)
        for (size_t i = 0; i < e->points.own && i < MOST_SIGNS; i++)
            if (e->points.leaves.at[i] == given->at[k].leaf &&
                needs[given->at[k].sign] & ~(signs >> 3 * i))
                return given->broken;
    return !given || !given->broken;
}

static size_t count_odd(const Tensor *t)
{
    size_t n = 0;
    for (i64 i = 0; t && dtype_is_float(t->dtype) && i < t->count; i++)
        n += isfinite(tensor_f64_at(t, i)) ? 0 : 1;
    return n;
}

/* How much there is to read; whole numbers are read easily, and so is what has no nan or infinity.
 */
static size_t length_of_inputs(const Evidence *e, const Comparing *c, Tensor *const *values)
{
    Text t = {0};
    size_t odd = 0;
    for (size_t i = 0; i < e->points.own; i++) {
        tensor_print(&t, values[i], 20, 0);
        odd += count_odd(values[i]);
    }
    size_t n = 2 * t.len + odd;
    for (size_t i = 1; i < t.len; i++)
        n += t.at[i - 1] == '.' && t.at[i] != '0' ? 1 : 0;
    text_free(&t);
    bool none = count_odd(c->run[0].value) && count_odd(c->run[1].value);
    return n + (none ? 4 : 0);
}

static void witness_free(Witness *w)
{
    for (size_t i = 0; i < w->inputs.len; i++)
        tensor_unref(w->inputs.at[i].value);
    for (int k = 0; k < 2; k++) {
        tensor_unref(w->sides[k]);
        free(w->error[k]);
    }
    vec_free(&w->inputs);
    *w = (Witness){.found = false};
}

static void keep_witness(const Evidence *e, const Comparing *c, Witness *w, const SamplePoint *at,
                         size_t length, Tensor *const *values)
{
    witness_free(w);
    *w = (Witness){.found = true, .length = length, .point = at};
    for (size_t i = 0; i < e->points.own; i++)
        vec_push(&w->inputs, ((LeafValue){e->points.leaves.at[i], tensor_ref(values[i])}));
    for (int k = 0; k < 2; k++) {
        w->sides[k] = c->run[k].value ? tensor_ref(c->run[k].value) : NULL;
        w->error[k] = c->run[k].error ? xstrdup(c->run[k].error) : NULL;
    }
}

/* Kept if it is shorter than what is there. */
static void offer_witness(Evidence *e, const Comparing *c, Witness *w, const SamplePoint *at,
                          Tensor *const *values)
{
    size_t length = length_of_inputs(e, c, values);
    if (!w->found || length < w->length)
        keep_witness(e, c, w, at, length, values);
}

/* Values of all leaves; false: the point cannot be made. */
static bool make_point(const Evidence *e, const SamplePoint *at, Tensor **values)
{
    for (size_t i = 0; i < e->points.leaves.len; i++)
        if (!(values[i] = sampler_value(&e->points, at, i)))
            return false;
    return true;
}

/* False: the point is not as assumed. */
static bool enter_point(Comparing *c, const Evidence *e, const Assumptions *given,
                        Tensor *const *values, u64 *signs)
{
    *signs = 0;
    c->largest = 1;
    c->nan = c->infinite = c->minus_zero = false;
    c->left = c->asked = false;
    for (size_t i = 0; i < e->points.leaves.len; i++) {
        map_put(&c->values, e->points.leaves.at[i], values[i]);
        if (i >= e->points.own)
            continue;
        note_inputs(c, values[i]);
        *signs |= i < MOST_SIGNS ? signs_of(values[i], i) : 0;
    }
    return assumptions_hold(e, given, *signs);
}

/* DIFFER_KINDS: one of them could not be evaluated. */
static DifferKind compare_runs(Comparing *c)
{
    c->run[0] = run_side(c, 0);
    c->run[1] = run_side(c, 1);
    Outcome a = c->run[0].outcome, b = c->run[1].outcome;
    if (a == RAN_NOWHERE || b == RAN_NOWHERE)
        return DIFFER_KINDS;
    return a != b ? DIFFER_ERROR : a == RAN_TO_ERROR ? DIFFER_NOT : compare_values(c);
}

static void compare_at(Comparing *c, Evidence *e, const SamplePoint *at, Tensor *const *values,
                       u64 signs)
{
    DifferKind k = compare_runs(c);
    if (k == DIFFER_KINDS)
        return;
    e->tried++;
    if (k != DIFFER_NOT)
        offer_witness(e, c, &e->at[k][at->kind], at, values);
    if (at->kind != ORDINARY || c->run[0].outcome == RAN_TO_ERROR)
        return;
    if (k > DIFFER_OVERFLOW)
        vec_push(&e->differs, signs);
    else
        vec_push(&e->agrees, signs);
}

static bool rounds_to_whole(const Node *n) { return n->op == OP_ROUND; }

static bool is_single(const Node *n)
{
    return n->type->kind == TYPE_TENSOR && n->type->dtype == DT_F32;
}

/* Plans of both sides; false: there are none. comparing_close in either case. */
static bool comparing_open(Comparing *c, Session *s, Node *const sides[2], DiagTry *trial)
{
    *c = (Comparing){.s = s,
                     .single = nodes_any(2, sides, is_single),
                     .jumps = nodes_any(2, sides, rounds_to_whole)};
    diag_try_begin(trial, &s->st.diags);
    for (int k = 0; k < 2; k++)
        c->program[k] = plan_build_with(&s->st, 1, &sides[k], s->plan_flags);
    range_watch_open(&c->watch, s, 2, sides);
    return c->program[0] && c->program[1];
}

static void comparing_close(Comparing *c, DiagTry *trial)
{
    for (int k = 0; k < 2; k++)
        program_free(c->program[k]);
    range_watch_close(&c->watch);
    map_free(&c->values);
    diag_try_end(trial);
}

static void release_values(Tensor **values, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        tensor_unref(values[k]);
        values[k] = NULL;
    }
}

bool session_compare_values(Session *s, Node *const sides[2], const Assumptions *given,
                            Evidence *out)
{
    Comparing c;
    DiagTry trial;
    *out = (Evidence){0};
    sampler_open(&out->points, s, 2, sides);
    bool ok = comparing_open(&c, s, sides, &trial);
    out->jumps = c.jumps;
    size_t n = out->points.leaves.len;
    Tensor **values = xcalloc(n + 1, sizeof *values);
    for (size_t i = 0; i < out->points.points.len && ok && !store_stops(&s->st); i++) {
        u64 signs;
        const SamplePoint *at = &out->points.points.at[i];
        if (make_point(out, at, values) && enter_point(&c, out, given, values, &signs))
            compare_at(&c, out, at, values, signs);
        release_values(values, n);
        leave_point(&c);
    }
    free(values);
    comparing_close(&c, &trial);
    return out->tried > 0;
}

/* ---- shorter inputs ---- */

/* A witness whose inputs are made easier to read, an element at a time. */
typedef struct {
    Comparing *c;
    Evidence *e;
    const Assumptions *given;
    DifferKind kind;
    PointKind at;
    Tensor **values; /* of all leaves */
} Shortening;

/* Do these values show the same kind of difference? Then they are the witness. */
static bool still_differs(Shortening *h)
{
    u64 signs;
    Witness *w = &h->e->at[h->kind][h->at];
    bool same =
        enter_point(h->c, h->e, h->given, h->values, &signs) && compare_runs(h->c) == h->kind;
    if (same)
        keep_witness(h->e, h->c, w, w->point, length_of_inputs(h->e, h->c, h->values), h->values);
    leave_point(h->c);
    return same;
}

/* Puts x in place of an element; false: as before. */
static bool put_plain(Shortening *h, size_t leaf, i64 i, double x)
{
    Tensor *old = h->values[leaf], *t = tensor_copy(&h->c->s->st.heap, old);
    if (!t)
        return false;
    if (t->dtype == DT_F32)
        ((float *)t->data)[i] = (float)x;
    else
        ((double *)t->data)[i] = x;
    h->values[leaf] = t;
    bool same = still_differs(h);
    h->values[leaf] = same ? t : old;
    tensor_unref(same ? old : t);
    return same;
}

/* At an ordinary point no element becomes 0, where functions may have a corner. */
static void shorten_leaf(Shortening *h, size_t leaf)
{
    for (i64 i = 0; i < h->values[leaf]->count; i++) {
        double x = tensor_f64_at(h->values[leaf], i);
        if ((x == 0 && !signbit(x)) || x == 1)
            continue;
        if (h->at == ORDINARY || !put_plain(h, leaf, i, 0))
            put_plain(h, leaf, i, 1);
    }
}

/* Arrays only: of numbers the samples have short ones. */
static void shorten(Shortening *h, const Witness *w)
{
    enum { MOST_ELEMENTS = 64 }; /* each is tried twice */
    i64 elements = 0;
    size_t own = h->e->points.own;
    for (size_t i = 0; i < own; i++) {
        tensor_unref(h->values[i]);
        h->values[i] = tensor_ref(w->inputs.at[i].value);
        elements += h->values[i]->count;
    }
    for (size_t i = 0; i < own && elements <= MOST_ELEMENTS; i++)
        if (dtype_is_float(h->values[i]->dtype) && h->values[i]->rank > 0)
            shorten_leaf(h, i);
}

/* Finds where it is kept; NULL: nowhere. */
static Witness *own_witness(Evidence *e, const Witness *w, DifferKind *kind, PointKind *at)
{
    for (int d = 0; d < DIFFER_KINDS; d++)
        for (int k = 0; k < POINT_KINDS; k++)
            if (&e->at[d][k] == w) {
                *kind = (DifferKind)d;
                *at = (PointKind)k;
                return &e->at[d][k];
            }
    return NULL;
}

void evidence_shorten(Session *s, Node *const sides[2], const Assumptions *given, Evidence *e,
                      const Witness *which)
{
    Comparing c;
    DiagTry trial;
    Shortening h = {.c = &c, .e = e, .given = given};
    Witness *w = own_witness(e, which, &h.kind, &h.at);
    if (!w)
        return;
    size_t n = e->points.leaves.len;
    h.values = xcalloc(n + 1, sizeof *h.values);
    if (comparing_open(&c, s, sides, &trial) && make_point(e, w->point, h.values))
        shorten(&h, w);
    release_values(h.values, n);
    free(h.values);
    comparing_close(&c, &trial);
}

const Witness *evidence_of(const Evidence *e, DifferKind kind, PointKind last)
{
    const Witness *best = NULL;
    for (int k = 0; k <= (int)last; k++) {
        const Witness *w = &e->at[kind][k];
        if (w->found && (!best || w->length < best->length))
            best = w;
    }
    return best;
}

void evidence_free(Evidence *e)
{
    for (int d = 0; d < DIFFER_KINDS; d++)
        for (int k = 0; k < POINT_KINDS; k++)
            witness_free(&e->at[d][k]);
    vec_free(&e->agrees);
    vec_free(&e->differs);
    sampler_close(&e->points);
}
