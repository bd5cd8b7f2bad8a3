/* Rows of builtins by family; builtins.c joins them into one table. */
#ifndef GRADUS_BUILTINS_H
#define GRADUS_BUILTINS_H

#include "lang/elab.h"

#define BUILTIN(name) Value *builtin_##name(Elab *e, Args *a)

#endif
