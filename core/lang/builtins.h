/* Rows of builtins by family; builtins.c joins them into one table. */
#ifndef GRADUS_BUILTINS_H
#define GRADUS_BUILTINS_H

#include "lang/elab.h"

#define BUILTIN(name) Value *builtin_##name(Elab *e, Args *a)

/* The results of a node as a tuple; NULL for NULL. */
Value *results_of(Elab *e, Node *n);

#endif
