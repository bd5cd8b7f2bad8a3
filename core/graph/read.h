/* What the files of graph_read share; nobody else includes this.
 *
 * Invariant: after `fail` every function gives up at once; the first mistake is the one
 * that is reported. */
#ifndef GRADUS_READ_H
#define GRADUS_READ_H

#include "graph/graph.h"

typedef MAP(u64, void *) NumberMap;

typedef struct {
    Store *st;
    const Source *src;
    size_t at;
    NumberMap nodes, graphs; /* number + 1 -> Node, Graph */
    NumberMap params;        /* those in scope: index + 1 -> Node */
    bool failed;
} Reader;

static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}
static inline int hex_digit(char c)
{
    return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reports a mistake at [start, here), unless there was one before. Returns false. */
bool read_fail(Reader *r, size_t start, const char *fmt, ...) PRINTF_LIKE(3, 4);
char read_peek(const Reader *r); /* the next byte, NUL at the end */
char read_skip(Reader *r);       /* the next byte that is no white space and in no comment */
bool read_accept(Reader *r, char c);
bool read_expect(Reader *r, char c, const char *where);
size_t read_word_length(Reader *r, const char **word); /* 0: the next thing is no word */
bool read_accept_word(Reader *r, const char *is);
bool read_indexed_word(const char *word, size_t n, char letter); /* p0, d1 */
DType read_dtype_of(const char *word, size_t n);                 /* DT_COUNT: none */
Symbol read_word(Reader *r, const char *what);                   /* plain or quoted */
bool read_u64(Reader *r, u64 *out);
bool read_i64(Reader *r, i64 *out);
bool read_number_after(Reader *r, char sign, u64 limit, u64 *out); /* %12, @3, p0 */
/* What that number stands for; where there is nothing: "BEFORE%12AFTER". */
void *read_reference(Reader *r, char sign, const NumberMap *where, const char *before,
                     const char *after);
Node *read_node_number(Reader *r);
Node *read_param(Reader *r);
Size *read_size(Reader *r, int depth);
Type *read_type(Reader *r, int depth);
/* A literal. `want` is its type if that was told before it, else NULL. */
Node *read_constant(Reader *r, Type *want);

#endif
