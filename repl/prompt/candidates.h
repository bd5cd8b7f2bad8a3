/* What a word may become; shared by the files of completion.
 *
 * Invariant: every candidate begins with the word, and none is twice in the list. */
#ifndef GRADUS_CANDIDATES_H
#define GRADUS_CANDIDATES_H

#include "repl/commands/commands.h"

typedef struct {
    const char *word;
    VEC(char *) list;
} Candidates;

void offer(Candidates *c, const char *before, const char *name, const char *after);
void offer_list(Candidates *c, const char *words, const char *after); /* blank-separated */
void offer_names(Candidates *c, Repl *r);   /* functions, names of one's own, words */
void offer_numbers(Candidates *c, Repl *r); /* of the nodes of the last listing, without `%` */

/* ---- complete_argument.c ---- */
/* What may stand at row[at] among the arguments of the command k. Names of files instead, or NULL.
 */
char **complete_argument(Repl *r, Candidates *c, const Command *k, const char *row, int at);
/* The line of the command's help about `key=`; NULL: there is none. Its length in *n. */
const char *argument_help(const char *command, const char *key, size_t *n);

#endif
