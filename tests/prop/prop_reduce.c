/* :reduce: unsound rules planted in random programs of 300 nodes with loops and gradients. What is
 * left is hardly more than the rule's pattern, and fails again in a session that reads nothing
 * else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "program_gen.h"
#include "repl/commands/repl.h"

#include "../effort.h"

enum {
    CASES = 100, /* at an effort of 2500: one takes about a second */
    NODES = 300,
    BEYOND = 4 /* nodes more than the pattern has, in 95 % of cases */
};

/* None of them is true. Nodes of the pattern, its variables too. */
static const struct {
    const char *rule;
    int nodes;
} planted[] = {
    {"tanh(a) * b => tanh(a) + b", 4},
    {"exp(a) + b => exp(a) - b", 4},
    {"sin(a) => cos(a)", 2},
    {"a / b => b / a", 3},
    {"abs(a) => a", 2},
    {"a * tanh(b) + c => a + tanh(b) * c", 6},
    {"sum(a * b) => sum(a) * sum(b)", 4},
    {"1 - a => 1 + a", 3},
    {"cos(a) => 1 - cos(a)", 2},
    {"exp(a) * b => exp(a) + b", 4},
    {"sigmoid(a) => tanh(a)", 2},
    {"floor(a) => a", 2},
};

/* ---- running ---- */

/* What a text prints; its exit status in *status. */
static char *output_of(const char *text, bool json, int *status)
{
    Repl r;
    Text out = {0};
    assert_true(repl_init(&r));
    r.capture = &out;
    r.json = json;
    repl_run_text(&r, "case", text, strlen(text));
    *status = r.status;
    repl_free(&r);
    return out.len ? text_take(&out) : xstrdup("");
}

/* ---- programs ---- */

static int number_after(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    return at ? atoi(at + strlen(key)) : -1;
}

/* A program of about so many nodes, whose result is a tuple or a sum of random expressions. */
static void put_program(Text *out, unsigned seed)
{
    Text defs = {0}, sum = {0};
    bool tuple = seed % 2;
    for (int k = 0; defs.len < NODES * 8; k++) {
        Text term = {0};
        program_gen(&term, seed * 64 + (unsigned)k);
        bool derivative = strncmp(text_str(&term), "grad(", 5) == 0;
        if (derivative)
            text_printf(&defs, "d%d, p%d = %s\n", k, k, text_str(&term));
        else
            text_printf(&defs, "p%d = f64(%s)\n", k, text_str(&term));
        text_printf(&sum, "%sp%d", k ? (tuple ? ", " : " + ") : "", k);
        text_free(&term);
    }
    text_printf(out, "%s%swhole = %s%s%s\n", program_header, text_str(&defs), tuple ? "(" : "",
                text_str(&sum), tuple ? ")" : "");
    text_free(&defs);
    text_free(&sum);
}

/* The text of a JSON string, from behind its opening quote. */
static char *unquoted(const char *s)
{
    Text t = {0};
    for (; *s && *s != '"'; s++) {
        s += *s == '\\';
        text_putc(&t, s[-1] == '\\' && *s == 'n' ? '\n' : *s);
    }
    return text_take(&t);
}

typedef struct {
    u32 cases, close, nodes, tries;
} Count;

/* False: the rule breaks nothing here. */
static bool reduce_case(unsigned seed, Count *c)
{
    Text text = {0};
    int status;
    const char *rule = planted[seed % COUNT_OF(planted)].rule;
    int pattern = planted[seed % COUNT_OF(planted)].nodes;
    text_printf(&text, ":rule planted [E]: %s trial=off\n", rule);
    put_program(&text, seed);
    text_put(&text, ":reduce whole while audit\n");
    char *out = output_of(text_str(&text), true, &status);
    const char *program = strstr(out, "\"program\":\"");
    if (getenv("GRADUS_SHOW"))
        fprintf(stderr, "%s%s\n", text_str(&text), out);
    if (program) {
        int before = number_after(out, "\"before\":"), after = number_after(out, "\"after\":");
        char *small = unquoted(program + strlen("\"program\":\""));
        c->cases++;
        c->close += after <= pattern + BEYOND;
        c->nodes += (u32)before;
        c->tries += (u32)number_after(out, "\"tries\":");
        if (after > pattern + BEYOND)
            print_message("seed %u, %s: %d nodes left of %d\n%s\n", seed, rule, after, before,
                          small);
        free(output_of(small, false, &status));
        if (status != EXIT_PROGRAM)
            print_error("seed %u does not fail again:\n%s\n", seed, small);
        assert_int_equal(status, EXIT_PROGRAM);
        free(small);
    }
    free(out);
    text_free(&text);
    return program != NULL;
}

static void test_planted(void **state)
{
    (void)state;
    Count c = {0};
    u32 cases = effort_cases(CASES / 25), first = from_env("GRADUS_SEED", 1);
    for (u32 seed = first; c.cases < cases && seed < first + 20 * cases + 20; seed++)
        reduce_case(seed, &c);
    print_message("%u programs of %u nodes, %u tries each; at most %d nodes beyond the pattern in "
                  "%u\n",
                  c.cases, c.nodes / (c.cases + !c.cases), c.tries / (c.cases + !c.cases), BEYOND,
                  c.close);
    assert_int_equal(c.cases, cases);
    assert_true(100 * c.close >= 95 * c.cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_planted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
