/* Verdicts on rules in words. */
#ifndef GRADUS_WHYNOT_H
#define GRADUS_WHYNOT_H

#include "analysis/unfired.h"
#include "repl/commands/commands.h"

/* What :whynot says of a place; it lives as long as the report of the call. */
const char *unfired_reason(Call *c, const UnfiredQuestion *q, const Unfired *u);

#endif
