/* A graph of which every operation is rounded otherwise: each value that is computed, inside bodies
 * too, is multiplied by a factor a few units of the last place from 1. What several such graphs
 * make of a result tells what rounding may make of it. */
#ifndef GRADUS_MOVED_H
#define GRADUS_MOVED_H

#include "graph/store.h"

/* Replaces the roots by such nodes. `terms`: the terms of each sum are moved on their own, as if
 * they stood in another sum, and each value by the smallest normal number. false: the graph cannot
 * be built. Must hold no implicit derivatives to be of use. */
bool graph_moved(Store *st, int n, Node **roots, u64 seed, bool terms);

#endif
