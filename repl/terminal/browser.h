/* Where pages go that were not given a file, and showing them.
 *
 * Invariant: nothing is ever run but xdg-open, and that only where someone sits before a screen. */
#ifndef GRADUS_BROWSER_H
#define GRADUS_BROWSER_H

#include "base/base.h"

/* The file for a page of that title, in $XDG_CACHE_HOME/gradus or ~/.cache/gradus; the folders are
 * made if need be. The caller frees it; NULL: there is no such place. The same title gives the same
 * file. */
char *browser_page_path(const char *title);
/* Opens a file with xdg-open, and does not wait for it. False: there is no screen, or no xdg-open.
 */
bool browser_open(const char *path);

#endif
