/* Values that something is decided by: see judged.c. */
#ifndef GRADUS_JUDGED_H
#define GRADUS_JUDGED_H

#include "graph/node_map.h"

typedef struct {
    NodeFlags has; /* it is, or what it is computed into is */
    bool known;    /* it was found, for the roots of now */
    bool asked;    /* somebody wanted to know, for these roots or earlier ones */
} Judged;
void judged_free(Judged *j);
/* Those of a graph with these roots; owner and g: the node whose body it is and the graph (NULL:
 * it is the outermost); all: the results themselves are. */
void judged_find(Judged *j, int nroots, Node *const *roots, const Node *owner, const Graph *g,
                 bool all);
/* n is, and all that it is computed from. */
void judged_add(Judged *j, Node *n);
extern const char judged_says[]; /* why a rule of class O does not fire there */
bool judged_has(const Judged *j, const Node *n);

#endif
