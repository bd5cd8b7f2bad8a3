/* See both_tiers.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "both_tiers.h"

#include <unistd.h>

static bool same_number(double a, double b) { return a != a ? b != b : !memcmp(&a, &b, sizeof a); }

/* The bits of a NaN may differ. */
static bool same(const Values *a, const Values *b)
{
    for (int i = 0; i < a->n && a->n == b->n; i++) {
        const Tensor *x = a->at[i], *y = b->at[i];
        if (tensor_same_bits(x, y))
            continue;
        if (!dtype_is_float(x->dtype) || x->dtype != y->dtype || x->count != y->count)
            return false;
        for (i64 k = 0; k < x->count; k++)
            if (!same_number(tensor_f64_at(x, k), tensor_f64_at(y, k)))
                return false;
    }
    return a->n == b->n;
}

void compare_tiers(const char *program, const char *result, u64 seed, u32 *compared)
{
    Session s;
    Values machine = {0}, native = {0};
    assert_true(session_init(&s));
    if (!run_statements(&s, program))
        fail_msg("seed %llu: an error in %s", (unsigned long long)seed, program);
    native_set(&s.native, NATIVE_OFF);
    bool ok = run_values(&s, result, true, &machine);
    native_set(&s.native, NATIVE_ON);
    if (!ok || !run_values(&s, result, true, &native) || !same(&machine, &native))
        fail_msg("seed %llu: the tiers differ in %s", (unsigned long long)seed, program);
    *compared += s.run_native == NATIVE_COMPILED || s.run_native == NATIVE_CACHED;
    values_free(&machine);
    values_free(&native);
    session_free(&s);
}

int run_both_tiers(int (*tests)(void))
{
    char folder[] = "/tmp/gradus-tiers-XXXXXX", command[64];
    if (system("command -v ${GRADUS_CC:-${CC:-cc}} >/dev/null 2>&1")) {
        puts("LEFT OUT: no C compiler\n0 passed, 0 failed");
        return 0;
    }
    if (!mkdtemp(folder))
        return 1;
    setenv("XDG_CACHE_HOME", folder, 1);
    int status = tests();
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) ? 1 : status;
}
