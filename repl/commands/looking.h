/* A scan that is looked at step by step: which one, how far it runs, which of its steps are shown,
 * what its values are called.
 *
 * Steps are counted in the order in which the loop takes them, from 0. */
#ifndef GRADUS_LOOKING_H
#define GRADUS_LOOKING_H

#include "analysis/loop_probe.h"
#include "analysis/loop_values.h"
#include "repl/commands/commands.h"
#include "tensor/grid.h"

typedef struct {
    Call *c;
    Store *st;
    int nroots;
    Node **roots; /* calls and derivatives expanded */
    Evaluator e;
    Node *scan;
    ScanShape s;
    i64 steps; /* executed */
    bool stopped;
    i64 rows;  /* steps to show at most */
    i64 from;  /* the first one, if that was asked for; else -1 */
    i64 first; /* those that are shown: [first, first + k) */
    int k;
    int width, digits; /* of tables */
    bool part;         /* a value is shown in part */
} Looking;

/* The roots of the command, derivatives expanded, and their scan (`scan=`, else the last), counted;
 * `at=`, which may name as many as `most` steps and without an end means so many `rows`; `width=`,
 * `digits=`. false after a diagnostic; end it either way. */
bool looking_begin(Looking *l, i64 rows, i64 most);
void looking_end(Looking *l);
/* The scan that the value comes from last, or the last of the name that `scan=` gives: that of its
 * definition, of a state or of an output. NULL after a diagnostic. (scan_names.c) */
Node *looking_scan(Looking *l);
/* Leaves those of the values that `only=` chooses: all without it. false after a diagnostic. */
bool looking_choose(Looking *l, LoopValues *values);
/* The steps that are shown: `rows` from `first` on, as far as there are any. */
void looking_show(Looking *l, i64 first);
/* Is the value one real number? false after a diagnostic. */
bool looking_loss(Looking *l);
/* How many steps are not shown and how to see them, and what stopped the loop. */
void looking_put_end(Looking *l);
/* The same of a table that goes from the last step to the first. */
void looking_put_way_back(Looking *l);
/* What to do about values that are shown in part, if there are any. */
void looking_put_part(Looking *l);

/* The tables of :trace: of states, and of all values of the body (commands_loop.c). False after a
 * diagnostic. */
bool trace_states(Call *c);
bool trace_values(Call *c);
/* The two tables of reverse mode, over straight-line code (commands_reverse.c). */
bool trace_modes(Call *c, bool backward);

/* ---- what the two tables of :trace share ---- */

/* The labels of the columns, in the text with a prefix. */
void watched_heading(Cells *t, const char *prefix, const LoopValues *columns, bool stop);
/* A row: of the i-th step written out, or (-1) of what was there before the first step. */
void watched_row(Looking *l, Cells *t, int i, Tensor **at);

/* ---- the way back (way_back.c) ---- */

/* What `grad=` gives, a tensor of reals, by which one real number can be derived; NULL after a
 * diagnostic. */
Node *watched_variable(Looking *l);
/* The table of what the value changes by, and the gradient. false after a diagnostic. */
bool watched_way_back(Looking *l, const LoopValues *all, Node *x);

#endif
