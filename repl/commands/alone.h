/* One rule alone on some roots, for :try and :whynot (commands_try.c). */
#ifndef GRADUS_ALONE_H
#define GRADUS_ALONE_H

#include "repl/commands/commands.h"
#include "rewrite/things.h"

/* Rewrites copies of the roots with rule k alone, whatever is allowed; at most `limit` steps. What
 * refuses goes to `why` (may be NULL). Free with exploration_clear. */
void alone_run(Call *c, const Rule *k, int n, Node *const *roots, u32 limit, Exploration *x,
               Refusals *why);
/* The step of a rule that replaces n (NULL: any), inside inner graphs too; its number is put in
 * `number`, the graph that it is in (NULL: the outermost) in *within. */
const Step *step_of_rule(const StepLog *log, const char *rule, const Node *n, Text *number,
                         const Graph **within);
/* Why the rule does not fire after so many steps: all places that it might concern, with their
 * reasons (commands_whynot.c). */
bool put_whynot(Call *c, Exploration *x, const Rule *k, u32 state);

#endif
