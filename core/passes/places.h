/* Places along one axis: which of its operand's a part or a reversal takes, and which are proved to
 * be there. */
#ifndef GRADUS_PLACES_H
#define GRADUS_PLACES_H

#include "rewrite/site.h"

/* The places start + step * i for i below len. */
typedef struct {
    Size *start, *len;
    i64 step;
} Places;

/* Is the size proved to be at least that? */
bool places_at_least(Size *s, i64 least);
/* Which places of its operand n, a part or a reversal, takes along `axis`; false: it is neither. */
bool places_read(Store *st, const Node *n, i64 axis, Places *p);
/* Which places along its axis n, a part that is written, writes; false: it is none. */
bool places_written(Store *st, const Node *n, Places *p);
/* Are these places of an axis of that length? The step is 1 or -1, or all is known. */
bool places_inside(Store *st, const Places *p, Size *length);
/* Where an index stands along an axis of that length; NULL: it is not proved to. */
Size *places_index(Store *st, Node *index, Size *length);
/* x at these places along `axis`; NULL after a diagnostic. */
Node *places_taken(Store *st, Node *x, i64 axis, const Places *p);
/* Are all places that n gathers, or scatters to, known, and proved to be there? */
bool places_known(const Node *n);
/* Which part of a concatenation has the places from..end-1; *first: where it begins. -1: none. */
int places_part(Store *st, const Node *c, i64 axis, Size *from, Size *end, Size **first);

/* `after` in place of the site's node, if it was made and is of its type; else refuses. */
bool site_put_alike(Site *site, Node *after);
/* May all operands of n go but those at first..first+count-1? Else refuses. */
bool site_drops_total(Site *site, const Node *n, u32 first, u32 count);

static const char place_not_there[] = "it is not proved to be there";

#endif
