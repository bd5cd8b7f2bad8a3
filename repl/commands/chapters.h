/* The parts of the manual that are made of the tables: a line <!-- NAME --> in language.md stands
 * for one.  In Markdown for LANGUAGE.md, plain for the prompt. */
#ifndef GRADUS_CHAPTERS_H
#define GRADUS_CHAPTERS_H

#include "repl/commands/repl.h"
#include "rewrite/pattern.h"

/* Writes the chapter that a line stands for; false if it stands for none. */
bool chapter_put(const Pipeline *p, Text *out, const char *line, size_t n, bool markdown);
/* Text for the outside of code in Markdown: * and _ are themselves. */
void chapter_prose(Text *out, const char *s);
/* The same with a backslash before these characters. */
void put_prose(Text *out, const char *s, const char *special);
/* "drop(x, axes)" */
void chapter_signature(Text *out, const RuleFunction *f);

#endif
