/* What evaluating a node costs: operations and bytes, counted from its type and operands, and the
 * time that they take on one machine.
 *
 * Counts are of the graph as it is written: fusion saves bytes, laziness saves both. One elementary
 * operation of an element counts one, be it `+` or `tanh`; a product of matrices counts a
 * multiplication and an addition for each pair; factorisations count their leading terms (Golub and
 * Van Loan, Matrix Computations, 4th edition, sections 3 and 4).
 *
 * Invariant: a count is a size like those in types, so it may mention symbols: 6*n. A time depends
 * on the counts alone: it is the same wherever it is asked for. */
#ifndef GRADUS_COST_H
#define GRADUS_COST_H

#include "graph/store.h"

/* Operations on numbers; a loop counts its body as often as it can run, a branch its larger side.
 * NULL: not known before it is expanded or run (an implicit derivative, a while loop). */
Size *node_flops(Store *st, Node *n);
/* Bytes of operands read and results written, once each. */
Size *node_bytes(Store *st, Node *n);
Size *type_bytes(Store *st, const Type *t);

/* A size as a number, with that for each name, parameter and value in it. */
typedef double (*AtomNumber)(void *ctx, const SizeAtom *a);
double size_estimate(const Size *s, AtomNumber number, void *ctx);

/* ---- time ---- */

/* Nanoseconds on one core of the machine of the model, an x86-64 server with vectors of 512 bits
 * and OpenBLAS; measured on long arrays and on loops of many steps, and rounded. Other machines are
 * faster or slower by a factor, which changes no order (tests/bench/cost.py tells how well
 * predictions agree with the machine it runs on). */
typedef struct {
    double work;      /* a unit of work (elem.def) on an element */
    double pair;      /* an operation of a product of matrices */
    double factor;    /* an operation of a factorisation */
    double near, far; /* a byte that is in cache, and one that is not */
    double cache;     /* bytes that are */
    double start;     /* a run */
    double kernel;    /* running an operator, beside what it does to its elements */
    double library;   /* the same of one of LAPACK */
    double group;     /* running a fused group, and each step of it on a tile */
    double group_step;
    double call;        /* a branch, or a call */
    double loop;        /* a loop, beside its steps */
    double row;         /* a row of a trace that is kept, or of a sequence that is read */
    double instruction; /* of the virtual machine, on scalars */
    double scalar_work; /* each further unit of work of one */
    double compile;     /* a program as native code */
} Machine;
extern const Machine machine;

/* Time of one operation of this operator, in that of a negation of an element. */
double op_work(OpId op);
/* An operation on numbers in registers, of so much work. */
double scalar_nanoseconds(double work);
/* Is the result a view of the first operand, so that nothing is moved? A slice is, of axis 0. */
bool op_is_view(const Node *n);
/* Starting an operator. */
double op_start_nanoseconds(OpId op);
/* So many operations of an operator that reads and writes so many bytes, without starting it. */
double op_nanoseconds(OpId op, double flops, double bytes);
/* The bytes alone. */
double bytes_nanoseconds(double bytes);

#endif
