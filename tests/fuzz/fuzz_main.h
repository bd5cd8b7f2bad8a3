/* A main() for fuzzers that are built without libFuzzer (with gcc, and for the sanitizers).
 *
 *    fuzz_NAME FILE...                            runs the files, each as one input
 *    fuzz_NAME -cases=N [-seed=S] [-seconds=T] [-keep=PATH] FILE...
 *
 * The second form makes N inputs, or as many as fit into T seconds: mutations of the files, or
 * random bytes if there are none; the n-th input depends only on S, n and the files. It writes
 * each input to PATH before it runs it, so that the one that ends the program is there
 * afterwards, and ends with the line "N passed, 0 failed". */
#ifndef FUZZ_MAIN_H
#define FUZZ_MAIN_H

#include "base/file.h"
#include "fuzz.h"

#define FUZZ_LONGEST 4096 /* bytes of a mutated input */

typedef struct {
    char *at;
    size_t len;
} FuzzSeed;

typedef struct {
    u64 state;
    FuzzSeed *seeds;
    int nseeds;
    char *at;
    size_t len;
} FuzzMutator;

static inline u32 fuzz_pick(FuzzMutator *m, size_t n)
{
    m->state = m->state * 6364136223846793005u + 1442695040888963407u;
    return n ? (u32)((m->state >> 33) % n) : 0;
}

static inline char fuzz_byte(FuzzMutator *m)
{
    static const char common[] = "()[]{}=:,.+-*/^'\n ;%@0123456789xystpf";
    u32 k = fuzz_pick(m, 512);
    return k & 256 ? (char)k : common[k % (sizeof common - 1)];
}

/* Replaces `gone` bytes at `at` by `len` bytes of `text`. */
static inline void fuzz_splice(FuzzMutator *m, size_t at, size_t gone, const char *text, size_t len)
{
    gone = gone > m->len - at ? m->len - at : gone;
    len = m->len - gone + len > FUZZ_LONGEST ? FUZZ_LONGEST - (m->len - gone) : len;
    char part[FUZZ_LONGEST]; /* text may lie within m->at */
    memcpy(part, text, len);
    memmove(m->at + at + len, m->at + at + gone, m->len - at - gone);
    memcpy(m->at + at, part, len);
    m->len += len - gone;
}

static inline bool fuzz_word_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The word, or single byte, at a random place of a text. */
static inline size_t fuzz_word(FuzzMutator *m, const char *text, size_t len, size_t *at)
{
    size_t from = *at = fuzz_pick(m, len);
    while (*at && fuzz_word_char(text[*at]) && fuzz_word_char(text[*at - 1]))
        --*at;
    while (from < len && fuzz_word_char(text[from]))
        from++;
    return from > *at ? from - *at : len > *at ? 1 : 0;
}

static inline void fuzz_mutate_once(FuzzMutator *m)
{
    static const char *const numbers[] = {
        "0", "-1", "2", "9223372036854775807", "-9223372036854775808", "1e308", "nan", "99999"};
    const FuzzSeed *other = &m->seeds[fuzz_pick(m, (size_t)m->nseeds)];
    size_t at, from, n = fuzz_word(m, m->at, m->len, &at);
    char c = fuzz_byte(m);
    switch (fuzz_pick(m, 8)) {
    case 0: fuzz_splice(m, at, n, "", 0); break; /* a word less */
    case 1: /* a word twice */ fuzz_splice(m, at, 0, m->at + at, n); break;
    case 2: /* a word of another seed instead */
    case 3:
        from = 0;
        size_t len = fuzz_word(m, other->at, other->len, &from);
        fuzz_splice(m, at, n, other->at + from, len);
        break;
    case 4: { /* another number */
        const char *number = numbers[fuzz_pick(m, COUNT_OF(numbers))];
        fuzz_splice(m, at, n, number, strlen(number));
        break;
    }
    case 5: fuzz_splice(m, at, 1, &c, 1); break;
    case 6: { /* a line, or the rest of one, of another seed */
        from = fuzz_pick(m, other->len);
        const char *end = memchr(other->at + from, '\n', other->len - from);
        fuzz_splice(m, at, 0, other->at + from,
                    end ? (size_t)(end - other->at) - from + 1 : other->len - from);
        break;
    }
    default: /* a piece less */ fuzz_splice(m, at, fuzz_pick(m, 40), "", 0);
    }
}

static inline void fuzz_make(FuzzMutator *m, u64 seed, u64 n)
{
    m->state = hash_mix(seed, n);
    m->len = 0;
    if (m->nseeds) {
        const FuzzSeed *s = &m->seeds[fuzz_pick(m, (size_t)m->nseeds)];
        m->len = s->len > FUZZ_LONGEST ? FUZZ_LONGEST : s->len;
        memcpy(m->at, s->at, m->len);
        for (u32 k = fuzz_pick(m, 6); k > 0 && m->len; k--)
            fuzz_mutate_once(m);
    } else {
        for (u32 want = fuzz_pick(m, 400); m->len < want; m->len++)
            m->at[m->len] = fuzz_byte(m);
    }
}

static inline void fuzz_write(const char *path, const char *bytes, size_t len)
{
    FILE *f = path ? fopen(path, "wb") : NULL;
    if (!f)
        return;
    fwrite(bytes, 1, len, f);
    fclose(f);
}

static inline double fuzz_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    u64 cases = 0, seed = 1, done = 0;
    double seconds = 1e9, start = fuzz_now();
    const char *keep = NULL;
    FuzzMutator m = {.seeds = xcalloc((size_t)argc, sizeof *m.seeds)};
    for (int i = 1; i < argc; i++) {
        FuzzSeed *s = &m.seeds[m.nseeds];
        if (strncmp(argv[i], "-cases=", 7) == 0)
            cases = strtoull(argv[i] + 7, NULL, 10);
        else if (strncmp(argv[i], "-seed=", 6) == 0)
            seed = strtoull(argv[i] + 6, NULL, 10);
        else if (strncmp(argv[i], "-seconds=", 9) == 0)
            seconds = strtod(argv[i] + 9, NULL);
        else if (strncmp(argv[i], "-keep=", 6) == 0)
            keep = argv[i] + 6;
        else if (!(s->at = read_file(argv[i], &s->len, NULL)))
            return fprintf(stderr, "%s cannot be read\n", argv[i]), 3;
        else
            m.nseeds++;
    }
    m.at = xmalloc(FUZZ_LONGEST);
    for (int i = 0; i < m.nseeds; i++, done++) {
        fuzz_write(keep, m.seeds[i].at, m.seeds[i].len);
        LLVMFuzzerTestOneInput((const uint8_t *)m.seeds[i].at, m.seeds[i].len);
    }
    for (u64 n = 0; n < cases && fuzz_now() - start < seconds; n++, done++) {
        fuzz_make(&m, seed, n);
        fuzz_write(keep, m.at, m.len);
        LLVMFuzzerTestOneInput((const uint8_t *)m.at, m.len);
    }
    printf("%llu passed, 0 failed\n", (unsigned long long)done);
    for (int i = 0; i < m.nseeds; i++)
        free(m.seeds[i].at);
    free(m.seeds);
    free(m.at);
    return 0;
}

#endif
