/* What the nodes of a closed graph depend on: which of its parameters each of them reads.
 *
 * Invariant: graphs never change, so this is computed once, when it is first asked for, and lives
 * as long as the graph. Inner graphs are not entered: an owner reads what its operands read. */
#ifndef GRADUS_READS_H
#define GRADUS_READS_H

#include "graph/store.h"

typedef struct GraphReads {
    NodeVec order;              /* what the outputs reach, operands before users */
    u32 words;                  /* of 64 parameters each, a node */
    u64 *sets;                  /* order.len times `words` */
    MAP(Node *, size_t) places; /* node -> place in `order` + 1 */
} GraphReads;

/* Owned by the graph. */
const GraphReads *graph_reads(Graph *g);
/* Does n, a node of the body, read parameter `param`? A parameter reads itself. */
bool reads_param(const GraphReads *r, const Node *n, int param);
/* Does it read one of the parameters [from, to)? */
bool reads_among(const GraphReads *r, const Node *n, int from, int to);
/* Do both read the same ones among [from, to)? */
bool reads_alike(const GraphReads *r, const Node *a, const Node *b, int from, int to);
/* Is n the parameter itself, of a number in [from, to)? */
static inline bool is_param_among(const Node *n, int from, int to)
{
    return n->op == OP_PARAM && n->attrs[0].i >= from && n->attrs[0].i < to;
}
void graph_reads_free(GraphReads *r); /* NULL: nothing to do */

#endif
