/* Lines under a rule in a .rules file: what it does, and where it does not fire. They document the
 * rule (:help RULE), and the tests run them (session/example_check.h).
 *
 *   log1p [R]: log(1 + x) => log1p(x)  "accurate for small x"
 *       try log(1 + sin(x)) => log1p(sin(x))
 *       not log(2 + x)
 *
 * Under `rule NAME` they belong to that rule, which is elsewhere, in C for instance. `<=>` in one
 * of a rule that is read both ways checks both; `not` then means neither way. Statements may come
 * first, each with a `;` after it.
 *
 * Invariant: an example lives as long as the source that it is part of. */
#ifndef GRADUS_RULE_EXAMPLE_H
#define GRADUS_RULE_EXAMPLE_H

#include "rewrite/rules.h"

typedef struct RuleExample {
    const struct RuleExample *next;
    const Rule *rule;
    bool fires; /* try; false: not */
    Span text;  /* what follows the word */
} RuleExample;

typedef struct RuleExamples {
    RuleExample *first, *last;
} RuleExamples;

typedef enum { LINE_EMPTY, LINE_PASS, LINE_NAMES_RULE, LINE_TRY, LINE_NOT, LINE_RULE } RuleLineKind;
/* What a line [*from, to) of a .rules file is; *from goes to what follows its first word, of a rule
 * to the rule. */
RuleLineKind rule_line(const char *text, size_t *from, size_t to);

void rule_add_example(RuleSet *rs, const Rule *r, bool fires, Span text);
/* The first example that is about the rule: its own, or that of the line which makes it as the
 * other way of `<=>`. NULL: there is none. */
const RuleExample *rule_examples(const Rule *r);
/* Was the rule made second by `<=>`? Then examples are with the first. */
static inline bool rule_is_back(const Rule *r) { return r->back && r->back->id < r->id; }

#endif
