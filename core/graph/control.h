/* The parts of control nodes by name; see control.c for what they mean. */
#ifndef GRADUS_CONTROL_H
#define GRADUS_CONTROL_H

#include "graph/op.h"

/* What the derivative of a scan keeps of its steps; it changes memory and time, never a value.
 * NONE: every state that it reads, and the results of expensive operators. k >= 1: every k-th
 * state; the rest is computed again. So STATES (k = 1) keeps states only. AUTO: as k of about the
 * square root of the number of steps. */
enum { CHECKPOINT_NONE = 0, CHECKPOINT_STATES = 1, CHECKPOINT_AUTO = -1 };

#define SCAN_UNBOUNDED INT64_MAX /* the number of steps of a while loop */

typedef struct {
    Graph *body;
    int nstates, nseqs, ncaptures;
    int nouts; /* traces: body outputs that are neither next states nor stop */
    bool reverse, stop;
    i64 checkpoint;                       /* CHECKPOINT_NONE, CHECKPOINT_AUTO or k >= 1 */
    Node *n, **inits, **seqs, **captures; /* operands */
    int steps; /* index of the result `steps`; `stopped` is the next and last one */
    int nresults;
} ScanShape;
/* Results: [0, nstates) finals, [nstates, nstates + nouts) traces, steps, stopped. */
ScanShape scan_shape(const Node *scan);
/* Builds a scan from body, counts, flags and operands (nouts, steps, nresults are derived). */
Node *scan_node(Store *st, const ScanShape *s);

/* What the parts of a scan are to its author, by place: neither an initial value nor the value of
 * an equation says which state it belongs to, because two of them may be one node, and a body may
 * be that of several scans. For display and questions only. */
typedef struct ScanRoles {
    const Symbol *names; /* by parameter of the body: "p[t-1]"; NULL each where there is none */
    const int *traces;   /* by state: the trace of its equation, counted from 0, or -1 */
    const Symbol *outs;  /* by trace: "p[t]", or NULL */
    const bool *earlier; /* by state: only an earlier row of the state before it */
} ScanRoles;
/* As it was noted, else read off the body as far as it tells; a part without a name is called after
 * what it is fed by. Lives in the store. */
ScanRoles scan_roles(Store *st, const Node *scan);
/* Notes the parts of a scan whose body was just closed: by parameter and by trace what stands for
 * it, open. */
void scan_note_parts(Store *st, const Node *scan, Node *const *params, Node *const *traces);
/* Notes names and traces (copied) for a scan that was just written; the first stay. `earlier` is
 * found. */
void scan_note_roles(Store *st, const Node *scan, const ScanRoles *roles);

typedef struct {
    Graph *body;
    int nstates, ntraces, ncaptures;
    bool down, grows;
    int counter;           /* the state that is the number of the step, or -1: none counts */
    const IntList *walked; /* captures of which a step reads the row of that number, in order */
    Node *rows, *go, **inits, **captures; /* operands */
    int steps;                            /* index of the result `steps`, the last one */
} LoopShape;
enum { LOOP_ATTRS = 6 };
/* Results: [0, nstates) finals, [nstates, nstates + ntraces) traces, steps. */
LoopShape loop_shape(const Node *loop);
/* How many loops there are, in inner graphs, too, each graph once. */
u32 loops_count(int nroots, Node *const *roots);
/* The scans that the roots reach outside of other loops, operands first. */
void scans_of(int nroots, Node *const *roots, NodeVec *out);
static inline bool node_is_loop(const Node *n) { return n->op == OP_SCAN || n->op == OP_LOOP; }
/* Builds a loop from body, counts, flags, counter and operands (the rest is derived). */
Node *loop_node(Store *st, const LoopShape *s);

/* A counter is 0, 1, ... rows-1 or, `down`, rows-1, ... 0: what it starts with, whether there is a
 * first step, what follows, and whether that is the number of a step, too. One of these forms is
 * what makes a state a counter. NULL after a diagnostic. */
Node *counter_first(Store *st, Node *rows, bool down);
Node *counter_go(Store *st, Node *rows, bool down);
Node *counter_next(Store *st, Node *counter, bool down);
Node *counter_test(Store *st, Node *next, Node *rows, bool down);
/* The test of the counter in the body of a loop that has one; NULL: there is none. */
Node *loop_counter_test(Store *st, const LoopShape *s);
/* Is state k of the loop a counter, so that the number of steps is known but for what `go` says
 * besides? */
bool loop_counts(Store *st, const LoopShape *s, int k);
/* The row of capture k that a step reads, as a node of the body. */
Node *loop_walked_row(Store *st, const LoopShape *s, int k);
/* The attributes of a loop with what it records as it holds of these operands: a counter that is
 * none any more is forgotten, and what it walks is what the body reads. `room` is for the copy. */
const Attr *loop_recorded(Store *st, const Attr *attrs, u32 nops, Node *const *ops, Attr *room);

typedef struct {
    Graph *then_graph, *else_graph;
    const IntList *then_args, *else_args; /* parameter -> operand */
    Node *condition, **operands;
    int noperands;
} IfShape;
IfShape if_shape(const Node *ifelse);

/* The operand of the owner that stands for parameter i of one of its graphs; *row: of which it is a
 * row. NULL: none, it changes. */
Node *body_operand(const Node *owner, const Graph *g, int i, bool *row);
/* The size outside of a body that is this size parameter inside, or the value of this parameter;
 * NULL: there is none. */
Size *body_size_outside(Store *st, const Node *owner, const Graph *g, const SizeAtom *atom);

/* An `if` being put together: operands are added as its branches need them. */
typedef struct {
    NodeVec ops;    /* the condition, then the operands */
    NodeVec stands; /* by operand: what stands for it in the open branches, itself or a hole */
    Attr attrs[4];
} IfParts;
void if_open(IfParts *p, Node *condition);
void if_operand(IfParts *p, Node *operand, Node *stand);
/* Branch k (0: then) closed, what it captures becoming operands. False after a diagnostic. */
bool if_branch(Store *st, IfParts *p, int k, const CloseRequest *rq);
void if_closed_branch(Store *st, IfParts *p, int k, const Closed *c);
Node *if_node(Store *st, const IfParts *p);
void if_parts_free(IfParts *p);

#endif
