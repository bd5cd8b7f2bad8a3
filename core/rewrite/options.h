/* What rewriting is to do, apart from the rules: which of them may fire, which passes run in which
 * order, how far it may go.
 *
 * Invariant: a value. A copy that is changed changes nothing for anybody else; what it points to
 * (assumptions, where saturation reports to) is borrowed for one exploration. */
#ifndef GRADUS_OPTIONS_H
#define GRADUS_OPTIONS_H

#include "rewrite/facts.h"
#include "rewrite/pass.h"
#include "rewrite/rules.h"

typedef struct {
    const char *name; /* a Symbol */
    double value;
} SizeGiven;

/* What counts for each node of an operator. */
typedef struct {
    int op; /* an OpId */
    double value;
} OpCost;

/* Assumed of an input. */
typedef struct {
    const Node *leaf;
    Fact fact;
} FactGiven;

/* What equality saturation may do (egraph/saturate.h). */
typedef struct {
    u32 iterations, nodes;
    int cost;               /* a CostKind */
    double assumed;         /* for sizes that are not given */
    const SizeGiven *sizes; /* those that are */
    u32 nsizes;
    const OpCost *ops; /* of COST_OPERATORS: all others count 1 */
    u32 nops;
    const char *rules;      /* names of rules and of passes, "," between; NULL: all */
    u32 also;               /* classes that it may use besides those that are allowed */
    bool equate;            /* it is to make the first root the second */
    const FactGiven *given; /* what its rules may take as proved, */
    u32 ngiven;
    struct Growth *report;          /* what it did, or NULL */
    struct EgPictures *pictures;    /* of the outermost graph, to be drawn; or NULL */
    struct SaturatedForms *several; /* the best forms of it, or NULL: the best one alone */
} Saturating;
enum {
    SATURATE_ITERATIONS = 30, /* most e-graphs are saturated, or full, long before */
    SATURATE_NODES = 10000,   /* e-nodes: the best form is taken from what there is then */
    SATURATE_SIZE = 100       /* that is assumed of a size: neither nothing nor everything */
};

/* The passes that run, in their order; one may come twice. */
enum { PIPELINE_MOST = 64 }; /* several times the usual ones */
typedef struct {
    const Pass *pass;
    bool off; /* skipped */
} PassUse;
typedef struct {
    u32 len;
    PassUse at[PIPELINE_MOST];
} Pipeline;

/* One firing that is not to be: of this rule, where it would replace this node. */
typedef struct {
    const Rule *rule;
    const Node *node; /* the first that it changes */
    u32 times;        /* how often it was left out */
} SkippedFiring;

typedef struct Options {
    u32 allowed; /* hazard classes */
    Pipeline pipeline;
    u64 off[RULES_MOST / 64];   /* a bit for each rule that is switched off (Rule.id) */
    u32 step_limit, node_limit; /* of one pass over one expression */
    u64 try_limit;              /* rules tried, a pass */
    Saturating saturating;
    SkippedFiring *skip; /* or NULL */
    bool timed;          /* how long rules were tried is counted, by rule (RuleCounts) */
    bool unrecorded;     /* explorations without steps: what recording costs can be measured */
} Options;

/* Rules that undo one another, or make more and more, end here. */
enum { STEP_LIMIT = 200000, NODE_LIMIT = 20000000, TRY_LIMIT = 100000000 };
/* The usual passes, the classes HAZARD_DEFAULT, all rules, the limits above. */
Options options_usual(void);
void pipeline_clear(Pipeline *p);
void pipeline_add(Pipeline *p, const Pass *pass); /* PIPELINE_MOST of them at most; not NULL */
/* The first time that it comes; the others are on or off as that is. NULL: it does not. */
const PassUse *pipeline_find(const Pipeline *p, const char *name);
/* Each time that it comes; false: it does not. */
bool pipeline_switch(Pipeline *p, const char *name, bool off);
static inline bool rule_is_off(const Options *o, const Rule *r)
{
    return o->off[r->id / 64] >> r->id % 64 & 1;
}
void rule_switch(Options *o, const Rule *r, bool off);
void rule_only(Options *o, const Rule *r); /* all others are off */
/* Is it on, and of an allowed class? */
static inline bool rule_allowed(const Options *o, const Rule *r)
{
    return !rule_is_off(o, r) && !(r->classes & ~o->allowed);
}

#endif
