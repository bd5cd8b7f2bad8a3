/* Work that threads share: every element once, a stop that stops, flags that reach the caller; and
 * values that have the same bits whatever the number of threads, by the machine and in native code,
 * at lengths around those at which pieces, tiles and ranges end. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/flags.h"
#include "base/threads.h"
#include "scan_run.h"

#include <stdatomic.h>
#include <unistd.h>

/* ---- the pool ---- */

typedef struct {
    i64 n, stop; /* the element at which it stops; -1: none */
    atomic_int *seen;
    atomic_llong count;
    bool inner; /* spreads work itself */
} Marked;

static bool count_inner(void *ctx, int thread, i64 from, i64 to)
{
    atomic_llong *count = ctx;
    assert_int_equal(thread, 0);
    atomic_fetch_add(count, to - from);
    return true;
}

static bool mark(void *ctx, int thread, i64 from, i64 to)
{
    Marked *m = ctx;
    volatile double large = 1e300;
    assert_true(thread >= 0 && thread < THREADS_MOST && from < to && to <= m->n);
    for (i64 i = from; i < to; i++)
        atomic_fetch_add(&m->seen[i], 1);
    large = large * large;
    return (!m->inner || threads_spread(4, to - from, 1, count_inner, &m->count)) &&
           !(m->stop >= from && m->stop < to);
}

static void test_pieces(void **state)
{
    static const i64 sizes[] = {1, 2, 7, 64, 1000};
    (void)state;
    for (int threads = 1; threads <= 5; threads++)
        for (size_t k = 0; k < COUNT_OF(sizes); k++)
            for (i64 piece = 1; piece < 80; piece += 13) {
                Marked m = {.n = sizes[k], .stop = -1, .inner = piece == 14};
                m.seen = xcalloc((size_t)m.n, sizeof *m.seen);
                flags_clear();
                assert_true(threads_spread(threads, m.n, piece, mark, &m));
                assert_true(flags_raised() & FLAG_OVERFLOW);
                for (i64 i = 0; i < m.n; i++)
                    assert_int_equal(atomic_load(&m.seen[i]), 1);
                assert_int_equal(atomic_load(&m.count), m.inner ? m.n : 0);
                m.stop = m.n / 2;
                assert_false(threads_spread(threads, m.n, piece, mark, &m));
                free(m.seen);
            }
}

static void test_how_many(void **state)
{
    int n;
    (void)state;
    assert_true(threads_parse("auto", &n) && n == THREADS_AUTO && threads_parse("3", &n) && n == 3);
    assert_false(threads_parse("0", &n) || threads_parse("-1", &n) || threads_parse("2x", &n) ||
                 threads_parse("65", &n) || threads_parse("", &n));
    threads_set(3);
    assert_int_equal(threads_for(1e9), 3);
    assert_int_equal(threads_for(1e3), 1); /* nothing is gained */
    assert_int_equal(threads_for(2.5e5), 2);
    assert_int_equal(threads_piece(3, 1 << 20, 1024, 1) % 1024, 0);
    assert_true(threads_piece(2, (i64)1 << 40, 1, 1) <= 1 << 22); /* ^C does not wait */
    threads_set(1);
    assert_int_equal(threads_for(1e9), 1);
}

/* ---- values ---- */

/* n is an odd number near which something ends. */
static const char inputs[] = "n = %d\n"
                             "x : f64[%d] = sin(arange(n) * 0.7) * 2\n"
                             "k : i64[%d] = arange(n) * 7 %% 13 + 1\n"
                             "X : f64[%d, 23] = reshape(cos(arange(n * 23) * 0.3), (n, 23))\n"
                             "Y : f64[23, %d] = X' * 1.1\n"
                             "r : f64[%d] = x * 0.5\n";

static const char *const texts[] = {
    "exp(x)",
    "x + x * 2 - 1",
    "where(x > 0, x, -x)",
    "k // 3 + k",
    "x + k",
    "sum(exp(x) * x)",
    "(sum(x * x), max(x * 2), min(x - 1), any(x * x > 3))",
    "sum(x)",
    "prod(k % 3 + 1)",
    "argmax(X, axis=1)",
    "sum(X * X, axis=0)",
    "sum(X * 2, axis=1)",
    "max(X, axis=1)",
    "sum(Y * Y, axis=1)",
    "sum(Y * r, axis=0)",
    "softmax(X, axis=1)",
    "softmax(Y, axis=1)",
    "var(Y, axis=1)",
    "X * reshape(x, (n, 1))",
    "grad(sum(softmax(Y, axis=1) * Y), Y)",
    "Y @ X",
    "X[:999] @ Y[:, :999]",
    "X' @ X",
    "normal(rng(3), n)",
    "uniform(rng(3), n)",
    "randint(rng(3), 0, 100, n)",
    "bernoulli(rng(4), x * x / 4)",
    "categorical(rng(5), X * X + 0.1)",
    "(scan t for 20 from a = x { a[t] = a[t-1] * 0.9 + tanh(a[t-1]) * r }).final",
    "scan t for 4 from a = x { a[t] = 3.5 * a[t-1] * (1 - a[t-1]) / 4 }",
    "vmap(u -> (scan t for 9 from s = u { s[t] = sin(s[t-1]) + u }).final)(x)"};

static void put_inputs(int n, Text *out) { text_printf(out, inputs, n, n, n, n, n, n); }

static void check_text(Session *s, const char *text, int n, bool compile)
{
    for (int native = 0; native <= compile; native++) {
        Values one = {0}, more = {0};
        native_set(&s->native, native ? NATIVE_ON : NATIVE_OFF);
        s->threads = 1;
        if (!run_values(s, text, true, &one))
            fail_msg("%s: %s", text, s->diags.list.len ? s->diags.list.at[0].message : "?");
        for (s->threads = 2; s->threads <= 3; s->threads++) {
            assert_true(run_values(s, text, true, &more));
            for (int i = 0; i < one.n; i++)
                if (!tensor_same_bits(one.at[i], more.at[i]))
                    fail_msg("%s, %d elements: other bits with %d threads", text, n, s->threads);
            values_free(&more);
        }
        values_free(&one);
    }
}

static void test_bits(void **state)
{
    static const int lengths[] = {1023, 20001};
    (void)state;
    for (size_t k = 0; k < COUNT_OF(lengths); k++) {
        Session s;
        Text program = {0};
        put_inputs(lengths[k], &program);
        assert_true(session_init(&s));
        assert_true(run_statements(&s, text_str(&program)));
        threads_least(0);
        for (size_t i = 0; i < COUNT_OF(texts); i++)
            check_text(&s, texts[i], lengths[k], k + 1 == COUNT_OF(lengths));
        text_free(&program);
        session_free(&s);
    }
}

/* Products of a batch, so many times that two threads meet in the library. */
static void test_products(void **state)
{
    enum { TIMES = 300 };
    Session s;
    Values one = {0};
    (void)state;
    assert_true(session_init(&s));
    assert_true(
        run_statements(&s, "A : f64[64, 16, 40] = reshape(sin(arange(40960)), (64, 16, 40))\n"
                           "B : f64[64, 40, 16] = reshape(cos(arange(40960)), (64, 40, 16))\n"));
    threads_least(0);
    s.threads = 1;
    assert_true(run_values(&s, "A @ B", true, &one));
    s.threads = 4;
    for (int i = 0; i < TIMES; i++) {
        Values more = {0};
        assert_true(run_values(&s, "A @ B", true, &more));
        assert_true(tensor_same_bits(one.at[0], more.at[0]));
        values_free(&more);
    }
    values_free(&one);
    session_free(&s);
}

int main(void)
{
    char folder[] = "/tmp/gradus-threads-XXXXXX", command[64];
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_how_many),
                                       cmocka_unit_test(test_pieces), cmocka_unit_test(test_bits),
                                       cmocka_unit_test(test_products)};
    if (!mkdtemp(folder))
        return 1;
    setenv("XDG_CACHE_HOME", folder, 1);
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) ? 1 : status;
}
