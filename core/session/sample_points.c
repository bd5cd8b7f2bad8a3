/* Which inputs two expressions are compared on: see sample_points.h. */
#include "session/sample_points.h"

#include <float.h>
#include <math.h>

#include "graph/walk.h"
#include "tensor/philox.h"

enum {
    POINT_WORK = 300000, /* elements of all points together */
    LEAST_POINTS = 150,  /* whatever they take; */
    LARGE = 1000,        /* of expressions with more elements than that */
    FEWEST_POINTS = 20,  /* so few */
    LENGTHS = 5,         /* of a size: 0, 1, 2, 4, LONG; */
    SOME_LENGTHS = 40,   /* of three sizes or more so many of all combinations */
    LONG = 9,
    MOST_MEASURED = 70 /* a constant below it may be a length: arrays are made longer than that */
};

/* Simple ones first. */
static const double corners[] = {0.0, 1,   -1,   -0.0, 2,  -2, 0.5, -0.5,
                                 1.5, 2.5, -2.5, 3,    -3, 7,  10,  100},
                    extremes[] = {800,    1e200, -1e200, 1e-200,  -800,    DBL_MAX, 5e-324, 1e-310,
                                  1e4,    -1e4,  1e6,    -1e6,    1e300,   -1e300,  1e-300, 1e154,
                                  1e-160, 1e16,  -1e16,  -1e-200, -1e-310, 1e-9,    1e9,    1e155},
                    single_extremes[] = {100,   1e30, -1e30, 1e-30,  -100,   FLT_MAX, 1e-45, 1e-40,
                                         1e4,   -1e4, 1e6,   -1e6,   1e38,   -1e38,   1e-38, 1e19,
                                         1e-20, 2e7,  -2e7,  -1e-30, -1e-40, 1e-5,    1e9,   1e23},
                    odd[] = {INFINITY, -INFINITY, NAN, 0.0, -0.0, -1, 2, 0.5};
enum { PAIRED = 8, SPECIALS = 3 /* of odd */ };
static const double whole_corners[] = {0, 1, -1, 2, -2, 3, -3, 5, 7, -7, 8, 10, 31, 32, 63, 64};
static const i64 whole_extremes[] = {100,
                                     -100,
                                     1000,
                                     -1000,
                                     46341,
                                     -46341,
                                     INT32_MAX,
                                     INT32_MIN,
                                     INT32_MAX - 1,
                                     INT32_MIN + 1,
                                     1 << 30,
                                     -(1 << 30) - 1,
                                     INT64_MAX,
                                     INT64_MIN,
                                     3037000500,
                                     4294967296,
                                     9007199254740993,
                                     INT64_MAX - 1,
                                     INT64_MIN + 1,
                                     INT64_MAX / 2 + 1,
                                     INT64_MIN / 2 - 1,
                                     -3037000500,
                                     1000000007,
                                     INT64_MAX / 3 + 1};

/* ---- what the expressions are made of ---- */

static void add_constant(Sampler *p, double x)
{
    for (size_t i = 0; i < p->npool; i++)
        if (p->pool[i] == x)
            return;
    bool plain = fabs(x) <= 1 && x == rint(x);
    if (x == rint(x) && fabs(x) < MOST_MEASURED && fabs(x) + 2 > (double)p->longest)
        p->longest = (i64)fabs(x) + 2; /* it may be a position */
    if (isfinite(x) && !plain && p->npool < SAMPLE_POOL)
        p->pool[p->npool++] = x;
}

static void add_name(Sampler *p, Symbol name)
{
    for (size_t i = 0; i < p->nnames; i++)
        if (p->names[i] == name)
            return;
    if (p->nnames < SAMPLE_SIZES)
        p->names[p->nnames++] = name;
}

static void add_size(Sampler *p, const Size *s)
{
    for (u32 i = 0; i < s->nterms; i++)
        for (u32 k = 0; k < s->terms[i].nfactors; k++) {
            const SizeAtom *a = s->terms[i].factors[k];
            if (a->kind == ATOM_NAME)
                add_name(p, a->name);
            else if (a->a && a->b)
                add_size(p, a->a), add_size(p, a->b);
        }
}

static bool measures(const Type *t)
{
    for (int i = 0; t->kind == TYPE_TENSOR && i < t->rank; i++)
        if (size_has_kind(t->dims[i], ATOM_NODE))
            return true;
    for (int i = 0; t->kind == TYPE_TUPLE && i < t->nitems; i++)
        if (measures(t->items[i]))
            return true;
    return false;
}

static void add_leaf(Sampler *p, Node *n)
{
    for (size_t i = 0; i < p->leaves.len; i++)
        if (p->leaves.at[i] == n)
            return;
    vec_push(&p->leaves, n);
    for (int i = 0; i < n->type->rank; i++)
        add_size(p, n->type->dims[i]);
}

/* A size that has a name is read off the first input of the session that has it; `first`: no more
 * than one of them. */
static void add_leaves_of_sizes(Sampler *p, size_t from, bool first)
{
    for (size_t i = from; i < p->nnames; i++) {
        size_t at = 0;
        for (const Leaf *l; (l = session_next_of_size(p->s, p->names[i], &at)) != NULL;) {
            add_leaf(p, l->node);
            if (first)
                break;
        }
    }
}

static void look_at(Sampler *p, int n, Node *const *roots)
{
    StandingVec all = {0};
    nodes_standing(n, roots, NULL, &all);
    for (size_t i = 0; i < all.len; i++) {
        const Node *x = all.at[i].node;
        double c;
        if (node_const_f64(x, &c) && x->type->dtype != DT_BOOL)
            add_constant(p, c);
        p->measures = p->measures || measures(x->type);
    }
    vec_free(&all);
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_INPUT || order.at[i]->op == OP_SHARED)
            add_leaf(p, order.at[i]);
    size_t named = p->nnames; /* what only has the size of an input depends on that */
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_SIZE)
            add_size(p, order.at[i]->attrs[0].size);
    vec_free(&order);
    add_leaves_of_sizes(p, named, true);
    p->own = p->leaves.len;
    leaves_by_declaration(&p->s->st, p->own, p->leaves.at);
    add_leaves_of_sizes(p, 0, false);
}

/* ---- the list of points ---- */

static void add(Sampler *p, SamplePoint x)
{
    x.seed = (u32)p->points.len;
    vec_push(&p->points, x);
}

static int watched(const Sampler *p) { return p->own < 6 ? (int)p->own : 6; }

enum { SIZE_USUAL, SIZE_ONE, SIZE_EMPTY, SIZE_CODES = 8 /* and above: of each name its own */ };

static void add_ordinary(Sampler *p)
{
    static const Fill fills[] = {FILL_MIXED,  FILL_POSITIVE, FILL_SIGNED, FILL_LARGE,
                                 FILL_SIGNED, FILL_UNIT,     FILL_SIGNED, FILL_SIGNED};
    for (u32 i = 0; i < 64; i++)
        add(p, (SamplePoint){ORDINARY, fills[i % COUNT_OF(fills)],
                             .sizes = i < 16 ? SIZE_USUAL : SIZE_CODES + 37 * i + 1,
                             .leaf = {-1, -1}});
}

/* All leaves alike, then one of them after the other, beside ones and beside other numbers. */
static void add_values(Sampler *p, PointKind kind, int n)
{
    SamplePoint x = {kind, FILL_ONES, .sizes = SIZE_ONE, .leaf = {EVERY_LEAF, -1}};
    for (x.place[0] = 0; x.place[0] < n; x.place[0]++)
        add(p, x);
    for (x.leaf[0] = 0; x.leaf[0] < watched(p) && p->own > 1; x.leaf[0]++)
        for (x.place[0] = 0; x.place[0] < n; x.place[0]++)
            add(p, x);
    x.sizes = SIZE_USUAL;
    for (x.leaf[0] = 0; x.leaf[0] < watched(p); x.leaf[0]++)
        for (x.place[0] = 0; x.place[0] < n; x.place[0]++) {
            x.fill = x.place[0] % 2 ? FILL_SIGNED : FILL_WHOLE;
            x.first = x.place[0] % 3 > 0;
            add(p, x);
        }
}

static void add_pairs(Sampler *p, PointKind kind)
{
    int most = p->own < 3 ? (int)p->own : 3;
    for (int a = 0; a < most; a++)
        for (int b = a + 1; b < most; b++)
            for (int i = 0; i < PAIRED * PAIRED; i++)
                add(p, (SamplePoint){kind, FILL_ONES, .sizes = i % 2 ? SIZE_USUAL : SIZE_ONE,
                                     .leaf = {a, b}, .place = {i / PAIRED, i % PAIRED}});
}

static void add_fills(Sampler *p, PointKind kind, Fill fill, u32 n)
{
    for (u32 i = 0; i < n; i++)
        add(p, (SamplePoint){kind, fill, .sizes = i % 4 ? SIZE_USUAL : SIZE_ONE, .leaf = {-1, -1}});
}

static void add_sizes(Sampler *p)
{
    u32 codes = p->nnames == 1 ? LENGTHS : p->nnames == 2 ? LENGTHS * LENGTHS : SOME_LENGTHS;
    for (u32 i = 0; i < 2 * codes && p->nnames; i++)
        add(p, (SamplePoint){CORNER, i % 2 ? FILL_MIXED : FILL_ONES,
                             .sizes = SIZE_CODES + (p->nnames > 2 ? 389 * i : i / 2),
                             .leaf = {-1, -1}});
}

/* Where the expressions' own numbers are, and on both sides of them. */
static void add_pool(Sampler *p)
{
    for (size_t i = 0; i < p->npool; i++) {
        double c = p->pool[i], near[] = {c,
                                         c + 1,
                                         c - 1,
                                         -c,
                                         2 * c,
                                         c / 2,
                                         c + 0.5,
                                         nextafter(c, INFINITY),
                                         nextafter(c, -INFINITY)};
        PointKind kind = fabs(c) > 1e5 || fabs(c) < 1e-5 ? EXTREME : CORNER;
        for (int l = 0; l < watched(p); l++)
            for (size_t k = 0; k < COUNT_OF(near); k++)
                add(p, (SamplePoint){kind, k % 2 ? FILL_ONES : FILL_SIGNED, .sizes = SIZE_ONE,
                                     .leaf = {l, -1}, .place = {-1}, .at = near[k]});
    }
}

static void add_points(Sampler *p)
{
    add_ordinary(p);
    add_values(p, CORNER, COUNT_OF(corners));
    add_pairs(p, CORNER);
    add_sizes(p);
    add_pool(p);
    add_fills(p, CORNER, FILL_WHOLE, 24);
    add_fills(p, CORNER, FILL_HALVES, 12);
    add_fills(p, CORNER, FILL_EQUAL, 8);
    add_fills(p, CORNER, FILL_FROM_KIND, 16);
    add_values(p, EXTREME, COUNT_OF(extremes));
    add_pairs(p, EXTREME);
    add_fills(p, EXTREME, FILL_FROM_KIND, 32);
    add_values(p, NONFINITE, SPECIALS);
    add_pairs(p, NONFINITE);
    add_fills(p, NONFINITE, FILL_FROM_KIND, 16);
}

/* ---- values ---- */

/* Axes are empty at corners only. */
static i64 length_of_name(const Sampler *p, const SamplePoint *at, Symbol name)
{
    static const i64 usual[] = {3, 2, 4, 5, 3, 2, 4, 5}, lengths[LENGTHS] = {0, 1, 2, 4, LONG};
    size_t k = 0;
    while (k < p->nnames && p->names[k] != name)
        k++;
    u32 sizes = at->sizes;
    if (sizes < SIZE_CODES)
        return sizes == SIZE_USUAL ? usual[k % COUNT_OF(usual)] : sizes == SIZE_ONE;
    for (sizes -= SIZE_CODES; k > 0; k--)
        sizes /= LENGTHS;
    i64 length = lengths[sizes % LENGTHS];
    return length == 0 && at->kind == ORDINARY ? 3 : length == LONG ? p->longest : length;
}

static bool length_of(const Sampler *p, const SamplePoint *at, const Size *s, i64 *out);

static bool length_of_atom(const Sampler *p, const SamplePoint *at, const SizeAtom *a, i64 *out)
{
    i64 x, y;
    if (a->kind == ATOM_NAME) {
        *out = length_of_name(p, at, a->name);
        return true;
    }
    if (!a->a || !a->b || !length_of(p, at, a->a, &x) || !length_of(p, at, a->b, &y) ||
        (a->kind == ATOM_FLOORDIV && y <= 0))
        return false;
    *out = a->kind == ATOM_MAX   ? (x > y ? x : y)
           : a->kind == ATOM_MIN ? (x < y ? x : y)
                                 : x / y - (x % y < 0);
    return true;
}

static bool length_of(const Sampler *p, const SamplePoint *at, const Size *s, i64 *out)
{
    *out = s->constant;
    for (u32 i = 0; i < s->nterms; i++) {
        i64 term = s->terms[i].coef, x;
        for (u32 k = 0; k < s->terms[i].nfactors; k++) {
            if (!length_of_atom(p, at, s->terms[i].factors[k], &x))
                return false;
            term *= x;
        }
        *out += term;
    }
    return true;
}

/* Of two digits: it may have to be read. */
static double rounded(double x) { return rint(100 * x) / 100; }

static double listed(PointKind kind, DType d, size_t place)
{
    switch (kind) {
    case NONFINITE: return odd[place % COUNT_OF(odd)];
    case EXTREME: return (d == DT_F32 ? single_extremes : extremes)[place % COUNT_OF(extremes)];
    default: return corners[place % COUNT_OF(corners)];
    }
}

static i64 listed_whole(PointKind kind, size_t place)
{
    return kind == EXTREME ? whole_extremes[place % COUNT_OF(whole_extremes)]
                           : (i64)whole_corners[place % COUNT_OF(whole_corners)];
}

static double any_of(PointKind kind, DType d, u64 roll)
{
    PointKind k = (PointKind)((roll >> 8) % (u64)(kind + 1));
    return k == ORDINARY ? rounded(4 * (double)((roll >> 16) % 1000) / 1000 - 2)
                         : listed(k, d, roll >> 16);
}

static double unit(u64 roll) { return (double)(roll >> 11) / 9007199254740992.0; }

static double filled(const SamplePoint *at, DType d, size_t leaf, u64 roll)
{
    double u = unit(roll);
    switch (at->fill) {
    case FILL_ONES: return 1;
    case FILL_MIXED: return rounded(6 * u - 3);
    case FILL_POSITIVE: return rounded(3 * u + 0.01);
    case FILL_SIGNED: return rounded(3 * u + 0.01) * (hash_mix(at->seed, leaf + 1) & 1 ? 1 : -1);
    case FILL_UNIT: return rounded(0.98 * u + 0.01);
    case FILL_LARGE: return rounded(40 * u - 20);
    case FILL_WHOLE: return floor(4 * u) - 1;
    case FILL_HALVES: return (floor(11 * u) - 5) / 2;
    case FILL_FROM_KIND: return any_of(at->kind, d, roll);
    default: return floor(5 * u) - 2;
    }
}

/* Integers are not 0 where points are ordinary, and few where they are sizes. */
static i64 filled_whole(const Sampler *p, const SamplePoint *at, size_t leaf, u64 roll)
{
    double u = unit(roll);
    i64 sign = hash_mix(at->seed, leaf + 1) & 1 ? 1 : -1;
    if (p->measures)
        return (i64)(5 * u);
    switch (at->fill) {
    case FILL_ONES: return 1;
    case FILL_MIXED:
    case FILL_HALVES: return (i64)(10 * u + 1) * (roll & 64 ? 1 : -1);
    case FILL_POSITIVE:
    case FILL_UNIT: return (i64)(4 * u + 1);
    case FILL_SIGNED: return (i64)(7 * u + 1) * sign;
    case FILL_LARGE: return (i64)(100 * u + 1) * (roll & 64 ? 1 : -1);
    case FILL_FROM_KIND: return listed_whole(roll & 64 ? at->kind : CORNER, roll >> 16);
    default: return (i64)(4 * u) - 1;
    }
}

/* Which of the point's values the element has; -1: none. */
static int value_at(const SamplePoint *at, size_t leaf, i64 i)
{
    if (i > 0 && at->first)
        return -1;
    for (int k = 0; k < 2; k++)
        if (at->leaf[k] == (int)leaf || at->leaf[k] == EVERY_LEAF)
            return k;
    return -1;
}

static double real_at(const SamplePoint *at, DType d, size_t leaf, i64 i, u64 roll)
{
    int k = value_at(at, leaf, i);
    return k < 0              ? filled(at, d, leaf, roll)
           : at->place[k] < 0 ? at->at
                              : listed(at->kind, d, (size_t)at->place[k]);
}

static i64 saturated(double x)
{
    return x >= 9.2e18 ? INT64_MAX : x <= -9.2e18 ? INT64_MIN : (i64)x;
}

static i64 whole_at(const Sampler *p, const SamplePoint *at, size_t leaf, i64 i, u64 roll)
{
    int k = value_at(at, leaf, i);
    if (k < 0)
        return filled_whole(p, at, leaf, roll);
    i64 x = at->place[k] < 0 ? saturated(at->at) : listed_whole(at->kind, (size_t)at->place[k]);
    return p->measures && (x > MOST_MEASURED || x < -MOST_MEASURED) ? 1 : x;
}

static bool shape_at(const Sampler *p, const SamplePoint *at, const Type *t, i64 *shape)
{
    for (int a = 0; a < t->rank; a++)
        if (!length_of(p, at, t->dims[a], &shape[a]) || shape[a] < 0)
            return false;
    return true;
}

static Tensor *generator(Heap *h, int rank, const i64 *shape, u32 seed)
{
    Tensor *x = tensor_new(h, DT_RNG, rank, shape);
    for (i64 i = 0; x && i < x->count; i++)
        ((RngState *)x->data)[i] = rng_seed((i64)seed + i);
    return x;
}

Tensor *sampler_value(const Sampler *p, const SamplePoint *at, size_t leaf)
{
    i64 shape[MAX_RANK];
    const Type *t = p->leaves.at[leaf]->type;
    Heap *h = &p->s->st.heap;
    if (!shape_at(p, at, t, shape))
        return NULL;
    if (t->dtype == DT_RNG)
        return generator(h, t->rank, shape, at->seed);
    bool real = dtype_is_float(t->dtype);
    Tensor *x = tensor_new(h, real ? DT_F64 : DT_I64, t->rank, shape);
    for (i64 i = 0; x && i < x->count; i++) {
        u64 own = at->fill == FILL_EQUAL ? 0 : leaf + 1;
        u64 roll = hash_mix(hash_mix(at->seed + 1, own), (u64)i + 1);
        if (real)
            ((double *)x->data)[i] = real_at(at, t->dtype, leaf, i, roll);
        else
            ((i64 *)x->data)[i] = whole_at(p, at, leaf, i, roll);
        if (t->dtype == DT_BOOL)
            ((i64 *)x->data)[i] &= 1;
        if (t->dtype == DT_I32)
            ((i64 *)x->data)[i] = (i32)((i64 *)x->data)[i];
    }
    Tensor *r = x ? tensor_cast(h, x, t->dtype) : NULL;
    tensor_unref(x);
    return r;
}

/* ---- all of it ---- */

/* Elements of all leaves at a usual point. */
static double count_elements(const Sampler *p)
{
    double all = 0;
    for (size_t i = 0; i < p->leaves.len; i++) {
        i64 shape[MAX_RANK];
        const Type *t = p->leaves.at[i]->type;
        double n = shape_at(p, &(SamplePoint){.kind = ORDINARY}, t, shape) ? 1 : 0;
        for (int a = 0; a < t->rank && n > 0; a++)
            n *= (double)shape[a];
        all += n;
    }
    return all;
}

/* Large expressions and arrays are compared at fewer points, chosen evenly. */
static void thin_out(Sampler *p, u32 nodes)
{
    double elements = count_elements(p), each = nodes + 20 + elements;
    size_t least = elements > LARGE ? FEWEST_POINTS : LEAST_POINTS;
    size_t most = (size_t)(POINT_WORK / each), kept = 0, n = p->points.len;
    most = most < least ? least : most;
    for (size_t i = 0; i < n && n > most; i++)
        if (i * most / n != (i + 1) * most / n)
            p->points.at[kept++] = p->points.at[i];
    p->points.len = n > most ? kept : n;
}

void sampler_open(Sampler *p, Session *s, int n, Node *const *roots)
{
    *p = (Sampler){.s = s, .longest = LONG};
    look_at(p, n, roots);
    add_points(p);
    thin_out(p, nodes_count(n, roots));
}

void sampler_close(Sampler *p)
{
    vec_free(&p->leaves);
    vec_free(&p->points);
}
