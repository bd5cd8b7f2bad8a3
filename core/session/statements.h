/* What statements and graph texts share; nobody outside of core/session includes this.
 *
 * Invariant: `emit` is called once for each result, errors included. */
#ifndef GRADUS_STATEMENTS_H
#define GRADUS_STATEMENTS_H

#include "session/session.h"

/* The names of sizes in a type are known from now on. */
void session_note_sizes(Session *s, const Type *t);
/* Makes the name stand for an input or a shared variable of this type, the one that there is or a
 * new one without a value; NULL after a diagnostic. */
Leaf *session_declare(Session *s, const Stmt *stmt, Symbol name, Type *type, bool shared);
/* The value as the result of a statement: evaluated, or as a graph where an input has no value. */
void session_emit_value(Session *s, const Stmt *stmt, Symbol name, Value *v, Emit emit, void *ctx);

/* ---- values that are given (assign.c) ---- */

/* The input or shared variable of that name; NULL: it is none. */
Leaf *session_leaf_named(Session *s, Symbol name);
/* Weak numbers and arrays of them take the dtype of the type, others must have it; NULL after a
 * diagnostic. */
Node *session_as_declared(Session *s, Value *v, Type *t, Span span, const char *name);
/* Does the tensor fit the leaf's type, and the sizes that other leaves have? false after a
 * diagnostic at span. */
bool session_value_fits(Session *s, const Leaf *leaf, const Tensor *t, Span span);
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
