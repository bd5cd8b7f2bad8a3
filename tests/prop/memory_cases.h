/* Statements that prop_memory runs while memory is refused and ^C is pressed. */
#ifndef MEMORY_CASES_H
#define MEMORY_CASES_H

#include "base/base.h"

enum { WRONG = 1, JSON = 2 }; /* it gives an error; it is asked for JSON */

typedef struct {
    const char *setup, *text;
    u32 marks;
} MemoryCase;

extern const MemoryCase memory_cases[];
extern const size_t memory_cases_count;

#endif
