/* Moving views (an index, a reshape, a row of a sequence) that stand between the two halves of a
 * stable form. */
#ifndef GRADUS_VIEWS_H
#define GRADUS_VIEWS_H

#include "ops/scan_edit.h"
#include "rewrite/site.h"

typedef MAP(Node *, int) StandMap; /* what stands for a new trace -> 1 + its output */

/* Where the search stands. In the body of a loop, holes are views, too: a row of a sequence, or the
 * whole of what the loop takes from outside; outside, traces of one loop are views of what its body
 * computes. */
typedef struct {
    Site *site;
    Store *st;
    ScanEdit *body;          /* the graph is the body of this loop, NULL: it is not */
    const ScanShape *closed; /* the same while it is not open yet, to ask views_between alone */
    ScanEdit *traces;        /* or the graph around this one, whose traces are views */
    StandMap *stands;        /* of traces */
    NodeVec met;             /* at which a rule was seen to fire */
    int tries;               /* how many forms may still be tried: it must end soon */
} Views;

void views_open(Views *v, Site *site);
/* The same value as n's, its views moved so that a rule of the pass `stabilize` fires at it or in
 * it; NULL: no move leads to one. n itself if one fires already. */
Node *views_moved(Views *v, Node *n, int depth);
/* May something be moved at n at all? A quick answer. */
bool views_between(const Views *v, const Node *n);
enum {
    VIEWS_DEPTH = 6, /* moves one after the other: longer chains of views are rare */
    VIEWS_TRIES = 60 /* forms that are built and looked at, for one node */
};
void views_close(Views *v);
/* What the branches of an `if` give, over what it takes from outside; `outside` gets all that is
 * computed there. False after a diagnostic. */
bool views_branches(Store *st, const Node *choice, Node **then_outs, Node **else_outs,
                    NodeSet *outside);
/* Adds to `outside` the halves that met and that nothing in a branch has a part in: they stay
 * together there, where both can be. */
void views_meet_outside(const Views *v, NodeSet *outside);

#endif
