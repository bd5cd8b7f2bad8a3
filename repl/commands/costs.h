/* What :cost and :profile share: sizes as numbers, and what a row of a program is called. */
#ifndef GRADUS_COSTS_H
#define GRADUS_COSTS_H

#include "analysis/cost_rows.h"
#include "analysis/size_numbers.h"
#include "repl/commands/commands.h"

/* Are the sizes that were given those of inputs, and numbers? False after a diagnostic. */
bool call_check_sizes(Call *c);

/* assume=, n=; false after a diagnostic. */
bool cost_numbers_begin(SizeNumbers *n, Call *c);

/* An expression as it is run: explored, planned, priced. */
typedef struct {
    SizeNumbers numbers;
    Call *c;
    Exploration *x;
    Program *p;
    ProgramCost cost;
    CostPlaces at;
} Costing;
/* False after a diagnostic. In any case to be ended. */
bool costing_begin(Costing *k, Call *c);
void costing_end(Costing *k);

/* What it takes to run what this exploration ends in; -1: it cannot be planned. */
double predicted_seconds(Call *c, const Exploration *x);

/* "3.2e+06": a count as it is told. */
Datum count_datum(Report *r, double x);
/* "12.5 %" */
Datum share_of(Report *r, double part, double whole);
/* What a row computes, and the file and line where that was written (null: not known). */
Datum row_name(Costing *k, const CostRow *row);
Datum row_place(Costing *k, const CostRow *row);
#endif
