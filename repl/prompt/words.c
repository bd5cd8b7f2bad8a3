/* What people type first, as the command that they mean: `help`, `exit()`, `?sum`, `help(sum)`.
 *
 * And prompts that were pasted along with an entry.
 *
 * Invariant: a word that the session gives a meaning keeps that, and so does whatever is more than
 * one word and what it asks about. */
#include "repl/commands/commands.h"
#include "repl/prompt/prompt.h"

static const struct {
    const char *words; /* blank-separated */
    const char *command;
} habits[] = {
    {"help apropos", "help"},
    {"exit quit bye logout", "quit"},
    {"tutorial learn lessons", "learn"},
    {"ls dir vars who whos", "vars"},
    {"history", "history"},
    {"reset", "reset"},
    {"undo", "undo"},
};

/* A part of the entry. */
typedef struct {
    const char *at;
    size_t n;
} Part;

static Part trimmed(Part p)
{
    while (p.n && strchr(" \t\r\n", *p.at))
        p.at++, p.n--;
    while (p.n && strchr(" \t\r\n;", p.at[p.n - 1]))
        p.n--;
    return p;
}

static const char *habit_of(Part word)
{
    for (size_t i = 0; i < COUNT_OF(habits); i++)
        for (const char *s = habits[i].words; *s; s += *s == ' ') {
            size_t n = strcspn(s, " ");
            if (n == word.n && strncmp(s, word.at, n) == 0)
                return habits[i].command;
            s += n;
        }
    return NULL;
}

static bool is_defined(Repl *r, Part word)
{
    return env_own(r->s.elab.globals, symbol_n(&r->s.st, word.at, word.n)) != NULL;
}

/* Without the brackets or quotes around it. */
static Part bare(Part p)
{
    static const char *const pairs[] = {"()", "\"\"", "''"};
    for (size_t i = 0; i < COUNT_OF(pairs); i++)
        if (p.n >= 2 && p.at[0] == pairs[i][0] && p.at[p.n - 1] == pairs[i][1])
            p = trimmed((Part){p.at + 1, p.n - 2});
    return p;
}

/* One name, sign or command, as :help takes it. */
static bool is_subject(Part p)
{
    for (size_t i = 0; i < p.n; i++)
        if (strchr(" \t\r\n=,;\"'()[]{}", p.at[i]))
            return false;
    return true;
}

/* "?sum", "sum?", "?" */
static bool asks(Part all, Part *subject)
{
    bool before = all.n && all.at[0] == '?', after = all.n && all.at[all.n - 1] == '?';
    if (!before && !after)
        return false;
    while (all.n && *all.at == '?')
        all.at++, all.n--;
    while (all.n && all.at[all.n - 1] == '?')
        all.n--;
    *subject = trimmed(all);
    return is_subject(*subject);
}

static char *words_command(Repl *r, const char *entry)
{
    Part all = trimmed((Part){entry, strlen(entry)}), subject = {"", 0};
    const char *command = "help";
    if (!asks(all, &subject)) {
        Part word = {all.at, strspn(all.at, "abcdefghijklmnopqrstuvwxyz")};
        word.n = word.n < all.n ? word.n : all.n;
        command = habit_of(word);
        if (!command || is_defined(r, word))
            return NULL;
        subject = bare(trimmed((Part){word.at + word.n, all.n - word.n}));
        if (!is_subject(subject) || (subject.n && strcmp(command, "vars") == 0))
            return NULL;
    }
    if (strcmp(command, "learn") == 0 && !command_named(r, command, NULL))
        command = "help", subject = (Part){"start", 5};
    Text out = {0};
    text_printf(&out, ":%s %.*s", command, (int)subject.n, subject.at);
    return text_take(&out);
}

/* ---- pasted prompts ---- */

/* "In [12]: " of n bytes, "   ...: " */
static size_t notebook_prompt(const char *row, size_t n)
{
    size_t blanks = strspn(row, " "), digits;
    if (blanks && n >= blanks + 5 && strncmp(row + blanks, "...: ", 5) == 0)
        return blanks + 5;
    if (strncmp(row, "In [", 4) != 0)
        return 0;
    digits = strspn(row + 4, "0123456789");
    return digits && strncmp(row + 4 + digits, "]: ", 3) == 0 ? 4 + digits + 3 : 0;
}

/* The length of the prompt that a row of n bytes begins with, or 0: `>`, `>>>` and `...`, and those
 * of other languages' sessions. `among`: a row before it had one. */
static size_t prompt_length(Repl *r, const char *row, size_t n, bool among)
{
    static const char *const signs[] = {">", ">>>", "..."}, *const words[] = {"julia", "ghci",
                                                                              "Prelude"};
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        size_t k = strlen(signs[i]);
        if (n >= k && strncmp(row, signs[i], k) == 0 && (n == k || row[k] == ' '))
            return n == k ? k : k + 1;
    }
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        size_t k = strlen(words[i]);
        if (n >= k + 2 && strncmp(row, words[i], k) == 0 && strncmp(row + k, "> ", 2) == 0 &&
            !is_defined(r, (Part){row, k}))
            return k + 2;
    }
    if (among && n >= 2 && strncmp(row, "+ ", 2) == 0)
        return 2; /* R goes on */
    return notebook_prompt(row, n);
}

/* "> x + 1": what stands behind the prompts; other rows are what the session they come from had
 * printed. NULL: the entry does not begin with one. */
static char *without_prompts(Repl *r, const char *entry)
{
    Text out = {0};
    bool among = false;
    for (size_t n; *entry; entry += n + (entry[n] == '\n')) {
        n = strcspn(entry, "\n");
        size_t skip = prompt_length(r, entry, n, among);
        if (!skip && !among)
            return NULL;
        among = true;
        if (skip && skip < n)
            text_printf(&out, "%.*s\n", (int)(n - skip), entry + skip);
    }
    return among ? text_take(&out) : NULL;
}

char *words_meant(Repl *r, const char *entry)
{
    char *typed = without_prompts(r, entry);
    char *command = words_command(r, typed ? typed : entry);
    if (command)
        free(typed);
    return command ? command : typed;
}
