/* See ops_run.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tests/unit/ops_run.h"

void run_open(Run *r)
{
    memset(r, 0, sizeof *r);
    store_init(&r->st);
    r->st.diags = &r->diags;
    r->random = 12345;
}

static void drop_values(TensorMap *m)
{
    for (size_t i = 0; i < m->len; i++)
        tensor_unref(map_val(m, i));
    map_free(m);
}

void run_forget(Run *r)
{
    drop_values(&r->memo);
    drop_values(&r->memo2);
}

void run_close(Run *r)
{
    run_forget(r);
    drop_values(&r->given);
    text_free(&r->error);
    diags_free(&r->diags);
    store_free(&r->st);
}

double random_in(Run *r, double lo, double hi)
{
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    return lo + (hi - lo) * (double)(r->random >> 11) / 9007199254740992.0;
}

static Tensor *tensor_of(Run *r, DType d, const i64 *shape, const double *values)
{
    int rank = 0;
    while (shape[rank] >= 0)
        rank++;
    Tensor *t = tensor_new(&r->st.heap, DT_F64, rank, shape);
    assert_non_null(t);
    for (i64 i = 0; i < t->count; i++)
        ((double *)t->data)[i] = values[i];
    Tensor *c = tensor_cast(&r->st.heap, t, d);
    tensor_unref(t);
    assert_non_null(c);
    return c;
}

Node *constant(Run *r, DType d, const i64 *shape, const double *values)
{
    Tensor *t = tensor_of(r, d, shape, values);
    Node *n = node_const(&r->st, t);
    tensor_unref(t);
    return n;
}

Node *input(Run *r, DType d, const i64 *shape, const double *values)
{
    Tensor *t = tensor_of(r, d, shape, values);
    Size *dims[MAX_RANK];
    char name[24];
    for (int i = 0; i < t->rank; i++)
        dims[i] = size_const(&r->st, t->shape[i]);
    snprintf(name, sizeof name, "x%d", r->inputs++);
    Node *n =
        node_input(&r->st, OP_INPUT, symbol(&r->st, name), type_tensor(&r->st, d, t->rank, dims));
    assert_non_null(n);
    map_put(&r->given, n, t);
    return n;
}

Node *random_input(Run *r, const i64 *shape, double lo, double hi)
{
    double values[512];
    for (size_t i = 0; i < COUNT_OF(values); i++)
        values[i] = random_in(r, lo, hi);
    return input(r, DT_F64, shape, values);
}

/* ---- evaluation ---- */

static Tensor *compute(Run *r, Node *n)
{
    Tensor *in[16], *out[2] = {NULL, NULL};
    bool moved[16] = {false};
    assert_true(n->nops <= COUNT_OF(in));
    for (u32 i = 0; i < n->nops; i++) {
        in[i] = value(r, n->ops[i]);
        if (!in[i])
            return NULL;
    }
    EvalArgs e = {
        .st = &r->st, .heap = &r->st.heap, .node = n, .nin = (int)n->nops, .in = in, .out = out};
    e.moved = moved;
    e.nout = n->type->kind == TYPE_TUPLE ? 2 : 1;
    e.error = &r->error;
    if (node_info(n)->eval(&e)) {
        r->code = e.code;
        assert_null(out[0]);
        return NULL;
    }
    if (out[1])
        map_put(&r->memo2, n, out[1]);
    return out[0];
}

Tensor *second(Run *r, Node *n) { return value(r, n) ? map_get(&r->memo2, n) : NULL; }

Tensor *value(Run *r, Node *n)
{
    Tensor *t = map_get(&r->given, n);
    if (!t)
        t = map_get(&r->memo, n);
    if (t)
        return t;
    if (n->op == OP_PROJ) {
        t = n->attrs[0].i ? second(r, n->ops[0]) : value(r, n->ops[0]);
        return t;
    }
    t = compute(r, n);
    if (t)
        map_put(&r->memo, n, t);
    return t;
}

static bool close_to(double a, double b, double tolerance)
{
    return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= tolerance * (1 + fabs(a) + fabs(b));
}

static void no_diagnostic(const Run *r)
{
    if (r->diags.errors)
        fail_msg("%s: %s", r->diags.list.at[0].code, r->diags.list.at[0].message);
}

void expect(Run *r, Node *n, const char *type, const double *values)
{
    no_diagnostic(r);
    assert_non_null(n);
    assert_string_equal(shape_text(&r->st, n->type), type);
    Tensor *t = value(r, n);
    if (!t)
        fail_msg("%s", text_str(&r->error));
    assert_int_equal(t->dtype, n->type->dtype);
    assert_int_equal(t->rank, n->type->rank);
    for (int i = 0; i < t->rank; i++) {
        i64 size;
        if (size_is_const(n->type->dims[i], &size))
            assert_int_equal(t->shape[i], size);
    }
    for (i64 i = 0; i < t->count; i++)
        if (!close_to(tensor_f64_at(t, i), values[i], 1e-12))
            fail_msg("%s: element %lld is %.17g, not %.17g", node_info(n)->name, (long long)i,
                     tensor_f64_at(t, i), values[i]);
}

void expect_refused(Run *r, const Node *n, const char *code)
{
    assert_null(n);
    assert_int_equal(r->diags.errors, 1);
    assert_string_equal(r->diags.list.at[0].code, code);
    diags_clear(&r->diags);
}

void expect_fails(Run *r, Node *n, const char *code, const char *words)
{
    no_diagnostic(r);
    assert_non_null(n);
    assert_null(value(r, n));
    assert_string_equal(r->code, code);
    if (!strstr(text_str(&r->error), words))
        fail_msg("\"%s\" does not say \"%s\"", text_str(&r->error), words);
}

/* ---- derivatives ---- */

bool reverse(Run *r, Node *loss, int n, Node *const *x, Node **dx)
{
    Node *one = build_ones_like(&r->st, loss);
    bool ok = vjp_pull(&r->st, 1, &loss, &one, n, x, dx, NULL);
    for (int i = 0; i < n && ok; i++) {
        if (!dx[i])
            dx[i] = build_zeros_like(&r->st, x[i]);
        ok = dx[i] && dx[i]->type == x[i]->type;
    }
    return ok;
}

/* sum(w * y) with fixed random weights */
static Node *weighted(Run *r, Node *y)
{
    double w[512];
    i64 shape[MAX_RANK + 1];
    Tensor *t = value(r, y);
    if (!t)
        fail_msg("%s", text_str(&r->error));
    assert_true(t->count <= (i64)COUNT_OF(w));
    for (int i = 0; i < t->rank; i++)
        shape[i] = t->shape[i];
    shape[t->rank] = -1;
    for (size_t i = 0; i < COUNT_OF(w); i++)
        w[i] = random_in(r, 0.5, 1.5);
    return build_sum_all(&r->st, build_mul(&r->st, constant(r, DT_F64, shape, w), y));
}

static double number(Run *r, Node *n)
{
    run_forget(r);
    Tensor *t = value(r, n);
    if (!t)
        fail_msg("%s", text_str(&r->error));
    return tensor_f64_at(t, 0);
}

void check_gradient(Run *r, Node *y, int n, Node *const *x)
{
    Node *dx[8];
    no_diagnostic(r);
    assert_non_null(y);
    Node *loss = weighted(r, y);
    if (!reverse(r, loss, n, x, dx))
        fail_msg("%s: no derivative: %s", node_info(y)->name,
                 r->diags.list.len ? r->diags.list.at[0].message : "?");
    for (int k = 0; k < n; k++) {
        run_forget(r);
        Tensor *at = map_get(&r->given, x[k]), *found = value(r, dx[k]);
        if (!found)
            fail_msg("%s: derivative: %s", node_info(y)->name, text_str(&r->error));
        assert_int_equal(found->count, at->count);
        double *values = at->data, slopes[512];
        for (i64 i = 0; i < at->count; i++)
            slopes[i] = tensor_f64_at(found, i);
        for (i64 i = 0; i < at->count; i++) {
            double kept = values[i], h = 1e-5 * (1 + fabs(kept));
            values[i] = kept + h;
            double up = number(r, loss);
            values[i] = kept - h;
            double down = number(r, loss);
            values[i] = kept;
            if (!close_to(slopes[i], (up - down) / (2 * h), 1e-6))
                fail_msg("%s: d/dx%d[%lld] is %.12g, by differences %.12g", node_info(y)->name, k,
                         (long long)i, slopes[i], (up - down) / (2 * h));
        }
    }
    run_forget(r);
}

void check_gradient2(Run *r, Node *y, int n, Node *const *x)
{
    Node *dx[8];
    check_gradient(r, y, n, x);
    if (!reverse(r, weighted(r, y), n, x, dx))
        fail_msg("%s: no derivative", node_info(y)->name);
    for (int k = 0; k < n; k++)
        check_gradient(r, dx[k], n, x);
}

/* ---- short forms ---- */

int open_run(void **state)
{
    Run *r = xmalloc(sizeof *r);
    run_open(r);
    *state = r;
    return 0;
}

int close_run(void **state)
{
    run_close(*state);
    free(*state);
    return 0;
}

Node *op1(Run *r, OpId op, const Attr *attrs, Node *a) { return node1(&r->st, op, attrs, a); }

Node *op2(Run *r, OpId op, const Attr *attrs, Node *a, Node *b)
{
    return node2(&r->st, op, attrs, a, b);
}

Node *op3(Run *r, OpId op, const Attr *attrs, Node *a, Node *b, Node *c)
{
    return node3(&r->st, op, attrs, a, b, c);
}

Node *dim(Run *r, i64 k) { return node_i64(&r->st, k); }

Node *unknown(Run *r, double k) { return input(r, DT_I64, SCALAR, &k); }
