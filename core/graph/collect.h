/* Freeing what nothing reaches. Collections run between statements only, and nothing depends on
 * when one ran. */
#ifndef GRADUS_COLLECT_H
#define GRADUS_COLLECT_H

#include "graph/store.h"

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
