/* What people type first, as the command that they mean: `help`, `exit()`, `?sum`, `help(sum)`.
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

char *words_command(Repl *r, const char *entry)
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
    if (strcmp(command, "learn") == 0 && !command_find(r, command, (Span){0}, false))
        command = "help", subject = (Part){"start", 5};
    Text out = {0};
    text_printf(&out, ":%s %.*s", command, (int)subject.n, subject.at);
    return text_take(&out);
}
