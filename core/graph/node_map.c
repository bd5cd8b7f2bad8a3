/* Maps by numbers of nodes; see node_map.h.
 *
 * Invariant: `nindex` is 0 or a power of two, at most half of the index is used. A page's values
 * are valid where its bits say so. */
#include "graph/node_map.h"

static void put_page(NodePages *m, size_t at)
{
    size_t mask = m->nindex - 1, i = m->pages[at].number * 0x9E3779B1u & mask;
    while (m->index[i])
        i = (i + 1) & mask;
    m->index[i] = (u32)at + 1;
}

static void grow_index(NodePages *m)
{
    free(m->index);
    m->nindex = m->nindex ? 2 * m->nindex : 8;
    m->index = xcalloc(m->nindex, sizeof *m->index);
    for (size_t i = 0; i < m->npages; i++)
        put_page(m, i);
}

static NodePage *new_page(NodePages *m, u32 number)
{
    if (2 * (m->npages + 1) > m->nindex)
        grow_index(m);
    if (m->npages == m->cap)
        m->pages = memory_grow(m->pages, &m->cap, m->cap ? m->cap + 1 : 2, sizeof *m->pages);
    NodePage *page = &m->pages[m->npages];
    page->number = number;
    page->has = 0;
    put_page(m, m->npages++);
    return page;
}

void pages_put(NodePages *m, const Node *n, void *val)
{
    u32 number = n->id / NODE_PAGE, bit = 1u << n->id % NODE_PAGE;
    size_t at = pages_find(m, number);
    NodePage *page = at < m->npages ? &m->pages[at] : new_page(m, number);
    m->len += !(page->has & bit);
    page->has |= bit;
    page->vals[n->id % NODE_PAGE] = val;
}

void pages_remove(NodePages *m, const Node *n)
{
    u32 bit = 1u << n->id % NODE_PAGE;
    size_t at = pages_find(m, n->id / NODE_PAGE);
    if (at == m->npages || !(m->pages[at].has & bit))
        return;
    m->pages[at].has &= ~bit;
    m->len--;
}

void pages_trim(NodePages *m)
{
    NodePages old = *m;
    *m = (NodePages){0};
    for (size_t i = 0; i < old.npages; i++)
        if (old.pages[i].has)
            *new_page(m, old.pages[i].number) = old.pages[i];
    m->len = old.len;
    pages_free(&old);
}

void pages_clear(NodePages *m)
{
    if (m->npages)
        memset(m->index, 0, m->nindex * sizeof *m->index);
    m->npages = m->len = 0;
}

void pages_free(NodePages *m)
{
    free(m->pages);
    free(m->index);
    *m = (NodePages){0};
}
