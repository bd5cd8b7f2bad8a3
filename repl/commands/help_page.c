/* A section of the manual on the terminal: paragraphs fill the lines, tables have columns.
 *
 * Invariant: paragraphs and tables are tables of the report, which lays them out when it knows the
 * width; everything else is copied line by line. */
#include "repl/commands/help.h"
#include "repl/commands/chapters.h"

enum { MOST_COLUMNS = 6 };

typedef struct {
    Report *report;
    Text paragraph;
    bool item;    /* the paragraph is an item of a list */
    size_t fence; /* backticks that opened the code around this line, or 0 */
    bool in_table;
    Rows table;
    Column columns[MOST_COLUMNS];
} Page;

static void end_paragraph(Page *g)
{
    static const Column columns[] = {{"", NULL}, {"", NULL}};
    if (!g->paragraph.len)
        return;
    Rows rows = rows_begin(g->report, columns, g->item ? 2 : 1);
    const char *text = report_take(g->report, &g->paragraph);
    if (g->item)
        rows_add(&rows, text_of("-"), text_of(text));
    else
        rows_add(&rows, text_of(text));
    rows.table.prose = true;
    rows_put(&rows, NULL);
    g->item = false;
}

static void end_block(Page *g)
{
    end_paragraph(g);
    if (g->in_table)
        rows_put(&g->table, NULL);
    g->in_table = false;
}

/* Fills the paragraph in with a line, without the blanks around it. */
static void add_line(Page *g, const char *line, size_t n)
{
    for (; n && *line == ' '; n--)
        line++;
    text_printf(&g->paragraph, "%s%.*s", g->paragraph.len ? " " : "", (int)n, line);
}

/* ---- tables ---- */

/* The next cell of "| a | b |", without the blanks around it; false at the end of the row. */
static bool next_cell(const char **at, const char *end, Text *cell)
{
    const char *s = *at;
    bool code = false;
    cell->len = 0;
    if (s >= end || *s != '|' || s + 1 >= end)
        return false;
    for (s++; s < end && (code || *s != '|'); s++) {
        bool escaped = *s == '\\' && s + 1 < end && s[1] == '|';
        code ^= *s == '`';
        s += escaped;
        if (*s != ' ' || cell->len)
            text_putc(cell, *s);
    }
    while (cell->len && cell->at[cell->len - 1] == ' ')
        cell->at[--cell->len] = '\0';
    *at = s;
    return true;
}

static bool is_rule_between(const char *line, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strchr("|-: ", line[i]))
            return false;
    return true;
}

static void table_line(Page *g, const char *line, size_t n)
{
    Datum cells[MOST_COLUMNS];
    const char *at = line, *end = line + n;
    size_t count = 0;
    if (is_rule_between(line, n))
        return;
    for (Text cell = {0}; count < MOST_COLUMNS && next_cell(&at, end, &cell);)
        cells[count++] = text_of(report_take(g->report, &cell));
    if (g->in_table) {
        while (count < g->table.width)
            cells[count++] = text_of("");
        rows_add_(&g->table, g->table.width, cells);
        return;
    }
    for (size_t i = 0; i < count; i++)
        g->columns[i] = (Column){cells[i].text, NULL};
    g->table = rows_begin(g->report, g->columns, count);
    g->in_table = true;
}

/* ---- lines ---- */

static void put_line(Page *g, const char *line, size_t n)
{
    end_block(g);
    text_printf(g->report->text, "%s%.*s\n", g->fence && n ? "    " : "", (int)n, line);
}

static bool put_fence(Page *g, const char *line)
{
    size_t ticks = strspn(line, "`");
    if (ticks < 3 || (g->fence && ticks != g->fence))
        return false;
    end_block(g);
    g->fence = g->fence ? 0 : ticks;
    return true;
}

static void page_line(Page *g, const char *line, size_t n)
{
    bool quoted = n >= 4 && strncmp(line, "    ", 4) == 0;
    if (put_fence(g, line))
        return;
    if (g->fence || !n || (quoted && !g->paragraph.len)) {
        put_line(g, line, n);
    } else if (*line == '|') {
        end_paragraph(g);
        table_line(g, line, n);
    } else {
        bool item = n > 2 && strncmp(line, "- ", 2) == 0;
        if (item || g->in_table)
            end_block(g);
        g->item |= item;
        add_line(g, line + 2 * item, n - (size_t)(2 * item));
    }
}

void help_page_put(Report *r, const Pipeline *p, const ManualTopic *topic)
{
    Page g = {.report = r};
    const char *line = topic->body.at, *end = line + topic->body.len;
    text_printf(r->text, "%.*s\n", (int)topic->title.len, topic->title.at);
    for (size_t n; line < end; line += n + 1) {
        const char *nl = memchr(line, '\n', (size_t)(end - line));
        n = nl ? (size_t)(nl - line) : (size_t)(end - line);
        if (!g.fence && *line == '<') {
            end_block(&g);
            if (chapter_put(p, r->text, line, n, false))
                continue;
        }
        page_line(&g, line, n);
    }
    end_block(&g);
    text_free(&g.paragraph);
}
