/* What an exploration went through: its graphs one after the other, the number of every node, and
 * where each came from.
 *
 * Invariant: numbers and origins depend on the exploration alone, not on what was asked or printed
 * before. Nodes of the start and of the steps are numbered first (cheap: one walk over the log),
 * then those that stand only in graphs between two steps (exploration_number_states). */
#ifndef GRADUS_HISTORY_H
#define GRADUS_HISTORY_H

#include "rewrite/exploration.h"

/* ---- replaying (replay.c) ---- */

/* The roots after the first k steps of a log; O(nodes + steps since the last sweep began).
 * false: the log does not replay (a bug). */
bool log_replay(Store *st, const StepLog *log, u32 k, int nroots, Node *const *start, Node **roots);
/* The same for the expression's own log (k = 0: the start). */
bool exploration_replay(Exploration *x, u32 k, Node **roots);

/* Graph after graph by plain substitution: `roots` after `at` steps. */
typedef struct {
    Store *st;
    const StepLog *log;
    int n;
    Node *const *start;
    Node **roots;
    u32 at;
    PtrMap moved; /* the last step: node before -> node after, for all that it touched */
} Walk;
void walk_begin(Walk *w, Store *st, const StepLog *log, int n, Node *const *start);
bool walk_next(Walk *w); /* false: no further step, or it does not replay */
void walk_end(Walk *w);

/* ---- steps inside steps (place.c) ---- */

bool place_parse(const char *text, Place *out);
void place_print(Text *out, const Place *p);
/* The expression's roots in that state. false: there is no such place. */
bool exploration_state(Exploration *x, const Place *p, Node **roots);
/* Does the step stand for steps on a body that its owner keeps? (A step of a derivation may show a
 * body that it brings in.) */
bool step_rewrites_inside(const Step *s);
/* The owner with these outputs of its body; NULL: their types do not fit it. */
Node *step_owner_with(Store *st, const Step *s, Node *const *outs);

/* ---- what became of nodes (passage.c) ---- */

/* What the nodes of the graph after `from` steps, whose roots are given, are after `to` steps: node
 * -> node, for those that are still there, as they were, rebuilt over other operands or with
 * another inner graph. What a step replaced is left out, and of two that became one the second.
 * false: the log does not replay. */
bool exploration_passage(Exploration *x, u32 from, u32 to, Node *const *roots, PtrMap *went);
/* Replaces each of these nodes of the graph after `from` steps by the one that has its value after
 * `to` steps, whether rebuilt or replaced; NULL: it is not there. */
bool exploration_follow(Exploration *x, u32 from, u32 to, Node *const *roots, NodeVec *nodes);

/* ---- numbers and origins (history.c) ---- */

/* The step that made a node, and what the node was before. */
typedef struct {
    const Step *step;
    const char *log; /* "" or the number of the step that owns the log: "4.2" */
    u32 number;      /* of the step in its log, from 1 */
    Node *before;
    bool operands_only; /* the node itself stayed; something below it was replaced */
} Origin;

typedef struct History {
    PtrMap seen;    /* nodes whose cone is numbered, inner graphs, logs */
    PtrMap origins; /* node -> Origin */
    NodeVec nodes;  /* by number: at[k - 1] */
    bool states;    /* the graphs between steps are numbered too */
    Arena arena;    /* origins */
} History;

/* Numbers what the start and the steps hold, in order of appearance, once; x->numbering has the
 * numbers. The pointer lives as long as x. */
History *exploration_history(Exploration *x);
/* And what stands only in graphs between two steps, as far as replaying them all is affordable. */
void exploration_number_states(Exploration *x);
/* Takes away the numbers that printing and drawing gave to others (results of tuples, graphs), so
 * that what comes next is told as if it came first. */
void exploration_forget_numbers(Exploration *x);
/* Where n came from; NULL: it was there from the start, or never. */
const Origin *exploration_origin(Exploration *x, const Node *n);
/* The node with number k, or NULL. */
Node *exploration_node(Exploration *x, u32 k);
void history_free(History *h);

#endif
