/* Tables of texts; see table.h. */
#include "base/table.h"

#include "base/utf8.h"

enum {
    GAP = 2,          /* blanks between columns */
    NARROW = 24,      /* no column is folded to less */
    PROSE_WIDTH = 100 /* longer lines are hard to read */
};

void table_cell(Table *t, const char *fmt, ...)
{
    Text cell = {0};
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&cell, fmt, ap);
    va_end(ap);
    vec_push(&t->cells, text_take(&cell));
}

void table_free(Table *t)
{
    for (size_t i = 0; i < t->cells.len; i++)
        free(t->cells.at[i]);
    vec_free(&t->cells);
}

/* Bytes of s that take at most `width` characters, whole words if that can be. */
static size_t piece(const char *s, int width, int *taken)
{
    size_t at = 0, blank = 0;
    int used = 0, before = 0;
    for (size_t len = strlen(s), n; at < len; at += n) {
        u32 c;
        n = (size_t)utf8_decode(s + at, len - at, &c);
        int w = n ? utf8_width(c) : 1;
        n = n ? n : 1;
        if (s[at] == ' ' && at)
            blank = at, before = used;
        if (used + w > width && at) {
            *taken = blank ? before : used;
            return blank ? blank : at;
        }
        used += w;
    }
    *taken = used;
    return at;
}

/* How wide each column is: the widest is folded as far as it must be. */
static int *column_widths(const Table *t, int most)
{
    size_t n = (size_t)t->columns, widest = 0;
    int *width = xcalloc(n + 1, sizeof *width), all = -GAP;
    for (size_t i = 0; i < t->cells.len; i++) {
        int w;
        piece(t->cells.at[i], INT32_MAX, &w);
        width[i % n] = w > width[i % n] ? w : width[i % n];
    }
    for (size_t k = 0; k < n; k++) {
        all += width[k] + GAP;
        widest = width[k] > width[widest] ? k : widest;
    }
    int folded = width[widest] - (all - most);
    if (all > most && folded >= NARROW)
        width[widest] = folded;
    for (size_t k = 0; k < n; k++)
        width[k] = width[k] > most ? most : width[k];
    return width;
}

/* One row of the first column and [from, to), in as many lines as its longest cell takes; uses up
 * the cells. */
static void put_row(Text *out, char **cells, const int *width, size_t from, size_t to)
{
    for (bool more = true; more; text_putc(out, '\n')) {
        int blanks = 0;
        more = false;
        for (size_t k = 0; k < to; k = k ? k + 1 : from) {
            int taken;
            size_t n = piece(cells[k], width[k], &taken);
            if (n)
                text_printf(out, "%*s%.*s", blanks, "", (int)n, cells[k]);
            blanks = width[k] + GAP + (n ? -taken : blanks);
            cells[k] += n + strspn(cells[k] + n, " ");
            more = more || *cells[k];
        }
    }
}

void table_put(const Table *t, Text *out, int most, bool bold)
{
    size_t n = (size_t)t->columns, from = 1, to;
    if (t->prose && (most <= 0 || most > PROSE_WIDTH))
        most = PROSE_WIDTH;
    int *width = column_widths(t, most > 0 ? most : INT32_MAX / 2);
    char **row = xcalloc(n + 1, sizeof *row);
    do {
        int used = width[0];
        text_put(out, from > 1 ? "\n" : "");
        for (to = from; to < n && (to == from || most <= 0 || used + GAP + width[to] <= most); to++)
            used += GAP + width[to];
        for (size_t at = 0; at < t->cells.len; at += n) {
            bool head = bold && t->heads && !at;
            memcpy(row, t->cells.at + at, n * sizeof *row);
            text_put(out, head ? "\033[1m" : "");
            put_row(out, row, width, from, to);
            text_put(out, head ? "\033[0m" : "");
        }
        from = to;
    } while (to < n);
    free(row);
    free(width);
}

void table_print(Table *t, Text *out, int indent)
{
    Text lines = {0};
    table_put(t, &lines, 0, false);
    put_indented(out, text_str(&lines), lines.len, indent);
    text_free(&lines);
    table_free(t);
}

void put_indented(Text *out, const char *lines, size_t n, int by)
{
    for (const char *end = lines + n; lines < end;) {
        const char *nl = memchr(lines, '\n', (size_t)(end - lines));
        int len = (int)((nl ? nl : end) - lines);
        text_printf(out, "%*s%.*s\n", len ? by : 0, "", len, lines);
        lines += len + 1;
    }
}
