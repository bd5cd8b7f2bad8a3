/* Arenas, hashing, edit distance and the clock. Where memory comes from: memory.c.
 *
 * Invariant: no global state. */
#include "base/base.h"

#include <errno.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void die_at(const char *file, int line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fflush(stdout);
    fprintf(stderr, "gradus: internal error at %s:%d: ", file, line);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    fflush(stderr);
    exit(70);
}

/* ---- arena ---- */

#define ARENA_ALIGN 16u
#define ARENA_FIRST 4096u
#define ARENA_LARGEST (1u << 20)

/* The header is padded to the alignment, so what follows it is aligned too. */
struct ArenaBlock {
    ArenaBlock *next;
    size_t used, cap;
    size_t padding_;
};

static char *block_bytes(ArenaBlock *b) { return (char *)(b + 1); }

/* As much as `cap` where that is to be had, but at least `need` bytes. */
static ArenaBlock *block_new(size_t need, size_t cap)
{
    _Static_assert(sizeof(ArenaBlock) % ARENA_ALIGN == 0, "arena header keeps the alignment");
    if (need > SIZE_MAX / 2)
        die("arena allocation too large");
    ArenaBlock *b = need < cap ? memory_try_zeroed(1, sizeof *b + cap) : NULL;
    if (!b)
        b = xcalloc(1, sizeof *b + (cap = need > ARENA_FIRST ? need : ARENA_FIRST));
    b->cap = cap;
    return b;
}

void *arena_alloc(Arena *a, size_t bytes)
{
    size_t need = (bytes + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
    if (need == 0)
        need = ARENA_ALIGN;
    ArenaBlock *b = a->head;
    if (!b || b->cap - b->used < need) {
        size_t cap = !b                           ? (a->first ? a->first : ARENA_FIRST)
                     : b->cap * 2 < ARENA_LARGEST ? b->cap * 2
                                                  : ARENA_LARGEST;
        ArenaBlock *fresh = block_new(need, cap);
        /* A huge object gets a block of its own behind the head, so the room left in the head is
         * not lost. */
        if (b && need > cap) {
            fresh->next = b->next;
            b->next = fresh;
        } else {
            fresh->next = b;
            a->head = fresh;
        }
        b = fresh;
    }
    void *p = block_bytes(b) + b->used;
    b->used += need;
    a->total += need;
    return p;
}

char *arena_strndup(Arena *a, const char *s, size_t n)
{
    char *p = arena_alloc(a, n + 1);
    if (n)
        memcpy(p, s, n);
    return p;
}

const void *arena_block(const Arena *a, const void *last, const char **from, size_t *bytes)
{
    ArenaBlock *b = last ? ((const ArenaBlock *)last)->next : a->head;
    *from = b ? block_bytes(b) : NULL;
    *bytes = b ? b->used : 0;
    return b;
}

void arena_free(Arena *a)
{
    for (ArenaBlock *b = a->head; b;) {
        ArenaBlock *next = b->next;
        free(b);
        b = next;
    }
    a->head = NULL;
    a->total = 0;
}

/* ---- hashing ---- */

u64 hash_bytes(const void *p, size_t n, u64 seed)
{
    return XXH3_64bits_withSeed(n ? p : "", n, seed);
}

/* The finalizer of MurmurHash3 over both words; not commutative. */
u64 hash_mix(u64 a, u64 b)
{
    u64 h = a * 0x9E3779B97F4A7C15u + (b ^ (b >> 29)) * 0xC2B2AE3D27D4EB4Fu + 0x165667B19E3779F9u;
    h = (h ^ (h >> 33)) * 0xFF51AFD7ED558CCDu;
    h = (h ^ (h >> 33)) * 0xC4CEB9FE1A85EC53u;
    return h ^ (h >> 33);
}

/* ---- edit distance ---- */

/* Insertions, deletions, changes and swaps of neighbours (optimal string alignment). */
int edit_distance(const char *a, const char *b, int limit)
{
    size_t la = strlen(a), lb = strlen(b);
    size_t gap = la > lb ? la - lb : lb - la;
    if (limit < 0 || gap > (size_t)limit)
        return limit + 1;
    int *rows = xcalloc(3 * (lb + 1), sizeof *rows);
    int *before = rows, *last = rows + lb + 1, *cur = rows + 2 * (lb + 1);
    for (size_t j = 0; j <= lb; j++)
        last[j] = (int)j;
    bool over = false;
    for (size_t i = 1; i <= la && !over; i++) {
        int least = cur[0] = (int)i;
        for (size_t j = 1; j <= lb; j++) {
            int d = last[j - 1] + (a[i - 1] != b[j - 1]);
            d = last[j] + 1 < d ? last[j] + 1 : d;
            d = cur[j - 1] + 1 < d ? cur[j - 1] + 1 : d;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d = before[j - 2] + 1 < d ? before[j - 2] + 1 : d;
            cur[j] = d;
            least = d < least ? d : least;
        }
        over = least > limit + 1; /* a swap may still gain one on the row before */
        int *spare = before;
        before = last;
        last = cur;
        cur = spare;
    }
    int d = over ? limit + 1 : last[lb];
    free(rows);
    return d > limit ? limit + 1 : d;
}

/* ---- clock and files ---- */

double now_seconds(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

double processor_seconds(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}
