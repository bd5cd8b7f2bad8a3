/* Markdown as it is read in a terminal.
 *
 * Invariant: no row of a paragraph is wider than `width`, unless one word is. */
#include "repl/teach/lesson.h"

#define CODE "\033[36m"
#define BOLD "\033[1m"
#define PLAIN "\033[0m"

typedef struct {
    Text *out;
    Text word;
    int columns;     /* of the word */
    int used, width; /* of the row */
    int hang;        /* of the rows that follow */
    bool color, code;
} Filler;

static void end_word(Filler *f)
{
    if (!f->word.len)
        return;
    bool first = f->used <= f->hang;
    if (!first && f->used + 1 + f->columns > f->width) {
        text_printf(f->out, "\n%*s", f->hang, "");
        f->used = f->hang;
    } else if (!first) {
        text_putc(f->out, ' ');
        f->used++;
    }
    if (f->code && f->color)
        text_put(&f->word, PLAIN);
    text_put(f->out, text_str(&f->word));
    f->used += f->columns;
    f->columns = 0;
    text_free(&f->word);
}

static void put_char(Filler *f, char c)
{
    if (f->code && f->color && !f->word.len)
        text_put(&f->word, CODE);
    text_putc(&f->word, c);
    f->columns += (c & 0xC0) != 0x80;
}

static void put_tick(Filler *f)
{
    f->code = !f->code;
    if (!f->color)
        put_char(f, '`');
    else if (!f->code && f->word.len)
        text_put(&f->word, PLAIN);
    else if (f->code && f->word.len)
        text_put(&f->word, CODE);
}

/* The bytes of a link behind its text: "](address)". */
static size_t link_end(const char *s, const char *end)
{
    const char *close = s + 1 < end && s[1] == '(' ? memchr(s, ')', (size_t)(end - s)) : NULL;
    return close ? (size_t)(close - s) : 0;
}

static bool is_star(const char *s, const char *from, const char *end)
{
    bool alone = s > from && s[-1] == ' ' && s + 1 < end && s[1] == ' ';
    return *s == '*' && !alone;
}

/* A paragraph: blanks and line ends are one blank, marks are taken out. */
static void fill(Filler *f, const char *text, size_t len)
{
    const char *end = text + len;
    for (const char *s = text; s < end; s++) {
        size_t skip = !f->code && *s == ']' ? link_end(s, end) : 0;
        bool link = !f->code && *s == '[' && memchr(s, ']', (size_t)(end - s)) &&
                    link_end(memchr(s, ']', (size_t)(end - s)), end);
        if (strchr(" \t\r\n", *s))
            end_word(f);
        else if (*s == '`')
            put_tick(f);
        else if (skip)
            s += skip;
        else if (link || (!f->code && is_star(s, text, end)))
            continue;
        else if (!f->code && *s == '\\' && s + 1 < end && strchr("*`[]<>\\_", s[1]))
            put_char(f, *++s);
        else
            put_char(f, *s);
    }
    end_word(f);
    text_putc(f->out, '\n');
}

static void put_heading(Text *out, const char *text, size_t len, bool color)
{
    size_t skip = strspn(text, "#");
    skip += strspn(text + skip, " ");
    skip = skip < len ? skip : len;
    text_printf(out, "%s%.*s%s\n", color ? BOLD : "", (int)(len - skip), text + skip,
                color ? PLAIN : "");
}

/* "- " or "12. ": its length. */
static size_t bullet(const char *s)
{
    size_t n = strspn(s, "0123456789");
    if (n && s[n] == '.' && s[n + 1] == ' ')
        return n + 2;
    return (*s == '-' || *s == '*') && s[1] == ' ' ? 2 : 0;
}

static size_t row_length(const char *s) { return strcspn(s, "\n"); }

static bool is_empty(const char *s) { return s[strspn(s, " \t\r")] == '\n' || !*s; }

static bool starts_other(const char *s)
{
    return is_empty(s) || bullet(s) || *s == '#' || *s == '|' || !strncmp(s, "```", 3) ||
           !strncmp(s, "~~~", 3) || !strncmp(s, "<!--", 4) || !strncmp(s, "    ", 4);
}

/* Rows as they are: of a fence, a table, what is indented.  Returns where they end. */
static const char *put_rows(Text *out, const char *s)
{
    bool fence = *s == '`' || *s == '~', table = *s == '|';
    if (!fence) {
        do {
            text_printf(out, "%.*s\n", (int)row_length(s), s);
            s += row_length(s) + (s[row_length(s)] == '\n');
        } while (table ? *s == '|' : !strncmp(s, "    ", 4));
        return s;
    }
    char mark = *s;
    s += row_length(s) + (s[row_length(s)] == '\n');
    while (*s && strspn(s, (char[]){mark, '\0'}) < 3) {
        text_printf(out, "    %.*s\n", (int)row_length(s), s);
        s += row_length(s) + (s[row_length(s)] == '\n');
    }
    return s + row_length(s) + (s[row_length(s)] == '\n');
}

static const char *skip_comment(const char *s)
{
    const char *end = strstr(s, "-->");
    s = end ? end + 3 : s + strlen(s);
    return s + row_length(s) + (s[row_length(s)] == '\n');
}

/* A paragraph or an item of a list. */
static const char *put_paragraph(Text *out, const char *s, int width, bool color)
{
    size_t mark = bullet(s);
    const char *end = s + row_length(s);
    while (*end && !starts_other(end + 1))
        end += 1 + row_length(end + 1);
    Filler f = {.out = out, .width = width, .hang = (int)mark, .color = color};
    text_putn(out, s, mark);
    f.used = (int)mark;
    fill(&f, s + mark, (size_t)(end - s) - mark);
    return end + (*end == '\n');
}

void lesson_put_markdown(Text *out, const char *text, size_t len, int width, bool color)
{
    Text all = {0};
    bool gap = false; /* an empty row is due */
    size_t before = out->len;
    text_putn(&all, text, len);
    for (const char *s = text_str(&all); *s;) {
        if (is_empty(s)) {
            gap = out->len > before;
            s += row_length(s) + (s[row_length(s)] == '\n');
            continue;
        }
        if (!strncmp(s, "<!--", 4)) {
            s = skip_comment(s);
            continue;
        }
        text_put(out, gap ? "\n" : "");
        gap = false;
        if (*s == '#') {
            put_heading(out, s, row_length(s), color);
            s += row_length(s) + (s[row_length(s)] == '\n');
        } else if (*s == '|' || !strncmp(s, "    ", 4) || !strncmp(s, "```", 3) ||
                   !strncmp(s, "~~~", 3)) {
            s = put_rows(out, s);
        } else {
            s = put_paragraph(out, s, width, color);
        }
    }
    text_free(&all);
}
