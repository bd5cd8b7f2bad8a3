/* What of a union is the same many times over, such as the layers of a net: each time is a turn,
 * and what plays the same part in each of them a role. */
#ifndef GRADUS_PAGE_REPEAT_H
#define GRADUS_PAGE_REPEAT_H

#include "viz/page/page_parts.h"

/* What a slot is in it. */
typedef struct {
    int group; /* 0: it is there once */
    int part;
    int turn; /* from 0 */
    int role; /* in the group, from 0; of nodes and boxes together */
} Stand;

typedef struct {
    int box; /* the box around all of it; 0: outermost */
    int turns, roles;
    int parts; /* 2: it is gone through forward, and after what that leads to, back again */
} Group;

typedef struct {
    VEC(Group) groups;    /* group k is at[k - 1] */
    Stand *nodes, *boxes; /* by slot - 1 */
} Repeats;

/* The caller frees it. Work is bounded by counts: the same union gives the same. */
void repeats_find(const Union *u, Repeats *out);
void repeats_free(Repeats *r);

#endif
