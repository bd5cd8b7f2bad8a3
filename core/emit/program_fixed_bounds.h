/* What the columns of a group are along an axis: what program_fixed_bounds.c finds and
 * program_fixed_changes.c writes. */
#ifndef GRADUS_PROGRAM_FIXED_BOUNDS_H
#define GRADUS_PROGRAM_FIXED_BOUNDS_H

#include "emit/program_fixed_nest.h"

typedef struct {
    Outside is;
    u32 range; /* outside of the range of that column; NO_REG: everywhere */
} Bound;

/* What the columns of a group are along an axis. */
typedef struct {
    const Nest *n;
    u32 kept; /* the column of the operand; NO_REG: none */
    int axis;
    bool write;          /* loCOLUMN_AXIS and hiCOLUMN_AXIS of each range */
    u32 range[MAX_RANK]; /* of the result, by axis */
    Bound *bound;
    bool *finite; /* by column: it has to be */
    bool *counts; /* by register: it has to count */
    bool clean;   /* the kept operand must have no -0 */
} Bounds;

Bounds bounds_open(const Nest *n, u32 kept); /* an operand, or NO_REG */
void bounds_close(Bounds *b);
void bounds_find(Bounds *b);      /* `bound` along the axis; written, if told to */
u32 bounds_result(const Nest *n); /* the column of the first result */
/* Can the column be -0 only where the kept operand is, or one of those that are marked? */
bool bounds_signs(const Bounds *b, u32 column, bool *marked);

#endif
