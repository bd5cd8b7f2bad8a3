/* Matching a pattern at a node, or at the classes of an e-graph: see match.c. */
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
    int matched; /* with `failed`: parts of the pattern, where the attempt that went furthest ended
                  */
} Match;

/* ---- the solver, for those who match at more than nodes ---- */

/* What stands where a part of a pattern is matched. */
typedef struct {
    Node *node; /* as it was written */
    u32 term;   /* of an e-graph: any form of its class may stand there */
    u32 place;  /* which operand it is */
} Spot;

/* `p` at a spot; or, with k >= 0, the operands of p from the k-th on, each at one of the node's
 * that were not taken. */
typedef struct Goal Goal;
struct Goal {
    const Pattern *p;
    Spot at;
    const u32 *kids; /* k >= 0: terms of the node's operands, or NULL */
    int k;
    bool root;
    u64 taken;
    const Goal *next;
};

typedef struct Matcher Matcher;
/* Where a pattern is matched, if not at nodes: what match.c asks of a spot whose operands have
 * several forms. */
typedef struct {
    /* match_form of each form of the spot with the operator, until one is true */
    bool (*forms)(Matcher *m, const Goal *g);
    Node *(*value)(Matcher *m, Spot at); /* what a variable or number stands for there */
    bool (*is_same)(Matcher *m, int slot,
                    Spot at); /* does a variable that is bound stand for it? */
    void (*took)(Matcher *m, const Pattern *p, Spot at, Node *n); /* p, with this value, matched */
    bool (*may_be)(Matcher *m, const Pattern *p, Spot at);        /* by what is seen at once */
} MatchPlaces;

struct Matcher {
    Store *st;
    Bindings *b;
    const RuleVars *vars;
    const MatchPlaces *places;    /* NULL: nodes, which have one form */
    Node *(*rest)[RULE_OPERANDS]; /* for each variable, where the rest of operands goes that it
                                     stands for; NULL: into the scratch arena */
    int budget, accept_cost;      /* places to look at; how many a whole match counts as */
    bool (*accept)(void *ctx);    /* asked when all has matched: false goes on with the next way */
    void *ctx;
    u64 taken;    /* operands of the root that were taken */
    int done;     /* parts of the pattern that matched so far */
    Text *failed; /* what failed after the most parts had matched, or NULL */
    int deepest;
    const Graph *within; /* whose parameters have names, or NULL */
};
/* An operator of the pattern, g->p, at one node, and all goals after it; kids: its operands' terms,
 * or NULL. */
bool match_form(Matcher *m, const Goal *g, Node *n, const u32 *kids);

/* ---- matching at nodes ---- */

/* Does r's left side match at n? `failed` (or NULL) tells what did not fit after the most had. */
bool pattern_match(Store *st, const Rule *r, Node *n, Match *out, Text *failed);
/* Does its condition hold there, too? m->within is given, the rest is found. */
bool rule_matches(Store *st, const Rule *r, Facts *facts, Node *n, Match *m, Text *failed);
/* What r puts in place of n, where its variables stand for what b says and these operands of n were
 * taken: of n's type or wider, or NULL if its conditions do not hold. */
Node *rule_build_text(Store *st, const Rule *r, Facts *facts, Node *n, const Bindings *b, u64 taken,
                      Text *why, u32 *extra);
/* What becomes of the results of a loop that r's left side matched. False: it cannot be built. */
bool replace_state(RuleCall *c, const Rule *r, Node *scan, Changes *out);

#endif
