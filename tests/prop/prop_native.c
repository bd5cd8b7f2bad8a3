/* The native tier against the virtual machine, bit for bit, on random scans (scan_gen.c): all
 * traces, final states, steps, and the gradient of the loss; of a NaN, that it is one.
 *
 * Left out where there is no C compiler. The cache is a folder of its own, which is removed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "both_tiers.h"
#include "effort.h"
#include "scan_gen.h"
#include "scan_run.h"

enum { CASES = 60 };

static void put_values(const ScanCase *c, Text *out)
{
    text_put(out, "(");
    for (int i = 0; i < c->nequations; i++) {
        scan_case_trace(c, i, false, out);
        text_put(out, ", ");
        if (c->equations[i].state) {
            scan_case_final(c, i, false, out);
            text_put(out, ", ");
        }
    }
    text_put(out, "S.steps, S.stopped)");
}

static void put_gradient(ScanCase *c, Text *out)
{
    text_printf(out, "grad(%s, [", text_str(&c->loss[0]));
    for (int i = 0; i < c->nwanted; i++)
        text_printf(out, "%s%s", i ? ", " : "", c->wanted[i]);
    text_put(out, "], unconnected=zero)");
}

static bool same_number(double a, double b) { return a != a ? b != b : !memcmp(&a, &b, sizeof a); }

static bool same_values(const Values *a, const Values *b)
{
    for (int i = 0; i < a->n; i++) {
        const Tensor *x = a->at[i], *y = b->at[i];
        if (tensor_same_bits(x, y))
            continue;
        if (x->dtype != DT_F64 || y->dtype != DT_F64 || x->count != y->count)
            return false;
        for (i64 k = 0; k < x->count; k++)
            if (!same_number(((double *)x->data)[k], ((double *)y->data)[k]))
                return false;
    }
    return a->n == b->n;
}

static void compare(Session *s, const char *text, u32 *compared, u64 seed)
{
    Values machine = {0}, native = {0};
    native_set(&s->native, NATIVE_OFF);
    bool ok = run_values(s, text, true, &machine);
    native_set(&s->native, NATIVE_ON);
    bool also = run_values(s, text, true, &native);
    if (ok != also || (ok && !same_values(&machine, &native)))
        fail_msg("seed %llu: the tiers differ in %s", (unsigned long long)seed, text);
    *compared += s->run_native == NATIVE_COMPILED || s->run_native == NATIVE_CACHED;
    values_free(&machine);
    values_free(&native);
}

static void test_native(void **state)
{
    u32 cases = effort_cases(CASES), compared = 0, seed = from_env("GRADUS_SEED", 1);
    u32 stride = GEN_CELLS / CASES | 1;
    (void)state;
    for (u32 k = 0; k < cases; k++) {
        ScanCase c;
        Session s;
        Text text = {0};
        scan_case_make(&c, seed + (u64)k * stride);
        assert_true(session_init(&s));
        text_printf(&text, "%s\n%s\n%s\n", text_str(&c.inputs), text_str(&c.definitions),
                    text_str(&c.scan));
        if (run_statements(&s, text_str(&text))) {
            text.len = 0;
            put_values(&c, &text);
            compare(&s, text_str(&text), &compared, c.seed);
            text.len = 0;
            put_gradient(&c, &text);
            compare(&s, text_str(&text), &compared, c.seed);
        }
        text_free(&text);
        session_free(&s);
        scan_case_free(&c);
    }
    print_message("%u expressions of %u programs ran as native code\n", compared, cases);
    assert_true(compared > cases / 4);
}

static int all(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_native)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void) { return run_both_tiers(all); }
