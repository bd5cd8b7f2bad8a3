/* Printing what statements give, as text or as one JSON object a line. */
#ifndef GRADUS_SHOW_H
#define GRADUS_SHOW_H

#include "repl/commands/repl.h"
#include "repl/commands/report.h"

/* Prints a value, a graph or a function on stdout. */
void show_result(Repl *r, const Result *result);
/* What show_result would print as text, with newline. */
void show_result_text(Repl *r, Text *out, const Result *result);
/* "f64[3] = [1.0, 2.0, 3.0]", with newline; several lines begin on their own. */
void show_tensor(Repl *r, Text *out, const Tensor *t);
/* A value in a few characters (brief.h), with the digits that are set. */
void show_brief(const Repl *r, Text *out, const Tensor *t);
/* What a command tells: its text, or {"kind":"command",...,"text":TEXT,"data":DATA}. */
void show_command(Repl *r, const char *command, Report *report);
/* A diagnostic: text on stderr, or an object on stdout. */
void show_diag(Repl *r, const Diag *d);
/* Writes a text to stdout, or where r collects it (r may be NULL), and frees it. */
void show_put(Repl *r, Text *text);

#endif
