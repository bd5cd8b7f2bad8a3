/* What has the value of a node later, whatever it became. */
#include "rewrite/history.h"

bool exploration_follow(Exploration *x, u32 from, u32 to, Node *const *roots, NodeVec *nodes)
{
    Walk w;
    bool ok = true;
    walk_begin(&w, x->st, &x->log, x->nroots, roots);
    for (w.at = from; w.at < to && ok;) {
        ok = walk_next(&w);
        for (size_t i = 0; i < nodes->len && ok; i++)
            if (map_has(&w.moved, nodes->at[i]))
                nodes->at[i] = map_get(&w.moved, nodes->at[i]);
    }
    NodeVec after = {0};
    NodeSet there = {0};
    nodes_topo(x->nroots, w.roots, &after);
    for (size_t i = 0; i < after.len; i++)
        set_add(&there, after.at[i]);
    for (size_t i = 0; i < nodes->len; i++)
        if (!map_has(&there, nodes->at[i]))
            nodes->at[i] = NULL;
    map_free(&there);
    vec_free(&after);
    walk_end(&w);
    return ok;
}
