/* What program_fixed.c finds in a loop and program_fixed_steps.c writes. */
#ifndef GRADUS_PROGRAM_FIXED_H
#define GRADUS_PROGRAM_FIXED_H

#include "emit/program_write.h"
#include "ops/fused.h"
#include "ops/product.h"

/* An array in a register. */
typedef struct {
    bool known;   /* it is one, of the shape `like` */
    bool own;     /* in memory of the function, else where it was before the loop or in another */
    bool viewed;  /* others look into it */
    bool changes; /* a state that gets another value */
    bool strided; /* not known, but elements of another, which are those of `like` along `stride` */
    i64 start;    /* of the first of these */
    i64 stride[MAX_RANK];
    u32 root;    /* the register whose memory it is in */
    u32 param;   /* 1 + the parameter; 0: none */
    i64 offset;  /* of its memory */
    i64 scratch; /* first result of a group: where its repeated operands are, then what it reduces
                  */
    Tensor like; /* dtype, rank, shape and count alone */
} FixedValue;

/* Along one axis: (outer, axis, inner), `count` places of it. */
typedef struct {
    i64 outer, axis, inner, start, step, count;
    bool piece;  /* a part of the memory as it is */
    bool varies; /* the place is a scalar, which is looked at when it is there; `start` is 0 */
} FixedSlice;

/* A gather that may read where things lie (program_fixed_runs.c). */
typedef struct {
    const Wide *positions; /* the group that computes them; NULL: it is no such */
    u32 from;              /* the array */
} FixedRun;

/* What a value is outside of a range of its places: zeros may have any sign. */
typedef enum { OUT_ANY, OUT_FALSE, OUT_TRUE, OUT_ZERO, OUT_ZEROS, OUT_KEPT } Outside;

/* A group that leaves most of an operand as it is (program_fixed_changes.c). */
typedef struct {
    u32 axes;   /* a bit for each on which there is a range of changes; 0: it is no such group */
    u32 kept;   /* the operand */
    bool clean; /* only if that has no -0 */
} FixedChange;

typedef struct {
    const Scope *s;
    const Block *b;
    FixedValue *v;       /* by register */
    FixedSlice *slice;   /* by register of the result */
    FixedRun *run;       /* the same */
    FixedChange *change; /* the same */
    Outside *outside;    /* by register of a vector: it is that but from loK up to hiK */
    const Ins **fresh;   /* by register: what computes it anew where it is read, or NULL */
    u32 *state;          /* by register: 1 + the state whose next value it becomes; 0: not known */
    bool *clean;         /* by register of a state: cleanK says that it has no -0 */
    bool *counts;        /* by register: it may count up by one; unevenK: it does not */
    i64 bytes, work;     /* of a step */
    u32 arrays;          /* instructions that compute some */
} Fixed;

/* An instruction whose steps are elementwise, as a group: a fused one, or one operator. */
typedef struct {
    Wide w;
    Tiles t; /* of one operator */
} FixedGroup;

/* Is the loop of this scope one of those? Then fixed_free. */
bool fixed_find(const Scope *s, Fixed *f);
void fixed_free(Fixed *f);
bool fixed_product(const Fixed *f, const Wide *w, Product *p);
/* Its factors (1, and 1 or 0 of what is added, if they are not operands); false: unknown, or 0. */
bool fixed_factors(const Fixed *f, const Wide *w, double *alpha, double *beta);
/* It is written in place. */
bool fixed_product_is_small(const Fixed *f, const Wide *w, const Product *p);

/* Bytes of an array of a step. */
i64 fixed_bytes(i64 count, DType d);
/* The axes of a sum or the like, or of a peak; false: they are no neighbours. */
bool fixed_reduction(const Node *n, AxisRun *over);

/* How far apart the elements of operand k of a group on arrays of that shape are, along its axes.
 */
void fixed_strides(const Fixed *f, const Wide *w, u32 k, const Tensor *like, i64 *stride);
/* Which of these axes axis i of operand k lies along; -1: along none. */
int fixed_axis_of(const Fixed *f, const Wide *w, u32 k, const Tensor *like, int i);
/* Is the operand smaller than the others, or strided? */
bool fixed_is_spread(const Fixed *f, const Wide *w, u32 k);

/* False: the instruction is none. Then fixed_group_close. */
bool fixed_group_open(const Fixed *f, const Ins *ins, FixedGroup *g);
void fixed_group_close(FixedGroup *g);
Tensor fixed_outer_like(const Fixed *f, const Wide *w); /* of an outer product */
/* What the steps of a group work on, all at once. */
Tensor fixed_group_like(const Fixed *f, const Wide *w);

/* program_fixed_tiles.c: what is fused; a sum and the like, if it is one; one operator. */
void write_fixed_group(const Fixed *f, const Wide *w);
bool write_fixed_reduce(const Fixed *f, const Wide *w);
void write_fixed_operator(const Fixed *f, const Ins *ins);
/* What a function writes to: an array, or the variable of a scalar, which is declared. */
Word fixed_written_to(const Fixed *f, const Arg *out);

/* program_fixed_nest.c: a group as loops over the axes of its operands, with what it reduces;
 * false: it has to be written otherwise, nothing was written. */
bool fixed_nests(const Fixed *f, const Wide *w, const Tensor *like);
/* What such loops reduce is stored first: all of several axes, or very many elements. */
bool fixed_reduces_apart(const Fixed *f, const Wide *w, const Tensor *like);
/* Its array functions could be called on rows of such loops. */
bool fixed_calls_on_rows(const Fixed *f, const Wide *w, const Tensor *like);
void write_fixed_nest(const Fixed *f, const Wide *w, const Tensor *like);
/* A sum and the like of few elements at `from`, whose shape is that of `like`, in place of a call;
 * while that is written they have the name of an operand `name` of that shape and dtype. */
bool write_fixed_reduction(const Fixed *f, const Node *n, const Tensor *like, const char *from,
                           u32 name, const Arg *out);
/* The register of an operand of that shape and dtype; NO_REG: there is none. */
u32 fixed_operand_like(const Fixed *f, const Wide *w, const Tensor *like);
/* An operand, as large as the others, into tK of that name. */
void write_fixed_spread(const Fixed *f, const Wide *w, u32 k, const Tensor *like, const char *to);

/* program_fixed_fresh.c: arrays that are computed anew where they are read. */
enum { TOGETHER = 4 }; /* elements of the last axis that are reduced together, at most */
void fixed_find_fresh(Fixed *f);
bool fixed_has_fresh(const Fixed *f, const Wide *w); /* among its operands and results */
bool fixed_is_fresh(const Fixed *f, const Ins *ins); /* all that it computes */

/* program_fixed_runs.c: gathers at positions that rise by one. Where such a one is, runK tells if
 * its user finds a part of it in the array; if not, all is computed as it would be without. */
void fixed_find_runs(Fixed *f);
bool fixed_is_masked(const Fixed *f, const Wide *w);     /* a choice by such a mask */
bool fixed_is_postponed(const Fixed *f, const Ins *ins); /* it computes such positions */
void write_run_bases(const Fixed *f);                    /* before the first step */
void write_run(const Fixed *f, u32 reg);                 /* runK */
/* cCOLUMN, which begins at place g and has n elements, at most `room`. */
void write_run_column(const Fixed *f, u32 reg, u32 column, long long room);
/* The steps of a group on places g up to g + n, without the mask where all of these are on one side
 * of it. */
void write_masked_steps(const Fixed *f, const Wide *w, TileText *g);

bool fixed_is_base(const Fixed *f, u32 reg); /* a vector that may count, and does not change */
u32 fixed_uses(const Ins *ins, u32 reg);     /* how often the register is an operand */

/* program_fixed_changes.c: masks that keep all but a range of an axis. */
void fixed_find_bounds(Fixed *f);
void write_clean_states(const Fixed *f);           /* before the first step */
bool write_change(const Fixed *f, const Ins *ins); /* false: it is none, nothing was written */
/* loK and hiK of its results; true: and all that it gives. */
bool write_outside(const Fixed *f, const Ins *ins);
void write_clean_part(const Fixed *f, const Wide *w); /* after a part of a state was set */
void write_fixed_swap(const Fixed *f, u32 a, u32 b);  /* two arrays change their memory */

bool fixed_place(Fixed *f);           /* program_fixed_memory.c; false: it is too much */
void write_fixed(Fixed *f, Scope *s); /* program_fixed_steps.c: the function */

#endif
