/* Which rules came near at which nodes, and what stopped each: :whynot of all rules at once. */
#ifndef GRADUS_UNFIRED_RULES_H
#define GRADUS_UNFIRED_RULES_H

#include "repl/commands/commands.h"
#include "viz/page/page_build.h"

typedef VEC(PageUnfired) UnfiredList;
/* For each node the rules that came nearest, the nearest first. Asked of rules in text: their
 * patterns tell how near. False after a diagnostic; *out is to be freed in any case. */
bool unfired_rules(Call *c, Exploration *x, UnfiredList *out);

#endif
