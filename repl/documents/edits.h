/* Parts of a text that are to be replaced: what `gradus test --bless` writes. */
#ifndef GRADUS_EDITS_H
#define GRADUS_EDITS_H

#include "base/base.h"

typedef struct {
    size_t from, to;
    char *text;
} Edit;

/* In order of their places, which do not overlap. */
typedef struct {
    VEC(Edit) of;
} Edits;

void edits_add(Edits *e, size_t from, size_t to, const char *text); /* copied */
void edits_apply(const Edits *e, const char *text, size_t len, Text *out);
void edits_free(Edits *e);

#endif
