/* What is known of nodes, by their numbers.
 *
 * Nodes that are made one after the other have numbers one after the other, and what walks over a
 * graph meets them more or less so. The values of 32 of them stand side by side, on a page, and
 * pages are found by hashing: a map takes as much as what is put into it, however many nodes there
 * are, and a walk over 10^5 nodes does not miss the cache at each turn, as it does where addresses
 * are hashed. */
#ifndef GRADUS_NODE_MAP_H
#define GRADUS_NODE_MAP_H

#include "graph/graph.h"

enum { NODE_PAGE = 32 };

typedef struct {
    u32 number; /* of the page: that of its nodes over NODE_PAGE */
    u32 has;    /* a bit for each that is there */
    void *vals[NODE_PAGE];
} NodePage;

typedef struct {
    NodePage *pages;
    u32 *index; /* by hash of the number: place of the page + 1; 0: free */
    size_t npages, cap, nindex, len;
} NodeMap;

/* The place of the page in the map, or `npages`. */
static inline size_t node_map_page(const NodeMap *m, u32 number)
{
    size_t mask = m->nindex - 1, i = number * 0x9E3779B1u & mask;
    if (!m->npages)
        return 0;
    for (u32 at; (at = m->index[i]) != 0; i = (i + 1) & mask)
        if (m->pages[at - 1].number == number)
            return at - 1;
    return m->npages;
}

/* NULL if absent. */
static inline void *node_map_get(const NodeMap *m, const Node *n)
{
    size_t at = node_map_page(m, n->id / NODE_PAGE);
    if (at == m->npages || !(m->pages[at].has >> n->id % NODE_PAGE & 1))
        return NULL;
    return m->pages[at].vals[n->id % NODE_PAGE];
}

static inline bool node_map_has(const NodeMap *m, const Node *n)
{
    size_t at = node_map_page(m, n->id / NODE_PAGE);
    return at != m->npages && (m->pages[at].has >> n->id % NODE_PAGE & 1);
}

void node_map_put(NodeMap *m, const Node *n, void *val);
void node_map_clear(NodeMap *m); /* keeps its memory */
void node_map_free(NodeMap *m);

#endif
