/* Writes LANGUAGE.md: the text of core/session/language.md, in which a line <!-- NAME --> stands
 * for a chapter made of the tables. */
#include "repl/documents/check.h"
#include "repl/commands/chapters.h"
#include "session/describe.h"

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
        chapter_prose(out, text);
    *first = false;
}

static void put_function(Session *scratch, Text *out, const char *name)
{
    Description d;
    describe_function(scratch, name, &d);
    text_printf(out, "#### `%s`\n\n", text_str(&d.call));
    chapter_prose(out, text_str(&d.doc));
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
    text_printf(out, "\n```gradus fresh\n%.*s\n```\n\n", (int)d.example.program.len,
                d.example.program.at);
    description_free(&d);
}

static void put_functions(Session *scratch, Text *out)
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

/* ---- the whole ---- */

void language_print(void)
{
    static const char functions[] = "<!-- functions -->";
    Session scratch;
    Text out = {0};
    if (!session_init(&scratch))
        die("the embedded prelude or rules are broken");
    for (const char *s = manual_text(); *s;) {
        size_t n = strcspn(s, "\n");
        if (n == strlen(functions) && memcmp(s, functions, n) == 0)
            put_functions(&scratch, &out);
        else if (!chapter_put(&scratch.options.pipeline, &out, s, n, true) &&
                 strncmp(s, "<!-- help: ", 11) != 0)
            text_printf(&out, "%.*s\n", (int)n, s);
        s += n + (s[n] == '\n');
    }
    fwrite(text_str(&out), 1, out.len, stdout);
    text_free(&out);
    session_free(&scratch);
}
