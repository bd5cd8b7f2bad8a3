/* What a token says: the bytes of a string, the digits of a number. */
#include "syntax/lex.h"

#include <errno.h>

const char *lex_unescape(const Source *src, Token t, Arena *arena)
{
    char *out = arena_alloc(arena, t.end - t.start), *o = out;
    for (u32 i = t.start + 1; i + 1 < t.end; i++) {
        char c = src->text[i];
        if (c == '\\') {
            c = src->text[++i];
            c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
        *o++ = c;
    }
    *o = '\0';
    return out;
}

int lex_base(char letter)
{
    static const struct {
        const char *letters;
        int base;
    } prefixes[] = {{"xX", 16}, {"oO", 8}, {"bB", 2}};
    for (size_t i = 0; i < COUNT_OF(prefixes) && letter; i++)
        if (strchr(prefixes[i].letters, letter))
            return prefixes[i].base;
    return 10;
}

/* In decimal; as it was written if it does not fit in 64 bits. */
static char *from_base(const char *digits, int base, Arena *arena)
{
    char *end, out[24];
    errno = 0;
    unsigned long long k = strtoull(digits + 2, &end, base);
    bool fits = !errno && k <= (unsigned long long)INT64_MAX + 1; /* with a minus before it */
    int len = snprintf(out, sizeof out, "%llu", k);
    return fits ? arena_strndup(arena, out, (size_t)len)
                : arena_strndup(arena, digits, strlen(digits));
}

const char *lex_digits(const Source *src, Token t, Arena *arena)
{
    char *out = arena_alloc(arena, t.end - t.start + 1), *o = out;
    for (u32 i = t.start; i < t.end; i++)
        if (src->text[i] != '_')
            *o++ = src->text[i];
    *o = '\0';
    int base = *out == '0' ? lex_base(out[1]) : 10;
    return base == 10 ? out : from_base(out, base, arena);
}
