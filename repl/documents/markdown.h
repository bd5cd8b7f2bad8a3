/* The blocks of Gradus in a Markdown text.
 *
 *   ```gradus WORD...       a fence of ` or ~, as in CommonMark
 *   <!-- gradus WORD...     the same as a comment, which no reader sees; it ends with a line -->
 *
 * Behind a block may stand what `gradus weave` made of it: fences "```text result", and lines that
 * end with <!-- woven -->: of drawings, of <details> around what is folded, of questions.  They
 * belong to the block. */
#ifndef GRADUS_MARKDOWN_H
#define GRADUS_MARKDOWN_H

#include "base/diag.h"

/* The words behind `gradus`. */
enum {
    BLOCK_HIDDEN = 1,   /* the block itself is not shown */
    BLOCK_QUIET = 2,    /* nor what it gives */
    BLOCK_FAIL = 4,     /* it must give an error */
    BLOCK_FRESH = 8,    /* a new session begins */
    BLOCK_GUESS = 16,   /* what it gives is folded: the reader is to guess it first */
    BLOCK_QUESTION = 32 /* no program, but a question of a lesson (question.h) */
};

#define WOVEN_INFO "text result"
#define WOVEN_MARK "<!-- woven -->"

/* Bytes [start, end) of the text; lines with their ends. */
typedef struct {
    size_t start, end;
} Part;

typedef struct {
    Part all;   /* from fence to fence */
    Part info;  /* "gradus WORD..." */
    Part code;  /* what is to run */
    Part woven; /* what was made of it, blank lines in front included; perhaps empty */
    u32 words;  /* of a comment: BLOCK_HIDDEN too */
    bool comment;
} Block;

typedef struct {
    const Source *src;
    Diags *diags;
    size_t at; /* what is before was looked at */
} Markdown;

/* The next block of Gradus; false at the end.  Unclosed fences, unknown words and woven parts that
 * belong to no block are added to the diagnostics; reading goes on. */
bool markdown_next(Markdown *m, Block *b);

#endif
