/* What the two files that write parts by rows share: program_rows.c, program_folds.c. */
#ifndef GRADUS_PROGRAM_SWEEP_H
#define GRADUS_PROGRAM_SWEEP_H

#include "emit/program_write.h"

typedef struct {
    TileText g;
    Text *c;
    const Sweep *s;
    u32 *out;    /* by step: the result it is, or NO_REG */
    u32 *buffer; /* by step that is stored and no result */
    DType *type; /* by buffer */
    u32 nbuffers;
} SweepText;

/* program_folds.c: the functions that reduce a row, for all parts; and a call of one. */
void write_fold_functions(Writer *w, const Sweep *const *all, size_t n);
void write_fold(const SweepText *t, u32 at);

#endif
