/* A page of its own: a template, what is its own in it, and its program. */
#ifndef GRADUS_TEMPLATE_H
#define GRADUS_TEMPLATE_H

#include "base/base.h"

/* The template with its marks @TITLE@, @CSS@, @DATA@ (JSON, which ends no script) and @JS@ filled
 * in, in this order. */
void template_put(Text *out, const char *page, const char *title, const char *css, const Text *data,
                  int nscripts, const char *const *scripts);

#endif
