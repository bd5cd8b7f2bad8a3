/* States that only gather: s' = s + g, s - g, s * g, -(s * g), s / g, max(s, g), .. */
#ifndef GRADUS_GATHER_H
#define GRADUS_GATHER_H

#include "graph/reads.h"
#include "ops/scan_edit.h"

typedef struct {
    OpId op;      /* what puts the state and g together */
    Node *in;     /* where the state stands, beside the operands of g */
    Node *state;  /* as the body has it */
    bool minus;   /* g is the negation of the other operands; */
    bool inverse; /* the state is divided by them */
} Gather;

/* How `next` gathers, if the state stands in it once and as an operand. */
bool gather_find(Node *next, Node *state, Gather *g);
/* g, built; of an inverse the divisor. NULL after a diagnostic. */
Node *gather_with(Store *st, const Gather *g);
/* Does some operand of g read one of the parameters from..to-1 of the body? */
bool gather_reads(const Gather *g, const GraphReads *reads, int from, int to);
/* The reduction that does the same to all rows at once; OP_COUNT: there is none. */
OpId gather_reduction(OpId op);
/* The one number that init consists of; false: there is none. */
bool gather_number(const Node *init, double *number);
/* Is init that, so that a reduction may do without it? A sum begins with 0 itself. */
bool gather_changes_nothing(OpId op, const Node *init);

#endif
