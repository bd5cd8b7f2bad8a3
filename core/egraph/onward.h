/* The second relation of an e-graph: what a program may become.
 *
 * Terms of a class are equal on paper. A step that takes an infinity or an error away
 * (equality_is_one_way) leads from one term to another and not back, so a class falls into parts:
 * the terms of a part lead to each other, and a part may lead on to others. A term leads to a
 * congruent one if each operand leads to the other's. Of all relations with these properties this
 * is the least one: it holds where a chain of steps does.
 *
 * Without one-way steps each class is one part. It is computed once, from an e-graph that was
 * rebuilt; terms that are added later, without unions, belong to no part. */
#ifndef GRADUS_EGRAPH_ONWARD_H
#define GRADUS_EGRAPH_ONWARD_H

#include "egraph/egraph.h"

/* Of each i: at[first[i]] to at[first[i + 1] - 1]. */
typedef struct {
    u32 *first, *at;
} PartLists;

typedef struct Onward {
    u32 nterms, nparts;
    u32 *part;       /* of a term */
    PartLists forms; /* of a part: the e-nodes that it leads to, its own among them */
    PartLists from;  /* of a part: the parts that lead to it, itself among them */
    PartLists users; /* of a part: the e-nodes with an operand in it */
} Onward;

/* `freely`: every step leads back as well. */
void onward_open(Onward *o, EGraph *g, bool freely);
void onward_close(Onward *o);
/* Does the term a lead to b? They are terms of the e-graph as it was opened. */
bool onward_leads(const Onward *o, TermId a, TermId b);

#endif
