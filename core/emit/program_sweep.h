/* What the two files that write parts by rows share: program_rows.c, program_folds.c. */
#ifndef GRADUS_PROGRAM_SWEEP_H
#define GRADUS_PROGRAM_SWEEP_H

#include "emit/program_write.h"

typedef struct {
    Writer *w;
    Text *c;
    const Sweep *s;
    u32 *loop;    /* by step: the loop it is in, or that before which it is ready (program_rows.c) */
    bool *stored; /* by step: its elements are read from memory */
    u32 *out;     /* by step: the result it is, or NO_REG */
    u32 *buffer;  /* by step that is stored and no result */
    DType *type;  /* by buffer */
    u32 nbuffers, nloops;
} SweepText;

DType sweep_dtype(const SweepText *t, u32 column);
u8 sweep_level(const SweepText *t, u32 column);
bool sweep_in_loop(const SweepText *t, u32 at, u32 loop); /* a step, or a reduction */
bool sweep_touches(const SweepText *t, u32 column, u32 loop);
/* The steps of a loop on element e of the rows pK: vK of all. */
void write_sweep_body(const SweepText *t, u32 loop);
/* program_folds.c: the same over a row, with all that is reduced in it. */
void write_folds(const SweepText *t, u32 loop);
bool fold_looks_again(const SweepStep *s); /* at its operands, after the loop */
void write_fold_helpers(Text *c);

#endif
