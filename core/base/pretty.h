/* Text with the places where its lines may be broken: a stream of words, blanks and brackets, as in
 * Oppen, "Prettyprinting" (1980), with his inconsistent breaks; what may stay together is a group
 * between brackets, as in Wadler, "A prettier printer" (1998).
 *
 * A line that is too long is broken at a blank in as few groups as possible, and as late as
 * possible. Invariant: nobody looks at the finished text to find where it may be broken or what in
 * it is marked; both are known beside it. */
#ifndef GRADUS_PRETTY_H
#define GRADUS_PRETTY_H

#include "base/base.h"

/* Where a marked part of a text begins or ends; parts nest, and stand in the order of their places.
 */
typedef struct {
    size_t at;
    bool opens;
    const void *of; /* what the part shows; may be NULL */
} Edge;
typedef VEC(Edge) Edges;
typedef struct {
    Text text;
    Edges edges;
} Styled;

void styled_free(Styled *s);
/* Appends `more`; its edges only where `edges` is not NULL. */
void styled_put(Text *out, Edges *edges, const Styled *more);
/* What a marked text consists of, in order: bytes, or an edge (`edge` is not NULL). Begin with
 * zeros; goes on from byte `at`. false: nothing is left before byte `end`. */
typedef struct {
    const char *text;
    size_t len;
    const Edge *edge;
    size_t at, next; /* byte and edge that come next */
} StyledPart;
bool styled_next(StyledPart *p, const char *s, size_t end, const Edges *edges);

typedef struct {
    Text text; /* unbroken */
    VEC(struct {
        size_t at; /* of a blank, which a newline may replace */
        int cost;
    }) breaks;
    Edges edges;
    int depth;  /* groups that are open */
    int indent; /* columns of the lines to come */
} Pretty;

void pretty_put(Pretty *l, const char *s);
void pretty_printf(Pretty *l, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* A bracket that begins or ends a group. */
void pretty_open(Pretty *l, const char *bracket);
void pretty_close(Pretty *l, const char *bracket);
/* A blank; a newline may replace it, if `late` only where no other in as few groups can be. */
void pretty_blank(Pretty *l, bool late);
/* A literal: its brackets are groups, and lines may be broken behind its commas. */
void pretty_literal(Pretty *l, const char *s);
/* A newline and the indentation. */
void pretty_line(Pretty *l);
/* What stands between the two is marked. */
void pretty_edge(Pretty *l, bool opens, const void *of);
/* Writes it with lines of at most `width` columns where that can be; 0: as long as they are. What
 * is marked goes to `edges`, which may be NULL. */
void pretty_write(Text *out, Edges *edges, const Pretty *l, int width);
void pretty_free(Pretty *l);

/* Characters of a text. */
int pretty_columns(const char *s, size_t len);

#endif
