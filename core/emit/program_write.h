/* What the parts of the writer of native code share: program_c.c (functions), program_ins.c
 * (instructions), program_tiles.c (fused groups), program_columns.c and
 * program_short.c (their reductions).
 *
 * Invariant: a scalar register of a block is a C variable, a tensor register stays in the frame
 * `r`; what a function of the machine reads from the frame is stored there before the call. */
#ifndef GRADUS_PROGRAM_WRITE_H
#define GRADUS_PROGRAM_WRITE_H

#include "emit/program_c.h"
#include "exec/native_code.h"

typedef struct {
    NativeText *out;
    const Program *p;
    MAP(const void *, u32) places; /* thing -> 1 + its place in the table */
    bool heavy;                    /* the loop at work calls what takes long */
    bool in_part;                  /* the instruction is in a part by rows */
    Text names;                    /* of the functions that go to the slots */
    size_t named;                  /* how many they are */
} Writer;

/* A function, or a block that is written into one. */
enum { MOST_DEPTH = 3 }; /* of blocks written into a function */
typedef struct Scope {
    Writer *w;
    const Block *b;
    const struct Scope *up;  /* NULL: the function itself */
    u32 number;              /* of the scope in its function */
    u32 *next;               /* the number of the next scope */
    int depth;               /* of indentation */
    const Tensor **constant; /* by register: what it always is; NULL: no constant */
    bool *state;             /* by register: changes from step to step */
    bool *hoisted;           /* by tensor register: its memory is a variable */
    bool fixed;              /* arrays are variables tK, of known shapes (program_fixed.c) */
} Scope;

typedef struct {
    char at[160];
} Word;

/* x, of dtype `from`, as `to`. */
void native_cast_put(Text *out, DType from, DType to, const char *x);

void say(const Scope *s, const char *fmt, ...) PRINTF_LIKE(2, 3); /* a line */
Word name_of(const Scope *s, u32 reg);                            /* a variable */
Word value_of_reg(const Scope *s, u32 reg);                       /* or a literal */
u32 place_of(Writer *w, const void *thing);                       /* in the table */
u32 place_of_function(Writer *w, AnyFunction f);
const char *field_of(u8 kind); /* "d" of a Reg */
Word failed(const Scope *s);   /* the statement that ends the function after a failure */
Word step_of(const Scope *s);  /* the variable of the step of the innermost loop */
void scope_open(Scope *s);
void scope_close(Scope *s);

/* ---- around a loop (program_c.c) ---- */
bool memory_is_fixed(const Block *b, u32 reg); /* of what the loop only reads */
bool block_stops(const Block *b);              /* it may leave before its last step */
void declare_variables(Scope *s);              /* scalars, and memory that is fixed */
/* Where rows of sequences and traces of scalars are; traces may have moved since the last chunk. */
void write_pointers(const Scope *s);
void write_states(const Scope *s); /* scalars, into the frame */

u32 write_ins(Scope *s, u32 at); /* program_ins.c; how many instructions are written */
void spill(const Scope *s, const Arg *args, u32 n); /* scalars into the frame */
/* program_inline.c: a call, branch or loop of scalars, in place; false: it is none, nothing was
 * written. */
bool write_inline(const Scope *s, const Ins *ins);
bool inline_fits(const Scope *s, const Ins *ins); /* it is one of those */
/* It is a loop over scalars, with sequences and traces that may be arrays of known shapes. */
bool inline_rows_fit(const Ins *ins);
void write_tiles(Writer *w, const Wide *wide);   /* program_tiles.c */
void write_strided(Writer *w, const Wide *wide); /* the same on rows */

/* Steps on tiles: loops over the n elements of a tile, calls of the machine's array functions
 * between them, each as early as its operands are there. A column k is an array ck, of which the
 * loops read elements vk. A function made of others is called whole, or it is written as the
 * expressions and calls that it is made of; its z is an array zk. */
typedef struct {
    Writer *w;
    const Tiles *t;
    u32 nin;              /* operands, the first columns */
    const SweepInput *in; /* of a part by rows, by operand; NULL: all columns have elements */
    bool parts;           /* functions are written in parts; else they are called */
    int room;             /* elements of an array */
    u32 *loop;            /* by step: the loop it is in; of a call, that after it */
    u32 *part;    /* by step: 1 + the step whose z it takes; 0: it is not written in parts */
    bool *stored; /* by step: its values are read from memory */
    bool *given;  /* by step: into memory of the machine: a result, or what is reduced */
    u32 *known;   /* by column: 1 + the loop in which its element has been read */
    u32 nloops;
    const u8 *repeat; /* by operand, as in Tiles: by rows that are pace[k] elements apart */
    u32 row;    /* of several that a loop takes at once: column k has them pk elements apart */
    bool tests; /* conditions that are only tested: tK is whether all hold so far */
    u32 told;   /* 1 + the step whose elements are all known to be `truth`; 0: none */
    bool truth;
} TileText;
/* A step is in the first loop that it can be in; fills loop, stored. */
void tile_text_open(TileText *g, Writer *w, const Tiles *t, u32 nin);
/* Of a part by rows. What has a value a row is ready before the loop of its number, which a
 * reduction takes from the loop before. */
void tile_text_open_rows(TileText *g, Writer *w, const Tiles *t, u32 nin, const SweepInput *in);
/* Functions are written in parts, for at most that many elements. */
void tile_text_parts(TileText *g, int room);
void tile_text_close(TileText *g);
u32 tile_arity(const TileStep *s);
bool tile_calls(const TileText *g);             /* are there any calls? */
bool tile_is_call(const TileStep *s);           /* of an array function of the machine */
bool tile_is_called(const TileText *g, u32 at); /* of one, between loops */
u8 tile_level(const TileText *g, u32 column);   /* LEVEL_.. */
void write_tile_value(Text *c, const TileStep *s, u32 column); /* const TYPE vCOLUMN = ..; */
void write_tile_loop(const TileText *g);
/* Of the element `from` on; by rows, of row q. */
void declare_tile_columns(const TileText *g);
/* vk of an array, if the present loop has none yet. */
void read_tile_column(const TileText *g, u32 column, u32 loop, DType d);
void write_tile_step(const TileText *g, u32 at); /* one that is no call */
/* All steps; the last loop is left open if `open`. */
void write_tile_steps(const TileText *g, bool open);
/* program_columns.c: with the reductions of a group over others than the last axes. */
void write_columns(Writer *w, const Wide *wide);
/* program_feed.c: what puts its elements into arrays, in order. */
void write_feed(Writer *w, const Wide *wide);
/* program_short.c: over a last axis of a few elements. */
void write_short(Writer *w, const Wide *wide);
/* What a fold takes of its column vK; a, the accumulator, combined with e, such an element, as
 * kernels_fold.h does. */
void put_fold_element(Text *c, const TileFold *f);
void put_fold_combined(Text *c, const TileFold *f);
void write_lanes(Writer *w, Block *b); /* program_lanes.c */
/* program_folds.c: the functions that reduce a row, for all parts; the name of one. */
void write_fold_functions(Writer *w, const Sweep *const *all, size_t n);
void put_fold_name(Text *c, const TileStep *s);
/* program_rows.c: the function rows_NUMBER; false: it is too large, nothing was written. */
bool write_sweep(Writer *w, Sweep *s, u32 number);
void write_shifts(Writer *w, Block *b); /* program_shifts.c */
DType lane_dtype(const Block *b, const LaneInput *in);

#endif
