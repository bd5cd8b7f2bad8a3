/* Declarations of arguments, words of a line, and what was written in another way once. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "repl/commands/arguments.h"
#include "repl/commands/renamed.h"

#include <string.h>

static const Command *command(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    fail_msg("no command :%s", name);
    return NULL;
}

static void test_words(void **state)
{
    (void)state;
    Word w[MOST_WORDS];
    const char *text = "  f(x, y) + [1, 2] a.svg title=\"two words\" off=[a, b] ";
    assert_int_equal(words_of(text, w), 6);
    assert_int_equal(strncmp(text + w[0].from, "f(x, y)", 7), 0);
    assert_int_equal(w[4].to - w[4].from, strlen("title=\"two words\""));
    assert_int_equal(w[5].to - w[5].from, strlen("off=[a, b]"));
    assert_int_equal(words_of("(a b", w), 1);
    assert_int_equal(words_of(" \t ", w), 0);
}

/* A line of more words than are kept: the last ones are there, what is before them is one. */
static void test_many_words(void **state)
{
    (void)state;
    Word w[MOST_WORDS];
    char text[4 * MOST_WORDS + 8] = "";
    for (int i = 0; i < 2 * MOST_WORDS; i++)
        strcat(text, "a ");
    strcat(text, "z");
    assert_int_equal(words_of(text, w), MOST_WORDS);
    assert_int_equal(w[0].from, 0);
    assert_int_equal(text[w[MOST_WORDS - 1].from], 'z');
    for (int i = 1; i < MOST_WORDS; i++)
        assert_true(w[i].from > w[i - 1].to);
}

/* Every declaration of the table can be read: no key twice, each with a value, endings that are
 * names. */
static void test_table(void **state)
{
    (void)state;
    int options = 0;
    for (size_t i = 0; i < command_count; i++) {
        const Command *k = &commands[i];
        DeclaredOption first;
        for (DeclaredOption o = {0}; declared_next(k, &o); options++) {
            assert_true(o.extent > 0);
            assert_true(declared_find(k, o.key, o.length, &first));
            if (first.key != o.key)
                fail_msg(":%s declares %.*s= twice", k->name, (int)o.length, o.key);
        }
        char endings[128] = "";
        bool needed, file = declared_takes(k, "FILE", &needed);
        assert_int_equal(declared_endings(k, endings, sizeof endings), file);
        assert_true(strspn(endings, "abcdefghijklmnopqrstuvwxyz ") == strlen(endings));
        assert_true(*k->help && k->group < GROUP_COUNT);
    }
    assert_true(options > 60);
}

static void test_values(void **state)
{
    (void)state;
    DeclaredOption o;
    const char *word;
    size_t n;
    assert_true(declared_find(command("plot"), "kind", 4, &o));
    assert_true(declared_value(&o, 2, &word, &n) && n == 4 && strncmp(word, "bars", 4) == 0);
    assert_false(declared_value(&o, 5, &word, &n));
    assert_false(declared_is_switch(&o));
    assert_true(declared_find(command("steps"), "times", 5, &o) && declared_is_switch(&o));
    assert_false(declared_find(command("steps"), "time", 4, &o));
    assert_true(declared_is_word("LR", 2) && declared_is_word("+1", 2));
    assert_false(declared_is_word("NAME", 4) || declared_is_word("14cm", 4) ||
                 declared_is_word("30", 2) || declared_is_word("%K", 2));
    bool needed;
    assert_true(declared_takes(command("move"), "EXPR", &needed) && !needed);
    assert_true(declared_takes(command("save"), "FILE", &needed) && needed);
    assert_false(declared_takes(command("vars"), "EXPR", &needed));
}

/* What is new already is left alone; an expression that only has such a word in it, too. */
static void test_not_renamed(void **state)
{
    (void)state;
    static const struct {
        const char *name, *rest;
    } kept[] = {{"graph", "ssa"},
                {"graph", "x + boxes"},
                {"graph", "x boxes=on"},
                {"draw", "egraph"},
                {"diff", "x step=2.."},
                {"rules", "canonicalize"},
                {"draw", "f(from=2) y"},
                {"rule", "drop"},
                {"plot", "x kind=bars"},
                {"steps", "x from=2"},
                {"play", "S at=1"},
                {"graph", ""},
                {"draw", "x * egraph + y a.svg"}};
    Arena arena = {0};
    for (size_t i = 0; i < COUNT_OF(kept); i++)
        if (renamed_options(&arena, kept[i].name, kept[i].rest))
            fail_msg(":%s %s counts as old", kept[i].name, kept[i].rest);
    const char *name = NULL;
    assert_null(renamed_command(&arena, "frobnicate", "", &name));
    assert_null(renamed_command(&arena, "g", "", &name)); /* of several */
    assert_string_equal(renamed_command(&arena, "gc", "", &name), "");
    assert_string_equal(renamed_command(&arena, "go", "", &name) ? name : "several", "several");
    assert_string_equal(renamed_command(&arena, "unt", "log1p", &name), ":step until=log1p");
    assert_string_equal(name, "until");
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words),
                                       cmocka_unit_test(test_many_words),
                                       cmocka_unit_test(test_table), cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_not_renamed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
