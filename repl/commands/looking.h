/* A scan that is looked at step by step: which one, how far it runs, which of its steps are shown,
 * what its values are called.
 *
 * Steps are counted in the order in which the loop takes them, from 0. */
#ifndef GRADUS_LOOKING_H
#define GRADUS_LOOKING_H

#include "passes/loops/unroll_back.h"
#include "repl/commands/commands.h"
#include "repl/commands/grid.h"

typedef struct {
    Call *c;
    Store *st;
    int nroots;
    Node **roots; /* calls and derivatives expanded */
    Node *scan;
    i64 steps; /* executed */
    bool stopped;
    i64 rows;          /* steps to show at most */
    i64 from;          /* the first one, if that was asked for; else -1 */
    Unroll u;          /* those that are shown */
    int width, digits; /* of tables */
    bool part;         /* a value is shown in part */
} Looking;

/* The roots of the command, derivatives expanded, and their scan (`scan=`, else the last), counted;
 * `from=`, `width=`, `digits=`. false after a diagnostic; end it either way. */
bool looking_begin(Looking *l);
void looking_end(Looking *l);
/* The scan that the value comes from last, or the last of the name that `scan=` gives: that of its
 * definition, of a state or of an output. NULL after a diagnostic. (scan_names.c) */
Node *looking_scan(Looking *l);
/* Which of the values with these labels `only=` chooses: all without it. false after a diagnostic.
 */
bool looking_choose(Looking *l, size_t n, char *const *labels, bool *chosen);
/* Writes out the steps [first, first + rows) as far as there are any, in l->u. */
bool looking_unroll(Looking *l, i64 first);
/* The values of nodes as they stand, in at[0] .. at[n - 1]; false after a diagnostic; to be
 * released either way. */
bool looking_evaluate(Looking *l, const NodeVec *nodes, Tensor ***at);
void looking_release(Tensor **at, size_t n);
void looking_print(Looking *l, Grid *g);
/* A value in the next cell of a table and of the data; NULL: an empty one. */
void looking_cell(Looking *l, Grid *g, const Tensor *t);
/* A node of the body: as its author calls it, else its text, else operator and type. */
char *looking_label(Looking *l, Node *n);
/* Is the value one real number? false after a diagnostic. */
bool looking_loss(Looking *l);
/* How many steps are not shown and how to see them, and what stopped the loop. */
void looking_put_end(Looking *l);
/* The same of a table that goes from the last step to the first. */
void looking_put_way_back(Looking *l);
/* What to do about values that are shown in part, if there are any. */
void looking_put_part(Looking *l);

#endif
