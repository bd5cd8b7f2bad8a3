/* Random instances of patterns: graphs that a rule's left side stands for. */
#ifndef GRADUS_INSTANCE_H
#define GRADUS_INSTANCE_H

#include "session/instance_ranges.h"

/* A graph of the form of r's left side over fresh inputs, of types that seed chooses; what its
 * variables stand for in *b; in *beside the operand that was added to a sum or product, or NULL;
 * in *ranges the inputs whose values the guard bounds.
 * NULL (often): the choice makes no sense, try another. */
Node *instance_make(Store *st, const Rule *r, u64 seed, Bindings *b, Node **beside, Ranges *ranges);

#endif
