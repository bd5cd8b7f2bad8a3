/* The parts of :explain: what an expression costs, what its gradients keep.
 *
 * Invariant: every number is counted from the graph. A size that is not known stays a symbol; where
 * costs are compared, and only there, a number stands for it, which is said. */
#ifndef GRADUS_EXPLAIN_H
#define GRADUS_EXPLAIN_H

#include "graph/control.h"
#include "ops/cost.h"
#include "repl/commands/change.h"

/* Operations on numbers, and bytes read and written; NULL: not known before it runs. */
typedef struct {
    Size *flops, *bytes;
} Cost;

/* A node, and one of its graphs. */
typedef struct {
    Node *n;
    const Graph *g;
} Owner;

typedef struct {
    Call *c;
    Store *st;
    Exploration *x;
    Text *out;
    bool markdown;
    bool assumed;      /* ASSUMED stood for something */
    PtrMap numbers;    /* SizeAtom -> its value, a double; to itself: it is not known */
    PtrMap costs;      /* Node, Graph -> Cost */
    VEC(Owner) owners; /* of the graph that is gone through, the outermost first */
    Arena arena;
} Explain;

/* ---- the page (commands_explain.c) ---- */

void explain_heading(Explain *e, const char *title);
/* A point of the page, folded at its width; the text is freed. */
void explain_point(Explain *e, int level, Text *text);
/* "128 bytes", "1.5 KB", "16*T bytes"; nothing is known of NULL. */
void explain_bytes(Explain *e, Text *out, Size *bytes);
/* "f64[4, 2]", sizes as far as they are known. */
void explain_type(Explain *e, Text *out, const Type *t);
/* "2 matmul, 1 tanh": what these nodes compute. */
void explain_operators(Text *out, const NodeVec *nodes);

/* ---- sizes and costs (explain_cost.c) ---- */

/* What stands for a size that is not known where costs are compared. */
enum { ASSUMED = 100 };

/* *known becomes false if it is not; then with ASSUMED in place of what is not known. */
double size_number(Explain *e, const Size *s, bool *known);
/* Of one node; a loop as often as it runs, a branch its dearer side. */
Cost cost_of_node(Explain *e, Node *n);
Cost cost_of_roots(Explain *e, int n, Node *const *roots);
Cost cost_add(Store *st, Cost a, Cost b);
/* A size or type of the graph that is gone through, with sizes as they are outside of all. */
Size *size_outside(Explain *e, Size *s);
Type *type_outside(Explain *e, Type *t);
/* The steps that changed the cost most; data `rewrites`. */
void explain_rewrites(Explain *e);

/* ---- what is kept (explain_kept.c) ---- */

/* "rnn.gr:12" */
void explain_place(Text *out, const Span *s);
/* For each loop that runs backward, what it reads of the loop forward; data `kept`. */
void explain_kept(Explain *e, int n, Node *const *roots);

#endif
