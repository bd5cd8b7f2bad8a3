/* Work on a range, spread over threads.
 *
 * Invariant: whoever spreads work cuts it into pieces without regard to the number of threads, and
 * a piece is computed the same way whoever takes it: values do not depend on that number. What a
 * piece notes of its arithmetic (flags.h) is noted for the caller. Work spread from within a piece
 * runs there, one piece after the other.
 *
 * The threads are the process's, as its memory is: they are started when they are first needed,
 * sleep between jobs, and see no signal. There is one caller at a time. */
#ifndef GRADUS_THREADS_H
#define GRADUS_THREADS_H

#include "base/base.h"

enum { THREADS_AUTO = 0, THREADS_MOST = 64 };

/* 1: the caller alone; THREADS_AUTO: one per processor; at most THREADS_MOST. */
void threads_set(int n);
bool threads_parse(const char *word, int *n); /* "auto" or a number; false: neither */
void threads_print(Text *out, int n);         /* as threads_parse reads it */
/* Work predicted to take less than this is not spread (for tests; usually a fifth of a ms). */
void threads_least(double nanoseconds);

/* How many should share work that is predicted to take so long on one: the caller included, so 1
 * means that nothing is gained. */
int threads_for(double nanoseconds);
/* Elements to a piece of n, a multiple of `unit`: enough pieces for all, none so long that ^C would
 * have to wait. */
i64 threads_piece(int threads, i64 n, i64 unit, double nanoseconds_each);

/* [from, to) of the range; thread 0 is the caller. false: the rest is not wanted any more. */
typedef bool ThreadPiece(void *ctx, int thread, i64 from, i64 to);
/* All pieces of [0, n), in any order; false if one of them gave false. */
bool threads_spread(int threads, i64 n, i64 piece, ThreadPiece *run, void *ctx);

#endif
