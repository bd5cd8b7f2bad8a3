/* Finding what a pattern matches: a rule without a right side.
 *
 * Invariant: the pattern is read, and matched, as the left side of a rule is; where a rule with
 * this left side and this condition fires, the pattern is found. */
#ifndef GRADUS_FIND_H
#define GRADUS_FIND_H

#include "graph/walk.h"
#include "rewrite/match.h"

/* A pattern and its condition, as they were read, and what is known of the graphs that it is looked
 * for in. */
typedef struct {
    Arena arena;
    Rule rule;  /* without a replacement: it cannot be applied */
    int parts;  /* of the pattern: operators, variables, numbers */
    size_t end; /* where it ends in the text that it was read from */
    Facts outermost;
    MAP(const Graph *, Standing *) owners; /* graph -> a node that owns it, where that stands */
    MAP(const Graph *, Facts *) inside;    /* graph -> what its owner tells of its parameters */
} PatternQuery;

/* Reads `PATTERN [if GUARD]` from this part of a text; `in` may follow it. False after a
 * diagnostic. To be freed in any case. */
bool query_read(PatternQuery *q, Span part, Diags *diags);
void query_free(PatternQuery *q);
/* The node, which stands in a graph (NULL: the outermost), tells of the graphs that it owns. */
void query_owner(PatternQuery *q, Node *owner, const Graph *within);

/* One attempt at a node. */
typedef struct {
    Match match;  /* if it is one: its bindings */
    int reached;  /* how many parts of the pattern matched at most */
    Text *failed; /* why it is none: what did not match, or which condition failed; may be NULL */
} QueryTry;
bool query_matches(PatternQuery *q, Store *st, const Graph *within, Node *n, QueryTry *t);
/* All places in a graph and the graphs inside, each graph once, operands before users. What stops
 * long work stops it: the rest is missing. */
void query_find(PatternQuery *q, Store *st, int nroots, Node *const *roots, StandingVec *out);

/* What a name of the pattern stands for. */
typedef struct {
    const char *name;
    const RuleValue *value;
} BoundName;
/* The k-th name of a match; false after the last. */
bool query_bound(const PatternQuery *q, const Match *m, int k, BoundName *out);

#endif
