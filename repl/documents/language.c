/* Writes LANGUAGE.md: the text of core/session/language.md, in which a line <!-- NAME --> stands
 * for a chapter made of the tables. */
#include "repl/documents/check.h"
#include "repl/commands/commands.h"
#include "repl/commands/describe.h"
#include "repl/commands/help.h"
#include "repl/commands/show.h"

/* Text for the outside of code: * and _ are themselves. */
static void put_prose(Text *out, const char *s)
{
    bool code = false;
    for (; *s; s++) {
        code = code != (*s == '`');
        if (!code && strchr("*_|<>", *s))
            text_putc(out, '\\');
        text_putc(out, *s);
    }
}

/* ---- functions ---- */

static void put_fact(Text *out, bool *first, const char *label, const char *text, bool code)
{
    if (!*text)
        return;
    text_put(out, *first ? "\n" : "; ");
    text_put(out, label);
    if (code)
        text_printf(out, "`%s`", text);
    else
        put_prose(out, text);
    *first = false;
}

static void put_function(Repl *scratch, Text *out, const char *name)
{
    Description d;
    describe_function(scratch, name, &d);
    text_printf(out, "#### `%s`\n\n", text_str(&d.call));
    put_prose(out, text_str(&d.doc));
    bool first = true;
    put_fact(out, &first, "dtypes: ", text_str(&d.types), false);
    put_fact(out, &first, "", text_str(&d.facts), false);
    text_put(out, first ? "" : ".");
    first = true;
    put_fact(out, &first, "", text_str(&d.definition), true);
    if (strchr(text_str(&d.derivative), '=')) {
        first = true;
        put_fact(out, &first, "", text_str(&d.derivative), true);
    }
    Words see = d.example.see;
    int n = 0;
    for (Words word; words_next(&see, &word); n++)
        text_printf(out, "%s`%.*s`", n ? ", " : "\nSee ", (int)word.len, word.at);
    text_put(out, n ? ".\n" : "\n");
    text_printf(out, "\n```gradus\n%.*s\n```\n\n", (int)d.example.program.len,
                d.example.program.at);
    description_free(&d);
}

static void put_functions(Repl *scratch, Text *out)
{
    const char *title;
    for (size_t k = 0; (title = describe_chapter(k)); k++) {
        const char *name;
        text_printf(out, "### %s\n\n", title);
        for (size_t i = 0; (name = describe_function_name(scratch, k, i)); i++)
            put_function(scratch, out, name);
    }
    out->len--; /* of two line ends one is that of the line replaced */
}

/* ---- commands, passes, conditions of rules ---- */

static void put_commands(Text *out)
{
    for (size_t i = 0; i < command_count; i++) {
        const Command *k = &commands[i];
        text_printf(out, "- `:%s%s%s`: ", k->name, *k->args ? " " : "", k->args);
        put_prose(out, k->help);
        text_put(out, ".\n");
        for (const char *s = k->more; *s;) {
            int n = (int)strcspn(s, "\n");
            bool sample = strncmp(s, "  ", 2) == 0;
            Text line = {0};
            text_printf(&line, "%.*s", n, s);
            if (sample) /* a line of its own */
                text_printf(out, "  - `%s`\n", text_str(&line) + 2);
            else {
                text_put(out, "  ");
                put_prose(out, text_str(&line));
                text_putc(out, '\n');
            }
            text_free(&line);
            s += n + (s[n] == '\n');
        }
    }
}

static void put_passes(Repl *scratch, Text *out)
{
    const RuleSet *rs = &scratch->s.rules;
    for (size_t i = 0; i < rs->pipeline.len; i++)
        text_printf(out, "%zu. `%s`: %s\n", i + 1, rs->pipeline.at[i].name, rs->pipeline.at[i].doc);
}

static void put_rule_functions(Text *out, size_t n, const RuleFunction *list)
{
    for (size_t i = 0; i < n; i++) {
        text_put(out, "- `");
        help_rule_function(out, &list[i]);
        text_printf(out, "`: %s\n", list[i].doc);
    }
}

/* ---- the whole ---- */

static bool line_is(const char *line, size_t n, const char *what)
{
    return n == strlen(what) && memcmp(line, what, n) == 0;
}

void language_print(void)
{
    Repl scratch;
    Text out = {0};
    if (!repl_init(&scratch))
        die("the embedded prelude or rules are broken");
    for (const char *s = manual_text(); *s;) {
        size_t n = strcspn(s, "\n");
        if (line_is(s, n, "<!-- functions -->"))
            put_functions(&scratch, &out);
        else if (line_is(s, n, "<!-- commands -->"))
            put_commands(&out);
        else if (line_is(s, n, "<!-- passes -->"))
            put_passes(&scratch, &out);
        else if (line_is(s, n, "<!-- conditions -->"))
            put_rule_functions(&out, guard_count, guards);
        else if (line_is(s, n, "<!-- functions of rules -->"))
            put_rule_functions(&out, rule_function_count, rule_functions);
        else if (strncmp(s, "<!-- help: ", 11) != 0)
            text_printf(&out, "%.*s\n", (int)n, s);
        s += n + (s[n] == '\n');
    }
    fwrite(text_str(&out), 1, out.len, stdout);
    text_free(&out);
    repl_free(&scratch);
}
