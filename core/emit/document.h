/* A document as what it consists of, and its writers: Markdown, HTML, LaTeX.
 *
 * Blocks stand one after the other; between an item and its end stands what belongs to it, other
 * items too. Invariant: a text of the model is what people are to read; whatever means something to
 * a format is escaped by its writer and nowhere else. */
#ifndef GRADUS_DOCUMENT_H
#define GRADUS_DOCUMENT_H

#include "analysis/step_change.h"

typedef enum { RUN_PLAIN, RUN_STRONG, RUN_FAINT, RUN_CODE } RunStyle;
typedef struct {
    RunStyle style;
    char *text;
} Run;

typedef enum {
    BLOCK_TITLE,
    BLOCK_SECTION,
    BLOCK_PARAGRAPH,
    BLOCK_CODE, /* lines as they are */
    BLOCK_DIFF, /* lines with their signs */
    BLOCK_ITEM, /* what it is called; the rest of it follows */
    BLOCK_END   /* of the innermost item that is open */
} BlockKind;

typedef struct {
    BlockKind kind;
    VEC(Run) runs;
    ChangeLines lines;
} Block;

typedef struct {
    VEC(Block) blocks;
} Document;

void document_begin(Document *d, BlockKind kind);
/* To the block that was begun last. */
void document_run(Document *d, RunStyle style, const char *text);
void document_line(Document *d, ChangeLine *line);                /* takes its text and marks */
void document_put(Document *d, BlockKind kind, const char *text); /* a block of one plain run */
void document_code(Document *d, const char *text);                /* a block of its lines */
void document_free(Document *d);

typedef void (*DocumentWriter)(Text *out, const Document *d);
/* By the extension of the file; NULL: there is none. */
DocumentWriter document_writer(const char *file);
void document_put_markdown(Text *out, const Document *d);
void document_put_html(Text *out, const Document *d);
void document_put_latex(Text *out, const Document *d);

#endif
