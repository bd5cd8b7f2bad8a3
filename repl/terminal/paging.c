/* Breaking lines, and the pager.  See paging.h.
 *
 * Invariant: a pager only runs where somebody types at a prompt, and what it did not show is
 * printed. */
#include "repl/terminal/paging.h"

#include "base/pretty.h"
#include "repl/terminal/term.h"

#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAM = 4 /* blanks before a line of a program */ };

static bool begins_character(char c) { return (c & 0xC0) != 0x80; }

/* Where the text of a line begins: "  class       elementwise" at the second column. */
static int text_column(const char *line, size_t n, int width)
{
    size_t indent = 0, gap;
    while (indent < n && line[indent] == ' ')
        indent++;
    for (gap = indent; gap + 1 < n && strncmp(line + gap, "  ", 2) != 0; gap++)
        continue;
    while (gap < n && line[gap] == ' ')
        gap++;
    bool column =
        indent > 0 && gap > indent && gap + 1 < n && pretty_columns(line, gap) < width / 2;
    return column ? pretty_columns(line, gap) : (int)indent;
}

static void wrap_line(Text *out, const char *line, size_t n, int width)
{
    int hang = text_column(line, n, width), used = 0;
    size_t first = 0;
    while (first < n && line[first] == ' ')
        first++;
    for (size_t i = 0, end; i < n; i = end) {
        end = i;
        while (end < n && line[end] == ' ')
            end++;
        size_t blanks = end - i;
        while (end < n && line[end] != ' ')
            end++;
        int word = pretty_columns(line + i + blanks, end - i - blanks);
        if (i > first && used + (int)blanks + word > width) {
            text_printf(out, "\n%*s", hang, "");
            used = hang;
            blanks = 0;
            i = end - (size_t)(end - i);
            while (line[i] == ' ')
                i++;
        }
        text_putn(out, line + i, end - i);
        used += (int)blanks + word;
    }
}

void paging_wrap(Text *out, const char *text, int width)
{
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        if (pretty_columns(text, n) <= width || strspn(text, " ") >= PROGRAM)
            text_putn(out, text, n);
        else
            wrap_line(out, text, n, width);
        text_put(out, text[n] ? "\n" : "");
    }
}

/* Does it take fewer rows of a screen that many columns wide? Escape sequences take no room. */
static bool fits(const char *text, int width, int height)
{
    int rows = 0, column = 0;
    for (const char *s = text; *s && rows < height; s++) {
        if (*s == '\033')
            s += strcspn(s, "m");
        else if (*s == '\n')
            rows++, column = 0;
        else if (begins_character(*s) && ++column > width)
            rows++, column = 1;
        if (!*s)
            break;
    }
    return rows + (column > 0) < height;
}

bool paging_show(Text *text)
{
    const char *pager = getenv("PAGER");
    int width = term_width(STDOUT_FILENO), height = term_height(STDOUT_FILENO);
    pager = pager ? pager : "less -R -Ps'Space shows more, q returns to the prompt'";
    if (!*pager || !term_is_interactive() || term_is_dumb() || height < 4 || width < 1 ||
        fits(text_str(text), width, height))
        return false;
    fflush(stdout);
    FILE *to = popen(pager, "w");
    if (!to)
        return false;
    fwrite(text_str(text), 1, text->len, to);
    int status = pclose(to);
    term_take_interrupt(); /* ^C was for the pager */
    if (status == -1 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return false; /* the shell did not find it */
    text_free(text);
    return true;
}
