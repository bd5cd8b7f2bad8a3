/* Memory that never returns NULL, and what happens when there is no more.
 *
 * A request that the system refuses is served from a reserve that was set aside before, and
 * `memory_short` says so from then on. It is noticed where ^C is noticed; the statement ends with
 * an error, what it held is given back, and `memory_refill` sets the reserve aside again. So no
 * caller of these functions need look at what they return.
 *
 * Invariant: the reserve is never written to, so it costs addresses and no memory; it is the
 * larger, the more is in use. This is the one global state of the program, as that of malloc, below
 * which it stands: memory is the process's, not a session's. One thread only. */
#include "base/base.h"

#include <errno.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#define MB ((size_t)1 << 20)

enum { SHARE = 8 }; /* the reserve is that part of what is in use, */
static const size_t least = 4 * MB, most = 256 * MB; /* but at least, at most so much */
static const size_t large = MB / 4; /* requests from here on are counted, and can do with less */

static struct {
    void *reserve; /* NULL: used up */
    size_t size;   /* of it */
    size_t asked;  /* in large requests, since the reserve was last compared with what is in use */
    bool is_short;
} memory;

bool memory_short(void) { return memory.is_short; }

size_t memory_in_use(void)
{
    struct mallinfo2 all = mallinfo2();
    size_t used = all.uordblks + all.hblkhd;
    return used > memory.size ? used - memory.size : 0;
}

/* ---- the reserve ---- */

/* As much as there is, halving what is asked for. */
void memory_refill(void)
{
    if (memory.size >= least && !memory.is_short)
        return;
    if (memory.is_short)
        malloc_trim(0);
    memory.is_short = false;
    for (size_t size = least; size > memory.size && size >= least / 64; size /= 2) {
        void *p = realloc(memory.reserve, size);
        if (p) {
            memory.reserve = p;
            memory.size = size;
        }
    }
}

/* After a request was refused: true if it is worth trying again. */
static bool release(void)
{
    bool had = memory.reserve != NULL;
    memory.is_short = true;
    free(memory.reserve);
    memory.reserve = NULL;
    memory.size = 0;
    return had;
}

/* Is the reserve still large enough? If it cannot grow, little is left: better end soon. */
static void compare(void)
{
    memory.asked = 0;
    size_t want = memory_in_use() / SHARE;
    want = want < most ? want : most;
    if (!memory.reserve || want <= memory.size)
        return;
    void *larger = realloc(memory.reserve, want);
    if (larger) {
        memory.reserve = larger;
        memory.size = want;
    } else {
        memory.is_short = true;
    }
}

static void *served(void *p, size_t bytes)
{
    if (bytes >= large && (memory.asked += bytes) > memory.size && !memory.is_short)
        compare();
    return p;
}

/* Nothing of ours is called here: it might want memory. */
static NORETURN void ran_out(size_t bytes)
{
    fflush(stdout);
    fprintf(stderr,
            "%s: out of memory: %zu bytes wanted, %zu MB in use, and the reserve is used up\n",
            program_invocation_short_name, bytes, memory_in_use() / MB);
    exit(EXIT_NO_MEMORY);
}

/* ---- requests ---- */

void *xmalloc(size_t bytes)
{
    void *p;
    while (!(p = malloc(bytes ? bytes : 1)))
        if (!release())
            ran_out(bytes);
    return served(p, bytes);
}

void *xcalloc(size_t count, size_t size)
{
    void *p;
    while (!(p = calloc(count ? count : 1, size ? size : 1)))
        if (!release())
            ran_out(count * size);
    return served(p, count * size);
}

void *xrealloc(void *old, size_t bytes)
{
    void *p;
    while (!(p = realloc(old, bytes ? bytes : 1)))
        if (!release())
            ran_out(bytes);
    return served(p, bytes);
}

char *xstrdup(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(xmalloc(n), s, n);
}

void *memory_small(size_t align, size_t bytes)
{
    void *p;
    while (!(p = aligned_alloc(align, bytes)))
        if (!release())
            ran_out(bytes);
    return p;
}

/* ---- requests that can do with less ---- */

static void *tried(void *p, size_t bytes)
{
    memory.is_short = memory.is_short || !p;
    return p ? served(p, bytes) : NULL;
}

void *memory_try(void *old, size_t bytes)
{
    return memory.is_short && bytes >= large ? NULL : tried(realloc(old, bytes), bytes);
}

void *memory_try_zeroed(size_t count, size_t size)
{
    size_t bytes = count * size;
    return memory.is_short && bytes >= large ? NULL : tried(calloc(count, size), bytes);
}

/* Else whoever first writes to it waits longer for its pages than for what he computes. A system
 * that has no large pages refuses, which changes nothing. */
void memory_large_pages(void *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const size_t enough = 4 << 20, page = (size_t)sysconf(_SC_PAGESIZE);
    size_t before = -(uintptr_t)p & (page - 1);
    if (p && bytes >= enough)
        madvise((char *)p + before, (bytes - before) & ~(page - 1), MADV_HUGEPAGE);
#else
    (void)p, (void)bytes;
#endif
}

/* Where the double cannot be had, a little: the statement ends soon. */
void *memory_grow(void *old, size_t *cap, size_t need, size_t item)
{
    size_t want = *cap ? *cap : need;
    while (want < need && want <= SIZE_MAX / 2)
        want *= 2;
    if (want < need || (item && want > SIZE_MAX / item))
        die("array too large");
    void *grown = want * item >= large ? memory_try(old, want * item) : NULL;
    if (!grown && want * item >= large)
        want = need + need / 64;
    *cap = want;
    return grown ? grown : xrealloc(old, want * item);
}

void *vec_grow_(void *at, size_t *cap, size_t item)
{
    return memory_grow(at, cap, *cap ? *cap + 1 : 8, item);
}
