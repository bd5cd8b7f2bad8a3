/* A graph in each way that pictures and formulas have, as text. */
#ifndef MEDIA_H
#define MEDIA_H

#include "graph/store.h"

typedef enum { IN_FORMULAS, IN_FIGURES, IN_LISTS, IN_DRAWINGS, IN_LATEX, IN_TYPST, MEDIA } Medium;
extern const char *const media_words[MEDIA];
/* What it says, without what the inputs are; to be freed. */
char *medium_text(Store *st, Medium m, int n, Node *const *roots);

#endif
