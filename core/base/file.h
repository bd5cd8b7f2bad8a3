/* Whole files: read with a limit, and written so that the old one stays until the new one is there.
 *
 * Invariant: what goes wrong on the way (no room, no permission, ^C) leaves the file that was there
 * as it was, and nothing beside it. */
#ifndef GRADUS_FILE_H
#define GRADUS_FILE_H

#include "base/base.h"

/* How to read what may come from anywhere. */
typedef struct {
    size_t most; /* bytes; 0: no limit */
    bool text;   /* ends soon after a zero byte, which no text has: /dev/zero never ends */
    const Interrupt *interrupt;
} ReadLimits;

/* Whole file into a NUL-terminated buffer (caller frees); NULL and errno on failure: EFBIG if there
 * is more than the limit, EINTR after ^C. Limits may be NULL. */
char *read_file(const char *path, size_t *len, const ReadLimits *limits);
char *read_stream(FILE *f, size_t *len, const ReadLimits *limits); /* what is left of an open one */

/* A file being written: its bytes go to a new one beside it, which takes its place at the end. What
 * is no regular file (a device, a pipe, the terminal) is written directly. */
typedef struct {
    int fd;
    int error;                  /* errno of the first failure; 0: none so far */
    char *path, *fresh;         /* links followed; `fresh` NULL: written directly */
    const Interrupt *interrupt; /* stops the writing, with EINTR */
} NewFile;

bool new_file_open(NewFile *f, const char *path, const Interrupt *interrupt);
void new_file_put(NewFile *f, const void *bytes, size_t len); /* nothing after a failure */
void new_file_sink(void *new_file, const void *bytes,
                   size_t len); /* the same, for what puts bytes anywhere */
/* Puts it in place; false and errno if that or anything before it failed: the old file stays. */
bool new_file_close(NewFile *f);
/* All of that at once; `interrupt` may be NULL. */
bool write_file(const char *path, const void *bytes, size_t len, const Interrupt *interrupt);

/* "PATH: what is wrong" in *error, which the caller frees; gives false. */
bool file_fail(char **error, const char *path, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
