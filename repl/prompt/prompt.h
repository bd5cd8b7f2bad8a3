/* The prompt: reads entries and runs them. */
#ifndef GRADUS_PROMPT_H
#define GRADUS_PROMPT_H

#include "repl/commands/repl.h"

/* Until ^D or :quit. */
void repl_prompt(Repl *r);

/* ---- words.c ---- */
/* The command that an entry of a word or two means ("help(sum)": ":help sum"; the caller frees it),
 * or NULL: it is what it is. */
char *words_command(Repl *r, const char *entry);

/* ---- complete.c: callbacks of the line editor; ctx is the Repl ---- */
bool complete_is_partial(const char *text, void *ctx);
char **complete_word(const char *buffer, int start, int end, const char *word, void *ctx);
const char *complete_help(const char *word, void *ctx);

#endif
