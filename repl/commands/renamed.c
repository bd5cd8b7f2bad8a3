/* Old names.  See renamed.h.
 *
 * Invariant: what is given back can be typed as it stands; words that are not of the table stay. */
#include "repl/commands/renamed.h"

#include "repl/commands/arguments.h"

#include <ctype.h>

static const struct {
    const char *old, *now, *alone, *always;
} names[] = {
#define N(OLD, NOW, ALONE, ALWAYS) {#OLD, NOW, ALONE, ALWAYS},
#define O(COMMAND, WORD, NOW)
#include "repl/commands/renamed.def"
#undef N
#undef O
};

static const struct {
    const char *command, *word, *now;
} words[] = {
#define N(OLD, NOW, ALONE, ALWAYS)
#define O(COMMAND, WORD, NOW) {#COMMAND, WORD, NOW},
#include "repl/commands/renamed.def"
#undef N
#undef O
};

/* One old line on its way to a new one. */
typedef struct {
    const char *name, *text;
    Word of[MOST_WORDS];
    int n;
    Text out;
    bool changed;
} Renaming;

static void put_word(Renaming *r, const char *word)
{
    text_printf(&r->out, "%s%s", r->out.len ? " " : "", word);
}

static void put_filled(Renaming *r, const char *pattern, const char *value, size_t n)
{
    text_put(&r->out, r->out.len ? " " : "");
    for (; *pattern; pattern++)
        if (*pattern == '$')
            text_putn(&r->out, value, n);
        else
            text_putc(&r->out, *pattern);
    r->changed = true;
}

/* May the i-th word be an option that is no key=? It stands last, where an expression has ended. */
static bool may_be_bare(const Renaming *r, int i)
{
    if (i == 0)
        return strcmp(r->name, "rules") == 0 ||
               (r->n > 1 && (strcmp(r->name, "draw") == 0 || strcmp(r->name, "explore") == 0));
    char before = r->text[r->of[i - 1].to - 1];
    bool last = true;
    for (int k = i + 1; k < r->n; k++) {
        const char *w = r->text + r->of[k].from;
        size_t key = strspn(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        bool file = memchr(w, '.', r->of[k].to - r->of[k].from) != NULL;
        last = last && ((key && w[key] == '=') || file);
    }
    return last && (isalnum((unsigned char)before) || strchr(")]}_'\"", before));
}

/* The value of the row's word, if the i-th word is it. */
static bool fits(const Renaming *r, const char *row, int i, const char **value, size_t *n)
{
    const char *w = r->text + r->of[i].from;
    size_t len = r->of[i].to - r->of[i].from, k = strlen(row);
    *value = w;
    *n = len;
    if (!k)
        return true;
    if (*row == '%')
        return *w == '%' && len > 1 && i == 0;
    if (row[k - 1] == '=') {
        *value = w + k;
        *n = len - k;
        return len > k && strncmp(w, row, k) == 0;
    }
    return len == k && strncmp(w, row, k) == 0 && (strchr(row, '=') || may_be_bare(r, i));
}

static const char *value_of(const Renaming *r, const char *key, size_t *n)
{
    size_t k = strlen(key);
    for (int i = 0; i < r->n; i++) {
        const char *w = r->text + r->of[i].from;
        *n = r->of[i].to - r->of[i].from;
        if (*n > k && strncmp(w, key, k) == 0) {
            *n -= k;
            return w + k;
        }
    }
    return NULL;
}

static bool has_key(const Renaming *r, int i, const char *key)
{
    return strncmp(r->text + r->of[i].from, key, strlen(key)) == 0;
}

/* Is it one of the two that are put together? */
static bool is_end(const Renaming *r, int i)
{
    return has_key(r, i, "from=") || has_key(r, i, "to=");
}

/* from=K to=L, states of :diff and :draw: the steps between them. */
static void put_states(Renaming *r)
{
    size_t nfrom, nto;
    const char *from = value_of(r, "from=", &nfrom), *to = value_of(r, "to=", &nto);
    Text range = {0};
    size_t last = from ? nfrom : 0;
    while (last && isdigit((unsigned char)from[last - 1]))
        last--;
    text_put(&range, "step=");
    text_putn(&range, from ? from : "", last);
    text_printf(&range, "%lld", from ? strtoll(from + last, NULL, 10) + 1 : 1);
    bool one = to && range.len - 5 == nto && strncmp(text_str(&range) + 5, to, nto) == 0;
    text_put(&range, one ? "" : "..");
    text_putn(&range, to ? to : "", to && !one ? nto : 0);
    put_word(r, text_str(&range));
    text_free(&range);
    r->changed = true;
}

/* `:unroll S 3 from=2`: the number is the last word but for options. */
static void put_unrolled(Renaming *r, int i)
{
    size_t n;
    const char *from = value_of(r, "from=", &n);
    long long first = from ? strtoll(from, NULL, 10) : 0,
              count = strtoll(r->text + r->of[i].from, NULL, 10);
    char range[64];
    if (count > 1)
        snprintf(range, sizeof range, "at=%lld..%lld", first, first + count - 1);
    else
        snprintf(range, sizeof range, "at=%lld", first);
    put_word(r, range);
}

static int count_word(const Renaming *r)
{
    int found = -1;
    for (int i = 1; i < r->n; i++)
        if (isdigit((unsigned char)r->text[r->of[i].from]))
            found = i;
    return found;
}

static void put_one(Renaming *r, int i)
{
    const char *value;
    size_t n;
    bool states = !strcmp(r->name, "diff") || !strcmp(r->name, "draw"),
         unroll = !strcmp(r->name, "unroll");
    if (states && is_end(r, i)) {
        bool first = true;
        for (int k = 0; k < i; k++)
            first = first && !is_end(r, k);
        if (first)
            put_states(r);
        return;
    }
    if (unroll && has_key(r, i, "from="))
        return;
    if (unroll && i == count_word(r)) {
        put_unrolled(r, i);
        return;
    }
    for (size_t k = 0; k < COUNT_OF(words); k++)
        if (strcmp(words[k].command, r->name) == 0 && fits(r, words[k].word, i, &value, &n)) {
            put_filled(r, words[k].now, value, n);
            return;
        }
    text_put(&r->out, r->out.len ? " " : "");
    text_putn(&r->out, r->text + r->of[i].from, r->of[i].to - r->of[i].from);
}

static void rename_words(Renaming *r, const char *name, const char *rest)
{
    *r = (Renaming){.name = name, .text = rest};
    r->n = words_of(rest, r->of);
    for (int i = 0; i < r->n; i++)
        put_one(r, i);
}

static char *line_of(Arena *arena, Renaming *r, const char *now)
{
    Text line = {0};
    text_printf(&line, ":%s%s%s", now, r->out.len ? " " : "", text_str(&r->out));
    char *kept = arena_strndup(arena, text_str(&line), line.len);
    text_free(&line);
    text_free(&r->out);
    return kept;
}

char *renamed_options(Arena *arena, const char *name, const char *rest)
{
    Renaming r;
    rename_words(&r, name, rest);
    if (r.changed)
        return line_of(arena, &r, name);
    text_free(&r.out);
    return NULL;
}

char *renamed_command(Arena *arena, const char *word, const char *rest, const char **name)
{
    size_t found = COUNT_OF(names), count = 0;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (!*word || strncmp(names[i].old, word, strlen(word)) != 0)
            continue;
        found = i;
        count++;
        if (strcmp(names[i].old, word) == 0) {
            count = 1;
            break;
        }
    }
    if (count != 1)
        return NULL;
    *name = names[found].old;
    if (!*names[found].now)
        return arena_strndup(arena, "", 0);
    Renaming r;
    rename_words(&r, names[found].old, rest);
    const char *now = names[found].now;
    if (!r.n)
        put_word(&r, names[found].alone);
    else if (strcmp(names[found].old, "goal") == 0)
        now = "expect"; /* with something to be compared with */
    bool tex = strcmp(names[found].old, "derivation") == 0 && strstr(rest, ".tex");
    if (*names[found].always)
        put_word(&r, tex ? "to=document" : names[found].always);
    return line_of(arena, &r, now);
}
