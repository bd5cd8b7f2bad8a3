/* Words as LaTeX takes them, and Greek letters by code and by name.
 *
 * Invariant: what is written means nothing to TeX but itself. */
#ifndef GRADUS_TEX_H
#define GRADUS_TEX_H

#include "base/base.h"

/* Words as LaTeX takes them, outside of formulas. False: some letters pdfTeX has not; these stand
 * as they are. */
bool tex_words(Text *out, const char *s);
/* "alpha" of the Greek letter with that code, as LaTeX calls it; NULL: it is none, or one that
 * looks like a Latin letter. */
const char *tex_greek(u32 c);
/* The letter that is called so, "alpha", "Gamma"; 0: none. */
u32 tex_greek_named(const char *word);

#endif
