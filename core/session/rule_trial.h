/* A rule on trial: between rule_instances.c, rule_check.c, rule_rounding.c, rule_guard.c,
 * rule_refute.c and rule_ends.c. */
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
    u32 classes;   /* of the rule, and R and O if it matched a part of a sum or product */
    NodeVec order; /* of both sides */
    Ranges ranges;
    Program *program[2];
    Program *noisy[2]; /* with every intermediate result times a factor; NULL: not built yet */
    NodeVec factors[2];
    bool pointwise, factorises;
} Instance;

/* What the trial has seen of the guard: which sides of its `or`s were true, which ends of ranges
 * that were in force were reached. */
enum { GUARD_PARTS = 32 };
typedef struct {
    u32 part_true;              /* bit k: part k of the guard (rule_guard.c) */
    u32 lo_asked, hi_asked;     /* bit k: an end of variable k's range was in force */
    u32 lo_reached, hi_reached; /* and some compared value stood there */
    const Expr *at_lo[RANGED_EXPRS], *at_hi[RANGED_EXPRS]; /* expressions that were at an end */
} GuardUse;

typedef struct {
    Session s;
    const Rule *rule;
    NumberPool pool;
    Instance instances[MAX_INSTANCES];
    u64 forms[MAX_INSTANCES], form; /* what each is like; that of the one at hand */
    int ninstances;
    u32 kinds; /* that instances are of */
    GuardUse guard;
    Text why_not; /* it does not fire */
} Trial;

bool trial_init(Trial *t, const Rule *r, const RuleSet *all); /* r is one of them */
void trial_free(Trial *t);
Node *trial_runnable(Trial *t, Node *root); /* without derivatives and maps, which do not run */
u32 trial_kinds(Store *st, const Bindings *b);

/* Both values of an instance, and how they came about. */
typedef struct {
    Trial *t;
    Instance *c;
    const TensorMap *values;
    const Tensor *a, *b;
    bool over[2], under[2]; /* a side overflowed, underflowed, once looked at */
    bool looked;
    double *spread; /* of each element, once asked for */
} Comparison;

/* May b stand for a at element i? */
bool trial_agrees(Comparison *k, i64 i, u32 classes);
/* How far the rounding of inputs and of what is computed from them moves both sides. */
double trial_spread(Comparison *k, i64 i);
/* Is something in it that jumps, so that rounding could explain anything? */
bool trial_may_jump(const Instance *c);

/* Builds what the guard asks of expressions, and assumes it. */
void guard_use_expressions(Trial *t, Instance *c, Facts *facts);
/* Changes values, if need be, so that it is true of them; false: it cannot be. */
bool guard_use_fit(Trial *t, const Instance *c, TensorMap *values);
/* The rule fired on this; these values were compared; was the guard seen true in each of its parts,
 * and at its ends? `says` tells what was not. */
void guard_use_note(Trial *t, const Instance *c, Facts *facts);
void guard_use_values(Trial *t, const Instance *c, const TensorMap *values);
bool guard_use_covers(const Trial *t, Text *says);

/* The counterexample in words: the values of the variables and of both sides on this instance. */
void trial_refute(Comparison *k, i64 i, RuleCheck *out);
/* Only one side fails, the `left` or the `right`. */
void trial_refute_failure(Trial *t, const Instance *c, const TensorMap *values, const char *side,
                          const Tensor *other, RuleCheck *out);

#endif
