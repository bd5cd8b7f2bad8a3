/* Loops over arrays that run tile by tile across steps, or range by range where states are put
 * together from slices, operands that are repeated tile by tile, and passes over some rows at a
 * time, against the same run operator by operator, and native code against both, with two and three
 * threads: all bits the same, on random bodies, lengths and numbers of steps. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/threads.h"
#include "effort.h"
#include "exec/plan.h"
#include "scan_gen.h"
#include "scan_gen_body.h"
#include "scan_run.h"

#include <unistd.h>

enum { CASES = 80, MOST_STATES = 3 };

static const int lengths[] = {1, 5, 33, 700, 1024, 2500};
static const int step_counts[] = {0, 1, 2, 3, 17, 40};

typedef struct {
    u64 rng;
    int length, steps, nstates;
    bool reverse, shifts;
} Case;

static u32 pick(Case *c, u32 n) { return gen_pick(&c->rng, n); }

/* ---- bodies ---- */

static void put_state(Case *c, Text *out)
{
    text_printf(out, "x%u[t%c1]", pick(c, (u32)c->nstates), c->reverse ? '+' : '-');
}

/* Elements [from, from + n) of something with c->length of them. */
static void put_slice(Case *c, int from, int n, Text *out)
{
    put_state(c, out);
    text_printf(out, "[%d:%d]", from, from + n);
}

static void put_leaf(Case *c, bool array, int from, int n, Text *out)
{
    bool whole = n == c->length;
    switch (array ? 2 + pick(c, 4) : pick(c, 6)) {
    case 0: text_printf(out, "%.2f", pick(c, 200) / 100.0 - 1); return;
    case 1: text_put(out, "s[t]"); return;
    case 2: text_printf(out, whole ? "v" : "v[%d:%d]", from, from + n); return;
    case 3: text_printf(out, whole ? "V[t]" : "V[t][%d:%d]", from, from + n); return;
    default:
        if (whole)
            put_state(c, out);
        else
            put_slice(c, (int)pick(c, (u32)(c->length - n) + 1), n, out);
    }
}

/* Scalars are operands only: steps on scalars are steps of their own. */
static void put_term(Case *c, int depth, bool array, int from, int n, Text *out)
{
    static const char *const forms[] = {"%s + %s",         "%s - %s",
                                        "%s * %s",         "tanh(%s) - %s",
                                        "maximum(%s, %s)", "where(%s > 0.1, 0.5, %s)"};
    if (!depth) {
        put_leaf(c, array, from, n, out);
        return;
    }
    Text a = {0}, b = {0};
    put_term(c, depth - 1, true, from, n, &a);
    put_term(c, (int)pick(c, (u32)depth), false, from, n, &b);
    text_put(out, "(");
    const char *form = forms[pick(c, COUNT_OF(forms))];
    for (int k = 0; *form; form++)
        if (form[0] == '%' && form[1] == 's') {
            text_put(out, k++ ? text_str(&b) : text_str(&a));
            form++;
        } else {
            text_putc(out, *form);
        }
    text_put(out, ")");
    text_free(&a);
    text_free(&b);
}

/* Never a scalar, whatever the term is. */
static void put_array(Case *c, int from, int n, Text *out)
{
    text_put(out, "(");
    if (n == c->length)
        put_state(c, out);
    else
        put_slice(c, (int)pick(c, (u32)(c->length - n) + 1), n, out);
    text_put(out, " * 0.5 + ");
    put_term(c, 1 + (int)pick(c, 3), true, from, n, out);
    text_put(out, ")");
}

static void put_value(Case *c, Text *out)
{
    int n = c->length, cut = n > 1 ? 1 + (int)pick(c, (u32)n - 1) : 0;
    if (!pick(c, 6)) {
        put_state(c, out);
    } else if (!c->shifts || !cut) {
        put_array(c, 0, n, out);
    } else {
        text_put(out, "concat((");
        if (pick(c, 3))
            put_array(c, 0, cut, out);
        else
            put_slice(c, (int)pick(c, (u32)(n - cut) + 1), cut, out);
        text_put(out, ", ");
        put_array(c, cut, n - cut, out);
        text_put(out, "))");
    }
}

static void put_program(Case *c, Text *out)
{
    int n = c->length, rows = c->steps;
    text_printf(out, "v : f64[%d] = arange(%d) * 0.37 / %d - 0.1\n", n, n, n);
    text_printf(out, "s : f64[%d] = sin(arange(%d) * 0.9)\n", rows, rows);
    text_printf(out, "V : f64[%d, %d] = reshape(cos(arange(%d) * 0.3), (%d, %d))\n", rows, n,
                rows * n, rows, n);
    text_put(out, "S = scan t over s, V from ");
    for (int i = 0; i < c->nstates; i++)
        text_printf(out, "%sx%d = v * %d", i ? ", " : "", i, i + 1);
    text_put(out, " {\n");
    for (int i = 0; i < c->nstates; i++) {
        text_printf(out, "  x%d[t] = ", i);
        put_value(c, out);
        text_put(out, "\n");
    }
    text_put(out, "  g[t] = ");
    put_array(c, 0, n, out);
    text_put(out, "\n  b[t] = g[t] > 0.2\n}\n");
}

static Case case_of(u64 seed)
{
    Case c = {.rng = seed * 2 + 1};
    for (int i = 0; i < 4; i++)
        pick(&c, 2);
    c.length = lengths[pick(&c, COUNT_OF(lengths))];
    c.steps = step_counts[pick(&c, COUNT_OF(step_counts))];
    c.nstates = 1 + (int)pick(&c, MOST_STATES);
    c.reverse = pick(&c, 4) == 0;
    c.shifts = pick(&c, 2);
    return c;
}

/* ---- comparison ---- */

static bool same_number(double a, double b) { return a != a ? b != b : !memcmp(&a, &b, sizeof a); }

static double number_at(const Tensor *t, i64 k)
{
    return t->dtype == DT_F64 ? ((double *)t->data)[k] : (double)((float *)t->data)[k];
}

static bool same(const Tensor *x, const Tensor *y)
{
    if (tensor_same_bits(x, y))
        return true;
    if (!dtype_is_float(x->dtype) || x->dtype != y->dtype || x->count != y->count)
        return false;
    for (i64 k = 0; k < x->count; k++)
        if (!same_number(number_at(x, k), number_at(y, k)))
            return false;
    return true;
}

static u32 occurrences(const char *text, const char *of)
{
    u32 n = 0;
    for (; (text = strstr(text, of)) != NULL; text++)
        n++;
    return n;
}

/* What :plan says. */
static void count_ways(Session *s, const char *text, const char *const *words, u32 *const *counts)
{
    Exploration *x = run_explored(s, text);
    Program *p = x ? plan_build(&s->st, x->nroots, x->roots) : NULL;
    Text plan = {0};
    if (p)
        program_print(&plan, p);
    for (int i = 0; words[i]; i++)
        *counts[i] += occurrences(text_str(&plan), words[i]);
    text_free(&plan);
    program_free(p);
    if (x)
        exploration_free(x);
}

/* The values of one way; way 0: operator by operator, 1: the machine, 2: native code. */
static void run_way(Session *s, int way, const char *text, Values *out)
{
    s->plan_flags = way ? 0 : PLAN_PLAIN;
    native_set(&s->native, way == 2 ? NATIVE_ON : NATIVE_OFF);
    s->threads = way + 1;
    if (!run_values(s, text, true, out)) {
        for (size_t i = 0; i < s->diags.list.len; i++)
            fprintf(stderr, "  %s\n", s->diags.list.at[i].message);
        fail_msg("%s does not run", text);
    }
    s->plan_flags = 0;
}

static void try_text(Session *s, const char *program, const char *text, bool native, u64 seed)
{
    Values plain = {0};
    run_way(s, 0, text, &plain);
    for (int way = 1; way < 2 + native; way++) {
        Values other = {0};
        run_way(s, way, text, &other);
        assert_int_equal(plain.n, other.n);
        for (int i = 0; i < plain.n; i++)
            if (!same(plain.at[i], other.at[i]))
                fail_msg("seed %llu: result %d of %s differs %s in\n%s", (unsigned long long)seed,
                         i, text, way == 1 ? "in the machine" : "as native code", program);
        values_free(&other);
    }
    values_free(&plain);
}

static void test_lanes(void **state)
{
    bool native = !system("command -v ${GRADUS_CC:-${CC:-cc}} >/dev/null 2>&1");
    u32 cases = effort_cases(CASES), lanes = 0, shifts = 0;
    u64 seed = from_env("GRADUS_SEED", 1);
    (void)state;
    for (u32 k = 0; k < cases; k++) {
        Case c = case_of(seed + k);
        Session s;
        Text program = {0}, text = {0};
        assert_true(session_init(&s));
        put_program(&c, &program);
        if (!run_statements(&s, text_str(&program))) {
            for (size_t i = 0; i < s.diags.list.len; i++)
                fprintf(stderr, "  %s\n", s.diags.list.at[i].message);
            fail_msg("cannot be read:\n%s", text_str(&program));
        }
        text_put(&text, "(S.g, S.b");
        for (int i = 0; i < c.nstates; i++)
            text_printf(&text, ", S.final.x%d, S.x%d", i, i);
        text_put(&text, ")");
        if (c.nstates == 1) {
            text.len = 0;
            text_put(&text, "(S.g, S.b, S.final, S.x0)");
        }
        count_ways(&s, text_str(&text), (const char *const[]){"lane by lane", "in place:", NULL},
                   (u32 *const[]){&lanes, &shifts});
        try_text(&s, text_str(&program), text_str(&text), native && k % 4 == 0, seed + k);
        try_text(&s, text_str(&program), "grad(sum(S.g * 0.1), v)", native && k % 8 == 0, seed + k);
        text_free(&text);
        text_free(&program);
        session_free(&s);
    }
    print_message("%u loops lane by lane, %u by ranges of slices; native code: %s\n", lanes, shifts,
                  native ? "yes" : "LEFT OUT, no C compiler");
    assert_true(lanes > cases / 6 && shifts > cases / 10);
}

/* ---- lanes that are done at different steps ---- */

/* Of a lane, x and k are numbers; L is the limit of steps. */
static const char *const stopping[] = {
    "scan t for L from s = x + 1 { s[t] = 0.5 * (s[t-1] + x / s[t-1]); until abs(s[t] - s[t-1]) < "
    "1e-9 }",
    "scan t for L from n = k, c = 0 { n[t] = if n[t-1] % 2 == 0 then n[t-1] // 2 else 3 * n[t-1] "
    "+ 1; c[t] = c[t-1] + 1; until n[t] <= 1 }",
    "scan t over u = u[:L] from s = x, ok = true { s[t] = s[t-1] * 0.9 + u[t]; ok[t] = "
    "s[t] > 1; until not ok[t] }",
    "scan t for L from s = x, n = i32(k) { s[t] = tanh(s[t-1] * 1.5) + x; n[t] = (n[t-1] * 5 + 3) "
    "% 17; until n[t] == 2 or s[t] > 2.5 }",
    "scan t for L from s = x, r = 0.0 { r[t] = s[t-1]; s[t] = s[t-1] * s[t-1] - x; until s[t] != "
    "s[t] }",
    "scan t for L from s = k { s[t] = (s[t-1] << 1) // 3 - (s[t-1] >> 1) % 7; until s[t] % 5 == 1 "
    "}"};

static void test_done(void **state)
{
    static const int limits[] = {1, 7, 60};
    bool native = !system("command -v ${GRADUS_CC:-${CC:-cc}} >/dev/null 2>&1");
    u32 lanes = 0, all = 0;
    (void)state;
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (size_t i = 0; i < COUNT_OF(stopping); i++, all++) {
            int n = lengths[l], limit = limits[(l + i) % COUNT_OF(limits)];
            Session s;
            Text program = {0};
            assert_true(session_init(&s));
            text_printf(&program,
                        "X : f64[%d] = abs(sin(arange(%d) * 0.7)) * 3\nK = arange(%d) * 7 %% 90\n"
                        "u : f64[60] = cos(arange(60) * 0.4)\nL = %d\nf(x, k) = { S = %s; "
                        "(S.final, S.steps, S.stopped) }\n",
                        n, n, n, limit, stopping[i]);
            if (!run_statements(&s, text_str(&program)))
                fail_msg("cannot be read: %s\n%s", s.diags.list.at[0].message, text_str(&program));
            count_ways(&s, "vmap(f)(X, K)", (const char *const[]){"lane by lane", NULL},
                       (u32 *const[]){&lanes});
            try_text(&s, text_str(&program), "vmap(f)(X, K)", native, i);
            text_free(&program);
            session_free(&s);
        }
    print_message("%u of %u loops that stop lane by lane\n", lanes, all);
    assert_true(lanes > all / 2);
}

/* ---- repeated operands ---- */

static void put_repeated(Case *c, Text *out)
{
    static const char *const arrays[] = {"X", "X * 2", "softmax(X)", "tanh(X)"};
    static const char *const operands[] = {"g", "h", "sum(X, axis=2, keepdims=true)",
                                           "max(X, axis=(1, 2), keepdims=true)"};
    static const char *const forms[] = {"+", "*", "-", "/"};
    text_put(out, arrays[pick(c, COUNT_OF(arrays))]);
    for (u32 n = 1 + pick(c, 3); n > 0; n--)
        text_printf(out, " %s %s", forms[pick(c, COUNT_OF(forms))],
                    operands[pick(c, COUNT_OF(operands))]);
}

static void test_repeats(void **state)
{
    static const int sizes[] = {1, 2, 3, 7, 40};
    bool native = !system("command -v ${GRADUS_CC:-${CC:-cc}} >/dev/null 2>&1");
    u32 cases = effort_cases(CASES), repeated = 0;
    u64 seed = from_env("GRADUS_SEED", 1);
    (void)state;
    for (u32 k = 0; k < cases; k++) {
        Case c = {.rng = (seed + k) * 6364136223846793005ull + 99};
        int a = sizes[pick(&c, 5)], b = sizes[pick(&c, 5)],
            d = pick(&c, 4) ? sizes[pick(&c, 5)] : 1100;
        Session s;
        Text program = {0}, text = {0};
        assert_true(session_init(&s));
        text_printf(&program,
                    "X : f64[%d, %d, %d] = reshape(sin(arange(%d) * 0.7), (%d, %d, %d))\n"
                    "g : f64[%d] = arange(%d) * 0.3 + 0.1\n"
                    "h : f64[%d, %d] = reshape(arange(%d) * 0.2 + 0.5, (%d, %d))\n",
                    a, b, d, a * b * d, a, b, d, d, d, b, d, b * d, b, d);
        assert_true(run_statements(&s, text_str(&program)));
        put_repeated(&c, &text);
        if (pick(&c, 2)) {
            Text sum = {0};
            text_printf(&sum, "sum(%s, axis=2)", text_str(&text));
            text_free(&text);
            text = sum;
        }
        count_ways(&s, text_str(&text), (const char *const[]){" repeated, ", NULL},
                   (u32 *const[]){&repeated});
        try_text(&s, text_str(&program), text_str(&text), native && k % 8 == 0, seed + k);
        text_free(&text);
        text_free(&program);
        session_free(&s);
    }
    print_message("%u repeated operands\n", repeated);
    assert_true(repeated > cases / 2);
}

/* ---- several passes over some rows ---- */

/* Of what is reduced, `axis` says the axes. */
typedef struct {
    int rows, length;
    const char *dtype, *shape, *axis, *h;
    int numbers; /* of h */
    int first;   /* of the passes that it can have */
} RowShape;

static const RowShape row_shapes[] = {{400, 120, "f64", "400, 120", "1", "120", 120, 0},
                                      {2, 20000, "f64", "2, 20000", "1", "20000", 20000, 0},
                                      {9000, 7, "f64", "9000, 7", "1", "7", 7, 0},
                                      {33, 1100, "f64", "33, 1100", "1", "1100", 1100, 0},
                                      {3, 5, "f64", "3, 5", "1", "5", 5, 0},
                                      {65, 15, "f32", "65, 15", "1", "15", 15, 0},
                                      {70, 16, "f64", "70, 16", "1", "16", 16, 0},
                                      {5, 17, "f32", "5, 17", "1", "17", 17, 0},
                                      {9, 255, "f64", "3, 3, 255", "2", "3, 255", 765, 0},
                                      {6, 256, "f32", "2, 3, 256", "2", "3, 256", 768, 0},
                                      {6, 257, "f64", "2, 3, 257", "2", "3, 257", 771, 0},
                                      {3, 1023, "f64", "3, 3, 341", "(1, 2)", "3, 341", 1023, 1},
                                      {2, 1024, "f32", "2, 1024", "1", "1024", 1024, 0},
                                      {5, 1025, "f64", "5, 5, 205", "(1, 2)", "5, 205", 1025, 1},
                                      {1, 8192, "f64", "1, 8192", "1", "8192", 8192, 0},
                                      {2, 8193, "f64", "2, 3, 2731", "(1, 2)", "3, 2731", 8193, 1},
                                      {130, 1, "f64", "2, 65, 1", "2", "65, 1", 65, 0},
                                      {0, 5, "f64", "0, 5", "1", "5", 5, 0}};

/* # is the array so far, @ the axes. */
static void put_form(const char *form, int array, const RowShape *r, Text *out)
{
    for (; *form; form++)
        if (*form == '#')
            text_printf(out, "x%d", array);
        else if (*form == '@')
            text_put(out, r->axis);
        else
            text_putc(out, *form);
}

static void put_pass(Case *c, int pass, const RowShape *r, Text *out)
{
    static const char *const passes[] = {
        "softmax(#, axis=@)",
        "# - max(#, axis=@, keepdims=true)",
        "# / (sum(# * #, axis=@, keepdims=true) + 1)",
        "(# - mean(#, axis=@, keepdims=true)) / sqrt(var(#, axis=@, keepdims=true) + 0.1) * h + h",
        "logsumexp(#, axis=@, keepdims=true) - #",
        "where(any(# > 0.9, axis=@, keepdims=true), #, X)",
        "h * # + sum(x0 * X, axis=@, keepdims=true)",
        "minimum(#, 0.5) ^ 2 + exp(-min(#, axis=@, keepdims=true))",
        "# * prod(0.5 + 0.5 * cos(#), axis=@, keepdims=true) + v"};
    u32 n = COUNT_OF(passes) - (u32)r->first;
    text_printf(out, "x%d = ", pass + 1);
    put_form(passes[(u32)r->first + pick(c, (int)n)], pass, r, out);
    text_putc(out, '\n');
}

/* Statements; the last of the arrays is x`passes`. */
static void put_passes(Case *c, const RowShape *r, int passes, Text *out)
{
    static const char *const specials[] = {"X0", "0.0", "-0.0", "inf", "-inf", "nan"};
    text_printf(out,
                "X0 : %s[%s] = %s(reshape(sin(arange(%d) * 0.7), (%s)))\n"
                "X = where(abs(X0) < 0.1, %s, X0)\n"
                "h : %s[%s] = %s(reshape(arange(%d) * 0.01 + 0.1, (%s,)))\n"
                "v = sum(X0 * 0.5, axis=%s, keepdims=true)\nx0 = X * 2\n",
                r->dtype, r->shape, r->dtype, r->rows * r->length, r->shape,
                specials[pick(c, COUNT_OF(specials))], r->dtype, r->h, r->dtype, r->numbers, r->h,
                r->axis);
    for (int k = 0; k < passes; k++)
        put_pass(c, k, r, out);
    put_form(
        "S = scan t for 3 from q = x0 { p[t] = exp(q[t-1] - max(q[t-1], axis=@, keepdims=true))"
        "; q[t] = p[t] / sum(p[t], axis=@, keepdims=true) + x1; o[t] = sum(q[t] * p[t], axis=@) "
        "}\n",
        0, r, out);
}

static void test_rows(void **state)
{
    static const char *const results[] = {"#",
                                          "(#, x1)",
                                          "sum(#, axis=@)",
                                          "sum(#)",
                                          "(#, X, sum(x1, axis=@))",
                                          "grad(sum(# * x0), X)",
                                          "(S.q, S.o[-1])",
                                          "grad(sum(S.q[-1] * x0), X)"};
    bool native = !system("command -v ${GRADUS_CC:-${CC:-cc}} >/dev/null 2>&1");
    u32 cases = effort_cases(2 * CASES), parts = 0, loops = 0;
    u64 seed = from_env("GRADUS_SEED", 1);
    (void)state;
    for (u32 k = 0; k < cases; k++) {
        Case c = {.rng = (seed + k) * 6364136223846793005ull + 5};
        const RowShape *r = &row_shapes[k % COUNT_OF(row_shapes)];
        int passes = 1 + (int)pick(&c, 3);
        Session s;
        Text program = {0}, text = {0};
        assert_true(session_init(&s));
        put_passes(&c, r, passes, &program);
        if (!run_statements(&s, text_str(&program)))
            fail_msg("cannot be read:\n%s", text_str(&program));
        put_form(results[pick(&c, COUNT_OF(results))], passes, r, &text);
        count_ways(&s, text_str(&text),
                   (const char *const[]){", on a few at a time", ", in one loop", NULL},
                   (u32 *const[]){&parts, &loops});
        try_text(&s, text_str(&program), text_str(&text), native && k % 4 == 0, seed + k);
        text_free(&text);
        text_free(&program);
        session_free(&s);
    }
    print_message("%u parts by rows, %u of them in one loop\n", parts, loops);
    assert_true(parts > cases / 2 && loops > cases / 3);
}

int main(void)
{
    char folder[] = "/tmp/gradus-lanes-XXXXXX", command[64];
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lanes), cmocka_unit_test(test_done),
                                       cmocka_unit_test(test_repeats), cmocka_unit_test(test_rows)};
    if (!mkdtemp(folder))
        return 1;
    setenv("XDG_CACHE_HOME", folder, 1);
    threads_least(0);
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) ? 1 : status;
}
