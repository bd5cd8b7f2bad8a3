/* What is known of nodes, by their numbers.
 *
 * Nodes that are made one after the other have numbers one after the other, and what walks over a
 * graph meets them more or less so. The values of 32 of them stand side by side, on a page, and
 * pages are found by hashing: a map takes as much as what is put into it, however many nodes there
 * are, and a walk over 10^5 nodes does not miss the cache at each turn, as it does where addresses
 * are hashed. */
#ifndef GRADUS_NODE_MAP_H
#define GRADUS_NODE_MAP_H

#include "graph/store.h"

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
} NodePages;

/* From nodes to values of type V, which is checked and cast as in base/map.h. */
#define NODE_MAP(V)      \
    union {              \
        NodePages pages; \
        V *val_type;     \
    }

typedef NODE_MAP(bool) NodeFlags;

/* NULL or 0 if absent. */
#define node_map_get(m, n) ((__typeof__(*(m)->val_type))(uintptr_t)pages_get(&(m)->pages, n))
#define node_map_has(m, n) pages_has(&(m)->pages, n)
#define node_map_put(m, n, val) \
    pages_put(&(m)->pages, n, (void *)(uintptr_t)(__typeof__(*(m)->val_type)){val})
#define node_map_remove(m, n) pages_remove(&(m)->pages, n)
#define node_map_len(m) ((m)->pages.len)
#define node_map_clear(m) pages_clear(&(m)->pages) /* keeps its memory */
#define node_map_trim(m) pages_trim(&(m)->pages)   /* after removals: gives memory back */
#define node_map_free(m) pages_free(&(m)->pages)

/* ---- below the macros ---- */

/* The place of the page in the map, or `npages`. */
static inline size_t pages_find(const NodePages *m, u32 number)
{
    size_t mask = m->nindex - 1, i = number * 0x9E3779B1u & mask;
    if (!m->npages)
        return 0;
    for (u32 at; (at = m->index[i]) != 0; i = (i + 1) & mask)
        if (m->pages[at - 1].number == number)
            return at - 1;
    return m->npages;
}

static inline void *pages_get(const NodePages *m, const Node *n)
{
    size_t at = pages_find(m, n->id / NODE_PAGE);
    if (at == m->npages || !(m->pages[at].has >> n->id % NODE_PAGE & 1))
        return NULL;
    return m->pages[at].vals[n->id % NODE_PAGE];
}

static inline bool pages_has(const NodePages *m, const Node *n)
{
    size_t at = pages_find(m, n->id / NODE_PAGE);
    return at != m->npages && (m->pages[at].has >> n->id % NODE_PAGE & 1);
}

void pages_put(NodePages *m, const Node *n, void *val);
void pages_remove(NodePages *m, const Node *n);
void pages_trim(NodePages *m);
void pages_clear(NodePages *m);
void pages_free(NodePages *m);

#endif
