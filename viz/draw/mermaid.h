/* A scene as a flowchart of Mermaid. */
#ifndef GRADUS_MERMAID_H
#define GRADUS_MERMAID_H

#include "base/json.h"
#include "viz/draw/picture.h"

/* It needs no layout. The remark is for the user: of one that is too large for most readers. */
void mermaid_put(const Scene *s, Text *remark, Text *out);

#endif
