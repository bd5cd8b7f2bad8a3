/* Long texts at a terminal: lines broken at words, screens through a pager. */
#ifndef GRADUS_PAGING_H
#define GRADUS_PAGING_H

#include "base/base.h"

/* Lines of prose longer than the width are broken at words, under where their text begins; what is
 * indented by four or more is a program and stays. */
void paging_wrap(Text *out, const char *text, int width);
/* Shows what is longer than the screen with $PAGER, `less -R` if that is not set, and frees it;
 * false: it is not, or there is no screen to page on, or no pager. */
bool paging_show(Text *text);

#endif
