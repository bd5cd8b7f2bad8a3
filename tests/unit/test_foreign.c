/* Names of other systems: each hint is looked up by its word, and what it says to write runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"
#include "lang/foreign.h"
#include "tests/repl_test.h"

typedef struct {
    const char *words, *write, *more;
} Row;

static const Row rows[] = {
#define HABIT(WORDS, WRITE, MORE) {WORDS, WRITE, MORE},
#include "lang/foreign.def"
};

enum { AT_LEAST = 300 };

/* What the names in `write` stand for. */
static const char setting[] =
    "x : f64[4] = [0.1, 0.2, 0.3, 0.4]\ny : f64[4] = [0.5, 0.4, 0.3, 0.2]\n"
    "v : f64[3] = [1, 2, 3]\nA : f64[3, 3] = [[4, 1, 0], [1, 3, 1], [0, 1, 2]]\n"
    "B : f64[3, 3] = [[2, 1, 0], [1, 2, 1], [0, 1, 2]]\n"
    "p : bool[4] = [true, false, true, false]\nq : bool[4] = [true, true, false, false]\n"
    "i : i64[2] = [1, 2]\nj : i64[2] = [2, 0]\nlo = 0.1\nhi = 0.9\nr = rng(0)\n"
    "z = (re=x, im=y)\nf(a) = a ^ 2\ng(a) = sum(a ^ 2)\n";

static int all_set_up(void **state)
{
    int failed = set_up(state);
    if (!failed)
        run(setting);
    return failed;
}

/* What a text prints, errors too. */
static void printed(const char *text, Text *out)
{
    repl.capture = out;
    repl_run_text(&repl, "test", text, strlen(text));
    repl.capture = NULL;
}

static bool fails(const char *text)
{
    Text out = {0};
    repl.status = 0;
    printed(text, &out);
    bool failed = repl.status != 0;
    if (failed)
        print_message("%s:\n%s\n", text, text_str(&out));
    text_free(&out);
    repl.status = 0;
    return failed;
}

/* Calls of `each` for all words of all rows; their number. */
static int each_word(void (*each)(const Row *r, const char *word))
{
    int n = 0;
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        char words[1000], *rest = words;
        assert_true(strlen(rows[k].words) < sizeof words);
        snprintf(words, sizeof words, "%s", rows[k].words);
        for (char *word; (word = strtok_r(rest, " ", &rest)); n++)
            each(&rows[k], word);
    }
    return n;
}

static void hint_is_found(const Row *r, const char *word)
{
    char hint[FOREIGN_HINT];
    assert_true(foreign_name(word, hint));
    if (r->write && !strstr(hint, r->write))
        fail_msg("%s is found in another row: %s", word, hint);
    if (r->more && !strstr(hint, r->more))
        fail_msg("%s: the hint is cut or of another row: %s", word, hint);
    if (!r->write && !r->more && *hint)
        fail_msg("%s stands in another row, too: %s", word, hint);
}

/* A remedy for a name that is there is never shown. */
static void word_is_unknown(const Row *r, const char *word)
{
    if ((r->write || r->more) && builtin_by_name(word))
        fail_msg("%s is a function of the language: take it out of foreign.def", word);
}

/* The error that the word alone gives has its hint, or none, and no guess. */
static void hint_is_shown(const Row *r, const char *word)
{
    (void)r;
    char hint[FOREIGN_HINT];
    Text out = {0}, wanted = {0};
    Json j = {.out = &wanted};
    foreign_name(word, hint);
    json_string(&j, *hint ? hint : NULL);
    printed(word, &out);
    bool shown = strstr(text_str(&out), "\"unknown-name\"") &&
                 strstr(text_str(&out), "\"hint\":") &&
                 !strncmp(strstr(text_str(&out), "\"hint\":") + 7, text_str(&wanted), wanted.len);
    if (!shown && !builtin_by_name(word))
        fail_msg("%s: %s", word, text_str(&out));
    text_free(&out);
    text_free(&wanted);
}

static void words_are_found(void **state)
{
    (void)state;
    int n = each_word(hint_is_found);
    print_message("%d names\n", n);
    assert_true(n >= AT_LEAST);
}

static void words_are_not_of_the_language(void **state)
{
    (void)state;
    each_word(word_is_unknown);
}

static void remedies_run(void **state)
{
    (void)state;
    int failed = 0;
    for (size_t k = 0; k < COUNT_OF(rows); k++)
        failed += rows[k].write && fails(rows[k].write);
    assert_int_equal(failed, 0);
}

static void hints_are_shown(void **state)
{
    (void)state;
    repl.json = true;
    each_word(hint_is_shown);
    repl.json = false;
    repl.status = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_found), cmocka_unit_test(words_are_not_of_the_language),
        cmocka_unit_test(remedies_run), cmocka_unit_test(hints_are_shown)};
    return cmocka_run_group_tests(tests, all_set_up, tear_down);
}
