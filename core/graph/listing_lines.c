/* Lines of a listing that fit the width: broken behind operators and commas.
 *
 * Invariant: a line is broken only where the language drops a newline. */
#include "graph/listing.h"

enum { USUAL_WIDTH = 100, CONTINUED = 4 };

/* May a line be broken after byte i: behind a comma or an operator between spaces? */
static bool may_break(const char *line, size_t i)
{
    if (line[i] != ' ' || !i)
        return false;
    if (line[i - 1] == ',')
        return true;
    size_t k = i;
    while (k && line[k - 1] != ' ')
        k--;
    static const char *const signs[] = {"+", "-",  "*",  "/",  "//", "%",  "@",   "<",  "<=",
                                        ">", ">=", "==", "!=", "<<", ">>", "and", "or", "="};
    for (size_t s = 0; s < COUNT_OF(signs); s++)
        if (i - k == strlen(signs[s]) && !strncmp(line + k, signs[s], i - k) && k)
            return true;
    return false;
}

static bool takes_room(char c)
{
    return ((u8)c & 0xC0) != 0x80 && c != MARK_OPEN && c != MARK_CLOSE;
}

/* The best place to break the first `width` columns: in as few brackets as possible, and late; 0:
 * none. */
static size_t break_at(const char *line, size_t len, int width, int least)
{
    size_t best = 0;
    int best_cost = INT32_MAX;
    int depth = 0, column = 0;
    bool quoted = false;
    for (size_t i = 0; i < len && column < width; i++) {
        char c = line[i];
        column += takes_room(c);
        quoted = quoted != (c == '"');
        depth += quoted ? 0 : (strchr("([{", c) && c) - (strchr(")]}", c) && c);
        int cost = 2 * depth + (line[i] == ' ' && i && line[i - 1] == '=');
        if (!quoted && column > least && cost <= best_cost && may_break(line, i))
            best = i, best_cost = cost;
    }
    return best;
}

static int columns(const char *s, size_t len)
{
    int n = 0;
    for (size_t i = 0; i < len; i++)
        n += takes_room(s[i]);
    return n;
}

static void put_broken(Text *out, const char *line, size_t len, int width)
{
    int indent = (int)strspn(line, " "), lead = 0;
    while (columns(line, len) + lead > width) {
        size_t at = break_at(line, len, width - lead, (lead ? 0 : indent) + width / 4);
        if (!at)
            break;
        text_printf(out, "%*s%.*s\n", lead, "", (int)at, line);
        line += at + 1;
        len -= at + 1;
        lead = indent + CONTINUED;
    }
    text_printf(out, "%*s%.*s", lead, "", (int)len, line);
}

void listing_lines(Text *out, const char *text, int width)
{
    for (;;) {
        size_t len = strcspn(text, "\n");
        put_broken(out, text, len, width ? width : USUAL_WIDTH);
        if (!text[len])
            return;
        text_putc(out, '\n');
        text += len + 1;
    }
}
