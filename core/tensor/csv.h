/* Tables of numbers as text: .csv, .tsv, .txt.
 *
 * Invariant: a file is not trusted: what it makes of memory grows with its length, and every
 * failure is a message with line and column, never a crash. */
#ifndef GRADUS_CSV_H
#define GRADUS_CSV_H

#include "tensor/tensor.h"

typedef enum { HEADER_FOUND_OUT, HEADER_NONE, HEADER_FIRST_LINE } CsvHeader;

/* What becomes of a column whose first field that is not missing is a word. */
typedef enum { CSV_WORDS_REFUSED, CSV_WORDS_SKIPPED, CSV_WORDS_CODED } CsvWordUse;

typedef struct {
    char separator; /* 0: what stands most often in the first line of , ; | and tab, else blanks */
    CsvHeader header; /* found out: the first line is one if a field of it is not a number */
    CsvWordUse words;
    const Interrupt *interrupt; /* may be NULL */
} CsvOptions;

/* The words of a column in the order in which they come first. */
typedef struct {
    int n;
    char **at;
} CsvWords;

/* A column is of bools if it has only true and false, of i64 if it has only whole numbers that fit,
 * else of f64, where nothing, NA, null and None are nan. Of words it has their places among
 * `words`, or -1 for what is missing. */
typedef struct {
    int n;
    char **names;     /* of the columns; NULL: the file has no header */
    Tensor **columns; /* vectors of one length */
    CsvWords *words;  /* for each column; none for one of numbers */
} CsvTable;

/* Blank lines and those that begin with # are passed over; fields may stand in "quotes". On failure
 * false and *error, which the caller frees, and there is no table to free. */
bool csv_load(Heap *h, const char *path, CsvOptions o, CsvTable *out, char **error);
/* The same from memory; `name` is for messages. bytes[len] is a zero. */
bool csv_parse(Heap *h, const char *name, const char *bytes, size_t len, CsvOptions o,
               CsvTable *out, char **error);
void csv_free(CsvTable *t);
/* The columns side by side, in the narrowest dtype that holds them all; NULL: no memory. */
Tensor *csv_matrix(Heap *h, const CsvTable *t);

/* Writes vectors of one length as columns below their names (NULL: none); each number reads back as
 * it was. */
bool csv_save(int n, char *const *names, Tensor *const *columns, const char *path, char separator,
              const Interrupt *interrupt, char **error);

#endif
