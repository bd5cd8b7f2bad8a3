/* A memory that refuses, and ^C at a moment that is chosen: for prop_memory.
 *
 * The requests of all of our objects go through here by the linker's --wrap (see the Makefile), so
 * the program itself has no hook. */
#ifndef TROUBLE_H
#define TROUBLE_H

#include "base/base.h"

typedef enum {
    NO_TROUBLE,
    REFUSE_ONE, /* the n-th request, no other */
    FULL,       /* from the n-th on only what is given back can be had again */
    INTERRUPT,  /* every request is granted; at the n-th ^C is pressed */
} Trouble;

/* From now on, requests counted anew from 1. */
void trouble_begin(Trouble how, u64 n, volatile sig_atomic_t *flag);
/* How it was. */
Trouble trouble_end(void);
void trouble_resume(Trouble how);
u64 trouble_requests(void); /* since it began */
size_t blocks_in_use(void);

#endif
