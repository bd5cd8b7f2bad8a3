/* On random typed programs: replaying the steps gives the graph the engine gave, every
 * intermediate graph keeps the invariants, and the value before a step is the value after
 * it, within what the step's classes allow. GRADUS_SEED and GRADUS_CASES choose. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "effort.h"
#include "program_gen.h"
#include "run_text.h"
#include "steps_check.h"

static void complain(const char *what, const char *text, unsigned seed, Session *s)
{
    print_error("%s, seed %u: %s\n", what, seed, text);
    for (size_t i = 0; i < s->diags.list.len; i++)
        print_error("  %s\n", s->diags.list.at[i].message);
}

static bool check_words(Session *s, Exploration *x, const char **why, u32 *told)
{
    Text text = {0};
    bool ok = steps_tell(&s->st, &x->log, told, &text);
    *why = ok ? *why : arena_strndup(&s->arena, text_str(&text), text.len);
    text_free(&text);
    return ok;
}

static bool one_case(unsigned seed, u32 *steps, u32 *told)
{
    Text program = {0};
    program_gen(&program, seed);
    Session s;
    bool ok = session_init(&s);
    const char *why = "it does not build";
    run_statements(&s, program_header);
    s.options.allowed = seed % 4 == 0   ? HAZARD_E | HAZARD_D
                        : seed % 4 == 1 ? HAZARD_ALL & ~(u32)HAZARD_S
                                        : HAZARD_DEFAULT;
    Exploration *x = ok ? run_pipeline(&s, text_str(&program)) : NULL;
    ok = x && !x->failed && check_words(&s, x, &why, told) && steps_replay(&s, x, &why) &&
         steps_audit(&s, x, false, &why, steps);
    if (!ok)
        complain(why, text_str(&program), seed, &s);
    text_free(&program);
    session_free(&s);
    return ok;
}

static void test_steps_keep_values(void **state)
{
    (void)state;
    unsigned seed = from_env("GRADUS_SEED", 1), cases = effort_cases(400), failed = 0;
    u32 steps = 0, told = 0;
    for (unsigned i = 0; i < cases && failed < 10; i++)
        failed += !one_case(seed + i, &steps, &told);
    print_message("%u programs, %u steps, each with its rule, reason and classes; %u compared\n",
                  cases, told, steps);
    assert_int_equal(failed, 0);
    assert_true(steps > cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps_keep_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
