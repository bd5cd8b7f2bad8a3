/* What a command tells, as text and as data.  See report.h. */
#include "repl/commands/report.h"

#include "base/utf8.h"

enum { GAP = 2, NARROW = 24 }; /* blanks between columns; no column is folded to less */

/* ---- values ---- */

Datum text_of(const char *s) { return (Datum){.kind = s ? DATUM_TEXT : DATUM_NULL, .text = s}; }
Datum int_of(i64 n) { return (Datum){.kind = DATUM_INT, .whole = n}; }
Datum real_of(double x) { return (Datum){.kind = DATUM_REAL, .real = x}; }
Datum bytes_of(size_t n) { return (Datum){.kind = DATUM_BYTES, .whole = (i64)n}; }
Datum seconds_of(double x) { return (Datum){.kind = DATUM_SECONDS, .real = x}; }
Datum flag_of(bool b) { return (Datum){.kind = DATUM_FLAG, .whole = b}; }
Datum json_of(const char *json) { return (Datum){.kind = DATUM_JSON, .text = json}; }

Datum as(const char *shown, Datum d)
{
    d.shown = shown;
    return d;
}

static void put_bytes(Text *out, i64 n)
{
    if (n < 10000)
        text_printf(out, "%lld bytes", (long long)n);
    else if (n < 10000000)
        text_printf(out, "%.1f KB", (double)n / 1e3);
    else
        text_printf(out, "%.1f MB", (double)n / 1e6);
}

static void put_seconds(Text *out, double s)
{
    if (s < 1e-3)
        text_printf(out, "%.1f us", s * 1e6);
    else if (s < 1)
        text_printf(out, "%.2f ms", s * 1e3);
    else
        text_printf(out, "%.3f s", s);
}

static void put_shown(Text *out, const Datum *d)
{
    if (d->shown) {
        text_put(out, d->shown);
        return;
    }
    switch (d->kind) {
    case DATUM_TEXT: text_put(out, d->text); break;
    case DATUM_INT: text_printf(out, "%lld", (long long)d->whole); break;
    case DATUM_BYTES: put_bytes(out, d->whole); break;
    case DATUM_REAL: text_printf(out, "%.10g", d->real); break;
    case DATUM_SECONDS: put_seconds(out, d->real); break;
    case DATUM_FLAG: text_put(out, d->whole ? "true" : "false"); break;
    case DATUM_NULL:
    case DATUM_JSON: break;
    }
}

void report_field(Report *r, const char *key, Datum d)
{
    if (key)
        json_key(r->data, key);
    switch (d.kind) {
    case DATUM_NULL: json_null(r->data); break;
    case DATUM_TEXT: json_string(r->data, d.text); break;
    case DATUM_INT:
    case DATUM_BYTES: json_int(r->data, d.whole); break;
    case DATUM_SECONDS:
    case DATUM_REAL: json_double(r->data, d.real); break;
    case DATUM_FLAG: json_bool(r->data, d.whole); break;
    case DATUM_JSON: json_raw(r->data, d.text); break;
    }
}

char *report_take(Report *r, Text *t)
{
    char *s = arena_strndup(r->arena, text_str(t), t->len);
    text_free(t);
    return s;
}

char *report_format(Report *r, const char *fmt, ...)
{
    Text t = {0};
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    return report_take(r, &t);
}

/* ---- templates ---- */

void report_say_(Report *r, const char *template, size_t n, const Datum *values)
{
    size_t used = 0;
    for (const char *s = template; *s;) {
        size_t plain = strcspn(s, "{");
        text_putn(r->text, s, plain);
        s += plain;
        if (!*s)
            break;
        size_t all = strcspn(++s, "}"), key = strcspn(s, " }");
        if (used == n || !s[all])
            die("a template and its values do not fit: %s", template);
        const Datum *d = &values[used++];
        report_field(r, key ? arena_strndup(r->arena, s, key) : NULL, *d);
        put_shown(r->text, d);
        if (key < all)
            text_printf(r->text, "%.*s%s", (int)(all - key), s + key, d->whole == 1 ? "" : "s");
        s += all + 1;
    }
    if (used < n)
        die("a template with fewer values than are given: %s", template);
}

/* ---- tables ---- */

static const char *kept(Report *r, const char *s)
{
    return s ? arena_strndup(r->arena, s, strlen(s)) : NULL;
}

Rows rows_begin(Report *r, const Column *columns, size_t width)
{
    Column *own = arena_alloc(r->arena, width * sizeof *own);
    for (size_t i = 0; i < width; i++)
        own[i] = (Column){kept(r, columns[i].head), kept(r, columns[i].key)};
    return (Rows){.report = r, .columns = own, .width = width};
}

void rows_add_(Rows *rows, size_t n, const Datum *cells)
{
    if (n < rows->width)
        die("a row of %zu cells in a table of %zu", n, rows->width);
    for (size_t i = 0; i < rows->width; i++) {
        Datum d = cells[i];
        d.shown = kept(rows->report, d.shown);
        if (d.kind == DATUM_TEXT || d.kind == DATUM_JSON)
            d.text = kept(rows->report, d.text);
        vec_push(&rows->cells, d);
    }
}

static void put_data(const Rows *rows, const char *key)
{
    Report *r = rows->report;
    bool keys = false;
    for (size_t i = 0; i < rows->width; i++)
        keys = keys || rows->columns[i].key;
    json_key(r->data, key);
    json_begin(r->data, '[');
    for (size_t at = 0; at < rows->cells.len; at += rows->width) {
        json_begin(r->data, keys ? '{' : '[');
        for (size_t i = 0; i < rows->width; i++)
            if (!keys || rows->columns[i].key)
                report_field(r, rows->columns[i].key, rows->cells.at[at + i]);
        json_end(r->data, keys ? '}' : ']');
    }
    json_end(r->data, ']');
}

void rows_put(Rows *rows, const char *key)
{
    if (key)
        put_data(rows, key);
    rows->place = rows->report->text->len;
    vec_push(&rows->report->tables, *rows);
    *rows = (Rows){.report = NULL};
}

void rows_put_data(Rows *rows, const char *key)
{
    put_data(rows, key);
    vec_free(&rows->cells);
}

/* ---- laying tables out ---- */

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
static int *column_widths(size_t n, size_t count, char *const *cells, int most)
{
    int *width = xcalloc(n, sizeof *width), all = -GAP;
    size_t widest = 0;
    for (size_t i = 0; i < count; i++) {
        int w;
        piece(cells[i], INT32_MAX, &w);
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

void put_columns(Text *out, size_t n, size_t count, char *const *cells, int most, bool bold)
{
    size_t from = 1, to;
    int *width = column_widths(n, count, cells, most > 0 ? most : INT32_MAX / 2);
    char **row = xcalloc(n, sizeof *row);
    do {
        int used = width[0];
        text_put(out, from > 1 ? "\n" : "");
        for (to = from; to < n && (to == from || most <= 0 || used + GAP + width[to] <= most); to++)
            used += GAP + width[to];
        for (size_t at = 0; at < count; at += n) {
            memcpy(row, cells + at, n * sizeof *row);
            text_put(out, bold && !at ? "\033[1m" : "");
            put_row(out, row, width, from, to);
            text_put(out, bold && !at ? "\033[0m" : "");
        }
        from = to;
    } while (to < n);
    free(row);
    free(width);
}

static void put_table(const Rows *rows, Text *out, int width, bool color)
{
    Report *r = rows->report;
    VEC(char *) cells = {0};
    size_t n = 0;
    bool heads = false;
    for (size_t i = 0; i < rows->width; i++)
        if (rows->columns[i].head) {
            n++;
            heads = heads || *rows->columns[i].head;
        }
    for (size_t i = 0; i < rows->width && heads; i++)
        if (rows->columns[i].head)
            vec_push(&cells, report_format(r, "%s", rows->columns[i].head));
    for (size_t i = 0; i < rows->cells.len && n; i++)
        if (rows->columns[i % rows->width].head) {
            Text cell = {0};
            put_shown(&cell, &rows->cells.at[i]);
            vec_push(&cells, report_take(r, &cell));
        }
    if (cells.len)
        put_columns(out, n, cells.len, cells.at, width, color && heads);
    vec_free(&cells);
}

void report_write(Report *r, Text *out, int width, bool color)
{
    size_t at = 0;
    for (size_t i = 0; i < r->tables.len; i++) {
        const Rows *rows = &r->tables.at[i];
        text_putn(out, text_str(r->text) + at, rows->place - at);
        at = rows->place;
        put_table(rows, out, width, color);
    }
    text_putn(out, text_str(r->text) + at, r->text->len - at);
}

void report_free(Report *r)
{
    for (size_t i = 0; i < r->tables.len; i++)
        vec_free(&r->tables.at[i].cells);
    vec_free(&r->tables);
}
