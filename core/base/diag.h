/* Diagnostics: a user's mistake, with its place, reason and hint.
 *
 * Invariant: a function that finds a mistake adds one Diag to the list it was
 * given and returns NULL / false / 0; callers just return it. */
#ifndef GRADUS_DIAG_H
#define GRADUS_DIAG_H

#include "base/base.h"

/* A text that was read: a file, a line typed at the prompt, an -e argument. */
typedef struct {
    char *name; /* "file.gr", "<stdin>", "<input 3>", "-e 1"; NULL: not to be told */
    char *text; /* NUL-terminated; may hold NUL bytes before `len` */
    size_t len;
    u32 *lines; /* where each begins, once source_index was called; else NULL */
    u32 nlines;
    bool mark; /* of a collection under way */
} Source;

/* Notes where the lines begin, so that the line of a place is found at once, however long the text
 * is. Owned by the source: free(src->lines). */
void source_index(Source *src);

/* Bytes [start, end) of a source; src == NULL means "no place". */
typedef struct {
    const Source *src;
    u32 start, end;
} Span;

typedef struct {
    const char *code; /* static: "syntax", "unknown-name", "shape-mismatch", "type-mismatch", ... */
    Span span;
    char *message; /* what is wrong and why; no trailing newline */
    char *hint;    /* what to write instead, or NULL */
    bool note;     /* true: a remark, not an error */
    bool placed;   /* its message says where it stands (diag_place) */
} Diag;

typedef struct {
    VEC(Diag) list;
    size_t errors; /* how many entries are not notes */
} Diags;

/* Adds an error. `hint` may be NULL; both texts are copied. Returns the entry (valid until the next
 * add). */
Diag *diag_add(Diags *ds, const char *code, Span span, const char *hint, const char *fmt, ...)
    PRINTF_LIKE(5, 6);
Diag *diag_note(Diags *ds, const char *code, Span span, const char *fmt, ...) PRINTF_LIKE(4, 5);
/* Adds to the message of the last entry, if it has this code, where that stands; only once. */
void diag_place(Diags *ds, const char *code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* After `memory_short`: an error with the code "memory" that says what was being done ("in the pass
 * loops"), unless the last error tells of that already. NULL, for callers to return. */
void *diag_memory(Diags *ds, Span span, const char *doing);
/* After ^C: an error with the code "interrupted", unless the last error tells of that already.
 * NULL.
 */
void *diag_interrupted(Diags *ds, Span span, const char *doing); /* "in the pass loops"; or NULL */
/* Of the entries from `first` on, leaves one error, of this code ("memory", "interrupted"): what
 * else failed, failed for want of memory, or as it was interrupted. Nothing happens if no error is
 * among them. */
void diags_only(Diags *ds, size_t first, const char *code);
extern const char memory_hint[]; /* what to do about it */
void diags_clear(Diags *ds);
void diags_free(Diags *ds);

/* A trial, whose mistakes are not the user's: what is reported to *where from its beginning on goes
 * to `found`, which is forgotten at its end. Trials may stand inside others. */
typedef struct {
    Diags found;
    Diags **where, *outer;
} DiagTry;
void diag_try_begin(DiagTry *t, Diags **where); /* *t stays where it is until the end */
void diag_try_end(DiagTry *t);

/* 1-based line and column (in characters, not bytes) of a span's start. */
void span_locate(Span s, int *line, int *column, int *length);
/* The text of a place on one line, "…" behind it where that is not all: `most` bytes of it. */
void span_put_words(Text *out, Span s, size_t most);
/* "rnn.gr:12": file and line. */
void span_put_line(Text *out, Span s);
Span source_whole(const Source *src);
Span span_join(Span a, Span b); /* from a's start to b's end; either may be placeless */

/* "file:3:7: error: message", the source line, carets under the span, hint. `color`: with ANSI
 * colours. */
void diag_render(Text *out, const Diag *d, bool color);
/* {"kind":"error","code":..,"message":..,"file":..,"line":..,"column":..,"length":..,"hint":..}
 * without newline */
void diag_json(Text *out, const Diag *d);

/* The name in names[0..n) closest to `word`, or NULL if none is close enough to suggest. */
const char *closest_name(const char *word, const char *const *names, size_t n);

#endif
