/* A table of texts, laid out when the width is known: one that does not fit has the cells of its
 * widest column folded, or its columns in blocks below each other. */
#ifndef GRADUS_TABLE_H
#define GRADUS_TABLE_H

#include "base/base.h"

/* Cells, row after row, the heads first if there are any; it owns them. */
typedef struct {
    VEC(char *) cells;
    int columns; /* how many */
    bool heads;
    bool prose; /* sentences: they are never wider than is easy to read */
} Table;

void table_cell(Table *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* At most so many characters wide where that can be (0: as wide as it is); heads may be bold. */
void table_put(const Table *t, Text *out, int most, bool bold);
/* In columns, as wide as they are, and moved to the right; freed. */
void table_print(Table *t, Text *out, int indent);
void table_free(Table *t);

/* Lines, each moved to the right. */
void put_indented(Text *out, const char *lines, size_t n, int by);

#endif
