/* Expressions over an input; see sweep.h. */
#include "session/sweep.h"

#include "passes/passes.h"

#include <math.h>

int sweep_points(const Node *x, double low, double high, int most, double *at)
{
    bool whole = dtype_is_int(x->type->dtype);
    int n = whole && high - low + 1 < most ? (int)(high - low + 1) : most;
    for (int i = 0; i < n && at; i++) {
        at[i] = n > 1 ? low + (high - low) * i / (n - 1) : low;
        at[i] = whole ? round(at[i]) : at[i];
    }
    return n;
}

static bool point(Session *s, Program *p, Span span, const Node *x, double at, double *y)
{
    TensorMap values = {0};
    Tensor *wide = tensor_scalar_f64(&s->st.heap, at), *v = NULL;
    Tensor *given = tensor_cast(&s->st.heap, wide, x->type->dtype);
    map_put(&values, x, given);
    bool ok = session_run_program(s, p, &values, 0, &v), number = ok && v->count == 1;
    if (ok && !number)
        diag_add(s->st.diags, "usage", span, "sum(...) or an index makes one",
                 "over an input one number is shown, not an array");
    *y = number ? tensor_f64_at(v, 0) : NAN;
    tensor_unref(wide);
    tensor_unref(v);
    tensor_unref(given);
    map_free(&values);
    return number;
}

bool session_sweep(Session *s, Node *root, Span span, const Node *x, int n, const double *at,
                   double *y)
{
    bool ok = derivatives_expand(&s->st, s->rules, &s->options, 1, &root);
    Program *p = ok ? plan_build(&s->st, 1, &root) : NULL;
    ok = p != NULL;
    for (int i = 0; i < n && ok; i++)
        ok = point(s, p, span, x, at[i], &y[i]);
    program_free(p);
    return ok;
}
