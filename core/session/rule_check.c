/* Trying a rule: random instances of its left side on which it fires (rule_instances.c), both sides
 * evaluated on random and on hard values (instance_values.h): one type, one value within the rule's
 * classes, and where one side fails the other does.
 *
 * Invariant: overflow and underflow excuse a difference only where the processor's flags, or the
 * values on the way (left_range.h), say that they happened. */
#include "base/flags.h"
#include "graph/walk.h"
#include "session/left_range.h"
#include "session/rule_trial.h"
#include "exec/plan.h"
#include <math.h>

enum {
    TRY_WORK = 1 << 20, /* of one evaluation: instances are small, but loops may have no end */
    BADLY = 100 /* times the tolerance where matrices are factorised: some are badly conditioned */
};
/* Relative to the largest number. */
static const double TOLERANCE_SINGLE = 1e-4, TOLERANCE_DOUBLE = 1e-11;

/* ---- two values ---- */

static double tolerance_of(const Instance *c, DType d)
{
    return (d == DT_F32 ? TOLERANCE_SINGLE : TOLERANCE_DOUBLE) * (c->factorises ? BADLY : 1);
}

/* The largest finite input at element i of a pointwise expression, else of all; at least 1. */
static double scale_of_inputs(const Instance *c, const TensorMap *values, i64 i)
{
    double scale = 1;
    for (size_t k = 0; k < c->order.len; k++) {
        const Tensor *x = map_get(values, c->order.at[k]);
        for (i64 j = 0; x && j < x->count; j++) {
            double v = fabs(tensor_f64_at(x, j));
            if (isfinite(v) && (!c->pointwise || x->count == 1 || j == i))
                scale = fmax(scale, v);
        }
    }
    return scale;
}

/* A difference that rounding explains: relative to the numbers themselves, or no more than what
 * the rounding of inputs and of intermediate results may make of either side. */
static bool within_rounding(Comparison *k, i64 i, double a, double b)
{
    double off = fabs(a - b), size = fmax(fabs(a), fabs(b));
    double tolerance = tolerance_of(k->c, k->a->dtype);
    if (off <= tolerance * size)
        return true;
    double scale = fmax(size, scale_of_inputs(k->c, k->values, i));
    if (k->c->factorises)
        return off <= tolerance * scale;
    double most = trial_may_jump(k->c) ? tolerance * scale : INFINITY;
    return off <= fmin(most, 4 * trial_spread(k, i));
}

/* Adds what the processor's flags do not tell of a side. */
static void look_at_side(Comparison *k, int side)
{
    Node *root = trial_runnable(k->t, side ? k->c->after : k->c->before);
    RangeWatch w;
    range_watch_open(&w, &k->t->s, 1, &root);
    RangeLeft left = range_left(&w, k->values, 0);
    k->over[side] = k->over[side] || left.over;
    k->under[side] = k->under[side] || left.under;
    range_watch_close(&w);
}

static void look_for_range(Comparison *k)
{
    for (int side = 0; side < 2 && !k->looked; side++)
        look_at_side(k, side);
    k->looked = true;
}

/* ---- both sides ---- */

static bool some_empty(const Instance *c, const TensorMap *values)
{
    for (size_t i = 0; i < c->order.len; i++) {
        const Tensor *x = map_get(values, c->order.at[i]);
        if (x && !x->count)
            return true;
        for (int k = 0; k < c->order.at[i]->type->rank; k++)
            if (size_is(c->order.at[i]->type->dims[k], 0))
                return true;
    }
    return false;
}

typedef enum { RUN_VALUE, RUN_ERROR, RUN_LIMIT } RunEnd;

/* One side, and whether it overflowed or underflowed. Errors of memory and work say nothing. */
static RunEnd evaluate(Comparison *k, int side, const TensorMap *values, Tensor **out)
{
    Trial *t = k->t;
    Instance *c = k->c;
    if (!c->program[side]) {
        Node *root = trial_runnable(t, side ? c->after : c->before);
        c->program[side] = plan_build(&t->s.st, 1, &root);
    }
    *out = NULL;
    bool ok =
        c->program[side] && session_run_program(&t->s, c->program[side], values, TRY_WORK, out);
    k->over[side] = t->s.run_raised & FLAG_OVERFLOW;
    k->under[side] = t->s.run_raised & FLAG_UNDERFLOW;
    if (ok)
        return RUN_VALUE;
    const Diags *ds = &t->s.diags;
    const char *code = ds->list.len ? ds->list.at[ds->list.len - 1].code : "";
    return !strcmp(code, "memory") || !strcmp(code, "work") ? RUN_LIMIT : RUN_ERROR;
}

/* The value of an input with element i everywhere. */
static Tensor *spread_out(Heap *h, const Tensor *x, i64 i)
{
    Tensor *r = tensor_new(h, x->dtype, x->rank, x->shape);
    size_t size = dtype_size(x->dtype);
    for (i64 k = 0; r && k < x->count; k++)
        memcpy((char *)r->data + (size_t)k * size,
               (const char *)x->data + (size_t)(x->count == 1 ? 0 : i) * size, size);
    return r;
}

/* Does the right side overflow or underflow where both are computed of element i alone? */
static bool alone_leaves_range(Comparison *k, i64 i)
{
    TensorMap values = {0};
    Comparison one = {.t = k->t, .c = k->c, .values = &values};
    Tensor *out[2] = {NULL, NULL};
    bool left = false, fits = true;
    const NodeVec *order = &k->c->order;
    for (size_t n = 0; n < order->len; n++) {
        const Tensor *x = map_get(k->values, order->at[n]);
        fits = fits && (!x || x->count == 1 || x->count == k->a->count);
    }
    for (size_t n = 0; n < order->len && fits; n++) {
        const Tensor *x = map_get(k->values, order->at[n]);
        if (x)
            map_put(&values, order->at[n], spread_out(&k->t->s.st.heap, x, i));
    }
    for (int side = k->t->rule->backwards ? 0 : 1; side < 2 && fits; side++)
        if (evaluate(&one, side, &values, &out[side]) == RUN_VALUE) {
            look_at_side(&one, side);
            left = left || one.over[side] || one.under[side];
        }
    for (size_t n = 0; n < order->len && fits; n++)
        tensor_unref(map_get(&values, order->at[n]));
    tensor_unref(out[0]);
    tensor_unref(out[1]);
    map_free(&values);
    return !fits || left;
}

/* Did what the rule makes leave the range of its dtype? That is the right side; of a rule that is
 * read backwards the left one too. */
static bool left_range(Comparison *k, i64 i)
{
    bool left = k->over[1] || k->under[1];
    if (k->t->rule->backwards)
        left = left || k->over[0] || k->under[0];
    return left && (!k->c->pointwise || k->a->count == 1 || alone_leaves_range(k, i));
}

bool trial_agrees(Comparison *k, i64 i, u32 classes)
{
    if (!dtype_is_float(k->a->dtype))
        return tensor_i64_at(k->a, i) == tensor_i64_at(k->b, i);
    double a = tensor_f64_at(k->a, i), b = tensor_f64_at(k->b, i);
    u32 nan = classes & (HAZARD_NPLUS | HAZARD_NMINUS), rounds = nan | (classes & HAZARD_R);
    if (isnan(a) && isnan(b))
        return true;
    if (a == b)
        return signbit(a) == signbit(b) || rounds || classes & HAZARD_Z;
    if (!isfinite(a) && nan)
        return true;
    look_for_range(k);
    if (classes & HAZARD_O && left_range(k, i))
        return true;
    if (nan && k->over[0] && !isnan(b))
        return true; /* the left side is not what it is on paper */
    if (!isfinite(a) || !isfinite(b) || !rounds)
        return false;
    return k->under[0] || within_rounding(k, i, a, b);
}

static void compare_elements(Comparison *k, RuleCheck *out)
{
    if (k->a->count != k->b->count) {
        out->refuted = true;
        text_put(&out->says, "the two sides have different shapes");
    }
    for (i64 i = 0; !out->refuted && i < k->a->count; i++)
        if (!trial_agrees(k, i, k->c->classes))
            trial_refute(k, i, out);
}

static void compare_values(Trial *t, Instance *c, const TensorMap *values, RuleCheck *out)
{
    Comparison k = {.t = t, .c = c, .values = values};
    Tensor *a = NULL, *b = NULL;
    diags_clear(&t->s.diags);
    RunEnd left = evaluate(&k, 0, values, &a);
    if (left == RUN_VALUE)
        diags_clear(&t->s.diags);
    RunEnd right = left == RUN_LIMIT ? RUN_LIMIT : evaluate(&k, 1, values, &b);
    k.a = a, k.b = b;
    if (left == RUN_VALUE && right == RUN_ERROR)
        trial_refute_failure(t, c, values, "right", a, out);
    else if (left == RUN_ERROR && right == RUN_VALUE && !(t->rule->classes & HAZARD_S))
        trial_refute_failure(t, c, values, "left", b, out);
    else if (left == RUN_VALUE && right == RUN_VALUE)
        compare_elements(&k, out);
    diags_clear(&t->s.diags);
    out->instances += left == RUN_VALUE && right == RUN_VALUE;
    out->failed += left == RUN_ERROR && right == RUN_ERROR;
    free(k.spread);
    if (left == RUN_VALUE)
        tensor_unref(a);
    if (right == RUN_VALUE)
        tensor_unref(b);
}

/* What the values of a comparison were like. */
static void count_kinds(Trial *t, const Instance *c, const TensorMap *values, RuleCheck *out)
{
    bool special = false, signed0 = false;
    for (size_t i = 0; i < c->order.len; i++) {
        const Tensor *x = map_get(values, c->order.at[i]);
        for (i64 k = 0; x && dtype_is_float(x->dtype) && k < x->count; k++) {
            double v = tensor_f64_at(x, k);
            special = special || !isfinite(v);
            signed0 = signed0 || (v == 0 && signbit(v));
        }
    }
    out->special += special;
    out->signed0 += signed0;
    out->empty += some_empty(c, values);
    u32 kinds = trial_kinds(&t->s.st, &c->b);
    out->dtypes |= kinds & ((1u << DT_COUNT) - 1);
    out->partial += (kinds & KIND_FAILS) != 0;
}

/* Matrices that are far from singular. */
static int tame_round(int round) { return round - round % VALUE_ROUNDS + 4 * (round % 2); }

static void compare_round(Trial *t, Instance *c, int round, RuleCheck *out)
{
    TensorMap values = {0};
    u64 state = (u64)round * 977 + 5 + ((u64)(c - t->instances) << 32);
    round = c->factorises ? tame_round(round) : round;
    for (size_t i = 0; i < c->order.len; i++)
        if (c->order.at[i]->op == OP_INPUT)
            map_put(&values, c->order.at[i],
                    instance_value(&t->s.st.heap, c->order.at[i],
                                   ranged_leaf(&c->ranges, c->order.at[i]), &t->pool, round,
                                   &state));
    u32 compared = out->instances;
    if (guard_use_fit(t, c, &values))
        compare_values(t, c, &values, out);
    if (out->instances > compared) {
        count_kinds(t, c, &values, out);
        guard_use_values(t, c, &values);
    }
    for (size_t i = 0; i < c->order.len; i++)
        tensor_unref(map_get(&values, c->order.at[i]));
    map_free(&values);
}

static void compare_types(const Trial *t, RuleCheck *out)
{
    for (int i = 0; i < t->ninstances && !out->refuted; i++)
        if (t->instances[i].after->type != t->instances[i].before->type) {
            out->refuted = true;
            text_put(&out->says, "the left side is ");
            type_print(&out->says, t->instances[i].before->type);
            text_put(&out->says, ", the right side ");
            type_print(&out->says, t->instances[i].after->type);
        }
}

/* Those of the rule alone come first: their counterexamples are the easiest to read. */
void rule_check(const Rule *r, const RuleSet *all, u32 instances, RuleCheck *out)
{
    Trial t;
    memset(out, 0, sizeof *out);
    if (!trial_init(&t, r, all)) {
        text_put(&out->says, "not enough memory to try it");
        return;
    }
    out->fired = t.ninstances > 0;
    if (!out->fired)
        text_put(&out->says,
                 t.why_not.len ? text_str(&t.why_not) : "its left side has no instance");
    compare_types(&t, out);
    int rounds = t.ninstances ? 2 * (int)instances / t.ninstances + VALUE_ROUNDS : 0;
    for (int round = 0; round < rounds && !out->refuted; round++)
        for (int k = 0; k < 2 * t.ninstances && !out->refuted && out->instances < instances; k++) {
            Instance *c = &t.instances[k % t.ninstances];
            if ((c->beside != NULL) == (k >= t.ninstances))
                compare_round(&t, c, round, out);
        }
    if (out->fired && !out->refuted && !out->instances) {
        out->untested = true;
        text_put(&out->says, "no values were found on which both sides have one");
    } else if (out->fired && !out->refuted) {
        out->untested = !guard_use_covers(&t, &out->says);
    }
    trial_free(&t);
}
