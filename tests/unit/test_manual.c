/* The manual and the tables say the same: every function has examples, every word of the language
 * a section, and nothing in the manual is without an owner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "syntax/lex.h"
#include "repl/commands/commands.h"
#include "session/describe.h"
#include "repl/commands/help.h"
#include "tests/repl_test.h"

static char *words_copy(Words w)
{
    char *s = calloc(w.len + 1, 1);
    memcpy(s, w.at, w.len);
    return s;
}

static void every_function_has_examples(void **state)
{
    (void)state;
    const char *name;
    int functions = 0;
    for (size_t chapter = 0; describe_chapter(chapter); chapter++)
        for (size_t k = 0; (name = describe_function_name(&repl.s, chapter, k)); k++) {
            ManualExample e;
            if (!manual_example(name, &e))
                fail_msg("%s has no section in core/session/examples.gr", name);
            char *program = words_copy(e.program);
            if (!strstr(program, "# => "))
                fail_msg("no example of %s shows a result", name);
            free(program);
            functions++;
        }
    print_message("%d functions\n", functions);
    assert_true(functions > 130);
}

static void every_function_has_a_doc(void **state)
{
    (void)state;
    const char *name;
    for (size_t chapter = 0; describe_chapter(chapter); chapter++)
        for (size_t k = 0; (name = describe_function_name(&repl.s, chapter, k)); k++) {
            Description d;
            assert_true(describe_function(&repl.s, name, &d));
            if (!d.doc.len)
                fail_msg("%s has no doc", name);
            if (strcmp(describe_chapter(chapter), "Elementwise") == 0 && !d.types.len)
                fail_msg("%s takes no dtype", name);
            description_free(&d);
        }
}

static void every_example_has_a_function(void **state)
{
    (void)state;
    ManualExample e, other;
    for (size_t at = 0; manual_next_example(&at, &e);) {
        Description d;
        char *name = words_copy(e.name);
        if (!describe_function(&repl.s, name, &d))
            fail_msg("examples.gr: %s is no function", name);
        assert_true(manual_example(name, &other));
        if (other.program.at != e.program.at)
            fail_msg("examples.gr: two sections of %s", name);
        description_free(&d);
        free(name);
    }
}

static void every_command_has_an_example(void **state)
{
    (void)state;
    ManualExample e;
    for (size_t i = 0; i < command_count; i++) {
        if (!manual_command(commands[i].name, &e))
            fail_msg(":%s has no section in core/session/commands.gr", commands[i].name);
        char *program = words_copy(e.program), call[64];
        snprintf(call, sizeof call, "\n:%s", commands[i].name);
        if (!strstr(program, call) && strncmp(program, call + 1, strlen(call + 1)) != 0)
            fail_msg("the example of :%s does not show it", commands[i].name);
        free(program);
    }
}

static void every_example_of_a_command_has_one(void **state)
{
    (void)state;
    ManualExample e, other;
    for (size_t at = 0; manual_next_command(&at, &e);) {
        bool known = false;
        for (size_t i = 0; i < command_count; i++)
            known = known || (strlen(commands[i].name) == e.name.len &&
                              memcmp(commands[i].name, e.name.at, e.name.len) == 0);
        char *name = words_copy(e.name);
        if (!known || !manual_command(name, &other) || other.name.at != e.name.at)
            fail_msg("commands.gr: %s is no command, or has two sections", name);
        free(name);
    }
}

typedef struct {
    const char *wanted;
    bool found;
} Wanted;

static void look(void *ctx, const HelpEntry *e)
{
    Wanted *w = ctx;
    w->found = w->found || strcmp(e->name, w->wanted) == 0;
}

static void related_names_are_known(void **state)
{
    (void)state;
    ManualExample e;
    for (size_t at = 0; manual_next_example(&at, &e);)
        for (Words word; words_next(&e.see, &word);) {
            char *name = words_copy(word);
            Wanted w = {.wanted = name};
            help_each(&repl, look, &w);
            if (!w.found)
                fail_msg("examples.gr: %.*s refers to %s, which :help does not know",
                         (int)e.name.len, e.name.at, name);
            free(name);
        }
}

static void every_word_has_a_section(void **state)
{
    (void)state;
    for (size_t i = 0; language_words[i]; i++) {
        ManualTopic topic;
        if (!manual_topic(language_words[i], &topic) && !builtin_by_name(language_words[i]))
            fail_msg("language.md says nothing of %s", language_words[i]);
    }
}

static void every_section_has_one_owner(void **state)
{
    (void)state;
    ManualTopic topic, other;
    int topics = 0;
    for (size_t at = 0; manual_next_topic(&at, &topic); topics++)
        for (Words names = topic.names, word; words_next(&names, &word);) {
            char *name = words_copy(word);
            assert_true(manual_topic(name, &other));
            if (other.body.at != topic.body.at)
                fail_msg("language.md: two sections for %s", name);
            free(name);
        }
    assert_true(topics > 25);
}

static void all_that_a_table_lists_has_a_doc(void **state)
{
    (void)state;
    for (size_t i = 0; i < command_count; i++)
        assert_true(*commands[i].help);
    for (size_t i = 0; i < guard_count; i++)
        assert_true(*guards[i].doc);
    for (size_t i = 0; i < rule_function_count; i++)
        assert_true(*rule_functions[i].doc);
    for (size_t i = 0; i < pass_count(); i++)
        assert_true(*pass_table[i].doc);
    for (int op = 0; op < OP_COUNT; op++)
        assert_true(*op_table[op].doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_has_examples),
        cmocka_unit_test(every_command_has_an_example),
        cmocka_unit_test(every_example_of_a_command_has_one),
        cmocka_unit_test(every_function_has_a_doc),
        cmocka_unit_test(every_example_has_a_function),
        cmocka_unit_test(related_names_are_known),
        cmocka_unit_test(every_word_has_a_section),
        cmocka_unit_test(every_section_has_one_owner),
        cmocka_unit_test(all_that_a_table_lists_has_a_doc),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
