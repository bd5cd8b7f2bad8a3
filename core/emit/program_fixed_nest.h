/* A group as loops over the axes of its operands: what program_fixed_nest.c writes and
 * program_fixed_bounds.c looks at. */
#ifndef GRADUS_PROGRAM_FIXED_NEST_H
#define GRADUS_PROGRAM_FIXED_NEST_H

#include "emit/program_fixed.h"

/* Axes of the group; rows of strides: one for each operand, one for results that are as large, one
 * for what is reduced. */
typedef struct {
    const Fixed *f;
    const Wide *w;
    u32 rows;
    int rank, over, inner; /* of axes; the one that is reduced, the first after it */
    i64 shape[MAX_RANK];
    u8 part[MAX_RANK];
    i64 (*stride)[MAX_RANK];
    bool *read;  /* by column: in the element at work */
    u32 bounded; /* a bit for each axis I that goes from fromI up to toI */
    /* 1 + a step of bools that is `truth` but from `cut` up to `back` of the last axis, where it is
     * computed; 0: none. */
    u32 told;
    bool truth, telling;
} Nest;

void nest_open(Nest *n, const Fixed *f, const Wide *w, const Tensor *like);
void nest_close(Nest *n);
/* All elements, where nothing is reduced. */
void write_nest_plain(const Nest *n);

#endif
