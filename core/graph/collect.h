/* What is needed no longer: who needs a node, and freeing what nothing reaches.
 *
 * Two things are kept apart. *Held* is what a name stands for or a kept exploration shows; it is
 * counted at once, and it decides when a node counts as built: what is built again after nothing
 * held it any more starts anew, whether its memory was given back meanwhile or not. So nothing
 * depends on when a collection ran. *Marked* is what a collection
 * finds reachable; the rest of what is interned is freed. Collections run between statements only.
 */
#ifndef GRADUS_COLLECT_H
#define GRADUS_COLLECT_H

#include "graph/store.h"

/* ---- holding; `who` is one of HOLD_... ---- */
void node_hold(Node *n, int who);
void node_release(Node *n, int who);
void graph_hold(Graph *g, int who);
void graph_release(Graph *g, int who);
static inline bool node_held(const Node *n) { return n->held[HOLD_NAMES] || n->held[HOLD_STEPS]; }

/* It was built again. True if it starts anew: older than the statement, and nothing holds it. */
bool node_again(Store *st, Node *n);
bool graph_again(Store *st, Graph *g);
/* A statement begins, or the next round of one: what is not held now is of the past. */
void store_epoch(Store *st);

/* ---- collecting ---- */
typedef struct Collection {
    Store *st;
    NodeVec todo;
    size_t nodes, bytes; /* filled by collect_end: what was freed */
} Collection;
void collect_begin(Collection *c, Store *st);
void collect_node(Collection *c, const Node *n); /* NULL is fine, here and below */
void collect_graph(Collection *c, const Graph *g);
void collect_symbol(Collection *c, Symbol s);
void collect_source(const Source *src);
/* After all roots: marks what they reach. Idempotent; may be called between roots. */
void collect_reach(Collection *c);
/* Frees what is not marked, and forgets it everywhere in the store. */
void collect_end(Collection *c);

/* Bytes of one. */
size_t size_bytes(const Size *s);
size_t graph_bytes(const Graph *g);

#endif
