/* Chapters made of tables.  See chapters.h. */
#include "repl/commands/chapters.h"
#include "repl/commands/commands.h"

void put_prose(Text *out, const char *s, const char *special)
{
    bool code = false;
    for (; *s; s++) {
        code = code != (*s == '`');
        if (!code && strchr(special, *s))
            text_putc(out, '\\');
        text_putc(out, *s);
    }
}

void chapter_prose(Text *out, const char *s) { put_prose(out, s, "*_|<>"); }

void chapter_signature(Text *out, const RuleFunction *f)
{
    text_printf(out, "%s(", f->name);
    for (const char *k = f->params; *k; k++) {
        bool again = k > f->params && k[-1] == *k;
        const char *what = *k == 'n'   ? (again ? "z" : "x")
                           : *k == 'I' ? (again ? "others" : "axes")
                           : *k == 'i' ? (again ? "j" : "i")
                           : *k == 'd' ? "dtype"
                                       : "number";
        text_printf(out, "%s%s", k > f->params ? ", " : "", what);
    }
    text_putc(out, ')');
}

/* ---- commands ---- */

static void put_command(Text *out, const Command *k)
{
    text_printf(out, "- `:%s%s%s`: ", k->name, *k->args ? " " : "", k->args);
    chapter_prose(out, k->help);
    text_put(out, ".\n");
    for (const char *s = k->more; *s;) {
        int n = (int)strcspn(s, "\n");
        bool sample = strncmp(s, "  ", 2) == 0;
        Text line = {0};
        text_printf(&line, "%.*s", n, s);
        if (sample) { /* a line of its own */
            text_printf(out, "  - `%s`\n", text_str(&line) + 2);
        } else {
            text_put(out, "  ");
            chapter_prose(out, text_str(&line));
            text_putc(out, '\n');
        }
        text_free(&line);
        s += n + (s[n] == '\n');
    }
}

static void put_commands(Text *out, bool markdown)
{
    Table t = {.columns = 2};
    for (size_t i = 0; i < command_count; i++)
        if (markdown) {
            put_command(out, &commands[i]);
        } else {
            table_cell(&t, ":%s", commands[i].name);
            table_cell(&t, "%s", commands[i].help);
        }
    table_print(&t, out, 4);
}

/* ---- passes, classes, conditions of rules ---- */

static void put_passes(const Pipeline *all, Text *out, bool markdown)
{
    for (u32 i = 0; i < all->len; i++) {
        const Pass *p = all->at[i].pass;
        text_printf(out, markdown ? "%u. `%s`: %s\n" : "%4u. %s: %s\n", i + 1, p->name, p->doc);
    }
}

static void put_classes(Text *out, bool markdown)
{
    for (size_t i = 0; i < hazard_class_count; i++) {
        const HazardClass *k = &hazard_classes[i];
        text_printf(out, markdown ? "- `%s`: " : "    %-2s  ", k->name);
        text_printf(out, markdown ? "%s `%s`: %s.\n" : "%s\n        %s: %s\n", k->tells, k->rule,
                    k->shows);
    }
}

static void put_rule_functions(Text *out, size_t n, const RuleFunction *list, bool markdown)
{
    for (size_t i = 0; i < n; i++) {
        text_put(out, markdown ? "- `" : "    ");
        chapter_signature(out, &list[i]);
        text_printf(out, "%s: %s\n", markdown ? "`" : "", list[i].doc);
    }
}

/* ---- which one ---- */

static bool line_is(const char *line, size_t n, const char *what)
{
    return n == strlen(what) && memcmp(line, what, n) == 0;
}

bool chapter_put(const Pipeline *p, Text *out, const char *line, size_t n, bool markdown)
{
    if (line_is(line, n, "<!-- commands -->"))
        put_commands(out, markdown);
    else if (line_is(line, n, "<!-- passes -->"))
        put_passes(p, out, markdown);
    else if (line_is(line, n, "<!-- classes -->"))
        put_classes(out, markdown);
    else if (line_is(line, n, "<!-- conditions -->"))
        put_rule_functions(out, guard_count, guards, markdown);
    else if (line_is(line, n, "<!-- functions of rules -->"))
        put_rule_functions(out, rule_function_count, rule_functions, markdown);
    else
        return false;
    return true;
}
