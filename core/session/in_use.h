/* What the values of global names are computed from, counted, so that what a name no longer stands
 * for is known at once, whenever a collection runs.
 *
 * Invariant: a node counts once for each name that stands for it and once for each node or graph
 * with a count that it is a part of; what has no count is not in the tables. */
#ifndef GRADUS_IN_USE_H
#define GRADUS_IN_USE_H

#include "graph/node_map.h"

typedef struct {
    NODE_MAP(u32) nodes;
    MAP(const Graph *, u32) graphs;
} InUse;

void in_use_add(InUse *u, Node *n);    /* one name more stands for n */
void in_use_remove(InUse *u, Node *n); /* one less */
bool in_use_has(const InUse *u, const Node *n);
void in_use_trim(InUse *u); /* gives back memory; to be called now and then */
void in_use_free(InUse *u);

#endif
