/* What :reduce asks of candidates: programs as texts, judged in sessions of their own.
 *
 * Invariant: a condition is only ever asked of a text that is read by a fresh session, so what
 * holds here holds wherever that text is read. */
#ifndef GRADUS_REDUCING_H
#define GRADUS_REDUCING_H

#include "repl/commands/commands.h"
#include "repl/terminal/judge.h"
#include "session/condition.h"

/* A condition, and what is told of it. */
typedef struct {
    Condition is;
    const char *unmet;  /* what is the case where it does not hold */
    const char *check;  /* the statement that shows it, "%s" for the result; NULL: the result is */
    char *const *judge; /* a command that is given a file; then the rest is of no account */
    int exit_status;    /* of it when it last judged, or one of judge.h */
    bool steps;         /* it asks for the steps of an exploration */
    bool needs_values;  /* of all inputs */
} ReduceCondition;

/* The words of the i-th condition, in which X stands for another; NULL after the last. */
const char *condition_words(size_t i);
/* Reads what follows `while`; false after a diagnostic. `paired`: it is about two expressions.
 * Where there is a command that judges, that is the condition, whatever the text. */
bool condition_read(Call *c, const char *text, Span span, ReduceCondition *out, bool *paired);
/* Reads the program in a session like this one, but for its values and names, and asks. */
Judgement condition_asked(ReduceCondition *c, const Repl *like, const char *program, Symbol result);
/* The same in a session that knows nothing but the program. */
Judgement condition_asked_afresh(ReduceCondition *c, const char *program, Symbol result);

#endif
