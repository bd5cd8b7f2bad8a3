/* Rewriting by hand: what every rule would do to a graph as it stands, and one of that done.
 *
 * Rules are tried at each node by itself, of the graph and of the graphs in it, but for those in
 * derivatives; nothing follows from a move but what its rule put there. */
#ifndef GRADUS_HAND_H
#define GRADUS_HAND_H

#include "rewrite/exploration.h"

typedef struct {
    const Rule *rule;
    const Graph *within;  /* whose node it is; NULL: the outermost graph */
    Node *node;           /* at which the rule fires */
    Node *before, *after; /* what it replaces first, often the node itself */
    u32 classes;          /* of the rule in this place, whether they are allowed or not */
} HandMove;
typedef VEC(HandMove) HandMoves;

/* What stands in the way of a move. */
typedef enum {
    MOVE_ALLOWED,
    MOVE_CLASS,   /* it is of a class that is not allowed */
    MOVE_ONE_WAY, /* read from right to left its rule would make nan of a number: only proofs may */
} MoveBar;
MoveBar hand_bar(const Options *options, const HandMove *m);

/* All of them, operands first, those in inner graphs behind those around. Rules that are switched
 * off do not count. Tells why it stopped: STOP_SATURATED if all were tried. */
StopReason hand_find(Store *st, const RuleSet *rs, const Options *options, int n,
                     Node *const *roots, HandMoves *out);
/* What the move makes of the roots, as an exploration of one step, or of one for each loop that has
 * the body in which the move is. Free with exploration_free. NULL: it does nothing there. */
Exploration *hand_apply(Store *st, const RuleSet *rs, const Options *options, int n,
                        Node *const *roots, const HandMove *move);
/* The number of the node at which a move is made; 0: that has none. */
u32 hand_place(Exploration *x, const HandMove *m);
/* The how-manieth it is, from 1, of the moves of its rule at that node; 0: it is the only one. */
u32 hand_nth(Exploration *x, const HandMoves *moves, const HandMove *m);

#endif
