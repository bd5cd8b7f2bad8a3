/* An entry laid out in rows of a terminal: prompts, wrapping, the cursor's place.
 *
 * Invariant: no row is wider than `width`, and the cursor's column is less than it. */
#ifndef GRADUS_ENTRY_ROWS_H
#define GRADUS_ENTRY_ROWS_H

#include "base/base.h"

typedef struct {
    Text text;           /* all rows, one after the other */
    VEC(size_t) start;   /* where each begins; one more for the end of the last */
    int width, column;   /* of the screen; of what is put next */
    unsigned char color; /* that the text is in: a place in entry_colors */
    int cursor_row, cursor_column;
} EntryRows;

/* SGR numbers of the colours that the bytes of an entry may have; the first is none. */
extern const char *const entry_colors[];
enum {
    ENTRY_PLAIN,
    ENTRY_KEYWORD,
    ENTRY_NUMBER,
    ENTRY_STRING,
    ENTRY_COMMENT,
    ENTRY_COMMAND,
    ENTRY_BAD,
    ENTRY_TYPE,
    ENTRY_SIGN,
    ENTRY_CALL
};

/* `rows` is zeroed but for `width`.  The cursor is before byte `point` of the entry.  Bytes of a
 * prompt between \001 and \002 take no room.  `colors`: of each byte of the entry, or NULL. */
void entry_layout(EntryRows *rows, const char *prompt, const char *continuation, const char *entry,
                  const unsigned char *colors, int point);
int entry_rows_count(const EntryRows *rows);
void entry_rows_free(EntryRows *rows);

#endif
