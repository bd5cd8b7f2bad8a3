/* Reading tables.
 *
 * Invariant: as csv.h. A column is kept as i64 until a number comes that is none; from then on as
 * f64. The rows are counted before the first is read, so nothing grows. */
#include "tensor/csv.h"

#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <strings.h>

enum {
    LOOK = 1 << 14,   /* rows between two looks at the interrupt flag */
    MOST_SHOWN = 40,  /* characters of a field in a message */
    MOST_DIGITS = 18, /* of a whole number that certainly fits i64 */
    EXACT_POWER = 22, /* the largest power of ten that is an f64 */
    LONGEST = 400     /* characters of a number */
};

typedef enum { FIELD_MISSING, FIELD_BOOL, FIELD_INT, FIELD_FLOAT, FIELD_TEXT } FieldKind;

typedef struct {
    FieldKind kind;
    i64 whole;
    double number;
} Field;

typedef VEC(char *) Strings;

typedef struct {
    union {
        i64 *whole;
        double *number;
        void *data;
    } at;
    bool floats;                     /* `number` */
    bool numbers, bools, missing;    /* what it has so far */
    bool words;                      /* it is of words */
    Strings known;                   /* the words, */
    MAP(const void *, size_t) codes; /* and at their hashes where they are in it, from 1 on */
} Column;

typedef struct {
    const char *name; /* of the file */
    const char *at, *end;
    CsvOptions o;
    i64 line; /* of `at`, from 1 on */
    int ncolumns;
    char **names;
    Column *columns;
    i64 rows, room;
    Text unquoted; /* the last field that had quotes */
    char **error;
} Csv;

/* "line 3, column 2 (price): .." */
static bool fail_field(Csv *c, int column, const char *field, size_t n, const char *what)
{
    const char *name = c->names && column < c->ncolumns ? c->names[column] : NULL;
    int shown = n < MOST_SHOWN ? (int)n : MOST_SHOWN;
    while (shown > 0 && (size_t)shown < n && ((u8)field[shown] & 0xc0) == 0x80)
        shown--; /* not within a letter */
    return file_fail(c->error, c->name, "line %lld, column %d%s%s%s: \"%.*s%s\" %s",
                     (long long)c->line, column + 1, name ? " (" : "", name ? name : "",
                     name ? ")" : "", shown, field, (size_t)shown < n ? ".." : "", what);
}

/* ---- numbers ---- */

static bool is_word(const char *s, size_t n, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == n && strncasecmp(s, *words, n) == 0)
            return true;
    return false;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* A decimal: its digits as a whole number, and the power of ten that it is to be multiplied by.
 * false: it is none, or one of too many digits. */
typedef struct {
    u64 digits;
    int ndigits, power;
    bool negative, whole, long_one;
} Decimal;

static const char *read_digits(const char *s, const char *end, Decimal *d, bool fraction)
{
    for (; s < end && is_digit(*s); s++) {
        d->long_one |= d->ndigits == MOST_DIGITS;
        if (d->long_one)
            continue;
        d->digits = d->digits * 10 + (u64)(*s - '0');
        d->ndigits += d->digits > 0;
        d->power -= fraction;
    }
    return s;
}

static const char *read_exponent(const char *s, const char *end, Decimal *d)
{
    if (s == end || (*s != 'e' && *s != 'E'))
        return s;
    bool negative = s + 1 < end && s[1] == '-';
    s += 1 + (s + 1 < end && (s[1] == '-' || s[1] == '+'));
    if (s == end)
        return NULL;
    int power = 0;
    for (; s < end && is_digit(*s); s++)
        power = power < 10000 ? power * 10 + (*s - '0') : power;
    d->power += negative ? -power : power;
    return s;
}

static bool read_decimal(const char *s, const char *end, Decimal *d)
{
    *d = (Decimal){.negative = *s == '-'};
    s += *s == '-' || *s == '+';
    const char *start = s;
    s = read_digits(s, end, d, false);
    bool some = s > start;
    d->whole = s == end;
    if (s < end && *s == '.') {
        const char *dot = ++s;
        s = read_digits(s, end, d, true);
        some |= s > dot;
    }
    s = some ? read_exponent(s, end, d) : NULL;
    return s == end;
}

static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Exact where the digits and the power both are f64: then one rounding is all there is. */
static bool is_exact(const Decimal *d)
{
    return !d->long_one && d->digits <= (u64)1 << 53 && abs(d->power) <= EXACT_POWER;
}

static double exact_value(const Decimal *d)
{
    double x = (double)d->digits;
    x = d->power < 0 ? x / powers[-d->power] : x * powers[d->power];
    return d->negative ? -x : x;
}

/* A whole number too long for the fast way; false: it does not fit. */
static bool long_whole(const char *s, i64 *out)
{
    errno = 0;
    *out = strtoll(s, NULL, 10);
    return errno == 0;
}

static Field read_number(const char *s, size_t n, const Decimal *d)
{
    char copy[LONGEST + 1];
    Field f = {.kind = d->whole ? FIELD_INT : FIELD_FLOAT};
    if (d->whole && !d->long_one) {
        f.whole = d->negative ? -(i64)d->digits : (i64)d->digits;
    } else if (!d->whole && is_exact(d)) {
        f.number = exact_value(d);
    } else if (n > LONGEST) {
        f.kind = FIELD_TEXT;
    } else {
        memcpy(copy, s, n);
        copy[n] = '\0';
        if (!d->whole || !long_whole(copy, &f.whole))
            f = (Field){.kind = FIELD_FLOAT, .number = strtod(copy, NULL)};
    }
    return f;
}

/* What a field without blanks around it says. */
static Field read_field(const char *s, size_t n)
{
    static const char *const nothing[] = {"NA", "N/A", "nan", "null", "none", NULL};
    static const char *const truths[] = {"true", NULL}, *const lies[] = {"false", NULL};
    static const char *const above[] = {"inf", "+inf", "infinity", "+infinity", NULL};
    static const char *const below[] = {"-inf", "-infinity", NULL};
    Decimal d;
    if (n == 0)
        return (Field){.kind = FIELD_MISSING};
    if (read_decimal(s, s + n, &d))
        return read_number(s, n, &d);
    if (is_word(s, n, nothing))
        return (Field){.kind = FIELD_MISSING};
    if (is_word(s, n, truths) || is_word(s, n, lies))
        return (Field){.kind = FIELD_BOOL, .whole = is_word(s, n, truths)};
    if (is_word(s, n, above) || is_word(s, n, below))
        return (Field){.kind = FIELD_FLOAT, .number = *s == '-' ? -HUGE_VAL : HUGE_VAL};
    return (Field){.kind = FIELD_TEXT};
}

/* ---- fields ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static void skip_blanks(Csv *c)
{
    while (c->at < c->end && is_blank(*c->at) && *c->at != c->o.separator)
        c->at++;
}

static bool at_line_end(const Csv *c)
{
    return c->at == c->end || *c->at == '\n' ||
           (*c->at == '\r' && c->at + 1 < c->end && c->at[1] == '\n') ||
           (*c->at == '\r' && c->at + 1 == c->end);
}

static bool at_separator(const Csv *c) { return c->at < c->end && *c->at == c->o.separator; }

/* From the quote that opens it on; "" is a quote. */
static bool read_quoted(Csv *c, int column)
{
    const char *opens = c->at++;
    i64 lines = 0;
    c->unquoted.len = 0;
    for (; c->at < c->end; c->at++) {
        if (*c->at == '"' && (c->at + 1 == c->end || c->at[1] != '"'))
            break;
        c->at += *c->at == '"';
        lines += *c->at == '\n';
        text_putc(&c->unquoted, *c->at);
    }
    if (c->at == c->end)
        return fail_field(c, column, opens, (size_t)(c->end - opens),
                          "has a quote that does not end");
    c->line += lines;
    c->at++;
    skip_blanks(c);
    if (!at_line_end(c) && !at_separator(c) && c->o.separator != ' ')
        return fail_field(c, column, c->at, 1, "follows a quoted field");
    return true;
}

/* The next field of the line, without blanks around it; `at` is then at its separator or at the end
 * of the line. */
static bool next_field(Csv *c, int column, const char **s, size_t *n)
{
    skip_blanks(c);
    if (c->at < c->end && *c->at == '"') {
        if (!read_quoted(c, column))
            return false;
        *s = text_str(&c->unquoted);
        *n = c->unquoted.len;
    } else {
        const char *start = c->at;
        bool blanks = c->o.separator == ' ';
        while (!at_line_end(c) && !at_separator(c) && !(blanks && *c->at == '\t'))
            c->at++;
        *s = start;
        *n = (size_t)(c->at - start);
    }
    while (*n > 0 && is_blank((*s)[*n - 1]))
        --*n;
    while (*n > 0 && is_blank(**s)) /* within quotes */
        ++*s, --*n;
    return true;
}

/* Passes a separator: is there another field? Blanks are one however many there are, and none at
 * the end of a line. */
static bool more_fields(Csv *c)
{
    if (c->o.separator != ' ') {
        bool more = at_separator(c);
        c->at += more;
        return more;
    }
    while (c->at < c->end && is_blank(*c->at))
        c->at++;
    return !at_line_end(c);
}

static void pass_line_end(Csv *c)
{
    c->at += c->at < c->end && *c->at == '\r';
    if (c->at < c->end && *c->at == '\n')
        c->at++, c->line++;
}

/* Lines without fields; false at the end of the file. */
static bool to_next_row(Csv *c)
{
    for (;;) {
        const char *start = c->at;
        while (c->at < c->end && is_blank(*c->at))
            c->at++;
        bool comment = c->at < c->end && *c->at == '#';
        while (comment && !at_line_end(c))
            c->at++;
        if (c->at == c->end)
            return false;
        if (!at_line_end(c)) {
            c->at = c->o.separator == ' ' ? c->at : start;
            return true;
        }
        if (c->o.separator != ' ' && !comment &&
            memchr(start, c->o.separator, (size_t)(c->at - start))) {
            c->at = start; /* tabs alone are fields, all missing */
            return true;
        }
        pass_line_end(c);
    }
}

/* ---- the first line ---- */

static char find_separator(const Csv *c)
{
    static const char known[] = ",;|\t";
    int count[sizeof known] = {0}, best = 0;
    bool quoted = false, blanks = false;
    for (const char *s = c->at; s < c->end && (quoted || (*s != '\n' && *s != '\r')); s++) {
        const char *k = quoted || !*s ? NULL : strchr(known, *s);
        quoted ^= *s == '"';
        blanks |= !quoted && *s == ' ';
        if (k)
            count[k - known]++;
    }
    for (int i = 1; known[i]; i++)
        best = count[i] > count[best] ? i : best;
    return count[best] ? known[best] : blanks ? ' ' : ',';
}

/* The fields of the first line; is it a header? */
static bool read_first(Csv *c, Strings *fields, bool *header)
{
    const char *start = c->at;
    i64 line = c->line;
    do {
        const char *s;
        size_t n;
        if (!next_field(c, (int)fields->len, &s, &n))
            return false;
        *header |= read_field(s, n).kind == FIELD_TEXT;
        Text kept = {0};
        text_putn(&kept, s, n);
        vec_push(fields, text_take(&kept));
        if (fields->len > INT32_MAX / 2)
            return file_fail(c->error, c->name, "the first line has too many fields");
    } while (more_fields(c));
    if (c->o.header != HEADER_FOUND_OUT)
        *header = c->o.header == HEADER_FIRST_LINE;
    if (*header)
        pass_line_end(c);
    else
        c->at = start, c->line = line;
    return true;
}

/* At most so many rows follow: one has a byte for each field, but for one at the end of the file.
 */
static i64 most_rows(const Csv *c)
{
    i64 lines = 1;
    for (const char *s = c->at; s < c->end && (s = memchr(s, '\n', (size_t)(c->end - s))); s++)
        lines++;
    i64 fill = (i64)(c->end - c->at) / c->ncolumns + 1;
    return lines < fill ? lines : fill;
}

static bool make_columns(Csv *c)
{
    c->room = most_rows(c);
    c->columns = xcalloc((size_t)c->ncolumns, sizeof *c->columns);
    for (int i = 0; i < c->ncolumns; i++) {
        c->columns[i].at.data = memory_try(NULL, (size_t)c->room * sizeof(double));
        if (!c->columns[i].at.data)
            return file_fail(c->error, c->name, "not enough memory for %lld rows",
                             (long long)c->room);
    }
    return true;
}

static bool start_table(Csv *c)
{
    Strings fields = {0};
    bool header = false;
    if (!to_next_row(c))
        return file_fail(c->error, c->name, "the file has no line with fields");
    if (!c->o.separator)
        c->o.separator = find_separator(c);
    bool ok = read_first(c, &fields, &header);
    c->ncolumns = (int)fields.len;
    if (ok && header) {
        c->names = fields.at;
        return make_columns(c);
    }
    for (size_t i = 0; i < fields.len; i++)
        free(fields.at[i]);
    vec_free(&fields);
    return ok && make_columns(c);
}

/* ---- rows ---- */

static void to_floats(Column *col, i64 rows)
{
    for (i64 i = 0; i < rows; i++)
        col->at.number[i] = (double)col->at.whole[i];
    col->floats = true;
}

/* The place of a word among those of its column, with which it is put there if it is new. */
static i64 word_code(Column *col, const char *s, size_t n)
{
    u64 hash = hash_bytes(s, n, 1);
    for (size_t at;; hash++) {
        const void *key = (const void *)(uintptr_t)(hash ? hash : ++hash);
        if (!(at = map_get(&col->codes, key))) {
            Text word = {0};
            text_putn(&word, s, n);
            vec_push(&col->known, text_take(&word));
            map_put(&col->codes, key, col->known.len);
            return (i64)col->known.len - 1;
        }
        const char *known = col->known.at[at - 1];
        if (strlen(known) == n && memcmp(known, s, n) == 0)
            return (i64)at - 1;
    }
}

/* Nothing but missing fields came before the first word. */
static void start_words(Csv *c, Column *col)
{
    col->words = true;
    col->floats = false;
    for (i64 i = 0; i < c->rows; i++)
        col->at.whole[i] = -1;
}

static void keep_word(Csv *c, Column *col, Field f, const char *s, size_t n)
{
    if (c->o.words == CSV_WORDS_CODED)
        col->at.whole[c->rows] = f.kind == FIELD_MISSING ? -1 : word_code(col, s, n);
}

static bool keep_field(Csv *c, int column, Field f, const char *s, size_t n)
{
    Column *col = &c->columns[column];
    if (f.kind == FIELD_TEXT && !col->words && c->o.words && !col->numbers && !col->bools)
        start_words(c, col);
    if (col->words) {
        keep_word(c, col, f, s, n);
        return true;
    }
    if (f.kind == FIELD_TEXT)
        return fail_field(c, column, s, n,
                          c->o.words ? "is a word in a column of numbers"
                                     : "is not a number; text=\"skip\" leaves columns of words "
                                       "out, text=\"code\" numbers their words");
    if (f.kind == FIELD_BOOL && col->numbers)
        return fail_field(c, column, s, n, "is in a column of numbers");
    if ((f.kind == FIELD_INT || f.kind == FIELD_FLOAT) && col->bools)
        return fail_field(c, column, s, n, "is in a column of true and false");
    col->bools |= f.kind == FIELD_BOOL;
    col->missing |= f.kind == FIELD_MISSING;
    col->numbers |= f.kind == FIELD_INT || f.kind == FIELD_FLOAT;
    bool whole = f.kind == FIELD_INT || f.kind == FIELD_BOOL;
    if (!whole && !col->floats)
        to_floats(col, c->rows);
    if (!col->floats)
        col->at.whole[c->rows] = f.whole;
    else
        col->at.number[c->rows] = f.kind == FIELD_MISSING ? NAN
                                  : whole                 ? (double)f.whole
                                                          : f.number;
    return true;
}

static bool read_row(Csv *c)
{
    int k = 0;
    do {
        const char *s;
        size_t n;
        if (!next_field(c, k, &s, &n))
            return false;
        if (k == c->ncolumns)
            return file_fail(c->error, c->name,
                             "line %lld has more than the %d field%s of the first line",
                             (long long)c->line, c->ncolumns, c->ncolumns == 1 ? "" : "s");
        if (!keep_field(c, k, read_field(s, n), s, n))
            return false;
        k++;
    } while (more_fields(c));
    if (k < c->ncolumns)
        return file_fail(c->error, c->name, "line %lld has %d field%s, the first line has %d",
                         (long long)c->line, k, k == 1 ? "" : "s", c->ncolumns);
    c->rows++;
    pass_line_end(c);
    return true;
}

static bool read_rows(Csv *c)
{
    while (to_next_row(c)) {
        if (c->rows % LOOK == 0 && interrupted(c->o.interrupt))
            return file_fail(c->error, c->name, "interrupted");
        if (c->rows == c->room)
            die("csv: more rows than counted");
        if (!read_row(c))
            return false;
    }
    return true;
}

/* ---- tables ---- */

static Tensor *column_tensor(Heap *h, const Column *col, i64 rows)
{
    DType d = col->floats || (rows == 0 && !col->words) ? DT_F64 : col->bools ? DT_BOOL : DT_I64;
    Tensor *t = tensor_new(h, d, 1, &rows);
    for (i64 i = 0; t && d == DT_BOOL && i < rows; i++)
        ((u8 *)t->data)[i] = col->at.whole[i] != 0;
    if (t && d != DT_BOOL && rows)
        memcpy(t->data, col->at.data, (size_t)rows * sizeof(double));
    return t;
}

/* Column i as the next of the table. */
static bool put_column(Heap *h, Csv *c, int i, CsvTable *out)
{
    Column *col = &c->columns[i];
    Tensor *t = column_tensor(h, col, c->rows);
    if (!t)
        return file_fail(c->error, c->name, "not enough memory for %lld rows", (long long)c->rows);
    if (c->names) {
        out->names[out->n] = c->names[i];
        c->names[i] = NULL;
    }
    out->words[out->n] = (CsvWords){.n = (int)col->known.len, .at = col->known.at};
    col->known = (Strings){0};
    out->columns[out->n++] = t;
    return true;
}

static bool make_table(Heap *h, Csv *c, CsvTable *out)
{
    size_t n = (size_t)c->ncolumns;
    out->columns = xcalloc(n, sizeof(Tensor *));
    out->words = xcalloc(n, sizeof *out->words);
    out->names = c->names ? xcalloc(n, sizeof(char *)) : NULL;
    for (int i = 0; i < c->ncolumns; i++)
        if (!(c->columns[i].words && c->o.words == CSV_WORDS_SKIPPED) && !put_column(h, c, i, out))
            return false;
    return out->n || file_fail(c->error, c->name, "each of its columns is of words");
}

static void free_words(CsvWords *w)
{
    for (int i = 0; i < w->n; i++)
        free(w->at[i]);
    free(w->at);
}

void csv_free(CsvTable *t)
{
    for (int i = 0; i < t->n; i++) {
        tensor_unref(t->columns[i]);
        free(t->names ? t->names[i] : NULL);
        free_words(&t->words[i]);
    }
    free(t->columns);
    free(t->names);
    free(t->words);
    *t = (CsvTable){0};
}

static void end_reading(Csv *c)
{
    for (int i = 0; c->columns && i < c->ncolumns; i++) {
        Column *col = &c->columns[i];
        free_words(&(CsvWords){.n = (int)col->known.len, .at = col->known.at});
        map_free(&col->codes);
        free(col->at.data);
    }
    for (int i = 0; c->names && i < c->ncolumns; i++)
        free(c->names[i]);
    free(c->names);
    free(c->columns);
    text_free(&c->unquoted);
}

bool csv_parse(Heap *h, const char *name, const char *bytes, size_t len, CsvOptions o,
               CsvTable *out, char **error)
{
    Csv c = {.name = name, .at = bytes, .end = bytes + len, .o = o, .line = 1, .error = error};
    *out = (CsvTable){0};
    if (len >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        c.at += 3; /* a byte-order mark */
    bool ok = start_table(&c) && read_rows(&c) && make_table(h, &c, out);
    end_reading(&c);
    if (!ok)
        csv_free(out);
    return ok;
}

bool csv_load(Heap *h, const char *path, CsvOptions o, CsvTable *out, char **error)
{
    size_t len;
    Csv c = {.name = path, .error = error};
    char *bytes = read_file(path, &len, &(ReadLimits){.text = true, .interrupt = o.interrupt});
    if (!bytes)
        return file_fail(c.error, c.name, "%s", strerror(errno));
    bool ok = memchr(bytes, '\0', len)
                  ? file_fail(c.error, c.name, "not a text: it has a zero byte")
                  : csv_parse(h, path, bytes, len, o, out, error);
    free(bytes);
    return ok;
}

static DType widest(const CsvTable *t)
{
    DType d = t->n ? t->columns[0]->dtype : DT_F64;
    for (int i = 1; i < t->n; i++)
        if (t->columns[i]->dtype != d)
            d = t->columns[i]->dtype == DT_F64 || d == DT_F64 ? DT_F64 : DT_I64;
    return d;
}

Tensor *csv_matrix(Heap *h, const CsvTable *t)
{
    i64 rows = t->n ? t->columns[0]->count : 0, shape[] = {rows, t->n};
    Tensor *m = tensor_new(h, widest(t), 2, shape);
    for (int k = 0; m && k < t->n; k++)
        for (i64 i = 0; i < rows; i++) {
            i64 at = i * t->n + k;
            switch (m->dtype) {
            case DT_BOOL: ((u8 *)m->data)[at] = ((u8 *)t->columns[k]->data)[i]; break;
            case DT_I64: ((i64 *)m->data)[at] = tensor_i64_at(t->columns[k], i); break;
            default: ((double *)m->data)[at] = tensor_f64_at(t->columns[k], i);
            }
        }
    return m;
}
