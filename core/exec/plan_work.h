/* What the parts of the planner share: plan.c (what is needed), plan_emit.c (code for
 * nodes), plan_counter.c (the form of loops), plan_loop.c (code around bodies), plan_finish.c (last
 * uses, registers).
 *
 * Invariant: until plan_finish, the operands of instructions are value numbers. */
#ifndef GRADUS_PLAN_WORK_H
#define GRADUS_PLAN_WORK_H

#include "exec/vm_code.h"
#include "ops/control.h"

enum { BLOCK_CALL, BLOCK_SCAN };

typedef struct {
    Store *st;
    Program *p;
    PtrMap blocks; /* graph -> its blocks */
    u32 flags;
} Planner;

/* What is needed to compute some outputs of a graph. */
typedef struct {
    NodeVec order; /* operands first */
    PtrMap index;  /* node -> 1 + place in order */
    bool *needed;  /* by place */
    bool *root;    /* by place: an output */
    bool **used;   /* by place, tuples only: which results */
    Block **child; /* by place, two each: the planned bodies; NULL: nothing to run */
} Need;

bool need_compute(Planner *pl, int nouts, Node *const *outs, const bool *wanted, Need *need);
void need_free(Need *need);
static inline u32 need_place(const Need *need, const Node *n)
{
    return (u32)(uintptr_t)map_get(&need->index, n) - 1;
}

/* A scan or a loop as it is planned (plan_counter.c). Nothing here is a node of its own: `s` holds
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
    i64 def, last; /* places in the code; last -1: never used */
    i64 seen;      /* while looking for two uses in one instruction */
    bool twice;
    Tensor *constant;
} Value;

typedef struct {
    Planner *pl;
    Block *b;
    Need need;
    VEC(Value) values;
    VEC(Ins) code;
    VEC(const Node *) where;
    u32 *value; /* by place of the node: its value, or that of its first result */
    u32 *param; /* by index of the parameter */
    u32 *trace; /* loops, by place: the first trace this node gives, then next_trace */
    u32 *next_trace;
    u32 *check; /* by place: the first check of this condition, then next_check */
    u32 *next_check;
    PtrMap constants; /* tensor -> 1 + its value */
    const Node *at;
    bool failed;
} Emit;

u32 value_new(Emit *e, u8 kind);
u32 value_of(Emit *e, const Node *n);
u32 value_of_constant(Emit *e, const Node *n);
u8 kind_of(const Type *t);
Ins *emit(Emit *e, InsOp op, u32 d, u32 a, u32 b);
Wide *emit_wide(Emit *e, InsOp op, const Node *n, u32 nin, u32 nout);
void *plan_alloc(Planner *pl, size_t count, size_t size);
Arg arg_of(Emit *e, u32 value);

bool emit_nodes(Emit *e);            /* plan_emit.c; false: failed */
void emit_control(Emit *e, Node *n); /* plan_loop.c */
void emit_loop_top(Emit *e, const ScanShape *s);
void emit_loop_traces(Emit *e, const ScanShape *s, const bool *wanted);
void emit_traces_of(Emit *e, u32 place);
void emit_loop_end(Emit *e, const ScanShape *s);
void plan_peephole(Emit *e);      /* plan_peep.c */
void plan_finish(Emit *e);        /* plan_finish.c */
bool node_updates(const Node *n); /* its first operand is changed in place if it can be */
void plan_uses(Emit *e);
const char *ins_form(InsOp op);
u32 *ins_field(Ins *ins, char letter);
bool ins_is_wide(InsOp op);
bool ins_is_index(InsOp op);
u32 *plan_order(const Emit *e, u32 *count); /* plan_order.c: places; caller frees */
void need_fused(Need *need, const Node *n, const bool *used); /* plan_fuse.c */
void emit_fused(Emit *e, const Node *n);

#endif
