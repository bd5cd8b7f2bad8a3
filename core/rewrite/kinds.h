/* What kinds of numbers the elements of an expression can be where a condition holds: is it 0 where
 * a guard puts 0, and is it NaN or infinite where a guard keeps that away?
 *
 * Invariant: a kind that is left out occurs for no input. */
#ifndef GRADUS_KINDS_H
#define GRADUS_KINDS_H

#include "rewrite/facts.h"

/* A set of kinds; one bit each. */
enum {
    KIND_MINUS_INFINITY = 1,
    KIND_NEGATIVE = 2,
    KIND_MINUS_ZERO = 4,
    KIND_PLUS_ZERO = 8,
    KIND_POSITIVE = 16,
    KIND_INFINITY = 32,
    KIND_NAN = 64,
    KIND_ZEROS = KIND_MINUS_ZERO | KIND_PLUS_ZERO,
    KIND_NOT_FINITE = KIND_MINUS_INFINITY | KIND_INFINITY | KIND_NAN,
    KIND_ANY = 127
};

/* Of the elements of x at which `condition` is `holds`. The condition has the sizes of x, or is a
 * scalar. */
u32 kinds_where(Facts *f, const Node *condition, bool holds, const Node *x);

#endif
