/* Requests for memory that are refused, or during which ^C is pressed.
 *
 * Invariant: what is in use is known, block by block, whatever is refused. */
#include "trouble.h"

#include <errno.h>
#include <malloc.h>

static struct {
    Trouble how;
    u64 n, count; /* at the n-th request; requests so far */
    volatile sig_atomic_t *flag;
    size_t room;        /* FULL: bytes that were given back */
    const void **live;  /* blocks that are in use, by open addressing */
    size_t nlive, caps; /* of them, and of the table */
} mem;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t bytes);
void *__real_aligned_alloc(size_t align, size_t bytes);
void __real_free(void *p);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_aligned_alloc(size_t align, size_t bytes);
void __wrap_free(void *p);

static size_t slot_of(const void *p)
{
    size_t i = (size_t)((u64)(uintptr_t)p * 0x9E3779B97F4A7C15u >> 40) & (mem.caps - 1);
    while (mem.live[i] && mem.live[i] != p)
        i = (i + 1) & (mem.caps - 1);
    return i;
}

static void *born(void *p)
{
    if (!p)
        return p;
    if (2 * (mem.nlive + 1) > mem.caps) {
        const void **old = mem.live;
        size_t n = mem.caps;
        mem.caps = n ? 2 * n : 1 << 16;
        mem.live = __real_calloc(mem.caps, sizeof *mem.live);
        for (size_t i = 0; i < n; i++)
            if (old[i])
                mem.live[slot_of(old[i])] = old[i];
        __real_free(old);
    }
    mem.live[slot_of(p)] = p;
    mem.nlive++;
    return p;
}

/* Blocks of the C library and of others are none of ours. */
static void dead(const void *p)
{
    size_t i = p ? slot_of(p) : 0;
    if (!p || !mem.live[i])
        return;
    mem.nlive--;
    mem.live[i] = NULL;
    for (size_t k = (i + 1) & (mem.caps - 1); mem.live[k]; k = (k + 1) & (mem.caps - 1)) {
        const void *q = mem.live[k];
        mem.live[k] = NULL;
        mem.live[slot_of(q)] = q;
    }
}

static bool granted(size_t bytes, size_t back)
{
    u64 n = ++mem.count;
    bool full = mem.how == FULL && n >= mem.n, absurd = bytes >> 32;
    if (absurd || (mem.how == REFUSE_ONE && n == mem.n) || (full && bytes > mem.room + back)) {
        errno = ENOMEM;
        return false;
    }
    if (mem.how == INTERRUPT && n == mem.n)
        *mem.flag = 1;
    if (full)
        mem.room = mem.room + back - bytes;
    return true;
}

void *__wrap_malloc(size_t bytes) { return granted(bytes, 0) ? born(__real_malloc(bytes)) : NULL; }

void *__wrap_calloc(size_t count, size_t size)
{
    return granted(count * size, 0) ? born(__real_calloc(count, size)) : NULL;
}

void *__wrap_aligned_alloc(size_t align, size_t bytes)
{
    return granted(bytes, 0) ? born(__real_aligned_alloc(align, bytes)) : NULL;
}

void *__wrap_realloc(void *old, size_t bytes)
{
    if (!granted(bytes, malloc_usable_size(old)))
        return NULL;
    dead(old);
    return born(__real_realloc(old, bytes));
}

void __wrap_free(void *p)
{
    if (mem.how == FULL)
        mem.room += malloc_usable_size(p);
    dead(p);
    __real_free(p);
}

void trouble_begin(Trouble how, u64 n, volatile sig_atomic_t *flag)
{
    mem.how = how;
    mem.n = n;
    mem.flag = flag;
    mem.count = mem.room = 0;
}

Trouble trouble_end(void)
{
    Trouble how = mem.how;
    mem.how = NO_TROUBLE;
    return how;
}

void trouble_resume(Trouble how) { mem.how = how; }

u64 trouble_requests(void) { return mem.count; }

size_t blocks_in_use(void) { return mem.nlive; }
