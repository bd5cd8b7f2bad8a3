/* Random numbers by counting: Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel
 * random numbers: as easy as 1, 2, 3", SC 2011).
 *
 * Invariant: every number is a function of key, counter and its index in the draw,
 * computed with integer operations and IEEE + - * / sqrt only, so that the same seed
 * gives the same bits on every machine. A draw returns the state that follows it. */
#ifndef GRADUS_PHILOX_H
#define GRADUS_PHILOX_H

#include "tensor/tensor.h"

/* One block: ten rounds on a counter under a key. */
void philox_block(const u32 key[2], const u32 counter[4], u32 out[4]);

RngState rng_seed(i64 seed);                  /* key = the 64 bits of the seed, counter 0 */
RngState rng_advance(RngState s, u64 blocks); /* the counter is one number of 128 bits */
/* k states, no stream of which meets another's or the parent's (but by chance of about k^2 /
 * 2^128). */
void rng_split(RngState s, i64 k, RngState *out);

/* n numbers of dtype d (f32 or f64) in [0, 1): multiples of 2^-24 or 2^-53. ceil(n / 2) blocks,
 * for f32 ceil(n / 4); at least 1. */
RngState rng_uniform(RngState s, DType d, i64 n, void *out);
/* Standard normal, f32 or f64. ceil(n / 2) blocks, at least 1. */
RngState rng_normal(RngState s, DType d, i64 n, void *out);
/* From each of n states one f64 (normal, else uniform), as a draw of one number does; and the
 * states that follow. `next`, `out`: NULL: not wanted. */
void rng_lanes(bool normal, i64 n, const RngState *from, RngState *next, double *out);
/* Is each of n numbers one of 0 to 1? A nan is not. */
bool rng_are_chances(i64 n, const double *p);
/* out[i] = uniform < p[i]; pstep 0: one p for all. Blocks as rng_uniform f64. */
RngState rng_bernoulli(RngState s, i64 n, const double *p, i64 pstep, u8 *out);
/* Whole numbers in [low, high), low < high; each is off its fair share by less than 2^-64. n
 * blocks, at least 1. */
RngState rng_randint(RngState s, i64 low, i64 high, i64 n, i64 *out);
/* A random order of 0 .. n-1. n blocks, at least 1. */
RngState rng_permutation(RngState s, i64 n, i64 *out);
/* The same in parts: `count` of the n exchanges that make it of 0 .. n-1, from one on; and the
 * state that follows all of them. */
void rng_shuffle(RngState s, i64 n, i64 from, i64 count, i64 *out);
RngState rng_skip(RngState s, i64 n);
/* Can each row be drawn from: no weight below 0 or nan, and a finite sum above 0? */
bool rng_are_weights(i64 rows, i64 classes, const double *p);
/* Index i with probability p[i] / sum(p): rows of `classes` weights, one draw per row. `rows`
 * blocks, at least 1. */
RngState rng_categorical(RngState s, i64 rows, i64 classes, const double *p, i64 *out);

#endif
