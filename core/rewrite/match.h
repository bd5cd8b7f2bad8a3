/* Matching: see match.c. */
#ifndef GRADUS_MATCH_H
#define GRADUS_MATCH_H

#include "graph/print.h"
#include "rewrite/pattern.h"

typedef struct {
    Bindings b;
    u64 taken; /* operands of a sum or product at the root that were taken; 0: all */
    bool (*accept)(
        void *ctx); /* the conditions, asked with b full; false: try the next way. Or NULL */
    void *ctx;
    const Graph *within; /* whose parameters have names in what failed; NULL: none */
} Match;

/* Does r's left side match at n? `failed` (or NULL) tells what did not fit after the most had. */
bool pattern_match(Store *st, const Rule *r, Node *n, Match *out, Text *failed);
/* What r puts in place of n, where its variables stand for what b says and these operands of n were
 * taken: of n's type or wider, or NULL if its conditions do not hold. */
Node *rule_build_text(Store *st, const Rule *r, Facts *facts, Node *n, const Bindings *b, u64 taken,
                      Text *why, u32 *extra);
/* What becomes of the results of a loop that r's left side matched. False: it cannot be built. */
bool replace_state(RuleCall *c, const Rule *r, Node *scan, Changes *out);

#endif
