/* What a command tells: text for people and data for programs, from one description.
 *
 * A template says both at once: "{file}: {steps step}" with two values prints "a.svg: 3 steps" and
 * puts "file" and "steps" into the data.  Rows are columns of values: a table in the text, a list
 * of objects in the data.  What only one side gets is written to `text` or `data` directly.
 *
 * Invariant: the text is laid out when it is written, as only then the width is known (table.h). A
 * table of tensors has a width of its own, for which they are shortened. */
#ifndef GRADUS_REPORT_H
#define GRADUS_REPORT_H

#include "base/json.h"
#include "base/table.h"
#include "tensor/grid.h"

/* A value, as the data has it and as the text shows it. */
typedef struct {
    enum { D_ABSENT, D_NULL, D_TEXT, D_INT, D_BYTES, D_REAL, D_SECONDS, D_FLAG, D_TENSOR } kind;
    union {
        const char *text; /* of JSON, too */
        i64 whole;
        double real;
        const Tensor *tensor; /* borrowed */
    };
    const char *shown; /* NULL: as its kind is shown */
} Datum;

/* Texts are copied when the report gets the value. */
Datum text_of(const char *s); /* NULL: null, shown as nothing */
Datum absent(void);           /* not in the data, with its key */
Datum int_of(i64 n);
Datum real_of(double x);
Datum bytes_of(size_t n);   /* shown as "1.5 KB" */
Datum seconds_of(double x); /* shown as "1.5 ms" */
Datum flag_of(bool b);
Datum tensor_of(const Tensor *t); /* shown in a few characters; NULL: null */
Datum as(const char *shown, Datum d);

/* One side of a column may be missing: no head (NULL), not in the text; no key, not in the data. */
typedef struct {
    const char *head, *key;
} Column;

typedef struct {
    Table table;
    size_t place; /* in the text: what was there before it */
} PlacedTable;

typedef struct {
    Text *text;
    Json *data; /* an object or list is open */
    Arena *arena;
    VEC(PlacedTable) tables;
    Text unseen, *seen; /* report_hide */
} Report;

/* Rows that are being put together. */
typedef struct {
    Report *report;
    const Column *columns;
    size_t width; /* how many, for both sides */
    bool keys;
    bool hidden; /* rows that are added, or the whole when it is put, are in the data alone */
    Table table;
    Text data;
} Rows;

/* A text that lives as long as the report. */
char *report_format(Report *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The same of a text that was built, which is freed. As a value, too. */
char *report_take(Report *r, Text *t);
Datum text_built(Report *r, Text *t);
void report_field(Report *r, const char *key, Datum d); /* data only; no key: an item of a list */
/* "a = 1": a value whose key is a name of the program; `between` is the text between the two. */
void report_named(Report *r, const char *name, const char *between, Datum d);
/* From here on the text is dropped, and only the data are kept; or no longer. */
void report_hide(Report *r, bool hide);

/* Prints a template.  In braces stands the key of a value:
 *   {key}       in text and data; {} an item of a list
 *   {key noun}  a number and what it counts: "1 step", "2 steps"
 *   {=key}      in the data alone
 *   {-}         in the text alone */
#define report_say(r, template, ...) \
    report_say_((r), (template), COUNT_OF(((Datum[]){__VA_ARGS__})), (Datum[]){__VA_ARGS__})
void report_say_(Report *r, const char *template, size_t n, const Datum *values);
/* The same, with the data in an object of its own: an item of a list. */
#define report_item(r, template, ...) \
    report_item_((r), (template), COUNT_OF(((Datum[]){__VA_ARGS__})), (Datum[]){__VA_ARGS__})
void report_item_(Report *r, const char *template, size_t n, const Datum *values);

Rows rows_begin(Report *r, const Column *columns, size_t width);
/* The next row; what is beyond the last column is left out. */
#define rows_add(rows, ...) \
    rows_add_((rows), COUNT_OF(((Datum[]){__VA_ARGS__})), (Datum[]){__VA_ARGS__})
void rows_add_(Rows *rows, size_t n, const Datum *cells);
/* Puts the table here and takes it over: in the text, and with a key in the data, where each row is
 * a list if no column has a key. */
void rows_put(Rows *rows, const char *key);

/* A table of tensors: in the text a grid, which may be changed until it is put (grid.h); in the
 * data the labels of the columns and the rows, each a list that begins with its label. */
typedef struct {
    Report *report;
    Grid grid;
    Text columns, rows; /* JSON */
} Cells;
Cells cells_begin(Report *r, Datum corner, int width, int digits);
void cells_column(Cells *c, Datum label);
/* One value for each column, so many places apart (NULL: an empty cell); borrowed until it is put.
 */
void cells_row(Cells *c, const char *label, Tensor *const *at, size_t apart);
/* Puts it here and takes it over; true if values are shown in part. */
bool cells_put(Cells *c, const char *columns, const char *rows);

/* The whole text, tables at most so many characters wide where that can be (0: as wide as they
 * are). */
void report_write(Report *r, Text *out, int width, bool color);
void report_free(Report *r);

#endif
