/* Walks over what nodes are computed from, each node once.
 *
 * Invariant: nothing here calls itself but for graphs inside: a chain of 10^6 nodes must not
 * overflow the stack. */
#ifndef GRADUS_WALK_H
#define GRADUS_WALK_H

#include "graph/store.h"

/* Users before operands, and only beyond the nodes whose operands are asked for:
 *     Descent d = {0};
 *     descent_from(&d, root);
 *     for (Node *n; (n = descent_next(&d));)
 *         if (goes_on(n))
 *             descent_operands(&d, n);
 *     descent_end(&d);
 * The first operand with all that it needs comes before the second. */
typedef struct {
    NodeVec todo;
    NodeSet seen; /* what descent_next gave */
} Descent;
static inline void descent_from(Descent *d, Node *n) { vec_push(&d->todo, n); }
void descent_roots(Descent *d, int nroots, Node *const *roots);
Node *descent_next(Descent *d); /* NULL at the end */
void descent_operands(Descent *d, const Node *n);
void descent_end(Descent *d);

/* What is needed first, by any notion of needing. */
typedef struct {
    Node *(*needs)(void *ctx, Node *n, u32 k); /* the k-th; n itself: pass over; NULL: no more */
    void (*done)(void *ctx, Node *n);          /* after all that it needs */
    void *ctx;
} Visit;
/* Leaves out what `seen` holds, and adds to it. */
void nodes_visit(Node *root, NodeSet *seen, const Visit *v);

/* What there is outside of a body, as far as the body has come to it: what it mentions, and all
 * that this is computed from. */
typedef struct Outside {
    NodeSet mentioned;
    size_t walked; /* so many of these */
    NodeSet below;
    NodeVec pending; /* those of `below` whose operands are not in it yet */
} Outside;
bool outside_has(Outside *o, const Node *n);
void outside_end(Outside *o);

/* Is there such a node among what the roots reach, or in the body of a loop, call or branch? */
bool nodes_any(int nroots, Node *const *roots, bool (*is)(const Node *n));
bool nodes_are_there(const NodeVec *v); /* no NULL among them */
/* Is it made of constants alone, and so the same wherever it stands? */
bool node_is_number(Node *n);
/* Is `what` among what root is computed from, or root itself? Inner graphs are not entered. */
bool node_reads(Node *root, const Node *what);

/* A node and the inner graph that it stands in; NULL: the one that the walk began in. */
typedef struct {
    Node *node;
    const Graph *within;
} Standing;
typedef VEC(Standing) StandingVec;
/* All that the roots, nodes of `within`, reach, and what stands in the graphs there, however deep,
 * each graph once; operands before users, the nodes of graphs before their owner. */
void nodes_standing(int nroots, Node *const *roots, const Graph *within, StandingVec *out);

/* As nodes_topo of one root, without what `stop` holds and what only that needs. */
void nodes_topo_until(Node *root, const NodeMap *stop, NodeVec *out);

#endif
