/* Recorded steps in words: what a node is called, what a step replaced by what, and why.
 *
 * Invariant: a text is of one line, whatever it is about. */
#ifndef GRADUS_STEP_TEXT_H
#define GRADUS_STEP_TEXT_H

#include "rewrite/steps.h"

/* "log(1 + %3)" cut at a few levels. */
void put_short(Text *out, Store *st, Node *n, Numbering *num);
/* What people call a loop: "scan h, c", by its states; any other node as put_short. */
void put_called(Text *out, Store *st, Node *n, Numbering *num);
/* "%5 => log1p(%3)", one or several with `between` in between. */
void put_side(Text *out, Store *st, const Step *s, bool after, Numbering *num);
void put_changes(Text *out, Store *st, const Step *s, Numbering *num, const char *between);
void put_why(Text *out, const Step *s);
/* Several nodes as expressions, "," between, each of so many bytes at most (node_source_limited).
 */
void put_sources(Text *out, Store *st, int n, Node *const *nodes, bool named, int bytes);
/* "2 matmul, 1 tanh": what these nodes compute. */
void put_operators(Text *out, const NodeVec *nodes);
/* Equal steps in a row are told once: of one rule, for one reason, with nothing inside. */
bool steps_alike(const Step *a, const Step *b);

#endif
