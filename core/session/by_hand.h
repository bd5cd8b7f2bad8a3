/* A derivation by hand: an expression, and the moves that were made on it one after the other.
 *
 * Its states are a tree: a move leads from one to the next, a branch is a name for the state that
 * one stands in there. States are never changed, so going back and to another branch is looking at
 * another one. The way to the present state is an exploration like any other: its steps are listed,
 * audited and written as a document by the commands for that.
 *
 * What it refers to stays as long as it, or what :undo may bring back of it, is there; names that
 * are defined anew meanwhile change nothing in it. */
#ifndef GRADUS_BY_HAND_H
#define GRADUS_BY_HAND_H

#include "session/session.h"
#include "rewrite/hand.h"

typedef struct {
    u32 parent;
    Exploration *move; /* from the parent's graph to this one; NULL: the start */
    char *rule;        /* and how the move is named in a script: rule, place, which one there */
    u32 at, nth;
} HandState;
typedef struct {
    char *name;
    u32 state;
} HandBranch;

struct ByHand {
    struct ByHand *next; /* all that live */
    u32 needed;          /* by the session, and by rounds of :undo */
    char *text;          /* of the expression, as it was typed */
    u64 began;           /* definitions that there were then */
    Exploration *start;  /* without steps */
    VEC(HandState) states;
    VEC(HandBranch) branches;
    u32 branch; /* the present one */
};

/* Begins with these roots on the branch "main"; what was derived before is given up. */
void hand_begin(Session *s, const char *text, int n, Node *const *roots);
/* Makes a move in the present state; `at` and `nth` say where, for scripts. False: it does nothing
 * there, or memory was short; then nothing has changed. */
bool hand_move(Session *s, const HandMove *move, u32 at, u32 nth);
/* Goes to the branch of that name; if there is none, makes it here. True if it was made. */
bool hand_branch(Session *s, const char *name);

/* The present state, and how many moves lead to a state. */
u32 hand_state(const struct ByHand *h);
u32 hand_length(const struct ByHand *h, u32 state);
/* The roots of a state, borrowed. Its provenance is the current one from here on. */
Node *const *hand_roots(const struct ByHand *h, u32 state);
/* The way to the present state, as steps; owned by the session, which keeps it until the next move.
 */
Exploration *hand_exploration(Session *s);

/* ---- for undo.c, keep.c, session.c ---- */

/* Where one stands: what was made later is dropped when it is restored. */
typedef struct {
    struct ByHand *of; /* NULL: there is no derivation */
    u32 states, branches, branch, state;
} HandMark;
HandMark hand_mark(Session *s);
void hand_unmark(Session *s, HandMark *m);
void hand_restore(Session *s, HandMark *m); /* of the mark that was made last */
void hand_collect(Session *s, Collection *c);
void hand_free(Session *s);

#endif
