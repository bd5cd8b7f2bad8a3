/* One program under one set of rules: which of them fired, the predicted cost, the values.
 *
 * What counts are the expressions that it prints; of a program that prints none, its last
 * definition. Commands in it are not run, so that nothing is drawn or written.
 *
 * Invariant: a run depends on the program, the rules and the options alone; nothing is timed but
 * rewriting, and nothing follows from that. */
#ifndef GRADUS_IMPACT_RUN_H
#define GRADUS_IMPACT_RUN_H

#include "session/session.h"

typedef struct {
    const RuleSet *rules;
    VEC(const Rule *) off;
} RulesUsed;

typedef struct {
    char *error;          /* the first one, "4: shape-mismatch: ..."; NULL: there is none */
    bool memory;          /* it is that there was no memory */
    VEC(Tensor *) values; /* NULL: the input of a result has no value */
    VEC(RuleFired) fired; /* over all results; names live as long as the rules */
    u32 steps;
    double cost;      /* predicted seconds, over all results */
    double seconds;   /* that rewriting took */
    Session *session; /* whose values these are; NULL: freed */
} ProgramRun;

void program_run(const RulesUsed *used, const char *path, const char *text, size_t len,
                 ProgramRun *out);
/* Frees the values, which are of its session, and that. */
void program_values_free(ProgramRun *r);
void program_run_free(ProgramRun *r);
/* How often a rule fired. */
u32 program_fired(const ProgramRun *r, const char *rule);

#endif
