/* Which nodes of a graph run together, in one pass over the elements. */
#ifndef GRADUS_GROUPS_H
#define GRADUS_GROUPS_H

#include "graph/store.h"

/* At most, in one group: its tiles share a cache. */
enum { GROUP_MEMBERS = 256 };

typedef struct {
    NodeVec order; /* all nodes, operands first; the members of a group one after the other */
    u32 *members;  /* by place: at the last member of a group how many it has, else 0 */
    bool *outside; /* by place: a root, or used by a node that is not of its group */
    u32 count;     /* groups */
} Groups;
/* Groups of at least two nodes under the roots; linear in the number of nodes. */
void groups_find(Store *st, int nroots, Node *const *roots, Groups *out);
void groups_free(Groups *g);

#endif
