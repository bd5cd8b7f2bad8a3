/* An entry laid out in rows of a terminal: prompts, wrapping, the cursor's place.
 *
 * Invariant: no row is wider than `width`, and the cursor's column is less than it. */
#ifndef GRADUS_ROWS_H
#define GRADUS_ROWS_H

#include "base/base.h"

typedef struct {
    Text text;         /* all rows, one after the other */
    VEC(size_t) start; /* where each begins; one more for the end of the last */
    int width, column; /* of the screen; of what is put next */
    int cursor_row, cursor_column;
} Rows;

/* `rows` is zeroed but for `width`.  The cursor is before byte `point` of the entry.  Bytes of a
 * prompt between \001 and \002 take no room. */
void rows_layout(Rows *rows, const char *prompt, const char *continuation, const char *entry,
                 int point);
int rows_count(const Rows *rows);
void rows_free(Rows *rows);

#endif
