/* What rules change over a corpus of programs. */
#ifndef GRADUS_IMPACT_H
#define GRADUS_IMPACT_H

#include "repl/commands/repl.h"

/* `gradus impact [F.rules] [off=RULE,..] FILE|DIR..`: each program as it is, and with the rules of
 * the file and without those of off=. The exit status: 0 nothing changes, 1 something does, 2 usage
 * or an error in a program, 3 a file cannot be read, 130 interrupted. */
int impact(int n, char *const *args, bool json, ColorMode color);

#endif
