/* What the parts of the virtual machine share: vm.c (the interpreter), vm_array.c
 * (operators through their eval functions), vm_block.c (frames, calls, branches),
 * vm_loop.c (loops).
 *
 * Invariant: a frame that is not in use has no references in its registers but the
 * constants. A function that returns false has filled env->error; whoever owns a frame
 * then releases all it holds. */
#ifndef GRADUS_VM_RUN_H
#define GRADUS_VM_RUN_H

#include "exec/vm.h"
#include "exec/vm_code.h"

/* A trace being written. */
typedef struct {
    Tensor *rows; /* NULL before the first row of tensors */
    i64 capacity;
    int rank; /* of a row */
    i64 shape[MAX_RANK];
    size_t bytes; /* of a row */
} Trace;

typedef struct {
    int rank;
    i64 shape[MAX_RANK];
} Shape;

/* A part of a block that is computed when it is first needed, and what stands for one result. */
typedef struct {
    const Wide *wide;
    Reg *r; /* registers of the block it is in */
    bool done;
} Delay;
typedef struct {
    Delay *of;
    u32 result;
} Lazy;

typedef struct Frame {
    struct Frame *next;
    Trace *traces;
    Shape *states;
    Delay *delays;
    Lazy *lazy;
    Reg *r;
} Frame;

typedef struct Loop {
    struct Loop *up;
    const Block *block;
    const Wide *wide;
    Frame *frame;
    const Reg *around; /* registers of the block it is in */
    i64 n;             /* steps asked for; SCAN_UNBOUNDED: no limit */
    i64 done;          /* steps before the present chunk; in the end all that ran */
    i64 chunk;         /* steps until the next poll */
    i64 most;          /* steps of a chunk, at most; 0: as the block says */
    i64 rows;          /* capacity of the traces of scalars */
    bool stopped;
    bool leave; /* the machine stops at the end of a chunk: native code goes on */
} Loop;

/* How a fused group goes over operands that are smaller or have strides: `length` elements of each
 * are one, or lie at one distance, and rows of them along `rank` axes. Not used: they are put
 * together for each tile. */
typedef struct {
    i64 length, most; /* elements; taken at once, at most */
    int rank;
    bool used;
    i64 shape[MAX_RANK];
    i64 *stride; /* by operand: MAX_RANK + 1 elements, the last of them along the row */
} TileRows;

typedef struct Vm {
    const Program *p;
    VmEnv *env;
    Frame **free; /* by block */
    Loop *loop;   /* innermost */
    bool lent;    /* it is not left any more before its end */
    int failed;   /* loops that the message names already */
    u64 work;     /* so far, roughly in elements */
    u64 looked;   /* how much it was when the clock was last read */
    double start, reported;
    /* operands of the operator at work */
    Tensor *boxes;
    Tensor **in, **out;
    bool *moved;
    /* of the fused group at work */
    char **column; /* by column: where its present tile is */
    i64 *pace;     /* by column: elements to that of the next row (vm_columns.c) */
    TileRows rows;
    i64 element, elements; /* the first of the present tile, of how many */
    bool made, untrue;     /* conditions are arrays; one of those that are none does not hold */
    const Reg *frame;      /* where the operands are */
    char *scratch;
    struct Vm *helpers; /* of threads that share its work (vm_threads.c) */
    int nhelpers;
    bool helps; /* it is one of these */
} Vm;

bool vm_fail(Vm *vm, const Node *fault, const char *code, const char *fmt, ...) PRINTF_LIKE(4, 5);
bool vm_fail_status(Vm *vm, const Node *fault, int status); /* a kernel's; K_OK: true */
bool vm_no_memory(Vm *vm, const Node *n);                   /* for its result; false */
void vm_in_row(Vm *vm, i64 row);                /* adds to the message which row of a loop failed */
bool vm_poll(Vm *vm, const Node *at, i64 work); /* false: interrupted */
const char *vm_label(Vm *vm, const Node *n, char buffer[64]); /* "`x`", or the operator */

/* Where a result goes that belongs into a larger array, and its memory there; NULL: anywhere. */
static inline Destination room_of(const Reg *r, const RoomPart *room)
{
    return room ? (Destination){r[room->reg].t, room->offset, room->count}
                : (Destination){.whole = NULL};
}
static inline Tensor *tensor_in_room(const Reg *r, const RoomPart *room, DType d, int rank,
                                     const i64 *shape)
{
    Destination to = room_of(r, room);
    return tensor_at(&to, d, rank, shape);
}

/* vm.c */
bool vm_exec(Vm *vm, const Block *b, Reg *r, Loop *loop);
bool vm_check_failed(Vm *vm, const Node *check, const i64 *sides); /* false */
/* vm_profile.c */
bool vm_profiled(Vm *vm, const Block *b, const Ins *ins, Reg *r);
/* vm_array.c */
bool vm_array(Vm *vm, const Wide *w, Reg *r);
bool vm_put(Vm *vm, const Wide *w, Reg *r);
bool vm_leaf(Vm *vm, const Node *n, Reg *d);
bool vm_room(Vm *vm, const Node *n, Reg *d);
bool vm_size(Vm *vm, const Node *leaf, Reg *d);
bool vm_index_failed(Vm *vm, const Wide *w, Reg *r); /* false, with the message of the operator */
/* The same, of an array of that shape that is no tensor. */
bool vm_outside(Vm *vm, const Wide *w, i64 index, const i64 *shape);
Tensor *vm_boxed(Vm *vm, u8 kind, const Reg *r); /* a new tensor; NULL: no memory */
/* vm_threads.c: work that is predicted to take so long on one thread; by how many is it shared? */
int vm_threads(const Vm *vm, double nanoseconds);
/* Pieces of [0, n), on this machine or a helping one, which has the columns of this one as they
 * are now; false: failed, with a message. */
typedef bool VmPiece(Vm *vm, void *ctx, int thread, i64 from, i64 to);
bool vm_spread(Vm *vm, const Node *at, int threads, i64 n, i64 piece, VmPiece *run, void *ctx);
void vm_free_helpers(Vm *vm);
/* vm_tile.c */
bool vm_tiles(Vm *vm, const Wide *w, Reg *r);
/* The group is about to run: on elements of what shape? false: failed. */
bool tile_begin(Vm *vm, const Wide *w, Reg *r, Tensor *like);
bool tile_next(Vm *vm, const Wide *w, i64 n); /* past n elements that are done; false: failed */
void tile_end(Vm *vm, const Wide *w, Reg *r); /* operands go, results of vm->out come */
/* vm_sinks.c */
bool vm_sinks(Vm *vm, const Wide *w, Reg *r);
void vm_scratch(Vm *vm); /* makes room for tiles and their columns */
/* The group at work: goes to an element; all steps on n elements from there. */
void tile_seek(Vm *vm, const Wide *w, i64 element);
void tile_run(Vm *vm, const Wide *w, i64 n);
/* Whole tiles of the operands that are repeated as a whole. */
void tile_fill_repeats(Vm *vm, const Wide *w);
/* n elements, a tile at most, of the operands that are made as they are read. */
void tile_read_deferred(Vm *vm, const Wide *w, i64 element, i64 n);
/* vm_views.c: its rows, if it has any, and tile_run by these. */
void tile_rows(Vm *vm, const Wide *w, const Tensor *like);
void tile_run_rows(Vm *vm, const Wide *w, i64 n);
/* Are they rows of so many elements, for which there is native code? */
bool tile_is_short(const Vm *vm, const Tiles *t, i64 length);
/* Some rows of that length from this one on, reduced; how many, at most `most`. */
i64 tile_run_short(Vm *vm, const Wide *w, i64 row, i64 length, i64 most, char *const *sums);
/* The next n elements of an operand that is a view: where they lie, or put together in `out`. */
char *tile_view(const Vm *vm, u32 k, const Tensor *x, i64 n, char *out);
/* Where the result of a reduction has its element `at`. */
char *tile_place(Vm *vm, const Wide *w, Reg *r, const TileFold *f, i64 at);
/* vm_columns.c: the reductions of a group over an axis of (outer, axis, inner), inner > 1. */
bool vm_fold_columns(Vm *vm, const Wide *w, Reg *r, i64 outer, i64 axis, i64 inner);
/* A step on n elements of operands that are so far apart. */
void tile_apply(const TileStep *s, i64 n, char *const *arg, const i64 *pace, char *out);
/* Step `at` on n elements of columns, the first nin of which are operands. */
void tile_step(char *const *column, const Tiles *t, u32 nin, u32 at, i64 n);
/* vm_sweep.c: the instructions after one for a part by rows. How many they are; 0: they are still
 * to be run, on whole arrays; -1: failed. */
i64 vm_sweep(Vm *vm, Sweep *s, Reg *r);
/* vm_lanes.c */
bool lanes_fit(const Block *b, const Reg *r); /* all arrays have one shape */
bool vm_lanes(Vm *vm, Reg *r, Loop *loop);    /* all steps of a loop with lanes */
/* What an operand of lanes or shifts is: its tensor; NULL: a scalar in a register. */
const Tensor *lane_operand(const Block *b, const LaneInput *in, const Reg *r);
/* Where it is at the first step, and how many bytes further at the next. */
char *lane_start(const Loop *loop, const LaneInput *in, Reg *r, i64 *pace);
/* Where a trace's row of the first step is, and the same. */
char *lane_row(const Loop *loop, u32 trace, i64 *pace);
/* vm_shifts.c */
bool shifts_fit(const Block *b, const Reg *r); /* all operands are as long as planned */
bool vm_shifts(Vm *vm, Reg *r, Loop *loop);
/* vm_draws.c: all steps of a loop that draws from each state of a sequence */
bool vm_draws(Vm *vm, Reg *r, Loop *loop);
/* vm_block.c */
Frame *frame_get(Vm *vm, const Block *b);
void frame_put(Vm *vm, const Block *b, Frame *f);
void arg_pass(Reg *from, const Arg *arg, Reg *to);
/* The same to a parameter of that kind, for which the value may have to be computed first. */
bool arg_give(Vm *vm, Reg *from, const Arg *arg, u8 kind, Reg *to);
void vm_delay(const Wide *w, Reg *r);
/* The value that an argument has, if it is there; *kind: its kind. */
const Reg *arg_value(const Reg *from, const Arg *arg, u8 *kind);
bool vm_call(Vm *vm, const Wide *w, Reg *r);
bool vm_if(Vm *vm, const Wide *w, Reg *r);
/* vm_loop.c */
bool vm_scan(Vm *vm, const Wide *w, Reg *r);
bool loop_more(Vm *vm, Loop *loop); /* false: failed; loop->chunk 0: finished */
/* Makes room for a trace with rows like this one, whose data is not read. */
bool loop_first_row(Vm *vm, Loop *loop, u32 trace, const Tensor *row);
bool loop_row(Vm *vm, Loop *loop, u32 trace, const Tensor *row, i64 step, const Node *at);
/* The rows of a trace whose rows have a known type, with room for this step at least; NULL: failed.
 */
void *loop_rows(Vm *vm, Loop *loop, u32 trace, i64 step, i64 *room);
bool loop_known_row(Vm *vm, Loop *loop, u32 trace); /* loop_first_row, with the row's type */
void loop_few(Loop *loop, i64 most);                /* from now on at most so many steps at once */
bool loop_element(Vm *vm, Reg *view, const Tensor *sequence, i64 step, const Node *at);
bool loop_state(Vm *vm, const Loop *loop, u32 state, const Tensor *next, const Node *at);

#endif
