/* A command of the shell that judges a program. */
#ifndef GRADUS_JUDGE_H
#define GRADUS_JUDGE_H

#include "base/base.h"

typedef enum { JUDGED_HOLDS, JUDGED_NOT, JUDGED_SKIPPED } Judgement;

enum { JUDGE_LATE = -1, JUDGE_MISSING = -2 }; /* it took too long; it cannot be run */
/* Does the command, given a file with this program as its last argument, end with 0? In 10 s; 125
 * and more: it cannot tell. *status: its exit status, or one of those above. */
Judgement command_judges(char *const *command, const char *program, int *status);

#endif
