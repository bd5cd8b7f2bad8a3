/* How long evaluations take: measured as they run, unlike exec/cost.h, and so another each time.
 *
 * Values are never changed by being timed. */
#ifndef GRADUS_TIMING_H
#define GRADUS_TIMING_H

#include "exec/cost.h"
#include "session/session.h"

typedef struct {
    int n, runs;
    Tensor **values; /* of the last run, n of them */
    double median, best;
} Timing;
/* Evaluates at least so often, and then up to so often or for about a second. False after a
 * diagnostic; to be freed in any case, and may go on from where it was. */
bool session_measure(Session *s, int n, Node *const *roots, int least, int most, Timing *t);
void timing_free(Timing *t);

/* What this machine can: the best of a few products of matrices, and of a few sums of vectors that
 * no cache holds. */
typedef struct {
    double flops, bytes; /* a second, on one core */
} Peak;
/* False after a diagnostic: there is no memory for it. */
bool session_peak(Session *s, Span span, Peak *out);

/* A program on the virtual machine, first as ever, then with each instruction timed, so that it can
 * be said what the timing adds: the fastest of a few runs, as what else the machine does meanwhile
 * only adds. */
typedef struct {
    int runs;
    double *seconds, *calls; /* by row of the cost */
    double plain, whole;     /* of the runs without and with timing */
} Profiling;
/* False after a diagnostic; to be freed in any case. Once for a program. */
bool session_profile(Session *s, Program *p, const ProgramCost *cost, Profiling *t);
void profiling_free(Profiling *t);

#endif
