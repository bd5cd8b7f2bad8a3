/* What the files that run statements share; nobody outside of core/session includes this. */
#ifndef GRADUS_STATEMENTS_H
#define GRADUS_STATEMENTS_H

#include "session/session.h"

/* Makes the name stand for an input or a shared variable, or for a tuple of them: those that there
 * are, if the name stands for them already, or new ones without a value. */
bool session_declare(Session *s, const Stmt *stmt, Symbol name, Value *v, bool shared);

/* ---- values that are given (assign.c) ---- */

/* Weak numbers and arrays of them take the dtype of the type, others must have it; NULL after a
 * diagnostic. */
Node *session_as_declared(Session *s, Value *v, Type *t, Span span, const char *name);
/* A leaf, or one to be, and the value that a statement gives it. */
typedef struct {
    const Node *node;
    const Tensor *value;
    Symbol name;
    Span span;
} Given;
/* Do the values fit the types, each other, and the sizes that other leaves have? false after a
 * diagnostic. */
bool session_values_fit(Session *s, int n, const Given *given);
/* The leaf gets that value, a reference that is taken over; a shared variable in the present
 * context. */
void session_store(Session *s, Leaf *leaf, Tensor *t);
/* Runs `x := e`; inside_in: in `in`, where only shared variables are stored. What a statement that
 * is repeated computes is found and planned in its first round alone. */
bool session_assign(Session *s, const Stmt *stmt, bool inside_in);
/* Statements between these run several times. */
void session_repeat_begin(Session *s);
void session_repeat_end(Session *s);

#endif
