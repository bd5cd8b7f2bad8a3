/* What an exploration went through: its graphs one after the other. */
#ifndef GRADUS_HISTORY_H
#define GRADUS_HISTORY_H

#include "rewrite/exploration.h"

/* ---- replaying (replay.c) ---- */

/* The roots after the first k steps of a log; O(nodes + steps since the last sweep began).
 * false: the log does not replay (a bug). */
bool log_replay(Store *st, const StepLog *log, u32 k, int nroots, Node *const *start, Node **roots);
/* And what became of the nodes that stood there when the last sweep began, where that is another
 * node (may be NULL). */
bool log_replay_became(Store *st, const StepLog *log, u32 k, int nroots, Node *const *start,
                       Node **roots, NodeMap *became);
/* The same for the expression's own log (k = 0: the start). */
bool exploration_replay(Exploration *x, u32 k, Node **roots);
/* How many steps there are before a pass of one of these names first ran; all if none did. */
u32 steps_before_passes(const Exploration *x, size_t n, const char *const *passes);

/* Graph after graph by plain substitution: `roots` after `at` steps. */
typedef struct {
    Store *st;
    const StepLog *log;
    int n;
    Node *const *start;
    Node **roots;
    u32 at;
    NodeMap moved; /* the last step: node before -> node after, for all that it touched */
} Walk;
void walk_begin(Walk *w, Store *st, const StepLog *log, int n, Node *const *start);
bool walk_next(Walk *w); /* false: no further step, or it does not replay */
void walk_end(Walk *w);

/* ---- steps inside steps (place.c) ---- */

bool place_parse(const char *text, Place *out);
void place_print(Text *out, const Place *p);
/* Does the first come after the second? A step and one inside it have no order. */
bool place_is_later(const Place *a, const Place *b);
/* The step of that number, inside of bodies too; NULL: there is none. */
const Step *place_step(const Exploration *x, const Place *p);
/* When the state after k steps of a log was, for provenance_view. */
u32 log_time(const StepLog *log, u32 k);
/* The expression's roots in that state. false: there is no such place. */
bool exploration_state(Exploration *x, const Place *p, Node **roots);
/* From here on names are those of that state, as far as steps inside steps tell them apart. */
void exploration_view(Exploration *x, const Place *p);
/* The step of a rule that replaces n (NULL: any), inside inner graphs too; its number is put in
 * `number`, the graph that it is in (NULL: the outermost) in *within. */
const Step *step_of_rule(const StepLog *log, const char *rule, const Node *n, Text *number,
                         const Graph **within);
/* Does the step stand for steps on a body that its owner keeps? (A step of a derivation may show a
 * body that it brings in.) */
bool step_rewrites_inside(const Step *s);
/* The owner with these outputs of its body; NULL: their types do not fit it. */
Node *step_owner_with(Store *st, const Step *s, Node *const *outs);

/* ---- what became of nodes (passage.c) ---- */

/* Replaces each of these nodes of the graph after `from` steps by the one that has its value after
 * `to` steps, whether rebuilt or replaced; NULL: it is not there. */
bool exploration_follow(Exploration *x, u32 from, u32 to, Node *const *roots, NodeVec *nodes);

#endif
