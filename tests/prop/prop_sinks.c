/* Scatters and running sums that take what is computed tile by tile, conditions that only checks
 * look at, and joins whose parts are computed in place: operator by operator, in the machine and as
 * native code they give the same bits, or the same message, with one, two and three threads. Around
 * the sizes at which tiles end; with positions counted from the end, and outside.
 *
 * Native code is left out where there is no C compiler. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/threads.h"
#include "run_ways.h"
#include "scan_gen_body.h"

#include <unistd.h>

/* i has positions in 7 from either end, j those of `places`. */
static void put_inputs(int n, const char *places, Text *out)
{
    text_printf(out,
                "x : f64[%d] = sin(arange(%d) * 0.7)\n"
                "v : f64[%d] = where(arange(%d) %% 5 == 3, -0.0, cos(arange(%d) * 1.3) * 1e8)\n"
                "c = arange(%d)\n"
                "i : i64[%d] = arange(%d) * 5 %% 14 - 7\n"
                "j : i64[%d] = %s\n"
                "k : i32[%d] = i32(arange(%d) * 3 %% 7)\n",
                n, n, n, n, n, n, n, n, n, places, n, n);
}

static const char *const positions[] = {"c * 4 % 7", "c * 4 % 7 - 3", "where(c < 1500, c % 7, 8)",
                                        "where(c == 4, -10, c % 7)"};

static const char in_place[] = " for concat";
enum { IN_PLACE = 1024 /* elements of parts that are computed in place, at least */ };

/* What it comes to, and what its plan has. */
static const struct {
    const char *text, *plan;
} forms[] = {
    {"(zeros(7) with [i] += v, zeros(7, dtype=i64) with [i] += 1)", "        scatter %"},
    {"(zeros(7) with [k] += v, ones(7) with [k] = x, scatter(x[:7], k, v, mode=2))",
     "        scatter %"},
    {"zeros(9) with [i64(floor(x * 4))] += v * v + x", "        scatter %"},
    {"zeros(7) with [k] += f64(x > 0.1) * v", "        scatter %"},
    {"(zeros(9) with [j] += v, zeros(7) with [j] += x * x)", "        scatter %"},
    {"(zeros(7) with [j] += v, zeros(9) with [j] = x)", "        scatter %"},
    {"(full(7, false) with [k] = (x > 0), scatter(full(7, i32(3)), k, i32(v * 1e-7), mode=3))",
     "        scatter %"},
    {"(bincount(abs(j)), segment_sum(v, j, 7), segment_sum(x, j, 7))", "        scatter %"},
    {"(cumsum(x), cumsum(v * v))", "        cumsum %"},
    {"(cumsum(f32(x) * f32(0.3)), cumsum(x > 0.2), cumsum(i * k))", "        cumsum %"},
    {"(cumprod(x * 0.1 + 1), cummax(v * x))", "        cumprod %"},
    {"cumsum(arange(size(x)) * 2)", "        cumsum %"},
    {"concat((zeros(1), cumsum(x)))[3:] - concat((zeros(1), cumsum(x * x)))[:-3]",
     "        cumsum %"},
    {"(concat((ones(2), x * v + 1, zeros(3))), x * v + 1, concat((x * v + 1, ones(1))))", "fused("},
    {"(concat((cumsum(x) * 2 + 1, [1.0])) with [0] = 3.0, sum(cumsum(x) * 2 + 1))", "fused("},
    {"concat((x * v + 1, cumsum(x) * 2, [1.0]))", in_place},
    {"concat((concat((x + 1, v * v)), sqrt(abs(x)))) with [0] = 3.0", in_place},
    {"check(x * x + 1 > 0.5 and v < 2e8, x * 2 + v, message=\"small\")", " for a check only"},
    {"check(x * v < 5e7, x * v, message=\"large\")", " for a check only"},
};

static bool has_compiler(void)
{
    return !system("command -v ${GRADUS_CC:-${CC:-cc}} >/dev/null 2>&1");
}

/* Is it done in the way that is tested? */
static bool is_planned(Session *s, const char *text, const char *form)
{
    Exploration *x = run_explored(s, text);
    Program *p = x ? plan_build(&s->st, x->nroots, x->roots) : NULL;
    Text plan = {0};
    if (p)
        program_print(&plan, p);
    bool found = strstr(text_str(&plan), form) != NULL;
    text_free(&plan);
    program_free(p);
    if (x)
        exploration_free(x);
    return found;
}

/* How it ends; it is the same in every way. */
static bool try_text(Session *s, int ways, const char *text, int n)
{
    Values plain = {0};
    Text said = {0};
    bool ok = run_way(s, 0, text, &plain, &said);
    for (int way = 1; way < ways; way++) {
        Values other = {0};
        Text also = {0};
        bool again = run_way(s, way, text, &other, &also);
        if (again != ok || strcmp(text_str(&said), text_str(&also)))
            fail_msg("%s of %d: `%s` and `%s`", text, n, text_str(&said), text_str(&also));
        for (int i = 0; ok && i < plain.n; i++)
            if (!tensor_same_bits(plain.at[i], other.at[i]))
                fail_msg("result %d of %s of %d differs %s", i, text, n,
                         way == 1 ? "in the machine" : "as native code");
        values_free(&other);
        text_free(&also);
    }
    text_free(&said);
    values_free(&plain);
    return ok;
}

static void test_ways(void **state)
{
    static const int lengths[] = {9, 1023, 1024, 1025, 3000};
    int ways = 2 + has_compiler();
    u32 passed = 0, failed = 0, all = 0;
    (void)state;
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (size_t b = 0; b < COUNT_OF(positions); b++) {
            Session s;
            int n = lengths[l];
            Text program = {0};
            assert_true(session_init(&s));
            put_inputs(n, positions[b], &program);
            if (!run_statements(&s, text_str(&program)))
                fail_msg("cannot be read: %s\n%s", s.diags.list.at[0].message, text_str(&program));
            for (size_t k = 0; k < COUNT_OF(forms); k++, all++) {
                if ((n >= IN_PLACE || forms[k].plan != in_place) &&
                    !is_planned(&s, forms[k].text, forms[k].plan))
                    fail_msg("%s is not planned as meant", forms[k].text);
                *(try_text(&s, b % 2 ? 2 : ways, forms[k].text, n) ? &passed : &failed) += 1;
            }
            text_free(&program);
            session_free(&s);
        }
    print_message("%u programs gave values, %u failed; native code: %s\n", passed, failed,
                  ways > 2 ? "yes" : "LEFT OUT, no C compiler");
    assert_true(passed > all / 2 && failed > all / 20);
}

int main(void)
{
    char folder[] = "/tmp/gradus-sinks-XXXXXX", command[64];
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ways)};
    if (!mkdtemp(folder))
        return 1;
    setenv("XDG_CACHE_HOME", folder, 1);
    threads_least(0);
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) ? 1 : status;
}
