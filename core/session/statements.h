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

#endif
