/* What a graph computes, as a number: operators, attributes and how they hang together, whatever
 * the parameters of inner graphs are and in which order they stand. What a body takes from outside
 * counts as if it stood inside. */
#ifndef GRADUS_MEANING_H
#define GRADUS_MEANING_H

#include "graph/store.h"

u64 graph_meaning(Store *st, int n, Node *const *roots);

#endif
