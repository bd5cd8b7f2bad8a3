/* `gradus weave`: a Markdown page with what its blocks of Gradus give. */
#ifndef GRADUS_WEAVE_H
#define GRADUS_WEAVE_H

#include "repl/commands/repl.h"
#include "repl/documents/question.h"

/* A file of a woven page, or the page itself. */
typedef struct {
    char *path; /* of a drawing: relative to the folder of the page */
    Text bytes;
} WovenFile;

typedef struct {
    WovenFile page;
    VEC(WovenFile) files; /* what its blocks draw, each once */
    int blocks;
} Woven;

/* A question whose numbers are drawn: its parts are of the text of `page`. */
typedef struct {
    const Question *question; /* NULL: it is shown as it is written */
    const Source *page;
    const char *answer; /* its value */
    char *drawn;        /* "a = 4; b = 2"; the caller frees it */
} DrawnQuestion;

/* Draws the numbers of question k of the page, from 0. */
typedef DrawnQuestion (*DrawQuestion)(void *ctx, size_t k);

typedef struct {
    const char *in, *out;
    bool check; /* write nothing, compare with what is there */
    ColorMode color;
    DrawQuestion draw; /* NULL: the page draws nothing */
    void *ctx;         /* of draw */
} WeaveOptions;

/* Weaves one page, and writes or compares it; the exit status. */
int weave(const WeaveOptions *o);

/* ---- woven_files.c: what is woven and what is there ---- */

/* Writes what is not there or is different; the exit status. */
int woven_write(const Woven *w);
/* Tells on stdout what is stale, missing or surplus; the exit status. */
int woven_compare(const Woven *w, const char *in);
void woven_free(Woven *w);

#endif
