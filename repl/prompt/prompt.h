/* The prompt: reads entries and runs them. */
#ifndef GRADUS_PROMPT_H
#define GRADUS_PROMPT_H

#include "repl/commands/repl.h"

/* Until ^D or :quit. */
void repl_prompt(Repl *r);
/* Opens the line editor, if there is a terminal; line_close ends it. */
void prompt_open(Repl *r);
/* One entry for this session, from the line editor or (NULL) as plain lines; the caller frees it.
 * NULL at the end of input. */
char *prompt_read(Line *line, Repl *session, const char *prompt);

/* ---- tutor.c ---- */
/* Repl.tutor: plays lessons. */
size_t repl_tutor(Repl *r, const char *lines);

/* ---- words.c ---- */
/* What an entry means that is a first word ("help(sum)": ":help sum") or was pasted with its
 * prompts; the caller frees it. NULL: it is what it is. */
char *words_meant(Repl *r, const char *entry);

/* ---- complete.c: callbacks of the line editor; ctx is the Repl ---- */
bool complete_is_partial(const char *text, void *ctx);
char **complete_word(const char *buffer, int start, int end, const char *word, void *ctx);
const char *complete_help(const char *word, void *ctx);

#endif
