/* Running pieces of text in a session and looking at the values. */
#ifndef GRADUS_SCAN_RUN_H
#define GRADUS_SCAN_RUN_H

#include "run_text.h"

typedef struct {
    int n;
    Tensor **at;
} Values;

void values_free(Values *v);
/* The values of an expression, with the pass `loops` (and its rules in other passes) on or off. */
bool run_values(Session *s, const char *text, bool loops, Values *out);
/* What all passes make of an expression; NULL after a diagnostic. Free with exploration_free. */
Exploration *run_explored(Session *s, const char *text);
/* The same with every loop written out step by step, and `loops` off: adds to `loops` how many. */
bool run_unrolled(Session *s, const char *text, u32 *loops, Values *out);
/* The values of an expression three ways: scans that run as they are, as loops, and as loops whose
 * counters nobody recognises. All bits the same; `why` tells where they are not. */
bool run_lowered(Session *s, const char *text, u32 *compared, Text *why);
/* Largest |a - b| over the largest magnitude (at least 1); infinite if shape or kind differ. */
double values_error(const Tensor *a, const Tensor *b);
/* The slope of a scalar expression along a random direction of an input, and `gradient` along the
 * same. */
bool run_difference(Session *s, const char *text, const char *input, const Tensor *gradient,
                    u64 seed, double *slope, double *along);
/* Audits an expression: false and the offending step in `why` if one differs. */
bool run_audit(Session *s, const char *text, u32 *steps, Text *why);

#endif
