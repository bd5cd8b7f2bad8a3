/* Measuring evaluations; see timing.h. */
#include "session/timing.h"

#include "tensor/blas.h"

enum { SIDE = 256, STREAM = 1 << 21, TRIES = 5 };

/* ---- whole evaluations ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void forget_values(Timing *t)
{
    for (int i = 0; i < t->n; i++)
        tensor_unref(t->values[i]);
    t->n = 0;
}

void timing_free(Timing *t)
{
    forget_values(t);
    free(t->values);
}

bool session_measure(Session *s, int n, Node *const *roots, int least, int most, Timing *t)
{
    enum { LONG = 5 }; /* seconds: not again */
    double *seconds = xcalloc((size_t)most, sizeof *seconds), spent = 0, one = 0;
    bool ok = true;
    t->values = t->values ? t->values : xcalloc((size_t)n + 1, sizeof *t->values);
    for (t->runs = 0; ok && t->runs < most && (t->runs < least || spent < 1) && one < LONG;) {
        forget_values(t);
        ok = session_evaluate(s, n, roots, t->values);
        t->n = ok ? n : 0;
        seconds[t->runs++] = one = s->run_seconds;
        spent += one;
    }
    qsort(seconds, (size_t)t->runs, sizeof *seconds, by_size);
    t->median = seconds[t->runs / 2];
    t->best = seconds[0];
    free(seconds);
    return ok;
}

/* ---- what the machine can ---- */

bool session_peak(Session *s, Span span, Peak *out)
{
    i64 shape[1] = {STREAM};
    Tensor *t[3] = {NULL};
    bool ok = true;
    for (int i = 0; i < 3; i++) {
        t[i] = tensor_new(&s->st.heap, DT_F64, 1, shape);
        ok = ok && t[i];
        for (i64 k = 0; ok && k < STREAM; k++)
            ((double *)t[i]->data)[k] = 1;
    }
    double product = 1, sum = 1;
    ElemFn2 add = elem_fn2(EL_ADD, DT_F64);
    for (int i = 0; ok && i < TRIES; i++) {
        double start = now_seconds();
        blas_gemm(DT_F64, false, false, SIDE, SIDE, SIDE, 1, t[0]->data, SIDE, t[1]->data, SIDE, 0,
                  t[2]->data, SIDE);
        double middle = now_seconds();
        add(STREAM, t[0]->data, 1, t[1]->data, 1, t[2]->data);
        double end = now_seconds();
        product = middle - start < product ? middle - start : product;
        sum = end - middle < sum ? end - middle : sum;
    }
    for (int i = 0; i < 3; i++)
        tensor_unref(t[i]);
    if (!ok)
        diag_memory(&s->diags, span, "to find what the machine can");
    *out = (Peak){2.0 * SIDE * SIDE * SIDE / (product + 1e-9),
                  3.0 * sizeof(double) * STREAM / (sum + 1e-9)};
    return ok;
}

/* ---- instruction by instruction ---- */

static bool run_once(Session *s, Program *p, Profile *f, double *seconds)
{
    int n = program_roots(p);
    Tensor **values = xcalloc((size_t)n + 1, sizeof *values);
    bool ok = session_run_measured(s, p, f, values);
    *seconds = s->run_seconds;
    for (int i = 0; ok && i < n; i++)
        tensor_unref(values[i]);
    free(values);
    return ok;
}

bool session_profile(Session *s, Program *p, const ProgramCost *cost, Profiling *t)
{
    enum { MOST = 5, PATIENCE = 1 /* second */ };
    bool ok = true;
    double spent = 0;
    *t = (Profiling){.runs = 0};
    program_profile(p);
    t->seconds = xcalloc((size_t)cost->n + 1, sizeof *t->seconds);
    t->calls = xcalloc((size_t)cost->n + 1, sizeof *t->calls);
    for (; ok && t->runs < MOST && spent < PATIENCE; t->runs++) {
        Profile f;
        double plain, whole;
        profile_begin(p, &f);
        ok = run_once(s, p, NULL, &plain) && run_once(s, p, &f, &whole);
        if (ok && (!t->runs || whole < t->whole)) {
            t->whole = whole;
            profile_share(p, &f, cost, t->seconds, t->calls);
        }
        if (ok && (!t->runs || plain < t->plain))
            t->plain = plain;
        spent += ok ? plain + whole : 0;
        profile_free(&f);
    }
    return ok;
}

void profiling_free(Profiling *t)
{
    free(t->seconds);
    free(t->calls);
}
