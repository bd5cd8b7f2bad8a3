/* Files of rules checked against the examples in them. */
#ifndef GRADUS_CHECK_RULES_H
#define GRADUS_CHECK_RULES_H

#include "repl/commands/repl.h"
#include "repl/documents/edits.h"

typedef struct {
    int passed, failed, written;
    Edits *edits; /* gets what is actual where it is not as expected; NULL: that is a failure */
} Tally;

/* In a session that has only the built-in rules. Prints what fails. */
void check_rules(Repl *r, const char *path, const Text *text, Tally *tally);

#endif
