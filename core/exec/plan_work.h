/* What the parts of the planner share: plan.c (what is needed), plan_emit.c (code for
 * nodes), plan_lazy.c (what is computed when it is first needed), plan_form.c (the form of
 * loops), plan_loop.c (code around bodies), plan_finish.c (last uses, registers).
 *
 * Invariant: until plan_finish, the operands of instructions are value numbers. */
#ifndef GRADUS_PLAN_WORK_H
#define GRADUS_PLAN_WORK_H

#include "exec/vm_code.h"
#include "graph/control.h"

enum { BLOCK_CALL, BLOCK_SCAN };

typedef struct {
    Store *st;
    Program *p;
    MAP(const Graph *, Block *) blocks; /* graph -> its blocks */
    u32 flags;
} Planner;

/* When a value is needed. What only a branch needs is computed when it first is, so at most once,
 * and not at all if it never is; an error in it is then none. */
enum { NEED_NOT, NEED_BRANCH, NEED_ALWAYS };
/* A value that comes from the block around a part that is computed when needed (plan_lazy.c). */
enum { LEAF_NOT, LEAF_READY, LEAF_LAZY };

/* What is needed to compute some outputs of a graph. */
typedef struct {
    int ready;        /* set before: the first parameters, which never wait: states and elements */
    NodeVec order;    /* operands first */
    NodeCounts index; /* node -> 1 + place in order */
    u8 *needed;       /* by place: NEED_.. */
    u8 *leaf;         /* by place: LEAF_..; nothing below a leaf is in `order` */
    u32 *owner;       /* by place, not always needed: 1 + the place of what it is computed with */
    bool *root;       /* by place: an output */
    bool **used;      /* by place, tuples only: which results */
    Block **child;    /* by place, two each: the planned bodies; NULL: nothing to run */
} Need;

typedef struct {
    MAP(Node *, u8) kind; /* LEAF_.. */
    NodeVec order;        /* its keys, in the order in which they were found */
} Leaves;
/* leaves NULL: none. */
bool need_compute(Planner *pl, int nouts, Node *const *outs, const bool *wanted,
                  const Leaves *leaves, Need *need);
void need_owners(Planner *pl, Need *need); /* plan_lazy.c: fills `owner` */
/* Operands of the node at a place, as far as they are in `order`. */
static inline u32 need_operand_count(const Need *need, u32 place)
{
    return need->leaf[place] ? 0 : need->order.at[place]->nops;
}
static inline u32 need_place(const Need *need, const Node *n)
{
    return map_get(&need->index, n) - 1;
}

/* A scan or a loop as it is planned (plan_form.c). Nothing here is a node of its own: `s` holds
 * body, counts, flags and n; its operands are in `args`. */
typedef struct {
    ScanShape s;
    Node **args; /* by parameter of the body: the operand it stands for */
    Node *go;    /* no step unless this is true, and s.n must be enough; NULL: s.n is the count */
    bool exact;  /* fewer than s.n steps are an error */
} LoopForm;
bool plan_form(Planner *pl, Node *n, LoopForm *f);

/* The block of a graph with these outputs wanted (plan.c). NULL after a diagnostic. */
Block *plan_branch(Planner *pl, Graph *g, const bool *wanted);
Block *plan_body(Planner *pl, const ScanShape *s, const bool *wanted);

typedef struct {
    u8 kind;
    bool pinned;  /* never released by the code: constants, captures, sequences */
    bool written; /* some instruction or caller writes it */
    bool loop_state;
    u32 reg;
    u32 uses;
    i64 def, first, last; /* places in the code: computed; used; -1: never */
    i64 seen;             /* while looking for two uses in one instruction */
    bool twice;
    Tensor *constant;
    Wide *delayed; /* KIND_LAZY: what computes it; NULL: the caller's */
    u32 kept;      /* the instruction for which it was last kept */
} Value;

typedef struct {
    Planner *pl;
    Block *b;
    Need need;
    VEC(Value) values;
    VEC(Ins) code;
    VEC(const Node *) where;
    u32 *value; /* by place of the node: its value, or that of its first result */
    u32 *lazy;  /* by place, not always needed: what stands for its value until it is computed */
    u32 *param; /* by index of the parameter */
    u32 *trace; /* loops, by place: the first trace this node gives, then next_trace */
    u32 *next_trace;
    u32 *check; /* by place: the first check of this condition, then next_check */
    u32 *next_check;
    MAP(const Tensor *, u32) constants; /* tensor -> 1 + its value */
    VEC(Wide *) delays;
    const Node *at;
    bool failed;
} Emit;

u32 value_new(Emit *e, u8 kind);
u32 value_of(Emit *e, const Node *n);
u32 value_of_constant(Emit *e, const Node *n);
u32 value_of_tensor(Emit *e, Tensor *t, u8 kind); /* a constant that the Store holds */
u8 kind_of(const Type *t);
Ins *emit(Emit *e, InsOp op, u32 d, u32 a, u32 b);
Wide *plan_wide(Emit *e, const Node *n, u32 nin, u32 nout); /* in no instruction yet */
Wide *emit_wide(Emit *e, InsOp op, const Node *n, u32 nin, u32 nout);
void *plan_alloc(Planner *pl, size_t count, size_t size);
void *plan_keep(Planner *pl, const void *from, size_t count, size_t size); /* a copy of them */
Arg arg_of(Emit *e, u32 value);

/* What an operator that owns graphs takes for n: its value; or, if that is not always needed, or
 * the graph does not always need it (`lazily`), what stands for it. */
Arg arg_or_lazy(Emit *e, const Node *n, bool lazily); /* plan_lazy.c */
void emit_delay(Emit *e, Node *n);
void emit_kept(Emit *e, const Arg *args, u32 n); /* after what may compute them */
bool plan_code(Emit *e, int nouts, Node *const *outs, const bool *wanted, const Leaves *leaves);
void plan_outs(Emit *e, int nouts, Node *const *outs, const bool *wanted);
Block *block_new(Planner *pl, Graph *g, int kind);
void emit_free(Emit *e);

bool emit_nodes(Emit *e);            /* plan_emit.c; false: failed */
void emit_control(Emit *e, Node *n); /* plan_loop.c */
/* plan_choose.c: may both sides be computed and one taken? The code for a branch whose operands are
 * scalars; w is not kept. */
bool branches_are_chosen(const Emit *e, const Block *const side[2]);
void emit_choice(Emit *e, const Wide *w);
void emit_loop_top(Emit *e, const ScanShape *s);
void emit_loop_traces(Emit *e, const ScanShape *s, const bool *wanted);
void emit_traces_of(Emit *e, u32 place);
void emit_loop_end(Emit *e, const ScanShape *s);
void plan_peephole(Emit *e); /* plan_peep.c */
void plan_finish(Emit *e);   /* plan_finish.c */
void plan_uses(Emit *e);
enum { I_GONE = I_COUNT }; /* an instruction that is none until plan_compact (plan_peep.c) */
void plan_compact(Emit *e);
const char *ins_form(InsOp op);
u32 *ins_field(Ins *ins, char letter);
bool ins_is_wide(InsOp op);
bool ins_is_index(InsOp op);
u32 *plan_order(const Emit *e, u32 *count); /* plan_order.c: places; caller frees */
void need_fused(Need *need, const Node *n, const bool *used, u8 level); /* plan_fuse.c */
void emit_fused(Emit *e, const Node *n);

/* ---- steps of groups (plan_steps.c) ---- */

/* The steps of an elementwise node whose operands are in those columns; the first step is `first`
 * as a column. `out` has room for as many as tile_step_count says. */
u32 tile_step_count(const Node *n);
void tile_steps_of(const Node *n, const u32 *columns, u32 first, TileStep *out);
/* The same of a fused or elementwise instruction; how many they are, and the column of a result. */
u32 wide_step_count(const Wide *w);
u32 wide_steps_of(const Wide *w, const u32 *columns, u32 first, TileStep *out);
u32 wide_column(const Wide *w, u32 out, u32 first);
/* By column the last step that reads it, or 0 (caller frees). */
u32 *tile_last_reads(const Tiles *t, u32 nin);
/* Steps that give no result and have no tile yet go to as few as possible; last: by column, nsteps
 * of what is read after all steps. */
void tile_place_steps(Tiles *t, u32 nin, const u32 *last);
/* An operand is put together in a tile of its own, so no result may take its memory. */
void tile_fill_operand(Planner *pl, Wide *w, u32 k, u8 how);
void plan_room(Planner *pl, u32 columns, u32 buffers); /* there are so many at least */

void plan_arrays(Emit *e);  /* plan_made.c: before registers have numbers; fills lanes, shifts */
void plan_repeats(Emit *e); /* plan_repeat.c: broadcasts become part of the groups they go to */
void emit_group_of(Emit *e, Ins *ins); /* plan_repeat.c: an elementwise operator becomes a group */
void plan_views(Emit *e); /* plan_views.c: slices and the like become views with strides */
/* plan_sinks.c: scatters and running sums take what is computed tile by tile. */
void plan_sinks(Emit *e);
void plan_deferred(Emit *e); /* plan_deferred.c: what a group alone reads is made tile by tile */
void plan_tests(Emit *e);    /* plan_tests.c: conditions that only checks look at */
/* plan_rooms.c, the last of these to change code: parts of arrays are written where they belong. */
void plan_rooms(Emit *e);
void plan_draws(Planner *pl, Block *b); /* plan_draws.c: after registers have numbers */
/* plan_rows.c: after registers have numbers. */
void plan_rows(Planner *pl, Block *b);
/* plan_sweep.c: these instructions as one list of steps on rows; NULL: they are none. By tensor
 * register: it is released among them; where a result belongs. */
Sweep *plan_sweep(Planner *pl, const Block *b, const Ins *code, u32 ncode, const bool *gone,
                  RoomPart *const *room);

/* ---- rows of instructions (cost.c) ---- */

/* By block its first row, if all instructions of all blocks have one (caller frees); *n: how many.
 */
u32 *program_rows(const Program *p, u32 *n);
/* Fills Block.nanoseconds, and that of its fused groups. */
void plan_prices(Block *b);
/* What it does, also where it measures itself (cost.h). */
InsOp ins_op(const Ins *ins);

#endif
