/* What listing_print writes is the graph: a fresh session reads the same graph from it. */
#ifndef GRADUS_LISTING_CHECK_H
#define GRADUS_LISTING_CHECK_H

#include "graph/store.h"

typedef enum { LISTING_SAME, LISTING_UNSAID, LISTING_UNREAD, LISTING_OTHER } ListingFault;

/* What was written and what is wrong with it goes to `why`, unless nothing is. */
ListingFault listing_check(Store *st, int n, Node *const *roots, Text *why);

#endif
