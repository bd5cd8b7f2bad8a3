/* Which graph of an exploration an export is of, and what its function is called. */
#ifndef GRADUS_EXPORT_STATE_H
#define GRADUS_EXPORT_STATE_H

#include "emit/export.h"
#include "rewrite/exploration.h"

/* How many steps lead to what an export may be of: derivatives are expanded unless the target takes
 * them (`native`); loops have not been lowered, nothing is fused or made for BLAS. */
u32 export_last_step(const Exploration *x, bool native);
/* The roots that the target gets, of which there are as many as x has: of formulas those that were
 * written, unless a derivative is to be written out. False: they do not replay, or memory was
 * short. */
bool export_roots(Exploration *x, const ExportTarget *t, bool native, Node **roots);
/* The expression if it is a name, else the name of the file. */
void export_function_name(Text *out, const char *expression, const char *file);
/* Export.state of an exploration: the roots after k steps, and what the k-th was. */
bool export_state(void *exploration, u32 k, Node **roots, Text *step);

#endif
