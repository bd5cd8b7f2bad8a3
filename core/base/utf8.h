/* UTF-8: decoding, display width, and showing text that may hold anything.
 *
 * Invariant: decoding never reads past the bytes it was given and accepts only
 * well-formed UTF-8 (no overlong forms, no surrogates). */
#ifndef GRADUS_UTF8_H
#define GRADUS_UTF8_H

#include "base/base.h"

/* Bytes of the code point at s (1..4) with *cp set, or 0 if s does not start a well-formed one (or
 * n is 0). */
int utf8_decode(const char *s, size_t n, u32 *cp);
/* Columns a terminal uses for a printable code point: 0, 1 or 2. */
int utf8_width(u32 cp);
int utf8_columns(const char *s);             /* of a whole text; an invalid byte takes one */
int utf8_columns_n(const char *s, size_t n); /* of its first bytes */
/* Appends the character at s in a form that is safe to print: invalid bytes as U+FFFD, control
 * characters as \x1b or \u202e. Returns the bytes used (at least 1, for n > 0); adds the columns to
 * *width. */
size_t utf8_put_visible(Text *t, const char *s, size_t n, int *width);
/* The same for a whole string; newlines are kept. */
void utf8_put_safe(Text *t, const char *s, size_t n);
/* Escapes for the text and the attributes of XML and HTML; what XML cannot hold becomes U+FFFD. */
void xml_put(Text *out, const char *s);

#endif
