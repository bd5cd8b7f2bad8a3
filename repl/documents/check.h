/* Programs checked against their comments, and the manual written out. */
#ifndef GRADUS_CHECK_H
#define GRADUS_CHECK_H

#include "base/base.h"

/* ---- language.c ---- */
void language_print(void); /* LANGUAGE.md on stdout */

/* ---- check.c ---- */
/* The exit status. `bless`: writes what is actual into files where it is not as expected. */
int check_files(int n, char *const *paths, bool bless);
/* One program, called `name` in what it prints; adds to the counts of comments that hold or not. */
void check_text(const char *name, const char *program, int *passed, int *failed);

#endif
