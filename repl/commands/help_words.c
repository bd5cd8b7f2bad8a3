/* Words that newcomers ask :help about, and what it shows for them (help_words.def). */
#include "repl/commands/help.h"

static const HelpWord help_words[] = {
#define SEE(WORDS, NAME) {WORDS, NAME, NULL},
#define SAY(WORDS, SENTENCE) {WORDS, NULL, SENTENCE},
#include "repl/commands/help_words.def"
#undef SAY
#undef SEE
};

static bool has_word(const char *words, const char *text)
{
    size_t n = strlen(text);
    for (const char *at = words; *at;) {
        size_t length = strcspn(at, "|");
        if (length == n && strncasecmp(at, text, n) == 0)
            return true;
        at += length + (at[length] == '|');
    }
    return false;
}

const HelpWord *help_word(const char *text)
{
    for (size_t i = 0; i < COUNT_OF(help_words); i++)
        if (has_word(help_words[i].words, text))
            return &help_words[i];
    return NULL;
}
