/* ^C, as those see it who work long.
 *
 * Invariant: a signal handler sets the flag, and whoever ends the statement takes it back; all
 * others only look. What stops may leave its work half done: nobody shows it. */
#ifndef GRADUS_INTERRUPT_H
#define GRADUS_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

typedef volatile sig_atomic_t Interrupt;

/* NULL: nobody can interrupt. */
static inline bool interrupted(const Interrupt *i) { return i && *i; }

#endif
