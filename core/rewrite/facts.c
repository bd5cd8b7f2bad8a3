/* Facts: intervals and a few flags, forwards through the operators (facts_elem.c has the
 * elementwise ones). A function for each row of the table that says something. Bounds are widened
 * where results are rounded more than once. */
#include "rewrite/facts_step.h"

#include "graph/control.h"
#include "surface/surface.h"
#include "graph/walk.h"
#include <float.h>
#include <math.h>

enum {
    LOOK_AT = 4096, /* elements of a constant: it is asked about often, and large ones vary */
    TERM_BYTES = 30 /* of a term in a sentence, which may name several */
};

/* Lengths and positions: what a processor can address. */
static const double ADDRESSES = 0x1p48;
/* A sum of fewer elements, in the order of the kernels, is rounded by less than SUM_ROUNDS of it.
 */
static const double SUM_ELEMENTS = 1e9, SUM_ROUNDS = 1e-4;
/* What 53 random bits can give as a normal number is < 9. */
static const double NORMAL_WITHIN = 100;
/* Whole numbers up to there are written with all their digits, which are exact. */
static const double DIGITS_BELOW = 1e15;

void facts_free(Facts *f)
{
    map_free(&f->of);
    map_free(&f->total);
    map_free(&f->because);
    arena_free(&f->arena);
}

Fact fact_unknown(DType d)
{
    Fact k = {.lo = -INFINITY, .hi = INFINITY, .nan = dtype_is_float(d)};
    k.whole = !k.nan;
    if (d == DT_BOOL)
        k.lo = 0, k.hi = 1;
    if (dtype_is_int(d)) {
        k.hi = d == DT_I32 ? 2147483647.0 : 9223372036854775807.0;
        k.lo = -k.hi - 1;
    }
    return k;
}

Fact fact_union(Fact a, Fact b)
{
    return (Fact){.lo = fmin(a.lo, b.lo),
                  .hi = fmax(a.hi, b.hi),
                  .nan = a.nan || b.nan,
                  .whole = a.whole && b.whole,
                  .nonzero = a.nonzero && b.nonzero,
                  .partial = a.partial || b.partial};
}

Fact fact_meet(Fact a, Fact b)
{
    return (Fact){.lo = fmax(a.lo, b.lo),
                  .hi = fmin(a.hi, b.hi),
                  .nan = a.nan && b.nan,
                  .whole = a.whole || b.whole,
                  .unique = a.unique || b.unique,
                  .nonzero = a.nonzero || b.nonzero,
                  .partial = a.partial && b.partial};
}

bool fact_same(const Fact *a, const Fact *b)
{
    return a->lo == b->lo && a->hi == b->hi && a->nan == b->nan && a->whole == b->whole &&
           a->unique == b->unique && a->nonzero == b->nonzero && a->partial == b->partial;
}

static double outward(double x, bool up)
{
    float y = (float)x;
    if (isinf(x) || (double)y == x)
        return y;
    return (double)nextafterf(y, up ? INFINITY : -INFINITY);
}

Fact fact_wrapped(Fact k, const Node *n)
{
    DType d = n->type->dtype;
    double limit = d == DT_I32 ? 2147483647.0 : 9007199254740992.0;
    if (!dtype_is_int(d) || (k.lo >= -limit && k.hi <= limit))
        return k;
    Fact any = fact_unknown(d);
    any.unique = k.unique;
    return any;
}

/* Single precision rounds the bounds themselves. */
static Fact settled(Fact k, const Node *n)
{
    DType d = n->type->dtype;
    Fact any = fact_unknown(d);
    any.unique = k.unique;
    if (d == DT_BOOL || isnan(k.lo) || isnan(k.hi) || k.lo > k.hi)
        return any;
    if (dtype_is_int(d)) {
        k.lo = fmax(k.lo, any.lo), k.hi = fmin(k.hi, any.hi);
        k.nan = false;
        k.whole = true;
    }
    if (d == DT_F32)
        k.lo = outward(k.lo, false), k.hi = outward(k.hi, true);
    k.nonzero = k.nonzero || k.lo > 0 || k.hi < 0;
    return k;
}

/* ---- constants ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool all_different(const Tensor *t)
{
    double *at = xmalloc((size_t)t->count * sizeof *at + 1);
    for (i64 i = 0; i < t->count; i++)
        at[i] = tensor_f64_at(t, i);
    qsort(at, (size_t)t->count, sizeof *at, by_value);
    bool ok = true;
    for (i64 i = 0; i + 1 < t->count && ok; i++)
        ok = at[i] < at[i + 1];
    free(at);
    return ok;
}

Fact facts_const(Facts *f, const Node *n)
{
    (void)f;
    const Tensor *t = n->attrs[0].value;
    if (t->dtype == DT_RNG || t->count > LOOK_AT || !t->count)
        return fact_unknown(t->dtype);
    Fact k = {.lo = INFINITY, .hi = -INFINITY, .whole = true, .nonzero = true};
    for (i64 i = 0; i < t->count; i++) {
        double x = tensor_f64_at(t, i);
        k.nan = k.nan || isnan(x);
        k.whole = k.whole && (isnan(x) || trunc(x) == x);
        k.nonzero = k.nonzero && x != 0;
        if (!isnan(x))
            k.lo = fmin(k.lo, x), k.hi = fmax(k.hi, x);
    }
    if (k.lo > k.hi)
        k.lo = -INFINITY, k.hi = INFINITY;
    k.unique = dtype_is_int(t->dtype) && all_different(t);
    return k;
}

/* ---- reductions ---- */

static bool count_over(const Node *x, const IntList *axes, double *count)
{
    *count = 1;
    for (u32 i = 0; i < axes->n; i++) {
        i64 k;
        if (!size_is_const(x->type->dims[axes->at[i]], &k))
            return false;
        *count *= (double)k;
    }
    return true;
}

/* A sum of at most `count` elements (inf: of any number); an empty one is 0. */
static Fact sum_of(Fact x, double count)
{
    Fact k = {.lo = x.lo < 0 ? -INFINITY : 0, .hi = x.hi > 0 ? INFINITY : 0, .whole = x.whole};
    k.nan = x.nan || (x.lo < 0 && x.hi > 0);
    double most = fmax(fabs(x.lo), fabs(x.hi)) * count;
    if (count < SUM_ELEMENTS && most < FLT_MAX / 4) { /* no partial sum overflows */
        k.nan = x.nan;
        k.lo = x.lo < 0 ? x.lo * count : 0;
        k.hi = x.hi > 0 ? x.hi * count : 0;
        if (!x.whole || most > WHOLE_EXACT)
            k.lo -= SUM_ROUNDS * fabs(k.lo), k.hi += SUM_ROUNDS * fabs(k.hi);
    }
    return k;
}

Fact facts_sum(Facts *f, const Node *n)
{
    double count;
    bool known = count_over(n->ops[0], n->attrs[0].ints, &count);
    return fact_wrapped(sum_of(fact_operand(f, n, 0), known ? count : INFINITY), n);
}

Fact facts_cumsum(Facts *f, const Node *n)
{
    i64 k;
    bool known = size_is_const(n->type->dims[n->attrs[0].i], &k);
    return fact_wrapped(sum_of(fact_operand(f, n, 0), known ? (double)k : INFINITY), n);
}

Fact facts_prod(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0), k = fact_unknown(n->type->dtype);
    k.whole = x.whole;
    if (x.lo >= 0)
        k.lo = 0;
    if (x.lo >= 0 && x.hi <= 1 && !x.nan)
        k.hi = 1, k.nan = false;
    return fact_wrapped(k, n);
}

/* ---- positions, sizes, random numbers ---- */

static Fact from_zero(void) { return (Fact){.lo = 0, .hi = ADDRESSES, .whole = true}; }

static Fact of_size(Size *s)
{
    Fact k = from_zero();
    i64 bound;
    if (size_is_const(s, &bound))
        k.hi = (double)bound;
    if (size_lower_bound(s, &bound) && bound > 0)
        k.lo = (double)bound;
    return k;
}

Fact facts_dim(Facts *f, const Node *n)
{
    (void)f;
    return of_size(n->ops[0]->type->dims[n->attrs[0].i]);
}

Fact facts_size(Facts *f, const Node *n)
{
    (void)f;
    return of_size(n->attrs[0].size);
}

Fact facts_iota(Facts *f, const Node *n)
{
    Fact k = from_zero();
    k.unique = true;
    k.hi = fmax(0, fact_operand(f, n, 0).hi - 1);
    return k;
}

/* Zeros and ones. */
Fact facts_unit(Facts *f, const Node *n)
{
    (void)f, (void)n;
    Fact k = from_zero();
    k.hi = 1;
    return k;
}

Fact facts_count(Facts *f, const Node *n)
{
    (void)f, (void)n;
    return from_zero();
}

Fact facts_position(Facts *f, const Node *n)
{
    Fact k = from_zero();
    const Node *x = n->ops[0];
    i64 len;
    (void)f;
    if (size_is_const(x->type->dims[n->attrs[0].i], &len) && len > 0)
        k.hi = (double)(len - 1);
    k.unique = n->op == OP_ARGSORT && n->type->rank == 1;
    return k;
}

Fact facts_uniform(Facts *f, const Node *n)
{
    (void)f, (void)n;
    return (Fact){.lo = 0, .hi = 1};
}

Fact facts_normal(Facts *f, const Node *n)
{
    (void)f, (void)n;
    return (Fact){.lo = -NORMAL_WITHIN, .hi = NORMAL_WITHIN};
}

Fact facts_randint(Facts *f, const Node *n)
{
    return fact_union(fact_operand(f, n, 1), fact_operand(f, n, 2));
}

Fact facts_permutation(Facts *f, const Node *n)
{
    Fact k = from_zero();
    (void)f;
    k.unique = n->type->items[0]->rank == 1;
    return k;
}

/* What is drawn; the other result is the next state. */
Fact facts_proj(Facts *f, const Node *n)
{
    const Node *t = n->ops[0];
    if (n->attrs[0].i != 0)
        return fact_unknown(n->type->kind == TYPE_TENSOR ? n->type->dtype : DT_RNG);
    return op_table[t->op].facts(f, t);
}

/* ---- what only moves elements ---- */

Fact facts_none(Facts *f, const Node *n)
{
    const Type *t = n->type->kind == TYPE_TUPLE && n->type->nitems ? n->type->items[0] : n->type;
    (void)f;
    return fact_unknown(t->kind == TYPE_TENSOR ? t->dtype : DT_RNG);
}

Fact facts_same(Facts *f, const Node *n) { return fact_operand(f, n, 0); }

Fact facts_second(Facts *f, const Node *n) { return fact_operand(f, n, 1); }

/* Elements of the operand, perhaps one several times. */
Fact facts_among(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    x.unique = false;
    return x;
}

Fact facts_triangle(Facts *f, const Node *n)
{
    return fact_union(fact_operand(f, n, 0), (Fact){.whole = true});
}

/* Elements of the first operand, and the second. */
Fact facts_padded(Facts *f, const Node *n)
{
    Fact x = fact_union(fact_operand(f, n, 0), fact_operand(f, n, 1));
    x.unique = false;
    return x;
}

Fact facts_concat(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    for (u32 i = 1; i < n->nops; i++)
        x = fact_union(x, fact_operand(f, n, i));
    x.unique = x.unique && n->nops == 1;
    return x;
}

Fact facts_stored(Facts *f, const Node *n)
{
    return n->attrs[n->nattrs - 1].i ? fact_unknown(n->type->dtype)
                                     : fact_union(fact_operand(f, n, 0), fact_operand(f, n, 2));
}

/* ---- composites that have bounds of their own ---- */

static bool may_overflow(Fact x) { return x.nan || !isfinite(x.lo) || !isfinite(x.hi); }

Fact facts_peak(Facts *f, const Node *n)
{
    Fact x = fact_operand(f, n, 0);
    double lowest = n->type->dtype == DT_F32 ? (double)FLT_MAX : DBL_MAX;
    return (Fact){.lo = isfinite(x.lo) ? fmin(x.lo, 0) : -lowest, .hi = fmax(x.hi, 0)};
}

Fact facts_softmax(Facts *f, const Node *n)
{
    return (Fact){.lo = 0, .hi = 1, .nan = may_overflow(fact_operand(f, n, 0))};
}

Fact facts_log_softmax(Facts *f, const Node *n)
{
    return (Fact){.lo = -INFINITY, .hi = 0, .nan = may_overflow(fact_operand(f, n, 0))};
}

Fact facts_norm(Facts *f, const Node *n)
{
    return (Fact){.lo = 0, .hi = INFINITY, .nan = fact_operand(f, n, 0).nan};
}

Fact facts_spread(Facts *f, const Node *n)
{
    (void)f, (void)n;
    return (Fact){.lo = 0, .hi = INFINITY, .nan = true};
}

/* ---- one node ---- */

/* Nothing is said of what these give, or not from their operands. */
static bool is_opaque(const Node *n)
{
    OpClass c = op_table[n->op].cls;
    return n->type->kind == TYPE_TUPLE || c == CLASS_CONTROL || c == CLASS_IMPLICIT ||
           c == CLASS_LINALG || n->op == OP_DIM ||
           (n->op == OP_PROJ && op_table[n->ops[0]->op].cls != CLASS_RANDOM);
}

Fact fact_by_operator(Facts *f, const Node *n)
{
    DType d = n->type->kind == TYPE_TENSOR ? n->type->dtype : DT_RNG;
    bool nothing = d == DT_BOOL || (is_opaque(n) && n->op != OP_DIM);
    Fact k = nothing ? fact_unknown(d) : settled(op_table[n->op].facts(f, n), n);
    k.partial = n->op == OP_CONST                 ? k.nan
                : is_opaque(n) && n->op != OP_DIM ? true
                                                  : fact_may_be_undefined(f, n, &k);
    return k;
}

static const Fact *known_fact(const Facts *f, const Node *n)
{
    const Fact *k = f->more ? f->more->fact(f->more->ctx, n) : NULL;
    return k ? k : map_get(&f->of, n);
}

static void put(Facts *f, const Node *n, Fact k)
{
    Fact *own = arena_alloc(&f->arena, sizeof *own);
    *own = k;
    map_put(&f->of, n, own);
}

const Fact *fact_of(Facts *f, const Node *n)
{
    const Fact *known = known_fact(f, n);
    if (known)
        return known;
    VEC(const Node *) stack = {0}; /* operands first; chains may be long */
    vec_push(&stack, n);
    while (stack.len) {
        const Node *x = stack.at[stack.len - 1];
        size_t before = stack.len;
        if (!known_fact(f, x) && !is_opaque(x)) {
            const Node *from = x->op == OP_PROJ ? x->ops[0] : x;
            for (u32 i = 0; i < from->nops; i++)
                if (!known_fact(f, from->ops[i]))
                    vec_push(&stack, from->ops[i]);
        }
        if (stack.len > before)
            continue;
        stack.len--;
        if (!known_fact(f, x))
            put(f, x, fact_by_operator(f, x));
    }
    vec_free(&stack);
    return map_get(&f->of, n);
}

void fact_assume(Facts *f, const Node *n, Fact k, const char *because)
{
    put(f, n, k);
    if (*because)
        map_put(&f->because, n, arena_strndup(&f->arena, because, strlen(because)));
}

/* ---- questions ---- */

bool fact_finite(Facts *f, const Node *n)
{
    if (n->type->kind != TYPE_TENSOR || n->type->dtype == DT_RNG)
        return false;
    if (!dtype_is_float(n->type->dtype))
        return true;
    const Fact *k = fact_of(f, n);
    return !k->nan && isfinite(k->lo) && isfinite(k->hi);
}

bool fact_at_least(Facts *f, const Node *n, double bound)
{
    return n->type->kind == TYPE_TENSOR && fact_of(f, n)->lo >= bound;
}

bool fact_at_most(Facts *f, const Node *n, double bound)
{
    return n->type->kind == TYPE_TENSOR && fact_of(f, n)->hi <= bound;
}

static void put_bound(Text *out, double x)
{
    if (isfinite(x) && trunc(x) == x && fabs(x) < DIGITS_BELOW)
        text_printf(out, "%.0f", x == 0 ? 0 : x);
    else
        text_printf(out, "%.6g", x);
}

void fact_put_range(Text *out, const Fact *k)
{
    if (k->lo == k->hi) {
        put_bound(out, k->lo);
        return;
    }
    if (isinf(k->lo) && isinf(k->hi)) {
        text_put(out, "any number");
    } else if (isinf(k->hi)) {
        text_put(out, "at least ");
        put_bound(out, k->lo);
    } else if (isinf(k->lo)) {
        text_put(out, "at most ");
        put_bound(out, k->hi);
    } else {
        text_put(out, "within [");
        put_bound(out, k->lo);
        text_put(out, ", ");
        put_bound(out, k->hi);
        text_put(out, "]");
    }
}

static void put_expression(const Facts *f, Store *st, const Node *n, Text *out)
{
    node_source_within(st, out, (Node *)(uintptr_t)n, TERM_BYTES, f->within);
}

/* What only moves elements about: its values are those of its operand. */
static const Node *source_of_values(const Node *n)
{
    while (op_table[n->op].facts == facts_same || op_table[n->op].flags & MOVES)
        n = n->ops[0];
    return n;
}

/* Where more is known than follows from the operator. */
static bool tell_more(const Facts *f, const Node *n, Text *out)
{
    Text clause = {0};
    const char *because = map_get(&f->because, n);
    bool told = f->more && f->more->tell(f->more->ctx, n, &clause);
    if (told || because)
        text_printf(out, ", as %s", told ? text_str(&clause) : because);
    text_free(&clause);
    return told || because;
}

void fact_explain(Facts *f, Store *st, const Node *n, Text *out)
{
    const Node *source = source_of_values(n);
    Text more = {0};
    if (source != n && tell_more(f, n, &more))
        source = n;
    text_free(&more);
    const Fact *k = fact_of(f, source);
    if (source->op == OP_CONST) {
        text_put(out, "a constant, ");
        fact_put_range(out, k);
        return;
    }
    text_put(out, source->op == OP_DIM || source->op == OP_SIZE ? "the size "
                  : source != n                                 ? "its elements are those of "
                                                                : "");
    put_expression(f, st, source, out);
    text_put(out, source != n ? ", which is " : " is ");
    fact_put_range(out, k);
    if (tell_more(f, source, out))
        return;
    bool from = (source->op == OP_ADD || source->op == OP_SUB || source->op == OP_MUL ||
                 source->op == OP_DIV || source->op == OP_MAXIMUM || source->op == OP_MINIMUM ||
                 source->op == OP_SUM) &&
                source->nops <= 3;
    bool first = true;
    for (u32 i = 0; from && i < source->nops; i++) {
        const Node *op = source_operand(st, source, i);
        if (op->op == OP_CONST)
            continue;
        text_put(out, first ? ", as " : " and ");
        put_expression(f, st, op, out);
        text_put(out, " is ");
        fact_put_range(out, fact_of(f, op));
        first = false;
    }
}

/* A loop that only its `until` ends: leaving it out loses nothing, but it may never be done. */
static bool may_go_on(const Node *n)
{
    if (n->op != OP_SCAN)
        return false;
    ScanShape s = scan_shape((Node *)(uintptr_t)n);
    return s.stop && !s.nseqs;
}

static bool runs_to_its_end(Store *st, const Node *n)
{
    if (node_is_total(st, n))
        return true;
    if (n->op != OP_SCAN || may_go_on(n) || !node_surely_runs(st, n))
        return false;
    const Graph *g = n->attrs[0].graph;
    return !nodes_any(g->nouts, g->outs, may_go_on);
}

bool fact_total(Facts *f, Store *st, Node *root)
{
    NodeVec stack = {0};
    if (!f)
        return nodes_are_total(st, root);
    vec_push(&stack, root);
    while (stack.len) {
        Node *n = stack.at[stack.len - 1];
        size_t before = stack.len;
        bool total = runs_to_its_end(st, n);
        for (u32 i = 0; i < n->nops && total && !map_has(&f->total, n); i++) {
            if (!map_has(&f->total, n->ops[i]))
                vec_push(&stack, n->ops[i]);
            else
                total = map_get(&f->total, n->ops[i]) != NULL;
        }
        if (stack.len > before && total)
            continue;
        stack.len = before - 1;
        if (!map_has(&f->total, n))
            map_put(&f->total, n, total ? n : NULL);
    }
    vec_free(&stack);
    return map_get(&f->total, root) != NULL;
}
