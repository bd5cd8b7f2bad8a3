/* A rule on trial: between rule_check.c, rule_refute.c and rule_ends.c. */
#ifndef GRADUS_RULE_TRIAL_H
#define GRADUS_RULE_TRIAL_H

#include "session/session.h"
#include "session/instance.h"
#include "session/instance_values.h"
#include "session/rule_check.h"

enum {
    MAX_INSTANCES = 48,
    KEPT_FOR_KINDS = 12, /* of them for kinds that did not occur before */
    KIND_EMPTY = 1 << 16,
    KIND_ONE_LONG = 1 << 17,
    KIND_FAILS = 1 << 18 /* beside 1 << dtype: what instances are like */
};

typedef struct {
    Bindings b;
    Node *before, *after;
    Node *beside;  /* one more operand of the sum or product, or NULL */
    u32 classes;   /* of the rule, and R if it matched a part of a sum or product */
    NodeVec order; /* of both sides */
    Program *program[2];
    bool pointwise, tame, factorises;
} Instance;

typedef struct {
    Session s;
    const Rule *rule;
    NumberPool pool;
    Instance instances[MAX_INSTANCES];
    int ninstances;
    u32 kinds;    /* that instances are of */
    Text why_not; /* it does not fire */
} Trial;

bool trial_init(Trial *t, const Rule *r);
void trial_free(Trial *t);
Node *trial_runnable(Trial *t, Node *root); /* without derivatives and maps, which do not run */
/* May b stand for a at element i? `scale`: the largest input there. */
bool trial_agrees(const Instance *c, const Tensor *a, const Tensor *b, i64 i, u32 classes,
                  double scale);

/* The counterexample in words: the values of the variables and of both sides on this instance. */
void trial_refute(Trial *t, const Instance *c, const PtrMap *values, i64 i, const Tensor *a,
                  const Tensor *b, double scale, RuleCheck *out);
/* Only one side fails, the `left` or the `right`. */
void trial_refute_failure(Trial *t, const Instance *c, const PtrMap *values, const char *side,
                          const Tensor *other, RuleCheck *out);

#endif
