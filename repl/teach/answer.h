/* What answers a question, and whether what was typed does.
 *
 * Invariant: an answer is worked out before the learner has typed anything, in a session of its
 * own; what is typed later changes nothing of it. */
#ifndef GRADUS_ANSWER_H
#define GRADUS_ANSWER_H

#include "repl/commands/repl.h"
#include "repl/documents/question.h"

/* Values of the inputs, by name, and what the answer gives for them. */
typedef struct {
    VEC(const char *) names; /* symbols of the judge */
    VEC(Tensor *) inputs;
    Tensor **results;
} Trial;

typedef struct {
    char *text;        /* as it is told to those who skip */
    int n;             /* tensors of a value */
    Tensor **values;   /* with the inputs as they are; NULL: some input has no value */
    VEC(Trial) trials; /* of a formula */
} Answer;

typedef enum {
    MARK_RIGHT,
    MARK_WRONG,
    MARK_NEAR,  /* numbers that are nearly right */
    MARK_HERE,  /* of a formula: right for the inputs as they are, and not for others */
    MARK_SHAPE, /* another shape */
    MARK_KIND   /* a number where a bool is asked for, or the like */
} Mark;

/* Works the answer of a question out, or what another expression would be as one.  False after
 * diagnostics of the session. */
bool answer_work_out(Answer *a, Repl *judge, const Source *page, const Question *q, Part what);
void answer_free(Answer *a);
/* A copy of a part of the page; the caller frees it. */
char *part_text(const Source *page, Part p);
/* Of a derivation (derive.c): are the two sides equal, and the listed mistakes wrong?  False after
 * diagnostics. */
bool derive_prepare(Answer *a, Repl *judge, const Source *page, const Question *q);

/* What a statement gave: does it answer the question? */
Mark answer_to_result(const Answer *a, const Question *q, Repl *r, const Result *res);
/* Is it written as a type or a shape ("f64[3]", "[3]", "(3,)")? */
bool answer_is_type(const char *typed);
/* Words: of a type or a shape, of a rule. */
bool answer_to_words(const Answer *a, const Question *q, const char *typed);
/* Do both say the same? */
bool answers_same(const Answer *a, const Answer *b, const Question *q);

#endif
