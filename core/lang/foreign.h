/* What to write instead of types and parameters that other systems have; of names elab.h tells. */
#ifndef GRADUS_FOREIGN_H
#define GRADUS_FOREIGN_H

/* "write f64" for "float"; NULL: no hint. */
const char *foreign_dtype_of(const char *word);
/* "write axis=0, counted from 0" for "dims"; NULL: no hint. */
const char *foreign_parameter_of(const char *word);

#endif
