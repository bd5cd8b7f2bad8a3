/* Equality saturation: all forms that the rules give, and the best of them, with its proof.
 *
 * A sweep over a graph (bodies first, each with an e-graph of its own) searches all rules, applies
 * what they found, and restores congruence, again and again until nothing is new or a limit is met.
 * Then the cheapest form is taken out, and the way to it is written to the log as ordinary steps.
 *
 * Where the passes find something cheaper, it starts once more from what they give.
 *
 * Invariant: whatever stopped it, what stands there afterwards is equal to what stood there, and,
 * unless it was interrupted, costs no more than what the passes make of it. */
#ifndef GRADUS_SATURATE_H
#define GRADUS_SATURATE_H

#include "algebra/form.h"
#include "egraph/extract.h"
#include "egraph/several.h"
#include "rewrite/engine.h"

/* What one iteration led to. */
typedef struct {
    u32 nodes, classes, matches;
    double best;
    u64 searched;                   /* ways that patterns matched */
    double search_seconds, seconds; /* searching alone; with applying and restoring congruence */
} GrowthRow;

typedef enum {
    SATURATE_DONE,   /* no rule gives anything new */
    SATURATE_EQUAL,  /* what was to be equal is */
    SATURATE_ROUNDS, /* limits */
    SATURATE_SIZE_LIMIT,
    SATURATE_MATCHES, /* nothing is new but for rules that match in too many ways */
    SATURATE_INTERRUPT,
    SATURATE_MEMORY,
    SATURATE_CONTRADICTION
} SaturateStop;
const char *saturate_stop_name(SaturateStop s);

/* Filled for the outermost graph, where RuleSet.saturating.report asks for it. */
typedef struct Growth {
    VEC(GrowthRow) rows;
    SaturateStop stop;
    bool exact, proved;
    double before, after;
    FormLimit form_limit; /* the first one that was met */
    u64 searched;         /* ways that patterns matched, in all iterations */
} Growth;
void growth_free(Growth *g);
/* "; the form as a sum of products stops at 20000 terms of a sum", if it does. */
void growth_put_form_limit(Text *out, const Growth *g);

extern const CodeRule equality_rules[];
/* Is it one of these: in proofs alone, and nothing that a pass or :try could apply? */
bool rule_is_of_proofs(const Rule *k);
/* The pass `saturate`. */
bool pass_equalities(Engine *e, const Phase *phases);

#endif
