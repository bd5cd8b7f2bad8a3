/* `check(condition, "message")` where it stands by itself: as a statement, in a block, in the body
 * of a scan.
 *
 * It has no value of its own.  In a block it guards the block's value, in a scan the equations of
 * its step: whoever needs one of those needs the condition to hold. */
#ifndef GRADUS_ELAB_CHECK_H
#define GRADUS_ELAB_CHECK_H

#include "lang/elab.h"

typedef struct {
    Node *condition; /* a bool, or an array of them: all have to hold */
    Symbol message;
    Span span;
} Guard;
typedef VEC(Guard) Guards;

/* Adds what a call asks for of which expr_is_check() holds; false after a diagnostic. */
bool elab_guard(Elab *e, const Expr *call, Guards *out);
/* n, after making sure of all of them; NULL after a diagnostic. */
Node *guarded(Elab *e, Node *n, const Guards *guards);
/* The same of all tensors of a value. */
Value *guarded_value(Elab *e, Value *v, const Guards *guards, Span span);

#endif
