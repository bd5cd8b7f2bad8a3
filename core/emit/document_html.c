/* A document as a page of HTML that needs nothing else, on any screen and on paper.
 *
 * Invariant: text is escaped; every element is closed where its block ends. */
#include "surface/surface.h"
#include "emit/document.h"

static void put_letters(Text *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        switch (s[i]) {
        case '<': text_put(out, "&lt;"); break;
        case '>': text_put(out, "&gt;"); break;
        case '&': text_put(out, "&amp;"); break;
        default: text_putc(out, s[i]);
        }
}

static void put_escaped(Text *out, const char *s) { put_letters(out, s, strlen(s)); }

static void put_line(Text *out, const ChangeLine *l)
{
    for (StyledPart p = {0}; styled_next(&p, l->text, strlen(l->text), &l->marks);)
        if (p.edge)
            text_put(out, p.edge->opens ? "<b>" : "</b>");
        else
            put_letters(out, p.text, p.len);
}

static void put_runs(Text *out, const Block *b)
{
    static const char *const opens[] = {"", "<strong>", "<small>", "<code>"}, *const closes[] = {
                                                                                  "", "</strong>",
                                                                                  "</small>",
                                                                                  "</code>"};
    for (size_t i = 0; i < b->runs.len; i++) {
        const Run *r = &b->runs.at[i];
        text_printf(out, "%s%s", i ? " " : "", opens[r->style]);
        put_escaped(out, r->text);
        text_put(out, closes[r->style]);
    }
}

static void put_around(Text *out, const char *element, const Block *b)
{
    text_printf(out, "<%s>", element);
    put_runs(out, b);
    text_printf(out, "</%s>\n", element);
}

static void put_code(Text *out, const Block *b)
{
    text_put(out, "<pre><code>");
    for (size_t i = 0; i < b->lines.of.len; i++) {
        put_escaped(out, b->lines.of.at[i].text);
        text_putc(out, '\n');
    }
    text_put(out, "</code></pre>\n");
}

static void put_diff(Text *out, const Block *b)
{
    text_put(out, "<pre class=\"diff\">");
    for (size_t i = 0; i < b->lines.of.len; i++) {
        const ChangeLine *l = &b->lines.of.at[i];
        const char *element = l->sign == '-' ? "del" : l->sign == '+' ? "ins" : "span";
        text_printf(out, "<%s>%c ", element, l->sign);
        put_line(out, l);
        text_printf(out, "\n</%s>", element);
    }
    text_put(out, "</pre>\n");
}

static const char style[] =
    ":root{color-scheme:light dark;--del:#fdeaea;--delword:#f5b5b5;--ins:#e6f6e8;--insword:#a5dcae;"
    "--code:#f4f4f2}"
    "@media screen and (prefers-color-scheme:dark){:root{--del:#3a1d1f;--delword:#7d3035;"
    "--ins:#17311d;--insword:#2b6637;--code:#242424}}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:0 auto;padding:1em}"
    "h1,h2{line-height:1.25;overflow-wrap:anywhere}"
    "ol{list-style:none;margin:0;padding-left:1em}main>ol{padding-left:0}"
    "li{margin:1em 0}li>p{margin:.2em 0}li>ol{border-left:2px solid #8886}"
    "code,pre{font:14px/1.45 ui-monospace,monospace}small{opacity:.8}"
    "pre{background:var(--code);margin:.4em 0;padding:.4em .6em;white-space:pre-wrap;"
    "overflow-wrap:anywhere}"
    "pre.diff{padding:0;background:none}"
    "del,ins,pre.diff span{display:block;text-decoration:none;padding:.1em .6em .1em 2.2em;"
    "text-indent:-1.6em}"
    "del{background:var(--del)}ins{background:var(--ins)}"
    "del b{background:var(--delword)}ins b{background:var(--insword)}"
    "@media(max-width:40em){ol{padding-left:.5em}}"
    "@media print{body{max-width:none;font-size:10pt}code,pre{font-size:8.5pt}h2{break-after:avoid}"
    "pre{break-inside:avoid}del,ins,del b,ins b,pre{-webkit-print-color-adjust:exact;"
    "print-color-adjust:exact}}";

static void put_head(Text *out, const Document *d)
{
    text_put(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>");
    for (size_t i = 0; i < d->blocks.at[0].runs.len; i++) {
        text_put(out, i ? " " : "");
        put_escaped(out, d->blocks.at[0].runs.at[i].text);
    }
    text_printf(out,
                "</title>\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                "\n<style>%s</style></head>\n<body><main>\n",
                style);
}

/* Items in a row are one list. */
static void put_block(Text *out, const Block *b, bool first, bool last)
{
    switch (b->kind) {
    case BLOCK_TITLE: put_around(out, "h1", b); break;
    case BLOCK_SECTION: put_around(out, "h2", b); break;
    case BLOCK_PARAGRAPH: put_around(out, "p", b); break;
    case BLOCK_CODE: put_code(out, b); break;
    case BLOCK_DIFF: put_diff(out, b); break;
    case BLOCK_ITEM:
        text_put(out, first ? "<ol>\n<li>" : "<li>");
        put_around(out, "p", b);
        break;
    case BLOCK_END: text_put(out, last ? "</li>\n</ol>\n" : "</li>\n"); break;
    }
}

void document_put_html(Text *out, const Document *d)
{
    size_t n = d->blocks.len;
    const Block *at = d->blocks.at;
    put_head(out, d);
    for (size_t i = 0; i < n; i++)
        put_block(out, &at[i], i == 0 || at[i - 1].kind != BLOCK_END,
                  i + 1 == n || at[i + 1].kind != BLOCK_ITEM);
    text_put(out, "</main></body></html>\n");
}
