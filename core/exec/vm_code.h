/* Programs as the planner writes them and the virtual machine runs them.
 *
 * A program is a set of blocks: the outer graph and each inner graph that runs. A block
 * is linear code over registers of 8 bytes. Scalars (bool, i32, i64, f32, f64 of rank 0)
 * stand unboxed in registers; everything else is a reference to a tensor.
 *
 * Invariant: registers [0, ntensors) hold tensors, the first nshared of them constants,
 * which are borrowed from the Store; each other one is NULL or owns one reference.
 * Within one run of the code each register is written once, states of loops excepted. */
#ifndef GRADUS_VM_CODE_H
#define GRADUS_VM_CODE_H

#include "tensor/kernels.h"
#include "exec/plan.h"
#include "ops/fused.h"

typedef union {
    double d;
    float f;
    i64 l;
    i32 w;
    u8 b;
    u64 bits;
    Tensor *t;
    void *p;
} Reg;

#define NO_REG UINT32_MAX
/* Kinds of registers: the scalar dtypes, and these. KIND_LAZY: a value that is computed when it is
 * first needed. */
enum { KIND_TENSOR = DT_COUNT, KIND_LAZY };

/* Instructions that do not come from elem.def: name, then the operands that are registers
 * ("d" is written, the others are read). */
#define INSTRUCTIONS(INS)                                                                   \
    INS(END, "")       /* of a block that is no loop */                                     \
    INS(LEAF, "d")     /* d = the value of u.node */                                        \
    INS(SIZE, "d")     /* d = the value of the size u.node */                               \
    INS(ROOM, "d")     /* d = memory for the result of u.node, as large as its type says */ \
    INS(ARRAY, "")     /* u.wide: an operator through its eval function */                  \
    INS(PUT, "")       /* u.wide: set_index of one element of a vector */                   \
    INS(FUSED, "")     /* u.wide: elementwise operators, tile by tile */                    \
    INS(SINKS, "")     /* u.wide: such, each tile of which goes into arrays in order */     \
    INS(CHECK_ALL, "") /* u.wide: a check of an array, which is not there if all hold */    \
    INS(CALL, "")      /* u.wide */                                                         \
    INS(DELAY, "")     /* u.wide: a call that waits until it is needed */                   \
    INS(IF, "")        /* u.wide */                                                         \
    INS(SCAN, "")      /* u.wide */                                                         \
    INS(LEND, "")      /* the last computation is next, and it cannot fail halfway */       \
    INS(ROWS, "")      /* u.sweep: the next instructions, on a few rows at a time */        \
    INS(PROFILED, "")  /* u.wide: the instruction a, measured (cost.h) */                   \
    INS(DROP, "a")     /* releases the tensor a */                                          \
    INS(KEEP, "a")     /* a was in use until here */                                        \
    INS(TAKE, "da")    /* d = a, which becomes NULL; d may be a state */                    \
    INS(SHARE, "da")   /* d = another reference to a */                                     \
    INS(MOVE, "da")    /* d = a, scalars */                                                 \
    INS(DIM, "da")     /* d = length of axis u.k of a */                                    \
    INS(INDEX8, "dab") /* d = a[b], elements of 8 bytes */                                  \
    INS(INDEX4, "dab")                                                                      \
    INS(INDEX1, "dab")                                                                      \
    INS(SELECT, "dabc") /* d = a ? b : c */                                                 \
    INS(CHECK, "a")     /* stops unless a */                                                \
    INS(CHECK_LE, "ab") /* stops unless a <= b, and tells both */                           \
    INS(CAST, "da")     /* u.k: from, to << 8 */                                            \
    INS(I64_F64, "da")                                                                      \
    INS(BOOL_F64, "da")                                                                     \
    INS(BOOL_I64, "da")                                                                     \
    INS(MASK, "da")    /* d = a mod 2^n, i64; u.k: 2^n - 1 */                               \
    INS(SHIFT, "da")   /* d = a // 2^n, i64; u.k: n */                                      \
    INS(KERNEL1, "da") /* u.k1 on one element */                                            \
    INS(KERNEL2, "dab")                                                                     \
    INS(SEQ8, "da") /* d = element of the sequence at pointer a */                          \
    INS(SEQ4, "da")                                                                         \
    INS(SEQ1, "da")                                                                         \
    INS(SEQT, "da") /* d = row of the sequence a, a view */                                 \
    INS(ROW8, "ab") /* the trace at pointer a takes b */                                    \
    INS(ROW4, "ab")                                                                         \
    INS(ROW1, "ab")                                                                         \
    INS(ROWT, "a")       /* trace c takes the row a */                                      \
    INS(STOP, "a")       /* leaves the loop if a */                                         \
    INS(LOOP, "")        /* next step; u.k is 1 or -1 */                                    \
    INS(LOOP_ROW8, "ab") /* ROW8, then LOOP */                                              \
    PAIRS(INS)                                                                              \
    STOPS(INS)                                                                              \
    SELECTS(INS)

// clang-format off
/* Superinstructions on f64, no contraction: (a OP b) OP c, c OP (a OP b). */
#define PAIRS(INS)                                                                  \
    PAIR(INS, ADD, ADD) PAIR(INS, ADD, SUB) PAIR(INS, ADD, MUL) PAIR(INS, SUB, ADD) \
    PAIR(INS, SUB, SUB) PAIR(INS, SUB, MUL) PAIR(INS, MUL, ADD) PAIR(INS, MUL, SUB) \
    PAIR(INS, MUL, MUL)
#define PAIR(INS, F, G) INS(F##_##G, "dabc") INS(F##_##G##_R, "dabc")

/* Compare two f64 and leave the loop if true. */
#define STOPS(INS) \
    INS(STOP_LT, "ab") INS(STOP_LE, "ab") INS(STOP_GT, "ab") INS(STOP_GE, "ab")
/* d = a OP b ? c : x, on f64 (x is the register in the field x). */
#define SELECTS(INS)                                      \
    INS(SELECT_LT, "dabcx") INS(SELECT_LE, "dabcx")       \
    INS(SELECT_GT, "dabcx") INS(SELECT_GE, "dabcx")
// clang-format on

typedef enum {
#define INS(NAME, FORM) I_##NAME,
    INSTRUCTIONS(INS)
#undef INS
/* Every row of elem.def on f64, f32, i64 and bools; not all of them are used. */
#define OP_ID(ID)
#define ELEM_ID(ID) I_F64_##ID, I_F32_##ID, I_INT_##ID, I_BOOL_##ID,
#include "embed/op_ids.def"
#undef OP_ID
#undef ELEM_ID
        I_COUNT
} InsOp;

static inline InsOp ins_elem(ElemId id, int family)
{
    return (InsOp)(I_F64_NEG + 4 * (int)id + family);
}

static inline ElemId ins_elem_id(InsOp op) { return (ElemId)((op - I_F64_NEG) / 4); }

typedef struct Wide Wide;
typedef struct Block Block;
typedef struct Sweep Sweep;

typedef struct {
    u16 op;
    u32 d, a, b, c, x; /* registers (value numbers while planning) */
    union {
        i64 k;
        const Node *node;
        Wide *wide;
        Sweep *sweep;
        ScalarFn1 f1;
        ScalarFn2 f2;
        ElemFn1 k1;
        ElemFn2 k2;
    } u;
} Ins;

/* Where a part of an array belongs: elements of what I_ROOM made. */
typedef struct {
    u32 reg;
    i64 offset, count;
} RoomPart;

typedef struct {
    u32 reg; /* NO_REG: not wanted */
    u8 kind;
    bool move;      /* the last use: the register gives its reference away */
    RoomPart *room; /* of a result; NULL: it is a part of nothing */
} Arg;

/* All that are wanted. */
static inline bool args_are_scalars(const Arg *args, u32 n)
{
    for (u32 k = 0; k < n; k++)
        if (args[k].reg != NO_REG && args[k].kind >= KIND_TENSOR)
            return false;
    return true;
}

enum { TILE = 1024 };        /* elements that fused groups work on at once, at most */
enum { SHORT_OPERANDS = 8 }; /* of a group whose rows are short, at most */
enum { TILE_1, TILE_2, TILE_WHERE, TILE_CAST, TILE_FOLD /* only in parts by rows */ };
/* Of these parts: a column has a value for all rows, or one for each row, or one for each element.
 */
enum { LEVEL_NONE, LEVEL_ALL, LEVEL_ROW, LEVEL_ELEMENT };
/* An operand of a fused group is as large as all others, or smaller: each of its elements stands
 * for as many as the new last axes have, or all of them for each element of new first axes. A view
 * may have strides. */
enum { REPEAT_NOT, REPEAT_EACH, REPEAT_ALL, REPEAT_VIEW };
/* One elementwise operation of a fused node; operands are columns: < ninputs an operand of
 * the group, else an earlier step. */
typedef struct {
    const Node *node;
    ElemFn1 f1;
    ElemFn2 f2;
    u8 kind;  /* TILE_... */
    u8 op;    /* TILE_FOLD: a ReduceOp, by which its operand is combined over a row */
    u8 level; /* parts by rows: LEVEL_.. of what it gives */
    DType from, to;
    u32 arg[3];
    u32 buffer; /* scratch tile, or NO_REG: straight into result `out` */
    u32 out;
} TileStep;

/* Of operand k. */
static inline DType tile_arg_dtype(const TileStep *s, u32 k)
{
    return s->kind != TILE_WHERE ? s->from : k == 0 ? DT_BOOL : s->to;
}

/* What a fused group reduces: all columns are combined in the order of the plain reduction. */
typedef struct {
    const Node *node;
    ReduceOp op;
    DType from, to;
    u32 arg; /* column */
    u32 out;
} TileFold;

/* Where the elements of a group go in order, tile by tile: into an array at computed positions, or
 * into a running sum, product or maximum. */
enum { SINKS_MOST = 8 /* of a group */ };
typedef struct {
    const Node *node; /* scatter, or what runs along the axis */
    u32 base;         /* the operand that is written into; NO_REG: it runs */
    u32 place, value; /* columns */
} TileSink;

/* Native code of a group: all steps on n elements of columns. */
typedef void (*NativeTiles)(const void *const *table, char *const *column, i64 n);
/* What a tile of n elements gives is put into arrays, by sink: values, positions in an array of
 * that size, where it goes; what runs goes on from the element before, unless this is the start. 0:
 * a position is outside or counted from the end, and nothing was done. */
typedef int (*NativeFeed)(char *const *value, const void *const *place, const i64 *size,
                          char *const *out, i64 n, int start);
/* The steps on `count` rows of n elements: of a column rows are `pace` elements apart; one element
 * of an operand of which each is repeated stands for a row. */
typedef void (*NativeStrided)(const void *const *table, char *const *column, const i64 *pace, i64 n,
                              i64 count);
/* Those on `count` rows of n elements, each combined onto the accumulators of the reductions;
 * start: the first row is put there. Of a column rows are `pace` elements apart. */
typedef void (*NativeColumns)(const void *const *table, char *const *column, const i64 *pace,
                              char *const *sums, i64 n, i64 count, int start);

/* The steps on `count` rows of a few elements, with the reductions of each. Of a column rows are
 * `pace` elements apart and their elements `inside`. */
typedef void (*NativeShort)(char *const *column, const i64 *pace, const i64 *inside,
                            char *const *sums, i64 count);

typedef struct {
    u32 nsteps, nbuffers, nfolds, nsinks;
    TileStep *steps;
    TileSink *sinks; /* by result; the last operands are what they write into */
    u32 nbases;      /* how many these are */
    TileFold *folds; /* reductions over the axes `over` */
    AxisRun over;
    NativeTiles native; /* NULL, as the others: none */
    NativeColumns columns;
    NativeStrided strided;
    NativeShort shorts;
    NativeFeed feed;
    bool calls;         /* `strided` calls functions on arrays, once for each row */
    double nanoseconds; /* that an element is predicted to take (ops/cost.h) */
    u8 *size;           /* bytes of an element of each operand; 0: a scalar */
    u32 *outs;          /* the step of each result; NO_REG: reduced */
    u32 *reuse;         /* the operand whose memory each result may take, or NO_REG */
    u32 *test;          /* by result: a scratch tile, if it is only looked at whether all of
                           its elements are true; NO_REG; NULL: none is */
    u8 *repeat;         /* by operand: REPEAT_..; NULL: none is repeated */
    u32 ndeferred;
    bool *deferred; /* by operand: made when a tile is read (ops/deferred.h); or NULL */
    u32 *fill;      /* by operand of these kinds: the scratch tile it is put into */
    /* By operand that is a view: elements from one to the next of a row, which native code on rows
     * knows; 0: it is put together. NULL without views. */
    i64 *stride;
} Tiles;
static inline bool tile_defers(const Tiles *t, u32 k) { return t->deferred && t->deferred[k]; }
static inline i64 tile_stride(const Tiles *t, u32 k) { return t->stride ? t->stride[k] : 0; }
static inline bool tile_tests(const Tiles *t, u32 k) { return t->test && t->test[k] != NO_REG; }
/* How a group takes operand k; NULL: no group, so as it is. */
static inline u8 tile_repeat(const Tiles *t, u32 k)
{
    return t && t->repeat ? t->repeat[k] : REPEAT_NOT;
}

enum { ROWS_MOST = 16 }; /* operands of a part that runs row by row, and results, at most */
enum {
    SWEEP_COLUMNS = 64,       /* operands and results, at most */
    SWEEP_ROW = 8192,         /* elements of a row: some columns of it stay in the first caches, */
    SWEEP_ROW_LONG = 1 << 16, /* or in another, where there are several, without native code */
    SWEEP_ROWS = 64           /* rows that native code takes at once, at most; of TILE elements */
};

typedef struct {
    u32 reg;
    DType dtype;
    u8 level;
    bool whole; /* of elements: each row takes all of it, or each few rows */
    bool gone;  /* used for the last time */
} SweepInput;

typedef struct {
    u32 reg, column;
    int rank;
    u32 reuse; /* the operand whose memory it may take, or NO_REG */
    RoomPart *room;
} SweepOutput;

/* The next `count` instructions as one list of steps on rows. Their reductions all take the last
 * `axes` axes of arrays of one shape: a row is what lies on these. Columns are operands, then what
 * the steps give. */
struct Sweep {
    const Node *node; /* the last of the instructions, for messages */
    u32 count, nin, nout;
    int rank, axes; /* of the arrays that have rows */
    SweepInput *in;
    SweepOutput *out;
    Tiles tiles; /* `out` of a step: the result whose memory it writes */
    /* Rows `from` up to `to`, of n elements each; columns are operands, then results; operand k
     * comes again after period[k] rows. leaves: how a row is reduced, in parts of that many
     * elements; after each, how often the last two of what there is are combined; 0 ends it. */
    void (*native)(const void *const *table, char *const *column, const i64 *period,
                   const i64 *leaves, i64 n, i64 from, i64 to); /* NULL: none */
};

/* A loop that mixes no lanes: step by step on a tile of its states, then on the next tile. Columns
 * are operands, states first, then what the steps give. */
typedef struct {
    u32 param;              /* of the block; NO_REG: a constant */
    const Tensor *constant; /* borrowed */
} LaneInput;

typedef struct {
    u32 nin, nstates;
    LaneInput *in;
    Tiles tiles; /* nothing is reduced and `out` of a step means nothing */
    u32 *next;   /* by state: the column of its next value; no column is that of two states */
    u32 *end;    /* by state: the last of the states that hand its new value on, one to the next */
    u32 *trace;  /* by trace: the column of its row */
    u32 done;    /* the state that says which lanes are done; NO_REG: all take all steps */
    /* NULL: none; how many steps it took until all lanes of each group were done, or `steps`. */
    i64 (*native)(const void *const *table, char *const *column, const i64 *pace,
                  char *const *trace, const i64 *trace_pace, i64 n, i64 steps);
} Lanes;

/* A loop over states that are put together from slices: each part of a result from where its
 * operands lie. Results are next states, then rows of traces. */
typedef struct {
    u32 input;
    i64 from;  /* element */
    i64 pitch; /* elements from a row to the next */
} ShiftColumn;

typedef struct {
    i64 from, pitch; /* the same of the results */
    i64 rows, count; /* of so many elements */
    u32 nin;
    ShiftColumn *in; /* operands, the first columns */
    Tiles tiles;     /* `out` of a step: the result whose memory it writes */
    u32 *out;        /* by result: its column; NO_REG: it has another shape */
} ShiftPart;

typedef struct {
    u32 nin, nstates, nouts, nparts;
    LaneInput *in; /* states first */
    u8 *size;      /* by operand: bytes of an element; 0: a scalar */
    i64 *count;    /* by operand: elements, of a sequence those of a row */
    ShiftPart *parts;
    bool *changes; /* by result */
    void (*native)(const void *const *table, char **now, char **next, char *const *column,
                   const i64 *pace, char *const *to, const i64 *to_pace,
                   i64 steps); /* NULL: none */
} Shifts;

/* A loop that draws a number from each state of a sequence, and does nothing else. */
typedef struct {
    const Node *node; /* uniform or normal */
    bool *state;      /* by trace: it takes the next states, not the numbers */
} Draws;

/* What an instruction with any number of operands works on. */
struct Wide {
    const Node *node;
    int (*eval)(EvalArgs *);
    u32 nin, nout, nkill;
    Arg *in, *out;
    u32 *kill;         /* tensor registers to release afterwards */
    u32 *lazy;         /* delay: by result, the register that stands for it */
    Block *body[2];    /* call, scan: the first; if: then, else; delay: NULL: computed already */
    u32 *map[2];       /* if: parameter i of the branch is in[map[i]] */
    bool stop;         /* scan: may stop early */
    bool go;           /* scan: the last operand says if there is a first step; n must be enough */
    bool exact;        /* scan: fewer steps than n are an error */
    const Node **from; /* scan: the node of each operand, for messages */
    bool updates;      /* operand 0 in place, with the last operand */
    Tiles *tiles;      /* fused */
};

typedef struct {
    u32 reg,
        source; /* sequences: `reg` is the element, `source` holds the tensor, `pointer` its data */
    u32 pointer; /* NO_REG unless a sequence or trace of scalars */
    int index;   /* of the graph's parameter, or the owner's result */
    u8 kind;
} Slot;

struct Block {
    u32 id;
    Graph *graph; /* NULL: the outer one */
    Ins *code;
    const Node **where; /* the node each instruction computes */
    u8 *kinds;          /* of each register */
    int (*native)(void *vm, const void *const *table, Reg *r, void *loop); /* NULL: none */
    u32 ncode;
    u32 nregs, ntensors, nshared;
    struct {
        u32 reg;
        Tensor *value;
    } * constants;
    u32 nconstants;
    Slot *params; /* those that are needed, in order */
    u32 nparams;
    Arg *outs; /* those that are wanted, in order; not for loops */
    u32 nouts;
    Wide **delays; /* what waits until it is needed */
    u32 ndelays, nlazy;
    /* loops: params are states, then sequences, then captures */
    double nanoseconds; /* that its scalar instructions are predicted to take */
    bool loop, reverse, stop;
    bool heavy; /* has instructions that take long: polls at every step */
    u32 nstates, nseqs, ntraces;
    Slot *traces;   /* pointer: of scalars; index: output of the graph */
    Lanes *lanes;   /* NULL: it mixes lanes, or does what is not done on tiles */
    Shifts *shifts; /* NULL: it has lanes, or does more than slices, joins and elementwise steps */
    Draws *draws;   /* NULL: it does something else */
    /* key of the cache */
    struct Block *next_same;
    int kind, key[4];
    bool *used; /* outputs of the graph */
};

/* Is that parameter a sequence? Constants, which are none (NO_REG), are not. */
static inline bool lane_is_sequence(const Block *b, u32 param)
{
    return param != NO_REG && param >= b->nstates && param < b->nstates + b->nseqs;
}

struct Program {
    Arena arena;
    struct NativeProgram *native;
    Store *st;
    VEC(Block *) blocks;
    Block *root;
    int nroots;
    u32 max_in, max_out;          /* of any wide instruction */
    u32 max_columns, max_buffers; /* of any fused group */
};

#endif
