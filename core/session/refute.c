/* Are two expressions different? Both are evaluated on random values; where they differ by more
 * than rounding, or one of them is no number, those values are the answer.
 *
 * Values are of moderate size, so nothing overflows that is a number on paper. */
#include "session/session.h"

#include <math.h>

enum { REFUTE_ROUNDS = 8, FIRST_ROUND = 10 };

static bool elements_differ(const Tensor *a, const Tensor *b, i64 i)
{
    if (!dtype_is_float(a->dtype))
        return tensor_i64_at(a, i) != tensor_i64_at(b, i);
    double x = tensor_f64_at(a, i), y = tensor_f64_at(b, i);
    double bound = a->dtype == DT_F32 ? 1e-3 : 1e-7;
    if (isnan(x) || isnan(y))
        return isnan(x) != isnan(y);
    if (isinf(x) || isinf(y))
        return x != y;
    return !(fabs(x - y) <= bound * fmax(1, fmax(fabs(x), fabs(y))));
}

static void forget(Counterexample *c)
{
    for (size_t i = 0; i < c->inputs.len; i++)
        tensor_unref(c->inputs.at[i].value);
    for (int k = 0; k < 2; k++) {
        tensor_unref(c->sides[k]);
        c->sides[k] = NULL;
    }
    c->inputs.len = 0;
}

void counterexample_free(Counterexample *c)
{
    forget(c);
    vec_free(&c->inputs);
}

/* Every other round all numbers are positive: some functions want that. */
static bool choose(Session *s, const NodeVec *order, int round, PtrMap *values, Counterexample *out)
{
    for (size_t i = 0; i < order->len; i++) {
        const Node *n = order->at[i];
        if (n->op != OP_INPUT && n->op != OP_SHARED)
            continue;
        Tensor *t = session_random_value(s, n, NULL, FIRST_ROUND + round);
        if (!t)
            return false;
        double *at = t->data;
        for (i64 k = 0; k < t->count && t->dtype == DT_F64 && round % 2; k++)
            at[k] = fabs(at[k]) + 0.01;
        vec_push(&out->inputs, ((LeafValue){n, t}));
        map_put(values, n, t);
    }
    return true;
}

static bool compare(Counterexample *c)
{
    const Tensor *a = c->sides[0], *b = c->sides[1];
    c->at = 0;
    if (a->count != b->count)
        return true;
    for (c->at = 0; c->at < a->count; c->at++)
        if (elements_differ(a, b, c->at))
            return true;
    return false;
}

bool session_refute(Session *s, Node *const sides[2], Counterexample *out)
{
    NodeVec order = {0};
    Diags scratch = {0}, mine = s->diags;
    bool ran = false;
    *out = (Counterexample){.differs = false};
    nodes_topo(2, sides, &order);
    s->diags = scratch;
    for (int round = 0; round < REFUTE_ROUNDS && !out->differs; round++) {
        PtrMap values = {0};
        bool ok = choose(s, &order, round, &values, out) &&
                  session_evaluate_raw(s, 2, sides, &values, out->sides);
        ran = ran || ok;
        out->differs = ok && compare(out);
        if (!out->differs)
            forget(out);
        map_free(&values);
        diags_clear(&s->diags);
    }
    diags_free(&s->diags);
    s->diags = mine;
    vec_free(&order);
    return ran;
}
