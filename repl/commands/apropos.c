/* `:help TEXT` where nothing is called so: whatever has these words in its help.
 *
 * Invariant: it reads the tables and the manual that `:help NAME` shows. */
#include "repl/commands/help.h"

#include <ctype.h>

typedef struct {
    Report *report;
    Rows *rows;
    const char *kind;
    VEC(const char *) words;
} Search;

/* Does the word begin somewhere in the text, in small letters or large ones? */
static bool has(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = text; at && *at; at++)
        if (strncasecmp(at, word, n) == 0 && (at == text || !isalnum((unsigned char)at[-1])))
            return true;
    return false;
}

/* All words, in any of its texts. */
static void look(void *ctx, const HelpEntry *e)
{
    Search *s = ctx;
    if (!e->kind || strcmp(e->kind, s->kind) != 0)
        return;
    const char *name = report_format(s->report, strcmp(e->kind, "command") ? "%s" : ":%s", e->name);
    for (size_t w = 0; w < s->words.len; w++)
        if (!has(name, s->words.at[w]) && !has(e->doc, s->words.at[w]) &&
            !has(e->more, s->words.at[w]))
            return;
    rows_add(s->rows, text_of(name), text_of(e->kind), text_of(e->doc));
}

bool help_apropos(Call *c, const char *text)
{
    static const char *const kinds[] = {"subject",  "command", "function",
                                        "operator", "pass",    "rule"};
    static const Column columns[] = {{"", "name"}, {"", "kind"}, {"", "help"}};
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    Search s = {.report = &c->report, .rows = &rows};
    for (size_t n; *text; text += n + strspn(text + n, " \t")) {
        n = strcspn(text, " \t");
        vec_push(&s.words, arena_strndup(&c->arena, text, n));
    }
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        s.kind = kinds[i];
        help_each(c->r, look, &s);
    }
    bool any = rows.table.cells.len > 0;
    if (any)
        text_put(&c->out, "these mention it; `:help NAME` shows one:\n");
    rows_put(&rows, "found");
    vec_free(&s.words);
    return any;
}
