/* A union in which what repeats is drawn once, all turns of a group in the same places, and, where
 * that is not enough, loops and other inner graphs are drawn closed. */
#ifndef GRADUS_PAGE_FOLD_H
#define GRADUS_PAGE_FOLD_H

#include "viz/page/page_repeat.h"

/* A frame around a part of a group. */
typedef struct {
    int group, part;
    int box; /* in the layout */
} Fold;

typedef struct {
    Repeats repeats;
    bool *closed; /* of the boxes, by slot - 1 */
    VEC(Fold) folds;
    Layout layout; /* nodes and boxes by slot, edges by path; then the boxes of the folds */
    int *path;     /* of each edge of the union: edges with one path are drawn as one */
} Folded;

/* Shows at most some `limit` nodes, if it can. False if nothing repeats, or is inside another
 * graph; then there is nothing to free. */
bool fold_build(const Union *u, size_t limit, Folded *out);
void fold_free(Folded *f);
/* As JSON: turns of the groups, frames, stands of the nodes and of the boxes, paths of the edges,
 * the layout. */
void fold_put(Json *j, const Folded *f, const Union *u);

#endif
