/* All steps at once: from the rows of some values of a body, the rows of others. The steps are the
 * lanes of a batch; what is decided here is only whether that is worth it, and safe.
 *
 * Invariant: row j of rows_of(x) is what x is at the step that row j belongs to. Nothing
 * is computed that the loop would not have computed, unless it is total (total.c): values
 * that are the same at every step are computed even where there is no row. */
#ifndef GRADUS_ROWS_H
#define GRADUS_ROWS_H

#include "batch/batch.h"
#include "passes/loops/loops.h"

typedef struct {
    Batch
        batch; /* open node -> its rows along axis 0, or its outer value, the same at every step */
    bool runs; /* is it proved that there is at least one row? */
    i64 limit; /* elements that a row of an intermediate value may have */
    Node *failed; /* the operator at which rows_of gave up, or NULL */
} Rows;

/* The sequences' rows and the captures' values, for `count` rows; NULL: for all steps. */
void rows_open(Rows *r, ScanEdit *ed, Node *count);
/* The rows of an open value as a tensor with one axis more; NULL if some operator on the way has no
 * form for all rows at once, could fail where the loop would not, or needs too much memory. */
Node *rows_of(Rows *r, Node *open);
void rows_close(Rows *r);
/* Elements of a value, where an unknown size counts as 64. */
i64 rows_estimate(const Type *t);

#endif
