/* Questions of lessons: a block ```gradus question.
 *
 *   What is the balance after the second year?
 *   answer: 1.05 ^ 2 * 100
 *   hint: Each year multiplies by 1.05.
 *   wrong: 105 "That is one year."
 *   right: Interest is paid on the interest, too.
 *   show: balance
 *
 * First the question itself, then fields, each on a line of its own; a line that begins with a
 * blank continues the field before it.  `let: a in 2..9` draws a number, which the fields and the
 * text may use: as `a` in expressions, as {a} or {2 * a} in texts.  One of answer, formula, type,
 * step and derive says what is right. */
#ifndef GRADUS_QUESTION_H
#define GRADUS_QUESTION_H

#include "repl/documents/markdown.h"

typedef enum {
    ASK_VALUE,   /* answer: EXPR   what has its value */
    ASK_FORMULA, /* formula: EXPR  what has its value whatever the inputs are */
    ASK_TYPE,    /* type: EXPR     its type, or the shape of it */
    ASK_STEP,    /* step: K EXPR   the rule of step K of EXPR */
    ASK_DERIVE   /* derive: EXPR to EXPR   a derivation, line by line */
} AskKind;

/* What many think: "wrong: EXPR "TEXT"". */
typedef struct {
    Part what; /* like the answer: an expression, a type, a rule */
    Part text; /* without its quotes */
} Mistake;

/* "let: a in 2..9" draws a whole number, "let: a in 0.5..2.0" one with as many decimals. */
typedef struct {
    Part name;
    double from;
    i64 count;    /* of the numbers there are */
    int decimals; /* the numbers are from, from + 10^-decimals, ... */
} NumberDraw;

typedef struct {
    VEC(NumberDraw) draws; /* in order */
    Part asked;
    AskKind kind;
    Part answer; /* of step: after the number; of derive: after `to` */
    Part from;   /* of derive: where it starts */
    u32 step;
    double within;     /* how far off a number may be, as a part of it; negative: as usual */
    VEC(Part) hints;   /* in order */
    VEC(Part) right;   /* said when it is answered */
    VEC(Part) shows;   /* statements that are run then */
    VEC(Part) choices; /* `answer:` is the number of the right one; empty: any answer */
    VEC(Mistake) wrong;
} Question;

/* Reads a block.  False after diagnostics, with lines of the page and hints; the question is to be
 * freed all the same. */
bool question_read(const Source *page, const Block *b, Diags *ds, Question *out);
void question_free(Question *q);

#endif
