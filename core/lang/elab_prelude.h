/* What the text of the prelude may do that no other text may. */
#ifndef GRADUS_ELAB_PRELUDE_H
#define GRADUS_ELAB_PRELUDE_H

#include "lang/elab.h"

bool in_prelude(const Elab *e, Span at);

/* `if` of the prelude: its condition is known while the graph is built, and the branch that it does
 * not choose is not elaborated. So a function can do one thing or another by the rank of an
 * argument or by an option. */
Value *prelude_if(Elab *e, Expr *x);

/* v == None, v == "text" or the same with !=, as a constant; NULL: these are no such operands. */
Value *prelude_same(Elab *e, AstOp op, const Value *a, const Value *b);

/* The value of a condition that is known while the graph is built; -1: it is not. */
int prelude_known(Elab *e, Node *condition);

/* The function that the author called, which a function of the prelude calls for; else `name`. */
const char *prelude_caller(const Elab *e, const char *name);

/* Of the diagnostics from `first` on, those at a place in the prelude are moved to the call of f:
 * to the argument for the first parameter that the place mentions, or to all of it; notes of calls
 * there are dropped. Was there any? */
bool prelude_blame(Elab *e, const Value *f, const Span *arguments, Span call, size_t first);

#endif
