/* A document as Markdown: items are points of lists, changes blocks of `diff`.
 *
 * Invariant: text is escaped; code stands between more backticks than it has in a row. */
#include "surface/surface.h"
#include "emit/document.h"

static void put_escaped(Text *out, const char *s)
{
    static const char special[] = "\\`*_[]<>#|&~$"; /* takes a backslash */
    for (; *s; s++) {
        if (strchr(special, *s))
            text_putc(out, '\\');
        text_putc(out, *s);
    }
}

static size_t most_backticks(const char *s, size_t most)
{
    for (size_t row = 0; *s; s++) {
        row = *s == '`' ? row + 1 : 0;
        most = row > most ? row : most;
    }
    return most;
}

static void put_repeated(Text *out, char c, size_t n)
{
    while (n-- > 0)
        text_putc(out, c);
}

static void put_code(Text *out, const char *s)
{
    size_t most = most_backticks(s, 0);
    put_repeated(out, '`', most + 1);
    text_printf(out, most ? " %s " : "%s", s);
    put_repeated(out, '`', most + 1);
}

static void put_runs(Text *out, const Block *b)
{
    for (size_t i = 0; i < b->runs.len; i++) {
        const Run *r = &b->runs.at[i];
        text_put(out, i ? " " : "");
        if (r->style == RUN_CODE) {
            put_code(out, r->text);
            continue;
        }
        text_put(out, r->style == RUN_STRONG ? "**" : "");
        put_escaped(out, r->text);
        text_put(out, r->style == RUN_STRONG ? "**" : "");
    }
    text_put(out, "\n");
}

static void put_line(Text *out, const ChangeLine *l)
{
    for (StyledPart p = {0}; styled_next(&p, l->text, strlen(l->text), &l->marks);)
        if (p.edge)
            text_put(out, p.edge->opens ? "«" : "»");
        else
            text_putn(out, p.text, p.len);
    text_putc(out, '\n');
}

static void put_lines(Text *out, const Block *b, int indent)
{
    size_t fence = 2;
    bool diff = b->kind == BLOCK_DIFF;
    for (size_t i = 0; i < b->lines.of.len; i++)
        fence = most_backticks(b->lines.of.at[i].text, fence);
    text_printf(out, "%*s", indent, "");
    put_repeated(out, '`', fence + 1);
    text_put(out, diff ? "diff\n" : "\n");
    for (size_t i = 0; i < b->lines.of.len; i++) {
        const ChangeLine *l = &b->lines.of.at[i];
        bool empty = !*l->text && !diff;
        text_printf(out, "%*s", empty ? 0 : indent, "");
        if (diff)
            text_printf(out, "%c ", l->sign);
        put_line(out, l);
    }
    text_printf(out, "%*s", indent, "");
    put_repeated(out, '`', fence + 1);
    text_putc(out, '\n');
}

void document_put_markdown(Text *out, const Document *d)
{
    static const char *const begins[] = {
        [BLOCK_TITLE] = "# ", [BLOCK_SECTION] = "## ", [BLOCK_PARAGRAPH] = "", [BLOCK_ITEM] = "- "};
    int depth = 0;
    for (size_t i = 0; i < d->blocks.len; i++) {
        const Block *b = &d->blocks.at[i];
        if (b->kind == BLOCK_END) {
            depth--;
            continue;
        }
        text_put(out, i ? "\n" : "");
        if (b->kind == BLOCK_CODE || b->kind == BLOCK_DIFF) {
            put_lines(out, b, 2 * depth);
            continue;
        }
        text_printf(out, "%*s%s", 2 * depth, "", begins[b->kind]);
        put_runs(out, b);
        depth += b->kind == BLOCK_ITEM;
    }
}
