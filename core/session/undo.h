/* Taking statements back: what their definitions, declarations, stores and settings changed, the
 * last first.
 *
 * A round is what one statement at the outermost level changed, a file that it loads included.
 * Only so many rounds, and so many bytes of old tensors, are kept. */
#ifndef GRADUS_UNDO_H
#define GRADUS_UNDO_H

#include "session/session.h"

/* The settings, which the session's user keeps; what `take` gives is a snapshot, freed by `drop`.
 */
typedef struct UndoSettings {
    void *ctx;
    void *(*take)(void *ctx); /* NULL: there are none */
    bool (*differs)(void *ctx, const void *snapshot);
    void (*restore)(void *ctx, const void *snapshot, Text *told); /* a line for each change */
    void (*drop)(void *snapshot);
} UndoSettings;

/* Where a statement begins and ends; what is stored or named elsewhere cannot be taken back. */
void undo_begin(Session *s);
void undo_end(Session *s);
/* The name is about to stand for something else than `old` (NULL: nothing). */
void undo_note_name(Session *s, Symbol name, Value *old);
/* The leaf is about to get another value, in this context (NULL: of an input). */
void undo_note_store(Session *s, const Node *leaf, Context *context, Tensor *old);
/* The derivation by hand is about to be another one, or in another state (by_hand.h). */
void undo_note_hand(Session *s);
/* Nothing is noted now, or the leaf's value of before is: its present one is of no use to :undo. */
bool undo_has_store(const Session *s, const Node *leaf, const Context *context);
/* Takes the last round back; false: there is none. */
typedef struct {
    SymbolVec names; /* that it changed, the last changed first; to be freed */
    bool hand;       /* and the derivation by hand */
    Text settings;   /* what became of settings, a line each; to be freed */
} Undone;
bool session_undo(Session *s, Undone *out);
/* Takes back what the statement that runs has changed so far, as if it had not. */
void session_undo_open(Session *s);

/* What the rounds need of the collector. */
typedef struct {
    void *ctx;
    void (*value)(void *ctx, Value *v);
    void (*node)(void *ctx, Node *n);
    void (*name)(void *ctx, Symbol name);
} UndoVisit;
void undo_visit(Session *s, const UndoVisit *v);
void undo_forget(Session *s);                       /* all rounds */
void undo_watch(Session *s, UndoSettings settings); /* from the next statement on */

#endif
