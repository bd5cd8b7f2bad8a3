/* Which rules came near at which nodes, and what stopped each: :whynot of all rules at once. */
#ifndef GRADUS_UNFIRED_RULES_H
#define GRADUS_UNFIRED_RULES_H

#include "analysis/unfired.h"
#include "viz/page/page_build.h"

typedef VEC(PageUnfired) UnfiredList;
/* For each node the rules that came nearest, the nearest first. Asked of rules in text: their
 * patterns tell how near. False: it was interrupted; *out is to be freed in any case. Texts live in
 * the arena. */
bool unfired_rules(Exploration *x, const RuleSet *rules, const Options *options, Arena *arena,
                   UnfiredList *out);

#endif
