/* `:help TEXT` where nothing is called so: whatever has these words in its help.
 *
 * Invariant: it reads the tables and the manual that `:help NAME` shows. */
#include "repl/commands/help.h"

#include <ctype.h>

typedef struct {
    Rows *rows;
    VEC(const char *) words;
} Search;

/* Does the word begin somewhere in the text, in small letters or large ones? */
static bool has(const char *text, size_t n, const char *word)
{
    size_t len = strlen(word);
    for (size_t i = 0; i + len <= n; i++) {
        size_t k = 0;
        while (k < len && tolower((unsigned char)text[i + k]) == tolower((unsigned char)word[k]))
            k++;
        if (k == len && (i == 0 || !isalnum((unsigned char)text[i - 1])))
            return true;
    }
    return false;
}

/* All words, in any of these texts. */
static bool has_all(const Search *s, const char *const *texts, const size_t *lengths, int n)
{
    for (size_t w = 0; w < s->words.len; w++) {
        bool found = false;
        for (int i = 0; i < n && !found; i++)
            found = texts[i] && has(texts[i], lengths[i], s->words.at[w]);
        if (!found)
            return false;
    }
    return true;
}

static void look(Search *s, const char *kind, const char *name, const char *doc, const char *more)
{
    const char *texts[] = {name, doc, more};
    size_t lengths[] = {strlen(name), doc ? strlen(doc) : 0, more ? strlen(more) : 0};
    if (has_all(s, texts, lengths, 3))
        rows_add(s->rows, text_of(name), text_of(kind), text_of(doc));
}

static void look_through_manual(Call *c, Search *s)
{
    ManualTopic topic;
    for (size_t at = 0; manual_next_topic(&at, &topic);) {
        Words names = topic.names, first;
        const char *texts[] = {topic.names.at, topic.title.at, topic.body.at};
        size_t lengths[] = {topic.names.len, topic.title.len, topic.body.len};
        if (!words_next(&names, &first) || !has_all(s, texts, lengths, 3))
            continue;
        rows_add(s->rows, text_of(report_format(&c->report, "%.*s", (int)first.len, first.at)),
                 text_of("subject"),
                 text_of(report_format(&c->report, "%.*s", (int)topic.title.len, topic.title.at)));
    }
}

bool help_apropos(Call *c, const char *text)
{
    static const Column columns[] = {{"", "name"}, {"", "kind"}, {"", "help"}};
    Search s = {.words = {0}};
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    s.rows = &rows;
    for (size_t n; *text; text += n + strspn(text + n, " \t")) {
        n = strcspn(text, " \t");
        vec_push(&s.words, arena_strndup(&c->arena, text, n));
    }
    look_through_manual(c, &s);
    for (size_t i = 0; i < command_count; i++)
        look(&s, "command", report_format(&c->report, ":%s", commands[i].name), commands[i].help,
             commands[i].more);
    for (size_t i = 0; i < builtin_count; i++)
        look(&s, "function", builtins[i].name, builtins[i].doc, NULL);
    for (int op = 0; op < OP_COUNT; op++)
        if (!builtin_by_name(op_table[op].name))
            look(&s, "operator", op_table[op].name, op_table[op].doc, NULL);
    for (size_t i = 0; i < pass_count(); i++)
        look(&s, "pass", pass_table[i].name, pass_table[i].doc, NULL);
    const RuleSet *rs = &c->r->s.rules;
    for (size_t i = 0; i < rs->all.len; i++)
        look(&s, "rule", rs->all.at[i]->name, rs->all.at[i]->reason, rs->all.at[i]->text);
    bool any = rows.table.cells.len > 0;
    if (any)
        text_put(&c->out, "these tell of it; `:help NAME` shows one:\n");
    rows_put(&rows, "found");
    vec_free(&s.words);
    return any;
}
