/* A scan that is looked at step by step: which one, how far it runs, what its values are called. */
#ifndef GRADUS_LOOKING_H
#define GRADUS_LOOKING_H

#include "passes/loops/unroll_back.h"
#include "repl/commands/commands.h"

typedef struct {
    Call *c;
    Store *st;
    int nroots;
    Node **roots; /* calls and derivatives expanded */
    Node *scan;
    i64 steps; /* executed */
    bool stopped;
    Unroll u;
} Looking;

/* The roots of the command, derivatives expanded, and their scan (`scan=`, else the last), counted.
 * false after a diagnostic; end it either way. */
bool looking_begin(Looking *l);
void looking_end(Looking *l);
/* The values of nodes as they stand, in at[0] .. at[n - 1]; false after a diagnostic; to be
 * released either way. */
bool looking_evaluate(Looking *l, const NodeVec *nodes, Tensor ***at);
void looking_release(Tensor **at, size_t n);
/* A value in the next cell of a table and of the data; NULL: an empty one. */
void looking_cell(Looking *l, Table *table, const Tensor *t, const char *after);
/* A node of the body: as its author calls it, else its text, else operator and type. */
char *looking_label(Looking *l, Node *n);
/* Is the value one real number? false after a diagnostic. */
bool looking_loss(Looking *l);
/* How many steps are not shown, and what stopped the loop. */
void looking_put_end(Looking *l, i64 shown);

#endif
