/* What a command declares that it takes, and the line that was typed taken apart by it.
 *
 * The declaration is the text that help shows: "[%K] [EXPR] [FILE.svg|.pdf] [kind=lines|bars]
 * [most=30]". In front: RULE a word, %K a node, N a number, K|EXPR a number or an expression, a
 * word in lower case that word itself, EXPR (also `A, B` and `EXPR, ...`) an expression, FILE with
 * the endings that it may have; in brackets what may be left out. Then the options, each with the
 * values that it takes, one of: on, off      a switch, shown as what differs from leaving it out
 *   word         this word                     N, 30   a whole number, 30 if it is left out
 *   K            a step, 9 or inside it 9.1    N..M    one or a range: 3, 3..8, 3..
 *   K..L         steps: 3, 3..8, 3.., 1,4..6   %K      a node       %K,%L  nodes
 *   anything else (NAME, A,B, "TEXT", 14cm): what the command makes of it
 * SIZE=N takes a key of any name. */
#ifndef GRADUS_ARGUMENTS_H
#define GRADUS_ARGUMENTS_H

#include "repl/commands/commands.h"

typedef struct {
    const char *key;
    size_t length;
    const char *values; /* "on", "a|b|c", "K|all", "%K" */
    size_t extent;
    bool also; /* one that the command's line has no room for */
} DeclaredOption;

/* The next option of a command (first: o = {0}), those of its line first; false at the end. */
bool declared_next(const Command *k, DeclaredOption *o);
/* The option of that name; false: the command has none. */
bool declared_find(const Command *k, const char *key, size_t n, DeclaredOption *o);
/* The i-th of its values; false after the last. */
bool declared_value(const DeclaredOption *o, int i, const char **word, size_t *n);
/* Does a value stand for itself, not for something of a kind? */
bool declared_is_word(const char *s, size_t n);
bool declared_is_switch(const DeclaredOption *o);
/* The endings of its file, "md html", in `out`; false: it takes no file. */
bool declared_endings(const Command *k, char *out, size_t most);
/* Does it take such a thing in front? `needed`: may it not be left out? */
bool declared_takes(const Command *k, const char *what, bool *needed);

/* The next word in front of the options, from *at (first: the declaration); in brackets it may be
 * left out. False at the first option. */
bool declared_front(const char **at, const char **word, size_t *n, bool *optional);

/* Are the n characters this word; do they begin so; are they one of the words of a list? */
bool span_is(const char *s, size_t n, const char *word);
bool span_begins(const char *s, size_t n, const char *what);
bool list_has(const char *list, const char *word, size_t n);

typedef struct {
    size_t from, to;
} Word;

enum { MOST_WORDS = 64 };
/* The words of a text, which blanks separate outside of brackets and quotes; how many, MOST_WORDS
 * at most: the first ones are joined if there are more. */
int words_of(const char *text, Word *out);

/* The comma between two expressions, outside of brackets and strings; NULL: there is none. */
const char *comma_of(const char *text);
/* Does the command take `A, B`, two graphs that each may have keys of their own? */
bool declared_sides(const Command *k);
/* Does it take `EXPR CLAIM`, an expression that may have keys of its own? */
bool declared_claim(const Command *k);

/* What is claimed of an expression: its form, and the words around it. */
typedef enum { CLAIM_GRAPH, CLAIM_FIRES, CLAIM_HAS, CLAIM_LOOPS, CLAIM_COST, CLAIM_NONE } ClaimKind;
typedef struct {
    ClaimKind kind;
    size_t at, rest; /* where `=>` or the word begins, and what follows it */
} ClaimText;
extern const char *const claim_words[CLAIM_NONE]; /* "=>", "fires", ... */
/* In `EXPR => EXPR`, `EXPR fires RULE`, ...; CLAIM_NONE: the text is no claim. */
ClaimText claim_of(const char *text);

/* Where a part of c->rest stands in c->text; a copy of it; the part without the blanks around it.
 */
const char *rest_text(const Call *c, Span part);
char *rest_copy(Call *c, Span part);
Span rest_trimmed(const Call *c, Span part);

/* Takes c->text apart as the declaration says. False after a diagnostic. */
bool arguments_read(Call *c);

#endif
