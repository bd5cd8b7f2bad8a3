/* Diagnostics: collecting them, finding their place, and showing them as text or JSON.
 *
 * Invariant: what is rendered never holds raw control bytes or invalid UTF-8 of
 * the source, and the caret line lines up with the source line above it on a
 * terminal, whatever tabs and wide characters come before the span. */
#include "base/diag.h"

#include "base/json.h"
#include "base/utf8.h"

#include <strings.h>

#define SHOWN_COLUMNS 100 /* of a source line; longer ones are clipped around the span */
#define SHOWN_BEFORE 40
#define SHOWN_BYTES 2000 /* looked at on each side of the span's start */
#define TAB_COLUMNS 4

static Diag *add_entry(Diags *ds, const char *code, Span span, bool note, const char *hint,
                       const char *fmt, va_list ap)
{
    Text message = {0};
    text_vprintf(&message, fmt, ap);
    Diag d = {.code = code, .span = span, .message = text_take(&message), .note = note};
    d.hint = hint ? xstrdup(hint) : NULL;
    vec_push(&ds->list, d);
    ds->errors += !note;
    return &ds->list.at[ds->list.len - 1];
}

Diag *diag_add(Diags *ds, const char *code, Span span, const char *hint, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    Diag *d = add_entry(ds, code, span, false, hint, fmt, ap);
    va_end(ap);
    return d;
}

Diag *diag_note(Diags *ds, const char *code, Span span, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    Diag *d = add_entry(ds, code, span, true, NULL, fmt, ap);
    va_end(ap);
    return d;
}

void diag_place(Diags *ds, const char *code, const char *fmt, ...)
{
    Diag *last = ds->list.len ? &ds->list.at[ds->list.len - 1] : NULL;
    if (!last || last->placed || strcmp(last->code, code) != 0)
        return;
    Text t = {0};
    va_list ap;
    text_put(&t, last->message);
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    free(last->message);
    last->message = text_take(&t);
    last->placed = true;
}

const char memory_hint[] = "smaller sizes need less; :set memory and `ulimit -v` set limits";

/* Is the last error one of this code? */
static bool ends_with(const Diags *ds, const char *code)
{
    for (size_t i = ds->list.len; i-- > 0;)
        if (!ds->list.at[i].note)
            return strcmp(ds->list.at[i].code, code) == 0;
    return false;
}

void *diag_memory(Diags *ds, Span span, const char *doing)
{
    size_t used = memory_in_use() >> 20;
    char with[64] = "";
    if (used)
        snprintf(with, sizeof with, ", with %zu MB in use", used);
    if (!ends_with(ds, "memory"))
        diag_add(ds, "memory", span, memory_hint, "out of memory %s%s", doing, with);
    return NULL;
}

void *diag_interrupted(Diags *ds, Span span, const char *doing)
{
    if (!ends_with(ds, "interrupted"))
        diag_add(ds, "interrupted", span, NULL, "interrupted%s%s", doing ? " " : "",
                 doing ? doing : "");
    return NULL;
}

static void diag_free(Diags *ds, Diag *d)
{
    ds->errors -= !d->note;
    free(d->message);
    free(d->hint);
}

void diags_only(Diags *ds, size_t first, const char *code)
{
    size_t kept = ds->list.len, errors = 0;
    for (size_t i = ds->list.len; i-- > first;)
        if (!ds->list.at[i].note) {
            errors++;
            kept = strcmp(ds->list.at[i].code, code) == 0 ? i : kept;
        }
    if (!errors)
        return;
    if (kept == ds->list.len) { /* a place is of use, whatever was said of it */
        bool memory = strcmp(code, "memory") == 0;
        diag_add(ds, code, ds->list.at[first].span, memory ? memory_hint : NULL,
                 memory ? "out of memory" : "interrupted");
    }
    Diag d = ds->list.at[kept];
    for (size_t i = first; i < ds->list.len; i++)
        if (i != kept)
            diag_free(ds, &ds->list.at[i]);
    ds->list.at[first] = d;
    ds->list.len = first + 1;
}

void diags_clear(Diags *ds)
{
    for (size_t i = 0; i < ds->list.len; i++)
        diag_free(ds, &ds->list.at[i]);
    ds->list.len = 0;
}

void diags_free(Diags *ds)
{
    diags_clear(ds);
    vec_free(&ds->list);
}

void diag_try_begin(DiagTry *t, Diags **where)
{
    *t = (DiagTry){.where = where, .outer = *where};
    *where = &t->found;
}

void diag_try_end(DiagTry *t)
{
    *t->where = t->outer;
    diags_free(&t->found);
}

/* ---- places ---- */

/* The line a span starts on, as byte offsets; `end` excludes the newline and a CR before it. */
typedef struct {
    size_t number, begin, end;
} Line;

void source_index(Source *src)
{
    VEC(u32) lines = {0};
    const char *at = src->text, *end = src->text + src->len;
    while (at) {
        vec_push(&lines, (u32)(at - src->text));
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    src->lines = xrealloc(lines.at, lines.len * sizeof *lines.at);
    src->nlines = (u32)lines.len;
}

/* The last line that begins at `at` or before. */
static Line indexed_line(const Source *src, size_t at)
{
    u32 low = 0, high = src->nlines;
    while (high - low > 1) {
        u32 middle = low + (high - low) / 2;
        *(src->lines[middle] <= at ? &low : &high) = middle;
    }
    return (Line){.number = low + 1, .begin = src->lines[low]};
}

static Line line_of(Span s)
{
    const char *text = s.src->text;
    size_t len = s.src->len, at = s.start < len ? s.start : len;
    Line l = s.src->lines ? indexed_line(s.src, at) : (Line){.number = 1};
    for (;;) {
        const char *nl = memchr(text + l.begin, '\n', at - l.begin);
        if (!nl)
            break;
        l.begin = (size_t)(nl - text) + 1;
        l.number++;
    }
    const char *nl = memchr(text + l.begin, '\n', len - l.begin);
    l.end = nl ? (size_t)(nl - text) : len;
    if (nl && l.end > l.begin && text[l.end - 1] == '\r')
        l.end--;
    return l;
}

/* Characters in [from, to); an invalid byte counts as one. */
static size_t count_chars(const char *text, size_t from, size_t to)
{
    size_t n = 0;
    while (from < to) {
        u32 cp;
        int len = (u8)text[from] < 0x80 ? 1 : utf8_decode(text + from, to - from, &cp);
        from += len ? (size_t)len : 1;
        n++;
    }
    return n;
}

/* The length is that of the part on the first line, and at least 1. */
void span_locate(Span s, int *line, int *column, int *length)
{
    *line = *column = 0;
    *length = 0;
    if (!s.src)
        return;
    Line l = line_of(s);
    size_t start = s.start < l.end ? s.start : l.end;
    size_t end = s.end < l.end ? s.end : l.end;
    *line = (int)l.number;
    *column = (int)count_chars(s.src->text, l.begin, start) + 1;
    *length = end > start ? (int)count_chars(s.src->text, start, end) : 1;
}

Span source_whole(const Source *src) { return (Span){src, 0, (u32)src->len}; }

Span span_join(Span a, Span b)
{
    if (!a.src)
        return b;
    if (!b.src || b.src != a.src)
        return a;
    return (Span){a.src, a.start < b.start ? a.start : b.start, a.end > b.end ? a.end : b.end};
}

/* ---- rendering ---- */

typedef struct {
    const char *bold, *error, *note, *caret, *off;
} Colors;

static Colors colors_of(bool color)
{
    if (!color)
        return (Colors){"", "", "", "", ""};
    return (Colors){"\033[1m", "\033[1;31m", "\033[1;36m", "\033[1;32m", "\033[0m"};
}

/* One character of the source as it will be shown; returns its bytes. */
static size_t put_cell(Text *cell, const char *text, size_t i, size_t end, size_t column,
                       int *width)
{
    *width = 0;
    if (text[i] != '\t')
        return utf8_put_visible(cell, text + i, end - i, width);
    do {
        text_putc(cell, ' ');
        ++*width;
    } while ((column + (size_t)*width) % TAB_COLUMNS != 0);
    return 1;
}

/* Columns of the span within its line, and the width of the line. */
typedef struct {
    size_t first, last, width; /* carets at first..last-1 */
} Extent;

static Extent measure(const char *text, Line l, Span s)
{
    Extent e = {0};
    Text cell = {0};
    bool begun = false, ended = false;
    for (size_t i = l.begin; i < l.end;) {
        if (!begun && i >= s.start) {
            e.first = e.width;
            begun = true;
        }
        if (!ended && i >= s.end) {
            e.last = e.width;
            ended = true;
        }
        int w;
        cell.len = 0;
        i += put_cell(&cell, text, i, l.end, e.width, &w);
        e.width += (size_t)w;
    }
    if (!begun)
        e.first = e.width;
    if (!ended)
        e.last = e.width;
    if (e.last <= e.first)
        e.last = e.first + 1;
    text_free(&cell);
    return e;
}

/* The part of the line around the span that can be shown at all, so that a line of many megabytes
 * costs nothing. */
static Line nearby(Line l, Span s)
{
    const char *text = s.src->text;
    if (s.start > l.begin + SHOWN_BYTES) {
        l.begin = s.start - SHOWN_BYTES;
        for (int i = 0; i < 3 && ((u8)text[l.begin] & 0xC0) == 0x80; i++)
            l.begin++; /* not from the middle of a character */
    }
    if (l.end > s.start && l.end - s.start > SHOWN_BYTES) {
        l.end = s.start + SHOWN_BYTES;
        for (int i = 0; i < 3 && ((u8)text[l.end] & 0xC0) == 0x80; i++)
            l.end--;
    }
    return l;
}

/* The source line between columns `from` and `to`, then carets under the span. */
static void put_excerpt(Text *out, Span s, Colors c)
{
    const char *text = s.src->text;
    Line whole = line_of(s), l = nearby(whole, s);
    Extent e = measure(text, l, s);
    size_t from = 0, to = e.width;
    if (e.width > SHOWN_COLUMNS) {
        from = e.first > SHOWN_BEFORE ? e.first - SHOWN_BEFORE : 0;
        to = from + SHOWN_COLUMNS;
    }
    bool cut_left = from > 0 || l.begin > whole.begin;
    text_put(out, cut_left ? "    \xE2\x80\xA6" : "    ");
    size_t column = 0, first_shown = from;
    Text cell = {0};
    for (size_t i = l.begin; i < l.end && column < to;) {
        int w;
        cell.len = 0;
        i += put_cell(&cell, text, i, l.end, column, &w);
        /* Only whole characters are shown; what straddles the left edge moves the edge. */
        if (column >= from)
            text_putn(out, cell.at, cell.len);
        else
            first_shown = column + (size_t)w > from ? column + (size_t)w : from;
        column += (size_t)w;
    }
    text_free(&cell);
    text_put(out, to < e.width || l.end < whole.end ? "\xE2\x80\xA6\n    " : "\n    ");
    size_t pad = (size_t)cut_left + (e.first > first_shown ? e.first - first_shown : 0);
    for (size_t i = 0; i < pad; i++)
        text_putc(out, ' ');
    size_t last = e.last < column || e.last > to ? e.last : column;
    if (last > to && to > e.first)
        last = to;
    text_put(out, c.caret);
    for (size_t i = e.first; i < (last > e.first ? last : e.first + 1); i++)
        text_putc(out, '^');
    text_put(out, c.off);
    text_putc(out, '\n');
}

void diag_render(Text *out, const Diag *d, bool color)
{
    Colors c = colors_of(color);
    if (d->span.src && d->span.src->name) {
        int line, column, length;
        span_locate(d->span, &line, &column, &length);
        const char *name = d->span.src->name;
        text_put(out, c.bold);
        utf8_put_safe(out, name, strlen(name));
        text_printf(out, ":%d:%d:%s ", line, column, c.off);
    }
    text_printf(out, "%s%s:%s ", d->note ? c.note : c.error, d->note ? "note" : "error", c.off);
    utf8_put_safe(out, d->message, strlen(d->message));
    text_putc(out, '\n');
    if (d->span.src)
        put_excerpt(out, d->span, c);
    if (d->hint) {
        text_printf(out, "  %shint:%s ", c.note, c.off);
        utf8_put_safe(out, d->hint, strlen(d->hint));
        text_putc(out, '\n');
    }
}

/* Keys are always there, so readers need no test; no place is null. */
static void put_place(Json *j, const char *key, int value)
{
    json_key(j, key);
    if (value > 0)
        json_int(j, value);
    else
        json_null(j);
}

void diag_json(Text *out, const Diag *d)
{
    Json j = {.out = out};
    json_begin(&j, '{');
    json_key(&j, "kind");
    json_string(&j, d->note ? "note" : "error");
    json_key(&j, "code");
    json_string(&j, d->code);
    json_key(&j, "message");
    json_string(&j, d->message);
    int line, column, length;
    span_locate(d->span, &line, &column, &length);
    json_key(&j, "file");
    json_string(&j, d->span.src ? d->span.src->name : NULL);
    put_place(&j, "line", line);
    put_place(&j, "column", column);
    put_place(&j, "length", length);
    json_key(&j, "hint");
    json_string(&j, d->hint);
    json_end(&j, '}');
}

/* ---- suggestions ---- */

const char *closest_name(const char *word, const char *const *names, size_t n)
{
    size_t len = strlen(word);
    int limit = len <= 1 ? 0 : len <= 3 ? 1 : len <= 7 ? 2 : 3;
    const char *best = NULL;
    int best_distance = limit + 1;
    for (size_t i = 0; i < n; i++) {
        if (!names[i])
            continue;
        if (strcasecmp(word, names[i]) == 0)
            return names[i];
        int d = edit_distance(word, names[i], best_distance - 1);
        if (d < best_distance) {
            best = names[i];
            best_distance = d;
        }
    }
    return best;
}

void span_put_words(Text *out, Span s, size_t most)
{
    const char *text = s.src->text + s.start;
    size_t n = s.end - s.start, line = strcspn(text, "\n");
    size_t shown = n < line ? n : line;
    while (shown > most || (shown < n && shown && (text[shown] & 0xC0) == 0x80))
        shown--;
    text_printf(out, "%.*s%s", (int)shown, text, shown < n ? " …" : "");
}

void span_put_line(Text *out, Span s)
{
    int line, column, length;
    const char *name = s.src->name ? s.src->name : "line", *slash = strrchr(name, '/');
    span_locate(s, &line, &column, &length);
    text_printf(out, "%s:%d", slash ? slash + 1 : name, line);
}
