/* What the tests of the parser share: a text being read, and what is asserted of it. */
#ifndef GRADUS_PARSE_HELP_H
#define GRADUS_PARSE_HELP_H

#include "syntax/parse.h"

/* A text being parsed, copied exactly so that reading beyond its end is noticed. */
typedef struct {
    Source src;
    Arena arena;
    Diags diags;
    Parser parser;
} Reading;

void reading_begin_n(Reading *r, const char *text, size_t len, bool interactive);
void reading_begin(Reading *r, const char *text);
void reading_end(Reading *r);
void show_diags(const Reading *r);
Stmt *next_stmt(Reading *r);
void assert_round_trip(const Stmt *s);
/* All of `text` parses, to statements that print as `wanted` (one a line). */
void assert_prints(const char *text, const char *wanted);
void assert_same(const char *text);
/* One error for the first statement, at line:column, whose message and hint hold these words. */
void assert_error(const char *text, int line, int column, const char *message, const char *hint);
/* Statuses of the statements in order: . for OK, x for an error, ? for incomplete. */
void assert_statuses(const char *text, bool interactive, const char *wanted);

#endif
