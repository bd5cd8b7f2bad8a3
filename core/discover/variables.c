/* Variables in the texts of terms: each is a letter of its own. */
#include "discover/discovering.h"

#include <ctype.h>

static size_t word_length(const char *c)
{
    size_t n = 0;
    while (isalnum((unsigned char)c[n]) || c[n] == '_')
        n++;
    return n;
}

char next_variable(const Discoverer *d, const char **at)
{
    for (const char *c = *at; *c; c = *at) {
        size_t n = word_length(c);
        *at = c + (n ? n : 1);
        if (n == 1 && family_of_variable(d, *c) >= 0)
            return *c;
    }
    return 0;
}

int variables_in(const Discoverer *d, const char *text, char out[MOST_VARIABLES])
{
    int n = 0;
    for (char v; n < MOST_VARIABLES && (v = next_variable(d, &text)) != 0;)
        if (!memchr(out, v, (size_t)n))
            out[n++] = v;
    return n;
}

bool mentions_all(const Discoverer *d, const char *text, const char *of)
{
    char mine[MOST_VARIABLES], theirs[MOST_VARIABLES];
    int n = variables_in(d, text, mine), m = variables_in(d, of, theirs);
    for (int i = 0; i < m; i++)
        if (!memchr(mine, theirs[i], (size_t)n))
            return false;
    return true;
}

/* New names, by family the first ones first as they come. */
typedef struct {
    const Discoverer *d;
    char was[MOST_VARIABLES], now[MOST_VARIABLES];
    size_t n;
    u32 next[FAMILIES];
} Renaming;

static char new_name(Renaming *r, char v)
{
    const char *known = memchr(r->was, v, r->n);
    if (known)
        return r->now[known - r->was];
    int f = family_of_variable(r->d, v);
    r->was[r->n] = v;
    r->now[r->n] = families[f].variables[r->next[f]++];
    return r->now[r->n++];
}

static const char *renamed(Renaming *r, const char *text)
{
    Text t = {0};
    for (const char *at = text, *from = text; *from; from = at) {
        char v = next_variable(r->d, &at);
        text_putn(&t, from, (size_t)(at - from) - (v != 0));
        if (v)
            text_putc(&t, new_name(r, v));
    }
    const char *out = arena_strndup(&r->d->out->arena, text_str(&t), t.len);
    text_free(&t);
    return out;
}

void rename_variables(Discoverer *d, const char *const texts[2], const char **left,
                      const char **right)
{
    Renaming names = {.d = d};
    *left = renamed(&names, texts[0]);
    *right = renamed(&names, texts[1]);
}
