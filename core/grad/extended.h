/* Loops that a derivative puts in the place of those that it was taken of; see extended.c. */
#ifndef GRADUS_EXTENDED_H
#define GRADUS_EXTENDED_H

#include "ops/cotangent.h"

/* Loops that keep more of their steps, in pairs as a reverse sweep leaves them: each loop and what
 * keeps more. Puts them in place of what they were in all that the roots (NULL each where there is
 * none) reach; the list is brought up to date with that. false after a diagnostic. */
bool scans_extend(Store *st, NodeVec *extended, int n, Node **roots);
/* Drops those traces of the scans that no root reads; roots for which wanted[i] is false (NULL:
 * none) are not asked, but read the same scans where these have what they read. false after a
 * diagnostic. */
bool scans_trim(Store *st, const NodeVec *scans, int n, Node **roots, const bool *wanted);
/* Both; and puts the same loops into the record (may be NULL), for which no trace is kept. */
bool scans_settle(Store *st, NodeVec *extended, int n, Node **roots, const bool *wanted,
                  DerivativeRecords *record);

#endif
