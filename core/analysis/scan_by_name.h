/* Finding a scan by a name: that of its definition, of one of its states or of one of its outputs.
 *
 * What was written stands before what came of it: a scan that a derivative put into its place is
 * found by the same names, but only where there is no better one. */
#ifndef GRADUS_SCAN_BY_NAME_H
#define GRADUS_SCAN_BY_NAME_H

#include "lang/elab.h"

typedef VEC(const char *) ScanNames;

/* The best of that name outside other loops, or of several the last; without a name (NULL) the last
 * scan; NULL: there is none. */
Node *scan_by_name(Store *st, const Env *globals, int n, Node *const *roots, const char *name);
/* All names by which it finds one. */
void scan_names(Store *st, const Env *globals, int n, Node *const *roots, ScanNames *names);
/* Adds a name without its index; a text that is no name, as it is; NULL: nothing. */
void scan_names_add(Store *st, ScanNames *names, Symbol name);
/* Is it h, h[t] or h[t-1] for "h"? The name may be NULL. */
bool scan_name_is(Store *st, Symbol name, const char *asked);

#endif
