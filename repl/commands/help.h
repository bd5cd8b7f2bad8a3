/* :help NAME: all that the tables and the manual say of a name. */
#ifndef GRADUS_HELP_H
#define GRADUS_HELP_H

#include "session/manual.h"
#include "repl/commands/commands.h"
#include "rewrite/pattern.h"

/* Fills c->out and c->data ("name", and "entries": one object for each thing of that name: a
 * function, an operator, a word of the language, a command, a rule, ...). False after a
 * diagnostic with what was perhaps meant. */
bool help_name(Call *c, const char *name, Span span);
/* An entry of help_words.def: a word that newcomers use, and what :help shows for it. */
typedef struct {
    const char *words;      /* separated by bars */
    const char *sees, *say; /* a name that :help knows; or a sentence. The other is NULL. */
} HelpWord;
/* The entry with that word or phrase, in upper or lower case, or NULL if there is none. */
const HelpWord *help_word(const char *text);
/* A section of the manual as plain text: its examples are indented, what is made of the
 * tables is put in. */
void help_put_topic(const Pipeline *p, Text *out, const ManualTopic *topic);
/* The same laid out for the width of the terminal (help_page.c). */
void help_page_put(Report *r, const Pipeline *p, const ManualTopic *topic);

/* A name that :help knows, and what it says of it. */
typedef struct {
    const char *kind; /* "command"; NULL: the texts are found under another name or kind */
    const char *name, *doc, *more; /* doc and more may be NULL, and end with the call */
} HelpEntry;
void help_each(Repl *r, void (*take)(void *ctx, const HelpEntry *e), void *ctx);

/* The diagnostic that nothing is called so, with what was perhaps meant; false. */
bool help_unknown(Call *c, const char *name, Span span);
/* Lists what has all words of the text in its help (apropos.c); false: nothing has. */
bool help_apropos(Call *c, const char *text);

#endif
