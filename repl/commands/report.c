/* What a command tells, as text and as data.  See report.h. */
#include "repl/commands/report.h"

#include "tensor/brief.h"

/* ---- values ---- */

Datum text_of(const char *s) { return (Datum){.kind = s ? D_TEXT : D_NULL, .text = s}; }
Datum absent(void) { return (Datum){.kind = D_ABSENT}; }
Datum int_of(i64 n) { return (Datum){.kind = D_INT, .whole = n}; }
Datum real_of(double x) { return (Datum){.kind = D_REAL, .real = x}; }
Datum bytes_of(size_t n) { return (Datum){.kind = D_BYTES, .whole = (i64)n}; }
Datum seconds_of(double x) { return (Datum){.kind = D_SECONDS, .real = x}; }
Datum flag_of(bool b) { return (Datum){.kind = D_FLAG, .whole = b}; }
Datum tensor_of(const Tensor *t) { return (Datum){.kind = t ? D_TENSOR : D_NULL, .tensor = t}; }

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
    case D_TEXT: text_put(out, d->text); break;
    case D_INT: text_printf(out, "%lld", (long long)d->whole); break;
    case D_BYTES: put_bytes(out, d->whole); break;
    case D_REAL: text_printf(out, "%.10g", d->real); break;
    case D_SECONDS: put_seconds(out, d->real); break;
    case D_FLAG: text_put(out, d->whole ? "true" : "false"); break;
    case D_TENSOR: brief_put(out, d->tensor, BRIEF_DIGITS, BRIEF_ENTRIES); break;
    case D_ABSENT:
    case D_NULL: break;
    }
}

static void put_datum(Json *j, const char *key, const Datum *d)
{
    if (key && d->kind != D_ABSENT)
        json_key(j, key);
    switch (d->kind) {
    case D_ABSENT: break;
    case D_NULL: json_null(j); break;
    case D_TEXT: json_string(j, d->text); break;
    case D_INT:
    case D_BYTES: json_int(j, d->whole); break;
    case D_SECONDS:
    case D_REAL: json_double(j, d->real); break;
    case D_FLAG: json_bool(j, d->whole); break;
    case D_TENSOR: json_elements(j, d->tensor); break;
    }
}

void report_field(Report *r, const char *key, Datum d) { put_datum(r->data, key, &d); }

void report_named(Report *r, const char *name, const char *between, Datum d)
{
    text_printf(r->text, "%s%s", name, between);
    put_shown(r->text, &d);
    put_datum(r->data, name, &d);
}

void report_hide(Report *r, bool hide)
{
    if (!r->seen)
        r->seen = r->text;
    r->text = hide ? &r->unseen : r->seen;
    r->unseen.len = 0;
}

char *report_take(Report *r, Text *t) { return text_keep(t, r->arena); }

Datum text_built(Report *r, Text *t) { return text_of(report_take(r, t)); }

char *report_format(Report *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = arena_vprintf(r->arena, fmt, ap);
    va_end(ap);
    return s;
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
        bool data = *s != '-', text = *s != '=';
        if (data && key > !text)
            report_field(r, report_format(r, "%.*s", (int)key - !text, s + !text), *d);
        else if (data)
            report_field(r, NULL, *d);
        if (text)
            put_shown(r->text, d);
        if (key < all)
            text_printf(r->text, "%.*s%s", (int)(all - key), s + key, d->whole == 1 ? "" : "s");
        s += all + 1;
    }
    if (used < n)
        die("a template with fewer values than are given: %s", template);
}

void report_item_(Report *r, const char *template, size_t n, const Datum *values)
{
    json_begin(r->data, '{');
    report_say_(r, template, n, values);
    json_end(r->data, '}');
}

/* ---- tables ---- */

Rows rows_begin(Report *r, const Column *columns, size_t width)
{
    Rows rows = {.report = r, .columns = columns, .width = width};
    for (const Column *k = columns; k < columns + width; k++) {
        rows.keys = rows.keys || k->key;
        rows.table.columns += k->head != NULL;
        rows.table.heads = rows.table.heads || (k->head && *k->head);
    }
    for (const Column *k = columns; k < columns + width && rows.table.heads; k++)
        if (k->head)
            table_cell(&rows.table, "%s", k->head);
    return rows;
}

void rows_add_(Rows *rows, size_t n, const Datum *cells)
{
    Json j = {.out = &rows->data, .comma = rows->data.len > 0};
    if (n < rows->width)
        die("a row of %zu cells in a table of %zu", n, rows->width);
    json_begin(&j, rows->keys ? '{' : '[');
    for (size_t i = 0; i < rows->width; i++) {
        const Column *k = &rows->columns[i];
        Text cell = {0};
        if (k->key || !rows->keys)
            put_datum(&j, k->key, &cells[i]);
        if (!k->head || rows->hidden)
            continue;
        put_shown(&cell, &cells[i]);
        vec_push(&rows->table.cells, text_take(&cell));
    }
    json_end(&j, rows->keys ? '}' : ']');
}

static void put_list(Json *j, const char *key, Text *items)
{
    json_open(j, key, '[');
    json_raw(j, text_str(items));
    json_end(j, ']');
    text_free(items);
}

void rows_put(Rows *rows, const char *key)
{
    if (rows->hidden || rows->report->text == &rows->report->unseen)
        table_free(&rows->table);
    else
        vec_push(&rows->report->tables, ((PlacedTable){rows->table, rows->report->text->len}));
    if (key)
        put_list(rows->report->data, key, &rows->data);
    text_free(&rows->data);
}

/* ---- tables of tensors ---- */

/* The label of a column in the data, and as it is shown. */
static char *put_label(Cells *c, const Datum *label)
{
    Text shown = {0};
    put_datum(&(Json){.out = &c->columns, .comma = c->columns.len > 0}, NULL, label);
    put_shown(&shown, label);
    return report_take(c->report, &shown);
}

Cells cells_begin(Report *r, Datum corner, int width, int digits)
{
    Cells c = {.report = r, .rows = {.interrupt = r->data->out->interrupt}};
    grid_begin(&c.grid, put_label(&c, &corner), width, digits);
    return c;
}

void cells_column(Cells *c, Datum label) { grid_column(&c->grid, put_label(c, &label)); }

void cells_row(Cells *c, const char *label, Tensor *const *at, size_t apart)
{
    Json j = {.out = &c->rows, .comma = c->rows.len > 0};
    grid_row(&c->grid, label);
    json_begin(&j, '[');
    json_string(&j, label);
    for (size_t i = 0; i < c->grid.columns.len; i++) {
        Datum value = tensor_of(at[i * apart]);
        grid_value(&c->grid, value.tensor);
        put_datum(&j, NULL, &value);
    }
    json_end(&j, ']');
}

bool cells_put(Cells *c, const char *columns, const char *rows)
{
    put_list(c->report->data, columns, &c->columns);
    put_list(c->report->data, rows, &c->rows);
    return grid_print(&c->grid, c->report->text);
}

void report_write(Report *r, Text *out, int width, bool color)
{
    size_t at = 0;
    for (size_t i = 0; i < r->tables.len; i++) {
        const PlacedTable *p = &r->tables.at[i];
        text_putn(out, text_str(r->text) + at, p->place - at);
        at = p->place;
        table_put(&p->table, out, width, color);
    }
    text_putn(out, text_str(r->text) + at, r->text->len - at);
}

void report_free(Report *r)
{
    for (size_t i = 0; i < r->tables.len; i++)
        table_free(&r->tables.at[i].table);
    vec_free(&r->tables);
    text_free(&r->unseen);
}
