/* A group as loops over the axes of its operands: what program_fixed_axes.c sets up,
 * program_fixed_nest.c writes and program_fixed_bounds.c looks at. */
#ifndef GRADUS_PROGRAM_FIXED_NEST_H
#define GRADUS_PROGRAM_FIXED_NEST_H

#include "emit/program_fixed.h"

/* A value of the element at work: read from an operand, computed by a step, or gathered from a few
 * others one after the other (of which the last is `done`). */
typedef struct {
    enum { NEST_OPERAND, NEST_STEP, NEST_FIRST, NEST_NEXT, NEST_DONE } is;
    DType dtype;
    u32 reg; /* of an operand; it lies there: */
    i64 offset, stride[MAX_RANK];
    TileStep step; /* on columns */
    TileFold fold; /* `arg`: the column that is taken; `before`: what there is so far */
    u32 before;
    bool scalar, varies; /* along the last axis */
} NestColumn;

/* Axes of the group; the columns are its operands, then its steps, unless one is computed anew. */
typedef struct {
    const Fixed *f;
    const Wide *w;
    int rank, over, inner; /* of axes; the one that is reduced, the first after it */
    i64 shape[MAX_RANK];
    u8 part[MAX_RANK];
    VEC(NestColumn) column;
    i64 whole[MAX_RANK], left[MAX_RANK]; /* strides of what is as large, of what is reduced */
    u32 nfolds;
    TileFold *fold; /* those that are stored, on columns */
    u32 *given;     /* by result: the column that it is; NO_REG */
    u32 bounded;    /* a bit for each axis I that goes from fromI up to toI */
    int few;        /* elements of the last axis that are reduced together, each written out */
    bool strip;     /* many of them, or of the axis before it */
    bool wide;      /* bools along the axis that is reduced are put into rows of words */
    bool apart;     /* what is reduced is stored first: of fold I in fI */
    int line;       /* 1 + the axis along which vectors are read; 0: none is known */
    /* 1 + a column of bools that is `truth` but from `cut` up to `back` of the last axis, where it
     * is computed; 0: none. */
    u32 told;
    bool truth, telling;
} Nest;

enum { PART_OUTER, PART_OVER, PART_INNER };

void nest_open(Nest *n, const Fixed *f, const Wide *w, const Tensor *like);
void nest_close(Nest *n);

/* ---- program_fixed_element.c ---- */

/* Where the element at work is in an array with these strides. */
Word nest_place(const Nest *n, const i64 *stride, i64 offset);
void write_nest_scalars(const Nest *n); /* before the loops */
void write_nest_lines(const Nest *n);   /* likewise: operands that are put into lines */
bool nest_is_call(const NestColumn *c); /* an array function gives it */
/* The axis whose elements array functions take at once; the calls, before the loop over it. */
int nest_row_axis(const Nest *n);
void write_nest_calls(const Nest *n);
/* Of the element: the columns that vary along the last axis, or the others; results that it is in;
 * all of that. */
void write_nest_columns(const Nest *n, bool varying);
void write_nest_given(const Nest *n);
void write_nest_element(const Nest *n);

/* All elements, where nothing is reduced. */
void write_nest_plain(const Nest *n);

#endif
