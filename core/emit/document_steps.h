/* The steps of an expression as a document: what it is, what each step changed as :steps tells it,
 * what comes out.
 *
 * Invariant: every step of the log is there, those inside bodies and child steps below their owner;
 * every number %k that is mentioned is defined below the item that mentions it first. */
#ifndef GRADUS_DOCUMENT_STEPS_H
#define GRADUS_DOCUMENT_STEPS_H

#include "emit/document.h"
#include "rewrite/exploration.h"

/* Adds them to a document, which owns its texts; `expression` is what it is called. The child steps
 * of the step of the number `open`, or of "all", are there, too (NULL: of none); *opened: there was
 * such a step. Returns how many steps there are. */
u32 document_of_steps(Document *d, Exploration *x, const char *expression, const char *open,
                      bool *opened);

#endif
