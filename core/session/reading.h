/* A listing read back: its trees, and what each expression in them gave.
 *
 * For those who write mathematics: the listing has the author's names and each loop's equations,
 * the values have the types.  Invariant: everything lives as long as the Reading. */
#ifndef GRADUS_READING_H
#define GRADUS_READING_H

#include "session/session.h"

typedef struct {
    Session session; /* of its own; first, so that it leads to the rest */
    Arena trees;
    VEC(Stmt *) statements;
    PtrMap values; /* Expr -> Value: types of its nodes */
} Reading;

/* Reads the text of a listing with its declarations.  False where that cannot be read, or memory
 * was short: then nothing is reported, and the trees are what was read so far.  Free in any case.
 */
bool reading_open(Reading *r, const char *listing);
void reading_free(Reading *r);

#endif
