/* Programs checked against their comments, and the manual written out. */
#ifndef GRADUS_CHECK_H
#define GRADUS_CHECK_H

/* ---- language.c ---- */
void language_print(void); /* LANGUAGE.md on stdout */

/* ---- check.c ---- */
int check_files(int n, char *const *paths); /* the exit status */
/* One program, called `name` in what it prints; adds to the counts of comments that hold or not. */
void check_text(const char *name, const char *program, int *passed, int *failed);

#endif
