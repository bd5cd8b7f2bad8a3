/* How many cases a property is tried on: the same generator in `make test`, under the sanitizers
 * and in `make soak`.
 *
 *   GRADUS_CASES=N    so many
 *   GRADUS_EFFORT=P   P percent of what is usual (default 100)
 *   GRADUS_SEED=N     from this seed on
 *
 * Counts, never seconds: what is tried does not depend on the machine. */
#ifndef GRADUS_EFFORT_H
#define GRADUS_EFFORT_H

#include "base/base.h"

static inline u32 from_env(const char *name, u32 fallback)
{
    const char *v = getenv(name);
    return v ? (u32)strtoul(v, NULL, 10) : fallback;
}

static inline u32 effort_percent(void) { return from_env("GRADUS_EFFORT", 100); }

static inline u32 effort_cases(u32 usual)
{
    u64 n = (u64)usual * effort_percent() / 100;
    return from_env("GRADUS_CASES", n ? (u32)n : 1);
}

/* How far apart seeds are of which each stands for a cell of a grid, so that fewer still meet all
 * its rows and columns: prime to 2 and 5. */
static inline u32 effort_stride(void)
{
    u32 p = effort_percent(), s = p && p < 100 ? 100 / p | 1 : 1;
    return s % 5 ? s : s + 2;
}

/* Of a list that is gone through once: is its k-th case tried? All of them from 100 percent on. */
static inline bool effort_takes(u32 k)
{
    u64 p = effort_percent();
    return p >= 100 || (k + 1) * p / 100 > k * p / 100;
}

/* The same where all of them are affordable but under the sanitizers: from 40 percent on. */
static inline bool effort_keeps(u32 k)
{
    u64 p = effort_percent() * 100 / 40;
    return p >= 100 || (k + 1) * p / 100 > k * p / 100;
}

/* So many of `usual`, at least one. */
static inline u32 effort_some(u32 usual)
{
    u64 p = effort_percent() * 100 / 40, n = p >= 100 ? usual : usual * p / 100;
    return n ? (u32)n : 1;
}

static inline bool effort_keeps_all(void) { return effort_percent() >= 40; }

/* Enough cases that each thing must have come up. */
static inline bool effort_is_full(void)
{
    return !getenv("GRADUS_CASES") && effort_percent() >= 100;
}

#endif
