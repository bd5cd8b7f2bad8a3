/* Random instances of patterns: graphs that a rule's left side stands for. */
#ifndef GRADUS_INSTANCE_H
#define GRADUS_INSTANCE_H

#include "rewrite/pattern.h"

/* Sizes of instances are numbers, or these names, which stand for these lengths. */
enum { INSTANCE_N = 3, INSTANCE_M = 2 };

/* A graph of the form of r's left side over fresh inputs, of types that seed chooses; what its
 * variables stand for in *b. NULL (often): the choice makes no sense, try another. */
Node *instance_make(Store *st, const Rule *r, u64 seed, Bindings *b);
/* The length that a size has in evaluations of instances. */
i64 instance_length(const Size *s);

#endif
