/* The ground everything stands on: fixed-width names, memory that never returns
 * NULL, arenas, growable arrays, string building, hashing.
 *
 * Invariant: nothing here keeps global state, but for the reserve of memory.c. What is asked for
 * here is always given, from the reserve if need be; tensors, whose size the user decides, come
 * from `Heap` (exec/tensor.h) and fail with a diagnostic instead. */
#ifndef GRADUS_BASE_H
#define GRADUS_BASE_H

#include "base/interrupt.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t i64;
typedef int32_t i32;
typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef uint8_t u8;

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))
#if defined(__GNUC__)
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#define NORETURN __attribute__((noreturn))
#else
#define PRINTF_LIKE(f, a)
#define NORETURN
#endif

/* A bug of ours: prints file, line and message on stderr and exits with status 70. */
NORETURN void die_at(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);
#define die(...) die_at(__FILE__, __LINE__, __VA_ARGS__)

/* Exit status when the reserve is used up, too; the message says so. */
enum { EXIT_NO_MEMORY = 3 };

void *xmalloc(size_t bytes);              /* never NULL */
void *xcalloc(size_t count, size_t size); /* never NULL, zeroed */
void *xrealloc(void *old, size_t bytes);
char *xstrdup(const char *s);
void *memory_small(size_t align, size_t bytes); /* never NULL, aligned */
/* NULL if there is no memory: nothing is taken from the reserve. For what can become large; the
 * caller does with less, or ends with a diagnostic. */
void *memory_try(void *old, size_t bytes);
void *memory_try_zeroed(size_t count, size_t size);
/* New memory (or NULL) that is about to be filled: if it is large, its first use costs less. */
void memory_large_pages(void *p, size_t bytes);
/* For `need` items or more: doubles *cap, if that can be had. Never NULL. */
void *memory_grow(void *old, size_t *cap, size_t need, size_t item);

/* Has a request been refused since the last refill? To be polled where ^C is polled: the statement
 * ends with `diag_memory` and gives back what it holds. */
bool memory_short(void);
/* Between statements, and at the start: sets the reserve aside, forgets that memory was short. */
void memory_refill(void);
size_t memory_in_use(void); /* bytes of the process; 0 where the system does not tell */

/* ---- Arena: many small objects, freed together ---- */
typedef struct ArenaBlock ArenaBlock;
typedef struct {
    ArenaBlock *head;
    size_t total; /* bytes handed out */
    size_t first; /* bytes of the first block; 0: 4096 */
} Arena;
void *arena_alloc(Arena *a, size_t bytes); /* zeroed, 16-byte aligned */
char *arena_strndup(Arena *a, const char *s, size_t n);
char *arena_vprintf(Arena *a, const char *fmt, va_list ap);
char *arena_printf(Arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Block after block: `last` is what the call before returned, NULL at first; NULL after the last.
 */
const void *arena_block(const Arena *a, const void *last, const char **from, size_t *bytes);
void arena_free(Arena *a); /* frees all blocks; the arena may be used again */

/* ---- Vec: VEC(T) is a growable array of T; owns its memory ---- */
#define VEC(T)      \
    struct {        \
        T *at;      \
        size_t len; \
        size_t cap; \
    }
#define vec_push(v, x)                                                \
    do {                                                              \
        if ((v)->len == (v)->cap)                                     \
            (v)->at = vec_grow_((v)->at, &(v)->cap, sizeof *(v)->at); \
        (v)->at[(v)->len++] = (x);                                    \
    } while (0)
#define vec_free(v) (free((v)->at), (v)->at = NULL, (v)->len = (v)->cap = 0)
void *vec_grow_(void *at, size_t *cap, size_t item);

/* ---- Text: a string being built; `text_str` is always NUL-terminated ---- */
typedef struct {
    char *at;
    size_t len, cap;
    const Interrupt *interrupt; /* for those who write much into it; NULL: nobody can */
} Text;
void text_put(Text *t, const char *s);
void text_putn(Text *t, const char *s, size_t n);
void text_putc(Text *t, char c);
void text_printf(Text *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
void text_vprintf(Text *t, const char *fmt, va_list ap);
void text_double(
    Text *t, double x); /* shortest decimal that reads back; always has '.', 'e', "nan" or "inf" */
void text_float(Text *t, float x); /* the same for single precision */
const char *text_str(Text *t);
char *text_take(Text *t);           /* caller frees; the Text is empty afterwards */
char *text_keep(Text *t, Arena *a); /* the same in an arena */
void text_join_lines(Text *t);      /* in one line, blanks for newlines */
int text_lines(const Text *t);      /* newlines in it */
void text_free(Text *t);

/* ---- Maps and sets ---- */
#include "base/map.h"

/* ---- Hashing: the same on every run and machine (xxHash) ---- */
u64 hash_bytes(const void *p, size_t n, u64 seed);
u64 hash_mix(u64 a, u64 b);

/* Edit distance, at most `limit`+1; for "did you mean". */
int edit_distance(const char *a, const char *b, int limit);

/* Seconds since an arbitrary point (monotonic). */
double now_seconds(void);
double processor_seconds(void); /* that this process worked */

#endif
