/* What to write instead of names, types and parameters that other systems have. */
#ifndef GRADUS_FOREIGN_H
#define GRADUS_FOREIGN_H

#include "base/base.h"

enum { FOREIGN_HINT = 200 };

/* Is it a name of other systems? hint: what to write here, as "write asin(x)"; empty: there is
 * nothing of that meaning. */
bool foreign_name(const char *word, char hint[FOREIGN_HINT]);
/* "write f64" for "float"; NULL: no hint. */
const char *foreign_dtype_of(const char *word);
/* "write axis=0, counted from 0" for "dims"; NULL: no hint. */
const char *foreign_parameter_of(const char *word);
/* "the larger of two values is maximum(a, b)" for max, given a second value; NULL: no hint. */
const char *foreign_axis_of(const char *function);

#endif
