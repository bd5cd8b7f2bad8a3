/* Writing the lines of a change (core/analysis/step_change.h), with what differs marked. */
#ifndef GRADUS_CHANGE_H
#define GRADUS_CHANGE_H

#include "analysis/step_change.h"
#include "repl/commands/commands.h"

typedef enum { MARKS_NONE, MARKS_SIGNS, MARKS_COLOR } Marks;
Marks call_marks(const Call *c); /* what the output of the command can show */

/* Marks the words that differ, and writes lines that are at most `width` wide where that is
 * possible. */
void change_put(Text *out, ChangeLines *lines, int indent, int width, Marks marks);
/* The same of lines that are marked already. */
void change_put_marked(Text *out, const ChangeLines *lines, int indent, int width, Marks marks);

#endif
