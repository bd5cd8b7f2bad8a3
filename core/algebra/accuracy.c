/* Programs of sums and products run on samples with bounds of their errors: see accuracy.h.
 *
 * Every axis has two places, but one that has one; a sum over it is scaled to its whole length, so
 * that n * mean(x) is sum(x) here, too. Samples have 0, 1 and -1 often, as those cancel, and
 * numbers of all sizes; they are the same on every run. */
#include "algebra/accuracy.h"
#include "algebra/parts.h"

#include "graph/walk.h"
#include "ops/cost.h"

#include <math.h>

enum {
    KINDS = 5,      /* of numbers that are combined, */
    COMBINED = 125, /* for three sources */
    SAMPLES = 125 + 24,
    LONG = 100,
    MOST_ELEMENTS = 256
};
static const double UNIT = 0x1p-53;

typedef struct {
    int rank, n, dims[MAX_RANK];
    double *value, *error;
} Sample;

typedef struct {
    Store *st;
    Facts *facts;
    const Sources *from;
    Arena arena;
    MAP(Node *, Sample *) of;
    int round;
} Run;

/* ---- shapes ---- */

static double long_size(void *ctx, const SizeAtom *a)
{
    (void)ctx, (void)a;
    return LONG;
}

static double whole_length(const Size *s) { return size_estimate(s, long_size, NULL); }

static Sample *new_sample(Run *r, const Type *t)
{
    Sample *s = arena_alloc(&r->arena, sizeof *s);
    s->rank = t->rank;
    s->n = 1;
    for (int i = 0; i < t->rank; i++)
        s->n *= s->dims[i] = r->round < COMBINED || size_is(t->dims[i], 1) ? 1 : 2;
    if (s->n > MOST_ELEMENTS)
        return NULL;
    s->value = arena_alloc(&r->arena, (size_t)s->n * sizeof *s->value);
    s->error = arena_alloc(&r->arena, (size_t)s->n * sizeof *s->error);
    return s;
}

/* The places along the axes of element k. */
static void places_of(const Sample *s, int k, int *at)
{
    for (int i = s->rank; i-- > 0; k /= s->dims[i])
        at[i] = k % s->dims[i];
}

static int element_at(const Sample *s, const int *at)
{
    int k = 0;
    for (int i = 0; i < s->rank; i++)
        k = k * s->dims[i] + (s->dims[i] > 1 ? at[i] : 0);
    return k;
}

/* ---- operations ---- */

static void put(Sample *s, int k, double value, double error, bool rounds)
{
    s->value[k] = value;
    s->error[k] = error + (rounds ? UNIT * fabs(value) : 0);
}

typedef struct {
    double value, error;
} Bounded;

static Bounded get(const Sample *s, int k)
{
    k = s->n == 1 ? 0 : k;
    return (Bounded){s->value[k], s->error[k]};
}

static Bounded rounded(double value, double error)
{
    return (Bounded){value, error + UNIT * fabs(value)};
}

static Bounded times(Bounded x, Bounded y)
{
    return rounded(x.value * y.value, fabs(x.value) * y.error + fabs(y.value) * x.error);
}

static Bounded inverse(Bounded x) { return rounded(1 / x.value, x.error / (x.value * x.value)); }

static Bounded over(Bounded x, Bounded y)
{
    double q = x.value / y.value;
    return rounded(q, (x.error + fabs(q) * y.error) / fabs(y.value));
}

static Bounded power(Bounded x, int p)
{
    Bounded y = {1, 0};
    for (int i = 0; i < (p < 0 ? -p : p); i++)
        y = i ? times(y, x) : x;
    return p < 0 ? inverse(y) : y;
}

static Bounded combine(const Node *n, Bounded x, Bounded y)
{
    switch (n->op) {
    case OP_ADD: return rounded(x.value + y.value, x.error + y.error);
    case OP_SUB: return rounded(x.value - y.value, x.error + y.error);
    case OP_DIV: return over(x, y);
    default: return times(x, y);
    }
}

static bool run_elementwise(const Node *n, Sample *const *x, Sample *out)
{
    double p = 0;
    if (n->op == OP_POW && (!node_const_f64(n->ops[1], &p) || p != (int)p || fabs(p) > 64))
        return false;
    for (int k = 0; k < out->n; k++) {
        Bounded v = get(x[0], k);
        switch (n->op) {
        case OP_NEG: v.value = -v.value; break;
        case OP_SQR: v = times(v, v); break;
        case OP_RECIPROCAL: v = inverse(v); break;
        case OP_POW: v = power(v, (int)p); break;
        default:
            for (u32 i = 1; i < n->nops; i++)
                v = combine(n, v, get(x[i], k));
        }
        put(out, k, v.value, v.error, false);
    }
    return true;
}

/* Adds element k of x to element j, `scale` times. */
static void add_to(Sample *out, int j, Bounded v, double scale)
{
    put(out, j, out->value[j] + scale * v.value, out->error[j] + scale * v.error, true);
}

static bool run_sum(const Node *n, Sample *const *of, Sample *out)
{
    const Sample *x = of[0];
    const IntList *axes = n->attrs[0].ints;
    int at[MAX_RANK], left[MAX_RANK];
    double scale = 1;
    for (u32 i = 0; i < axes->n; i++) {
        double whole = n->op == OP_MEAN ? 1 : whole_length(n->ops[0]->type->dims[axes->at[i]]);
        scale *= whole / x->dims[axes->at[i]];
    }
    for (int k = 0; k < x->n; k++) {
        int m = 0;
        places_of(x, k, at);
        for (int i = 0; i < x->rank; i++) {
            bool gone = false;
            for (u32 j = 0; j < axes->n; j++)
                gone = gone || axes->at[j] == i;
            if (!gone)
                left[m++] = at[i];
        }
        add_to(out, element_at(out, left), get(x, k), scale);
    }
    return true;
}

/* The element of an operand of a matrix product: its place along the axis that is summed over, and
 * the result's places. */
static Bounded factor_at(const Sample *x, bool left, const int *at, int rank, bool other_vector,
                         int summed)
{
    int own[MAX_RANK], batch = rank - (x->rank > 1) - !other_vector;
    if (x->rank == 1)
        return get(x, x->dims[0] > 1 ? summed : 0);
    for (int i = 0; i + 2 < x->rank; i++)
        own[i] = at[batch - (x->rank - 2) + i];
    own[x->rank - 2] = left ? at[batch] : summed;
    own[x->rank - 1] = left ? summed : at[rank - 1];
    return get(x, element_at(x, own));
}

static bool run_matmul(const Node *n, Sample *const *x, Sample *out)
{
    int at[MAX_RANK], summed = x[0]->dims[x[0]->rank - 1];
    double scale = whole_length(n->ops[0]->type->dims[x[0]->rank - 1]) / summed;
    for (int k = 0; k < out->n; k++) {
        places_of(out, k, at);
        for (int s = 0; s < summed; s++) {
            Bounded l = factor_at(x[0], true, at, out->rank, x[1]->rank == 1, s);
            Bounded r = factor_at(x[1], false, at, out->rank, x[0]->rank == 1, s);
            add_to(out, k, times(l, r), scale);
        }
    }
    return true;
}

static bool run_diagonal(const Node *n, Sample *const *of, Sample *out)
{
    const Sample *x = of[0];
    int at[MAX_RANK], m = x->dims[0];
    if (n->op == OP_DIAG && (n->attrs[0].i || x->rank > 2))
        return false;
    double scale = n->op == OP_TRACE ? whole_length(n->ops[0]->type->dims[0]) / m : 1;
    for (int k = 0; k < (n->op == OP_TRACE ? m : out->n); k++) {
        places_of(out, k, at);
        Bounded v = x->rank == 2     ? get(x, k * m + k)
                    : at[0] == at[1] ? get(x, at[0])
                                     : (Bounded){0, 0};
        add_to(out, n->op == OP_TRACE ? 0 : k, v, scale);
    }
    return true;
}

static bool run_moved(const Node *n, Sample *const *of, Sample *out)
{
    const Sample *x = of[0];
    int at[MAX_RANK], own[MAX_RANK] = {0};
    const IntList *list = n->attrs[0].ints;
    for (int k = 0; k < out->n; k++) {
        places_of(out, k, at);
        u32 j = 0;
        for (int i = 0, m = 0; i < (n->op == OP_SQUEEZE ? x->rank : out->rank); i++) {
            bool listed = j < list->n && list->at[j] == i;
            j += listed && n->op != OP_TRANSPOSE;
            if (n->op == OP_TRANSPOSE)
                own[list->at[i]] = at[i];
            else if (n->op == OP_BROADCAST && listed)
                own[j - 1] = at[i];
            else if (n->op == OP_EXPAND_DIMS && !listed)
                own[m++] = at[i];
            else if (n->op == OP_SQUEEZE)
                own[i] = listed ? 0 : at[m++];
        }
        Bounded v = get(x, element_at(x, own));
        put(out, k, v.value, v.error, false);
    }
    return true;
}

static bool run_eye(const Node *n, Sample *const *of, Sample *out)
{
    (void)of;
    if (n->op == OP_EYE && n->nops > 1)
        return false;
    for (int k = 0; k < out->n; k++)
        put(out, k, k / out->dims[1] == k % out->dims[1], 0, false);
    return true;
}

static bool run_none(const Node *n, Sample *const *of, Sample *out)
{
    (void)n, (void)of, (void)out;
    return false;
}

typedef bool Runner(const Node *n, Sample *const *of, Sample *out);
static Runner *const runners[OP_COUNT] = {
#define READ(ID, NAME, RUN) [OP_##ID] = run_##RUN,
#include "algebra/read.def"
#undef READ
};

bool accuracy_runs(OpId op) { return runners[op] && runners[op] != run_none; }

/* ---- samples ---- */

static double combined(const Run *r, u32 source)
{
    static const double kinds[KINDS] = {1, 0, 1e-6, -1, 1e6};
    u32 digit = (u32)r->round;
    for (u32 i = 1; i < source && i < 3; i++)
        digit /= KINDS;
    if (source > 3)
        digit = (u32)(hash_mix((u64)r->round, source) % KINDS);
    return kinds[digit % KINDS];
}

static double sample(const Run *r, u32 source, int k)
{
    static const double often[] = {0, 1, -1, 1, 0.5, -2};
    u64 h = hash_mix(hash_mix((u64)r->round + 1, source), (u64)k);
    if (r->round < COMBINED)
        return combined(r, source);
    if (h % 2)
        return often[h / 2 % COUNT_OF(often)];
    double size = pow(10, (double)(h / 16 % 1000) / 125 - 4);
    return h / 4 % 2 ? size : -size;
}

/* f(x) -> f(-x) */
static double reflected(OpId op, double y)
{
    return op_mirror(op) == MIRROR_ODD ? -y : op_mirror(op) == MIRROR_ONE ? 1 - y : y;
}

static void run_source(const Run *r, Node *n, Sample *out)
{
    Node *of = map_get(&r->from->mirrored, n);
    if (of) {
        run_source(r, of, out);
        for (int k = 0; k < out->n; k++)
            put(out, k, reflected(n->op, out->value[k]), 0, false);
        return;
    }
    const Fact *f = r->facts ? fact_of(r->facts, n) : NULL;
    for (int k = 0; k < out->n; k++) {
        double x = sample(r, map_get(&r->from->places, n), k);
        if (f && f->lo <= f->hi) {
            x = f->lo >= 0 ? fabs(x) : x;
            x = fmin(fmax(x, f->lo), f->hi);
        }
        put(out, k, x, 0, false);
    }
}

static bool is_size(const Node *n)
{
    return n->op == OP_SIZE || n->op == OP_DIM || (n->op == OP_CAST && is_size(n->ops[0]));
}

static bool run_number(Run *r, Node *n, Sample *out)
{
    double x;
    while (n->op == OP_CAST)
        n = n->ops[0];
    Size *s = is_size(n) ? size_of_node(r->st, n) : NULL;
    if (!s && !node_const_f64(n, &x))
        return false;
    put(out, 0, s ? whole_length(s) : x, 0, false);
    return true;
}

/* ---- programs ---- */

/* Whole numbers are no values here: they are in what is run as a whole. */
static bool is_value(const Node *n)
{
    return dtype_is_float(n->type->dtype) || n->op == OP_CONST || is_size(n);
}

static bool run_operator(Run *r, Node *n, Sample *out)
{
    if (n->op == OP_CAST) /* of places: f64(i == j) */
        return run_eye(n, NULL, out);
    if (!runners[n->op])
        return false;
    Sample *small[8], **x = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *x);
    bool ok = true;
    for (u32 i = 0; i < n->nops; i++) {
        x[i] = map_get(&r->of, n->ops[i]);
        ok = ok && (x[i] || !is_value(n->ops[i]));
    }
    ok = ok && runners[n->op](n, x, out);
    if (x != small)
        free(x);
    return ok;
}

static bool run_node(Run *r, Node *n)
{
    if (map_has(&r->of, n) || !is_value(n))
        return true;
    Sample *s = new_sample(r, n->type);
    bool ok = s != NULL;
    if (ok && map_has(&r->from->stop, n))
        run_source(r, n, s);
    else if (ok && (n->op == OP_CONST || is_size(n)) && !n->type->rank)
        ok = run_number(r, n, s);
    else
        ok = ok && run_operator(r, n, s);
    map_put(&r->of, n, s);
    return ok;
}

/* The sources, too, which stop the walk before them. */
static const Sample *run_program(Run *r, Node *root)
{
    NodeVec order = {0};
    bool ok = true;
    for (size_t i = 0; i < r->from->nodes.len && ok; i++)
        ok = r->from->nodes.at[i]->type->kind == TYPE_TENSOR && run_node(r, r->from->nodes.at[i]);
    nodes_topo_until(root, &r->from->stop, &order);
    for (size_t i = 0; i < order.len && ok; i++)
        ok = run_node(r, order.at[i]);
    vec_free(&order);
    return ok ? map_get(&r->of, root) : NULL;
}

static bool compare(const Sample *now, const Sample *was)
{
    static const double TINY = 0x1p-1000;
    enum { SLACK = 8 }; /* bounds of errors differ more than errors do */
    for (int k = 0; k < now->n; k++) {
        double most = SLACK * was->error[k] + 2 * UNIT * fabs(was->value[k]) + TINY;
        if (isfinite(was->value[k]) && isfinite(was->error[k]) && !(now->error[k] <= most))
            return false;
    }
    return true;
}

/* Without sums of its own nothing is cancelled that was not before. */
static bool adds(Node *root, const Sources *from)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo_until(root, &from->stop, &order);
    for (size_t i = 0; i < order.len && !found; i++)
        found = order.at[i]->op == OP_ADD || order.at[i]->op == OP_SUB;
    vec_free(&order);
    return found;
}

bool is_as_accurate(Store *st, Facts *facts, Node *now, Node *was, const Sources *from)
{
    Run r = {.st = st, .facts = facts, .from = from};
    bool ok = true;
    if (!dtype_is_float(node_dtype(now)) || !adds(now, from))
        return true;
    for (; r.round < SAMPLES && ok; r.round++) {
        map_clear(&r.of);
        const Sample *x = run_program(&r, was), *y = run_program(&r, now);
        ok = x && y && compare(y, x);
    }
    map_free(&r.of);
    arena_free(&r.arena);
    return ok;
}
