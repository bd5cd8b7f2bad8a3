/* Operators called by their own names with any operands and attributes, as a listing may call them:
 * a graph that can be printed, or errors. GRADUS_SEED and GRADUS_CASES choose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "effort.h"
#include "ops/ops.h"
#include "run_text.h"
#include "surface/surface.h"

static const char inputs[] = "a : f64\nx : f64[n]\nk : i64\ni : i64[n, 3]\nA : f64[n, m]\nr : rng\n"
                             "b : bool[n]\nc : f32[2]\nz = empty((0, 2))\nt = { zeros((k,)) }\n";
static const char *const operands[] = {"a",        "x",      "k",     "i", "A", "r",   "b",    "c",
                                       "z",        "t",      "x[:2]", "2", "0", "1",   "-1.5", "-1",
                                       "f32(0.5)", "i32(7)", "nan",   "u", "u", "true"};

static u64 next_random(u64 *seed) { return *seed = hash_mix(*seed, 0x5eed); }

static void random_attr(Text *t, char kind, u64 *seed)
{
    static const char *const types[] = {"bool", "i32", "i64", "f32", "f64", "rng"};
    int small = (int)(next_random(seed) % 5) - (next_random(seed) % 8 == 0);
    switch (kind) {
    case 'b': text_put(t, small % 2 ? "true" : "false"); return;
    case 'd': text_put(t, types[next_random(seed) % COUNT_OF(types)]); return;
    case 's': text_put(t, "\"word\""); return;
    case 'I':
        text_putc(t, '(');
        for (u64 n = next_random(seed) % 4; n > 0; n--)
            text_printf(t, "%d, ", (int)(next_random(seed) % 4) - (next_random(seed) % 16 == 0));
        text_putc(t, ')');
        return;
    default: text_printf(t, "%d", small);
    }
}

static bool owns_graphs(OpId op)
{
    for (int i = 0; i < op_attr_count(op); i++)
        if (op_attr_kind(op, i) == 'g')
            return true;
    return false;
}

static void random_call(Text *t, u64 *seed)
{
    OpId op;
    do
        op = (OpId)(next_random(seed) % OP_COUNT);
    while (owns_graphs(op));
    const OpInfo *info = &op_table[op];
    u64 nops = (u64)info->min_ops + (next_random(seed) % 3 ? 0 : next_random(seed) % 3);
    text_printf(t, "%s(", info->name);
    for (u64 i = 0; i < nops; i++)
        text_printf(t, "%s, ", operands[next_random(seed) % COUNT_OF(operands)]);
    for (int i = 0; i < op_attr_count(op); i++) {
        text_printf(t, "%s=", op_attr_name(op, i));
        random_attr(t, op_attr_kind(op, i), seed);
        text_put(t, ", ");
    }
    text_putc(t, ')');
}

/* Is it a graph? */
static bool survives(Session *s, const char *call, u64 seed)
{
    Node **roots = NULL;
    Text text = {0}, why = {0};
    diags_clear(&s->diags);
    int n = run_roots(s, call, &roots);
    if ((n < 0) != (s->diags.errors > 0))
        fail_msg("seed %llu: %zu errors: %s", (unsigned long long)seed, s->diags.errors, call);
    if (n >= 0 &&
        (!graph_verify(&s->st, n, roots, &why) || !listing_print(&s->st, &text, n, roots, NULL)))
        fail_msg("seed %llu: %s: %s", (unsigned long long)seed, call, text_str(&why));
    free(roots);
    text_free(&text);
    text_free(&why);
    return n >= 0;
}

static void test_random_calls(void **state)
{
    (void)state;
    RuleSet none = {0};
    u64 from = from_env("GRADUS_SEED", 0), cases = effort_cases(20000), accepted = 0;
    Session s;
    for (u64 i = from; i < from + cases; i++) {
        u64 seed = hash_mix(i, 3);
        if ((i - from) % 50 == 0) {
            if (i > from)
                session_free(&s);
            assert_true(session_open(&s, &none) && run_statements(&s, inputs));
        }
        Text call = {0};
        text_put(&call, "{ u = "); /* for one to take what another gives */
        random_call(&call, &seed);
        text_put(&call, "; ");
        random_call(&call, &seed);
        text_put(&call, " }");
        accepted += survives(&s, text_str(&call), i);
        text_free(&call);
    }
    session_free(&s);
    print_message("%llu of %llu are graphs\n", (unsigned long long)accepted,
                  (unsigned long long)cases);
    assert_true(accepted > cases / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_calls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
