/* Where a pattern matches, in all states that an exploration went through: at which node, from
 * which state to which, and what step took it away.
 *
 * Invariant: each form that a node had is tried once, in bodies too; forms of one node that follow
 * each other and all match are one place. */
#ifndef GRADUS_FIND_PLACES_H
#define GRADUS_FIND_PLACES_H

#include "rewrite/find.h"
#include "rewrite/things.h"

typedef struct {
    const Thing *thing;
    const Graph *within; /* NULL: the outermost */
    Node *node;          /* as it was when it first matched */
    const Origin *made;  /* the step after which it did; NULL: from the start */
    const Origin *taken; /* the step after which it did no longer; NULL: to the end */
} FoundPlace;

/* A node that never matched: how much of the pattern did at most, and what did not. */
typedef struct {
    const Thing *thing;
    const Graph *within;
    Node *node;
    const Origin *made;
    int reached;
    char *why;
} NearMiss;

typedef struct {
    Exploration *x;
    PatternQuery *query;
    size_t near;            /* how many misses are wanted, the nearest first */
    VEC(FoundPlace) places; /* in the order of the nodes' numbers */
    VEC(NearMiss) misses;
    Arena arena;
} FindQuestion;

/* Fills in places and misses. What stops long work stops it. */
void find_places(FindQuestion *f);
void find_places_free(FindQuestion *f);
/* What a name of a pattern stands for, "x + 1", "0, 1", "f64"; nodes by their expressions of so
 * many bytes. */
void rule_value_put(Text *out, Store *st, const RuleValue *v, const Graph *within, int bytes);

#endif
