/* vmap of every operator against single calls: a lane function is written for each row of the
 * table, its arguments are cut along random axes or given whole, and the batched value and
 * derivatives must be the stack of what the function gives lane by lane. Lanes: none, one, three. A
 * row of the table that no function holds is a failure. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "effort.h"
#include "tensor/kernels.h"
#include "tests/prop/scan_run.h"

typedef struct {
    const char *name, *type;
    int rank, shape[3];
    char
        kind; /* f real, d a dominated matrix, i small integer, p positive integer, b bool, r rng */
} Var;

static const Var vars[] = {
    {"xa", "f64", 2, {2, 3}, 'f'},  {"xb", "f64", 2, {2, 3}, 'f'},    {"xv", "f64", 1, {3}, 'f'},
    {"xu", "f64", 1, {3}, 'f'},     {"xs", "f64", 0, {0}, 'f'},       {"xt", "f64", 0, {0}, 'f'},
    {"xA", "f64", 2, {3, 3}, 'd'},  {"xT", "f64", 3, {2, 3, 3}, 'f'}, {"xi", "i64", 0, {0}, 'i'},
    {"xj", "i64", 1, {2}, 'i'},     {"xm", "i64", 2, {2, 3}, 'p'},    {"xk", "i64", 2, {2, 3}, 'p'},
    {"xp", "bool", 2, {2, 3}, 'b'}, {"xq", "bool", 2, {2, 3}, 'b'},   {"xc", "bool", 0, {0}, 'b'},
    {"xn", "i64", 0, {0}, 'p'},     {"xr", "rng", 0, {0}, 'r'},
};
enum { NVARS = COUNT_OF(vars) };

/* Functions of the variables; together with one for each elementwise row they hold every operator.
 */
static const char *const functions[] = {
    "sum(xa, axis=0)",
    "prod(xa, axis=1)",
    "max(xa, axis=0)",
    "min(xa)",
    "ptp(xa, axis=1)",
    "any(xp, axis=1)",
    "all(xp)",
    "argmax(xa, axis=1)",
    "argmin(xa, axis=0)",
    "cumsum(xa, axis=1)",
    "cumprod(xa, axis=0)",
    "cummax(xa, axis=1)",
    "mean(xa, axis=0)",
    "var(xa, axis=1)",
    "std(xa)",
    "norm(xv)",
    "logsumexp(xa, axis=1)",
    "softmax(xa)",
    "log_softmax(xa, axis=0)",
    "xp and xq",
    "xp or xc",
    "not xp",
    "where(xp, xa, xs)",
    "where(xc, xa, xb)",
    "i64(4 * xa)",
    "f32(xa)",
    "reshape(xa, 6)",
    "reshape(xT, (6, -1))",
    "xT'",
    "transpose(xT, axes=(2, 0, 1))",
    "broadcast_to(xv, (2, 3))",
    "xa + xv",
    "xs * xa + xt",
    "xa[:, None]",
    "squeeze(xa[None], 0)",
    "concat((xa, xb), axis=1)",
    "concat((xv, xu))",
    "flip(xa, 1)",
    "tril(xA)",
    "trace(xA)",
    "diag(xv)",
    "diag(xA, 1) + diag(xA, -1)",
    "eye(2, 3, k=xi)",
    "one_hot(xi, 3)",
    "roll(xa, xi)",
    "roll(xa, (1, xi), axis=(0, 1))",
    "pad(xv, (1, 2), constant_values=xs)",
    "repeat(xa, 2, axis=1)",
    "conv2d(xa, [[xs, 1], [2, 0.5]], pad=1)",
    "max_pool(xa, (1, 2), stride=1)",
    "linspace(xs, 2, 3)",
    "triu(xT, 1)",
    "xa[xi]",
    "xa[:, xi]",
    "xT[xi, :, xi]",
    "xa[1:]",
    "xa[:, 0:3:2]",
    "xv[xi:]",
    "xT[:, xj]",
    "xv[xj]",
    "xa[xj]",
    "take(xT, xj, axis=2)",
    "xa with [xi] = xv",
    "xa with [:, xi] += xs",
    "xa with [1] = xu",
    "xa with [:, 1:] = xb[:, 0:2]",
    "xv with [xj] += xs",
    "xT with [:, xj] = xT[:, 0:2] * 2",
    "xv with [xj] = xu[0:2]",
    "sort(xa, axis=0)",
    "argsort(xa)",
    "searchsorted(sort(xv), xa)",
    "xa @ xv",
    "xv @ xu",
    "xa @ xA",
    "xT @ xv",
    "xT @ xA",
    "xA @ xT[0]",
    "xv @ xT",
    "xT @ xT",
    "xa @ xa'",
    "xu @ xA",
    "cholesky(xA @ xA')",
    "solve(xA, xv)",
    "solve(xA, xb')",
    "solve_triangular(xA, xv, lower=true)",
    "inv(xA)",
    "det(xA)",
    "slogdet(xA)[1]",
    "qr(xA)[1]",
    "dft(xA)[1]",
    "dft(xA, xA)[0]",
    "fft((re=xa, im=xb)).re",
    "svd(xA)[1]",
    "eigvalsh(xA)",
    "pinv(xA)",
    "lstsq(xA, xv)",
    "median(xa)",
    "gelu(xa)",
    "cross_entropy(xa, [0, 1])",
    "uniform(rng(xn), 2)[0]",
    "uniform(xr, (2, 2))[0] * xs",
    "uniform(split(xr, 2)[1])[0]",
    "normal(xr, 3)[0] * xv",
    "bernoulli(xr, xa)[0]",
    "randint(xr, 0, 9, 4)[0]",
    "randint(xr, 0, xn, 4)[0]",
    "permutation(xr, 4)[0]",
    "categorical(xr, xa)[0]",
    "stop_gradient(xa) * xa",
    "match_shape(xv, xu)",
    "repeat(xv, [1, 2, 0])",
    "size(xa, 0) * xs",
    "arange(size(xa, 1)) * xv",
    "arange(3) * xs",
    "einsum(\"ij,ij->i\", xa, xb)",
    /* branches */
    "if xc then xa * 2 else xb",
    "if xs > 0.5 then sqrt(xs) else xt",
    "if xc then xv[xi] else xs",
    "if xs > 0.5 then inv(xA) else xA",
    "if xn > 1 then sum(xa) else xs",
    /* loops: forward, backward, stops, own numbers of steps, partial bodies, loops in loops */
    "scan t over xv from h = xs { h[t] = tanh(h[t-1] + xv[t]) }",
    "scan t over xv from h = xu { h[t] = xA @ h[t-1] * 0.1 + xv[t] }",
    "scan t over xv from g = xs { g[t] = xv[t] + 0.5 * g[t+1] }",
    "(scan t for 3 from h = xs, k = 1.0 { h[t] = h[t-1] * k[t-1]; k[t] = 0.5 * k[t-1] }).final.h",
    "(scan t for xn from h = xs { h[t] = 0.5 * h[t-1] + xt }).final",
    "(scan t for xn from h = xs { h[t] = xv[t-t] * h[t-1] ; until h[t] < 0.2 }).final",
    "(scan t for 9 from h = xs { h[t] = 0.6 * h[t-1]; until h[t] < 0.1 }).final",
    "(scan t for 9 from h = xs { h[t] = 0.6 * h[t-1]; until h[t] < 0.1 }).steps",
    "sum(scan t for 9 from h = xs { h[t] = 0.6 * h[t-1]; until h[t] < 0.1 })",
    "max(scan t for 9 from h = xs { h[t] = 0.6 * h[t-1]; until h[t] < 0.1 })",
    "(scan t for 3 from h = xs, z = 3 { z[t] = z[t-1] - 1; h[t] = h[t-1] * (6 // z[t-1]); until "
    "h[t] > 2 }).final.h",
    "(scan t from h = xs { h[t] = 0.5 * h[t-1]; until h[t] < xt * 0.1 }).final",
    "(scan t for 4 from h = 0.0, r = xr { h[t], r[t] = uniform(r[t-1]); until h[t] > xs }).final.h",
    "scan i for 3 { row[i] = (scan t for 5 from h = xs { h[t] = h[t-1] * xv[i]; until h[t] < 0.2 "
    "}).final }",
    "(scan t over xv from h = xs { h[t] = if xv[t] > 0.5 then h[t-1] * xv[t] else h[t-1] }).final",
    /* functions, derivatives and batches inside */
    "callee(xs, xv)",
    "grad(sum(xa * xa * xs), xs)",
    "vjp(xv * xs, xs, xu)",
    "jvp(xv * xs, xs, xt)",
    "vmap(w -> w * xs)(xv)",
    "vmap(w -> (scan t for 5 from h = w { h[t] = h[t-1] * xs; until h[t] < 0.2 }).final)(xv)",
};

/* ---- elementwise rows ---- */

typedef struct {
    const char *name;
    int arity;
    bool order; /* the first operand alone has no derivative: a whole number */
    double lo, hi;
} Row;
static const Row rows[] = {
#define ELEM1(ID, NAME, F64, F32, ON_INT, D, ORACLE, LO, HI, FACTS, WORK, DOC) \
    {NAME, 1, false, LO, HI},
#define ELEM2(ID, NAME, F64, F32, ON_INT, DX, DZ, ORACLE, LO, HI, FACTS, ORDER, WORK, DOC) \
    {NAME, 2, sizeof DX == 1 && sizeof DZ > 1, LO, HI},
#include "ops/elem.def"
};

/* ---- one case ---- */

typedef struct {
    Session s;
    u64 random;
    bool seen[OP_COUNT];
    bool symbolic; /* sizes are names */
    unsigned functions, cases, gradients, bad;
} Run;

static u64 next(Run *r, u64 below)
{
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    return (r->random >> 33) % below;
}

static void number(Run *r, Text *out, const Var *v, i64 flat, double lo, double hi)
{
    double x = lo + (hi - lo) * (0.1 + 0.8 * (double)next(r, 4096) / 4096);
    if (v->kind == 'd') /* row, column of a 3 x 3 matrix */
        text_printf(out, "%.17g", x + (flat % 9 % 4 == 0 ? 3 : 0));
    else if (v->kind == 'f')
        text_printf(out, "%.17g", x);
    else if (v->kind == 'b')
        text_put(out, next(r, 2) ? "true" : "false");
    else
        text_printf(out, "%d", (int)next(r, 2) + (v->kind == 'p'));
}

/* A flat list of values, put in shape and the lanes' axis in place: an input with a value. */
static void declare(Run *r, Text *out, const Var *v, int axis, i64 lanes, double lo, double hi)
{
    i64 each = 1, count = axis < 0 ? 1 : lanes;
    if (v->kind == 'r') {
        text_printf(out, axis < 0 ? "%s = rng(5)\n" : "%s = split(rng(5), %lld)\n", v->name,
                    (long long)lanes);
        return;
    }
    Text dims = {0}, plain = {0};
    for (int i = 0, k = 0; i < v->rank + (axis >= 0); i++)
        if (r->symbolic)
            text_printf(&dims, "%s%s", i ? ", " : "",
                        i == axis            ? "lanes"
                        : v->shape[k++] == 2 ? "two"
                                             : "three");
        else
            text_printf(&dims, "%s%lld", i ? ", " : "",
                        i == axis ? (long long)lanes : (long long)v->shape[k++]);
    for (int i = 0; i < v->rank; i++) {
        each *= v->shape[i];
        text_printf(&plain, ", %d", v->shape[i]);
    }
    text_printf(out, "%s : %s[%s]\n%s := ", v->name, v->type, text_str(&dims), v->name);
    if (!count) {
        text_printf(out, "zeros((%s,), dtype=%s)\n", text_str(&dims), v->type);
    } else {
        text_put(out, axis > 0 ? "transpose(" : "(");
        text_put(out, "reshape([");
        for (i64 i = 0; i < each * count; i++) {
            text_put(out, i ? ", " : "");
            number(r, out, v, i, lo, hi);
        }
        if (axis < 0)
            text_printf(out, "], (%s))", plain.len ? text_str(&plain) + 2 : "");
        else
            text_printf(out, "], (%lld%s))", (long long)lanes, text_str(&plain));
        if (axis > 0) { /* (lanes, ...) with the lanes moved to the axis */
            text_put(out, ", axes=(");
            for (int i = 0, k = 1; i <= v->rank; i++)
                text_printf(out, "%s%d", i ? ", " : "", i == axis ? 0 : k++);
            text_put(out, ")");
        }
        text_put(out, ")\n");
    }
    text_free(&dims);
    text_free(&plain);
}

static bool uses(const char *text, const char *name)
{
    for (const char *p = strstr(text, name); p; p = strstr(p + 1, name))
        if (p == text || !(p[-1] == '_' || (p[-1] >= 'a' && p[-1] <= 'z')))
            return true;
    return false;
}

typedef struct {
    const Var *used[NVARS];
    int axis[NVARS], n;
} Plan;

static void plan(Run *r, const char *text, Plan *p)
{
    p->n = 0;
    bool any = false;
    for (size_t i = 0; i < NVARS; i++)
        if (uses(text, vars[i].name)) {
            const Var *v = &vars[i];
            bool batched = next(r, 3) > 0;
            p->axis[p->n] = !batched ? -1 : v->kind == 'r' ? 0 : (int)next(r, (u64)v->rank + 1);
            any = any || batched;
            p->used[p->n++] = v;
        }
    if (!any && p->n)
        p->axis[0] = 0;
}

/* The parameters, the axes and the arguments of one lane or of all. */
static void write_call(Text *out, const char *f, const Plan *p, i64 lane)
{
    if (lane < 0) {
        text_printf(out, "vmap(%s, in_axes=(", f);
        for (int i = 0; i < p->n; i++)
            if (p->axis[i] < 0)
                text_put(out, "None, ");
            else /* from the end as well as from the beginning */
                text_printf(out, "%d, ", p->axis[i] ? p->axis[i] - p->used[i]->rank - 1 : 0);
        text_put(out, "))(");
    } else {
        text_printf(out, "%s(", f);
    }
    for (int i = 0; i < p->n; i++) {
        text_printf(out, "%s%s", i ? ", " : "", p->used[i]->name);
        if (lane < 0 || p->axis[i] < 0)
            continue;
        text_put(out, "[");
        for (int k = 0; k < p->axis[i]; k++)
            text_put(out, ":, ");
        text_printf(out, "%lld]", (long long)lane);
    }
    text_put(out, ")");
}

static void mark(Run *r, Graph *g);
static void mark_nodes(Run *r, int n, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        int slots[4], count = node_graphs(order.at[i], slots);
        for (int k = 0; k < count; k++)
            mark(r, order.at[i]->attrs[slots[k]].graph);
    }
    vec_free(&order);
}
static void mark(Run *r, Graph *g)
{
    NodeVec order = {0};
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        r->seen[order.at[i]->op] = true;
    vec_free(&order);
    mark_nodes(r, g->nouts, g->outs);
}

/* Marks the operators inside the lane function; false if it cannot be built. */
static bool builds(Run *r, const char *text)
{
    const Source *src = session_source(&r->s, "case", text, strlen(text));
    Node **roots = NULL;
    Value *v = session_value(&r->s, source_whole(src));
    int n = v ? session_roots(&r->s, v, (Span){0}, &roots) : -1;
    if (n > 0)
        mark_nodes(r, n, roots);
    free(roots);
    diags_clear(&r->s.diags);
    return n > 0;
}

/* Do two texts have one value? Both may fail. */
static bool agree(Run *r, const char *all, const char *each, bool *failed, Text *why)
{
    Values a = {0}, z = {0};
    bool ok_z = run_values(&r->s, each, true, &z);
    diags_clear(&r->s.diags);
    bool ok_a = run_values(&r->s, all, true, &a);
    if (!ok_a && ok_z)
        text_printf(why, "fails: %s", r->s.diags.list.len ? r->s.diags.list.at[0].message : "?");
    diags_clear(&r->s.diags);
    bool same = ok_a == ok_z && a.n == z.n;
    for (int i = 0; i < a.n && same && ok_a; i++) {
        double error = values_error(a.at[i], z.at[i]);
        same = error < 1e-11;
        if (!same)
            text_printf(why, "differs by %g", error);
    }
    *failed = !ok_z;
    values_free(&a);
    values_free(&z);
    return same;
}

static void report(Run *r, const char *what, Text *program, const char *all, Text *why)
{
    r->bad++;
    print_error("%s %s\n%s%s\n", what, text_str(why), text_str(program), all);
}

static void check_case(Run *r, const char *f, i64 lanes, double lo, double hi)
{
    Plan p;
    Text program = {0}, all = {0}, each = {0}, why = {0};
    plan(r, f, &p);
    text_put(&program, "callee(h, w) = h * w + 1\n");
    for (int i = 0; i < p.n; i++)
        declare(r, &program, p.used[i], p.axis[i], lanes, lo, hi);
    text_put(&program, "f(");
    for (int i = 0; i < p.n; i++)
        text_printf(&program, "%s%s", i ? ", " : "", p.used[i]->name);
    text_printf(&program, ") = %s\n", f);
    if (!run_statements(&r->s, text_str(&program)))
        report(r, "refused", &program, r->s.diags.list.len ? r->s.diags.list.at[0].message : "",
               &why);
    diags_clear(&r->s.diags);
    write_call(&all, "f", &p, -1);
    bool failed = false, built = builds(r, text_str(&all));
    if (!built) {
        text_put(&why, "cannot be built");
        report(r, "vmap", &program, text_str(&all), &why);
    } else if (!lanes) { /* nothing to compare with, but it runs */
        Values a = {0};
        if (!run_values(&r->s, text_str(&all), true, &a) || a.at[0]->shape[0]) {
            text_put(&why, r->s.diags.list.len ? r->s.diags.list.at[0].message : "no lanes wanted");
            report(r, "no lanes:", &program, text_str(&all), &why);
        }
        diags_clear(&r->s.diags);
        values_free(&a);
        r->cases++;
    } else {
        text_put(&each, "stack((");
        for (i64 k = 0; k < lanes; k++) {
            write_call(&each, "f", &p, k);
            text_put(&each, ", ");
        }
        text_put(&each, "))");
        if (!agree(r, text_str(&all), text_str(&each), &failed, &why))
            report(r, "vmap", &program, text_str(&all), &why);
        r->cases += !failed;
        for (int i = 0; i < p.n && !failed; i++) {
            if (p.used[i]->kind != 'f' && p.used[i]->kind != 'd')
                continue;
            Text da = {0}, dz = {0};
            why.len = 0;
            text_printf(&da, "grad(sum(cos(%s)), %s, unconnected=zero)", text_str(&all),
                        p.used[i]->name);
            text_printf(&dz, "grad(sum(cos(%s)), %s, unconnected=zero)", text_str(&each),
                        p.used[i]->name);
            bool none;
            if (!agree(r, text_str(&da), text_str(&dz), &none, &why))
                report(r, "gradient", &program, text_str(&da), &why);
            r->gradients += !none;
            text_free(&da);
            text_free(&dz);
        }
    }
    text_free(&program);
    text_free(&all);
    text_free(&each);
    text_free(&why);
}

static void check_function(Run *r, const char *f, double lo, double hi)
{
    static const i64 lanes[] = {3, 1, 3, 0, 3};
    size_t tried = effort_keeps(r->functions++) ? COUNT_OF(lanes) : 1;
    for (size_t i = 0; i < tried; i++) {
        assert_true(session_init(&r->s));
        r->symbolic = i == 2;
        check_case(r, f, lanes[i], lo, hi);
        session_free(&r->s);
    }
}

/* Reals where the operator takes them, else integers, else bools. */
static void check_row(Run *r, const Row *row)
{
    static const char *const pairs[][2] = {{"xa", "xb"}, {"xm", "xk"}, {"xp", "xq"}};
    const OpId op = op_by_name(row->name);
    for (size_t k = 0; k < COUNT_OF(pairs); k++) {
        char text[96];
        snprintf(text, sizeof text,
                 row->arity == 1 ? "%s(%s)"
                 : row->order    ? "%s(floor(%s), %s)"
                                 : "%s(%s, %s)",
                 row->name, pairs[k][0], pairs[k][1]);
        Session *s = &r->s;
        assert_true(session_init(s));
        bool ok = run_statements(s, "xa : f64[2, 3]\nxb : f64[2, 3]\nxm : i64[2, 3]\n"
                                    "xk : i64[2, 3]\nxp : bool[2, 3]\nxq : bool[2, 3]\n") &&
                  builds(r, text);
        session_free(s);
        if (!ok)
            continue;
        check_function(r, text, row->lo, row->hi);
        if (r->seen[op])
            break;
    }
}

static void test_every_operator(void **state)
{
    (void)state;
    Run *r = xcalloc(1, sizeof *r);
    r->random = 2026;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_row(r, &rows[i]);
    for (size_t i = 0; i < COUNT_OF(functions); i++)
        check_function(r, functions[i], 0.1, 0.9);
    unsigned covered = 0;
    for (int op = 0; op < OP_COUNT; op++) {
        bool leaf = op_table[op].max_ops == 0 || op == OP_TUPLE;
        bool made = op == OP_GEMM || op == OP_GEMV || op == OP_GER || op == OP_PEAK ||
                    op == OP_RECURRENCE || op == OP_LOOP || op == OP_FUSED; /* by later passes */
        covered += r->seen[op];
        if (!r->seen[op] && !leaf && !made) {
            print_error("no function holds %s\n", op_table[op].name);
            r->bad++;
        }
    }
    print_message("%u operators, %u cases, %u gradients, %u bad\n", covered, r->cases, r->gradients,
                  r->bad);
    assert_int_equal(r->bad, 0);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_operator)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
