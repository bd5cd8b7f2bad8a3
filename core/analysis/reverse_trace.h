/* Reverse mode over straight-line code as textbooks show it: every value has a name (x1, v1, v2,
 * ..) and an adjoint (v1_bar), every operand of an operator a factor, the local derivative.
 *
 * The adjoints are those of the derivative's own sweep (reverse_sweep.h), which :play shows, too.
 * What one operator adds to the adjoints of its operands comes of the same rules, applied to that
 * operator alone over names.
 *
 * Invariant: operands stand before users, inputs first; the last value is the result. Everything is
 * of the graph as it is written, but for calls, which are inlined. */
#ifndef GRADUS_REVERSE_TRACE_H
#define GRADUS_REVERSE_TRACE_H

#include "analysis/probe.h"

typedef struct {
    int of;         /* the operand, a value */
    Node *term;     /* what its adjoint gets, over the names; NULL: nothing */
    Node *factor;   /* the local derivative over the names; NULL: it has no short form */
    bool diagonal;  /* of each element by the same element of the operand */
    Tensor *number; /* the factor's value, if it is one number and known */
} TracedRead;

typedef struct {
    Node *node, *bar;   /* of the graph; bar NULL: the result does not change with it */
    Symbol name, given; /* v1, and what its author calls it, or NULL */
    Symbol bar_name;
    Node *named, *named_bar;   /* what stand for them */
    Node *local;               /* the operator over the names of its operands; of an input: NULL */
    Node *sum;                 /* the adjoint over the names; NULL: there is none */
    VEC(TracedRead) reads;     /* each operand once */
    Tensor *value, *bar_value; /* NULL: not known */
} TracedValue;

typedef struct {
    VEC(TracedValue) values;
    bool valued; /* all inputs have values */
} ReverseTrace;

enum { TRACE_MOST = 200 }; /* values: more are no table that anyone reads */

/* Of a real number, or of the gradient of one, which is then traced instead; at most `most` values.
 * false after a diagnostic at `span`: there is a loop, a branch, too much, or no derivative. Free
 * it either way. */
bool reverse_trace(const Evaluator *e, int n, Node *const *roots, int most, Span span,
                   ReverseTrace *out);
void reverse_trace_free(ReverseTrace *t);

#endif
