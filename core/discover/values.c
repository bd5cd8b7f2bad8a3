/* What terms are at sample points: each is run as it stands, and its values, or that it is an
 * error, are hashed. Numbers are rounded first, to fewer digits than rounding errors reach. */
#include "discover/discovering.h"

#include <math.h>

#include "exec/plan.h"

enum { WORK = 1 << 16 };          /* of a term at a point: its arrays are small */
static const double DIGITS = 1e9, /* that count */
    NOTHING = 1e-9,               /* what is left of a cancellation */
    ODD = 0.7310585786300049;     /* so that no short decimal lies where rounding decides */

static u64 hash_number(double x)
{
    if (isnan(x))
        return 1;
    if (isinf(x))
        return x > 0 ? 2 : 3;
    if (fabs(x) < NOTHING)
        return 4;
    int e;
    double m = frexp(x * ODD, &e);
    return hash_mix((u64)(i64)rint(m * DIGITS), (u64)(i64)e);
}

static u64 hash_value(const Tensor *t)
{
    u64 h = hash_mix((u64)t->dtype + 1, (u64)t->count);
    for (i64 i = 0; i < t->count; i++)
        h = hash_mix(h, dtype_is_float(t->dtype) ? hash_number(tensor_f64_at(t, i))
                                                 : (u64)tensor_i64_at(t, i) + 5);
    return h;
}

static bool some_number(const Tensor *t)
{
    for (i64 i = 0; i < t->count; i++)
        if (isfinite(tensor_f64_at(t, i)))
            return true;
    return false;
}

static bool is_negative(const Tensor *t)
{
    for (i64 i = 0; i < t->count; i++)
        if (tensor_f64_at(t, i) < 0)
            return true;
    return false;
}

static void add_point(Discoverer *d, const Sampler *from, const SamplePoint *at)
{
    Point p = {.positive = true};
    for (size_t i = 0; i < from->leaves.len; i++) {
        Tensor *t = sampler_value(from, at, i);
        if (!t)
            continue;
        map_put(&p.values, from->leaves.at[i], t);
        p.positive = p.positive && !is_negative(t);
    }
    vec_push(&d->points, p);
}

void values_open(Discoverer *d)
{
    NodeVec variables = {0};
    Sampler all;
    for (size_t i = 0; i < d->terms.len; i++)
        if (d->terms.at[i].node->op == OP_INPUT)
            vec_push(&variables, d->terms.at[i].node);
    sampler_open(&all, &d->s, (int)variables.len, variables.at);
    for (int kind = ORDINARY; kind <= CORNER; kind++) {
        d->ordinary = kind == CORNER ? d->points.len : 0;
        for (size_t i = 0; i < all.points.len; i++)
            if ((int)all.points.at[i].kind == kind)
                add_point(d, &all, &all.points.at[i]);
    }
    sampler_close(&all);
    vec_free(&variables);
}

void values_close(Discoverer *d)
{
    for (size_t i = 0; i < d->points.len; i++) {
        TensorMap *values = &d->points.at[i].values;
        for (size_t k = 0; k < values->len; k++)
            tensor_unref(map_val(values, k));
        map_free(values);
    }
    vec_free(&d->points);
}

/* At which points it counts what a term is: where truth values change there are few ordinary ones,
 * and numbers may be infinite, an error, or of another sign. */
static size_t points_for(const Discoverer *d, const Node *n)
{
    return n->type->dtype == DT_BOOL ? d->points.len : d->ordinary;
}

static void add_value(FoundTerm *t, const Tensor *value, bool positive)
{
    enum { ERROR = 7 };
    u64 h = value ? hash_value(value) : ERROR;
    bool number = value && some_number(value);
    t->everywhere = hash_mix(t->everywhere, h);
    t->number = t->number || number;
    if (!positive)
        return;
    t->positive = hash_mix(t->positive, h);
    t->positive_number = t->positive_number || number;
}

void values_of_term(Discoverer *d, FoundTerm *t)
{
    Session *s = &d->s;
    DiagTry trial;
    diag_try_begin(&trial, &s->st.diags);
    Program *p = plan_build_with(&s->st, 1, &t->node, s->plan_flags);
    t->everywhere = t->positive = hash_mix((u64)t->node->type->dtype + 1, (u64)t->node->type->rank);
    for (size_t i = 0; i < points_for(d, t->node) && p && !store_stops(&s->st); i++) {
        Tensor *value = NULL;
        if (!session_run_program(s, p, &d->points.at[i].values, WORK, &value))
            value = NULL;
        add_value(t, value, d->points.at[i].positive);
        tensor_unref(value);
    }
    program_free(p);
    diag_try_end(&trial);
}
