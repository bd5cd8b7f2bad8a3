/* Laying out an entry.  See entry_rows.h. */
#include "repl/terminal/entry_rows.h"

#include <wchar.h>

const char *const entry_colors[] = {"", "35", "36", "32", "2", "1;34", "31", "34", "33", "1"};

static void set_color(EntryRows *r, unsigned char color)
{
    if (r->color == color)
        return;
    text_put(&r->text, r->color ? "\033[0m" : "");
    if (color)
        text_printf(&r->text, "\033[%sm", entry_colors[color]);
    r->color = color;
}

/* A row is whole by itself: it may be the first one that is shown. */
static void new_row(EntryRows *r)
{
    set_color(r, ENTRY_PLAIN);
    vec_push(&r->start, r->text.len);
    r->column = 0;
}

static void put(EntryRows *r, const char *s, size_t bytes, int columns, unsigned char color)
{
    if (r->column + columns > r->width)
        new_row(r);
    set_color(r, color);
    text_putn(&r->text, s, bytes);
    r->column += columns;
}

/* Bytes and columns of the character at s; columns < 0 if it is a control or no character. */
static size_t measure(const char *s, int *columns)
{
    wchar_t c = 0;
    mbstate_t state = {0};
    size_t left = strlen(s), n = mbrtowc(&c, s, left, &state);
    bool valid = n > 0 && n <= left;
    *columns = valid ? wcwidth(c) : -1;
    return valid ? n : 1;
}

static void put_prompt(EntryRows *r, const char *prompt)
{
    bool invisible = false;
    for (size_t n; *prompt; prompt += n) {
        int columns;
        n = measure(prompt, &columns);
        if (*prompt == '\001' || *prompt == '\002')
            invisible = *prompt == '\001';
        else if (*prompt == '\n')
            new_row(r);
        else
            put(r, prompt, n, invisible || columns < 0 ? 0 : columns, ENTRY_PLAIN);
    }
}

/* One character of the entry, a control character as ^X.  Returns its length. */
static size_t put_char(EntryRows *r, const char *s, const char *continuation, unsigned char color)
{
    int columns;
    size_t n = measure(s, &columns);
    if (*s == '\n') {
        new_row(r);
        put_prompt(r, continuation);
    } else if (*s == '\t') {
        put(r, "    ", 4, 4, color);
    } else if (columns >= 0) {
        put(r, s, n, columns, color);
    } else if ((unsigned char)*s < ' ' || *s == 127) {
        put(r, (char[]){'^', (char)(*s ^ 64)}, 2, 2, color);
    } else {
        put(r, "?", 1, 1, color);
    }
    return n;
}

void entry_layout(EntryRows *r, const char *prompt, const char *continuation, const char *entry,
                  const unsigned char *colors, int point)
{
    new_row(r);
    put_prompt(r, prompt);
    for (const char *s = entry;;
         s += put_char(r, s, continuation, colors ? colors[s - entry] : 0)) {
        /* A full row goes on in the next, so that the cursor is never behind the last column. */
        if (r->column >= r->width)
            new_row(r);
        if (s - entry <= point) {
            r->cursor_row = entry_rows_count(r);
            r->cursor_column = r->column;
        }
        if (!*s)
            break;
    }
    set_color(r, ENTRY_PLAIN);
    vec_push(&r->start, r->text.len);
}

int entry_rows_count(const EntryRows *r) { return (int)r->start.len - 1; }

void entry_rows_free(EntryRows *r)
{
    text_free(&r->text);
    vec_free(&r->start);
}
