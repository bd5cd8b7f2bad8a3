/* What the two files that plan whole loops over arrays share: plan_lanes.c, plan_shifts.c. */
#ifndef GRADUS_PLAN_MADE_H
#define GRADUS_PLAN_MADE_H

#include "exec/plan_work.h"

/* A place in a matrix, and how much of it. A vector is one row, and what has more axes has rows
 * along the first. */
typedef struct {
    i64 row, column;
} Place;

typedef struct {
    i64 rows, columns;
} Extent;

/* What a value is made of. */
typedef struct {
    enum { MADE_NOT, MADE_INPUT, MADE_SLICE, MADE_JOIN, MADE_STEPS } kind;
    Extent is; /* of a scalar 1, 1 */
    bool scalar;
    bool by_rows;   /* MADE_JOIN: its operands are one below the other */
    u32 input;      /* MADE_INPUT */
    Place start;    /* MADE_SLICE: of its first operand */
    const Wide *of; /* slice, join, steps */
    u32 out;        /* steps: the result */
} Made;

/* The body of a loop in which nothing can fail: arrays, elementwise steps, slices and joins. */
typedef struct {
    Emit *e;
    Made *made; /* by value */
    VEC(LaneInput) in;
    VEC(u8) size;
    u32 *out;   /* by state, then by trace: its next value, or row; NO_REG: the state stays */
    u32 test;   /* whether all elements of a value are true; NO_REG: nothing asks that */
    bool stops; /* that stops the loop */
    bool moves; /* there are slices or joins */
    bool sized; /* all lengths are known */
    u64 work;   /* if they are: elements times operations */
} Body;

/* Does it say whether all elements of an array are true? */
static inline bool tests_all(const Node *n)
{
    return n->op == OP_ALL && !n->type->rank && node_dtype(n->ops[0]) == DT_BOOL;
}

void plan_lanes(const Body *b);  /* without slices and joins: fills lanes */
void plan_shifts(const Body *b); /* of known lengths: fills shifts */

#endif
