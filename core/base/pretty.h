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

/* How marked parts are shown where text is all there is: as they are, between « and », in colour.
 */
typedef enum { MARKS_NONE, MARKS_SIGNS, MARKS_COLOR } Marks;

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

/* What a part of a text is, for who lays it out or looks for it. */
typedef enum {
    PHRASE_NAME,     /* what the rest of its line is the value of */
    PHRASE_VARIABLE, /* letters that a book slants */
    PHRASE_SIGMOID,  /* the word, for which there is a letter */
    PHRASE_INDEX,    /* "[t-1]" of a row, which a book may set below the line */
    PHRASE_BELOW,    /* "(n)", which a book sets below the line, without its brackets */
    PHRASE_ABOVE, /* "^2", which a book sets above it, without the sign and brackets around all */
    PHRASE_BREAK, /* where the next line may begin; its length is its cost */
    PHRASE_KINDS
} PhraseKind;
typedef struct {
    PhraseKind kind;
    int at, n; /* bytes */
} PhrasePart;
/* A text that is laid out later, with its parts in the order of their places. */
typedef struct {
    const char *text; /* NULL: there is none */
    const PhrasePart *parts;
    int nparts;
} Phrase;

/* Costs of breaks: twice the number of groups around it; one more: rather not; and only where there
 * is nothing better: between words; within what belongs together. */
enum { BREAK_WORDS = 1 << 20, BREAK_JOINED = 1 << 21 };

typedef struct {
    Text text; /* unbroken */
    VEC(struct {
        size_t at; /* of a blank, which a newline may replace */
        int cost;
    }) breaks;
    Edges edges;
    VEC(PhrasePart) parts; /* but for breaks */
    int depth;             /* groups that are open */
    int indent;            /* columns of the lines to come */
} Pretty;

void pretty_put(Pretty *l, const char *s);
void pretty_printf(Pretty *l, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* A bracket that begins or ends a group. */
void pretty_open(Pretty *l, const char *bracket);
void pretty_close(Pretty *l, const char *bracket);
/* A blank; a newline may replace it, if `late` only where no other in as few groups can be. */
void pretty_blank(Pretty *l, bool late);
/* Words and signs of a formula: a line may be broken at each of the blanks, best in front of a sign
 * or behind a comma. */
void pretty_words(Pretty *l, const char *s);
/* What follows is a part of this kind, up to pretty_part_end of what this returns. */
size_t pretty_part(Pretty *l, PhraseKind kind);
void pretty_part_end(Pretty *l, size_t part);
/* Letters that a book slants. */
void pretty_variable(Pretty *l, const char *s);
void pretty_phrase(Pretty *l, const Phrase *p);
/* What was put together so far. */
Phrase phrase_of(Arena *a, const Pretty *l);
Phrase phrase_copy(Arena *a, const Phrase *p);
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

/* Bytes of s whose characters fit, up to a blank that fits, too; as many as the first word takes.
 */
size_t pretty_fitting(const char *s, int room);
/* Characters of a text. */
int pretty_columns(const char *s, size_t len);

#endif
