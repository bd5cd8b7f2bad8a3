/* What only a branch of an `if` needs, and moving it there. */
#ifndef GRADUS_BRANCHES_H
#define GRADUS_BRANCHES_H

#include "graph/control.h"

typedef struct {
    NodeVec order;             /* all that the roots reach, operands first */
    MAP(Node *, size_t) index; /* node -> 1 + place */
    u32 *where; /* by place: outside, or the branch that alone needs it (branches.c) */
    bool shared;
    MAP(const Graph *, bool *) bodies; /* of loops -> what they always need, by parameter */
} Branches;

/* shared: what several branches need and nothing else does goes into each of them where it may
 * fail, and what only branches in a loop's body need goes into the body; without that it stays
 * outside. moving (may be NULL): nodes that are not in it stay outside, too. */
void branches_find(Store *st, int nroots, Node *const *roots, bool shared, const NodeSet *moving,
                   Branches *out);
void branches_free(Branches *b);
/* Does n go into a branch of the `if` at a place, and nowhere else? */
bool branch_takes(const Branches *b, size_t place, const Node *n);
/* The `if` (or, where shared, the scan) at a place, which has become `now`, with what its branches
 * alone need in them; `now` itself if there is nothing. became(ctx, n): what a node of `order` has
 * become. */
Node *branches_take(Store *st, Branches *b, size_t place, Node *now,
                    Node *(*became)(void *ctx, Node *n), void *ctx);
/* The graph, and all in it, with every `if` so, and no call: for a derivative or a batch of it, in
 * which work of a branch would else be always needed. NULL after a diagnostic. */
Graph *graph_lazy(Store *st, Graph *g);
/* Is there an `if` in what the roots reach, or in a graph inside? */
bool nodes_choose(int nroots, Node *const *roots);

#endif
