/* Finds sections in the embedded texts language.md, examples.gr and commands.gr. */
#include "session/manual.h"
#include "embed/embed.h"

const char *manual_text(void) { return embed_language_md; }

bool words_next(Words *list, Words *word)
{
    while (list->len && *list->at == ' ')
        list->at++, list->len--;
    size_t n = 0;
    while (n < list->len && list->at[n] != ' ')
        n++;
    *word = (Words){list->at, n};
    list->at += n;
    list->len -= n;
    return n > 0;
}

static bool words_equal(Words a, const char *b)
{
    return strlen(b) == a.len && memcmp(a.at, b, a.len) == 0;
}

static bool words_hold(Words list, const char *name)
{
    for (Words word; words_next(&list, &word);)
        if (words_equal(word, name))
            return true;
    return false;
}

/* The line at *at without its newline, and *at behind it; false at the end of the text. */
static bool next_line(const char *text, size_t *at, Words *line)
{
    if (!text[*at])
        return false;
    size_t n = strcspn(text + *at, "\n");
    *line = (Words){text + *at, n};
    *at += n + (text[*at + n] == '\n');
    return true;
}

/* What follows `prefix` in a line, `suffix` cut off; false if it does not stand there. */
static bool line_after(Words line, const char *prefix, const char *suffix, Words *rest)
{
    size_t n = strlen(prefix), m = strlen(suffix);
    if (line.len < n + m || memcmp(line.at, prefix, n) != 0 ||
        memcmp(line.at + line.len - m, suffix, m) != 0)
        return false;
    *rest = (Words){line.at + n, line.len - n - m};
    return true;
}

static Words without_blank_ends(const char *from, const char *to)
{
    while (from < to && *from == '\n')
        from++;
    while (to > from && (to[-1] == '\n' || to[-1] == ' '))
        to--;
    return (Words){from, (size_t)(to - from)};
}

static bool next_example(const char *text, size_t *at, ManualExample *out)
{
    Words line, unused;
    do
        if (!next_line(text, at, &line))
            return false;
    while (!line_after(line, "## ", "", &out->name));
    size_t begin = *at, end = *at;
    out->see = (Words){text, 0};
    while (next_line(text, at, &line) && !line_after(line, "## ", "", &unused)) {
        if (line_after(line, "# see: ", "", &out->see))
            begin = *at;
        end = *at;
    }
    out->program = without_blank_ends(text + begin, text + end);
    *at = end;
    return true;
}

static bool find_example(const char *text, const char *name, ManualExample *out)
{
    for (size_t at = 0; next_example(text, &at, out);)
        if (words_equal(out->name, name))
            return true;
    return false;
}

bool manual_next_example(size_t *at, ManualExample *out)
{
    return next_example(embed_examples_gr, at, out);
}

bool manual_next_command(size_t *at, ManualExample *out)
{
    return next_example(embed_commands_gr, at, out);
}

bool manual_example(const char *name, ManualExample *out)
{
    return find_example(embed_examples_gr, name, out);
}

bool manual_command(const char *name, ManualExample *out)
{
    return find_example(embed_commands_gr, name, out);
}

/* A heading, outside of fences. */
static bool is_heading(Words line, bool *fenced)
{
    if (line.len >= 3 && memcmp(line.at, "```", 3) == 0)
        *fenced = !*fenced;
    return !*fenced && line.len > 1 && *line.at == '#';
}

bool manual_next_topic(size_t *at, ManualTopic *out)
{
    const char *text = embed_language_md;
    Words line, title = {text, 0};
    bool fenced = false;
    do {
        if (!next_line(text, at, &line))
            return false;
        if (is_heading(line, &fenced))
            title = line;
    } while (!line_after(line, "<!-- help: ", " -->", &out->names));
    while (title.len && (*title.at == '#' || *title.at == ' '))
        title.at++, title.len--;
    size_t begin = *at, end = *at;
    while (next_line(text, at, &line) && !is_heading(line, &fenced))
        end = *at;
    out->title = title;
    out->body = without_blank_ends(text + begin, text + end);
    *at = end;
    return true;
}

bool manual_topic(const char *name, ManualTopic *out)
{
    for (size_t at = 0; manual_next_topic(&at, out);)
        if (words_hold(out->names, name))
            return true;
    return false;
}
